"""Row v12 for claims: no text raises, nothing depends on chance, and time grows with the text."""

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from deep_research.verification.claim_check import SourceText, check_claim
from deep_research.verification.claims import cited_sentences
from deep_research.verification.removal import without

MARKS = "[1] [2,3] . ? 。 | --- # - * ` [ ] ( ) \n \ud800 \0 — :"
WORDS = "12 1,200 % km 2041 May not of 's A Port 港 がない 不 三十 per hour"
PIECES = st.sampled_from([*MARKS.split(" "), *WORDS.split(" ")])
TEXTS = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=40).map(" ".join))


@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS, TEXTS)
@example("0: :", "0", "")
def test_v12_no_text_raises_and_offsets_hold(claim: str, source: str, title: str) -> None:
    for found in cited_sentences(claim):
        assert 0 <= found.start < found.end <= len(claim)
    assert len(without(claim, [(found.start, found.end) for found in cited_sentences(claim)])) <= len(claim)
    check = check_claim(claim, [SourceText(source, title, title)])
    assert 0 <= check.score <= 1 and (check.verdict == "flagged") == bool(check.reasons)
    if check.quote is not None:
        assert source[check.start : check.end] == check.quote


@pytest.mark.parametrize(
    "piece",
    [
        "Port Alva has 24 masts and was opened in 1999 by Ida Wern. [1] ",
        "- Port Alva [1]\n",
        "| Port Alva | 24 [1] |\n",
        "阿尔瓦港设有24座系留塔[1]。",
        "[[[[1",
        "24, ",
        "twenty ",
        "三百二十万",
        "is the only no ",
        "_*Port ",
    ],
)
def test_v12_ten_times_the_text_takes_at_most_twenty_times_the_time(piece: str) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        started = time.process_time()
        cited_sentences(text)
        check_claim("Port Alva has 24 masts, opened in 1999 by Ida Wern.", [f"Port Alva {size}. {text}"])
        return time.process_time() - started

    seconds(2_000)
    assert seconds(200_000) <= 20 * max(seconds(20_000), 0.05)


@pytest.mark.parametrize("text", ["fıve mıles", "FİVE", "5 mıllion", "APRİL 3", "3 aprıl"])
def test_v12_letters_that_only_look_like_an_i_raise_nothing(text: str) -> None:
    assert check_claim(f"The mast has {text} lamps.", [f"The mast has {text} lamps."]).verdict
