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


class KnowledgeSettings(Part):
    """Notes of your own that are looked up beside the search."""

    paths: list[str] = Field([], description="Folders or files with your own notes.")
    passages: int = Field(4, ge=1, le=20, description="Passages that a look-up returns, at most.")
    chunk_size: int = Field(1_200, ge=200, le=3_000, description="Characters of one passage, at most.")
    chunk_overlap: int = Field(150, ge=0, le=1_000, description="Characters that neighbours share.")
    embedding: Literal["hashed-ngrams", "none"] = Field(
        "hashed-ngrams", description="What passages are compared by besides their words."
    )


class CalculationSettings(Part):
    """How far one calculation of the code tool may go."""

    seconds: float = Field(2.0, gt=0, le=60, description="Time that the code of one calculation may take.")
    memory_mb: int = Field(64, ge=8, le=1_024, description="Memory that it may take, in megabytes.")
    output: int = Field(2_000, ge=100, le=20_000, description="Characters that it may put out.")
