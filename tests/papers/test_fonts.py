from __future__ import annotations

import io

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


def test_the_fonts_of_reports_are_made_once(tmp_path):
    folder = fonts.printed_folder(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}

    assert {path.name for path in before} == {"regular.ttf", "bold.ttf", "mono.ttf"}
    assert fonts.printed_folder(tmp_path) == folder
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before
