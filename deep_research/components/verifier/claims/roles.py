"""Who has which role in a sentence: who owns, and who acts.

"Of" and "'s" mark an owner, "by" an agent, who else comes first, before a verb that is no form of
"to be": so "Y wrote X" and "X is signed by Y" agree, and "X wrote Y" does not. Both names must stand in one
passage; a pronoun ("its", "he"), a label or a noun ("of the choir") stands there for the page's or section's
name. "The author of Y is X" and a cell below "Author" name the agent, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from deep_research.text.data import read_data
from deep_research.text.wording import Token, names_in, nfkc, word_tokens

from .contrasts import LABELLED_LINE
from .evidence import SourcePassage
from .found import told_in
from .subjects import is_name

_WORDS = {name: words.split() for name, words in read_data(__file__, "roles.toml").items()}
LEADERS = frozenset(_WORDS["leaders"])
_AGENT_NOUNS, _FORMS_OF_BE = frozenset(_WORDS["agents"]), frozenset(_WORDS["be"])
_ROLES = {word: role for role in ("owner", "agent", "other") for word in _WORDS[role]}
_ROLES |= dict.fromkeys(_AGENT_NOUNS, "agent")
_PRONOUNS = dict.fromkeys(_WORDS["possessives"], "owner") | dict.fromkeys(_WORDS["pronouns"], "")
_ARTICLES, _LIST_WORDS = frozenset(_WORDS["articles"]), frozenset(_WORDS["lists"])
_APPOSITION = 4  # words before a name that say who this is, "his former student" with what leads to them
_LEADS_TO_NAME = 7  # words from "of" to the end of the name that it leads to
_BEHIND_OWNER = 5  # words behind an owner, of which one may be what it owns: "its two oldest ships"
_NAMES = 2  # in a claim: of more it is not told which two have to do with each other


class Place(NamedTuple):
    """Where a name stands in a sentence, and the role that a small word beside it marks, if any."""

    at: int
    role: str | None


class Role(NamedTuple):
    """Which of two names has a role; that of an owner with the words among which stands what is owned."""

    name: int
    of: frozenset[str] = frozenset()


def roles_differ(claim: str, passages: Sequence[SourcePassage], title: str) -> bool:
    """Whether any of the passages has the two names of the claim in exchanged roles: the first of owner and
    actor that both tell."""
    claim = nfkc(claim).replace("according to", "by")  # the offsets of its words are those of this form
    known = "\n".join([title, *(f"{one.setting}\n{one.text}" for one in passages)])
    names = joined_names(claim, nfkc(known))
    if len(names) != _NAMES or not is_name(names[0], known):
        return False
    here = _roles(claim, names, frozenset())
    texts = ((nfkc(told_in(one)).replace("according to", "by"), one.context) for one in passages)
    told = (zip(here, _roles(text, names, context), strict=True) for text, context in texts)
    first = (next((both for both in pairs if None not in both), (None, None)) for pairs in told)
    return any(_differ(ours, theirs) for ours, theirs in first)


def _differ(ours: Role | None, theirs: Role | None) -> bool:
    """Whether another name has a role; the owners of two things are two."""
    if not ours or not theirs or (ours.of and theirs.of and not ours.of & theirs.of):
        return False
    return ours.name != theirs.name


def joined_names(claim: str, known: str) -> list[list[Token]]:
    """The names, those taken as one that "of" or a word links that links them on the pages, too."""
    words, joined = word_tokens(claim), list[list[Token]]()
    for name in names_in(claim, initial=True):
        link = words.index(name[0]) - 1
        if joined and link >= 1 and words[link - 1] == joined[-1][-1]:
            phrase = claim[joined[-1][0].start : name[-1].start + len(name[-1].word)]
            if words[link].word == "of" or (words[link].word not in _LIST_WORDS and phrase in known):
                joined[-1] += name
                continue
        if not all(token.word.isupper() for token in name):
            joined.append(list(name))
    return joined


def _roles(text: str, names: Sequence[list[Token]], topic: frozenset[str]) -> tuple[Role | None, Role | None]:
    """Which of two names owns the other, and which acts, where a text tells; `topic` is what its page is on.

    Who comes first acts, unless a role or a form of "to be" stands against it: the author of Y, but for Y.
    """
    words = word_tokens(text)
    a, b = (_place_of_name(name, words, text, topic) for name in names)
    if not a or not b or a.at == b.at:
        return None, None
    owners, agents = ([place.role == role for place in (a, b)] for role in ("owner", "agent"))
    owns = owners.index(True) if sum(owners) == 1 else None
    owner = Role(owns, _owned(words, (a, b)[owns].at)) if owns is not None else None
    if sum(agents) == 1:
        return owner, Role(agents.index(True))
    if owner and any(token.word.lower() in _AGENT_NOUNS for token in words):
        return owner, Role(1 - owner.name)
    first, second = sorted((a, b))
    between = words[max(first.at, 0) : second.at]
    apart = ";" in text[between[0].start : between[-1].start] if between else False
    no_verbs = _FORMS_OF_BE | LEADERS
    acts = not (first.role or apart or any(token.word.lower() in no_verbs for token in between))
    return owner, Role(int(first == b)) if acts else None


def _owned(words: Sequence[Token], at: int) -> frozenset[str]:
    """The word before the "of" that leads to an owner, or else those behind the owner; none where that is but
    guessed."""
    if at < 0 or not (words[at].capital or words[at].word in _PRONOUNS):
        return frozenset()
    of = next((n for n in range(at, max(at - _LEADS_TO_NAME, 0), -1) if words[n].word == "of"), 0)
    behind = [word for word in words[at + 1 : at + _BEHIND_OWNER] if not word.filler]
    return frozenset(token.term for token in (words[of - 1 : of] if of else behind))


def _place_of_name(
    name: Sequence[Token], words: Sequence[Token], text: str, topic: frozenset[str]
) -> Place | None:
    """The place of a name in a sentence, or of what stands there for the name that is the page's topic: a
    pronoun, a label's owner, "The company" that opens it, "of the choir"."""
    places = {token.term: at for at, token in reversed(list(enumerate(words))) if token.capital or not topic}
    if all(token.term in places for token in name):
        first, last = places[name[0].term], places[name[-1].term]
        return Place(last, _marked_role(words, min(first, last), last, text))
    if not topic or not all(token.term in topic for token in name):
        return None
    named = next((at for at, token in enumerate(words) if token.capital and not token.filler), len(words))
    for at, token in enumerate(words):
        role = _PRONOUNS.get(token.word.lower())
        if role or (role == "" and at < named):  # behind a name, "it" may be that
            return Place(at, role or _marked_role(words, at, at, text))
    if LABELLED_LINE.match(text):
        return Place(-1, "owner")
    if len(words) > 1 and words[0].word == "The" and not (words[1].capital or words[1].term.isdigit()):
        return Place(1, "")
    nouns = (at for at, word in enumerate(words[2:], 2) if not word.capital)
    of_the = (at for at in nouns if [word.word for word in words[at - 2 : at]] == ["of", "the"])
    return next((Place(at, "owner") for at in of_the), None)


def _marked_role(words: Sequence[Token], first: int, last: int, text: str) -> str | None:
    """The role that the word before a name, or the "'s" behind it, gives it."""
    end = words[last].start + len(words[last].word)
    if text[end : end + 2] in ("'s", "’s", "' ", "’ "):
        return "owner"
    before = [w for w in reversed(words[:first]) if w.word not in _ARTICLES and (w.filler or not w.capital)]
    found = next((place for place, w in enumerate(before[:_APPOSITION]) if w.filler), 0)
    own = before[found].word.lower() in _PRONOUNS if before[found:] else False  # "by his former student X"
    return next((_ROLES.get(word.word.lower()) for word in before[found + 1 if own else 0 :]), None)
