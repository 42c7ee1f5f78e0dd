"""The faces that were compared: side by side, cut from the pages that we drew."""

from __future__ import annotations

import re
from typing import Any

import pytest

from reviews import results
from reviews.models import Case, Document, Kind
from tests.reviews.pages.case.rows import (
    add_check_result,
    add_document,
    add_tool_result,
    reviewed_case,
    wire,
    words,
)

pytestmark = pytest.mark.django_db

CHECK = "kyc.face_match"
ROWS = [
    {"label": "Faces on the ID", "value": "1", "state": "info", "how": ""},
    {
        "label": "Distance",
        "value": "0.812",
        "state": "fail",
        "how": "Both faces are unlike.",
    },
]


def box(**edges: Any) -> dict[str, Any]:
    return {"page": 1, "x0": 0.2, "y0": 0.2, "x1": 0.4, "y1": 0.4} | edges


def picture(label: str, document: Any, *boxes: Any) -> dict[str, Any]:
    return {"label": label, "document": document, "boxes": list(boxes)}


def compared(*pictures: Any) -> dict[str, Any]:
    content = {"rows": ROWS, "distance": 0.812, "pictures": list(pictures)}
    return {
        "passed": False, "verdict": "fail", "explanation": "Both faces are unlike.",
        "payload": {"face_match": content},
    }  # fmt: skip


def with_result(*, front_status: str = "drawn") -> tuple[Case, Document, Document]:
    case, job = reviewed_case(kind=Kind.KYC)
    front = add_document(
        case, name="f.png", kind=Document.Kind.ID_FRONT, status=front_status
    )
    selfie = add_document(case, name="s.png", kind=Document.Kind.SELFIE)
    body = compared(
        picture("ID, front", wire(front), box()),
        picture("Selfie", wire(selfie), box(x0=0.5, x1=0.9, y0=0.0, y1=0.5)),
    )
    body["payload"]["document"] = wire(front)
    add_tool_result(job, CHECK, body, subject=front.pk.hex)
    add_check_result(job, body, check_id=CHECK)
    return case, front, selfie


def page_of(client, case: Case, **values: str) -> str:
    html: str = client.get(
        f"/cases/{case.pk}/", {"check": CHECK, **values}
    ).content.decode()
    return html


def test_both_faces_stand_side_by_side_from_our_own_pages(analyst):
    case, front, selfie = with_result()
    html = page_of(analyst, case)
    crops = re.findall(
        r'<svg role="img".*?viewBox="([^"]+)"><image href="([^"]+)"', html, re.DOTALL
    )
    # A page of 100 by 140 pixels; about each face there is room, as far as the page goes.
    assert crops == [
        ("12 17 36 50", f"/documents/{front.pk}/pages/1.webp"),
        ("34 0 66 98", f"/documents/{selfie.pk}/pages/1.webp"),
    ]
    text = words(analyst, f"/cases/{case.pk}/?check={CHECK}")
    assert "side by side ID, front Selfie" in text
    assert "Distance 0.812 failed: Both faces are unlike." in text


def test_each_face_is_marked_on_its_own_page(analyst):
    case, front, selfie = with_result()
    html = page_of(analyst, case, beside=selfie.pk.hex)
    one, other = (
        html.index(f"/documents/{d.pk}/pages/1.webp") for d in (front, selfie)
    )
    marks = {
        ref: html.index(f'id="{ref}"') for ref in ("box-face-0", "beside-box-face-1")
    }
    assert one < marks["box-face-0"] < other < marks["beside-box-face-1"]
    assert 'id="box-face-1"' not in html


def test_the_result_is_shown_beside_the_selfie_too(analyst):
    case, front, selfie = with_result()
    html = page_of(analyst, case, doc=selfie.pk.hex)
    assert html.count('<svg role="img"') == 2
    assert 'id="box-face-1"' in html
    assert "The service sent no" not in html
    # The link of a face that is on another document leads there.
    assert f'doc={front.pk.hex}#box-face-0"' in html
    assert 'href="#box-face-1"' in html


def test_a_document_that_is_not_drawn_is_not_shown(analyst):
    case, front, _ = with_result(front_status="unreadable")
    front.pages.all().delete()
    text = words(analyst, f"/cases/{case.pk}/?check={CHECK}")
    assert "Not shown: its document is not drawn." in text


def test_a_face_is_no_finding_so_a_dismissal_cannot_settle_the_check(analyst):
    case, _, _ = with_result()
    documents = list(case.documents.all())
    result = results.parts(case.jobs.get().check_results.all(), documents, {})
    assert [part.key for part in result] == ["face_match"]
    assert list(result[0].findings) == []
    assert set(result[0].documents) == {document.pk.hex for document in documents}


def test_both_documents_are_those_of_the_check(analyst):
    case, front, selfie = with_result()
    documents = list(case.documents.all())
    rows = list(case.jobs.get().check_results.all())
    [check] = results.checks(rows, documents, results.parts(rows, documents, {}))
    assert set(check.documents) == {front.pk.hex, selfie.pk.hex}


@pytest.mark.parametrize(
    "content",
    [
        None, [], "x", {"pictures": "x"}, {"pictures": [None, 5, {}, {"boxes": 7, "document": 8}]},
        {"pictures": [{"label": {"a": 1}, "document": [], "boxes": [{"page": 1e9}, None, {}]}] * 9},
        {"rows": [None, {"state": {}}], "pictures": [{"boxes": [{"page": 2, "x0": 0, "y0": 0, "x1": 1, "y1": 1}]}]},
    ],
)  # fmt: skip
def test_no_shape_of_a_payload_breaks_the_page(analyst, content):
    case, job = reviewed_case(kind=Kind.KYC)
    front = add_document(case, name="f.png", kind=Document.Kind.ID_FRONT)
    body = {
        "verdict": "review",
        "payload": {"face_match": content, "document": wire(front)},
    }
    add_tool_result(job, CHECK, body, subject=front.pk.hex)
    add_check_result(job, body, check_id=CHECK)
    assert analyst.get(f"/cases/{case.pk}/?check={CHECK}").status_code == 200
