"""How templates are written."""

from __future__ import annotations

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
