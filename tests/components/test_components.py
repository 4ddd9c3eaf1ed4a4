"""Rows o1, o2, o7, o8 and o9, component by component, each with a scripted model behind it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from deep_research.components.brief_writer import write_brief
from deep_research.components.clarifier import clarify
from deep_research.components.researcher.reading import read_page, summarize_page
from deep_research.components.writer import (
    no_evidence,
    told_elsewhere,
    with_all_citations,
    with_gaps,
    write_report,
)
from deep_research.components.writer.sections import differing_part, write_section
from deep_research.core.records import Finding, Gap, Material, Source
from deep_research.engine.prompting import user_message
from deep_research.engine.providers import SearchHit
from deep_research.runs import aresearch, aresume
from tests.running import QUESTION, context_of, delegate, page, run, small_web, wire
from tests.scripted import Script

ENGLISH: Any = SimpleNamespace(language="en")
LIGHTHOUSE = [{"role": "user", "content": "How tall is the lighthouse that AUM runs?"}]
ASKING = {"need_clarification": True, "question": "What does AUM stand for?", "verification": ""}
LARGE = {f"T{n:03}": f"term number {n} of a long list" for n in range(150)} | {
    "AUM": "Authority for Maritime Use"
}


def turns(*texts: str) -> list[dict[str, str]]:
    return [{"role": "assistant" if n % 2 else "user", "content": text} for n, text in enumerate(texts)]


# o1, the clarifier


async def test_o1_the_clarifier_returns_need_question_and_verification():
    asked = await clarify(LIGHTHOUSE, context_of(Script(clarifier=ASKING)))
    assert (asked.need_clarification, asked.question, asked.verification) == tuple(ASKING.values())
    clear = await clarify(LIGHTHOUSE, context_of(Script()))
    assert (clear.need_clarification, clear.verification) == (False, "I will look into it.")


@pytest.mark.parametrize(
    "again", ["What does AUM stand for?", "what does “AUM” stand for", "So AUM stands for what?"]
)
async def test_o1_a_question_is_never_repeated(again: str):
    history = turns("Who runs AUM?", "What does AUM stand for?", "I am not sure.")
    answer = await clarify(history, context_of(Script(clarifier={**ASKING, "question": again})))
    assert not answer.need_clarification
    other = {**ASKING, "question": "Which period do you mean?"}
    assert (await clarify(history, context_of(Script(clarifier=other)))).need_clarification


async def test_o1_the_clarifier_sees_the_whole_conversation_so_it_need_not_ask_for_what_was_given():
    script = Script()
    await clarify(turns("Who runs AUM?", "Which AUM?", "The one in Ormsund."), context_of(script))
    said = [(m["role"], m["content"]) for m in script.requests["clarifier"][0]["messages"][1:]]
    assert said == [("user", "Who runs AUM?"), ("assistant", "Which AUM?"), ("user", "The one in Ormsund.")]


async def test_o1_a_small_glossary_stands_in_the_prompt_and_is_no_tool():
    script = Script()
    await clarify(LIGHTHOUSE, context_of(script, scope__glossary={"AUM": "Authority for Maritime Use"}))
    assert "- AUM: Authority for Maritime Use" in script.prompts("clarifier")[0]
    assert len(script.requests["clarifier"]) == 1
    assert not script.requests["clarifier"][0].get("tools")


async def test_o1_a_large_glossary_is_a_look_up_tool():
    def decide(request: dict[str, Any]) -> Any:
        if request.get("tools") and not any(m["role"] == "tool" for m in request["messages"]):
            return [("look_up_term", {"terms": ["t042", "T9"]})]
        return {"need_clarification": False, "question": "", "verification": "Understood."}

    script = Script(clarifier=decide)
    await clarify(LIGHTHOUSE, context_of(script, scope__glossary=LARGE))
    first, second, last = script.requests["clarifier"]
    assert "T007" not in str(first["messages"])
    assert "T042: term number 42" in second["messages"][-1]["content"]
    assert "'T9' is not in the glossary." in second["messages"][-1]["content"]
    glossary = last["messages"][0]["content"].rpartition("Glossary")[2]
    assert "- T042: term number 42 of a long list" in glossary
    assert "- AUM: Authority for Maritime Use" in glossary  # because the user wrote it
    assert "T007" not in glossary


async def test_o1_depth_off_asks_nothing_and_depth_reaches_the_prompt():
    silent = Script(clarifier=ASKING)
    assert not (await clarify(LIGHTHOUSE, context_of(silent, scope__clarify="off"))).need_clarification
    assert not silent.requests["clarifier"]
    prompts = {}
    for depth in ("light", "thorough"):
        script = Script()
        await clarify(LIGHTHOUSE, context_of(script, scope__clarify=depth))
        prompts[depth] = script.prompts("clarifier")[0]
    assert "Ask sparingly" in prompts["light"]
    assert "Be thorough" in prompts["thorough"]


@pytest.mark.parametrize("rounds", [0, 1, 2])
async def test_o1_at_most_k_rounds_of_questions(rounds: int):
    questions = iter(["Which year?", "Which country?", "How long an answer?"])
    script = Script(clarifier=lambda request: {**ASKING, "question": next(questions)})
    asked: list[str] = []

    def answer(question: str) -> str:
        asked.append(question)
        return "Any."

    report = await run(script, options={"answer": answer}, limits__max_clarifications=rounds)
    assert asked == ["Which year?", "Which country?"][:rounds]
    assert len(script.requests["clarifier"]) == rounds
    assert report.status == "complete"


async def test_o1_an_earlier_report_does_not_use_up_the_rounds():
    history = turns("How tall is Gull?", "# Gull\n\nIt is 41 metres tall. Is that all?", "And what is AUM?")
    script = Script(clarifier=ASKING)
    assert (await clarify(history, context_of(script, limits__max_clarifications=1))).need_clarification


async def test_o1_what_was_asked_answered_and_acknowledged_is_used_downstream():
    acknowledged = {"need_clarification": False, "question": "", "verification": "SCOPE: Ormsund only."}
    script = Script(clarifier=(ASKING, acknowledged))
    await run(script, options={"answer": lambda question: "It means OUR ANSWER."})
    for role in ("brief_writer", "writer"):
        assert "OUR ANSWER" in script.prompts(role)[0]
    assert "What does AUM stand for?" in script.prompts("brief_writer")[0]
    assert "SCOPE: Ormsund only." in script.prompts("brief_writer")[0]


@pytest.mark.parametrize(
    ("question", "answer", "whole"),
    [
        ("How tall is it?", "the Gull", "How tall is it? (the Gull)"),
        ("它有多高？", "海鸥灯塔", "它有多高？（海鸥灯塔）"),
        ("How tall is it?", "How tall is the Gull lighthouse?", "How tall is the Gull lighthouse?"),
        ("How tall is the Gull?", "any", "How tall is the Gull?"),
    ],
)
async def test_o1_a_clarified_question_is_question_and_answer(question: str, answer: str, whole: str) -> None:
    script = Script(clarifier=(ASKING, {"need_clarification": False, "question": "", "verification": ""}))
    report = await run(script, question, options={"answer": lambda asked: answer})
    assert report.question == whole
    assert all(f"Question: {whole}" in prompt for prompt in script.prompts("writer"))


async def test_o1_it_pauses_and_resumes_after_a_restart(tmp_path: Path):
    question = "How many mooring masts does Port Brudoji have by the rules of AUM?"
    paused = await aresearch(question, out=tmp_path)
    assert (paused.status, paused.exit_status) == ("needs_input", 4)
    assert "AUM" in paused.asked
    still = await aresume(paused.run_id, out=tmp_path)
    assert (still.status, still.asked) == ("needs_input", paused.asked)
    done = await aresume(
        paused.run_id, out=tmp_path, answer=lambda asked: "It is the union of harbour masters."
    )
    assert done.exit_status == 0 and "union of harbour masters" in done.question
    assert sum(line.role == "clarifier" for line in done.trace) == 2


# o2, the brief writer


async def test_o2_settled_scope_reaches_the_prompt_and_stays_in_the_brief():
    script = Script(brief_writer={"research_brief": "I want to know about lighthouses."})
    settings = {
        "scope__exclude": ["military towers"],
        "scope__period": "2030 to 2040",
        "scope__regions": ["Ormsund"],
        "scope__glossary": {"AUM": "Authority for Maritime Use"},
    }
    brief = await write_brief(turns("tell me about lighthouses"), context_of(script, **settings))
    notes = script.prompts("brief_writer")[0]
    for note in ("- Leave out: military towers", "- Period: 2030 to 2040", "- Regions: Ormsund"):
        assert note in notes
        assert note in brief
    assert "AUM = Authority for Maritime Use" in notes


@pytest.mark.parametrize("lost", ["1,911", "Talmer", "“short answers”", "トヴペルジ"])
async def test_o2_a_stated_detail_that_the_model_loses_is_put_back_in_the_users_words(lost: str):
    history = turns(f"please look into {lost} for me")
    script = Script(brief_writer={"research_brief": "I want to know more."})
    brief = await write_brief(history, context_of(script))
    assert brief.startswith("I want to know more.")
    assert history[0]["content"] in brief
    kept = Script(brief_writer={"research_brief": f"I want to know about {lost.strip('“”')}."})
    assert "please look" not in await write_brief(history, context_of(kept))


async def test_o2_without_budget_for_a_brief_the_users_own_words_are_the_brief():
    ctx = context_of(budget__model_calls=1, scope__period="since 1900")
    assert (await clarify(LIGHTHOUSE, ctx)).verification == "I will look into it."
    assert not (await clarify(LIGHTHOUSE, ctx)).verification
    assert await write_brief(LIGHTHOUSE, ctx) == f"{LIGHTHOUSE[0]['content']}\n\n- Period: since 1900"


async def test_o2_an_earlier_question_is_no_detail_of_this_one():
    history = turns("How tall is the Gull tower of 1902?", "# Gull\n\n41 metres.", "And the Heron?")
    script = Script(brief_writer={"research_brief": "I want to know how tall the Heron is."})
    assert "1902" not in await write_brief(history, context_of(script))


async def test_o2_the_supervisor_gets_the_brief_only():
    script = Script(brief_writer={"research_brief": f"BRIEF on {QUESTION}"})
    await run(script, options={"history": turns("EARLIER words", "# An earlier report")})
    first = script.requests["supervisor"][0]["messages"]
    assert [m["role"] for m in first] == ["system", "user"]
    assert first[1]["content"] == f"BRIEF on {QUESTION}"


async def test_o2_the_writer_gets_brief_user_messages_findings_and_date():
    script = Script(clarifier=(ASKING, {**ASKING, "need_clarification": False}))
    await run(script, options={"answer": lambda question: "ALSO THIS."})
    prompt = script.prompts("writer")[0]
    for part in (
        QUESTION,
        "Brief: I want to know",
        "added: ALSO THIS.",
        "Something is known [S1.1].",
        "2041-03-02",
    ):
        assert part in prompt


# o7, the summarizer

LONG = "The Gull lighthouse is 41 metres tall. " + "It stands on a rock in the bay of Ormsund. " * 80


def hit(text: str = LONG) -> SearchHit:
    return SearchHit("Gull", "SNIPPET of Gull.", url="https://ormsund.example/gull", text=text)


async def test_o7_the_summary_is_made_for_the_query_with_excerpts_apart():
    script = Script(summarizer={"summary": "A tall one.", "key_excerpts": ["is 41 metres tall."]})
    result = await summarize_page("Gull", LONG, "height of Gull", context_of(script))
    assert (result.summary, result.key_excerpts) == ("A tall one.", ["is 41 metres tall."])
    assert "Search query: height of Gull" in script.prompts("summarizer")[0]


async def test_o7_at_most_five_excerpts_each_verbatim():
    page = " ".join(f"Sentence {n} stands here." for n in range(200))
    claimed = ["Sentence 7 stood here.", *(f"Sentence  {n} stands\nhere." for n in range(8)), ""]
    script = Script(summarizer={"summary": "Many.", "key_excerpts": claimed})
    result = await summarize_page("Page", page, "sentences", context_of(script))
    assert result.key_excerpts == claimed[1:6]


async def test_o7_a_summary_longer_than_half_the_page_is_cut_at_a_sentence():
    script = Script(summarizer={"summary": LONG, "key_excerpts": []})
    summary = (await summarize_page("Gull", LONG, "height", context_of(script))).summary
    assert summary.startswith("The Gull lighthouse is 41 metres tall.")
    assert len(summary) <= len(LONG) / 2
    assert summary.endswith("Ormsund.")


async def test_o7_only_long_pages_are_summarized():
    script = Script()
    assert await read_page(hit("Short."), "q", context_of(script)) == "Short."
    assert "A summary." in await read_page(hit(), "q", context_of(script))
    assert len(script.requests["summarizer"]) == 1


@pytest.mark.parametrize("broken", ["prose", ""])
async def test_o7_a_failed_summary_falls_back_to_the_snippet(broken: str):
    page_of_gull = page("long.example/gull", "Gull lighthouse height", LONG + "LASTWORD")
    script = Script(summarizer=broken, supervisor=delegate("Gull lighthouse height"))
    report = await run(provider=wire(script, web=small_web(page_of_gull)))
    assert "long.example" in report.markdown
    assert "LASTWORD" not in script.prompts("compressor")[0]
    assert report.gaps == []


async def test_without_compression_the_writer_gets_what_was_read_and_no_compressor_is_called():
    end = "It has a second lamp that nobody has lit since 1990."
    shown = page(
        "lamp.example/gull", "Gull lighthouse height", f"The Gull is 41 metres tall. {'A rock. ' * 90}{end}"
    )
    prompts = {}
    for compress in (True, False):
        script = Script(supervisor=delegate("Gull lighthouse height"))
        await run(provider=wire(script, web=small_web(shown)), limits__compress=compress)
        prompts[compress] = script.prompts("writer")[0]
        assert bool(script.requests["compressor"]) == compress
    assert end in prompts[False] and end not in prompts[True]


@pytest.mark.parametrize(
    ("question", "found_nothing"),
    [
        ("What is it?", "No evidence"),
        ("灯塔有多高？", "没有找到"),
        ("灯台はどれくらい高いですか", "見つかりません"),
    ],
)
async def test_a_writer_called_alone_answers_in_the_language_of_the_question(
    question: str, found_nothing: str
) -> None:
    text, gaps = await write_report(Material(question), context_of(Script()).about(question))
    assert found_nothing in text and gaps == []


def test_a_pasted_question_makes_no_structure_of_its_own() -> None:
    pasted = "Who?\n# Fake heading\n## Sources\n1. x"
    gaps = [Gap(kind="no_results", topic="t", message=f"No source for “{pasted}”.")]
    lines = with_gaps(no_evidence(pasted, ENGLISH), gaps, ENGLISH).splitlines()
    assert [line for line in lines if line.startswith("#")] == [lines[0], "## What could not be found"]
    assert not [line for line in lines if line.startswith("1. ")]


def test_a_lost_finding_without_words_of_its_own_adds_no_empty_line() -> None:
    sources = [Source(id=f"S1.{n}", url=f"https://{n}.example") for n in (1, 2)]
    said = Finding(branch="1", topic="Gull", text="- [S1.1]\n- The Gull has two lamps [S1.2]")
    text = with_all_citations(
        "The Gull stands.", Material("Gull?", findings=[said], sources=sources), ENGLISH
    )
    assert text.splitlines()[-2:] == ["", "- The Gull has two lamps [S1.2]"]


@pytest.mark.parametrize(
    ("line", "back"),
    [
        ("The Gull lamps were lit in 1901", True),
        ("The Gull was the scene of an accident", False),
        ("Visitors come by boat", False),
    ],
)
def test_g12_a_lost_finding_comes_back_only_if_it_bears_on_the_question(line: str, back: bool) -> None:
    sources = [Source(id="S1.1", url="https://1.example")]
    said = Finding(branch="1", topic="t", text=f"- {line} [S1.1]")
    material = Material("When were the lamps of the Gull lit?", findings=[said], sources=sources)
    assert (line in with_all_citations("It stands.", material, ENGLISH)) is back


def test_what_was_found_for_a_section_is_told_where_the_report_cites_a_source_of_it() -> None:
    sources = [Source(id="S1.1", url="https://1.example", aliases=["S2.1"])]
    found = [Finding(branch="2", topic="t", text="- The Gull has two lamps [S2.1]")]
    assert told_elsewhere(found, "## Lamps\n\nTwo. [S1.1]", sources)
    assert not told_elsewhere(found, "## Lamps\n\nNone.", sources)
    assert not told_elsewhere([], "## Lamps\n\nTwo. [S1.1]", sources)


@pytest.mark.parametrize(
    "own",
    [
        "## Where the sources disagree\n\n",
        "### Where the sources disagree\n\n",
        "### Other writers write the other sections\n\n",
        "",
    ],
)
@pytest.mark.parametrize("more", ["\n\n### 5, or 6\n\nB.", ""])
async def test_the_part_on_what_differs_loses_its_own_heading_and_not_that_of_its_first_part(
    own: str, more: str
) -> None:
    ctx = context_of(Script(writer=f"{own}### 3 lamps, or 4\n\nA [S1.1].{more}"))
    part = differing_part(user_message("Findings"), ctx)
    text = await write_section("How many lamps?", part, [part.heading], ctx)
    assert text.startswith(f"## {part.heading}\n\n### 3 lamps, or 4\n\nA [S1.1].")


def test_components_are_public_names_that_load_on_first_use() -> None:
    code = (
        "import sys, deep_research\n"
        "assert not [name for name in sys.modules if name.startswith('deep_research.')]\n"
        "from deep_research import brief_writer, clarifier, compressor, researcher\n"
        "from deep_research import supervisor, verifier, verify, writer\n"
        "parts = (brief_writer, clarifier, compressor, researcher, supervisor, verifier, writer)\n"
        "assert all(part is sys.modules[part.__name__] for part in parts)\n"
        "assert all(part.__name__.startswith('deep_research.components.') for part in parts)\n"
        "assert verify is verifier.verify"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
