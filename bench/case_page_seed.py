"""Creates cases of different sizes in the configured database; prints a session key and their
ids.

One is an ordinary case. One has 60 documents and 200 fraud indicators, one has 200 indicators on a
single document.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import django
from django.core.management import call_command

if TYPE_CHECKING:
    from reviews.models import Case, CheckResult, Document, Job

ATTESTED = {
    "business_name": "Halden Maritime AS",
    "registered_business_name": "Halden Maritime AS",
    "tin_number": "912345678",
    "website": ["https://halden.example"],
    "incorporation_date": "2023-03-28",
    "address_of_incorporation": {
        "type": "Address",
        "street_1": "1 Harbour Road",
        "city": "Halden",
        "country_code": "NO",
    },
}
FIELDS = (
    "Name",
    "Incorporation date",
    "Registration number",
    "Address",
    "Form",
    "Director",
)
SECTIONS = (
    "document_analysis_and_classification",
    "seal_verification",
    "signature_verification",
    "document_layout_and_content_verification",
    "authenticity_verification",
    "cross_referencing_and_consistency_check",
)
DATA_CHECKS = (
    "sanctions_screening",
    "address_validation",
    "email_check",
    "phone_check",
    "lei",
)
WORDS = [
    [f"word{number}", 0.1, 0.01 * number, 0.3, 0.01 * number + 0.008]
    for number in range(90)
]


def _make_case(*, documents: int, pages: int, indicators: int) -> Case:
    """A case to review with a completed job. Each document has the results of three tools."""
    from reviews.models import Agent, Case, Document, Job, Page

    agent = Agent.objects.select_related("connection").earliest("pk")
    case = Case.objects.create(
        connection=agent.connection,
        agent=agent,
        kind="kyb",
        reference=f"B-{documents}",
        subject="Halden Maritime AS",
        country="NO",
        status=Case.Status.TO_REVIEW,
        recommendation="Review",
        self_attested_data=ATTESTED,
    )
    job = Job.objects.create(
        case=case,
        connection=case.connection,
        agent=agent,
        remote_id=f"of-the-bench-{documents}",
        status=Job.Status.COMPLETE,
        due_at=None,
    )
    for number in range(documents):
        document = Document.objects.create(
            case=case,
            kind=Document.Kind.INCORPORATION,
            file_name=f"certificate-{number}.pdf",
            status=Document.Status.DRAWN,
            due_at=None,
        )
        Page.objects.bulk_create(
            Page(
                document=document,
                number=at,
                width=1240,
                height=1754,
                image=f"{at}.webp",
                words=WORDS,
            )
            for at in range(1, pages + 1)
        )
        # Divide the indicators evenly among the documents.
        share = (
            indicators * (number + 1) // documents - indicators * number // documents
        )
        _examine(job, document, share)
    for name in DATA_CHECKS:
        rows = [
            {"label": "Value", "value": "Halden", "state": "pass", "how": "It agrees."}
        ]
        payload = {name: {"rows": rows, "passed": True}}
        _check(
            job, f"kyb.{name}", {"passed": True, "explanation": "", "payload": payload}
        )
    return case


def _examine(job: Job, document: Document, indicators: int) -> None:
    """Store the results that a document check and its three tools send."""
    payloads = {
        "kyb.incorporation_document_extraction_tool": {
            "extraction_data": _extraction()
        },
        "kyb.visual_verification_v3": {"visual_inspection": _visual()},
        "document_fraud_check": {"fraud_verification_data": _fraud(indicators)},
    }
    url = f"http://desk.example/documents/{document.pk}/file/token"
    wire = {"type": "Document", "url": url, "file_name": document.file_name}
    for tool_id, payload in payloads.items():
        body = {
            "passed": True,
            "explanation": "",
            "payload": {**payload, "document": wire},
        }
        _result(job, "tool", tool_id, body, subject=document.pk.hex)


def _check(job: Job, check_id: str, result: Mapping[str, Any]) -> None:
    body = {
        "id": check_id,
        "check_id": check_id,
        "status": "completed",
        "result": result,
    }
    _result(job, "check", check_id, body, status="completed")


def _result(
    job: Job,
    source: str,
    check_id: str,
    body: Mapping[str, Any],
    *,
    subject: str = "",
    status: str = "",
) -> CheckResult:
    from reviews.models import CheckResult

    return CheckResult.objects.create(
        job=job,
        source=source,
        check_id=check_id,
        subject=subject,
        status=status,
        body=body,
    )


def _box(at: int) -> dict[str, Any]:
    # At most 14 different places on a page.
    top = 0.05 + 0.06 * (at % 14)
    return {"page": 1, "x0": 0.1, "y0": top, "x1": 0.4, "y1": top + 0.02}


def _extraction() -> dict[str, Any]:
    rows = [
        {
            "field": name.lower().replace(" ", "_"),
            "label": name,
            "attested": f"{name} 2023-03-28",
            "extracted": f"{name} 2023-03-{28 + at % 2}",
            "state": "differs" if at % 2 else "equal",
            "how": "one day apart" if at % 2 else "the same",
            "boxes": [_box(at)],
        }
        for at, name in enumerate(FIELDS)
    ]
    return {"is_valid_document": True, "summary": "A certificate.", "comparisons": rows}


def _visual() -> dict[str, Any]:
    return {
        "type": "VisualInspectionResults",
        "inspection_passed": True,
        "summary": "All sections were looked at.",
        "visual_analysis": {
            name: {"analysis": "In order.", "passed": True} for name in SECTIONS
        },
    }


def _fraud(count: int) -> dict[str, Any]:
    rows = [
        {
            "indicator_id": f"text_covered_{at}",
            "type": ("RISK", "INFO", "TRUST")[at % 3],
            "category": "overlay",
            "title": f"Text was covered {at}",
            "description": "A white box hides words that the file still holds.",
            "boxes": [_box(at)],
        }
        for at in range(count)
    ]
    return {
        "verification_passed": False,
        "verification_result": "HIGH_RISK",
        "verification_data": rows,
        "verification_description": "One strong sign of editing.",
    }


def main() -> None:
    from bench.queue_seed import session_of
    from bench.seed import _make
    from compliance.pages import vendored

    vendored.publish()
    _make("http://127.0.0.1:9", [])
    ordinary = _make_case(documents=2, pages=3, indicators=10)
    large = _make_case(documents=60, pages=2, indicators=200)
    one_document = _make_case(documents=1, pages=2, indicators=200)
    print(
        json.dumps(
            {
                "session": session_of("of-the-bench"),
                "ordinary": ordinary.pk,
                "large": large.pk,
                "one_document": one_document.pk,
            }
        )
    )


if __name__ == "__main__":
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    main()
