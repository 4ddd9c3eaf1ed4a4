"""Filling any JSON schema from a conversation: known genres first, else field by field from its name.

A schema is known by its form: a yes/no with two texts over a bare conversation is a check for clarity,
one text is a brief, a text with a list of texts over a fenced page is a digest. Everything else is filled
from the words of each field's name and description, out of the evidence in the conversation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .conversation import Conversation
from .digest import evidence, summarize
from .page import Page
from .scope import brief, clarify, main_question
from .task import read_task
from .text import stem, term_set, tidy
from .values import dates, numbers

Schema = Mapping[str, Any]
_ASK = frozenset(
    stem(w) for w in "question ask query clarify clarification follow followup inquiry request doubt".split()
)
_CONFIRM = frozenset(
    stem(w) for w in "verification confirm confirmation acknowledge acknowledgement restate scope".split()
)


def fill(schema: Schema, talk: Conversation) -> Any:
    """A value that fits the schema."""
    schema = resolve(schema, schema)
    shape = _shape(schema)
    pages = [b for b in talk.blocks if b.text.strip()]
    if shape == {"boolean": 1, "string": 2} and not pages:
        return _clarity(schema, talk)
    if shape == {"string": 1, "array": 1} and pages:
        return _digest(schema, talk)
    if shape == {"string": 1} and not pages and talk.said:
        return {next(iter(schema["properties"])): brief(talk)}
    return _Filler(schema, talk).value(schema, "")


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


def _shape(schema: Schema) -> dict[str, int]:
    counts: dict[str, int] = {}
    for field in (schema.get("properties") or {}).values():
        kind = str(resolve(field, schema).get("type", "string"))
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def _stems(name: str, field: Schema) -> frozenset[str]:
    words = " ".join(re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\x00-\x7f]+", name))
    return (
        term_set(f"{words} {words}")
        | frozenset(stem(w) for w in words.split())
        | term_set(str(field.get("description", "")))
    )


def _clarity(schema: Schema, talk: Conversation) -> dict[str, Any]:
    """Two texts: the one nearer to asking gets the question, the other the acknowledgement."""
    clarity = clarify(talk)
    texts = [
        name
        for name, field in schema["properties"].items()
        if resolve(field, schema).get("type") != "boolean"
    ]
    leaning = {name: _leaning(name, schema["properties"][name]) for name in texts}
    asking = max(texts, key=lambda name: (leaning[name], -texts.index(name)))
    return {
        name: clarity.ask
        if name not in texts
        else clarity.question
        if name == asking
        else clarity.verification
        for name in schema["properties"]
    }


def _leaning(name: str, field: Schema) -> int:
    own, described = _stems(name, {}), _stems("", field)
    return 3 * len(own & _ASK) - 3 * len(own & _CONFIRM) + len(described & _ASK) - len(described & _CONFIRM)


def _digest(schema: Schema, talk: Conversation) -> dict[str, Any]:
    found = summarize(talk)
    return {
        name: list(found.excerpts) if resolve(field, schema).get("type") == "array" else found.text
        for name, field in schema["properties"].items()
    }


class _Filler:
    """Fills a schema of unknown meaning, each field from the sentences that its words point to."""

    def __init__(self, root: Schema, talk: Conversation) -> None:
        self.root = root
        self.talk = talk
        self.question = main_question(talk)[0] or tidy(talk.evidence_text)[:300]
        self.pages = talk.sources or [
            Page(f"B{i}", b.attributes.get("title", ""), b.text) for i, b in enumerate(talk.blocks)
        ]
        self.pages = self.pages or [Page("U", "", talk.evidence_text)]

    def value(self, schema: Schema, name: str) -> Any:
        """A value for one schema node."""
        schema = resolve(schema, self.root)
        if "const" in schema:
            return schema["const"]
        if schema.get("enum"):
            return self._choice(list(schema["enum"]), name, schema)
        kind = schema.get("type")
        kind = next((k for k in kind if k != "null"), "null") if isinstance(kind, list) else kind
        if kind == "object" or "properties" in schema:
            return {key: self.value(field, key) for key, field in (schema.get("properties") or {}).items()}
        if kind == "array":
            return self._items(schema, name)
        if kind == "boolean":
            return self._truth(name, schema)
        if kind in {"integer", "number"}:
            return self._number(schema, name)
        return None if kind == "null" else self._text(schema, name)

    def _sentences(self, name: str, schema: Schema, many: int) -> list[str]:
        """Sentences for a field: those that share words with it, else those that bear on the question."""
        wanted = _stems(name, schema)
        told = [s.text for page in self.pages for s in page.sentences]
        scored = sorted(((len(term_set(t) & wanted), -i) for i, t in enumerate(told)), reverse=True)
        best = [told[-i] for score, i in scored if score > 0][:many]
        if best:
            return best
        task = read_task(self.question)
        return [s.text for _, s in evidence(task, self.pages)][:many] or told[:many] or [self.question]

    def _text(self, schema: Schema, name: str) -> str:
        wanted = _stems(name, {})
        if schema.get("format") in {"date", "date-time"} or wanted & {"date", "year", "when"}:
            found = [v.text for s in self._sentences(name, schema, 3) for v in dates(s)]
            text = found[0] if found else ""
        elif wanted & _ASK:
            text = self.question
        else:
            text = tidy(
                " ".join(
                    self._sentences(name, schema, 2 if wanted & {stem("summary"), stem("answer")} else 1)
                )
            )
        return _fitted(text, schema)

    def _items(self, schema: Schema, name: str) -> list[Any]:
        item = resolve(schema.get("items") or {"type": "string"}, self.root)
        least, most = int(schema.get("minItems", 0)), int(schema.get("maxItems", 5))
        if item.get("type", "string") == "string" and not item.get("enum"):
            asked = _stems(name, {}) & (_ASK | {"topic", "search", "keyword"})
            found = self._queries() if asked else self._sentences(name, schema, most)
            found = [_fitted(tidy(text), item) for text in found][: max(most, least)]
            return (found * (least or 1))[: max(len(found), least)]
        return [self.value(item, name) for _ in range(max(1, least))]

    def _queries(self) -> list[str]:
        task = read_task(self.question)
        return [*task.focus, self.question] if task.focus else [self.question]

    def _truth(self, name: str, schema: Schema) -> bool:
        """True where the evidence shares the field's words and does not deny them."""
        wanted = _stems(name, schema)
        for page in self.pages:
            for sentence in page.sentences:
                if len(term_set(sentence.text) & wanted) >= 2:
                    return not re.search(r"\b(?:not|no|never)\b|n't\b|不|没|ない", sentence.text)
        return False

    def _number(self, schema: Schema, name: str) -> float | int:
        found = [v.key[0] for s in self._sentences(name, schema, 3) for v in (*numbers(s), *dates(s))]
        value = found[0] if found else float(schema.get("minimum", 0))
        value = min(max(value, float(schema.get("minimum", value))), float(schema.get("maximum", value)))
        return round(value) if schema.get("type") == "integer" else value

    def _choice(self, options: list[Any], name: str, schema: Schema) -> Any:
        """The option that the conversation speaks of most; the first if none."""
        have = term_set(self.talk.evidence_text)
        return max(options, key=lambda option: (len(term_set(str(option)) & have), -options.index(option)))


def _fitted(text: str, schema: Schema) -> str:
    least, most = int(schema.get("minLength", 0)), schema.get("maxLength")
    text = text if len(text) >= least else (text + " ." * least)[: max(least, len(text))]
    return text[: int(most)] if most is not None else text
