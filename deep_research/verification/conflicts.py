"""Where sources differ: another source states the same thing with another number or date.

For each claim that a source bears out, the other sources are searched for a passage about the same thing
whose value in the same unit is another one. Which value the report uses is known; what speaks for it, or
against it, is said by its source: its tier, or its date. Values for different years do not differ, they are a
series; neither do values of different measures, such as a length and a height.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from ..state import Claim, Conflict, ConflictReason, Statement
from .claim_check import SourceText
from .evidence import Passage, Reading, Wanted, passages_with, read, terms_of
from .quantities import Quantity, quantities, stated
from .subjects import other_subject

Name = int | str
"""A source by its number in the report, or by its id if the report does not cite it."""
ALIKE = 0.8
"""The share of a claim's words, by weight and without its numbers, that a rival passage must hold."""
RANK = {
    name: place
    for place, name in enumerate(
        ["social", "unverified", "document", "organization", "preprint", "academic", "government"]
    )
}
_MEASURES = [
    re.compile(words, re.IGNORECASE)
    for words in (
        r"\b(?:lengths?|long)\b|全长|长度|长达|全長|長さ",
        r"\b(?:heights?|tall|high)\b|高度|高达|高さ|全高",
        r"\b(?:widths?|wide|beam|wingspan|span)\b|宽度|宽达|幅|翼展|全幅",
        r"\b(?:depths?|deep|draught|draft)\b|深度|水深|深さ",
        r"\b(?:diameters?|across)\b|直径|直徑",
        r"\b(?:range|distance|route)\b|航程|续航|距离|距離|航続",
        r"\b(?:speeds?|fast)\b|时速|速度|時速|速さ",
    )
]


def find_conflicts(
    claims: Sequence[Claim], texts: Mapping[Name, SourceText], tiers: Mapping[Name, str]
) -> list[Conflict]:
    """The conflicts about what the claims state, in the order of the claims; each set of values once.

    `texts` and `tiers` hold the sources by their number in the report, or by id if the report does not cite
    them.
    """
    found: dict[tuple[tuple[str, str], ...], Conflict] = {}
    readings = {name: read(source.text, source.title, source.published) for name, source in texts.items()}
    for claim in claims:
        if claim.quote is None or claim.quoted_from is None or claim.verdict == "flagged":
            continue
        conflict = _about(claim, readings, tiers)
        if conflict:
            values = sorted((s.title, s.value) for s in conflict.statements)
            found.setdefault(tuple(values), conflict)
    return list(found.values())


def _about(claim: Claim, readings: Mapping[Name, Reading], tiers: Mapping[Name, str]) -> Conflict | None:
    own, text = claim.quoted_from or 0, unicodedata.normalize("NFKC", claim.text)
    values = [value for value in quantities(text) if value.unit or (value.date and any(value.date[1:]))]
    if len(values) != 1:
        return None
    value = values[0]
    rivals = []
    for name, reading in readings.items():
        rival = _rival(text, value, reading) if name != own else ""
        if rival:
            rivals.append(_statement(name, rival, reading, tiers))
    if not rivals:
        return None
    used = _statement(own, text[value.start : value.end].strip(), readings[own], tiers)
    reason = _reason(used, rivals)
    return Conflict(about=claim.text, used=used.value, reason=reason, statements=[used, *rivals])


def _rival(claim: str, value: Quantity, reading: Reading) -> str:
    """Another value for what the claim says, as the source writes it; "" if there is none."""
    plain = f"{claim[: value.start]} {claim[value.end :]}"
    if not (terms := terms_of(plain)):
        return ""
    for place in passages_with(Wanted(terms, reading), ALIKE):
        passage = reading.passages[place]
        others = [other for other in quantities(passage.text) if _same_kind(value, other)]
        if (
            len(others) == 1
            and not stated(value, quantities(passage.text))
            and _same_time(plain, passage)
            and _same_measure(claim, value, passage, others[0])
            and not other_subject(claim, value, passage.text, others[0])
        ):
            return unicodedata.normalize("NFKC", passage.text)[others[0].start : others[0].end].strip()
    return ""


def _same_kind(value: Quantity, other: Quantity) -> bool:
    return bool(value.date) == bool(other.date) and value.unit == other.unit and not other.counted


def _same_time(plain: str, passage: Passage) -> bool:
    """Whether claim and passage speak of one year, as far as both name any."""
    ours = {q.date[0] for q in quantities(plain) if q.date and q.date[0]}
    theirs = {q.date[0] for q in quantities(f"{passage.text} {passage.setting}") if q.date and q.date[0]}
    return not ours or not theirs or bool(ours & theirs)


def _same_measure(claim: str, value: Quantity, passage: Passage, other: Quantity) -> bool:
    """Whether the two values measure the same, as far as both say what they measure."""
    ours = _measure(claim, value)
    theirs = _measure(unicodedata.normalize("NFKC", passage.text), other)
    if theirs is None:
        return ours is None or not (above := measures(passage.setting)) or ours in above
    return ours is None or ours == theirs


def _measure(text: str, value: Quantity) -> int | None:
    """The measure whose word stands nearest to a value: "a tall tower on a spit 3 km long" is a length."""
    found = (
        (max(word.start() - value.end, value.start - word.end()), place)
        for place, words in enumerate(_MEASURES)
        for word in words.finditer(text)
    )
    return min(found, default=(0, None))[1]


def measures(text: str) -> set[int]:
    return {place for place, words in enumerate(_MEASURES) if words.search(text)}


def _statement(name: Name, value: str, reading: Reading, tiers: Mapping[Name, str]) -> Statement:
    return Statement(
        number=name if isinstance(name, int) else None,
        title=reading.title,
        published=reading.published or None,
        tier=tiers.get(name, "unverified"),
        value=value,
    )


def _reason(used: Statement, rivals: Sequence[Statement]) -> ConflictReason:
    """What tells about the value used; authority counts before age, and what speaks against it is said."""
    rank, ranks = RANK.get(used.tier, 1), [RANK.get(rival.tier, 1) for rival in rivals]
    if any(other > rank for other in ranks):
        return "weaker"
    if all(other < rank for other in ranks):
        return "tier"
    peers = [rival.published or "" for rival, other in zip(rivals, ranks, strict=True) if other == rank]
    if not used.published or not all(peers):
        return "none"
    if any(peer > used.published for peer in peers):
        return "stale"
    return "newer" if all(peer < used.published for peer in peers) else "none"
