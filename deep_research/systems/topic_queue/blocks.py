"""The topic queue as plain data: blocks, what was asked for each, and a queue that grows at its tail.

Nothing here calls a model or knows how many workers there are. A proposal is not an admission:
`screen_proposal` says at once why a proposal is refused; `TopicQueue.admit` decides when its author is done.
Nobody waits for that, since it depends on the author's own line only. The places beyond the first topics are
dealt to these beforehand, as the budget is; an added topic takes the next place of its parent, and its number
with it, and shares the places that are left with its siblings. So the queue is the same whoever finishes
first. The price: two lines may come upon one topic; the two are joined after the research. A block's number
names its branch: `S3.2` is the second source of block 3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field, field_validator

from deep_research.core.errors import ResearchError
from deep_research.core.records import Ended, Record
from deep_research.settings.parts import QueueSettings
from deep_research.text.language import shorten

from .likeness import same_topic

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


class IterationDecision(Record):
    """One of the two decisions of an iteration: is it enough, or else what is asked, with what, and why."""

    iteration: int
    phase: str
    kind: DecisionKind
    choice: str = Field(description="yes or no; or the tool and what it is asked")
    reason: str


class Refusal(Record):
    """A proposal that was not taken, and why."""

    title: str
    parent: str
    reason: str


class TopicBlock(Record):
    """One topic on its way through the queue."""

    block_id: str
    sub_topic: str
    overview: str = ""
    status: BlockStatus = "pending"
    tool_traces: list[ToolTrace] = Field(default_factory=list)
    decisions: list[IterationDecision] = Field(default_factory=list)
    iteration_count: int = 0
    ended: Ended | Literal[""] = ""
    created_at: str = ""
    updated_at: str = ""
    refused: list[Refusal] = Field(default_factory=list)
    metadata: dict[str, Any] = Field(
        default_factory=dict,
        description="parent, score, depth; known: topics that it may know; places: numbers of its own topics",
    )

    @property
    def number(self) -> int:
        """Its place in the queue, from 1; it names the branch."""
        return _number(self.block_id)

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


def _number(block_id: str) -> int:
    return int(block_id.removeprefix("block_") or 1)


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


class TopicQueue(Record):
    """The queue: blocks by number, and how many of them it may ever hold."""

    research_id: str
    blocks: list[TopicBlock] = Field(default_factory=list)
    max_length: int

    @property
    def refused(self) -> list[Refusal]:
        """What was proposed and not taken, by block."""
        return [refusal for block in self.blocks for refusal in block.refused]

    def get(self, number: int) -> TopicBlock:
        """The block of a number; raises `QueueError` if there is none."""
        found = next((block for block in self.blocks if block.number == number), None)
        if found is None:
            raise QueueError(f"The queue has no block {number}.")
        return found

    def put(self, block: TopicBlock) -> None:
        """Put a block into its place, instead of the one that was there."""
        others = [other for other in self.blocks if other.number != block.number]
        self.blocks = sorted([*others, block], key=lambda one: one.number)

    def admit(
        self, proposals: Sequence[Proposal], settings: QueueSettings, now: str, most: int | None = None
    ) -> list[TopicBlock]:
        """Take what passes of the proposals of one block, in order, and note why the others are refused.

        `most` is how many topics its budget has room for; None means any number. Its places are its own, and
        nobody else's proposals count.
        """
        if not proposals:
            return []
        parent, admitted = self.get(_number(proposals[0].parent)), list[TopicBlock]()
        known, places, depth = self.known_to(parent), parent.metadata["places"], parent.metadata["depth"] + 1
        for proposal in proposals:
            titles = [block.sub_topic for block in [*known, *admitted]]
            reason = screen_proposal(proposal, titles, depth, settings)
            if not reason and len(admitted) >= len(places):
                reason = f"the queue is full ({parent.block_id} may lead to {len(places)} topics)"
            if not reason and most is not None and len(admitted) >= most:
                reason = "the budget has no room for another topic"
            if reason:
                parent.refused.append(Refusal(title=proposal.title, parent=proposal.parent, reason=reason))
                continue
            origin = {"parent": proposal.parent, "score": proposal.score, "because": proposal.because}
            admitted.append(_new_block(places[len(admitted)], proposal, now, depth=depth, **origin))
        if admitted:
            parent.metadata["places"] = []
            _deal(admitted, places[len(admitted) :], [block.number for block in [*known, *admitted]])
        for block in admitted:
            self.put(block)
        return admitted

    def known_to(self, block: TopicBlock) -> list[TopicBlock]:
        """The topics that a block may know, the same ones whoever is faster: the first ones, and its line."""
        return [self.get(number) for number in block.metadata["known"]]

    def refused_before(self, block: TopicBlock) -> list[Refusal]:
        """What was refused to those that a block comes from."""
        if not (name := block.metadata.get("parent", "")):
            return []
        parent = self.get(_number(name))
        return [*self.refused_before(parent), *parent.refused]

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


def screen_proposal(proposal: Proposal, known: Sequence[str], depth: int, settings: QueueSettings) -> str:
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
    return max(settings.max_length, topics * (1 + settings.room))


def new_queue(
    research_id: str, topics: Sequence[Mapping[str, str]], settings: QueueSettings, now: str
) -> TopicQueue:
    """A queue of the first topics, each with `title` and `overview`."""
    blocks = [
        _new_block(number, Proposal(**topic), now, depth=0) for number, topic in enumerate(topics, start=1)
    ]
    most = room_for(len(topics), settings)
    _deal(
        blocks, range(len(blocks) + 1, most + 1) if settings.room else (), [block.number for block in blocks]
    )
    return TopicQueue(research_id=research_id, blocks=blocks, max_length=most)


def _new_block(number: int, topic: Proposal, now: str, **metadata: Any) -> TopicBlock:
    return TopicBlock(
        block_id=f"block_{number}", sub_topic=topic.title, overview=topic.overview,
        created_at=now, updated_at=now, metadata=metadata,
    )  # fmt: skip


def _deal(blocks: Sequence[TopicBlock], places: Sequence[int], known: Sequence[int]) -> None:
    """Deal the places for what may come of these blocks, and note which topics they know of."""
    for n, block in enumerate(blocks):
        block.metadata |= {"places": list(places[n :: len(blocks)]), "known": list(known)}
