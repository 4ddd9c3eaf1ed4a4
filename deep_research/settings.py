"""Settings: everything that can be chosen about a run, in small classes with a sentence per field.

Precedence, highest first: explicit argument, settings file, environment, preset, default. `load_settings`
merges them and remembers where each value came from (`Settings.origin`), which `settings` and `doctor` print.
Unknown keys are refused with the nearest name. Keys and tokens are never settings: they stay in the
environment and are read only when a client is built.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, PrivateAttr, ValidationError

from .errors import SettingsError
from .presets import PRESETS
from .setting_parts import DeepSettings, GraphSettings, KnowledgeSettings
from .setting_types import Day, Endpoint, ModelSpec, Part

ROLE_SLOTS = {
    "clarifier": "decide",
    "brief_writer": "decide",
    "query_rewriter": "decide",
    "router": "decide",
    "supervisor": "decide",
    "researcher": "decide",
    "summarizer": "summarize",
    "compressor": "compress",
    "writer": "write",
    "verifier": "judge",
    "planner": "decide",
    "vetter": "decide",
    "critic": "decide",
    "orchestrator": "decide",
}
"""Each role's model slot: a role without a model of its own uses the slot's, then `model`."""

PROMPTS = (
    *ROLE_SLOTS,
    "router_check",
    "shallow_researcher",
    "synthesis_anchor",
    "writer_outline",
    "writer_section",
    "planner_search",
    "research_plan",
    "agent_files",
    "history_summary",
)
"""What has a prompt: each role; the router's second look; the shallow researcher (researcher and writer in
one) and what it is told at the end; the writer's two for a report in sections; the deep researcher's planner
with its searches and its plan, and what all of its agents are told of their files and of summaries."""

MAIN_ROLES = {"deep_researcher": ("orchestrator", ("planner", "researcher"))}
"""System → the role whose model stands in for those of its sub-agents where they have none of their own."""

SLOTS = tuple(dict.fromkeys(ROLE_SLOTS.values()))
DEFAULT_LIVE_MODEL = "openai:gpt-5-mini"
SETTINGS_FILE = "deep-research.toml"


class Limits(Part):
    """How far the designs' own loops may go (under their published names)."""

    max_researcher_iterations: int = Field(6, ge=1, description="Rounds of the supervisor.")
    max_concurrent_research_units: int = Field(5, ge=1, description="Topics researched at once, per round.")
    max_react_tool_calls: int = Field(10, ge=1, description="Tool calls of one researcher.")
    max_searches: int = Field(
        5, ge=1, description="Search calls of one researcher; each may hold several queries."
    )
    enough_sources: int = Field(
        3, ge=1, le=10, description="Good sources that a researcher names in its notes before it must stop."
    )
    max_structured_output_retries: int = Field(
        3, ge=1, description="Tries for an object of the wanted schema."
    )
    max_content_length: int = Field(50_000, ge=500, description="Characters of one page that a model reads.")
    summarize_above: int = Field(
        2_500, ge=0, description="Pages longer than this (characters) are summarized."
    )
    max_clarifications: int = Field(3, ge=0, description="Rounds of questions to the user, at most.")
    max_llm_turns: int = Field(
        10, ge=2, description="Turns of the shallow researcher, the one with its answer included."
    )
    max_tool_iterations: int = Field(
        5, ge=1, description="Tool calls of the shallow researcher, parallel ones counted one by one."
    )
    max_escalations: int = Field(
        1, ge=0, le=1, description="Times that a shallow answer may be followed by deep research."
    )
    recursion_limit: int = Field(200, ge=10, description="Graph steps, over all loops; a last safety net.")


class Budget(Part):
    """What a run may spend in all, resumes included; None is no cap."""

    model_calls: int | None = Field(None, ge=1, description="Calls to models.")
    searches: int | None = Field(None, ge=1, description="Searches sent.")
    sources: int | None = Field(None, ge=1, description="Different documents shown to models.")
    tokens: int | None = Field(None, ge=1000, description="Input and output tokens together.")
    cost_usd: float | None = Field(None, gt=0, description="Money, in US dollars.")
    seconds: float | None = Field(None, gt=0, description="Wall time; outside the promise of same bytes.")


class OutputTokens(Part):
    """The longest output of each model slot, in tokens."""

    decide: int = Field(10_000, ge=16, description="Whoever decides or searches: all other roles.")
    summarize: int = Field(8_192, ge=16, description="Summaries of long pages.")
    compress: int = Field(8_192, ge=16, description="A researcher's findings.")
    write: int = Field(10_000, ge=16, description="The report.")
    judge: int = Field(1_024, ge=16, description="The verifier's word on one sentence.")

    def of(self, role: str) -> int:
        """The limit for a role."""
        return int(getattr(self, ROLE_SLOTS.get(role, "decide")))


class SearchSettings(Part):
    """Where evidence comes from, and which part of it is wanted."""

    providers: list[str] = Field(
        ["offline"], description="offline, tavily, documents or none; several are searched together."
    )
    docs: str | None = Field(
        None, description="A folder, file or JSONL; searched alone unless providers name documents too."
    )
    results: int = Field(5, ge=1, le=20, description="Hits per query.")
    topic: Literal["general", "news", "finance"] = Field("general", description="Tavily's search topic.")
    raw_content: bool = Field(True, description="Fetch the page text with each hit, not only a snippet.")
    include_domains: list[str] = Field([], description="Search only these domains.")
    exclude_domains: list[str] = Field([], description="Never use these domains.")
    after: Day | None = Field(None, description="Only documents from this date on: YYYY-MM-DD.")
    before: Day | None = Field(None, description="Only documents up to this date: YYYY-MM-DD.")


class WriterSettings(Part):
    """How the report is written."""

    mode: Literal["one_shot", "sections"] = Field(
        "one_shot", description="One call, or an outline and then one call per section, side by side."
    )


class VerifierSettings(Part):
    """What becomes of sentences that the cited pages do not bear out."""

    mode: Literal["off", "flag", "strict"] = Field(
        "flag", description="Leave them unchecked, mark them, or take them out."
    )
    judge: bool = Field(False, description="Let a model read each cited sentence with its passages, too.")


class WebSettings(Part):
    """The invented web that stands in for the real one when there is no key."""

    seed: int = Field(0, ge=0, description="Which web: another seed is another world.")
    pages: int = Field(150, ge=150, description="How many pages it has.")
    domain: str = Field("airships", description="What it is about.")
    latency_ms: int = Field(0, ge=0, description="Wait before each offline answer, for experiments.")


class Scope(Part):
    """What the user wants in and out; reaches the clarifier and the brief."""

    clarify: Literal["off", "light", "thorough"] = Field("light", description="How readily to ask back.")
    rewrite_query: bool = Field(
        True, description="Let a model add implied time and scope to the question (shallow researcher)."
    )
    glossary: dict[str, str] = Field({}, description="Terms that need no asking, with their meaning.")
    exclude: list[str] = Field([], description="Subjects to leave out.")
    period: str | None = Field(None, description="The time range that counts, in words.")
    regions: list[str] = Field([], description="Countries or regions to keep to.")
    user_info: dict[str, str] = Field({}, description="Name, role, department; never in a search query.")


class Settings(Part):
    """All settings of one run."""

    system: str = Field("open_deep_research", description="Which published design runs.")
    preset: Literal["quick", "medium", "deep", "auto"] = Field(
        "medium", description="A row of the limits table."
    )
    models: dict[str, ModelSpec] = Field(
        {"model": "offline"}, description="Model per role or slot; `model` is the rest."
    )
    base_url: Endpoint | None = Field(None, description="An OpenAI-compatible endpoint.")
    prompts: dict[str, str] = Field({}, description="A prompt file per role, in place of the package's.")
    tools: dict[str, list[str]] = Field({}, description="Tool names per role, in place of the design's.")
    prompt_language: Literal["en", "zh", "ja"] = Field("en", description="Language of the instructions.")
    language: Literal["auto", "en", "zh", "ja"] = Field("auto", description="Language of the report.")
    temperature: float | None = Field(None, ge=0, le=2, description="None leaves it to the model.")
    context_window: int = Field(128_000, ge=2_000, description="Tokens that a model takes, input and output.")
    concurrency: int = Field(5, ge=1, le=64, description="Calls in flight, over the whole run.")
    retries: int = Field(5, ge=0, le=20, description="Tries again after a rate limit, outage or time-out.")
    call_timeout: float = Field(120.0, gt=0, description="Seconds before a call counts as timed out.")
    branch_timeout: float = Field(900.0, gt=0, description="Seconds before one researcher is given up.")
    limits: Limits = Field(default_factory=Limits)
    budget: Budget = Field(default_factory=Budget)
    output_tokens: OutputTokens = Field(default_factory=OutputTokens)
    search: SearchSettings = Field(default_factory=SearchSettings)
    writer: WriterSettings = Field(default_factory=WriterSettings)
    verifier: VerifierSettings = Field(default_factory=VerifierSettings)
    approval: Literal["accept", "wait", "off"] = Field(
        "accept",
        description="Ask before a plan runs or a report counts; where nobody is there: accept it, or wait.",
    )
    graph: GraphSettings = Field(default_factory=GraphSettings)
    deep: DeepSettings = Field(default_factory=DeepSettings)
    knowledge: KnowledgeSettings = Field(default_factory=KnowledgeSettings)
    web: WebSettings = Field(default_factory=WebSettings)
    scope: Scope = Field(default_factory=Scope)

    _origin: dict[str, str] = PrivateAttr(default_factory=dict)

    @property
    def origin(self) -> dict[str, str]:
        """Dotted key → where its value came from; keys not named are defaults."""
        return self._origin

    def model_for(self, role: str) -> str:
        """The model spec of a role: its own, its system's main role's, its slot's, or `model`."""
        main, helpers = MAIN_ROLES.get(self.system, ("", ()))
        for name in (role, main if role in helpers else role, ROLE_SLOTS.get(role, "decide"), "model"):
            if name in self.models:
                return self.models[name]
        return "offline"

    def is_live(self) -> bool:
        """Whether any model of this run is a real one."""
        return any(not spec.startswith("offline") for spec in self.models.values())


def flatten(part: BaseModel, prefix: str = "") -> Iterator[tuple[str, Any, str]]:
    """Every setting as (dotted key, value, description), in reading order."""
    for name, field in type(part).model_fields.items():
        value = getattr(part, name)
        if isinstance(value, BaseModel):
            yield from flatten(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value, field.description or ""


def load_settings(
    explicit: Mapping[str, Any] | None = None,
    *,
    file: Path | str | None = None,
    env: Mapping[str, str] | None = None,
) -> Settings:
    """Merge explicit values, a settings file, the environment and the preset into one `Settings`.

    `explicit` has dotted keys. Without `file`, `deep-research.toml` in the working folder is read if there.
    `env` is a mapping such as `os.environ`; None reads no environment, as tests and notebooks want it.
    """
    layers = [
        ("argument", _dotted(explicit or {})),
        *_file_layer(file),
        ("environment", _environment(env or {})),
    ]
    chosen: dict[str, tuple[Any, str]] = {}
    for where, values in reversed(layers):
        for key, value in values.items():
            check_key(key, where)
            chosen[key] = (value, where)
    system, preset = (
        chosen.get(k, (d, ""))[0] for k, d in (("system", "open_deep_research"), ("preset", "medium"))
    )
    for key, value in _preset_row(str(system), str(preset)).items():
        chosen.setdefault(key, (value, f"preset {preset}"))
    return _build(chosen)


def _build(chosen: dict[str, tuple[Any, str]]) -> Settings:
    tree: dict[str, Any] = {}
    for key, (value, _) in chosen.items():
        *parents, last = _path(key)
        place = tree
        for parent in parents:
            place = place.setdefault(parent, {})
        place[last] = value
    if "models" in tree:
        tree["models"] = {"model": "offline", **tree["models"]}
    try:
        settings = Settings(**tree)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        where = next((w for k, (_, w) in chosen.items() if key.startswith(k)), "argument")
        value = "" if key == "base_url" else f" = {first['input']!r}"
        raise SettingsError(
            f"Setting '{key}'{value} ({where}): {first['msg'].removeprefix('Value error, ')}.",
            "`deep-research settings` lists every key with its meaning.",
        ) from None
    settings._origin = {key: where for key, (_, where) in chosen.items()}
    return settings


def _path(key: str) -> list[str]:
    """The parts of a dotted key; what a user named (a term of the glossary) may itself hold dots."""
    for table in _OPEN_TABLES:
        if key.startswith(table + "."):
            return [*table.split("."), key[len(table) + 1 :]]
    return key.split(".")


def check_key(key: str, where: str = "argument") -> None:
    """Refuse a key that is no setting, naming the nearest one."""
    known = [name for name, _, _ in flatten(Settings())]
    if key in _OPEN_TABLES:
        raise SettingsError(f"Setting '{key}' ({where}) is a table.", f"For example: {key}.NAME = ...")
    if key in known or any(key.startswith(table + ".") for table in _OPEN_TABLES):
        if key.startswith(("models.", "prompts.", "tools.")):
            _check_role(key, where)
        return
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.3) or [
        name for name in known if name.rpartition(".")[2] == key
    ]
    hint = f"Did you mean '{near[0]}'?" if near else "`deep-research settings` lists them all."
    raise SettingsError(f"Unknown setting '{key}' ({where}).", hint)


_OPEN_TABLES = {"models", "prompts", "tools", "scope.glossary", "scope.user_info"}


def _check_role(key: str, where: str) -> None:
    table, name = key.split(".", 1)
    known = {"models": [*ROLE_SLOTS, "model", *SLOTS], "prompts": [*PROMPTS]}.get(table, [*ROLE_SLOTS])
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.3)
        hint = f"Did you mean '{table}.{near[0]}'?" if near else f"One of: {', '.join(known)}."
        raise SettingsError(f"Unknown role '{name}' in setting '{key}' ({where}).", hint)


def parse_assignment(text: str) -> tuple[str, Any]:
    """`key=value` from the command line; the value is read as TOML, or else as a plain string."""
    key, separator, raw = text.partition("=")
    if not separator or not key.strip():
        raise SettingsError(f"'{text}' is not of the form key=value.", "For example: --set concurrency=3")
    try:
        value = tomllib.loads(f"value = {raw.strip()}")["value"]
    except tomllib.TOMLDecodeError:
        value = raw.strip()
    return key.strip(), value


def _preset_row(system: str, preset: str) -> dict[str, Any]:
    if system not in PRESETS:
        near = difflib.get_close_matches(system, PRESETS, n=1, cutoff=0.3)
        hint = f"Did you mean '{near[0]}'?" if near else "`deep-research systems` lists them."
        raise SettingsError(f"Unknown system '{system}'.", hint)
    return PRESETS[system].get(preset, {})


def _file_layer(file: Path | str | None) -> list[tuple[str, dict[str, Any]]]:
    path = Path(file) if file else Path(SETTINGS_FILE)
    if not path.is_file():
        if file:
            raise SettingsError(f"There is no settings file '{path}'.", "Check the path given to --settings.")
        return []
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"Settings file '{path}' is not valid TOML: {error}.") from None
    return [(path.name, _dotted(data))]


def _dotted(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in tree.items():
        key = f"{prefix}{name}"
        if not isinstance(value, Mapping):
            flat[key] = value
        elif key in _OPEN_TABLES:
            flat |= {f"{key}.{entry}": item for entry, item in value.items()}
        else:
            flat |= _dotted(value, f"{key}.")
    return flat


def _environment(env: Mapping[str, str]) -> dict[str, Any]:
    """What the environment says: model names, base url, and live providers where their keys are set."""
    values: dict[str, Any] = {}
    if env.get("OPENAI_API_KEY") or env.get("OPENAI_BASE_URL"):
        values["models.model"] = DEFAULT_LIVE_MODEL
    if env.get("TAVILY_API_KEY"):
        values["search.providers"] = ["tavily"]
    if env.get("OPENAI_BASE_URL"):
        values["base_url"] = env["OPENAI_BASE_URL"]
    for name, value in sorted(env.items()):
        if not value:
            continue
        if name == "DEEP_RESEARCH_MODEL":
            values["models.model"] = value
        elif name.startswith("DEEP_RESEARCH_MODEL_"):
            values["models." + name.removeprefix("DEEP_RESEARCH_MODEL_").lower()] = value
    return values


def home(env: Mapping[str, str] | None = None) -> Path:
    """Where runs are kept unless `--out` says otherwise: `DEEP_RESEARCH_HOME`, else `./runs`."""
    return Path((env if env is not None else os.environ).get("DEEP_RESEARCH_HOME") or "runs")
