"""Row v18 as a property: no cut makes a certificate of two halves of sentences, and no quote is a splice."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deep_research.components.verifier.claims import SourceText, check_claim

NAMES = st.permutations("Alva Berro Corda Dorin Elket Farro Gilda Hasko".split())
ENGLISH = (
    "The narrow {} canal carried grain barges towards the {} docks every autumn",
    "Careful surveyors measured the deep {} harbour against older {} charts twice",
    "The wooden {} theatre hosted travelling {} players throughout the long winter",
    "Several stubborn {} millers rebuilt their broken {} windmills before spring",
)
CHINESE = (
    "狭窄的{}运河每年秋天把谷物驳船送往{}码头的仓库里",
    "细心的测量员曾经两次用古老的{}海图核对{}海港水深",
    "木造的{}剧院在漫长冬季里接待了巡回的{}演员剧团",
    "几位固执的{}磨坊主在春天之前重新修好了{}大风车群",
)
NAMES_CJK = st.permutations("阿尔瓦 贝罗 科尔达 多林 埃尔克 法罗 吉尔达 哈斯科".split())


def page_of(sentences: tuple[str, ...], names: list[str]) -> list[str]:
    """The sentences with two names each."""
    return [one.format(*names[2 * place : 2 * place + 2]) for place, one in enumerate(sentences)]


def reasons_of(claim: str, page: list[str], end: str) -> tuple[str, ...]:
    return check_claim(claim + end, [SourceText(f"{end} ".join(page) + end, "Page")]).reasons


@settings(max_examples=100, deadline=None)
@given(NAMES, st.permutations(range(4)), st.integers(4, 6), st.integers(4, 6))
def test_v18_the_head_of_one_sentence_with_the_tail_of_another_is_spliced(
    names: list[str], order: list[int], head: int, tail: int
) -> None:
    page = page_of(ENGLISH, names)
    one, other = page[order[0]].split(), page[order[1]].split()
    assert "spliced" in reasons_of(" ".join(one[:head] + other[-tail:]), page, ".")
    assert reasons_of(page[order[0]], page, ".") == ()


@settings(max_examples=100, deadline=None)
@given(NAMES_CJK, st.permutations(range(4)), st.integers(6, 12), st.integers(6, 12))
def test_v18_the_same_in_chinese(names: list[str], order: list[int], head: int, tail: int) -> None:
    page = page_of(CHINESE, names)
    one, other = page[order[0]], page[order[1]]
    assert "spliced" in reasons_of(one[:head] + other[-tail:], page, "。")
    assert reasons_of(one, page, "。") == ()


@pytest.mark.parametrize(
    "claim",
    [
        "Mara Rind (born 20 April 1960) the long bridge across the bay.",
        "Mara Rind (born 20 April 1960) bridge across the bay and three wooden theatres.",
        "Before the war she taught drawing at the small school prize for her first bridge in 1990.",
    ],
)
def test_v18_pieces_that_meet_within_a_phrase_are_spliced_wherever_the_first_one_ends(claim: str) -> None:
    page = (
        "Mara Rind (born 20 April 1960) is an engineer and musician. Her main instrument is the guitar, "
        "which she plays at home. Before the war she taught drawing at the small school of Alva. She won a "
        "national prize for her first bridge in 1990. She drew the plans of the long bridge across the bay "
        "and three wooden theatres."
    )
    assert "spliced" in check_claim(claim, [SourceText(page, "Mara Rind")]).reasons


def test_v10_a_value_under_the_label_of_its_page_is_no_torn_sentence() -> None:
    page = "**Income.** 66,000 florins in 2048.\n\n**Staff:** 21 people work at the counter.\n"
    assert check_claim("Staff: 21 people.", [page]).reasons == ()
    assert check_claim("Staff: 21 people work at the.", [page]).reasons == ("spliced",)


@pytest.mark.parametrize(
    "torn",
    [
        "According to the builder, the.",
        "The Gull (海鸥), a tall.",
        "The Gull (海鸥), a tall tower, was painted by.",
    ],
)
def test_v10_a_sentence_is_torn_behind_who_says_it_and_beside_other_scripts_too(torn: str) -> None:
    page = (
        "The Gull (海鸥), a tall tower, was painted by Ida. Behind the gate stands the yard. "
        "According to the builder, the tower reaches 40 metres."
    )
    assert "spliced" in check_claim(torn, [page]).reasons
