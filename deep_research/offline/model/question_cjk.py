"""Understanding a question in Chinese or Japanese: the same anchors and hops, cut at particles.

Possession reads from left to right in both languages. What stands before the name belongs to the end,
except a verb right before it ("建造X的…"), which comes after the noun that it has as object.
"""

from __future__ import annotations

import itertools
import re

from . import lexicon
from .hops import YEAR, Hop, dimension_in, relation_hop
from .names import names
from .question import Question, when_of
from .text import language, term_set, terms

_POSSESSIVE = re.compile(r"的|の|，其|、その|を")
_ORDERS = (
    ("later", r"更晚|较晚|最晚|最新|更新|更年轻|後に|遅い|遅く|新しい|若い"),
    ("earlier", r"更早|较早|最早|先于|更老|年长|先に|早い|早く|古い|年上"),
    (
        "less",
        r"更便宜|最便宜|安い|安く|安かった|更少|最少|较少|更小|最小|更低|最低|更短|最短|更慢|更轻|少ない|小さい|低い|短い|軽い",
    ),
    (
        "more",
        r"たくさん|更贵|最贵|高価|更多|最多|较多|更大|最大|更高|最高|较高|更长|最长|更快|最快|更重|最重|前[一二三四五\d]|多い"
        r"|多かった|多く|高く|長く|重く|速く|大きく|広い|深い|大きい|大きな|高い|長い|速い|重い|上位",
    ),
)
_LINK = re.compile(
    r"^[”」』》\s]*(?:和|与|跟|及|或|或者|还是|、|，|,|と|や|か|または|それとも|比)\s*[去到在从由]?[“「『《]?$"
)
_SAME = re.compile(r"相同|一样|同じ国|共通")
_SUPERLATIVE = re.compile(r"最|いちばん|前[一二三四五\d]|一番|もっとも|上位|順")
_VALUE_NAME = re.compile(r"最(?:高|大|低|小|長|长)(?:的)?(?:速度|时速|時速|高度|出力|功率|航程|定員)")
_WANTS = (
    (
        "number",
        r"多少|多大|多长|多高|多快|多重|几[个艘人座名]|どのくらい|どれくらい|いくつ"
        r"|何(?:[人隻機台件本基名便個枚冊匹頭羽軒歳回度]|時間|日間|分|週|か月|年間|[ァ-ヺー]{2,})|いくら",
    ),
    ("date", r"何时|什么时候|哪一?年|几年|哪一?天|いつ|何年|何月"),
    ("place", r"哪里|哪儿|何处|在哪|どこ"),
    ("name", r"谁|哪位|誰|だれ"),
    ("text", r"为什么|为何|なぜ|どうして"),
)
_COUNT = re.compile(
    r"(?:前|上位)([一二三四五六七八九十\d])|的?([两一二三四五六七八九十])(?:大|つの|[个座家艘名位条种只处所支部棵头匹枚张口件台辆])"
    r"|([一二三四五六七八九十])つ"
)
_DIGITS = {c: i for i, c in enumerate("一二三四五六七八九十", 1)} | {"两": 2}
_ASKING = re.compile(
    r"(?:是)?(?:谁|什么|多少|哪里|哪儿|何时|几[个艘人座名]?|哪[一个艘家座位者年些几]*)|(?:は|が)?(?:誰"
    r"|どこ|いつ|何[ァ-ヺー]{2,}|何時間|何年間?|何日間?|何か月|何\w?|どのくらい|どれくらい|いくつ|いくら|どちら(?:の)?)(?:で|に|が|を)?"
)

_PAIR = re.compile(
    r"(?:请问|比较)?([^，,、。？?的是の和与とや\d]{2,12})(?:和|与|跟|、|と|や)([^，,、。？?的是の和与とや\d]{2,12}?)"
    r"(?=[，,]|哪|谁|的|相比|之间|では|は|の|で)"
)
_REWRITTEN = (
    (r"(?:是|は)?哪[一个座里儿]*(?:村子?|城市?|镇|地方|国家?)?的?人(?=[？?]|$)", "的出生地"),
    (r"^(§[^的，。？]+)的(?=[这那][首个座家位艘条口只幅本部])", r"\1"),
    (r"是由?(?=谁)", "的"),
    (r"[？?，,、。][这那][位个名]\w{1,4}?(?:的|(?=小时候|出生|住|喜|在|有|是))", "的"),
    (r"[？?](?:[这那该]个?人|[这那该其他她]|その人?|この|それ)", "的"),
    (r"(?<=[\u4e00-\u9fff])が(?=\w{0,5}(?:ある|いる|住む|開かれた|行われた)[\u4e00-\u9fffァ-ヺ])", "の"),
    (r"では?、?(?=何曜|いつ|どの|どれ)", "の"),
    (r"(?:人|方|者|もの)?は、?(?=誰|どこ|いつ|何|どの|どれ)", "の"),
    (r"(?:人|方|者)?は、(?=[^、。]*(?:何|どんな|どの|どこ|いつ|いくら|いくつ|誰))", "の"),
    (r"どちら(?:の?(?:ほう|方))?が", ""),
    (r"在?[12]\d{3}\s?年(?:的?时候|时|度|に|の)?[，、,]?", ""),
    (r"[？?，,、](?:这|那)[位个种家座艘名只]\w{1,3}的", "的"),
    (r"(?:を)?して(?:いました|います|いる|いた)(?:か)?", ""),
)
"""Turns of phrase, brought to the plain form before a question is cut into parts."""
_META = re.compile(
    r"[^。？?，、]*(?:说法|数字|数据)(?:是否)?一致[吗]?[？?]?|(?:数値|説明)は(?:同じ|一致)[^。]*"
    r"|(?<=[？?，,])[^。？?，,、]*(?:一样|一致|相同|吻合|各说)[^。？?，,]*[？?]?"
    r"|は[^は、。]*(?:食い違|違[いうっ]|一致|同じ|異な|本当|正し)[^。]*|について|究竟|到底"
)
"""What asks about the sources and not about the thing."""


def analyse_cjk(text: str) -> Question:
    """Understand a Chinese or Japanese question."""
    spans = _anchor_spans(text)
    anchors = tuple(text[a:b] for a, b in spans)
    masked = _masked(text, spans)
    for pattern, plain_form in _REWRITTEN:
        masked = re.sub(pattern, plain_form, masked)
    order = "" if _VALUE_NAME.search(masked) else next((n for n, p in _ORDERS if re.search(p, masked)), "")
    shape = _shape(text, spans, masked, order)
    order = order if shape != "fact" else ""
    kind = next((name for name, pattern in _WANTS if re.search(pattern, masked)), "any")
    if shape in {"compare", "rank"}:
        kind = "date" if order in {"earlier", "later"} else "number" if order else kind
    hops = _hops(masked, kind)
    if shape in {"compare", "rank"} and not any(h.relation for h in hops):
        hops = _one(hops, kind)
    count = _COUNT.search(masked)
    digit = next((g for g in count.groups() if g), "1") if count else "1"
    number = int(digit) if digit.isdigit() else _DIGITS.get(digit, 1)
    years = tuple(dict.fromkeys(YEAR.findall(_masked(text, spans))))
    plain = term_set(_ASKING.sub(" ", masked.replace("§", " ")))
    return Question(text, language(text), shape, anchors, hops, order, number, years, plain, when_of(masked))


def _anchor_spans(text: str) -> list[tuple[int, int]]:
    """Spans of the names; without any mark of a name, the words before the first particle stand for one."""
    found = [(n.start, n.end) for n in names(text) if not re.fullmatch(r"\d+年?", n.text)]
    pair = _PAIR.match(text)
    if pair and len(found) < 2:
        return [pair.span(1), pair.span(2)]
    if found:
        return found
    plain, *rest = re.split(r"的|の|是|在|于|は|が|有|和|与|と|、|，", text, maxsplit=1)
    plain = re.sub(r"^(?:请问|请|关于|有关)", "", plain)
    start = text.find(plain)
    usable = bool(rest) and 2 <= len(plain) <= 16 and not _NO_NAME.search(plain)
    return [(start, start + len(plain))] if usable else []


_NO_NAME = re.compile(r"哪|谁|什么|何|どの|誰|\d|^[这那该其他她它]|^(?:その|この|それ|そこ)")
"""What asks, or refers to what was named before."""


def _masked(text: str, spans: list[tuple[int, int]]) -> str:
    out, last = [], 0
    for a, b in spans:
        out += [text[last:a], "§"]
        last = b
    return "".join([*out, text[last:]])


def _shape(text: str, spans: list[tuple[int, int]], masked: str, order: str) -> str:
    linked = any(_LINK.match(text[a[1] : b[0]]) for a, b in itertools.pairwise(spans))
    if len(spans) > 1 and linked:
        return "same" if _SAME.search(masked) else "compare"
    return "rank" if order and _SUPERLATIVE.search(masked) else "fact"


def _hops(masked: str, kind: str) -> tuple[Hop, ...]:
    """Parts after the anchor in order, then what stood before it."""
    first, last = masked.find("§"), masked.rfind("§")
    before, after = (masked[:first], masked[last + 1 :]) if first >= 0 else ("", masked)
    if first >= 0 and not terms(_ASKING.sub(" ", after)):
        before, after = "", before
    asked = re.sub(r"[？?。]", " ", _META.sub("", _ASKING.sub("", after)))
    parts = [p.strip() for p in _POSSESSIVE.split(asked) if terms(p)]
    verb = before.strip() if first >= 0 and _relations(before) and not re.search(r"[，,、]", before) else ""
    if verb and parts:
        parts = [parts[0], verb + (parts[1] if len(parts) > 1 else ""), *parts[2:]]
    elif terms(before):
        parts = [*parts, before] if not parts else [*parts[:-1], f"{parts[-1]} {before}"]
    hops: list[Hop] = []
    parts = [p for p in parts if re.search(r"[^\u3040-\u309f]", p)] or parts
    for i, part in enumerate(parts):
        hops += _part_hops(part, kind if i == len(parts) - 1 else "name")
    return tuple(
        h for i, h in enumerate(hops) if i == 0 or not h.relation or h.relation != hops[i - 1].relation
    )


def _one(hops: tuple[Hop, ...], kind: str) -> tuple[Hop, ...]:
    """What things are compared or ranked by is one thing, however many words say it."""
    stems = tuple(dict.fromkeys(t for h in hops for t in h.loose))
    return (Hop("", kind, "".join(h.asked for h in hops), stems, dimension_in(stems)),) if hops else ()


def _relations(part: str) -> list[tuple[int, str]]:
    """Known relations in a part with their place, in order; the first relation of a word counts."""
    found: dict[int, str] = {}
    for relation in lexicon.RELATIONS:
        for word in (w for w in relation.asked.split() if not w.isascii()):
            place = part.find(word)
            if place >= 0 and len(word) > 1:
                found.setdefault(place, relation.key)
    return sorted(found.items())


def _part_hops(part: str, kind: str) -> list[Hop]:
    known = _relations(part)
    if known and kind != "number":
        keys = [
            _fitting(part, place, key, kind if i == len(known) - 1 else "name")
            for i, (place, key) in enumerate(known)
        ]
        return [relation_hop(key, part) for key in keys]
    stems = tuple(dict.fromkeys(terms(part)))
    key = dimension_in(stems)
    return [Hop("", "number" if kind == "any" and key else kind, part, stems, key)]


def _fitting(part: str, place: int, key: str, kind: str) -> str:
    """Of the relations that share the word at a place, the one with the wanted kind of value."""
    for relation in lexicon.RELATIONS:
        if relation.wants == kind and any(
            part.startswith(w, place) for w in relation.asked.split() if not w.isascii()
        ):
            return relation.key
    return key
