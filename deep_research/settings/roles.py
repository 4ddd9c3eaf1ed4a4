"""The roles of a run, the model slot that each falls back to, and what has a prompt. Data only."""

from __future__ import annotations

_ROLES = (
    *"clarifier brief_writer query_rewriter router supervisor researcher summarizer compressor".split(),
    *"writer verifier planner vetter critic orchestrator".split(),
)
ROLE_SLOTS = dict.fromkeys(_ROLES, "decide") | {
    "summarizer": "summarize", "compressor": "compress", "writer": "write", "verifier": "judge",
}  # fmt: skip
"""Each role's model slot: a role without a model of its own uses the slot's, then `model`."""

PROMPTS = (
    *ROLE_SLOTS,
    *"router_check shallow_researcher synthesis_anchor writer_outline writer_section planner_search".split(),
    *"research_plan agent_files history_summary rephraser rephrase_check decomposer topic_researcher".split(),
    *"sufficiency note_taker topic_merger report_outline".split(),
)
"""What has a prompt: each role; the router's second look; the shallow researcher (researcher and writer in
one) and what it is told at the end; the writer's two for a report in sections; the deep researcher's planner
with its searches and its plan, and what all of its agents are told of their files and of summaries; the topic
queue's own, for planner, researcher, compressor and writer."""

MAIN_ROLES = {"deep_researcher": ("orchestrator", ("planner", "researcher"))}
"""System → the role whose model stands in for those of its sub-agents where they have none of their own."""

SLOTS = tuple(dict.fromkeys(ROLE_SLOTS.values()))
