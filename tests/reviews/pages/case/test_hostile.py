"""A case whose every word is hostile: shown as text, read to the end, and no slower by statements."""

from __future__ import annotations

import pytest

from reviews.findings import related_cases
from reviews.models import Case, Document
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import (
    add_check_result,
    add_document,
    add_tool_result,
    reviewed_case,
    wire,
)

pytestmark = pytest.mark.django_db

NASTY = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>\u202e\u05e9\u05dc\u05d5\u05dd"
TABS = ("findings", "activity", "runs", "related", "payload")


def hostile() -> tuple[Case, list[Document]]:
    case, job = reviewed_case(
        subject=(NASTY + "N" * 10_000)[:400],
        self_attested_data={
            "business_name": NASTY + "N" * 10_000,
            "tin_number": NASTY,
            NASTY: [NASTY] * 50,
        },
    )
    related_cases.store_identifiers(case)
    documents = [
        add_document(case, name=f"{NASTY}{n}", words=[[NASTY, 0.1, 0.1, 0.5, 0.12]])
        for n in range(60)
    ]
    change = {
        "page": 1,
        "before": NASTY,
        "after": "M" * 3000,
        "boxes": [payloads.box(1)],
    }
    indicators = [
        payloads.indicator(
            title=f"{NASTY}{n}",
            description=NASTY,
            raw=NASTY,
            documentation=f"{NASTY}\n\n{NASTY}",
            changes=[change],
        )
        for n in range(200)
    ]
    about = wire(documents[0])
    for tool_id, key, part in (
        (payloads.FRAUD, "fraud_verification_data", payloads.fraud(*indicators)),
        (
            payloads.EXTRACTION,
            "extraction_data",
            payloads.extraction(
                payloads.comparison(NASTY, attested="A" * 10_000, extracted=NASTY)
            ),
        ),
        (
            payloads.VISUAL,
            "visual_inspection",
            payloads.visual(seal_verification=NASTY),
        ),
    ):
        add_tool_result(job, tool_id, payloads.tool_results(key, part, document=about))
    add_check_result(
        job, {"verdict": "fail", "explanation": NASTY * 50, "alerts": [NASTY] * 20}
    )
    return case, documents


@pytest.mark.parametrize("tab", TABS)
def test_nothing_of_it_becomes_markup(analyst, tab):
    case, documents = hostile()
    html = analyst.get(
        f"/cases/{case.pk}/?tab={tab}&doc={documents[0].pk.hex}"
    ).content.decode()
    assert "<script>alert" not in html
    assert "<img src=x" not in html
    assert html.rstrip().endswith("</html>")
