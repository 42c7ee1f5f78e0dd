"""Traces of editing in the pixels of a scan or a photograph."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import cv2
import numpy as np
import numpy.typing as npt
import pikepdf
from pikepdf.exceptions import DependencyError
from pikepdf.models.image import InvalidPdfImageError, UnsupportedImageTypeError
from PIL import ExifTags, Image

from checks.readers.ink import ink_of
from checks.readers.pdf.structure import ODDITIES
from checks.readers.pictures import tunables
from papers.geometry import IDENTITY, Affine, Box

# Raised for pictures with rare colours or coding, and for broken ones. JBIG2 needs a program that
# is not installed; it is used for black-and-white pictures, which have no grain to compare.
UNUSUAL = (UnsupportedImageTypeError, InvalidPdfImageError, DependencyError)

Pixels = npt.NDArray[np.uint8]
Rows = npt.NDArray[np.float32]
# `Place`: left, top, width and height, in dots or in blocks. `Size`: width and height. `Pair`: two
# letters that are compared.
Place = tuple[int, int, int, int]
Size = tuple[int, int]
Pair = tuple[Place, Place]
NOWHERE: Place = (0, 0, 0, 0)

# JPEG compresses squares of 8 dots, or of 16 if the colours have half the resolution.
GRID = 8
BLOCK = 16
QUALITIES = range(40, 97, 4)
# From the stored picture to the displayed one, by the value of the EXIF orientation.
TURNS = {
    1: IDENTITY,
    2: Affine(-1, 0, 0, 1, 1, 0),
    3: Affine(-1, 0, 0, -1, 1, 1),
    4: Affine(1, 0, 0, -1, 0, 1),
    5: Affine(0, 1, 1, 0, 0, 0),
    6: Affine(0, 1, -1, 0, 1, 0),
    7: Affine(0, -1, -1, 0, 1, 1),
    8: Affine(0, -1, 1, 0, 0, 1),
}
# The same turns by quarters clockwise.
OF_QUARTERS = (1, 6, 3, 8)


@dataclass(frozen=True, slots=True)
class ScannedPicture:
    """The grey pixels, as stored, of a picture that is (most of) a page.

    `clipped`: the dots with a colour at its limit. `steps`: how coarsely the grey of a JPEG was
    saved, for each of its 64 waves; empty for other pictures. `turn`: from the stored picture to the
    displayed page, in fractions of both.
    """

    page: int
    grey: Pixels
    clipped: npt.NDArray[np.bool_]
    is_jpeg: bool
    steps: tuple[int, ...] = ()
    turn: Affine = IDENTITY

    def box(self, x: int, y: int, width: int, height: int) -> Box:
        """Return a box of the page.

        The picture fills its page, so its fractions are those of the page before it is turned.
        """
        rows, columns = self.grey.shape
        left = x / columns
        top = y / rows
        right = (x + width) / columns
        bottom = (y + height) / rows
        return self.turn.box(self.page, (left, top, right, bottom))


@dataclass(frozen=True, slots=True)
class Twins:
    """Letters that are on the picture twice, down to the grain: one run is a copy of the other."""

    first: Box
    second: Box
    letters: int


def read_pictures(content: bytes, kind: str, *, pages: int) -> Iterator[ScannedPicture]:
    """Yield the picture of a picture file, or the pictures that fill the first pages of a PDF."""
    if kind == "pdf":
        yield from _of_pdf(content, pages)
        return
    picture = _decode(content)
    if picture is not None:
        orientation = picture.getexif().get(ExifTags.Base.Orientation, 1)
        turn = TURNS.get(orientation, IDENTITY)
        yield _scanned(1, picture, turn, is_jpeg=kind == "jpeg")


def _of_pdf(content: bytes, pages: int) -> Iterator[ScannedPicture]:
    try:
        with pikepdf.open(io.BytesIO(content), suppress_warnings=True) as pdf:
            for number, page in enumerate(pdf.pages[:pages], start=1):
                painted = page.get_images(recursive=False)
                image = _picture_of_page(list(painted.values()))
                if image is None:
                    continue
                picture = _unpack(image)
                if picture is not None:
                    is_jpeg = "/DCTDecode" in str(image.get("/Filter"))
                    turn = TURNS[OF_QUARTERS[_quarters(page)]]
                    yield _scanned(number, picture, turn, is_jpeg=is_jpeg)
    except ODDITIES:
        return


def _quarters(page: pikepdf.Page) -> int:
    """Return by how many quarters a page is turned clockwise when it is displayed."""
    degrees = page.rotation
    return degrees // 90 % 4


def _scanned(
    page: int, picture: Image.Image, turn: Affine, *, is_jpeg: bool
) -> ScannedPicture:
    colours = np.asarray(picture.convert("RGB"))
    clipped = (colours.max(axis=2) >= tunables.WHITEST) | (
        colours.min(axis=2) <= tunables.BLACKEST
    )
    tables = getattr(picture, "quantization", {})
    grey = np.asarray(picture.convert("L"))
    return ScannedPicture(page, grey, clipped, is_jpeg, tuple(tables.get(0, ())), turn)


def _picture_of_page(images: list[pikepdf.Object]) -> pikepdf.Object | None:
    """Return the largest picture; None if another one is more than half as large."""
    if not images:
        return None
    images.sort(key=_area, reverse=True)
    largest, *others = images
    if others and _area(others[0]) > tunables.ALONE * _area(largest):
        return None
    return largest


def _area(image: pikepdf.Object) -> int:
    try:
        return int(image.Width) * int(image.Height)
    except ODDITIES:
        return 0


def _unpack(image: pikepdf.Object) -> Image.Image | None:
    if not isinstance(image, pikepdf.Stream):
        return None
    if not tunables.MIN_PIXELS <= _area(image) <= tunables.MAX_PIXELS:
        return None
    try:
        picture = pikepdf.PdfImage(image).as_pil_image()
        picture.load()
    except (*ODDITIES, *UNUSUAL, OSError, NotImplementedError, SyntaxError):
        return None
    return picture


def _decode(content: bytes) -> Image.Image | None:
    try:
        with Image.open(io.BytesIO(content), formats=("JPEG", "PNG", "TIFF")) as image:
            if (
                not tunables.MIN_PIXELS
                <= image.width * image.height
                <= tunables.MAX_PIXELS
            ):
                return None
            image.load()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    return image


def duplicated_letters(picture: ScannedPicture) -> Twins | None:
    """Return the longest run of letters that was copied; None if there is none or it cannot be
    decided.

    A scanner gives every letter its own grain. Two letters with the same grain, at the same
    distance as their neighbours are from each other, were copied. In a picture that a computer
    drew, letters have no grain and many have a near twin, so nothing can be concluded.
    """
    letters = _letters(picture.grey)
    pairs, near, compared = _alike(picture.grey, letters)
    if compared < tunables.MIN_COMPARED:
        return None
    run = _longest_run(pairs, on_grid=picture.is_jpeg)
    # One pair may be chance. If many pairs are spread over several offsets, the letters are just
    # similar.
    if len(run) < 2 or len(run) < tunables.ONE_RUN * len(pairs):
        return None
    firsts, others = zip(*run, strict=True)
    near_alone = near - {*firsts, *others}
    letter_count = sum(map(len, letters.values()))
    # Many near twins elsewhere mean that the letters have no grain: the page was drawn by a
    # computer.
    if len(near_alone) > tunables.MOST_NEAR * letter_count:
        return None
    # A small page has few letters, so that this share says little. Its paper shows that it was drawn.
    if len(near_alone) >= len(run) and _is_plain(picture.grey):
        return None
    return Twins(_around(picture, firsts), _around(picture, others), len(run))


def _is_plain(grey: Pixels) -> bool:
    """Whether the paper has a single value, without any grain."""
    counts = np.bincount(grey.ravel(), minlength=256)
    paper = int(counts.argmax())
    darkest = max(paper - tunables.NEAR_PAPER, 0)
    around = int(counts[darkest : paper + tunables.NEAR_PAPER + 1].sum())
    others = around - int(counts[paper])
    if counts[paper] < tunables.PLAIN_PAPER * grey.size:
        return False
    return others < tunables.PLAIN_GRAIN * grey.size


def is_drawn(picture: ScannedPicture) -> bool:
    """Whether the page was drawn by a program and not scanned from paper.

    On paper each letter has its own grain. A program draws a letter identically wherever it has the
    same position relative to the dots. Strong compression hides this, and in pure black and white
    it cannot be decided.
    """
    grey = picture.grey
    counts = np.bincount(grey.ravel(), minlength=256)
    greys = int(counts[tunables.DRAWN_DARK : tunables.DRAWN_LIGHT].sum())
    if greys < tunables.DRAWN_GREYS * grey.size:
        return False
    letters = _letters(grey)
    count = sum(map(len, letters.values()))
    if count < tunables.DRAWN_LETTERS:
        return False
    pairs, _, _ = _alike(grey, letters)
    alike = set(chain.from_iterable(pairs))
    return len(alike) >= max(tunables.DRAWN_LEAST, tunables.DRAWN_ALIKE * count)


def _longest_run(pairs: Sequence[Pair], *, on_grid: bool) -> list[Pair]:
    """Return the largest group of pairs with the same offset, within three dots."""
    shifts: dict[tuple[int, int], list[Pair]] = defaultdict(list)
    for first, other in pairs:
        across = other[0] - first[0]
        down = other[1] - first[1]
        # Letters that a computer drew are identical wherever they have the same position on the
        # JPEG grid. So offsets of whole grid squares prove nothing.
        if on_grid and across % GRID == 0 and down % GRID == 0:
            continue
        shift = (round(across / 3), round(down / 3))
        shifts[shift].append((first, other))
    return max(shifts.values(), key=len, default=[])


def _letters(grey: Pixels) -> dict[Size, list[Place]]:
    """Return dark shapes of the size of letters, by their width and height."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink_of(grey), connectivity=8)
    rows, columns = grey.shape
    letters: dict[Size, list[Place]] = defaultdict(list)
    for x, y, width, height, area in stats[1:].tolist():
        if not _has_size_of_letter(width, height, area):
            continue
        # Two dots around the letter are compared, too, so it must not touch the edge of the
        # picture.
        last_x = columns - width - 2
        last_y = rows - height - 2
        if 2 < x < last_x and 2 < y < last_y:
            letters[width, height].append((x, y, width, height))
    return letters


def _has_size_of_letter(width: int, height: int, area: int) -> bool:
    if not tunables.NARROWEST_LETTER <= width <= tunables.WIDEST_LETTER:
        return False
    if not tunables.SHORTEST_LETTER <= height <= tunables.HIGHEST_LETTER:
        return False
    return area >= tunables.LEAST_LETTER


def _alike(
    grey: Pixels, letters: dict[Size, list[Place]]
) -> tuple[list[Pair], set[Place], int]:
    """Return the pairs with the same grain, the letters with a near twin, and the number of
    comparisons.
    """
    pairs: list[Pair] = []
    near: set[Place] = set()
    compared = 0
    for (width, height), places in letters.items():
        if not 2 <= len(places) <= tunables.MAX_OF_ONE_SIZE:
            continue
        cuts = []
        for x, y, _, _ in places:
            rows = slice(y - 2, y + height + 2)
            columns = slice(x - 2, x + width + 2)
            cuts.append(grey[rows, columns])
        pictures = np.array(cuts, dtype=np.int16)
        for index in range(len(places) - 1):
            place = places[index]
            later = places[index + 1 :]
            differences = np.abs(pictures[index + 1 :] - pictures[index])
            distances = differences.mean(axis=(1, 2))
            compared += len(distances)
            for at in np.flatnonzero(distances < tunables.NEAR).tolist():
                near.update((place, later[at]))
            for at in np.flatnonzero(distances < tunables.ALIKE).tolist():
                pairs.append((place, later[at]))
    return pairs, near, compared


def _around(picture: ScannedPicture, places: Sequence[Place]) -> Box:
    left, top, width, height = places[0]
    right = left + width
    bottom = top + height
    for x, y, width, height in places:
        left = min(left, x)
        top = min(top, y)
        right = max(right, x + width)
        bottom = max(bottom, y + height)
    return picture.box(left, top, right - left, bottom - top)


def compressed_otherwise(picture: ScannedPicture) -> Box | None:
    """Return a region that was compressed before with another quality than the rest, if one stands
    out.

    The picture is compressed again with each quality. If a region loses far less than the rest at
    one quality, it had been saved with that quality before (a JPEG ghost).
    """
    rows, columns = picture.grey.shape
    # Use whole blocks only.
    rows -= rows % BLOCK
    columns -= columns % BLOCK
    grey = np.ascontiguousarray(picture.grey[:rows, :columns])
    spreads = _blocks(grey).std(axis=(1, 3))
    textured = spreads > tunables.TEXTURED
    if int(textured.sum()) < tunables.MIN_TEXTURED:
        return None
    losses = np.array([_losses(grey, quality) for quality in QUALITIES])
    # Losses are relative to the largest loss of each block, so that busy and quiet blocks can be
    # compared.
    losses /= losses.max(axis=0, keepdims=True) + 1e-6
    best = (0.0, NOWHERE)
    for index in _dips(losses, textured):
        island = _island(losses[index], textured)
        if island[0] > best[0]:
            best = island
    score, place = best
    if score <= tunables.GHOST:
        return None
    x, y, width, height = place
    return picture.box(x * BLOCK, y * BLOCK, width * BLOCK, height * BLOCK)


def _blocks(grey: Pixels) -> Rows:
    rows, columns = grey.shape
    return grey.astype(np.float32).reshape(
        rows // BLOCK, BLOCK, columns // BLOCK, BLOCK
    )


def _losses(grey: Pixels, quality: int) -> Rows:
    _, packed = cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, quality])
    unpacked = cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE)
    again = np.asarray(unpacked, dtype=np.uint8)
    apart: Rows = np.subtract(_blocks(grey), _blocks(again))
    squares = np.square(apart)
    return np.asarray(squares.mean(axis=(1, 3)))


def _dips(losses: Rows, textured: npt.NDArray[np.bool_]) -> list[int]:
    """Return the qualities at which the picture loses less than at the neighbouring ones."""
    curve = []
    for loss in losses:
        curve.append(float(np.median(loss[textured])))
    dips = []
    for index in range(1, len(curve) - 2):
        before, here, after = curve[index - 1 : index + 2]
        if here < before - tunables.DIP and here < after:
            dips.append(index)
    if dips:
        return dips
    lowest = np.argmin(curve[:-2])
    return [int(lowest)]


def _island(loss: Rows, textured: npt.NDArray[np.bool_]) -> tuple[float, Place]:
    """Return how far the most outstanding group of blocks differs from the rest, and its place."""
    middle = np.median(loss[textured])
    deviations = np.abs(loss[textured] - middle)
    # The median absolute deviation. The factor 1.4826 makes it a standard deviation for normal
    # noise.
    spread = 1.4826 * np.median(deviations) + 1e-4
    departs = (loss - middle) / spread
    departs[~textured] = 0
    outstanding = (departs > tunables.OUTSTANDING).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(outstanding)
    best_score = 0.0
    best_place = NOWHERE
    for label in range(1, count):
        x, y, width, height, area = stats[label].tolist()
        # A single block is noise, and a large area is the page itself.
        if not tunables.SMALLEST_ISLAND <= area <= tunables.LARGEST_ISLAND:
            continue
        score = area * float(departs[labels == label].mean())
        if score > best_score:
            best_score = score
            best_place = (x, y, width, height)
    return best_score, best_place
