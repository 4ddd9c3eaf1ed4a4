"""The verifier: which sentences of a report rest on what the cited sources say, and which do not.

`verify` takes anybody's report and what was retrieved for it: citations first (`citations`), then each cited
sentence against the full text of what it cites (`claims`). `verify_run` does the second for a report of ours
while it still cites ids. The rules may say *evidence found* or *flagged*, never *supported*: that takes a
reader. With a judge (`judging`) a model reads each sentence with the passages found, and its word stands
beside the reasons of the rules. What only a run needs is imported there: `verify` loads no engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, get_args

from pydantic import Field, PrivateAttr

from deep_research.core.errors import UsageError, nearest_hint
from deep_research.core.records import Claim, Conflict, Source
from deep_research.sources.ledger import full_text
from deep_research.text.blocks import apply_edits, moved, without_fence
from deep_research.text.cited_sentences import CitedSentence
from deep_research.text.matching import Match, Mode, SourceIndex, VerifySource
from deep_research.text.source_ids import sentences_citing_ids

from .citations import CitationResult, verify_citations
from .citations.runs import sentences_at, verified_sentences
from .claims import SourceText, check_claim
from .claims.conflicts import SourceName, find_conflicts, stated_conflicts, without_repeats
from .given import known_sources, report_text
from .marks import DOUBTED, LOST, Checked, is_marked, is_question, lost_citations, mark_edits, mark_of

if TYPE_CHECKING:
    from deep_research.engine.context import Context
    from deep_research.sources.citations import CitedText

OTHER_PAGE = ("prefix", "child_path")
"""Levels at which an address stands for a page that is near the retrieved one and is not it."""


class Verification(CitationResult):
    """A report after verification: every decision about its citations, and its claims."""

    claims: list[Claim] = Field(default_factory=list)
    spans: list[tuple[int, int]] = Field(
        default_factory=list, description="where each claim stands in `report`, with its markers"
    )
    conflicts: list[Conflict] = Field(default_factory=list)
    texts: dict[SourceName, SourceText] = Field(
        default_factory=dict, exclude=True, repr=False, description="what each number in `kept` stands for"
    )
    _unmarked: tuple[str, list[tuple[int, int]]] = PrivateAttr()
    """`report` and `spans` before the sentences that are not confirmed were marked."""

    def model_post_init(self, _: Any) -> None:
        self._unmarked = self.report, self.spans

    def mark_doubts(self) -> None:
        """Mark each sentence that is not confirmed; called again, by the verdicts that hold now.

        A bare number is left alone: with something behind it, it may be read as the label of a list.
        """
        report, spans = self._unmarked
        doubted = [
            CitedSentence(claim.text, start, end, claim.sources)
            for claim, (start, end) in zip(self.claims, spans, strict=True)
            if claim.verdict in DOUBTED and any(character.isalpha() for character in claim.text)
        ]
        edits = mark_edits(report, doubted, mark_of(report))
        self.report = apply_edits(report, edits)
        starts = moved([start for start, _ in spans], edits)
        self.spans = list(
            zip(starts, (end + 1 for end in moved([e - 1 for _, e in spans], edits)), strict=True)
        )


def verify(
    report: str | PathLike[str],
    sources: Iterable[VerifySource | Mapping[str, Any]],
    *,
    mode: Mode = "lenient",
) -> Verification:
    """Check a report against what was retrieved: every citation, then every cited sentence.

    `report` is Markdown, or the path of a file. `sources` are records or mappings with `url` or
    `citation_key`, and `title`, `text`, `published`, `tier` where known; without its text a source can be
    matched but no sentence checked. Claims name their sources by the numbers in `kept` whatever the markers
    look like. A sentence that is not confirmed, or has lost its every citation, is marked in the text;
    verifying the result once more says the same. Never raises on bad text; raises `UsageError` for a file
    that cannot be read, sources of another shape and an unknown mode.
    """
    if mode not in get_args(Mode):
        raise UsageError(f"There is no mode '{mode}'.", nearest_hint(str(mode), get_args(Mode)))
    known = known_sources(sources, "`sources`")
    index, report = SourceIndex(known, mode), without_fence(report_text(report))
    done = verify_citations(report, known, mode=mode)
    found = [(kept, Match(place, kept.level)) for kept, (_, place) in zip(done.kept, done.cited, strict=True)]
    texts: dict[SourceName, SourceText] = {
        kept.place: _text_of([known[same] for same in index.same_source(match)]) for kept, match in found
    }
    sentences = verified_sentences(done, index)
    mark = mark_of(done.report)
    lost = sorted(sentences_at(done.report, sentences, done.lost), key=lambda said: said.start)
    if lost:  # marked, they are known for what they are the next time
        done.report = apply_edits(done.report, mark_edits(done.report, lost, mark))
        sentences = verified_sentences(done, index)
    marked = [said.start for said in sentences if is_marked(done.report, said, mark)]
    checked = check_sentences(sentences, texts, marked)
    others = {kept.place for kept, match in found if match.level in OTHER_PAGE}
    for _, claim in checked:  # nobody has retrieved the page itself
        if claim.verdict == "evidence_found" and claim.quoted_from in others:
            claim.verdict, claim.reasons = "uncheckable", ["other_page"]
    tiers: dict[SourceName, str] = {kept.place: known[match.source].tier for kept, match in found}
    claims, spans = [claim for _, claim in checked], [(said.start, said.end) for said, _ in checked]
    conflicts = find_conflicts(claims, texts, tiers)
    verified = Verification(**dict(done), claims=claims, spans=spans, conflicts=conflicts, texts=texts)
    verified.mark_doubts()
    return verified


def _text_of(sources: Sequence[VerifySource]) -> SourceText:
    """What is known of a page that may have been registered more than once."""
    first = next((source for source in sources if source.title), sources[0])
    texts = dict.fromkeys(source.text for source in sources if source.text)
    return SourceText("\n\n".join(texts), first.title, first.published or "")


def check_sentences(
    sentences: Sequence[CitedSentence], texts: Mapping[SourceName, SourceText], suspect: Iterable[int] = ()
) -> list[Checked]:
    """The cited sentences with what the rules say of each; `texts` holds the sources by number.

    A question claims nothing. Sentences without a citation that begin at a place of `suspect` have lost
    theirs, and are flagged.
    """
    lost = {*suspect}
    told = (said for said in sentences if said.start in lost or (said.numbers and not is_question(said.text)))
    return [(said, _claim(said, texts)) for said in told]


def _claim(said: CitedSentence, texts: Mapping[SourceName, SourceText]) -> Claim:
    if not said.numbers:
        return Claim(text=said.text, verdict="flagged", reasons=[LOST], checked_by="rules")
    numbers = [number for number in said.numbers if number in texts]
    check = check_claim(said.text, [texts[number] for number in numbers])
    borne = check.verdict == "evidence_found" and any(not one.reasons for one in check.each)
    lacking = [n for n, one in zip(numbers, check.each, strict=False) if borne and one.tells_otherwise]
    return Claim(
        text=said.text, sources=said.numbers, verdict=check.verdict, reasons=list(check.reasons),
        quote=check.quote, quoted_from=numbers[check.source] if check.source is not None else None,
        start=check.start, end=check.end, score=check.score, lacking=lacking, differs=[*check.differs],
        checked_by="rules",
    )  # fmt: skip


# --- a run of ours ---------------------------------------------------------------------------------------


async def verify_run(text: CitedText, ctx: Context) -> list[Checked]:
    """Check the report of a run against the pages in its store; with a judge, if the settings want one.

    A source of which only a snippet is known is checked against that, and the claim says so. A sentence whose
    every citation was taken out is flagged.
    """
    cited, texts, sentences = text.cited, texts_of(text.cited, ctx), text.sentences()
    before = [said for said in sentences_citing_ids(text.as_written) if said.ids]
    lost = lost_citations(before, sentences)
    checked = check_sentences(sentences, texts, [said.start for said in lost])
    seen_only = {n for n, source in enumerate(cited, start=1) if not source.content_hash}
    for _, claim in checked:
        claim.basis = "snippet" if claim.quoted_from in seen_only else "text"
    if ctx.settings.verifier.judge:
        from .judging import judge_all

        await judge_all([claim for _, claim in checked], texts, ctx)
    return checked


def texts_of(cited: Sequence[Source], ctx: Context) -> dict[SourceName, SourceText]:
    """The full text of each cited source, or its snippet, by number."""
    return {number: _stored(source, ctx) for number, source in enumerate(cited, start=1)}


def _stored(source: Source, ctx: Context) -> SourceText:
    return SourceText(full_text(source, ctx), source.title, source.published or "")


def conflicts_of(
    claims: Sequence[Claim], text: CitedText, sources: Sequence[Source], ctx: Context
) -> list[Conflict]:
    """Where the sources of a run differ, those only read included, or its report says that they do."""
    cited = text.cited
    names: dict[SourceName, Source] = dict(enumerate(cited, start=1))
    known = {source.id for source in cited}
    names |= {s.id: s for s in sources if s.use == "read" and s.id not in known}
    texts = {name: _stored(source, ctx) for name, source in names.items()}
    tiers = {name: source.tier for name, source in names.items()}
    places = {said.text: said for said in text.sentences()}
    placed = [(places[claim.text], claim) for claim in claims if claim.text in places]
    stated = stated_conflicts(placed, text.markdown, texts, tiers)
    return without_repeats([*find_conflicts(claims, texts, tiers), *stated])
