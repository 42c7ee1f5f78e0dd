"""The characters of a machine-readable zone, by a small network trained on its typeface.

Tesseract and RapidOCR expect words, but a zone has none, and they read its fillers (OCR-B) as
letters. Here a line is a row of cells of equal width. For each column of dots the network returns
which character has its middle there, or none. `bench/zone_characters.py` trains the weights.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from checks.readers.ink import Grey

CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<"
WEIGHTS = Path(__file__).parents[2] / "data" / "zone_characters.npz"
# The size of a line for the network, in dots: width of a cell, height of a capital letter, height
# of the line.
PITCH, CAPITAL, HEIGHT = 16, 20, 32
ORIENTATIONS = 8
# The rows of a line, and the neighbouring columns, at which features are sampled.
ROWS = np.arange(4, HEIGHT, 4)
COLUMNS = np.arange(-9, 10, 3)
SMOOTHING = 1.6
# Added to the length in the normalisation, so that faint dots stay small.
FAINT = 0.5

Values = Any  # numbers by columns; OpenCV does not declare the type of its results


def features(line: Grey) -> Values:
    """Return the features around each column of a line (32 dots high): ink, and edges by direction.

    The shape is columns x 441. Each row has length 1, or less if there is little ink.
    """
    ink = 1.0 - line.astype(np.float32) / 255
    half = -int(COLUMNS[0])
    width = line.shape[1]
    parts = []
    for channel in (ink, *_edges(ink)):
        smooth = cv2.GaussianBlur(channel, (0, 0), SMOOTHING)
        padded = np.pad(smooth, ((0, 0), (half, half)), mode="edge")
        for column in COLUMNS:
            start = half + int(column)
            parts.append(padded[ROWS, start : start + width])
    values: Values = np.concatenate(parts).T
    length = np.linalg.norm(values, axis=1, keepdims=True)
    return values / (length + FAINT)


def _edges(ink: Grey) -> list[Grey]:
    """Return the strength of the edges in each of eight directions.

    An edge between two directions counts partly for both.
    """
    across = cv2.Sobel(ink, cv2.CV_32F, 1, 0)
    down = cv2.Sobel(ink, cv2.CV_32F, 0, 1)
    strength = np.hypot(across, down)
    direction = np.arctan2(down, across) / (2 * np.pi) * ORIENTATIONS
    whole = np.floor(direction)
    part = direction - whole
    lower = whole.astype(int) % ORIENTATIONS
    upper = (lower + 1) % ORIENTATIONS
    edges: list[Grey] = []
    for orientation in range(ORIENTATIONS):
        share = np.where(lower == orientation, 1 - part, 0.0)
        share += np.where(upper == orientation, part, 0.0)
        edges.append((share * strength).astype(np.float32))
    return edges


def log_probabilities(line: Grey) -> Values:
    """Return for each column the logarithm of the probability of each character and of none.

    The shape is columns x 38: CHARACTERS, and then none.
    """
    values = features(line)
    layers = _layers()
    last = len(layers) - 1
    for number, (weights, bias) in enumerate(layers):
        values = values @ weights + bias
        if number < last:
            values = np.maximum(values, 0)
    values -= values.max(axis=1, keepdims=True)
    total = np.exp(values).sum(axis=1, keepdims=True)
    return values - np.log(total)


@cache
def _layers() -> list[tuple[Values, Values]]:
    layers: list[tuple[Values, Values]] = []
    with np.load(WEIGHTS, allow_pickle=False) as stored:
        for number in range(len(stored.files) // 2):
            weights = stored[f"weights{number}"].astype(np.float32)
            bias = stored[f"bias{number}"].astype(np.float32)
            layers.append((weights, bias))
    return layers
