"""Puts lines that were read column by column into the order of the rows of their table.

An engine for OCR reads each column of a table as a text of its own: first all labels, then all values. Whoever goes by
the order of the text then pairs a label with the value of another row. Running text in columns stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, pairwise

from checks.text import tunables
from checks.text.right_to_left import is_right_to_left
from checks.text.words import Line, Word
from papers.geometry import Box, enclosing

Block = Sequence[Line]
# Words without letters that reach below the line.
ON_LINE = re.compile(r"[^\W_gjpqyQ]+[.:]?")


@dataclass(slots=True, eq=False)
class _Piece:
    """Words of one line without a wide gap: a cell of a table, or a line of running text.

    The edges are those on a page whose lines are level, with the height of the page as the unit, and seen in a mirror
    where the page is read from right to left.
    """

    words: list[Word]
    x0: float
    x1: float
    y0: float
    y1: float
    is_prose: bool = False
    # Where it comes in the order from the top: with the first line of its running text.
    place: tuple[float, float] = (0.0, 0.0)

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def middle(self) -> float:
        return (self.y0 + self.y1) / 2

    def begins_with(self, other: _Piece) -> bool:
        """Whether both have the same left edge, so that they are of one column."""
        height = max(self.height, other.height)
        return abs(self.x0 - other.x0) <= tunables.SAME_CELL * height

    def shared_row(self, other: _Piece) -> float:
        """The shared height per smaller height, if both can stand on one row: apart, and no running text on the left."""
        left, right = (self, other) if self.x0 < other.x0 else (other, self)
        lower, higher = sorted((self.height, other.height))
        if right.x0 < left.x1 or left.is_prose or lower <= 0:
            return 0.0
        if higher > tunables.HIGH_PIECE * lower:
            # The line of a table, or a mark in the margin, read as a word.
            return 0.0
        return (min(self.y1, other.y1) - max(self.y0, other.y0)) / lower


@dataclass(slots=True, eq=False)
class _Row:
    """Pieces side by side, and the further lines of their cells.

    `is_by_cells`: each cell is read by itself, as its first line is a caption above the value, or its middle is level
    with those of the others.
    """

    pieces: list[_Piece]
    further: list[_Piece] = field(default_factory=list)
    is_by_cells: bool = False

    def cells(self) -> list[list[_Piece]]:
        """Return the lines of each cell, from the first column on."""
        firsts = sorted(self.pieces, key=lambda piece: piece.x0)
        cells = [[first] for first in firsts]
        for piece in self.further:
            own = min(cells, key=lambda cell: abs(cell[0].x0 - piece.x0))
            own.append(piece)
        return [sorted(cell, key=lambda piece: piece.middle) for cell in cells]

    def gap_to(self, below: _Row) -> float:
        lower = min(piece.y0 for piece in below.pieces)
        return lower - max(piece.y1 for piece in self.pieces)


def in_rows(blocks: Sequence[Block], shape: float) -> list[Line]:
    """Return the lines of a page, whose lines are level, in reading order.

    `blocks` are the columns and paragraphs in the order in which they were read; `shape` is the width of the page by
    its height. Only blocks that stand side by side with cells of the same rows change.
    """
    in_order = list(chain.from_iterable(blocks))
    if len(blocks) < 2:
        return in_order
    page = _Page(blocks, shape)
    if page.is_dense:
        return in_order
    lines: list[Line] = []
    for group in page.groups():
        if len(group) == 1:
            lines.extend(blocks[group[0]])
        else:
            lines.extend(page.table(group))
    return lines


class _Page:
    def __init__(self, blocks: Sequence[Block], shape: float) -> None:
        self._shape = shape
        words = 0
        of_right = 0
        for line in chain.from_iterable(blocks):
            words += len(line.words)
            of_right += sum(is_right_to_left(word.text) for word in line.words)
        self._is_mirrored = 2 * of_right > words
        self._slope = _slope(blocks, shape)
        self._pieces: list[list[_Piece]] = []
        for block in blocks:
            pieces: list[_Piece] = []
            for line in block:
                pieces.extend(self._cut(line))
            _mark_prose(pieces)
            self._pieces.append(pieces)

    @property
    def is_dense(self) -> bool:
        """Whether it has so many pieces that comparing them would take long."""
        return sum(map(len, self._pieces)) > tunables.MOST_PIECES

    def groups(self) -> Iterator[list[int]]:
        """Yield the numbers of blocks that are read together by rows, in the order of the first of them.

        Running text with nothing beside it parts one table from the next, and is read by itself.
        """
        pairs = list(self._side_by_side())
        beside = set(chain.from_iterable(pairs))
        region = 0
        region_of: list[int] = []
        for number, pieces in enumerate(self._pieces):
            is_alone = number not in beside and _is_of_prose(pieces)
            region += is_alone
            region_of.append(region)
            region += is_alone
        for left, other in pairs:
            first, second = sorted((region_of[left], region_of[other]))
            region_of = [first if r == second else r for r in region_of]
        tables = {region_of[left] for left, _ in pairs}
        for region in dict.fromkeys(region_of):
            numbers = [n for n, other in enumerate(region_of) if other == region]
            if region in tables:
                yield numbers
            else:
                yield from ([number] for number in numbers)

    def _side_by_side(self) -> Iterator[tuple[int, int]]:
        """Yield pairs of blocks that have cells on one row."""
        for left, other in combinations(range(len(self._pieces)), 2):
            pieces, others = self._pieces[left], self._pieces[other]
            is_text = _is_of_prose(pieces) and _is_of_prose(others)
            # Two columns of running text stay as they are.
            if not is_text and _have_a_row(pieces, others):
                yield left, other

    def table(self, group: Sequence[int]) -> Iterator[Line]:
        """Yield the lines of a table row by row, and the lines of a cell one after the other."""
        pieces = [piece for number in group for piece in self._pieces[number]]
        rows = _rows(pieces)
        for row in _with_cells(rows):
            yield from self._lines_of(row)

    def _lines_of(self, row: _Row) -> Iterator[Line]:
        """Yield the line of the row, and then the further lines of each of its cells, from the first column on."""
        cells = row.cells()
        if row.is_by_cells:
            yield from _lines_of_cells(cells)
            return
        words: list[Word] = []
        last = None
        for piece, *_ in cells:
            if last is not None and not _differs(last, piece):
                yield Line(tuple(words))
                words = []
            words.extend(piece.words)
            last = piece
        yield Line(tuple(words))
        for _, *further in cells:
            for piece in further:
                yield Line(tuple(piece.words))

    def _cut(self, line: Line) -> Iterator[_Piece]:
        words: list[Word] = []
        height = max(word.box.height for word in line.words)
        for word in line.words:
            if words:
                gap = self._gap(words[-1].box, word.box)
                if gap > tunables.GAP_OF_COLUMNS * height:
                    yield self._piece(words)
                    words = []
            words.append(word)
        yield self._piece(words)

    def _gap(self, before: Box, box: Box) -> float:
        if self._is_mirrored:
            return (before.x0 - box.x1) * self._shape
        return (box.x0 - before.x1) * self._shape

    def _piece(self, words: list[Word]) -> _Piece:
        box = enclosing(word.box for word in words)
        rise = self._slope * (box.x0 + box.x1 - 1) / 2 * self._shape
        x0, x1 = box.x0 * self._shape, box.x1 * self._shape
        if self._is_mirrored:
            x0, x1 = -x1, -x0
        piece = _Piece(list(words), x0, x1, box.y0 - rise, box.y1 - rise)
        piece.place = (piece.middle, 0.0)
        return piece


def _differs(piece: _Piece, beside: _Piece) -> bool:
    """Whether two cells are so far apart that they can stand on one line."""
    return beside.x0 - piece.x1 >= tunables.GAP_OF_COLUMNS * piece.height


def _lines_of_cells(cells: Iterable[Sequence[_Piece]]) -> Iterator[Line]:
    for cell in cells:
        for piece in cell:
            yield Line(tuple(piece.words))


def _slope(blocks: Iterable[Block], shape: float) -> float:
    """Return how much the lines still rise to the right, by the feet of their letters; a longer line says more."""
    rises = 0.0
    squares = 0.0
    for block in blocks:
        for line in block:
            on_line = []
            for word in line.words:
                if ON_LINE.fullmatch(word.text):
                    on_line.append(word.box)
            if not on_line:
                continue
            length = (on_line[-1].x0 - on_line[0].x0) * shape
            if abs(length) >= tunables.LINE_OF_SLOPE:
                rises += (on_line[-1].y1 - on_line[0].y1) * length
                squares += length * length
    return rises / squares if squares else 0.0


def _mark_prose(pieces: Sequence[_Piece]) -> None:
    """Mark the lines of running text: several long lines close below one another, of which all but the last are full."""
    run: list[_Piece] = []
    for piece in pieces:
        if run and not _goes_on(run[-1], piece):
            _mark_run(run)
            run = []
        run.append(piece)
    _mark_run(run)


def _goes_on(above: _Piece, piece: _Piece) -> bool:
    step = piece.middle - above.middle
    height = max(above.height, piece.height)
    is_next = 0 < step <= tunables.STEP_OF_PROSE * height
    is_at_edge = abs(above.x0 - piece.x0) <= tunables.STEP_OF_PROSE * height
    return is_next and is_at_edge and len(above.words) >= tunables.WORDS_OF_PROSE


def _mark_run(run: Sequence[_Piece]) -> None:
    if len(run) < tunables.LINES_OF_PROSE:
        return
    left = min(piece.x0 for piece in run)
    right = max(piece.x1 for piece in run)
    full = left + (1 - tunables.RAGGED_PROSE) * (right - left)
    if all(piece.x1 >= full for piece in run[:-1]):
        top = run[0].middle
        for piece in run:
            piece.is_prose = True
            piece.place = (top, piece.middle)


def _is_of_prose(pieces: Sequence[_Piece]) -> bool:
    """Whether most lines of a block are running text."""
    return 2 * sum(piece.is_prose for piece in pieces) > len(pieces)


def _extent(pieces: Sequence[_Piece]) -> tuple[float, float]:
    """Return the upper and the lower edge."""
    top = min(piece.y0 for piece in pieces)
    end = max(piece.y1 for piece in pieces)
    return top, end


def _have_a_row(pieces: Sequence[_Piece], others: Sequence[_Piece]) -> bool:
    first_top, first_end = _extent(pieces)
    other_top, other_end = _extent(others)
    top = max(first_top, other_top)
    end = min(first_end, other_end)
    # Most blocks stand above or below each other.
    if end <= top:
        return False
    for piece in pieces:
        for other in others:
            if piece.shared_row(other) >= tunables.TOUCHED_ROW:
                return True
    return False


def _rows(pieces: Sequence[_Piece]) -> list[_Row]:
    """Return the pieces by rows, from the top."""
    rows: list[_Row] = []
    for piece in sorted(pieces, key=lambda piece: piece.place):
        row = _row_of(rows, piece)
        if row is None:
            rows.append(_Row([piece]))
        else:
            row.pieces.append(piece)
    return rows


def _row_of(rows: Sequence[_Row], piece: _Piece) -> _Row | None:
    """Return the row that a piece stands on most, if it is beside all that the row has.

    A cell of one line stands beside the middle of a cell of two lines, so little is enough.
    """
    best = None
    most = tunables.TOUCHED_ROW
    for row in rows[-tunables.NEAR_ROWS :]:
        shared = min(piece.shared_row(other) for other in row.pieces)
        if shared >= most:
            best, most = row, shared
    return best


def _with_cells(rows: Sequence[_Row]) -> list[_Row]:
    """Return the rows, with lines that only go on with cells of the row above put to these cells."""
    captions = _captions(rows)
    whole: list[_Row] = []
    between: list[_Row] = []
    for number, row in enumerate(rows):
        if number - 1 in captions:
            whole[-1].further.extend(row.pieces)
            whole[-1].is_by_cells = True
        elif whole and _has_no_first_cell(row, whole[-1]):
            between.append(row)
        else:
            if between:
                whole.extend(_divided(whole[-1], between, row))
                between = []
            whole.append(row)
    if between:
        whole.extend(_divided(whole[-1], between, None))
    return whole


def _has_no_first_cell(row: _Row, above: _Row) -> bool:
    """Whether all pieces stand below cells of the row above, and none below the first one."""
    first, *others = sorted(above.pieces, key=lambda piece: piece.x0)
    return all(
        not piece.begins_with(first)
        and any(piece.begins_with(other) for other in others)
        for piece in row.pieces
    )


def _divided(above: _Row, between: Sequence[_Row], below: _Row | None) -> list[_Row]:
    """Put lines between two rows to the cells of the one above or of the one below; return those that are rows themselves.

    The widest gap parts two rows. The cell of a row may begin above its label, whose middle is level with its own.
    """
    end = len(between)
    if below is not None and _goes_on_in(between[-1], below):
        gaps = []
        for upper, other in pairwise([above, *between, below]):
            gaps.append(_step(upper, other))
        end = max(range(len(gaps)), key=gaps.__getitem__)
    own: list[_Row] = []
    last = above
    for row in between[:end]:
        if not own and _goes_on_in(last, row):
            above.further.extend(row.pieces)
        else:
            own.append(row)
        last = row
    late: list[_Row] = []
    following = below
    for row in reversed(between[end:]):
        if not late and below and following and _goes_on_in(row, following):
            below.further.extend(row.pieces)
            below.is_by_cells = True
        else:
            late.insert(0, row)
        following = row
    return [*own, *late]


def _goes_on_in(row: _Row, below: _Row) -> bool:
    """Whether the lines of one row stand close to those of another in the same columns, all that the shorter row has."""
    shorter, other = row.pieces, below.pieces
    is_above = len(shorter) <= len(other)
    if not is_above:
        shorter, other = other, shorter
    for piece in shorter:
        if is_above and not any(_is_cell_of(piece, lower) for lower in other):
            return False
        if not is_above and not any(_is_cell_of(upper, piece) for upper in other):
            return False
    return True


def _step(above: _Row, below: _Row) -> float:
    """Return the least distance from a line to the next one of its cell or its column."""
    steps = [
        piece.middle - other.middle
        for piece in below.pieces
        for other in above.pieces
        if piece.begins_with(other)
    ]
    return min(steps, default=0.0)


def _captions(rows: Sequence[_Row]) -> frozenset[int]:
    """Return the numbers of rows that are captions of the row below: each stands close above its value.

    One such row alone may be one of two rows between headings.
    """
    found = []
    for number in range(len(rows) - 1):
        row, below = rows[number], rows[number + 1]
        gap = row.gap_to(below)
        around = []
        if number:
            around.append(rows[number - 1].gap_to(row))
        if number + 2 < len(rows):
            around.append(below.gap_to(rows[number + 2]))
        height = max(piece.height for piece in below.pieces)
        most = min(
            [tunables.GAP_OF_CAPTION * height, *(tunables.NEARER * g for g in around)]
        )
        is_under = all(
            any(_is_cell_of(piece, value) for piece in row.pieces)
            for value in below.pieces
        )
        if len(row.pieces) > 1 and around and gap <= most and is_under:
            found.append(number)
    if len(found) < tunables.ROWS_OF_CAPTIONS:
        return frozenset()
    return frozenset(found)


def _is_cell_of(above: _Piece, piece: _Piece) -> bool:
    height = max(above.height, piece.height)
    is_close = 0 < piece.middle - above.middle <= tunables.STEP_OF_CELL * height
    return is_close and piece.begins_with(above)
