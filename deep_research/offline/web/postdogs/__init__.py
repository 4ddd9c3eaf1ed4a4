"""The domain "postdogs": invented mountains where dog sleds bring the mail, from hut to hut and through
blizzards, and where the dogs end up on stamps.
"""

from __future__ import annotations

from datetime import date

from deep_research.offline.web.domain import Domain
from deep_research.offline.web.hazards import Plan
from deep_research.offline.web.postdogs import cjk, official, press, reference
from deep_research.offline.web.postdogs.desk import Desk
from deep_research.offline.web.postdogs.questions import SURVEY
from deep_research.offline.web.postdogs.world import make_range
from deep_research.offline.web.reference import Cast


def write(desk: Desk) -> dict[str, Cast]:
    """The pages of one mountain range, in the order in which a small web keeps them."""
    region = desk.region
    lines, sleds, storms = (region.entities[kind] for kind in ("line", "sled", "blizzard"))
    reference.write_companion(desk)
    official.write_yearbook(desk)
    official.write_reports(desk)
    press.write_storm_news(desk)
    official.write_tests(desk, 4)
    press.write_kennel_pages(desk, 4)
    official.write_bulletin(desk, 4)
    press.write_printer_blogs(desk, 4)
    casts = cjk.write_languages(desk)
    official.write_catalogue(desk)
    press.write_line_sites(desk)
    official.write_lists(desk)
    press.write_appointments(desk, lines[1:3])
    press.write_interviews(desk, region.pick("hut", 0, 1))
    official.write_exhibits(desk, sleds[:2])
    press.write_hikes(desk)
    press.write_auctions(desk, region.pick("stamp", 1, 4))
    press.write_outdated(desk, lines[2:4], region.pick("sled", 2, 5))
    press.write_forum(desk, region.pick("dog", 0, 5), region.pick("hut", 1, 4))
    press.write_posts(desk, region.pick("hut", 2, 5, 6))
    stories = (storms[0].key, storms[1].key, f"postmaster-{lines[1].key}")
    desk.reprint(stories, press.PAPERS, "{} – second edition", "First printed elsewhere.")
    return casts


DOMAIN = Domain(
    name="postdogs",
    unit="range",
    epoch=date(2047, 3, 15),
    years=8,
    days=260,
    region=make_range,
    desk=Desk,
    write=write,
    briefs=press.write_briefs,
    survey=SURVEY,
    plan=Plan(
        injected=(("company", 1), ("forum", -1), ("news", 2), ("encyclopedia", -6), ("vendor_blog", 0)),
        framed=("news", "company", "interview", "auction"),
        folder="article",
        old_folder="2nd-edition",
        old_query="view=plain",
        notes="fieldbook",
        neighbour=-1,
        dead_first=True,
    ),
)
build = DOMAIN.build
