"""`research` takes by name what the command line takes, and refuses what does not exist."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deep_research import Settings, aresearch, aresume, compare, diff, fork, load_settings, research, resume
from deep_research.core.errors import ResearchError, UsageError
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.wire.server import running_server

QUESTION = "How long is the Luncaskra?"


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TAVILY_API_KEY", "DEEP_RESEARCH_MODEL"):
        monkeypatch.delenv(name, raising=False)


def test_choices_become_settings(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Luncaskra\n\nThe Luncaskra is 90 metres long.\n")
    report = research(
        QUESTION, keep=False, settings={"system": "auto", "concurrency": 2}, system="shallow_researcher",
        preset="quick", docs=tmp_path, budget={"model_calls": 7},
    )  # fmt: skip
    chosen = report.settings
    assert (chosen.system, chosen.preset, chosen.concurrency) == ("shallow_researcher", "quick", 2)
    assert (chosen.search.docs, chosen.budget.model_calls) == (str(tmp_path), 7)
    assert "90 metres" in report.markdown


def test_notes_are_given_by_path_or_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "knowledge" / "ships").mkdir(parents=True)
    (tmp_path / "knowledge" / "ships" / "a.md").write_text("# Gannet\n\nThe Gannet is 31 metres long.\n")
    for given in ("ships", "knowledge/ships"):
        report = research("How long is the Gannet?", keep=False, knowledge=given, system="shallow_researcher")
        assert "31 metres" in report.markdown


@pytest.mark.parametrize(
    ("choices", "told"),
    [
        ({"modle": "offline"}, "Did you mean 'model'"),
        ({"search": "tavli"}, "Did you mean 'tavily'"),
        ({"budget": {"calls": 3}}, "Did you mean 'budget.model_calls'"),
        ({"docs": " "}, "needs a folder"),
        ({"docs": "nowhere"}, r"nowhere'\. Check the path\.$"),
        ({"docs": 3}, "'docs' cannot be 3. For example: docs='notes/'"),
        ({"budget": 3}, r"'budget' cannot be 3. For example: budget=\{'model_calls': 20\}"),
        ({"search": 3}, "'search' cannot be 3"),
        ({"search": [3]}, r"Item 1 of 'search' cannot be 3. For example: search='offline'"),
        ({"answer": "Both."}, "'answer' cannot be 'Both.'. For example: answer=lambda"),
        ({"settings": "quick"}, "'settings' cannot be 'quick'. For example: settings="),
        ({"history": 3}, "'history' cannot be 3. For example: history="),
        ({"history": [3]}, "Item 1 of 'history' cannot be 3"),
        ({"history": [{"role": "usr", "content": "x"}]}, "Turn 1 of the history is no turn"),
        ({"after": 3}, "'after' cannot be 3. Give a run's id or its report"),
        ({"parts": 3}, "'parts' cannot be 3. For example: parts="),
        ({"parts": {3: print}}, "'parts' cannot be"),
        ({"parts": {"write_report": 3}}, "The part 'write_report' cannot be 3"),
        ({"on_event": 3}, "'on_event' cannot be 3. It takes a function"),
        ({"out": 3}, "'out' cannot be 3. It takes text or a path"),
        ({"record": 3}, "'record' cannot be 3"),
        ({"keep": "no"}, "'keep' cannot be 'no'. It takes True or False"),
        ({"environment": 3}, "'environment' cannot be 3. It takes one of type Environment"),
        ({"live": "yes"}, "'live' cannot be 'yes'. It takes True or False"),
        ({"live": True}, "Set OPENAI_API_KEY"),
        ({"model": "openai:some"}, """give docs="PATH"; .* say search="offline\""""),
        ({"search": "none"}, """Give docs="PATH", or search="offline\""""),
        ({"settings": {"tools.researcher": ["search_papers"]}}, 'Add search="arxiv"'),
        ({"settings": {"output.words": "abc"}}, "'output.words' = 'abc' .*: a whole number is wanted"),
        ({"settings": {"output.words": 3}}, "it must be at least 10"),
        ({"preset": "fast"}, "it must be 'small', 'quick', 'medium', 'deep' or 'auto'"),
        ({"settings": Settings(), "preset": "quick"}, "Set it in there"),
        ({"parts": {"write_repotr": print}}, "Did you mean 'write_report'"),
    ],
)
def test_choices_that_cannot_work_are_refused(choices: dict[str, Any], told: str) -> None:
    with pytest.raises(ResearchError, match=told):
        research(QUESTION, **{"keep": False, **choices})


def test_an_error_says_what_to_set_in_the_words_of_whoever_is_told() -> None:
    error = UsageError("It failed.", "Give --docs PATH or --set web.seed=3; `deep-research ask --yes` asks.")
    assert error.on_the_command_line == f"{error.message} {error.hint}"
    said = 'It failed. Give docs="PATH" or settings={"web.seed": 3}; `deep-research ask --yes` asks.'
    assert str(error) == said


@pytest.mark.parametrize("question", [None, 42, ["How long is it?"]])
def test_a_question_that_is_no_text_is_refused(question: Any) -> None:
    with pytest.raises(UsageError, match=r"'question' cannot be .* Ask in a string"):
        research(question, keep=False)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: resume("some", on_event=3), "'on_event' cannot be 3"),
        (lambda: resume("some", out=3), "'out' cannot be 3"),
        (lambda: resume(3), "'run_id' cannot be 3. Give a run's id or its report"),
        (lambda: fork("some", block="https://a.example"), "'block' cannot be .* It takes a list of text"),
        (lambda: diff(3, 4), "'before' cannot be 3"),
        (lambda: compare(3), "'questions' cannot be 3. It takes a list of text or one of type Question"),
        (lambda: compare(QUESTION), "'questions' cannot be"),
        (lambda: compare([QUESTION], systems=3), "'systems' cannot be 3. It takes a list of text"),
        (lambda: compare([QUESTION], settings={"a": 3}), "Unknown setting 'a'"),
        (lambda: compare([QUESTION], settings=3), "'settings' cannot be 3"),
        (lambda: load_settings(3), "'explicit' cannot be 3. It takes a mapping"),
    ],
)
def test_other_ways_in_hold_their_arguments_to_their_annotations(call: Callable[[], Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        call()


def test_live_takes_the_environments_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    with running_server(OfflineProvider(api_key="another")) as url:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
        options: Any = {"settings": {"retries": 0}, "budget": {"model_calls": 1}}
        report = research(QUESTION, keep=False, live=True, search="offline", **options)
    assert report.settings.is_live() and report.status in ("failed", "no_evidence")


def test_a_part_of_the_design_can_be_replaced_and_is_needed_again_to_resume(tmp_path: Path) -> None:
    async def write_report(state: dict[str, Any], runtime: Any) -> dict[str, Any]:
        (finding,) = state["findings"]
        return {"draft": f"# Mine\n\nFound:\n\n{finding.text}"}

    (tmp_path / "a.md").write_text("# Luncaskra\n\nThe Luncaskra is 90 metres long.\n")
    own: Any = {"parts": {"write_report": write_report}}
    waits = research("How long is it?", out=tmp_path / "runs", docs=tmp_path / "a.md", **own)
    assert waits.status == "needs_input"
    with pytest.raises(ResearchError, match="parts of its own"):
        asyncio.run(aresume(waits.run_id, out=tmp_path / "runs"))
    with pytest.raises(UsageError, match="'answer' cannot be"):
        resume(waits, out=tmp_path / "runs", answer="The Luncaskra", **own)  # type: ignore[arg-type]
    done = resume(waits, out=tmp_path / "runs", answer=lambda _: "The Luncaskra", **own)
    assert "# Mine\n\nFound:\n\n- The Luncaskra is 90 metres long. [1]" in done.markdown


@pytest.mark.parametrize(("plain", "awaited"), [(research, aresearch), (resume, aresume)])
def test_research_and_resume_have_the_signatures_of_what_they_run(plain: Any, awaited: Any) -> None:
    assert inspect.signature(plain) == inspect.signature(awaited)
    assert not inspect.iscoroutinefunction(plain) and f"a{plain.__name__}" == awaited.__name__


@pytest.mark.parametrize(
    ("function", "given", "near"),
    [
        (research, "modle", "model"),
        (research, "setings", "settings"),
        (compare, "system", "systems"),
        (resume, "anwser", "answer"),
        (fork, "modle", "model"),
        (diff, "befor", "before"),
        (load_settings, "fil", "file"),
    ],
)
def test_an_unknown_argument_is_refused_with_the_function_and_the_nearest_name(
    function: Any, given: str, near: str
) -> None:
    with pytest.raises(UsageError, match=rf"{function.__name__}\(\) .*'{given}'.*'{near}'"):
        function("How long is it?", **{given: "offline"})


FOREIGN = "Who was the first president of France?"


def test_a_question_about_the_real_world_is_refused_offline_with_the_ways_out(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"knows nothing of: .*France.*live=True.*docs=.*search='offline'"):
        research(FOREIGN, out=tmp_path)
    assert not list(tmp_path.iterdir())
    (tmp_path / "a.md").write_text("# France\n\nThe first president of France was Bonaparte, in 1848.\n")
    for own in ({"docs": tmp_path}, {"knowledge": [tmp_path]}):
        assert "Bonaparte" in research(FOREIGN, keep=False, **own).markdown
    meant = research(FOREIGN, keep=False, search="offline")
    assert [gap.said for gap in meant.gaps if gap.kind == "invented_web"]
    assert research("Hello!", keep=False).status == "needs_input"
