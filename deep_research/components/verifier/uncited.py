"""Sentences that cite nothing: each that states something is looked for in all that was read.

What stands in a source that its section cites needs no citation of its own: so a line that announces the
cited lines below it needs none. What stands elsewhere gets one, marked as the program's (`ADDED_MARK`). What
stands nowhere is marked like any other claim that could not be confirmed.

A source bears out parts of a sentence by itself. A number counts where a passage about a thing that the
sentence names states it with the noun that the sentence counts: the 20 in another accident's report is none
of a harbour's 20 masts. A name counts where such a passage, or one with half of the sentence's words, has it.

A heading, a table's head, a block of code, a line that only announces what follows, a question and a denial
are no sentences to compare: they mostly state nothing, and their words are the writer's. A number in them
must be in a source or in what the user said all the same (`strange_asides`).
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise, takewhile

from deep_research.core.forms import QUOTED, denies, form, offers_nearest
from deep_research.core.records import Claim, Source
from deep_research.engine.context import Context
from deep_research.sources.citations import CitedText
from deep_research.sources.ledger import full_text
from deep_research.text.blocks import Edit, apply_edits
from deep_research.text.cited_sentences import ADDED_MARK, RULE, CitedSentence, plain_claim, text_blocks
from deep_research.text.language import CODE, blank_code
from deep_research.text.quantities import Quantity, is_stated, quantities
from deep_research.text.source_ids import sentences_citing_ids
from deep_research.text.terms import cjk_count
from deep_research.text.wording import content_words, names_in, nfkc, terms_in

from .claims import ClaimCheck, SourceText, check_claim
from .claims.evidence import SourceReading, WantedTerms, passages_with, terms_of
from .claims.found import without_attribution
from .claims.stated_values import values_of_kind
from .claims.subjects import Name, names_of, share_name
from .marks import UNCITED, Checked, lost_citations

_ENOUGH = 0.6
"""How likely a source must support a sentence that nobody says is from there."""
_FEWEST = 3
_TOGETHER = 3
NOTHING = ClaimCheck("flagged")
_HALF = 0.5
_NOUN = re.compile(r"\s?([^\W\d_]+)")
_PLACE = re.compile(r"\s*\d{1,2}(?:(?:\.\d{1,2})+\.?|[.)、．])\s")
"""The number of a section, in front of its heading."""
_INSIDE = re.compile(r"```[^\n]*\n(.*?)\s*(?:```|\Z)", re.DOTALL)
_ENDS = '.。!！?？…"”’」』|* '

Part = Quantity | Name


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
    is_talk = form("talk.marks").search(text) is not None
    return not is_talk and sum(not word.filler for word in content_words(text)) >= _FEWEST


def _undenied(sentence: str) -> str:
    """A sentence without its part that denies: of "It is not said who, but in 2041." what follows "but".

    What stands before counts with a number alone: "I looked for the fee of Gull, but ..." states nothing.
    """
    if not denies(sentence):
        return sentence
    parts = form("denials.turns").split(QUOTED.sub(" ", sentence))
    denied = [denies(part) for part in parts]
    kept = [part for n, part in enumerate(parts) if not denied[n] and (any(denied[:n]) or quantities(part))]
    return " ".join(kept)


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
    edits: list[Edit] = []
    claims: dict[int, tuple[Sequence[str], ClaimCheck]] = {}
    # those that name what they are about first: the others may be from a source that is cited for these
    for place, said in sorted(enumerate(sentences), key=lambda one: not names_its_subject(one[1].text)):
        if said.numbers or is_own(text.markdown, said) or not states_something(said):
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

    Together they have all of its numbers and names, and each has one that no other has. They come in
    the order of `names`.
    """
    readings = {name: texts[name].read() for name in names if name in texts}
    plain = without_attribution(sentence, [texts[name] for name in readings])
    wanted = _parts_of(plain, readings.values())
    parts = {name: _parts_in(plain, wanted, reading) for name, reading in readings.items()}
    scores = {name: check_claim(sentence, [texts[name]]).score for name in readings}
    for chosen in _covering(wanted, parts, scores):
        check = check_claim(sentence, [texts[name] for name in chosen])
        if check.verdict == "evidence_found" and check.score >= _ENOUGH:
            return chosen, check
    return [], NOTHING


def _covering(
    wanted: Set[Part], parts: Mapping[str, Set[Part]], scores: Mapping[str, float]
) -> Iterator[Sequence[str]]:
    """Each source that bears out all parts of a sentence, the best first; then the few that do together."""
    ranked = sorted(parts, key=lambda name: -scores[name])
    yield from ([name] for name in ranked if wanted <= parts[name])
    chosen: list[str] = []
    missing = {*wanted}
    while missing and len(chosen) < _TOGETHER:
        best = max(ranked, key=lambda name: len(missing & parts[name]), default="")
        if not best or not missing & parts[best]:
            return
        chosen.append(best)
        missing -= parts[best]
    needed = [name for name in chosen if wanted - set[Part]().union(*(parts[n] for n in chosen if n != name))]
    if not missing and len(needed) > 1:
        yield [name for name in parts if name in needed]


def _parts_of(sentence: str, readings: Iterable[SourceReading]) -> set[Part]:
    """The numbers and names of a sentence; a small number in words may be the writer's own count."""
    names = {name for reading in readings for name in names_of(sentence, reading)}
    return {*names, *(value for value in quantities(sentence) if not value.counted)}


def _parts_in(sentence: str, parts: Iterable[Part], reading: SourceReading) -> set[Part]:
    """Those of these parts of a sentence that a source bears out."""
    names = [part for part in parts if isinstance(part, frozenset)]
    numbers = [part for part in parts if isinstance(part, Quantity)]
    close = {*passages_with(WantedTerms(terms_of(sentence), reading), _HALF)}
    found = set[Part]()
    for place, passage in enumerate(reading.passages):
        known = passage.terms | passage.context
        about = {name for name in names if name <= known}
        stated = set[Part]()
        for number in numbers:
            noun = None if number.unit or number.date else _NOUN.match(nfkc(sentence), number.end)
            if noun and not terms_in(noun[1]) & known:
                continue
            for said in values_of_kind(number, passage, reading):
                subject = said.subject.possible()
                if is_stated(number, [said.value]) and (not names or about or share_name(names, subject)):
                    stated.add(number)
                    about |= {name for name in names if share_name([name], subject)}
        if stated or place in close:
            found |= stated | about
    return found


def _claim(sentence: str, names: Sequence[str], check: ClaimCheck, numbers: Mapping[str, int]) -> Claim:
    if not names:
        return Claim(text=sentence, verdict="flagged", reasons=[UNCITED], checked_by="rules")
    return Claim(
        text=sentence, sources=[numbers[name] for name in names], verdict=check.verdict, quote=check.quote,
        quoted_from=numbers[names[check.source or 0]], start=check.start, end=check.end, score=check.score,
        checked_by="rules",
    )  # fmt: skip


def citation_edit(markdown: str, said: CitedSentence, names: Sequence[str]) -> Edit:
    """The edit that puts a citation before the full stop of a sentence, inside the last cell of a row."""
    end = said.end
    while end > said.start and markdown[end - 1] in _ENDS:
        end -= 1
    return end, end, f" {''.join(f'[{name}]' for name in names)}{ADDED_MARK}"


def share_with_evidence(claims: Iterable[Claim]) -> tuple[int, int]:
    """How many of these claims have evidence, and how many there are.

    One whose sources are written in another script says neither.
    """
    verdicts = [claim.verdict for claim in claims if claim.verdict != "uncheckable"]
    return sum(verdict in ("evidence_found", "supported", "partial") for verdict in verdicts), len(verdicts)


# --- what is no sentence to compare -------------------------------------------------------------------


def strange_asides(markdown: str, sentences: Sequence[CitedSentence], given: str) -> list[Checked]:
    """Headings, heads of tables, code and these sentences with a number that is not in what was `given`."""
    asides = [*_headings(markdown), *_code(markdown), *sentences]
    numbers = [(aside, quantities(_PLACE.sub("", aside.text, count=1))) for aside in asides]
    known: list[Quantity] = []
    if any(values for _, values in numbers):
        known = [value for line in given.split("\n") for value in quantities(line)]
    return [
        (aside, _claim(aside.text, (), NOTHING, {}))
        for aside, values in numbers
        if not all(value.counted or is_stated(value, known) for value in values)
    ]


def _headings(markdown: str) -> Iterator[CitedSentence]:
    """Headings, the title too, and the heads of tables."""
    blocks = [*text_blocks(blank_code(markdown))]
    found = [block for block in blocks if block.kind == "heading"]
    found += [
        head
        for head, rule in pairwise(blocks)
        if head.kind == rule.kind == "row" and RULE.fullmatch(markdown[rule.start : rule.end])
    ]
    for block in found:
        yield _aside(markdown, block.start, block.end)


def _code(markdown: str) -> Iterator[CitedSentence]:
    """What stands in fences; charts and pictures are drawn by then."""
    for block in CODE.finditer(markdown):
        if inside := _INSIDE.match(block[0]):
            yield _aside(markdown, block.start() + inside.start(1), block.start() + inside.end(1))


def _aside(markdown: str, start: int, end: int) -> CitedSentence:
    return CitedSentence(plain_claim(markdown[start:end]), start, end, [])
