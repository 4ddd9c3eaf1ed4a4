"""What the offline model promises of a report, on pages written here."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys

import pytest

from deep_research import research
from deep_research.settings import load_settings
from deep_research_offline.model.conversation import Conversation, page_text
from deep_research_offline.model.gather import gather
from deep_research_offline.model.kinds import kind_of
from deep_research_offline.model.layout import shortened
from deep_research_offline.model.notes import finding_pages, notes
from deep_research_offline.model.overview import criteria, items, outline, searches, subject, topics
from deep_research_offline.model.page import Page
from deep_research_offline.model.quotes import quotes_of
from deep_research_offline.model.report_writer import Limits, Writer, compose, length, limits_in
from deep_research_offline.model.request import read_request
from deep_research_offline.model.sections import section
from deep_research_offline.model.tables import facts_table
from deep_research_offline.model.text import is_cjk, split_prose, term_set
from deep_research_offline.model.weighing import weighed
from deep_research_offline.model.writing import asked_question

MILL = Page(
    "S1.1",
    "Orsk Mill",
    """| Item | Value |
| --- | --- |
| Built | 1884 |
| Height | 31 m |
| Wheels | 4 |

Orsk Mill is a water mill on the river Tarn in the town of Orsk. It was built in 1884 for the weaver
Lena Brandt. The mill has four wheels and a height of 31 metres.

## History

In 1921 the mill was converted to electricity, because the weavers needed light in winter. It was
closed in 1968. Since 1990 it has been a museum. The museum has a staff of 12.

## The flood of 2015

On 3 March 2015 the river rose by four metres and flooded the lower hall of Orsk Mill. The damage
came to 900,000 crowns. The museum remained closed for eleven months. """,
    "2024-02-01",
    "reference",
)
INQUIRY = Page(
    "S1.2",
    "Report on the flood at Orsk Mill",
    """The town had the flood at Orsk Mill of 3 March 2015 investigated.

## Causes

The flood was caused by a weir that had not been opened in time. The weir keeper was ill, and no
deputy had been named. The gauge upstream had failed because its battery was empty.

## Recommendations

The report recommended that the weir be motorised. It also recommended a second gauge at the upper
bridge. """,
    "2015-11-20",
    "government",
)
AFTER = Page(
    "S1.3",
    "Five years after the flood",
    """Five years after the flood at Orsk Mill, the weir has been motorised; the work was finished in
May 2018. The second gauge was refused by the town council, which considered it too expensive. As a
consequence, the insurance of the museum rose to 40,000 crowns a year.

According to the museum, the damage of the flood at Orsk Mill came to 1,300,000 crowns.
""",
    "2020-03-03",
    "news",
)
COPY = Page("S1.4", "The mill in Orsk", MILL.text.split("\n\n")[1], "2023-05-05", "news")
OLD = Page(
    "S1.5",
    "A visit to the mill",
    "Orsk Mill lies by the bridge. The museum at Orsk Mill has a staff of 7. "
    "Entry to Orsk Mill costs 20 crowns.",
    "2009-06-01",
    "unverified",
)
PRICES = Page(
    "S1.6", "Prices", "Entry to Orsk Mill costs 45 crowns since January 2024.", "2024-01-05", "organization"
)
OTHER = Page(
    "S1.7",
    "Veld Mill",
    """| Item | Value |
| --- | --- |
| Built | 1901 |
| Height | 22 m |
| Wheels | 2 |

Veld Mill is a water mill in Veld. It was built in 1901. Repairs at Veld Mill cost 300,000 crowns in
2019. """,
    "2022-02-02",
    "reference",
)
THIRD = Page(
    "S1.8",
    "Hasel Mill",
    """| Item | Value |
| --- | --- |
| Built | 1799 |
| Height | 18 m |
| Wheels | 1 |

Hasel Mill is the oldest mill of the valley. It was built in 1799.
""",
    "2022-02-02",
    "reference",
)
PAGES = [MILL, INQUIRY, AFTER, COPY, OLD, PRICES, OTHER, THIRD]
ZH = [
    Page(
        "S1.1",
        "岚山天文台",
        "岚山天文台是青岭省的一座天文台，成立于1962年。天文台现有员工46人。\n\n## 火灾\n\n"
        "2024年8月3日，岚山天文台东楼起火，烧毁了两间机房。三名员工受轻伤。",
        "2030-03-01",
    ),
    Page(
        "S1.2",
        "岚山天文台火灾调查",
        "## 原因\n\n调查认定，火灾的直接原因是配电箱老化短路。由于维修经费减少，配电箱已经超过使用年限。\n\n"
        "## 建议\n\n调查组建议更换全部配电箱，并安装自动灭火系统。",
        "2025-02-18",
    ),
    Page(
        "S1.3",
        "岚山天文台火灾一年后",
        "据报道，岚山天文台火灾中有五名员工受伤。全部配电箱已经更换。",
        "2025-08-10",
    ),
]
JA = [
    Page(
        "S1.1",
        "霧島湖水族館",
        "霧島湖水族館は、緑野県にある水族館である。1975年に開館した。水槽は62基ある。\n\n## 浸水\n\n"
        "2022年7月14日、豪雨のため霧島湖水族館の機械室が浸水した。約3000匹の魚が死んだ。",
        "2030-04-01",
    ),
    Page(
        "S1.2",
        "霧島湖水族館浸水の報告",
        "## 原因\n\n委員会は、浸水の原因は排水ポンプの故障であると結論づけた。\n\n## 提言\n\n"
        "委員会は、ポンプを二重にすることを提言した。",
        "2023-03-20",
    ),
]
OVERVIEW = "Give me an overview of Orsk Mill."
WHY = "Why was Orsk Mill flooded in 2015, and what was done about it?"
COMPARE = "Compare Orsk Mill, Veld Mill and Hasel Mill by height, year of construction and acoustics."
INTRODUCTION = re.compile(
    r"^(?:.{2,80}? \([^()]*\d{4}-\d\d-\d\d\)|As of \d{4}-\d\d-\d\d): |^截至[\d-]+：|^[\d-]+時点："
)
"""What a report says of its own before a quotation: who says it, and as of when."""
IDS = re.compile(r"(?:\s?\[[A-Z]\d[\d.]*\])+")


def report(
    question: str, pages: list[Page] = PAGES, language: str = "en", limits: Limits | None = None
) -> str:
    return compose(question, pages, language=language, limits=limits)


def quoted(markdown: str) -> list[tuple[str, list[str]]]:
    """Every cited statement outside tables, with the ids behind it."""
    found = []
    for line in markdown.splitlines():
        if line.startswith(("|", "#")):
            continue
        start = 0
        for mark in IDS.finditer(line):
            text = re.sub(r"^\s*(?:-|\d+\.) ", "", line[start : mark.start()]).strip()
            found.append((text, re.findall(r"S[\d.]+\d", mark[0])))
            start = mark.end()
    return found


@pytest.mark.parametrize(
    "request_, kind",
    [
        ("Give me an overview of the old harbour.", "overview"),
        ("tell me about the old harbour", "overview"),
        ("could you write a report on trams in small towns, please", "overview"),
        ("why did the bridge close and what was done about it", "why"),
        ("What went wrong at the dam?", "why"),
        ("Compare A-line, B-line and C-line by length, year and cost.", "comparison"),
        ("which of these engines should i buy", "recommendation"),
        ("How did the library develop between 1950 and today?", "development"),
        ("What is the state of the debate on the toll?", "debate"),
        ("what do my notes say about the old harbour and its trams?", "overview"),
        ("weir at night, who wants what", "debate"),
        ("is it worth getting a second turbine", "recommendation"),
        ("steam or diesel?", "recommendation"),
        ("the lock keepers' strike: how did it come to that and how was it settled", "why"),
        ("ferry then and now", "development"),
        ("flax mill, wool mill, paper mill - water, staff, noise", "comparison"),
        ("bring me up to speed on the lower canal", "overview"),
        ("旧堤坝和新堤坝有什么区别", "comparison"),
        ("渡し船の昔と今", "development"),
        ("介绍一下这座港口", "overview"),
        ("大桥为什么关闭，后来采取了哪些措施？", "why"),
        ("この橋はなぜ閉鎖され、どのような対策が取られたのか。", "why"),
        ("図書館について詳しく教えてください。", "overview"),
        ("how did tolls and boat numbers change over the years", "development"),
        ("whats going on with the toll, up or down and why?", "why"),
        ("why do people disagree about the weir", "debate"),
        ("should towns drop the bridge toll?", "debate"),
        ("evening ferries at orsk, whos for it whos against and are there numbers", "debate"),
        ("which winch is best: ardel, bostan or crome? pull price weight", "recommendation"),
        ("need my old sails mended - arn, bor or cal?", "recommendation"),
        ("渡し賃について、誰が賛成で誰が反対なのか教えて", "debate"),
    ],
)
def test_a_request_for_a_report_is_told_from_its_words(request_: str, kind: str) -> None:
    assert kind_of(request_) == kind


@pytest.mark.parametrize(
    "request_",
    [
        "How long is the bridge?",
        "please explain how long the bridge is",
        "Who founded the club that won in 1920?",
        "Which is longer, the Elm Bridge or the Oak Bridge?",
        "Why was the bridge closed?",
        "who started the ferry and what did he do before",
        "Which three towns had the most visitors in 2019, and how many each?",
        "这座桥有多长？",
        "この橋の長さはどれくらいですか。",
    ],
)
def test_a_look_up_is_no_request_for_a_report(request_: str) -> None:
    assert not read_request(request_).broad


def test_things_and_criteria_are_read_from_the_request() -> None:
    assert items(COMPARE) == ("Orsk Mill", "Veld Mill", "Hasel Mill")
    assert criteria(COMPARE) == ("height", "year of construction", "acoustics")
    assert items("Compare the Orsk and Veld mills here by price and noise.") == ("Orsk", "Veld")


def test_a_request_leans_on_the_sentence_before_and_has_no_word_for_the_texts_at_hand() -> None:
    asked = "I need a mill wheel for a farm in the hills. Which model should I choose, and why?"
    assert "wheel" in subject(asked) and "hills" in subject(asked)
    assert subject("Write a report on trams and ferries in these documents.") == "trams and ferries"


def test_code_and_numbers_of_a_name_are_no_figures() -> None:
    pages = [
        Page(
            "S1.1", "Orsk Mill", "- depth: {n = 2}\n- Height: 31 m\n- Wheels: 2\n- Floors: 5\n\nSee RFC 6455."
        ),
        Page("S1.2", "Veld notes", "Orsk Mill stands on the river Orsk and grinds rye. It follows RFC 7230."),
    ]
    text = report(OVERVIEW, pages)
    assert "Height | 31 m" in text and "depth" not in text and "disagree" not in text


@pytest.mark.parametrize("question", [OVERVIEW, WHY, COMPARE])
@pytest.mark.parametrize("pages", [[], PAGES])
def test_topics_have_short_titles_and_distinct_queries(question: str, pages: list[Page]) -> None:
    found = topics(question, pages, 5)
    assert 3 <= len(found) <= 5
    assert len({topic.query for topic in found}) == len(found)
    assert all(len(topic.title) < 90 and "?" not in topic.title for topic in found)
    assert all("Mill" in topic.query for topic in found)


def test_each_thing_compared_is_a_topic() -> None:
    assert [t.query.split(" Mill")[0] for t in topics(COMPARE, [], 6)[:3]] == ["Orsk", "Veld", "Hasel"]


@pytest.mark.parametrize(
    "question, pages, language",
    [
        (OVERVIEW, PAGES, "en"),
        (WHY, PAGES, "en"),
        (COMPARE, PAGES, "en"),
        ("请介绍一下岚山天文台。", ZH, "zh"),
        ("霧島湖水族館について詳しく教えてください。", JA, "ja"),
    ],
)
class TestEveryReport:
    def test_every_cited_statement_stands_whole_in_its_source(
        self, question: str, pages: list[Page], language: str
    ) -> None:
        texts = {page.id: re.sub(r"\s+", "", page.text) for page in pages}
        said = [(text, ids) for text, ids in quoted(report(question, pages, language)) if " — " not in text]
        assert len(said) > 4
        for text, ids in said:
            quote = re.sub(r"\s+", "", INTRODUCTION.sub("", text))
            assert all(quote in texts[i] for i in ids), text

    def test_no_statement_comes_twice(self, question: str, pages: list[Page], language: str) -> None:
        said = [term_set(text) for text, _ in quoted(report(question, pages, language))]
        for a, b in itertools.combinations(said, 2):
            assert a != b
            assert len(a & b) < 0.9 * max(len(a), len(b)) or len(a) < 4

    def test_it_has_a_summary_and_sections_in_its_language(
        self, question: str, pages: list[Page], language: str
    ) -> None:
        headings = re.findall(r"^## (.+)$", report(question, pages, language), re.MULTILINE)
        assert headings[0] == {"en": "Summary", "zh": "摘要", "ja": "要約"}[language]
        assert len(headings) >= 3

    def test_no_section_opens_with_a_word_for_what_stands_elsewhere(
        self, question: str, pages: list[Page], language: str
    ) -> None:
        text = report(question, pages, language)
        openings = re.findall(r"^## .+\n\n(.+)$", text, re.MULTILINE)
        summary_said = openings[:1]
        assert not any(re.match(r"(?:He|She|They|However|Also|Therefore)\b", opening) for opening in openings)
        assert not any(opening.startswith("It ") for opening in summary_said)

    def test_it_is_the_same_each_time(self, question: str, pages: list[Page], language: str) -> None:
        assert report(question, pages, language) == report(question, list(reversed(pages)), language)


def test_names_seen_equally_often_come_in_the_same_order_in_each_process() -> None:
    """Words are held in sets, whose order differs from process to process."""
    code = """
from deep_research_offline.model.overview import recurring_names
from deep_research_offline.model.page import Page

guests = "by Anna Ohm, Bert Ohm, Carl Ohm, Dora Ohm, Emil Ohm, Gustav Ohm and Ida Ohm"
text = f"In 2019 Orsk Mill was visited {guests}. The new sails of Orsk Mill were paid for in 2021 {guests}."
pages = [Page("S1.1", "Orsk Mill", text)]
print(recurring_names("Tell me about Orsk Mill.", pages))
"""
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in "1234"
    }
    assert len(said) == 1 and "Gustav" in said.pop()


def test_no_search_is_made_of_what_joins_names_or_is_said_for_emphasis() -> None:
    asked = "How on earth could the Orsk Mill get flooded?"
    pages = [Page("S1.1", "Orsk Mill", "The weir of Orsk Mill broke. It flooded the Orsk Mill.")]
    sent = searches(asked, asked, pages)
    assert sent[0] == "Orsk Mill get flooded"
    assert not any(word in query.split() for query in sent for word in ("earth", "could", "the"))


def test_whoever_wants_the_full_picture_looks_for_no_picture_and_into_further_sides() -> None:
    asked = "Orsk Mill - give me the full picture"
    sent = [searches(asked, topic.title, ()) for topic in topics(asked, (), 5)]
    assert not any("picture" in query for queries in sent for query in queries)
    assert any(query == "Orsk Mill cost price budget funding" for queries in sent for query in queries)


def test_who_looks_into_one_of_several_things_searches_for_that_one() -> None:
    asked = "Compare Orsk Mill and Hasel Mill: price, speed and staff."
    told = f"Hasel Mill. price, speed, staff\n\nOne topic of a larger question: “{asked}”"
    assert searches(asked, told, ())[:2] == ["Hasel Mill price speed staff", "Orsk Mill, Hasel Mill"]


def test_who_is_sent_out_for_a_thing_that_pages_have_named_searches_for_that_one() -> None:
    asked = "Which mill should we rent, and what speaks against it?"
    told = f"Hasel Mill\n\nThis is one question of a larger piece of research: “{asked}”"
    assert searches(asked, told, ())[0] == "Hasel Mill"


def test_what_a_choice_needs_at_least_is_no_part_of_what_is_searched_for() -> None:
    assert subject("We grind at most eight tonnes a day. Which water mill should we buy?") == "water mill"


def test_a_report_on_causes_tells_cause_measures_and_what_became_of_them() -> None:
    text = report(WHY)
    assert "weir that had not been opened in time" in text
    assert "recommended that the weir be motorised" in text
    assert "finished in May 2018" in text
    assert "refused by the town council" in text
    assert "Veld Mill" not in text


def test_sources_that_disagree_are_both_named_under_one_heading() -> None:
    part = report(WHY).split("## Where the sources disagree")[1].split("\n## ")[0]
    assert "900,000 crowns" in part
    assert "1,300,000 crowns" in part


def test_what_two_parties_to_a_debate_count_is_told_though_neither_names_the_place() -> None:
    pages = [
        Page("S1.1", "Fees for mooring in the Orsk Valley",
             "The council of the Orsk Valley is to abolish mooring fees. The argument about them goes on.",
             "2031-05-01"),
        Page("S1.2", "Ten reasons to abolish mooring fees",
             "Mooring fees are wrong. We have 9,033 signatures against mooring fees, and a cart for them.",
             "2031-04-01"),
        Page("S1.3", "Mooring fees: income and effects",
             "A petition asks to abolish mooring fees. Of the entries 6,904 signatures were found valid.",
             "2031-04-20", "government"),
    ]  # fmt: skip
    asked = "Where does the argument about abolishing mooring fees in the Orsk Valley stand? Who says what?"
    part = compose(asked, pages, language="en").split("## Where the sources disagree")[1]
    assert "9,033 signatures, or 6,904" in part or "6,904 signatures, or 9,033" in part


def test_what_is_disputed_of_the_thing_itself_is_told_in_a_report_on_causes() -> None:
    case = Page(
        "S2.1", "Case file: Orsk Mill", "Our assessor puts the damage at 750,000 crowns.", "2016-01-01"
    )
    owner = Page("S2.2", "To our guests", "We estimate the damage at 1,100,000 crowns.", "2015-04-01")
    text = compose(WHY, [INQUIRY, case, owner], language="en")
    assert "750,000 crowns, or 1,100,000 crowns" in text


def test_an_old_value_stands_with_its_date_and_the_newer_one() -> None:
    text = report(OVERVIEW)
    part = text.split("## What is dated")[1].split("\n## ")[0]
    assert "As of 2009-06-01" in part
    assert "costs 20 crowns" in part
    assert "45 crowns" in part
    assert "costs 45 crowns" in text
    assert "20 crowns" not in text.replace(part, "")


def test_things_that_share_attributes_stand_in_a_table() -> None:
    rows = [line for line in report(COMPARE).splitlines() if line.startswith("|")]
    assert any("Orsk Mill" in row and "31 m [S1.1]" in row and "1884" in row for row in rows)
    assert any("Veld Mill" in row and "22 m [S1.7]" in row for row in rows)
    assert any("Hasel Mill" in row and "18 m [S1.8]" in row for row in rows)


def test_what_was_asked_and_is_not_there_is_named() -> None:
    text = report("Compare Orsk Mill, Veld Mill and Dorn Mill by height, wheels and acoustics.")
    part = text.split("## What could not be found")[1]
    assert "Dorn Mill" in part
    assert "acoustics" in part


def test_what_a_request_lists_after_its_question_are_criteria() -> None:
    asked = "which mill should a baker rent? compare price, running costs and delivery time"
    assert criteria(asked) == ("price", "running costs", "delivery time")


def test_a_year_of_opening_is_no_answer_to_opening_hours() -> None:
    pages = [
        Page("S3.1", "Orsk Mill", "Opened: 1884\n\nHeight: 31 m"),
        Page("S3.2", "Veld Mill", "Opened: 1901\n\nHeight: 22 m"),
    ]
    table = [
        line
        for line in report("Compare Orsk Mill and Veld Mill by opening hours and height.", pages).splitlines()
        if line.startswith("|")
    ]
    assert any("31 m" in line for line in table)
    assert "Opening hours" not in table[0]


def test_a_report_on_what_no_page_names_says_that_nothing_was_found() -> None:
    text = report("zorbak vs quimble market share", [MILL])
    assert text.rstrip().endswith("The sources say nothing about zorbak vs quimble market share.")
    assert "water mill" in report("tell me everything about orsk mil", [MILL])
    for name in ("Quimble Mill", "quimble mill", "Quimble"):
        assert f"say nothing about {name}" in report(f"tell me everything about {name}", [MILL])


def test_where_no_cause_or_dispute_is_told_a_report_says_so_and_goes_on_with_nothing_else() -> None:
    pages = [
        Page(
            "S1.1",
            "The café of Orsk Mill",
            "The menu of the café has 12 kinds of soup. A menu costs 2 crowns.",
        ),
        Page(
            "S1.2",
            "Orsk Mill in figures",
            "Orsk Mill had 41,000 visitors in 2023.\n\nThe toll brought in 9,000.",
        ),
    ]
    for asked, said in (
        ("why do people argue about the café menu", "The sources do not say who disagrees"),
        ("why was the café menu dropped and what was done about it", "The sources do not say why"),
        ("the history of the largest aquarium", "The sources say nothing about"),
    ):
        text = report(asked, pages)
        assert said in text.split("\n\n")[1] and "41,000" not in text and "## Summary" not in text
        assert ("12 kinds of soup" in text) == ("menu" in asked)


def test_of_several_amounts_in_a_sentence_a_cell_holds_the_one_in_the_unit_of_its_column() -> None:
    pages = [
        Page(
            "S1.1",
            "Mills on offer",
            "| Mill | Price |\n| --- | --- |\n| Orsk Mill | 900 crowns |\n| Veld Mill | 80 crowns |",
        ),
        Page(
            "S1.2",
            "Orsk Mill on trial",
            "Orsk Mill on trial\n\nUpkeep per year: 30 crowns\n\nSpeed: 12 sacks",
        ),
        Page(
            "S1.3",
            "Veld Mill on trial",
            "Veld Mill stopped 11 times in the course of a year, and costs 4 crowns in upkeep.",
        ),
    ]
    text = report("Should we buy Orsk Mill or Veld Mill? Compare price and upkeep per year.", pages)
    row = next(line for line in text.splitlines() if line.startswith("| Veld Mill"))
    assert "80 crowns" in row and "4 crowns" in row
    assert "80 crowns, or 4 crowns" not in text


def test_what_stands_around_a_table_and_gives_no_figure_is_no_part_of_a_report() -> None:
    rows = "\n".join(f"| {year} | {year - 1900} sacks |" for year in range(2010, 2018))
    table = Page(
        "S1.9",
        "Flour of all mills",
        f"All mills, weirs and barges together.\n\n| Year | Flour |\n| --- | --- |\n{rows}",
    )
    text = report("Give me an overview of the mills.", [table, MILL])
    assert "barges together" not in text and "117 sacks" in text


def test_who_asks_which_of_a_kind_to_choose_is_told_of_each_that_a_page_lists() -> None:
    pages = [
        Page("S2.1", "Where to take your rye", "Two mills take private rye, Orsk Mill and Veld Mill."),
        Page("S2.2", "Orsk Mill", "Orsk Mill grinds rye. It grinds 40 sacks of rye a day."),
        Page("S2.3", "Veld Mill", "Veld Mill turns to the wind. Its miller asks 3 crowns for each sack."),
        Page("S2.4", "Rye bread", "A loaf of rye bread costs 12 crowns at the mills of the mainland."),
    ]
    text = report("which mill should i take my rye to", pages)
    assert "### Orsk Mill" in text and "### Veld Mill" in text and "loaf" not in text


def test_a_beginner_is_told_first_what_the_things_are() -> None:
    mills = Page(
        "S1.9",
        "Questions about mills",
        "A weir is a low dam that holds back the water of a mill.\n\nMay I visit a mill at night?\n\n"
        "Below the mill, yes, and mind the 12 dogs of the mill.",
    )
    asked = "Give me an overview of the mills."
    text = report(asked, [mills, MILL], limits=limits_in("", "an overview of the mills for a beginner"))
    assert "## The words, for a beginner\n\n- A weir is a low dam" in text
    assert "12 dogs" not in text and "for a beginner" not in report(asked, [mills, MILL])


def test_what_a_pronoun_says_belongs_to_the_thing_named_before_it() -> None:
    pages = [
        Page("S1.1", "Orsk Mill", "Orsk Mill is a water mill.\n\nWheels: 3 wheels\n\nHeight: 31 m"),
        Page("S1.2", "Veld Mill", "Veld Mill is a wind mill.\n\nHeight: 22 m"),
        Page("S1.3", "A year with a mill", "We bought Veld Mill in spring. It needs 2 millers, us two."),
    ]
    text = report("Compare Orsk Mill and Veld Mill by height and millers.", pages)
    row = next(line for line in text.splitlines() if line.startswith("| Veld Mill"))
    assert "2 millers" in row


def test_of_things_compared_it_is_told_thing_by_thing_and_nothing_of_others() -> None:
    pages = [
        Page("S2.1", "Orsk Mill", "Orsk Mill is a water mill. It grinds 40 sacks a day.\n\nHeight: 31 m"),
        Page("S2.2", "Veld Mill", "Veld Mill is a wind mill. It grinds 90 sacks a day.\n\nHeight: 22 m"),
        Page("S2.3", "Tarn Bakery", "Tarn Bakery was founded in 1902. It buys 12 sacks from Orsk Mill."),
    ]
    text = report("Should I take my grain to Orsk Mill or Veld Mill?", pages)
    told = text.split("## What else is told")[1]
    orsk, veld = told.split("### Orsk Mill")[1].split("### Veld Mill")
    assert "40 sacks" in orsk and "90 sacks" in veld
    assert "Bakery" not in text


def test_places_joined_by_a_dash_are_no_values_of_one_of_them() -> None:
    pages = [
        Page("S4.1", "In brief: notes from Orsk", "A flight on the Orsk–Veld route takes 15 hours."),
        Page("S4.2", "Two slow days, part 2", "A flight on the Orsk–Tarn route takes 13 hours."),
    ]
    assert "13 hours" not in report("Tell me all about Orsk.", pages).partition("disagree")[2]


def test_a_larger_share_on_time_is_better_and_keeps_its_sign() -> None:
    lines = [
        Page(
            f"S3.{n}",
            f"{name} Line",
            f"{name} Line runs trams.\n\n- Arrivals on time: {share}%\n- Fare: {n} crowns",
        )
        for n, (name, share) in enumerate((("Arn", 91), ("Bor", 64), ("Cal", 78)), 1)
    ]
    text = report("Which of Arn Line, Bor Line or Cal Line should I take?", lines)
    assert "On arrivals on time, Arn Line comes first with 91%." in text


def test_what_is_counted_tells_which_is_better_whatever_the_criterion_is_called() -> None:
    mills = [
        Page(f"S3.{n}", f"{name} Mill", f"- Reliability: {stops} unplanned stops\n- Wheels: {n}")
        for n, (name, stops) in enumerate((("Arn", 23), ("Bor", 6), ("Cal", 18)), 1)
    ]
    text = report("Compare Arn Mill, Bor Mill and Cal Mill on reliability, please.", mills)
    assert "On reliability, Bor Mill comes first with 6 unplanned stops. [S3.2]" in text


def test_a_figure_keeps_the_bold_heading_that_says_what_it_is_of() -> None:
    page = Page(
        "S1", "Late fees", "**Income.** 66,000 crowns in 2031.\n\n**Cost.** Letters are cheap to send."
    )
    told = notes("late fees and what they bring", [page])
    assert "- Income: 66,000 crowns in 2031. [S1]" in told
    assert "- Letters are cheap to send. [S1]" in told


def test_why_needs_no_word_for_the_way_that_something_went() -> None:
    price = Page("S1.1", "Freight on the Tarn", "The cause is known: the price of coal for freight doubled.")
    text = report("is freight on the tarn growing or shrinking and whats behind it", [price])
    assert "the price of coal for freight doubled. [S1.1]" in text
    assert "nothing was found" not in text.lower()


def test_a_wish_in_a_sentence_of_its_own_without_a_capital_asks_for_nothing_more() -> None:
    assert "nothing was found" not in report(f"{WHY.lower()} need a proper writeup").lower()


def test_a_thing_of_the_same_kind_is_another_though_nothing_lists_both() -> None:
    asked = Page("S1.1", "Lake Orsk", "The dam at Lake Orsk broke. The lake had been full for a week.")
    other = Page("S1.2", "A boat sinks", "The accident on Lake Tarn left 3 dead. The cause was a leak.")
    assert "3 dead" not in report("What happened at Lake Orsk, and why did the dam break?", [asked, other])


def test_what_one_side_does_not_dispute_is_not_what_nobody_disputes() -> None:
    page = Page(
        "S1.1",
        "The dispute about the bell of Orsk",
        "According to the neighbours, the bell is too loud. The parish does not dispute it, but argues "
        "that it rings for an hour only. Supporters and opponents have collected signatures.",
    )
    assert "nobody disputes" not in report("What is the debate about the bell of Orsk?", [page])


def test_labelled_facts_lead_a_report_on_how_one_thing_has_fared() -> None:
    page = Page(
        "S1.1",
        "Orsk Dock",
        "Orsk Dock belongs to the town.\n\n- Staff: 267 people\n- Debt: 90 crowns\n- Cranes: 4\n- Ships: 12",
    )
    assert "| Staff | 267 people [S1.1] |" in report(
        "How has Orsk Dock developed, and how is it now?", [page]
    )


def test_what_several_researchers_noted_of_a_page_is_read_once_and_whole() -> None:
    one = "### The gate — Costs\n- **Orsk Gate** cost 3 crowns. It is new. [S1]\n\n"
    two = "### The gate — Costs\n- **Orsk Gate** cost 3 crowns. [S1]"
    text = finding_pages(one + two)[0].text
    assert text.count("3 crowns") == 1
    assert "Orsk Gate cost 3 crowns. It is new." in text


def test_years_make_a_series() -> None:
    rows = "\n".join(
        f"| {year} | {visitors} |"
        for year, visitors in zip(range(2018, 2024), (9, 8, 3, 5, 7, 9), strict=True)
    )
    page = Page(
        "S2.1",
        "Visitors of Orsk Mill",
        f"| Year | Visitors (thousand) |\n| --- | --- |\n{rows}\n",
        "2024-01-01",
    )
    text = report("How have the visitors of Orsk Mill developed since 2018?", [*PAGES, page])
    assert "| 2018 | 9 [S2.1] |" in text
    assert "| 2023 | 9 [S2.1] |" in text


def test_a_recommendation_says_what_speaks_for_which_and_what_would_change_it() -> None:
    costs = [
        Page(
            f"S3.{n}",
            name,
            f"{name} is a mill. The yearly cost of {name} is {cost},000 crowns.",
            f"202{n}-01-01",
        )
        for n, (name, cost) in enumerate((("Arn Mill", 40), ("Bor Mill", 25), ("Cal Mill", 60)))
    ]
    text = report(
        "Which of Arn Mill, Bor Mill or Cal Mill should I choose? I care about cost and safety.", costs
    )
    part = text.split("## What would change the choice")[1]
    assert "On cost, Bor Mill comes first with 25,000 crowns. [S3.1]" in part
    assert "Nothing was found on safety" in part


@pytest.mark.parametrize("words", [60, 120, 200])
def test_a_stated_length_is_kept(words: int) -> None:
    text = report(WHY, limits=limits_in(f"{WHY} In at most {words} words."))
    assert 25 <= length(text) <= words


def test_a_stated_number_of_sections_is_kept() -> None:
    text = report(WHY, limits=limits_in(f"{WHY} Use at most 2 sections."))
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert len([heading for heading in headings if heading != "Summary"]) <= 2


@pytest.mark.parametrize(
    "form, sign",
    [
        ("Form: slides.", r"^- .+\]$"),
        ("Form: key points.", r"^- .+\]$"),
        ("Form: one numbered list.", r"^1\. .+\]$"),
    ],
)
def test_a_stated_form_is_kept(form: str, sign: str) -> None:
    text = report(OVERVIEW, limits=limits_in(form))
    assert re.search(sign, text, re.MULTILINE)
    assert "|" not in text


def test_plain_text_has_no_headings_lists_or_tables() -> None:
    text = report(OVERVIEW, limits=limits_in("Form: plain text."))
    assert not re.search(r"^(?:##|- |\|)", text, re.MULTILINE)


def test_prescribed_sections_stand_in_their_order_and_no_others() -> None:
    limits = limits_in("- Sections: exactly these, in this order: Causes; History\n- Summary: none.")
    headings = re.findall(r"^## (.+)$", report(WHY, limits=limits), re.MULTILINE)
    assert headings[:2] == ["Causes", "History"]
    assert "Summary" not in headings


def test_a_subject_that_no_source_names_is_denied() -> None:
    text = report("Give me an overview of the Zeppelin works.")
    assert "nothing about" in text
    assert not quoted(text)


def test_a_request_that_names_no_subject_is_denied_and_not_answered_with_anything_at_hand() -> None:
    text = report("why do people disagree about Which? and what is known for sure")
    assert "names no subject" in text and "Mill" not in text


def test_a_section_says_what_its_title_asks() -> None:
    text = section("Causes", PAGES, question=WHY, language="en")
    assert "weir" in text
    assert "1921" not in text
    assert not text.startswith("#")


def test_sections_share_out_what_there_is_to_say_and_say_none_of_it_twice() -> None:
    headings = [WHY, "Causes", "Effects", "Where the sources disagree"]
    texts = [section(name, PAGES, headings, question=WHY, language="en") for name in headings]
    told = [said for text in texts for said, _ in quoted(text)]
    assert len(told) == len(set(told))
    assert "1921" in "".join(texts)  # it bears on none of the headings, and is not lost


def test_a_section_with_room_goes_on_where_a_paragraph_says_what_is_named_before() -> None:
    told = """The flood at Orsk Mill was looked into for 3 months. The cause of the flood is not in dispute.
Both smiths name a worn hinge as the part that gave way. It had not been oiled by anybody."""
    pages = [Page("S1.1", "Inquiry into the flood at Orsk Mill", told), INQUIRY]
    headings = [WHY, "Causes", "What was done about it"]
    assert "a worn hinge" in section("Causes", pages, headings, question=WHY, language="en")


def test_notes_keep_whole_passages_for_whoever_writes_the_report() -> None:
    kept = notes(WHY, PAGES, words=400)
    assert "### Report on the flood at Orsk Mill — Causes" in kept
    assert "weir that had not been opened in time" in kept
    assert all(IDS.search(line) for line in kept.splitlines() if line.startswith("- "))


def test_an_outline_names_the_sides_that_the_pages_tell_of() -> None:
    found = outline(WHY, PAGES, 5)
    assert 2 <= len(found) <= 5
    assert "Causes" in found


FERRIES = """We took the Orla Ferry, Tern Boats and Wick Lines in one week.

With Orla Ferry children under nine travel free. There is a play room with 40 seats on the upper deck.

With Tern Boats children under three travel free. There is a kitchen that serves 12 kinds of soup."""
LINES = [
    Page("S1.1", "Three ferries compared", FERRIES, "2031-05-01", "news"),
    Page(
        "S1.2", "Families on board Tern Boats", "Children of up to 3 years pay nothing at all on our boats."
    ),
    Page("S1.3", "Families on board Orla Ferry", "Orla Ferry takes children of up to 9 years for nothing."),
]


@pytest.mark.parametrize("name", ["Orla Ferry", "orla"])
def test_what_is_said_of_another_of_the_kind_asked_about_is_left_out(name: str) -> None:
    text = report(f"Tell me everything about {name} with children.", LINES)
    assert "play room with 40 seats" in text and "up to 9 years" in text
    assert "12 kinds of soup" not in text and "3 years pay nothing" not in text


def test_statements_of_a_paragraph_stay_together() -> None:
    text = report(WHY)
    for said in split_prose("The weir keeper was ill, and no deputy had been named."):
        assert said in text


class TestWhatIsAsked:
    def test_the_series_asked_about_comes_first_and_the_summary_tells_it(self) -> None:
        years = [
            Page(
                f"S2.{year}",
                f"Mills of the Tarn: statistics {year}",
                f"## Visitors\n\n| Mill | Visitors | Staff |\n| --- | --- | --- |\n"
                f"| Orsk Mill | {visitors} | 12 |\n| Hald Mill | 100 | 3 |\n",
                f"{year + 1}-01-10",
                "government",
            )
            for year, visitors in ((2020, "41,000"), (2021, "12,000"), (2022, "58,000"), (2023, "47,000"))
        ]
        said = compose(
            "how have visitor numbers at orsk mill developed", [MILL, INQUIRY, *years], language="en"
        )
        summary, first = said.split("## ")[1:3]
        assert "Visitors: 41,000 (2020), 47,000 (2023); between 12,000 (2021) and 58,000 (2022)." in summary
        assert first.startswith("Development over time") and "Staff" not in first
        assert "battery" not in said and "weir" not in said

    @pytest.mark.parametrize(
        "question",
        [
            "should the weir be opened at night? what do people say",
            "what are the advantages of a second gauge",
            "水车该不该晚上开？",
            "水車は夜も動かすべきでしょうか。",
        ],
    )
    def test_a_question_for_opinions_asks_for_a_debate(self, question: str) -> None:
        assert kind_of(question) == "debate"

    def test_entries_of_a_log_are_left_out(self) -> None:
        log = "\n\n".join(
            f"At {time} a {who} at Orsk Mill observed that the upper gate was still closed to the river."
            for time, who in (("09:35", "visitor"), ("08:54", "weaver"))
        )
        page = Page("S1.9", "Orsk Mill: statements", f"## The night\n\n{log}\n", "2015-04-01", "news")
        assert "09:35" not in compose("tell me about Orsk Mill", [MILL, page], language="en")


BARN = Page(
    "S4.1",
    "The year in Tarn county",
    """A dry year lies behind the county of Tarn, and the roads are better than they were.

## Fires

On 9 May 2019 a barn of the Veld farm burned down because of a lamp. The damage came to 70,000 crowns.

## Water

The flood at Orsk Mill in 2015 has cost the county 50,000 crowns in pumps, which were bought in 2019.
""",
    "2020-01-09",
    "government",
)


def test_a_page_on_another_matter_tells_only_what_it_says_of_this_one() -> None:
    text = report(WHY, [*PAGES, BARN])
    assert "50,000 crowns in pumps" in text
    assert "barn" not in text and "dry year" not in text


@pytest.mark.parametrize(
    "asked, lacking",
    [
        ("Write a report on e-ink and balloons at Orsk Mill.", "e-ink and balloons"),
        ("How do pumps compete with airships at Orsk Mill?", "pumps and airships"),
    ],
)
def test_a_report_whose_matter_no_page_has_says_so_and_nothing_else(asked: str, lacking: str) -> None:
    text = report(asked)
    assert f"nothing about {lacking}" in text
    assert not quoted(text)


def test_a_part_that_no_page_has_is_named_at_the_head() -> None:
    text = report("Write a report on the flood, the weir, the museum and the orchestra of Orsk Mill.")
    head = text.split("\n## ")[1]
    assert head.startswith("Summary") and "Nothing was found on orchestra." in head
    assert "caused by a weir" in text
    assert "Nothing was found" not in report(OVERVIEW)


def test_a_general_word_is_not_taken_for_a_short_name() -> None:
    pages = [
        *PAGES,
        Page("S4.1", "Veld Milling Company", "Veld Milling Company grinds. Veld Milling Company."),
    ]
    asked = "Why was Orsk Mill flooded in 2015, and what has the company done since?"
    assert "Veld" not in report(asked, pages).splitlines()[0]


@pytest.mark.parametrize(
    "asked, title",
    [
        (
            "What went wrong when Orsk Mill was flooded, and what came of it?",
            "Orsk Mill was flooded: causes and consequences",
        ),
        ("Where does the debate on tolls at the Orsk weir stand?", "Tolls at the Orsk weir: the debate"),
        (
            "What does a weaver's daily life look like: pay, rest, training?",
            "What does a weaver's daily life look like",
        ),
        (
            "Should I buy Orsk Mill, Veld Mill or Hasel Mill?",
            "Orsk Mill, Veld Mill and Hasel Mill: which to choose",
        ),
        ("Give me an overview of the mill toll please, the main things", "Mill toll"),
        ("how did orsk mill go from a shed to what it is now", "Orsk Mill: development"),
        ("Should towns drop the mill toll? i need both sides", "Should towns drop the mill toll?"),
        ("history of orsk mill: owners, money, staff", "History of Orsk Mill"),
        ("overview of tolls in the orsk mill pls - money, quarrels, thanks!", "Tolls in the Orsk Mill"),
        (
            "hi! veld or hasel, which one would you choose?? thanks!",
            "Veld Mill and Hasel Mill: which to choose",
        ),
    ],
)
def test_a_title_is_the_matter_and_not_the_request(asked: str, title: str) -> None:
    assert report(asked).splitlines()[0].startswith(f"# {title}")


def test_a_summary_opens_with_what_happened_and_names_its_subject() -> None:
    opened = Page(
        "S4.1",
        "Water in the hall",
        "Orsk Mill, the oldest of the river Tarn, was under water on 3 March 2015. Two pumps came.\n\n"
        "Of the looms of the lower hall 42 per cent belonged to others. The cellar key cost 12 crowns.",
        "2015-03-04",
        "news",
    )
    summary = report(WHY, [MILL, opened]).split("## Summary\n\n")[1].split("\n\n")[0]
    assert summary.startswith("On 3 March 2015 the river rose by four metres")
    assert "cellar key" not in summary and "belonged to others" not in summary


def test_what_a_report_tells_in_other_words_is_not_said_to_be_missing() -> None:
    pages = [
        Page(
            "S1.1",
            "Orsk Mill",
            "Orsk Mill is a mill. It stands at an elevation of 402 m.\n\nIt was opened in 1884.",
        ),
        Page(
            "S1.2",
            "Veld Mill",
            "Veld Mill stands 31 m above sea level. Anna Ohm has been its manager since 2020.",
        ),
    ]
    asked = "Compare Orsk Mill and Veld Mill by height above the sea, who is in charge, age and smell."
    assert criteria(asked) == ("height above the sea", "who is in charge", "age", "smell")
    text = report(asked, pages)
    assert "402 m" in text and "31 m" in text and "Anna Ohm has been its manager" in text
    missing = text.split("## What could not be found")[1]
    assert "smell" in missing and "height" not in missing
    assert "charge for Orsk Mill." in missing and "age for Veld Mill." in missing


MILLS = ("Arn Mill", "Bor Mill")


def compared(pages: list[Page], *wanted: str) -> str:
    """The table of two mills by attributes."""
    table = facts_table(gather(f"Compare {' and '.join(MILLS)}", pages, MILLS), MILLS, wanted)
    return table.markdown("Mill") if table else ""


def test_a_cell_holds_a_value_of_its_attribute_with_its_newest_year() -> None:
    rows = "| Mill | Visitors |\n| --- | --- |\n| Arn Mill | {} |\n| Bor Mill | {} |\n"
    pages = [
        Page(f"S3.{n}", f"Mills of the Wend: statistics 20{n}", rows.format(n * 11, n * 13), published)
        for n, published in ((21, "2026-01-01"), (23, "2024-01-01"))
    ]
    said = "The chief miller of {} asks 13 crowns of every guest."
    pages += [Page(f"S4.{n[:3]}", n, said.format(n), "2024-01-01") for n in MILLS]
    text = compared(pages, "visitors", "chief miller")
    assert "| Arn Mill | 253 (2023) [S3.23] |" in text
    assert "| Bor Mill | 299 (2023) [S3.23] |" in text
    assert "crowns" not in text


def test_a_cell_is_of_what_its_sentence_or_page_is_about() -> None:
    pages = [
        Page(
            "S1.1",
            "A year with a stove",
            "A friend of ours has an Ember and is much admired. Another has the big one, and had 24 blocked "
            "pipes in a winter.",
        ),
        Page("S1.2", "On trial: the Ember", "The Ember is a stove. It had 11 blocked pipes in a winter."),
        Page("S1.3", "On trial: the Hearth", "The Hearth is a stove. It had 24 blocked pipes in a winter."),
    ]
    text = report("Compare the Ember and the Hearth by blocked pipes and price.", pages)
    assert "| Ember | 11 blocked pipes [S1.2] |" in text and "| Hearth | 24 blocked pipes [S1.3] |" in text


def test_an_overview_opens_with_its_subject_and_reads_a_slip_as_what_is_meant() -> None:
    pages = [
        Page(
            "S1.1",
            "On trial: the Orsk Ember",
            "Buying a stove is a little like marrying for the winter. The Orsk Ember heats a room of "
            "40 square metres with dry wood. A new chimney costs as much as the stove itself did.",
        ),
        Page(
            "S1.2",
            "Which stove?",
            "A good stove needs a tall chimney and a shed for the wood. The Orsk Ember is for big rooms and "
            "patient people with a shed. There is a debate about the smoke of the Orsk Ember in the valley.",
        ),
    ]
    text = report("Write an overview of the Orsk Ember", pages)
    assert text.split("## Summary\n\n")[1].startswith("The Orsk Ember heats a room of 40 square metres")
    assert "deabte" not in report("What is the state of the deabte about the Orsk Ember?", pages)


def test_neither_blame_nor_an_amount_empties_a_report_on_a_known_name() -> None:
    mills = [
        Page("S1.1", "Orsk Mill", "Orsk Mill is a water mill. It grinds 8 tonnes of rye a day."),
        Page("S1.2", "Veld Mill", "Veld Mill is a wind mill. It grinds 20 tonnes of oats a day."),
    ]
    assert "water mill" in report("What happened to Orsk Mill and who is to blame?", mills)
    assert "oats" in report("Which should we use, Orsk Mill or Veld Mill? We need 12 tonnes.", mills)


def summary(question: str, pages: list[Page]) -> str:
    """The summary of a report, without the ids."""
    return IDS.sub("", report(question, pages).split("## Summary\n\n")[1].split("\n\n")[0])


def test_a_summary_on_causes_names_the_cause_with_the_sentence_that_it_needs() -> None:
    inquiry = Page(
        "S5.1",
        "Inquiry into the fall of the Orsk bridge",
        "The Orsk bridge fell on 3 March 2015 at noon.\n\n## Causes\n\nWe report to the council every year. "
        "It wants plain words, because it asked for them.\n\nThe technical cause is not in dispute. Both "
        "laboratories name a rusted bolt as the part that failed first, after 40 winters of salt.\n\n"
        "The river was cold. The bank had 12 lamps. But they were not lit.",
        "2016-01-01",
        "government",
    )
    text = summary("Why did the Orsk bridge fall, and what came of it?", [inquiry])
    assert "The technical cause is not in dispute. Both laboratories name a rusted bolt" in text
    whole = report("Why did the Orsk bridge fall, and what came of it?", [inquiry])
    assert "12 lamps" not in text and ("12 lamps" in whole) == ("not lit" in whole)  # half a contrast


def test_a_summary_says_of_what_it_tells_where_the_request_names_no_thing() -> None:
    pages = [
        Page(
            "S6.1",
            "Orsk Mill",
            "Rebuilt in 1991, the mill now has room for 11 looms. The wheel of Orsk Mill is 9 m wide.",
        ),
        Page(
            "S6.2",
            "Veld Mill",
            "In 1950 the mill burned down after a spark. Veld Mill sells 30 tonnes of flour.",
        ),
        Page(
            "S6.3",
            "Mills of the river Tarn",
            "Of the mills on the river Tarn 12 still grind rye, oats and wheat.",
        ),
    ]
    text = summary("Tell me everything worth knowing about mills.", pages)
    assert "12 still grind" in text and "the mill " not in text


def test_words_of_arguing_alone_do_not_put_an_argument_under_for_or_against() -> None:
    court = Page(
        "S7.1",
        "The mill court on the toll at Orsk",
        "The mill court wants to be heard on dropping the toll at Orsk. The toll at Orsk pays 40 crowns a "
        "day, and the court sees no advantage in dropping the toll at Orsk.",
        "2020-01-01",
        "government",
    )
    council = Page(
        "S7.2",
        "Council votes on the toll at Orsk",
        "The council voted on 3 May 2021 with 9 to 4 to drop the toll at Orsk on trial.",
        "2021-05-03",
        "news",
    )
    text = report("What is the state of the debate on dropping the toll at Orsk?", [court, council])
    assert "40 crowns a day" in text and "## For\n" not in text and "## Positions and criticism" in text


def test_labels_that_say_the_same_in_more_words_share_a_column() -> None:
    rows = "| Mill | Price new |\n| --- | --- |\n| Arn Mill | 40 crowns |\n| Bor Mill | 60 crowns |\n"
    pages = [Page("S9.1", "Mills for sale", rows, "2026-01-01")]
    pages += [
        Page(f"S9.{n}", name, "- Price: 30 crowns\n- Wheels: 4", "2020-01-01")
        for n, name in enumerate(MILLS, 2)
    ]
    text = compared(pages, "visitors")
    assert text.startswith("| Mill | Price | Wheels |\n") and "| Arn Mill | 40 crowns [S9.1] |" in text


def test_notices_and_what_a_page_says_of_itself_are_no_content_in_any_language() -> None:
    pages = [
        Page(
            "S1.1",
            "岚山天文台",
            "继续浏览即表示您同意。岚山天文台成立于1962年，现有员工46人，每年接待访客3万人。",
        ),
        Page(
            "S1.2",
            "嵐山天文台",
            "以下は登録簿からの抜粋である。嵐山天文台は1962年に開設された。職員は46人である。",
        ),
    ]
    assert "您同意" not in report("请介绍一下岚山天文台的总体情况", pages[:1], "zh")
    assert "抜粋" not in report("嵐山天文台について教えてください", pages[1:], "ja")


def test_rows_with_other_columns_stand_in_a_table_of_their_own() -> None:
    rows = [f"{name} — wheels: {n}; looms: {n * 3}" for n, name in enumerate(MILLS, 3)]
    rows += [f"{name} — tonnes of rye: {n}" for n, name in enumerate(MILLS, 40)]
    text = report("Write an overview of mills", [Page("S1.1", "Mills of the Tarn", "\n".join(rows))])
    assert "| Arn Mill | 3 [S1.1] | 9 [S1.1] |" in text and "| Item | tonnes of rye |" in text


RECOMMENDED = Page(
    "S1.1",
    "What became of the recommendations on the flood at Orsk Mill",
    """The flood at Orsk Mill was caused by a weir. So far 9 roofs have been replaced.

| Recommendation | State |
| --- | --- |
| Smoke alarms | Done, June 2043 |
| Replacement of old roofs | So far 9 roofs replaced |
| Second stairs | Delayed until 2046 |
| Free reporting | Refused by the owners |
""",
    "2044-01-01",
    "government",
)


def test_a_quoted_table_has_all_its_rows_also_of_what_researchers_noted() -> None:
    noted = notes(WHY, [RECOMMENDED])
    for text in (report(WHY, [RECOMMENDED]), noted, report(WHY, finding_pages(noted))):
        assert "Replacement of old roofs" in text and "Refused by the owners" in text
    assert "So far 9 roofs have been replaced" in noted


def test_a_passage_is_not_left_at_the_first_of_two_causes() -> None:
    told = """The flood at Orsk Mill in 2015 had two causes. The first is the weir, which opened 4 hours
late. The second is the gauge, which had failed in 2014 because nobody looked after it."""
    text = "\n".join(
        line for line in report(WHY, [Page("S1.1", "The flood", told)]).splitlines() if "[" in line
    )
    assert re.search(r"two causes\..*The first is.*The second is", text)


def test_sentences_that_stood_apart_are_no_paragraph() -> None:
    text = report(WHY)  # what the damage came to stands between, and is told where sources disagree
    assert "lower hall of Orsk Mill. [S1.1]\n" in text and "\nThe museum remained closed" in text


def test_nobodys_words_run_on_into_another_page() -> None:
    ours = "We opened the weir at Orsk Mill 4 hours late, because our keepers were ill."
    pages = [Page("S1.1", "Statement on the flood at Orsk Mill", ours), INQUIRY]
    writer = Writer(WHY, pages, "en", Limits())
    said = quotes_of(writer.gathered)
    told = writer.paragraphs([*(q for q in said if q.page == "S1.1"), *(q for q in said if q.page != "S1.1")])
    assert "Statement" in told[-2] and "4 hours late" in told[-1] and "[S1.2]" in told[0]


def test_who_asks_for_a_timeline_is_told_what_is_dated_in_the_order_of_the_years() -> None:
    told = """Orsk Mill is a mill on the Tarn. The museum opened in 1990.

In 1921 the mill was converted to electricity. The mill was built in 1884 by Lena Brandt."""
    text = report(
        "Timeline of Orsk Mill from the beginning until today, please", [Page("S1", "Orsk Mill", told)]
    )
    assert re.search(r"^- .*1884.*\n- .*1921.*\n- .*1990", text, re.MULTILINE)


def test_an_accident_of_another_year_at_the_same_place_is_another_matter() -> None:
    told = """The Orsk Mill accident of 2009 was investigated by the town. At 13:16 the weir keeper heard two
blasts of the horn of the gauge.

## Causes

The weir keeper was ill because the gauge upstream had not been opened in time. The report recommended a
second gauge at the upper bridge. The damage came to 39 wheels."""
    other = Page("S1.9", "Report of the inquiry into the Orsk Mill accident of 2009", told, "2010-01-01")
    text = report(WHY.replace(" in 2015", ""), [*PAGES, other])
    assert "horn" not in text and "39 wheels" not in text and "weir" in text


def test_what_a_search_has_cut_off_is_not_quoted() -> None:
    cut = "The weir at Orsk Mill failed in the flood of 2015 because 17 keepers had…"
    assert "17 keepers" not in report(WHY, [*PAGES, Page("S1.9", "The flood at Orsk Mill", cut)])


def test_what_is_left_of_a_note_is_not_joined_over_what_went() -> None:
    found = "### The gate\n- It cost 3 crowns. It is new. The wall is old. [S1]\n"
    again = "\n### The gate — Age\n- It is new. [S1]"
    assert "3 crowns. The wall" not in finding_pages(found + again)[0].text


def test_no_passage_begins_with_a_sentence_that_leans_on_one_left_out() -> None:
    club = Page(
        "S1.1",
        "What millers complain of",
        "Of the mills on the Tarn 12 were late with flour in 2019. Who would have thought so? The line of "
        "boats publishes a far smaller number, 3 a year.\n\nIn 2020 the mills on the Tarn ground 90 tonnes "
        "of rye.",
        "2021-01-01",
    )
    text = report("Write an overview of the mills on the Tarn", [club])
    assert "90 tonnes" in text
    assert re.search(r"^The line of boats", text, re.MULTILINE) is None


@pytest.mark.parametrize(
    "asked",
    [
        "history of orsk mill, quick",
        "what happened at Orsk Mill, why, and has it been mended?",
        "whats going on at Orsk Mill? do people get less or more out of it and why",
    ],
)
def test_an_everyday_word_that_no_page_has_is_no_reason_to_deny_what_they_tell(asked: str) -> None:
    text = report(asked)
    assert "say nothing" not in text and "weir" in text


def test_words_that_stand_together_count_together() -> None:
    pages = [
        Page(
            "S5.1",
            "The year of the Night Watch",
            "The Night Watch of Tarn counts what happens in the county.\n\n## Night milling\n\n"
            "Night milling fell to 300 sacks because the lamps were sold.\n\n## Roads\n\n"
            "The Night Watch had 12 holes mended because carts broke in them.",
            "2024-01-01",
            "government",
        ),
        Page("S5.2", "Night milling: a view", "Night milling brings in 900 crowns, and lamps cost 400."),
        Page("S5.3", "A fair", "At the fair 40 people stayed for the night because of the rain."),
    ]
    text = report("whats going on with night milling, up or down and why?", pages)
    assert "300 sacks" in text and "12 holes" not in text and "40 people" not in text


def test_things_set_side_by_side_without_criteria_share_a_table_of_what_is_told_of_each() -> None:
    pages = [
        Page("S5.1", "Orsk Mill", "Orsk Mill was founded in 1884. It employs 12 millers."),
        Page("S5.2", "Veld Mill", "Today 7 millers earn their living at Veld Mill. It was founded in 1901."),
        Page("S5.3", "Ember: built by Orsk Mill", "The Ember of Orsk Mill has 9 plates and weighs 80 kg."),
        Page("S5.4", "Glow: built by Veld Mill", "The Glow of Veld Mill weighs 95 kg."),
    ]
    text = report("Orsk Mill vs Veld Mill", pages)
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert "Founded" in rows[0] and "Millers" in rows[0] and "Weighs" not in rows[0]
    assert "1884" in rows[2] and "12 millers" in rows[2] and "1901" in rows[3] and "7 millers" in rows[3]


def test_a_slip_in_a_list_of_things_is_read_as_what_pages_have_and_said_so() -> None:
    text = report("Compare Orsk Mill, Veld Mill and Hassel Mill.")
    assert text.startswith("# Orsk Mill, Veld Mill and Hasel Mill")
    assert "“Hassel Mill”" in text and "Nothing was found on" not in text


def test_an_overview_of_a_kind_puts_its_things_in_a_table_and_tells_of_a_few() -> None:
    register = Page(
        "S5.1",
        "Mills of the Tarn: register",
        "| Mill | Built | Wheels |\n| --- | --- | --- |\n| Orsk Mill | 1884 | 4 wheels |\n"
        "| Veld Mill | 1901 | 2 wheels |\n| Hasel Mill | 1799 | 1 wheel |\n",
    )
    text = report("Give me an overview of the mills.", [MILL, OTHER, THIRD, register])
    assert text.index("| Orsk Mill | 1884") < text.index("## Some of them")
    assert "31 metres" not in text or "900,000 crowns" not in text


def test_what_was_done_since_an_inquiry_is_no_cause() -> None:
    since = Page(
        "S5.1",
        "What has been done since the inquiry into the flood at Orsk Mill",
        "The flood at Orsk Mill has cost the county 3 pumps of 70 crowns.\n\n"
        "The weir keeper of Orsk Mill has 2 deputies now, who live on the bank.",
        "2021-01-01",
        "government",
    )
    text = report(WHY, [MILL, INQUIRY, since])
    assert text.index("## What was done about it") < text.index("2 deputies")


def test_where_only_the_reasons_are_lacking_the_rest_is_told() -> None:
    years = Page(
        "S5.1",
        "Flour of all mills",
        "The mills count flour in sacks.\n\n| Year | Flour |\n| --- | --- |\n"
        + "".join(f"| {y} | {y - 1900} sacks |\n" for y in range(2018, 2023)),
    )
    text = report("how did the number of sacks of the mills change over the years and why", [years])
    assert "122 sacks" in text and "The sources do not say why" in text


def test_who_asks_why_people_disagree_and_what_is_sure_asks_for_a_debate() -> None:
    assert kind_of("why do people disagree about the weir and what do we know for sure") == "debate"
    assert kind_of("水车为什么停了，最后怎么解决的？写一份报告") == "why"
    assert kind_of("水車の賛否をまとめて。何が分かっているの？") != ""


def test_whether_something_grows_and_what_is_behind_it_asks_for_a_report() -> None:
    assert kind_of("are the mills grinding more or less, and whats behind it") == "why"


def test_the_summary_of_one_thing_tells_nothing_of_what_it_made() -> None:
    settings = load_settings({"system": "open_deep_research"})
    text = research(
        "write a report about Lunstosa Yard for a beginner", settings=settings, keep=False
    ).markdown
    summary = text.partition("## Summary")[2].partition("\n## ")[0]
    assert "Lunstosa Yard is a shipyard" in summary and "The Haerissa" not in summary


def test_a_summary_is_in_the_script_of_its_report() -> None:
    question = "compare fiselke, neldanlo, casholpri and miquilto by length, stops and stock"
    settings = {"web.seed": 16, "web.domain": "libraries", "system": "open_deep_research"}
    text = research(question, settings=load_settings(settings), keep=False).markdown
    assert "| Casholpri Lending Boat | 37 m" in text
    assert "| Miquiltu Lending Boat | 45 m" in text and "Nothing was found on miquilto" not in text
    assert not any(map(is_cjk, text.partition("## Summary")[2].partition("\n## ")[0]))


def test_a_report_on_one_thing_tells_nothing_of_what_it_made() -> None:
    wheel = Page(
        "S6.2",
        "Tarn Wheel",
        "The Tarn Wheel is a water wheel. The Tarn Wheel was built by Veld Smithy.\n\n## History\n\n"
        "The Tarn Wheel was rebuilt in 1921. Since 1921 it has had 40 paddles.",
    )
    works = Page("S6.1", "Veld Smithy", "Veld Smithy is a maker of water wheels. It was founded in 1880.")
    text = report("tell me about veld smithy", [works, wheel])
    assert text.startswith("# Veld Smithy: overview")  # as pages write it
    assert "built by Veld Smithy" in text and "1921" not in text


def test_what_belongs_to_no_side_stands_under_none() -> None:
    assert "costs 45 crowns" in report(OVERVIEW).split("## What else is told")[1]


def test_a_beginner_is_told_what_the_things_are_that_the_report_names() -> None:
    guild = Page("S6.4", "Tarn Guild", "Tarn Guild is a union of millers.")
    fees = Page(
        "S6.5",
        "Fees for flour",
        "Fees for flour rose to 12 crowns because Tarn Guild asked for it. Tarn Guild wants fees of 15 "
        "crowns for flour. The fees for flour are paid in spring.",
    )
    text = report("Give me an overview of fees for flour.", [fees, guild], limits=Limits(plain=True))
    assert "## The words, for a beginner\n\n- Tarn Guild is a union of millers." in text


def test_a_profile_has_no_heading_for_the_people_of_another_thing_and_no_bare_advice() -> None:
    mill = "Orsk Mill is a water mill of the hills. Orsk Mill has room for 40 sacks and was rebuilt in 1931."
    yards = "The yards of Vell Works are at Orsk Mill, far from the houses, with a director of their own."
    founder = "Its founder, Nell Ardo, came to stones by way of clocks, and its staff is 30 people."
    pages = [
        Page("S1", "Orsk Mill", f"{mill}\n\nOrsk Mill has 3 wheels. Its director is Una Kell."),
        Page("S2", "Vell Works", f"Vell Works is a maker of stones. {founder} {yards}"),
        Page("S3", "Any mill?", "Orsk Mill if you are broke."),
    ]
    text = report("tell me about Orsk Mill", pages)
    assert "## People" not in text and "broke" not in text and "40 sacks" in text


def test_a_debate_opens_with_who_wants_what_and_with_nothing_beside_it() -> None:
    guild = Page(
        "S1",
        "Five reasons against the toll",
        "We oppose the toll at Orsk. Our petition against it has 90 names.",
    )
    court = Page(
        "S2",
        "The court on the toll",
        "In the opinion of the court the toll should be paid by whoever crosses. "
        "The toll at Orsk brings in 900 crowns, and a third of the carts are red.",
    )
    text = report("who is for and who is against the toll at Orsk?", [guild, court])
    opening = text.split("## Summary")[1].split("\n## ")[0]
    assert "- Five reasons against the toll: We oppose the toll at Orsk. [S1]" in opening
    assert "- The court on the toll: In the opinion of the court" in opening
    assert "red" not in opening


def test_what_all_sides_agree_on_is_told_without_what_stands_before_it() -> None:
    agreed = "All sides have agreed to one thing: that the toll at Orsk is counted."
    text = f"The mayor has promised a choice. {agreed}"
    against = " The guild opposes the toll at Orsk and warned the court of it; critics argue about it."
    pages = [Page("S1", "The toll at Orsk: the arguments", text + against)]
    part = report("What is the state of the debate on the toll at Orsk?", pages)
    part = part.split("## What nobody disputes")[1].split("\n## ")[0]
    assert "All sides have agreed" in part and "mayor" not in part


def test_a_debate_says_what_nobody_disputes() -> None:
    pages = [
        Page(
            "S6.6",
            "The toll: a round of arguments",
            "Supporters of the toll say that it brings in 900 crowns. Opponents of the toll object that it "
            "costs 700 crowns.\n\nThe toll keeps 40 carts away. Nobody disputes that number.",
        )
    ]
    part = report("What is the state of the debate on the toll?", pages).split("## What nobody disputes")[1]
    assert part.strip().startswith("- The toll keeps 40 carts away. [S6.6] Nobody disputes that number.")


def test_where_a_matter_is_looked_at_is_not_the_matter() -> None:
    review = """The roads of the Tarn Hills were mended in 2021.

## Wool

Farms sold 30 tons of wool in 2021.

## Bridges

The old bridge fell in 2022."""
    pages = [
        Page("S6.7", "Farms of the Tarn Hills", "In 2020 the farms of the Tarn Hills sold 40 tons of wool."),
        Page("S6.8", "Review of the Tarn Hills", review),
        Page("S6.9", "Up and down", "Wool fell to 12 crowns in 2022 because cloth came from abroad."),
        Page("S6.10", "A fair in the Tarn Hills", "A fair in the Tarn Hills drew 900 people in 2022."),
    ]
    text = report("How has wool in the Tarn Hills developed over the years?", pages)
    assert "12 crowns" in text and "30 tons" in text
    assert "bridge" not in text and "900 people" not in text


def test_of_two_summaries_of_a_page_the_one_with_the_whole_paragraph_is_read() -> None:
    alone, after = "The north ford reports few wet carts.", "We asked the carters, and count 12 carts."
    told = f"Summary: {alone}\n\nKey excerpts:\n- {alone}\n\nSummary: ## Fords\n{alone} {after}"
    assert page_text(told) == f"## Fords\n\n{alone} {after}"


def test_a_choice_for_which_nothing_is_set_side_by_side_stays_open() -> None:
    text = report("Which guesthouse should a family near Orsk Mill take?", [MILL, INQUIRY, OLD])
    assert "No answer was found to “Which guesthouse should a family near Orsk Mill take”" in text


def test_things_that_a_title_only_says_where_they_are_for_are_no_choice_of_places() -> None:
    guide = Page(
        "S1.1",
        "Three boats for the valley villages",
        "| Boat | Price |\n| --- | --- |\n| The Wren | 40 crowns |\n| The Rook | 60 crowns |\n",
    )
    assert items("Which boat should I buy?", [guide]) == ("The Wren", "The Rook")
    assert items("Which village should I visit?", [guide]) == ()


def test_of_a_chinese_request_the_thing_that_no_page_has_is_named() -> None:
    text = report("请介绍岚山天文台的财务状况和火灾", ZH, language="zh")
    assert "没有找到关于财务状况的内容" in text
    assert "没有找到" not in report("请介绍岚山天文台的火灾", ZH, language="zh")


def test_names_without_a_comma_between_them_are_things_of_their_own() -> None:
    named = enumerate(("Arn Mill", "Bor Mill", "Cal Mill"))
    pages = [Page(f"S1.{n}", name, f"{name} is a mill.") for n, name in named]
    assert items("compare arn mill bor mill and cal mill on price and size pls", pages) == (
        "Arn Mill", "Bor Mill", "Cal Mill"
    )  # fmt: skip
    assert criteria("compare Arn Mill and Bor Mill on price and size pls") == ("price", "size")


def test_a_line_in_italics_keeps_both_its_marks() -> None:
    [page] = finding_pages("- *Lena Brandt teaches at the school of Orsk.* [S1]\n* The mill is old. [S1]")
    assert "*Lena Brandt teaches at the school of Orsk.*" in page.text
    assert "* The mill" not in page.text


def test_sentences_of_a_paragraph_in_italics_have_no_mark_alone() -> None:
    page = Page("S1.1", "Letters", "*Few subjects bring us so many letters. We print what we get.*")
    assert [s.text for s in page.sentences] == [
        "Few subjects bring us so many letters.",
        "We print what we get.",
    ]


def test_what_there_is_to_choose_from_stands_on_the_page_that_tells_most_of_the_matter() -> None:
    guide = Page(
        "S1.1",
        "Which lifting gear? A guide for small yards",
        "A lifting machine spares the back of whoever works in a yard. We looked at two machines.\n\n"
        "| Winch | Price | Pull |\n| --- | --- | --- |\n| The Wren | 40 crowns | 3 tonnes |\n"
        "| The Rook | 60 crowns | 5 tonnes |\n\nA winch for a narrow quay is the Wren. No yard needs both.",
    )
    inns = Page(
        "S1.2",
        "Inns of Orsk",
        "| Inn | Price |\n| --- | --- |\n| The Swan | 4 crowns |\n| The Bull | 5 crowns |",
    )
    asked = "what lifting machine should a tiny yard with one jetty buy"
    assert items(asked, [guide, inns]) == ("The Wren", "The Rook")
    assert "which to choose" in report(asked, [guide, inns])


def test_a_debate_is_told_though_the_request_calls_its_matter_by_another_word() -> None:
    paper = Page(
        "S1.1",
        "Sleep or trade: the arguments about Orsk Quay by night",
        "Supporters want landings at Orsk Quay by night, because trade would grow by 20 per cent. "
        "Opponents object that 300 households would wake, and the council voted 9 to 4 in favour of a trial.",
    )
    vote = Page(
        "S1.2", "Night landings at Orsk Quay", "The council voted 9 to 4 for night landings at Orsk Quay."
    )
    boats = [Page(f"S2.{n}", f"Boat {n}", f"Boat {n} carries {n} crates to the islands.") for n in range(4)]
    boats.append(Page("S3.1", "Boat 9", "Boat 9 has made 80 passages to Orsk Quay."))
    text = report(
        "should orsk quay keep night passages? whats the case for and against", [paper, vote, *boats]
    )
    assert "20 per cent" in text and "do not say who disagrees" not in text


def test_a_cause_told_without_the_word_is_a_cause() -> None:
    walk_out = Page(
        "S4.1",
        "Lock keepers of Orsk walk out",
        "Since 3 March 2015 no boat has passed the locks of Orsk. The union counts 46 keepers.\n\n"
        "The quarrel began with the cancelled night bonus. Keepers complain of rosters of eleven days.",
        published="2015-03-04",
    )
    settled = Page(
        "S4.2",
        "Agreement at the locks of Orsk",
        "After 38 days of strike the lock keepers of Orsk signed an agreement on 10 April 2015.",
        published="2015-04-11",
    )
    text = report(
        "why did the lock keepers of orsk go on strike and how did it end", [walk_out, settled, MILL]
    )
    assert "do not say why" not in text
    assert "night bonus" in text


def test_two_words_that_a_page_has_side_by_side_are_one_matter() -> None:
    flood = Page(
        "S4.1",
        "Mill cellar flooded",
        "The cellar of the mill was flooded on 3 March 2015, and 900 sacks were lost.",
    )
    mills = [
        Page(f"S5.{n}", f"Mill {n}", f"Mill {n} got {n}34 complaints in 2014 from its neighbours.")
        for n in range(4)
    ]
    text = report(
        "i have to write an essay about the flooding of a mill cellar, what happened", [flood, *mills]
    )
    assert "900 sacks" in text and "complaints" not in text
    assert text.startswith("# Flooding of a mill cellar")


def test_a_profile_leaves_out_what_a_page_in_another_language_says_of_the_same_thing() -> None:
    pages = [
        Page(
            "S1.1",
            "Orsk Mill (mill)",
            "The Orsk Mill is a water mill in the valley. It grinds 8 tonnes of rye.",
        ),
        Page(
            "S1.2",
            "オルスク水車",
            "オルスク水車（Orsk Mill）は谷にある水車である。オルスク水車は1901年に建てられた。",
        ),
        Page(
            "S1.3",
            "ヴェルド水車",
            "ヴェルド水車（Veld Mill）はOrsk Millの下流にある。Orsk Millは1902年に改修された。",
        ),
    ]
    text = report("tell me about orsk mill", pages)
    assert "water mill" in text and "1901" not in text and "S1.2" not in text
    assert "1901" in report("オルスク水車（Orsk Mill）について教えてください。", pages)


def test_what_pages_on_other_things_say_in_the_same_words_is_no_news_of_this_one() -> None:
    pages = [
        Page(
            f"S1.{n}",
            f"Register of mills: {name}",
            f"Entry {20 + n} of the register.\n\nThe {name} turns {n} stones.",
        )
        for n, name in enumerate(("Orsk Mill", "Veld Mill", "Hasel Mill"), start=1)
    ]
    text = report("tell me about the Orsk Mill", pages)
    assert "turns 1 stones" in text and "Entry" not in text


def test_a_profile_quotes_of_a_page_on_another_thing_what_that_says_of_its_own() -> None:
    pages = [
        Page("S1.1", "Tom Harker", "Tom Harker was a miller of the valley. He was born in 1880."),
        Page(
            "S1.2",
            "Orsk Mill",
            "Orsk Mill is a water mill. Orsk Mill grinds 8 tonnes of rye a day. The founder of the mill was "
            "Tom Harker. Its wheel measures 9 metres.",
        ),
    ]
    text = report("tell me about tom harker", pages)
    assert "grinds 8 tonnes of rye a day. [S1.2] The founder of the mill was Tom Harker. [S1.2]" in text
    assert "is a water mill" not in text and "9 metres" not in text


def test_labels_on_the_page_of_another_thing_are_not_those_of_the_one_that_they_name() -> None:
    rows = "| Item | Value |\n|---|---|\n| Built | 1931 |\n| Builder | Harker & Sons |\n| Height | 21 m |\n\n"
    pages = [
        Page(
            "S1.1",
            "Harker & Sons",
            "Harker & Sons is a firm of millwrights in the valley. It was founded in 1899.",
        ),
        Page("S1.2", "Veld Mill", f"{rows}The Veld Mill is a wind mill. It was built by Harker & Sons."),
    ]
    assert "| Height | 21 m" not in report("tell me about Harker & Sons", pages)


def test_advice_on_one_thing_alone_sets_it_beside_no_others() -> None:
    table = "| Stove | Price |\n|---|---|\n| Orsk Ember | 90 crowns |\n| Veld Hearth | 70 crowns |\n"
    pages = [
        Page(
            "S1.1",
            "Which stove?",
            f"{table}\nThe Orsk Ember is for big rooms. The Veld Hearth is for small ones.",
        ),
        Page(
            "S1.2",
            "On trial: the Orsk Ember",
            "The Orsk Ember heats a room of 40 square metres with dry wood.",
        ),
    ]
    text = report("is the orsk ember any good?", pages)
    assert (
        "40 square metres" in text
        and "Veld Hearth" not in text.splitlines()[0]
        and "No answer was found" in text
    )
    assert "Veld Hearth" in report("Which stove should we buy?", pages)


def test_a_word_of_a_name_stands_for_no_other_thing_with_that_word() -> None:
    pages = [
        Page(
            "S1.1",
            "Orsk Mill",
            "Orsk Mill is a water mill. It was built in 1901 and grinds 8 tonnes of rye a day.",
        ),
        Page(
            "S1.2",
            "Veld Mill",
            "Veld Mill is a wind mill. It was built in 1931 and grinds 20 tonnes of oats a day.",
        ),
    ]
    assert "Veld" not in report("tell me about orsk mill", pages)


def test_a_link_with_parentheses_in_its_address_leaves_nothing_behind() -> None:
    link = "[Orsk Mill (former address)](https://a.example/Orsk_(mill)_(old)?stub=1)"
    text = f"{link}\n\nOrsk Mill grinds 8 tonnes of rye a day."
    assert "stub" not in report("tell me about orsk mill", [Page("S1.1", "Orsk Mill", text)])


def test_a_side_that_is_asked_for_too_is_not_the_matter() -> None:
    pages = [
        Page("S1", "Orsk Mill", "Orsk Mill was founded in 1931. Orsk Mill burned in 1950."),
        Page("S2", "Veld Mill", "Veld Mill is a mill. It was opened in 1903."),
    ]
    asked = "give me a history of Orsk Mill for our newsletter, with the money side too"
    assert "founded in 1931" in report(asked, pages)


def test_what_happened_is_told_where_nobody_says_why() -> None:
    pages = [
        Page(
            "S1.1",
            "The Orsk Affair",
            "The Orsk Affair was about a wheel. In the affair the wheel was found in a barn.",
        ),
        Page(
            "S1.2",
            "Ruling on the Orsk Affair",
            "Ruling on the Orsk Affair, the court set a fine of 300 crowns.",
        ),
    ]
    assert "do not say" not in report("orsk affair what happened", pages)
    assert "do not say why" in report("Why did the Orsk Affair fail?", pages)


def test_notes_on_why_keep_what_is_given_as_the_cause() -> None:
    text = (
        "## The place\n\nThe Orsk Mill lies below the old town by the river.\n\n"
        "## The night\n\nThe evening was quiet at the Orsk Mill, and everybody slept well.\n\n"
        "## Where the water came from\n\nThe source was a burst cistern under the roof.\n\n"
        "## What was lost\n\nThe sacks of the Orsk Mill were lost to the last one."
    )
    pages = [Page("S1.1", "Inquiry into the flooding of the Orsk Mill", text)]
    asked = "Why was the Orsk Mill flooded and what has been done since?"
    assert "burst cistern" in notes(asked, pages, words=16)
    assert "burst cistern" in notes(asked, pages, side="The mill: Causes", words=16)


def test_what_one_researcher_notes_under_its_heading_comes_once() -> None:
    findings = (
        "### The Orsk Mill\n- It has four wheels. The source of the fire was a lamp. It burnt for 9 hours. "
        "[S1.1]\n\n"
        "### The Orsk Mill — The fire\n- The source of the fire was a lamp. It burnt for 9 hours. [S1.1]"
    )
    (page,) = finding_pages(findings)
    assert (
        page.text
        == "It has four wheels.\n\n## The fire\n\nThe source of the fire was a lamp. It burnt for 9 hours."
    )


NORTH = Page(
    "S1.1",
    "Orsk Weaving Company",
    "Orsk Weaving Company was founded in 1884 by Lena Brandt. Orsk Weaving Company employs 120 people in two "
    "halls by the river. Its cloth is sold in nine countries.",
    "2024-02-01",
    "reference",
)
SOUTH = Page(
    "S1.2",
    "Hasel Weaving Company",
    "Hasel Weaving Company was founded in 1921 by Timo Reik. Hasel Weaving Company employs 45 people, most "
    "of them dyers. It closed its old hall in 2019.",
    "2024-03-01",
    "reference",
)


def test_things_of_which_a_request_says_only_what_their_names_share_are_told_of_one_by_one() -> None:
    told = compose("give me an overview of Weaving Company", [NORTH, SOUTH], language="en")
    assert "Orsk Weaving Company or Hasel Weaving Company?" in told or "Hasel Weaving Company or Orsk" in told
    north = told.split("## Orsk Weaving Company")[1].split("\n## ")[0]
    assert "1884" in north
    assert "1921" not in north
    alone = compose("give me an overview of Hasel Weaving Company", [NORTH, SOUTH], language="en")
    assert "1884" not in alone
    assert "or Hasel" not in alone


def test_a_request_whose_only_words_are_for_whom_it_is_has_no_subject() -> None:
    told = compose("write a report about Should for a beginner", [NORTH, SOUTH], language="en")
    assert "names no subject" in told
    debate = compose("why do people disagree about Which? and what is known for sure", [NORTH], language="en")
    assert debate.startswith("# Why do people disagree about Which?")
    part = section(
        "Causes",
        [NORTH, SOUTH],
        ["Causes"],
        question="write a report about Should for a beginner",
        language="en",
    )
    assert "[" not in part


def test_a_name_that_no_page_has_is_not_told_of_by_its_single_words() -> None:
    pages = [
        Page("S1.1", "The reading hour", "In the evening 40 people met to read the letters of 1912 aloud."),
        Page(
            "S1.2", "The clerk", "The clerk left his post in 2019 after a dispute about 300 crowns of rent."
        ),
    ]
    assert "[" not in compose("tell me about the Evening Post", pages, language="en")
    denied = compose("tell me about the Evening Ministry of Silent Letters", pages, language="en")
    assert "nothing about Evening Ministry of Silent Letters." in denied
    asked = "tell me about the Ministry of Silent Letters"
    assert "Ministry of Silent Letters" in section("History", pages, question=asked, language="en")
    named = Page(
        "S1.3", "Posts by evening", "The evening posts were stopped in 2014, which saved 9,000 crowns."
    )
    assert "2014" in compose("tell me about the Evening Post", [*pages, named], language="en")


def test_what_an_older_page_says_has_been_so_since_a_year_carries_its_date() -> None:
    old = Page("S1.1", "Orsk Mill", "Orsk Mill has been led by Lena Brandt since 2001.", "2010-05-01")
    new = Page(
        "S1.2",
        "Orsk Mill",
        "Timo Reik was made director of Orsk Mill in 2015. It has 12 looms.",
        "2024-05-01",
    )
    told = compose("tell me about Orsk Mill", [old, new], language="en")
    assert "As of 2010-05-01: Orsk Mill has been led by Lena Brandt" in told


def test_a_disagreement_for_which_there_is_no_room_is_left_out_whole() -> None:
    said = (
        "- The owners: The flood cost the mill 300 crowns. [S1.1]\n- The inquiry: It cost 900 crowns. [S1.2]"
    )
    text = f"## Summary\n\nThe mill was flooded. [S1.1]\n\n### Orsk Mill: 300 crowns, or 900 crowns\n\n{said}"
    assert shortened(text, 100) == text
    assert shortened(text, 25) == "## Summary\n\nThe mill was flooded. [S1.1]"


def test_notes_keep_paragraphs_apart_and_no_heading_or_cut_link() -> None:
    snippet = (
        "The museum of Orsk Mill opens in summer.\nMembership\nOrsk Mill asks its 900 members for 40 crowns."
        "\nSee also\n[Lena Brandt](https://mills.example/wiki/Lena…"
    )
    told = notes("tell me about Orsk Mill", [Page("S1.1", "Orsk Mill", snippet)])
    assert "40 crowns" in told
    assert not re.search(r"Membership|\]\(", told)


@pytest.mark.parametrize("wish", ["max 400 words", "for a beginner", "in 2 pages"])
def test_what_is_wished_of_the_form_is_no_part_of_what_is_asked(wish: str) -> None:
    talk = Conversation([{"role": "user", "content": f"tell me about Orsk Mill, {wish}"}])
    assert asked_question(talk).strip(" ,") == "tell me about Orsk Mill"


def test_sides_that_a_request_lists_stand_first() -> None:
    told = compose("report on Orsk Mill: history, events, problems", [MILL, INQUIRY], language="en")
    headings = re.findall(r"^## (.+)$", told, re.MULTILINE)
    assert headings.index("Origins and history") < headings.index("What happened")
    turned = compose("report on Orsk Mill: what happened, history", [MILL, INQUIRY], language="en")
    headings = re.findall(r"^## (.+)$", turned, re.MULTILINE)
    assert headings.index("What happened") < headings.index("Origins and history")


def test_a_place_that_pages_have_by_the_name_in_it_alone_is_told_of() -> None:
    court = "The Vorn Court of Mills defends the toll. A toll keeps the weir in repair, says the court."
    union = "We propose that the toll be abolished. It keeps millers out of the valley, and 40 have left."
    pages = [
        Page("S1.1", "Statement of the Vorn Court of Mills on the toll", court, "2031-05-01", "government"),
        Page("S1.2", "Five reasons to abolish the toll", union, "2031-04-01"),
    ]
    asked = "Where does the argument about abolishing the toll in the {} Valley stand? Who says what?"
    assert "weir in repair" in report(asked.format("Vorn"), pages)
    assert "weir in repair" not in report(asked.format("Hald"), pages)


def test_a_side_in_a_list_of_which_nothing_is_told_denies_no_report() -> None:
    text = compose("orsk mill - state, mishaps, quarrels", [MILL, INQUIRY], language="en")
    assert "say nothing" not in text and "## " in text


MENDERS = [
    Page(
        "S6.1",
        "Where to have a kettle mended: a guide",
        "Three shops in the valley mend a kettle: Orsk Smithy, Veld Smithy and Hasel Smithy.\n\n"
        "## If you ask us\n\nFor a kettle that is used every day: Orsk Smithy. "
        "For one that nobody would miss: Veld Smithy.\n\n## Noise\n\n"
        "And then there is Veld Smithy, with a band in the yard.",
    ),
    Page("S6.2", "Orsk Smithy", "Orsk Smithy mends a kettle for 30 crowns. It was hit in 1990: 12 injured."),
    Page("S6.3", "Veld Smithy", "At Veld Smithy a kettle costs 12 crowns. Injured in 1991: 3 people."),
    Page("S6.4", "Hasel Smithy", "Hasel Smithy is open until ten. A kettle costs 40 crowns at Hasel Smithy."),
]
WISHES = "Which smithy should mend my kettle? It must not be too expensive, and quiet would be good."


def test_wishes_in_plain_words_are_criteria_of_advice() -> None:
    assert weighed(WISHES) == ("price", "noise")
    assert weighed(
        "Which mill should we buy? We have little money, it must be cheap to run and should last."
    ) == (
        "price",
        "running cost",
        "durability",
    )
    assert weighed("Which mill is the oldest, and is it cheap?") == ()
    assert weighed("该买哪台磨？要便宜、安静的。请推荐。") == ("费用", "噪音")


def test_advice_opens_with_what_sources_advise_and_what_is_asked_for_alone_decides() -> None:
    text = report(WISHES, MENDERS)
    lead = text.partition("## Comparison")[0]
    assert "For a kettle that is used every day: Orsk Smithy." in lead
    assert "For one that nobody would miss: Veld Smithy." in lead
    assert "price (12 crowns), Veld Smithy is to be preferred" in lead and "njured" not in lead
    assert "## Noise" in text and "with a band in the yard" in text
    assert "Nothing was found on noise (“quiet”) for Orsk Smithy and Hasel Smithy." in text


def test_advice_that_no_source_gives_is_said_to_be_missing() -> None:
    bare = [
        Page("S6.1", "Orsk Smithy", "Orsk Smithy mends every kettle by hand. It has 2 smiths."),
        Page("S6.2", "Veld Smithy", "Veld Smithy mends a kettle in its yard, since 1990."),
    ]
    text = report("Should I take my kettle to Orsk Smithy or Veld Smithy?", bare)
    assert "do not say which of these to take" in text


@pytest.mark.parametrize("question", ["what's the lowdown on orsk mill", "whats the skinny about orsk mill"])
def test_words_that_only_ask_are_not_told_as_missing(question: str) -> None:
    text = report(question, [MILL, INQUIRY, AFTER])
    assert "lowdown" not in text.split("\n", 1)[1]
    assert "skinny" not in text.split("\n", 1)[1]
    assert "1884" in text


def test_what_asks_which_way_something_goes_lists_nothing() -> None:
    question = "is the museum at orsk mill tanking or picking up again"
    assert items(question, [MILL, INQUIRY, AFTER]) == ()
    assert "Nothing was found on tanking" not in report(question, [MILL, INQUIRY, AFTER])


def test_a_reprint_and_an_everyday_wording_hide_no_page_on_the_same_story() -> None:
    news = (
        "从2031年4月2日清晨起，青山纺织厂的织机全部停下。工会说，参加罢工的有212名织工。\n\n"
        "事情的起因是解雇一名织工。消息在早班前传开。\n\n工会要求加薪15%。厂方只肯出3%，被当场拒绝。"
    )
    pages = [
        Page("S1.1", "青山纺织厂织工罢工，厂房一片寂静", news, "2031-04-03"),
        Page("S1.2", "青山纺织厂停产：织工放下梭子", f"（电讯）\n\n{news}", "2031-04-03"),
        Page(
            "S1.3",
            "谈了又谈，青山纺织厂罢工落幕",
            "历时31天的罢工结束了。\n\n那一天，退休教师何秋应邀出面。她先把椅子换到同一边。\n\n"
            "要点如下：\n\n- 加薪9%，自下月起发放；\n- 再招40名织工；",
            "2031-05-04",
        ),
        Page("S1.4", "罢工之后", "罢工过去两年了。\n\n到目前为止只招到18名织工。", "2033-05-04"),
        Page("S1.5", "青山纺织厂", "青山纺织厂成立于1987年。该厂位于河边。", "2030-01-01"),
        Page("S1.6", "白石陶瓷厂", "白石陶瓷厂成立于1990年。该厂有三座窑。", "2030-01-01"),
    ]
    text = report("青山纺织厂那次罢工到底咋回事啊", pages, "zh")
    assert all(told in text for told in ("解雇一名织工", "历时31天", "加薪9%", "18名织工"))
    assert "白石" not in text
    assert "加薪9%" in report("青山纺织厂员工为啥罢工，最后谈成了没有", pages, "zh")


def test_a_word_in_passing_brings_no_other_matter_into_a_report() -> None:
    pages = [
        Page(
            "S1",
            "Weavers walk out: the strike begins",
            "Since 2 May 2031 all looms of the valley have stood still. The weavers want 9 per cent "
            "more; the "
            "mills have offered 2 per cent.\n\nThe quarrel began when the bonus for night work was "
            "cancelled.",
        ),
        Page(
            "S2",
            "Annual review of the Vorn Council",
            "The council painted 14 bridges, which cost 900 crowns. The goose count of 2031 was the "
            "largest so "
            "far, with 410 birds. The strike of the weavers ended on 9 June 2031 after 38 days. Since "
            "then 12 "
            "weavers have been hired.\n\nGoose eggs fell in price by 4 per cent, or by 11 per cent, as "
            "others say.",
        ),
        Page("S3", "Geese: a sober look", "The price of goose eggs fell by 11 per cent in 2031, we find."),
    ]
    told = compose(
        "what's going on with the strike, who wants what and how did it end?", pages, language="en"
    )
    assert "9 per cent more" in told and "ended on 9 June 2031" in told
    assert "bridges" not in told and "goose" not in told.lower()


def test_a_look_up_that_may_ask_for_more_goes_on_with_what_is_told_of_it() -> None:
    settings = load_settings({"web.domain": "libraries", "web.seed": 0})
    report = research("why was the Morlarho Vault flooded despite all warnings?", settings=settings)
    assert report.status == "partial"
    assert "in one sentence" in report.markdown and "“reason”" not in report.markdown
    assert "blocked storm drain" in report.markdown


def test_one_of_two_questions_in_a_look_up_is_answered_above_what_is_told_of_the_other() -> None:
    settings = load_settings({"web.domain": "libraries", "web.seed": 0})
    asked = "why was the Morlarho Vault flooded and could it have been prevented?"
    first, second = research(asked, settings=settings).markdown.split("\n\n")[2:4]
    assert "blocked storm drain" in first and second.startswith("The closest")
    assert "Yes. It would have been enough to put the shelves one metre higher" in second


def test_what_one_of_several_questions_asks_and_no_page_tells_denies_no_report() -> None:
    asked = (
        "what went wrong at orsk mill and how far did they get with fixing things? how many looms were saved"
    )
    text = report(asked)
    assert "gauge upstream had failed" in text and "looms" in text


def test_where_a_page_comes_from_is_not_told_and_short_plurals_are_their_nouns() -> None:
    page = Page(
        "S1",
        "Council suspends late fees",
        "By wire and from local papers.\n\n"
        "On 3 May 2031 the council decided by 18 votes to 12 to drop late fees.\n\n"
        "Whoever brings a book back late pays nothing until further notice, since the fees kept people away.",
    )
    other = Page("S2", "Walls of the valley", "A bad wall costs more than no wall: 900 crowns a year.")
    told = compose("how did the late fee thing come about", [page, other], language="en")
    assert "18 votes" in told and "By wire" not in told and "wall" not in told


def test_a_word_of_a_yes_or_no_question_without_names_that_no_page_has_is_named() -> None:
    assert "Nothing was found on haunted" in report(
        "Are mills by a river haunted? What happened there so far?"
    )
