"""Where the value of a label stands on a card: below it or beside it, on one line or on several."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from checks.fields.layout.cells import Cell
from checks.identity_document import tunables
from checks.identity_document.card_labels import begins_with_label
from checks.screening.romanisation.scripts import is_latin

# The name of a person: letters, with the marks that stand between them.
NAME = re.compile(r"[^\W\d_][^\W\d_'\u2019., -]*(?:[ '\u2019,.-]+[^\W\d_]+)*\.?")


def below(cells: Sequence[Cell], index: int) -> int | None:
    """Return the nearest cell below that begins where this one begins."""
    own = cells[index].box

    def is_candidate(cell: Cell) -> bool:
        step = cell.box.y0 - own.y0
        is_below = 0.5 * own.height < step < tunables.BELOW_LABEL * own.height
        return is_below and abs(cell.box.x0 - own.x0) <= tunables.CARD_COLUMN

    return _nearest(cells, own.page, is_candidate, lambda cell: cell.box.y0)


def beside(cells: Sequence[Cell], index: int) -> int | None:
    """Return the nearest cell on the right."""
    own = cells[index].box

    def is_candidate(cell: Cell) -> bool:
        is_right = cell.box.x0 >= own.x1
        return is_right and cell.box.shared_rows(own) >= tunables.SAME_ROW

    return _nearest(cells, own.page, is_candidate, lambda cell: cell.box.x0)


def _nearest(
    cells: Sequence[Cell],
    page: int,
    is_candidate: Callable[[Cell], bool],
    distance: Callable[[Cell], float],
) -> int | None:
    places = []
    for place, cell in enumerate(cells):
        if cell.box.page == page and is_candidate(cell):
            places.append(place)
    return min(places, key=lambda place: distance(cells[place]), default=None)


def lines_of_name(
    cells: Sequence[Cell], labels: Sequence[str], place: int, field: str
) -> tuple[list[int], bool]:
    """Return the places of the lines of a name that begins at `place`, and whether they surely are.

    Many cards print two surnames on two lines, and a name once in each of two scripts. They surely
    belong to it if a label follows: else a label that is in no table may be among them.
    """
    lines = [place]
    while len(lines) <= tunables.LINES_OF_NAME:
        following = below(cells, lines[-1])
        if following is None or labels[following]:
            break
        if not _continues(cells[place], cells[following]):
            break
        lines.append(following)
    after = below(cells, lines[-1])
    ends = after is None or bool(labels[after]) or begins_with_label(cells[after])
    most = tunables.LINES_OF_NAME
    if field != "whole_name":
        most -= 1
    is_sure = len(lines) == 1 or (ends and len(lines) <= most)
    # “TEIXEIRA LOBO”, and “João” below it: of a label of the whole name, the other half.
    if field == "whole_name" and not ends and after is not None:
        is_sure = is_sure and not NAME.fullmatch(" ".join(cells[after].text.split()))
    latin = [line for line in lines if is_latin(cells[line].text)]
    return latin or lines, is_sure


def _continues(first: Cell, following: Cell) -> bool:
    """Whether the line below looks like one more line of the name."""
    text = " ".join(following.text.split())
    if begins_with_label(following) or not NAME.fullmatch(text):
        return False
    # Labels are often in small letters, or in smaller print.
    is_same_case = first.text.isupper() == text.isupper()
    ratio = following.size / first.size
    return is_same_case and 1 / tunables.SAME_PRINT <= ratio <= tunables.SAME_PRINT
