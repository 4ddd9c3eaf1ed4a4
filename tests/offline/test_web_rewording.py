"""Everyday rewordings keep what a question asks for and say it as people would."""

import re

import pytest

from benchmarks.everyday import REWORDINGS, partner, reword
from deep_research_offline.web import build_web, domains


@pytest.fixture(scope="module", params=domains())
def web(request):
    return build_web(1, domain=request.param)


def _words(text):
    return re.findall(r"\w+", text.lower())


def test_rewording_is_the_same_each_time_and_never_empty(web):
    for question in web.questions:
        for kind in REWORDINGS:
            said = reword(question, kind, web)
            assert said == reword(question, kind, web)
            parts = said if isinstance(said, tuple) else (said,)
            assert len(parts) == (2 if kind == "follow_up" else 1)
            assert all(part.strip() and "{" not in part and "  " not in part for part in parts), (kind, parts)


def test_rewording_refuses_unknown_kinds(web):
    with pytest.raises(ValueError, match="follow_up"):
        reword(web.questions[0], "shouted", web)


def test_rewording_lower_and_typo_change_letters_only(web):
    for question in web.questions:
        assert reword(question, "lower", web) == question.text.lower()
        typo, plain = reword(question, "typo", web), question.text
        if question.lang == "en":
            wrong = [a for a, b in zip(plain.split(), typo.split(), strict=True) if a != b]
            assert typo != plain and len(wrong) == 1 and len(typo) in (len(plain), len(plain) - 1)
            assert len(re.sub("[^A-Za-z]", "", wrong[0])) >= 5
        elif not re.search("[A-Za-z]{5}", plain):
            assert typo == plain


def test_rewording_typos_hit_names_as_well(web):
    english = [question for question in web.questions if question.lang == "en"]
    names = {fact.subject.split()[-1] for fact in web.facts.values()}
    hit = [q for q in english if any(name in q.text and name not in reword(q, "typo", web) for name in names)]
    assert len(hit) >= 5


def test_rewording_thanks_and_context_stand_around_the_question(web):
    for question in web.questions:
        thanks, context = (reword(question, kind, web) for kind in ("thanks", "context"))
        assert question.text in thanks and not thanks.startswith(question.text)
        assert not thanks.endswith(question.text)
        assert context.endswith(question.text) and len(context) > len(question.text) + 10


def test_rewording_fragment_keeps_the_words_of_the_question_that_are_rare(web):
    for question in web.questions:
        fragment = reword(question, "fragment", web)
        assert len(fragment) <= len(question.text) and "?" not in fragment and "？" not in fragment
        if question.lang == "en":
            assert not {"the", "what", "is", "of"} & set(_words(fragment))
            assert set(_words(fragment)) <= set(_words(question.text))


def test_rewording_double_asks_a_second_question_of_the_set(web):
    for question in web.questions:
        second = partner(question, web)
        double = reword(question, "double", web)
        assert double.startswith(question.text) and double.endswith(second.text)
        assert second.facts and second.lang == question.lang and second.kind not in (question.kind, "report")


def test_rewording_follow_up_needs_what_was_said_before(web):
    """The follow-up leaves out what the first turn names, or names only what is new."""
    elliptical = 0
    for question in web.questions:
        first, second = reword(question, "follow_up", web)
        assert first != question.text
        if second == question.text:
            assert first == partner(question, web).text
            continue
        elliptical += 1
        assert set(_words(question.text)) - set(_words(second)), second
    assert elliptical >= 0.9 * len(web.questions)


def test_rewording_follow_up_speaks_of_its_subject(web):
    asked = next(q for q in web.questions if q.id == "single_fact-01")
    name = web.facts[asked.facts[0]].subject
    first, second = reword(asked, "follow_up", web)
    assert name not in first and second.startswith("And ") and name.split()[-1] in second
    assert len(_words(first)) >= len(_words(asked.text)) - 1
