"""Sentences that cite nothing: each that states something is looked for in all that was read.

What stands in a source that its section cites needs no citation of its own. What stands elsewhere gets one,
marked as the program's (`ADDED_MARK`). What stands nowhere is a claim without a source, and is marked like
any other that could not be confirmed. What only speaks about the sources or the report states nothing.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Mapping, Sequence

from deep_research.core.forms import denies, form, offers_nearest
from deep_research.core.records import Claim, Source
from deep_research.engine.context import Context
from deep_research.sources.citations import CitedText
from deep_research.sources.ledger import full_text
from deep_research.text.blocks import Edit, apply_edits
from deep_research.text.cited_sentences import ADDED_MARK, CitedSentence, text_blocks
from deep_research.text.quantities import quantities
from deep_research.text.source_ids import sentences_citing_ids
from deep_research.text.terms import cjk_count

from .claims import ClaimCheck, SourceText, check_claim
from .claims.wording import content_words, names_in
from .marks import UNCITED, Checked, lost_citations

_ENOUGH = 0.6
"""The share of its words that a source must have of a sentence that nobody says is from there."""
_FEWEST = 3
_TOGETHER = 3
NOTHING = ClaimCheck("flagged")
_ENDS = '.。!！?？…"”’」』|* '


def states_something(said: CitedSentence) -> bool:
    """Whether a sentence states a fact: no label, question or denial, nor talk of the sources or the report.

    One with a number or a name always does, whatever it talks of.
    """
    text = said.text.rstrip(' *_”"」』')
    if text.endswith((":", "：", "?", "？")) or denies(text) or offers_nearest(text):
        return False
    if quantities(text) or names_in(text):
        return True
    is_talk = form("talk.marks").search(text) is not None
    return not is_talk and sum(not word.filler for word in content_words(text)) >= _FEWEST


def _names_its_subject(text: str) -> bool:
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
    for place, said in enumerate(sentences):
        if said.numbers or is_own(text.markdown, said) or not states_something(said):
            continue
        near = cited[bisect(sections, said.start)]
        claims[place] = _found(said.text, [*near], texts)
        if claims[place][0] and said.start not in lost:
            continue
        names = claims.pop(place)[0]
        if not names and _names_its_subject(said.text):
            names, _ = _found(said.text, [name for name in texts if name not in near], texts)
        if names:
            edits.append(_citation(text.markdown, said, names))
        elif said.start not in lost:  # else it is known for what it is
            claims[place] = ([], NOTHING)
    changed = text.with_markdown(apply_edits(text.markdown, edits), sources) if edits else text
    after = changed.sentences()
    if len(after) != len(sentences):  # a citation that moves the end of a sentence is none
        changed, after = text, sentences
    numbers = {source.id: number for number, source in enumerate(changed.cited, start=1)}
    found = [(after[place], _claim(after[place].text, *one, numbers)) for place, one in claims.items()]
    return changed, found


def _found(
    sentence: str, names: Sequence[str], texts: Mapping[str, SourceText]
) -> tuple[Sequence[str], ClaimCheck]:
    """The fewest of these sources that have a sentence, at most three together, and what they have of it."""
    alone = [(check_claim(sentence, [texts[name]]), name) for name in names if name in texts]
    alone.sort(key=lambda one: (one[0].verdict != "evidence_found", -one[0].score))
    for count in range(1, min(len(alone), _TOGETHER) + 1):
        chosen = [name for _, name in alone[:count]]
        check = alone[0][0] if count == 1 else check_claim(sentence, [texts[name] for name in chosen])
        if check.verdict == "evidence_found" and check.score >= _ENOUGH:
            return chosen, check
    return [], NOTHING


def _claim(sentence: str, names: Sequence[str], check: ClaimCheck, numbers: Mapping[str, int]) -> Claim:
    if not names:
        return Claim(text=sentence, verdict="flagged", reasons=[UNCITED], checked_by="rules")
    return Claim(
        text=sentence, sources=[numbers[name] for name in names], verdict=check.verdict, quote=check.quote,
        quoted_from=numbers[names[check.source or 0]], start=check.start, end=check.end, score=check.score,
        checked_by="rules",
    )  # fmt: skip


def _citation(markdown: str, said: CitedSentence, names: Sequence[str]) -> Edit:
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
