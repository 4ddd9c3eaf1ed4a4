"""The first live run on a machine: show what it can cost at most, and start only after a yes.

A yes is remembered in a small file in the user's configuration folder, so it is asked once per machine.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from deep_research.core.errors import UsageError
from deep_research.settings import Settings
from deep_research.settings.roles import ROLE_SLOTS

from .forecast import Forecast, forecast
from .terminal import ask_user, somebody_types, table, tell

_NOTE = "Live runs were agreed to on this machine. Delete this file to be asked again.\n"


def consent_file(env: Mapping[str, str] | None = None) -> Path:
    """Where a yes is remembered: under XDG_CONFIG_HOME, APPDATA or ~/.config."""
    known = os.environ if env is None else env
    base = known.get("XDG_CONFIG_HOME") or known.get("APPDATA")
    return (Path(base) if base else Path.home() / ".config") / "deep-research" / "live-runs-agreed"


def require_consent(settings: Settings, yes: bool) -> None:
    """Return if this live run may start; raises `UsageError` if it was refused or nobody can answer."""
    if not settings.is_live() or _is_free(settings) or consent_file().is_file():
        return
    tell(*describe(settings))
    _agree(yes, "--model offline --search offline costs nothing")


def _is_free(settings: Settings) -> bool:
    """Whether a run costs nothing: its models are on this machine, and so is what it searches."""
    free = all(spec.partition(":")[0] in ("offline", "local") for spec in settings.models.values())
    return free and "tavily" not in settings.search.providers


def _agree(yes: bool, instead: str) -> None:
    """Return if somebody says yes, and remember it."""
    if not yes:
        if not somebody_types():
            raise UsageError(
                "The first live run on this machine needs a yes.",
                f"Add --yes to start it; {instead}.",
            )
        reply = ask_user("Start? [y/N]")
        if (reply or "").strip().lower() not in ("y", "yes"):
            raise UsageError("Not started; nothing was spent.", f"{instead[0].upper()}{instead[1:]}.")
    _remember()


def require_reading(settings: Settings, pages: int, yes: bool) -> None:
    """The same before a saved live run is read again: no model is called, but reading pages may cost."""
    if settings.is_live() and not consent_file().is_file():
        tell(
            f"This asks {', '.join(settings.search.providers)} for {pages} pages again. That may cost money."
        )
        _agree(yes, "the saved report and its evidence can be read without asking anybody")


def require_judge(model: str, sentences: int, yes: bool) -> None:
    """The same before a model reads a report; `model` is a live one."""
    if not consent_file().is_file():
        tell(f"This asks {model} about {sentences} sentences, about 3,000 tokens each. That may cost money.")
        _agree(yes, "without --judge the rules check every sentence and cost nothing")


def describe(settings: Settings) -> list[str]:
    """The forecast as lines of text."""
    models = ", ".join(dict.fromkeys(settings.model_for(role) for role in ROLE_SLOTS))
    search = "documents" if settings.search.docs else ", ".join(settings.search.providers)
    one, all_ = forecast(settings, 1), forecast(settings)
    rows = [
        ("model calls", f"{one.model_calls:,}", f"{all_.model_calls:,}"),
        ("searches", f"{one.searches:,}", f"{all_.searches:,}"),
        ("tokens", f"{one.tokens:,}", f"{all_.tokens:,}"),
        ("US dollars", _dollars(one), _dollars(all_)),
    ]
    return [
        f"This is a live run: it calls {models} and searches with {search}. That may cost money.",
        *table(("at most", "1 topic", f"{all_.topics} topics (all limits)"), rows).splitlines(),
        "Searches are billed by their provider. A budget binds: --budget cost_usd=1 --budget searches=50",
    ]


def _dollars(bound: Forecast) -> str:
    return "price not known" if bound.cost_usd is None else f"{bound.cost_usd:,.2f}"


def _remember() -> None:
    """Keep the yes; a machine where it cannot be kept asks again."""
    path = consent_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_NOTE, encoding="utf-8")
    except OSError as error:
        tell(f"note: '{path}' could not be written ({error.strerror}), so the next live run asks again")
