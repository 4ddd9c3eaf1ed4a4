"""Prompts: three languages in step, strict filling, and readable snapshots of what models are told.

After a deliberate change to a prompt, rewrite the snapshots and read the difference:
`UPDATE_SNAPSHOTS=1 pytest tests/prompts/test_prompts.py`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from deep_research.components.researcher import RESEARCHER_TOOLS
from deep_research.core.errors import SettingsError
from deep_research.core.words import LANGUAGES
from deep_research.engine.tools import tool_lines
from deep_research.prompts import PromptError, render, roles, variables
from deep_research.settings import Settings
from deep_research.settings.roles import PROMPTS

SNAPSHOTS = Path(__file__).parents[1] / "snapshots" / "prompts"

SAMPLE = {
    "date": "2041-05-06",
    "depth": "Ask only if you could not begin otherwise.",
    "glossary": "- gondola: the cabin under the hull",
    "scope_notes": "- Period: 2030 to 2040\n- Leave out: military craft",
    "max_rounds": 6,
    "max_topics": 5,
    "max_searches": 5,
    "max_tool_calls": 10,
    "enough_sources": "three",
    "max_sections": 6,
    "max_turns": 10,
    "why": "The budget is spent.",
    "language": "English",
    "min_questions": 3,
    "max_questions": 5,
    "min_queries": 4,
    "max_queries": 6,
    "max_loops": 2,
    "data_sources": "- Search the web.",
    "number": "exactly 5",
    "rounds_left": 2,
    "min_score": "0.85",
    "min_words": 200,
    "max_words": 500,
    "tool_count": "three",
    "tools": tool_lines(RESEARCHER_TOOLS, Settings()),
    "output_notes": "The settings decide these points:\n\n- Length: at most 300 words.",
}

TOOLS = {
    "supervisor": {"ConductResearch", "ResearchComplete", "think"},
    "researcher": {"search", "think", "ResearchComplete"},
    "planner_search": {"search", "think", "ResearchComplete"},
    "orchestrator": {"ConductResearch", "ResearchComplete", "think"},
    "agent_files": {"write_todos", "ls", "read_file", "grep"},
}
PARTS = {"agent_files"}
"""What is added to prompts that have the date."""
FIELDS = {
    "clarifier": {"need_clarification", "question", "verification"},
    "brief_writer": {"research_brief"},
    "query_rewriter": {"query", "added"},
    "router": {"depth", "reason"},
    "router_check": {"escalate", "missing", "reason"},
    "summarizer": {"summary", "key_excerpts"},
    "writer_outline": {"topics"},
    "planner": {"questions"},
    "research_plan": {"sections", "question", "queries"},
    "history_summary": {"human", "ai", "tool"},
    "vetter": {"remarks", "id", "remark"},
    "rephrase_check": {"satisfied", "wishes"},
    "decomposer": {"main_topic", "approach", "topics"},
    "sufficiency": {"sufficient", "reason"},
    "topic_merger": {"same"},
    "report_outline": {
        "title", "introduction", "sections", "instruction", "blocks", "subsections", "conclusion",
    },
    "critic": {"verdict", "missing", "sufficient", "insufficient"},
    "verifier": {"supported", "partial", "contradicted", "unsupported", "reason"},
}  # fmt: skip

every_prompt = pytest.mark.parametrize(
    ("role", "language"), [(role, language) for language in LANGUAGES for role in sorted(PROMPTS)]
)


def sample(role: str) -> dict[str, object]:
    """Sample values for the variables of a role."""
    return {name: SAMPLE[name] for name in variables(role)}


def test_every_role_has_a_prompt_in_every_language() -> None:
    folder = Path(__file__).parents[2] / "deep_research" / "prompts"
    assert roles() == sorted(PROMPTS)
    for language in LANGUAGES:
        assert sorted(path.stem for path in (folder / language).iterdir()) == roles()


@every_prompt
def test_all_languages_of_a_role_have_the_same_variables(role: str, language: str) -> None:
    assert variables(role, language) == variables(role, "en")


@every_prompt
def test_s12_no_placeholder_is_left_unfilled(role: str, language: str) -> None:
    text = render(role, language, **sample(role))
    assert "$" not in text
    for value in sample(role).values():
        assert str(value) in text


@every_prompt
def test_s14_every_role_is_told_the_date(role: str, language: str) -> None:
    assert (SAMPLE["date"] in render(role, language, **sample(role))) is (role not in PARTS)


@every_prompt
def test_every_tool_and_field_that_a_prompt_names_exists_for_that_role(role: str, language: str) -> None:
    text = render(role, language, **sample(role))
    marked = set(re.findall(r"`([A-Za-z_]+)`", text))
    assert marked == TOOLS.get(role, set()) | FIELDS.get(role, set())
    unmarked = re.sub(r"`[^`]*`", "", text)
    assert not re.search(r"ConductResearch|ResearchComplete|[a-z]+_[a-z]+", unmarked)


@pytest.mark.parametrize("role", sorted(PROMPTS))
def test_english_prompts_are_as_the_snapshots_show(role: str) -> None:
    path = SNAPSHOTS / f"{role}.md"
    text = render(role, **sample(role)) + "\n"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), "run with UPDATE_SNAPSHOTS=1 if the change is meant"


def test_s12_a_value_is_never_treated_as_a_template() -> None:
    hostile = "costs $5, see $date and ${rounds_left} and $$"
    assert hostile in render("clarifier", **(sample("clarifier") | {"glossary": hostile}))


@pytest.mark.parametrize("given", [{}, {"date": None}])
def test_a_missing_value_names_file_and_variable(given: dict[str, object]) -> None:
    with pytest.raises(PromptError, match=r"'ja/compressor\.md'.*\$date"):
        render("compressor", "ja", **given)


def test_a_value_for_a_foreign_variable_names_file_and_variable() -> None:
    with pytest.raises(PromptError, match=r"'en/compressor\.md'.*\$colour.*It has: \$date"):
        render("compressor", date="2041-05-06", colour="red")


@pytest.mark.parametrize(("role", "language"), [("reseacher", "en"), ("writer", "fr")])
def test_an_unknown_role_or_language_is_refused(role: str, language: str) -> None:
    with pytest.raises(PromptError, match=r"Did you mean 'researcher'|One of: en, zh, ja"):
        render(role, language)


def test_the_report_language_is_apart_from_the_prompt_language() -> None:
    assert "用日语书写" in render("writer", "zh", **sample("writer") | {"language": "日语"})


def test_s17_a_users_own_prompt_may_use_fewer_variables(tmp_path: Path) -> None:
    own = tmp_path / "own.md"
    own.write_text("It is $date. Be brief; $$5 is the limit.\n", encoding="utf-8")
    text = render("researcher", "zh", override=own, **sample("researcher"))
    assert text == "It is 2041-05-06. Be brief; $5 is the limit."
    assert variables("researcher", override=str(own)) == {"date"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Dear $reader, write.", r"own\.md' uses \$reader.*It has: \$date, \$language"),
        ("First line.\nIt costs $ 5.", r"own\.md', line 2: .*Write '\$\$'"),
    ],
)
def test_a_users_own_prompt_with_a_wrong_variable_is_refused(tmp_path: Path, text: str, message: str) -> None:
    own = tmp_path / "own.md"
    own.write_text(text, encoding="utf-8")
    with pytest.raises(PromptError, match=message):
        variables("writer", override=own)


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe\x00"])
def test_a_users_own_prompt_that_cannot_be_read_is_a_settings_error(
    tmp_path: Path, content: bytes | None
) -> None:
    own = tmp_path / "own.md"
    if content is not None:
        own.write_bytes(content)
    with pytest.raises(SettingsError, match=r"Setting 'prompts\.writer'.*own\.md"):
        render("writer", override=own, date="2041-05-06", language="English")
