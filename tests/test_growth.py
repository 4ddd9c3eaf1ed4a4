"""The measure of growth notices what is quadratic, in Python and in C, and passes what is not."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.growth import assert_ten_times_takes_at_most_twenty


def pairs(text: str) -> int:
    """A loop in a loop."""
    return sum(one == other for one in text for other in text)


def lines(text: str) -> list[int]:
    """A linear number of calls, each of which goes over the text from its start."""
    return [text.count("\n", 0, place) for place in range(0, len(text), 10)]


def words(text: str) -> list[str]:
    return [word.upper() for word in sorted(text.split())]


QUADRATIC: dict[str, tuple[Callable[[str], object], Callable[[int], str], int]] = {
    "loop in a loop": (pairs, lambda n: "a" * (n // 20), 6_000),
    "backtracking": (re.compile(r"a+b").search, lambda n: "a" * n, 2_000),
    "from the start each time": (lines, lambda n: "word\n" * n, 2_000),
}
LINEAR: dict[str, tuple[Callable[[str], object], Callable[[int], str], int]] = {
    "words": (words, lambda n: "word " * (n // 5), 20_000),
    "pattern": (re.compile(r"a+b").findall, lambda n: "aaaaaaab" * (n // 8), 50_000),
    "too little to measure": (str.upper, lambda n: "a" * n, 10),
}


@pytest.mark.parametrize("case", QUADRATIC)
def test_what_grows_with_the_square_is_noticed(case: str) -> None:
    with pytest.raises(AssertionError, match="ten times the text took"):
        assert_ten_times_takes_at_most_twenty(*QUADRATIC[case])


@pytest.mark.parametrize("case", LINEAR)
def test_what_grows_with_the_text_passes(case: str) -> None:
    assert_ten_times_takes_at_most_twenty(*LINEAR[case])
