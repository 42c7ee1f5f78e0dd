from __future__ import annotations

import pytest

from reviews.results import checklist, reading, word_diff
from reviews.results.details import comparison


def marked(attested: str, extracted: str) -> tuple[str, str]:
    """Both sides as text, changed runs in brackets."""
    left, right = word_diff.word_diff(attested, extracted)
    return tuple(  # type: ignore[return-value]
        " ".join(f"[{run.text}]" if run.changed else run.text for run in side)
        for side in (left, right)
    )


@pytest.mark.parametrize(
    ("attested", "extracted", "page"),
    [
        ("Parcha", "Parcha Labs, Inc.", ("Parcha", "Parcha [Labs, Inc.]")),
        ("2023-03-28", "2023-03-29", ("[2023-03-28]", "[2023-03-29]")),
        (
            "1 Main St, Dover",
            "2 Main St. Dover",
            ("[1] Main St, Dover", "[2] Main St. Dover"),
        ),
        ("ACME", "Acme", ("ACME", "Acme")),
        ("a b c", "c", ("[a b] c", "c")),
        ("", "new", ("", "[new]")),
        ("- -", "- +", ("- [-]", "- [+]")),
    ],
)
def test_word_diff(attested, extracted, page):
    assert marked(attested, extracted) == page


def test_long_texts_are_not_compared_word_by_word():
    left, right = word_diff.word_diff("a " * 500, "b " * 500)
    assert len(left) == len(right) == 1


@pytest.mark.parametrize(
    ("attested", "extracted"),
    [
        ("1  Main St,\tDover", "2 Main St.  Dover"),
        ("ACME", "Acme Ltd"),
        (" ", "one  space"),
        ("two  spaces", ""),
        ("a  " * 500, "b  " * 500),
    ],
)
def test_a_dismissal_keeps_its_key_without_the_comparison(attested, extracted):
    # The keys of stored dismissals were made of the runs of word_diff.
    left, right = word_diff.word_diff(attested, extracted)
    sides = (" ".join(run.text for run in left), " ".join(run.text for run in right))
    assert word_diff.joined(attested, extracted) == sides


@pytest.mark.parametrize(
    ("attested", "extracted", "state"),
    [
        (["Northwind, Ltd."], "NORTHWIND LTD", "equal"),
        (["Northwind"], "Southwind", "differs"),
        ([], "Northwind", "not_attested"),
        (["Northwind"], None, "cannot_compare"),
        (["Northwind"], "—", "cannot_compare"),
        (["92-3212308"], ["7379553", "923212308"], "equal"),
        ([{"street_1": "1 Main St", "city": "Dover", "country_code": "US"}],
         {"street_1": "1 MAIN ST.", "city": "dover"}, "equal"),
    ],
)  # fmt: skip
def test_simple_comparison(attested, extracted, state):
    assert comparison.compare(attested, extracted)[0] == state


@pytest.mark.parametrize(
    ("check_id", "page"),
    [
        ("kyb.incorporation_document_verification", "Incorporation document"),
        ("kyb.sanctions_screening_check_v2", "Sanctions screening"),
        ("kyb.mcc_code_check_v3", "MCC code"),
        ("kyb.business_ownership_verification_tool", "Business ownership"),
        ("document_fraud_check", "Fraud indicators"),
        ("", "Unnamed check"),
        ("check", "Check"),
    ],
)
def test_check_label(check_id, page):
    assert checklist.check_label(check_id) == page


@pytest.mark.parametrize(
    ("value", "page"),
    [
        ({"street_1": "1 Main St", "street_2": None, "city": "Dover", "state": "DE",
          "postal_code": "19901", "country_code": "US"}, "1 Main St, Dover, DE 19901, US"),
        (["a", None, "b"], "a; b"),
        (5000000.0, "5,000,000"),
        (True, "yes"),
        (None, ""),
        ({"type": "X", "first_name": "Ana"}, "First name: Ana"),
        ([{"name": "A Ltd", "owners": [{"name": "Ann", "share": 80}, {"name": "Bo"}]},
          {"name": "Cleo"}],
         "(Name: A Ltd; Owners: (Name: Ann; Share: 80); (Name: Bo)); (Name: Cleo)"),
        ([{"name": "Ann", "share": 80}], "Name: Ann; Share: 80"),
        ("half of a pair \ud800", "half of a pair ?"),
    ],
)  # fmt: skip
def test_text(value, page):
    assert reading.text(value) == page
