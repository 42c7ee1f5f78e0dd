"""What is print and what is paper on a picture in grey."""

from __future__ import annotations

from typing import Any

import cv2
import numpy.typing as npt

# Numbers of a picture, by rows and columns. OpenCV states no kind of number for what it returns.
Grey = npt.NDArray[Any]


def ink_of(grey: Grey) -> Grey:
    """The dark dots as 255, all others as 0. Otsu's method finds the limit on each picture anew."""
    mode = cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU
    _, ink = cv2.threshold(grey, 0, 255, mode)
    return ink
