"""Checklist row g9: tiers with reasons, on label boundaries, and no spoof gets through."""

from __future__ import annotations

from pathlib import Path

import pytest

from deep_research.core.tiers import classify, load_rules

TIERS = {
    "government": "https://www.gov.uk/x https://stats.gov https://ons.gov.uk/a https://www.who.int/ https://ec.europa.eu/x"
    " https://www.stat.go.jp https://un.org https://stats.gov.example/x https://harbour.gov.uk.example",
    "academic": "https://www.nature.com/articles/1 https://mit.edu https://ox.ac.uk https://doi.org/10.1000/x"
    " doi:10.1000/x https://x.edu.example https://pubmed.ncbi.nlm.nih.gov/1",
    "preprint": "https://arxiv.org/pdf/2301.12345v2 arXiv:2301.12345 https://www.biorxiv.org/x"
    " doi:10.1101/2020.01.01.1 https://doi.org/10.48550/arXiv.2301.12345"
    " https://eprints.x.ac.uk https://preprints.x.edu.example",
    "organization": "https://en.wikipedia.org/wiki/X https://jaxa.or.jp https://aeronauts.org.example https://x.org.uk",
    "social": "https://www.reddit.com/r/x https://x.com/a https://x.com.example/a",
    "unverified": "https://evil.com?x=.gov https://login.gov.phish.example https://evil.com#.edu https://evil.com/.gov"
    " https://mygov.com https://gov.evil.com https://notnature.com https://nature.com.evil.io https://x.com.evil.io"
    " https://nature.com@evil.com https://n\u0430ture.com http://8.8.8.8 evil.com?x=.gov"
    " evil.com#.edu go.com go.to https://gov.eu"
    " https://mast-forum.example/t/1 https://journal-of-keels.example https://preprints.evil.com https://evil.com\\.gov"
    " https://forum.tarn.example https://journals.tarn.example/ https://journal.com https://my-university.com",
}


@pytest.mark.parametrize(("tier", "urls"), TIERS.items(), ids=TIERS)
def test_g9_source_classifier(tier: str, urls: str) -> None:
    assert {url: classify(url)[0] for url in urls.split()} == dict.fromkeys(urls.split(), tier)


def test_g9_every_tier_has_a_reason_and_nothing_raises() -> None:
    assert classify("https://stats.gov.example/a") == ("government", "host ends in .gov")
    for odd in ["", "https://[bad", "\ud800", "a b", "x" * 10_000, "https://" + "a." * 2_000]:
        assert classify(odd)[0] == "unverified" and classify(odd)[1]


def test_g9_own_documents_and_calculations_are_no_web_sources() -> None:
    assert classify("report.gov, p.15", "document")[0] == "document"
    assert classify("table.csv#4", "row")[0] == "document"
    assert classify("calc:1", "calculation")[0] == "document"
    assert classify("https://stats.gov.example/a", "document")[0] == "government"


def test_g9_rules_are_data_that_people_extend(tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text('[academic]\nsuffixes = ["tarn.example"]\n')
    found = classify("https://a.tarn.example/", rules=load_rules(rules))
    assert found == ("academic", "host ends in .tarn.example")
    rules = tmp_path / "twice.toml"
    rules.write_text('[academic]\nsuffixes = ["a.org"]\n[social]\nsuffixes = ["a.org"]\n')
    with pytest.raises(ValueError, match="two tiers"):
        load_rules(rules)
