"""Sample questions about the first mountain range, as a curious reader would put them, each with the data
that answer it.

Every class has eight questions in English and one each in Chinese and Japanese (`questions_cjk`).
"""

from __future__ import annotations

from dataclasses import dataclass

from deep_research.offline.web.asking import About, Among, Asked, Chain, Survey, Top, Unknown
from deep_research.offline.web.postdogs.desk import Desk
from deep_research.offline.web.postdogs.questions_cjk import TRANSLATED


@dataclass(frozen=True, slots=True)
class InStorm:
    """Who kept a hut in the year of a blizzard: the earliest that no change of keeper falls into."""

    hut: int

    def ask(self, desk: Desk) -> Asked:
        region, hut = desk.region, desk.region.entities["hut"][self.hut]
        now, before = region.all(hut, "keeper", "keeper_before")
        for blizzard in reversed(region.entities["blizzard"]):
            day = region.get(blizzard, "date")
            year = int(day.value.also[0][:4])
            if year != now.year("since"):
                held = now if year > now.year("since") else before
                text = f"Who was looking after {hut.name.en} in the year of the {blizzard.name.en}?"
                return text, [day, held]
        raise AssertionError("blizzards break in different years")


SINGLE = (
    About("hut 1", "bunks", "How many people can sleep at {0}? I mean, how many bunks are there?"),
    About("hut 5", "dish", "What do they serve as the house dish at {0}?"),
    About("dog 2", "run", "What is the longest distance the post dog {0} has ever run in one go?"),
    About("sled 3", "length", "Could you tell me the length of the mail sled {0}?"),
    About("stamp 2", "issued", "When could you first buy the {0} stamp?"),
    About("blizzard 0", "hours", "How many hours did {s} last?"),
    About("mill 1", "tonnes", "How much paper does {0} turn out in a year?"),
    About("kennel 0", "pups", "Roughly how many puppies grow up at {0} every year?"),
)
COMPARISON = (
    Among("dog 0 5", "weight", "Which of the two dogs is heavier, {0} or {1}?"),
    Among("hut 0 3", "snow", "Where has the snow been deeper, at {0} or at {1}?"),
    Among("line 1 4", "team", "Does the {0} own more dogs than the {1}?"),
    Among("sled 0 4", "weight", "If I had to carry one of them, which sled is lighter: {0} or {1}?"),
    Among("stamp 1 3 4", "record", "{0}, {1} or {2}: which stamp has fetched the highest price?"),
    Among("stamp 0 5", "issued", "Which came out earlier, the {0} or the {1}?"),
    Among("hut 2 6 7", "built", "I want to sleep in the oldest house. Should I pick {0}, {1} or {2}?"),
    Among("workshop 0 2", "hands", "Compare {0} with {1}. Who has the bigger workforce?"),
)
MULTI_HOP = (
    Chain(
        "blizzard 0",
        "line leader kennel breeder",
        "A mail line got stuck in {s}. Who set up the kennel that its lead dog comes from?",
    ),
    Chain(
        "line 2",
        "sled workshop founder birthplace",
        "Somebody founded the workshop that built {p} main sled. In which village was that person born?",
    ),
    Chain(
        "line 4",
        "terminus dish",
        "If I ride with {s} to the very last stop, what dish will I be served there?",
    ),
    Chain(
        "stamp 1", "printer mill river", "The paper for {s} came from a mill. On which river is that mill?"
    ),
    Chain("stamp 3", "motif kennel village", "Near which village was the dog raised that you see on {s}?"),
    Chain("line 3", "postmaster hobby", "What does the present postmaster of {s} do as a hobby?"),
    Chain("hut 0", "keeper birthplace", "Who keeps {s} nowadays, and where was that person born?"),
    Chain(
        "blizzard 2",
        "line sled workshop opened",
        "Remember the line that {s} stopped? In what year did the workshop that made its main sled open?",
    ),
)
RANKING = (
    Top("line", "letters@-1", 3, "Which three mail lines of {r} delivered the most letters in {y}?"),
    Top("line", "parcels@-2", 2, "Who carried the most parcels in {r} in {y}? The first two will do."),
    Top(
        "hut",
        "guests@-3",
        3,
        "What were the three best-visited huts of {r} in {y}, counting overnight guests?",
    ),
    Top("line", "letters@-4", 1, "In {y}, which mail line of {r} had more letters than any other?"),
    Among(
        "dog 1 3 4 6",
        "run",
        "Put these dogs in order of their longest run: {0}, {1}, {2}, {3}. Who are the top two?",
        2,
    ),
    Among("hut 1 3 4 7", "bunks", "Which one has the most bunks: {0}, {1}, {2} or {3}?", 1),
    Among("stamp 0 2 3 4", "height", "Of the stamps {0}, {1}, {2} and {3}, name the two tallest.", 2),
    Among(
        "sled 1 2 4 5",
        "length",
        "I am looking for the longest sled among {0}, {1}, {2} and {3}. Which is it?",
        1,
    ),
)
TEMPORAL = (
    About("line 1", "postmaster_before", "Who was postmaster of {s} in {term}?"),
    About("line 3", "postmaster", "Who is the postmaster of {s} at the moment?"),
    About("hut 1", "keeper_before", "I stayed at {s} in {term}. Who was the keeper then?"),
    About("sled 2", "room", "How many parcels fit on {s} today?"),
    About(
        "line 4",
        "postage_before postage",
        "A letter with {s}: what was the price before the tariff reform of {reform}, and what is it now?",
    ),
    About("sled 5", "room_before room", "How much more room has {s} had since its rebuilding in {rebuilt}?"),
    About(
        "hut 6",
        "guests@0 guests@-1",
        "Did {0} have more overnight guests in {z} than in {y}, and by how many?",
    ),
    InStorm(2),
)
LOAD = "load_kennel load_test"
RUN = "run_printer run_club"
LOST = "lost_line lost_ombudsman"
CONTRADICTION = (
    About("dog 0", LOAD, "What is the greatest load that the post dog {0} can pull? Sources seem to differ."),
    About("dog 1", LOAD, "Is {0} as strong as the kennel claims?"),
    About("dog 3", LOAD, "How many kilograms can {0} pull, and who says what?"),
    About("stamp 0", RUN, "How many copies of {s} were printed?"),
    About("stamp 2", RUN, "Do printers and collectors give the same print run for {s}?"),
    About("blizzard 0", LOST, "How many letters were lost in {s}?"),
    About("blizzard 1", LOST, "I read two numbers for the letters that went missing in {s}. What are they?"),
    About("blizzard 3", LOST, "Did the mail line tell the truth about the letters lost in {s}?"),
)
UNANSWERABLE = (
    Unknown("dog 4", "What colour are the eyes of the post dog {0}? Does it have freckles?"),
    Unknown("line 2", "How large is the annual subsidy that {s} gets?"),
    Unknown("hut 3", "What is the wifi password at {0}?"),
    Unknown("stamp 4", "Which perfume was mixed into the ink of {s}?"),
    Unknown("kennel 2", "Which veterinarian looks after the dogs of {0}?"),
    Unknown("line 5", "When did {s} take over the {g} Snow Post?"),
    Unknown("hut 4", "How long does the walk from {0} to {g} Hut take?"),
    Unknown("workshop 1", "Why did {g} {h} leave {0} to become a pastry cook?"),
)


SURVEY = Survey((SINGLE, COMPARISON, MULTI_HOP, RANKING, TEMPORAL, CONTRADICTION, UNANSWERABLE), TRANSLATED)
