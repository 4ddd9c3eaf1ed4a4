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
from deep_research.text.wording import nfkc, stem

from .evidence import SourceReading, WantedTerms, passages_with, terms_of
from .found import SourceText, without_attribution
from .stated_values import StatedValue, are_set_apart, differ, may_be_same, say_the_same, values_of_kind

SourceName = int | str
"""A source by its number in the report, or by its id if the report does not cite it."""
Texts = Mapping[SourceName, SourceText]
Tiers = Mapping[SourceName, str]
Told = dict[SourceName, tuple[str, StatedValue]]
"""What sources give for one thing, the value used first: each as it is shown, and where it stands."""
_LEAST_SHARE = 0.8
"""The share of a claim's words, by weight and without its numbers, that a rival passage must hold."""
_TIERS = "social unverified document organization preprint academic government".split()
_RANK = {tier: rank for rank, tier in enumerate(_TIERS)}
_NOUN = re.compile(r"\s?((?:[^\W\d_]+(?<!s) )?[^\W\d_]+s\b|[^\W\d_]+)")
"""A word, or two of which the second alone is a plural: "masts", "mooring masts"."""


def find_conflicts(claims: Sequence[Claim], texts: Texts, tiers: Tiers) -> list[Conflict]:
    """The conflicts about what the claims state, in the order of the claims; each set of values once.

    `texts` and `tiers` hold the sources by their number in the report, or by id if the report does not cite
    them.
    """
    sure = [c for c in claims if c.quote and c.quoted_from is not None and c.verdict != "flagged"]
    return without_repeats(_conflicts([_rivals_of(claim, texts) for claim in sure], tiers))


def stated_conflicts(
    checked: Sequence[tuple[CitedSentence, Claim]], markdown: str, texts: Texts, tiers: Tiers
) -> list[Conflict]:
    """The conflicts that a report names itself: in one sentence, or in the lines of a section about them."""
    told = [[claim] for _, claim in checked if names_disagreement(claim.text)]
    under = [c for said, c in checked if any(map(names_disagreement, headings_above(markdown, said.start)))]
    told += [[*pair] for pair in combinations(under, 2)]
    return _conflicts([_set_against(claims, texts) for claims in told], tiers)


def without_repeats(conflicts: Iterable[Conflict]) -> list[Conflict]:
    """These conflicts, each set of values once."""
    result: dict[frozenset[str], Conflict] = {}
    for conflict in conflicts:
        values = frozenset(one.value.casefold() for one in conflict.statements)
        if not any(values <= known for known in result):
            result[values] = conflict
    return list(result.values())


def _conflicts(found: Iterable[tuple[str, Told]], tiers: Tiers) -> list[Conflict]:
    """What two sources or more give for one thing, with what each of them is."""
    conflicts = []
    for about, told in found:
        if len(told) > 1:
            statements = [
                Statement(
                    number=name if isinstance(name, int) else None, title=said.reading.title, value=value,
                    published=said.reading.published or None, tier=tiers.get(name, "unverified"),
                )
                for name, (value, said) in told.items()
            ]  # fmt: skip
            used, reason = statements[0].value, _reason_for_value(*statements)
            conflicts.append(Conflict(about=about, used=used, reason=reason, statements=statements))
    return conflicts


def _set_against(claims: Sequence[Claim], texts: Texts) -> tuple[str, Told]:
    """The values of one kind that claims set against each other, each with a cited source that states it.

    They are about what the first claim says that states one of them.
    """
    kinds: dict[str, Told] = {}
    about: dict[str, str] = {}
    for claim in claims:
        plain = _plain(claim, texts)
        for value in quantities(plain):
            kind, shown = _kind_shown(nfkc(plain), value)
            told = kinds.setdefault(kind, {})
            if kind and shown not in [known for known, _ in told.values()]:
                rest = (name for name in claim.sources if name in texts and name not in told)
                places = ((name, _place_of(value, texts[name].read(), told)) for name in rest)
                name, place = next((found for found in places if found[1]), (0, None))
                if place:
                    told[name] = shown, place
                    row = place.text.strip(" |").replace(" | ", ": ")
                    about.setdefault(kind, row if names_disagreement(plain) else plain)
    most = max(kinds, key=lambda kind: len(kinds[kind]), default="")
    return about.get(most, ""), kinds.get(most, {})


def _plain(claim: Claim, texts: Texts) -> str:
    """The sentence of a claim without who says it and when."""
    return without_attribution(claim.text, [texts[name] for name in claim.sources if name in texts])


def _place_of(value: Quantity, reading: SourceReading, told: Told) -> StatedValue | None:
    """Where a source states a value, and of nothing else than the other values are."""
    stated = (said for passage in reading.passages for said in values_of_kind(value, passage, reading))
    same = (said for said in stated if is_stated(value, [said.value]))
    return next((s for s in same if all(are_set_apart(s, other) for _, other in told.values())), None)


def _kind_shown(text: str, value: Quantity) -> tuple[str, str]:
    """What a value is of, and the value as a reader sees it; of a bare number the noun behind it."""
    shown = text[value.start : value.end].strip()
    if value.date or value.unit:
        return ("" if value.date else value.unit), shown
    noun = _NOUN.match(text, value.end)
    return (stem(noun[1].split()[-1]), f"{shown} {noun[1]}") if noun else ("", shown)


def _rivals_of(claim: Claim, texts: Texts) -> tuple[str, Told]:
    """What a claim states, if that is one value, and what other sources have for it."""
    own, text = claim.quoted_from or 0, nfkc(_plain(claim, texts))
    values = [value for value in quantities(text) if value.unit or (value.date and any(value.date[1:]))]
    if len(values) != 1 or not is_stated(values[0], quantities(claim.quote or "")):
        return text, {}
    said = StatedValue(values[0], text, texts[own].read(), claim.start or 0)
    others = {name: _rival_of(said, source.read()) for name, source in texts.items() if name != own}
    return text, {name: (one.shown, one) for name, one in {own: said, **others}.items() if one}


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
        if (place in close or say_the_same(said, rival)) and differ(said, rival):
            return rival
    return None


def _reason_for_value(used: Statement, *rivals: Statement) -> ConflictReason:
    """What tells about the value used; authority counts before age, and what speaks against it is said."""
    rank, ranks = _RANK.get(used.tier, 1), [_RANK.get(rival.tier, 1) for rival in rivals]
    if max(ranks) != rank:
        return "weaker" if max(ranks) > rank else "tier"
    peers = [rival.published or "" for rival, other in zip(rivals, ranks, strict=True) if other == rank]
    if not used.published or not all(peers) or max(peers) == used.published:
        return "none"
    return "stale" if max(peers) > used.published else "newer"
