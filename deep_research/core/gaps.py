"""What a gap says: its sentence stands in `gaps.toml` in three languages, the gap itself holds its fields.

A report names its gaps in its own language (`sentence_of`); `Gap.message` is the same sentence in English,
for the terminal, logs, JSON and prompts. Why something failed is part of the fields: the limit that was
reached, or the error's own words, which a Chinese or Japanese report quotes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from deep_research.text.addresses import without_addresses

from .errors import BudgetExceeded, NothingWritten, Stopped
from .records import Gap, GapKind
from .secrets import without_keys
from .words import LANGUAGES, read

GapSentence = Literal[
    "agent_failed", "answer_unsupported", "chart_unreadable", "dead_link", "draft_misses", "draft_unreviewed",
    "few_supported", "findings_unreviewed", "first_look_failed", "first_outline", "invented_web",
    "lead_left_out", "lead_unsupported",
    "limit_reached", "no_model_plan", "no_new_searches", "no_new_topics", "no_part_written", "no_pass_left",
    "no_plan", "no_source",
    "open_question", "orchestrator_failed", "page_cut", "part_open", "perspective_empty", "plan_fixed",
    "plan_unchanged", "provider_failed", "question_open", "search_failed", "search_late",
    "searched_itself", "section_empty", "section_failed", "nothing_stated",
    "skipped", "skipped_more", "sources_full", "sources_quoted", "supervisor_failed", "template",
    "topic_failed", "topic_late", "words_only",
]  # fmt: skip
"""The sentences of the table."""
Cause = Mapping[str, str]
"""Why something failed, as fields of a gap: `cause` is one of the table's, the others are what it names."""
_Tables = Mapping[str, Mapping[str, str]]
EMPTY_ANSWER: Cause = {"cause": "empty_answer"}
WORDS_FILE = Path(__file__).with_name("gaps.toml")
_WORDS = read(WORDS_FILE)
_IN = {language: {name: texts[language] for name, texts in _WORDS.items()} for language in LANGUAGES}
_QUOTED, _INNER = re.compile(r"[“「]\{(\w+)\}"), str.maketrans("“”「」", "‘’『』")
_WHY_FIELDS = ("cause", "limit", "cap", "error")


def gap_of(
    kind: GapKind, said: GapSentence, topic: str, branch: str = "0", /, **fields: str | int | float
) -> Gap:
    """A gap with its fields; one that names a cause has those of `cause_of` among them.

    Only an error names addresses: in a topic or a query, a model may have been told them by a page.
    """
    said_of = {name: f"{v:,.10g}" if isinstance(v, float) else str(v) for name, v in fields.items()}
    texts = {
        name: without_keys(text, is_error=True) if name == "error" else without_keys(without_addresses(text))
        for name, text in said_of.items()
    }
    message = _sentence(said, texts, _IN["en"])
    return Gap(kind=kind, topic=topic, message=message, branch=branch, said=said, fields=texts)


def cause_of(error: BaseException) -> Cause:
    """An error as fields of a gap."""
    if isinstance(error, NothingWritten):
        return error.why
    if isinstance(error, Stopped):
        return {"cause": "stopped"}
    if isinstance(error, BudgetExceeded):
        return {"cause": "limit", "limit": error.limit, "cap": f"{error.cap:,.10g}"}
    return {"cause": "error", "error": str(error) or type(error).__name__}


def cause_in(gap: Gap) -> Cause:
    """The fields of a gap that say why something failed."""
    return {name: gap.fields[name] for name in _WHY_FIELDS if name in gap.fields}


def kind_of_cause(why: Cause) -> GapKind:
    """The kind of a gap that something left which a limit, or else a failure, ended."""
    return "budget" if why["cause"] in ("limit", "stopped") else "branch_failed"


def sentence_of(gap: Gap, language: str) -> str:
    """What a gap says, in the language of the report; one that no table knows says its message."""
    tables = _IN[language]
    return _sentence(gap.said, gap.fields, tables) if gap.said in tables["gaps"] else gap.message


def sentence_of_cause(why: Cause, tables: _Tables = _IN["en"]) -> str:
    """Why something failed, as a sentence of its own."""
    limit = tables["limits"][why["limit"]] if "limit" in why else ""
    return tables["causes"][why["cause"]].format(**{**why, "limit": limit})


def _sentence(said: str, fields: Mapping[str, str], tables: _Tables) -> str:
    why = sentence_of_cause(fields, tables) if "cause" in fields else ""
    template = tables["gaps"][said]
    quoted = {name: fields[name].translate(_INNER) for name in _QUOTED.findall(template)}
    return template.format(**{**fields, **quoted, "why": why})
