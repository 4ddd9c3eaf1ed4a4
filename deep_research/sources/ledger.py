"""The register of what a branch really retrieved: each hit gets an id, and none is ever forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from deep_research.core.records import USES, Source, id_order
from deep_research.core.tiers import classify
from deep_research.text.addresses import without_addresses
from deep_research.text.fence import without_citations
from deep_research.text.language import outside_code
from deep_research.text.source_ids import SOURCE_ID, cited_ids
from deep_research.text.urls import canonical_url

if TYPE_CHECKING:
    from deep_research.engine.context import Context
    from deep_research.engine.providers import SearchHit


def canonical_key(source: Source) -> str:
    """What two sources must share to be the same one: canonical url, or citation key."""
    return canonical_url(source.url) if source.url else source.key


def merge_by_key(existing: Sequence[Source], new: Sequence[Source]) -> list[Source]:
    """State reducer for sources: one per canonical url or citation key, in order of branch and counter.

    The other ids are kept as aliases. The result does not depend on which branch finished first: all sources
    are sorted by id before merging.
    """
    merged: dict[str, Source] = {}
    for source in sorted([*existing, *new], key=lambda s: id_order(s.id)):
        first = merged.setdefault(canonical_key(source), source.model_copy(deep=True))
        first.aliases = sorted({*first.aliases, source.id, *source.aliases} - {first.id}, key=id_order)
        first.use = max(first.use, source.use, key=USES.index)
        _add_texts(first, source)
        first.readings = list(dict.fromkeys([*first.readings, *source.readings]))
    return list(merged.values())


def _add_texts(first: Source, same: Source) -> None:
    """Keep what was retrieved of the same source elsewhere: another part of a long page, or a page at all."""
    texts = (first.content_hash, *first.more_texts, same.content_hash, *same.more_texts)
    first.content_hash, *first.more_texts = list(dict.fromkeys(filter(None, texts))) or [""]


class Ledger:
    """The sources of one branch, in order of their ids.

    It works on copies of those it begins with: they may belong to a state that is still being written down.
    """

    def __init__(self, branch: str, sources: Iterable[Source] = ()) -> None:
        self._branch = branch
        self._sources = {canonical_key(source): source.model_copy(deep=True) for source in sources}

    @property
    def sources(self) -> list[Source]:
        """All sources, oldest first."""
        return list(self._sources.values())

    def __len__(self) -> int:
        return len(self._sources)

    def register(
        self, hits: Sequence[SearchHit], query: str, role: str, ctx: Context
    ) -> list[tuple[SearchHit, Source, bool]]:
        """Each hit with its source, and True where that is new. A hit over the cap on sources is left out."""
        registered = []
        for hit in hits:
            candidate = self._source(hit, query, role, ctx)
            key = canonical_key(candidate)
            new = key not in self._sources
            if new:
                if ctx.budget.left(ctx.branch).get("sources", 1) < 1:
                    continue
                self._sources[key] = candidate
                ctx.budget.observe(ctx.branch, "sources", len(self._sources))
                named = {"id": candidate.id, "key": candidate.key}
                ctx.emit("source", role=role, tool=hit.tool, text=candidate.title, **named)
            _add_texts(self._sources[key], candidate)
            registered.append((hit, self._sources[key], new))
        return registered

    def add_reading(self, source: Source, key: str) -> None:
        """More than the snippet of this source is given to a model: the page-store key of what is."""
        if key not in source.readings:
            source.readings.append(key)
        source.use = "read"

    def _source(self, hit: SearchHit, query: str, role: str, ctx: Context) -> Source:
        tier, reason = classify(hit.url or hit.citation_key or "", hit.kind)
        return Source(
            id=f"S{self._branch}.{len(self._sources) + 1}", kind=hit.kind, url=hit.url,
            citation_key=None if hit.url else hit.citation_key, page=hit.page,
            title=_plain(hit.title, hit.url), published=_plain(hit.published or "", hit.url) or None,
            retrieved_at=ctx.clock.now().date().isoformat(), query=query, tool=hit.tool, asked_by=role,
            tier=tier, tier_reason=reason, cut=hit.cut, snippet=hit.snippet,
            content_hash=ctx.store.pages.put(hit.text) if hit.text else "",
        )  # fmt: skip


def _plain(line: str, url: str | None) -> str:
    """What a hit says of itself, in one line, without citations or addresses other than its own."""
    return without_citations(without_addresses(" ".join(line.split()).replace("`", "'"), url or ""))


def full_text(source: Source, ctx: Context) -> str:
    """Everything that is known of a source: its text, or its snippet where no more was retrieved."""
    keys = filter(None, (source.content_hash, *source.more_texts))
    return "\n\n".join(ctx.store.pages.get(key) for key in keys) or source.snippet


def with_one_text(sources: Iterable[Source], ctx: Context) -> list[Source]:
    """The sources; of several parts of a long page one text is made, which is then what its key names."""
    return [
        source.model_copy(
            update={"content_hash": ctx.store.pages.put(full_text(source, ctx)), "more_texts": []}
        )
        if source.more_texts
        else source
        for source in sources
    ]


def told_in(sources: Iterable[Source], ctx: Context) -> str:
    """All that these sources say, with their titles and dates."""
    return "\n".join(f"{s.title}\n{s.published or ''}\n{full_text(s, ctx)}" for s in sources)


def by_any_id(sources: Iterable[Source]) -> dict[str, Source]:
    """Every id, aliases included, to its source."""
    return {name: source for source in sources for name in (source.id, *source.aliases)}


def sources_cited_in(text: str, sources: Iterable[Source]) -> list[Source]:
    """The sources that a text cites, each once, in order of first use."""
    known = by_any_id(sources)
    return list({known[name].id: known[name] for name in cited_ids(text) if name in known}.values())


def with_first_ids(text: str, known: dict[str, Source]) -> str:
    """A text in which each source has one id: aliases are replaced, unknown ids stay as they are."""

    def first(match: re.Match[str]) -> str:
        return known[match.group(0)].id if match.group(0) in known else match.group(0)

    return outside_code(text, lambda part: re.sub(rf"\b{SOURCE_ID}\b", first, part))
