"""The link check: does every cited address still answer?

HEAD first, GET where HEAD says no (many servers refuse it), all links side by side under one deadline. Every
address, and every redirect, is checked by `core/safety.py` before it is opened. Whatever goes wrong is a word
in the result: a finished report cannot be lost to a dead link.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Literal, TypedDict

from deep_research.core.errors import BudgetExceeded, ResearchError, UnsafeAddressError
from deep_research.core.records import Gap, Source
from deep_research.core.safety import checked_addresses
from deep_research.engine.calls import Call, Reply, perform
from deep_research.engine.context import Context
from deep_research.engine.providers import PageOpener, PageStatus
from deep_research.text.urls import canonical_url, trim_url

ROLE = "link_check"
_REDIRECTS = 5
_State = Literal["alive", "dead", "refused", "unchecked"]


class Link(TypedDict):
    """What became of one link; `note` is the HTTP status or what went wrong."""

    id: str
    url: str
    state: _State
    note: str


async def check_links(sources: Sequence[Source], ctx: Context) -> list[Link]:
    """Check the web addresses of these sources, in their order; documents have none and are left out.

    A link that was not reached before the deadline (`graph.link_seconds`), or for which the budget has
    nothing left, is `unchecked`.
    """
    wanted = [(source, address_of(source.url)) for source in sources if source.url]
    deadline = asyncio.get_running_loop().time() + ctx.settings.graph.link_seconds
    results: list[Any] = await ctx.gather([_checked(url, deadline, ctx) for _, url in wanted])
    links = []
    for (source, url), result in zip(wanted, results, strict=True):
        failed = isinstance(result, BaseException)
        state: _State
        state, note = ("unchecked", type(result).__name__) if failed else result
        links.append(Link(id=source.id, url=url, state=state, note=note))
    return links


def dead_links(links: Sequence[Link], sources: Sequence[Source], ctx: Context) -> list[Gap]:
    """A gap for each link that is dead or must not be opened, so that the report names it."""
    titles = {source.id: source.title for source in sources}
    return [
        ctx.gap("dead_link", "dead_link", "links", title=titles[link["id"]], note=link["note"])
        for link in links
        if link["state"] in ("dead", "refused")
    ]


def address_of(url: str) -> str:
    """The address to open: without what a sentence left at its end, and a DOI as a web address."""
    trimmed = trim_url(url)
    return trimmed if trimmed.lower().startswith(("http://", "https://")) else canonical_url(trimmed)


async def _checked(url: str, deadline: float, ctx: Context) -> tuple[_State, str]:
    """State and note of one link, through the gateway, so that a resumed run does not ask again."""
    pages = ctx.pages
    if pages is None:
        return "unchecked", "nothing here can open web pages"

    async def send() -> Reply:
        return Reply(list(await probe(url, pages)))

    try:
        async with asyncio.timeout_at(deadline):
            state, note = await perform(Call("fetch", ROLE, {"link": url}, send, shared=True), ctx)
        return state, note
    except TimeoutError:
        return "unchecked", "not reached in time"
    except BudgetExceeded as error:
        return "unchecked", str(error)
    except ResearchError as error:
        return "dead", str(error)


async def probe(url: str, pages: PageOpener) -> tuple[_State, str]:
    """Ask one address, following redirects; errors of the connection are an answer too."""
    try:
        for _ in range(_REDIRECTS + 1):
            await asyncio.to_thread(checked_addresses, url, pages.resolve)  # names are looked up
            answer = await _asked(url, pages)
            if not (300 <= answer.status < 400 and answer.location):
                return ("alive" if answer.status < 400 else "dead"), f"HTTP {answer.status}"
            url = answer.location
        return "dead", f"more than {_REDIRECTS} redirects"
    except UnsafeAddressError as error:
        return "refused", error.message
    except Exception as error:
        return "dead", f"no answer ({type(error).__name__})"


async def _asked(url: str, pages: PageOpener) -> PageStatus:
    """What HEAD says, or GET where HEAD finds nothing or is refused."""
    answer = await pages.open("HEAD", url)
    return answer if answer.status < 400 else await pages.open("GET", url)
