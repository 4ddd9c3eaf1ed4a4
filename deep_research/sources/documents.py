"""A folder, a file or a JSONL of documents as something to research (`--docs`, `--knowledge`).

Every document gets the key under which it is cited: its path relative to the folder (`notes/a.md`), the path
and the place for files of several pages (`report.pdf, p.15`, `deck.pptx, slide 2`, `book.epub, ch.3`), the id
or url for a JSONL row. Documents come back in the order of their paths. What cannot or should not be read is
left out with a reason, and the caller shows it; only a path with nothing readable at all is an error.
"""

from __future__ import annotations

import json
import os
import time
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deep_research.core.errors import DocumentsError
from deep_research.engine.providers import ListedDocument
from deep_research.settings import home_folder
from deep_research.text.language import shorten, split_sentences

from .converters import MAX_BYTES, READERS, SkippedDocument, clean_text, convert_file, iso_date, place_of
from .index import Document
from .reading_process import ReadingProcess, reading_process

ENDINGS = (*READERS, ".jsonl")
MAX_LISTED = 50
MAX_CHARACTERS = 500_000_000
MAX_SECONDS = 600.0
_SUMMARY = 200  # characters
_FEW = 5  # files that are not read


@dataclass(slots=True)
class LoadedDocuments:
    """What was read, and what was not: (path relative to the folder, reason)."""

    documents: list[Document] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)


def load_documents(
    path: Path | str, *, most_characters: int = MAX_CHARACTERS, most_seconds: float = MAX_SECONDS
) -> LoadedDocuments:
    """Read a folder (with its sub-folders) or one file.

    Left out with a reason: hidden files, runs, links that leave the folder, unknown endings, files over
    50 MB (but JSONL is read line by line and may be larger), unreadable files, lines of a JSONL file that are
    no document, a second document with the same key, and what comes after the most that is read.
    Raises DocumentsError if the path does not exist or nothing in it can be read.
    """
    root = Path(path).expanduser()
    if not (root.is_dir() or root.is_file()):
        raise DocumentsError(f"There is no file or folder {str(path)!r}.", "Check the path.")
    loaded, started, size = LoadedDocuments(), time.monotonic(), 0
    seen: set[str] = set()
    files = _files(root, loaded.skipped) if root.is_dir() else [root]
    with reading_process() as process:
        for file in files:
            name = _name(file, root)
            try:
                for document in _read(file, name, loaded.skipped, process):
                    size += len(document.text)
                    if size > most_characters:
                        raise SkippedDocument(
                            f"was left out from where {most_characters:,} characters were read"
                        )
                    if time.monotonic() - started > most_seconds:
                        raise SkippedDocument(f"was left out from where reading took {most_seconds:g} s")
                    if document.id in seen:
                        loaded.skipped.append((name, f"has a second document with the key {document.id!r}"))
                    else:
                        seen.add(document.id)
                        loaded.documents.append(document)
            except SkippedDocument as error:
                loaded.skipped.append((name, str(error)))
    if not loaded.documents:
        raise _nothing(root, loaded.skipped)
    return loaded


def by_reason(skipped: Sequence[tuple[str, str]]) -> list[tuple[str, str, int]]:
    """What was not read, why, and how many files that are: one by one where they are few.

    Else each reason has the first file that it keeps out, with how many more; the most frequent one first.
    """
    if len(skipped) <= _FEW:
        return [(name, reason, 1) for name, reason in skipped]
    files: dict[str, list[str]] = {}
    for name, reason in skipped:
        files.setdefault(reason, []).append(name)
    told = [
        (names[0] + (f" and {len(names) - 1:,} more" if names[1:] else ""), reason, len(names))
        for reason, names in files.items()
    ]
    return sorted(told, key=lambda one: -one[2])


def listing(documents: Sequence[Document]) -> list[ListedDocument]:
    """The first documents as a list shows them; of several pages the first only, under the name of the file.

    The summary is how the document begins: no model has read it.
    """
    listed: dict[str, ListedDocument] = {}
    for document in documents:
        key = document.citation_key or document.id
        key = key if document.page is None else key.rpartition(", ")[0]
        if key not in listed:
            listed[key] = ListedDocument(key, document.title, _opening(document))
        if len(listed) == MAX_LISTED:
            break
    return list(listed.values())


def _opening(document: Document) -> str:
    lines = (line.strip() for line in document.text.splitlines())
    prose = " ".join(line for line in lines if line and not line.startswith("#") and line != document.title)
    return shorten(" ".join(split_sentences(prose[: 2 * _SUMMARY])[:2]), _SUMMARY)


def _files(root: Path, skipped: list[tuple[str, str]]) -> list[Path]:
    """The files to try, by relative path; hidden ones, runs and links outside are noted and left out."""
    inside = root.resolve()
    found: list[Path] = []
    for folder, folders, files in os.walk(root):
        for name in sorted([*folders, *files]):
            entry = Path(folder, name)
            is_folder = name in folders
            reason = None
            if name.startswith("."):
                reason = "is hidden"
            elif is_folder and entry.resolve() == home_folder().resolve():
                reason = "is where runs are kept"
            elif entry.is_symlink() and not entry.resolve().is_relative_to(inside):
                reason = "is a link that leaves the folder"
            if reason:
                skipped.append((_name(entry, root), reason))
            elif not is_folder and entry.is_file():
                found.append(entry)
        kept_out = {name for name, _ in skipped}
        folders[:] = [name for name in folders if _name(Path(folder, name), root) not in kept_out]
    skipped.sort()
    return sorted(found, key=lambda file: _name(file, root))


def _name(file: Path, root: Path) -> str:
    """The path as people cite it: relative, with forward slashes, composed characters, valid text."""
    relative = file.relative_to(root).as_posix() if file != root else file.name
    return unicodedata.normalize("NFC", os.fsencode(relative).decode("utf-8", "replace"))


def _read(
    file: Path, name: str, skipped: list[tuple[str, str]], process: ReadingProcess
) -> Iterator[Document]:
    if file.suffix.lower() == ".jsonl":
        yield from _rows(file, name, skipped)
        return
    for part in convert_file(file, process):
        key = name if part.page is None else f"{name}, {place_of(name, part.page)}"
        yield Document(
            key, part.title, part.text, citation_key=key, published=part.published, kind="document",
            page=part.page,
        )  # fmt: skip


def _rows(file: Path, name: str, skipped: list[tuple[str, str]]) -> Iterator[Document]:
    """The documents of a JSONL file; lines that are none are left out, the first named and all counted."""
    bad, first = 0, ""
    try:
        with file.open(encoding="utf-8-sig", errors="replace") as lines:
            for number, line in enumerate(iter(lambda: lines.readline(MAX_BYTES), ""), start=1):
                if len(line) == MAX_BYTES:
                    most = f"{MAX_BYTES // 1_000_000} MB"
                    skipped.append((name, f"was left out from line {number} on, which is longer than {most}"))
                    break
                if not line.strip():
                    continue
                try:
                    yield _row(line, f"line {number}")
                except SkippedDocument as error:
                    bad, first = bad + 1, first or str(error)
    except OSError as error:
        raise SkippedDocument(f"cannot be read: {error.strerror}") from error
    if bad:
        skipped.append((name, first if bad == 1 else f"{first}; {bad:,} such lines"))


def _row(line: str, where: str) -> Document:
    try:
        row: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise SkippedDocument(f"{where} is not JSON") from error
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise SkippedDocument(f'{where} is no document: an object with "id" or "url", "title" and "text" is')
    names = [clean_text(str(row[field])).strip() for field in ("id", "url") if row.get(field) is not None]
    key = next(filter(None, names), "")
    if not key:
        raise SkippedDocument(f'{where} has neither "id" nor "url"')
    return Document(
        id=key, title=clean_text(str(row.get("title") or key)), text=clean_text(row["text"]),
        url=clean_text(str(row["url"])) if row.get("url") else None, citation_key=key,
        published=iso_date(row.get("date")), kind="document",
    )  # fmt: skip


def _nothing(root: Path, skipped: list[tuple[str, str]]) -> DocumentsError:
    """The error for a path with nothing to research: what was there, and what is read."""
    grouped = by_reason(skipped)
    reasons = "; ".join(f"{names} {reason}" for names, reason, _ in grouped[:3])
    if rest := sum(count for _, _, count in grouped[3:]):
        reasons += f"; and {rest} more"
    what = "cannot be researched" if root.is_file() else "holds no readable document"
    message = f"{str(root)!r} {what}{': ' + reasons.rstrip('.') if reasons else ''}."
    return DocumentsError(message, f"Files ending in {', '.join(ENDINGS)} are read.")
