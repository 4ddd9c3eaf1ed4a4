"""A report written section by section, each in a request of its own that lists the headings of all.

Every writer sees the same findings and divides them in the same way, so that each passage stands under one
heading, the one that it serves best, and none is lost because no heading names its side.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import dropwhile, groupby

from .dating import with_dates
from .draft import tells_something
from .layout import SUMMARY_WORDS, Limits, shortened
from .names import mentions, plain
from .overview import serves, subject
from .page import Page
from .paragraphs import FITS
from .phrases import join, say
from .points import Point
from .quotes import Quote, length, quotes_of
from .report_words import CLOSING, DIFFERING, DISPUTE
from .report_writer import CALLED_SO, Writer
from .shared_names import called_so


def section(
    title: str,
    pages: Sequence[Page],
    headings: Sequence[str] = (),
    topics: Sequence[str] = (),
    *,
    question: str,
    language: str,
    words: int | None = None,
) -> str:
    """One section of a report with these headings, without its own: what the sources say on that and on no
    other more; where the `topics` that found them are its own only, also what else they say. The whole report
    has at most so many words."""
    writer = Writer(question, pages, language, Limits(words, title=False))
    if denied := writer.denial():
        return denied + "\n"
    names = list(dict.fromkeys([*headings, title]))
    differing = [name for name in names if DIFFERING.search(name)]
    blocks = []
    if differing or DISPUTE.search(title):
        blocks = [*writer.disagreements(), *writer.disagreements(dated=True)]
    if CLOSING.search(title):
        blocks = writer.verdict(writer.opening()[-1]) if writer.kind == "recommendation" else []
    elif title not in differing:
        said = [] if differing else blocks
        whole = [name for name in names if plain(name) == plain(question)]
        blocks = _opening(writer) if whole else []
        if title not in whole:
            left = writer.room - sum(map(length, blocks))
            apart = [*whole, *differing, *filter(CLOSING.search, names)]
            order = [name for name in names if name not in apart]
            own = bool(topics) and all(title.lower() in topic.lower() for topic in topics)
            blocks = [*_under(title, order, left, writer, len(order) > 1 or own), *said]
        elif 1 < len((called := called_so(question, pages))[1]) <= CALLED_SO:
            names_of = join(called[1], language, "or")
            blocks = [say("called_so", language, it=called[0], names=names_of), *blocks]
    text = shortened(with_dates("\n\n".join(blocks), pages, language), words and words // len(names))
    it = subject(question, pages) if plain(title) == plain(question) else title
    return (text or say("missing_item", language, it=it)) + "\n"


def _opening(writer: Writer) -> list[str]:
    """What stands before the sections: a summary, and figures side by side."""
    summary, *figures, table = writer.opening()
    summary = summary or writer.paragraphs(writer.best(SUMMARY_WORDS))
    blocks = (block for parts in figures for part in parts for block in part.blocks)
    missing = writer.missing(table) if writer.kind == "recommendation" else []
    return [*summary, *blocks, *filter(None, ["\n".join(missing)])]


def _under(title: str, headings: Sequence[str], room: int, writer: Writer, whole: bool) -> list[str]:
    """What stands under one of these headings in a report of so many words; if it is the `whole` report, also
    what serves none of them, with most of its page or of all."""
    quotes = quotes_of(writer.gathered, writer.used)
    homes = {q.place: name for q in quotes if (name := _home(q, headings, writer))}
    chosen = list[Quote]()
    for name in headings:
        own = [q for q in quotes if homes.get(q.place) == name]
        chosen += writer.choose(own, room // (2 * len(headings)) if whole else room)
    if whole:
        chosen += writer.best(room - sum(quote.size for quote in chosen))
        rest = _rest_of_paragraphs(chosen, writer)
        homes |= {q.place: name for q in rest if (name := _home(q, headings, writer))}
        left = room - sum(quote.size for quote in chosen)
        chosen += writer.choose((q for q in rest if q.place in homes), left)
    near: dict[str, Counter[str]] = defaultdict(Counter)
    for quote in chosen:
        if home := homes.get(quote.place):
            near[quote.page][home] += quote.size
    every = sum(near.values(), Counter({headings[0]: 1}))
    for quote in chosen:
        homes.setdefault(quote.place, (near[quote.page] or every).most_common(1)[0][0])
    return writer.paragraphs([quote for quote in chosen if homes[quote.place] == title])


def _rest_of_paragraphs(chosen: Sequence[Quote], writer: Writer) -> list[Quote]:
    """What nothing chosen has of the paragraphs with a figure or a cause, on the pages of these quotes, each
    run from where it leans on nothing that is not told."""
    pages = {quote.page for quote in chosen}
    whole = writer.told_of_it(quotes_of(writer.gathered, wide=True))
    able = (q for q in whole if q.page in pages and q.worth and not q.is_table and tells_something(q.text))
    shown = {point.key for quote in chosen for point in quote.points}

    def hangs(point: Point) -> bool:
        return point.leans and (point.page.id, point.place - 1) not in shown

    left = (
        (quote, () if used else tuple(dropwhile(hangs, run)))
        for quote in able
        for used, run in groupby(quote.points, lambda p: p.key in writer.used)
    )
    return [replace(quote, points=points) for quote, points in left if any(p.score > 0 for p in points)]


def _home(quote: Quote, headings: Sequence[str], writer: Writer) -> str:
    """The heading that a quote serves best; none if it serves none."""
    fits = {name: writer.fit(quote, name) for name in headings}
    if len(headings) > 1 and max(fits.values()) < FITS:
        sides = [name for name in headings if not any(mentions(name, item) for item in writer.items)]
        fits = {name: max(serves(point, name) for point in quote.points) for name in sides} or fits
    best = max(fits, key=lambda name: fits[name])
    return best if fits[best] >= FITS else ""
