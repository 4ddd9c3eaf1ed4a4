"""The difference of two reports, claim by claim."""

from __future__ import annotations

from typing import Any

import pytest

from deep_research import diff
from deep_research.core.records import CitedSource, Claim
from deep_research.report import Report


def report(*claims: str, urls: tuple[str, ...] = ()) -> Report:
    sources = [
        CitedSource(
            id=f"S1.{n}", number=n, kind="web", url=url, citation_key=None, page=None, title=url[8:],
            tier="unverified", published=None, use="cited",
        )
        for n, url in enumerate(urls, start=1)
    ]  # fmt: skip
    told: dict[str, Any] = {"question": "How tall?", "system": "auto", "status": "complete"}
    return Report(run_id="r", claims=[Claim(text=text) for text in claims], sources=sources, **told)


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ("The Gull is 41 metres tall.", "The Gull is 41 metres tall.", ["kept"]),
        ("The Gull is 41 metres tall.", "The Gull is 4,100 cm tall.", ["kept"]),
        ("The Gull is 41 metres tall.", "The Gull is 42 metres tall.", ["changed"]),
        ("It was built in May 1902.", "It was built in June 1902.", ["changed"]),
        ("The Gull is 41 metres tall.", "The Heron is 41 metres tall.", ["added", "gone"]),
        ("The Gull is 41 metres tall.", "Terns breed on the island.", ["added", "gone"]),
        ("海鸥灯塔高41米，建于1902年。", "海鸥灯塔高42米，建于1902年。", ["changed"]),
    ],
)
def test_a_claim_is_kept_changed_in_its_numbers_or_another_one(
    before: str, after: str, changes: list[str]
) -> None:
    found = diff(report(before), report(after))
    assert [claim.change for claim in found.claims] == changes
    assert found.claims[0].after == after


def test_claims_are_paired_with_those_most_like_them() -> None:
    first = report("The Gull is 41 metres tall.", "The Gull is 41 metres tall and white.")
    second = report("The Gull is 41 metres tall and white.", "The Gull is 40 metres tall.")
    assert [(c.change, c.before) for c in diff(first, second).claims] == [
        ("kept", "The Gull is 41 metres tall and white."),
        ("changed", "The Gull is 41 metres tall."),
    ]


def test_what_a_screen_shows_leaves_out_what_is_kept() -> None:
    first = report(
        "The Gull is 41 metres tall.", "It is white.", urls=("https://a.example/", "https://b.example")
    )
    second = report(
        "The Gull is 42 metres tall.", "It is white.", urls=("http://www.a.example", "https://c.example")
    )
    found = diff(first, second)
    assert str(found).splitlines() == [
        "claims: 1 kept, 1 changed",
        "~ The Gull is 41 metres tall.",
        "  → The Gull is 42 metres tall.",
        "sources: 1 kept, 1 added, 1 gone",
        "+ [2] c.example https://c.example",
        "- [2] b.example https://b.example",
    ]
    assert "&lt;" not in found._repr_html_() and "~ The Gull" in found._repr_html_()
    assert str(diff(report(), report())) == "claims: none\nsources: none"
