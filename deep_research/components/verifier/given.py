"""What `verify` is given: a report and what was retrieved; or an error that says what is wrong with it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from deep_research.core.errors import UsageError
from deep_research.text.data import decoded
from deep_research.text.matching import VerifySource

SHAPE = 'It needs a list of {"url" or "citation_key", "title"?, "text"?}.'
_TEXTS = ("text", "raw_content", "content")
"""What the text of a page is called, the fuller one first; search engines have names of their own."""
_PATH = re.compile(r"(?!\w+://)\S+\.(?:md|markdown|txt|html?)", re.IGNORECASE)


def report_text(report: str | os.PathLike[str]) -> str:
    """The text of a report; a string that is only the name of a file is refused, a path is read."""
    if isinstance(report, os.PathLike):
        return file_text(Path(report))
    if not isinstance(report, str):
        raise UsageError(f"The report is no text: {report!r:.40}.", "Give its Markdown, or a pathlib.Path.")
    if _PATH.fullmatch(report.strip()):
        raise UsageError(f"The report '{report}' looks like a path.", "Give its text, or a pathlib.Path.")
    return report


def file_text(path: Path) -> str:
    """The text of a file, whoever wrote it."""
    try:
        return decoded(path.read_bytes(), "replace")
    except OSError as error:
        raise UsageError(f"Cannot read '{path}': {error.strerror}.", "Check the path.") from error


def known_sources(given: Iterable[VerifySource | Mapping[str, Any]], name: str) -> list[VerifySource]:
    """The sources as records; `name` says in an error where the list comes from."""
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise UsageError(f"{name} holds no list.", SHAPE)
    return [_source(entry, f"Entry {place} of {name}") for place, entry in enumerate(given, start=1)]


def _source(entry: Any, where: str) -> VerifySource:
    """One source as a record, also as a search engine returns it (`content`, a year as a number)."""
    fields = entry.model_dump() if isinstance(entry, VerifySource) else entry
    if not isinstance(fields, Mapping) or not (fields.get("url") or fields.get("citation_key")):
        raise UsageError(f"{where} has neither url nor citation_key.", SHAPE)
    fields = {**fields, "text": next((fields[name] for name in _TEXTS if fields.get(name)), None)}
    if isinstance(fields.get("published"), int):
        fields["published"] = str(fields["published"])
    if wrong := [key for key in VerifySource.model_fields if not isinstance(fields.get(key), str | None)]:
        raise UsageError(f"{where}: {wrong[0]} is no text.", SHAPE)
    return VerifySource.model_validate({key: value for key, value in fields.items() if value is not None})
