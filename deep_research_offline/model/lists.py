"""What a request lists: things, and criteria by which they are to be compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from .lexicon import ASKING, LESS, MORE, STOP, patterns
from .query import ASKED, INNER, order_of, read_query, split_asking
from .report_words import CRITERIA, MEMBERS, names_a_subject
from .text import is_cjk, split_prose, term_set, tidy, words
from .thesaurus import may_name

_EITHER = re.compile(rf"\b({'|'.join(sorted(MORE | LESS))}) or (?:{'|'.join(sorted(MORE | LESS))})\b")
"""Both of two opposites, as in "longer or shorter than"."""
_RE = patterns("rows")
_QUOTED = re.compile(r"[『「《“]([^『「《“”』」》]+)[』」》”]")
_BEHIND = re.compile(r"(?<=\?)\s*([a-z][a-z ,'&/-]{4,80}?)\W*$", re.IGNORECASE)
"""What stands behind a question in one breath with it: "A or B? price, speed"."""
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_SENTENCE = re.compile(r"(?<=[a-z]{3})[.;!?]\s+")
"""Where a sentence ends, though the next one opens in small letters."""
_GOING_ON = re.compile(r"\W*(?:is|are|was|were|so)\b.*?\b[a-z]+ing(?: \w+)? or (?:\w+ )?[a-z]+ing\b")
"""What asks which way something goes, and lists no things: "is it rising or falling"."""
_MOST_BEHIND, _LONG = 6, 4
_BY_HEAD = re.compile(r"how [a-z]+ (?:\w+ ?)+$|the [a-z]+ (?:\w+ )?(?:to|in|at|for|of|from) which\b", re.I)
"""How a criterion begins that is told in a clause."""
_NAME = r"[A-Z][\w’'-]*(?: (?:(?:of|de|the) )*[A-Z][\w’'-]*)*"
_THREE_NAMES = re.compile(rf"{_NAME}(?:(?:,? (?:and|or|&) |, | / )(?:the )?{_NAME}){{2,}}")
_NAMED = re.compile(r"(?<=[\w,] )(?!I\b)[A-Z]\w+")
"""A name inside a sentence."""
_THREE = 3
"""Members of a row that says by itself that things are set side by side."""


def sets_side_by_side(text: str) -> bool:
    """Whether a question compares."""
    return bool(read_query(text).order or _RE["beside"].search(text.lower()))


@lru_cache(maxsize=4096)
def items_in(text: str) -> tuple[str, ...]:
    """Things that a request sets side by side, by its own words: phrases around "or", "and", "than" and
    commas that are as alike in form as names in a row are, and none of the criteria behind them ("A and B on
    price"). What asks and names nothing may point at them: then they are three names in a row, or what stands
    between "or" and "/". Empty where the request names no row."""
    asking = asked = split_asking(_IN_BRACKETS.sub(" ", text)).asking
    judged = criteria(text)
    if judged:
        asking = re.split(rf" (?:on|in|by|for) (?:the |their |its )?{re.escape(judged[0])}\b", asking)[0]
    row = _row_of(asking, judged) if judged or sets_side_by_side(asked) else ()
    if row or _GOING_ON.match(asking):
        return () if _GOING_ON.match(asking) else row
    for said in split_prose(text):
        if said not in asking and _NAMED.search(asking):  # what asks has a matter of its own
            continue
        named = _THREE_NAMES.search(said)
        row = _row_of(named[0], judged) if named else ()
        if len(row) >= _THREE:
            return row
    return ()


def _row_of(asking: str, judged: Sequence[str]) -> tuple[str, ...]:
    """The longest row of names in a text, of those that are set side by side if any are; empty if it has
    fewer than two."""
    rows: list[list[str]] = [_QUOTED.findall(asking)]
    beside_each_other: list[list[str]] = []
    for said in (one for part in split_prose(asking) for one in _SENTENCE.split(part)):
        beside = _RE["with"] if "compare" in said.lower() else _RE["than"]
        split = re.split(_RE["connector"], _EITHER.sub(r"\1", beside.sub(" or ", said)))
        parts = [named for p in split if p and (named := _named_part(p).strip())]
        runs = [[r.strip() for r in _runs(p) if any(map(may_name, words(r)))] for p in parts]
        rows.append([])
        first = len(rows) - 1
        for number, run in enumerate(runs):
            if run:
                rows[-1].append(run[-1] if not rows[-1] and number + 1 < len(runs) else run[0])
            elif rows[-1]:
                rows.append([])
        beside_each_other += [max(rows[first:], key=len)] if _RE["beside"].search(said.lower()) else []
    longest = max([rows[0], *beside_each_other] if beside_each_other else rows, key=len)
    plain = (re.sub(r" (?:in|of|for) [12]\d{3}$| for [a-z ]+$", "", one) for one in longest)
    row = tuple(one for one in dict.fromkeys(plain) if one not in judged and not one.isdigit())
    latin = [one for one in row if not is_cjk(one)]
    row = tuple(latin) if len(latin) > 1 else row  # "A、B 和 C 的价格、速度"
    return row if len(row) > 1 else ()


def _named_part(part: str) -> str:
    """A part between connectors; of one that asks only what stands behind a colon."""
    if is_cjk(part):
        told = re.split(r"[，,：:]|请问|では|(?=哪|谁|どちら)", part)
        return next((p for p in told if p and not (ASKED.search(p) or order_of(p)[0])), "")
    if _RE["clause"].match(part):
        return ""
    if re.match(r"\W*(?:which|what|who|where|when|how|whose)\b", part, re.IGNORECASE):
        behind = re.search(r"(?<=[:?])\s*\S.*|(?<=\w )[A-Z].*", part)  # "how do A", "which is longer: A"
        return behind[0] if behind else ""
    return part


def _runs(part: str) -> list[str]:
    """Runs of content words between function words, commas and comparatives."""
    if is_cjk(part):
        if named := re.search(_NAME, part):  # 请比较 Orsk Mill
            return [named[0]]
        found = re.split(r"[，,：:？?。]|では|哪|谁|どちら|の(?=[^ァ-ヺ])|を|更|最", part)
        return [run for run in found if len(run) > 1]
    runs: list[list[str]] = [[]]
    for word in re.findall(r"[\w–'’-]+|[,:;?.]", part):
        low = word.lower()
        if low in INNER and runs[-1]:
            runs[-1].append(word)
        elif low in STOP or low in MORE or low in LESS or not re.match(r"\w", word) or low in ASKING:
            runs.append([])
        else:
            runs[-1].append(word)
    return [" ".join(run) for run in map(_from_capital, runs) if run]


def _from_capital(run: list[str]) -> list[str]:
    """A run from its first to its last word that looks like part of a name; all but prepositions else."""
    marked = [n for n, w in enumerate(run) if w[0].isupper() or w[0].isdigit() or "-" in w]
    marked = [] if all(run[n].isdigit() for n in marked) else marked
    marked = marked or [n for n, w in enumerate(run) if w.lower() not in INNER]
    return run[marked[0] : marked[-1] + 1] if marked else []


@lru_cache(maxsize=1024)
def criteria(question: str) -> tuple[str, ...]:
    """By what things are to be compared or judged, in the request's words."""
    found = [_members(match[1]) for pattern in CRITERIA for match in pattern.finditer(question)]
    fits = [ps for ps in found if 1 < len(ps) <= 8]
    fits += [behind] if len(behind := _named_behind(question)) > 1 else []
    plain = [ps for ps in fits if not any(may_name(word) for part in ps for word in words(part))]
    return max(plain or fits, key=len, default=())


def _named_behind(question: str) -> tuple[str, ...]:
    """The criteria that stand as bare words behind a question that sets things side by side."""
    said = _BEHIND.search(_RE["trailing"].sub("", question))
    if not said or not sets_side_by_side(question[: said.start()]):
        return ()
    told = re.split(r"\s*(?:[,&/]|\band\b)\s*|\s+", said[1])
    bare = all(word and names_a_subject(word) and word.lower() not in STOP for word in told)
    return tuple(told) if bare and len(told) <= _MOST_BEHIND else ()


def _members(text: str) -> tuple[str, ...]:
    """The members of a list in words; none if one of them is a clause."""
    parts = []
    for told in map(tidy, filter(None, MEMBERS.split(text))):
        part = told
        for edge in ("leading", "leading", "trailing"):
            part = _RE[edge].sub("", part)
        part = part.strip(" \"'“”‘’「」《》*.:：?？")
        if len(words(part)) > _LONG:
            if not _BY_HEAD.match(told):
                return ()
            part = told.removeprefix("the ")
        if term_set(part):
            parts.append(part)
    return tuple(dict.fromkeys(parts))
