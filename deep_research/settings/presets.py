"""The presets: what each design's limits are when it is quick, as published, or deep (`presets.toml`)."""

from __future__ import annotations

from typing import Any

from deep_research.text.data import read_data

PRESET_NAMES = ("quick", "medium", "deep", "auto")
PRESETS: dict[str, dict[str, dict[str, Any]]] = read_data(__file__, "presets.toml")
"""System × preset → the settings that differ from the defaults, by dotted key."""
PRESETS["auto"] = {
    name: PRESETS["open_deep_research"][name] | PRESETS["shallow_researcher"][name] for name in PRESET_NAMES
}
