"""Runs for tests: a small web, a scripted model behind the real clients, and one call that joins them.

Every role gets a model name of its own (`offline:writer`), so that a script knows for certain who asks, even
where an endpoint refuses the schemas and tools by which roles differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deep_research.core.clock import Clock, FrozenClock
from deep_research.engine.clients import Models
from deep_research.engine.context import Context
from deep_research.report import Report
from deep_research.runs import aresearch
from deep_research.runs.environment import Environment
from deep_research.runs.offline import offline_search
from deep_research.settings import Settings, load_settings
from deep_research.settings.roles import ROLE_SLOTS
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.web.types import Page, Web
from deep_research_offline.wire import Response
from deep_research_offline.wire.faults import Faults
from tests.scripted import Script

DAY = "2041-03-02"
QUESTION = "How tall are the lighthouses of Ormsund?"
TOPICS = ("Gull lighthouse height", "Heron lighthouse height", "Skua lighthouse height")


def page(path: str, title: str, text: str, lang: str = "en", published: str = "2040-05-01") -> Page:
    """One page of the small web."""
    return Page(f"https://{path}", title, text, "encyclopedia", lang, published, None, (), ())


PAGES = (
    page("ormsund.example/gull", "Gull lighthouse", "The Gull lighthouse is 41 metres tall. Built in 1902."),
    page("ormsund.example/heron", "Heron lighthouse", "The Heron lighthouse is 28 metres tall."),
    page("ormsund.example/skua", "Skua lighthouse", "The Skua lighthouse has a height of 36 metres."),
    page("news.example/gull", "Gull relit", "The Gull lighthouse was relit. Its height is unchanged."),
    page("maps.example/heron", "Heron point", "Heron lighthouse stands at Heron point, by the ferry."),
    page("birds.example/tern", "Terns", "Terns breed on the island of Ormsund."),
    page("zh.example/deng", "海鸥灯塔", "海鸥灯塔高四十一米，建于一九零二年。", "zh"),
    page("ja.example/todai", "カモメ灯台", "カモメ灯台の高さは四十一メートルです。", "ja"),
)


def small_web(*more: Page) -> Web:
    """Eight pages about lighthouses, and any more."""
    return Web(0, "lighthouses", DAY, (*PAGES, *more), {}, (), {}, frozenset())


@dataclass
class SteppingClock(FrozenClock):
    """A clock that tests move: waiting moves it too, and takes no time."""

    day: str = DAY
    elapsed: float = 0.0

    def seconds(self) -> float:
        return self.elapsed

    async def sleep(self, seconds: float) -> None:
        self.elapsed += seconds
        await super().sleep(seconds)


class Wire(OfflineProvider):
    """An offline provider that counts requests per path and the most that were in flight at once.

    Until `crowd` of them were, requests wait long for each other, so that no slow machine keeps them apart.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.requests: Counter[str] = Counter()
        self.peak = self.crowd = 0
        self._open = 0
        self._wait = self.__dict__.pop("latency")

    @property  # the transports read it when a request starts, and wait so long before they call `handle`
    def latency(self) -> float:
        self._open += 1
        self.peak = max(self.peak, self._open)
        return self._wait if self.peak >= self.crowd else 0.3

    @latency.setter
    def latency(self, seconds: float) -> None:
        self.__dict__["latency"] = seconds

    def handle(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Response:
        self._open -= 1
        self.requests[path] += 1
        return super().handle(method, path, headers, body)

    @property
    def chats(self) -> int:
        """Requests to the chat endpoint."""
        return self.requests["/v1/chat/completions"]

    @property
    def searches(self) -> int:
        """Requests to the search endpoint."""
        return self.requests["/search"]


def wire(
    script: Any,
    *,
    web: Web | None = None,
    faults: Any = None,
    latency_ms: float = 0,
    clock: Clock | None = None,
) -> Wire:
    """A small web and a script behind one counting provider; `faults` is a script of `Faults`."""
    return Wire(
        web=web or small_web(),
        model=script,
        faults=Faults(faults) if faults is not None else None,
        latency_ms=latency_ms,
        clock=clock or FrozenClock(DAY),
    )


def settings_of(**values: Any) -> Settings:
    """Settings from dotted keys (with `__` for the dot), with a model name per role.

    What scripts say need not be true: a run with them is complete whatever share of it has evidence.
    """
    named = {f"models.{role}": f"offline:{role}" for role in ROLE_SLOTS}
    base = {**named, "verifier.least_supported": 0}
    return load_settings({**base, **{key.replace("__", "."): value for key, value in values.items()}})


def environment_of(provider: Wire, settings: Settings, clock: Clock | None = None) -> Environment:
    """The outside world of a run on this wire."""
    return Environment(
        Models(settings, provider), offline_search(provider), clock or FrozenClock(DAY), provider
    )


async def run(
    script: Any = None,
    question: str = QUESTION,
    *,
    provider: Wire | None = None,
    clock: Clock | None = None,
    options: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Report:
    """Research a question with a scripted model on the small web; nothing is kept unless `options` say so."""
    chosen = settings_of(**settings)
    provider = provider or wire(script or Script(), clock=clock)
    environment = environment_of(provider, chosen, clock)
    return await aresearch(
        question, settings=chosen, environment=environment, **{"keep": False, **(options or {})}
    )


def context_of(
    script: Any = None,
    *,
    provider: Wire | None = None,
    clock: Clock | None = None,
    sink: Any = None,
    **settings: Any,
) -> Context:
    """The context of a run that is not on disk, for components called alone."""
    chosen = settings_of(**settings)
    clock = clock or FrozenClock(DAY)
    provider = provider or wire(script or Script(), clock=clock)
    return environment_of(provider, chosen, clock).context(chosen, run_id="test", sink=sink)


def delegate(*topics: str) -> Any:
    """A supervisor that hands out these topics at once and then stops."""

    def decide(request: dict[str, Any]) -> Any:
        if any(message["role"] == "tool" for message in request["messages"]):
            return [("ResearchComplete", {})]
        return [("ConductResearch", {"research_topic": topic}) for topic in topics]

    return decide


def stops(events: Sequence[Any], places: int) -> list[int]:
    """Events at which to stop a run, spread over it: a call has just been logged, its step mostly not ended.

    There a logged call can be lost; elsewhere, three stops in four prove nothing.
    """
    calls = [place for place, event in enumerate(events, start=1) if event.type == "call"]
    return [calls[(2 * part + 1) * len(calls) // (2 * places)] for part in range(places)]
