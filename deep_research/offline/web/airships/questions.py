"""Sample questions about the first region, as a curious reader would put them, each with the data that answer
it.

Every class has eight questions in English and one each in Chinese and Japanese (`questions_cjk`). Entities
are chosen by position, so seeds differ in names, numbers and relations but ask for the same kinds of things.
"""

from __future__ import annotations

from deep_research.offline.web.airships.cjk import Cast
from deep_research.offline.web.airships.desk import Desk
from deep_research.offline.web.airships.questions_cjk import ask_cjk
from deep_research.offline.web.assembly import Ask
from deep_research.offline.web.prose import Datum, Entity

SINGLE = (
    ("harbour", 0, "masts", "How many mooring masts does {s} have?"),
    ("harbour", 5, "elevation", "How far above the sea is the landing field at {s}?"),
    ("ship", 0, "length", "How long is the airship {n}?"),
    ("line", 2, "founded", "In what year was {s} founded?"),
    ("line", 1, "baggage", "How much baggage can I take on a {s} flight without paying extra?"),
    ("route", 4, "fare", "What does a single ticket on {s} cost?"),
    ("incident", 0, "cause", "What caused {s}?"),
    ("engine", 1, "weight", "How heavy is the {n} airship engine?"),
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
CONTRADICTION = (
    (
        "ship",
        1,
        ("speed_builder", "speed_register"),
        "How fast is the airship {n} really? Do the sources agree?",
    ),
    (
        "ship",
        2,
        ("speed_builder", "speed_register"),
        "What top speed do the builder and the register give for the {n}?",
    ),
    ("ship", 6, ("speed_builder", "speed_register"), "What is the top speed of the airship {n}?"),
    (
        "engine",
        0,
        ("power_maker", "power_test"),
        "How many kilowatts does the {n} engine deliver, on paper and on the bench?",
    ),
    (
        "engine",
        2,
        ("power_maker", "power_test"),
        "Is the maker's power rating for the {n} confirmed by independent tests?",
    ),
    ("incident", 0, ("injured_line", "injured_inquiry"), "How many people were hurt in {s}?"),
    (
        "incident",
        2,
        ("injured_line", "injured_inquiry"),
        "Did the operator and the inquiry report the same number of injured after {s}?",
    ),
    (
        "incident",
        3,
        ("injured_line", "injured_inquiry"),
        "I have read different figures: how many were injured in {s}?",
    ),
)
UNANSWERABLE = (
    ("line", 1, "What profit did {s} report for {y}?"),
    ("ship", 3, "How many cubic metres of helium does the {n} hold?"),
    ("harbour", 4, "How deep is the dredged channel in front of {s}?"),
    ("line", 4, "Who designed the uniforms of {s}?"),
    ("ship", 8, "Which orchestra played when the {n} was christened?"),
    ("line", 3, "Why did {s} move its home port to Port {g}?"),
    ("line", 0, "Which airship line flies from Port {g} to Port {h}?"),
    ("yard", 1, "Who founded {g} Yard, the great rival of {s}?"),
)


def ask(desk: Desk, casts: dict[str, Cast]) -> None:
    """Put all sample questions about this region into the assembly, class by class."""
    for add in (_single, _comparison, _multi_hop, _ranking, _temporal, _contradiction, _unanswerable):
        kind = add.__name__[1:].replace("single", "single_fact")
        for text, gold in add(desk):
            desk.web.asks.append(Ask(kind, "en", text, tuple(gold)))
        desk.web.asks.extend(ask_cjk(desk, kind, casts))


Asked = list[tuple[str, list[Datum]]]


def _single(desk: Desk) -> Asked:
    region = desk.region
    return [
        (_about(text, region.entities[kind][i]), [region.get(region.entities[kind][i], attr)])
        for kind, i, attr, text in SINGLE
    ]


def _comparison(desk: Desk) -> Asked:
    region, made = desk.region, []
    for kind, picks, attr, text in COMPARISON:
        chosen = [region.entities[kind][i] for i in picks]
        made.append(
            (text.format(*(entity.name.en for entity in chosen)), [region.get(e, attr) for e in chosen])
        )
    return made


def _multi_hop(desk: Desk) -> Asked:
    return [
        (_about(text, desk.region.entities[kind][i]), follow(desk, desk.region.entities[kind][i], path))
        for kind, i, path, text in MULTI_HOP
    ]


def _ranking(desk: Desk) -> Asked:
    region, made = desk.region, []
    for kind, attr, back, count, text in RANKING_TABLE:
        year = region.years[back]
        top = ranked([region.get(entity, f"{attr}@{year}") for entity in region.entities[kind]])
        made.append((text.format(r=region.name.en, y=year), top[:count]))
    for kind, picks, attr, count, text in RANKING_PAGES:
        chosen = [region.entities[kind][i] for i in picks]
        top = ranked([region.get(entity, attr) for entity in chosen])
        made.append((text.format(*(entity.name.en for entity in chosen)), top[:count]))
    return made


def _temporal(desk: Desk) -> Asked:
    region = desk.region
    lines, ships, harbours = (region.entities[kind] for kind in ("line", "ship", "harbour"))
    before, master = region.get(lines[3], "head_before"), region.get(harbours[1], "master_before")
    first, last = region.years[0], region.years[-1]
    now, then = region.all(ships[5], "capacity", "capacity_before")
    refit = now.extra["refit"].say("en")
    grown = [region.get(harbours[6], f"passengers@{year}") for year in (first, last)]
    older = region.get(lines[5], f"passengers@{region.years[2]}")
    return [
        (f"Who was managing director of {lines[3].name.en} in {inside(before)}?", [before]),
        (f"Who runs {lines[2].name.en} today?", [region.get(lines[2], "head")]),
        (f"Who held the office of harbour master at {harbours[1].name.en} in {inside(master)}?", [master]),
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


def _contradiction(desk: Desk) -> Asked:
    region = desk.region
    return [
        (_about(text, region.entities[kind][i]), region.all(region.entities[kind][i], *attrs))
        for kind, i, attrs, text in CONTRADICTION
    ]


def _unanswerable(desk: Desk) -> Asked:
    """Real entities with attributes that no page mentions, and names that stand on no page."""
    made: Asked = []
    for kind, i, text in UNANSWERABLE:
        ghosts = {"g": desk.names.word().en, "h": desk.names.word().en}
        made.append((_about(text, desk.region.entities[kind][i], y=desk.region.years[-1], **ghosts), []))
    return made


def follow(desk: Desk, start: Entity, path: tuple[str, ...]) -> list[Datum]:
    """The data along a chain of attributes, each read off the entity that the one before names."""
    chain, here = [], start
    for attr in path:
        datum = desk.region.get(here, attr)
        chain.append(datum)
        here = datum.target or here
    return chain


def ranked(data: list[Datum]) -> list[Datum]:
    """Largest value first; values of one kind never tie."""
    return sorted(data, key=lambda datum: (-datum.value.number, datum.id))


def inside(datum: Datum) -> int:
    """A year well inside the term of an office that has ended."""
    return (datum.year("since") + datum.year("until")) // 2


def _about(text: str, entity: Entity, **more: object) -> str:
    name = entity.ref("en")
    possessive = name + ("'" if name.endswith("s") else "'s")
    upper = possessive[:1].upper() + possessive[1:]
    return text.format(s=name, n=entity.name.en, p=possessive, P=upper, **more)
