"""How the topic queue shows the ids of sources: `S0.3` is `PLAN-03`, and `S2.1` is `CIT-2-01`.

Only the display differs; state, prompts and checks know sources by their ids. A model that writes the shown
form anyway is understood.
"""

from __future__ import annotations

import re

from .text import outside_code

_SHOWN = re.compile(r"\[?\[(?:PLAN-(?P<plan>\d+)|CIT-(?P<block>\d+)-(?P<seq>\d+))\](?:\(#[\w-]*\)\])?")


def display_id(source_id: str) -> str:
    """The shown form of an id `S<branch>.<n>`."""
    branch, number = source_id.lstrip("S").split(".")[:2]
    return f"PLAN-{int(number):02d}" if branch == "0" else f"CIT-{branch}-{int(number):02d}"


def with_source_ids(markdown: str) -> str:
    """A text in which citations of the shown form are ids again; code is left alone."""

    def plain(match: re.Match[str]) -> str:
        if match["plan"]:
            return f"[S0.{int(match['plan'])}]"
        return f"[S{int(match['block'])}.{int(match['seq'])}]"

    return outside_code(markdown, lambda part: _SHOWN.sub(plain, part))
