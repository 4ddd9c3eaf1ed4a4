"""The vetter: who stands behind each source that the findings cite.

Every cited source gets its tier from `core/tiers.py`, by its address alone and for the same reason each
time. A model may add a remark (who speaks, what interest they have, how old it is); it has no tools, it can
neither raise a tier nor leave a source out, and without it the tiers stand all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from pydantic import BaseModel, Field

from deep_research.core.errors import BudgetExceeded, ModelError
from deep_research.core.records import Finding, Source
from deep_research.core.tiers import classify
from deep_research.engine.context import Context
from deep_research.engine.evidence import source_block
from deep_research.engine.prompting import system_prompt, user_message
from deep_research.engine.structured import structured
from deep_research.sources.ledger import sources_cited_in
from deep_research.text.fence import without_ids
from deep_research.text.language import shorten

_REMARK = 200


class Remark(BaseModel):
    """A remark on one source."""

    id: str = Field(description="The id of the source, such as S1.0.")
    remark: str = Field(description="What to keep in mind when relying on this source, in one sentence.")


class Remarks(BaseModel):
    """Remarks on the sources where there is something to remark."""

    remarks: list[Remark] = Field(
        description="At most one remark per source; none for a source that needs no remark."
    )


class Vetted(TypedDict):
    """One source after vetting; plain data, so that checkpoints hold it as it is."""

    id: str
    title: str
    tier: str
    reason: str
    remark: str


def cited_by(findings: Sequence[Finding], sources: Sequence[Source]) -> list[Source]:
    """The sources that the findings cite, each once, in order of first use."""
    cited = [source for finding in findings for source in sources_cited_in(finding.text, sources)]
    return list({source.id: source for source in cited}.values())


async def vet(cited: Sequence[Source], earlier: Sequence[Vetted], ctx: Context) -> list[Vetted]:
    """Each of these sources with tier, reason and remark; remarks of an earlier pass are kept.

    A source that has been seen before is not shown to the model again. A model that fails, or for which the
    budget has nothing left, costs the remarks only.
    """
    known = {vetted["id"]: vetted["remark"] for vetted in earlier}
    new = [source for source in cited if source.id not in known]
    remarks = {**known, **(await _remarks(new, ctx) if new else {})}
    return [_vetted(source, remarks.get(source.id, "")) for source in cited]


def vetted_by_rules(sources: Sequence[Source]) -> list[Vetted]:
    """Each of these sources with tier and reason, as the rules have them; no model is asked."""
    return [_vetted(source, "") for source in sources]


def _vetted(source: Source, remark: str) -> Vetted:
    tier, reason = classify(source.key, source.kind)
    return Vetted(id=source.id, title=source.title, tier=tier, reason=reason, remark=remark)


async def _remarks(sources: Sequence[Source], ctx: Context) -> dict[str, str]:
    """What the model has to say, by source id; ids that it was not shown count for nothing."""
    shown = "\n\n".join(source_block(source, source.snippet) for source in sources)
    try:
        answer = await structured("vetter", [system_prompt("vetter", ctx), user_message(shown)], Remarks, ctx)
    except (ModelError, BudgetExceeded) as error:
        ctx.emit("budget", role="vetter", text=f"no remarks on sources: {error}")
        return {}
    ids = {source.id for source in sources}
    return {one.id: shorten(without_ids(one.remark), _REMARK) for one in answer.remarks if one.id in ids}


def vetted_lines(vetted: Sequence[Vetted]) -> str:
    """The vetted sources as a list, for prompts and for people."""
    return "\n".join(
        f"- {one['id']}: {one['tier']} ({one['reason']}){': ' + one['remark'] if one['remark'] else ''}"
        for one in vetted
    )
