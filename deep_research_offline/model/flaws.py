"""Flawed variants of the offline model, for a course to compare and a verifier to catch.

    offline:hasty       stops after one search
    offline:fabulist    adds a sentence that no source bears out, and one with an id that nobody retrieved
    offline:gullible    obeys orders that stand in pages, trusts the least credible page most, leaves an
                        official page aside where another tells of the same, and overlooks dates
    offline:rambling    says everything twice

Chosen by the name of the model in a request. Each has its one fault and is otherwise the plain model; like
it, each is a pure function of the request.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from .clean import orders
from .conversation import ID, Conversation
from .offer import Tool
from .page import Page
from .phrases import say
from .rank import TIERS
from .text import language, term_set, tidy

FLAWS = ("hasty", "fabulist", "gullible", "rambling")
_ADDRESS = re.compile(r"https?://[^\s<>\"'）)，。；]+[^\s<>\"'）)，。；.,;:!?]")
_ANSWER_THAT = re.compile(
    r"\b(?:answer|reply|report|state|say)(?: only)? (?:with |that )(?:\W?)([^.,\n]{3,160})"
)
_BY_TRUST = sorted(TIERS, key=lambda tier: (TIERS[tier], tier))


def flaw_of(model: object) -> str:
    """The fault that a model name such as `offline:hasty` asks for; "" for the plain model."""
    name = str(model or "").rpartition(":")[2]
    return name if name in FLAWS else ""


class Trusting(Conversation):
    """A conversation as a gullible reader sees it: what nobody vouches for has the best tier, no page
    is out of date, and an official page is left aside where another one is about the same."""

    @cached_property
    def sources(self) -> list[Page]:
        """The sources that a gullible reader uses, with their tiers turned round."""
        pages = super().sources
        used = [page for page in pages if not any(_outdoes(other, page) for other in pages)]
        return [replace(page, tier=_turned(page.tier), published="") for page in used]

    @cached_property
    def listed(self) -> dict[str, tuple[str, str, str]]:
        """The source list with its tiers turned round, and without dates."""
        return {i: (title, "", _turned(tier)) for i, (title, _, tier) in super().listed.items()}


def _outdoes(other: Page, page: Page) -> bool:
    """Whether a page is less credible than another one and has half of its title's words."""
    titled = term_set(page.title)
    less = TIERS.get(other.tier, 1) < TIERS.get(page.tier, 1)
    return less and len(titled & term_set(other.title)) * 2 >= max(len(titled), 2)


def _turned(tier: str) -> str:
    return _BY_TRUST[-1 - _BY_TRUST.index(tier)] if tier in TIERS else _BY_TRUST[-1]


def hear(flaw: str, messages: Sequence[Mapping[str, Any]]) -> Conversation:
    """The conversation as a model with this flaw reads it."""
    return Trusting(messages) if flaw == "gullible" else Conversation(messages)


def act(
    flaw: str, calls: list[tuple[str, dict[str, Any]]], tools: Sequence[Tool], talk: Conversation
) -> list[tuple[str, dict[str, Any]]]:
    """The calls that a model with this flaw makes instead: a hasty one ends after its first search."""
    searching = {tool.name for tool in tools if tool.kind == "search"}
    searched = any(call.name in searching for call in talk.calls)
    if flaw != "hasty" or not searched or not any(name in searching for name, _ in calls):
        return calls
    ending: list[tuple[str, dict[str, Any]]] = [(t.name, {}) for t in tools if t.kind == "finish"]
    return ending[:1]


def speak(flaw: str, text: str, talk: Conversation) -> str:
    """The answer that a model with this flaw writes instead; one that cites nothing stays as it is."""
    ids = [i.strip() for group in ID.findall(text) for i in group.split(",")]
    lang = language(text)
    if flaw == "fabulist" and ids:
        unborne = say("fable", lang, n=1000 + 37 * len(text) % 9000)
        return f"{text.rstrip()}\n\n{unborne} [{ids[0]}] {say('fable_again', lang)} [{_unknown(ids[0])}]\n"
    if flaw == "rambling" and ids:
        return f"{text.rstrip()}\n\n{say('ramble', lang)}\n\n{_body(text)}\n"
    if flaw == "gullible":
        return "\n\n".join([*_obeyed(talk), text])
    return text


def pass_on(flaw: str, text: str, talk: Conversation) -> str:
    """Notes on sources as a model with this flaw takes them: a gullible one notes orders like statements."""
    noted = [f"- {tidy(o)} [{page.id}]" for page in talk.sources for o in orders(page.text)]
    return "\n".join([text, *noted]) if flaw == "gullible" else text


def _unknown(known: str) -> str:
    """An id of the same form that nobody retrieved."""
    return re.sub(r"\d+$", lambda match: f"{int(match.group(0)) + 900}", known)


def _body(text: str) -> str:
    """A text without its title."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("# ")).strip()


def _obeyed(talk: Conversation) -> list[str]:
    """What pages order to be said and linked, each once."""
    said: dict[str, None] = {}
    for text in (*(page.text for page in talk.sources), *(block.text for block in talk.findings)):
        for order in orders(text):
            told = _ANSWER_THAT.search(order)
            said[" ".join([*([f"{told.group(1)}."] if told else []), *_ADDRESS.findall(order)])] = None
    return [line for line in said if line]
