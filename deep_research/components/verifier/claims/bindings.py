"""What belongs to what: numbers to the rows of tables, and roles to names.

"Of" and "'s" mark an owner, "by" an agent, who else comes first, before a verb that is no form of
"to be": so "Y wrote X" and "X is signed by Y" agree, and "X wrote Y" does not. Both names must stand in one
passage; a pronoun ("its", "he"), a label or a noun ("of the choir") stands there for the page's or section's
name. "The author of Y is X" and a cell below "Author" name the agent, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from deep_research.text.data import read_data
from deep_research.text.wording import Token, content_words, names_in, nfkc, stem, terms_in, word_tokens

from .contrasts import LABELLED_LINE, PASSIVE
from .evidence import SourcePassage, SourceReading
from .found import told_in
from .subjects import is_name, topic_of


def is_under_other_label(
    number: str, claim: frozenset[str], readings: Sequence[SourceReading], alone: bool = False
) -> bool:
    """Whether a number stands only under labels, and under none of those that the claim names.

    A label is the first cell of a row, or a heading in its paragraph ("**Cost.** 44,000 crowns"). Nothing
    follows where the claim names no row of these tables, or says of a paragraph's number more than that. In a
    table of two columns the label is an attribute, of which a claim may have other words. A number that
    stands `alone` in its claim is of what the claim names: prose counts only if it speaks of that.
    """
    words = terms_in(number)
    terms = {term for term in words if term[0].isdigit()} or words  # its unit may be written in another way
    places = [(one, n) for one in readings for n in one.places.get(min(terms, default=""), ())]
    stating = [one.passages[n] for one, n in places if terms <= one.passages[n].terms]
    prose = [one for one in stating if not one.label]
    if prose and not alone:
        return False
    tables = {_table_of(one) for one in stating if one.label}
    rest = [{term for term in claim - one.terms if not term[0].isdigit()} for one in stating]

    def counts(one: SourcePassage) -> bool:
        says_no_more = "|" in one.text or any(more <= one.label for more in rest)
        return says_no_more and (alone or one.text.strip("| ").count("|") > 1)

    labelled = (one for reading in readings for term in claim for one in reading.labelled.get(term, ()))
    named = [one for one in labelled if one.label <= claim and _table_of(one) in tables and counts(one)]
    is_said = any(one.terms & other.label for one in prose for other in named)
    return bool(named) and not is_said and not any(one in named for one in stating)


def is_in_other_column(claim: str, passages: Iterable[SourcePassage]) -> bool:
    """Whether a claim gives under the label of a column what rows have in another: "Maker: ..."."""
    tables = (one for one in passages if one.text[:1] == "|" and "|" in one.setting)
    rows = [nfkc(told_in(one)).casefold().split("; ") for one in tables]
    for label, value in _LABELLED.findall(nfkc(claim).casefold()):
        wanted, among = terms_in(value), [row for row in rows if any(cell.startswith(label) for cell in row)]
        cells = [cell for row in among for cell in row if wanted <= terms_in(cell)]
        if wanted and cells and not any(cell.startswith(label) for cell in cells):
            return True
    return False


def _table_of(passage: SourcePassage) -> str:
    """What tells a table from others: its header; the paragraphs of a page with headings are one."""
    return passage.setting if "|" in passage.text else ""


_WORDS = {name: words.split() for name, words in read_data(__file__, "roles.toml").items()}
LEADERS = frozenset(_WORDS["leaders"])
_AGENT_NOUNS, _FORMS_OF_BE = frozenset(_WORDS["agents"]), frozenset(_WORDS["be"])
_ROLES = {word: role for role in ("owner", "agent", "other") for word in _WORDS[role]}
_ROLES |= dict.fromkeys(_AGENT_NOUNS, "agent")
_PRONOUNS = dict.fromkeys(_WORDS["possessives"], "owner") | dict.fromkeys(_WORDS["pronouns"], "")
_ARTICLES, _LIST_WORDS = frozenset(_WORDS["articles"]), frozenset(_WORDS["lists"])
_LABELLED = re.compile(r"(?:^|[;；—–] ?)([^:;；—–|]{1,60}: )([^:;；—–|]+?)(?=[;；—–]|\.?$)")
_CLAUSE_END = re.compile(r"[;；]|,\s|\s(?:which|who|while|whereas|but|because|since|when|where)\s")
_PART_END = re.compile(r"[;；]|,\s|\s(?:and|which|who|while|whereas|but|where)\s")
_SIDE_BY_SIDE = re.compile(
    r"\b(?:and|or|than|as|like|unlike|versus|vs|both|neither|compar\w+|differ\w*)\b|/", re.IGNORECASE
)
_PERSON = r"([A-Z]\w{1,40}(?: [A-Z]\w{1,40}){1,6})"
_WAS = r"(?:was|is|were|are|(?:has|had) been|became)"
_OFFICE = r"((?:(?!of )[a-z]+ ){0,2}[a-z]{4,})"
_OF = r"(?: of (?P<whole>[^,;:.]{1,120}?)(?=$|[,;:.]| (?:is|was|has|in|from|since|until)\b))?"
_WHOLE = re.compile(r" of ([^,;:.]{1,120}?)(?= (?:is|was)\b|[,;:.]|$)")
_OFFICE_FIRST = re.compile(
    rf"\b(?:[Ii]ts|[Tt]he|[Hh]is|[Hh]er|[Tt]heir|\w+['’]s?) {_OFFICE}{_OF}(?: (?:in|since) \d+)? "
    rf"{_WAS} {_PERSON}"
)
_NAME_FIRST = re.compile(
    rf"{_PERSON} (?:{_WAS}|served as|was in charge of [^,;:.]{{1,120}}? as) "
    rf"(?:(?:its|(?:the )?\w+['’]s?) {_OFFICE}|(?:(?:the|an?) )?{_OFFICE}(?= of\b)|(?<=\bas ){_OFFICE}"
    rf"|((?:[a-z]+ )?(?:{'|'.join(_WORDS['leaders'])}))\b){_OF}"
)
_LEADS = re.compile(rf"\b(?:{'|'.join(_WORDS['leading'])})\b")
_POINTS = re.compile(r"\b(?:it|s?he|they|him|her|them|who|whom|which|whose|its|his|their)\b", re.IGNORECASE)
_RELATED = 5  # letters of a stem: "design" in "designer"
_APPOSITION = 4  # words before a name that say who this is, "his former student" with what leads to them
_LEADS_TO_NAME = 7  # words from "of" to the end of the name that it leads to
_BEHIND_OWNER = 5  # words behind an owner, of which one may be what it owns: "its two oldest ships"
_NAMES = 2  # in a claim: of more it is not told which two have to do with each other


def are_joined_by_none(sentence: str, readings: Sequence[SourceReading]) -> bool:
    """Whether the clause that a sentence opens with says of its first name something about another, and no
    source has both: what joins them nobody has said.

    Sources of which one names what another is about lead from name to name, and things that are only set
    side by side need no source for both.
    """
    clause = _CLAUSE_END.split(nfkc(sentence), maxsplit=1)[0]
    known = "\n".join(f"{one.title}\n{one.text}" for one in readings)
    names = [
        terms for run in names_in(clause, initial=True) if is_name(run, known) for terms in [_terms(run)]
    ]
    others = [name for name in names[1:] if name.isdisjoint(names[0])]
    if not others or _SIDE_BY_SIDE.search(clause):
        return False
    on_it = [one for one in readings if _has(one, names[0])]
    beside = [one for one in readings if one not in on_it and any(_has(one, name) for name in others)]
    if not on_it or not beside or any(_has(one, name) for one in on_it for name in others):
        return False
    return not any(_leads_to(a, b) or _leads_to(b, a) for a in on_it for b in beside)


def _leads_to(one: SourceReading, other: SourceReading) -> bool:
    """Whether a source names what another is about."""
    return any(_has(one, name) for name in topic_of(other))


def _has(reading: SourceReading, name: frozenset[str]) -> bool:
    return name <= reading.places.keys() | terms_in(reading.title)


def _terms(run: Sequence[Token]) -> frozenset[str]:
    return frozenset(token.term for token in run)


class Office(NamedTuple):
    """What a sentence says who was, of what: the noun, the terms of the name and of the thing, and whether it
    is one at the head, which may be called by many words."""

    noun: str
    name: frozenset[str]
    surname: str
    whole: frozenset[str]
    leads: bool


def has_other_office(sentence: str, readings: Sequence[SourceReading]) -> bool:
    """Whether a claim says that somebody was what no page calls this name near it, and pages say that it was
    something else of the same thing, or that somebody else was that: "its architect was Ada Moe" where Ada
    Moe was its head librarian. A head librarian may be a library's director, unless that is another."""
    plain = nfkc(sentence).replace("CEO", "chief executive")
    for ours in _offices(plain):
        places = [(r, at) for r in readings for at, p in enumerate(r.passages) if ours.surname in p.terms]
        about = [one.passages[at] for one, at in places]
        before = (one.passages[at - 1] for one, at in places if at and _opens(one.passages[at], ours.name))
        if any(_is_called(ours.noun, one.terms) for one in before) or any(
            _is_called(ours.noun, one.context) or ours.surname in _beside(ours.noun, one) for one in about
        ):  # "Bo Lind was mayor. Ute Harms followed in 2019."
            continue
        if ours.leads and any(_LEADS.search(one.text) for one in about):
            continue
        matter = terms_in(plain).union(*(one.context for one in about)) - ours.name
        held = [held for one in about for held in _offices(nfkc(told_in(one))) if held.name == ours.name]
        others = (one for reading in readings for one in reading.passages if _is_called(ours.noun, one.terms))
        same = [one.leads and ours.leads for one in held if not one.whole or one.whole & matter]
        if (same and not any(same)) or (about and any(_is_of_other(ours, one, matter) for one in others)):
            return True
    return False


def _opens(passage: SourcePassage, name: frozenset[str]) -> bool:
    return any(token.term in name for token in word_tokens(passage.text)[:1])


def _is_called(noun: str, words: Iterable[str]) -> bool:
    return any(word[:_RELATED] == noun[:_RELATED] for word in words)


def _is_of_other(office: Office, passage: SourcePassage, matter: Set[str]) -> bool:
    """Whether a passage has an office, of nothing else, beside somebody."""
    wholes = (_terms(content_words(one[1])) for one in _WHOLE.finditer(nfkc(told_in(passage))))
    return bool(_beside(office.noun, passage)) and all(whole & matter for whole in wholes)


def _beside(noun: str, passage: SourcePassage) -> frozenset[str]:
    """The terms of the clauses with an office; where one has nobody, of the last before that has somebody and
    of the next if that opens with somebody: "the cook, Sam Pike"."""
    clauses = _PART_END.split(nfkc(told_in(passage)))
    held = [place for place, clause in enumerate(clauses) if re.search(_PERSON, clause)]
    named = [place for place, clause in enumerate(clauses) if held and _is_called(noun, terms_in(clause))]
    places = {max((one for one in held if one <= place), default=held[0]) for place in named}
    places |= {
        at + 1 for at in named if at not in held and re.match(_PERSON, "".join(clauses[at + 1 : at + 2]))
    }
    return frozenset[str]().union(*(terms_in(clauses[place]) for place in places))


def _offices(text: str) -> list[Office]:
    """What a sentence says who was, of what."""
    found = [(one[1], one[3], one["whole"]) for one in _OFFICE_FIRST.finditer(text)]
    found += [
        (one[2] or one[3] or one[4] or one[5], one[1], one["whole"]) for one in _NAME_FIRST.finditer(text)
    ]
    return [
        Office(
            stem(noun.split()[-1]), terms_in(name), stem(name.split()[-1]),
            _terms(content_words(whole or "")), not LEADERS.isdisjoint(noun.split()),
        )
        for noun, name, whole in found
    ]  # fmt: skip


def is_done_to_other(sentence: str, readings: Sequence[SourceReading]) -> bool:
    """Whether a claim says that something was done to what it names, "X was fined", and pages that tell of
    such a thing, with a figure of the claim, say of nobody that may be X that it was: none of the sentences
    with a word of that stem has X, its page, or a word that points back, but where X does it."""
    plain = nfkc(sentence)
    names = {run[-1].start + len(run[-1].word): _terms(run) for run in names_in(plain, initial=True)}
    figures = {term for term in terms_in(plain) if term[0].isdigit()}
    for done in PASSIVE.finditer(plain):
        name, verb = names.get(done.start() - 1), stem(done[1])
        told = [
            (one, at)
            for one in readings if name
            for at, passage in enumerate(one.passages)
            if _is_called(verb, passage.terms)
        ]  # fmt: skip
        is_this = any(not figures.isdisjoint(one.passages[at].terms) for one, at in told)
        if name and is_this and not any(_may_speak_of(name, done[1], one, at) for one, at in told):
            return True
    return False


def _may_speak_of(name: frozenset[str], done: str, reading: SourceReading, at: int) -> bool:
    """Whether a sentence may say that something was done to this: not if it did it itself, or if somebody did
    it to another that is named behind the verb."""
    passage = reading.passages[at]
    behind = re.search(rf"\b{done} ((?:the )?[A-Z]\S*(?: \S+){{0,5}})", passage.text)
    if behind and name.isdisjoint(terms_in(behind[1])) and done not in PASSIVE.findall(passage.text):
        return False
    if name & passage.terms:
        words = word_tokens(passage.text)
        places = [before.term in name for before, word in pairwise(words) if word.word == done]
        return not places or not all(places)
    before = reading.passages[at - 1].terms if at else frozenset[str]()
    leans = name & before and re.search(rf"^(?:The|This) |\b{done} (?:the|this) [a-z]", passage.text)
    return bool(name & passage.context or leans or _POINTS.search(passage.text))


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
    return _terms(words[of - 1 : of] if of else behind)


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
    if (
        [word.word for word in words[:1]] == ["The"]
        and len(words) > 1
        and not (words[1].capital or words[1].term.isdigit())
    ):
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
