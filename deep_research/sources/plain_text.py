"""Plain text as Markdown, as far as a reader needs it: manuals and the like are laid out by blanks.

A short line with lines set in below it is their heading, as far as they are set in; a term with its meaning
beside it is an item of a list; and what a hyphen of its own kind divides at the end of a line is one word.
Everything else stays as it is.
"""

from __future__ import annotations

import re

_DIVIDED = re.compile(r"(?<=\w)[\u2010\u00ad]\n[ \t]*(?=\w)")
_NO_HEADING = re.compile(r"[-*+•>|#] |\(?\w{1,2}[.)] |.*(?:\S {2,}\S|[.,:;{(\[=\\]$)|.{61}")
_ITEM = re.compile(r"[ \t]+(?=(?:-{1,2}\w\S*(?:,? \S+){0,2} {2,}|\w\S{0,12} {3,})\S)(?!.*\S {3,}\S.* {3,}\S)")
_OPTION = re.compile(r"--?\w")
_LONG = 4
"""Words of a line that the next one, in small letters, may go on with."""


def plain_text_to_markdown(text: str) -> str:
    """The text with its headings and terms marked."""
    lines = _DIVIDED.sub("", text).split("\n")
    opens, found, above = True, list[str](), list[tuple[int, str]]()
    for place, line in enumerate(lines):
        said, margin = line.strip(), _margin(line)
        after = next(iter(lines[place + 1 : place + 2]), "")
        if _OPTION.match(said) and not after.strip():
            after = next(iter(lines[place + 2 : place + 3]), "")
        below = after.strip()
        goes_on = below[:1].islower() and len(said.split()) > _LONG
        heads = opens and _margin(after) > margin and not goes_on and bool(said and below)
        heads = heads and (not _NO_HEADING.match(said) or bool(_ITEM.match(after)))
        if opens and said and above and margin <= above[-1][0]:
            above = [one for one in above if one[0] < margin]
            if above and not heads:  # what is set in less stands under the heading before
                found += [f"### {above[-1][1]}", ""]
        if heads:
            above.append((margin, said))
        item = None if heads else _ITEM.match(line)
        found.append(f"### {said}" if heads else f"{item[0]}- {said}" if item else line)
        opens = heads or not said
    return "\n".join(found)


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())
