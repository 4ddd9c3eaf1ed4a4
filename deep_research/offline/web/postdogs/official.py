"""Official and collectors' pages: yearbook, timetable, storm reports, test records, lists, catalogue,
bulletin, exhibits.

Notable: the reports on the first two blizzards are very long (over 20,000 characters of recovered mail) with
the findings deep inside; inspectors, collectors and the ombudsman contradict what kennels, printers and lines
say.
"""

from __future__ import annotations

from datetime import date, timedelta

from deep_research.offline.web import hazards
from deep_research.offline.web.assembly import Draft, Part
from deep_research.offline.web.desk import slug
from deep_research.offline.web.names import Text
from deep_research.offline.web.postdogs.desk import BULLETIN, Desk
from deep_research.offline.web.prose import Entity

READING = Text("Further reading", "延伸阅读", "参考資料")

THINGS = (
    "a knitted hat addressed to an aunt",
    "a bundle of seed catalogues",
    "two birthday cards in one envelope",
    "a postcard of a waterfall",
    "a tin of hard biscuits",
    "a love letter without a signature",
    "a school report folded very small",
    "a photograph of a pig",
    "a bill from the dentist",
    "a pair of spectacles wrapped in moss",
)
PLACES = (
    "lay under the third snow fence, frozen to a plank",
    "was dug up by a dog that had been told to stay",
    "hung in a larch and could be reached with a rake",
    "turned up in the thaw beside the sheep bridge",
    "had been used by mice, though not unkindly",
    "was handed in by two children on skis",
    "came to light in the hood of a driver's coat",
    "stood upright in a drift as if waiting for a tram",
)
REMARKS = (
    "The address could be read with a lens.",
    "It was dried on a line and sent on.",
    "The sender did not wish to have it back.",
    "The office made a drawing of it for the file.",
    "The recipient was informed and said that there had been no hurry.",
    "Postage was found to be correct.",
)


def write_yearbook(desk: Desk) -> None:
    """Every year's table of what the lines carried; one table for the huts, all years; the timetable."""
    region, host = desk.region, desk.bureau("yearbook")
    lines = sorted(region.entities["line"], key=lambda line: line.name.en)
    for year in region.years:
        title = f"Postal yearbook of {region.name.en}, {year}: letters and parcels"
        draft = desk.page(
            f"https://{host}/{year}/lines", title, "statistics", desk.in_year(year + 1), "Postal Yearbook"
        )
        draft.para(f"What each mail line carried from January to December {year}. All figures are final.")
        rows = desk.rows(draft, lines, f"letters@{year}", f"parcels@{year}")
        draft.table(("Mail line", "Letters delivered", "Parcels carried"), rows)
        draft.para("A letter returned to its sender is counted once. A parcel that barks is not counted.")
    title = f"Overnight guests in the huts of {region.name.en}"
    draft = desk.page(f"https://{host}/huts", title, "data_table", desk.ago(15, 50))
    draft.para("Overnight guests per calendar year, taken from the visitors' books.")
    rows = desk.rows(draft, region.entities["hut"], *(f"guests@{year}" for year in region.years))
    draft.table(("Hut", *map(str, region.years)), rows)
    _timetable(desk, lines)


def _timetable(desk: Desk, lines: list[Entity]) -> None:
    region = desk.region
    url = f"https://{desk.bureau('post')}/winter-timetable"
    draft = desk.page(
        url, f"Winter timetable of {region.name.en}", "timetable", desk.ago(20, 90), "Head Office"
    )
    draft.para("Sleds leave at first light, or when the dogs have finished breakfast, whichever is later.")
    rows: list[list[Part]] = [
        [line.name.en, *region.all(line, "length", "terminus", "postage")] for line in lines
    ]
    draft.table(("Mail line", "Trail", "Last stop", "Price of a letter"), rows)
    draft.para("Passengers ride on top of the mail at their own risk and must hold the thermos.")


def write_reports(desk: Desk) -> None:
    """The ombudsman's report on each blizzard; the first two are very long."""
    region = desk.region
    for i, storm in enumerate(region.entities["blizzard"]):
        day, line, hut, hours, lost = region.all(storm, "date", "line", "hut", "hours", "lost_ombudsman")
        published = date.fromisoformat(day.value.also[0]) + timedelta(days=desk.rng.randrange(30, 80))
        url = f"https://{desk.bureau('ombudsman')}/reports/{slug(storm.name.en)}"
        title = f"Mail lost in {storm.ref('en')}: report"
        draft = desk.page(url, title, "official_report", published.isoformat(), region.ombudsman.en)
        draft.para(day, hours)
        draft.para(line, hut, "The mailbags were opened by the wind at about midnight.")
        if i < 2:
            draft.heading("Items recovered before the thaw")
            _items(desk, draft, hazards.LONG_PAGE * 3 // 5)
        draft.heading("Conclusion")
        draft.para("Figures issued in the week of the storm were too low.", lost)
        if i < 2:
            draft.heading("Items recovered after the thaw")
            _items(desk, draft, hazards.LONG_PAGE * 2 // 5)
            draft.flag("long")
        draft.flag("contradiction")
        desk.link(draft, line.target, hut.target)


def _items(desk: Desk, draft: Draft, characters: int) -> None:
    """Single pieces of mail that were found again."""
    rng = desk.rng

    def item(number: int) -> str:
        (one, other), (first, second) = rng.sample(THINGS, 2), rng.sample(PLACES, 2)
        return (
            f"No. {number}. {one[:1].upper()}{one[1:]} {first}. {rng.choice(REMARKS)} Next to it, {other} "
            f"{second}. {rng.choice(REMARKS)}"
        )

    hazards.lengthen(draft, characters, item)


def write_tests(desk: Desk, count: int) -> None:
    """What the inspectors saw the first dogs pull."""
    region = desk.region
    for i, dog in enumerate(region.entities["dog"][:count]):
        weight, born, load = region.all(dog, "weight", "born", "load_test")
        url = f"https://{desk.bureau('inspectorate')}/tests/{slug(dog.name.en)}"
        title = f"Pulling test: {dog.name.en}"
        draft = desk.page(url, title, "test_record", desk.ago(200, 900), region.inspectors.en)
        draft.para(f"Form {71 + 4 * i}. Three attempts on level, hard snow. No shouting allowed.")
        if i % 2:
            draft.para(load, weight)
            draft.para(born)
        else:
            draft.bullets([born, weight])
            draft.para(load)
        draft.para("Sausages were handed out afterwards, irrespective of the result.")
        draft.flag("contradiction")
        desk.link(draft, dog)


def write_lists(desk: Desk) -> None:
    """Two data sets: all dogs on duty, and all sleds."""
    region, host = desk.region, desk.bureau("post")
    for kind, about, header, attrs in (
        ("dog", "Post dogs", ("Dog", "Kennel", "Born", "Weight", "Longest run"), "kennel born weight run"),
        (
            "sled",
            "Mail sleds",
            ("Sled", "Built by", "Year", "Length", "Empty"),
            "workshop built length weight",
        ),
    ):
        title = f"{about} on duty in {region.name.en}"
        draft = desk.page(f"https://{host}/lists/{kind}s", title, "data_table", desk.ago(10, 150))
        draft.para("One row each. Please report retirements to the counter on the ground floor.")
        rows: list[list[Part]] = [
            [entity.name.en, *region.all(entity, *attrs.split())] for entity in region.entities[kind]
        ]
        draft.table(header, rows)


def write_catalogue(desk: Desk) -> None:
    """The collectors' catalogue: a heading and a list per stamp."""
    region = desk.region
    title = f"Catalogue of the stamps of {region.name.en}"
    url = f"https://{slug(region.club.en)}.example/catalogue/{region.slug}"
    draft = desk.page(url, title, "catalogue", desk.ago(20, 200), region.club.en)
    draft.para("Arranged as in our cupboard. Used copies are worth less, chewed ones more.")
    for stamp in region.entities["stamp"]:
        draft.heading(stamp.name.en, 3)
        draft.bullets(region.all(stamp, "issued", "printer", "colours", "height"))


def write_bulletin(desk: Desk, count: int) -> None:
    """Articles by collectors who have counted how many copies of a stamp were printed."""
    for stamp in desk.region.entities["stamp"][:count]:
        run, printer, colours = desk.region.all(stamp, "run_club", "printer", "colours")
        number = f"{desk.rng.randrange(3, 70)}/{desk.names.number(10_000, 9_999_999)}"
        url, title = (
            f"https://{BULLETIN}/issue/{number}",
            f"Counting sheets: how common is {stamp.ref('en')}?",
        )
        authors = f"{desk.byline()} and {desk.byline()}"
        draft = desk.signed(url, title, "journal", desk.ago(60, 450), authors, "By {}")
        draft.links_heading = READING
        draft.heading("Method")
        draft.para(printer, "Sheet numbers were noted from corners sent in by readers.", colours)
        draft.heading("Result")
        draft.para(run, "The printers disagree and were offered tea.")
        draft.flag("contradiction")
        desk.link(draft, printer.target)


def write_exhibits(desk: Desk, sleds: list[Entity]) -> None:
    """Labels of a museum that shows sleds on their day off."""
    for i, sled in enumerate(sleds):
        url = f"https://museum-of-mail.{desk.region.slug}.example/room-{i + 2}/{slug(sled.name.en)}"
        title = f"Room {i + 2}: {sled.ref('en')}"
        draft = desk.page(url, title, "exhibit", desk.ago(60, 700))
        draft.para(*desk.region.all(sled, "workshop", "built"), next(desk.colours("sled")))
        draft.para(*desk.region.all(sled, "weight", "length"), "Please do not sit on it. Everyone does.")
        desk.link(draft, desk.region.target(sled, "workshop"))
