"""A run whose user wants the report now ends with what it has, in every design."""

from __future__ import annotations

import pytest

from deep_research.engine.budget import FINISHING, STOP, Stop
from deep_research.engine.trace import Event
from deep_research.systems import SYSTEMS
from tests.running import run


@pytest.mark.parametrize("system", SYSTEMS)
async def test_after_the_wish_to_stop_only_what_finishes_the_report_is_asked(system: str) -> None:
    stop, after = Stop(), list[str]()

    def watch(event: Event) -> None:
        if event.type == "started" and event.role and stop.wanted:
            after.append(event.role)
        stop.wanted |= (event.type, event.tool, event.role) == ("call", "search", "researcher")

    token = STOP.set(stop)
    try:
        report = await run(system=system, options={"on_event": watch})
    finally:
        STOP.reset(token)
    assert stop.wanted and set(after) <= set(FINISHING)
    assert report.status == ("partial" if report.cited else "no_evidence") and not report.errors
    assert "The user ended the research early." in report.markdown
