"""Source ids in text: `S1.3`, the citations `[S1.3]` and `[S1.3, S2.1]`, and the sentences that cite them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from .blocks import without_spans
from .cited_sentences import CitedSentence, all_sentences
from .language import CODE, blank_code

SOURCE_ID = r"S\d+\.\d+"
ID_CITATION = re.compile(rf"\[({SOURCE_ID})\]")
"""A citation as `clean_citations` leaves it: one id in brackets."""
MARKER = rf"(?:{SOURCE_ID}|\d{{1,3}})"
LINK_TARGET = (
    r"(?:\((?!\s*S\d)\s*(?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)"
    r"|\(\s*<?https?://[^()\n]*\))?"
)
"""What makes a link of the marker before it; round brackets around ids are a citation of their own."""
BLANKS_BEFORE = r"(?<![ \t])[ \t]*"
_LIST = rf"{SOURCE_ID}(?:\s*[,;、，]\s*{SOURCE_ID})*"
CITATION_GROUP = re.compile(
    rf"{BLANKS_BEFORE}(?:[(（]\s*(?P<round>{_LIST})\s*[)）]"
    rf"|[\[【]\s*\^?(?:(?:see|cf\.?|sources?)[:\s]\s*|[^\[\]【】\n]{{1,80}}[:=]\s*)?(?P<square>{SOURCE_ID}(?!\d)[^\[\]【】\n]{{0,200}})[\]】]{LINK_TARGET})"
    rf"|(?<![A-Za-z0-9_./:=#-])(?P<bare>{SOURCE_ID})(?![A-Za-z0-9_/-]|\.\d)",
    re.IGNORECASE,
)
"""Ids in brackets, which are a citation whatever stands beside them, or bare, which are one if known."""
_DRESSED = re.compile(
    rf"(?:\*{{1,3}}|<su[bp]>)[ \t]*\[?({_LIST})\]?[ \t]*(?:\*{{1,3}}|</su[bp]>)", re.IGNORECASE
)
_RANGE = re.compile(r"S(\d+)\.(\d+)\s*(?:[-‐‑–—~〜～]|to)\s*S?\1\.(\d+)", re.IGNORECASE)
_LONGEST_RANGE = 20
_FULL_STOPS = (".", "。", "!", "！")
_MOST_TIMES = 3
_LETTER = re.compile(r"[^\W\d_]")


def is_only_ids(text: str) -> bool:
    """Whether a text holds nothing but ids, numbers or punctuation: nothing that could be looked up by it."""
    return (
        re.search(r"[^\W\d_]", re.sub(rf"\b(?:{SOURCE_ID}|(?:id|source)s?\b)", "", text, flags=re.I)) is None
    )


def with_plain_ids(text: str) -> str:
    """A model's text with ids that it has emphasised or raised in brackets alone, as citations are told."""
    return _DRESSED.sub(lambda ids: f"[{ids[1]}]", text)


def cited_ids(text: str) -> list[str]:
    """The source ids that a text cites in brackets, in order of first use."""
    groups = (match for part in CODE.split(text)[::2] for match in CITATION_GROUP.finditer(part))
    return list(dict.fromkeys(name for match in groups if not match["bare"] for name in ids_in(match)))


def sentences_citing_ids(markdown: str) -> list[CitedSentence]:
    """Every sentence of a text whose citations look like `[S1.3]`, with the ids that it cites, if any.

    Sentences end where they would end with numbers as citations, so each id is read as numbers of its length.
    """
    plain = blank_code(markdown)
    as_numbers = ID_CITATION.sub(lambda one: f"[{('00,' * len(one[1]))[: len(one[1]) - 1]}0]", markdown)
    return [
        said._replace(numbers=[], ids=tuple(dict.fromkeys(ID_CITATION.findall(plain, said.start, said.end))))
        for said in all_sentences(as_numbers)
    ]


def without_repetition(markdown: str) -> tuple[str, list[str]]:
    """The text in which what a model says over and over stands once, and the sentences that this is about.

    Twice more may be meant, as in a summary and a section, and so may what stands after something new: "Yes."
    under one question after another. Lines without a full stop are labels, and rows are a table's.
    """
    told, at = list[tuple[Any, tuple[int, int] | None]](), 0
    for said in sentences_citing_ids(markdown):
        if _LETTER.search(between := markdown[at : said.start].strip()):  # a heading, or code
            told.append((between, None))
        is_sentence = said.text.endswith(_FULL_STOPS) and not markdown.startswith("|", said.start)
        told.append(((said.text, said.ids), (said.start, said.end) if is_sentence else None))
        at = said.end
    times = Counter(key for key, _ in told)
    spans, often, last, new = list[tuple[int, int]](), dict[str, None](), dict[Any, int](), 0
    for key, span in told:
        new += key not in last or times[key] <= _MOST_TIMES
        if span and last.get(key) == new and times[key] > _MOST_TIMES:
            spans.append(span)
            often[key[0]] = None
        last[key] = new
    return without_spans(markdown, spans), list(often)


def cited_statements(text: str) -> Iterator[tuple[str, list[str]]]:
    """What stands before each citation in a line, and the ids of the citation; neighbouring ones are one."""
    for line in text.splitlines():
        said, names, start = "", list[str](), 0
        for match in CITATION_GROUP.finditer(line):
            if match["bare"]:
                continue
            before = line[start : match.start()].strip().lstrip(".。,、;；*+- ")
            if before and names:
                yield said, names
                names = []
            said, start = before or said, match.end()
            names += ids_in(match)
        if said and names:
            yield said, names


def ids_in(match: re.Match[str]) -> list[str]:
    """The ids of a citation; `S1.1-S1.3` stands for all three."""

    def spelled_out(span: re.Match[str]) -> str:
        first, last = int(span[2]), int(span[3])
        if not first < last <= first + _LONGEST_RANGE:
            return span[0]
        return " ".join(f"S{span[1]}.{n}" for n in range(first, last + 1))

    text = match["round"] or match["square"] or match["bare"]
    return [name.upper() for name in re.findall(SOURCE_ID, _RANGE.sub(spelled_out, text), re.IGNORECASE)]
