"""Experiments: the same questions to several systems under several settings, one row each.

    table = compare(questions, systems=["open_deep_research", "single_shot"],
                    settings={"few hits": {"search.results": 2}, "many": {"search.results": 8}})

`compare` gives a pandas DataFrame. Whatever can be refused is refused before anything runs; from then on
a failure is a row, not an exception. Reports are kept by content (see `cells`), so that a repeated cell is
free; live runs keep their run folders as well. `comparison_rows` makes the rows and sums them up,
`notebook.show_bars` and `notebook.show_tradeoff` draw them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deep_research.core.arguments import checked
from deep_research.core.errors import UsageError
from deep_research.engine.model_servers import require_servers
from deep_research.report import Report
from deep_research.runs import check_settings
from deep_research.runs.environment import Environment, build_environment
from deep_research.runs.own_loop import in_own_loop
from deep_research.settings import Settings, home_folder, load_settings
from deep_research.settings.choices import with_choices
from deep_research.systems import SYSTEMS, get_system
from deep_research_offline.web.types import Question

from .cells import Cell, CellStore, cell_name
from .comparison_rows import data_frame, rows_of
from .samples import answer_sample, failed_report
from .single_shot import NAME as SINGLE_SHOT

if TYPE_CHECKING:
    from pandas import DataFrame

Variant = Settings | Mapping[str, Any]
OnCell = Callable[[Cell, "Report", bool], None]
"""Called when a cell is done, with whether its report was kept from before."""


@checked
async def acompare(
    questions: Sequence[str | Question],
    systems: Sequence[str] | None = None,
    settings: Variant | Mapping[str, Variant] | None = None,
    *,
    cache: str | Path | bool = True,
    at_once: int = 5,
    on_cell: OnCell | None = None,
) -> DataFrame:
    """Research every question with every system under every setting; one row each, in this order.

    `systems` are names, with `single_shot` for the baseline; None means all. `settings` is one variant
    (a `Settings`, or a mapping of dotted keys and choices such as `model`), or several by name.
    `cache` is the folder for reports: True for `cells` in the run folder, False for none. `at_once` is how
    many runs are worked on side by side. The columns are those of `comparison_rows.rows_of`. Raises
    `UsageError` for a grid that cannot run, and where pandas is missing.
    """
    cells = plan_cells(questions, systems, settings)
    data_frame([])  # without pandas, refuse before anything runs
    reports = await run_cells(cells, cache=cache, at_once=at_once, on_cell=on_cell)
    return data_frame(rows_of(cells, reports))


compare = in_own_loop(acompare)


def plan_cells(
    questions: Sequence[str | Question],
    systems: Sequence[str] | None = None,
    settings: Variant | Mapping[str, Variant] | None = None,
    *,
    env: Mapping[str, str] | None = None,
) -> list[Cell]:
    """The cells of a grid, by question, system and setting. Raises `UsageError` for one that cannot run.

    Settings given as mappings stand on top of `env` and the settings file, as `load_settings` has it.
    """
    names = [*SYSTEMS, SINGLE_SHOT] if systems is None else list(systems)
    texts = [question if isinstance(question, str) else question.text for question in questions]
    if not names or not texts or not all(text.strip() for text in texts):
        raise UsageError(
            "There is nothing to compare: a question or a system is missing.",
            "`deep-research questions` and `deep-research systems` list some.",
        )
    grid = {
        (system, name): _settings_of(system, variant, env)
        for system in names
        for name, variant in _variants(settings).items()
    }
    return [
        Cell(text.strip(), system, name, chosen) for text in texts for (system, name), chosen in grid.items()
    ]


def _variants(given: Variant | Mapping[str, Variant] | None) -> Mapping[str, Variant]:
    """The variants by name; a single one is called `default`."""
    if isinstance(given, Mapping) and given:
        tables = not set(given).isdisjoint(Settings.model_fields)
        if not tables and all(isinstance(variant, Settings | Mapping) for variant in given.values()):
            return given
    return {"default": given if given is not None else {}}


def _settings_of(system: str, variant: Variant, env: Mapping[str, str] | None) -> Settings:
    """The settings of a cell; the baseline is no system, so it leaves that setting alone."""
    named = {} if system == SINGLE_SHOT else {"system": get_system(system, also=[SINGLE_SHOT]).name}
    if not isinstance(variant, Settings) and "system" in variant:
        raise UsageError("A grid's settings cannot set 'system'.", "Name the designs in `systems`.")
    if isinstance(variant, Settings):
        chosen = variant.model_copy(update=named)
    else:
        chosen = load_settings({**with_choices(variant), **named}, env=env)
    check_settings(chosen)
    return chosen


async def run_cells(
    cells: Sequence[Cell],
    *,
    cache: str | Path | bool = True,
    at_once: int = 5,
    on_cell: OnCell | None = None,
) -> list[Report]:
    """The report of each cell, in the order given; cells with the same content are run once."""
    store = CellStore(home_folder() / "cells" if cache is True else Path(cache)) if cache else None
    async with AsyncExitStack() as stack:
        chosen = {(cell.system, cell.setting): cell.settings for cell in cells}
        worlds = {place: build_environment(settings) for place, settings in chosen.items()}
        for environment in worlds.values():
            stack.push_async_callback(environment.close)
        return await _CellRuns(store, worlds, asyncio.Semaphore(at_once), on_cell).all(cells)


@dataclass
class _CellRuns:
    """What the cells of one grid share while they run."""

    store: CellStore | None
    worlds: Mapping[tuple[str, str], Environment]
    places: asyncio.Semaphore
    on_cell: OnCell | None
    running: dict[str, asyncio.Task[Report]] = field(default_factory=dict)

    async def all(self, cells: Sequence[Cell]) -> list[Report]:
        """All reports; if one cell cannot be kept or told, the others stop."""
        names = [cell_name(cell, self.worlds[cell.system, cell.setting].clock) for cell in cells]
        kept = {name: self.store.get(name) if self.store else None for name in names}
        named = list(zip(cells, names, strict=True))
        await require_servers(*(cell.settings for cell, name in named if kept[name] is None))
        tasks = [asyncio.create_task(self.one(cell, name, kept[name])) for cell, name in named]
        try:
            return await asyncio.gather(*tasks)
        finally:
            left = [*tasks, *self.running.values()]
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)

    async def one(self, cell: Cell, name: str, kept: Report | None) -> Report:
        if kept is None and name not in self.running:
            environment = self.worlds[cell.system, cell.setting]
            self.running[name] = asyncio.create_task(self.fresh(cell, environment, name))
        report = kept or await self.running[name]
        if self.on_cell:
            self.on_cell(cell, report, kept is not None)
        return report

    async def fresh(self, cell: Cell, environment: Environment, name: str) -> Report:
        """Run a cell; what an outage has touched is not kept, so that it is tried again the next time."""
        async with self.places:
            report = await report_of(cell, environment)
        if self.store and is_sound(report):
            self.store.put(name, report)
        return report


def is_sound(report: Report) -> bool:
    """Whether everything in a run went through: no error, no branch that failed or ran out of time."""
    broken = report.errors or any(gap.kind in ("branch_failed", "timeout") for gap in report.gaps)
    return report.status != "failed" and not broken


async def report_of(cell: Cell, environment: Environment) -> Report:
    """The report of a cell; whatever goes wrong in it is a report too, so that the others go on."""
    live = cell.settings.is_live()  # what was paid for stays in the run folder, even if the process dies
    try:
        return await answer_sample(cell.question, cell.system, cell.settings, environment, keep=live)
    except Exception as error:
        return failed_report(cell.question, cell.system, cell.settings, error)
