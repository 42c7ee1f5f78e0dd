"""Words of forms in many languages: labels without facts, keys of names in codes, captions of seals."""

from __future__ import annotations

import pytest

from checks.data import table
from checks.document_fraud_check.alterations import is_of_the_form
from checks.document_fraud_check.content.crosschecks import is_key_of_name

KINDS = {"label", "name_key", "seal", "seal_owner", "seal_alone"}


def test_every_row_of_the_table_has_a_kind_that_a_check_reads():
    assert {row["kind"] for row in table("form_words")} == KINDS


@pytest.mark.parametrize(
    "text",
    [
        "Authorised signature",
        "Unterschrift und Datum",
        "Nom et prénom du signataire",
        "Firma y sello",
        "Luogo e data",
        "Assinatura e carimbo",
        "Handtekening",
        "Podpis i pieczęć",
        "Jméno a příjmení",
        "Namn och datum",
        "Dato og underskrift",
        "Allekirjoitus",
        "Υπογραφή και σφραγίδα",
        "İmza",
        "Подпись и печать",
        "Підпис",
        "التوقيع",
        "חתימה",
        "签字",
        "署名",
        "서명",
    ],
)
def test_a_label_of_a_form_is_no_fact(text):
    assert is_of_the_form(text)


@pytest.mark.parametrize(
    "text",
    [
        "Firma Müller",
        "Sello de Ávila 12",
        "Adresse 4",
        "Luigi Data",
        "Иванов Иван",
        "서명 김철수",
        "株式会社署名",
        "Nomen Nescio",
        # The endings of words of other languages are names.
        "Schrift",
        "Zahl",
    ],
)
def test_a_name_or_a_number_beside_a_label_is_a_fact(text):
    assert not is_of_the_form(text)


@pytest.mark.parametrize(
    "key",
    [
        "companyName",
        "razonSocial",
        "razón_social",
        "Dénomination",
        "ragioneSociale",
        "nazwa",
        "nome",
        "Наименование",
        "επωνυμία",
        "名称",
        "商号",
    ],
)
def test_a_key_of_a_code_is_that_of_a_name(key):
    assert is_key_of_name(key)


@pytest.mark.parametrize("key", ["never", "adresse", "nomor", "url", "", "año", "ид"])
def test_a_key_that_only_resembles_one_is_not(key):
    assert not is_key_of_name(key)
