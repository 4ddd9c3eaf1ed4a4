"""What a question names, looked for in what was found: in none of it, or in pages that do not lead to the
answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise

from deep_research.core.errors import RunError
from deep_research.core.records import Source
from deep_research.engine.context import Context
from deep_research.sources.citations import CitedText
from deep_research.sources.ledger import full_text
from deep_research.text.wording import Token, names_in

_WORD = re.compile(r"[^_\W]+")


def names_nothing_asked(question: str, text: CitedText, sources: Sequence[Source], ctx: Context) -> bool:
    """Whether the question names things, of which neither the report nor what was found has any part.

    Of a name of three words or more at least two must stand together: each by itself is in many texts.
    """
    texts = [text.markdown.partition("\n")[2], *_found(sources, ctx)]
    names = [[token.word.casefold() for token in name] for name in names_in(question)]
    parts = {_plain(p) for name in names for p in (map(" ".join, pairwise(name)) if len(name) > 2 else name)}
    return bool(parts) and not any(part in text for text in map(_plain, texts) for part in parts)


def names_only_others(
    question: str, told: Sequence[tuple[str, frozenset[str]]], sources: Sequence[Source], ctx: Context
) -> bool:
    """Whether what a report states with evidence, `told` with its terms and those of its headings, names
    others than the question, and no page links them.

    A page links what it names, and whatever the pages say that are about what it names: "The market of Orlen
    is on Tuesday" answers for the library that owns the Gull if a page on it, or on the Gull, has Orlen.
    """
    asked = names_in(question)
    named = frozenset(token.term for run in asked for token in run)
    names = [_words_in(run) for said, _ in told for run in names_in(said, initial=True)]
    if not names or any(named & terms for _, terms in told):
        return False
    pages = [
        (_names_of(source.title), _plain(f"{source.title}\n{_text_of(source, ctx)}"), _plain(source.key))
        for source in sources
    ]
    if not any(_words_in(run) in text for run in asked for _, text, _ in pages):
        return False
    near = [page for page in pages if any(_words_in(run) in said for run in asked for said in page[1:])]
    linked = list(near)
    while near:  # pages about what these name
        known = [text for _, text, _ in near]
        near = [p for p in pages if p not in linked and any(n in text for n in p[0] for text in known)]
        linked += near
    return not any(name in text for _, text, _ in linked for name in names)


def _names_of(title: str) -> list[str]:
    """What a page may be about: its title, and each name of several words in it."""
    return [_plain(title), *(_words_in(run) for run in names_in(title, initial=True) if len(run) > 1)]


def _found(sources: Sequence[Source], ctx: Context) -> Iterator[str]:
    """All that is known of what was found: addresses, titles, texts."""
    for source in sources:
        yield f"{source.key}\n{source.title}\n{source.snippet}"
        yield _text_of(source, ctx)


def _words_in(run: Sequence[Token]) -> str:
    return _plain(" ".join(token.word for token in run))


def _text_of(source: Source, ctx: Context) -> str:
    with suppress(RunError):  # a page that the store has lost
        return full_text(source, ctx)
    return source.snippet


def _plain(text: str) -> str:
    """The words of a text in small letters, each between blanks."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "
