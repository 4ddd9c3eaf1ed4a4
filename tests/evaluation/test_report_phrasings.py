"""Everyday wordings of the requests for a report: the data fit their webs, and the table keeps them apart."""

from __future__ import annotations

import pytest

from benchmarks.phrasings import Asked, chosen_phrasings, in_own_words, read_webs
from benchmarks.report_phrasings import DATA, EVERYDAY, OWN, report_phrasings_table
from deep_research.evaluation.samples import Score
from deep_research.runs.offline import invented_web
from deep_research.settings import load_settings
from deep_research_offline.model.text import language


@pytest.mark.parametrize("data", read_webs(DATA), ids=lambda data: f"{data['domain']}-{data['seed']}")
def test_each_request_for_a_report_has_two_wordings_of_its_language_that_are_not_its_own(data):
    settings = load_settings({"web.seed": data["seed"], "web.domain": data["domain"]})
    questions = [one for one in invented_web(settings.web).questions if one.kind == "report"]
    texts = chosen_phrasings(questions, data["phrasings"], None)
    assert [question for question, _ in texts] == [one for one in questions for _ in range(2)]
    assert len({text for _, text in texts} | {one.text for one in questions}) == 3 * len(questions)
    assert all(language(text) == question.lang for question, text in texts)
    own = in_own_words(Asked(data["domain"], settings, data["kept_aside"], texts))
    assert own.texts == [(one, one.text) for one in questions]


def test_wordings_without_their_question_are_an_error():
    with pytest.raises(ValueError, match="report-99"):
        chosen_phrasings([], {"report-99": ["what of it"]}, None)


def test_the_table_has_each_wording_of_a_web_a_language_and_all_and_never_mixes_what_was_kept_aside():
    def one(lang, coverage, status="complete"):
        return Score(system="s", id="r", kind="report", lang=lang, status=status, coverage=coverage)

    looked_at = Asked("mills", load_settings({"web.seed": 1}), False, [])
    aside = Asked("mills", load_settings({"web.seed": 2}), True, [])
    found = [
        (looked_at, EVERYDAY, [one("en", 0.5), one("zh", 0.0, "partial")]),
        (looked_at, OWN, [one("en", 1.0)]),
        (aside, EVERYDAY, [one("en", 0.0, "failed")]),
    ]
    assert report_phrasings_table(found).splitlines()[2:] == [
        "| looked at in development: mills, seed 1 | everyday | 2 | 25.0 % | – | – | – | – | 50.0 % |",
        "| looked at in development: mills, seed 1 | the sample's own | 1 "
        "| 100.0 % | – | – | – | – | 100.0 % |",
        "| looked at in development: en | everyday | 1 | 50.0 % | – | – | – | – | 100.0 % |",
        "| looked at in development: en | the sample's own | 1 | 100.0 % | – | – | – | – | 100.0 % |",
        "| looked at in development: zh | everyday | 1 | 0.0 % | – | – | – | – | 0.0 % |",
        "| looked at in development: together | everyday | 2 | 25.0 % | – | – | – | – | 50.0 % |",
        "| looked at in development: together | the sample's own | 1 | 100.0 % | – | – | – | – | 100.0 % |",
        "| kept aside: mills, seed 2 | everyday | 1 | 0.0 % | – | – | – | – | 0.0 % |",
        "| kept aside: en | everyday | 1 | 0.0 % | – | – | – | – | 0.0 % |",
        "| kept aside: together | everyday | 1 | 0.0 % | – | – | – | – | 0.0 % |",
    ]
