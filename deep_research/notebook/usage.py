"""What a run spent, role by role: tokens read and written, calls, searches, money."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..report import Report
from ..state import RoleUsage, Usage
from .display import INK, MUTED, Display, colour, counted, new_figure, plain_axes, to_png

_ROW = 0.3
Rows = Sequence[tuple[str, RoleUsage]]


def show_usage(report: Report | Usage) -> Display:
    """Tokens and money by role, the dearest role first, and the run's total."""
    usage = report.usage if isinstance(report, Report) else report
    rows = sorted(usage.by_role.items(), key=lambda item: (-item[1].cost_usd, -_tokens(item[1]), item[0]))
    return Display(_text(rows, usage), png=_picture([row for row in rows if _tokens(row[1])], usage))


def _tokens(spent: RoleUsage) -> int:
    return spent.input_tokens + spent.output_tokens


def money(dollars: float) -> str:
    """Dollars as people read them; small sums keep four places."""
    return f"${dollars:,.4f}" if dollars < 1 else f"${dollars:,.2f}"


def _text(rows: Rows, usage: Usage) -> str:
    """A table: one line per role, and the total."""
    names = ("role", "calls", "searches", "tokens read", "written", "cost")
    head = f"{names[0]:16}" + "".join(f"{name:>12}" for name in names[1:])
    return "\n".join([head, *(_line(role, spent) for role, spent in [*rows, ("total", usage)])])


def _line(role: str, spent: RoleUsage) -> str:
    counts = (spent.model_calls, spent.searches, spent.input_tokens, spent.output_tokens)
    return f"{role:16}" + "".join(f"{count:>12,}" for count in counts) + f"{money(spent.cost_usd):>12}"


def _picture(rows: Rows, usage: Usage) -> bytes:
    figure = new_figure(8.2, _ROW * max(len(rows), 1) + 1.0)
    axes = figure.add_subplot()
    most = max((_tokens(spent) for _, spent in rows), default=0) or 1
    for place, (role, spent) in enumerate(rows):
        read, written = spent.input_tokens, spent.output_tokens
        axes.barh(-place, read, height=0.7, color=colour(role))
        axes.barh(
            -place, written, left=read, height=0.7, color=colour(role), hatch="////", edgecolor="white", lw=0
        )
        share = 100 * _tokens(spent) / (_tokens(usage) or 1)
        cost = f" · {money(spent.cost_usd)}" if usage.cost_usd else ""
        searches = f" · {counted(spent.searches, 'search', 'searches')}" if spent.searches else ""
        calls = counted(spent.model_calls, "call")
        words = f" {_tokens(spent):,} tokens ({share:.0f} %) · {calls}{searches}{cost}"
        axes.text(read + written, -place, words, fontsize=7.5, color=INK, va="center")
    _frame(axes, [role for role, _ in rows], most)
    figure.set_layout_engine("tight")
    return to_png(figure)


def _frame(axes: Any, roles: Sequence[str], most: int) -> None:
    """Roles at the side, and room on the right for what is said of each."""
    axes.set_yticks([-place for place in range(len(roles))], roles)
    axes.set_ylim(-max(len(roles), 1) + 0.4, 0.6)
    axes.set_xlim(0, most * 1.75)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel("tokens: plain = read (prompts), hatched = written", fontsize=8, color=INK)
    plain_axes(axes, grid="x")
    axes.tick_params(axis="x", colors=MUTED)
