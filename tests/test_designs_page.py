"""The page on the designs names settings, files and roles that exist, and speaks of every design."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from deep_research.settings import Settings, check_key, flat_settings, load_settings
from deep_research.settings.roles import ROLE_SLOTS
from deep_research.systems import SYSTEMS

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = (DOCS / "designs.md").read_text(encoding="utf-8")
PUBLISHED = PAGE[PAGE.index("## Loops") : PAGE.index("The names of nodes")]


def test_every_design_is_on_the_page_and_its_departures_too() -> None:
    departures = PAGE[PAGE.index("## Departures") : PAGE.index("## What they cost")]
    for name in SYSTEMS:
        assert f"`{name}`" in PAGE
        assert name == "auto" or f"| `{name}` |" in departures


def test_every_setting_on_the_page_exists() -> None:
    tables = {key.partition(".")[0] for key, _, _ in flat_settings(Settings())}
    dotted = re.findall(r"`([a-z_]+\.[a-z_.]+)`", PAGE)
    keys = {key for key in dotted if key.partition(".")[0] in tables and not key.endswith(".py")}
    assert len(keys) > 20
    for key in sorted(keys):
        check_key(key, "docs/designs.md")


def test_the_defaults_on_the_page_are_those_that_each_design_runs_with() -> None:
    """Rows under a design's name are compared with what `deep-research settings --system NAME` prints."""
    rows = [[cell.strip() for cell in line.split("|")] for line in PUBLISHED.splitlines()]
    caps = [row[1:4] for row in rows if len(row) == 5]
    checked: dict[str, int] = {}
    for first, names, shown in caps[caps.index(["published", "here", "default"]) + 2 :]:
        if name := re.fullmatch(r"\*\*`(\w+)`\*\*", first):
            design, checked[name[1]] = load_settings({"system": name[1]}), 0
        else:
            values = [value_of(key, design) for key in re.findall(r"`([a-z_.]+)`", names)]
            assert shown == ("–" if {*values} == {"–"} else ", ".join(values)), names
            checked[next(reversed(checked))] += 1
    assert {*checked} == {*SYSTEMS} - {"auto"} and min(checked.values()) > 2


def value_of(key: str, settings: Settings) -> str:
    """A setting's value as the page shows it."""
    value: Any = settings
    for name in key.split("."):
        value = value.get(name) if isinstance(value, dict) else getattr(value, name)
    if isinstance(value, int):
        return f"{value:,}"
    return "–" if value is None else ", ".join(value) if isinstance(value, list) else str(value)


def test_every_role_on_the_page_exists() -> None:
    table = PAGE[PAGE.index("## Roles") : PAGE.index("## Loops")]
    named = {word for row in re.findall(r"^\| `\w+` \|(.*)\|$", table, re.MULTILINE)
             for word in re.findall(r"[a-z_]+", row)}  # fmt: skip
    assert {"clarifier", "planner", "supervisor", "vetter", "critic", "writer"} <= named & {*ROLE_SLOTS}


def test_every_link_on_the_page_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)", PAGE)
    assert links and all((DOCS / link).exists() for link in links if "://" not in link)


def test_the_figures_on_the_page_are_those_of_the_evidence() -> None:
    evidence = json.loads((DOCS / "evidence.json").read_text(encoding="utf-8"))
    measured = evidence.get("designs", {"markdown": ""})["markdown"]
    shown = PAGE[PAGE.index("<!-- measured -->") : PAGE.index("<!-- /measured -->")]
    rows = [line for line in shown.splitlines() if line.startswith("| ") and "---" not in line]
    assert all(line in measured for line in rows) and bool(rows) == bool(measured)
