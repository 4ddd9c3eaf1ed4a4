"""The airship encyclopedia: articles about lines, airships, yards, makers, harbours and people.

Each article names only what lies *ahead* in a chain (line → flagship → yard → founder → birthplace): the
airship's article does not say whose flagship it is, the founder's biography does not name the yard. So a
multi-hop question can be answered only by following the names.
"""

from __future__ import annotations

from deep_research.offline.web.airships.desk import Desk
from deep_research.offline.web.names import Text
from deep_research.offline.web.reference import Reference

OPENING = {
    "line": Text(
        "{0} is one of the airship lines of {2}.",
        "{0}（{1}）是{2}的一家飞艇公司。",
        "{0}（{1}）は{2}の飛行船会社である。",
    ),
    "ship": Text(
        "The {0} is a passenger airship registered in {2}.",
        "{0}（{1}）是在{2}注册的客运飞艇。",
        "{0}（{1}）は{2}に登録された旅客飛行船である。",
    ),
    "yard": Text(
        "{0} is a shipyard for airships in {2}.",
        "{0}（{1}）是{2}的一家飞艇船厂。",
        "{0}（{1}）は{2}の飛行船造船所である。",
    ),
    "maker": Text("{0} is a manufacturer of airship engines in {2}.", "", ""),
    "harbour": Text(
        "{0} is an airship harbour in {2}.",
        "{0}（{1}）是{2}的一座飞艇港。",
        "{0}（{1}）は{2}の飛行船港である。",
    ),
    "person": Text(
        "{0} is a well-known figure in the airship trade of {2}.",
        "{0}（{1}）是{2}飞艇界的知名人物。",
        "{0}（{1}）は{2}の飛行船業界で知られる人物である。",
    ),
}
SECTIONS = {
    "line": (
        ("", "founded", "base"),
        ("History", "head_before", "head"),
        ("Operations", "flagship", "fleet"),
    ),
    "ship": (
        ("", "launched", "yard"),
        ("Design", "length", "engine"),
        ("Refit", "refit", "capacity_before", "capacity"),
    ),
    "yard": (("", "founded", "town"), ("Origins", "founder"), ("Today", "workers", "slips")),
    "maker": (("", "founded"), ("People and places", "founder", "town")),
    "harbour": (
        ("", "island", "opened"),
        ("Facilities", "masts", "elevation"),
        ("Administration", "master_before", "master"),
    ),
    "person": (("", "born", "birthplace"), ("Education", "studied")),
}
GLANCE = {
    "line": ("founded", "base", "flagship"),
    "ship": ("launched", "yard", "length"),
    "yard": ("founded", "slips"),
    "maker": ("founded", "town"),
    "harbour": ("opened", "masts", "elevation"),
    "person": ("born", "birthplace"),
}
HEADINGS = {
    "History": Text("", "历史", "歴史"),
    "Operations": Text("", "运营", "運航"),
    "Design": Text("", "设计", "設計"),
    "Refit": Text("", "改装", "改装"),
    "Origins": Text("", "起源", "起源"),
    "Today": Text("", "现状", "現在"),
    "Facilities": Text("", "设施", "施設"),
    "Administration": Text("", "管理", "管理"),
    "Education": Text("", "求学经历", "学歴"),
}
COLOUR = {
    "line": Text("", "老乘客都说船上的汤比毯子好。", "常連客は毛布よりもスープを褒める。"),
    "ship": Text(
        "", "无风的夜晚，船员会为观星者打开走廊。", "風のない夜には星を見る人のために回廊が開かれる。"
    ),
    "yard": Text("", "每当艇体出棚，厂里就会敲钟。", "船体が格納庫を出るたびに鐘が鳴らされる。"),
    "person": Text("", "同事们记得此人不喜欢冗长的会议。", "同僚によれば、長い会議を嫌ったという。"),
    "harbour": Text("", "雾钟响起时，港口的咖啡馆才会打烊。", "霧の鐘が鳴るときだけ、港の喫茶店は閉まる。"),
}
ENCYCLOPEDIA = Reference(
    host="cloudlore.org.example",
    folder="wiki",
    ages=(20, 420),
    opening=OPENING,
    sections=SECTIONS,
    glance=GLANCE,
    headings=HEADINGS,
    colour=COLOUR,
    suffixes={"ship": "airship"},
)


def write_encyclopedia(desk: Desk) -> None:
    """An article on every entity that has one, every other with a table."""
    for kind in SECTIONS:
        ENCYCLOPEDIA.open(desk, desk.region.entities[kind])
    for kind in SECTIONS:
        for i, entity in enumerate(desk.region.entities[kind]):
            ENCYCLOPEDIA.write(desk, entity, box=i % 2 == 0)
