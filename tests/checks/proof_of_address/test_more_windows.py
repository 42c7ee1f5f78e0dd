"""Windows and payslips whose forms were not read: doors in India, towns before streets, days of wages."""

from __future__ import annotations

import pytest

from checks.fields.general import type_of
from checks.proof_of_address.extraction import ProofOfAddressExtraction
from checks.text.characters import has_digit
from tests.checks.documents import evidence_of, make_pdf


def data_of(text: str):
    evidence = evidence_of(make_pdf(text))
    outcome = ProofOfAddressExtraction("kyc").run(evidence)
    return outcome.payload["extraction_data"]


@pytest.mark.parametrize(
    ("lines", "holder", "street", "city", "code"),
    [
        (
            ["MR. VENKATA RAO PINNAMANENI", "D.NO. 40-5-19, TIKKLE ROAD", "LABBIPET", "VIJAYAWADA 520010"],
            "VENKATA RAO PINNAMANENI",
            "D.NO. 40-5-19, TIKKLE ROAD",
            "VIJAYAWADA",
            "520010",
        ),
        (
            ["Mr Bence Farkas", "PECS", "SZABADSAG UTCA 23. 2. EM. 5.", "7621"],
            "Bence Farkas",
            "SZABADSAG UTCA 23. 2. EM. 5.",
            "PECS",
            "7621",
        ),
        (
            ["Sra. Jussara dos Santos", "RUA DAS FLORES, 188 APTO 32", "JARDIM PAULISTA", "TAUBATE SP CEP 12010-118"],
            "Jussara dos Santos",
            "RUA DAS FLORES, 188 APTO 32",
            "TAUBATE",
            "12010-118",
        ),
    ],
)  # fmt: skip
def test_the_window_of_a_letter(lines, holder, street, city, code):
    data = data_of("\n".join(["Statement of account", "", *lines, "", "Balance 12.00"]))

    address = data["address"]
    assert data["holder_name"] == holder
    assert address["street_1"] == street
    assert (address["city"], address["postal_code"]) == (city, code)
    assert has_digit(address["street_1"])


PAYSLIP = """Payslip
Houtzagerij De Kempen BV

Employee: Pieter Wouters
Period: 01/10/2026 - 31/10/2026
{label}: 30/10/2026

Gross pay 3,214.40
Net pay 2,341.18"""


@pytest.mark.parametrize("label", ["Payment date", "Datum betaling", "Utbetalningsdag"])
def test_the_day_of_wages_is_that_of_a_payslip(label):
    data = data_of(PAYSLIP.format(label=label))

    assert data["date"] == "2026-10-30"
    assert data["holder_name"] == "Pieter Wouters"


def test_a_day_of_payment_is_none_of_a_bill():
    bill = PAYSLIP.replace("Payslip", "Electricity bill").replace("pay ", "amount ")

    data = data_of(bill.format(label="Datum betaling"))

    assert data["date"] != "2026-10-30"


LEASE = """Mietvertrag
abgeschlossen zwischen
Frau Dr. Hermine Zwettler, Rudolfsplatz 3, 1010 Wien (im Folgenden Vermieterin)
und
Herrn Lukas Obermayr, geb. 02.05.1994 (im Folgenden Mieter)

Wien, am 28.09.2026"""


def test_the_address_below_the_title_of_a_lease_may_be_the_landlords():
    assert data_of(LEASE)["address"] is None


OF_OFFICE = """Skattestyrelsen

Mette Kjergaard Holm
Ostergade 31, 2. th
8000 Aarhus C

Dato
Personnummer
Skattestyrelsen
Nykobingvej 76, Bygning 45
4990 Sakskobing"""


def test_a_label_is_no_candidate_for_the_holder():
    evidence = data_of(OF_OFFICE)["evidence"]["holder_name"]

    names = [candidate["value"] for candidate in evidence.get("candidates") or ()]
    assert "Dato" not in names


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Shire of Wandoo\nRATE NOTICE 2026/2027\nGeneral Rates GRV 18,200", "tax_document"),
        ("Luxtel S.A.\nFacture\nAbonnement fibre octobre 2026", "utility_bill"),
        ("Értesítés\nTelekadó 15 000 Ft\nÖsszesen 46 200 Ft", "tax_document"),
    ],
)  # fmt: skip
def test_the_kind_of_local_taxes_and_telephone_bills(text, kind):
    fact = evidence_of(make_pdf(text)).once(type_of)

    assert fact is not None
    assert fact.value.code == kind


def test_a_day_of_long_ago_without_a_label_is_not_that_of_a_payslip():
    data = data_of(
        "Payslip October 2026\nEmployee: Davide Locatelli\n\n12/05/1984\n\nNet pay 1,612.00"
    )

    assert data["date"] is None
    assert "date" in data["unsure"]
