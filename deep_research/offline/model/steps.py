"""One hop: what pages give as the value of a relation of something, and how surely."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from . import lexicon, life, thesaurus
from .hops import Hop, is_label, reach
from .names import Name, likeness, mentions, names, normal
from .page import ABOUT, Page, aboutness, setting
from .question import Question
from .text import Sentence, is_cjk, stem, term_set, terms
from .timing import in_office, still_holds, time_fit
from .values import Value, dates, numbers

_PATTERNS = {
    r.key: (re.compile(r.leads, re.I), re.compile(r.trails, re.I) if r.trails else None)
    for r in lexicon.RELATIONS
}
_CAUSAL = re.compile(
    r"\b(?:because|due to|caused|cause|reason|so that|in order to|after|since|as a result|following"
    r"|traced)\b|因为|由于|原因|ため|ので|から",
    re.I,
)
IN_OFFICE = 0.6
"""A span of years around the one asked, with a name: somebody in office, whatever the office is called."""
MIN_FIT = 0.33
CLEAR = 0.6
_OF_KIND, _ANY_NAME = 0.55, 0.2
_OWN_PAGE = 0.95


@dataclass(frozen=True, slots=True)
class Step:
    """One hop taken: on which page, by which sentence, to which value; `score` 0–1 says how surely."""

    subject: str
    hop: Hop
    page: Page
    sentence: Sentence
    value: str
    score: float


def candidates(question: Question, subject: str, hop: Hop, pages: Sequence[Page]) -> list[Step]:
    """What pages give as the value of a relation of `subject`, most likely first."""
    found: list[Step] = []
    for page in pages:
        about = aboutness(page, subject)
        for number, sentence in enumerate(page.sentences):
            named = mentions(sentence.text, subject)
            if (about < ABOUT or _row_of_other(sentence, subject)) and not named:
                continue
            near = max(about, 0.9 if named else 0.0) - 0.01 * min(number, 10) if about >= ABOUT else 0.55
            fit = fitness(hop, sentence, page.title)
            if hop.relation == "head" and fit < IN_OFFICE and in_office(question, sentence.text):
                fit = IN_OFFICE
            if fit >= MIN_FIT:
                timely = time_fit(question, sentence.text, setting(page, sentence))
                found += _values(subject, hop, page, _cell(question, sentence), near * fit * timely)
    if question.when == "now":
        found = _latest_first(found)
    found.sort(key=lambda step: (-step.score, step.page.id, step.value))
    best: dict[str, Step] = {}
    for step in found:
        best.setdefault(normal(step.value), step)
    return list(best.values())


def _latest_first(found: Sequence[Step]) -> list[Step]:
    """For a question about now: what began before something else did that still holds is less sure."""
    last = max((still_holds(step.sentence.text) for step in found), default=0)
    return [
        replace(step, score=0.8 * step.score) if 0 < still_holds(step.sentence.text) < last else step
        for step in found
    ]


def _row_of_other(sentence: Sentence, subject: str) -> bool:
    """Whether a table row stands for another thing by name ("Mill Lane — length: 3 km" on a town's page)."""
    label = sentence.text.split(" — ")[0] if sentence.kind == "row" and " — " in sentence.text else ""
    named = [name.text for name in names(f"of {label}") if " " in name.text] if label else []
    return any(likeness(name, subject) < ABOUT for name in named)


def by_kind(subject: str, hop: Hop, pages: Sequence[Page], known: Sequence[Step]) -> list[Step]:
    """Ways on where no words of the relation are said clearly: names on the subject's own page, of the kind
    asked for ("the mine that ...": a name with Mine in it, or one whose page calls it a mine); if there is
    nothing else at all, any name, except those that stand on most pages and lead nowhere."""
    surest = max((step.score for step in known if step.value), default=0.0)
    if surest >= CLEAR:
        return []
    found: dict[str, Step] = {}
    for page in pages:
        for sentence in page.sentences if aboutness(page, subject) >= ABOUT else ():
            for name in names(sentence.text):
                if likeness(name.text, subject) >= 0.75 or not (" " in name.text or is_cjk(name.text)):
                    continue
                fits = _is_kind(name.text, hop, pages)
                common = _commonness(name.text, pages)
                if fits or (surest < MIN_FIT and common <= 0.5):
                    score = _OF_KIND if fits else _ANY_NAME * (1 - common)
                    found.setdefault(normal(name.text), Step(subject, hop, page, sentence, name.text, score))
    return sorted(found.values(), key=lambda step: -step.score)


def _is_kind(name: str, hop: Hop, pages: Sequence[Page]) -> bool:
    own = next((page for page in pages if aboutness(page, name) >= _OWN_PAGE), None)
    said = term_set(f"{own.title} {own.sentences[0].text}") if own and own.sentences else frozenset()
    return bool(set(hop.loose) & (said | term_set(name)))


def _commonness(name: str, pages: Sequence[Page]) -> float:
    """The share of the pages shown that a name stands on; 0 for few pages, and if one of them is its own."""
    if len(pages) <= 3 or any(aboutness(page, name) >= _OWN_PAGE for page in pages):
        return 0.0
    return sum(normal(name) in normal(page.text) for page in pages) / len(pages)


def _cell(question: Question, sentence: Sentence) -> Sentence:
    """Of a row with a column per year, the cell of the one year asked."""
    if sentence.kind != "row" or len(question.years) != 1:
        return sentence
    label, _, cells = sentence.text.partition(" — ")
    own = [cell for cell in cells.split("; ") if cell.startswith(f"{question.years[0]}: ")]
    return replace(sentence, text=f"{label} — {own[0]}") if own else sentence


def _values(subject: str, hop: Hop, page: Page, sentence: Sentence, sure: float) -> list[Step]:
    if hop.wants in {"date", "number", "lifespan"}:
        amounts = quantities(hop, sentence.text)[:2]
        return [Step(subject, hop, page, sentence, v, sure * (1 - 0.1 * i)) for i, v in enumerate(amounts)]
    if hop.wants in {"country", "text"}:
        value = _after_cue(hop, sentence.text)
        if hop.relation == "deathcause":
            value = life.cause_of_death(sentence.text)
            sure *= 1.0 if value else 0.5
        return [Step(subject, hop, page, sentence, value, sure)]
    if hop.relation in life.PLACES and not is_cjk(sentence.text):
        value, plain = life.place(hop.relation, sentence.text)
        return [Step(subject, hop, page, sentence, value, sure * max(plain, 0.5))]
    near = _near_names(subject, hop, sentence.text)
    found = [Step(subject, hop, page, sentence, name, sure * closeness) for name, closeness in near]
    if hop.wants == "any" or (hop.wants == "place" and not found):
        found.append(Step(subject, hop, page, sentence, "", sure * 0.75))
    return found


# --- does a sentence speak of a relation ---------------------------------------------------------------


@lru_cache(maxsize=131072)
def fitness(hop: Hop, sentence: Sentence, title: str = "") -> float:
    """How well a sentence speaks of a relation, 0–1: a cue of general language, and the words of the
    question."""
    text = sentence.text
    told = f"{text} {sentence.heading} {title}" if sentence.kind == "row" else f"{text} {sentence.heading}"
    share = _said(hop, told, title)
    if hop.wants == "text" and not hop.relation and not _CAUSAL.search(text):
        return 0.0
    if not hop.relation:
        return share
    if hop.relation in life.PLACES and not is_cjk(text) and life.place(hop.relation, text)[0]:
        return 1.0
    leads, trails = _PATTERNS[hop.relation]
    if not (leads.search(text) or (trails and trails.search(text))):
        have = term_set(text)
        asked = terms(hop.asked)
        said = sum(t in have for t in asked) / len(asked) if asked and hop.loose else 0.0
        return max(0.8 * said, 0.7 * share)
    if hop.loose:
        return 0.6 + 0.4 * share
    return 1.0 if hop.wants != "any" or set(terms(hop.asked)) & term_set(told) else 0.9


def _said(hop: Hop, text: str, title: str) -> float:
    """Share of the words that a sentence says; words that only the page's title says count half.

    A number with a unit of the asked dimension says the dimension ("253 m" for "how long").
    """
    if not hop.loose:
        return 0.0
    have, above = term_set(text), term_set(title)
    measured = hop.wants in {"number", "any"}

    def weight(term: str) -> float:
        if reach(term) & have:
            return 1.0
        if measured and has_unit(term, text):
            return 0.2 if other_measure(term, have) else _UNIT_ALONE.get(_QUANTITY.get(term, ""), 0.9)
        return 0.5 if reach(term) & above else 0.0

    said = [weight(term) for term in hop.loose]
    if max(said) < 0.6 or (hop.key and not (reach(hop.key) & (have | above) or has_unit(hop.key, text))):
        return 0.0
    share = sum(said) / len(said)
    enough = measure(hop.key) or sum(w >= 0.6 for w in said) > 1
    if hop.key and enough and share >= (0.2 if is_cjk(text) else 0.25) and reach(hop.key) & have:
        return max(share, 0.5)
    return share


def has_unit(term: str, text: str) -> bool:
    """Whether a text has a number in a unit of the dimension that a word names."""
    units = measure(term)
    return bool(units and units.search(text))


def measure(term: str) -> re.Pattern[str] | None:
    """The pattern of numbers in the units of the dimension that a word names ("long", "weigh"), if it names
    one."""
    return _UNIT_OF.get(term)


def other_measure(term: str, have: frozenset[str]) -> bool:
    """Whether words name another measure in the same units: a width where the height is asked."""
    own = _QUANTITY.get(term)
    return any(_QUANTITY.get(t, own) != own and _UNIT_OF.get(t) for t in have - _UNIT_WORDS)


_UNIT_ALONE = {"height": 0.6, "depth": 0.6, "width": 0.6}
"""How much a unit alone tells of a dimension that shares its units with lengths of all kinds."""
_MEASURED = {**{kind: kind for kind in thesaurus.UNITS}, **lexicon.DIMENSIONS, **thesaurus.MEASURES}
_QUANTITY = {stem(word): quantity for word, quantity in _MEASURED.items()}

_UNIT_WORDS = {
    stem(word) for word, kind in _MEASURED.items() if re.search(thesaurus.UNITS.get(kind, "$^"), word)
}
"""Words that are units, and so say nothing of which measure a number is."""


def _unit_words() -> dict[str, re.Pattern[str]]:
    found = {}
    for word, kind in _MEASURED.items():
        if kind in thesaurus.UNITS:
            units = rf"(?:\d|hundred|thousand|million)\s*(?:{thesaurus.UNITS[kind]})|[時时][速]\s*\d"
            found[stem(word)] = re.compile(units, re.IGNORECASE)
    return found


_UNIT_OF = _unit_words()


# --- values --------------------------------------------------------------------------------------------


def quantities(hop: Hop, text: str) -> list[str]:
    """Dates or numbers in a sentence: those in the units asked for first, then the nearest after the hop's
    words."""
    if hop.wants == "lifespan":
        found = [v for v in dates(text) if v.key[0] > 0]
        return [f"{found[0].text} – {found[1].text}"] if len(found) > 1 else []
    values = dates(text) if hop.wants == "date" else numbers(text)
    cue = _cue_position(hop, text)
    if hop.relation == "deathdate":
        return [v.text for v in _of_death(text, cue)]
    units = measure(hop.key)

    def distance(value: Value) -> tuple[bool, int, int]:
        other_unit = units is not None and not units.search(value.text)
        return (other_unit, abs(value.start - cue) + (15 if value.start < cue else 0), value.start)

    return [v.text for v in sorted(values, key=distance)]


def _of_death(text: str, cue: int) -> list[Value]:
    """Dates after a word for dying; else the second of the two that stand beside a name."""
    found = list(dates(text))
    if (
        not re.search(r"\b(?:died|death|killed|d\.)|去世|逝世|死去", text)
        and len(found) > 1
        and found[0].start < 120
    ):
        return found[1:]
    return [v for v in found if v.start > cue]


def _cue_position(hop: Hop, text: str) -> int:
    if hop.relation:
        match = _PATTERNS[hop.relation][0].search(text)
        return match.end() if match else 0
    lowered = text.lower()
    places = [lowered.find(word[:6]) for t in hop.loose for word in sorted(reach(t)) if word[:6] in lowered]
    return max(places, default=0)


def _after_cue(hop: Hop, text: str) -> str:
    match = _PATTERNS[hop.relation][0].search(text) if hop.relation else None
    return text[match.end() :].strip(" ,.")[:60] if match else ""


def _near_names(subject: str, hop: Hop, text: str) -> list[tuple[str, float]]:
    """Names in a sentence with how well their place fits the relation's cue, 0–1."""
    spots = [n for n in names(text) if likeness(n.text, subject) < 0.75 or _kin_of_same_name(subject, n.text)]
    spots = [n for n in spots if not _is_adjective(n, text) and not is_label(n.text, hop.loose)]
    scored = {} if hop.relation else {n.text: 0.6 for n in spots if _is_called(n.text, hop)}
    for position, forward, weight in _cues(hop, text) if spots else ():
        ahead = (
            [n for n in spots if n.start >= position - 1]
            if forward
            else [n for n in spots if n.end <= position + 1][::-1]
        )
        for skipped, name in enumerate(ahead[:4]):
            between = text[position : name.start] if forward else text[name.end : position]
            score = (
                weight
                / (1 + 0.4 * skipped + len(between) / 90)
                * (0.5 if re.search(r"[;.]\s", between) else 1.0)
            )
            score *= 1.0 if " " in name.text or is_cjk(name.text) else 0.85
            kind = lexicon.KINDS.get(hop.relation)
            score *= 1.0 if kind is None or re.search(kind, name.text) else 0.6
            if hop.relation == "mother":
                score *= 1.0 if _second_parent(between, text[: name.start]) else 0.6
            scored[name.text] = max(scored.get(name.text, 0.0), min(1.0, score))
    return sorted(scored.items(), key=lambda item: (-item[1], item[0]))


def _is_called(name: str, hop: Hop) -> bool:
    """Whether a name has the asked kind of thing in it: "the expedition that ..." is the X Expedition."""
    return any(reach(term) & term_set(name) for term in hop.loose)


def _is_adjective(name: Name, text: str) -> bool:
    """A single capitalised word before a plain noun ("a French writer") describes and names nobody."""
    after = re.match(r"[\s-]+([a-z][\w-]*)", text[name.end :])
    plain = " " not in name.text and not re.search(r"\d", name.text)
    return plain and after is not None and after.group(1) not in lexicon.STOP | lexicon.CONNECTORS


def _second_parent(between: str, before: str) -> bool:
    return bool(re.search(r"\b(?:and|by|mother)\b", between)) or bool(
        re.search(r"\bmother\W*(?:was|is|,)?\W*$", before)
    )


def _kin_of_same_name(subject: str, name: str) -> bool:
    own, other = set(normal(subject).split()), set(normal(name).split())
    return own != other and len(other) >= 2 and any(word.isalpha() for word in other - own)


def _cues(hop: Hop, text: str) -> list[tuple[int, bool, float]]:
    """Places in a sentence from where a value is to be looked for: position, forward or back, weight."""
    if hop.relation:
        leads, trails = _PATTERNS[hop.relation]
        cues = [(m.end(), True, 1.0) for m in leads.finditer(text)]
        cues += [
            (m.start(), False, 0.9 if is_cjk(text) else 0.8)
            for m in (trails.finditer(text) if trails else ())
        ]
        if cues:
            return cues
        if hop.relation == "head":
            return [(len(text), False, 0.7)]
    cues = []
    lowered = text.lower()
    for word in sorted({w for t in hop.loose for w in reach(t)}):
        for match in re.finditer(re.escape(word), lowered):
            cues += [(match.end(), True, 0.95), (match.start(), False, 0.85)]
    return cues
