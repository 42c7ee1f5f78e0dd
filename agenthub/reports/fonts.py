"""The fonts of the report: two weights of Inter with Latin, Greek and Cyrillic letters, derived
once per installed version from `fontpkg-inter` (SIL Open Font License 1.1) and embedded."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import hashlib
import io
import logging
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont

from compliance import vendored

REGULAR, BOLD = "Report", "Report-Bold"
# Chinese, Japanese and Korean are set in a font that PDF viewers bring.
EAST_ASIAN = "STSong-Light"
WEIGHTS = {REGULAR: 400, BOLD: 650}
GLYPHS = (
    "U+0020-007E,U+00A0-024F,U+0300-036F,U+0370-052F,U+1E00-1EFF,U+2000-206F,U+20A0-20BF,"
    "U+2116,U+2122,U+2190-2193,U+2212,U+25A1"
)


@lru_cache(maxsize=1)
def register() -> frozenset[int]:
    """Make the fonts known to reportlab. Returns the characters that they have."""
    folder = _derived()
    for name in WEIGHTS:
        pdfmetrics.registerFont(TTFont(name, folder / f"{name}.ttf"))
    pdfmetrics.registerFontFamily(
        REGULAR, normal=REGULAR, bold=BOLD, italic=REGULAR, boldItalic=BOLD
    )
    pdfmetrics.registerFont(UnicodeCIDFont(EAST_ASIAN))
    face = pdfmetrics.getFont(REGULAR).face
    return frozenset(face.charToGlyph)


def _derived() -> Path:
    made_from = [Path(__file__).read_text(), version("fontpkg-inter"), version("fonttools")]
    key = hashlib.sha256("\n".join(made_from).encode()).hexdigest()[:16]
    return vendored.made_once(f"report-{key}", _make)


def _make(folder: Path) -> None:
    for name, weight in WEIGHTS.items():
        (folder / f"{name}.ttf").write_bytes(_instance(name, weight))


def _instance(name: str, weight: int) -> bytes:
    # Imported here: slow to import, and needed once per installed version.
    subsets, fonts = import_module("fontTools.subset"), import_module("fontTools.ttLib")
    instancer = import_module("fontTools.varLib.instancer")
    logging.getLogger("fontTools").setLevel(logging.WARNING)

    source = files("fontpkg_inter") / "files" / "Inter[opsz,wght].ttf"
    full = fonts.TTFont(io.BytesIO(source.read_bytes()))
    options = subsets.Options()
    options.layout_features = []
    subsetter = subsets.Subsetter(options)
    subsetter.populate(unicodes=subsets.parse_unicodes(GLYPHS))
    subsetter.subset(full)
    between = io.BytesIO()
    full.save(between)
    one = instancer.instantiateVariableFont(fonts.TTFont(between), {"opsz": 14, "wght": weight})
    # reportlab tells fonts apart by this name, and would take both weights for one.
    one["name"].setName(name, 6, 3, 1, 0x409)
    one["name"].setName(name, 6, 1, 0, 0)
    kept = io.BytesIO()
    one.save(kept)
    return kept.getvalue()
