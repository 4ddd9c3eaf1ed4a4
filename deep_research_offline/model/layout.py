"""A report's form: the limits that a request states; sections, slides, lists or plain text; its length."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from .lexicon import NUMBERS
from .offer import limit
from .phrases import say
from .points import Point
from .quotes import length
from .report_words import FORMS, LIMITS
from .text import tidy
from .wishes import wished_words

SUMMARY_WORDS = 130
_CITED = re.compile(r".+?(?:\[[A-Z]{1,4}\d[^\]]*\])+\s*")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a request wants of the report's form; `named` are sections that it prescribes; `plain` for
    a beginner."""

    words: int | None = None
    sections: int | None = None
    form: str = "report"
    summary: str = "top"
    summary_words: int = SUMMARY_WORDS
    named: tuple[str, ...] = ()
    title: bool = True
    plain: bool = False


def limits_in(prompt: str, wish: str = "", *, title: bool = True) -> Limits:
    """The limits that prompts state in plain words, and how long the report may be by the request's wish."""
    named, exact, size = (LIMITS[name].search(prompt) for name in ("sections", "exact", "summary_size"))
    count = next((g for g in exact.groups() if g), "").lower() if exact else ""
    listed = re.split(r"[;；]", named[1]) if named else []
    sections = limit(prompt, "sections") or NUMBERS.get(count)
    return Limits(
        words=min(filter(None, (limit(prompt, "words"), wished_words(wish))), default=None),
        sections=sections or (int(count) if count.isdigit() else None),
        form=next((form for form, pattern in FORMS.items() if pattern.search(prompt)), "report"),
        summary=next((w for w in ("none", "end") if LIMITS[f"summary_{w}"].search(prompt)), "top"),
        summary_words=int(size[1]) if size else SUMMARY_WORDS,
        named=tuple(part.strip() for part in listed if part.strip()),
        title=title,
        plain=bool(LIMITS["plain"].search(wish)),
    )


@dataclass(slots=True)
class Part:
    """A section: its heading and its blocks of Markdown."""

    heading: str
    blocks: list[str]


def ids(*points: Point) -> str:
    """The ids of all sources of these points, at most four."""
    return "".join(f"[{i}]" for i in list(dict.fromkeys(i for p in points for i in p.ids))[:4])


def cited(point: Point) -> str:
    """A statement with its ids."""
    return f"{point.text} {ids(point)}"


def merged(parts: list[Part], most: int) -> list[Part]:
    """At most so many sections: what is left over stands at the end of the last."""
    kept = parts[:most]
    for part in parts[most:]:
        kept[-1].blocks += [f"**{part.heading}**", *part.blocks]
    return kept


def laid_out(head: str, summary: list[str], parts: list[Part], limits: Limits, lang: str) -> list[str]:
    """The blocks of the report in the form asked for."""
    top = [head] if head else []
    if limits.form == "report":
        titled = [f"## {say('summary', lang)}", *summary] if summary else []
        body = [block for part in parts for block in (f"## {part.heading}", *part.blocks)]
        return [*top, *body, *titled] if limits.summary == "end" else [*top, *titled, *body]
    bare = [(p.heading, [b for b in p.blocks if not b.startswith(("|", "**", "#"))]) for p in parts]
    if limits.form == "plain_text":
        told = [re.sub(r"^\s*- ", "", b, flags=re.MULTILINE) for _, blocks in bare for b in blocks]
        return [*top, *summary, *told]
    points = [("", _statements(summary)), *((title, _statements(blocks)) for title, blocks in bare)]
    if limits.form == "list":
        every = [said for _, told in points for said in told]
        return [*top, "\n".join(f"{n}. {said}" for n, said in enumerate(every, 1))]
    most = 5 if limits.form == "slides" else None
    listed = [(title, "\n".join(f"- {said}" for said in told[:most])) for title, told in points if told]
    return [*top, *(f"## {title}\n\n{lines}" if title else lines for title, lines in listed)]


def _statements(blocks: Sequence[str]) -> list[str]:
    """The cited statements of blocks."""
    lines = [line for block in blocks for line in block.splitlines()]
    return [tidy(match[0]).lstrip("- ") for line in lines for match in _CITED.finditer(line)]


def shortened(text: str, words: int | None) -> str:
    """At most so many words: whole lines go from the end, then whole sentences."""
    if not words or length(text) <= words:
        return text
    kept: list[str] = []
    for line in text.splitlines():
        room = words - length("\n".join(kept))
        if length(line) > room:
            part = ""
            for said in _CITED.findall(line):
                if length(part + said) > room:
                    break
                part += said
            kept += [part.rstrip()] if part and line[:1] not in "|-" else []
            if line.startswith("- "):  # what sources say against each other is told whole or not at all
                listed = list(takewhile(lambda one: one[:2] in ("", "- "), reversed(kept)))
                rest = kept[: len(kept) - len(listed)]
                kept = rest[:-1] if rest and rest[-1].startswith("### ") else kept
            break
        kept.append(line)
    while kept and (
        not kept[-1].strip() or kept[-1].startswith(("##", "**", "|")) or kept[-1].endswith((":", "："))
    ):
        kept.pop()
    return "\n".join(kept)
