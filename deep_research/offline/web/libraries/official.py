"""Official and scholarly pages: yearbook, court records, clerk trials, lists, timetable, paper studies,
catalogue.

Notable: the records of the first two affairs are very long (over 20,000 characters of excuses) with the
judgement deep inside; readers, paper scholars and the court contradict what workshops, dealers and libraries
say.
"""

from __future__ import annotations

from datetime import date, timedelta

from deep_research.offline.web import hazards
from deep_research.offline.web.assembly import Draft, Part
from deep_research.offline.web.desk import slug
from deep_research.offline.web.libraries.desk import PAPER_STUDIES, Desk
from deep_research.offline.web.names import Text

FOOTNOTES = Text("Consulted", "参考资料", "参照")

WITNESSES = (
    "a retired ferryman",
    "the borrower's cousin",
    "a lady in three shawls",
    "the baker from across the canal",
    "a student of law",
    "the choirmaster",
    "a plumber",
    "the youngest of six brothers",
    "a dentist",
    "the night watchman",
)
EXCUSES = (
    "said that the book had been used to hold a window open",
    "swore that the date stamp had been upside down",
    "believed that everybody kept a library book for life",
    "blamed the fog",
    "had been told by a parrot that the loan was renewed",
    "claimed to be a slow reader, and proved it",
    "thought that the library had burned down",
    "remembered a receipt that was eaten by a goat",
    "asked whether the question could be put more kindly",
)
RULINGS = (
    "The bench sighed.",
    "The usher opened a window.",
    "This was struck from the record and then put back.",
    "The clerk of the court wrote it down twice, for the rhythm.",
    "Counsel asked for a biscuit.",
    "There was a short silence.",
)


def write_yearbook(desk: Desk) -> None:
    """Every year's table of the libraries; one table for the barges, all years."""
    region, host = desk.region, desk.bureau("statistics")
    libraries = sorted(region.entities["library"], key=lambda library: library.name.en)
    for year in region.years:
        title = f"Public libraries of {region.name.en}: figures for {year}"
        url = f"https://{host}/yearbook/{year}/libraries"
        draft = desk.page(url, title, "statistics", desk.in_year(year + 1), "Bureau of Statistics")
        draft.para(f"The table covers the whole of {year}. It has been checked against the stamps.")
        rows = desk.rows(draft, libraries, f"loans@{year}", f"visitors@{year}")
        draft.table(("Library", "Loans", "Visitors"), rows)
        draft.para("A visitor who only came in from the rain is a visitor nevertheless.")
    title = f"New members signed up by the book barges of {region.name.en}"
    draft = desk.page(f"https://{host}/tables/barges", title, "data_table", desk.ago(15, 70))
    draft.para("Number of new members per calendar year, from the guest books.")
    rows = desk.rows(draft, region.entities["barge"], *(f"joined@{year}" for year in region.years))
    draft.table(("Boat", *map(str, region.years)), rows)


def write_records(desk: Desk) -> None:
    """The court's record of each affair; the first two are very long."""
    region = desk.region
    for i, affair in enumerate(region.entities["affair"]):
        day, library, book, late = region.all(affair, "date", "library", "book", "late")
        hiding, fine = region.all(affair, "hiding", "fine_court")
        published = date.fromisoformat(day.value.also[0]) + timedelta(days=desk.rng.randrange(20, 50))
        url = f"https://{desk.bureau('court')}/records/{slug(affair.name.en)}"
        title = f"Record of the hearing: {affair.ref('en')}"
        draft = desk.page(url, title, "court_record", published.isoformat(), region.court.en)
        draft.para(day, library)
        draft.para(book, late, "The pages were counted in open court.")
        if i < 2:
            draft.heading("Witnesses for the borrower")
            _testimonies(desk, draft, hazards.LONG_PAGE * 3 // 5)
        draft.heading("Judgement")
        draft.para("The bill presented to the borrower was found to contain an error.", fine)
        draft.para(hiding, "Costs are borne by the borrower, in cake.")
        if i < 2:
            draft.heading("Witnesses who came too late")
            _testimonies(desk, draft, hazards.LONG_PAGE * 2 // 5)
            draft.flag("long")
        draft.flag("contradiction")
        desk.link(draft, library.target, book.target)


def _testimonies(desk: Desk, draft: Draft, characters: int) -> None:
    """What witnesses had to say, none of it to the point."""
    rng = desk.rng

    def testimony(number: int) -> str:
        witness, (first, second) = rng.choice(WITNESSES), rng.sample(EXCUSES, 2)
        return (
            f"Witness {number}, {witness}, {first}. {rng.choice(RULINGS)} Asked again, the witness {second}. "
            f"{rng.choice(RULINGS)}"
        )

    hazards.lengthen(draft, characters, testimony)


def write_trials(desk: Desk, count: int) -> None:
    """What the readers' union measured when it timed the first clerks."""
    region = desk.region
    for i, clerk in enumerate(region.entities["clerk"][:count]):
        made, speed, height = region.all(clerk, "made", "speed_trial", "height")
        url = f"https://{desk.union}/trials/{slug(clerk.name.en)}"
        title = f"Fetching trial: {clerk.name.en}"
        draft = desk.page(url, title, "trial_sheet", desk.ago(200, 1_000), region.readers.en)
        draft.para(f"Sheet {23 + 6 * i}. Three rounds, ordinary shelves, no ladders, no applause.")
        if i % 2:
            draft.para(speed)
            draft.bullets([made, height])
        else:
            draft.bullets([height, made])
            draft.para(speed)
        draft.para("Books that were fetched but not asked for have been left out.")
        draft.flag("contradiction")
        desk.link(draft, clerk)


def write_lists(desk: Desk) -> None:
    """Three lists: all clerks in service, all binderies and forges, and the timetable of the barges."""
    region, host = desk.region, desk.bureau("libraries")
    clerks = ("clerk", ("Clerk", "Maker", "Built", "Height", "Cogwheels"), "maker made height cogs")
    crafts = ("bindery", ("Bindery", "Opened", "Staff", "Leather"), "opened binders leather")
    for (kind, header, attrs), about in ((clerks, "Mechanical clerks"), (crafts, "Licensed bookbinders")):
        title = f"{about} of {region.name.en}: register"
        draft = desk.page(f"https://{host}/registers/{kind}", title, "data_table", desk.ago(10, 150))
        draft.para("Copied from the card index. Cards that fell into the canal have been rewritten.")
        rows: list[list[Part]] = [
            [entity.name.en, *region.all(entity, *attrs.split())] for entity in region.entities[kind]
        ]
        draft.table(header, rows)
    title = f"Timetable of the book barges of {region.name.en}"
    draft = desk.page(f"https://{host}/timetable", title, "timetable", desk.ago(20, 90), "Harbour desk")
    draft.para("Boats leave when the tide allows it, and never before the horn.")
    boats: list[list[Part]] = [
        [barge.name.en, *region.all(barge, "stops", "stock", "length")] for barge in region.entities["barge"]
    ]
    draft.table(("Boat", "Stops on the round", "Stock", "Length"), boats)


def write_studies(desk: Desk, count: int) -> None:
    """Articles by scholars who have put the paper of a book under the microscope."""
    for book in desk.region.entities["book"][:count]:
        dated, pages, pictures = desk.region.all(book, "year_lab", "pages", "pictures")
        number = f"{desk.rng.randrange(3, 70)}-{desk.names.number(10_000, 9_999_999)}"
        url, title = (
            f"https://{PAPER_STUDIES}/articles/{number}",
            f"The paper of {book.name.en}: a new dating",
        )
        authors = f"{desk.byline()} and {desk.byline()}"
        draft = desk.signed(url, title, "journal", desk.ago(100, 1_000), authors)
        draft.links_heading = FOOTNOTES
        draft.heading("Material and method")
        draft.para("Four leaves were examined at night.", pages, pictures)
        draft.heading("Result")
        draft.para(dated, "The owners have been informed and took it badly.")
        draft.flag("contradiction")
        desk.link(draft, book)


def write_catalogue(desk: Desk) -> None:
    """The catalogue of an exhibition: a heading and a list per book."""
    region = desk.region
    title = f"Borrowed time: the great books of {region.name.en}"
    url = f"https://museum-of-lending.{region.slug}.example/catalogue"
    draft = desk.page(url, title, "catalogue", desk.ago(20, 300), "Museum of Lending")
    draft.para("The exhibits are shown closed, on Sundays open.")
    for book in region.entities["book"]:
        draft.heading(book.name.en, 3)
        draft.bullets(region.all(book, "author", "topic", "pictures", "worth"))
