"""The domain "abbeys": invented mountain countries of cheese-making abbeys, bell foundries and choirs that
sing against cliffs.

`build` writes country after country, 150 pages each, until the web is large enough; questions are asked about
the first country only, so further countries are distractors with the same kind of content and other names.
"""

from __future__ import annotations

import random

from deep_research.offline.web import hazards
from deep_research.offline.web.abbeys import cjk, official, press, reference
from deep_research.offline.web.abbeys.desk import WORDS, Desk
from deep_research.offline.web.abbeys.questions import ask
from deep_research.offline.web.abbeys.world import make_country, web_date
from deep_research.offline.web.assembly import Assembly, Draft
from deep_research.offline.web.names import NameMaker
from deep_research.offline.web.prose import Teller
from deep_research.offline.web.types import Web

COUNTRY_PAGES = 150


def build(seed: int, pages: int) -> Web:
    """The abbey web of `seed` with exactly `pages` pages."""
    web, names, today = Assembly(), NameMaker(random.Random(f"abbeys:{seed}:names")), web_date(seed)
    number = 0
    while len(web.drafts) < pages:
        rng = random.Random(f"abbeys:{seed}:country:{number}")
        desk = Desk(make_country(rng, names, today), web, names, rng)
        casts = _write_country(desk)
        web.data.update((datum.id, datum) for datum in desk.country.data.values())
        if number == 0:
            ask(desk, casts)
        number += 1
    label = Teller(WORDS, random.Random(0)).label
    return web.finish(seed, "abbeys", today.isoformat(), pages, lambda datum: label(datum, "en"))


def _write_country(desk: Desk) -> dict[str, cjk.Cast]:
    """Write COUNTRY_PAGES pages; returns the casts of the Chinese and Japanese ones."""
    first = len(desk.web.drafts)
    kinds = desk.country.entities
    abbeys, bells, cheeses, choirs = (kinds[kind] for kind in ("abbey", "bell", "cheese", "choir"))
    reference.write_lexicon(desk)
    official.write_almanac(desk)
    official.write_minutes(desk)
    official.write_certificates(desk, 6)
    press.write_ledgers(desk, 6)
    official.write_journal(desk, 4)
    press.write_dairy_blogs(desk, 4)
    press.write_contest_news(desk)
    casts = cjk.casts(desk)
    for lang, cast in casts.items():
        cjk.write_language(desk, lang, cast)
    press.write_choir_sites(desk)
    official.write_surveys(desk)
    official.write_drafts(desk, (6, 7))
    press.write_cantor_news(desk, choirs[1:4])
    press.write_programme_notes(desk, kinds["work"][4:])
    press.write_interviews(desk, abbeys[:2])
    press.write_walks(desk)
    press.write_outdated(desk, abbeys[:2], cheeses[4:6])
    press.write_forum(desk, [bells[1], bells[3]], [cheeses[0], cheeses[3]])
    press.write_posts(desk, abbeys[5:])
    stories = (kinds["contest"][0].key, kinds["contest"][2].key, f"cantor-{choirs[1].key}")
    press.write_reprints(desk, [desk.stories[key] for key in stories])
    press.write_briefs(desk, COUNTRY_PAGES - (len(desk.web.drafts) - first))
    _plant(desk, desk.web.drafts[first:])
    return casts


def _plant(desk: Desk, drafts: list[Draft]) -> None:
    """The hazards that need finished pages: injections, boilerplate, redirects, dead links, odd addresses."""
    english = [draft for draft in drafts if draft.lang == "en"]
    for variant, style in enumerate(("news", "encyclopedia", "company", "vendor_blog", "forum")):
        hosts = [draft for draft in english if draft.style == style]
        hazards.inject(hosts[-1 - variant % len(hosts)], variant)
    for draft in english:
        if draft.style in ("news", "interview", "company", "travel_guide") and desk.rng.random() < 0.4:
            hazards.boilerplate(draft, desk.rng)
    entries = [draft for draft in english if "/entry/" in draft.url]
    for i, draft in enumerate(desk.rng.sample(entries, 6)):
        slug = draft.url.rsplit("/", 1)[1].lower()
        if i % 2 == 0:
            hazards.dead_link(desk.web, draft, f"field-notes.{desk.country.slug}.example", slug)
            continue
        target = entries[entries.index(draft) - 1]
        old = target.url.replace("/entry/", "/1st-edition/")
        hazards.moved(desk.web, target, draft, old, older=f"{old}?print=1" if i == 1 else None)
    for draft in drafts:
        hazards.mark_address(draft)
