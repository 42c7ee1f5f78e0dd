"""The country of a paper from all that speaks for it, and its type from general words."""

from __future__ import annotations

import pytest

from checks.fields.document_types import classify
from checks.fields.jurisdictions import find_by_weak_signs, find_jurisdiction
from checks.fields.names.parties import is_of_party
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
