"""Filling any JSON schema from a conversation: known genres first, else field by field from its name.

A schema is known by its form: a yes/no with two texts over a bare conversation is a check for clarity, one
text is a brief, a question with a list over a bare conversation is a rewriting, a text with a list of texts
over a fenced page is a digest, and a choice between opposites is a verdict. Everything else is filled by
`fields`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .conversation import Conversation
from .digest import summarize
from .fields import Filler
from .followup import standing_alone
from .schema import ASK, Schema, leaning, resolve, stems_of
from .scope import brief, clarify
from .verdict import asked_for

__all__ = ["fill"]


def fill(schema: Schema, talk: Conversation) -> Any:
    """A value that fits the schema."""
    schema = resolve(schema, schema)
    shape = _shape(schema)
    pages = [b for b in talk.blocks if b.text.strip()]
    judged = asked_for({n: resolve(f, schema) for n, f in (schema.get("properties") or {}).items()})
    if shape == {"boolean": 1, "string": 2} and not judged and not pages:
        return _clarity(schema, talk)
    if shape == {"string": 1, "array": 1} and pages:
        return _digest(schema, talk)
    if shape == {"string": 1, "array": 1} and not judged and _text_asks(schema):
        return _rewritten(schema, talk)
    if shape == {"string": 1} and not judged and not pages and talk.said:
        return {next(iter(schema["properties"])): brief(talk)}
    return Filler(schema, talk).value(schema, "")


def _shape(schema: Schema) -> dict[str, int]:
    counts: dict[str, int] = {}
    for field in (schema.get("properties") or {}).values():
        kind = str(resolve(field, schema).get("type", "string"))
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def _clarity(schema: Schema, talk: Conversation) -> dict[str, Any]:
    """Two texts: the one nearer to asking gets the question, the other the acknowledgement."""
    clarity = clarify(talk)
    texts = [
        name
        for name, field in schema["properties"].items()
        if resolve(field, schema).get("type") != "boolean"
    ]
    toward = {name: leaning(name, schema["properties"][name]) for name in texts}
    asking = max(texts, key=lambda name: (toward[name], -texts.index(name)))
    return {
        name: clarity.ask
        if name not in texts
        else clarity.question
        if name == asking
        else clarity.verification
        for name in schema["properties"]
    }


def _digest(schema: Schema, talk: Conversation) -> dict[str, Any]:
    found = summarize(talk)
    return {
        name: list(found.excerpts) if resolve(field, schema).get("type") == "array" else found.text
        for name, field in schema["properties"].items()
    }


def _text_asks(schema: Mapping[str, Any]) -> bool:
    text = next(n for n, f in schema["properties"].items() if resolve(f, schema).get("type") != "array")
    return bool(stems_of(text, {}) & ASK)


def _rewritten(schema: Schema, talk: Conversation) -> dict[str, Any]:
    """The question so that it stands on its own, and what was made explicit."""
    question, added = standing_alone(talk)
    return {
        name: list(added) if resolve(field, schema).get("type") == "array" else question
        for name, field in schema["properties"].items()
    }
