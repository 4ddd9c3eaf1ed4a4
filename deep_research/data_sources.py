"""What an agent may search, as it is told: a tool per kind of source, their limits, and the user's documents.

Which kinds there are is what the settings say (`search.providers`, `search.docs`, and `tools.researcher` to
leave some out). A tool's description names the filters in force, so that a model does not ask for what the
search would never return. Titles and summaries of documents are page text: they are fenced.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .context import Context
from .guard import fence_page
from .prompting import attribute
from .settings import SearchSettings
from .supervisor import offered
from .tools import SEARCH, SEARCH_DOCUMENTS, SEARCH_PAPERS, Tool
from .tools.search import DocumentSearch, Listed, parts_of

MAX_SHOWN = 20


def search_tools(ctx: Context) -> list[Tool]:
    """The search tools of a run, each described with the filters in force."""
    able = []
    if parts_of(ctx.search, "web"):
        able.append(replace(SEARCH, description=" ".join(["Search the web.", *_web(ctx.settings.search)])))
    if parts_of(ctx.search, "documents"):
        dates = _dates(ctx.settings.search)
        able.append(replace(SEARCH_DOCUMENTS, description=" ".join([SEARCH_DOCUMENTS.description, *dates])))
    if parts_of(ctx.search, "papers"):
        dates = _dates(ctx.settings.search)
        able.append(replace(SEARCH_PAPERS, description=" ".join([SEARCH_PAPERS.description, *dates])))
    return offered("researcher", able, ctx)


def _web(chosen: SearchSettings) -> list[str]:
    lines = [*([f"Only these sites: {', '.join(chosen.include_domains)}."] if chosen.include_domains else [])]
    lines += [f"Never these: {', '.join(chosen.exclude_domains)}."] if chosen.exclude_domains else []
    lines += [f"First these: {', '.join(chosen.prefer_domains)}."] if chosen.prefer_domains else []
    lines += [f"Subject: {chosen.topic}."] if chosen.topic != "general" else []
    return [*lines, *_dates(chosen)]


def _dates(chosen: SearchSettings) -> list[str]:
    bounds = {"from": chosen.after, "up to": chosen.before}
    said = " ".join(f"{word} {day}" for word, day in bounds.items() if day)
    return [f"Only what is dated {said}."] if said else []


def documents_text(ctx: Context) -> str:
    """The user's documents, a line each, as a fenced list; empty if there are none to be searched."""
    if not any(tool.name == SEARCH_DOCUMENTS.name for tool in search_tools(ctx)):
        return ""
    parts = [part for part in parts_of(ctx.search) if isinstance(part, DocumentSearch)]
    listed = [entry for part in parts for entry in part.listed]
    if not listed:
        return ""
    return "\n".join(["The user's documents:", "<documents>", *_lines(listed), "</documents>"])


def _lines(listed: Sequence[Listed]) -> list[str]:
    lines = [
        f"- {attribute(entry.key)} — {attribute(entry.title)} — {fence_page(entry.summary)}"
        for entry in listed[:MAX_SHOWN]
    ]
    return [*lines, *(["- … and more"] if len(listed) > MAX_SHOWN else [])]
