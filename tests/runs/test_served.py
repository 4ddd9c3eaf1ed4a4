"""The graphs of `langgraph.json` run, pause and go on as LangGraph's server calls them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from deep_research.core.errors import SettingsError, UsageError
from deep_research.runs import served
from deep_research.runs.served import Choice
from deep_research.systems import SYSTEMS

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
    with pytest.raises(UsageError, match="There is no question"):
        await design.ainvoke({"question": " "}, {"configurable": {"thread_id": "1"}})
    with pytest.raises(SettingsError, match="Did you mean 'preset'"):
        await design.ainvoke(
            QUESTION, {"configurable": {"thread_id": "2"}}, context=Choice({"presett": "quick"})
        )
