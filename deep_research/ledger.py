"""The register of what was really retrieved, and the code that turns ids into numbers.

A `Ledger` is a view on a branch's list of sources: it gives new hits their ids and never forgets one. When
the report is written, `render_citations` replaces `[S1.3]` by `[1]…[n]` in order of first use, takes out ids
that were never retrieved, and writes the source list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from .context import Context
from .credibility import classify
from .guard import canonical_url
from .state import CitedSource, Claim, Removed, Source, merge_sources
from .text import detect_language, split_sentences
from .tools.search import SearchHit

ID = r"S\d+\.\d+"
_GROUP = re.compile(rf"[ \t]*[\[【（(]\s*({ID}(?:\s*[,;、，]\s*{ID})*)\s*[\]】）)]")
_MARKERS = re.compile(r"[ \t]*\[\d+\]")
_NUMBERED = re.compile(r"\[(\d+)\]")
_CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]+`)", re.DOTALL)
_LIST_NAMES = "sources?|references|bibliography|citations|来源|参考文献|参考资料|出典|参考資料"
_OWN_LIST = re.compile(rf"^#{{1,6}}[ \t]*[*_ \t]*(?:{_LIST_NAMES})[*_: \t：]*$", re.IGNORECASE)
"""The heading of a source list that a model wrote, although code writes it."""
HEADINGS = {"en": "Sources", "zh": "来源", "ja": "出典"}
_AFTER_STOP = re.compile(r"([.!?。！？])[ \t]*((?:\[\d+\])+)")


def canonical_key(source: Source) -> str:
    """What two sources must share to be the same one: canonical url, or citation key."""
    return canonical_url(source.url) if source.url else source.key


def merge_by_key(existing: Sequence[Source], new: Sequence[Source]) -> list[Source]:
    """State reducer for sources: merged by canonical url or citation key, in branch order."""
    return merge_sources(existing, new, canonical_key)


class Ledger:
    """The sources of one branch, in order of their ids."""

    def __init__(self, branch: str, sources: Iterable[Source] = ()) -> None:
        self._branch = branch
        self._sources = {canonical_key(source): source for source in sources}

    @property
    def sources(self) -> list[Source]:
        """All sources, oldest first."""
        return list(self._sources.values())

    def __len__(self) -> int:
        return len(self._sources)

    def register(
        self, hits: Sequence[SearchHit], query: str, role: str, ctx: Context
    ) -> list[tuple[SearchHit, Source, bool]]:
        """Each hit with its source, and True where that is new. A hit over the cap on sources is left out."""
        registered = []
        for hit in hits:
            candidate = self._source(hit, query, role, ctx)
            key = canonical_key(candidate)
            new = key not in self._sources
            if new:
                if ctx.budget.left(ctx.branch).get("sources", 1) < 1:
                    continue
                self._sources[key] = candidate
                ctx.budget.observe(ctx.branch, "sources", len(self._sources))
                ctx.emit(
                    "source",
                    role=role,
                    tool=hit.tool,
                    text=candidate.title,
                    id=candidate.id,
                    key=candidate.key,
                )
            registered.append((hit, self._sources[key], new))
        return registered

    def add_reading(self, source: Source, key: str) -> None:
        """More than the snippet of this source is given to a model: the page-store key of what is."""
        if key not in source.readings:
            source.readings.append(key)
        source.use = "read"

    def _source(self, hit: SearchHit, query: str, role: str, ctx: Context) -> Source:
        tier, reason = classify(hit.url or hit.citation_key or "", hit.kind)
        return Source(
            id=f"S{self._branch}.{len(self._sources) + 1}",
            kind=hit.kind,
            url=hit.url,
            citation_key=None if hit.url else hit.citation_key,
            page=hit.page,
            title=" ".join(hit.title.split()),
            published=hit.published,
            retrieved_at=ctx.clock.now().date().isoformat(),
            query=query,
            tool=hit.tool,
            asked_by=role,
            tier=tier,
            tier_reason=reason,
            content_hash=ctx.store.pages.put(hit.text) if hit.text else "",
            snippet=hit.snippet,
        )


@dataclass
class Rendered:
    """A report with numbers in it: its text, the sources in order of number, and what was taken out."""

    markdown: str
    cited: list[Source] = field(default_factory=list)
    removed: list[Removed] = field(default_factory=list)


def by_any_id(sources: Iterable[Source]) -> dict[str, Source]:
    """Every id, aliases included, to its source."""
    return {name: source for source in sources for name in (source.id, *source.aliases)}


def cited_ids(text: str) -> list[str]:
    """The source ids that a text cites, in order of first use."""
    groups = (match.group(1) for part in _CODE.split(text)[::2] for match in _GROUP.finditer(part))
    return list(dict.fromkeys(source_id for group in groups for source_id in re.findall(ID, group)))


def with_first_ids(text: str, known: dict[str, Source]) -> str:
    """A text in which each source has one id: aliases are replaced, unknown ids stay as they are."""

    def first(match: re.Match[str]) -> str:
        return known[match.group(0)].id if match.group(0) in known else match.group(0)

    return _outside_code(text, lambda part: re.sub(rf"\b{ID}\b", first, part))


def render_citations(markdown: str, sources: Sequence[Source], language: str) -> Rendered:
    """Replace ids by numbers, drop unknown ids with a reason, and add the source list.

    Code blocks are left alone; a source list of the model's own is taken out, since code writes it. Several
    ids of one place that are the same source give one number.
    """
    known = by_any_id(sources)
    rendered = Rendered("")
    numbers: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        found = []
        for source_id in re.findall(ID, match.group(1)):
            source = known.get(source_id)
            if source is None:
                rendered.removed.append(Removed(number=source_id, reason="id_not_in_ledger"))
                continue
            if source.id not in numbers:
                numbers[source.id] = len(numbers) + 1
                rendered.cited.append(source)
            found.append(f"[{numbers[source.id]}]")
        return "".join([" ", *dict.fromkeys(found)]) if found else ""

    lines = markdown.splitlines()
    last = max((place for place, line in enumerate(lines) if line.startswith("#")), default=0)
    if lines and _OWN_LIST.match(lines[last]):
        markdown = "\n".join(lines[:last])
        rendered.removed.append(Removed(number="", reason="own_source_list"))
    body = _outside_code(markdown, lambda text: _join_repeats(_GROUP.sub(number, text)))
    rendered.markdown = body.strip() + "\n" + source_list(rendered.cited, language)
    return rendered


def _outside_code(markdown: str, change: Callable[[str], str]) -> str:
    return "".join(part if place % 2 else change(part) for place, part in enumerate(_CODE.split(markdown)))


def _join_repeats(text: str) -> str:
    """'… [1] [1].' → '… [1].', and no blank between neighbouring numbers."""

    def once(match: re.Match[str]) -> str:
        return "".join(f"[{n}]" for n in dict.fromkeys(_NUMBERED.findall(match.group(0))))

    return re.sub(r"\[\d+\](?:[ \t]*\[\d+\])+", once, text)


def source_list(cited: Sequence[Source], language: str) -> str:
    """The section with one line per source: number, title, date, and where it is."""
    if not cited:
        return ""
    lines = [f"{n}. {_entry(source)}" for n, source in enumerate(cited, start=1)]
    return f"\n## {HEADINGS.get(language, HEADINGS['en'])}\n\n" + "\n".join(lines) + "\n"


def _entry(source: Source) -> str:
    title = source.title.replace("[", "(").replace("]", ")")
    date = f" ({source.published})" if source.published else ""
    place = f"<{source.url}>" if source.url else f"`{source.citation_key}`"
    return f"{title}{date}: {place}"


def cited_sources(sources: Sequence[Source], cited: Sequence[Source]) -> list[CitedSource]:
    """All sources as a report shows them: cited ones first, by number."""
    numbers = {source.id: n for n, source in enumerate(cited, start=1)}
    ordered = [*cited, *(source for source in sources if source.id not in numbers)]
    return [
        CitedSource(
            id=s.id, number=numbers.get(s.id), kind=s.kind, url=s.url, citation_key=s.citation_key,
            page=s.page, title=s.title, tier=s.tier, published=s.published,
            use="cited" if s.id in numbers else s.use,
        )
        for s in ordered
    ]  # fmt: skip


def unchecked_claims(markdown: str) -> list[Claim]:
    """Each sentence of the report's body that cites a source, with the numbers it cites."""
    heading = re.compile(rf"^## (?:{'|'.join(HEADINGS.values())})\s*$", re.MULTILINE)
    body = heading.split(_CODE.sub("", markdown))[0]
    body = _AFTER_STOP.sub(r" \2\1", body)
    return [
        Claim(text=_without_markers(sentence), sources=[int(n) for n in numbers])
        for sentence in split_sentences(body)
        if not sentence.startswith("#") and (numbers := list(dict.fromkeys(_NUMBERED.findall(sentence))))
    ]


def _without_markers(sentence: str) -> str:
    """A sentence as it reads without its citations, list marks and emphasis."""
    return _MARKERS.sub("", sentence).replace("**", "").strip(" -*|")


def report_language(question: str, chosen: str) -> str:
    """The language that a report is written in: the one chosen, or the question's."""
    return detect_language(question) if chosen == "auto" else chosen
