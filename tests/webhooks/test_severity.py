"""The queue stands in the order of the worst finding, whatever their number."""

from __future__ import annotations

import json
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import now

from reviews import results
from reviews.access import roles
from reviews.models import Case, Connection, Kind, Severity
from tests.factories import make_case, make_connection, make_job, make_user
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import reviewed_case
from tests.reviews.rows import decide, someone
from tests.webhooks.asking import ask
from tests.webhooks.test_receiver import send
from webhooks.tasks import EVENTS

pytestmark = pytest.mark.django_db

FORGED = {
    "passed": False,
    "payload": {
        "fraud_verification_data": payloads.fraud(
            payloads.indicator(), payloads.indicator(), payloads.indicator()
        )
    },
}
REJECTED = {"passed": False, "explanation": "It did not pass."}
PASSED = {"passed": True, "explanation": "Nothing was found."}


def examined(connection: Connection, subject: str, **tools: Any) -> Case:
    """A case whose service sent one result for each tool, then that the job is complete."""
    case = make_case(connection, subject=subject)
    Case.objects.filter(pk=case.pk).update(due_at=now() + timedelta(hours=1))
    job = make_job(case, remote_id=str(uuid.uuid4()))
    for tool, result in tools.items():
        hook = {"job_id": job.remote_id, "tool_id": tool, "results": result}
        assert send(Client(), json.dumps(hook).encode()).status_code == 200
    hook = {"id": job.remote_id, "status": "complete", "recommendation": "Review"}
    assert send(Client(), json.dumps(hook).encode()).status_code == 200
    EVENTS.drain()
    ask(hook, tools)
    return Case.objects.get(pk=case.pk)


def test_a_sanctions_hit_stands_before_a_forged_document(client):
    connection = make_connection()
    nothing = examined(connection, "Nothing", visual_check=PASSED)
    forged = examined(connection, "Forged", document_fraud_check=FORGED)
    hit = examined(connection, "Hit", sanctions_screening_check_v2=REJECTED)
    assert forged.risk > hit.risk
    assert [forged.severity, hit.severity, nothing.severity] == [
        Severity.FAILED, Severity.SANCTIONS, Severity.NONE,
    ]  # fmt: skip
    client.force_login(make_user())
    page = client.get("/").context["page"]
    assert [line.subject for line in page["lines"]] == ["Hit", "Forged", "Nothing"]
    words = [line.severity_words.partition(".")[0] for line in page["lines"]]
    assert words == ["Sanctions hit", "Failed check", "No finding"]


@pytest.mark.parametrize(
    ("summary", "severity"),
    [
        ({}, Severity.NONE),
        (None, Severity.NONE),
        ({"checks": [["Sanctions screening", "pass"]]}, Severity.NONE),
        ({"checks": [["Sanctions screening", "review"]]}, Severity.REVIEW),
        ({"checks": [["OFAC list", "fail"], ["Seal", "pass"]]}, Severity.SANCTIONS),
        ({"checks": [["Watchlist", "review"], ["Seal", "fail"]]}, Severity.FAILED),
        ({"checks": [["Seal", "pass"]], "risks": 2}, Severity.REVIEW),
        ({"checks": [["Seal", "inconclusive"], ["Name", "pass"]]}, Severity.UNKNOWN),
        ({"checks": [["Seal", "error"]]}, Severity.UNKNOWN),
    ],
)
def test_the_worst_finding_decides(summary, severity):
    assert results.severity_of(summary) == severity


def test_the_decided_view_says_what_was_decided(client):
    case, _ = reviewed_case(subject="Northwind Ltd", kind=Kind.KYB)
    decide(case, someone(roles.SENIOR), outcome="reject")
    client.force_login(make_user("reader"))
    response = client.get("/?view=decided")
    [line] = response.context["page"]["lines"]
    assert line.status == "Rejected"
    assert line.status_color == "fail"
    assert '<th scope="col">Outcome</th>' in response.content.decode()


@pytest.mark.parametrize(
    ("result", "count"),
    [
        (REJECTED, 1),
        (PASSED, 0),
        (FORGED, 3),
        ({"passed": None, "payload": FORGED["payload"]}, 3),
        ({"passed": False, "payload": {"visual_inspection": payloads.visual(
            seal_verification={"passed": False, "analysis": "No seal."},
            signature_verification={"passed": False, "analysis": "No signature."},
        )}}, 2),
    ],
)  # fmt: skip
def test_the_number_of_findings_is_that_of_the_rows_that_the_page_shows(
    client, result, count
):
    case = examined(make_connection(), "Northwind Ltd", tool=result)
    client.force_login(make_user())
    page = client.get(case.get_absolute_url()).context["page"]
    total = sum(item.bad for item in page["checklist"])
    bare = sum(item.verdict == "fail" and not item.bad for item in page["checklist"])
    assert case.risk == total + bare == count
