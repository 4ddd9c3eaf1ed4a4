"""Things compared and chosen from: what is said of each, what is ruled out, what leads, what is missing."""

from __future__ import annotations

from collections import Counter, defaultdict

from .draft import Draft
from .layout import Part, cited, ids
from .lists import criteria
from .names import mentions, plain
from .overview import says, serves
from .paragraphs import FITS
from .phrases import join, say
from .points import Point
from .quotes import Quote, quotes_of
from .report_words import IT, subject_terms
from .request import asks_of_one
from .tables import Table, leaders
from .text import term_set
from .thesaurus import asked_by, families_of, measure_in, said_by
from .values import has_unit
from .weighing import in_words, is_advised

_ADVISED = 3
"""Sentences of advice that a report opens with at most."""
_LEAST = 0.3
"""What a sentence on a criterion is worth that has nothing else of a request."""
_JUDGED = 3
"""Statements on one thing by which a reader may tell whether it is any good."""


def _paid(name: str) -> frozenset[str]:
    """The unit of a criterion that is told in money, by whatever word; none of another."""
    return families_of(measure_in(name)) & {"money"}


class Judge(Draft):
    """Sets things side by side."""

    def by_criterion(self, table: Table | None) -> list[Part]:
        """Criterion by criterion what is said of the things in common, and of each thing in its order, beyond
        the table."""
        found = []
        share = max(25, self.room // (2 * max(1, len(self.criteria)) * max(1, len(self.items))))
        for name in self.criteria:
            lines = []
            for item in ("", *self.items):
                fits = [
                    Quote(q.points, q.worth * fit)
                    for q in (*quotes_of(self.gathered, self.used, 1), *self._leaning(item))
                    if not q.is_table
                    and not (table and table.holds(item, q.text))
                    and (fit := self._on_criterion(q.points[0], name))
                    and self._is_on(q, item)
                ]
                chosen = self.choose(fits, 3 * share if not self.items else share)
                told = " ".join(cited(p) for q in chosen for p in q.points)
                if told:
                    lines += [f"### {item}", told] if item else [told]
                    self.told.add((item, plain(name)))
            if lines:
                found.append(Part(name[0].upper() + name[1:], lines))
        return found

    def _leaning(self, item: str) -> list[Quote]:
        """The sentences that lean on one before, which is on the thing: under its name they stand alone, as
        do those that name it on a page that compares."""
        found = []
        for p in self.gathered.every.values() if item else ():
            if not (p.depends or p.score <= 0) or p.key in self.used or p.is_pair:
                continue
            compares = sum(mentions(p.page.text, one) for one in self.items) > 1
            leans = IT.search(p.text) and {item} == p.about & {*self.items}
            own = p.score > 0 and (plain(p.page.title) == plain(item) or leans)
            if own or (compares and (leans or item in p.text)):
                found.append(Quote((p,), p.score or _LEAST))
        return found

    def _on_criterion(self, point: Point, name: str) -> float:
        """How much a point says on a criterion, if on none more."""
        fit, size = serves(point, name), len(term_set(name))
        units = frozenset() if criteria(self.question) else _paid(name)
        if units and not has_unit(point.text, units):
            return 0.0  # "in charge" is no price
        others = [(serves(point, c), len(term_set(c))) for c in self.criteria if c != name]
        says_most = all(other <= (fit, size) for other in others)
        return fit if fit > FITS - 0.1 * (size < 2) and says_most else 0.0

    def missing(self, table: Table | None = None) -> list[str]:
        """What was asked by name and of which nothing is said, in a table neither."""
        held = table.filled() if table else []
        quotes = [Quote((point,), 0.0) for point in self.choice.said]
        held += [(item, quote.text) for item in self.items for quote in quotes if self._is_on(quote, item)]
        points = self.gathered.points
        lost = [name for name in self.items if not any(name in p.named for p in points)]
        lines = [say("missing_item", self.lang, it=name) for name in lost]
        for name in self.criteria:
            said = {item for item, column in self.told if column == plain(name)}
            said |= {item for item, text in held if says(text, name) > FITS or has_unit(text, _paid(name))}
            of = [item for item in self.items if item not in {*lost, *said}]
            if not said and not any(serves(p, name) >= 0.3 for p in self.gathered.every.values()):
                lines.append(say("missing_item", self.lang, it=in_words(self.question, name)))
            elif of:
                asked = in_words(self.question, name)
                lines.append(say("missing_pair", self.lang, it=join(of, self.lang), criterion=asked))
        names = self.gathered.names
        told = sum(any(mentions(p.text, name) for name in names) for p in self.choice.said) >= _JUDGED
        judged = told and asks_of_one(self.question, names)  # by what is told of it
        if self.asks_advice and not table and len(self.items) < 2 and not judged:
            lines.append(say("nothing_chosen", self.lang, it=self.question.rstrip(" ?？.。!！")))
        return [f"- {line}" for line in lines]

    def verdict(self, table: Table | None) -> list[str]:
        """What speaks for which thing, by figures that can be compared, and so would change the choice."""
        if not table:
            return []
        lines = "\n".join(f"- {line}" for line in self._leaders(table))
        return [lines or say("no_pick", self.lang)]

    def advised(self, table: Table | None) -> list[str]:
        """Whom sources advise to take which of the things, from the page that has advice on most of them;
        first what has most of the request's own words, then the one that leads on most of what is asked."""
        asked = {*subject_terms(self.question)}, asked_by(self.question)
        led = leaders(table, self.criteria) if table else []
        first = Counter(it for name, it, _ in led if table and self._key(table, name) == "best_of")
        found = defaultdict[str, dict[str, tuple[bool, int, Point]]](dict)
        for point in self.gathered.every.values():
            named = [item for item in self.items if item in point.text]
            titled = [item for item in self.items if mentions(point.page.title, item)]
            if len(named) != 1 or titled == named or point.is_pair or not is_advised(point.text, named[0]):
                continue
            stems, groups = said_by(point.text.replace(named[0], ""))
            fit = len(stems & asked[0]) + len(groups & asked[1])
            rank = (point.text.find(named[0]) > len("The "), fit, point)  # "for …: it" says to whom
            own = found[point.page.id]
            own[named[0]] = max(own.get(named[0], rank), rank, key=lambda one: one[:2])
        told = max(found.values(), key=len, default={})
        order = sorted(told, key=lambda it: (-told[it][1], -first[it], told[it][2].key))
        for it in order[:_ADVISED]:
            self.take(told[it][2])
        return [cited(told[it][2]) for it in order[:_ADVISED]]

    def picks(self, table: Table) -> list[str]:
        """Which thing is to be preferred where what counts; the one that comes first most often leads."""
        first = leaders(table, self.criteria)
        known = [won for won in first if self._key(table, won[0]) == "best_of"]
        won: dict[str, list[str]] = defaultdict(list)
        for name, thing, cell in known if self.criteria else known or first:
            won[thing].append(f"{name.lower()} ({cell.text})" if self.criteria else name.lower())
        most = max(map(len, won.values()), default=0)
        best = [thing for thing, names in won.items() if len(names) == most]
        key = "pick" if len(won) == 1 and most > 1 else "prefer"
        shown = {it: [p for _, thing, cell in first if thing == it for p in cell.points] for it in won}
        return [
            f"{say(key, self.lang, it=it, criteria=join(won[it], self.lang))} {ids(*shown[it])}"
            for it in dict.fromkeys([*best, *won])
        ]

    def _leaders(self, table: Table) -> list[str]:
        """Which thing comes first on what, with its value."""
        return [
            f"{say(self._key(table, name), self.lang, it=it, criterion=name.lower(), value=cell.text)}"
            f" {ids(*cell.points)}"
            for name, it, cell in leaders(table, self.criteria)
        ]

    @staticmethod
    def _key(table: Table, name: str) -> str:
        """How the first place on an attribute is told: among all, or among those of which it is known."""
        known = sum(column == name for _, column in table.filled())
        return "best_of" if known == len(table.rows) else "best_known"
