"""Drawn faces of people who do not exist, similar enough to photographs for a face detector.

Pictures of real people do not belong in a repository.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

Colour = tuple[int, int, int]
Plane = npt.NDArray[Any]
BACKGROUND, COAT = (205, 210, 215), (60, 70, 95)
WHITE_COLOUR, PUPIL_COLOUR = (238, 236, 232), (15, 12, 12)
GLINT_COLOUR, LASH_COLOUR = (250, 250, 250), (45, 30, 28)
RIDGE_COLOUR = (255, 240, 225)
FINE = 2  # drawn this many times larger than wanted
EYES, MOUTH = -0.03, 0.205  # heights: 0 is the middle of the picture, 1 its height


@dataclass(frozen=True, slots=True)
class Features:
    """The features of a face. Lengths are half of the real ones, in fractions of the picture."""

    skin: Colour = (224, 180, 150)
    hair: Colour = (70, 45, 30)
    iris: Colour = (90, 60, 40)
    lips: Colour = (170, 85, 80)
    breadth: float = 0.26
    length: float = 0.346
    apart: float = 0.124
    eye: float = 0.059
    brow: float = 0.018
    nose: float = 0.054
    mouth: float = 0.094
    chin: float = 0.22
    fringe: float = 0.36
    beard: bool = False


@dataclass(frozen=True, slots=True)
class _Shade:
    """A soft dark ellipse: its middle, its half width and half height, and its strength."""

    x: float
    y: float
    wide: float
    high: float
    by: float
    soft: float


# Width and height of a part of the eye in widths of the eye, and how far below its middle it is.
WHITE = (1, 0.45, 0)
IRIS = (0.42, 0.42, 0)
PUPIL = (0.2, 0.2, 0)
ABOVE_LASH = (1.06, 0.55, -0.002)
BELOW_LASH = (1.08, 0.52, 0.008)
SIDES_OF_NOSE = (
    _Shade(0.025, 0.03, 0.018, 0.09, 0.18, 0.014),
    _Shade(-0.03, 0.03, 0.014, 0.08, 0.1, 0.014),
)

BRUNETTE = Features()
BEARDED = Features(
    skin=(150, 105, 80), hair=(25, 20, 20), iris=(40, 28, 20), lips=(130, 70, 70), breadth=0.288,
    length=0.317, apart=0.14, eye=0.052, brow=0.026, nose=0.072, mouth=0.108, chin=0.11,
    fringe=0.24, beard=True,
)  # fmt: skip
BLONDE = Features(
    skin=(240, 205, 185), hair=(200, 165, 90), iris=(70, 110, 150), lips=(200, 95, 100),
    breadth=0.238, length=0.36, apart=0.112, eye=0.065, brow=0.012, nose=0.045, mouth=0.083,
    chin=0.31, fringe=0.48,
)  # fmt: skip


def draw_portrait(features: Features, *, size: int = 400) -> Image.Image:
    """Draw head and shoulders in a square of `size` pixels. The result is always the same."""
    sheet = _Sheet(size * FINE)
    _head(sheet, features)
    for side in (-1, 1):
        _eye(sheet, features, side)
    _nose(sheet, features)
    _mouth(sheet, features)
    _fringe(sheet, features)
    return sheet.picture().resize((size, size), Image.Resampling.LANCZOS)


class _Sheet:
    """The drawing surface, with the position of each dot: 0 in the middle, and a width of 1."""

    def __init__(self, size: int) -> None:
        places = np.mgrid[0:size, 0:size].astype(np.float32) / size - 0.5
        self.y: Plane = places[0]
        self.x: Plane = places[1]
        self._dots: Plane = np.full((size, size, 3), BACKGROUND, np.float32)

    def ellipse(self, x: float, y: float, wide: float, high: float) -> Plane:
        inside = ((self.x - x) / wide) ** 2 + ((self.y - y) / high) ** 2 < 1
        return inside.astype(np.float32)

    def paint(
        self, where: npt.ArrayLike, colour: npt.ArrayLike, soft: float = 0.004
    ) -> None:
        share = self._soft(where, soft)
        self._dots = self._dots * (1 - share) + np.asarray(colour, np.float32) * share

    def darken(self, where: npt.ArrayLike, by: float, soft: float) -> None:
        self._dots = self._dots * (1 - by * self._soft(where, soft))

    def shade(self, shade: _Shade) -> None:
        where = self.ellipse(shade.x, shade.y, shade.wide, shade.high)
        self.darken(where, shade.by, shade.soft)

    def _soft(self, where: npt.ArrayLike, soft: float) -> Plane:
        mask = np.clip(np.asarray(where, np.float32), 0, 1)
        blurred: Plane = cv2.GaussianBlur(mask, (0, 0), soft * len(mask))[..., None]
        return blurred

    def picture(self) -> Image.Image:
        noise = np.random.default_rng(7).normal(0, 2.5, self._dots.shape)
        return Image.fromarray(np.clip(self._dots + noise, 0, 255).astype(np.uint8))


def _head(sheet: _Sheet, of: Features) -> None:
    skin = np.array(of.skin)
    shoulders = sheet.ellipse(0, 0.62, 0.48, 0.25)
    sheet.paint(shoulders, COAT)
    neck = sheet.ellipse(0, 0.34, 0.12, 0.18)
    sheet.paint(neck, skin * 0.8)
    hair = sheet.ellipse(0, -0.06, of.breadth * 1.17, of.length * 1.08)
    sheet.paint(hair, of.hair, 0.006)
    radius = _radius(sheet, of)
    # The light on a ball, slightly from the left.
    towards_us = np.sqrt(np.clip(1 - radius, 0, 1))
    light = 0.62 + 0.38 * towards_us
    light = light - 0.04 * sheet.x / of.breadth
    light -= 0.05 * (sheet.y - 0.02) / of.length
    sheet.paint(radius < 1, skin * light[..., None], 0.003)


def _radius(sheet: _Sheet, of: Features) -> Plane:
    """Return 0 in the middle of the face and 1 at its edge.

    The face is narrower towards the chin.
    """
    down = (sheet.y - 0.02) / of.length
    narrow = np.where(down > 0, 1 - down * of.chin, 1)
    distance: Plane = (sheet.x / (of.breadth * narrow)) ** 2 + down**2
    return distance


def _eye(sheet: _Sheet, of: Features, side: int) -> None:
    x = side * of.apart
    hollow = _Shade(x, EYES - 0.012, of.eye * 1.42, 0.055, 0.28, 0.018)
    sheet.shade(hollow)
    white = _part_of_eye(sheet, of, x, WHITE)
    sheet.paint(white, WHITE_COLOUR, 0.002)
    iris = _part_of_eye(sheet, of, x, IRIS)
    sheet.paint(iris * white, of.iris, 0.0015)
    pupil = _part_of_eye(sheet, of, x, PUPIL)
    sheet.paint(pupil, PUPIL_COLOUR, 0.0015)
    glint = sheet.ellipse(x - 0.008, EYES - 0.009, 0.005, 0.005)
    sheet.paint(glint, GLINT_COLOUR, 0.001)
    above = _part_of_eye(sheet, of, x, ABOVE_LASH)
    below = _part_of_eye(sheet, of, x, BELOW_LASH)
    is_upper = sheet.y < EYES + 0.004
    sheet.paint((above - below) * is_upper, LASH_COLOUR, 0.0018)
    _brow(sheet, of, side)


def _part_of_eye(
    sheet: _Sheet, of: Features, x: float, part: tuple[float, float, float]
) -> Plane:
    wide, high, down = part
    return sheet.ellipse(x, EYES + down, of.eye * wide, of.eye * high)


def _brow(sheet: _Sheet, of: Features, side: int) -> None:
    wide = of.eye
    across = (sheet.x - side * of.apart) * side / wide
    curve = 0.012 * np.cos(across * 1.1)
    slope = across * wide * 0.06
    arch = EYES - 0.062 - curve + slope
    thick = of.brow * (1 - 0.35 * np.clip(across, -1, 1))
    is_near = np.abs(sheet.y - arch) < thick
    is_over_eye = np.abs(across) < 1.25
    brow = is_near & is_over_eye
    sheet.paint(brow * 0.9, np.array(of.hair) * 0.75)


def _nose(sheet: _Sheet, of: Features) -> None:
    for shade in SIDES_OF_NOSE:
        sheet.shade(shade)
    ridge = sheet.ellipse(0, 0.02, 0.014, 0.085)
    sheet.paint(ridge * 0.3, RIDGE_COLOUR, 0.01)
    below = _Shade(0, 0.128, of.nose * 1.2, 0.018, 0.3, 0.01)
    sheet.shade(below)
    for side in (-1, 1):
        x = side * of.nose
        nostril = _Shade(x * 0.55, 0.118, of.nose * 0.28, 0.011, 0.75, 0.004)
        sheet.shade(nostril)
        outer = sheet.ellipse(x * 0.95, 0.105, 0.022, 0.028)
        inner = sheet.ellipse(x * 0.82, 0.103, 0.022, 0.028)
        sheet.darken(outer - inner, 0.35, 0.005)


def _mouth(sheet: _Sheet, of: Features) -> None:
    across = sheet.x / of.mouth
    bow = np.sqrt(np.clip(1 - across**2, 0, 1))
    # How far below the line between the lips.
    down = sheet.y - (MOUTH + 0.008 - 0.018 * across**2)
    inside = np.abs(across) < 1
    upper_lip = inside & (down < 0) & (down > -0.022 * bow)
    upper_colour = np.array(of.lips) * 0.85
    sheet.paint(upper_lip, upper_colour, 0.0025)
    lower_lip = inside & (down >= 0) & (down < 0.03 * bow)
    sheet.paint(lower_lip, of.lips, 0.0025)
    line = inside & (np.abs(down) < 0.004)
    sheet.darken(line, 0.65, 0.002)
    shadow = _Shade(0, MOUTH + 0.055, of.mouth * 0.7, 0.012, 0.25, 0.01)
    sheet.shade(shadow)
    if of.beard:
        _beard(sheet, of)


def _beard(sheet: _Sheet, of: Features) -> None:
    radius = _radius(sheet, of)
    is_edge = (radius > 0.45) & (radius < 1)
    cheeks = is_edge & (sheet.y > 0.1)
    is_above_lip = np.abs(sheet.y - 0.165) < 0.016
    is_beside_nose = np.abs(sheet.x / of.mouth) < 1.1
    moustache = is_above_lip & is_beside_nose
    sheet.paint((cheeks | moustache) * 0.8, of.hair, 0.01)


def _fringe(sheet: _Sheet, of: Features) -> None:
    bow = 0.12 * (sheet.x / of.breadth) ** 2
    line = 0.02 - of.length * (1 - of.fringe) - bow
    is_head = _radius(sheet, of) < 1.02
    sheet.paint(is_head & (sheet.y < line), of.hair, 0.006)
