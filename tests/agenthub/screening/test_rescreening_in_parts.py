"""Everybody is matched against a change in parts, which workers do side by side."""

from __future__ import annotations

import pytest
from django.db import connection

from agenthub.jobs import rescreening
from agenthub.models import AgentJob
from agenthub.models import lists as list_models
from agenthub.models.lists import ListVersion, Rescreening
from agenthub.screening import catalogue, loading, sample_lists
from agenthub.tasks import RESCREENING
from compliance.db import clock
from compliance.work.rows import LeaseLostError
from tests.agenthub.screening.test_checks import LISTED, SANCTIONS
from tests.factories import make_hub, make_user

pytestmark = pytest.mark.django_db(transaction=True)
Status = Rescreening.Status


@pytest.fixture
def jobs(tmp_path):
    """Seven people who are known, each with the name of somebody who is listed later."""
    hub = make_hub()
    rows = []
    for number in range(7):
        data = {**LISTED, "email": f"{number}@example.com"}
        job = AgentJob.objects.create(
            account=hub["account"], agent=hub["kyc"], case_id=f"c-{number}",
            status="COMPLETE", due_at=None,
            input_payload={"kyc_schema": {"id": f"c-{number}", "self_attested_data": data}},
        )  # fmt: skip
        rows.append(job)
    return rows


@pytest.fixture
def load(tmp_path):
    def load() -> ListVersion:
        path = tmp_path / "sdn"
        path.write_bytes(sample_lists.ofac_sdn_xml())
        return loading.load(catalogue.source("ofac_sdn"), path)

    return load


def ranges(version: ListVersion) -> list[tuple[int, int | None]]:
    rows = Rescreening.objects.filter(version=version).order_by("pk")
    return [(row.reached, row.until) for row in rows]


def claimed() -> Rescreening:
    [row] = RESCREENING.claim()
    assert isinstance(row, Rescreening)
    return row


def test_few_are_one_part(jobs, load):
    [(reached, until)] = ranges(load())
    assert reached < jobs[0].pk
    assert until is None


def test_nobody_known_is_one_part(load, db):
    assert ranges(load()) == [(-1, None)]


@pytest.mark.parametrize("parts", [2, 3, 4, 7, 9])
def test_each_job_is_in_one_part(jobs, load, monkeypatch, parts):
    monkeypatch.setattr(list_models, "PARTS", parts)
    monkeypatch.setattr(list_models, "FEWEST_IN_PART", 1)
    result = ranges(load())
    assert 1 < len(result) <= parts
    for job in jobs:
        holding = [
            (reached, until)
            for reached, until in result
            if reached < job.pk and (until is None or job.pk <= until)
        ]
        assert len(holding) == 1, job.pk
    assert [until for _, until in result].count(None) == 1


def test_all_parts_together_raise_everybody(jobs, load, client, monkeypatch):
    monkeypatch.setattr(list_models, "FEWEST_IN_PART", 1)
    version = load()
    rows = list(Rescreening.objects.filter(version=version))
    assert len(rows) == list_models.PARTS
    # In another order than that in which they were made.
    for row in reversed(rows):
        rescreening.perform(row)
    assert set(version.rescreenings.values_list("status", flat=True)) == {Status.DONE}
    assert sum(version.rescreenings.values_list("raised", flat=True)) == len(jobs)
    assert AgentJob.objects.filter(is_bulk=True).count() == len(jobs)
    client.force_login(make_user("root", is_superuser=True))
    page = client.get("/hub/lists/ofac_sdn/").content.decode()
    assert "7 cases raised" in page


def test_a_part_that_failed_shows_beside_one_that_is_done(
    jobs, load, client, monkeypatch
):
    monkeypatch.setattr(list_models, "PARTS", 2)
    monkeypatch.setattr(list_models, "FEWEST_IN_PART", 1)
    first, second = Rescreening.objects.filter(version=load()).order_by("pk")
    rescreening.perform(first)
    rescreening.give_up(second, "It failed after 8 attempts.")
    client.force_login(make_user("root", is_superuser=True))
    page = " ".join(client.get("/hub/lists/ofac_sdn/").content.decode().split())
    assert "Failed, 4 cases raised" in page
    assert "It failed after 8 attempts." in page


def test_a_part_lets_other_work_have_its_turn(jobs, load, monkeypatch):
    monkeypatch.setattr(rescreening, "BATCH", 2)
    monkeypatch.setattr(rescreening, "DRAIN_SECONDS", 0)
    version = load()
    row = claimed()
    rescreening.perform(row)
    row.refresh_from_db()
    assert (row.status, row.reached, row.raised) == (Status.DUE, jobs[1].pk, 2)
    assert row.leased_until is None
    # Due again: the queue goes on with it to the end.
    RESCREENING.drain()
    [row] = Rescreening.objects.filter(version=version)
    assert (row.status, row.raised) == (Status.DONE, 7)


def test_a_part_that_another_worker_took_over_writes_no_more(jobs, load):
    load()
    row = claimed()
    Rescreening.objects.update(claim_count=row.claim_count + 1)
    with pytest.raises(LeaseLostError):
        rescreening.perform(row)
    assert Rescreening.objects.get().reached < jobs[0].pk


def test_the_new_job_has_the_arguments_of_the_one_before(jobs, load, work_off):
    job = jobs[0]
    job.check_ids = [SANCTIONS]
    # By these a certain hit goes to a person, and by those of the agent it fails.
    job.check_args = {SANCTIONS: {"policy": {"failing_topics": []}}}
    job.request_proof = job.proof()
    job.save()
    load()
    work_off()
    raised = AgentJob.objects.filter(case_id=job.case_id).latest("pk")
    assert raised.pk != job.pk
    [run] = raised.check_runs.all()
    assert (run.check_id, run.result["verdict"]) == (SANCTIONS, "review")


def damage(job: AgentJob) -> None:
    """As after a wrong restore, or a change past the hub: nobody can read what was submitted."""
    other = AgentJob.objects.exclude(pk=job.pk)[0]
    table = AgentJob._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {table} SET input_payload = (SELECT substr(input_payload, 1, 40)"  # noqa: S608
            f" FROM {table} WHERE id = %s) WHERE id = %s",
            [other.pk, job.pk],
        )


def test_a_job_that_cannot_be_read_keeps_no_other_one_from_being_compared(
    jobs, load, client, caplog
):
    damage(jobs[2])
    version = load()
    RESCREENING.drain()
    raised = AgentJob.objects.filter(is_bulk=True)
    names = set(raised.values_list("case_id", flat=True))
    assert names == {job.case_id for job in jobs if job != jobs[2]}
    assert f"the comparison of job {jobs[2].job_id} failed" in caplog.text
    # Its own part is tried again, and then shows who was not compared.
    whole, single = version.rescreenings.order_by("pk")
    assert (whole.status, whole.raised) == (Status.DONE, 6)
    assert (single.reached, single.until) == (jobs[2].pk - 1, jobs[2].pk)
    assert (single.status, single.failures) == (Status.DUE, 1)
    for _ in range(RESCREENING.max_failures):
        Rescreening.objects.filter(due_at__isnull=False).update(due_at=clock.now())
        RESCREENING.drain()
    single.refresh_from_db()
    assert single.status == Status.FAILED
    client.force_login(make_user("root", is_superuser=True))
    letters = client.get("/queues/failed/rescreenings/").content.decode()
    assert str(jobs[2].job_id) in letters
