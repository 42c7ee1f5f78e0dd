"""Queries that are compiled once answer as the ORM does, for every value and in every thread."""

from __future__ import annotations

import threading

import pytest
from django.db import connection

from agenthub.accounts import api_keys
from agenthub.models import AgentJob
from agenthub.statements import Statement
from tests.agenthub.conftest import make_caller

BY_CASE = Statement(
    lambda case: AgentJob.objects.filter(case_id=case).order_by("id").values(
        "pk", "job_id", "created_at", "case_id"
    ),
    case="?case",
)  # fmt: skip

BY_KEYS = Statement(
    lambda keys: AgentJob.objects.filter(pk__in=keys).order_by("id").values("pk"), keys=[-7]
)


@pytest.mark.django_db(transaction=True)
def test_it_answers_as_the_orm_does_in_every_thread():
    caller = make_caller()
    for case in ("a", "b", "?case"):
        body = caller.kyb_body()
        body["kyb_schema"]["id"] = case
        caller.job(input_payload=body)
    found: list[bool] = []

    def ask() -> None:
        try:
            for case in ("a", "b", "?case", "nothing"):
                rows = AgentJob.objects.filter(case_id=case).order_by("id")
                expected = rows.values_list("pk", "job_id", "created_at", "case_id")
                found.append(list(BY_CASE.run(case=case)) == list(expected))
        finally:
            connection.close()

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 16


def test_a_list_may_have_any_length(caller):
    made = [caller.job().pk for _ in range(3)]
    for some in ([], made[:1], made):
        assert BY_KEYS.run(keys=some) == [(pk,) for pk in some]
    assert BY_KEYS.names == ("pk",)


def test_a_key_is_found_with_its_account(caller):
    key = api_keys.find(caller.api_key)
    assert key is not None
    assert (key.account, key.account.name) == (caller.account, caller.account.name)
    assert key == caller.account.api_keys.get()
    assert api_keys.find("ck_live_nothing") is None
