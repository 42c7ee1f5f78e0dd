"""Colours that can be read: contrast by WCAG 2.2, on the paper of both themes."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _

# The darkest paper of the light theme and the lightest of the dark one: what can be read on these can be
# read on all others of the theme (static/css/tokens.css).
LIGHT_PAPER = "#f1f3f6"
DARK_PAPER = "#1e2228"
LEAST = 4.5  # WCAG 2.2 AA, of text

_FORM = re.compile(r"#[0-9a-f]{6}")
_STEPS = 40


def is_colour(text: str) -> bool:
    return _FORM.fullmatch(text) is not None


def contrast(first: str, second: str) -> float:
    """From 1 (the same) to 21 (black on white), of two colours such as "#1d4ed8"."""
    darker, lighter = sorted([_luminance(first), _luminance(second)])
    return (lighter + 0.05) / (darker + 0.05)


def fault(colour: str, paper: str) -> str:
    """Why a colour cannot be used on this paper, in words; "" if it can."""
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
    return sentence % {"ratio": f"{ratio:.1f}", "least": LEAST}


def for_dark_theme(colour: str) -> str:
    """The colour, made as much lighter as text on dark paper needs."""
    for step in range(_STEPS + 1):
        lighter = _towards_white(colour, step / _STEPS)
        if contrast(lighter, DARK_PAPER) >= LEAST:
            return lighter
    return "#ffffff"


def _towards_white(colour: str, part: float) -> str:
    """The colour, mixed with so much white: from 0 (none) to 1 (white)."""
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
    return 0.2126 * _linear(red) + 0.7152 * _linear(green) + 0.0722 * _linear(blue)


def _linear(channel: int) -> float:
    """The light of a channel, without the gamma of sRGB: from 0 to 1."""
    value = channel / 255
    if value <= 0.04045:
        return value / 12.92
    base = (value + 0.055) / 1.055
    return float(base**2.4)
