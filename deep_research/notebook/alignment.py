"""Columns for the rows of a layered drawing, so that lines run straight where they can (Brandes and Köpf).

Every name is lined up with the middle one of its neighbours in the next row, four times: from above and from
below, preferring left and preferring right. The names of one line form a block that shares a column. The
result is the middle of the four, which keeps the order and the gaps that each of them keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise

Rows = Sequence[Sequence[str]]
Links = Mapping[str, Mapping[str, Sequence[str]]]
Gap = Callable[[str, str], float]


def columns(rows: Rows, links: Links, gap: Gap, is_firm: Callable[[str, str], bool]) -> dict[str, float]:
    """A column for every name. `links` says what it is joined to `up` and `down`; firm lines come first."""
    drawings = []
    for way in ("up", "down"):
        for mirrored in (False, True):
            order = [list(row)[:: -1 if mirrored else 1] for row in (rows if way == "up" else rows[::-1])]
            near = {name: list(links[name][way]) for row in rows for name in row}
            blocks = _blocks(order, near, is_firm)
            apart: Gap = (lambda a, b: gap(b, a)) if mirrored else gap
            found = _packed(order, blocks, apart)
            drawings.append({name: -x if mirrored else x for name, x in found.items()})
    return _middle(drawings)


def _blocks(rows: Rows, near: Mapping[str, list[str]], is_firm: Callable[[str, str], bool]) -> dict[str, str]:
    """For every name the first one of its block: lines of aligned names that do not cross each other."""
    place = {name: i for row in rows for i, name in enumerate(row)}
    crossed = _crossed(rows, near, place, is_firm)
    root = {name: name for row in rows for name in row}
    for row in rows[1:]:
        reached = -1
        for name in row:
            others = sorted(near[name], key=place.__getitem__)
            middle = [others[i] for i in dict.fromkeys(((len(others) - 1) // 2, len(others) // 2)) if others]
            for other in middle:
                if root[name] == name and (other, name) not in crossed and reached < place[other]:
                    root[name], reached = root[other], place[other]
    return root


def _crossed(
    rows: Rows, near: Mapping[str, list[str]], place: Mapping[str, int], is_firm: Callable[[str, str], bool]
) -> set[tuple[str, str]]:
    """Lines that cross a firm one: they give way."""
    crossed = set()
    for row in rows[1:]:
        lines = [(other, name) for name in row for other in near[name]]
        firm = [line for line in lines if is_firm(*line)]
        for line in lines:
            rivals = firm[: firm.index(line)] if line in firm else firm
            if any((place[a] - place[line[0]]) * (place[b] - place[line[1]]) < 0 for a, b in rivals):
                crossed.add(line)
    return crossed


def _packed(rows: Rows, root: Mapping[str, str], gap: Gap) -> dict[str, float]:
    """Blocks as far left as their left neighbours let them, then back to the right where there is room."""
    before: dict[str, list[tuple[str, float]]] = {name: [] for name in root.values()}
    behind: dict[str, list[tuple[str, float]]] = {name: [] for name in root.values()}
    for row in rows:
        for left, right in pairwise(row):
            before[root[right]].append((root[left], gap(left, right)))
            behind[root[left]].append((root[right], gap(left, right)))

    @cache
    def leftmost(block: str) -> float:
        return max((leftmost(other) + room for other, room in before[block]), default=0.0)

    @cache
    def settled(block: str) -> float:
        limits = [settled(other) - room for other, room in behind[block]]
        return max(leftmost(block), min(limits)) if limits else leftmost(block)

    return {name: settled(block) for name, block in root.items()}


def _middle(drawings: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The four drawings laid over the narrowest of them, and for each name the mean of the middle two."""

    def span(drawing: Mapping[str, float]) -> tuple[float, float]:
        return min(drawing.values(), default=0.0), max(drawing.values(), default=0.0)

    left, right = min(map(span, drawings), key=lambda ends: ends[1] - ends[0])
    shifts = [
        left - span(drawing)[0] if place % 2 == 0 else right - span(drawing)[1]
        for place, drawing in enumerate(drawings)
    ]
    columns = {}
    for name in drawings[0]:
        values = sorted(drawing[name] + shift for drawing, shift in zip(drawings, shifts, strict=True))
        columns[name] = (values[1] + values[2]) / 2
    return columns
