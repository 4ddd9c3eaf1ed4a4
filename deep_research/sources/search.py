"""Searching: documents, several providers as one, `search`, the one call that all go through, and its rules.

The protocol stands in `engine/providers.py`. A provider returns `SearchHit`s with the page text where it has
it. The call itself (budget, retries, log) is made by `search`, the same way for each provider. The rules say
which hits may become sources: blocked pages, banned, allowed and preferred domains and kinds. A kind is a
tier of `core/tiers.toml` (government, social …), a kind of document (paper, document …), or `primary`. Rules
are applied to what every provider returns, whatever the provider itself can filter; since some hits then go,
more are asked for. Preferred ones stand first, otherwise the provider's order stays.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from deep_research.core.errors import ResearchError, UsageError
from deep_research.core.records import CitedSource, Gap, Source
from deep_research.core.secrets import without_keys
from deep_research.core.tiers import PRIMARY, classify
from deep_research.engine.calls import Call, Reply, is_temporary, perform
from deep_research.engine.context import Context
from deep_research.engine.providers import ListedDocument, Place, SearchHit, SearchProvider
from deep_research.engine.store import CallRow
from deep_research.settings.parts import SearchSettings
from deep_research.text.fence import restore_ids, without_inlined_images
from deep_research.text.hidden import without_hidden_text
from deep_research.text.passages import best_part
from deep_research.text.terms import query_terms
from deep_research.text.urls import canonical_url, is_under_domain

from .index import Document, Filters, Index
from .primary import is_paper, is_primary


def document_hit(document: Document, snippet: str, tool: str, passage: str = "") -> SearchHit:
    """A document of the user as a hit."""
    return SearchHit(
        document.title, snippet, document.url, document.citation_key, document.text, document.published,
        "document", document.page, tool, passage,
    )  # fmt: skip


class DocumentSearch:
    """A local index over documents; nothing leaves the machine."""

    name = "documents"

    def __init__(self, index: Index, listed: Sequence[ListedDocument] = ()) -> None:
        self._index = index
        self.listed = tuple(listed)

    async def close(self) -> None:
        """Nothing is open."""

    async def read(self, key: str) -> str | None:
        document = self._index.find(key)
        return document.text if document else None

    async def search(self, query: str, settings: SearchSettings) -> list[SearchHit]:
        hits = self._index.search(
            query, settings.results, Filters(after=settings.after, before=settings.before)
        )
        return [document_hit(hit.document, hit.snippet, "documents") for hit in hits]


class CombinedSearch:
    """Several providers as one: all are asked side by side, hits come in the order of the providers."""

    def __init__(self, parts: list[SearchProvider]) -> None:
        self.parts = parts
        self.name = "+".join(part.name for part in parts)

    async def search(self, query: str, settings: SearchSettings) -> list[SearchHit]:
        found = await asyncio.gather(*(part.search(query, settings) for part in self.parts))
        return [hit for hits in found for hit in hits]

    async def read(self, key: str) -> str | None:
        for part in self.parts:
            if (text := await part.read(key)) is not None:
                return text
        return None

    async def close(self) -> None:
        for part in self.parts:
            await part.close()


_PLACES: dict[str, Place] = {DocumentSearch.name: "documents", "notes": "notes", "arxiv": "papers"}
"""What a provider searches, by its name; all others search the web."""


def providers_in(provider: SearchProvider, place: Place = "") -> list[SearchProvider]:
    """The providers behind one, as far as they search in that place."""
    parts = provider.parts if isinstance(provider, CombinedSearch) else [provider]
    return [part for part in parts if not place or _PLACES.get(part.name, "web") == place]


MAX_QUERY = 400
"""Characters of a query; Tavily refuses longer ones."""
MAX_SNIPPET = 5_000
"""Characters of a search's own excerpt: prompts hold it as it is, for longer texts there is the page."""
MAX_TITLE, MAX_DATE = 500, 80
"""Characters of what prompts and source lists hold of every source."""
MAX_ADDRESS = 2_000
"""Characters of an address or citation key, neither of which could be cut; a longer one is no source."""


def without_user_info(query: str, ctx: Context) -> str:
    """A query as it may leave this machine: without what the settings say of the user, unless the user has
    said that word themselves. "S2·1" is what the user wrote as S2.1, and looked for as such.
    """
    query = restore_ids(query)
    for value in ctx.settings.scope.user_info.values():
        if value.strip() and value.strip().casefold() not in ctx.said.casefold():
            own = rf"(?<![A-Za-z0-9]){re.escape(value.strip())}(?![A-Za-z0-9])"
            query = re.sub(own, " ", query, flags=re.IGNORECASE)
    return " ".join(query.split())


async def search(
    query: str, role: str, ctx: Context, place: Place = "", *, again: bool = False
) -> list[SearchHit]:
    """Search once, through budget, log and retries; page texts go to the page store and come back from it.

    `place` narrows it to the web, papers, or the user's documents or notes. With `again`, the search is made
    even if its answer is in the log. Raises `BudgetExceeded` or `SearchError`.
    """
    parts, query = providers_in(ctx.search, place), without_user_info(query, ctx)[:MAX_QUERY]
    if not parts:
        raise UsageError("This run has no search." if not place else f"This run has no search in: {place}.")
    provider = "+".join(part.name for part in parts)
    rules = ctx.settings.search
    chosen = widened_request(rules)

    asking = _Parts(parts, ctx)

    async def send() -> Reply:
        hits = await asking.search(query, chosen)
        named = [hit for hit in hits if len(hit.url or hit.citation_key or "") <= MAX_ADDRESS]
        records = [_to_log(hit, query, ctx) for hit in named]
        failed = asking.failed()
        return Reply({"hits": records, "failed": failed} if failed else records)

    asked = chosen.model_dump(exclude={"providers", "docs", *RULES})
    request = {"query": query, "provider": provider, **asked, **({"again": True} if again else {})}
    response = await perform(Call("search", role, request, send, model=provider, shared=True), ctx)
    found = [_from_log(hit, ctx) for hit in logged_hits(response)]
    hits = admitted_hits(found, rules, rules.results * len(parts), query)
    return FoundHits(hits, response["failed"] if isinstance(response, dict) else {})


async def restore_pages(ctx: Context) -> None:
    """Ask once more for pages that logged searches have found and whose files were damaged since."""
    for row in list(ctx.store.calls):
        if (
            row.kind == "search"
            and row.status != "failed"
            and not all(
                ctx.store.pages.holds(hit["text"]) for hit in logged_hits(row.response) if hit["text"]
            )
        ):
            first, *others = {_PLACES.get(name, "web") for name in row.model.split("+")}
            with suppress(ResearchError):  # whoever needs such a page says that it is missing
                await search(row.request["query"], row.role, ctx, "" if others else first, again=True)


EMBEDDINGS = "embeddings"
"""What fails where notes are found by their words alone, as providers fail under their own names."""


class FoundHits(list[SearchHit]):
    """The hits of a search; `failed` says of each provider that failed why."""

    def __init__(self, hits: Iterable[SearchHit], failed: Mapping[str, str]) -> None:
        super().__init__(hits)
        self.failed = failed


def failure_gaps(hits: Any, query: str, ctx: Context) -> list[Gap]:
    """A gap for each provider that failed in a search, and for notes that were compared by words alone."""
    return [
        ctx.gap("branch_failed", "words_only", query, error=why)
        if name == EMBEDDINGS
        else ctx.gap("branch_failed", "provider_failed", query, provider=name, error=why)
        for name, why in getattr(hits, "failed", {}).items()
    ]


class _Parts:
    """Several providers, each asked until it has answered: one that stays down costs its own hits only."""

    def __init__(self, parts: Sequence[SearchProvider], ctx: Context) -> None:
        self._parts, self._ctx, self._tries = parts, ctx, 0
        self._found: dict[int, list[SearchHit]] = {}
        self.errors: dict[int, Exception] = {}

    async def search(self, query: str, chosen: SearchSettings) -> list[SearchHit]:
        """All hits, in the order of the providers; raises while trying again may help, or if all are down."""
        self._tries += 1
        waiting = [place for place in range(len(self._parts)) if place not in self._found]
        await asyncio.gather(*(self._ask(place, query, chosen) for place in waiting))
        again = self._tries <= self._ctx.settings.retries and any(map(is_temporary, self.errors.values()))
        if self.errors and (again or not self._found):
            raise next(iter(self.errors.values()))
        return [hit for place in sorted(self._found) for hit in self._found[place]]

    async def _ask(self, place: int, query: str, chosen: SearchSettings) -> None:
        self.errors.pop(place, None)
        try:
            async with asyncio.timeout(
                self._ctx.settings.call_timeout * 0.9 if len(self._parts) > 1 else None
            ):
                self._found[place] = await self._parts[place].search(query, chosen)
        except Exception as error:
            self.errors[place] = error

    def failed(self) -> dict[str, str]:
        """Why providers failed, by their names; one that has found something may have failed in part."""
        failed = {self._parts[place].name: reason_of(error) for place, error in sorted(self.errors.items())}
        for _, hits in sorted(self._found.items()):
            failed |= getattr(hits, "failed", {})
        return failed


def reason_of(error: Exception) -> str:
    """Why something outside failed, in one line without keys."""
    return without_keys(" ".join((str(error) or type(error).__name__).split()), is_error=True)[:200]


def _to_log(hit: SearchHit, query: str, ctx: Context) -> dict[str, Any]:
    told = asdict(hit)
    told |= {name: without_hidden_text(told[name]) for name in ("title", "snippet", "passage", "text")}
    told = {k: without_keys(v) if isinstance(v, str) else v for k, v in told.items()}
    whole = without_inlined_images(told["text"])
    text = best_part(whole, query_terms(query), ctx.settings.limits.max_content_length)
    kept = ctx.store.pages.put(text) if text else ""
    most = {"title": MAX_TITLE, "published": MAX_DATE, "snippet": MAX_SNIPPET}
    short = {name: told[name] and told[name][:length] for name, length in most.items()}
    return {**told, **short, "text": kept, "cut": len(whole) - len(text)}


def _from_log(record: Mapping[str, Any], ctx: Context) -> SearchHit:
    text = ctx.store.pages.get(record["text"]) if record["text"] else ""
    kind = "paper" if record["kind"] == "web" and is_paper(text) else record["kind"]
    return SearchHit(**{**record, "text": text, "kind": kind})


def logged_hits(response: Any) -> Sequence[Mapping[str, Any]]:
    """The hits in the logged answer to a search, which also says so where a provider has failed."""
    hits: Sequence[Mapping[str, Any]] = response["hits"] if isinstance(response, dict) else response
    return hits


def hits_in_log(rows: Iterable[CallRow], ctx: Context) -> list[SearchHit]:
    """What logged searches have found, each page once, as far as the rules admit it."""
    hits = [
        _from_log(record, ctx) for row in rows if row.kind == "search" for record in logged_hits(row.response)
    ]
    once = {canonical_url(hit.url) if hit.url else hit.citation_key: hit for hit in reversed(hits)}
    return admitted_hits([*reversed(once.values())], ctx.settings.search)


MOST_RESULTS = 20
_MORE = 3
"""Times as many hits are asked for where rules may turn some away."""
RULES = {"block", "ban_kinds", "allow_kinds", "prefer_kinds", "prefer_domains", "source_order"}
"""Settings of a search that no provider is told of."""


def widened_request(chosen: SearchSettings) -> SearchSettings:
    """The settings to search with: as many hits as wanted, or more where rules choose among them."""
    if not (chosen.ban_kinds or chosen.allow_kinds or chosen.prefer_kinds or chosen.prefer_domains):
        return chosen
    return chosen.model_copy(update={"results": min(chosen.results * _MORE, MOST_RESULTS)})


def admitted_hits(
    hits: Sequence[SearchHit], chosen: SearchSettings, most: int | None = None, query: str = ""
) -> list[SearchHit]:
    """The hits that the rules leave, preferred ones first; at most `most` of them.

    Half of these are the first that the provider has, preferred or not: what leads on to the next search may
    stand where nobody would cite it.
    """
    kept = [hit for hit in hits if _may_be_used(hit, chosen, query)]
    preferred = [place for place, hit in enumerate(kept) if _is_preferred(hit, chosen, query)]
    best = range(len(kept) if most is None else min((most + 1) // 2, len(kept)))
    places = list(dict.fromkeys([*best, *preferred, *range(len(kept))]))[:most]
    return [kept[place] for place in sorted(places, key=lambda place: (place not in preferred, place))]


def kinds_of(hit: SearchHit, query: str = "") -> set[str]:
    """What a hit counts as: its tier, its kind of document, and whether it is primary for what was asked."""
    tier = classify(hit.url or hit.citation_key or "", hit.kind)[0]
    source = Source(id="", kind=hit.kind, url=hit.url, title=hit.title, tier=tier)
    return {tier, hit.kind, *([PRIMARY] if is_primary(source, query) else [])}


def _may_be_used(hit: SearchHit, chosen: SearchSettings, query: str) -> bool:
    if is_under_domain(hit.url, chosen.exclude_domains) or is_blocked(hit, chosen.block):
        return False
    if not (chosen.ban_kinds or chosen.allow_kinds):
        return True
    kinds = kinds_of(hit, query)
    is_allowed = not chosen.allow_kinds or bool(kinds & set(chosen.allow_kinds))
    return is_allowed and not kinds & set(chosen.ban_kinds)


def is_blocked(hit: SearchHit | CitedSource, block: Collection[str]) -> bool:
    """Whether a hit is one of these pages, however its address is written, of these documents or hosts."""
    key = hit.citation_key or ""
    names = {canonical_url(hit.url or ""), key, key.rpartition(", ")[0] if hit.page else ""} - {""}
    return bool(names & {canonical_url(one) for one in block}) or is_under_domain(hit.url, block)


def _is_preferred(hit: SearchHit, chosen: SearchSettings, query: str) -> bool:
    if is_under_domain(hit.url, chosen.prefer_domains):
        return True
    return bool(chosen.prefer_kinds) and bool(kinds_of(hit, query) & set(chosen.prefer_kinds))
