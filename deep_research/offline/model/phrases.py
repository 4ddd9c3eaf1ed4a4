"""The model's own words in English, Chinese and Japanese: headings and connecting sentences, nothing else."""

# ruff: noqa: E501 - one sentence a line, so that three languages can be compared

from __future__ import annotations

from typing import Any

_TABLE: dict[str, dict[str, str]] = {
    "ask_topic": {
        "en": "What would you like to have researched? Please name the subject and what you want to know about it.",
        "zh": "您想研究什么？请说明对象以及您想了解的内容。",
        "ja": "何について調べますか。対象と知りたいことを教えてください。",
    },
    "ask_reference": {
        "en": "What does “{it}” refer to? Please name it.",
        "zh": "“{it}”指的是什么？请说出它的名称。",
        "ja": "「{it}」は何を指していますか。名前を教えてください。",
    },
    "ask_term": {
        "en": "What does {it} stand for in your question?",
        "zh": "您问题中的{it}是什么意思？",
        "ja": "ご質問の{it}は何の略ですか。",
    },
    "ask_criterion": {
        "en": "By what should {it} be compared?",
        "zh": "应该从哪个方面比较{it}？",
        "ja": "{it}を何の点で比べますか。",
    },
    "verified": {
        "en": "I have what I need and start now. Scope: “{it}”{more}",
        "zh": "信息已经足够，现在开始研究。范围：“{it}”{more}",
        "ja": "必要な情報がそろいましたので、調査を始めます。範囲：「{it}」{more}",
    },
    "also": {"en": " You added: {it}", "zh": " 您补充说：{it}", "ja": " 補足：{it}"},
    "brief": {
        "en": "I want to find out the following: “{it}”{more}",
        "zh": "我想了解以下问题：“{it}”{more}",
        "ja": "私は次のことを知りたい：「{it}」{more}",
    },
    "brief_also": {
        "en": " I also said: {it}",
        "zh": " 我还说过：{it}",
        "ja": " また、次のように述べました：{it}",
    },
    "brief_context": {
        "en": " Before that I had asked: {it}",
        "zh": " 在此之前我问过：{it}",
        "ja": " その前に次のことを尋ねました：{it}",
    },
    "brief_scope": {
        "en": " This holds for the work: {it}",
        "zh": " 研究须遵守：{it}",
        "ja": " 調査の条件：{it}",
    },
    "brief_open": {
        "en": " I have not said anything about {it}; treat that as open and do not assume anything.",
        "zh": " 我没有说明{it}；请视为未定，不要自行假设。",
        "ja": " {it}については述べていないので、限定せず、仮定も置かないでください。",
    },
    "open_period": {"en": "the period", "zh": "时间范围", "ja": "期間"},
    "open_region": {"en": "the region", "zh": "地区", "ja": "地域"},
    "open_length": {"en": "the length of the answer", "zh": "答案的篇幅", "ja": "回答の長さ"},
    "and": {"en": " and ", "zh": "和", "ja": "と"},
    "sources_general": {
        "en": " I prefer original and official sources in the language of my question.",
        "zh": " 请优先使用与问题同语言的一手和官方来源。",
        "ja": " 質問と同じ言語の一次情報と公式の情報源を優先してください。",
    },
    "sources_product": {
        "en": " For products and travel I prefer the official pages of makers and operators.",
        "zh": " 关于产品和旅行，请优先使用制造商和运营方的官方页面。",
        "ja": " 製品や旅行については、メーカーや事業者の公式ページを優先してください。",
    },
    "sources_academic": {
        "en": " For academic matters I prefer the original paper to reports about it.",
        "zh": " 关于学术问题，请优先使用原始论文而不是转述。",
        "ja": " 学術的な内容は、紹介記事より原論文を優先してください。",
    },
    "sources_person": {
        "en": " For people I prefer their own page or their organization's.",
        "zh": " 关于人物，请优先使用其本人或所属机构的页面。",
        "ja": " 人物については、本人または所属組織のページを優先してください。",
    },
    "topic": {
        "en": "Research {item}. Find what the sources say about it that helps to answer the question below: the names, "
        "figures and dates they give, which source says what, and as of when. Where the way leads through another "
        "name, follow it. The whole question is: “{question}”{more}",
        "zh": "请研究{item}。找出来源中有助于回答下面问题的内容：名称、数字和日期，哪个来源这样说，截至何时。"
        "如果线索通向另一个名称，请继续追查。完整的问题是：“{question}”{more}",
        "ja": "{item}について調べてください。以下の質問に答えるのに役立つ情報（名前、数値、日付、どの情報源がいつの時点で述べているか）"
        "を見つけてください。別の名前につながる場合はそれも追ってください。質問の全文：「{question}」{more}",
    },
    "topic_whole": {"en": "the following question", "zh": "下面的问题", "ja": "次の質問"},
    "topic_open": {
        "en": "Still open: “{question}” So far: {lack} Find what the sources say that settles it: the names, figures and "
        "dates they give, which source says what, and as of when. Where these words bring nothing, look under others.{more}",
        "zh": "尚未解决：“{question}” 目前：{lack} 请找出来源中能够解决它的内容：名称、数字和日期，哪个来源这样说，截至何时。"
        "如果这些词没有结果，请换别的词查找。{more}",
        "ja": "未解決：「{question}」 現状：{lack} それを解決する情報（名前、数値、日付、どの情報源がいつの時点で述べているか）"
        "を見つけてください。この言葉で見つからなければ、別の言葉でも探してください。{more}",
    },
    "think_open": {
        "en": "Still open: {n}. Each goes to a researcher of its own.",
        "zh": "尚未解决的问题：{n}个，各派一名研究员。",
        "ja": "未解決の点は{n}件です。それぞれに担当を付けます。",
    },
    "think_plan_one": {
        "en": "One line of research is enough: the question is about {it}.",
        "zh": "一条研究线索就够了：问题是关于{it}的。",
        "ja": "調査は一つで足ります。質問の対象は{it}です。",
    },
    "think_plan_many": {
        "en": "The question sets {it} side by side, so each gets a researcher of its own.",
        "zh": "问题要比较{it}，因此各派一名研究员。",
        "ja": "質問は{it}を比べるものなので、それぞれに担当を付けます。",
    },
    "think_results": {
        "en": "The results are in: {n} sources are named. What is still open goes into the report as open.",
        "zh": "结果已返回：共列出{n}个来源。仍未解决的部分将在报告中说明。",
        "ja": "結果が届きました。情報源は{n}件です。未解決の点は報告書に明記します。",
    },
    "think_lead": {
        "en": "What is shown so far leads to {it}; look that up next.",
        "zh": "目前的内容指向{it}，接下来查它。",
        "ja": "ここまでの内容から{it}につながるので、次に調べます。",
    },
    "think_again": {
        "en": "This does not settle it yet. I put the search in other words: {it}.",
        "zh": "还不能确定。换一种说法再查：{it}。",
        "ja": "まだ確定できません。言葉を変えて調べます：{it}。",
    },
    "judged_hard": {
        "en": "This takes several steps or several sources on {it}.",
        "zh": "关于{it}的这个问题需要多个步骤或多个来源。",
        "ja": "{it}についてのこの質問には、複数の手順または情報源が必要です。",
    },
    "judged_easy": {
        "en": "One fact about {it} is asked, which one good page settles.",
        "zh": "只问了关于{it}的一个事实，一个可靠的页面就能回答。",
        "ja": "{it}についての一つの事実だけで、良いページが一つあれば答えられます。",
    },
    "judged_enough": {
        "en": "What was asked is answered from the sources named.",
        "zh": "所问的内容已经根据所列来源得到回答。",
        "ja": "質問の内容は、示された情報源によって答えられています。",
    },
    "judged_missing": {
        "en": "Not answered yet: {it}",
        "zh": "尚未回答：{it}",
        "ja": "まだ答えられていません：{it}",
    },
    "judged_nothing": {
        "en": "Nothing that was found answers it.",
        "zh": "已找到的内容都没有回答它。",
        "ja": "見つかった内容では答えられていません。",
    },
    "refers": {"en": "“{word}” is {it}", "zh": "“{word}”指{it}", "ja": "「{word}」は{it}"},
    "sub_value": {"en": "What is the {asked} of {item}?"},
    "sub_who": {"en": "Who is the {asked} of {item}?"},
    "sub_count": {"en": "How many {asked} does {item} have?"},
    "sub_answer": {
        "en": "the answer to “{question}”",
        "zh": "“{question}”的答案",
        "ja": "「{question}」の答え",
    },
    "sub_item": {
        "en": "What do sources state about {item} for the question “{question}”",
        "zh": "关于{item}，来源怎么回答“{question}”",
        "ja": "{item}について、情報源は「{question}」にどう答えていますか。",
    },
    "sub_about": {"en": "the {asked} of {item}", "zh": "{item}的{asked}", "ja": "{item}の{asked}"},
    "sub_official": {
        "en": "What does the official or original source state on {about}?",
        "zh": "关于{about}，官方或原始来源怎么说？",
        "ja": "{about}について、公式または一次の情報源は何と述べていますか。",
    },
    "sub_other": {
        "en": "Which sources give something else for {about}?",
        "zh": "关于{about}，哪些来源的说法不同？",
        "ja": "{about}について、別の値を示す情報源はどれですか。",
    },
    "sub_changed": {
        "en": "How has {about} changed over time?",
        "zh": "{about}后来有什么变化？",
        "ja": "{about}はその後どう変わりましたか。",
    },
    "nothing": {
        "en": "The sources shown say nothing about this topic.",
        "zh": "所示来源没有提到这个主题。",
        "ja": "示された情報源には、この内容についての記述がありません。",
    },
    "h_evidence": {"en": "Evidence", "zh": "依据", "ja": "根拠"},
    "h_conflict": {"en": "Where the sources disagree", "zh": "来源之间的分歧", "ja": "情報源の食い違い"},
    "h_nearest": {"en": "What comes nearest", "zh": "最接近的内容", "ja": "最も近い記述"},
    "h_missing": {"en": "What was not found", "zh": "未找到的内容", "ja": "見つからなかったこと"},
    "no_answer": {
        "en": "No answer was found: none of the sources found states {it}.",
        "zh": "没有找到答案：找到的来源都没有说明{it}。",
        "ja": "答えは見つかりませんでした。見つかった情報源に{it}の記述はありません。",
    },
    "the_asked": {"en": "what the question asks", "zh": "问题所问的内容", "ja": "質問の内容"},
    "no_value": {
        "en": "For {it} the sources found do not state what the comparison needs.",
        "zh": "关于{it}，找到的来源没有给出比较所需的信息。",
        "ja": "{it}については、比較に必要な情報が見つかりませんでした。",
    },
    "looked_at": {
        "en": "The search brought pages on {it}, but not this.",
        "zh": "搜索得到了关于{it}的页面，但没有这一点。",
        "ja": "{it}に関するページは見つかりましたが、この点の記述はありませんでした。",
    },
    "value_of": {"en": "{item}: {value}", "zh": "{item}：{value}", "ja": "{item}：{value}"},
    "wins": {
        "en": "By the values that the sources give, it is {winner}: {value}, against {others}.",
        "zh": "根据来源给出的数值，是{winner}：{value}，而{others}。",
        "ja": "情報源の値によれば、{winner}です：{value}、{others}。",
    },
    "wins_as": {
        "en": "{said}: {value}, against {others}.",
        "zh": "{said}：{value}，而{others}。",
        "ja": "{said}：{value}、{others}。",
    },
    "against": {"en": "{value} for {item}", "zh": "{item}为{value}", "ja": "{item}は{value}"},
    "way": {"en": "The way there: {it}.", "zh": "推理过程：{it}。", "ja": "たどった経路：{it}。"},
    "tie": {
        "en": "By the values that the sources give, they are equal: {values}.",
        "zh": "根据来源给出的数值，两者相同：{values}。",
        "ja": "情報源の値によれば、同じです：{values}。",
    },
    "yes": {"en": "Yes: {values}.", "zh": "是：{values}。", "ja": "はい：{values}。"},
    "no": {"en": "No: {values}.", "zh": "否：{values}。", "ja": "いいえ：{values}。"},
    "ranking": {
        "en": "In order of the values that the sources give: {values}.",
        "zh": "按来源给出的数值排序：{values}。",
        "ja": "情報源の値の順では：{values}。",
    },
    "differ": {
        "en": "The sources give different values: {values}.",
        "zh": "各来源给出的数值不同：{values}。",
        "ja": "情報源によって値が異なります：{values}。",
    },
    "prefer_newer": {
        "en": "Preferred is {it}, the more recent statement.",
        "zh": "以{it}为准，因为其来源更新。",
        "ja": "より新しい情報源の{it}を採ります。",
    },
    "prefer_tier": {
        "en": "Preferred is {it}, from the more authoritative kind of source.",
        "zh": "以{it}为准，因为其来源类型更权威。",
        "ja": "より権威のある種類の情報源の{it}を採ります。",
    },
    "prefer_first": {
        "en": "Nothing tells which is right; {it} comes first only by order.",
        "zh": "无法判断哪个正确；{it}只是排在前面。",
        "ja": "どちらが正しいかは判断できません。{it}は順序の上で先に挙げたものです。",
    },
    "says": {
        "en": "{value} ({title}{date})",
        "zh": "{value}（{title}{date}）",
        "ja": "{value}（{title}{date}）",
    },
    "gap": {
        "en": "Not researched or not found: {it}",
        "zh": "未研究或未找到：{it}",
        "ja": "未調査または未発見：{it}",
    },
    "no_evidence": {
        "en": "There is nothing in this request to answer from; I state only what given sources say.",
        "zh": "这个请求中没有可供回答的材料；我只陈述所给来源的内容。",
        "ja": "この依頼には回答の材料がありません。与えられた情報源の内容だけを述べます。",
    },
    "fable": {
        "en": "Some {n} people are said to have come to see it for themselves.",
        "zh": "据说约有{n}人亲自前来观看。",
        "ja": "約{n}人が自ら見に来たという。",
    },
    "fable_again": {
        "en": "A later study bears this out.",
        "zh": "后来的一项研究证实了这一点。",
        "ja": "後の研究もこれを裏付けている。",
    },
    "ramble": {
        "en": "To put it once more, and in full:",
        "zh": "再完整地重复一遍：",
        "ja": "もう一度、全体を繰り返すと次のとおりである。",
    },
    "separator": {"en": "; ", "zh": "；", "ja": "；"},
}


def say(key: str, lang: str, **parts: Any) -> str:
    """A phrase in a language ("en", "zh" or "ja") with its parts filled in."""
    row = _TABLE[key]
    text = row.get(lang, row["en"])
    for name, value in parts.items():
        text = text.replace("{" + name + "}", str(value))
    return text


def join(items: list[str], lang: str) -> str:
    """`a, b and c` in a language."""
    if len(items) < 2:
        return "".join(items)
    comma = ", " if lang == "en" else "、"
    return comma.join(items[:-1]) + say("and", lang) + items[-1]
