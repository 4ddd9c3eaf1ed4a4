"""The sections of a report: passages under the sides of its subject or under given headings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from .draft import Draft, tells_something
from .layout import Part, cited
from .names import mentions, plain
from .overview import says, serves, side_title
from .page import Page
from .phrases import say, tier_name
from .quotes import Quote, quotes_of
from .report_words import FACETS, OPINION, READING, hits, subject_terms
from .request import reading_order
from .shared_names import years_in
from .tables import Cell, Table, label_over

MOST_SIDES = 7
_LEAST_WORDS = 45
"""Words below which a side gets no section of its own."""
FITS = 0.5
"""How well a quote serves a heading that it stands under."""
_THIN = 300
"""Words below which a report tells what says little by itself as well."""
_BETWEEN = 2
"""Statements between quotes of a paragraph that are told with them."""
_MOST_MEMBERS = 4
"""Things of a kind of which a report on the kind tells by way of example."""
_SPOKEN = frozenset(READING["debate"][:2]) | {"debate"}
"""Sides that are told with who says it."""
_KNOWN = frozenset(facet.id for facet in FACETS)


class Paragraphs(Draft):
    """Chooses and orders what is told under headings."""

    def sections(self, room: int) -> list[Part]:
        """The sides of the subject with their passages, in reading order; of things compared, what else is
        told of each."""
        chosen = self.best(room)
        if len(self.items) > 1:
            return self._further(chosen)
        examples = [quote for quote in chosen if quote.page in self.gathered.members]
        chosen = [quote for quote in chosen if quote not in examples]
        homes = self._homes(chosen)
        held: dict[str, list[Quote]] = defaultdict(list)
        for quote in chosen:
            held[homes[quote.place]].append(quote)
        order = reading_order(self.question)
        own = [side for side in held if side and side not in _KNOWN]
        sides = [*order[:4], *own, *order[4:]]
        found = {side_title(s, self.lang): self.paragraphs(held[s], s in _SPOKEN) for s in sides if s in held}
        found |= {say("examples", self.lang): self.paragraphs(examples)} if examples else {}
        found |= {say("further", self.lang): self.paragraphs(held[""])} if "" in held else {}
        return [Part(title, blocks) for title, blocks in found.items()]

    def _further(self, chosen: Sequence[Quote]) -> list[Part]:
        of = {item: [q for q in chosen if self._is_on(q, item)] for item in self.items}
        of = {"": [q for q in chosen if not any(q in quotes for quotes in of.values())], **of}
        blocks = {item: self.paragraphs(quotes) for item, quotes in of.items() if quotes}
        told = [b for item, found in blocks.items() for b in ([f"### {item}"] if item else []) + found]
        return [Part(say("further", self.lang), told)] if told else []

    def best(self, room: int) -> list[Quote]:
        """The quotes that a report of so many words tells."""
        quotes = self.told_of_it(quotes_of(self.gathered, self.used))
        quotes = self._once(self._first_of_members(quotes))
        judged = self.criteria or len(self.items) > 1
        chosen = self.choose((q for q in quotes if self._adds(q)) if judged else quotes, room)
        if (lack := min(room, _THIN) - sum(q.size for q in chosen)) > _LEAST_WORDS:  # then paragraphs
            whole = (q for q in quotes_of(self.gathered, self.used, wide=True) if q.worth and not q.is_table)
            adds = self._adds if judged else lambda quote: tells_something(quote.text)
            whole = (q for q in self.told_of_it(whole) if adds(q))
            tells = (q for q in whole if not (q.points[0].depends or q.page in self.gathered.members))
            chosen += self.choose(tells, lack)
        return chosen

    def _once(self, quotes: Sequence[Quote]) -> list[Quote]:
        """Quotes without tables that have rows and the columns of one told already, of another year."""
        kept: list[Quote] = []
        for quote in quotes:
            rows = tuple(sorted(p.sentence.cells[0] for p in quote.points)) if quote.is_table else ()
            columns = quote.points[0].sentence.columns
            if not any(columns == other and {*rows} & {*told} for told, other in self.tables):
                self.tables |= {(rows, columns)} if rows else set()
                kept.append(quote)
        return kept

    def _first_of_members(self, quotes: Sequence[Quote]) -> list[Quote]:
        """Quotes without those of pages on single things that the request does not name, or where there is
        little else with the best of each."""
        whole = [q for q in quotes if q.page not in self.gathered.members]
        best = {q.page: q for q in reversed(quotes) if q.page in self.gathered.members and not q.is_table}
        enough = sum(quote.size for quote in whole) > _THIN
        return whole if enough else [*whole, *list(best.values())[::-1][:_MOST_MEMBERS]]

    def _adds(self, quote: Quote) -> bool:
        """Whether a quote tells more of things compared: is on one of them, with figures or causes where the
        request names criteria, or a table of what neither these nor the comparison hold; on another thing's
        page it begins with one of them."""
        first = quote.points[0]
        if quote.is_table:
            columns = [c for c in first.sentence.columns if c and plain(c) not in self.columns]
            return any(all(says(column, name) < FITS for name in self.criteria) for column in columns)
        several = sum(mentions(first.page.text, item) for item in self.items) > 1
        other = self.other_thing(first.page) and not several
        told = (p for p in quote.points[: 1 if other else None] if not self.items or p.about & {*self.items})
        return any(not self.criteria or tells_something(p.text) for p in told)

    def _homes(self, chosen: Sequence[Quote]) -> dict[tuple[str, int], str]:
        """Under which side each quote stands: its own if enough is told of that, else where most of its page
        stands; none if nothing of that does."""
        size, near = Counter[str](), defaultdict[str, Counter[str]](Counter)
        for quote in chosen:
            size[quote.side] += quote.size
        least = min(_LEAST_WORDS * (1 if self.lang == "en" else 2), size.total() // 8)
        due = {s: least * (1 if s in _KNOWN else 2) * (s not in _SPOKEN) for s in size}
        enough = [s for s, n in size.most_common() if s and n >= due[s]]
        kept = enough[: min(self.limits.sections or MOST_SIDES, MOST_SIDES)]
        for quote in chosen:
            near[quote.page] += Counter({quote.side: quote.size} if quote.side in kept else {})
        most = {page: max(told, key=lambda s: (told[s], s), default="") for page, told in near.items()}
        apart = {q.page for q in chosen if self.is_profile and self.is_on_another(q.points[0].page)}
        most |= dict.fromkeys(apart, "")  # the founder of another thing is none of its people
        return {q.place: q.side if q.side in kept and q.page not in apart else most[q.page] for q in chosen}

    def paragraphs(self, chosen: Sequence[Quote], spoken: bool = False) -> list[str]:
        """Quotes as paragraphs, as they stand on their page; the page of the best comes first, in a
        development that of the earliest year; last, each under its title, those where somebody speaks, or all
        if `spoken`, so that nobody's words run on into a page that has no title here."""
        rank = {quote.page: n for n, quote in reversed(list(enumerate(chosen)))}
        year = {
            page: min((y for q in chosen if q.page == page for y in years_in(q.text)), default=9999)
            for page in rank
        }
        told = self.kind == "development"
        speak = {q.page for q in chosen if any(OPINION.search(p.text) for p in q.points)}
        voice = {page: spoken or page in speak for page in rank}
        order = {page: (voice[page], year[page] if told else 0, rank[page]) for page in rank}
        blocks: list[str] = []
        page = ""
        for quote in self._joined(sorted(chosen, key=lambda q: (order[q.page], q.place))):
            if quote.page != page and voice[quote.page]:
                blocks.append(self._voice(quote.points[0].page))
            item = quote.points[0].sentence.kind == "item"
            text = ("- " if item else "") + " ".join(cited(p) for p in quote.points)
            if item and quote.page == page and blocks[-1].startswith("- "):
                blocks[-1] += f"\n{text}"
            else:
                blocks.append(self.rows(quote) if quote.is_table else text)
            page = quote.page
        return blocks

    def _joined(self, quotes: Sequence[Quote]) -> list[Quote]:
        """Quotes where those of a paragraph are one, with what stands between, if that is short and not
        told."""
        found: list[Quote] = []
        for quote in quotes:
            last, first = found[-1].points[-1] if found else None, quote.points[0]
            if last and (last.page.id, last.sentence.block) == (quote.page, first.sentence.block):
                between = [self.gathered.every[quote.page, n] for n in range(last.place + 1, first.place)]
                prose = all(p.sentence.kind == "prose" for p in (last, *between, first))
                told = any(p.stray or p.key in self.used for p in between)
                if prose and len(between) <= _BETWEEN and not (told or self.choice.repeats(between)):
                    self.used.update(p.key for p in between)
                    found[-1] = replace(found[-1], points=(*found[-1].points, *between, *quote.points))
                    continue
            found.append(quote)
        return found

    def _voice(self, page: Page) -> str:
        told = filter(None, (tier_name(page.tier, self.lang), page.published))
        notes = say("difference_comma", self.lang).join(told)
        brackets = " ({})" if self.lang == "en" else "（{}）"
        return say("voice", self.lang, title=page.title, notes=brackets.format(notes) if notes else "")

    def rows(self, quote: Quote) -> str:
        """A quote of table rows as a table."""
        self.tables.add(
            (tuple(sorted(p.sentence.cells[0] for p in quote.points)), quote.points[0].sentence.columns)
        )
        rows = tuple(
            (p.sentence.cells[0], tuple(Cell(c, (p,)) if c else None for c in p.sentence.cells[1:]))
            for p in quote.points
        )
        label = label_over(quote.points[0], say("item", self.lang))
        return Table(quote.points[0].sentence.columns, rows).markdown(label)

    def on(self, title: str, room: int) -> list[str]:
        """What bears on a heading."""
        fits = (q for q in quotes_of(self.gathered, self.used) if self.fit(q, title) >= FITS)
        return self.paragraphs(self.choose(fits, room))

    def fit(self, quote: Quote, title: str) -> float:
        """How well a quote serves a heading: it is on the thing that this names, or on its side or matter."""
        named = [name for name in self.items if mentions(title, name)]
        if named:
            return float(len(named) == 1 and self._is_on(quote, named[0]))
        sides = {f.id: hits(title, f.head) + _is_named(title, f.title[self.lang]) for f in FACETS}
        if any(sides.values()):
            return min(1, sides.get(quote.side, 0)) + 0.1 * sides.get(quote.side, 0)
        return max(serves(p, title) for p in quote.points) if subject_terms(title) else 0.0


def _is_named(title: str, side: str) -> bool:
    """Whether a heading begins with the usual name of a side; one of a single word is all of it."""
    return plain(title) == plain(side) or (" " in side and plain(title).startswith(f"{plain(side)} "))
