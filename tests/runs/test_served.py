"""The graphs of `langgraph.json` run, pause and go on as LangGraph's server calls them."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from deep_research.core.errors import UsageError
from deep_research.runs import served
from deep_research.runs.environment import build_environment
from deep_research.runs.served import Choice
from deep_research.settings import load_settings
from deep_research.systems import SYSTEMS, get_system

ROOT = Path(__file__).parents[2]
QUESTION = {"question": "How long is the Luncaskra?"}
QUICK = {"preset": "quick", "limits.max_searches": 3}


def graph(system: str) -> Any:
    """A served graph with the checkpoints that the server would bring."""
    made = served.served(system)
    made.checkpointer = InMemorySaver()
    return made


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TAVILY_API_KEY", "DEEP_RESEARCH_MODEL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("system", SYSTEMS)
async def test_s28_a_served_graph_pauses_where_it_asks_and_ends_with_a_report(system: str) -> None:
    design, config = graph(system), {"configurable": {"thread_id": f"thread-{system}"}}
    result = await design.ainvoke(QUESTION, config, context=Choice({**QUICK, "approval": "wait"}))
    while "__interrupt__" in result:
        assert system in ("graph_agent", "deep_researcher") and result["__interrupt__"][0].value["question"]
        go_on = Command(resume="yes")
        result = await design.ainvoke(go_on, config, context=Choice({**QUICK, "approval": "wait"}))
    assert "253 m" in result["report"] and result["status"] in ("complete", "partial")
    assert json.dumps(result["details"]) and result["details"]["system"] == system
    assert not served._OPEN


async def test_s28_a_served_graph_says_what_is_missing() -> None:
    design = graph("shallow_researcher")
    with pytest.raises(ValueError, match="There is no question"):
        await design.ainvoke({"question": " "}, {"configurable": {"thread_id": "1"}})
    with pytest.raises(ValueError, match="Did you mean 'preset'"):
        await design.ainvoke(
            QUESTION, {"configurable": {"thread_id": "2"}}, context=Choice({"presett": "quick"})
        )


TURN = {"role": "user", "content": QUESTION["question"]}


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("given", [QUESTION, {**QUESTION, "history": []}, {"history": [TURN]}])
async def test_a_design_says_what_it_was_started_without(system: str, given: dict[str, Any]) -> None:
    design = get_system(system).build_graph({})
    with pytest.raises(UsageError, match=r"without its context\. .*context=build_environment"):
        await design.ainvoke({**QUESTION, "history": [TURN]})
    settings = load_settings({"system": system})
    world = build_environment(settings)
    with pytest.raises(UsageError, match=r'without a question and a history\. .*"role"'):
        await design.ainvoke(given, context=world.context(settings))
    await world.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`langgraph dev` itself, on this repository's `langgraph.json`."""
    folder = tmp_path_factory.mktemp("dev")
    made = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))
    (folder / "langgraph.json").write_text(json.dumps({**made, "dependencies": [str(ROOT)]}))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    hidden = ("OPENAI_", "TAVILY_", "LANGSMITH_", "LANGCHAIN_", "DEEP_RESEARCH_")
    env = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    path = os.pathsep.join([str(ROOT), env.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload"]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [*command, "--port", str(port)], cwd=folder, stdout=log, stderr=log,
            env={**env, "PYTHONPATH": path, "LANGSMITH_TRACING": "false", "LANGGRAPH_CLI_NO_ANALYTICS": "1"},
        )  # fmt: skip
    try:
        _wait_for(f"http://127.0.0.1:{port}/ok", process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


def _wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(240):
        with suppress(OSError):
            urllib.request.urlopen(address, timeout=1).close()
            return
        assert process.poll() is None, "langgraph dev has ended"
        time.sleep(0.5)
    raise AssertionError("langgraph dev does not answer")


@pytest.fixture
async def client(server: str) -> AsyncIterator[Any]:
    from langgraph_sdk import get_client

    async with get_client(url=server) as client:
        yield client


async def test_langgraph_dev_lists_runs_pauses_and_resumes_all_six_graphs(client: Any) -> None:
    listed = {assistant["graph_id"] for assistant in await client.assistants.search(limit=20)}
    assert listed == set(SYSTEMS)
    chosen: Any = {"settings": {**QUICK, "approval": "wait"}}
    for system in SYSTEMS:
        thread = (await client.threads.create())["thread_id"]
        result = await client.runs.wait(thread, system, input=QUESTION, context=chosen)
        pauses = 0
        while "__interrupt__" in result:
            pauses += 1
            assert result["__interrupt__"][0]["value"]["question"]
            result = await client.runs.wait(thread, system, command={"resume": "yes"}, context=chosen)
        assert "253 m" in result["report"] and result["details"]["system"] == system
        assert bool(pauses) == (system in ("graph_agent", "deep_researcher"))


@pytest.mark.parametrize(
    ("given", "settings", "told"),
    [
        ({}, {}, "There is no question"),
        ({"question": ""}, {}, "There is no question"),
        (QUESTION, {"presett": "quick"}, "Did you mean 'preset'"),
        (QUESTION, {"search.docs": "nowhere"}, "Check the path"),
    ],
)
async def test_langgraph_dev_tells_a_caller_what_is_wrong(
    client: Any, given: dict[str, Any], settings: dict[str, Any], told: str
) -> None:
    chosen = {"settings": settings}
    run = client.runs.wait(None, "graph_agent", input=given, context=chosen, raise_error=False)
    assert told in json.dumps(await run, ensure_ascii=False)
