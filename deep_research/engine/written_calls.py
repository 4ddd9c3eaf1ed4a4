"""Calls of tools that a model wrote as text: fenced, in doubled braces, as tags, attributes or functions.

Many small models have no calls of their own and write them down in the way of some other model. Whatever
names an offered tool and gives arguments is read, and bare arguments that fit one tool alone. An echo of a
tool's own description is no call.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Spec = Mapping[str, Any]
_NAMED, _GIVEN = (
    ("name", "tool", "tool_name", "function", "action"),
    ("arguments", "parameters", "args", "input"),
)
_PARAMETER = re.compile(
    r"<parameter(?:=| name=[\"']?)(?P<name>\w+)[\"']?>(?P<value>.*?)</parameter>"
    r"|<(?P<tag>\w+)>(?P<inner>.*?)</(?P=tag)>",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"(\w+)\s*=\s*(\"[^\"]*\"|'[^']*'|\[[^\]]*\]|\{[^}]*\}|[\w.-]+)")
_MOST = 20_000
"""Characters of a text that are looked at."""


def written_calls(text: str, tools: Sequence[Spec]) -> list[dict[str, Any]]:
    """The calls in a text, each `{"name", "args", "id"}`, each once; `tools` are OpenAI's definitions."""
    specs = {tool["function"]["name"]: tool["function"]["parameters"] for tool in tools}
    found: list[tuple[str, dict[str, Any]]] = []
    for name, given in [*_in_objects(text[:_MOST], specs), *_in_markup(text[:_MOST], specs)]:
        call = (name, _fitted(given, specs[name]))
        if call not in found:
            found.append(call)
    return [{"name": name, "args": args, "id": f"written-{n}"} for n, (name, args) in enumerate(found, 1)]


def offered_name(said: str, tools: Sequence[Spec]) -> str:
    """The offered tool that a model means by `conduct_research`, `functions.Search` or `search.exec`.

    Also by `search<|channel|>x`, where its template has leaked into the name. What leads to no tool stays.
    """
    cut = said.partition("<|")[0]
    names = {_folded(tool["function"]["name"]): tool["function"]["name"] for tool in tools}
    meant = (_folded(form) for form in (cut, cut.partition(".")[0], cut.rpartition(".")[2]))
    return said if said in names.values() else next((names[one] for one in meant if one in names), said)


def _in_objects(text: str, specs: Mapping[str, Spec]) -> Iterator[tuple[str, dict[str, Any]]]:
    for value in _objects(text):
        yield from _calls_of(value, specs)


def _objects(text: str) -> Iterator[Any]:
    """The JSON objects of a text, in order; those in doubled braces, too."""
    text = with_single_braces(text)
    decoder, place = json.JSONDecoder(strict=False), 0
    while (place := text.find("{", place)) >= 0:
        try:
            value, end = decoder.raw_decode(text, place)
        except ValueError:
            place += 1
            continue
        yield value
        place = end


def with_single_braces(text: str) -> str:
    """The text with single braces where a model has doubled them, as a template wants them."""
    return re.sub(r"\{\s*\{", "{", text).replace("}}", "}") if re.search(r"\{\s*\{", text) else text


def _calls_of(value: Any, specs: Mapping[str, Spec]) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(value, list):
        for item in value:
            yield from _calls_of(item, specs)
    if not isinstance(value, dict) or "properties" in value:
        return
    if "tool_calls" in value or isinstance(value.get("function"), dict):
        yield from _calls_of(value.get("tool_calls") or value["function"], specs)
        return
    name = next((_known(value[key], specs) for key in _NAMED if isinstance(value.get(key), str)), "")
    given = next((value[key] for key in _GIVEN if key in value), None)
    if isinstance(given, str):
        given = next(iter(_objects(given)), {})
    if name:
        rest = {key: one for key, one in value.items() if key not in _NAMED}
        given = given if isinstance(given, dict) else rest
        if "properties" not in given and "description" not in rest:
            yield name, given
        return
    for key, inner in value.items():
        if _known(key, specs) and isinstance(inner, dict):
            yield from ([(_known(key, specs), inner)] if "properties" not in inner else [])
    fitting = [n for n, spec in specs.items() if value and _fits(value, spec)]
    if len({json.dumps(specs[n], sort_keys=True) for n in fitting}) == 1:
        yield fitting[0], value


def _fits(value: Mapping[str, Any], spec: Spec) -> bool:
    """Whether an object has the required arguments of a tool and no others."""
    known = spec.get("properties", {})
    return bool(known) and set(spec.get("required", known)) <= set(value) <= set(known)


def _in_markup(text: str, specs: Mapping[str, Spec]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in specs:
        own = re.escape(name)
        for match in re.finditer(
            rf"<(?:(?:function|invoke|tool)(?:=| name=[\"']?))?{own}[\"']?(?P<attributes>\s[^<>]*?)?"
            rf"(?:/>|>(?P<inner>.*?)"
            rf"(?:</(?:function|invoke|tool|{own})>|\Z))"
            rf"|(?<![\w.\"']){own}\((?P<arguments>[^()]*(?:\([^()]*\)[^()]*)*)\)",
            text,
            re.DOTALL,
        ):
            inner = match["inner"] or ""
            if match["arguments"] is not None and "{" in match["arguments"]:
                objects = [one for one in _objects(match["arguments"]) if isinstance(one, dict)]
                if objects:
                    yield name, objects[0]
                continue
            given = {
                key: _value(said)
                for key, said in _ATTRIBUTE.findall(match["attributes"] or match["arguments"] or "")
            }
            given |= {
                one["name"] or one["tag"]: _value(one["value"] or one["inner"] or "")
                for one in _PARAMETER.finditer(inner)
            }
            given |= next((one for one in _objects(inner) if isinstance(one, dict)), {}) if not given else {}
            if given or not specs[name].get("required"):
                yield name, given


def _known(said: str, specs: Mapping[str, Spec]) -> str:
    plain = said.rpartition(".")[2].strip().casefold()
    return next((name for name in specs if name.casefold() == plain), "")


def _folded(name: str) -> str:
    """A tool's name without what models change in it: capitals, underscores, hyphens."""
    return re.sub(r"[\W_]+", "", name).casefold()


def _value(said: str) -> Any:
    said = said.strip()
    plain = said[1:-1] if said[:1] in "\"'" and said[-1:] == said[:1] and len(said) > 1 else said
    try:
        return json.loads(plain)
    except ValueError:
        return plain


def _fitted(given: Mapping[str, Any], spec: Spec) -> dict[str, Any]:
    """The arguments that the tool knows, one text as a list of one where a list is wanted."""
    kinds = {name: part.get("type") for name, part in spec.get("properties", {}).items()}
    return {
        name: [value] if kinds[name] == "array" and isinstance(value, str) else value
        for name, value in given.items()
        if name in kinds
    }
