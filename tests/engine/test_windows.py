"""The size of a model's context: what it leaves room for, and what an endpoint says of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchmarks.awkward import untrue_statements
from deep_research.core.errors import UsageError
from deep_research.engine.chat import stated_window
from deep_research.engine.fitting import message_tokens
from deep_research.runs import aresearch
from deep_research.runs.bundle import logged_calls
from deep_research.settings import load_settings
from deep_research.systems import SYSTEMS
from deep_research.text.language import count_tokens
from deep_research_offline.web import build_web

WEB = build_web(0)
ASKED = next(question for question in WEB.questions if question.kind == "single_fact")


@pytest.mark.parametrize(
    ("said", "size"),
    [
        ("This model's maximum context length is 4097 tokens. However, you requested 5000 tokens.", 4097),
        ("the request exceeds the available context size (4096 tokens), try increasing it", 4096),
        ("prompt is too long: 210000 tokens > 200,000 maximum", 200_000),
        ("Prompt contains 70000 tokens, too large for model with 32768 maximum context length", 32_768),
        ("n_ctx = 2048 is too small", 2048),
        ("Please reduce the length of the messages.", 0),
    ],
)
def test_an_error_names_the_size_of_the_context(said: str, size: int):
    assert stated_window(said) == size


@pytest.mark.parametrize("window", [2_048, 4_096, 8_192])
async def test_in_a_small_window_evidence_survives_and_the_report_is_true(window: int):
    settings = load_settings({"context_window": window, "preset": "quick"})
    report = await aresearch(ASKED.text, settings=settings, keep=False)
    assert report.cited and untrue_statements(report.markdown, WEB) == []


async def test_a_window_without_room_for_evidence_is_refused_with_the_numbers():
    settings = load_settings({"context_window": 2_048, "prompt_language": "ja"})
    with pytest.raises(UsageError, match="2,048 tokens leaves") as refused:
        await aresearch(ASKED.text, settings=settings, keep=False)
    assert "Set context_window to" in str(refused.value.hint)


@pytest.mark.parametrize("system", SYSTEMS)
async def test_in_the_smallest_window_of_a_design_each_request_fits_with_its_answer(
    system: str, tmp_path: Path
):
    settings, least = {"preset": "quick", "system": system}, 2_048
    try:
        report = await aresearch(ASKED.text, settings={**settings, "context_window": least}, out=tmp_path)
    except UsageError as refused:
        least = int(re.findall(r"[\d,]{4,}", str(refused.hint))[0].replace(",", ""))
        report = await aresearch(ASKED.text, settings={**settings, "context_window": least}, out=tmp_path)
    asked = [row.request for row in logged_calls(tmp_path / report.run_id) if row.kind == "model"]
    for one in asked:
        sent = sum(map(message_tokens, one["messages"])) + count_tokens(json.dumps(one["tools"]))
        assert sent + one["max_tokens"] <= least
    assert report.status in ("complete", "partial") and untrue_statements(report.markdown, WEB) == []


async def test_a_window_that_an_endpoint_names_is_fitted_and_remembered():
    settings = load_settings({"models.model": "offline:cramped", "preset": "quick"})
    report = await aresearch(ASKED.text, settings=settings, keep=False)
    assert report.cited and report.status in ("complete", "partial")
    assert untrue_statements(report.markdown, WEB) == []
