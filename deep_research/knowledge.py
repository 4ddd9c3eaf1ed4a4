"""Local knowledge: a folder of notes, cut into passages and looked up by words and by nearness.

Hybrid retrieval: the keyword index ranks the passages one way (BM25), vectors another, and the two orders are
merged by reciprocal rank. A passage that has too little to do with the query is no answer and stays out, so
that a folder about something else adds nothing. What is built is kept for the process under a key made of the
files' contents and the settings that shaped it: change a note or the chunk size, and it is built again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from math import log
from pathlib import Path
from typing import Any

from langgraph.runtime import Runtime

from .context import Context
from .errors import DocumentsError
from .index import Document, Index, build_index
from .ledger import Ledger
from .setting_parts import KnowledgeSettings
from .state import Source
from .terms import is_cjk, query_terms
from .tools.documents import load_documents
from .tools.search import SearchHit
from .vectors import HashedNgrams

_CANDIDATES = 4
"""How many times more candidates each ranking brings than are wanted in the end."""
_SMOOTHING = 60
"""The constant of reciprocal rank fusion: rank r scores 1 / (60 + r)."""
_COVERED = 0.5
_NEAR = 0.15
"""A passage counts if it holds half of the query, weighted, or if its cosine is at least this."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a note. `score` is comparable within one answer only."""

    document: Document
    text: str
    score: float = 0.0


class Knowledge:
    """A set of notes, ready to be looked up. Build it with `open_knowledge`."""

    def __init__(self, documents: Sequence[Document], settings: KnowledgeSettings, key: str = "") -> None:
        self.key = key
        self._passages = [
            Passage(document, text)
            for document in documents
            for text in chunks(document.text, settings.chunk_size, settings.chunk_overlap)
        ]
        self._index = self._keyword_index()
        self._texts = [f"{passage.document.title}\n{passage.text}" for passage in self._passages]
        hashed = settings.embedding == HashedNgrams.name
        self._vectors = HashedNgrams(self._texts) if hashed else None

    def __len__(self) -> int:
        return len(self._passages)

    def _keyword_index(self) -> Index:
        """The passages as documents of their own, numbered so that they sort as they stand."""
        return build_index(
            Document(f"{place:08d}", passage.document.title, passage.text)
            for place, passage in enumerate(self._passages)
        )

    def search(self, query: str, k: int, *, plain: bool = False) -> list[Passage]:
        """The best `k` passages that bear on the query, best first; often fewer, and none at all.

        `plain` ranks by words alone.
        """
        many = k * _CANDIDATES
        by_words = [int(hit.document.id) for hit in self._index.search(query, many)]
        cosines = dict(self._vectors.nearest(query, many)) if self._vectors and not plain else {}
        scores: dict[int, float] = {}
        for ranking in (by_words, list(cosines)):
            for rank, place in enumerate(ranking, start=1):
                scores[place] = scores.get(place, 0.0) + 1 / (_SMOOTHING + rank)
        covered = self._covered(query_terms(query))
        near = [p for p in scores if cosines.get(p, 0.0) >= _NEAR or covered[p] >= _COVERED]
        best = sorted(near, key=lambda place: (-scores[place], place))[:k]
        return [Passage(self._passages[p].document, self._passages[p].text, scores[p]) for p in best]

    def _covered(self, terms: Sequence[str]) -> list[float]:
        """For each passage, which part of the query its words make up, rare words counting more."""
        held = [[bool(_at_word_start(term).search(text)) for term in terms] for text in self._texts]
        weights = [log(1 + len(held) / (1 + sum(row[n] for row in held))) for n in range(len(terms))]
        total = sum(weights) or 1.0
        return [sum(w for w, has in zip(weights, row, strict=True) if has) / total for row in held]


@lru_cache(maxsize=1024)
def _at_word_start(term: str) -> re.Pattern[str]:
    """A term in a text, inflected or not: its first letters where a word begins; anywhere for CJK."""
    start = re.escape(term if is_cjk(term) else term[: max(len(term) - 2, 4)])
    return re.compile(start if is_cjk(term) else rf"\b{start}", re.IGNORECASE)


def chunks(text: str, size: int, overlap: int) -> Iterator[str]:
    """A text in parts of at most `size` characters; each after the first repeats the end of the one before.

    Parts end at a paragraph, else at a sentence or a word, if one ends in their second half.
    """
    overlap = min(overlap, size // 2)
    start = 0
    while start < len(text):
        end = min(start + size, len(text))
        if end < len(text):
            end = _boundary(text, start + size // 2, end)
        if part := text[start:end].strip():
            yield part
        if end == len(text):
            return
        start = _next_word(text, end - overlap, end)


def _boundary(text: str, earliest: int, latest: int) -> int:
    """The last place between two positions where a paragraph, a sentence or a word ends."""
    for mark in ("\n\n", "\n", ". ", "。", " "):
        found = text.rfind(mark, earliest, latest)
        if found >= 0:
            return found + len(mark)
    return latest


def _next_word(text: str, earliest: int, latest: int) -> int:
    """Where the first whole word between two positions begins; the first position where no word ends."""
    found = text.find(" ", earliest, latest)
    return found + 1 if found >= 0 else earliest


def open_knowledge(settings: KnowledgeSettings) -> tuple[Knowledge | None, list[tuple[str, str]]]:
    """The notes that the settings name, and the files that could not be read (path, reason).

    None if no notes are set. Raises `DocumentsError` for a path that does not exist or holds nothing.
    """
    if not settings.paths:
        return None, []
    return _built(settings.model_dump_json(), _contents(settings.paths))


@lru_cache(maxsize=4)
def _built(chosen: str, contents: str) -> tuple[Knowledge, list[tuple[str, str]]]:
    """Built once per settings and contents of the files; `contents` is their fingerprint."""
    settings = KnowledgeSettings.model_validate_json(chosen)
    documents: dict[str, Document] = {}
    skipped: list[tuple[str, str]] = []
    for path in settings.paths:
        loaded = load_documents(path)
        skipped += loaded.skipped
        for document in loaded.documents:
            if documents.setdefault(document.id, document) is not document:
                skipped.append((document.id, "is named like a note of an earlier folder"))
    key = sha256(f"{chosen}\n{contents}".encode()).hexdigest()
    return Knowledge(list(documents.values()), settings, key), skipped


def _contents(paths: Sequence[str]) -> str:
    """A fingerprint of all files under the paths: their names and bytes."""
    digest = sha256()
    for path in paths:
        root = Path(path).expanduser()
        if not root.exists():
            raise DocumentsError(f"There is no knowledge at {path!r}.", "Check the path after --knowledge.")
        for file in sorted(root.rglob("*")) if root.is_dir() else [root]:
            if file.is_file():
                digest.update(f"{file.relative_to(root)}\0{sha256(file.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def look_up(query: str, known: Sequence[Source], ctx: Context) -> list[Source]:
    """The passages that bear on a query, as sources with ids; none if the run has no knowledge.

    `known` are the branch's sources so far: ids go on from there, and a note among them gets one id.
    """
    if ctx.knowledge is None:
        return []
    ledger, found = Ledger(ctx.branch, known), dict[str, Source]()
    for hit, source, _ in ledger.register(passages(query, ctx), query, "knowledge_lookup", ctx):
        ledger.add_reading(source, ctx.store.pages.put(hit.passage))
        found[source.id] = source
    ctx.emit("call", role="knowledge_lookup", tool="knowledge", text=query, sources=list(found))
    return list(found.values())


def passages(query: str, ctx: Context, *, plain: bool = False) -> list[SearchHit]:
    """The passages that bear on a query, as hits of which the passage is what is read."""
    if ctx.knowledge is None:
        return []
    found = ctx.knowledge.search(query, ctx.settings.knowledge.passages, plain=plain)
    return [_hit(passage) for passage in found]


def _hit(passage: Passage) -> SearchHit:
    document = passage.document
    return SearchHit(
        document.title, passage.text[:300], url=document.url, citation_key=document.citation_key,
        text=document.text, published=document.published, kind="document", page=document.page,
        tool="knowledge", passage=passage.text,
    )  # fmt: skip


async def knowledge_node(state: Mapping[str, Any], runtime: Runtime[Context]) -> dict[str, Any]:
    """Look the question up; it reads nothing of the plan, which is made at the same time."""
    found = look_up(state["question"], state.get("sources", []), runtime.context)
    return {"knowledge": [source.id for source in found], "sources": found}
