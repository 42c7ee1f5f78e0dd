"""The name of an issuer that a narrow cell broke in two lines."""

from __future__ import annotations

import pytest

from checks.extraction.whole_names import goes_on_from_above
from checks.proof_of_address.extraction import ProofOfAddressExtraction
from checks.text.words import Span
from tests.checks.documents import evidence_of
from tests.checks.fields.test_centred_cells import text_of
from tests.checks.made_texts.drawing import LATIN, MadeText, draw


@pytest.mark.parametrize(
    ("above", "goes_on"),
    [
        ("Creekside Electricity and", True),
        ("Creekside Electricity", False),
        ("Bergwerksgesellschaft der", True),
    ],
)
def test_a_line_that_ends_with_a_joining_word_goes_on_below(above, goes_on):
    text = text_of((above, 0.1, 0.05), ("Water Authority", 0.1, 0.063))
    start = text.value.index("Water")

    assert goes_on_from_above(text, Span(start, start + 15)) is goes_on


@pytest.mark.parametrize(
    ("foot", "issuer"),
    [
        ("Northern Oak Bank, registered in England", "Northern Oak Bank"),
        ("Northern Oak Bank plc, registered in England", "Northern Oak Bank plc"),
        ("Northern Oak, registered in England", None),
    ],
)
def test_a_name_in_two_lines_is_given_whole_or_not(foot, issuer):
    body = f"# Northern Oak\n# Bank\nMr Alan Pike |\n12 Mill Lane |\nYork |\nYO1 7EP |\n~ {foot}"
    document = draw(MadeText("letter", "poa-bank", {}, LATIN, (50, 340), body))

    outcome = ProofOfAddressExtraction("kyc").run(evidence_of(document))

    assert outcome.payload["extraction_data"]["issuer"] == issuer
