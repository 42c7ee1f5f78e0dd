"""What a number is of, by the words before it, and by the form of its register."""

from __future__ import annotations

import pytest

from checks.fields.labels.numbers import fits_register, owner_of
from checks.fields.registration_numbers import compact
from checks.incorporation_document.extraction import IncorporationDocumentExtraction
from tests.checks.documents import evidence_of
from tests.checks.made_texts.drawing import LATIN, MadeText, draw


@pytest.mark.parametrize(
    ("label", "owner"),
    [
        ("Principal Registration No.", "register"),
        ("N° d'immatriculation", "register"),
        ("Taxpayer Identification No.", "other"),
        ("VAT registration number", "other"),
        ("Identifiant fiscal", "other"),
        ("Receipt", "other"),
        ("Active", ""),
    ],
)
def test_words_before_a_number_say_what_it_is_of(label, owner):
    assert owner_of(label) == owner


@pytest.mark.parametrize(
    ("number", "code", "fits"),
    [
        ("1244187-1", "CA", True),
        ("718842214RC0001", "CA", False),
        ("FN 418822 k", "AT", True),
        ("SC123456", "GB-SCT", True),
        # No register of this state or country is in the tables.
        ("718842214RC0001", "CA-MB", None),
        ("12345", "ET", None),
    ],
)
def test_a_number_has_the_form_of_its_register_or_not(number, code, fits):
    assert fits_register(number, code) is fits


PAPER = """^ The Federal Republic of Nigeria
^ CORPORATE AFFAIRS COMMISSION
# CERTIFICATE OF INCORPORATION
Companies and Allied Matters Act 2020
{rows}
The Registrar-General hereby certifies that TIDEWELL FOODS LIMITED is this day incorporated.
"""


def _read(*rows: str) -> tuple[list[str], list[str]]:
    """The numbers that are given, and the candidates."""
    body = PAPER.format(rows="\n".join(rows))
    paper = MadeText("", "certificate", {}, LATIN, (50, 250), body)
    tool = IncorporationDocumentExtraction()
    data = tool.run(evidence_of(draw(paper))).payload["extraction_data"]
    evidence = data["evidence"]["business_registration_number"]
    candidates = [item["value"] for item in evidence.get("candidates", ())]
    return data["business_registration_number"], candidates


def test_a_number_of_another_form_is_not_given_in_place_of_one_of_the_register():
    tax = "File Number | 23884421-0001"

    rows = (tax, "Registered under the number | 1788442")
    assert _read(*rows) == (["1788442"], [])
    assert _read(tax) == ([], ["23884421-0001"])


def test_words_of_registers_in_a_label_that_no_table_has_give_the_only_number():
    rows = ("Enrolled in the registry of firms as | 1788442", "Receipt | 8842211")

    assert _read(*rows) == (["1788442"], [])


@pytest.mark.parametrize(
    ("line", "number"),
    [
        # The last group of a number ends a sentence.
        ("Registered under the number: 17 88 44 21. Registered office in Lagos", "17884421"),
        ("Registered under the number: 178 844 21. Registered office in Lagos", "17884421"),
        # The next field of a form, which has a number.
        ("Registration number: 17884421 6. DV 1 12. Office", "17884421"),
        ("Registration number: 17.884.421 6. DV 1 12. Office", "17884421"),
        ("Registration number: 17884421-3 6. DV 1 12. Office", "178844213"),
    ],
)  # fmt: skip
def test_a_number_ends_before_the_next_numbered_field_and_not_within_its_groups(
    line, number
):
    given, candidates = _read(line)

    assert [compact(each) for each in given or candidates] == [number]
