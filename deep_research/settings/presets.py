"""The presets: what each design's limits are when it is quick, as published, or deep (`presets.toml`).

`small` is `quick` for a model of few billion parameters on a machine without a GPU, which may take minutes
for an answer and takes little text at a time.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

from deep_research.text.data import read_data

PresetName = Literal["small", "quick", "medium", "deep", "auto"]
PRESET_NAMES: tuple[PresetName, ...] = get_args(PresetName)
PRESETS: dict[str, dict[str, dict[str, Any]]] = read_data(__file__, "presets.toml")
"""System × preset → the settings that differ from the defaults, by dotted key."""
_EVERY_SMALL = PRESETS.pop("every_small")["small"]
for _presets in PRESETS.values():
    _presets["small"] = {**_presets["quick"], **_EVERY_SMALL, **_presets.get("small", {})}
PRESETS["auto"] = {
    name: PRESETS["open_deep_research"][name] | PRESETS["shallow_researcher"][name] for name in PRESET_NAMES
}
