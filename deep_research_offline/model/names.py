"""Names in questions and pages.

A question's words are matched, in any case and with a small slip, against what pages show as names: titles
and their parts, first cells of rows, words in capitals, links. Nothing is a name because of the question's
own spelling alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from .lexicon import ASKING, COMPARING, DAYS, MONTHS, STOP, WEAK, patterns
from .page import Page
from .text import CJK, is_cjk, language, stem, terms
from .thesaurus import thesaurus

_TOKEN = re.compile(rf"[^\W_{CJK}]+|[{CJK}ー・]+")
_CAPITALS = re.compile(
    r"(?:[A-ZÀ-ÞĀ-Ž][\w'’]*|[A-Z]+)(?:-[\w]+)*"
    r"(?:(?: | (?:of|de|du|del|da|van|von|der|the|and) |–| & )(?:[A-ZÀ-ÞĀ-Ž][\w'’]*|\d+)(?:-[\w]+)*)*"
)
_KATAKANA = re.compile(r"[ァ-ヺー・]{3,}(?:[一-鿿]{1,4})?")
_MEASURE = re.compile(r"(?:メートル|グラム|パーセント|トン|ワット)$")
_PIECES = re.compile(r"\s*[:：|—]\s*|\s+[-–]\s+|[?？]")
_BEHIND = re.compile(r"\s*[(（][^()（）]*[)）]|[\s_-]+v?\d+(?:\.\d+)+\w*$")
"""What stands behind a name and is no part of it: brackets, and a version."""
_ALIAS = re.compile(r"[(（]([^()（）]{2,60})[)）]")
_LINK = re.compile(r"\[([^\]\n]{2,60})\]\(")
_SHORT = 4
"""From how many Chinese or Japanese characters on the beginning of a title may stand for it."""
SLIP, _TELLING, _LONG = 4, 6, 8
"""From how many letters on a word may have one slip, of a letter of a common word, and two."""
_LATIN = re.compile(r"(?<![A-Za-z0-9-])[A-Za-z]{4,}(?![A-Za-z0-9-])")
_BEFORE_NOUNS = frozenset("a an the which what".split())
_SHOUTED = 60
"""Letters of a text in capitals, such as a disclaimer, whose capitals mark no names."""
ABOUT = 0.7


@lru_cache(maxsize=65536)
def tokens(text: str) -> tuple[str, ...]:
    """Lower-case words, possessive endings and hyphens gone; runs of Chinese or Japanese stay whole."""
    plain = re.sub(r"(?<=\w)['’]s?(?=\W|$)", "", text.lower())
    return tuple(_TOKEN.findall(plain))


@lru_cache(maxsize=65536)
def plain(text: str) -> str:
    """A text as its words in lower case with single spaces, by which names are compared."""
    return " ".join(tokens(text))


@dataclass(frozen=True, slots=True)
class Named:
    """A name found in a question: as pages spell it, where it stands among the question's tokens, and how
    the question spells it if that differs by a slip."""

    text: str
    start: int
    end: int
    slip: str = ""


_NO_NAME = STOP | WEAK | DAYS | COMPARING
WHERE = patterns("names")["where"]
"""What stands before a name that says where something is."""


@lru_cache(maxsize=65536)
def mentions(text: str, name: str) -> bool:
    """Whether a text has all of a name, words side by side."""
    if is_cjk(name):
        return bare(name) in text
    wanted = plain(bare(name))
    return bool(wanted) and f" {wanted} " in f" {plain(text)} "


def is_among(name: str, known: Iterable[str]) -> bool:
    """Whether a name is one of those known, or one has the other in it."""
    return any(mentions(name, one) or mentions(one, name) for one in known)


@lru_cache(maxsize=4096)
def pieces_of(title: str) -> tuple[str, ...]:
    """The parts of a title, which colons and dashes divide."""
    return tuple(piece for piece in _PIECES.split(bare(title)) if len(piece) > 1)


def bare(name: str) -> str:
    """A name without brackets or a version behind it."""
    return _BEHIND.sub("", name).strip() or name


def latin_name(title: str, pages: Iterable[Page]) -> str:
    """What pages put in brackets behind a Chinese or Japanese name; "" if they do not."""
    behind = re.compile(rf"{re.escape(title)}[（(]([A-Z][^（）()]+)[)）]")
    return next((found[1] for page in pages if (found := behind.search(page.text))), "")


@lru_cache(maxsize=65536)
def aboutness(title: str, name: str) -> float:
    """How surely a page with this title is about a name, 0–1: all of the title or a piece of it, or only a
    part."""
    whole = bare(title) if mentions(bare(title), name) else title  # "MPL 2", by its version
    if is_cjk(name) or is_cjk(whole):
        own = bare(name)
        if own == whole:
            return 1.0
        return max(0.6, len(own) / len(whole)) if own in whole else 0.0
    wanted, have = tokens(bare(name)), tokens(whole)
    if not mentions(whole, name):
        return 0.0
    if wanted == have:
        return 1.0
    pieces = [[t for t in tokens(piece) if t not in STOP] for piece in _PIECES.split(whole)]
    if list(wanted) in pieces:
        return 0.95
    content = [t for t in have if t not in STOP]
    if all(mentions(name, n) for n in names_in(f"{whole[:1].lower()}{whole[1:]}")) and names_in(name):
        return 0.8
    return 0.35 + 0.5 * len([t for t in wanted if t not in STOP]) / max(len(content), 1)


@lru_cache(maxsize=4096)
def names_in(text: str) -> tuple[str, ...]:
    """Names that a text shows by capitals (or katakana), in order, each once."""
    told = "" if text.isupper() and len(text) > _SHOUTED else text
    found = dict.fromkeys(_trimmed(m.group(0), m.start() == 0) for m in _CAPITALS.finditer(told))
    if is_cjk(text):
        found |= dict.fromkeys(
            m.group(0) for m in _KATAKANA.finditer(text) if not _MEASURE.search(m.group(0))
        )
    return tuple(name for name in found if len(name) > 1 and not name.isdigit())


def _trimmed(name: str, opens: bool) -> str:
    """A run of capitals without the function word that it may begin or end with."""
    words = re.sub(r"['’]s?$", "", name).split(" ")
    telling = [n for n, word in enumerate(words) if word.lower() not in STOP]
    words = words[telling[0] : telling[-1] + 1] if telling else []
    if opens and len(words) == 1 and words[0].lower() in WEAK | DAYS | frozenset(MONTHS):
        return ""
    return " ".join(words)


def _asks(title: str) -> bool:
    """Whether a title is a question: it may be worded like the user's, but names nothing."""
    return title.rstrip(" ”\"'").endswith(("?", "？"))


class Names:
    """What a set of pages shows as names."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self.pages = pages
        self.known: dict[tuple[str, ...], str] = {}
        self.titles: set[tuple[str, ...]] = set()
        self.shown: set[tuple[str, ...]] = set()
        self.small: set[str] = set()
        self.words: Counter[str] = Counter()
        for page in pages:
            self._read(page)
        for page in pages:
            for piece in () if _asks(page.title) else pieces_of(page.title):
                self._add_parts(piece)

    def _read(self, page: Page) -> None:
        for piece in () if _asks(page.title) else (bare(page.title), *pieces_of(page.title)):
            if page.title.startswith(piece) or not piece[:1].islower():  # "…: built by Osk Yard"
                self._add(piece, True)
        opening = tokens(page.title)[:1]
        shown = [n for n in names_in(page.title) if tokens(n) != opening]
        for name in (*shown, *_LINK.findall(page.text), *_ALIAS.findall(page.text[:400])):
            self._add(bare(name), False)
        for said in page.sentences:
            self.words.update(tokens(said.text))
            self.small.update(re.findall(r"(?<![\w-])[a-zß-ÿ]\w+(?![\w.]*@)", said.text))
            if said.kind == "row":
                named = [c for c in said.cells if any(said.columns)]
                for cell in [c for c in named or said.cells[1:] if re.search(r"[^\W\d]", c)]:
                    self._add(bare(cell), False)
                continue
            opening = tokens(said.text)[:1]
            for name in names_in(said.text):
                if tokens(name) != opening:
                    self._add(name, False)
        self.words.update(tokens(page.title))

    def _add(self, name: str, title: bool) -> None:
        name = re.sub(r"^(?:the|a|an) ", "", name.strip(" .,"), flags=re.IGNORECASE)
        key = tokens(name)
        if len(key) <= 8 and len(name) > 1:
            self.known.setdefault(key, name)
            self.shown.add(key)
            if title:
                self.titles.add(key)

    def _add_parts(self, piece: str) -> None:
        """Runs of words of a piece of a title, since a question may name the thing by a part of it."""
        placed = [m for m in _TOKEN.finditer(piece) if m[0].lower() != "s"]
        for start in range(len(placed)):
            for end in range(start + 2, min(len(placed), start + 8) + 1):
                part = piece[placed[start].start() : placed[end - 1].end()]
                key = tokens(part)  # "built by …" of a title names nothing
                if not part[0].islower() and key[0] not in STOP and key[-1] not in STOP:
                    self.known.setdefault(key, part)

    def _counts(self, key: tuple[str, ...]) -> bool:
        """Whether a sequence of words is a name: not made of words that stand there in small letters too."""
        if all(t in _NO_NAME or t.isdigit() for t in key):
            return False
        common = all(t in self.small or t in STOP or t.isdigit() for t in key)
        return not common or key in self.titles

    def is_name(self, name: str) -> bool:
        """Whether pages show this as a name anywhere but at the beginning of a sentence."""
        key = tokens(name)
        if is_cjk(name):
            return True
        dated = any(t in MONTHS or t in DAYS for t in key)
        return not dated and self._counts(key) and (len(key) > 1 or key in self.known)

    def shown_in(self, text: str) -> list[str]:
        """Names that a text of a page shows: titles of other pages, then words in capitals outside them."""
        if is_cjk(text):
            known = {
                bare(n) for n in self.known.values() if is_cjk(n) and len(bare(n)) > 2 and bare(n) in text
            }
            titled = sorted(n for n in known if not any(n in other and n != other for other in known))
        else:
            said = tokens(text)
            titled = [name for _, _, name in self._runs(said) if tokens(name) in self.titles]
        return [*titled, *(n for n in names_in(text) if not any(mentions(t, n) for t in titled))]

    def _runs(
        self, said: tuple[str, ...], marked: frozenset[str] = frozenset()
    ) -> Iterator[tuple[int, int, str]]:
        """Where names stand among words, the longest first where they overlap, and which they are; words that
        are `marked` may be a name in short."""
        place = 0
        while place < len(said):
            ends = range(min(len(said), place + 8), place, -1)
            found = next(((e, name) for e in ends if (name := self._name_of(said[place:e]))), None)
            if not found and said[place] in marked and said[place] in self.short:
                found = place + 1, self.short[said[place]]
            if found:
                yield place, found[0], found[1]
            place = found[0] if found else place + 1

    def _name_of(self, said: tuple[str, ...]) -> str:
        """The name that some words are, also as "A to B" for "A–B"; "" if none."""
        key = (
            said
            if said in self.known or len(said) != 3 or said[1] not in {"to", "and"}
            else (said[0], said[2])
        )
        return self.known[key] if key in self.known and self._counts(key) else ""

    @cached_property
    def short(self) -> dict[str, str]:
        """The one name of several words that a word of it stands for, if it stands in names only."""
        common = {stem(w) for w in self.small | general_words()}
        holders: dict[str, set[tuple[str, ...]]] = {}
        for key in self.shown:
            for word in key if len(key) > 1 and self._counts(key) else ():
                if not (stem(word) in common or word.isdigit()):
                    holders.setdefault(word, set()).add(key)
        found = {}
        for word, keys in holders.items():
            short = {
                k for k in keys if not any(o != k and f" {' '.join(o)} " in f" {' '.join(k)} " for o in keys)
            }
            short = short & self.titles or short
            if len(short) == 1 and len(whole := next(iter(short))) <= 3:
                found[word] = self.known[whole]
        return found

    def find(self, text: str) -> tuple[Named, ...]:
        """The names of a question, longest first where they overlap, in order of the question."""
        if is_cjk(text) and language(text) != "en":
            return self._find_cjk(text)
        asked = tokens(text)
        read = tuple(self.near(word) or self._owner(word) or word for word in asked)
        small_only = text[1:] == text[1:].lower()  # nothing is marked as a name by its capital
        small = {m[1] for m in patterns("names")["noun"].finditer(text.lower())}
        small_words = general_words().intersection(re.findall(r"\w+", text))  # "option" is no "OPTION"
        marked = frozenset(
            r
            for a, r in zip(asked, read, strict=True)
            if (small_only and a not in small) or a.capitalize() in text
        )
        return tuple(
            Named(name, a, b, "" if alike(read[a:b], asked[a:b]) else " ".join(asked[a:b]))
            for a, b, name in self._runs(read, marked)
            if b - a > 1 or asked[a] not in small_words or read[a : a + 1] in self.titles
        )

    def _owner(self, word: str) -> str:
        """What a word is that pages have without its last letter: people leave the apostrophe out."""
        return word[:-1] if word.endswith("s") and word not in self.words and word[:-1] in self._own else ""

    def in_latin(self, text: str) -> str:
        """A Chinese or Japanese text with its names in Latin letters, as pages put them in brackets."""
        titles = (piece for page in self.pages for piece in pieces_of(page.title) if is_cjk(piece))
        for title in sorted(titles, key=len, reverse=True):
            if title in text and (name := latin_name(title, self.pages)):
                text = text.replace(title, f" {name} ")
        return text

    def mend(self, text: str) -> str:
        """A text in which the word next to it stands for each that neither pages nor word lists know; names
        keep their spelling here, so that a report can say which one it takes."""
        kept = frozenset() if is_cjk(text) else self._own
        near = {word: self.near(word) for word in _LATIN.findall(text)}
        return _LATIN.sub(lambda m: m[0] if near[m[0]] in kept | {""} else near[m[0]], text)

    @cached_property
    def _own(self) -> set[str]:
        """The words that only names have."""
        return {t for key in self.known for t in key if t not in self.small}

    def is_known(self, word: str) -> bool:
        """Whether pages or the word lists have a word, in whatever form."""
        return word in self.words or word.isdigit() or word in general_words() or stem(word) in self._stems

    def is_in_place_of_another(self, word: str, text: str) -> bool:
        """Whether a text has a word that nobody knows where a name of the pages has another of its own; of
        two words the first, with no article before it ("the brick yard")."""
        said, names = tokens(text), [key for key in self.titles if len(key) > 1]
        return not self.is_known(word) and any(
            [(a, b) for a, b in zip(key, said[n : n + len(key)], strict=False) if a != b] == [(other, word)]
            and (len(key) > 2 or (said[n] == word and said[max(0, n - 1)] not in _BEFORE_NOUNS))
            for key in names
            for other in key
            if other in self._own and other not in general_words()
            for n in range(len(said) - len(key) + 1)
        )

    def near(self, word: str) -> str:
        """The word of the pages that an unknown word is a small slip of, not at its beginning ("night" is no
        "light"); a short one only of a name's."""
        word = word.lower()
        if len(word) < SLIP or self.is_known(word):
            return ""
        most = 2 if len(word) >= _LONG else 1
        close = [
            (distance, -self.words[other], other)
            for other in (self._own if len(word) == SLIP else self.words)
            if abs(len(other) - len(word)) <= most
            and len(other) >= SLIP
            and (other in self._own or not _is_another(word, other))
            and word[0] in other[:2]
            and (distance := edits(word, other, most)) <= most
        ]
        return min(close)[2] if close else ""

    @cached_property
    def _stems(self) -> frozenset[str]:
        """The stems of all words of the pages and the word lists."""
        return frozenset(stem(w) for w in self.words.keys() | general_words() if len(w) > 2)

    def kin(self, word: str) -> frozenset[str]:
        """The stems of closed compounds of the pages that a word ends ("ship": "airship"), and of the word
        that ends it."""
        end = stem(word) if len(word) >= SLIP else " "
        whole = {s for s in map(stem, self.words) if s.endswith(end) and self.is_known(s[: -len(end)])}
        own = {stem(word[n:]) for n in range(3, len(word) - 2) if word[:n] in self.words}
        return frozenset(whole | own)

    def _find_cjk(self, text: str) -> tuple[Named, ...]:
        spans: list[tuple[int, int, str]] = []
        for name in sorted(self.known.values(), key=lambda name: (-len(name), name)):
            whole = bare(name)
            if whole in text and whole not in thesaurus().words:
                spans.append((text.find(whole), text.find(whole) + len(whole), whole))
        kept: list[tuple[int, int, str]] = []
        for a, b, name in [*spans, *self._short_cjk(text)]:
            if all(a >= end or b <= start for start, end, _ in kept):
                kept.append((a, b, name))
        return tuple(Named(name, a, b) for a, b, name in sorted(kept))

    def _short_cjk(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Where a title stands without its end, and which one: pages always go on with that."""
        titles = sorted({bare(self.known[key]) for key in self.titles if is_cjk("".join(key))})
        for title in titles:
            starts = (title[:n] for n in range(len(title) - 1, _SHORT - 1, -1) if title[:n] in text)
            short = next((start for start in starts if not "ぁ" <= start[-1] <= "ん"), "")
            cut = re.search(f"{re.escape(short)}(?<=[ァ-ヺー])[ァ-ヺー]", text)
            rest = re.compile(rf"{re.escape(short)}(?!{re.escape(title[len(short) : len(short) + 1])})")
            other = cut or any(t.startswith(short) and not t.startswith(title) for t in titles)
            if short and not other and not any(rest.search(page.text) for page in self.pages):
                yield text.find(short), text.find(short) + len(short), title


def _is_another(word: str, other: str) -> bool:
    """Whether a short word is rather one that nobody here has than a slip of another: "tight", "night"."""
    swapped = sorted(word) == sorted(other)
    return word[0] != other[0] or (len(word) == len(other) < _TELLING and not swapped)


def alike(some: Sequence[str], others: Sequence[str]) -> bool:
    """Whether words differ in their endings at most, so that nobody would call it a slip."""
    return all(stem(one) == stem(other) for one, other in zip(some, others, strict=True))


@lru_cache(maxsize=1)
def general_words() -> frozenset[str]:
    """Every single English word of the thesaurus and the word lists."""
    told = frozenset(w for phrase in thesaurus().words for w in phrase.split() if w.isascii())
    return told | STOP | WEAK | ASKING | COMPARING


@lru_cache(maxsize=65536)
def edits(one: str, other: str, most: int) -> int:
    """Insertions, deletions, replacements and swaps of neighbours between two words, at most `most` + 1."""
    if one[:1] != other[:1] and one[1:2] != other[1:2] and one[:1] != other[1:2]:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        last, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b)))
            if i > 1 and j > 1 and a == other[j - 2] and b == one[i - 2]:
                row[j] = min(row[j], last[j - 2] + 1)
        if min(row) > most:
            return most + 1
    return row[-1]


@lru_cache(maxsize=64)
def shown_by(pages: tuple[Page, ...]) -> Names:
    """The names that pages show, read once."""
    return Names(pages)


@lru_cache(maxsize=4096)
def stems_of(name: str) -> frozenset[str]:
    """The stems of a name's words."""
    return frozenset(stem(t) for t in tokens(name)) | frozenset(terms(name))
