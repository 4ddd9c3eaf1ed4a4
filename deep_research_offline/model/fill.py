"""Filling any JSON schema from a conversation: known genres first, else field by field from its name.

A schema is known by its form: a yes/no with two texts over a bare conversation is a check for clarity, one
text is a brief, a question with a list over a bare conversation is a rewriting, a text with a list of texts
over a fenced page is a digest, and a choice between opposites is a verdict. Everything else is filled by
`fields`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from .conversation import Conversation
from .digest import summarize
from .fields import Filler
from .followup import standing_alone
from .schema import ASK, Schema, leaning, resolve, stems_of
from .scope import brief, clarify
from .text import stems
from .verdict import asked_for

_EXCERPTS = stems("excerpt excerpts quote quotes quotation passages highlights")


def fill(schema: Schema, talk: Conversation) -> Any:
    """A value that fits the schema."""
    schema = resolve(schema, schema)
    fields = {name: resolve(field, schema) for name, field in (schema.get("properties") or {}).items()}
    kinds = {name: str(field.get("type", "string")) for name, field in fields.items()}
    shape, texts = Counter(kinds.values()), [name for name, kind in kinds.items() if kind == "string"]
    has_pages, judged = any(b.text.strip() for b in talk.blocks), asked_for(fields) is not None
    quotes = [name for name in texts if stems_of(name, {}) & _EXCERPTS]
    if has_pages and (shape == {"string": 1, "array": 1} or (shape == {"string": 2} and len(quotes) == 1)):
        return _digest(kinds, quotes, talk)
    if judged or shape not in ({"boolean": 1, "string": 2}, {"string": 1, "array": 1}, {"string": 1}):
        return Filler(schema, talk).value(schema, "")
    if len(texts) == 2 and not has_pages:
        clarity = clarify(talk)
        asking = max(texts, key=lambda name: (leaning(name, fields[name]), -texts.index(name)))
        told = {name: clarity.question if name == asking else clarity.verification for name in texts}
        return {name: told.get(name, clarity.ask) for name in fields}
    if "array" in shape and stems_of(texts[0], {}) & ASK:
        question, added = standing_alone(talk)
        return {name: list(added) if kind == "array" else question for name, kind in kinds.items()}
    if shape == {"string": 1} and not has_pages and talk.said:
        return {texts[0]: brief(talk, standing_alone(talk)[0])}
    return Filler(schema, talk).value(schema, "")


def _digest(kinds: Mapping[str, str], quotes: Sequence[str], talk: Conversation) -> dict[str, Any]:
    """A summary, and its excerpts as a list or as another text."""
    found = summarize(talk)
    quoted = "\n".join(text for text in found.excerpts if not text.startswith("|"))
    return {
        name: list(found.excerpts) if kind == "array" else quoted if name in quotes else found.text
        for name, kind in kinds.items()
    }
