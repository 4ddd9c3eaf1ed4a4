"""The report: summary, sections of quoted passages, tables, disagreements, what is dated, what is missing.

Every passage is one or a few consecutive sentences or list items of a source, word for word, with the ids of
its sources behind each. The writer only chooses, orders and groups; lines of its own say nothing about the
world.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from .dating import with_dates
from .draft import MOST_WORDS
from .gather import gather, places_in
from .judging import Judge
from .kinds import asks_why, is_surely, kind_of
from .layout import Limits, Part, cited, laid_out, limits_in, merged, shortened
from .lists import items_in
from .names import mentions, plain, shown_by
from .overview import plan_sides, subject
from .page import Page
from .paragraphs import MOST_SIDES, Paragraphs
from .parts import questions_in
from .phrases import join, say
from .points import Point
from .quotes import Quote, length, quotes_of
from .report_words import SETTLED, names_a_subject, subject_terms
from .request import chosen_kind, reading_order
from .shared_names import called_so, shared_names, years_in
from .summary import Summarizer
from .tables import Table, course, facts_table, series_table, single_table, with_rivals
from .text import term_set, tidy
from .titles import asked_title, title_of
from .wishes import without_wishes

_DEFINES = re.compile(
    r"(?:(?:An?|The) )?((?!It |This |That |There )[\w'’-]+(?: [\w'’-]+){0,3}) (?:is|are) (?:an?|one of the) "
    r"|([^，。はが]{2,24}?)(?:（[^）]*）)?(?:是指|是.{0,16}的一|とは|は、?[^。]{0,24}ある)"
)
"""A sentence that says what something is, and what it calls that."""
_BACK = re.compile(r"\b(?:that|this|these|those)\b|[这该此そこ]")
"""A word for what was said before."""
_SAYS_IT = re.compile(r"[^:：]{0,20}[:：] ?\S| that (?:\S+ ){3}")
"""What follows where a sentence says itself what it is that all agree on."""
_AND_WHY = re.compile(
    r"(?:,?;? and (?:also )?|[,;.?!] )(?:why|how come|what(?:'?s| is| was) behind)\b[^,;.?!]*(?=[.?!]*$)",
    re.IGNORECASE,
)
"""What asks for the reasons, too."""
_NEAREST, _NEARLY = 4, 0.6
"""Passages that are told where none gives what is asked; how much each has of it, of what the best has."""
CALLED_SO = 6
"""Things with a longer name each that a request names by what their names share, each told of apart."""
_ROWS = 3
"""Rows that a table of labelled values, or of things of a kind, has at least."""


class Writer(Summarizer, Paragraphs, Judge):
    """Writes the whole report."""

    def disagreements(self, dated: bool = False) -> list[str]:
        """What sources say differently, or what is older than what others say."""
        told: dict[frozenset[object], str] = {}
        about = Counter(p.page.id for p in self.gathered.points)
        sides = [[self.gathered.every[side.key] for side in one.sides] for one in self.differences]
        found = list(zip(self.differences, sides, strict=True))
        if self.kind == "debate":  # what the debate is about stands before what else is told differently
            found.sort(key=lambda one: -sum(point.score for point in one[1]))
        for difference, points in found:
            values = frozenset(side.value[0] for side in difference.sides)
            bears = self._bears(points, {} if dated else about) and values not in told
            things = frozenset[str]().union(*(side.names for side in difference.sides))
            if len(self.items) > 1:  # of things compared only what is said of one and the same of them
                of = [{i for i in self.items if mentions(f"{p.page.title}\n{p.text}", i)} for p in points]
                bears = bears and not (all(of) and not set.intersection(*of))
                bears = bears and (not things or any(mentions(t, i) for t in things for i in self.items))
            if bears and bool(difference.older) is dated:
                told[values] = difference.shown(self.lang, {point.key for point in self.choice.said})
                why = [] if dated else [(side.page.id, n) for side in difference.sides for n in side.reason]
                self.take(*points, *map(self.gathered.every.__getitem__, why))
        return [*told.values()]

    def settled(self) -> list[str]:
        """What nobody disputes, with the sentence before or behind it that says what that is."""
        lines = []
        for point, said in ((p, SETTLED.search(p.text)) for p in self.gathered.points):
            if not said:
                continue
            near = self.gathered.beside(point, -1 if _BACK.search(point.text) else 1)
            told = [point, *([near] if near and not _SAYS_IT.match(point.text[said.end() :]) else [])]
            if not any(p.key in self.used for p in told):
                self.take(*told)
                lines.append(f"- {' '.join(cited(p) for p in sorted(told, key=lambda p: p.place))}")
        return ["\n".join(lines)] if lines else []

    def _bears(self, points: Sequence[Point], about: Mapping[str, int]) -> bool:
        """Whether what passages say bears on the request, by itself or by the pages that it stands on."""
        if not all(self.is_told(p.page, p.text) for p in points):
            return False
        names = self.gathered.names
        named = [any(mentions(f"{p.page.title}\n{p.page.text}", name) for name in names) for p in points]
        if any(p.score > 0 for p in points):
            return not names or any(named) or all(p.score > 0 for p in points)
        things = frozenset[str]() if self.kind == "debate" else {*names} - places_in(names, self.pages)
        if not names:  # a page with a word on the matter may tell of much besides
            return any(p.serves for p in points)
        central = [about.get(p.page.id, 0) > 1 or bool(p.named & things) for p in points]
        return any(central)

    def denial(self) -> str:
        """That a request has no subject, or that no page tells of it; "" if there is something to tell."""
        gathered = self.gathered
        if not (names_a_subject(without_wishes(self.question)) or gathered.names):
            return say("no_subject", self.lang)
        if gathered.points and gathered.lacks != "all":
            return ""
        lacking = join(gathered.unsaid, self.lang) or subject(self.question) or self.question
        return say("nothing_broad", self.lang, it=lacking)

    def parts(self) -> tuple[list[str], list[Part]]:
        """Summary and sections."""
        conflicts = self.disagreements()
        agreed = self.settled() if self.kind == "debate" else []
        if self.limits.named:
            summary = self.summary(reading_order(self.question)) if self.limits.summary != "none" else []
            share = self.room // len(self.limits.named)
            named = [(name, self.on(name, share)) for name in self.limits.named]
            return summary, [
                Part(name, blocks or [say("missing_item", self.lang, it=name)]) for name, blocks in named
            ]
        known = self._definitions() if self.limits.plain else {}
        words = {name: point for name, point in known.items() if name.islower()}
        self.used.update(point.key for point in words.values())  # told first, and not in the summary
        summary, first, years, table = self.opening()
        found = first + self.by_criterion(table)
        told = sum(length(b) for b in [*summary, *conflicts, *(b for p in found for b in p.blocks)])
        left = max(self.room - told, self.room // 3)
        found += self.sections(min(left, max(900 - told, 0)) if self.criteria else left)
        found += years
        last = {
            "settled": agreed,
            "conflict": conflicts,
            "dated": self.disagreements(dated=True),
            "choice": self.verdict(table) if self.kind == "recommendation" else [],
            "h_missing": ["\n".join(lines)] if (lines := self.missing(table)) else [],
        }
        ends = [Part(say(title, self.lang), blocks) for title, blocks in last.items() if blocks]
        lead = bool(agreed) + bool(conflicts) if self.kind == "debate" else 0
        parts = [*ends[:lead], *found, *ends[lead:]]
        whole = "\n".join([*summary, *(block for part in parts for block in part.blocks)])
        known = words | {name: p for name, p in known.items() if p.key not in self.used}
        return summary, [*self.terms(whole, known), *parts]

    def _definitions(self) -> dict[str, Point]:
        """The sentences that say what something is, by what they call it."""
        found: dict[str, Point] = {}
        for point in sorted(self.gathered.every.values(), key=lambda p: (-p.own, p.key)):
            said = _DEFINES.match(point.text)
            if said and not (point.is_pair or point.key in self.used):
                found.setdefault(said[1] or said[2], point)
        return found

    def terms(self, told: str, found: Mapping[str, Point]) -> list[Part]:
        """What a beginner has to know first: what the things are that a report tells of, if pages say it."""
        often = {name: plain(told).count(plain(name)) + point.score for name, point in found.items()}
        quotes = [Quote((found[name],), often[name]) for name in sorted(often) if often[name]]
        lines = [f"- {cited(quote.points[0])}" for quote in self.choose(quotes, self.room // 8)]
        return [Part(say("terms", self.lang), ["\n".join(lines)])] if lines else []

    def nearest(self) -> str:
        """The few passages that come nearest to what nobody tells."""
        quotes = quotes_of(self.gathered, longest=2)
        own = {q.place: max(p.own for p in q.points) for q in quotes}
        least = _NEARLY * max(own.values(), default=0.0)
        near = [q for q in quotes if own[q.place] >= least > 0 and q.points[0].sentence.kind == "prose"]
        alone = [q for q in near if not (q.points[0].is_pair or q.points[0].leans)]  # no label says of what
        told = self.choose(sorted(alone, key=lambda q: -own[q.place])[:_NEAREST], self.room)
        lines = [f"- {' '.join(map(cited, quote.points))}" for quote in told]
        return "\n\n".join([f"## {say('h_nearest', self.lang)}", "\n".join(lines)]) if lines else ""

    def opening(self) -> tuple[list[str], list[Part], list[Part], Table | None]:
        """The summary, the figures that stand first, those that stand last, and the comparison."""
        wide = self.kind in {"comparison", "recommendation"}
        table = facts_table(self.gathered, self.items, self.criteria, self.asks_advice) if wide else None
        table = with_rivals(table, self.gathered, self.differences) if table else None
        if table:  # its rows are not told again
            self.columns = frozenset(map(plain, table.columns))
            cells = (cell for _, row in table.rows for cell in row if cell)
            self.used.update(p.key for cell in cells for p in cell.points if p.is_pair)
        asked = frozenset(subject_terms(self.question))
        series = None if self.items else series_table(self.gathered, self.gathered.names, asked)
        on_it = series is not None and bool(asked & term_set(" ".join(series.columns)))
        leads = self.kind == "development" or (self.kind == "overview" and on_it)
        series = series if on_it or self.kind in {"development", "overview"} else None
        course_of = course(series, self.lang) if series and leads else []
        if self.kind == "recommendation":
            lead = [*self.advised(table), *(self.picks(table) if table else [])]
            course_of += lead or [say("no_lead", self.lang)] * (len(self.items) > 1)
        else:
            course_of += self._leaders(table) if table else []
        sides = plan_sides(self.question, self.gathered, MOST_SIDES)
        by_year = self.by_year(self.room // 3)
        summary = self.summary(sides, course_of) if self.limits.summary != "none" else []
        years = [Part(say("series", self.lang), [series.markdown(say("year", self.lang))])] if series else []
        found = years if leads else []
        found += [Part(say("by_year", self.lang), by_year)] if by_year else []
        found += [Part(say("table", self.lang), [table.markdown(say("item", self.lang))])] if table else []
        if not table and (facts := self._facts()):
            found.append(Part(say("facts", self.lang), facts))
        return summary, found, [] if leads else years, table

    def _facts(self) -> list[str]:
        """The labelled values of the one thing that the request names, or the best table of things of its
        kind, of a development one with years."""
        if self.kind not in ("overview", "development"):
            return []
        one = self.gathered.names[0] if len(self.gathered.names) == 1 else ""
        cells = [(k, cell) for k, cell in single_table(self.gathered, one) if len(k) < 40] if one else []
        before = re.search(
            rf"(\w+)\s+(?:(?:of|at|in|on|for|from|the)\s+)*{re.escape(one)}", self.question, re.I
        )
        of_it = term_set(before[1]) & {*subject_terms(self.question)} if before and one else ()
        cells = [(k, c) for k, c in cells if not of_it or of_it & term_set(k)]  # "the roof of Orsk Mill"
        if len(cells) < _ROWS:
            return self._rows_of_kind() if self.gathered.members else []
        self.used.update(p.key for _, cell in cells[:10] for p in cell.points)
        table = Table((say("value", self.lang),), tuple((label, (cell,)) for label, cell in cells[:10]))
        return [table.markdown(say("attribute", self.lang))]

    def _rows_of_kind(self) -> list[str]:
        """The best table of several things, for a development one with years."""
        tables = [q for q in quotes_of(self.gathered, self.used) if q.is_table and len(q.points) >= _ROWS]
        columns = {q.place: sum(map(len, map(years_in, q.points[0].sentence.columns))) for q in tables}
        tables = [q for q in tables if self.kind == "overview" or columns[q.place] >= _ROWS]
        return [*map(self.rows, self.choose(tables[:1], self.room))]


def compose(question: str, pages: Sequence[Page], *, language: str, limits: Limits | None = None) -> str:
    """The report on a broad question as Markdown."""
    limits = limits or Limits()
    question = shown_by(tuple(pages)).mend(tidy(question))
    for name in shared_names(question, pages):
        question = re.sub(rf"\b{re.escape(name)}\b", name, question, flags=re.IGNORECASE)
    writer = Writer(question, pages, language, limits)
    head = f"# {title_of(question, writer.kind, writer.items, pages, language)}" if limits.title else ""
    asked = questions_in(question)
    divided = len(asked) > 1 and writer.gathered.lacks == "all"
    answered = [one for one in asked if divided and gather(one, pages).lacks != "all"]
    if 0 < len(answered) < len(asked):  # one of two can be told
        text = compose(
            " ".join(f"{one.rstrip('?？')}?" for one in answered), pages, language=language, limits=limits
        )
        unsaid = writer.gathered.unsaid or [subject(one) for one in asked if one not in answered]
        return _with_missing(text, say("nothing_broad", language, it=join(unsaid, language)), language)
    if denied := writer.denial():
        if head and denied == say("no_subject", language):
            head = f"# {asked_title(question, pages)}"
        return "\n\n".join(filter(None, (head, denied))) + "\n"
    said, things = called_so(question, pages)
    if 1 < len(things) <= CALLED_SO and writer.kind in ("overview", "development"):
        apart = _one_by_one(question, said, things, pages, limits, language)
        return "\n\n".join(filter(None, [head, *apart])) + "\n"
    lacks = writer.gathered.lacks
    if not lacks and chosen_kind(question) and len(writer.items) < 2 and not writer.criteria:
        lacks = "chosen"
    rest = _AND_WHY.sub("", question)
    if lacks == "why" and kind_of(rest) not in ("", "why"):  # the rest can be told
        text = compose(rest, pages, language=language, limits=limits)
        return _with_missing(text, say("nothing_why", language, it=subject(rest) or rest), language)
    unsure = lacks == "debate" and not is_surely(question, "debate")
    if unsure or (lacks == "why" and not asks_why(question)):  # "what happened" is told without a cause
        told = say("as_report", language, it=subject(question, pages))
        text, strange = compose(told, pages, language=language, limits=limits), writer.gathered.strangers
        lack = say("missing_item", language, it=join(strange, language))
        return _with_missing(text, lack, language) if strange else text
    if lacks:
        lacking = join(writer.gathered.unsaid, language) or subject(question) or question
        lacking = question.rstrip(" ?？.。") if lacks == "chosen" else lacking
        found = [say(f"nothing_{lacks}", language, it=lacking)]
        if lacks == "debate" and (conflicts := writer.disagreements()):  # then these are what is disputed
            found = [f"## {say('conflict', language)}", *conflicts]
        return "\n\n".join(filter(None, (head, *found, writer.nearest()))) + "\n"
    summary, parts = writer.parts()
    if not (summary or parts):
        lacking = say("nothing_broad", language, it=subject(question) or question)
        return "\n\n".join(filter(None, (head, lacking))) + "\n"
    if summary:
        meant = [(one, n) for one in items_in(question) for n in shown_by(tuple(pages)).find(one) if n.slip]
        summary += [
            say("slip", language, said=one if plain(one) == n.slip else n.slip, name=n.text)
            for one, n in meant
        ]
    if (unsaid := writer.gathered.unsaid or writer.gathered.strangers) and summary:
        summary.append(say("missing_item", language, it=join(unsaid, language)))
    if limits.sections:
        parts = merged(parts, limits.sections)
    blocks = laid_out(head, summary, parts, limits, language)
    return shortened(with_dates("\n\n".join(blocks), pages, language), limits.words) + "\n"


def _with_missing(text: str, lack: str, lang: str) -> str:
    """A report with what it lacks at its end."""
    return f"{text}\n## {say('h_missing', lang)}\n\n- {lack}\n"


def _one_by_one(
    question: str, said: str, things: Sequence[str], pages: Sequence[Page], limits: Limits, lang: str
) -> list[str]:
    """Reports on the things whose longer names have what a request says."""
    told = [say("called_so", lang, it=said, names=join(things, lang, "or"))]
    left = (limits.words or MOST_WORDS) - sum(map(length, told))
    each = replace(limits, title=False, words=left // len(things))
    for name in things:
        asked = re.sub(re.escape(said), name, question, flags=re.IGNORECASE)
        text = compose(asked, pages, language=lang, limits=each).strip()
        told += [f"## {name}", re.sub(r"^(?=##)", "#", text, flags=re.MULTILINE)]
    return told


__all__ = ["Limits", "Writer", "compose", "length", "limits_in"]
