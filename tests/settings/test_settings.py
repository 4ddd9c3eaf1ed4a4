"""Row s16 and the rules of precedence: settings that count, come from where they say, and are spelt right."""

from __future__ import annotations

import ast
from datetime import date
from pathlib import Path

import pytest

import deep_research
from deep_research.core.errors import SettingsError
from deep_research.settings import Settings, check_key, flat_settings, load_settings
from deep_research.settings.layers import parse_assignment
from deep_research.settings.presets import PRESETS
from deep_research.settings.roles import ROLE_SLOTS

PACKAGE = Path(deep_research.__file__).parent


def names_used() -> set[str]:
    """Every attribute that the package reads, outside the module that declares the settings."""
    used: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        if path.name != "settings.py":
            tree = ast.parse(path.read_text(encoding="utf-8"))
            used |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return used


def test_s16_every_settings_key_is_used_by_code() -> None:
    own_logic = {
        "preset",
        "persona_for",
        "glossary_for",
        "decide",
        "summarize",
        "compress",
        "write",
        "models",
    }  # read inside settings.py
    keys = {name.rpartition(".")[2] for name, _, _ in flat_settings(Settings())}
    assert sorted(keys - own_logic - names_used()) == []


def test_s16_every_setting_says_what_it_is() -> None:
    assert [name for name, _, description in flat_settings(Settings()) if len(description) < 10] == []


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("concurency", "concurrency"),
        ("limits.max_searchs", "limits.max_searches"),
        ("max_searches", "limits.max_searches"),
        ("search.result", "search.results"),
        ("models.writter", "models.writer"),
        ("prompts.supervizor", "prompts.supervisor"),
        ("budget.token", "budget.tokens"),
    ],
)
def test_s16_an_unknown_key_is_refused_with_the_nearest_name(wrong: str, right: str) -> None:
    with pytest.raises(SettingsError, match=rf"Did you mean '{right}'\?"):
        load_settings({wrong: 1})


def test_s16_an_unknown_key_in_a_file_or_the_environment_is_refused_too(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[limits]\nmax_search = 3\n", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"limits.max_search' \(mine.toml\).*max_searches"):
        load_settings(file=path)
    with pytest.raises(SettingsError, match="Unknown role 'writr'"):
        load_settings(env={"DEEP_RESEARCH_MODEL_WRITR": "offline"})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("concurrency", 0),
        ("budget.searches", 0),
        ("search.after", "yesterday"),
        ("search.after", "2024-99-99"),
        ("search.docs", "caf\udce9"),
        ("models.model", ""),
        ("models", "foo"),
        ("scope.glossary", "x"),
        ("limits.max_searches", "many"),
        ("scope.clarify", "always"),
        ("language", "xx"),
        ("scope.perspectives", ["Japan", " "]),
        ("scope.perspectives", ["Japan", "japan "]),
        ("output.sections", ["Costs", "costs"]),
        ("output.tone", " "),
        ("search.docs", ""),
        ("search.results", True),
        ("search.providers", ["offline", "offline"]),
        ("search.include_domains", [" "]),
        ("search.exclude_domains", ["a b"]),
        ("search.include_domains", ["https://a.example/news"]),
        ("models.model", "openai:"),
        ("base_url", "localhost"),
        ("web.pages", 10**9),
    ],
)
def test_a_value_that_does_not_fit_names_the_key(key: str, value: object) -> None:
    with pytest.raises(SettingsError, match=rf"Setting '{key}(\.\d)?'"):
        load_settings({key: value})


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"search.after": "2041-02-01", "search.before": "2041-01-01"}, "no date is left"),
        (
            {"search.include_domains": ["b.a.example"], "search.exclude_domains": ["a.example"]},
            "takes out all",
        ),
        ({"search.allow_kinds": ["paper"], "search.ban_kinds": ["paper", "social"]}, "takes out all"),
        ({"scope.regions": ["Brud"], "scope.exclude_regions": ["brud"]}, "'Brud' stands in regions and"),
        ({"knowledge.chunk_size": 200, "knowledge.chunk_overlap": 200}, "not smaller than chunk_size"),
    ],
)
def test_settings_that_leave_nothing_together_are_refused(values: dict[str, object], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        load_settings(values)


def test_what_is_meant_is_taken_however_it_is_written() -> None:
    addresses = ["https://News.example/", "*.a.example", " b.example. "]
    chosen = load_settings({"search.include_domains": addresses, "search.after": date(2041, 1, 2)}).search
    assert chosen.include_domains == ["news.example", "*.a.example", "b.example"]
    assert chosen.after == "2041-01-02"


@pytest.mark.parametrize("text", ["persona = 'speed'", "own_files = 'mine'", ""])
def test_a_persona_sets_something_and_leads_to_no_other(tmp_path: Path, text: str) -> None:
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas/mine.toml").write_text(f"[settings]\n{text}\n")
    with pytest.raises(SettingsError, match=r"Persona 'mine\.toml' (sets nothing|cannot set)"):
        load_settings({"persona": "mine", "own_files": str(tmp_path)})


def test_a_table_is_checked_entry_by_entry() -> None:
    with pytest.raises(SettingsError, match="Unknown role 'bogus'"):
        load_settings({"models": {"bogus": "offline"}})
    with pytest.raises(SettingsError, match=r"Setting 'scope\.glossary'.* is a table"):
        load_settings({"scope.glossary": "x", "scope.glossary.a": "b"})
    merged = load_settings({"scope": {"glossary": {"a.b": "c"}}, "scope.glossary.d": "e", "limits": {}})
    assert merged.scope.glossary == {"a.b": "c", "d": "e"}
    assert load_settings({"models": {"writer": "a:b"}}).models == {"model": "offline", "writer": "a:b"}


@pytest.mark.parametrize(
    "url", ["http://bob:hunter2@host/v1", "https://hunter2@host/v1", "https://host/v1?key=hunter2"]
)
def test_a_password_in_an_address_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(SettingsError, match="OPENAI_API_KEY") as raised:
        load_settings(env={"OPENAI_BASE_URL": url})
    assert "hunter2" not in str(raised.value)
    with pytest.raises(ValueError, match="OPENAI_API_KEY") as direct:
        Settings(base_url=url)
    assert "hunter2" not in str(direct.value)
    assert load_settings({"base_url": "http://[::1]:8000/v1/@x"}).base_url


def test_the_first_of_argument_file_environment_preset_wins(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('preset = "quick"\nconcurrency = 3\nretries = 1\n[models]\nwriter = "a:file"\n')
    env = {"DEEP_RESEARCH_MODEL_WRITER": "b:env", "DEEP_RESEARCH_MODEL_WRITE": "c:env"}
    settings = load_settings({"concurrency": 7}, file=file, env=env)
    assert (settings.concurrency, settings.retries, settings.model_for("writer")) == (7, 1, "a:file")
    assert settings.models["write"] == "c:env"
    assert settings.limits.max_researcher_iterations == 2
    assert settings.origin["concurrency"] == "argument"
    assert settings.origin["retries"] == settings.origin["preset"] == "mine.toml"
    assert settings.origin["models.write"] == "environment"
    assert settings.origin["limits.max_researcher_iterations"] == "preset quick"
    assert "call_timeout" not in settings.origin


def test_a_settings_file_of_the_working_folder_is_read(tmp_path: Path) -> None:
    assert load_settings().retries == 5
    Path("deep-research.toml").write_text("retries = 2\n", encoding="utf-8")
    assert load_settings().retries == 2


def test_without_an_environment_nothing_is_live() -> None:
    assert not load_settings().is_live()
    live = load_settings(env={"OPENAI_API_KEY": "SECRET", "TAVILY_API_KEY": "SECRET"})
    assert live.is_live() and live.search.providers == ["tavily"]
    assert "SECRET" not in repr(live) + repr(live.origin)


def test_every_preset_names_settings_that_exist() -> None:
    for rows in PRESETS.values():
        for row in rows.values():
            for key in row:
                check_key(key)


def test_a_role_falls_back_to_its_slot_and_then_to_the_rest() -> None:
    settings = load_settings(
        {"models.model": "a:rest", "models.decide": "b:slot", "models.researcher": "c:own"}
    )
    models = {role: settings.model_for(role) for role in ROLE_SLOTS}
    assert models["researcher"] == "c:own"
    assert models["supervisor"] == models["clarifier"] == models["brief_writer"] == "b:slot"
    assert models["summarizer"] == models["compressor"] == models["writer"] == "a:rest"


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("concurrency=3", ("concurrency", 3)),
        ("search.include_domains=['a.example']", ("search.include_domains", ["a.example"])),
        ("models.writer = openai:gpt-5", ("models.writer", "openai:gpt-5")),
        ("scope.period=2040=41", ("scope.period", "2040=41")),
    ],
)
def test_an_assignment_is_read_as_toml_or_as_text(text: str, parsed: tuple[str, object]) -> None:
    assert parse_assignment(text) == parsed


def test_settings_survive_the_round_trip_through_a_run_folder(tmp_path: Path) -> None:
    from deep_research.runs.bundle import settings_toml

    values = {
        "scope.glossary": {"U.S.": 'the "States"', "灯": "lamp\n"},
        "search.include_domains": ["a.example"],
        "scope.user_info": {"": "\x7f\x85\u2028\0"},
        "budget.cost_usd": 0.5,
        "budget.seconds": float("inf"),
        "temperature": 1e-7,
        "search.raw_content": False,
        "models.writer": "openai:x",
    }
    settings = load_settings(values)
    path = tmp_path / "settings.toml"
    path.write_text(settings_toml(settings), encoding="utf-8")
    assert load_settings(file=path).model_dump() == settings.model_dump()
