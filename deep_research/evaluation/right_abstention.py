"""Right abstention: does the report admit that there is no answer exactly when there is none?

A report abstains when its status is `no_evidence`, or when it says plainly that no answer was found *before*
its first cited sentence. What stands first is the answer: a report that first asserts something with a
citation and later names a gap has not abstained. Quoted words do not count, so a page cannot abstain for the
report.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..ledger import HEADINGS
from ..text import split_sentences

if TYPE_CHECKING:
    from ..offline.web import Question
    from ..report import Report

_QUOTED = re.compile(r'"[^"\n]*"|“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|^>.*$', re.MULTILINE)
_CITED = re.compile(r"\[\d+\]")
_PLAIN = re.compile(
    r"\b(?:no|not|nothing|none|neither|nor|never|cannot|unable|without|\w+n['’]t)\b[^.;:]*"
    r"\b(?:found|find|finds|answer\w*|evidence|states?|stated|says?|said|tells?|mentions?|mentioned|gives?|given"
    r"|contains?|reports?|reported|established?|determined?|documented|known)\b"
    r"|\b(?:unanswered|unknown)\b"
    r"|(?:没有|未能?|找不到|无法|不能)[^。；]*(?:找到|查到|查明|答案|证据|说明|提及|提到|回答|确定)|找不到|未知"
    r"|見つか(?:りません|らな|っていません)|(?:答え|回答|証拠|記述|記載)[^。]*(?:ません|ない|なかった)|(?:確認|特定)でき(?:ません|な)|不明",
    re.IGNORECASE,
)


def right_abstention(question: Question, report: Report) -> float:
    """1 if an unanswerable question is admitted to be one, or an answerable one is answered; else 0.

    A run without a report (status failed or needs_input) does neither and scores 0.
    """
    if report.status in ("failed", "needs_input"):
        return 0.0
    return float(abstains(report) == (not question.facts))


def abstains(report: Report) -> bool:
    """Whether the report says, before anything else that it cites, that it found no answer."""
    return report.status == "no_evidence" or any(_PLAIN.search(said) for said in _opening(report.markdown))


def _opening(markdown: str) -> list[str]:
    """The report's own sentences up to its first cited one, without headings and quotations."""
    opening = []
    for sentence in split_sentences(_QUOTED.sub("", markdown)):
        if _CITED.search(sentence) or sentence.strip("# ") in HEADINGS.values():
            break
        if not sentence.startswith("#"):
            opening.append(sentence)
    return opening
