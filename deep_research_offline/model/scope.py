"""What a conversation asks for: whether that is clear, a brief, and the question complete in itself.

A question stands alone when words that point back are replaced by names and implied years are said.
"""

from __future__ import annotations

import re

from .conversation import Conversation
from .lexicon import ABBREVIATIONS, patterns
from .offer import forbids_asking
from .phrases import join, say
from .pointing import names_of, pointer, subject_of, with_name
from .query import YEAR, read_query
from .request import in_line, inner_question
from .text import language, term_set, tidy
from .thesaurus import thesaurus

_ABBREVIATION = re.compile(r"(?<![\w.\-/])[A-Z]{2,6}s?(?![\w\-/]|\.\w)")
_RE = patterns("scope")
_YEARS_AGO = ((r"\blast year\b|去年|昨年", 1), (r"\bthis year\b|今年", 0), (r"\bnext year\b|明年|来年", -1))
_TODAY = re.compile(r"(?<!\d)([12]\d{3})-\d{2}-\d{2}(?!\d)")


def clarify(talk: Conversation) -> tuple[str, str]:
    """The question to ask back, and the acknowledgement that restates the scope; one of them is empty.

    It asks only about what makes the request unanswerable, never twice the same, never when told not to.
    """
    main, details = main_question(talk)
    lang = language(main)
    asked_before = " ".join(text for role, text in talk.turns if role == "assistant")
    if not forbids_asking(" ".join(talk.said), talk.system):
        for question in _issues(talk, main, details, lang):
            if question not in asked_before:
                return question, ""
    more = "".join(say("also", lang, it=d) for d in details)
    return "", say("verified", lang, it=main, more=more)


def _issues(talk: Conversation, main: str, details: list[str], lang: str) -> list[str]:
    everything = " ".join([main, *details])
    found = [] if term_set(everything) else [say("ask_topic", lang)]
    if len(talk.said) <= 1 and (reference := _dangling(main)):
        found.append(say("ask_reference", lang, it=reference))
    return found + [say("ask_term", lang, it=term) for term in unknown_terms(everything, talk.system)]


def _dangling(text: str) -> str:
    """A pronoun that stands for the very thing asked about, when little else is said."""
    match = _RE["dangling"].search(text)
    if not match or names_of(text):
        return ""
    before = read_query(text[: match.start()]).concepts if match.start() else ()
    if any(not c.weak and not c.stems & thesaurus().asks for c in before):  # it points back to these
        return ""
    rest = [c for c in read_query(text).concepts if not c.weak and not c.groups]
    return match.group(0) if len(rest) <= 1 else ""


def unknown_terms(text: str, glossary: str) -> list[str]:
    """Abbreviations that stand alone and are explained neither in the text nor in the instructions."""
    capitals = sum(1 for word in text.split() if word.isupper() and len(word) > 1)
    if capitals * 2 > len(text.split()) > 1:
        return []
    found = []
    for match in _ABBREVIATION.finditer(text):
        term = re.escape(match.group(0))
        named = re.search(r"(?:[A-Z][\w'’]+|\d)\s$", text[: match.start()]) or re.match(
            r"\s+[A-Z0-9]", text[match.end() :]
        )
        meant = re.search(rf"{term}\W{{0,4}}(?:\(|means|is|stands|=|:|：|是|とは)|\(\s*{term}\s*\)", text)
        known = match.group(0).rstrip("s") in ABBREVIATIONS or re.search(rf"\b{term}\b", glossary)
        if not (named or meant or known or re.fullmatch(r"[IVXLC]+", term)):
            found.append(match.group(0))
    return list(dict.fromkeys(found))


def main_question(talk: Conversation) -> tuple[str, list[str]]:
    """The question that is being asked now, and what the user added to it when asked back."""
    turns = [(role, in_line(text)) for role, text in talk.turns]
    while turns and turns[-1][0] != "user":
        turns.pop()
    ends = [i for i, (role, text) in enumerate(turns) if role != "user" and not _asks(text)]
    said = [text for role, text in turns[ends[-1] + 1 if ends else 0 :] if role == "user"]
    return (said[0], said[1:]) if said else ("", [])


def _asks(text: str) -> bool:
    """Whether an assistant's turn asks the user back; a report does not."""
    asking = "?" in text or "？" in text or text.endswith(("ください。", "名称。", "内容。"))
    return asking and not text.startswith("#") and len(text) < 1200


def brief(talk: Conversation) -> str:
    """A first-person brief: quotes the question, as it stands alone if it points back, keeps every stated
    detail, says what was left open."""
    main, details = main_question(talk)
    lang = language(main)
    earlier = [text for text in map(tidy, talk.said) if text not in (main, *details)]
    notes = [tidy(line) for line in _RE["scope_line"].findall(talk.system)]
    said = " ".join([main, *details, *notes])
    still = [key for key, known in patterns("left_open").items() if not known.search(said)] or ["open_length"]
    preferred = next(kind for kind, known in patterns("preferred").items() if known.search(main.lower()))
    parts = [
        *(say("brief_also", lang, it=detail) for detail in details),
        *(say("brief_context", lang, it=text) for text in earlier),
        *([say("brief_scope", lang, it="; ".join(notes))] if notes else []),
        say("brief_open", lang, it=join([say(key, lang) for key in still], lang)),
        say(f"sources_{preferred}", lang),
    ]
    more = "".join(part if part[-1] in ".。?？!" else f"{part}." for part in parts)
    return say("brief", lang, it=main if details else standing_alone(talk)[0], more=more)


# --- a question that stands on its own


def standing_alone(talk: Conversation) -> tuple[str, tuple[str, ...]]:
    """The last question, complete in itself, and what was made explicit in it."""
    question, details = main_question(talk)
    asked, added = inner_question(question) if question else "", tuple[str, ...]()
    if not details:
        asked, added = _pointing_back(asked, _earlier(talk, asked))
    elif asked.rstrip("?？.。 ") not in details[0] and (pointer(asked) or not term_set(asked)):
        asked, added = with_name(asked, subject_of(details[0]) or details[0].rstrip(".。"))
    if year := _TODAY.search(talk.system):
        for pattern, ago in _YEARS_AGO:
            if match := re.search(pattern, asked, re.IGNORECASE):
                said = f"{int(year[1]) - ago}"
                asked = f"{asked[: match.end()]} ({said}){asked[match.end() :]}"
                added = (*added, f"{match[0]}: {said}")
    return asked, added


def _earlier(talk: Conversation, asked: str) -> list[str]:
    """What was said before the last question, the latest first: questions, then answers; answers first for
    a person."""
    told: dict[str, list[str]] = {"user": [], "assistant": []}
    last = max((n for n, (role, _) in enumerate(talk.turns) if role == "user"), default=0)
    for role, text in reversed(talk.turns[:last]):
        told[role].append(tidy(text))
    turns = [text for text in told["user"] if text != tidy(asked)]
    if re.search(r"\b(?:he|she|him|his|her)\b|他(?!们)|她|彼", asked, re.IGNORECASE):
        return [*(text for text in told["assistant"] if subject_of(text)), *turns]
    return [*turns, *told["assistant"]]


def _pointing_back(asked: str, earlier: list[str]) -> tuple[str, tuple[str, ...]]:
    """A question with names for its pronouns; a bare "And X?" asks of X what was asked before."""
    if not earlier:
        return asked, ()
    named = [part for name in names_of(earlier[0]) for part in name.split(" and ")]
    for ordinal, name in zip(patterns("in_order").values(), named, strict=False) if len(named) > 1 else ():
        asked = ordinal.sub(name, asked)
    own, before = subject_of(asked), subject_of(earlier[0])
    bare = _RE["bare"].sub("", asked)
    if own and before and not term_set(YEAR.sub(" ", bare)) - term_set(own) - term_set(earlier[0]):
        whole, old, new = earlier[0].replace(before, own), YEAR.findall(earlier[0]), YEAR.findall(asked)
        whole = whole.replace(old[0], new[0]) if len(old) == len(new) == 1 else whole
        return whole, (f"{own}: {whole}",)
    name = "" if own else next((n for text in earlier if (n := subject_of(text))), "")
    return with_name(asked, name) if name else (asked, ())
