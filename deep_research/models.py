"""Role → chat model. One path for every model call, offline or live.

`chat` sends messages and returns the model's message; `structured` returns an object of a schema, whatever
it takes (see `_LADDER`). Clients are built at the first call, never at import. Offline, the same `ChatOpenAI`
talks to an in-process transport.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel

from .calls import Call, Reply, perform, status_of
from .context import Context
from .errors import BudgetExceeded, ModelError, StructuredOutputError, UsageError
from .fitting import fit, message_tokens
from .objects import parse_object
from .settings import Settings
from .store import digest
from .streaming import THINKING, receive
from .tools import Tool

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

    from .offline.handlers import OfflineProvider

T = TypeVar("T", bound=BaseModel)
_CONTINUATIONS = 3
_SMALLEST_OUTPUT = 200
_CONTINUE = "Your text was cut off by the length limit. Continue exactly where it stopped; repeat nothing."
_LADDER = ("schema", "tool", "text")
"""Ways of asking for an object, best first; an endpoint that refuses one is asked the next way."""


class Models:
    """Builds and keeps the clients of a run, one per model spec."""

    def __init__(
        self,
        settings: Settings,
        provider: OfflineProvider | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._settings = settings
        self._provider = provider
        self._env = os.environ if env is None else env
        self._clients: dict[str, Any] = {}
        self._connections: list[Any] = []
        self.ways: dict[str, int] = {}

    def client(self, spec: str) -> Any:
        """The chat model of a spec such as `offline`, `openai:gpt-5-mini` or `anthropic:…`."""
        if spec not in self._clients:
            self._clients[spec] = self._build(spec)
        return self._clients[spec]

    def prepare(self) -> None:
        """Build the clients of all specs now, so that a missing key is refused before anything is spent."""
        for spec in sorted(set(self._settings.models.values())):
            self.client(spec)

    async def close(self) -> None:
        """Close the connections of live clients."""
        for connection in self._connections:
            await connection.aclose()

    def _build(self, spec: str) -> Any:
        provider, _, name = spec.partition(":")
        if provider == "offline":
            return self._offline(spec)
        if not name:
            raise UsageError(
                f"Model '{spec}' is not of the form provider:name.", "For example: openai:gpt-5-mini"
            )
        options: dict[str, Any] = {"max_retries": 0, "timeout": self._settings.call_timeout}
        if self._settings.temperature is not None:
            options["temperature"] = self._settings.temperature
        if provider != "openai":
            return _other_provider(spec, options)
        import httpx2

        from .chat_openai import ForgivingChatOpenAI

        key = self._env.get("OPENAI_API_KEY") or ("not-needed" if self._settings.base_url else None)
        if not key:
            raise UsageError("OPENAI_API_KEY is not set.", "Set it, or use --model offline.")
        # Connections of our own: the library's are shared between runs, and break with the first event loop.
        self._connections.append(httpx2.AsyncClient())
        return ForgivingChatOpenAI(
            model=name,
            api_key=key,
            base_url=self._settings.base_url,
            use_responses_api=False,
            stream_usage=True,
            http_client=httpx2.Client(),
            http_async_client=self._connections[-1],
            **options,
        )

    def _offline(self, spec: str) -> Any:
        from .chat_openai import ForgivingChatOpenAI
        from .offline.transports import chat_clients

        if self._provider is None:
            raise UsageError(
                "The offline model needs an offline provider.", "Use --model offline on its own."
            )
        sync, asynchronous = chat_clients(self._provider)
        return ForgivingChatOpenAI(
            model=spec, api_key="offline", base_url="http://offline.example/v1", use_responses_api=False,
            http_client=sync, http_async_client=asynchronous, openai_proxy="", max_retries=0,
            stream_usage=True,
        )  # fmt: skip


def _other_provider(spec: str, options: dict[str, Any]) -> Any:
    try:
        from langchain.chat_models import init_chat_model
    except ImportError:
        raise UsageError(
            f"Model '{spec}' needs the packages langchain and its provider's integration.",
            "Install them, for example: pip install langchain langchain-anthropic",
        ) from None
    try:
        return init_chat_model(spec, **options)
    except (ImportError, ValueError) as error:
        raise UsageError(f"Model '{spec}' cannot be used: {error}") from None


async def chat(
    role: str,
    messages: Sequence[Any],
    ctx: Context,
    *,
    tools: Sequence[Tool] = (),
    options: Mapping[str, Any] | None = None,
    stream: bool = False,
    shared: bool = False,
) -> AIMessage:
    """Send messages as a role and return its message; a text cut by the length limit is continued.

    `options` go into the request as they are (`response_format`, `tool_choice`). Raises `BudgetExceeded`
    before a call that the budget does not allow, `ModelError` when the call fails for good.
    """
    from langchain_core.messages import AIMessage

    wire = [_wire_message(message) for message in messages]
    specs = [tool.spec() for tool in tools]
    try:
        reply = await _call(role, wire, ctx, specs, dict(options or {}), stream, shared)
    except ModelError as error:
        if not specs or not _is_refused(error):
            raise
        wire, specs = _without_tools(wire), []  # roles can deal with a model that only talks
        reply = await _call(role, wire, ctx, specs, dict(options or {}), stream, shared)
    for _ in range(_CONTINUATIONS):
        if (
            reply["finish_reason"] != "length"
            or reply["tool_calls"]
            or options
            or not reply["content"].strip()
        ):
            break
        wire = [
            *wire,
            {"role": "assistant", "content": reply["content"]},
            {"role": "user", "content": _CONTINUE},
        ]
        try:
            more = await _call(role, wire, ctx, specs, {}, stream, shared)
        except BudgetExceeded:
            break
        reply = {**more, "content": reply["content"] + more["content"]}
    return AIMessage(
        content=reply["content"].strip("\n"),  # only now: parts must join as they were cut
        tool_calls=reply["tool_calls"],
        invalid_tool_calls=reply["invalid_tool_calls"],
        response_metadata={"finish_reason": reply["finish_reason"]},
    )


def _wire_message(message: Any) -> dict[str, Any]:
    """A message in OpenAI's form. Calls with unreadable arguments stay in it: their answers follow."""
    from langchain_core.messages import convert_to_openai_messages

    wired: dict[str, Any] = convert_to_openai_messages(message)
    for call in getattr(message, "invalid_tool_calls", ()):
        arguments = json.dumps({"unreadable": call["args"] or ""}, ensure_ascii=False)
        function = {"name": call["name"] or "unknown", "arguments": arguments}
        wired.setdefault("tool_calls", []).append(
            {"type": "function", "id": call["id"], "function": function}
        )
    return wired


def _is_refused(error: ModelError) -> bool:
    """Whether an endpoint did not accept the form of a request, such as a schema or tools."""
    return status_of(error.__cause__) in (400, 404, 422, 501)


def _without_tools(wire: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A conversation for an endpoint that knows no tools: their results become messages of the user."""
    plain = [{"role": "user" if m["role"] == "tool" else m["role"], "content": m["content"]} for m in wire]
    return [message for message in plain if message["content"]]


async def _call(
    role: str,
    wire: list[dict[str, Any]],
    ctx: Context,
    specs: list[dict[str, Any]],
    options: dict[str, Any],
    stream: bool,
    shared: bool,
) -> dict[str, Any]:
    """One model call through the gateway; the request is what the call log keeps."""
    spec = ctx.settings.model_for(role)
    most_output = ctx.settings.output_tokens.of(role)
    wire, cut = fit(wire, ctx.settings.context_window - most_output)
    if cut:
        ctx.emit("budget", role=role, text=f"shortened to fit the context window: {', '.join(cut)}", cut=cut)
    input_tokens = sum(message_tokens(message) for message in wire)
    max_tokens = _affordable_output(role, input_tokens, most_output, spec, ctx)
    request = {"model": spec, "messages": wire, "tools": specs, "options": options, "max_tokens": max_tokens}

    headers = _idempotency(spec, request, ctx)

    async def send() -> Reply:
        model = ctx.models.client(spec)
        bound = model.bind(**({"tools": specs} if specs else {}), **options, **headers, max_tokens=max_tokens)
        message = await receive(bound, wire, role, ctx) if stream else await bound.ainvoke(wire)
        return _reply(message, spec, input_tokens)

    worst = {"tokens": input_tokens + max_tokens, "cost_usd": price(spec, input_tokens, max_tokens)}
    return await perform(Call("model", role, request, send, worst, spec, shared), ctx)


def _idempotency(spec: str, request: dict[str, Any], ctx: Context) -> dict[str, Any]:
    """A header that is the same when this very call is tried again, even after a kill, and never else."""
    if spec.partition(":")[0] not in ("openai", "offline"):
        return {}  # other clients take no headers here
    key = digest(request)
    call = [ctx.run_id, ctx.branch, key, ctx.shared.occurrences[ctx.branch, "model", key]]
    return {"extra_headers": {"Idempotency-Key": digest(call)}}


def _affordable_output(role: str, input_tokens: int, most: int, spec: str, ctx: Context) -> int:
    """The longest output that what is left of the budget pays for, at most the role's own limit."""
    left = ctx.budget.left(ctx.branch, role)
    if "tokens" in left:
        most = min(most, max(int(left["tokens"]) - input_tokens, _SMALLEST_OUTPUT))
    if "cost_usd" in left and (per_token := price(spec, 0, 1_000_000) / 1_000_000):
        paid = (left["cost_usd"] - price(spec, input_tokens, 0)) / per_token
        most = min(most, max(int(paid), _SMALLEST_OUTPUT))
    return most


def _reply(message: Any, spec: str, estimated_input: int) -> Reply:
    """A model's message as JSON, with its usage (estimated where the endpoint reports none)."""
    usage = message.usage_metadata or {}
    content = THINKING.sub("", message.text) if message.content else ""
    input_tokens = usage.get("input_tokens") or estimated_input
    output_tokens = usage.get("output_tokens") or message_tokens({"content": content})
    ids = _unique([call["id"] for call in (*message.tool_calls, *message.invalid_tool_calls)])
    response = {
        "content": content,
        "tool_calls": [
            {"name": c["name"], "args": c["args"], "id": i}
            for c, i in zip(message.tool_calls, ids, strict=False)
        ],
        "invalid_tool_calls": [
            {"name": c["name"], "args": c["args"], "id": i, "error": None}
            for c, i in zip(message.invalid_tool_calls, ids[len(message.tool_calls) :], strict=True)
        ],
        "finish_reason": message.response_metadata.get("finish_reason"),
    }
    return Reply(response, input_tokens, output_tokens, price(spec, input_tokens, output_tokens))


def _unique(ids: list[str | None]) -> list[str]:
    """The ids of a message's tool calls; one that is missing or used twice is replaced."""
    return [i if i and i not in ids[:n] else f"{i or 'call'}-{n + 1}" for n, i in enumerate(ids)]


def price(spec: str, input_tokens: int, output_tokens: int) -> float:
    """US dollars of a call, by the public price list; 0 for the offline model and for unlisted models."""
    provider, _, name = spec.partition(":")
    if provider == "offline":
        return 0.0
    from genai_prices import Usage, calc_price

    try:
        usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens)
        return float(calc_price(usage, model_ref=name, provider_id=provider).total_price)
    except LookupError:
        return 0.0


async def structured(
    role: str, messages: Sequence[Any], schema: type[T], ctx: Context, *, shared: bool = False
) -> T:
    """An object of `schema` from a role: native schema, tool call or JSON in text, then repair turns.

    Raises `StructuredOutputError` after `limits.max_structured_output_retries` tries.
    """
    from langchain_core.messages import AIMessage, HumanMessage

    spec = ctx.settings.model_for(role)
    conversation = list(messages)
    problem = ""
    for _ in range(ctx.settings.limits.max_structured_output_retries):
        message = await _ask(role, conversation, schema, spec, ctx, shared)
        try:
            if message.response_metadata.get("finish_reason") == "length":
                raise ValueError("it was cut off by the length limit; be shorter.")
            return parse_object(message, schema)
        except ValueError as error:
            problem = str(error)
            repair = (
                f"That was not a valid {schema.__name__} object: {problem} Return only the corrected object."
            )
            conversation = [
                *messages,
                AIMessage(content=message.text or "(no text)"),
                HumanMessage(content=repair),
            ]
    raise StructuredOutputError(f"The {role} gave no valid {schema.__name__}: {problem}")


async def _ask(
    role: str, messages: list[Any], schema: type[T], spec: str, ctx: Context, shared: bool
) -> AIMessage:
    """Ask for an object the best way that the endpoint accepts."""
    while True:
        way = _LADDER[ctx.models.ways.get(spec, 0)]
        try:
            sent, options = _asking(messages, schema, way)
            return await chat(role, sent, ctx, options=options, shared=shared)
        except ModelError as error:
            if not _is_refused(error) or way == _LADDER[-1]:
                raise
            ctx.models.ways[spec] = ctx.models.ways.get(spec, 0) + 1


def _asking(messages: list[Any], schema: type[BaseModel], way: str) -> tuple[list[Any], dict[str, Any]]:
    """Messages and request options for one way of asking."""
    from langchain_core.messages import HumanMessage
    from langchain_core.utils.function_calling import convert_to_openai_function

    function = convert_to_openai_function(schema, strict=True)
    if way == "schema":
        definition = {"name": function["name"], "schema": function["parameters"], "strict": True}
        return messages, {"response_format": {"type": "json_schema", "json_schema": definition}}
    if way == "tool":
        choice = {"type": "function", "function": {"name": function["name"]}}
        return messages, {"tools": [{"type": "function", "function": function}], "tool_choice": choice}
    wanted = json.dumps(function["parameters"], ensure_ascii=False)
    return [
        *messages,
        HumanMessage(content=f"Answer with one JSON object of this schema and no prose: {wanted}"),
    ], {}
