"""The metrics, worked by hand on one small web: value, range and empty input of each."""

from deep_research.core.records import Removed
from deep_research.evaluation.citation_precision import checked_citations, citation_precision, segments
from deep_research.evaluation.fact_recall import fact_recall, recalled
from deep_research.evaluation.right_abstention import abstains, right_abstention
from deep_research.evaluation.unknown_citations import unknown_citations

MILL = "https://mill.example/wiki/North_Mill_(windmill)"
COPY = "https://copy.example/north-mill"
FORUM = "https://forum.example/t/7"
ENGINE = "https://mill.example/wiki/Mill_7"
CHINESE = "https://mill.example/zh/北风车"


def test_fact_recall_counts_values_in_sentences_that_cite_a_page_stating_them(truth, ask, written):
    report = written("It is 31 m high [1]. It made 2412 sacks [2].", COPY, MILL)
    assert recalled(ask("height", "flour", "owner"), report, truth) == ["height", "flour"]
    assert fact_recall(ask("height", "flour", "owner"), report, truth) == 2 / 3


def test_fact_recall_needs_the_citation_and_the_right_page(truth, ask, written):
    uncited = "North Mill is 31 m high. It belongs to Ada Brell [1]."
    assert fact_recall(ask("height"), written(uncited, MILL), truth) == 0
    assert fact_recall(ask("height"), written("It is 31 m high [1].", FORUM), truth) == 0
    assert fact_recall(ask("height"), written("", MILL), truth) == 0
    assert fact_recall(ask(), written("It is 31 m high [1].", MILL), truth) is None


def test_addresses_count_in_any_spelling(truth, ask, written):
    for url in ("http://mill.example/old/", "https://mill.example/wiki/North_Mill_%28windmill%29#top"):
        assert fact_recall(ask("height"), written("It is 31 m high [1].", url), truth) == 1


def test_metrics_read_chinese(truth, ask, written):
    report = written("北风车高31米[1]。它属于阿达·布雷尔[1]。", CHINESE)
    assert fact_recall(ask("height", "owner"), report, truth) == 1
    assert citation_precision(report, truth) == 1
    wrong = written("北风车高35米[1]。南风车在河边的城里[1]。", CHINESE)
    assert citation_precision(wrong, truth) == 0


def test_citation_precision_judges_each_citation_by_what_stands_before_it(truth, written):
    report = written(
        "North Mill is 31 metres high [1], belongs to Ada Brell [1] and made 35 sacks [1].", MILL
    )
    assert [right for _, _, right in checked_citations(report, truth)] == [True, True, False]
    assert citation_precision(written("Nothing is cited.", MILL), truth) is None


def test_citation_precision_takes_the_numbers_of_a_list_for_no_figures(truth, written):
    listed = "7. North Mill belongs to Ada Brell. [1]\n8. 北风车属于阿达·布雷尔。 [2]"
    assert citation_precision(written(listed, MILL, CHINESE), truth) == 1


def test_citation_precision_reads_table_rows_with_their_header(truth, written):
    assert citation_precision(written("North Mill made 2,412 sacks of flour [1].", MILL), truth) == 1
    assert citation_precision(written("South Mill made 2,412 sacks of flour [1].", FORUM), truth) == 0


def test_citation_precision_lets_sources_of_one_place_share_the_evidence(truth, written):
    both = (
        "At 31 m, North Mill, the house of Ada Brell, is higher than what the forum is sure of, 35 m [1][2]."
    )
    assert citation_precision(written(both, MILL, FORUM), truth) == 1


def test_citation_precision_takes_numbers_of_the_title_as_a_name(truth, written):
    report = written("Mill 7: it stands on a hill by the river [1], and Mill 7 is 70 m high [1].", ENGINE)
    assert [right for _, _, right in checked_citations(report, truth)] == [True, False]


def test_segments_end_at_citations_and_leave_headings_code_and_source_list_out():
    markdown = "## Head [1]\n\nA is so [1], B too.[2][3] `x [4]`\n\n## Sources\n\n1. A [1]\n"
    assert [(s.text, s.cites) for s in segments(markdown)] == [("A is so", (1,)), ("B too", (2, 3))]


def test_right_abstention_rewards_admitting_only_where_there_is_no_answer(ask, written):
    admits = written("No source states what you ask for.\n\nIt is 31 m high [1].", MILL)
    asserts = written("It is 31 m high [1].\n\nIts colour was not found.", MILL)
    assert right_abstention(ask(), admits) == 1 and right_abstention(ask("height"), admits) == 0
    assert right_abstention(ask(), asserts) == 0 and right_abstention(ask("height"), asserts) == 1


def test_right_abstention_knows_status_languages_and_quotes(ask, written):
    assert right_abstention(ask(), written("", status="no_evidence")) == 1
    assert right_abstention(ask(), written("", status="failed")) == 0
    assert abstains(written("没有找到关于利润的数据。", MILL))
    assert abstains(written("ヘリウムの量は見つかりませんでした。", MILL))
    assert not abstains(written("The miller wrote: “no answer was found”.\n\nIt is 31 m high [1].", MILL))


def test_unknown_citations_counts_removed_unrendered_and_dangling(written):
    report = written("A [1]. B [S1.9]. C [7]. A link: [2](https://a.example), `code [8]`.", MILL)
    assert unknown_citations(report) == 2
    report.removed.append(Removed(number="S9.9", reason="id_not_in_ledger"))
    assert unknown_citations(report) == 3
    assert unknown_citations(written("")) == 0


def test_unknown_citations_counts_ids_only_and_no_code_or_numbers_that_were_taken_out(written):
    report = written("A [1]. In arr[2] and [2024] nothing is cited.", MILL)
    report.removed += [Removed(number="4", reason="own_number"), Removed(number="", reason="own_source_list")]
    assert unknown_citations(report) == 0
