"""What a sentence can reverse or add without changing a word of content: negation, degree, limits, names.

Each function compares a claim with the passages about it and says whether they disagree. All are surface
rules with known blind spots: no irony, no inference over sentences.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from difflib import SequenceMatcher
from functools import lru_cache

from deep_research.text.data import read_data
from deep_research.text.terms import cjk_count, is_cjk
from deep_research.text.wording import (
    NEGATION,
    NO_NAMES_AT_ALL,
    Token,
    names_in,
    nfkc,
    places_in_amounts,
    stem,
    terms_in,
    terms_of_names,
    word_tokens,
)

from .evidence import PRONOUN, SourcePassage

_CLEAR_NEGATION = re.compile(r"\b(?:not|never|cannot)\b|n['’]t\b|[不没沒未]|ない|ません", re.IGNORECASE)
_NO_LONGER = re.compile(r"\b(?:no longer|(?:any ?|no )more(?=\W*$))\b|不再|もはや", re.IGNORECASE)
_END = re.compile(
    r"\b(?:(?:to|until|till) (?:the \w+ of |\d{0,2} ?[A-Z][a-z]+ (?:\d{1,2}, )?)?"
    r"|between .{0,24}?\d{4} and )(\d{4})\b(?! \w*\d)"
    r"|\d{4}[–-](\d{4})\b|[至到](\d{4})年|(\d{4})年まで"
)
_NEGATED_WORDS = 4
_BESIDE = 2  # words on either side of one that denies them by itself
_CLAUSE_CJK = re.compile(r"[,;。!?\n、]|(?<=\D)\.")
_SLOT = re.compile(r"([由于在被将把给向对和与與及的はがをにのとで]|[是为為:](?!了))")
_NAME_CJK = re.compile(r"(?![该該这這那此本同其当当])[\u30a1-\u30fc\u4e00-\u9fff·]{2,12}")
_ARTICLES = frozenset("a an the mr mrs ms dr prof".split())
_SLOT_WORDS = 4  # before a name or value, articles and titles among them
_COPULA = re.compile(r"(?:である|です|だ|でした|だった)$")
LABELLED_LINE = re.compile(r"[^.:|]{1,40}: \S|\|[^|]+\|[^|]+\|?$")
_SAME_SLOT = dict.fromkeys("是为為:", "は") | dict.fromkeys("与與及", "和")
_SEPARATOR = re.compile(r": | — ")

PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be(?:en|ing)?) (?:(?:\w+ly|also|later|then|first) )?"
    r"([a-z]+(?:ed|en|wn|ught|old|aid|ent|ung|ade|ost|uilt|ound))\b"
)
_NO_NAMES = NO_NAMES_AT_ALL.union(read_data(__file__, "joints.toml")["words"]["openings"].split())

_DATA = read_data(__file__, "contrasts.toml")
_LIMITS = re.compile(rf"\b(?:{'|'.join(_DATA['limits'])})\b|{'|'.join(_DATA['limits_cjk'])}", re.IGNORECASE)
_DENYING = re.compile(rf"\b{_DATA['denying']}", re.IGNORECASE)
_ALIKE = {word: group[0] for group in _DATA["alike"] for word in group}


def negation_differs(claim: str, passages: Sequence[str], close: bool) -> bool:
    """Whether one side denies what the other says.

    A claim that denies wants a denial beside the same words; where a passage denies words of a claim that
    denies nothing, they disagree. `close` means that the claim repeats a single passage nearly word for word.
    """
    if close:
        return _count_negations(claim) != _count_negations(passages[0])
    claim = nfkc(claim)
    denied = _negated_terms(claim)
    if denied:
        same = [p for p in passages if denied & terms_in(p)]
        about = same or (passages if _CLEAR_NEGATION.search(claim) else ())
        known = denied & terms_in("\n".join(about))
        has_ended = _NO_LONGER.search(claim) and any(end_told(p) for p in about if known <= terms_in(p))
        is_denied = any(_count_negations(p) or _is_denied_in_a_word(denied, p, claim) for p in about)
        return bool(about) and not has_ended and not is_denied
    said = {token.term for token in word_tokens(claim) if not token.filler}
    names = terms_of_names(claim, initial=True)
    enough = 1 if cjk_count(claim) else 2  # there a term is a pair of characters
    beside = [words for p in passages if len(words := _negated_terms(p) & said) >= enough]
    beside = [words for words in beside if words - names]  # of the same thing much may be denied
    if passages and not _count_negations(passages[0]):  # "The new bridge can": the old one "cannot"
        beside = [words for words in beside if not words <= terms_in(passages[0])]
    return bool(beside)


def _is_denied_in_a_word(denied: Set[str], passage: str, claim: str) -> bool:
    """Whether a passage says by a word that the claim lacks what that denies: "banned", "contraindicated"."""
    words = [word for word in word_tokens(passage) if not word.filler]
    own = {word.lower() for word in _DENYING.findall(claim)}
    found = ((at, _DENYING.match(one.word)) for at, one in enumerate(words))
    places = [at for at, word in found if word and word[0].lower() not in own]
    near = (words[max(at - _BESIDE, 0) : at + _BESIDE + 1] for at in places)
    return any(one.term in denied for some in near for one in some)


def end_told(text: str) -> str:
    """The year up to which a text says that something was so; empty if it tells none."""
    end = _END.search(nfkc(text))
    return end[end.lastindex or 0] if end else ""


def without_limits(text: str) -> str:
    """A text without the words that hedge or limit it."""
    return _LIMITS.sub(" ", nfkc(text))


def limits_differ(claim: str, passage: str) -> bool:
    """Whether a claim or the passage that it repeats has a hedge or limit that the other lacks."""
    said = ([limit.lower().strip() for limit in _LIMITS.findall(nfkc(text))] for text in (claim, passage))
    ours, theirs = (Counter(_ALIKE.get(limit, limit) for limit in limits) for limits in said)
    return ours != theirs


def has_misplaced_name(claim: str, passage: SourcePassage, title: str) -> bool:
    """Whether a name of a passage that the claim repeats stands elsewhere there, or another in its place.

    What opens a claim as the page's title ("Port X: the harbour ...") is compared with that. A line with a
    label ("Author: ...") is about what its heading names. In a table row, and where the passive turns it
    round, order says nothing.
    """
    said, (opening, tail) = passage.text, split_off_label(claim)
    if not terms_in(opening) <= terms_in(f"{title} {said}"):
        opening, tail = "", claim
    labelled, leans = LABELLED_LINE.match(said), PRONOUN.match(said)
    above = passage.context - passage.terms if labelled or leans else frozenset[str]()
    if labelled and above and opening and terms_in(tail).isdisjoint(passage.terms):
        return True
    if opening and terms_in(opening) <= terms_in(title):
        said, tail = f"{title}: {said}", claim
    topic = frozenset[str]()
    if is_cjk(tail[:1]):  # clauses may come in any order, and the first of them names the topic
        clauses, topic = re.split("[，、；]", tail.rstrip("。")), terms_in(title)
        tail = "，".join(sorted(clauses, key=lambda clause: said.find(clause[-2:])))
    ours, theirs = word_tokens(tail), word_tokens(said)
    mine, its = (sum(token.word == "by" for token in words) for words in (ours, theirs))
    done = {*map(stem, PASSIVE.findall(tail))} ^ {*map(stem, PASSIVE.findall(said))}
    if passage.text[:1] == "|" or mine != its or done & terms_in(tail) & terms_in(said):
        return False
    gone, come = _name_terms(theirs, said, topic), _name_terms(ours, tail, above | topic)
    matcher = SequenceMatcher(None, gone, come, autojunk=False)
    changes = [change for change in matcher.get_opcodes() if change[0] != "equal"]
    for _, first, last, start, end in changes:
        lost, new = {*gone[first:last]}, {*come[start:end]}
        if lost - new and any(not is_cjk(term) for term in new - lost):
            return True
    moved = {term for _, first, last, _, _ in changes for term in gone[first:last]}
    return any(term in moved for _, _, _, start, end in changes for term in come[start:end])


def _name_terms(words: Sequence[Token], text: str, known: Set[str] = frozenset()) -> list[str]:
    """The terms of names; in Chinese and Japanese, where these are not marked, of any pair of characters."""
    amounts = places_in_amounts(text)
    names = [w for w in words if (w.capital and w.word.lower() not in _NO_NAMES) or is_cjk(w.word)]
    return [word.term for word in names if word.start not in amounts and word.term not in known]


def has_other_name(claim: str, passages: Iterable[str], title: str) -> bool:
    """Whether a claim has a name where the passages have another, behind the same word and "by"."""
    topic, known = terms_in(title), _fillings("\n".join(passages))
    return any(
        slot in known and name.isdisjoint(frozenset().union(topic, *known[slot]))
        for slot, names in _fillings(claim).items()
        for name in names
    )


def _fillings(text: str) -> dict[str, list[frozenset[str]]]:
    """The names behind each word of content with "by": "founded by"; there is one for each such word."""
    found, words = dict[str, list[frozenset[str]]](), word_tokens(text)
    for run in names_in(text):
        at = bisect_left(words, run[0].start, key=lambda word: word.start)
        near = [one for one in words[max(at - _SLOT_WORDS, 0) : at] if one.word.lower() not in _ARTICLES]
        if len(near) > 1 and near[-1].word == "by" and not near[-2].filler:
            found.setdefault(near[-2].term, []).append(frozenset(token.term for token in run))
    return found


def has_other_cjk_name(claim: str, passages: Sequence[str], title: str) -> bool:
    """Whether a clause of a claim is a passage's but for the name in one place: "港长是王伟", "港长是李明".

    Chinese and Japanese do not mark names: one is what stands between the small words that tell roles.
    """
    text = "\n".join(passages)
    theirs, topic = _slots(text), nfkc(title)
    said = _slots(claim)  # "A公司的港长是王伟", on a page of this firm "港长是王伟"
    said += [one[-3:] for one in said if len(one) > 3 and one[0] in topic]
    for ours in said:
        rivals = [one for one in theirs if len(one) == len(ours) > 2 and one[1::2] == ours[1::2]]
        if ours in rivals:
            continue
        for one in rivals:
            changed = [at for at, (new, old) in enumerate(zip(ours, one, strict=True)) if new != old]
            new, old = (side[changed[0]] for side in (ours, one))
            is_name = all(_NAME_CJK.fullmatch(name) and name not in topic for name in (new, old))
            if len(changed) == 1 and is_name and not (new in old or old in new):
                return True
    return False


def _slots(text: str) -> list[tuple[str, ...]]:
    """The clauses of a text, each cut at the words that tell roles; copulas and colons are the same."""
    clauses = (_COPULA.sub("", clause.strip()) for clause in _CLAUSE_CJK.split(nfkc(text).replace("・", "·")))
    cut = (_SLOT.split(clause) for clause in clauses)
    return [tuple(_SAME_SLOT.get(part, part) for part in parts) for parts in cut]


def split_off_label(claim: str) -> tuple[str, str]:
    """What stands before a claim's last separator, if anything stands behind it; the rest."""
    cut = max((match.end() for match in _SEPARATOR.finditer(claim)), default=0)
    return (claim[:cut], claim[cut:]) if claim[cut:].strip() else ("", claim)


@lru_cache(maxsize=4096)
def _negated_terms(text: str) -> frozenset[str]:
    """The content terms beside each negation: those that follow, and in Japanese those before it."""
    words = [token for token in word_tokens(text) if not token.filler]
    found: set[str] = set()
    for match in NEGATION.finditer(nfkc(text)):
        after = [token.term for token in words if token.start >= match.start()][:_NEGATED_WORDS]
        before = [token.term for token in words if token.start < match.start()][-_NEGATED_WORDS:]
        found |= set(before if match[0][0] >= "\u3041" and match[0][0] <= "\u309f" else after or before)
    return frozenset(found)


def _count_negations(text: str) -> int:
    return len(NEGATION.findall(nfkc(text)))
