"""Nobody but the service speaks for the service: names of an attacker's own making, on both sides.

The attacker may submit cases at the desk, and holds a key of the hub's account, but knows no signing
secret. Whatever the hub signs for him he may send to the desk, as whatever he likes.
"""

from __future__ import annotations

import itertools
import json
import uuid
from typing import Any

import pytest
import requests

from reviews.intake import cases
from reviews.jobs import lifecycle
from reviews.models import Case, CheckResult, Connection, Job
from tests import fakeservice
from tests.factories import make_connection, make_hub, make_user
from tests.fakeservice import FakeService
from tests.reviews.api.calling import make_token
from tests.webhooks.test_receiver import sign
from webhooks import senders
from webhooks.models import Event

pytestmark = pytest.mark.django_db(transaction=True)

CHILD = {"first_name": "Ida", "last_name": "Lund", "date_of_birth": "2020-01-02"}
SIGNATURES = ("X-Signature-SHA256", "service-signature-compact")


@pytest.fixture
def hub(served):
    return make_hub(make_connection(base_url=f"{served}/api/v1"))


@pytest.fixture
def victim(hub, work_off) -> Job:
    """A case of somebody else: the hub says Deny, as the person is a child."""
    cases.submit(
        actor=None, agent=hub["desk_kyc"], subject="Ida Lund", data=CHILD, documents=(),
        reference="V-1",
    )  # fmt: skip
    work_off()
    assert Case.objects.get().recommendation == "Deny"
    as_an_older_service()
    return Job.objects.get()


def as_an_older_service() -> None:
    """The hub signs with a time, which is then demanded. Services of old do not: none of this may
    rest on it."""
    Connection.objects.update(timestamped_since=None)
    senders.forget()


def standing() -> tuple[Any, ...]:
    """All that is known of the victim's case and counts."""
    case = Case.objects.get(reference="V-1")
    job = case.jobs.get()
    rows = job.check_results.order_by("id").values_list(
        "check_id", "passed", "confirmation", "body"
    )
    return (
        case.status, case.recommendation, case.risk, case.summary, case.alarm, case.updated_at,
        job.status, job.recommendation, list(rows),
    )  # fmt: skip


def names_of(job: Job) -> list[Any]:
    """Names that are, hold or could become a webhook about the job."""
    ended = json.dumps(
        {"id": job.remote_id, "status": "complete", "recommendation": "Approve"}
    )
    passed = json.dumps(
        {"job_id": job.remote_id, "tool_id": "x", "results": {"passed": True}}
    )
    escaped = "".join(f"\\u{ord(character):04x}" for character in '{"id":')
    return [
        *(name for body in (ended, passed) for name in (
            body, f" {body}", f"{body}\n", f"\t{body}", f"\x00{body}", f"\ufeff{body}", f"[{body}]",
            json.dumps(body), f"C-1 {body}", f"{body} C-1", body.replace('"', "'"),
            body.replace("{", "\uff5b").replace("}", "\uff5d"), body.replace(" ", ""),
            body.replace("{", "%7B").replace("}", "%7D").replace('"', "%22"),
        )),
        escaped, '"', "{}", "[]", "{", "a\x1fb", "a\x7fb", "a\u2028b", "a\u0085b", "\ud800", "null", "true",
        "17", "1e3", job.remote_id, uuid.UUID(job.remote_id).hex, "V-1", json.loads(ended), [ended], 17, True,
    ]  # fmt: skip


def replay(served: str, bodies: set[bytes], signatures: set[str]) -> set[int]:
    """Each body with each signature, as the full and as both."""
    statuses = set()
    for body, signature in itertools.product(sorted(bodies), sorted(signatures)):
        for names in (SIGNATURES[:1], SIGNATURES):
            headers = {
                "Content-Type": "application/json",
                **dict.fromkeys(names, signature),
            }
            answer = requests.post(
                f"{served}/webhooks/hub/", data=body, headers=headers, timeout=9
            )
            statuses.add(answer.status_code)
    return statuses


def started_at_the_hub(
    served: str, hub: dict[str, Any], receiver: FakeService, name: Any
) -> int:
    person = {"first_name": "A", "last_name": "B", "date_of_birth": "1980-01-02"}
    body = {
        "agent_key": hub["kyc"].key,
        "kyc_schema": {"id": name, "self_attested_data": person},
        "webhook_url": f"{receiver.url}/hook",
        "tool_webhook_url": f"{receiver.url}/hook",
    }
    answer = requests.post(
        f"{served}/api/v1/startKYCAgentJob", data=json.dumps(body), timeout=9,
        headers={"Authorization": f"Bearer {hub['api_key']}", "Content-Type": "application/json"},
    )  # fmt: skip
    return answer.status_code


@pytest.mark.sweep
def test_no_name_at_the_hub_becomes_a_webhook(served, hub, victim, work_off, settings):
    # It sends some hundred forgeries: each has to reach the signature.
    settings.ADDRESS_RATE = 0
    before = standing()
    with fakeservice.running() as receiver:
        port = int(receiver.url.rsplit(":", 1)[1].partition("/")[0])
        settings.OUTBOUND_ALLOW = settings.OUTBOUND_ALLOW | {("127.0.0.1", port)}
        names = names_of(victim)
        statuses = [started_at_the_hub(served, hub, receiver, name) for name in names]
        assert set(statuses) <= {200, 400}
        work_off()
        signed = [
            signature
            for headers in receiver.headers
            for name, signature in headers.items()
            if name.casefold() in {facts.casefold() for facts in SIGNATURES}
        ]
    assert signed
    as_an_older_service()
    refused = [
        name for name, status in zip(names, statuses, strict=True) if status == 400
    ]
    assert len(refused) > 30
    bodies = {
        name.encode() for name in names if isinstance(name, str) and name != "\ud800"
    }
    bodies |= {json.dumps(name).encode() for name in names}
    assert replay(served, bodies, set(signed)) == {401}
    work_off()
    assert standing() == before


def test_no_name_at_the_desk_becomes_a_webhook(served, hub, victim, work_off):
    before = standing()
    headers = {"Authorization": f"Bearer {make_token(make_user(), 'cases:submit')}"}
    rows = []
    for name in names_of(victim):
        draft = {
            "agent": hub["desk_kyc"].pk,
            "reference": name,
            "self_attested_data": CHILD,
        }
        answer = requests.post(
            f"{served}/api/desk/v1/cases", data=json.dumps(draft), timeout=9,
            headers={**headers, "Content-Type": "application/json"},
        )  # fmt: skip
        assert answer.status_code in {201, 400, 409, 422}, answer.text
        rows += [name] if answer.status_code == 201 else []
    # The submission is the job's id: that of the victim gives nothing of an attacker's making.
    draft = {
        "agent": hub["desk_kyc"].pk,
        "reference": "A-1",
        "self_attested_data": CHILD,
    }
    requests.post(
        f"{served}/api/desk/v1/cases", json={**draft, "submission": victim.remote_id},
        headers=headers, timeout=9,
    )  # fmt: skip
    work_off()
    assert standing() == before
    as_an_older_service()
    assert not any(set(name) & set('{}[]"\\') for name in rows)
    # What the hub signed of these cases is known to their owner: the compact signature of each.
    secret = hub["account"].signing_secrets.get().secret
    bodies = {name.encode() for name in rows}
    assert replay(served, bodies, {sign(body, secret) for body in bodies}) == {401}
    assert standing() == before


def test_even_with_the_secret_nothing_is_improved(
    served, hub, victim, work_off, settings
):
    """A secret that got about: the service itself is asked, and says what it said."""
    case = Case.objects.get()
    tool = victim.check_results.filter(source="tool").get()
    forged = [
        {"id": victim.remote_id, "status": "complete", "recommendation": "Approve"},
        {"job_id": victim.remote_id, "tool_id": tool.check_id, "results": {**tool.body, "passed": True, "verdict": "pass"}},
        {"id": victim.remote_id, "status": "complete", "check_results": [
            {"check_id": tool.check_id, "status": "complete", "result": {"passed": True}}]},
    ]  # fmt: skip
    for body in (json.dumps(one).encode() for one in forged):
        headers = {"X-Signature-SHA256": sign(body), "Content-Type": "application/json"}
        answer = requests.post(
            f"{served}/webhooks/hub/", data=body, headers=headers, timeout=9
        )
        assert answer.status_code == 200
    work_off()
    for _ in range(4):
        lifecycle.advance(Job.objects.get())
    case.refresh_from_db()
    assert (case.recommendation, Job.objects.get().recommendation) == ("Deny", "Deny")
    assert [verdict for _, verdict in case.summary["checks"]] == ["fail"]
    assert (
        "A webhook said: complete, “Approve”. The service says: complete, “Deny”"
        in case.alarm
    )
    assert "does not confirm a result that a webhook brought" in case.alarm
    rows = CheckResult.objects.filter(confirmation="absent")
    assert rows.count() == 2
    assert Event.objects.filter(status="applied").count() >= len(forged)
