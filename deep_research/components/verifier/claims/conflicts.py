"""Where sources differ: another source states the same thing with another number or date.

For each claim that a source bears out, the other sources are searched for another value of the same kind: of
the same thing (`subjects`), measure and year (`stated_values`), and in mostly the same words. What a report
itself sets against each other need not be in the same words, but is held to the rest. Which value the report
uses is known; what speaks for it, or against it, is said by its source: its tier, or its date. To miss a
conflict costs the reader less than to invent one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from deep_research.core.forms import names_disagreement
from deep_research.core.records import Claim, Conflict, ConflictReason, Statement
from deep_research.text.cited_sentences import CitedSentence, headings_above
from deep_research.text.quantities import Quantity, is_stated, quantities
from deep_research.text.terms import cjk_count
from deep_research.text.wording import nfkc, stem

from .bindings import has_other_subject
from .evidence import SourceReading, WantedTerms, passages_with, terms_of
from .found import SourceText, without_attribution
from .stated_values import (
    StatedValue,
    are_comparable,
    may_be_same,
    say_the_same,
    tell_the_same,
    values_of_kind,
)
from .subjects import same_subject

SourceName = int | str
"""A source by its number in the report, or by its id if the report does not cite it."""
_LEAST_SHARE = 0.8
"""The share of a claim's words, by weight and without its numbers, that a rival passage must hold."""
_TIERS = "social unverified document organization preprint academic government".split()
_RANK = {tier: rank for rank, tier in enumerate(_TIERS)}


def find_conflicts(
    claims: Sequence[Claim], texts: Mapping[SourceName, SourceText], tiers: Mapping[SourceName, str]
) -> list[Conflict]:
    """The conflicts about what the claims state, in the order of the claims; each set of values once.

    `texts` and `tiers` hold the sources by their number in the report, or by id if the report does not cite
    them.
    """
    sure = [c for c in claims if c.quote is not None and c.quoted_from is not None and c.verdict != "flagged"]
    return without_repeats(filter(None, (_conflict_about(claim, texts, tiers) for claim in sure)))


def stated_conflicts(
    checked: Sequence[tuple[CitedSentence, Claim]],
    markdown: str,
    texts: Mapping[SourceName, SourceText],
    tiers: Mapping[SourceName, str],
) -> list[Conflict]:
    """The conflicts that a report names itself: in one sentence, or in the lines of a section about them."""
    single = [[claim] for _, claim in checked if names_disagreement(claim.text)]
    under = [
        (said, claim)
        for said, claim in checked
        if any(map(names_disagreement, headings_above(markdown, said.start)))
    ]
    pairs = [[one, other] for (_, one), (_, other) in combinations(under, 2)]
    return [*filter(None, (_stated(told, texts, tiers) for told in [*single, *pairs]))]


def without_repeats(conflicts: Iterable[Conflict]) -> list[Conflict]:
    """These conflicts, each set of values once."""
    result: dict[frozenset[str], Conflict] = {}
    for conflict in conflicts:
        values = frozenset(one.value.casefold() for one in conflict.statements)
        if not any(values <= known for known in result):
            result[values] = conflict
    return list(result.values())


def _plain(claim: Claim, texts: Mapping[SourceName, SourceText]) -> str:
    """The sentence of a claim without who says it and when."""
    return without_attribution(claim.text, [texts[name] for name in claim.sources if name in texts])


def _stated(
    told: Sequence[Claim], texts: Mapping[SourceName, SourceText], tiers: Mapping[SourceName, str]
) -> Conflict | None:
    """The values of one kind that claims set against each other, each with a cited source that states it.

    It is about what the first claim says that states one of them.
    """
    kinds: dict[str, dict[SourceName, tuple[str, StatedValue]]] = {}
    first: dict[str, Claim] = {}
    for claim in told:
        text = nfkc(_plain(claim, texts))
        for value in quantities(text):
            kind, shown = _kind_shown(text, value)
            found = kinds.setdefault(kind, {})
            if not kind or shown in [known for known, _ in found.values()]:
                continue
            for name in claim.sources:
                if name in texts and name not in found:
                    said = [one for _, one in found.values()]
                    if place := _place_of(value, kind, texts[name].read(), said):
                        found[name] = shown, place
                        first.setdefault(kind, claim)
                        break
    kind = max(kinds, key=lambda kind: len(kinds[kind]), default="")
    if len(kinds.get(kind, ())) < 2:
        return None
    most, about = kinds[kind].items(), _plain(first[kind], texts)
    statements = [_statement(name, shown, said.reading, tiers) for name, (shown, said) in most]
    reason = _reason_for_value(statements[0], statements[1:])
    return Conflict(about=about, used=statements[0].value, reason=reason, statements=statements)


def _place_of(
    value: Quantity, kind: str, reading: SourceReading, others: Sequence[StatedValue]
) -> StatedValue | None:
    """Where a source states a value of this kind, and of nothing else than the other values are."""
    for passage in reading.passages:
        for said in values_of_kind(value, passage, reading):
            if is_stated(value, [said.value]) and all(_are_set_apart(said, other) for other in others):
                return said
    return None


def _kind_shown(text: str, value: Quantity) -> tuple[str, str]:
    """What a value is of, and the value as a reader sees it; of a bare number the word behind it."""
    shown = text[value.start : value.end].strip()
    if value.date or value.unit:
        return ("" if value.date else value.unit), shown
    noun = re.match(r"\s?([^\W\d_]+)", text[value.end :])
    return (stem(noun[1]), f"{shown} {noun[1]}") if noun else ("", shown)


def _conflict_about(
    claim: Claim, texts: Mapping[SourceName, SourceText], tiers: Mapping[SourceName, str]
) -> Conflict | None:
    own = claim.quoted_from or 0
    text = nfkc(_plain(claim, texts))
    values = [value for value in quantities(text) if value.unit or (value.date and any(value.date[1:]))]
    if len(values) != 1 or not is_stated(values[0], quantities(claim.quote or "")):
        return None
    said = StatedValue(values[0], text, texts[own].read(), claim.start or 0)
    readings = {name: source.read() for name, source in texts.items() if name != own}
    found = {name: rival for name, reading in readings.items() if (rival := _rival_of(said, reading))}
    if not found:
        return None
    used = _statement(own, said.shown, said.reading, tiers)
    rivals = [_statement(name, rival.shown, rival.reading, tiers) for name, rival in found.items()]
    reason = _reason_for_value(used, rivals)
    return Conflict(about=text, used=used.value, reason=reason, statements=[used, *rivals])


def _rival_of(said: StatedValue, reading: SourceReading) -> StatedValue | None:
    """Another value for what a claim says, if this source states one."""
    if not (terms := terms_of(said.rest)):
        return None
    close = passages_with(WantedTerms(terms, reading), _LEAST_SHARE)
    for place, passage in enumerate(reading.passages):
        rivals = values_of_kind(said.value, passage, reading)
        if len(rivals) != 1 or any(may_be_same(said.value, other) for other in quantities(passage.text)):
            continue
        [rival] = rivals
        if (place in close or say_the_same(said, rival)) and _differ(said, rival):
            return rival
    return None


def _differ(one: StatedValue, other: StatedValue) -> bool:
    """Whether two values are of the same thing. Where names are not marked, the words have to tell."""
    about_same = same_subject(one.subject, other.subject)
    known = about_same or (about_same is None and cjk_count(one.text) > 0)
    is_other = has_other_subject(one.text, one.value, other.text, other.value)
    return bool(known) and not is_other and are_comparable(one, other)


def _are_set_apart(one: StatedValue, other: StatedValue) -> bool:
    """Whether two values that a report sets against each other are of the same, as far as can be told."""
    if same_subject(one.subject, other.subject) is False or may_be_same(one.value, other.value):
        return False
    return are_comparable(one, other) and tell_the_same(one, other)


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
