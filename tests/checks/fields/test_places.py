"""The country of a paper from all that speaks for it, and its type from general words."""

from __future__ import annotations

import pytest

from checks.fields.document_types import classify
from checks.fields.jurisdictions import (
    find_by_weak_signs,
    find_jurisdiction,
    read_jurisdiction,
)
from checks.fields.names.parties import is_of_party
from checks.incorporation_document.extraction import IncorporationDocumentExtraction
from checks.text.words import Text
from tests.checks.documents import evidence_of, make_pdf


def text_of(words: str) -> Text:
    return evidence_of(make_pdf(words)).text


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("GL", "GRØNLANDS SELVSTYRE\nErhvervsstyrelsen, Danmark\nUDSKRIFT"),
        ("BN", "No: CI/2019\nBRUNEI DARUSSALAM\nTHE COMPANIES ACT\nTIMUR SDN BHD"),
        ("TG", "REPUBLIQUE TOGOLAISE\nCENTRE DE FORMALITES\nCARTE UNIQUE"),
        ("", "MALTA LEMON TRADING LTD\nAnnual report"),
        # A town of Colombia.
        ("CO", "CAMARA DE COMERCIO DE ARMENIA\nCERTIFICADO\nRepública de Colombia"),
    ],
)
def test_head_of_the_page(code, words):
    place = find_jurisdiction(text_of(words))

    assert (place.value.code if place else "") == code


def test_several_weak_signs_agree():
    owner = "Shareholders:\nOtto Meier, Bern, Schweiz"
    own = "Seat: Antananarivo\nCapital: MGA 2.000.000\n"

    both = find_by_weak_signs(text_of(f"{own}{owner}"), is_of_party)
    alone = find_by_weak_signs(text_of("Seat: Antananarivo"), is_of_party)

    assert both is not None
    assert both.value.code == "MG"
    assert alone is None


def test_general_words_of_a_register():
    paper = classify(
        text_of(
            "CERTIFICATE\nRegistri i kompanive\nShoqëria (company): Drini\nNumri 118842\nKapitali 100\nDirektor: A. B."
        )
    )
    letter = classify(text_of("Dear director,\nthe company has our number. Regards"))

    assert paper is not None
    assert paper.value.code == "register_extract"
    assert letter is None


HEAD = "This agreement is between the parties below.\n" * 8
TWO_LAWS = (
    f"{HEAD}A company under the laws of Malta,\na company under the laws of Cyprus"
)
DUTCH = "KAMER VAN KOOPHANDEL\nUITTREKSEL HANDELSREGISTER\n"


@pytest.mark.parametrize(
    ("words", "place", "candidates"),
    [
        (f"{DUTCH}Plaats: Utrecht, Nederland", "NL", []),
        # Names and towns of another country stand beside the words of the language.
        (f"{DUTCH}Paramaribo, kapitaal SRD 10.000\nDirecteur: te Nederland", "", ["SR", "NL"]),
        (f"{DUTCH}Paramaribo, kapitaal SRD 10.000", "SR", []),
        # One sign alone may be that of a partner.
        (f"{DUTCH}Bestuurder te Paramaribo", "NL", []),
        # Two laws of the same weight.
        (TWO_LAWS, "", ["CY", "MT"]),
    ],
)  # fmt: skip
def test_words_of_a_language_are_of_several_countries(words, place, candidates):
    reading = read_jurisdiction(text_of(words))

    assert (reading.place.value.code if reading.place else "") == place
    codes = [item.value.code for item in reading.candidates]
    assert sorted(codes) == sorted(candidates)


def test_a_country_that_is_unsure_has_its_candidates():
    words = f"{DUTCH}Naam: Brokopondo Solar N.V.\nParamaribo, kapitaal SRD 10.000\nDirecteur: te Nederland"
    tool = IncorporationDocumentExtraction()
    data = tool.run(evidence_of(make_pdf(words))).payload["extraction_data"]
    candidates = data["evidence"]["jurisdiction"]["candidates"]

    assert data["jurisdiction"] is None
    assert "jurisdiction" in data["unsure"]
    assert [item["value"] for item in candidates] == ["Suriname", "Netherlands"]


def test_the_label_of_the_seat_decides_between_two_countries():
    words = f"{TWO_LAWS}\nCountry of incorporation: Cyprus"
    tool = IncorporationDocumentExtraction()
    data = tool.run(evidence_of(make_pdf(words))).payload["extraction_data"]

    assert data["jurisdiction"] == "Cyprus"


def test_the_title_of_a_law_is_of_several_states():
    """India and Zanzibar have a Companies Act of 2013."""
    words = (
        "GOVERNMENT OF ZANZIBAR\nCERTIFICATE OF INCORPORATION\nThe Companies Act, 2013"
    )
    alone = "CERTIFICATE OF INCORPORATION\nThe Companies Act, 2013"

    places = [find_jurisdiction(text_of(text)) for text in (words, alone)]

    assert [place and place.value.code for place in places] == ["TZ", "IN"]
