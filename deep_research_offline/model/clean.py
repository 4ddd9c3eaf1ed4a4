"""What on a page is not content: navigation, notices, and text that tries to give orders to its reader."""

from __future__ import annotations

import re
from functools import lru_cache

from .lexicon import patterns
from .text import split_prose

_RE = patterns("notices")
_LINK_OR_BYLINE = re.compile(
    r"^\W*\[[^\]]*\]\((?:[^()]|\([^()]*\))*\)\W*$|^\W*By\s+[A-Z][\w.'’-]*(?:\s+[A-Z][\w.'’-]*)*\W*$"
    r"|^\*[^*]{1,60}\*\W*$"
)


def orders(text: str) -> list[str]:
    """The sentences of a text that give orders to the reader."""
    return [s.strip() for line in text.splitlines() for s in split_prose(line) if _is_order(s)]


def _is_order(sentence: str) -> bool:
    return any(order.search(sentence) for order in patterns("orders").values())


@lru_cache(maxsize=65536)
def is_noise(sentence: str) -> bool:
    """Whether a sentence is an order to the reader or a notice in which a site speaks of itself (cookies,
    newsletters, its other pages); such text is never evidence."""
    perhaps = {match.lower() for match in _RE["perhaps"].findall(sentence)}
    short = len(sentence.split()) <= 4 and len(sentence.encode()) <= 30
    alone = len(perhaps) > 1 or "|" in sentence or short or bool(_RE["we"].search(sentence))
    notice = len(sentence) < 220 and (_RE["notice"].search(sentence) or (perhaps and alone))
    empty = not re.search(r"\w{2}|[^\x00-\x7f]", sentence)
    return bool(notice or empty or _is_order(sentence) or _LINK_OR_BYLINE.match(sentence))
