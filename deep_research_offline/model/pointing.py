"""Words that point back, and what they mean: the name of what was asked about before."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .lexicon import ASKING, load, patterns
from .lists import items_in
from .names import names_in
from .phrases import say
from .query import ASKED, YEAR, is_core, read_query
from .text import is_cjk, language, term_set, words

_RE = patterns("pointing")
PERSON = _RE["person"]
_LONGEST_HEAD = 6
"""Words of a name before a colon."""
_AND = {"en": " and ", "zh": "，", "ja": "、"}


def completed(
    said: Sequence[str], before: str, items: Sequence[str] = ()
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The parts of a request, each with the name of the thing that it leans on, or with the `items` of which
    it asks for one, and what can be looked into apart: a part that leans on the answer to the one before
    stays with it."""
    parts, pieces = list[str](), list[str]()
    head = before.strip(" :：-–—")
    listed = head != before.strip() and len(words(head)) <= _LONGEST_HEAD
    name = head if listed else subject_of(before) if listed or pointer(said[0]) else ""
    for part in said:
        part = _of_items(part, items)
        own, leaning = subject_of(part), leans(part)
        if parts and leaning and (not name or _asks_for_thing(parts[-1], part)):
            rest = re.sub(r"^and ", "", part, flags=re.IGNORECASE)
            pieces[-1] = f"{pieces[-1].rstrip('?？。. ')}{_AND[language(part)]}{rest}"
        else:
            part = with_name(part, name)[0] if name and leaning else part
            pieces.append(part)
        parts.append(part)
        name = name if name and leaning else own or name
    return tuple(parts), tuple(pieces)


def _of_items(part: str, items: Sequence[str]) -> str:
    """A question that asks which of several things, and names none of them, with their names."""
    low = part.lower()
    named = pointer(part) or any(one.lower() in low for one in items)
    if len(items) < 2 or named or is_cjk(part) or not _RE["one_of"].match(part):
        return part
    return f"{part.rstrip('?. ')}, {', '.join(items[:-1])} or {items[-1]}?"


def leans(part: str) -> bool:
    """Whether a question names nothing by itself: no name by capitals, no two rare words in a row, and no
    kind of things of which it asks for the first."""
    own = subject_of(part)
    return not (own and (names_of(part) or " " in own or is_cjk(own) or read_query(part).order))


def _asks_for_thing(before: str, part: str) -> bool:
    """Whether a question may lean on the answer to the one before it, and not on what that names."""
    query = read_query(before)
    many = query.order or query.several or len(items_in(before)) > 1
    back = patterns("stands_for").get(query.kind)
    return bool(many or (back and back.search(f"{before} {part}")) or query.kind in {"name", "plain"})


def pointer(text: str) -> re.Match[str] | None:
    """The word of a text that stands for a thing named before."""
    return re.search(load("words")["follow"]["thing"], text, re.IGNORECASE)


def with_name(asked: str, name: str) -> tuple[str, tuple[str, ...]]:
    """A question with a name for its pronoun, or behind it in brackets, and what was made explicit."""
    match = pointer(asked)
    if not match and is_cjk(asked):
        return f"{name}：{asked}", (name,)
    if not match:
        end = asked.rstrip("?？。 ")
        return f"{end} ({name}){asked[len(end) :]}", (name,)
    word, after, lang = match.group(0), asked[match.end() :], language(asked)
    her = word.lower() == "her" and re.match(r"\s+[a-z]", after)
    mark = (
        "の" if word == "その" else "'s" if lang == "en" and (_RE["possessive"].search(word) or her) else ""
    )
    return f"{asked[: match.start()]}{name}{mark}{after}", (say("refers", lang, word=word, it=name),)


def subject_of(text: str) -> str:
    """What a text is about: its first name, by capitals; else its longest run of rare words; "" for none."""
    found = [n for n in names_of(text) if term_set(n) and not YEAR.fullmatch(n)]
    if found:
        return found[0]
    if is_cjk(text):
        match = _RE["first_named"].match(text)
        told = match[1] if match else ""
        points = ASKED.search(told) or patterns("follow")["pointing"].search(told)
        says = any(not (c.weak or is_core(c)) for c in read_query(told).concepts)
        return told if says and not points else ""
    runs = [""]
    for word in () if pointer(text) else words(text):
        told = [
            c for c in read_query(word).concepts if not (c.weak or is_core(c) or _RE["no_name"].search(word))
        ]
        goes_on = any(not c.groups for c in told) or (told and runs[-1])  # "orsk mill"
        runs[-1:] = [f"{runs[-1]} {word}"] if goes_on else [runs[-1], ""]
    return re.sub("['’]s?$", "", max(runs, key=len).strip())


def names_of(text: str) -> tuple[str, ...]:
    """The names in a text whose first word is small if it only opens the sentence."""
    first, _, rest = text.partition(" ")
    opens = not term_set(first) or first.lower() in ASKING
    return tuple(names_in(f"{first.lower()} {rest}" if opens else text))
