"""Every time of day on a page says its zone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TEMPLATES = Path(__file__).resolve().parent.parent.parent.parent / "templates"
WITH_TIMES = sorted(
    path for path in TEMPLATES.rglob("*.html") if "H:i" in path.read_text()
)


@pytest.mark.parametrize("path", WITH_TIMES, ids=lambda path: path.name)
def test_a_time_of_day_says_its_zone(path):
    text = path.read_text()
    bare = re.findall(r"date:[\"'][^\"']*H:i(?::s)?[\"']", text)
    # A column of many times says it once.
    in_header = text.count("Time (UTC)")
    assert len(bare) <= in_header, bare
