"""What the reader sees of the verification: marks in the text, a line that sums up, and where sources differ.

The mark is the only trace of a citation that was taken out, and verifying a verified report must say the same
again; but writers warn their readers with the same sign. So in a report of ours, known by its section on the
check, the mark is a verdict; in anybody else's only `OUTSIDE_MARK` is, which `verify` sets and nobody types.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from deep_research.core.records import Claim, Conflict
from deep_research.core.words import phrase, phrases
from deep_research.sources.citations import plain_line
from deep_research.text.blocks import Edit, apply_edits, without_spans
from deep_research.text.cited_sentences import ADDED_MARK, DOUBT_MARK, CitedSentence
from deep_research.text.fence import without_ids
from deep_research.text.language import shorten

from .claims import REASONS

Checked = tuple[CitedSentence, Claim]

_WORDS = phrases("reports.checks")
DOUBTED = ("flagged", "contradicted", "unsupported")
"""Verdicts whose sentence is marked, or taken out in the strict mode."""

_TELLS = re.compile(
    r"(?:(?:did|do) you (?:know|realise|realize)|who knew|(?:is|was)n['’]t it|你(?:知道|可知)|ご存[知じ])",
    re.IGNORECASE,
)
"""What opens a question that tells something."""


def is_question(sentence: str) -> bool:
    """Whether a sentence asks; one with a question in quotation marks tells that somebody asks, and "did you
    know that" tells what stands behind it."""
    told = _TELLS.match(sentence.lstrip(" *_>-"))
    return not told and sentence.rstrip(" *_").endswith(("?", "？"))


def with_doubt_marks(markdown: str, checked: Sequence[Checked]) -> str:
    """The report with a mark behind each sentence that could not be confirmed."""
    doubted = [said for said, claim in checked if claim.verdict in DOUBTED]
    return apply_edits(markdown, mark_edits(markdown, doubted))


def without_doubted_sentences(markdown: str, checked: Sequence[Checked]) -> str:
    """The report without the sentences that could not be confirmed, and without what they leave empty."""
    return without_spans(
        markdown, [(said.start, said.end) for said, claim in checked if claim.verdict in DOUBTED]
    )


@dataclass(frozen=True)
class CheckNotes:
    """What a reader is told of the check of a report, in the language of the report."""

    claims: Sequence[Claim]
    language: str = "en"
    conflicts: Sequence[Conflict] = ()
    taken_out: int = 0
    added: int = 0

    def summary(self) -> str:
        """The line that sums up: how many sentences, what was found, by whom."""
        words = _WORDS[self.language]
        compared = [claim for claim in self.claims if claim.sources]
        judged = [claim.verdict for claim in compared if claim.checked_by == "judge"]
        flagged = sum(any(reason in REASONS for reason in claim.reasons) for claim in compared)
        uncheckable = sum(claim.verdict == "uncheckable" for claim in compared)
        found, n = len(compared) - flagged - uncheckable, len(compared)
        form = words["sum_one" if n == 1 else "sum"]
        line = form.format(n=n, found=found, flagged=flagged, open=uncheckable)
        for reason in (LOST, UNCITED, DENIED):
            if number := sum(reason in claim.reasons for claim in self.claims):
                line = f"{line} {words[f'sum_{reason}'].format(n=number)}"
        if self.added:
            line = f"{line} {words['added'].format(n=self.added, mark=ADDED_MARK)}"
        if judged:
            counts = {v: judged.count(v) for v in ("supported", "partial", "contradicted", "unsupported")}
            return f"{line} {words['judge'].format(judged=len(judged), **counts)}"
        return line

    def doubts(self) -> list[str]:
        """A line for each sentence that could not be confirmed: its beginning, and why."""
        words = _WORDS[self.language]
        doubted = [claim for claim in self.claims if claim.verdict in DOUBTED]
        return [f"“{_plain(shorten(claim.text, 160))}”: {_reasons(claim, words)}" for claim in doubted]

    def lacking(self) -> list[str]:
        """A line for each sentence that one of its sources bears out and another does not: which ones."""
        partly = [claim for claim in self.claims if claim.lacking and claim.verdict not in DOUBTED]
        return [
            f"- “{_plain(shorten(claim.text, 160))}”: {', '.join(map(str, claim.lacking))}"
            for claim in partly
        ]

    def section(self) -> str:
        """The report's last section: the summary, what was flagged and why, where sources differ."""
        if not self.claims and not self.taken_out and not self.added:
            return ""
        words, doubts = _WORDS[self.language], [f"- {line}" for line in self.doubts()]
        gone = [words["gone"].format(n=self.taken_out)] if self.taken_out else []
        parts = [f"## {CHECK_HEADINGS[self.language]}", " ".join([self.summary(), *gone, words["rules"]])]
        parts += [words["flagged"].format(mark=DOUBT_MARK), "\n".join(doubts)] if doubts else []
        parts += [words["lacking"], "\n".join(partly)] if (partly := self.lacking()) else []
        parts += [f"### {words['conflicts']}", _table(self.conflicts, words)] if self.conflicts else []
        return "\n" + "\n\n".join(parts) + "\n"

    def failure(self, why: str) -> str:
        """The section of a report whose verifier failed: a reader must not take it for a checked one."""
        told = _WORDS[self.language]["failed"].format(why=_plain(shorten(why, 200)))
        return f"\n## {CHECK_HEADINGS[self.language]}\n\n{told}\n"


def _reasons(claim: Claim, words: dict[str, str]) -> str:
    said = (
        words[reason].format(quote=_plain(shorten(claim.quote or "", 160)))
        if reason in (*REASONS, LOST, UNCITED, DENIED)
        else _plain(shorten(reason, 240))
        for reason in claim.reasons
    )
    return words["separator"].join(said) or claim.verdict


def _table(conflicts: Sequence[Conflict], words: dict[str, str]) -> str:
    """A row for each source; its number stands without brackets, since a row is no claim that cites it."""
    rows = [words["columns"], "|---|---|---|---|---|---|"]
    for conflict in conflicts:
        about = _cell(shorten(conflict.about, 80))
        for place, said in enumerate(conflict.statements):
            used = words["used"].format(reason=words[conflict.reason]) if place == 0 else ""
            title = f"{f'{said.number}. ' if said.number else ''}{_cell(said.title)}"
            date, tier = _cell(said.published or ""), words.get(said.tier, said.tier)
            rows.append(f"| {about} | {title} | {_cell(said.value)} | {date} | {tier} | {used} |")
            about = ""
    return "\n".join(rows)


def _cell(text: str) -> str:
    return _plain(text).replace("|", "\\|")


def _plain(text: str) -> str:
    """Words of a page or a model as one line that Markdown shows as they are, and that cites nothing."""
    return plain_line(without_ids(text))


OUTSIDE_MARK = f"{DOUBT_MARK}\ufe0e"
"""The mark in a report that is not ours: it looks the same, and asks to be drawn as text."""
CHECK_HEADINGS = phrase("reports.headings.checked")
"""What a report of ours calls its section on the check, by language."""
_CHECKED = re.compile(rf"^## (?:{'|'.join(CHECK_HEADINGS.values())})[ \t]*$", re.MULTILINE)
_NEAR = 10
_AS_EMOJI = "\ufe0f"
"""Follows a warning sign that writers set as an ornament (⚠️); ours stands alone."""


def mark_of(markdown: str) -> str:
    """The mark that is a verdict in this report."""
    return DOUBT_MARK if _CHECKED.search(markdown) else OUTSIDE_MARK


def mark_edits(markdown: str, doubted: Iterable[CitedSentence], mark: str = DOUBT_MARK) -> list[Edit]:
    """The edits that set the mark behind each of these sentences, given in order, that does not have it."""
    return [_mark(markdown, said, mark) for said in doubted if not is_marked(markdown, said, mark)]


def is_marked(markdown: str, said: CitedSentence, mark: str = DOUBT_MARK) -> bool:
    """Whether the sentence ends with the mark, or has it right behind it; `OUTSIDE_MARK` always counts."""
    end, _ = _end(markdown, said)
    if markdown[max(end - _NEAR, 0) : end].rstrip(" ").endswith((mark, OUTSIDE_MARK)):
        return True
    behind = markdown[end : end + _NEAR].lstrip(" ")
    return behind.startswith(mark) and behind[1:2] != _AS_EMOJI


def _mark(markdown: str, said: CitedSentence, mark: str) -> Edit:
    end, row = _end(markdown, said)
    start = end
    while markdown[start - 1 : start] == " ":
        start -= 1
    return start, end, f" {mark}{' ' if row else ''}"


def _end(markdown: str, said: CitedSentence) -> tuple[int, bool]:
    """Where the words of a sentence end, and whether that is inside the last cell of a table row."""
    row = markdown[said.start : said.end].endswith("|") and markdown[said.end - 2] != "\\"
    return (said.end - 1 if row else said.end), row


LOST = "citation_removed"
"""The reason with which such a sentence is flagged."""
UNCITED = "uncited"
"""The reason with which a sentence is flagged that cites nothing and stands in nothing that was read."""
DENIED = "denied"
"""The reason with which a sentence is flagged that says the sources lack what one of them tells."""


def lost_citations(before: Iterable[CitedSentence], after: Sequence[CitedSentence]) -> list[CitedSentence]:
    """The sentences of `after` that cite nothing, and cited something in `before`.

    `before` are the cited sentences of the report as it came, `after` all of the report as it is now.
    """
    missing = Counter(said.text for said in before)
    missing.subtract(Counter(said.text for said in after if said.numbers))
    found = []
    for said in after:
        if not said.numbers and missing[said.text] > 0:
            missing[said.text] -= 1
            found.append(said)
    return found
