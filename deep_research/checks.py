"""What the reader sees of the verification: marks in the text, a line that sums up, and where sources differ.

All words stand here, in English, Chinese and Japanese. Nothing is hidden: a sentence that the rules could not
confirm is marked where it stands and listed with the reason, or, in the strict mode, taken out and listed in
`removed`.
"""

# ruff: noqa: E501 - one phrase a line, so that three languages can be compared

from __future__ import annotations

from collections.abc import Sequence

from .guard import without_ids
from .ledger import plain_line
from .state import Claim, Conflict
from .text import shorten
from .verification.claim_check import REASONS
from .verification.claims import MARK
from .verification.lost_citations import LOST
from .verification.marks import CHECK_HEADINGS, with_marks
from .verification.removal import without
from .verifier import Checked

_WORDS = {
    "en": {
        "failed": "The verifier failed, so no sentence of this report has been checked: {why}.",
        "sum": "{n} cited sentences were compared with the pages that they cite: evidence found for {found}, "
        "flagged {flagged}, uncheckable {open}.",
        "sum_one": "1 cited sentence was compared with what it cites: evidence found for {found}, "
        "flagged {flagged}, uncheckable {open}.",
        "lost": "Left without a citation, since theirs were taken out: {n}.",
        "judge": "A judge model has read {judged} of them: supported {supported}, partial {partial}, "
        "contradicted {contradicted}, unsupported {unsupported}.",
        "gone": "Not confirmed and taken out: {n}.",
        "rules": "Words, numbers, dates and names were compared; whether a page bears a sentence out, only a "
        "reader can tell.",
        "flagged": "Flagged ({mark} in the text):",
        "conflicts": "Where sources give different values",
        "columns": "| About | Source | Says | Date | Kind | Used |",
        "used": "yes: {reason}",
        "tier": "more authoritative",
        "newer": "more recent",
        "weaker": "though another source is more authoritative",
        "stale": "though another source is more recent",
        "none": "nothing speaks for it",
        "number": "number", "date": "date", "name": "name", "negation": "negation",
        "comparison": "comparison",
        "not_found": "not found in the source", "citation_removed": "its citation was taken out",
        "separator": ", ",
    },
    "zh": {
        "failed": "核对程序出错，本报告的句子均未经核对：“{why}”。",
        "sum": "已将{n}个带引用的句子与所引页面对照：找到依据{found}句，标记{flagged}句，无法核对{open}句。",
        "lost": "所引来源被删去、已无引用：{n}句。",
        "judge": "评判模型阅读了其中{judged}句：支持{supported}，部分支持{partial}，矛盾{contradicted}，不支持{unsupported}。",
        "gone": "未能证实而删去：{n}句。",
        "rules": "核对的是词语、数字、日期和名称；页面是否真正支持该句，只有读者才能判断。",
        "flagged": "已标记（文中以{mark}表示）：",
        "conflicts": "来源数值不一致之处",
        "columns": "| 内容 | 来源 | 说法 | 日期 | 类型 | 采用 |",
        "used": "是：{reason}",
        "tier": "来源更权威",
        "newer": "来源更新",
        "weaker": "但另有更权威的来源",
        "stale": "但另有更新的来源",
        "none": "没有优先采用的依据",
        "number": "数字", "date": "日期", "name": "名称", "negation": "否定", "comparison": "比较",
        "government": "政府", "academic": "学术", "preprint": "预印本", "organization": "机构",
        "document": "文件", "social": "社交", "unverified": "未核实",
        "not_found": "来源中未找到", "citation_removed": "其引用已被删去", "separator": "、",
    },
    "ja": {
        "failed": "照合に失敗したため、この報告の文は照合されていません：「{why}」。",
        "sum": "出典付きの{n}文を引用元のページと照合しました：根拠あり{found}、要確認{flagged}、照合不能{open}。",
        "lost": "出典が削除され、引用のない文：{n}。",
        "judge": "判定モデルが{judged}文を読みました：支持{supported}、一部支持{partial}、矛盾{contradicted}、支持なし{unsupported}。",
        "gone": "確認できず削除：{n}文。",
        "rules": "照合したのは語句・数値・日付・名称です。ページが文を本当に裏付けるかは、読む人にしか判断できません。",
        "flagged": "要確認（本文では{mark}）：",
        "conflicts": "情報源の値が異なる点",
        "columns": "| 内容 | 情報源 | 記述 | 日付 | 種類 | 採用 |",
        "used": "採用：{reason}",
        "tier": "より権威のある情報源",
        "newer": "より新しい情報源",
        "weaker": "ただし、より権威のある情報源がほかにある",
        "stale": "ただし、より新しい情報源がほかにある",
        "none": "優先する根拠はない",
        "number": "数値", "date": "日付", "name": "名称", "negation": "否定", "comparison": "比較",
        "government": "政府", "academic": "学術", "preprint": "査読前論文", "organization": "団体",
        "document": "文書", "social": "投稿", "unverified": "未確認",
        "not_found": "情報源に見つからない", "citation_removed": "出典が削除された", "separator": "、",
    },
}  # fmt: skip
DOUBTED = ("flagged", "contradicted", "unsupported")
"""Verdicts whose sentence is marked, or taken out in the strict mode."""


def marked(markdown: str, checked: Sequence[Checked]) -> str:
    """The report with a mark behind each sentence that could not be confirmed."""
    return with_marks(markdown, [said for said, claim in checked if claim.verdict in DOUBTED])


def without_doubted(markdown: str, checked: Sequence[Checked]) -> str:
    """The report without the sentences that could not be confirmed, and without what they leave empty."""
    return without(markdown, [(said.start, said.end) for said, claim in checked if claim.verdict in DOUBTED])


def honesty(claims: Sequence[Claim], language: str) -> str:
    """The line that sums up: how many sentences, what was found, by whom."""
    words = _WORDS[language]
    compared = [claim for claim in claims if LOST not in claim.reasons]
    judged = [claim.verdict for claim in compared if claim.checked_by == "judge"]
    flagged = sum(any(reason in REASONS for reason in claim.reasons) for claim in compared)
    uncheckable = sum(claim.verdict == "uncheckable" for claim in compared)
    found, n = len(compared) - flagged - uncheckable, len(compared)
    form = words["sum_one"] if n == 1 and "sum_one" in words else words["sum"]
    line = form.format(n=n, found=found, flagged=flagged, open=uncheckable)
    if n < len(claims):
        line = f"{line} {words['lost'].format(n=len(claims) - n)}"
    if judged:
        counts = {v: judged.count(v) for v in ("supported", "partial", "contradicted", "unsupported")}
        return f"{line} {words['judge'].format(judged=len(judged), **counts)}"
    return line


def failed(why: str, language: str) -> str:
    """The section of a report whose verifier failed: a reader must not take it for a checked one."""
    words = _WORDS[language]
    return f"\n## {CHECK_HEADINGS[language]}\n\n{words['failed'].format(why=_plain(shorten(why, 200)))}\n"


def section(
    claims: Sequence[Claim], conflicts: Sequence[Conflict], language: str, *, taken_out: int = 0
) -> str:
    """The report's last section: the line that sums up, what was flagged and why, where sources differ."""
    if not claims and not taken_out:
        return ""
    words = _WORDS[language]
    gone = [words["gone"].format(n=taken_out)] if taken_out else []
    parts = [f"## {CHECK_HEADINGS[language]}", " ".join([honesty(claims, language), *gone, words["rules"]])]
    doubted = doubts(claims, language)
    if doubted:
        parts += [words["flagged"].format(mark=MARK), "\n".join(f"- {line}" for line in doubted)]
    if conflicts:
        parts += [f"### {words['conflicts']}", _table(conflicts, words)]
    return "\n" + "\n\n".join(parts) + "\n"


def doubts(claims: Sequence[Claim], language: str) -> list[str]:
    """A line for each sentence that could not be confirmed: its beginning, and why."""
    words = _WORDS[language]
    doubted = [claim for claim in claims if claim.verdict in DOUBTED]
    return [f"“{_plain(shorten(claim.text, 160))}”: {_reasons(claim, words)}" for claim in doubted]


def _reasons(claim: Claim, words: dict[str, str]) -> str:
    said = (
        words[reason] if reason in (*REASONS, LOST) else _plain(shorten(reason, 240))
        for reason in claim.reasons
    )
    return words["separator"].join(said) or claim.verdict


def _table(conflicts: Sequence[Conflict], words: dict[str, str]) -> str:
    """A row for each source; its number stands without brackets, since a row is no claim that cites it."""
    rows = [words["columns"], "|---|---|---|---|---|---|"]
    for conflict in conflicts:
        about = _cell(shorten(conflict.about, 80))
        for place, said in enumerate(conflict.statements):
            used = words["used"].format(reason=words[conflict.reason]) if place == 0 else ""
            title = f"{f'{said.number}. ' if said.number else ''}{_cell(said.title)}"
            date, tier = _cell(said.published or ""), words.get(said.tier, said.tier)
            rows.append(f"| {about} | {title} | {_cell(said.value)} | {date} | {tier} | {used} |")
            about = ""
    return "\n".join(rows)


def _cell(text: str) -> str:
    return _plain(text).replace("|", "\\|")


def _plain(text: str) -> str:
    """Words of a page or a model as one line that Markdown shows as they are, and that cites nothing."""
    return plain_line(without_ids(text))
