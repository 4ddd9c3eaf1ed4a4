"""The writer: the report, in one shot (or, as a setting, section by section), from the findings alone.

It cites sources by id; code turns ids into numbers afterwards (`sources.citations.number_citations`). It
never writes from nothing: without evidence, code states plainly that none was found. If no model can write, a
local template puts the findings together, so paid-for research is never lost.

The critic reviews a draft as it reviews findings (`critic.review_findings`): the question is the whole plan,
and the draft is what was found for it. Each design calls `review_and_rewrite` where its graph says so.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from deep_research.components.others.critic import review_findings
from deep_research.components.others.vetter import cited_by, vetted_by_rules
from deep_research.components.verifier.uncited import states_something
from deep_research.core.errors import BudgetExceeded, ModelError, NothingWritten
from deep_research.core.forms import denies, topic_title
from deep_research.core.gaps import EMPTY_ANSWER, sentence_of
from deep_research.core.records import Finding, Gap, Material, Source
from deep_research.core.words import phrases
from deep_research.engine.chat import chat
from deep_research.engine.context import Context
from deep_research.engine.evidence import as_attribute, source_label
from deep_research.engine.prompting import system_prompt, user_message
from deep_research.sources.citations import plain_line
from deep_research.sources.ledger import by_any_id, sources_cited_in, told_in, with_first_ids
from deep_research.text.addresses import strip_tool_tags, with_plain_addresses
from deep_research.text.blocks import without_fence
from deep_research.text.cited_sentences import all_sentences
from deep_research.text.fence import fence, without_ids
from deep_research.text.inventions import without_inventions
from deep_research.text.language import shorten
from deep_research.text.source_ids import cited_ids
from deep_research.text.titles import as_title
from deep_research.text.wording import content_words, names_in, terms_in

from .joining import Piece, join_pieces
from .sections import report_variables, write_sections

TITLES = phrases("reports.titles")


async def write_report(material: Material, ctx: Context) -> tuple[str, list[Gap]]:
    """The report as Markdown that cites ids, and gaps that came up while it was written.

    Its language is that of `ctx.question`; to call this alone, give `ctx.about(material.question)`.
    """
    if not material.sources or not material.findings:
        return no_evidence(material.question, ctx), []
    try:
        text, missing = await write_draft(material, ctx)
        if not is_report(text):
            raise NothingWritten("The report says nothing.", EMPTY_ANSWER)
        return text, missing
    except (ModelError, BudgetExceeded) as error:
        return from_template(material, ctx), [ctx.failure("template", error, "report")]


async def write_draft(material: Material, ctx: Context) -> tuple[str, list[Gap]]:
    """What the model writes, by sections if the settings want them and they are possible, else in one shot.

    Raises `ModelError` or `BudgetExceeded` if the model cannot write.
    """
    message = writer_input(material, ctx)
    if ctx.settings.writer.mode == "sections" or ctx.settings.output.sections:
        text, missing = await write_sections(material.question, message, ctx)
        if text:
            return text, missing
    prompt = system_prompt("writer", ctx, **report_variables(ctx))
    answer = await chat("writer", [prompt, message], ctx, stream=True)
    return answer.text, []


def is_report(markdown: str) -> bool:
    """Whether a text cites, states or denies something; "OK." does not, nor does an empty object."""
    return states_findings(markdown, denying=True)


def states_findings(markdown: str, *, denying: bool = False) -> bool:
    """Whether a text says something below its headings that it cites, or that a source can be found for."""
    lines = strip_tool_tags(without_fence(markdown))[0].splitlines()
    text = "\n".join(line for line in lines if not line.lstrip().startswith("#"))
    said = all_sentences(text)
    return bool(cited_ids(text)) or any(states_something(s) or (denying and denies(s.text)) for s in said)


def _says_something(markdown: str) -> bool:
    """Whether there is a line that is no heading."""
    return any(line.strip() and not line.lstrip().startswith("#") for line in markdown.splitlines())


def writer_input(material: Material, ctx: Context) -> Any:
    """The one message with everything that the writer may use: question, brief, user's words, findings.

    It states the gaps in the language of the report, so that the writer can copy them.
    """
    said = [turn["content"] for turn in material.history if turn["role"] == "user"][1:]
    stated = without_repeats(material.findings, material.sources)
    texts = [finding.text for finding in stated]
    cited = sources_cited_in("\n".join(texts), material.sources)
    missed = "\n".join(f"- {fence(sentence_of(gap, ctx.language))}" for gap in material.gaps)
    parts = [
        f"Question: {material.question}",
        *(f"The user added: {text}" for text in said),
        f"Brief: {material.brief or material.question}",
        *(
            f'<findings topic="{as_attribute(shorten(finding.topic, 300))}">\n{fence(text)}\n</findings>'
            for finding, text in zip(stated, texts, strict=True)
        ),
        f"<gaps>\n{missed}\n</gaps>" if missed else "",
        "Sources:\n" + "\n".join(map(_line, cited)),
        material.remark,
    ]
    return user_message("\n\n".join(filter(None, parts)))


def without_repeats(findings: Sequence[Finding], sources: Sequence[Source]) -> list[Finding]:
    """The findings in order, each cited line where it stands first: branches come upon the same pages.

    A finding of which nothing but headings and lines that others have too would be left is left out.
    """
    known, cited, told_before, kept = by_any_id(sources), set[str](), set[str](), list[Finding]()
    for finding in findings:
        lines, left = with_first_ids(finding.text, known).splitlines(), list[str]()
        for line in lines:
            if line not in cited:
                left.append(line)
                cited |= {line} if cited_ids(line) else set()
        new = [line for line in left if line not in told_before]
        told_before.update(lines)
        if left == lines or _says_something("\n".join(new)):
            kept.append(finding.model_copy(update={"text": "\n".join(left)}))
    return kept


def _line(source: Source) -> str:
    return f"- {source.id}: {as_attribute(source.title)} {source_label(source)}"


def no_evidence(question: str, ctx: Context) -> str:
    """The report of a run that found nothing; it states no fact."""
    return f"# {plain_line(without_ids(as_title(question)))}\n\n{TITLES[ctx.language]['none']}\n"


def from_template(material: Material, ctx: Context) -> str:
    """A report put together without a model: each finding under its topic.

    Like every draft, it leaves it to `with_gaps` to name what is missing, once the report is finished.
    """
    findings, default = material.findings, TITLES[ctx.language]["findings"]
    topics = [topic_title(without_ids(finding.topic), material.question) for finding in findings]
    pieces = [
        Piece(topic if len(findings) > 1 else default, finding.text)
        for topic, finding in zip(topics, findings, strict=True)
    ]
    return join_pieces(material.question, pieces)


def with_all_citations(text: str, material: Material, ctx: Context) -> str:
    """The report with all citations of the findings that bear on the question, and no others.

    For a source that the report has lost, the line of a finding that cites it and bears on the question, or
    on the finding's own, is added under a heading; a citation of a source that no finding cites is removed.
    """
    known = by_any_id(material.sources)
    lines = [
        (with_first_ids(line, known), finding.topic)
        for finding in material.findings
        for line in finding.text.splitlines()
    ]
    wanted = {name for line, _ in lines for name in cited_ids(line) if name in known}
    text = with_first_ids(text, known)
    for foreign in [name for name in cited_ids(text) if name in known and name not in wanted]:
        name = re.escape(foreign) + r"(?!\d)"
        text = re.sub(rf"\s*\[{name}\]|[,;、]\s*{name}|{name}\s*[,;、]\s*", "", text)
    have, lost = set(cited_ids(text)), list[str]()
    for line, topic in lines:
        new = [name for name in cited_ids(line) if name in wanted and name not in have]
        if new and (bears_on(material.question, line) or bears_on(topic, line)):
            have.update(new)
            lost.append(f"- {line.strip().lstrip('-* ')}")
    heading = f"## {TITLES[ctx.language]['more']}"
    return "\n".join([text.rstrip(), "", heading, "", *lost, ""]) if lost else text


def bears_on(question: str, line: str) -> bool:
    """Whether a line has a third of what a question is about, two words at least, and not its names alone.

    Of a question of fewer words it has all.
    """
    asked = {token.term for token in content_words(question) if not token.filler}
    named = asked & {token.term for run in names_in(question) for token in run}
    shared = asked & terms_in(line)
    enough = len(shared) >= min(len(asked), max(2, len(asked) / 3))
    return bool(asked) and enough and not shared <= named < asked


def told_elsewhere(findings: Sequence[Finding], report: str, sources: Sequence[Source]) -> bool:
    """Whether a report cites a source that these findings rest on."""
    found = sources_cited_in("\n".join(finding.text for finding in findings), sources)
    told = {source.id for source in sources_cited_in(report, sources)}
    return any(source.id in told for source in found)


def gap_sentences(gaps: Sequence[Gap], ctx: Context) -> list[str]:
    """What a report says of these gaps, one line for each, in its language."""
    said = (with_plain_addresses(without_ids(sentence_of(gap, ctx.language))) for gap in gaps)
    return list(dict.fromkeys(" ".join(sentence.split()) for sentence in said))


def with_gaps(markdown: str, gaps: Sequence[Gap], ctx: Context) -> str:
    """The report with the gaps that it does not name yet, so that a failed branch is never hidden.

    They stand in the section that it has for them, or in a new one at its end.
    """
    lines = [f"- {sentence}" for sentence in gap_sentences(gaps, ctx) if sentence not in markdown]
    if not lines:
        return markdown
    markdown, heading = f"{markdown.rstrip()}\n", f"## {TITLES[ctx.language]['gaps']}"
    named = re.search(rf"^{re.escape(heading)}\s*\n(?:(?!#).*\n)*", markdown, re.MULTILINE)
    if not named:
        return "\n".join([markdown.rstrip(), "", heading, "", *lines, ""])
    items = [*re.finditer(r"^- .*\n", named[0], re.MULTILINE)]
    end = named.start() + items[-1].end() if items else named.end()
    before, rest = markdown[:end].rstrip(), markdown[end:].lstrip("\n")
    return "\n".join([before, *lines, *(["", rest] if rest else [""])])


Write = Callable[[Material, Context], Awaitable[tuple[str, list[Gap]]]]
"""Writes a draft from the material, answering its `remark`."""


async def review_and_rewrite(
    draft: str, material: Material, ctx: Context, write: Write = write_draft
) -> tuple[str, list[Gap]]:
    """The draft after at most `writer.reviews` reviews, and a gap where a remark could not be answered.

    What code has put together without a model is not reviewed.
    """
    question = material.question
    reviews = ctx.settings.writer.reviews
    if not reviews or draft in (no_evidence(question, ctx), from_template(material, ctx)):
        return draft, []
    for _ in range(reviews):
        finding = Finding(branch="0", topic=question, text=draft)
        vetted = vetted_by_rules(cited_by([finding], material.sources))
        critique = await review_findings([question], {1: finding}, vetted, ctx)
        if critique["unreviewed"]:
            return draft, [ctx.gap("unreviewed", "draft_unreviewed", question, **critique["unreviewed"])]
        if not critique["weak"]:
            break
        remark = critique["weak"][0]["missing"]
        if " ".join(remark.split()) in " ".join(draft.split()):  # the draft says itself what it lacks
            break
        ctx.emit("call", role="critic", tool="review", text=remark)
        said = f"A reviewer of your draft says: {fence(remark)}"
        told = replace(material, remark="\n\n".join(filter(None, (material.remark, said))))
        again = await _rewritten(write, told, ctx)
        if len(cited_ids(again)) < len(cited_ids(draft)) or again == draft:
            known = f"{question}\n{told_in(material.sources, ctx)}"  # gaps are told unchecked
            missing = without_inventions(remark, known)
            return draft, [ctx.gap("unanswered", "draft_misses", question, missing=missing)]
        draft = again
    return draft, []


async def _rewritten(write: Write, material: Material, ctx: Context) -> str:
    """The new draft; empty if no model could write it."""
    try:
        draft, _ = await write(material, ctx)
        return draft
    except (ModelError, BudgetExceeded) as error:
        ctx.emit("budget", role="writer", text=f"the draft was not written again: {error}")
        return ""
