"""Limits, enforced in code before a call starts.

A `Budget` holds the run's caps and what each branch has spent. Before branches start they get equal *shares*
of what is left, so one branch can never spend another's part and the result does not depend on which branch
is quicker. Some of what is left is kept for the roles that must have the last word (`reserve`): a compressor
in each branch, the writer at the end. What was spent is rebuilt from the call log, so caps count across
resumes, and so do seconds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from deep_research.core.clock import Clock
from deep_research.core.errors import BudgetExceeded, Stopped
from deep_research.settings.parts import BudgetSettings as Caps

BUDGET_KINDS = ("model_calls", "searches", "sources", "tokens", "cost_usd")
Amounts = Mapping[str, float]
_LATER = "later"
_DIVISIBLE = ("tokens", "cost_usd")
_KEPT_MOST = 1 / 3
"""Of tokens and money a role is kept at most this part: a report without research would be worth nothing."""


class Stop:
    """Set by whoever wants the report now: from then on the budget allows only what finishes it."""

    wanted = False


STOP: ContextVar[Stop | None] = ContextVar("stop", default=None)
"""What stops the runs that are started from here on, if something may."""
FINISHING = ("compressor", "writer", "verifier")
"""The roles that have the last word: they put together what was found."""


class Budget:
    """What may still be spent, per run and per branch; every amount is a mapping from BUDGET_KINDS."""

    def __init__(self, caps: Caps, clock: Clock, elapsed: float = 0.0) -> None:
        """`elapsed` are seconds that earlier sittings of this run took."""
        self.stop = STOP.get() or Stop()
        self._clock = clock
        self._started = clock.seconds() - elapsed
        self._caps = {kind: getattr(caps, kind) for kind in BUDGET_KINDS if getattr(caps, kind) is not None}
        self._seconds = caps.seconds
        self._spent: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        self._total: dict[str, float] = defaultdict(float)
        self._shares: dict[str, dict[str, float]] = {}
        self._reserved: dict[str, dict[str, dict[str, float]]] = defaultdict(dict)

    def left(self, branch: str, role: str = "") -> dict[str, float]:
        """What this role of this branch may still spend, for each capped kind."""
        reserved = self._reserved[branch]
        kept = {
            k: sum(part.get(k, 0) for owner, part in reserved.items() if owner != role) for k in self._caps
        }
        return {kind: self._available(branch, kind) - kept[kind] for kind in self._caps}

    def _available(self, branch: str, kind: str) -> float:
        share = self._shares.get(branch)
        if share is not None:
            return share[kind] - self._spent[branch][kind]
        promised = sum(s[kind] - self._spent[b][kind] for b, s in self._shares.items())
        return self._caps[kind] - self._total[kind] - promised

    def take(self, branch: str, role: str, amounts: Amounts) -> None:
        """Set `amounts` aside for a call that is about to start, or raise `BudgetExceeded`."""
        self.check(branch, role, amounts)
        self.book(branch, amounts)

    def check(self, branch: str, role: str, amounts: Amounts) -> None:
        """Raise `BudgetExceeded` if these amounts are not left for this role of this branch."""
        if self.stop.wanted and role not in FINISHING:
            raise Stopped
        self.check_time()
        left = self.left(branch, role)
        for kind, amount in amounts.items():
            if kind in left and amount > left[kind] + 1e-9:
                raise BudgetExceeded(kind, self._caps[kind])

    def book(self, branch: str, amounts: Amounts) -> None:
        """Count what was spent; a negative amount gives back what a call did not need."""
        for kind, amount in amounts.items():
            self._spent[branch][kind] += amount
            self._total[kind] += amount

    def book_share(self, branch: str, amounts: Amounts) -> None:
        """Count against a branch's share only: what it used was already paid for by another branch."""
        for kind, amount in amounts.items():
            self._spent[branch][kind] += amount

    @contextmanager
    def setting_aside(self, branch: str, amounts: Amounts) -> Iterator[None]:
        """Count amounts against a branch's share while a call waits, so that no call beside it takes them."""
        self.book_share(branch, amounts)
        try:
            yield
        finally:
            self.book_share(branch, {kind: -amount for kind, amount in amounts.items()})

    def observe(self, branch: str, kind: str, amount: float) -> None:
        """Set a figure that the graph's state knows better than the call log: the sources seen so far."""
        self._spent[branch][kind] = amount
        if branch not in self._shares:
            self._total[kind] = amount

    def check_time(self) -> None:
        """Raise `BudgetExceeded` when the run's seconds are over."""
        if self._seconds is not None and self._clock.seconds() - self._started > self._seconds:
            raise BudgetExceeded("seconds", self._seconds)

    def share(self, parent: str, branches: Iterable[str]) -> dict[str, dict[str, float]]:
        """Equal shares of what the parent has left, one for each new branch; money is split exactly.

        Of whole numbers the first branches get one more where they do not divide evenly, so that a search
        that is left is never lost because there are two branches. What the branches spent in an earlier
        sitting counts as theirs, so that their shares come out the same again.
        """
        names = list(branches)
        left = {
            kind: max(amount, 0) + sum(self._spent[name][kind] for name in names)
            for kind, amount in self.left(parent).items()
        }
        return divide(left, names)

    def open(self, branch: str, share: Amounts) -> None:
        """Bind a branch to its share (as computed by `share` and kept in the graph's state)."""
        self._shares.setdefault(branch, dict(share))

    def close(self, branches: Iterable[str]) -> None:
        """At the join: what the branches did not spend goes back to the run."""
        for branch in branches:
            self._shares.pop(branch, None)
            self._reserved.pop(branch, None)

    def reserve(self, branch: str, role: str, amounts: Amounts) -> None:
        """Keep amounts for one role, as far as there is that much, and never all there is."""
        self._reserved[branch][role] = {
            kind: max(min(amount, self._available(branch, kind), self._keepable(branch, kind)), 0)
            for kind, amount in amounts.items()
            if kind in self._caps
        }

    def _keepable(self, branch: str, kind: str) -> float:
        """The most that one role may be kept of a kind: a part, or all but one where it cannot be divided."""
        whole = self._shares.get(branch, self._caps)[kind]
        return whole * _KEPT_MOST if kind in _DIVISIBLE else whole - 1

    @contextmanager
    def keeping(self, branch: str, amounts: Amounts) -> Iterator[None]:
        """Keep amounts for what comes after the work inside; they are free again when it is done."""
        self.reserve(branch, _LATER, amounts)
        try:
            yield
        finally:
            del self._reserved[branch][_LATER]


def divide(amounts: Amounts, names: Sequence[str]) -> dict[str, dict[str, float]]:
    """Equal parts for each name; of whole numbers the first get one more where they do not divide evenly."""

    def part(kind: str, place: int) -> float:
        if kind == "cost_usd":
            return amounts[kind] / len(names)
        whole, over = divmod(int(amounts[kind]), len(names))
        return whole + (place < over)

    return {name: {kind: part(kind, place) for kind in amounts} for place, name in enumerate(names)}
