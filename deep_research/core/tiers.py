"""Who stands behind a source: a tier and the reason for it, from the address alone.

A deterministic first sorting, not a verdict on what a page says. The rules are data (`tiers.toml`), and
only the host counts: what a path, query, fragment or longer host name pretends (`evil.com?x=.gov`,
`login.gov.phish.com`) changes nothing. Hosts under the reserved ending `.example` stand in for real ones, so
`stats.gov.example` is judged like `stats.gov`.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from deep_research.text.urls import canonical_url, host_in

Tier = Literal["government", "academic", "preprint", "organization", "document", "social", "unverified"]
TIERS: tuple[Tier, ...] = get_args(Tier)
PRIMARY = "primary"
"""What a source counts as besides: primary for what was asked (`sources/primary`)."""
TIER_RULES = Path(__file__).with_name("tiers.toml")

_HOST_FIRST = re.compile(r"(?:[^\W_](?:[\w-]*[^\W_])?\.)+[^\W\d_]{2,}(?=[/?#:]|$)")

# Two-letter endings where anybody may register `gov` or `edu`, so they mean nothing there.
_OPEN_ENDINGS = frozenset({"eu", "io", "cc", "su"})


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules file, turned round: from what is looked up to its tier."""

    suffixes: dict[str, Tier]
    under_country: dict[str, Tier]
    departments: dict[str, Tier]
    doi_prefixes: dict[str, Tier]


@cache
def load_rules(path: Path = TIER_RULES) -> Rules:
    """Read a rules file; raises ValueError for an unknown tier or an entry that stands in two tiers."""
    tables: dict[str, dict[str, Tier]] = {name: {} for name in Rules.__slots__}
    for tier, lists in tomllib.loads(path.read_text(encoding="utf-8")).items():
        if tier not in TIERS:
            raise ValueError(f"{path.name} names an unknown tier {tier!r}; there are {', '.join(TIERS)}.")
        for name, entries in lists.items():
            for entry in entries:
                if tables[name].setdefault(entry, tier) != tier:
                    raise ValueError(f"{path.name} has {entry!r} in two tiers.")
    return Rules(**tables)


def classify(url_or_key: str, kind: str = "web", rules: Rules | None = None) -> tuple[Tier, str]:
    """Tier and reason of a source known by its address or citation key; `kind` as in `Source`."""
    rules = rules or load_rules()
    if kind == "calculation":
        return "document", "calculated in this run"
    address = canonical_url(url_or_key)
    if not address.startswith("https://") and kind in ("web", "paper") and _HOST_FIRST.match(address):
        address = canonical_url(f"https://{address}")
    if address.startswith("https://") and (host := host_in(address)):
        return _by_doi(address, rules) or _by_suffix(host, rules) or _unknown(host)
    if kind in ("document", "row"):
        return "document", "from the documents that you gave"
    return "unverified", "has no web address to judge by"


def _by_doi(address: str, rules: Rules) -> tuple[Tier, str] | None:
    match = re.match(r"https://doi\.org/(10\.\d+)/", address)
    if match and match[1] in rules.doi_prefixes:
        return rules.doi_prefixes[match[1]], f"DOI prefix {match[1]} belongs to a preprint server"
    return None


def _by_suffix(host: str, rules: Rules) -> tuple[Tier, str] | None:
    """The longest known ending, label by label; a reserved host is judged again without its `.example`."""
    labels = host.split(".")
    for i in range(len(labels)):
        suffix = ".".join(labels[i:])
        tier = rules.suffixes.get(suffix)
        if tier is None and _is_country(labels[i + 1 :]):
            tier = rules.under_country.get(labels[i])
        department = rules.departments.get(labels[0]) if tier == "academic" and i else None
        if department:
            return department, f"{labels[0]} of an academic host"
        if tier is not None:
            return tier, f"{suffix} is a known host" if i == 0 else f"host ends in .{suffix}"
    return _by_suffix(host.removesuffix(".example"), rules) if host.endswith(".example") else None


def _is_country(labels: list[str]) -> bool:
    return len(labels) == 1 and len(labels[0]) == 2 and labels[0] not in _OPEN_ENDINGS


def _unknown(host: str) -> tuple[Tier, str]:
    return "unverified", f"nothing is known about {host}"
