"""The shape of a question: one fact, a comparison, a sameness, or a ranking, and by which order."""

from __future__ import annotations

import re

from . import lexicon

_TIMED = re.compile(
    r"\b(?:born|die|died|death|released?|came|come|out|established|founded|opened|published|built"
    r"|launched|started|"
    r"entered|began|joined|flew|fly|flown|appeared|introduced|completed|created|made)\b"
)
_COUNTS = {w: n for n, w in enumerate("two three four five six seven eight nine ten".split(), 2)}
_COUNT = re.compile(
    rf"\b(?:top|which|what|the|name|list|first|biggest|largest)\s+(?:the\s+)?"
    rf"(\d{{1,2}}|{'|'.join(_COUNTS)})\b"
)
_ASKS_ONE = re.compile(r"\b(?:which|what|who|top|rank|list|name|where)\b")
_PARTICULAR = re.compile(
    r"\b(?:does|do|did) the (?:most \w+|\w+est|first|last)\b"
    r"|\bthe (?:first|last|most famous|best-known) \w+ of\b"
    r"|\b(?:of|by) the \w+ (?:who|that|which)\b|\b\w+est \w+ (?:that|which) (?:the )?§"
    r"|\b(?:\w+est|most|least)\b[^?]*?\w+ (?:that |which )?(?:the )?(?:\w+ )?§ "
    r"(?:has|have|had|ever|can|could|did)\b",
    re.IGNORECASE,
)
"""A superlative that picks out one thing on the way ("the first job of the person who") and ranks nothing."""
_BEFORE_THE_OTHER = re.compile(r"§[^§,?]*\b(before|after|earlier|later)\b(?: than)? (?:the )?(?:\w+ )?§")
"""One thing asked to be before or after another of its kind."""
_PREFERRED = re.compile(
    r"\b(?:like|likes|love|loves|prefer|known|does|do)\b[^?]*\b(?:best|most)\W*$", re.IGNORECASE
)
"""What somebody likes best is one thing."""
_ER_THAN = re.compile(
    r"\b(?!other|rather|whether|after|never|ever\b)\w{2,}er\b[^?]*\bthan\b|\bwhich (?:one )?is \w{2,}er\b"
)
_TOP_VALUE = re.compile(r"\b(?:top|maximum|best|most) (?:speed|height|power|output|range)\b")


_SUPERLATIVE = re.compile(
    r"\b(?!(?:west|east|rest|test|best|guest|forest|interest|honest|request|harvest|contest|protest|priest|chest"
    r"|quest|invest|modest|suggest|nearest|oldest|newest|youngest|latest|earliest)\b)[a-z]{3,}est\b|\bbest-[a-z]+"
)
"""A superlative of any adjective, which asks for the most of something."""


def shape_of(masked: str, low: set[str], several: bool) -> tuple[str, str]:
    """`(shape, order)`: fact, compare, same or rank; later, earlier, more, less, longer-lived, same or ""."""
    masked = masked.replace("'s", "").replace("’s", "")
    turn = _BEFORE_THE_OTHER.search(masked.lower()) if several else None
    if turn and " or " not in turn.group(0):
        return "compare", "earlier" if turn.group(1) in {"before", "earlier"} else "later"
    if not several and (_PARTICULAR.search(masked) or _PREFERRED.search(masked)):
        return "fact", ""
    order = order_of(masked, low)
    if several and (low & lexicon.SAME and re.search(r"§.*\b(?:and|as)\b.*§|§, ?§", masked)):
        return "same", "same"
    if several and _set_side_by_side(masked, low, order):
        return "compare", order
    if (
        order
        and _ASKS_ONE.search(masked.lower())
        and (not several or low & {"among", "of"})
        and _no_single(masked)
    ):
        return "rank", order
    return "fact", ""


def _no_single(masked: str) -> bool:
    """A ranking runs over a class in the plural or in a region, not over the named thing itself."""
    return not re.search(r"\b(?:of|for|does|do|did|is|was|has|had) (?:the )?(?:\w+ )?§\W*$", masked) or bool(
        re.search(r"\b(?:of|in) the (?:\w+ )?§", masked) and re.search(r"\b(?:most|\w{2,}est)\b", masked)
    )


def _set_side_by_side(masked: str, low: set[str], order: str) -> bool:
    linked = re.search(r"§\W*(?:,|or|and|than|versus|vs|with|to|as)\b.*§|§,.*§", masked)
    if re.search(r"§.*\b(?:or|than|versus|vs)\b.*§", masked) or low & {"compare", "difference", "compared"}:
        return True
    if linked and (order or re.search(r"\bboth\b|\beach\b|respective", masked.lower())):
        return not re.search(r"§ to §", masked)
    return bool(re.search(r"§,? (?:and|or) (?:the )?(?:\w+ )?§", masked))


def order_of(masked: str, low: set[str]) -> str:
    """What decides between several: "" if nothing does."""
    if re.search(r"\blived? longer\b", masked):
        return "longer-lived"
    if re.search(r"\b(?:before or after|after or before)\b", masked):
        return "earlier"
    timed = bool(_TIMED.search(masked))
    comparing = _ER_THAN.search(masked.lower())
    if comparing and not low & (lexicon.LATER | lexicon.EARLIER | lexicon.LESS):
        return "more"
    if low & lexicon.LATER and (
        timed or low & {"younger", "youngest", "newer", "newest", "recently", "latest"}
    ):
        return "later"
    if low & lexicon.EARLIER and (timed or low & {"older", "oldest"}):
        return "earlier"
    if low & lexicon.LESS:
        return "less"
    if _SUPERLATIVE.search(masked) and not low & lexicon.MORE:
        return "more"
    if low & lexicon.MORE and not (low & {"top", "maximum", "best"} and _TOP_VALUE.search(masked)):
        return "more"
    return ""


def count_of(masked: str) -> int:
    """How many items a ranking asks for."""
    match = _COUNT.search(masked.lower())
    if not match:
        return 1
    return int(match.group(1)) if match.group(1).isdigit() else _COUNTS[match.group(1)]
