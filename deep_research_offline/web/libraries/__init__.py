"""The domain "libraries": invented river deltas whose libraries are served by mechanical clerks, whose book
barges call at every town, and where overdue books are taken to court.

Notable: the records of the first two affairs are very long (over 20,000 characters of excuses) with the
judgement deep inside; readers, paper scholars and the court contradict what workshops, dealers and libraries
say.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from deep_research_offline.web import hazards
from deep_research_offline.web.asking import Asked
from deep_research_offline.web.desk import Desk
from deep_research_offline.web.domain import Domain
from deep_research_offline.web.reference import Cast, read_reference
from deep_research_offline.web.region import Region

from .world import Delta

FOLDER = Path(__file__).parent
HANDBOOK = read_reference(FOLDER / "reference.toml")


def write(desk: Desk) -> dict[str, Cast]:
    """The pages of one delta, in the order in which a small web keeps them."""
    region = desk.region
    libraries, barges, clerks = (region.entities[kind] for kind in ("library", "barge", "clerk"))
    books, affairs = region.entities["book"], region.entities["affair"]
    HANDBOOK.write(desk)
    for year in region.years:
        desk.write("yearbook", year=year)
    desk.write("new_members")
    news = desk.write("affair_news", affairs)
    desk.write("long_record", affairs[:2])
    desk.write("record", affairs[2:])
    desk.write("maker_page", clerks[:5])
    for i, clerk in enumerate(clerks[:5]):
        desk.write("trial_with_speed_first" if i % 2 else "trial", [clerk], sheet=23 + 6 * i)
    desk.write("dealer_blog", books[:4])
    desk.write("study", books[:4])
    casts = _translate(desk)
    desk.write("list_of_clerks")
    desk.write("list_of_binderies")
    desk.write("timetable")
    for i, barge in enumerate(barges):
        desk.write("barge_site", [barge])
        desk.write("barge_questions", [barge] if i % 3 == 2 else [])
    desk.write("catalogue")
    desk.write("interview", libraries[:2])
    appointments = desk.write("appointment", barges[1:3])
    for i, book in enumerate(region.pick("book", 1, 4, 7)):
        desk.write("review", [book], stars="★" * (3 + i))
    for i in range(2):
        towns = region.entities["town"][2 * i : 2 * i + 2]
        desk.write("tour", day=i + 1, towns=towns, shelters=region.pick("library", 2 * i, 2 * i + 5))
    desk.write("old_copy", region.pick("library", 1, 3))
    desk.write("old_news", libraries[5:7])
    desk.write("thread_on_clerk", region.pick("clerk", 2, 6))
    desk.write("thread_on_library", region.pick("library", 3, 6))
    desk.write("post", libraries[1:2])
    desk.write("wrong_post", region.pick("library", 2, 4))
    desk.reprint([news[1], news[3], appointments[1]])
    return casts


def filler(rng: random.Random, words: Mapping[str, Sequence[str]], number: int) -> str:
    """What a witness had to say, none of it to the point."""
    witness, (first, second) = rng.choice(words["witnesses"]), rng.sample(words["excuses"], 2)
    ruling, other = rng.choice(words["rulings"]), rng.choice(words["rulings"])
    return f"Witness {number}, {witness}, {first}. {ruling} Asked again, the witness {second}. {other}"


def _translate(desk: Desk) -> dict[str, Cast]:
    """All pages of both languages: every class of question can be answered inside each. The Chinese ones
    contradict each other on the speed of a clerk, the Japanese ones on the age of a book.
    """
    casts = {"zh": _wound(desk.region), "ja": _read(desk.region)}
    for lang, cast in casts.items():
        HANDBOOK.translate(desk, lang, cast.everyone)
        kind = "library" if lang == "zh" else "barge"
        desk.write("translated_yearbook", lang=lang, year=cast.year, kind=kind)
        hazards.inject(desk.homes[cast.roles["rival"].key, lang], 0)
        hazards.boilerplate(desk.homes[cast.roles["author"].key, lang], desk.rng)
    clerk, book = casts["zh"].roles["clerk"], casts["ja"].roles["rival"]
    desk.write("chinese_trial", [clerk], "zh")
    desk.write("chinese_maker_page", [clerk], "zh")
    desk.write("japanese_study", [book], "ja")
    desk.write("japanese_dealer_blog", [book], "ja")
    return casts


def _wound(region: Region) -> Cast:
    """A library, its chief clerk, the clerk's maker and who founded that; another library."""
    library, rival = region.pick("library", 0, 4)
    clerk = region.target(library, "clerk")
    maker = region.target(clerk, "maker")
    author = region.target(maker, "founder")
    roles = {"library": library, "clerk": clerk, "maker": maker, "author": author, "rival": rival}
    return Cast(roles, region.years[-1])


def _read(region: Region) -> Cast:
    """A book and its author; another book, a barge and a library."""
    book, rival = region.pick("book", 2, 5)
    barge, library = region.entities["barge"][3], region.entities["library"][7]
    author = region.target(book, "author")
    roles = {"book": book, "author": author, "rival": rival, "barge": barge, "library": library}
    return Cast(roles, region.years[-2])


def _in_affair(region: Region) -> Asked:
    """Who ran a library in the year of an affair: of the older ones that no change of office falls into, the
    latest.
    """
    library = region.entities["library"][2]
    now, before = region.all(library, "librarian", "librarian_before")
    for affair in region.entities["affair"][1:]:
        day = region.get(affair, "date")
        year, since = int(day.value.also[0][:4]), now.year("since")
        if year != since:
            text = (
                f"Which head librarian did {library.name.en} have in the year when {affair.ref('en')} began?"
            )
            return text, [day, now if year > since else before]
    raise AssertionError("affairs begin in different years")


build = Domain(
    name="libraries",
    folder=FOLDER,
    unit="delta",
    epoch=date(2049, 2, 20),
    years=9,
    days=280,
    maker=Delta,
    write=write,
    filler=filler,
    questions={"temporal": _in_affair},
).build
