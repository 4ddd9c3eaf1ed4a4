"""Before a live run: one line on what it can cost, and a yes where that is the first one or far dearer.

A yes is remembered, with the bound that it was given for, in a small file in the user's configuration folder.
It is asked for once per machine, and again when a run's bound is several times that.
"""

from __future__ import annotations

import os
from pathlib import Path

from deep_research.core.errors import UsageError
from deep_research.settings import Settings
from deep_research.settings.roles import ROLE_SLOTS

from .forecast import Forecast, forecast
from .terminal import ask_user, somebody_types, table, tell

_NOTE = "Live runs were agreed to on this machine, up to this bound. Delete this file to be asked again.\n"
_FIRST = "The first live run on this machine"
_SEVERAL = 3
"""Times what was agreed to that a run may come to before it is asked about again."""


def consent_file() -> Path:
    """Where a yes is remembered: under XDG_CONFIG_HOME, APPDATA or ~/.config."""
    base = os.environ.get("XDG_CONFIG_HOME") or os.environ.get("APPDATA")
    return (Path(base) if base else Path.home() / ".config") / "deep-research" / "live-runs-agreed"


def require_consent(settings: Settings, yes: bool) -> None:
    """Return if this live run may start; raises `UsageError` if it was refused or nobody can answer."""
    if not settings.is_live() or _is_free(settings):
        return
    bound, agreed = forecast(settings), _agreed()
    tell(in_one_line(settings))
    if agreed and all((getattr(bound, name) or 0) <= _SEVERAL * most for name, most in agreed.items()):
        return
    tell(*describe(settings))
    why = "A live run that can come to several times what was agreed to" if agreed else _FIRST
    _agree(yes, "--model offline --search offline costs nothing", why, bound)


def _is_free(settings: Settings) -> bool:
    """Whether a run costs nothing: its models are on this machine, and so is what it searches."""
    free = all(spec.partition(":")[0] in ("offline", "local") for spec in settings.models.values())
    return free and "tavily" not in settings.search.providers


def _agree(yes: bool, instead: str, why: str = _FIRST, bound: Forecast | None = None) -> None:
    """Return if somebody says yes, and remember it."""
    if not yes:
        if not somebody_types():
            raise UsageError(f"{why} needs a yes.", f"Add --yes to start it; {instead}.")
        reply = ask_user("Start? [y/N]")
        if (reply or "").strip().lower() not in ("y", "yes"):
            raise UsageError("Not started; nothing was spent.", f"{instead[0].upper()}{instead[1:]}.")
    _remember(bound)


def _agreed() -> dict[str, float]:
    """The bound of the last run that was agreed to, by name; empty if none was, or nobody can tell."""
    try:
        lines = consent_file().read_text(encoding="utf-8").splitlines()[1:]
        return {name: float(most) for name, most in (line.split("=") for line in lines)}
    except (OSError, ValueError):
        return {}


def in_one_line(settings: Settings) -> str:
    """What a run can come to: for one topic, and if every loop goes to its limit."""
    from importlib.metadata import version

    one, most = (
        f"{bound.model_calls:,} model calls, {'' if bound.cost_usd is None else '$'}{_dollars(bound)}"
        for bound in (forecast(settings, 1), forecast(settings))
    )
    return f"forecast: {one} for 1 topic; at most {most} (prices: genai-prices {version('genai-prices')})"


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


def _remember(bound: Forecast | None) -> None:
    """Keep the yes and its bound; a machine where it cannot be kept asks again."""
    path, most = consent_file(), {"tokens": bound.tokens, "cost_usd": bound.cost_usd} if bound else {}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"{name}={value}\n" for name, value in most.items() if value is not None]
        path.write_text("".join([_NOTE, *lines]), encoding="utf-8")
    except OSError as error:
        tell(f"note: '{path}' could not be written ({error.strerror}), so the next live run asks again")
