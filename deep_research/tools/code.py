"""The code tool: a calculation that starts from what sources state, and becomes a source itself.

The model names its inputs, each with the source that states it, and writes a few lines of Python. Before
anything runs, every input is compared with the text of its source: a number that does not stand there is
refused, so a calculation cannot launder an invented one. The code runs in a sandbox (`sandbox.py`). What
comes out is cited like a page, under a key made from its content (`calc:1f0c9a2b`), and listed with code and
inputs. Code that fails is answered with the reason; an error never becomes a source.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from ..calls import Call, Reply, perform
from ..context import Context
from ..errors import ToolError
from ..ledger import by_any_id, full_text
from ..state import Source
from ..store import digest
from ..text import shorten
from ..verification.quantities import quantities, stated
from . import CALCULATE, CalculateArguments, Input, Number
from .search import SearchHit

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
        from .sandbox import run_code

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
        stated(quantity, pool) for sign in ("", "-") for quantity in quantities(sign + _plain(abs(value)))
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
