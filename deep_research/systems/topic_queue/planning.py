"""Planning: the question in full words, and the topics that the queue begins with.

The rephraser is off by default. A round writes the question out (aim, scope, what is to be told apart) and
puts it to the user; a typed verdict judges what the user says, plain consent needs no model. After the last
round, or where nobody is there, the last wording counts. It is what the decomposer is given.

The decomposer has two modes. `manual` searches the titles of a first draft, one search each, and makes the
draft again with what came back. `auto` searches the question itself once. Both take at most as many topics as
allowed; with `queue.fill_up`, as published, `manual` adds aspects of the question until there are so many.
Topics come as plain lines, "title: what to find out", which small models write reliably too. A plan that
cannot be had is replaced by a local one, and that shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt
from pydantic import BaseModel, Field

from deep_research.components.others.planner import repeats_whole
from deep_research.core.errors import BudgetExceeded, ModelError
from deep_research.core.records import Gap, Record, Source
from deep_research.core.words import phrase, phrases
from deep_research.engine.chat import chat
from deep_research.engine.context import Context, check_start
from deep_research.engine.evidence import as_attribute, evidence_text
from deep_research.engine.prompting import system_prompt, user_message
from deep_research.engine.structured import GivenOnly, structured
from deep_research.sources.knowledge import local_sources
from deep_research.sources.ledger import merge_by_key
from deep_research.systems.shared.approval import read_decision
from deep_research.systems.shared.reflexion import first_pass
from deep_research.text.fence import fence, without_ids
from deep_research.text.language import detect_language, shorten

from .blocks import new_queue
from .files import now_text, write_planning
from .likeness import same_topic
from .notes import bounded_note
from .workers import free_for_research

_SHOWN = phrase("users.rephrased.shown")
_LONGEST = 300
_LONGEST_TITLE = 160
_WORDS = phrases("prompts.topics")


class Satisfaction(BaseModel):
    """Whether the user agrees with the wording."""

    satisfied: bool = Field(description="True if the user wants no change.")
    wishes: str = Field(description="The requested changes, in the user's words; empty if there are none.")


async def rephrase(question: str, earlier: str, wishes: Sequence[str], ctx: Context) -> str:
    """The question in full words; `earlier` is the last wording, `wishes` what the user said so far.

    The earlier wording, or the question, if no model can write one.
    """
    chosen = ctx.settings.queue
    prompt = system_prompt(
        "rephraser", ctx, min_words=chosen.rephrase_min_words, max_words=chosen.rephrase_max_words
    )
    said = [f"Question: {fence(question)}", *([f"Your last version: {fence(earlier)}"] if earlier else [])]
    said += [f"The user asks for this change: {fence(wish)}" for wish in wishes]
    try:
        message = await chat("planner", [prompt, user_message("\n\n".join(said))], ctx)
    except (ModelError, BudgetExceeded) as error:
        ctx.emit("gap", role="planner", text=f"the question stays as it is: {error}")
        return earlier or question
    return bounded_note(str(message.text).strip(), chosen.rephrase_max_words).text or earlier or question


async def satisfaction(wording: str, reply: str, ctx: Context) -> Satisfaction:
    """What a reply means; one that cannot be judged is a wish."""
    if read_decision(reply) == "accept":
        return Satisfaction(satisfied=True, wishes="")
    shown = f"Wording:\n{fence(wording)}\n\nReply: {fence(reply)}"
    try:
        return await structured(
            "planner", [system_prompt("rephrase_check", ctx), user_message(shown)], Satisfaction, ctx
        )
    except (ModelError, BudgetExceeded):
        return Satisfaction(satisfied=False, wishes=reply)


async def rephrase_node(
    state: Mapping[str, Any], runtime: Runtime[Context]
) -> Command[Literal["rephrase", "decompose"]]:
    """Put the question into words, then to the user; the wording is in the state before the user is asked."""
    check_start(state, runtime.context)
    ctx, question = runtime.context, state["question"]
    wording, wishes = state.get("wording", ""), state.get("wishes", [])
    if not ctx.settings.queue.rephrase:
        return Command(goto="decompose", update={"topic": question})
    if not wording:
        return Command(goto="rephrase", update={"wording": await rephrase(question, "", [], ctx)})
    asked = _SHOWN[ctx.settings.prompt_language].format(wording)
    reply = str(interrupt({"kind": "rephrase", "question": asked, "default": "yes"}) or "")
    verdict = await satisfaction(wording, reply, ctx)
    if verdict.satisfied or len(wishes) >= ctx.settings.queue.max_rephrase_rounds - 1:
        return Command(goto="decompose", update={"topic": wording})
    wishes = [*wishes, verdict.wishes or reply]
    wording = await rephrase(question, wording, wishes, ctx)
    return Command(goto="rephrase", update={"wording": wording, "wishes": wishes})


class Decomposition(GivenOnly):
    """A question divided into topics."""

    main_topic: str = Field(description="The overall subject, in a few words.")
    approach: str = Field(description="The reason for this division, in one sentence.")
    topics: list[str] = Field(
        description="For each topic a title that stands on its own, a colon, and what to find out about it."
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
    exactly = manual and chosen.fill_up
    try:
        if chosen.planning_retrieval:
            each = manual and ctx.budget.left(ctx.branch).get("searches", 3 * wanted) >= 3 * wanted
            queries = await _drafted(question, topic, wanted, exactly, ctx) if each else [question]
            sources, gaps = await _retrieve(queries, ctx)
        plan = await _decomposed(topic, sources, wanted, exactly, ctx)
        topics, fallback = read_topics(plan.topics), ""
        main, approach = plan.main_topic, plan.approach
    except (ModelError, BudgetExceeded) as error:
        topics, main, approach = [], "", ""
        fallback = f"There is no plan by a model: {error}"
        gaps.append(ctx.failure("no_model_plan", error, question))
    if not exactly:
        topics = [one for one in topics if not repeats_whole(one.title, question)]
    sub_topics = topics[:wanted] or [SubTopic(title=shorten(question, _LONGEST))]
    if exactly and len(sub_topics) < wanted:
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


async def _drafted(question: str, topic: str, wanted: int, exactly: bool, ctx: Context) -> list[str]:
    """A query for each topic of a first draft; of a draft that is empty, the question."""
    draft = await _decomposed(topic, [], wanted, exactly, ctx)
    return [sub.title for sub in read_topics(draft.topics)[:wanted]] or [question]


async def _retrieve(queries: Sequence[str], ctx: Context) -> tuple[list[Source], list[Gap]]:
    """One look-up per query, in the notes and on the web, all under branch 0."""
    sources, gaps = list[Source](), list[Gap]()
    for query in queries:
        found, failed = local_sources(query, sources, ctx)
        sources, gaps = merge_by_key(sources, found), gaps + failed
    first = await first_pass(queries, ctx, sources)
    return merge_by_key(sources, first.get("sources", [])), gaps + first.get("gaps", [])


async def _decomposed(
    topic: str, sources: Sequence[Source], wanted: int, exactly: bool, ctx: Context
) -> Decomposition:
    """The model's decomposition; one with the wrong number of topics is sent back once."""
    number = _WORDS[ctx.settings.prompt_language]["exactly" if exactly else "at_most"].format(wanted)
    shown = [user_message(evidence_text(sources, ctx))] if sources else []
    asked = user_message(f"Question: {fence(topic)}")
    messages = [system_prompt("decomposer", ctx, number=number), asked, *shown]
    plan = await structured("planner", messages, Decomposition, ctx)
    have = len(read_topics(plan.topics))
    if have and (have == wanted or (have < wanted and not exactly)):
        return plan
    again = user_message(f"That has {have} different topics, and {wanted} are wanted. Make it again.")
    second = await structured("planner", [*messages, again], Decomposition, ctx)
    return max(plan, second, key=lambda one: min(len(read_topics(one.topics)), wanted))


def read_topics(lines: Iterable[str]) -> list[SubTopic]:
    """Lines as topics, each once; a line without a colon, or with the title of another line, is a title."""
    topics: list[SubTopic] = []
    texts = [shorten(as_attribute(line).lstrip("-* "), 2 * _LONGEST).replace("：", ": ", 1) for line in lines]
    titles = [text.partition(": ")[0] for text in dict.fromkeys(texts)]
    for text in texts:
        title, _, overview = text.partition(": ")
        shared = sum(same_topic(title, other) for other in titles) > 1
        if shared or not 2 < len(title) <= _LONGEST_TITLE:
            title, overview = shorten(text, _LONGEST), ""
        if title.strip() and not any(same_topic(title, topic.title) for topic in topics):
            topics.append(SubTopic(title=title.strip(), overview=shorten(overview, _LONGEST)))
    return topics


def _filled_up(topics: Sequence[SubTopic], question: str, wanted: int) -> list[SubTopic]:
    """The topics, and aspects of the question up to the number wanted."""
    filled, words = list(topics), _WORDS[detect_language(question)]
    opening = shorten(question, _LONGEST_TITLE).rstrip("?？") + words["colon"]
    for aspect in words["aspects"].splitlines():
        if len(filled) >= wanted:
            break
        filled.append(SubTopic(title=f"{opening}{aspect}"))
    return filled


async def decompose_node(state: dict[str, Any], runtime: Runtime[Context]) -> dict[str, Any]:
    """Plan, and open the queue with what was planned."""
    ctx, question = runtime.context, state["question"]
    planning, sources, gaps = await decompose(question, state.get("topic") or question, ctx)
    topics = [sub.model_dump() for sub in planning.sub_topics]
    queue = new_queue(ctx.run_id, topics, ctx.settings.queue, now_text(ctx))
    ctx.emit("call", role="planner", tool="plan", text=f"{planning.total} topics", **planning.model_dump())
    write_planning(planning.model_dump(), queue, ctx)
    free = free_for_research(len(queue.blocks), ctx)
    return {"planning": planning, "queue": queue, "free": free, "sources": sources, "gaps": gaps}
