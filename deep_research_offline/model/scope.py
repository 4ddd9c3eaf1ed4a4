"""Clarifying and briefing: is the request clear enough, and what exactly does the user want."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .conversation import Conversation
from .lexicon import WEAK
from .names import names_in
from .offer import forbids_asking
from .phrases import join, say
from .query import YEAR, read_query, thesaurus
from .text import is_cjk, language, term_set, tidy

_ABBREVIATION = re.compile(r"(?<![\w.\-/])[A-Z]{2,6}s?(?![\w\-/]|\.\w)")
_COMMON = frozenset(
    """USA US UK EU UN CEO CFO CTO FAQ GDP AI IT PDF TV PC CD DVD ID OK AM PM BC AD DNA RNA HIV NASA NATO WHO
    UNESCO HTML HTTP URL API CPU GPU RAM NGO VAT MBA BBC CNN IBM DIY ISO GPS SMS SUV LED LCD USB FBI CIA IMF
    WTO OECD""".split()
)
_DANGLING = re.compile(
    r"\b(?:it|its|they|them|their|he|she|his|her|this|that|these|those|that one|this one)\b", re.IGNORECASE
)
_DANGLING_CJK = re.compile(r"它|他们|她|那个|这个|那件事|それ|あれ|これ|その件|彼女|彼(?!女)")
_SCOPE_LINE = re.compile(
    r"^\W*((?:exclude|excluded|leave out|do not cover|period|time range|only (?:the )?(?:period"
    r"|years?)|regions?|countries|glossary|"
    r"排除|不包括|时间范围|期间|期間|地区|地域|术语|用語)[^\n]*[:：][^\n]+)$",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Clarity:
    """Whether to ask, the question to ask ("" if none), and the acknowledgement that restates the scope."""

    ask: bool
    question: str
    verification: str


def clarify(talk: Conversation) -> Clarity:
    """Ask only about what makes the request unanswerable, never twice the same, never when told not to."""
    main, details = main_question(talk)
    lang = language(main) if main else "en"
    asked_before = " ".join(text for role, text in talk.turns if role == "assistant")
    if not forbids_asking(" ".join(talk.said), talk.system):
        for question in _issues(talk, main, details, lang):
            if question not in asked_before:
                return Clarity(True, question, "")
    more = "".join(say("also", lang, it=d) for d in details)
    return Clarity(False, "", say("verified", lang, it=main, more=more))


def _issues(talk: Conversation, main: str, details: list[str], lang: str) -> list[str]:
    everything = " ".join([main, *details])
    found = []
    if not term_set(everything):
        found.append(say("ask_topic", lang))
    reference = _dangling(main)
    if reference and not details and not _earlier(talk):
        found.append(say("ask_reference", lang, it=reference))
    for term in unknown_terms(everything, talk.system):
        found.append(say("ask_term", lang, it=term))
    return found


def _dangling(text: str) -> str:
    """A pronoun that stands for the very thing asked about, when little else is said."""
    match = (_DANGLING_CJK if is_cjk(text) else _DANGLING).search(text)
    if not match or names_in(text[:1].lower() + text[1:]):
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
        term = match.group(0)
        beside = re.search(r"(?:[A-Z][\w'’]+|\d)\s$", text[: match.start()][-30:]) if match.start() else None
        after = re.match(r"\s+(?:[A-Z0-9])", text[match.end() :])
        explained = re.search(
            rf"{re.escape(term)}\W{{0,4}}(?:\(|means|is|stands|=|:|：|是|とは)|\(\s*{re.escape(term)}\s*\)",
            text,
        )
        roman = re.fullmatch(r"[IVXLC]+", term)
        known = term.rstrip("s") in _COMMON or re.search(rf"\b{re.escape(term)}\b", glossary)
        if not (beside or after or explained or roman or known):
            found.append(term)
    return list(dict.fromkeys(found))


def _earlier(talk: Conversation) -> bool:
    return len(talk.said) > 1


def main_question(talk: Conversation) -> tuple[str, list[str]]:
    """The question that is being asked now, and what the user added to it when asked back."""
    turns = [(role, tidy(text)) for role, text in talk.turns]
    while turns and turns[-1][0] != "user":
        turns.pop()
    start = max(
        (i + 1 for i, (role, text) in enumerate(turns) if role != "user" and not _asks(text)), default=0
    )
    said = [text for role, text in turns[start:] if role == "user"]
    if len(said) > 1 and not asks_something(said[0]) and asks_something(said[1]):
        said = said[1:]
    return (said[0], said[1:]) if said else ("", [])


def asks_something(text: str) -> bool:
    """Whether a text asks something; "tell me about it" does not, so what it means is the question."""
    return bool(
        "?" in text or "？" in text or names_in(text[:1].lower() + text[1:]) or len(term_set(text) - WEAK) > 2
    )


def _asks(text: str) -> bool:
    """Whether an assistant's turn asks the user back; a report does not."""
    asking = "?" in text or "？" in text or text.endswith(("ください。", "名称。", "内容。"))
    return asking and not text.startswith("#") and len(text) < 1200


def brief(talk: Conversation, alone: str) -> str:
    """A first-person brief: quotes the question, as it stands `alone` if it points back, keeps every stated
    detail, says what was left open."""
    main, details = main_question(talk)
    lang = language(main)
    parts = [say("brief_also", lang, it=detail) for detail in details]
    earlier = [tidy(t) for t in talk.said if tidy(t) not in (main, *details)]
    parts += [say("brief_context", lang, it=text) for text in earlier]
    notes = [tidy(m.group(1)) for m in _SCOPE_LINE.finditer(talk.system)]
    parts += [say("brief_scope", lang, it="; ".join(notes))] if notes else []
    parts.append(
        say("brief_open", lang, it=join(_open_dimensions(" ".join([main, *details, *notes]), lang), lang))
    )
    parts.append(say(f"sources_{_kind(main)}", lang))
    main = main if details else alone
    return say("brief", lang, it=main, more="".join(p if p[-1] in ".。?？!" else p + "." for p in parts))


_SAID = {
    "open_period": re.compile(
        rf"{YEAR.pattern}|(?i:\b(?:current|latest|period|since|century)\b)|目前|现在|現在|时间|期間"
    ),
    "open_region": re.compile(r"\bregion|\bcountr|\bin [A-Z]|地区|地域|国"),
    "open_length": re.compile(r"(?i:\b(?:words?|sections?|short|detailed)\b)|字|詳しく|简短"),
}
"""What a request leaves open unless it says one of these."""
_KINDS = {
    "academic": r"\b(?:paper|study|journal|theorem|research(?:ers)? (?:show|find)|scientific|preprint)\b"
    r"|论文|研究表明|論文",
    "product": r"\b(?:buy|price|product|travel|trip|hotel|ticket|fare|model|best \w+ for)\b"
    r"|价格|产品|旅行|値段|製品",
    "person": r"\bwho\b|谁|哪位|誰|だれ",
}


def _open_dimensions(text: str, lang: str) -> list[str]:
    return [say(key, lang) for key, said in _SAID.items() if not said.search(text)] or [
        say("open_length", lang)
    ]


def _kind(text: str) -> str:
    return next((kind for kind, said in _KINDS.items() if re.search(said, text.lower())), "general")
