"""Layers that are off: words of the original in them, below the words that a forger wrote."""

from __future__ import annotations

import io
from typing import Any

import pikepdf
import pytest

from checks.document_fraud_check.page import overlays
from checks.evidence import Evidence
from tests.checks.documents import make_pdf

LINES = (
    "Certificate of Incorporation",
    "The company Halcyon Foods Limited was incorporated",
    "on 4 May 2021 with the number 6311204",
    "The share capital of the company is 10,000 pounds",
    "Given under my hand at the register of companies",
)
FORGED = (*LINES[:3], "The share capital of the company is 90,000 pounds", LINES[4])
GERMAN = (
    "Urkunde der Eintragung",
    "Die Gesellschaft Halcyon Foods Limited wurde eingetragen",
    "am 4. Mai 2021 unter der Nummer 6311204",
    "Das Kapital der Gesellschaft: 10,000 Pfund",
    "Ausgestellt durch das Register der Gesellschaften",
)


def layered(
    layer: tuple[str, ...],
    page: tuple[str, ...],
    *,
    is_on: bool = False,
    is_above: bool = False,
) -> bytes:
    """A page with a layer, below or above its own words."""
    out = io.BytesIO()
    with (
        pikepdf.open(io.BytesIO(make_pdf("\n".join(layer)))) as first,
        pikepdf.open(io.BytesIO(make_pdf("\n".join(page)))) as second,
        pikepdf.new() as pdf,
    ):
        pdf.add_blank_page(page_size=(612, 792))
        group = pdf.make_indirect(
            pikepdf.Dictionary(Type=pikepdf.Name.OCG, Name=pikepdf.String("Layer 1"))
        )
        state = pikepdf.Name.ON if is_on else pikepdf.Name.OFF
        pdf.Root.OCProperties = pikepdf.Dictionary(
            OCGs=pikepdf.Array([group]),
            D=pikepdf.Dictionary({str(state): pikepdf.Array([group])}),
        )
        pdf.pages[0].obj.Resources = pikepdf.Dictionary(
            XObject=pikepdf.Dictionary(
                A=pdf.copy_foreign(first.pages[0].as_form_xobject()),
                B=pdf.copy_foreign(second.pages[0].as_form_xobject()),
            ),
            Properties=pikepdf.Dictionary(L=group),
        )
        parts = [b"/OC /L BDC q /A Do Q EMC ", b"q /B Do Q "]
        if is_above:
            parts.reverse()
        pdf.pages[0].obj.Contents = pdf.make_stream(b"".join(parts))
        pdf.save(out)
    return out.getvalue()


def covered(content: bytes) -> Any:
    return overlays.text_covered(Evidence(content))


@pytest.mark.parametrize("is_above", [False, True])
def test_the_original_in_a_layer_that_is_off(is_above):
    finding = covered(layered(LINES, FORGED, is_above=is_above))
    assert finding.strong
    (change,) = finding.changes
    assert "10,000" in change.before
    assert change.after == "90,000"


def test_one_number_in_a_layer_that_is_off():
    """The rest of the page is in no layer."""
    blank = (" ",) * 3
    finding = covered(layered((*blank, LINES[3]), FORGED))
    assert finding.strong
    assert finding.changes[0].after == "90,000"


@pytest.mark.parametrize(
    ("layer", "page", "is_on"),
    [
        (GERMAN, LINES, False),  # a page in two languages
        (LINES, LINES, False),  # the same page once more
        (LINES, LINES, True),  # words that are printed twice
        ((" ",) * 30 + ("DRAFT OF 2020",), LINES, False),  # nothing is at its place
    ],
)
def test_layers_of_genuine_documents(layer, page, is_on):
    assert covered(layered(layer, page, is_on=is_on)) is None
