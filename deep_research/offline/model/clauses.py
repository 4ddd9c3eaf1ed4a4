"""Questions that are told in clauses, brought into an order in which hops can be read off.

"§ has a home. How old is that home?" becomes two clauses about one thing after the other; "I go to §. What is
made there?" is turned round. § stands for whatever a question names.
"""

from __future__ import annotations

import re

_CLAUSE_END = re.compile(
    r"[.:;?!]\s+|,\s*(?:and|but)\s+(?=(?:that|this|its?|there|who|where|when|how"
    r"|(?:(?:in|from|on|by) )?(?:what|which))\b)"
)
_REFERRING = re.compile(
    r"\b(?:(?:that|this) (?:same )?(?!of\b|the\b)[a-z]+|it|its(?= )|there(?! (?:is|are|was|were)\b)"
    r"|he|she|they|him|them|his|her|their)\b"
)
_OWN = re.compile(r"\b(?:its|his|her|their)\b")
_THINK = re.compile(
    r"^\W*(?:think of|consider|remember|recall|take|imagine|picture|look at|there is|there's|somebody"
    r"|someone)\b"
)


def told_in_turn(text: str) -> list[str]:
    """The clauses of a question that tells a chain piece by piece ("§ has a home. How old is that home?"),
    each with § for what the one before it ends in; [] if it is no such question."""
    clauses = [part for part in _CLAUSE_END.split(text) if part.strip()]
    if len(clauses) < 2 or "§" not in clauses[0] or "§" in "".join(clauses[1:]):
        return []
    if re.match(r"\W*(?:i|we)\b", clauses[0]) or not all(map(_REFERRING.search, clauses[1:])):
        return []
    return [_THINK.sub("", clauses[0]), *map(_resolved, clauses[1:])]


def _resolved(clause: str) -> str:
    """A clause with § for the word that takes up what was told before; "that" before a noun comes first."""
    found = list(_REFERRING.finditer(clause))
    best = next((m for m in found if m.group(0).startswith(("that ", "this "))), found[0])
    owned = "'s" if _OWN.fullmatch(best.group(0)) else ""
    return f"{clause[: best.start()]}§{owned}{clause[best.end() :]}"


_VISIT = re.compile(r"^\W*(?:i|we)\b[^.?§]*§[^.?§]*[.!]\s*([^§?]+?)\s*\b(?:there|it|them)\b")
_AGENT_AFTER = re.compile(
    r"\b(of|by|did|does|was|is|for|to|from) (?:the )?§ (?!after|over|under|ever|never|together"
    r"|other|later|either|rather|whether|per\b|for\b)((?=\w{5})\w+(?:er|or|ist|ian|ess))\b(?!-)"
)
"""One who does something, named after the thing: "the owner of the § winner" is the owner of its winner."""
_OF_ITS = re.compile(r"^[^§]*§[^§]*?[,.]\s*([^§]+?)\b(in|of|at|from|for) its (\w+)\b([^§]*)$")


def plain_order(text: str) -> str:
    """What names the thing first and asks afterwards, turned round: "I go to §. What is made there?"."""
    text = _VISIT.sub(r"\1 of §", text)
    text = _AGENT_AFTER.sub(r"\1 the \2 of §", text)
    return _OF_ITS.sub(r"\1 \2 the \3 of §\4", text)
