"""Checks that colours are readable: contrast by WCAG 2.2 on the background of both themes."""

from __future__ import annotations

import re

from django.utils.formats import number_format
from django.utils.translation import gettext as _

# The darkest background of the light theme and the lightest one of the dark theme. What is readable
# on these is readable on all others (static/css/tokens.css).
LIGHT_PAPER = "#f1f3f6"
DARK_PAPER = "#1e2228"
LEAST = 4.5  # contrast ratio that WCAG 2.2 AA requires for text

_FORM = re.compile(r"#[0-9a-f]{6}")
_STEPS = 40


def is_colour(text: str) -> bool:
    return _FORM.fullmatch(text) is not None


def contrast(first: str, second: str) -> float:
    """The contrast ratio of two colours such as "#1d4ed8": from 1 (equal) to 21 (black on
    white).
    """
    darker, lighter = sorted([_luminance(first), _luminance(second)])
    return (lighter + 0.05) / (darker + 0.05)


def fault(colour: str, paper: str) -> str:
    """Why a colour is not readable on this background, as a sentence; "" if it is."""
    ratio = contrast(colour, paper)
    if ratio >= LEAST:
        return ""
    sentence = _(
        "Its contrast is %(ratio)s to 1, and text needs %(least)s to 1. Choose a lighter one."
    )
    if paper == LIGHT_PAPER:
        sentence = _(
            "Its contrast is %(ratio)s to 1, and text needs %(least)s to 1. Choose a darker one."
        )
    # Cut and not rounded: 4.47 is too little, and "4.5" would look like enough.
    values = {
        "ratio": number_format(ratio, 1),
        "least": number_format(LEAST, 1),
    }
    return sentence % values


def for_dark_theme(colour: str) -> str:
    """The colour, lightened just enough to be readable on the dark background."""
    for step in range(_STEPS + 1):
        lighter = _towards_white(colour, step / _STEPS)
        if contrast(lighter, DARK_PAPER) >= LEAST:
            return lighter
    return "#ffffff"


def _towards_white(colour: str, part: float) -> str:
    """The colour mixed with white. `part`: from 0 (unchanged) to 1 (white)."""
    mixture = "#"
    for value in _channels(colour):
        distance = 255 - value
        lighter = round(value + distance * part)
        mixture += f"{lighter:02x}"
    return mixture


def _channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, each from 0 to 255."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


def _luminance(colour: str) -> float:
    """The relative luminance of WCAG 2.2: from 0 (black) to 1 (white)."""
    red, green, blue = _channels(colour)
    luminance = 0.2126 * _linear(red)
    luminance += 0.7152 * _linear(green)
    luminance += 0.0722 * _linear(blue)
    return luminance


def _linear(channel: int) -> float:
    """The linear value of an sRGB channel (0 to 255): from 0 to 1."""
    value = channel / 255
    if value <= 0.04045:
        return value / 12.92
    base = (value + 0.055) / 1.055
    return float(base**2.4)
