"""A request is read once, so that supervisor, planner, researcher, judge and writer understand the same."""

from __future__ import annotations

import pytest

from deep_research_offline.model.conversation import Conversation
from deep_research_offline.model.fill import subquestions
from deep_research_offline.model.gather import gather
from deep_research_offline.model.lists import criteria, items_in
from deep_research_offline.model.lookup import compose
from deep_research_offline.model.page import Page
from deep_research_offline.model.query import in_full, read_query, split_asking
from deep_research_offline.model.rank import Ranking
from deep_research_offline.model.request import read_request
from deep_research_offline.model.research import next_move
from deep_research_offline.model.scope import clarify
from deep_research_offline.model.supervise import topics
from deep_research_offline.model.verdict import hardness
from tests.growth import assert_ten_times_takes_at_most_twenty

MILLS = ("Orsk Mill", "Brell Mill", "Tamm Mill")
PARTS = [
    ("who founded orsk mill and when was it built", ["who founded orsk mill", "when was orsk mill built"]),
    (
        "how high is orsk tower, how wide is it and who owns it?",
        ["how high is orsk tower", "how wide is orsk tower", "who owns orsk tower?"],
    ),
    (
        "My son has to write about mills. How old is Orsk Mill and who runs it now?",
        ["How old is Orsk Mill", "who runs Orsk Mill now?"],
    ),
    (
        "- Who built Orsk Mill?\n- When did it open\n- How many people work there?",
        ["Who built Orsk Mill?", "When did Orsk Mill open?", "How many people work there (Orsk Mill)?"],
    ),
    (
        "Please answer these: who built Orsk Mill; how tall is Orsk Tower",
        ["who built Orsk Mill", "how tall is Orsk Tower"],
    ),
    (
        "Orsk Mill: who built it and how tall is it?",
        ["who built Orsk Mill", "how tall is Orsk Mill"],
    ),
    ("orsk mill: owner, height, how many ppl work there",
     ["orsk mill's owner", "orsk mill's height", "how many people work there (orsk mill)"]),
    (
        "what's the height and weight of Orsk Tower",
        ["what is the height of Orsk Tower", "what is the weight of Orsk Tower"],
    ),
    (
        "who is the oldest keeper, and what are the three tallest towers",
        ["who is the oldest keeper", "what are the three tallest towers"],
    ),
    ("奥斯克磨坊是谁建的？什么时候开放的？", ["奥斯克磨坊是谁建的？", "奥斯克磨坊：什么时候开放的？"]),
    ("オルスク製粉所は誰が建てて、いつ開業しましたか。",
     ["オルスク製粉所は誰が建てて", "オルスク製粉所：いつ開業しましたか。"]),
    ("who owns the orsk, how fast is it, and who built it",
     ["who owns the orsk", "how fast is orsk", "who built orsk"]),
    ("population of orsk", ["population of orsk"]),
    ("why orsk mill burned down n what was done afterwards, a report",
     ["why orsk mill burned down and what was done afterwards, a report"]),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "pieces"), PARTS)
def test_every_role_makes_the_same_of_a_request(asked: str, pieces: list[str]) -> None:
    request = read_request(asked)
    assert list(request.pieces) == pieces
    assert hardness(request).good or len(pieces) > 1 or request.broad or read_query(asked).order
    if request.broad:
        return
    assert [topic.strip("“”「」") for topic in topics(request)] == pieces
    assert subquestions(request, 9)[: len(pieces)] == pieces
    searched = next_move(request, [], [], 9).queries
    assert (
        list(searched[: len(pieces)]) == list(dict.fromkeys(read_query(piece).spoken for piece in pieces))[:3]
    )


@pytest.mark.parametrize(("asked", "_"), PARTS)
def test_nobody_is_asked_what_a_part_points_back_to(asked: str, _: list[str]) -> None:
    assert not clarify(Conversation([{"role": "user", "content": asked}]))[0]


@pytest.mark.parametrize(("asked", "pieces"), PARTS)
def test_what_is_handed_out_is_read_as_it_is_meant(asked: str, pieces: list[str]) -> None:
    for piece in read_request(asked).pieces:
        assert read_request(f"“{piece}” I prefer official sources.").question == piece
        assert len(read_request(piece).pieces) == 1


@pytest.mark.parametrize(
    ("asked", "parts"),
    [
        ("Who founded Orsk Mill, and where was he born?", 2),
        ("what is the longest route and who flies it", 2),
        ("In which town was Ana Grell born, and what stands on the square there?", 2),
        ("which is longer, the orsk bridge or the brell bridge, and who built the longer one", 2),
        ("甘萨瓦尔号是哪家船厂造的，那家厂是谁创办的？", 2),
    ],
)
def test_a_part_that_leans_on_an_answer_is_not_looked_into_apart(asked: str, parts: int) -> None:
    request = read_request(asked)
    assert len(request.parts) == parts and len(request.pieces) == 1
    assert read_request(request.pieces[0]).parts == request.parts


@pytest.mark.parametrize(
    ("asked", "items", "by"),
    [
        ("compare Orsk Mill, Brell Mill n Tamm Mill on price and crew", MILLS, ("price", "crew")),
        (
            "Which mill should I choose for my family: Orsk Mill, Brell Mill or Tamm Mill? "
            "What matters is price, crew and safety.",
            MILLS,
            ("price", "crew", "safety"),
        ),
        ("オルスク製粉所とブレル製粉所ではどちらが古いですか。", ("オルスク製粉所", "ブレル製粉所"), ()),
        ("『丘の未亡人』と『谷の未亡人』、長いのはどちらでしょうか。", ("丘の未亡人", "谷の未亡人"), ()),
        ("请问塔尔默桥和奥斯克桥哪座长一些？", ("塔尔默桥", "奥斯克桥"), ()),
        ("is the orsk barge longer or shorter than the tarn boat in 1941", ("orsk barge", "tarn boat"), ()),
        ("who paid for the mill and the tower", (), ()),
    ],
)
def test_things_compared_are_told_from_what_they_are_compared_by(asked, items, by) -> None:
    assert read_request(asked).items == items
    assert criteria(asked) == by


CUP = Page(
    "S1.1",
    "Orsk Cup 2040",
    "The Orsk Cup is a boat race.\n\n| Place | Skipper | Points |\n|---|---|---|\n| 1 | Anna Bell | 41 |\n"
    "| 2 | Tom Reed | 38 |\n| 3 | Lia Moss | 30 |\n| 4 | Ole Kern | 12 |",
)
SIZES = "Anna Bell: 41 points [S1.1]; Tom Reed: 38 points [S1.1]; Lia Moss: 30 points [S1.1]."


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ("Who came first, second and third in the Orsk Cup by points?", 3),
        ("orsk cup points, first second n third place", 3),
        ("first and second place in the orsk cup by points", 2),
        ("Who was the first and second owner of Orsk Mill?", 1),
        ("奥斯克杯第一名、第二名和第三名是谁？", 3),
        ("オルスク杯の一位、二位、三位は誰ですか。", 3),
    ],
)
def test_first_second_and_third_are_places_of_one_order(asked: str, count: int) -> None:
    query = read_query(asked)
    assert query.count == count
    assert (query.order == "more" and query.kind != "date") or count == 1


def test_all_places_that_are_asked_are_given_with_who_took_them() -> None:
    told = compose("Who came first, second and third in the Orsk Cup by points?", [CUP], [], "en")[0]
    assert SIZES in told


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("What was the height of Orsk Tower before and after the refit?", ("38 m", "44 m")),
        ("how high was orsk tower in 2020 and how high is it now", ("38 m", "44 m")),
        ("オルスク塔の高さは？改修前と改修後の高さを両方お願いします。", ("38メートル", "44メートル")),
    ],
)
def test_what_was_and_what_is_are_two_values(asked: str, told: tuple[str, str]) -> None:
    pages = [
        Page("S1.1", "Orsk Tower", "Before the refit Orsk Tower was 38 m high. It is 44 m high now."),
        Page(
            "S1.2",
            "オルスク塔",
            "改修前、オルスク塔の高さは38メートルだった。改修後、高さは44メートルである。",
        ),
    ]
    assert read_query(asked).change
    assert not hardness(read_request(asked)).good
    found = compose(asked, pages, [], "en")[0]
    assert all(one in found for one in told)


@pytest.mark.parametrize(("thing", "strange"), [("the Zarn", True), ("the mill", False)])
def test_what_no_page_knows_is_found_in_one_way(thing: str, strange: bool) -> None:
    pages = [Page("S1.1", "Orsk Tower", "Orsk Tower is 44 m tall. The mill beside it is old.")]
    assert Ranking(read_query(f"How tall is {thing}?"), pages).strange == (("Zarn",) if strange else ())
    assert gather(f"Write a report on {thing}.", pages).unsaid == (("Zarn",) if strange else ())


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ("how many hurt when the mast collapsed, paper said one thing the inquiry another", "number"),
        ("who was chief engineer back when it fell n who is it now", "person"),
    ],
)
def test_the_first_question_word_of_a_clause_asks(asked: str, kind: str) -> None:
    assert read_query(asked).kind == kind


@pytest.mark.parametrize(
    ("asked", "things"),
    [
        ("Compare Orsk Mill with Brell Mill by height", ("Orsk Mill", "Brell Mill")),
        ("compare the Orsk Mill to the Brell Mill: height and age", ("Orsk Mill", "Brell Mill")),
        ("オルスク号とブレル号を長さで比べてください", ("オルスク号", "ブレル号")),
    ],
)
def test_two_things_are_compared_whatever_stands_between_them(asked: str, things: tuple[str, ...]) -> None:
    assert items_in(asked) == things


def test_a_long_row_of_ands_is_read_at_once() -> None:
    assert_ten_times_takes_at_most_twenty(criteria, lambda n: f"compare mills on price{' n' * n}: x", 40)


@pytest.mark.parametrize("words", ["for a ", "and so for my ", "who is he and ", "what is a? "])
def test_nonsense_is_read_in_a_time_that_grows_with_it(words: str) -> None:
    assert_ten_times_takes_at_most_twenty(read_query, lambda n: words * n, 20)


def test_a_name_that_is_only_mentioned_denies_no_answer() -> None:
    pages = [
        Page("S1.1", "Orsk Mill", "Orsk Mill is 44 m long."),
        Page("S1.2", "Brell Mill", "Brell Mill is 30 m long."),
    ]
    for asked in (
        "According to Bradshaw, how long is Orsk Mill?",
        "In Paris they asked how long Orsk Mill is.",
    ):
        assert "44 m" in " ".join(compose(asked, pages, [], "en"))


def test_the_second_of_an_order_is_not_answered_with_the_first_alone() -> None:
    for asked in ("what's the second longest mill?", "first and second longest mill"):
        query = read_query(asked)
        assert (query.order, query.count) == ("more", 2)
    assert read_query("who was the second owner of Orsk Mill?").order == ""


def test_what_only_people_have_is_asked_of_whom_the_part_before_asks_for() -> None:
    asked = "オルスク製粉所の創業者は誰で、どこの出身ですか。"
    assert read_request(asked).pieces == (asked,)


@pytest.mark.parametrize(
    ("asked", "kept", "left"),
    [
        ("Kell Affair. What was the fine? And tell me who says so.", "Kell Affair", ""),
        ("height contest between Tin Osk and Brother Mell. Who wins?", "height contest between Tin Osk", ""),
        ("My aunt Gertrud flew last year. What does a ticket to Osk cost?", "ticket", "Gertrud"),
        ("Hello from Berlin! How tall is the tallest mast of Osk harbour?", "mast", "Berlin"),
    ],
)
def test_a_short_question_leans_on_the_names_before_it(asked: str, kept: str, left: str) -> None:
    asking = split_asking(asked).asking
    assert kept in asking and (not left or left not in asking)


@pytest.mark.parametrize(
    "asked",
    [
        "We must choose. Left are the Orsk Mill, the Veld Mill and the Hasel Mill. How do they differ?",
        "orsk mill / veld mill / hasel mill. which one for what",
        "orsk mill v veld mill v hasel mill, table pls",
        "orsk mill or veld mill or hasel mill with kids? who's cheap, who feeds you",
    ],
)
def test_three_things_in_a_row_are_set_side_by_side_wherever_they_stand(asked: str) -> None:
    request = read_request(asked)
    assert [item.lower() for item in request.items] == ["orsk mill", "veld mill", "hasel mill"]
    assert request.broad


def test_a_clause_is_no_member_of_a_row() -> None:
    assert read_request("Why is Orsk Mill growing again, and is it going to last?").items == ()


def test_which_of_two_things_is_asked_of_both_in_each_part() -> None:
    parts = read_request("orsk vs veld - which one is longer and which carries more people??").parts
    assert parts == ("which one is longer, orsk or veld?", "which carries more people, orsk or veld?")


def test_who_did_it_is_a_part_though_its_words_say_little() -> None:
    asked = "how many books got ruined when the Orsk vault flooded and who had to pay"
    assert len(read_request(asked).parts) == 2


def test_the_order_of_a_list_asks_for_no_extreme() -> None:
    assert read_query("list all the mills with length, longest first").order == ""


def test_a_question_is_read_as_it_is_typed() -> None:
    assert in_full("freight 2039-now, reasons 4 the ups") == "freight since 2039, reasons for the ups"
    assert in_full("whats been built") == "what has been built"


@pytest.mark.parametrize(
    ("asked", "parts"),
    [
        ("is the night ferry still running, and if so how much is a ticket?", 2),
        ("tell me the price of the Heron and whether it can fly at night", 2),
        ("how do I turn off colours, and is there a config file for that", 2),
        ("who runs the museum these days and what's the entrance fee, also is it open on sundays", 3),
        ("when was Orsk Mill opened, what did it cost and who paid", 3),
        ("I need the opening year, the number of seats and the architect of the Delta library", 3),
        ("give me the capital of Orsk and its current mayor", 2),
        ("造ったところと、速さと、乗れる人数が知りたい", 3),
        ("我想知道它的价格、航程和载重", 3),
        ("这艘船多长，谁造的，能载多少人？", 3),
        ("共和国号的长度和速度是多少？", 2),
        ("what does Orsk Works and its founder make", 1),
        ("Ada Orsk born and Lena Veld born", 1),
        ("The height and weight of Bread and Butter of Mill Road", 1),
        ("the judge who wrote the ruling in Orsk v Veld, what town was he born in?", 1),
        ("what top speed do the builder and the register give for the Heron?", 1),
        ("who is ceo of marwick & sons", 1),
        ("what is the height of the tower and the mast house keeper's cottage", 1),
    ],
)
def test_each_thing_that_a_question_asks_for_is_a_part_and_nothing_else_is(asked: str, parts: int) -> None:
    assert len(read_request(asked).parts) == parts, read_request(asked).parts
