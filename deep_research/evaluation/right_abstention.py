"""Right abstention: does the report admit that there is no answer exactly when there is none?

A report abstains when its status is `no_evidence`, or when it says plainly that no answer was found *before*
its first cited sentence. What stands first is the answer: a report that first asserts something with a
citation and later names a gap has not abstained. Quoted words do not count, so a page cannot abstain for the
report.
"""

from __future__ import annotations

import re

from deep_research.core.forms import QUOTED, denies
from deep_research.report import Report
from deep_research.sources.citations import HEADINGS
from deep_research.text.language import split_sentences
from deep_research_offline.web.types import Question

_CITED = re.compile(r"\[\d+\]")


def right_abstention(question: Question, report: Report) -> float:
    """1 if an unanswerable question is admitted to be one, or an answerable one is answered; else 0.

    A run without a report (status failed or needs_input) does neither and scores 0.
    """
    if report.status in ("failed", "needs_input"):
        return 0.0
    return float(abstains(report) == (not question.facts))


def abstains(report: Report) -> bool:
    """Whether the report says, before anything else that it cites, that it found no answer."""
    return report.status == "no_evidence" or any(map(denies, _opening(report.markdown)))


def _opening(markdown: str) -> list[str]:
    """The report's own sentences up to its first cited one, without headings and quotations."""
    opening = []
    for sentence in split_sentences(QUOTED.sub("", markdown)):
        if _CITED.search(sentence) or sentence.strip("# ") in HEADINGS.values():
            break
        if not sentence.startswith("#"):
            opening.append(sentence)
    return opening
