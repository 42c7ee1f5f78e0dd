"""Rules of retention, holds, and who may erase what: through the pages."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import connection as database
from django.db import transaction
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from reviews.audit import trail, verification
from reviews.models import (
    Case,
    CaseEvent,
    Decision,
    Erasure,
    Job,
    LegalHold,
    RetentionRule,
    SuspicionReport,
)
from reviews.privacy import erasing, erasures, retention
from reviews.tasks import ERASURES, RETENTION
from tests.factories import make_case, make_connection, make_job, make_user
from tests.fakeservice import running
from tests.faults import refuse_rows
from tests.reviews.rows import decide, one_person

pytestmark = pytest.mark.django_db(transaction=True)

MONTH = timedelta(days=31)


@pytest.fixture
def adm(client):
    user = make_user("adm", role="administrator")
    client.force_login(user)
    return user


def decided(connection, *, outcome: str = "approve", months: int = 0, **values) -> Case:
    case = make_case(connection, status=Case.Status.DECIDED, **values)
    by = person("sen")
    Decision.objects.create(
        case=case, outcome=outcome, status="standing", rationale="Fine.", made_by=by
    )
    moment = now() - months * MONTH
    Decision.objects.filter(case=case).update(made_at=moment)
    return case


def person(name: str) -> User:
    user = User.objects.filter(username=name).first()
    return user or make_user(name, role="senior")


def rule(**values) -> RetentionRule:
    values.setdefault("name", f"rule {RetentionRule.objects.count()}")
    values.setdefault("months", 12)
    return RetentionRule.objects.create(**values)


def references(rows) -> list[str]:
    return sorted(rows.values_list("reference", flat=True))


def lines(case: Case | None = None) -> list[str]:
    events = CaseEvent.objects.filter(case=case) if case else CaseEvent.objects.all()
    return list(events.order_by("pk").values_list("what", flat=True))


def test_a_rule_lets_go_what_is_past_its_time_and_nothing_else():
    connection = make_connection()
    decided(connection, months=14, reference="old")
    decided(connection, months=10, reference="young")
    decided(connection, months=14, reference="rejected", outcome="reject")
    decided(connection, months=14, reference="person", kind="kyc")
    running = decided(connection, months=14, reference="running")
    make_job(running, status=Job.Status.RUNNING)
    result = decided(connection, months=14, reference="held")
    by_reference = decided(connection, months=14, reference="held-by-reference")
    owner = person("sen")
    LegalHold.objects.create(case=result, reason="Court", by=owner)
    LegalHold.objects.create(reference=by_reference.reference, reason="Court", by=owner)
    make_case(connection, reference="open", status=Case.Status.TO_REVIEW)

    assert references(retention.due(rule(kind="kyb", outcome="approve"))) == ["old"]
    assert references(retention.due(rule())) == ["old", "person", "rejected"]


def test_of_several_rules_the_longest_holds():
    connection = make_connection()
    decided(connection, months=14, reference="approved")
    decided(connection, months=14, reference="rejected", outcome="reject")
    short = rule(is_active=True)
    assert references(retention.due(short)) == ["approved", "rejected"]
    rule(outcome="reject", months=60, is_active=True)
    assert references(retention.due(short)) == ["approved"]


def test_a_rule_with_another_clock_may_keep_longer_though_it_has_fewer_months():
    case = decided(make_connection(), months=14, reference="approved")
    short = rule(kind="kyb", is_active=True)
    rule(months=6, clock="activity", is_active=True)
    Case.objects.filter(pk=case.pk).update(created_at=now() - 14 * MONTH)
    assert references(retention.due(short)) == ["approved"]
    CaseEvent.objects.create(case=case, actor="system", what="snoozed")
    assert references(retention.due(short)) == []


def test_of_undecided_cases_the_longest_rule_holds():
    case = make_case(make_connection(), status=Case.Status.WAITING)
    Case.objects.filter(pk=case.pk).update(created_at=now() - 14 * MONTH)
    short = rule(outcome="none", clock="activity", is_active=True)
    assert references(retention.due(short)) == [case.reference]
    rule(outcome="none", clock="activity", months=24, is_active=True)
    assert references(retention.due(short)) == []


def test_the_page_asks_once_a_rule_and_names_only_rules_that_may_keep_longer(
    client, adm
):
    """With twenty rules the SQL of each named the nineteen others."""

    def ask() -> list[str]:
        client.get("/privacy/")
        with CaptureQueriesContext(database) as queries:
            page = client.get("/privacy/")
        assert page.status_code == 200
        statements = [query["sql"] for query in queries]
        assert sum("reviews_retentionrule" in sql for sql in statements) == 1
        return [sql for sql in statements if "reviews_suspicionreport" in sql]

    rule(is_active=True, kind="kyb", outcome="approve")
    few = ask()
    for _ in range(10):
        rule(is_active=True, kind="kyb", outcome="approve")
        rule(is_active=True, kind="kyc", outcome="reject", months=60)
    many = ask()
    assert (len(few), len(many)) == (1, 21)
    assert max(map(len, many)) == max(map(len, few))


def test_a_case_that_nobody_decided_has_the_clock_of_its_last_line():
    connection = make_connection()
    with time_machine.travel(datetime.now(UTC) - 14 * MONTH, tick=False):
        case = make_case(connection, reference="left", status=Case.Status.WAITING)
        assert case.created_at < now() + MONTH
    Case.objects.filter(pk=case.pk).update(created_at=now() - 14 * MONTH)
    undecided = rule(outcome="none", clock="activity")
    assert references(retention.due(undecided)) == ["left"]
    CaseEvent.objects.create(case=case, actor="system", what="snoozed")
    assert references(retention.due(undecided)) == []


def test_a_month_ends_where_it_has_no_such_day():
    moment = datetime(2026, 3, 31, 12, tzinfo=UTC)
    assert retention.months_before(moment, 1).day == 28
    assert retention.months_before(moment, 13) == datetime(2025, 2, 28, 12, tzinfo=UTC)
    assert retention.months_before(moment, 3) == datetime(2025, 12, 31, 12, tzinfo=UTC)


def test_a_case_that_cannot_be_planned_stops_no_other_one(caplog):
    connection = make_connection()
    first = decided(connection, months=20, reference="Jane Doe")
    second = decided(connection, months=14, reference="second")
    by_rule = rule(is_active=True)
    refuse_rows(CaseEvent, "case_id", first.pk)
    RETENTION.drain()
    assert [row.case for row in Erasure.objects.all()] == [second]
    # It is tried again in an hour, and until then the page of the queues shows it.
    by_rule.refresh_from_db()
    assert by_rule.failures == 1
    assert by_rule.due_at is not None
    assert by_rule.due_at < now() + timedelta(hours=2)
    assert f"the plan of case {first.pk} failed" in caplog.text
    assert "Jane" not in caplog.messages[0]


def test_an_active_rule_plans_announces_and_erases(adm, client, settings):
    with running() as service:
        case = decided(make_connection(base_url=service.url), months=14)
        by_rule = rule(name="Approved, a year")
        RETENTION.drain()
        assert not Erasure.objects.exists()
        by_rule.is_active = True
        by_rule.save()
        RETENTION.drain()
        erasure = Erasure.objects.get()
        assert (erasure.case, erasure.by, erasure.status) == (case, None, "planned")
        assert erasure.due_at
        assert erasure.due_at > now() + timedelta(days=settings.ERASURE_NOTICE_DAYS - 1)
        assert "Approved, a year" in client.get("/privacy/").content.decode()
        ERASURES.drain()
        case.refresh_from_db()
        assert case.erased_at is None
        Erasure.objects.update(due_at=now())
        ERASURES.drain()
    case.refresh_from_db()
    erasure.refresh_from_db()
    assert (case.subject, case.self_attested_data) == ("[erased]", {})
    assert erasure.status == Erasure.Status.DONE
    assert erasure.service == "The service was not asked: it has no such endpoint."
    assert lines(case) == ["erasure_planned", "case_erased", "erasure_done"]


def test_a_service_that_is_switched_off_is_asked_when_it_is_on_again(adm, client):
    with running() as service:
        connection = make_connection(base_url=service.url)
        case = decided(connection)
        connection.is_active = False
        connection.save()
        client.post(f"/cases/{case.pk}/erase/", {"reason": "Request 12"})
        ERASURES.drain()
        erasure = Erasure.objects.get()
        assert erasure.erased_at
        assert (erasure.status, erasure.service) == (Erasure.Status.RUNNING, "")
        assert erasure.due_at
        assert erasure.due_at > now()
        page = client.get(f"/cases/{case.pk}/privacy/").content.decode()
        assert "The service is not asked: the connection is switched off." in page
        assert service.paths() == []

        connection.is_active = True
        connection.save()
        Erasure.objects.update(due_at=now())
        ERASURES.drain()
        assert [path for path in service.paths() if "eraseCase" in path]
    erasure.refresh_from_db()
    assert (erasure.status, erasure.waits_for) == (Erasure.Status.DONE, "")


def test_a_hold_in_the_time_of_notice_stops_the_erasure(adm, client):
    case = decided(make_connection(), months=14)
    rule(is_active=True)
    RETENTION.drain()
    client.post(f"/cases/{case.pk}/hold/", {"reason": "Case 7 at court"})
    Erasure.objects.update(due_at=now())
    ERASURES.drain()
    erasure = Erasure.objects.get()
    assert erasure.status == Erasure.Status.REFUSED
    assert "on hold" in erasure.refusal
    case.refresh_from_db()
    assert case.subject == "Northwind Ltd"


def test_a_decision_in_the_time_of_notice_stops_the_erasure_of_an_undecided_case(adm):
    connection = make_connection()
    moment = now() - 14 * MONTH
    with time_machine.travel(moment, tick=False):
        case = make_case(connection, reference="left", status=Case.Status.TO_REVIEW)
    Case.objects.filter(pk=case.pk).update(created_at=moment)
    rule(name="Left alone", outcome="none", clock="activity", is_active=True)
    RETENTION.drain()
    assert Erasure.objects.get().case == case
    one_person()
    decide(case, person("sen"), "reject")
    Erasure.objects.update(due_at=now())
    ERASURES.drain()
    erasure = Erasure.objects.get()
    assert erasure.status == Erasure.Status.REFUSED
    assert "no longer applies" in erasure.refusal
    case.refresh_from_db()
    assert case.erased_at is None


def test_a_new_decision_in_the_time_of_notice_begins_the_time_again(adm):
    case = decided(make_connection(), months=14)
    rule(is_active=True)
    RETENTION.drain()
    Decision.objects.filter(case=case).update(status="reopened")
    Decision.objects.create(
        case=case, outcome="approve", status="standing", rationale="Still fine.",
        made_by=person("sen"),
    )  # fmt: skip
    Erasure.objects.update(due_at=now())
    ERASURES.drain()
    assert Erasure.objects.get().status == Erasure.Status.REFUSED
    case.refresh_from_db()
    assert case.erased_at is None


def test_a_longer_rule_in_the_time_of_notice_stops_the_erasure(adm):
    case = decided(make_connection(), months=14)
    rule(is_active=True)
    RETENTION.drain()
    rule(months=60, is_active=True)
    Erasure.objects.update(due_at=now())
    ERASURES.drain()
    assert Erasure.objects.get().status == Erasure.Status.REFUSED
    case.refresh_from_db()
    assert case.erased_at is None


def test_a_case_with_an_open_report_of_suspicious_activity_is_kept(adm, client):
    case = decided(make_connection(), months=14)
    report = SuspicionReport.objects.create(
        case=case, noticed_on=now().date(), due_on=now().date(), made_by=person("sen")
    )
    answer = client.post(f"/cases/{case.pk}/erase/", {"reason": "Request 1"})
    assert answer.status_code == 422
    # The administrator may not know of reports.
    assert "A person has to look at it first." in answer.content.decode()
    assert "suspicious" not in answer.content.decode().lower()
    by_rule = rule(is_active=True)
    assert references(retention.due(by_rule)) == []
    SuspicionReport.objects.filter(pk=report.pk).update(status="withdrawn")
    assert references(retention.due(by_rule)) == [case.reference]


def test_the_erasure_of_a_case_tells_nobody_of_a_filed_report(adm, client):
    case = decided(make_connection())
    report = SuspicionReport.objects.create(
        case=case, noticed_on=now().date(), due_on=now().date(), made_by=person("sen")
    )
    SuspicionReport.objects.filter(pk=report.pk).update(status="withdrawn")
    trail.record(None, "suspicion_withdrawn", about=[SuspicionReport.objects.get()])
    client.post(f"/cases/{case.pk}/erase/", {"reason": "Request 1"})
    erasures.advance(case.erasures.get())
    case.refresh_from_db()
    assert case.erased_at
    # Neither readers of the case nor the subject may learn of it.
    for line in case.events.all():
        assert "suspicio" not in json.dumps([line.data, line.bindings]).lower()
    client.force_login(make_user("aud", role="auditor"))
    page = client.get(f"/cases/{case.pk}/privacy/").content.decode()
    assert "What remains" in page
    # The menu of an auditor has the list of reports.
    assert "SuspicionReport" not in page
    assert "it was filed" not in page
    for answer in (
        client.get(f"/cases/{case.pk}/evidence/"),
        client.post(f"/cases/{case.pk}/subject/"),
    ):
        with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as pack:
            for name in set(pack.namelist()) - {"verify.py"}:
                assert b"suspicio" not in pack.read(name).lower(), name
    # What was emptied is bound all the same.
    assert "suspicion_erased" in lines()
    assert not [f for f in verification.faults() if "suspicion" in f]


def test_a_hold_lasts_to_the_end_of_its_last_day(adm, client):
    case = decided(make_connection())
    day = datetime(2031, 5, 30, 12, tzinfo=UTC)
    with time_machine.travel(day, tick=False):
        client.force_login(adm)
        sent = {"reason": "Court", "until": "2031-05-31"}
        assert client.post(f"/cases/{case.pk}/hold/", sent).status_code == 303
    with time_machine.travel(day + timedelta(days=1), tick=False):
        client.force_login(adm)
        assert LegalHold.standing_of(case).exists()
        page = client.get(f"/cases/{case.pk}/privacy/").content.decode()
        assert "2031-05-31" in page or "31 May 2031" in page
    with time_machine.travel(day + timedelta(days=2), tick=False):
        assert not LegalHold.standing_of(case).exists()


def test_an_erased_case_cannot_be_put_on_hold(adm, client):
    case = decided(make_connection())
    client.post(f"/cases/{case.pk}/erase/", {"reason": "Request 1"})
    ERASURES.drain()
    answer = client.post(f"/cases/{case.pk}/hold/", {"reason": "Court"})
    assert answer.status_code == 422
    assert "were erased" in answer.content.decode()
    assert not LegalHold.objects.exists()


def test_a_held_or_open_case_is_not_erased(adm, client):
    case = decided(make_connection())
    client.post(f"/cases/{case.pk}/hold/", {"reason": "Court"})
    answer = client.post(f"/cases/{case.pk}/erase/", {"reason": "Request 1"})
    assert answer.status_code == 422
    assert "on hold" in answer.content.decode()
    hold = LegalHold.objects.get()
    assert client.post(f"/privacy/holds/{hold.pk}/lift/", {}).status_code == 422
    client.post(f"/privacy/holds/{hold.pk}/lift/", {"reason": "Court is over"})
    assert lines(case) == ["hold_placed", "hold_lifted"]
    Case.objects.filter(pk=case.pk).update(status=Case.Status.TO_REVIEW)
    answer = client.post(f"/cases/{case.pk}/erase/", {"reason": "Request 1"})
    assert "The case is open" in answer.content.decode()
    assert client.post(f"/cases/{case.pk}/erase/", {"reason": " "}).status_code == 422
    assert not Erasure.objects.exists()


def test_nobody_agrees_to_an_erasure_that_a_deactivated_person_planned(
    adm, client, settings
):
    settings.ERASURE_SECOND_PERSON = True
    case = decided(make_connection(), months=1)
    client.post(f"/cases/{case.pk}/erase/", {"reason": "Request 4711."})
    erasure = Erasure.objects.get()
    assert erasure.waits_for_second
    adm.is_active = False
    adm.save()
    client.force_login(make_user("adm2", role="administrator"))
    answer = client.post(f"/privacy/erasures/{erasure.pk}/")
    assert answer.status_code == 422
    assert "adm planned it, and was deactivated." in answer.content.decode()
    ERASURES.drain()
    erasure.refresh_from_db()
    assert erasure.status == Erasure.Status.PLANNED
    assert erasure.second_by is None


def test_a_second_person_agrees_where_that_is_switched_on(adm, client, settings):
    settings.ERASURE_SECOND_PERSON = True
    with running() as service:
        case = decided(make_connection(base_url=service.url))
        client.post(f"/cases/{case.pk}/erase/", {"reason": "Request 1"})
        ERASURES.drain()
        erasure = Erasure.objects.get()
        assert erasure.waits_for_second
        answer = client.post(f"/privacy/erasures/{erasure.pk}/")
        assert answer.status_code == 422
        client.force_login(make_user("adm2", role="administrator"))
        # One press does not erase: what is erased is opened, and read, before.
        page = client.get("/privacy/").content.decode()
        before = page[: page.index(f'action="/privacy/erasures/{erasure.pk}/"')]
        assert before.count("<details") == before.count("</details>") + 1
        assert "for good" in before[before.rindex("<details") :]
        client.post(f"/privacy/erasures/{erasure.pk}/")
        ERASURES.drain()
    erasure.refresh_from_db()
    assert (erasure.status, str(erasure.second_by)) == ("done", "adm2")
    assert lines(case) == [
        "erasure_planned",
        "erasure_confirmed",
        "case_erased",
        "erasure_done",
    ]


def test_what_is_planned_can_be_withdrawn(adm, client, settings):
    settings.ERASURE_SECOND_PERSON = True
    case = decided(make_connection())
    client.post(f"/cases/{case.pk}/erase/", {"reason": "Request 1"})
    erasure = Erasure.objects.get()
    address = f"/privacy/erasures/{erasure.pk}/withdraw/"
    assert client.post(address, {"reason": ""}).status_code == 422
    assert client.post(address, {"reason": "Sent twice"}).status_code == 303
    erasure.refresh_from_db()
    assert erasure.status == Erasure.Status.WITHDRAWN


@pytest.mark.parametrize("role", ["analyst", "senior", "integrator", "rule owner"])
def test_others_neither_hold_nor_erase(client, role):
    case = decided(make_connection())
    client.force_login(make_user("other", role=role))
    for address in (f"/cases/{case.pk}/hold/", f"/cases/{case.pk}/erase/"):
        assert client.post(address, {"reason": "Because"}).status_code == 403
    expected = 200 if role == "rule owner" else 403
    assert client.get("/privacy/").status_code == expected
    assert not LegalHold.objects.exists()
    assert not Erasure.objects.exists()


def test_auditors_see_and_do_nothing(client):
    case = decided(make_connection(), months=14)
    by = rule()
    client.force_login(make_user("aud", role="auditor"))
    assert client.get("/privacy/").status_code == 200
    assert client.get(f"/cases/{case.pk}/privacy/").status_code == 200
    listed = client.get(f"/privacy/rules/{by.pk}/due/?as=csv")
    assert case.reference in b"".join(listed.streaming_content).decode()
    assert lines()[-1] == "due_list_taken"
    assert client.post(f"/cases/{case.pk}/hold/", {"reason": "x"}).status_code == 403


def test_the_list_of_due_cases_as_a_file_needs_a_recent_login(client, settings):
    settings.STEP_UP_MINUTES = 30
    decided(make_connection(), months=13)
    address = f"/privacy/rules/{rule().pk}/due/"
    client.force_login(make_user("aud", role="auditor"))
    assert client.get(address).status_code == 200
    # Nobody has entered a password here.
    answer = client.get(f"{address}?as=csv")
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/account/reauthenticate/")
    assert "due_list_taken" not in lines()


def test_a_hold_on_a_reference_says_for_which_cases_it_comes_too_late(adm, client):
    case = decided(make_connection())
    Case.objects.filter(pk=case.pk).update(erased_at=now())
    sent = {"reason": "Court", "reference": case.reference}
    page = client.post("/privacy/holds/", sent, follow=True).content.decode()
    assert "The hold comes too late for 1 case with this reference" in page
    sent["reference"] = "another"
    page = client.post("/privacy/holds/", sent, follow=True).content.decode()
    assert "too late" not in page


def test_a_refused_hold_keeps_its_reason(adm, client):
    case = decided(make_connection())
    sent = {"reason": "A claim,\nstill open", "until": "soon"}
    for address in ("/privacy/holds/", f"/cases/{case.pk}/hold/"):
        answer = client.post(address, sent)
        assert answer.status_code == 422
        assert "A claim,<br>still open" in answer.content.decode()


def test_nothing_more_is_done_with_an_erased_case(adm, client):
    with running() as service:
        case = decided(make_connection(base_url=service.url))
        client.post(f"/cases/{case.pk}/erase/", {"reason": "Request 1"})
        ERASURES.drain()
    client.force_login(make_user("ana2", role="senior"))
    answer = client.post(f"/cases/{case.pk}/notes/", {"text": "Northwind again"})
    assert answer.status_code == 403
    case.refresh_from_db()
    assert not case.notes.exists()
    assert client.get(case.get_absolute_url()).status_code == 200


def test_a_service_that_does_not_answer_is_asked_again(adm, client):
    case = decided(make_connection())
    client.post(f"/cases/{case.pk}/erase/", {"reason": "Request 1"})
    ERASURES.drain()
    erasure = Erasure.objects.get()
    assert erasure.status == Erasure.Status.RUNNING
    assert erasure.due_at
    assert erasure.due_at > now()
    assert "eraseCase" in erasure.waits_for
    case.refresh_from_db()
    assert case.subject == "[erased]"


def test_what_a_person_writes_beside_an_erasure_is_not_kept_in_the_clear():
    case = make_case()
    person = make_user("ann")
    with transaction.atomic():
        erasing.erase(case, at=now())
    # The right was asked for before the erasure was committed.
    with pytest.raises(PermissionDenied, match="were erased"):
        trail.record(case, "tagged", {"tag": "cousin of Ida Lund"}, user=person)
    assert not CaseEvent.objects.filter(what="tagged").exists()
    # What holds nothing personal is recorded.
    trail.record(case, "evidence_taken", {}, user=person)
