"""The delta's handbook: an article on every library, barge, clerk, clockmaker, forge, book, bindery, town and
person.

An article names only what lies *ahead* in a chain (library → clerk → maker → founder → islet): a clerk's
article does not say where it serves, an author's not what was written. So a multi-hop question can be
answered only by following the names.
"""

from __future__ import annotations

from deep_research.offline.web.libraries.desk import Desk
from deep_research.offline.web.names import Text
from deep_research.offline.web.reference import Reference

OPENING = {
    "library": Text(
        "{0} is a public library in {2}, open to anyone with dry hands.",
        "{0}（{1}）是{2}的一座公共图书馆。",
        "{0}（{1}）は{2}の公共図書館である。",
    ),
    "barge": Text(
        "The {0} brings books to the canals of {2}.", "", "{0}（{1}）は{2}の運河をめぐり本を貸す船である。"
    ),
    "clerk": Text(
        "{0} is a mechanical library clerk in {2}, wound up with a key.",
        "{0}（{1}）是{2}一位靠发条走动的机械馆员。",
        "",
    ),
    "maker": Text(
        "{0} is a workshop in {2} that makes mechanical clerks.", "{0}（{1}）是{2}制造机械馆员的作坊。", ""
    ),
    "forge": Text("{0} makes clock springs in {2}.", "", ""),
    "book": Text(
        "{0} is a book that most people in {2} claim to have read.",
        "",
        "{0}（{1}）は{2}でよく知られた本である。",
    ),
    "bindery": Text("{0} is one of the bookbinders of {2}.", "", ""),
    "town": Text("{0} is a town in {2}, built on piles.", "", ""),
    "person": Text(
        "{0} is a well-known figure in {2}.",
        "{0}（{1}）是{2}的知名人物。",
        "{0}（{1}）は{2}の著名な人物である。",
    ),
}
SECTIONS: dict[str, tuple[tuple[str, ...], ...]] = {
    "library": (
        ("", "town", "opened", "clerk"),
        ("Rooms and holdings", "seats", "shelves", "treasure"),
        ("Membership", "fee_before", "fee"),
        ("Head librarians", "librarian_before", "librarian"),
    ),
    "barge": (
        ("", "launched", "home"),
        ("Captains", "captain_before", "captain"),
        ("On board", "length", "stops", "favourite"),
    ),
    "clerk": (
        ("", "maker", "made"),
        ("Body", "height", "cogs"),
        ("Habits", "tune", "winding_before", "winding"),
    ),
    "maker": (("", "opened", "founder"), ("Workshop", "staff", "spring")),
    "forge": (("", "lit", "town"), ("Works", "smiths", "chimney")),
    "book": (("", "author", "topic"), ("The volume", "pages", "pictures", "bindery", "worth")),
    "bindery": (("", "opened", "town"), ("Craft", "binders", "leather")),
    "town": (("", "people", "bridges"), ("Square and market", "market", "statue")),
    "person": (("", "born", "islet"), ("Life", "job", "pet")),
}
GLANCE = {
    "library": ("opened", "seats", "shelves"),
    "barge": ("launched", "length", "stops"),
    "clerk": ("made", "height", "cogs"),
    "maker": ("opened", "staff"),
    "forge": ("lit", "chimney"),
    "book": ("topic", "pages", "worth"),
    "bindery": ("opened", "leather"),
    "town": ("people", "bridges"),
    "person": ("born", "job"),
}
HEADINGS = {
    "Rooms and holdings": Text("", "馆舍与馆藏", "部屋と蔵書"),
    "Membership": Text("", "会费", "会費"),
    "Head librarians": Text("", "历任馆长", "歴代の館長"),
    "Captains": Text("", "历任船长", "歴代の船長"),
    "On board": Text("", "船上", "船内"),
    "Body": Text("", "构造", "からだ"),
    "Habits": Text("", "习性", "癖"),
    "Workshop": Text("", "作坊", "工房"),
    "The volume": Text("", "书籍本身", "本の体裁"),
    "Life": Text("", "生平", "人となり"),
}
COLOUR = {
    "library": Text("", "下雨天，地图室里供应热汤。", "雨の日には地図室で汁物が出る。"),
    "barge": Text("", "", "詩集は喫水線の下にしまわれている。"),
    "clerk": Text("", "见到帽子它就鞠躬，对雨伞则不理不睬。", ""),
    "maker": Text("", "装游丝的时候不许说话。", ""),
    "book": Text("", "", "声を出して笑わないよう、読者は注意される。"),
    "person": Text("", "屋里有一把谁也不许坐的椅子。", "家には誰も座ってはいけない椅子がある。"),
}
HANDBOOK = Reference(
    host="canal-handbook.org.example",
    folder="about",
    ages=(20, 480),
    opening=OPENING,
    sections=SECTIONS,
    glance=GLANCE,
    headings=HEADINGS,
    colour=COLOUR,
    suffixes={"clerk": "mechanical clerk", "book": "book"},
)


def write_handbook(desk: Desk) -> None:
    """An article on everything; in turn with neither, a table before it, or a list after it."""
    subjects = [entity for kind in SECTIONS for entity in desk.region.entities[kind]]
    HANDBOOK.open(desk, subjects)
    for i, entity in enumerate(subjects):
        HANDBOOK.write(desk, entity, box=i % 3 == 1, summary="The essentials" if i % 3 == 2 else "")
