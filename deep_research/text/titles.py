"""A question as the title of what answers it: as it was asked, less what is only polite."""

from __future__ import annotations

import re

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


def as_title(question: str, told: str = "") -> str:
    """The title of what answers a question: without thanks, and with its names as the answer writes them."""
    title, plain = without_thanks(question), nfkc(told)
    runs = [plain[run[0].start : run[-1].start + len(run[-1].word)] for run in names_in(told) if len(run) > 1]
    small = {*re.findall(r"\b[a-z][\w-]*", plain)} | FILLERS | _VERBS
    alone = [word for word in _INSIDE.findall(plain) if word.lower() not in small]
    asked = [name for name in {*runs, *alone} if name.lower() in title.lower()]
    for name in sorted(asked, key=lambda name: (-len(name), name)):
        title = re.sub(rf"\b{re.escape(name)}\b", name, title, flags=re.IGNORECASE)
    first = title.split(" ", 1)[0]
    return title if first != first.lower() else title[:1].upper() + title[1:]  # "iPhone"
