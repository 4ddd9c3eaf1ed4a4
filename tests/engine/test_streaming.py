"""Text that streams in: what a watcher sees does not depend on where the pieces were cut."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from deep_research.cli.progress import Tally
from deep_research.engine.chat import ThoughtFilter
from deep_research.engine.trace import Event

TEXTS = {
    "plain": ("One < two, <b>three</b> <thinks>.", "One < two, <b>three</b> <thinks>."),
    "thoughts": ("<think>a</THINK>One <thinking>b <think> c</think>two", "One two"),
    "left open": ("One <think> two", "One <think> two"),
    "never closed": ("\n<think> one", "\n"),
    "a tag's beginning": ("One <thin", "One <thin"),
}


@pytest.mark.parametrize("size", [1, 2, 5, 100])
@pytest.mark.parametrize(("text", "passed"), TEXTS.values(), ids=TEXTS)
def test_s15_thoughts_are_held_back_wherever_the_pieces_are_cut(text: str, passed: str, size: int) -> None:
    thoughts = ThoughtFilter()
    pieces = [thoughts.feed(text[start : start + size]) for start in range(0, len(text), size)]
    assert "".join(pieces) + thoughts.rest() == passed


def test_s15_progress_counts_what_was_taken_back_once() -> None:
    tally = Tally()
    for text, data in (("A broken", {}), ("", {"retract": 8}), ("A whole one", {})):
        tally.count(
            Event(
                type="token",
                run_id="r",
                role="writer",
                text=text,
                data=data,
                at=datetime(2041, 1, 1, tzinfo=UTC),
            )
        )
    assert tally.written == len("A whole one")
