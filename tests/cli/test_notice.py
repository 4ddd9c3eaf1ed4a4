"""A newcomer's question about the real world is met before the run; samples never are."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from deep_research.cli.notice import foreign_notice
from deep_research.core.errors import UsageError
from deep_research.runs import research
from deep_research.runs.real_world import foreign_words
from deep_research.sources.index import Index
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.web import build_web, domains

from .conftest import Command

REAL_WORLD = [
    "What is the capital of France?",
    "Who is the CEO of OpenAI?",
    "How does photosynthesis work?",
    "tesla vs byd market share",
    "Compare LangGraph and CrewAI for multi-agent systems",
    "法国的首都是什么？",
    "人工智能监管的最新进展",
    "日本の首都はどこですか。",
    "電気自動車の市場シェアを比較してください",
]


def test_what_only_notes_of_ones_own_can_know_is_not_refused(command: Command, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(
        "# Zorbel\n\nThe tower of Zorbel is 42 metres high.\n", encoding="utf-8"
    )
    done = command("ask", "How high is the tower of Zorbel?", "--knowledge", "notes.md")
    assert done.status == 0 and "42 metres high. [1]" in done.out


def index_of(seed: int, domain: str) -> Index:
    return OfflineProvider(web=build_web(seed, domain=domain)).tavily.index()


@pytest.mark.parametrize("domain", domains())
@pytest.mark.parametrize("seed", [0, 1])
def test_no_sample_question_is_foreign(seed: int, domain: str) -> None:
    web, index = build_web(seed, domain=domain), index_of(seed, domain)
    assert not [q.text for q in web.questions if foreign_notice(q.text, web, index)]


@pytest.mark.parametrize("domain", domains())
def test_own_wording_about_things_of_the_web_is_not_foreign(domain: str) -> None:
    web, index = build_web(0, domain=domain), index_of(0, domain)
    unsampled = replace(web, questions=())
    assert not [q.text for q in web.questions if q.facts and foreign_words(q.text, unsampled, index)]


@pytest.mark.parametrize(
    "question",
    [
        "does port brudoji have a swimming pool?",
        "what did taylor swift sing at port brudoji",
        "what is the fastest airship",
        "list all airlines",
        "海里斯莎号有多长，船上有没有游泳池？",
        "海里斯莎号和卡斯马吉号哪艘更快？",
        "布鲁多吉港的游泳池几点开门？",
        "カスマジ号にプールはありますか。",
    ],
)
def test_what_is_about_a_thing_of_the_web_is_not_foreign_whatever_it_asks(question: str) -> None:
    assert not foreign_words(question, build_web(), index_of(0, "airships"))


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("比亚迪和特斯拉的电动汽车销量对比", ["比亚迪", "特斯拉", "电动汽车销量"]),
        ("电气工程师在北京有多少人？", ["电气工程师", "北京"]),
        ("電気自動車の市場シェアを比較してください", ["電気自動車", "市場シェア"]),
        ("tesla vs byd market share", ["tesla", "byd"]),
    ],
)
def test_words_that_the_web_lacks_are_named_whole(question: str, words: list[str]) -> None:
    assert foreign_words(question, build_web(), index_of(0, "airships")) == words


@pytest.mark.parametrize(
    ("domain", "question"),
    [
        ("libraries", "日曜開館をめぐる議論の現状をまとめて"),
        ("libraries", "貸出数の推移とその背景について報告して"),
        ("libraries", "図書館の延滞料の仕組みを詳しく説明して"),
        ("libraries", "图书馆借阅量这些年的变化趋势和原因分析"),
        ("libraries", "请详细介绍洪水之后图书馆重建的进展情况"),
        ("libraries", "图书馆员罢工的来龙去脉，帮我梳理一下"),
        ("airships", "飛行船の事故の傾向と対策についてまとめてください"),
        ("airships", "港の旅客数の推移を概観して"),
        ("airships", "飞艇事故的主要原因和教训，写一份报告"),
        ("airships", "各港口旅客吞吐量的发展概况"),
        ("airships", "罢工的来龙去脉，整理成报告"),
    ],
)
def test_words_of_asking_and_one_unknown_subject_of_several_make_no_foreign_question(
    domain: str, question: str
) -> None:
    assert not foreign_words(question, build_web(31, domain=domain), index_of(31, domain))


@pytest.mark.parametrize("domain", domains())
@pytest.mark.parametrize(
    "question",
    [
        "人工知能の規制に関する議論の現状をまとめて",
        "量子コンピュータの最新動向を詳しく説明して",
        "東京タワーの高さはどのくらいですか",
        "円安の原因と影響",
        "大谷翔平の成績を比較して",
        "比特币价格走势的原因分析",
        "苹果公司最新财报的主要亮点",
        "特朗普关税政策的影响分析",
        "北京地铁的客流量趋势，请整理一份报告",
        "中国房地产市场的现状",
    ],
)
def test_what_only_shares_words_of_asking_with_the_web_is_foreign(domain: str, question: str) -> None:
    assert foreign_words(question, build_web(31, domain=domain), index_of(31, domain))


@pytest.mark.parametrize("question", REAL_WORLD)
def test_a_question_about_the_real_world_is_stopped_at_once(command: Command, question: str) -> None:
    done = command("ask", question, "--json")
    assert (done.status, done.out) == (2, "")
    assert done.err.count("deep-research ask '") == 4  # three samples, and the way to one's own documents
    assert "--docs FOLDER" in done.err and "OPENAI_API_KEY" in done.err and "--yes" in done.err


@pytest.mark.parametrize("question", REAL_WORLD[::3])
def test_in_python_it_is_refused_too_or_the_report_names_the_way_to_the_real_web(
    question: str,
) -> None:
    with pytest.raises(UsageError, match="live=True"):
        research(question, keep=False)
    report = research(question, keep=False, search="offline")
    said = [gap for gap in report.gaps if gap.said == "invented_web"]
    assert len(said) == 1 and "live=True" in report.markdown and report.status != "complete"


def test_a_follow_up_need_not_name_what_it_is_about() -> None:
    history = [{"role": "user", "content": "Why did the Turhovar Mast fall down?"}]
    report = research("was anyone punished?", history=history, keep=False)
    assert "Turhovar Mast" in report.markdown
    assert not [gap for gap in report.gaps if gap.said == "invented_web"]


def test_what_the_user_said_when_asked_back_counts() -> None:
    report = research(
        "How many mooring masts does PB have?", answer=lambda _: "PB is Port Brudoji.", keep=False
    )
    assert "24 mooring masts" in report.markdown
    assert not [gap for gap in report.gaps if gap.said == "invented_web"]


def test_in_python_the_report_of_a_sample_says_nothing_of_the_real_web() -> None:
    report = research("How many mooring masts does Port Brudoji have?", keep=False)
    assert (report.status, report.gaps) == ("complete", [])


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("How many mooring masts does Port Brudji have?", "“Brudji”. Did you mean “Brudoji”?"),
        ("how long is the quilesla", "“quilesla”. Did you mean “Quilelsa”?"),
        ("カスマシ号の最高速度はどれくらいですか。", "“カスマシ号”. Did you mean “カスマジ号”?"),
    ],
)
def test_a_misspelt_name_is_not_foreign_and_the_near_name_is_told(
    command: Command, question: str, name: str
) -> None:
    done = command("ask", question, "--json")
    assert json.loads(done.out)["question"] == question and name in done.err


@pytest.mark.parametrize("greeting", ["hi", "Hello there!", "你好", "こんにちは"])
def test_a_greeting_is_answered_by_what_can_be_asked_and_costs_nothing(
    command: Command, greeting: str
) -> None:
    done = command("ask", greeting, "--json")
    told = json.loads(done.out)
    assert (done.status, told["status"], told["usage"]["model_calls"]) == (4, "needs_input", 0)
    assert told["asked"] in done.err and done.err.count("deep-research ask '") == 3


def test_yes_runs_anyway(command: Command) -> None:
    done = command("ask", "What is the capital of France?", "--yes", "--json")
    told = json.loads(done.out)
    assert told["question"] == "What is the capital of France?"
    assert told["status"] in ("partial", "no_evidence") and "Paris" not in told["report"]


def test_samples_are_offered_in_the_language_of_the_question(command: Command) -> None:
    assert "飞艇" in command("ask", "法国的首都是什么？").err
