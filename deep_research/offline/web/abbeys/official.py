"""Official and scholarly pages: almanac, ticket returns, certificates, contest minutes, surveys, journal,
drafts.

Notable: the minutes of the first two contests are very long (over 20,000 characters of jury notes) with the
verdict deep inside; certificates, constables and the dairy school contradict what founders, organisers and
labels say.
"""

from __future__ import annotations

from deep_research.offline.web import hazards
from deep_research.offline.web.abbeys.desk import ARCHIVE, DAIRY_JOURNAL, Desk
from deep_research.offline.web.assembly import Draft, Part
from deep_research.offline.web.desk import slug
from deep_research.offline.web.names import Text
from deep_research.offline.web.prose import Datum

SOURCES = Text("Literature", "文献", "文献")

GROUPS = (
    "a quartet of postmen",
    "the schoolmasters' octet",
    "nine sisters in grey",
    "a party of carters",
    "the cheese graders' glee club",
    "two families from the upper farms",
    "a boy with a very large hat",
    "the retired ringers",
    "the night shift of the bakery",
)
DEEDS = (
    "entered half a beat behind their own echo and never caught up",
    "held the last chord until a marmot whistled",
    "sang in a key that the cliff returned a shade flat",
    "lost the altos to a passing shower and finished without them",
    "gave the second verse to the echo alone, which the rules allow",
    "were overtaken by cattle bells and bowed to the herdsman",
    "began with a cough that came back in four parts",
    "made the snow slide off the chapel roof",
)
VERDICTS = (
    "The bench wrote nothing for a while.",
    "One judge asked for the passage to be repeated and then thought better of it.",
    "Marks were withheld until the wind had dropped.",
    "The clerk notes a dispute about whether the cliff had been early.",
    "Applause is recorded as brisk.",
    "The chalk broke and the tally was done again.",
)


def write_almanac(desk: Desk) -> None:
    """Every year's table of what the abbeys sold and whom they fed; one table for the choirs, all years."""
    region, host = desk.region, desk.bureau("almanac")
    abbeys = sorted(region.entities["abbey"], key=lambda abbey: abbey.name.en)
    for year in region.years:
        title = f"Almanac of {region.name.en} {year}: dairies and pilgrims"
        url = f"https://{host}/vol/{year}/abbeys"
        draft = desk.page(url, title, "statistics", desk.in_year(year + 1), "Almanac Office")
        draft.para(f"Returns of all houses for {year}, closed and audited. Wheels are counted at the gate.")
        rows = desk.rows(draft, abbeys, f"wheels@{year}", f"pilgrims@{year}")
        draft.table(("House", "Wheels sold", "Pilgrims fed"), rows)
        draft.para("A pilgrim who comes twice is fed twice and counted twice.")
    _tickets(desk, host)


def _tickets(desk: Desk, host: str) -> None:
    region = desk.region
    title = f"Concert tickets sold by the choirs of {region.name.en}"
    draft = desk.page(f"https://{host}/series/tickets", title, "data_table", desk.ago(20, 60))
    draft.para("Tickets sold per calendar year, as declared for the entertainment levy.")
    rows = desk.rows(draft, region.entities["choir"], *(f"tickets@{year}" for year in region.years))
    draft.table(("Choir", *map(str, region.years)), rows)
    draft.para("Free seats, standing room and trees are not included.")


def write_certificates(desk: Desk, count: int) -> None:
    """What the office of weights found when it put the first bells on its scale."""
    region = desk.region
    for i, bell in enumerate(region.entities["bell"][:count]):
        cast, weight, width = region.all(bell, "cast", "weight_scale", "diameter")
        url = f"https://{desk.bureau('weights')}/certificates/{slug(bell.name.en)}"
        title = f"Certificate of weight: {bell.name.en}"
        draft = desk.page(url, title, "certificate", desk.ago(400, 3_000), region.weights.en)
        draft.para(f"Sheet {310 + 7 * i}. Issued by the {region.weights.en} under seal.")
        if i % 2:
            draft.bullets([cast, width])
            draft.para(weight)
        else:
            draft.para(weight, width)
            draft.para(cast)
        draft.para("Yoke, clapper and pigeons were removed before weighing.")
        draft.flag("contradiction")
        desk.link(draft, bell)


def write_minutes(desk: Desk) -> None:
    """The jury's minutes of each contest; the first two are very long."""
    region = desk.region
    for i, contest in enumerate(region.entities["contest"]):
        day, host, chair = region.all(contest, "date", "host", "chair")
        crowd, winner, prize = region.all(contest, "crowd_constables", "winner", "prize")
        url = f"https://{desk.bureau('culture')}/minutes/{slug(contest.name.en)}"
        title = f"Minutes of the jury: {contest.ref('en')}"
        draft = desk.page(url, title, "minutes", day.value.also[0], "Clerk to the jury")
        draft.para(day, host, chair)
        if i < 2:
            draft.heading("Morning and afternoon")
            _entries(desk, draft, hazards.LONG_PAGE * 3 // 5)
        draft.heading("Verdict and order")
        draft.para(prize, winner)
        draft.para(crowd, "Estimates by other parties were heard and not adopted.")
        if i < 2:
            draft.heading("Appendix: out of competition")
            _entries(desk, draft, hazards.LONG_PAGE * 2 // 5)
            draft.flag("long")
        draft.flag("contradiction")
        desk.link(draft, host.target, winner.target)


def _entries(desk: Desk, draft: Draft, characters: int) -> None:
    """Notes on minor performances."""
    rng = desk.rng

    def note(number: int) -> str:
        first, second = rng.sample(DEEDS, 2)
        group = rng.choice(GROUPS)
        return (
            f"Item {number}. {group[:1].upper()}{group[1:]} {first}. {rng.choice(VERDICTS)} Called back by "
            f"the herald, they {second}. {rng.choice(VERDICTS)}"
        )

    hazards.lengthen(draft, characters, note)


def write_surveys(desk: Desk) -> None:
    """Two data sets: all bells, and all cheeses with their prices."""
    region, host = desk.region, desk.bureau("data")
    bells: list[list[Part]] = [
        [bell.name.en, *region.all(bell, "foundry", "cast", "diameter", "pitch")]
        for bell in region.entities["bell"]
    ]
    cheeses: list[list[Part]] = [
        [cheese.name.en, *region.all(cheese, "milk", "months", "litres", "price")]
        for cheese in region.entities["cheese"]
    ]
    for name, about, header, rows in (
        ("bells", "Tower bells", ("Bell", "Foundry", "Cast in", "Width at the lip", "Pitch"), bells),
        ("cheeses", "Protected cheeses", ("Cheese", "Milk", "Ripening", "Milk per wheel", "Price"), cheeses),
    ):
        title = f"{about} of {region.name.en}: full list"
        draft = desk.page(f"https://{host}/lists/{name}", title, "data_table", desk.ago(10, 150))
        draft.para("One row per object. Download as a ribbon of punched card at the counter.")
        draft.table(header, rows)
        draft.para("Errors may be reported by postcard.")


def write_journal(desk: Desk, count: int) -> None:
    """Analyses of cheeses by the dairy school."""
    region = desk.region
    for cheese in region.entities["cheese"][:count]:
        fat, months, milk = region.all(cheese, "fat_lab", "months", "milk")
        draft = _paper(desk, DAIRY_JOURNAL, "vol", "journal", f"Composition of {cheese.name.en} at retail")
        draft.heading("Summary")
        draft.para("Twelve wheels were bought incognito at three markets.", fat)
        draft.para("The declared content was reached by none of them.")
        draft.heading("Material")
        draft.para(milk, months, "Rind was removed with a wire and eaten by the second author.")
        draft.flag("contradiction")
        desk.link(draft, cheese)


def write_drafts(desk: Desk, numbers: tuple[int, ...]) -> None:
    """Manuscripts on the sound of single bells, not reviewed."""
    for i in numbers:
        bell = desk.region.entities["bell"][i]
        data: list[Datum] = desk.region.all(bell, "pitch", "diameter", "foundry")
        title = f"Beats and hum tones of a large bell: notes on {bell.name.en}"
        draft = _paper(desk, ARCHIVE, "ms", "preprint", title)
        draft.para("Version 1, posted before review. Comments are welcome, quotations are not.")
        draft.heading("Findings")
        draft.para(
            "Recordings were made from a hayloft.", *data, "The hum tone lies a little under the octave."
        )
        draft.heading("Caveats")
        draft.para("One microphone was eaten by a calf.")
        desk.link(draft, bell)


def _paper(desk: Desk, host: str, folder: str, style: str, title: str) -> Draft:
    number = f"{desk.rng.randrange(3, 70)}-{desk.names.number(1_000, 9_999_999)}"
    authors = " and ".join((desk.byline(), desk.byline()))
    draft = desk.signed(f"https://{host}/{folder}/{number}", title, style, desk.ago(120, 1_100), authors)
    draft.links_heading = SOURCES
    return draft
