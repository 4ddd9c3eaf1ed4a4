"""The notice for a newcomer who asks the invented web about the real world.

Such a run is stopped before it starts, with the ways out. A question counts as foreign when most of its
names, or half of its other words, occur nowhere in the offline web.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from ..terms import is_cjk, query_terms
from ..text import detect_language

if TYPE_CHECKING:
    from ..index import Index
    from ..offline.web import Web

_NAME = re.compile(r"(?<=[^\W_] )[A-Z][\w'’-]+|\b\w*[a-z]+[A-Z]\w*|\b[A-Z]{2,}\b")
_CJK_CONTENT = re.compile(
    "(?:(?![的是在哪多少几什么吗各有其谁和与请了何最年月日])[\u30a1-\u30fa\u30fc\u3400-\u9fff]){2}"
)
_SAMPLE_KINDS = ("single_fact", "comparison", "multi_hop")


def foreign_notice(question: str, web: Web, index: Index) -> list[str]:
    """The lines of the notice; empty if the offline web knows what the question is about."""
    if question in {sample.text for sample in web.questions}:
        return []
    unknown = unknown_words(question, index)
    if not unknown:
        return []
    named = ", ".join(unknown[:5])
    samples = [f"  deep-research ask {shlex.quote(text)}" for text in sample_questions(web, question)]
    return [
        f"error: The offline web knows nothing of: {named}.",
        f"Without keys, research runs on an invented web about {web.domain}, not on the real one.",
        "Ask it one of its sample questions (`deep-research questions` lists them all):",
        *samples,
        "Or research your own documents:  deep-research ask '…' --docs FOLDER",
        "Or the real web:                 set OPENAI_API_KEY and TAVILY_API_KEY",
        "Or run it all the same:          add --yes",
    ]


def unknown_words(question: str, index: Index) -> list[str]:
    """The content words that the index does not hold; empty if it knows what the question is about.

    Names decide alone, where there are any and not just half of them are known.
    """
    names = list(dict.fromkeys(_NAME.findall(question)))
    unknown = _missing(names, index)
    if 2 * len(unknown) != len(names):
        return unknown if 2 * len(unknown) > len(names) else []
    words = content_words(question)
    unknown = _missing(words, index)
    return unknown if 2 * len(unknown) >= len(words) else []


def _missing(words: list[str], index: Index) -> list[str]:
    known = index.knows(words)
    return [word for word in words if word not in known]


def content_words(question: str) -> list[str]:
    """The search terms that carry a subject: no stop words, and no CJK pair with a grammatical character."""
    return [term for term in query_terms(question) if not is_cjk(term) or _CJK_CONTENT.fullmatch(term)]


def sample_questions(web: Web, question: str) -> list[str]:
    """Three sample questions of different kinds, in the question's language where there are some."""
    language = detect_language(question)
    chosen = []
    for kind in _SAMPLE_KINDS:
        of_kind = sorted(
            (s for s in web.questions if s.kind == kind), key=lambda s: (s.lang != language, s.lang != "en")
        )
        chosen += [sample.text for sample in of_kind[:1]]
    return chosen
