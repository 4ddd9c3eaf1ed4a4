"""The offline model behind agents made elsewhere: their prompts, their results, their numbers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from deep_research_offline.model import complete

QUESTION = "How long is the Osk Viaduct?"
PAGES = {
    "https://osk.example/viaduct_(rail)": (
        "Osk Viaduct",
        "Osk Viaduct is a rail viaduct. Its length is 388 m.",
    ),
    "https://talmer.example/bridge": (
        "Talmer Bridge",
        "Talmer Bridge is a road bridge. It is 412 metres long.",
    ),
}
FORMS = {
    "objects": json.dumps({"results": [{"url": u, "title": t, "content": c} for u, (t, c) in PAGES.items()]}),
    "links": "## Results\n\n" + "\n\n".join(f"[{t}]({u})\n{c}" for u, (t, c) in PAGES.items()),
    "labels": "\n".join(
        f"--- SOURCE 1: {t} ---\nURL: {u}\n\nSUMMARY:\n{c}\n----" for u, (t, c) in PAGES.items()
    ),
    "bare": "\n\n".join(f"{t}\n{u}\n{c}" for u, (t, c) in PAGES.items()),
}
NUMBERED = (
    "Osk Viaduct: Its length is 388 m. [1]\n\n### Sources\n[1] Osk Viaduct: https://osk.example/viaduct_(rail)\n"
    "The Talmer Bridge is 412 metres long. [1]\n\n### Sources\n[1] Talmer Bridge: https://talmer.example/bridge\n"
)


def tool(name: str, **properties: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "function", "function": {"name": name, "description": name, "parameters": parameters}}


def ask(*messages: dict[str, Any], **options: Any) -> dict[str, Any]:
    return complete({"messages": list(messages), **options})["choices"][0]["message"]


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def after_search(result: str) -> list[dict[str, Any]]:
    call = {
        "id": "c1",
        "type": "function",
        "function": {"name": "scout", "arguments": '{"phrase": "Osk Viaduct"}'},
    }
    asked = {"role": "assistant", "content": None, "tool_calls": [call]}
    return [user(QUESTION), asked, {"role": "tool", "tool_call_id": "c1", "content": result}]


@pytest.mark.parametrize("form", FORMS)
def test_results_of_any_form_are_answered_from_with_their_addresses(form: str) -> None:
    written = ask(*after_search(FORMS[form]))["content"]
    assert "388 m. [1]" in written
    assert "[1] Osk Viaduct: https://osk.example/viaduct_(rail)" in written


def test_a_result_without_an_address_is_a_source_too() -> None:
    assert (
        "388 m. [1]"
        in ask(*after_search("The Osk Viaduct is a rail viaduct. Its length is 388 m."))["content"]
    )


def test_a_conversation_inside_a_prompt_is_what_the_user_said() -> None:
    talk = f"<Messages>\nHuman: {QUESTION}\nAI: I start now. Scope: “{QUESTION}”\n</Messages>"
    prompt = f"These messages were exchanged:\n{talk}\nWrite a brief."
    brief = {"type": "object", "properties": {"research_brief": {"type": "string"}}}
    form = {"type": "json_schema", "json_schema": {"name": "Brief", "schema": brief}}
    told = json.loads(ask(user(prompt), response_format=form)["content"])["research_brief"]
    assert f"“{QUESTION}”" in told
    assert "exchanged" not in told and "I start" not in told


def test_numbers_of_several_findings_are_told_apart() -> None:
    asked = "Which is longer, the Osk Viaduct or the Talmer Bridge?"
    parts = f"<Messages>\nHuman: {asked}\n</Messages>\n<Findings>\n{NUMBERED}</Findings>"
    prompt = f"Write a report.\n{parts}\nUse headings."
    written = ask(user(prompt))["content"]
    for address in PAGES:
        assert address in written
    assert "412 metres" in written.split("\n\n")[1]


def test_findings_are_kept_when_that_is_what_the_last_turn_wants() -> None:
    kept = ask(*after_search(FORMS["links"]), user("Please clean up the above messages, and lose nothing."))[
        "content"
    ]
    assert kept.startswith("- Osk Viaduct")
    assert "### Sources" in kept


def test_calls_and_observations_written_as_text_are_a_tool_loop() -> None:
    tools = [tool("seek", query={"type": "string"}), tool("final_answer", answer={"type": "string"})]
    called = (
        "Calling tools:\n[{'id': '1', 'function': {'name': 'seek', 'arguments': {'query': 'Osk Viaduct'}}}]"
    )
    turns = [
        user(QUESTION),
        {"role": "assistant", "content": called},
        user(f"Observation:\n{FORMS['links']}"),
    ]
    (call,) = ask(*turns, tools=tools, tool_choice="required")["tool_calls"]
    assert call["function"]["name"] == "final_answer"
    assert "388 m. [1]" in json.loads(call["function"]["arguments"])["answer"]


def test_a_tool_that_takes_one_query_is_called_once_for_each() -> None:
    calls = ask(
        user("Which is longer, the Osk Viaduct or the Talmer Bridge?"), tools=[tool("seek", query={})]
    )
    assert len(calls["tool_calls"]) > 1


def test_work_is_handed_on_though_a_list_of_todos_speaks_of_searching() -> None:
    task = tool("ConductResearch", research_topic={"type": "string"})
    todos = tool("write_todos", todos={"type": "array", "items": {"type": "string"}})
    todos["function"]["description"] = "Search tasks: list each search that is to be made, one query a line."
    (call, *_) = ask(user("How high is the Talmer Bridge?"), tools=[task, todos])["tool_calls"]
    assert call["function"]["name"] == "ConductResearch"


def test_a_report_on_what_nobody_tells_names_its_subject_and_no_word_of_asking() -> None:
    asked = "Question: write a report about Kragando for a beginner\n\n<finding>\nNothing.\n</finding>"
    text = ask(user(asked))["content"]
    assert "Kragando" in text
    assert "beginner" not in text and "write" not in text
