"""Sample questions about the first region, as a curious reader would put them, each with the data that answer
it.

Every class has eight questions in English and one each in Chinese and Japanese (`questions_cjk`).
"""

from __future__ import annotations

from deep_research.offline.web.airships.questions_cjk import TRANSLATED
from deep_research.offline.web.airships.world import Isles
from deep_research.offline.web.asking import Asked, Survey, middle

SINGLE = (
    ("harbour", 0, ("masts",), "How many mooring masts does {s} have?"),
    ("harbour", 5, ("elevation",), "How far above the sea is the landing field at {s}?"),
    ("ship", 0, ("length",), "How long is the airship {0}?"),
    ("line", 2, ("founded",), "In what year was {s} founded?"),
    ("line", 1, ("baggage",), "How much baggage can I take on a {s} flight without paying extra?"),
    ("route", 4, ("fare",), "What does a single ticket on {s} cost?"),
    ("incident", 0, ("cause",), "What caused {s}?"),
    ("engine", 1, ("weight",), "How heavy is the {0} airship engine?"),
)
COMPARISON = (
    ("ship", (2, 5), "length", "Which airship is longer, the {0} or the {1}?"),
    ("harbour", (1, 6), "elevation", "Does {0} or {1} lie higher above the sea?"),
    ("yard", (0, 3), "workers", "Who employs more people: {0} or {1}?"),
    ("line", (0, 4), "fleet", "Compare the fleets of {0} and {1}: which line has more airships?"),
    ("route", (1, 5), "distance", "Is the {0} longer than the {1}?"),
    ("line", (1, 3, 5), "baggage", "Of {0}, {1} and {2}, which allows the most free baggage per passenger?"),
    ("ship", (3, 7), "launched", "Which flew first, the {0} or the {1}?"),
    ("maker", (0, 2), "founded", "Is {0} an older firm than {1}?"),
)
MULTI_HOP = (
    (
        "line",
        2,
        ("flagship", "yard", "founder", "birthplace"),
        "Where was the founder of the shipyard that built the flagship of {s} born?",
    ),
    (
        "line",
        3,
        ("flagship", "yard", "founder"),
        "Who founded the yard in which the flagship of {s} was built?",
    ),
    ("line", 4, ("flagship", "engine", "maker"), "Which company makes the engines of {p} flagship?"),
    ("line", 2, ("head", "birthplace"), "What is the birthplace of the present managing director of {s}?"),
    ("harbour", 0, ("master", "studied"), "At which school was the current harbour master of {s} trained?"),
    ("incident", 0, ("ship", "yard", "town"), "Where is the yard that built the airship involved in {s}?"),
    (
        "incident",
        1,
        ("ship", "launched"),
        "How old was the airship in {s}, that is, when had it been launched?",
    ),
    (
        "line",
        5,
        ("flagship", "yard", "town", "elevation"),
        "{P} flagship came from a shipyard next to a harbour. How high above the sea does that harbour lie?",
    ),
)
RANKING_TABLE = (
    (
        "harbour",
        "passengers",
        -1,
        3,
        "Which three harbours of {r} handled the most passengers in {y}, and how many each?",
    ),
    ("harbour", "landings", -2, 2, "What were the two busiest harbours of {r} by landings in {y}?"),
    ("line", "passengers", -3, 3, "Rank the top three airship lines of {r} by passengers carried in {y}."),
    ("harbour", "passengers", -5, 1, "Which harbour in {r} had the most passengers in {y}?"),
)
RANKING_PAGES = (
    (
        "ship",
        (0, 1, 2, 3),
        "length",
        2,
        "Which two of these airships are the longest: the {0}, the {1}, the {2} or the {3}?",
    ),
    (
        "harbour",
        (2, 3, 7, 8),
        "masts",
        1,
        "Among {0}, {1}, {2} and {3}, where do you find the most mooring masts?",
    ),
    ("line", (0, 1, 2, 3), "fleet", 2, "Name the two largest fleets among {0}, {1}, {2} and {3}."),
    (
        "engine",
        (0, 1, 2, 3),
        "weight",
        1,
        "What is the heaviest of the airship engines {0}, {1}, {2} and {3}?",
    ),
)
SPEED = ("speed_builder", "speed_register")
POWER = ("power_maker", "power_test")
INJURED = ("injured_line", "injured_inquiry")
CONTRADICTION = (
    ("ship", 1, SPEED, "How fast is the airship {0} really? Do the sources agree?"),
    ("ship", 2, SPEED, "What top speed do the builder and the register give for the {0}?"),
    ("ship", 6, SPEED, "What is the top speed of the airship {0}?"),
    ("engine", 0, POWER, "How many kilowatts does the {0} engine deliver, on paper and on the bench?"),
    ("engine", 2, POWER, "Is the maker's power rating for the {0} confirmed by independent tests?"),
    ("incident", 0, INJURED, "How many people were hurt in {s}?"),
    ("incident", 2, INJURED, "Did the operator and the inquiry report the same number of injured after {s}?"),
    ("incident", 3, INJURED, "I have read different figures: how many were injured in {s}?"),
)
UNANSWERABLE = (
    ("line", 1, "What profit did {s} report for {y}?"),
    ("ship", 3, "How many cubic metres of helium does the {0} hold?"),
    ("harbour", 4, "How deep is the dredged channel in front of {s}?"),
    ("line", 4, "Who designed the uniforms of {s}?"),
    ("ship", 8, "Which orchestra played when the {0} was christened?"),
    ("line", 3, "Why did {s} move its home port to Port {g}?"),
    ("line", 0, "Which airship line flies from Port {g} to Port {h}?"),
    ("yard", 1, "Who founded {g} Yard, the great rival of {s}?"),
)


def _temporal(region: Isles) -> Asked:
    lines, ships, harbours = (region.entities[kind] for kind in ("line", "ship", "harbour"))
    before, master = region.get(lines[3], "head_before"), region.get(harbours[1], "master_before")
    first, last = region.years[0], region.years[-1]
    now, then = region.all(ships[5], "capacity", "capacity_before")
    refit = now.extra["refit"].say("en")
    grown = [region.get(harbours[6], f"passengers@{year}") for year in (first, last)]
    older = region.get(lines[5], f"passengers@{region.years[2]}")
    return [
        (f"Who was managing director of {lines[3].name.en} in {middle(before)}?", [before]),
        (f"Who runs {lines[2].name.en} today?", [region.get(lines[2], "head")]),
        (f"Who held the office of harbour master at {harbours[1].name.en} in {middle(master)}?", [master]),
        (
            f"How many passengers could the airship {ships[4].name.en} carry before its refit?",
            [region.get(ships[4], "capacity_before")],
        ),
        (
            f"How many passengers does the airship {ships[4].name.en} carry now?",
            [region.get(ships[4], "capacity")],
        ),
        (
            f"How did the refit of {refit} change the number of passengers on the {ships[5].name.en}?",
            [then, now],
        ),
        (f"How did passenger numbers at {harbours[6].name.en} change from {first} to {last}?", grown),
        (f"How many passengers had {lines[5].name.en} in {region.years[2]}?", [older]),
    ]


SURVEY = Survey(
    single=SINGLE,
    comparison=COMPARISON,
    multi_hop=MULTI_HOP,
    ranking_table=RANKING_TABLE,
    ranking_pages=RANKING_PAGES,
    temporal=_temporal,
    contradiction=CONTRADICTION,
    unanswerable=UNANSWERABLE,
    translated=TRANSLATED,
)
