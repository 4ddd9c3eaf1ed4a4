"""A source as a request shows it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from .passages import Sentence, sentences_of
from .text import is_cjk

_POINTS_BACK = re.compile(r"(?:This|That|These|Those)(?: (?:is|are|was|were|means|does)\b|,)")
SHORT = 340
"""Characters of a passage that takes in what stands around it."""


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
        """The page's content as sentences; notices, link lists and orders to the reader are no content."""
        return sentences_of(self.text)

    @property
    def is_table(self) -> bool:
        """Whether most of what it says stands in the rows of tables."""
        rows = sum(said.kind == "row" for said in self.sentences)
        return 2 * rows > len(self.sentences)


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence, list item or table row of a page, with the place where it stands."""

    page: Page
    sentence: Sentence
    place: int

    @property
    def text(self) -> str:
        """The words of the passage."""
        return self.sentence.text

    @property
    def paragraph(self) -> str:
        """All of the paragraph in which the passage stands."""
        said = [s for s in self.page.sentences if s.block == self.sentence.block and s.kind == "prose"]
        return ("" if is_cjk(self.text) else " ").join(s.text for s in said)

    @property
    def before(self) -> tuple[Sentence, ...]:
        """Up to two sentences before it in its paragraph; none of a row."""
        said = self.page.sentences[max(0, self.place - 2) : self.place]
        return tuple(
            s for s in said if s.block == self.sentence.block and s.kind == self.sentence.kind != "row"
        )

    @property
    def points_back(self) -> bool:
        """Whether it points back at what stands before it."""
        return bool(_POINTS_BACK.match(self.text))

    @property
    def announces(self) -> bool:
        """Whether it ends in a colon and what it announces tells, and not an example in code alone."""
        after = self.page.sentences[self.place + 1 : self.place + 2]
        return self.text.endswith((":", "：")) and not any(s.kind == "code" for s in after)

    def in_paragraph(self) -> Passage:
        """The passage with what stands before and behind it in its paragraph, as far as that is short."""
        sentences = self.page.sentences
        if self.sentence.kind != "prose":
            return self
        near = [n for n, s in enumerate(sentences) if s.block == self.sentence.block and s.kind == "prose"]
        told, size = [self.place], len(self.text)
        for n in sorted(near, key=lambda n: (abs(n - self.place), n)):
            if n in (told[0] - 1, told[-1] + 1) and size + len(sentences[n].text) < SHORT:
                told, size = sorted([*told, n]), size + len(sentences[n].text)
        text = ("" if is_cjk(self.text) else " ").join(sentences[n].text for n in told)
        return Passage(self.page, replace(self.sentence, text=text), told[0])


def passages(pages: tuple[Page, ...]) -> tuple[Passage, ...]:
    """Every passage of every page, in order."""
    return tuple(Passage(page, said, n) for page in pages for n, said in enumerate(page.sentences))
