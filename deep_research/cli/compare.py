"""`compare`: a grid from a file as tables and pictures; `bench`: how good answers with known truths are."""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import os
from pathlib import Path

from deep_research.core.extras import install_line
from deep_research.evaluation.cells import Cell
from deep_research.evaluation.compare import OnCell, plan_cells, run_cells
from deep_research.evaluation.comparison_rows import ComparisonRows, markdown, rows_of, tables
from deep_research.evaluation.samples import bench_samples, rows_of_samples
from deep_research.report import Report

from .consent import require_answer_and_consent
from .grid import read_grid
from .options import writable_folder
from .terminal import clip, folded_table, print_json, tell


def compare_grid(args: argparse.Namespace) -> int:
    """Run a grid; print its tables, and with `--out` write rows, tables and pictures."""
    grid = read_grid(Path(args.grid))
    if args.chaos:
        grid.settings["web.chaos"] = args.chaos
    cells = plan_cells(grid.all_questions(), grid.systems, grid.all_settings(), env=os.environ)
    folder = writable_folder(Path(args.out), "Cannot write to") if args.out else None
    live = [cell.settings for cell in cells if cell.settings.is_live()]
    if live:
        tell(f"{len(live)} of {len(cells)} runs are live; a table is for the dearest of them.")
        require_answer_and_consent(live, args.yes)
    on_cell = None if args.quiet else _counting(len(cells))
    rows = rows_of(cells, asyncio.run(run_cells(cells, cache=not args.fresh, on_cell=on_cell)))
    if folder:
        write_files(rows, folder)
        tell(f"written to {folder}")
    if args.json:
        print_json(rows)
    else:
        print("\n".join(f"## {title}\n\n{folded_table(*one)}" for title, one in tables(rows).items()), end="")
    return 0


def _counting(total: int) -> OnCell:
    """Progress: one line per finished cell."""
    done = 0

    def on_cell(cell: Cell, report: Report, kept: bool) -> None:
        nonlocal done
        done += 1
        how = "kept" if kept else report.status
        tell(f"{done}/{total} {cell.system}, {cell.setting}: {how}  {clip(cell.question, 50)}")

    return on_cell


def write_files(rows: ComparisonRows, folder: Path) -> None:
    """The rows as `rows.csv` and `rows.json`, their means as `tables.md`, and the pictures as PNG."""
    with (folder / "rows.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, fieldnames=list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    text = json.dumps(rows, ensure_ascii=False, indent=1) + "\n"
    (folder / "rows.json").write_text(text, encoding="utf-8", errors="surrogatepass")
    (folder / "tables.md").write_text(markdown(rows), encoding="utf-8", errors="surrogatepass")
    _draw(rows, folder)


def _draw(rows: ComparisonRows, folder: Path) -> None:
    """The pictures, where matplotlib is installed; the tables need none."""
    from deep_research.notebook.comparisons import show_bars, show_tradeoff

    try:
        pictures = {
            "answered.png": show_bars(rows, "answered"),
            "tradeoff.png": show_tradeoff(rows, "answered"),
        }
    except ImportError as error:
        tell(f"no pictures: {error.name} is not installed ({install_line('notebooks')})")
        return
    for name, picture in pictures.items():
        if picture.png is not None:
            (folder / name).write_bytes(picture.png)


def bench(args: argparse.Namespace) -> int:
    """Measure the designs on the sample questions and print a table, or the figures as JSON."""
    result = bench_samples(args.system or None, {"web.seed": args.seed, "web.domain": args.domain})
    if args.json:
        print_json(result)
    else:
        print(folded_table(*rows_of_samples(result)), end="")
    return 0
