"""Sentences that cite nothing: which sources the program cites for them, and what of them stays in doubt."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from deep_research.components.verifier.uncited import strange_asides, with_found_citations
from deep_research.core.records import Claim, Source
from deep_research.sources.citations import clean_citations
from deep_research.text.cited_sentences import all_sentences

PAGES = {
    "S1.1": ("Port Gull", "Port Gull is a harbour. At Port Gull, 24 mooring masts are in service."),
    "S1.2": ("Arrivals at Port Gull?", "From the café you see all 20 mooring masts of Port Gull."),
    "S1.3": (
        "The Port Gull accident",
        "After the Port Gull accident 49 were hurt before help came. It rained.",
    ),
    "S1.4": (
        "The Port Heron accident",
        "Before that, 20 riggers had served at Port Heron. Its 24 masts stood.",
    ),
    "S1.5": ("Winter", "The fee at Port Heron is 350 crowns."),
    "S1.6": ("Our plans", "The new quay will bring 175 jobs to the town."),
    "S1.8": ("Port Egret", "The charter was signed in 2018. Ada Moe has been its master since 2039."),
    "S1.9": (
        "New members of the boats",
        "| Boat | 2044 | 2045 |\n|---|---|---|\n| Egret Barge | 3,714 | 6,601 |\n| Owl | 3,368 | 2,344 |",
    ),
    "S1.7": ("Jobs at Port Gull", "Economists of Port Gull reached 50 jobs for the new quay."),
}


def checked(markdown: str) -> tuple[str, dict[str, Claim]]:
    """The text after the program's search for sources, and the claims of sentences without a citation."""
    sources = [
        Source(
            id=name,
            kind="web",
            url=f"https://{name}.example",
            title=title,
            snippet=text,
            published="2042-06-19",
        )
        for name, (title, text) in PAGES.items()
    ]
    text = clean_citations(markdown, sources)
    changed, found = with_found_citations(text, sources, lambda *_: False, SimpleNamespace())
    return changed.markdown, {said.text: claim for said, claim in found}


@pytest.mark.parametrize(
    ("sentence", "cited"),
    [
        ("Port Gull has 24 mooring masts, before that 20 mooring masts", ["S1.1", "S1.2"]),
        ("All 20 mooring masts of Port Gull can be seen", ["S1.2"]),
        ("At Port Gull, 24 mooring masts are in service", ["S1.1"]),
        ("As of 2042-06-19: At Port Gull, 24 mooring masts are in service", ["S1.1"]),
        ("As of 2041-06-19: At Port Gull, 24 mooring masts are in service", []),
        ("Port Gull has 24 mooring masts, before that 350 mooring masts", []),
        ("Port Gull has 49 mooring masts", []),
        ("Port Heron has 20 mooring masts", []),
        ("Master: Ada Moe (since 2039)", ["S1.8"]),
        ("Founder: Ada Moe (since 2039)", []),
        ("Egret Barge: 3,714 new members (2044), 6,601 new members (2045)", ["S1.9"]),
        ("Egret Barge: 3,714 new members (2045), 6,601 new members (2044)", []),
        ("Egret Barge: 3,368 new members (2044), 2,344 new members (2045)", []),
        ("The master of Port Egret since 2039 is Ada Moe", ["S1.8"]),
        ("The birthplace of the master of Port Egret since 2039 is Ada Moe", []),
    ],
)
def test_each_source_that_the_program_cites_says_a_part_that_no_other_says(
    sentence: str, cited: list[str]
) -> None:
    text, _ = checked(f"# Ports\n\nThe fee at Port Heron is 350 crowns [S1.5].\n\n## Masts\n\n{sentence}.")
    assert [name for name in PAGES if f"[{name}]" in text.partition("## Masts")[2]] == cited
    assert text.count("‡") == bool(cited)


@pytest.mark.parametrize("line", ["Port Gull: 24 mooring masts, before that 20", "Port Gull: 24, before 20"])
def test_a_line_that_announces_the_cited_lines_below_it_needs_no_citation(line: str) -> None:
    below = [
        "- At Port Gull, 24 mooring masts are in service [S1.1].",
        "- You see all 20 mooring masts of Port Gull [S1.2].",
    ]
    text, claims = checked("\n".join(["# Ports", "", line, "", *below]))
    assert "‡" not in text
    (claim,) = claims.values()
    assert (claim.verdict, claim.sources) == ("evidence_found", [1, 2])


def test_a_value_of_such_a_line_may_be_from_a_page_that_does_not_name_the_thing() -> None:
    below = "- Economists reached 50 jobs [S1.7].\n- The new quay will bring 175 jobs to the town [S1.6]."
    _, claims = checked(f"# Ports\n\nPort Gull: 50 jobs, or 175 jobs\n\n{below}")
    assert [claim.verdict for claim in claims.values()] == ["evidence_found"]
    _, claims = checked(f"# Ports\n\nPort Gull: 50 jobs, or 185 jobs\n\n{below}")
    assert [claim.verdict for claim in claims.values()] == ["flagged"]


@pytest.mark.parametrize(
    ("line", "below"),
    [
        ("Port Gull: 24 mooring masts, or 29", "At Port Gull, 24 mooring masts are in service [S1.1]."),
        ("Port Gull: 350 crowns", "The fee at Port Heron is 350 crowns [S1.5]."),
        ("Port Gull: 27 mooring masts", "At Port Gull, 27 mooring masts are in service [S1.1]."),
    ],
    ids=["a number that stands in none", "lines about something else", "a line that is wrong itself"],
)
def test_a_line_that_says_more_than_the_lines_below_it_stays_in_doubt(line: str, below: str) -> None:
    text, claims = checked(f"# Ports\n\n{line}\n\n- {below}")
    assert "‡" not in text
    assert [claim.verdict for claim in claims.values()] == ["flagged"]


def test_a_source_that_the_section_cites_is_cited_beside_one_that_it_lacks() -> None:
    said = "Port Gull has 24 mooring masts, before that 20 mooring masts"
    text, _ = checked(f"# Ports\n\n{said}.\n\nYou see all 20 mooring masts of Port Gull [S1.2].")
    assert f"{said} [S1.2][S1.1]‡." in text or f"{said} [S1.1][S1.2]‡." in text


def test_what_names_no_subject_is_from_a_source_that_its_section_cites_whoever_put_it_in() -> None:
    named = "At Port Gull, 24 mooring masts are in service."
    text, claims = checked(
        f"# Ports\n\nIn service are 24 masts.\n\n## Masts\n\nThere are 24 masts in service. {named}"
    )
    assert text.endswith(
        "There are 24 masts in service. At Port Gull, 24 mooring masts are in service [S1.1]‡."
    )
    assert {said: claim.verdict for said, claim in claims.items()} == {
        "In service are 24 masts.": "flagged",
        "There are 24 masts in service.": "evidence_found",
    }


@pytest.mark.parametrize(
    ("sentence", "marked"),
    [
        ("I looked for the fee at Port Gull, but no source states it.", False),
        ("「ガル港の係留塔」を探しましたが、情報源にこの点の記述はありません。", False),
        ("No source states the fee at Port Gull, but it was built by King Harald.", True),
        ("Both lines operate from Port Heron, but the places are not stated in the findings.", True),
        ("The sources tell of Port Heron, but do not state its place.", False),
        ("Port Gull has 24 masts and 350 boats, but no source states its fee.", True),
        ("The fee at Port Gull (not mentioned in the sources) was reportedly swallowed by the marsh.", True),
    ],
)
def test_a_denial_is_marked_for_what_else_it_states(sentence: str, marked: bool) -> None:
    _, claims = checked(f"# Ports\n\nThe fee at Port Heron is 350 crowns [S1.5].\n\n{sentence}")
    assert (sentence in claims) is marked


@pytest.mark.parametrize(
    ("sentence", "marked"),
    [
        (
            "The damage was assessed by a partner in the delta report, and the loss confirmed by a witness.",
            True,
        ),
        ("This report gives an overview of what is known about the harbours and their masts.", False),
        ("More details are given in the table below.", False),
    ],
)
def test_a_statement_that_only_mentions_a_report_is_one(sentence: str, marked: bool) -> None:
    _, claims = checked(f"# Ports\n\nThe fee at Port Heron is 350 crowns [S1.5].\n\n{sentence}")
    assert (sentence in claims) is marked


BELOW = "- At Port Gull, 24 mooring masts are in service [S1.1].\n- You see all 20 masts of Port Gull [S1.2]."


@pytest.mark.parametrize(
    ("line", "marked"),
    [
        ("**24 mooring masts, or 20 at Port Gull**", False),
        ("__24 mooring masts, or 27 at Port Gull__", True),
        ("**Port Gull was built by King Harald.**", True),
    ],
    ids=["known numbers", "an unknown number", "a sentence in bold"],
)
def test_a_bold_line_alone_is_a_heading_whose_numbers_must_be_known(line: str, marked: bool) -> None:
    markdown = f"# Ports\n\n{line}\n\n{BELOW}"
    _, claims = checked(markdown)
    rest = [said for said in all_sentences(markdown) if said.text not in claims]
    given = "\n".join(text for _, text in PAGES.values())
    strange = {said.text for said, _ in strange_asides(markdown, rest, given)}
    assert bool(strange | {text for text, one in claims.items() if one.verdict == "flagged"}) is marked


@pytest.mark.parametrize(
    ("heading", "line", "marked"),
    [
        ("## Where the sources differ", "Neither is better vouched for; the first is the newer.", False),
        ("### 24 masts, or 20 masts", "Neither is better vouched for.", False),
        ("**24 masts, or 20 masts**", "Both deserve the same trust, and one came later.", False),
        ("## 分歧", "两者同样可信；前者较新。", False),
        ("## 食い違い", "前者のほうが信頼できる。", False),
        ("### 24 masts, or 20 masts", "Neither is better vouched for than King Harald.", True),
        ("### 24 masts, or 20 masts", "All the mooring masts were later torn down.", True),
        ("## Masts", "It was later torn down and sold to fishermen.", True),
    ],
)
def test_what_only_weighs_lines_that_differ_is_no_claim_in_whatever_words(
    heading: str, line: str, marked: bool
) -> None:
    _, claims = checked(f"# Ports\n\n{heading}\n\n{BELOW}\n\n{line}")
    assert (line in claims) is marked


@pytest.mark.parametrize("line", ["两者同样可信；前者较新。", "信頼度は同じで、前者のほうが新しい。"])
def test_what_weighs_lines_is_no_claim_behind_a_reason_in_the_same_words(line: str) -> None:
    reason = "两者相差很多，前者较新的原因在于计算。信頼度が前者と違うのは計算のためである。"
    _, claims = checked(f"# 港口\n\n## 分歧\n\n- {reason}\n\n{line}")
    assert line not in claims
