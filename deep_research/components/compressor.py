"""The compressor: one researcher's evidence, boiled down to a finding that loses no source.

The model writes the text. Code keeps the queries and all sources, leaves out lines with
numbers that no source has, and puts back, as quotes, cited sources that the text has lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from deep_research.core.errors import BudgetExceeded, ModelError
from deep_research.core.forms import denies
from deep_research.core.records import Ended, Finding, Source
from deep_research.engine.chat import chat
from deep_research.engine.context import Context
from deep_research.engine.evidence import as_attribute, evidence_text
from deep_research.engine.prompting import system_prompt, text_of_messages, user_message
from deep_research.text.cited_sentences import row_with_header
from deep_research.text.fence import fence, fence_page
from deep_research.text.language import shorten, split_sentences
from deep_research.text.source_ids import SOURCE_ID, cited_ids

_QUOTED_CHARACTERS = 400
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_YEAR = re.compile(r"[12]\d{3}")
_SENTENCE_ENDS = tuple(".!?…。！？")
_NOT_A_FIGURE = re.compile(
    rf"{SOURCE_ID}|^\s*\d+[.)]\s", re.MULTILINE
)  # ids of sources, numbers of list items
_AGAIN = (
    "These numbers are not in the material: {}. Write the whole text again, each number as its source has it."
)


async def compress(
    topic: str,
    sources: Sequence[Source],
    messages: Sequence[Any],
    queries: Sequence[str],
    ended: Ended,
    ctx: Context,
) -> Finding:
    """The finding of one researcher; where no model can write it, quotes stand in its place."""
    if ctx.settings.limits.compress:
        material, named = evidence_text(sources, ctx), cited_ids(text_of_messages(messages))
        written = await _write(topic, material, system_prompt("compressor", ctx), ctx)
        text = _with_lost_sources(written, sources, named, ctx)
    else:
        text = quote_sources(sources, ctx, ctx.settings.limits.max_content_length)
    return Finding(
        branch=ctx.branch, topic=topic, text=text,
        source_ids=[source.id for source in sources], queries=list(queries), ended=ended,
    )  # fmt: skip


async def write_note(
    instructions: Any, topic: str, before: str, sources: Sequence[Source], ctx: Context
) -> str:
    """Evidence boiled down under other instructions (a system message), with `before` shown before it."""
    material = "\n\n".join(filter(None, (before, evidence_text(sources, ctx))))
    return _with_lost_sources(await _write(topic, material, instructions, ctx), sources, [], ctx)


def _with_lost_sources(
    written: _Written, sources: Sequence[Source], named: Sequence[str], ctx: Context
) -> str:
    """What was written, with quotes of the sources that it has lost; `named` are ids that it should hold."""
    is_cited = cited_ids(written.kept) or denies(written.kept)
    text = written.kept if is_cited else quote_sources(sources, ctx)
    wanted = [*named, *cited_ids(written.left_out)]
    if written.cut:  # the text may have ended before it came to them
        wanted = [source.id for source in sources]
    return text + _quotes_of([name for name in wanted if name not in cited_ids(text)], sources)


class _Written(NamedTuple):
    """A model's text: lines that may stay, and lines left out because of numbers that no source has."""

    kept: str
    left_out: str
    cut: bool = False  # by the length limit, and not to be continued


async def _write(topic: str, material: str, instructions: Any, ctx: Context) -> _Written:
    """The model's text of the material; wrong numbers are sent back once. Empty if no model can write it."""
    from langchain_core.messages import AIMessage

    prompt = [instructions, user_message(f"Topic: {fence(topic)}\n\n{material}")]
    known, asked = numbers_in(material), numbers_in(topic)
    written = _Written("", "")
    try:
        message = await chat("compressor", prompt, ctx)
        written = _checked(message, known, asked)
        if written.left_out:
            wrong = sorted(numbers_in(written.left_out) - known)
            again = user_message(_AGAIN.format(", ".join(wrong)))
            message = await chat("compressor", [*prompt, AIMessage(message.text), again], ctx)
            written = _checked(message, known, asked)
    except (ModelError, BudgetExceeded):
        pass  # what was written before the failure stays
    return written


def _checked(message: Any, known: set[str], asked: set[str]) -> _Written:
    """The lines whose numbers a source has; of what is not there, also those asked for."""
    lines = str(message.text).strip().splitlines()
    right = [numbers_in(line) <= (known | asked if denies(line) else known) for line in lines]
    kept = [line for line, fits in zip(lines, right, strict=True) if fits]
    left_out = [line for line, fits in zip(lines, right, strict=True) if not fits]
    cut = message.response_metadata.get("finish_reason") == "length"
    return _Written("\n".join(kept).strip(), "\n".join(left_out), cut)


def numbers_in(text: str) -> set[str]:
    """The figures of a text; ids of sources are none, separators and leading zeros make no difference."""
    found = _NUMBER.findall(_NOT_A_FIGURE.sub(" ", text))
    return {number.replace(",", "").lstrip("0") for number in found}


def quote_sources(sources: Sequence[Source], ctx: Context, most: int = _QUOTED_CHARACTERS) -> str:
    """A finding without a model: what each source's snippet says, cited; with more room, what was read."""
    lines = []
    for source in sources:
        read = ctx.store.pages.get(source.readings[0]) if source.readings else ""
        text = read if read and most > _QUOTED_CHARACTERS else source.snippet or read
        said = split_sentences(shorten(text, most))
        short = most == _QUOTED_CHARACTERS
        lines += [_quote(source, one) for one in ([" ".join(said)] if short else said)]
    return "\n".join(lines)


def _quote(source: Source, text: str) -> str:
    """One cited line of a page's own words, which are no markup and no citation for whoever reads it."""
    return f"- {_titled(source, text)} [{source.id}]"


def _titled(source: Source, text: str) -> str:
    return f"{as_attribute(source.title)}: {fence_page(text)}"


def with_readable_quotes(markdown: str, sources: Sequence[Source]) -> str:
    """A text whose quotes of whole snippets are fit to be read: without the headings of the page, and a row
    of a table with the names of its columns."""
    for source in sources:
        line = shorten(source.snippet, _QUOTED_CHARACTERS)
        readable = shorten(" ".join(_told_lines(source.snippet)), _QUOTED_CHARACTERS)
        for quoted in {line, " ".join(split_sentences(line))} if readable else ():
            markdown = markdown.replace(_titled(source, quoted), _titled(source, readable))
    return markdown


def _told_lines(snippet: str) -> Iterator[str]:
    """The lines of a snippet that tell something, each with an end."""
    columns = ""
    for line in map(str.strip, snippet.splitlines()):
        cells = line.split(" | ")
        if len(cells) == 1:
            columns = ""
            if line.endswith(_SENTENCE_ENDS) or ":" in line or _NUMBER.search(line):
                yield line if line.endswith(_SENTENCE_ENDS) else f"{line}."
        elif not columns and (not _NUMBER.search(line) or all(map(_YEAR.fullmatch, cells[1:]))):
            columns = line
        elif columns and len(cells) > 2:
            yield f"{row_with_header(line, columns)}."
        else:
            yield f"{cells[0]}: {', '.join(cells[1:])}."


def _quotes_of(names: Sequence[str], sources: Sequence[Source]) -> str:
    """A line for each source that was cited and that the text has lost."""
    known = {source.id: source for source in sources}
    return "".join(
        "\n" + _quote(known[name], shorten(known[name].snippet, _QUOTED_CHARACTERS))
        for name in dict.fromkeys(names)
        if name in known
    )
