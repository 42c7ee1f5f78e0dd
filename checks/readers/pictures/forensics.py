"""Traces of editing in the pixels of a scan or a photograph."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
import pikepdf
from pikepdf.exceptions import DependencyError
from pikepdf.models.image import InvalidPdfImageError, UnsupportedImageTypeError
from PIL import Image

from checks.readers.pdf.structure import ODDITIES
from papers.geometry import Box

# Pictures whose colours or coding are rare, and those that are none. JBIG2 needs a program that is
# not installed; it is for pictures in black and white, which have no grain to look at.
UNUSUAL = (UnsupportedImageTypeError, InvalidPdfImageError, DependencyError)

Pixels = npt.NDArray[np.uint8]
Rows = npt.NDArray[np.float32]

# Larger pictures take too long, and in smaller ones letters are too small to be told apart.
MAX_PIXELS, MIN_PIXELS = 9_000_000, 120_000
WHOLE_PAGE = 0.5
ALIKE = 2.2
MAX_OF_ONE_SIZE = 300
# What was copied lies at one distance from its copy; where no scanner gave the letters a grain,
# letters are alike all over the page.
ONE_RUN = 0.6
MIN_COMPARED = 50
# Letters of a scan differ by more than this from all their likes (measured: 97 % of them and more).
# Of letters that a computer drew, a fifth and more have a like that is nearer.
NEAR, MOST_NEAR = 5.0, 0.1
GRID = 8
BLOCK = 16
QUALITIES = range(40, 97, 4)
MIN_TEXTURED = 60
GHOST = 150.0


@dataclass(frozen=True, slots=True)
class ScannedPicture:
    """The pixels of a picture that is (most of) a page, in grey, as they are stored."""

    page: int
    grey: Pixels
    is_jpeg: bool

    def box(self, x: int, y: int, width: int, height: int) -> Box:
        """Of a picture that fills its page: its own fractions are those of the page."""
        rows, columns = self.grey.shape
        edges = x / columns, y / rows, (x + width) / columns, (y + height) / rows
        return Box(self.page, *(round(min(max(edge, 0.0), 1.0), 5) for edge in edges))


@dataclass(frozen=True, slots=True)
class Twins:
    """Letters that stand on the picture twice, to the grain: one run is a copy of the other."""

    first: Box
    second: Box
    letters: int


def read_pictures(content: bytes, kind: str, *, pages: int) -> Iterator[ScannedPicture]:
    """The picture of a picture file, or those that fill the first pages of a PDF."""
    if kind == "pdf":
        yield from _of_pdf(content, pages)
        return
    grey = _decode(content)
    if grey is not None:
        yield ScannedPicture(1, grey, is_jpeg=kind == "jpeg")


def _of_pdf(content: bytes, pages: int) -> Iterator[ScannedPicture]:
    try:
        with pikepdf.open(io.BytesIO(content), suppress_warnings=True) as pdf:
            for number, page in enumerate(pdf.pages[:pages], start=1):
                painted = page.get_images(recursive=False)
                images = sorted(painted.values(), key=_area, reverse=True)
                if not images or (
                    len(images) > 1 and _area(images[1]) > WHOLE_PAGE * _area(images[0])
                ):
                    continue
                grey = _unpack(images[0])
                if grey is not None:
                    is_jpeg = "/DCTDecode" in str(images[0].get("/Filter"))
                    yield ScannedPicture(number, grey, is_jpeg=is_jpeg)
    except ODDITIES:
        return


def _area(image: pikepdf.Object) -> int:
    try:
        return int(image.Width) * int(image.Height)
    except ODDITIES:
        return 0


def _unpack(image: pikepdf.Object) -> Pixels | None:
    if (
        not isinstance(image, pikepdf.Stream)
        or not MIN_PIXELS <= _area(image) <= MAX_PIXELS
    ):
        return None
    try:
        return np.asarray(pikepdf.PdfImage(image).as_pil_image().convert("L"))
    except (*ODDITIES, *UNUSUAL, OSError, NotImplementedError, SyntaxError):
        return None


def _decode(content: bytes) -> Pixels | None:
    try:
        with Image.open(io.BytesIO(content), formats=("JPEG", "PNG", "TIFF")) as image:
            if not MIN_PIXELS <= image.width * image.height <= MAX_PIXELS:
                return None
            return np.asarray(image.convert("L"))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None


def duplicated_letters(picture: ScannedPicture) -> Twins | None:
    """The longest run of letters that was copied; None where there is none, or it cannot be told.

    A scanner gives every letter a grain of its own. Two that are alike to the grain, and lie as
    far from each other as their neighbours do, were copied. Of a picture that was drawn by
    a computer, whose letters have no grain, that says nothing: there, many letters have a near like.
    """
    letters = _letters(picture.grey)
    pairs, near, compared = _alike(picture.grey, letters)
    if compared < MIN_COMPARED:
        return None
    shifts: dict[tuple[int, int], list[tuple[Place, Place]]] = defaultdict(list)
    for first, other in pairs:
        across = other[0] - first[0]
        down = other[1] - first[1]
        # Print that a computer drew is alike wherever it lies on the grid of a JPEG in one way.
        if picture.is_jpeg and across % GRID == 0 and down % GRID == 0:
            continue
        shifts[round(across / 3), round(down / 3)].append((first, other))
    run = max(shifts.values(), key=len, default=[])
    if len(run) < 2 or len(run) < ONE_RUN * len(pairs):
        return None
    firsts, others = zip(*run, strict=True)
    copied = {*firsts, *others}
    if len(near - copied) > MOST_NEAR * sum(map(len, letters.values())):
        return None
    return Twins(_around(picture, firsts), _around(picture, others), len(run))


Place = tuple[int, int, int, int]


def _letters(grey: Pixels) -> dict[tuple[int, int], list[Place]]:
    """Dark shapes of the size of letters, by their width and height."""
    _, ink = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    rows, columns = grey.shape
    letters: dict[tuple[int, int], list[Place]] = defaultdict(list)
    for x, y, width, height, area in stats[1:].tolist():
        inside = 2 < x < columns - width - 2 and 2 < y < rows - height - 2
        has_size = 5 <= width <= 60 and 9 <= height <= 70 and area >= 20
        if inside and has_size:
            letters[width, height].append((x, y, width, height))
    return letters


def _alike(
    grey: Pixels, letters: dict[tuple[int, int], list[Place]]
) -> tuple[list[tuple[Place, Place]], set[Place], int]:
    """The pairs that are alike to the grain, the letters that have a near like, and how many pairs
    were compared."""
    pairs: list[tuple[Place, Place]] = []
    near: set[Place] = set()
    compared = 0
    for (width, height), places in letters.items():
        if not 2 <= len(places) <= MAX_OF_ONE_SIZE:
            continue
        cuts = []
        for x, y, _, _ in places:
            cuts.append(grey[y - 2 : y + height + 2, x - 2 : x + width + 2])
        cut = np.array(cuts, dtype=np.int16)
        for index in range(len(places) - 1):
            distances = np.abs(cut[index + 1 :] - cut[index]).mean(axis=(1, 2))
            compared += len(distances)
            later = places[index + 1 :]
            for at in np.flatnonzero(distances < NEAR):
                near |= {places[index], later[int(at)]}
            for at in np.flatnonzero(distances < ALIKE):
                pairs.append((places[index], later[int(at)]))
    return pairs, near, compared


def _around(picture: ScannedPicture, places: Sequence[Place]) -> Box:
    left = min(p[0] for p in places)
    top = min(p[1] for p in places)
    right = max(p[0] + p[2] for p in places)
    bottom = max(p[1] + p[3] for p in places)
    return picture.box(left, top, right - left, bottom - top)


def compressed_otherwise(picture: ScannedPicture) -> Box | None:
    """The region that was compressed with another quality before than the rest, if one stands out.

    The picture is compressed again with each quality: where a region loses far less than the rest
    at one of them, it had been saved with that quality before it came here (a JPEG ghost).
    """
    rows, columns = (side - side % BLOCK for side in picture.grey.shape)
    grey = np.ascontiguousarray(picture.grey[:rows, :columns])
    textured = _blocks(grey).std(axis=(1, 3)) > 12
    if int(textured.sum()) < MIN_TEXTURED:
        return None
    losses = np.array([_losses(grey, quality) for quality in QUALITIES])
    losses /= losses.max(axis=0, keepdims=True) + 1e-6
    islands = [_island(losses[index], textured) for index in _dips(losses, textured)]
    score, box = max(islands, key=lambda island: island[0])
    x, y, width, height = (edge * BLOCK for edge in box)
    if score > GHOST:
        return picture.box(x, y, width, height)
    return None


def _blocks(grey: Pixels) -> Rows:
    rows, columns = grey.shape
    return grey.astype(np.float32).reshape(
        rows // BLOCK, BLOCK, columns // BLOCK, BLOCK
    )


def _losses(grey: Pixels, quality: int) -> Rows:
    _, packed = cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, quality])
    again = np.asarray(cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE), dtype=np.uint8)
    apart: Rows = np.subtract(_blocks(grey), _blocks(again))
    return np.asarray(np.square(apart).mean(axis=(1, 3)))


def _dips(losses: Rows, textured: npt.NDArray[np.bool_]) -> list[int]:
    """The qualities at which the whole loses less than at those beside them."""
    curve = [float(np.median(loss[textured])) for loss in losses]
    dips = []
    for index in range(1, len(curve) - 2):
        if curve[index] < curve[index - 1] - 0.004 and curve[index] < curve[index + 1]:
            dips.append(index)
    return dips or [int(np.argmin(curve[:-2]))]


def _island(loss: Rows, textured: npt.NDArray[np.bool_]) -> tuple[float, Place]:
    """How far the most outstanding group of blocks departs from the rest, and where it lies."""
    middle = np.median(loss[textured])
    spread = 1.4826 * np.median(np.abs(loss[textured] - middle)) + 1e-4
    departs = (loss - middle) / spread
    departs[~textured] = 0
    count, labels, stats, _ = cv2.connectedComponentsWithStats(
        (departs > 4).astype(np.uint8)
    )
    best: tuple[float, Place] = (0.0, (0, 0, 0, 0))
    for label in range(1, count):
        x, y, width, height, area = (int(value) for value in stats[label])
        if 2 <= area <= 120:
            score = area * float(departs[labels == label].mean())
            if score > best[0]:
                best = score, (x, y, width, height)
    return best
