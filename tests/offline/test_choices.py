"""Advice and comparisons in everyday words, where the kind of a thing is said and no thing is named."""

from __future__ import annotations

import pytest

from deep_research_offline.model.kinds import kind_of
from deep_research_offline.model.lists import criteria, items_in
from deep_research_offline.model.names import shown_by
from deep_research_offline.model.page import Page
from deep_research_offline.model.report_writer import compose

GUIDE = """Old clocks: who mends them? Three workshops take customers: Orsk Works, Hasel Works and Veld
Works.

## Our advice

For a clock that is used: Orsk Works. For one that is only looked at: Hasel Works. For a tower: Veld Works."""
PAGES = [
    Page("S1", "Where to have a clock mended", GUIDE),
    Page(
        "S2", "Clock repairs at Orsk Works", "A repair costs 32 crowns. Your money back comes after 12 days."
    ),
    Page(
        "S3", "Clock repairs at Hasel Works", "The doors never close. For 20 crowns any clock will run again."
    ),
    Page("S4", "Veld Works", "- Speed: 7 clocks a day\n- Price: 56 crowns"),
    Page("S5", "Refunds compared", "Hasel Works: 44 days. Orsk Works lost 3 clocks and Veld Works 8 clocks."),
]
STORY = "grandma's clock has stopped and she is sad. which clock workshop should she take it to? not rich"


def test_who_tells_why_advice_is_wanted_gets_it_and_no_word_of_the_story_is_missing() -> None:
    text = compose(STORY, PAGES, language="en")
    assert "For a clock that is used: Orsk Works." in text
    assert "| Hasel Works | 20 crowns" in text
    assert not any(word in text.lower() for word in ("grandma", "sad", "nothing was found"))


@pytest.mark.parametrize(
    "asked",
    [
        "I have a small boat and want to leave it somewhere for the winter. dry but not expensive. where?",
        "my son starts at the mill and needs a quiet room near it. which pass should he get? he's not rich",
    ],
)
def test_a_story_with_wishes_asks_for_advice(asked: str) -> None:
    assert kind_of(asked) == "recommendation"


def test_what_is_told_of_each_in_prose_stands_under_the_criterion_asked() -> None:
    asked = "Compare the offers of Orsk Works, Hasel Works and Veld Works by price, refunds and speed."
    text = compose(asked, PAGES, language="en")
    assert "| Orsk Works | 32 crowns [S2] | 12 days [S2] | –" in text
    assert "| Hasel Works | 20 crowns [S3] | 44 days [S5]" in text
    assert "7 clocks a day" in text
    assert "on offers" not in text


def test_a_price_is_no_running_cost() -> None:
    pages = [
        Page("S1", "Trial of the Orsk Mule", "- Price: 800 crowns\n\nIt costs 9 crowns an hour to run."),
        Page("S2", "Veld Barrow", "- Price: 700 crowns\n\nIts price, 700 crowns, includes the paint."),
    ]
    text = compose(
        "Compare the Orsk Mule and the Veld Barrow by price and running costs.", pages, language="en"
    )
    assert "| Orsk Mule | 800 crowns [S1] | 9 crowns an hour [S1] |" in text
    assert "| Veld Barrow | 700 crowns [S2] | – |" in text


def test_names_and_criteria_are_read_where_a_purpose_stands_around_them() -> None:
    asked = "请比较 Orsk Mule、Hasel Heron 和 Veld Barrow 三种机器的价格、速度和故障"
    assert items_in(asked) == ("Orsk Mule", "Hasel Heron", "Veld Barrow")
    assert criteria(asked) == ("价格", "速度", "故障")
    asked = "with kids (2, 6 and 9): compare the offers of Orsk Mule, Hasel Heron and Veld Barrow by price, "
    asked += "the age up to which children ride free and how reliable they are"
    assert items_in(asked) == ("Orsk Mule", "Hasel Heron", "Veld Barrow")
    assert criteria(asked) == ("price", "age up to which children ride free", "reliable")


def test_a_word_that_no_page_has_is_not_taken_for_another() -> None:
    book = shown_by((Page("S1", "Clocks", "The shop is open late at night and the light is good."),))
    assert book.mend("money is tight, and open lite") == "money is tight, and open lite"
    assert book.mend("open at nigth") == "open at night"
