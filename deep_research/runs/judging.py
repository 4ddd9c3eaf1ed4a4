"""A model reads a verified report outside any run: its verdicts, how often the rules agree, and the cost."""

from __future__ import annotations

from pydantic import Field

from deep_research.components.verifier import Verification
from deep_research.components.verifier.judging import judge_all, judgeable
from deep_research.core.clock import RealClock
from deep_research.core.records import Record, Usage
from deep_research.engine.clients import Models
from deep_research.engine.model_servers import require_servers
from deep_research.engine.store import RunStore
from deep_research.report import usage_of
from deep_research.settings import Settings
from deep_research.sources.search import CombinedSearch

from .environment import Environment, check_judge


class Judged(Record):
    """What came of asking a model about the sentences of a report.

    The rules agree with `supported` where they found evidence, and with any other verdict where they flagged
    the sentence; what they could not check counts on neither side.
    """

    model: str
    sentences: int = Field(description="sentences of which a source has a text")
    read: int = Field(description="of these, how many the model gave a valid verdict on")
    compared: int = Field(description="of these, how many the rules have a verdict on, too")
    agreed: int
    disagreements: list[str] = Field(default_factory=list, description="the sentences")
    failed: list[str] = Field(default_factory=list, description="why the others have no verdict")
    usage: Usage


async def judge_report(done: Verification, settings: Settings) -> Judged:
    """Ask the model of `settings` about every cited sentence; verdicts, reasons and marks of `done` change.

    A sentence on which it gives no valid verdict keeps what the rules say.
    """
    check_judge(settings)
    world = Environment(Models(settings), CombinedSearch([]), RealClock())
    store = RunStore()
    rules = [claim.verdict for claim in done.claims]
    try:
        world.models.prepare()
        await require_servers(settings)
        failed = await judge_all(done.claims, done.texts, world.context(settings, store=store))
        done.mark_doubts()
        usage = usage_of(store.calls, simulated=False)
    finally:
        store.close()
        await world.close()
    read = [
        (claim, was) for claim, was in zip(done.claims, rules, strict=True) if claim.checked_by == "judge"
    ]
    compared = [(claim, was) for claim, was in read if was in ("evidence_found", "flagged")]
    differing = [
        claim.text for claim, was in compared if (claim.verdict == "supported") != (was == "evidence_found")
    ]
    return Judged(
        model=settings.model_for("verifier"), sentences=len(judgeable(done.claims, done.texts)),
        read=len(read), compared=len(compared), agreed=len(compared) - len(differing),
        disagreements=differing, failed=failed, usage=usage,
    )  # fmt: skip
