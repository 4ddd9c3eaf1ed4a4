"""Repetition and length: how much of a report says again what it has said, and how long it is.

A sentence repeats an earlier one when both hold the same numbers and nearly the same words. Rows of a table
are not compared: a table may bring together what the text says.
"""

from __future__ import annotations

import re

from deep_research.report import Report
from deep_research.text.terms import cjk_count, query_terms

from .reading import sections
from .surface import normalized, numbers_in_text

_ALIKE = 0.8
_LEAST = 3
"""Lines of fewer words may well stand twice, such as a name or a label."""
_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")


def repetition(report: Report) -> float | None:
    """Share of the report's sentences that repeat an earlier one, from 0 to 1; None for an empty report."""
    told: list[tuple[frozenset[str], frozenset[str]]] = []
    again = 0
    for section in sections(report.markdown):
        for said in section.sentences:
            words = frozenset(query_terms(normalized(said.text)))
            if len(words) < _LEAST:
                continue
            one = (words, numbers_in_text(said.text))
            again += any(_alike(one, other) for other in told)
            told.append(one)
    return again / len(told) if told else None


def _alike(one: tuple[frozenset[str], frozenset[str]], other: tuple[frozenset[str], frozenset[str]]) -> bool:
    return one[1] == other[1] and len(one[0] & other[0]) >= _ALIKE * len(one[0] | other[0])


def words(report: Report) -> int:
    """The length of the report's body in words; two Chinese or Japanese characters count as one."""
    text = "\n".join(said.text for section in sections(report.markdown) for said in section.sentences)
    wide = cjk_count(text)
    return len(_WORD.findall(re.sub(r"[\u3040-\u30ff\u3400-\u9fff]", " ", text))) + wide // 2
