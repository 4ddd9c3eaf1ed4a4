"""Citations of a report: ids while it is written, and numbers with a source list once it is finished.

`clean_citations` takes out ids that nobody retrieved, each with a reason; `number_citations` is the last step
of a report. The topic queue shows ids in its own form: `S0.3` is `PLAN-03`, and `S2.1` is `CIT-2-01`; state,
prompts and checks know sources by their ids.

The other style (`AnchorStyle`) links citations, `[[CIT-2-01](#ref-cit-2-01)]`, to a list by topic. It shows
each source under the topic that found it first, with what found it; ids under which other topics found it
again stand under those and point to the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import quote

from deep_research.core.forms import form
from deep_research.core.records import CitedSource, Claim, Removed, Source, id_order
from deep_research.core.words import phrase
from deep_research.text.addresses import NOTHING_GIVEN, REMOVAL_REASON, Given, without_unknown_addresses
from deep_research.text.cited_sentences import CitedSentence
from deep_research.text.language import blank_code, detect_language, outside_code
from deep_research.text.source_ids import (
    BLANKS_BEFORE,
    CITATION_GROUP,
    ID_CITATION,
    LINK_TARGET,
    MARKER,
    SOURCE_ID,
    ids_in,
    sentences_citing_ids,
)

from .ledger import by_any_id

_SHOWN = re.compile(r"\[?\[(?:PLAN-(?P<plan>\d+)|CIT-(?P<block>\d+)-(?P<seq>\d+))\](?:\(#[\w-]*\)\])?")


def display_id(source_id: str) -> str:
    """The shown form of an id `S<branch>.<n>`."""
    branch, number = source_id.lstrip("S").split(".")[:2]
    return f"PLAN-{int(number):02d}" if branch == "0" else f"CIT-{branch}-{int(number):02d}"


def with_source_ids(markdown: str) -> str:
    """A text in which citations of the shown form are ids again; code is left alone."""

    def plain(match: re.Match[str]) -> str:
        if match["plan"]:
            return f"[S0.{int(match['plan'])}]"
        return f"[S{int(match['block'])}.{int(match['seq'])}]"

    return outside_code(markdown, lambda part: _SHOWN.sub(plain, part))


NUMBER_CITATION = re.compile(r"(?<![A-Za-z0-9_])\[(\d{1,3})\](?!\()")
"""A number that leads to the source list. `arr[0]`, `[2024]` and the text of a link are none."""
_OWN_NUMBER = re.compile(
    rf"(?P<word>[A-Za-z0-9_](?:\[\d+\])+)|{BLANKS_BEFORE}(?:\\?\[\^?\d{{1,3}}\\?\]|【\d{{1,3}}(?:†[^】\n]*)?】){LINK_TARGET}"
)
_DEFINITION = re.compile(
    rf"^[ \t>*+-]*\[\^?{MARKER}\]:[ \t]*\n?[ \t]*\S+(?:[ \t]+[\"'(][^\n]*)?[ \t]*(?:\n|\Z)", re.MULTILINE
)
"""`[1]: https://…`, which would make links of the numbers that code writes."""
_LOST = " [S0.0]"
_GONE = "\ue000"
"""Stands for a citation that is taken out, until what its sentence needs is known."""
_AND = r"(?:,? ?(?:and|or|&)|[,，、和与と])"
_GONE_BEFORE = re.compile(rf"{_GONE}\s*{_AND}(?=\s*[{_GONE}\[])")
_GONE_AFTER = re.compile(rf"(?<=\])\s*{_AND}\s*{_GONE}")
_NEAR = 60
"""Characters around a citation that tell whether its sentence needs it."""
_SENTENCE_ENDS = ("", ".", "!", "?", ":", "\n", "。", "！", "？")
_UNLISTED = phrase("reports.entries.unlisted")
_ID = rf"\[{SOURCE_ID}\]"
_NEIGHBOURS = re.compile(rf"{_ID}(?:[ \t]*{_ID})+")
_BEFORE_LINK = re.compile(rf"{_ID}(?=\(|\[(?!{SOURCE_ID}\]))")
_HEADING = re.compile(r"^#{1,6}[^\n]*$", re.MULTILINE)
_LIST_NAMES = "sources?|references|bibliography|citations|来源|参考文献|参考资料|出典|参考資料"
_ALONE = re.compile(
    rf"^(?!#|\||[ \t]*$)(.*\S)[ \t]*\n(?:[ \t]*\n)*[ \t]*(?:[*_]*(?:{_LIST_NAMES})[*_]*[:：][*_]*[ \t]*)?"
    rf"({_ID}(?:[ \t,;]*{_ID})*)[.。]?[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
"""Citations in a line of their own, below the text that they are of."""
_LIST_HEADING = re.compile(rf"#+[ \t]*\W*(?:{_LIST_NAMES})\W*", re.IGNORECASE)
_LIST_LINE = re.compile(r"\s*(?:[-*+\[]|\d+[.)]|$)")
_MARKUP = re.compile(r"[`*]|(?<![^\W_])_|_(?![^\W_])|<(?=[\w/!?])|&(?=#|\w+;)|\\(?=[^\w\s])|~(?=~)")
HEADINGS = phrase("reports.headings.sources")
CALCULATION = phrase("reports.entries.calculation")


@dataclass
class CitedText:
    """A text that cites known sources by id, each in brackets of its own: `[S1.3][S2.1]`."""

    markdown: str
    cited: list[Source]
    """The cited sources in order of first use: their places are their numbers in the finished report."""
    removed: list[Removed] = field(default_factory=list)
    as_written: str = ""
    """The same text with `[S0.0]` in place of every citation that was taken out."""

    def sentences(self) -> list[CitedSentence]:
        """Every sentence of the text with the numbers of the sources that it cites."""
        numbers = {source.id: number for number, source in enumerate(self.cited, start=1)}
        return [
            said._replace(numbers=[numbers[name] for name in said.ids if name in numbers])
            for said in sentences_citing_ids(self.markdown)
        ]

    def with_markdown(self, markdown: str, sources: Sequence[Source] | None = None) -> CitedText:
        """This text after sentences or citations of `sources` came or went: other sources may be cited."""
        known = by_any_id(self.cited if sources is None else sources)
        return replace(self, markdown=markdown, cited=_cited_in(markdown, known))


@dataclass(frozen=True)
class CitationStyle:
    """How a finished report shows its citations: as numbers, with a source list in their order."""

    language: str

    def mark(self, source: Source, number: int) -> str:
        """A citation in the text."""
        return f"[{number}]"

    def entries(self, cited: Sequence[Source]) -> str:
        """The source list: number, title, date, and where the source is."""
        return "\n".join(f"{number}. {self.entry(one)}" for number, one in enumerate(cited, start=1))

    def entry(self, source: Source) -> str:
        """A source as the list shows it: what it is if no document, title, date, and where it is."""
        kind = CALCULATION.get(self.language, CALCULATION["en"]) if source.kind == "calculation" else ""
        return f"{kind}{_place(source)}"

    def source_list(self, cited: Sequence[Source]) -> str:
        """The section with the sources of a finished report."""
        heading = HEADINGS.get(self.language, HEADINGS["en"])
        return f"\n## {heading}\n\n{self.entries(cited)}\n" if cited else ""


def number_citations(text: CitedText, style: CitationStyle) -> str:
    """The finished Markdown: each id replaced by what the style shows for it, and the source list."""
    marks = {source.id: style.mark(source, number) for number, source in enumerate(text.cited, start=1)}
    body = outside_code(
        text.markdown, lambda part: ID_CITATION.sub(lambda one: marks.get(one[1], one[0]), part)
    )
    return body.strip() + "\n" + style.source_list(text.cited)


def clean_citations(markdown: str, sources: Sequence[Source], given: Given = NOTHING_GIVEN) -> CitedText:
    """Bring every citation into the form `[S1.3]`, and drop unknown ids and addresses with a reason.

    Code blocks are left alone; a source list and numbers of the model's own (or of a page's) are taken out,
    since code writes them: what reads as a citation in the result is one. Several ids of one place that are
    the same source become one. An address that nobody retrieved goes, too, unless it is `given`.
    """
    known, retrieved = by_any_id(sources), [{"url": source.url} for source in sources if source.url]
    removed: list[Removed] = []
    kept = _without_own_list(markdown, removed)

    def cleaned(lost: str, removed: list[Removed]) -> str:
        body = outside_code(kept, lambda part: _cleaned(part, known, lost, removed))
        body, gone = without_unknown_addresses(body, retrieved, given, mark=lost)
        removed += [Removed(number="", url=url, reason=REMOVAL_REASON) for url in gone]
        return body.strip()

    body = cleaned("", removed)
    return CitedText(body, _cited_in(body, known), removed, cleaned(_LOST, []))


def _cited_in(markdown: str, known: Mapping[str, Source]) -> list[Source]:
    ids = dict.fromkeys(ID_CITATION.findall(blank_code(markdown)))
    return [known[name] for name in ids if name in known]


def _cleaned(text: str, known: Mapping[str, Source], lost: str, removed: list[Removed]) -> str:
    """The text with `[S1.3]` for each known id, and `lost` in place of every other citation.

    One that is a word of its sentence ("According to [7], …") leaves another word in its place.
    """

    def defined(match: re.Match[str]) -> str:
        marker = re.search(MARKER, match[0])
        removed.append(Removed(number=marker[0] if marker else match[0].strip(), reason="own_number"))
        return _gap(match)

    def own(match: re.Match[str]) -> str:
        if match["word"]:
            return match[0]
        defined(match)
        return _GONE

    def cited(match: re.Match[str]) -> str:
        names = ids_in(match)
        if match["bare"] and match["bare"] not in known and not _is_word(match.string, *match.span()):
            return match[0]
        removed.extend(Removed(number=name, reason="id_not_in_ledger") for name in names if name not in known)
        found = dict.fromkeys(f"[{known[name].id}]" for name in names if name in known)
        return "".join(["" if match["bare"] else " ", *found]) if found else _GONE

    text = _OWN_NUMBER.sub(own, _DEFINITION.sub(defined, text.replace(_GONE, "")))
    text = _without_gone(CITATION_GROUP.sub(cited, text), lost)
    return _join_repeats(_ALONE.sub(lambda line: f"{line[1]} {''.join(re.findall(_ID, line[2]))}", text))


def _is_word(text: str, start: int, end: int) -> bool:
    """Whether the sentence around a citation needs it: "according to S1.3", or "[S1.3] says" at its start."""
    if form("citations.before").search(text[max(start - _NEAR, 0) : start].rstrip()):
        return True
    behind = text[end : end + _NEAR]
    return _opens_sentence(text, start) and form("citations.behind").match(behind) is not None


def _opens_sentence(text: str, start: int) -> bool:
    return text[max(start - _NEAR, 0) : start].rstrip(" \t*>-")[-1:] in _SENTENCE_ENDS


def _without_gone(text: str, lost: str) -> str:
    """The text with words where a citation that its sentence needs is gone, and elsewhere `lost` or none."""
    if _GONE not in text:
        return text
    text = _GONE_AFTER.sub("", _GONE_BEFORE.sub("", text))
    word = _UNLISTED[detect_language(text)]

    def left(match: re.Match[str]) -> str:
        start, end = match.span()
        if not _is_word(text, start, end):
            return lost or _gap(match)
        blank = " " if word.isascii() and text[max(start - 1, 0) : start].strip() else ""
        shown = word[0].upper() + word[1:] if _opens_sentence(text, start) else word
        return f"{blank}{shown}{lost}{_gap(match)}"

    return re.sub(f"{_GONE}+", left, text)


def _without_own_list(markdown: str, removed: list[Removed]) -> str:
    """The text without a model's own source list: at its end, or anywhere if it is nothing but a list."""
    shown = blank_code(markdown)
    starts = [heading.start() for heading in _HEADING.finditer(shown)]
    ends = [*starts, len(markdown)]
    kept = [markdown[: ends[0]]]
    for start, end in zip(starts, ends[1:], strict=True):
        heading, *lines = shown[start:end].splitlines()
        is_list = end == len(markdown) or all(_LIST_LINE.match(line) for line in lines)
        if is_list and _LIST_HEADING.fullmatch(heading):
            removed.append(Removed(number="", reason="own_source_list"))
        else:
            kept.append(markdown[start:end])
    return "".join(kept)


def _gap(match: re.Match[str]) -> str:
    """What is left of a marker that goes: nothing, unless its neighbours would make a new one (`[[3]1]`)."""
    following = match.string[match.end() : match.end() + 1]
    return " " if following.isascii() and following.isalnum() else ""


def _join_repeats(text: str) -> str:
    """'… [S1.1] [S1.1].' → '… [S1.1].', no blank between neighbours, and no link made of a citation."""
    joined = _NEIGHBOURS.sub(lambda ids: "".join(dict.fromkeys(re.findall(r"\[[^]]+\]", ids[0]))), text)
    return _BEFORE_LINK.sub(r"\g<0> ", joined)


def _place(source: Source) -> str:
    date = f" ({plain_line(source.published)})" if source.published else ""
    url = web_url(source.url or "")
    key = printable_line(source.key).replace("`", "'")
    place = f"<{url}>" if url else f"`{key}`"
    return f"{plain_line(source.title)}{date}: {place}"


def web_url(url: str) -> str:
    """An http address fit to stand between `<` and `>`; empty if it is none that may become a link."""
    if not url.lower().startswith(("http://", "https://")):
        return ""
    return "".join(c if c.isprintable() and c not in " <>`" else quote(c, errors="replace") for c in url)


def plain_line(text: str) -> str:
    """Text of a page as one line that Markdown shows as it is, and that opens no list or heading."""
    line = printable_line(text).replace("[", "(").replace("]", ")")
    line = _MARKUP.sub(r"\\\g<0>", line)
    return re.sub(r"^(\d+(?=[.)](?: |$))|(?=[#>+=-]))", r"\1\\", line)


def printable_line(text: str) -> str:
    return "".join(c for c in " ".join(text.split()) if c.isprintable())


def cited_sources(sources: Sequence[Source], cited: Sequence[Source]) -> list[CitedSource]:
    """All sources as a report shows them: cited ones first, by number."""
    numbers = {source.id: n for n, source in enumerate(cited, start=1)}
    ordered = [*cited, *(source for source in sources if source.id not in numbers)]
    return [
        CitedSource(
            id=s.id, number=numbers.get(s.id), kind=s.kind, url=s.url, citation_key=s.citation_key,
            page=s.page, title=s.title, tier=s.tier, published=s.published,
            use="cited" if s.id in numbers else s.use, query=s.query, tool=s.tool, asked_by=s.asked_by,
            aliases=s.aliases, content_hash=s.content_hash,
        )
        for s in ordered
    ]  # fmt: skip


def unchecked_claims(sentences: Iterable[CitedSentence]) -> list[Claim]:
    """Each of the sentences that cites a source, with the numbers it cites."""
    return [Claim(text=said.text, sources=said.numbers) for said in sentences if said.numbers]


PLANNED = phrase("reports.headings.planned")
_FOUND_BY = phrase("reports.entries.found_by")
_SAME_AS = phrase("reports.entries.same_as")


@dataclass(frozen=True)
class AnchorStyle(CitationStyle):
    """Citations link to the entries of a list by topic; `topics` maps branches to what they researched."""

    topics: Mapping[str, str]

    def mark(self, source: Source, number: int) -> str:
        """A link to the source's entry."""
        return f"[{_to(source.id)}]"

    def entries(self, cited: Sequence[Source]) -> str:
        """All cited sources and their other ids, under their topics, in the order of ids."""
        entries = {source.id: self._entry(source) for source in cited}
        for source in cited:
            same = _SAME_AS[self.language].format(_to(source.id))
            entries |= {alias: f"- {display_id(alias)}: {same}" for alias in source.aliases}
        lines: list[str] = []
        group = ""
        for name in sorted(entries, key=id_order):
            branch = name.lstrip("S").split(".")[0]
            if branch != group:
                title = PLANNED[self.language] if branch == "0" else self.topics.get(branch, branch)
                lines += ["", f"### {plain_line(title)}", ""]
                group = branch
            lines.append(entries[name])
        return "\n".join(lines).strip()

    def _entry(self, source: Source) -> str:
        found = _FOUND_BY[self.language].format(source.tool, plain_line(source.query))
        entry = f"{display_id(source.id)}: {self.entry(source)}"
        return f'- <a id="{_anchor(source.id)}"></a>{entry} — {found}'


def _to(source_id: str) -> str:
    return f"[{display_id(source_id)}](#{_anchor(source_id)})"


def _anchor(source_id: str) -> str:
    return f"ref-{display_id(source_id).lower()}"
