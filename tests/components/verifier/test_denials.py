"""Sentences that say what the sources lack: false where a page that was read tells of it, else left alone."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from deep_research.components.verifier.denials import false_denials
from deep_research.core.records import Source
from deep_research.sources.citations import clean_citations

PAGES = {
    "S1.1": ("Port Gull", "Port Gull is a harbour. It has 24 mooring masts.\n\n## Quay\n\nIt is 41 m long."),
    "S1.2": ("Port Heron", "The channel at Port Heron is 9 m deep. Ada Moe built the quay of Port Heron."),
    "S1.3": ("The Gull (ship)", "| Length | Builder |\n|---|---|\n| 161 m | Moe Yard |"),
    "S1.6": (
        "Ada Moe",
        "Ada Moe led the yard. Her salary from 1974 to 1981 was paid by the Port Authority.",
    ),
    "S1.7": (
        "Kestrel",
        "In 2021 Kestrel sold 400 bells. Kestrel's founder is Leif Strand.",
    ),
    "S1.4": ("鸥港", "鸥港是一座港口。鸥港有24座系泊桅杆。"),
    "S1.5": ("カモメ港", "カモメ港は港である。カモメ港には係留柱が24本ある。"),
}


def denied(sentence: str, question: str = "How many mooring masts has Port Gull?") -> list[str | None]:
    """What the pages tell of, in spite of a report of this sentence."""
    sources = [
        Source(id=name, kind="web", url=f"https://{name}.example", title=title, snippet=text)
        for name, (title, text) in PAGES.items()
    ]
    text = clean_citations(f"# On it\n\nPort Gull is a harbour [S1.1]. {sentence}\n", sources)
    found = false_denials(text, sources, lambda *_: False, SimpleNamespace(question=question))
    assert all(claim.verdict == "flagged" and not claim.sources for _, claim in found)
    return [claim.quote for _, claim in found]


@pytest.mark.parametrize(
    "sentence",
    [
        "The topic of mooring masts at Port Gull is not covered in the given material.",
        "The sources do not mention the mooring masts of Port Gull.",
        "None of the documents says how many mooring masts Port Gull has.",
        "There is no information about mooring masts in the sources.",
        "The number of mooring masts was not found in the search results.",
        "The salary of Ada Moe is not mentioned in the sources.",
        "The founder of Kestrel is not stated in the sources.",
        "Since the sources do not mention the mooring masts of Port Gull, no number can be given.",
        "After reading the pages I found no mention of mooring masts at Port Gull in the sources.",
        "资料中没有提到鸥港的系泊桅杆数量。",
        "資料には、カモメ港の係留柱の数についての記載がありません。",
    ],
)
def test_what_a_page_tells_is_not_missing(sentence: str) -> None:
    question = (
        "鸥港有多少系泊桅杆？"
        if "鸥" in sentence
        else "カモメ港に係留柱はいくつ？"
        if "カ" in sentence
        else ""
    )
    (quote,) = denied(sentence, question or "How many mooring masts has Port Gull?")
    assert any(told in (quote or "") for told in ("24", "salary", "founder"))


@pytest.mark.parametrize(
    "sentence",
    [
        "The sources do not say how deep the channel at Port Gull is.",
        "The sources do not say when the mooring masts at Port Gull were built.",
        "The sources do not cover the mooring masts at Port Gull in detail.",
        "Nothing else about the mooring masts of Port Gull was found in the sources.",
        "Not all sources mention the mooring masts of Port Gull.",
        "The sources do not say who owns the mooring masts at Port Gull.",
        "The cost of the mooring masts at Port Gull is not stated in the sources.",
        "The page of the harbour office does not mention the mooring masts of Port Gull.",
        "The sources do not say how many quays Port Gull has.",
        "No source states the depth of the channel.",
        "The salary of Ada Moe is not stated in the sources.",
        "The sources do not give Ada Moe's salary.",
        "The sources do not mention any bells that Kestrel sold after 2021.",
        "No information on bells that Kestrel sold before 2021 was found in the sources.",
        "资料中没有提到鸥港在2020年之前的系泊桅杆。",
        "資料には、2020年以前のカモメ港の係留柱についての記載がありません。",
        "It has 24 mooring masts; how they were paid for is not known.",
        "资料中没有提到鸥港航道的深度。",
        "資料には、カモメ港の水路の深さについての記載がありません。",
    ],
)
def test_an_honest_denial_is_left_alone(sentence: str) -> None:
    question = "How deep is the channel of Port Gull?"
    if "鸥" in sentence:
        question = "鸥港的航道有多深？"
    assert not denied(sentence, "カモメ港の水路の深さは？" if "カ" in sentence else question)


def test_a_sentence_that_names_nothing_is_on_what_the_question_names() -> None:
    assert not denied("The sources do not mention mooring masts.", "How many masts has Port Heron?")
    assert denied("The sources do not mention mooring masts.", "How many masts has Port Gull?")
