"""The verifier: which sentences of a report rest on what the cited sources say, and which do not.

`verify` takes anybody's report and what was retrieved for it: citations first (`citations`), then each cited
sentence against the full text of what it cites (`claim_check`). `verify_run` does the second for a run of
ours, whose citations code has written. The rules may say *evidence found* or *flagged*, never *supported*:
that takes a reader. With `verifier.judge` a model reads each sentence with the passages found, and its word
stands beside the reasons of the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, Field

from .context import Context
from .errors import BudgetExceeded, ModelError
from .ledger import Rendered, full_text
from .models import structured
from .prompting import attribute, system_prompt
from .state import Claim, Conflict, Record, Source
from .verification.citation_pass import Flag, Kept, RemovedCitation, Repaired
from .verification.citations import verify_citations
from .verification.claim_check import ClaimCheck, SourceText, check_claim
from .verification.claims import CitedSentence, all_sentences, cited_sentences
from .verification.conflicts import Name, find_conflicts
from .verification.lost_citations import LOST, lost_citations
from .verification.marks import is_marked, mark_of, with_marks
from .verification.matching import Mode, SourceIndex, VerifySource
from .verification.plain_report import cited_at_first, verified_sentences

PASSAGES_CHARACTERS = 4_000
"""How much of a source a judge reads around the best passage, at most."""


class Judgement(BaseModel):
    """What a judge says of one sentence and the passages that it rests on."""

    verdict: Literal["supported", "partial", "contradicted", "unsupported"] = Field(
        description="supported: the passages say all of it; partial: they say a part; contradicted: they say "
        "otherwise; unsupported: they do not say it."
    )
    reason: str = Field(description="The one thing in the passages that decides, in one sentence.")


class Verification(Record):
    """A report after verification: its text, every decision about its citations, and its claims.

    `flagged` is True where the citations themselves could not be verified; `flag` says why.
    """

    report: str
    kept: list[Kept] = Field(default_factory=list)
    removed: list[RemovedCitation] = Field(default_factory=list)
    uncited: list[Kept] = Field(default_factory=list)
    claims: list[Claim] = Field(default_factory=list)
    spans: list[tuple[int, int]] = Field(
        default_factory=list, description="where each claim stands in `report`, with its markers"
    )
    conflicts: list[Conflict] = Field(default_factory=list)
    sanitized: dict[str, int] = Field(default_factory=dict)
    repaired: list[Repaired] = Field(default_factory=list)
    flagged: bool = False
    flag: Flag | None = None


def verify(
    report: str, sources: Sequence[VerifySource | Mapping[str, Any]], *, mode: Mode = "lenient"
) -> Verification:
    """Check a report against what was retrieved: every citation, then every cited sentence.

    `sources` are records or mappings with `url` or `citation_key`, and `title`, `text`, `published`, `tier`
    where known; without its text a source can be matched but no sentence checked. Claims name their sources
    by the numbers in `kept` whatever the markers look like. A sentence whose every citation was taken out is
    marked in the text, so that verifying the result once more says the same. Never raises on bad text.
    """
    known = [s if isinstance(s, VerifySource) else VerifySource.model_validate(s) for s in sources]
    done = verify_citations(report, known, mode=mode)
    places = {kept.place: place for kept, (_, place) in zip(done.kept, done.cited, strict=True)}
    texts: dict[Name, SourceText] = {number: _text_of(known[place]) for number, place in places.items()}
    index = SourceIndex(known, mode)
    sentences = verified_sentences(done, index)
    before = cited_at_first(report) if done.removed else []
    mark = mark_of(done.report)
    if lost := lost_citations(before, sentences):  # marked, they are known for what they are the next time
        done.report = with_marks(done.report, lost, mark)
        sentences = verified_sentences(done, index)
    marked = [said.start for said in sentences if is_marked(done.report, said, mark)]
    checked = _check_all(sentences, marked, texts)
    tiers: dict[Name, str] = {number: known[place].tier for number, place in places.items()}
    return Verification(
        report=done.report,
        kept=done.kept,
        removed=done.removed,
        uncited=done.uncited,
        claims=[claim for _, claim in checked],
        spans=[(said.start, said.end) for said, _ in checked],
        conflicts=find_conflicts([claim for _, claim in checked], texts, tiers),
        sanitized=done.sanitized,
        repaired=done.repaired,
        flagged=done.flagged,
        flag=done.flag,
    )


def _text_of(source: VerifySource) -> SourceText:
    return SourceText(source.text, source.title, source.published or "")


Checked = tuple[CitedSentence, Claim]


def check_sentences(
    markdown: str, texts: Mapping[Name, SourceText], cited_before: Sequence[CitedSentence] = ()
) -> list[Checked]:
    """Each cited sentence of a report with what the rules say of it; `texts` holds the sources by number.

    `cited_before` are the sentences that had a citation before false ones were taken out: those of them that
    have none left are flagged.
    """
    sentences = all_sentences(markdown)
    return _check_all(sentences, [said.start for said in lost_citations(cited_before, sentences)], texts)


def _check_all(
    sentences: Sequence[CitedSentence], suspect: Iterable[int], texts: Mapping[Name, SourceText]
) -> list[Checked]:
    """Cited sentences, checked; those at the places of `suspect` that cite nothing are flagged."""
    lost = {*suspect}
    return [
        (said, _claim(said, texts) if said.numbers else _without_citation(said))
        for said in sentences
        if said.numbers or said.start in lost
    ]


def _without_citation(said: CitedSentence) -> Claim:
    return Claim(text=said.text, verdict="flagged", reasons=[LOST], checked_by="rules")


def _claim(said: CitedSentence, texts: Mapping[Name, SourceText]) -> Claim:
    numbers = [number for number in said.numbers if number in texts]
    check = check_claim(said.text, [texts[number] for number in numbers])
    lacking = [n for n, one in zip(numbers, check.each, strict=False) if "not_found" in one.reasons]
    return Claim(
        text=said.text,
        sources=said.numbers,
        verdict=check.verdict,
        reasons=list(check.reasons),
        quote=check.quote,
        quoted_from=numbers[check.source] if check.source is not None else None,
        start=check.start,
        end=check.end,
        score=check.score,
        lacking=lacking,
        checked_by="rules",
    )


# --- a run of ours ---------------------------------------------------------------------------------------


async def verify_run(rendered: Rendered, ctx: Context) -> list[Checked]:
    """Check the report of a run against the pages in its store; with a judge, if the settings want one.

    A source of which only a snippet is known is checked against that, and the claim says so.
    """
    cited, texts = rendered.cited, texts_of(rendered.cited, ctx)
    checked = check_sentences(rendered.markdown, texts, cited_sentences(rendered.as_cited))
    seen_only = {n for n, source in enumerate(cited, start=1) if not source.content_hash}
    for _, claim in checked:
        claim.basis = "snippet" if claim.quoted_from in seen_only else "text"
    if ctx.settings.verifier.judge:
        await _judge_all([claim for _, claim in checked], texts, ctx)
    return checked


def texts_of(cited: Sequence[Source], ctx: Context) -> dict[Name, SourceText]:
    """The full text of each cited source, or its snippet, by number."""
    return {number: _stored(source, ctx) for number, source in enumerate(cited, start=1)}


def _stored(source: Source, ctx: Context) -> SourceText:
    return SourceText(full_text(source, ctx), source.title, source.published or "")


def conflicts_of(
    claims: Sequence[Claim], cited: Sequence[Source], sources: Sequence[Source], ctx: Context
) -> list[Conflict]:
    """Where the sources of a run differ, those that were read but not cited included."""
    names: dict[Name, Source] = dict(enumerate(cited, start=1))
    known = {source.id for source in cited}
    names |= {s.id: s for s in sources if s.use == "read" and s.id not in known}
    texts = {name: _stored(source, ctx) for name, source in names.items()}
    return find_conflicts(claims, texts, {name: source.tier for name, source in names.items()})


async def _judge_all(claims: Sequence[Claim], texts: Mapping[Name, SourceText], ctx: Context) -> None:
    """Let a model read each claim with its passages, side by side; where it cannot, the rules' word stays."""
    asked = [claim for claim in claims if claim.quote]
    ctx.budget.reserve(ctx.branch, "writer", {})  # the report is written
    answers = await ctx.gather([judge(claim, texts, ctx) for claim in asked])
    for claim, answer in zip(asked, answers, strict=True):
        if isinstance(answer, Judgement):
            claim.verdict, claim.checked_by = answer.verdict, "judge"
            claim.reasons = [*claim.reasons, answer.reason]
        elif not isinstance(answer, ModelError | BudgetExceeded):
            raise answer


async def judge(claim: Claim, texts: Mapping[Name, SourceText], ctx: Context) -> Judgement:
    """What a model says of one claim, given the passages around the best quote in what it cites."""
    from langchain_core.messages import HumanMessage

    from .guard import fence, fence_page

    passages = [
        f'<source number="{n}" title="{attribute(texts[n].title)}">\n'
        f"{fence_page(_around(claim.text, claim.quote, texts[n]))}\n</source>"
        for n in claim.sources
        if n in texts and texts[n].text.strip()
    ]
    said = HumanMessage(f"Sentence: {fence(claim.text)}\n\n" + "\n\n".join(passages))
    return await structured("verifier", [system_prompt("verifier", ctx), said], Judgement, ctx)


def _around(sentence: str, quote: str | None, source: SourceText) -> str:
    """The part of a source that a judge reads: what surrounds the quote, or the source's own best passage."""
    place = source.text.find(quote) if quote else -1
    if place < 0:
        own: ClaimCheck = check_claim(sentence, [source])
        place = own.start or 0
    start = max(0, place - PASSAGES_CHARACTERS // 2)
    return source.text[start : start + PASSAGES_CHARACTERS]
