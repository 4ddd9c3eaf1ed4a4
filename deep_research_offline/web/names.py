"""Invented names in three scripts. A name is a row of syllables, each with a Latin, a Chinese and a Japanese
form.

Names never repeat within one `NameMaker`, and no name contains another, so a name found in a text is that
name.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

_TABLE = """
var 瓦尔 ヴァル | lo 洛 ロ | mi 米 ミ | tha 萨 サ | ke 凯 ケ | sto 斯托 スト |
ra 拉 ラ | nel 内尔 ネル | do 多 ド | quil 奎尔 クィル | fen 芬 フェン | gor 戈尔 ゴル |
hae 海 ヘイ | ji 吉 ジ | bru 布鲁 ブル | la 兰 ラン | mor 莫尔 モル | nu 努 ヌ |
pel 佩尔 ペル | ris 里斯 リス | sa 莎 シャ | tov 托夫 トヴ | ul 乌尔 ウル | ve 维 ヴェ |
wen 温 ウェン | yor 约尔 ヨル | zan 赞 ザン | cas 卡斯 カス | dre 德雷 ドレ | el 埃尔 エル |
fi 菲 フィ | gan 甘 ガン | hol 霍尔 ホル | is 伊斯 イス | kra 克拉 クラ | lun 伦 ルン |
ma 玛 マ | ni 尼 ニ | os 奥斯 オス | pri 普里 プリ | rho 罗 ロー | sel 塞尔 セル |
tu 图 トゥ | vin 文 ヴィン | wa 沃 ワ | zo 佐 ゾ | bel 贝尔 ベル | chi 奇 チ |
dan 丹 ダン | gry 格里 グリ
"""
_SYLLABLES = tuple(tuple(row.split()) for row in _TABLE.split("|"))
_VOWELS = "aeiouy"
# Given names are short enough to hit upon real ones; these are not to be used.
_TAKEN = frozenset("kevin love lola sara lara nina mila mara dora selma vera elsa marla dani lori".split())


@dataclass(frozen=True, slots=True)
class Text:
    """The same words in English, Chinese and Japanese."""

    en: str
    zh: str
    ja: str

    def say(self, lang: str) -> str:
        """The form for `lang` ("en", "zh" or "ja")."""
        return getattr(self, lang)

    def wrap(self, en: str, zh: str, ja: str) -> Text:
        """This text put into a pattern per language; `{}` marks its place."""
        return Text(en.format(self.en), zh.format(self.zh), ja.format(self.ja))


class NameMaker:
    """Draws names that are new in this web. One maker serves all regions of a web."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._used: set[str] = set()
        self._inside: set[str] = set()  # every piece of a used word

    def word(self) -> Text:
        """One new invented word."""
        while True:
            rows = self._rng.sample(_SYLLABLES, 3)
            latin = "".join(row[0] for row in rows)
            if _pronounceable(latin) and not self._clashes(latin):
                break
        self._used.add(latin)
        self._inside |= _pieces(latin)
        return Text(latin.capitalize(), "".join(row[1] for row in rows), "".join(row[2] for row in rows))

    def person(self) -> Text:
        """A given name (which may repeat) and a surname (which is new)."""
        rows = self._rng.sample(_SYLLABLES, 2)
        while not _invented("".join(row[0] for row in rows)):
            rows = self._rng.sample(_SYLLABLES, 2)
        given = Text(
            "".join(row[0] for row in rows).capitalize(), *("".join(row[i] for row in rows) for i in (1, 2))
        )
        surname = self.word()
        return Text(f"{given.en} {surname.en}", f"{given.zh}·{surname.zh}", f"{given.ja}・{surname.ja}")

    def code(self) -> str:
        """A new type code such as `TK-31`, for machines."""
        while True:
            letters = "".join(self._rng.sample("BDFGHKLMPRSTVZ", 2))
            code = f"{letters}-{self._rng.randrange(110, 990)}"
            if code not in self._used:
                self._used.add(code)
                return code

    def number(self, low: int, high: int) -> int:
        """A new number, for addresses such as those of forum threads."""
        while True:
            number = self._rng.randrange(low, high)
            if str(number) not in self._used:
                self._used.add(str(number))
                return number

    def _clashes(self, latin: str) -> bool:
        """True when the word stands inside a used one, or a used one inside it."""
        return latin in self._inside or not self._used.isdisjoint(_pieces(latin))


def _pieces(word: str) -> set[str]:
    """Every run of four letters or more (the shortest name) inside `word`, itself included."""
    return {word[i:j] for i in range(len(word)) for j in range(i + 4, len(word) + 1)}


def _invented(latin: str) -> bool:
    return _pronounceable(latin) and latin not in _TAKEN


def _pronounceable(latin: str) -> bool:
    """At most two vowels or three consonants in a row."""
    run, last = 0, ""
    for letter in latin:
        kind = "v" if letter in _VOWELS else "c"
        run = run + 1 if kind == last else 1
        last = kind
        if run > (2 if kind == "v" else 3):
            return False
    return True
