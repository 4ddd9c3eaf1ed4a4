"""Sample questions as people would put them: `reword` gives one of seven kinds. Knows no domain.

The same web, question and kind give the same wording. Chinese and Japanese know neither letter case nor words
of letters: there `lower` and `typo` change only what is written in Latin letters, as a rule nothing.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from deep_research_offline.web.types import Fact, Question, Web
from deep_research_offline.web.words import read_table

REWORDINGS = ("lower", "typo", "thanks", "context", "fragment", "double", "follow_up")

_PHRASES = read_table(Path(__file__).parent / "data" / "everyday.toml")
_LONG_WORD = re.compile(r"[A-Za-z]{5,}")
_MARKS = re.compile(r"[?!.,:;]+(?=\s|$)|[？！。，、：；]")
_PLACE = r" (?:of|in|for) {}"
_NOUNS = r"((?:(?!the\b|of\b)\w+ ){0,3}\w+)"
_KANA = re.compile(r"[ぁ-ん]")
_PARTICLE = "(?<=[ァ-ヿ一-鿿]){}(?=[0-9ァ-ヿ一-鿿])"  # one letter between two words


def reword(question: Question, kind: str, web: Web) -> str | tuple[str, str]:
    """The question's text in everyday words; for `follow_up` what was asked before, and the follow-up.

    `double` holds the question and its `partner`.
    """
    rng, text, lang = random.Random(f"{web.seed}:{question.id}:{kind}"), question.text, question.lang
    match kind:
        case "lower":
            return text.lower()
        case "typo":
            return _mistyped(text, rng)
        case "thanks":
            before, after = rng.choice(_PHRASES["thanks"][lang])
            return f"{before}{text}{after}"
        case "context":
            return f"{rng.choice(_PHRASES['context'][lang])}{' ' if lang == 'en' else ''}{text}"
        case "fragment":
            return _keywords(text, lang)
        case "double":
            return f"{text}{rng.choice(_PHRASES['double'][lang])}{partner(question, web).text}"
        case "follow_up":
            return _elliptical(question, web, rng)
    raise ValueError(f"There is no rewording {kind!r}; choose one of {', '.join(REWORDINGS)}.")


def partner(question: Question, web: Web) -> Question:
    """The second question of a `double`: of the same language and another class, with an answer."""
    others = [q for q in web.questions if q.lang == question.lang and q.facts and q.kind != question.kind]
    short = [q for q in others if q.kind != "report"]
    return random.Random(f"{web.seed}:{question.id}:partner").choice(short)


def _mistyped(text: str, rng: random.Random) -> str:
    """One letter dropped, or two neighbours exchanged, inside one long word."""
    words = list(_LONG_WORD.finditer(text))
    if not words:
        return text
    word = rng.choice(words)
    letters = word[0]
    unlike = [i for i in range(1, len(letters) - 1) if letters[i] != letters[i + 1]]
    place = rng.choice(unlike)
    rest = letters[place + 1 :]
    mistyped = letters[:place] + (rest if rng.random() < 0.5 else rest[0] + letters[place] + rest[1:])
    return text[: word.start()] + mistyped + text[word.end() :]


def _keywords(text: str, lang: str) -> str:
    """What one would type into a search box."""
    plain, dropped = _MARKS.sub(" ", text), _PHRASES["fragment"][lang]
    if lang == "en":
        return " ".join(word for word in plain.lower().split() if word not in dropped)
    for piece in sorted(dropped, key=len, reverse=True):
        plain = re.sub(_PARTICLE.format(piece) if _KANA.fullmatch(piece) else piece, " ", plain)
    return " ".join(plain.split())


def _elliptical(question: Question, web: Web, rng: random.Random) -> tuple[str, str]:
    """The same asked about something else and then "And X?"; or first who is meant, and then the question
    without the names; or without its place. A question that names nothing comes after its `partner`.
    """
    lang, text, phrases = question.lang, question.text, _PHRASES["follow_up"]
    names = _named(question, web)
    if len(names) == 1 and (other := _sibling(question, names[0], web, rng)):
        return text.replace(names[0], other), phrases["other"][lang].format(_in_full(names[0], text))
    if names:
        comma, final = phrases["and"][lang]
        *most, last = (_in_full(name, text) for name in names)
        listed = final.join([comma.join(most), last]) if most else last
        return phrases["about"][lang].format(listed), _without(text, names, lang)
    for place in {fact.subject for fact in web.facts.values() if fact.subject.startswith("the ")}:
        if place in text:
            shorter = re.sub(_PLACE.format(re.escape(place)), "", text)
            return phrases["about"][lang].format(place), shorter
    return partner(question, web).text, text


def _named(question: Question, web: Web) -> list[str]:
    """The names of things that the question contains, in its order."""
    known = {_local(fact.subject, question.lang, web) for fact in web.facts.values()}
    text, found = question.text, dict[str, int]()
    for name in sorted(known, key=lambda name: (-len(name), name)):
        if name in text and not name.startswith("the "):
            found[name] = question.text.index(name)
            text = text.replace(name, "")
    names = sorted(found, key=lambda name: found[name])
    for first, second in pairwise(names):
        if both := re.search(rf"{re.escape(first)} (?:of|at|in) {re.escape(second)}", question.text):
            return [both[0]]  # "the tower of Anna" is one thing
    return names


def _in_full(name: str, text: str) -> str:
    """The name with the article that it has in the text."""
    return f"the {name}" if re.search(rf"\b[Tt]he {re.escape(name)}", text) else name


def _local(name: str, lang: str, web: Web) -> str:
    """A name in the language of the question: an article gives the English one in brackets behind it."""
    if lang == "en":
        return name
    articles = (page for page in web.pages if page.lang == lang and f"（{name}）" in page.text[:400])
    return next((page.title for page in articles), name)


def _sibling(question: Question, name: str, web: Web, rng: random.Random) -> str | None:
    """Something else of which the same is told."""
    facts = [web.facts[fact] for fact in question.facts]
    if len(facts) != 1 or _local(facts[0].subject, question.lang, web) != name:
        return None
    alike = {other.subject for other in _alike(facts[0], web)} - {facts[0].subject}
    local = {other: _local(other, question.lang, web) for other in alike}
    named = [said for other, said in local.items() if question.lang == "en" or said != other]
    return rng.choice(sorted(named)) if named else None


def _alike(fact: Fact, web: Web) -> list[Fact]:
    return [other for other in web.facts.values() if other.attribute == fact.attribute]


def _without(text: str, names: Sequence[str], lang: str) -> str:
    """The question with words that point back in place of the names."""
    phrases = _PHRASES["follow_up"]
    pointers = [phrases["one"][lang]] if len(names) == 1 else phrases["several"][lang]
    for name, pointer in zip(names, pointers, strict=False):
        owner = phrases["owner"] if len(names) == 1 else f"{pointer}'s"
        said = rf"(?:\b[Tt]he )?{re.escape(name)}"
        if len(names) == 1:
            text = re.sub(rf"\b[Tt]he {_NOUNS} of {said}\b(?!')", rf"{owner} \1", text)
            said = rf"(?:\b[Tt]he (?:\w+ )?)?{re.escape(name)}"  # "the book Anna" is "it" as well
        text = re.sub(rf"{said}'s?(?=\s)", owner, text)
        text = re.sub(said, pointer, text)
    return text[:1].upper() + text[1:]
