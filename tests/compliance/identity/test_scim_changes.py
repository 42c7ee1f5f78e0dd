"""What a directory takes away is away: at once, also where it sends several changes at a time."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from compliance.approvals.models import Proposal
from compliance.identity.scim import groups, tokens, users
from compliance.models import DirectoryGroup, DirectoryToken
from reviews.access import api_tokens, roles
from reviews.models import CaseEvent, FourEyesRule
from tests.compliance.identity.test_scim import ANA, Directory
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def directory() -> Directory:
    return Directory(tokens.create("tests", days=30)[1])


@pytest.fixture
def ana() -> User:
    return User.objects.create_user("ana", password="correct horse")


@pytest.fixture
def group(directory, ana) -> DirectoryGroup:
    body = {"displayName": roles.ANALYST, "members": [{"value": str(ana.pk)}]}
    return groups.find(directory("POST", "Groups", body).json()["id"])


def operation(op: str, user: User) -> dict[str, object]:
    return {
        "Operations": [{"op": op, "path": "members", "value": [{"value": str(user.pk)}]}]
    }  # fmt: skip


def names(user: User) -> list[str]:
    return list(user.groups.values_list("name", flat=True))


def test_who_leaves_the_group_can_do_nothing_with_the_next_request(
    directory, ana, group
):
    browser = Client()
    browser.post("/login/", {"login": "ana", "password": "correct horse"})
    _, raw = api_tokens.create(actor=ana, user=ana, name="x", scopes=["cases:read"])
    script = Client(headers={"Authorization": f"Bearer {raw}"})
    assert browser.get("/").status_code == 200
    assert script.get("/api/desk/v1/cases").status_code == 200
    path = f'members[value eq "{ana.pk}"]'
    directory.patch(f"Groups/{group.pk}", {"op": "remove", "path": path})
    assert browser.get("/").status_code == 403
    assert browser.get("/cases/new/").status_code == 403
    assert script.get("/api/desk/v1/cases").status_code == 403
    taken = CaseEvent.objects.get(what="roles_taken")
    assert taken.data == {"user_id": ana.pk, "roles": [roles.ANALYST]}


def test_two_changes_of_a_group_at_once_keep_what_each_removes(group, ana):
    bo = make_user("bo")
    token = DirectoryToken.objects.get()
    # Both requests read the group before one of them has written.
    first, second = groups.find(str(group.pk)), groups.find(str(group.pk))
    groups.patch(first, operation("remove", ana), token)
    groups.patch(second, operation("add", bo), token)
    assert list(group.members.values_list("username", flat=True)) == ["bo"]
    assert names(ana) == []


def test_a_change_of_a_name_makes_nobody_active_again(directory, ana):
    token = DirectoryToken.objects.get()
    first, second = users.find(str(ana.pk)), users.find(str(ana.pk))
    off = {"Operations": [{"op": "replace", "path": "active", "value": False}]}
    users.patch(first, off, token)
    name = {"op": "replace", "path": "name.familyName", "value": "Nowak"}
    users.patch(second, {"Operations": [name]}, token)
    ana.refresh_from_db()
    assert (ana.is_active, ana.last_name) == (False, "Nowak")


def test_a_replacement_without_active_keeps_who_was_deactivated_out(directory, ana):
    """RFC 7644, 3.5.1, leaves it to the service what an attribute that is left out means."""
    directory("PUT", f"Users/{ana.pk}", {**ANA, "active": False})
    body = {name: value for name, value in ANA.items() if name != "active"}
    answer = directory("PUT", f"Users/{ana.pk}", body)
    assert (answer.status_code, answer.json()["active"]) == (200, False)
    ana.refresh_from_db()
    assert not ana.is_active
    assert directory("PUT", f"Users/{ana.pk}", ANA).json()["active"] is True


def test_a_group_that_is_gone_is_not_made_again(group, ana):
    token = DirectoryToken.objects.get()
    stale = groups.find(str(group.pk))
    groups.delete(group, token)
    with pytest.raises(Exception, match="no such group"):
        groups.patch(stale, operation("add", ana), token)
    assert not DirectoryGroup.objects.exists()
    assert names(ana) == []


class TestPending:
    """What a deactivated person has proposed cannot be agreed to."""

    def test_a_change_of_settings_is_withdrawn(self, directory, settings):
        settings.SETTINGS_FOUR_EYES = frozenset({"all"})
        ada = make_user("ada", role=roles.RULE_OWNER, is_staff=True)
        browser, other = Client(), Client()
        browser.force_login(ada)
        other.force_login(make_user("bob", role=roles.RULE_OWNER, is_staff=True))
        data = {
            "name": "Rule",
            "condition": "always",
            "threshold": "0",
            "is_active": "on",
        }
        browser.post("/admin/reviews/foureyesrule/add/", data)
        proposal = Proposal.objects.get()
        assert proposal.status == "waiting"
        directory("DELETE", f"Users/{ada.pk}")
        proposal.refresh_from_db()
        assert (proposal.status, proposal.ended_by) == ("withdrawn", None)
        other.post(f"/approvals/{proposal.pk}/approve/")
        assert not FourEyesRule.objects.filter(name="Rule").exists()
        assert CaseEvent.objects.filter(what="change_withdrawn").count() == 1
        assert "was deactivated" in other.get("/approvals/").content.decode()
