"""Faces in a picture, and the distance between two faces, by dlib (`requirements/face.txt`).

The models are loaded on first use, by the process that inspects a picture. The measures of a face
are biometric data: they never leave that process.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import cv2
import dlib
import numpy as np
import numpy.typing as npt

from checks.readers.drawing import Pixels
from checks.vision import face_models, tunables

VERSIONS = {
    "dlib": dlib.__version__,
    "face model": face_models.MEASURING.removesuffix(".dat"),
}
# dlib has no type annotations: a rectangle of pixels, and a model that is called with a picture.
Rectangle = Any
Model = Any
# Left, upper, right and lower edge, in fractions of the picture.
Edges = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Face:
    edges: Edges
    width: int  # pixels of the picture that was looked at
    measures: npt.NDArray[np.float64] = field(repr=False)


def find(pixels: Pixels) -> list[Face]:
    """Return the faces of a picture, the largest first.

    If no face is upright, the picture is turned by quarters until there is one: a card is often
    photographed sideways.
    """
    for turns in range(4):
        turned = np.ascontiguousarray(np.rot90(pixels, turns))
        faces = []
        for place in _places(turned):
            edges = _back(_fractions(place, turned), turns)
            faces.append(Face(edges, place.width(), _measure(turned, place)))
        if faces:
            return sorted(faces, key=lambda face: -_height(face))
    return []


def distance(first: Face, other: Face) -> float:
    """Return the distance of two faces: 0 for the same picture. dlib's limit for the same person is
    0.6.
    """
    return float(np.linalg.norm(first.measures - other.measures))


def _places(pixels: Pixels) -> Iterator[Rectangle]:
    # The proposals are sorted by confidence.
    proposals, _, _ = _proposing().run(pixels, tunables.ENLARGED, tunables.LEAST_FACE)
    for place in proposals[: tunables.MOST_PROPOSED]:
        if _is_confirmed(pixels, place):
            yield place


def _is_confirmed(pixels: Pixels, place: Rectangle) -> bool:
    room = round(place.width() * tunables.FACE_ROOM)
    high, wide = pixels.shape[:2]
    left = max(place.left() - room, 0)
    top = max(place.top() - room, 0)
    right = min(place.right() + room, wide)
    bottom = min(place.bottom() + room, high)
    # The confirming detector needs faces of a certain size, so the part is scaled to it.
    scale = tunables.FACE_SHOWN / max(right - left, bottom - top)
    part = pixels[top:bottom, left:right]
    enlarged = cv2.resize(part, None, fx=scale, fy=scale)
    middle = place.center()
    x = round((middle.x - left) * scale)
    y = round((middle.y - top) * scale)
    # Two detectors must agree: the fast one proposes faces, also in patterns that are none, and the
    # slow one confirms them.
    for face in _confirming()(enlarged, 0):
        # A face anywhere in the part is not enough: it must be at the proposed place.
        if face.rect.contains(x, y):
            return True
    return False


def _measure(pixels: Pixels, place: Rectangle) -> npt.NDArray[np.float64]:
    points = _landmarks()(pixels, place)
    return np.asarray(_measuring().compute_face_descriptor(pixels, points))


def _fractions(place: Rectangle, pixels: Pixels) -> Edges:
    high, wide = pixels.shape[:2]
    return (
        _clipped(place.left() / wide),
        _clipped(place.top() / high),
        _clipped(place.right() / wide),
        _clipped(place.bottom() / high),
    )


def _clipped(edge: float) -> float:
    """Limit an edge to the picture.

    The fast detector also finds faces that the picture cuts off.
    """
    return min(max(edge, 0.0), 1.0)


def _back(edges: Edges, turns: int) -> Edges:
    """Return the edges in the picture before its anticlockwise quarter turns."""
    for _ in range(turns):
        left, top, right, bottom = edges
        edges = 1 - bottom, left, 1 - top, right
    return edges


def _height(face: Face) -> float:
    return face.edges[3] - face.edges[1]


@cache
def _proposing() -> Model:
    return dlib.get_frontal_face_detector()


@cache
def _confirming() -> Model:
    path = face_models.path(face_models.CONFIRMING)
    return dlib.cnn_face_detection_model_v1(str(path))


@cache
def _landmarks() -> Model:
    path = face_models.path(face_models.LANDMARKS)
    return dlib.shape_predictor(str(path))


@cache
def _measuring() -> Model:
    path = face_models.path(face_models.MEASURING)
    return dlib.face_recognition_model_v1(str(path))
