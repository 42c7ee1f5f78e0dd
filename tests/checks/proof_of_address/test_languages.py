"""A proof of address is accepted by its kind, in whichever language it says so."""

from __future__ import annotations

import pytest

from checks.data import table
from checks.fields.document_types import TYPES
from checks.proof_of_address.extraction import ProofOfAddressExtraction
from tests.checks.documents import evidence_of
from tests.checks.made_texts.drawing import LATIN, MadeText, draw

HOLDER = "Alan Pike |\nMill Lane 12 |\n20095 Hamburg |\n"


def kind_of(body: str) -> str | None:
    document = draw(MadeText("letter", "poa-letter", {}, LATIN, (50, 340), body))
    tool = ProofOfAddressExtraction("kyc")
    data = tool.run(evidence_of(document)).payload["extraction_data"]
    kind: str | None = data["proof_of_address_type"]
    return kind


@pytest.mark.parametrize(
    ("kind", "title", "line"),
    [
        ("UTILITY_BILL", "Ihre Jahresrechnung Strom", "Rechnungsdatum: 11.03.2026"),
        ("UTILITY_BILL", "Bolletta gas naturale", "n. 118 del 20/01/2026"),
        ("UTILITY_BILL", "Jaarnota energie", "Notadatum: 13 juli 2026"),
        ("UTILITY_BILL", "Faktura VAT nr 26/09", "Adres punktu poboru: Długa 3"),
        ("UTILITY_BILL", "Faktura", "Anläggningsadress: Åsgatan 14"),
        ("UTILITY_BILL", "Elektrik faturas\u0131", "Son okuma tarihi: 03.08.2026"),
        ("UTILITY_BILL", "Varmeregning", "Periode 01.01.2026 - 30.06.2026"),
        ("UTILITY_BILL", "Factura", "Punto de suministro: Calle Mayor 3"),
        ("BANK_STATEMENT", "Kontoutdrag", "Ingående saldo: 11 882,04"),
        ("BANK_STATEMENT", "Wyciąg bankowy nr 4/2026", "Saldo końcowe: 5.002,10"),
        ("BANK_STATEMENT", "Hesap ekstresi", "Dönem: 01.09.2026 - 30.09.2026"),
        ("BANK_STATEMENT", "Extrato combinado", "Saldo inicial: 1.882,04"),
        ("TAX_DOCUMENT", "Avis d'impôt 2026", "Numéro fiscal : 30 14 882 117"),
        ("TAX_DOCUMENT", "Ansässigkeitsbescheinigung", "Finanzamt Lippstadt"),
        ("TAX_DOCUMENT", "Mukimlik belgesi", "Say\u0131: E-3841"),
        ("TAX_DOCUMENT", "Hemvistintyg", "Skatteverket intygar"),
        ("VAT_INVOICE", "Rechnung RE-2026-1184", "Rechnungsdatum: 07.05.2026"),
        ("VAT_INVOICE", "FATTURA", "Numero 188/2026"),
        ("VAT_INVOICE", "Factuur", "Factuurdatum: 18/08/2026"),
        ("TENANCY_AGREEMENT", "Mietvertrag", "Vermieter: Carl Ohm"),
        ("INSURANCE_POLICY", "Póliza de seguro", "Tomador: Alan Pike"),
    ],
)
def test_the_kind_is_known_by_its_title(kind, title, line):
    assert kind_of(f"{HOLDER}# {title}\n{line}") == kind


@pytest.mark.parametrize(
    "text",
    [
        "Die Satzung gilt. Die Gesellschaft handelt auf eigene Rechnung.",
        "La sociedad lleva factura de sus actos en el libro de actas.",
        "Der Gesellschafter legt Rechnung über das Stammkapital.",
    ],
)
def test_a_word_within_a_sentence_is_no_title(text):
    assert kind_of(f"{HOLDER}# Protokoll\n{text}") is None


def test_each_row_is_of_a_known_kind():
    kinds = {row["kind"] for row in table("paper_kinds")}

    assert kinds <= {kind.code for kind in TYPES}


def test_accents_that_were_not_read_make_no_difference():
    assert kind_of(f"{HOLDER}# Avis d'impot 2026") == "TAX_DOCUMENT"
    assert kind_of(f"{HOLDER}# Kontoubersicht\nSaldo poczatkowe") == "BANK_STATEMENT"
