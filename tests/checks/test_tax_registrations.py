"""Registrations of tax offices: their kind, holder, number, country and office."""

from __future__ import annotations

import io
from typing import Any

import pypdfium2
import pytest

from checks import registry
from checks.evidence import Evidence
from checks.fields.tax_offices import tax_offices
from tests.checks.fields.test_labels import form


def read(lines: str, **attested: Any) -> dict[str, Any]:
    check = registry.get("kyb.ein_document_verification")
    outcome = check.tools[0].run(
        Evidence(form(lines), "registration.pdf", attested=attested)
    )
    data: dict[str, Any] = outcome.payload["extraction_data"]
    return data


DUTCH = """Belastingdienst
Onderwerp: Bevestiging btw-identificatienummer
Naam onderneming: Veenbeek Optiek B.V.
Btw-identificatienummer: {number}
Ingangsdatum: 1 oktober 2021
Belastingadviseur: Kantoor Smit, btw-nummer NL853746333B01"""


def test_a_registration_names_its_office_country_and_number():
    data = read(DUTCH.format(number="NL539492061B01"))

    assert data["document_type"] == "tax_registration"
    assert data["is_valid_document"] is True
    assert data["business_name"] == "Veenbeek Optiek B.V."
    assert data["tax_number"] == "NL539492061B01"
    assert data["date"] == "2021-10-01"
    assert data["jurisdiction"] == "Netherlands"
    assert data["issuer"] == "Belastingdienst"


def test_the_number_of_an_adviser_is_never_the_holders():
    data = read(DUTCH.format(number="wordt nog toegekend"))

    assert data["tax_number"] is None
    assert data["business_registration_number"] == []
    assert data["is_valid_document"] is False


def test_a_number_with_wrong_check_digits_is_not_given():
    data = read(DUTCH.format(number="NL539492062B01"))

    assert data["tax_number"] is None
    assert "check digits" in str(data["alerts"])


def test_a_number_with_wrong_check_digits_is_a_candidate():
    data = read(DUTCH.format(number="NL539492062B01"))

    assert "tax_number" in data["unsure"]
    candidates = data["evidence"]["tax_number"]["candidates"]
    assert [candidate["value"] for candidate in candidates] == ["NL539492062B01"]


def test_two_numbers_of_one_form_ask_a_person_only_for_the_number():
    lines = DUTCH.format(number="NL539492061B01")
    data = read(f"{lines}\nBtw-identificatienummer: NL539492062B01")

    assert data["tax_number"] is None
    assert data["only_unsure"] is True
    assert "The number of the registration is unsure" in data["analysis"]


def test_a_printed_number_with_wrong_check_digits_asks_for_more_than_a_choice():
    """A text layer is not misread: the document itself states the wrong number."""
    data = read(DUTCH.format(number="NL539492062B01"))

    assert data["only_unsure"] is False


def test_a_scanned_number_with_wrong_check_digits_asks_only_for_the_number():
    page = pypdfium2.PdfDocument(form(DUTCH.format(number="NL539492062B01")))[0]
    picture = io.BytesIO()
    page.render(scale=3).to_pil().save(picture, "PNG")
    check = registry.get("kyb.ein_document_verification")
    outcome = check.tools[0].run(Evidence(picture.getvalue(), "registration.png"))
    data = outcome.payload["extraction_data"]

    assert "tax_number" in data["unsure"]
    assert data["only_unsure"] is True


def test_a_number_within_a_sentence_is_read():
    lines = """Finanzamt Bochum
    Bescheinigung über die Eintragung als Steuerpflichtiger (Unternehmer)
    Name und Vorname oder Firma: Ruhrtal Metallbau GmbH
    ist unter der Steuernummer 350/5721/0482 als Steuerpflichtiger erfasst."""

    data = read(lines)

    assert data["tax_number"] == "350/5721/0482"
    assert data["business_name"] == "Ruhrtal Metallbau GmbH"


@pytest.mark.parametrize("office", tax_offices(), ids=lambda office: office.name)
def test_every_office_has_a_form_of_its_numbers(office):
    assert office.is_valid("1") is not True
    assert not office.number.search("a certificate of 2024")
