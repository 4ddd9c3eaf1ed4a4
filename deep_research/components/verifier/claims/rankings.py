"""The words with which a sentence ranks or compares: in what, which way, and whether one of two things.

The patterns, and what the words measure, are in `comparing.toml`. That something is "more than 300" or "the
first half" ranks nothing, and neither does a name ("Best Western").
"""

from __future__ import annotations

import re
from collections.abc import Set
from typing import NamedTuple

from deep_research.text.data import read_data
from deep_research.text.quantities import Quantity, quantities
from deep_research.text.terms import is_cjk
from deep_research.text.wording import names_in, terms_in, word_tokens

from .directions import scale_of

_DATA = read_data(__file__, "comparing.toml")
_WORDS, _MEASURES, _LENGTHS = _DATA["words"], _DATA["measures"], _DATA["lengths"]
_NO_SUPERLATIVES = "|".join(_WORDS["no_superlatives"].split())
_RANKING = re.compile(
    rf"{_WORDS['whose']}(?P<most>{_WORDS['most']})\b|(?<!\bat )(?<!\bat the )\b(?!(?:{_NO_SUPERLATIVES})\b)"
    rf"(?P<est>[a-z]{{2,}}est)\b|{_WORDS['is']}(?P<alone>{_WORDS['alone']})\b"
    rf"|\b(?P<more>{_WORDS['comparatives']})\b(?=(?:[^.;]|\.\d){{0,80}}?\b(?:{_WORDS['compared']}|{_WORDS['times']}))"
    rf"|\b(?P<rank>{'|'.join(_WORDS['ranks'])})|(?P<cjk>{'|'.join(_WORDS['cjk'])})",
    re.IGNORECASE,
)
_ORDINALS = "second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
_PLACE = re.compile(rf"(?:\b({_ORDINALS})[ -])?\b(?:most|least|[a-z]{{2,}}est)\b", re.IGNORECASE)
"""The place that a superlative gives: "second" of "the second largest"."""
_ALONE = re.compile(_WORDS["alone"])
_AS_MUCH = re.compile("|".join(_WORDS["as_much"]), re.IGNORECASE)
_COMPARES = re.compile(
    rf"\b(?:{_WORDS['comparatives']}|than|compared|versus|vs"
    r"|(?:is|are|was|were) (?:\w+ly|much|far) [a-z]{2,}er)\b",
    re.IGNORECASE,
)
_OF_TWO_CJK = re.compile("比|より")
_OPEN = re.compile("best|worst|better|worse")
_BEHIND = re.compile("worse|worst|last|behind|trail|inferior")
_THAN = re.compile(r"\s*than\b", re.IGNORECASE)
_BACK = re.compile(r"\s*than th(?:at|is)\b(?! of\b)", re.IGNORECASE)
"""What compares with what was named before."""
_TIMES = re.compile(rf"\b{_WORDS['times']}", re.IGNORECASE)
_MANY = {"twice": 2.0, "double": 2.0, "half": 0.5}
_DEGREES = ("more", "most", "less", "least")


class Ranking(NamedTuple):
    """What the words say that rank: they are so by `key` ("" leaves open by what), or less so.

    Of two, they are so against so many `times` the other, which may be what was named before ("than that").
    """

    start: int
    end: int
    key: str
    less: bool
    of_two: bool
    place: str = ""
    times: float = 1.0
    of_former: bool = False

    def way(self, value: Quantity, beside: Set[str]) -> int:
        """Whether more (1) or less (-1) of a value with these words beside it makes it so; 0: either may."""
        unit = "date" if value.date else value.unit
        tables = [_MEASURES.get(unit, _MEASURES["money"])] if unit else []
        for table in tables if value.date else [*tables, _MEASURES["any"]]:
            for way, side in ((1, "more"), (-1, "less")):
                if any(map(self._is_of, table[side].split())):
                    return -way if self.less else way
        counts = self.key.isascii() and not beside.isdisjoint(terms_in(self.key))
        return (-1 if self.less else 1) if counts else 0

    @property
    def measure(self) -> str | None:
        """What a length has to measure."""
        found = (name for name, words in _LENGTHS.items() if any(map(self._is_of, words.split())))
        return next(found, None)

    def sense_in(self, text: str) -> int:
        """Whether a text ranks or compares in the same way (1), the other way round (-1) or not so (0)."""
        places = [place.lower() for place in _PLACE.findall(text)]
        if self.place not in places and (self.place or (places and not self.of_two)):
            return 0
        if _AS_MUCH.search(text) and not self.of_two:
            return 1
        other = ranking(text)
        if not (other or _ALONE.match(self.key) or _COMPARES.search(text)):
            return 0
        turned = -1 if other and other.less != self.less else 1
        if not self.key.isascii() or not self.key:
            return turned
        scales = (scale_of(word.word, self.key) for word in word_tokens(text))
        return turned * next(filter(None, scales), 0)

    def _is_of(self, word: str) -> bool:
        """Whether the words that rank are a form of a word, as "biggest" is of "big"."""
        if is_cjk(word):
            return word in self.key
        bare = _bare(self.key)
        return _bare(word) in (bare, bare[:-1] if bare[-2:-1] == bare[-1:] else bare)


def ranking(plain: str) -> Ranking | None:
    """The first words of a text (in NFKC form) that rank or compare."""
    for said in _RANKING.finditer(plain):
        kind = said.lastgroup or ""
        word, rest = said[kind].lower(), plain[said.end() :]
        if kind == "cjk":
            return Ranking(*said.span(), word + rest[:2], False, _OF_TWO_CJK.match(word) is not None)
        if said[kind][0].isupper() and said.start():
            continue
        key = "" if kind == "rank" or _OPEN.fullmatch(word) else word
        of_former = _BACK.match(rest) is not None
        if of_former and not names_in(plain[: said.start()], initial=True):
            continue  # it was named before this sentence
        of_what = word in _DEGREES and not _THAN.match(rest)  # "449, which is more than the 853 of Gull"
        if of_what:
            key = next((token.word.lower() for token in word_tokens(rest) if not token.filler), word)
        less = (of_what and word in ("less", "least")) or (not key and _BEHIND.search(word) is not None)
        place = next((one[1] or "" for one in _PLACE.finditer(plain) if one.end() == said.end(kind)), "")
        found = _TIMES.search(rest)
        many = found[0].lower().removeprefix("than ") if found else ""
        times = _MANY.get(many) or next((one.value for one in quantities(many)), 1.0)
        return Ranking(*said.span(kind), key, less, kind == "more", place.lower(), times, of_former)
    return None


def _bare(word: str) -> str:
    """An adjective without its degree: "heav" for "heavy" and "heaviest"."""
    return re.sub(r"(?<=\w\w)(?:i?est|i?er|[ey])$", "", word)
