"""What a page says of one value is not to be said of another; in another form it is the same."""

from __future__ import annotations

import pytest

from deep_research.components.verifier.claims import SourceText, check_claim

BRIDGE = SourceText(
    "The 802-metre-long bridge has a 139-metre-high pylon. Ferries returned in 2008, after the quay had been "
    "closed in 1999. Admission is £8.50 for adults and £4 for children under 14. In the test the car managed "
    "301 km; its official range is 412 km. The count lost about 300 men, the rebels some 1,100. The crew "
    "wants a rise of 9 per cent; the operator, Gull Lines, has offered 4.5 per cent.",
    "Gull Bridge",
)
TRIAL = SourceText(
    "An event occurred in 569 of 8803 patients (6.5%) in the tablet group and in 701 of 8801 patients (8.0%) "
    "in the placebo group (hazard ratio, 0.80; 95% CI, 0.72 to 0.90).",
    "The trial",
)
FIRM = SourceText(
    "| Key figures | 2022 | 2023 |\n|---|---|---|\n| Revenue (NOK million) | 412 | 487 |\n"
    "| Operating profit (NOK million) | 31 | 28 |\n| Employees | 1,204 | 1,318 |\n\n"
    "Revenue grew by 18 per cent. The newest plant opened in 2014, the oldest in 1999.",
    "Heron Works",
)
REPORT = SourceText(
    "| 指标 | 2022年 | 2023年 |\n|---|---|---|\n| 营业收入（亿元） | 38.6 | 45.2 |\n"
    "| 员工人数 | 5200 | 5640 |",
    "海光公司",
)
MOE = SourceText(
    "Ada Moe was a chemist. She was born in Port Gull in 1931 and grew up in Port Heron. She studied in "
    "Oslo. Her uncle was executed in August 1642.",
    "Ada Moe",
)
TUNNEL = SourceText(
    "青函トンネルは鉄道トンネルである。全長は53.85キロメートルである。1988年3月13日に開業した。",
    "青函",
)


@pytest.mark.parametrize(
    ("claim", "page", "reason"),
    [
        ("The bridge is 139 metres long.", BRIDGE, "number"),
        ("The pylon is 802 metres high.", BRIDGE, "number"),
        ("Ferries returned in 1999.", BRIDGE, "date"),
        ("Adults pay £4 and children £8.50.", BRIDGE, "number"),
        ("The official range is 301 km.", BRIDGE, "number"),
        ("Gull Lines has offered 9 per cent.", BRIDGE, "number"),
        ("An event occurred in 8.0% of the tablet group, compared with 6.5% on placebo.", TRIAL, "number"),
        ("The hazard ratio was 0.72.", TRIAL, "number"),
        ("Revenue was 412 million kroner in 2023.", FIRM, "number"),
        ("Heron Works had 1,318 employees in 2022.", FIRM, "number"),
        ("Revenue grew by 28 per cent.", FIRM, "number"),
        (
            "The railway was closed in 1884.",
            SourceText("The railway opened in 1884 and closed in 1962."),
            "date",
        ),
        ("They won 16 silver medals.", SourceText("They won 16 gold medals and 12 silver medals."), "number"),
        ("2023年营业收入为38.6亿元。", REPORT, "number"),
        (
            "2023年收入为35亿元。",
            SourceText("2021年收入为30亿元，2022年为35亿元，2023年为42亿元。"),
            "number",
        ),
    ],
)
def test_what_is_said_of_one_value_is_not_said_of_another(claim: str, page: SourceText, reason: str) -> None:
    assert reason in check_claim(claim, [page]).reasons


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        ("The bridge is about 800 m long, and its pylon rises 139 metres.", BRIDGE),
        ("Children pay £4 and adults £8.50.", BRIDGE),
        ("The ferries came back in 2008, nine years after the quay was closed.", BRIDGE),
        ("The rebels lost 1,100 men, the count about 300.", BRIDGE),
        ("The hazard ratio was 0.80.", TRIAL),
        ("In the placebo group, 8.0% had an event, in the tablet group 6.5%.", TRIAL),
        ("In 2023 revenue was 487 million kroner, up from 412 million kroner in 2022.", FIRM),
        ("Operating profit fell from 31 to 28 million.", FIRM),
        ("Heron Works had 1,318 employees in 2023.", FIRM),
        ("Employees: 114 more in 2023 than in 2022.", FIRM),
        ("2023年营业收入为45.2亿元。", REPORT),
        ("Ada Moe grew up in Port Heron.", MOE),
        ("Her uncle was executed in August of 1642.", MOE),
        ("トンネルの全長は約54キロである。", TUNNEL),
        ("トンネルは1988年3月に開業した。", TUNNEL),
    ],
)
def test_what_a_page_says_in_another_order_or_form_is_no_other_value(claim: str, page: SourceText) -> None:
    assert not {"number", "date", "name"} & {*check_claim(claim, [page]).reasons}


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        ("The dose is at most 1.2 g a day.", "The dose is at most 1,200 mg a day."),
        ("Keep the tablets below 77 °F.", "Keep the tablets below 25 °C."),
        ("The stadium holds just under 30,000 people.", "The stadium holds 29,546 people."),
        ("The stadium holds slightly more than 29,000 people.", "The stadium holds 29,546 people."),
        ("The battery stores 0.058 MWh.", "The battery stores 58 kWh."),
        ("The light is seen for 22 nautical miles.", "The light is seen for 22 nmi."),
        ("Both 55- and 65-year-old people were asked.", "People of 55 years and of 65 years were asked."),
    ],
)
def test_a_value_in_another_unit_or_rounded_is_the_same(claim: str, page: str) -> None:
    assert "number" not in check_claim(claim, [SourceText(page)]).reasons


@pytest.mark.parametrize(
    "claim",
    ["Keep the tablets below 95 °F.", "The dose is at most 1.2 mg a day.", "The battery stores 58 MWh."],
)
def test_a_value_in_another_unit_is_another_if_it_is(claim: str) -> None:
    page = "Keep the tablets below 25 °C. The dose is at most 1,200 mg a day. The battery stores 58 kWh."
    assert "number" in check_claim(claim, [SourceText(page)]).reasons


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        (
            "The Gull Lending Boat has been afloat since 1991.",
            "Launched: 1991\n\nNothing on the Gull Lending Boat is lent as often as Emma.",
        ),
        (
            "Children get a menu of their own.",
            "Children fly for nothing, and there is a children's menu.",
        ),
        (
            "From 2037 until 2042 the managing director of Heron Works was Bo Lind.",
            "From 2037 to 2042, Heron Works was run by Bo Lind. Ada Moe became managing director in 2042.",
        ),
        (
            "It was founded after the fall of the Gull Mast at Port Alva.",
            "It was founded after the Gull Mast fell, the tallest structure of Port Alva.",
        ),
    ],
)
def test_other_words_for_the_same_are_no_objection(claim: str, page: str) -> None:
    assert check_claim(claim, [SourceText(page, "Notes")]).reasons == ()


def test_somebody_behind_a_name_may_be_that_and_a_number_is_no_subject() -> None:
    text = (
        "The coaches set Hale beside Moe. The three grew close, and staff thought the Moes a good influence."
    )
    claim = "He grew close with both, and staff considered the Moes a good influence on Hale."
    assert check_claim(claim, [SourceText(text, "Hale")]).reasons == ()


PAGES = SourceText(
    "Do not give the syrup to children under 12. The whale is the largest animal known. It is the fourth "
    "most powerful quake in the world. Males live in herds. Females are noticeably smaller, at 70 cm.",
    "Notes",
)


@pytest.mark.parametrize(
    ("claim", "is_right"),
    [
        ("The syrup must not be given to children under 12.", True),
        ("The syrup can be given to children under 12.", False),
        ("The whale is the second largest animal known.", False),
        ("It is the fourth most powerful quake in the world.", True),
        ("Females are smaller than males.", True),
        ("Males are smaller than females.", False),
        ("It is the most powerful quake in the world.", False),
    ],
)
def test_denials_ranks_and_names_are_read_as_people_write_them(claim: str, is_right: bool) -> None:
    assert (check_claim(claim, [PAGES]).verdict == "evidence_found") is is_right


def test_the_name_of_a_page_tells_none_of_its_values_apart_and_a_word_denies_nothing_of_itself() -> None:
    page = SourceText(
        "- Founded: 1997\n\nSince 2042 the director of Gull Air has been Bo Lind. There is free porridge.",
        "About Gull Air",
    )
    assert "date" not in check_claim("The charter of Gull Air was signed in 1997.", [page]).reasons
    assert check_claim("With Gull Air there is not free porridge for all.", [page]).reasons


SERIES = SourceText(
    "Turnover rose from NOK 1.1 billion in 2021 to NOK 1.4 billion in 2022. Unemployment was 5.1% in 2021, "
    "4.8% in 2022 and 6.0% in 2023. The population grew from 12,000 in 1990 to 18,500 in 2020. The fleet was "
    "cut from 48 ships to 31. In 2019, 4,200 visitors came; in 2023 there were 6,900. It was 24 °C at noon; "
    "the temperature fell from 23 °C at four to 9 °C at midnight.",
    "Gull Islands",
)


@pytest.mark.parametrize(
    ("claim", "is_right"),
    [
        ("Turnover rose to NOK 1.4 billion in 2022.", True),
        ("Unemployment stood at 6.0% in 2023.", True),
        ("In 2023, unemployment rose from 4.8% to 6.0%.", True),
        ("The population grew to 18,500 by 2020.", True),
        ("The fleet was cut to 31 ships.", True),
        ("The islands had 6,900 visitors in 2023.", True),
        ("The temperature fell to 9 °C.", True),
        ("Unemployment was 4.8% in 2023.", False),
        ("The population was 12,000 in 2020.", False),
        ("There were 4,200 visitors in 2023.", False),
    ],
)
def test_a_value_of_a_series_shares_what_is_said_of_the_first(claim: str, is_right: bool) -> None:
    assert {"number", "date"}.isdisjoint(check_claim(claim, [SERIES]).reasons) is is_right


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        ("人口增加到18,500人。", "人口从12,000人增加到18,500人。"),
        ("2023年收入为42亿元。", "2021年收入为30亿元，2022年为35亿元，2023年为42亿元。"),
        ("2022年の売上高は35億円だった。", "売上高は2021年に30億円、2022年に35億円、2023年に42億円だった。"),
        ("2023年收入从35亿元增加到42亿元。", "2021年收入为30亿元，2022年为35亿元，2023年为42亿元。"),
        ("2023年の売上高は35億円から42億円に増えた。", "売上高は2022年に35億円、2023年に42億円だった。"),
        ("人口は18,500人に増加した。", "人口は12,000人から18,500人に増加した。"),
        ("The lake's greatest depth is 88 metres.", "The lake is 14 km long, up to 3 km wide and 88 m deep."),
        ("The railway operated until 1962.", "The railway opened in 1884 and closed in 1962."),
        ("Tickets for pensioners cost €8.", "Tickets cost €12; children and pensioners pay €8."),
        (
            "The band has performed in Japan.",
            "The band, founded in Oslo, toured in Japan and recorded in Rome.",
        ),
        (
            "The appeal was rejected by the Court of Hale.",
            "The appeal by Moe's brother was rejected by the Court of Hale.",
        ),
    ],
)
def test_what_a_sentence_opens_with_may_be_said_of_all_its_values(claim: str, page: str) -> None:
    assert {"number", "date", "name"}.isdisjoint(check_claim(claim, [SourceText(page)]).reasons)


@pytest.mark.parametrize(
    ("claim", "page", "is_right"),
    [
        ("It was -40 °F that night.", "It was -40 °C that night.", True),
        ("It was -40 °F that night.", "It was 4.4 °C that night.", False),
        ("It was 14 °F that night.", "It was -10 °C that night.", True),
        ("The water warmed by 9 °F.", "The water warmed by 5 °C.", True),
        ("The water warmed by 9 °F.", "The water warmed by 13 °C.", False),
        ("The sea is 9 °F warmer than the lake.", "The sea is 5 °C warmer than the lake.", True),
    ],
)
def test_degrees_have_their_sign_before_they_are_converted(claim: str, page: str, is_right: bool) -> None:
    assert ("number" not in check_claim(claim, [SourceText(page)]).reasons) is is_right


MAYORS = "| Town | Mayor |\n|---|---|\n| Port Gull | Ann Lee |\n| Ormsund | Bo Lind |\n"
TOWNS = "| Town | Mayor | Ships |\n|---|---|---|\n| Port Gull | Ann Lee | 41 |\n| Ormsund | Bo Lind | 9 |\n"


@pytest.mark.parametrize(
    ("claim", "is_right"),
    [
        ("The mayor of Port Gull is Ann Lee.", True),
        ("Bo Lind is the mayor of Ormsund.", True),
        ("The mayor of Port Gull is Bo Lind.", False),
        ("Ann Lee is the mayor of Ormsund.", False),
    ],
)
def test_a_name_is_given_to_the_row_that_has_it(claim: str, is_right: bool) -> None:
    for table in (MAYORS, TOWNS):
        assert (check_claim(claim, [SourceText(table, "The coast")]).verdict == "evidence_found") is is_right
