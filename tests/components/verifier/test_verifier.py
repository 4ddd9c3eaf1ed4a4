"""Rows v10 and v11 in whole runs: what a reader is told of each sentence, by the rules and by a judge."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deep_research.components.verifier import verify
from deep_research.components.verifier.marks import CHECK_HEADINGS, OUTSIDE_MARK, CheckNotes
from deep_research.core.errors import UsageError
from deep_research.report import Report
from deep_research.runs.environment import build_environment
from deep_research.runs.outcome import build_report
from deep_research.settings import load_settings
from deep_research.sources.citations import CitationStyle, CitedText, number_citations
from deep_research_offline.wire.faults import Call, Fault
from tests.components.verifier.test_citations_properties import PIECES, SOURCES
from tests.running import PAGES, context_of, delegate, page, run, small_web, wire
from tests.scripted import Script

HERON, SKUA, GULL = "S1.1", "S1.2", "S1.3"
"""Ids of the pages, as the search for `TOPIC` lists them."""
TOPIC = "lighthouse metres tall height"
TRUE = {
    GULL: "The Gull lighthouse is 41 metres tall.",
    HERON: "The Heron lighthouse is 28 metres tall.",
    SKUA: "The Skua lighthouse has a height of 36 metres.",
}


def script(*sentences: str, **answers: Any) -> Script:
    """A run that finds the three lighthouses, and whose writer says these sentences."""
    return Script(supervisor=delegate(TOPIC), writer="# Towers\n\n" + "\n".join(sentences), **answers)


def cite(source: str, said: str = "") -> str:
    return f"{(said or TRUE[source]).rstrip('.')} [{source}]."


async def report_of(*sentences: str, **options: Any) -> Report:
    return await run(script(*sentences), **options)


WRONG = {
    "number": (GULL, "The Gull lighthouse is 43 metres tall."),
    "date": (GULL, "The Gull lighthouse is 41 metres tall and was built in 1903."),
    "name": (SKUA, "The Petrel lighthouse has a height of 36 metres."),
    "negation": (HERON, "The Heron lighthouse is not 28 metres tall."),
}


@pytest.mark.parametrize("reason", WRONG)
async def test_v10_a_false_sentence_is_marked_listed_and_counted(reason: str) -> None:
    source, said = WRONG[reason]
    right = next(other for other in TRUE if other != source)
    report = await report_of(cite(source, said), cite(right))
    assert [claim.verdict for claim in report.claims] == ["flagged", "evidence_found"]
    assert reason in report.claims[0].reasons and report.claims[0].checked_by == "rules"
    assert f"{said[:-1]} [1]. ⚠\n" in report.markdown and report.markdown.count(" ⚠") == 1
    assert re.search(rf"- “{re.escape(said)}”: [a-z, ]*{reason}", report.markdown)
    assert "2 cited sentences" in report.markdown and "evidence found for 1, flagged 1" in report.markdown
    assert report.status == "complete" and report.removed == []


async def test_v10_true_sentences_stand_unmarked_with_a_verbatim_quote() -> None:
    report = await report_of(*(cite(source) for source in TRUE))
    texts = {str(source.url): p.text for source in report.cited for p in PAGES if p.url == source.url}
    for claim in report.claims:
        source = report.cited[(claim.quoted_from or 0) - 1]
        assert claim.verdict == "evidence_found" and claim.basis == "text" and claim.reasons == []
        assert texts[str(source.url)][claim.start : claim.end] == claim.quote
    assert "⚠" not in report.markdown and "evidence found for 3, flagged 0" in report.markdown


async def test_strict_takes_the_sentence_out_renumbers_and_records_it() -> None:
    false = cite(GULL, WRONG["number"][1])
    report = await report_of(f"- {false}", f"- {cite(HERON)} {false}", cite(SKUA), verifier__mode="strict")
    body = report.markdown.partition("## Sources")[0]
    assert "43" not in body and "⚠" not in report.markdown
    assert body.strip() == (
        "# Towers\n\n- The Heron lighthouse is 28 metres tall [1].\n"
        "The Skua lighthouse has a height of 36 metres [2]."
    )
    assert [source.title for source in report.cited] == ["Heron lighthouse", "Skua lighthouse"]
    assert [(claim.sources, claim.quoted_from) for claim in report.claims] == [([1], 1), ([2], 2)]
    assert [gone.reason for gone in report.removed] == [f"no_evidence: {WRONG['number'][1]}"] * 2
    assert "Not confirmed and taken out: 2." in report.markdown


async def test_strict_leaves_no_gap_where_a_paragraph_was() -> None:
    false = cite(GULL, WRONG["number"][1])
    report = await report_of(false, "", cite(HERON), "", false, "", cite(SKUA), verifier__mode="strict")
    body = report.markdown.partition("## Sources")[0]
    assert body.strip() == (
        "# Towers\n\nThe Heron lighthouse is 28 metres tall [1].\n\n"
        "The Skua lighthouse has a height of 36 metres [2]."
    )


async def test_strict_leaves_no_finished_report_without_evidence() -> None:
    report = await report_of(cite(GULL, WRONG["number"][1]), verifier__mode="strict")
    assert (report.status, report.claims, report.cited) == ("no_evidence", [], [])
    assert "taken out: 1" in report.markdown and len(report.removed) == 1


async def test_strict_keeps_what_stands_below_a_heading_named_like_the_source_list() -> None:
    river = f"## Sources\n\nThe river has two. {cite(HERON)}\n\n## More\n\n{cite(SKUA)}"
    report = await report_of(cite(GULL, WRONG["number"][1]), "", river, verifier__mode="strict")
    assert "## More\n\nThe Skua lighthouse has a height of 36 metres [2]." in report.markdown


SHAPED = {"output__words": 60, "output__drop": ["hedged"], "output__summary": "top", "output__charts": "some"}


@pytest.mark.parametrize(
    "options", [{}, SHAPED, {**SHAPED, "verifier__mode": "strict"}, {"writer__citation_style": "anchors"}]
)
async def test_ids_become_numbers_once_when_the_report_is_finished(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []

    def counted(text: CitedText, style: CitationStyle) -> str:
        written.append(text.markdown)
        return number_citations(text, style)

    for module in ("runs.outcome", "sources.citations"):
        monkeypatch.setattr(f"deep_research.{module}.number_citations", counted)
    report = await report_of(*(cite(source) for source in TRUE), cite(HERON, WRONG["number"][1]), **options)
    assert len(written) == 1 and f"[{GULL}]" in written[0] and not re.search(r"\[\d+\]", written[0])
    assert len(report.cited) == 3 and not re.search(r"\[S\d", report.markdown)


async def test_the_verifier_can_be_switched_off() -> None:
    report = await report_of(cite(GULL, WRONG["number"][1]), verifier__mode="off")
    assert [claim.verdict for claim in report.claims] == ["unchecked"]
    assert "How this report was checked" not in report.markdown


async def test_v10_a_source_only_seen_is_checked_against_its_snippet_and_says_so() -> None:
    ctx = context_of()
    found = {"id": "S1.1", "url": "https://a.example/", "title": "Gull lighthouse", "snippet": TRUE[GULL]}
    report = await finished([found], f"{cite('S1.1', TRUE[GULL])} Its height is 55 metres [S1.1].", ctx)
    assert [(claim.verdict, claim.basis) for claim in report.claims] == [
        ("evidence_found", "snippet"),
        ("flagged", "snippet"),
    ]


async def finished(sources: list[dict[str, Any]], draft: str, ctx: Any, **more: Any) -> Report:
    """The report of a graph's last state."""
    from deep_research.core.records import Source
    from deep_research.runs.bundle import Request

    ctx = replace(ctx, question="How tall are they?")
    request = Request("test", ctx.question, [], ctx.settings)
    state = {"sources": [Source(**source) for source in sources], "draft": draft, **more}
    return await build_report(request, state, [], [], "", ctx)


async def test_v10_several_sources_are_checked_each_and_all_together() -> None:
    one = "The Gull lighthouse is 41 metres tall"
    report = await report_of(f"{one} [{GULL}][{HERON}].", f"{one} [{HERON}][{SKUA}].")
    both, neither = report.claims
    assert (both.verdict, both.quoted_from, both.sources) == ("evidence_found", 1, [1, 2])
    assert neither.verdict == "flagged" and "number" in neither.reasons
    assert (both.lacking, neither.lacking) == ([2], [])
    assert f"- “{one}.”: 2" in report.markdown.split("not by these")[1]
    lone = page("far.example/fish", "Fish", "Herring swim in cold water near the coast in great numbers.")
    texts = [{"url": p.url, "title": p.title, "text": p.text} for p in (PAGES[0], lone)]
    listed = "\n\n## Sources\n\n" + "\n".join(f"{n}. <{s['url']}>" for n, s in enumerate(texts, start=1))
    (claim,) = verify(f"{one} [1][2].{listed}\n", texts).claims
    assert (claim.verdict, claim.lacking, claim.quoted_from) == ("evidence_found", [2], 1)


# the judge ----------------------------------------------------------------------------------------------


def verdicts(request: dict[str, Any]) -> dict[str, str]:
    """A judge that knows one false number when it sees it."""
    said = request["messages"][1]["content"].partition("\n")[0]
    if "43" in said:
        return {"verdict": "contradicted", "reason": "Source [2] says 41 | not 43,\n\nsee S1.3."}
    return {"verdict": "supported", "reason": "It is said so."}


async def test_v10_a_judge_has_the_last_word_and_the_rules_stay_beside_it() -> None:
    asked = script(cite(GULL, WRONG["number"][1]), cite(HERON), verifier=verdicts)
    report = await run(asked, verifier__judge=True)
    assert [(claim.verdict, claim.checked_by) for claim in report.claims] == [
        ("contradicted", "judge"),
        ("supported", "judge"),
    ]
    assert report.claims[0].reasons[0] == "number" and "41" in report.claims[0].reasons[-1]
    assert "evidence found for 1, flagged 1, uncheckable 0" in report.markdown
    assert "read 2 of them: supported 1, partial 0, contradicted 1, unsupported 0" in report.markdown
    listed = next(line for line in report.markdown.splitlines() if line.startswith("- “"))
    assert "S1.3" not in listed and "[2]" not in listed and listed.endswith("see S1·3.")
    first = asked.prompts("verifier")[0]
    assert '<source number="1" title="Gull lighthouse">' in first and "41 metres tall" in first
    assert report.usage.by_role["verifier"].model_calls == 2


async def test_v10_one_failing_call_of_the_judge_leaves_the_word_of_the_rules() -> None:
    def judge(request: dict[str, Any]) -> Any:
        return "no object" if "43" in request["messages"][1]["content"] else verdicts(request)

    asked = script(cite(GULL, WRONG["number"][1]), cite(HERON), verifier=judge)
    report = await run(asked, verifier__judge=True)
    assert [(claim.verdict, claim.checked_by) for claim in report.claims] == [
        ("flagged", "rules"),
        ("supported", "judge"),
    ]
    assert (report.status, report.errors) == ("complete", [])


async def test_v10_a_spent_budget_leaves_the_word_of_the_rules() -> None:
    asked = script(cite(GULL), cite(HERON))
    spent = (await run(asked)).usage.model_calls
    report = await run(asked, verifier__judge=True, budget__model_calls=spent + 1)
    assert [claim.checked_by for claim in report.claims] == ["judge", "rules"]
    assert {claim.verdict for claim in report.claims} == {"supported", "evidence_found"}
    assert report.status == "complete" and report.errors == []


async def test_strict_with_a_judge_asks_it_once_for_each_sentence() -> None:
    asked = script(cite(GULL, WRONG["number"][1]), cite(HERON), cite(SKUA), verifier=verdicts)
    report = await run(asked, verifier__judge=True, verifier__mode="strict")
    assert len(asked.requests["verifier"]) == 3
    assert [(claim.verdict, claim.sources) for claim in report.claims] == [
        ("supported", [1]),
        ("supported", [2]),
    ]


def test_the_offline_model_is_refused_as_a_judge() -> None:
    chosen = load_settings({"verifier.judge": True})
    with pytest.raises(UsageError, match=r"offline model cannot judge.*Leave verifier\.judge off"):
        build_environment(chosen)


def test_the_verifier_loads_neither_engine_nor_settings_nor_a_client() -> None:
    code = "import sys, deep_research.components.verifier; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {".".join(name.split(".")[:2]) for name in done.stdout.split()}
    unwanted = {f"deep_research.{room}" for room in ("engine", "settings", "prompts", "runs", "evaluation")}
    assert "deep_research.components" in loaded
    assert not loaded & (unwanted | {"asyncio", "httpx", "openai", "langchain_core", "langgraph"})


# what can go wrong --------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["flag", "strict"])
async def test_a_crash_inside_the_verifier_never_kills_a_finished_run(mode: str) -> None:
    ctx = context_of(verifier__mode=mode)
    lost = {"id": "S1.1", "url": "https://a.example/", "title": "Gull", "content_hash": "no-such-page"}
    report = await finished([lost], "The Gull is 41 metres tall [S1.1].", ctx)
    assert report.status == "partial"
    assert [(claim.verdict, claim.sources) for claim in report.claims] == [("unchecked", [1])]
    assert len(report.errors) == 1 and "could not be verified" in report.errors[0]
    assert "The Gull is 41 metres tall [1].\n\n## What could not be found" in report.markdown
    assert "no sentence of this report has been checked" in report.markdown  # its reader knows


async def test_a_judge_that_cannot_be_reached_kills_no_run() -> None:
    def faults(call: Call) -> Fault | None:
        return Fault(status=401) if json.loads(call.body).get("model") == "offline:verifier" else None

    provider = wire(script(cite(GULL)), faults=faults)
    report = await run(provider=provider, verifier__judge=True)
    assert (report.status, report.claims[0].checked_by) == ("complete", "rules")


# anybody's report ---------------------------------------------------------------------------------------

FACTS = st.sampled_from([*TRUE.values(), *(said for _, said in WRONG.values()), "海鸥灯塔高四十一米。"])
MARKERS = st.sampled_from(["", " [1]", " [2]", " [3][1]", " [1, 2]", " [9]", "【2】"])
SHAPES = st.sampled_from(["{}\n\n", "- {}\n", "{} ", "## {}\n\n", "| a | {} |\n", "```\n{}\n```\n", "> {}\n"])
RETRIEVED = [{"url": p.url, "title": p.title, "text": p.text, "tier": "academic"} for p in PAGES[:3]]


@settings(max_examples=60)
@given(st.lists(st.tuples(SHAPES, FACTS, MARKERS), max_size=6))
def test_verifying_is_idempotent(parts: list[tuple[str, str, str]]) -> None:
    body = "".join(shape.format(said.rstrip(".") + marker + ".") for shape, said, marker in parts)
    listed = "\n".join(f"[{n}] {source['url']}" for n, source in enumerate(RETRIEVED, start=1))
    once = verify(f"{body}\n\n## References\n\n{listed}\n[9] https://invented.example/x\n", RETRIEVED)
    twice = verify(once.report, RETRIEVED)
    assert (twice.report, twice.claims, twice.conflicts) == (once.report, once.claims, once.conflicts)
    assert twice.removed == []


LISTED = f"[1] {RETRIEVED[0]['url']}\n[9] https://invented.example/x\n"
MARKED = [" It is old. ", " ⚠ ", *(f"\n## {heading}\n" for heading in CHECK_HEADINGS.values())]


@settings(max_examples=150)
@given(st.lists(st.sampled_from([*PIECES, *TRUE.values(), *MARKED]), max_size=30).map("".join))
def test_verifying_anything_again_changes_neither_text_nor_verdicts(text: str) -> None:
    sources = [{**source, "text": TRUE[GULL]} for source in SOURCES]
    once = verify(text, sources)
    twice = verify(once.report, sources)
    assert twice.report == once.report
    assert [claim.verdict for claim in twice.claims] == [claim.verdict for claim in once.claims]


def test_v9_a_flagged_sentence_is_marked_with_the_sign_of_one_that_has_lost_its_citation() -> None:
    false = WRONG["number"][1].rstrip(".")
    done = verify(f"{false} [1]. It is old [9]. Fine.\n\n{LISTED}", RETRIEVED)
    assert [claim.verdict for claim in done.claims] == ["flagged", "flagged"]
    marked = [done.report[end:].startswith(f" {OUTSIDE_MARK} ") for _, end in done.spans]
    assert marked == [True, True] and done.report.count("⚠") == 2
    assert [done.report[start:end] for start, end in done.spans] == [f"{false} [1].", "It is old."]


@pytest.mark.parametrize("text", ["It is steep. ⚠ Landing is forbidden.", "- It is steep ⚠\n", "| it | ⚠ |"])
def test_v9_a_warning_sign_of_the_writers_own_is_no_verdict_and_no_mark_of_ours(text: str) -> None:
    done = verify(text, RETRIEVED)
    assert (done.claims, done.report) == ([], text)
    once = verify(f"{text}\n\nIt is old [9]. ⚠ Take care.", RETRIEVED)
    assert [claim.text for claim in once.claims] == ["It is old."]
    assert verify(once.report, RETRIEVED).claims == once.claims


def test_v9_sentences_whose_every_citation_was_taken_out_are_flagged() -> None:
    lines = [
        "It is old [9].",
        "It is old [1].",
        "It is far [1][9].",
        "| a | b |\n|---|---|\n| it | new [9] |",
        "- On [9]",
    ]
    done = verify("\n\n".join(lines) + f"\n\nIt is old.\n\n## References\n\n{LISTED}", RETRIEVED)
    lost = [place for place, claim in enumerate(done.claims) if claim.reasons == ["citation_removed"]]
    assert [done.claims[place].verdict for place in lost] == ["flagged"] * 3
    shown = [done.report[slice(*done.spans[place])] for place in lost]
    assert shown == ["It is old.", f"| it | new {OUTSIDE_MARK} |", f"On {OUTSIDE_MARK}"]
    assert done.spans[lost[0]][0] == 0
    assert "Left without a citation, since theirs were taken out: 3." in CheckNotes(done.claims).summary()
    assert "1 cited sentence was compared" in CheckNotes(done.claims[1:2]).summary()


async def test_v9_a_run_marks_what_lost_its_citation_and_strict_takes_it_out() -> None:
    asked = script(cite(GULL), cite("S9.9", "The Tern lighthouse is 99 metres tall."), "It is blue [7].")
    report = await run(provider=wire(asked))
    assert [claim.reasons for claim in report.claims] == [[], ["citation_removed"], ["citation_removed"]]
    assert "99 metres tall. ⚠" in report.markdown and "blue. ⚠" in report.markdown
    strict = await run(provider=wire(asked), verifier__mode="strict")
    assert "99 metres" not in strict.markdown.split("## How")[0] and len(strict.claims) == 1


async def test_v9_an_invented_address_in_a_report_of_ours_goes_and_its_sentence_is_marked() -> None:
    fake, own = "https://invented.example/tern", "https://mine.example/x"
    said = [cite(GULL), f"You gave {own}.", f"The Tern is [99 metres]({fake}) tall.", f"It is old ({fake})."]
    report = await run(script(*said), question=f"How tall is it? Compare {own} and its towers.")
    assert "invented" not in report.markdown and f"You gave {own}. ⚠\n" in report.markdown
    assert "The Tern is 99 metres tall. ⚠" in report.markdown and "It is old. ⚠" in report.markdown
    assert [(gone.url, gone.reason) for gone in report.removed] == [(fake, "url_not_in_registry")] * 2


@pytest.mark.parametrize(
    ("report", "sources", "options", "said"),
    [
        ("It is old [1].", [{"link": "https://a.example"}], {}, "Entry 1 of `sources` has neither url nor"),
        ("It is old [1].", [{"url": "https://a.example", "text": 3}], {}, "text is no text"),
        ("It is old [1].", {"url": "https://a.example"}, {}, "`sources` holds no list"),
        ("It is old [1].", "sources.json", {}, "`sources` holds no list"),
        ("It is old [1].", [], {"mode": "hard"}, "no mode 'hard'. One of: lenient, strict"),
        ("report.md", [], {}, "'report.md' looks like a path"),
        (Path("nowhere.md"), [], {}, "Cannot read 'nowhere.md'"),
        (None, [], {}, "no text: None"),
    ],
)
def test_verify_refuses_what_it_cannot_mean(report: Any, sources: Any, options: Any, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        verify(report, sources, **options)
    assert said in str(refused.value)


def test_verify_reads_a_path_and_takes_fields_without_a_value(tmp_path: Path) -> None:
    file, nothing = tmp_path / "report.md", dict.fromkeys(["title", "published", "citation_key"])
    file.write_text(f"{TRUE[GULL].rstrip('.')} [1].\n\n{LISTED}", encoding="utf-8-sig")
    done = verify(file, [{**RETRIEVED[0], **nothing}])
    assert [claim.verdict for claim in done.claims] == ["evidence_found"]


def test_verify_reads_sources_as_a_search_engine_writes_them() -> None:
    page = {"url": RETRIEVED[0]["url"], "content": TRUE[GULL], "raw_content": None, "published": 2020}
    (claim,) = verify(f"{TRUE[GULL].rstrip('.')} [1].\n\n{LISTED}", [page]).claims
    assert claim.verdict == "evidence_found"


BUY = "https://invented.example/buy"


@pytest.mark.parametrize("mode", ["flag", "strict"])
async def test_v9_an_address_in_a_gap_stands_neither_there_nor_in_the_text(mode: str) -> None:
    from deep_research.core.gaps import gap_of

    ctx = context_of(verifier__mode=mode)
    found = {"id": "S1.1", "url": "https://a.example/", "title": "Gull", "snippet": TRUE[GULL]}
    gap = gap_of("unanswered", "draft_misses", "tickets", missing=f"what [this page]({BUY}) says")
    draft = f"{cite('S1.1', TRUE[GULL])} A boat goes [here]({BUY})."
    report = await finished([found], draft, ctx, gaps=[gap])
    assert [gone.url for gone in report.removed if gone.url] == [BUY]
    assert BUY not in report.markdown
    assert "- The critic of the draft misses: what this page" in report.markdown


async def test_v9_an_address_from_an_answer_or_a_remark_of_the_user_is_theirs_and_stays() -> None:
    asked, late = "https://mine.example/a", "https://mine.example/b"
    history = [{"role": "assistant", "content": "Which?"}, {"role": "user", "content": f"See {asked}."}]
    found = {"id": "S1.1", "url": "https://a.example/", "title": "Gull", "snippet": TRUE[GULL]}
    draft = f"{cite('S1.1', TRUE[GULL])} You named {asked} and {late}."
    for remarks in (f"Add {late}!", ["Shorter.", f"Add {late}!"]):
        report = await finished([found], draft, context_of(), history=history, remarks=remarks)
        assert f"You named {asked} and {late}. ⚠" in report.markdown and report.removed == []


async def test_our_own_reports_pass_the_verifier_unchanged_and_with_the_same_claims() -> None:
    news = page("news.example/skua", "Skua lighthouse", "The Skua lighthouse has a height of 38 metres.")
    asked = script(cite(GULL, WRONG["number"][1]), cite(HERON), cite("S1.4", TRUE[SKUA]))
    report = await run(provider=wire(asked, web=small_web(news)))
    texts = {p.url: p.text for p in (*PAGES, news)}
    retrieved = [{**json.loads(s.model_dump_json()), "text": texts[s.url or ""]} for s in report.cited]
    again = verify(report.markdown, retrieved)
    assert again.report == report.markdown and again.removed == [] and not again.flagged
    ours = SimpleNamespace(claims=[(c.text, c.sources, c.verdict, c.reasons) for c in report.claims])
    assert [(c.text, c.sources, c.verdict, c.reasons) for c in again.claims] == ours.claims
