"""Whoever gives themselves a role, or a colleague another password, behind the desk is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.db.migrations import Migration
from django.utils.timezone import now

from compliance.security import data_keys
from compliance.security.data_keys import DataKey
from compliance.security.encryption import encrypt
from reviews.access import account_lines, roles
from reviews.audit import bound_rows, trail, verification
from reviews.models import CaseEvent
from tests.factories import make_case, make_connection, make_user

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
    "name": lambda user: User.objects.filter(pk=user.pk).update(last_name="Other"),
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


def factor(user: User) -> Authenticator:
    secret = {"secret": encrypt("JBSWY3DPEHPK3PXP")}
    return Authenticator.objects.create(user=user, type="totp", data=secret)


def linked(user: User) -> SocialAccount:
    return SocialAccount.objects.create(user=user, provider="company", uid="1")


def address(user: User) -> EmailAddress:
    return EmailAddress.objects.create(user=user, email="ana@b.example", primary=True)


MAKERS = {"factor": factor, "linked": linked, "address": address}
CHANGES: dict[str, dict[str, Any]] = {
    "factor": {"data": {"secret": "of another device"}},
    "linked": {"uid": "2"},
    "address": {"email": "me@evil.example"},
}


@pytest.mark.parametrize("kind", MAKERS)
def test_a_way_to_sign_in_that_was_changed_behind_the_desk_is_found(ana, kind):
    row = MAKERS[kind](ana)
    assert faults() == []
    rows = type(row)._default_manager.filter(pk=row.pk)
    rows.update(**CHANGES[kind])
    [fault] = faults()
    assert fault.startswith(f"{row._meta.db_table} {row.pk} is not as event ")
    rows._raw_delete(using="default")
    [fault] = faults()
    assert fault.startswith(f"{row._meta.db_table} {row.pk} is gone.")


@pytest.mark.parametrize("kind", MAKERS)
def test_a_way_to_sign_in_that_was_put_in_is_found(ana, kind):
    row = MAKERS[kind](ana)
    model = type(row)
    row.delete()
    assert faults() == []
    row.pk = None
    [added] = model._default_manager.bulk_create([row])
    assert faults() == [
        f"{model._meta.db_table} {added.pk}: no line of the trail is about it."
    ]


@pytest.mark.parametrize("kind", MAKERS)
def test_the_lines_have_no_secret_and_no_address(ana, kind):
    row = MAKERS[kind](ana)
    line = CaseEvent.objects.latest("pk")
    what = str(row._meta.verbose_name)
    assert line.data == {"what": what, "which": str(ana.pk), "act": "added"}
    assert line.bindings[0]["table"] == row._meta.db_table
    # A save that changes nothing writes no line, and takes nothing as right.
    row.save()
    assert CaseEvent.objects.latest("pk") == line


def test_permissions_whose_names_were_swapped_are_found(ana):
    first, second = Permission.objects.filter(content_type__app_label="reviews")[:2]
    names = {first.pk: second.codename, second.pk: first.codename}
    Permission.objects.filter(pk=first.pk).update(codename="between")
    for pk in (second.pk, first.pk):
        Permission.objects.filter(pk=pk).update(codename=names[pk])
    text = " ".join(faults())
    assert f"auth_permission {first.pk} is not as event " in text
    assert f"auth_permission {second.pk} is not as event " in text


def test_a_permission_of_a_new_version_is_bound_by_its_migrate(ana):
    table = ContentType.objects.earliest("pk")
    Permission.objects.bulk_create([Permission(content_type=table, codename="new")])
    assert faults()
    account_lines.bind_rights()
    assert faults() == []
    count = CaseEvent.objects.count()
    account_lines.bind_rights()
    assert CaseEvent.objects.count() == count


def test_a_key_that_was_erased_in_the_database_hides_nothing(ana):
    """Without its key the hashes of a case cannot be computed again."""
    case = make_case(make_connection(), submitted_by=ana)
    trail.record(case, "submitted", {}, user=ana, about=[case])
    assert [line for line in faults() if "reviews_case" in line] == []
    key = DataKey.objects.get(pk=case.data_key_id_for_personal())
    DataKey.objects.filter(pk=key.pk).update(wrapped=b"", erased_at=now())
    data_keys.forget()
    assert any(f"reviews_case {case.pk} is not as" in line for line in faults())


def test_names_of_an_earlier_version_are_bound_once_by_the_upgrade(clean, monkeypatch):
    # The tables of the tests were migrated, too.
    monkeypatch.setattr(verification, "_PAGES", ("reviews", "0050_of_the_test"))
    full = bound_rows.BOUND[User]
    # The lines of that time did not prove the names.
    bound_rows.BOUND[User] = replace(full, later="")
    try:
        ana = make_user("ana", first_name="Ana", last_name="Right")
        pia = make_user("pia", first_name="Pia")
    finally:
        bound_rows.BOUND[User] = full
    assert len(faults()) == 2
    plan = [(Migration("0050_of_the_test", "reviews"), False)]
    verification.bind_after_migrate(plan=plan)
    assert faults() == []
    # Who removes the migration from its table binds nothing else.
    User.objects.filter(pk=pia.pk).update(first_name="Ana", last_name="Right")
    verification.bind_after_migrate(plan=plan)
    [fault] = faults()
    assert fault.startswith(f"auth_user {pia.pk} is not as event ")
    assert ana.get_full_name() == "Ana Right"
