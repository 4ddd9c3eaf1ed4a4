"""Before a live run: one line on what it can cost, and a yes where that is the first one or far dearer.

A yes is remembered, with the bound that it was given for, in a small file in the user's configuration folder.
It is asked for once per machine, and again when a run's bound is several times that.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from deep_research.core.errors import UsageError
from deep_research.engine.model_servers import require_servers
from deep_research.settings import Settings
from deep_research.settings.roles import ROLE_SLOTS

from .forecast import Forecast, forecast, total, usual
from .terminal import ask_user, somebody_types, table, tell

if TYPE_CHECKING:
    from deep_research.report import Report

_NOTE = "Live runs were agreed to on this machine, up to this bound. Delete this file to be asked again.\n"
_FIRST = "The first live run on this machine"
_SEVERAL = 3
"""Times what was agreed to that a run may come to before it is asked about again."""


def consent_file() -> Path:
    """Where a yes is remembered: under XDG_CONFIG_HOME, APPDATA or ~/.config."""
    base = os.environ.get("XDG_CONFIG_HOME") or os.environ.get("APPDATA")
    return (Path(base) if base else Path.home() / ".config") / "deep-research" / "live-runs-agreed"


def require_answer_and_consent(several: Sequence[Settings], yes: bool) -> None:
    """Return if somebody answers at the addresses of their models, and these live runs may start."""
    asyncio.run(require_servers(*several))
    require_consent(several, yes)


def require_consent(several: Sequence[Settings], yes: bool) -> None:
    """Return if these live runs may start; raises `UsageError` if they were refused or nobody can answer."""
    paid = [one for one in several if one.is_live() and not _is_free(one)]
    if not paid:
        return
    bound, agreed = total(map(forecast, paid)), _agreed()
    tell(in_one_line(*paid))
    known = agreed.keys() == _most(bound).keys()
    if known and all(value <= _SEVERAL * agreed[name] for name, value in _most(bound).items()):
        return
    tell(*describe(max(paid, key=lambda one: forecast(one).tokens)))
    why = "A live run that can come to several times what was agreed to" if agreed else _FIRST
    why = "A live run at a price that is not known" if agreed and bound.cost_usd is None else why
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


def in_one_line(*runs: Settings) -> str:
    """What runs come to usually, and if every loop goes to its limit."""
    expected, most = (_in_short(total(map(bound, runs))) for bound in (usual, forecast))
    several = f"{len(runs):,} runs, " if runs[1:] else ""
    return f"forecast: {several}usually {expected}; at most {most} (prices: {_price_list()})"


def against_forecast(report: Report) -> list[str]:
    """A line on what a live run has come to, beside what was forecast; nothing for one that was free."""
    settings, used = report.settings, report.usage
    if not settings.is_live() or _is_free(settings):
        return []
    cost = None if usual(settings).cost_usd is None else used.cost_usd
    came = Forecast(1, used.model_calls, used.searches, used.input_tokens + used.output_tokens, cost)
    return [f"came to: {_in_short(came)}; {in_one_line(settings)}"]


def _in_short(run: Forecast) -> str:
    return f"{run.model_calls:,} model calls, {'' if run.cost_usd is None else '$'}{_dollars(run)}"


def _price_list() -> str:
    """The price list, and the day of the newest price in it."""
    import genai_prices

    listed = Path(genai_prices.__file__).with_name("data.py").read_text(encoding="utf-8")
    days = (date(*map(int, found)) for found in re.findall(r"date\((\d{4}), (\d+), (\d+)\)", listed))
    newest = max((day for day in days if day <= date.today()), default="")
    return f"genai-prices {version('genai-prices')}, newest of {newest}"


def require_reading(settings: Settings, pages: int, yes: bool) -> None:
    """The same before a saved live run is read again: no model is called, but reading pages may cost."""
    if settings.is_live() and not consent_file().is_file():
        asked = ", ".join(settings.search.providers)
        tell(f"This asks {asked} for {pages} pages again. That may cost money.")
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
    cost = bound.cost_usd
    return (
        "price not known" if cost is None else f"{cost:,.2f}" if cost >= 0.01 or not cost else f"{cost:.4f}"
    )


def _most(bound: Forecast) -> dict[str, float]:
    """The bounds that are agreed to, by name; the money only where its price is known."""
    return {"tokens": bound.tokens} | ({} if bound.cost_usd is None else {"cost_usd": bound.cost_usd})


def _remember(bound: Forecast | None) -> None:
    """Keep the yes and its bound; a machine where it cannot be kept asks again."""
    path, most = consent_file(), _most(bound) if bound else {}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"{name}={value}\n" for name, value in most.items()]
        path.write_text("".join([_NOTE, *lines]), encoding="utf-8")
    except OSError as error:
        tell(f"note: '{path}' could not be written ({error.strerror}), so the next live run asks again")
