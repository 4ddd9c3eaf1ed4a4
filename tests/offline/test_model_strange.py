"""The offline model on what nobody would ask: questions out of shape, and requests that hold next to nothing.

A model that raises answers with a server error, and every report of the run falls back to quotations.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from deep_research.runs import aresearch
from deep_research_offline.model import complete
from deep_research_offline.model.names import names_in
from deep_research_offline.web import build_web
from deep_research_offline.web.types import Page

TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
PREAMBLE = "I have read about such things for years and would like to understand them better. " * 20
ROW = (
    '<source id="S1.1" title="Osk Viaduct">\nBuilt long ago.\n\n| span | m |\n|---|---|\n|  | 38 |\n</source>'
)


def tool(name: str, **properties: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


def form(**properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}


SUPERVISOR = [tool("ConductResearch", research_topic=TEXT), tool("ResearchComplete")]
RESEARCHER = [tool("search", queries=TEXTS), tool("ResearchComplete")]
OPTIONS: Sequence[Mapping[str, Any]] = (
    {},
    {"tools": SUPERVISOR},
    {"tools": RESEARCHER},
    {"response_format": form(need_clarification={"type": "boolean"}, question=TEXT, verification=TEXT)},
    {"response_format": form(questions=TEXTS, to_check=TEXTS)},
    {"response_format": form(summary=TEXT, key_excerpts=TEXTS)},
    {"response_format": form(sufficient={"type": "boolean"}, reason=TEXT, missing=TEXT)},
)


def mutants(question: str, other: str, rng: random.Random) -> Iterator[str]:
    """A question with words dropped, counts and names that do not fit, doubled, cut off, or far too long."""
    words, names, strange = question.split(), names_in(question), names_in(other)
    dropped = set(rng.sample(range(len(words)), min(3, len(words) - 1)))
    yield " ".join(word for place, word in enumerate(words) if place not in dropped)
    yield question.lower().rstrip("?？。")
    yield f"{question} {question}"
    yield f"{PREAMBLE}{question}"
    yield question[: len(question) // 2]
    for name in names[:1]:
        yield question.replace(name, (strange or names)[-1])
        yield f"Which three of these are the longest: {name}, {(strange or names)[0]} or {name}?"
    if len(names) > 1:
        yield f"Which two of these are the longest: the {names[0]} or the {names[1]}?"


def shown(pages: Sequence[Page]) -> str:
    return "\n".join(
        f'<source id="S1.{n}" title="{p.title}" published="{p.published}">\n{p.text[:1500]}\n</source>'
        for n, p in enumerate(pages, 1)
    )


@pytest.mark.parametrize("domain", ["airships", "libraries"])
def test_a_question_out_of_shape_raises_nothing_in_any_role(domain):
    web, rng = build_web(0, domain=domain), random.Random(7)
    kinds = dict.fromkeys(question.kind for question in web.questions)
    for kind in kinds:
        asked, other = rng.sample([q for q in web.questions if q.kind == kind], 2)
        sources = shown([page for url in asked.pages[:2] if (page := web.page(url))])
        for text in rng.sample(list(mutants(asked.text, other.text, rng)), 3):
            found = f"Question: {text}\n\n{sources}\n\nUse at most 30 words."
            for message in (text, found):
                for options in OPTIONS:
                    complete({"messages": [{"role": "user", "content": message}], **options})


def test_a_request_that_holds_next_to_nothing_raises_nothing():
    said = (
        "",
        "{",
        "“”",
        "?",
        ROW,
        "- S1.1: \n<findings>\nx [S1.1]\n</findings>",
        "Still open:\n- : x\n- a: b",
    )
    call = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
    looked = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": ROW},
    ]
    talks = [[{"role": role, "content": text}] for role in ("system", "user") for text in said]
    talks += [[{"role": "assistant", "content": '{"a": 1}'}, *talk] for talk in talks]
    for talk in (*talks, looked, *([*talk, *looked] for talk in talks)):
        for options in OPTIONS:
            complete({"messages": talk, **options})


async def test_two_asked_for_among_two_end_in_a_report_that_gives_both():
    web = build_web(0)
    asked = next(q for q in web.questions if q.kind == "comparison" and len(names_in(q.text)) == 2)
    one, two = names_in(asked.text)
    report = await aresearch(f"Which two of these are the longest: the {one} or the {two}?", keep=False)
    assert report.status == "complete" and not report.gaps
    assert all(report.markdown.count(name) > 1 for name in (one, two))


def test_a_complaint_about_prose_in_place_of_an_object_is_no_question():
    asked = [{"role": "user", "content": "How long is the Osk Viaduct?"}]
    repair = "That was not a valid Brief: there is no object in the answer. Return only the corrected object."
    again = [*asked, {"role": "assistant", "content": "Certainly!"}, {"role": "user", "content": repair}]
    for schema in (
        form(research_brief=TEXT),
        form(sections={"type": "array", "items": TEXT}),
        form(queries=TEXTS),
    ):
        first, second = (
            complete({"model": "offline", "response_format": schema, "messages": messages})["choices"]
            for messages in (asked, again)
        )
        assert first == second
