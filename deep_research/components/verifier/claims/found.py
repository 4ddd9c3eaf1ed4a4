"""What a source has on a claim: the window that says most of it, and the passages that speak of the same.

A claim that repeats a passage nearly word for word is held to that one passage.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from deep_research.text.cited_sentences import row_with_header
from deep_research.text.data import read_data
from deep_research.text.quantities import Quantity, quantities
from deep_research.text.terms import cjk_count
from deep_research.text.wording import names_in, stem, terms_in, word_tokens

from .contrasts import split_off_label, without_limits
from .evidence import (
    ANAPHOR,
    SourcePassage,
    SourceReading,
    WantedTerms,
    Window,
    best_window,
    passages_with,
    read_source,
    terms_of,
)

_REPEATED_OF_CLAIM = 0.75  # of the claim's words in one passage, and
_REPEATED_OF_PASSAGE = 0.6  # of that passage's words in the claim: the claim repeats it
_SHARE_ABOUT = 0.5  # of the window's share: a passage that holds so much is about the claim, too
_SHORT = 3  # letters of a word: a shorter one ("2nd") may stand within a name, and
_IN_NAMES = ("the", "with", "from")  # these
_SHARE_ALONE = 0.6  # of the window's share: a passage that holds so much stands for the window

_ANSWER = re.compile(r"^(?:(?:Yes|No)[.,:] |(?:是的?|不是)[。，]|(?:はい|いいえ)[。、])")
_DATED = re.compile(r"(.{0,240}?)(\d{4}-\d\d-\d\d)(?: ?[)）]|時点)?[:：]\s*(?=\S)")
_DATED_BEHIND = re.compile(r"\s?[(（](?:\D{1,12} ?)?(\d{4}-\d\d-\d\d)(?:時点)?[)）]\s*$")
_KNOWN = re.compile(r"\b[Tt]he ([a-z]+)")
_OTHER_WORDS = 3
"""Words that an introduction may have besides the title: what kind of source it is."""
_BEGIN = r"(?:^|[.!?。！？\n][\"'”’)\]]*\s*(?:[-*#>]\s+)?)"
_END = r"(?:$|\s*[.!?。！？\n])"
_LABEL = re.compile(r"\W*([^\W\d][^.,:;!?]{2,60}?)(?::| [—–-])\s+(?=(?:\S+\s+){4}\S)")
_HEADINGS = read_data(__file__, "joints.toml")["headings"]
_HEADING_WORDS = frozenset(map(stem, _HEADINGS["words"].split()))
_HEADING_ENDS = tuple(_HEADINGS["ends"].split())
_SAYS = "say|state|report|note|write|mention|explain|describe|add|point out|claim|argue|confirm|record"
_REPORTED = re.compile(
    rf"(?:[Aa]ccording to (?:the )?[^,.;:]{{2,60}}, |"
    rf"(?:The )?(?:[A-Z][\w'’.&-]*,? ){{1,6}}(?:(?:{_SAYS})e?[sd]?|wrote|said) that )(?=(?:\S+ ){{2}}\S)"
)
_REPORTS = re.compile(rf"\b(?:[Aa]ccording to|said|(?:wrote|(?:{_SAYS})e?[sd]?) that)\b")


@dataclass(frozen=True, slots=True)
class SourceText:
    """What a claim is checked against: the full text of a cited source, its title and ISO date if known."""

    text: str
    title: str = ""
    published: str = ""

    def read(self) -> SourceReading:
        """Its passages in order."""
        return read_source(self.text, self.title, self.published)


def told_in(passage: SourcePassage) -> str:
    """What a passage says, a row of a table with the labels of its columns."""
    header = passage.setting[passage.setting.find("|") :] if "|" in passage.setting else ""
    return row_with_header(passage.text, header) if passage.text[0] == "|" else passage.text


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one source has on a claim: the window, the passages about it, whether one is repeated in it."""

    index: int
    reading: SourceReading
    wanted: WantedTerms
    window: Window
    passages: tuple[SourcePassage, ...]
    repeated: bool

    def around(self, passages: int) -> tuple[SourcePassage, ...]:
        """The window with so many passages on both sides."""
        return self.reading.passages[max(self.window.first - passages, 0) : self.window.last + 1 + passages]

    def values_of(self, passage: SourcePassage) -> tuple[Quantity, ...]:
        """The numbers and dates of a passage, its heading and header, and the page's title."""
        above = passage.setting.replace("|", "", 1)
        return quantities(told_in(passage)) + quantities(above) + quantities(self.reading.title)

    def quotes(self, sentence: str) -> bool:
        """Whether a sentence, behind this source's title or alone, stands in it word for word and whole."""
        told, text = sentence.removeprefix(f"{self.reading.title}: "), self.reading.text
        quote = told.strip().rstrip(".。")
        return quote in text and re.search(rf"{_BEGIN}{re.escape(quote)}{_END}", text) is not None

    def known_from_before(self) -> Sequence[SourcePassage]:
        """The passage before the one that a claim repeats, if that has a pronoun, or "the NOUN" of it."""
        near = self.around(1) if self.repeated else ()
        place = near.index(self.passages[0]) if self.passages[0] in near else 0
        before, text = near[max(place - 1, 0) : place], self.passages[0].text
        nouns = terms_in(" ".join(_KNOWN.findall(text)))
        return [one for one in before if ANAPHOR.search(text) or nouns & one.terms]

    def closest(self) -> list[SourcePassage]:
        """The passages that alone hold most of what the window holds, the best first."""
        shares = [(self.wanted.share(p.terms | p.context), p) for p in self.passages]
        shares.sort(key=lambda pair: -pair[0])
        return [passage for share, passage in shares if share >= _SHARE_ALONE * self.window.share]


def gather(sentence: str, sources: Sequence[SourceText]) -> tuple[str, dict[int, Evidence | None]]:
    """A sentence without its introduction, and what each source with a text in its script has on it.

    "Wikipedia states that" is an introduction unless the passages themselves report what somebody says.
    """
    sentence = without_label(without_attribution(sentence, sources), sources)
    if reported := _REPORTED.match(sentence):
        rest = sentence[reported.end() :]
        found = _find_all(rest, sources)
        told = [passage.text for one in found.values() if one for passage in one.around(0)]
        if told and not any(map(_REPORTS.search, told)):
            return rest, found
    return sentence, _find_all(sentence, sources)


def _find_all(sentence: str, sources: Sequence[SourceText]) -> dict[int, Evidence | None]:
    """What each source with a text in the sentence's script has on it."""
    in_cjk = cjk_count(sentence) * 4 > len(sentence)
    terms = terms_of(sentence)
    found = dict[int, Evidence | None]()
    for index, source in enumerate(sources if terms else ()):
        reading = source.read()
        if source.text.strip() and reading.is_cjk == in_cjk:
            found[index] = _find_evidence(sentence, terms, index, reading)
    return found


def without_label(sentence: str, sources: Sequence[SourceText]) -> str:
    """A sentence without the heading that it opens with: "Key fact: ...", "Historical background — ...".

    A label that names a thing is a part of what is claimed, and so is one before a mere value, or one that
    the source has itself.
    """
    label = _LABEL.match(sentence)
    heads = label and all(is_heading_word(token.word) for token in word_tokens(label[1]))
    own = label and any(label[0] in source.text for source in sources)
    return sentence[label.end() :] if label and heads and not own else sentence


def is_heading_word(word: str) -> bool:
    """Whether a word is no name even with a capital: one of headings, or a noun by its ending."""
    ordinary = word.islower() or (word.isdigit() and len(word) < len("2000"))
    return ordinary or stem(word) in _HEADING_WORDS or word.endswith(_HEADING_ENDS)


def without_attribution(sentence: str, sources: Sequence[SourceText]) -> str:
    """A sentence without the yes or no that it opens with, and without its introduction, if that says who
    says it and when: the title of a source and the date of its publication, or that date alone ("As of
    2024-05-01: ...", and in a table "... (as of 2024-05-01)")."""
    sentence = _ANSWER.sub("", sentence)
    for source in sources:
        note = _DATED_BEHIND.search(sentence)
        if note and source.published[:10] == note[1]:
            sentence = sentence[: note.start()]
        opening = _DATED.match(sentence)
        is_its_date = opening and source.published[:10] == opening[2]
        if opening and is_its_date and len(terms_in(opening[1]) - terms_in(source.title)) <= _OTHER_WORDS:
            return sentence[opening.end() :]
    return sentence


def _find_evidence(
    sentence: str, terms: Sequence[str], index: int, reading: SourceReading
) -> Evidence | None:
    """What a source has on a sentence with these terms; None without any of them."""
    wanted = WantedTerms(terms, reading)
    window = best_window(wanted)
    if window is None:
        return None
    inside = list(reading.passages[window.first : window.last + 1])
    inside += [reading.passages[place] for place in passages_with(wanted, window.share)]
    texts = sentence, split_off_label(sentence)[1]
    overlaps = ((_overlap(text, passage), passage) for text in texts for passage in inside)
    (own, its), closest = max(overlaps, key=lambda pair: sum(pair[0]))
    if own >= _REPEATED_OF_CLAIM and its >= _REPEATED_OF_PASSAGE:
        return Evidence(index, reading, wanted, window, (closest,), True)
    beside = range(max(window.first - 1, 0), min(window.last + 2, len(reading.passages)))
    about = sorted({*beside, *passages_with(wanted, _SHARE_ABOUT * window.share)})
    return Evidence(index, reading, wanted, window, tuple(reading.passages[at] for at in about), False)


def _overlap(text: str, passage: SourcePassage) -> tuple[float, float]:
    """The shares that a sentence and a passage have of each other's words.

    The page's title in the claim is no loss, and neither are as many other numbers and one name that the
    passage lacks: the sentence then repeats the passage with these in place of its own.
    """
    ours = terms_in(without_limits(text))
    other, replaced = _one_unknown_name(text, passage.terms), _one_unknown_name(passage.text, ours)
    own = ours - (passage.context - passage.terms) - other or ours
    its = terms_in(without_limits(passage.text)) - (replaced if other else frozenset())
    mine, theirs = (
        {term for term in some - rest if term[0].isdigit()} for some, rest in ((own, its), (its, own))
    )
    if len(mine) == len(theirs):
        own, its = own - mine or own, its - theirs or its
    shared = len(own & passage.terms)
    return shared / (len(own) or 1), shared / (len(its) or 1)


def _one_unknown_name(text: str, known: Collection[str]) -> frozenset[str]:
    """What is unknown of the name in the text that is not known, if there is just one; it may have several
    parts: "John Wallop, 2nd Earl of Portsmouth"."""
    runs = [run for run in names_in(text, initial=True) if not is_heading_word(run[0].word)]
    unknown = [run for run in runs if {token.term for token in run} - {*known}]
    first, last = (unknown[0][0].start, unknown[-1][0].start) if unknown else (0, 0)
    inside = (word for word in word_tokens(text) if first <= word.start < last)
    if not all(word.capital or word.word in _IN_NAMES or len(word.word) < _SHORT for word in inside):
        return frozenset()
    return frozenset(token.term for run in unknown for token in run) - {*known}
