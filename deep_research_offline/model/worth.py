"""What a statement is worth by itself: what is filler, who vouches for it, what is said twice."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from .names import plain
from .page import Page
from .passages import Sentence
from .points import ENDS, Point, pair_in
from .report_words import CAUSE, CODE, ITSELF, OPINION, trust
from .text import is_cjk, term_set, words

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_TIME = re.compile(r"(?<![\d:])\d{1,2}[:.]\d\d(?![\d:.])|\d{1,2}[时時点]\d{1,2}分")
_NAME = re.compile(r"(?<=[^.!?:\s] )[A-Z][\w'’-]+")
_BYLINE = 7
"""Words of a line that says where a page comes from."""
MOST_SENTENCE = 420
"""Characters of the longest sentence that is quoted in running text."""


@lru_cache(maxsize=1024)
def speaks(page: Page) -> bool:
    """Whether somebody speaks on a page of their own, for whose words nobody vouches."""
    ours = sum(bool(OPINION.search(s.text)) for s in page.sentences)
    return 4 * ours >= len(page.sentences) and trust(page.tier) <= 0


@lru_cache(maxsize=1024)
def filler(page: Page) -> frozenset[int]:
    """Places of paragraphs that open in a shape that recurs on a page, such as entries of a log: with other
    times of day, or many times."""
    told = {n: term_set(_NUMBER.sub("", s.text)) for n, s in enumerate(page.sentences) if s.kind != "row"}
    by_term: dict[str, list[int]] = defaultdict(list)
    for n, own in told.items():
        for term in own:
            by_term[term].append(n)
    found = set()
    for n, own in told.items():
        shared = Counter(m for term in own for m in by_term[term] if m != n)
        like = sum(count >= 0.5 * max(len(own), len(told[m])) for m, count in shared.items())
        if like >= (1 if _TIME.search(page.sentences[n].text) else 3):
            found.add(n)
    timed = {page.sentences[n].block for n in found if _TIME.search(page.sentences[n].text)}
    return frozenset(found | {n for n in told if page.sentences[n].block in timed})


def worth_of(said: Sentence, page: Page, place: int, own: float = 0.0) -> float:
    """How much a statement tells by itself: figures, names, causes, words of the request; and who vouches for
    it. One on the page or table that it stands on tells nothing."""
    text = said.text
    pair = said.kind == "row" or pair_in(said) is not None
    size = len(words(text)) if not is_cjk(text) else len(text) / 2
    cut = text.endswith("…") or text.count('"') % 2 or text.count("“") > text.count("”")  # or a quote goes on
    if cut or said.kind == "code" or text.endswith(("?", "？")) or CODE.search(text) or ITSELF.search(text):
        return 0.0
    if not pair and (size < 4 or len(term_set(text)) < 2 or len(text) > MOST_SENTENCE):
        return 0.0
    if said.kind == "prose" and not pair and (not ENDS.search(text) or is_byline(said, page)):
        return 0.0
    if not pair and page.is_table and not _NUMBER.search(text):
        return 0.0  # what it says, it says of the table
    worth = 0.3 + 0.25 * min(2, len(_NUMBER.findall(text))) + 0.1 * min(2, len(_NAME.findall(text)))
    worth += 0.15 * bool(CAUSE.search(text)) + 0.3 * own + 0.1 * is_cjk(text)
    worth += 0.15 if place == 0 else 0.0
    worth += 0.1 * trust(page.tier)
    return max(worth * (0.8 if OPINION.search(text) else 1.0), 0.05)


def is_byline(said: Sentence, page: Page) -> bool:
    """Whether a statement above a page only says where it comes from: a few words in a paragraph of their
    own, without a figure ("By wire.")."""
    short = len(words(said.text)) <= _BYLINE if not is_cjk(said.text) else len(said.text) <= 3 * _BYLINE
    first, *rest = page.sentences
    alone = first == said and bool(rest) and rest[0].block != said.block
    return short and alone and not (_NUMBER.search(said.text) or term_set(said.text) & term_set(page.title))


def told_once(points: Sequence[Point]) -> list[Point]:
    """One point per statement: near duplicates with the same figures go to the best vouched for of them,
    which keeps the ids of those that use the same words."""
    kept: list[Point] = []
    by_term: dict[str, list[int]] = defaultdict(list)
    for point in sorted(points, key=lambda p: (-trust(p.page.tier), -len(p.page.text), p.key)):
        same = _same_as(point, kept, by_term)
        if same is None:
            for term in term_set(point.text):
                by_term[term].append(len(kept))
            kept.append(point)
        elif plain(kept[same].text) == plain(point.text) and point.page.id not in kept[same].ids[:2]:
            kept[same] = replace(kept[same], ids=(*kept[same].ids, point.page.id)[:3])
    return kept


def _same_as(point: Point, kept: Sequence[Point], by_term: dict[str, list[int]]) -> int | None:
    shared = Counter(n for term in term_set(point.text) for n in by_term[term])
    for n, _ in sorted(shared.items(), key=lambda s: (-s[1], s[0]))[:4]:
        other = kept[n]
        one_thing = point.named == other.named or plain(point.text) != plain(other.text)
        if one_thing and point.is_pair == other.is_pair and alike(point.text, other.text):
            return n
    return None


def alike(a: str, b: str) -> bool:
    """Whether two statements say the same in nearly the same words, with the same figures."""
    left, right = term_set(a), term_set(b)
    shared, (less, more) = len(left & right), sorted((len(left), len(right)))
    if not less or shared < 0.72 * less or shared < 0.55 * more:
        return False
    return {*_NUMBER.findall(a)} == {*_NUMBER.findall(b)}
