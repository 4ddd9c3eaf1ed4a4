"""The grid file of `compare`: which questions, systems and settings, as TOML.

questions = ["..."]              # and, or: sample questions of the offline web, by class
classes = ["comparison", "multi_hop"]
limit = 2                        # of each class
systems = ["open_deep_research", "single_shot"]
settings.budget.model_calls = 30 # for all
settings.model = "local"         # as on the command line; so are search, docs and knowledge
[variants.few]                   # by name, on top of them
search.results = 2
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError, model_validator

from deep_research.core.errors import SettingsError, nearest_hint
from deep_research.settings import load_settings
from deep_research.settings.choices import Choices, with_choices
from deep_research.settings.layers import dotted_items, read_toml
from deep_research.settings.values import Once, SettingsTable, in_plain_words

Names = Annotated[list[str], Once]


class Grid(SettingsTable):
    """A grid as its file has it."""

    questions: Names = Field([], description="Questions in words.")
    classes: Names = Field([], description="Classes of the offline web's sample questions.")
    limit: int | None = Field(None, ge=1, description="Sample questions of each class, at most.")
    systems: Names | None = Field(None, description="Names; none given means all and the baseline.")
    settings: dict[str, Any] = Field({}, description="Settings of all cells.")
    variants: dict[str, dict[str, Any]] = Field({}, description="Settings that differ, by name.")

    @model_validator(mode="after")
    def _limits_something(self) -> Grid:
        if self.limit and not self.classes:
            raise ValueError("limit is about classes, and none are named")
        return self

    def all_settings(self) -> dict[str, dict[str, Any]]:
        """Every variant with the common settings beneath it, by name."""
        common = with_choices(dotted_items(self.settings))
        return {
            name: common | with_choices(dotted_items(own))
            for name, own in (self.variants or {"default": {}}).items()
        }

    def all_questions(self) -> list[str]:
        """The questions in words, then the sample questions, in the order of the classes."""
        return [*self.questions, *self._samples()]

    def _samples(self) -> list[str]:
        from deep_research.runs.offline import invented_web, sample_questions

        web = invented_web(load_settings(with_choices(dotted_items(self.settings))).web)
        return [q.text for q in sample_questions(web, self.classes, self.limit)] if self.classes else []


def read_grid(path: Path) -> Grid:
    """The grid of a file. Raises `SettingsError` with the one thing that is wrong with it."""
    data = read_toml(path, f"The grid '{path}'", "Give a TOML file.")
    for key in data:
        if key not in Grid.model_fields:
            is_choice = key in Choices.__annotations__ and key != "system"
            hint = f"Write settings.{key}." if is_choice else nearest_hint(key, Grid.model_fields)
            raise SettingsError(f"Unknown key '{key}' in the grid '{path}'.", hint)
    try:
        return Grid(**data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        said = ": ".join(filter(None, (place, in_plain_words(first))))
        raise SettingsError(f"The grid '{path}': {said}.", _form(place)) from None


def _form(place: str) -> str:
    if not place:
        return "Name some under `classes`, or leave it out."
    return f"{place.partition('.')[0]}: {Grid.model_fields[place.partition('.')[0]].description}"
