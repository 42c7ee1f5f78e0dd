"""One look at the pages of a document, kept for all sections of its inspection."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING

from checks import readers
from checks.evidence import Evidence, name_pages
from checks.text.words import Page
from papers.errors import UnreadableError
from papers.geometry import Box

if TYPE_CHECKING:
    from checks.vision.binarisation import Sheet
    from checks.vision.codes import Code
    from checks.vision.seals import Round
    from checks.vision.signatures import Strokes

DPI, FINE_DPI = 150, 300
# Marks stand on the first pages and on the last ones; each page takes about a third of a second.
FIRST, LAST = 8, 4
HEAD = 0.22
# Of a picture in a PDF that may be a barcode, and of one that may be an emblem, in inches.
CODE_SIDES, EMBLEM_SIDES = (0.35, 2.5), (0.25, 4.0)
MAX_PICTURES = 6
# The words by which a seal is named beside it, and how far from it, in inches.
SEAL = re.compile(r"seal[.,:]?", re.IGNORECASE)
OF_WHOM = re.compile(
    r"official|great|corporate|common|company|state|notar\w+", re.IGNORECASE
)
CAPTION = 0.35
PLACES = (
    "seals",
    "doubtful_seals",
    "signatures",
    "doubtful_signatures",
    "unsigned_lines",
    "emblems",
)


@dataclass(slots=True)
class VisualScan:
    """What was seen. `pages` are those that were looked at, `missed` says why not the others."""

    pages: list[int] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    seals: list[Box] = field(default_factory=list)
    doubtful_seals: list[Box] = field(default_factory=list)
    signatures: list[Box] = field(default_factory=list)
    doubtful_signatures: list[Box] = field(default_factory=list)
    unsigned_lines: list[Box] = field(default_factory=list)
    emblems: list[Box] = field(default_factory=list)
    codes: list[Code] = field(default_factory=list)

    @property
    def whole(self) -> bool:
        return bool(self.pages) and not self.missed


def look(evidence: Evidence) -> VisualScan:
    """For `Evidence.once`."""
    scan = VisualScan()
    chosen = _chosen(evidence.pages)
    for page in chosen:
        if page.is_blank:
            scan.pages.append(page.number)
            continue
        try:
            _look_at(evidence, page, scan)
        except UnreadableError as exc:
            why = f"could not be drawn ({type(exc).__name__})"
            scan.missed.append(f"{name_pages([page.number])} {why}")
        else:
            scan.pages.append(page.number)
    within = {page.number for page in chosen}
    left = [page.number for page in evidence.pages if page.number not in within]
    if left:
        reason = f"not looked at: of long documents the first {FIRST} and the last {LAST} are"
        scan.missed.append(f"{name_pages(left)} {reason}")
    if evidence.page_count > len(evidence.pages):
        scan.missed.append(f"pages from {len(evidence.pages) + 1} on not opened")
    return scan


def _chosen(pages: Sequence[Page]) -> Sequence[Page]:
    if len(pages) <= FIRST + LAST:
        return pages
    return [*pages[:FIRST], *pages[-LAST:]]


def _look_at(evidence: Evidence, page: Page, scan: VisualScan) -> None:
    if page.is_picture and page.lines:
        turned = evidence.recognised(page.number).turned
    else:
        turned = 0
    if not turned:
        _look_upright(evidence, page, scan)
        return
    upright = VisualScan()
    _look_upright(evidence, page, upright, turned)
    for name in PLACES:
        boxes = [_turn(box, -turned) for box in getattr(upright, name)]
        getattr(scan, name).extend(boxes)
    scan.codes += [
        replace(code, box=_turn(code.box, -turned)) for code in upright.codes
    ]


def _look_upright(
    evidence: Evidence, page: Page, scan: VisualScan, turned: int = 0
) -> None:
    sheet = _sheet(evidence, page, DPI, turned)
    codes = _codes(evidence, page, sheet)
    scan.codes += codes
    fields = [box for box in evidence.signature_boxes if box.page == page.number]
    besides = [*(code.box for code in codes), *fields]
    rounds = _rounds(sheet, besides)
    seals = []
    for mark in rounds:
        if (mark.is_seal and not _is_emblem(mark)) or (
            mark.is_ring and _is_captioned(mark, sheet)
        ):
            seals.append(mark)
    bursts: list[Box] = import_module("checks.vision.wax_seals").find_bursts(sheet)
    stamped = _apart([*(mark.box for mark in seals), *bursts])
    scan.seals += stamped
    doubtful = []
    for m in rounds:
        if m.may_be_seal and m not in seals and not _in_head(m.box):
            doubtful.append(m)
    if page.has_text_layer or page.image_share > 0.7:
        scan.doubtful_seals += _apart(mark.box for mark in doubtful)
    scan.emblems += _emblems(page, sheet, rounds)
    _look_for_signatures(sheet, [*besides, *stamped], scan)


def _sheet(evidence: Evidence, page: Page, dpi: int, turned: int = 0) -> Sheet:
    """The page as it is displayed, or turned clockwise by so many quarters."""
    ink = import_module("checks.vision.binarisation")
    pixels = readers.draw_page(evidence.file, page.number, dpi=dpi)
    # A page is drawn with fewer dots where it is very large.
    if evidence.kind != "pdf":
        resolution = dpi
    else:
        resolution = pixels.shape[1] * 72 / max(page.width, 1.0)
    words = page.words
    if turned:
        words = [replace(word, box=_turn(word.box, turned)) for word in words]
        pixels = ink.turn(pixels, turned)
    sheet: Sheet = ink.Sheet.of(page.number, pixels, resolution, words)
    return sheet


def _turn(box: Box, quarters: int) -> Box:
    """The same place on the page turned clockwise."""
    for _ in range(quarters % 4):
        box = Box(box.page, 1 - box.y1, box.x0, 1 - box.y0, box.x1)
    return box


def _codes(evidence: Evidence, page: Page, sheet: Sheet) -> list[Code]:
    """Small codes are only legible in a finer drawing, which a picture in the page calls for."""
    if not (page.images or page.objects > len(page.words) or page.is_picture):
        return []
    reader = import_module("checks.vision.codes")
    codes: list[Code] = reader.find_codes(sheet)
    likely = [box for box in page.images if _may_be_code(box, sheet, codes)][
        :MAX_PICTURES
    ]
    if likely:
        fine = _sheet(evidence, page, FINE_DPI)
        for box in likely:
            codes += reader.find_codes(fine, box)
    return codes


def _may_be_code(box: Box, sheet: Sheet, codes: Sequence[Code]) -> bool:
    width, height = sheet.inches(box)
    fits = all(CODE_SIDES[0] <= side <= CODE_SIDES[1] for side in (width, height))
    return (
        fits
        and 0.9 <= width / height <= 1.1
        and not any(box.overlap(c.box) > 0 for c in codes)
    )


def _rounds(sheet: Sheet, besides: Sequence[Box]) -> list[Round]:
    rounds: list[Round] = import_module("checks.vision.seals").find_rounds(
        sheet, besides
    )
    return rounds


def _look_for_signatures(
    sheet: Sheet, besides: Sequence[Box], scan: VisualScan
) -> None:
    reader = import_module("checks.vision.signatures")
    inked = import_module("checks.vision.binarisation").Inked.of(sheet)
    strokes: list[Strokes] = reader.find_strokes(inked, besides)
    signed = [stroke.box for stroke in strokes if stroke.is_signature]
    doubtful = [o.box for o in strokes if o.may_be_signature and not o.is_signature]
    scan.signatures += signed
    scan.doubtful_signatures += doubtful
    lines: list[Box] = reader.find_lines(inked)
    scan.unsigned_lines += [
        line
        for line in lines
        if not any(_stands_on(stroke, line) for stroke in (*signed, *doubtful))
    ]


def _stands_on(strokes: Box, line: Box) -> bool:
    beside = strokes.x1 < line.x0 - 0.05 or strokes.x0 > line.x1 + 0.05
    return not beside and strokes.y0 - 0.03 <= line.y1 and strokes.y1 >= line.y0 - 0.05


def _in_head(box: Box) -> bool:
    return (box.y0 + box.y1) / 2 < HEAD


def _is_emblem(mark: Round) -> bool:
    """A small round mark at the head of a page is a logo or a crest."""
    return _in_head(mark.box) and mark.radius < 0.4


def _is_captioned(mark: Round, sheet: Sheet) -> bool:
    """Do the words right below or above it say that it is a seal?"""
    for word in sheet.words:
        if (
            SEAL.fullmatch(word.text)
            and word.box.x1 > mark.box.x0
            and word.box.x0 < mark.box.x1
        ):
            gap = max(word.box.y0 - mark.box.y1, mark.box.y0 - word.box.y1)
            if 0 <= gap * sheet.height / sheet.dpi <= CAPTION:
                for other in sheet.words:
                    if OF_WHOM.fullmatch(other.text) and _follow(other.box, word.box):
                        return True
                return False
    return False


def _follow(first: Box, other: Box) -> bool:
    """Is the one word the neighbour of the other, on its left?"""
    same_line = min(first.y1, other.y1) - max(first.y0, other.y0) > 0.5 * other.height
    return same_line and -0.005 <= other.x0 - first.x1 <= 2 * other.height


def _emblems(page: Page, sheet: Sheet, rounds: Sequence[Round]) -> list[Box]:
    """Pictures and round marks at the head of a page: logos and crests."""
    low, high = EMBLEM_SIDES
    pictures = []
    for box in page.images:
        if _in_head(box) and all(low <= side <= high for side in sheet.inches(box)):
            pictures.append(box)
    marks = []
    for mark in rounds:
        if _in_head(mark.box) and mark.radius < 0.8:
            marks.append(mark.box)
    return _apart([*pictures, *marks])[:MAX_PICTURES]


def _apart(boxes: Iterable[Box]) -> list[Box]:
    """Without those that lie mostly within an earlier one."""
    distinct: list[Box] = []
    for box in boxes:
        if all(box.overlap(other) < 0.5 * box.area for other in distinct):
            distinct.append(box)
    return distinct
