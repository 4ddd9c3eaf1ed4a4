"""Search over any set of documents: the offline web, a folder of files, a knowledge base.

One small interface, `Retriever`, so that another retriever can be swapped in for an experiment. `build_index`
chooses between two kept engines: SQLite's FTS5 up to some 20,000 documents (it is always there), tantivy
above (it stays fast at hundreds of thousands). Both rank by BM25 over English stems and CJK character pairs,
any term may match (OR), and equal scores are ordered by document id, so results do not depend on the order in
which documents arrived. What is ranked are passages (`passages.py`); a document counts as its best one, so
that its length neither buries nor lifts it. `benchmarks/retrieval.py` measures both.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

from .errors import DocumentsError
from .index_engines import Engine, Filters, Fts5, Passage, Tantivy, host_of
from .passages import passages
from .snippets import best_snippet
from .terms import query_terms

FTS5_LIMIT = 20_000
LAYOUT = 3
"""Raised whenever the tables or the engines' fields change, so that an older index on disk is not misread."""


@dataclass(frozen=True, slots=True)
class Document:
    """One document that can be found. `text` is Markdown or plain text; `published` an ISO date."""

    id: str
    title: str
    text: str
    url: str | None = None
    citation_key: str | None = None
    published: str | None = None
    kind: str = "web"
    page: int | None = None
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hit:
    """One search result: higher scores are better, and comparable within one answer only."""

    document: Document
    score: float
    snippet: str


class Retriever(Protocol):
    """Anything that finds documents for a query."""

    def search(
        self,
        query: str,
        k: int = 5,
        *,
        domains: Sequence[str] = (),
        exclude_domains: Sequence[str] = (),
        after: str | None = None,
        before: str | None = None,
    ) -> list[Hit]:
        """The best `k` documents, best first; undated documents satisfy no date filter."""
        ...

    def find(self, key: str) -> Document | None:
        """The document with this url or citation key, if there is one."""
        ...


class Index:
    """A `Retriever` over documents kept in SQLite and ranked by an engine; safe to share between threads."""

    def __init__(self, connection: sqlite3.Connection, engine: Engine) -> None:
        self._connection = connection
        self._engine = engine
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM documents").fetchone()[0])

    def search(
        self,
        query: str,
        k: int = 5,
        *,
        domains: Sequence[str] = (),
        exclude_domains: Sequence[str] = (),
        after: str | None = None,
        before: str | None = None,
    ) -> list[Hit]:
        """The best `k` documents for any text at all; a query without a letter or digit finds nothing."""
        terms = query_terms(query)
        if not terms or k < 1:
            return []
        with self._lock:
            best = self._best(terms, k, Filters.of(domains, exclude_domains, after, before))
            found = [(self._document(row), *place) for row, place in best.items()]
        # What is found by its lead is found as a whole, and any part of it may answer best.
        return [
            Hit(document, score, best_snippet(document.text[start:end] if start else document.text, terms))
            for document, start, end, score in found
        ]

    def find(self, key: str) -> Document | None:
        """The document with this url or citation key, if there is one."""
        where = "json_extract(data, '$.url') = :key OR json_extract(data, '$.citation_key') = :key"
        with self._lock:
            found = self._connection.execute(
                f"SELECT data FROM documents WHERE {where} LIMIT 1", {"key": key}
            ).fetchone()
        return Document(**json.loads(found[0])) if found else None

    def knows(self, words: Iterable[str]) -> set[str]:
        """Which of these words occur anywhere in the index, inflected or not."""
        with self._lock:
            return {word for word in words if (terms := query_terms(word)) and self._engine.contains(terms)}

    def _best(self, terms: Sequence[str], k: int, filters: Filters) -> dict[int, tuple[int, int, float]]:
        """Start, end and score of the best passage of each of the best `k` documents, best first.

        More passages are asked for as long as too few documents are among them.
        """
        best: dict[int, tuple[int, int, float]] = {}
        limit = 2 * k
        while True:
            ranked = self._engine.rank(terms, limit, filters)
            for number, score in ranked:
                row, start, end = self._place(number)
                best.setdefault(row, (start, end, score))
                if len(best) == k:
                    return best
            if len(ranked) < limit:
                return best
            limit *= 4

    def _place(self, number: int) -> tuple[int, int, int]:
        """The document's row, and where in its text a passage starts and ends."""
        where = "SELECT row, start, end FROM passages WHERE number = ?"
        row, start, end = self._connection.execute(where, (number,)).fetchone()
        return row, start, end

    def _document(self, row: int) -> Document:
        data = self._connection.execute("SELECT data FROM documents WHERE row = ?", (row,)).fetchone()[0]
        return Document(**json.loads(data))


def build_index(
    documents: Iterable[Document],
    path: Path | None = None,
    engine: str = "auto",
    title_weight: float | None = None,
) -> Index:
    """Index the documents in memory, or in the folder `path` (replaced as a whole when complete).

    `engine` is "fts5", "tantivy" or "auto"; `title_weight` replaces the engine's own, for experiments.
    Raises DocumentsError when two documents share an id.
    """
    ordered = sorted(documents, key=lambda document: document.id)
    for first, second in pairwise(ordered):
        if first.id == second.id:
            raise DocumentsError(f"Two documents have the id {first.id!r}.", "Give each document its own id.")
    if engine == "auto":
        engine = "fts5" if len(ordered) <= FTS5_LIMIT else "tantivy"
    if path is None:
        return _filled(_open(None, engine, title_weight), ordered, engine)
    building = path.with_name(path.name + ".building")
    shutil.rmtree(building, ignore_errors=True)
    building.mkdir(parents=True)
    _filled(_open(building, engine), ordered, engine)._connection.close()
    shutil.rmtree(path, ignore_errors=True)
    building.rename(path)
    return _open(path, engine, title_weight)


def open_index(path: Path) -> Index:
    """Open an index that `build_index` left on disk.

    Raises DocumentsError when there is none, or one that this version cannot read.
    """
    again = "Build it again from the documents."
    if not (path / "documents.sqlite").is_file():
        raise DocumentsError(f"There is no search index in {path}.", again)
    try:
        return _open(path, _engine_of(path))
    except (sqlite3.DatabaseError, ValueError) as error:  # a ValueError is how tantivy refuses a folder
        raise DocumentsError(f"The search index in {path} cannot be used: {error}.", again) from error


def _engine_of(path: Path) -> str:
    """The engine of an index on disk; raises ValueError for another layout, sqlite's errors for damage."""
    with closing(sqlite3.connect(path / "documents.sqlite")) as connection:
        (layout,) = connection.execute("PRAGMA user_version").fetchone()
        if layout != LAYOUT:
            raise ValueError(f"it has layout {layout}, and this version reads layout {LAYOUT}")
        connection.execute("SELECT number FROM passages LIMIT 1")
        (engine,) = connection.execute("SELECT engine FROM about").fetchone()
    return str(engine)


def _open(path: Path | None, engine: str, title_weight: float | None = None) -> Index:
    connection = sqlite3.connect(path / "documents.sqlite" if path else ":memory:", check_same_thread=False)
    if engine == "fts5":
        return Index(connection, Fts5(connection, title_weight))
    if engine == "tantivy":
        return Index(connection, Tantivy(path / "tantivy" if path else None, title_weight))
    raise ValueError(f"Unknown engine {engine!r}: choose auto, fts5 or tantivy.")


def _filled(index: Index, documents: Sequence[Document], engine: str) -> Index:
    connection = index._connection
    connection.execute(f"PRAGMA user_version = {LAYOUT}")
    connection.execute("CREATE TABLE about (engine TEXT)")
    connection.execute("INSERT INTO about VALUES (?)", (engine,))
    connection.execute(
        "CREATE TABLE documents (row INTEGER PRIMARY KEY, host TEXT, published TEXT, data TEXT)"
    )
    connection.execute(
        "CREATE TABLE passages (number INTEGER PRIMARY KEY, row INTEGER, start INTEGER, end INTEGER)"
    )
    connection.executemany("INSERT INTO documents VALUES (?, ?, ?, ?)", _records(documents))
    places = [
        (row, start, end)
        for row, document in enumerate(documents, start=1)
        for start, end in passages(document.text)
    ]
    connection.executemany("INSERT INTO passages (row, start, end) VALUES (?, ?, ?)", places)
    index._engine.fill(_passage(documents[row - 1], start, end) for row, start, end in places)
    connection.commit()
    return index


def _passage(document: Document, start: int, end: int) -> Passage:
    text = document.text[start:end]
    return Passage(document.title, text, host_of(document.url or ""), document.published or None)


def _records(documents: Sequence[Document]) -> Iterator[tuple[int, str, str | None, str]]:
    for row, document in enumerate(documents, start=1):
        data = json.dumps(asdict(document))
        yield row, host_of(document.url or ""), document.published or None, data
