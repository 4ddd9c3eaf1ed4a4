"""What of a question a finished report leaves open, by the words of both; no model is asked.

A part of the question is open when no cited sentence carries a word that is its own: a clause that asks
something ("…, and who was blamed?"), one of two things asked of one subject ("height and weight of"), one of
the things compared, or of what they are compared by. So is the part that the report itself denies. The whole
question is open when the report's lead is a denial or offers only what comes nearest, or when nothing that
was found names what the question names. Synonyms and paraphrases cannot be told from silence by words alone,
so in doubt a part counts as answered; a report whose lead denies never does, nor what it is to compare by.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from deep_research.core.forms import denies, denies_more, form, offers_nearest, undenied
from deep_research.core.records import Gap, Source
from deep_research.engine.context import Context
from deep_research.sources.citations import CitedText
from deep_research.text.cited_sentences import CitedSentence, headings_above
from deep_research.text.language import shorten, split_sentences
from deep_research.text.quantities import quantities
from deep_research.text.terms import is_cjk
from deep_research.text.wording import Token, content_words, names_in, nfkc, terms_in, word_tokens

from .naming import names_nothing_asked, names_only_others

_COORDINATION = re.compile(
    r"\s*(?:[,;/&]|\b(?:and|or|vs|versus|than|with|against)\b|\s|\bthe\b|\.)*"
    r"|[^,;.?!]{1,60}\bthan (?:the )?",  # "longer or shorter than the"
    re.IGNORECASE,
)
_KANA_NAME = "[\u30a1-\u30fa\u30fc・]{2,}[\u4e00-\u9fff]{0,3}"
_CJK_PAIR = re.compile(
    rf"({_KANA_NAME})(?:と|、|か、?|や)({_KANA_NAME})"  # two names in katakana
    r"|([\u4e00-\u9fff·]*([\u4e00-\u9fff]))(?:和|与|跟|还是)([\u4e00-\u9fff·]{1,20}?\4)"  # with one ending
)
_QUOTED = re.compile('[“「『"]([^”」』"]+)[”」』"]')
_QUESTION_MARK = re.compile(r"[?？]")
_LIST_BREAK = re.compile(r"[,;；\n]+")
_KEYWORDS = 4
"""Words of a keyword at most; more are a sentence."""
_GRAMMAR = re.compile("[\u3041-\u309f的了是在]")
_LEAD = 3
"""So many sentences stand at a report's beginning; what they say is what it says."""
_SHOWN = 120


_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a question, and the terms that no other piece has."""

    text: str
    own: frozenset[str]


def open_parts(question: str, text: CitedText, sources: Sequence[Source], ctx: Context) -> list[str]:
    """The parts of the question that the report leaves open; the whole question where its lead is a denial.

    `sources` are all that were found: by their titles names are known in small letters, too.
    """
    if lead_denies(text):
        return [shorten(question, _SHOWN)]
    carried = [_carried(text, said) for said in _borne(text) if not denies(said.text, bool(said.numbers))]
    if names_nothing_asked(question, text, sources, ctx):
        return [shorten(question, _SHOWN)]
    titles = [source.title for source in sources]
    borne = [(said.text, _carried(text, said)) for said in _borne(text) if not denies(said.text, cited=True)]
    asked = question if names_in(question) else _as_titled(question, titles)
    if names_only_others(asked, borne, sources, ctx):
        return [shorten(question, _SHOWN)]
    subject = frozenset(token.term for run in names_in(_as_titled(question, titles)) for token in run)
    named = frozenset(chain.from_iterable(terms_in(source.title) for source in text.cited))
    compared_by = criteria(question)
    missing = [
        part
        for asked in (clauses(question), *([] if compared_by else pairs(question)))
        for part in asked
        if _is_open_clause(part, asked, carried, subject)
    ]
    missing += [part for part in compared_by if not _is_carried(part, carried)]
    missing += [part for part in items(question, titles) if not _is_carried(part, [*carried, named])]
    missing += _denied(question, titles, text, carried)
    missing += _of_other_times(question, text)
    return list(dict.fromkeys(shorten(part.text, _SHOWN) for part in missing))


def _denied(
    question: str, titles: Sequence[str], text: CitedText, carried: Sequence[frozenset[str]]
) -> list[Part]:
    """What the report itself says was not found: a thing that the question names, or a part that it asks.

    A denial that goes beyond the question's words is about the question all the same if it has a word that is
    neither in a name nor in the title of a source cited before it, and that the report either states nothing
    of or denies in its lead: what is cited before it there may be beside the point.
    """
    plain = _as_titled(question, titles)
    runs = names_in(plain)
    names = _parts([plain[run[0].start : run[-1].start + len(run[-1].word)] for run in runs])
    sentences = text.sentences()
    strict = [said.text for said in sentences if not said.numbers and denies(said.text, cited=True)]
    denied = [name for name in names if any(name.own & terms_in(said) for said in strict)]
    asked, named = terms_in(question), {token.term for run in runs for token in run}
    lead, told = _own_sentences(sentences)[:_LEAD], frozenset[str]().union(*carried)
    for said in sentences:
        if not denies(said.text, cited=bool(said.numbers)):
            continue
        if not said.numbers and (quoted := _quoted_part(said.text, question)):
            denied.append(Part(quoted, terms_in(quoted)))
            continue
        words = list(_denied_words(said))
        terms = frozenset(token.term for token in words)
        before = {number for one in sentences if one.start < said.start for number in one.numbers}
        subject = named.union(*(terms_in(text.cited[number - 1].title) for number in before))
        wanted = (terms & asked) - subject - (frozenset() if said in lead else told)
        only_asked = bool(terms) and terms <= asked and not said.numbers
        if (wanted or only_asked) and not any(name.own & terms for name in denied):
            about = wanted or terms & asked
            parts = names if terms <= named else _asked_parts(question, about)
            whole = Part(question.strip(), terms)
            lacking = whole if len(whole.text) <= _SHOWN else _lacking(said.text, words, asked)
            denied += _with_terms(parts, about, carried) or [lacking]
    return denied


def _of_other_times(question: str, text: CitedText) -> list[Part]:
    """The question, if it asks about one year, and whatever the report dates is later or has ended before."""
    asked = {year for one in form("questions.in_year").findall(question) for year in _YEAR.findall(one)}
    if len(asked) != 1 or asked < {*_YEAR.findall(question)}:
        return []
    (year,) = asked
    times = [sorted(years) for said in _borne(text) if (years := _years(said.text))]
    covered = any(t[0] <= year and (len(t) == 1 or year <= t[-1]) for t in times)
    return [] if covered or not times else [Part(question.strip(), terms_in(question))]


def _years(sentence: str) -> set[str]:
    plain, dates = nfkc(sentence), (value for value in quantities(sentence) if value.date)
    return {year for date in dates for year in _YEAR.findall(plain[date.start : date.end])}


def _quoted_part(denial: str, question: str) -> str:
    """What a denial quotes of the question, in one piece or with a name for a pronoun; "" if these words are
    too few to ask anything."""
    quoted = (match[1].strip(" ?？.。") for match in _QUOTED.finditer(denial))
    asked = {token.word.casefold() for token in word_tokens(question)}
    pieces = (
        said
        for said in quoted
        if said.casefold() in question.casefold()
        or all(token.word.casefold() in asked for token in word_tokens(said))
    )
    return next((said for said in pieces if said.count(" ") > 1 or (is_cjk(said) and len(said) > 4)), "")


def _lacking(denial: str, words: Sequence[Token], asked: frozenset[str]) -> Part:
    """What a denial is about in its own words, from the first to the last that the question has too."""
    shared = [token.word for token in words if token.term in asked]
    start, end = denial.find(shared[0]), denial.rfind(shared[-1]) + len(shared[-1])
    return Part(denial[max(0, start) : end], asked)


def _asked_parts(question: str, terms: frozenset[str]) -> list[Part]:
    """The smallest parts of the question of which one at least has any of the terms."""
    smallest = (
        list(chain.from_iterable(pairs(question))),
        clauses(question),
        _parts(split_sentences(question)),
    )
    return next((parts for parts in smallest if any(part.own & terms for part in parts)), [])


def _with_terms(
    parts: Sequence[Part], terms: frozenset[str], carried: Sequence[frozenset[str]]
) -> list[Part]:
    """Those parts that have any of the terms, if possible such as no cited sentence carries."""
    found = [part for part in parts if part.own & terms]
    return [part for part in found if not _is_carried(part, carried)] or found


def _denied_words(said: CitedSentence) -> list[Token]:
    """What a denial is about: its words of content besides those that deny, ask, or speak of sources."""
    subject = form("talk.marks").sub(" ", undenied(said.text))
    return [token for token in content_words(_without_generic(subject)) if not token.filler]


def unanswered_gaps(question: str, text: CitedText, sources: Sequence[Source], ctx: Context) -> list[Gap]:
    """A gap for each part of the question that the report leaves open; none without a cited report."""
    if not text.cited:
        return []
    parts = open_parts(question, text, sources, ctx)
    return [ctx.gap("unanswered", "part_open", question, part=part) for part in parts]


def lead_denies(text: CitedText) -> bool:
    """Whether the first thing that a report says is that it has no answer, or only what comes nearest.

    Behind a cited sentence only a denial of everything counts, one that names nothing: "It is not said."
    Below a heading of its own it is about what the heading names.
    """
    cited: CitedSentence | None = None
    for said in _own_sentences(text.sentences())[:_LEAD]:
        if denies(said.text, cited=bool(said.numbers)):
            if not cited or _denies_all(said, text, cited):
                return True
        elif offers_nearest(said.text) and not cited:
            return True
        cited = cited or (said if said.numbers else None)
    return False


def says_open(sentences: Iterable[CitedSentence], part: str) -> bool:
    """Whether a report itself says, in these very words, that nothing was found on a part of the question."""
    return any(denies(said.text) and part.casefold() in said.text.casefold() for said in sentences)


def _denies_all(said: CitedSentence, text: CitedText, before: CitedSentence) -> bool:
    """Whether a denial names nothing that is denied, under the headings of a sentence `before` it."""
    above, other = (headings_above(text.markdown, one.start) for one in (said, before))
    return above == other and not denies_more(said.text) and not _denied_words(said)


def _own_sentences(sentences: Sequence[CitedSentence]) -> list[CitedSentence]:
    """The sentences without lines that only open what follows them, such as a label before a list."""
    labels = (":", "：")
    return [
        one for one in sentences if one.numbers or offers_nearest(one.text) or not one.text.endswith(labels)
    ]


def _carried(text: CitedText, said: CitedSentence) -> frozenset[str]:
    """The terms of a sentence and of the headings above it, apart from the report's title."""
    above = headings_above(text.markdown, said.start)
    return terms_in(said.text).union(*(terms_in(heading) for heading in above))


def _borne(text: CitedText) -> Iterator[CitedSentence]:
    """The sentences with a citation, and those of one paragraph that go before one."""
    waiting: list[CitedSentence] = []
    for said in text.sentences():
        if waiting and "\n" in text.markdown[waiting[-1].end : said.start]:
            waiting = []
        waiting.append(said)
        if said.numbers:
            yield from waiting
            waiting = []


# --- the parts of a question -----------------------------------------------------------------------------


def clauses(question: str) -> list[Part]:
    """The clauses that each ask something; none where there are fewer than two.

    A question of keywords alone has a clause between every two commas.
    """
    asking = _asking(question)
    split = chain.from_iterable(form("questions.breaks").split(sentence) for sentence in asking)
    pieces = [piece.strip(" ,.、，") for piece in split]
    asked = [piece for piece in pieces if form("questions.marks").search(piece)]
    if not asked and len(asking) == 1:
        listed = _LIST_BREAK.split(question)
        asked = listed if all(len(piece.split()) <= _KEYWORDS for piece in listed) else []
    return _parts([piece.strip() for piece in asked])


def pairs(question: str) -> Iterator[list[Part]]:
    """Every two things that the question asks of one subject."""
    for sentence in map(nfkc, _asking(question)):
        for match in form("questions.pairs").finditer(sentence):
            both = [piece for piece in match.groups() if piece]
            subject = _content(question.replace(match[0], " "))
            if not any(form("questions.marks").search(piece) for piece in both):
                yield [Part(part.text, part.own - subject) for part in _parts(both) if part.own - subject]


def criteria(question: str) -> list[Part]:
    """What the question wants things compared by; who names it wants to read of it by this name."""
    found = form("questions.criteria").search(nfkc(question))
    listed = form("questions.joins").split(next(filter(None, found.groups()))) if found else []
    return [Part(piece, terms) for piece in listed if (terms := _content(piece))]


def _asking(question: str) -> Sequence[str]:
    """The sentences that ask: where there are question marks, those that end in one."""
    sentences = split_sentences(question)
    return [one for one in sentences if _QUESTION_MARK.search(one)] or sentences


def items(question: str, titles: Sequence[str] = ()) -> list[Part]:
    """The things that a question sets side by side: two of them, or more where it asks about each.

    They are names, as the question or the titles of sources write them.
    """
    runs = _coordinated(_as_titled(question, titles)) or _cjk_items(question)
    asks_for_each = form("questions.each").search(question)
    return _parts(runs) if len(runs) == 2 or asks_for_each else []


def _parts(pieces: Sequence[str]) -> list[Part]:
    if len(pieces) < 2:
        return []
    terms = [_content(piece) for piece in pieces]
    own = [
        mine.difference(*(other for place, other in enumerate(terms) if place != at))
        for at, mine in enumerate(terms)
    ]
    return [Part(piece, mine) for piece, mine in zip(pieces, own, strict=True) if mine]


def _content(piece: str) -> frozenset[str]:
    """The terms of a piece that name something; pairs of characters with a grammatical one only if alone."""
    words = word_tokens(_without_generic(piece))
    terms = frozenset(token.term for token in words if not token.filler)
    return frozenset(term for term in terms if not _GRAMMAR.search(term)) or terms


def _without_generic(piece: str) -> str:
    """A piece without the words that ask but name nothing."""
    plain = form("questions.generic").sub(" ", nfkc(piece))
    return form("questions.marks").sub(" ", plain)


def _is_open_clause(
    part: Part, every: Sequence[Part], carried: Sequence[frozenset[str]], subject: frozenset[str]
) -> bool:
    """Whether no cited sentence has a word of a clause.

    A single word may stand in the report as a synonym, wherever a sentence answers no other clause: by words
    besides those of the `subject`, which any sentence may have.
    """
    if _is_carried(part, carried):
        return False
    others = frozenset[str]().union(*(one.own for one in every if one != part)) - subject
    return _words_of(part.own) > 1 or all(terms & others for terms in carried)


def _words_of(terms: frozenset[str]) -> int:
    """How many words they make; pairs of characters that overlap are one."""
    goes_on = {term[-1] for term in terms if is_cjk(term)}
    return max(1, sum(not (is_cjk(term) and term[0] in goes_on) for term in terms))


def _is_carried(part: Part, carried: Iterable[frozenset[str]]) -> bool:
    return any(part.own & terms for terms in carried)


def _as_titled(question: str, titles: Sequence[str]) -> str:
    """The question with capitals where titles always have them: names that a user typed in small letters."""
    written: dict[str, bool] = {}
    for token in chain.from_iterable(_words(title) for title in titles):
        written[token.term] = written.get(token.term, True) and token.capital
    plain = nfkc(question)
    for token in _words(plain):
        if written.get(token.term) and not token.filler:
            plain = plain[: token.start] + plain[token.start].upper() + plain[token.start + 1 :]
    return plain


def _words(text: str) -> list[Token]:
    return [token for token in content_words(text) if not is_cjk(token.term)]


def _coordinated(question: str) -> list[str]:
    """The names of the longest row of names with nothing but commas, "and", "or" between them."""
    names = [(run[0].start, run[-1].start + len(run[-1].word)) for run in names_in(question)]
    rows, row = [], names[:1]
    for before, after in pairwise(names):
        if _COORDINATION.fullmatch(question[before[1] : after[0]]):
            row.append(after)
        else:
            rows.append(row)
            row = [after]
    longest = max([*rows, row], key=len)
    return [question[start:end] for start, end in longest] if len(longest) > 1 else []


def _cjk_items(question: str) -> list[str]:
    """Two names around "和", "と" and the like: in katakana, or with the same last character."""
    pair = _CJK_PAIR.search(question)
    return [pair[1] or pair[3], pair[2] or pair[5]] if pair else []
