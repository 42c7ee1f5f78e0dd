"""The name of an issuer that a narrow cell broke in two lines."""

from __future__ import annotations

import pytest

from checks.extraction.whole_names import goes_on_from_above
from checks.text.words import Span
from tests.checks.fields.test_centred_cells import text_of


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
