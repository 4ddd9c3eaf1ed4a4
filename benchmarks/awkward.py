"""Forty kinds of awkward output in each step: recovered, or an honest gap; none complete and false.

    python -m benchmarks.awkward [--limit N] [--steps N]

In each run one step of one design gets awkward answers and all others the offline model's own. A run is
`recovered` if it ends complete, `gap` if it ends otherwise and says why, `false` if it ends complete with an
unmarked statement that no page of the web bears out, `silent` if it ends otherwise and says nothing.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from deep_research.components.compressor import numbers_in
from deep_research.core.clock import FrozenClock
from deep_research.core.errors import ResearchError
from deep_research.engine.clients import Models
from deep_research.runs import aresearch
from deep_research.runs.environment import Environment
from deep_research.runs.offline import offline_search
from deep_research.settings import Settings, load_settings
from deep_research.settings.roles import ROLE_SLOTS
from deep_research.text.cited_sentences import DOUBT_MARK, all_sentences
from deep_research_offline.model import complete
from deep_research_offline.model.flaws import INVENTED, spoil
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.web import build_web
from deep_research_offline.web.types import Web

from .arguments import new_parser

Message = dict[str, Any]
Change = Callable[[Message, Mapping[str, Any]], Message]
CUT = "length"
STEPS = (
    ("open_deep_research", "clarifier"), ("open_deep_research", "brief_writer"),
    ("open_deep_research", "supervisor"), ("open_deep_research", "researcher"),
    ("open_deep_research", "summarizer"), ("open_deep_research", "compressor"),
    ("open_deep_research", "writer"), ("shallow_researcher", "query_rewriter"),
    ("shallow_researcher", "researcher"), ("shallow_researcher", "writer"), ("auto", "router"),
    ("graph_agent", "planner"), ("graph_agent", "vetter"), ("graph_agent", "critic"),
    ("deep_researcher", "planner"), ("deep_researcher", "orchestrator"), ("topic_queue", "planner"),
    ("topic_queue", "researcher"),
)  # fmt: skip
"""Each structured step, each loop of tool calls and each text that is written."""


def said(text: str, reason: str = "stop") -> Change:
    """Always the same text."""
    return lambda message, request: _text(text, reason)


def _text(text: str | None, reason: str = "stop") -> Message:
    return {"role": "assistant", "content": text, "refusal": None, "reason": reason}


def told(form: str, reason: str = "stop") -> Change:
    """What the message holds, its calls included, written as text in a form."""
    return lambda message, request: _text(form.replace("@", _plain(message)), reason)


def _plain(message: Message) -> str:
    """A message's text, or its last call as JSON."""
    calls = message.get("tool_calls")
    if not calls:
        return str(message.get("content") or "")
    function = calls[-1]["function"]
    return f'{{"name": "{function["name"]}", "arguments": {function["arguments"]}}}'


def edited(change: Callable[[str], str], reason: str = "stop") -> Change:
    """The message as text, changed."""
    return lambda message, request: _text(change(_plain(message)), reason)


def flawed(flaw: str) -> Change:
    """What a flawed variant of the offline model makes of the message."""

    def change(message: Message, request: Mapping[str, Any]) -> Message:
        spoilt, reason = spoil(flaw, message, message["reason"], 2_000, f"{len(str(request)):08x}")
        return {**spoilt, "reason": reason}

    return change


def calls(change: Callable[[str, str], tuple[str, str]], times: int = 1) -> Change:
    """The calls with other names or arguments; a message without calls stays as it is."""

    def changed(message: Message, request: Mapping[str, Any]) -> Message:
        if not message.get("tool_calls"):
            return message
        made = []
        for call in message["tool_calls"] * times:
            name, arguments = change(call["function"]["name"], call["function"]["arguments"])
            made.append({**call, "function": {"name": name, "arguments": arguments}})
        return {**message, "tool_calls": made}

    return changed


def shown(place: int) -> Change:
    """An echo of a message of the request."""
    return lambda message, request: _text(str(request["messages"][place].get("content") or "")[:4_000])


def echo(message: Message, request: Mapping[str, Any]) -> Message:
    """An echo of the first tool or the schema."""
    offered = request.get("tools") or [request.get("response_format") or {}]
    return _text(json.dumps(offered[0]))


KINDS: dict[str, Change] = {
    "empty": said(""), "blank": said(" \n"), "null": lambda m, r: _text(None), "OK": said("OK."),
    "refusal": said("I'm sorry, but I can't help with that."), "question back": said("What do you mean?"),
    "html": said("<html><body>502 Bad Gateway</body></html>"), "empty object": said("{}"),
    "empty list": said("[]"), "null object": said("null"), "number": said("41"),
    "fenced": told("```json\n@\n```"),
    "prose around": told("Sure! Here it is:\n\n@\n\nLet me know."), "doubled braces": told("{@}"),
    "tag": told("<tool_call>@</tool_call>"), "in a list": told("[@]"), "nested": told('{"answer": @}'),
    "twice": told("@\n@"), "trailing comma": edited(lambda t: re.sub(r"\}\s*$", ",}", t)),
    "single quotes": edited(lambda t: t.replace('"', "'")), "cut": edited(lambda t: t[: len(t) // 2], CUT),
    "cut, not said": edited(lambda t: t[: len(t) // 2]), "upper case": edited(str.upper),
    "no quotes": edited(lambda t: t.replace('"', "")), "echo of the instructions": shown(0),
    "echo of the request": shown(-1), "echo of the schema": echo, "thought not closed": told("<think>@"),
    "thought first": told("<think>Hm. 9,999?</think>@"),
    "unknown tool": calls(lambda n, a: ("browse_web", a)),
    "no arguments": calls(lambda n, a: (n, "{}")), "text as arguments": calls(lambda n, a: (n, "search it")),
    "ids as arguments": calls(lambda n, a: (n, re.sub(r'"[^"]*"(?=[\],}])', '"S1.3"', a))),
    "thirty calls": calls(lambda n, a: (n, a), 30), "texting": flawed("texting"),
    "endless": flawed("endless"),
    "inventing": flawed("inventing"), "uncited": flawed("uncited"), "lying": flawed("lying"),
    "example ids": edited(lambda t: re.sub(r"\[S\d+\.\d+\]", "[S1.0]", t)),
}  # fmt: skip

_OWN_SECTIONS = re.compile(
    r"^## (?:Sources|How this report was checked|What could not be found)\n.*?(?=^## |\Z)",
    re.MULTILINE | re.DOTALL,
)


def untrue_statements(markdown: str, web: Web) -> list[str]:
    """The sentences of a report with a number that no page has, or an invented name, and without a mark."""
    body = _OWN_SECTIONS.sub("", markdown)
    known = numbers_in("\n".join(f"{page.title}\n{page.published}\n{page.text}" for page in web.pages))
    return [
        one.text
        for one in all_sentences(body)
        if DOUBT_MARK not in body[one.start : one.end + 3]
        and (not numbers_in(one.text) <= known or "Halvorsen" in one.text or INVENTED in one.text)
        and not one.text.startswith("This report was written without naming")
        and not one.text.startswith("This report names none")
    ]


def awkward_settings(system: str) -> Settings:
    """The quick settings of a design, with a model name per role, so that roles can be told apart."""
    named = {f"models.{role}": f"offline:{role}" for role in ROLE_SLOTS}
    return load_settings({**named, "system": system, "preset": "quick", "retries": 0})


async def outcome(system: str, role: str, change: Change, question: str, web: Web) -> str:
    """How a run ends in which one role answers awkwardly."""

    def model(request: dict[str, Any]) -> dict[str, Any]:
        answer = complete({**request, "model": "offline"})
        if request["model"] == f"offline:{role}":
            choice = answer["choices"][0]
            message = change({**choice["message"], "reason": choice["finish_reason"]}, request)
            answer["choices"] = [{**choice, "finish_reason": message.pop("reason"), "message": message}]
        return answer

    settings, provider = awkward_settings(system), OfflineProvider(web=web, model=model)
    world = Environment(Models(settings, provider), offline_search(provider), FrozenClock(web.date), provider)
    try:
        report = await aresearch(question, settings=settings, environment=world, keep=False)
    except ResearchError:
        return "gap"  # refused in words
    if report.status == "complete":
        return "false" if untrue_statements(report.markdown, web) else "recovered"
    return "gap" if report.gaps or report.errors or "No evidence" in report.markdown else "silent"


async def measure(
    kinds: Mapping[str, Change], steps: Sequence[tuple[str, str]], web: Web
) -> dict[tuple[str, str], dict[str, str]]:
    """The outcome of every kind in every step."""
    question = next(one.text for one in web.questions if one.kind == "single_fact")
    return {
        (system, role): {
            name: await outcome(system, role, change, question, web) for name, change in kinds.items()
        }
        for system, role in steps
    }


def main() -> int:
    """Print the table; exit status 1 if a run ends complete and false, or otherwise without a word."""
    parser = new_parser(__doc__)
    parser.add_argument("--limit", type=int, default=len(KINDS), help="kinds of output (default: all)")
    parser.add_argument("--steps", type=int, default=len(STEPS), help="steps (default: all)")
    options = parser.parse_args()
    kinds = dict(list(KINDS.items())[:: max(len(KINDS) // options.limit, 1)])
    found = asyncio.run(measure(kinds, STEPS[: options.steps], build_web(0)))
    print(f"{len(kinds)} kinds of output in each of {len(found)} steps\n")
    print("| design | step | recovered | honest gap | complete and false | ends without a word |")
    print("|---|---|---:|---:|---:|---:|")
    bad = []
    for (system, role), by_kind in found.items():
        counts = Counter(by_kind.values())
        figures = " | ".join(str(counts[name]) for name in ("recovered", "gap", "false", "silent"))
        print(f"| {system} | {role} | {figures} |")
        bad += [
            f"{system}, {role}: {kind} is {end}"
            for kind, end in by_kind.items()
            if end in ("false", "silent")
        ]
    print("".join(f"\n- {line}" for line in bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
