from __future__ import annotations

import hashlib
from datetime import timedelta

import pytest
import time_machine
from django.db import OperationalError, connection
from django.utils.timezone import now

from agenthub.accounts import api_keys
from agenthub.models import Account, ApiKey

pytestmark = pytest.mark.django_db


@pytest.fixture
def account() -> Account:
    return Account.objects.create(name="Northwind")


def test_a_key_is_kept_as_a_hash_and_told_by_its_first_characters(account):
    key, raw = api_keys.create(account, name="ours")

    assert raw.startswith("ck_live_")
    # 32 bytes in base64url.
    assert len(raw) == len("ck_live_") + 43
    assert key.digest == hashlib.sha256(raw.encode()).hexdigest()
    assert raw.startswith(key.prefix)
    assert len(key.prefix) == 12
    assert raw not in str(ApiKey.objects.filter(pk=key.pk).values().get())


def test_no_two_keys_are_alike(account):
    assert len({api_keys.create(account, name="")[1] for _ in range(50)}) == 50


def test_a_valid_key_is_found_with_its_account(account):
    key, raw = api_keys.create(account, name="ours")

    assert api_keys.find(raw) == key
    assert api_keys.find(raw + "x") is None
    assert api_keys.find("") is None
    assert api_keys.find("ck_live_\udcff") is None


def test_a_revoked_key_ends_at_once_and_keeps_the_time(account):
    key, raw = api_keys.create(account, name="ours")
    api_keys.revoke(key)
    first = key.revoked_at
    api_keys.revoke(key)

    assert first is not None
    assert key.revoked_at == first
    assert api_keys.find(raw) is None


def test_an_expired_key_is_not_found(account):
    _, raw = api_keys.create(
        account, name="ours", expires_at=now() + timedelta(hours=1)
    )

    assert api_keys.find(raw) is not None
    with time_machine.travel(now() + timedelta(hours=2)):
        assert api_keys.find(raw) is None


def test_the_keys_of_an_inactive_account_are_not_found(account):
    _, raw = api_keys.create(account, name="ours")
    Account.objects.update(is_active=False)

    assert api_keys.find(raw) is None


def test_the_last_use_is_written_at_most_once_a_minute(
    account, django_assert_num_queries
):
    key, raw = api_keys.create(account, name="ours")
    with django_assert_num_queries(2):
        api_keys.find(raw)
    key.refresh_from_db()
    first = key.last_used_at
    assert first is not None

    with django_assert_num_queries(1):
        api_keys.find(raw)
    with time_machine.travel(now() + timedelta(seconds=61)):
        api_keys.find(raw)
    key.refresh_from_db()
    assert key.last_used_at is not None
    assert key.last_used_at > first


@pytest.mark.django_db(
    transaction=True
)  # a write that fails ends the transaction around it
def test_a_use_that_cannot_be_noted_turns_nobody_away(account):
    _, raw = api_keys.create(account, name="ours")

    def busy(execute, sql, *rest):
        if sql.startswith("UPDATE"):
            raise OperationalError("database is locked")
        return execute(sql, *rest)

    with connection.execute_wrapper(busy):
        result = api_keys.find(raw)
    assert result is not None
    assert result.last_used_at is None
    assert api_keys.find(raw) is not None
    assert ApiKey.objects.get(pk=result.pk).last_used_at is not None
