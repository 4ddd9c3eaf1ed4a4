"""The writer: the report, in one shot (or, as a setting, section by section), from the findings alone.

It cites sources by id; code turns ids into numbers afterwards (`ledger.render_citations`). It never writes
from nothing: without evidence, code states plainly that none was found. If no model can write, a local
template puts the findings together, so paid-for research is never lost.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .context import Context
from .draft_review import reviewed
from .errors import BudgetExceeded, ModelError
from .gaps import EMPTY_ANSWER, kind_of, told, why_of
from .guard import fence, without_ids
from .joining import Piece, joined
from .ledger import by_any_id, cited_ids, plain_line, report_language, with_first_ids
from .models import chat
from .output_notes import output_notes
from .prompting import LANGUAGES_IN, attribute, system_prompt
from .sections import write_sections
from .state import Finding, Gap, Source
from .text import shorten
from .verification.loose_addresses import with_plain_addresses

_HEADING = 90
"""Letters of a topic that makes a heading; a longer one is the brief of a researcher."""
TITLES = {
    "en": {
        "none": "No evidence was found for this question.",
        "gaps": "What could not be found",
        "findings": "Findings",
        "looked": "Searched for",
        "more": "Further evidence",
    },
    "zh": {
        "none": "没有找到回答这个问题的证据。",
        "gaps": "未能查明的内容",
        "findings": "调查结果",
        "looked": "检索过",
        "more": "其他证据",
    },
    "ja": {
        "none": "この質問に答える証拠は見つかりませんでした。",
        "gaps": "確認できなかったこと",
        "findings": "調査結果",
        "looked": "検索した内容",
        "more": "その他の証拠",
    },
}


async def write_report(
    question: str,
    brief: str,
    history: Sequence[Mapping[str, str]],
    findings: Sequence[Finding],
    sources: Sequence[Source],
    gaps: Sequence[Gap],
    ctx: Context,
) -> tuple[str, list[Gap]]:
    """The report as Markdown that cites ids, and gaps that came up while it was written."""
    language = report_language(question, ctx.settings.language)
    if not sources or not findings:
        return no_evidence(question, gaps, language), []
    missed = [told(gap, language) for gap in gaps]
    material = writer_input(question, brief, history, findings, sources, missed)
    try:
        text, missing = await _written(question, material, language, ctx)
        if _says_something(text):

            async def rewrite(remark: str) -> str:
                reminded = material.model_copy(update={"content": f"{material.content}\n\n{remark}"})
                return (await _written(question, reminded, language, ctx))[0]

            text, open_points = await reviewed(question, text, sources, rewrite, ctx)
            return text, [*missing, *open_points]
        why = EMPTY_ANSWER  # headings apart
    except (ModelError, BudgetExceeded) as error:
        why = why_of(error)
    gap = ctx.gap(kind_of(why), "template", "report", **why)
    return from_template(question, findings, gaps, language), [gap]


def _says_something(markdown: str) -> bool:
    """Whether there is a line that is no heading."""
    return any(line.strip() and not line.lstrip().startswith("#") for line in markdown.splitlines())


async def _written(question: str, material: Any, language: str, ctx: Context) -> tuple[str, list[Gap]]:
    """What the model writes, the way that the settings want; one shot where sections are not possible."""
    if ctx.settings.writer.mode == "sections" or ctx.settings.output.sections:
        text, missing = await write_sections(question, material, language, ctx)
        if text:
            return text, missing
    prompt = system_prompt(
        "writer",
        ctx,
        language=LANGUAGES_IN[ctx.settings.prompt_language][language],
        output_notes=output_notes(ctx.settings, reader=True),
    )
    message = await chat("writer", [prompt, material], ctx, stream=True)
    return message.text, []


def writer_input(
    question: str,
    brief: str,
    history: Sequence[Mapping[str, str]],
    findings: Sequence[Finding],
    sources: Sequence[Source],
    gaps: Sequence[str],
) -> Any:
    """The one message that holds all the writer may use: question, brief, what the user said, findings.

    `gaps` are told in the language of the report, so that the writer can take them over as they are.
    """
    from langchain_core.messages import HumanMessage

    said = [turn["content"] for turn in history if turn["role"] == "user"][1:]
    known, stated = by_any_id(sources), once(findings, sources)
    texts = [finding.text for finding in stated]
    cited = [known[i] for i in cited_ids("\n".join(texts)) if i in known]
    parts = [
        f"Question: {question}",
        *(f"The user added: {text}" for text in said),
        f"Brief: {brief}",
        *(
            f'<findings topic="{attribute(shorten(finding.topic, 300))}">\n{fence(text)}\n</findings>'
            for finding, text in zip(stated, texts, strict=True)
        ),
        *(["<gaps>\n" + "\n".join(f"- {fence(gap)}" for gap in gaps) + "\n</gaps>"] if gaps else []),
        "Sources:\n" + "\n".join(dict.fromkeys(_line(source) for source in cited)),
    ]
    return HumanMessage("\n\n".join(parts))


def once(findings: Sequence[Finding], sources: Sequence[Source]) -> list[Finding]:
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
    date = attribute(source.published or "undated")
    return f"- {source.id}: {attribute(source.title)} ({date}; {source.tier})"


def no_evidence(question: str, gaps: Sequence[Gap], language: str) -> str:
    """The report of a run that found nothing; it states no fact."""
    words = TITLES[language]
    lines = [f"# {_title(question)}", "", words["none"], ""]
    return "\n".join([*lines, *_gap_lines(gaps, language)]).strip() + "\n"


def from_template(question: str, findings: Sequence[Finding], gaps: Sequence[Gap], language: str) -> str:
    """A report put together without a model: each finding under its topic."""
    words = TITLES[language]
    topics = [" ".join(without_ids(finding.topic).split()) for finding in findings]
    pieces = [
        Piece(topic if len(findings) > 1 and len(topic) <= _HEADING else words["findings"], finding.text)
        for topic, finding in zip(topics, findings, strict=True)
    ]
    return with_gaps(joined(question, pieces, language), gaps, language)


def with_all_citations(
    text: str, findings: Sequence[Finding], sources: Sequence[Source], language: str
) -> str:
    """The report with the citations of the findings, all of them and no others.

    A source that the report has lost comes back with the line of a finding that cites it, under a heading of
    its own; a source that no finding cites goes.
    """
    known = by_any_id(sources)
    lines = [with_first_ids(line, known) for finding in findings for line in finding.text.splitlines()]
    wanted = {name for line in lines for name in cited_ids(line) if name in known}
    text = with_first_ids(text, known)
    for foreign in [name for name in cited_ids(text) if name in known and name not in wanted]:
        name = re.escape(foreign) + r"(?!\d)"
        text = re.sub(rf"\s*\[{name}\]|[,;、]\s*{name}|{name}\s*[,;、]\s*", "", text)
    have, lost = set(cited_ids(text)), list[str]()
    for line in lines:
        if new := [name for name in cited_ids(line) if name in wanted and name not in have]:
            have.update(new)
            lost.append(f"- {line.strip().lstrip('-* ')}")
    return "\n".join([text.rstrip(), "", f"## {TITLES[language]['more']}", "", *lost, ""]) if lost else text


def _title(question: str) -> str:
    """A question as one line without structure of its own: pasted headings and lists make none."""
    return plain_line(without_ids(question))


def gap_sentences(gaps: Sequence[Gap], language: str) -> list[str]:
    """What a report says of these gaps, each in a line of its own, in its language."""
    return list(dict.fromkeys(_one_line(told(gap, language)) for gap in gaps))


def _gap_lines(gaps: Sequence[Gap], language: str) -> list[str]:
    lines = [f"- {sentence}" for sentence in gap_sentences(gaps, language)]
    return [f"## {TITLES[language]['gaps']}", "", *lines] if lines else []


def _one_line(message: str) -> str:
    return " ".join(with_plain_addresses(without_ids(message)).split())


def with_gaps(markdown: str, gaps: Sequence[Gap], language: str) -> str:
    """The report with the gaps that it does not name yet, so that a failed branch is never hidden.

    They stand in the section that it has for them, or in a new one at its end.
    """
    missing = [gap for gap in gaps if _one_line(told(gap, language)) not in markdown]
    lines = _gap_lines(missing, language)
    if not lines:
        return markdown
    named = re.search(rf"^{re.escape(lines[0])}\s*\n(?:(?!#).*\n)*", markdown, re.MULTILINE)
    if not named:
        return "\n".join([markdown.rstrip(), "", *lines]) + "\n"
    before, rest = markdown[: named.end()].rstrip(), markdown[named.end() :]
    return "\n".join([before, *lines[2:], *(["", rest] if rest else [""])])
