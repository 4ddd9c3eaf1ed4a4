"""The code tool: a calculation that starts from what sources state, and becomes a source itself.

The model names its inputs, each with the source that states it, and writes a few lines of Python. Before
anything runs, every input is compared with the text of its source: a number that does not stand there is
refused, so a calculation cannot launder an invented one. What comes out is cited like a page, under a key
made from its content (`calc:1f0c9a2b`), and listed with code and inputs. Code that fails is answered with the
reason; an error never becomes a source.

The code runs in pydantic-monty, an interpreter in its own process: a fresh worker for each run, with caps on
time, memory, recursion and output, and nothing of this machine: no files, environment, network, processes,
third-party modules or entropy. The clock stands still at the run's day, random numbers have a fixed seed, and
sets are shown in order, so the same code gives the same text. A result is a number, a text, a date, or a list
or table of these.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from deep_research.core.errors import ToolError
from deep_research.core.records import Source
from deep_research.engine.calls import Call, Reply, perform
from deep_research.engine.context import Context
from deep_research.engine.providers import SearchHit
from deep_research.engine.store import digest
from deep_research.engine.tools import CALCULATE, CalculateArguments, Input, Number
from deep_research.settings.parts import CalculationSettings
from deep_research.text.language import shorten
from deep_research.text.quantities import is_stated, quantities

from .ledger import by_any_id, full_text

_GRACE = 2.0
"""Seconds after which a worker that does not obey its own time limit is killed."""
_DEPTH = 3
_RECURSION = 200
_DIGITS = 12
_PRINTING = 2
"""So many times the allowed output may be printed before the worker stops; all of it is refused."""


@dataclass(frozen=True, slots=True)
class CodeResult:
    """What came of running code: its output, or the reason why there is none."""

    output: str = ""
    error: str = ""


class _NoResult(Exception):
    """A value that cannot be shown as evidence."""


async def run_code(
    code: str, inputs: Mapping[str, Any], limits: CalculationSettings, now: datetime
) -> CodeResult:
    """Run code with `inputs` as variables; the output is what it printed and the value of its last line.

    Whatever the code does ends in a `CodeResult`; the caps of `limits` are enforced by the worker and, should
    it hang, by killing it. Error texts are the same from run to run: no measured times or addresses in them.
    """
    from pydantic_monty import AsyncMonty, CollectString, MontyCrashedError, MontyError

    printed = CollectString(max_bytes=max(limits.output * _PRINTING, 8_192))
    system: Any = {"datetime": now, "sleep": "zero", "random_start": {"seed": 0}}
    try:
        async with (
            AsyncMonty(max_processes=1, request_timeout=limits.seconds + _GRACE) as pool,
            pool.checkout(limits=_caps(limits), os_policy=system) as session,
        ):
            value = await session.feed_run(code, inputs=dict(inputs), print_callback=printed)
        return _outcome(printed.output, value, limits)
    except MontyCrashedError:
        return CodeResult(error=f"It was stopped: it may take {limits.seconds:g} s, and must not crash.")
    except MontyError as error:
        return CodeResult(error=_reason(error, limits))
    except (_NoResult, ValueError, TypeError, RecursionError) as error:  # a value that cannot cross over
        return CodeResult(error=f"The result cannot be shown: {' '.join(str(error).split())[:200]}")


def _caps(limits: CalculationSettings) -> Any:
    return {
        "max_feed_duration_secs": limits.seconds,
        "max_memory": limits.memory_mb * 2**20,
        "max_recursion_depth": _RECURSION,
        "max_suspensions": 1,
        "max_total_sleep_secs": 0.0,
    }


def _reason(error: Any, limits: CalculationSettings) -> str:
    """The error in words that do not depend on the machine."""
    inner = error.exception()
    if isinstance(inner, TimeoutError):
        return f"It took longer than {limits.seconds:g} s."
    if isinstance(inner, MemoryError):
        return f"It needed more than {limits.memory_mb} MB of memory, or printed too much."
    return f"{type(inner).__name__}: {' '.join(str(inner).split())[:300]}"


def _outcome(printed: str, value: Any, limits: CalculationSettings) -> CodeResult:
    parts = [printed.strip(), _shown(value) if value is not None else ""]
    output = "\n".join(part for part in parts if part)
    if not output:
        return CodeResult(
            error="It has no result: end it with an expression, or print what you want to know."
        )
    if len(output) > limits.output:
        return CodeResult(error=f"The output is longer than {limits.output:,} characters: print less.")
    return CodeResult(output)


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


_KEY = "calc:"


async def calculate(
    wanted: CalculateArguments, known: Sequence[Source], role: str, ctx: Context
) -> SearchHit:
    """Carry out a calculation; the hit is a source of kind `calculation`.

    `known` are the sources that inputs may rest on. Raises `ToolError` for an input that its source does not
    state and for code that fails; the message is meant for the model.
    """
    sources = _sources_of(wanted.inputs, known, ctx)
    request = {"query": shorten(wanted.purpose, 200), **wanted.model_dump(mode="json")}

    async def send() -> Reply:
        values = {entry.name: entry.value for entry in wanted.inputs}
        done = await run_code(wanted.code, values, ctx.settings.calculation, ctx.clock.now())
        return Reply({"output": done.output, "error": done.error})

    done = await perform(Call("calculation", role, request, send, shared=True), ctx)
    if done["error"]:
        raise ToolError(f"The code failed: {done['error']}")
    return _hit(wanted, done["output"], sources)


def _sources_of(inputs: Sequence[Input], known: Sequence[Source], ctx: Context) -> Mapping[str, Source]:
    """The source of each input that names one, by the input's name; all are checked first."""
    by_id, found = by_any_id(known), dict[str, Source]()
    for entry in inputs:
        name = entry.source.strip().strip("[]")
        if not name:
            continue
        source = by_id.get(name)
        if source is None:
            raise ToolError(f"Input '{entry.name}': there is no source {name} among those that you have.")
        text = full_text(source, ctx)
        missing = [value for value in _values(entry) if not _is_stated(value, text)]
        if missing:
            raise ToolError(f"Input '{entry.name}': {_plain(missing[0])} does not stand in {name}.")
        found[entry.name] = source
    return found


def _values(entry: Input) -> list[Number]:
    return entry.value if isinstance(entry.value, list) else [entry.value]


def _is_stated(value: Number, text: str) -> bool:
    """Whether a text states the number, in any unit and notation, with either sign."""
    pool = [quantity for line in text.splitlines() for quantity in quantities(line)]
    return any(
        is_stated(quantity, pool) for sign in ("", "-") for quantity in quantities(sign + _plain(abs(value)))
    )


def _plain(value: Number) -> str:
    """A number in digits, without an exponent."""
    return format(Decimal(repr(value)), "f")


def _hit(wanted: CalculateArguments, output: str, sources: Mapping[str, Source]) -> SearchHit:
    """The calculation as a document: what it is about, result, inputs with their sources, code."""
    purpose, code = " ".join(wanted.purpose.split()), wanted.code.strip()
    inputs = [_described(entry, sources.get(entry.name)) for entry in wanted.inputs]
    listed = ["Inputs:", *(f"- {line}" for line in inputs)] if inputs else []
    text = "\n".join([f"{purpose}: {output}", *listed, "Code:", code])
    given = f"; {'; '.join(inputs)}" if inputs else ""
    title = shorten(f"{purpose} = {shorten(output, 120)}{given}; {shorten(code, 120)}", 500)
    key = _KEY + digest([purpose, code, [entry.model_dump(mode="json") for entry in wanted.inputs]])[:8]
    return SearchHit(
        title, shorten(text, 300), citation_key=key, text=text, kind="calculation",
        tool=CALCULATE.name, passage=text,
    )  # fmt: skip


def _described(entry: Input, source: Source | None) -> str:
    """`height = 41 (Gull lighthouse)`: an input and the title of what states it; a dash for no source."""
    value: Any = [_plain(number) for number in _values(entry)]
    shown = f"[{', '.join(value)}]" if isinstance(entry.value, list) else value[0]
    return f"{entry.name} = {shown} ({source.title or source.key if source else '—'})"
