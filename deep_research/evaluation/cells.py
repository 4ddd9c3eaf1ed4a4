"""The cells of a comparison on disk: a report that was made once is read again instead of made again.

A cell is one question, one system and one set of settings. Its name is a hash of everything that decides the
report: these three, the content of the files that the settings name, the package's own code, prompts and data
(the invented web is made by that code), and the day of the run's clock, which prompts are told; the invented
web's clock stands still. So nothing has to be cleared by hand: what is stale is simply not found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from pydantic import ValidationError

from deep_research.core.clock import Clock, today
from deep_research.engine.store import digest, read_text, write_text
from deep_research.report import Report
from deep_research.settings import Settings
from deep_research.sources.knowledge import named_notes

PACKAGES = [Path(__file__).parents[2] / name for name in ("deep_research", "deep_research_offline")]


@dataclass(frozen=True)
class Cell:
    """One place of the grid. `setting` is the name that a comparison gives to these settings."""

    question: str
    system: str
    setting: str
    settings: Settings


class CellStore:
    """Reports of cells, one JSON file each, in a folder that is made when the first one is kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, name: str) -> Report | None:
        """The report kept under this name; None if there is none, or none that can be read."""
        try:
            return Report.model_validate_json(read_text(self._path(name)))
        except (OSError, ValidationError):
            return None

    def put(self, name: str, report: Report) -> None:
        """Keep a report."""
        self._folder.mkdir(parents=True, exist_ok=True)
        write_text(self._path(name), report.model_dump_json())

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.json"


def cell_name(cell: Cell, clock: Clock) -> str:
    """The hash that a cell's report is kept under."""
    notes = [named_notes(path, cell.settings.own_files) for path in cell.settings.knowledge.paths]
    named = [cell.settings.search.docs, *notes, *cell.settings.prompts.values()]
    return digest(
        {
            "question": cell.question,
            "system": cell.system,
            "settings": cell.settings.model_dump(mode="json"),
            "files": [content_hash(Path(path)) for path in named if path],
            "code": code_version(),
            "day": today(clock).isoformat(),
        }
    )


@lru_cache(maxsize=1)
def code_version() -> str:
    """A hash of everything in the two packages that can change a report: code, prompts, data."""
    root = PACKAGES[0].parent
    files = (path for package in PACKAGES for path in _files(package) if not _no_part_of_a_run(path, root))
    return _hash_of(files, root)


def _no_part_of_a_run(path: Path, root: Path) -> bool:
    return not {"cli", "notebook", "__pycache__"}.isdisjoint(path.relative_to(root).parts)


def content_hash(path: Path) -> str:
    """A hash of a file, or of all files of a folder with their places in it."""
    return _hash_of(_files(path), path)


def _files(path: Path) -> Iterator[Path]:
    yield from sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]


def _hash_of(files: Iterator[Path], root: Path) -> str:
    total = sha256()
    for path in files:
        place = path.relative_to(root).as_posix()
        content = path.read_bytes() if path.is_file() else b""
        total.update(f"{place}\n{len(content)}\n".encode("utf-8", "surrogateescape") + content)
    return total.hexdigest()[:24]
