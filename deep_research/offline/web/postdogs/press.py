"""Everyday pages: kennels, printers, mail lines, newspapers, interviews, hiking guides, auctions, forum
threads, posts.

Here stand the numbers that interested parties publish, the outdated ones, and the wrong ones.
"""

from __future__ import annotations

from deep_research.offline.web.assembly import Draft
from deep_research.offline.web.desk import slug
from deep_research.offline.web.postdogs.desk import AUCTIONS, CACHE, HIKES, SOCIAL, Desk
from deep_research.offline.web.prose import Entity

PAPERS = (("the-daily-mitten.example", 1), ("uphill-gazette.example", 2), ("newsdesk-north.example", 1))
"""Who reprints articles, and how many days later."""

BRIEF = (
    ("hut", "snow"),
    ("hut", "built"),
    ("kennel", "pups"),
    ("dog", "run"),
    ("sled", "length"),
    ("workshop", "hands"),
    ("printer", "presses"),
    ("stamp", "colours"),
    ("mill", "tonnes"),
)  # what briefs tell: nothing that lies further along a chain


def write_kennel_pages(desk: Desk, count: int) -> None:
    """The kennel's own page about each of the first dogs, with the kennel's idea of its strength."""
    for dog in desk.region.entities["dog"][:count]:
        kennel, load, born = desk.region.all(dog, "kennel", "load_kennel", "born")
        owner = kennel.value.say("en")
        url = f"https://www.{slug(owner)}.example/our-dogs/{slug(dog.name.en)}"
        draft = desk.page(url, f"Where are they now? {dog.name.en}", "company", None, owner)
        draft.para("Ask anyone here and they will show you the chewed boot.", born, load)
        draft.para("We are not boasting. We are merely very proud.")
        draft.flag("contradiction")
        desk.link(draft, kennel.target)


def write_printer_blogs(desk: Desk, count: int) -> None:
    """A printer remembers a stamp and repeats the number of copies on the job sheet."""
    for stamp in desk.region.entities["stamp"][:count]:
        printer, run, height = desk.region.all(stamp, "printer", "run_printer", "height")
        url = f"https://blog.{slug(printer.value.say('en'))}.example/jobs/{slug(stamp.name.en)}"
        title = f"A job to remember: printing {stamp.ref('en')}"
        draft = desk.page(url, title, "vendor_blog", desk.ago(60, 450), desk.byline())
        draft.para("It rained, the ink would not dry, and somebody sneezed on the plates.", run)
        draft.para(height, next(desk.colours("stamp")), "Wedding cards are done while you wait.")
        draft.flag("contradiction")
        desk.link(draft, printer.target)


def write_line_sites(desk: Desk) -> None:
    """The web site of each line, and questions that customers ask for every third."""
    for i, line in enumerate(desk.region.entities["line"]):
        host = f"www.{slug(line.name.en)}.example"
        draft = desk.page(
            f"https://{host}/about-us", f"{line.name.en}: about us", "company", None, line.name.en
        )
        draft.para("Neither snow nor squirrels. Well, sometimes squirrels.")
        draft.para(*desk.region.all(line, "leader", "sled"), next(desk.colours("line")))
        draft.heading("In figures", 3)
        draft.bullets(desk.region.all(line, "founded", "length", "team", "postmaster"))
        desk.link(draft, line)
        if i % 3 == 1:
            _customers(desk, line, host)


def _customers(desk: Desk, line: Entity, host: str) -> None:
    draft = desk.page(f"https://{host}/help", f"Help: {line.name.en}", "faq", desk.ago(30, 400))
    draft.faq(
        ("How much is a letter?", desk.region.get(line, "postage")),
        ("Which dog runs in front?", desk.region.get(line, "leader")),
        ("How far up do you deliver?", desk.region.get(line, "terminus")),
        ("My parcel has tooth marks. What now?", "Then it has been delivered with particular care."),
    )


def write_storm_news(desk: Desk) -> None:
    """The morning paper on each blizzard, with the line's number of lost letters."""
    for storm in desk.region.entities["blizzard"]:
        day, line, hut, lost = desk.region.all(storm, "date", "line", "hut", "lost_line")
        title = f"Mail in the drifts: what {storm.ref('en')} did"
        draft = _article(desk, desk.lantern, slug(storm.name.en), title, day.value.also[0])
        draft.para(line, lost)
        draft.para(hut, day, next(desk.colours("blizzard")))
        draft.flag("contradiction")
        desk.link(draft, line.target, hut.target)
        desk.stories[storm.key] = draft


def write_appointments(desk: Desk, lines: list[Entity]) -> None:
    """News of a new postmaster, printed in the year of the change."""
    for line in lines:
        now, before = desk.region.all(line, "postmaster", "postmaster_before")
        title = f"New postmaster at {line.ref('en')}"
        published = desk.in_year(now.year("since"))
        draft = _article(desk, desk.evening, f"postmaster-{slug(line.name.en)}", title, published)
        draft.para(before, now)
        draft.para("The keys were handed over in a mitten. The dogs howled for the length of one song.")
        desk.link(draft, line, now.target)
        desk.stories[f"postmaster-{line.key}"] = draft


def write_interviews(desk: Desk, huts: list[Entity]) -> None:
    """A conversation with the keeper of each hut."""
    for hut in huts:
        keeper, before, bunks, dish = desk.region.all(hut, "keeper", "keeper_before", "bunks", "dish")
        title = f"By the stove with {keeper.value.say('en')}"
        path = f"stove-{slug(hut.name.en)}"
        draft = _article(desk, desk.evening, path, title, desk.ago(30, 700), "interview")
        draft.para(keeper, before)
        draft.para("**What do people eat up here?**")
        draft.para(f"Mostly {draft.cell(dish)}. There is no menu.")
        draft.para("**And where do they all sleep?**")
        draft.para(f"We have {draft.cell(bunks)}. After that, the table.")
        desk.link(draft, hut)


def write_hikes(desk: Desk) -> None:
    """Hiking guides: three huts each."""
    region = desk.region
    for i in range(2):
        huts = region.entities["hut"][3 * i + 1 : 3 * i + 4]
        title = f"From stove to stove in {region.name.en}, part {i + 1}"
        url = f"https://{HIKES}/{region.slug}/{i + 1}"
        draft = desk.page(url, title, "travel_guide", desk.ago(50, 800), desk.byline())
        for number, hut in enumerate(huts, 1):
            draft.heading(f"Night {number}", 3)
            draft.para(*region.all(hut, "built", "snow"), next(desk.colours("hut")))
        desk.link(draft, *huts)


def write_auctions(desk: Desk, stamps: list[Entity]) -> None:
    """Lots of an auction house, with what has been paid for the like of them."""
    for i, stamp in enumerate(stamps):
        issued, record, motif = desk.region.all(stamp, "issued", "record", "motif")
        url = f"https://{AUCTIONS}/lots/{desk.names.number(1_000, 99_999)}"
        draft = desk.page(url, f"Lot {12 + 31 * i}: {stamp.ref('en')}", "auction", desk.ago(3, 400))
        draft.bullets([issued, "Condition: fresh, with full gum and one paw print"])
        draft.para(motif, record, "Bids by postcard are welcome.")
        desk.link(draft, stamp)


def write_outdated(desk: Desk, lines: list[Entity], sleds: list[Entity]) -> None:
    """Pages that were right when they were written: an earlier postmaster, the room before a rebuilding."""
    region = desk.region
    for line in lines:
        now, before = region.all(line, "postmaster", "postmaster_before")
        published = desk.in_year(before.year("until") - 2)
        url = f"https://{CACHE}/saved/{slug(line.name.en)}"
        draft = desk.page(url, f"{line.name.en} (saved copy)", "encyclopedia", published)
        name, since = draft.outdated(now, before), before.extra["since"].say("en")
        draft.para(f"The {line.name.en} is headed by postmaster {name}, who took over in {since}.")
        draft.para(region.get(line, "founded"), "This copy was saved by a robot and is not kept up to date.")
        draft.flag("stale")
    for sled in sleds:
        now, before = region.all(sled, "room", "room_before")
        published = desk.in_year(now.year("rebuilt") - 1)
        title = f"A morning on the runners of {sled.ref('en')}"
        draft = _article(desk, desk.lantern, f"runners-{slug(sled.name.en)}", title, published)
        room = draft.outdated(now, before)
        draft.para(
            f"The {sled.name.en} takes {room}, and ours was wedged in as the last of them.",
            next(desk.colours("sled")),
        )
        draft.flag("stale")


def write_forum(desk: Desk, dogs: list[Entity], huts: list[Entity]) -> None:
    """Threads in which somebody is sure of a wrong number."""
    for dog in dogs:
        weight = desk.region.get(dog, "weight")
        draft = desk.thread(f"Has anyone ever carried {dog.name.en}?")
        wrong = draft.misquoted(weight)
        draft.para(f"**sledge_hammer**: no way. {dog.name.en} is {wrong}, I asked a driver.")
        draft.para("**wet_mitten**: which driver?")
        draft.para("**sledge_hammer**: a tall one.")
    for hut in huts:
        bunks = desk.region.get(hut, "bunks")
        draft = desk.thread(f"{hut.name.en} full again at the weekend?")
        wrong = draft.misquoted(bunks)
        draft.para(f"**sledge_hammer**: of course, they only have {wrong} up there.")
        draft.para("**soup_first**: I slept on the table and regret nothing.")


def write_posts(desk: Desk, huts: list[Entity]) -> None:
    """Short posts; the first of them is right, the others are not."""
    year = desk.region.years[-1]
    for i, hut in enumerate(huts):
        url = f"https://{SOCIAL}/@wet_mitten/{desk.names.number(10**8, 10**9)}"
        draft = desk.page(url, f"@wet_mitten at {hut.name.en}", "social", desk.ago(4, 60), "@wet_mitten")
        datum = desk.region.get(hut, f"guests@{year}")
        told = draft.misquoted(datum) if i else draft.cell(datum)
        draft.para(f"{told} at {hut.name.en} in {year} and every single one snored #hutlife")
        draft.flag("social", *(("wrong",) if i else ()))


def write_briefs(desk: Desk, count: int) -> None:
    """Small notices, two facts each."""
    for i in range(count):
        first, second = desk.two_facts(BRIEF)
        title = f"From the noticeboard: {first.subject.ref('en')}"
        draft = _article(desk, desk.evening, f"noticeboard-{i + 1}", title, desk.ago(3, 200))
        draft.para(first, next(desk.colours(first.subject.kind)))
        draft.para("Pinned next to it we found this.", second)
        desk.link(draft, first.subject, second.subject)


def _article(desk: Desk, host: str, path: str, title: str, published: str, style: str = "news") -> Draft:
    url = f"https://{host}/{published[:7].replace('-', '/')}/{path}"
    return desk.signed(url, title, style, published, desk.byline(), "*Words: {}*")
