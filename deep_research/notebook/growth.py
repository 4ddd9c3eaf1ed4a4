"""What fills the context window, call by call: the tokens of each prompt, stacked by kind of message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..fitting import message_tokens
from .display import INK, Display, colour, new_figure, plain_axes, to_png

KINDS = {"system": "instructions", "user": "user", "assistant": "model", "tool": "tool results"}
"""OpenAI's role of a message → what it is called in the figure."""


def context_growth(
    prompts: Sequence[Sequence[Any]], limit: int | None = None, labels: Sequence[str] = ()
) -> Display:
    """Show how prompts grow from one call to the next.

    `prompts` holds the messages of each call, as LangChain messages or as OpenAI's dictionaries. Token counts
    are the package's own estimate. `limit` draws a line at so many tokens; `labels` name the prompts, which
    are numbered otherwise.
    """
    counts = [tokens_by_kind(prompt) for prompt in prompts]
    names = list(labels) or [str(place) for place in range(1, len(counts) + 1)]
    return Display(_text(counts, names, limit), png=_picture(counts, names, limit))


def tokens_by_kind(prompt: Sequence[Any]) -> dict[str, int]:
    """Estimated tokens of one prompt, by kind of message; every kind is there, zero included."""
    from langchain_core.messages import convert_to_openai_messages

    counts = dict.fromkeys(KINDS.values(), 0)
    for message in prompt:
        plain: Any = message if isinstance(message, Mapping) else convert_to_openai_messages(message)
        counts[KINDS.get(plain["role"], "user")] += message_tokens(dict(plain))
    return counts


def _text(counts: Sequence[Mapping[str, int]], names: Sequence[str], limit: int | None) -> str:
    kinds = list(KINDS.values())
    head = f"{'call':>6}" + "".join(f"{kind:>14}" for kind in kinds) + f"{'total':>9}"
    lines = [
        f"{name:>6}" + "".join(f"{count[kind]:>14,}" for kind in kinds) + f"{sum(count.values()):>9,}"
        for name, count in zip(names, counts, strict=True)
    ]
    over = [
        name
        for name, count in zip(names, counts, strict=True)
        if limit is not None and sum(count.values()) > limit
    ]
    note = [] if limit is None else [f"limit {limit:,} tokens; over it: {', '.join(over) or 'none'}"]
    return "\n".join(["estimated tokens per prompt", head, *lines, *note])


def _picture(counts: Sequence[Mapping[str, int]], names: Sequence[str], limit: int | None) -> bytes:
    figure = new_figure(7.2, 2.9)
    axes = figure.add_subplot()
    places = range(1, len(counts) + 1)
    bottom = [0] * len(counts)
    for kind in KINDS.values():
        heights = [count[kind] for count in counts]
        axes.bar(places, heights, bottom=bottom, width=0.62, color=colour(kind), label=kind)
        bottom = [low + height for low, height in zip(bottom, heights, strict=True)]
    if limit is not None:
        axes.axhline(limit, color=INK, lw=1, ls="--")
        axes.text(0.42, limit, f" limit {limit:,}", fontsize=7.5, color=INK, va="bottom")
    axes.set_xticks(list(places), names)
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlim(0.4, len(counts) + 0.6)
    axes.set_xlabel("model call", fontsize=8, color=INK)
    axes.set_ylabel("estimated tokens", fontsize=8, color=INK)
    plain_axes(axes, grid="y")
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=7.5, frameon=False)
    figure.set_layout_engine("tight")
    return to_png(figure)
