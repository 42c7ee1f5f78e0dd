"""Holder, address and day behind the labels of many languages, and the words that a letter only addresses somebody with."""

from __future__ import annotations

import pytest

from checks.data import table
from checks.fields.addresses.whole import address_of_lines
from checks.fields.dates import find_dates
from checks.fields.names.forms_of_address import person_of
from checks.proof_of_address.extraction import ProofOfAddressExtraction
from checks.wire import JsonObject
from tests.checks.documents import evidence_of
from tests.checks.made_texts.drawing import LATIN, MadeText, draw


def read(body: str) -> JsonObject:
    document = draw(MadeText("letter", "poa-letter", {}, LATIN, (50, 250), body))
    tool = ProofOfAddressExtraction("kyc")
    return dict(tool.run(evidence_of(document)).payload["extraction_data"])


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("Tên khách hàng", "Địa chỉ"),
        ("Потребитель", "Адрес"),
        ("Ονοματεπώνυμο", "Διεύθυνση"),
        ("Ime i prezime", "Adresa"),
        ("Nome", "Morada"),
        ("Jina la mteja", "Anwani"),
    ],
)
def test_the_address_of_a_form_stands_below_the_name_of_its_holder(name, address):
    data = read(f"""Harbour Water Ltd
14 Quay Street, Hull, HU1 1NQ

{name} | Alan Pike
{address} | Mill Lane 12, 4050-105 Porto
# Invoice""")

    assert data["holder_name"] == "Alan Pike"
    assert data["address"]["postal_code"] == "4050-105"


def test_the_address_of_a_form_below_another_party_is_not_the_holders():
    data = read("""Nome | Alan Pike
Fornecedor | Porto Gas Lda
Morada | Rua Nova 12, 4050-105 Porto
# Fatura""")

    assert data["address"] is None


def test_a_tax_number_stands_between_the_name_and_the_street():
    data = read("""Datos del cliente |
Alan Pike |
NIF: 11882044X |
Calle Mayor 12 |
48300 Gernika |

# Factura
Fecha de factura: 01/10/2026""")

    assert data["holder_name"] == "Alan Pike"
    assert data["address"]["street_1"] == "Calle Mayor 12"


@pytest.mark.parametrize(
    ("label", "due"),
    [
        ("Datum izdavanja:", "Datum dospijeća:"),
        ("Ημερομηνία έκδοσης:", "Λήξη προθεσμίας:"),
        ("Sąskaitos data:", "Apmokėti iki:"),
        ("Tanggal Tagihan", "Jatuh Tempo"),
        ("Fatura Tarihi", "Son Ödeme Tarihi"),
        ("Дата на издаване:", "Краен срок за плащане:"),
    ],
)
def test_the_day_of_issue_is_known_by_its_label_in_many_languages(label, due):
    data = read(
        f"Harbour Water\nPlin, 01.08.2026. - 31.08.2026.\n{label} | 17.09.2026\n{due} | 02.10.2026\n"
    )

    assert data["date"] == "2026-09-17"


def test_a_day_behind_a_word_and_a_comma_is_unsure_beside_a_later_day():
    data = read("Harbour Water\nGorivo, 01.08.2026\nUgovor iz rujna 17.09.2026\n")

    assert data["date"] is None


def test_an_instalment_is_no_day_of_the_bill():
    data = read(
        "Hull Council\nDate of notice | 9 March 2026\n1st instalment 1 April 2026, then 1 May 2026\n"
    )

    assert data["date"] == "2026-03-09"


@pytest.mark.parametrize(
    ("written", "country", "name"),
    [
        ("Mevr. M. Oosterveld", "NL", "M. Oosterveld"),
        ("Bapak Alan Pike", "", "Alan Pike"),
        ("Monsieur Alan Pike", "", "Alan Pike"),
        ("M. Alan Pike", "FR", "Alan Pike"),
        ("D. Íñigo Pike", "ES", "Íñigo Pike"),
        ("陳美玲女士", "HK", "陳美玲"),
        # Of another country these are initials and names.
        ("M. Alan Pike", "GB", "M. Alan Pike"),
        ("Don Pike Smith", "US", "Don Pike Smith"),
        ("Tuan Anh Nguyen", "VN", "Tuan Anh Nguyen"),
        ("Tuan Alan Pike", "MY", "Alan Pike"),
        # Too little would be left, or the first of two people would lose more than the title.
        ("Frau Müller", "DE", "Frau Müller"),
        ("Mr D & Mrs K Pike", "GB", "Mr D & Mrs K Pike"),
        ("MS Marine Pumps Ltd", "GB", "MS Marine Pumps Ltd"),
        ("Dr. Alan Pike", "DE", "Dr. Alan Pike"),
    ],
)
def test_a_form_of_address_is_no_part_of_a_name(written, country, name):
    assert person_of(written, country) == name


@pytest.mark.parametrize(
    "written", ["30. 9. 2026", "30 вересня 2026", "30 Septemba 2026", "30 medi 2026"]
)
def test_days_of_further_languages(written):
    [day] = find_dates(written)
    assert day.value is not None
    assert day.value.isoformat() == "2026-09-30"


def test_the_parts_of_an_address_of_the_polish_register_are_put_together():
    address = address_of_lines(
        "ul. PORTOWA, nr 8, lok. ---, miejsc. USTKA, kod 76-270, poczta USTKA, kraj POLSKA",
        "",
    )
    assert str(address) == "ul. PORTOWA 8, USTKA, 76-270"


def test_no_words_are_both_of_the_issue_and_of_another_day():
    words: dict[str, set[str]] = {"issued": set(), "other_day": set()}
    for row in table("letter_words"):
        if row["kind"] in words:
            words[row["kind"]].update(row["words"].split("|"))
    assert words["issued"]
    assert not words["issued"] & words["other_day"]
