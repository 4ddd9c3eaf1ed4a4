"""Choosing and filling tool calls: the supervisor's, the researcher's, and those of a role never seen."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Mapping, Sequence
from typing import Any

from .conversation import Call, Conversation, outside_fences
from .fill import fill
from .names import mentions
from .offer import Tool, limit, takes_queries
from .phrases import say
from .request import read_request
from .research import AT_ONCE, Move, next_move, queries_of
from .schema import spaced
from .supervise import plan
from .text import language, stem, stems
from .writing import plain_answer

Calls = list[tuple[str, dict[str, Any]]]
_MAX_SEARCHES = 8
_MAX_CALLS = 10
_SCORES = stems("score confidence priority weight relevance")
_REASONS = stems("because reason why justification rationale")
_LIKELY = 0.9
"""How surely a lead of the question belongs to it, where a tool asks for that."""


def tool_calls(talk: Conversation, tools: Sequence[Tool], parallel: bool, forced: str | None) -> Calls:
    """The calls to make now; empty means that a plain answer is due."""
    if forced:
        return [_forced(talk, next(tool for tool in tools if tool.name == forced))]
    by_kind = {tool.kind: tool for tool in reversed(tools) if tool.kind != "other"}
    searches = "search" in by_kind and takes_queries(by_kind["search"].parameters)
    if "delegate" in by_kind and not searches:
        calls = _supervise(talk, by_kind)
    elif "search" in by_kind:
        calls = _research(talk, by_kind, [tool for tool in tools if tool.kind == "search"])
    else:
        calls = _best_fit(talk, tools)
    if parallel or not calls:
        return calls
    return calls[-1:] if "think" in by_kind and calls[0][0] == by_kind["think"].name else calls[:1]


def _forced(talk: Conversation, tool: Tool) -> tuple[str, dict[str, Any]]:
    """The call that must be made: what its role would make of it, else an object of its schema."""
    made = [] if tool.kind == "think" else tool_calls(talk, [tool], False, None)
    return made[0] if made else (tool.name, _filled(tool, talk))


def _topic(talk: Conversation) -> str:
    return talk.said[-1] if talk.said else talk.system


def _supervise(talk: Conversation, tools: Mapping[str, Tool]) -> Calls:
    tool = tools["delegate"]
    topics, thought = plan(talk, tool.name)
    handed = [(tool.name, arguments(tool, [topic], talk)) for topic in topics]
    calls = handed or _ending(talk, tools)
    return [*_thought(tools, thought), *calls] if calls else []


def _ending(talk: Conversation, tools: Mapping[str, Tool]) -> Calls:
    """The call that ends the work; what it hands in, if it takes something, is the answer."""
    if "finish" not in tools:
        return []
    tool = tools["finish"]
    return [(tool.name, {name: talk.foreign.credited(plain_answer(talk)) for name in tool.properties})]


def _research(talk: Conversation, tools: Mapping[str, Tool], searching: Sequence[Tool]) -> Calls:
    """The next search; every tool that searches is asked at the beginning, later only the likeliest."""
    topic, names = _topic(talk), [tool.name for tool in searching]
    most = limit(talk.system, "searches") or _MAX_SEARCHES
    searches = [call for call in talk.calls if call.name in names]
    rounds, batches = _rounds(searches), _takes_list(searching[0])
    left = most - len(rounds if batches else searches)
    at_once = AT_ONCE if batches else min(AT_ONCE, left)
    move = next_move(read_request(topic), rounds, talk.sources, most if left > 0 else 0, at_once)
    if not move.queries:
        return _ending(talk, tools)
    thinks = searches and len(talk.calls) < _MAX_CALLS // 2
    thought = _thought(tools, say("think_lead", language(topic), it=move.queries[0]) if thinks else "")
    asked = searching[:1] if searches else searching[: max(1, most)]
    looked = [
        (tool.name, arguments(tool, part, talk))
        for tool in asked
        for part in ([list(move.queries)] if _takes_list(tool) else [[query] for query in move.queries])
    ]
    return [*thought, *looked, *_proposal(talk, tools, move, topic)]


def _takes_list(tool: Tool) -> bool:
    return any(field.get("type") == "array" for field in tool.properties.values())


def _rounds(searches: Sequence[Call]) -> list[Call]:
    """The searches of each message as one: what several tools were asked, and the last result."""
    found = []
    for turn, calls in itertools.groupby(searches, lambda call: call.turn):
        same = list(calls)
        asked = list(dict.fromkeys(query for call in same for query in queries_of(call)))
        found.append(Call(same[-1].name, {"queries": asked}, same[-1].result, turn))
    return found


def _proposal(talk: Conversation, tools: Mapping[str, Tool], move: Move, topic: str) -> Calls:
    """What is left of the question as a topic of its own, once per conversation and only if nobody was told
    of it yet."""
    if "propose" not in tools or not move.rest:
        return []
    tool, name = tools["propose"], move.queries[0]
    told = " ".join([talk.system, *map(outside_fences, talk.said)])
    if mentions(told, name) or any(call.name == tool.name for call in talk.calls):
        return []
    given: dict[str, Any] = {}
    for key, field in tool.properties.items():
        if field.get("type") in {"number", "integer"} or stem(key) in _SCORES:
            given[key] = _LIKELY
        elif stem(key) not in _REASONS and move.rest not in given.values():
            given[key] = move.rest
        elif stem(key) in _REASONS or key in (tool.parameters.get("required") or ()):
            given[key] = say("think_lead", language(topic), it=name)
    return [(tool.name, given)]


def _thought(tools: Mapping[str, Tool], text: str) -> Calls:
    tool = tools.get("think")
    return [(tool.name, arguments(tool, [text], None))] if tool and text else []


def arguments(tool: Tool, values: list[str], talk: Conversation | None) -> dict[str, Any]:
    """Arguments for a tool: the values go to its main parameter, other required ones by meaning."""
    fields = tool.properties
    texts = [n for n, p in fields.items() if p.get("type", "string") == "string" and not p.get("enum")]
    main = next((n for n, p in fields.items() if p.get("type") == "array"), texts[0] if texts else None)
    filled: dict[str, Any] = {}
    for name, field in fields.items():
        if name == main:
            filled[name] = values if field.get("type") == "array" else values[0]
        elif name in (tool.parameters.get("required") or ()) and talk is not None:
            whole = {**tool.parameters, "properties": {name: field, "_": {"type": "null"}}}
            filled[name] = fill(whole, talk)[name]
    return filled


def _filled(tool: Tool, talk: Conversation) -> dict[str, Any]:
    return dict(fill(tool.parameters, talk)) if tool.properties else {}


def _best_fit(talk: Conversation, tools: Sequence[Tool]) -> Calls:
    """One call of the tool whose words fit the request best, unless a result is there already."""
    if talk.calls:
        return []
    asked = stems(_topic(talk).replace("_", " "))
    best = max(tools, key=lambda tool: len(asked & stems(spaced(tool.name) + " " + tool.description)))
    return [(best.name, _filled(best, talk))]


def as_messages(calls: Calls, seed: str) -> list[dict[str, Any]]:
    """Calls in the wire format; ids are fixed by the request and the call's place."""
    found = []
    for number, (name, args) in enumerate(calls):
        text = json.dumps(args, ensure_ascii=False)
        digest = hashlib.sha256(f"{seed}|{number}|{name}|{text}".encode()).hexdigest()[:24]
        function = {"name": name, "arguments": text}
        found.append({"id": f"call_{digest}", "type": "function", "function": function})
    return found
