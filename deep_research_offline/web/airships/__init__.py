"""The domain "airships": invented archipelagos whose airship lines, harbours and shipyards are fun to ask
about.

Notable: the first two inquiry reports are very long (over 20,000 characters of testimony) with their findings
deep inside; the register, the inquiries and the journal contradict the numbers that builders, operators and
makers publish.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from deep_research_offline.web import hazards
from deep_research_offline.web.desk import Desk
from deep_research_offline.web.domain import Domain
from deep_research_offline.web.reference import Cast, read_reference

from .world import Isles

FOLDER = Path(__file__).parent
ENCYCLOPEDIA = read_reference(FOLDER / "reference.toml")


def write(desk: Desk) -> dict[str, Cast]:
    """The pages of one archipelago, in the order in which a small web keeps them."""
    region = desk.region
    lines, ships, harbours, routes = (region.entities[kind] for kind in ("line", "ship", "harbour", "route"))
    engines, incidents = region.entities["engine"], region.entities["incident"]
    ENCYCLOPEDIA.write(desk)
    for i, ship in enumerate(ships):
        desk.write("register" if i % 3 else "register_as_list", [ship], entry=2000 + 17 * i)
    desk.write("brochure", ships)
    for i, line in enumerate(lines):
        desk.write("company", [line])
        desk.write("faq", [] if i % 2 else [line])
    for year in region.years:
        desk.write("harbour_statistics", year=year)
        desk.write("line_statistics", year=year)
    casts = {"zh": _cast(desk, 0), "ja": _cast(desk, 1)}
    for lang, cast in casts.items():
        _translate(desk, lang, cast)
    desk.write("long_inquiry", incidents[:2])
    desk.write("inquiry", incidents[2:])
    accidents = desk.write("accident", incidents)
    desk.write("bench_test", engines)
    desk.write("vendor_blog", engines)
    desk.write("open_data")
    desk.write("guide", routes[0:1], second=routes[1], part=1)
    desk.write("guide", routes[2:3], second=routes[3], part=2)
    appointments = desk.write("appointment", lines[:3])
    desk.write("old_copy", lines[2:4])
    desk.write("old_news", ships[4:6])
    desk.write("thread_on_ship", ships[:2])
    desk.write("thread_on_harbour", harbours[:2])
    desk.write("post", harbours[2:3])
    desk.write("wrong_post", harbours[3:5])
    desk.write("preprint", ships[6:8])
    desk.reprint([*accidents[:2], appointments[0]])
    return casts


def filler(rng: random.Random, words: Mapping[str, Sequence[str]], number: int) -> str:
    """The statement of a witness."""
    first, second = rng.sample(words["sights"], 2)
    time = f"{rng.randrange(4, 23):02d}:{rng.randrange(60):02d}"
    witness, minutes, reply = (
        rng.choice(words["witnesses"]),
        rng.randrange(2, 40),
        rng.choice(words["replies"]),
    )
    return f"At {time} {witness} {first}. About {minutes} minutes later the same witness {second}. {reply}"


def _cast(desk: Desk, number: int) -> Cast:
    """The cast that starts from the region's line `number`, with a sister ship from another yard."""
    region = desk.region
    line, harbour = region.entities["line"][number], region.entities["harbour"][number]
    ship = region.target(line, "flagship")
    yard = region.target(ship, "yard")
    founder = region.target(yard, "founder")
    sister = [other for other in region.entities["ship"] if region.target(other, "yard") is not yard][number]
    roles = {
        "line": line,
        "ship": ship,
        "sister": sister,
        "yard": yard,
        "founder": founder,
        "harbour": harbour,
    }
    return Cast(roles, region.years[-1 - number])


def _translate(desk: Desk, lang: str, cast: Cast) -> None:
    """All pages of one language: every class of question can be answered inside it."""
    ENCYCLOPEDIA.translate(desk, lang, cast.everyone)
    desk.write("translated_register", [cast.roles["ship"]], lang)
    desk.write("translated_brochure", [cast.roles["ship"]], lang)
    desk.write("translated_statistics", lang=lang, year=cast.year)
    hazards.inject(desk.homes[cast.roles["sister"].key, lang], 0)
    hazards.boilerplate(desk.homes[cast.roles["yard"].key, lang], desk.rng)


build = Domain(
    name="airships",
    folder=FOLDER,
    unit="region",
    epoch=date(2043, 2, 1),
    years=7,
    days=300,
    maker=Isles,
    write=write,
    filler=filler,
).build
