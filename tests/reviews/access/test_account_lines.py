"""Whoever gives themselves a role, or a colleague another password, behind the desk is found."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Group, Permission, User

from reviews.access import account_lines, roles
from reviews.audit import trail, verification
from reviews.models import CaseEvent
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def faults() -> list[str]:
    trail.seal_all()
    return list(verification.faults())


@pytest.fixture
def ana(clean) -> User:
    user = make_user("ana", role=roles.ANALYST)
    assert faults() == []
    return user


TAMPERS: dict[str, Callable[[User], object]] = {
    "role": lambda user: User.groups.through.objects.create(
        user=user, group=Group.objects.get(name=roles.SENIOR)
    ),
    "permission": lambda user: User.user_permissions.through.objects.create(
        user=user, permission=Permission.objects.earliest("pk")
    ),
    "superuser": lambda user: User.objects.filter(pk=user.pk).update(is_superuser=True),
    "password": lambda user: User.objects.filter(pk=user.pk).update(
        password=User.objects.get(username="sven").password
    ),
    "address": lambda user: User.objects.filter(pk=user.pk).update(
        email="me@b.example"
    ),
    "inactive": lambda user: User.objects.filter(pk=user.pk).update(is_active=False),
}


@pytest.mark.parametrize("tamper", TAMPERS.values(), ids=TAMPERS)
def test_an_account_that_was_changed_behind_the_desk_is_found(ana, tamper):
    make_user("sven", role=roles.SENIOR)
    tamper(ana)
    [fault] = faults()
    assert fault.startswith(f"auth_user {ana.pk} is not as event ")


def test_a_user_and_a_role_that_were_put_in_are_found(ana):
    User.objects.bulk_create([User(username="eve", is_superuser=True)])
    Group.objects.bulk_create([Group(name="all")])
    text = " ".join(faults())
    assert f"auth_user {User.objects.get(username='eve').pk}: no line" in text
    assert f"auth_group {Group.objects.get(name='all').pk}: no line" in text


def test_a_role_that_allows_more_is_found(ana):
    group = Group.objects.get(name=roles.ANALYST)
    permission = Permission.objects.exclude(group=group).earliest("pk")
    Group.permissions.through.objects.create(group=group, permission=permission)
    [fault] = faults()
    assert fault.startswith(f"auth_group {group.pk} is not as event ")


def test_what_the_desk_itself_changes_holds(ana, client):
    senior = Group.objects.get(name=roles.SENIOR)
    permission = Permission.objects.earliest("pk")
    ana.groups.add(senior)
    ana.groups.remove(senior)
    senior.user_set.add(ana)
    senior.user_set.clear()
    permission.group_set.add(senior)
    permission.user_set.add(ana)
    ana.groups.clear()
    ana.set_password("another of hers")
    ana.save(update_fields=["password"])
    other = Group.objects.create(name="other")
    ana.groups.set([other])
    assert faults() == []
    other.delete()
    permission.delete()
    assert faults() == []
    ana.delete()
    assert faults() == []


def test_a_login_writes_no_line_about_the_account(ana, client):
    before = CaseEvent.objects.filter(what="setting_bound").count()
    client.force_login(ana)
    assert CaseEvent.objects.filter(what="setting_bound").count() == before
    assert faults() == []


def test_accounts_of_a_version_before_this_are_bound_once(ana):
    User.objects.bulk_create([User(username="old")])
    assert faults()
    # The installation of the tests has been bound when it was made.
    count = CaseEvent.objects.count()
    account_lines.bind_accounts()
    assert CaseEvent.objects.count() == count
    assert faults()
