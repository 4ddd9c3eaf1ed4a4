"""A question that stands on its own: words that point back replaced by names, implied years said."""

from __future__ import annotations

import re

from .conversation import Conversation
from .lexicon import ASKING, load
from .names import names_in
from .phrases import say
from .query import YEAR, read_query
from .scope import main_question
from .task import inner_question
from .text import is_cjk, language, term_set, tidy, words

_POSSESSIVE = re.compile(r"(?:its|their|his)$|その$", re.IGNORECASE)
_YEARS_AGO = ((r"\blast year\b|去年|昨年", 1), (r"\bthis year\b|今年", 0), (r"\bnext year\b|明年|来年", -1))
_IN_ORDER = (
    re.compile(r"\bthe (?:first|former)(?: one)?\b(?= or\b| and\b|\W*$)|前者", re.IGNORECASE),
    re.compile(r"\bthe (?:second|latter)(?: one)?\b|后者|後者", re.IGNORECASE),
)
"""What stands for the first and the second of two things named before."""
_TODAY = re.compile(r"(?<!\d)([12]\d{3})-\d{2}-\d{2}(?!\d)")
_BARE = re.compile(
    r"^\W*(?:and|what about|how about|and what about|那|那么|では|じゃあ)(?![a-z])\s*", re.IGNORECASE
)


_NO_NAME = re.compile(r"ed$|ing$|^(?:any|some|every|no)(?:one|body|thing)$", re.IGNORECASE)
"""Words that are rare and still name nothing."""


def standing_alone(talk: Conversation) -> tuple[str, tuple[str, ...]]:
    """The last question, complete in itself, and what was made explicit in it."""
    question, details = main_question(talk) if talk.said else ("", [])
    asked = inner_question(question) if question else ""
    if details:
        asked, added = _answered(asked, details)
    else:
        asked, added = _pointing_back(asked, _earlier(talk, asked))
    year = _TODAY.search(talk.system)
    for pattern, ago in _YEARS_AGO if year else ():
        match = re.search(pattern, asked, re.IGNORECASE)
        if match and year:
            said = f"{int(year.group(1)) - ago}"
            asked = f"{asked[: match.end()]} ({said}){asked[match.end() :]}"
            added = (*added, f"{match.group(0)}: {said}")
    return asked, added


def _answered(asked: str, details: list[str]) -> tuple[str, tuple[str, ...]]:
    """A question with what the user answered when asked back; a brief that repeats it answers nothing."""
    if asked.rstrip("?？.。 ") in details[0]:
        return asked, ()
    name = _subject(details[0]) or details[0].rstrip(".。")
    if term_set(asked) and not _pointer(asked):
        return asked, ()
    return _with_name(asked, name)


def _earlier(talk: Conversation, asked: str) -> list[str]:
    """What was said before, the latest first: questions, then answers."""
    turns = [tidy(text) for role, text in talk.turns if role == "user" and tidy(text) != tidy(asked)]
    answers = [tidy(text) for role, text in talk.turns if role == "assistant"]
    if re.search(r"\b(?:he|she|him|his|her)\b|他(?!们)|她|彼", asked, re.IGNORECASE):
        return [*(text for text in reversed(answers) if _subject(text)), *reversed(turns)]
    return [*reversed(turns), *reversed(answers)]


def _pointer(text: str) -> re.Match[str] | None:
    return re.search(load("words")["follow"]["thing"], text, re.IGNORECASE)


def _pointing_back(asked: str, earlier: list[str]) -> tuple[str, tuple[str, ...]]:
    """A question with names for its pronouns; a bare "And X?" asks of X what was asked before."""
    if not earlier:
        return asked, ()
    named = [part for name in names_in(_uncapitalized(earlier[0])) for part in name.split(" and ")]
    for ordinal, name in zip(_IN_ORDER, named[:2], strict=False) if len(named) > 1 else ():
        asked = ordinal.sub(name, asked)
    own = _subject(asked)
    bare = _BARE.sub("", asked).strip(" ?？。")
    before = _subject(earlier[0])
    if own and before and not term_set(YEAR.sub(" ", bare)) - term_set(own) - term_set(earlier[0]):
        whole, old, new = earlier[0].replace(before, own), YEAR.findall(earlier[0]), YEAR.findall(asked)
        whole = whole.replace(old[0], new[0]) if len(old) == len(new) == 1 else whole
        return whole, (f"{own}: {whole}",)
    if own:
        return asked, ()
    name = next((n for text in earlier if (n := _subject(text))), "")
    return _with_name(asked, name) if name else (asked, ())


def _with_name(asked: str, name: str) -> tuple[str, tuple[str, ...]]:
    """A question with a name for its pronoun, or behind it in brackets."""
    lang = language(asked)
    match = _pointer(asked)
    if not match:
        end = asked.rstrip("?？。 ")
        return f"{end} ({name}){asked[len(end) :]}", (name,)
    after = asked[match.end() :]
    mark = ""
    if lang == "en":
        her = match.group(0).lower() == "her" and re.match(r"\s+[a-z]", after)
        mark = "'s" if _POSSESSIVE.search(match.group(0)) or her else ""
    elif match.group(0) == "その":
        mark = "の"
    text = f"{asked[: match.start()]}{name}{mark}{after}"
    return text, (say("refers", lang, word=match.group(0), it=name),)


def _subject(text: str) -> str:
    """What a text is about: its first name, by capitals; else its longest run of rare words; "" for none."""
    found = [n for n in names_in(_uncapitalized(text)) if term_set(n) and not YEAR.fullmatch(n)]
    if found:
        return found[0]
    if is_cjk(text):
        match = re.match(r"[“「『]?([^，。？?、的の]{2,16}?)(?:的|の|は|が|有|在|是|，|、|」|』)", text)
        return match.group(1) if match else ""
    if _pointer(text):
        return ""
    runs: list[list[str]] = [[]]
    for word in words(text):
        rare = not _NO_NAME.search(word) and any(
            not c.weak and not c.groups for c in read_query(word).concepts
        )
        runs[-1].append(word) if rare else runs.append([])
    return max((" ".join(run) for run in runs), key=len)


def _uncapitalized(text: str) -> str:
    """A text whose first word is small if it only opens the sentence."""
    first, _, rest = text.partition(" ")
    asks = not term_set(first) or first.lower() in ASKING
    return f"{first.lower()} {rest}" if asks else text
