"""`doctor`: is this installation sound, and what would a run use?

Keys are reported as set or not set, never shown. The self-check asks the offline model and the offline web
in-process, so no port is needed. Only an OpenAI-compatible server that the settings name is asked over the
network: what it serves, and how many tokens it takes.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from deep_research.core.errors import ResearchError, SettingsError, UsageError, nearest_hint
from deep_research.engine.clients import LOCAL
from deep_research.engine.model_servers import models_by_address, served_models
from deep_research.settings import Settings, home_folder
from deep_research.settings.layers import SETTINGS_FILE
from deep_research.settings.roles import ROLE_SLOTS

from .options import chosen_settings
from .terminal import table

_DISTRIBUTION = "deep-research"
_LISTED = 5
"""So many of the models of a server are shown."""


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report. `ok` is None for plain information."""

    name: str
    text: str
    ok: bool | None = None


def doctor(args: argparse.Namespace) -> int:
    """Print all checks; the status is 1 if one of them failed."""
    checks = list(_installation())
    try:
        settings = chosen_settings(args)
    except SettingsError as error:
        checks.append(Check("settings", error.on_the_command_line, False))
    else:
        checks += [*_choices(settings), *_keys(settings), *servers(settings), _start(settings)]
    checks += [_home(), _offline()]
    marks = {True: "ok", False: "FAILED", None: ""}
    print(table(("check", "", ""), [(check.name, marks[check.ok], check.text) for check in checks]))
    failed = any(check.ok is False for check in checks)
    print("Something needs attention." if failed else "All is well.")
    return int(failed)


def _installation() -> Iterator[Check]:
    from importlib.metadata import PackageNotFoundError, distributions, version

    yield Check("python", f"{platform.python_version()} on {platform.system()}", True)
    try:
        yield Check(_DISTRIBUTION, version(_DISTRIBUTION), True)
    except PackageNotFoundError:
        yield Check(_DISTRIBUTION, "not installed as a package; run `make setup`", False)
        return
    for group, names in sorted(_packages().items()):
        missing = [name for name in names if not any(distributions(name=name))]
        text = f"missing: {', '.join(missing)}" if missing else f"packages present: {len(names)}"
        yield Check(group, text, not missing if group == "packages" else None)


def _packages() -> dict[str, list[str]]:
    """The packages that the installed distribution asks for, by extra; those always needed are 'packages'."""
    import re
    from importlib.metadata import requires

    groups: dict[str, list[str]] = {}
    for line in requires(_DISTRIBUTION) or []:
        name = re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0]
        extra = re.search(r"extra == ['\"]([\w-]+)", line)
        if name != _DISTRIBUTION:
            groups.setdefault(f"extra {extra[1]}" if extra else "packages", []).append(name)
    return groups


def _choices(settings: Settings) -> Iterator[Check]:
    """What a run would use, and which setting says so."""
    file = "read" if Path(SETTINGS_FILE).is_file() else "none here"
    yield Check("settings file", f"{SETTINGS_FILE}: {file}")
    specs: dict[str, list[str]] = {}
    for role in ROLE_SLOTS:
        specs.setdefault(settings.model_for(role), []).append(role)
    why = settings.origin.get("models.model", "no key and no setting names another")
    roles = "; ".join(f"{spec} for {', '.join(names)}" for spec, names in specs.items())
    yield Check("model", f"{next(iter(specs))} ({why})" if len(specs) == 1 else roles)
    if settings.base_url:
        yield Check("endpoint", _without_query(settings.base_url))
    if settings.search.docs:
        yield Check("search", f"only the documents in {settings.search.docs}")
    else:
        origin = settings.origin.get("search.providers", "no key and no setting names another")
        yield Check("search", f"{', '.join(settings.search.providers)} ({origin})")


def _without_query(url: str) -> str:
    parts = urlsplit(url)
    return parts._replace(query="", fragment="").geturl()


def _keys(settings: Settings) -> Iterator[Check]:
    providers = [settings.model_for(role).partition(":")[0] for role in ROLE_SLOTS]
    others = [f"{name.upper()}_API_KEY" for name in providers if name not in ("offline", "openai", "local")]
    for name in dict.fromkeys(["OPENAI_API_KEY", "TAVILY_API_KEY", *others]):
        yield Check(name, "set" if os.environ.get(name) else "not set")


def servers(settings: Settings) -> Iterator[Check]:
    """Do the servers of the models' addresses have the models, and room for the window of the settings?"""
    for address, names in models_by_address(settings).items():
        try:
            served = asyncio.run(served_models(address, settings))
        except ResearchError as error:
            place = "address" if isinstance(error, UsageError) else "server"
            yield Check(place, error.on_the_command_line, False)
            continue
        listed = ", ".join([*served][:_LISTED]) + (" …" if len(served) > _LISTED else "")
        unlisted = f"does not say what it serves: no list at {address}/models (it mostly ends in /v1)"
        yield Check("server", f"serves {listed}" if served else unlisted, True if served else None)
        yield from (_served(name, served, settings.context_window) for name in sorted(names) if served)


def _served(name: str, served: dict[str, int], window: int) -> Check:
    """Whether a server has a model, which it may list with a tag, and takes as many tokens as are set.

    The model `local` is whatever is served.
    """
    known = next((one for one in served if one == name or one.startswith(f"{name}:")), "")
    if name and not known:
        return Check(name, f"is not among them. {nearest_hint(name, served)}", False)
    takes = served[known or next(iter(served))]
    if not takes:
        return Check(name or LOCAL, f"the server does not say how many tokens it takes; set: {window:,}")
    text = f"takes {takes:,} tokens; context_window is {window:,}"
    hint = "" if takes >= window else f". Set context_window={takes}, or let the server take more."
    return Check(name or LOCAL, text + hint, takes >= window)


def _start(settings: Settings) -> Check:
    """Would a run be let start with this model, search and these keys?"""
    from deep_research.runs.environment import build_environment

    try:
        build_environment(settings)
    except ResearchError as error:
        return Check("a run", f"would be refused: {error.on_the_command_line}", False)
    return Check("a run", "would be live" if settings.is_live() else "would be offline, at no cost", True)


def _home() -> Check:
    """Can runs be kept? The folder is not made if it is not there."""
    folder = home_folder().absolute()
    place = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=place):
            return Check("run folder", str(folder), True)
    except OSError as error:
        return Check("run folder", f"{folder}: {error.strerror}", False)


def _offline() -> Check:
    """One chat completion and one search through the real clients, answered in-process."""
    try:
        return Check("offline self-check", asyncio.run(_ask_offline()), True)
    except Exception as error:  # whatever is wrong here is the finding
        why = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        return Check("offline self-check", why, False)


async def _ask_offline() -> str:
    from deep_research.runs.environment import build_environment
    from deep_research.runs.offline import invented_web

    settings = Settings()
    environment = build_environment(settings)
    web = invented_web(settings.web)
    hits = await environment.search.search(web.questions[0].text, settings.search)
    message = await environment.models.client("offline").ainvoke("Hello")
    if not hits or not message.text:
        raise ResearchError("The offline web found nothing, or the offline model said nothing.")
    return f"{len(web.pages)} pages, {len(hits)} hits for a question, the model answers; no port is needed"
