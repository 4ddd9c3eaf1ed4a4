"""The same package, spoken to in other words: every tool, argument, schema and field under a synonym, and
every system prompt replaced by one plain line.

If the offline model owed its results to the exact wording of this package, they would fall here. The words
are exchanged on the wire, around the chat function: requests are rewritten before the model sees them and
answers are put back, so the package itself runs unchanged. A name without a synonym is an error, so none is
forgotten.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import deep_research.prompts

ChatFunction = Callable[[dict[str, Any]], dict[str, Any]]

SYNONYMS = {
    "search": "look_up",
    "queries": "phrases",
    "think": "make_note",
    "reflection": "thought",
    "ConductResearch": "AssignInvestigation",
    "research_topic": "matter",
    "ResearchComplete": "FinishWork",
    "Clarification": "OpeningCheck",
    "need_clarification": "must_ask",
    "question": "inquiry",
    "verification": "acknowledgement",
    "ResearchBrief": "Mandate",
    "research_brief": "assignment_text",
    "PageSummary": "Digest",
    "summary": "gist",
    "key_excerpts": "passages",
}
"""Each name on the wire and its synonym."""

PLAIN_PROMPTS = {
    "clarifier": "Decide whether the user must be asked something before work begins.",
    "brief_writer": "Turn the conversation into an assignment text.",
    "supervisor": "Split the assignment among investigators and finish when their results are enough.",
    "researcher": "Look things up until the matter is settled.",
    "summarizer": "Shorten the page for the given phrase and pick out passages.",
    "compressor": "Write down what the sources say about the matter and cite their ids in square brackets.",
    "writer": "Answer the question from the findings and cite the source ids in square brackets.",
}
"""Each role's system prompt as one plain line."""


def renamed(complete: ChatFunction) -> ChatFunction:
    """The chat function behind an exchange of words; raises `LookupError` for a name without a synonym."""
    originals = {synonym: name for name, synonym in SYNONYMS.items()}

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        return _restored(complete(_rewritten(request)), originals, "response_format" in request)

    return answer


def _rewritten(request: dict[str, Any]) -> dict[str, Any]:
    changed = request | {"messages": [_message(message) for message in request["messages"]]}
    if request.get("tools"):
        changed["tools"] = [_tool(tool) for tool in request["tools"]]
    if isinstance(request.get("tool_choice"), dict):
        name = request["tool_choice"]["function"]["name"]
        changed["tool_choice"] = {"type": "function", "function": {"name": _synonym(name)}}
    wanted = (request.get("response_format") or {}).get("json_schema")
    if wanted:
        schema = wanted | {"name": _synonym(wanted["name"]), "schema": _schema(wanted["schema"])}
        changed["response_format"] = {"type": "json_schema", "json_schema": schema}
    return changed


def _message(message: dict[str, Any]) -> dict[str, Any]:
    if message["role"] == "system":
        return message | {"content": PLAIN_PROMPTS[_role(message["content"])]}
    if message.get("tool_calls"):
        return message | {"tool_calls": [_call(call, SYNONYMS) for call in message["tool_calls"]]}
    return message | ({"name": _synonym(message["name"])} if "name" in message else {})


def _tool(tool: dict[str, Any]) -> dict[str, Any]:
    function = tool["function"]
    parameters = _schema(function["parameters"])
    changed = function | {"name": _synonym(function["name"]), "parameters": parameters}
    return tool | {"function": changed | {"description": _in_prose(function["description"])}}


def _schema(schema: Any) -> Any:
    """A JSON schema with its titles, fields and lists of required fields renamed, at any depth."""
    if isinstance(schema, list):
        return [_schema(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    changed = {key: _schema(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict):
        changed["properties"] = {_synonym(key): value for key, value in changed["properties"].items()}
        changed["required"] = [_synonym(name) for name in schema.get("required", [])]
    if isinstance(schema.get("title"), str):
        changed["title"] = SYNONYMS.get(schema["title"], "Part")
    if isinstance(schema.get("description"), str):
        changed["description"] = _in_prose(schema["description"])
    return changed


def _in_prose(text: str) -> str:
    """Names inside a description, where they are written as names and not as plain words."""
    named = [name for name in SYNONYMS if "_" in name or not name.islower()]
    return re.sub(rf"\b(?:{'|'.join(named)})\b", lambda match: SYNONYMS[match[0]], text)


def _restored(response: dict[str, Any], originals: Mapping[str, str], is_object: bool) -> dict[str, Any]:
    """The model's answer under the package's own names."""
    choices = []
    for choice in response["choices"]:
        message = dict(choice["message"])
        if message.get("tool_calls"):
            message["tool_calls"] = [_call(call, originals) for call in message["tool_calls"]]
        elif is_object and message.get("content"):
            message["content"] = _keys(message["content"], originals)
        choices.append(choice | {"message": message})
    return response | {"choices": choices}


def _call(call: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    function = call["function"]
    changed = {"name": names[function["name"]], "arguments": _keys(function["arguments"], names)}
    return call | {"function": function | changed}


def _keys(text: str, names: Mapping[str, str]) -> str:
    """JSON with the keys of its objects exchanged; what is no JSON (cut by a limit) stays as it is."""
    try:
        return json.dumps(_exchanged(json.loads(text), names), ensure_ascii=False)
    except json.JSONDecodeError:
        return text


def _exchanged(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {names.get(key, key): _exchanged(item, names) for key, item in value.items()}
    return [_exchanged(item, names) for item in value] if isinstance(value, list) else value


def _synonym(name: str) -> str:
    if name not in SYNONYMS:
        raise LookupError(f"There is no synonym for '{name}'. Add one to SYNONYMS.")
    return SYNONYMS[name]


def _role(prompt: str) -> str:
    """Whose system prompt this is, by the first sentence of the prompt files."""
    folder = Path(deep_research.prompts.__file__).parent / "en"
    for role in PLAIN_PROMPTS:
        opening = (folder / f"{role}.md").read_text(encoding="utf-8").partition(".")[0]
        if prompt.startswith(opening):
            return role
    raise LookupError(f"There is no plain prompt for the one that begins '{prompt[:60]}'.")
