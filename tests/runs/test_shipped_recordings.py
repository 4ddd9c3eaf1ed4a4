"""The recordings of a small real model: intact, small, and the same report without the model."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from deep_research.core.errors import RunError
from deep_research.runs import areplay
from deep_research.runs.recording import read_recording

ROOT = Path(__file__).parents[2]
SHIPPED = sorted((ROOT / "deep_research_offline" / "recordings").glob("*.json"))


def test_there_are_some() -> None:
    assert len(SHIPPED) >= 2


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
async def test_a_recording_replays_as_it_is_kept(path: Path) -> None:
    kept = read_recording(path).report()
    assert path.stat().st_size < 200_000
    assert {line.model.rpartition(":")[2] for line in kept.trace if line.kind == "model"} == {"local"}
    update = bool(os.environ.get("UPDATE_SNAPSHOTS"))
    try:
        report = await areplay(path, record=path if update else None)
    except RunError as error:
        pytest.fail(f"prompts, code or settings have changed, and `make record` makes it again: {error}")
    assert update or (report.markdown, report.status, report.trace) == (
        kept.markdown,
        kept.status,
        kept.trace,
    )


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_page_on_models_tells_of_a_recording_what_it_shows(path: Path) -> None:
    page = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith(f"| `{path.stem}` |"))
    kept = read_recording(path).report()
    spent, seconds = kept.usage, f"{kept.usage.seconds:,.0f}"
    calls = f"{spent.model_calls} and {spent.searches} searches"
    told = [cell.strip() for cell in row.split("|")[2:6]]
    assert told == [calls, f"{spent.input_tokens + spent.output_tokens:,}", seconds, kept.status]
