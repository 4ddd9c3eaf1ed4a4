"""The domain "libraries": invented river deltas whose libraries are served by mechanical clerks, whose book
barges call at every town, and where overdue books are taken to court.
"""

from __future__ import annotations

from datetime import date

from deep_research.offline.web.domain import Domain
from deep_research.offline.web.hazards import Plan
from deep_research.offline.web.libraries import cjk, official, press, reference
from deep_research.offline.web.libraries.desk import Desk
from deep_research.offline.web.libraries.questions import SURVEY
from deep_research.offline.web.libraries.world import make_delta
from deep_research.offline.web.reference import Cast


def write(desk: Desk) -> dict[str, Cast]:
    """The pages of one delta, in the order in which a small web keeps them."""
    region = desk.region
    barges, affairs = region.entities["barge"], region.entities["affair"]
    reference.write_handbook(desk)
    official.write_yearbook(desk)
    press.write_affair_news(desk)
    official.write_records(desk)
    press.write_maker_pages(desk, 5)
    official.write_trials(desk, 5)
    press.write_dealer_blogs(desk, 4)
    official.write_studies(desk, 4)
    casts = cjk.write_languages(desk)
    official.write_lists(desk)
    press.write_barge_sites(desk)
    official.write_catalogue(desk)
    press.write_interviews(desk, region.pick("library", 0, 1))
    press.write_appointments(desk, barges[1:3])
    press.write_reviews(desk, region.pick("book", 1, 4, 7))
    press.write_tours(desk)
    press.write_outdated(desk, region.pick("library", 1, 3), region.pick("library", 5, 6))
    press.write_forum(desk, region.pick("clerk", 2, 6), region.pick("library", 3, 6))
    press.write_posts(desk, region.pick("library", 1, 2, 4))
    stories = (affairs[1].key, affairs[3].key, f"captain-{barges[2].key}")
    desk.reprint(stories, press.PAPERS, "{} (from our partners)", "This story was first told by others.")
    return casts


DOMAIN = Domain(
    name="libraries",
    unit="delta",
    epoch=date(2049, 2, 20),
    years=9,
    days=280,
    region=make_delta,
    desk=Desk,
    write=write,
    briefs=press.write_briefs,
    survey=SURVEY,
    plan=Plan(
        injected=(("forum", 1), ("news", 3), ("vendor_blog", -1), ("encyclopedia", 4), ("company", -2)),
        framed=("news", "company", "review", "travel_guide"),
        folder="about",
        old_folder="old-handbook",
        old_query="layout=2",
        notes="scrapbook",
        neighbour=1,
        dead_first=False,
    ),
)
build = DOMAIN.build
