"""The domain "airships": invented archipelagos whose airship lines, harbours and shipyards are fun to ask
about.
"""

from __future__ import annotations

from datetime import date

from deep_research.offline.web.airships import cjk, official, press, reference
from deep_research.offline.web.airships.desk import Desk
from deep_research.offline.web.airships.questions import SURVEY
from deep_research.offline.web.airships.world import make_region
from deep_research.offline.web.domain import Domain
from deep_research.offline.web.hazards import Plan
from deep_research.offline.web.reference import Cast


def write(desk: Desk) -> dict[str, Cast]:
    """The pages of one archipelago, in the order in which a small web keeps them."""
    lines, ships, harbours, incidents = (
        desk.region.entities[kind] for kind in ("line", "ship", "harbour", "incident")
    )
    reference.write_encyclopedia(desk)
    official.write_register(desk)
    press.write_brochures(desk)
    press.write_companies(desk)
    official.write_statistics(desk)
    casts = cjk.write_languages(desk)
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
    stories = (incidents[0].key, incidents[1].key, f"appointment-{lines[0].key}")
    desk.reprint(stories, press.PARTNERS, "{} (agency report)", "From our news partners.")
    return casts


DOMAIN = Domain(
    name="airships",
    unit="region",
    epoch=date(2043, 2, 1),
    years=7,
    days=300,
    region=make_region,
    desk=Desk,
    write=write,
    briefs=press.write_briefs,
    survey=SURVEY,
    plan=Plan(
        injected=(("forum", 0), ("vendor_blog", 1), ("encyclopedia", 2), ("company", 3), ("news", 4)),
        framed=("news", "company", "vendor_blog", "faq"),
        folder="wiki",
        old_folder="old",
        old_query="stub=1",
        notes="notes",
        neighbour=1,
        dead_first=False,
    ),
)
build = DOMAIN.build
