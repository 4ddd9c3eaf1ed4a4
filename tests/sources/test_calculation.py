"""Promises of the code tool: numbers with sources in, a citable source out, and no way out of the sandbox."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from deep_research.components.researcher import LoopProgress, run_tools
from deep_research.core.errors import ToolError, UsageError
from deep_research.core.extras import require_extra
from deep_research.engine.context import Context
from deep_research.engine.tools import CalculateArguments
from deep_research.settings.parts import CalculationSettings
from deep_research.sources.calculation import CodeResult, calculate, run_code
from deep_research.sources.ledger import Ledger
from tests.running import QUESTION, context_of, run
from tests.scripted import Script, last_tool_results

DAY = datetime(2041, 3, 2, tzinfo=UTC)
SMALL = CalculationSettings(seconds=60, memory_mb=16, output=200)
ALL_TOOLS = ["search", "calculate", "think", "ResearchComplete"]


async def sandboxed(code: str, **inputs: Any) -> CodeResult:
    return await run_code(code, inputs, SMALL, DAY)


@pytest.mark.parametrize(
    ("code", "output"),
    [
        ("a - b", "13"),
        ("round((a - b) / b * 100, 1)", "46.4"),
        ("import math\nmath.sqrt(2)", "1.41421356237"),
        ("from datetime import date\n(date(2041, 3, 2) - date(1902, 1, 1)).days", "50830"),
        ("{'b', 'a', 'c'}", "{a, b, c}"),
        ("print(sum([a, b]))", "69"),
        ("from datetime import datetime\ndatetime.now().year", "2041"),
        ("import random\nrandom.random()", "0.844421851525"),
    ],
)
async def test_q12_code_calculates_and_gives_the_same_text_each_time(code: str, output: str) -> None:
    for _ in range(2):
        assert await sandboxed(code, a=41, b=28) == CodeResult(output)


@pytest.mark.parametrize(
    "code",
    [
        "open('/etc/passwd').read()",
        "open('escaped.txt', 'w').write('x')",
        "from pathlib import Path\nPath('/').iterdir()",
        "import os\nos.system('id')",
        "import os\nos.environ['PATH']",
        "import os\nos.listdir('/')",
        "import os\nos.urandom(4)",
        "import subprocess",
        "import socket",
        "import ctypes",
        "import urllib.request",
        "__import__('subprocess')",
        "exec('import socket')",
        "().__class__.__bases__[0].__subclasses__()",
        "getattr((), '__cl' + 'ass__')",
        "'{0.__class__.__mro__}'.format(1)",
        "globals()['__builtins__']",
        "input()",
        "breakpoint()",
    ],
)
async def test_q12_code_reaches_nothing_of_the_machine(code: str) -> None:
    done = await sandboxed(code)
    assert done.error and not done.output


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("x = 'a'\nwhile True:\n    x += x", "more than 16 MB"),
        ("10 ** 10 ** 10", "more than 16 MB"),
        ("def f():\n    return f()\nf()", "RecursionError"),
        ("'a' * 201", "longer than 200 characters"),
        ("for i in range(100000): print('x' * 100)", "printed too much"),
        ("x = []\nfor i in range(5000): x = [x]\nx", "cannot be shown"),
        ("float('nan')", "no number"),
        ("2 ** 100000", "cannot be shown"),
        ("x = 1", "It has no result"),
        ("1 +", "SyntaxError"),
        ("1 / 0", "ZeroDivisionError"),
        ("class A: pass\nA()", "cannot be shown"),
    ],
)
async def test_q12_a_runaway_or_faulty_calculation_ends_in_a_reason(code: str, why: str) -> None:
    done = await sandboxed(code)
    assert why in done.error and not done.output
    assert (await sandboxed(code)) == done  # no measured times in it


@pytest.mark.parametrize(
    "code",
    [
        "while True:\n    pass",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    ],
)
async def test_q12_a_calculation_without_an_end_is_stopped(code: str) -> None:
    done = await run_code(code, {}, SMALL.model_copy(update={"seconds": 0.3}), DAY)
    assert "0.3 s" in done.error and not done.output  # stopped by itself or, where it hangs, from outside


def _calls(**changes: Any) -> dict[str, Any]:
    return {"purpose": "Gull above Heron, in metres", "code": "gull - heron", **changes}


async def _searched(ctx: Context, progress: LoopProgress) -> tuple[Ledger, dict[str, str]]:
    """A ledger after one search, and the ids of its sources by title."""
    ledger, queries = Ledger("1"), ["Gull lighthouse", "Heron lighthouse"]
    await run_tools(_message("search", {"queries": queries}), progress, ledger, ctx)
    return ledger, {source.title: source.id for source in ledger.sources}


async def test_q12_a_result_is_a_source_with_its_inputs_and_code() -> None:
    ctx, progress = context_of(tools__researcher=ALL_TOOLS).on("1", QUESTION), LoopProgress()
    ledger, ids = await _searched(ctx, progress)
    inputs = [
        {"name": "gull", "value": 41, "source": ids["Gull lighthouse"]},
        {"name": "heron", "value": 28, "source": ids["Heron lighthouse"]},
    ]
    await run_tools(_message("calculate", _calls(inputs=inputs)), progress, ledger, ctx)
    source = ledger.sources[-1]
    assert source.kind == "calculation" and source.citation_key.startswith("calc:") and source.use == "read"
    text = ctx.store.pages.get(source.content_hash)
    assert text.startswith("Gull above Heron, in metres: 13\n")
    assert "- gull = 41 (Gull lighthouse)" in text and text.endswith("Code:\ngull - heron")
    assert [row.kind for row in ctx.store.calls].count("calculation") == 1  # logged, so a resume repeats none
    assert progress.searches == 1 and progress.tool_calls == 2  # it is no search


async def test_q12_a_calculation_starts_from_sources_of_before_the_loop_too() -> None:
    ctx = context_of(tools__researcher=ALL_TOOLS)
    before, ids = await _searched(ctx.on("1", QUESTION), LoopProgress())
    gull = {"name": "gull", "value": 41, "source": ids["Gull lighthouse"]}
    message, ledger = _message("calculate", _calls(code="gull", inputs=[gull])), Ledger("2")
    await run_tools(message, LoopProgress(), ledger, ctx.on("2", QUESTION), given=before.sources)
    assert [source.kind for source in ledger.sources] == ["calculation"]


@pytest.mark.parametrize(
    ("code", "value", "source", "why"),
    [
        ("gull / 0", 41, "", "ZeroDivisionError"),
        ("gull", 44, "", r"44 does not stand in S1\.\d"),
        ("gull", 41, "S9.9", "no source S9.9"),
    ],
)
async def test_q12_an_error_or_an_invented_input_never_becomes_a_source(
    code: str, value: int, source: str, why: str
) -> None:
    ctx = context_of().on("1", QUESTION)
    ledger, ids = await _searched(ctx, LoopProgress())
    gull = {"name": "gull", "value": value, "source": source or ids["Gull lighthouse"]}
    wanted = CalculateArguments.model_validate(_calls(code=code, inputs=[gull]))
    with pytest.raises(ToolError, match=why):
        await calculate(wanted, ledger.sources, "researcher", ctx)


async def test_q12_a_report_lists_a_calculation_with_its_inputs() -> None:
    def research(request: dict[str, Any]) -> Any:
        results = last_tool_results(request)
        if not results:
            return [("search", {"queries": ["Gull lighthouse tall", "Heron lighthouse tall"]})]
        if len(results) == 1:
            return [("calculate", _calls(inputs=_found(results[0])))]
        return [("ResearchComplete", {})]

    report = await run(Script(researcher=research), tools__researcher=ALL_TOOLS)
    listed = next(line for line in report.markdown.splitlines() if "calc:" in line)
    assert ". Calculation: Gull above Heron, in metres = 13; gull = 41 (Gull lighthouse)" in listed
    assert report.usage.searches == 2


def test_a_missing_package_is_named_with_the_line_that_installs_it() -> None:
    with pytest.raises(UsageError, match=r"'no_such_package'.*pip install 'deep-research\[calculation\]'"):
        require_extra("no_such_package", "calculation", "The tool")


def _found(result: str) -> list[dict[str, Any]]:
    """The inputs of a calculation, under the ids that a search gave the two pages."""
    import re

    ids = {title: id for id, title in re.findall(r'<source id="([^"]+)" title="([^"]+)"', result)}
    names = {"gull": ("Gull lighthouse", 41), "heron": ("Heron lighthouse", 28)}
    return [{"name": n, "value": value, "source": ids[title]} for n, (title, value) in names.items()]


def _message(name: str, arguments: dict[str, Any]) -> Any:
    from langchain_core.messages import AIMessage

    return AIMessage("", tool_calls=[{"id": name, "name": name, "args": arguments}])
