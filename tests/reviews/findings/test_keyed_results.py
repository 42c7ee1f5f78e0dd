"""The identity of a result is a keyed hash: who has the database alone can test no guess."""

from __future__ import annotations

import hashlib
from io import StringIO

import orjson
import pytest
from django.core.management import call_command
from django.db.migrations import Migration

from reviews.audit import trail, verification
from reviews.findings.values import keyed_hashes
from reviews.jobs import completion, result_rows
from reviews.models import CheckResult, Job
from tests.factories import make_case, make_connection, make_job

pytestmark = pytest.mark.django_db
URL = "http://desk.example/documents/1f/file/a-signed-token"
BODY = {
    "passed": True,
    "payload": {
        "first_name": "Ida",
        "last_name": "Lund",
        "date_of_birth": "1981-07-23",
        "document": {"type": "Document", "url": URL},
    },
}
ITEM = {"check_id": "kyc.x", "status": "completed", "result": {"first_name": "Ida"}}
PLAN = [(Migration(keyed_hashes.RESULTS, "reviews"), False)]


@pytest.fixture
def job() -> Job:
    return make_job(make_case(make_connection()))


def report(job: Job) -> None:
    """A webhook of a tool, and a check result of the service's answer."""
    tool = result_rows.tool_result(job, "ocr", BODY)
    completion.apply_webhooks(job, [tool])
    checks = result_rows.check_results(job, {"check_results": [ITEM]})
    completion.apply_results(job, checks)


def plain_digest(content: object) -> str:
    text = orjson.dumps(content, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
    return hashlib.sha256(text).hexdigest()


def plain_subjects() -> dict[str, str]:
    """As an earlier version stored them."""
    content: dict[str, object] = {
        "result": ITEM["result"],
        "status": "completed",
    }
    content |= dict.fromkeys(["payload", "error", "passed", "verdict"])
    return {
        "tool": f"{URL}#{plain_digest(BODY)}",
        "check": f"sha256:{plain_digest(content)}",
    }


def subjects() -> dict[str, str]:
    return dict(CheckResult.objects.values_list("source", "subject"))


def faults() -> list[str]:
    return list(verification.row_faults([CheckResult]))


def test_nobody_can_test_a_guess_or_take_a_link_from_it(job):
    report(job)
    for source, plain in plain_subjects().items():
        stored = subjects()[source]
        assert len(stored) == 64
        assert "documents" not in stored
        known = {plain, plain.rpartition("#")[2], plain.removeprefix("sha256:")}
        hashes = {hashlib.sha256(text.encode()).hexdigest() for text in known}
        assert stored not in known | hashes


def test_what_comes_again_is_the_same_result(job):
    report(job)
    before = subjects()
    report(job)
    assert subjects() == before
    assert CheckResult.objects.count() == 2


def test_it_stays_the_same_when_the_key_changes(job, settings):
    report(job)
    before = subjects()
    trail.seal_all()
    settings.ENCRYPTION_KEY = f"new,{settings.ENCRYPTION_KEY}"
    call_command("reencrypt", stdout=StringIO())
    settings.ENCRYPTION_KEY = "new"
    report(Job.objects.get())
    assert subjects() == before
    assert CheckResult.objects.count() == 2
    assert faults() == []


def store_as_before(job: Job) -> None:
    report(job)
    for source, subject in plain_subjects().items():
        CheckResult.objects.filter(source=source).update(subject=subject)
    trail.record(job.case, "results", {}, about=[*CheckResult.objects.all()])


def test_what_an_earlier_version_stored_is_keyed(job):
    report(job)
    keyed = subjects()
    store_as_before(job)
    keyed_hashes.key_after_migrate(plan=PLAN)
    assert subjects() == keyed
    assert faults() == []
    # The service repeats what it reported before the upgrade.
    report(job)
    assert CheckResult.objects.count() == 2


def test_a_running_check_keeps_its_place(job):
    item = {"check_id": "kyc.y", "status": "running"}
    rows = result_rows.check_results(job, {"check_results": [item]})
    completion.apply_results(job, rows)
    keyed_hashes.key_after_migrate(plan=PLAN)
    assert CheckResult.objects.get().subject == ""


def test_a_result_that_was_changed_in_the_database_is_not_bound_again(job):
    store_as_before(job)
    CheckResult.objects.filter(source="tool").update(passed=False)
    keyed_hashes.key_after_migrate(plan=PLAN)
    assert subjects()["tool"] == plain_subjects()["tool"]
    [fault] = faults()
    assert fault.startswith("reviews_checkresult")


def test_all_rows_are_keyed_page_by_page(job, monkeypatch):
    monkeypatch.setattr(verification, "BATCH", 2)
    rows = [result_rows.tool_result(job, f"tool-{n}", {"n": n}) for n in range(5)]
    completion.apply_webhooks(job, rows)
    for row in CheckResult.objects.all():
        row.subject = f"sha256:{row.pk}"
        row.save()
    trail.record(job.case, "results", {}, about=[*CheckResult.objects.all()])
    keyed_hashes.key_after_migrate(plan=PLAN)
    assert not CheckResult.objects.filter(subject__startswith="sha256:").exists()
    assert faults() == []
