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

    def _soft(self, where: npt.ArrayLike, soft: float) -> Plane:
        mask = np.clip(np.asarray(where, np.float32), 0, 1)
        blurred: Plane = cv2.GaussianBlur(mask, (0, 0), soft * len(mask))[..., None]
        return blurred

    def picture(self) -> Image.Image:
        noise = np.random.default_rng(7).normal(0, 2.5, self._dots.shape)
        return Image.fromarray(np.clip(self._dots + noise, 0, 255).astype(np.uint8))


def _head(sheet: _Sheet, of: Features) -> None:
    sheet.paint(sheet.ellipse(0, 0.62, 0.48, 0.25), COAT)
    sheet.paint(sheet.ellipse(0, 0.34, 0.12, 0.18), np.array(of.skin) * 0.8)
    sheet.paint(
        sheet.ellipse(0, -0.06, of.breadth * 1.17, of.length * 1.08), of.hair, 0.006
    )
    radius = _radius(sheet, of)
    # The light on a ball, slightly from the left.
    light = (
        0.62 + 0.38 * np.sqrt(np.clip(1 - radius, 0, 1)) - 0.04 * sheet.x / of.breadth
    )
    light -= 0.05 * (sheet.y - 0.02) / of.length
    sheet.paint(radius < 1, np.array(of.skin) * light[..., None], 0.003)


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
    wide = of.eye
    circle = sheet.ellipse
    hollow = circle(x, EYES - 0.012, wide * 1.42, 0.055)
    sheet.darken(hollow, 0.28, 0.018)
    white = circle(x, EYES, wide, wide * 0.45)
    sheet.paint(white, (238, 236, 232), 0.002)
    iris = circle(x, EYES, wide * 0.42, wide * 0.42)
    sheet.paint(iris * white, of.iris, 0.0015)
    pupil = circle(x, EYES, wide * 0.2, wide * 0.2)
    sheet.paint(pupil, (15, 12, 12), 0.0015)
    glint = circle(x - 0.008, EYES - 0.009, 0.005, 0.005)
    sheet.paint(glint, (250, 250, 250), 0.001)
    above = circle(x, EYES - 0.002, wide * 1.06, wide * 0.55)
    below = circle(x, EYES + 0.008, wide * 1.08, wide * 0.52)
    lash = (above - below) * (sheet.y < EYES + 0.004)
    sheet.paint(lash, (45, 30, 28), 0.0018)
    _brow(sheet, of, side)


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
    sheet.darken(sheet.ellipse(0.025, 0.03, 0.018, 0.09), 0.18, 0.014)
    sheet.darken(sheet.ellipse(-0.03, 0.03, 0.014, 0.08), 0.1, 0.014)
    sheet.paint(sheet.ellipse(0, 0.02, 0.014, 0.085) * 0.3, (255, 240, 225), 0.01)
    sheet.darken(sheet.ellipse(0, 0.128, of.nose * 1.2, 0.018), 0.3, 0.01)
    for side in (-1, 1):
        sheet.darken(
            sheet.ellipse(side * of.nose * 0.55, 0.118, of.nose * 0.28, 0.011),
            0.75,
            0.004,
        )
        wing = sheet.ellipse(side * of.nose * 0.95, 0.105, 0.022, 0.028)
        sheet.darken(
            wing - sheet.ellipse(side * of.nose * 0.82, 0.103, 0.022, 0.028),
            0.35,
            0.005,
        )


def _mouth(sheet: _Sheet, of: Features) -> None:
    across = sheet.x / of.mouth
    bow = np.sqrt(np.clip(1 - across**2, 0, 1))
    gap = sheet.y - (MOUTH + 0.008 - 0.018 * across**2)
    inside = np.abs(across) < 1
    upper = (gap > -0.022 * bow) & (gap < 0)
    sheet.paint(upper & inside, np.array(of.lips) * 0.85, 0.0025)
    lower = (gap < 0.03 * bow) & (gap >= 0)
    sheet.paint(lower & inside, of.lips, 0.0025)
    line = np.abs(gap) < 0.004
    sheet.darken(line & inside, 0.65, 0.002)
    shadow = sheet.ellipse(0, MOUTH + 0.055, of.mouth * 0.7, 0.012)
    sheet.darken(shadow, 0.25, 0.01)
    if of.beard:
        radius = _radius(sheet, of)
        cheeks = (radius < 1) & (radius > 0.45) & (sheet.y > 0.1)
        lip = (np.abs(sheet.y - 0.165) < 0.016) & (np.abs(across) < 1.1)
        sheet.paint((cheeks | lip) * 0.8, of.hair, 0.01)


def _fringe(sheet: _Sheet, of: Features) -> None:
    line = 0.02 - of.length * (1 - of.fringe) - 0.12 * (sheet.x / of.breadth) ** 2
    sheet.paint((_radius(sheet, of) < 1.02) & (sheet.y < line), of.hair, 0.006)
