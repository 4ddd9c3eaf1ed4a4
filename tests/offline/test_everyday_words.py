"""What people ask in everyday words is found where a page says it with a noun of record."""

from __future__ import annotations

import pytest

from deep_research_offline.model.answer import Answer, solve
from deep_research_offline.model.page import Page

ASIDE = {
    "en": "{0} is an old place. {0} has a red roof. Jan Holm saw {0} in 1950. A bench with 7 legs is there.",
    "zh": "{0}的屋顶是红色的。{0}旁边有一座长7米的桥。",
    "ja": "{0}の屋根は赤い。{0}の横に長さ7メートルの橋がある。",
}
"""What the same page says besides, and what nobody asks."""


def last_of(answer: Answer) -> str:
    """The passage at which the way to the first answer ends."""
    way = answer.founds[0].way
    return way.last.text if way else ""


@pytest.mark.parametrize(
    ("lang", "question", "title", "told"),
    [
        ("en", "How many live in Orsk Vale?", "Orsk Vale", "Orsk Vale has 4,120 inhabitants."),
        ("en", "What does Orsk Mill owe?", "Orsk Mill", "Orsk Mill has debts of 9,000 crowns."),
        (
            "en",
            "How far over budget did Orsk Mill go?",
            "Orsk Mill",
            "Orsk Mill cost 12,000 crowns more than planned.",
        ),
        (
            "en",
            "Who got the job after Mara Lind at Orsk Mill?",
            "Orsk Mill",
            "Mara Lind was succeeded by Ole Fink at Orsk Mill.",
        ),
        (
            "en",
            "What raise did they get at Orsk Mill?",
            "Orsk Mill",
            "Wages at Orsk Mill rose by 8 percent.",
        ),
        (
            "en",
            "What would a visit to Orsk Mill set me back?",
            "Orsk Mill",
            "The price of a visit to Orsk Mill is 6 crowns.",
        ),
        ("en", "Who calls the shots at Orsk Mill?", "Orsk Mill", "Orsk Mill is headed by Mara Lind."),
        (
            "en",
            "How far up is Orsk Mill?",
            "Orsk Mill",
            "Orsk Mill lies at an elevation of 812 metres.",
        ),
        (
            "en",
            "How often does Orsk Mill break down?",
            "Orsk Mill",
            "Orsk Mill had 14 stoppages in 1931.",
        ),
        ("en", "When did Orsk Mill get going?", "Orsk Mill", "Orsk Mill was founded in 1874."),
        (
            "en",
            "Who foots the bill for Orsk Mill?",
            "Orsk Mill",
            "Orsk Mill is funded by the Dorn Fund.",
        ),
        ("zh", "奥尔磨坊来的人有多少？", "奥尔磨坊", "奥尔磨坊每年有8200名访客。"),
        ("zh", "奥尔磨坊要多长时间才能走完？", "奥尔磨坊", "走完奥尔磨坊历时3小时。"),
        ("ja", "オルスク村には何人住んでる？", "オルスク村", "オルスク村の人口は4120人である。"),
        (
            "ja",
            "オルスク水車は誰がやってる？",
            "オルスク水車",
            "オルスク水車の代表はマーラ・リンドである。",
        ),
    ],
)
def test_everyday_words_find_the_noun_of_record(lang: str, question: str, title: str, told: str) -> None:
    answer = solve(question, [Page("S1", title, f"{ASIDE[lang].format(title)}\n\n{told}")])
    assert answer.sure
    assert last_of(answer) == told


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How far back does Orsk Mill go?", "Orsk Mill was founded in 1874."),
        ("How far down does Orsk Mill go?", "The depth of the cellar at Orsk Mill is 9 metres."),
        ("Who put up the money for Orsk Mill?", "Orsk Mill was financed by the Dorn Fund."),
        ("Who put up Orsk Mill?", "Orsk Mill was built by Hask Works."),
    ],
)
def test_a_phrase_of_a_vague_verb_asks_for_one_thing_only(question: str, told: str) -> None:
    pages = [
        Page(
            "S1",
            "Orsk Mill",
            "Orsk Mill was founded in 1874.\n\nOrsk Mill lies at a distance of 31 kilometres from Vell.\n\n"
            "The depth of the cellar at Orsk Mill is 9 metres.\n\nOrsk Mill was built by Hask Works.\n\n"
            "Orsk Mill was financed by the Dorn Fund.",
        )
    ]
    assert last_of(solve(question, pages)) == told
