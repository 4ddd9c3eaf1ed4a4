"""Everyday pages: founders' ledgers, dairy blogs, choir sites, newspapers, programme notes, interviews,
walks, forum threads, posts.

Here stand the numbers that interested parties publish, the outdated ones, and the wrong ones.
"""

from __future__ import annotations

from deep_research.offline.web.abbeys.desk import ATTIC, SOCIAL, WALKS, Desk
from deep_research.offline.web.assembly import Draft
from deep_research.offline.web.desk import slug
from deep_research.offline.web.prose import Entity

PAPERS = (("valley-messenger.example", 1), ("morning-goat.example", 2), ("press-pool-seven.example", 3))
"""Who reprints articles, and how many days later."""

BRIEF = (
    ("valley", "people"),
    ("foundry", "furnaces"),
    ("foundry", "apprentices"),
    ("mine", "miners"),
    ("cheese", "litres"),
    ("choir", "singers"),
    ("work", "bars"),
    ("bell", "diameter"),
)  # what briefs tell: nothing that lies further along a chain


def write_ledgers(desk: Desk, count: int) -> None:
    """The founder's own page about each of the first bells, with the founder's own weight."""
    for bell in desk.region.entities["bell"][:count]:
        foundry, weight, cast = desk.region.all(bell, "foundry", "weight_ledger", "cast")
        owner = foundry.value.say("en")
        url = f"https://www.{slug(owner)}.example/ledger/{slug(bell.name.en)}"
        draft = desk.page(url, f"From our ledger: {bell.name.en}", "company", None, owner)
        draft.para("Every bell that ever left this yard has a page, and this is one of them.", cast, weight)
        draft.para("We do not weigh twice. A founder knows what went into the pit.")
        draft.flag("contradiction")
        desk.link(draft, foundry.target)


def write_dairy_blogs(desk: Desk, count: int) -> None:
    """A merchant praises a cheese and repeats its label."""
    for cheese in desk.region.entities["cheese"][:count]:
        fat, litres = desk.region.all(cheese, "fat_label", "litres")
        name = cheese.name.en
        url = f"https://shop.{desk.region.slug}-rinds.example/stories/{slug(name)}"
        title = f"Why we cannot stop slicing {name}"
        draft = desk.page(url, title, "vendor_blog", desk.ago(60, 900), desk.byline())
        draft.para("It begins with a smell of hay and ends with an empty board.", fat)
        draft.para(litres, next(desk.colours("cheese")), "Order three wheels and the knife is free.")
        draft.flag("contradiction")
        desk.link(draft, cheese)


def write_choir_sites(desk: Desk) -> None:
    """The web site of each choir, and questions that visitors ask for every third."""
    for i, choir in enumerate(desk.region.entities["choir"]):
        host = f"{slug(choir.name.en)}.example"
        title = f"{choir.name.en}: who we are"
        draft = desk.page(f"https://{host}/us", title, "company", None, choir.name.en)
        draft.para("Come in, wipe your boots, find a stool.", *desk.region.all(choir, "home", "opener"))
        draft.heading("The choir in a nutshell", 3)
        draft.bullets(desk.region.all(choir, "formed", "singers", "cantor"))
        draft.para(next(desk.colours("choir")))
        desk.link(draft, choir)
        if i % 3 == 0:
            _visitors(desk, choir, host)


def _visitors(desk: Desk, choir: Entity, host: str) -> None:
    title = f"{choir.name.en}: what visitors ask"
    draft = desk.page(f"https://{host}/visitors", title, "faq", desk.ago(30, 400))
    draft.faq(
        ("Where can we listen to a rehearsal?", desk.region.get(choir, "home")),
        ("What will we hear first?", desk.region.get(choir, "opener")),
        ("How many of you are there?", desk.region.get(choir, "singers")),
        ("May we join in?", "On the last refrain, from the back rows, if you know where it ends."),
    )


def write_contest_news(desk: Desk) -> None:
    """The morning paper on each contest, with the organisers' number."""
    for contest in desk.region.entities["contest"]:
        day, host, winner, crowd = desk.region.all(contest, "date", "host", "winner", "crowd_organiser")
        title = f"The cliff has spoken: {contest.ref('en')} is decided"
        draft = _article(desk, desk.herald, slug(contest.name.en), title, day.value.also[0])
        draft.para(winner, crowd)
        draft.para(host, day, next(desk.colours("contest")))
        draft.flag("contradiction")
        desk.link(draft, winner.target, host.target)
        desk.stories[contest.key] = draft


def write_cantor_news(desk: Desk, choirs: list[Entity]) -> None:
    """News of a new cantor, printed in the year of the change."""
    for choir in choirs:
        cantor, before = desk.region.all(choir, "cantor", "cantor_before")
        title = f"Tuning fork changes hands at the {choir.name.en}"
        published = desk.in_year(cantor.year("since"))
        draft = _article(desk, desk.weekly, f"fork-{slug(choir.name.en)}", title, published)
        draft.para(cantor, before)
        draft.para("The ceremony was brief, as the fork was cold.")
        desk.link(draft, choir, cantor.target)
        desk.stories[f"cantor-{choir.key}"] = draft


def write_programme_notes(desk: Desk, works: list[Entity]) -> None:
    """Notes on single works, for whoever performs them."""
    for work in works:
        title = f"Programme note: {work.name.en}"
        url = f"https://{desk.bureau('concerts')}/notes/{slug(work.name.en)}"
        draft = desk.page(url, title, "programme", desk.ago(30, 600), desk.byline())
        draft.para(*desk.region.all(work, "composer", "premiere"), "Please unwrap sweets beforehand.")
        draft.para(*desk.region.all(work, "parts", "bars"), next(desk.colours("work")))
        desk.link(draft, desk.region.target(work, "composer"))


def write_interviews(desk: Desk, abbeys: list[Entity]) -> None:
    """A conversation with the cellarer of each abbey."""
    for abbey in abbeys:
        cellarer, cheese, before = desk.region.all(abbey, "cellarer", "cheese", "cellarer_before")
        name = cellarer.value.say("en")
        title = f"Ten minutes in the cellar with {name}"
        draft = _article(
            desk, desk.weekly, f"cellar-{slug(abbey.name.en)}", title, desk.ago(30, 700), "interview"
        )
        draft.para(cellarer, before)
        draft.para("*What do you keep down here?*")
        draft.para(f"{draft.cell(cheese)}, and my peace.")
        draft.para("*Do you ever tire of it?*")
        draft.para("Of the peace, sometimes.")
        desk.link(draft, abbey)


def write_walks(desk: Desk) -> None:
    """Walking guides: two valleys and one abbey each."""
    region = desk.region
    for i in range(2):
        valleys, abbey = region.entities["valley"][2 * i : 2 * i + 2], region.entities["abbey"][i + 4]
        title = f"Boots off by sundown: walking in {region.name.en}, stage {i + 1}"
        url = f"https://{WALKS}/{region.slug}/stage-{i + 1}"
        draft = desk.page(url, title, "travel_guide", desk.ago(50, 800), desk.byline())
        for valley in valleys:
            draft.para(*region.all(valley, "river", "pass_height"), next(desk.colours("valley")))
        draft.para(*region.all(abbey, "valley", "altitude"), "Ring twice and say that you are hungry.")
        desk.link(draft, *valleys, abbey)


def write_outdated(desk: Desk, abbeys: list[Entity], cheeses: list[Entity]) -> None:
    """Pages that were right when they were written: an earlier cellarer, a price before the order."""
    region = desk.region
    for abbey in abbeys:
        now, before = region.all(abbey, "cellarer", "cellarer_before")
        published = desk.in_year(before.year("until") - 2)
        url = f"https://{ATTIC}/copies/{slug(abbey.name.en)}"
        title = f"{abbey.name.en} (archived copy)"
        draft = desk.page(url, title, "encyclopedia", published)
        name = draft.outdated(now, before)
        since = before.extra["since"].say("en")
        draft.para(f"The cellarer of {abbey.name.en}, in office since {since}, is {name}.")
        draft.para(region.get(abbey, "hallowed"), "Kept as found; the original has moved on.")
        draft.flag("stale")
    for cheese in cheeses:
        now, before = region.all(cheese, "price", "price_before")
        published = desk.in_year(region.order.whole - 1)
        title = f"Market day: what {cheese.name.en} costs"
        draft = _article(desk, desk.herald, f"market-{slug(cheese.name.en)}", title, published)
        price = draft.outdated(now, before)
        draft.para(
            f"At Saturday's market a wheel of {cheese.name.en} changed hands for {price}.",
            next(desk.colours("cheese")),
        )
        draft.flag("stale")


def write_forum(desk: Desk, bells: list[Entity], cheeses: list[Entity]) -> None:
    """Threads in which somebody is sure of a wrong number."""
    for bell in bells:
        width = desk.region.get(bell, "diameter")
        draft = desk.thread(f"Could you hide inside {bell.name.en}?")
        wrong = draft.misquoted(width)
        draft.para(f"> **curdnerd**: easily. {bell.name.en} is {wrong} wide at the bottom, look it up.")
        draft.para("> **old_whey**: I looked it up and found you.")
    for cheese in cheeses:
        months = desk.region.get(cheese, "months")
        draft = desk.thread(f"{cheese.name.en} tastes young this year?")
        wrong = draft.misquoted(months)
        draft.para(f"> **curdnerd**: it only gets {wrong}. My uncle drives the van.")
        draft.para("> **brine_and_dandy**: that uncle again.")


def write_posts(desk: Desk, abbeys: list[Entity]) -> None:
    """Short posts; the first of them is right, the others are not."""
    year = desk.region.years[-1]
    for i, abbey in enumerate(abbeys):
        url = f"https://{SOCIAL}/p/{desk.names.number(10**8, 10**9)}"
        title = f"soupspoon about {abbey.name.en}"
        draft = desk.page(url, title, "social", desk.ago(4, 60), "soupspoon")
        datum = desk.region.get(abbey, f"pilgrims@{year}")
        told = draft.misquoted(datum) if i else draft.cell(datum)
        draft.para(f"{told} got soup at {abbey.name.en} in {year} and i was one of them :) #soup")
        draft.flag("social", *(("wrong",) if i else ()))


def write_briefs(desk: Desk, count: int) -> None:
    """Small notices, two facts each."""
    for i in range(count):
        first, second = desk.two_facts(BRIEF)
        title = f"Parish pump: a note on {first.subject.ref('en')}"
        draft = _article(desk, desk.weekly, f"pump-{i + 1}", title, desk.ago(3, 200))
        draft.para(first, next(desk.colours(first.subject.kind)))
        draft.para("And a reader sends us this.", second)
        desk.link(draft, first.subject, second.subject)


def _article(desk: Desk, host: str, path: str, title: str, published: str, style: str = "news") -> Draft:
    year, month, _ = published.split("-")
    url = f"https://{host}/{year}/{month}/{path}"
    return desk.signed(url, title, style, published, desk.byline(), "*{} reports*")
