"""What a report says is so although a page says that it ended, and what a bad report adds to its pages."""

from __future__ import annotations

import pytest

from deep_research.components.verifier.additions import flag_additions
from deep_research.components.verifier.claims import SourceText
from deep_research.components.verifier.ended import flag_ended
from deep_research.core.records import Claim

PAGES = (
    SourceText("The master of Port Gull is Ada Moe, appointed in 2031. The fee of Port Gull is 40 crowns."),
    SourceText(
        "Port Gull is a harbour in the Isles. From 2031 to 2038 the master of Port Gull was Ada Moe. "
        "Since 2038, Leif Strand has been master of the port.\n\nFrom 2029 to 2035 the fee was 40 crowns.\n\n"
        "Until 2040 the night rate was 9 crowns, and since then it is 12 crowns.\n\n"
        "| Opened | 1954 |\n|---|---|\n| Masts | 24 mooring masts |",
        "Port Gull, built by Strand Yard",
        "2047-03-02",
    ),
    SourceText("From 2031 to 2038 the master of the port was Ada Moe.", "Leif Strand"),
    SourceText(
        "Ben Hale took office in 2039. From 2031 to 2038 Ben Hale was master of Port Elk.\n\n"
        "From 1950 to 1960 the port had 300 workers. Today it has 300 workers again.",
        "Port Tern",
    ),
    SourceText(
        "The museum was opened in 1990 by Jon Abel and closed from 2001 to 2005. Its longest-serving "
        "director, Ute Harms, was in office from 1931 to 1938. The largest ship built there was the Elk, in "
        "service from 1931 to 1938. From 1940 to 1950, the largest museum of the Isles was Orlen Museum. Bo "
        "Lind played for Hale from 2014 to 2017.",
        "Orlen Museum",
    ),
)


def claim(text: str, verdict: str = "evidence_found") -> Claim:
    return Claim(text=text, sources=[2], verdict=verdict, checked_by="rules")


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("The current master of Port Gull is Ada Moe.", "flagged"),
        ("Ada Moe is master of Port Gull.", "flagged"),
        ("The fee of Port Gull is 40 crowns.", "flagged"),
        ("The master of Port Gull was Ada Moe.", "evidence_found"),
        ("The current master of Port Gull is Leif Strand.", "evidence_found"),
        ("Leif Strand has been master of the port since 2038.", "evidence_found"),
        ("The night rate at Port Gull is 12 crowns.", "evidence_found"),
        ("Ben Hale is master of Port Tern.", "evidence_found"),  # the office that ended is another one
        ("Ben Hale is master of Port Elk.", "flagged"),
        ("Port Tern has 300 workers.", "evidence_found"),  # again
        ("The Orlen Museum has been opened in 1990 by Jon Abel.", "evidence_found"),  # an event
        ("The longest-serving director of Orlen Museum is Ute Harms.", "evidence_found"),
        ("The largest ship built at Orlen Museum is the Elk.", "evidence_found"),  # its service ended
        ("Orlen Museum is the largest museum of the Isles.", "flagged"),
        ("Bo Lind plays for Hale.", "flagged"),
        ("The current master of Port Gull, Ada Moe, was trained in 2038.", "flagged"),
        ("Ada Moe, the present master of Port Gull, was born in 1980.", "flagged"),
        ("The current master of Port Gull, Leif Strand, was trained in 2038.", "evidence_found"),
        ("The master of Port Gull, Ada Moe, was trained in 2038.", "evidence_found"),  # at that time
    ],
)
def test_what_has_ended_is_not_said_of_the_present(sentence: str, verdict: str) -> None:
    said = claim(sentence)
    flag_ended([said], [page.read() for page in PAGES])
    assert said.verdict == verdict
    assert verdict != "flagged" or "rom " in said.reasons[1]


@pytest.mark.parametrize(
    ("sentence", "added"),
    [
        ("Ada Moe was trained at a school for riggers, and Port Gull is a harbour in the Isles.", "riggers"),
        ("Port Gull was opened in 1954, indicating its lasting significance for the region.", "lasting"),
        ("Port Gull, which opened in 1954, has 24 mooring masts.", ""),
        ("As stated in the sources, Port Gull has 24 mooring masts.", ""),
        ("As of 2047-03-02: Port Gull was opened in 1954.", ""),  # the date of the page
        ("Port Gull, built by Strand Yard: Opened in 1954.", ""),  # its title
    ],
)
def test_in_a_report_with_little_evidence_no_part_of_a_sentence_may_be_added(
    sentence: str, added: str
) -> None:
    for verdict, believed in (("evidence_found", True), ("flagged", False)):
        said, other = claim(sentence), claim("It rained.", verdict)
        flag_additions([said, other], {2: PAGES[1]}, 0.8)
        assert said.verdict == ("evidence_found" if believed or not added else "flagged")
        assert believed or added in " ".join(said.differs)


@pytest.mark.parametrize(
    "page",
    [
        "From 2031 to 2038, when the harbour was sold, the master of Port Gull was Ada Moe.",
        "Ada Moe, who was master of Port Gull from 2031 to 2038, lives there.",
        "The master of Port Gull was Ada Moe (from 2031 to 2038), and then Bo Lind.",
    ],
)
def test_an_end_belongs_to_the_statement_that_another_clause_parts_from_it(page: str) -> None:
    said = claim("The master of Port Gull is Ada Moe.")
    flag_ended([said], [SourceText(page, "Harbours").read()])
    assert said.verdict == "flagged"


@pytest.mark.parametrize(
    ("page", "published", "sentence", "verdict"),
    [
        (
            "Rosa Lind has conducted the choir since 2018.",
            "2021",
            "Rosa Lind was conductor from 2018 to 2021.",
            "flagged",
        ),
        (
            "The mine opened in 1921 and still produces tin. A strike came in 1988.",
            "2003",
            "The mine produced tin from 1921 to 1988.",
            "flagged",
        ),
        (
            "The act came into force in 2001 and is still in force.",
            "2010",
            "The act was in force until the end of 2010.",
            "flagged",
        ),
        (
            "Bell Theatre seats 300. Until 2009 it seated 450.",
            "2014",
            "Bell Theatre had 300 seats until 2009.",
            "evidence_found",
        ),  # something ended then
        (
            "Rosa Lind has conducted the choir since 2018.",
            "2019",
            "Rosa Lind was conductor from 2018 to 2021.",
            "evidence_found",
        ),  # the page is older
        (
            "Since 2044 the number of visitors has risen.",
            "2048",
            "From 2044 to 2048 the number of visitors rose.",
            "evidence_found",
        ),
        (
            "Otto Brand coached Hill from 1999 to 2006. He now coaches Elk.",
            "2010",
            "Otto Brand was coach of Hill until 2006.",
            "evidence_found",
        ),
        (
            "自2018年以来，王伟一直担任港口图书馆馆长。2021年新楼开放。",
            "2021",
            "王伟从2018年至2021年担任港口图书馆馆长。",
            "flagged",
        ),
        ("张丽自2005年起任合唱团指挥，至今仍在任。", "2015", "张丽2005年至2015年任合唱团指挥。", "flagged"),
        ("李强1990年至2005年任合唱团指挥。", "2015", "李强1990年至2005年任合唱团指挥。", "evidence_found"),
        (
            "佐藤健は2010年から現在も博物館の館長を務めている。",
            "2019",
            "佐藤健は2010年から2019年まで博物館の館長を務めた。",
            "flagged",
        ),
        (
            "佐藤健は2010年から2019年まで博物館の館長を務めた。",
            "2019",
            "佐藤健は2010年から2019年まで博物館の館長を務めた。",
            "evidence_found",
        ),
    ],
)
def test_what_is_still_so_has_no_end(page: str, published: str, sentence: str, verdict: str) -> None:
    said = claim(sentence)
    flag_ended([said], [SourceText(page, "A page", f"{published}-06-01").read()])
    assert said.verdict == verdict


def test_an_end_that_another_page_gives_is_none_of_a_mistake() -> None:
    new = SourceText("Ines Polk took over as editor of the Post in 2030.", "The Post", "2032-01-01")
    old = SourceText("Ted Ahl has been editor of the Post since 2021.", "The Post", "2032-01-01")
    for pages, verdict in (([old, new], "evidence_found"), ([old], "flagged")):
        said = claim("Ted Ahl was editor of the Post from 2021 to 2030.")
        flag_ended([said], [page.read() for page in pages])
        assert said.verdict == verdict
