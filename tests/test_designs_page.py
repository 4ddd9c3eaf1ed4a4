"""The page on the designs names settings, files and roles that exist, and speaks of every design."""

from __future__ import annotations

import json
import re
from pathlib import Path

from deep_research.settings import ROLE_SLOTS, Settings, check_key, flatten
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
    tables = {key.partition(".")[0] for key, _, _ in flatten(Settings())}
    keys = {key for key in re.findall(r"`([a-z_]+\.[a-z_.]+)`", PAGE) if key.partition(".")[0] in tables}
    assert len(keys) > 20
    for key in sorted(keys):
        check_key(key, "docs/designs.md")


def test_the_defaults_on_the_page_are_those_of_the_settings() -> None:
    """Rows with one setting and one plain number; words such as `auto` are read by people."""
    defaults = {key: value for key, value, _ in flatten(Settings())}
    rows = re.findall(r"^\|[^|]*\| `([a-z_.]+)` \| ([\d.,]+)\b", PUBLISHED, re.MULTILINE)
    assert len(rows) >= 10
    for key, shown in rows:
        assert float(shown.replace(",", "")) == defaults[key], key


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
