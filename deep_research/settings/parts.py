"""The parts settings are made of, small classes, a sentence per field; `settings.Settings` holds them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from .roles import ROLE_SLOTS
from .values import DistinctLines, FileFormat, Filled, HostName, IsoDay, OneLine, SettingsTable, SourceKind


class Limits(SettingsTable):
    """How far the designs' own loops may go (under their published names)."""

    max_researcher_iterations: int = Field(6, ge=1, description="Rounds of the supervisor.")
    max_concurrent_research_units: int = Field(5, ge=1, description="Topics researched at once, per round.")
    max_react_tool_calls: int = Field(10, ge=1, description="Tool calls of one researcher.")
    max_searches: int = Field(
        5, ge=1, description="Search calls of one researcher; each may hold several queries."
    )
    enough_sources: int = Field(
        3, ge=1, le=10, description="Good sources that a researcher names in its notes before it must stop."
    )
    compress: bool = Field(
        True, description="Boil each researcher's evidence down; without, the writer gets all that was read."
    )
    max_structured_output_retries: int = Field(
        3, ge=1, description="Tries for an object of the wanted schema."
    )
    max_content_length: int = Field(50_000, ge=500, description="Characters of one page that a model reads.")
    summarize_above: int = Field(
        2_500, ge=0, description="Pages longer than this (characters) are summarized."
    )
    max_question_length: int = Field(
        10_000, ge=100, description="Characters of a question; a longer one is refused before anything runs."
    )
    max_clarifications: int = Field(3, ge=0, description="Rounds of questions to the user, at most.")
    max_llm_turns: int = Field(
        10, ge=2, description="Turns of the shallow researcher, the one with its answer included."
    )
    max_tool_iterations: int = Field(
        5, ge=1, description="Tool calls of the shallow researcher, parallel ones counted one by one."
    )
    max_escalations: int = Field(
        1, ge=0, le=1, description="Times that a shallow answer may be followed by deep research."
    )
    recursion_limit: int = Field(200, ge=10, description="Graph steps, over all loops; a last safety net.")


class BudgetSettings(SettingsTable):
    """What a run may spend in all, resumes included; None is no cap."""

    model_calls: int | None = Field(None, ge=1, description="Calls to models.")
    searches: int | None = Field(None, ge=1, description="Searches sent.")
    sources: int | None = Field(None, ge=1, description="Different documents shown to models.")
    tokens: int | None = Field(None, ge=1000, description="Input and output tokens together.")
    cost_usd: float | None = Field(None, gt=0, description="Money, in US dollars.")
    seconds: float | None = Field(None, gt=0, description="Wall time; outside the promise of same bytes.")


class OutputTokens(SettingsTable):
    """The longest output of each model slot, in tokens."""

    decide: int = Field(
        10_000, ge=16, description="Roles that decide or search, and all others not named here."
    )
    summarize: int = Field(8_192, ge=16, description="Summaries of long pages.")
    compress: int = Field(8_192, ge=16, description="A researcher's findings.")
    write: int = Field(10_000, ge=16, description="The report.")
    judge: int = Field(1_024, ge=16, description="The verifier's word on one sentence.")

    def of(self, role: str) -> int:
        """The limit for a role."""
        return int(getattr(self, ROLE_SLOTS.get(role, "decide")))


class SearchSettings(SettingsTable):
    """Where evidence comes from, and which part of it is wanted."""

    providers: DistinctLines = Field(
        ["offline"], description="offline, tavily, arxiv, documents or none; several are searched together."
    )
    docs: Filled | None = Field(
        None, description="A folder, file or JSONL; searched alone unless providers name documents too."
    )
    results: int = Field(5, ge=1, le=20, description="Hits per query.")
    topic: Literal["general", "news", "finance"] = Field("general", description="Tavily's search topic.")
    raw_content: bool = Field(True, description="Fetch the page text with each hit, not only a snippet.")
    include_domains: list[HostName] = Field([], description="Search only these domains.")
    exclude_domains: list[HostName] = Field([], description="Never use these domains.")
    prefer_domains: list[HostName] = Field([], description="Hits from these domains come first.")
    block: DistinctLines = Field(
        [], description="Never use these pages or documents: addresses, or citation keys."
    )
    ban_kinds: list[SourceKind] = Field([], description="Never use sources of these tiers or kinds.")
    allow_kinds: list[SourceKind] = Field([], description="Use sources of these tiers or kinds only.")
    prefer_kinds: list[SourceKind] = Field(
        [], description="Hits of these tiers or kinds come first; half of the places stay with the best."
    )
    source_order: Literal["together", "internal_first", "external_first"] = Field(
        "together", description="Own documents and notes with the web, before it or after it."
    )
    after: IsoDay | None = Field(None, description="Only documents from this date on: YYYY-MM-DD.")
    before: IsoDay | None = Field(None, description="Only documents up to this date: YYYY-MM-DD.")

    @model_validator(mode="after")
    def _leaves_something(self) -> SearchSettings:
        if self.after and self.before and self.after > self.before:
            raise ValueError("after is later than before, so no date is left")
        if self.include_domains and all(_lies_in(one, self.exclude_domains) for one in self.include_domains):
            raise ValueError("exclude_domains takes out all of include_domains")
        if self.allow_kinds and set(self.allow_kinds) <= set(self.ban_kinds):
            raise ValueError("ban_kinds takes out all of allow_kinds")
        return self


def _lies_in(domain: str, others: list[str]) -> bool:
    name = domain.removeprefix("*.")
    return any(f".{name}".endswith(f".{other.removeprefix('*.')}") for other in others)


class WriterSettings(SettingsTable):
    """How the report is written."""

    mode: Literal["one_shot", "sections"] = Field(
        "one_shot", description="One call, or an outline and then one call per section, side by side."
    )
    reviews: int = Field(
        0, ge=0, le=5, description="Times that the critic may send a draft back to the writer."
    )
    citation_style: Literal["numbers", "anchors"] = Field(
        "numbers", description="[1] and a list, or links to a list by topic with tool and query."
    )


class OutputSettings(SettingsTable):
    """What the report is to be like: its form, length and parts.

    Together with the period, the regions and what is left out (`scope`) and the language (`language`) this is
    the output specification: clarifier, brief writer and writer are told of it, and code enforces what can
    be enforced.
    """

    form: Literal["report", "slides", "key_points", "plain_text", "list"] = Field(
        "report", description="Prose with sections, slides of short points, points, bare text, or one list."
    )
    words: int | None = Field(
        None, ge=10, description="Words of the text at most; Chinese and Japanese count characters."
    )
    pages: float | None = Field(
        None, gt=0, le=200, description="Pages at most, of 400 words or 800 characters; the lower cap counts."
    )
    summary: Literal["as_fits", "none", "top", "end"] = Field(
        "as_fits", description="Where a summary stands; as_fits leaves it to the writer."
    )
    summary_words: int = Field(80, ge=10, le=1_000, description="Words of the summary at most.")
    sections: DistinctLines = Field([], description="Headings of the sections wanted, in their order.")
    tone: OneLine | None = Field(None, description="How it is to sound, such as formal or friendly.")
    drop: list[Literal["hedged", "predictive", "opinion"]] = Field(
        [], description="Kinds of sentences to leave out, told by their words (strictness.toml)."
    )
    primary_only: bool = Field(
        False, description="Keep only what a primary source supports (primary.toml says what is one)."
    )
    charts: Literal["none", "some", "many"] = Field(
        "none", description="Charts of cited numbers; some is two at most."
    )
    file_format: FileFormat = Field(
        "html", description="What the report is saved as: html (a page, besides Markdown), or md alone."
    )


class VerifierSettings(SettingsTable):
    """What becomes of sentences that the cited pages do not support.

    `strict` here takes such sentences out. `verify(mode="strict")` and `deep-research verify --strict` are
    about something else, addresses: only an exact match then counts as retrieved.
    """

    mode: Literal["off", "flag", "strict"] = Field(
        "flag", description="Sentences that no cited page supports: unchecked, marked, or taken out."
    )
    least_supported: float = Field(
        0.8, ge=0, le=1, description="Share of a complete report's statements that need evidence; 0: none."
    )
    judge: bool = Field(False, description="Let a model read each cited sentence with its passages, too.")


class WebSettings(SettingsTable):
    """The invented web that stands in for the real one when there is no key."""

    seed: int = Field(0, ge=0, description="Which web: another seed is another world.")
    pages: int = Field(212, ge=150, le=1_000_000, description="How many pages it has.")
    domain: str = Field("airships", description="What it is about.")
    latency_ms: int = Field(0, ge=0, le=60_000, description="Wait before each offline answer.")
    chaos: str = Field(
        "", description="SEED[:RATE]: faults on purpose, as share of the requests (offline only)."
    )


class ScopeSettings(SettingsTable):
    """What the user wants in and out; reaches the clarifier and the brief."""

    clarify: Literal["off", "light", "thorough"] = Field("light", description="How readily to ask back.")
    rewrite_query: bool = Field(
        True, description="Let a model add implied time and scope to the question (shallow researcher)."
    )
    glossary: dict[str, str] = Field({}, description="Terms that need no asking, with their meaning.")
    exclude: DistinctLines = Field([], description="Subjects to leave out.")
    period: OneLine | None = Field(None, description="The time range that counts, in words.")
    regions: DistinctLines = Field([], description="Countries or regions to keep to.")
    exclude_regions: DistinctLines = Field([], description="Countries or regions to leave out.")
    perspectives: DistinctLines = Field(
        [], description="Other angles to look from, such as other countries; each gets a section of its own."
    )
    user_info: dict[str, str] = Field({}, description="Name, role, department; never in a search query.")
    persona_for: dict[str, str] = Field({}, description="Role or department → persona, where none is set.")
    glossary_for: dict[str, str] = Field({}, description="Role or department → a glossary file (TOML).")

    @model_validator(mode="after")
    def _regions_differ(self) -> ScopeSettings:
        out = {region.casefold() for region in self.exclude_regions}
        if both := [region for region in self.regions if region.casefold() in out]:
            raise ValueError(f"{both[0]!r} stands in regions and in exclude_regions")
        return self


class GraphSettings(SettingsTable):
    """How far the graph agent's own loops may go (its published limits)."""

    min_questions: int = Field(1, ge=1, le=20, description="Questions of a plan, at least.")
    max_questions: int = Field(5, ge=1, le=20, description="Questions of a plan, at most.")
    max_concurrent_questions: int = Field(3, ge=1, description="Questions researched side by side.")
    max_revisions: int = Field(0, ge=0, description="Times that weak questions are researched again.")
    max_feedback_passes: int = Field(2, ge=0, description="Passes that a reviewer's remarks may start.")
    max_node_visits: int = Field(40, ge=1, description="Times that one node may run; a safety net.")
    link_seconds: float = Field(20.0, gt=0, description="Time for checking all cited links together.")


class DeepSettings(SettingsTable):
    """How far the deep researcher's loops may go, and when its agents' conversations are cut."""

    min_queries: int = Field(1, ge=1, le=20, description="Queries of a research plan, at least.")
    max_queries: int = Field(6, ge=1, le=20, description="Queries of a research plan, at most.")
    planner_searches: int = Field(2, ge=1, description="Search calls of the planner before it revises.")
    max_loops: int = Field(1, ge=1, description="Rounds of research, the plan's own included.")
    max_plan_changes: int = Field(3, ge=0, description="Times that a plan is changed on a person's word.")
    max_run_retries: int = Field(1, ge=0, description="Times that a run is begun again to complete a report.")
    evict_above: int = Field(20_000, ge=100, description="Tokens from which a result goes to a file.")
    summarize_at: float = Field(
        0.85, gt=0, le=1, description="Part of the context window at which a conversation is summarized."
    )
    keep_messages: int = Field(6, ge=1, description="Messages that a summary leaves as they are.")


class KnowledgeSettings(SettingsTable):
    """Notes of your own that are looked up beside the search."""

    paths: list[Filled] = Field(
        [], description="Folders or files with your own notes, or names of folders in own_files/knowledge."
    )
    passages: int = Field(4, ge=1, le=20, description="Passages that a look-up returns, at most.")
    chunk_size: int = Field(1_200, ge=200, le=3_000, description="Characters of one passage, at most.")
    chunk_overlap: int = Field(150, ge=0, le=1_000, description="Characters that neighbours share.")
    embedding: Filled = Field(
        "hashed-ngrams",
        description="What passages are compared by besides their words: hashed-ngrams, none, or LangChain's "
        "PROVIDER:MODEL or MODULE:NAME of your own.",
    )

    @model_validator(mode="after")
    def _moves_on(self) -> KnowledgeSettings:
        if self.chunk_overlap >= self.chunk_size:
            raise ValueError("chunk_overlap is not smaller than chunk_size")
        return self


class QueueSettings(SettingsTable):
    """How the topic queue plans, grows and ends (its published limits and defaults)."""

    rephrase: bool = Field(False, description="Put the question in full words first, with the user's help.")
    max_rephrase_rounds: int = Field(3, ge=1, description="Times that the wording is changed, at most.")
    rephrase_min_words: int = Field(200, ge=1, description="Words that a rephrased question is asked for.")
    rephrase_max_words: int = Field(400, ge=10, description="Words of a rephrased question, at most.")
    decompose: Literal["auto", "manual"] = Field(
        "auto", description="As many topics as the question has, or exactly `initial_topics`."
    )
    initial_topics: int = Field(5, ge=1, le=20, description="Topics at the start (manual).")
    fill_up: bool = Field(False, description="Add aspects until there are so many (manual), as published.")
    auto_max_topics: int = Field(8, ge=1, le=20, description="Topics at the start, at most (auto).")
    planning_retrieval: bool = Field(True, description="Search before planning: once per sub-query (manual).")
    max_length: int = Field(5, ge=1, description="Topics in the queue; raised where `room` would not fit.")
    room: int = Field(1, ge=0, description="Topics that each first topic may lead to; 0: none is added.")
    max_depth: int = Field(2, ge=0, description="Steps that an added topic may be away from the first ones.")
    min_score: float = Field(0.85, ge=0, le=1, description="How sure a model is that a topic is needed.")
    max_parallel_topics: int = Field(5, ge=1, description="Topics researched side by side.")
    max_iterations: int = Field(5, ge=1, description="Rounds of deciding, asking and noting per topic.")
    iteration_mode: Literal["fixed", "flexible"] = Field(
        "fixed", description="Do all rounds, or stop when the topic is settled."
    )
    idle_rounds: int = Field(
        1, ge=0, description="Rounds without news that end a topic (published: 0, none)."
    )
    max_block_retries: int = Field(1, ge=0, description="Times that a topic that failed is tried again.")
    note_min_words: int = Field(200, ge=1, description="Words that a note is asked for.")
    note_max_words: int = Field(500, ge=20, description="Words of a note per query, at most; more is cut.")
    shown_notes_words: int = Field(
        4_000, ge=100, description="Words of notes that a decision sees, newest kept."
    )
    use_knowledge: bool = Field(True, description="Offer the look-up in your own notes and documents.")
    use_web: bool = Field(True, description="Offer the search.")
    use_papers: bool = Field(True, description="Offer the paper search, if there is one.")
    use_items: bool = Field(True, description="Offer the look-up of labelled items, such as a theorem.")
    use_code: bool = Field(True, description="Offer calculations in the sandbox.")


class CalculationSettings(SettingsTable):
    """How far one calculation of the code tool may go."""

    seconds: float = Field(2.0, gt=0, le=60, description="Time that the code of one calculation may take.")
    memory_mb: int = Field(64, ge=8, le=1_024, description="Memory that it may take, in megabytes.")
    output: int = Field(2_000, ge=100, le=20_000, description="Characters that it may put out.")
