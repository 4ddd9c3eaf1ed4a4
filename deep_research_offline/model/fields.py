"""Filling the fields of a schema of unknown meaning, each from the sentences that its words point to.

A list of objects has one object per thing: per question where its objects ask, else per sentence that bears
on the question, so that what is told in one object belongs together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from .answer import find
from .conversation import Conversation, outside_fences
from .digest import evidence
from .followup import standing_alone
from .notes import finding_pages
from .page import Page
from .passages import Sentence
from .planning import subquestions
from .query import items_in, said_by
from .schema import ASK, Schema, fitted, resolve, spaced, stems_of
from .task import read_task
from .text import stem, stems, term_set, tidy
from .values import dates, numbers
from .verdict import asked_for, is_missing, judge
from .writing import asked_question

_TOPIC = ASK | stems("topic subtopic title heading search keyword section subject task name overview")
_LOOKED_UP = stems("query queries search searches keyword keywords")
_ID = stems("id ids source sources citation citations reference references")
_WHEN = stems("date year when")
_LONG = stems("summary answer overview findings notes text")
MOST_ITEMS = 5


class Filler:
    """Fills a schema; `question` is what is asked, `only` restricts what is told to one sentence of one page,
    and inside an object for a part of the request (`nested`) no further objects are made up."""

    def __init__(
        self,
        root: Schema,
        talk: Conversation,
        question: str = "",
        only: tuple[Page, Sentence] | None = None,
        nested: bool = False,
    ) -> None:
        self.root = root
        self.talk = talk
        self.question = question or _question(talk)
        self.only = only
        self.nested = nested
        self.pages = [only[0]] if only else _pages(talk)

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
            return self._object(schema, name)
        if kind == "array":
            return self._items(schema, name)
        if kind == "boolean":
            return self._truth(name, schema)
        if kind in {"integer", "number"}:
            return self._number(schema, name)
        return None if kind == "null" else self._text(schema, name)

    def _object(self, schema: Schema, name: str) -> dict[str, Any]:
        fields = {key: resolve(field, self.root) for key, field in (schema.get("properties") or {}).items()}
        asked = asked_for(fields)
        if asked is None:
            return {key: self.value(field, key) for key, field in fields.items()}
        verdict = judge(asked, self.talk, name)
        found: dict[str, Any] = {}
        for key, field in fields.items():
            if key == asked.field:
                found[key] = asked.good if verdict.good else asked.bad
            elif field.get("type") == "array":
                found[key] = list(verdict.missing)
            elif field.get("type", "string") == "string" and not field.get("enum"):
                found[key] = verdict.lacking if is_missing(key) else verdict.reason
            else:
                found[key] = self.value(field, key)
        return found

    def _told(self) -> list[tuple[Page, Sentence]]:
        if self.only:
            return [self.only]
        return [(page, sentence) for page in self.pages for sentence in page.sentences]

    def _bearing(self) -> list[tuple[Page, Sentence]]:
        """What bears on the question."""
        if self.only:
            return [self.only]
        return [(p.page, p.sentence) for p in evidence(read_task(self.question), self.pages)]

    def _sentences(self, name: str, schema: Schema, many: int) -> list[str]:
        """Sentences for a field: those that say its name, else its description, else the question."""
        own, described = stems_of(name, {}), stems_of("", schema)
        wide = said_by(spaced(name))[1]
        scored = []
        for place, (_, sentence) in enumerate(self._told()):
            have = term_set(sentence.text)
            scored.append(
                (
                    4 * len(have & own) + 2 * len(said_by(sentence.text)[1] & wide) + len(have & described),
                    -place,
                    sentence.text,
                )
            )
        best = [text for score, _, text in sorted(scored, reverse=True) if score > 1][:many]
        return best or [sentence.text for _, sentence in self._bearing()][:many]

    def _text(self, schema: Schema, name: str) -> str:
        own = stems_of(name, {})
        if schema.get("format") in {"date", "date-time"} or own & _WHEN:
            text = next((v.text for s in self._sentences(name, schema, 3) for v in dates(s)), "")
        elif own & _ID and self.pages and (self.only or not own & _LONG):
            text = self._ids()[0]
        elif own & ASK or (own & _TOPIC and not self.only):
            text = self.question
        else:
            text = self._value_of(name) or tidy(
                " ".join(self._sentences(name, schema, 2 if own & _LONG else 1))
            )
        return fitted(text, schema)

    def _ids(self) -> list[str]:
        return list(dict.fromkeys(page.id for page, _ in self._bearing())) or [self.pages[0].id]

    def _value_of(self, name: str) -> str:
        """What the pages give for the relation that a field's name says, of what is asked about."""
        subject = self.pages[0].title if len(self.pages) == 1 else self.question
        if self.only or not subject:
            return ""
        found = find(f"{spaced(name).lower()} {subject}", self.pages)
        return found.read.text if found.read and found.sure else ""

    def _items(self, schema: Schema, name: str) -> list[Any]:
        item = resolve(schema.get("items") or {"type": "string"}, self.root)
        least, most = int(schema.get("minItems", 0)), int(schema.get("maxItems", MOST_ITEMS))
        if item.get("properties"):
            found: list[Any] = self._objects(item, name, most)
        elif item.get("type", "string") == "string" and not item.get("enum"):
            found = [fitted(tidy(text), item) for text in self._texts(schema, name, most)]
        else:
            found = [self.value(item, name)]
        found = found[: max(most, least)]
        return (found * (least or 1))[: max(len(found), least)] if found else [self.value(item, name)] * least

    def _texts(self, schema: Schema, name: str, most: int) -> list[str]:
        own = stems_of(name, {})
        task = read_task(self.question)
        if own & _LOOKED_UP:
            found = [*items_in(task.question), self.question]
            least = int(schema.get("minItems", 0))
            return list(
                dict.fromkeys([*found, *(subquestions(task, least, least) if len(found) < least else ())])
            )
        if own & _TOPIC:
            return subquestions(task, most, int(schema.get("minItems", 0)), _shown(self.talk))
        if own & _ID:
            return self._ids()[:most]
        return self._sentences(name, schema, most)

    def _objects(self, item: Schema, name: str, most: int) -> list[Any]:
        parts = [self._of_part(part, item, name) for part in _parts(self.talk, item["properties"])]
        if parts or self.nested:
            return [] if self.nested else parts
        fields = " ".join((name, *item["properties"]))
        if stems_of(fields, {}) & _TOPIC and not stems_of(fields, {}) & _ID:
            asked = subquestions(read_task(self.question), most, pages=_shown(self.talk))
            return [Filler(self.root, self.talk, question).value(item, name) for question in asked]
        told = list({sentence.text: (page, sentence) for page, sentence in self._bearing()}.values())
        return [Filler(self.root, self.talk, self.question, one).value(item, name) for one in told[:most]]

    def _of_part(self, part: tuple[str, str, str], item: Schema, name: str) -> Any:
        """An object for one labelled part of the request: its title, what it is about, and its label."""
        label, title, about = part
        found = Filler(self.root, self.talk, about or title, nested=True).value(item, name)
        for key, field in item["properties"].items():
            if resolve(field, self.root).get("type") == "array":
                found[key] = [label] if _labels(key, label) else found[key]
            elif stems_of(key, {}) & _TOPIC:
                found[key] = title
        return found

    def _truth(self, name: str, schema: Schema) -> bool:
        """True where the evidence shares the field's words and does not deny them."""
        wanted = stems_of(name, schema)
        for _, sentence in self._told():
            if len(term_set(sentence.text) & wanted) >= min(2, len(wanted)):
                return not re.search(r"\b(?:not|no|never)\b|n't\b|不|没|ない", sentence.text)
        return False

    def _number(self, schema: Schema, name: str) -> float | int:
        own = stems_of(name, {})
        told = self._sentences(name, schema, 3)
        counts, years = (
            [v.key[0] for t in told for v in numbers(t)],
            [v.key[0] for t in told for v in dates(t)],
        )
        found = [*years, *counts] if own & _WHEN else [*counts, *years]
        value = found[0] if found else float(schema.get("minimum", 0))
        value = min(max(value, float(schema.get("minimum", value))), float(schema.get("maximum", value)))
        return round(value) if schema.get("type") == "integer" else value

    def _choice(self, options: list[Any], name: str, schema: Schema) -> Any:
        """The option that the conversation speaks of most; the first if none."""
        told = self.only[1].text if self.only else self.talk.evidence_text
        have = term_set(told)
        return max(options, key=lambda option: (len(term_set(str(option)) & have), -options.index(option)))


_PART = re.compile(r"^\W*([a-z]+[_-]?\d+):\s*(.+?)(?:\s+—\s+(.+?))?\s*$", re.MULTILINE)


def _parts(talk: Conversation, fields: Iterable[str]) -> list[tuple[str, str, str]]:
    """The labelled parts that a request lists ("block_1: title — what it is about") and a field refers to."""
    found = _PART.findall(outside_fences("\n".join(talk.said)))
    return [part for part in found if any(_labels(name, part[0]) for name in fields)]


def _labels(name: str, label: str) -> bool:
    return bool(stems_of(name, {}) & {stem(re.sub(r"[_\-\d]+$", "", label))})


def _question(talk: Conversation) -> str:
    """What a request asks: the question that it names as such, else the user's last, complete in itself."""
    named = asked_question(talk)
    if re.search(r"^\s*(?:Question|Query|问题|質問)\s*[:：]", "\n".join(talk.said), re.MULTILINE):
        return named
    return standing_alone(talk)[0] or tidy(talk.evidence_text)[:300]


def _pages(talk: Conversation) -> Sequence[Page]:
    """What is told: sources, else findings, else any fenced text, else all that was said."""
    fenced = [Page(f"B{i}", b.attributes.get("title", ""), b.text) for i, b in enumerate(talk.blocks)]
    return _shown(talk) or fenced or [Page("U", "", talk.evidence_text)]


def _shown(talk: Conversation) -> Sequence[Page]:
    """The sources that a request shows, else those that its findings cite."""
    return talk.sources or finding_pages("\n".join(b.text for b in talk.findings), talk.listed)
