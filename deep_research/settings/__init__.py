"""Settings: everything that can be chosen about a run, in small classes with a sentence per field.

Precedence, highest first: explicit argument, settings file, environment, template, persona, preset, default.
`load_settings` merges them and remembers where each value came from (`Settings.origin`), which `settings` and
`doctor` print. Unknown keys are refused with the nearest name. Keys and tokens are never settings: they stay
in the environment and are read only when a client is built.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, Field, PrivateAttr, ValidationError

from deep_research.core.arguments import checked
from deep_research.core.errors import SettingsError, nearest_hint

from . import parts
from .files import OWN_FILES, find_file
from .layers import (
    DEFAULT_LIVE_MODEL,
    OPEN_TABLES,
    Chosen,
    choice_for_reader,
    dotted_items,
    environment_layer,
    file_layer,
    key_parts,
    read_glossary,
)
from .presets import PRESETS, PresetName
from .roles import MAIN_ROLES, PROMPTS, ROLE_SLOTS, SLOTS
from .values import Endpoint, Filled, ModelSpec, SettingsTable, in_plain_words

RECORDED = "recorded:"
"""Before the path of a recording, in place of a model's name."""
RUN_SETTINGS = "settings.toml"
"""The file in a run's folder that keeps its settings."""


class Settings(SettingsTable):
    """All settings of one run."""

    system: str = Field(
        "open_deep_research", description="Which design runs; `deep-research systems` lists them."
    )
    preset: PresetName = Field(
        "medium", description="The design's limits; `deep-research presets` shows them."
    )
    persona: str = Field(
        "", description="How to report: settings under a name; `deep-research personas` lists them."
    )
    own_files: Filled = Field(OWN_FILES, description="Folder with your own personas/ and templates/.")
    models: dict[str, ModelSpec] = Field(
        {"model": "offline"}, description="Model per role or slot; `model` is the rest."
    )
    base_url: Endpoint | None = Field(None, description="An OpenAI-compatible endpoint.")
    proxies: bool = Field(False, description="Connect through the proxies that the environment names.")
    prompts: dict[str, Filled] = Field({}, description="A prompt file per role, in place of the package's.")
    tools: dict[str, list[str]] = Field({}, description="Tool names per role, in place of the design's.")
    prompt_language: Literal["en", "zh", "ja"] = Field("en", description="Language of the instructions.")
    language: Literal["auto", "en", "zh", "ja"] = Field("auto", description="Language of the report.")
    temperature: float | None = Field(
        None, ge=0, le=2, description="How freely a model words its answers; none set leaves it to the model."
    )
    context_window: int = Field(128_000, ge=2_000, description="Tokens that a model takes, input and output.")
    concurrency: int = Field(5, ge=1, le=64, description="Calls in flight, over the whole run.")
    retries: int = Field(5, ge=0, le=20, description="Tries again after a rate limit, outage or time-out.")
    call_timeout: float = Field(120.0, gt=0, description="Seconds before a call counts as timed out.")
    checkpoints: Literal["sqlite", "postgres"] = Field(
        "sqlite",
        description="Where kept runs save their steps: a file, or the DEEP_RESEARCH_POSTGRES database.",
    )
    branch_timeout: float = Field(900.0, gt=0, description="Seconds before one researcher is given up.")
    limits: parts.Limits = Field(default_factory=parts.Limits)
    budget: parts.BudgetSettings = Field(default_factory=parts.BudgetSettings)
    output_tokens: parts.OutputTokens = Field(default_factory=parts.OutputTokens)
    search: parts.SearchSettings = Field(default_factory=parts.SearchSettings)
    writer: parts.WriterSettings = Field(default_factory=parts.WriterSettings)
    output: parts.OutputSettings = Field(default_factory=parts.OutputSettings)
    verifier: parts.VerifierSettings = Field(default_factory=parts.VerifierSettings)
    approval: Literal["accept", "wait", "off"] = Field(
        "accept",
        description="Ask before a plan runs or a report counts; where nobody is there: accept it, or wait.",
    )
    graph: parts.GraphSettings = Field(default_factory=parts.GraphSettings)
    deep: parts.DeepSettings = Field(default_factory=parts.DeepSettings)
    queue: parts.QueueSettings = Field(default_factory=parts.QueueSettings)
    knowledge: parts.KnowledgeSettings = Field(default_factory=parts.KnowledgeSettings)
    calculation: parts.CalculationSettings = Field(default_factory=parts.CalculationSettings)
    web: parts.WebSettings = Field(default_factory=parts.WebSettings)
    scope: parts.ScopeSettings = Field(default_factory=parts.ScopeSettings)

    _origin: dict[str, str] = PrivateAttr(default_factory=dict)

    @property
    def origin(self) -> dict[str, str]:
        """Dotted key → where its value came from; keys not named are defaults."""
        return self._origin

    @property
    def workers(self) -> int | None:
        """How many branches are researched at a time, in a design in which others wait for a free worker."""
        if self.system == "graph_agent":
            return self.graph.max_concurrent_questions
        return self.queue.max_parallel_topics if self.system == "topic_queue" else None

    def model_for(self, role: str) -> str:
        """The model spec of a role: its own, its system's main role's, its slot's, or `model`."""
        main, helpers = MAIN_ROLES.get(self.system, ("", ()))
        for name in (role, main if role in helpers else role, ROLE_SLOTS.get(role, "decide"), "model"):
            if name in self.models:
                return self.models[name]
        return "offline"

    def most_output(self, role: str) -> int:
        """The longest answer of a role in tokens: at most a quarter of the window, so that it can read."""
        return min(self.output_tokens.of(role), self.context_window // 4)

    def is_live(self) -> bool:
        """Whether any model of this run is a real one."""
        return any(not spec.startswith(("offline", RECORDED)) for spec in self.models.values())

    def is_recorded(self) -> bool:
        """Whether the run is a recording that is played again."""
        return self.models["model"].startswith(RECORDED)


def flat_settings(part: BaseModel, prefix: str = "") -> Iterator[tuple[str, Any, str]]:
    """Every setting as (dotted key, value, description with its choices), in reading order."""
    for name, field in type(part).model_fields.items():
        value = getattr(part, name)
        if isinstance(value, BaseModel):
            yield from flat_settings(value, f"{prefix}{name}.")
        else:
            words = _choices(field.annotation)
            among = f" Choices: {', '.join(words)}." if words else ""
            yield f"{prefix}{name}", value, f"{field.description or ''}{among}"


def _choices(kind: Any) -> list[str]:
    """The words that a type allows, wherever its `Literal` stands; none if anything goes."""
    if get_origin(kind) is Literal:
        return [word for word in get_args(kind) if isinstance(word, str)]
    return [word for part in get_args(kind) for word in _choices(part)]


@checked
def load_settings(
    explicit: Mapping[str, Any] | None = None,
    *,
    file: Path | str | None = None,
    env: Mapping[str, str] | None = None,
    template: Mapping[str, Any] | None = None,
    complete: bool = False,
) -> Settings:
    """Merge all layers into one `Settings`: explicit values, a settings file, the environment, and the rest.

    `explicit` has dotted keys. Without `file`, `deep-research.toml` in the working folder is read if there.
    `env` is a mapping such as `os.environ`; None reads no environment, as tests and notebooks want it.
    `template` are the settings of a template. With `complete` file or template are those of a run, which has
    every setting: no persona, preset or file of the working folder adds to it.
    """
    layers = [
        ("argument", dotted_items(explicit or {})),
        *(file_layer(file) if file or not complete else []),
        ("environment", environment_layer(env or {})),
        ("template", dotted_items(template or {})),
    ]
    chosen: Chosen = {}
    for where, values in reversed(layers):
        for key, value in values.items():
            check_key(key, where)
            chosen[key] = (value, where)
    if not complete:
        _add_glossary(chosen)
        _add_persona(chosen)
        _add_preset(chosen)
    return _build(chosen)


def settings_of_run(file: Path, changed: Mapping[str, Any] | None = None) -> Settings:
    """The settings that a run keeps in `file`, with these changed, at the address that is right today."""
    return at_present_endpoint(load_settings(changed, file=file, complete=True))


def at_present_endpoint(settings: Settings) -> Settings:
    """The settings of a run with a real model, at the address that the environment names.

    One that an argument or a settings file names stays. A run's own file names that of the day it began.
    """
    address, where = os.environ.get("OPENAI_BASE_URL"), settings.origin.get("base_url", RUN_SETTINGS)
    if not (address and settings.is_live() and where == RUN_SETTINGS):
        return settings
    valid = _build({"base_url": (address, "environment")}).base_url
    made = settings.model_copy(update={"base_url": valid})
    made._origin = {**settings.origin, "base_url": "environment"}
    return made


def _add_glossary(chosen: Chosen) -> None:
    """The glossary of the reader's role or department; terms that are set already keep their meaning."""
    if path := choice_for_reader("scope.glossary_for", chosen):
        for term, meaning in read_glossary(path).items():
            chosen.setdefault(f"scope.glossary.{term}", (meaning, f"glossary {Path(path).name}"))


def _add_persona(chosen: Chosen) -> None:
    """The persona that is set, or else that of the reader's role or department."""
    if reader := choice_for_reader("scope.persona_for", chosen):
        chosen.setdefault("persona", (reader, "scope.persona_for"))
    if not (name := _said(chosen, "persona")):
        return
    persona = find_file("personas", str(name), str(_said(chosen, "own_files") or OWN_FILES))
    ours = chosen.get("models.model") == (DEFAULT_LIVE_MODEL, "environment") and "base_url" not in chosen
    for key, value in {**persona.values, **(persona.live if ours else {})}.items():
        check_key(key, f"persona {name}")
        chosen.setdefault(key, (value, f"persona {name}"))


def _add_preset(chosen: Chosen) -> None:
    system = str(_said(chosen, "system") or "open_deep_research")
    preset = str(_said(chosen, "preset") or "medium")
    for key, value in _preset_row(system, preset).items():
        chosen.setdefault(key, (value, f"preset {preset}"))


def _said(chosen: Chosen, key: str) -> Any:
    return chosen.get(key, (None, ""))[0]


def _build(chosen: Chosen) -> Settings:
    tree: dict[str, Any] = {}
    for key, (value, _) in chosen.items():
        *parents, last = key_parts(key)
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
            f"Setting '{key}'{value} ({where}): {in_plain_words(first)}.",
            "`deep-research settings` lists every key with its meaning.",
        ) from None
    settings._origin = {key: where for key, (_, where) in chosen.items()}
    return settings


def check_key(key: str, where: str = "argument") -> None:
    """Refuse a key that is no setting, naming the nearest one."""
    known = [name for name, _, _ in flat_settings(Settings())]
    if key in OPEN_TABLES:
        raise SettingsError(f"Setting '{key}' ({where}) is a table.", f"For example: {key}.NAME = ...")
    if key in known or any(key.startswith(table + ".") for table in OPEN_TABLES):
        if key.startswith(("models.", "prompts.", "tools.")):
            _check_role(key, where)
        return
    ends = [name for name in known if name.endswith(f".{key}")]
    other = f"Did you mean '{ends[0]}'?" if ends else "`deep-research settings` lists them all."
    raise SettingsError(f"Unknown setting '{key}' ({where}).", nearest_hint(key, known, other, cutoff=0.3))


def _check_role(key: str, where: str) -> None:
    table, name = key.split(".", 1)
    known = {"models": [*ROLE_SLOTS, "model", *SLOTS], "prompts": [*PROMPTS]}.get(table, [*ROLE_SLOTS])
    if name not in known:
        hint = nearest_hint(key, [f"{table}.{name}" for name in known], cutoff=0.7)
        raise SettingsError(f"Unknown role '{name}' in setting '{key}' ({where}).", hint)


def _preset_row(system: str, preset: str) -> dict[str, Any]:
    if system not in PRESETS:
        hint = nearest_hint(system, PRESETS, "`deep-research systems` lists them.", cutoff=0.5)
        raise SettingsError(f"Unknown system '{system}'.", hint)
    return PRESETS[system].get(preset, {})


def home_folder(out: str | Path | None = None) -> Path:
    """Where runs are kept: `out` if it is given, else `DEEP_RESEARCH_HOME`, else `./runs`."""
    return Path(out or os.environ.get("DEEP_RESEARCH_HOME") or "runs")
