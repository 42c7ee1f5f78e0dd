"""A list changes, and a decided case comes back to the queue with why: hub, webhooks, desk."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils.timezone import now

from agenthub.jobs import rescreening
from agenthub.models import AgentJob
from agenthub.models.lists import Rescreening
from agenthub.screening import catalogue, loading, sample_lists
from reviews import results
from reviews.decisions import decisions
from reviews.findings import dismissals
from reviews.findings.review_state import ReviewState
from reviews.intake import cases
from reviews.jobs import reopening
from reviews.models import Case, Job, Notification
from reviews.risk import verification
from tests import fakeservice
from tests.agenthub.screening.test_checks import LISTED, SANCTIONS
from tests.factories import (
    make_agent,
    make_case,
    make_connection,
    make_hub,
    make_job,
    make_user,
)
from tests.fakeservice import Step
from tests.reviews.pages.case.rows import add_check_result, words
from tests.reviews.rows import decide, one_person, someone

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESS = "kyc.proof_of_address_verification"
WHOLE = sample_lists.ofac_sdn_xml()


def without(*names: str) -> bytes:
    text = WHOLE.decode()
    for name in names:
        text = text.replace(name, "ZZYZXOV")
    return text.encode()


@pytest.fixture
def load(tmp_path):
    def load(content: bytes) -> None:
        (tmp_path / "sdn").write_bytes(content)
        loading.load(catalogue.source("ofac_sdn"), tmp_path / "sdn")

    return load


@pytest.fixture
def hub(served):
    one_person()
    return make_hub(make_connection(base_url=f"{served}/api/v1"))


@pytest.mark.parametrize("in_memory", [rescreening.MOST_IN_MEMORY, 0])
def test_a_new_entry_brings_a_decided_case_back_with_why(
    hub, load, client, work_off, monkeypatch, in_memory
):
    """As well where a version brings more than is held in memory."""
    monkeypatch.setattr(rescreening, "MOST_IN_MEMORY", in_memory)
    load(without("KORBUTSKY", "KORBUTSKIY", "КАРБУЦКІ"))
    ana = someone("analyst")
    hub["kyc"].checks = [{"check_id": SANCTIONS}]
    hub["kyc"].save()
    case = cases.submit(
        actor=ana, agent=hub["desk_kyc"], subject="Teodor Korbutski", data=LISTED, documents=(),
        reference="P-1",
    )  # fmt: skip
    work_off()
    case.refresh_from_db()
    assert (case.status, case.recommendation) == (Case.Status.TO_REVIEW, "Approve")
    decide(case, ana)
    case.refresh_from_db()
    assert case.status == Case.Status.DECIDED

    load(WHOLE)
    work_off()
    case.refresh_from_db()
    assert (case.status, case.recommendation) == (Case.Status.TO_REVIEW, "Deny")
    assert case.decisions.get().status == "reopened"
    assert "KORBUTSK" in case.decisions.get().reopened_for.upper()
    client.force_login(make_user("zoe"))
    assert "P-1" in words(client, "/?view=review")
    page = words(client, f"/cases/{case.pk}/?tab=activity")
    assert "Screened again, with a new hit." in page
    assert [e.what for e in case.events.all()].count("reopened") == 1

    # Decided again, and the list loaded again with another entry changed: nothing is new.
    case.refresh_from_db()
    decide(case, ana, "reject")
    load(WHOLE.replace(b"118840231", b"118840239"))
    work_off()
    case.refresh_from_db()
    assert case.status == Case.Status.DECIDED


@pytest.mark.parametrize("in_memory", [rescreening.MOST_IN_MEMORY, 0])
@pytest.mark.parametrize("is_decided", [True, False])
def test_a_hit_that_left_the_list_reaches_its_cases(
    hub, load, work_off, monkeypatch, in_memory, is_decided
):
    """Also a rejected one: what it was rejected for is gone. Other cases get no new job."""
    monkeypatch.setattr(rescreening, "MOST_IN_MEMORY", in_memory)
    load(WHOLE)
    ana = someone("analyst")
    hub["kyc"].checks = [{"check_id": SANCTIONS}]
    hub["kyc"].save()
    other = {
        **LISTED,
        "first_name": "Jane",
        "last_name": "Roebuck",
        "date_of_birth": "1988-01-02",
    }
    case, clean = (
        cases.submit(
            actor=ana,
            agent=hub["desk_kyc"],
            subject="A",
            data=data,
            documents=(),
            reference="",
        )
        for data in (LISTED, other)
    )
    work_off()
    case.refresh_from_db()
    assert case.recommendation == "Deny"
    if is_decided:
        decide(case, ana, "reject")

    load(without("KORBUTSKY", "KORBUTSKIY", "КАРБУЦКІ"))
    work_off()
    case.refresh_from_db()
    assert (case.status, case.recommendation) == (Case.Status.TO_REVIEW, "Approve")
    assert (case.jobs.count(), clean.jobs.count()) == (2, 1)
    if is_decided:
        assert "It was decided on “Reject”" in case.alarm


def test_a_hit_that_left_the_list_reaches_a_case_of_which_one_check_ran_again(
    hub, load, work_off
):
    """The newest job of such a case screened nobody: the hits are those of an earlier one."""
    load(WHOLE)
    ana = someone("analyst")
    hub["kyc"].checks = [{"check_id": SANCTIONS}, {"check_id": ADDRESS}]
    hub["kyc"].save()
    case = cases.submit(
        actor=ana, agent=hub["desk_kyc"], subject="A", data=LISTED, documents=()
    )
    work_off()
    decide(Case.objects.get(), ana, "reject")
    assert cases.run_again(case, actor=None, check_id=ADDRESS) is None
    case.refresh_from_db()
    senior = someone("senior")
    decisions.reopen(case, actor=senior, reason="Look.", revision=case.revision)
    assert cases.run_again(case, actor=None, check_id=ADDRESS)
    work_off()
    assert case.jobs.count() == 2

    load(without("KORBUTSKY", "KORBUTSKIY", "КАРБУЦКІ"))
    work_off()
    assert case.jobs.count() == 3


@pytest.mark.parametrize(
    ("days", "change", "asks"),
    [(1, b"", False), (15, b"", True), (1, b"KORBUTSKAY", True)],
)
def test_an_approval_stands_when_its_hit_is_off_its_list_for_a_short_time(
    hub, load, work_off, days, change, asks
):
    """The approval looked at the hit and dismissed it. That it is gone is no reason to look again, and
    that it is back is none within days: a publisher dropped it by mistake. Another content is one.
    """
    load(WHOLE)
    ana = someone("analyst")
    hub["kyc"].checks = [{"check_id": SANCTIONS}]
    hub["kyc"].save()
    case = cases.submit(
        actor=ana, agent=hub["desk_kyc"], subject="A", data=LISTED, documents=()
    )
    work_off()
    dismiss_all(case, ana)
    decide(case, ana)
    work_off()
    assert statement_of(case) == ("decided", "", 1, 0)
    band = case.risk_rating.band

    load(without("KORBUTSKY", "KORBUTSKIY", "КАРБУЦКІ"))
    work_off()
    # The case was screened again, and nobody is asked.
    assert statement_of(case) == ("decided", "", 2, 0)
    case.refresh_from_db()
    assert case.recommendation == "Approve"
    assert list(verification.faults()) == []

    # As if that was so long ago.
    moment = now() - timedelta(days=days)
    newest = case.jobs.order_by("-created_at")[0]
    Job.objects.filter(pk=newest.pk).update(ended_at=moment)
    # Not the very file of before, which a person would have to release.
    content = WHOLE.replace(b"118840231", b"118840239")
    load(content.replace(b"KORBUTSKIY", change) if change else content)
    work_off()
    status, alarm, jobs, lines = statement_of(case)
    assert jobs == 3
    assert list(verification.faults()) == []
    if not asks:
        assert (status, alarm, lines) == ("decided", "", 0)
        return
    assert (status, lines) == ("to_review", 1)
    assert "KORBUTSK" in alarm.upper()
    assert case.risk_rating.band == band or change
    assert case.decisions.get().status == "reopened"


def test_a_customer_approved_in_a_gap_of_the_list_is_not_asked_about_again(
    hub, load, work_off
):
    """The hit was dismissed in an earlier case of the same person, and the list dropped it for a day."""
    load(WHOLE)
    ana = someone("analyst")
    hub["kyc"].checks = [{"check_id": SANCTIONS}]
    hub["kyc"].save()
    first, second = (
        cases.submit(
            actor=ana, agent=hub["desk_kyc"], subject="A", data=LISTED, documents=()
        )
        for _ in range(2)
    )
    work_off()
    dismiss_all(first, ana)
    decide(first, ana)
    load(without("KORBUTSKY", "KORBUTSKIY", "КАРБУЦКІ"))
    work_off()
    decide(second, ana)
    load(WHOLE.replace(b"118840231", b"118840239"))
    work_off()
    assert statement_of(first)[:3] == ("decided", "", 3)
    assert statement_of(second)[:3] == ("decided", "", 3)


def dismiss_all(case: Case, actor: User) -> None:
    state = ReviewState.of(case)
    for part in state.parts:
        for finding in part.findings:
            key = state.dismissed.key(finding)
            if isinstance(finding, results.Hit) and key:
                reason = "Born elsewhere."
                dismissals.dismiss(case, finding, key=key, actor=actor, reason=reason)


def statement_of(case: Case) -> tuple[str, str, int, int]:
    """The status, the alarm, the number of jobs, and of lines of an inbox about an alarm."""
    case = Case.objects.get(pk=case.pk)
    lines = Notification.objects.filter(case=case, kind=Notification.Kind.ALARM)
    return case.status, case.alarm, case.jobs.count(), lines.count()


def test_a_version_that_only_lost_entries_is_compared(load, tmp_path):
    load(WHOLE)
    Rescreening.objects.all().delete()
    entry = re.search(rb"\s*<sdnEntry>.*?</sdnEntry>", WHOLE, flags=re.DOTALL)
    count = re.search(rb"<Record_Count>(\d+)<", WHOLE)
    assert entry
    assert count
    shorter = WHOLE.replace(entry[0], b"", 1)
    fewer = b"<Record_Count>%d<" % (int(count[1]) - 1)
    (tmp_path / "sdn").write_bytes(shorter.replace(count[0], fewer))
    loading.load(catalogue.source("ofac_sdn"), tmp_path / "sdn", force=True)
    assert Rescreening.objects.exists()


def test_a_list_that_changes_while_a_job_waits_for_its_document_is_compared(
    caller, every_check, load, work_off, settings
):
    """The job was screened with the older version, and had not ended for the comparison."""
    load(without("KORBUTSKY", "KORBUTSKIY", "КАРБУЦКІ"))
    with fakeservice.running() as service:
        port = int(service.url.split(":")[2].split("/")[0])
        settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", port)})
        service.plan = [Step(status=503)] * 3
        body = caller.kyc_body(check_ids=[SANCTIONS, ADDRESS])
        document = {"url": f"{service.url}/bill.pdf", "file_name": "bill.pdf"}
        data = {**LISTED, "proof_of_address_documents": [document]}
        body["kyc_schema"]["self_attested_data"] = data
        assert caller.post("startKYCAgentJob", body).status_code == 200
        work_off()
        job = AgentJob.objects.get()
        assert [row["tries"] for row in job.away_documents.values()] == [1]
        assert job.status == "RUNNING"
        assert job.check_runs.get(check_id=SANCTIONS).verdict == "pass"

        load(WHOLE)
        work_off()
        assert set(Rescreening.objects.values_list("status", flat=True)) == {"done"}
        assert AgentJob.objects.count() == 1

        service.plan = [Step(status=404)]
        # The time of the next attempt has come.
        AgentJob.objects.update(due_at=job.created_at, away_documents={})
        work_off()
    again = AgentJob.objects.exclude(pk=job.pk).get()
    assert (again.case_id, again.recommendation) == (job.case_id, "Deny")


def hit(entry: str, content: str = "aa", band: str = "strong") -> dict[str, Any]:
    return {
        "list": {"slug": "un", "title": "UN"}, "entry": {"id": entry}, "content_hash": content,
        "name": {"listed": "A. Person"}, "band": band, "score": 0.9,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("status", "result", "raised"),
    [
        ("decided", hit("1"), False),  # known from the job that was decided on
        ("decided", hit("2"), True),
        ("decided", hit("1", "bb"), True),  # the entry has changed
        ("decided", hit("2", band="weak"), False),
        ("waiting", hit("2"), False),  # somebody has it in hand
    ],
)
def test_only_what_is_new_takes_a_decision_back(status, result, raised):
    connection = make_connection()
    case = make_case(
        connection, agent=make_agent(connection), kind="kyc", status=status
    )
    for text in (hit("1"), result):
        job = make_job(case, status="complete")
        payload = {"screening": {"what": "sanctions", "matches": [text]}}
        add_check_result(
            job, {"verdict": "review", "payload": payload}, check_id=SANCTIONS
        )
    assert reopening.reopen_after_job(case, job) == raised
    case.refresh_from_db()
    assert case.status == ("to_review" if raised else status)


def test_a_hit_that_is_listed_again_is_new_beside_one_that_stayed():
    """The verdict of the check is the same each time."""
    connection = make_connection()
    case = make_case(
        connection, agent=make_agent(connection), kind="kyc", status="decided"
    )
    both = [hit("1"), hit("2")]
    for matches, raised in ((both, False), ([hit("1")], False), (both, True)):
        job = make_job(case, status="complete")
        payload = {"screening": {"what": "sanctions", "matches": matches}}
        result = {"verdict": "review", "payload": payload}
        add_check_result(job, result, check_id=SANCTIONS)
        if case.jobs.count() > 1:
            assert reopening.reopen_after_job(case, job) == raised
    case.refresh_from_db()
    assert case.status == "to_review"


@pytest.mark.parametrize(("entry", "wakes"), [("1", False), ("2", True)])
def test_a_new_hit_wakes_a_case_that_somebody_has_snoozed(entry, wakes):
    connection = make_connection()
    until = now() + timedelta(days=80)
    case = make_case(
        connection, agent=make_agent(connection), kind="kyc", snoozed_until=until
    )
    for match in (hit("1"), hit(entry)):
        job = make_job(case, status="complete")
        payload = {"screening": {"what": "sanctions", "matches": [match]}}
        result = {"verdict": "review", "payload": payload}
        add_check_result(job, result, check_id=SANCTIONS)
    assert not reopening.reopen_after_job(case, job)
    case.refresh_from_db()
    assert case.snoozed_until == (None if wakes else until)
