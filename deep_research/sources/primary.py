"""What counts as a primary source: an office, a paper, the user's own, and who tells of what is its own.

A maker's page is primary for its own product, an operator's for its own service, a tester's for its own test:
the name of its host stands in the sentence or the page's title, or its path says that it presents what is its
own. Told by address, title and headings alone; the words are data (`primary.toml`).
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from deep_research.core.records import Source
from deep_research.text.data import read_data
from deep_research.text.urls import is_under_domain

_PRIMARY, _OWN, _PAPER = read_data(__file__, "primary.toml").values()
_SITE_NAME = re.compile(r"\s[|–—·-]\s[^|–—·]*$")
_HEADINGS = [
    re.compile(rf"^[^\w\n]*(?:{'|'.join(names)})[^\w\n]*$", re.M | re.I) for names in _PAPER.values()
]


def is_primary(source: Source, sentence: str = "") -> bool:
    """Whether a source counts as primary for a sentence, or, without one, for what its page is about."""
    named = source.tier in _PRIMARY["tiers"] or source.kind in _PRIMARY["kinds"]
    named = (named and source.tier not in _OWN["never"]) or is_under_domain(source.url, _PRIMARY["hosts"])
    return named or _is_own(source, sentence)


def is_paper(text: str) -> bool:
    """Whether a page is a paper, wherever it stands: it has an abstract and a list of what it refers to."""
    return all(heading.search(text) for heading in _HEADINGS)


def _is_own(source: Source, sentence: str) -> bool:
    """Whether a page tells of what its host makes or runs."""
    try:
        address = urlsplit(source.url or "")
        *sites, owner = _labels(address.hostname or "")
    except ValueError:
        return False
    owner = _letters(owner)
    if source.tier in _OWN["never"] or len(owner) < 3:
        return False
    path, title = address.path.casefold().rstrip("/").split("/"), _SITE_NAME.sub("", source.title)
    presents = path[-1] in _OWN["ends"] or not {*path, *sites}.isdisjoint(_OWN["paths"])
    presents = presents or not set(sites).isdisjoint(_OWN["sites"])
    return presents or owner in _letters(title) or owner in _letters(sentence)


def _labels(host: str) -> list[str]:
    """A host's labels down to the name under which it is registered: "www", "acme" of "www.acme.co.uk"."""
    labels = host.removesuffix(".example").split(".")
    while len(labels) > 1 and (labels[-1] in _OWN["endings"] or len(labels[-1]) == 2):
        labels.pop()
    return labels


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
