"""What was attested stands on the page of a case, with documents and without."""

from __future__ import annotations

import pytest

from tests.reviews.pages.case.rows import add_document, reviewed_case

pytestmark = pytest.mark.django_db


def drawn(analyst, *, documents: int) -> str:
    case, _ = reviewed_case()
    case.self_attested_data = {
        "first_name": "Ada",
        "country_of_nationality": "BY",
        "note": "BY",
    }
    case.save(update_fields=["self_attested_data"])
    for _ in range(documents):
        add_document(case)
    return str(analyst.get(f"/cases/{case.pk}/").content.decode())


def test_a_country_has_its_name_beside_the_code_that_was_attested(analyst):
    html = drawn(analyst, documents=0)
    assert "<dd>Belarus (BY)</dd>" in html
    assert "<dd>BY</dd>" in html  # what is no country stays as it is


def test_without_documents_it_stands_in_their_place(analyst):
    html = drawn(analyst, documents=0)
    assert html.count("Belarus (BY)") == 1
    assert (
        "Belarus (BY)" in html.partition('id="viewer"')[2].partition('id="findings"')[0]
    )


def test_with_documents_it_stands_below_the_checks_and_below_the_findings(analyst):
    html = drawn(analyst, documents=1)
    assert html.count("Belarus (BY)") == 2
    assert "Belarus (BY)" in html.partition('id="findings"')[2]
    assert (
        "Belarus (BY)"
        not in html.partition('id="viewer"')[2].partition('id="findings"')[0]
    )
