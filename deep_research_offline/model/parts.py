"""The questions of a text: what it asks, one by one, each as a question of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from .lexicon import WEAK, load, patterns
from .query import ASKED, INNER, asks, is_core, kinds_in, order_of, read_query, split_asking, tells, times_in
from .text import is_cjk, is_stop, language, tidy, words
from .thesaurus import asked_by, may_name, thesaurus

_RE = patterns("question")
_LISTED_OF = re.compile(r"^\W*([^:：?？]{3,80}?)(?:[:：]| [-–—](?= ))\s*(\S[^:：]*)$")
"""A thing and behind it what is asked of it, in a list."""
_OF_LIST, _LONGEST_LISTED = re.compile(r"\s*(?:[,;?，、；？]\s*(?:and )?| and | & )\s*"), 6
_ROW, _LONGEST_NOUN = 2, 4
"""Nouns that make a row, and words of the longest one."""
_NO_NOUN_CJK = re.compile(r"[^\w・ー-]|[的の]|から|まで|比")
"""What no Chinese or Japanese noun in a row has in it."""


def _by_comma(part: str) -> list[str]:
    """The questions of a Chinese or Japanese sentence, which commas part."""
    found: list[str] = []
    for clause in re.split(r"(?<=[，、])", part) if is_cjk(part) else [part]:
        if found and ASKED.search(found[-1]) and ASKED.search(clause):
            found[-1] = found[-1].rstrip("，、")
            found.append(clause)
        else:
            found[-1:] = ["".join([*found[-1:], clause])]
    return found


def _by_measure(part: str) -> list[str]:
    """A question for each of several nouns in a row at its end, of which one is a measure or a role ("the
    height and weight of it"), and one for what is said there to be something's ("and its captain")."""
    if (owned := _RE["owned"].search(part)) and _may_be_asked(owned[1].split(" ", 1)[1]):
        return [*filter(None, _by_measure(part[: owned.start()])), owned[1]]
    joints = [*_RE["between"].finditer(part)]
    starts, ends = [0, *(j.end() for j in joints)], [*(j.start() for j in joints), len(part)]
    close = _RE["behind_row"].search(part, starts[-1])
    ends[-1] = close.start() if close else len(part)
    nouns, at = list[str](), len(part)
    for start, end in reversed([*zip(starts, ends, strict=True)]):
        opens = _RE["before_row"].match(part[start:end])
        is_head = bool(nouns and opens and opens[0] != "the ")
        at = start + (len(opens[0]) if is_head and opens else 0)
        nouns = [part[at:end].removeprefix("the "), *nouns] if end > at else nouns
        if is_head:
            break
    head, tail = part[:at], part[ends[-1] :]
    around = [c for said in (head, tail) for c in read_query(said).concepts]
    elsewhere = any(map(is_core, around)) or (not is_cjk(part) and tells(head))
    if len(nouns) < _ROW or elsewhere or order_of(part.lower())[0] or not _names_measures(nouns):
        return [part]
    return [f"{head}{noun}{tail}" for noun in nouns]


def _names_measures(nouns: Sequence[str]) -> bool:
    """Whether nouns are of general language and one is a measure; of Chinese and Japanese half of them may be
    unknown where two are."""
    if is_cjk(nouns[0]):
        known, measures = sum(map(bool, map(asked_by, nouns))), sum(map(_is_measure, nouns))
        enough = 2 * known >= len(nouns) and measures >= (1 if known == len(nouns) else _ROW)
        return enough and not any(map(_NO_NOUN_CJK.search, nouns))
    named = any(may_name(word) for noun in nouns[1:] for word in words(noun))  # the first may say of what
    return not named and all(map(_may_be_asked, nouns)) and any(map(_is_measure, nouns))


def _may_be_asked(noun: str) -> bool:
    """Whether an English phrase is a noun of general language: a few words that end in one that tells."""
    told = words(noun.lower())
    plain = 0 < len(told) <= _LONGEST_NOUN and not re.search(r"[^\w\s-]", noun)
    last = told[-1] if told else ""
    deed = last.endswith("ed") or (last in WEAK and not _is_measure(last))
    return bool(plain and not deed and asked_by(noun)) and not any(is_stop(w) for w in told if w not in INNER)


def _is_measure(noun: str) -> bool:
    """Whether a noun has a unit or a kind of answer of its own."""
    groups = (thesaurus().groups[n] for n in asked_by(noun))
    return bool(kinds_in(f"the {noun.lower()}")) or any(g.get("unit") or g.get("kind") for g in groups)


def _listed_of(text: str) -> tuple[str, ...]:
    """A question for each thing that a list asks of what stands before it: "Orsk Mill: owner, height"."""
    listed = _LISTED_OF.match(tidy(text))
    if not listed or ASKED.search(listed[1]) or asks(listed[1]) or order_of(listed[1].lower())[0]:
        return ()
    told = [one.strip(" .。") for one in _OF_LIST.split(listed[2].strip(" ?？.。"))]
    if len(told) < 2 or any(len(words(one)) > _LONGEST_LISTED for one in told):
        return ()
    of = {"en": "' " if listed[1].endswith("s") else "'s ", "zh": "的", "ja": "の"}[language(text)]
    return tuple(one if ASKED.search(one) else f"{listed[1]}{of}{one}" for one in told)


@lru_cache(maxsize=4096)
def questions_in(text: str) -> tuple[str, ...]:
    """The questions of a text that stand on their own; the text itself if there is only one."""
    if listed := _listed_of(text):
        return listed
    asking = split_asking(text).asking
    opens = patterns("clauses")["opens"].match(asking)
    first = opens or _RE["question_word"].search(asking)
    cut = first.end() if first else len(asking)  # "the man, who …" asks nothing, "when …, who …" does
    what = "|what" if opens else ""  # "the judge who …, what did he …" is one question
    asking = asking[:cut] + re.sub(rf", (?=(?:who|when|where|why|how{what})\b)", "; ", asking[cut:])
    split = [p.strip(" ,") for p in _RE["clause"].split(asking) if p.strip(" ,.?？")]
    rows = [_by_measure(said) for part in split for said in _by_comma(part)]
    telling: list[str] = []
    known: set[frozenset[str]] = set()
    for part, of_row in ((part, len(row) > 1) for row in rows for part in row):
        told = [c for c in read_query(part).concepts if not c.weak and not times_in(c.word)]
        own = {c.stems or frozenset({c.word}) for c in told}
        own |= {frozenset({word}) for _, word in [order_of(part.lower())] if word}  # "which is bigger"
        if not own and (ASKED if is_cjk(part) else _RE["whose"]).search(part):  # "who had to pay"
            own = {c.stems for c in read_query(part).concepts}
        asked = ASKED if is_cjk(part) else _RE["question_word"]
        is_asked = of_row or part[-1] in "?？" or _RE["owned"].match(part) or asked.search(part.lower())
        is_asked = is_asked or patterns("clauses")["opens"].match(part)
        back = is_asked and re.search(load("words")["follow"]["pointing"], part, re.IGNORECASE)
        if (own - known or (back and telling)) and part[-1] != ":" and (is_asked or part is rows[0][0]):
            telling.append(part)
        known |= own
    return tuple(telling) if len(telling) > 1 else (tidy(text),)
