"""Ways to make a right claim wrong, each a function of a case and a random generator.

A corruption gives None where it does not apply: no number to change, no second name to exchange. None of them
uses the parsers of the claim check, so that both cannot share a mistake.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace

from .clean_claims import Case

Corruption = Callable[[Case, random.Random], Case | None]

_NUMBER = re.compile(r"(?<![\w.\-])\d[\d,]*(?:\.\d+)?(?!\w*-\d)")
_YEAR = re.compile(r"(?:1[0-9]|20|21)\d\d")
_NAME = re.compile(r"(?<![\w.])(?:[A-Z][\w'’-]+)(?: (?:of )?[A-Z][\w'’-]+)*")
_NOT_A_NAME = re.compile(
    r"(?:The|A|An|In|On|At|From|To|By|Of|It|Its|He|She|They|His|Her|Their|This|That|These|Those|After|Before|Since|"
    r"During|As|For|With|When|While|And|But|Until|Between|Under|Over|Both|Each|All|Only|One|Two|There|However|"
    r"Also|January|February|March|April|May|June|July|August|September|October|November|December|"
    r"Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b ?"
)
_AUXILIARY = re.compile(r"\b(?:is|was|are|were|has|have|had|will|would|can|could|may|must|should)\b")
_PAST = re.compile(r"\b([a-z]{3,}ed|[a-z]{2,}(?:ose|ew|old|ept|ook|ave|ound|ent|an|ot|egan|ecame))\b")
_NEGATED = {
    "zh": (
        ("是", "不是"),
        (r"有(?=\d)", "没有"),
        ("位于", "并非位于"),
        (r"于(?=\d)", "并非于"),
        ("由", "并非由"),
    ),
    "ja": (
        ("である", "ではない"),
        ("です", "ではありません"),
        ("した。", "しなかった。"),
        ("された", "されなかった"),
        ("がある", "がない"),
        ("だった", "ではなかった"),
    ),
}
_QUALIFIER = re.compile(
    r",? ?\b(?:from \d{4} to \d{4}|between \d{4} and \d{4}|until \d{4}|before the \w+ of \d{4}),?"
    r"|\b(?:nearly|almost|(?:about|around|approximately) (?=\d)|up to|at least|at most|"
    r"more than|less than|fewer than|one of|"
    r"reportedly|allegedly|probably|partly|usually|is said to|are said to|was said to|only)\b ?",
    re.IGNORECASE,
)


def wrong_source(case: Case, rng: random.Random) -> Case | None:
    """Cite another page, which does not state the claim."""
    return replace(case, sources=(rng.choice(case.others),)) if case.others else None


def changed_number(case: Case, rng: random.Random) -> Case | None:
    """Another value in place of one number, in the same style; years move by one to nine."""
    found = list(_NUMBER.finditer(case.claim))
    if not found:
        return None
    match = rng.choice(found)
    text = match[0].rstrip(",")
    end = match.start() + len(text)
    return case.changed(case.claim[: match.start()] + _other(text, rng) + case.claim[end:])


def _other(text: str, rng: random.Random) -> str:
    decimals = len(text.partition(".")[2])
    value = float(text.replace(",", ""))
    if _YEAR.fullmatch(text):
        return str(int(value) + rng.choice([-1, 1]) * rng.randint(1, 9))
    unit = 10.0**-decimals
    moved = value + rng.choice([-1, 1]) * max(unit, round(value * rng.uniform(0.05, 0.6), decimals))
    if moved <= 0:
        moved = value + max(unit, round(value * 0.5, decimals))
    return f"{moved:,.{decimals}f}" if "," in text else f"{moved:.{decimals}f}"


def negation(case: Case, rng: random.Random) -> Case | None:
    """Deny what the claim says, or say what it denies."""
    if case.lang != "en":
        for pattern, replacement in _NEGATED[case.lang]:
            if re.search(pattern, case.claim):
                return case.changed(re.sub(pattern, replacement, case.claim, count=1))
        return None
    if re.search(r"\bnot\b ", case.claim):
        return case.changed(re.sub(r"\bnot\b ", "", case.claim, count=1))
    if match := _AUXILIARY.search(case.claim):
        return case.changed(f"{case.claim[: match.end()]} not{case.claim[match.end() :]}")
    if match := _PAST.search(case.claim):
        return case.changed(f"{case.claim[: match.start()]}never {case.claim[match.start() :]}")
    return None


def swapped_names(case: Case, rng: random.Random) -> Case | None:
    """Two names of the claim in each other's place; names in one list ("A and B") do not count."""
    found = _names(case)
    pairs = [
        (a, b)
        for i, a in enumerate(found)
        for b in found[i + 1 :]
        if a[2] != b[2] and re.search(r"[^\W\d_]{3,}", case.claim[a[1] : b[0]].replace("and", ""))
    ]
    if not pairs:
        return None
    a, b = rng.choice(pairs)
    return case.changed(case.claim[: a[0]] + b[2] + case.claim[a[1] : b[0]] + a[2] + case.claim[b[1] :])


def foreign_name(case: Case, rng: random.Random) -> Case | None:
    """The name of something else in place of a name of the claim."""
    found = _names(case)
    pool = [name for name in case.names if name not in case.claim]
    if not found or not pool:
        return None
    start, end, _ = rng.choice(found)
    return case.changed(case.claim[:start] + rng.choice(pool) + case.claim[end:])


def _names(case: Case) -> list[tuple[int, int, str]]:
    """Start, end and text of each name: capitalised words, or the names known in its web."""
    if case.names:
        known = sorted({name for name in case.names if name in case.claim})
        places = [(case.claim.index(name), name) for name in known]
        kept = [(at, n) for at, n in places if not any(n != m and n in m for _, m in places)]
        return sorted((at, at + len(name), name) for at, name in kept)
    found = []
    for match in _NAME.finditer(case.claim):
        start, text = match.start(), re.sub(r"['’]s?$", "", match[0])
        while opening := _NOT_A_NAME.match(text):
            start, text = start + opening.end(), text[opening.end() :]
        if text and (start > 0 or " " in text or f"{text}'s" in case.claim):
            found.append((start, start + len(text), text))
    return found


def dropped_qualifier(case: Case, rng: random.Random) -> Case | None:
    """Leave out a hedge or a limit: "nearly", "from 2035 to 2043", "is said to"."""
    match = _QUALIFIER.search(case.claim)
    if match is None:
        return None
    left = (case.claim[: match.start()] + " " + case.claim[match.end() :]).strip(" ,")
    left = re.sub(r"\s+", " ", left).replace(" .", ".")
    return case.changed(left[:1].upper() + left[1:])


def stale_value(case: Case, rng: random.Random) -> Case | None:
    """The value that used to be right in place of the one that is."""
    if not case.stale:
        return None
    now, then = case.stale[0]
    return case.changed(case.claim.replace(now, then))


CORRUPTIONS: dict[str, Corruption] = {
    "wrong source": wrong_source,
    "changed number": changed_number,
    "flipped negation": negation,
    "swapped names": swapped_names,
    "foreign name": foreign_name,
    "dropped qualifier": dropped_qualifier,
    "stale value": stale_value,
}
