"""What the offline model makes of pages: which way it takes, how sure it is, what it puts in order."""

from __future__ import annotations

import pytest

from deep_research.text.titles import as_title
from deep_research_offline.model import lookup
from deep_research_offline.model.answer import items_of, solve
from deep_research_offline.model.conversation import Call
from deep_research_offline.model.gather import gather
from deep_research_offline.model.kinds import kind_of
from deep_research_offline.model.lists import items_in
from deep_research_offline.model.names import shown_by
from deep_research_offline.model.overview import items
from deep_research_offline.model.page import Page
from deep_research_offline.model.passages import sentences_of
from deep_research_offline.model.query import read_query, split_asking
from deep_research_offline.model.report_writer import compose
from deep_research_offline.model.request import inner_question, read_request
from deep_research_offline.model.research import next_move
from deep_research_offline.model.text import stem

LAKES = Page(
    "S1.1",
    "Lakes of the Vorn valley",
    "| Lake | Visitors | Boats |\n| --- | --- | --- |\n| Orsk Lake | 410 | 3 |\n| Veld Lake | 902 | 8 |\n"
    "| Hasel Lake | 655 | 5 |\n| Tarn Lake | 120 | 1 |\n",
)
INNS = Page(
    "S1.2",
    "Inns of the Vorn valley",
    "| Inn | Visitors |\n| --- | --- |\n| Blue Inn | 7,410 |\n| Red Inn | 9,902 |\n| Old Inn | 8,655 |\n",
)
MILL = Page(
    "S1.3",
    "Orsk Mill",
    "Orsk Mill is a water mill. Before it was rebuilt in 1931, Orsk Mill had room for 12 sacks.\n\n"
    "Since it was rebuilt in 1931, Orsk Mill has had room for 40 sacks.\n",
)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("lakes of the Vorn valley, visitors, best three pls", ["Veld Lake", "Hasel Lake", "Orsk Lake"]),
        ("two lakes of the Vorn valley by fewest boats", ["Tarn Lake", "Orsk Lake"]),
        ("where on the lakes of the Vorn valley do you find the most boats?", ["Veld Lake"]),
    ],
)
def test_places_of_a_ranking_are_asked_for_in_many_ways(question: str, first: list[str]) -> None:
    assert [one.item for one in solve(question, [LAKES]).first] == first


YARDS = [
    Page("S2.1", "Orsk Yard", "Orsk Yard is a boatyard in the Vorn valley. Orsk Yard was founded in 1931."),
    Page("S2.2", "Veld Yard", "Veld Yard is a boatyard in the Vorn valley. It was founded in 1902."),
    Page("S2.3", "Hasel Yard", "Hasel Yard is a boatyard. It was founded only in 1955."),
    Page("S2.4", "Tarn Inn", "Tarn Inn is an inn in the Vorn valley. It was founded in 1820."),
]
LIST = Page(
    "S2.5",
    "Yards of the Vorn valley",
    "| Yard | Smiths |\n| --- | --- |\n| Orsk Yard | 4 |\n| Veld Yard | 9 |\n| Hasel Yard | 2 |\n",
)


@pytest.mark.parametrize("question", ["oldest yard?", "Which is the oldest yard of the Vorn valley?"])
def test_the_first_of_a_kind_is_found_among_pages_and_sure_of_few_only_if_a_list_names_all(
    question: str,
) -> None:
    answer = solve(question, YARDS)
    assert [one.item for one in answer.first] == ["Veld Yard", "Orsk Yard", "Hasel Yard"]
    assert not answer.sure and "The closest" in "".join(lookup.compose(question, YARDS, [], "en"))
    listed = solve(question, [*YARDS, LIST])
    assert [one.item for one in listed.first] == ["Veld Yard"] and listed.sure
    assert not solve(question, [*YARDS[1:], LIST]).sure


def test_where_several_are_asked_for_each_is_told_and_no_row_is_a_total() -> None:
    told = " ".join(lookup.compose("which boatyards are in the Vorn valley", YARDS, [], "en")[:1])
    assert "Two are named: Orsk Yard [S2.1]; Veld Yard [S2.2]." in told and "Inn" not in told
    assert not solve("total visitors of lakes in the Vorn valley", [LAKES]).sure


@pytest.mark.parametrize(
    ("question", "beyond"),
    [
        ("which lakes have more than 500 visitors", ["Veld Lake", "Hasel Lake"]),
        ("lakes of the Vorn valley with fewer than 4 boats", ["Tarn Lake", "Orsk Lake"]),
    ],
)
def test_those_beyond_an_amount_are_named_and_no_others(question: str, beyond: list[str]) -> None:
    assert [one.item for one in solve(question, [LAKES]).first] == beyond


@pytest.mark.parametrize("question", ["how many yards are there", "list all yards", "which yards exist"])
def test_the_things_of_a_kind_are_named_and_counted_where_a_list_has_them_all(question: str) -> None:
    told = "".join(lookup.compose(question, [*YARDS, LIST], [], "en")[:1])
    assert "Three are named: Orsk Yard" in told and "Veld Yard" in told and "Hasel Yard" in told
    assert "Inn" not in told and solve(question, [*YARDS, LIST]).sure and not solve(question, YARDS).sure


def test_a_list_that_lacks_one_of_the_things_found_does_not_tell_how_many_there_are() -> None:
    short = Page(
        "S2.5", LIST.title, "| Yard | Smiths |\n| --- | --- |\n| Orsk Yard | 4 |\n| Veld Yard | 9 |\n"
    )
    answer = solve("how many yards are there", [*YARDS, short])
    assert {one.item for one in answer.first} == {"Orsk Yard", "Veld Yard", "Hasel Yard"} and not answer.sure


def test_a_list_of_mill_boats_names_no_mills() -> None:
    boats = Page(
        "S2.6",
        "Timetable of the mill boats",
        "| Boat | Stops |\n| --- | --- |\n| Dot | 4 |\n| Dash | 9 |\n| Line | 2 |\n",
    )
    assert not solve("which mills are there", [boats]).sure


@pytest.mark.parametrize("asked", ["No. 1 lake for visitors, which was it?", "whats the #1 lake by visitors"])
def test_number_one_is_the_first_in_order(asked: str) -> None:
    assert solve(asked, [LAKES]).ranked[0].item == "Veld Lake"


def test_a_table_of_other_things_is_no_order_of_what_is_asked() -> None:
    price = (
        "| Boat | Price |\n| --- | --- |\n| Dot | 40 crowns |\n| Dash | 70 crowns |\n| Line | 90 crowns |\n"
    )
    boats = Page("S2.6", "Rowing boats: prices", price)
    assert solve("cheapest rowing boat", [boats]).sure
    assert not solve("cheapest yard", [boats, *YARDS]).sure


def test_how_many_things_of_one_kind_are_made_in_a_time_is_a_speed() -> None:
    told = "{} is a mill. {} grinds {} sacks an hour."
    pages = [
        Page(f"S4.{n}", name, told.format(name, name, sacks))
        for n, (name, sacks) in enumerate({"Orsk Mill": 30, "Veld Mill": 75, "Hasel Mill": 12}.items())
    ]
    assert solve("which mill is fastest", pages).ranked[0].item == "Veld Mill"


@pytest.mark.parametrize(
    ("question", "text", "sure"),
    [
        ("when does Orsk Hall close", "Orsk Hall closes at six in the evening.", True),
        ("when does Orsk Hall close", "Orsk Hall closes with a bell.", False),
        ("who built Orsk Hall and when", "Orsk Hall was built by Ida Wern.", False),
        ("how many towers does Orsk Hall have", "Orsk Hall has four towers.", True),
        ("how many towers does Orsk Hall have", "Orsk Hall towers: Height: 40 m.", False),
        ("how high is the water in Orsk Hall", "In Orsk Hall high water rises in 2 hours.", False),
        ("how many days is Orsk Hall open", "Orsk Hall is open for 9 hours.", False),
        ("how long can i stay at Orsk Hall", "It takes 62 people to look after Orsk Hall.", False),
        ("who kept Orsk Hall", "Orsk Hall was painted by Ida Wern.", False),
        ("what time is it", "It took Orsk Hall some time.", False),
        ("厄尔维纳厅多高", "奥尔斯克厅高40米。", False),
        ("who is the warden of Orsk Hall", "Orsk Hall is a guest house in the Vorn Isles.", False),
        ("who is the cook of Orsk Hall", "Mara Holt has been warden of Orsk Hall since 1990.", False),
        ("who is the warden of Orsk Hall", "Mara Holt became the first warden of Orsk Hall.", False),
        ("who was the first warden of Orsk Hall", "Mara Holt became the first warden of Orsk Hall.", True),
        ("how many rooms does Orsk Hall have", "Orsk Hall is one of the rooms for guests.", False),
        ("who was warden at Orsk Hall back when it burned", "Repairs at Orsk Hall began in 1990.", False),
        ("how many books does Orsk Hall own", "Orsk Hall gives you 27 days for each book.", False),
        (
            "when was the drelmo hall opened",
            "Orsk Hall is a guest house. The hall was opened in 1931.",
            False,
        ),
        ("奥尔斯克厅的厨师是谁", "奥尔斯克厅是一座客栈。", False),
        ("奥尔斯克厅有多少册藏书", "奥尔斯克厅有12个房间。", False),
    ],
)
def test_an_answer_is_of_the_kind_asked_and_of_what_is_named(question: str, text: str, sure: bool) -> None:
    assert solve(question, [Page("S5.1", "奥尔斯克厅" if "厅" in text else "Orsk Hall", text)]).sure is sure


def test_what_asks_in_chinese_is_answered_by_a_page_that_has_the_latin_name_alone() -> None:
    pages = [
        Page("S7.1", "奥尔斯克号", "奥尔斯克号（Orsk Star）是一艘船。"),
        Page("S7.2", "Register of boats: Orsk Star", "The Orsk Star has a top speed of 31 km/h."),
    ]
    (found,) = solve("奥尔斯克号有多快？", pages).founds
    assert found.sure and found.way and "31 km/h" in found.way.last.text


def test_a_list_with_a_condition_takes_what_is_of_the_kind_by_its_page() -> None:
    pages = [
        Page("S7.5", "Orsk Mill", "Orsk Mill is a mill. Guests find Orsk Mill in Hasel, by the bridge."),
        Page("S7.6", "Blue House", "Blue House is a mill. Blue House stands in Hasel."),
        Page("S7.7", "Red House", "Red House is a mill. Red House stands in Tarn."),
        Page("S7.8", "Hasel", "Hasel is a town."),
    ]
    assert {one.item for one in solve("which mills are in hasel", pages).first} == {"Orsk Mill", "Blue House"}


def test_a_page_that_gives_two_values_tells_of_two_things() -> None:
    pages = [Page("S7.9", "Orsk flood", "In the Orsk flood 40 books were lost. 12 books were dried.")]
    (found,) = solve("How many books were lost in the Orsk flood?", pages).founds
    assert found.sure and not found.others


@pytest.mark.parametrize("question", ["what does the RB-1 weigh vs RB-2", "RB-1 vs RB-2 weight?"])
def test_one_measure_of_two_things_is_a_look_up(question: str) -> None:
    assert kind_of(question) == ""


@pytest.mark.parametrize("question", ["『オルスクの歌』を書いたのは誰", "who wrote “The Song of Orsk”"])
def test_a_title_in_quotation_marks_is_no_whole_question(question: str) -> None:
    assert inner_question(question) == question


def test_names_that_are_like_nothing_known_are_denied_and_bring_no_closest() -> None:
    lines = [
        Page("S6.4", "Blue Line", "Blue Line is one of the boat lines of the Vorn valley, and flies a flag.")
    ]
    question = "Which boat line flies from Port Qarzel to Port Umbrix?"
    told = "".join(lookup.compose(question, lines, [], "en")[:1])
    assert "The sources do not say" in told and "The closest" not in told


@pytest.mark.parametrize(
    "question",
    [
        "who founded qarzel yard, rival of veld yard?",
        "Who founded Qarzel Yard, the rival of Veld Yard?",
        "qarzel yard (the rival of veld yard): founder?",
        "Qarzel Yard competes with Veld Yard, I hear. Who was it that founded Qarzel?",
    ],
)
def test_what_is_said_of_another_thing_named_is_not_the_closest_to_an_unknown_one(question: str) -> None:
    pages = [Page("S6.5", "Veld Yard", "Veld Yard was founded by Ada Wern. Veld Yard was founded in 1907.")]
    told = "".join(lookup.compose(question, pages, [], "en"))
    assert "The sources do not say" in told and "qarzel" in told and "Wern" not in told
    known = lookup.compose("who founded veld yard, rival of qarzel yard?", pages, [], "en")[0]
    assert "Veld Yard was founded by Ada Wern. [S6.5]" in known


def test_rows_of_different_things_are_no_dispute() -> None:
    rows = (
        "| Boat | Price |\n| --- | --- |\n| Dot | 40 crowns |\n| Dash | 70 crowns |\n| Line | 90 crowns |\n"
    )
    told = lookup.compose("what do the rowing boats cost", [Page("S6.1", "Rowing boats", rows)], [], "en")
    assert "crowns" in told[0] and "different values" not in told[0]


def test_a_word_that_nobody_knows_in_the_place_of_a_name_is_no_other() -> None:
    page = Page(
        "S3.2",
        "Letters to Osmund",
        "Letters to Osmund is a book. It was Ida Wern who wrote Letters to Osmund.",
    )
    assert solve("who wrote letters to osmund", [page]).sure
    assert not solve("who wrote letters to quorl", [page]).sure


def test_a_name_does_not_reach_over_the_colon_of_a_title() -> None:
    page = Page("S3.1", "Orsk Mill: built by Veld Yard", "Orsk Mill was built in 1907 by Veld Yard.")
    answer = solve("when was orsk mill built", [page])
    assert answer.sure and "1907" in lookup.compose("when was orsk mill built", [page], [], "en")[0]


def test_a_table_of_other_things_does_not_rank_what_is_named() -> None:
    asked = "Is Orsk Lake getting busier? Most visitors in 1931 or in 1941?"
    assert "Red Inn" not in [one.item for one in solve(asked, [LAKES, INNS]).ranked]


@pytest.mark.parametrize(
    "question",
    [
        "They rebuilt Orsk Mill in 1931. Give me both numbers of sacks it has room for, please.",
        "room for sacks in Orsk Mill, old and new",
        "What difference did the rebuilding make to the sacks that Orsk Mill has room for?",
    ],
)
def test_a_change_is_answered_with_both_of_its_sides(question: str) -> None:
    [found] = solve(question, [MILL]).founds
    told = " ".join(one.text for one in (*found.more, *([found.way.last] if found.way else [])))
    assert "12 sacks" in told and "40 sacks" in told


def test_what_the_sentences_around_a_choice_speak_of_is_not_chosen_from() -> None:
    asked = "Orsk Lake or Veld Lake. More boats please, it is for a poster and I only have room for one"
    assert items_of(asked, [LAKES]) == ("Orsk Lake", "Veld Lake")
    assert items_of("visitors, Orsk Lake vs Veld Lake, who has more", [LAKES, MILL]) == (
        "Orsk Lake",
        "Veld Lake",
    )
    assert "Zarn Lake" in items_of("Which has more boats, Orsk Lake or Zarn Lake?", [LAKES])


def test_hearsay_alone_is_no_sure_answer() -> None:
    heard = Page(
        "S1.4",
        "Mills and more",
        "pretty sure Veld Mill is 31 metres high, my cousin lives there.",
        tier="forum",
    )
    measured = Page("S1.5", "Veld Mill", "Veld Mill is a windmill. Veld Mill is 31 metres high.")
    assert not solve("How high is Veld Mill?", [heard]).sure
    assert solve("How high is Veld Mill?", [heard, measured]).sure


def test_words_about_the_one_who_asks_do_not_make_an_answer_unsure() -> None:
    pages = [Page("S1.5", "Veld Mill", "Veld Mill is a windmill. Veld Mill is 31 metres high.")]
    assert solve("I'm drawing it for my niece's birthday card: how high is Veld Mill?", pages).sure
    assert not solve("Which paint did they use on the shutters of Veld Mill?", pages).sure


def test_a_polite_question_for_a_comparison_is_one() -> None:
    asked = "Could you compare the stoves Ember and Hearth for me: weight, price, heat, smoke and upkeep?"
    assert kind_of(asked) == "comparison"


STOVES = [
    Page(
        "S2.1",
        "On trial: the Ember",
        "The Ember is a stove. The Ember heats a room of 40 square metres. The Ember weighs 90 kilograms.",
    ),
    Page(
        "S2.2",
        "On trial: the Hearth",
        "The Hearth is a stove. The Hearth weighs 140 kilograms and heats 70 square metres. Our own "
        "scales say 150 kilograms for the Hearth.",
    ),
    Page(
        "S2.3",
        "Which stove?",
        "We have compared the Ember and the Hearth.\n\n## Smoke\n\n"
        "The smoke of either goes up a pipe of 2 metres.",
    ),
]


def test_a_comparison_tells_what_is_said_of_all_under_its_criterion_and_names_what_is_missing() -> None:
    report = compose("Compare the Ember and the Hearth by weight, smoke and colour.", STOVES, language="en")
    smoke = report.split("## Smoke", 1)[1].split("\n## ", 1)[0]
    assert "goes up a pipe of 2 metres" in smoke
    assert "colour" in report.split("## What could not be found", 1)[1]


def test_where_a_thing_stands_says_only_which_one_is_meant() -> None:
    pages = [
        Page(
            "S3.1",
            "Fall of the Osk Tower",
            "The Osk Tower at Port Vell fell in 1931. A rusted bolt brought the Osk Tower down.",
        ),
        Page(
            "S3.2",
            "Fire in Port Vell",
            "A fire in Port Vell began in 1944. A lamp was the cause of the fire in Port Vell.",
        ),
    ]
    asked = "What went wrong when the Osk Tower at Port Vell came down, and what was done about it?"
    assert items(asked, pages) == ()
    worth = {page.id: 0.0 for page in pages}
    for point in gather(asked, pages).points:
        worth[point.page.id] = max(worth[point.page.id], point.score)
    assert worth["S3.1"] > 2 * worth["S3.2"]


def test_two_who_give_a_value_are_both_quoted() -> None:
    pages = [
        Page("S4.1", "Our Vell Mill", "According to the builder, Vell Mill is 31 metres high."),
        Page("S4.2", "Register of mills: Vell Mill", "The Mill Office measured Vell Mill: 28 metres high."),
    ]
    [found] = solve("How high do the builder and the register say that Vell Mill is?", pages).founds
    assert {read.text for read in found.others} == {"31 metres", "28 metres"}


def test_both_parts_of_a_double_question_are_quoted_where_one_way_answers_them() -> None:
    pages = [
        Page("S5.1", "Orsk Mill", "Orsk Mill is a mill. Orsk Mill was built by Hask Works."),
        Page("S5.2", "Hask Works", "Hask Works is a workshop. Hask Works buys its nails from Dorn Forge."),
    ]
    [found] = solve("Orsk Mill: who built it, where do they buy their nails from", pages).founds[:1]
    assert [one.text for one in found.more] == ["Orsk Mill was built by Hask Works."]


def test_a_title_may_stand_without_its_end_where_words_are_not_divided() -> None:
    pages = (Page("S6.1", "ヴェルド水車小屋", "ヴェルド水車小屋の高さは31メートルである。"),)
    assert [one.text for one in shown_by(pages).find("ヴェルド水車の高さは？")] == ["ヴェルド水車小屋"]
    assert not shown_by(pages).find("ヴェルの高さは？")


def test_pictures_and_halves_of_links_are_no_statements() -> None:
    badges = "[![Tests](https://a.example/b.svg)](https://a.example)\n![Docs](https://a.example/c.svg)"
    text = f"{badges}\n\nSupport for [Names of Mills\n(NMV)](https://a.example/nmv) is built in.\n"
    assert [one.text for one in sentences_of(text)] == ["Support for Names of Mills (NMV) is built in."]


BRIDGES = [
    Page(
        "S7.1",
        "Bridges of the Vorn valley in 1941",
        "| Bridge | Carts | Length |\n| --- | --- | --- |\n| Hask Bridge | 4,120 | 90 metres |\n"
        "| Dorn Bridge | 3,050 | 1.2 kilometres |\n| Tarn Bridge | 2,900 | 310 metres |\n",
    ),
    Page(
        "S7.2",
        "Bridges of the Vorn valley in 1940",
        "| Bridge | Carts | Length |\n| --- | --- | --- |\n| Hask Bridge | 3,120 | 90 metres |\n"
        "| Dorn Bridge | 3,500 | 1.2 kilometres |\n| Tarn Bridge | 2,100 | 310 metres |\n",
    ),
    Page("S7.3", "Dorn Bridge", "Dorn Bridge is a bridge. Mara Lind keeps Dorn Bridge and lives in Osk."),
    Page("S7.4", "Tarn Bridge", "Tarn Bridge is a bridge. Ole Fink keeps Tarn Bridge and lives in Vell."),
]


@pytest.mark.parametrize(
    ("question", "opening"),
    [
        ("which bridge in the Vorn valley had the most carts in 1940", "Dorn Bridge: 3,500"),
        ("longest bridge of the Vorn valley in 1941", "Dorn Bridge: 1.2 kilometres"),
        ("top 2 bridges vorn valley carts 1940", "Dorn Bridge: 3,500 carts [S7.2]; Hask Bridge: 3,120 carts"),
        ("Which one had the most carts in 1941? Dorn, Tarn or Hask?", "Hask Bridge: 4,120 carts"),
        (
            "carts on hask bridge 1940 vs 1941",
            "1941: 4,120 carts [S7.1], against 3,120 carts for 1940 [S7.2].",
        ),
        (
            "how many more carts were on hask bridge in 1941 than the year before",
            "a difference of 1,000 carts.",
        ),
        ("Did Hask Bridge have more carts in 1940 than in 1941?", "No. 1941: 4,120"),
        ("is dorn bridge longer than tarn bridge in 1941", "Yes. Dorn Bridge: 1.2 kilometres"),
    ],
)
def test_what_is_computed_is_of_the_year_and_in_the_unit_asked(question: str, opening: str) -> None:
    assert opening in lookup.compose(question, BRIDGES, [], "en")[0]


@pytest.mark.parametrize(
    "question",
    [
        "which bridge in the Vorn valley had the most carts in 1939",
        "which bridge in the Vorn valley had the most accidents with carts in 1941",
        "which inn in the Vorn valley had the most carts in 1941",
    ],
)
def test_a_table_of_something_else_gives_no_first_place(question: str) -> None:
    answer = solve(question, BRIDGES)
    assert not answer.ranked and not answer.sure


def test_each_part_of_a_double_question_has_its_answer_or_is_unsure() -> None:
    answer = solve("longest bridge of the Vorn valley in 1941 and whos the keeper", BRIDGES)
    assert [one.item for one in answer.ranked] == ["Dorn Bridge"]
    assert ["Mara Lind" in one.way.last.text for one in answer.founds if one.way] == [True]
    assert [one.sure for one in solve("whos keeping dorn bridge and whats he paid", BRIDGES).founds] == [
        True,
        False,
    ]


def test_a_noun_that_a_clause_tells_of_names_nothing() -> None:
    pages = (Page("S8.1", "Krake Yard", "The Gull was built by Krake Yard."),)
    assert not shown_by(pages).find("who founded the yard where it was built")
    assert [one.text for one in shown_by(pages).find("who founded krakes slips")] == ["Krake Yard"]


def test_who_is_asked_of_by_a_pronoun_is_whom_the_part_before_found() -> None:
    pages = [
        Page("S1", "Orsk Mill", "Orsk Mill is a mill. Orsk Mill was founded by Mira Holt in 1921."),
        Page("S2", "Mira Holt", "Mira Holt was a miller. Mira Holt was a sailor before she came to Orsk."),
    ]
    first, second = solve("who founded orsk mill and what was she before that", pages).founds
    assert first.sure and "Mira Holt" in first.way.last.text
    assert (second.asked, second.ranking.names) == ("what was she before that", ("Mira Holt",))
    told = lookup.compose("who founded orsk mill and what was she before that", pages[:1], (), "en")[0]
    assert "“what was she before that”" in told  # what is not said is not passed over


def test_an_amount_told_of_a_sibling_is_no_answer_about_what_is_named() -> None:
    pages = [
        Page("S1", "Orsk Affair", "The Court of Vorn ended the Orsk Affair with a fine of 4,547 florins."),
        Page(
            "S2",
            "Court of Vorn",
            "Ruling on the Veld Affair, the Court of Vorn allowed a fine of 271 florins.",
        ),
    ]
    assert "4,547" in solve("fine the court allowed in the orsk affair", pages).founds[0].way.last.text


def test_what_one_thing_asked_is_leads_to_no_other_thing_of_the_kind() -> None:
    pages = [
        Page("S1", "Grey Days", "Grey Days is a book. Grey Days was written by Mira Holt."),
        Page("S2", "Blue Days", "Blue Days is a book. Mira Holt wrote Blue Days. It was printed in 1921."),
    ]
    written, printed = solve("who wrote grey days and what year was grey days printed", pages).founds
    assert written.sure and not printed.sure


@pytest.mark.parametrize(
    ("asked", "title"),
    [
        ("hi there, how tall is orsk mill? thanks!", "How tall is Orsk Mill?"),
        ("how tall is Orsk Mill, please", "How tall is Orsk Mill"),
        ("pls how tall is orsk mill", "How tall is Orsk Mill"),
        ("how tall is orsk mill? cheers! thanks a lot.", "How tall is Orsk Mill?"),
        (f"how tall? {'thanks pls ' * 40}{'x' * 40}?", "How tall?"),
        ("How tall is Orsk Mill?", "How tall is Orsk Mill?"),
        ("Orsk Mill有多高？谢谢！", "Orsk Mill有多高？"),
    ],
)
def test_the_title_of_an_answer_is_the_question_without_thanks(asked: str, title: str) -> None:
    pages = [Page("S1", "Orsk Mill", "Orsk Mill is 31 metres tall.")]
    assert lookup.compose(asked, pages, (), "en")[0].startswith(f"# {title}\n")


@pytest.mark.parametrize(
    ("asked", "title"),
    [
        (
            "We run a tiny mill and have not much money to spend on it. which wheel should we get? "
            "must be cheap to run and not break",
            "Which wheel should we get?",
        ),
        (
            "where should i take an old kettle with a loose lid, "
            "not too expensive but it should last for years",
            "Where should I take an old kettle with a loose lid",
        ),
        ("how many books did orsk bindry mend", "How many books did Orsk Bindery mend"),
        ("When was the mill founded?", "When was the mill founded?"),
    ],
)
def test_a_title_is_short_and_has_names_as_the_answer_writes_them(asked: str, title: str) -> None:
    assert as_title(asked, "Orsk Bindery mended 9 books for the mill. It was funded by Veld Bank.") == title


def test_a_word_that_only_opens_titles_gets_no_capital_in_the_title_of_an_answer() -> None:
    pages = [
        Page("S1", "Mills of the Orsk Valley: figures", "Orsk Mill has 9 wheels."),
        Page("S2", "Orsk Mill", "Orsk Mill is one of the mills of the Orsk Valley."),
    ]
    told = lookup.compose("what are the two busiest mills of the orsk valley?", pages, (), "en")[0]
    assert told.startswith("# What are the two busiest mills of the Orsk Valley?\n")


HOLT = Page(
    "S1",
    "Mira Holt",
    "Mira Holt is well known. Mira Holt's year of birth is given as 1990. She grew up in Tarn.",
)


def test_where_somebody_comes_from_is_no_year_and_where_she_was_born_not_where_she_grew_up() -> None:
    [found] = solve("where does mira holt come from", [HOLT]).founds
    assert found.sure and "Tarn" in found.way.last.text
    [found] = solve("where was mira holt born", [HOLT]).founds
    assert not found.sure


def test_a_story_is_nothing_stored() -> None:
    assert stem("stories") == stem("story") != stem("stored") == stem("stores")
    assert len({stem(word) for word in ("story", "storeys", "store", "journal", "journey")}) == 5


def test_a_page_that_says_something_of_a_name_leads_to_what_it_is_about() -> None:
    pages = [
        Page(
            "S1",
            "Orsk Mill",
            "Orsk Mill is a mill. Its miller is Mira Holt.\n\n## Parts\n\nWheels: 31 wheels",
        ),
        Page("S2", "Mira Holt", "Mira Holt was trained by Tarn Works. Mira Holt is 162 cm tall."),
        Page("S3", "Tarn Works", "Tarn Works trains millers. Tarn Works trained at Orsk Mill in 2047."),
    ]
    [found] = solve("how many wheels has the mill whose miller is mira holt", pages).founds
    assert [step.text for step in found.way.steps] == ["Its miller is Mira Holt.", "Wheels: 31 wheels"]


def test_no_sentence_is_quoted_twice() -> None:
    text = "Before 2045 Orsk Mill took 44 crowns from its members. Since 2045 they pay it 64 crowns a year."
    told = "\n".join(lookup.compose("orsk mill members fee", [Page("S1", "Orsk Mill", text)], (), "en"))
    assert told.count("44 crowns") == 1


def searched(question: str, *pages: Page) -> tuple[str, ...]:
    """What is searched for after a first search has brought these pages."""
    first = Call("search", {"queries": [question]}, " ".join(f'"{page.id}"' for page in pages))
    return next_move(read_request(question), [first], pages, 9).queries


def test_what_is_only_claimed_is_looked_for_elsewhere_too() -> None:
    asked = "how tall is orsk mill"
    assert not searched(asked, Page("S1", "Orsk Mill", "Orsk Mill is 31 metres tall."))
    assert searched(asked, Page("S1", "Orsk Mill", "According to its owner, Orsk Mill is 31 metres tall."))


def test_an_irregular_verb_is_one_word() -> None:
    pages = [Page("S1", "Orsk Fire", "The owners sold 31 boats after the Orsk Fire. Nobody sang.")]
    [found] = solve("how many boats did they sell after the orsk fire", pages).founds
    assert found.sure
    assert (
        stem("lost") == stem("lose") and stem("written") == stem("writes") and stem("bound") == stem("binder")
    )


def test_a_yes_or_no_question_is_not_answered_by_passages_that_say_nothing_of_each_other() -> None:
    pages = [
        Page("S1", "Old books", "The porter of Orsk Mill opened the door of the Tarn Vault."),
        Page(
            "S2", "Tarn Vault", "Tarn Vault is a cellar. By the following night 31 boats lay at Tarn Vault."
        ),
    ]
    assert not solve("did they have a night porter at orsk mill", pages).sure


def test_a_year_that_no_page_tells_of_is_not_compared() -> None:
    table = "| Mill | Visitors |\n| --- | --- |\n| Orsk Mill | {} |\n| Veld Mill | 90 |"
    pages = [
        Page(f"S{year}", f"Mills: figures for {year}", table.format(year - 1900)) for year in (2040, 2044)
    ]
    asked = "did orsk mill have more visitors in 2040 than in 2044"
    assert solve(asked, pages).sure and not solve(asked, pages[:1]).ranked
    assert any(
        "2044" in query and "2040" not in query for query in next_move(read_request(asked), [], [], 9).queries
    )


def test_who_and_since_when_is_answered_by_who_and_not_by_any_year() -> None:
    pages = [
        Page("S1.1", "A walk", "They are going to Orsk Hall, which has been there since 1883."),
        Page("S1.2", "Orsk Hall fees", "Bring more chairs. Orsk Hall charges 24 crowns a year."),
        Page("S1.3", "Orsk Hall", "Ida Wern has been head keeper of Orsk Hall since 2051."),
    ]  # fmt: skip
    told = lookup.compose("who runs orsk hall and since when", pages, [], "en")[0]
    assert told.splitlines()[2].startswith("Ida Wern has been")
    assert not solve("who runs orsk hall and since when", pages[:2]).sure


def test_a_list_behind_a_name_asks_each_of_it_and_of_no_other_thing() -> None:
    rows = ("| Old Ada | Orsk Works | 2028 |", "| Old Bela | Veld Works | 2046 |")
    register = "\n".join(["| Press | Maker | Built |", "|---|---|---|", *rows])
    pages = [
        Page("S1.1", "Register of presses", register),
        Page("S1.2", "Old Ada", "Old Ada's speed is 319 sheets an hour."),
        Page("S1.3", "Old Bela", "Old Bela's speed is 157 sheets an hour."),
    ]
    told = lookup.compose("old bela: maker, speed, colour", pages, [], "en")[0]
    assert "Veld Works" in told and "157 sheets" in told and "319" not in told and "“colour”" in told


def test_a_sentence_that_asks_why_tells_no_reason_and_what_gives_it_stands_in_its_paragraph() -> None:
    report = (
        "This inquiry was set up to find out why Orsk Mast fell, not to blame anybody.\n\n"
        "## Why it fell\n\nThe technical cause is not in dispute. "
        "A crack in the ring of Orsk Mast gave way first. "
        "The origin of the defect was a flaw in the casting, and it went back years. "
        "Forms remember the last accident, not the next one, and that is all that the members of this "
        "board wish to say about the forms that they were shown. We were told of a bread oven, and we "
        "mention it because a witness did."
    )
    told = lookup.compose("why did orsk mast fall", [Page("S1.1", "Report on Orsk Mast", report)], [], "en")[
        0
    ]
    opening = told.splitlines()[2]
    assert "set up" not in opening and "A crack in the ring" in opening and "flaw in the casting" in opening


def test_a_right_word_is_no_slip_of_another() -> None:
    book = shown_by((Page("S1", "Orsk Hall", "Orsk Hall is full of light. Orsk Hall lends skates."),))
    assert book.mend("is orsk hall open at night") == "is orsk hall open at night"
    assert book.mend("does orsk hall lend skaets") == "does orsk hall lend skates"


def test_what_people_type_for_a_word_is_that_word() -> None:
    pages = [Page("S1.1", "Orsk Hall", "In 2051 Orsk Hall had 13,872 people as visitors.")]
    assert solve("how many ppl visit orsk hall", pages).sure
    assert kind_of(read_request("orsk hall vs veld hall, pros n cons").question) == "comparison"


def test_a_word_that_no_page_has_is_searched_for_by_another() -> None:
    queries = searched("how many casualties in the orsk crash", Page("S1", "Orsk", "Orsk is a town."))
    assert any("accident" in query for query in queries)


def test_what_else_is_told_says_nothing_again_in_the_form_of_a_label() -> None:
    pages = [
        Page("S1.1", "Orsk Mill", "Orsk Mill was founded in 1884."),
        Page("S1.2", "Orsk Mill", "| Key | Value |\n| --- | --- |\n| Founded | 1884 |\n"),
        Page("S1.3", "About Orsk Mill", "Founded: 1884"),
    ]
    told = "\n".join(lookup.compose("In what year was Orsk Mill founded?", pages, [], "en"))
    assert told.count("1884") == 1


PIN = Page(
    "S1.1",
    "The fall of the Vell Arch: report of the inquiry",
    "The Vell Arch fell on 3 May 1931.\n\nThe technical cause is not in dispute. Two workshops name a rusted "
    "pin as what failed first. The Vell Arch had been painted in 1930 at a cost of 900 crowns.",
)


def test_what_is_asked_of_today_is_not_what_is_planned() -> None:
    pages = [
        Page("S1.1", "通行料について", "現在の額は一人につき7クローネです。"),
        Page("S1.2", "通行料、上げるか", "議会の案では、通行料は2044年5月から10クローネになる。"),
    ]
    head = lookup.compose("通行料は今いくら", pages, [], "ja")[0]
    assert "7クローネ" in head and "10クローネ" not in head


def test_what_a_sentence_announces_is_told_with_it() -> None:
    report = compose("Why did the Vell Arch fall, and what happened?", [PIN], language="en")
    assert "not in dispute. [S1.1] Two workshops name a rusted pin" in report


@pytest.mark.parametrize(
    ("asked", "parts"),
    [
        ("奥斯克图书馆的馆长是谁？年费多少钱？有多少座位", 3),
        ("オルスクの通行料って今いくら？いつから上がったの、何に使われてる？", 3),
    ],
)
def test_a_question_needs_no_mark_to_be_one(asked: str, parts: int) -> None:
    said = read_request(asked).parts
    assert len(said) == parts and all("奥斯克" in one or "オルスク" in one for one in said)


def test_a_row_of_names_is_what_is_set_side_by_side() -> None:
    asked = "small boat, no shed, not much money but nervous about storms. orsk, selm or varn for the winter?"
    assert items_in(asked) == ("orsk", "selm", "varn")
    assert items_in("we're 2 adults, 3 kids (8, 6, 3): Orsk Line, Selm Line or Varn Line?") == (
        "Orsk Line",
        "Selm Line",
        "Varn Line",
    )


def test_the_top_speed_of_a_thing_puts_nothing_in_order() -> None:
    assert read_query("what is the top speed of the ship osprye").order == ""
    assert read_query("which ship has the top speed?").order == "more"


def test_what_somebody_says_beside_a_question_asks_nothing() -> None:
    read = split_asking("what does the orsk engine really put out, the brochure says 800")
    assert "brochure" not in read.asking


LOOM = Page(
    "S20.1",
    "Loom handbook",
    "# Options\n\n### ShedHeight\n\nSets how far the threads are lifted. The default is 2 cm.\n\n"
    "### BeatPause\n\nSets how long the beater rests. The default is 9 s.\n\n"
    "shuttle\n: Carries the weft.\n\nloom.set_header(40);\n\n## Weaving guild\n\n"
    "(One weaver is enough to pass a pattern if nobody has seen it for 7 days.) "
    "Two weavers must pass a pattern before it is woven. "
    "A weaver retires once she has woven nothing for more than 12 months.\n\nThe header has only two rows."
    "\n\n"
    "IN NO EVENT SHALL THE WRITERS OR OWNERS OF THE LOOM BOOK BE LIABLE FOR ANY CLAIM OF ANYBODY.\n\n"
    "Loom handbook, Copyright (c) Ida Orsk, 1931\n",
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("default of ShedHeight?", "Loom handbook, ShedHeight: The default is 2 cm."),
        ("what is the shuttle for in the loom handbook", "Loom handbook, shuttle: Carries the weft."),
        ("how many weavers have to pass a pattern", "Loom handbook: Two weavers must pass a pattern"),
        ("how many rows does the header have", "Loom handbook: The header has only two rows."),
        ("after how many months does a weaver retire", "nothing for more than 12 months."),
        ("who wrote the loom handbook", "Copyright (c) Ida Orsk"),
    ],
)
def test_a_handbook_is_quoted_where_it_answers(question: str, answer: str) -> None:
    opening = lookup.compose(question, [LOOM], [], "en")[0]
    assert answer in opening and "closest" not in opening


WARP = Page(
    "S21.1",
    "warpwarn",
    "# warpwarn\n\nwarpwarn [OPTION]... FILE\n\nwarpwarn counts the threads of a pattern. "
    "It needs Warp 3.10 - 3.15.\n\n- --every print the number of all threads\n- --few print some threads\n\n"
    "### -k, --keep\n\nLeave the old pattern where it is.\n\n### Use\n\n"
    "This version prints whatever has a shed. Since `warpwarn 2.0`, one can print a shed by its name:\n\n"
    "```\nwarpwarn --shed=main\n```\n\nA KnotError is raised if two threads cross.\n\n"
    "The guild raised the knot in 1931.\n\n## 1.4.0 -- 2023-05-01\n\n- New looms\n\n"
    "## 1.3.0 -- 2022-04-02\n\nMore about this release is in the guild's book.\n",
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("which option of warpwarn prints the number of threads?", "--every print the number of all threads"),
        ("which option of warpwarn leaves the old pattern", "warpwarn, -k, --keep: Leave the old pattern"),
        ("which warp versions does warpwarn need", "It needs Warp 3.10 - 3.15."),
        ("since which version can warpwarn print a shed by name", "Since `warpwarn 2.0`"),
        ("why does warpwarn raise a KnotError?", "A KnotError is raised if two threads cross."),
        ("when was version 1.4.0 of warpwarn released?", "1.4.0 -- 2023-05-01"),
    ],
)
def test_what_is_asked_may_be_shown_by_the_form_in_which_it_is_written(question: str, answer: str) -> None:
    """An option by its dashes, a version by its number, a release by the heading with its day."""
    opening = lookup.compose(question, [WARP], [], "en")[0]
    assert answer in opening and "closest" not in opening and "OPTION" not in opening


def test_of_two_questions_that_a_report_answers_the_one_that_pages_tell_of_is_told() -> None:
    text = compose("how does the Orsk Loom work and what are its limits", [ORSK_LOOM], language="en")
    assert "lifts every other thread" in text
    assert "Nothing was found on limits." in text
    assert text.count("limits") == 1


ORSK_LOOM = Page(
    "S21.1",
    "Orsk Loom",
    "Orsk Loom is a hand loom. Orsk Loom works by a treadle that lifts every other thread.\n\n"
    "Its shuttle carries the weft from side to side, because the shed is open.\n\n"
    "Orsk Loom was made for schools, and the beater presses the weft.\n",
)


def test_what_a_toll_brings_in_is_not_how_much_it_is() -> None:
    pages = [Page("S1", "Review of 2047", "The bridge toll brought in 960,000 crowns.", "2048-01-01")]
    assert not solve("how much is the bridge toll now", pages).sure
    assert solve("How much did the bridge toll bring in?", pages).sure


WEIR = [
    Page(
        "S1",
        "Orsk Weir",
        "Rebuilt in 1931, Orsk Weir now has room for 40 boats. Before the work of 1931, Orsk Weir "
        "had room for "
        "12 boats. Orsk Weir has been led by Mira Holt since 1940. From 1932 until 1940 the head "
        "of Orsk Weir was "
        "Jon Tarn.",
    ),
    Page(
        "S2",
        "オルスク堰",
        "1931年の改装後、オルスク堰の定員は40人となった。1931年の改装前、オルスク堰の定員は12人だった。"
        ""
        "1932年から1940年までオルスク堰の所長はジョン・タルンだった。オルスク堰の所長は1940年からミラ・ホルトが務める。",
    ),
    Page(
        "S3",
        "韦尔德水坝",
        "1932年到1940年，韦尔德水坝的坝长是普里布鲁。该坝的坝长是海多，1940年上任。",
    ),
]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("how many boats could orsk weir take before they rebuilt it", "had room for 12 boats"),
        ("who was head of orsk weir before mira holt", "Jon Tarn"),
        ("waht is orsk weir's room for boats now", "room for 40 boats"),
        ("オルスク堰、改装する前の定員は?", "定員は12人"),
        ("オルスク堰の所長いま誰", "ミラ"),
        ("韦尔德水坝上一任坝长是谁", "普里布鲁"),
        ("韦尔德水坝现任坝长是谁", "海多"),
    ],
)
def test_what_was_and_what_is_are_told_apart(question: str, told: str) -> None:
    (found,) = solve(question, WEIR).founds
    assert found.way and told in found.way.last.text


def test_what_is_before_somebody_is_not_that_somebody() -> None:
    (found,) = solve("who ran orsk weir before jon tarn", WEIR[:1]).founds
    assert not found.sure
