"""Official and scholarly pages: annual statistics, the airship register, inquiries, open data, journal,
preprints.

Notable: the first two inquiry reports are very long (over 20,000 characters of testimony) with their findings
deep inside; the register and the journal contradict the numbers that builders and makers publish.
"""

from __future__ import annotations

from deep_research.offline.web import hazards
from deep_research.offline.web.airships.desk import JOURNAL, PREPRINTS, Desk
from deep_research.offline.web.assembly import Draft, Part
from deep_research.offline.web.desk import slug
from deep_research.offline.web.names import Text
from deep_research.offline.web.prose import Entity

REFERENCES = Text("References", "参考文献", "参考文献")

WITNESSES = (
    "a rigger",
    "the second pilot",
    "a baker from the quay",
    "the signal officer",
    "a passenger in cabin 9",
    "the purser",
    "a ferryman",
    "the lamp keeper",
    "a stoker of the night watch",
    "a schoolteacher",
)
SIGHTS = (
    "noticed that the wind vane on the customs house had swung through half a circle",
    "heard two short blasts of the horn and then a long silence",
    "saw the ballast bags on the lee side being cut one after another",
    "was certain that the landing lamps had been lit in good time",
    "remembered the smell of wet canvas and nothing else",
    "counted the mooring party and thought it two hands short",
    "had been told to expect a late arrival and had put the kettle on",
    "observed that the gangway was still swinging free",
)
REPLIES = (
    "Asked whether this was unusual, the witness said that it depended on the season.",
    "The statement agrees with the log kept in the signal tower.",
    "On this point the recollections of other witnesses differ.",
    "The assessors accepted the statement without further questions.",
    "A sketch made by the witness is kept with the papers of the inquiry.",
)


def write_statistics(desk: Desk) -> None:
    """One page a year for the harbours and one for the lines, each with a full table."""
    region, host = desk.region, desk.bureau("stats")
    author = f"{region.name.en[4:]} Statistical Service"
    for year in region.years:
        for kind, attrs in (("harbour", ("passengers", "landings")), ("line", ("passengers",))):
            url = f"https://{host}/air-transport/{year}/{kind}s"
            title = f"{kind.capitalize()}s of {region.name.en}: air transport statistics {year}"
            draft = desk.page(url, title, "statistics", desk.in_year(year + 1), author)
            draft.para(
                f"This table gives the final figures for the calendar year {year}. They replace all "
                "provisional ones."
            )
            entities = sorted(region.entities[kind], key=lambda entity: entity.name.en)
            header = (kind.capitalize(), *(attr.capitalize() for attr in attrs))
            draft.table(header, desk.rows(draft, entities, *(f"{attr}@{year}" for attr in attrs)))
            draft.para("Source: monthly returns of the harbour offices. Transfers are counted once.")


def write_register(desk: Desk) -> None:
    """The regulator's entry for each airship, with the speed measured at its trials."""
    region = desk.region
    for i, ship in enumerate(region.entities["ship"]):
        launched, length, speed = region.all(ship, "launched", "length", "speed_register")
        url = f"https://{desk.bureau('registry')}/airships/{ship.name.en.lower()}"
        title = f"Register of airships: {ship.name.en}"
        draft = desk.page(url, title, "register", desk.in_year(launched.value.whole + 1), region.office.en)
        draft.para(f"Entry {2000 + i * 17} of the register kept by the {region.office.en}.")
        if i % 3:
            draft.para(launched, length, speed)
        else:
            draft.bullets([launched, length])
            draft.para(speed)
        draft.para("Trials are flown with full ballast over a measured course, twice in each direction.")
        draft.flag("contradiction")
        desk.link(draft, ship)


def write_inquiries(desk: Desk) -> None:
    """The official report on each accident; the first two are very long."""
    region = desk.region
    for i, incident in enumerate(region.entities["incident"]):
        ship, day, cause, injured, chair = region.all(
            incident, "ship", "date", "cause", "injured_inquiry", "chair"
        )
        url = f"https://{desk.bureau('inquiries')}/reports/{slug(incident.key)}"
        title = f"Report of the inquiry into {incident.ref('en')}"
        draft = desk.page(url, title, "official_report", desk.ago(60, 400), region.office.en)
        draft.para(day, ship, chair)
        if i < 2:
            draft.heading("Statements of witnesses")
            _testimony(desk, draft, hazards.LONG_PAGE * 2 // 3)
        draft.heading("Findings")
        draft.para(injured, cause)
        draft.para("Statements made to the press in the first days are superseded by these findings.")
        if i < 2:
            draft.heading("Annex: further statements")
            _testimony(desk, draft, hazards.LONG_PAGE // 3)
            draft.flag("long")
        draft.flag("contradiction")
        desk.link(draft, ship.target)


def _testimony(desk: Desk, draft: Draft, characters: int) -> None:
    """Statements of witnesses."""
    rng = desk.rng

    def statement(_: int) -> str:
        first, second = rng.sample(SIGHTS, 2)
        time = f"{rng.randrange(4, 23):02d}:{rng.randrange(60):02d}"
        return (
            f"At {time} {rng.choice(WITNESSES)} {first}. About {rng.randrange(2, 40)} minutes later the same "
            f"witness {second}. {rng.choice(REPLIES)}"
        )

    hazards.lengthen(draft, characters, statement)


def write_open_data(desk: Desk) -> None:
    """One data table with all routes of the region."""
    region = desk.region
    url = f"https://{desk.bureau('opendata')}/sets/scheduled-routes"
    title = f"Scheduled routes in {region.name.en}: data set"
    draft = desk.page(url, title, "data_table", desk.ago(10, 200), region.office.en)
    draft.para(
        "One row per route. Distances along the airway, fares for one adult, flying times in fair weather."
    )
    rows: list[list[Part]] = [
        [route.name.en.removesuffix(" route"), *region.all(route, "distance", "duration", "fare", "line")]
        for route in region.entities["route"]
    ]
    draft.table(("Route", "Distance", "Flying time", "Single fare", "Operator"), rows)
    draft.para("Licence: free reuse with attribution. Corrections to the data desk, please.")
    desk.link(draft, *region.entities["line"])


def write_journal(desk: Desk) -> None:
    """A bench test of each engine, in the house style of a journal."""
    for engine in desk.region.entities["engine"]:
        maker, weight, test = desk.region.all(engine, "maker", "weight", "power_test")
        title = f"Bench performance of the {engine.name.en} airship engine"
        draft = _paper(desk, JOURNAL, "articles", "journal", title)
        draft.heading("Abstract")
        draft.para(
            f"We report measurements on a series-built unit of the {engine.name.en} over 200 hours.",
            test,
            "The result is lower than the published rating.",
        )
        draft.heading("Materials and methods")
        draft.para(maker, weight, "The unit was bought on the open market and run in for 40 hours.")
        draft.heading("Discussion")
        draft.para(
            "Ratings are usually given for cold, dry air; our bench stands by the sea, where airships fly."
        )
        draft.flag("contradiction")
        desk.link(draft, maker.target)


def write_preprints(desk: Desk, ships: list[Entity]) -> None:
    """Short manuscripts about single airships, not reviewed."""
    for ship in ships:
        title = f"Turning circles of large rigid hulls: the case of the {ship.name.en}"
        draft = _paper(desk, PREPRINTS, "abs", "preprint", title)
        draft.para("This manuscript has not been peer reviewed.")
        draft.heading("Abstract")
        draft.para(
            "We estimate turning circles from photographs of wakes in low cloud.",
            *desk.region.all(ship, "length", "launched"),
            "The estimated circle is four to five hull lengths.",
        )
        draft.heading("Limitations")
        draft.para("Only three usable photographs exist, and one of them shows a kite.")
        desk.link(draft, ship)


def _paper(desk: Desk, host: str, folder: str, style: str, title: str) -> Draft:
    number = f"{desk.rng.randrange(20, 60)}.{desk.names.number(10_000, 99_999)}"
    authors = f"{desk.byline()}, {desk.byline()}"
    draft = desk.signed(f"https://{host}/{folder}/{number}", title, style, desk.ago(90, 900), authors)
    draft.links_heading = REFERENCES
    return draft
