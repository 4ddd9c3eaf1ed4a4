"""The output specification, enforced: what code can make of a draft, whatever the model has made of it.

Sections that were wanted are there and in order; the form, the length and the place of the summary are those
of the settings. Nothing is rewritten: sentences are moved or left out, and what was left out is listed in
`removed`. A run whose settings ask for nothing keeps its draft as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from deep_research.core.forms import denies
from deep_research.core.records import Removed, Source
from deep_research.core.words import phrases
from deep_research.engine.context import Context
from deep_research.engine.output_requests import most_words
from deep_research.settings.parts import OutputSettings
from deep_research.sources.citations import clean_citations
from deep_research.text.addresses import NOTHING_GIVEN, Given
from deep_research.text.blocks import without_spans
from deep_research.text.cited_sentences import CitedSentence
from deep_research.text.language import CJK, count_words
from deep_research.text.source_ids import cited_ids, sentences_citing_ids

from .forms import apply_form, sentence_lines, with_full_stop
from .strictness import strict_report, with_primary_citations

_WORDS = phrases("reports.shape")
ShapeWords = Mapping[str, str]
"""What shaping says of itself, in the language of the report."""
_SUMMARY = re.compile(
    r"\W*(?:(?:executive )?summary|in brief|key takeaways|摘要|内容提要|总结|要約|まとめ|概要)\W*",
    re.IGNORECASE,
)
_SECTION = re.compile(r"^(##[ \t]+[^\n]*)\n", re.MULTILINE)
_HEADINGS = [words["heading"].partition("{")[0] for words in phrases("reports.perspectives").values()]
_ELSEWHERE = re.compile(rf"^## (?:{'|'.join(_HEADINGS)})", re.MULTILINE)


@dataclass
class Shaped:
    """A draft after shaping, what was left out of it, and the wanted sections that nothing was found for."""

    markdown: str
    removed: list[Removed] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    lost_lead: Sequence[str] = ()
    """What the paragraph that came first cited, if the settings have left nothing of it."""


def asks_for_shape(output: OutputSettings) -> bool:
    """Whether there is anything to enforce."""
    parts = (output.words, output.pages, output.sections, output.drop, output.primary_only)
    return any(parts) or output.form != "report" or output.summary != "as_fits"


def shape_report(draft: str, sources: Sequence[Source], ctx: Context, given: Given = NOTHING_GIVEN) -> Shaped:
    """A draft that cites ids, as the output specification wants it; one that cites nothing is left alone.

    Addresses that are `given` stay (see `clean_citations`).
    """
    output = ctx.settings.output
    if not asks_for_shape(output) or not cited_ids(draft):
        return Shaped(draft)
    text = clean_citations(draft, sources, given)
    if not text.cited:
        return Shaped(draft)
    words = _WORDS[ctx.language]
    body = with_primary_citations(text.markdown, sources, ctx) if output.primary_only else text.markdown
    lead = _lead(body)
    body, gone = strict_report(body, sources, output)
    body = re.sub(r"\n{3,}", "\n\n", body)
    shaped = _shaped(body, output, words, most_words(ctx))
    shaped.markdown = _with_notice(shaped.markdown, gone, words)
    shaped.removed = [*text.removed, *gone, *shaped.removed]
    told = {one.reason.partition(": ")[2] for one in gone}
    if lead and told >= lead.keys():
        cited = {name for names in lead.values() for name in names}
        shaped.lost_lead = [f"“{one.title or one.key}”" for one in sources if one.id in cited]
    return shaped


def _lead(body: str) -> dict[str, Sequence[str]]:
    """The sentences of the first paragraph that cites anything, with what they cite."""
    cited = list(sentences_citing_ids(body))
    end = body.find("\n\n", cited[0].start) if cited else -1
    return {said.text: said.ids for said in cited if end < 0 or said.start < end}


def _with_notice(body: str, gone: Sequence[Removed], words: ShapeWords) -> str:
    """The text with a last line on what strict settings have cost it; what is listed there stays findable."""
    if not gone:
        return body
    counts = Counter(one.reason.partition(":")[0] for one in gone)
    it = ", ".join(f"{words[kind]} {number}" for kind, number in sorted(counts.items()))
    nothing = [] if cited_ids(body) else [words["nothing"]]
    return "\n\n".join([body.rstrip(), *nothing, words["left_out"].format(it=it)]) + "\n"


def _shaped(body: str, output: OutputSettings, words: ShapeWords, most: int | None) -> Shaped:
    """The text with the wanted sections, summary and form, and with `most` words at most."""
    body, missing = with_sections(body, output.sections, words)
    summary = ""
    if output.summary != "as_fits":
        body, summary = without_summary(body)
    if output.summary == "top" and not summary:
        body, summary = without_opening(body, output.summary_words)
    if output.summary in ("top", "end"):
        summary, _ = shortened_report(summary or summary_of(body), output.summary_words)
    else:
        summary = ""
    body = apply_form(body, output.form)
    body, gone = shortened_report(body, most - count_words(summary)) if most else (body, [])
    removed = [Removed(number="", reason=f"over_length: {said.text}") for said in gone]
    return Shaped(_with_summary(body, summary, output, words), removed, missing)


def shortened_report(markdown: str, most: int) -> tuple[str, list[CitedSentence]]:
    """The text up to the last whole sentence that fits, and the sentences left out; the first one stays."""
    said = sentences_citing_ids(markdown)
    total, kept = 0, 0
    for sentence in said:
        total += count_words(sentence.text)
        if kept and total > most:
            break
        kept += 1
    gone = said[kept:]
    return without_spans(markdown, [(sentence.start, sentence.end) for sentence in gone]), gone


def with_sections(markdown: str, wanted: Sequence[str], words: ShapeWords) -> tuple[str, list[str]]:
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
            ordered.append((f"## {name}", f"\n{words['empty']}\n"))
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


def without_opening(markdown: str, most: int) -> tuple[str, str]:
    """The text without an opening of at most so many words that cites or denies something, and that opening:
    what a summary would repeat, or put a lesser thing before."""
    opening, *rest = _SECTION.split(markdown, maxsplit=1)
    title, _, lead = opening.partition("\n") if opening.startswith("# ") else ("", "", opening)
    if (
        not (cited_ids(lead) or denies(lead))
        or sum(count_words(said.text) for said in sentences_citing_ids(lead)) > most
    ):
        return markdown, ""
    return f"{title}\n\n" + "\n".join(rest), lead.strip()


def summary_of(markdown: str) -> str:
    """A summary made of what is there: each section's first cited sentence, in their order.

    Other perspectives are no part of what was asked, and stay out of it.
    """
    asked = _ELSEWHERE.split(markdown, maxsplit=1)[0]
    parts = re.split(r"^#{1,6}[ \t][^\n]*\n", asked, flags=re.MULTILINE)
    texts = (
        next((with_full_stop(text) for text, said in sentence_lines(part) if said.ids), "") for part in parts
    )
    return " ".join(dict.fromkeys(text for text in texts if text))


def _with_summary(body: str, summary: str, output: OutputSettings, words: ShapeWords) -> str:
    """The text with its summary under the title or at the end, in the same form."""
    if not summary:
        return body
    text = apply_form(summary, output.form).strip()
    headed = output.form not in ("plain_text", "list")
    name = words["summary"]
    section = f"## {name}\n\n{text}" if headed else f"{name}{'：' if CJK.search(name) else ':'} {text}"
    title, _, rest = body.partition("\n") if body.startswith("# ") else ("", "", body)
    parts = [title, section, rest.strip()] if output.summary == "top" else [title, rest.strip(), section]
    return "\n\n".join(part for part in parts if part) + "\n"
