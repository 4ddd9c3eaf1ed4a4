"""The domain "abbeys": invented mountain countries of cheese-making abbeys, bell foundries and choirs that
sing against cliffs.
"""

from __future__ import annotations

from datetime import date

from deep_research.offline.web.abbeys import cjk, official, press, reference
from deep_research.offline.web.abbeys.desk import Desk
from deep_research.offline.web.abbeys.questions import SURVEY
from deep_research.offline.web.abbeys.world import make_country
from deep_research.offline.web.domain import Domain
from deep_research.offline.web.hazards import Plan
from deep_research.offline.web.reference import Cast


def write(desk: Desk) -> dict[str, Cast]:
    """The pages of one country, in the order in which a small web keeps them."""
    kinds = desk.region.entities
    abbeys, bells, cheeses, choirs = (kinds[kind] for kind in ("abbey", "bell", "cheese", "choir"))
    reference.write_lexicon(desk)
    official.write_almanac(desk)
    official.write_minutes(desk)
    official.write_certificates(desk, 6)
    press.write_ledgers(desk, 6)
    official.write_journal(desk, 4)
    press.write_dairy_blogs(desk, 4)
    press.write_contest_news(desk)
    casts = cjk.write_languages(desk)
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
    desk.reprint(stories, press.PAPERS, "{} | Reprint", "Reprinted by arrangement.")
    return casts


DOMAIN = Domain(
    name="abbeys",
    unit="country",
    epoch=date(2051, 3, 1),
    years=9,
    days=270,
    region=make_country,
    desk=Desk,
    write=write,
    briefs=press.write_briefs,
    survey=SURVEY,
    plan=Plan(
        injected=(("news", -1), ("encyclopedia", -2), ("company", -3), ("vendor_blog", -4), ("forum", -1)),
        framed=("news", "interview", "company", "travel_guide"),
        folder="entry",
        old_folder="1st-edition",
        old_query="print=1",
        notes="field-notes",
        neighbour=-1,
        dead_first=True,
    ),
)
build = DOMAIN.build
