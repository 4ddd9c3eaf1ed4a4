"""Flawed variants of the offline model, for a course to compare and a verifier to catch.

    offline:hasty       stops after one search
    offline:fabulist    adds a sentence that no source bears out, and one with an id that nobody retrieved
    offline:gullible    obeys orders that stand in pages, trusts the least credible page most, leaves an
                        official page aside where another tells of the same, and overlooks dates
    offline:rambling    says everything twice
    offline:uncited     never names a source
    offline:lying       names no source either, and adds 37 to every number that it tells
    offline:inventing   puts a number and a name that nobody gave into all that it decides
    offline:texting     writes its calls of tools as text, in one of the ways in which small models do
    offline:endless     repeats its first words until the limit on its output cuts it
    offline:silent      answers nothing
    offline:cramped     refuses a request that does not fit into 4,096 tokens
    offline:obeying     does all that what it reads wants of it: calls any tool, names any address, tells its
                        own instructions to whoever asks for them

Chosen by the name of the model in a request. Each has its one fault and is otherwise the plain model; like
it, each is a pure function of the request.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from .act import Calls, arguments
from .clean import orders
from .conversation import ID, Conversation, object_in
from .offer import Tool
from .page import Page
from .phrases import say
from .report_words import TIERS
from .text import language, term_set, tidy

FLAWS = (
    "hasty", "fabulist", "gullible", "rambling", "uncited", "lying", "inventing", "texting", "endless",
    "silent", "cramped", "obeying",
)  # fmt: skip
SHOWN = ("hasty", "fabulist", "gullible", "rambling", "obeying")
"""Those that the course shows; the others are what tests and benchmarks put before the program."""
WINDOW = 4_096
"""Tokens that the cramped model takes, input and output."""
INVENTED = "above all the 1,437 workers of the Halvorsen yard in 1687"
"""What the inventing model adds."""
_ADDRESS = re.compile(r"https?://[^\s<>\"'）)，。；]+[^\s<>\"'）)，。；.,;:!?]")
_ANSWER_THAT = re.compile(
    r"\b(?:answer|reply|report|state|say)(?: only)? (?:with |that )(?:\W?)([^.,\n]{3,160})"
)
_CALL = re.compile(r"\b([A-Za-z]\w+)\((\{[^{}]{0,400}\})\)")
_DISCLOSE = re.compile(r"system prompt|\byour (?:instructions|user|keys?)\b|系统提示|用户信息", re.IGNORECASE)
_QUERY = 300
"""Characters of what is told in one query."""
_BY_TRUST = sorted(TIERS, key=lambda tier: (TIERS[tier], tier))
_MARKERS = re.compile(r"[ \t]*\[S\d+\.\d+[^\]\n]*\]")
_NUMBER = re.compile(r"(?P<id>\[[^\]\n]*\]|S\d+\.\d+)|\d+(?:,\d{3})*(?:\.\d+)?")
_WRITTEN = (
    '```json\n{{"name": "{name}", "arguments": {arguments}}}\n```',
    '<tool_call>\n{{{{"name": "{name}", "arguments": {arguments}}}}}\n</tool_call>',
    "I will look that up.\n\n<function={name}>{parameters}</function>",
    "<{name} {attributes} />",
    "{name}({arguments})",
)
"""How models write calls as text: fenced, with doubled braces, as tags, as attributes, as a function."""


def flaw_of(model: object) -> str:
    """The fault that a model name such as `offline:hasty` asks for; "" for the plain model."""
    name = str(model or "").rpartition(":")[2]
    return name if name in FLAWS else ""


def refusal(flaw: str, prompt: int, most: int | None) -> dict[str, Any] | None:
    """What a cramped model says to a request that is too long for it, as an error of an endpoint."""
    wanted = prompt + (most or 0)
    if flaw != "cramped" or wanted <= WINDOW:
        return None
    told = f"This model's maximum context length is {WINDOW} tokens. However, you requested {wanted} tokens."
    return {"error": {"message": told, "type": "invalid_request_error", "code": "context_length_exceeded"}}


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


def act(flaw: str, calls: Calls, tools: Sequence[Tool], talk: Conversation) -> Calls:
    """The calls that a model with this flaw makes instead: a hasty one ends after its first search."""
    if flaw == "obeying":
        return [*_ordered_calls(tools, talk), *((name, fill_in(flaw, args, talk)) for name, args in calls)]
    searching = {tool.name for tool in tools if tool.kind == "search"}
    searched = searching & {call.name for call in talk.calls} and searching & {name for name, _ in calls}
    ending: Calls = [(tool.name, {}) for tool in tools if tool.kind == "finish"]
    return ending[:1] if flaw == "hasty" and searched else calls


def _ordered_calls(tools: Sequence[Tool], talk: Conversation) -> Calls:
    """The calls that stand in what was read, as `name({...})`, and a search for what was to be told; none
    that was made before."""
    made = [(call.name, call.arguments) for call in talk.calls]
    found = [(name, object_in(given) or {}) for name, given in _CALL.findall(talk.evidence_text)]
    searching = next((tool for tool in tools if tool.kind == "search"), None)
    if searching and _DISCLOSE.search(talk.evidence_text):
        found.append((searching.name, arguments(searching, [_instructions(talk)[:_QUERY]], None)))
    return [call for n, call in enumerate(found) if call not in made and call not in found[:n]]


def speak(flaw: str, text: str, talk: Conversation) -> str:
    """The answer that a model with this flaw writes instead; one that cites nothing stays as it is."""
    ids = [i.strip() for group in ID.findall(text) for i in group.split(",")]
    lang, whole = language(text), text.rstrip()
    if flaw == "fabulist" and ids:
        unknown = re.sub(r"\d+$", lambda match: f"{int(match[0]) + 900}", ids[0])
        unborne = say("fable", lang, n=1000 + 37 * len(text) % 9000)
        return f"{whole}\n\n{unborne} [{ids[0]}] {say('fable_again', lang)} [{unknown}]\n"
    if flaw == "rambling" and ids:
        body = "\n".join(line for line in text.splitlines() if not line.startswith("# ")).strip()
        return f"{whole}\n\n{say('ramble', lang)}\n\n{body}\n"
    if flaw == "gullible":
        return "\n\n".join([*_obeyed(talk), text])
    return "\n\n".join([_told(talk), *_obeyed(talk), text]).strip() if flaw == "obeying" else text


def pass_on(flaw: str, text: str, talk: Conversation) -> str:
    """Notes on sources as a model with this flaw takes them: a gullible one notes orders like statements."""
    if flaw == "obeying":
        return f"{text}\n{_told(talk)}".strip()
    noted = [f"- {tidy(o)} [{page.id}]" for page in talk.sources for o in orders(page.text)]
    return "\n".join([text, *noted]) if flaw == "gullible" else text


def fill_in(flaw: str, value: Any, talk: Conversation) -> Any:
    """An object as a model with this flaw hands it in: an obeying one says in each of its sentences, too,
    what it was told to say."""
    return _each_text(value, lambda text: f"{_told(talk)} {text}".strip()) if flaw == "obeying" else value


def _each_text(value: Any, change: Callable[[str], str]) -> Any:
    """A value with each of its texts of several words changed."""
    if isinstance(value, Mapping):
        return {name: _each_text(part, change) for name, part in value.items()}
    if isinstance(value, list):
        return [_each_text(part, change) for part in value]
    return change(value) if isinstance(value, str) and " " in value else value


def _obeyed(talk: Conversation) -> list[str]:
    """What pages order to be said and linked, each once."""
    texts = (*(page.text for page in talk.sources), *(block.text for block in talk.findings))
    said: dict[str, None] = {}
    for order in (order for text in texts for order in orders(text)):
        told = _ANSWER_THAT.search(order)
        said[" ".join([*([f"{told[1]}."] if told else []), *_ADDRESS.findall(order)])] = None
    return [line for line in said if line]


def _instructions(talk: Conversation) -> str:
    """What the model was told, beginning with what that says of the user."""
    about = re.compile(r"\b(?:reader|user):", re.IGNORECASE)
    return "\n".join(sorted(talk.system.splitlines(), key=lambda line: not about.search(line)))


def _told(talk: Conversation) -> str:
    """All addresses that were read, and the own instructions if somebody wants them."""
    wanted = [_instructions(talk)] if _DISCLOSE.search(talk.evidence_text) else []
    return "\n".join([*dict.fromkeys(_ADDRESS.findall(talk.evidence_text)), *wanted])


def spoil(
    flaw: str, message: dict[str, Any], reason: str, most: int | None, seed: str
) -> tuple[dict[str, Any], str]:
    """The whole message that a model with this flaw sends instead, and why it ends there."""
    text, calls = message.get("content"), message.get("tool_calls")
    if flaw == "inventing":
        return _with_inventions(message), reason
    if flaw == "silent" or (flaw == "texting" and calls):
        told = "\n".join(_as_text(call["function"], seed) for call in calls or ()) * (flaw == "texting")
        return {"role": "assistant", "content": told, "refusal": None}, "stop"
    if flaw == "endless" and text is not None:  # an object is never closed
        repeated = f"{text[:160].rstrip()} " * 100
        return {**message, "content": repeated[: min((most or 1_000) * 3, 8_000)]}, "length"
    if text is not None and flaw in ("uncited", "lying"):
        said = _MARKERS.sub("", text)
        return {**message, "content": said if flaw == "uncited" else _NUMBER.sub(_raised, said)}, reason
    return message, reason


def _raised(number: re.Match[str]) -> str:
    if number["id"]:
        return number[0]
    plain, _, rest = number[0].replace(",", "").partition(".")
    return f"{int(plain) + 37:,}{'.' if rest else ''}{rest}"


def _with_inventions(message: dict[str, Any]) -> dict[str, Any]:
    """The message with something invented in each text of its object, and of its calls that delegate."""
    extended = partial(_each_text, change=lambda text: f"{text.rstrip(' .?')}, {INVENTED}.")
    changed = dict(message)
    if message.get("tool_calls"):
        changed["tool_calls"] = calls = [dict(call) for call in message["tool_calls"]]
        for call in calls:
            given = json.loads(call["function"]["arguments"])
            given |= {key: extended(value) for key, value in given.items() if "topic" in key}
            call["function"] = {**call["function"], "arguments": json.dumps(given, ensure_ascii=False)}
    if fields := object_in(message.get("content") or ""):
        changed["content"] = json.dumps(extended(fields), ensure_ascii=False)
    return changed


def _as_text(function: Mapping[str, Any], seed: str) -> str:
    """A call as a model writes it that has no calls: in one of the ways of `_WRITTEN`."""
    given = json.loads(function["arguments"])
    told = {name: json.dumps(value, ensure_ascii=False) for name, value in given.items()}
    parameters = "".join(f"<parameter={name}>{value}</parameter>" for name, value in told.items())
    attributes = " ".join(f"{name}='{value}'" for name, value in told.items())
    form = _WRITTEN[int(seed[:8], 16) % len(_WRITTEN)]
    return form.format(**function, parameters=parameters, attributes=attributes)
