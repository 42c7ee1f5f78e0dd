"""Separates print from paper on a grey picture."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

# A picture as an array of rows and columns. OpenCV does not declare the type of its results.
Grey = npt.NDArray[Any]


def ink_of(grey: Grey) -> Grey:
    """Return dark dots as 255 and all others as 0.

    Otsu's method finds the limit for each picture.
    """
    mode = cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU
    _, ink = cv2.threshold(grey, 0, 255, mode)
    return ink


def block(height: int, width: int) -> Grey:
    """Return a full block of dots, as the filters that grow or shrink ink need it."""
    return np.ones((height, width), np.uint8)
