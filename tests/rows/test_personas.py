"""Rows s20 and s21, personas and templates: each told apart by what it does to a run, in every system."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from deep_research import aresearch
from deep_research.core.errors import SettingsError, UsageError
from deep_research.core.records import Source
from deep_research.core.tiers import classify
from deep_research.report.strictness import strict_report
from deep_research.settings import load_settings
from deep_research.settings.files import fill_template, find_file, list_files
from deep_research.settings.parts import OutputSettings
from deep_research.sources.primary import is_paper, is_primary
from deep_research.systems import SYSTEMS
from tests.running import page as small_page
from tests.running import run, small_web, wire
from tests.scripted import Script, sources_in
from tests.scripted import last_tool_results as delegated

TEXT = (
    "# Lighthouses\n\nThe Gull lighthouse is 41 metres tall [S1.1]. It may be the tallest [S1.1]. "
    "It will be sold [S1.1]. It is a beautiful tower [S1.1].\n\n## More\n\n"
    + " ".join(f"Tower {n} of the island was painted white [S1.1]." for n in range(30))
)
PERSONAS = ("speed", "cost", "quality", "fact_strict", "insight")


def script() -> Script:
    return Script(writer=TEXT, researcher=([("search", {"queries": ["Gull lighthouse"]})], TEXT))


def cited_as(title: str, request: dict[str, Any]) -> str:
    """The id under which a writer's request lists a source."""
    (name,) = re.findall(rf"- (S[\d.]+): {title} \(", request["messages"][-1]["content"])
    return str(name)


def body(report: Any) -> str:
    return report.markdown.partition("\n## What could not be found")[0].partition("\n## Sources")[0]


def test_personas_come_with_the_package_and_of_ones_own(tmp_path: Path):
    assert [one.name for one in list_files("personas")] == sorted(PERSONAS)
    own = tmp_path / "mine" / "personas"
    own.mkdir(parents=True)
    (own / "board.toml").write_text('description = "For the board."\n[settings]\noutput.form = "list"\n')
    (own / "speed.toml").write_text("[settings]\nsearch.results = 1\n")
    chosen = load_settings({"persona": "board", "own_files": str(tmp_path / "mine")})
    assert chosen.output.form == "list" and chosen.origin["output.form"] == "persona board"
    assert load_settings({"persona": "speed", "own_files": str(tmp_path / "mine")}).search.results == 1
    with pytest.raises(SettingsError, match=r"no persona 'sped'. Did you mean 'speed'"):
        load_settings({"persona": "sped"})
    (own / "bad.toml").write_text("[setings]\n")
    with pytest.raises(SettingsError, match=r"Persona 'bad.toml' has an unknown part 'setings'"):
        load_settings({"persona": "bad", "own_files": str(tmp_path / "mine")})


@pytest.mark.parametrize(
    ("text", "wrong"),
    [("settings = 3", "'settings' is not a table"), ("live = [1]", "'live' is not a table"),
     ("description = 3", "'description' is not a text")],
)  # fmt: skip
def test_a_persona_of_the_wrong_form_is_refused_in_one_line(tmp_path: Path, text: str, wrong: str):
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "bad.toml").write_text(text)
    with pytest.raises(SettingsError, match=rf"Persona 'bad.toml': {wrong}"):
        load_settings({"persona": "bad", "own_files": str(tmp_path)})


def test_a_persona_stands_between_preset_and_environment(tmp_path: Path):
    file = tmp_path / "mine.toml"
    file.write_text("[limits]\nmax_searches = 7\n")
    env = {"OPENAI_API_KEY": "k", "DEEP_RESEARCH_MODEL_WRITE": "openai:mine"}
    chosen = load_settings({"preset": "deep", "persona": "cost"}, file=file, env=env)
    assert (chosen.limits.max_searches, chosen.search.results) == (7, 3)  # the file wins; the preset does not
    assert chosen.models["write"] == "openai:mine" and chosen.models["decide"] == "openai:gpt-5-nano"


def test_light_models_of_a_persona_never_replace_a_model_that_was_chosen():
    assert load_settings({"persona": "cost"}).models == {"model": "offline"}
    mine = load_settings({"persona": "cost"}, env={"OPENAI_API_KEY": "k", "DEEP_RESEARCH_MODEL": "openai:x"})
    assert mine.models == {"model": "openai:x"}
    local = load_settings({"persona": "cost"}, env={"OPENAI_BASE_URL": "http://localhost:1/v1"})
    assert local.models == {"model": "openai:gpt-5-mini"}


@pytest.mark.parametrize("system", ["open_deep_research", "shallow_researcher", "graph_agent"])
async def test_personas_are_told_apart_in_each_system(system: str):
    web = small_web(small_page("keels.gov.example/1", "Register", "The Gull lighthouse is 41 metres tall."))
    reports, scripts = {}, {name: script() for name in ("", *PERSONAS)}
    for name, said in scripts.items():
        reports[name] = await run(provider=wire(said, web=web), system=system, persona=name)
    plain = body(reports[""])
    speed, cost, strict = (body(reports[name]) for name in ("speed", "cost", "fact_strict"))
    assert "\n- Tower 3 of" in speed and "\n- Tower 3 of" not in plain and "## More" in speed
    assert "##" not in cost and len(cost) < len(plain) / 2
    assert reports["speed"].usage.searches <= reports[""].usage.searches
    for word in ("may be", "will be", "beautiful"):
        assert word in plain and word not in strict
    assert reports["fact_strict"].settings.verifier.mode == "strict"
    reviews = {name: len(said.requests["critic"]) for name, said in scripts.items()}
    assert reviews["quality"] == reviews[""] + 1
    angles = (
        "Another perspective: other industries",
        "Another perspective: other countries",
        "perspective “",
    )
    assert any(angle in reports["insight"].markdown for angle in angles)
    assert not any(angle in reports[""].markdown for angle in angles)


async def test_fact_strict_keeps_what_primary_sources_support_and_says_what_it_left_out():
    web = small_web(small_page("keels.gov.example/1", "Register", "The Gull lighthouse is 41 metres tall."))
    text = (
        "# T\n\nThe Gull lighthouse is 41 metres tall [S1.1][S1.2].\n\n- The Gull was relit [S1.2].\n\n"
        "Perhaps the lamp is weak [S1.1].\n"
    )
    said = Script(
        writer=text, researcher=([("search", {"queries": ["Gull lighthouse 41 metres tall"]})], "x")
    )
    report = await run(provider=wire(said, web=web), persona="fact_strict")
    assert [source.url for source in report.cited] == ["https://keels.gov.example/1"]
    assert "The Gull lighthouse is 41 metres tall [1]." in report.markdown
    assert "relit" not in body(report) and "weak" not in body(report)
    assert "Left out, as the settings want: hedged 1, without a primary source 1." in report.markdown
    assert {one.reason.partition(":")[0] for one in report.removed} >= {"hedged", "not_primary"}


async def test_fact_strict_keeps_what_a_primary_source_states_though_the_writer_cites_another() -> None:
    tall = "The Gull lighthouse is 41 metres tall."
    web = small_web(
        small_page("keels.example/1", "Gull lighthouse", f"{tall} It was relit in 1903."),
        small_page("keels.gov.example/1", "Register", tall),
    )
    said = Script(
        writer="# T\n\nThe Gull lighthouse is 41 metres tall. [S1.2] The Gull was relit in 1903. [S1.2]\n",
        researcher=([("search", {"queries": ["Gull lighthouse 41 metres tall lit"]})], "x"),
    )
    report = await run(provider=wire(said, web=web), persona="fact_strict")
    assert [source.url for source in report.cited] == ["https://keels.gov.example/1"]
    assert "The Gull lighthouse is 41 metres tall [1]‡." in report.markdown
    assert "relit" not in body(report) and [one.reason for one in report.removed] == [
        "not_primary: The Gull was relit in 1903."
    ]


async def test_fact_strict_reads_the_operators_own_page_beside_many_of_an_office() -> None:
    fleet = "Gull Ferries has 41 boats."
    office = [
        small_page(f"keels.gov.example/{n}", f"Fleets {n}", f"All boats of year {n}.") for n in range(9)
    ]
    own = small_page("www.gull-ferries.example/who", "Who we are", fleet + " We sail all year.")
    wiki = small_page("wiki.example/Gull", "On Gull", fleet)
    said = Script(
        writer=lambda request: f"# T\n\n{fleet} [{cited_as('On Gull', request)}]\n",
        researcher=([("search", {"queries": ["Gull Ferries boats fleet"]})], "x"),
        compressor=lambda request: "\n".join(f"{fleet} [{name}]" for name in sources_in(request)),
    )
    report = await run(provider=wire(said, web=small_web(wiki, *office, own)), persona="fact_strict")
    cited = [source.url for source in report.cited]
    assert f"{fleet[:-1]} [{cited.index('https://www.gull-ferries.example/who') + 1}]‡." in report.markdown


def test_a_paper_is_primary_on_any_host_and_a_preprint_is_not() -> None:
    paper = "*A. Author*\n\n## Abstract\n\nWe measured 41 metres.\n\n## References\n\n- B.\n"
    assert is_paper(paper) and is_paper("Abstract\nWe measured.\nREFERENCES\n[1] B.")
    assert not is_paper("In the abstract, references are rare.\n## References\n")
    for host, primary in (("keel-letters.example", True), ("arxiv.org", False)):
        url = f"https://{host}/abs/2401.00001"
        source = Source(id="S1.1", kind="paper", url=url, title="On keels", tier=classify(url)[0])
        assert is_primary(source) == primary


@pytest.mark.parametrize("lost", [True, False])
async def test_a_strict_report_without_its_first_paragraph_is_partial_and_says_so(lost: bool) -> None:
    tall, relit = "The Gull lighthouse is 41 metres tall", "The Gull lighthouse was relit in 1903"
    web = small_web(small_page("keels.gov.example/1", "Register", f"{relit if lost else tall}."))
    first, second = (tall, relit) if lost else (tall, "The Gull lighthouse may be red")
    said = Script(
        writer=f"# T\n\n{first} [S1.{2 if lost else 1}].\n\n{second} [S1.1].\n",
        researcher=([("search", {"queries": ["Gull lighthouse 41 metres tall relit"]})], "x"),
    )
    report = await run(provider=wire(said, web=web), persona="fact_strict")
    assert report.removed and report.cited
    assert (report.status == "partial") == lost
    assert [gap.said for gap in report.gaps] == ["lead_left_out"] * lost
    assert ("It stands in “Gull lighthouse”." in report.markdown) == lost


@pytest.mark.parametrize(
    ("url", "title", "sentence", "primary"),
    [
        ("https://www.acme-keels.com/products/k2", "K2", "It is 9 metres long.", True),
        ("https://blog.acme-keels.com/meet-k2", "Meet K2", "It is 9 metres long.", True),
        ("https://blog.example/meet-k2", "Meet K2", "It is 9 metres long.", False),
        ("https://gull-ferries.co.uk/winter", "Winter with Gull Ferries", "Bicycles travel free.", True),
        ("https://gull-ferries.co.uk/notes", "Notes", "Gull Ferries carries bicycles.", True),
        ("https://gull-ferries.co.uk/notes", "Notes", "Heron Boats carries none.", False),
        ("https://keel-review.org/k2", "The K2 of Acme Keels | Keel Review", "It is 9 metres long.", False),
        ("https://acme-keels.blogspot.com/products", "Acme Keels", "It is 9 metres long.", False),
        ("https://handbook.example/about/", "Who we are", "It is 9 metres long.", True),
        ("https://handbook.example/about/K2", "K2", "It is 9 metres long.", False),
        ("https://wiki.example/Gull_Ferries", "Gull Ferries", "Gull Ferries carries bicycles.", False),
        ("https://keel-review.org/trials/k2", "The K2 on trial", "It is 9 metres long.", True),
        ("https://wheels.example/info/crash-tests/k2", "The K2", "It is 9 metres long.", True),
        ("https://keel-review.org/news/trials-of-the-k2", "Trials of the K2", "It is 9 metres long.", False),
    ],
)
def test_a_makers_page_is_primary_for_its_product_and_an_operators_for_its_service(
    url: str, title: str, sentence: str, primary: bool
) -> None:
    source = Source(id="S1.1", kind="web", url=url, title=title, tier=classify(url)[0])
    assert is_primary(source, sentence) == primary


def test_fact_strict_keeps_what_says_that_nothing_was_found() -> None:
    output = OutputSettings(primary_only=True, drop=["hedged"])
    wiki = Source(id="S1.1", kind="web", url="https://wiki.example/a", title="A", tier="unverified")
    denial = "The sources do not say how old it is."
    text, removed = strict_report(f"# T\n\n{denial}\n\nIt is old [S1.1].", [wiki], output)
    assert denial in text and [one.reason for one in removed] == ["not_primary: It is old."]


def test_of_a_row_fact_strict_keeps_the_cells_that_a_primary_source_states() -> None:
    output = OutputSettings(primary_only=True)
    wiki, office = (
        Source(id=f"S1.{n}", kind="web", url=f"https://{host}.example/a", title="A", tier=tier)
        for n, (host, tier) in enumerate([("wiki", "unverified"), ("keels.gov", "government")], 1)
    )
    head = "# T\n\n| Lighthouse | Height | Range | Built |\n| --- | --- | --- | --- |\n"
    gull = "| Gull | 40 m [S1.1] / 41 m [S1.2] | 20 miles [S1.1] | 1902 [S1.1] |\n"
    others = "| Heron | 30 m [S1.1] | – | – |\n| Tern | – | 8 miles / 9 miles [S1.1][S1.2] | – |\n"
    text, removed = strict_report(f"{head}{gull}{others}", [wiki, office], output)
    assert text == (
        "# T\n\n| Lighthouse | Height | Range |\n| --- | --- | --- |\n"
        "| Gull | 41 m [S1.2] | – |\n| Tern | – | 9 miles [S1.2] |\n"
    )
    assert [one.reason for one in removed] == [
        "not_primary: Gull; height: 40 m", "not_primary: Gull; range: 20 miles",
        "not_primary: Gull; built: 1902", "not_primary: Tern; range: 8 miles",
        "not_primary: Heron; height: 30 m; range: –; built: –",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ("The Gull may be 41 metres tall.", "hedged"),
        ("Readers may be right.", "hedged"),
        ("A book may be kept for 15 days.", ""),
        ("You may bring a dog.", ""),
        ("It could be 41 metres tall.", "hedged"),
        ("Nobody knows how the cellar could fill with water.", ""),
        ("Readers had to pay before they could borrow.", ""),
        ("It could not be repaired.", ""),
        ("You will have to wait for 28 weeks.", ""),
        ("The fleet will grow to 20 boats.", "predictive"),
        ("Half of the rise is due to this gift.", ""),
        ("The ferry is due to sail in 2050.", "predictive"),
    ],
)
def test_what_one_may_do_could_do_or_has_to_expect_is_no_doubt_and_no_forecast(told: str, kind: str) -> None:
    output = OutputSettings(drop=["hedged", "predictive"])
    _, removed = strict_report(told.replace(".", " [S1.1]."), [], output)
    assert [one.reason.partition(":")[0] for one in removed] == ([kind] if kind else [])


@pytest.mark.parametrize(
    ("told", "stays"),
    [
        ("The Gull may be old [1]. The Heron is red [1].", "The Heron is red [1]."),
        (
            "The Gull may be tall [1]. It also has a horn [1]. The Heron is red [1].",
            "The Heron is red [1].",
        ),
        ("The Gull may be tall [1].\n\nIt has a horn [1].", "It has a horn [1]."),
        (
            "The Gull may be tall [1]. The Heron is red [1]. Its lamp is old [1].",
            "The Heron is red [1]. Its lamp is old [1].",
        ),
        ("The Gull is tall [1]. It has a horn [1].", "The Gull is tall [1]. It has a horn [1]."),
        ("灯塔可能很高 [1]。它还有雾笛 [1]。苍鹭塔是红色的 [1]。", "苍鹭塔是红色的 [1]。"),
        (
            "灯台は高いかもしれません [1]。また霧笛もあります [1]。鷺灯台は赤い [1]。",
            "鷺灯台は赤い [1]。",
        ),
    ],
)
def test_what_leans_on_a_sentence_that_is_left_out_goes_with_it(told: str, stays: str) -> None:
    output = load_settings({"output.drop": ["hedged"]}).output
    left, _ = strict_report(told.replace("[1]", "[S1.1]"), [], output)
    assert left.strip("\n") == stays.replace("[1]", "[S1.1]")


async def test_fact_strict_with_nothing_left_has_no_evidence_and_says_so():
    report = await run(Script(writer="# T\n\nIt may be tall [S1.1]."), persona="fact_strict")
    assert report.status == "no_evidence"
    assert "Nothing is left that the settings allow." in report.markdown


@pytest.mark.parametrize("answer", ["better", "worse"])
async def test_a_critic_sends_a_draft_back_and_a_worse_one_is_not_taken(answer: str):
    weak = {"question_1": {"verdict": "insufficient", "missing": "The year is missing."}}
    good = {"question_1": {"verdict": "sufficient", "missing": ""}}
    again = "# T\n\nBuilt in 1902 [S1.1]. Tall [S1.1]." if answer == "better" else "# T\n\nNothing."
    said = Script(writer=("# T\n\nTall [S1.1].", again), critic=(weak, good))
    report = await run(said, writer__reviews=2)
    assert "A reviewer of your draft says: The year is missing." in said.prompts("writer")[1]
    assert ("1902" in report.markdown) == (answer == "better")
    assert [gap.kind for gap in report.gaps] == ([] if answer == "better" else ["unanswered"])


async def test_what_a_draft_says_itself_that_it_lacks_is_no_remark_of_a_critic():
    weak = {"question_1": {"verdict": "insufficient", "missing": "The height is not known."}}
    said = Script(writer="# T\n\nThe Gull is red [S1.1]. The height is not known.", critic=weak)
    report = await run(said, writer__reviews=2)
    assert len(said.requests["writer"]) == 1 and "critic of the draft" not in report.markdown


async def test_a_perspective_is_a_section_of_its_own_with_sources_of_its_own():
    def compress(request: dict[str, Any]) -> str:
        return "\n".join(f"Something is known [{name}]." for name in sources_in(request))

    def research(request: dict[str, Any]) -> Any:
        topic = request["messages"][1]["content"]
        if delegated(request):
            return [("ResearchComplete", {})]
        return [("search", {"queries": ["Terns breed" if "islands" in topic else "Gull lighthouse"]})]

    def write(request: dict[str, Any]) -> str:
        text = request["messages"][-1]["content"]
        return "Terns breed there [S2.1]." if "S2.1" in text else "# T\n\nThe Gull is 41 metres tall [S1.1]."

    said = Script(researcher=research, compressor=compress, writer=write)
    report = await run(said, "How tall is the Gull lighthouse?", scope__perspectives=["other islands"])
    assert "## Another perspective: other islands\n\nTerns breed there [2]." in report.markdown
    assert "Gull" not in said.requests["researcher"][-1]["messages"][1]["content"]
    same = Script(
        writer=write,
        compressor=compress,
        researcher=lambda request: (
            [("ResearchComplete", {})]
            if delegated(request)
            else [("search", {"queries": ["Gull lighthouse"]})]
        ),
    )
    told = {"scope__perspectives": ["other islands"], "search__results": 1}
    nothing = await run(same, "How tall is the Gull lighthouse?", **told)
    assert [gap.message for gap in nothing.gaps if "“other islands”" in gap.message]


async def test_insight_tells_what_is_comparable_elsewhere_and_misses_none_of_its_own_words(tmp_path: Path):
    (tmp_path / "gull.md").write_text("# Gull Ferries\n\nGull Ferries refunds a ticket within 12 days.")
    (tmp_path / "tern.md").write_text("# Tern Railways\n\nTern Railways refunds a ticket within 30 days.")
    (tmp_path / "heron.md").write_text("# Heron Ferries\n\nAbroad, Heron Ferries refunds a ticket in 5 days.")
    question = "Within how many days does Gull Ferries refund a ticket?"
    report = await aresearch(question, docs=tmp_path, persona="insight", keep=False)
    answer, *others = body(report).split("## Another perspective: ")
    assert "12 days" in answer and "30 days" not in answer
    assert "30 days" in "".join(others) and "Nothing was found on" not in "".join(others)


async def test_insight_takes_no_page_about_the_place_in_question_for_another_country(
    tmp_path: Path,
):
    (tmp_path / "levy.md").write_text("# The levy\n\nThe tourist levy of Gull Island is 7 crowns a night.")
    (tmp_path / "inns.md").write_text("# Inns\n\nOn Gull Island inns collect the tourist levy every night.")
    (tmp_path / "count.md").write_text("# Count\n\nGull Island counts who pays the tourist levy each night.")
    question = "How many crowns a night is the tourist levy of Gull Island?"
    report = await aresearch(question, docs=tmp_path, persona="insight", keep=False)
    assert "7 crowns" in report.markdown and "## Another perspective" not in report.markdown
    told = [gap.fields["name"] for gap in report.gaps if gap.said == "perspective_empty"]
    assert told == ["other industries", "other countries"]


# templates -----------------------------------------------------------------------------------------


def test_templates_fill_in_question_and_settings_and_name_what_is_missing(tmp_path: Path):
    watch = find_file("templates", "company_watch")
    question, values = fill_template(watch, {"company": "Dreriscas Yard", "period": "2040 and 2041"})
    assert "Dreriscas Yard" in question and "2040 and 2041" in question and "$" not in question
    chosen = load_settings({"output.summary": "end"}, template=values)
    assert chosen.scope.period == "between 2040 and 2041"
    assert (chosen.output.summary, chosen.origin["scope.period"]) == ("end", "template")
    with pytest.raises(UsageError, match=r"needs company: .*--var company=…"):
        fill_template(watch, {"lens": "people"})
    with pytest.raises(UsageError, match=r"no variable 'firm'. It has: company, period, lens"):
        fill_template(watch, {"firm": "x"})
    own = tmp_path / "templates"
    own.mkdir()
    (own / "mine.toml").write_text('question = "What of $thing?"\n[variables]\nthing = "which"\n')
    assert fill_template(find_file("templates", "mine", tmp_path), {"thing": "$5"})[0] == "What of $5?"
    (own / "odd.toml").write_text('question = "What of $thing?"\n')
    with pytest.raises(SettingsError, match=r"'thing' is used and not described"):
        find_file("templates", "odd", tmp_path)


def test_a_template_may_choose_a_persona_and_every_packaged_file_is_valid():
    research = fill_template(find_file("templates", "state_of_research"), {"subject": "keels"})[1]
    assert load_settings(template=research).output.primary_only
    for one in list_files("templates"):
        load_settings(template=fill_template(one, dict.fromkeys(one.variables, "x"))[1])
    for one in list_files("personas"):
        for system in SYSTEMS:
            live = load_settings({"persona": one.name, "system": system}, env={"OPENAI_API_KEY": "k"})
            assert live.persona == one.name and one.description


# s20, s21 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", ["open_deep_research", "shallow_researcher", "graph_agent", "auto"])
async def test_s20_a_role_without_a_model_uses_the_main_one_and_every_loop_says_why_it_ended(system: str):
    chosen = load_settings(
        {"system": system, "models.model": "offline:main", "models.writer": "offline:writer"}
    )
    assert {chosen.model_for(role) for role in ("supervisor", "critic", "planner")} == {"offline:main"}
    report = await run(script(), system=system)
    loops = {reason for ends in report.ended.values() for reason in ends}
    assert loops and loops <= {"done", "no_tool_call", "limit", "nothing_new", "enough", "unreviewed"}


def test_s21_user_info_may_choose_persona_and_glossary(tmp_path: Path):
    terms = tmp_path / "law.toml"
    terms.write_text('AUM = "Maritime Authority"\nBL = "bill of lading"\n')
    rules = {
        "scope.persona_for": {"Legal": "fact_strict"},
        "scope.glossary_for": {"Legal": str(terms)},
        "scope.glossary": {"BL": "mine"},
    }
    legal = load_settings({**rules, "scope.user_info.department": "legal"})
    assert legal.persona == "fact_strict" and legal.origin["persona"] == "scope.persona_for"
    assert legal.scope.glossary == {"AUM": "Maritime Authority", "BL": "mine"}
    assert load_settings({**rules, "scope.user_info.department": "sales"}).persona == ""
    assert load_settings({**rules, "scope.user_info.role": "legal", "persona": "speed"}).persona == "speed"
    with pytest.raises(SettingsError, match=r"Glossary '.*none.toml' cannot be read"):
        load_settings({"scope.glossary_for.x": "none.toml", "scope.user_info.role": "X"})


@pytest.mark.parametrize("system", ["open_deep_research", "shallow_researcher", "graph_agent", "auto"])
async def test_s21_user_info_reaches_the_prompts_that_need_it_and_never_a_query(system: str):
    leak = [("search", {"queries": ["Gull lighthouse for Ada Quill of Finance"]})]
    said = Script(
        researcher=lambda request: "Found [S1.1]." if delegated(request) else leak,
        supervisor=lambda request: (
            [("ResearchComplete", {})]
            if delegated(request)
            else [("ConductResearch", {"research_topic": "Gull lighthouse, for Ada Quill of Finance"})]
        ),
    )
    events: list[Any] = []
    who = {"name": "Ada Quill", "department": "Finance"}
    await run(said, system=system, scope__user_info=who, options={"on_event": events.append})
    told = {role for role in said.requests if any("Ada Quill" in text for text in said.prompts(role))}
    assert told & {"brief_writer", "writer", "researcher"}
    queries = [event.text for event in events if event.type == "call" and event.tool == "search"]
    assert queries and not [query for query in queries if "Quill" in query or "Finance" in query]


async def test_s21_what_the_user_said_themselves_may_be_searched_for():
    events: list[Any] = []
    said = Script(researcher=([("search", {"queries": ["Gull lighthouse finance"]})], "Found [S1.1]."))
    who = {"department": "Finance"}
    await run(
        said, "Who paid for the Gull lighthouse: which finance?", system="shallow_researcher",
        scope__user_info=who, options={"on_event": events.append},
    )  # fmt: skip
    assert "Gull lighthouse finance" in [e.text for e in events if e.type == "call" and e.tool == "search"]
