"""An engine upgrade makes an index anew, and everybody who is known is screened again by it."""

from __future__ import annotations

import uuid

import pytest

from agenthub import tasks
from agenthub.jobs import lifecycle, rescreening
from agenthub.models import Agent, AgentJob, CheckRun
from agenthub.models.lists import ListEntity, ListPosting, ListVersion, Rescreening
from agenthub.screening import catalogue, loading, sample_lists
from tests.agenthub.screening.test_checks import CLEAR, LISTED, SANCTIONS, run

pytestmark = pytest.mark.django_db
ALIKE = {"first_name": "Marisol", "last_name": "Quintero"}
PEP = "kyc.pep_screening_check_v2"
ADDRESS = "kyc.proof_of_address_verification"
# A name alone is no hit by these.
STRICT = {"policy": {"possible_person": 1.0, "strong": 1.0, "version": "strict"}}


@pytest.fixture
def older(tmp_path):
    """A list whose index an older engine made, which found nobody."""
    path = tmp_path / "sdn"
    path.write_bytes(sample_lists.ofac_sdn_xml())
    loading.load(catalogue.source("ofac_sdn"), path)
    Rescreening.objects.all().delete()
    ListVersion.objects.update(engine_version="1")
    ListPosting.objects.all().delete()


def upgraded(work_off) -> list[AgentJob]:
    """The jobs that the upgrade made."""
    before = set(AgentJob.objects.values_list("pk", flat=True))
    tasks.reindex_lists()
    work_off()
    return [job for job in AgentJob.objects.all() if job.pk not in before]


def test_who_is_found_by_the_new_engine_is_raised_and_others_are_not(older, work_off):
    assert run("kyc", SANCTIONS, LISTED)["verdict"] == "inconclusive"
    run("kyc", SANCTIONS, CLEAR)
    [raised] = upgraded(work_off)
    assert raised.schema["self_attested_data"] == LISTED
    assert raised.check_runs.get(check_id=SANCTIONS).result["verdict"] == "fail"
    row = Rescreening.objects.get()
    assert (row.status, row.raised) == (Rescreening.Status.DONE, 1)
    # Once: the hit is known now, and the engine is the same.
    assert upgraded(work_off) == []


def test_a_name_that_was_only_weak_before_is_a_new_hit(older, work_off):
    run("kyc", SANCTIONS, LISTED)
    row = CheckRun.objects.get()
    result = row.result
    entry = {"id": "ofac-900001"}
    content = ListEntity.objects.get(external_id="ofac-900001").content_hash
    result["payload"]["screening"]["matches"] = [
        {"list": {"slug": "ofac_sdn"}, "entry": entry, "content_hash": content, "band": "weak"}
    ]  # fmt: skip
    row.result = result
    row.save()
    assert len(upgraded(work_off)) == 1


def test_a_hit_that_asked_before_is_none(older, work_off):
    run("kyc", SANCTIONS, LISTED)
    row = CheckRun.objects.get()
    result = row.result
    content = ListEntity.objects.get(external_id="ofac-900001").content_hash
    result["payload"]["screening"]["matches"] = [
        {"list": {"slug": "ofac_sdn"}, "entry": {"id": "ofac-900001"},
         "content_hash": content, "band": "strong"}
    ]  # fmt: skip
    row.result = result
    row.save()
    assert upgraded(work_off) == []


def test_by_the_thresholds_of_the_agent(older, work_off):
    """A name alone is no hit for an agent that asks for a score of 1."""
    run("kyc", SANCTIONS, ALIKE)
    agent = AgentJob.objects.get().agent
    strict = {"policy": {"possible_person": 1.0, "strong": 1.0, "version": "strict"}}
    agent.checks = [
        {"check_id": check_id, "arguments": strict}
        for check_id in rescreening.CHECKS["kyc"]
    ]
    agent.save()
    assert upgraded(work_off) == []
    Rescreening.objects.all().delete()
    ListVersion.objects.filter(status="active").update(engine_version="1")
    agent.checks = []
    agent.save()
    assert len(upgraded(work_off)) == 1


def test_it_goes_on_where_it_was_cut_off(older, work_off, monkeypatch):
    monkeypatch.setattr(rescreening, "BATCH", 1)
    run("kyc", SANCTIONS, CLEAR)
    run("kyc", SANCTIONS, LISTED)
    tasks.reindex_lists()
    row = Rescreening.objects.get()
    looked_at = []
    is_concerned = rescreening._is_concerned

    def cut_off(job, lists, policies, ended):
        looked_at.append(job.pk)
        if len(looked_at) == 2:
            raise SystemExit("killed")
        return is_concerned(job, lists, policies, ended)

    monkeypatch.setattr(rescreening, "_is_concerned", cut_off)
    with pytest.raises(SystemExit, match="killed"):
        rescreening.perform(row)
    row.refresh_from_db()
    assert row.reached == looked_at[0]
    rescreening.perform(row)
    # The one that was done is not looked at again.
    assert looked_at == [looked_at[0], looked_at[1], looked_at[1]]
    row.refresh_from_db()
    assert (row.status, row.raised) == (Rescreening.Status.DONE, 1)


@pytest.fixture
def by_strict_thresholds(older):
    """A case that was screened by strict thresholds, of the agent and of the job."""
    run("kyc", SANCTIONS, ALIKE)
    job = AgentJob.objects.get()
    job.agent.checks = [{"check_id": SANCTIONS, "arguments": STRICT}]
    job.agent.save()
    return job


def followed_by_another_agent(job: AgentJob) -> Agent:
    """The newest job of the case is of this agent, which screens nobody. Returns the agent."""
    agent = Agent.objects.create(
        account=job.account,
        key="addresses",
        name="Addresses",
        kind="kyc",
        checks=[{"check_id": ADDRESS}],
    )
    later, _ = lifecycle.create(
        agent=agent, job_id=uuid.uuid4(), input_payload=job.input_payload
    )
    lifecycle.advance(later)
    later.refresh_from_db()
    assert later.status == "COMPLETE"
    return agent


def test_an_agent_that_screens_nobody_does_not_change_the_thresholds(
    by_strict_thresholds, work_off
):
    followed_by_another_agent(by_strict_thresholds)
    assert upgraded(work_off) == []


def test_a_case_is_screened_again_as_it_was_screened_last(
    by_strict_thresholds, work_off
):
    """Also if the newest job is of an agent that screens nobody."""
    job = by_strict_thresholds
    job.agent.checks = [{"check_id": SANCTIONS}]
    job.agent.save()
    lax = {"policy": {"possible_person": 0.8, "version": "lax"}}
    job.check_args = {SANCTIONS: lax}
    job.save()
    followed_by_another_agent(job)
    [raised] = upgraded(work_off)
    assert raised.agent == job.agent
    assert raised.check_ids == [SANCTIONS]
    assert raised.check_args == {SANCTIONS: lax}


def test_each_check_keeps_the_arguments_of_the_agent_that_ran_it(
    by_strict_thresholds, work_off
):
    """Sanctions by one agent, politically exposed persons by another one later."""
    job = by_strict_thresholds
    lax = {"policy": {"possible_person": 0.8, "version": "lax"}}
    job.agent.checks = [{"check_id": SANCTIONS, "arguments": lax}]
    job.agent.save()
    agent = followed_by_another_agent(job)
    agent.checks = [{"check_id": PEP, "arguments": STRICT}]
    agent.save()
    [raised] = upgraded(work_off)
    assert raised.agent == agent
    assert raised.check_ids == [SANCTIONS, PEP]
    assert raised.check_args == {SANCTIONS: lax}
