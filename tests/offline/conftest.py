"""A web of four pages and a scripted model: small enough to know every answer of the wire by heart."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from deep_research_offline.web.types import Page, Web


def page(url: str, title: str, text: str, style: str, published: str | None, lang: str = "en") -> Page:
    return Page(url, title, text, style, lang, published, None, (), ())


@pytest.fixture
def tiny_web() -> Web:
    pages = (
        page("https://mill.example/wind", "Windmills", "The windmill grinds flour.", "company", "2040-01-05"),
        page("https://news.example/wind_(2041)", "Wind up", "A windmill burned.", "news", "2041-02-28"),
        page(
            "https://gov.example/風車", "風車の統計", "風車は三百基ある。", "statistics", "2039-06-01", "ja"
        ),
        page("https://mill.example/sail?part=2", "Sails", "[Mills](https://mill.example/wind)", "faq", None),
    )
    return Web(
        seed=0,
        domain="mills",
        date="2041-03-02",
        pages=pages,
        facts={},
        questions=(),
        redirects={"https://mill.example/old": "https://news.example/wind_(2041)"},
        dead=frozenset({"https://gone.example/windmill"}),
    )


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The message of the scripted model: a tool call per offered tool, an object, or an echo."""
    last = str(request["messages"][-1]["content"])
    if last == "fail":
        raise ZeroDivisionError("secret detail")
    arguments = json.dumps({"name": "Ada Lovelace, 阿达", "year": 1843})
    if request.get("tools"):
        calls = [
            {"id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for n, name in enumerate(tool["function"]["name"] for tool in request["tools"])
        ]
        return {"role": "assistant", "content": None, "tool_calls": calls}
    if request.get("response_format"):
        return {"role": "assistant", "content": arguments}
    return {"role": "assistant", "content": f"You said:\n  {last}"}


@pytest.fixture
def scripted_model() -> Callable[[dict[str, Any]], dict[str, Any]]:
    def model(request: dict[str, Any]) -> dict[str, Any]:
        message = answer(request)
        limit = request.get("max_completion_tokens") or request.get("max_tokens")
        content = message["content"]
        reason = "tool_calls" if message.get("tool_calls") else "stop"
        if content and limit and len(content) > limit:
            message["content"], reason = content[:limit], "length"
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": request["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12},
        }

    return model
