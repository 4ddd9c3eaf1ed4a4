"""The records and reducers of the state: same result whichever branch finished first."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from deep_research.core.records import RoleUsage, Source, Usage, append_batches, id_order
from deep_research.sources.ledger import by_any_id, merge_by_key

SOURCES = st.lists(
    st.builds(
        lambda branch, n, page, use: Source(
            id=f"S{branch}.{n}", url=f"https://a.example/{page}", use=use, readings=[f"r{page}"]
        ),
        st.integers(0, 4),
        st.integers(1, 12),
        st.integers(0, 6),
        st.sampled_from(["seen", "read"]),
    ),
    max_size=14,
    unique_by=lambda source: source.id,
)


@given(SOURCES, st.integers(0, 99))
def test_merging_does_not_depend_on_which_branch_finished_first(found: list[Source], seed: int) -> None:
    shuffled = random.Random(seed).sample(found, len(found))
    at_once = merge_by_key([], found)
    assert merge_by_key([], shuffled) == at_once
    cut = seed % (len(found) + 1)
    assert merge_by_key(merge_by_key([], shuffled[:cut]), shuffled[cut:]) == at_once


@given(SOURCES)
def test_merging_loses_no_id_and_keeps_each_page_once(found: list[Source]) -> None:
    merged = merge_by_key([], found)
    assert len({source.url for source in merged}) == len(merged)
    known = by_any_id(merged)
    for source in found:
        assert known[source.id].url == source.url
        assert source.use == "seen" or known[source.id].use == "read"
    assert [source.id for source in merged] == sorted((s.id for s in merged), key=id_order)


def test_merging_changes_nothing_in_place() -> None:
    first, same = (
        Source(id="S1.1", url="https://a.example/x"),
        Source(id="S2.1", url="https://A.example/x#part"),
    )
    (merged,) = merge_by_key([first], [same])
    assert merged.aliases == ["S2.1"] and first.aliases == same.aliases == []


def test_sources_without_a_url_are_merged_by_citation_key() -> None:
    one, other = (Source(id=f"S{n}.1", citation_key="report.pdf, p.15", kind="document") for n in (1, 2))
    apart = Source(id="S3.1", citation_key="report.pdf, p.16", kind="document")
    assert [(s.id, s.aliases) for s in merge_by_key([], [other, apart, one])] == [
        ("S1.1", ["S2.1"]),
        ("S3.1", []),
    ]


def test_ids_are_ordered_by_number() -> None:
    assert sorted(["S10.1", "S2.10", "S2.9", "S0.1"], key=id_order) == ["S0.1", "S2.9", "S2.10", "S10.1"]


def test_batches_are_appended_in_order_and_not_in_place() -> None:
    start = [1]
    assert append_batches(start, [[2, 3], [4]]) == [1, 2, 3, 4] and start == [1]
    assert append_batches(None, []) == []


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(ValidationError):
        Source(id="S1.1", ulr="https://a.example")  # type: ignore[call-arg]


def test_what_is_booked_on_a_role_is_booked_on_the_total() -> None:
    usage = Usage()
    usage.charge("writer", RoleUsage(model_calls=1, input_tokens=5, cost_usd=0.1))
    usage.charge("writer", RoleUsage(model_calls=1, cost_usd=0.2))
    usage.charge("researcher", RoleUsage(searches=2, seconds=0.4))
    assert usage.by_role["writer"] == RoleUsage(model_calls=2, input_tokens=5, cost_usd=0.3)
    assert (usage.model_calls, usage.searches, usage.cost_usd, usage.seconds) == (2, 2, 0.3, 0.4)
