"""The lexicon of the Heights: an article on every valley, mine, foundry, bell, cheese, abbey, work, choir and
person.

An article names only what lies *ahead* in a chain (contest → choir → work → composer → village): a bell's
article does not say in which abbey it hangs, a composer's not what was composed. So a multi-hop question can
be answered only by following the names.
"""

from __future__ import annotations

from deep_research.offline.web.abbeys.desk import Desk
from deep_research.offline.web.names import Text
from deep_research.offline.web.reference import Reference

OPENING = {
    "valley": Text("{0} is a high valley in {2}.", "", ""),
    "mine": Text("{0} is a copper mine in {2}.", "", ""),
    "foundry": Text("{0} is one of the bell foundries of {2}.", "", ""),
    "bell": Text(
        "{0} is a tower bell in {2}.", "{0}（{1}）是{2}的一口塔钟。", "{0}（{1}）は{2}の塔の鐘である。"
    ),
    "cheese": Text(
        "{0} is a hard cheese from {2}.",
        "{0}（{1}）是{2}出产的硬质奶酪。",
        "{0}（{1}）は{2}産の硬いチーズである。",
    ),
    "abbey": Text(
        "{0} is a religious house in {2}, with a dairy of its own.",
        "{0}（{1}）是{2}一座自产奶酪的修院。",
        "{0}（{1}）は{2}にあり、自前の酪農場をもつ。",
    ),
    "work": Text(
        "{0} is a choral piece from {2}, sung without accompaniment.",
        "{0}（{1}）是流传于{2}的无伴奏合唱曲。",
        "{0}（{1}）は{2}の無伴奏合唱曲である。",
    ),
    "choir": Text(
        "The {0} is a mountain choir from {2}.",
        "{0}（{1}）是来自{2}的山地合唱队伍。",
        "{0}（{1}）は{2}の山の合唱隊である。",
    ),
    "person": Text(
        "{0} is remembered in {2} by everyone above a certain age.",
        "{0}（{1}）在{2}家喻户晓。",
        "{0}（{1}）は{2}で広く名を知られた人である。",
    ),
}
SECTIONS: dict[str, tuple[tuple[str, ...], ...]] = {
    "valley": (("", "river", "people"), ("Roads", "pass_height")),
    "mine": (("", "valley", "opened"), ("Workings", "depth", "miners")),
    "foundry": (
        ("", "lit", "copper"),
        ("Workshop", "furnaces", "apprentices"),
        ("Masters", "master_before", "master"),
    ),
    "bell": (("", "foundry", "cast"), ("Sound", "diameter", "pitch_before", "pitch")),
    "cheese": (
        ("", "milk", "deviser"),
        ("In the cave", "months", "litres"),
        ("Trade", "first", "price_before", "price"),
    ),
    "abbey": (
        ("", "valley", "hallowed"),
        ("House and tower", "altitude", "bell", "members"),
        ("Dairy", "cheese", "cellarer_before", "cellarer"),
    ),
    "work": (("", "composer", "premiere"), ("Score", "bars", "parts", "kept")),
    "choir": (
        ("", "formed", "home"),
        ("Cantors", "cantor_before", "cantor"),
        ("On stage", "singers", "opener"),
    ),
    "person": (("", "born", "birthplace"), ("Craft", "teacher", "instrument")),
}
GLANCE = {
    "valley": ("river", "pass_height", "people"),
    "mine": ("opened", "depth"),
    "foundry": ("lit", "furnaces"),
    "bell": ("cast", "diameter"),
    "cheese": ("milk", "months", "first"),
    "abbey": ("hallowed", "altitude", "members"),
    "work": ("premiere", "bars"),
    "choir": ("formed", "singers"),
    "person": ("born", "instrument"),
}
HEADINGS = {
    "Sound": Text("", "音色", "音"),
    "In the cave": Text("", "窖藏", "洞窟にて"),
    "Trade": Text("", "买卖", "商い"),
    "House and tower": Text("", "院舍与钟楼", "建物と塔"),
    "Dairy": Text("", "奶坊", "酪農場"),
    "Score": Text("", "乐谱", "楽譜"),
    "Cantors": Text("", "历任领唱", "歴代の楽長"),
    "On stage": Text("", "登台", "舞台"),
    "Craft": Text("", "技艺", "技"),
}
COLOUR = {
    "abbey": Text("", "图书室的猫在唱诗席上有自己的座位。", "図書室の猫には聖歌隊席に自分の場所がある。"),
    "choir": Text("", "团员用木柴抵交罚款。", "団員は罰金を薪で払う。"),
    "work": Text("", "晒干草的日子里从不演唱此曲。", "干し草を干す日には決して歌われない。"),
    "bell": Text("", "敲响前一分钟，燕子便离开钟楼。", "鳴る一分前に燕が塔を離れる。"),
    "cheese": Text("", "用指节敲一敲，好奶酪会像鼓一样回响。", "指で叩くと太鼓のように鳴るのが良品だ。"),
    "person": Text("", "书房里摆满了压干的龙胆花。", "書斎の棚は押し花のリンドウで埋まっている。"),
}
LEXICON = Reference(
    host="heights-lexicon.org.example",
    folder="entry",
    ages=(15, 500),
    opening=OPENING,
    sections=SECTIONS,
    glance=GLANCE,
    headings=HEADINGS,
    colour=COLOUR,
    suffixes={"bell": "bell", "cheese": "cheese"},
)


def write_lexicon(desk: Desk) -> None:
    """An article on everything; in turn with a table before it, a list after it, or neither."""
    subjects = [entity for kind in SECTIONS for entity in desk.region.entities[kind]]
    LEXICON.open(desk, subjects)
    for i, entity in enumerate(subjects):
        LEXICON.write(desk, entity, box=i % 3 == 0, summary="In short" if i % 3 == 1 else "")
