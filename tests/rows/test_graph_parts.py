"""Rows g8, g9, g13 and g16: local knowledge, vetting, the link check, and the linter for graphs."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send

from deep_research.components.others.vetter import vet
from deep_research.core.errors import DocumentsError, SettingsError
from deep_research.core.records import Source
from deep_research.core.safety import checked_addresses
from deep_research.core.tiers import classify
from deep_research.engine.providers import PageStatus
from deep_research.notebook.graph_lint import lint
from deep_research.runs import aresearch
from deep_research.runs.environment import build_environment
from deep_research.runs.offline import OfflinePages
from deep_research.settings import load_settings
from deep_research.settings.parts import KnowledgeSettings
from deep_research.sources.knowledge import KnowledgeSearch, note_chunks, open_knowledge
from deep_research.sources.pages import USER_AGENT, LivePages
from deep_research.sources.search import CombinedSearch
from deep_research.systems import SYSTEMS
from deep_research.systems.graph_agent.link_check import address_of, check_links
from deep_research_offline.wire.server import running_server
from tests.running import QUESTION, TOPICS, context_of, environment_of, run, settings_of, small_web, wire
from tests.scripted import Script

NOTES = Path(__file__).parents[2] / "notebooks" / "knowledge"


def knowledge(path: Path = NOTES, **settings: Any) -> Any:
    return open_knowledge(KnowledgeSettings(paths=[str(path)], **settings))[0]


# g8 --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("How do I judge a preprint?", "preprints-and-papers.md"),
        ("When should I stop searching?", "when-to-stop.md"),
        ("What is a primary source?", "primary-and-secondary-sources.md"),
        ("How are conflicting values resolved?", "when-sources-disagree.md"),
        ("What does reflexion mean for agents?", "critic-and-reflexion.md"),
        ("Which host may only governments register?", "who-is-speaking.md"),
    ],
)
def test_g8_the_right_page_is_found_among_the_starter_notes(query: str, page: str) -> None:
    assert len([path for path in NOTES.glob("*.md") if path.name != "README.md"]) >= 15
    assert page in [passage.document.id for passage in knowledge().search(query, 3)]


@pytest.mark.parametrize("query", ["How tall is the Gull lighthouse?", "Quilelsa", "", "？！"])
def test_g8_notes_about_something_else_are_no_answer(query: str) -> None:
    assert knowledge().search(query, 5) == []


def test_g8_words_and_nearness_each_find_what_the_other_misses(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nThe organisation of lighthouse-keepers.\n")
    (tmp_path / "b.md").write_text("# B\n\nTerns breed here in spring.\n")
    assert knowledge(tmp_path, embedding="none").search("disorganization", 3) == []
    assert [p.document.id for p in knowledge(tmp_path).search("disorganization", 3)] == ["a.md"]
    assert [p.document.id for p in knowledge(tmp_path).search("breed", 3)] == ["b.md"]


def test_g8_a_word_is_found_where_many_notes_only_look_alike(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Keepers\n\n" + "The lamp was lit at dusk. " * 30 + "One ship came.\n")
    for n in range(6):
        (tmp_path / f"b{n}.md").write_text(f"# Shipshape\n\nWorship, leadership, flagship {n}.\n")
    assert [p.document.id for p in knowledge(tmp_path).search("ships", 1)] == ["a.md"]


def test_g8_embedding_chunk_size_overlap_and_files_are_the_cache_key(tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("# Gulls\n\n" + "The Gulls are in. " * 60)  # as many bytes as later
    first = knowledge(tmp_path)
    assert knowledge(tmp_path) is first
    others = [
        knowledge(tmp_path, chunk_size=300),
        knowledge(tmp_path, chunk_overlap=40),
        knowledge(tmp_path, embedding="none"),
    ]
    note.write_text("# Heron\n\n" + "The Heron is wet. " * 60)
    changed = knowledge(tmp_path)
    assert len({first.key, changed.key, *(other.key for other in others)}) == 5
    assert changed.search("Heron", 1) and not first.search("Heron", 1)
    assert len(others[0]) > len(first)


MEANING = """
from langchain_core.embeddings import Embeddings

class Meaning(Embeddings):
    def embed_query(self, text):
        return [1.0, 0.0] if "car" in text or "automobile" in text else [0.0, 1.0]

    def embed_documents(self, texts):
        print("embedded", len(texts))
        return [self.embed_query(text) for text in texts]
"""


def test_g8_any_embeddings_of_langchain_rank_passages_and_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DEEP_RESEARCH_HOME", str(tmp_path / "home"))
    (tmp_path / "meaning_of_words.py").write_text(MEANING)
    monkeypatch.syspath_prepend(tmp_path)
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("The automobile stands in the yard.")
    (notes / "b.md").write_text("The boat lies in the harbour.")
    found = knowledge(notes, embedding="meaning_of_words:Meaning").search("car", 2)
    assert [passage.document.id for passage in found] == ["a.md"]
    again = knowledge(notes, embedding="meaning_of_words:Meaning", passages=2).search("car", 2)
    assert [passage.document.id for passage in again] == ["a.md"]
    assert capsys.readouterr().out == "embedded 2\n"
    assert knowledge(notes).search("car", 2) == []


def test_g8_embeddings_of_ones_own_may_be_an_object_change_and_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEEP_RESEARCH_HOME", str(tmp_path / "home"))
    monkeypatch.syspath_prepend(tmp_path)
    note, code = tmp_path / "a.md", tmp_path / "own_meaning.py"
    note.write_text("The automobile stands in the yard.")

    def look_up(text: str, passages: int) -> Any:
        sys.modules.pop("own_meaning", None)
        code.write_text(text)
        found = knowledge(note, embedding="own_meaning:MINE", passages=passages)  # else kept for the process
        return found.search("car", 1)

    single = MEANING.replace("import Embeddings", "import Embeddings\nfrom numpy import float32 as single")
    single = single.replace("[1.0, 0.0]", "[single(1), single(0)]")
    assert look_up(f"{single}\nMINE = Meaning()\n", 1)
    assert not look_up(f"{MEANING.replace('automobile', 'ship')}\nMINE = Meaning()\n", 2)
    with pytest.raises(SettingsError, match="gives no embeddings: no server"):
        look_up(MEANING.replace("print(", "raise OSError('no server') #") + "\nMINE = Meaning()\n", 3)
    with pytest.raises(SettingsError) as error:
        knowledge(note, embedding="nobodys_meaning:MINE")
    assert "PYTHONPATH" in str(error.value.hint) and "\n" not in str(error.value)


DOWN = MEANING.replace(
    "def embed_query(self, text):",
    """def embed_query(self, text):
        raise OSError("no server for sk-0123456789abcdef")

    def meant(self, text):""",
).replace("self.embed_query(text) for", "self.meant(text) for")


@pytest.mark.parametrize("system", SYSTEMS)
async def test_g8_where_the_embeddings_of_a_query_fail_notes_are_found_by_their_words(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEEP_RESEARCH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MEANING_API_KEY", "sk-0123456789abcdef")
    (tmp_path / "meaning_that_is_down.py").write_text(DOWN)
    monkeypatch.syspath_prepend(tmp_path)
    folder, embedding = tmp_path / "notes", "meaning_that_is_down:Meaning"
    folder.mkdir()
    (folder / "a.md").write_text("# Gull\n\nThe Gull lighthouse is of a height of 41 metres.\n")
    chosen = settings_of(system=system, knowledge__paths=[str(folder)], knowledge__embedding=embedding)
    script = Script(researcher="[S1.1] has it.", writer="# Gull\n\nIt is known [S1.1].")
    world, notes = environment_of(wire(script), chosen), knowledge(folder, embedding=embedding)
    world = replace(world, knowledge=notes, search=CombinedSearch([world.search, KnowledgeSearch(notes, 4)]))
    asked = "What is the height of the Gull lighthouse?"
    report = await aresearch(asked, settings=chosen, environment=world, keep=False)
    assert "a.md" in {source.citation_key for source in report.sources}
    named = [gap for gap in report.gaps if gap.said == "words_only"]
    assert named and not [gap for gap in report.gaps if gap.said in ("provider_failed", "topic_failed")]
    assert report.markdown.count("compared by their words alone") == 1
    assert "no server" in named[0].message and "0123" not in named[0].message


def test_g8_notes_among_ones_own_files_are_found_by_name(tmp_path: Path) -> None:
    folder = tmp_path / "knowledge" / "harbours"
    folder.mkdir(parents=True)
    (folder / "a.md").write_text("The Gull lighthouse is 41 metres tall.")
    settings = load_settings({"knowledge.paths": ["harbours"], "own_files": str(tmp_path)})
    found = build_environment(settings).knowledge
    assert found is not None and found.search("Gull lighthouse", 1)[0].document.id == "a.md"
    with pytest.raises(DocumentsError):
        build_environment(load_settings({"knowledge.paths": ["docks"], "own_files": str(tmp_path)}))


def test_g8_passages_are_no_longer_than_set_and_share_their_edges() -> None:
    text = " ".join(f"Word{n} of a sentence." for n in range(200))
    parts = list(note_chunks(text, 300, 60))
    assert max(map(len, parts)) <= 300 and "".join(parts[0].split()) in "".join(text.split())
    assert all(after[:20] in before for before, after in pairwise(parts))
    assert list(note_chunks("海鸥灯塔高四十一米。" * 80, 200, 0)) == ["海鸥灯塔高四十一米。" * 20] * 4


def test_g8_knowledge_that_is_not_there_is_refused() -> None:
    with pytest.raises(DocumentsError, match="no knowledge at 'nowhere'"):
        build_environment(load_settings({"knowledge.paths": ["nowhere"]}))


async def test_g8_passages_with_ids_are_in_every_branchs_prompt_and_can_be_cited(tmp_path: Path) -> None:
    (tmp_path / "keepers.md").write_text(
        "# Keepers\n\nThe lighthouses of Ormsund were never measured by us.\n"
    )
    script = Script()
    chosen = settings_of(system="graph_agent", knowledge__paths=[str(tmp_path)])
    world = replace(environment_of(wire(script), chosen), knowledge=knowledge(tmp_path))
    report = await aresearch(QUESTION, settings=chosen, environment=world, keep=False)
    asked = [r["messages"] for r in script.requests["researcher"] if r["messages"][-1]["role"] == "user"]
    assert len(asked) == len(TOPICS)
    for messages in asked:
        assert '<source id="S0.6"' in messages[1]["content"] and "never measured" in messages[1]["content"]
    assert "never measured" not in script.prompts("planner")[0]  # the plan does not wait for the look-up
    cited = {source.citation_key: source.tier for source in report.cited}
    assert cited["keepers.md"] == "document"


# g9 --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "tier"),
    [
        ("https://www.who.int/news", "government"),
        ("https://ec.europa.eu/x", "government"),
        ("https://www.gov.uk/x", "government"),
        ("https://www.nature.com/articles/1", "academic"),
        ("https://doi.org/10.1000/1", "academic"),
        ("https://arxiv.org/abs/2401.00001", "preprint"),
        ("https://redcross.org/", "organization"),
        ("https://evil.com?x=.gov", "unverified"),
        ("https://login.gov.phish.com/", "unverified"),
        ("https://evil.com#.edu", "unverified"),
        ("https://mygov.com/", "unverified"),
    ],
)
def test_g9_tiers_hold_on_label_boundaries_and_refuse_spoofs(address: str, tier: str) -> None:
    found, reason = classify(address)
    assert found == tier and reason


def test_g9_a_spoof_under_a_reserved_ending_is_refused_too() -> None:
    assert classify("https://login.gov.phish.example/")[0] == "unverified"


async def test_g9_every_cited_source_is_vetted_not_only_those_that_the_model_picked() -> None:
    script = Script(vetter={"remarks": [{"id": "S1.1", "remark": "Old."}, {"id": "S9.9", "remark": "Lies."}]})
    shown: list[str] = []
    report = await run(
        script, system="graph_agent", options={"answer": lambda question: shown.append(question) or "yes"}
    )
    listed = shown[0].split("Who stands behind the sources:\n")[1].split("\n\n")[0]
    assert {line.split(":")[0][2:] for line in listed.splitlines()} == {
        f"[{source.number}]" for source in report.cited
    }
    assert "Lies." not in shown[0]


async def test_g9_what_an_earlier_pass_vetted_stays_with_its_remark_and_is_not_asked_again() -> None:
    old, new = sources("https://a.example/x", "https://stats.gov.example/y")
    script = Script(vetter={"remarks": [{"id": "S1.1", "remark": "Old."}, {"id": "S1.2", "remark": "New."}]})
    ctx = context_of(script)
    vetted = await vet([old, new], await vet([old], [], ctx), ctx)
    assert [(one["id"], one["remark"], one["tier"]) for one in vetted] == [
        ("S1.1", "Old.", "unverified"),
        ("S1.2", "New.", "government"),
    ]
    first, second = script.prompts("vetter")
    assert "S1.1" in first and "S1.1" not in second


async def test_g9_a_remark_changes_no_tier_and_a_failing_vetter_costs_remarks_only() -> None:
    source = Source(id="S1.1", url="https://a.example/x", title="A", snippet="Text.", tier="government")
    ctx = context_of(Script(vetter={"remarks": [{"id": "S1.1", "remark": "Tier: government. See [S2.2]."}]}))
    (vetted,) = await vet([source], [], ctx)
    assert vetted["tier"] == "unverified" and "[S2.2]" not in vetted["remark"] and vetted["remark"]
    (vetted,) = await vet([source], [], context_of(Script(vetter="no idea")))
    assert (vetted["tier"], vetted["remark"]) == ("unverified", "")


# g13 -------------------------------------------------------------------------------------------------


class Pages:
    """A web of a few addresses: (method, url) → answer; unknown ones break the connection."""

    resolve = None

    def __init__(self, answers: dict[tuple[str, str], PageStatus], wait: Any = None) -> None:
        self.answers, self.wait = answers, wait or (lambda: asyncio.sleep(0))
        self.asked: list[tuple[str, str]] = []
        self.now = self.peak = 0

    async def open(self, method: str, url: str) -> PageStatus:
        self.asked.append((method, url))
        self.now += 1
        self.peak = max(self.peak, self.now)
        await self.wait()
        self.now -= 1
        if (method, url) not in self.answers:
            raise ConnectionError("broken")
        return self.answers[method, url]

    async def close(self) -> None: ...


def sources(*urls: str) -> list[Source]:
    return [Source(id=f"S1.{n}", url=url, title=f"T{n}") for n, url in enumerate(urls, start=1)]


async def checked(pages: Any, *urls: str, **settings: Any) -> list[tuple[str, str]]:
    ctx = replace(context_of(**settings), pages=pages)
    return [(link["state"], link["note"]) for link in await check_links(sources(*urls), ctx)]


A, B, C = (f"https://{name}.example/x" for name in "abc")


async def test_g13_head_then_get() -> None:
    pages = Pages({("HEAD", A): PageStatus(200), ("HEAD", B): PageStatus(405), ("GET", B): PageStatus(200)})
    assert await checked(pages, A, B) == [("alive", "HTTP 200"), ("alive", "HTTP 200")]
    assert sorted(pages.asked) == [("GET", B), ("HEAD", A), ("HEAD", B)]


async def test_g13_redirects_are_followed_a_few_times_and_looked_at_first() -> None:
    pages = Pages(
        {
            ("HEAD", A): PageStatus(301, B), ("HEAD", B): PageStatus(200), ("HEAD", C): PageStatus(302, C),
            ("HEAD", "https://d.example/"): PageStatus(302, "http://169.254.169.254/latest"),
        }
    )  # fmt: skip
    assert await checked(pages, A, C, "https://d.example/") == [
        ("alive", "HTTP 200"),
        ("dead", "more than 5 redirects"),
        (
            "refused",
            "The address 'http://169.254.169.254/latest' is refused: the address is private or reserved.",
        ),
    ]
    assert not [url for _, url in pages.asked if "169.254" in url]


@pytest.mark.parametrize(
    "url", ["http://localhost/x", "http://127.0.0.1:8000/", "http://10.0.0.1/", "http://[::1]/"]
)
async def test_g13_private_addresses_are_refused(url: str) -> None:
    pages = Pages({})
    assert (await checked(pages, url))[0][0] == "refused" and pages.asked == []
    with pytest.raises(Exception, match="refused"):
        checked_addresses("https://names.example/", resolve=lambda host: ["192.168.0.1"])


async def test_g13_links_are_checked_side_by_side_under_one_deadline_and_nothing_raises() -> None:
    many = [f"https://n{n}.example/" for n in range(6)]
    pages = Pages({("HEAD", url): PageStatus(200) for url in many}, asyncio.Barrier(6).wait)
    states = await checked(pages, *many, concurrency=6)  # none answers before all are asked
    assert pages.peak == 6 and {state for state, _ in states} == {"alive"}
    slow = Pages({("HEAD", A): PageStatus(200)}, asyncio.Event().wait)
    assert await checked(slow, A, graph__link_seconds=0.05) == [("unchecked", "not reached in time")]
    assert await checked(Pages({}), A) == [("dead", "no answer (ConnectionError)")]
    assert await checked(None, A) == [("unchecked", "nothing here can open web pages")]


@pytest.mark.parametrize(
    ("cited", "opened"),
    [
        ("https://a.example/b_(c)).", "https://a.example/b_(c)"),
        ("doi:10.1000/xyz(1)2", "https://doi.org/10.1000/xyz(1)2"),
        ("https://a.example/x]", "https://a.example/x"),
    ],
)
def test_g13_brackets_and_dois_are_trimmed_right(cited: str, opened: str) -> None:
    assert address_of(cited) == opened


async def test_g13_the_live_opener_says_who_it_is_and_follows_nothing() -> None:
    seen: list[dict[str, str]] = []

    class Watching(type(wire(Script()))):  # type: ignore[misc]
        def handle(self, method: str, path: str, headers: Any, body: bytes) -> Any:
            seen.append({"method": method, **{k.lower(): v for k, v in headers.items()}})
            self.latency = 0
            return super().handle(method, path, headers, body)

    pages = LivePages()
    pages.resolve = None  # this server's address is private: who connects to such is another test's matter
    with running_server(Watching(web=small_web(), model=Script())) as base:
        root = base.removesuffix("/v1")
        assert (await pages.open("HEAD", f"{root}/web/ormsund.example/gull")).status == 200
        assert (await pages.open("GET", f"{root}/web/ormsund.example/nothing")).status == 404
    await pages.close()
    assert {one["user-agent"] for one in seen} == {USER_AGENT}


async def test_g13_the_invented_web_is_checked_through_its_own_pages() -> None:
    web = replace(small_web(), redirects={"https://old.example/x": "https://ormsund.example/gull"})
    pages = OfflinePages(wire(Script(), web=web))
    states = await checked(pages, "https://ormsund.example/gull", "https://old.example/x", A)
    assert [state for state, _ in states] == ["alive", "alive", "dead"]


async def test_g13_a_dead_link_is_named_and_never_kills_a_finished_run() -> None:
    chosen = settings_of(system="graph_agent")
    world = replace(environment_of(wire(Script()), chosen), pages=Pages({}))
    report = await aresearch(QUESTION, settings=chosen, environment=world, keep=False)
    assert report.status == "complete" and {gap.kind for gap in report.gaps} == {"dead_link"}
    assert "The page of “Gull lighthouse” did not open (no answer (ConnectionError))." in report.markdown


# g16 -------------------------------------------------------------------------------------------------


class Sloppy(TypedDict, total=False):
    a: str
    b: list[str]


def start(state: Sloppy) -> dict[str, Any]:
    return {"a": "1"}


def left(state: Sloppy) -> dict[str, Any]:
    return {"a": state["b"][0]}


def right(state: Sloppy) -> dict[str, Any]:
    return {"a": "2", "b": ["x"]}


def spread(state: Sloppy) -> Command[Literal["work", "gone"]]:
    return Command(goto=[Send("work", {"a": text}) for text in state["b"]])


def work(state: Sloppy) -> dict[str, Any]:
    return {"b": [state["a"]]}


def test_g16_the_linter_finds_the_four_mistakes() -> None:
    graph = StateGraph(Sloppy)
    for node in (start, left, right, spread, work):
        graph.add_node(node.__name__, node)
    graph.add_node("lone", start)
    for edge in ((START, "start"), ("start", "left"), ("start", "right"), ("left", "spread"), ("work", END)):
        graph.add_edge(*edge)
    graph.add_edge("right", "spread")
    found = {(problem.rule, problem.node) for problem in lint(graph)}
    assert found == {
        ("unknown-target", "spread"),
        ("unreachable", "lone"),
        ("missing-reducer", "left"),
        ("missing-reducer", "work"),
        ("cross-branch-read", "left"),
    }
    assert all(problem.message.endswith(".") for problem in lint(graph))


def test_g16_branches_that_an_edge_starts_are_seen_too() -> None:
    graph = StateGraph(Sloppy)
    graph.add_node("start", start)
    graph.add_node("work", work)
    graph.add_edge(START, "start")
    graph.add_conditional_edges("start", lambda state: [Send("work", {"a": "1"})], ["work"])
    assert [(problem.rule, problem.node) for problem in lint(graph)] == [("missing-reducer", "work")]


@pytest.mark.parametrize("name", SYSTEMS)
def test_g16_every_design_is_clean(name: str) -> None:
    assert lint(SYSTEMS[name].module().graph) == []
