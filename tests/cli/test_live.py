"""Live runs: consent, forecast, and the real clients over real HTTP against the loopback server."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deep_research.cli.consent import consent_file
from deep_research.cli.forecast import forecast
from deep_research.settings import load_settings
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.web import build_web
from deep_research_offline.wire.server import running_server

from .conftest import Command

LIVE = {"models.model": "openai:gpt-5-mini", "search.providers": ["tavily"]}


@pytest.fixture
def live(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An environment with keys, whose services are on this machine."""
    with running_server(OfflineProvider(web=build_web(), api_key="right")) as url:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
        monkeypatch.setenv("TAVILY_BASE_URL", url)
        monkeypatch.setenv("OPENAI_API_KEY", "right")
        monkeypatch.setenv("TAVILY_API_KEY", "right")
        yield


def test_the_same_command_goes_live_when_keys_are_set(
    live: None, command: Command, sample: Callable[..., str]
) -> None:
    done = command("ask", sample("comparison"), "--yes")
    assert done.status == 0
    assert done.err.startswith(
        "deep-research: live, openai:gpt-5-mini, tavily, open_deep_research (medium)\n"
    )
    assert "## Sources" in done.out


def test_a_real_model_may_research_the_invented_web_and_the_report_says_so(
    live: None, command: Command, sample: Callable[..., str]
) -> None:
    done = command("ask", sample("single_fact"), "--search", "offline", "--yes")
    assert done.status == 0
    assert done.out.rstrip().endswith("nothing in this report is about the real world.")


def test_first_live_run_shows_the_forecast_and_is_refused_without_a_yes(
    live: None, command: Command, tmp_path: Path
) -> None:
    done = command("ask", "Which airship is longer?")
    assert (done.status, done.out) == (2, "")
    assert "US dollars" in done.err and "30 topics" in done.err
    assert done.err.splitlines()[-1].startswith("error: ") and "--yes" in done.err.splitlines()[-1]
    assert not list(tmp_path.glob("runs/*"))


def test_a_yes_is_remembered_on_this_machine(
    live: None, command: Command, sample: Callable[..., str]
) -> None:
    command("ask", sample("single_fact"), "--yes", "--quiet")
    assert consent_file().is_file()
    assert "right" not in consent_file().read_text(encoding="utf-8")
    again = command("ask", sample("single_fact"))
    assert again.status == 0 and "US dollars" not in again.err


def test_a_far_dearer_run_is_asked_about_again_and_each_says_what_it_can_cost(
    live: None, command: Command, sample: Callable[..., str]
) -> None:
    cheap = ("ask", sample("single_fact"), "--budget", "cost_usd=0.5", "--budget", "tokens=200000")
    assert command(*cheap, "--yes").status == 0
    again = command(*cheap)
    assert again.status == 0 and "$0.50 (prices: " in again.err
    forecast, came = (line for line in again.err.splitlines() if "forecast: " in line)
    assert re.search(r"usually 60 model calls, \$0\.\d\d; at most .* newest of \d{4}-\d\d-\d\d\)", forecast)
    assert re.fullmatch(rf"came to: \d+ model calls, \$0\.\d+; {re.escape(forecast)}", came)
    dear = command("ask", sample("single_fact"))
    assert (dear.status, dear.out) == (2, "")
    assert "several times what was agreed to needs a yes" in dear.err


def test_a_grid_is_agreed_to_as_a_whole(
    live: None, command: Command, sample: Callable[..., str], tmp_path: Path
) -> None:
    caps = ("--budget", "cost_usd=0.5", "--budget", "tokens=200000")
    assert command("ask", sample("single_fact"), *caps, "--yes").status == 0
    grid = tmp_path / "grid.toml"
    grid.write_text(
        'classes = ["single_fact"]\nlimit = 4\nsystems = ["shallow_researcher"]\n'
        "settings.budget = { cost_usd = 0.5, tokens = 200000 }\n"
    )
    refused = command("compare", str(grid))
    assert refused.status == 2 and "several times what was agreed to needs a yes" in refused.err
    assert "forecast: 4 runs, usually 56 model calls" in refused.err and "$2.00 (prices: " in refused.err


def test_a_price_that_nobody_knows_is_asked_about(
    live: None, command: Command, sample: Callable[..., str]
) -> None:
    assert command("ask", sample("single_fact"), "--yes").status == 0
    secret = ("ask", sample("single_fact"), "--model", "openai:my-own", "--budget", "cost_usd=0.5")
    refused = command(*secret)
    assert refused.status == 2 and "a price that is not known needs a yes" in refused.err
    assert command(*secret, "--yes").status == 0 and "US dollars" not in command(*secret).err


def test_offline_runs_need_no_consent(command: Command, sample: Callable[..., str]) -> None:
    assert command("ask", sample("single_fact")).status == 0
    assert not consent_file().exists()


def test_forecast_counts_every_loop_at_its_limit() -> None:
    one = forecast(load_settings(LIVE), topics=1)
    # 5 searches of 3 queries with 5 pages each; 4 clarifier, 1 brief, 2 supervisor, 11 researcher, 1 + 1
    assert (one.searches, one.model_calls) == (15, 15 * 5 + 4 + 1 + 2 + 11 + 1 + 1)
    assert forecast(load_settings(LIVE)).topics == 6 * 5


def test_forecast_knows_what_each_system_can_call() -> None:
    deep, shallow, auto = (
        forecast(load_settings({**LIVE, "system": name}))
        for name in ("open_deep_research", "shallow_researcher", "auto")
    )
    assert (shallow.topics, shallow.searches) == (1, 5 * 3)
    assert shallow.model_calls == 1 + 10 + 15 * 5  # rewriting, turns, summaries of every hit
    assert auto.model_calls == 2 + shallow.model_calls + deep.model_calls
    assert auto.searches == shallow.searches + deep.searches


def test_forecast_is_bounded_by_the_budget() -> None:
    caps = {"budget.model_calls": 20, "budget.searches": 7, "budget.tokens": 90_000, "budget.cost_usd": 0.5}
    bound = forecast(load_settings(LIVE | caps))
    assert (bound.model_calls, bound.searches, bound.tokens, bound.cost_usd) == (20, 7, 90_000, 0.5)


def test_forecast_does_not_invent_a_price() -> None:
    assert forecast(load_settings({**LIVE, "models.model": "openai:no-such-model"})).cost_usd is None
    assert forecast(load_settings()).cost_usd == 0
    graph = forecast(load_settings({**LIVE, "system": "graph_agent", "graph.max_revisions": 2}))
    assert graph.topics == 5 * (1 + 2 + 2)  # questions, in the first pass, revisions and passes with remarks
    assert graph.model_calls == 1 + 1 + 25 * (11 + 1 + 15 * 5) + 5 + 5 + 3
    assert graph.searches == 1 + 25 * 15


def test_a_server_that_does_not_answer_is_found_before_anybody_is_asked_for_a_yes(
    live: None, command: Command, sample: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live_search_offline = ("--search", "offline", "--set", "budget.model_calls=4")
    asked = command("ask", sample("single_fact"), *live_search_offline, "--yes", "--json")
    run_id = json.loads(asked.out)["run_id"]
    grid = tmp_path / "grid.toml"
    grid.write_text('questions = ["How long is it?"]\nsettings.search.providers = ["offline"]')
    consent_file().unlink()
    with running_server(OfflineProvider()) as url:
        pass
    monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
    unfinished = tmp_path / "runs" / run_id / "report.json"
    kept = unfinished.read_bytes()
    shown = command("resume", run_id)  # finished: it is shown, and nobody is asked anything
    assert shown.status == 0 and "It is finished" in shown.err
    unfinished.unlink()
    for argv in (("resume", run_id), ("compare", str(grid), "--fresh")):
        done = command(*argv)
        assert (done.status, done.out) == (2, "") and "Nobody answers at" in done.err
        assert "yes" not in done.err and "US dollars" not in done.err
    unfinished.write_bytes(kept)
    done = command("fork", run_id, "--at", "writer")
    assert done.status == 2 and "Nobody answers at" in done.err and "yes" not in done.err
