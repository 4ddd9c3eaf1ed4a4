"""What a run says of a question, or a part of it, that its report leaves open: by any model, in any words."""

from __future__ import annotations

import pytest

from deep_research_offline.model.phrases import say
from deep_research_offline.web.types import Web
from tests.running import DAY, delegate, page, run, wire
from tests.scripted import Script

GULL = "The Gull lighthouse is 41 metres tall [S1.1]."


async def outcome(question: str, draft: str, topic: str = "Gull lighthouse height"):
    return await run(Script(supervisor=delegate(topic), writer=draft), question)


def open_parts(report) -> list[str]:
    return [gap.fields["part"] for gap in report.gaps if gap.kind == "unanswered"]


@pytest.mark.parametrize(
    "lead",
    [
        "No answer was found: none of the sources found states what the question asks.",
        "The sources do not say who painted the Gull lighthouse [S1.1].",
        "Unfortunately, I could not find any information about this.",
        "The closest that the sources say:",
        "Who painted the Gull lighthouse is not settled.",
        "来源中没有说明这一点。",
        "情報源には記載がありません。",
    ],
)
async def test_a_report_whose_lead_denies_is_partial_whatever_else_it_cites(lead):
    question = "Who painted the Gull lighthouse?"
    report = await outcome(question, f"# Gull\n\n{lead}\n\n## What comes nearest\n\n- {GULL}")
    assert (report.status, open_parts(report)) == ("partial", [question])


@pytest.mark.parametrize("label", ["来源没有说明，搜索过", "No source says, asked"])
async def test_a_denial_that_ends_in_the_question_is_no_repetition_of_it(label):
    question = "Who painted the Gull lighthouse?"
    report = await outcome(question, f"# Gull\n\n{label} “{question}”.\n\n## What comes nearest\n\n- {GULL}")
    assert label in report.markdown and (report.status, open_parts(report)) == ("partial", [question])


@pytest.mark.parametrize(
    ("said", "is_open"),
    [
        ("Ada Moe has kept the Gull lighthouse since 2036", True),
        ("Ada Moe kept the Gull lighthouse from 2036 to 2039", True),
        ("Ada Moe kept the Gull lighthouse from 2029 to 2036", False),
        ("Ada Moe has kept the Gull lighthouse since 2029", False),
        ("Ada Moe kept the Gull lighthouse", False),
    ],
)
async def test_what_is_said_of_other_times_leaves_open_who_it_was_in_a_year(said, is_open):
    question = "Who kept the Gull lighthouse in 2031?"
    only = page("ormsund.example/gull", "Gull lighthouse", f"{said}. It is painted red.")
    web = Web(0, "lighthouses", DAY, (only,), {}, (), {}, frozenset())
    script = Script(supervisor=delegate("Gull lighthouse"), writer=f"# Gull\n\n{said} [S1.1].")
    report = await run(script, question, provider=wire(script, web=web))
    assert (open_parts(report), report.status) == (([question], "partial") if is_open else ([], "complete"))


async def test_a_question_back_about_a_misspelt_name_is_no_statement_without_evidence():
    asked = say("slip", "en", name="Gull lighthouse", said="gul lighthouse")
    draft = f"# Gull\n\n{asked}\n\nThe Gull lighthouse is 41 metres tall [S1.2]."
    report = await outcome("How tall is the Gull lighthouse?", draft)
    assert report.status == "complete" and "⚠" not in report.markdown and asked in report.markdown


@pytest.mark.parametrize("prefix", ["", "Not found: "])
async def test_what_code_says_of_the_run_leaves_no_part_of_the_question_open(prefix):
    question = "Which is taller, the Gull lighthouse or the Heron lighthouse?"
    told = f"The model asked for no search, so the program searched for “{question}” by itself."
    tall = f"{GULL} The Heron lighthouse is 28 metres tall [S1.1]."
    draft = f"# Gull\n\n{tall}\n\n## What was not found\n\n- {prefix}{told}"
    script = Script(supervisor=delegate(question), researcher="It is high.", writer=draft)
    report = await run(script, question)
    assert [gap.message for gap in report.gaps] == [told]
    assert report.status == "complete"


@pytest.mark.parametrize(
    ("first", "denial", "part"),
    [
        (GULL, "This is not mentioned in the document.", "Who painted the Gull lighthouse?"),
        (GULL, "No answer was found.", "Who painted the Gull lighthouse?"),
        (
            GULL,
            "The name of its painter is not given in this document [S1.1].",
            "Who painted the Gull lighthouse?",
        ),
        (
            "The question is who painted Gull [S1.1].",
            "The painter is not mentioned.",
            "Who painted the Gull lighthouse?",
        ),
        (
            f"{GULL} It is old [S1.1]. It is high [S1.1].",
            "The price of painting is not stated.",
            "Who painted the Gull lighthouse?",
        ),
        ("海鸥灯塔高四十一米[S1.1]。", "没有找到答案。", "Who painted the Gull lighthouse?"),
    ],
)
async def test_a_denial_behind_a_cited_sentence_beside_the_point_is_seen(first, denial, part):
    report = await outcome("Who painted the Gull lighthouse?", f"# Gull\n\n{first} {denial}")
    assert (report.status, open_parts(report)) == ("partial", [part])


@pytest.mark.parametrize(
    "denial", ["Nothing else was found.", "Its owner is not mentioned.", "没有找到更多信息。"]
)
async def test_a_denial_of_what_nobody_asked_leaves_nothing_open(denial):
    report = await outcome("How tall is the Gull lighthouse?", f"# Gull\n\n{GULL} {denial}")
    assert (report.status, report.gaps) == ("complete", [])


@pytest.mark.parametrize("title", ["", "# Gull\n\n"])
@pytest.mark.parametrize("first", ["{}", "**Question:** {}", "{} [S1.1]"])
async def test_a_question_repeated_below_the_title_is_no_part_of_the_report(title, first):
    question = "How tall is the Gull lighthouse?"
    report = await outcome(question, f"{title}{first.format(question)}\n\n{GULL}")
    assert report.markdown.startswith(f"{title}The Gull lighthouse is 41 metres tall [1].")
    alone = await outcome(question, f"{title}{question}")
    assert alone.status != "complete" and question in alone.markdown


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("How tall is the Gull lighthouse and what was it before that?", "what was it before that"),
        ("Gull灯塔有多高？它在那之前是什么？", "它在那之前是什么"),
    ],
)
async def test_a_denial_that_quotes_words_of_the_question_leaves_these_open(question, quoted):
    report = await outcome(question, f"# Gull\n\n{GULL}\n\nNo source says this, searched for “{quoted}”.")
    assert (report.status, open_parts(report)) == ("partial", [quoted])


async def test_a_part_of_a_question_without_a_cited_sentence_is_named():
    question = "How tall is the Gull lighthouse, and who is its favourite painter?"
    report = await outcome(question, f"# Gull\n\n{GULL} Its favourite painter is well known.")
    assert (report.status, open_parts(report)) == ("partial", ["who is its favourite painter"])
    assert "“who is its favourite painter”" in report.markdown
    whole = await outcome(question, f"# Gull\n\n{GULL} Its favourite painter is a tern [S1.1].")
    assert (whole.status, whole.gaps) == ("complete", [])


@pytest.mark.parametrize(
    ("question", "draft", "part"),
    [
        ("What is the height and favourite painter of the Gull?", GULL, "favourite painter"),
        ("gull lighthouse tall; gull lighthouse yearly revenue", GULL, "gull lighthouse yearly revenue"),
        (
            "How tall is the Gull lighthouse, and does it have a wheelchair ramp?",
            GULL,
            "does it have a wheelchair ramp",
        ),
        ("How tall is the Gull, and who keeps it?", f"{GULL} Nothing was found on: “keeps”.", "who keeps it"),
        (
            "カモメ灯台の高さと完成した年は何ですか。",
            "カモメ灯台の高さは四十一メートルです[S1.1]。",
            "完成した年",
        ),
        (
            "カモメ灯台の高さと、灯台で飼われている猫の名前は何ですか。",
            "カモメ灯台の高さは四十一メートルです[S1.1]。",
            "灯台で飼われている猫の名前",
        ),
        ("海鸥灯塔的高度和守塔人姓名是什么？", "海鸥灯塔的高度是四十一米[S1.1]。", "守塔人姓名"),
        ("海鸥灯塔有多高？是谁设计的外观颜色？", "海鸥灯塔高四十一米[S1.1]。", "是谁设计的外观颜色"),
    ],
)
async def test_a_part_left_open_is_named_in_the_words_of_the_question(question, draft, part):
    report = await outcome(question, f"# Gull\n\n{draft}")
    assert (report.status, open_parts(report)) == ("partial", [part])


@pytest.mark.parametrize(
    ("question", "draft", "parts"),
    [
        ("Compare the Gull and the Heron on reliability", "{} The Heron is lower [S1.1].", ["reliability"]),
        (
            "compare the Gull and the Heron by height, cost and noise",
            "The height of Gull and Heron [S1.1].",
            ["cost", "noise"],
        ),
        ("How do the Gull and the Heron differ in terms of cost?", "{} The Heron is lower [S1.1].", ["cost"]),
        (
            "カモメ灯台とサギ灯台を高さと費用で比較して",
            "カモメ灯台とサギ灯台の高さは四十一メートルです[S1.1]。",
            ["費用"],
        ),
        (
            "请从高度和造价方面比较海鸥灯塔和苍鹭灯塔",
            "海鸥灯塔和苍鹭灯塔的高度都是四十一米[S1.1]。",
            ["造价"],
        ),
    ],
)
async def test_what_things_are_to_be_compared_by_is_a_part_of_the_question(question, draft, parts):
    report = await outcome(question, f"# Gull and Heron\n\n{draft.format(GULL)}")
    assert (report.status, open_parts(report)) == ("partial", parts)
    every = " ".join(parts) + (" [S1.1]." if parts[0].isascii() else "[S1.1]。")
    told = await outcome(question, f"# Gull and Heron\n\n{draft.format(GULL)} {every}")
    assert "part_open" not in [gap.said for gap in told.gaps]


@pytest.mark.parametrize(
    "question", ["How tall is the Gull compared with others?", "Compare what is told on Gull lighthouse Day."]
)
async def test_what_names_no_criterion_adds_no_part(question):
    assert not [g for g in (await outcome(question, f"# Gull\n\n{GULL}")).gaps if g.said == "part_open"]


async def test_what_is_offered_as_nearest_does_not_answer_the_part_that_was_denied():
    denial = "The sources do not say this, searched for “gull relit”."
    nearest = "## What comes nearest\n\n- The Gull lighthouse was relit [S1.2]."
    draft = f"# Gull\n\n{GULL}\n\n{denial}\n\n{nearest}"
    question = "how tall is the gull lighthouse and who relit it"
    report = await outcome(question, draft, "Gull lighthouse built 1902 metres tall")
    assert [source.title for source in report.cited] == ["Gull lighthouse", "Gull relit"]
    assert report.status == "partial"


async def test_a_thing_compared_that_the_report_says_nothing_of_is_named():
    asked = ("Which is taller, the Gull or the Heron?", "which is taller, the gull or the heron")
    for question in (*asked, "Is the Gull taller or smaller than the Heron?"):
        report = await outcome(question, f"# Taller\n\n{GULL}")
        assert report.status == "partial" and [part.lower() for part in open_parts(report)] == ["heron"]
        both = await outcome(question, f"# Taller\n\n{GULL} The Heron is lower [S1.1].")
        assert both.status == "complete"


async def test_what_the_report_itself_says_was_not_found_of_one_of_two_is_named():
    draft = f"# Taller\n\n{GULL}\n\n## Not found\n\n- For the Heron the sources do not state what is needed."
    report = await outcome("Is the Gull taller than the Heron?", draft)
    assert (report.status, open_parts(report)) == ("partial", ["Heron"])


@pytest.mark.parametrize(
    "said",
    [
        "Nothing was found on weight.",
        "The sources do not give the weight of the Gull.",
        "The weight of the lighthouse is not mentioned in this document.",
    ],
)
async def test_what_the_report_itself_says_was_not_found_of_the_question_is_named(said):
    question = "Tell me the height and weight of the Gull lighthouse."
    report = await outcome(question, f"# Gull\n\n{GULL}\n\n## Not found\n\n- {said}")
    assert (report.status, [part.split()[0] for part in open_parts(report)]) == ("partial", ["weight"])
    assert report.gaps[0].message not in report.markdown  # it says so itself, in these words
    beside = await outcome(question, f"# Gull\n\n{GULL}\n\n- Nothing was found on the colour of the door.")
    assert beside.status == "complete"


@pytest.mark.parametrize("thing", ["Wendover Tower", "Gull Harbour Museum"])
async def test_an_answer_about_something_else_is_no_answer(thing):
    report = await outcome(f"Who keeps the {thing}?", f"# Keeper\n\n{GULL}")
    assert (report.status, open_parts(report)) == ("partial", [f"Who keeps the {thing}?"])


@pytest.mark.parametrize(
    ("linking", "is_open"),
    [
        ("It is red.", True),
        ("Its owner, the Orlen Club, sits in Moss.", False),
        ("It is owned by the Tern Club.", False),  # the page on this club names the town
    ],
)
async def test_what_pages_do_not_link_with_what_was_asked_does_not_answer(linking, is_open):
    question = (
        "The club that owns the Gull lighthouse sits in a town with a market. On which day is that held?"
    )
    pages = (
        page("ormsund.example/gull", "Gull lighthouse", f"The Gull lighthouse is 41 metres tall. {linking}"),
        page("ormsund.example/moss", "Moss", "The market of Moss is held on Tuesday, on the green."),
        page("ormsund.example/tern", "Tern Club", "The Tern Club sells lamps. Its seat is Moss."),
    )
    web = Web(0, "lighthouses", DAY, pages, {}, (), {}, frozenset())
    told = "# Market\n\nThe market of Moss is held on Tuesday [S3.1]."
    script = Script(supervisor=delegate("Gull lighthouse", "Tern Club", "Moss"), writer=told)
    report = await run(script, question, provider=wire(script, web=web))
    assert open_parts(report) == ([question] if is_open else [])


@pytest.mark.parametrize(
    ("question", "draft"),
    [
        ("How tall is the Gull lighthouse?", GULL),
        ("how tall is the gull lighthouse", "41 metres [S1.1]."),
        ("Hello! We are planning a trip. How tall is the Gull lighthouse? Thanks a lot!", GULL),
        ("How tall is the Gull lighthouse really? Do the sources agree?", GULL),
        ("Why do people disagree about how tall the Gull is, and what is known for sure?", GULL),
        ("What became of the wreck at Gull?", "At Gull the cause could not be determined [S1.1]."),
        ("Who keeps the lighthouse in which the Gull book was written?", "Ada keeps the Gull [S1.1]."),
        ("海鸥灯塔有多高？", "海鸥灯塔高四十一米[S1.1]。"),
        (
            "カモメ灯台の高さと完成した年は何ですか。",
            "カモメ灯台の高さは四十一メートルで、一九〇二年に完成した[S1.1]。",
        ),
        ("what's the gull's true height? does everybody give the same number?", GULL),
        ("I travel with my aunt, who is afraid of water. How tall is the Gull lighthouse?", GULL),
        ("How tall is the Gull lighthouse, which my aunt wants to climb?", GULL),
        ("gull lighthouse height, keeper", "The height of Gull is 41 metres [S1.1]. Ada keeps it [S1.1]."),
        ("gull: how tall, and who runs it today?", "The Gull is 41 metres tall [S1.1]. Ada leads it [S1.1]."),
        ("Who keeps the Gull, and is it high?", "It is 41 metres high. The keeper of Gull is Ada [S1.1]."),
    ],
)
async def test_an_answer_in_words_of_its_own_leaves_nothing_open(question, draft):
    report = await outcome(question, f"# Title\n\n{draft}")
    assert (report.status, report.gaps) == ("complete", [])


async def test_a_greeting_asks_for_the_question_and_goes_on_with_it(tmp_path):
    script = Script(writer=f"# Gull\n\n{GULL}")
    asked = []
    report = await run(
        script,
        "Good morning!",
        options={"answer": lambda question: asked.append(question) or "How tall is Gull?"},
    )
    assert report.question == "How tall is Gull?" and report.status == "complete" and len(asked) == 1


TWO = (
    page(
        "wiki.example/tern",
        "Tern lighthouse",
        "The Tern lighthouse is 52 metres tall. 21 injured.",
        published="2039-01-01",
    ),
    page(
        "blog.example/tern",
        "A walk to Tern",
        "At Tern lighthouse an old keeper swears by 58 metres. 28 injured.",
    ),
)


@pytest.mark.parametrize(
    "told",
    [
        "The sources give different values for the height: 52 metres [S1.1] and 58 metres [S1.2].",
        "## Where the sources disagree\n\n- Tern is 52 metres tall [S1.1].\n- Tern is 58 metres tall [S1.2].",
        "The sources disagree on those hurt: 21 injured [S1.1], 28 injured [S1.2].",
        "## 来源不一致之处\n\n高度：52米[S1.1]，另一说58米[S1.2]，两者不同。",
    ],
)
async def test_conflicts_in_json_are_those_that_the_report_names(told):
    provider = wire(
        Script(
            supervisor=delegate("Tern lighthouse tall"),
            writer=f"# Tern\n\nIt is 52 metres tall [S1.1].\n\n{told}",
        ),
        web=Web(0, "lighthouses", DAY, TWO, {}, (), {}, frozenset()),
    )
    report = await run(question="How tall is the Tern lighthouse?", provider=provider)
    values = [{one.value for one in conflict.statements} for conflict in report.conflicts]
    assert values in ([{"52 metres", "58 metres"}], [{"52米", "58米"}], [{"21 injured", "28 injured"}])
    assert {one.number for one in report.conflicts[0].statements} == {1, 2}


@pytest.mark.parametrize(
    ("topic", "title"),
    [
        ("Research the following question. Find what helps to answer it: “{}”", "{}"),
        ("Research the Wendover Tower. Find what the sources say of it, and when.", "the Wendover Tower"),
        ("ウェンドーヴァー塔について調べてください。以下の質問に答える情報を見つけてください。", "{}"),
        ("Wendover Tower height", "Wendover Tower height"),
    ],
)
async def test_readers_see_the_title_of_a_topic_and_never_an_instruction(topic, title):
    question, seen = "How tall is the Wendover Tower?", []
    nothing = Script(
        supervisor=delegate("Gull lighthouse height", topic.format(question)),
        researcher=lambda request: (
            [("ResearchComplete", {})]
            if "Wendover" in str(request)
            else [("search", {"queries": ["Gull lighthouse"]})]
        ),
    )
    report = await run(nothing, question, options={"on_event": seen.append})
    shown = "\n".join([report.markdown, *(gap.message for gap in report.gaps), *(e.topic for e in seen)])
    assert title.format(question) in shown
    assert not any(words in shown for words in ("Research the", "Find what", "調べてください"))
    assert {line.topic for line in report.trace} <= {"", "Gull lighthouse height", title.format(question)}


@pytest.mark.parametrize(
    "length", ["max 100 words", "in 100 words", "100 words or less", "at most 3 paragraphs"]
)
async def test_how_long_a_report_is_to_be_is_no_part_of_what_it_answers(length):
    report = await outcome(f"The Gull lighthouse, metres tall, {length}", f"# Gull\n\n{GULL}")
    assert (report.status, open_parts(report)) == ("complete", [])


@pytest.mark.parametrize("own", ["I'd", "I’ve"])
async def test_who_asks_is_nothing_that_a_question_names(own):
    question = f"i need a high spot to look at the sea. {own} thought of a lighthouse, how tall is it?"
    report = await outcome(question, f"# Gull\n\n{GULL}")
    assert (report.status, open_parts(report)) == ("complete", [])
