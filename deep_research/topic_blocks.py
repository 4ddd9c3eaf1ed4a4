"""The topic queue as plain data: blocks, what was asked for each, and a queue that grows at its tail.

Nothing here calls a model or knows how many workers there are. A proposal is not an admission: `screen` says
at once why a proposal is refused, from what its author could know; `TopicQueue.admit` decides again when its
turn comes, and gives the number. Blocks are numbered in the order of the queue, and the number names the
branch, so that `S3.2` is the second source of block 3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field, field_validator

from .errors import ResearchError
from .setting_parts import QueueSettings
from .state import Ended, Record
from .text import shorten
from .topic_likeness import same_topic

BlockStatus = Literal["pending", "researching", "completed", "failed"]
DecisionKind = Literal["sufficient", "ask"]
_MOVES: dict[str, tuple[str, ...]] = {
    "pending": ("researching",),
    "researching": ("completed", "failed"),
    "failed": ("pending",),
    "completed": (),
}


class QueueError(ResearchError):
    """Something that a queue never does: an illegal change of status, or a number that it does not have."""


class ToolTrace(Record):
    """One call of a tool and what came of it. `raw_answer` is the page-store key of the whole answer."""

    tool_id: str = Field(description="<block>.<n>: the block, then a counter inside it")
    citation_id: str = Field("", description="the first source of the answer as readers see it; '' if none")
    tool_type: str
    query: str
    raw_answer: str = ""
    summary: str = Field("", description="the note that was taken of the answer")
    timestamp: str = ""
    source_ids: list[str] = Field(default_factory=list)
    error: str = ""


class Decision(Record):
    """One of the two decisions of an iteration: is it enough, or else what is asked, with what, and why."""

    iteration: int
    phase: str
    kind: DecisionKind
    choice: str = Field(description="yes or no; or the tool and what it is asked")
    reason: str


class TopicBlock(Record):
    """One topic on its way through the queue."""

    block_id: str
    sub_topic: str
    overview: str = ""
    status: BlockStatus = "pending"
    tool_traces: list[ToolTrace] = Field(default_factory=list)
    decisions: list[Decision] = Field(default_factory=list)
    iteration_count: int = 0
    ended: Ended | Literal[""] = ""
    created_at: str = ""
    updated_at: str = ""
    metadata: dict[str, Any] = Field(
        default_factory=dict,
        description="parent, score, depth; known and refused: how much of the queue its author may know",
    )

    @property
    def number(self) -> int:
        """Its place in the queue, from 1; it names the branch."""
        return int(self.block_id.removeprefix("block_"))

    @property
    def branch(self) -> str:
        """The branch in which it is researched."""
        return str(self.number)

    def move(self, status: BlockStatus, now: str) -> None:
        """Change the status; raises `QueueError` for a change that makes no sense."""
        if status not in _MOVES[self.status]:
            raise QueueError(f"{self.block_id} cannot go from {self.status} to {status}.")
        if self.status == "failed":
            self.metadata["retries"] = self.metadata.get("retries", 0) + 1
        self.status, self.updated_at = status, now


class Proposal(Record):
    """A further topic, as a model proposes it. A score that is no number counts as 0."""

    title: str
    overview: str = ""
    score: float = 0.0
    because: str = ""
    parent: str = ""

    @field_validator("score", mode="before")
    @classmethod
    def _number(cls, value: Any) -> float:
        text = str(value).strip()
        try:
            number = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            return 0.0
        return number if 0 <= number <= 1 else 0.0  # also: not a number, out of range


class Refusal(Record):
    """A proposal that was not taken, and why."""

    title: str
    parent: str
    reason: str


class TopicQueue(Record):
    """The queue: blocks in order, what was refused, and how many blocks it may ever hold."""

    research_id: str
    blocks: list[TopicBlock] = Field(default_factory=list)
    max_length: int
    refused: list[Refusal] = Field(default_factory=list)

    def add(self, title: str, overview: str, now: str, **metadata: Any) -> TopicBlock:
        """A new block at the tail; raises `QueueError` if there is no room."""
        if self.is_full:
            raise QueueError(f"The queue holds {self.max_length} topics and takes no more.")
        block = TopicBlock(
            block_id=f"block_{len(self.blocks) + 1}", sub_topic=title, overview=overview,
            created_at=now, updated_at=now, metadata={"depth": 0, **metadata},
        )  # fmt: skip
        self.blocks.append(block)
        return block

    @property
    def is_full(self) -> bool:
        """Whether it takes no more topics."""
        return len(self.blocks) >= self.max_length

    def get(self, number: int) -> TopicBlock:
        """The block of a number; raises `QueueError` if there is none."""
        if not 1 <= number <= len(self.blocks):
            raise QueueError(f"The queue has no block {number}.")
        return self.blocks[number - 1]

    def admit(
        self, proposals: Sequence[Proposal], settings: QueueSettings, now: str, most: int | None = None
    ) -> list[TopicBlock]:
        """Take what passes, in the order given, and note why the others are refused.

        `most` is how many topics the budget has room for; None means any number.
        """
        admitted: list[TopicBlock] = []
        for proposal in proposals:
            depth = self._depth(proposal.parent) + 1
            reason = screen(proposal, [block.sub_topic for block in self.blocks], depth, settings)
            if not reason and self.is_full:
                reason = f"the queue is full ({self.max_length} topics)"
            if not reason and most is not None and len(admitted) >= most:
                reason = "the budget has no room for another topic"
            if reason:
                self.refused.append(Refusal(title=proposal.title, parent=proposal.parent, reason=reason))
                continue
            origin = {"parent": proposal.parent, "score": proposal.score, "because": proposal.because}
            admitted.append(self.add(proposal.title, proposal.overview, now, depth=depth, **origin))
        self.freeze_view(admitted)
        return admitted

    def freeze_view(self, blocks: Sequence[TopicBlock]) -> None:
        """Note how much of the queue these blocks may know, whenever they begin: what is there now."""
        for block in blocks:
            block.metadata |= {"known": len(self.blocks), "refused": len(self.refused)}

    def known_to(self, block: TopicBlock) -> tuple[list[TopicBlock], list[Refusal]]:
        """The topics and refusals that a block may know, the same ones at any number of workers."""
        known, refused = block.metadata.get("known", 0), block.metadata.get("refused", 0)
        return self.blocks[:known], self.refused[:refused]

    def _depth(self, parent: str) -> int:
        return next((b.metadata["depth"] for b in self.blocks if b.block_id == parent), 0)

    def statistics(self) -> dict[str, int]:
        """How many blocks are in which state, and what was done for them."""
        states = Counter[str](block.status for block in self.blocks)
        return {
            "total": len(self.blocks),
            **{status: states[status] for status in _MOVES},
            "iterations": sum(block.iteration_count for block in self.blocks),
            "tool_calls": sum(len(block.tool_traces) for block in self.blocks),
            "refused": len(self.refused),
        }


def screen(proposal: Proposal, known: Sequence[str], depth: int, settings: QueueSettings) -> str:
    """Why a proposal is refused, from the topics that are known; '' if nothing speaks against it."""
    if not proposal.title.strip():
        return "it has no title"
    if proposal.score < settings.min_score:
        return f"its score {proposal.score:g} is below {settings.min_score:g}"
    if depth > settings.max_depth:
        return f"it would be {depth} steps from the first topics, and {settings.max_depth} are allowed"
    twin = next((title for title in known if same_topic(title, proposal.title)), "")
    return f"the topic “{shorten(twin, 50)}” covers it" if twin else ""


def room_for(topics: int, settings: QueueSettings) -> int:
    """How long the queue may get: as set, or longer where topics and discoveries would not fit."""
    return max(settings.max_length, topics + settings.room)


def new_queue(
    research_id: str, topics: Sequence[Mapping[str, str]], settings: QueueSettings, now: str
) -> TopicQueue:
    """A queue of the first topics, each with `title` and `overview`."""
    queue = TopicQueue(research_id=research_id, max_length=room_for(len(topics), settings))
    blocks = [queue.add(topic["title"], topic["overview"], now) for topic in topics]
    queue.freeze_view(blocks)
    return queue
