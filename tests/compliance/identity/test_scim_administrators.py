"""A directory takes over no account and leaves the desk with an administrator."""

from __future__ import annotations

from threading import Barrier, Thread

import pytest
from django.contrib.auth.models import Group, User
from django.core import mail
from django.db import connection
from django.test import Client

from compliance.identity.scim import tokens
from compliance.models import DirectoryToken, DirectoryUser
from reviews.access import roles
from reviews.models import CaseEvent
from tests.compliance.identity.test_accounts import log_in
from tests.compliance.identity.test_scim import ANA, Directory
from tests.factories import make_user

pytestmark = pytest.mark.django_db(transaction=True)
SCHEMA = "urn:ietf:params:scim:api:messages:2.0:Error"
OFF = {"op": "replace", "path": "active", "value": False}


@pytest.fixture
def directory() -> Directory:
    return Directory(tokens.create("tests", days=30)[1])


@pytest.fixture
def ada() -> User:
    return make_user("ada", role=roles.ADMINISTRATOR, email="ada@example.com")


def deactivate(directory, user: User):
    return directory.patch(f"Users/{user.pk}", OFF)


def replace(directory, user: User):
    return directory("PUT", f"Users/{user.pk}", {**ANA, "userName": user.username, "active": False})  # fmt: skip


def delete(directory, user: User):
    return directory("DELETE", f"Users/{user.pk}")


def leave_the_group(directory, user: User):
    body = {"displayName": roles.ADMINISTRATOR, "members": [{"value": str(user.pk)}]}
    group = directory("POST", "Groups", body).json()["id"]
    return directory.patch(f"Groups/{group}", {"op": "remove", "path": "members"})


def rename_the_group(directory, user: User):
    body = {"displayName": roles.ADMINISTRATOR, "members": [{"value": str(user.pk)}]}
    group = directory("POST", "Groups", body).json()["id"]
    change = {"op": "replace", "path": "displayName", "value": "it"}
    return directory.patch(f"Groups/{group}", change)


def delete_the_group(directory, user: User):
    body = {"displayName": roles.ADMINISTRATOR, "members": [{"value": str(user.pk)}]}
    group = directory("POST", "Groups", body).json()["id"]
    return directory("DELETE", f"Groups/{group}")


def join_another_group(directory, user: User):
    """Roles are exactly those of the groups: whoever joins a first one has its role alone."""
    body = {"displayName": roles.ANALYST, "members": [{"value": str(user.pk)}]}
    return directory("POST", "Groups", body)


ACTS = [
    deactivate,
    replace,
    delete,
    leave_the_group,
    rename_the_group,
    delete_the_group,
    join_another_group,
]


def is_administrator(user: User) -> bool:
    return User.objects.get(pk=user.pk).has_perm("auth.change_user")


@pytest.mark.parametrize("act", ACTS)
def test_the_last_administrator_stays(directory, ada, act):
    make_user("ana", role=roles.SENIOR)
    # One who was deactivated manages nobody.
    make_user("bo", role=roles.ADMINISTRATOR, is_active=False)
    answer = act(directory, ada)
    assert answer.status_code == 403, answer.content
    assert answer.json()["schemas"] == [SCHEMA]
    assert "another administrator" in answer.json()["detail"]
    assert is_administrator(ada)
    [line] = CaseEvent.objects.filter(what="administrator_kept")
    token = DirectoryToken.objects.get()
    assert line.data == {"user_ids": [ada.pk], "by": f"the directory {token.prefix}"}
    assert not CaseEvent.objects.filter(what="roles_taken").exists()


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("is_superuser", [False, True])
def test_one_of_two_administrators_may_go(directory, ada, act, is_superuser):
    if is_superuser:
        make_user("root", is_superuser=True)
    else:
        make_user("bo", role=roles.ADMINISTRATOR)
    assert act(directory, ada).status_code < 300
    assert not is_administrator(ada)


def test_others_may_go_where_there_is_no_administrator(directory):
    ana = make_user("ana")
    assert deactivate(directory, ana).status_code == 200


@pytest.mark.skipif("connection.vendor != 'postgresql'")
def test_of_the_last_two_administrators_at_once_one_stays(ada):
    bo = make_user("bo", role=roles.ADMINISTRATOR)
    raw = tokens.create("tests", days=30)[1]
    start, statuses = Barrier(2), []

    def go(user: User) -> None:
        start.wait()
        statuses.append(deactivate(Directory(raw), user).status_code)
        connection.close()

    threads = [Thread(target=go, args=(user,)) for user in (ada, bo)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200, 403]
    assert Group.objects.get(name=roles.ADMINISTRATOR).user_set.filter(is_active=True).count() == 1  # fmt: skip


def set_address(directory, user: User, address: str):
    change = {"op": "replace", "path": "emails", "value": [{"value": address}]}
    answer = directory.patch(f"Users/{user.pk}", change)
    assert answer.status_code == 200
    # The directory reads what it has written, or it would send it again at each of its runs.
    assert answer.json()["emails"][0]["value"] == address


def ask_for_a_link(address: str) -> list[str]:
    mail.outbox.clear()
    Client().post("/account/password/reset/", {"email": address})
    return [message.to[0] for message in mail.outbox]


@pytest.fixture
def mails(settings):
    settings.EMAIL_HOST = "mail.example.com"
    return mail.outbox


@pytest.mark.parametrize("harmless", [False, True])
def test_who_runs_the_directory_gets_no_link_for_a_password(
    directory, mails, ada, harmless
):
    assert ask_for_a_link("ada@example.com") == ["ada@example.com"]
    if harmless:
        name = {"op": "replace", "path": "name.familyName", "value": "Nowak"}
        directory.patch(f"Users/{ada.pk}", name)
        assert ask_for_a_link("ada@example.com") == ["ada@example.com"]
    set_address(directory, ada, "evil@example.com")
    assert ask_for_a_link("evil@example.com") == []
    assert ask_for_a_link("ada@example.com") == []
    # Nor by a second change, or by one of the letters.
    set_address(directory, ada, "Evil2@example.com")
    set_address(directory, ada, "evil2@example.com")
    assert ask_for_a_link("evil2@example.com") == []


def test_the_person_confirms_the_address_of_the_directory(
    client, directory, mails, ada
):
    set_address(directory, ada, "ada@new.example.com")
    log_in(client, "ada")
    page = client.get("/account/email/").content.decode()
    assert "Nobody has confirmed that this address is yours." in page
    assert "Messages about cases wait" not in page
    mails.clear()
    client.post("/account/email/", {"confirm": "1"})
    [message] = mails
    assert message.to == ["ada@new.example.com"]
    [link] = [word for word in str(message.body).split() if "#" in word]
    # On another device.
    assert Client().post("/account/email/open/", {"link": link}).status_code == 303
    assert "Nobody has confirmed" not in client.get("/account/email/").content.decode()
    assert ask_for_a_link("ada@new.example.com") == ["ada@new.example.com"]


def test_a_link_ends_where_the_directory_changes_the_address_again(
    client, directory, mails, ada
):
    set_address(directory, ada, "evil@example.com")
    log_in(client, "ada")
    mails.clear()
    client.post("/account/email/", {"confirm": "1"})
    [link] = [word for word in str(mails[0].body).split() if "#" in word]
    set_address(directory, ada, "evil2@example.com")
    assert Client().post("/account/email/open/", {"link": link}).status_code == 422
    assert ask_for_a_link("evil2@example.com") == []


def test_whom_the_directory_adds_gets_a_link_to_its_address(directory, mails):
    directory.make()
    assert ask_for_a_link("ana@example.com") == ["ana@example.com"]
    assert DirectoryUser.objects.count() == 1
