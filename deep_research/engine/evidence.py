"""Sources as prompts show them: fenced blocks with an id, labels, and the words of the page as data.

A tool's answer in the state holds references to its sources; the texts are put in when a prompt is built.
Whatever in a text looks like one of our tags is defused, so that it can never close its own fence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

from deep_research.core.records import Source
from deep_research.text.fence import fence_page

from .context import Context
from .tools import ToolCall, tool_answer


class SourceReference(TypedDict):
    """A source in a tool's answer, and the page-store key of what was read of it; empty for the snippet."""

    source: str
    reading: str


AnswerLine = str | SourceReference
"""A line of a tool's answer. A message keeps its lines as `artifact`: plain data, ready for checkpoints."""


def answer_with_sources(call: ToolCall, lines: Sequence[AnswerLine]) -> Any:
    """The tool message that answers a call; it names its sources, and prompts show their texts."""
    text = "\n".join(line if isinstance(line, str) else _tag(line) for line in lines)
    return tool_answer(call, text, [*lines] if any(isinstance(line, dict) for line in lines) else None)


def _tag(line: SourceReference) -> str:
    return f'<source id="{line["source"]}" reading="{line["reading"]}"/>'


def sources_in_answer(message: Any) -> list[str]:
    """The ids of the sources that a tool's answer holds, each once."""
    return list(dict.fromkeys(line["source"] for line in message.artifact or () if isinstance(line, dict)))


def source_block(source: Source, body: str) -> str:
    """One source as a model sees it: fenced, labelled, defused."""
    labels = {
        "title": source.title,
        "published": source.published,
        "tier": source.tier,
        "url": source.url,
        "key": source.citation_key,
    }
    attributes = " ".join(f'{name}="{as_attribute(value)}"' for name, value in labels.items() if value)
    return f'<source id="{source.id}" {attributes}>\n{fence_page(body)}\n</source>'


def as_attribute(value: str) -> str:
    """Text that is safe between the quotation marks of a tag, and cites nothing."""
    return fence_page(" ".join(value.split())).replace('"', "'").replace("<", "‹").replace(">", "›")


def source_label(source: Source, undated: str = "undated") -> str:
    """What stands behind the title of a source where prompts list sources."""
    return f"({as_attribute(source.published or undated)}; {source.tier})"


def with_source_texts(messages: Iterable[Any], sources: Sequence[Source], ctx: Context) -> list[Any]:
    """Messages whose tool results hold their sources as source blocks, each text once."""
    known = {source.id: source for source in sources}
    shown: set[tuple[str, str]] = set()

    def expanded(line: AnswerLine) -> str:
        if isinstance(line, str):
            return line
        source, reading = known.get(line["source"]), line["reading"]
        if source is None:
            return _tag(line)
        if (source.id, reading) in shown:
            return f'<source id="{source.id}" title="{as_attribute(source.title)}" seen_before="true"/>'
        shown.add((source.id, reading))
        return source_block(source, ctx.store.pages.get(reading) if reading else source.snippet)

    def with_texts(message: Any) -> Any:
        text = "\n".join(map(expanded, message.artifact))
        return message.model_copy(update={"content": text, "artifact": None})

    return [with_texts(message) if getattr(message, "artifact", None) else message for message in messages]


def evidence_text(sources: Sequence[Source], ctx: Context) -> str:
    """All sources as blocks, with everything that was read of each."""
    blocks = []
    for source in sources:
        texts = [ctx.store.pages.get(key) for key in source.readings] or [source.snippet]
        blocks.append(source_block(source, "\n\n".join(texts)))
    return "\n\n".join(blocks)
