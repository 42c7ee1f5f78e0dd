"""One inspection of the pages of a document, shared by all sections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from checks import readers
from checks.data import table
from checks.evidence import Evidence, name_pages
from checks.text.words import Page
from checks.visual_verification import tunables
from papers.errors import UnreadableError
from papers.geometry import Box

if TYPE_CHECKING:
    from checks.vision.binarisation import Sheet
    from checks.vision.codes import Code
    from checks.vision.seals import Round
    from checks.vision.signatures import Strokes

# Smallest and largest side, in inches, of pictures that may be a barcode or an emblem.
CODE_SIDES = (tunables.SMALLEST_CODE, tunables.LARGEST_CODE)
EMBLEM_SIDES = (tunables.SMALLEST_EMBLEM, tunables.LARGEST_EMBLEM)
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
    """What was found. `pages` were inspected; `missed` are the reasons why others were not."""

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
    """Inspect the pages, for `Evidence.once`."""
    scan = VisualScan()
    # Long documents are inspected only at their beginning and end.
    chosen = _chosen(evidence.pages)
    for page in chosen:
        # A blank page has nothing to draw, but counts as inspected.
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
    numbers = {page.number for page in chosen}
    omitted = [page.number for page in evidence.pages if page.number not in numbers]
    if omitted:
        looked_at = f"the first {tunables.FIRST} and the last {tunables.LAST} are"
        reason = f"not looked at: of long documents {looked_at}"
        scan.missed.append(f"{name_pages(omitted)} {reason}")
    if evidence.page_count > len(evidence.pages):
        scan.missed.append(f"pages from {len(evidence.pages) + 1} on not opened")
    return scan


def _chosen(pages: Sequence[Page]) -> Sequence[Page]:
    if len(pages) <= tunables.FIRST + tunables.LAST:
        return pages
    return [*pages[: tunables.FIRST], *pages[-tunables.LAST :]]


def _look_at(evidence: Evidence, page: Page, scan: VisualScan) -> None:
    # The page may be scanned sideways. Marks are searched on the upright page.
    turned = 0
    if page.is_picture and page.lines:
        turned = evidence.recognised(page.number).turned
    if not turned:
        _look_upright(evidence, page, scan)
        return
    upright = VisualScan()
    _look_upright(evidence, page, upright, turned)
    # Places on the upright page are converted back to the page as it is displayed.
    for name in PLACES:
        for box in getattr(upright, name):
            getattr(scan, name).append(_turn(box, -turned))
    for code in upright.codes:
        scan.codes.append(replace(code, box=_turn(code.box, -turned)))


def _look_upright(
    evidence: Evidence, page: Page, scan: VisualScan, turned: int = 0
) -> None:
    sheet = _sheet(evidence, page, tunables.DPI, turned)
    codes = _codes(evidence, page, sheet)
    scan.codes += codes
    # Codes and signature fields are excluded, because their patterns look like rings and strokes.
    besides = [code.box for code in codes]
    besides += [box for box in evidence.signature_boxes if box.page == page.number]
    rounds = _rounds(sheet, besides)
    seals = []
    doubtful = []
    for mark in rounds:
        if _is_seal(mark, sheet):
            seals.append(mark.box)
        # A doubtful round mark at the head is more likely a logo.
        elif mark.may_be_seal and not _in_head(mark.box):
            doubtful.append(mark.box)
    wax_seals: list[Box] = import_module("checks.vision.wax_seals").find_wax_seals(
        sheet
    )
    stamped = _distinct([*seals, *wax_seals])
    scan.seals += stamped
    # Doubtful marks count only on pages with text and on scans.
    if page.has_text_layer or page.image_share > tunables.SCAN:
        scan.doubtful_seals += _distinct(doubtful)
    scan.emblems += _emblems(page, sheet, rounds)
    _look_for_signatures(sheet, [*besides, *stamped], doubtful, scan)


def _is_seal(mark: Round, sheet: Sheet) -> bool:
    if mark.is_seal and not _is_emblem(mark):
        return True
    return mark.is_ring and _is_captioned(mark, sheet)


def _sheet(evidence: Evidence, page: Page, dpi: int, turned: int = 0) -> Sheet:
    """Return the page as it is displayed, or turned clockwise by so many quarters."""
    binarisation = import_module("checks.vision.binarisation")
    pixels = readers.draw_page(evidence.file, page.number, dpi=dpi)
    resolution = float(dpi)
    if evidence.kind == "pdf":
        # A very large page is drawn with fewer dots than asked for, so compute the resolution from
        # its width in points.
        resolution = pixels.shape[1] * 72 / max(page.width, 1.0)
    words = page.words
    if turned:
        words = [replace(word, box=_turn(word.box, turned)) for word in words]
        pixels = binarisation.turn(pixels, turned)
    sheet: Sheet = binarisation.Sheet.of(page.number, pixels, resolution, words)
    return sheet


def _turn(box: Box, quarters: int) -> Box:
    """Return the same place on the page after clockwise quarter turns."""
    for _ in range(quarters % 4):
        box = Box(box.page, 1 - box.y1, box.x0, 1 - box.y0, box.x1)
    return box


def _codes(evidence: Evidence, page: Page, sheet: Sheet) -> list[Code]:
    """Return the codes of a page.

    Small ones need a finer drawing, which is made only for pictures that may be codes.
    """
    # A code is a picture or many small drawings. A page with only words has none.
    if not (page.images or page.objects > len(page.words) or page.is_picture):
        return []
    reader = import_module("checks.vision.codes")
    codes: list[Code] = reader.find_codes(sheet)
    candidates = [box for box in page.images if _may_be_code(box, sheet, codes)]
    if candidates:
        fine = _sheet(evidence, page, tunables.FINE_DPI)
        for box in candidates[: tunables.MAX_PICTURES]:
            codes += reader.find_codes(fine, box)
    return codes


def _may_be_code(box: Box, sheet: Sheet, codes: Sequence[Code]) -> bool:
    """Whether this picture is about square, of the size of a code, and not read yet."""
    width, height = sheet.inches(box)
    if not _are_within(CODE_SIDES, width, height):
        return False
    if not _is_square(width, height):
        return False
    return not any(box.overlap(code.box) > 0 for code in codes)


def _is_square(width: float, height: float) -> bool:
    return 1 - tunables.NOT_SQUARE <= width / height <= 1 + tunables.NOT_SQUARE


def _are_within(limits: tuple[float, float], width: float, height: float) -> bool:
    least, most = limits
    return least <= min(width, height) and max(width, height) <= most


def _rounds(sheet: Sheet, besides: Sequence[Box]) -> list[Round]:
    rounds: list[Round] = import_module("checks.vision.seals").find_rounds(
        sheet, besides
    )
    return rounds


def _look_for_signatures(
    sheet: Sheet,
    besides: Sequence[Box],
    doubtful_seals: Sequence[Box],
    scan: VisualScan,
) -> None:
    reader = import_module("checks.vision.signatures")
    inked = import_module("checks.vision.binarisation").Inked.of(sheet)
    candidates: list[Strokes] = reader.find_strokes(inked, besides)
    boxes = []
    for strokes in candidates:
        # The ring of a seal or a logo is no handwriting, but somebody may have signed within it.
        is_ring = any(_are_one(strokes.box, seal) for seal in doubtful_seals)
        if strokes.is_signature and not is_ring:
            scan.signatures.append(strokes.box)
        elif strokes.may_be_signature:
            scan.doubtful_signatures.append(strokes.box)
        else:
            continue
        boxes.append(strokes.box)
    lines: list[Box] = reader.find_lines(inked)
    for line in lines:
        # If there may be a signature, the line may not be empty.
        if not any(_stands_on(box, line) for box in boxes):
            scan.unsigned_lines.append(line)


def _are_one(first: Box, other: Box) -> bool:
    """Whether two boxes are those of one mark."""
    both = first.overlap(other)
    return both >= tunables.SAME_RING * (first.area + other.area - both)


def _stands_on(strokes: Box, line: Box) -> bool:
    """Whether strokes stand on a line, or a little beside, above or below it: people do not aim
    exactly.
    """
    if strokes.x1 < line.x0 - tunables.ASIDE or strokes.x0 > line.x1 + tunables.ASIDE:
        return False
    return (
        strokes.y0 - tunables.BELOW <= line.y1
        and strokes.y1 >= line.y0 - tunables.ABOVE
    )


def _in_head(box: Box) -> bool:
    return box.middle_y < tunables.HEAD


def _is_emblem(mark: Round) -> bool:
    """Whether it is a small round mark at the head of a page: a logo or a crest."""
    return _in_head(mark.box) and mark.radius < tunables.SMALL_EMBLEM


@cache
def _languages(kind: str) -> Mapping[str, frozenset[str]]:
    """Return the words of one kind beside a seal, each with the languages that have it."""
    languages: dict[str, set[str]] = {}
    for row in table("form_words"):
        if row["kind"] == kind:
            for word in row["words"].split("|"):
                languages.setdefault(word, set()).add(row["language"])
    return {word: frozenset(several) for word, several in languages.items()}


def _word(text: str) -> str:
    return text.casefold().strip(".,:;()")


def _is_captioned(mark: Round, sheet: Sheet) -> bool:
    """Whether words directly below or above the mark say that it is a seal."""
    for word in sheet.words:
        text = _word(word.text)
        languages = _languages("seal").get(text, frozenset())
        is_alone = text in _languages("seal_alone")
        if not (languages or is_alone) or not _is_caption(word.box, mark.box, sheet):
            continue
        if is_alone or _tells_of_whom(word.box, languages, sheet):
            return True
    return False


def _is_caption(word: Box, mark: Box, sheet: Sheet) -> bool:
    """Whether a word stands shortly above or below a mark."""
    if word.x1 <= mark.x0 or word.x0 >= mark.x1:
        return False
    gap = word.gap_down(mark)
    return 0 <= gap * sheet.height / sheet.dpi <= tunables.CAPTION


def _tells_of_whom(seal: Box, languages: frozenset[str], sheet: Sheet) -> bool:
    """Whether the word beside it says whose seal it is, as in "corporate seal" and "sello oficial".

    In English it stands before the seal: "seal official" is no caption.
    """
    owners = _languages("seal_owner")
    for word in sheet.words:
        shared = languages & owners.get(_word(word.text), frozenset())
        if not shared:
            continue
        if _follow(word.box, seal) or (shared != {"en"} and _follow(seal, word.box)):
            return True
    return False


def _follow(first: Box, other: Box) -> bool:
    """Whether the first word is directly left of the other."""
    shared = min(first.y1, other.y1) - max(first.y0, other.y0)
    if shared <= tunables.SAME_LINE * other.height:
        return False
    gap = other.x0 - first.x1
    return -tunables.TOUCHING <= gap <= tunables.NEXT_WORD * other.height


def _emblems(page: Page, sheet: Sheet, rounds: Sequence[Round]) -> list[Box]:
    """Return pictures and round marks at the head of a page: logos and crests."""
    emblems = []
    for box in page.images:
        if _in_head(box) and _are_within(EMBLEM_SIDES, *sheet.inches(box)):
            emblems.append(box)
    for mark in rounds:
        if _in_head(mark.box) and mark.radius < tunables.LARGE_EMBLEM:
            emblems.append(mark.box)
    return _distinct(emblems)[: tunables.MAX_PICTURES]


def _distinct(boxes: Iterable[Box]) -> list[Box]:
    """Return the boxes without those that lie mostly within an earlier one."""
    distinct: list[Box] = []
    for box in boxes:
        if all(
            box.overlap(other) < tunables.SAME_MARK * box.area for other in distinct
        ):
            distinct.append(box)
    return distinct
