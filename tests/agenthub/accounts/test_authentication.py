from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils.timezone import now

from agenthub.accounts import api_keys
from agenthub.models import Account, ApiKey

ENDPOINTS = [
    ("POST", "startKYBAgentJob"),
    ("POST", "startKYCAgentJob"),
    ("GET", "getJobById"),
    ("GET", "getJobsByCaseId"),
    ("GET", "getCheckResults"),
]
UNAUTHORIZED = {"error": "Unauthorized", "message": "Invalid API key provided"}


def is_unauthorized(answer) -> bool:
    rows = answer.status_code, answer.json(), answer["WWW-Authenticate"]
    return rows == (401, UNAUTHORIZED, "Bearer")


@pytest.mark.parametrize(("method", "endpoint"), ENDPOINTS)
@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer ck_live_x",
        "Basic dTpw",
        "Bearer \xff\xfe",
        "Token x",
    ],
)
def test_whoever_has_no_key_is_told_so_and_nothing_else(
    caller, method, endpoint, header
):
    headers = {} if header is None else {"Authorization": header}
    answer = caller.client.generic(method, f"/api/v1/{endpoint}", b"{", headers=headers)

    assert is_unauthorized(answer)


def test_the_raw_key_without_its_scheme_is_refused(caller):
    answer = caller.client.get(
        "/api/v1/getJobById", headers={"Authorization": caller.api_key}
    )
    assert is_unauthorized(answer)


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_scheme_is_read_in_any_case(caller, scheme):
    answer = caller.client.get(
        "/api/v1/getJobById", headers={"Authorization": f"{scheme} {caller.api_key}"}
    )
    assert answer.status_code == 400


def test_a_revoked_key_is_refused(caller):
    api_keys.revoke(ApiKey.objects.get(account=caller.account))
    assert is_unauthorized(caller.get("getJobById"))


def test_an_expired_key_is_refused(caller):
    ApiKey.objects.filter(account=caller.account).update(
        expires_at=now() + timedelta(hours=1)
    )
    assert caller.get("getJobById").status_code == 400
    with time_machine.travel(now() + timedelta(hours=2)):
        assert is_unauthorized(caller.get("getJobById"))


def test_the_key_of_an_inactive_account_is_refused(caller):
    Account.objects.filter(pk=caller.account.pk).update(is_active=False)
    assert is_unauthorized(caller.get("getJobById"))


def test_a_key_that_was_lost_is_replaced_by_a_new_one(caller):
    api_keys.revoke(ApiKey.objects.get(account=caller.account))
    _, caller.api_key = api_keys.create(caller.account, name="next")
    assert caller.get("getJobById").status_code == 400


def test_the_key_stands_in_no_log(caller, caplog):
    caplog.set_level("DEBUG")
    caller.post("startKYBAgentJob", b"{")
    caller.get("getJobById")
    caller.client.get(
        "/api/v1/getJobById", headers={"Authorization": "Bearer ck_live_secret"}
    )
    assert caller.api_key not in caplog.text
    assert "ck_live_" not in caplog.text
