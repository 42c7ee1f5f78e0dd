"""Signing secrets turn with an overlap, and there is always one that signs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import Q
from django.utils.timezone import now

from agenthub.accounts import signing_secrets
from agenthub.models import Account, SigningSecret
from tests.clocks import travel

pytestmark = pytest.mark.django_db


@pytest.fixture
def account() -> Account:
    return Account.objects.create(name="Northwind")


def signer(account: Account) -> SigningSecret:
    row = signing_secrets.usable(account).filter(Q(signs_from__lte=now())).first()
    assert row is not None
    return row


def test_the_first_secret_signs_at_once(account):
    result, raw = signing_secrets.rotate(account)
    assert len(raw) >= 43
    assert signer(account) == result
    assert SigningSecret.objects.get().secret == raw


def test_the_old_secret_signs_through_the_overlap_and_then_the_new_one_does(account):
    old, _ = signing_secrets.rotate(account)
    new, _ = signing_secrets.rotate(account, overlap=timedelta(hours=2))
    assert signer(account) == old
    assert list(signing_secrets.usable(account)) == [new, old]
    with travel(now() + timedelta(hours=2, seconds=1)):
        assert signer(account) == new
        assert list(signing_secrets.usable(account)) == [new]


def test_a_third_rotation_leaves_no_moment_without_a_signer(account):
    for hours in (0, 24, 1, 48):
        signing_secrets.rotate(account, overlap=timedelta(hours=hours))
    for hours in range(60):
        with travel(now() + timedelta(hours=hours)):
            signer(account)


def test_a_secret_that_the_receivers_know_can_begin_early(account):
    old, _ = signing_secrets.rotate(account)
    new, _ = signing_secrets.rotate(account)
    assert signing_secrets.sign_now(new)
    assert signer(account) == new
    assert old not in signing_secrets.usable(account)
    assert not signing_secrets.sign_now(new)
    assert not signing_secrets.sign_now(old)


@pytest.mark.fault("F5", "a secret was leaked")
def test_a_secret_that_got_about_ends_at_once_and_the_next_begins(account):
    old, _ = signing_secrets.rotate(account)
    assert not signing_secrets.end(old), "the last one cannot end"
    new, _ = signing_secrets.rotate(account)
    assert signing_secrets.end(old)
    assert signer(account) == new
    assert not signing_secrets.end(old)
    assert not signing_secrets.end(new)


def test_a_secret_in_waiting_between_two_others_leaves_no_old_one_behind(account):
    old, _ = signing_secrets.rotate(account)
    between, _ = signing_secrets.rotate(account, overlap=timedelta(hours=24))
    new, _ = signing_secrets.rotate(account, overlap=timedelta(hours=48))
    assert signing_secrets.end(between)
    with travel(now() + timedelta(hours=47)):
        assert signer(account) == old
    with travel(now() + timedelta(hours=49)):
        assert signer(account) == new
        assert list(signing_secrets.usable(account)) == [new]


def test_a_secret_in_waiting_can_be_taken_back(account):
    old, _ = signing_secrets.rotate(account)
    new, _ = signing_secrets.rotate(account)
    assert signing_secrets.end(new)
    assert signer(account) == old
    with travel(now() + timedelta(days=3)):
        assert signer(account) == old
