"""The questions of a text: what it asks, one by one, each as a question of its own."""

from __future__ import annotations

import re
from functools import lru_cache

from .lexicon import load, patterns
from .query import ASKED, asks, is_core, order_of, read_query, split_asking, tells, times_in
from .text import is_cjk, language, tidy, words
from .thesaurus import asked_by, thesaurus

_RE = patterns("question")
_LISTED_OF = re.compile(r"^\W*([^:：?？]{3,80}?)(?:[:：]| [-–—](?= ))\s*(\S[^:：]*)$")
"""A thing and behind it what is asked of it, in a list."""
_OF_LIST, _LONGEST_LISTED = re.compile(r"\s*(?:[,;?，、；？]\s*(?:and )?| and | & )\s*"), 6


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
    """A question for each of several measures that one asks of a thing ("the height and weight of it")."""
    match = None if order_of(part.lower())[0] else _RE["measures"].search(part)
    if not match:
        return [part]
    row = match.lastgroup or ""
    head, told, tail = part[: match.start(row)], _RE["between"].split(match[row]), part[match.end(row) :]
    told = [one for one in told if one]
    named = sum(bool(asked_by(one)) and not ASKED.search(one) for one in told)
    around = [c for said in (head, tail) for c in read_query(said).concepts]
    elsewhere = any(map(is_core, around)) or (row != "wide" and tells(head))
    if named < max(2, len(told) / 2) or elsewhere or not any(map(_is_measure, told)):
        return [part]
    the = "the " * told[0].startswith("the ")
    return [f"{head}{the}{one.removeprefix('the ')}{tail}" for one in told]


def _is_measure(noun: str) -> bool:
    """Whether a noun is what has a unit, or a kind of answer of its own."""
    return any(
        book.get("unit") or book.get("kind") for book in map(thesaurus().groups.__getitem__, asked_by(noun))
    )


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
        if not own and _RE["whose"].search(part):  # "who had to pay"
            own = {c.stems for c in read_query(part).concepts}
        asked = ASKED if is_cjk(part) else _RE["question_word"]
        is_asked = of_row or part[-1] in "?？" or _RE["owned"].match(part) or asked.search(part.lower())
        is_asked = is_asked or patterns("clauses")["opens"].match(part)
        back = is_asked and re.search(load("words")["follow"]["pointing"], part, re.IGNORECASE)
        if (own - known or (back and telling)) and part[-1] != ":" and (is_asked or part is rows[0][0]):
            telling.append(part)
        known |= own
    return tuple(telling) if len(telling) > 1 else (tidy(text),)
