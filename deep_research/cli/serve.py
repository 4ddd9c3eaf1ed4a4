"""`serve-offline`: the offline model, search and web on a loopback port, for any OpenAI or Tavily client."""

from __future__ import annotations

import argparse
from pathlib import Path

from deep_research.settings import Settings, load_settings
from deep_research.settings.choices import documents_path

from .terminal import tell


def serve_offline(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C; prints the environment that makes a client use it."""
    from deep_research_offline.provider import OfflineProvider
    from deep_research_offline.wire.server import serve

    settings = _web_settings(args)
    if args.docs is not None:
        from deep_research.sources.documents import by_reason, load_documents

        loaded = load_documents(Path(documents_path(args.docs)))
        tell(*(f"skipped {names}: {reason}" for names, reason, _ in by_reason(loaded.skipped)))
        provider = OfflineProvider(documents=loaded.documents, latency_ms=settings.web.latency_ms)
        what = f"{len(loaded.documents)} documents"
    else:
        from deep_research.runs.offline import invented_web

        web = invented_web(settings.web)
        provider = OfflineProvider(web=web, latency_ms=settings.web.latency_ms)
        what = f"an invented web of {len(web.pages)} pages (seed {web.seed})"
    tell(f"deep-research: serving the offline model and {what}")
    serve(provider, args.host, args.port, ready=_announce)
    tell("stopped")
    return 0


def _web_settings(args: argparse.Namespace) -> Settings:
    given = {"web.seed": args.seed, "web.pages": args.pages, "web.latency_ms": args.latency_ms}
    return load_settings({key: value for key, value in given.items() if value is not None})


def _announce(base_url: str) -> None:
    """The lines to paste into another shell; the keys are never checked, but the clients want some."""
    print(f"export OPENAI_BASE_URL={base_url}/v1")
    print("export OPENAI_API_KEY=offline")
    print(f"export TAVILY_BASE_URL={base_url}")
    print("export TAVILY_API_KEY=offline", flush=True)
    tell(f"pages: {base_url}/web/", "Ctrl-C stops it")
