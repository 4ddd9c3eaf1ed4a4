"""Sample questions about the first country, as a curious reader would put them, each with the data that
answer it.

Every class has eight questions in English and one each in Chinese and Japanese (`questions_cjk`).
"""

from __future__ import annotations

from dataclasses import dataclass

from deep_research.offline.web.abbeys.desk import Desk
from deep_research.offline.web.abbeys.questions_cjk import TRANSLATED
from deep_research.offline.web.asking import About, Among, Asked, Chain, Survey, Top, Unknown


@dataclass(frozen=True, slots=True)
class AtContest:
    """Who was cantor in the year of a contest: of those that no change of cantor falls into, the latest."""

    choir: int

    def ask(self, desk: Desk) -> Asked:
        region, choir = desk.region, desk.region.entities["choir"][self.choir]
        now, before = region.all(choir, "cantor", "cantor_before")
        for contest in region.entities["contest"]:
            day = region.get(contest, "date")
            year = int(day.value.also[0][:4])
            if year != now.year("since"):
                held = now if year > now.year("since") else before
                text = f"Who was cantor of the {choir.name.en} in the year of the {contest.name.en}?"
                return text, [day, held]
        raise AssertionError("contests are held in different years")


SINGLE = (
    About("abbey 4", "members", "How many monks and nuns live at {0}?"),
    About("bell 3", "diameter", "How wide is the mouth of the bell called {0}?"),
    About("cheese 1", "litres", "How much milk is needed for one wheel of {0}?"),
    About("cheese 6", "milk", "What kind of milk is used for {0}?"),
    About("foundry 0", "furnaces", "Can you tell me the number of furnaces at {0}?"),
    About("contest 0", "prize", "What prize did the winning choir take home from the {0}?"),
    About("work 3", "premiere", "On which day was {0} performed for the first time?"),
    About("valley 2", "river", "Which river flows through {0}?"),
)
COMPARISON = (
    Among("bell 1 4", "diameter", "Of the two bells {0} and {1}, whose mouth is wider?"),
    Among("abbey 2 6", "altitude", "Do I have to climb higher for {0} or for {1}?"),
    Among("valley 0 3", "pass_height", "Which pass is higher: the one out of {0} or the one out of {1}?"),
    Among("cheese 0 3 7", "months", "{0}, {1}, {2}: which of these cheeses spends most time ripening?"),
    Among("choir 1 4", "singers", "Does the {0} have more singers than the {1}?"),
    Among("foundry 1 2", "apprentices", "Where are more apprentices being taught, at {0} or at {1}?"),
    Among("work 0 4", "premiere", "Was {0} premiered before or after {1}?"),
    Among("mine 0 2", "depth", "How do {0} and {1} compare in depth?"),
)
MULTI_HOP = (
    Chain(
        "contest 0",
        "winner opener composer birthplace",
        "The choir that won the {0} always opens its concerts with the same piece. In which village was the "
        "composer of that piece born?",
    ),
    Chain(
        "abbey 2",
        "bell foundry copper",
        "From which mine does the foundry that cast the great bell of {0} get its copper?",
    ),
    Chain("abbey 3", "cheese deviser teacher", "Who taught the inventor of the cheese that is made at {0}?"),
    Chain(
        "choir 4", "home valley pass_height", "How high is the pass of the valley in which the {0} rehearses?"
    ),
    Chain("choir 2", "cantor instrument", "Which instrument does the current cantor of the {0} play?"),
    Chain("contest 1", "host altitude", "At what altitude is the abbey that hosted the {0}?"),
    Chain(
        "work 1",
        "kept bell cast",
        "In what year was the great bell cast that rings at the abbey where the manuscript of {0} is kept?",
    ),
    Chain(
        "bell 5",
        "foundry copper depth",
        "How deep is the copper mine that supplies the foundry where {0} was made?",
    ),
)
RANKING = (
    Top("abbey", "wheels@-1", 3, "Which three abbeys of {r} sold the most cheese wheels in {y}?"),
    Top("abbey", "pilgrims@-2", 2, "Where in {r} were the most pilgrims fed in {y}? Give me the top two."),
    Top("choir", "tickets@-3", 3, "List the three choirs of {r} with the highest ticket sales in {y}."),
    Top("abbey", "wheels@-4", 1, "Who was the biggest seller of cheese among the abbeys of {r} in {y}?"),
    Among(
        "bell 0 2 5 7", "diameter", "Put the bells {0}, {1}, {2} and {3} in order: which two are widest?", 2
    ),
    Among("choir 0 2 3 5", "singers", "Which is the largest choir: the {0}, {1}, {2} or {3}?", 1),
    Among("work 0 2 3 5", "bars", "Name the two longest of these pieces by bars: {0}, {1}, {2}, {3}.", 2),
    Among("valley 0 1 2 3", "people", "Where do most people live: in {0}, {1}, {2} or {3}?", 1),
)
TEMPORAL = (
    About("abbey 3", "cellarer_before", "Who was cellarer of {0} back in {term}?"),
    About("choir 2", "cantor", "Who is the cantor of the {0} these days?"),
    About("choir 1", "cantor_before", "Who led the {0} as cantor in {term}?"),
    About("foundry 1", "master_before", "Name the master founder of {0} in {term}."),
    About(
        "cheese 5",
        "price price_before",
        "What does a wheel of {0} cost now, and what did it cost before the price order of {order}?",
    ),
    About(
        "bell 2", "pitch_before pitch", "How did the pitch of {0} change when it was retuned in {retuned}?"
    ),
    About("abbey 6", "wheels@0 wheels@-1", "By how much did cheese sales of {0} change between {y} and {z}?"),
    AtContest(5),
)
WEIGHT = "weight_ledger weight_scale"
FAT = "fat_label fat_lab"
CROWD = "crowd_organiser crowd_constables"
CONTRADICTION = (
    About("bell 0", WEIGHT, "What does the bell {0} weigh? I keep finding two numbers."),
    About("bell 1", WEIGHT, "Does {p} official weight match what its foundry says?"),
    About("bell 2", WEIGHT, "How many kilograms does {0} weigh according to the various sources?"),
    About("cheese 0", FAT, "How fat is {0}, by its label and by analysis?"),
    About("cheese 2", FAT, "Is the fat content on the label of {0} correct?"),
    About("contest 0", CROWD, "How large was the audience of the {0}?"),
    About("contest 2", CROWD, "Did organisers and constables agree on the crowd at the {0}?"),
    About("contest 3", CROWD, "How many listeners came to the {0}, and who says so?"),
)
UNANSWERABLE = (
    Unknown("abbey 1", "How many candles does {0} burn in a winter?"),
    Unknown("choir 3", "What salary does the cantor of the {0} earn?"),
    Unknown("bell 6", "Which inscription runs around the rim of {0}?"),
    Unknown("cheese 4", "Which bacteria give {0} its flavour?"),
    Unknown("foundry 2", "With which insurance company is {0} insured against fire?"),
    Unknown("abbey 5", "For what sum did {0} sell its great bell to {g} Abbey?"),
    Unknown("valley 1", "When was the railway from {0} to Val {g} completed?"),
    Unknown("work 2", "Did {g} {h}, the rival of the composer of {0}, write a parody of it?"),
)


SURVEY = Survey((SINGLE, COMPARISON, MULTI_HOP, RANKING, TEMPORAL, CONTRADICTION, UNANSWERABLE), TRANSLATED)
