"""Which statements of sources exclude each other, and which are only older, on pages written here."""

from __future__ import annotations

import pytest

from deep_research_offline.model.dating import with_dates
from deep_research_offline.model.differences import differences
from deep_research_offline.model.gather import gather
from deep_research_offline.model.lookup import compose
from deep_research_offline.model.overview import claims, searches
from deep_research_offline.model.page import Page
from deep_research_offline.model.points import Gathered
from deep_research_offline.model.report_writer import compose as report
from deep_research_offline.model.shared_names import shared_names

Pair = tuple[tuple[str, ...], bool]


def page(number: int, title: str, text: str, published: str = "2031-05-01", tier: str = "unverified") -> Page:
    return Page(f"S1.{number}", title, text, published, tier)


def on(*names: str) -> Gathered:
    """What a request is about."""
    return Gathered((), names)


def found(*pages: Page) -> list[Pair]:
    """The values of each difference, the one to go by first, and whether the other is only older."""
    return [(tuple(s.text for s in one.sides), bool(one.older)) for one in differences(pages)]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("The Oster Dam fire left 12 people hurt.", "Officials count 9 people hurt at the Oster Dam.", False),
        ("We put the repair of the Oster Dam at 4 million euros.",
         "According to the auditors the repair of the Oster Dam cost 6 million euros.", False),
        ("We expect traffic on the Oster Dam to grow by 7 per cent.",
         "The club expects traffic on the Oster Dam to grow by 2 per cent.", False),
        ("So far 40 lamps of the Oster Dam have been replaced.",
         "So far 90 lamps of the Oster Dam have been replaced.", True),
        ("The Oster Dam is to reopen in June 2030.", "The Oster Dam is now to reopen in May 2032.", True),
        ("奥斯特水坝目前有员工40人。", "奥斯特水坝目前有员工65人。", True),
        ("据工会统计，奥斯特水坝火灾的损失为300万元。", "据公司估算，奥斯特水坝火灾的损失为120万元。", False),
        ("オスター堤の入場料は300円です。", "オスター堤の入場料は現在500円です。", True),
        ("組合によると、オスター堤の来場者は一日に900人です。",
         "市の統計では、オスター堤の来場者は一日に400人です。", False),
    ],
)  # fmt: skip
def test_values_of_one_matter_differ_and_what_has_changed_is_dated(
    first: str, second: str, expected: bool
) -> None:
    ((_, dated),) = found(page(1, "A note", first, "2029-02-01"), page(2, "A report", second, "2031-03-01"))
    assert dated is expected


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The Oster Dam is 40 m high.", "The Lund Dam is 52 m high."),  # two things
        ("In 2028 the Oster Dam had 300 visitors.", "In 2029 the Oster Dam had 410 visitors."),  # a series
        ("The builders of the Oster Dam applied for 30 night shifts a week.",
         "The council allows the builders of the Oster Dam 12 night shifts a week."),  # asked, and allowed
        ("The limit for noise at the Oster Dam is 50 decibels.",
         "At the Oster Dam 61 decibels were measured."),  # a limit, and what was found
        ("Of the visitors of the Oster Dam 54 per cent come by bus.",
         "The grant paid 44 per cent of the new road to the Oster Dam."),  # shares of two things
        ("The number of guides at the Oster Dam rose from 4 to 9 guides.",
         "The Oster Dam has 12 guides."),  # a change tells of another time
        ("The Oster Dam opened on 5 August 2028.", "The Oster Dam opened on 2028-08-05."),  # the same
        ("The Oster Dam cost 4,000 m of cable.", "The Oster Dam took 4 km of cable."),  # the same
        ("奥斯特水坝高40米。", "隆德水坝高52米。"),
        ("2028年、オスター堤の来場者は300人でした。", "2029年、オスター堤の来場者は410人でした。"),
    ],
)  # fmt: skip
def test_what_is_of_another_thing_role_or_time_is_no_difference(first: str, second: str) -> None:
    pages = [page(1, "A note", first), page(2, "A report", second)]
    names = [page(3, "Oster Dam", "The Oster Dam is a dam."), page(4, "Lund Dam", "The Lund Dam is a dam.")]
    cjk = [page(5, "奥斯特水坝", "奥斯特水坝是水坝。"), page(6, "隆德水坝", "隆德水坝是水坝。")]
    assert found(*pages, *names, *cjk) == []


def test_titles_that_name_two_things_by_one_word_each_set_their_pages_apart() -> None:
    said = "We were told a length of {} m, and the guide who showed us around says the same."
    pages = [
        page(1, "How long is the Osterdam really?", "They say that the Osterdam leaks. " + said.format(40)),
        page(2, "How long is the Lunddam really?", "They say that the Lunddam leaks. " + said.format(52)),
    ]
    assert found(*pages) == []


def test_a_table_of_one_page_and_of_another_year_is_a_series() -> None:
    rows = "| Dam | Visitors |\n| --- | --- |\n| Oster Dam | 300 visitors |"
    years = [
        page(n, f"Visitors 20{n}", rows.replace("300", f"{n}0"), f"20{n + 1}-01-01") for n in (21, 22, 23)
    ]
    assert found(*years) == []


def test_copies_speak_with_one_voice_and_the_better_vouched_for_comes_first() -> None:
    told = "The owner of the Oster Dam speaks of 9 people hurt."
    copies = [page(n, f"Paper {n}", told, f"2030-01-0{n}") for n in (1, 2)]
    inquiry = "The inquiry counted 12 people hurt at the Oster Dam."
    (one,) = differences(
        [*copies, page(3, "The inquiry", inquiry, "2030-09-01", "government")], on("Oster Dam")
    )
    assert [side.ids for side in one.sides] == [("S1.3",), ("S1.2", "S1.1")]
    shown = one.shown("en")
    assert shown.startswith("### Oster Dam: 12 people hurt, or 9 people hurt\n")
    assert f"- The inquiry (government, 2030-09-01): {inquiry} [S1.3]" in shown
    assert shown.endswith("The first is better vouched for: government, not unverified.")


def test_what_an_old_page_says_of_how_things_stand_carries_its_date() -> None:
    pages = [page(1, "A guide", "", "2024-06-01"), page(2, "News", "", "2031-05-01")]
    text = "The dam has 40 guides. [S1.1] It was built in 1921. [S1.1] The dam has 12 lamps. [S1.2]"
    text = f"{text}\n\n- Entry costs 5 euros. [S1.1]"
    marked = with_dates(text, pages, "en")
    assert marked.count("As of 2024-06-01: ") == 2
    assert "As of 2024-06-01: The dam has 40 guides. [S1.1] It was built" in marked
    assert "- As of 2024-06-01: Entry costs 5 euros. [S1.1]" in marked
    assert with_dates(marked, pages, "en") == marked


@pytest.mark.parametrize("published", ["", "May 2024", "18/05/2024", "2024"])
def test_dates_in_any_spelling_do_no_harm(published: str) -> None:
    pages = [
        page(1, "A note", "The Oster Dam has 40 guides at present.", published),
        page(2, "News", "The Oster Dam has 65 guides at present.", "2031-05-01"),
    ]
    assert len(found(*pages)) == 1
    assert "The Oster Dam has 40 guides" in with_dates("The Oster Dam has 40 guides. [S1.1]", pages, "en")


def test_a_look_up_dates_what_an_older_page_says_and_quotes_nothing_twice() -> None:
    new = "The Oster Ferry was refitted in 2030. After the refit it has room for 90 passengers."
    old = "The Oster Ferry has room for 60 passengers, and on our trip every seat was taken."
    pages = [
        Page("S1", "Oster Ferry", new, published="2031-01-01"),
        Page("S2", "A trip on the Oster Ferry", old, published="2027-05-01"),
    ]
    report = "\n".join(compose("How many passengers does the Oster Ferry carry now?", pages, (), "en"))
    assert "- As of 2027-05-01: The Oster Ferry has room for 60 passengers" in report
    assert report.count("has room for 90 passengers") == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Warrow's hull is 197 m long.", "The Pell's hull is 153 m long."),
        ("At the last census Oster Bridge had 40,332 inhabitants.", "Vell Bridge has 30,365 inhabitants."),
        ("Fixed a warning on Python 3.6.", "A deprecation warning on Python 3.13 was fixed."),
        ("The walk to the gate takes 12 minutes.", "Before examinations people wait 36 minutes."),
    ],
)
def test_values_of_two_things_are_no_disagreement(one: str, other: str) -> None:
    pages = [Page("S1", "Oster Bridge", one, tier="organization"), Page("S2", "A day by the river", other)]
    assert differences(pages) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (page(1, "Down the Wend, day 1", "We came to Orsk Mill. It is held together by 40 bolts."),
         page(2, "Down the Wend, day 2", "We came to Vell Mill. It is held together by 17 bolts.")),
        (page(1, "Trial: Orsk Mill", "The Wend Union measured 258 sacks per hour at Orsk Mill."),
         page(2, "Trial: Vell Kiln", "The Wend Union measured 94 sacks per hour at Vell Kiln.")),
        (page(1, "The Orsk Affair", "The Wend Court ended the Orsk Affair with a fine of 971 euros."),
         page(2, "The Vell Affair", "The Wend Court ended the Vell Affair with a fine of 2,959 euros.")),
        (page(1, "A day out", "The dearest was Orsk Mill, where guests of up to 10 years get in free, more"
              " than Vell Kiln."),
         page(2, "Vell Kiln", "Guests of up to 5 years get in free.")),
        (page(1, "A guide", "Another mill needs 6 guards at Orsk."),
         page(2, "Orsk Mill", "Orsk Mill needs 3 guards.")),
    ],
)  # fmt: skip
def test_values_of_two_things_of_a_kind_never_differ(first: Page, second: Page) -> None:
    things = [page(n, name, f"The {name} is old.") for n, name in enumerate(("Orsk Mill", "Vell Mill"), 3)]
    assert found(first, second, *things) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (page(1, "Review of 2030", "There were 300 loans at Orsk Mill.", "2031-01-01"),
         page(2, "The empty mill", "In 2023 Orsk Mill counted 410 loans.", "2031-03-01")),
        (page(1, "Review of 2030", "Of those that closed 7 mills have opened again.", "2031-01-01"),
         page(2, "Review of 2026", "No fewer than 17 mills had to close.", "2027-01-01")),
        (page(1, "A card", "The card of Orsk Mill costs 13 euros.", "2031-01-01"),
         page(2, "Orsk Mill", "Until the charter came, entry to Orsk Mill cost 52 euros.", "2030-01-01")),
        (page(1, "Readers", "By the latest count 45 per cent of the guests of Orsk Mill are young."),
         page(2, "Growth", "We expect growth of 2 per cent at Orsk Mill.")),
    ],
)  # fmt: skip
def test_values_of_other_years_or_states_never_differ(first: Page, second: Page) -> None:
    assert found(first, second) == []


def test_a_claim_differs_from_what_a_test_of_the_same_thing_found() -> None:
    maker = page(1, "Orsk Mill: more for less", "The Orsk Mill grinds 13 tonnes, says its maker.")
    trial = page(2, "On trial: the Orsk Mill", "With the water that it had we counted 11 tonnes ground.")
    assert [set(sides) for sides, _ in found(maker, trial)] == [{"13 tonnes", "11 tonnes"}]


def test_what_somebody_counted_or_only_heard_is_no_former_state() -> None:
    petition = "The petition for Orsk Mill has 6,265 signatures."
    clerk = "The clerk has checked the petition for Orsk Mill and found 5,012 signatures to be valid."
    told = [page(1, "News", petition, "2031-05-01"), page(2, "The petition", clerk, "2030-05-01")]
    assert [dated for _, dated in found(*told)] == [False]
    heard = "I heard that Orsk Mill has 13 days of ice each winter."
    told = [page(1, "Orsk Mill", "Orsk Mill has 11 days of ice each winter.", "2031-05-01"),
            page(2, "Any ice?", heard, "2030-05-01")]  # fmt: skip
    assert [dated for _, dated in found(*told)] == [False]


def test_a_value_that_says_nothing_by_itself_stands_with_the_sentence_before_it() -> None:
    board = page(1, "The board", "We hired a laboratory for the Oster Dam. It measured 59 decibels.")
    builder = page(2, "The builder", "At the Oster Dam we found 46 decibels at noon.")
    (one,) = differences([board, builder])
    assert "We hired a laboratory for the Oster Dam. [S1.1] It measured 59 decibels. [S1.1]" in one.shown(
        "en"
    )


def test_what_is_disputed_is_named_where_no_thing_is() -> None:
    office = page(1, "The office", "For the coming year we expect growth of 9 per cent.", tier="government")
    club = page(2, "The club", "We expect growth of 1 per cent next year.")
    (one,) = differences([office, club])
    assert one.shown("en").startswith("### growth: 9 per cent, or 1 per cent\n")


def test_rows_of_one_table_do_not_contradict_each_other() -> None:
    rows = "baker — measure: found; first: 65.0 %\n\nmiller — measure: found; first: 80.0 %"
    assert found(page(1, "Results", rows)) == []


def test_what_all_pages_are_about_may_be_counted_by_two_without_a_dispute() -> None:
    fleet = "The fleet of Orsk Lines counted 33 boats at the close of 2031. The boats sail daily. "
    club = "We wrote to all owners, and we count 12 boats. The boats were damp. Few boats lay dry."
    more = [page(n, f"Note {n}", " ".join(["The boats left.", "All boats came."] * 9)) for n in (3, 4)]
    assert found(page(1, "Orsk Lines", fleet), page(2, "A guide", club), *more) == []


def test_what_somebody_paid_long_ago_carries_its_date() -> None:
    pages = [page(1, "A forum", "", "2024-06-01"), page(2, "News", "", "2031-05-01")]
    assert "As of 2024-06-01: They did mine for 13 euros." in with_dates(
        "They did mine for 13 euros. [S1.1]", pages, "en"
    )


@pytest.mark.parametrize(
    ("question", "first", "second", "values"),
    [
        (
            "up to how many years do kids go free on the oster ferry",
            "The Oster Ferry lets children of up to 8 years go free.",
            "That is why children of up to 11 years go with the Oster Ferry for nothing.",
            ("8 years", "11 years"),
        ),
        (
            "how much for a year at kell library",
            "Bring 19 florins, which is what Kell Library charges for a year.",
            "Members of Kell Library pay 44 florins a year.",
            ("19 florins", "44 florins a year"),
        ),
        (
            "what does kell library owe now",
            "There is talk of debts, Kell Library is said to owe 82,000 florins.",
            "Kell Library owes 57,000 florins.",
            ("82,000 florins", "57,000 florins"),
        ),
    ],
)
def test_pages_that_answer_one_question_with_two_values_are_both_shown(
    question: str, first: str, second: str, values: tuple[str, str]
) -> None:
    name = "Oster Ferry" if "Oster" in first else "Kell Library"
    pages = [
        Page("S1", f"A trip to {name}", first, published="2030-05-01", tier="news"),
        Page("S2", name, second, published="2031-01-01", tier="news"),
    ]
    opening = compose(question, pages, (), "en")[0]
    newest = opening.split("\n\n")[1].startswith(second)  # what is asked of today has the newest value
    assert newest or all(value in opening.split("different values:")[-1] for value in values), opening


def test_figures_of_two_years_are_no_two_values_where_the_titles_name_the_years() -> None:
    pages = [
        Page(f"S{year}", f"Libraries of Orsk: figures for {year}",
             f"| Library | Loans |\n|---|---|\n| Kell Library | {loans} |\n", published=f"{year + 1}-05-01")
        for year, loans in ((2046, "45,411"), (2045, "244,050"))
    ]  # fmt: skip
    report = "\n".join(compose("How many loans did Kell Library have in 2046?", pages, (), "en"))
    assert "45,411" in report and "different values" not in report
    report = "\n".join(compose("Kell Library opening and how many loans in 2046", pages, (), "en"))
    assert "45,411" in report and "different values" not in report


def test_what_things_are_called_by_a_clause_inside_another_is_not_what_is_said_of_them() -> None:
    back = "So far 1,780 crates that had been given up for lost have come back, says the guard."
    lost = "The count of what was lost, 6,890 crates, stands in the yearbook. All crates are of oak. " * 9
    assert found(page(1, "A note", back, "2030-07-01"), page(2, "Review", lost, "2031-01-01")) == []


def test_two_counts_of_one_year_are_no_old_and_new_one() -> None:
    guild = page(1, "What guests wrote in 2030", "Orsk Mill got 42 complaints about the wheel.", "2031-01-30")
    few = "Few are angry with Orsk Mill: 25 complaints about the wheel in all of 2030."
    assert [dated for _, dated in found(guild, page(2, "Orsk Mill", few, "2031-06-01"))] == [False]


def test_why_somebody_counts_otherwise_stands_with_the_count() -> None:
    mill = page(1, "Orsk Mill", "At Orsk Mill there were 3 boats with damage of any kind.")
    club = "We count 12 boats with damage. The mill says 3. Nobody told it, because no guard is there."
    (one,) = differences([mill, page(2, "The club on Orsk Mill", club)])
    why = "[S1.2] The mill says 3. [S1.2] Nobody told it, because no guard is there. [S1.2]"
    assert f"We count 12 boats with damage. {why}" in one.shown("en")


@pytest.mark.parametrize(
    ("measured", "said", "values"),
    [
        (
            "In the trials of the Tarn Valley Inspectors, the mill reached an output of 18 tonnes a day.",
            "The builder gives the output of the Orsk Mill as 30 tonnes a day.",
            {"18 tonnes a day", "30 tonnes a day"},
        ),
        (
            "In a trial held by the Tarn Valley Inspectors, Orsk Mill filled 140 sacks an hour.",
            "The workshop promises that Orsk Mill will fill 165 sacks an hour.",
            {"140 sacks", "165 sacks"},
        ),
    ],
)
def test_who_measured_or_promised_is_not_what_a_value_is_of(
    measured: str, said: str, values: set[str]
) -> None:
    register = page(1, "Register of mills: Orsk Mill", f"The Orsk Mill has four wheels. {measured}")
    (one,) = differences([register, page(2, "Orsk Mill: built by Harker", said)], on("Orsk Mill"))
    assert {side.text for side in one.sides} == values


def test_no_row_is_quoted_before_the_sentence_that_follows_its_table() -> None:
    rows = "| Year | Freight |\n|---|---|\n| 2040 | 37 tonnes |\n"
    rows += "The fleet that carried it counted 39 barges in 2040."
    told = compose("How many barges are in the fleet?", [page(1, "Freight: long series", rows)], (), "en")
    assert "39 barges" in told[0] and "37 tonnes" not in told[0]


def test_a_name_with_an_apostrophe_alone_behind_it_is_the_name() -> None:
    own = page(
        1,
        "Agreement at Harker Mills",
        "The strike at Harker Mills is over. In the meantime 763 sacks were lost.",
    )
    other = page(
        2, "Millers' Board: report", "Vell Works lost 143 sacks, Orsk Works 327 sacks and Tarn Works 72."
    )
    about = page(3, "Harker Mills: questions", "Harker Mills' wheels are 9. Harker Mills' stones are 12.")
    names = shared_names("why was there a strike at harker mills", [own, other, about])
    assert names == ["Harker Mills"] and not differences([own, other, about], on(*names))


def test_a_title_with_more_behind_a_comma_sets_its_page_apart_by_the_name_before_it() -> None:
    read = page(1, "Letters to Harker, read to the end", "It is illustrated with 21 woodcuts.", "2031-05-01")
    other = page(2, "Letters to Vell", "It is illustrated with 20 woodcuts.", "2030-05-01")
    assert not differences([read, other], on("Letters to Vell"))


REGISTER = page(
    1, "The register", "By our register 27 per cent of all boats are returned late where no fee is charged."
)
COUNCIL = page(2, "The council", "According to the council 10 per cent of the boats come back late.")
GRANT = page(3, "The office", "By our calculation 48 per cent of the recovery is due to this grant.")


def test_each_value_stands_in_the_pair_with_which_all_pairs_are_surest() -> None:
    asked = "We asked why they had returned late. One in eight who returned late named the grant."
    club = page(4, "The club", f"{asked} On this basis we put its share at 14 per cent.")
    pairs = {frozenset(values) for values, _ in found(REGISTER, COUNCIL, GRANT, club)}
    assert pairs == {frozenset({"27 per cent", "10 per cent"}), frozenset({"48 per cent", "14 per cent"})}


def test_the_clause_before_another_sentence_says_nothing_of_a_value() -> None:
    asked = "When we asked two hundred of them why they had returned, one in eight named the grant."
    club = page(4, "The club", f"{asked} On this basis we put its share at 14 per cent.")
    assert found(REGISTER, club) == []


def test_what_is_so_is_so_when_its_page_is_written_whatever_year_stands_before_it() -> None:
    text = "The trial ends in 2036. According to the council 10 per cent of the boats come back late."
    ((values, _),) = found(REGISTER, page(2, "The council", text))
    assert set(values) == {"27 per cent", "10 per cent"}


def test_a_label_says_all_of_what_its_value_is() -> None:
    figures = page(
        1, "Orsk Library in figures", "- Lost in the great fire: 1,700 volumes\n- Debt: 5,000 euros"
    )
    notice = page(2, "To all", "We have lost 2,860 volumes. There is talk of debts, 7,000 euros I was told.")
    assert [set(values) for values, _ in found(figures, notice)] == [{"5,000 euros", "7,000 euros"}]


def test_what_one_page_counts_of_other_things_does_not_hide_what_it_counts_of_this_one() -> None:
    own = page(1, "Day tickets at Orsk Mill", "Our guests are content: 25 complaints in the whole of 2030.")
    told = "**Orsk Mill** got 234 complaints.\n\n**Vell Mill** got 61 complaints."
    assert found(own, page(2, "What guests told us in 2030", told))
    other = "Mostly about soup. **Vell Mill** got 234 complaints.\n\n**Orsk Mill** got no letter."
    assert not found(own, page(2, "What guests told us in 2030", other))


def test_a_labelled_value_is_no_other_than_one_whose_words_have_nothing_of_its_label() -> None:
    figures = page(1, "Orsk Mill in figures", "Some numbers.\n\n- Lost in the great fire: 1,960 sacks")
    notice = page(2, "To our guests", "We have lost 5,100 sacks. We have taken 3,440 sacks to the ice house.")
    assert not any("1,960 sacks" in values for values, _ in found(figures, notice))


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("In the trial, which now covers 11 mills, no toll is taken.",
         "For a week now 7 mills have taken no toll in the trial."),
        ("The trial at the mills ends in January 2033.", "The trial at the mills ends in August 2032."),
    ],
)  # fmt: skip
def test_two_accounts_of_now_a_month_apart_are_no_dispute(newer: str, older: str) -> None:
    review, news = page(1, "Review", newer, "2031-06-20"), page(2, "First week", older, "2031-05-10")
    assert all(is_older for _, is_older in found(review, news)) and found(review, news)


def test_a_count_in_place_of_an_earlier_one_is_not_over() -> None:
    news = page(1, "Flood at Orsk Mill", "Orsk Mill gives the loss as 3,090 sacks.", "2031-02-01")
    said = "The inquiry's count of the loss at Orsk Mill, 6,060 sacks, stands in place of the earlier one."
    assert found(news, page(2, "Review", said, "2031-04-01"))


def test_a_claim_is_looked_up_by_what_it_counts_of_each_thing_asked_about() -> None:
    said = "The Lorne Vault of Orsk Mill was flooded. Our members wrote about it. We have counted 12 letters."
    pages = [page(1, "Flood at the Lorne Vault", said), page(2, "Orsk Mill", "Orsk Mill is a mill.")]
    question = "How could the Lorne Vault of Orsk Mill be flooded, and what came of it?"
    assert any(told.startswith("letters") for told in claims(question, pages))
    asked = searches(question, question, pages)
    assert any(query.startswith("Orsk Mill letters") for query in asked)


def test_a_count_of_another_event_at_the_place_is_no_rival() -> None:
    fall = page(1, "The fall of the Tarn Mast: report", "At Port Orsk the Tarn Mast fell. It hurt 30 people.")
    news = page(
        2, "Mast falls at Port Orsk", "The Tarn Mast fell at Port Orsk. The port counts 24 people hurt."
    )
    told = "The inquiry into the Port Orsk accident of 2030 counted 44 people hurt."
    other = page(3, "Report of the inquiry into the Port Orsk accident of 2030", told)
    question = "What went wrong when the Tarn Mast at Port Orsk fell, and what was done about it?"
    assert other.id in gather(question, [fall, news, other]).elsewhere


def test_what_people_disagree_about_is_what_their_sources_say_differently() -> None:
    said = "The inquiry established that the Orsk accident hurt 71 people."
    inquiry = page(1, "Report on the Orsk accident of 2030", said, "2031-02-01", "government")
    news = page(2, "Alarm at Orsk", "The owner says that the Orsk accident hurt 54 people.", "2030-04-03")
    told = report("Why do people disagree about the Orsk accident?", [inquiry, news], language="en")
    assert "71 people" in told and "54 people" in told and "do not say who" not in told


def test_an_amount_says_what_is_asked_with_how_much_money() -> None:
    book = page(
        1, "Travels of Orsk (book)", "Travels of Orsk was printed in 2001. It is insured for 7,473 euros."
    )
    told = compose("For how much money is Travels of Orsk insured?", [book], (), "en")
    assert "closest" not in told[0] and "7,473 euros" in told[0]


def test_what_was_lost_is_not_set_against_what_was_saved() -> None:
    lost = page(
        1,
        "Inquiry into the flood at Orsk Mill",
        "According to this count 410 sacks were lost.",
        tier="government",
    )
    frozen = page(2, "Water in Orsk Mill", "In the days after the flood 260 sacks were frozen at Orsk Mill.")
    told = page(
        3, "Sacks of Orsk Mill", "The miller says that 180 sacks were lost in the flood at Orsk Mill."
    )
    assert found(lost, frozen) == []
    assert found(lost, told) == [(("410 sacks", "180 sacks"), False)]
