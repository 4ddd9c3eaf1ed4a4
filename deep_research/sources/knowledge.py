"""Local knowledge: a folder of notes, cut into passages and looked up by words and by nearness.

Hybrid retrieval: the keyword index ranks the passages one way (BM25), vectors another, and the two orders are
merged by reciprocal rank. A passage that has too little to do with the query is no answer and stays out, so
that a folder about something else adds nothing. What is built is kept for the process under a key made of the
files' contents and the settings that shaped it: change a note or the chunk size, and it is built again.

The vectors need no model: words and letter groups, hashed to numbers and weighted by how rare they are.
Honestly named, these `hashed-ngrams` are no semantic embedding. They see that "citations" and "cited" are
near each other, which a keyword index does not; they do not see that "car" and "automobile" are. In return
they need no download, no key and no library, are the same bytes on every machine, and work for Chinese and
Japanese. Any embeddings of LangChain can stand in their place (`knowledge.embedding`); what these send
elsewhere is outside the run's budget and call log. Where they fail, words alone find the passages, and a gap
says so.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from inspect import getsource
from pathlib import Path
from typing import Any
from zlib import crc32

from langgraph.runtime import Runtime

from deep_research.core.errors import DocumentsError, RunError, SettingsError
from deep_research.core.records import Gap, Source
from deep_research.engine.context import Context
from deep_research.engine.providers import SearchHit
from deep_research.engine.store import write_text
from deep_research.settings import home_folder
from deep_research.settings.parts import KnowledgeSettings, SearchSettings
from deep_research.text.terms import is_cjk, query_terms

from .documents import load_documents
from .index import Document, build_index
from .ledger import Ledger
from .search import EMBEDDINGS, FoundHits, admitted_hits, document_hit, failure_gaps, reason_of

Vector = dict[int, float]
BUCKETS = 2**18
_GROUPS = (3, 4, 5)
_WHOLE_WORD = 2.0
"""How much more a whole word counts than one of its letter groups."""


class HashedNgrams:
    """Vectors for a fixed set of passages; queries are weighted by the same rarities."""

    name = "hashed-ngrams"

    def __init__(self, passages: Sequence[str]) -> None:
        counted = [_features(text) for text in passages]
        spread = Counter(bucket for features in counted for bucket in features)
        self._rarity = {bucket: math.log((1 + len(counted)) / (1 + n)) + 1 for bucket, n in spread.items()}
        self._vectors = [self._weighted(features) for features in counted]

    def nearest(self, query: str, k: int) -> list[tuple[int, float]]:
        """The `k` nearest passages as (place, cosine), nearest first, equal ones by place."""
        wanted = self._weighted(_features(query))
        scored = [(place, _dot(wanted, vector)) for place, vector in enumerate(self._vectors)]
        return sorted(scored, key=lambda one: (-one[1], one[0]))[:k]

    def _weighted(self, features: Counter[int]) -> Vector:
        """Unit length; what occurs in no passage weighs as much as what occurs in one."""
        rarest = max(self._rarity.values(), default=1.0)
        vector = {b: (1 + math.log(n)) * self._rarity.get(b, rarest) for b, n in features.items() if n > 0}
        length = math.sqrt(sum(weight * weight for weight in vector.values()))
        return {bucket: weight / length for bucket, weight in vector.items()} if length else {}


class LangChainVectors:
    """Vectors of any LangChain embeddings: `PROVIDER:MODEL`, or `MODULE:NAME` of one's own.

    Those of the passages are kept in the home folder, by name, texts and code: they may cost money.
    """

    def __init__(self, passages: Sequence[str], name: str) -> None:
        self._embeddings, code = _embeddings(name)
        key = sha256(json.dumps([name, code, *passages]).encode()).hexdigest()
        kept = home_folder() / "embedded" / f"{key}.json"
        with suppress(OSError, ValueError):
            self._vectors: list[list[float]] = json.loads(kept.read_text(encoding="utf-8"))
            return
        self._vectors = [_unit(one) for one in self._embeddings.embed_documents(list(passages))]
        with suppress(OSError, RunError):  # a folder that takes nothing costs the price of the next run
            write_text(kept, json.dumps(self._vectors))

    def nearest(self, query: str, k: int) -> list[tuple[int, float]]:
        """As `HashedNgrams.nearest`."""
        wanted = _unit(self._embeddings.embed_query(query))
        scored = [
            (place, sum(a * b for a, b in zip(wanted, vector, strict=True)))
            for place, vector in enumerate(self._vectors)
        ]
        return sorted(scored, key=lambda one: (-one[1], one[0]))[:k]


def _embeddings(name: str) -> tuple[Any, str]:
    """The embeddings of this name, and the code of the user's own, which may change."""
    place, _, what = name.partition(":")
    module = import_module(place) if place in sys.modules or find_spec(place) else None
    if module is None or not hasattr(module, what):
        from langchain.embeddings import init_embeddings

        return init_embeddings(name), ""
    code = ""
    with suppress(OSError, TypeError):  # that of a notebook is in no file
        code = getsource(module)
    found = getattr(module, what)
    return found() if callable(found) else found, code


def _unit(vector: Sequence[float]) -> list[float]:
    length = math.sqrt(sum(number * number for number in vector)) or 1.0
    return [float(number / length) for number in vector]


def _features(text: str) -> Counter[int]:
    """How often each bucket is met by the words of a text and the letter groups inside them."""
    found: Counter[int] = Counter()
    for term in _words(text):
        found[_bucket(f"={term}")] += int(_WHOLE_WORD)
        if not is_cjk(term):
            edged = f"<{term}>"
            for size in _GROUPS:
                found.update(_bucket(edged[i : i + size]) for i in range(len(edged) - size + 1))
    return found


def _words(text: str) -> Iterable[str]:
    """Every content word of a text, paragraph by paragraph, since a query's terms are capped."""
    for paragraph in text.split("\n"):
        yield from query_terms(paragraph)


def _bucket(feature: str) -> int:
    return crc32(feature.encode()) % BUCKETS


def _dot(one: Vector, other: Vector) -> float:
    small, large = (one, other) if len(one) < len(other) else (other, one)
    return sum(weight * large[bucket] for bucket, weight in sorted(small.items()) if bucket in large)


_CANDIDATES = 4
"""How many times more candidates each ranking brings than are wanted in the end."""
_SMOOTHING = 60
"""The constant of reciprocal rank fusion: rank r scores 1 / (60 + r)."""
_COVERED = 0.5
_NEAR = 0.15
"""A passage counts if it holds half of the query, weighted, or if its cosine is at least this."""


@dataclass(frozen=True, slots=True)
class NotePassage:
    """A part of a note. `score` is comparable within one answer only."""

    document: Document
    text: str
    score: float = 0.0


class FoundPassages(list[NotePassage]):
    """Passages, best first; `failed` says why they were found by their words alone, where vectors failed."""

    def __init__(self, passages: Iterable[NotePassage], failed: str = "") -> None:
        super().__init__(passages)
        self.failed = failed


class Knowledge:
    """A set of notes, ready to be looked up. Build it with `open_knowledge`."""

    def __init__(self, documents: Sequence[Document], settings: KnowledgeSettings, key: str = "") -> None:
        self.key = key
        self._passages = [
            NotePassage(document, text)
            for document in documents
            for text in note_chunks(document.text, settings.chunk_size, settings.chunk_overlap)
        ]
        self._index = build_index(  # the passages as documents, numbered so that they sort as they stand
            Document(f"{place:08d}", passage.document.title, passage.text)
            for place, passage in enumerate(self._passages)
        )
        self._texts = [f"{passage.document.title}\n{passage.text}" for passage in self._passages]
        self._vectors = _vectors(self._texts, settings.embedding)

    def __len__(self) -> int:
        return len(self._passages)

    def text_of(self, key: str) -> str | None:
        """The text of the note with this citation key or address; None if there is none."""
        notes = (passage.document for passage in self._passages)
        return next((note.text for note in notes if key in (note.citation_key, note.url)), None)

    def search(self, query: str, k: int, *, plain: bool = False) -> FoundPassages:
        """The best `k` passages that bear on the query, best first; often fewer, and none at all.

        `plain` ranks by words alone, and so does a search whose vectors fail.
        """
        many, cosines, failed = k * _CANDIDATES, dict[int, float](), ""
        by_words = [int(hit.document.id) for hit in self._index.search(query, many)]
        try:
            cosines = dict(self._vectors.nearest(query, many)) if self._vectors and not plain else {}
        except Exception as error:  # of whatever package stands behind the embeddings
            failed = reason_of(error)
        scores: dict[int, float] = {}
        for ranking in (by_words, list(cosines)):
            for rank, place in enumerate(ranking, start=1):
                scores[place] = scores.get(place, 0.0) + 1 / (_SMOOTHING + rank)
        covered = self._covered(query_terms(query))
        near = [p for p in scores if cosines.get(p, 0.0) >= _NEAR or covered[p] >= _COVERED]
        best = sorted(near, key=lambda place: (-scores[place], place))[:k]
        passages = (replace(self._passages[place], score=scores[place]) for place in best)
        return FoundPassages(passages, failed)

    def _covered(self, terms: Sequence[str]) -> list[float]:
        """For each passage, which part of the query its words make up, rare words counting more."""
        held = [[bool(_at_word_start(term).search(text)) for term in terms] for text in self._texts]
        weights = [math.log(1 + len(held) / (1 + sum(row[n] for row in held))) for n in range(len(terms))]
        total = sum(weights) or 1.0
        return [sum(w for w, has in zip(weights, row, strict=True) if has) / total for row in held]


def _vectors(texts: Sequence[str], embedding: str) -> HashedNgrams | LangChainVectors | None:
    if embedding in ("none", HashedNgrams.name):
        return None if embedding == "none" else HashedNgrams(texts)
    try:
        return LangChainVectors(texts, embedding)
    except Exception as error:  # of whatever package stands behind the name
        reason = str(error).partition("\n")[0]
        hint = (
            "Write PROVIDER:MODEL as LangChain knows it, or MODULE:NAME for embeddings of your own, or a "
            "function that returns some, in a module that Python finds (PYTHONPATH has its folder)."
        )
        raise SettingsError(
            f"knowledge.embedding: '{embedding}' gives no embeddings: {reason}", hint
        ) from error


@lru_cache(maxsize=1024)
def _at_word_start(term: str) -> re.Pattern[str]:
    """A term in a text, inflected or not: its first letters where a word begins; anywhere for CJK."""
    start = re.escape(term if is_cjk(term) else term[: max(len(term) - 2, 4)])
    return re.compile(start if is_cjk(term) else rf"\b{start}", re.IGNORECASE)


def note_chunks(text: str, size: int, overlap: int) -> Iterator[str]:
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


def open_knowledge(
    settings: KnowledgeSettings, own: str | Path = "."
) -> tuple[Knowledge | None, list[tuple[str, str]]]:
    """The notes that the settings name, and the files that could not be read (path, reason).

    A name stands for `knowledge/NAME` in the folder of the user's `own` files, unless there is such a path.
    None if no notes are set. Raises `DocumentsError` for a path that does not exist or holds nothing.
    """
    if not settings.paths:
        return None, []
    places = [str(named_notes(path, own)) for path in settings.paths]
    settings = settings.model_copy(update={"paths": places})
    return _built(settings.model_dump_json(), _contents(settings.paths))


def named_notes(path: str, own: str | Path) -> Path:
    """Where notes are: at the path, or, if nothing is there, under that name among the user's own files."""
    own_one = Path(own).expanduser() / "knowledge" / path
    return Path(path).expanduser() if Path(path).expanduser().exists() or not own_one.exists() else own_one


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
            raise DocumentsError(f"There is no knowledge at {path!r}.", "Check the path.")
        for file in sorted(root.rglob("*")) if root.is_dir() else [root]:
            if file.is_file():
                digest.update(f"{file.relative_to(root)}\0{sha256(file.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


class KnowledgeSearch:
    """The notes as a provider beside others, for designs that search everything with one tool."""

    name = "notes"

    def __init__(self, knowledge: Knowledge, passages: int) -> None:
        self._knowledge = knowledge
        self._passages = passages

    async def search(self, query: str, settings: SearchSettings) -> list[SearchHit]:
        return _hits(self._knowledge.search(query, self._passages))

    async def read(self, key: str) -> str | None:
        return self._knowledge.text_of(key)

    async def close(self) -> None:
        """Nothing is open."""


def local_sources(query: str, known: Sequence[Source], ctx: Context) -> tuple[list[Source], list[Gap]]:
    """The passages that bear on a query, as sources with ids; none if the run has no knowledge. And gaps.

    `known` are the branch's sources so far: ids go on from there, and a note among them gets one id.
    """
    if ctx.knowledge is None:
        return [], []
    ledger, found = Ledger(ctx.branch, known), dict[str, Source]()
    hits = knowledge_hits(query, ctx)
    admitted = admitted_hits(hits, ctx.settings.search)
    for hit, source, _ in ledger.register(admitted, query, "knowledge_lookup", ctx):
        ledger.add_reading(source, ctx.store.pages.put(hit.passage))
        found[source.id] = source
    ctx.emit("call", role="knowledge_lookup", tool="knowledge", text=query, sources=list(found))
    return list(found.values()), failure_gaps(hits, query, ctx)


def knowledge_hits(query: str, ctx: Context, *, plain: bool = False) -> FoundHits:
    """The passages that bear on a query, as hits of which the passage is what is read."""
    if ctx.knowledge is None:
        return FoundHits([], {})
    return _hits(ctx.knowledge.search(query, ctx.settings.knowledge.passages, plain=plain))


def _hits(found: Sequence[Any]) -> FoundHits:
    hits = (document_hit(one.document, one.text[:300], "knowledge", one.text) for one in found)
    failed = getattr(found, "failed", "")
    return FoundHits(hits, {EMBEDDINGS: failed} if failed else {})


async def knowledge_node(state: Mapping[str, Any], runtime: Runtime[Context]) -> dict[str, Any]:
    """Look the question up; it reads nothing of the plan, which is made at the same time.

    Where the web comes first the notes wait: the researchers look into them in their second phase.
    """
    ctx = runtime.context
    waits = ctx.settings.search.source_order == "external_first"
    known = state.get("sources", [])
    found, gaps = ([], []) if waits else local_sources(state["question"], known, ctx)
    return {"knowledge": [source.id for source in found], "sources": found, "gaps": gaps}
