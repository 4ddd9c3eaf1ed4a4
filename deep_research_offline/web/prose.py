"""Ground truth (`Entity`, `Datum`) and the sentences it is told in (`Teller`). Knows no domain.

A domain supplies, per language and attribute, several sentence templates. Fields of a template: `{s}` the
subject, `{p}` its possessive (`{S}`, `{P}` capitalised), `{v}` the value, and whatever the datum carries in
`extra`. The subject is named, replaced by its noun ("the line") or by a pronoun, so that facts are stated in
varied prose.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from .names import Text
from .values import Value
from .words import Words

NAME, NOUN, PRONOUN = "name", "noun", "pronoun"
_OBJECT = re.compile(r"\b(of|with|into|on|at|through|serves|for) \{s\}")


@dataclass(eq=False, slots=True)
class Entity:
    """Something that facts are about. `article` goes before its English name; `pronouns` are (it, its).

    `noun` replaces the generic noun of its kind ("the shipbuilder" instead of "the person").
    """

    kind: str
    key: str
    name: Text
    article: str = ""
    pronouns: tuple[str, str] = ("it", "its")
    noun: Text | None = None

    def ref(self, lang: str) -> str:
        """The name as it stands inside a sentence."""
        return self.article + self.name.en if lang == "en" else self.name.say(lang)


@dataclass(eq=False, slots=True)
class Datum:
    """One true statement: attribute `attr` of `subject` has `value`. `target` is the entity that the value
    names.
    """

    id: str
    subject: Entity
    attr: str
    value: Value
    target: Entity | None = None
    as_of: str | None = None
    extra: dict[str, Value | Text] = field(default_factory=dict)
    label: str = ""  # names the attribute of a fact that only stories tell
    was: Value | None = None  # a value that used to be true

    @property
    def topic(self) -> str:
        """The key of its templates and labels: kind and attribute."""
        return f"{self.subject.kind}.{self.attr}"

    def year(self, key: str) -> int:
        """The year that `extra` holds under `key` (the start of a term, a refit)."""
        value = self.extra[key]
        assert isinstance(value, Value), f"{self.id} holds no year under {key}"
        return value.whole


class Teller:
    """Turns data into sentences, drawing templates and value forms from its own random source."""

    def __init__(self, words: Words, rng: random.Random) -> None:
        self.words, self.rng = words, rng

    def sentence(self, datum: Datum, lang: str, ref: str = NAME, value: Value | None = None) -> str:
        """State `datum` (or, with `value`, misstate it) in one sentence."""
        template = self.rng.choice(self.words.topics[datum.topic].sentences[lang])
        if ref == PRONOUN and _OBJECT.search(template):
            ref = NOUN  # "director of it" is no English
        subject, owner = self._refer(datum.subject, lang, ref)
        extra = {key: item.say(lang) for key, item in datum.extra.items()}
        said = (value or datum.value).say(lang, self.rng)
        text = template.format(s=subject, S=upper(subject), p=owner, P=upper(owner), v=said, **extra)
        return upper(text)

    def label(self, datum: Datum, lang: str) -> str:
        """The attribute's name, as a table or list shows it."""
        extra = {key: item.say(lang) for key, item in datum.extra.items()}
        return self.words.topics[datum.topic].label.say(lang).format(**extra)

    def _refer(self, subject: Entity, lang: str, ref: str) -> tuple[str, str]:
        """Nominative and possessive; Chinese and Japanese templates put their own particles."""
        noun = (subject.noun or self.words.kinds[subject.kind].noun).say(lang)
        if lang != "en":
            return (subject.name.say(lang) if ref == NAME else noun), ""
        if ref == PRONOUN:
            return subject.pronouns
        said = subject.ref("en") if ref == NAME else noun
        return said, possessive(said)


def possessive(name: str) -> str:
    return name + ("'" if name.endswith("s") else "'s")


def upper(text: str) -> str:
    """With its first letter capitalised, the others as they are."""
    return text[:1].upper() + text[1:]
