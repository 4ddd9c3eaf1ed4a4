"""Branches: work that one branch starts side by side, each under its share of the budget, and then waits for.

A graph that starts branches in one node and joins them in another makes the object in both nodes: it holds
nothing but their names. What goes wrong in a branch costs that branch only (`gap_instead_of_error`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from langgraph.errors import GraphBubbleUp

from deep_research.core.errors import BudgetExceeded, RunError
from deep_research.core.gaps import GapSentence
from deep_research.core.records import Gap

from .budget import Amounts, divide
from .context import Context

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Branches:
    """Branches with these names, started from the branch of `ctx` and joined to it again."""

    names: Sequence[str]
    ctx: Context

    def start(self, *, keep: int = 0, free: Amounts | None = None) -> dict[str, dict[str, float]]:
        """Fork the trace and open an equal share of the budget for each; returns the shares.

        Without `free`, the shares divide what this branch has left, less the model calls to `keep` for what
        comes after the branches.
        """
        if not self.names:
            return {}
        budget, parent = self.ctx.budget, self.ctx.branch
        spare = budget.left(parent).get("model_calls", keep + 1) - 1  # a branch without a call finds nothing
        with budget.keeping(parent, {"model_calls": max(min(keep, spare), 0)}):
            shares = budget.share(parent, self.names) if free is None else divide(free, self.names)
        for name, share in shares.items():
            budget.open(name, share)
        self.ctx.trace.fork(parent, self.names)
        return shares

    def join(self) -> None:
        """Return what the branches did not spend, and let the trace go on after all of them."""
        self.ctx.budget.close(self.names)
        self.ctx.trace.join(self.ctx.branch, self.names)

    async def gather(self, work: Callable[[str, Amounts], Coroutine[Any, Any, T]]) -> list[T]:
        """Start them, await `work(name, share)` for each side by side, and join; raises the first error."""
        shares = self.start()
        results = await self.ctx.gather([work(name, shares[name]) for name in self.names])
        self.join()
        for result in results:
            if isinstance(result, BaseException):
                raise result
        return [result for result in results if not isinstance(result, BaseException)]


async def gap_instead_of_error(
    work: Awaitable[T], seconds: float, ctx: Context, late: GapSentence = "topic_late"
) -> T | Gap:
    """What a branch's work comes to; or the typed gap that it leaves if it fails or takes too long."""
    try:
        async with asyncio.timeout(max(seconds, 0)):
            return await work
    except (GraphBubbleUp, RunError):  # a pause, or a run folder that takes nothing more
        raise
    except TimeoutError:
        return ctx.gap("timeout", late, about=ctx.topic, seconds=ctx.settings.branch_timeout)
    except BudgetExceeded as error:
        return ctx.failure("limit_reached", error)
    except Exception as error:
        return ctx.failure("topic_failed", error, about=ctx.topic)
