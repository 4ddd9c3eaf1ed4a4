"""One clock for everything that needs the time: prompts, retries, time stamps, limits in seconds.

Offline, time stands still at the invented web's own date, so that the same question gives the same bytes;
waiting there costs nothing. With documents or live it is the machine's clock. Tests set their own.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Protocol


class Clock(Protocol):
    """What the rest of the package asks of a clock."""

    def now(self) -> datetime: ...

    def seconds(self) -> float:
        """Monotonic seconds, for durations and deadlines."""

    async def sleep(self, seconds: float) -> None: ...


@dataclass(frozen=True)
class RealClock:
    """The machine's clock; with a `day` it shows that day, as a real model on the invented web needs it."""

    day: str = ""

    def now(self) -> datetime:
        now = datetime.now(UTC)
        return datetime.combine(date.fromisoformat(self.day), now.timetz()) if self.day else now

    def seconds(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@dataclass
class FrozenClock:
    """A clock that stands at midnight of `day`; sleeping is recorded in `slept` and takes no time."""

    day: str
    slept: list[float] = field(default_factory=list)

    def now(self) -> datetime:
        return datetime.fromisoformat(self.day).replace(tzinfo=UTC)

    def seconds(self) -> float:
        return 0.0

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)


@dataclass
class ReplayClock:
    """A clock that stands at the time at which a recorded run began; sleeping takes no time."""

    began: datetime

    def now(self) -> datetime:
        return self.began

    def seconds(self) -> float:
        return 0.0

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)


def today(clock: Clock) -> date:
    """The day that prompts are told."""
    return clock.now().date()
