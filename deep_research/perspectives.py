"""Other perspectives: after the report itself, the question is put to other industries, countries, ages …

The same for every design: when its graph has ended, one more researcher per perspective
(`scope.perspectives`) looks into what is comparable there. So its topic leaves out the names that were asked
about. What it finds stands in a section of its own, marked as another perspective, and never mixes with the
answer. A perspective that brings no source of its own is named as a gap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .brief_writer import details
from .context import Context
from .ledger import by_any_id, canonical_key, cited_ids, merge_by_key, report_language
from .researcher_graph import build_researcher
from .sections import Part, write_section
from .state import Finding, Gap, Source, id_order
from .terms import query_terms
from .writer import writer_input

_WORDS = {
    "en": {
        "heading": "Another perspective: {it}",
        "topic": "{subject} in {it}: what is comparable there?",
    },
    "zh": {
        "heading": "另一个视角：{it}",
        "topic": "{it}的{subject}：那里有什么可以比较？",
    },
    "ja": {
        "heading": "別の視点：{it}",
        "topic": "{it}の{subject}：そこでは何が比べられるか。",
    },
}
_LINES = 6
"""Lines of a finding that stand in for a section, at most."""
_SEPARATOR = {"en": " ", "zh": "、", "ja": "、"}


def subject_of(question: str, language: str) -> str:
    """What a question is about besides the very things it names: its words of content without the names."""
    named = {name.casefold() for name in details(question)}
    words = [term for term in query_terms(question) if not any(term in name for name in named)]
    return _SEPARATOR[language].join(words) or question


async def with_perspectives(question: str, state: Mapping[str, Any], ctx: Context) -> dict[str, Any]:
    """The last state of a run with a section for each perspective; as it was where there is no answer."""
    wanted = list(dict.fromkeys(ctx.settings.scope.perspectives))
    if not wanted or not cited_ids(state.get("draft") or "") or state.get("status") == "rejected":
        return dict(state)
    sources = list(state.get("sources", []))
    language = report_language(question, ctx.settings.language)
    first = 1 + max(id_order(source.id)[0] for source in sources)
    branches = [str(first + n) for n in range(len(wanted))]
    subject = subject_of(question, language)
    topics = [_WORDS[language]["topic"].format(it=name, subject=subject) for name in wanted]
    found = await _researched(topics, branches, ctx)
    known = {canonical_key(source) for source in sources}
    texts, gaps = list[str](), list[Gap]()
    for name, branch, result in zip(wanted, branches, found, strict=True):
        written = await _section(name, question, result, known, language, ctx.on(branch, name))
        texts += [written] if isinstance(written, str) else []
        known |= {canonical_key(source) for source in result.get("sources", [])}
        gaps += [*result.get("gaps", []), *([written] if isinstance(written, Gap) else [])]
    merged = merge_by_key(sources, [source for result in found for source in result.get("sources", [])])
    draft = "\n\n".join([str(state["draft"]).rstrip(), *texts]) + "\n"
    return {**state, "draft": draft, "sources": merged, "gaps": [*state.get("gaps", []), *gaps]}


async def _researched(topics: Sequence[str], branches: Sequence[str], ctx: Context) -> list[dict[str, Any]]:
    """What a researcher per topic hands back, side by side, under equal shares of what is left."""
    ctx.budget.reserve("0", "writer", {})  # the report is written
    shares = ctx.budget.share("0", branches)
    ctx.trace.fork("0", branches)
    researcher = build_researcher()
    jobs = [
        researcher.ainvoke({"branch": branch, "topic": topic, "share": shares[branch]}, context=ctx)
        for branch, topic in zip(branches, topics, strict=True)
    ]
    results = await ctx.gather(jobs)
    ctx.budget.close(branches)
    ctx.trace.join("0", branches)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [result for result in results if not isinstance(result, BaseException)]


async def _section(
    name: str, question: str, result: Mapping[str, Any], known: set[str], language: str, ctx: Context
) -> str | Gap:
    """The section of one perspective, or the gap that it leaves."""
    sources: list[Source] = list(result.get("sources", []))
    findings: list[Finding] = list(result.get("findings", []))
    new = {source.id for source in sources if canonical_key(source) not in known}
    if not findings or not new:
        return ctx.gap("unanswered", "perspective_empty", name=name)
    heading = _WORDS[language]["heading"].format(it=name)
    material = writer_input(question, ctx.topic, [], findings, sources, [])
    part = Part(heading, material)
    text = await write_section(part, [part], question, language, ctx)
    if isinstance(text, Gap):
        return text
    if not _of(sources, text) & new:  # the writer had nothing to say that is new: the findings themselves
        lines = [line.strip("-* ") for finding in findings for line in finding.text.splitlines()]
        told = [f"- {line}" for line in dict.fromkeys(lines) if _of(sources, line) & new]
        text = "\n".join([f"## {heading}", "", *told[:_LINES]]) if told else ""
    return text or ctx.gap("unanswered", "perspective_empty", name=name)


def _of(sources: Sequence[Source], text: str) -> set[str]:
    """The ids of the sources that a text cites."""
    known = by_any_id(sources)
    return {known[name].id for name in cited_ids(text) if name in known}
