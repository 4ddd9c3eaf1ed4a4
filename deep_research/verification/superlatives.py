"""Superlatives that a claim adds: "is the largest", "was the first", "more than any other".

Writers put them in to make a fact sound better, and every word around them is found in the source. One is
objected to where no passage about the claim has it, another word for it, or words that say as much ("no
other", "ranks", "record"). Only what a claim says of its subject counts: "the first prayers were said in
1601" may be a page's "prayers began in 1601".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_PREDICATE = (
    r"(?:\b(?:is|are|was|were|be|been|being|as|and|became|becom(?:es|ing)|remain(?:s|ed)?|"
    r"making (?:it|them))|,)"
    r" (?:still |now |by far )?the (?:very |single |\w+['’]s |\w+[- ])?"
)
_SIZE = r"(?:larg|bigg|great)est"
_AGE = r"(?:old|earli)est"
_HEIGHT = r"(?:tall|high)est"
# What a claim says, in English | in Chinese and Japanese; what says the same in a source.
_KINDS = (
    (rf"{_PREDICATE}(?:only|sole)\b|唯一", r"\b(?:only|sole|single|unique|alone|exclusive|just|lone)(?:ly)?\b"
     r"|唯一|[仅僅只独]|だけ|のみ|しか|単独"),
    (rf"{_PREDICATE}first\b(?! (?:half|part|time)\b)|首[个座家次]|史上初|世界初",
     r"\b(?:first|1st|pioneer|inaugura|maiden|debut|original|initial|launch|introduc|new|before|beg[aiu]n|start|"
     rf"found(?:ed|er)|opening|premier)|{_AGE}|首|第[一1]|最[初早]|初|开创"),
    (rf"{_PREDICATE}{_SIZE}\b|最大", rf"\b(?:{_SIZE}|most|main|major)\b|最大|最多|最も大き"),
    (rf"{_PREDICATE}{_AGE}\b|最[古老早]", rf"\b(?:{_AGE}|longest|first)\b|最[古老早初]|最も古"),
    (rf"{_PREDICATE}longest\b|最[长長]", r"\blongest\b|最[长長]|最も長"),
    (rf"{_PREDICATE}{_HEIGHT}\b", rf"\b{_HEIGHT}\b"),
    (rf"{_PREDICATE}fastest\b|最[快速]", r"\bfastest\b|最[快速]|最も速"),
    (rf"{_PREDICATE}(?:new|young)est\b|最新", r"\b(?:newest|youngest|latest|most recent)\b|最新|最も新し"),
    (rf"{_PREDICATE}smallest\b|最小", r"\bsmallest\b|最小|最も小さ"),
    (r"\bthan (?:any|all) other\b|比(?:其他)?任何|他のどの", rf"\b(?:{_SIZE}|highest|most)\b|最[多大高]"),
)  # fmt: skip
_SAYS_AS_MUCH = (
    r"\bthan (?:any|all|every|the others?)\b|\bno other\b|\bno\b[^.\n]*\b(?:\w+er|more)\b|"
    r"\b(?:record|rank|unrival)|\b(?:top|number one|no\. ?1|unsurpassed|leading|max(?:imum)?)\b|"
    r"任何|之最|首位|居首|排名|一番|随一|どの"
)
_PATTERNS = [
    (re.compile(claimed, re.IGNORECASE), re.compile(f"{said}|{_SAYS_AS_MUCH}", re.IGNORECASE))
    for claimed, said in _KINDS
]


def superlative_added(claim: str, passages: Iterable[str]) -> bool:
    """Whether the claim has a superlative that none of the passages has, in these or in other words."""
    plain = unicodedata.normalize("NFKC", claim)
    wanted = [said for claimed, said in _PATTERNS if claimed.search(plain)]
    if not wanted:
        return False
    text = unicodedata.normalize("NFKC", "\n".join(passages))
    return not all(said.search(text) for said in wanted)
