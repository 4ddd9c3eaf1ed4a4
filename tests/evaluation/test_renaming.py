"""The renamed run really is one: nothing of the package's own wording reaches the model."""

import json
import re
from pathlib import Path
from runpy import run_path

import pytest

from deep_research.core.clock import FrozenClock
from deep_research.engine.clients import Models
from deep_research.runs import aresearch
from deep_research.runs.environment import Environment
from deep_research.runs.offline import offline_search
from deep_research.settings import load_settings
from deep_research_offline.model import complete
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.web import build_web

RENAMING = run_path(str(Path(__file__).parents[2] / "benchmarks" / "renaming.py"))


async def test_must3_a_renamed_run_shows_the_model_no_original_name_or_prompt():
    requests = []

    def spying(request):
        requests.append(request)
        return complete(request)

    settings, web = load_settings({"limits.summarize_above": 500}), build_web()
    provider = OfflineProvider(web=web, model=RENAMING["renamed"](spying))
    environment = Environment(
        Models(settings, provider), offline_search(provider), FrozenClock(web.date), provider
    )
    question = next(q.text for q in web.questions if q.kind == "comparison")
    report = await aresearch(question, settings=settings, keep=False, environment=environment)
    await environment.close()
    assert report.status == "complete"
    names = [name for name in RENAMING["SYNONYMS"] if re.search("[A-Z_]", name)]
    for request in requests:
        shown = json.dumps({key: request.get(key) for key in ("tools", "response_format", "tool_choice")})
        assert not [name for name in names if name in shown]
        assert request["messages"][0]["content"] in RENAMING["PLAIN_PROMPTS"].values()
    prompts = {request["messages"][0]["content"] for request in requests}
    assert prompts == set(RENAMING["PLAIN_PROMPTS"].values())


def test_a_name_without_a_synonym_is_an_error():
    tool = {"type": "function", "function": {"name": "unheard_of", "description": "", "parameters": {}}}
    with pytest.raises(LookupError, match="unheard_of"):
        RENAMING["renamed"](complete)({"messages": [], "tools": [tool]})
