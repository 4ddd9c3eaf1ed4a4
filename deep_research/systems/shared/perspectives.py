"""Other perspectives: after the report itself, the question is put to other industries, countries, ages …

The same for every design: when its graph has ended, one more researcher per perspective
(`scope.perspectives`) looks into what is comparable there. So its topic leaves out the names that were asked
about. What it finds stands in a section of its own, marked as another perspective, and never mixes with the
answer. Nor does a page count that names what the question names: it is from here and not from elsewhere. A
perspective that brings nothing from another source that the report does not cite, or that only says so, is
named as a gap.
"""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from typing import Any

from deep_research.components.brief_writer import stated_details
from deep_research.components.researcher.graph import build_researcher
from deep_research.components.writer import writer_input
from deep_research.components.writer.sections import SectionTask, write_section
from deep_research.core.forms import denies, offers_nearest
from deep_research.core.records import Finding, Gap, Material, Source, id_order
from deep_research.core.words import phrase, phrases
from deep_research.engine.branches import Branches
from deep_research.engine.budget import Amounts
from deep_research.engine.context import Context
from deep_research.sources.ledger import canonical_key, full_text, merge_by_key, sources_cited_in
from deep_research.text.source_ids import cited_ids, sentences_citing_ids
from deep_research.text.terms import query_terms

_WORDS = phrases("reports.perspectives")
_TOLD = phrase("prompts.sections.elsewhere")
_LINES = 6
"""Lines of a finding that stand in for a section, at most."""


def subject_of_perspective(question: str, ctx: Context) -> str:
    """What a question is about besides the very things it names: its words of content without the names."""
    named = {name.casefold() for name in stated_details(question)}
    words = [term for term in query_terms(question) if not any(term in name for name in named)]
    return _WORDS[ctx.language]["separator"].join(words) or question


async def with_perspectives(question: str, state: Mapping[str, Any], ctx: Context) -> dict[str, Any]:
    """The last state of a run with a section for each perspective; as it was where there is no answer."""
    wanted = list(dict.fromkeys(ctx.settings.scope.perspectives))
    if not wanted or not cited_ids(state.get("draft") or "") or state.get("status") == "rejected":
        return dict(state)
    sources = list(state.get("sources", []))
    ctx = ctx.about(question)
    first = 1 + max(id_order(source.id)[0] for source in sources)
    branches = [str(first + n) for n in range(len(wanted))]
    subject, words = subject_of_perspective(question, ctx), _WORDS[ctx.language]
    topics = {
        b: words["topic"].format(it=name, subject=subject) for b, name in zip(branches, wanted, strict=True)
    }
    researcher = build_researcher()

    def research(branch: str, share: Amounts) -> Coroutine[Any, Any, dict[str, Any]]:
        return researcher.ainvoke({"branch": branch, "topic": topics[branch], "share": share}, context=ctx)

    ctx.budget.reserve("0", "writer", {})  # the report is written
    found = await Branches(branches, ctx).gather(research)
    known = {canonical_key(source) for source in sources_cited_in(str(state["draft"]), sources)}
    here = [name.casefold() for name in stated_details(question)]
    texts, gaps = list[str](), list[Gap]()
    for name, branch, result in zip(wanted, branches, found, strict=True):
        found_here = _names_any(here, result.get("sources", []), ctx)
        written = await _section(name, subject, result, known | found_here, ctx.on(branch, name))
        texts += [written] if isinstance(written, str) else []
        known |= {canonical_key(source) for source in result.get("sources", [])}
        gaps += [*result.get("gaps", []), *([written] if isinstance(written, Gap) else [])]
    merged = merge_by_key(sources, [source for result in found for source in result.get("sources", [])])
    draft = "\n\n".join([str(state["draft"]).rstrip(), *texts]) + "\n"
    return {**state, "draft": draft, "sources": merged, "gaps": [*state.get("gaps", []), *gaps]}


async def _section(
    name: str, subject: str, result: Mapping[str, Any], known: set[str], ctx: Context
) -> str | Gap:
    """The section of one perspective, or the gap that it leaves.

    What it answers is the `subject`; the perspective's name is the program's word, and asks for nothing.
    """
    sources: list[Source] = list(result.get("sources", []))
    new = {source.id for source in sources if canonical_key(source) not in known}
    findings = [_only_new(finding, sources, new) for finding in result.get("findings", [])]
    if not any(_of(sources, finding.text) for finding in findings):
        return ctx.gap("unanswered", "perspective_empty", name=name)
    heading = _WORDS[ctx.language]["heading"].format(it=name)
    material = Material(ctx.question, ctx.topic, findings=findings, sources=sources)
    wanted = _TOLD[ctx.settings.prompt_language].format(it=name)
    part = SectionTask(heading, writer_input(material, ctx), asks=subject, instruction=wanted)
    text = await write_section(ctx.question, part, [heading], ctx)
    if isinstance(text, Gap):
        return text
    first = next(iter(sentences_citing_ids(text)), None)
    if first and not first.ids and (denies(first.text) or offers_nearest(first.text)):
        return ctx.gap("unanswered", "perspective_empty", name=name)
    if not _of(sources, text) & new:  # the writer had nothing to say that is new: the findings themselves
        lines = [line.strip("-* ") for finding in findings for line in finding.text.splitlines()]
        told = [f"- {line}" for line in dict.fromkeys(lines) if _of(sources, line)]
        text = "\n".join([f"## {heading}", "", *told[:_LINES]]) if told else ""
    return text or ctx.gap("unanswered", "perspective_empty", name=name)


def _names_any(names: Sequence[str], sources: Sequence[Source], ctx: Context) -> set[str]:
    """The keys of the sources that name one of these."""
    told = {canonical_key(one): f"{one.title}\n{full_text(one, ctx)}".casefold() for one in sources}
    return {key for key, text in told.items() if any(name in text for name in names)}


def _only_new(finding: Finding, sources: Sequence[Source], new: set[str]) -> Finding:
    """A finding without the lines that only cite what the report cites already."""
    lines = [(line, _of(sources, line)) for line in finding.text.splitlines()]
    return finding.model_copy(
        update={"text": "\n".join(line for line, cited in lines if not cited or cited & new)}
    )


def _of(sources: Sequence[Source], text: str) -> set[str]:
    """The ids of the sources that a text cites."""
    return {source.id for source in sources_cited_in(text, sources)}
