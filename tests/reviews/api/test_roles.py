"""Every role against every endpoint; scopes; and whose cases they are."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.db import transaction
from django.utils.timezone import now

from reviews import tasks
from reviews.access import roles
from reviews.api import description
from reviews.applicants import invitations
from reviews.decisions import value_choices
from reviews.documents import store
from reviews.filings import suspicion
from reviews.findings import matches
from reviews.findings.review_state import ReviewState
from reviews.models import (
    BulkApproval,
    Case,
    CaseParty,
    Connection,
    Dismissal,
    Erasure,
    FourEyesRule,
    LookUp,
    Note,
    Party,
    Scope,
    SuspicionReport,
    Team,
)
from reviews.people import notes
from reviews.privacy import holds
from reviews.risk import schedule
from reviews.subscriptions import subscriptions
from tests import fakeservice
from tests.factories import (
    make_agent,
    make_announcement,
    make_connection,
    make_event,
)
from tests.reviews.api.calling import Caller
from tests.reviews.filings.fincen_rows import FACTS, agreed, one_filer
from tests.reviews.pages.case.rows import add_pages
from tests.reviews.pages.case.unsure_rows import add_unsure_document
from tests.reviews.procedures.rows import give_procedure
from tests.reviews.risk.rows import KNOWN, add_screening, hit
from tests.reviews.rows import (
    CHECK,
    add_risky_document,
    decide,
    one_person,
    open_case,
    someone,
    with_every_role,
)
from webhooks.models import Event

pytestmark = pytest.mark.django_db

EVERY = set(roles.ROLES)
DECIDERS = {roles.ANALYST, roles.SENIOR}
SENIORS = {roles.SENIOR}
ADMINS = {roles.ADMINISTRATOR}
JUDGES = {roles.SENIOR, roles.RULE_OWNER, roles.AUDITOR}
PRIVACY_SEERS = {roles.ADMINISTRATOR, roles.AUDITOR, roles.RULE_OWNER}
DATA = {"business_name": "Northwind Ltd"}
BATCH = str(uuid.uuid4())
SERVICE = fakeservice.FakeService()


@pytest.fixture(autouse=True)
def _number_of_the_authority(settings: Any) -> None:
    settings.GOAML_ENTITY_ID = 7


@pytest.fixture(scope="module", autouse=True)
def service() -> Iterator[None]:
    """The service that batches are given to."""
    with fakeservice.running() as running:
        SERVICE.url, running.batch = (
            running.url,
            {"batch_id": BATCH, "status": "complete"},
        )
        yield


# Endpoint → the roles that may.
MATRIX = {
    ("get", "/me"): EVERY,
    ("get", "/agents"): EVERY,
    ("get", "/agents/{pk}/batches"): DECIDERS | {roles.INTEGRATOR},
    ("post", "/agents/{pk}/batches"): DECIDERS | {roles.INTEGRATOR},
    ("get", "/agents/{pk}/batches/{batch}"): DECIDERS | {roles.INTEGRATOR},
    ("get", "/agents/{pk}/batches/{batch}/export"): DECIDERS,
    ("get", "/reason-codes"): EVERY,
    ("get", "/invitations"): DECIDERS | {roles.INTEGRATOR},
    ("post", "/invitations"): DECIDERS | {roles.INTEGRATOR},
    ("post", "/invitations/{pk}/withdraw"): DECIDERS | {roles.INTEGRATOR},
    ("get", "/period-report"): DECIDERS | {roles.AUDITOR},
    ("get", "/suspicion-reports"): DECIDERS | {roles.AUDITOR},
    ("get", "/suspicion-reports/{pk}"): DECIDERS | {roles.AUDITOR},
    ("patch", "/suspicion-reports/{pk}"): DECIDERS,
    ("post", "/suspicion-reports/{pk}/act"): DECIDERS,
    ("get", "/suspicion-reports/{pk}/goaml"): DECIDERS | {roles.AUDITOR},
    ("get", "/suspicion-reports/{pk}/fincen"): DECIDERS | {roles.AUDITOR},
    ("post", "/cases/{pk}/suspicion-reports"): DECIDERS,
    ("get", "/bulk-approvals"): EVERY,
    ("post", "/bulk-approvals"): DECIDERS,
    ("get", "/bulk-approvals/{pk}"): EVERY,
    ("post", "/bulk-approvals/{pk}/confirm"): DECIDERS,
    ("get", "/inbox"): EVERY,
    ("post", "/inbox/read"): EVERY,
    ("get", "/cases"): EVERY,
    ("post", "/cases"): DECIDERS | {roles.INTEGRATOR},
    ("post", "/cases/claim"): DECIDERS,
    ("post", "/cases/search"): EVERY,
    ("post", "/cases/{pk}/assign"): DECIDERS,
    ("post", "/cases/{pk}/snooze"): DECIDERS,
    ("get", "/cases/{pk}"): EVERY,
    ("get", "/cases/{pk}/review-state"): EVERY,
    ("get", "/cases/{pk}/jobs"): EVERY,
    ("post", "/cases/{pk}/jobs"): DECIDERS,
    ("post", "/cases/{pk}/stop-waiting"): DECIDERS,
    ("get", "/cases/{pk}/documents"): EVERY,
    ("get", "/cases/{pk}/notes"): EVERY,
    ("post", "/cases/{pk}/notes"): DECIDERS,
    ("post", "/cases/{pk}/tags"): DECIDERS,
    ("post", "/cases/{pk}/tags/remove"): DECIDERS,
    ("post", "/cases/{pk}/marks"): DECIDERS,
    ("post", "/cases/{pk}/dismissals"): DECIDERS,
    ("post", "/cases/{pk}/hit-confirmations"): DECIDERS,
    ("get", "/cases/{pk}/value-choices"): EVERY,
    ("post", "/cases/{pk}/value-choices"): DECIDERS,
    ("post", "/look-ups"): DECIDERS,
    ("get", "/look-ups/{pk}"): EVERY,
    ("get", "/parties"): EVERY,
    ("post", "/parties/search"): EVERY,
    ("get", "/parties/{pk}"): EVERY,
    ("post", "/parties/{pk}/relations"): DECIDERS,
    ("get", "/cases/{pk}/rating"): EVERY,
    ("get", "/cases/{pk}/reviews"): EVERY,
    ("post", "/cases/{pk}/rating"): DECIDERS,
    ("get", "/cases/{pk}/decisions"): EVERY,
    ("post", "/cases/{pk}/decisions"): DECIDERS,
    ("post", "/cases/{pk}/second"): SENIORS,
    ("post", "/cases/{pk}/reopen"): SENIORS,
    ("post", "/cases/{pk}/withdraw-request"): DECIDERS,
    ("get", "/cases/{pk}/events"): EVERY,
    ("get", "/cases/{pk}/evidence"): DECIDERS | {roles.AUDITOR},
    ("get", "/cases/{pk}/report"): DECIDERS | {roles.AUDITOR},
    ("get", "/cases/{pk}/holds"): PRIVACY_SEERS,
    ("post", "/cases/{pk}/holds"): ADMINS,
    ("get", "/cases/{pk}/erasures"): PRIVACY_SEERS,
    ("post", "/cases/{pk}/erasures"): ADMINS,
    ("post", "/holds/{pk}/lift"): ADMINS,
    ("post", "/erasures/{pk}/confirm"): ADMINS,
    ("post", "/erasures/{pk}/withdraw"): ADMINS,
    ("get", "/jobs"): EVERY,
    ("get", "/documents"): EVERY,
    ("get", "/jobs/{pk}"): EVERY,
    ("get", "/jobs/{pk}/results"): EVERY,
    ("get", "/documents/{pk}"): EVERY,
    ("get", "/documents/{pk}/content"): EVERY,
    ("get", "/documents/{pk}/original"): EVERY,
    ("post", "/documents/{pk}/end-links"): DECIDERS,
    ("get", "/attachments/{pk}/content"): EVERY,
    ("patch", "/notes/{pk}"): DECIDERS,
    ("delete", "/dismissals/{pk}"): DECIDERS,
    ("delete", "/hit-confirmations/{pk}"): DECIDERS,
    ("delete", "/value-choices/{pk}"): DECIDERS,
    ("get", "/webhooks"): DECIDERS | {roles.AUDITOR, roles.ADMINISTRATOR},
    ("get", "/webhooks/{pk}"): DECIDERS | {roles.AUDITOR, roles.ADMINISTRATOR},
    ("post", "/webhooks/{pk}/replay"): ADMINS,
    ("get", "/cases/{pk}/checklist"): EVERY,
    ("post", "/cases/{pk}/checklist"): DECIDERS,
    ("post", "/cases/{pk}/fields"): DECIDERS,
    ("get", "/procedures"): EVERY,
    ("get", "/decision-policies"): EVERY,
    ("get", "/risk-policies"): EVERY,
    ("get", "/second-looks/rates"): JUDGES,
    ("get", "/screening-quality"): JUDGES,
    ("get", "/subscriptions"): ADMINS,
    ("post", "/subscriptions"): ADMINS,
    ("get", "/subscriptions/{pk}"): ADMINS,
    ("patch", "/subscriptions/{pk}"): ADMINS,
    ("delete", "/subscriptions/{pk}"): ADMINS,
    ("get", "/sent-webhooks"): DECIDERS | {roles.AUDITOR, roles.ADMINISTRATOR},
    ("get", "/sent-webhooks/{pk}"): DECIDERS | {roles.AUDITOR, roles.ADMINISTRATOR},
    ("post", "/sent-webhooks/{pk}/send-again"): ADMINS,
}
OF_A_CASE = [
    (method, path)
    for method, path in MATRIX
    if "{pk}" in path and "subscriptions" not in path
]


class Preparation:
    """A case that stands so that the endpoint has something to do."""

    def __init__(self, method: str, path: str) -> None:
        one_person()
        self.maker = with_every_role("maker")
        self.case = open_case(failing=path.endswith("marks"))
        Connection.objects.update(base_url=SERVICE.url)
        self.agent: Any = self.case.agent
        self.ids: dict[str, Any] = {"cases": self.case.pk}
        prepare = getattr(
            self, f"_{path.strip('/').split('/')[-1].replace('-', '_')}", None
        )
        if prepare is not None and "{" not in path.split("/")[-1]:
            prepare()
        noun = path.split("/")[1]
        if noun in {"holds", "erasures"}:
            self.ids[noun] = self._of_privacy(noun).pk
        elif noun == "invitations":
            assert self.agent is not None
            row = invitations.create(self.agent, actor=self.maker)
            self.ids[noun] = row.pk
        elif noun == "look-ups":
            look_up = LookUp(connection=self.case.connection, by=self.maker)
            look_up.save()
            self.ids[noun] = look_up.pk
        elif noun == "parties":
            self.ids[noun] = self._subject().pk
        elif noun == "suspicion-reports":
            self.report = self._suspicion_report(path)
            self.ids[noun] = self.report.pk
        elif noun == "bulk-approvals":
            self.ids[noun] = self._bulk_approval().pk
        else:
            self._of_one(noun)
        self.case = Case.objects.get(pk=self.case.pk)

    def _second(self) -> None:
        FourEyesRule.objects.create(name="Always", condition="always")
        decide(self.case, self.maker)

    def _reopen(self) -> None:
        decide(self.case, self.maker)

    def _withdraw_request(self) -> None:
        decide(self.case, self.maker, "request")

    def _stop_waiting(self) -> None:
        self.case.jobs.update(status="running")

    def _dismissals(self) -> None:
        add_risky_document(self.case)

    def _value_choices(self) -> None:
        add_unsure_document(self.case.jobs.get())

    def _field_key(self) -> str:
        state = Caller(self.maker).get(f"/cases/{self.case.pk}/review-state").json()
        keys = [one["field_key"] for one in state["findings"] if one["candidates"]]
        return str(keys[0])

    def _hit_confirmations(self) -> None:
        job = self.case.jobs.get()
        job.check_results.all().delete()
        add_screening(job, hit())

    def _hit_key(self) -> str:
        state = Caller(self.maker).get(f"/cases/{self.case.pk}/review-state").json()
        [key] = {one["hit_key"] for one in state["findings"]} - {""}
        return str(key)

    def _rating(self) -> None:
        schedule.rate(self.case)
        tasks.rate_cases()

    def _checklist(self) -> None:
        give_procedure(self.case)

    _fields = _checklist

    def _erasures(self) -> None:
        decide(self.case, self.maker)

    def _bulk_approval(self) -> BulkApproval:
        """Of another case. That of the endpoint is made one that fits."""
        job = self.case.jobs.get()
        job.check_results.all().delete()
        add_screening(job)
        self.case.recommendation = "Approve"
        self.case.self_attested_data = KNOWN
        self.case.save()
        self._rating()
        approval = BulkApproval.objects.create(by=self.maker, share=10)
        approval.cases.create(case=self.case, revision="1", is_sample=False)
        return approval

    def _of_finding(self, noun: str) -> int:
        if noun == "hit-confirmations":
            self._hit_confirmations()
            result = ReviewState.of(self.case).confirmed.hit(self._hit_key())
            assert result
            return matches.confirm(self.case, result, actor=self.maker)[0].pk
        if noun == "value-choices":
            self._value_choices()
            key = self._field_key()
            choice = value_choices.choose(self.case, key, actor=self.maker, candidate=1)
            return choice.pk
        row = Dismissal.objects.create(
            key="k", title="It", case=self.case, reason="So.", by=self.maker
        )
        return row.pk

    def _of_one(self, noun: str) -> None:
        if noun == "agents" and self.agent:
            self.ids[noun] = self.agent.pk
        elif noun in {"dismissals", "hit-confirmations", "value-choices"}:
            self.ids[noun] = self._of_finding(noun)
        elif noun == "jobs":
            self.ids[noun] = self.case.jobs.get().pk
        elif noun == "documents":
            file = ContentFile(b"%PDF-1.7 whatever")
            result = store.add(
                self.case, kind="ein_documents", file=file, file_name="a.pdf"
            )
            result.move("drawn")
            add_pages(result, 1)
            self.ids[noun] = result.pk
        elif noun in {"attachments", "notes"}:
            file = ContentFile(b"%PDF-1.7 whatever", name="b.pdf")
            self.note = notes.add(
                self.case, actor=self.maker, text="Look.", files=[file]
            )
            self.ids |= {
                "notes": self.note.pk,
                "attachments": self.note.attachments.get().pk,
            }
        elif noun in {"webhooks", "sent-webhooks"}:
            self.ids[noun] = self._webhook(noun)
        elif noun == "subscriptions":
            url = "https://example.com/hook"
            self.ids[noun] = subscriptions.create(actor=self.maker, name="A", url=url)[
                0
            ].pk

    def _webhook(self, noun: str) -> Any:
        if noun == "webhooks":
            return make_event(self.case, status=Event.Status.IGNORED, due_at=None).pk
        return make_announcement(self.case).pk

    def _suspicion_report(self, path: str) -> SuspicionReport:
        report = suspicion.begin(self.case, actor=self.maker, noticed_on=now().date())
        if path.endswith(("/goaml", "/fincen")):
            one_filer()
            return agreed(report, self.maker, with_every_role("second"))
        return report

    def _subject(self) -> Party:
        link, _ = CaseParty.objects.get_or_create(
            case=self.case,
            place="subject",
            defaults={"role": "subject", "party": Party.objects.create(kind="company")},
        )
        return link.party

    def _of_privacy(self, noun: str) -> Any:
        if noun == "holds":
            return holds.place(actor=self.maker, case=self.case, reason="Court.")
        decide(self.case, self.maker)
        return Erasure.objects.create(
            case=self.case, by=self.maker, needs_second=True, due_at=None
        )

    def address(self, path: str) -> str:
        return path.format(
            pk=self.ids.get(path.split("/")[1], ""), name="seen", batch=BATCH
        )

    def body(self, caller: Caller, method: str, path: str) -> dict[str, Any]:
        revision = self.case.revision
        if path == "/cases/{pk}/dismissals":
            value = (
                Caller(self.maker)
                .get(f"/cases/{self.case.pk}/review-state")
                .json()["findings"]
            )
            return {"key": value[0]["key"], "reason": "Known."}
        if path == "/cases/{pk}/value-choices":
            return {"field_key": self._field_key(), "candidate": 1}
        if path == "/cases/{pk}/hit-confirmations":
            return {"key": self._hit_key()}
        if (method, path) == ("patch", "/notes/{pk}"):
            # One's own: nobody rewords what another said.
            Note.objects.filter(pk=self.note.pk).update(by=caller.user)
            return {"text": "Looked."}
        if path.startswith("/suspicion-reports/"):
            data: dict[str, Any] = {"revision": self.report.revision}
            if method == "patch":
                rows = [{"text": "Odd.", "evidence": "data"}]
                return data | {"sentences": rows, "fincen": FACTS}
            return data | {"act": "propose"}
        bodies: dict[str, dict[str, Any]] = {
            "/cases": {"agent": self.agent.pk, "self_attested_data": DATA},
            "/invitations": {"agent": self.agent.pk},
            "/agents/{pk}/batches": {"file_name": "a.csv", "csv": "id\n1\n", "batch_id": BATCH},
            "/cases/{pk}/suspicion-reports": {"noticed_on": "2026-03-01"},
            "/bulk-approvals": {"cases": [self.case.pk]},
            "/bulk-approvals/{pk}/confirm": {"reasons": ["A01"]},
            "/cases/{pk}/assign": {"to": self.maker.username},
            "/cases/{pk}/snooze": {"until": f"{now() + timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}"},
            "/look-ups": {"name": "Bo"},
            "/parties/{pk}/relations": {"case_id": self.case.pk, "kind": "owner", "name": "Bo"},
            "/cases/{pk}/rating": {"band": "prohibited", "reason": "Known."},
            "/cases/{pk}/holds": {"reason": "Court."},
            "/cases/{pk}/erasures": {"reason": "Request 1"},
            "/holds/{pk}/lift": {"reason": "It is over."},
            "/erasures/{pk}/withdraw": {"reason": "Sent twice."},
            "/cases/{pk}/notes": {"text": "Seen, @maker."},
            "/cases/{pk}/tags": {"name": "seen"},
            "/cases/{pk}/tags/remove": {"name": "seen"},
            "/cases/{pk}/marks": {"check_id": CHECK, "kind": "reviewed"},
            "/cases/{pk}/decisions": {
                "outcome": "approve", "reasons": ["A02"], "rationale": "So.", "revision": revision,
            },
            "/cases/{pk}/second": {"agrees": True, "revision": revision},
            "/cases/{pk}/reopen": {"reason": "News.", "revision": revision},
            "/cases/{pk}/checklist": {"item": "called", "kind": "ticked"},
            "/cases/{pk}/fields": {"custom_fields": {"channel": "Branch"}},
            "/subscriptions": {"name": "B", "url": "https://example.com/b"},
            "/subscriptions/{pk}": {"is_active": False},
        }  # fmt: skip
        return bodies.get(path, {})

    def status_of(self, caller: Caller, method: str, path: str) -> int:
        result = (
            self.body(caller, method, path) if method in {"post", "patch"} else None
        )
        status: int = caller.call(method, self.address(path), result).status_code
        return status


def test_the_matrix_has_every_endpoint():
    assert set(MATRIX) == {(one.method, one.path) for one in description.endpoints()}


@pytest.mark.sweep(whole=True)
@pytest.mark.parametrize(("method", "path"), MATRIX)
def test_roles_may_what_their_pages_may(method, path):
    item = Preparation(method, path)
    callers = {role: Caller(someone(role)) for role in sorted(EVERY)}
    statuses = {}
    for role, caller in callers.items():
        with rolled_back():
            statuses[role] = item.status_of(caller, method, path)
    assert {role for role in EVERY if statuses[role] < 300} == MATRIX[method, path]
    assert {status for status in statuses.values() if status >= 300} <= {403}


@contextlib.contextmanager
def rolled_back() -> Iterator[None]:
    """What is done inside is undone, so that the next finds the same rows."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.sweep(whole=True)
@pytest.mark.parametrize(("method", "path"), MATRIX)
def test_without_the_scope_nobody_may(method, path):
    [needed] = [
        one.operation.scope
        for one in description.endpoints()
        if (one.method, one.path) == (method, path)
    ]
    if needed is None:
        return
    item = Preparation(method, path)
    others = [scope for scope in Scope.values if scope != needed]
    caller = Caller(with_every_role("any"), *others)
    answer = caller.call(
        method, item.address(path), {} if method in {"post", "patch"} else None
    )
    assert answer.status_code == 403
    assert answer.json()["code"] == "missing_scope"
    assert str(needed) in answer.json()["detail"]
    assert item.status_of(Caller(with_every_role("other"), needed), method, path) < 300


@pytest.mark.sweep(whole=True)
@pytest.mark.parametrize(("method", "path"), OF_A_CASE)
def test_a_case_of_another_team_is_not_there(method, path):
    item = Preparation(method, path)
    Team.objects.create(name="Others").connections.add(item.case.connection)
    before = item.case.events.count()
    assert item.status_of(Caller(someone("senior")), method, path) == 404
    assert item.case.events.count() == before


def test_lists_and_agents_of_another_team_are_empty():
    item = Preparation("get", "/cases")
    Team.objects.create(name="Others").connections.add(item.case.connection)
    caller = Caller(someone("senior"))
    assert caller.get("/cases").json() == {"items": [], "next_cursor": None}
    assert caller.get("/agents").json()["items"] == []
    data = {"agent": item.agent.pk, "self_attested_data": DATA}
    answer = caller.post("/cases", data)
    assert answer.status_code == 422
    assert answer.json()["errors"] == [
        {"pointer": "#/agent", "detail": "There is no such agent."}
    ]


def test_a_submission_of_another_team_does_not_show_its_case():
    item = Preparation("get", "/cases")
    other = make_agent(make_connection("own"), key="own")
    Team.objects.create(name="Others").connections.add(item.case.connection)
    job = item.case.jobs.get()
    data = {"agent": other.pk, "self_attested_data": DATA, "submission": str(job.pk)}
    answer = Caller(someone("senior")).post("/cases", data)
    assert (answer.status_code, answer.json()["code"]) == (409, "submission_taken")


def test_what_is_not_there_is_404():
    caller = Caller(someone("administrator"))
    for path in (
        "/cases/9",
        f"/cases/{9**40}",
        f"/jobs/{uuid.uuid4()}",
        "/nothing",
        "/cases/x",
    ):
        assert caller.get(path).status_code == 404
