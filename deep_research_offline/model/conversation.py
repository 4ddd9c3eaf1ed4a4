"""Reading a chat-completions request: instructions, turns, and the evidence blocks inside them.

Evidence is recognised by its form alone: a fenced block whose tag carries an `id`, or a block of text
whose sentences carry ids in square brackets. What stands inside a fence is data and is never read as an
instruction.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from .foreign import adopt, content_text
from .lexicon import patterns
from .page import Page
from .text import tidy

_NAMED = r"[A-Z]{1,4}\d+(?:[.\-]\d+)*"
ID = re.compile(rf"\[({_NAMED}(?:\s*,\s*{_NAMED})*)\]")
_CITES = re.compile(rf"((?:\s*{ID.pattern})+)[.。]?")
_FENCE = re.compile(r"<([a-z_]+)((?:\s+[\w-]+=\"[^\"]*\")*)\s*>\n?(.*?)\n?</\1>", re.DOTALL)
_ATTRIBUTE = re.compile(r"([\w-]+)=\"([^\"]*)\"")
_LISTED = re.compile(rf"^\W*({_NAMED})(?::| —)\s*(.+?)(?:\s+\(([^()]*)\))?$", re.MULTILINE)
_RE = patterns("talk")
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its tag, attributes and text."""

    tag: str
    attributes: Mapping[str, str]
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call made earlier, with the text that came back ("" if nothing did), and in which message."""

    name: str
    arguments: Mapping[str, Any]
    result: str
    turn: int = 0

    @property
    def refused(self) -> bool:
        """Whether the tool said no."""
        return bool(_RE["refused"].match(self.result))


_SUMMARY = "Summary:"


class Conversation:
    """The messages of one request."""

    def __init__(self, messages: Iterable[Mapping[str, Any]]) -> None:
        self.foreign = adopt(messages)
        self.messages = [
            (str(m.get("role", "user")), content_text(m.get("content")), m) for m in self.foreign.messages
        ]

    @cached_property
    def system(self) -> str:
        """All instructions of the system."""
        return "\n".join(text for role, text, _ in self.messages if role in {"system", "developer"})

    @cached_property
    def turns(self) -> list[tuple[str, str]]:
        """User and assistant turns with text, without failed answers to a request for an object and the
        complaints about them."""
        kept: list[tuple[str, str]] = []
        for role, text, message in self.messages:
            answered = len(kept) > 1 and kept[-1][0] == "assistant"
            if (
                role == "user"
                and answered
                and (kept[-1][1].strip()[:1] == "{" or _RE["complaint"].match(text))
            ):
                kept.pop()
            elif role in {"user", "assistant"} and text.strip() and not message.get("tool_calls"):
                kept.append((role, text))
        return [turn for turn in kept if turn[0] == "user" or turn[1].strip()[:1] != "{"]

    @cached_property
    def said(self) -> list[str]:
        """What the user said, turn by turn."""
        return [text for role, text in self.turns if role == "user"]

    @cached_property
    def calls(self) -> list[Call]:
        """Every tool call so far with its result, in order."""
        results = {m.get("tool_call_id"): text for role, text, m in self.messages if role == "tool"}
        found = []
        for turn, (_, _, message) in enumerate(self.messages):
            for call in message.get("tool_calls") or ():
                function = call.get("function") or {}
                given = object_in(function.get("arguments") or "") or {}
                found.append(Call(function.get("name", ""), given, results.get(call.get("id"), ""), turn))
        return found

    @cached_property
    def evidence_text(self) -> str:
        """Everything in which evidence may stand: user turns and tool results."""
        return "\n".join(text for role, text, _ in self.messages if role in {"user", "tool"})

    @cached_property
    def blocks(self) -> list[Block]:
        """All fenced blocks, in order."""
        return list(blocks(self.evidence_text))

    @cached_property
    def sources(self) -> list[Page]:
        """Blocks that carry an id, as pages, each with all that was shown of it."""
        shown: dict[str, list[Block]] = {}
        for block in self.blocks:
            shown.setdefault(block.attributes.get("id", ""), []).append(block)
        shown.pop("", None)
        found = []
        for name, told in shown.items():
            a, texts = told[0].attributes, {block.text.strip(): None for block in told}
            summed = [text for text in texts if text.startswith(_SUMMARY)]
            text = page_text("\n\n".join(summed) if summed else max(texts, key=len))
            title, dated = a.get("title", ""), a.get("published", "")
            found.append(Page(name, title, text, dated, a.get("tier", ""), a.get("url", "")))
        return found

    @cached_property
    def findings(self) -> list[Block]:
        """Blocks without an id of their own whose sentences carry ids."""
        return [b for b in self.blocks if "id" not in b.attributes and ID.search(b.text)]

    @cached_property
    def listed(self) -> dict[str, tuple[str, str, str]]:
        """Source list lines `- S1.3: title (date; tier)` or `- S1.3 — title …`: id → title, date, tier."""
        found = {}
        for source, title, noted in _LISTED.findall(outside_fences(self.evidence_text)):
            notes = [part.strip() for part in noted.split(";") if part.strip() not in ("", "undated")]
            date = next((note for note in notes if _DATE.fullmatch(note)), "")
            found[source] = (title.strip(), date, next((note for note in notes if note != date), ""))
        return found


@lru_cache(maxsize=512)
def blocks(text: str) -> tuple[Block, ...]:
    """The fenced blocks of a text."""
    return tuple(Block(tag, dict(_ATTRIBUTE.findall(own)), told) for tag, own, told in _FENCE.findall(text))


def outside_fences(text: str) -> str:
    """A text without its fenced blocks."""
    return _FENCE.sub("", text)


@lru_cache(maxsize=4096)
def page_text(text: str) -> str:
    """A page's text; of summaries with key excerpts, their lines under their headings, and then what only
    the excerpts say; nothing comes twice."""
    if not text.lstrip().startswith(_SUMMARY):
        return text
    told: dict[str, str] = {}  # the heading that a line stands below
    quoted: list[str] = []
    for part in re.split(r"^Summary:\s*", text, flags=re.MULTILINE):
        summary, _, rest = part.partition("\n\n")
        heading = ""
        for line in filter(None, map(tidy, summary.splitlines())):
            heading = line if line.startswith("#") else heading
            if line != heading:
                told.setdefault(line, heading)
        quoted += map(tidy, re.findall(r"^\s*-\s+[\"“]?(.+?)[\"”]?\s*$", rest, re.MULTILINE))
    under: dict[str, dict[str, None]] = {"": {}}
    for line, heading in told.items():  # what another line holds is torn from its paragraph
        if not any(line in other for other in told if other != line):
            under.setdefault(heading, {})[line] = None
    for excerpt in quoted:
        if not any(excerpt in line for line in [*told, *under[""]]):
            under[""][excerpt] = None
    return "\n\n".join(
        line for heading, lines in under.items() for line in (heading, *lines) if lines and line
    )


def cited(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Sentences of a finding with the ids that follow each."""
    found = []
    for line in text.splitlines():
        end = 0
        for match in _CITES.finditer(line):
            said, end = line[end : match.start()].strip(), match.end()
            ids = (i.strip() for group in ID.findall(match[1]) for i in group.split(","))
            if said.strip(" -*•.。"):
                found.append((re.sub(r"^(?:[-*•]+\s+)+", "", said), tuple(dict.fromkeys(ids))))
    return found


def object_in(text: str) -> dict[str, Any] | None:
    """The JSON object that a text is, if it is one."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
