"""Filling any JSON schema from a conversation: known genres first, else field by field from its name.

A genre is known by its form: a yes/no with two texts over a bare conversation is a check for clarity, one
text is a brief, a question with a list over a bare conversation is a rewriting, a text with a list of texts
over a fenced page is a digest, and a choice between opposites is a verdict. A list of objects has one object
per thing: per part or question where its objects ask, else per sentence that bears on the question, so that
what is told in one object belongs together.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import inf
from typing import Any

from .conversation import Conversation, outside_fences
from .digest import evidence, summarize
from .overview import topics
from .page import Page
from .passages import Sentence
from .phrases import join, say
from .request import Request, read_request
from .schema import ASK, Schema, fitted, leaning, resolve, spaced, stems_of
from .scope import brief, clarify, standing_alone
from .text import language, stem, stems, term_set, tidy
from .thesaurus import said_by
from .values import dates, numbers
from .verdict import asked_for, is_missing, judge
from .writing import QUESTION, asked_question, pages_of

_EXCERPTS = stems("excerpt excerpts quote quotes quotation passages highlights")
_TOPIC = ASK | stems("topic subtopic title heading search keyword section subject task name overview")
_LOOKED_UP = stems("query queries search searches keyword keywords")
_ID = stems("id ids source sources citation citations reference references")
_WHEN = stems("date year when")
_LONG = stems("summary answer overview findings notes text")
_PART = re.compile(r"^\W*([a-z]+[_-]?\d+):\s*(.+?)(?:\s+—\s+(.+?))?\s*$", re.MULTILINE)
"""A part that a request lists: "block_1: title — what it is about"."""
_MOST_ITEMS = 5


def fill(schema: Schema, talk: Conversation) -> Any:
    """A value that fits the schema."""
    schema = resolve(schema, schema)
    fields = {name: resolve(field, schema) for name, field in (schema.get("properties") or {}).items()}
    kinds = {name: str(field.get("type", "string")) for name, field in fields.items()}
    shape, texts = Counter(kinds.values()), [name for name, kind in kinds.items() if kind == "string"]
    if any(b.text.strip() for b in talk.blocks):
        quotes = [name for name in texts if stems_of(name) & _EXCERPTS]
        if shape == {"string": 1, "array": 1} or (shape == {"string": 2} and len(quotes) == 1):
            text, excerpts = summarize(talk)
            told = {name: "\n".join(excerpts) if name in quotes else text for name in texts}
            return {name: told.get(name, excerpts) for name in fields}
    elif shape == {"boolean": 1, "string": 2} and not asked_for(fields):
        question, scope = clarify(talk)
        asking = max(texts, key=lambda name: leaning(name, fields[name]))
        told = {name: question if name == asking else scope for name in texts}
        return {name: told.get(name, bool(question)) for name in fields}
    elif shape == {"string": 1} and talk.said:
        return {texts[0]: brief(talk)}
    if shape == {"string": 1, "array": 1} and stems_of(texts[0]) & ASK:
        question, added = standing_alone(talk)
        return {name: list(added) if kind == "array" else question for name, kind in kinds.items()}
    return Filler(schema, talk).value(schema, "")


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
        self.root, self.talk, self.only, self.nested = root, talk, only, nested
        self.question = question or _question(talk)
        self.request = read_request(self.question)
        plain = "\n\n".join(block.text for block in talk.blocks) or talk.evidence_text
        pages = pages_of(talk) or [Page("U", "", plain)]
        self.told = [only] if only else [(page, said) for page in pages for said in page.sentences]

    def value(self, schema: Schema, name: str) -> Any:
        """A value for one schema node."""
        schema = resolve(schema, self.root)
        if "const" in schema:
            return schema["const"]
        if schema.get("enum"):
            return self._choice(list(schema["enum"]))
        ways = {
            "object": self._object,
            "array": self._items,
            "boolean": self._truth,
            "integer": self._number,
            "number": self._number,
            "null": lambda schema, name: None,
        }
        kinds = schema.get("type") or ("object" if "properties" in schema else "string")
        kind = kinds if isinstance(kinds, str) else kinds[0]
        return ways.get(kind, self._text)(schema, name)

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
                lacking = join(verdict.missing, language(" ".join(verdict.missing)))
                found[key] = lacking if is_missing(key) else verdict.reason
            else:
                found[key] = self.value(field, key)
        return found

    def _bearing(self) -> list[tuple[Page, Sentence]]:
        """What bears on the question."""
        pages = list({page.id: page for page, _ in self.told}.values())
        return self.told if self.only else [(p.page, p.sentence) for p in evidence(self.request, pages)]

    def _sentences(self, name: str, schema: Schema, many: int) -> list[str]:
        """Sentences for a field: those that say its name, else its description, else the question."""
        own, described, wide = stems_of(name), stems_of("", schema), said_by(spaced(name))[1]

        def worth(text: str) -> int:
            have = term_set(text)
            return 4 * len(have & own) + 2 * len(said_by(text)[1] & wide) + len(have & described)

        told = [sentence.text for _, sentence in self.told]
        best = [text for text in sorted(told, key=worth, reverse=True)[:many] if worth(text) > 1]
        return best or [sentence.text for _, sentence in self._bearing()][:many]

    def _text(self, schema: Schema, name: str) -> str:
        own = stems_of(name)
        if schema.get("format") in {"date", "date-time"} or own & _WHEN:
            text = next((v.text for s in self._sentences(name, schema, 3) for v in dates(s)), "")
        elif own & _ID and (self.only or not own & _LONG):
            text = next(iter(self._ids()), "")
        elif own & ASK or (own & _TOPIC and not self.only):
            text = self.question
        else:
            text = tidy(" ".join(self._sentences(name, schema, 2 if own & _LONG else 1)))
        return fitted(text, schema)

    def _ids(self) -> list[str]:
        return list(dict.fromkeys(page.id for page, _ in self._bearing() or self.told[:1]))

    def _items(self, schema: Schema, name: str) -> list[Any]:
        item = resolve(schema.get("items") or {"type": "string"}, self.root)
        least, most = int(schema.get("minItems", 0)), int(schema.get("maxItems", _MOST_ITEMS))
        if item.get("properties"):
            found: list[Any] = self._objects(item, name, most)
        elif item.get("type", "string") == "string" and not item.get("enum"):
            found = [fitted(tidy(text), item) for text in self._texts(schema, name, most)]
        else:
            found = [self.value(item, name)]
        found = (found or [self.value(item, name)] * least)[: max(least, most)]
        return [*found, *found[-1:] * (least - len(found))]

    def _texts(self, schema: Schema, name: str, most: int) -> list[str]:
        own = stems_of(name)
        if own & _LOOKED_UP:
            return list(dict.fromkeys([*self.request.items, self.question]))
        if own & _TOPIC:
            return subquestions(self.request, most, pages_of(self.talk))
        return self._ids() if own & _ID else self._sentences(name, schema, most)

    def _objects(self, item: Schema, name: str, most: int) -> list[Any]:
        fields = item["properties"]
        listed = _PART.findall(outside_fences("\n".join(self.talk.said)))
        parts = [part for part in listed if any(_labels(key, part[0]) for key in fields)]
        if parts or self.nested:
            return [] if self.nested else [self._of_part(part, item, name) for part in parts]
        own = stems_of(" ".join((name, *fields)))
        if own & _TOPIC and not own & _ID:
            asked = subquestions(self.request, most, pages_of(self.talk))
            return [Filler(self.root, self.talk, question).value(item, name) for question in asked]
        told = list({sentence.text: (page, sentence) for page, sentence in self._bearing()}.values())
        return [Filler(self.root, self.talk, self.question, one).value(item, name) for one in told[:most]]

    def _of_part(self, part: tuple[str, str, str], item: Schema, name: str) -> Any:
        """An object for one labelled part of the request: its title, what it is about, and its label."""
        label, title, about = part
        found = Filler(self.root, self.talk, about or title, nested=True).value(item, name)
        for key, field in item["properties"].items():
            if _labels(key, label) and resolve(field, self.root).get("type") == "array":
                found[key] = [label]
            elif stems_of(key) & _TOPIC:
                found[key] = title
        return found

    def _truth(self, schema: Schema, name: str) -> bool:
        """True where the evidence shares the field's words and does not deny them."""
        wanted = stems_of(name, schema)
        for _, sentence in self.told:
            if len(term_set(sentence.text) & wanted) >= min(2, len(wanted)):
                return not re.search(r"\b(?:not|no|never)\b|n't\b|不|没|ない", sentence.text)
        return False

    def _number(self, schema: Schema, name: str) -> float | int:
        told = self._sentences(name, schema, 3)
        ways = (dates, numbers) if stems_of(name) & _WHEN else (numbers, dates)
        value = next((v.key[0] / v.factor for read in ways for text in told for v in read(text)), 0.0)
        value = min(max(value, schema.get("minimum", -inf)), schema.get("maximum", inf))
        return round(value) if schema.get("type") == "integer" else value

    def _choice(self, options: list[Any]) -> Any:
        """The option that the conversation speaks of most; the first if none."""
        have = term_set(self.only[1].text if self.only else self.talk.evidence_text)
        return max(options, key=lambda option: len(term_set(str(option)) & have))


def subquestions(request: Request, most: int, pages: Sequence[Page] = ()) -> list[str]:
    """At most so many distinct questions that, answered together, answer one: one for each thing compared or
    each question in it, and the whole. What a report is to tell of follows the pages at hand."""
    whole, lang = request.question, language(request.question)
    if request.broad:
        return [topic.title for topic in topics(whole, pages, max(most, 1))]
    found = [say("sub_item", lang, item=i, question=q) if i else q for i, q in request.apart]
    return list(dict.fromkeys([*found, whole]))[: max(most, 1)]


def _labels(name: str, label: str) -> bool:
    return bool(stems_of(name) & {stem(re.sub(r"[_\-\d]+$", "", label))})


def _question(talk: Conversation) -> str:
    """What a request asks: the question that it names as such, else the user's last, complete in itself."""
    if QUESTION.search("\n".join(talk.said)):
        return asked_question(talk)
    return standing_alone(talk)[0] or tidy(talk.evidence_text)[:300]
