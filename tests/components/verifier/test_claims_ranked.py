"""Claims that rank or compare: the cited pages have to say so, in words or in figures."""

from __future__ import annotations

import time

import pytest

from deep_research.components.verifier.claims import SourceText, check_claim

CLINICS = [
    SourceText(
        "Marlow Clinic is a hospital in the west of the city. In 2031 its average "
        "waiting time was 34 minutes. It has 212 beds. Patients gave it 4.1 points.",
        "Marlow Clinic",
    ),
    SourceText(
        "St Bride Hospital opened in 1961. In 2031 the average waiting time there was 51 "
        "minutes. It has 340 beds. Patients gave it 4.4 points.",
        "St Bride Hospital",
    ),
    SourceText(
        "Fenwick Infirmary stands by the canal. Its average waiting time in 2031 was 47 "
        "minutes. It has 180 beds. Patients gave it 3.9 points.",
        "Fenwick Infirmary",
    ),
]
COMPILERS = [
    SourceText(
        "| Compiler | Build time | Errors found | Price |\n|---|---|---|---|\n| Quill | "
        "12 s | 41 | $90 |\n| Rasp | 19 s | 58 | $140 |\n| Thorn | 8 s | 37 | $60 |\n",
        "Compilers compared",
    ),
]
ROASTERS = [
    SourceText(
        "Dunmore sells a light roast. Its coffee costs 14 euros per kilogram. In the "
        "blind tasting Dunmore came out ahead of Calder, which tasters found bitter.",
        "Two roasters",
    ),
]
PEAKS = [
    SourceText(
        "Mount Essel rises to 4,120 metres above the Rind valley. It was first climbed in 1902.",
        "Mount Essel",
    ),
    SourceText(
        "Mount Varr is 3,870 metres high and lies in the south. Nobody climbed it before 1911.", "Mount Varr"
    ),
]
MUSEUMS = [
    SourceText("南湖博物馆于1987年开放，2030年接待观众62万人次，门票40元。馆藏陶器丰富。", "南湖博物馆"),
    SourceText("西山博物馆位于市郊，2030年接待观众45万人次，门票60元。", "西山博物馆"),
    SourceText("东桥博物馆2030年接待观众38万人次，门票25元。", "东桥博物馆"),
]
PHONES = [
    SourceText(
        "| 型号 | 续航 | 重量 |\n|---|---|---|\n| 青云手机 | 18小时 | 190克 |\n| 白石手机 | 23小时 | 205克 |"
        "\n| 赤松手机 | 15小时 | 172克 |\n",
        "三款手机对比",
    ),
]
RICE = [
    SourceText(
        "北浜米は収穫量が1ヘクタールあたり540キログラムの品種である。価格は5キロで2,300円だ。", "北浜米"
    ),
    SourceText(
        "沢見米は寒さに強い。収穫量は1ヘクタールあたり610キログラムである。価格は5キロで2,900円だ。", "沢見米"
    ),
]
TASTING = [
    SourceText(
        "食味試験では沢見米が首位となり、北浜米は三位だった。沢見米のほうが北浜米より甘いと評価された。",
        "食味試験",
    ),
]
BUSES = [
    SourceText(
        "The Kestrel bus carries 48 people and reaches 92 km/h. It cost 310,000 euros.", "Kestrel bus"
    ),
    SourceText("The Lynx bus carries 62 people and reaches 85 km/h. It cost 280,000 euros.", "Lynx bus"),
]


@pytest.mark.parametrize(
    ("claim", "pages"),
    [
        ("On waiting times, Marlow Clinic comes first with an average waiting time of 34 minutes.", CLINICS),
        ("St Bride Hospital has the most beds of the three (340).", CLINICS),
        ("Marlow Clinic has more beds than Fenwick Infirmary.", CLINICS),
        ("St Bride Hospital is rated highest, with 4.4 points.", CLINICS),
        ("Thorn builds fastest, in 8 s, ahead of Quill (12 s) and Rasp (19 s).", COMPILERS),
        ("Rasp finds the most errors: 58.", COMPILERS),
        ("Quill is cheaper than Rasp.", COMPILERS),
        ("Dunmore beat Calder in the blind tasting.", ROASTERS),
        ("Mount Essel is higher than Mount Varr.", PEAKS),
        ("Mount Essel, at 4,120 metres, overtops Mount Varr.", PEAKS),
        ("南湖博物馆的观众最多，2030年达62万人次。", MUSEUMS),
        ("南湖博物馆以62万人次居首。", MUSEUMS),
        ("西山博物馆的门票比南湖博物馆贵。", MUSEUMS),
        ("白石手机续航最长，为23小时。", PHONES),
        ("沢見米の収穫量は北浜米より多い。", RICE),
        ("沢見米は610キログラムで最も多い。", RICE),
        ("食味試験では沢見米が一位だった。", TASTING),
        ("The Kestrel bus is faster than the Lynx bus.", BUSES),
        ("The Lynx bus carries more people than the Kestrel bus.", BUSES),
        ("The Kestrel bus was more expensive than the Lynx bus.", BUSES),
        ("The Lynx bus outperforms the Kestrel bus in capacity, with 62 people.", BUSES),
    ],
)
def test_v10_a_ranking_has_evidence_where_the_pages_say_so_in_words_or_figures(
    claim: str, pages: list[SourceText]
) -> None:
    assert check_claim(claim, pages).reasons == ()


@pytest.mark.parametrize(
    ("claim", "pages"),
    [
        ("On waiting times, Marlow Clinic comes first with an average of 34 minutes.", CLINICS[0:1]),
        (
            "Marlow Clinic is the quickest of the three, with an average waiting time of 34 minutes.",
            CLINICS[0:1],
        ),
        ("Fenwick Infirmary leads on waiting time with 47 minutes.", CLINICS),
        ("St Bride Hospital has the most beds of the three (340).", CLINICS[1:2]),
        ("Fenwick Infirmary has more beds than Marlow Clinic.", CLINICS),
        ("Marlow Clinic offers the best care in the city.", CLINICS),
        ("Patients prefer Marlow Clinic, which is better than St Bride Hospital.", CLINICS),
        ("Marlow Clinic ranks ahead of St Bride Hospital, with 4.1 points from patients.", CLINICS[0:1]),
        ("Quill has the shortest build time of all, 12 s.", COMPILERS),
        ("Rasp is cheaper than Thorn.", COMPILERS),
        ("Calder was rated better than Dunmore in the blind tasting.", ROASTERS),
        ("Dunmore is the more reliable of the two roasters.", ROASTERS),
        ("Dunmore is cheaper than Calder, at 14 euros per kilogram.", ROASTERS),
        ("Mount Varr is the higher of the two peaks at 3,870 metres.", PEAKS),
        ("Mount Varr is the most beautiful peak of the south, at 3,870 metres.", PEAKS[1:2]),
        ("南湖博物馆以62万人次居首。", MUSEUMS[0:1]),
        ("西山博物馆的观众人数排名第一，为45万人次。", MUSEUMS),
        ("南湖博物馆是三家中最受欢迎的，2030年接待观众62万人次。", MUSEUMS[0:1]),
        ("西山博物馆的馆藏优于南湖博物馆。", MUSEUMS),
        ("青云手机续航最长，为18小时。", PHONES),
        ("北浜米の収穫量は沢見米より多い。", RICE),
        ("北浜米は540キログラムで第一位である。", RICE[0:1]),
        ("北浜米のほうが信頼できる品種である。", RICE[0:1]),
        ("The Lynx bus is faster than the Kestrel bus.", BUSES),
        ("The Kestrel bus carries more people, 48, than the Lynx bus.", BUSES),
        ("The Lynx bus was the more expensive of the two, at 280,000 euros.", BUSES),
        ("The Lynx bus is the most reliable bus on the market.", BUSES),
    ],
)
def test_v10_a_ranking_that_neither_words_nor_figures_of_the_pages_bear_out_is_flagged(
    claim: str, pages: list[SourceText]
) -> None:
    assert "comparison" in check_claim(claim, pages).reasons


def test_what_offers_the_closest_thing_found_ranks_nothing() -> None:
    claim = "The closest that the sources say: Mount Essel rises to 4,120 metres above the Rind valley."
    assert check_claim(claim, PEAKS[:1]).reasons == ()


BRIDGES = SourceText(
    "| Bridge | Length | Width | Opened |\n|---|---|---|---|\n"
    "| Orm | 310 m | 14 m | 1902 |\n| Sill | 290 m | 19 m | 1931 |\n",
    "Bridges",
)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Orm is longer than Sill.", "Sill is longer than Orm."),
        ("Sill is wider than Orm.", "Orm is wider than Sill."),
        ("Orm is older than Sill.", "Sill is older than Orm."),
    ],
)
def test_v10_what_is_compared_is_what_the_word_for_it_measures(right: str, wrong: str) -> None:
    assert check_claim(right, [BRIDGES]).reasons == ()
    assert check_claim(wrong, [BRIDGES]).reasons == ("comparison",)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Northwire leads on speed, ahead of Telka and Ondanet.", "evidence_found"),
        ("Telka ranks second for speed.", "evidence_found"),
        ("Ondanet is faster than Northwire.", "flagged"),
    ],
)
def test_v10_a_ranking_in_words_is_read_in_its_order(claim: str, verdict: str) -> None:
    page = "The survey put Northwire at the top for speed, with Telka second and Ondanet last."
    assert check_claim(claim, [SourceText(page, "Broadband survey")]).verdict == verdict


def test_v10_a_ranking_is_held_to_long_pages_in_little_time() -> None:
    rest = " ".join(f"In {1500 + n} the Line {n} carried {n + 9} people." for n in range(500))
    peaks = [SourceText(f"{rest} {page.text}", "Yearbook") for page in PEAKS]
    started = time.process_time()
    assert check_claim("Mount Essel is higher than Mount Varr.", peaks).reasons == ()
    assert "comparison" in check_claim("Mount Varr is higher than Mount Essel.", peaks).reasons
    assert time.process_time() - started < 5


def test_v10_what_a_page_calls_the_first_may_be_told_in_another_order() -> None:
    page = SourceText("The first bus left Kestrel Works in 1990. It was red.", "Kestrel Works")
    assert check_claim("In 1990, the first bus left Kestrel Works.", [page]).reasons == ()


@pytest.mark.parametrize(
    ("claim", "reasons"),
    [
        ("Catch: 37 tonnes (2040), 43 tonnes (2043); highest 43 tonnes (2043), lowest 30 tonnes (2042).", ()),
        ("The catch was highest in 2043, at 43 tonnes.", ()),
        ("The catch was lowest in 2040, at 37 tonnes.", ("comparison",)),
    ],
)
def test_v10_the_years_of_a_series_are_ranked(claim: str, reasons: tuple[str, ...]) -> None:
    rows = "".join(
        f"| {year} | {n} tonnes |\n" for year, n in ((2040, 37), (2041, 38), (2042, 30), (2043, 43))
    )
    page = SourceText(f"| Year | Catch |\n| --- | --- |\n{rows}", "Herring catch: long series")
    assert check_claim(claim, [page]).reasons == reasons


def test_a_top_speed_does_not_say_that_something_is_the_longest() -> None:
    page = SourceText(
        "Launched: 2016\nLength: 225 m\n\nIn trials, the Gull reached a top speed of 113 km/h.", "The Gull"
    )
    check = check_claim("The Gull is the longest of the four: 225 metres in length.", [page])
    assert check.verdict == "flagged" and "comparison" in check.reasons


GULL = SourceText("Gull makes pumps. Today 449 workers earn their living at Gull.", "Gull")
ELK = SourceText("Elk makes pumps. 853 workers earn their living at Elk.", "Elk")


@pytest.mark.parametrize(
    ("claim", "is_right"),
    [
        ("Gull has 449 workers, which is more than the 853 workers of Elk.", False),
        ("Gull has 449 workers, which is less than the 853 workers of Elk.", True),
        ("Elk has 853 workers, which is more than the 449 workers of Gull.", True),
        ("Elk has 853 workers, which is less than the 449 workers of Gull.", False),
        ("Gull has 449 workers, 404 fewer than Elk, which has 853 workers.", True),  # how far apart
    ],
)
def test_a_comparison_does_not_deny_its_own_figures(claim: str, is_right: bool) -> None:
    assert ("comparison" not in check_claim(claim, [GULL, ELK]).reasons) is is_right


def test_a_chinese_comparison_does_not_deny_its_own_figures() -> None:
    pages = [SourceText("海鸥厂有449名工人。", "海鸥厂"), SourceText("麋鹿厂有853名工人。", "麋鹿厂")]
    assert "comparison" in check_claim("海鸥厂有449名工人，比麋鹿厂的853名工人多。", pages).reasons
    assert check_claim("麋鹿厂有853名工人，比海鸥厂的449名工人多。", pages).verdict == "evidence_found"


LINES = [
    SourceText(f"The {name} line cost {cost} million euros to build. It is {long} km long.", f"{name} line")
    for name, long, cost in (("Heron", 45, 14), ("Gull", 100, 22), ("Tern", 60, 18))
]


@pytest.mark.parametrize(
    ("claim", "is_right"),
    [
        ("The Heron line cost 14 million euros, less than the 22 million euros of the Gull line.", True),
        ("The Heron line cost 14 million euros, more than the 22 million euros of the Gull line.", False),
        ("The Gull line is 100 km long, more than twice the 45 km of the Heron line.", True),
        ("The Gull line is 100 km long, more than twice the 60 km of the Tern line.", False),
        ("The Gull line is more than three times as long as the Heron line.", False),
        ("The Gull line is 100 km long, less than twice the 60 km of the Tern line.", True),
        ("The Heron line is 45 km long, less than half the 100 km of the Gull line.", True),
        ("The Tern line is 60 km long, less than half the 100 km of the Gull line.", False),
        ("At 45 km, less than that, the Heron line is shorter than the Gull line.", True),
        ("The Gull line is 100 km long; at 45 km, less than that, the Heron line is the shortest.", True),
        ("The Gull line is 100 km long; at 45 km, more than that, the Heron line is the longest.", False),
        ("The Gull line is 100 km long, and the Heron line has more than that, 45 km.", False),
    ],
)
def test_a_comparison_may_be_by_a_factor_and_with_what_stands_before(claim: str, is_right: bool) -> None:
    assert (check_claim(claim, LINES).verdict == "evidence_found") is is_right


RATES = SourceText(
    "The lowest rates were registered in Slovenia (0.0%) and Ireland (0.1%); the highest were recorded in "
    "Romania (5.0%), Estonia (4.5%) and Croatia (4.2%). Fees slipped 3% to $890 million.",
    "Rates",
)


@pytest.mark.parametrize(
    ("claim", "is_right"),
    [
        ("The rate was lowest in Slovenia, at 0.0%.", True),
        ("The rate was lowest in Estonia, at 4.5%.", False),
        ("Fees fell 3% to $890 million.", True),
        ("Fees increased by 3% to $890 million.", False),
    ],
)
def test_of_two_ends_of_a_scale_a_clause_tells_one(claim: str, is_right: bool) -> None:
    assert (check_claim(claim, [RATES]).verdict == "evidence_found") is is_right


def test_a_loss_set_against_another_needs_no_sign() -> None:
    page = "The mean change in weight to week 68 was -14.9% with the drug compared with -2.4% with placebo."
    claim = "Patients on the drug lost roughly 15% of their weight over 68 weeks, against 2.4% on placebo."
    assert check_claim(claim, [SourceText(page, "A trial")]).verdict == "evidence_found"
