"""Servers that answer in ways of their own: in each design the report is what it would be else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from deep_research.report import Report
from deep_research.runs import aresearch
from deep_research.runs.environment import Environment
from deep_research.systems import SYSTEMS
from deep_research_offline.model import complete
from deep_research_offline.web import build_web
from deep_research_offline.wire import Response, json_response
from tests.running import Wire, environment_of, settings_of

WEB = build_web(0)
ASKED = next(question for question in WEB.questions if question.kind == "single_fact")
Json = dict[str, Any]
Change = Callable[[Json, Json], None]


class OddServer(Wire):
    """The offline model behind a server of its own kind.

    `change` edits each answer; `refuses` may answer a request with an error; `streams` is whether it can.
    """

    def __init__(
        self,
        change: Change = lambda request, message: None,
        refuses: Callable[[Json], Response | None] = lambda request: None,
        streams: bool = True,
    ) -> None:
        def answered(request: Json) -> Json:
            done = complete({**request, "model": "offline"})
            change(request, done["choices"][0]["message"])
            return done

        super().__init__(web=WEB, model=answered)
        self._refuses, self._streams = refuses, streams

    def handle(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Response:
        request = json.loads(body) if path.endswith("completions") else {}
        if request and (refused := self._refuses(request)):
            return refused
        if request.get("stream") and not self._streams:
            body = json.dumps({k: v for k, v in request.items() if not k.startswith("stream")}).encode()
        return super().handle(method, path, headers, body)


async def asked(server: OddServer, system: str, **settings: Any) -> Report:
    chosen = settings_of(system=system, preset="quick", retries=0, **settings)
    world: Environment = environment_of(server, chosen)
    return await aresearch(ASKED.text, settings=chosen, environment=world, keep=False)


def thinking(request: Json, message: Json) -> None:
    """The server's template has opened a thought, so that only its end is in the answer."""
    if message.get("content"):
        message["content"] = f"I will say 999 metres, first.\n</think>\n\n{message['content']}"


def objects(request: Json, message: Json) -> None:
    """Arguments are objects."""
    for call in message.get("tool_calls") or []:
        call["function"]["arguments"] = json.loads(call["function"]["arguments"])


def no_newer_limit(request: Json) -> Response | None:
    """A field that the server does not know is forbidden."""
    fault = {"loc": ["body", "max_completion_tokens"], "msg": "Extra inputs are not permitted"}
    return json_response({"detail": [fault]}, 422) if "max_completion_tokens" in request else None


def dressed(before: str, behind: str) -> Change:
    """Ids stand behind the full stop, in emphasis or raised."""

    def dress(request: Json, message: Json) -> None:
        if message.get("content") and "response_format" not in request:
            moved = re.sub(r" ?((?:\[S\d+\.\d+\])+)\.", r". \1", message["content"])
            message["content"] = re.sub(r"\[(S\d+\.\d+)\]", rf"{before}\1{behind}", moved)

    return dress


ODD: dict[str, Callable[[], OddServer]] = {
    "plain": OddServer,
    "thoughts that only close": lambda: OddServer(thinking),
    "arguments as objects": lambda: OddServer(objects),
    "no streams": lambda: OddServer(streams=False),
    "bold ids": lambda: OddServer(dressed("**", "**")),
    "raised ids": lambda: OddServer(dressed("<sup>", "</sup>")),
    "the older limit": lambda: OddServer(refuses=no_newer_limit),
}


MOVED = ("bold ids", "raised ids")
"""Where citations stand elsewhere than they would else."""


PLAIN: dict[str, Report] = {}
"""What each design reports where the server has no ways of its own; asked once."""


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("name", ODD)
async def test_an_odd_server_gives_the_same_report(name: str, system: str) -> None:
    plain = PLAIN[system] = PLAIN.get(system) or await asked(OddServer(), system)
    report = await asked(ODD[name](), system)
    assert report.status == plain.status == "complete" and "⚠" not in report.markdown, report.gaps
    assert name in MOVED or report.markdown == plain.markdown


def refusing(request: Json, message: Json) -> None:
    """The model refuses to say anything on what was found, and says why."""
    found = any(said["role"] == "tool" for said in request["messages"])
    if "response_format" not in request and (found or not request.get("tools")):
        message |= {"content": None, "refusal": "I cannot help with masts."}


def talking(request: Json, message: Json) -> None:
    """The model has no calls of tools."""
    if message.pop("tool_calls", None):
        message["content"] = "I would have to look that up."


def misnaming(request: Json, message: Json) -> None:
    """The model calls tools that nobody has offered it."""
    for call in message.get("tool_calls") or []:
        call["function"]["name"] = "browse_the_internet"


def looking_up(request: Json, message: Json) -> None:
    """The model looks up items that nobody has, whatever else it may do."""
    for call in message.get("tool_calls") or []:
        call["function"] = {"name": "look_up_item", "arguments": '{"label": "the office of today"}'}


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("change", [talking, misnaming, looking_up])
async def test_a_report_says_that_the_program_searched_by_itself(change: Change, system: str) -> None:
    report = await asked(OddServer(change), system)
    told = [gap.message for gap in report.gaps if gap.said == "searched_itself"]
    assert told and told[0] in report.markdown and report.cited


def echoing(places: slice) -> Change:
    """The model says once more what it is told, all of it or the end."""

    def echo(request: Json, message: Json) -> None:
        if not message.get("tool_calls") and "response_format" not in request:
            told = [str(said.get("content") or "") for said in request["messages"][places]]
            message["content"] = "Here you are:\n\n" + "\n\n".join(told)

    return echo


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("places", [slice(0, None), slice(-1, None)], ids=["all", "last"])
async def test_what_repeats_the_request_is_no_report(places: slice, system: str) -> None:
    report = await asked(OddServer(echoing(places)), system)
    assert report.status == "partial", report.markdown
    for told in ("You can search", "Topic:", "I have not said", "Sources:", "source id="):
        assert told not in report.markdown, report.markdown


@pytest.mark.parametrize("system", SYSTEMS)
async def test_a_refusal_is_told_in_its_words(system: str) -> None:
    report = await asked(OddServer(refusing, streams=False), system)
    assert any("refused to answer: I cannot help with masts. Ask" in gap.message for gap in report.gaps)
    assert report.status in ("partial", "no_evidence")
