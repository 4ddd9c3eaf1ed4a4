"""Leaving out what a strict reader does not want: doubts, forecasts, opinions, what no primary source says.

Told by words (`strictness.toml`) and by who stands behind a source (`sources/primary`); no model is asked. A
sentence goes whole or stays whole; one that leans on the sentence before it ("It also …") goes with that one.
What stays cites primary sources only, so that the verifier compares it with those and with no other; one that
was read and states the same takes the place of another source. That something was not found needs no source,
and stays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import chain

from deep_research.components.verifier.claims import SourceText
from deep_research.components.verifier.uncited import citation_edit, find_evidence, names_its_subject
from deep_research.core.forms import denies
from deep_research.core.records import Removed, Source
from deep_research.engine.context import Context
from deep_research.settings.parts import OutputSettings
from deep_research.sources.ledger import full_text
from deep_research.sources.primary import is_primary
from deep_research.text.blocks import Edit, apply_edits, without_spans
from deep_research.text.cited_sentences import CitedSentence
from deep_research.text.data import read_data
from deep_research.text.language import outside_code
from deep_research.text.source_ids import ID_CITATION, cited_ids, sentences_citing_ids
from deep_research.text.wording import terms_in

_RULES = read_data(__file__, "strictness.toml")
_COMPARED = 6
"""Primary sources that a sentence is compared with: those that share most of its words."""
_BETWEEN = r"\W+(?:\w+\W+){0,6}?"
_CELL = re.compile(r"(?<=\|)[^|\n]+(?=\|)")
_TABLE = re.compile(r"(?:^\|[^\n]*\|[ \t]*\n){3,}", re.MULTILINE)
_OR, _NOTHING = " / ", "–"


@cache
def _any_of(kind: str) -> re.Pattern[str]:
    """The words that tell sentences of a kind, in all languages."""
    words = _RULES[kind]
    latin = "|".join(re.escape(word).replace(r"\ …\ ", _BETWEEN) for word in words["en"])
    others = "|".join(re.escape(word) for word in (*words["zh"], *words["ja"]))
    return re.compile(rf"\b(?:{latin})\b|{others}")


def with_primary_citations(markdown: str, sources: Sequence[Source], ctx: Context) -> str:
    """A text that cites ids, in which what only others vouch for cites a primary source that states the same.

    A writer takes the page that came first, be it a wiki's, though a register was read, too.
    """
    texts = {s.id: SourceText(full_text(s, ctx), s.title, s.published or "") for s in sources}
    terms = {name: terms_in(f"{one.title}\n{one.text}") for name, one in texts.items()}
    edits = []
    for said in sentences_citing_ids(markdown):
        able = [source.id for source in sources if is_primary(source, said.text)]
        if said.ids and not set(able) & set(said.ids) and names_its_subject(said.text):
            wanted = terms_in(said.text)
            able.sort(key=lambda name: -len(wanted & terms[name]))
            names, _ = find_evidence(said.text, able[:_COMPARED], texts)
            cited = [f"{source.title}: " for source in sources if source.id in said.ids]
            edits += [(said.start, said.end, _cited_anew(markdown, said, names, cited))] if names else []
    return apply_edits(markdown, edits)


def _cited_anew(markdown: str, said: CitedSentence, names: Sequence[str], openings: Sequence[str]) -> str:
    """A sentence that cites these sources instead of its own, and does not open with one of theirs."""
    bare = re.sub(rf"[ \t]*{ID_CITATION.pattern}", "", markdown[said.start : said.end])
    bare = next((bare.removeprefix(one) for one in openings if bare.startswith(one)), bare)
    return apply_edits(bare, [citation_edit(bare, said._replace(start=0, end=len(bare)), names)])


def strict_report(
    markdown: str, sources: Sequence[Source], output: OutputSettings
) -> tuple[str, list[Removed]]:
    """A text that cites ids without what the settings want left out, and what went, with the reason.

    Without such settings the text stays as it is.
    """
    gone, spans, primary = list[tuple[CitedSentence, str]](), list[tuple[int, int]](), set[str]()
    markdown, emptied = _with_primary_cells(markdown, sources) if output.primary_only else (markdown, [])
    for said in sentences_citing_ids(markdown):
        vouching = {
            source.id for source in sources if source.id in said.ids and is_primary(source, said.text)
        }
        reason = _unwanted(said, vouching, output)
        if not reason and gone and _leans_on(said, gone[-1][0], markdown):
            reason = "leaning"
        if reason:
            gone.append((said, reason))
        elif output.primary_only:
            primary |= vouching
            marks = ID_CITATION.finditer(markdown, said.start, said.end)
            spans += [mark.span() for mark in marks if mark[1] not in vouching]

    def kept(match: re.Match[str]) -> str:
        return match[0] if match[1] in primary else ""

    text = without_spans(markdown, sorted([*spans, *((said.start, said.end) for said, _ in gone)]))
    if output.primary_only:
        text = outside_code(text, lambda part: ID_CITATION.sub(kept, part))
        text = outside_code(text, lambda part: _TABLE.sub(_without_empty_columns, part))
        text = re.sub(r"[ \t]+(?=[.。!?]|$)", "", text, flags=re.MULTILINE)
    told = [*(f"not_primary: {cell}" for cell in emptied), *(f"{why}: {said.text}" for said, why in gone)]
    return text, [Removed(number="", reason=reason) for reason in told]


def _with_primary_cells(markdown: str, sources: Sequence[Source]) -> tuple[str, list[str]]:
    """A text in whose tables a row that has a value of a primary source has lost those of other sources.

    And what these said, with the names of row and column. A row without any is left as it is.
    """
    known = {source.id: source for source in sources}
    edits, gone = list[Edit](), list[str]()
    for said in sentences_citing_ids(markdown):
        cells = [*_CELL.finditer(markdown, said.start, said.end)][1:] if markdown[said.start] == "|" else []
        row, *told = said.text.split("; ")
        values = [_values(cell[0].strip()) for cell in cells]
        cited = {value: [known[n] for n in cited_ids(value) if n in known] for value in chain(*values)}
        wrong = {value for value, of in cited.items() if of and not any(is_primary(s, said.text) for s in of)}
        if not any(of for value, of in cited.items() if value not in wrong):
            continue
        for n, cell in enumerate(cells):
            name = told[n].partition(": ")[0] if len(told) == len(cells) else ""
            left = [value for value in values[n] if value not in wrong]
            if len(left) < len(values[n]):
                edits.append((*cell.span(), f" {_OR.join(left) or _NOTHING} "))
            gone += [f"{row}; {name}: {ID_CITATION.sub('', v).strip()}" for v in values[n] if v in wrong]
    return apply_edits(markdown, edits), gone


def _values(cell: str) -> list[str]:
    """The values of a cell, each with its citations; of as many at the end of all, each has its own."""
    values, marks = cell.split(_OR), [mark[0] for mark in ID_CITATION.finditer(cell)]
    if len(values) != len(marks) or any(map(cited_ids, values[:-1])):
        return values
    bare = ID_CITATION.sub("", cell).split(_OR)
    return [f"{value.strip()} {mark}" for value, mark in zip(bare, marks, strict=True)]


def _without_empty_columns(table: re.Match[str]) -> str:
    """A table without the columns in which no row has a value."""
    rows = [line.strip()[1:-1].split("|") for line in table[0].splitlines()]
    told = [[cell.strip(f" -{_NOTHING}") for cell in row] for row in rows[2:]]
    kept = [n for n in range(len(rows[0])) if not n or any(any(row[n : n + 1]) for row in told)]
    if len(kept) == len(rows[0]) or any(len(row) != len(rows[0]) for row in rows):
        return table[0]
    return "".join(f"|{'|'.join(row[n] for n in kept)}|\n" for row in rows)


def _unwanted(said: CitedSentence, vouching: set[str], output: OutputSettings) -> str:
    """Why a sentence goes; "" if it stays."""
    if not said.ids and denies(said.text):
        return ""
    told = _any_of("firm").sub("", said.text)
    for kind in output.drop:
        if _any_of(kind).search(told):
            return kind
    return "not_primary" if output.primary_only and not vouching else ""


def _leans_on(said: CitedSentence, before: CitedSentence, markdown: str) -> bool:
    """Whether a sentence stands right behind another one and opens with a word that points back to it."""
    together = not markdown[before.end : said.start].strip(" \t")
    return together and bool(_any_of("leaning").match(re.sub(r"^\W+", "", said.text)))
