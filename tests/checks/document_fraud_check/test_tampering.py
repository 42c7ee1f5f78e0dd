"""Every way of editing that the samples draw, held against the indicator that must find it."""

from __future__ import annotations

import io
from functools import cache
from typing import Any

import pikepdf
import pytest
from PIL import Image
from reportlab.pdfbase.pdfmetrics import stringWidth

from checks import samples
from checks.document_fraud_check.catalogue import EVERY
from checks.document_fraud_check.documentation import page
from checks.document_fraud_check.tool import DocumentFraud
from checks.evidence import Evidence
from checks.samples.tampering import WAYS, Target, shape_rewritten
from tests.checks.documents import hostile, indicators_of, make_pdf, results_of
from tests.docs.pages import read

pytestmark = pytest.mark.sweep

# What leaves no trace but in the container: told as an INFO, and never as more than is known.
TRACELESS = {
    "blacked_out",
    "settext_resaved",
    "retyped_rewritten",
    "redrawn",
    "metadata_stripped",
}
SHOWS_BOTH = {
    "overlay_appended", "retyped_appended", "overlay_rewritten", "shape_rewritten", "text_box",
    "picture_over_text",
}  # fmt: skip


@cache
def tampered_certificates() -> dict[str, samples.Sample]:
    """By the way in which each was changed; drawn once, and not when tests are listed."""
    return samples.tampered_certificates()


def payload_of(content: bytes) -> dict[str, Any]:
    payload: dict[str, Any] = results_of(content)["document_fraud_check"]["payload"]
    return payload["fraud_verification_data"]


@pytest.mark.parametrize("way", sorted(WAYS))
def test_each_way_is_found_by_its_indicator(way):
    payload = payload_of(tampered_certificates()[way].content)
    by_name = {item["indicator_id"]: item for item in payload["verification_data"]}

    assert WAYS[way][1] in by_name
    strong = [item for item in by_name.values() if item["severity"] == "high"]
    assert bool(strong) is (way not in TRACELESS)
    assert payload["verification_result"] == (
        "NORMAL" if way in TRACELESS else "HIGH_RISK"
    )


@pytest.mark.parametrize("way", sorted(SHOWS_BOTH))
def test_the_finding_shows_both_words_at_their_place(way):
    finding = indicators_of(tampered_certificates()[way].content)[WAYS[way][1]]
    year = int(samples.good_certificate(seed=4).attested["incorporation_date"][:4])

    [change] = finding["changes"]
    assert (change["before"], change["after"]) == (str(year), str(year - 6))
    [place] = change["boxes"]
    assert place["page"] == 1
    assert 0.5 < place["x0"] < place["x1"] < 0.75
    assert 0.46 < place["y0"] < place["y1"] < 0.5


def test_a_word_within_a_line_that_was_written_in_one_piece_is_found():
    line = "This is to certify that Northwind Traders Limited is incorporated since 2006 and exists."
    # Where the year stands: 11 points of Times, from the left margin.
    x0 = 72 + stringWidth(line.partition("2006")[0], "Times-Roman", 11)
    target = Target(make_pdf(line), (x0, 720, x0 + 22, 728), "2006", "2019")
    value = indicators_of(shape_rewritten(target))["text_covered"]
    [change] = value["changes"]
    assert (change["before"], change["after"]) == ("2006", "2019")


def test_a_shade_over_a_line_that_stays_legible_is_nothing():
    shade = b"q /Shade gs 0.8 0.9 1 rg 100 715 200 20 re f Q"
    with pikepdf.open(
        io.BytesIO(make_pdf("This is to certify that the company exists."))
    ) as pdf:
        state = pikepdf.Dictionary(ca=0.3)
        pdf.pages[0].obj.Resources.ExtGState = pikepdf.Dictionary(Shade=state)
        pdf.pages[0].contents_add(pikepdf.Stream(pdf, shade))
        out = io.BytesIO()
        pdf.save(out)
    assert "text_covered" not in indicators_of(out.getvalue())


@pytest.mark.parametrize("seed", range(20, 26))
def test_good_documents_raise_no_risk(seed):
    for sample in (samples.good_certificate(seed), samples.signed_certificate(seed)):
        result = indicators_of(sample.content).values()
        assert not [item for item in result if item["type"] == "RISK"]


def test_a_scan_raises_no_risk():
    result = indicators_of(samples.scanned_certificate().content)

    assert "image_only_document" in result
    assert not [item for item in result.values() if item["type"] == "RISK"]


def test_the_same_seed_edits_the_same_bytes():
    again = samples.tampered_certificates()

    assert {way: s.content for way, s in again.items()} == {
        way: s.content for way, s in tampered_certificates().items()
    }


@pytest.mark.parametrize(
    ("name", "indicator_id"),
    [
        ("flate_bomb.pdf", "too_large"),
        ("nested_forms.pdf", "too_large"),
        ("picture_bomb.png", "too_large"),
        ("page_loop.pdf", "malformed"),
        ("truncated.pdf", "malformed"),
        ("web_page.pdf", "malformed"),
        ("empty.pdf", "malformed"),
        ("locked.pdf", "password"),
    ],
)
def test_a_hostile_file_ends_with_a_clear_indicator(name, indicator_id):
    payload = payload_of(hostile()[name])

    [message] = payload["verification_data"]
    assert (message["indicator_id"], message["type"]) == (indicator_id, "RISK")
    assert payload["verification_passed"] is False


def test_an_alert_does_not_say_the_name_of_its_indicator_twice():
    outcome = DocumentFraud().run(Evidence(file=hostile()["locked.pdf"]))
    assert list(outcome.alerts) == ["The file is locked with a password."]


def test_a_page_of_seventy_metres_is_examined_all_the_same():
    assert payload_of(hostile()["huge_page.pdf"])["verification_passed"] is True


def test_what_was_not_looked_at_is_told():
    reasons = [
        item["why"]
        for item in payload_of(tampered_certificates()["redrawn"].content)[
            "not_checked"
        ]
    ]

    assert any("other cases" in why for why in reasons)


def test_each_indicator_says_what_it_means_how_it_is_found_and_what_else_explains_it():
    for rule in EVERY:
        paragraphs = rule.documentation.split("\n\n")
        assert paragraphs[0].endswith("."), rule.indicator_id
        assert len(paragraphs) >= 4, rule.indicator_id
        assert any(p.startswith("Found: ") for p in paragraphs), rule.indicator_id
        caveat = (
            "Does not prove: " if rule.type == "TRUST" else "Innocent explanations: "
        )
        assert paragraphs[-1].startswith(caveat), rule.indicator_id


def test_the_page_of_indicators_is_that_of_their_docstrings():
    assert read("docs/indicators.md") == page()


def test_a_bomb_is_refused_where_somebody_lifted_the_limit_of_pillow(monkeypatch):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", None)
    payload = payload_of(hostile()["picture_bomb.png"])
    [message] = payload["verification_data"]
    assert message["indicator_id"] == "too_large"
