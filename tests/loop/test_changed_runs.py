"""Somebody changes results in the database of the hub, which nothing there binds: what the desk notices,
and what it does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.db.models import Model

from agenthub.models import AgentJob, CheckRun, Delivery, ToolRun
from compliance.security.data_keys import DataKeyError
from compliance.security.personal_fields import opened
from compliance.work import queues
from reviews.intake import cases
from reviews.jobs import lifecycle
from reviews.models import Case, CheckResult, Job
from tests.factories import make_connection, make_hub

pytestmark = pytest.mark.django_db(transaction=True)

CHILD = {"first_name": "Ida", "last_name": "Lund", "date_of_birth": "2020-01-02"}


@pytest.fixture
def hub(served):
    return make_hub(make_connection(base_url=f"{served}/api/v1"))


@pytest.fixture
def checked(hub, work_off) -> Callable[[], Case]:
    """The hub has checked a child, and told nobody. The function lets everything go on."""
    cases.submit(
        actor=None, agent=hub["desk_kyc"], subject="Ida Lund", data=CHILD, documents=(),
        reference="R-1",
    )  # fmt: skip
    drain("reviews.tasks.advance_jobs")
    drain("agenthub.tasks.run_jobs")
    assert AgentJob.objects.get().recommendation == "Deny"
    assert not CheckResult.objects.exists()

    def go_on() -> Case:
        work_off()
        # The service is asked about what came after the end of the job.
        for _ in range(4):
            lifecycle.advance(Job.objects.get())
        return Case.objects.get()

    return go_on


def drain(name: str) -> None:
    while queues.registered()[name].drain():
        pass


def passed(results: dict[str, object]) -> dict[str, object]:
    return {**results, "passed": True, "verdict": "pass", "explanation": "Of age."}


def change_runs() -> None:
    """In the rows that getJobById answers from, by somebody who has the keys."""
    for run in CheckRun.objects.all():
        run.result = passed(run.result)
        run.verdict = "pass"
        run.save()
    for tool in ToolRun.objects.all():
        tool.results = passed(tool.results)
        tool.save()
    AgentJob.objects.update(recommendation="Approve")


def change_webhooks() -> None:
    """By somebody who has the keys."""
    for delivery in Delivery.objects.all():
        body = json.loads(bytes(delivery.body))
        if "results" in body:
            body["results"] = passed(body["results"])
        if "recommendation" in body:
            body["recommendation"] = "Approve"
        delivery.body = json.dumps(body).encode()
        delivery.save()


def write_in_the_clear(
    model: type[Model], name: str, change: Callable[[Any], Any]
) -> None:
    """By somebody who has the database, and no key."""
    field: Any = model._meta.get_field(name)
    for pk, value in model._base_manager.values_list("pk", name):
        stored = field.to_bytes(change(opened(value)))
        sql = f"UPDATE {model._meta.db_table} SET {field.column} = %s WHERE id = %s"  # noqa: S608
        with connection.cursor() as cursor:
            cursor.execute(sql, [stored, field_of_key(model, pk)])


def field_of_key(model: type[Model], pk: object) -> Any:
    assert model._meta.pk is not None
    return model._meta.pk.get_db_prep_value(pk, connection)


def test_what_is_not_changed_is_denied(checked):
    case = checked()
    assert (case.recommendation, case.alarm) == ("Deny", "")


def test_a_run_that_differs_from_its_webhook_is_an_alarm(checked):
    change_runs()
    case = checked()
    assert "does not confirm a result that a webhook brought" in case.alarm


def test_a_webhook_that_differs_from_its_run_improves_nothing(checked):
    change_webhooks()
    case = checked()
    assert case.recommendation == "Deny"
    assert "does not confirm a result that a webhook brought" in case.alarm


def test_after_the_desk_has_asked_a_change_is_a_later_result_and_an_alarm(checked):
    """Who has the keys is the service. What it said first stays, and a person sees the difference."""
    case = checked()
    rows = list(CheckResult.objects.order_by("pk").values())
    change_runs()
    again = checked()
    later = list(CheckResult.objects.order_by("pk").values())
    assert later[: len(rows)] == rows
    assert again.recommendation == case.recommendation == "Deny"
    assert "The service recommends “Approve” now. “Reject” stands" in again.alarm


@pytest.mark.parametrize("model", [CheckRun, ToolRun, Delivery, AgentJob])
def test_without_the_key_nobody_writes_a_result(checked, model):
    """Not even all of it together, in the clear, which versions before the first release had."""
    names = {
        CheckRun: "result", ToolRun: "results", Delivery: "body", AgentJob: "input_payload"
    }  # fmt: skip
    name = names[model]
    write_in_the_clear(model, name, lambda value: value)
    row = model._base_manager.first()
    with pytest.raises(DataKeyError):
        getattr(row, name)


def test_arguments_in_the_clear_let_no_child_pass(hub, work_off):
    """Somebody who has the database and no key sets the minimum age of a job that has not begun."""
    cases.submit(
        actor=None, agent=hub["desk_kyc"], subject="Ida Lund", data=CHILD, documents=(),
        reference="R-1",
    )  # fmt: skip
    drain("reviews.tasks.advance_jobs")
    chosen = json.dumps({"kyc.date_of_birth": {"minimum_age": 0}})
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE agenthub_agentjob SET check_args = %s", [chosen.encode()]
        )
    work_off()
    assert AgentJob.objects.get().recommendation != "Approve"
    assert not CheckResult.objects.filter(passed=True).exists()


def test_results_in_the_clear_approve_nothing(checked):
    write_in_the_clear(CheckRun, "result", passed)
    write_in_the_clear(ToolRun, "results", passed)
    CheckRun.objects.update(verdict="pass")
    AgentJob.objects.update(recommendation="Approve")
    Delivery.objects.all().delete()
    case = checked()
    assert case.recommendation != "Approve"
    assert not CheckResult.objects.filter(passed=True).exists()
