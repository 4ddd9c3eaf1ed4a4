"""The register of what was really retrieved, and the code that turns ids into numbers.

A `Ledger` is a view on a branch's list of sources: it gives new hits their ids and never forgets one. When
the report is written, `render_citations` replaces `[S1.3]` by `[1]…[n]` in order of first use, takes out ids
that were never retrieved, and writes the source list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from .context import Context
from .credibility import classify
from .guard import canonical_url
from .state import CitedSource, Claim, Removed, Source, merge_sources
from .text import CODE, detect_language, outside_code
from .tools.search import SearchHit
from .verification.claims import cited_sentences
from .verification.loose_addresses import NOTHING_GIVEN, REASON, Given, without_unknown_addresses

ID = r"S\d+\.\d+"
CITATION = re.compile(r"(?<![A-Za-z0-9_])\[(\d{1,3})\](?!\()")
"""A number that leads to the source list. `arr[0]`, `[2024]` and the text of a link are none."""
_MARK = rf"(?:{ID}|\d{{1,3}})"
_TARGET = (
    r"(?:\((?!\s*S\d)\s*(?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)"
    r"|\(\s*<?https?://[^()\n]*\))?"
)
"""What makes a link of the marker before it; round brackets around ids are a citation of their own."""
_BLANKS = r"(?<![ \t])[ \t]*"
_LIST = rf"{ID}(?:\s*[,;、，]\s*{ID})*"
_GROUP = re.compile(
    rf"{_BLANKS}(?:[(（]\s*(?P<round>{_LIST})\s*[)）]"
    rf"|[\[【]\s*\^?(?:(?:see|cf\.?|sources?)[:\s]\s*)?(?P<square>{ID}(?!\d)[^\[\]【】\n]{{0,200}})[\]】]{_TARGET})"
    rf"|(?<![A-Za-z0-9_./:=#-])(?P<bare>{ID})(?![A-Za-z0-9_/-]|\.\d)",
    re.IGNORECASE,
)
"""Ids in brackets, which are a citation whatever stands beside them, or bare, which are one if known."""
_RANGE = re.compile(r"S(\d+)\.(\d+)\s*(?:[-‐‑–—~〜～]|to)\s*S?\1\.(\d+)", re.IGNORECASE)
_LONGEST_RANGE = 20
_OWN_NUMBER = re.compile(
    rf"(?P<word>[A-Za-z0-9_](?:\[\d+\])+)|{_BLANKS}(?:\\?\[\^?\d{{1,3}}\\?\]|【\d{{1,3}}(?:†[^】\n]*)?】){_TARGET}"
)
_DEFINITION = re.compile(
    rf"^[ \t>*+-]*\[\^?{_MARK}\]:[ \t]*\n?[ \t]*\S+(?:[ \t]+[\"'(][^\n]*)?[ \t]*(?:\n|\Z)", re.MULTILINE
)
"""`[1]: https://…`, which would make links of the numbers that code writes."""
_HEADING = re.compile(r"^#{1,6}[^\n]*$", re.MULTILINE)
_LIST_NAMES = "sources?|references|bibliography|citations|来源|参考文献|参考资料|出典|参考資料"
_LIST_HEADING = re.compile(rf"#+[ \t]*\W*(?:{_LIST_NAMES})\W*", re.IGNORECASE)
_LIST_LINE = re.compile(r"\s*(?:[-*+\[]|\d+[.)]|$)")
_MARKUP = re.compile(r"[`*]|(?<![^\W_])_|_(?![^\W_])|<(?=[\w/!?])|&(?=#|\w+;)|\\(?=[^\w\s])|~(?=~)")
HEADINGS = {"en": "Sources", "zh": "来源", "ja": "出典"}
CALCULATION = {"en": "Calculation: ", "zh": "计算：", "ja": "計算："}


def canonical_key(source: Source) -> str:
    """What two sources must share to be the same one: canonical url, or citation key."""
    return canonical_url(source.url) if source.url else source.key


def merge_by_key(existing: Sequence[Source], new: Sequence[Source]) -> list[Source]:
    """State reducer for sources: merged by canonical url or citation key, in branch order."""
    return merge_sources(existing, new, canonical_key)


class Ledger:
    """The sources of one branch, in order of their ids.

    It works on copies of those it begins with: they may belong to a state that is still being written down.
    """

    def __init__(self, branch: str, sources: Iterable[Source] = ()) -> None:
        self._branch = branch
        self._sources = {canonical_key(source): source.model_copy(deep=True) for source in sources}

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
    as_cited: str = ""
    """The text before false citations were taken out, each citation as a plain number."""
    given: Given = NOTHING_GIVEN
    """Where addresses in the text may come from that nobody retrieved."""


def full_text(source: Source, ctx: Context) -> str:
    """Everything that is known of a source: its text, or its snippet where no more was retrieved."""
    return ctx.store.pages.get(source.content_hash) if source.content_hash else source.snippet


def by_any_id(sources: Iterable[Source]) -> dict[str, Source]:
    """Every id, aliases included, to its source."""
    return {name: source for source in sources for name in (source.id, *source.aliases)}


def cited_ids(text: str) -> list[str]:
    """The source ids that a text cites in brackets, in order of first use."""
    groups = (match for part in CODE.split(text)[::2] for match in _GROUP.finditer(part))
    return list(dict.fromkeys(name for match in groups if not match["bare"] for name in _ids(match)))


def statements(text: str) -> Iterator[tuple[str, list[str]]]:
    """What stands before each citation in a line, and the ids of the citation; neighbouring ones are one."""
    for line in text.splitlines():
        said, names, start = "", list[str](), 0
        for match in _GROUP.finditer(line):
            if match["bare"]:
                continue
            before = line[start : match.start()].strip().lstrip(".。,、;；*+- ")
            if before and names:
                yield said, names
                names = []
            said, start = before or said, match.end()
            names += _ids(match)
        if said and names:
            yield said, names


def _ids(match: re.Match[str]) -> list[str]:
    """The ids of a citation; `S1.1-S1.3` stands for all three."""

    def spelled_out(span: re.Match[str]) -> str:
        first, last = int(span[2]), int(span[3])
        if not first < last <= first + _LONGEST_RANGE:
            return span[0]
        return " ".join(f"S{span[1]}.{n}" for n in range(first, last + 1))

    text = match["round"] or match["square"] or match["bare"]
    return [name.upper() for name in re.findall(ID, _RANGE.sub(spelled_out, text), re.IGNORECASE)]


def with_first_ids(text: str, known: dict[str, Source]) -> str:
    """A text in which each source has one id: aliases are replaced, unknown ids stay as they are."""

    def first(match: re.Match[str]) -> str:
        return known[match.group(0)].id if match.group(0) in known else match.group(0)

    return outside_code(text, lambda part: re.sub(rf"\b{ID}\b", first, part))


def render_citations(
    markdown: str, sources: Sequence[Source], language: str, given: Given = NOTHING_GIVEN
) -> Rendered:
    """Replace ids by numbers, drop unknown ids and addresses with a reason, and add the source list.

    Code blocks are left alone; a source list and numbers of the model's own (or of a page's) are taken out,
    since code writes them: what reads as a citation in the result is one. Several ids of one place that are
    the same source give one number. An address that nobody retrieved goes, too, unless it is `given`.
    """
    known = by_any_id(sources)
    rendered = Rendered("", given=given)
    numbers: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        if match["bare"] and match["bare"] not in known:
            return match[0]
        found = []
        for source_id in _ids(match):
            source = known.get(source_id)
            if source is None:
                rendered.removed.append(Removed(number=source_id, reason="id_not_in_ledger"))
                continue
            if source.id not in numbers:
                numbers[source.id] = len(numbers) + 1
                rendered.cited.append(source)
            found.append(f"[{numbers[source.id]}]")
        before = "" if match["bare"] else " "
        return "".join([before, *dict.fromkeys(found)]) if found else _gap(match)

    def rewritten(text: str) -> str:
        return _join_repeats(_GROUP.sub(number, _without_own_numbers(text, rendered.removed)))

    kept = _without_own_list(markdown, rendered.removed)
    body = outside_code(kept, rewritten)
    retrieved = [{"url": source.url} for source in sources if source.url]
    body, gone = without_unknown_addresses(body, retrieved, given)
    rendered.removed += [Removed(number="", url=url, reason=REASON) for url in gone]
    as_cited = outside_code(kept, _with_plain_numbers)
    rendered.as_cited, _ = without_unknown_addresses(as_cited, retrieved, given, mark=" [1]")
    rendered.markdown = body.strip() + "\n" + source_list(rendered.cited, language)
    return rendered


def _with_plain_numbers(text: str) -> str:
    """The text with `[1]` in place of each citation, whether or not its source is known."""
    plain = _OWN_NUMBER.sub(lambda match: match[0] if match["word"] else " [1]", _DEFINITION.sub("", text))
    return _GROUP.sub(lambda match: match[0] if match["bare"] else " [1]", plain)


def _without_own_list(markdown: str, removed: list[Removed]) -> str:
    """The text without a model's own source list: at its end, or anywhere if it is nothing but a list."""
    shown = CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), markdown)
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


def _without_own_numbers(text: str, removed: list[Removed]) -> str:
    """The text without numbers that no code gave, for they would read as citations of our sources."""

    def taken_out(match: re.Match[str]) -> str:
        if match.groupdict().get("word"):
            return match[0]
        marker = re.search(_MARK, match[0])
        removed.append(Removed(number=marker[0] if marker else match[0].strip(), reason="own_number"))
        return _gap(match)

    return _OWN_NUMBER.sub(taken_out, _DEFINITION.sub(taken_out, text))


def _gap(match: re.Match[str]) -> str:
    """What is left of a marker that goes: nothing, unless its neighbours would make a new one (`[[3]1]`)."""
    following = match.string[match.end() : match.end() + 1]
    return " " if following.isascii() and following.isalnum() else ""


def _join_repeats(text: str) -> str:
    """'… [1] [1].' → '… [1].', no blank between neighbouring numbers, and no link made of a number."""

    def once(match: re.Match[str]) -> str:
        return "".join(f"[{n}]" for n in dict.fromkeys(re.findall(r"\d+", match.group(0))))

    joined = re.sub(r"(?<![A-Za-z0-9_])\[\d{1,3}\](?:[ \t]*\[\d{1,3}\])+", once, text)
    return re.sub(r"(?<![A-Za-z0-9_])(\[\d{1,3}\])(?=\(|\[(?!\d{1,3}\]))", r"\1 ", joined)


def source_list(cited: Sequence[Source], language: str) -> str:
    """The section with one line per source: number, title, date, and where it is."""
    if not cited:
        return ""
    lines = [f"{n}. {entry(source, language)}" for n, source in enumerate(cited, start=1)]
    return f"\n## {HEADINGS.get(language, HEADINGS['en'])}\n\n" + "\n".join(lines) + "\n"


def entry(source: Source, language: str) -> str:
    """A source as the list shows it: what it is if no document, title, date, and where it is."""
    return f"{_kind(source, language)}{_place(source)}"


def _kind(source: Source, language: str) -> str:
    """What an entry that is no document is called; a calculation's title holds its inputs and code."""
    return CALCULATION.get(language, CALCULATION["en"]) if source.kind == "calculation" else ""


def _place(source: Source) -> str:
    date = f" ({plain_line(source.published)})" if source.published else ""
    url = web_url(source.url or "")
    key = _one_line(source.key).replace("`", "'")
    place = f"<{url}>" if url else f"`{key}`"
    return f"{plain_line(source.title)}{date}: {place}"


def web_url(url: str) -> str:
    """An http address fit to stand between `<` and `>`; empty if it is none that may become a link."""
    if not url.lower().startswith(("http://", "https://")):
        return ""
    return "".join(c if c.isprintable() and c not in " <>`" else quote(c, errors="replace") for c in url)


def plain_line(text: str) -> str:
    """Text of a page as one line that Markdown shows as it is, and that opens no list or heading."""
    line = _one_line(text).replace("[", "(").replace("]", ")")
    line = _MARKUP.sub(r"\\\g<0>", line)
    return re.sub(r"^(\d+(?=[.)](?: |$))|(?=[#>+=-]))", r"\1\\", line)


def _one_line(text: str) -> str:
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
            aliases=s.aliases,
        )
        for s in ordered
    ]  # fmt: skip


def unchecked_claims(markdown: str) -> list[Claim]:
    """Each sentence of the report that cites a source, with the numbers it cites."""
    return [Claim(text=said.text, sources=said.numbers) for said in cited_sentences(markdown)]


def body_of(markdown: str) -> str:
    """A rendered report without its source list."""
    heading = re.compile(rf"^## (?:{'|'.join(HEADINGS.values())})\s*$", re.MULTILINE)
    *_, listed = heading.finditer(markdown)  # the last one is ours: a body may have such a heading, too
    return markdown[: listed.start()]


def ids_for_numbers(body: str, cited: Sequence[Source]) -> str:
    """A text with ids in place of numbers, to be rendered again."""
    ids = {str(number): source.id for number, source in enumerate(cited, start=1)}
    return outside_code(body, lambda part: CITATION.sub(lambda n: f"[{ids.get(n[1], n[1])}]", part))


def report_language(question: str, chosen: str) -> str:
    """The language that a report is written in: the one chosen, or the question's."""
    return detect_language(question) if chosen == "auto" else chosen
