"""Which hits of a search may become sources: banned, allowed and preferred kinds and domains.

A kind is a tier of `credibility` (government, social …) or a kind of document (paper, document …). The rules
are applied to what every provider returns, whatever the provider itself can filter; since some hits then go,
more are asked for. Preferred ones stand first, otherwise the provider's order stays.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from .credibility import classify
from .settings import SearchSettings

if TYPE_CHECKING:
    from .tools.search import SearchHit

MOST_RESULTS = 20
_MORE = 3
"""Times as many hits are asked for where rules may turn some away."""
RULES = {"ban_kinds", "allow_kinds", "prefer_kinds", "prefer_domains", "source_order"}
"""Settings of a search that no provider is told of."""


def widened(chosen: SearchSettings) -> SearchSettings:
    """The settings to search with: as many hits as wanted, or more where rules choose among them."""
    if not (chosen.ban_kinds or chosen.allow_kinds or chosen.prefer_kinds or chosen.prefer_domains):
        return chosen
    return chosen.model_copy(update={"results": min(chosen.results * _MORE, MOST_RESULTS)})


def admitted(hits: Sequence[SearchHit], chosen: SearchSettings, most: int | None = None) -> list[SearchHit]:
    """The hits that the rules leave, preferred ones first; at most `most` of them."""
    kept = [hit for hit in hits if _may_be_used(hit, chosen)]
    ordered = sorted(kept, key=lambda hit: not _is_preferred(hit, chosen))
    return ordered[:most]


def kinds_of(hit: SearchHit) -> set[str]:
    """What a hit counts as: its tier, and its kind of document."""
    return {classify(hit.url or hit.citation_key or "", hit.kind)[0], hit.kind}


def _may_be_used(hit: SearchHit, chosen: SearchSettings) -> bool:
    if under(hit.url, chosen.exclude_domains):
        return False
    if not (chosen.ban_kinds or chosen.allow_kinds):
        return True
    kinds = kinds_of(hit)
    is_allowed = not chosen.allow_kinds or bool(kinds & set(chosen.allow_kinds))
    return is_allowed and not kinds & set(chosen.ban_kinds)


def _is_preferred(hit: SearchHit, chosen: SearchSettings) -> bool:
    if under(hit.url, chosen.prefer_domains):
        return True
    return bool(chosen.prefer_kinds) and bool(kinds_of(hit) & set(chosen.prefer_kinds))


def under(url: str | None, domains: Collection[str]) -> bool:
    """Whether an address belongs to one of the domains or lies under it."""
    try:
        host = (urlsplit(url or "").hostname or "").lower()
    except ValueError:
        return False
    wanted = (domain.lower().removeprefix("*.").rstrip(".") for domain in domains)
    return any(host == domain or host.endswith(f".{domain}") for domain in wanted if domain)
