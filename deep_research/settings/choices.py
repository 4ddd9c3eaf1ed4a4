"""What a run is given by name, in Python and on the command line; everything else is a setting."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

from deep_research.core.errors import UsageError

AnyPath = str | os.PathLike[str]


class Choices(TypedDict, total=False):
    """The choices that have a name of their own; each stands for a setting."""

    system: str
    preset: str
    persona: str
    model: str
    """`provider:name`, such as "openai:gpt-5"; "offline" is the model that needs no key."""
    search: str | Iterable[str]
    """Search providers: "offline", "tavily", "arxiv", or several with commas between."""
    docs: AnyPath
    """A folder, a file or a JSONL of your own documents, searched instead of a web."""
    knowledge: AnyPath | Iterable[AnyPath]
    """Folders or files with your own notes, searched beside the web."""
    budget: Mapping[str, float]
    """Most of each: model_calls, searches, sources, tokens, cost_usd, seconds."""
    chaos: str
    """Faults on purpose, offline: "SEED" or "SEED:RATE", the share of the requests that fail."""
    live: bool
    """Take models and search from the environment's keys, as the command line does."""


_SETTINGS = {
    "system": "system", "preset": "preset", "persona": "persona", "model": "models.model",
    "chaos": "web.chaos",
}  # fmt: skip


def dotted_choices(choices: Choices) -> dict[str, Any]:
    """The settings, by dotted keys, that these choices stand for; `live` is none.

    Raises `UsageError` for documents without a path.
    """
    given: dict[str, Any] = {name: value for name, value in choices.items() if value is not None}
    chosen = {_SETTINGS[name]: value for name, value in given.items() if name in _SETTINGS and value}
    chosen |= {f"budget.{name}": most for name, most in given.get("budget", {}).items()}
    if search := given.get("search"):
        names = search.split(",") if isinstance(search, str) else search
        chosen["search.providers"] = [name.strip() for name in names if name.strip()]
    if "docs" in given:
        chosen["search.docs"] = documents_path(given["docs"])
    if knowledge := given.get("knowledge"):
        paths = [knowledge] if isinstance(knowledge, str | os.PathLike) else knowledge
        chosen["knowledge.paths"] = [documents_path(path, "knowledge") for path in paths]
    return chosen


def with_choices(given: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of a grid, in which `model`, `search`, `docs`, `knowledge` may stand for what they choose."""
    words = [name for name in ("model", "search", "docs", "knowledge") if name in given]
    chosen = {name: given[name] for name in words if not isinstance(given[name], Mapping)}
    rest = {name: value for name, value in given.items() if name not in chosen}
    return {**rest, **dotted_choices(Choices(**chosen))}  # type: ignore[typeddict-item]


def documents_path(path: AnyPath, option: str = "docs") -> str:
    """An absolute path, so that a run can be resumed from another folder; the name of notes stays a name."""
    text = os.fspath(path)
    if not text.strip():
        raise UsageError(f"'{option}' needs a folder, a file or a JSONL file.", "For example: notes/")
    place = os.path.abspath(os.path.expanduser(text))
    is_name = option == "knowledge" and os.path.basename(text) == text and not os.path.exists(place)
    return text if is_name else place
