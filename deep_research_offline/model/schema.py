"""JSON schemas: references followed, and what the name of a field says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .text import stems, term_set

Schema = Mapping[str, Any]
ASK = stems("question ask query clarify clarification follow followup inquiry request doubt")
_CONFIRM = stems("verification confirm confirmation acknowledge acknowledgement restate scope")


def resolve(schema: Schema, root: Schema) -> Schema:
    """A schema with references followed and optional types reduced to the type itself."""
    for _ in range(20):
        if "$ref" in schema:
            target: Any = root
            for part in str(schema["$ref"]).lstrip("#/").split("/"):
                target = target.get(part, {}) if isinstance(target, Mapping) else {}
            schema = {**target, **{k: v for k, v in schema.items() if k != "$ref"}}
        elif "anyOf" in schema or "oneOf" in schema:
            options = [o for o in schema.get("anyOf") or schema["oneOf"] if o.get("type") != "null"]
            schema = {
                **{k: v for k, v in schema.items() if k not in ("anyOf", "oneOf")},
                **(options[0] if options else {"type": "null"}),
            }
        elif "allOf" in schema:
            merged: dict[str, Any] = {k: v for k, v in schema.items() if k != "allOf"}
            for part in schema["allOf"]:
                merged |= resolve(part, root)
            schema = merged
        else:
            break
    return schema


def spaced(name: str) -> str:
    """The words of a name: `lengthInMetres` and `length_in_metres` are one."""
    return " ".join(re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\x00-\x7f]+", name))


def stems_of(name: str, field: Schema) -> frozenset[str]:
    """Stems of the words of a field's name and description."""
    words = spaced(name)
    named = term_set(words) | stems(words)
    return named | term_set(str(field.get("description", "")))


def leaning(name: str, field: Schema) -> int:
    """How much a field asks for a question (above 0) or for a confirmation (below 0)."""
    own, described = stems_of(name, {}), stems_of("", field)
    return 3 * len(own & ASK) - 3 * len(own & _CONFIRM) + len(described & ASK) - len(described & _CONFIRM)


def fitted(text: str, schema: Schema) -> str:
    """A text within the schema's lengths."""
    least, most = int(schema.get("minLength", 0)), schema.get("maxLength")
    text = text if len(text) >= least else (text + " ." * least)[: max(least, len(text))]
    return text[: int(most)] if most is not None else text
