"""The picture of a graph with matplotlib: frames, then lines, then boxes; what a run took on top.

Lines leave a box below and enter the next one above, upright at both ends, so an arrowhead is always upright.
Lines that share a side of a box are spread along it in the order of where they go.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from .display import INK, LINE, LIT, LIT_INK, MARK, MUTED, PALE, PANEL, PAPER, WARN, new_figure, to_png
from .frames import Drawing, Frame, Point
from .graph_shape import Shape, Taken, label, spoken
from .layout import BOX, Edge

_ROW = 0.62
"""Inches from one row to the next."""
_HEIGHT, _END = 0.34, (0.5, 0.24)
_LETTER, _FONT = 0.072, 7.8
_ARROW = (0.036, 0.085)
"""Half the width, and the length, of an arrowhead in inches."""
_EDGE = 0.18


def picture(shape: Shape, drawing: Drawing, marked: set[str], way: Taken | None, title: str) -> bytes:
    """The graph as PNG; `way` lights up what a run took."""
    longest = max((len(label(node)) for node in shape.nodes), default=0)
    sheet = _Sheet(drawing, max(1.1, longest * _LETTER + 0.16), title, way)
    for frame in drawing.frames:
        sheet.frame(frame)
    ports = _ports(drawing)
    lit = way.edges if way else frozenset(shape.edges)
    for edge, choice in sorted(shape.edges.items(), key=lambda item: item[0] in lit):
        sheet.line(edge, choice, ports, edge in lit)
    for node in shape.nodes:
        sheet.box(node, drawing.at[node], node in marked)
    return to_png(sheet.figure)


class _Sheet:
    """A figure in inches, and how things are drawn on it."""

    def __init__(self, drawing: Drawing, width: float, title: str, way: Taken | None) -> None:
        self._drawing, self._width, self._way = drawing, width, way
        self._column = width / BOX
        left, right = (side * self._column for side in drawing.span())
        loops = any(not route for route in drawing.routes.values())
        across = max(right - left + 2 * _EDGE + (0.3 if loops else 0), 2.6, len(title) * 0.09 + 0.3)
        head = (0.22 if title else 0) + (0.18 if way else 0)
        high = drawing.bottom * _ROW + head + 0.1
        self.figure = new_figure(across, high)
        self._axes: Any = self.figure.add_axes((0, 0, 1, 1))
        self._axes.set_axis_off()
        start = (left + right) / 2 - across / 2 + (0.1 if loops else 0)
        self._axes.set_xlim(start, start + across)
        self._axes.set_ylim(-drawing.bottom * _ROW, head + 0.1)
        if title:
            self._axes.text(start + 0.12, head, title, fontsize=9.5, weight="bold", color=INK, va="top")
        if way:
            words = "blue: ran (×n: n times) · pale: did not run" + (
                " · orange: failed" if way.failed else ""
            )
            self._axes.text(
                start + 0.12, head - (0.24 if title else 0), words, fontsize=7, color=MUTED, va="top"
            )

    def _inches(self, point: Point) -> Point:
        return point[0] * self._column, -point[1] * _ROW

    def frame(self, frame: Frame) -> None:
        from matplotlib.patches import FancyBboxPatch

        (left, top), (right, bottom) = (
            self._inches((frame.left, frame.top)),
            self._inches((frame.right, frame.bottom)),
        )
        style = "round,pad=0,rounding_size=0.1"
        self._axes.add_patch(
            FancyBboxPatch(
                (left, bottom),
                right - left,
                top - bottom,
                boxstyle=style,
                fc=PANEL,
                ec=LINE,
                lw=0.6,
                zorder=0,
            )
        )
        name = frame.name.rpartition(":")[2]
        x, y, side = self._corner(frame, len(name) * 0.065 / self._column)
        place = {"ha": side, "va": "center", "zorder": 1}
        self._axes.text(*self._inches((x, y)), name, fontsize=7.2, style="italic", color=MUTED, **place)

    def _corner(self, frame: Frame, width: float) -> tuple[float, float, str]:
        """Where a frame's name stands: in the first corner, from above, that no line runs through."""
        points = [point for route in self._drawing.routes.values() for point in route]
        corners = [
            (x, y, side)
            for y in (frame.top + 0.2, frame.bottom - 0.2)
            for x, side in ((frame.left + 0.05, "left"), (frame.right - 0.05, "right"))
        ]
        for x, y, side in corners:
            start = x if side == "left" else x - width
            if not any(start - 0.05 < px < start + width + 0.05 and abs(py - y) < 0.5 for px, py in points):
                return x, y, side
        return corners[0]

    def line(self, edge: Edge, choice: bool, ports: dict[tuple[Edge, int], float], lit: bool) -> None:
        """A smooth line through the bends of an edge; thick if a run took it, pale if it did not."""
        from matplotlib.patches import PathPatch, Polygon

        route = self._drawing.routes[edge]
        points = self._loop(edge[0]) if not route else self._ends(edge, route, ports)
        colour = (LIT_INK if lit else LINE) if self._way else MUTED
        width = 1.7 if self._way and lit else 0.9
        style = (0, (3, 2)) if choice else "-"
        order = 2.5 if lit else 2
        tip, before = points[-1], points[-2]
        half, long = _ARROW
        if route:
            back = long if before[1] > tip[1] else -long
            points = [*points[:-1], (tip[0], tip[1] + back)]
            head = [tip, (tip[0] - half, tip[1] + back), (tip[0] + half, tip[1] + back)]
        else:
            head = [tip, (tip[0] + long, tip[1] - half), (tip[0] + long, tip[1] + half)]
        curve = _curve(points) if route else _bow(points)
        self._axes.add_patch(PathPatch(curve, fc="none", ec=colour, lw=width, ls=style, zorder=order))
        self._axes.add_patch(Polygon(head, closed=True, fc=colour, ec="none", zorder=order))

    def _ends(self, edge: Edge, route: list[Point], ports: dict[tuple[Edge, int], float]) -> list[Point]:
        """The way in inches, from the border of one box to the border of the other."""
        points = [self._inches(point) for point in route]
        down = 1 if points[-1][1] < points[0][1] else -1
        for end, node, sign in ((0, edge[0], -down), (-1, edge[1], down)):
            reach = (_END[1] if spoken(node) != node else _HEIGHT) / 2
            points[end] = (points[end][0] + ports[edge, end], points[end][1] + sign * reach)
        return points

    def _loop(self, node: str) -> list[Point]:
        x, y = self._inches(self._drawing.at[node])
        x += self._width / 2
        return [(x, y + 0.09), (x + 0.27, y + 0.12), (x + 0.27, y - 0.12), (x, y - 0.09)]

    def box(self, node: str, place: Point, marked: bool) -> None:
        """A node; the start and the end are small and grey."""
        from matplotlib.patches import FancyBboxPatch

        x, y = self._inches(place)
        end = spoken(node) != node
        width, height = _END if end else (self._width, _HEIGHT)
        fill, border, ink, line = self._colours(node, end, marked)
        style = f"round,pad=0,rounding_size={0.12 if end else 0.07}"
        corner = (x - width / 2, y - height / 2)
        self._axes.add_patch(
            FancyBboxPatch(corner, width, height, boxstyle=style, fc=fill, ec=border, lw=line, zorder=3)
        )
        self._axes.text(x, y, label(node), fontsize=_FONT, ha="center", va="center", color=ink, zorder=4)
        if self._way and self._way.times.get(node, 0) > 1:
            self._badge(x + width / 2, y + height / 2, f"×{self._way.times[node]}")

    def _colours(self, node: str, end: bool, marked: bool) -> tuple[str, str, str, float]:
        """Fill, border, letters, and the width of the border."""
        if not self._way or end:
            return (MARK if marked else LINE if end else PAPER), INK, INK, 0.9
        if node not in self._way.times:
            return (MARK if marked else PAPER), LINE, PALE, 0.9
        return (MARK if marked else LIT), (WARN if node in self._way.failed else LIT_INK), INK, 1.6

    def _badge(self, x: float, y: float, words: str) -> None:
        box = {"boxstyle": "round,pad=0.18", "fc": LIT_INK, "ec": "none"}
        self._axes.text(
            x - 0.02,
            y,
            words,
            fontsize=6.5,
            weight="bold",
            color=PAPER,
            ha="center",
            va="center",
            bbox=box,
            zorder=5,
        )


def _curve(points: Sequence[Point]) -> Any:
    """Upright at every point, and straight where two points stand above each other."""
    from matplotlib.path import Path

    vertices, codes = [points[0]], [Path.MOVETO]
    for (x0, y0), (x1, y1) in pairwise(points):
        middle = (y0 + y1) / 2
        vertices += [(x0, middle), (x1, middle), (x1, y1)]
        codes += [Path.CURVE4] * 3
    return Path(vertices, codes)


def _bow(points: Sequence[Point]) -> Any:
    from matplotlib.path import Path

    return Path([*points[:-1], (points[-1][0] + _ARROW[1], points[-1][1])], [Path.MOVETO, *[Path.CURVE4] * 3])


def _ports(drawing: Drawing) -> dict[tuple[Edge, int], float]:
    """Where on a box's upper or lower side each line ends (0 its source, -1 its target), in inches."""
    sides: dict[tuple[str, bool], list[tuple[float, Edge, int]]] = {}
    for edge, route in drawing.routes.items():
        if not route:
            continue
        for end, node, following in ((0, edge[0], route[1]), (-1, edge[1], route[-2])):
            upper = following[1] < route[end][1]
            sides.setdefault((node, upper), []).append((following[0], edge, end))
    ports = {}
    for (node, _), lines in sides.items():
        step = 0.12 if spoken(node) != node else 0.22
        for place, (_, edge, end) in enumerate(sorted(lines)):
            ports[edge, end] = (place - (len(lines) - 1) / 2) * step
    return ports
