"""Plain text as Markdown, as far as a reader needs it: manuals and the like are laid out by blanks.

A short line with lines set in below it is their heading, and what a hyphen of its own kind divides at the end
of a line is one word. Everything else stays as it is.
"""

from __future__ import annotations

import re
from itertools import pairwise

_DIVIDED = re.compile(r"(?<=\w)[\u2010\u00ad]\n[ \t]*(?=\w)")
_NO_HEADING = re.compile(r"[-*+•>|#] |\(?\w{1,2}[.)] |.*(?:\S {2,}\S|[.,:;{(\[=\\]$)|.{61}")
_LONG = 4
"""Words of a line that the next one, in small letters, may go on with."""


def plain_text_to_markdown(text: str) -> str:
    """The text with its headings marked."""
    lines = _DIVIDED.sub("", text).split("\n")
    opens, found = True, list[str]()
    for line, after in pairwise([*lines, ""]):
        said, below = line.strip(), after.strip()
        goes_on = below[:1].islower() and len(said.split()) > _LONG
        set_in = len(after) - len(after.lstrip()) > len(line) - len(line.lstrip())
        heads = bool(opens and said and below and set_in and not goes_on and not _NO_HEADING.match(said))
        found.append(f"### {said}" if heads else line)
        opens = heads or not said
    return "\n".join(found)
