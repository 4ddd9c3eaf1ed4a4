"""Agents assembled from the parts of the `deepagents` library: one helper, the same middleware for all
roles.

The library's `create_deep_agent` adds sub-agents and tools of its own (a general-purpose helper, `delete`,
`edit_file`, `execute`), and middleware given to it does not reach the sub-agents. So the pieces are put
together here: a list of todos, virtual files to which large results are evicted, summarization of a long
conversation, and our own middleware (`middleware.py`). A role is a name; one run of it works with an
`AgentRun`. Imported only when an agent is about to run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from deepagents.backends import StateBackend
from deepagents.middleware.filesystem import FilesystemMiddleware, FsToolName
from deepagents.middleware.patch_tool_calls import PatchToolCallsMiddleware
from deepagents.middleware.summarization import SummarizationMiddleware
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, TodoListMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    BaseMessage,
    convert_to_openai_messages,
    get_buffer_string,
)
from langchain_core.messages.tool import tool_call
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.runtime import get_runtime

from deep_research.engine.chat import ModelRequest, complete, wire_message
from deep_research.engine.context import Context
from deep_research.engine.fitting import message_tokens

from .agent_run import AgentRun
from .middleware import EmptyContentMiddleware, LedgerMiddleware, summarize_history

FILE_TOOLS: tuple[FsToolName, ...] = ("ls", "read_file", "grep")
"""What an agent may do with the virtual files: look. No role has a tool that writes, edits or deletes."""
_DESCRIPTIONS = {
    "ls": "List your files. Set `path` to '/' to list all of them.",
    "read_file": "Read at most `limit` lines of one of your files, starting at line `offset`.",
    "grep": "Find the lines of your files that contain a text.",
}
_TODOS = "Write your list of todos, each with its content and status. It replaces your earlier list."
_STEPS_PER_TURN = 8
"""Graph steps of one turn at most: model, tools, and the hooks around them."""


@dataclass(frozen=True, slots=True)
class _Sizes:
    """In tokens: from what size on a result goes to a file, and a conversation is summarized."""

    evict: int
    summarize: int
    keep_messages: int


async def run_agent(
    role: str, run: AgentRun, messages: Sequence[Any], files: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Let an agent work until it has written an answer or its run has ended; returns its state at the end.

    Raises what its model calls raise.
    """
    begin = {"messages": list(messages), "files": {path: _file(text) for path, text in (files or {}).items()}}
    config: Any = {"recursion_limit": _STEPS_PER_TURN * (run.most_turns + 1)}
    state: dict[str, Any] = await build_agent(role, _sizes(run.ctx)).ainvoke(begin, config, context=run)
    return state


def _file(text: str) -> dict[str, str]:
    """A virtual file; without the machine's time, which may show in a prompt."""
    return {"content": text, "encoding": "utf-8"}


def _sizes(ctx: Context) -> _Sizes:
    deep = ctx.settings.deep
    window = int(ctx.settings.context_window * deep.summarize_at)
    return _Sizes(deep.evict_above, window, deep.keep_messages)


@lru_cache(maxsize=16)
def build_agent(role: str, sizes: _Sizes) -> Any:
    """The graph of an agent; built once, since all that belongs to one run of it is in an `AgentRun`."""
    return create_agent(
        RoleModel(role=role),
        middleware=middleware_of(role, sizes),
        context_schema=AgentRun,
        checkpointer=False,  # the call log is what an agent's run resumes from
        name=role,
    )


def middleware_of(role: str, sizes: _Sizes) -> list[AgentMiddleware[Any, Any]]:
    """The middleware of every role, outermost first."""
    backend = StateBackend()
    return [
        TodoListMiddleware(system_prompt="", tool_description=_TODOS),
        FilesystemMiddleware(
            backend=backend,
            tools=list(FILE_TOOLS),
            custom_tool_descriptions=_DESCRIPTIONS,
            tool_token_limit_before_evict=sizes.evict,
        ),
        LedgerMiddleware(),
        EmptyContentMiddleware(),
        _Summaries(role, backend, sizes),
        PatchToolCallsMiddleware(),
    ]


class _Summaries(SummarizationMiddleware):
    """The library's summarization, with our words, our tokens, and nothing that differs from run to run."""

    def __init__(self, role: str, backend: StateBackend, sizes: _Sizes) -> None:
        super().__init__(
            RoleModel(role=role),
            backend=backend,
            trigger=("tokens", sizes.summarize),
            keep=("messages", sizes.keep_messages),
            token_counter=_count,
            trim_tokens_to_summarize=None,
            summarizer=_summary,
        )

    def _get_session_id(self, state: Mapping[str, Any]) -> str:
        return f"branch_{get_runtime(AgentRun).context.ctx.branch}"

    async def _aoffload_to_backend(
        self, backend: Any, messages: list[AnyMessage], session_id: str
    ) -> str | None:
        """Append what is summarized to the branch's history file, without the machine's time."""
        path = self._get_history_path(session_id)
        text = get_buffer_string(self._filter_summary_messages(messages))
        (old,) = await backend.adownload_files([path])
        if old.content is None:
            result = await backend.awrite(path, text)
        else:
            before = old.content.decode()
            result = await backend.aedit(path, before, f"{before}\n{text}")
        return None if result.error else path


async def _summary(messages: list[AnyMessage]) -> str:
    return await summarize_history(messages, get_runtime(AgentRun).context)


def _count(messages: Iterable[Any], **more: Any) -> int:
    """Tokens of a conversation, as everywhere else; tools on offer are not counted."""
    return sum(message_tokens(dict(wire)) for wire in convert_to_openai_messages(list(messages)))


class RoleModel(BaseChatModel):
    """The model of a role, for graphs whose run context is an `AgentRun`; it holds nothing but the name.

    Agent libraries want a model object before there is a run. Each call of this one goes through `complete`,
    like every other model call: budget, call log, retries and trace see it.
    """

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
        ctx = get_runtime(AgentRun).context.ctx
        shown = [message.model_copy(update={"content": message.text}) for message in messages]
        asked = ModelRequest(self.role, [wire_message(message) for message in shown], [*map(dict, tools)])
        message = await complete(asked, ctx)
        return ChatResult(generations=[ChatGeneration(message=_all_readable(message))])


def _all_readable(message: AIMessage) -> AIMessage:
    """The message with its unreadable calls as calls without proper arguments, so that each is answered."""
    broken = [
        tool_call(name=call["name"] or "unknown", args={"unreadable": call["args"] or ""}, id=call["id"])
        for call in message.invalid_tool_calls
    ]
    calls = [*message.tool_calls, *broken]
    return message.model_copy(update={"tool_calls": calls, "invalid_tool_calls": []})
