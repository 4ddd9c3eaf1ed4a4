"""Search over any set of documents: the offline web, a folder of files, a knowledge base.

SQLite's full-text search (FTS5) ranks by BM25 over English stems and CJK character pairs; any term may match
(OR), and equal scores are ordered by document id, so results do not depend on the order in which documents
arrived. What is ranked are passages (`text/passages.py`); a document counts as its best one, so that its
length neither buries nor lifts it. A query takes about a millisecond per thousand documents.
"""

from __future__ import annotations

import json
import re
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any

from deep_research.core.errors import DocumentsError
from deep_research.text.passages import best_snippet, passage_spans
from deep_research.text.terms import indexable, is_cjk, query_terms
from deep_research.text.urls import host_in

TITLE_WEIGHT = 5.0
"""The weight at which names find their own page without the ranking of SciFact claims getting worse
(`benchmarks/retrieval.py`)."""
_TABLES = """
CREATE TABLE documents (row INTEGER PRIMARY KEY, host TEXT, published TEXT, data TEXT);
CREATE TABLE passages (number INTEGER PRIMARY KEY, row INTEGER, start INTEGER, end INTEGER);
CREATE VIRTUAL TABLE words USING fts5
    (title, text, content='', tokenize='porter unicode61 remove_diacritics 2');
"""


@dataclass(frozen=True, slots=True)
class Filters:
    """What a hit must satisfy besides matching: hosts (sub-domains too) and dates (both ends included)."""

    domains: tuple[str, ...] = ()
    exclude_domains: tuple[str, ...] = ()
    after: str | None = None
    before: str | None = None

    @classmethod
    def of(
        cls, domains: Iterable[str], exclude: Iterable[str], after: str | None, before: str | None
    ) -> Filters:
        """Filters from what a caller or a model typed: `https://www.a.example/x` means `a.example`."""
        wanted = tuple(host_of(domain) for domain in domains)
        return cls(wanted, tuple(host for domain in exclude if (host := host_of(domain))), after, before)


NO_FILTERS = Filters()


def host_of(address: str) -> str:
    """The host of an address or of a bare domain, lower case, without `www.`; empty if there is none."""
    host = host_in(address if "//" in address else f"//{address}")
    return re.sub(r"^www\.|^\.|\.$", "", host).encode("utf-8", "ignore").decode()


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


class Index:
    """Documents that are kept and ranked in one SQLite database; safe to share between threads."""

    def __init__(self, connection: sqlite3.Connection, title_weight: float = TITLE_WEIGHT) -> None:
        self._connection = connection
        self._title_weight = title_weight
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM documents").fetchone()[0])

    def search(self, query: str, k: int = 5, filters: Filters = NO_FILTERS) -> list[Hit]:
        """The best `k` documents for any text at all; a query without a letter or digit finds nothing.

        Undated documents satisfy no date filter.
        """
        terms = query_terms(query)
        if not terms or k < 1:
            return []
        with self._lock:
            best = self._best(terms, k, filters)
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
            return {word for word in words if (terms := query_terms(word)) and self._contains(terms)}

    def _contains(self, phrase: Sequence[str]) -> bool:
        """Whether any passage has these terms next to each other."""
        query = " + ".join(map(_quoted, phrase))
        found = self._connection.execute("SELECT 1 FROM words WHERE words MATCH ? LIMIT 1", (query,))
        return found.fetchone() is not None

    def _best(self, terms: Sequence[str], k: int, filters: Filters) -> dict[int, tuple[int, int, float]]:
        """Start, end and score of the best passage of each of the best `k` documents, best first.

        More passages are asked for as long as too few documents are among them.
        """
        best: dict[int, tuple[int, int, float]] = {}
        limit = 2 * k
        while True:
            ranked = self._rank(terms, limit, filters)
            for number, score in ranked:
                row, start, end = self._place(number)
                best.setdefault(row, (start, end, score))
                if len(best) == k:
                    return best
            if len(ranked) < limit:
                return best
            limit *= 4

    def _rank(self, terms: Sequence[str], k: int, filters: Filters) -> list[tuple[int, float]]:
        """The best `k` passages (number, score), best first, equal scores by number."""
        where, values = _conditions(filters)
        rows = self._connection.execute(
            "SELECT words.rowid, bm25(words, ?, 1.0) AS cost FROM words "
            f"{'JOIN passages ON number = words.rowid JOIN documents USING (row)' if where else ''} "
            f"WHERE words MATCH ? {where} ORDER BY cost, words.rowid LIMIT ?",
            (self._title_weight, " OR ".join(map(_quoted, terms)), *values, k),
        )
        return [(number, -cost) for number, cost in rows]

    def _place(self, number: int) -> tuple[int, int, int]:
        """The document's row, and where in its text a passage starts and ends."""
        where = "SELECT row, start, end FROM passages WHERE number = ?"
        row, start, end = self._connection.execute(where, (number,)).fetchone()
        return row, start, end

    def _document(self, row: int) -> Document:
        data = self._connection.execute("SELECT data FROM documents WHERE row = ?", (row,)).fetchone()[0]
        return Document(**json.loads(data))


def _quoted(term: str) -> str:
    """A term (letters and digits only) as an FTS5 string; a lone CJK character matches by prefix."""
    return f'"{term}" *' if is_cjk(term) and len(term) == 1 else f'"{term}"'


def _conditions(filters: Filters) -> tuple[str, list[Any]]:
    """The filters as SQL after MATCH, with its values. A shorter date means its whole month or year."""
    clauses: list[str] = []
    values: list[Any] = []
    for hosts, inside in ((filters.domains, True), (filters.exclude_domains, False)):
        if hosts:
            either = " OR ".join("'.' || host LIKE '%.' || ?" for _ in hosts)
            clauses.append(f"{'' if inside else 'NOT '}({either})")
            values += hosts
    for date, sign in ((filters.after, ">="), (filters.before, "<=")):
        if date:
            clauses.append(f"substr(published, 1, {len(date)}) {sign} ?")
            values.append(date)
    return "".join(f" AND {clause}" for clause in clauses), values


def build_index(documents: Iterable[Document], title_weight: float = TITLE_WEIGHT) -> Index:
    """Index the documents in memory; raises DocumentsError when two of them share an id."""
    ordered = sorted(documents, key=lambda document: document.id)
    for first, second in pairwise(ordered):
        if first.id == second.id:
            raise DocumentsError(f"Two documents have the id {first.id!r}.", "Give each document its own id.")
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.executescript(_TABLES)
    records = (
        (row, host_of(document.url or ""), document.published or None, json.dumps(asdict(document)))
        for row, document in enumerate(ordered, start=1)
    )
    connection.executemany("INSERT INTO documents VALUES (?, ?, ?, ?)", records)
    places = [
        (row, start, end)
        for row, document in enumerate(ordered, start=1)
        for start, end in passage_spans(document.text)
    ]
    connection.executemany("INSERT INTO passages (row, start, end) VALUES (?, ?, ?)", places)
    connection.executemany("INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)", _words(ordered, places))
    connection.execute("INSERT INTO words (words) VALUES ('optimize')")
    connection.commit()
    return Index(connection, title_weight)


def _words(
    documents: Sequence[Document], places: Sequence[tuple[int, int, int]]
) -> Iterator[tuple[int, str, str]]:
    """Number, title and text of each passage, as they are indexed; the title is the whole document's."""
    for number, (row, start, end) in enumerate(places, start=1):
        document = documents[row - 1]
        yield number, indexable(document.title), indexable(document.text[start:end])
