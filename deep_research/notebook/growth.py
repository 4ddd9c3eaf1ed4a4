"""What fills the context window, call by call.

Of prompts the tokens are counted here, stacked by kind of message. A report's trace holds no prompts: there
each call shows what its model says that it has read, in the colour of its role, branch after branch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from deep_research.engine.fitting import message_tokens
from deep_research.engine.trace import TraceLine
from deep_research.report import Report

from .display import INK, LINE, Display, colour, legend, new_figure, plain_axes, to_png
from .messages import SPEAKERS, as_openai
from .timeline import branch_order, branch_title

_MOST_NAMES = 24
"""Calls that are named along the axis; of more, every second one or fewer."""


def context_growth(
    prompts: Report | Sequence[Sequence[Any]], limit: int | None = None, labels: Sequence[str] = ()
) -> Display:
    """Show how prompts grow from one call to the next.

    `prompts` holds the messages of each call, as LangChain messages or as OpenAI's dictionaries, or is a
    report. Token counts are the package's own estimate; a report's are those of its model. `limit` draws a
    line at so many tokens; `labels` name the prompts, which are numbered otherwise.
    """
    if isinstance(prompts, Report):
        return _of_calls(prompts.trace, limit)
    counts = [tokens_by_kind(prompt) for prompt in prompts]
    names = list(labels) or [str(place) for place in range(1, len(counts) + 1)]
    return Display(_text(counts, names, limit), png=_picture(counts, names, limit))


def _of_calls(trace: Sequence[TraceLine], limit: int | None) -> Display:
    """The same for the model calls of a trace: what each has read, by branch and then in order."""
    calls = [line for line in trace if line.kind == "model" and line.status != "reused"]
    calls.sort(key=lambda line: (branch_order(line.branch), line.start, line.id))
    counts = [{line.role: line.input_tokens} for line in calls]
    names = [str(place) for place in range(1, len(calls) + 1)]
    lines = [
        f"{name:>6}  {branch_title(line.branch):10} {line.role:16}{line.input_tokens:>9,}"
        for name, line in zip(names, calls, strict=True)
    ]
    head = ["tokens read, as the model counted them", f"{'call':>6}  {'branch':10} {'role':16}{'tokens':>9}"]
    branches = [branch_title(line.branch) for line in calls]
    text = "\n".join([*head, *lines, *_note(counts, names, limit)])
    return Display(text, png=_picture(counts, names, limit, branches))


def tokens_by_kind(prompt: Sequence[Any]) -> dict[str, int]:
    """Estimated tokens of one prompt, by kind of message; every kind is there, zero included."""
    counts = dict.fromkeys(SPEAKERS.values(), 0)
    for message in map(as_openai, prompt):
        counts[SPEAKERS.get(message["role"], "user")] += message_tokens(message)
    return counts


def _text(counts: Sequence[Mapping[str, int]], names: Sequence[str], limit: int | None) -> str:
    kinds = SPEAKERS.values()
    head = f"{'call':>6}" + "".join(f"{kind:>14}" for kind in kinds) + f"{'total':>9}"
    lines = [
        f"{name:>6}" + "".join(f"{count[kind]:>14,}" for kind in kinds) + f"{sum(count.values()):>9,}"
        for name, count in zip(names, counts, strict=True)
    ]
    return "\n".join(["estimated tokens per prompt", head, *lines, *_note(counts, names, limit)])


def _note(counts: Sequence[Mapping[str, int]], names: Sequence[str], limit: int | None) -> list[str]:
    """Which calls are over the limit, if there is one."""
    if limit is None:
        return []
    over = [name for name, count in zip(names, counts, strict=True) if sum(count.values()) > limit]
    return [f"limit {limit:,} tokens; over it: {', '.join(over) or 'none'}"]


def _picture(
    counts: Sequence[Mapping[str, int]], names: Sequence[str], limit: int | None, branches: Sequence[str] = ()
) -> bytes:
    figure = new_figure(8.2 if branches else 7.2, 2.9, "tight")
    axes = figure.add_subplot()
    places = range(1, len(counts) + 1)
    kinds = list(dict.fromkeys(kind for count in counts for kind in count))
    bottom = [0] * len(counts)
    for kind in kinds:
        heights = [count.get(kind, 0) for count in counts]
        axes.bar(places, heights, bottom=bottom, width=0.62, color=colour(kind))
        bottom = [low + height for low, height in zip(bottom, heights, strict=True)]
    if limit is not None:
        axes.axhline(limit, color=INK, lw=1, ls="--")
        axes.text(0.42, limit, f" limit {limit:,}", fontsize=7.5, color=INK, va="bottom")
    _mark_branches(axes, branches)
    step = -(-len(counts) // _MOST_NAMES) or 1
    axes.set_xticks(list(places)[::step], list(names)[::step])
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlim(0.4, max(len(counts), 1) + 0.6)
    plain_axes(axes, "y", "model call", "tokens read" if branches else "estimated tokens")
    legend(axes, kinds)
    return to_png(figure)


def _mark_branches(axes: Any, branches: Sequence[str]) -> None:
    """A line before each branch's first call, and its name above, as far as there is room for it."""
    first = {branch: place for place, branch in reversed(list(enumerate(branches, start=1)))}
    for branch, place in sorted(first.items(), key=lambda item: item[1]):
        if place > 1:
            axes.axvline(place - 0.5, color=LINE, lw=0.8)
        if branches.count(branch) >= len(branches) / 14 * 1.2:
            style = {"fontsize": 7, "color": INK, "transform": axes.get_xaxis_transform(), "va": "bottom"}
            axes.text(place - 0.4, 1.01, branch, **style)
