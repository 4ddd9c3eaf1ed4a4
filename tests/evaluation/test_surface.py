"""Surface forms: what counts as saying a value, and what only looks like it."""

import pytest

from deep_research.evaluation.surface import numbers_in_text, says


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("made 2412 sacks", "2,412"),
        ("made **2,412** sacks", "2412 sacks"),
        ("made 2\u202f412 sacks", "2,412"),
        ("it is 31m high", "31 m"),
        ("it is 31 m high", "31 m"),
        ("３１ メートルです", "31メートル"),
        ("高31 米", "31米"),
        ("阿达・布雷尔", "阿达·布雷尔"),
        ("founded in 2013.", "2013"),
        ("2013年の設立", "2013"),
        ("the Iben–Vale route", "Iben-Vale"),
        ("ADA BRELL's mill", "Ada Brell"),
    ],
)
def test_a_value_is_found_in_any_usual_spelling(text: str, form: str) -> None:
    assert says(text, form)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("2,412", "12"),
        ("12.5 km", "12"),
        ("3.12 km", "12"),
        ("12万人", "12"),
        ("1,031 m", "31 m"),
        ("31 miles", "31 m"),
        ("171人", "71人"),
        ("the trail", "rail"),
        ("the AdaBrell", "Ada"),
        ("LH-5641", "LH-564"),
        ("anything", ""),
    ],
)
def test_a_part_of_a_number_or_word_is_not_the_value(text: str, form: str) -> None:
    assert not says(text, form)


def test_numbers_are_read_without_separators() -> None:
    assert numbers_in_text("1,031 m in 2041, 3.5 % and ４２人") == {"1031", "2041", "3.5", "42"}
