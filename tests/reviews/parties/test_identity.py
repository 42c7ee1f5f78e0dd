"""When two spellings of a number are one."""

from __future__ import annotations

import pytest

from reviews.parties import identity


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("label", "issuer", "first", "second"),
    [
        ("registration_number", "GB", "00044821", "44821"),
        ("registration_number", "GB", "SC 004482", "sc4482"),
        ("tax_number", "DE", "DE 136 695 976", "136695976"),
    ],
)
def test_zeros_and_the_code_of_the_country_make_no_other_number(
    label, issuer, first, second
):
    assert identity.digest("identifier", label, first, issuer) == identity.digest(
        "identifier", label, second, issuer
    )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("label", "first", "second"),
    [
        ("registration_number", "SC123456", "123456"),
        ("registration_number", "0001234", "1234"),
        ("tax_number", "FR136695976", "136695976"),
        ("passport", "00123456", "123456"),
    ],
)
def test_other_numbers_stay_apart(label, first, second):
    assert identity.digest("identifier", label, first, "DE") != identity.digest(
        "identifier", label, second, "DE"
    )
