"""The presets: what each design's limits are when it is to be quick, as published, or deep.

Data only. `medium` is the published design, and so the defaults in `settings.py`; a row holds what differs.
The topic queue's design names its presets itself; its defaults are those of `settings.py`.
"""

from __future__ import annotations

from typing import Any

PRESET_NAMES = ("quick", "medium", "deep", "auto")

PRESETS: dict[str, dict[str, dict[str, Any]]] = {
    "open_deep_research": {
        "quick": {
            "limits.max_researcher_iterations": 2,
            "limits.max_concurrent_research_units": 2,
            "limits.max_react_tool_calls": 4,
            "search.results": 3,
        },
        "medium": {},
        "deep": {
            "limits.max_researcher_iterations": 10,
            "limits.max_concurrent_research_units": 8,
            "limits.max_react_tool_calls": 20,
            "search.results": 8,
        },
        "auto": {"limits.max_researcher_iterations": 8, "limits.max_react_tool_calls": 15},
    },
    "shallow_researcher": {
        "quick": {"limits.max_llm_turns": 5, "limits.max_tool_iterations": 2, "search.results": 3},
        "medium": {},
        "deep": {"limits.max_llm_turns": 20, "limits.max_tool_iterations": 12, "search.results": 8},
        "auto": {"limits.max_llm_turns": 12, "limits.max_tool_iterations": 8},
    },
    "graph_agent": {
        "quick": {"concurrency": 4, "graph.max_questions": 3, "graph.max_revisions": 0, "search.results": 3},
        "medium": {"concurrency": 4},
        "deep": {"concurrency": 4, "graph.max_revisions": 3, "search.results": 8},
        "auto": {"concurrency": 4},
    },
    "topic_queue": {
        "quick": {
            "queue.decompose": "manual", "queue.initial_topics": 1, "queue.max_length": 1, "queue.room": 0,
            "queue.max_iterations": 1,
        },
        "medium": {"queue.decompose": "manual", "queue.initial_topics": 5, "queue.max_iterations": 4},
        "deep": {"queue.decompose": "manual", "queue.initial_topics": 8, "queue.max_iterations": 7},
        "auto": {
            "queue.decompose": "auto", "queue.auto_max_topics": 8, "queue.max_iterations": 6,
            "queue.iteration_mode": "flexible",
        },
    },
}  # fmt: skip
PRESETS["auto"] = {
    name: PRESETS["open_deep_research"][name] | PRESETS["shallow_researcher"][name] for name in PRESET_NAMES
}
"""System × preset → the settings that differ from the defaults; `medium` is the published design."""
