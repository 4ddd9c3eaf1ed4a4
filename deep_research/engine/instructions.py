"""What models are told, taken out of what they write: small ones repeat their instructions as if they knew.

A sentence of a text is an instruction if it is a whole sentence of a prompt, of any role, since findings pass
through many hands; what the prompt's variables stand for may be anything. Signs and capitals do not count. A
line of the list of sources that prompts show is no statement either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from string import Template

from deep_research.core.clock import today
from deep_research.core.records import Source
from deep_research.core.words import phrases
from deep_research.prompts import roles, text_of_prompt
from deep_research.text.blocks import without_spans
from deep_research.text.fence import without_tag_lines
from deep_research.text.source_ids import ID_CITATION, SOURCE_ID, sentences_citing_ids
from deep_research.text.terms import cjk_count

from .context import Context
from .evidence import source_label

_FEWEST_WORDS = 4
_FEWEST_CHARACTERS = 5
"""Words, or Chinese or Japanese characters, that make a sentence one that nobody else would write."""
_HEAD_ENDS = re.compile(r"[:;：；]\s*")
"""Where small models break an instruction off: what stands before is known with twice the words."""
_LABEL = re.compile(r"^(?:sources? )?(?:s\d+ \d+ )?")
_BLANK_LINES = re.compile(r"\n{3,}")
_LIST = "sources"
"""What stands above that list."""
_ID = re.compile(SOURCE_ID)
_HOLE = "\0"
_NOT_COUNTED = re.compile(rf"[^\w{_HOLE}]+|_")


def without_instructions(markdown: str, sources: Sequence[Source], ctx: Context) -> tuple[str, list[str]]:
    """The text without tags of prompts and sentences that are instructions or lines of sources, and those
    sentences."""
    markdown, settings = without_tag_lines(markdown), ctx.settings
    own = tuple(sorted((role, str(path)) for role, path in settings.prompts.items()))
    known = _instructions(settings.prompt_language, own, str(today(ctx.clock)))
    listed = {_bare(f"{one.title} {label}") for one in sources for label in _labels(one)}
    said = [(one, _bare(one.text)) for one in sentences_citing_ids(markdown)]
    listed |= {_LIST} if any(_LABEL.sub("", bare) in listed for _, bare in said) else set()
    repeated = [one for one, bare in said if known.fullmatch(bare) or _LABEL.sub("", bare) in listed]
    left = _without_labels(without_spans(markdown, [(one.start, one.end) for one in repeated]), sources)
    return (_BLANK_LINES.sub("\n\n", left) if repeated else left), [one.text for one in repeated]


def _labels(source: Source) -> set[str]:
    return {source_label(source), source_label(source, undated="?")}


def _without_labels(markdown: str, sources: Sequence[Source]) -> str:
    """The text without dates and tiers of lists of sources; `[Title (date; tier), S1.1]` is a citation."""
    for one in sources:
        label = f"(?:{'|'.join(map(re.escape, sorted(_labels(one))))})"
        named = rf"\[{re.escape(one.title) or label}(?: {label})?[,:;]?\s*((?:\[?{SOURCE_ID}\]?[,;\s]*)+)\]"
        markdown = re.sub(named, _each_alone, markdown)
        markdown = re.sub(rf"\s?{label}", "", markdown)
    return markdown


def _each_alone(cited: re.Match[str]) -> str:
    return "".join(f"[{name}]" for name in _ID.findall(cited[1]))


@lru_cache(maxsize=8)
def _instructions(language: str, own: Sequence[tuple[str, str]], date: str) -> re.Pattern[str]:
    """The sentences of all prompts as one pattern."""
    files = dict(own)
    told = [text_of_prompt(role, language, override=files.get(role)) for role in roles()]
    told += [text for table in ("ended", "output") for text in phrases(f"prompts.{table}")[language].values()]
    whole = [said.text for text in told for said in sentences_citing_ids(_with_holes(text, date))]
    heads = (_bare(_HEAD_ENDS.split(one, maxsplit=1)[0]) for one in whole)
    sentences = {*map(_bare, whole), *(head for head in heads if _is_telling(head, times=2))}
    return re.compile("|".join(map(_pattern, sorted(filter(_is_telling, sentences)))) or r"(?!)")


def _with_holes(text: str, date: str) -> str:
    """A prompt or a phrase with a sign for each value that only a run knows."""
    holes = dict.fromkeys(Template(text).get_identifiers(), _HOLE) | {"date": date}
    return re.sub(r"\{\w*\}", _HOLE, Template(text).safe_substitute(holes))


def _bare(sentence: str) -> str:
    """The words of a sentence alone, so that quotation marks, emphasis and ids make no difference."""
    return _NOT_COUNTED.sub(" ", ID_CITATION.sub(" ", sentence)).casefold().strip()


def _is_telling(bare: str, times: int = 1) -> bool:
    words = len(bare.replace(_HOLE, " ").split())
    return words >= times * _FEWEST_WORDS or cjk_count(bare) >= times * _FEWEST_CHARACTERS


def _pattern(bare: str) -> str:
    words = re.escape(bare.strip(f"{_HOLE} ")).replace(re.escape(_HOLE), ".{0,200}")
    before, behind = bare.startswith(_HOLE), bare.endswith(_HOLE)
    return f"{'(?:.{0,200} )?' * before}{words}{'(?: .{0,200})?' * behind}"
