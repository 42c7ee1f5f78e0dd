"""Which optional libraries are installed. They are not loaded, because web processes ask, too."""

from __future__ import annotations

import importlib.util
from functools import cache

SECOND_ENGINE = ("rapidocr", "onnxruntime")


@cache
def has_second_engine() -> bool:
    """Whether RapidOCR can read a picture again (`requirements/ocr-hq.txt`)."""
    return all(map(importlib.util.find_spec, SECOND_ENGINE))
