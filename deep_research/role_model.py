"""A chat model that is a role: it picks its client from the run when it is called, not when it is built.

Agent libraries want a model object before there is a run. This one holds the role's name and nothing else.
Each call goes through `models.chat`, like every other model call: budget, call log, retries and trace see it,
and a run that is resumed sends none twice. Imported only when an agent is about to run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.tool import tool_call
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.runtime import get_runtime

from .desk import Desk
from .models import chat


@dataclass(frozen=True, slots=True)
class _Bound:
    """A tool in OpenAI's form, as `chat` takes tools."""

    definition: Mapping[str, Any]

    def spec(self) -> dict[str, Any]:
        return dict(self.definition)


class RoleModel(BaseChatModel):
    """The model of a role, for graphs whose run context is a `Desk`."""

    role: str

    @property
    def _llm_type(self) -> str:
        return "role"

    def bind_tools(self, tools: Sequence[Any], *, tool_choice: Any = None, **more: Any) -> Any:
        """This model with tools on offer; whether one is called is always left to the model."""
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **more)

    def _generate(self, *args: Any, **options: Any) -> ChatResult:
        raise NotImplementedError("A role is called asynchronously only: use ainvoke.")

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: Any = None,
        *,
        tools: Sequence[Mapping[str, Any]] = (),
        **options: Any,
    ) -> ChatResult:
        ctx = get_runtime(Desk).context.ctx
        shown = [message.model_copy(update={"content": message.text}) for message in messages]
        offered: Any = [_Bound(tool) for tool in tools]
        message = await chat(self.role, shown, ctx, tools=offered)
        return ChatResult(generations=[ChatGeneration(message=_all_readable(message))])


def _all_readable(message: AIMessage) -> AIMessage:
    """The message with its unreadable calls as calls without proper arguments, so that each is answered."""
    broken = [
        tool_call(name=call["name"] or "unknown", args={"unreadable": call["args"] or ""}, id=call["id"])
        for call in message.invalid_tool_calls
    ]
    calls = [*message.tool_calls, *broken]
    return message.model_copy(update={"tool_calls": calls, "invalid_tool_calls": []})
