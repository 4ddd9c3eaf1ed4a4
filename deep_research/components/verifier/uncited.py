"""Sentences that cite nothing: each that states something is looked for in all that was read.

What stands in a source that its section cites needs no citation of its own, nor does a line that announces
the cited lines right below it. What stands elsewhere gets one, marked as the program's (`ADDED_MARK`). What
stands nowhere is marked like any other claim that could not be confirmed.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import takewhile

from deep_research.core.forms import QUOTED, denies, form, offers_nearest
from deep_research.core.records import Claim, Source
from deep_research.engine.context import Context
from deep_research.sources.citations import CitedText
from deep_research.sources.ledger import full_text
from deep_research.text.blocks import Edit, apply_edits
from deep_research.text.cited_sentences import ADDED_MARK, CitedSentence, text_blocks
from deep_research.text.quantities import is_stated, quantities
from deep_research.text.source_ids import sentences_citing_ids
from deep_research.text.terms import cjk_count
from deep_research.text.wording import content_words, names_in

from .claims import ClaimCheck, SourceText, check_claim
from .claims.found import without_attribution
from .claims.parts import Part, parts_in, parts_of
from .claims.subjects import names_of, share_name, topic_of
from .marks import UNCITED, Checked, lost_citations

_ENOUGH = 0.6
"""How likely a source must support a sentence that nobody says is from there."""
_FEWEST = 3
_TOGETHER = 3
NOTHING = ClaimCheck("flagged")
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
        near = cited[bisect(sections, said.start)]
        below = _announced(text.markdown, said, sentences)
        lines = [(one.text, [text.cited[number - 1].id for number in one.numbers]) for one in below]
        stated = _undenied(said.text)
        claims[place] = _found_in_lines(stated, lines, texts)
        if not claims[place][0]:
            claims[place] = find_evidence(stated, [*near], texts)
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


def _announced(markdown: str, said: CitedSentence, sentences: Sequence[CitedSentence]) -> list[CitedSentence]:
    """The cited lines of the list right below a line without a full stop: it says what these say together."""
    blocks = [block for block in text_blocks(markdown) if block.end > said.start]
    items = [*takewhile(lambda block: block.kind == "item", blocks[1:])]
    line = markdown[said.start : blocks[0].end].rstrip("*_ ") if blocks else ""
    if not items or blocks[0].kind != "paragraph" or len(line) > said.end - said.start or line[-1:] in ".。":
        return []
    return [one for one in sentences if one.numbers and items[0].start <= one.start < items[-1].end]


def _found_in_lines(
    sentence: str, lines: Sequence[tuple[str, Sequence[str]]], texts: Mapping[str, SourceText]
) -> tuple[Sequence[str], ClaimCheck]:
    """The sources of the lines that a sentence announces, and what the first of them has of its line.

    All numbers of the sentence must stand in lines that their sources bear out and that name nothing, or with
    their pages what the sentence names.
    """
    numbers = {value for value in quantities(sentence) if not value.counted}
    missing, found = {*numbers}, dict[str, ClaimCheck]()
    for line, ids in lines:
        here = {number for number in missing if is_stated(number, quantities(line))}
        check = check_claim(line, [texts[name] for name in ids])
        if not here or check.verdict != "evidence_found" or check.source is None:
            continue
        page = texts[ids[check.source]].read()
        ours, theirs = names_of(sentence, page), names_of(line, page)
        if not ours or not theirs or share_name(ours, (*theirs, *topic_of(page))):
            missing -= here
            found.setdefault(ids[check.source], replace(check, source=0))
    return ([*found], next(iter(found.values()))) if found and not missing else ([], NOTHING)


def find_evidence(
    sentence: str, names: Sequence[str], texts: Mapping[str, SourceText]
) -> tuple[Sequence[str], ClaimCheck]:
    """The fewest of these sources that have a sentence, at most three together, and what they have of it.

    Together they have all of its numbers and names, and each has one that no other has.
    """
    readings = {name: texts[name].read() for name in names if name in texts}
    plain = without_attribution(sentence, [texts[name] for name in readings])
    wanted = parts_of(plain, readings.values())
    parts = {name: parts_in(plain, wanted, reading) for name, reading in readings.items()}
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
        yield needed


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
