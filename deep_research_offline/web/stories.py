"""Stories: what happened in a region and why, what came of it, and who disagrees. Knows no domain.

A domain's `stories.toml` declares who takes part, what is drawn (numbers, dates, names, causes), the facts
and the disputes, and asks for them in questions of the class `report`, by aspect; its `articles.toml` tells
them on pages of all lengths. Both say at their top how they are written. As elsewhere, what a page tells is
noted while it is written, so the ground truth cannot drift from the text.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from typing import Any

from . import values
from .assembly import Ask, Draft, Misstated
from .desk import Desk, slug
from .prose import Datum, Entity, Teller
from .types import Aspect, Dispute
from .values import Unit, Value
from .words import LANGS

Row = Mapping[str, Any]

_FIELD = re.compile(r"\{([^{}]+)\}")
_SENTENCE_START = re.compile(r"((?:^|[.!?][\"”]? |\n- |\| )[\"“*]*)([a-z])")
_ARTICLE = re.compile(r"\b([Aa]) (?=[AEIO][a-z])")
_YEAR = re.compile(r"Y([+-]\d+)?")


@dataclass(eq=False, slots=True)
class Stories:
    """The stories of one region: draws them from `table`, then writes the pages of `articles`.

    `named` holds everybody and everything that has a name, `facts` what is true by `group.key`, `chosen` the
    alternative drawn of each group of variants, `sides` the ids of disputed facts.
    """

    desk: Desk
    table: Row
    articles: Sequence[Row]
    rng: random.Random
    named: dict[str, Entity] = field(default_factory=dict)
    facts: dict[str, Datum] = field(default_factory=dict)
    chosen: dict[str, Row] = field(default_factory=dict)
    units: dict[str, Unit] = field(default_factory=dict)
    drawn: set[tuple[str, int]] = field(default_factory=set)
    sides: set[str] = field(default_factory=set)

    def tell(self) -> None:
        """Draw what happened and write all pages about it."""
        self.units.update(
            (name, Unit(tuple(en), zh, ja)) for name, (en, zh, ja) in self.table["units"].items()
        )
        self._cast()
        self.chosen.update((name, self.rng.choice(rows)) for name, rows in self.table["variants"].items())
        for group, rows in self.table["facts"].items():
            subject = self.named[rows["subject"]]
            for key, row in rows.items():
                if key != "subject":
                    self._state(f"{group}.{key}", subject, row)
        disputed = (key for row in self.table["disputes"].values() for key in row["sides"])
        self.sides.update(self.facts[key].id for key in disputed)
        for row in self.articles:
            self._publish(row)

    def ask(self) -> Iterable[Ask]:
        """The questions that ask for a report, in the order of the table."""
        for row in self.table["questions"]:
            aspects = {name: self._named_facts(keys) for name, keys in row["aspects"].items()}
            gold = tuple(datum for data in aspects.values() for datum in data)
            sides = tuple(Aspect(name, tuple(datum.id for datum in data)) for name, data in aspects.items())
            disputes = tuple(self._dispute(name) for name in row["disputes"])
            text = _tidy(self.plain(row["text"], row["lang"]), row["lang"])
            yield Ask("report", row["lang"], text, gold, sides, disputes)

    def plain(self, text: str, lang: str) -> str:
        """A title, an address, a question: fields are filled in and nothing is noted."""
        return _FIELD.sub(lambda found: self._fill(found[1], lang, None), text)

    def _cast(self) -> None:
        """Those of the region who take part, then names that only the stories know."""
        region = self.desk.region
        for name, where in self.table["cast"].items():
            kind, place = where.split()
            self.named[name] = region.entities[kind][int(place)]
        for name, pattern in self.table["names"].items():
            maker = self.desk.names
            text = maker.person() if pattern == "person" else maker.word().wrap(*pattern)
            self.named[name] = Entity("story", f"story-{slug(text.en)}", text)
        for name, text in {"region": region.name, **region.bodies}.items():
            self.named[name] = Entity("story", f"story-{region.slug}-{name}", text)

    def _state(self, name: str, subject: Entity, row: Row) -> None:
        """Make a fact true of the subject, or of whom the row is `about`."""
        subject = self.named[row["about"]] if "about" in row else subject
        if known := row.get("known"):
            who, attr = known.split(".")
            self.facts[name] = self.desk.region.get(self.named[who], attr)
            return
        as_of = str(self.desk.region.today.year + row["of"]) if "of" in row else None
        datum = Datum(f"{subject.key}.{name}", subject, name, self._draw(row), as_of=as_of)
        datum.label = self.plain(row["label"], "en")
        self.facts[name] = datum
        if "was" in row:
            datum.was = self._draw(self._earlier(name, row))

    @staticmethod
    def _earlier(name: str, row: Row) -> Row:
        """How the value that a fact used to have is drawn: steps from the present one, or its wordings."""
        was = row["was"]
        if isinstance(was[0], int):
            key = next(key for key in ("n", "year", "day") if key in row)
            return {**row, key: was, "base": name, "percent": False}
        return {"name": was[0]} if "name" in row else {"text": was}

    def _draw(self, row: Row) -> Value:
        """A value: a number of a unit, a year, a day or month, a name, a phrase in several wordings."""
        base = self.facts[row["base"]].value if "base" in row else None
        match row:
            case {"n": (low, high), "unit": unit}:
                return self._number(low, high, unit, base, row)
            case {"year": (low, high)}:
                start = self._year(base) if base else self.desk.region.today.year
                return values.year(start + self.rng.randint(low, high))
            case {"day": (low, high)}:
                start_day = self._day(base) if base else self.desk.region.today
                day = start_day + timedelta(days=self.rng.randint(low, high))
                return values.month(day.isoformat()) if row.get("month") else values.date(day.isoformat())
            case {"name": name}:
                return values.named(self.named[name].name)
            case {"variant": path}:
                group, key = path.split(".")
                return self._phrase(self.chosen[group][key])
            case {"text": forms}:
                return self._phrase(forms)
        raise ValueError(f"A fact is drawn from nothing: {row}.")

    def _number(self, low: int, high: int, unit: str, base: Value | None, row: Row) -> Value:
        """A number between bounds, or so much more than `base`, or so many per cent of it; of one unit no
        number is drawn twice, so that a number stands for one fact.
        """
        step, number = row.get("step", 1), 0
        for _ in range(200):
            number = self.rng.randint(low, high)
            if base:
                number = base.whole * number // 100 if row.get("percent") else base.whole + number
            number = number // step * step
            if (unit, number) not in self.drawn:
                break
        self.drawn.add((unit, number))
        return values.quantity(number, self.units[unit])

    @staticmethod
    def _year(value: Value) -> int:
        return int(value.also[0][:4]) if value.also else value.whole

    @staticmethod
    def _day(value: Value) -> date:
        return date.fromisoformat(f"{value.also[0]}-15"[:10])  # the middle of a month

    def _phrase(self, forms: Sequence[Sequence[str]]) -> Value:
        """Wordings of one statement by language."""
        pairs = zip(LANGS, forms, strict=False)
        said = {lang: tuple(self.plain(form, lang) for form in row) for lang, row in pairs}
        return Value(said["en"], said.get("zh", ()), said.get("ja", ()))

    def _named_facts(self, keys: str) -> tuple[Datum, ...]:
        return tuple(self.facts[key] for key in keys.split())

    def _dispute(self, name: str) -> Dispute:
        row = self.table["disputes"][name]
        sides = tuple(self.facts[key].value.answers for key in row["sides"])
        return Dispute(name, self.plain(row["subject"], "en"), sides)

    def _publish(self, row: Row) -> None:
        """Write a page and its copies: the same story again, worded anew where it has alternatives, and
        without the paragraphs that a copy leaves out.
        """
        first = self._page(row, row["text"])
        for copy in row.get("copies", ()):
            left_out = {place % len(first.blocks) for place in copy.get("skip", ())}
            blocks = [block for i, block in enumerate(_blocks(row["text"])) if i not in left_out]
            twin = self._page({**row, **copy}, "\n\n".join([copy["credit"], *blocks]))
            twin.origin = first.url
            twin.flag("syndicated")

    def _page(self, row: Row, text: str) -> Draft:
        lang, published = row.get("lang", "en"), None
        if "published" in row:
            base, low, high = row["published"]
            start = self._from(base)
            day = start + timedelta(days=self.rng.randint(low, high))
            published = min(day, self.desk.region.today).isoformat()
        author = self.plain(row["author"], lang) if "author" in row else None
        url, title = self.plain(row["url"], "en"), self.plain(row["title"], lang)
        teller = Teller(self.desk.words, self.rng)
        draft = self.desk.web.add(Draft(teller, url, title, row["style"], lang, published, author))
        for block in _blocks(text):
            said = _FIELD.sub(lambda found: self._fill(found[1], lang, draft), block)
            draft.blocks.append(_tidy(said, lang))
        self._flag(draft)
        self.desk.link(draft, *(self.named[name] for name in row.get("links", ())))
        return draft

    def _from(self, base: str) -> date:
        """The day from which a page's date is counted: the web's today, its first of January, or a fact's."""
        today = self.desk.region.today
        days = {"today": today, "new year": today.replace(month=1, day=1)}
        return days[base] if base in days else self._day(self.facts[base].value)

    def _flag(self, draft: Draft) -> None:
        """Label what is hard about a page."""
        found = {
            "stale": draft.stale,
            "wrong": draft.wrong,
            "contradiction": self.sides & draft.states.keys(),
        }
        draft.flag(*(label for label, any_ in found.items() if any_))

    def _fill(self, found: str, lang: str, draft: Draft | None) -> str:
        """What a field stands for; what it tells is noted on `draft`."""
        if "|" in found:
            return self.rng.choice(found.split("|"))
        name, _, form = found.partition(":")
        if name in self.facts:
            return self._tell(name, form, lang, draft)
        if name in self.named:
            said = self.named[name].name.say("en" if form == "slug" else lang)
            return slug(said) if form == "slug" else said
        if year := _YEAR.fullmatch(name):
            return str(self.desk.region.today.year + int(year[1] or 0))
        group, _, key = name.partition(".")
        if name == "place":
            return self.desk.region.slug
        return self.plain(self.chosen[group][key][LANGS.index(lang)][0], lang)

    def _tell(self, name: str, form: str, lang: str, draft: Draft | None) -> str:
        """A fact's value: one of its wordings (a number chooses), as it used to be (`was` as if it still
        held, `then` as history), near the true one and `wrong`, or `bare`, without its unit.
        """
        datum = self.facts[name]
        if draft is None:
            return datum.value.say(lang)
        if form == "was":
            return draft.cell(Misstated(datum, self._former(name), stale=True))
        if form == "then":
            return self._former(name).say(lang)
        if form == "wrong":
            return draft.misquoted(datum)
        if form == "bare":
            return draft.count(datum)
        draft.states[datum.id] = None
        forms: tuple[str, ...] = getattr(datum.value, lang)
        if form:
            return forms[int(form)]
        return forms[len(draft.url) % len(forms)] if datum.value.unit else forms[0]  # one spelling per page

    def _former(self, name: str) -> Value:
        """The value that a fact used to have."""
        former = self.facts[name].was
        assert former, f"{name} has always been as it is"
        return former


def _tidy(text: str, lang: str) -> str:
    """Capital letters at the start of sentences, "an" before vowels, possessives of names that end in s."""
    if lang != "en":
        return text
    text = _ARTICLE.sub("\\1n ", text.replace("s's ", "s' "))
    return _SENTENCE_START.sub(lambda found: found[1] + found[2].upper(), text)


@cache
def _blocks(text: str) -> tuple[str, ...]:
    """The blocks of a page, between blank lines; the lines of a paragraph joined."""
    blocks = [block.strip() for block in re.split(r"\n\s*\n", text.strip())]
    return tuple(block if block[0] in "|-" else " ".join(block.split("\n")) for block in blocks)
