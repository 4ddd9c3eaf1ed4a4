"""The other style of citations: links to anchors, and a source list by topic with tool and query.

`[3]` becomes `[[CIT-2-01](#ref-cit-2-01)]`. The list shows each source under the topic that found it first,
with what found it; ids under which other topics found it again stand under those and point to the first.
Numbers stay what claims and checks go by: this is the last thing that happens to a report's text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from .citation_ids import display_id
from .ledger import CITATION, HEADINGS, entry, plain_line
from .state import Source, id_order
from .text import outside_code

PLANNED = {"en": "Planning", "zh": "规划", "ja": "計画"}
_FOUND_BY = {"en": "{} for “{}”", "zh": "{}：“{}”", "ja": "{}：「{}」"}
_SAME_AS = {"en": "the same as {}", "zh": "同 {}", "ja": "{} と同じ"}


def anchored(markdown: str, cited: Sequence[Source], topics: Mapping[str, str], language: str) -> str:
    """A rendered report in the anchor style; `topics` maps branches to what they researched."""
    heading = re.compile(rf"^## (?:{'|'.join(HEADINGS.values())})[ \t]*$", re.MULTILINE)
    if not cited:
        return markdown
    *_, listed = heading.finditer(markdown)  # the last one is ours
    after = markdown.find("\n## ", listed.end())
    body, rest = markdown[: listed.start()], markdown[after:] if after >= 0 else ""
    links = {str(number): link(source.id) for number, source in enumerate(cited, start=1)}
    body, rest = (
        outside_code(text, lambda part: CITATION.sub(lambda n: links.get(n[1], n[0]), part))
        for text in (body, rest)
    )
    return f"{body}{listed[0]}\n\n{_list(cited, topics, language)}\n{rest}"


def link(source_id: str) -> str:
    """A citation that leads to its entry."""
    return f"[{_to(source_id)}]"


def _to(source_id: str) -> str:
    return f"[{display_id(source_id)}](#{_anchor(source_id)})"


def _anchor(source_id: str) -> str:
    return f"ref-{display_id(source_id).lower()}"


def _list(cited: Sequence[Source], topics: Mapping[str, str], language: str) -> str:
    """The entries of all cited sources and of their other ids, under their topics, in the order of ids."""
    entries = {source.id: _entry(source, language) for source in cited}
    for source in cited:
        same = _SAME_AS[language].format(_to(source.id))
        entries |= {alias: f"- {display_id(alias)}: {same}" for alias in source.aliases}
    lines: list[str] = []
    group = ""
    for name in sorted(entries, key=id_order):
        branch = name.lstrip("S").split(".")[0]
        if branch != group:
            title = PLANNED[language] if branch == "0" else topics.get(branch, branch)
            lines += ["", f"### {plain_line(title)}", ""]
            group = branch
        lines.append(entries[name])
    return "\n".join(lines).strip()


def _entry(source: Source, language: str) -> str:
    found = _FOUND_BY[language].format(source.tool, plain_line(source.query))
    return f'- <a id="{_anchor(source.id)}"></a>{display_id(source.id)}: {entry(source, language)} — {found}'
