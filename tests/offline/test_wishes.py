"""What a request wishes of a report's form is kept, and is nothing to search for or to miss."""

from __future__ import annotations

import pytest

from deep_research_offline.model.act import tool_calls
from deep_research_offline.model.conversation import Conversation
from deep_research_offline.model.offer import offered
from deep_research_offline.model.report_writer import length
from deep_research_offline.model.request import read_request
from deep_research_offline.model.scope import brief
from deep_research_offline.model.supervise import topics
from deep_research_offline.model.wishes import wished_words, without_wishes
from deep_research_offline.model.writing import write

from .test_reports import PAGES

SEARCH = {"name": "search", "parameters": {"properties": {"query": {"type": "string"}}}}


@pytest.mark.parametrize(
    "asked, matter, words",
    [
        ("Write a report of about 300 words on the mill.", "Write a report on the mill.", 300),
        ("Tell me about Orsk Mill in no more than 150 words, for my boss.", "Tell me about Orsk Mill.", 150),
        (
            "Explain in bullet points, for a complete beginner, how a mill works.",
            "Explain how a mill works.",
            0,
        ),
        (
            "Tell me about Orsk Mill. Keep it short. I am a complete beginner.",
            "Tell me about Orsk Mill.",
            250,
        ),
        ("A 200 to 300 word summary of Orsk Mill", "A summary of Orsk Mill", 300),
        ("In half a page, describe Orsk Mill.", "describe Orsk Mill.", 200),
        ("Sum up Orsk Mill in three hundred words at most.", "Sum up Orsk Mill.", 300),
        ("Orsk Mill in three sentences, in plain English", "Orsk Mill", 75),
        ("请用三百字左右介绍一下磨坊。", "请介绍一下磨坊。", 300),
        ("写一份关于磨坊的简短报告，不超过200字。", "写一份关于磨坊的报告。", 200),
        ("水車小屋について300字以内で説明してください。", "水車小屋について説明してください。", 300),
        ("初心者にもわかるように、水車小屋について箇条書きで説明して。", "水車小屋について説明して。", 0),
        ("Which mill is best for my family?", "Which mill is best for my family?", 0),
        ("How many pages does the mill's book have?", "How many pages does the mill's book have?", 0),
    ],
)
def test_a_wish_about_form_is_told_from_the_matter(asked: str, matter: str, words: int) -> None:
    assert without_wishes(asked) == matter
    assert (wished_words(asked) or 0) == words


ASKED = "Write a report of about 120 words on Orsk Mill, for a complete beginner."
BRIEF = read_request(f"I want to know: “{ASKED}”")


def test_nobody_searches_for_a_wish() -> None:
    for said in (ASKED, topics(BRIEF)[0]):
        calls = tool_calls(Conversation([{"role": "user", "content": said}]), offered([SEARCH]), True, None)
        queries = " ".join(str(arguments) for _, arguments in calls)
        assert "Orsk" in queries
        assert not any(word in queries for word in ("120", "words", "beginner"))


def test_a_wish_is_in_the_brief_and_in_no_topic() -> None:
    assert "about 120 words" in brief(Conversation([{"role": "user", "content": ASKED}]))
    assert not any(
        "words" in topic or "beginner" in topic
        for topic in topics(read_request(f"I want to know: “{ASKED}”"))
    )


@pytest.mark.parametrize("words", [80, 120, 250, 400])
@pytest.mark.parametrize("matter", ["Orsk Mill", "the flood at Orsk Mill: what happened, and why"])
def test_a_wished_length_is_kept_and_used(words: int, matter: str) -> None:
    shown = [f'<source id="{p.id}" title="{p.title}" tier="{p.tier}">\n{p.text}\n</source>' for p in PAGES]
    asked = f"Question: Write a report on {matter} in about {words} words."
    text = write(Conversation([{"role": "user", "content": "\n\n".join([asked, *shown])}]))
    assert length(text) <= words
    assert length(text) >= min(words, 200) * 2 // 3
    assert "words" not in text and f"{words}" not in text


@pytest.mark.parametrize(
    "asked", ["what are weirs, for a beginner please", "mill fires for my boss, half a page"]
)
def test_whoever_wishes_it_for_a_reader_wants_a_report(asked: str) -> None:
    assert read_request(asked).broad


@pytest.mark.parametrize(
    "asked", ["who built Orsk Mill, in one paragraph", "how tall is Orsk Mill, for my boss"]
)
def test_a_fact_for_a_reader_is_looked_up(asked: str) -> None:
    assert not read_request(asked).broad
