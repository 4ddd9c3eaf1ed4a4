"""What is said to be so now, to a question for the present, by pages that are years old.

An old copy of a page bears out who held an office when it was made. Where nothing newer is cited, nobody can
tell whether that is still so, and a reader who asked for the present takes it for an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from deep_research.core.forms import form
from deep_research.core.records import Claim, Source
from deep_research.text.wording import nfkc, terms_in, terms_of_names

from .ended import speaks_of_present

_OLD = 3
"""Years after which a page tells nothing of the present."""


def flag_dated(claims: Iterable[Claim], cited: Sequence[Source], question: str, today: date) -> None:
    """Flag who is said to hold a place, to a question who holds it now, if all pages cited for it are old; a
    statement that gives their date leaves nobody in doubt."""
    asked = terms_of_names(question) or terms_in(question)
    oldest = f"{today.year - _OLD}{today.isoformat()[4:]}"
    for claim in claims if form("questions.now").search(question) else ():
        plain, pages = nfkc(claim.text), [cited[number - 1] for number in claim.sources]
        is_old = max((page.published or "9" for page in pages), default="9") < oldest
        is_answer = claim.verdict == "evidence_found" and speaks_of_present(plain) and asked & terms_in(plain)
        if is_answer and is_old and not any((page.published or "-") in plain for page in pages):
            claim.verdict = "flagged"
            claim.reasons = ["date", *(f"“{page.title}” ({page.published})" for page in pages)]
