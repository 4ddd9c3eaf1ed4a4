"""Sample questions about the first delta, as a curious reader would put them, each with the data that answer
it.

Every class has eight questions in English and one each in Chinese and Japanese (`questions_cjk`).
"""

from __future__ import annotations

from dataclasses import dataclass

from deep_research.offline.web.asking import About, Among, Asked, Chain, Survey, Top, Unknown
from deep_research.offline.web.libraries.desk import Desk
from deep_research.offline.web.libraries.questions_cjk import TRANSLATED


@dataclass(frozen=True, slots=True)
class InAffair:
    """Who ran a library in the year of an affair: of the older ones that no change of office falls into, the
    latest.
    """

    library: int

    def ask(self, desk: Desk) -> Asked:
        region, library = desk.region, desk.region.entities["library"][self.library]
        now, before = region.all(library, "librarian", "librarian_before")
        for affair in region.entities["affair"][1:]:
            day = region.get(affair, "date")
            year = int(day.value.also[0][:4])
            if year != now.year("since"):
                held = now if year > now.year("since") else before
                name, case = library.name.en, affair.ref("en")
                return f"Which head librarian did {name} have in the year when {case} began?", [day, held]
        raise AssertionError("affairs begin in different years")


SINGLE = (
    About("library 3", "shelves", "If you laid all the shelves of {0} end to end, how far would they reach?"),
    About("town 1", "statue", "Who or what does the statue on the main square of {0} show?"),
    About("clerk 5", "tune", "What does the mechanical clerk {0} whistle when sorting cards?"),
    About("book 6", "topic", "What is the book {0} about?"),
    About("book 3", "worth", "I'd like to know for how much money {0} is insured."),
    About("barge 4", "stock", "How many books does {s} have on board?"),
    About("affair 0", "hiding", "Where did the missing book of {s} finally turn up?"),
    About("clerk 6", "height", "How tall is the mechanical clerk called {0}?"),
)
COMPARISON = (
    Among("clerk 0 3", "height", "If {0} and {1} stood back to back, who would be taller?"),
    Among("library 1 6", "seats", "Which reading room has more seats, the one at {0} or the one at {1}?"),
    Among("book 0 4 7", "pages", "I want a long read for the winter. Which is the longest: {0}, {1} or {2}?"),
    Among("barge 0 5", "length", "Is {s} longer or shorter than the {1}?"),
    Among("library 2 5", "opened", "{0} and {1}: which of these two libraries has been open longer?"),
    Among("town 0 3", "bridges", "Do you cross more bridges in {0} or in {1}?"),
    Among("clerk 2 7", "cogs", "Who has more cogwheels inside, {0} or {1}?"),
    Among("bindery 0 1 2", "opened", "Who started binding books first, {0}, {1} or {2}?"),
)
MULTI_HOP = (
    Chain(
        "affair 0",
        "library clerk maker founder",
        "After {s} the book went back to its library. Which person founded the workshop that made the chief "
        "clerk there?",
    ),
    Chain(
        "library 2",
        "clerk maker spring",
        "Where do the makers of {p} chief mechanical clerk get their mainsprings?",
    ),
    Chain(
        "library 5",
        "treasure author pet",
        "{0} keeps one book that it treasures above all others. What kind of pet does the author have?",
    ),
    Chain("barge 1", "captain islet", "On what islet did the present captain of {s} grow up?"),
    Chain(
        "barge 4",
        "home town market",
        "The library that owns {s} stands in a town with a weekly market. On which day is that market held?",
    ),
    Chain("book 1", "bindery leather", "What sort of leather do they use at the place where {0} was bound?"),
    Chain(
        "barge 0",
        "favourite author job",
        "Think of the book that is borrowed most often from {s}. What was the first job of whoever wrote it?",
    ),
    Chain(
        "affair 2",
        "book bindery town statue",
        "In which town was the book bound that {s} was about, and what statue stands on the square there?",
    ),
)
RANKING = (
    Top("library", "loans@-1", 3, "Which three libraries of {r} had the most loans in {y}?"),
    Top("library", "visitors@-2", 2, "Name the two libraries of {r} that people visited most in {y}."),
    Top("barge", "joined@-3", 3, "Which boats of {r} signed up the most new members in {y}? I need three."),
    Top("library", "visitors@-4", 1, "What was the most popular library of {r} in {y}, by visitors?"),
    Among(
        "clerk 1 3 4 6", "cogs", "{0}, {1}, {2}, {3}: which two of these clerks have the most cogwheels?", 2
    ),
    Among(
        "book 0 2 5 6", "pictures", "My son likes pictures. Which book has the most: {0}, {1}, {2} or {3}?", 1
    ),
    Among(
        "library 0 3 4 7",
        "shelves",
        "Of {0}, {1}, {2} and {3}, which two have the longest shelves in all?",
        2,
    ),
    Among("barge 1 2 3 5", "stops", "Which boat makes the most stops: the {0}, {1}, {2} or {3}?", 1),
)
TEMPORAL = (
    About("library 1", "librarian_before", "Who used to be head librarian of {0} in {term}?"),
    About("library 3", "librarian", "Who is head librarian of {0} now?"),
    About("barge 1", "captain_before", "Under which captain did {s} sail in {term}?"),
    About(
        "library 6",
        "fee_before fee",
        "How much dearer did a year at {0} become with the charter of {charter}?",
    ),
    About("library 5", "fee", "What does it cost at present to be a member of {0} for a year?"),
    About(
        "clerk 3",
        "winding_before winding",
        "How long did {0} run on one winding before the overhaul of {overhaul}, and how long since?",
    ),
    About("barge 5", "joined@0 joined@-1", "Did {s} find more new members in {z} than in {y}?"),
    InAffair(2),
)
SPEED = "speed_maker speed_trial"
AGE = "year_title year_lab"
FINE = "fine_library fine_court"
CONTRADICTION = (
    About("clerk 0", SPEED, "How fast is {0} at fetching books? I have seen more than one number."),
    About("clerk 1", SPEED, "Can {0} really fetch as many books an hour as its workshop says?"),
    About("clerk 4", SPEED, "How many books an hour does {0} fetch?"),
    About("book 0", AGE, "In what year was {0} printed? Opinions seem to be divided."),
    About("book 2", AGE, "Is the year on the title page of {0} the true one?"),
    About("affair 0", FINE, "How high was the fine in {s}, and according to whom?"),
    About("affair 1", FINE, "Did the court and the library want the same fine in {s}?"),
    About("affair 3", FINE, "What fine was due in {s}?"),
)
UNANSWERABLE = (
    Unknown("library 1", "How many kilowatts of electricity does {0} consume?"),
    Unknown("clerk 6", "Which language does {0} dream in, if mechanical clerks dream?"),
    Unknown("barge 2", "What brand of diesel engine drives {s}?"),
    Unknown("book 4", "Into how many languages has {0} been translated?"),
    Unknown("town 2", "Who won the mayoral election in {0} in {y}?"),
    Unknown("library 3", "When will {0} merge with {g} Library?"),
    Unknown("maker 1", "Why did {0} sue {g} Clockworks over a patent?"),
    Unknown("bindery 2", "What wages did {g} {h} receive as a trainee at {0}?"),
)


SURVEY = Survey((SINGLE, COMPARISON, MULTI_HOP, RANKING, TEMPORAL, CONTRADICTION, UNANSWERABLE), TRANSLATED)
