"""Where sources differ: another source states the same thing with another number or date.

For each claim that a source bears out, the other sources are searched for a passage about the same thing
whose value in the same unit is another one. Which value the report uses is known; what speaks for it, or
against it, is said by its source: its tier, or its date. Values for different years do not differ, they are a
series; neither do values of different measures, such as a length and a height.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations

from deep_research.components.verifier.claims import SourceText, without_attribution
from deep_research.core.forms import names_disagreement
from deep_research.core.records import Claim, Conflict, ConflictReason, Statement
from deep_research.text.cited_sentences import CitedSentence, headings_above
from deep_research.text.quantities import Quantity, is_stated, quantities

from .bindings import has_other_subject
from .evidence import SourcePassage, SourceReading, WantedTerms, passages_with, read_source, terms_of
from .wording import names_in, nfkc, stem

SourceName = int | str
"""A source by its number in the report, or by its id if the report does not cite it."""
_LEAST_SHARE = 0.8
"""The share of a claim's words, by weight and without its numbers, that a rival passage must hold."""
_NEAR = 200
"""So many characters before a passage say what it is about."""
_TIERS = "social unverified document organization preprint academic government".split()
_RANK = {tier: rank for rank, tier in enumerate(_TIERS)}
_MEASURES = [
    re.compile(words, re.IGNORECASE)
    for words in (
        r"\b(?:lengths?|long)\b|全长|长度|长达|全長|長さ",
        r"\b(?:heights?|tall|high)\b|高度|高达|高さ|全高",
        r"\b(?:widths?|wide)\b|宽度|宽达|幅|全幅",
        r"\b(?:depths?|deep)\b|深度|水深|深さ",
        r"\b(?:diameters?|across)\b|直径|直徑",
        r"\b(?:range|distance|route)\b|距离|距離",
        r"\b(?:speeds?|fast)\b|时速|速度|時速|速さ",
    )
]


def find_conflicts(
    claims: Sequence[Claim], texts: Mapping[SourceName, SourceText], tiers: Mapping[SourceName, str]
) -> list[Conflict]:
    """The conflicts about what the claims state, in the order of the claims; each set of values once.

    `texts` and `tiers` hold the sources by their number in the report, or by id if the report does not cite
    them.
    """
    found: dict[tuple[tuple[str, str], ...], Conflict] = {}
    readings = {
        name: read_source(source.text, source.title, source.published) for name, source in texts.items()
    }
    for claim in claims:
        if claim.quote is None or claim.quoted_from is None or claim.verdict == "flagged":
            continue
        conflict = _conflict_about(claim, readings, tiers)
        if conflict:
            values = sorted((s.title, s.value) for s in conflict.statements)
            found.setdefault(tuple(values), conflict)
    return list(found.values())


def stated_conflicts(
    checked: Sequence[tuple[CitedSentence, Claim]],
    markdown: str,
    texts: Mapping[SourceName, SourceText],
    tiers: Mapping[SourceName, str],
) -> list[Conflict]:
    """The conflicts that a report names itself: in one sentence, or in the lines of a section about them."""
    single = [(claim, [claim]) for _, claim in checked if names_disagreement(claim.text)]
    under = [
        (said, claim)
        for said, claim in checked
        if any(map(names_disagreement, headings_above(markdown, said.start)))
    ]
    pairs = [
        (one, [one, other]) for (_, one), (_, other) in combinations(under, 2) if _same_subject(one, other)
    ]
    found = [_stated(about, told, texts, tiers) for about, told in [*single, *pairs]]
    return [conflict for conflict in found if conflict]


def with_stated(found: Sequence[Conflict], stated: Sequence[Conflict]) -> list[Conflict]:
    """Conflicts found and conflicts stated, each set of values once."""
    result: dict[frozenset[str], Conflict] = {}
    for conflict in [*found, *stated]:
        values = frozenset(one.value.casefold() for one in conflict.statements)
        if not any(values <= known for known in result):
            result[values] = conflict
    return list(result.values())


def _same_subject(one: Claim, other: Claim) -> bool:
    ours, theirs = set(terms_of(one.text)), set(terms_of(other.text))
    return 2 * len(ours & theirs) >= min(len(ours), len(theirs))


def _stated(
    about: Claim,
    told: Sequence[Claim],
    texts: Mapping[SourceName, SourceText],
    tiers: Mapping[SourceName, str],
) -> Conflict | None:
    """The values of one kind that claims set against each other, each with a cited source that states it."""
    statements: dict[str, Statement] = {}
    kinds: dict[str, list[Statement]] = {}
    for claim in told:
        text = nfkc(without_attribution(claim.text, [texts[n] for n in claim.sources if n in texts]))
        for value in quantities(text):
            kind, shown = _kind_shown(text, value)
            if not kind:
                continue
            named = (n for n in claim.sources if n in texts and is_stated(value, quantities(texts[n].text)))
            taken = {one.number for one in kinds.get(kind, [])}
            source = next((n for n in named if n not in taken), None)
            if source is not None and shown not in statements:
                own = read_source("", texts[source].title, texts[source].published)
                statements[shown] = _statement(source, shown, own, tiers)
                kinds.setdefault(kind, []).append(statements[shown])
    most = max(kinds.values(), key=len, default=[])
    if len(most) < 2:
        return None
    reason = _reason_for_value(most[0], most[1:])
    plain = without_attribution(about.text, [texts[n] for n in about.sources if n in texts])
    return Conflict(about=plain, used=most[0].value, reason=reason, statements=most)


def _kind_shown(text: str, value: Quantity) -> tuple[str, str]:
    """What a value is of, and the value as a reader sees it; of a bare number the word behind it."""
    shown = text[value.start : value.end].strip()
    if value.date or value.unit:
        return ("" if value.date else value.unit), shown
    noun = re.match(r"\s?([^\W\d_]+)", text[value.end :])
    return (stem(noun[1]), f"{shown} {noun[1]}") if noun else ("", shown)


def _conflict_about(
    claim: Claim, readings: Mapping[SourceName, SourceReading], tiers: Mapping[SourceName, str]
) -> Conflict | None:
    own, text = claim.quoted_from or 0, nfkc(claim.text)
    values = [value for value in quantities(text) if value.unit or (value.date and any(value.date[1:]))]
    if len(values) != 1:
        return None
    value = values[0]
    rivals = []
    for name, reading in readings.items():
        rival = _rival_value(text, value, readings[own], reading) if name != own else ""
        if rival:
            rivals.append(_statement(name, rival, reading, tiers))
    if not rivals:
        return None
    used = _statement(own, text[value.start : value.end].strip(), readings[own], tiers)
    reason = _reason_for_value(used, rivals)
    return Conflict(about=claim.text, used=used.value, reason=reason, statements=[used, *rivals])


def _is_about_same(claim: str, own: SourceReading, other: SourceReading, place: int) -> bool:
    """Whether a sentence that names nothing ("It is 184 m long") can be about what a passage is about: a name
    from the title of the sentence's own source, if that has one, stands in the other's title or shortly
    before the passage."""
    named = [[token.word for token in run] for run in names_in(own.title, initial=True)]
    if names_in(claim) or not named:
        return True
    passage = other.passages[place]
    known = f"{other.title}\n{other.text[max(passage.start - _NEAR, 0) : passage.end]}"
    return any(all(word in known for word in name) for name in named)


def _rival_value(claim: str, value: Quantity, own: SourceReading, reading: SourceReading) -> str:
    """Another value for what the claim says, as the source writes it; "" if there is none."""
    plain = f"{claim[: value.start]} {claim[value.end :]}"
    if not (terms := terms_of(plain)):
        return ""
    for place in passages_with(WantedTerms(terms, reading), _LEAST_SHARE):
        passage = reading.passages[place]
        others = [other for other in quantities(passage.text) if _same_kind(value, other)]
        if (
            len(others) == 1
            and not is_stated(value, quantities(passage.text))
            and _same_time(plain, passage)
            and _same_measure(claim, value, passage, others[0])
            and _is_about_same(claim, own, reading, place)
            and not has_other_subject(claim, value, passage.text, others[0])
        ):
            return nfkc(passage.text)[others[0].start : others[0].end].strip()
    return ""


def _same_kind(value: Quantity, other: Quantity) -> bool:
    return bool(value.date) == bool(other.date) and value.unit == other.unit and not other.counted


def _same_time(plain: str, passage: SourcePassage) -> bool:
    """Whether claim and passage speak of one year, as far as both name any."""
    ours = {q.date[0] for q in quantities(plain) if q.date and q.date[0]}
    theirs = {q.date[0] for q in quantities(f"{passage.text} {passage.setting}") if q.date and q.date[0]}
    return not ours or not theirs or bool(ours & theirs)


def _same_measure(claim: str, value: Quantity, passage: SourcePassage, other: Quantity) -> bool:
    """Whether the two values measure the same, as far as both say what they measure."""
    ours = _nearest_measure(claim, value)
    theirs = _nearest_measure(nfkc(passage.text), other)
    if theirs is None:
        return ours is None or not (above := measures_in(passage.setting)) or ours in above
    return ours is None or ours == theirs


def _nearest_measure(text: str, value: Quantity) -> int | None:
    """The measure whose word stands nearest to a value: "a tall tower on a spit 3 km long" is a length."""
    found = (
        (max(word.start() - value.end, value.start - word.end()), place)
        for place, words in enumerate(_MEASURES)
        for word in words.finditer(text)
    )
    return min(found, default=(0, None))[1]


def measures_in(text: str) -> set[int]:
    """The places in `_MEASURES` of the measures that a text names."""
    return {place for place, words in enumerate(_MEASURES) if words.search(text)}


def _statement(
    name: SourceName, value: str, reading: SourceReading, tiers: Mapping[SourceName, str]
) -> Statement:
    return Statement(
        number=name if isinstance(name, int) else None, title=reading.title,
        published=reading.published or None, tier=tiers.get(name, "unverified"), value=value,
    )  # fmt: skip


def _reason_for_value(used: Statement, rivals: Sequence[Statement]) -> ConflictReason:
    """What tells about the value used; authority counts before age, and what speaks against it is said."""
    rank, ranks = _RANK.get(used.tier, 1), [_RANK.get(rival.tier, 1) for rival in rivals]
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
