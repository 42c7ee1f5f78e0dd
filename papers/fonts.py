"""Fonts for pages and printed reports, made from the installed Inter and JetBrains Mono.

For scripts that Inter lacks, reports have parts of Noto Sans and Heebo. All have the SIL Open Font
License 1.1 (packages `fontpkg-…`).
Only the characters and weights that we need are kept, so that the files are small.
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
    """A font to make. `target` is its file name; `axes` its weights: one, or a range."""

    family: str
    package: str
    source: str
    target: str
    axes: Mapping[str, Any]
    glyphs: str
    features: tuple[str, ...] = ()


def inter(
    target: str, *, family: str = "Inter", weight: Any, glyphs: str, **more: Any
) -> Font:
    """A font made from Inter, at the optical size for text."""
    axes = {"opsz": 14, "wght": weight}
    source = "Inter[opsz,wght].ttf"
    return Font(family, "fontpkg-inter", source, target, axes, glyphs, **more)


def mono(target: str, *, family: str, weight: Any, glyphs: str, **more: Any) -> Font:
    """A font made from JetBrains Mono."""
    axes = {"wght": weight}
    source = "JetBrainsMono[wght].ttf"
    return Font(family, "fontpkg-jetbrains-mono", source, target, axes, glyphs, **more)


# The names of the fonts in printed reports.
REGULAR, BOLD, MONO = "Inter", "Inter-Bold", "Mono"
PRINTED = (
    inter("regular.ttf", family=REGULAR, weight=400, glyphs=PRINTED_GLYPHS),
    inter("bold.ttf", family=BOLD, weight=650, glyphs=PRINTED_GLYPHS),
    mono("mono.ttf", family=MONO, weight=400, glyphs=PRINTED_GLYPHS),
)


def _script(family: str, package: str, source: str, glyphs: str, **axes: int) -> Font:
    weights = {"wght": 400, **axes}
    target = f"{family.lower()}.ttf"
    # The rules of shaping stay: joined letters, places of marks.
    return Font(family, package, source, target, weights, glyphs, ("*",))


# Fonts of scripts, by the name of the script. A report that has no such letters needs none.
SCRIPTS: Mapping[str, Font] = {
    "Arabic": _script(
        "Arabic",
        "fontpkg-noto-sans-arabic",
        "NotoSansArabic[wdth,wght].ttf",
        "U+0020,U+0600-06FF,U+0750-077F,U+08A0-08FF,U+200C-200D,U+FB50-FDFF,U+FE70-FEFC",
        wdth=100,
    ),
    "Hebrew": _script(
        "Hebrew",
        "fontpkg-heebo",
        "Heebo[wght].ttf",
        "U+0020,U+0591-05F4,U+200C-200D,U+FB1D-FB4F",
    ),
    "Devanagari": _script(
        "Devanagari",
        "fontpkg-noto-sans-devanagari",
        "NotoSansDevanagari[wdth,wght].ttf",
        "U+0020,U+0900-097F,U+200C-200D,U+A8E0-A8FF",
        wdth=100,
    ),
    "Thai": _script(
        "Thai",
        "fontpkg-noto-sans-thai",
        "NotoSansThai[wdth,wght].ttf",
        "U+0020,U+0E01-0E5B,U+200C-200D",
        wdth=100,
    ),
}


def script_file(parent: Path, font: Font) -> Path:
    """The file of a script's font, in a folder of its own in `parent`. It is made if it is missing."""
    version = cache.fingerprint([__file__], ["fonttools", font.package])

    def write(folder: Path) -> None:
        (folder / font.target).write_bytes(subset(font))

    name = f"print-{font.family.lower()}-{version}"
    return cache.folder(parent, name, write) / font.target


def make_all(parent: Path) -> None:
    """Make all fonts of printed reports in `parent`, if they are missing.

    It takes some seconds of the processor. So it is done before the first report is asked for.
    """
    printed_folder(parent)
    for font in SCRIPTS.values():
        script_file(parent, font)


def printed_folder(parent: Path) -> Path:
    """The folder in `parent` with the fonts of printed reports.

    They are made if they are missing.
    """
    packages = ["fonttools"]
    for font in PRINTED:
        packages.append(font.package)
    version = cache.fingerprint([__file__], packages)
    return cache.folder(parent, f"print-{version}", _write_printed)


def _write_printed(folder: Path) -> None:
    for font in PRINTED:
        (folder / font.target).write_bytes(subset(font))


def subset(font: Font) -> bytes:
    """The font with only its glyphs, features and weights, as WOFF2 for browsers or as TrueType."""
    # Imported here because the import is slow and needed only once for each installed version.
    subsets = import_module("fontTools.subset")
    ttf = import_module("fontTools.ttLib")
    instancer = import_module("fontTools.varLib.instancer")
    logging.getLogger("fontTools").setLevel(logging.WARNING)

    package = files(font.package.replace("-", "_"))
    source = (package / "files" / font.source).read_bytes()
    full = ttf.TTFont(io.BytesIO(source))
    options = subsets.Options()
    options.layout_features = list(font.features)
    subsetter = subsets.Subsetter(options)
    subsetter.populate(unicodes=subsets.parse_unicodes(font.glyphs))
    subsetter.subset(full)
    # The instancer needs the tables as they are in a saved file, so save and load it again.
    buffer = io.BytesIO()
    full.save(buffer)
    smaller = ttf.TTFont(buffer)
    instance = instancer.instantiateVariableFont(smaller, dict(font.axes))
    if font.target.endswith(".woff2"):
        instance.flavor = "woff2"
    else:
        # A PDF program tells fonts apart by this name (number 6 is the PostScript name). Without
        # it, both weights of Inter would count as one font.
        instance["name"].setName(font.family, 6, 3, 1, 0x409)
        instance["name"].setName(font.family, 6, 1, 0, 0)
    output = io.BytesIO()
    instance.save(output)
    return output.getvalue()
