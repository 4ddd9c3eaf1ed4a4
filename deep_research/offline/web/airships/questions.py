"""Sample questions about the first region, as a curious reader would put them, each with the data that answer
it.

Every class has eight questions in English and one each in Chinese and Japanese (`questions_cjk`).
"""

from __future__ import annotations

from deep_research.offline.web.airships.questions_cjk import TRANSLATED
from deep_research.offline.web.asking import About, Among, Chain, Survey, Top, Unknown

SINGLE = (
    About("harbour 0", "masts", "How many mooring masts does {s} have?"),
    About("harbour 5", "elevation", "How far above the sea is the landing field at {s}?"),
    About("ship 0", "length", "How long is the airship {0}?"),
    About("line 2", "founded", "In what year was {s} founded?"),
    About("line 1", "baggage", "How much baggage can I take on a {s} flight without paying extra?"),
    About("route 4", "fare", "What does a single ticket on {s} cost?"),
    About("incident 0", "cause", "What caused {s}?"),
    About("engine 1", "weight", "How heavy is the {0} airship engine?"),
)
COMPARISON = (
    Among("ship 2 5", "length", "Which airship is longer, the {0} or the {1}?"),
    Among("harbour 1 6", "elevation", "Does {0} or {1} lie higher above the sea?"),
    Among("yard 0 3", "workers", "Who employs more people: {0} or {1}?"),
    Among("line 0 4", "fleet", "Compare the fleets of {0} and {1}: which line has more airships?"),
    Among("route 1 5", "distance", "Is the {0} longer than the {1}?"),
    Among("line 1 3 5", "baggage", "Of {0}, {1} and {2}, which allows the most free baggage per passenger?"),
    Among("ship 3 7", "launched", "Which flew first, the {0} or the {1}?"),
    Among("maker 0 2", "founded", "Is {0} an older firm than {1}?"),
)
MULTI_HOP = (
    Chain(
        "line 2",
        "flagship yard founder birthplace",
        "Where was the founder of the shipyard that built the flagship of {s} born?",
    ),
    Chain("line 3", "flagship yard founder", "Who founded the yard in which the flagship of {s} was built?"),
    Chain("line 4", "flagship engine maker", "Which company makes the engines of {p} flagship?"),
    Chain("line 2", "head birthplace", "What is the birthplace of the present managing director of {s}?"),
    Chain("harbour 0", "master studied", "At which school was the current harbour master of {s} trained?"),
    Chain("incident 0", "ship yard town", "Where is the yard that built the airship involved in {s}?"),
    Chain(
        "incident 1", "ship launched", "How old was the airship in {s}, that is, when had it been launched?"
    ),
    Chain(
        "line 5",
        "flagship yard town elevation",
        "{P} flagship came from a shipyard next to a harbour. How high above the sea does that harbour lie?",
    ),
)
RANKING = (
    Top(
        "harbour",
        "passengers@-1",
        3,
        "Which three harbours of {r} handled the most passengers in {y}, and how many each?",
    ),
    Top("harbour", "landings@-2", 2, "What were the two busiest harbours of {r} by landings in {y}?"),
    Top("line", "passengers@-3", 3, "Rank the top three airship lines of {r} by passengers carried in {y}."),
    Top("harbour", "passengers@-5", 1, "Which harbour in {r} had the most passengers in {y}?"),
    Among(
        "ship 0 1 2 3",
        "length",
        "Which two of these airships are the longest: the {0}, the {1}, the {2} or the {3}?",
        2,
    ),
    Among(
        "harbour 2 3 7 8",
        "masts",
        "Among {0}, {1}, {2} and {3}, where do you find the most mooring masts?",
        1,
    ),
    Among("line 0 1 2 3", "fleet", "Name the two largest fleets among {0}, {1}, {2} and {3}.", 2),
    Among(
        "engine 0 1 2 3", "weight", "What is the heaviest of the airship engines {0}, {1}, {2} and {3}?", 1
    ),
)
TEMPORAL = (
    About("line 3", "head_before", "Who was managing director of {0} in {term}?"),
    About("line 2", "head", "Who runs {0} today?"),
    About("harbour 1", "master_before", "Who held the office of harbour master at {0} in {term}?"),
    About("ship 4", "capacity_before", "How many passengers could the airship {0} carry before its refit?"),
    About("ship 4", "capacity", "How many passengers does the airship {0} carry now?"),
    About(
        "ship 5",
        "capacity_before capacity",
        "How did the refit of {refit} change the number of passengers on the {0}?",
    ),
    About(
        "harbour 6", "passengers@0 passengers@-1", "How did passenger numbers at {0} change from {y} to {z}?"
    ),
    About("line 5", "passengers@2", "How many passengers had {0} in {y}?"),
)
SPEED = "speed_builder speed_register"
POWER = "power_maker power_test"
INJURED = "injured_line injured_inquiry"
CONTRADICTION = (
    About("ship 1", SPEED, "How fast is the airship {0} really? Do the sources agree?"),
    About("ship 2", SPEED, "What top speed do the builder and the register give for the {0}?"),
    About("ship 6", SPEED, "What is the top speed of the airship {0}?"),
    About("engine 0", POWER, "How many kilowatts does the {0} engine deliver, on paper and on the bench?"),
    About("engine 2", POWER, "Is the maker's power rating for the {0} confirmed by independent tests?"),
    About("incident 0", INJURED, "How many people were hurt in {s}?"),
    About(
        "incident 2", INJURED, "Did the operator and the inquiry report the same number of injured after {s}?"
    ),
    About("incident 3", INJURED, "I have read different figures: how many were injured in {s}?"),
)
UNANSWERABLE = (
    Unknown("line 1", "What profit did {s} report for {y}?"),
    Unknown("ship 3", "How many cubic metres of helium does the {0} hold?"),
    Unknown("harbour 4", "How deep is the dredged channel in front of {s}?"),
    Unknown("line 4", "Who designed the uniforms of {s}?"),
    Unknown("ship 8", "Which orchestra played when the {0} was christened?"),
    Unknown("line 3", "Why did {s} move its home port to Port {g}?"),
    Unknown("line 0", "Which airship line flies from Port {g} to Port {h}?"),
    Unknown("yard 1", "Who founded {g} Yard, the great rival of {s}?"),
)


SURVEY = Survey((SINGLE, COMPARISON, MULTI_HOP, RANKING, TEMPORAL, CONTRADICTION, UNANSWERABLE), TRANSLATED)
