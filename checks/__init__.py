"""The document checks, in plain Python. The author of a check imports this module."""

from __future__ import annotations

from checks.base import (
    EVERY_DOCUMENT,
    Argument,
    Box,
    Change,
    Check,
    Examined,
    Indicator,
    Outcome,
    Tool,
    boxes_to_wire,
)
from checks.evidence import Evidence

__all__ = [
    "EVERY_DOCUMENT",
    "Argument",
    "Box",
    "Change",
    "Check",
    "Evidence",
    "Examined",
    "Indicator",
    "Outcome",
    "Tool",
    "boxes_to_wire",
]
