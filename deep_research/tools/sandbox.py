"""Code that a model wrote, run where it can reach nothing: pydantic-monty, an interpreter in its own process.

Each run gets a fresh worker process with caps on time, memory, recursion and output, and nothing of this
machine: no files, environment, network, processes, third-party modules or entropy. The clock stands still
at the run's day, random numbers have a fixed seed, and sets are shown in order, so the same code gives the
same text. A result is a number, a text, a date, or a list or table of these.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from ..setting_parts import CalculationSettings

_GRACE = 2.0
"""Seconds after which a worker that does not obey its own time limit is killed."""
_DEPTH = 3
_RECURSION = 200
_DIGITS = 12
_PRINTING = 2
"""So many times the allowed output may be printed before the worker stops; all of it is refused."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of running code: its output, or the reason why there is none."""

    output: str = ""
    error: str = ""


class _NoResult(Exception):
    """A value that cannot be shown as evidence."""


async def run_code(
    code: str, inputs: Mapping[str, Any], limits: CalculationSettings, now: datetime
) -> Outcome:
    """Run code with `inputs` as variables; the output is what it printed and the value of its last line.

    Whatever the code does ends in an `Outcome`; the caps of `limits` are enforced by the worker and, should
    it hang, by killing it. Error texts are the same from run to run: no measured times or addresses in them.
    """
    from pydantic_monty import AsyncMonty, CollectString, MontyCrashedError, MontyError

    printed = CollectString(max_bytes=max(limits.output * _PRINTING, 8_192))
    try:
        async with (
            AsyncMonty(max_processes=1, request_timeout=limits.seconds + _GRACE) as pool,
            pool.checkout(limits=_caps(limits), os_policy=_outside(now)) as session,
        ):
            value = await session.feed_run(code, inputs=dict(inputs), print_callback=printed)
        return _outcome(printed.output, value, limits)
    except MontyCrashedError:
        return Outcome(error=f"It was stopped: it may take {limits.seconds:g} s, and must not crash.")
    except MontyError as error:
        return Outcome(error=_reason(error, limits))
    except (_NoResult, ValueError, TypeError, RecursionError) as error:  # a value that cannot cross over
        return Outcome(error=f"The result cannot be shown: {' '.join(str(error).split())[:200]}")


def _caps(limits: CalculationSettings) -> Any:
    return {
        "max_feed_duration_secs": limits.seconds,
        "max_memory": limits.memory_mb * 2**20,
        "max_recursion_depth": _RECURSION,
        "max_suspensions": 1,
        "max_total_sleep_secs": 0.0,
    }


def _outside(now: datetime) -> Any:
    return {"datetime": now, "sleep": "zero", "random_start": {"seed": 0}}


def _reason(error: Any, limits: CalculationSettings) -> str:
    """The error in words that do not depend on the machine."""
    inner = error.exception()
    if isinstance(inner, TimeoutError):
        return f"It took longer than {limits.seconds:g} s."
    if isinstance(inner, MemoryError):
        return f"It needed more than {limits.memory_mb} MB of memory, or printed too much."
    return f"{type(inner).__name__}: {' '.join(str(inner).split())[:300]}"


def _outcome(printed: str, value: Any, limits: CalculationSettings) -> Outcome:
    parts = [printed.strip(), _shown(value) if value is not None else ""]
    output = "\n".join(part for part in parts if part)
    if not output:
        return Outcome(error="It has no result: end it with an expression, or print what you want to know.")
    if len(output) > limits.output:
        return Outcome(error=f"The output is longer than {limits.output:,} characters: print less.")
    return Outcome(output)


def _shown(value: Any, depth: int = 0) -> str:
    """A value as text; raises `_NoResult` for one that is no evidence, such as a function or nan."""
    if isinstance(value, bool | int | str | Decimal | date | time | timedelta):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _NoResult(f"it is {value}, which is no number")
        return repr(float(f"{value:.{_DIGITS}g}"))
    if depth < _DEPTH and isinstance(value, Mapping):
        pairs = (f"{_shown(key, depth + 1)}: {_shown(item, depth + 1)}" for key, item in value.items())
        return f"{{{', '.join(pairs)}}}"
    if depth < _DEPTH and isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(_shown(item, depth + 1) for item in value))}}}"
    if depth < _DEPTH and isinstance(value, Sequence) and not isinstance(value, bytes):
        return f"[{', '.join(_shown(item, depth + 1) for item in value)}]"
    raise _NoResult("it is no number, text, date, or list or table of these")
