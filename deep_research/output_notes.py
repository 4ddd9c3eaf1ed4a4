"""The output specification in words, as prompts have it: a line for each thing that the settings state.

What is not stated has no line, so prompts of a run without wishes are as they were. The specification is one,
wherever its parts stand: `output`, the period, regions and exclusions of `scope`, and `language`.
"""

# ruff: noqa: E501 - one phrase a line, so that three languages can be compared

from __future__ import annotations

import re
from collections.abc import Iterator

from .charts import EXAMPLE, INSTRUCTIONS
from .prompting import LANGUAGES_IN, limits_of, scope_line
from .settings import OutputSettings, Settings

WORDS_PER_PAGE = {"en": 400, "zh": 800, "ja": 800}
_WORDS = {
    "en": {
        "settled": "The settings settle these points; they outweigh what is said above, and nobody needs to be asked about them:",
        "slides": "Form: slides. Each section is one slide: its heading and at most five bullet points of one short sentence.",
        "key_points": "Form: key points. Every statement is a bullet point of its own, one sentence long.",
        "plain_text": "Form: plain text. Paragraphs and nothing else: no headings but the title, no lists, tables or emphasis.",
        "list": "Form: one numbered list. An item is one sentence; no introduction, no headings but the title.",
        "length": "Length: at most {n} words.",
        "none": "Summary: none.",
        "top": "Summary: a section “Summary” of about {n} words stands right under the title.",
        "end": "Summary: a section “Summary” of about {n} words stands at the end.",
        "sections": "Sections: exactly these, in this order: {it}",
        "tone": "Tone: {it}",
        "some": "Charts: where several figures compare, a chart or two.",
        "many": "Charts: a chart for everything that can be drawn.",
        "language": "Language of the report: {it}",
        "prefer": "Sources to prefer: {it}",
        "ban": "Sources never to use: {it}",
        "allow": "Use no other sources than: {it}",
        "separator": "; ",
    },
    "zh": {
        "settled": "以下各点由设置规定，优先于上文，也无需再问：",
        "slides": "形式：幻灯片。每节一张：标题，加上最多五个要点，每个要点一个短句。",
        "key_points": "形式：要点。每项陈述单独成为一个要点，一句话。",
        "plain_text": "形式：纯文本。只有段落：除题目外没有标题，没有列表、表格和强调。",
        "list": "形式：一个编号列表。每项一句话；没有引言，除题目外没有标题。",
        "length": "篇幅：最多{n}字。",
        "none": "摘要：不要。",
        "top": "摘要：题目之下紧接“摘要”一节，约{n}字。",
        "end": "摘要：文末设“摘要”一节，约{n}字。",
        "sections": "章节：恰好这些，按此顺序：{it}",
        "tone": "语气：{it}",
        "some": "图表：在比较多个数字的地方用一两张图。",
        "many": "图表：凡能画成图的都用图。",
        "language": "报告的语言：{it}",
        "prefer": "优先的来源：{it}",
        "ban": "绝不使用的来源：{it}",
        "allow": "只使用这些来源：{it}",
        "separator": "；",
    },
    "ja": {
        "settled": "次の点は設定で決まっており、上の指示に優先する。改めて尋ねる必要はない。",
        "slides": "形式：スライド。一節を一枚とし、見出しと、短い一文の箇条書きを五つまで。",
        "key_points": "形式：要点。述べることを一つずつ、一文の箇条書きにする。",
        "plain_text": "形式：プレーンテキスト。段落だけにする。題名のほかに見出しを置かず、箇条書き、表、強調も使わない。",
        "list": "形式：番号付きの一覧一つ。一項目は一文。前置きは書かず、題名のほかに見出しを置かない。",
        "length": "長さ：{n}字以内。",
        "none": "要約：付けない。",
        "top": "要約：題名のすぐ下に「要約」の節を{n}字ほどで置く。",
        "end": "要約：終わりに「要約」の節を{n}字ほどで置く。",
        "sections": "節：次のものだけを、この順で：{it}",
        "tone": "文体：{it}",
        "some": "図：複数の数値を比べるところに一つか二つ。",
        "many": "図：図にできるものはすべて図にする。",
        "language": "報告の言語：{it}",
        "prefer": "優先する情報源：{it}",
        "ban": "決して使わない情報源：{it}",
        "allow": "使ってよい情報源はこれだけ：{it}",
        "separator": "；",
    },
}  # fmt: skip
_ASKED_ABOUT = {
    "period": r"\bperiod\b|time (?:range|frame|span)|which years?|since when|时间|时期|期间|哪几?年|期間|時期|いつ",
    "regions": r"\bregions?\b|\bcountr(?:y|ies)\b|地区|哪些?国|国家|地域|どの国",
    "length": r"\bhow (?:long|many (?:words|pages))\b|\blength\b|篇幅|多长|字数|长度|長さ|文字数|何ページ",
    "form": r"\bformat\b|\bslides?\b|bullet points?|(?:in )?(?:what|which) form\b|形式|格式|幻灯片|スライド|箇条書き",
    "language": r"\b(?:what|which) language\b|哪种语言|什么语言|何語|どの言語",
    "tone": r"\btone\b|语气|文体|口調",
    "sections": r"\b(?:what|which) (?:sections|chapters|parts)\b|哪些(?:章节|部分)|どの(?:節|章)",
    "summary": r"\bsummary\b|摘要|要約",
}
_ASKS = re.compile(r"[^.?!。？！\n]*[?？]|[^.?!。？！\n]*か。")


def most_words(output: OutputSettings, language: str) -> int | None:
    """The longest text in words (characters for zh and ja); None if there is no cap."""
    pages = [round(output.pages * WORDS_PER_PAGE[language])] if output.pages else []
    return min([*([output.words] if output.words else []), *pages], default=None)


def output_lines(settings: Settings, language: str) -> list[str]:
    """What `output`, `language` and the rules on sources state, a line each, in the prompt's language."""
    output, search, words = settings.output, settings.search, _WORDS[language]
    named = {
        "prefer": words["separator"].join([*search.prefer_domains, *search.prefer_kinds]),
        "ban": words["separator"].join(search.ban_kinds),
        "allow": words["separator"].join(search.allow_kinds),
        "sections": words["separator"].join(output.sections),
        "tone": output.tone or "",
        "language": LANGUAGES_IN[language].get(settings.language, ""),
    }
    lines = [words[output.form]] if output.form != "report" else []
    length = most_words(output, "en" if settings.language == "auto" else settings.language)
    lines += [words["length"].format(n=length)] if length else []
    lines += [words[output.summary].format(n=output.summary_words)] if output.summary != "as_fits" else []
    lines += [words[name].format(it=value) for name, value in named.items() if value]
    lines += [words[output.charts]] if output.charts != "none" else []
    return [f"- {line}" for line in lines]


def output_notes(settings: Settings, *, reader: bool = False) -> str:
    """The whole specification under a line that says what it is; empty where nothing is stated.

    With `reader` it ends with how a chart is written, where one is wanted, and with what the settings say of
    the user: that is for those who write for them.
    """
    language = settings.prompt_language
    lines = [scope_line(name, values, language) for name, values in limits_of(settings.scope).items()]
    lines += output_lines(settings, language)
    if reader and settings.output.charts != "none":
        lines.append(f"- {INSTRUCTIONS[language].format(example=EXAMPLE)}")
    about = list(settings.scope.user_info.values()) if reader else []
    lines += [scope_line("user", [", ".join(about)], language)] if about else []
    return "\n".join([_WORDS[language]["settled"], "", *lines]) if lines else ""


def _settled(settings: Settings) -> Iterator[str]:
    """The names of what needs no asking."""
    output, scope = settings.output, settings.scope
    stated = {
        "period": bool(scope.period or settings.search.after or settings.search.before),
        "regions": bool(scope.regions or scope.exclude_regions),
        "length": bool(output.words or output.pages),
        "form": output.form != "report",
        "language": settings.language != "auto",
        "tone": bool(output.tone),
        "sections": bool(output.sections),
        "summary": output.summary != "as_fits",
    }
    return (name for name, is_stated in stated.items() if is_stated)


def asks_only_what_is_settled(question: str, settings: Settings) -> bool:
    """Whether everything that a message asks the user is stated by the settings already."""
    patterns = [_ASKED_ABOUT[name] for name in _settled(settings)]
    asked = _ASKS.findall(question) or [question]
    return bool(patterns) and all(re.search("|".join(patterns), part, re.IGNORECASE) for part in asked)
