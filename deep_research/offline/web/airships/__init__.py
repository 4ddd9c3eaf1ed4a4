"""The domain "airships": invented archipelagos whose airship lines, harbours and shipyards are fun to ask
about.

`build` writes region after region, 150 pages each, until the web is large enough; questions are asked about
the first region only, so further regions are distractors with the same kind of content and other names.
"""

from __future__ import annotations

import random

from deep_research.offline.web import hazards
from deep_research.offline.web.airships import cjk, official, press, reference
from deep_research.offline.web.airships.desk import LEXICON, Desk
from deep_research.offline.web.airships.questions import ask
from deep_research.offline.web.airships.world import make_region, web_date
from deep_research.offline.web.assembly import Assembly, Draft
from deep_research.offline.web.names import NameMaker
from deep_research.offline.web.prose import Teller
from deep_research.offline.web.types import Web

REGION_PAGES = 150


def build(seed: int, pages: int) -> Web:
    """The airship web of `seed` with exactly `pages` pages."""
    web, names, today = Assembly(), NameMaker(random.Random(f"airships:{seed}:names")), web_date(seed)
    number = 0
    while len(web.drafts) < pages:
        rng = random.Random(f"airships:{seed}:region:{number}")
        desk = Desk(make_region(rng, names, today), web, names, rng)
        casts = _write_region(desk)
        web.data.update((datum.id, datum) for datum in desk.region.data.values())
        if number == 0:
            ask(desk, casts)
        number += 1
    label = Teller(LEXICON, random.Random(0)).label
    return web.finish(seed, "airships", today.isoformat(), pages, lambda datum: label(datum, "en"))


def _write_region(desk: Desk) -> dict[str, cjk.Cast]:
    """Write the pages of one region, REGION_PAGES in number; the casts of its Chinese and Japanese pages."""
    first = len(desk.web.drafts)
    lines, ships = desk.region.entities["line"], desk.region.entities["ship"]
    harbours = desk.region.entities["harbour"]
    reference.open_homes(desk)
    reference.write_homes(desk)
    official.write_register(desk)
    press.write_brochures(desk)
    press.write_companies(desk)
    official.write_statistics(desk)
    casts = {"zh": cjk.cast(desk, 0), "ja": cjk.cast(desk, 1)}
    for lang, people in casts.items():
        cjk.write_language(desk, lang, people)
    official.write_inquiries(desk)
    press.write_accident_news(desk)
    official.write_journal(desk)
    press.write_vendor_blogs(desk)
    official.write_open_data(desk)
    press.write_guides(desk)
    press.write_appointments(desk, lines[:3])
    press.write_outdated(desk, lines[2:4], ships[4:6])
    press.write_forum(desk, ships[:2], harbours[:2])
    press.write_social(desk, harbours[2:5])
    official.write_preprints(desk, ships[6:8])
    articles = [desk.extra[incident.key] for incident in desk.region.entities["incident"][:2]]
    press.write_syndicated(desk, [*articles, desk.extra[f"appointment-{lines[0].key}"]])
    press.write_briefs(desk, REGION_PAGES - (len(desk.web.drafts) - first))
    _plant(desk, desk.web.drafts[first:])
    return casts


def _plant(desk: Desk, drafts: list[Draft]) -> None:
    """The hazards that need finished pages: injections, boilerplate, redirects, dead links, odd addresses."""
    styles = ("forum", "vendor_blog", "encyclopedia", "company", "news")
    for variant, style in enumerate(styles):
        hazards.inject(
            [draft for draft in drafts if draft.style == style and draft.lang == "en"][variant], variant
        )
    english = [draft for draft in drafts if draft.lang == "en"]
    for draft in english:
        if draft.style in ("news", "company", "vendor_blog", "faq") and desk.rng.random() < 0.4:
            hazards.boilerplate(draft, desk.rng)
    articles = [draft for draft in english if "/wiki/" in draft.url]
    for i, draft in enumerate(desk.rng.sample(articles, 6)):
        slug = draft.url.rsplit("/", 1)[1].lower()
        if i % 2:
            hazards.dead_link(desk.web, draft, f"notes.{desk.region.slug}.example", slug)
        else:
            target = articles[(articles.index(draft) + 1) % len(articles)]
            old = target.url.replace("/wiki/", "/old/")
            hazards.moved(desk.web, target, draft, old, older=f"{old}?stub=1" if i == 0 else None)
    for draft in drafts:
        hazards.mark_address(draft)
