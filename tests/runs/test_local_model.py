"""The model `local`: any OpenAI-compatible server on this machine, without a key and without a price."""

from __future__ import annotations

from pathlib import Path

import pytest

from deep_research import aresearch
from deep_research.__main__ import main
from deep_research.cli.consent import require_consent
from deep_research.core.errors import UsageError
from deep_research.settings import load_settings
from deep_research.settings.presets import PRESETS
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.web import build_web
from deep_research_offline.wire.server import running_server

QUESTION = build_web().questions[0].text


async def test_local_asks_the_server_on_this_machine_and_sends_it_no_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key-for-elsewhere")
    with running_server(OfflineProvider(web=build_web(), api_key="not-needed")) as url:
        monkeypatch.setattr("deep_research.engine.clients.LOCAL_URL", f"{url}/v1")
        report = await aresearch(
            QUESTION, model="local", search="offline", preset="small", system="shallow_researcher", keep=False
        )
    assert report.status == "complete" and report.usage.cost_usd == 0.0
    assert {line.model for line in report.trace if line.kind == "model"} == {"local"}


async def test_links_into_the_invented_web_are_checked_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with running_server(OfflineProvider(web=build_web())) as url:
        monkeypatch.setattr("deep_research.engine.clients.LOCAL_URL", f"{url}/v1")
        report = await aresearch(
            QUESTION, model="local", search="offline", preset="small", system="graph_agent", keep=False
        )
    assert report.sources and not [gap.message for gap in report.gaps if gap.kind == "dead_link"]


def test_a_local_model_needs_no_consent_unless_something_else_costs_money(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    free = load_settings({"models.model": "local", "search.providers": ["offline"]})
    require_consent([free], yes=False)
    for paid in ({"search.providers": ["tavily"]}, {"models.writer": "openai:gpt-5"}):
        with pytest.raises(UsageError, match="needs a yes"):
            require_consent([load_settings({"models.model": "local", **paid})], yes=False)


@pytest.mark.parametrize("system", PRESETS)
def test_small_asks_one_thing_at_a_time_and_leaves_room_in_the_window(system: str) -> None:
    small = load_settings({"system": system, "preset": "small"})
    assert small.concurrency == 1 and small.search.results <= 3
    assert all(small.most_output(role) <= small.context_window // 8 for role in ("writer", "researcher"))


def test_the_doctor_wants_no_key_for_a_local_model(capsys: pytest.CaptureFixture[str]) -> None:
    main(
        ["doctor", "--set", "models.model=local", "--set", 'search.providers=["offline"]']
    )  # 1 without a server
    printed = capsys.readouterr().out
    assert "LOCAL_API_KEY" not in printed and "would be live" in printed
