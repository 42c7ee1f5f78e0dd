"""Names in forms, issuers by their legal names, and lines of Hebrew and Arabic papers."""

from __future__ import annotations

import pytest

from checks.fields.layout.cells import Cell
from checks.proof_of_address.extraction import ProofOfAddressExtraction
from checks.proof_of_address.labels import HOLDER, _goes_on, _Label, _label_before_gap
from checks.text.blocks import by_blocks
from checks.text.words import Line, Page, Span, Word
from papers.geometry import Box
from tests.checks.documents import evidence_of
from tests.checks.made_texts.drawing import LATIN, MadeText, draw

FORM = """> Ravi Gas Pipelines Limited
# Gas bill
Consumer No | 4418 8421 100
Name | MUHAMMAD ASLAM QURESHI
Address | HOUSE 22-C, STREET 9, MODEL TOWN EXT, LAHORE 54700
Issue date | 10-OCT-2026
"""


def read(body):
    document = draw(MadeText("bill", "poa-bill", {}, LATIN, (50, 200), body))
    outcome = ProofOfAddressExtraction("kyc").run(evidence_of(document))
    return outcome.payload["extraction_data"]


def test_a_name_above_an_address_in_a_form_is_that_of_the_holder():
    assert read(FORM)["holder_name"] == "MUHAMMAD ASLAM QURESHI"


def test_two_names_in_a_form_tell_nothing():
    body = f"{FORM}Name | Bilal Ahmed\nAddress | 4 MALL ROAD, LAHORE 54000\n"

    assert read(body)["holder_name"] is None


@pytest.mark.parametrize(
    ("foot", "issuer"),
    [
        (
            "Lizard Water Services Limited. Registered in England No. 02990011.",
            "Lizard Water Services Limited",
        ),
        (
            "Lizard Water Networks Ltd and Lizard Water Services Limited, registered in England.",
            None,
        ),
    ],
)
def test_a_mark_at_the_top_is_given_as_the_legal_name_of_the_page(foot, issuer):
    body = f"""# Lizard Water
Mr Alan Pike |
12 Mill Lane |
York |
YO1 7EP |
# Your water bill
Lizard Water thanks you.
~ {foot}
~ Lizard Water Services Limited, Pencarrow House, Truro TR1 2XN
"""
    if issuer is None:
        body = body.replace("Services Limited, Pencarrow", "Networks Ltd, Pencarrow")
        body += "~ Lizard Water Services Limited, registered No. 02990011"

    assert read(body)["issuer"] == issuer


def test_words_from_the_right_are_one_line():
    words = [
        Word("שם", Box(1, 0.80, 0.10, 0.84, 0.12)),
        Word("הלקוח", Box(1, 0.72, 0.10, 0.79, 0.12)),
        Word("מיכל", Box(1, 0.30, 0.10, 0.36, 0.12)),
    ]
    page = Page(1, 600, 800, (Line(tuple(words)),))

    lines = {line for line, _ in by_blocks([page]).lines() if line}

    assert lines == {"שם הלקוח", "מיכל"}


def test_the_value_of_a_narrow_table_stands_behind_the_widest_gap():
    words = [
        Word("Ad", Box(1, 0.100, 0.10, 0.120, 0.11)),
        Word("Soyad", Box(1, 0.125, 0.10, 0.170, 0.11)),
        Word("EMİNE", Box(1, 0.185, 0.10, 0.230, 0.11)),
        Word("YILDIRIM", Box(1, 0.235, 0.10, 0.300, 0.11)),
    ]
    cell = Cell(words, Span(0, 23), "Ad Soyad EMİNE YILDIRIM")

    label = _label_before_gap(cell)

    assert label is not None
    assert label.value is not None
    assert (label.kind, label.text, label.value.text) == (
        HOLDER,
        "Ad Soyad",
        "EMİNE YILDIRIM",
    )


def test_a_label_within_a_line_of_even_gaps_is_none():
    words = [
        Word("Ad", Box(1, 0.100, 0.10, 0.120, 0.11)),
        Word("Soyad", Box(1, 0.125, 0.10, 0.170, 0.11)),
        Word("EMİNE", Box(1, 0.177, 0.10, 0.230, 0.11)),
        Word("YILDIRIM", Box(1, 0.235, 0.10, 0.300, 0.11)),
    ]

    assert (
        _label_before_gap(Cell(words, Span(0, 23), "Ad Soyad EMİNE YILDIRIM")) is None
    )


def test_the_second_line_of_a_label_is_none():
    first = Cell(
        [Word("Service", Box(1, 0.1, 0.100, 0.15, 0.11))], Span(0, 7), "Service"
    )
    second = Cell(
        [Word("Address", Box(1, 0.1, 0.113, 0.15, 0.123))], Span(8, 15), "Address"
    )

    assert _goes_on([first, second], [None], second)
    assert not _goes_on([first, second], [_Label(HOLDER, "Service", 7)], second)
