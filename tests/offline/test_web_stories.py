"""The stories of every web keep their promises: facts spread over pages, disputes, copies, lengths."""

import hashlib
import re
from collections import Counter

import pytest

from deep_research.evaluation.surface import says
from deep_research_offline.web import PAGES, build_web, domains
from deep_research_offline.web.domain import REGION_PAGES
from deep_research_offline.web.types import KINDS

FIRST_PAGES = {  # of the pages of single facts, their questions and answers, before there were stories
    ("airships", 0): "0be09190a3fb54e4",
    ("airships", 1): "c33b29bc9b6bc7d0",
    ("airships", 2): "083f8dcefa7d6c72",
    ("airships", 3): "c0d9538371f7c816",
    ("libraries", 0): "c2d02db951d766ef",
    ("libraries", 1): "4b2c26b90630642a",
    ("libraries", 2): "e51893ceec5a7494",
    ("libraries", 3): "a924219d7373060d",
}


@pytest.fixture(scope="module", params=domains())
def domain(request):
    return request.param


@pytest.fixture(scope="module", params=range(4), ids=lambda seed: f"seed{seed}")
def web(request, domain):
    return build_web(request.param, domain=domain)


def _reports(web):
    return [question for question in web.questions if question.kind == "report"]


def _facts(web, question):
    return [web.facts[name] for name in question.facts]


def _told(web):
    """The facts that only stories tell."""
    first = {page.url for page in web.pages[:REGION_PAGES]}
    return [fact for fact in web.facts.values() if not first & {*fact.pages, *fact.stale_pages}]


def test_stories_ask_twelve_reports_in_three_languages_after_all_other_questions(web):
    kinds = [question.kind for question in web.questions]
    assert kinds == sorted(kinds, key=KINDS.index)
    assert Counter(question.lang for question in _reports(web)) == {"en": 10, "zh": 1, "ja": 1}


def test_stories_reports_have_facts_by_aspect_and_disputes(web):
    for question in _reports(web):
        by_aspect = [fact for aspect in question.aspects for fact in aspect.facts]
        assert by_aspect == list(question.facts) and len(set(by_aspect)) == len(by_aspect), question.id
        assert 20 <= len(by_aspect) <= 60 and 4 <= len(question.aspects) <= 8, question.id
        assert 1 <= len(question.disputes) <= 4, question.id
    plain = [question for question in web.questions if question.kind != "report"]
    assert not any(question.aspects or question.disputes for question in plain)


def test_stories_no_page_holds_more_than_a_third_of_a_report(web):
    for question in _reports(web):
        held = Counter(url for fact in _facts(web, question) for url in fact.pages)
        url, most = held.most_common(1)[0]
        assert 3 * most <= len(question.facts), (question.id, url)


def test_stories_facts_are_said_on_their_pages_and_not_on_outdated_or_wrong_ones(web):
    for fact in _told(web):
        for url in fact.pages:
            assert any(says(web.page(url).text, form) for form in fact.answers), (fact.id, url)
        for url in fact.stale_pages + fact.wrong_pages:
            assert not any(says(web.page(url).text, form) for form in fact.answers), (fact.id, url)
        for url in fact.stale_pages:
            assert any(says(web.page(url).text, form) for form in fact.stale_answers), (fact.id, url)
        assert not set(fact.answers) & set(fact.stale_answers), fact.id


def test_stories_give_dated_values_to_most_reports(web):
    dated = [q for q in _reports(web) if any(fact.stale_pages for fact in _facts(web, q))]
    assert len(dated) >= 10


def test_stories_disputes_are_gold_and_each_side_has_a_page_of_its_own(web):
    for question in _reports(web):
        for dispute in question.disputes:
            sides = [fact for fact in _facts(web, question) if fact.answers in dispute.sides]
            assert len(sides) == len(dispute.sides) == 2, (question.id, dispute.id)
            one, other = (set(side.pages) for side in sides)
            assert one - other and other - one, (question.id, dispute.id)
            assert not set(sides[0].answers) & set(sides[1].answers), dispute.id


def test_stories_a_dispute_names_the_place_that_a_report_is_about(web):
    for question in _reports(web):
        facts = [fact for fact in _facts(web, question) if fact.subject in question.text]
        places = {fact.subject for fact in facts if not fact.id.startswith("story-")}
        for dispute in question.disputes if len(places) == 1 else ():
            sides = [fact for fact in _facts(web, question) if fact.answers in dispute.sides]
            told = [web.page(url) for fact in sides for url in fact.pages]
            assert any(name in f"{page.title} {page.text}" for page in told for name in places), question.id


def test_stories_copies_share_sentences_with_their_origin(web):
    copies = {url: origin for url, origin in web.origins.items() if "syndicated" in web.page(url).hazards}
    assert copies == web.origins and len(copies) >= 7
    for url, origin in copies.items():
        copied, first = (web.page(each).text for each in (url, origin))
        assert len(_sentences(copied) & _sentences(first)) >= 2 and copied != first, url


def _sentences(text):
    return {part for part in re.split(r"(?<=[.!?。])\s*", text) if len(part) > 12}


def test_stories_have_long_pages_beside_short_ones(web):
    stories = [page for page in web.pages[REGION_PAGES:PAGES] if page.lang == "en"]
    words = [len(page.text.split()) for page in stories]
    assert sum(800 <= count <= 3_000 for count in words) >= 9
    assert sum(count < 300 for count in words) >= 20
    assert max(words) <= 3_000


def test_stories_years_are_of_the_web_and_no_page_is_younger_than_the_web(web):
    assert all(page.published is None or page.published <= web.date for page in web.pages[REGION_PAGES:])


def test_stories_differ_from_seed_to_seed(domain):
    one, other = ({q.text for q in _reports(build_web(seed, domain=domain))} for seed in (0, 1))
    values = [{fact.value for fact in _told(build_web(seed, domain=domain))} for seed in (0, 1)]
    assert len(one & other) <= 1
    assert len(values[0] & values[1]) < len(values[0]) / 2


def test_stories_fill_a_region_and_leave_smaller_webs_as_they_are(domain):
    small, default, large = (build_web(0, pages, domain) for pages in (40, PAGES, PAGES + 150))
    assert [page.url for page in small.pages] == [page.url for page in default.pages[:40]]
    assert not _reports(small) and len(_reports(default)) == len(_reports(large)) == 12
    assert len(build_web(0, REGION_PAGES, domain).questions) == len(default.questions) - 12
    assert large.pages[:PAGES] == default.pages


@pytest.mark.parametrize(("domain", "seed"), FIRST_PAGES)
def test_stories_leave_the_other_questions_and_pages_untouched(domain, seed):
    web = build_web(seed, domain=domain)
    asked = [
        (q.id, q.text, [(fact.id, fact.answers) for fact in _facts(web, q)])
        for q in web.questions
        if q.kind != "report"
    ]
    pages = [(page.url, page.text) for page in web.pages[:REGION_PAGES]]
    digest = hashlib.sha256(repr((asked, pages)).encode()).hexdigest()[:16]
    assert digest == FIRST_PAGES[domain, seed]
