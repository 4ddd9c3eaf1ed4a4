"""Text that streams in: what a watcher sees does not depend on where the pieces were cut."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from deep_research.cli.progress import Tally
from deep_research.engine.chat import chat
from deep_research.engine.clients import Models
from deep_research.engine.prompting import user_message
from deep_research.engine.thoughts import ThoughtFilter
from deep_research.engine.trace import Event
from deep_research.runs.environment import build_environment
from deep_research.settings import load_settings
from tests.runs.test_hostile_endpoints import answer, serving

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


THOUGHT = {"reasoning_content": "It is the Gull "}, {"reasoning_content": "that is tall."}
SAID = {"content": "41 "}, {"content": "metres."}


def streamed(*deltas: dict[str, str], reason: str = "stop") -> str:
    """The body of a streamed answer, in these pieces."""
    choices = [
        {"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": None} for delta in deltas
    ]
    choices.append({"index": 0, "delta": {}, "finish_reason": reason})
    events = [{"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [one]}
              for one in choices]  # fmt: skip
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"


def whole(*deltas: dict[str, str], reason: str = "stop") -> str:
    """The body of the same answer in one piece."""
    message: dict[str, str | None] = {"role": "assistant", "content": None}
    for name in {name for delta in deltas for name in delta}:
        message[name] = "".join(delta.get(name, "") for delta in deltas)
    return answer(choices=[{"index": 0, "finish_reason": reason, "message": message}])


@pytest.mark.parametrize("streams", [True, False])
@pytest.mark.parametrize(
    ("deltas", "reason", "said"),
    [
        ((*THOUGHT, *SAID), "stop", "41 metres."),
        (THOUGHT, "stop", "It is the Gull that is tall."),
        (({"reasoning": "It is the Gull."},), "stop", "It is the Gull."),
        (THOUGHT, "length", ""),
    ],
)
async def test_thoughts_beside_the_text_are_the_answer_only_where_there_is_no_other(
    streams: bool, deltas: Any, reason: str, said: str
) -> None:
    body = streamed(*deltas, reason=reason) if streams else whole(*deltas, reason=reason)
    events = list[Event]()
    with serving(200, "text/event-stream" if streams else "application/json", body) as address:
        settings = load_settings(
            {"models.model": "openai:m", "search.providers": ["offline"], "base_url": address}
        )
        world = build_environment(settings)
        ctx = world.context(settings, sink=events.append)
        got = await chat("writer", [user_message("How tall?")], ctx, stream=streams)
        await world.close()
    assert got.text == said
    assert "".join(event.text for event in events if event.type == "token") == (said if streams else "")


@pytest.mark.parametrize("model", ["local", "openai:m"])
def test_a_stream_may_be_silent_for_as_long_as_a_call_may_take(model: str) -> None:
    settings = load_settings(
        {"models.model": model, "base_url": "http://127.0.0.1:9/v1", "call_timeout": 1800}
    )
    assert (
        Models(settings, env={}).client(model).stream_chunk_timeout == 1800
    )  # its own default is two minutes
