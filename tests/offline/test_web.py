"""Every mini-web keeps its promises: same bytes from a seed, true ground truth, hazards as labelled."""

import os
import random
import re
import subprocess
import sys
from urllib.parse import quote

import pytest

from deep_research.core.errors import UsageError
from deep_research_offline.web import build_web, domains
from deep_research_offline.web.hazards import CANARY, HAZARDS
from deep_research_offline.web.names import NameMaker
from deep_research_offline.web.types import KINDS

SEEDS = range(6)
UNHEARD_OF = {"airships": "利润", "libraries": "灯泡"}  # the Chinese unanswerable one
_DIGEST = (
    "import hashlib; from deep_research_offline.web import build_web; w = build_web(3, 160, {!r}); "
    "print(hashlib.sha256(repr((w.pages, w.facts, w.questions, w.redirects, sorted(w.dead), w.date))"
    ".encode()).hexdigest())"
)


@pytest.fixture(scope="module", params=domains())
def domain(request):
    return request.param


@pytest.fixture(scope="module", params=SEEDS, ids=lambda seed: f"seed{seed}")
def web(request, domain):
    return build_web(request.param, domain=domain)


def _corpus(web, lang=None):
    return "\n".join(f"{p.title}\n{p.text}" for p in web.pages if lang in (None, p.lang))


def test_web_is_the_same_bytes_in_every_process(domain):
    def digest(hash_seed):
        env = {**os.environ, "PYTHONHASHSEED": hash_seed}
        run = subprocess.run(
            [sys.executable, "-c", _DIGEST.format(domain)], env=env, capture_output=True, check=True
        )
        return run.stdout

    assert digest("1") == digest("2")


def test_web_has_as_many_pages_as_asked_for(domain):
    default, large = build_web(0, domain=domain), build_web(0, 400, domain)
    assert [len(build_web(0, n, domain).pages) for n in (1, 40, 150, 400)] == [1, 40, 150, 400]
    assert large.pages[: len(default.pages)] == default.pages
    assert large.questions == default.questions
    assert len({page.url for page in large.pages}) == 400


def test_web_seeds_share_no_names(domain):
    webs = (build_web(seed, domain=domain) for seed in (0, 1))
    first, second = ({fact.subject for fact in web.facts.values()} for web in webs)
    assert len(first & second) <= len(first) // 50


def test_web_refuses_what_it_cannot_build():
    with pytest.raises(UsageError, match="airships"):
        build_web(0, 150, "submarines")
    with pytest.raises(UsageError, match="at least one page"):
        build_web(0, 0)


def test_web_names_never_contain_one_another():
    names = NameMaker(random.Random(1))
    words = [names.word().en.lower() for _ in range(400)]
    assert not [(a, b) for a in words for b in words if a is not b and a in b]


def test_web_facts_stand_verbatim_on_the_pages_that_state_them(web):
    for fact in web.facts.values():
        assert fact.pages, fact.id
        for url in fact.pages:
            text = web.page(url).text.casefold()
            assert any(answer.casefold() in text for answer in fact.answers), (fact.id, url)


def test_web_wrong_and_stale_pages_do_not_state_the_fact(web):
    doubtful = [(fact, url) for fact in web.facts.values() for url in fact.stale_pages + fact.wrong_pages]
    assert doubtful
    for fact, url in doubtful:
        assert not any(answer in web.page(url).text for answer in fact.answers), (fact.id, url)
        assert url not in fact.pages


def test_web_samples_cover_every_class_and_language(web):
    for kind in KINDS:
        asked = [question for question in web.questions if question.kind == kind]
        assert len(asked) >= 9
        assert {question.lang for question in asked} == {"en", "zh", "ja"}
    assert len({question.text for question in web.questions}) == len(web.questions)


def test_web_gold_facts_stand_on_gold_pages_in_the_language_of_the_question(web):
    for question in web.questions:
        assert bool(question.facts) == bool(question.pages) == (question.kind != "unanswerable"), question.id
        pages = [web.page(url) for url in question.pages]
        assert {page.lang for page in pages} <= {question.lang}
        for fact in (web.facts[name] for name in question.facts):
            holders = [page for page in pages if page.url in fact.pages]
            texts = [page.text.casefold() for page in holders]
            assert any(answer.casefold() in text for text in texts for answer in fact.answers), question.id


def test_web_multi_hop_must_be_walked_page_by_page(web):
    """No bridge is named in the question, and no page after the first tells what the chain started from."""
    for question in web.questions:
        if question.kind == "multi_hop":
            start, *rest = (web.facts[name] for name in question.facts)
            assert rest
            for fact in (start, *rest[:-1]):
                assert not any(answer in question.text for answer in fact.answers), question.id
            for url in (url for fact in rest for url in fact.pages):
                assert start.subject not in web.page(url).text, (question.id, url)


def test_web_contradiction_has_two_sides_on_different_pages(web):
    for question in web.questions:
        if question.kind == "contradiction":
            one, other = (web.facts[name] for name in question.facts)
            assert one.value != other.value
            assert not set(one.pages) & set(other.pages)


def test_web_ranking_gold_is_the_top_of_what_pages_state(web):
    asked = next(q for q in web.questions if q.id == "ranking-01")
    lines = web.page(asked.pages[0]).text.split("\n")
    rows = [line.strip("|").split("|") for line in lines if line.startswith("| ")][2:]
    column = [int(row[1].replace(",", "")) for row in rows]
    golden = [int(web.facts[name].value.split()[0].replace(",", "")) for name in asked.facts]
    assert golden == sorted(column, reverse=True)[:3]


def test_web_says_nothing_about_unanswerable_questions(web):
    for question in web.questions:
        if question.kind == "unanswerable":
            corpus = _corpus(web, question.lang).lower()
            words = re.findall(rf"[A-Za-z]{{5,}}|[ァ-ー]{{4,}}|{UNHEARD_OF[web.domain]}", question.text)
            assert [word for word in words if word.lower() not in corpus], question.text


def test_web_plants_and_labels_every_hazard(web):
    planted = {label for page in web.pages for label in page.hazards}
    assert planted == set(HAZARDS)
    for page in web.pages:
        assert ("injection" in page.hazards) == (CANARY in page.text)
        assert ("long" in page.hazards) == (len(page.text) > 20_000)
        assert ("url_parentheses" in page.hazards) == ("(" in page.url)
        assert ("url_unicode" in page.hazards) == (not page.url.isascii())
        assert ("dead_link" in page.hazards) == any(url in web.dead for url in page.links)
        assert ("redirect" in page.hazards) == any(url in web.redirects for url in page.links)
    assert any("</source>" in page.text for page in web.pages)


def test_web_long_pages_hold_a_gold_fact_deep_inside(web):
    asked = {name for question in web.questions for name in question.facts}
    long_pages = [page for page in web.pages if "long" in page.hazards]
    deep = [
        fact.id
        for page in long_pages
        for fact in web.facts.values()
        if fact.pages[0] == page.url and min(_places(page.text, fact.answers)) > 10_000
    ]
    assert asked & set(deep)


def _places(text, answers):
    return [text.index(answer) for answer in answers if answer in text]


def test_web_links_lead_to_pages_redirects_or_known_dead_ends(web):
    linked = [url for page in web.pages for url in page.links]
    assert all((web.page(url) is None) == (url in web.dead) for url in linked)
    assert web.dead and all(url in linked for url in web.dead)
    assert all(web.page(old) is web.page(new) is not None for old, new in web.redirects.items())
    assert any(new in web.redirects for new in web.redirects.values()), "one redirect leads to another"
    for page in web.pages:
        assert all(f"({url})" in page.text for url in page.links)
        assert re.fullmatch(r"https://[a-z0-9.-]+\.example/\S+", page.url)


def test_web_page_is_found_in_every_spelling_of_its_address(web):
    page = next(page for page in web.pages if not page.url.isascii())
    assert web.page(quote(page.url, safe=":/") + "#top") is page
    assert web.page("https://nowhere.example/x") is None


def test_web_pages_look_like_pages(web):
    assert len({page.style for page in web.pages}) >= 10
    for page in web.pages:
        assert page.published is None or "2000" < page.published <= web.date, page.url
        assert not re.search(r"\{|\bNone\b|  |\.\.|\ba [aeio]\w+", page.text.replace('{"role"', "")), page.url


def test_web_html_is_complete_escaped_and_clickable(web):
    page = next(p for p in web.pages if "</source>" in p.text)
    html = web.html(page)
    assert html.startswith("<!DOCTYPE html>") and "<table>" in "".join(map(web.html, web.pages[:3]))
    assert "</source>" not in html and "&lt;/source&gt;" in html
    linking = next(p for p in web.pages if any("(" in url for url in p.links))
    assert all(f'<a href="{url}">' in web.html(linking) for url in linking.links)
