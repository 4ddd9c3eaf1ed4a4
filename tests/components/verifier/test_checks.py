"""Row v11, and what stands in a report about its check: marks, the summing-up, the table of conflicts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import get_args

import pytest

from deep_research.components.verifier import check_sentences
from deep_research.components.verifier.claims import SourceText
from deep_research.components.verifier.claims.conflicts import SourceName, find_conflicts, stated_conflicts
from deep_research.components.verifier.marks import (
    Checked,
    CheckNotes,
    with_doubt_marks,
    without_doubted_sentences,
)
from deep_research.core.records import Claim, Conflict, ConflictReason, Statement
from deep_research.core.tiers import TIERS
from deep_research.text.cited_sentences import all_sentences, cited_sentences

LATIN = "The Gull lighthouse is 41 metres tall."


def flagged(markdown: str, *places: int) -> list[Checked]:
    """The claims of a text, flagged at these places (all, if none is given)."""
    return [
        (said, Claim(text=said.text, sources=said.numbers, verdict=_verdict(n, places), reasons=["number"]))
        for n, said in enumerate(cited_sentences(markdown))
    ]


def _verdict(place: int, places: tuple[int, ...]) -> str:
    return "flagged" if place in places or not places else "evidence_found"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("It is 43 m [1]. Fine [2].", "It is 43 m [1]. ⚠ Fine [2]. ⚠"),
        ("It is 43 m. [1]\nFine.", "It is 43 m. [1] ⚠\nFine."),
        ("- It is 43 m [1]\n- Fine", "- It is 43 m [1] ⚠\n- Fine"),
        ("**It is 43 m [1].**  \nFine.", "**It is 43 m [1].** ⚠  \nFine."),
        ("高四十三米[1]。又高[2]。", "高四十三米[1]。 ⚠又高[2]。 ⚠"),
        ("| a | b |\n|---|---|\n| x | 43 [1] |\n", "| a | b |\n|---|---|\n| x | 43 [1] ⚠ |\n"),
        ("| a | b |\n|---|---|\n| x | 43 [1]\n", "| a | b |\n|---|---|\n| x | 43 [1] ⚠\n"),
        ("| a | b |\n|---|---|\n| x \\| y | 4 [1] \\|\n", "| a | b |\n|---|---|\n| x \\| y | 4 [1] \\| ⚠\n"),
        ("```\nx [1].\n```\nCall `f [1].` 43 times [2].", "```\nx [1].\n```\nCall `f [1].` 43 times [2]. ⚠"),
    ],
)
def test_a_mark_stands_behind_its_sentence_and_changes_nothing_else(text: str, shown: str) -> None:
    checked = flagged(text)
    assert with_doubt_marks(text, checked) == shown
    again = flagged(shown)
    assert [said.text for said, _ in again] == [said.text for said, _ in checked]
    assert with_doubt_marks(shown, again) == shown


@pytest.mark.parametrize(
    ("text", "places", "left"),
    [
        ("A is 1 [1]. B is 2 [2]. C is 3 [3].", (1,), "A is 1 [1]. C is 3 [3]."),
        ("- A is 1 [1].\n- B is 2 [2].\n", (0,), "- B is 2 [2].\n"),
        ("1. A is 1 [1]. More.\n2. B is 2 [2].\n", (0,), "1. More.\n2. B is 2 [2].\n"),
        (
            "| x | y |\n|---|---|\n| a | 1 [1] |\n| b | 2 [2] |\n",
            (0,),
            "| x | y |\n|---|---|\n| b | 2 [2] |\n",
        ),
        ("甲高[1]。乙高[2]。", (0,), "乙高[2]。"),
        ("```\nx [9].\n```\n\nA is 1 [1].\n\nEnd.", (0,), "```\nx [9].\n```\n\nEnd."),
        ("Fine.\n\n| x | y |\n|---|---|\n| a | 1 [1] |\n\nEnd.\n", (0,), "Fine.\n\nEnd.\n"),
        ("# T\n\n## A\n\nA is 1 [1].\n\n## B\n\nFine.\n", (0,), "# T\n\n## B\n\nFine.\n"),
        ("# T\n\n## A\n\n### B\n\n- B is 2 [2].\n\n## C\n\nC is 3 [3].\n", (0, 1), "# T\n\n"),
        ("## A\n\n### B\n\nB is 2 [2].\n\n### C\n\nFine.\n", (0,), "## A\n\n### C\n\nFine.\n"),
        ("## A\n\n```\n# x\n```\n\nA is 1 [1].\n", (0,), "## A\n\n```\n# x\n```\n\n"),
        ("So. **A is 1 [1]. B is 2 [2].** End.", (0,), "So. **B is 2 [2].** End."),
        ("So. **A is 1 [1]. B is 2 [2].** End.", (1,), "So. **A is 1 [1].** End."),
        ("So. **A is 1 [1]. B is 2 [2].** End.", (0, 1), "So. End."),
        ("**A is 1 [1]. B is 2 [2]. C is 3 [3].**", (0, 2), "**B is 2 [2].**"),
        ("A is 2*3 [1]. *B* is 2 [2].", (0,), "*B* is 2 [2]."),
    ],
)
def test_strict_takes_out_the_sentence_and_the_item_or_row_that_it_leaves_empty(
    text: str, places: tuple[int, ...], left: str
) -> None:
    assert without_doubted_sentences(text, flagged(text, *places)) == left


def test_the_summing_up_counts_what_the_rules_said_even_where_a_judge_said_more() -> None:
    claims = [
        Claim(text="a", sources=[1], verdict="evidence_found", checked_by="rules"),
        Claim(text="b", sources=[1], verdict="flagged", reasons=["number"], checked_by="rules"),
        Claim(text="c", sources=[1], verdict="uncheckable", checked_by="rules"),
        Claim(
            text="d",
            sources=[1],
            verdict="supported",
            reasons=["name", "Another name for it."],
            checked_by="judge",
        ),
        Claim(
            text="e", sources=[1], verdict="contradicted", reasons=["It says otherwise."], checked_by="judge"
        ),
    ]
    line = CheckNotes(claims).summary()
    assert "5 cited sentences" in line and "found for 2, flagged 2, uncheckable 1" in line
    assert "read 2 of them: supported 1, partial 0, contradicted 1, unsupported 0" in line


@pytest.mark.parametrize(
    ("language", "letters"), [("en", "[a-z]{4}"), ("zh", "[一-鿿]"), ("ja", "[぀-ヿ一-鿿]")]
)
def test_the_section_speaks_the_reports_language_and_is_missing_where_nothing_was_checked(
    language: str, letters: str
) -> None:
    claim = Claim(text="x", verdict="flagged", reasons=["number"], sources=[1])
    text = CheckNotes([claim], language, [conflict("a", "b")]).section()
    assert all(re.search(letters, line) for line in text.splitlines() if line.startswith(("#", "- “")))
    assert CheckNotes([], language).section() == ""
    told = conflict("a", "b")
    told.statements = [told.statements[0].model_copy(update={"tier": tier}) for tier in TIERS]
    table = CheckNotes([claim], language, [told]).section()
    assert [tier in table for tier in TIERS] == [language == "en"] * len(TIERS)
    why = CheckNotes([], language).failure("ValueError: no such page")
    assert re.search(letters, re.sub(r"[“「].*?[”」]", "", why)), why
    assert language == "en" or not re.search("[A-Za-z]", re.sub(r"[“「].*?[”」]", "", why))


def conflict(title: str, about: str) -> Conflict:
    said = [Statement(number=n, title=title, published=None, tier="academic", value="4 m") for n in (1, None)]
    return Conflict(about=about, used="4 m", reason="none", statements=said)


HOSTILE = [
    "a | b\\| c",
    "line\nbreak\r\n\n# head",
    "[x](https://evil.example) [3] [S1.2]",
    "<img src=x>",
    "標題|縱" * 60,
]


@pytest.mark.parametrize("text", HOSTILE)
def test_words_of_pages_and_models_break_no_table_and_cite_nothing(text: str) -> None:
    from markdown_it import MarkdownIt

    claim = Claim(
        text=text, verdict="contradicted", reasons=["number", text], sources=[1], checked_by="judge"
    )
    shown = CheckNotes([claim], "en", [conflict(text, text)]).section()
    page = MarkdownIt("commonmark").enable("table").render(shown)
    assert [row.count("<td>") for row in page.split("<tr>")[2:]] == [6, 6]
    assert page.count("<li>") == 1 and page.count("<h") == 2 and "<a " not in page and "<img" not in page
    assert cited_sentences(shown) == [] and "S1.2" not in shown


def test_v10_a_table_row_is_read_with_its_header_whose_capitals_are_no_names() -> None:
    table = (
        "| Tower | Total Height | Built |\n|---|---|---|\n| Gull \\| lighthouse | 41 metres | 1902 [1] |\n"
    )
    (checked,) = check_sentences(
        all_sentences(table), {1: SourceText(f"{LATIN} Built in 1902.", "Gull lighthouse")}
    )
    assert checked[1].text == "Gull | lighthouse; total height: 41 metres; built: 1902"
    assert checked[1].verdict == "evidence_found"


def test_a_question_claims_nothing() -> None:
    asked = "Is the Gull lighthouse 45 metres tall? [1] Who built it? [1] It is 41 metres tall. [1]"
    (checked,) = check_sentences(all_sentences(asked), {1: SourceText(LATIN, "Gull lighthouse")})
    assert checked[0].text == "It is 41 metres tall." and checked[1].verdict == "evidence_found"
    told = all_sentences("Did you know that the Gull lighthouse is 45 metres tall? [1]")
    ((_, claim),) = check_sentences(told, {1: SourceText(LATIN, "Gull lighthouse")})
    assert claim.verdict == "flagged"


# v11: sources that differ -------------------------------------------------------------------------------


def conflicts(
    said: str, texts: Mapping[SourceName, tuple[str, str]], tiers: Mapping[SourceName, str] | None = None
) -> list[Conflict]:
    """Conflicts about one cited sentence; `texts` holds text and date of each source."""
    sources = {name: SourceText(text, f"Title {name}", date) for name, (text, date) in texts.items()}
    claims = [claim for _, claim in check_sentences(all_sentences(said), sources)]
    assert [claim.verdict for claim in claims] == ["evidence_found"]
    return find_conflicts(claims, sources, tiers or {})


SAID = "The Gull lighthouse is 41 metres tall [1]."
OTHER = "The Gull lighthouse is 45 metres tall."


@pytest.mark.parametrize(
    ("dates", "tiers", "reason"),
    [
        (("2039-01-01", "2040-01-01"), {1: "government", 2: "social"}, "tier"),
        (("2040-01-01", "2039-01-01"), {1: "academic", 2: "academic"}, "newer"),
        (("2040-01-01", "2039-01-01"), {1: "social", 2: "government"}, "weaker"),
        (("2039-01-01", "2040-01-01"), {}, "stale"),
        (("2040-01-01", "2040-01-01"), {}, "none"),
        (("", ""), {}, "none"),
    ],
)
def test_v11_who_says_what_when_and_what_speaks_for_the_value_used(
    dates: tuple[str, str], tiers: dict[SourceName, str], reason: str
) -> None:
    (found,) = conflicts(SAID, {1: (LATIN, dates[0]), 2: (OTHER, dates[1])}, tiers)
    assert (found.used, found.reason, found.about) == ("41 metres", reason, LATIN)
    assert [(s.number, s.value, s.published or "") for s in found.statements] == [
        (1, "41 metres", dates[0]),
        (2, "45 metres", dates[1]),
    ]
    assert [s.tier for s in found.statements] == [tiers.get(n, "unverified") for n in (1, 2)]


@pytest.mark.parametrize("language", ["en", "zh", "ja"])
def test_v11_the_reader_is_told_what_speaks_against_the_value_used(language: str) -> None:
    claim = Claim(text="x", verdict="evidence_found")
    shown = {
        CheckNotes([claim], language, [conflict("a", "b").model_copy(update={"reason": reason})]).section()
        for reason in get_args(ConflictReason)
    }
    assert len(shown) == len(get_args(ConflictReason))


@pytest.mark.parametrize(
    ("said", "other"),
    [
        (
            "The airship Gull can carry its passengers 184 kilometres.",
            "The airship Gull can carry its passengers at 118 kilometres per hour.",
        ),
        ("The hull of the ship Gull is 184 m long.", "The hull of the ship Gull is 61 m high."),
        (
            "The Gull lighthouse on the spit is tall: 41 m.",
            "The tall Gull lighthouse stands on the spit, which is 3,000 m long.",
        ),
        ("The Gull lighthouse is 41 metres tall.", "The Heron lighthouse by the Gull is 28 metres tall."),
        ("The Gull lighthouse is 41 metres tall.", "The Heron is 28 metres tall, as is the Gull lighthouse."),
        ("海鸥灯塔高41米。", "海鸥灯塔附近的苍鹭灯塔高28米。"),
        ("海鸥桥高41米。", "海鸥桥附近的苍鹭桥高28米。"),
        ("かもめ灯台の高さは41メートルである。", "かもめ灯台に近いさぎ灯台の高さは28メートルである。"),
        ("飛行船かもめ号の全長は184メートルである。", "飛行船かもめ号の全長は108キロメートル毎時である。"),
    ],
)
def test_v11_two_measures_are_no_conflict(said: str, other: str) -> None:
    assert conflicts(f"{said[:-1]} [1].", {1: (said, ""), 2: (other, "")}) == []


@pytest.mark.parametrize(
    ("said", "other"),
    [
        (LATIN, "In Ormsund, the Gull lighthouse is 28 metres tall."),
        (LATIN, "According to the Ormsund Harbour Board, the Gull lighthouse is 28 metres tall."),
        (LATIN, "Designed by Otto Farrow, the Gull lighthouse is 28 metres tall."),
        (LATIN, "Near the Heron lighthouse, the Gull lighthouse is 28 metres tall."),
        ("海鸥灯塔高41米。", "据港务局称，位于奥姆松的海鸥灯塔高28米。"),
        ("海鸥灯塔高41米。", "海鸥灯塔建成后，该灯塔高28米。"),
        ("かもめ灯台の高さは41メートルである。", "丘の上のかもめ灯台の高さは約28メートルである。"),
    ],
)
def test_v11_a_name_of_something_else_beside_the_subject_hides_no_conflict(said: str, other: str) -> None:
    (found,) = conflicts(f"{said.rstrip('.。')} [1].", {1: (said, ""), 2: (other, "")})
    assert found.statements[1].value.startswith("28")


def test_v11_a_source_that_was_read_but_not_cited_differs_too() -> None:
    (found,) = conflicts(SAID, {1: (LATIN, ""), "S2.4": (OTHER, "")})
    assert [s.number for s in found.statements] == [1, None]


def test_v11_dates_differ_like_numbers() -> None:
    said = "The Gull lighthouse was opened by the harbour board on 3 May 1902"
    (found,) = conflicts(f"{said} [1].", {1: (f"{said}.", ""), 2: (f"{said.replace('3 May', '9 May')}.", "")})
    assert [s.value for s in found.statements] == ["3 May 1902", "9 May 1902"]


@pytest.mark.parametrize(
    "other",
    [
        "The Gull lighthouse is 41 m tall.",
        "The Gull lighthouse is 45 metres tall, or 41 metres without its lamp.",
        "The Heron lighthouse is 28 metres tall.",
        "The Gull lighthouse has 45 windows.",
        "",
    ],
)
def test_v11_the_same_value_another_thing_or_another_measure_is_no_conflict(other: str) -> None:
    assert conflicts(SAID, {1: (LATIN, ""), 2: (other, "")}) == []


@pytest.mark.parametrize(
    ("said", "later"),
    [
        (
            "In 2030 the port of Ormsund handled 410 tonnes of herring.",
            "In 2031 the port of Ormsund handled 520 tonnes of herring.",
        ),
        (
            "The old port of Ormsund by the lighthouse handled 410 tonnes of fresh herring in 2030.",
            "The old port of Ormsund by the lighthouse handled 520 tonnes of fresh herring in 2031.",
        ),
        ("2030年奥姆松港处理鲱鱼410吨。", "2031年奥姆松港处理鲱鱼520吨。"),
    ],
)
def test_v11_values_for_different_years_are_a_series(said: str, later: str) -> None:
    claim = f"{said[:-1]} [1]{said[-1]}"
    assert conflicts(claim, {1: (said, ""), 2: (later, "")}) == []
    assert len(conflicts(claim, {1: (said, ""), 2: (later.replace("2031", "2030"), "")})) == 1


def test_v11_a_sentence_that_names_nothing_has_no_rival_on_a_page_about_another_thing() -> None:
    said = "At 184 m in length, it needs a calm morning to turn in harbour."
    own, other = SourceText(said, "Register: Gullwing"), said.replace("184", "161")
    ((_, claim),) = check_sentences(cited_sentences(f"{said[:-1]} [1]."), {1: own})
    assert find_conflicts([claim], {1: own, 2: SourceText(other, "Heron: built in Ormsund")}, {}) == []
    rival = SourceText(f"The Gullwing was built in Ormsund. {other}", "Ships")
    assert len(find_conflicts([claim], {1: own, 2: rival}, {})) == 1


def conflicts_between(own: SourceText, other: SourceText, said: str = "") -> list[list[str]]:
    """The values that two sources are found to give for what a sentence of the first, its last, says."""
    said = said or own.text.split(". ")[-1]
    ((_, claim),) = check_sentences(all_sentences(f"{said.rstrip('.')} [1]."), {1: own})
    return [[one.value for one in row.statements] for row in find_conflicts([claim], {1: own, 2: other}, {})]


ACCIDENT = "Alarm at the mast: what is known about the Port {} accident of {}"


@pytest.mark.parametrize(
    ("own", "other"),
    [
        (
            SourceText("The chimney rises to 48 metres.", "Gull Spring Forge"),
            SourceText("We love it. Heron Spring Forge's chimney rises to 19 m.", "Notes: Gull Spring Forge"),
        ),
        (
            SourceText("At 184 metres in length, the Gull needs a calm day.", "Gull (airship)"),
            SourceText("At 115 m in length, the Heron needs a calm day.", "Heron (airship)"),
        ),
        (
            SourceText("The Air Office measured its top speed at 133 km/h.", "Register of airships: Gull"),
            SourceText("The Air Office measured its top speed at 89 km/h.", "Register of airships: Heron"),
        ),
        (
            SourceText("The Gull was built by Otter Yard. It weighs 90 tonnes.", "Gull: built by Otter Yard"),
            SourceText(
                "The Heron was built by Otter Yard. It weighs 60 tonnes.", "Heron: built by Otter Yard"
            ),
        ),
        (
            SourceText("The Air Office was told. The dead weight was 12 kg.", ACCIDENT.format("Selm", 2044)),
            SourceText(
                "The Air Office was told. The dead weight was 49 kg.", ACCIDENT.format("Ormsund", 2044)
            ),
        ),
        (
            SourceText("The loan was 13 years late.", "Better late: the Selm Affair opens"),
            SourceText("The loan was 12 years late.", "Better late: the Orm Affair opens"),
        ),
        (
            SourceText("# Gull\n\nIts hull is 161 metres long."),
            SourceText("# Heron\n\nIts hull is 195 metres long."),
        ),
        (
            SourceText("# Ships\n\n## Brother Gull\n\nHeight: 150 cm", "Ships"),
            SourceText("# Ships\n\n## Brother Heron\n\nHeight: 196 cm", "Ships of Ormsund"),
        ),
        (
            SourceText("かもめ号は飛行船である。同船の全長は184メートルである。", "かもめ号"),
            SourceText("さぎ号は飛行船である。同船の全長は161メートルである。", "さぎ号"),
        ),
    ],
    ids=[
        "another on the page",
        "titles",
        "register",
        "one yard",
        "accidents",
        "affairs",
        "first heading",
        "sections",
        "Japanese",
    ],
)
def test_v11_what_two_pages_say_of_two_things_is_no_conflict(own: SourceText, other: SourceText) -> None:
    said = own.text.split("\n")[-1].split("。")[-2 if "。" in own.text else -1].split(". ")[-1]
    assert conflicts_between(own, other, said) == []
    title = own.title if other.title else ""
    name, rival = ("Heron", "Gull") if "Heron" in other.text else ("さぎ", "かもめ")
    same = SourceText(other.text.replace(name, rival), title)
    assert len(conflicts_between(own, same, said)) == 1


@pytest.mark.parametrize(
    ("said", "other"),
    [
        (
            "In the trials of the Air Office, the Gull reached a top speed of 93 km/h.",
            "According to the builder, the Gull reaches a top speed of 104 kilometres per hour.",
        ),
        ("The Air Office measured its top speed at 133 km/h.", "The Gull has a top speed of 149 km/h."),
    ],
)
def test_v11_who_measured_it_hides_no_conflict(said: str, other: str) -> None:
    own = SourceText(said, "Register of airships: Gull")
    assert len(conflicts_between(own, SourceText(other, "Gull: built by Otter Yard"))) == 1
    rival = SourceText(other.replace("Gull", "Heron"), "Heron: built by Otter Yard")
    assert conflicts_between(own, rival) == []
    assert conflicts_between(own, SourceText(other.replace("top", "landing"), "Gull")) == []


def test_v11_a_year_above_a_sentence_dates_it() -> None:
    own = SourceText("Of all readers 43 per cent were young.", "Reading in Ormsund: review of 2048")
    other = SourceText("In 2041 much was read. Of all readers 37 per cent were young.", "Reading in Ormsund")
    assert conflicts_between(own, other) == []
    assert len(conflicts_between(own, SourceText(other.text.replace("2041", "2048"), other.title))) == 1


def test_v11_a_date_is_no_rival_of_the_year_that_it_lies_in() -> None:
    own = SourceText("The Gull lighthouse was opened by the harbour board on 2045-01-16.", "Gull lighthouse")
    other = "The Gull lighthouse was opened by the harbour board in {}."
    assert conflicts_between(own, SourceText(other.format("2045"), "Gull lighthouse")) == []
    assert len(conflicts_between(own, SourceText(other.format("2044"), "Gull lighthouse"))) == 1


def test_v11_a_value_that_the_quoted_source_does_not_state_has_no_rival_there() -> None:
    own, other = SourceText("The Gull lighthouse is old."), SourceText(OTHER)
    claim = Claim(
        text=LATIN, verdict="evidence_found", quote=own.text, quoted_from=1, start=0, sources=[1], score=0.5
    )
    assert find_conflicts([claim], {1: own, 2: other}, {}) == []


def stated(markdown: str, texts: dict[SourceName, SourceText]) -> list[list[str]]:
    """The values that a report sets against each other, as the table shows them."""
    checked = check_sentences(all_sentences(markdown), texts)
    return [[one.value for one in row.statements] for row in stated_conflicts(checked, markdown, texts, {})]


def test_v11_a_report_that_sets_two_pairs_against_each_other_has_no_conflict_across_them() -> None:
    said = "The {} accident left {} injured."
    pages = [("Port Selm", 66), ("Port Selm", 43), ("Port Orm", 29), ("Port Orm", 15)]
    texts: dict[SourceName, SourceText] = {
        number: SourceText(f"Alarm! {said.format('', hurt)} All is well.", f"The {port} accident")
        for number, (port, hurt) in enumerate(pages, start=1)
    }
    lines = [f"- {said.format(port, hurt)[:-1]} [{n}]." for n, (port, hurt) in enumerate(pages, start=1)]
    markdown = "\n".join(["## Where the sources disagree", "", *lines])
    assert stated(markdown, texts) == [["66 injured", "43 injured"], ["29 injured", "15 injured"]]


def test_v11_a_row_shows_the_whole_noun_and_is_about_what_a_source_says() -> None:
    texts: dict[SourceName, SourceText] = {
        1: SourceText("| Mooring masts | 24 mooring masts |", "Port Orm"),
        2: SourceText("From there you see all 20 mooring masts of Port Orm.", "Best spot at Port Orm"),
    }
    said = "The sources give different values: 24 mooring masts [1]; 20 mooring masts [2]."
    [row] = stated_conflicts(check_sentences(all_sentences(said), texts), said, texts, {})
    assert [one.value for one in row.statements] == ["24 mooring masts", "20 mooring masts"]
    assert row.about == "Mooring masts: 24 mooring masts"


def test_v11_a_row_is_about_what_the_report_says_of_its_values() -> None:
    said = ["Port Orm: 28 people, or 21 people hurt", "Port Selm: 66 injured people, or 43 injured people"]
    texts: dict[SourceName, SourceText] = {
        1: SourceText("28 people were aboard.", "Port Orm"),
        2: SourceText("66 injured at Port Selm.", "Port Selm"),
        3: SourceText("43 injured at Port Selm.", "Port Selm"),
    }
    claims = [
        Claim(text=text, sources=sources, verdict="evidence_found")
        for text, sources in zip(said, ([1], [2, 3]), strict=True)
    ]
    markdown = "## Where the sources disagree\n\n" + "\n\n".join(said)
    checked = [*zip(all_sentences(markdown), claims, strict=True)]
    assert [row.about for row in stated_conflicts(checked, markdown, texts, {})] == [said[1]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Gull is 150 cm tall.", "The Gull is 150 centimetres tall."),
        ("In 2044 the Gull had 150 crew.", "In 2048 the Gull had 170 crew."),
        ("It takes 13 minutes to the Gull, past two shops.", "On the Gull people wait 37 minutes for tea."),
    ],
    ids=["one value", "two years", "two sides of a thing"],
)
def test_v11_what_a_report_calls_a_disagreement_is_held_to_its_sources(one: str, other: str) -> None:
    texts: dict[SourceName, SourceText] = {1: SourceText(one), 2: SourceText(other)}
    values = [re.findall(r"1[35]\S* \w+|[13]7\S* \w+", text)[0] for text in (one, other)]
    assert stated(f"The sources disagree on the Gull: {values[0]} [1], {values[1]} [2].", texts) == []


def test_v11_two_things_whose_names_begin_alike_are_two() -> None:
    own = SourceText("It stands at an elevation of 112 metres.", "Port Gullwing")
    ((_, claim),) = check_sentences(cited_sentences(f"{own.text[:-1]} [1]."), {1: own})
    other = "Port Heron is a harbour. It stands at an elevation of 237 metres. Boats go to Port Gullwing."
    assert find_conflicts([claim], {1: own, 2: SourceText(other, "Port Heron")}, {}) == []


@pytest.mark.parametrize(
    ("said", "flagged"),
    [
        ("Report on the fire (government, 2031-04-02): The fire cost 900 crowns [1].", False),
        ("As of 2031-04-02: The fire cost 900 crowns [1].", False),
        ("As of 2033-04-02: The fire cost 900 crowns [1].", True),
        ("As of 2031-04-02: The fire cost 800 crowns [1].", True),
        ("By order of the new mayor, 2031-04-02: The fire cost 900 crowns [1].", True),
    ],
)
def test_v11_who_says_it_and_when_is_no_part_of_the_claim(said: str, flagged: bool) -> None:
    page = SourceText("The fire cost 900 crowns. It was out by noon.", "Report on the fire", "2031-04-02")
    ((_, claim),) = check_sentences(cited_sentences(said), {1: page})
    assert (claim.verdict == "flagged") is flagged


def test_v11_the_date_of_its_source_behind_a_value_in_a_table_costs_no_evidence() -> None:
    lists = "\n\n".join(f"### {n} Mill Lane\n\n- Owner: A. Brandt\n- Rent: {n} crowns" for n in (18, 83))
    page = SourceText(lists, "Rents", "2031-04-02")
    said = [
        f"| Of | Value |\n|---|---|\n| Rent | 83 crowns{note} [1] |" for note in ("", " (as of 2031-04-02)")
    ]
    plain, dated = (check_sentences(cited_sentences(table), {1: page})[0][1] for table in said)
    assert dated.score == plain.score and dated.verdict == plain.verdict == "evidence_found"


def test_v11_a_claim_that_is_in_doubt_itself_has_no_rivals() -> None:
    texts = {1: SourceText(LATIN, "A"), 2: SourceText(OTHER, "B")}
    ((_, claim),) = check_sentences(cited_sentences(SAID), texts)
    assert len(find_conflicts([claim], texts, {})) == 1
    assert find_conflicts([claim.model_copy(update={"verdict": "flagged"})], texts, {}) == []
