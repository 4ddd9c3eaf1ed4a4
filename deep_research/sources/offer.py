"""Works out what a run can search, from its settings and from what there is to be searched.

A tool's description names the filters in force, so that a model does not ask for what the search would never
return. Titles and summaries of documents are page text: they are fenced.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deep_research.engine.evidence import as_attribute
from deep_research.engine.offer import SIDE_OF_TOOL, SIDES, Offer, Side
from deep_research.engine.providers import Notes, SearchProvider
from deep_research.engine.tools import (
    SEARCH,
    SEARCH_DOCUMENTS,
    SEARCH_KNOWLEDGE,
    SEARCH_PAPERS,
    Tool,
    tools_of_role,
)
from deep_research.settings import Settings
from deep_research.settings.parts import SearchSettings
from deep_research.text.fence import fence_page

from .search import DocumentSearch, providers_in

MAX_SHOWN = 20


def build_offer(settings: Settings, search: SearchProvider, notes: Notes | None) -> Offer:
    """The offer of a run with these settings, this search and these notes."""
    chosen, named = settings.search, settings.tools.get("researcher")
    web = [SEARCH] if providers_in(search, "web") else []
    documents = [SEARCH_DOCUMENTS] if providers_in(search, "documents") else []
    papers = [SEARCH_PAPERS] if providers_in(search, "papers") else []
    own_notes = [SEARCH_KNOWLEDGE] if notes is not None else []
    able = [tool for tool in (*documents, *own_notes, *web, *papers) if named is None or tool.name in named]
    sides = {side: [tool for tool in able if SIDE_OF_TOOL[tool.name] == side] for side in SIDES}
    described = [_described(tool, chosen) for tool in (*web, *documents, *papers)]
    tools = tools_of_role("researcher", described, settings)
    return Offer(tuple(tools), _order(sides, chosen), sides, _documents_text(tools, search))


def _order(sides: dict[Side, list[Tool]], chosen: SearchSettings) -> tuple[Side, ...]:
    if chosen.source_order == "together" or not all(sides.values()):
        return ()
    return ("inside", "outside") if chosen.source_order == "internal_first" else ("outside", "inside")


def _described(tool: Tool, chosen: SearchSettings) -> Tool:
    """A search tool whose description names the filters in force."""
    own = ["Search the web.", *_sites(chosen)] if tool is SEARCH else [tool.description]
    return replace(tool, description=" ".join([*own, *_dates(chosen)]))


def _sites(chosen: SearchSettings) -> list[str]:
    sites = {
        "Search only these sites": chosen.include_domains,
        "Never use these sites": chosen.exclude_domains,
        "Prefer these sites": chosen.prefer_domains,
    }
    lines = [f"{said}: {', '.join(domains)}." for said, domains in sites.items() if domains]
    return [*lines, *([f"Topic: {chosen.topic}."] if chosen.topic != "general" else [])]


def _dates(chosen: SearchSettings) -> list[str]:
    bounds = {"from": chosen.after, "up to": chosen.before}
    said = " ".join(f"{word} {day}" for word, day in bounds.items() if day)
    return [f"Only documents dated {said}."] if said else []


def _documents_text(tools: Sequence[Tool], search: SearchProvider) -> str:
    """The user's documents, a line each, as a fenced list; empty if there are none to be searched."""
    parts = [part for part in providers_in(search) if isinstance(part, DocumentSearch)]
    listed = [entry for part in parts for entry in part.listed]
    if not listed or SEARCH_DOCUMENTS.name not in {tool.name for tool in tools}:
        return ""
    more = ["- … and more"] if len(listed) > MAX_SHOWN else []
    lines = [
        f"- {as_attribute(entry.key)} — {as_attribute(entry.title)} — {fence_page(entry.summary)}"
        for entry in listed[:MAX_SHOWN]
    ]
    return "\n".join(["The user's documents:", "<documents>", *lines, *more, "</documents>"])
