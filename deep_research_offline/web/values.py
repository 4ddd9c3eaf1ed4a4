"""Values of facts: quantities, years, dates, names. Each knows how it is written in every language.

A `Value` keeps all forms that pages may use, and from them the accepted `answers`: "1,240 km", "1240 km",
"1,240 kilometres" and "1240公里" are one distance. A bare number is accepted only when it is long enough
(1,000 or more) not to be met by accident.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from .names import Text

_MONTHS = "January February March April May June July August September October November December".split()


@dataclass(frozen=True, slots=True)
class Unit:
    """How a unit is written after a number: English forms (the first is used in tables), Chinese, Japanese.

    A Chinese or Japanese form may hold `{}` where the number goes.
    """

    en: tuple[str, ...]
    zh: str
    ja: str


@dataclass(frozen=True, slots=True)
class Value:
    """What a fact says: forms per language, of which the first is the plainest (used in tables and lists)."""

    en: tuple[str, ...]
    zh: tuple[str, ...]
    ja: tuple[str, ...]
    also: tuple[str, ...] = ()  # accepted as an answer, written nowhere
    number: float = 0.0  # for ranking; 0 for names
    unit: Unit | None = None

    @property
    def answers(self) -> tuple[str, ...]:
        """Every accepted surface form, without repetition."""
        return tuple(dict.fromkeys((*self.en, *self.zh, *self.ja, *self.also)))

    def say(self, lang: str, rng: random.Random | None = None) -> str:
        """One form for running text (drawn with `rng`), or the plain form without it."""
        forms = getattr(self, lang)
        return rng.choice(forms) if rng else forms[0]

    @property
    def whole(self) -> int:
        """The number, of a year or a quantity."""
        return int(self.number)

    def bare(self) -> str:
        """The number without its unit, for a column whose heading names the unit."""
        return f"{self.whole:,}"

    def misquoted(self, rng: random.Random) -> Value:
        """A quantity or year that is near this one and wrong."""
        step = max(1, round(self.number * rng.uniform(0.06, 0.22)))
        if self.unit is None:
            return year(int(self.number) - rng.randrange(2, 7))
        return quantity(int(self.number) + rng.choice((-1, 1)) * step, self.unit)


def quantity(number: int, unit: Unit) -> Value:
    """A whole number with a unit."""
    grouped = f"{number:,}"
    en = tuple(f"{grouped}{'' if word == '%' else ' '}{word}" for word in unit.en)
    bare = (grouped, str(number)) if number >= 1000 else ()
    plain = tuple(f"{number} {word}" for word in unit.en)
    zh, ja = _counted(number, unit.zh), _counted(grouped, unit.ja)
    also = (*plain, _counted(grouped, unit.zh), _counted(number, unit.ja), *bare)
    return Value(en, (zh,), (ja,), also, number, unit)


def _counted(number: int | str, unit: str) -> str:
    return unit.format(number) if "{}" in unit else f"{number}{unit}"


def year(number: int) -> Value:
    """A calendar year."""
    return Value((str(number),), (f"{number}年",), (f"{number}年",), number=number)


def date(iso: str) -> Value:
    """A calendar day given as ISO `YYYY-MM-DD`."""
    y, m, d = (int(part) for part in iso.split("-"))
    month, cjk = _MONTHS[m - 1], f"{y}年{m}月{d}日"
    return Value((f"{d} {month} {y}", f"{month} {d}, {y}"), (cjk,), (cjk,), (iso,))


def month(iso: str) -> Value:
    """The month of a calendar day given as ISO `YYYY-MM-DD`."""
    y, m = int(iso[:4]), int(iso[5:7])
    return Value((f"{_MONTHS[m - 1]} {y}",), (f"{y}年{m}月",), (f"{y}年{m}月",), (iso[:7],))


def duration(minutes: int) -> Value:
    """A time span of an hour or more."""
    h, m = divmod(minutes, 60)
    hours, mins = ("hour" if h == 1 else "hours"), ("minute" if m == 1 else "minutes")
    long = f"{h} {hours} {m} {mins}"
    return Value(
        (f"{h} h {m} min", long, f"{h} {hours} and {m} {mins}"),
        (f"{h}小时{m}分钟",),
        (f"{h}時間{m}分",),
        number=minutes,
    )


def named(text: Text, *also: str) -> Value:
    """A name; `also` are further accepted forms (a name without its generic part)."""
    return Value((text.en,), (text.zh,), (text.ja,), tuple(also))
