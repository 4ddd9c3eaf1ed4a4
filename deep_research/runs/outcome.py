"""From the last state of a run's graph to its `Report`: shape, charts, gaps, claims, citations and status.

The same for every design, in this order: the draft in the form that was asked for (`shaping`), charts, gaps
that it does not name yet, unknown citations out (`citations`), the check of its sentences (`verifier`); one
that is partial says so at its top. Until then the text cites ids. Numbers come last, and once: when the
report is finished.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from deep_research.components.compressor import quote_sources, with_readable_quotes
from deep_research.components.verifier import conflicts_of, texts_of, verify_run
from deep_research.components.verifier.additions import flag_additions, flag_echoes
from deep_research.components.verifier.denials import false_denials
from deep_research.components.verifier.ended import flag_dated, flag_ended
from deep_research.components.verifier.marks import (
    DOUBTED,
    Checked,
    CheckNotes,
    with_doubt_marks,
    without_doubted_sentences,
)
from deep_research.components.verifier.uncited import (
    share_with_evidence,
    states_something,
    strange_asides,
    with_found_citations,
)
from deep_research.components.writer import (
    TITLES,
    from_template,
    gap_sentences,
    is_report,
    no_evidence,
    with_gaps,
)
from deep_research.core.clock import FrozenClock, today
from deep_research.core.forms import denies, topic_title
from deep_research.core.gaps import cause_in, gap_of, kind_of_cause
from deep_research.core.records import Claim, Conflict, Finding, Gap, Material, Removed, Source, Status
from deep_research.core.secrets import without_keys
from deep_research.core.words import phrases
from deep_research.engine.context import Context
from deep_research.engine.instructions import without_instructions
from deep_research.engine.path import node_visits
from deep_research.report import UNENDED, Report, trace_of, usage_of
from deep_research.report.chart_claims import add_charts
from deep_research.report.charts import Chart, chart_rows_settled, place_charts
from deep_research.report.shaping import shape_report
from deep_research.sources.citations import (
    AnchorStyle,
    CitationStyle,
    CitedText,
    cited_sources,
    clean_citations,
    number_citations,
    unchecked_claims,
)
from deep_research.sources.ledger import merge_by_key, told_in, with_one_text
from deep_research.text.addresses import Given, images_as_links, strip_tool_tags
from deep_research.text.blocks import with_headings_raised, without_fence, without_repeated_question
from deep_research.text.cited_sentences import ADDED_MARK, CitedSentence, headings_above
from deep_research.text.source_ids import without_repetition
from deep_research.text.wording import terms_in

from .attributions import with_citations_moved, without_prompt_names
from .bundle import Request
from .environment import sources_wanted
from .status import loop_ends, outages, status_of
from .unanswered import lead_denies, says_open, unanswered_gaps

_WEBS = phrases("reports.webs")
_PARTIAL_LINES = phrases("reports.partial")
_SHAPE = phrases("reports.shape")
_REPLIES = ("remarks", "feedback", "wishes")
"""What a person wanted changed, in the states of the graphs that ask."""


async def build_report(
    request: Request,
    state: Mapping[str, Any],
    known_gaps: Sequence[Gap],
    errors: list[str],
    asked: str,
    ctx: Context,
) -> Report:
    """The report of the graph's last state: claims checked, citations numbered, status decided.

    `known_gaps` are those from before the start; `asked` is a question that waits for the user's answer.
    """
    sources = with_one_text(merge_by_key([], state.get("sources", [])), ctx)
    gaps: list[Gap] = [*known_gaps, *state.get("gaps", []), *_cut_pages(sources, ctx)]
    gaps += [gap_of("branch_failed", "limit_reached", "report", cause="error", error=e) for e in errors]
    errors += [] if errors else outages(ctx.store.calls)  # gaps name these already
    of_run = list(errors)
    written = _written(state, sources, gaps, asked, ctx)
    draft = _drafted(written, sources, _said(request, state, gaps), gaps, ctx)
    draft = _settled(await _verified(draft, sources, gaps, errors, ctx))
    draft = _with_open_parts(draft, sources, gaps, ctx)
    draft = _with_word_on_sources(draft, sources, ctx)
    cited = draft.text.cited
    status = status_of(state, of_run, asked, bool(cited), gaps)
    draft = _with_word_on_status(draft, status, ctx)
    rows, simulated = list(ctx.store.calls), isinstance(ctx.clock, FrozenClock)
    return Report(
        run_id=request.run_id,
        question=ctx.question,
        system=request.settings.system,
        status=status,
        markdown=_finished(draft, state, ctx),
        charts=draft.charts,
        sources=cited_sources(sources, cited),
        claims=draft.claims,
        removed=draft.text.removed,
        conflicts=draft.conflicts,
        gaps=gaps,
        errors=errors,
        usage=usage_of(rows, simulated),
        settings=request.settings,
        trace=trace_of(rows, simulated, request.settings.concurrency, request.settings.workers),
        files=state.get("files") or {},
        ended=loop_ends(state),
        path=node_visits(ctx.store.steps, ended=status not in UNENDED),
        asked=asked,
    )


@dataclass
class _Draft:
    """A report on its way to the reader; its text cites ids, and claims have the numbers that these get."""

    text: CitedText
    charts: list[Chart]
    claims: list[Claim] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    check: str = ""
    """The section on the check, which stands behind the source list."""
    gaps: list[Gap] = field(default_factory=list)
    """What the check has found missing."""
    said: str = ""
    """All that the user has said."""
    names_none: bool = False
    """Whether the writer states something and has named no source at all."""


def _written(
    state: Mapping[str, Any], sources: Sequence[Source], gaps: list[Gap], asked: str, ctx: Context
) -> str:
    """What the writer has written; of a run that broke off or ran out before, what it has found.

    That are its findings or else, if a limit or a failure has kept it from any, its sources' words; the gaps
    that say so are added to `gaps`. A run that a person ends, or that waits for one, has no report.
    """
    draft, findings = str(state.get("draft") or ""), state.get("findings", [])
    if draft:
        return draft
    if asked or state.get("status") in ("needs_input", "rejected"):
        return ""
    why = next(filter(None, map(cause_in, gaps)), None)
    if not findings and sources and why:
        findings = [Finding(branch="0", topic=ctx.question, text=quote_sources(sources, ctx))]
        gaps.append(ctx.gap(kind_of_cause(why), "sources_quoted", "report", **why))
    if not findings:
        return no_evidence(ctx.question, ctx)
    return from_template(Material(ctx.question, findings=findings), ctx)


def _drafted(draft: str, sources: Sequence[Source], said: str, gaps: list[Gap], ctx: Context) -> _Draft:
    """The draft in the shape that was asked for, with charts; new gaps are added to `gaps`, too."""
    given = Given(said, gap_sentences(gaps, ctx))
    draft, repeated = without_instructions(without_fence(draft), sources, ctx)
    if repeated and not is_report(draft):
        draft = no_evidence(ctx.question, ctx)
    draft, over_and_over = without_repetition(without_repeated_question(draft, ctx.question))
    draft = with_readable_quotes(without_prompt_names(draft, sources, ctx), sources)
    draft = with_headings_raised(images_as_links(strip_tool_tags(draft)[0]))
    shaped = shape_report(draft, sources, ctx, given)
    gaps += [ctx.gap("unanswered", "section_empty", "report", heading=name) for name in shaped.missing]
    if shaped.lost_lead:
        gaps.append(ctx.gap("unanswered", "lead_left_out", "report", titles="; ".join(shaped.lost_lead)))
    placed = place_charts(shaped.markdown, sources, ctx)
    gaps += [ctx.gap("unanswered", "chart_unreadable", "report") for _ in range(placed.missing)]
    markdown = with_gaps(placed.markdown, gaps, ctx) if draft else ""
    text = clean_citations(markdown, sources, Given(said, gap_sentences(gaps, ctx)))
    text = text.with_markdown(with_citations_moved(text.markdown, ctx.question))
    told = [Removed(number="", reason=f"instruction: {sentence}") for sentence in repeated]
    told += [Removed(number="", reason=f"repeated: {sentence}") for sentence in over_and_over]
    text.removed = [*told, *shaped.removed, *placed.removed, *text.removed]
    own = _own_sentences(gaps, ctx)
    states = any(states_something(one) and not own(text.markdown, one) for one in text.sentences())
    return _Draft(text, placed.charts, said=said, names_none=states and not text.cited)


def _with_open_parts(draft: _Draft, sources: Sequence[Source], gaps: list[Gap], ctx: Context) -> _Draft:
    """The draft, which names what of the question it leaves open; these gaps are added to `gaps`, too.

    A lead that denies has said so itself, and so has a sentence that denies the part in its words; whatever
    else is in `gaps` the text names, too, and in the same words. What code says of the run, "The page did not
    open", is no word on the question.
    """
    written = _without_gaps(draft.text, gaps, ctx)
    found = unanswered_gaps(ctx.question, written, sources, ctx)
    if sources and not (gaps or draft.gaps or draft.text.cited) and draft.text.markdown:
        draft = replace(draft, gaps=[ctx.gap("uncited", "nothing_stated", "report", n=len(sources))])
    gaps += [*draft.gaps, *found]
    said = written.sentences()
    untold = [gap for gap in found if not (lead_denies(written) or says_open(said, gap.fields["part"]))]
    told = [*draft.gaps, *untold]
    return replace(draft, text=replace(draft.text, markdown=with_gaps(draft.text.markdown, told, ctx)))


def _without_gaps(text: CitedText, gaps: Sequence[Gap], ctx: Context) -> CitedText:
    """The report without the lines that name these gaps."""
    told = gap_sentences(gaps, ctx)
    lines = text.markdown.split("\n")
    return text.with_markdown("\n".join(line for line in lines if not any(one in line for one in told)))


def _with_word_on_sources(draft: _Draft, sources: Sequence[Source], ctx: Context) -> _Draft:
    """The draft; where its writer has named no source, it says so at the top."""
    if not draft.names_none or not sources:
        return draft
    word = TITLES[ctx.language]["unnamed" if draft.text.cited else "unsourced"].format(
        n=len(sources), mark=ADDED_MARK
    )
    return _with_line_on_top(draft, word)


def _with_word_on_status(draft: _Draft, status: Status, ctx: Context) -> _Draft:
    """The draft; one that is partial says so at the top, since a file is handed on without its status."""
    if status != "partial" or not draft.text.markdown.strip():
        return draft
    names = f"## {TITLES[ctx.language]['gaps']}\n" in draft.text.markdown
    return _with_line_on_top(draft, f"*{_PARTIAL_LINES[ctx.language]['named' if names else 'open']}*")


def _with_line_on_top(draft: _Draft, line: str) -> _Draft:
    """The draft with a paragraph of ours below its title."""
    title, _, rest = draft.text.markdown.partition("\n")
    parts = [title, line, rest.strip()] if title.startswith("# ") else [line, draft.text.markdown]
    return replace(draft, text=replace(draft.text, markdown="\n\n".join(parts)))


def _cut_pages(sources: Sequence[Source], ctx: Context) -> list[Gap]:
    """The gap that names the pages of which models were given the beginning only."""
    cut = [f"{source.title or source.key} {source.cut:,}" for source in sources if source.cut]
    return [ctx.gap("page_cut", "page_cut", "sources", pages="; ".join(cut))] if cut else []


def _said(request: Request, state: Mapping[str, Any], gaps: Sequence[Gap]) -> str:
    """All that the user has said: before the run, in answer to its questions, and of what it proposed."""
    turns = [*request.history, *state.get("history", [])]
    remarks = [gap.fields["remark"] for gap in gaps if "remark" in gap.fields]  # those that came too late
    for replies in (state.get(name, []) for name in _REPLIES):
        remarks += [replies] if isinstance(replies, str) else replies
    answers = [turn["content"] for turn in turns if turn["role"] == "user"]
    return "\n".join([request.question, *answers, *remarks])


def _settled(draft: _Draft) -> _Draft:
    """The draft with those charts and points alone whose rows have stayed in it."""
    markdown, charts = chart_rows_settled(draft.text.markdown, draft.charts)
    return replace(draft, text=replace(draft.text, markdown=markdown), charts=charts)


async def _verified(
    draft: _Draft, sources: Sequence[Source], gaps: Sequence[Gap], errors: list[str], ctx: Context
) -> _Draft:
    """The report after the verifier; should that fail, the claims stay unchecked and the report stands."""
    unchecked = replace(draft, claims=unchecked_claims(draft.text.sentences()))
    if ctx.settings.verifier.mode == "off" or not sources:
        return unchecked
    try:
        return await _checked(draft, sources, gaps, errors, ctx)
    except Exception as error:
        why = without_keys(f"{type(error).__name__}: {error}", is_error=True)
        errors.append(told := f"The report could not be verified: {why}")
        gap = gap_of("branch_failed", "limit_reached", "verifier", cause="error", error=told)
        return replace(unchecked, check=CheckNotes([], ctx.language).failure(why), gaps=[gap])


async def _checked(
    draft: _Draft, sources: Sequence[Source], gaps: Sequence[Gap], errors: list[str], ctx: Context
) -> _Draft:
    """Sentences checked and marked or taken out; charts of their numbers, where the writer has drawn none."""
    own = _own_sentences(gaps, ctx)
    whole, uncited = with_found_citations(draft.text, sources, own, ctx)
    compared = [*await verify_run(whole, ctx), *uncited]
    known = {said.start for said, _ in compared}
    denied = false_denials(whole, sources, own, ctx)
    compared += [one for one in denied if one[0].start not in known]
    compared += _strange(whole, draft.said, sources, compared, own, ctx)
    checked = sorted(compared, key=lambda one: one[0].start)
    written = [(said, claim) for said, claim in checked if not own(whole.markdown, said)]
    statements = [claim for _, claim in written]
    read = [*texts_of(sources, ctx).values()]
    flag_ended(statements, [text.read() for text in read])
    flag_echoes(statements, read, ctx.question)
    flag_additions(statements, texts_of(whole.cited, ctx), ctx.settings.verifier.least_supported)
    flag_dated(statements[:1], whole.cited, ctx.question, today(ctx.clock))
    missing = _evidence_gaps(written, whole.sentences()[:1], ctx)
    flag_dated(statements[1:], whole.cited, ctx.question, today(ctx.clock))  # what was so then has evidence
    if ctx.settings.verifier.mode == "strict":
        text, claims = _confirmed(whole, checked)
    else:
        text = replace(whole, markdown=with_doubt_marks(whole.markdown, checked))
        claims = [claim for _, claim in checked]
    taken_out, charts = len(checked) - len(claims), draft.charts
    conflicts = conflicts_of(claims, text, sources, ctx)
    try:
        if not charts:
            text, claims, charts = await add_charts(text, claims, ctx)
    except Exception as error:  # a picture must not cost the report its verification
        errors.append(without_keys(f"No chart could be made: {type(error).__name__}: {error}", is_error=True))
    added = text.markdown.count(f"]{ADDED_MARK}")
    check = CheckNotes(claims, ctx.language, conflicts, taken_out, added).section()
    return replace(
        draft, text=text, charts=charts, claims=claims, conflicts=conflicts, check=check, gaps=missing
    )


def _strange(
    text: CitedText,
    said: str,
    sources: Sequence[Source],
    compared: Sequence[Checked],
    is_own: Callable[[str, CitedSentence], bool],
    ctx: Context,
) -> list[Checked]:
    """What is no sentence to compare, with a number that neither the user nor a source has given."""
    known = {one.start for one, _ in compared}
    rest = [one for one in text.sentences() if one.start not in known and not is_own(text.markdown, one)]
    return strange_asides(text.markdown, rest, "\n".join([ctx.question, said, told_in(sources, ctx)]))


def _own_sentences(gaps: Sequence[Gap], ctx: Context) -> Callable[[str, CitedSentence], bool]:
    """Tells the sentences that code has put into a report: gaps, further evidence, what shaping says."""
    told = gap_sentences(gaps, ctx)
    openings = tuple(words.partition("{")[0] for words in _SHAPE[ctx.language].values() if len(words) > 20)

    def is_own(markdown: str, said: CitedSentence) -> bool:
        more = headings_above(markdown, said.start)[-1:] == [TITLES[ctx.language]["more"]]
        line = markdown[markdown.rfind("\n", 0, said.start) + 1 :].partition("\n")[0]
        names_gap = any(sentence in line for sentence in told)
        return more or names_gap or said.text.startswith(openings)

    return is_own


def _evidence_gaps(written: Sequence[Checked], opening: Sequence[CitedSentence], ctx: Context) -> list[Gap]:
    """Gaps where too few of a report's statements have evidence, or its first one has none, unless it begins
    by denying the question; or else one of those that have most of the question's words."""
    least, asked = ctx.settings.verifier.least_supported, terms_in(ctx.question)
    found, n = share_with_evidence(claim for _, claim in written)
    doubted = [claim.verdict in DOUBTED for _, claim in written if least]
    shared = [len(asked & terms_in(said.text)) for said, _ in written]
    denied = any(denies(one.text) and 2 * len(asked & terms_in(one.text)) >= len(asked) for one in opening)
    gaps = [ctx.gap("unanswered", "lead_unsupported", "report")] if any(doubted[:1]) and not denied else []
    if found < n * least:
        gaps.append(ctx.gap("uncited", "few_supported", "report", found=found, n=n))
    if not gaps and any(one and many == max(shared) for one, many in zip(doubted, shared, strict=False)):
        gaps.append(ctx.gap("unanswered", "answer_unsupported", "report"))
    return gaps


def _confirmed(text: CitedText, checked: Sequence[Checked]) -> tuple[CitedText, list[Claim]]:
    """The report without the sentences that could not be confirmed, and its claims with their new numbers."""
    left = text.with_markdown(without_doubted_sentences(text.markdown, checked))
    places = {source.id: number for number, source in enumerate(left.cited, start=1)}
    numbers = {old: places.get(source.id) for old, source in enumerate(text.cited, start=1)}
    claims = [_renumbered(claim, numbers) for _, claim in checked if claim.verdict not in DOUBTED]
    gone = [claim for _, claim in checked if claim.verdict in DOUBTED]
    removed = [Removed(number="", reason=f"no_evidence: {claim.text}") for claim in gone]
    return replace(left, removed=[*text.removed, *removed]), claims


def _renumbered(claim: Claim, numbers: Mapping[int, int | None]) -> Claim:
    sources, lacking = (
        [number for old in olds if (number := numbers.get(old))] for olds in (claim.sources, claim.lacking)
    )
    quoted_from = numbers.get(claim.quoted_from) if claim.quoted_from else None
    return claim.model_copy(update={"sources": sources, "lacking": lacking, "quoted_from": quoted_from})


def _finished(draft: _Draft, state: Mapping[str, Any], ctx: Context) -> str:
    """The Markdown that the reader gets: numbers or anchors for ids, the sources, and the check."""
    style = CitationStyle(ctx.language)
    if ctx.settings.writer.citation_style == "anchors":
        found = state.get("findings", [])
        topics = {finding.branch: topic_title(finding.topic, ctx.question) for finding in found}
        style = AnchorStyle(ctx.language, topics)
    markdown = images_as_links(number_citations(draft.text, style) + draft.check)
    if markdown.strip() and ctx.settings.is_live() and "offline" in sources_wanted(ctx.settings):
        domain = ctx.settings.web.domain
        markdown = f"{markdown.rstrip()}\n\n{_WEBS[ctx.language]['invented'].format(domain=domain)}\n"
    return markdown if markdown.strip() else ""
