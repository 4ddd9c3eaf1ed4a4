"""Choosing and filling tool calls: the supervisor's, the researcher's, and those of a role never seen."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from .conversation import Call, Conversation, outside_fences
from .fill import fill
from .names import mentions
from .offer import Tool, limit, takes_queries
from .phrases import say
from .research import AT_ONCE, Move, next_move, queries_of
from .supervise import plan
from .task import read_task
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
        return [(forced, _forced(talk, next(t for t in tools if t.name == forced)))]
    by_kind = {tool.kind: tool for tool in reversed(tools) if tool.kind != "other"}
    searches = "search" in by_kind and takes_queries(by_kind["search"].parameters)
    if "delegate" in by_kind and not searches:
        calls = _supervise(talk, by_kind)
    elif "search" in by_kind:
        calls = _research(talk, by_kind, [tool for tool in tools if tool.kind == "search"])
    else:
        calls = _best_fit(talk, tools)
    return (
        calls if parallel else calls[-1:] if calls and calls[0][0] == _name(by_kind, "think") else calls[:1]
    )


def _name(by_kind: Mapping[str, Tool], kind: str) -> str:
    return by_kind[kind].name if kind in by_kind else ""


def _supervise(talk: Conversation, tools: Mapping[str, Tool]) -> Calls:
    step = plan(talk, tools["delegate"].name)
    calls = _thought(tools, step.thought)
    if step.topics:
        return calls + [
            (tools["delegate"].name, arguments(tools["delegate"], [topic], talk)) for topic in step.topics
        ]
    return [*calls, *_ending(talk, tools)] if "finish" in tools else []


def _ending(talk: Conversation, tools: Mapping[str, Tool]) -> Calls:
    """The call that ends the work; what it hands in, if it takes something, is the answer."""
    if "finish" not in tools:
        return []
    tool = tools["finish"]
    return [(tool.name, {name: talk.foreign.credited(plain_answer(talk)) for name in tool.properties})]


def _research(talk: Conversation, tools: Mapping[str, Tool], searching: Sequence[Tool]) -> Calls:
    """The next search; every tool that searches is asked at the beginning, and the next one in turn where
    one has brought nothing."""
    topic = talk.said[-1] if talk.said else talk.system
    most = (
        limit(talk.system, "searches", "search", "queries", "次搜索", "搜索", "検索", "回検索")
        or _MAX_SEARCHES
    )
    names = [tool.name for tool in searching]
    searches = [call for call in talk.calls if call.name in names]
    rounds = _rounds(searches)
    left = most - len(rounds if _takes_list(searching[0]) else searches)
    at_once = AT_ONCE if _takes_list(searching[0]) else min(AT_ONCE, left)
    move = next_move(read_task(topic), rounds, talk.sources, most if left > 0 else 0, at_once)
    if not move.queries:
        return _ending(talk, tools)
    thinks = (
        _thought(tools, _reflection(move, topic)) if searches and len(talk.calls) < _MAX_CALLS // 2 else []
    )
    asked = searching[: max(1, most)] if not searches else searching[:1]
    looked = [(tool.name, args) for tool in asked for args in _each_query(tool, move.queries, talk)]
    return [*thinks, *looked, *_proposal(talk, tools, move, topic)]


def _takes_list(tool: Tool) -> bool:
    return any(field.get("type") == "array" for field in tool.properties.values())


def _each_query(tool: Tool, queries: Sequence[str], talk: Conversation) -> list[dict[str, Any]]:
    """Arguments for all queries in one call if the tool takes a list, else for one call each."""
    parts = [list(queries)] if _takes_list(tool) else [[query] for query in queries]
    return [arguments(tool, part, talk) for part in parts]


def _rounds(searches: Sequence[Call]) -> list[Call]:
    """The searches of each message as one: what several tools were asked, and the last result."""
    found: dict[int, Call] = {}
    for call in searches:
        asked = dict.fromkeys(
            [*(queries_of(found[call.turn]) if call.turn in found else ()), *queries_of(call)]
        )
        found[call.turn] = Call(call.name, {"queries": list(asked)}, call.result, call.turn)
    return list(found.values())


def _proposal(talk: Conversation, tools: Mapping[str, Tool], move: Move, topic: str) -> Calls:
    """What is left of the question as a topic of its own, once per conversation and only if nobody was told
    of it yet."""
    if "propose" not in tools or not move.rest:
        return []
    tool, name = tools["propose"], move.queries[0]
    told = " ".join([talk.system, *map(outside_fences, talk.said)])
    if mentions(told, name) or any(call.name == tool.name for call in talk.calls):
        return []
    kinds = {key: field.get("type", "string") for key, field in tool.properties.items()}
    scores = [key for key, kind in kinds.items() if kind in {"number", "integer"} or stem(key) in _SCORES]
    texts = [key for key, kind in kinds.items() if kind == "string" and key not in scores]
    title = next((key for key in texts if stem(key) not in _REASONS), "")
    required = tool.parameters.get("required", ())
    reasons = [key for key in texts if key != title and (stem(key) in _REASONS or key in required)]
    why = say("think_lead", language(topic), it=name)
    values = {title: move.rest} | dict.fromkeys(reasons, why) | dict.fromkeys(scores, _LIKELY)
    return [(tool.name, values)] if title else []


def _reflection(move: Move, topic: str) -> str:
    lang = language(topic)
    return say("think_lead" if move.reason == "lead" else "think_again", lang, it=move.queries[0])


def _thought(tools: Mapping[str, Tool], text: str) -> Calls:
    if "think" not in tools or not text:
        return []
    return [(tools["think"].name, arguments(tools["think"], [text], None))]


def arguments(tool: Tool, values: list[str], talk: Conversation | None) -> dict[str, Any]:
    """Arguments for a tool: the values go to its main parameter, other required ones by meaning."""
    required = set(tool.parameters.get("required") or ())
    filled: dict[str, Any] = {}
    main = next((n for n, p in tool.properties.items() if p.get("type") == "array"), None)
    main = main or next(
        (n for n, p in tool.properties.items() if p.get("type", "string") == "string" and not p.get("enum")),
        None,
    )
    for name, field in tool.properties.items():
        if name == main:
            filled[name] = values if field.get("type") == "array" else values[0]
        elif name in required and talk is not None:
            whole = {
                "type": "object",
                "properties": {name: field, "_": {"type": "null"}},
                "$defs": tool.parameters.get("$defs", {}),
            }
            filled[name] = fill(whole, talk)[name]
    return filled


def _forced(talk: Conversation, tool: Tool) -> dict[str, Any]:
    """Arguments for a tool that must be called: by its role if it has one, else as an object of that
    schema."""
    topic = talk.said[-1] if talk.said else talk.system
    if tool.kind == "search":
        searches = [call for call in talk.calls if call.name == tool.name]
        move = next_move(read_task(topic), searches, talk.sources, _MAX_SEARCHES)
        return arguments(tool, list(move.queries) or [topic], talk)
    if tool.kind == "delegate":
        return arguments(tool, list(plan(talk, tool.name).topics) or [topic], talk)
    value = fill(tool.parameters, talk) if tool.properties else {}
    return value if isinstance(value, dict) else {}


def _best_fit(talk: Conversation, tools: Sequence[Tool]) -> Calls:
    """One call of the tool whose words fit the request best, unless a result is there already."""
    if not tools or talk.calls:
        return []
    asked = {stem(w) for w in (talk.said[-1] if talk.said else talk.system).replace("_", " ").split()}
    scored = [
        (len(asked & {stem(w) for w in f"{t.name} {t.description}".replace("_", " ").split()}), -i)
        for i, t in enumerate(tools)
    ]
    best = tools[-max(scored)[1]]
    value = fill(best.parameters, talk) if best.properties else {}
    return [(best.name, value if isinstance(value, dict) else {})]


def as_messages(calls: Calls, seed: str) -> list[dict[str, Any]]:
    """Calls in the wire format; ids are fixed by the request and the call's place."""
    found = []
    for number, (name, args) in enumerate(calls):
        text = json.dumps(args, ensure_ascii=False)
        digest = hashlib.sha256(f"{seed}|{number}|{name}|{text}".encode()).hexdigest()[:24]
        found.append(
            {"id": f"call_{digest}", "type": "function", "function": {"name": name, "arguments": text}}
        )
    return found
