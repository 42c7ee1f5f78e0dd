"""How templates, style sheets and scripts are written."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings

LONGEST = 160


def test_no_line_of_a_template_is_too_long_to_read():
    files = Path(settings.BASE_DIR, "templates").rglob("*.html")
    too_long = [
        f"{file.name}:{number}: {len(line)}"
        for file in files
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if len(line) > LONGEST
    ]
    assert too_long == []


def test_no_tag_of_a_template_goes_over_two_lines():
    """Django prints such a tag instead of running it."""
    broken = [
        f"{file.name}:{number}"
        for file in Path(settings.BASE_DIR, "templates").rglob("*.html")
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if line.count("{%") != line.count("%}") or line.count("{{") != line.count("}}")
    ]
    assert broken == []


def test_no_two_landmarks_of_a_template_have_one_heading():
    """A screen reader lists landmarks by name: two of one name are one too many."""
    heading = r'aria-labelledby="((?:{{[^}]*}}|[^"])+)"'
    landmark = re.compile(
        rf'(?:<(?:section|nav|aside|form)\b|role="region")[^>]*{heading}'
    )
    twice = []
    for file in Path(settings.BASE_DIR, "templates").rglob("*.html"):
        names = landmark.findall(file.read_text())
        twice += [f"{file.name}: {name}" for name in names if names.count(name) > 1]
    assert twice == []


def test_each_style_sheet_and_script_says_first_what_it_is_for():
    heads = {
        path.name: path.read_text().partition("\n")[0]
        for path in Path(settings.BASE_DIR, "static").rglob("*.*s")
    }
    assert [
        name for name, head in heads.items() if not re.match(r"/\* [A-Z]|// \S", head)
    ] == []


def test_classes_have_names_of_more_than_two_letters():
    sheets = Path(settings.BASE_DIR, "static", "css").glob("*.css")
    names = {
        name
        for path in sheets
        for name in re.findall(r"\.([a-zA-Z][\w-]*)", path.read_text())
    }
    # A state of a finding, as the interface names it.
    assert sorted(name for name in names if len(name) < 3) == ["na"]
