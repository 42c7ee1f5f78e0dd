"""Fonts for pages and for printed reports, made from the installed Inter and JetBrains Mono.

Both are under the SIL Open Font License 1.1 (`fontpkg-inter`, `fontpkg-jetbrains-mono`). A font is
cut to the letters and weights that are needed.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

from papers import cache

# Latin, Greek, Cyrillic, Vietnamese, punctuation, currency, arrows, mathematical signs.
PRINTED_GLYPHS = "U+0020-052F,U+1E00-1FFF,U+2000-22FF,U+2500-25FF"


@dataclass(frozen=True)
class Font:
    """A font to be made: `target` is its file, and `axes` its weights (one, or from and to)."""

    family: str
    package: str
    source: str
    target: str
    axes: Mapping[str, Any]
    glyphs: str
    features: tuple[str, ...] = ()


def inter(target: str, *, family: str = "Inter", weight: Any, glyphs: str, **more: Any) -> Font:
    """Inter, at the optical size for text."""
    axes = {"opsz": 14, "wght": weight}
    source = "Inter[opsz,wght].ttf"
    return Font(family, "fontpkg-inter", source, target, axes, glyphs, **more)


def mono(target: str, *, family: str, weight: Any, glyphs: str, **more: Any) -> Font:
    """JetBrains Mono."""
    axes = {"wght": weight}
    source = "JetBrainsMono[wght].ttf"
    return Font(family, "fontpkg-jetbrains-mono", source, target, axes, glyphs, **more)


# By the names that printed reports call them by.
REGULAR, BOLD, MONO = "Inter", "Inter-Bold", "Mono"
PRINTED = (
    inter("regular.ttf", family=REGULAR, weight=400, glyphs=PRINTED_GLYPHS),
    inter("bold.ttf", family=BOLD, weight=650, glyphs=PRINTED_GLYPHS),
    mono("mono.ttf", family=MONO, weight=400, glyphs=PRINTED_GLYPHS),
)


def printed_folder(parent: Path) -> Path:
    """The folder in `parent` with the fonts of printed reports, made if they are not there yet."""
    packages = ("fonttools", *(font.package for font in PRINTED))
    return cache.folder(parent, f"print-{cache.fingerprint([__file__], packages)}", _write_printed)


def _write_printed(folder: Path) -> None:
    for font in PRINTED:
        (folder / font.target).write_bytes(subset(font))


def subset(font: Font) -> bytes:
    """The font with its glyphs, features and weights only: as WOFF2 for pages, or as TrueType."""
    # Imported here: slow to import, and needed once per installed version.
    subsets, ttf = import_module("fontTools.subset"), import_module("fontTools.ttLib")
    instancer = import_module("fontTools.varLib.instancer")
    logging.getLogger("fontTools").setLevel(logging.WARNING)

    module = font.package.replace("-", "_")
    full = ttf.TTFont(io.BytesIO((files(module) / "files" / font.source).read_bytes()))
    options = subsets.Options()
    options.layout_features = list(font.features)
    subsetter = subsets.Subsetter(options)
    subsetter.populate(unicodes=subsets.parse_unicodes(font.glyphs))
    subsetter.subset(full)
    # The instancer needs the tables as they are once saved.
    saved = io.BytesIO()
    full.save(saved)
    instance = instancer.instantiateVariableFont(ttf.TTFont(saved), dict(font.axes))
    if font.target.endswith(".woff2"):
        instance.flavor = "woff2"
    else:
        # By this name programs tell the fonts of a PDF apart: two weights would be one.
        instance["name"].setName(font.family, 6, 3, 1, 0x409)
        instance["name"].setName(font.family, 6, 1, 0, 0)
    packed = io.BytesIO()
    instance.save(packed)
    return packed.getvalue()
