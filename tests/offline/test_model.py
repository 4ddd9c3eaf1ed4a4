"""The offline model over the wire format: what it asks, plans, searches, quotes and writes."""

from __future__ import annotations

import json
from typing import Any

from deep_research.offline.model import complete


def tool(name: str, description: str, **properties: dict[str, Any]) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    }


TEXT = {"type": "string"}
SUPERVISOR = [
    tool("ConductResearch", "Hand one topic to a researcher.", research_topic=TEXT),
    tool("ResearchComplete", "Ends the research."),
    tool("think", "Notebook.", reflection=TEXT),
]


def ask(*messages: str, **options: Any) -> dict[str, Any]:
    roles = [{"role": "user" if i % 2 == 0 else "assistant", "content": m} for i, m in enumerate(messages)]
    return complete({"messages": [{"role": "system", "content": "You help."}, *roles], **options})


def calls(response: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    found = response["choices"][0]["message"].get("tool_calls") or []
    return [(c["function"]["name"], json.loads(c["function"]["arguments"])) for c in found]


def test_a_comparison_is_delegated_one_topic_per_item():
    made = calls(ask("Which bridge is longer, the Talmer Bridge or the Osk Viaduct?", tools=SUPERVISOR))
    topics = [arguments["research_topic"] for name, arguments in made if name == "ConductResearch"]
    assert len(topics) == 2
    assert "Talmer Bridge" in topics[0].split("“")[0] and "Osk Viaduct" not in topics[0].split("“")[0]


def test_the_same_request_gives_the_same_bytes():
    request = {"messages": [{"role": "user", "content": "Who founded Talmer Works?"}], "tools": SUPERVISOR}
    assert json.dumps(complete(request)) == json.dumps(complete(json.loads(json.dumps(request))))
