from __future__ import annotations

import io
from pathlib import Path

from fontTools.ttLib import TTFont

from papers import fonts


def test_a_font_is_cut_to_its_glyphs_and_weight():
    font = fonts.inter("x.ttf", family="Northwind", weight=400, glyphs="U+0041-005A")
    t_t_font = TTFont(io.BytesIO(fonts.subset(font)))

    assert sorted(t_t_font.getBestCmap() or {}) == list(range(0x41, 0x5B))
    assert "fvar" not in t_t_font
    assert t_t_font["name"].getDebugName(6) == "Northwind"
    assert t_t_font.flavor is None


def test_a_font_for_pages_keeps_a_range_of_weights():
    font = fonts.mono("x.woff2", family="Mono", weight=(400, 700), glyphs="U+0041")
    t_t_font = TTFont(io.BytesIO(fonts.subset(font)))

    assert t_t_font.flavor == "woff2"
    assert [
        (axis.axisTag, axis.minValue, axis.maxValue) for axis in t_t_font["fvar"].axes
    ] == [("wght", 400, 700)]


def test_the_fonts_of_reports_are_made_once(settings):
    # To make them takes seconds: those that the reports of other tests use.
    parent = Path(settings.VENDORED_DIR)
    folder = fonts.printed_folder(parent)
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}

    assert {path.name for path in before} == {"regular.ttf", "bold.ttf", "mono.ttf"}
    assert fonts.printed_folder(parent) == folder
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before
