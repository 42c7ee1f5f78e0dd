"""Lays out a picture of an ownership structure: boxes and lines for an SVG, in layers.

Pure computation; all numbers are SVG units.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean

WIDTH, HEIGHT = 184, 52
GAP, LAYER_GAP = 28, 64
MARGIN = 12
MOST_CHARACTERS = 24
MOST_IN_ROW = 6  # boxes beside each other: what fits on a page of paper and can be read


@dataclass(frozen=True)
class Box:
    """The box of a party: its top left corner, and the baselines of its texts."""

    party: int
    x: int
    y: int
    title: str
    short_title: str
    subtitle: str
    tone: str
    is_center: bool

    @property
    def middle(self) -> int:
        return self.x + WIDTH // 2

    @property
    def title_y(self) -> int:
        return self.y + 22

    @property
    def subtitle_y(self) -> int:
        return self.y + 39


@dataclass(frozen=True)
class Line:
    """A relation, drawn from the holder down to the held party, with a label at its middle."""

    path: str
    label: str
    label_x: int
    label_y: int
    is_owner: bool


@dataclass(frozen=True)
class Picture:
    width: int
    height: int
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    box_width: int = WIDTH
    box_height: int = HEIGHT


@dataclass(frozen=True)
class Node:
    """The content of a box. `tone`: "fail" for a listed party, "warn" for a possible one, else
    "".
    """

    title: str
    subtitle: str
    tone: str = ""


@dataclass(frozen=True)
class Link:
    holder: int
    held: int
    label: str
    is_owner: bool = True


def draw(center: int, nodes: Mapping[int, Node], links: Iterable[Link]) -> Picture:
    """The picture, with holders above the parties they hold.

    Each party is drawn once, so a cycle contains a line that goes up.
    """
    # A link may lead to a party that the user must not see.
    links = [link for link in links if link.holder in nodes and link.held in nodes]
    layers = list(_rows(_layers(center, nodes, links)))
    # The widest layer and the number of layers give the size of the picture.
    widest = max(len(layer) for layer in layers)
    width = _length(widest, WIDTH, GAP) + 2 * MARGIN
    height = _length(len(layers), HEIGHT, LAYER_GAP) + 2 * MARGIN
    boxes: dict[int, Box] = {}
    y = MARGIN
    for layer in layers:
        # Each layer is centred.
        x = (width - _length(len(layer), WIDTH, GAP)) // 2
        for party in layer:
            boxes[party] = _box(
                party,
                nodes[party],
                x,
                y,
                is_center=party == center,
            )
            x += WIDTH + GAP
        y += HEIGHT + LAYER_GAP
    lines = []
    for link in links:
        line = _line(boxes[link.holder], boxes[link.held], link)
        lines.append(line)
    return Picture(
        width,
        height,
        tuple(boxes.values()),
        tuple(lines),
    )


def _rows(layers: Iterable[list[int]]) -> Iterator[list[int]]:
    """The layers, the wide ones as several rows of nearly the same length."""
    for layer in layers:
        count = -(-len(layer) // MOST_IN_ROW)
        length = -(-len(layer) // count)
        for start in range(0, len(layer), length):
            yield layer[start : start + length]


def _length(count: int, size: int, gap: int) -> int:
    """The length of a row of boxes including the gaps between them."""
    return count * size + (count - 1) * gap


def _layers(
    center: int, nodes: Mapping[int, Node], links: list[Link]
) -> list[list[int]]:
    """The parties in layers by their distance above the center, the farthest layer first."""
    # Breadth first, upwards from the center.
    level = {center: 0}
    frontier = [center]
    while frontier:
        following = []
        for link in links:
            if link.held in frontier and link.holder not in level:
                level[link.holder] = level[link.held] + 1
                following.append(link.holder)
        frontier = following
    for party in nodes:
        # Parties that the center holds, and those that only they hold, are in the layer below.
        level.setdefault(party, -1)
    layers: dict[int, list[int]] = {}
    for party in nodes:
        layers.setdefault(level[party], []).append(party)
    # From the bottom up: place each holder near the middle of what it holds, to avoid crossing
    # lines.
    ordered: list[list[int]] = []
    place: dict[int, float] = {}
    for number in sorted(layers):
        members = layers[number]
        members.sort(key=lambda party: (_middle_of_held(party, links, place), party))
        for index, party in enumerate(members):
            place[party] = index - len(members) / 2
        ordered.append(members)
    ordered.reverse()
    return ordered


def _middle_of_held(party: int, links: list[Link], place: Mapping[int, float]) -> float:
    places = []
    for link in links:
        if link.holder == party and link.held in place:
            places.append(place[link.held])
    return fmean(places) if places else 0.0


def _box(party: int, node: Node, x: int, y: int, *, is_center: bool) -> Box:
    title = node.title
    if len(title) > MOST_CHARACTERS:
        title = f"{title[: MOST_CHARACTERS - 1]}…"
    return Box(
        party=party,
        x=x,
        y=y,
        title=node.title,
        short_title=title,
        subtitle=node.subtitle,
        tone=node.tone,
        is_center=is_center,
    )


def _line(holder: Box, held: Box, link: Link) -> Line:
    if holder.y < held.y:
        start_x, start_y = holder.middle, holder.y + HEIGHT
        end_x, end_y = held.middle, held.y
        # A curve that leaves and enters vertically.
        bend = (start_y + end_y) // 2
        curve = f"C{start_x} {bend} {end_x} {bend} {end_x} {end_y}"
        label_x = (start_x + end_x) // 2
        label_y = bend + 4
        if end_y - start_y > LAYER_GAP:
            # Boxes of other rows may stand in the middle.
            label_x = start_x + (end_x - start_x) // 8
            label_y = start_y + LAYER_GAP // 3
    else:
        # Upwards in a cycle, or sideways: the line leaves and enters at the right edge.
        start_x, start_y = holder.x + WIDTH, holder.y + HEIGHT // 2
        end_x, end_y = held.x + WIDTH, held.y + HEIGHT // 2
        far = max(start_x, end_x) + GAP - 6
        curve = f"C{far} {start_y} {far} {end_y} {end_x} {end_y}"
        label_x = (start_x + end_x) // 2
        label_y = (start_y + end_y) // 2 + 4
    return Line(
        path=f"M{start_x} {start_y}{curve}",
        label=link.label,
        label_x=label_x,
        label_y=label_y,
        is_owner=link.is_owner,
    )
