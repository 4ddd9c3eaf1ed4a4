"""Everyday pages: clockmakers, book dealers, barges, newspapers, interviews, boat tours, reviews, forum
threads, posts.

Here stand the numbers that interested parties publish, the outdated ones, and the wrong ones.
"""

from __future__ import annotations

from deep_research.offline.web.assembly import Draft
from deep_research.offline.web.desk import slug
from deep_research.offline.web.libraries.desk import MIRROR, REVIEWS, SOCIAL, TOURS, Desk
from deep_research.offline.web.prose import Entity

PAPERS = (("the-evening-tide.example", 1), ("reed-and-reader.example", 3), ("wire-of-the-south.example", 2))
"""Who reprints articles, and how many days later."""

BRIEF = (
    ("town", "bridges"),
    ("forge", "chimney"),
    ("forge", "smiths"),
    ("maker", "staff"),
    ("clerk", "height"),
    ("bindery", "binders"),
    ("book", "worth"),
    ("library", "shelves"),
    ("barge", "stock"),
)  # what briefs tell: nothing that lies further along a chain


def write_maker_pages(desk: Desk, count: int) -> None:
    """The workshop's own page about each of the first clerks, with the workshop's idea of its speed."""
    for clerk in desk.region.entities["clerk"][:count]:
        maker, speed, cogs = desk.region.all(clerk, "maker", "speed_maker", "cogs")
        owner = maker.value.say("en")
        url = f"https://www.{slug(owner)}.example/models/{slug(clerk.name.en)}"
        draft = desk.page(url, f"A masterpiece explained: {clerk.name.en}", "company", None, owner)
        draft.para("Built by hand, tested by foot.", speed)
        draft.para(cogs, "Our engineers go home only when every one of them turns.")
        draft.flag("contradiction")
        desk.link(draft, maker.target)


def write_dealer_blogs(desk: Desk, count: int) -> None:
    """A dealer in old books admires a book and believes its title page."""
    for book in desk.region.entities["book"][:count]:
        printed, bindery = desk.region.all(book, "year_title", "bindery")
        name = book.name.en
        url = f"https://blog.{desk.region.slug}-rare-books.example/{slug(name)}"
        title = f"In stock this week: {name}"
        draft = desk.page(url, title, "vendor_blog", desk.ago(60, 900), desk.byline())
        draft.para("It came in a hatbox and it smells of apples.", printed)
        draft.para(bindery, next(desk.colours("book")), "No returns, no haggling, no wet hands.")
        draft.flag("contradiction")
        desk.link(draft, bindery.target)


def write_barge_sites(desk: Desk) -> None:
    """The web site of each barge, and questions that readers ask for every third."""
    for i, barge in enumerate(desk.region.entities["barge"]):
        host = f"{slug(barge.name.en)}.example"
        draft = desk.page(
            f"https://{host}/aboard", f"Welcome aboard the {barge.name.en}", "company", None, barge.name.en
        )
        draft.para("Ring the bell, mind the gap, take two.", *desk.region.all(barge, "home", "favourite"))
        draft.heading("Our boat at a glance", 3)
        draft.bullets(desk.region.all(barge, "captain", "launched", "length", "stock"))
        draft.para(next(desk.colours("barge")))
        desk.link(draft, barge)
        if i % 3 == 2:
            _readers(desk, barge, host)


def _readers(desk: Desk, barge: Entity, host: str) -> None:
    title = f"{barge.name.en}: questions from the towpath"
    draft = desk.page(f"https://{host}/questions", title, "faq", desk.ago(30, 400))
    draft.faq(
        ("Where do you stop?", desk.region.get(barge, "stops")),
        ("What should I read first?", desk.region.get(barge, "favourite")),
        ("To whom do the books belong?", desk.region.get(barge, "home")),
        ("I dropped mine into the canal. What now?", "Wait. They float, except for the dictionaries."),
    )


def write_affair_news(desk: Desk) -> None:
    """The morning paper on each affair, with the library's bill."""
    for affair in desk.region.entities["affair"]:
        day, library, book, late = desk.region.all(affair, "date", "library", "book", "late")
        fine = desk.region.get(affair, "fine_library")
        title = f"Better late: {affair.ref('en')} opens"
        draft = _article(desk, desk.courier, slug(affair.name.en), title, day.value.also[0])
        draft.para(library, fine)
        draft.para(book, late)
        draft.para(day, next(desk.colours("affair")))
        draft.flag("contradiction")
        desk.link(draft, library.target, book.target)
        desk.stories[affair.key] = draft


def write_appointments(desk: Desk, barges: list[Entity]) -> None:
    """News of a new captain, printed in the year of the change."""
    for barge in barges:
        now, before = desk.region.all(barge, "captain", "captain_before")
        title = f"A new hand at the tiller of {barge.ref('en')}"
        published = desk.in_year(now.year("since"))
        draft = _article(desk, desk.observer, f"tiller-{slug(barge.name.en)}", title, published)
        draft.para(now, before)
        draft.para("The oilskin coat was handed over as well, and found to be too large.")
        desk.link(draft, barge, now.target)
        desk.stories[f"captain-{barge.key}"] = draft


def write_interviews(desk: Desk, libraries: list[Entity]) -> None:
    """A conversation with the head librarian of each library."""
    for library in libraries:
        head, before, seats, shelves = desk.region.all(
            library, "librarian", "librarian_before", "seats", "shelves"
        )
        title = f"A quiet word with {head.value.say('en')}"
        path = f"quiet-word-{slug(library.name.en)}"
        draft = _article(desk, desk.observer, path, title, desk.ago(30, 700), "interview")
        draft.para(head, before)
        draft.para("*Is there room for everybody?*")
        draft.para(f"We have {draft.cell(seats)}. After that people stand, and read faster.")
        draft.para("*And for all the books?*")
        draft.para(f"We have {draft.cell(shelves)} of shelves. I dust them in my sleep.")
        desk.link(draft, library)


def write_tours(desk: Desk) -> None:
    """Boat tours: two towns and two libraries each."""
    region = desk.region
    for i in range(2):
        towns, libraries = (
            region.entities["town"][2 * i : 2 * i + 2],
            region.pick("library", 2 * i, 2 * i + 5),
        )
        title = f"By rowing boat through {region.name.en}, day {i + 1}"
        url = f"https://{TOURS}/{region.slug}/day-{i + 1}"
        draft = desk.page(url, title, "travel_guide", desk.ago(50, 800), desk.byline())
        for town in towns:
            draft.para(*region.all(town, "people", "bridges"), next(desk.colours("town")))
        draft.heading("If it rains", 3)
        for library in libraries:
            draft.para(*region.all(library, "opened", "seats"), next(desk.colours("library")))
        desk.link(draft, *towns, *libraries)


def write_reviews(desk: Desk, books: list[Entity]) -> None:
    """Reviews of single books by somebody who has finished them."""
    for i, book in enumerate(books):
        author, topic, pages, pictures = desk.region.all(book, "author", "topic", "pages", "pictures")
        url = f"https://{REVIEWS}/{desk.names.number(1_000, 99_999)}"
        title = f"{book.name.en}, read to the end"
        draft = desk.page(url, title, "review", desk.ago(30, 600), desk.byline())
        draft.para(f"{'★' * (3 + i)} of five.", author, topic)
        draft.para(pages, "I fell asleep on two of them.", pictures)
        desk.link(draft, author.target)


def write_outdated(desk: Desk, libraries: list[Entity], dear: list[Entity]) -> None:
    """Pages that were right when they were written: an earlier head librarian, a fee before the charter."""
    region = desk.region
    for library in libraries:
        now, before = region.all(library, "librarian", "librarian_before")
        published = desk.in_year(before.year("until") - 2)
        url = f"https://{MIRROR}/copy/{slug(library.name.en)}"
        draft = desk.page(url, f"{library.name.en} (mirror)", "encyclopedia", published)
        name, since = draft.outdated(now, before), before.extra["since"].say("en")
        draft.para(f"The head librarian of {library.name.en} is {name}, appointed in {since}.")
        draft.para(region.get(library, "opened"), "This mirror is no longer polished.")
        draft.flag("stale")
    for library in dear:
        now, before = region.all(library, "fee", "fee_before")
        published = desk.in_year(region.charter.whole - 1)
        title = f"How to become a reader at {library.name.en}"
        draft = _article(desk, desk.courier, f"reader-{slug(library.name.en)}", title, published)
        fee = draft.outdated(now, before)
        draft.para(
            f"Bring a candle end and {fee}, which is what {library.name.en} charges for a year.",
            next(desk.colours("library")),
        )
        draft.flag("stale")


def write_forum(desk: Desk, clerks: list[Entity], libraries: list[Entity]) -> None:
    """Threads in which somebody is sure of a wrong number."""
    for clerk in clerks:
        draft = desk.thread(f"Does {clerk.name.en} fit through a normal door?")
        wrong = draft.misquoted(desk.region.get(clerk, "height"))
        draft.para(f"**dog_ear**: yes. {clerk.name.en} is {wrong}, my neighbour danced with it.")
        draft.para("**margin_note**: your neighbour says that about everyone.")
    for library in libraries:
        draft = desk.thread(f"Any chance of a place at {library.name.en} in exam week?")
        wrong = draft.misquoted(desk.region.get(library, "seats"))
        draft.para(f"**dog_ear**: none at all, the reading room only has {wrong}.")
        draft.para("**felt_slipper**: did you count the ones under the tables?")


def write_posts(desk: Desk, libraries: list[Entity]) -> None:
    """Short posts; the first of them is right, the others are not."""
    year = desk.region.years[-1]
    for i, library in enumerate(libraries):
        url = f"https://{SOCIAL}/felt_slipper/status/{desk.names.number(10**8, 10**9)}"
        title = f"felt_slipper on {library.name.en}"
        draft = desk.page(url, title, "social", desk.ago(4, 60), "felt_slipper")
        datum = desk.region.get(library, f"visitors@{year}")
        told = draft.misquoted(datum) if i else draft.cell(datum)
        draft.para(f"{told} at {library.name.en} in {year}!! and all of them wanted my chair #shh")
        draft.flag("social", *(("wrong",) if i else ()))


def write_briefs(desk: Desk, count: int) -> None:
    """Small notices, two facts each."""
    for i in range(count):
        first, second = desk.two_facts(BRIEF)
        title = f"Ripples: {first.subject.ref('en')}"
        draft = _article(desk, desk.observer, f"ripples-{i + 1}", title, desk.ago(3, 200))
        draft.para(first, next(desk.colours(first.subject.kind)))
        draft.para("Further down the canal, we hear this.", second)
        desk.link(draft, first.subject, second.subject)


def _article(desk: Desk, host: str, path: str, title: str, published: str, style: str = "news") -> Draft:
    year, month, day = published.split("-")
    url = f"https://{host}/{year}/{month}/{day}/{path}"
    return desk.signed(url, title, style, published, desk.byline(), "*From our correspondent {}*")
