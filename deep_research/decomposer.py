"""The decomposer: the topics that the queue begins with, and the first look at what there is.

`manual` wants exactly N topics: the titles of a first draft are searched, one search each, and the draft is
made again with what came back. `auto` searches the question itself once and takes at most as many topics as
allowed. Topics come as plain lines, "title: what to find out", which small models write reliably too. A plan
that cannot be had is replaced by a local one, and that shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from langgraph.runtime import Runtime
from pydantic import BaseModel, Field

from .context import Context
from .errors import BudgetExceeded, ModelError
from .guard import fence, without_ids
from .knowledge import look_up
from .ledger import merge_by_key
from .models import structured
from .prompting import attribute, evidence, system_prompt
from .reflexion import first_look
from .state import Gap, Record, Source
from .text import detect_language, shorten
from .topic_blocks import new_queue
from .topic_files import write_planning
from .topic_likeness import same_topic
from .topic_workers import free_for_research

_LONGEST = 300
_LONGEST_TITLE = 160
_ASPECTS = {
    "en": (
        "names, places and dates", "figures", "who says so", "how it came about", "what has changed",
        "what is disputed", "who and what is involved", "comparable cases", "rules that apply", "outlook",
        "origins", "costs", "effects", "methods", "criticism", "alternatives", "definitions", "examples",
        "measurements", "open questions",
    ),
    "zh": (
        "名称、地点和日期", "数据", "由谁说明", "由来", "发生过的变化", "有争议之处", "相关的人和事",
        "类似情况", "适用的规定", "前景", "起因", "成本", "影响", "方法", "批评", "替代办法", "定义",
        "实例", "测量", "未解决的问题",
    ),
    "ja": (
        "名称、場所、日付", "数値", "だれが述べているか", "経緯", "変わったこと", "争われている点",
        "関わる人と物事", "似た例", "当てはまる規則", "見通し", "起こり", "費用", "影響", "方法", "批判",
        "代わりの手段", "定義", "実例", "測定", "未解決の問い",
    ),
}  # fmt: skip


class Decomposition(BaseModel):
    """A question taken apart."""

    main_topic: str = Field(description="What all of it is about, in a few words.")
    approach: str = Field(description="Why it is divided like this, in a sentence.")
    topics: list[str] = Field(
        description="Each a title that stands on its own, a colon, and what is to be found out about it."
    )


class SubTopic(Record):
    """One of the first topics."""

    title: str
    overview: str = ""


class Planning(Record):
    """What the planning came to. `fallback` says what was not as wanted; '' if all was."""

    main_topic: str
    approach: str = ""
    sub_topics: list[SubTopic]
    total: int
    mode: str
    queries: list[str] = Field(default_factory=list)
    retrieved: list[str] = Field(default_factory=list, description="ids of what the searches brought")
    fallback: str = ""


async def decompose(question: str, topic: str, ctx: Context) -> tuple[Planning, list[Source], list[Gap]]:
    """The plan for a topic, the sources of its searches, and gaps. It never fails: see `fallback`."""
    chosen, queries, sources, gaps = ctx.settings.queue, list[str](), list[Source](), list[Gap]()
    wanted = chosen.initial_topics if chosen.decompose == "manual" else chosen.auto_max_topics
    manual = chosen.decompose == "manual"
    try:
        if chosen.planning_retrieval:
            queries = await _drafted(question, topic, wanted, ctx) if manual else [question]
            sources, gaps = await _retrieve(queries, ctx)
        plan = await _decomposed(topic, sources, wanted, manual, ctx)
        topics, fallback = usable(plan.topics), ""
        main, approach = plan.main_topic, plan.approach
    except (ModelError, BudgetExceeded) as error:
        topics, main, approach = [], "", ""
        fallback = f"There is no plan by a model: {error}"
        gaps.append(ctx.failure("no_model_plan", error, question))
    sub_topics = topics[:wanted] or [SubTopic(title=shorten(question, _LONGEST))]
    if manual and len(sub_topics) < wanted:
        fallback = (
            fallback or f"The model named {len(topics)} different topics of {wanted}; the rest are aspects."
        )
        sub_topics = _filled_up(sub_topics, question, wanted)
    planning = Planning(
        main_topic=_line(main) or question, approach=_line(approach), sub_topics=sub_topics,
        total=len(sub_topics), mode=chosen.decompose, queries=queries,
        retrieved=[source.id for source in sources], fallback=fallback,
    )  # fmt: skip
    return planning, sources, gaps


def _line(text: str) -> str:
    return shorten(without_ids(text), _LONGEST)


async def _drafted(question: str, topic: str, wanted: int, ctx: Context) -> list[str]:
    """A query for each topic of a first draft; of a draft that is empty, the question."""
    draft = await _decomposed(topic, [], wanted, True, ctx)
    return [sub.title for sub in usable(draft.topics)[:wanted]] or [question]


async def _retrieve(queries: Sequence[str], ctx: Context) -> tuple[list[Source], list[Gap]]:
    """One look-up per query, in the notes and on the web, all under branch 0."""
    sources: list[Source] = []
    for query in queries:
        sources = merge_by_key(sources, look_up(query, sources, ctx))
    found = await first_look(queries, ctx, sources)
    return merge_by_key(sources, found.get("sources", [])), found.get("gaps", [])


async def _decomposed(
    topic: str, sources: Sequence[Source], wanted: int, exactly: bool, ctx: Context
) -> Decomposition:
    """The model's decomposition; one with the wrong number of topics is sent back once."""
    from langchain_core.messages import HumanMessage

    number = _NUMBER[ctx.settings.prompt_language][exactly].format(wanted)
    shown = [HumanMessage(evidence(sources, ctx))] if sources else []
    messages = [system_prompt("decomposer", ctx, number=number), HumanMessage(fence(topic)), *shown]
    plan = await structured("planner", messages, Decomposition, ctx)
    have = len(usable(plan.topics))
    if have and (have == wanted or (have < wanted and not exactly)):
        return plan
    again = HumanMessage(f"That has {have} different topics, and {wanted} are wanted. Make it again.")
    second = await structured("planner", [*messages, again], Decomposition, ctx)
    return max(plan, second, key=lambda one: min(len(usable(one.topics)), wanted))


_NUMBER = {
    "en": {True: "exactly {}", False: "at most {}"},
    "zh": {True: "正好 {} 个", False: "最多 {} 个"},
    "ja": {True: "ちょうど {} 個", False: "多くても {} 個"},
}


def usable(lines: Iterable[str]) -> list[SubTopic]:
    """Lines as topics, each once; a line without a colon is a title."""
    topics: list[SubTopic] = []
    for line in lines:
        text = shorten(attribute(line).lstrip("-* "), 2 * _LONGEST)
        title, _, overview = text.replace("：", ": ", 1).partition(": ")
        if not 2 < len(title) <= _LONGEST_TITLE:
            title, overview = shorten(text, _LONGEST), ""
        if title.strip() and not any(same_topic(title, topic.title) for topic in topics):
            topics.append(SubTopic(title=title.strip(), overview=shorten(overview, _LONGEST)))
    return topics


def _filled_up(topics: Sequence[SubTopic], question: str, wanted: int) -> list[SubTopic]:
    """The topics, and aspects of the question up to the number wanted."""
    filled, mark = list(topics), {"en": ": ", "zh": "：", "ja": "："}[detect_language(question)]
    for aspect in _ASPECTS[detect_language(question)]:
        if len(filled) >= wanted:
            break
        filled.append(SubTopic(title=f"{shorten(question, _LONGEST_TITLE).rstrip('?？')}{mark}{aspect}"))
    return filled


async def decompose_node(state: dict[str, Any], runtime: Runtime[Context]) -> dict[str, Any]:
    """Plan, and open the queue with what was planned."""
    ctx, question = runtime.context, state["question"]
    planning, sources, gaps = await decompose(question, state.get("topic") or question, ctx)
    topics = [sub.model_dump() for sub in planning.sub_topics]
    queue = new_queue(ctx.run_id, topics, ctx.settings.queue, ctx.clock.now().isoformat(timespec="seconds"))
    ctx.emit("call", role="planner", tool="plan", text=f"{planning.total} topics", **planning.model_dump())
    write_planning(planning.model_dump(), queue, ctx)
    free = free_for_research(len(queue.blocks), ctx)
    return {"planning": planning, "queue": queue, "free": free, "sources": sources, "gaps": gaps}
