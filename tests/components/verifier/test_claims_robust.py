"""Row v12 for claims: no text raises, nothing depends on chance, and time grows with the text."""

import unicodedata
from collections.abc import Callable
from cProfile import Profile
from itertools import count

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from deep_research.components.verifier import verify
from deep_research.components.verifier.claims import SourceText, check_claim
from deep_research.text.blocks import without_spans
from deep_research.text.cited_sentences import cited_sentences
from tests.growth import assert_ten_times_takes_at_most_twenty

MARKS = "[1] [2,3] . ? 。 | --- # - * ` [ ] ( ) \n \ud800 \0 — :"
WORDS = "12 1,200 % km 2041 May not of 's A Port 港 がない 不 三十 per hour"
PIECES = st.sampled_from([*MARKS.split(" "), *WORDS.split(" ")])
TEXTS = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=40).map(" ".join))


@settings(max_examples=150)
@given(TEXTS, TEXTS, TEXTS)
@example("0: :", "0", "")
def test_v12_no_text_raises_and_offsets_hold(claim: str, source: str, title: str) -> None:
    for found in cited_sentences(claim):
        assert 0 <= found.start < found.end <= len(claim)
    assert len(without_spans(claim, [(found.start, found.end) for found in cited_sentences(claim)])) <= len(
        claim
    )
    check = check_claim(claim, [SourceText(source, title, title)])
    assert 0 <= check.score <= 1 and (check.verdict == "flagged") == bool(check.reasons)
    if check.quote is not None:
        assert source[check.start : check.end] == check.quote


@pytest.mark.parametrize(
    "piece",
    [
        "Port Alva has 24 masts and was opened in 1999 by Ida Wern. [1] ",
        "- Port Alva [1]\n",
        "| Port Alva | 24 [1] |\n",
        "阿尔瓦港设有24座系留塔[1]。",
        "[[[[1",
        "24, ",
        "twenty ",
        "三百二十万",
        "is the only no ",
        "_*Port ",
    ],
)
def test_v12_ten_times_the_text_takes_at_most_twenty_times_the_time(piece: str) -> None:
    def check(text: str) -> None:
        cited_sentences(text)
        # A page of its own in each try: what is known of a page is kept
        page = f"Port Alva {next(numbers)}. {text}"
        check_claim("Port Alva has 24 masts, opened in 1999 by Ida Wern.", [page])

    numbers = count()
    assert_ten_times_takes_at_most_twenty(check, lambda size: piece * (size // len(piece)), 8_000)


@pytest.mark.parametrize("text", ["fıve mıles", "FİVE", "5 mıllion", "APRİL 3", "3 aprıl"])
def test_v12_letters_that_only_look_like_an_i_raise_nothing(text: str) -> None:
    assert check_claim(f"The mast has {text} lamps.", [f"The mast has {text} lamps."]).verdict


def test_v10_a_name_that_is_said_twice_makes_no_room_for_another_that_is_missing() -> None:
    claim = "Alva Winter Line: about us: The main sled of the Alva Winter Line is the Swift Wern."
    page = "The line loads its heaviest mail on the Swift Dorn, its main sled. It was founded in 1999."
    assert "name" in check_claim(claim, [SourceText(page, "Kolo Winter Line", "Kolo Winter Line")]).reasons


def row(number: int, masts: int = 3) -> str:
    return f"| Port Alva {number} | {number + masts} masts | {1900 + number % 90} |"


TABLE = "| Port | Masts | Opened |\n|---|---|---|\n"
SHAPES: dict[str, tuple[Callable[[int], str], Callable[[int], str]]] = {
    "tables": (
        lambda n: TABLE + "\n".join(row(i).replace(" |", " [1] |", 1) for i in range(n)),
        lambda n: TABLE + "\n".join(row(i) for i in range(4 * n)),
    ),
    "one sentence": (
        lambda n: "Port Alva has 24 masts. [1]\n" * n,
        lambda n: "Port Alva has 24 masts. " * 4 * n,
    ),
    "words that all passages have": (
        lambda n: "".join(f"The mast of Port Alva w{i} is old. [1]\n" for i in range(n)),
        lambda n: "The mast is old. Port Alva is far. " * 2 * n,
    ),
    "sections": (
        lambda n: "".join(f"- Port Alva {i}: masts {i} [1]\n" for i in range(n)),
        lambda n: "".join(f"## Port Alva {i}\n\nIt has {i} masts.\n\n" for i in range(4 * n)),
    ),
    "two sources that differ": (
        lambda n: "".join(f"Mast {i} is {i + 1} m tall. [1]\n" for i in range(n)),
        lambda n: "".join(f"Mast {i} is {i + 1} m tall. " for i in range(4 * n)),
    ),
    "dates": (
        lambda n: "".join(f"Bell {i} was cast in {1100 + i}. [1]\n" for i in range(n)),
        lambda n: "".join(f"{i % 28 + 1} May {1100 + i % 1000}: a bell. " for i in range(4 * n)),
    ),
    "Chinese": (
        lambda n: "".join(f"港口{i}有{i + 5}座塔[1]。\n" for i in range(n)),
        lambda n: "".join(f"港口{i}有{i + 5}座塔。" for i in range(4 * n)),
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_v12_a_report_and_a_page_ten_times_as_long_are_at_most_twenty_times_the_work(shape: str) -> None:
    report, page = SHAPES[shape]

    def work(size: int) -> int:
        """Calls of functions, which unlike seconds are the same on every machine."""
        texts = (page(size), page(size).replace(" m tall", "5 m tall"))
        sources = [
            {"url": f"https://x.example/{n}", "title": "Masts", "text": t} for n, t in enumerate(texts)
        ]
        markdown = f"{report(size)}\n\n## Sources\n\n[1] https://x.example/0\n"
        counter = Profile(subcalls=False)
        done = counter.runcall(verify, markdown, sources)
        assert len(done.claims) == size
        return sum(function.callcount for function in counter.getstats())

    work(3)
    assert work(200) < 20 * work(20)


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        (
            "The ﬁrst ﬂagship ﬁtted in Port Kolo's yard was ﬁlled by Ida Wern.",
            "Of the ﬁve ﬂagships ﬁtted, Ida Wern's yard ﬁlled the ﬁrst in Port Kolo.",
        ),
        ("İda Wern's oﬃce was ﬁve kılometres from Port Kolo.", "Port Kolo's oﬃce is 5 km from Ida Wern."),
    ],
)
def test_v12_characters_that_stand_for_several_change_no_verdict(claim: str, page: str) -> None:
    spelled = [unicodedata.normalize("NFKC", text) for text in (claim, page)]
    assert check_claim(claim, [page]).reasons == check_claim(spelled[0], [spelled[1]]).reasons


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("Cold storage shortens the life of the seals.", "comparison"),
        ("The new valve impairs the cooling of the pump.", "comparison"),
        ("Grain dust is unrelated to the fires.", "comparison"),
        ("The Heron Queen was refitted at the northern dock in 2040.", "name"),
        ("Heron Queen: Repainted in 2041, it now has room for 90 guests.", None),
        ("Low Vacuum Casting (LVC) and the LVCs of Orm use the same wax.", None),
        ("The wax of Orm-made casts is the same in low vacuum casting.", None),
    ],
)
def test_opposites_subjects_and_abbreviations(claim: str, reason: str | None) -> None:
    page = SourceText(
        "Cold storage prolongs the life of the seals. Tests showed that the new valve improves the cooling "
        "of the pump. Risk of fires was higher where grain dust lay. The Heron Queen is moored beside "
        "the Skua Princess. The Skua Princess was refitted at the northern dock in 2040. Low vacuum "
        "casting at Orm uses the same wax as before. The Heron Queen is a ferry. Repainted in 2041, it now "
        "has room for 90 guests.",
        "Heron Queen",
    )
    assert check_claim(claim, [page]).reasons == ((reason,) if reason else ())


TOWER = SourceText(
    "# Kestrel Tower\n\nThe Kestrel Tower was drawn by Mara Oltheim. One sees Vaar from there. "
    "It was completed in 1984 and is 212 metres tall. Entry costs 9.50 euros for adults. "
    "The ferry to Vaar sailed on 3 May 1997 at noon. The fine was 40 euros, and no more. "
    "In 2019 the share of guests from abroad rose from 18 percent to 24 percent.\n\n"
    "| Year | Guests | Sales (million euros) |\n|---|---|---|\n| 2021 | 151,000 | 1.9 |\n"
    "| 2022 | 298,000 | 3.1 |\n\n| Deck | Seats |\n|---|---|\n| Lower Deck | 140 |\n| Upper Deck | 86 |\n",
    "Kestrel Tower",
)


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("Additionally, the Kestrel Tower was drawn by Prof. Mara Oltheim.", None),
        ("According to the operator, it is 212 metres tall.", None),
        ("Entry costs €9.50.", None),
        ("The ferry to Vaar sailed on 3 May.", None),
        ("In 2022 sales were 3.1 million euros.", None),
        ("2022; sales: 3.1 million €", None),
        ("In 2021 sales were 3.1 million euros.", "number"),
        ("The share of guests from abroad rose by 6 percentage points in 2019.", None),
        ("The share of guests from abroad rose by 6 percent in 2019.", "number"),
        ("Mara Oltheim was completed in 1984.", "name"),
        ("Mara Oltheim is 212 metres tall.", "name"),
        ("Kestrel Tower is 212 metres tall.", None),
        ("The fine was 40 euros.", None),
        ("No. Guests: 298,000 in 2022.", None),
        ("Lower Deck: 140 seats, against 86 seats for Upper Deck.", None),
        ("Lower Deck: 140 seats, against 68 seats for Upper Deck.", "number"),
        ("2022: 298,000 guests, against 151,000 in 2021, a difference of 147,000.", None),
        ("2022: 298,000 guests, against 151,000 in 2021, a difference of 174,000.", "number"),
    ],
)
def test_what_a_page_says_in_other_forms_and_of_what_it_says_it(claim: str, reason: str | None) -> None:
    assert check_claim(claim, [TOWER]).reasons == ((reason,) if reason else ())


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("餐厅自2015年起亏损。", None),
        ("餐厅自2015年以来盈利。", "negation"),
        ("来自国外的游客少于一成。", None),
        ("它是该地区最短的桥。", "comparison"),
    ],
)
def test_denials_and_opposites_in_chinese(claim: str, reason: str | None) -> None:
    page = "餐厅自2015年以来一直没有盈利。来自国外的游客不到一成。它是该地区最长的桥。"
    assert check_claim(claim, [page]).reasons == ((reason,) if reason else ())


OWNERS = [
    ("海鸥灯塔高38米，苍鹭灯塔高41米。", "苍鹭灯塔高41米。", "海鸥灯塔高41米。"),
    ("江北快线全长42公里。江南快线全长35公里。", "江南快线全长35公里。", "江北快线全长35公里。"),
    ("南湖博物馆接待观众62万人次，西山博物馆接待45万人次。", None, "南湖博物馆接待观众45万人次。"),
    ("青葉図書館の蔵書は34万冊で、港図書館は52万冊である。", None, "青葉図書館の蔵書は52万冊である。"),
]


@pytest.mark.parametrize(("page", "right", "wrong"), OWNERS)
def test_v12_a_figure_in_chinese_or_japanese_is_of_whom_the_page_gives_it(
    page: str, right: str | None, wrong: str
) -> None:
    assert "number" in check_claim(wrong, [SourceText(page, "概要")]).reasons
    assert not right or check_claim(right, [SourceText(page, "概要")]).reasons == ()


def test_v12_a_figure_behind_a_pronoun_or_none_is_of_what_the_page_is_about() -> None:
    page = SourceText("南湖博物馆于1987年开放，2030年接待观众62万人次，门票40元。", "南湖博物馆")
    for claim in (
        "南湖博物馆门票40元。",
        "该博物馆2030年接待观众62万人次。",
        "2030年南湖博物馆接待观众62万人次。",
    ):
        assert check_claim(claim, [page]).reasons == ()


@pytest.mark.parametrize(
    ("page", "wrong"),
    [
        ("张伟撰写了报告，李娜审阅了报告。", "李娜撰写了报告，张伟审阅了报告。"),
        ("北岸渡轮从阿尔瓦港开往贝罗岛。", "北岸渡轮从贝罗岛开往阿尔瓦港。"),
        ("阿尔瓦港击败了贝罗队。", "贝罗队击败了阿尔瓦港。"),
        ("田中氏が設計し、鈴木氏が建設した。", "鈴木氏が設計し、田中氏が建設した。"),
    ],
)
def test_v12_names_that_change_places_in_chinese_or_japanese_are_seen(page: str, wrong: str) -> None:
    assert check_claim(wrong, [SourceText(page, "概要")]).reasons == ("name",)
    assert check_claim(page, [SourceText(page, "概要")]).reasons == ()


def test_v10_a_row_in_chinese_belongs_to_its_first_cell_and_not_to_the_title() -> None:
    ports = {"洛文尼港": "128,378 | 9,249", "甘丹沃港": "283,952 | 3,743", "维内尔多港": "559,444 | 6,198"}
    rows = "".join(f"| {port} | {figures} |\n" for port, figures in ports.items())
    table = (
        f"下表列出2043年沃伊斯佩尔群岛各港的最终数字。\n\n| 港口 | 旅客 | 降落 |\n| --- | --- | --- |\n{rows}"
    )
    page = SourceText(table, "2043年沃伊斯佩尔群岛各飞艇港统计")
    said = "2043年沃伊斯佩尔群岛各飞艇港统计：{} — 旅客: 559,444; 降落: 6,198."
    assert check_claim(said.format("维内尔多港"), [page]).reasons == ()
    assert check_claim(said.format("洛文尼港"), [page]).verdict == "flagged"


@pytest.mark.parametrize(
    ("claim", "is_right"),
    [
        ("Cholesterol loading turns on expression of the factor in VSMCs.", True),
        ("Strands leave the cell in EVs, sorted by the vault protein.", True),
        ("Cholesterol loading turns on expression of Krel in smooth muscle cells.", False),
    ],
)
def test_an_abbreviation_may_stand_for_what_the_page_writes_out(claim: str, is_right: bool) -> None:
    page = SourceText(
        "In vascular smooth muscle cells, loading with cholesterol turns on the expression of the factor. "
        "Small vesicles that leave the cell get a few of these strands; the vault protein sorts them.",
        "Cholesterol",
    )
    assert (check_claim(claim, [page]).verdict == "evidence_found") is is_right
