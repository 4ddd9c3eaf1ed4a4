"""A scripted model behind the real wire: tests say what each role answers, everything else is real.

`Script(role=answer, …)` is a chat-completions function for `OfflineProvider(model=…)`. An answer is a string
(text), a dict (a JSON object), a list of `(tool, arguments)` calls, or a function from the request to one of
these; a list of answers in a tuple is used up in order, the last one repeating. Every request is recorded.
"""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from collections.abc import Callable
from typing import Any

SCHEMAS = {
    "Clarification": "clarifier",
    "ResearchBrief": "brief_writer",
    "PageSummary": "summarizer",
    "RewrittenQuery": "query_rewriter",
    "Route": "router",
    "Assessment": "router",
    "Judgement": "verifier",
}


def role_of(request: dict[str, Any]) -> str:
    """Which role sent a request: told by its model's name (`offline:writer`), its offer, or its text."""
    named = request.get("model", "").partition(":")[2]
    if named in default_answers():
        return named
    tools = {tool["function"]["name"] for tool in request.get("tools") or []}
    schema = request.get("response_format", {}).get("json_schema", {}).get("name")
    for name in [schema, *tools]:
        if name in SCHEMAS:
            return SCHEMAS[name]
    if "ConductResearch" in tools:
        return "supervisor"
    if "search" in tools:
        return "researcher"
    first = next((m["content"] for m in request["messages"] if m["role"] == "user"), "")
    return "compressor" if first.startswith("Topic:") else "writer"


def sources_in(request: dict[str, Any]) -> list[str]:
    """The ids of the sources that a request shows, in order."""
    import re

    text = "\n".join(str(message.get("content") or "") for message in request["messages"])
    return list(dict.fromkeys(re.findall(r'<source id="(S[\d.]+)"', text)))


def last_tool_results(request: dict[str, Any]) -> list[str]:
    """Contents of all tool messages of a request."""
    return [m["content"] for m in request["messages"] if m["role"] == "tool"]


def default_answers() -> dict[str, Any]:
    """A small run: one topic, one search, everything found is cited."""

    def supervise(request: dict[str, Any]) -> Any:
        if last_tool_results(request):
            return [("ResearchComplete", {})]
        return [("ConductResearch", {"research_topic": request["messages"][1]["content"]})]

    def research(request: dict[str, Any]) -> Any:
        if last_tool_results(request):
            return [("ResearchComplete", {})]
        return [("search", {"queries": [request["messages"][1]["content"]]})]

    def compress(request: dict[str, Any]) -> str:
        return "\n".join(f"Something is known [{source}]." for source in sources_in(request)) or "Nothing."

    def write(request: dict[str, Any]) -> str:
        import re

        told = "\n".join(message["content"] for message in request["messages"][1:])
        ids = list(dict.fromkeys(re.findall(r"\[(S\d+\.[1-9]\d*)\]", told)))
        return "# Report\n\n" + "\n".join(f"This is known [{source}]." for source in ids)

    def judge(request: dict[str, Any]) -> dict[str, Any]:
        if "draft" in request["messages"][-1]["content"]:
            return {"escalate": False, "missing": [], "reason": "All of it is answered."}
        return {"depth": "shallow", "reason": "It asks for one fact."}

    return {
        "clarifier": {"need_clarification": False, "question": "", "verification": "I will look into it."},
        "brief_writer": lambda request: {
            "research_brief": f"I want to know: {request['messages'][1]['content']}"
        },
        "query_rewriter": lambda request: {"query": request["messages"][-1]["content"], "added": []},
        "router": judge,
        "supervisor": supervise,
        "researcher": research,
        "summarizer": {"summary": "A summary.", "key_excerpts": []},
        "compressor": compress,
        "writer": write,
        "verifier": {"verdict": "supported", "reason": "The passage says so."},
        "planner": plan,
        "orchestrator": [("ResearchComplete", {})],
        "vetter": {"remarks": []},
        "critic": passing,
    }


PLANNED = ("Gull lighthouse height", "Heron lighthouse height", "Skua lighthouse height", "Terns of Ormsund")


def plan(request: dict[str, Any]) -> Any:
    """A planner: three questions; for a report's plan, four queries in two sections after one search."""
    if request.get("tools"):
        return (
            [("ResearchComplete", {})] if last_tool_results(request) else [("search", {"queries": ["Gull"]})]
        )
    schema = request["response_format"]["json_schema"]["name"]
    if schema == "Plan":
        return {"questions": list(PLANNED[:3])}
    sections = [("How tall are they?", PLANNED[:3]), ("What lives there?", PLANNED[3:])]
    return {
        "sections": [{"question": q, "queries": list(queries)} for q, queries in sections],
    }


def passing(request: dict[str, Any], verdict: str = "sufficient") -> dict[str, Any]:
    """A review with the same verdict on every question."""
    schema = request["response_format"]["json_schema"]["schema"]
    missing = "" if verdict == "sufficient" else "Look elsewhere."
    return {name: {"verdict": verdict, "missing": missing} for name in schema["properties"]}


class Script:
    """See the module's docstring."""

    def __init__(self, **answers: Any) -> None:
        self.answers: dict[str, Any] = {**default_answers(), **answers}
        self.requests: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self._lock = threading.Lock()

    def __call__(self, request: dict[str, Any]) -> dict[str, Any]:
        role = role_of(request)
        with self._lock:
            place = len(self.requests[role])
            self.requests[role].append(request)
        answer = self.answers[role]
        if isinstance(answer, tuple):
            answer = answer[min(place, len(answer) - 1)]
        if isinstance(answer, Callable):
            answer = answer(request)
        return completion(answer, place, request)

    def prompts(self, role: str) -> list[str]:
        """All text of each request of a role."""
        return ["\n".join(str(m.get("content") or "") for m in r["messages"]) for r in self.requests[role]]


def completion(answer: Any, place: int, request: dict[str, Any]) -> dict[str, Any]:
    """A chat completion of an answer; a `(text, "length")` pair is one that was cut."""
    reason = "stop"
    message: dict[str, Any] = {"role": "assistant", "content": None}
    if isinstance(answer, tuple):
        answer, reason = answer
    if isinstance(answer, list):
        reason = "tool_calls"
        message["tool_calls"] = [
            {
                "id": f"call-{place}-{n}",
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments),
                },
            }
            for n, (name, arguments) in enumerate(answer)
        ]
    else:
        message["content"] = answer if isinstance(answer, str) else json.dumps(answer)
    return {
        "id": f"scripted-{place}",
        "object": "chat.completion",
        "created": 0,
        "model": request.get("model", "scripted"),
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }
