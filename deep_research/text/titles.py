"""A question as the title of what answers it: as it was asked, less what is only polite."""

from __future__ import annotations

import re

from .wording import FILLERS, names_in, nfkc

_THANKS = re.compile(
    r"^(?:(?:hi|hello|hey|dear|please)\b[^.,!?]{0,20}[.,!] ?)+"
    r"|^(?:please|pls|plz)\b\W*"
    r"|,? ?\b(?:many )?(?:thanks|thank you|thx|cheers|please|pls|plz)\b[^.!?]{0,30}[.!]*$"
    r"|(?:谢谢|多谢|ありがとう(?:ございます)?|よろしく(?:お願いします)?)[!！。]*$",
    re.IGNORECASE,
)
_POLITE = 2
"""How many sentences of thanks are left out at an end."""
_INSIDE = re.compile(r"(?<=[a-z,] )[A-Z][\w-]{2,}")
"""A word with a capital inside a sentence."""


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
    alone = [word for word in _INSIDE.findall(plain) if word.lower() not in FILLERS]
    alone = [word for word in alone if not re.search(rf"\b{word.lower()}\b", plain)]
    for name in sorted({*runs, *alone}, key=lambda name: (-len(name), name)):
        title = re.sub(rf"\b{re.escape(name)}\b", name, title, flags=re.IGNORECASE)
    return title[:1].upper() + title[1:]
