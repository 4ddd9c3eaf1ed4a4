"""A source as a request shows it, and what it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from .clean import is_noise
from .names import likeness, normal
from .text import Sentence, sentences, term_set

ABOUT = 0.62


@dataclass(frozen=True, slots=True)
class Page:
    """What a request shows of one source."""

    id: str
    title: str
    text: str
    published: str = ""
    tier: str = ""
    url: str = ""

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The page's content as sentences; notices and orders to the reader are no content."""
        return _content(self.text)


@lru_cache(maxsize=8192)
def _content(text: str) -> tuple[Sentence, ...]:
    return tuple(s for s in sentences(text) if not is_noise(s.text))


def is_about(page: Page, name: str) -> bool:
    """Whether a page's subject is the named thing: by its title, or by the words that it opens with."""
    return aboutness(page, name) >= ABOUT


@lru_cache(maxsize=65536)
def aboutness(page: Page, name: str) -> float:
    """How surely a page is about a name, 0–1; a qualifier in brackets has to fit as well."""
    score = likeness(name, page.title)
    qualifier = re.search(r"\(([^)]+)\)", name)
    if qualifier and score >= ABOUT:
        wanted = term_set(qualifier.group(1))
        score -= 0 if wanted & term_set(page.title + " " + page.text[:300]) else 0.2
    if score < 0.9 and page.sentences:
        opening = normal(page.sentences[0].text[: len(name) + 12])
        if normal(name) and f"{opening} ".startswith(f"{normal(name)} "):
            score = max(score, 0.7)
    return score


def setting(page: Page, sentence: Sentence) -> str:
    """What dates a statement from outside: heading and title; the year of publication if they name none."""
    around = f"{sentence.heading} {page.title}"
    return around if re.search(r"(?<!\d)[12]\d{3}(?!\d)", around) else f"{around} {page.published[:4]}"
