"""Finds the cells that hold the values of labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from checks.fields import tunables
from checks.fields.dates import find_dates
from checks.fields.labels.centred import centred_line, lines_around
from checks.fields.layout.cells import OF_PERSONS, Cell, cells_of, mirrored
from checks.fields.layout.label_cells import (
    PARTS_OF_ADDRESS,
    Label,
    join_broken,
    label_of,
)
from checks.fields.names.companies import is_rest_of_form, split_legal_form
from checks.text.characters import count_digits, has_digit, has_letter
from checks.text.words import Span, Text

# The format of these values is known, so that they can also be recognised above their label.
OVER_THEIR_LABELS = frozenset({"date", "number"})
# A line with only a postal code ends an address.
LAST_OF_ADDRESS = re.compile(r"^\s*\d{4,6}\s*$")
# The number of an entry, in a column of its own.
ENTRY_NUMBER = re.compile(r"\d{1,2}(?:/\d{1,2})?\.?")
# “5/1.” before an entry of a Hungarian extract.
ENTRY = re.compile(r"\s*\d{1,2}/\d{1,3}\.\s+(?=\S)")
# A remark below a name: since when the company has the name, or its language.
NOTE = re.compile(
    r"\b(?:19|20)\d\d\b|^(?:sinds|since|depuis|seit|desde|dal|from|naam in|name in|dénomination en)\b",
    re.IGNORECASE,
)
# “Name and address”: the lines below the first are those of the address.
WITH_ADDRESS = re.compile(r"\b(?:address|adresse|anschrift|domicilio)\b")
OF_SOMETHING = re.compile(
    r"(?:of|de|du|des|del|della|do|da|der|van|av|af)\s", re.IGNORECASE
)
# “… der Partnerschaft”, “… de la entidad”: the label goes on, in small letters or with one noun.
LABEL_GOES_ON = re.compile(
    r"(?:of (?:the )?|de la |del? |du |de l['\u2019]|della? |dell['\u2019]|d[aoe]s? |der |des |van (?:de |het )?|av |af )"
    r"[^\W\d_]+(?: (?-i:[a-zà-ÿ]+)){0,2}\s*:?",
    re.IGNORECASE,
)
# “Date d'immatriculation au RNE”, “Eintragung im Register”: the label goes on with where that was.
AT_REGISTER = re.compile(
    r"(?:au|aux|à la|im|in (?:the|het|der)|nel|no|na|en el|en la|i|w)(?: [^\W\d_][\w.'\u2019]*){1,4}\s*:?",
    re.IGNORECASE,
)
COLON_BEFORE = re.compile(r"[:\uff1a]\s*")
LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
# Dots and strokes that a form prints between a label and its value.
LEADERS = re.compile(r"^[\s._…:-]+")


# “a) Firma” in the head of a column, and “a)” before its entry further down.
LETTER = re.compile(r"\s*(?P<letter>[a-h])\)(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Pair:
    """A label and its value. The lines of the value are joined by line feeds.

    `sure`: a colon, the number of a row, or a cell of its own separates the value from the label.
    `weak`: the label is a single word, which may label the value of something else. `apart`: the
    value stands in a cell of its own, beside or below the label. `caption`: where the label stands
    if that is below its value.
    """

    field: str
    label: str
    value: str
    span: Span
    sure: bool
    weak: bool
    apart: bool = False
    caption: Span | None = None


def fits(field: str, value: str) -> bool:
    """Whether a value has the format of values of this field."""
    if field == "name":
        return bool(split_legal_form(value)[1])
    if field.endswith("date"):
        return bool(find_dates(value))
    digits = count_digits(value)
    if field.endswith("number"):
        return digits >= tunables.NUMBER_DIGITS
    return digits > 0


def is_behind_name(name: str, line: str) -> bool:
    """Whether a line below a name is a remark or another value, because the name has
    already ended.
    """
    if NOTE.search(line):
        return True
    if is_rest_of_form(name, line):
        return False
    # A name that has its legal form is complete. Without one, the line below may continue it.
    return fits("name", name) and not fits("name", f"of {line}")


def is_in_other_script(label: Label, rest: str) -> bool:
    """Whether the text behind a label in Latin letters is its translation: “Company Name 公司名稱”."""
    if label.parted and not label.is_numbered:
        return False
    has_letters = has_letter(rest)
    is_plain = not has_digit(rest) and not LATIN.search(rest)
    return has_letters and is_plain and bool(LATIN.search(label.text))


def find_pairs(text: Text) -> list[Pair]:
    """Return the labelled values of the first pages, in the order of the text."""
    cells = cells_of(text)
    at = [label_of(cell) for cell in cells]
    join_broken(cells, at)
    layout = _Layout(text, cells, at)
    pairs: list[Pair] = []
    captions: dict[int, Pair] = {}
    for index, label in enumerate(at):
        if label is None or not label.field:
            continue
        lettered = list(layout.of_letter(index, label))
        if lettered:
            pairs.extend(lettered)
            continue
        pair = layout.pair(index, label)
        if pair is None:
            continue
        caption = layout.caption(index, label, pair)
        if caption is not None:
            captions[len(pairs)] = caption
        pairs.append(pair)
    _prefer_captions(pairs, captions)
    return pairs


def _prefer_captions(pairs: list[Pair], captions: Mapping[int, Pair]) -> None:
    """Replace pairs, by their index, by the name above their label if another label has the same
    name, and not what is below.
    """
    for index, caption in captions.items():
        names = [pair.value for pair in pairs if pair.field == "name"]
        if caption.value in names and names.count(pairs[index].value) == 1:
            pairs[index] = caption


def _has_digit(pair: Pair | None) -> bool:
    return pair is not None and has_digit(pair.value)


@dataclass(frozen=True)
class _Layout:
    text: Text
    cells: Sequence[Cell]
    labels: Sequence[Label | None]

    def pair(self, index: int, label: Label) -> Pair | None:
        """The label with its value, if it has one and is a label of the company."""
        if self._means_another_date(index, label):
            return None
        if label.field == "address" and self.is_of_persons(index, label):
            return None
        if self._is_rest_of_cell(index, label):
            return None
        if self._is_caption(index, label):
            return self._over_caption(index, label)
        pair = self._nearest(index, label)
        if label.field in OVER_THEIR_LABELS and not _has_digit(pair):
            return self.far_below(index, label) or self.above(index, label) or pair
        return pair

    def _is_rest_of_cell(self, index: int, label: Label) -> bool:
        """Whether a label of one word only ends the value above it: “Private limited”, and “company” below."""
        if label.parted or " " in label.text or self._has_left(index):
            return False
        place = self.cells[index].box
        for other, cell in enumerate(self.cells):
            step = place.y0 - cell.box.y0
            is_above = cell.box.page == place.page and step > 0
            is_close = step <= tunables.NEXT_LINE * cell.size
            is_at_edge = abs(cell.box.x0 - place.x0) <= tunables.SAME_COLUMN
            if is_above and is_close and is_at_edge and self._has_left(other):
                return self._value(other) is not None
        return False

    def _is_caption(self, index: int, label: Label) -> bool:
        """Whether the label stands in smaller print close below its value, as on printed certificates."""
        label_cell = self.cells[index]
        is_whole = not label.parted and not label_cell.text[label.end :].strip(" :")
        over = self._next(index, is_above=True)
        # The boxes of OCR are too rough to tell small print.
        if label_cell.is_ocr or not is_whole:
            return False
        if over is None or self._value(over) is None:
            return False
        value = self.cells[over]
        may_fit = label.field not in OVER_THEIR_LABELS or fits(label.field, value.text)
        if not may_fit or self._beside(index) is not None:
            return False
        is_small = label_cell.size < tunables.CAPTION_SIZE * value.size
        under = self._next(index, is_above=False)
        if under is None:
            return is_small
        gap = label_cell.box.y0 - value.box.y1
        gap_below = self.cells[under].box.y0 - label_cell.box.y1
        return is_small and gap < tunables.CAPTION_GAP * gap_below

    def _over_caption(self, index: int, label: Label) -> Pair | None:
        """The value above its caption. Of an address these are all lines that follow one another."""
        pair = self.above(index, label)
        if pair is None:
            return None
        pair = replace(pair, caption=self.cells[index].span)
        line = self._next(index, is_above=True)
        if label.field != "address" or line is None:
            return pair
        lines = [self.cells[line]]
        while len(lines) < tunables.ADDRESS_LINES:
            line = self._value(self._next(line, is_above=True))
            if line is None:
                break
            cell, below = self.cells[line], lines[0]
            step = below.box.y0 - cell.box.y0
            is_next = step <= tunables.NEXT_LINE * below.size
            if not is_next or cell.size < tunables.CAPTION_SIZE * below.size:
                break
            lines.insert(0, cell)
        value = "\n".join(cell.text for cell in lines)
        return replace(
            pair, value=value, span=Span(lines[0].span.start, lines[-1].span.end)
        )

    def _next(self, index: int, *, is_above: bool) -> int | None:
        """Return the nearest cell above or below that shares a part of the width."""
        place = self.cells[index].box
        best: int | None = None
        for other, cell in enumerate(self.cells):
            box = cell.box
            step = place.y0 - box.y0 if is_above else box.y0 - place.y0
            reach = tunables.CELL_STEP * max(place.height, box.height)
            if box.page != place.page or not 0.3 * place.height < step <= reach:
                continue
            if box.x1 <= place.x0 or box.x0 >= place.x1:
                continue
            if best is None or abs(box.y0 - place.y0) < abs(
                self.cells[best].box.y0 - place.y0
            ):
                best = other
        return best

    def caption(self, index: int, label: Label, pair: Pair) -> Pair | None:
        """The name above a label that may be its caption, as below a line for a signature."""
        if label.field != "name" or not pair.apart or label.parted:
            return None
        return self.above(index, label)

    def _means_another_date(self, index: int, label: Label) -> bool:
        """Whether it is a part of a longer label, as in “Date of registration of the current name”."""
        rest = self.cells[index].text[label.end :].strip()
        if label.field != "date" or not OF_SOMETHING.match(rest):
            return False
        return not has_digit(rest)

    def _nearest(self, index: int, label: Label) -> Pair | None:
        rest = self.cells[index].text[label.end :].strip()
        if label.field == "name" and LABEL_GOES_ON.fullmatch(rest):
            # “Name der Partnerschaft” with its value beside it.
            return self._behind_whole(index, label)
        if label.field.endswith("date") and AT_REGISTER.fullmatch(rest):
            return self._behind_whole(index, label)
        return self._behind(index, label)

    def of_letter(self, index: int, label: Label) -> Iterator[Pair]:
        """Yield the entries of a column whose head has letters: “a) Firma”, and “a)” further down.

        The registers of Germany are printed so. Each entry of the column has the letters again.
        """
        for other, letter_end in self._same_letters_below(index):
            value: int | None = other
            cell = self.cells[other]
            start = cell.span.start + letter_end
            if not cell.text[letter_end:].strip():
                value = self._under(cell, cell.box.x0)
                if value is not None:
                    start = self.cells[value].span.start
            if value is None:
                continue
            value_cell = self.cells[value]
            if LETTER.match(value_cell.text[1:]):
                continue
            first = Span(start, value_cell.span.end)
            column = value_cell.box.x0
            yield self._pair(label, value, first, column, sure=True, in_columns=True)

    def _same_letters_below(self, index: int) -> Iterator[tuple[int, int]]:
        """Yield the cells below in the column that begin with the letter of this one, and where it ends."""
        head = self.cells[index]
        own = LETTER.match(head.text)
        if own is None:
            return
        for other, cell in enumerate(self.cells):
            match = LETTER.match(cell.text)
            if match is None or match["letter"] != own["letter"]:
                continue
            if cell.box.page != head.box.page or cell.box.y0 <= head.box.y1:
                continue
            is_in_column = abs(cell.box.x0 - head.box.x0) <= tunables.SAME_COLUMN
            # “a) Tag der Eintragung” is a label, and no entry.
            if is_in_column and self.labels[other] is None:
                yield other, match.end()

    def _behind(self, index: int, label: Label) -> Pair | None:
        cell = self.cells[index]
        rest = cell.text[label.end :]
        # First try the same cell: “Name: Acme Ltd”. A translation of the label is not a value if
        # there is a cell beside it.
        leaders = LEADERS.match(rest)
        offset = label.end
        if leaders:
            offset += leaders.end()
        rest = cell.text[offset:].strip()
        is_translation = rest.startswith("/") and not has_digit(rest)
        is_translation = is_translation or is_in_other_script(label, rest)
        is_label_alone = is_translation and (
            self._beside(index) is not None or not rest.startswith("/")
        )
        if rest and not is_label_alone:
            start = cell.span.start + offset
            first = Span(start, cell.span.end)
            column = self._column(first, cell)
            return self._pair(label, index, first, column, sure=label.parted)
        value, in_columns = self._value_cell(index, label)
        if value is None:
            return None
        if not in_columns:
            lines = lines_around(self.cells, index, label.second, value)
            if lines and not any(map(self._is_label, lines)):
                return self._of_lines(label, lines)
        at = self.cells[value]
        colon = COLON_BEFORE.match(at.text)
        start = at.span.start
        if colon:
            start += colon.end()
        first = Span(start, at.span.end)
        column = self._column(first, at)
        pair = self._pair(label, value, first, column, sure=True, in_columns=in_columns)
        return replace(pair, apart=True)

    def _of_lines(self, label: Label, lines: Sequence[int]) -> Pair:
        """The value of a cell whose lines are known."""
        cells_of_value = [self.cells[line] for line in lines]
        end = cells_of_value[0].span.end
        for cell in cells_of_value[1:]:
            if cell.span.start - end <= 2:
                end = cell.span.end
        value = "\n".join(cell.text for cell in cells_of_value)
        span = Span(cells_of_value[0].span.start, end)
        weak = " " not in label.text
        return Pair(
            label.field, label.text, value, span, sure=True, weak=weak, apart=True
        )

    def _value_cell(self, index: int, label: Label) -> tuple[int | None, bool]:
        """The cell beside or below a label that has its value, and whether it stands in a column."""
        value = self._beside_label(index, label)
        # A label with a cell on its left may be a column heading; then the values below also have
        # cells on their left.
        in_columns = value is None and self._has_left(index)
        left = self.cells[index].box.x0
        under = self._unnumbered(self._under(self.cells[label.second or index], left))
        if value is None:
            value = under
        elif self._is_in_row_of_heads(index, label, value):
            value = None
        elif under is None:
            return value, in_columns
        elif not label.parted:
            value, in_columns = self._of_heads(label, value, under)
        elif self._fits_below(label, value, under):
            # “Geschäftsanschrift:” with its value below; beside it is another column.
            return under, True
        if value is None and not in_columns:
            value = self._alone_below(index, label)
        return value, in_columns

    def _beside_label(self, index: int, label: Label) -> int | None:
        value = self._beside(index)
        if value is not None and COLON_BEFORE.fullmatch(self.cells[value].text):
            # The colon has a column of its own.
            value = self._beside(value)
        if value is None and label.second is not None:
            value = self._beside(label.second)
        if value is None:
            line = centred_line(self.cells, index, label.second)
            value = self._value(line)
        return value

    def _behind_whole(self, index: int, label: Label) -> Pair | None:
        """The value beside or below a cell that is a label as a whole, in words that the table does not have."""
        value = self._beside(index)
        if value is None:
            value = self._under(self.cells[index], self.cells[index].box.x0)
        if value is None:
            return None
        at = self.cells[value]
        pair = self._pair(label, value, at.span, at.box.x0, sure=True)
        return replace(pair, apart=True)

    def _of_heads(
        self, label: Label, beside: int, under: int
    ) -> tuple[int | None, bool]:
        """Choose between the cell beside a label and the cell below it, for a label that may be a
        column heading.

        The cell with the format of such a value is chosen. The second result says whether it stands
        in a column.
        """
        if fits(label.field, self.cells[beside].text):
            return beside, False
        if fits(label.field, self.cells[under].text):
            return under, True
        below = self._under(self.cells[beside], self.cells[beside].box.x0)
        # At least three column headings in a row, with values below them: the neighbour is a
        # heading itself.
        is_table = below is not None and self._has_right(beside)
        return (None, True) if is_table else (beside, False)

    def _is_in_row_of_heads(self, index: int, label: Label, beside: int) -> bool:
        """Whether the row has so many cells that it heads a table, and the next one is no value of the label."""
        if self.cells[index].text.rstrip().endswith(":"):
            return False
        place = self.cells[index].box
        row = sum(
            cell.box.page == place.page and cell.box.shared_rows(place) >= 0.5
            for cell in self.cells
        )
        is_wide = row >= tunables.HEADS_OF_TABLE
        return is_wide and not fits(label.field, self.cells[beside].text)

    def _fits_below(self, label: Label, beside: int, under: int) -> bool:
        if label.field == "name":
            return False
        is_below = fits(label.field, self.cells[under].text)
        return is_below and not fits(label.field, self.cells[beside].text)

    def is_of_persons(self, index: int, label: Label) -> bool:
        """Whether a word such as “Address” heads a column beside one with the names of persons."""
        if label.parted or " " in label.text:
            return False
        place = self.cells[index].box
        for cell in self.cells:
            is_beside = (
                cell.box.page == place.page and cell.box.shared_rows(place) >= 0.5
            )
            if is_beside and cell.text.strip(" :").lower() in OF_PERSONS:
                return True
        return False

    def _unnumbered(self, index: int | None) -> int | None:
        """Return the cell beside the number of an entry: that is the entry itself."""
        if index is None or not ENTRY_NUMBER.fullmatch(self.cells[index].text):
            return index
        return self._beside(index) or index

    def _alone_below(self, index: int, label: Label) -> int | None:
        """Return the only cell of the next row below a caption that stands alone, such as a centred
        one.
        """
        place = self.cells[index].box
        if not (label.parted or " " in label.text) or self._has_left(index):
            return None
        below = [
            other
            for other, cell in enumerate(self.cells)
            if cell.box.page == place.page
            and 0.3 * place.height
            < cell.box.y0 - place.y0
            <= tunables.CELL_STEP * place.height
        ]
        if not below:
            return None
        first = min(below, key=lambda other: self.cells[other].box.y0)
        box = self.cells[first].box
        row = []
        for other in below:
            if self.cells[other].box.shared_rows(box) >= 0.5:
                row.append(other)
        return self._value(first) if len(row) == 1 else None

    def far_below(self, index: int, label: Label) -> Pair | None:
        """The value below a head of a column whose row is higher, as another head has more lines."""
        below = self._under(
            self.cells[index], self.cells[index].box.x0, reach=tunables.HIGH_ROW
        )
        if below is None or not fits(label.field, self.cells[below].text):
            return None
        at = self.cells[below]
        pair = self._pair(label, below, at.span, at.box.x0, sure=True, in_columns=True)
        return replace(pair, apart=True)

    def above(self, index: int, label: Label) -> Pair | None:
        """Return the value above its label, as on certificates that print captions below the
        values.
        """
        best = self._value(self._next(index, is_above=True))
        if best is None:
            return None
        if self._has_left(best) and not self._has_left(index):
            # What stands on its left is its label: “Código de acesso: 4471”, with a heading below.
            return None
        at = self.cells[best]
        weak = " " not in label.text
        return Pair(
            label.field, label.text, at.text, at.span, sure=True, weak=weak, apart=True
        )

    def _pair(
        self,
        label: Label,
        index: int,
        first: Span,
        column: float,
        *,
        sure: bool,
        in_columns: bool = False,
    ) -> Pair:
        entry = ENTRY.match(self.text.value, first.start, first.end)
        if entry is not None:
            first = Span(entry.end(), first.end)
        lines = [self.text.value[first.start : first.end]]
        end = first.end
        most = tunables.NAME_LINES
        if label.field == "address":
            most = tunables.ADDRESS_LINES
        elif label.field == "name" and WITH_ADDRESS.search(label.text):
            most = 1
        is_address = label.field == "address"
        for other in self._continued(
            index,
            column,
            most - 1,
            in_columns=in_columns,
            is_address=is_address,
            label_end=label.second,
        ):
            more = self.cells[other]
            if label.field == "name" and is_behind_name(lines[-1], more.text):
                break
            lines.append(more.text)
            # The span is one range of the text, so it only grows over lines that follow directly.
            # The value still has all lines.
            if more.span.start - end <= 2:
                end = more.span.end
        weak = " " not in label.text
        span = Span(first.start, end)
        value = "\n".join(lines)
        return Pair(label.field, label.text, value, span, sure=sure, weak=weak)

    def _column(self, value: Span, cell: Cell) -> float:
        """Return where the value within a cell begins."""
        box = self.text.words(value)[0].box
        return mirrored(box).x0 if cell.is_mirrored else box.x0

    def _beside(self, index: int) -> int | None:
        """Return the next cell on the same row, unless it is a label itself."""
        place = self.cells[index].box
        best: int | None = None
        for other, cell in enumerate(self.cells):
            box = cell.box
            if other == index or box.page != place.page or box.x0 < place.x1:
                continue
            if box.shared_rows(place) < 0.5:
                continue
            if best is None or box.x0 < self.cells[best].box.x0:
                best = other
        return self._value(best)

    def _under(
        self,
        above: Cell,
        column: float,
        *,
        in_address: bool = False,
        reach: float = tunables.CELL_STEP,
    ) -> int | None:
        """Return the next cell below that begins in the column, unless it is a label."""
        place = above.box
        best: int | None = None
        for other, cell in enumerate(self.cells):
            box = cell.box
            step = box.y0 - place.y0
            if (
                box.page != place.page
                or not 0.3 * place.height < step <= reach * place.height
            ):
                continue
            if abs(box.x0 - column) > tunables.SAME_COLUMN:
                continue
            if best is None or box.y0 < self.cells[best].box.y0:
                best = other
        label = self.labels[best] if best is not None else None
        # “Distrito: Faro” begins with a label, but is a line of the address above it.
        if in_address and label and label.field in PARTS_OF_ADDRESS:
            is_whole = best is None or not self.cells[best].text[label.end :].strip()
            return None if is_whole else best
        return self._value(best)

    def _value(self, index: int | None) -> int | None:
        if index is None or self._is_label(index):
            return None
        return index

    def _is_label(self, index: int) -> bool:
        """Whether a cell is a label and not a value that begins like one.

        “CALLE BILBAO 7” beside a label is its value, though “calle” alone is a label, too.
        """
        label = self.labels[index]
        if label is None:
            return False
        is_whole = not self.cells[index].text[label.end :].strip()
        return is_whole or label.parted or " " in label.text

    def _continued(
        self,
        index: int,
        column: float,
        most: int,
        *,
        in_columns: bool,
        is_address: bool = False,
        label_end: int | None = None,
    ) -> list[int]:
        """Return the cells that continue a value below it.

        A cell with another cell on its left begins a new row of the table, unless the value stands
        in a column. `label_end` is the second line of the label, which begins no row.
        """
        lines: list[int] = []
        above = self.cells[index]
        while len(lines) < most and not LAST_OF_ADDRESS.match(above.text):
            under = self._under(above, column, in_address=is_address)
            if under is None:
                break
            if self._has_left(under, besides=label_end) and not in_columns:
                break
            text = self.cells[under].text
            if LETTER.match(text) or ENTRY.match(text):
                # The next entry of the same column.
                break
            lines.append(under)
            above = self.cells[under]
        return lines

    def _has_right(self, index: int) -> bool:
        place = self.cells[index].box
        for cell in self.cells:
            box = cell.box
            is_right = box.page == place.page and box.x0 >= place.x1
            if is_right and box.shared_rows(place) >= 0.5:
                return True
        return False

    def _has_left(self, index: int, *, besides: int | None = None) -> bool:
        place = self.cells[index].box
        for other, cell in enumerate(self.cells):
            if other == besides:
                continue
            box = cell.box
            is_left = box.page == place.page and box.x1 <= place.x0
            if is_left and box.shared_rows(place) >= 0.5:
                return True
        return False
