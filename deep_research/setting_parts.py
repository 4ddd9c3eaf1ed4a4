"""Settings that belong to one design or one kind of evidence; `settings.Settings` holds them as parts."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from .setting_types import Part


class GraphSettings(Part):
    """How far the graph agent's own loops may go (its published limits)."""

    min_questions: int = Field(3, ge=1, le=20, description="Questions of a plan, at least.")
    max_questions: int = Field(5, ge=1, le=20, description="Questions of a plan, at most.")
    max_concurrent_questions: int = Field(3, ge=1, description="Questions researched side by side.")
    max_revisions: int = Field(2, ge=0, description="Times that weak questions are researched again.")
    max_feedback_passes: int = Field(2, ge=0, description="Passes that a reviewer's remarks may start.")
    max_node_visits: int = Field(40, ge=1, description="Times that one node may run; a safety net.")
    link_seconds: float = Field(20.0, gt=0, description="Time for checking all cited links together.")

    @model_validator(mode="after")
    def _in_order(self) -> GraphSettings:
        if self.min_questions > self.max_questions:
            raise ValueError("min_questions is larger than max_questions")
        return self


class DeepSettings(Part):
    """How far the deep researcher's loops may go, and when its agents' conversations are cut."""

    min_queries: int = Field(4, ge=1, le=20, description="Queries of a research plan, at least.")
    max_queries: int = Field(6, ge=1, le=20, description="Queries of a research plan, at most.")
    planner_searches: int = Field(2, ge=1, description="Search calls of the planner before it revises.")
    max_loops: int = Field(2, ge=1, description="Rounds of research, the plan's own included.")
    max_plan_changes: int = Field(3, ge=0, description="Times that a plan is changed on a person's word.")
    max_run_retries: int = Field(1, ge=0, description="Times that a run is begun again to complete a report.")
    evict_above: int = Field(20_000, ge=100, description="Tokens from which a result goes to a file.")
    summarize_at: float = Field(
        0.85, gt=0, le=1, description="Part of the context window at which a conversation is summarized."
    )
    keep_messages: int = Field(6, ge=1, description="Messages that a summary leaves as they are.")

    @model_validator(mode="after")
    def _in_order(self) -> DeepSettings:
        if self.min_queries > self.max_queries:
            raise ValueError("min_queries is larger than max_queries")
        return self


class KnowledgeSettings(Part):
    """Notes of your own that are looked up beside the search."""

    paths: list[str] = Field([], description="Folders or files with your own notes.")
    passages: int = Field(4, ge=1, le=20, description="Passages that a look-up returns, at most.")
    chunk_size: int = Field(1_200, ge=200, le=3_000, description="Characters of one passage, at most.")
    chunk_overlap: int = Field(150, ge=0, le=1_000, description="Characters that neighbours share.")
    embedding: Literal["hashed-ngrams", "none"] = Field(
        "hashed-ngrams", description="What passages are compared by besides their words."
    )
