"""What a request offers: tools of known kinds, and plain instructions anywhere in its prompts.

Nothing here knows the name of a tool. A kind is judged from the words of name, parameters and
description, and from the form: a tool without parameters ends something, a list of strings is a batch of
queries.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .lexicon import NUMBERS, load, patterns
from .schema import spaced
from .text import stem, stems

_STEMS = {kind: stems(words) for kind, words in load("words")["tools"].items()}
_HANDED_IN = stems("answer report response result conclusion output")
_QUERIES = stems("query queries phrase keyword question text search topic")


@dataclass(frozen=True, slots=True)
class Tool:
    """An offered tool: `kind` is search, delegate, finish, propose, think or other."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    kind: str

    @property
    def properties(self) -> Mapping[str, Any]:
        """Parameter name → schema."""
        return self.parameters.get("properties") or {}


def offered(tools: Sequence[Mapping[str, Any]]) -> list[Tool]:
    """The tools of a request with their kinds, likeliest first come; several may search, of every other kind
    but `other` there is one."""
    plain = [t.get("function") or t for t in tools]
    scores = [{kind: _score(kind, tool) for kind in _STEMS} for tool in plain]
    kinds = ["other"] * len(plain)
    ranked = sorted(((s, -i, kind) for i, row in enumerate(scores) for kind, s in row.items()), reverse=True)
    for score, negative, kind in ranked:
        if score >= 3 and kinds[-negative] == "other" and kind not in kinds:
            kinds[-negative] = kind
    found = []
    for kind, row, tool in zip(kinds, scores, plain, strict=True):
        parameters = tool.get("parameters") or {}
        searches = kind == "other" and row["search"] >= 3 and takes_queries(parameters)
        name, description = tool.get("name", ""), tool.get("description") or ""
        found.append(Tool(name, description, parameters, "search" if searches else kind))
    return found


def _score(kind: str, tool: Mapping[str, Any]) -> float:
    properties = (tool.get("parameters") or {}).get("properties") or {}
    described = [str(p.get("description") or "") for p in (tool, *properties.values())]
    score = 3.0 * _hits(kind, tool.get("name", "")) + 2.0 * _hits(kind, " ".join(properties))
    score += min(2.0, 0.7 * _hits(kind, " ".join(described)))
    if kind == "finish":
        handed_in = len(properties) == 1 and stems(spaced(next(iter(properties)))) & _HANDED_IN
        return score + 3 if not properties else score if handed_in else score - 4
    lists = any(p.get("type") == "array" for p in properties.values())
    return score + (0 if not lists else 3 if kind == "search" else -2) if properties else 0.0


def takes_queries(parameters: Mapping[str, Any]) -> bool:
    """Whether a tool with these parameters looks up words, and not an address or a label."""
    return any(stems(spaced(name)) & _QUERIES for name in parameters.get("properties") or {})


def _hits(kind: str, text: str) -> int:
    return len(stems(spaced(text)) & _STEMS[kind])


# --- plain instructions --------------------------------------------------------------------------------

_RE = patterns("offer")


def limit(text: str, of: str) -> int | None:
    """`at most 5 searches`, `5 searches at most`, `3 to 5 searches`, `不超过5次`: the smallest number said of
    words, sections, searches or topics."""
    told = load("words")["limits"]
    forms = (form.replace("NOUN", told[of]) for form in told["forms"])
    found = [m[1].lower() for form in forms for m in re.finditer(form, text)]
    return min((int(n) if n.isdigit() else NUMBERS[n] for n in found), default=None)


def forbids_asking(user: str, system: str) -> bool:
    """Whether the user or the instructions say not to ask back, as opposed to what not to ask."""
    strict = re.sub(r"\b(?:if|when|unless|once)\b[^.\n]*[.\n]", ".", system)
    return bool(_RE["no_asking"].search(f"{user}\n{strict}"))


def asks_for_answer(text: str) -> bool:
    """Whether a prompt asks for an answer, as opposed to what sources say on a topic."""
    return bool(_RE["answer"].search(text))


def wanted_language(text: str) -> str | None:
    """The language that a prompt asks the answer to be in, if it names one."""
    return next((code for code, asked in patterns("languages").items() if asked.search(text)), None)


def avoided_sources(text: str) -> frozenset[str]:
    """Kinds of sources that a prompt says to leave out, as stems."""
    return frozenset(map(stem, _RE["avoided"].findall(text)))
