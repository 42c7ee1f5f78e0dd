"""Numbers on pages are written as the reader writes them: 10,000 is ten for a German."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.utils import translation

from compliance.languages import number
from reviews.imports.tables import MOST_ROWS, read
from reviews.intake.batch_files import RefusedFileError
from reviews.intake.forms import FORMS
from tests.reviews.rows import open_case, someone

ROOT = Path(__file__).parents[2]
# What they write is English: answers of the REST interface, and reports on paper.
ENGLISH = {
    "reviews/api/limits.py",
    "reviews/records/period_pdf.py",
    "reviews/records/report.py",
}


def test_a_number_has_the_signs_of_the_language():
    assert number(10_000) == "10,000"
    with translation.override("de"):
        assert number(10_000) == "10.000"


def test_no_module_of_the_desk_writes_the_comma_itself():
    found = set()
    for path in (ROOT / "reviews").rglob("*.py"):
        if ":,}" in path.read_text(encoding="utf-8"):
            found.add(str(path.relative_to(ROOT)))
    assert found == ENGLISH


@pytest.mark.django_db
def test_limits_have_them(client):
    person = someone("analyst")
    client.force_login(person)
    client.cookies["django_language"] = "de"
    case = open_case()
    answer = client.post(f"/cases/{case.pk}/notes/", {"text": "x" * 10_001})
    assert "höchstens 10.000 Zeichen" in answer.content.decode()
    with translation.override("de"):
        rows = "\n".join(f"c-{n},One" for n in range(MOST_ROWS + 1))
        with pytest.raises(RefusedFileError, match=r"2\.000"):
            read(f"id,business_name\n{rows}\n".encode())
        form = FORMS["kyb"](
            {"business_name": "x" * 1001, "reference": "a{b}"}, actor=person
        )
        words = str(form.errors)
    assert "höchstens 1.000 Zeichen" in words
    assert "Eine Referenz hat keine Steuerzeichen" in words
