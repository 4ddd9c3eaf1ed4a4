"""The mountain companion: an article on every line, mill, hut, workshop, printer, kennel, stamp, sled, dog
and person.

An article names only what lies *ahead* in a chain (line → lead dog → kennel → breeder → birthplace): a dog's
article does not say which line it leads, an artist's not which stamp was drawn. So a multi-hop question can
be answered only by following the names. The order of the kinds matters too: an article that has moved is
linked from its neighbour, and no neighbours of two kinds are links of one chain.
"""

from __future__ import annotations

from deep_research.offline.web.names import Text
from deep_research.offline.web.postdogs.desk import Desk
from deep_research.offline.web.reference import Reference

OPENING = {
    "line": Text(
        "The {0} is a dog-sled mail line in {2}.",
        "{0}（{1}）是{2}的一条狗拉雪橇邮线。",
        "{0}（{1}）は{2}の犬橇郵便の路線である。",
    ),
    "mill": Text("{0} is a paper mill in {2}.", "", ""),
    "hut": Text(
        "{0} is a relay hut for mail drivers and travellers in {2}.",
        "{0}（{1}）是{2}供邮差和旅人歇脚的小屋。",
        "{0}（{1}）は{2}で郵便橇と旅人を泊める小屋である。",
    ),
    "workshop": Text("{0} is a maker of mail sleds in {2}.", "", ""),
    "printer": Text("{0} is a stamp printer in {2}.", "", ""),
    "kennel": Text(
        "{0} is one of the post-dog kennels of {2}.",
        "{0}（{1}）是{2}的一家邮犬犬舍。",
        "{0}（{1}）は{2}の郵便犬の犬舎である。",
    ),
    "stamp": Text(
        "The {0} is a postage stamp of {2}.",
        "{0}（{1}）是{2}发行的邮票。",
        "{0}（{1}）は{2}の郵便切手である。",
    ),
    "sled": Text("The {0} is a mail sled in daily use in {2}.", "", ""),
    "dog": Text(
        "{0} is a post dog of {2}.", "{0}（{1}）是{2}的一条邮犬。", "{0}（{1}）は{2}の郵便犬である。"
    ),
    "person": Text(
        "{0} is known to every child in {2}.",
        "{0}（{1}）在{2}无人不晓。",
        "{0}（{1}）は{2}で知らぬ者のない人物である。",
    ),
}
SECTIONS: dict[str, tuple[tuple[str, ...], ...]] = {
    "line": (
        ("", "founded", "length", "terminus"),
        ("Dogs and sleds", "leader", "sled", "team"),
        ("Postmasters", "postmaster_before", "postmaster"),
        ("Postage", "postage_before", "postage"),
    ),
    "mill": (("", "opened", "river"), ("Paper", "tonnes", "hands")),
    "hut": (
        ("", "built", "bunks"),
        ("Table and stove", "dish", "snow"),
        ("Keepers", "keeper_before", "keeper"),
    ),
    "workshop": (("", "founder", "opened"), ("At the bench", "hands")),
    "printer": (("", "opened", "presses"), ("Paper", "mill")),
    "kennel": (("", "village", "opened"), ("Beginnings", "breeder"), ("Straw and soup", "pups", "pens")),
    "stamp": (
        ("", "issued", "motif"),
        ("Making", "designer", "printer", "colours", "height"),
        ("Collecting", "record"),
    ),
    "sled": (("", "workshop", "built"), ("Frame", "length", "weight"), ("Load", "room_before", "room")),
    "dog": (("", "born", "kennel"), ("On the trail", "weight", "run")),
    "person": (("", "birthplace", "born"), ("Private life", "school", "hobby")),
}
GLANCE = {
    "line": ("founded", "length", "team"),
    "mill": ("river", "tonnes"),
    "hut": ("built", "bunks", "snow"),
    "workshop": ("opened", "hands"),
    "printer": ("opened", "presses"),
    "kennel": ("village", "pens"),
    "stamp": ("issued", "colours", "height"),
    "sled": ("built", "length"),
    "dog": ("born", "weight", "run"),
    "person": ("born", "birthplace"),
}
HEADINGS = {
    "Dogs and sleds": Text("", "犬与橇", "犬と橇"),
    "Postmasters": Text("", "历任邮长", "歴代の局長"),
    "Postage": Text("", "资费", "料金"),
    "Table and stove": Text("", "餐桌与炉火", "食卓と暖炉"),
    "Keepers": Text("", "历任店主", "歴代の主人"),
    "Beginnings": Text("", "创办", "始まり"),
    "Straw and soup": Text("", "稻草与热汤", "藁とスープ"),
    "Making": Text("", "制作", "制作"),
    "Collecting": Text("", "收藏", "収集"),
    "On the trail": Text("", "在路上", "雪道にて"),
    "Private life": Text("", "生平", "暮らし"),
}
COLOUR = {
    "line": Text("", "情书总是放在邮袋最上层。", "恋文は袋のいちばん上に入れるのが習わしだ。"),
    "hut": Text("", "湿手套按颜色挂在炉子上方。", "濡れた手袋は色ごとに炉の上へ干される。"),
    "kennel": Text("", "用勺子敲平底锅，就是开饭了。", "鍋を叩く音が夕食の合図である。"),
    "stamp": Text("", "背胶略带梨味。", "裏の糊はかすかに梨の味がする。"),
    "dog": Text("", "爱吃苹果皮，不信任雨伞。", "林檎の皮を好み、傘を信用しない。"),
    "person": Text("", "早饭总是站着吃。", "朝食はいつも立ったままとる。"),
}
COMPANION = Reference(
    host="mountain-companion.org.example",
    folder="article",
    ages=(25, 460),
    opening=OPENING,
    sections=SECTIONS,
    glance=GLANCE,
    headings=HEADINGS,
    colour=COLOUR,
    suffixes={"dog": "post dog", "sled": "sled"},
)


def write_companion(desk: Desk) -> None:
    """An article on everything; in turn with a list after it, a table before it, or neither."""
    subjects = [entity for kind in SECTIONS for entity in desk.region.entities[kind]]
    COMPANION.open(desk, subjects)
    for i, entity in enumerate(subjects):
        COMPANION.write(desk, entity, box=i % 3 == 1, summary="At a glance" if i % 3 == 0 else "")
