"""The output specification, enforced: what code can make of a draft, whatever the model has made of it.

Sections that were wanted are there and in order; the form, the length and the place of the summary are those
of the settings. Nothing is rewritten: sentences are moved or left out, and what was left out is listed in
`removed`. A run whose settings ask for nothing keeps its draft as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from .forms import ended, in_form, sentences
from .ledger import CITATION, body_of, cited_ids, ids_for_numbers, render_citations
from .output_notes import most_words
from .settings import OutputSettings, Settings
from .state import Removed, Source
from .strictness import strict
from .text import CJK
from .verification.claims import CitedSentence, all_sentences
from .verification.loose_addresses import NOTHING_GIVEN, Given
from .verification.removal import without

WORDS = {
    "en": {
        "summary": "Summary",
        "empty": "Nothing was found for this section.",
        "nothing": "Nothing is left that the settings allow.",
        "left_out": "Left out, as the settings want: {it}.",
        "hedged": "hedged",
        "predictive": "predicted",
        "opinion": "opinion",
        "not_primary": "without a primary source",
        "leaning": "leaning on one of these",
    },
    "zh": {
        "summary": "摘要",
        "empty": "没有找到与本节有关的内容。",
        "nothing": "没有留下设置所允许的内容。",
        "left_out": "按设置略去的句子：{it}。",
        "hedged": "不确定",
        "predictive": "预测",
        "opinion": "意见",
        "not_primary": "没有一手来源",
        "leaning": "承接上述句子",
    },
    "ja": {
        "summary": "要約",
        "empty": "この節に当たる内容は見つかりませんでした。",
        "nothing": "設定が認める内容は残りませんでした。",
        "left_out": "設定により省いた文：{it}。",
        "hedged": "不確か",
        "predictive": "予測",
        "opinion": "意見",
        "not_primary": "一次情報なし",
        "leaning": "省いた文に続くもの",
    },
}
_SUMMARY = re.compile(
    r"\W*(?:(?:executive )?summary|in brief|key takeaways|摘要|内容提要|总结|要約|まとめ|概要)\W*",
    re.IGNORECASE,
)
_SECTION = re.compile(r"^(##[ \t]+[^\n]*)\n", re.MULTILINE)
_WORD = re.compile(r"[^\W_]\S*")


@dataclass
class Shaped:
    """A draft after shaping, what was left out of it, and the wanted sections that nothing was found for."""

    markdown: str
    removed: list[Removed] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def asks_for_shape(output: OutputSettings) -> bool:
    """Whether there is anything to enforce."""
    parts = (output.words, output.pages, output.sections, output.drop, output.primary_only)
    return any(parts) or output.form != "report" or output.summary != "as_fits"


def shape(
    draft: str, sources: Sequence[Source], language: str, settings: Settings, given: Given = NOTHING_GIVEN
) -> Shaped:
    """A draft that cites ids, as the output specification wants it; one that cites nothing is left alone.

    Addresses that are `given` stay (see `render_citations`).
    """
    if not asks_for_shape(settings.output) or not cited_ids(draft):
        return Shaped(draft)
    rendered = render_citations(draft, sources, language, given)
    if not rendered.cited:
        return Shaped(draft)
    body, gone = strict(body_of(rendered.markdown), rendered.cited, settings.output)
    body = re.sub(r"\n{3,}", "\n\n", body)
    shaped = _shaped(body, settings.output, language)
    shaped.markdown = ids_for_numbers(_with_notice(shaped.markdown, gone, language), rendered.cited)
    shaped.removed = [*rendered.removed, *gone, *shaped.removed]
    return shaped


def _with_notice(body: str, gone: Sequence[Removed], language: str) -> str:
    """The text with a last line on what strict settings have cost it; what is listed there stays findable."""
    if not gone:
        return body
    words, counts = WORDS[language], Counter(one.reason.partition(":")[0] for one in gone)
    it = ", ".join(f"{words[kind]} {number}" for kind, number in sorted(counts.items()))
    nothing = [] if CITATION.search(body) else [words["nothing"]]
    return "\n\n".join([body.rstrip(), *nothing, words["left_out"].format(it=it)]) + "\n"


def _shaped(body: str, output: OutputSettings, language: str) -> Shaped:
    """The same on a text with numbers in it and no source list."""
    body, missing = with_sections(body, output.sections, language)
    summary = ""
    if output.summary != "as_fits":
        body, summary = without_summary(body)
    if output.summary in ("top", "end"):
        summary, _ = shortened(summary or summary_of(body), output.summary_words)
    else:
        summary = ""
    body, most = in_form(body, output.form), most_words(output, language)
    body, gone = shortened(body, most - count_words(summary)) if most else (body, [])
    removed = [Removed(number="", reason=f"over_length: {said.text}") for said in gone]
    return Shaped(_with_summary(body, summary, output, language), removed, missing)


def count_words(text: str) -> int:
    """Words of a text, each Chinese or Japanese character as one."""
    return len(CJK.findall(text)) + len(_WORD.findall(CJK.sub(" ", text)))


def shortened(markdown: str, most: int) -> tuple[str, list[CitedSentence]]:
    """The text up to the last whole sentence that fits, and the sentences left out; the first one stays."""
    said = all_sentences(markdown)
    total, kept = 0, 0
    for sentence in said:
        total += count_words(sentence.text)
        if kept and total > most:
            break
        kept += 1
    gone = said[kept:]
    return without(markdown, [(sentence.start, sentence.end) for sentence in gone]), gone


def with_sections(markdown: str, wanted: Sequence[str], language: str) -> tuple[str, list[str]]:
    """The wanted sections in their order, then all others; and the headings that nothing stood under."""
    if not wanted:
        return markdown, []
    opening, *rest = _SECTION.split(markdown)
    sections = list(zip(rest[::2], rest[1::2], strict=True))
    ordered, missing = [], []
    for name in wanted:
        place = next((n for n, (heading, _) in enumerate(sections) if _is_called(heading, name)), None)
        if place is None:
            missing.append(name)
            ordered.append((f"## {name}", f"\n{WORDS[language]['empty']}\n"))
        else:
            ordered.append((f"## {name}", sections.pop(place)[1]))
    texts = [f"{heading}\n\n{text.strip()}" for heading, text in [*ordered, *sections]]
    return "\n\n".join([*([opening.strip()] if opening.strip() else []), *texts]) + "\n", missing


def _is_called(heading: str, name: str) -> bool:
    """Whether a heading is the one wanted, numbering and case aside."""
    plain = re.sub(r"^\W*(?:\d+[.)]?\s+)?", "", heading).casefold().strip(" *:：")
    return plain == name.casefold().strip(" *:：")


def without_summary(markdown: str) -> tuple[str, str]:
    """The text without a summary that the writer has put somewhere, and that summary."""
    opening, *rest = _SECTION.split(markdown)
    kept, summary = [opening], ""
    for heading, text in zip(rest[::2], rest[1::2], strict=True):
        if _SUMMARY.fullmatch(heading):
            summary = summary or text.strip()
        else:
            kept.append(f"{heading}\n{text}")
    return "".join(kept), summary


def summary_of(markdown: str) -> str:
    """A summary made of what is there: each section's first cited sentence, in their order."""
    parts = re.split(r"^#{1,6}[ \t][^\n]*\n", markdown, flags=re.MULTILINE)
    texts = (next((ended(text) for text, said in sentences(part) if said.numbers), "") for part in parts)
    return " ".join(dict.fromkeys(text for text in texts if text))


def _with_summary(body: str, summary: str, output: OutputSettings, language: str) -> str:
    """The text with its summary under the title or at the end, in the same form."""
    if not summary:
        return body
    text = in_form(summary, output.form).strip()
    headed = output.form not in ("plain_text", "list")
    name = WORDS[language]["summary"]
    section = f"## {name}\n\n{text}" if headed else f"{name}{':' if language == 'en' else '：'} {text}"
    title, _, rest = body.partition("\n") if body.startswith("# ") else ("", "", body)
    parts = [title, section, rest.strip()] if output.summary == "top" else [title, rest.strip(), section]
    return "\n\n".join(part for part in parts if part) + "\n"
