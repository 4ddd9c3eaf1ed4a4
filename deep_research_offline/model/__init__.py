"""The offline model: an extractive research policy behind the chat-completions API.

It stands in for a language model where there is no key. It is a pure function of the request, sees what
any model sees and nothing else, and knows no subject: only general vocabulary (`words.toml`,
`thesaurus.toml`). It never writes a statement of fact of its own; it chooses passages, follows names from one
to the next, compares values of one kind, and says what is not there.

    foreign        prompts and results of other people's agents
    conversation   turns and evidence of a request     offer       tools and plain instructions in it
    passages       a page as whole passages            query       a question as weighted concepts
    parts          the questions in a text             dating      what is dated, and as of when
    names          what pages show as names            rank        which passages serve a question
    paths          ways over several passages          answer      what is found, part by part, how surely
    compare        values of one kind side by side     extremes    the first of many, and all
    lookup         the report on a look-up             research    the next search
    supervise      topics to hand out                  gather      what bears on a broad request
    kinds          report or look-up, and which        request     what is asked, read once for all
    lists          things side by side, criteria       pointing    parts that lean on others
    unknown        what no page knows                  shared_names  names of a request and their kind
    scope          clarify, brief, stand alone         digest      summarize and compress
    verdict        hard or easy, answered or not       fill        any JSON schema
    flaws          variants with one fault each

`complete(request)` takes the JSON body of a chat-completions request and returns the response.
"""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from .act import as_messages, tool_calls
from .conversation import Conversation
from .digest import compress
from .fill import fill
from .flaws import act, fill_in, flaw_of, hear, pass_on, refusal, speak, spoil
from .offer import asks_for_answer, offered
from .text import token_count
from .writing import plain_answer, write

__all__ = ["complete"]

_KEY_LIST = re.compile(r"[\"'`]([A-Za-z_]\w*)[\"'`]")


def complete(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a chat-completions request.

    `request` is the JSON body (messages, tools, tool_choice, parallel_tool_calls, response_format,
    max_tokens or max_completion_tokens, model). The result is a `chat.completion` object whose id depends
    on the request alone, or the `error` of a model that refuses the request.
    """
    seed = hashlib.sha256(
        json.dumps(request, sort_keys=True, ensure_ascii=False, default=str).encode()
    ).hexdigest()
    flaw, most = flaw_of(request.get("model")), _most_output(request)
    prompt = sum(token_count(json.dumps(m, ensure_ascii=False)) for m in request.get("messages") or ())
    if refused := refusal(flaw, prompt, most):
        return refused
    message, reason = spoil(flaw, *_message(request, flaw, seed), most, seed)
    written = token_count(message.get("content") or "") + token_count(
        json.dumps(message.get("tool_calls") or "", ensure_ascii=False)
    )
    return {
        "id": f"chatcmpl-{seed[:29]}",
        "object": "chat.completion",
        "created": 0,
        "model": request.get("model") or "offline",
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": reason}],
        "usage": {"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": prompt + written},
    }


def _most_output(request: Mapping[str, Any]) -> int | None:
    most = request.get("max_completion_tokens") or request.get("max_tokens")
    return int(most) if most else None


def _message(request: Mapping[str, Any], flaw: str, seed: str) -> tuple[dict[str, Any], str]:
    messages, choice = list(request.get("messages") or ()), request.get("tool_choice")
    talk = hear(flaw, messages)
    if tools := offered(request.get("tools") or ()) if choice != "none" else []:
        parallel = request.get("parallel_tool_calls") is not False
        calls = tool_calls(talk, tools, parallel, _forced_name(choice, [t.name for t in tools]))
        if calls := act(flaw, calls, tools, talk):
            made = as_messages(calls, seed)
            return {"role": "assistant", "content": None, "tool_calls": made, "refusal": None}, "tool_calls"
    text, most = _continued(request, flaw, messages) or _text(request, flaw, talk), _most_output(request)
    # the longest beginning that fits into the limit
    fits = bisect(range(1, len(text) + 1), most, key=lambda n: token_count(text[:n])) if most else len(text)
    reason = "length" if fits < len(text) else "stop"
    return {"role": "assistant", "content": text[:fits], "refusal": None}, reason


def _forced_name(choice: Any, names: list[str]) -> str | None:
    if isinstance(choice, Mapping):
        name = (choice.get("function") or choice).get("name")
        return name if name in names else None
    return names[0] if choice in ("required", "any") and len(names) == 1 else None


def _continued(request: Mapping[str, Any], flaw: str, messages: list[Mapping[str, Any]]) -> str:
    """What follows on earlier answers that a limit has cut off, if the last ones are such."""
    given = ""
    while len(messages) > 2 and [m.get("role") for m in messages[-2:]] == ["assistant", "user"]:
        text = messages[-2].get("content")
        if not isinstance(text, str) or messages[-2].get("tool_calls"):
            break
        given, messages = text + given, messages[:-2]
        whole = _text(request, flaw, hear(flaw, messages))
        if whole.startswith(given) and whole != given:
            return whole[len(given) :]
    return ""


def _text(request: Mapping[str, Any], flaw: str, talk: Conversation) -> str:
    schema = _wanted_schema(request.get("response_format") or {}, talk)
    if schema is not None:
        filled = fill_in(flaw, fill(schema, talk), talk)
        return talk.foreign.addressed(json.dumps(filled, ensure_ascii=False))
    if talk.findings or talk.listed:
        text = speak(flaw, write(talk), talk)
    elif (
        talk.sources
        and (talk.foreign.compress or not talk.calls)
        and not asks_for_answer("\n".join([talk.system, *talk.said[-1:]]))
    ):
        text = pass_on(flaw, compress(talk), talk)
    else:
        text = speak(flaw, plain_answer(talk), talk)
    return talk.foreign.credited(text)


def _wanted_schema(response_format: Mapping[str, Any], talk: Conversation) -> Mapping[str, Any] | None:
    """The schema to fill: given with the request, or described in the prompt for JSON in plain text."""
    kind, prose = response_format.get("type"), f"{talk.system}\n{talk.said[-1] if talk.said else ''}"
    if kind == "json_schema":
        return (response_format.get("json_schema") or {}).get("schema") or {"type": "object"}
    if kind != "json_object" and not re.search(r"\bjson (?:schema|object)\b", prose, re.IGNORECASE):
        return None
    decoder = json.JSONDecoder()
    for match in re.finditer(r"\{", prose):
        with suppress(ValueError):
            value, _ = decoder.raw_decode(prose[match.start() :])
            if "properties" in value:
                return dict(value)
    keys = _KEY_LIST.findall(talk.system) or ["answer"]
    return {"type": "object", "properties": {k: {"type": "string"} for k in keys}} if kind else None
