"""What the graph agent asks a person: for a topic before the research, for approval after it.

Code decides whether a request has a topic, since this needs no judgement: a request whose words are all
greetings, requests for research, or too general to be looked up has none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from deep_research.components.others.critic import critique_text
from deep_research.components.others.vetter import Vetted, vetted_lines
from deep_research.core.errors import ResearchError
from deep_research.core.words import phrases
from deep_research.engine.context import Context
from deep_research.sources.citations import CitationStyle, clean_citations, number_citations
from deep_research.text.data import read_data
from deep_research.text.language import detect_language
from deep_research.text.terms import STOP_WORDS, query_terms

_GENERAL = read_data(__file__, "asking.toml")
_GENERAL_WORDS = frozenset(_GENERAL["words"].split())
_GENERAL_CJK = re.compile("|".join(_GENERAL["cjk"].split()))
_WORDS = phrases("users.topic")


def has_topic(request: str) -> bool:
    """Whether a request names anything that could be looked up."""
    words = query_terms(_GENERAL_CJK.sub(" ", request))
    return any(len(word) > 1 and word not in STOP_WORDS and word not in _GENERAL_WORDS for word in words)


async def ask_topic_node(state: Mapping[str, Any], runtime: Runtime[Context]) -> dict[str, Any]:
    """Ask for a topic, and again while there is none; the answer becomes the question.

    Nothing here has an effect before the answer is there, so that going on after a pause repeats nothing.
    Raises `ResearchError` after `limits.max_clarifications` answers without a topic.
    """
    language = detect_language(state["question"])
    question, turns = _WORDS[language]["ask"], list(state["history"])
    for _ in range(max(runtime.context.settings.limits.max_clarifications, 1)):
        reply = " ".join(str(interrupt({"kind": "topic", "question": question}) or "").split())
        turns += [
            {"role": "assistant", "kind": "question", "content": question},
            {"role": "user", "content": reply},
        ]
        if has_topic(reply):
            return {"question": reply, "history": turns}
        question = _WORDS[language]["again"].format(reply)
    raise ResearchError("There is still no topic to research.", "Ask again, and name a subject.")


def approval_question(state: Mapping[str, Any], passes_left: int) -> str:
    """What the reviewer is shown: the draft, and all that speaks for and against it, with numbers for ids.

    Reads `draft`, `sources`, `links`, `vetted`, `critique`, `plan` and `revisions` of a graph's state.
    """
    draft = clean_citations(state["draft"], state["sources"])
    numbers = {source.id: f"[{number}]" for number, source in enumerate(draft.cited, start=1)}
    closed = [link for link in state["links"] if link["state"] != "alive"]
    broken = [f"- {numbers.get(link['id'], '')} {link['url']}: {link['note']}" for link in closed]
    vetted: list[Vetted] = [
        one | {"id": numbers[one["id"]]} for one in state["vetted"] if one["id"] in numbers
    ]
    another = "anything else is what to change, and starts another pass"
    more = another if passes_left > 0 else "no pass is left"
    parts = [
        number_citations(draft, CitationStyle(detect_language(state["draft"]))).strip(),
        "---",
        "Links that did not open:\n" + ("\n".join(broken) or "- none"),
        f"Who stands behind the sources:\n{vetted_lines(vetted) or '- nobody'}",
        f"Last review: {critique_text(state['critique'], state['plan'])}",
        f"Revisions used: {state['revisions']}",
        f"Accept this report? accept, reject, or your remarks ({more}).",
    ]
    return "\n\n".join(parts)
