"""Understanding a question in Chinese or Japanese: the same anchors and hops, cut at the possessive particle."""

from __future__ import annotations

import re

from . import lexicon
from .names import names
from .question import YEAR, Hop, Question, relation_hop
from .text import language, term_set, terms

_PARTICLE = re.compile(r"的|の")
_ORDERS = (
    ("later", r"更晚|较晚|最晚|最新|更新|更年轻|後に|遅い|遅く|新しい|若い"),
    ("earlier", r"更早|较早|最早|先于|更老|年长|先に|早い|早く|古い|年上"),
    ("less", r"更少|最少|较少|更小|最小|更低|最低|更短|最短|更慢|更轻|少ない|小さい|低い|短い|遅い|軽い"),
    (
        "more",
        r"更多|最多|较多|更大|最大|更高|最高|较高|更长|最长|更快|最快|更重|最重|前[一二三四五\d]|多い|大きい|大きな|高い|長い|速い|重い|上位",
    ),
)
_LINK = re.compile(
    r"^[”」』》\s]*(?:和|与|跟|及|或|或者|还是|、|，|,|と|や|か|または|それとも|比)\s*[“「『《]?$"
)
_BETWEEN = re.compile(r"哪(?:个|一个|艘|家|座|位|者|种)?(?:更|较|的)|谁更|相比|比较|どちら|どっち|比べ|较|更")
_WANTS = (
    (
        "number",
        r"多少|多大|多长|多高|多快|多重|几[个艘人座名]|どのくらい|どれくらい|いくつ|何[人隻機台件本メキ]|いくら",
    ),
    ("date", r"何时|什么时候|哪一?年|几年|哪一?天|いつ|何年|何月"),
    ("place", r"哪里|哪儿|何处|在哪|どこ"),
    ("name", r"谁|哪位|誰|だれ"),
    ("text", r"为什么|为何|なぜ|どうして"),
)
_COUNT = re.compile(
    r"(?:前|上位)([一二三四五六七八九十\d])|([一二三四五六七八九十\d])(?:大|つの|个|座|家|艘)"
)
_DIGITS = {c: i for i, c in enumerate("一二三四五六七八九十", 1)}


def analyse_cjk(text: str) -> Question:
    """Understand a Chinese or Japanese question."""
    lang = language(text)
    spans = _anchor_spans(text)
    anchors = tuple(text[a:b] for a, b in spans)
    masked = _masked(text, spans)
    order = next((name for name, pattern in _ORDERS if re.search(pattern, masked)), "")
    shape = _shape(text, spans, masked, order)
    kind = next((name for name, pattern in _WANTS if re.search(pattern, masked)), "any")
    if shape in {"compare", "rank"} and kind in {"any", "name", "place"}:
        kind = "date" if order in {"earlier", "later"} else "number" if order else kind
    hops = _hops(masked, kind)
    count = _COUNT.search(masked)
    digit = (count.group(1) or count.group(2)) if count else "1"
    number = int(digit) if digit.isdigit() else _DIGITS.get(digit, 1)
    return Question(
        text,
        lang,
        shape,
        anchors,
        hops,
        order,
        number,
        tuple(YEAR.findall(masked)),
        term_set(masked.replace("§", " ")),
    )


def _anchor_spans(text: str) -> list[tuple[int, int]]:
    """Spans of the names; without any mark of a name, the words before the first particle stand for one."""
    found = [(n.start, n.end) for n in names(text) if not n.text.isdigit()]
    if found:
        return found
    plain = re.split(r"的|の|是|在|于|は|が|有|和|与|と|、|，", text, maxsplit=1)[0]
    plain = re.sub(r"^(?:请问|请|关于|有关)", "", plain)
    start = text.find(plain)
    return (
        [(start, start + len(plain))]
        if 2 <= len(plain) <= 16 and not re.search(r"哪|谁|什么|何|どの|誰", plain)
        else []
    )


def _masked(text: str, spans: list[tuple[int, int]]) -> str:
    out, last = [], 0
    for a, b in spans:
        out += [text[last:a], "§"]
        last = b
    return "".join([*out, text[last:]])


def _shape(text: str, spans: list[tuple[int, int]], masked: str, order: str) -> str:
    linked = any(_LINK.match(text[a[1] : b[0]]) for a, b in zip(spans, spans[1:], strict=False))
    if len(spans) > 1 and linked and re.search(r"相同|一样|同じ", masked):
        return "same"
    if len(spans) > 1 and linked and (order or _BETWEEN.search(masked)):
        return "compare"
    if len(spans) > 1 and linked:
        return "compare"
    return (
        "rank" if order and re.search(r"最|前[一二三四五\d]|一番|もっとも|最も|上位|順", masked) else "fact"
    )


def _hops(masked: str, kind: str) -> tuple[Hop, ...]:
    """Parts after the anchor, cut at 的 or の, in order; what stands before it belongs to the last."""
    first, last = masked.find("§"), masked.rfind("§")
    before, after = (masked[:first], masked[last + 1 :]) if first >= 0 else ("", masked)
    if first >= 0 and _PARTICLE.search(before) and not terms(after):
        before, after = "", before
    parts = [p for p in _PARTICLE.split(after.strip("”」』》？?。，、 ")) if terms(p)]
    if terms(before):
        parts = [*parts[:-1], f"{parts[-1]} {before}" if parts else before]
    hops = [_hop(part, kind if i == len(parts) - 1 else "name") for i, part in enumerate(parts)]
    return tuple(hop for hop in hops if hop.asked)


def _hop(part: str, kind: str) -> Hop:
    for relation in lexicon.RELATIONS:
        words = [w for w in relation.asked.split() if not w.isascii()]
        if any(w in part for w in words) and kind in {"any", "name", relation.wants}:
            return relation_hop(relation.key, part, term_set(part))
    extra = frozenset(
        t for w, q in lexicon.DIMENSIONS.items() if not w.isascii() and w in part for t in term_set(q)
    )
    return Hop(term_set(part) | extra, "", kind, part)
