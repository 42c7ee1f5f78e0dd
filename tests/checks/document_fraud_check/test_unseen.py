"""What programs read in a file and nobody sees on its pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pikepdf
import pytest

from checks.base import Change, Indicator
from checks.comparisons import Comparison
from checks.document_fraud_check.page import unseen
from checks.document_fraud_check.rules import Unchecked
from checks.document_fraud_check.tool import DocumentFraud
from checks.evidence import Evidence
from checks.extraction import altered_values
from tests.checks.document_fraud_check.editing import Edit, drawn, name, rewritten
from tests.checks.document_fraud_check.genuine_kinds.notes import annotation, look
from tests.checks.documents import TODAY, make_pdf

PAGE = """Certificate of Incorporation
    I hereby certify that Blue Anchor Limited is incorporated under the law of this state.
    Given under my hand on the third day of May of the year named above."""
PLAIN = make_pdf(PAGE)
NUMBER = "Company number: 08412773"
# Where nothing else stands.
PLACE = "80 300 Td"


def text(words: str, *, before: str = "0 g", size: float = 12) -> Edit:
    return drawn(f"{before} BT /Typed {size} Tf {PLACE} ({words}) Tj ET".encode())


def in_layer_off(words: str) -> Edit:
    def edit(pdf: pikepdf.Pdf) -> None:
        layer = pdf.make_indirect(
            pikepdf.Dictionary(Type=pikepdf.Name.OCG, Name=pikepdf.String("Other"))
        )
        pdf.Root.OCProperties = pikepdf.Dictionary(
            OCGs=pikepdf.Array([layer]),
            D=pikepdf.Dictionary(OFF=pikepdf.Array([layer])),
        )
        name(pdf, "/Properties", "/Other", layer)
        stream = f"/OC /Other BDC BT 0 g /Typed 12 Tf {PLACE} ({words}) Tj ET EMC"
        drawn(stream.encode())(pdf)

    return edit


# Each way to write words that nobody sees.
WAYS: dict[str, Callable[[str], Edit]] = {
    "in the colour of the paper": lambda words: text(words, before="1 g"),
    "too small": lambda words: text(words, size=0.2),
    "cut away": lambda words: text(words, before="0 0 1 1 re W n"),
    "invisible": lambda words: text(words, before="3 Tr"),
    "in a layer that is off": in_layer_off,
}


def finding_of(file: bytes, **arguments: Any) -> Indicator | None:
    found = unseen.facts_unseen(Evidence(file, today=TODAY, arguments=arguments))
    assert found is None or isinstance(found, Indicator)
    return found


@pytest.mark.parametrize("way", WAYS)
def test_a_number_that_nobody_sees_is_for_a_person(way: str):
    file = rewritten(PLAIN, WAYS[way](NUMBER))

    finding = finding_of(file)

    assert "08412773" in Evidence(file).text.value
    assert finding is not None
    assert finding.type == "RISK"
    assert not finding.strong
    assert NUMBER in finding.description
    payload = DocumentFraud().run(Evidence(file)).payload["fraud_verification_data"]
    assert payload["verification_result"] == "WARNING"


def test_the_name_of_a_company_that_nobody_sees_is_for_a_person():
    finding = finding_of(rewritten(PLAIN, text("Red Harbour Limited", before="1 g")))

    assert finding is not None
    assert finding.type == "RISK"


@pytest.mark.parametrize(
    "words",
    [
        "Blue Anchor Limited",  # stands on the page, too
        "{{signature of applicant}}",  # a mark for a signing service
        "Powered by a library",
    ],
)
def test_other_words_that_nobody_sees_are_no_risk(words: str):
    finding = finding_of(rewritten(PLAIN, text(words, before="1 g")))

    assert finding is None or finding.type == "INFO"


@pytest.mark.parametrize("before", ["0 g", "0.9 g 70 290 200 30 re f 0 g"])
def test_words_that_are_seen_are_nothing(before: str):
    assert finding_of(rewritten(PLAIN, text(NUMBER, before=before))) is None


def test_white_words_on_a_dark_ground_are_seen():
    dark = "0 0 0.4 rg 70 290 200 30 re f 1 g"

    assert finding_of(rewritten(PLAIN, text(NUMBER, before=dark))) is None


def with_field(value: str, shown: str, **more: Any) -> bytes:
    """The certificate with a filled field, and what the field shows."""

    def edit(pdf: pikepdf.Pdf) -> None:
        stream = f"BT 0 g /Typed 12 Tf 4 5 Td ({shown}) Tj ET".encode()
        annotation(
            pdf, "Widget", (80, 300, 330, 320), FT=pikepdf.Name.Tx,
            V=pikepdf.String(value), DA=pikepdf.String("/Typed 12 Tf 0 g"),
            AP=pikepdf.Dictionary(N=look(pdf, stream, 250, 20)),
            **{"T": pikepdf.String("name"), **more},
        )  # fmt: skip
        fields = pikepdf.Array(list(pdf.pages[0].obj.Annots))
        pdf.Root.AcroForm = pikepdf.Dictionary(Fields=fields)

    return rewritten(PLAIN, edit)


def test_a_field_that_shows_another_name_than_it_holds_is_for_a_person():
    finding = finding_of(with_field("Blue Anchor Limited", "Red Harbour Limited"))

    assert finding is not None
    assert finding.type == "RISK"
    [change] = finding.changes
    boxes = change.boxes
    assert change == Change(1, "Blue Anchor Limited", "Red Harbour Limited", boxes)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("Blue Anchor Limited", "Blue Anchor Limited"),
        ("Blue Anchor Limited of London", "Blue Anchor Limited"),
        ("2024-00417", "2024 - 00417"),
        ("Blue Anchor Limited", ""),
        ("Name of company", "Red Harbour Limited"),
    ],
)
def test_a_field_that_shows_its_value_is_nothing(value: str, shown: str):
    assert finding_of(with_field(value, shown)) is None


def test_a_field_of_an_xfa_form_is_no_risk():
    more = {"T": pikepdf.String("Text1[0]")}
    finding = finding_of(
        with_field("Blue Anchor Limited", "Red Harbour Limited", **more)
    )

    assert finding is not None
    assert finding.type == "INFO"


def test_a_field_over_another_one_that_shows_its_value_is_nothing():
    """Forms of registers lay fields one over the other and show one of them."""
    shown = "Red Harbour Limited"

    def lay_over(pdf: pikepdf.Pdf) -> None:
        stream = b"q Q"
        annotation(
            pdf, "Widget", (80, 300, 330, 320), FT=pikepdf.Name.Tx, T=pikepdf.String("other"),
            V=pikepdf.String(shown), DA=pikepdf.String("/Typed 12 Tf 0 g"),
            AP=pikepdf.Dictionary(N=look(pdf, stream, 250, 20)),
        )  # fmt: skip
        pdf.Root.AcroForm.Fields = pikepdf.Array(list(pdf.pages[0].obj.Annots))

    file = rewritten(with_field("Blue Anchor Limited", shown), lay_over)

    assert finding_of(file) is None


def test_a_field_whose_script_writes_a_date_in_words_is_nothing():
    script = pikepdf.Dictionary(
        S=pikepdf.Name.JavaScript, JS=pikepdf.String("AFDate_FormatEx('d mmmm yyyy')")
    )
    file = with_field("2024-05-03", "3 May 2024", AA=pikepdf.Dictionary(F=script))

    assert finding_of(file) is None


def test_a_field_whose_script_writes_another_number_is_for_a_person():
    script = pikepdf.Dictionary(
        S=pikepdf.Name.JavaScript, JS=pikepdf.String("event.value = '5996506'")
    )
    file = with_field("7118042", "5996506", AA=pikepdf.Dictionary(F=script))

    finding = finding_of(file)

    assert finding is not None
    assert finding.type == "RISK"
    # Such a value does not agree with the attested one.
    row = Comparison("number", "Number", "7118042", "7118042", "equal", "same", finding.boxes)  # fmt: skip
    [compared] = altered_values.with_altered([row], Evidence(file))
    assert compared.state == "cannot_compare"


def test_without_ocr_it_says_that_a_field_was_not_compared():
    file = with_field("Blue Anchor Limited", "Red Harbour Limited")

    outcome = unseen.facts_unseen(Evidence(file, arguments={"ocr": "off"}))

    assert isinstance(outcome, Unchecked)
    assert "values of fields" in outcome.why
