"""Everyday pages: company sites, brochures, vendor blogs, news, travel guides, FAQs, forum threads, social
posts.

Here stand the numbers that interested parties publish, the outdated ones, and the wrong ones.
"""

from __future__ import annotations

from dataclasses import replace

from deep_research.offline.web.airships.desk import MIRROR, SOCIAL, TRAVEL, Desk
from deep_research.offline.web.assembly import Draft, Misstated
from deep_research.offline.web.desk import slug
from deep_research.offline.web.prose import Entity

PARTNERS = (("daily-anchor.example", 1), ("windward-wire.example", 1), ("tidings-today.example", 1))
"""Who reprints agency news, and how many days later."""

BRIEF = (
    ("harbour", "elevation"),
    ("harbour", "opened"),
    ("ship", "launched"),
    ("ship", "refit"),
    ("yard", "workers"),
    ("yard", "town"),
    ("maker", "town"),
    ("route", "fare"),
    ("route", "duration"),
    ("line", "fleet"),
)  # what briefs tell


def write_companies(desk: Desk) -> None:
    """The web site of each line, and a FAQ for half of them."""
    region = desk.region
    for i, line in enumerate(region.entities["line"]):
        name = line.name.en
        host = f"www.{slug(name)}.example"
        about = desk.page(f"https://{host}/about", f"About {name}", "company", None, name)
        about.para(
            "Welcome aboard. We would rather arrive than hurry.", *region.all(line, "base", "flagship")
        )
        about.heading("Good to know")
        about.bullets(region.all(line, "founded", "baggage", "punctuality"))
        about.heading("Who we are")
        about.para(region.get(line, "head"), desk.colour("line"))
        desk.link(about, line)
        if i % 2 == 0:
            _faq(desk, line, host)


def _faq(desk: Desk, line: Entity, host: str) -> None:
    title = f"Frequently asked questions: {line.name.en}"
    draft = desk.page(f"https://{host}/faq", title, "faq", desk.ago(30, 300))
    draft.faq(
        ("How much may I bring?", desk.region.get(line, "baggage")),
        ("Will I leave on time?", desk.region.get(line, "punctuality")),
        ("Where do you fly from?", desk.region.get(line, "base")),
        ("May I open a window?", "Below 300 metres, yes, and please hold on to your hat."),
    )


def write_brochures(desk: Desk) -> None:
    """The builder's page for each airship, with the builder's own figure for its speed."""
    for ship in desk.region.entities["ship"]:
        yard, length, speed = desk.region.all(ship, "yard", "length", "speed_builder")
        owner = yard.value.say("en")
        url = f"https://www.{slug(owner)}.example/built-here/{ship.name.en.lower()}"
        title = f"{ship.name.en}: built by {owner}"
        draft = desk.page(url, title, "company", None, owner)
        draft.para(f"We are proud of the {ship.name.en}.", speed, length)
        draft.para("Figures are given in good faith and may change without notice.")
        draft.flag("contradiction")
        desk.link(draft, yard.target)


def write_vendor_blogs(desk: Desk) -> None:
    """The maker's blog about each engine, with the maker's own rating."""
    for engine in desk.region.entities["engine"]:
        maker, power = desk.region.all(engine, "maker", "power_maker")
        owner = maker.value.say("en")
        url = f"https://blog.{slug(owner)}.example/meet-the-{slug(engine.name.en)}"
        title = f"Meet the {engine.name.en}"
        draft = desk.page(url, title, "vendor_blog", desk.ago(100, 1500), desk.byline())
        draft.para(
            "Our customers ask for quiet, thrift and strength. We listened.", power, desk.colour("engine")
        )
        draft.para(maker, "Talk to our sales team about a trial fitting.")
        draft.flag("contradiction")
        desk.link(draft, maker.target)


def write_accident_news(desk: Desk) -> None:
    """The first report of each accident, with the operator's number of injured."""
    for incident in desk.region.entities["incident"]:
        ship, day, injured = desk.region.all(incident, "ship", "date", "injured_line")
        published = day.value.also[0]
        title = f"Alarm at the mooring mast: what is known about {incident.ref('en')}"
        draft = _news(desk, desk.courier, slug(incident.key), title, published)
        draft.para(day, ship, injured)
        draft.para(desk.colour("incident"), "An official inquiry has been announced.")
        draft.flag("contradiction")
        desk.link(draft, ship.target)
        desk.stories[incident.key] = draft


def write_appointments(desk: Desk, lines: list[Entity]) -> None:
    """News of a new managing director, printed in the year of the change."""
    for line in lines:
        head, before = desk.region.all(line, "head", "head_before")
        published = desk.in_year(head.year("since"))
        draft = _news(
            desk, desk.post, f"new-head-{slug(line.name.en)}", f"A new hand at {line.name.en}", published
        )
        draft.para(before, head)
        draft.para("Staff at the home port were told at breakfast. There was cake.")
        desk.link(draft, line, head.target)
        desk.stories[f"appointment-{line.key}"] = draft


def write_guides(desk: Desk) -> None:
    """Travel guides: two routes each, told at leisure."""
    routes = desk.region.entities["route"]
    for i in (0, 2):
        first, second = routes[i], routes[i + 1]
        url = f"https://{TRAVEL}/{desk.region.slug}/part-{i // 2 + 1}"
        title = f"Two slow days above {desk.region.name.en}, part {i // 2 + 1}"
        draft = desk.page(url, title, "travel_guide", desk.ago(40, 700), desk.byline())
        draft.para(*desk.region.all(first, "line", "duration"), desk.colour("route"))
        draft.para(*desk.region.all(second, "fare", "distance"), "We would do it again tomorrow.")
        desk.link(draft, *(desk.region.get(route, "line").target for route in (first, second)))


def write_outdated(desk: Desk, lines: list[Entity], ships: list[Entity]) -> None:
    """Pages that were right when they were written: an earlier head, the capacity before a refit."""
    for line in lines:
        head, before = desk.region.all(line, "head", "head_before")
        earlier = replace(head, value=before.value, extra={"since": before.extra["since"]})
        published = desk.in_year(before.year("until") - 2)
        title = f"{line.name.en} at a glance"
        url = f"https://{MIRROR}/lines/{slug(line.name.en)}"
        draft = desk.page(url, title, "encyclopedia", published)
        draft.para(Misstated(earlier, before.value, stale=True), desk.colour("line"))
        draft.states[before.id] = None
        draft.para(
            desk.region.get(line, "founded"), "This copy is kept for reference and is no longer updated."
        )
        draft.flag("stale")
    for ship in ships:
        capacity, before, refit = desk.region.all(ship, "capacity", "capacity_before", "refit")
        published = desk.in_year(refit.value.whole - 1)
        title = f"A night aboard the {ship.name.en}"
        draft = _news(desk, desk.courier, f"aboard-{slug(ship.name.en)}", title, published)
        room = draft.outdated(capacity, before)
        draft.para(
            f"The {ship.name.en} has room for {room}, and on our flight every berth was taken.",
            desk.colour("ship"),
        )
        draft.flag("stale")


def write_forum(desk: Desk, ships: list[Entity], harbours: list[Entity]) -> None:
    """Threads in which somebody is sure of a wrong number."""
    for ship in ships:
        length = desk.region.get(ship, "length")
        draft = desk.thread(f"How long is the {ship.name.en} really?")
        wrong = draft.misquoted(length)
        draft.para(
            f"**ropewalker88**: pretty sure the {ship.name.en} is {wrong} long, my cousin works the mast."
        )
        draft.para("**gull_fancier**: source? I never believe cousins.")
        draft.para("**ropewalker88**: trust me.")
    for harbour in harbours:
        masts = desk.region.get(harbour, "masts")
        draft = desk.thread(f"Best spot to watch arrivals at {harbour.name.en}?")
        wrong = draft.misquoted(masts)
        draft.para(f"**tea_at_dawn**: the café roof. From there you see all {wrong} of {harbour.name.en}.")
        draft.para("**ballast_bob**: bring a cushion.")


def write_social(desk: Desk, harbours: list[Entity]) -> None:
    """Short posts; one of them right, the others not."""
    year = desk.region.years[-1]
    for i, harbour in enumerate(harbours):
        number = desk.names.number(10**9, 2 * 10**9)
        url = f"https://{SOCIAL}/@mastwatch/{number}"
        title = f"@mastwatch on {harbour.name.en}"
        draft = desk.page(url, title, "social", desk.ago(5, 90), "@mastwatch")
        datum = desk.region.get(harbour, f"passengers@{year}")
        told = draft.misquoted(datum) if i else draft.cell(datum)
        draft.para(f"wow, {told} at {harbour.name.en} in {year}!! and still only one tea kiosk #airships")
        draft.flag("social", *(() if i == 0 else ("wrong",)))


def write_briefs(desk: Desk, count: int) -> None:
    """News in brief, two clean facts each."""
    for i in range(count):
        first, second = desk.two_facts(BRIEF)
        title = f"In brief: notes from {first.subject.ref('en')}"
        draft = _news(desk, desk.post, f"brief-{i + 1}", title, desk.ago(2, 180))
        draft.para(first, desk.colour(first.subject.kind))
        draft.para(second)
        desk.link(draft, first.subject, second.subject)


def _news(desk: Desk, host: str, path: str, title: str, published: str) -> Draft:
    url = f"https://{host}/{published[:4]}/{path}"
    return desk.signed(url, title, "news", published, desk.byline(), "*By {}*")
