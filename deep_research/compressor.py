"""The compressor: one researcher's evidence, boiled down to a finding that loses no source.

The model writes the text; code keeps the queries, keeps every source that was read, and puts back those that
the researcher had cited and the text has dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .context import Context
from .errors import BudgetExceeded, ModelError
from .ledger import cited_ids
from .models import chat
from .prompting import evidence, system_prompt
from .state import Ended, Finding, Source
from .text import shorten, split_sentences

_QUOTED_CHARACTERS = 400


async def compress(
    topic: str,
    sources: Sequence[Source],
    messages: Sequence[Any],
    queries: Sequence[str],
    ended: Ended,
    ctx: Context,
) -> Finding:
    """The finding of one researcher; where no model can write it, quotes stand in its place."""
    from langchain_core.messages import HumanMessage

    read = [source for source in sources if source.use != "seen"] or list(sources)
    prompt = [system_prompt("compressor", ctx), HumanMessage(f"Topic: {topic}\n\n{evidence(read, ctx)}")]
    try:
        text = str((await chat("compressor", prompt, ctx)).text).strip()
    except (ModelError, BudgetExceeded):
        text = ""
    text = text or quote_sources(read, ctx)
    return Finding(
        branch=ctx.branch,
        topic=topic,
        text=text + _dropped(text, messages, sources),
        source_ids=[source.id for source in read],
        queries=list(queries),
        ended=ended,
    )


def quote_sources(sources: Sequence[Source], ctx: Context) -> str:
    """A finding without a model: what each source's snippet says, cited."""
    lines = []
    for source in sources:
        text = source.snippet or (ctx.store.pages.get(source.readings[0]) if source.readings else "")
        sentences = split_sentences(shorten(text, _QUOTED_CHARACTERS))
        lines.append(f"- {source.title}: {' '.join(sentences)} [{source.id}]")
    return "\n".join(lines)


def _dropped(text: str, messages: Sequence[Any], sources: Sequence[Source]) -> str:
    """Lines for the sources that the researcher named in its own words and the text no longer cites."""
    said = "\n".join(
        [message.text for message in messages if message.type == "ai"]
        + [
            str(call["args"].get("reflection", ""))
            for message in messages
            if message.type == "ai"
            for call in message.tool_calls
        ]
    )
    wanted = [source_id for source_id in cited_ids(said) if source_id not in cited_ids(text)]
    known = {source.id: source for source in sources}
    return "".join(
        f"\n- {known[source_id].title}: {shorten(known[source_id].snippet, _QUOTED_CHARACTERS)} [{source_id}]"
        for source_id in wanted
        if source_id in known
    )
