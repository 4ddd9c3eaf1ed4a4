"""Role → chat model: the one path for every model call, offline or live.

`chat` sends messages and returns the model's message; `structured.structured` returns an object of a schema.

Text that is streamed arrives as `token` events that a watcher can put together to the text that counts. Two
things would spoil that: a model's thoughts, which are held back (`thoughts`), and a stream that breaks and is
sent again: an event then takes back what it had shown (`retract` in its data, a number of characters).
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from deep_research.core.errors import BudgetExceeded, ModelError
from deep_research.core.secrets import KeyFilter, without_keys
from deep_research.text.cited_sentences import all_sentences
from deep_research.text.inventions import given_only
from deep_research.text.language import count_tokens, shorten
from deep_research.text.source_ids import with_plain_ids

from .calls import Call, Reply, http_status_of, is_refusal_for_size, perform
from .clients import LOCAL, price
from .context import Context
from .fitting import fit_messages, message_tokens, source_blocks
from .prompting import words_given
from .store import digest
from .thoughts import OPENING, THINKING, THOUGHTS, ThoughtFilter
from .tools import Tool
from .written_calls import offered_name, written_calls

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage


_CONTINUATIONS = 3
_LIMIT = "max_completion_tokens"
"""The newer name of the limit on an answer, which older servers refuse."""
_WINDOW = re.compile(
    r"(?:context[ _-]?(?:length|window|size)|n_ctx|maximum)[^\d.]{0,30}(\d[\d,]{2,})"
    r"|(\d[\d,]{2,})[^\d.]{0,3}(?:tokens? )?(?:maximum|limit)",
    re.IGNORECASE,
)
_REPEATED = 200
"""Characters at the beginning of a continuation that may not stand in the text already."""
_SHORTER_TRIES = 1
_SMALLEST_OUTPUT = 200
_TOLD = 100
"""Characters of a message that nobody repeats for another reason."""
_REFUSAL = 200
"""Characters of a model's refusal in an error."""
_CONTINUE = "Your text was cut off by the length limit. Continue exactly where it stopped; repeat nothing."
_SHORTER = (
    "Your message was cut off by the length limit. Write it again, much shorter: one call, or one sentence."
)


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What a role asks of its model, in OpenAI's form.

    `options` go into the request as they are (`response_format`, `tool_choice`). With `stream` the text is
    reported as it comes; with `shared` branches that ask the same share the answer. `window` is what this
    request may take of the model's context, where more was refused.
    """

    role: str
    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]] = field(default_factory=list)
    options: Mapping[str, Any] = field(default_factory=dict)
    stream: bool = False
    shared: bool = False
    window: int = sys.maxsize


async def chat(
    role: str, messages: Sequence[Any], ctx: Context, *, tools: Sequence[Tool] = (), stream: bool = False
) -> AIMessage:
    """Send messages as a role and return its message; a text cut by the length limit is continued.

    Raises `BudgetExceeded` before a call that the budget does not allow, `ModelError` when the call fails for
    good, or where the answer repeats the request; of a model that has tools, that is a message without text.
    """
    wire, specs = [wire_message(message) for message in messages], [tool.spec() for tool in tools]
    answer = await complete(ModelRequest(role, wire, specs, stream=stream), ctx)
    own = answer.text if answer.tool_calls else _own_words(answer.text, wire)
    if own != answer.text:
        if not own and not tools:
            raise ModelError(f"The {role} repeated what it was told, and said nothing.", "Change the model.")
        answer.content = own
    topical = {tool.name for tool in tools if tool.arguments.given_only}
    if any(call["name"] in topical for call in answer.tool_calls):
        given = words_given(messages)
        answer.tool_calls = [
            {**call, "args": given_only(call["args"], given)} if call["name"] in topical else call
            for call in answer.tool_calls
        ]
    return answer


async def complete(asked: ModelRequest, ctx: Context) -> AIMessage:
    """The whole message that answers a request; raises as `chat` does."""
    from langchain_core.messages import AIMessage

    reply: dict[str, Any] = {}
    spec = ctx.settings.model_for(asked.role)
    text, parts = "", 0
    while parts <= _CONTINUATIONS:
        try:
            reply = await _call(asked, ctx)
        except ModelError as error:
            if _LIMIT in error.message and not (is_too_long(error) or spec in ctx.models.older):
                ctx.models.older.add(spec)
                continue
            sent, stated = min(asked.window, _whole_size(asked.messages)), stated_window(error.message)
            if is_too_long(error) and (less := ctx.models.narrow(spec, stated, sent)):
                asked = replace(asked, window=less)
                continue
            if parts or not asked.tools or not is_refused(error):
                raise
            asked = _without_tools(asked)  # roles can deal with a model that only talks
            continue
        except BudgetExceeded:
            if not parts:
                raise
            break
        if (
            asked.tools
            and not reply["tool_calls"]
            and (written := written_calls(reply["content"], asked.tools))
        ):
            reply = {**reply, "content": "", "tool_calls": written}
        parts += 1
        cut = reply["finish_reason"] == "length" and not reply["tool_calls"]
        if cut and asked.tools and parts <= _SHORTER_TRIES:
            again = {"role": "user", "content": _SHORTER}
            asked = replace(asked, messages=[*asked.messages, again])
            continue
        repeats = bool(text) and reply["content"].strip()[:_REPEATED] in text
        text = text if repeats else text + reply["content"]
        if not cut or repeats or asked.options or asked.tools or not text.strip():
            break
        more = [{"role": "assistant", "content": text}, {"role": "user", "content": _CONTINUE}]
        asked = replace(asked, messages=[*asked.messages, *more])
    named = {
        kind: [{**call, "name": offered_name(call["name"] or "", asked.tools)} for call in reply[kind]]
        for kind in ("tool_calls", "invalid_tool_calls")
    }
    return AIMessage(
        content=with_plain_ids(text.strip("\n")),  # only now: parts must join as they were cut
        **named,
        response_metadata={"finish_reason": reply["finish_reason"]},
    )


def _own_words(text: str, wire: Sequence[Mapping[str, Any]]) -> str:
    """A text; one that is for the most part whole messages, or sources, of its request, without those.

    What introduces them ("Here you are:") goes with them.
    """
    told = [str(message.get("content") or "") for message in wire if message["role"] != "assistant"]
    told += [block for content in told for block in source_blocks(content)]
    left, said = text, " ".join(text.split())
    for words in sorted((one.split() for one in told), key=len, reverse=True):
        if len(whole := " ".join(words)) > _TOLD and whole in said:
            left = re.sub(r"\s+".join(map(re.escape, words)), "", left)
    if 2 * len(left) >= len(text):
        return text
    return left if any(not one.text.endswith((":", "：")) for one in all_sentences(left)) else ""


def wire_message(message: Any) -> dict[str, Any]:
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


def is_refused(error: ModelError) -> bool:
    """Whether an endpoint did not accept the form of a request, such as a schema or tools."""
    return http_status_of(error.__cause__) in (400, 404, 422, 501) and not is_too_long(error)


def is_too_long(error: ModelError) -> bool:
    """Whether the messages do not fit into the model's context, whatever was assumed of its size."""
    cause = error.__cause__
    named = any(base.__name__ == "ContextOverflowError" for base in type(cause).__mro__)
    told = is_refusal_for_size(http_status_of(cause), error.message)
    return named or told or getattr(cause, "code", None) == "context_length_exceeded"


def stated_window(message: str) -> int:
    """The size of its context that an endpoint names in an error; 0 if it names none."""
    found = _WINDOW.search(message)
    return int((found[1] or found[2]).replace(",", "")) if found else 0


def _without_tools(asked: ModelRequest) -> ModelRequest:
    """A request for an endpoint that knows no tools: their results become messages of the user."""
    plain = [
        {"role": "user" if message["role"] == "tool" else message["role"], "content": message["content"]}
        for message in asked.messages
    ]
    return replace(asked, messages=[message for message in plain if message["content"]], tools=[])


def _whole_size(messages: Sequence[dict[str, Any]]) -> int:
    """Tokens of messages, with the room of an answer, which is a quarter of a window."""
    return sum(map(message_tokens, messages)) * 4 // 3


async def _call(asked: ModelRequest, ctx: Context) -> dict[str, Any]:
    """One model call through the gateway; the request is what the call log keeps."""
    role, options = asked.role, dict(asked.options)
    spec = ctx.settings.model_for(role)
    window = min(asked.window, ctx.models.window(spec))
    most_output = min(ctx.settings.most_output(role), window // 4)
    around = count_tokens(json.dumps([asked.tools, options], ensure_ascii=False))
    wire, cut = fit_messages(asked.messages, window - most_output - around)
    if cut:
        ctx.emit("budget", role=role, text=f"shortened to fit the context window: {', '.join(cut)}", cut=cut)
    input_tokens = sum(message_tokens(message) for message in wire)
    max_tokens = _affordable_output(role, input_tokens, most_output, spec, ctx)
    request = {
        "model": spec, "messages": wire, "tools": asked.tools, "options": options, "max_tokens": max_tokens,
    }  # fmt: skip
    tools = {"tools": asked.tools} if asked.tools else {}
    limit: dict[str, Any] = {"max_tokens": max_tokens}
    limit = {"extra_body": limit} if spec in ctx.models.older else limit
    extra = {**tools, **options, **_idempotency(spec, request, asked.shared, ctx), **limit}

    async def send() -> Reply:
        bound = ctx.models.client(spec).bind(**extra)
        message = await (receive_stream(bound, wire, role, ctx) if asked.stream else bound.ainvoke(wire))
        return _reply(message, spec, input_tokens)

    worst = {"tokens": input_tokens + max_tokens, "cost_usd": price(spec, input_tokens, max_tokens)}
    response: dict[str, Any] = await perform(
        Call("model", role, request, send, worst, spec, asked.shared), ctx
    )
    ctx.models.answered[spec] = max(ctx.models.answered.get(spec, 0), _whole_size(wire))
    return response


def _idempotency(spec: str, request: dict[str, Any], shared: bool, ctx: Context) -> dict[str, Any]:
    """A header that is the same when this very call is tried again, even after a kill, and never else.

    One that branches share is the same call whichever of them sends it: after a kill it may be another.
    """
    if spec.partition(":")[0] not in ("openai", "offline", LOCAL):
        return {}  # other clients take no headers here
    key = digest(request)
    sender = [] if shared else [ctx.branch, ctx.shared.occurrences[ctx.branch, "model", key]]
    return {"extra_headers": {"Idempotency-Key": digest([ctx.run_id, key, *sender])}}


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
    content = _text_of(message)
    refusal, reason = message.additional_kwargs.get("refusal"), message.response_metadata.get("finish_reason")
    if (refusal or reason == "content_filter") and not (content.strip() or message.tool_calls):
        why = shorten(refusal or "a content filter stopped the answer", _REFUSAL).rstrip(".")
        raise ModelError(f"Model '{spec}' refused to answer: {why}.", "Ask in other words, or another model.")
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


def _text_of(message: Any) -> str:
    """What a message says, without thoughts; thoughts that came beside it where there is nothing else.

    Those that were cut are no answer.
    """
    text = THINKING.sub("", message.text) if message.content else ""
    calls = message.tool_calls or message.invalid_tool_calls
    if text.strip() or calls or message.response_metadata.get("finish_reason") == "length":
        return text
    return message.additional_kwargs.get(THOUGHTS) or text


def _unique(ids: list[str | None]) -> list[str]:
    """The ids of a message's tool calls; one that is missing or used twice is replaced."""
    return [i if i and i not in ids[:n] else f"{i or 'call'}-{n + 1}" for n, i in enumerate(ids)]


async def receive_stream(model: Any, wire: list[dict[str, Any]], role: str, ctx: Context) -> Any:
    """Receive a message in pieces, reporting its text as it comes.

    Raises `ConnectionError` for a stream that ends before the message does. However it fails, what was shown
    is taken back, since whoever tries again shows it once more.
    """
    whole, thoughts, keys, shown = None, ThoughtFilter(), KeyFilter(), 0

    def show(text: str) -> int:
        if text:
            ctx.emit("token", role=role, text=text)
        return len(text)

    try:
        async for chunk in model.astream(wire):
            shown += show(keys.feed(thoughts.feed(chunk.text)))
            whole = chunk if whole is None else whole + chunk
        if whole is None or not whole.response_metadata.get("finish_reason"):
            raise ConnectionError(f"the stream for the {role} broke off")  # temporary: it is tried again
    except BaseException as error:
        if shown:
            ctx.emit("token", role=role, retract=shown)
        if whole is None and isinstance(error, ValueError):  # no event of a stream: it knows none
            return await model.ainvoke(wire)
        raise
    shown += show(keys.feed(thoughts.rest()) + keys.rest())
    text = _text_of(whole)
    if shown and text != whole.text and not OPENING.search(whole.text):
        ctx.emit("token", role=role, retract=shown)  # it began as a thought, which only its end has told
        shown = 0
    if not shown:
        show(without_keys(text))
    return whole
