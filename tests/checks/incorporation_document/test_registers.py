"""Wordings of registers and of articles, each with what must be read, and what must not."""

from __future__ import annotations

import pytest

from tests.checks.documents import extraction_of, make_pdf
from tests.checks.incorporation_document import more_wordings, wordings
from tests.checks.incorporation_document.wordings import Case

pytestmark = pytest.mark.sweep

CASES = wordings.WORDINGS | more_wordings.WORDINGS


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_register_is_read(case: Case):
    data = extraction_of(make_pdf(case.text))

    numbers = data["business_registration_number"]
    assert data["business_name"] == case.name
    assert data["incorporation_date"] == case.date
    assert data["jurisdiction"] == case.jurisdiction
    assert case.number is None or case.number in numbers
    assert data["is_valid_document"] is True
