"""Measures that a denial, a hedge, a repetition or one voice cannot please: reports written to try each."""

from __future__ import annotations

import pytest

from deep_research.evaluation.answered import answered, hedged, wrongly_answered
from deep_research.evaluation.coverage import aspects_covered, coverage
from deep_research.evaluation.disagreements import disagreements
from deep_research.evaluation.focus import focus
from deep_research.evaluation.origins import independent_origins
from deep_research.evaluation.repetition import repetition, words
from deep_research.evaluation.samples import markdown_table, rows_of_samples, score, summarize
from deep_research.evaluation.staleness import dated_as_current
from deep_research.evaluation.truth import GroundTruth
from deep_research_offline.web.types import Aspect, Dispute, Fact, Page, Question, Web

WIKI, PAPER, COPY, OLD = (f"https://{host}.example/mill" for host in ("wiki", "paper", "copy", "old"))


def _page(url: str) -> Page:
    return Page(url, "North Mill", "The mill.", "news", "en", "2041-01-05", None, (), ())


def _fact(name: str, *answers: str, stale: tuple[str, ...] = ()) -> Fact:
    pages = (WIKI, PAPER, COPY)
    return Fact(name, "North Mill", name, answers[0], answers, pages, (OLD,), (), None, stale)


FACTS = (
    _fact("height", "31 m", "31 metres", "31米"),
    _fact("owner", "Ada Brell", stale=("Tom Quill",)),
    _fact("flour", "2,412 sacks"),
    _fact("fire", "a spark from the millstone"),
    _fact("loss", "90 crowns"),
    _fact("hands", "12 hands"),
)


@pytest.fixture
def mills() -> GroundTruth:
    pages = tuple(map(_page, (WIKI, PAPER, COPY, OLD)))
    facts = {fact.id: fact for fact in FACTS}
    return GroundTruth(
        Web(0, "mills", "2041-03-02", pages, facts, (), {}, frozenset(), origins={COPY: PAPER})
    )


LOOK_UP = Question("q", "single_fact", "en", "How high is North Mill?", ("height",), ())
WHO = Question("w", "single_fact", "en", "Who owns North Mill?", ("owner",), ())
NOTHING = Question("n", "unanswerable", "en", "Who painted North Mill?", (), ())
REPORT = Question(
    "r", "report", "en", "Tell me about North Mill.", tuple(fact.id for fact in FACTS), (),
    (
        Aspect("Building", ("height", "flour", "hands")), Aspect("Fire", ("fire", "loss")),
        Aspect("Owner", ("owner",)),
    ),
    (Dispute("damage", "What the fire cost", (("90 crowns",), ("40 crowns",))),),
)  # fmt: skip

GOOD = """North Mill is 31 metres high and belongs to Ada Brell [1]. It made 2,412 sacks of flour [2].

## The fire

It began with a spark from the millstone [1]. The damage came to 90 crowns, says the owner [1]. The insurer
paid for 40 crowns [2].

## Owners

Until 2039 it belonged to Tom Quill [4]."""
DENYING = f"No answer was found: none of the sources states this.\n\n## What comes nearest\n\n{GOOD}"
HEDGING = f"The closest that the sources say:\n\n{GOOD}"


def test_an_answer_at_the_beginning_is_one_and_under_a_denial_or_a_hedge_it_is_none(mills, written):
    pages = (WIKI, PAPER, COPY, OLD)
    assert answered(LOOK_UP, written(GOOD, *pages), mills) == 1
    assert answered(LOOK_UP, written("It may well be 31 m high [1].", WIKI), mills) == 0
    for body in (DENYING, HEDGING):
        assert answered(LOOK_UP, written(body, *pages), mills) == 0
        assert coverage(REPORT, written(body, *pages), mills) == 0
        assert aspects_covered(REPORT, written(body, *pages), mills) == 0
    assert answered(LOOK_UP, written("", status="no_evidence"), mills) == 0
    assert answered(NOTHING, written(GOOD, *pages), mills) is answered(REPORT, written(GOOD), mills) is None


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("| Mill | Height |\n|---|---|\n| North Mill | 31 m |", 1),
        ("Here is what was found:\n\n- South Mill: 20 m [1]\n- North Mill: 31 m [1]", 1),
        ("A [1]. B [1]. C [1]. D [1]. It is 31 m high [1].", 0),
        ("A mill [1].\n\n## Evidence\n\n- It is 31 m high [1].", 0),
        ("Two mills were compared [1].\n\n## North Mill\n\n- It is 31 m high [1].", 1),
        ("Two mills were compared [1].\n\n## North Mill\n\nNo source states its height.\n\n- 31 m [1]", 0),
        ("The mill by the river, 131 m long [1].", 0),
        ("北风车高31米[1]。", 1),
    ],
)
def test_where_an_answer_stands_decides(mills, written, body, value):
    assert answered(LOOK_UP, written(body, WIKI), mills) == value


def test_who_asks_whether_sources_agree_finds_it_where_they_do_not(mills, written):
    body = "A mill [1].\n\n## Where the sources disagree\n\n- 31 m, says one [1]\n- 35 m, says another [1]"
    asked = Question("d", "contradiction", "en", "How high is it really?", ("height",), ())
    assert answered(asked, written(body, WIKI), mills) == 1
    assert answered(LOOK_UP, written(body, WIKI), mills) == 0


def test_of_a_chain_the_end_was_asked_for(written):
    yard = Fact("yard", "Swift", "yard", "Brell Yard", ("Brell Yard",), (WIKI,), (), (), None)
    born = Fact("born", "Brell Yard", "place", "Ormsund", ("Ormsund",), (WIKI,), (), (), None)
    web = Web(0, "x", "2041-03-02", (_page(WIKI),), {"y": yard, "b": born}, (), {}, frozenset())
    chain = Question("c", "multi_hop", "en", "Where lies the yard that built the Swift?", ("y", "b"), ())
    assert answered(chain, written("It lies in Ormsund [1].", WIKI), GroundTruth(web)) == 1
    assert answered(chain, written("Brell Yard built it [1].", WIKI), GroundTruth(web)) == 0


def test_a_hedge_at_the_beginning_is_seen_and_one_further_down_is_not(written):
    assert hedged(LOOK_UP, written(HEDGING, WIKI)) == 1
    assert hedged(LOOK_UP, written("It is probably 31 m high [1].", WIKI)) == 1
    assert hedged(LOOK_UP, written(f"{GOOD}\n\nMore may be true [1].", WIKI)) == 0
    assert hedged(NOTHING, written(HEDGING, WIKI)) is None


def test_an_assertion_where_there_is_no_answer_is_wrong_and_admitting_or_hedging_is_not(mills, written):
    assert wrongly_answered(NOTHING, written("Ada Brell painted it [1].", WIKI), mills) == 1
    for body in (
        "The sources do not say who painted it [1].",
        "Perhaps Ada Brell did [1].",
        DENYING,
        HEDGING,
    ):
        assert wrongly_answered(NOTHING, written(body, WIKI), mills) == 0
    assert wrongly_answered(NOTHING, written("x", status="no_evidence"), mills) == 0
    assert wrongly_answered(REPORT, written("Ada Brell painted it [1].", WIKI), mills) is None


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("North Mill is 31 metres high [1].", 0),
        ("North Mill is 40 metres high [1].", 1),  # in no page at all
        ("North Mill is 31 metres high, not 40 metres [1].", 0),
        ("Perhaps North Mill is 40 metres high [1].", 0),
        ("The closest that the sources say: 40 metres [1].", 0),
        ("No answer was found. South Mill is 40 metres high [1].", 0),
        ("North Mill stands on a hill since 2031 [1].", 0),
        ("It made 2,000 sacks of flour [1].", 0),  # of another kind
    ],
)
def test_another_value_of_the_kind_at_the_beginning_is_wrong(mills, written, said, value):
    height = Question("q", "single_fact", "en", "How high is North Mill?", ("height",), (WIKI,))
    assert wrongly_answered(height, written(said, WIKI), mills) == value


@pytest.mark.parametrize(
    ("said", "value"),
    [("Tom Quill owns it [1].", 1), ("Ada Brell owns it [1].", 0), ("Ada Brell followed Tom Quill [1].", 0)],
)
def test_a_name_that_the_web_gives_for_another_time_is_a_wrong_answer(mills, written, said, value):
    assert wrongly_answered(WHO, written(said, WIKI), mills) == value


def test_coverage_counts_facts_behind_citations_that_state_them_and_aspects_by_a_third(mills, written):
    good = written(GOOD, WIKI, PAPER, COPY, OLD)
    assert coverage(REPORT, good, mills) == pytest.approx(5 / 6)
    assert aspects_covered(REPORT, good, mills) == 1
    uncited = written(GOOD.replace("[1]", ""), WIKI, PAPER, COPY, OLD)
    assert coverage(REPORT, uncited, mills) == pytest.approx(1 / 6)
    assert coverage(REPORT, written("It is 31 m high [1].", OLD), mills) == 0
    assert aspects_covered(REPORT, written("It is 31 m high [1].", WIKI), mills) == pytest.approx(1 / 3)
    assert coverage(LOOK_UP, good, mills) is aspects_covered(LOOK_UP, good, mills) is None


def test_focus_counts_the_citations_of_pages_that_say_anything_of_a_gold_fact(mills, written):
    other = "https://wiki.example/inn"
    padded = f"{GOOD}\n\nThe inn has 12 beds [5]. It was built in 2031 [5]."
    assert focus(REPORT, written(GOOD, WIKI, PAPER, COPY, OLD), mills) == 1
    assert focus(REPORT, written(padded, WIKI, PAPER, COPY, OLD, other), mills) < 0.8
    assert coverage(REPORT, written(padded, WIKI, PAPER, COPY, OLD, other), mills) == pytest.approx(5 / 6)
    assert focus(LOOK_UP, written(GOOD, WIKI), mills) is focus(REPORT, written("No."), mills) is None


def test_a_disagreement_is_named_where_both_sides_stand_together(written):
    apart = "It cost 90 crowns [1].\n\n## Later\n\nA [1].\n\n## Money\n\nThe insurer paid for 40 crowns [2]."
    under = "A [1].\n\n## Where the sources disagree\n\n- 90 crowns [1]\n- a\n- b\n- c\n- d\n- 40 crowns [2]"
    part = under.replace("\n\n- 90", "\n\n### The cost\n\n- 90")
    for body, value in ((GOOD, 1), (under, 1), (part, 1), (apart, 0), ("It cost 90 crowns [1].", 0)):
        assert disagreements(REPORT, written(body, WIKI, PAPER)) == value
    assert disagreements(LOOK_UP, written(GOOD)) is None


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("North Mill belongs to Tom Quill [1].", 1),
        ("It belongs to Tom Quill [1].", 1),
        ("Formerly it belonged to Tom Quill [1].", 0),
        ("North Mill belonged to Tom Quill until 2039 [1].", 0),
        ("South Mill belongs to Ada Brell [1].", 0),
    ],
)
def test_a_stale_value_without_its_date_is_told_as_current(mills, written, said, value):
    assert dated_as_current(WHO, written(said, OLD), mills) == value
    assert dated_as_current(LOOK_UP, written(said, OLD), mills) is None


def test_repetition_sees_near_duplicates_and_no_series_and_length_leaves_the_apparatus_out(written):
    twice = "North Mill is 31 metres high [1].\n\n## Evidence\n\n- The North Mill is **31 metres** high. [1]"
    series = "In 2040 it made 10 sacks of flour [1]. In 2041 it made 12 sacks of flour [1]."
    assert repetition(written(twice, WIKI)) == 0.5
    assert repetition(written(series, WIKI)) == repetition(written(GOOD, WIKI)) == 0
    assert (
        repetition(written("北风车高三十一米，属于布雷尔[1]。北风车高三十一米，属于布雷尔[1]。", WIKI)) == 0.5
    )
    assert repetition(written("")) is None
    assert words(written("North Mill is 31 metres high [1].", WIKI)) == 6
    assert words(written("北风车高31米[1]。", WIKI)) == 3


def test_copies_of_one_story_are_one_origin(mills, written):
    assert independent_origins(written("A [1]. B [2].", PAPER, COPY), mills) == 1
    assert independent_origins(written("A [1]. B [2]. C [3].", WIKI, PAPER, COPY), mills) == 2


def test_the_table_has_the_measures_that_apply_and_fits_a_screen(mills, written):
    pages = (WIKI, PAPER, COPY, OLD)
    bodies = {"good": GOOD, "denying": DENYING, "twice": f"{GOOD}\n\n## Again\n\n{GOOD}"}
    scores = [
        score(question, written(body, *pages).model_copy(update={"system": name}), mills)
        for name, body in bodies.items()
        for question in (LOOK_UP, NOTHING, REPORT)
    ]
    result = summarize(scores)
    good, denying, twice = (result[name]["overall"] for name in bodies)
    assert good["answered"] > denying["answered"] and good["coverage"] > denying["coverage"]
    assert good["repetition"] < twice["repetition"] and good["words"] < twice["words"]
    assert denying["wrongly_answered"] < good["wrongly_answered"] == 0.5
    table = markdown_table(*rows_of_samples(result)).splitlines()
    assert "answered" in table[0] and "cover" in table[0] and max(map(len, table)) <= 145
