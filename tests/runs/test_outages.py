"""A search provider that is down costs its own hits only, and the report says so: in each design."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deep_research import aresearch
from deep_research.runs.offline import offline_search
from deep_research.sources.search import CombinedSearch
from deep_research.systems import SYSTEMS
from deep_research_offline.wire.faults import Fault
from tests.running import environment_of, settings_of, wire
from tests.scripted import Script


@pytest.mark.parametrize("system", SYSTEMS)
async def test_one_provider_that_is_down_costs_its_own_hits_and_leaves_a_gap(system: str) -> None:
    chosen = settings_of(system=system, retries=0)
    answer = "# Gull\n\nThe Gull lighthouse is 41 metres tall [S1.1]."
    script = Script(researcher=([("search", {"queries": ["Gull lighthouse height"]})], answer))
    world = environment_of(wire(script), chosen)
    down = offline_search(wire(Script(), faults=lambda call: Fault("status", 500)))
    down.name = "tavily"
    world = replace(world, search=CombinedSearch([down, world.search]))
    report = await aresearch("Gull lighthouse height", settings=chosen, environment=world, keep=False)
    lost = [gap for gap in report.gaps if gap.said == "provider_failed"]
    assert report.cited and lost and {gap.fields["provider"] for gap in lost} == {"tavily"}
    assert system != "graph_agent" or "0" in {gap.branch for gap in lost}  # of its first look
    assert report.status == "partial" and lost[0].message.partition(":")[0] in report.markdown
