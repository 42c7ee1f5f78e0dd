"""The report of a case as a page: the same record as the PDF, of one case or of several."""

from __future__ import annotations

import hashlib
import re

import pypdfium2
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from compliance.db.states import stored_values
from reviews.audit import trail
from reviews.decisions import marks
from reviews.models import CaseEvent
from tests.factories import make_case
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import (
    add_check_result,
    add_document,
    add_tool_result,
    wire,
    words,
)
from tests.reviews.rows import (
    CHECK,
    add_risky_document,
    decide,
    one_person,
    open_case,
    someone,
)

pytestmark = pytest.mark.django_db
EVIL = "<script>alert(1)</script> \u202e & Żółć"


@pytest.fixture
def case():
    one_person()
    case = open_case(subject=EVIL, recommendation="Approve")
    ana = someone("analyst", "ana")
    document = add_risky_document(case)
    part = payloads.extraction(
        payloads.comparison("Business name", extracted="Norwind")
    )
    body = payloads.tool_results("extraction_data", part, document=wire(document))
    add_tool_result(case.jobs.get(), payloads.EXTRACTION, body)
    for check in (CHECK, f"document-{document.pk.hex}"):
        marks.mark(
            case, check, actor=ana, kind="overridden", reason="It was explained."
        )
    decide(case, ana, rationale="All was looked at.")
    trail.seal_all()
    return case


@pytest.fixture
def reader(client, case):
    client.force_login(someone("auditor"))
    trail.seal_all()  # who has which role is a line too
    return client


def test_the_page_says_what_the_pdf_says(reader, case):
    text = words(reader, f"/cases/{case.pk}/report/")
    answer = reader.get(f"/cases/{case.pk}/report/pdf/")
    assert answer["Content-Disposition"] == 'attachment; filename="report-C-10428.pdf"'
    document = pypdfium2.PdfDocument(answer.content)
    printed = " ".join(page.get_textpage().get_text_bounded() for page in document)
    printed = re.sub(r"\s+", " ", printed)
    for message in (
        "Case report: <script>alert(1)</script>", "Approved", "ana", "A02", "All was looked at.",
        "It was explained.", "Norwind", "Text was covered", "Business name", "Audit trail",
    ):  # fmt: skip
        assert message in text, message
        assert message in printed, message
    head = trail.seal_all()
    assert f"line {head.seq - 1}, " in text  # taking the PDF made one more


def printed_pages(reader, case) -> list[str]:
    content = reader.get(f"/cases/{case.pk}/report/pdf/").content
    pages = pypdfium2.PdfDocument(content)
    return [page.get_textpage().get_text_bounded() for page in pages]


def test_whom_it_is_about_is_in_it(reader, case):
    """A case without documents has these facts nowhere else."""
    data = {"date_of_birth": "1984-05-02", "country_of_nationality": "NO"}
    other = make_case(case.connection, self_attested_data=data)
    text = words(reader, f"/cases/{other.pk}/report/")
    printed = " ".join(" ".join(printed_pages(reader, other)).split())
    for message in ("Self-attested", "1984-05-02", "Norway (NO)"):
        assert message in text, message
        assert message in printed, message


def test_boxes_in_place_of_letters_are_explained(reader, case):
    plain = " ".join(printed_pages(reader, case))
    assert "cannot print" not in plain
    data = {"first_name": "தமிழ்", "last_name": "Rajan"}
    other = make_case(case.connection, subject="T. Rajan", self_attested_data=data)
    printed = " ".join(" ".join(printed_pages(reader, other)).split())
    assert "stands for a letter that this file cannot print" in printed


@pytest.mark.parametrize("fields", range(20, 34, 2))
def test_no_heading_stands_alone_at_the_foot_of_a_page(reader, case, fields):
    data = {f"member_{number}": "A value." for number in range(fields)}
    other = make_case(case.connection, self_attested_data=data)
    for page in printed_pages(reader, other)[:-1]:
        # The last two lines are the foot: who took it, and the end of the trail.
        lines = [line.strip() for line in page.splitlines() if line.strip()]
        body = [line for line in lines if "C-" not in line and "trail to" not in line]
        assert body[-1] not in {"Checks", "Audit trail", "Self-attested"}


def test_nothing_of_it_is_markup_and_evidence_lies_on_its_page(reader, case):
    html = reader.get(f"/cases/{case.pk}/report/").content.decode()
    assert "<script>alert" not in html
    assert re.search(r'<rect class="fail" x="[\d.]+"', html)
    assert "/pages/1.webp" in html


def test_taking_the_pdf_is_a_line_of_the_trail_and_reading_the_page_is_none(
    reader, case
):
    before = case.events.count()
    reader.get(f"/cases/{case.pk}/report/")
    assert case.events.count() == before
    pdf = reader.get(f"/cases/{case.pk}/report/pdf/").content
    line = CaseEvent.objects.latest("pk")
    assert line.what == "report_taken"
    assert line.data == {"sha256": hashlib.sha256(pdf).hexdigest()}


def test_the_reports_of_chosen_cases_are_one_page(reader, case):
    other = make_case(case.connection, subject="Other Ltd")
    answer = reader.post("/queue/act/", {"act": "reports", "case": [other.pk, case.pk]})
    assert answer["Location"] == f"/reports/?case={other.pk}&case={case.pk}"
    html = reader.get(answer["Location"]).content.decode()
    assert html.index("Case report: Other Ltd") < html.index("Case report: &lt;script")
    assert "None yet" in html


def test_what_cannot_be_shown_is_said_and_nothing_at_all_is_404(reader, case):
    text = "&".join(f"case={pk}" for pk in [case.pk, *range(900, 930)])
    assert "30 of the chosen cases are not on this page" in words(
        reader, f"/reports/?{text}"
    )
    for query in ("", "?case=x", "?case=999999999999999999999", "?case=-1"):
        assert reader.get(f"/reports/{query}").status_code == 404, query


def test_a_kind_of_document_is_in_words(reader, case):
    document = case.documents.get()
    row = payloads.comparison("Document type", extracted="certificate_of_incorporation")
    body = payloads.tool_results(
        "extraction_data", payloads.extraction(row), document=wire(document)
    )
    add_tool_result(case.jobs.get(), payloads.EXTRACTION, body, subject="kind")
    page = reader.get(f"/cases/{case.pk}/report/").content.decode()
    assert "<td>Certificate of incorporation" in page
    assert "certificate_of_incorporation" not in page
    printed = reader.get(f"/cases/{case.pk}/report/pdf/").content
    pages = list(pypdfium2.PdfDocument(printed))
    text = " ".join(page.get_textpage().get_text_range() for page in pages)
    assert "certificate_of_incorporation" not in text


@pytest.mark.parametrize(
    "endless", ["W" * 10_000, "long " * 2_000, "\u202e\u0634\n" * 3_000, "<b>&" * 900]
)
def test_no_value_is_too_long_for_a_page(reader, case, endless):
    document = case.documents.get()
    rows = [
        payloads.comparison(
            endless[:120], attested=endless, extracted=endless, state="differs"
        )
    ]
    body = payloads.tool_results(
        "extraction_data", payloads.extraction(*rows), document=wire(document)
    )
    add_tool_result(case.jobs.get(), payloads.EXTRACTION, body, subject="endless")
    result = payloads.fraud(
        *[payloads.indicator(title=endless, description=endless)] * 3
    )
    body = payloads.tool_results(
        "fraud_verification_data", result, document=wire(document)
    )
    add_tool_result(case.jobs.get(), payloads.FRAUD, body, subject="endless")
    case.events.create(actor="agent", what=endless[:40], data={endless[:100]: endless})
    changes = stored_values(case, {"subject": endless[:400]})
    type(case).objects.filter(pk=case.pk).update(**changes)
    assert reader.get(f"/cases/{case.pk}/report/pdf/").content.startswith(b"%PDF-")
    assert reader.get(f"/cases/{case.pk}/report/").status_code == 200
    pack = reader.get(f"/cases/{case.pk}/evidence/")
    assert pack.status_code == 200
    pack.close()


def test_a_large_case_takes_as_many_statements_as_a_small_one(reader, case):
    def query() -> int:
        reader.get(f"/cases/{case.pk}/report/")
        with CaptureQueriesContext(connection) as result:
            reader.get(f"/cases/{case.pk}/report/")
        return len(result)

    few = query()
    for number in range(6):
        add_document(case, name=f"{number}.pdf", pages=3)
        case.events.create(actor="agent", what="job_complete", data={})
    trail.seal_all()
    assert query() == few


def test_verdicts_are_words_in_the_pdf_as_on_the_page(reader, case):
    job = case.jobs.get()
    for number, verdict in enumerate(
        ("not_applicable", "pass", "fail", "inconclusive")
    ):
        data = {"verdict": verdict, "explanation": "Examined."}
        add_check_result(job, data, check_id=f"kyb.check_{number}")
    page = words(reader, f"/cases/{case.pk}/report/")
    document = pypdfium2.PdfDocument(
        reader.get(f"/cases/{case.pk}/report/pdf/").content
    )
    printed = " ".join(sheet.get_textpage().get_text_bounded() for sheet in document)
    printed = re.sub(r"\s+", " ", printed)
    for word in ("Not applicable", "Passed", "Failed", "Inconclusive", "Differs"):
        assert word in printed, word
        assert word.lower() in page.lower(), word
    raw = re.findall(
        r".{0,20}(?:not_applica|\b(?:pass|fail|differs|RISK)\b).{0,20}", printed
    )
    assert raw == []
