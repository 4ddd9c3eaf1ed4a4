"""A question as the title of what answers it: as it was asked, less what is only polite, and in short."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from .wording import FILLERS, names_in, nfkc

_THANKS = re.compile(
    r"^(?:(?:hi|hello|hey)(?: (?:there|all|again|everyone|everybody|folks|guys|team|friends?))?[.,!] ?)+"
    r"|^(?:please|pls|plz)\b\W*(?=(?-i:[a-z]))"
    r"|(?:^|,|(?<=[.!?;])) ?\b(?:many )?(?:thanks|thank you|thx|cheers|please|pls|plz)\b[^.!?]{0,30}[.!]*$"
    r"| (?:please|pls|plz|thx)[.!]*$"
    r"|(?:谢谢|多谢|ありがとう(?:ございます)?|よろしく(?:お願いします)?)[!！。]*$",
    re.IGNORECASE,
)
_POLITE = 2
"""How many sentences of thanks are left out at an end."""
_LONG, _SHORT = 90, 24
"""Characters of a question that is too long for a title, and of a part of it that is too short for one."""
_SENTENCE = re.compile(r"(?<=[a-z)’'\"]{2}[.?!]) +|(?<=[。？！])")
_ASKS = re.compile(
    r"(?:what|which|who|whose|when|where|why|how|should|can|could|is|are|does|do)\b|.*[?？]$", re.I
)
_CLAUSE = re.compile(r"[:;] | [-–—] |, (?=[a-z])|(?<=\w)(?= (?:so|because|since|but)\b)|[，；：]")
"""Where a clause of a question ends."""
_ROW = re.compile(r", (?:[\w’'-]+ ){1,4}(?:and|or) |, (?:[\w’'-]+ ?){1,4},")
"""What goes on with a list."""
_QUESTION = re.compile(
    r"\b(?:what|which|who|whose|whom|when|where|why|how)\b|[什谁哪怎何誰]|どの|どう|なぜ|いつ", re.I
)
"""Without what follows a question would not be asked."""
_ALIKE = 0.8
"""How alike a word of a name and one with a slip in it are."""
_INSIDE = re.compile(r"(?<=[a-z,] )[A-Z][\w-]{2,}")
"""A word with a capital inside a sentence."""
_VERBS = frozenset("will may can might must shall would could should".split())
"""Words of a question that are no names, whoever is called so."""


def without_thanks(question: str) -> str:
    """A question in one line, without greetings and thanks around it; as it stands if it is nothing else."""
    asked = " ".join(question.split())
    for _ in range(_POLITE):
        asked = _THANKS.sub("", asked).strip() or asked
    return asked


def in_short(question: str) -> str:
    """A question without thanks; of a long one the sentence that asks, behind the first name if it has none,
    without its last clauses, if these ask nothing."""
    asked = re.sub(r"(?<=[a-z] )i(?= [a-z])", "I", without_thanks(question))
    if len(asked) <= _LONG:
        return asked
    whole, said = asked, _SENTENCE.split(asked)
    asked = next(filter(_ASKS.match, said), asked)
    if names_in(whole) and not names_in(asked):
        run = names_in(nfkc(whole))[0]
        asked = f"{nfkc(whole)[run[0].start : run[-1].start + len(run[-1].word)]}: {asked}"
    ends = [c.start() for c in _CLAUSE.finditer(asked) if _SHORT <= c.start() <= _LONG]
    fits = [end for end in ends if not _ROW.match(asked[end:]) and not _QUESTION.search(asked[end:])]
    return asked[: fits[0]].strip() if fits and len(asked) > _LONG else asked


def _mended(title: str, runs: list[str]) -> str:
    """A title with the slips in its names mended: words beside one of a name, nearly as in that name."""
    for run in {tuple(run.split()) for run in runs}:
        written = [*re.finditer(r"[\w’'-]+", title)]
        for at in range(len(written) - len(run) + 1):
            said = written[at : at + len(run)]
            alike = [
                SequenceMatcher(None, a[0].lower(), b.lower()).ratio() for a, b in zip(said, run, strict=True)
            ]
            if max(alike) == 1 > min(alike) >= _ALIKE:
                return _mended(title[: said[0].start()] + " ".join(run) + title[said[-1].end() :], runs)
    return title


def as_title(question: str, told: str = "") -> str:
    """The title of what answers a question: in short, and with its names as the answer writes them."""
    title, plain = in_short(question), nfkc(told)
    runs = [plain[run[0].start : run[-1].start + len(run[-1].word)] for run in names_in(told) if len(run) > 1]
    title = _mended(title, runs)
    small = {*re.findall(r"\b[a-z][\w-]*", plain)} | FILLERS | _VERBS
    alone = [word for word in _INSIDE.findall(plain) if word.lower() not in small]
    asked = [name for name in {*runs, *alone} if name.lower() in title.lower()]
    for name in sorted(asked, key=lambda name: (-len(name), name)):
        title = re.sub(rf"\b{re.escape(name)}\b", name, title, flags=re.IGNORECASE)
    first = title.split(" ", 1)[0]
    return title if first != first.lower() else title[:1].upper() + title[1:]  # "iPhone"
