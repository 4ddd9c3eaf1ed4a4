"""From drafts of pages to a finished `Web`: what states what, links, redirects, questions. Knows no domain.

A `Draft` is written block by block. Every datum that it tells is noted, rightly stated, outdated or wrong, so
the ground truth is a by-product of writing and cannot drift from the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from .names import Text
from .prose import NAME, NOUN, PRONOUN, Datum, Entity, Teller
from .types import Aspect, Dispute, Fact, Page, Question, Web
from .values import Value

LINKS_HEADING = Text("See also", "参见", "関連項目")
_STOP = {"en": " ", "zh": "", "ja": ""}


@dataclass(frozen=True, slots=True)
class Misstated:
    """A datum told with a value that is outdated (`stale`) or was never true."""

    datum: Datum
    value: Value
    stale: bool = False


Part = str | Datum | Misstated


@dataclass(eq=False, slots=True)
class Draft:
    """A page being written. Dates are ISO; `links` are (label, url) pairs printed as a list at the end.

    `stale` keeps the outdated values as they were written, by datum. `origin` is the url that a copy copies.
    """

    teller: Teller
    url: str
    title: str
    style: str
    lang: str = "en"
    published: str | None = None
    author: str | None = None
    links_heading: str | None = None
    blocks: list[str] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    hazards: list[str] = field(default_factory=list)
    states: dict[str, None] = field(default_factory=dict)
    stale: dict[str, tuple[str, ...]] = field(default_factory=dict)
    wrong: dict[str, None] = field(default_factory=dict)
    origin: str | None = None

    def heading(self, text: str, level: int = 2) -> None:
        self.blocks.append(f"{'#' * level} {text}")

    def para(self, *parts: Part) -> None:
        """A paragraph. The first sentence about a subject names it; later ones vary the reference."""
        said, last = [], None
        for part in parts:
            if isinstance(part, str):
                said.append(part)
                continue
            datum = part if isinstance(part, Datum) else part.datum
            said.append(self.tell(part, self._reference(datum.subject, last)))
            last = datum.subject
        self.blocks.append(_STOP[self.lang].join(said))

    def tell(self, part: Datum | Misstated, ref: str = NAME) -> str:
        """One sentence, noted in the ground truth."""
        datum, value = self._note(part)
        return self.teller.sentence(datum, self.lang, ref, value)

    def cell(self, part: Part) -> str:
        """The plain value, for a table or a list."""
        return part if isinstance(part, str) else self._note(part)[1].say(self.lang)

    def outdated(self, now: Datum, before: Datum) -> str:
        """The plain value of `before`, given as if it still held `now`."""
        self._note(Misstated(now, before.value, stale=True))
        return self.cell(before)

    def misquoted(self, datum: Datum) -> str:
        """A plain value that is near the true one and wrong."""
        return self.cell(Misstated(datum, datum.value.misquoted(self.teller.rng)))

    def table(self, header: Sequence[str], rows: Iterable[Sequence[Part]]) -> None:
        """A table; a datum becomes its plain value."""
        lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
        lines += ["| " + " | ".join(self.cell(part) for part in row) + " |" for row in rows]
        self.blocks.append("\n".join(lines))

    def count(self, datum: Datum) -> str:
        """The bare number, for a table whose heading names the unit (numbers of four digits or more only)."""
        return self._note(datum)[1].bare()

    def bullets(self, parts: Iterable[Part]) -> None:
        """A list; a datum becomes `label: value`."""
        lines = []
        for part in parts:
            datum = part.datum if isinstance(part, Misstated) else part
            label = f"{self.teller.label(datum, self.lang)}: " if isinstance(datum, Datum) else ""
            lines.append(f"- {label}{self.cell(part)}")
        self.blocks.append("\n".join(lines))

    def infobox(self, *data: Datum) -> None:
        """A two-column table of labels and values."""
        head = {"en": ("Item", "Value"), "zh": ("项目", "内容"), "ja": ("項目", "内容")}[self.lang]
        self.table(head, [(self.teller.label(datum, self.lang), datum) for datum in data])

    def link(self, *targets: Draft) -> None:
        self.links += [(target.title, target.url) for target in targets]

    def flag(self, *labels: str) -> None:
        self.hazards += [label for label in labels if label not in self.hazards]

    def text(self, links: Sequence[tuple[str, str]]) -> str:
        """The Markdown body with `links` (those that lead anywhere, or are dead on purpose) listed at its
        end.
        """
        blocks = list(self.blocks)
        if links:
            blocks.append(f"## {self.links_heading or LINKS_HEADING.say(self.lang)}")
            blocks.append("\n".join(f"- [{label}]({url})" for label, url in links))
        return "\n\n".join(blocks) + "\n"

    def _reference(self, subject: Entity, last: Entity | None) -> str:
        return self.teller.rng.choice((NAME, NOUN, PRONOUN, PRONOUN)) if subject is last else NAME

    def _note(self, part: Datum | Misstated) -> tuple[Datum, Value]:
        if isinstance(part, Datum):
            self.states[part.id] = None
            return part, part.value
        if part.stale:
            self.stale[part.datum.id] = part.value.answers
        else:
            self.wrong[part.datum.id] = None
        return part.datum, part.value


@dataclass(eq=False, slots=True)
class Ask:
    """A question being written, with the data that answer it."""

    kind: str
    lang: str
    text: str
    gold: tuple[Datum, ...] = ()
    aspects: tuple[Aspect, ...] = ()
    disputes: tuple[Dispute, ...] = ()


@dataclass(eq=False, slots=True)
class Assembly:
    """Everything of one web before it is frozen. Pages come in order; a smaller web keeps the first of
    them.
    """

    drafts: list[Draft] = field(default_factory=list)
    data: dict[str, Datum] = field(default_factory=dict)
    asks: list[Ask] = field(default_factory=list)
    redirects: dict[str, str] = field(default_factory=dict)
    dead: list[str] = field(default_factory=list)

    def add(self, draft: Draft) -> Draft:
        self.drafts.append(draft)
        return draft

    def finish(self, seed: int, domain: str, date: str, pages: int, label: Callable[[Datum], str]) -> Web:
        """Freeze the first `pages` drafts with the facts that they state and the questions that they answer.

        `label(datum)` names a fact's attribute in English.
        """
        kept = self.drafts[:pages]
        alive = {draft.url for draft in kept}
        redirects = {old: new for old, new in self.redirects.items() if self._target(old) in alive}
        known = alive | set(redirects) | set(self.dead)
        frozen = tuple(_freeze(draft, known) for draft in kept)
        linked = {url for page in frozen for url in page.links}
        facts = self._facts(kept, label)
        questions = self._questions(facts, {page.url: page.lang for page in frozen})
        dead = frozenset(url for url in self.dead if url in linked)
        origins = {draft.url: draft.origin for draft in kept if draft.origin}
        return Web(seed, domain, date, frozen, facts, questions, redirects, dead, origins)

    def _target(self, url: str) -> str:
        while url in self.redirects:
            url = self.redirects[url]
        return url

    def _facts(self, kept: Sequence[Draft], label: Callable[[Datum], str]) -> dict[str, Fact]:
        where: dict[str, tuple[list[str], list[str], list[str]]] = {}
        dated: dict[str, dict[str, None]] = {}
        for draft in kept:
            for fact, answers in draft.stale.items():
                dated.setdefault(fact, {}).update(dict.fromkeys(answers))
            for slot, noted in enumerate((list(draft.states), list(draft.stale), list(draft.wrong))):
                for fact in noted:
                    where.setdefault(fact, ([], [], []))[slot].append(draft.url)
        facts = {}
        for datum in self.data.values():
            right, stale, wrong = (tuple(urls) for urls in where.get(datum.id, ((), (), ())))
            if right:
                former = datum.was.answers if datum.was else ()
                facts[datum.id] = Fact(
                    id=datum.id,
                    subject=datum.subject.name.en,
                    attribute=label(datum),
                    value=datum.value.en[0],
                    answers=datum.value.answers,
                    pages=right,
                    stale_pages=stale,
                    wrong_pages=wrong,
                    as_of=datum.as_of,
                    stale_answers=tuple(dict.fromkeys([*dated.get(datum.id, {}), *former])),
                )
        return facts

    def _questions(self, facts: dict[str, Fact], langs: dict[str, str]) -> tuple[Question, ...]:
        made: list[Question] = []
        for ask in self.asks:
            gold = [self._gold_page(datum, ask.lang, facts, langs) for datum in ask.gold]
            if None in gold:
                continue  # a small web has lost the page that answers it
            number = sum(question.kind == ask.kind for question in made) + 1
            pages = tuple(dict.fromkeys(url for url in gold if url))
            ids = tuple(datum.id for datum in ask.gold)
            made.append(
                Question(
                    f"{ask.kind}-{number:02d}",
                    ask.kind,
                    ask.lang,
                    ask.text,
                    ids,
                    pages,
                    ask.aspects,
                    ask.disputes,
                )
            )
        return tuple(made)

    @staticmethod
    def _gold_page(datum: Datum, lang: str, facts: dict[str, Fact], langs: dict[str, str]) -> str | None:
        """The first page in `lang` that states the datum."""
        urls = facts[datum.id].pages if datum.id in facts else ()
        return next((url for url in urls if langs[url] == lang), None)


def _freeze(draft: Draft, known: set[str]) -> Page:
    links = list(
        dict.fromkeys((label, url) for label, url in draft.links if url in known and url != draft.url)
    )
    urls = tuple(dict.fromkeys(url for _, url in links))
    return Page(
        draft.url,
        draft.title,
        draft.text(links),
        draft.style,
        draft.lang,
        draft.published,
        draft.author,
        urls,
        tuple(draft.hazards),
    )
