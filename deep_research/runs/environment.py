"""What a run talks to: its models, its search, its clock. The only place that decides offline or live.

Model and search are chosen apart, and never mixed by accident: a real model on an invented web, or the
offline model on a real one, is refused with the ways out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from deep_research.core.clock import Clock, FrozenClock, RealClock
from deep_research.core.errors import ResearchError, UsageError, nearest_hint
from deep_research.core.extras import require_extra
from deep_research.core.gaps import gap_of
from deep_research.core.records import Gap
from deep_research.engine.budget import Budget
from deep_research.engine.calls import logged_amounts
from deep_research.engine.clients import Models, price
from deep_research.engine.context import Context, Shared
from deep_research.engine.model_servers import require_servers
from deep_research.engine.providers import PageOpener, SearchProvider
from deep_research.engine.store import CallRow, RunStore
from deep_research.engine.trace import Event, Recorder
from deep_research.prompts import roles, text_of_prompt
from deep_research.settings import Settings
from deep_research.sources.documents import by_reason, listing, load_documents
from deep_research.sources.index import Index, build_index
from deep_research.sources.knowledge import Knowledge, KnowledgeSearch, open_knowledge
from deep_research.sources.offer import build_offer
from deep_research.sources.pages import LivePages
from deep_research.sources.papers import arxiv_search
from deep_research.sources.search import CombinedSearch, DocumentSearch
from deep_research.sources.tavily import tavily
from deep_research.text.language import count_tokens

from .offline import OfflinePages, invented_web, offline_papers, offline_search, planned_faults
from .real_world import foreign_words

if TYPE_CHECKING:
    from deep_research_offline.provider import OfflineProvider


_LISTED = 5
_WRITER_READS = 10_000
"""Tokens of a typical prompt of the writer: the findings of a few topics."""
PROVIDERS = ("offline", "tavily", "arxiv", "documents", "none")


@dataclass
class Environment:
    """The outside world of one run, or of many runs with the same settings."""

    models: Models
    search: SearchProvider
    clock: Clock
    provider: OfflineProvider | None = None
    skipped: list[tuple[str, str]] = field(default_factory=list)
    knowledge: Knowledge | None = None
    pages: PageOpener | None = None
    asked_in: Callable[[], Index] | None = None
    """The index of the invented web, where it is all that there is to search."""

    def __post_init__(self) -> None:
        if self.pages is None and self.provider is not None and self.provider.web is not None:
            self.pages = OfflinePages(self.provider)

    def context(
        self,
        settings: Settings,
        *,
        run_id: str = "",
        store: RunStore | None = None,
        sink: Callable[[Event], None] | None = None,
    ) -> Context:
        """What nodes and components get besides the state; alone, to call one component in.

        Without `store` nothing is kept on disk. With one that holds calls of an earlier sitting, the budget
        knows what they spent and how long they took, and the trace goes on where they stopped.
        """
        store = store or RunStore()
        elapsed = max((row.end for row in store.calls), default=0.0)
        budget, trace = Budget(settings.budget, self.clock, elapsed), Recorder()

        def book(row: CallRow) -> None:
            spend = budget.book_share if row.status == "reused" else budget.book  # a failed call was sent too
            spend(row.branch, logged_amounts(row))

        for row in store.calls:
            trace.restore(row.id)
            book(row)
        store.calls.on_replay = book
        budget.reserve("0", "writer", _one_report(settings))
        return Context(
            run_id=run_id,
            settings=settings,
            clock=self.clock,
            models=self.models,
            search=self.search,
            budget=budget,
            store=store,
            trace=trace,
            shared=Shared(asyncio.Semaphore(settings.concurrency), self.clock.seconds() - elapsed),
            offer=build_offer(settings, self.search, self.knowledge),
            sink=sink or (lambda event: None),
            knowledge=self.knowledge,
            pages=self.pages,
        )

    def gaps(self, question: str, follows_up: bool) -> list[Gap]:
        """What is known to be missing before the run starts: documents that could not be read, and things of
        the real world in an invented one. What a question is about that follows up another it need not name.
        """
        words = "" if follows_up else self.foreign(question)
        foreign = [gap_of("invented_web", "invented_web", "search", words=words)] if words else []
        return [*foreign, *self._unread()]

    def foreign(self, question: str) -> str:
        """The words that the invented web does not hold, where that is all there is to search."""
        web = self.provider.web if self.provider else None
        return ", ".join(foreign_words(question, web, self.asked_in())) if web and self.asked_in else ""

    def _unread(self) -> list[Gap]:
        if not self.skipped:
            return []
        grouped = by_reason(self.skipped)
        files = "; ".join(f"{names} ({reason})" for names, reason, _ in grouped[:_LISTED])
        count, more = len(self.skipped), sum(n for _, _, n in grouped[_LISTED:])
        if not more:
            return [gap_of("skipped_file", "skipped", "documents", count=count, files=files)]
        return [gap_of("skipped_file", "skipped_more", "documents", count=count, files=files, more=more)]

    async def close(self) -> None:
        """Close what is open; a shared environment is closed by whoever built it."""
        await self.models.close()
        await self.search.close()
        if self.pages is not None:
            await self.pages.close()


def _one_report(settings: Settings) -> dict[str, float]:
    """What the writer is kept: one call with a long prompt and the longest answer."""
    longest = settings.most_output("writer")
    paid = price(settings.model_for("writer"), _WRITER_READS, longest)
    return {"model_calls": 1, "tokens": _WRITER_READS + longest, "cost_usd": paid}


def build_environment(settings: Settings, env: Mapping[str, str] | None = None) -> Environment:
    """Put together what the settings ask for; refuses what cannot work before anything is spent."""
    names = sources_wanted(settings)
    _check(names, settings)
    skipped: list[tuple[str, str]] = []
    web = invented_web(settings.web) if is_invented(names, settings) else None
    day = web.date if web else ""
    clock: Clock = RealClock(day) if settings.is_live() or not day else FrozenClock(day)
    provider = None
    if web or not settings.is_live():
        from deep_research_offline.provider import OfflineProvider

        provider = OfflineProvider(
            web=web, latency_ms=settings.web.latency_ms, clock=clock, faults=planned_faults(settings.web)
        )
    parts: list[SearchProvider] = []
    for name in names:
        if name == "documents":
            parts.append(_documents(settings, skipped))
        elif name == "tavily":
            parts.append(tavily(env, settings.proxies))
        elif name == "arxiv":
            parts.append(_papers(settings, provider, clock))
        elif provider is not None:
            parts.append(offline_search(provider))
    knowledge, unread = open_knowledge(settings.knowledge, settings.own_files)
    if knowledge:
        parts.append(KnowledgeSearch(knowledge, settings.knowledge.passages))
    search = parts[0] if len(parts) == 1 else CombinedSearch(parts)
    models = Models(settings, provider, env)
    models.prepare()
    has_real_pages = settings.is_live() and not (web and {"offline", "documents"}.issuperset(names))
    pages = LivePages() if has_real_pages else None
    asked_in = provider.tavily.index if provider and invents_all(settings) else None
    return Environment(models, search, clock, provider, [*skipped, *unread], knowledge, pages, asked_in)


async def open_environment(settings: Settings, day: str = "") -> Environment:
    """What a run that may start talks to: somebody answers at the address of each of its models.

    Its clock shows the `day` of an earlier run, if there was one: prompts that name it are those of that run.
    """
    world = build_environment(settings)
    if day and world.clock == RealClock():
        world.clock = RealClock(day)
    try:
        await require_servers(settings)
    except ResearchError:
        await world.close()
        raise
    return world


def is_invented(names: Collection[str], settings: Settings) -> bool:
    """Whether a run with these search providers needs the invented web."""
    return "offline" in names or ("arxiv" in names and not settings.is_live())


def invents_all(settings: Settings) -> bool:
    """Whether everything that a run searches is invented: no real model, no documents of the user's own."""
    found = not settings.is_live() and not settings.search.docs
    return found and not {"offline", "arxiv"}.isdisjoint(settings.search.providers)


def sources_wanted(settings: Settings) -> list[str]:
    """The providers to ask: with documents those alone, unless the settings name them beside others."""
    names = list(settings.search.providers)
    return ["documents"] if settings.search.docs and "documents" not in names else names


def _check_offline_models(settings: Settings) -> None:
    """Refuse a variant of the offline model that does not exist; it would be the plain model."""
    from deep_research_offline.model.flaws import FLAWS, SHOWN

    known = ["offline", *(f"offline:{flaw}" for flaw in FLAWS)]
    shown = ["offline", *(f"offline:{flaw}" for flaw in SHOWN)]
    for spec in sorted(settings.models.values()):
        if spec.startswith("offline") and spec not in known:
            raise UsageError(f"There is no offline model '{spec}'.", nearest_hint(spec, shown, cutoff=0.9))


def check_judge(settings: Settings) -> None:
    """Refuse the offline model as a judge."""
    if settings.model_for("verifier").startswith("offline"):
        raise UsageError(
            "The offline model cannot judge whether a page supports a sentence; it would only guess.",
            "Leave verifier.judge off (rules check every sentence), or set models.verifier to a real model.",
        )


_LEAST_EVIDENCE = 500
_AROUND = 300
"""Tokens of tools, a question and what stands around evidence."""
_AROUND_OF = {"deep_researcher": 1_300, "topic_queue": 900}
"""The same for the designs whose researchers have many tools."""


def _check_window(settings: Settings) -> None:
    """Refuse a window in which instructions and the longest answer leave no room for evidence."""
    language, window = settings.prompt_language, settings.context_window
    longest = max(count_tokens(text_of_prompt(role, language)) for role in roles())
    around = _AROUND_OF.get(settings.system, _AROUND)
    room = window - window // 4 - longest - around
    if room < _LEAST_EVIDENCE:
        least = (longest + around + _LEAST_EVIDENCE) * 4 // 3 + 1
        raise UsageError(
            f"A context of {window:,} tokens leaves {max(room, 0):,} for evidence beside instructions of "
            f"{longest:,} tokens, tools and the like of {around:,}, and an answer of {window // 4:,}.",
            f"Set context_window to {least:,} or more, and let the model's server take as many.",
        )


def _check(names: list[str], settings: Settings) -> None:
    _check_offline_models(settings)
    _check_window(settings)
    unknown = [name for name in names if name not in PROVIDERS]
    if unknown:
        raise UsageError(f"Unknown search '{unknown[0]}'.", nearest_hint(unknown[0], PROVIDERS))
    if not names or names == ["none"]:
        raise UsageError(
            "This run has no search and no other source of evidence, so it could only write from memory.",
            "Give --docs PATH, or --search offline, tavily or arxiv.",
        )
    if "none" in names:
        raise UsageError("Search 'none' cannot be combined with others.", "Leave it out.")
    live = settings.is_live()
    if live and "offline" in names and "search.providers" not in settings.origin:
        raise UsageError(
            "A real model would research an invented web.",
            "Set TAVILY_API_KEY or give --docs PATH; if it is meant to, say --search offline.",
        )
    if not live and "tavily" in names:
        raise UsageError(
            "The offline model would research the real web.",
            "Set OPENAI_API_KEY or give --model SPEC to go live, or use --search offline.",
        )
    if live and settings.web.chaos:
        raise UsageError("Faults on purpose strike the offline wire only.", "Unset web.chaos (`--chaos`).")
    if settings.verifier.judge:
        check_judge(settings)
    if settings.checkpoints == "postgres":
        from .checkpoints import check_postgres

        check_postgres()
    if settings.search.docs is None and "documents" in names:
        raise UsageError("Search 'documents' needs a folder.", "Give --docs PATH.")
    if "arxiv" in names:
        require_extra("arxiv", "papers", "Paper search")


def _papers(settings: Settings, provider: OfflineProvider | None, clock: Clock) -> SearchProvider:
    """arXiv; for the offline model, which never researches the real world, the papers of the invented web."""
    if provider is None or settings.is_live():
        return arxiv_search(clock)
    return offline_papers(provider, clock)


def _documents(settings: Settings, skipped: list[tuple[str, str]]) -> DocumentSearch:
    loaded = load_documents(Path(settings.search.docs or ""))
    skipped += loaded.skipped
    return DocumentSearch(build_index(loaded.documents), listing(loaded.documents))
