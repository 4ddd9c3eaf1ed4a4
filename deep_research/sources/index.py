"""Search over any set of documents: the offline web, a folder of files, a knowledge base.

One small interface, `Retriever`, so that another retriever can be swapped in for an experiment. `build_index`
chooses between two kept engines, which see the same text (`terms.indexable`) and the same query terms:
SQLite's FTS5, which is always there and scores every matching row of an OR query, up to some 20,000
documents; above, tantivy, which skips what cannot win and stays fast at hundreds of thousands. Both rank by
BM25 over English stems and CJK character pairs, any term may match (OR), and equal scores are ordered by
document id, so results do not depend on the order in which documents arrived. What is ranked are passages
(`text/passages.py`); a document counts as its best one, so that its length neither buries nor lifts it.
`benchmarks/retrieval.py` measures both.
"""

from __future__ import annotations

import json
import re
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any, Protocol
from urllib.parse import urlsplit

from deep_research.core.errors import DocumentsError
from deep_research.text.passages import best_snippet, passage_spans
from deep_research.text.terms import indexable, is_cjk, query_terms

# Measured (benchmarks/retrieval.py): the weight at which entity names find their own page without the ranking
# of SciFact claims getting worse. FTS5 counts words over the whole row, so its weight multiplies title words;
# tantivy normalises each field by its own length, which already lifts short titles: a small share is enough.
FTS5_TITLE_WEIGHT = 5.0
TANTIVY_TITLE_WEIGHT = 0.35


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


@dataclass(frozen=True, slots=True)
class IndexedPassage:
    """What is ranked: a part of a document's text, under the document's title, host and date."""

    title: str
    text: str
    host: str
    published: str | None


class Engine(Protocol):
    """What ranks. It knows passages by number only: from 1 up, in the order of the documents' ids."""

    def fill(self, passages: Iterable[IndexedPassage]) -> None:
        """Index all passages, once, in order."""

    def rank(self, terms: Sequence[str], k: int, filters: Filters) -> list[tuple[int, float]]:
        """The best `k` passages (number, score), best first, equal scores by number."""

    def contains(self, phrase: Sequence[str]) -> bool:
        """Whether any passage has these terms next to each other."""


def host_of(address: str) -> str:
    """The host of an address or of a bare domain, lower case, without `www.`; empty if there is none."""
    try:
        host = urlsplit(address if "//" in address else f"//{address}").hostname or ""
    except ValueError:
        return ""
    return re.sub(r"^www\.|^\.|\.$", "", host.lower()).encode("utf-8", "ignore").decode()


class Fts5:
    """Full-text search inside the SQLite database that holds the tables `documents` and `passages`."""

    def __init__(self, connection: sqlite3.Connection, title_weight: float | None = None) -> None:
        self._connection = connection
        self._title_weight = FTS5_TITLE_WEIGHT if title_weight is None else title_weight

    def fill(self, passages: Iterable[IndexedPassage]) -> None:
        self._connection.execute(
            "CREATE VIRTUAL TABLE words USING fts5"
            "(title, text, content='', tokenize='porter unicode61 remove_diacritics 2')"
        )
        self._connection.executemany(
            "INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)",
            ((number, indexable(p.title), indexable(p.text)) for number, p in enumerate(passages, start=1)),
        )
        self._connection.execute("INSERT INTO words (words) VALUES ('optimize')")

    def rank(self, terms: Sequence[str], k: int, filters: Filters) -> list[tuple[int, float]]:
        where, values = _conditions(filters)
        rows = self._connection.execute(
            "SELECT words.rowid, bm25(words, ?, 1.0) AS cost FROM words "
            f"{'JOIN passages ON number = words.rowid JOIN documents USING (row)' if where else ''} "
            f"WHERE words MATCH ? {where} ORDER BY cost, words.rowid LIMIT ?",
            (self._title_weight, " OR ".join(map(_quoted, terms)), *values, k),
        )
        return [(number, -cost) for number, cost in rows]

    def contains(self, phrase: Sequence[str]) -> bool:
        query = " + ".join(map(_quoted, phrase))
        found = self._connection.execute("SELECT 1 FROM words WHERE words MATCH ? LIMIT 1", (query,))
        return found.fetchone() is not None


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


class Tantivy:
    """A tantivy index in memory. One writer thread, so that two builds are the same."""

    def __init__(self, title_weight: float | None = None) -> None:
        import tantivy

        weight = TANTIVY_TITLE_WEIGHT if title_weight is None else title_weight
        self._fields = (("title", weight), ("text", 1.0))  # "text" holds the title too
        self._tantivy = tantivy
        builder = tantivy.SchemaBuilder()
        builder.add_integer_field("number", fast=True)
        builder.add_integer_field("published", indexed=True, fast=True)
        builder.add_text_field("host", tokenizer_name="raw", index_option="basic")
        for name, _ in self._fields:
            builder.add_text_field(name, tokenizer_name="stems")
        self._schema = builder.build()
        self._index = tantivy.Index(self._schema)
        filters = tantivy.Filter
        self._analyzer = (
            tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
            .filter(filters.lowercase())
            .filter(filters.ascii_fold())
            .filter(filters.stemmer("english"))
            .build()
        )
        self._index.register_tokenizer("stems", self._analyzer)

    def fill(self, passages: Iterable[IndexedPassage]) -> None:
        writer = self._index.writer(heap_size=128_000_000, num_threads=1)
        for number, passage in enumerate(passages, start=1):
            entry = self._tantivy.Document(number=number, published=_day(passage.published, "00"))
            entry.add_text("title", indexable(passage.title))
            entry.add_text("text", f"{indexable(passage.title)}\n{indexable(passage.text)}")
            labels = passage.host.split(".")
            for i in range(len(labels)):
                entry.add_text("host", ".".join(labels[i:]))
            writer.add_document(entry)
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()

    def rank(self, terms: Sequence[str], k: int, filters: Filters) -> list[tuple[int, float]]:
        """Asks for more than `k` as long as the last score is that of the k-th, so ties are cut by number."""
        query, searcher, limit = self._query(terms, filters), self._index.searcher(), k + 16
        while True:
            hits = searcher.search(query, limit, count=False).hits
            if len(hits) < limit or hits[-1][0] < hits[k - 1][0]:
                break
            limit *= 4
        numbers: list[Any] = searcher.fast_field_values("number", [address for _, address in hits])
        ranked = [(int(number), float(score)) for number, (score, _) in zip(numbers, hits, strict=True)]
        return sorted(ranked, key=lambda hit: (-hit[1], hit[0]))[:k]

    def contains(self, phrase: Sequence[str]) -> bool:
        searcher = self._index.searcher()
        return any(searcher.search(self._phrase(name, phrase), 1).hits for name, _ in self._fields)

    def _query(self, terms: Sequence[str], filters: Filters) -> Any:
        kit, occur = self._tantivy.Query, self._tantivy.Occur
        weighted = [
            kit.boost_query(self._phrase(name, [term]), weight)
            for term in terms
            for name, weight in self._fields
        ]
        matching = kit.boolean_query([(occur.Should, query) for query in weighted])
        clauses = [(occur.Must, matching)]
        if filters.domains:
            clauses.append((occur.Must, kit.const_score_query(self._hosts(filters.domains), 0.0)))
        if filters.exclude_domains:
            clauses.append((occur.MustNot, self._hosts(filters.exclude_domains)))
        if filters.after or filters.before:
            first, last = _day(filters.after or "0001", "00"), _day(filters.before or "9999", "99")
            dated = kit.range_query(self._schema, "published", self._tantivy.FieldType.Integer, first, last)
            clauses.append((occur.Must, kit.const_score_query(dated, 0.0)))
        return kit.boolean_query(clauses)

    def _hosts(self, hosts: Sequence[str]) -> Any:
        return self._tantivy.Query.term_set_query(self._schema, "host", list(hosts))

    def _phrase(self, name: str, terms: Sequence[str]) -> Any:
        kit = self._tantivy.Query
        if len(terms) == 1 and is_cjk(terms[0]) and len(terms[0]) == 1:
            return kit.regex_query(self._schema, name, terms[0] + ".?")
        stems = [stem for term in terms for stem in self._analyzer.analyze(term)]
        if not stems:
            return kit.empty_query()
        if len(stems) == 1:
            return kit.term_query(self._schema, name, stems[0])
        return kit.phrase_query(self._schema, name, list(stems))


def _day(date: str | None, filling: str) -> int:
    """An ISO date as the number yyyymmdd, missing parts filled up; 0 for none or one that is not ISO."""
    match = re.match(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", date or "")
    return int("".join(part or filling for part in match.groups())) if match else 0


FTS5_LIMIT = 20_000


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

    def search(self, query: str, k: int = 5, filters: Filters = NO_FILTERS) -> list[Hit]:
        """The best `k` documents, best first; undated documents satisfy no date filter."""

    def find(self, key: str) -> Document | None:
        """The document with this url or citation key, if there is one."""


class Index:
    """A `Retriever` over documents kept in SQLite and ranked by an engine; safe to share between threads."""

    def __init__(self, connection: sqlite3.Connection, engine: Engine) -> None:
        self._connection = connection
        self._engine = engine
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM documents").fetchone()[0])

    def search(self, query: str, k: int = 5, filters: Filters = NO_FILTERS) -> list[Hit]:
        """The best `k` documents for any text at all; a query without a letter or digit finds nothing."""
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
    documents: Iterable[Document], engine: str = "auto", title_weight: float | None = None
) -> Index:
    """Index the documents in memory.

    `engine` is "fts5", "tantivy" or "auto"; `title_weight` replaces the engine's own, for experiments.
    Raises DocumentsError when two documents share an id.
    """
    ordered = sorted(documents, key=lambda document: document.id)
    for first, second in pairwise(ordered):
        if first.id == second.id:
            raise DocumentsError(f"Two documents have the id {first.id!r}.", "Give each document its own id.")
    if engine == "auto":
        engine = "fts5" if len(ordered) <= FTS5_LIMIT else "tantivy"
    if engine not in ("fts5", "tantivy"):
        raise ValueError(f"Unknown engine {engine!r}: choose auto, fts5 or tantivy.")
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    ranking = Fts5(connection, title_weight) if engine == "fts5" else Tantivy(title_weight)
    _fill_tables(connection, ranking, ordered)
    return Index(connection, ranking)


def _fill_tables(connection: sqlite3.Connection, engine: Engine, documents: Sequence[Document]) -> None:
    connection.execute(
        "CREATE TABLE documents (row INTEGER PRIMARY KEY, host TEXT, published TEXT, data TEXT)"
    )
    connection.execute(
        "CREATE TABLE passages (number INTEGER PRIMARY KEY, row INTEGER, start INTEGER, end INTEGER)"
    )
    records = (
        (row, host_of(document.url or ""), document.published or None, json.dumps(asdict(document)))
        for row, document in enumerate(documents, start=1)
    )
    connection.executemany("INSERT INTO documents VALUES (?, ?, ?, ?)", records)
    places = [
        (row, start, end)
        for row, document in enumerate(documents, start=1)
        for start, end in passage_spans(document.text)
    ]
    connection.executemany("INSERT INTO passages (row, start, end) VALUES (?, ?, ?)", places)
    engine.fill(_passage(documents[row - 1], start, end) for row, start, end in places)
    connection.commit()


def _passage(document: Document, start: int, end: int) -> IndexedPassage:
    text = document.text[start:end]
    return IndexedPassage(document.title, text, host_of(document.url or ""), document.published or None)
