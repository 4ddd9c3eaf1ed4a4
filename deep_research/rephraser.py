"""The rephraser: the question in full words, changed until the user is content with it.

Off by default. A round writes the question out (aim, scope, what is to be told apart) and puts it to the
user; what the user says is judged by a typed verdict, plain consent without a model. After the last round, or
where nobody is there, the last wording counts. It is what the decomposer is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt
from pydantic import BaseModel, Field

from .approval import read_decision
from .context import Context
from .errors import BudgetExceeded, ModelError
from .guard import fence
from .models import chat, structured
from .note_taker import bounded
from .prompting import system_prompt

_SHOWN = {
    "en": "This is what would be researched:\n\n{}\n\nIs that right? yes, or what to change.",
    "zh": "将要研究的内容如下：\n\n{}\n\n这样可以吗？请回答“好”，或说明要改什么。",
    "ja": "次の内容を調べます。\n\n{}\n\nこれでよいですか。「はい」か、変えたい点を書いてください。",
}


class Satisfaction(BaseModel):
    """Whether the user is content with the wording."""

    satisfied: bool = Field(description="True if nothing is to be changed.")
    wishes: str = Field(description="What is to be changed, in the user's words; empty if nothing.")


async def rephrase(question: str, earlier: str, wishes: Sequence[str], ctx: Context) -> str:
    """The question in full words; `earlier` is the last wording, `wishes` what the user said so far.

    The earlier wording, or the question, if no model can write one.
    """
    from langchain_core.messages import HumanMessage

    chosen = ctx.settings.queue
    prompt = system_prompt(
        "rephraser", ctx, min_words=chosen.rephrase_min_words, max_words=chosen.rephrase_max_words
    )
    said = [f"Question: {fence(question)}", *([f"Last wording: {fence(earlier)}"] if earlier else [])]
    said += [f"The user wants this changed: {fence(wish)}" for wish in wishes]
    try:
        message = await chat("planner", [prompt, HumanMessage("\n\n".join(said))], ctx)
    except (ModelError, BudgetExceeded) as error:
        ctx.emit("gap", role="planner", text=f"the question stays as it is: {error}")
        return earlier or question
    return bounded(str(message.text).strip(), chosen.rephrase_max_words).text or earlier or question


async def satisfaction(wording: str, reply: str, ctx: Context) -> Satisfaction:
    """What a reply means; one that cannot be judged is a wish."""
    from langchain_core.messages import HumanMessage

    if read_decision(reply) == "accept":
        return Satisfaction(satisfied=True, wishes="")
    shown = f"Wording:\n{fence(wording)}\n\nReply: {fence(reply)}"
    try:
        return await structured(
            "planner", [system_prompt("rephrase_check", ctx), HumanMessage(shown)], Satisfaction, ctx
        )
    except (ModelError, BudgetExceeded):
        return Satisfaction(satisfied=False, wishes=reply)


async def rephrase_node(
    state: Mapping[str, Any], runtime: Runtime[Context]
) -> Command[Literal["rephrase", "decompose"]]:
    """Put the question into words, then to the user; the wording is in the state before the user is asked."""
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
