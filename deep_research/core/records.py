"""The data that flows through every system, as small typed records.

State is the only truth about a run. Page text is not here: it lives once in the page store, and these
records hold ids, titles and snippets. The reducers, which merge what branches return, stand at the end. The
state of each graph stands in its own file in `systems/`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Kind = Literal["web", "document", "paper", "row", "calculation"]
Use = Literal["seen", "read", "cited"]
USES: tuple[Use, ...] = ("seen", "read", "cited")
Verdict = Literal[
    "unchecked",
    "evidence_found",
    "flagged",
    "uncheckable",
    "supported",
    "partial",
    "contradicted",
    "unsupported",
]
Status = Literal["failed", "needs_input", "rejected", "no_evidence", "partial", "complete"]
"""How a run ended. `partial`: a report with something missing, which it names; `rejected`: by a person."""
Ended = Literal["done", "no_tool_call", "limit", "nothing_new", "enough", "unreviewed"]
"""Why a loop ended.

`done`: the model or the critic said so. `no_tool_call`: the model asked for nothing more. `limit`: a cap or
the budget. `nothing_new`: the last searches or the last pass brought nothing. `enough`: enough good sources,
or the topic is settled. `unreviewed`: there was no verdict of the critic to go on with.
"""


class Record(BaseModel):
    """Base of all records: unknown fields are refused, so a typing slip cannot vanish."""

    model_config = ConfigDict(extra="forbid")


class Source(Record):
    """One retrieved document, known by `id` to models and by url or citation key to readers."""

    id: str = Field(description="S<branch>.<n>: the branch that found it, then a counter inside that branch")
    kind: Kind = "web"
    url: str | None = None
    citation_key: str | None = Field(
        None, description="what is cited where there is no url: 'report.pdf, p.15'"
    )
    page: int | None = None
    title: str = ""
    published: str | None = Field(None, description="ISO date, when the document says so")
    retrieved_at: str = ""
    query: str = Field("", description="the search that found it first")
    tool: str = "search"
    asked_by: str = ""
    tier: str = "unverified"
    tier_reason: str = ""
    content_hash: str = Field(
        "", description="key of the full text in the page store; empty if only a snippet"
    )
    more_texts: list[str] = Field(
        default_factory=list,
        description="keys of other parts of a long page, which other searches have found",
    )
    cut: int = Field(0, description="characters of the page that no model was given")
    snippet: str = ""
    readings: list[str] = Field(
        default_factory=list, description="page-store keys of what models were given to read"
    )
    use: Use = "seen"
    aliases: list[str] = Field(default_factory=list, description="ids under which other branches found it")

    @property
    def key(self) -> str:
        """What makes two sources the same one: the url, or the citation key."""
        return self.url or self.citation_key or self.id


class Finding(Record):
    """What one researcher found out about its topic, resting on sources; never an error or a reflection."""

    branch: str
    topic: str
    text: str
    source_ids: list[str] = Field(default_factory=list)
    queries: list[str] = Field(default_factory=list)
    ended: Ended | None = Field(
        "done", description="None where the loop is the run's own, which is told apart."
    )


GapKind = Literal[
    "branch_failed", "timeout", "no_results", "budget", "unanswered", "refused_topic", "skipped_file",
    "uncited", "unreviewed", "dead_link", "page_cut", "own_search",
    "invented_web",
]  # fmt: skip


class Gap(Record):
    """Something that was wanted and not got; the report names it."""

    kind: GapKind
    topic: str
    message: str = Field(description="what it says, in English; a report says it in its own language")
    branch: str = "0"
    said: str = Field("", description="the sentence of `gaps.toml` that says it")
    fields: dict[str, str] = Field(default_factory=dict, description="what that sentence names")


@dataclass(frozen=True, slots=True)
class Material:
    """Everything that a report is written from; `remark` is what was said of an earlier draft."""

    question: str
    brief: str = ""
    history: Sequence[Mapping[str, str]] = ()
    findings: Sequence[Finding] = ()
    sources: Sequence[Source] = ()
    gaps: Sequence[Gap] = ()
    remark: str = ""

    @classmethod
    def of(cls, state: Mapping[str, Any]) -> Material:
        """The material in a graph's state, with the findings in the order of their branches."""
        found = sorted(state.get("findings", []), key=lambda finding: int(finding.branch))
        return cls(
            state["question"], state.get("brief") or "", state["history"], found,
            state.get("sources", []), state.get("gaps", []),
        )  # fmt: skip


class Claim(Record):
    """One sentence of the report, the numbers of the sources that it cites, and what the check says of it."""

    text: str
    sources: list[int] = Field(default_factory=list)
    verdict: Verdict = "unchecked"
    reasons: list[str] = Field(default_factory=list)
    quote: str | None = Field(None, description="the best passage, verbatim, even of a flagged sentence")
    checked_by: str | None = Field(None, description="rules, or judge if a model has read the passages")
    quoted_from: int | None = Field(None, description="the number of the source that the quote is from")
    start: int | None = Field(None, description="where the quote starts in that source's text")
    end: int | None = None
    score: float | None = Field(None, description="0 to 1: how much of the sentence was found")
    basis: Literal["text", "snippet"] = Field("text", description="what was known of the quoted source")
    lacking: list[int] = Field(
        default_factory=list,
        description="of several cited sources, those that do not bear out what another does",
    )
    differs: list[str] = Field(default_factory=list, description="its words that a reason is about, if known")


class Statement(Record):
    """What one source says where sources differ; without a number the report does not cite it."""

    number: int | None
    title: str
    published: str | None
    tier: str
    value: str


ConflictReason = Literal["tier", "newer", "weaker", "stale", "none"]


class Conflict(Record):
    """Sources that state different values for one thing: the value used, and what its source tells about it.

    `reason` is `tier` (more authoritative than the others) or `newer` (more recent, at equal authority) where
    that speaks for the value used; `weaker` (another is more authoritative) or `stale` (another of equal
    authority is more recent) where it speaks against it; `none` where nothing tells which is right.
    """

    about: str = Field(description="the sentence of the report")
    used: str
    reason: ConflictReason
    statements: list[Statement] = Field(description="the one used first")


class Removed(Record):
    """A citation that code took out of the report, and why."""

    number: str = Field(description="the marker as the model wrote it")
    url: str | None = None
    citation_key: str | None = None
    reason: str


class RoleUsage(Record):
    """What one role spent."""

    model_calls: int = 0
    searches: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    seconds: float = Field(
        0.0, description="Inside calls, added up: of calls side by side each counts. Not time on the clock."
    )

    def add(self, other: RoleUsage) -> None:
        """Add another's figures to these."""
        for name in RoleUsage.model_fields:
            setattr(self, name, round(getattr(self, name) + getattr(other, name), 9))


class Usage(RoleUsage):
    """What a run spent in all; the sum of `by_role`."""

    by_role: dict[str, RoleUsage] = Field(default_factory=dict)

    def charge(self, role: str, spent: RoleUsage) -> None:
        """Book `spent` on a role and on the total."""
        self.by_role.setdefault(role, RoleUsage()).add(spent)
        self.add(spent)


class CitedSource(Record):
    """A source as a report shows it; `number` is None for one that was not cited."""

    id: str
    number: int | None
    kind: Kind
    url: str | None
    citation_key: str | None
    page: int | None
    title: str
    tier: str
    published: str | None
    use: Use
    query: str = Field("", description="the search that found it first")
    tool: str = ""
    asked_by: str = ""
    aliases: list[str] = Field(default_factory=list, description="ids under which other branches found it")
    content_hash: str = Field("", description="its text in the run's folder: `pages/<content_hash>.txt`")


def id_order(source_id: str) -> tuple[int, ...]:
    """Sort key of a source id: S2.10 after S2.9."""
    return tuple(int(part) for part in source_id.lstrip("S").split(".") if part.isdigit())


def append(existing: Sequence[Any], new: Sequence[Any]) -> list[Any]:
    """Reducer: new items after the old ones."""
    return [*existing, *new]


def append_batches(existing: Sequence[Any] | None, batches: Sequence[Sequence[Any]]) -> list[Any]:
    """The same for a delta channel, which hands over several writes at once."""
    return [*(existing or []), *(item for batch in batches for item in batch)]


RECORDS: tuple[type, ...] = (Source, Finding, Gap)
"""Types that checkpoints hold."""
