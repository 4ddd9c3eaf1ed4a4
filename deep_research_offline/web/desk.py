"""The desk at which a region's pages are written, with their addresses, dates and links. Knows no domain.

Pages from templates: fields become names, values and sentences, blocks become paragraphs, lists, tables.
Knows no domain.

A domain's templates stand in its `pages.toml`, which says at its top how they are written. Whatever a body
tells is noted in the ground truth of its page, right, outdated or wrong.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from . import hazards
from .assembly import Assembly, Draft, Misstated, Part
from .names import NameMaker, Text
from .prose import Datum, Entity, Teller
from .region import Region
from .values import Value
from .words import Words

Templates = Mapping[str, Mapping[str, Any]]
Filler = Callable[[random.Random, Mapping[str, Sequence[str]], int], str]
"""A paragraph of a very long page, given its number. It states no fact and draws from the lists of words."""


@dataclass(eq=False, slots=True)
class Desk:
    """Writes into one assembly on behalf of one region, in a domain's words.

    `homes` are the articles of the domain's reference work by (entity, language).
    """

    words: Words
    templates: Templates
    filler: Filler
    region: Region
    web: Assembly
    names: NameMaker
    rng: random.Random
    teller: Teller = field(init=False)
    homes: dict[tuple[str, str], Draft] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.teller = Teller(self.words, self.rng)

    def page(
        self,
        url: str,
        title: str,
        style: str,
        published: str | None = None,
        author: str | None = None,
        lang: str = "en",
    ) -> Draft:
        """A new page, in the order in which the web lists them."""
        return self.web.add(Draft(self.teller, url, title, style, lang, published, author))

    def write(
        self, name: str, subjects: Iterable[Entity | None] = (None,), lang: str = "en", **more: object
    ) -> list[Draft]:
        """A page from the template `name` on each subject; `more` are further fields."""
        return [write_page(self, name, lang, subject, more) for subject in subjects]

    def write_briefs(self, count: int) -> None:
        """News in brief, two facts each on topics of the template."""
        for i in range(count):
            topics = self.rng.sample(self.templates["brief"]["topics"], 2)
            first, second = (self._drawn(*topic.split(".")) for topic in topics)
            more = {"first": first, "second": second, "other": second.subject, "turn": i + 1}
            write_page(self, "brief", "en", first.subject, more)

    def reprint(self, stories: Iterable[Draft]) -> None:
        """Near-copies of stories in other papers (host, days later), in turn."""
        how = self.templates["reprint"]
        for i, story in enumerate(stories):
            host, days = how["papers"][i % len(how["papers"])]
            url = f"https://{host}/{self.region.slug}/{story.url.rsplit('/', 1)[1]}"
            title = how["title"].format(story.title)
            self.web.add(hazards.syndicate(story, url, title, how["credit"], days))

    def link(self, draft: Draft, *entities: Entity | None) -> None:
        """Link to the articles about `entities` in the draft's own language, where they exist."""
        homes = [self.homes.get((entity.key, draft.lang)) for entity in entities if entity]
        draft.link(*(home for home in homes if home))

    def ago(self, low: int, high: int) -> str:
        """A day between `low` and `high` days before the web's own date."""
        return (self.region.today - timedelta(days=self.rng.randrange(low, high))).isoformat()

    def in_year(self, year: int) -> str:
        """A day in `year`, never after the web's own date."""
        last = 12 if year < self.region.today.year else self.region.today.month - 1
        return f"{year}-{self.rng.randrange(1, max(2, last + 1)):02d}-{self.rng.randrange(1, 29):02d}"

    def colours(self, kind: str) -> list[str]:
        """All sentences of local colour about a kind, in another order."""
        colours = self.words.kinds[kind].colour
        return self.rng.sample(colours, len(colours))

    def fill(self, number: int) -> str:
        """The paragraph of this number of a very long page."""
        return self.filler(self.rng, self.templates["filler"], number)

    def _drawn(self, kind: str, attr: str) -> Datum:
        """The attribute of an entity drawn at random."""
        return self.region.get(self.rng.choice(self.region.entities[kind]), attr)


_FIELD = re.compile(r"\{([^{}:]+)(?::(\w+))?\}")
_SENTENCE = "\0"  # where a sentence goes, while a paragraph is put together


def slug(text: str) -> str:
    """`text` as a lower-case path segment."""
    return text.lower().replace(" ", "-").replace("–", "-").replace("'", "")


_FORMS: Mapping[str, Callable[[str], str]] = {
    "slug": slug,
    "year": lambda day: day[:4],
    "path": lambda day: day.replace("-", "/"),
}


@dataclass(frozen=True, slots=True)
class Scope:
    """What the fields of a template stand for: what is true of `subject`, and further `fields`."""

    desk: Desk
    lang: str
    subject: Entity | None
    fields: Mapping[str, object]

    def find(self, path: str) -> object:
        """What stands at a path: an entity, a datum, a text, a number."""
        head, *steps = path.split(".")
        if head in self.fields:
            here = self.fields[head]
        elif head == "byline":
            here = self.desk.names.person().en
        else:
            here = self.subject if head == "name" else self._of(self.subject, head)
        for step in steps:
            here = here.extra[step] if isinstance(here, Datum) else self._of(here, step)
        return here

    def text(self, template: str) -> str:
        """An address, a title, an author: values are told, and nothing is noted."""
        return _FIELD.sub(lambda field: self._said(self.find(field[1]), field[2]), template)

    def data(self, paths: str) -> list[Datum]:
        """The facts at several paths with spaces between."""
        found = [self.find(self.text(path)) for path in paths.split()]
        return [datum for datum in found if isinstance(datum, Datum)]

    def entities(self, path: str) -> list[Entity]:
        """Those that a field holds or a fact names; after `all`, those of a kind."""
        if path.startswith("all "):
            return self.desk.region.entities[path.removeprefix("all ")]
        found = self.find(path)
        if isinstance(found, Datum):
            return [found.target] if found.target else []
        several = found if isinstance(found, Sequence) else [found]
        return [entity for entity in several if isinstance(entity, Entity)]

    def parts(self, template: str, draft: Draft) -> list[Part]:
        """A paragraph: a fact without a form is a sentence, with one its value is part of the text."""
        sentences: list[Part] = []

        def inline(field: re.Match[str]) -> str:
            found, form = self.find(field[1]), field[2]
            if not isinstance(found, Datum):
                return self._said(found, form)
            if form in (None, "still"):
                sentences.append(self._still(found, draft) if form else found)
                return _SENTENCE
            return self._noted(found, form, draft)

        first, *others = (text.strip() for text in _FIELD.sub(inline, template).split(_SENTENCE))
        parts = [first, *(part for pair in zip(sentences, others, strict=True) for part in pair)]
        return [part for part in parts if part]

    def _of(self, entity: object, name: str) -> object:
        """An attribute of an entity, or a sentence of local colour (drawn alone, or from all in an order)."""
        assert isinstance(entity, Entity), f"{name} is asked of nothing"
        if name == "colour":
            return self.desk.rng.choice(self.desk.words.kinds[entity.kind].colour)
        if name == "colours":
            return self.desk.colours(entity.kind)[0]
        return self.desk.region.get(entity, name)

    def _said(self, thing: object, form: str | None) -> str:
        """A name, a plain value, a date or a number, in one of the forms that note nothing."""
        if isinstance(thing, Entity) and form in ("the", "key"):
            return thing.ref("en") if form == "the" else thing.key
        said = self._plain(thing, "en" if form == "slug" else self.lang)
        return _FORMS[form](said) if form else said

    @staticmethod
    def _plain(thing: object, lang: str) -> str:
        if isinstance(thing, Entity):
            return thing.name.say(lang)
        if isinstance(thing, Datum):
            return thing.value.say(lang)
        return thing.say(lang) if isinstance(thing, Text | Value) else str(thing)

    def _noted(self, datum: Datum, form: str, draft: Draft) -> str:
        """A value in running text: right, near the true one and wrong, or the one before a change."""
        match form:
            case "value":
                return draft.cell(datum)
            case "wrong":
                return draft.misquoted(datum)
            case "before":
                return draft.outdated(datum, self._before(datum))
        raise ValueError(f"A fact in running text has no form {form!r}: {datum.id}.")

    def _still(self, datum: Datum, draft: Draft) -> Misstated:
        """What held before a change, told as if it still held."""
        before = self._before(datum)
        draft.states[before.id] = None
        since = {"since": before.extra["since"]}
        return Misstated(replace(datum, value=before.value, extra=since), before.value, stale=True)

    def _before(self, datum: Datum) -> Datum:
        return self.desk.region.get(datum.subject, f"{datum.attr}_before")


def write_page(desk: Desk, name: str, lang: str, subject: Entity | None, more: Mapping[str, object]) -> Draft:
    """A page from the template `name`. Numbers are drawn first, then the day, the author, the body."""
    row, region = _template(desk, name, lang), desk.region
    fields: dict[str, object] = {"region": region.name, "place": region.slug, "lang": lang}
    fields |= {**{f"year{i}": year for i, year in enumerate(region.years)}, **region.bodies, **more}
    scope = Scope(desk, lang, subject, fields)
    if "draw" in row:
        fields["draw"] = desk.rng.randrange(*row["draw"])
    if "number" in row:
        fields["number"] = desk.names.number(*row["number"])
    fields["published"] = published = _day(scope, **row["published"]) if "published" in row else None
    fields["signed"] = author = scope.text(row["author"]) if "author" in row else None
    draft = desk.page(scope.text(row["url"]), scope.text(row["title"]), row["style"], published, author, lang)
    draft.links_heading = row.get("links_heading", draft.links_heading)
    _write_blocks(draft, scope, row["body"])
    draft.flag(*row.get("flags", ()))
    for path in row.get("links", ()):
        desk.link(draft, *scope.entities(path))
    return draft


def _template(desk: Desk, name: str, lang: str) -> dict[str, Any]:
    """A template with what it takes over from another, in the words of one language."""
    row = desk.templates[name]
    if "like" in row:
        row = {**desk.templates[row["like"]], **row}
    return {key: value.get(lang, value) if isinstance(value, dict) else value for key, value in row.items()}


def _day(
    scope: Scope,
    ago: Sequence[int] = (),
    year: str = "",
    plus: int = 0,
    day: str = "",
    after: Sequence[int] = (),
) -> str:
    """A day in an interval of days ago, in the year that a field holds (or `plus` years later), or on the day
    that one holds (or so many days `after`).
    """
    desk = scope.desk
    if ago:
        return desk.ago(ago[0], ago[1])
    if year:
        return desk.in_year(int(scope.text(f"{{{year}:year}}")) + plus)
    (told,) = scope.data(day)
    late = desk.rng.randrange(*after) if after else 0
    return (date.fromisoformat(told.value.also[0]) + timedelta(days=late)).isoformat()


def _write_blocks(draft: Draft, scope: Scope, blocks: Sequence[str | dict[str, Any]]) -> None:
    desk = scope.desk
    for block in blocks:
        if isinstance(block, str):
            draft.para(*scope.parts(block, draft))
        elif "list" in block:
            draft.bullets(scope.data(block["list"]))
        elif "filler" in block:
            hazards.lengthen(draft, block["filler"], desk.fill)
        elif "each" in block:
            for entity in scope.entities(block["each"]):
                _write_blocks(draft, replace(scope, subject=entity), block["body"])
        else:
            _write_table(draft, scope, **block)


def _write_table(
    draft: Draft,
    scope: Scope,
    table: str,
    header: Sequence[str],
    columns: str,
    bare: bool = False,
    by_name: bool = False,
    trim: str = "",
) -> None:
    """A row per entity of a kind: its name without `trim`, then values or (`bare`) numbers without units."""
    entities = scope.desk.region.entities[table]
    rows: list[list[Part]] = []
    for entity in sorted(entities, key=lambda entity: entity.name.en) if by_name else entities:
        data = replace(scope, subject=entity).data(columns)
        name = entity.name.say(draft.lang).removesuffix(trim)
        rows.append([name, *(draft.count(datum) if bare else datum for datum in data)])
    draft.table([scope.text(title) for title in header], rows)
