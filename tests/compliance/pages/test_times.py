"""Every time of day on a page says its zone."""

from __future__ import annotations

import re
from datetime import datetime
from importlib import import_module
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.template.defaultfilters import date as date_filter
from django.utils import translation

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


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_the_formats_of_a_language_say_the_zone(language):
    formats = import_module(f"compliance.formats.{language}.formats")
    names = {name for name in vars(formats) if name.isupper()}
    used = {
        name
        for path in TEMPLATES.rglob("*.*")
        for name in re.findall(r"date:[\"']([A-Z_]{2,})[\"']", path.read_text())
    }

    assert used == names
    for name in names & {"MOMENT", "SECOND", "LONG_MOMENT"}:
        assert getattr(formats, name).endswith(" T")


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_times_for_machines_have_no_fraction(language):
    """HTML allows three digits of a fraction, and Django's format "c" has six."""
    moment = datetime(2030, 1, 2, 3, 4, 5, 678_901, tzinfo=ZoneInfo("Europe/Berlin"))
    with translation.override(language):
        assert date_filter(moment, "ISO") == "2030-01-02T03:04:05+0100"
    for path in TEMPLATES.rglob("*.html"):
        assert not re.search(r"date:[\"']c[\"']", path.read_text()), path.name
