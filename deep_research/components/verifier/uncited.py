"""Sentences that cite nothing: each that states something is looked for in all that was read.

What stands in a source that its section cites needs no citation of its own: so a line that announces the
cited lines below it needs none. What stands elsewhere gets one, marked as the program's (`ADDED_MARK`). What
stands nowhere is marked like any other claim that could not be confirmed. In a section on what sources differ
in, a line below the cited ones that names nothing and has none of their words only weighs them, and is none.

Several sources bear a sentence out together if none does alone. A bare number counts only where it stands
with its noun: the 20 in another accident's report is none of a harbour's 20 masts.

A heading, a bold line in its place, a table's head, a block of code, a line that only announces what follows,
a question and a denial are no sentences to compare: they mostly state nothing, and their words are the
writer's. A number in them must be in a source or in what the user said all the same (`strange_asides`).
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, pairwise, takewhile

from deep_research.core.forms import QUOTED, denies, form, names_disagreement, offers_nearest
from deep_research.core.records import Claim, Source
from deep_research.engine.context import Context
from deep_research.sources.citations import CitedText
from deep_research.sources.ledger import full_text
from deep_research.text.blocks import Edit, apply_edits
from deep_research.text.cited_sentences import (
    ADDED_MARK,
    RULE,
    CitedSentence,
    headings_above,
    plain_claim,
    text_blocks,
)
from deep_research.text.language import CODE, blank_code
from deep_research.text.quantities import Quantity, is_stated, quantities
from deep_research.text.source_ids import sentences_citing_ids
from deep_research.text.terms import cjk_count
from deep_research.text.wording import content_words, names_in, nfkc, terms_in

from .claims import ClaimCheck, SourceText, check_claim
from .claims.evidence import SourceReading, WantedTerms, passages_with, terms_of
from .claims.found import is_heading_word, told_in, without_attribution
from .claims.subjects import names_of
from .marks import UNCITED, Checked, lost_citations

_ENOUGH = 0.6
"""How likely a source must support a sentence that nobody says is from there."""
_FEWEST = 3
_OPENING, _FEWEST_BESIDE = 30, 5
"""Where a sentence about the sources or the report names them at the latest; and words of one that states
something and only mentions them."""
_TOGETHER, _TRIED = 3, 4
_HALF = 0.5
_NOUN = re.compile(r"\s?([^\W\d_]+)")
NOTHING = ClaimCheck("flagged")
_SEEKS = re.compile(r"\b(?:I|we|search\w*|look\w*|ask\w*|question)\b|探|找|搜|查", re.IGNORECASE)
_LABEL = re.compile(
    r"\W*(?P<label>[^\W\d][^:]{1,40}):\s+"
    r"|(?:The|Its|His|Her|Their) (?P<role>\w[\w -]{1,60}?)(?: of [^,;:]+?)? (?:is|was) (?:the )?"
)
_PLACE = re.compile(r"\s*\d{1,2}(?:(?:\.\d{1,2})+\.?|[.)、．])\s")
"""The number of a section, in front of its heading."""
_BRACKETED = re.compile(r"\s?(?:\([^()]*\)|（[^（）]*）)")
_INSIDE = re.compile(r"```[^\n]*\n(.*?)\s*(?:```|\Z)", re.DOTALL)
_BOLD_LINE = re.compile(r"(\*\*|__)(?=\S)[^\n]*(?<![.!?。！？\s])\1")
"""A heading as many writers set it; a sentence in bold ends in a full stop."""
_ENDS = '.。!！?？…"”’」』|* '


def states_something(said: CitedSentence) -> bool:
    """Whether a sentence states a fact: no label, question or denial, nor talk of the sources or the report.

    One with a number or a name always does, whatever it talks of.
    """
    text = _undenied(said.text).rstrip(' *_”"」』')
    if offers_nearest(text):  # the words that offer state nothing; what they offer may
        text = re.split("[:：]", text, maxsplit=1)[-1] if re.search("[:：]", text) else ""
    if not text or text.endswith((":", "：", "?", "？")):
        return False
    if quantities(text) or names_in(text):
        return True
    talk = form("talk.marks").search(text)
    told = sum(not word.filler for word in content_words(form("talk.marks").sub(" ", text)))
    beside = talk and talk.start() > _OPENING and told >= _FEWEST_BESIDE  # "It was seen by X in the report."
    return bool(beside) if talk else told >= _FEWEST


def _undenied(sentence: str) -> str:
    """A sentence without its part that denies: of "It is not said who, but in 2041." what follows "but".

    What stands before counts with a number or name: "I looked for the fee of Gull, but ..." states nothing.
    What stands in brackets denies nothing of the rest: "Marble (which no source mentions) was lost."
    """
    if not denies(sentence):
        return sentence
    if not denies(rest := _BRACKETED.sub("", sentence)):
        return rest
    parts = form("denials.turns").split(QUOTED.sub(" ", sentence))
    denied = [denies(part) for part in parts]
    kept = (part for n, part in enumerate(parts) if not denied[n] and (any(denied[:n]) or _tells(part)))
    return " ".join(kept)


def _tells(part: str) -> bool:
    """Whether what stands before a denial states a fact: no search for it, and no talk of the sources."""
    talk = form("talk.marks").search(part) or _SEEKS.search(part)
    return bool(quantities(part)) or (bool(names_in(part)) and not talk)


def names_its_subject(text: str) -> bool:
    """Whether a sentence says of what it speaks: "It is 41 m tall" could be from any page."""
    return bool(names_in(text, initial=True)) or cjk_count(text) > _FEWEST


def with_found_citations(
    text: CitedText, sources: Sequence[Source], is_own: Callable[[str, CitedSentence], bool], ctx: Context
) -> tuple[CitedText, list[Checked]]:
    """The text with a citation behind each sentence that lacked one and stands in a source, and a claim for
    each other one that states something. `is_own` tells the sentences that code has put in.
    """
    texts = {s.id: SourceText(full_text(s, ctx), s.title, s.published or "") for s in sources}
    sections = [block.start for block in text_blocks(text.markdown) if block.kind == "heading"]
    sentences = text.sentences()
    cited: dict[int, dict[str, None]] = {}
    for said in sentences:
        ids = [text.cited[number - 1].id for number in said.numbers]
        cited.setdefault(bisect(sections, said.start), {}).update(dict.fromkeys(ids))
    before = [said for said in sentences_citing_ids(text.as_written) if said.ids]
    lost = {said.start for said in lost_citations(before, sentences)}
    without_facts = {said.start for said in _headings_and_remarks(text.markdown, sentences)}
    edits: list[Edit] = []
    claims: dict[int, tuple[Sequence[str], ClaimCheck]] = {}
    # those that name what they are about first: the others may be from a source that is cited for these
    for place, said in sorted(enumerate(sentences), key=lambda one: not names_its_subject(one[1].text)):
        is_fact = said.start not in without_facts and states_something(said)
        if said.numbers or not is_fact or is_own(text.markdown, said):
            continue
        near, stated = cited[bisect(sections, said.start)], _undenied(said.text)
        claims[place] = find_evidence(stated, [*near], texts)
        if not claims[place][0] and not stated.endswith((".", "。", "!", "?")):
            claims[place] = _announced(stated, sentences[place + 1 :], text, texts)
        if claims[place][0] and said.start not in lost:
            continue
        names = claims.pop(place)[0]
        if not names and names_its_subject(stated):
            names, _ = find_evidence(stated, [*near, *(name for name in texts if name not in near)], texts)
        if names:
            near.update(dict.fromkeys(names))
            edits.append(citation_edit(text.markdown, said, names))
        elif said.start not in lost:  # else it is known for what it is
            claims[place] = ([], NOTHING)
    changed = text.with_markdown(apply_edits(text.markdown, sorted(edits)), sources) if edits else text
    after = changed.sentences()
    if len(after) != len(sentences):  # a citation that moves the end of a sentence is none
        changed, after = text, sentences
    numbers = {source.id: number for number, source in enumerate(changed.cited, start=1)}
    found = [
        (after[place], _claim(after[place].text, *one, numbers)) for place, one in sorted(claims.items())
    ]
    return changed, found


def _headings_and_remarks(markdown: str, sentences: Sequence[CitedSentence]) -> Iterator[CitedSentence]:
    """Bold lines that stand for headings, and what only weighs the cited lines above it, which differ."""
    above, is_disputed = list[CitedSentence](), False
    for block in text_blocks(blank_code(markdown)):
        line = markdown[block.start : block.end]
        inside = [said for said in sentences if block.start <= said.start < block.end]
        is_bold = block.kind == "paragraph" and _BOLD_LINE.fullmatch(line) is not None
        if any(said.numbers for said in inside):
            above += inside
        elif block.kind == "heading" or is_bold:
            yield from inside
            over = [*headings_above(markdown, block.start), line]
            above, is_disputed = [], len(quantities(line)) > 1 or any(map(names_disagreement, over))
        elif is_disputed and len(above) > 1:
            told = frozenset[str]().union(*(terms_of(said.text) for said in above))
            plain = (said for said in inside if not (quantities(said.text) or names_in(said.text)))
            yield from (said for said in plain if told.isdisjoint(terms_of(said.text)))


def _announced(
    line: str, below: Sequence[CitedSentence], text: CitedText, texts: Mapping[str, SourceText]
) -> tuple[Sequence[str], ClaimCheck]:
    """What the cited sentences below a line cite, at most three sources, if the line is no sentence of its
    own and they bear it out together; and what they have of it."""
    numbers = (number for said in takewhile(lambda one: one.numbers, below) for number in said.numbers)
    names = list(dict.fromkeys(text.cited[number - 1].id for number in numbers))
    known = [texts[name] for name in names if name in texts]
    check = check_claim(line, known) if 0 < len(known) == len(names) <= _TOGETHER else NOTHING
    return (names, check) if check.verdict == "evidence_found" and check.score >= _ENOUGH else ([], NOTHING)


def find_evidence(
    sentence: str, names: Sequence[str], texts: Mapping[str, SourceText]
) -> tuple[Sequence[str], ClaimCheck]:
    """The fewest of these sources that have a sentence, at most three together, and what they have of it.

    They come in the order of `names`. Together they have parts of it that none has alone.
    """
    readings = {name: texts[name].read() for name in names if name in texts}
    scores = {name: check_claim(sentence, [texts[name]]).score for name in readings}
    ranked = sorted(scores, key=lambda name: -scores[name])
    plain = without_attribution(sentence, [texts[name] for name in readings])
    whole = [[name] for name in ranked if _has_all_parts(plain, [readings[name]])]
    several = (combinations(ranked[:_TRIED], size) for size in range(2, _TOGETHER + 1))
    for chosen in whole or chain.from_iterable(several):
        found = [name for name in readings if name in chosen]
        check = check_claim(sentence, [texts[name] for name in found])
        likely = check.verdict == "evidence_found" and check.score >= _ENOUGH
        if likely and (whole or _has_all_parts(plain, [readings[name] for name in found])):
            return found, check
    return [], NOTHING


def _has_all_parts(sentence: str, readings: Sequence[SourceReading]) -> bool:
    """Whether a passage about a thing that the sentence names states each number, a bare one with the noun
    behind it, and each name stands in or over such a passage, or one with half of the sentence's words.
    What a label says of a name, "Founder: Ada Moe" or "The founder of it is Ada Moe", a passage with the name
    has to say, too."""
    plain, terms = nfkc(sentence), terms_of(sentence)
    close = [(r, place) for r in readings for place in passages_with(WantedTerms(terms, r), _HALF)]
    held = {term for r, n in close for term in r.passages[n].terms | r.passages[n].context}
    names = {name for reading in readings for name in names_of(sentence, reading)}
    known = [(one.terms | one.context, one, reading) for reading in readings for one in reading.passages]
    label = _LABEL.match(plain)
    named = names_in(plain[label.end() :], initial=True) if label else []
    if label and named and (label["label"] or not named[0][0].start):
        words = content_words(label["label"] or label["role"])
        heads = {one.term for one in words if label["label"] and is_heading_word(one.word)}
        role = {one.term for one in words if not one.filler} - heads
        who = {token.term for token in named[0]}
        if role and not any(role & had and who <= had for had, *_ in known):
            return False
    about = [one for one in known if not names or any(name <= one[0] for name in names)]
    for value in (value for value in quantities(sentence) if not value.counted):
        noun = None if value.unit or value.date else _NOUN.match(plain, value.end)
        stating = [
            had
            | (terms_in(reading.title) if one.text[0] == "|" else frozenset())  # a row counts what this names
            for had, one, reading in about
            if is_stated(value, [*quantities(one.text), *quantities(told_in(one))])
        ]
        if noun:
            stating = [had for had in stating if terms_in(noun[1]) & had]
        if not stating:
            return False
        held.update(*stating)
    return all(name <= held for name in names)


def _claim(sentence: str, names: Sequence[str], check: ClaimCheck, numbers: Mapping[str, int]) -> Claim:
    if not names:
        return Claim(text=sentence, verdict="flagged", reasons=[UNCITED], checked_by="rules")
    return Claim(
        text=sentence, sources=[numbers[name] for name in names], verdict=check.verdict, quote=check.quote,
        quoted_from=numbers[names[check.source or 0]], start=check.start, end=check.end, score=check.score,
        checked_by="rules",
    )  # fmt: skip


def citation_edit(markdown: str, said: CitedSentence, names: Sequence[str], mark: str = ADDED_MARK) -> Edit:
    """The edit that puts a citation before the full stop of a sentence, inside the last cell of a row."""
    end = said.end
    while end > said.start and markdown[end - 1] in _ENDS:
        end -= 1
    return end, end, f" {''.join(f'[{name}]' for name in names)}{mark}"


def share_with_evidence(claims: Iterable[Claim]) -> tuple[int, int]:
    """How many of these claims have evidence, and how many there are.

    One whose sources are written in another script says neither, and the heading of a page, copied with its
    words, states nothing.
    """
    told = (claim for claim in claims if claim.verdict != "uncheckable")
    verdicts = [claim.verdict for claim in told if not _is_heading(claim.text)]
    return sum(verdict in ("evidence_found", "supported", "partial") for verdict in verdicts), len(verdicts)


def _is_heading(text: str) -> bool:
    words = sum(not word.filler for word in content_words(text))
    return words < _FEWEST and not (text.endswith(tuple(".。!！")) or quantities(text) or names_in(text))


# --- what is no sentence to compare -------------------------------------------------------------------


def strange_asides(markdown: str, sentences: Sequence[CitedSentence], given: str) -> list[Checked]:
    """Headings, heads of tables, code and these sentences with a number that is not in what was `given`."""
    asides = [*_beside_sentences(markdown), *sentences]
    numbers = [(aside, quantities(_PLACE.sub("", aside.text, count=1))) for aside in asides]
    known: list[Quantity] = []
    if any(values for _, values in numbers):
        known = [value for line in given.split("\n") for value in quantities(line)]
    return [
        (aside, _claim(aside.text, (), NOTHING, {}))
        for aside, values in numbers
        if not all(value.counted or is_stated(value, known) for value in values)
    ]


def _beside_sentences(markdown: str) -> Iterator[CitedSentence]:
    """Headings, the title too, the heads of tables, and what stands in fences; charts are drawn by then."""
    blocks = [*text_blocks(blank_code(markdown))]
    rows = ((a, b) for a, b in pairwise(blocks) if a.kind == b.kind == "row")
    heads = {head.start for head, rule in rows if RULE.fullmatch(markdown, rule.start, rule.end)}
    spans = [(one.start, one.end) for one in blocks if one.kind == "heading" or one.start in heads]
    codes = (_INSIDE.match(markdown, *block.span()) for block in CODE.finditer(markdown))
    for start, end in [*spans, *(code.span(1) for code in codes if code)]:
        yield CitedSentence(plain_claim(markdown[start:end]), start, end, [])
