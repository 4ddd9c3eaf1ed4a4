"""JSON schemas: references followed, and what the name of a field says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from .text import stems, term_set

Schema = Mapping[str, Any]
ASK = stems("question ask query clarify clarification follow followup inquiry request doubt")
_CONFIRM = stems("verification confirm confirmation acknowledge acknowledgement restate scope")


def resolve(schema: Schema, root: Schema) -> Schema:
    """A schema with references followed and optional types reduced to the type itself."""
    for _ in range(20):
        own = {key: value for key, value in schema.items() if key not in ("$ref", "anyOf", "oneOf")}
        if "$ref" in schema:
            target: Any = root
            for part in str(schema["$ref"]).lstrip("#/").split("/"):
                target = target.get(part, {}) if isinstance(target, Mapping) else {}
            schema = {**target, **own}
        elif options := schema.get("anyOf") or schema.get("oneOf"):
            schema = {**own, **next((o for o in options if o.get("type") != "null"), {"type": "null"})}
        else:
            break
    return schema


def spaced(name: str) -> str:
    """The words of a name: `lengthInMetres` and `length_in_metres` are one."""
    return " ".join(re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\x00-\x7f]+", name))


def stems_of(name: str, field: Schema = MappingProxyType({})) -> frozenset[str]:
    """Stems of the words of a field's name and description."""
    words = spaced(name)
    return term_set(words) | stems(words) | term_set(str(field.get("description", "")))


def leaning(name: str, field: Schema) -> int:
    """How much a field asks for a question (above 0) or for a confirmation (below 0)."""
    return sum(
        weight * (len(own & ASK) - len(own & _CONFIRM))
        for own, weight in ((stems_of(name), 3), (stems_of("", field), 1))
    )


def fitted(text: str, schema: Schema) -> str:
    """A text within the schema's lengths."""
    least, most = int(schema.get("minLength", 0)), schema.get("maxLength")
    text = text if len(text) >= least else (text + " ." * least)[:least]
    return text[: int(most)] if most is not None else text
