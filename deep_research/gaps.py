"""What a gap says: its sentence stands in `gaps.toml` in three languages, the gap itself holds its fields.

A report names its gaps in its own language (`told`); `Gap.message` is the same sentence in English, for the
terminal, logs, JSON and prompts. Why something failed is part of the fields: the limit that was reached, or
the error's own words, which a Chinese or Japanese report quotes.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from .errors import BudgetExceeded, NothingWritten
from .state import Gap, GapKind

Said = Literal[
    "agent_failed", "chart_unreadable", "dead_link", "draft_misses", "draft_unreviewed",
    "findings_unreviewed", "first_look_failed", "first_outline", "limit_reached", "no_model_plan",
    "no_new_searches", "no_new_topics", "no_part_written", "no_pass_left", "no_plan", "no_source",
    "open_question", "orchestrator_failed", "perspective_empty", "plan_fixed", "plan_unchanged",
    "search_failed", "search_late", "section_empty", "section_failed", "skipped", "skipped_more",
    "sources_full", "sources_quoted", "supervisor_failed", "template", "topic_failed", "topic_late",
    "uncited",
]  # fmt: skip
"""The sentences of the table."""
Why = Mapping[str, str]
"""Why something failed, as fields of a gap: `cause` is one of the table's, the others are what it names."""
EMPTY_ANSWER: Why = {"cause": "empty_answer"}
WORDS_FILE = Path(__file__).with_name("gaps.toml")
_WHY_FIELDS = ("cause", "limit", "cap", "error")


@cache
def _words() -> dict[str, dict[str, dict[str, str]]]:
    return tomllib.loads(WORDS_FILE.read_text(encoding="utf-8"))


def gap_of(kind: GapKind, said: Said, topic: str, branch: str = "0", /, **fields: str | int | float) -> Gap:
    """A gap with its fields; one that names a cause has that of `why_of` among them."""
    texts = {name: f"{v:,.10g}" if isinstance(v, float) else str(v) for name, v in fields.items()}
    message = _sentence(said, texts, "en")
    return Gap(kind=kind, topic=topic, message=message, branch=branch, said=said, fields=texts)


def why_of(error: BaseException) -> Why:
    """An error as fields of a gap."""
    if isinstance(error, NothingWritten):
        return error.why
    if isinstance(error, BudgetExceeded):
        return {"cause": "limit", "limit": error.limit, "cap": f"{error.cap:,.10g}"}
    return {"cause": "error", "error": str(error) or type(error).__name__}


def why_in(gap: Gap) -> Why:
    """The fields of a gap that say why something failed."""
    return {name: gap.fields[name] for name in _WHY_FIELDS if name in gap.fields}


def kind_of(why: Why) -> GapKind:
    """The kind of a gap that something left which a limit, or else a failure, ended."""
    return "budget" if why["cause"] == "limit" else "branch_failed"


def told(gap: Gap, language: str) -> str:
    """What a gap says, in the language of the report; one that no table knows says its message."""
    return _sentence(gap.said, gap.fields, language) if gap.said in _words()["gaps"] else gap.message


def why_told(why: Why, language: str = "en") -> str:
    """Why something failed, as a sentence of its own."""
    form = _words()["causes"][why["cause"]][language]
    limit = _words()["limits"][why["limit"]][language] if "limit" in why else ""
    return form.format(**{**why, "limit": limit})


def _sentence(said: str, fields: Mapping[str, str], language: str) -> str:
    why = why_told(fields, language) if "cause" in fields else ""
    return _words()["gaps"][said][language].format(**{**fields, "why": why})
