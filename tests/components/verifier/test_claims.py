"""Row v10: every cited sentence is checked against the text that it cites."""

from time import process_time

import pytest

from deep_research.components.verifier.claims import ClaimCheck, SourceText, check_claim, weighing
from deep_research.components.verifier.claims.found import gather
from deep_research.text.cited_sentences import cited_sentences, sentence_spans
from deep_research.text.data import read_data
from deep_research.text.quantities import differences_in_points, is_stated, quantities

HARBOUR = SourceText(
    "Port Alva is a harbour on the north coast. It opened in 1999.\n\n"
    "## Facilities\n\nAt Port Alva, 24 mooring masts are in service. The longest pier measures 1.2 km.\n\n"
    "In 2041 the Orlen Line bought the Marsh Yard for 1.2 million crowns. "
    "The port is open to private ships.\n\n"
    "| Year | Landings |\n| --- | --- |\n| 2046 | 9,327 |\n| 2047 | 8,372 |\n",
    title="Port Alva",
    published="2048-03-01",
)


def check(claim: str, *sources: SourceText | str) -> ClaimCheck:
    return check_claim(claim, sources or [HARBOUR])


@pytest.mark.parametrize(
    "claim",
    [
        "Port Alva has 24 mooring masts.",
        "There are twenty-four mooring masts in service at Port Alva.",
        "The longest pier of Port Alva measures 1,200 metres.",
        "The Marsh Yard was bought by the Orlen Line for 1,200,000 crowns in 2041.",
        "Port Alva counted 9,327 landings in 2046.",
        "The harbour of Port Alva opened in 1999.",
    ],
)
def test_v10_same_values_in_other_words_and_units_are_evidence(claim: str) -> None:
    assert check(claim).verdict == "evidence_found"


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("Port Alva has 42 mooring masts.", "number"),
        ("The longest pier of Port Alva measures 1.2 m.", "number"),
        ("The harbour of Port Alva opened in 1989.", "date"),
        ("The port is not open to private ships.", "negation"),
        ("The shortest pier of Port Alva measures 1.2 km.", "comparison"),
        ("In 2041 the Marsh Yard bought the Orlen Line for 1.2 million crowns.", "name"),
        ("Port Zemlin has 24 mooring masts.", "name"),
        ("Reindeer milk ripens for two winters before it is sold.", "not_found"),
    ],
)
def test_v10_what_the_source_does_not_say_is_flagged_with_its_reason(claim: str, reason: str) -> None:
    found = check(claim)
    assert found.verdict == "flagged" and reason in found.reasons


TEST_DAY = SourceText(
    "| Item | Value |\n| --- | --- |\n| Born | 2011 |\n\nForm 75. No shouting.\n\nHe was born in 2011. "
    "On the scales Rhodan Ulgorve shows 61 kilograms, and he stops for guests.\n\n"
    "| Abbey | Wheels |\n| --- | --- |\n| Marsh Abbey | 48,312 |\n",
    title="Rhodan Ulgorve",
)


@pytest.mark.parametrize(
    ("right", "wrong", "reason"),
    [
        ("Form 75", "Form 61", "number"),
        ("He was born in 2011.", "Tovdre: He was born in 2011.", "name"),
        (
            "Rhodan Ulgorve — Marsh Abbey: Wheels 48,312",
            "Rhodan Ulgorve — Dolto Priory: Wheels 48,312",
            "name",
        ),
        (
            "Rhodan Ulgorve shows his weight on the scales.",
            "Everybody who stops at Rhodan Ulgorve eats fried trout with onions.",
            "not_found",
        ),
    ],
    ids=["same words, another number", "a row beside the sentence", "a label", "only the name"],
)
def test_v10_what_short_claims_change(right: str, wrong: str, reason: str) -> None:
    assert check(right, TEST_DAY).verdict == "evidence_found"
    assert reason in check(wrong, TEST_DAY).reasons


@pytest.mark.parametrize(
    ("text", "same", "other"),
    [
        ("118 kilometres per hour", "118 km/h", "118 km"),
        ("118 kilometers an hour", "时速118公里", "118 kilometres per day"),
        ("時速118キロメートル", "每小时118公里", "118キロメートル"),
        ("5 m/s", "秒速5メートル", "5 m"),
        ("四十一メートル", "41 m", "四十メートル"),
        ("三百二十万", "3,200,000", "三百二十"),
        ("二〇四一年三月十二日", "2041-03-12", "二〇四一年三月十一日"),
        ("30兆瓦", "30 MW", "30瓦"),
        ("−5 °C", "minus five degrees", "5 °C"),
        ("零下5度", "5 degrees below zero", "5度"),
        ("零下约5度", "-5度", "约5度"),
        ("気温は-5度", "氷点下約5度", "気温は5度"),
        ("摄氏5度", "5 °C", "华氏5度"),
        ("華氏41度", "41 °F", "41℃"),
        ("摂氏氷点下5度", "零下摄氏5度", "摂氏5度"),
        ("マイナス5度", "氷点下5℃", "5度"),
        ("fell by 5%", "-5 %", "5 kg"),
        ("rose by 5%", "5 per cent", "−5 %"),
        ("US$5 million", "5 million dollars", "€5 million"),
        ("¥5 million", "500万元", "$5 million"),
        ("5亿元", "人民币5亿元", "5亿日元"),
        ("5億円", "500 million yen", "5億ウォン"),
        ("EUR 5 bn", "5 billion euros", "CHF 5 bn"),
        ("40 square kilometres", "4,000 hectares", "40 square miles"),
        ("40平方公里", "40 km²", "40平方英里"),
        ("40 cubic metres", "40,000 litres", "40 m²"),
        ("4.8億ユーロ", "4億8000万ユーロ", "4億ユーロ"),
        ("1万2000人", "12,000", "10,000"),
        ("more than 20,000", "21,340", "19,000"),
        ("about 1,200 m", "1,210 metres", "1,270 metres"),
        ("近500亿元", "480亿元", "510亿元"),
        ("6 percentage points", "上升6个百分点", "6 percent"),
        ("12½ metres", "12.5 m", "121 m"),
        ("two dozen", "24", "2"),
        ("300000克朗", "300,000 crowns", "30,000 crowns"),
    ],
)
def test_v10_one_value_in_many_notations(text: str, same: str, other: str) -> None:
    (value,) = quantities(text)
    assert is_stated(value, quantities(same)) and not is_stated(value, quantities(other))


def test_a_range_shares_its_unit_and_two_shares_have_a_difference_in_points() -> None:
    first, second = quantities("from 1.9 to 3.8 million euros")
    assert is_stated(first, quantities("€1.9 million")) and is_stated(second, quantities("€3.8 million"))
    (points,) = quantities("6 percentage points")
    assert is_stated(points, differences_in_points(quantities("from 18 percent to 24 percent")))


@pytest.mark.parametrize("text", ["九州と四川の一部", "千万不要", "唯一の三菱", "数百人", "一个"])
def test_v10_characters_of_a_word_are_no_number(text: str) -> None:
    assert quantities(text) == ()


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("桥的长度为5米-10米。", "桥的长度为5米至10米。"),
        ("门票为100元-200元。", "门票为100元至200元。"),
        ("橋の長さは5メートル-10メートル。", "橋の長さは5メートルから10メートル。"),
        ("歼-20是一种战斗机。", "歼20是一种战斗机。"),
        ("神舟-12号于六月发射。", "神舟12号于六月发射。"),
    ],
)
def test_v10_a_hyphen_in_a_range_or_a_model_is_no_minus(claim: str, source: str) -> None:
    assert check(claim, source).reasons == () == check(source, claim).reasons


@pytest.mark.parametrize(
    ("one", "same", "other"),
    [
        ("HK$5 million", "5 million Hong Kong dollars", "US$5 million"),
        ("USD 5 million", "US$5 million", "EUR 5 million"),
        ("EUR 5", "5 euros", "CHF 5"),
        ("CHF 5", "5 Swiss francs", "5 Hong Kong dollars"),
        ("5 °C", "5 degrees Celsius", "5 degrees Fahrenheit"),
    ],
)
def test_v10_the_words_of_an_amount_are_no_names(one: str, same: str, other: str) -> None:
    said, differs = f"The record of the harbour is {one}.", f"The record of the harbour is {other}."
    assert check(said, said.replace(one, same)).reasons == ()
    assert check(said.replace(one, same), said).reasons == ()
    assert check(said, differs).reasons == check(differs, said).reasons == ("number",)


def test_v10_a_number_word_that_opens_a_sentence_is_no_name() -> None:
    source = "In all, 24 mooring masts are in service at Port Alva."
    assert check("Twenty-four mooring masts are in service at Port Alva.", source).reasons == ()
    assert check("Forty-four mooring masts are in service at Port Alva.", source).reasons == ("number",)


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (
            "Port Alva has 24 mooring masts, more than any other harbour.",
            "It has more than any other harbour.",
        ),
        ("Port Alva is the only harbour on the north coast.", "It is the sole harbour on the north coast."),
        (
            "Port Alva was the first harbour on the north coast.",
            "It was the first harbour on the north coast.",
        ),
        ("Port Alva is the largest harbour on the north coast.", "No harbour on the north coast is bigger."),
    ],
)
def test_v10_a_superlative_that_the_source_does_not_say_is_flagged(claim: str, said: str) -> None:
    assert "comparison" in check(claim).reasons
    there = SourceText(
        f"Port Alva is a harbour on the north coast with 24 mooring masts. {said}", "Port Alva"
    )
    assert "comparison" not in check(claim, there).reasons


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("阿尔瓦港是北岸最大的港口。", "阿尔瓦港是北岸的一座港口，于1999年启用。"),
        ("アルバ港は北岸で最大の港である。", "アルバ港は北岸の港である。1999年に開港した。"),
    ],
)
def test_v10_superlatives_in_chinese_and_japanese(claim: str, source: str) -> None:
    assert "comparison" in check(claim, source).reasons


@pytest.mark.parametrize(
    ("claim", "agreeing", "silent", "opposed"),
    [
        (
            "The new bridge reduced traffic in the old town.",
            "After the new bridge was opened, traffic in the old town decreased.",
            "The new bridge was opened for traffic to the old town.",
            "After the new bridge was opened, traffic in the old town increased.",
        ),
        (
            "The levy improved the upkeep of the park.",
            "Thanks to the levy the upkeep of the park has grown.",
            "The levy is for the upkeep of the park.",
            "With the levy the upkeep of the park did not improve.",
        ),
    ],
)
def test_v10_a_direction_counts_more_confirmed_than_unsaid_and_least_denied(
    claim: str, agreeing: str, silent: str, opposed: str
) -> None:
    found = [check(claim, f"A market is held on Mondays. {text}") for text in (agreeing, silent, opposed)]
    assert found[0].score > found[1].score > 2 * found[2].score
    assert [one.verdict for one in found] == ["evidence_found", "evidence_found", "flagged"]
    assert "comparison" in found[2].reasons


def test_v10_each_weight_is_of_something_that_is_measured() -> None:
    weights = read_data(weighing.__file__, "weights.toml")
    sentence, found = gather("The longest pier of Port Alva measures 1.2 km.", [HARBOUR])
    here = [one for one in found.values() if one]
    for name, measured in (
        ("found", weighing.measure_found(sentence, here)),
        ("agrees", weighing.measure_agreement(sentence, here)),
    ):
        assert {"always", *measured} == weights[name].keys()


def test_v10_a_number_in_a_name_is_compared_with_or_without_its_hyphen() -> None:
    assert check("The drug A-769 calms mice.", "Mice were calmed by the drug A769.").reasons == ()
    assert "number" in check("The drug A-768 calms mice.", "Mice were calmed by the drug A769.").reasons


def test_v10_the_quote_is_verbatim_and_stands_at_its_offsets() -> None:
    found = check("At Port Alva there are 24 mooring masts.")
    assert found.quote == "At Port Alva, 24 mooring masts are in service."
    assert found.source == 0 and HARBOUR.text[found.start : found.end] == found.quote


def test_v10_a_sentence_behind_the_title_of_its_page_is_evidence() -> None:
    page = SourceText(
        "Alva Hall closes at six. It covers 10 rooms.", "No fees: where to sit before examinations"
    )
    for said in ("Alva Hall closes at six.", "It covers 10 rooms."):
        assert check(f"{page.title}: {said}", page).verdict == "evidence_found"
    assert check(f"{page.title}: It covers 11 rooms.", page).verdict == "flagged"


def test_v10_several_sources_are_checked_each_and_together() -> None:
    two = SourceText("The Marsh Yard employs 753 workers.", "Marsh Yard")
    other = SourceText("The Orlen Yard employs 462 workers.", "Orlen Yard")
    found = check("The Marsh Yard employs 753 workers, the Orlen Yard 462 workers.", two, other)
    assert found.verdict == "evidence_found"
    assert [alone.verdict for alone in found.each] == ["flagged", "flagged"]
    assert check("The Marsh Yard employs 754 workers, the Orlen Yard 462.", two, other).verdict == "flagged"


@pytest.mark.parametrize("sources", [[], [""], ["该港于1999年启用。"]])
def test_v10_no_text_or_none_in_the_claims_script_is_uncheckable(sources: list[str]) -> None:
    assert check_claim("The port opened in 1999.", sources).verdict == "uncheckable"


@pytest.mark.parametrize(
    ("source", "right", "wrong", "reason"),
    [
        ("该港设有24座系留塔，于1999年启用。", "该港有24座系留塔。", "该港有42座系留塔。", "number"),
        ("阿尔瓦港是北岸的一座港口。", "阿尔瓦港是北岸的港口。", "阿尔瓦港不是北岸的港口。", "negation"),
        ("この港の開港は1999年である。", "港は1999年に開港した。", "港は1989年に開港した。", "date"),
        ("该港设有四十一座系留塔。", "该港有41座系留塔。", "该港有四十二座系留塔。", "number"),
        ("この港には三百二十の倉庫がある。", "港には320の倉庫がある。", "港には三百の倉庫がある。", "number"),
        (
            "列車の最高速度は時速118キロである。",
            "列車は時速118キロメートルで走る。",
            "列車は時速181キロで走る。",
            "number",
        ),
        ("この港には長い桟橋がある。", "港には桟橋がある。", "港には桟橋がない。", "negation"),
    ],
)
def test_v10_chinese_and_japanese_claims(source: str, right: str, wrong: str, reason: str) -> None:
    assert check(right, source).verdict == "evidence_found"
    found = check(wrong, source)
    assert found.verdict == "flagged" and reason in found.reasons


def test_v10_a_repeated_sentence_is_held_to_every_limit_in_it() -> None:
    source = (
        "From 2035 to 2043 the harbour master of Port Alva was Ida Wern. Before the refit it held 56 guests."
    )
    assert check("From 2035 to 2043 the harbour master of Port Alva was Ida Wern.", source).reasons == ()
    assert check("The harbour master of Port Alva was Ida Wern.", source).reasons == ("comparison",)


def test_v10_a_value_stands_no_more_often_in_a_claim_than_in_what_it_repeats() -> None:
    source = "From 2035 to 2043 the harbour master of Port Alva was Ida Wern."
    assert check(source.replace("2035", "2043"), source).reasons == ("date",)
    assert check(source, source).reasons == ()


LINE = SourceText(
    "The score of the Dawn Suite is signed by Ida Wern. "
    "Since 2041 the director of the line has been Tom Kray. "
    "It is based at Port Alva. Its oldest ship was built by the Marsh Yard.",
    title="Orlen Line",
)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Ida Wern wrote the Dawn Suite.", "The Dawn Suite wrote Ida Wern."),
        (
            "Tom Kray took over as director of the Orlen Line in 2041 and still runs it.",
            "The Orlen Line took over as director of Tom Kray in 2041 and still runs it.",
        ),
        (
            "The Marsh Yard built the oldest ship of the Orlen Line.",
            "The Orlen Line built a ship of the Marsh Yard.",
        ),
    ],
)
def test_v10_who_did_what_to_whom(right: str, wrong: str) -> None:
    assert "name" not in check(right, LINE).reasons
    assert "name" in check(wrong, LINE).reasons


WORKS = SourceText(
    "| Boat | Builder | Year |\n|---|---|---|\n| Grey Gull | Marsh Yard | 2031 |\n\n"
    "## Letters to Alva\n\nAuthor: Ida Wern\n\nThe designer of Dawn Tower is Tom Kray.",
    title="Works of the north coast",
)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Grey Gull was put together by Marsh Yard.", "Marsh Yard was put together by Grey Gull."),
        ("It was Ida Wern who wrote Letters to Alva.", "It was Letters to Alva who wrote Ida Wern."),
        ("Tom Kray drew Dawn Tower.", "Dawn Tower drew Tom Kray."),
    ],
)
def test_v10_who_did_it_is_told_by_a_label_or_the_head_of_a_column_too(right: str, wrong: str) -> None:
    assert "name" not in check(right, WORKS).reasons
    assert "name" in check(wrong, WORKS).reasons


def test_v10_each_value_belongs_to_its_name_over_all_sources() -> None:
    one = SourceText("| Length | 184 m |\n\nIts home is Port Alva.", "Dawn Star")
    two = SourceText("Register: the hull of the Evening Star is 161 metres long.", "Register of ships")
    assert check("Dawn Star is longer: 184 m, against 161 m for Evening Star.", one, two).reasons == ()
    found = check("Evening Star is longer: 184 m, against 161 m for Dawn Star.", one, two)
    assert found.reasons == ("name",)


def test_v10_each_labelled_cell_is_found() -> None:
    line = SourceText("| Item | Value |\n|---|---|\n| Flagship | Dawn Star |\n", "Orlen Line")
    assert check("Orlen Line — Flagship: Dawn Star", line).reasons == ()
    assert check("Dawn Star — Flagship: Orlen Line", line).reasons == ("name",)


def test_v10_a_repeated_sentence_with_another_name_in_it_is_flagged() -> None:
    source = SourceText("The Marsh Yard employs 753 workers. It stands at Port Alva.", "Marsh Yard")
    assert check("Port Alva employs 753 workers.", source).reasons == ("name",)


def test_v10_what_stands_under_the_name_is_said_of_it() -> None:
    text = "## Letters to Alva\n\nPages: 90\n\nInsured for: 3,643 crowns\n"
    source = SourceText(text, "Borrowed time: the great books of the Jirhobel Delta")
    assert check("Letters to Alva is insured for 3,643 crowns.", source).reasons == ()


def test_v10_a_list_of_links_states_nothing() -> None:
    text = (
        "The Ridge Mail ends at Salaul Refuge. It runs at night.\n\n"
        "## Sleds\n\nIt loads its heaviest mail on the Lady Nelwenwa, its main sled.\n\n"
        "## See also\n\n"
        "- [Salaul Refuge](https://a.example/Salaul_Refuge)\n"
        "- [Lady Nelwenwa (sled)](https://a.example/Lady_Nelwenwa_(sled))\n"
    )
    assert check("The Ridge Mail ends at Salaul Refuge.", text).verdict == "evidence_found"
    assert check("The Lady Nelwenwa ends at Salaul Refuge.", text).verdict == "flagged"


def test_v10_cited_sentences_in_prose_lists_and_tables() -> None:
    report = (
        "# Ports [9]\n\nFirst, see Dr. Wern's list.[1] Second (2.5 m) [2, 4-5]. "
        "Third goes\non [3], and on [1].\n"
        "No source here. 第一句。[1][2]第二句[3]。\n\n- an item [2]\n\n"
        "| Port | Masts |\n|---|---|\n| Alva | 24 [3] |\n\n`code[1]`\n\n[1] Title: https://a.example/b\n"
    )
    found = cited_sentences(report)
    assert [(claim.text, claim.numbers) for claim in found] == [
        ("First, see Dr. Wern's list.", [1]),
        ("Second (2.5 m).", [2, 4, 5]),
        ("Third goes on, and on.", [3, 1]),
        ("第一句。", [1, 2]),
        ("第二句。", [3]),
        ("an item", [2]),
        ("Alva; masts: 24", [3]),
    ]
    assert report[found[1].start : found[1].end] == "Second (2.5 m) [2, 4-5]."


@pytest.mark.parametrize(
    "sentence",
    [
        "彼は「雨だ。寒い。」と言った。",
        "「来月行きます。標高は？」を探しましたが、記述はありません。",
        "来源没有说明这一点，搜索过“一家船厂造的。创办人是谁”。",
    ],
)
def test_a_full_stop_in_quotation_marks_ends_no_sentence(sentence: str) -> None:
    text = f"前の文。{sentence}次の文。"
    assert [text[start:end] for start, end in sentence_spans(text)] == ["前の文。", sentence, "次の文。"]


def test_code_in_a_sentence_is_part_of_what_it_claims() -> None:
    told = "The `SOME_NAME` variable sets the timeout to `88` in `run(a[1])`. [1]"
    (claim,) = cited_sentences(told)
    assert claim.text == "The SOME_NAME variable sets the timeout to 88 in run(a[1])."
    assert claim.numbers == [1]
    source = told.removesuffix(" [1]")
    assert check_claim(claim.text, [source]).verdict == "evidence_found"
    assert check_claim(claim.text.replace("88", "99"), [source]).verdict == "flagged"


BRIDGE = SourceText(
    "The old bridge of Alva was closed to carts by the town council in the winter of 1911. "
    "Its stones came from a quarry near Orlen.\n\n"
    "A ferry carried the mail across the river while engineers from Kolo drew plans for a wider span. "
    "After the flood the gates of the lock were moved upstream.\n\n"
    "| Year | Carts | Toll |\n| --- | --- | --- |\n| 1908 | 4,120 | 6 crowns |\n",
    title="Bridges of Alva",
    published="1950-05-01",
)
BRIDGE_JA = SourceText("1911年の洪水で古い橋が流されたが、石の橋脚は川の中に残った。", title="アルヴァの橋")


@pytest.mark.parametrize(
    "claim",
    [
        "The old bridge of Alva was closed to carts by engineers from Kolo drew plans for a wider span.",
        "A ferry carried the mail across the town council in the winter of 1911.",
        "The old bridge of Alva was closed to carts by the gates of the lock were moved upstream.",
        "The old bridge of Alva was closed to carts by the.",
        "Bridge of Alva was closed to carts by the town council.",
    ],
)
def test_v18_a_sentence_that_no_page_has_is_no_evidence_though_all_its_words_are_there(claim: str) -> None:
    assert "spliced" in check(claim, BRIDGE).reasons


@pytest.mark.parametrize(
    "claim",
    [
        "In the winter of 1911 the old bridge of Alva was closed to carts by the town council.",
        "The old bridge of Alva was closed to carts.",
        "Closed to carts by the town council in the winter of 1911.",
        "The old bridge of Alva was closed to carts by the …",
        "Bridges of Alva (unverified, 1950-05-01): Its stones came from a quarry near Orlen.",
        "As of 1950-05-01: Its stones came from a quarry near Orlen.",
        "The cause was the flood: After the flood the gates of the lock were moved upstream.",
        "Bridges of Alva: Year: 1908; Carts: 4,120; Toll: 6 crowns",
        "The town council closed the old bridge of Alva to carts; its stones came from a quarry near Orlen.",
        "While engineers from Kolo drew plans for a wider span, a ferry carried the mail across the river.",
    ],
)
def test_v18_a_quote_a_shorter_one_and_one_in_another_order_are_no_splices(claim: str) -> None:
    assert "spliced" not in check(claim, BRIDGE).reasons


def test_v18_a_japanese_sentence_may_end_where_its_clause_ends() -> None:
    assert check("1911年の洪水で古い橋が流された。", BRIDGE_JA).verdict == "evidence_found"


def test_v10_an_entry_number_is_no_year() -> None:
    listed = "The bridge is entry No. 1911 of the register, built by the council."
    assert check("The bridge was built in 1870.", listed).reasons == ()
    dated = "The bridge of Alva is item 1911 of the register and was closed in 1870."
    assert check("The bridge of Alva was closed in 1911.", dated).reasons == ("date",)
    assert check("该桥建于1911年。", "该桥在名录中列第1911号，建于1870年。").reasons == ("date",)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("该港的港长是王伟。", "该港的港长是李明。"),
        ("该港的港长为王伟。", "该港的港长是李明，任期三年。"),
        ("港長は田中一郎である。", "港長は鈴木花子である。"),
    ],
)
def test_v10_another_name_behind_a_copula(claim: str, source: str) -> None:
    assert "name" in check(claim, source).reasons
    assert check(source, source).reasons == ()


def test_v10_what_is_said_of_a_role_is_no_other_name() -> None:
    assert check("该港的港长是王伟。", "该港的港长是由议会任命的，现任为王伟。").reasons == ()


def test_v10_no_more_than_is_no_denial() -> None:
    most, no_more = "The ferry takes at most 40 carts.", "The ferry takes no more than 40 carts."
    assert check(most, no_more).reasons == check(no_more, most).reasons == ()


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("The Tern is longer, at 184 m, compared to the Gull, at 161 m.",
         "The Gull is longer, at 161 m, compared to the Tern, at 184 m."),
        ("The Gull is shorter, at 161 m, than the Tern, at 0.184 km.",
         "The Tern is shorter, at 0.184 km, than the Gull, at 161 m."),
        ("The Tern is longer than the Gull (161 m), at 184 m.",
         "The Tern is shorter, with 184 m, whereas the Gull has 161 m."),
    ],
)  # fmt: skip
def test_v10_a_comparison_that_its_own_amounts_deny_is_flagged(right: str, wrong: str) -> None:
    sources = [SourceText(f"The {name} is {length} m long.", name, "") for name, length in LENGTHS.items()]
    assert check_claim(right, sources).verdict == "evidence_found"
    assert "comparison" in check_claim(wrong, sources).reasons


LENGTHS = {"Gull": 161, "Tern": 184}


FERRIES = [
    SourceText("The Heron is a ferry, faster than her sisters. Its top speed is 33 km/h. It is 161 m long.",
               "Heron (ship)"),
    SourceText("The Gull is a ferry of the Orlen Line. It reaches 44 km/h, slower than planned.\n\n"
               "| Item | Value |\n|---|---|\n| Length | 184 m |\n| Weight | 420 t |", "Gull (ship)"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("The Gull is faster than the Heron.", "The Gull is slower than the Heron."),
        ("The Heron is slower than the Gull.", "The Heron is faster than the Gull."),
        ("The Gull is longer than the Heron.", "The Gull is shorter than the Heron."),
        ("The Heron is shorter than the Gull.", "The Heron is longer than the Gull."),
    ],
)
def test_v10_a_comparison_holds_if_the_figures_of_both_pages_say_so(more: str, less: str) -> None:
    assert check_claim(more, FERRIES).reasons == ()
    assert "comparison" in check_claim(less, FERRIES).reasons


def test_v10_a_comparison_of_what_only_one_page_gives_has_no_evidence() -> None:
    assert check_claim("The Gull is heavier than the Heron.", FERRIES).reasons == ("comparison",)


def test_attributes_in_other_words_are_no_other_rows() -> None:
    table = "| Item | Result |\n|---|---|\n| Payload | 21 tonnes |\n| Range, full | 650 kilometres |\n"
    claim = "Holficas Mule: Payload 21 tonnes; Range 650 kilometres."
    assert check_claim(claim, [SourceText(table, "On trial: the Holficas Mule")]).verdict == "evidence_found"


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Casmatu: 9,041 landings; Morholtov: 9,327 landings.", "evidence_found"),
        ("Casmatu: 9,041 landings; Morholtov: 5,327 landings.", "flagged"),
        ("Casmatu: 9,327 landings; Morholtov: 9,041 landings.", "flagged"),
    ],
)
def test_each_statement_of_a_row_is_held_to_the_table_that_it_is_from(claim: str, verdict: str) -> None:
    table = (
        "| Harbour | Passengers | Landings |\n|---|---|---|\n| Casmatu | 483,886 | 9,041 |\n"
        "| Morholtov | 296,106 | 9,327 |\n| Selgryis | 196,106 | 5,327 |\n"
    )
    assert check_claim(claim, [SourceText(table, "Harbours of the Isles 2046")]).verdict == verdict


KEMMA = SourceText("ケンマ号の全長は184メートルである。速い船だ。", "ケンマ号")
RURIA = SourceText("ルリア号の全長は161メートルである。古い船だ。", "ルリア号")
ALD = SourceText("Tin Ald is 2 m tall. It is driven by 94 cogs.", "Tin Ald")
BOR = SourceText("Tin Bor is 3 m tall. There are 51 cogs inside it.", "Tin Bor")
CEL = SourceText("Tin Cel is 1 m tall. There are 22 cogs inside it.", "Tin Cel")


@pytest.mark.parametrize(
    ("claim", "sources", "verdict"),
    [
        ("ケンマ号：184メートル、ルリア号は161メートル。", [KEMMA, RURIA], "evidence_found"),
        ("ケンマ号の全長は184メートル、ルリア号の全長は161メートル。", [KEMMA, RURIA], "evidence_found"),
        ("ケンマ号：184メートル、ルリア号は162メートル。", [KEMMA, RURIA], "flagged"),
        (
            "In this order: Tin Ald: 94 cogs; Tin Bor: 51 cogs; Tin Cel: 22 cogs.",
            [ALD, BOR, CEL],
            "evidence_found",
        ),
        ("In this order: Tin Ald: 51 cogs; Tin Bor: 94 cogs; Tin Cel: 22 cogs.", [ALD, BOR, CEL], "flagged"),
        ("In this order: Tin Ald: 94 cogs; Tin Bor: 51 cogs; Tin Cel: 23 cogs.", [ALD, BOR, CEL], "flagged"),
    ],
)
def test_each_statement_of_a_row_may_have_a_source_of_its_own(
    claim: str, sources: list[SourceText], verdict: str
) -> None:
    assert check_claim(claim, sources).verdict == verdict


def test_two_values_of_one_thing_are_told_by_two_sources() -> None:
    pages = [SourceText(f"The Gull carries {load} tonnes over 900 km.", "Gull (ferry)") for load in (11, 14)]
    claim = "Gull; payload: 11 tonnes / 14 tonnes; range: 900 km; crew: 5 crew"
    crew = SourceText("The Gull has 5 crew.", "Gull (ferry)")
    assert check_claim(claim, [*pages, crew]).verdict == "evidence_found"


PORT = SourceText(
    "| Item | Value |\n| --- | --- |\n| Mooring masts | 24 mooring masts |\n| Elevation | 335 m |\n\n"
    "Port Alva is a harbour. At Port Alva, 24 mooring masts are in service. "
    "It stands at an elevation of 335 m.",
    "Port Alva",
)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Port Alva has 335 mooring masts.", "flagged"),
        ("Port Alva has 24 mooring masts.", "evidence_found"),
        ("Port Alva has 24 mooring masts and stands at an elevation of 335 m.", "evidence_found"),
        ("Port Alva stands at 335 metres.", "evidence_found"),
        ("With its mooring masts Port Alva stands at an elevation of 335 metres.", "evidence_found"),
    ],
)
def test_a_number_in_the_row_of_a_measure_is_no_count(claim: str, verdict: str) -> None:
    assert check(claim, PORT).verdict == verdict


def test_a_number_of_another_row_is_not_what_the_claim_names() -> None:
    found = check("The mooring masts of Port Alva are 335 metres high.", PORT)
    assert (found.verdict, found.reasons) == ("flagged", ("number",))
    said = SourceText(f"{PORT.text} The mooring masts are 335 m high.", PORT.title)
    assert check("The mooring masts of Port Alva are 335 metres high.", said).verdict == "evidence_found"


@pytest.mark.parametrize(
    ("claim", "reasons"),
    [
        ("海鸥港有61座系留塔。", ("number",)),
        ("カモメ港は1893年に開港した。", ("date",)),
        ("海鸥港有24座系留塔，海拔335米，1999年启用，旅客120万人。", ()),
    ],
)
def test_figures_are_compared_even_in_another_script(claim: str, reasons: tuple[str, ...]) -> None:
    page = "Port Gull has 24 masts and lies 335 m above the sea. Opened in 1999. 1.2 million passengers came."
    check = check_claim(claim, [SourceText(page, "Port Gull")])
    assert (check.verdict, check.reasons) == ("flagged" if reasons else "uncheckable", reasons)


PALACE = SourceText(
    "Mordan Elgast (German: Mordan der Alte) (2011 – 2064) was a painter from Port Alva. "
    "He painted the palace, which Dr. Helka Strand had built. In 2050 he said that the palace was too small.",
    title="Mordan Elgast (painter)",
)


@pytest.mark.parametrize(
    "opening",
    [
        "",
        "Overview: ",
        "Key fact: ",
        "Historical Background — ",
        "Year: ",
        "✅ Finding 1: ",
        "Early life and career: ",
    ],
)
@pytest.mark.parametrize(
    "sentence",
    [
        "Mordan Elgast (German: Mordan der Alte) (2011 – 2064) was a painter from Port Alva.",
        "He painted the palace, which Dr. Helka Strand had built.",
        "In 2050 he said that the palace was too small.",
    ],
)
def test_v12_a_sentence_of_the_page_is_evidence_behind_any_heading(opening: str, sentence: str) -> None:
    assert check(opening + sentence, PALACE).reasons == ()


@pytest.mark.parametrize(
    ("claim", "reasons"),
    [
        ("Wikipedia states that he painted the palace, which Dr. Helka Strand had built.", ()),
        ("According to the Alva Herald, he painted the palace, which Dr. Helka Strand had built.", ()),
        ("In 2050 Olof Rind said that the palace was too small.", ("name",)),
        ("Olof Rind said that the palace was too small.", ("name",)),
        ("Olof Rind: He painted the palace, which Dr. Helka Strand had built.", ("name",)),
    ],
)
def test_v12_who_is_said_to_report_is_a_name_only_where_the_page_reports(
    claim: str, reasons: tuple[str, ...]
) -> None:
    assert check(claim, PALACE).reasons == reasons


RULES = SourceText(
    "The new rule raises the tax on airships. The two moulds are related. The court upheld the ban on masts. "
    "Doctors recommend the ointment for adults. The compound is toxic. The crew was fully conscious. "
    "The quay is accessible by tram. Fog causes delays. Helka Rind was born in Alva. "
    "The warden is unsafe in fog. Her father was the younger son of a successful painter.",
    title="Rules",
)


@pytest.mark.parametrize(
    "claim",
    [
        "The new rule lowers the tax on airships.",
        "The new rule lowered the tax on airships.",
        "The two moulds are unrelated.",
        "The court overturned the ban on masts.",
        "The court struck down the ban on masts.",
        "Doctors advise against the ointment for adults.",
        "The compound is non-toxic.",
        "The compound is harmless.",
        "The crew was unconscious.",
        "The quay is inaccessible by tram.",
        "Fog prevents delays.",
        "Helka Rind died in Alva.",
        "Her father was the elder son of a successful painter.",
        "Her mother was the younger son of a successful painter.",
        "Her father was the younger son of an unsuccessful painter.",
    ],
)
def test_v12_a_word_in_place_of_its_opposite_is_flagged(claim: str) -> None:
    assert check(claim, RULES).reasons == ("comparison",)


@pytest.mark.parametrize(
    "claim",
    [
        "The new rule increases the tax on airships.",
        "The court affirmed the ban on masts.",
        "The compound is poisonous.",
        "The warden is not safe in fog.",
    ],
)
def test_v12_words_of_one_side_and_a_denied_opposite_say_the_same(claim: str) -> None:
    assert check(claim, RULES).reasons == ()


@pytest.mark.parametrize(
    "claim",
    [
        "Fog may cause delays.",
        "Only fog causes delays.",
        "Fog allegedly causes delays.",
        "The new rule will raise the tax on airships.",
        "The tower is over 41 metres tall.",
        "The tower is nearly 41 metres tall.",
        "The tower may be 41 metres tall.",
    ],
)
def test_v12_a_hedge_or_limit_that_the_page_does_not_have_is_flagged(claim: str) -> None:
    page = SourceText(f"{RULES.text} The tower is 41 metres tall.", "Rules")
    assert check(claim, page).reasons == ("comparison",)


TOWER = SourceText(
    "The Brudoji tower is 41 metres tall. It was built in 1902 by Anna Berg. In 1950 the lamp of the tower "
    "was replaced by the harbour board. The harbour board was founded by Olof Lind in 1911 after a long "
    "dispute with the railway company. The railway company closed the northern line in 1933. "
    "Helka J. Strand and Mara Rind, with Olof Lind, drew the map.",
    "The tower of Port Brudoji",
)


@pytest.mark.parametrize(
    ("claim", "reasons"),
    [
        ("The Brudoji tower was built in 1902 by Olof Lind.", ("name",)),
        ("The Brudoji tower was built in 1902 by Anna Berg.", ()),
        ("The harbour board was founded by Anna Berg in 1911.", ("name",)),
        ("The harbour board was founded by Olof Lind in 1911.", ()),
        ("Strand and Anna Berg, with Olof Lind, drew the map.", ("name",)),
    ],
)
def test_v12_who_did_it_is_whom_the_page_names_between_the_same_words(
    claim: str, reasons: tuple[str, ...]
) -> None:
    assert check(claim, TOWER).reasons == reasons


ZH = SourceText(
    "布鲁多吉塔高41米。该塔由安娜·伯格于1902年建成。港务局由奥洛夫·林德于1911年创立。铁路公司于1933年关闭了北线。"
    "张伟是该公司的首席执行官，李娜是首席财务官。该法案由王强提出，遭到刘洋反对。",
    "布鲁多吉塔",
)
JA = SourceText(
    "この塔はアンナ・ベルクが1902年に建てた。港務局はオロフ・リンドが1911年に設立した。鉄道会社は1933年に北線を閉鎖した。"
    "社長は田中一郎、副社長は佐藤花子である。代表：鈴木次郎",
    "ブルドジ塔",
)


@pytest.mark.parametrize(
    ("page", "right", "wrong"),
    [
        (ZH, "该塔由安娜·伯格于1902年建成。", "该塔由奥洛夫·林德于1902年建成。"),
        (ZH, "港务局由奥洛夫·林德于1911年创立。", "港务局由安娜·伯格于1911年创立。"),
        (ZH, "张伟是该公司的首席执行官。", "张伟是该公司的首席财务官。"),
        (ZH, "张伟是该公司的首席执行官。", "王强是该公司的首席执行官。"),
        (ZH, "该法案由王强提出。", "该法案由刘洋提出。"),
        (ZH, "铁路公司于1933年关闭了北线。", "港务局于1933年关闭了北线。"),
        (ZH, "铁路公司于1933年关闭了北线。", "铁路公司于1933年关闭了南线。"),
        (JA, "社長は田中一郎である。", "社長は佐藤花子である。"),
        (JA, "代表：鈴木次郎", "代表：鈴木三郎"),
        (JA, "代表は鈴木次郎である。", "代表は田中一郎である。"),
        (JA, "鉄道会社は1933年に北線を閉鎖した。", "港務局は1933年に北線を閉鎖した。"),
        (JA, "この塔はアンナ・ベルクが1902年に建てた。", "この塔はオロフ・リンドが1902年に建てた。"),
    ],
)
def test_v12_another_name_in_the_same_place_in_chinese_and_japanese(
    page: SourceText, right: str, wrong: str
) -> None:
    assert check(right, page).reasons == ()
    assert {"name", "comparison"} & {*check(wrong, page).reasons}


def test_v12_what_another_passage_of_the_evidence_says_is_no_opposite() -> None:
    page = (
        "Helka Rind was a painter of ships.\n\n"
        "When the war was over, the Rinds came home and lived in Alva, Norland.\n\n"
        "Helka died four years later on 24 January 1957, aged 66."
    )
    assert check("Rind died in Alva, Norland, on 24 January 1957.", page).reasons == ()


VOLUME = SourceText(
    "The Reed Almanac was first published in 2041; its author was born in 2003. It runs to 444 pages. There "
    "are 15 woodcuts in it.\n\n"
    "| Library | Loans | Visitors |\n| --- | --- | --- |\n| Skua Library | 430,053 | 71,519 |\n",
    title="The Reed Almanac",
)


@pytest.mark.parametrize(
    ("right", "wrong", "reason"),
    [
        (
            "The Reed Almanac runs to 444 pages, with 15 woodcuts.",
            "It has 444 woodcuts and 15 pages.",
            "number",
        ),
        ("The author was born in 2003.", "The author was born in 2041.", "date"),
        ("Skua Library counted 71,519 visitors.", "Skua Library counted 430,053 visitors.", "number"),
    ],
)
def test_v10_a_value_counts_what_it_counts_on_the_page(right: str, wrong: str, reason: str) -> None:
    assert check(right, VOLUME).verdict == "evidence_found"
    assert reason in check(wrong, VOLUME).reasons


def test_v10_a_count_in_japanese_is_of_what_stands_behind_it() -> None:
    text = "『葦の暦』の著者はワチである。この本は全部で723ページある。この本には48点の木版画が入っている。"
    page = SourceText(f"{text}この本は製本所で製本された。", title="『葦の暦』")
    assert check("この本には48点の木版画がある。", page).verdict == "evidence_found"
    assert "number" in check("この本にある木版画は723点の木版画である。", page).reasons


@pytest.mark.parametrize(
    ("claim", "reasons"),
    [
        ("Construction of Port Alva by the Orlen Line took from 1990 to 1999.", ()),
        ("Construction of Port Zemlin by the Orlen Line took from 1990 to 1999.", ("name",)),
        ("Maurice, Prince of Orange, built Port Alva from 1990 to 1999.", ("name",)),
    ],
)
def test_v10_a_noun_that_opens_a_sentence_is_no_name(claim: str, reasons: tuple[str, ...]) -> None:
    built = "Port Alva is a harbour on the north coast. It was built from 1990 to 1999 by the Orlen Line."
    assert check(claim, SourceText(built, title="Port Alva")).reasons == reasons


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        (
            "The vault is still damp, according to its director, Mini Lind.",
            "The vault is dry, says its director, Mini Lind, and has had two coats of paint.",
        ),
        (
            "事故で19人が死亡した。",
            "港湾局によると、事故で19人が負傷したが、港は開いている。修理費は240万クローネと見積もられる。",
        ),
    ],
)
def test_v10_opposites_with_a_word_of_degree_between_are_told(claim: str, page: str) -> None:
    assert "comparison" in check(claim, SourceText(page, title="One year on")).reasons


def test_v10_nobody_is_a_denial_in_chinese_and_a_machine_without_a_crew_is_none() -> None:
    page = SourceText("港务局表示遗憾。事故造成19人受伤，无人死亡。修复费用估计为240万克朗。", title="声明")
    assert check("事故中共有19人受伤，没有人死亡。", page).verdict == "evidence_found"
    assert "negation" in check("事故造成19人受伤，有人死亡。", page).reasons
    maker = SourceText("该公司生产无人机，总部设在港区。", title="公司")
    assert check("这家公司生产无人机，总部在港区。", maker).verdict == "evidence_found"


LORDS = SourceText(
    "Corin Wallop (19 September 1774 – 31 August 1807) was a Norland Member of Parliament. Wallop was the "
    "third son of John A. Wallop, 2nd Earl of Port Alva. He was a sailor, painter and builder of ships.",
    "Corin Wallop",
)


@pytest.mark.parametrize(
    "claim",
    [
        "John Wallop, 2nd Earl of Port Alva (19 September 1774 – 31 August 1807) was a Norland Member of "
        "Parliament.",
        "Robert A. Stem was as well as a sailor a painter and a builder of ships.",
    ],
    ids=["several parts", "an initial"],
)
def test_v10_another_name_of_any_form_in_a_repeated_sentence_is_flagged(claim: str) -> None:
    assert "name" in check(claim, LORDS).reasons


def test_v12_what_looks_like_a_heading_and_stands_on_the_page_is_none() -> None:
    said = "Not what you hope to carry: what you did carry, in the last year, on the worst day and the best."
    for opening in ("", "Guide: "):
        told = check(opening + said, SourceText(f"Ask one thing. {said} Then buy.", "Guide"))
        assert told.reasons == ()


TRIAL = SourceText(
    "The trial of the drug was funded by Marell Works and led by Dr. Ana Ruiz of Lind University. 12 "
    "patients were dizzy. It lasted only 11 weeks. Marell Works had a revenue of €3.2 million in 2022, up "
    "from €2.9 million in 2021. It was designed by George K. S. Rind. The company bought Windra.",
    "Marell Works",
)
TOWER_JA = SourceText("この塔は2012年5月に開業した。2010年に東の塔の高さを抜いた。", "塔")
LINE_ZH = SourceText("海鸥铁路全长1956公里，连接西宁和拉萨。", "海鸥铁路")
TOUR = SourceText(
    "The Gull Band will tour the islands of Brudoji again in 2031. The tour kicks off in August and will run "
    "through October.",
    "The tour",
)


@pytest.mark.parametrize(
    ("right", "wrong", "page", "reason"),
    [
        ("It was funded by Marell Works.", "The trial was funded by Lind University.", TRIAL, "name"),
        ("The trial lasted only 11 weeks.", "The trial lasted only 12 months.", TRIAL, "number"),
        (
            "The Gull Band was to tour the islands of Brudoji from August through October 2031.",
            "The Gull Band was to tour the islands of Brudoji from August through November 2031.",
            TOUR,
            "date",
        ),
        (
            "Marell Works had a revenue of €3.2 million in 2022.",
            "Marell Works had a revenue of €2.9 million in 2022.",
            TRIAL,
            "number",
        ),
        ("Marell Works was designed by Rind.", "Marell Works was designed by Ruiz.", TRIAL, "name"),
        ("Marell Works bought Windra.", "Windra bought Marell Works.", TRIAL, "name"),
        ("塔は2012年5月に開業した。", "塔は2010年に開業した。", TOWER_JA, "date"),
        ("海鸥铁路连接西宁与拉萨，全长1956公里。", "海鸥铁路连接成都与拉萨，全长1956公里。", LINE_ZH, "name"),
    ],
)
def test_v10_a_name_or_value_is_held_to_the_words_before_it(
    right: str, wrong: str, page: SourceText, reason: str
) -> None:
    assert check(right, page).reasons == ()
    assert reason in check(wrong, page).reasons


def test_a_heading_in_bold_before_a_paragraph_is_known_there() -> None:
    page = SourceText("**Income.** 66,000 crowns in 2031.\n\n**Cards.** 40 per cent belong to pupils.")
    for claim in ("Income: 66,000 crowns in 2031.", "Cards: 40 per cent belong to pupils."):
        assert check_claim(claim, [page]).verdict == "evidence_found"


ACCOUNTS = SourceText(
    "**Income.** 66,000 florins in 2048.\n\n**Blocked cards.** 40 per cent more; 310 were replaced.\n\n"
    "**Cost.** The new tills came to 44,000 florins.\n\n- **Rent:** 9,000 florins\n"
    "- **Wages:** 31,000 florins\n",
    "Savings bank report",
)
ACCOUNTS_ZH = SourceText("**收入。** 2048年为66,000克朗。\n\n**成本。** 新柜台花费44,000克朗。\n", "年报")


@pytest.mark.parametrize(
    ("claim", "page", "reasons"),
    [
        ("Income: 66,000 florins in 2048.", ACCOUNTS, ()),
        ("Cost: 44,000 florins.", ACCOUNTS, ()),
        ("Tills: 44,000 florins.", ACCOUNTS, ()),
        ("The income was 66,000 florins.", ACCOUNTS, ()),
        ("Rent: 9,000 florins.", ACCOUNTS, ()),
        ("收入：66,000克朗。", ACCOUNTS_ZH, ()),
        ("Blocked cards: 44,000 florins.", ACCOUNTS, ("number",)),
        ("The cost was 66,000 florins.", ACCOUNTS, ("number",)),
        ("Income: 44,000 florins in 2048.", ACCOUNTS, ("number",)),
        ("Rent: 31,000 florins.", ACCOUNTS, ("number",)),
        ("成本：66,000克朗。", ACCOUNTS_ZH, ("number",)),
    ],
)
def test_v10_a_value_under_the_label_of_another_is_flagged(
    claim: str, page: SourceText, reasons: tuple[str, ...]
) -> None:
    assert check(claim, page).reasons == reasons


LIBRARY = SourceText(
    "From 2037 to 2048 the head librarian of Gull Library was Ada Moe. "
    "Bo Lind has been head librarian of the library since 2048. Gull Library was founded in 1950. "
    "Its charter was signed in 2001.",
    "Gull Library",
)


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        (
            "The author of the novel was Ada Moe.",
            "Ada Moe wrote the novel. Ada Moe was the daughter of a priest.",
        ),
        (
            "Ada Moe was the founder of Gull Yard.",
            "Gull Yard was started by Ada Moe. Ada Moe was the head of a bank.",
        ),
        ("Its captain was Ada Moe.", "Ada Moe led the crew. Ada Moe was the daughter of the builder."),
    ],
)
def test_somebody_may_have_been_something_else_elsewhere(claim: str, page: str) -> None:
    assert not check(claim, SourceText(page, "Gull")).reasons


@pytest.mark.parametrize(
    ("claim", "reasons"),
    [
        ("Its head librarian was Ada Moe from 2037 to 2048.", ()),
        ("Ada Moe was its head librarian.", ()),
        ("The charter of Gull Library was signed in 2001.", ()),
        ("The library's director was Ada Moe from 2037 to 2048.", ()),
        ('The page says that "Bo Lind has been head librarian of the library since 2048".', ()),
        ('The page says that "Bo Lind … head librarian of the library since 2048".', ()),
        ('The page says that "Ada Moe has been head librarian of the library since 2048".', ("spliced",)),
        ('The page says that "Ada Moe has been head librarian of the library since 2048.', ("spliced",)),
    ],
)
def test_what_somebody_was_and_what_is_quoted_is_held_to_the_page(
    claim: str, reasons: tuple[str, ...]
) -> None:
    assert set(reasons) <= set(check(claim, LIBRARY).reasons)
    assert reasons or not check(claim, LIBRARY).reasons


TOWN = SourceText(
    "The mayor of Haverbeck is Ute Harms, elected in 2019. The town hall was rebuilt by the architect "
    "Karl Voss in 1951. Karin Falk took over as chief executive of the harbour on 1 March 2022. Tor Dahl "
    "chairs its board. Oke Lind has been president of the football club since 2014. Bo Asker is its coach.",
    "Haverbeck",
)


@pytest.mark.parametrize(
    ("claim", "is_other"),
    [
        ("The burgomaster of Haverbeck is Ute Harms.", False),
        ("Ute Harms is the town's chief.", False),
        ("Karin Falk has been CEO of the harbour since March 2022.", False),
        ("The boss of the football club is Oke Lind.", False),
        ("The chairman of the board is Tor Dahl.", False),
        ("Bo Asker is the club's trainer.", False),
        ("Tor Dahl has been CEO of the harbour since March 2022.", True),
        ("Bo Asker is the club's president.", True),
    ],
)
def test_an_office_goes_by_many_words_and_is_another_only_where_somebody_else_has_it(
    claim: str, is_other: bool
) -> None:
    assert ("name" in check(claim, TOWN).reasons) is is_other


def test_who_somebody_is_stands_between_a_name_and_the_word_that_tells_its_role() -> None:
    page = SourceText(
        "Its first director was the physicist Nils Aas, who was succeeded in 1934 by his former student "
        "Ingrid Lund.",
        "Fjell Institute",
    )
    assert "name" in check("Nils Aas succeeded Ingrid Lund in 1934.", page).reasons
    assert not check("Ingrid Lund succeeded Nils Aas in 1934.", page).reasons


def test_a_page_of_a_firm_does_not_repeat_its_name_before_each_office() -> None:
    page = SourceText("海光公司成立于2003年。董事长为陈立，总经理为周敏。", "海光公司2023年报")
    assert "name" in check("海光公司的总经理是陈立。", page).reasons
    assert not check("海光公司的总经理是周敏。", page).reasons


@pytest.mark.parametrize(
    "page",
    [
        "Gull Quay was closed for the whole of the winter,[3] in spite of the protests.[ 4 ]",
        "Gull Quay was closed for the whole of the win-\nter, in spite of the protests.",
    ],
)
def test_marks_of_notes_and_line_ends_do_not_change_what_is_quoted(page: str) -> None:
    claim = 'Gull Quay was "closed for the whole of the winter, in spite of the protests".'
    assert "spliced" not in check(claim, SourceText(page, "Gull Quay")).reasons


def test_what_a_page_denies_of_another_is_not_denied_of_this() -> None:
    page = (
        "The old bridge cannot carry lorries. The new bridge, opened in 2003, can carry lorries of 40 tonnes."
    )
    assert "negation" not in check("The new bridge can carry lorries.", page).reasons
    assert "negation" in check("The old bridge can carry lorries.", page).reasons


def test_a_long_page_of_values_is_read_in_no_time() -> None:
    page = "The quay is " + " and ".join(f"{metres}.5 m" for metres in range(1100)) + " long."
    claim = "The quay is " + ", ".join(f"{metres * 7000} m more" for metres in range(1, 21)) + "."
    start = process_time()
    assert "number" in check(claim, page).reasons
    assert process_time() - start < 2.5


def test_v10_what_stands_under_one_column_is_not_said_under_another() -> None:
    page = SourceText(
        "| Clock | Maker | Built |\n|---|---|---|\n| Old Tom | Hale Works | 2039 |\n", "Register"
    )
    assert check_claim("Register: Old Tom — Maker: Hale Works; Built: 2039.", [page]).reasons == ()
    assert check_claim("Register: Hale Works — Maker: Old Tom; Built: 2039.", [page]).reasons == ("name",)


def test_v10_an_active_sentence_bears_out_the_passive_one() -> None:
    page = SourceText("The Royal Society expelled Jon Abel in 1940.")
    assert check_claim("Jon Abel was expelled from the Royal Society in 1940.", [page]).reasons == ()
    assert check_claim("The Royal Society was expelled by Jon Abel in 1940.", [page]).reasons == ("name",)


def test_v12_what_is_longer_than_any_sentence_is_checked_piece_by_piece() -> None:
    page = [f"The Gull carries {number} people." for number in range(2, 400)]
    long = " ".join(page)
    assert check_claim(long, [SourceText(long)]).verdict == "evidence_found"
    assert check_claim(long.replace(" 77 ", " 770 "), [SourceText(long)]).verdict == "flagged"


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        ("The mill no longer sells rye.", "The mill sells rye and, since 2019, oats. It lost fish."),
        ("Velorin is no longer sold in Orlen.", "Velorin is sold in Orlen by Hale. It is dear."),
        ("The ferry to Ost no longer runs.", "The ferry to Ost has run since 1950, close by."),
        (
            "Now the ferry no longer carries cars between Ost and Hale.",
            "The ferry runs between Ost and Hale. It carries 9 cars.",
        ),
        ("该公司不再在上海经营工厂。", "该公司收入为38亿元。公司在上海经营三家工厂。"),
    ],
)
def test_what_is_no_longer_so_is_not_what_the_page_says(claim: str, page: str) -> None:
    assert "negation" in check_claim(claim, [SourceText(page, "Notes")]).reasons


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        ("Trams no longer run along the quay.", "Trams ran along the quay from 1902 to 1961. It has shops."),
        ("Ada Moe no longer leads the museum.", "Ada Moe led the museum until 2015. It is large."),
    ],
)
def test_what_is_no_longer_so_has_an_end_on_the_page(claim: str, page: str) -> None:
    assert "negation" not in check_claim(claim, [SourceText(page, "Notes")]).reasons


def test_a_page_tells_of_each_thing_of_which_it_is_said_to_tell() -> None:
    said = "The site for Port Alva is open to ships; it provides information about {} in the harbour."
    assert check(said.format("the Orlen Line and the Marsh Yard")).verdict == "evidence_found"
    assert "name" in check(said.format("the Orlen Line and the Quist Yard")).reasons


def test_what_is_said_of_one_page_stands_on_one() -> None:
    pages = [
        SourceText("The Marsh Yard builds ferries. Its official page is open to all.", "Marsh Yard"),
        SourceText("The Orlen Union keeps copies of all warnings on its page.", "Orlen Union"),
    ]
    claim = "The official page of the Marsh Yard is open to all; the page is kept by the Orlen Union."
    assert "name" in check_claim(claim, pages).reasons
    assert "name" not in check_claim(claim.replace("Orlen Union", "Marsh Yard"), pages).reasons


def test_a_name_may_stand_for_a_pronoun_of_the_passage_that_is_repeated() -> None:
    page = SourceText("Jane Orr was its clerk from 1990. For years the council ignored her.", "Orsk Mill")
    assert check("For years the council ignored Jane Orr.", page).verdict == "evidence_found"
    assert "name" in check("For years the council ignored Tom Pell.", page).reasons
    page = SourceText("Jane Orr has been its clerk since 1990. In 1994 the court fined the clerk 90 crowns.")
    assert check("Jane Orr was fined 90 crowns in 1994.", page).verdict == "evidence_found"
    assert "name" in check("Tom Pell was fined 90 crowns in 1994.", page).reasons


def test_of_the_names_in_a_sentence_that_of_who_did_it_may_not_be_missing() -> None:
    told = "The Gull Theatre in Orlen burnt down in 1911. The architect Ada Moe rebuilt it for the council."
    said, page = (
        "The Gull Theatre in Orlen was rebuilt by the architect {}.",
        SourceText(told, "Gull Theatre"),
    )
    assert "name" in check(said.format("Tom Pike"), page).reasons
    assert "name" not in check(said.format("Ada Moe"), page).reasons


LATE = (
    "The Late Book Affair concerned Hale Library, to which the book belonged. Rain fell. Ruling on "
    "the affair, the court of Orlen allowed a fine of 90 crowns. The council dismissed Ute Harms in 2019."
)


BOARD = (
    "Ada Moe joined the board in 2008. In 2011 the court fined the chairwoman 90 crowns. The owner sold Hale "
    "Labs in 2018. In 2020 the council ordered Hale Works to pay 80 crowns to the town of Orlen. In 2021 it "
    "expelled Bo Lind, Ute Harms and Jon Abel."
)


@pytest.mark.parametrize(
    ("claim", "is_right"),
    [
        ("The record states that Hale Library was fined 90 crowns in the Late Book Affair.", False),
        ("Ute Harms was dismissed by the council in 2019.", True),
        ("In the Late Book Affair, a fine of 90 crowns was allowed by the court of Orlen.", True),
    ],
)
def test_v10_to_whom_something_was_done_is_said_by_a_page(claim: str, is_right: bool) -> None:
    assert (check_claim(claim, [SourceText(LATE, "The affair")]).verdict == "evidence_found") is is_right


@pytest.mark.parametrize(
    ("claim", "is_right"),
    [
        ("Jon Abel was expelled in 2021.", True),
        ("Ada Moe was sold in 2018.", False),
        ("Orlen was ordered to pay 80 crowns to Hale Works in 2020.", False),
    ],
)
def test_v10_something_is_done_to_what_is_named_behind_the_verb(claim: str, is_right: bool) -> None:
    assert (check_claim(claim, [SourceText(BOARD, "News")]).verdict == "evidence_found") is is_right


def test_of_what_opened_one_says_that_it_was_opened() -> None:
    page = SourceText("Kelso Mine opened in 1921 and still produces tin.", "Kelso Mine")
    assert check("Kelso Mine was opened in 1921.", page).verdict == "evidence_found"


@pytest.mark.parametrize(
    ("page", "day", "is_right"),
    [
        ("In a trial by the Readers' Union, Otto fetched 376 books.", "2 December 2049", True),
        ("In a trial by the Readers' Union, Otto fetched 376 books.", "3 December 2049", False),
        ("In a trial on 1 December 2049, Otto fetched 376 books.", "2 December 2049", False),
    ],
)
def test_the_day_of_a_page_dates_a_sentence_that_has_no_date(page: str, day: str, is_right: bool) -> None:
    claim = page.replace("trial on 1 December 2049", "trial").replace(" trial", f" trial on {day}")
    assert ("date" not in check(claim, SourceText(page, "Trial", "2049-12-02")).reasons) is is_right


@pytest.mark.parametrize(
    ("page", "claim", "is_right"),
    [
        ("Losartan is contraindicated in pregnancy.", "Losartan must not be taken during pregnancy.", True),
        ("Losartan is recommended in pregnancy.", "Losartan must not be taken during pregnancy.", False),
        ("Nokar stopped selling phones in 2016.", "Nokar no longer sells phones.", True),
        ("Nokar stopped selling phones in 2016.", "Nokar did not stop selling phones in 2016.", False),
        ("The vaccine was withdrawn in 1999.", "The vaccine has not been available since 1999.", True),
    ],
)
def test_a_word_may_deny_without_a_not(page: str, claim: str, is_right: bool) -> None:
    told = SourceText(f"{page} It was made in Orlen by a firm of 40 people.", "News")
    assert (check_claim(claim, [told]).verdict == "evidence_found") is is_right


def test_the_value_of_another_kind_before_a_value_lends_it_no_words() -> None:
    page = SourceText("Over a median follow-up of 4.9 years, 1,421 of 12,705 patients fell ill.", "A trial")
    claim = "The trial followed almost 13,000 people for about five years."
    assert check_claim(claim, [page]).verdict == "evidence_found"


def test_names_in_a_list_stand_in_any_order() -> None:
    page = SourceText("The fork is backed by Amazon, Google, Oracle and Ericsson.", "The fork")
    assert check_claim("Oracle and Amazon are among those that back the fork.", [page]).reasons == ()
