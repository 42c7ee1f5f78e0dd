"""Fonts for printed reports: fixed weights of the installed Inter and JetBrains Mono, made once."""

from __future__ import annotations

import os
from importlib.metadata import version
from importlib.resources import as_file, files
from pathlib import Path

from django.conf import settings
from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont as ReportFont

# Name in the report: (package, file, weight).
FONTS = {
    "Inter": ("fontpkg_inter", "Inter[opsz,wght].ttf", 400),
    "Inter-Bold": ("fontpkg_inter", "Inter[opsz,wght].ttf", 650),
    "Mono": ("fontpkg_jetbrains_mono", "JetBrainsMono[wght].ttf", 400),
}
# Latin, Greek, Cyrillic, Vietnamese, punctuation, currency, arrows, mathematical signs.
RANGES = ((0x20, 0x52F), (0x1E00, 0x1FFF), (0x2000, 0x22FF), (0x2500, 0x25FF))


def register() -> None:
    """Make the fonts known to reportlab, once a process."""
    for name in FONTS:
        if name not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(ReportFont(name, str(_made(name))))
    pdfmetrics.registerFontFamily("Inter", normal="Inter", bold="Inter-Bold")


def _made(name: str) -> Path:
    package, file, weight = FONTS[name]
    target = settings.VENDORED_DIR / f"{name}-{version(package.replace('_', '-'))}.ttf"
    if target.exists():
        return Path(target)
    with as_file(files(package) / "files" / file) as source:
        font = TTFont(source)
        options = subset.Options(layout_features=[], notdef_outline=True)
        cutter = subset.Subsetter(options)
        cutter.populate(
            unicodes=[code for first, last in RANGES for code in range(first, last + 1)]
        )
        cutter.subset(font)
        axes = {axis.axisTag: axis.defaultValue for axis in font["fvar"].axes} | {"wght": weight}
        instancer.instantiateVariableFont(font, axes, inplace=True)
        # By this name a reader tells the fonts of a file apart.
        for record in [record for record in font["name"].names if record.nameID == 6]:
            record.string = name
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_suffix(f".{os.getpid()}")
        font.save(fresh)
        fresh.replace(target)
    return Path(target)
