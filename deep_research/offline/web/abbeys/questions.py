"""Sample questions about the first country, as a curious reader would put them, each with the data that
answer it.

Every class has eight questions in English and one each in Chinese and Japanese (`questions_cjk`).
"""

from __future__ import annotations

from deep_research.offline.web.abbeys.questions_cjk import TRANSLATED
from deep_research.offline.web.abbeys.world import Country
from deep_research.offline.web.asking import Asked, Survey, middle
from deep_research.offline.web.prose import Datum, Entity

SINGLE = (
    ("abbey", 4, ("members",), "How many monks and nuns live at {0}?"),
    ("bell", 3, ("diameter",), "How wide is the mouth of the bell called {0}?"),
    ("cheese", 1, ("litres",), "How much milk is needed for one wheel of {0}?"),
    ("cheese", 6, ("milk",), "What kind of milk is used for {0}?"),
    ("foundry", 0, ("furnaces",), "Can you tell me the number of furnaces at {0}?"),
    ("contest", 0, ("prize",), "What prize did the winning choir take home from the {0}?"),
    ("work", 3, ("premiere",), "On which day was {0} performed for the first time?"),
    ("valley", 2, ("river",), "Which river flows through {0}?"),
)
COMPARISON = (
    ("bell", (1, 4), "diameter", "Of the two bells {0} and {1}, whose mouth is wider?"),
    ("abbey", (2, 6), "altitude", "Do I have to climb higher for {0} or for {1}?"),
    ("valley", (0, 3), "pass_height", "Which pass is higher: the one out of {0} or the one out of {1}?"),
    ("cheese", (0, 3, 7), "months", "{0}, {1}, {2}: which of these cheeses spends most time ripening?"),
    ("choir", (1, 4), "singers", "Does the {0} have more singers than the {1}?"),
    ("foundry", (1, 2), "apprentices", "Where are more apprentices being taught, at {0} or at {1}?"),
    ("work", (0, 4), "premiere", "Was {0} premiered before or after {1}?"),
    ("mine", (0, 2), "depth", "How do {0} and {1} compare in depth?"),
)
MULTI_HOP = (
    (
        "contest",
        0,
        ("winner", "opener", "composer", "birthplace"),
        "The choir that won the {0} always opens its concerts with the same piece. In which village was the "
        "composer of that piece born?",
    ),
    (
        "abbey",
        2,
        ("bell", "foundry", "copper"),
        "From which mine does the foundry that cast the great bell of {0} get its copper?",
    ),
    (
        "abbey",
        3,
        ("cheese", "deviser", "teacher"),
        "Who taught the inventor of the cheese that is made at {0}?",
    ),
    (
        "choir",
        4,
        ("home", "valley", "pass_height"),
        "How high is the pass of the valley in which the {0} rehearses?",
    ),
    ("choir", 2, ("cantor", "instrument"), "Which instrument does the current cantor of the {0} play?"),
    ("contest", 1, ("host", "altitude"), "At what altitude is the abbey that hosted the {0}?"),
    (
        "work",
        1,
        ("kept", "bell", "cast"),
        "In what year was the great bell cast that rings at the abbey where the manuscript of {0} is kept?",
    ),
    (
        "bell",
        5,
        ("foundry", "copper", "depth"),
        "How deep is the copper mine that supplies the foundry where {0} was made?",
    ),
)
RANKING_TABLE = (
    ("abbey", "wheels", -1, 3, "Which three abbeys of {r} sold the most cheese wheels in {y}?"),
    ("abbey", "pilgrims", -2, 2, "Where in {r} were the most pilgrims fed in {y}? Give me the top two."),
    ("choir", "tickets", -3, 3, "List the three choirs of {r} with the highest ticket sales in {y}."),
    ("abbey", "wheels", -4, 1, "Who was the biggest seller of cheese among the abbeys of {r} in {y}?"),
)
RANKING_PAGES = (
    (
        "bell",
        (0, 2, 5, 7),
        "diameter",
        2,
        "Put the bells {0}, {1}, {2} and {3} in order: which two are widest?",
    ),
    ("choir", (0, 2, 3, 5), "singers", 1, "Which is the largest choir: the {0}, {1}, {2} or {3}?"),
    ("work", (0, 2, 3, 5), "bars", 2, "Name the two longest of these pieces by bars: {0}, {1}, {2}, {3}."),
    ("valley", (0, 1, 2, 3), "people", 1, "Where do most people live: in {0}, {1}, {2} or {3}?"),
)
WEIGHT = ("weight_ledger", "weight_scale")
FAT = ("fat_label", "fat_lab")
CROWD = ("crowd_organiser", "crowd_constables")
CONTRADICTION = (
    ("bell", 0, WEIGHT, "What does the bell {0} weigh? I keep finding two numbers."),
    ("bell", 1, WEIGHT, "Does {p} official weight match what its foundry says?"),
    ("bell", 2, WEIGHT, "How many kilograms does {0} weigh according to the various sources?"),
    ("cheese", 0, FAT, "How fat is {0}, by its label and by analysis?"),
    ("cheese", 2, FAT, "Is the fat content on the label of {0} correct?"),
    ("contest", 0, CROWD, "How large was the audience of the {0}?"),
    ("contest", 2, CROWD, "Did organisers and constables agree on the crowd at the {0}?"),
    ("contest", 3, CROWD, "How many listeners came to the {0}, and who says so?"),
)
UNANSWERABLE = (
    ("abbey", 1, "How many candles does {0} burn in a winter?"),
    ("choir", 3, "What salary does the cantor of the {0} earn?"),
    ("bell", 6, "Which inscription runs around the rim of {0}?"),
    ("cheese", 4, "Which bacteria give {0} its flavour?"),
    ("foundry", 2, "With which insurance company is {0} insured against fire?"),
    ("abbey", 5, "For what sum did {0} sell its great bell to {g} Abbey?"),
    ("valley", 1, "When was the railway from {0} to Val {g} completed?"),
    ("work", 2, "Did {g} {h}, the rival of the composer of {0}, write a parody of it?"),
)


def _temporal(region: Country) -> Asked:
    abbeys, choirs, cheeses, bells = (region.entities[k] for k in ("abbey", "choir", "cheese", "bell"))
    keys, fork = region.get(abbeys[3], "cellarer_before"), region.get(choirs[1], "cantor_before")
    ladle = region.get(region.entities["foundry"][1], "master_before")
    first, last = region.years[0], region.years[-1]
    pitches = region.all(bells[2], "pitch_before", "pitch")
    retuned = pitches[1].extra["retuned"].say("en")
    makes = [region.get(abbeys[6], f"wheels@{year}") for year in (first, last)]
    return [
        (f"Who was cellarer of {abbeys[3].name.en} back in {middle(keys)}?", [keys]),
        (f"Who is the cantor of the {choirs[2].name.en} these days?", [region.get(choirs[2], "cantor")]),
        (f"Who led the {choirs[1].name.en} as cantor in {middle(fork)}?", [fork]),
        (f"Name the master founder of {ladle.subject.name.en} in {middle(ladle)}.", [ladle]),
        (
            f"What does a wheel of {cheeses[5].name.en} cost now, and what did it cost before the price "
            f"order of {region.order.say('en')}?",
            region.all(cheeses[5], "price", "price_before"),
        ),
        (f"How did the pitch of {bells[2].name.en} change when it was retuned in {retuned}?", pitches),
        (f"By how much did cheese sales of {abbeys[6].name.en} change between {first} and {last}?", makes),
        _at_contest(region, choirs[5]),
    ]


def _at_contest(region: Country, choir: Entity) -> tuple[str, list[Datum]]:
    """Who was cantor in the year of a contest: of those that no change of cantor falls into, the latest."""
    now, before = region.all(choir, "cantor", "cantor_before")
    for contest in region.entities["contest"]:
        day = region.get(contest, "date")
        year = int(day.value.also[0][:4])
        if year != now.year("since"):
            held = now if year > now.year("since") else before
            return f"Who was cantor of the {choir.name.en} in the year of the {contest.name.en}?", [day, held]
    raise AssertionError("contests are held in different years")


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
