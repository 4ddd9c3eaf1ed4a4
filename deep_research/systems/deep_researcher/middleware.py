"""What every agent gets besides the library's own middleware: ledger, no empty messages, and summaries.

The summary replaces an agent's own conversation when it grows too long for the model's window. The model
writes a few lines; code adds what must survive whatever the model writes: the plan, the open gaps, and every
source by id and title. Retries and the mending of tool names are not here: each model call has them already
(`calls`, `chat`). Imported only when an agent is about to run.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse, hook_config
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from deep_research.core.errors import BudgetExceeded, ModelError
from deep_research.engine.chat import chat
from deep_research.engine.evidence import as_attribute
from deep_research.engine.prompting import system_prompt
from deep_research.text.fence import fence

from .agent_run import AgentRun

ModelHandler = Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
_SAY_SOMETHING = "Your last message was empty. Call a tool, or write what you have to say."


class LedgerMiddleware(AgentMiddleware):
    """Puts the `AgentRun`'s instructions and tools before the model, and has it answer their calls.

    So each search goes through the source ledger, whoever makes it, and the run says when the agent ends.
    """

    @hook_config(can_jump_to=["end"])
    async def abefore_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """End where the run says so, instead of asking the model once more."""
        return None if runtime.context.next_turn() else {"jump_to": "end"}

    async def awrap_model_call(self, request: ModelRequest[Any], handler: ModelHandler) -> ModelResponse[Any]:
        """Instructions and tools come from the run; what comes back may be amended."""
        run: Any = request.runtime.context
        tools = [*(tool.spec() for tool in run.tools), *request.tools]
        response = await handler(request.override(system_message=run.instructions, tools=tools))
        return ModelResponse(result=[run.amended(message) for message in response.result])

    async def awrap_tool_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """The run's own tools are carried out by it; the others by the library."""
        run, call = request.runtime.context, request.tool_call
        names = [tool.name for tool in run.tools]
        if request.tool is None and call["name"] not in names:
            told = f"Error: There is no tool '{fence(call['name'])}'. Tools: {', '.join(names)}."
            return ToolMessage(told, tool_call_id=call["id"], name=call["name"], status="error")
        if call["name"] not in names:
            return await handler(request)
        message = next(m for m in reversed(request.state["messages"]) if m.type == "ai")
        return await run.answer(message, call["id"])


class EmptyContentMiddleware(AgentMiddleware):
    """Asks once more where a model sent neither text nor a call; should it stay silent, says so in its place.

    Some endpoints refuse a conversation that holds an empty message.
    """

    async def awrap_model_call(self, request: ModelRequest[Any], handler: ModelHandler) -> ModelResponse[Any]:
        response = await handler(request)
        if _is_empty(response):
            again = [*request.messages, HumanMessage(_SAY_SOMETHING)]
            response = await handler(request.override(messages=again))
        return ModelResponse(result=[AIMessage("(no answer)")]) if _is_empty(response) else response


def _is_empty(response: ModelResponse[Any]) -> bool:
    return not any(message.text.strip() or getattr(message, "tool_calls", ()) for message in response.result)


async def summarize_history(messages: Sequence[Any], run: AgentRun) -> str:
    """A conversation in short; where no model can write it, only what code adds.

    `messages` may hold source blocks: they are shown to the model as data.
    """
    shown = [HumanMessage(f"{message.type}: {_words(message)}") for message in messages]
    try:
        written = await chat("summarizer", [system_prompt("history_summary", run.ctx), *shown], run.ctx)
        text = str(written.text).strip()
    except (ModelError, BudgetExceeded) as error:
        run.ctx.emit("budget", role="summarizer", text=f"a conversation was cut without a summary: {error}")
        text = ""
    sources = [f"- {source.id}: {as_attribute(source.title)} ({source.tier})" for source in run.sources()]
    listed = ["Sources found so far:\n" + "\n".join(sources)] if sources else []
    return "\n\n".join(part for part in (text, *run.kept, *listed) if part)


def _words(message: Any) -> str:
    calls = [f"{call['name']} {call['args']}" for call in getattr(message, "tool_calls", ())]
    return "\n".join([message.text, *(fence(call) for call in calls)]).strip()
