"""The page of people: inviting a colleague, roles, and switching a person off."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core import mail
from django.test import Client

from compliance.approvals.models import Proposal
from compliance.models import DirectoryUser, LocalePreference
from reviews.access import roles
from reviews.models import CaseEvent, Organisation
from tests.factories import make_user
from tests.stale_forms import opened_state

pytestmark = pytest.mark.django_db
NEW_ADDRESS = "bo@example.com"
PASSWORD = "battery staple of nine words"


@pytest.fixture
def ada(client):
    return make_user("ada", role=roles.ADMINISTRATOR)


@pytest.fixture
def desk(client, ada):
    # Without staff status: no page of the stock admin is needed.
    client.force_login(ada)
    return client


def group(name: str) -> int:
    return Group.objects.get(name=name).pk


def form(**values: object) -> dict[str, object]:
    fields = {
        "full_name": "Bo Ek",
        "email": "bo@example.com",
        "groups": [group(roles.ANALYST)],
    }
    return {**fields, **values}


def whats() -> list[str]:
    return list(CaseEvent.objects.order_by("pk").values_list("what", flat=True))


def log_in_by(link: str) -> Client:
    path, _hash, key = link.partition("#")
    browser = Client()
    path = re.sub(r"^https?://[^/]+", "", path)
    address = browser.post(path, {"link": key})["Location"]
    browser.post(address, {"password1": PASSWORD, "password2": PASSWORD})
    browser.post("/login/", {"login": "bo", "password": PASSWORD})
    return browser


def test_a_colleague_is_invited_by_mail_and_logs_in(desk, settings):
    settings.EMAIL_HOST = "mail.example"
    answer = desk.post("/people/", form(), follow=True)
    assert "is invited" in answer.content.decode()
    assert [message.to for message in mail.outbox] == [["bo@example.com"]]
    link = re.search(r"https?://\S+#\S+", str(mail.outbox[0].body))
    assert link
    assert log_in_by(link[0]).get("/").status_code == 200
    bo = User.objects.get(username="bo")
    assert (bo.get_full_name(), bo.is_staff) == ("Bo Ek", False)
    assert [row.name for row in bo.groups.all()] == [roles.ANALYST]
    assert whats().count("invited") == 1
    assert "setting_added" in whats()
    assert "bo@example.com" not in str(list(CaseEvent.objects.values_list("data")))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "\N{FULLWIDTH LATIN SMALL LETTER A}d\N{LATIN SMALL LETTER A}",
            "has this user name",
        ),
        ("ADA", "has this user name"),
        ("\N{CYRILLIC SMALL LETTER A}da", "two scripts that look alike"),
        ("ad\N{GREEK SMALL LETTER ALPHA}", "two scripts that look alike"),
    ],
)
def test_nobody_gets_a_name_that_reads_as_that_of_somebody_else(desk, name, words):
    answer = desk.post("/people/", form(username=name))
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    "name", ["\u0438\u0432\u0430\u043d", "li\u674e", "zo\xeb", "bo.2"]
)
def test_names_of_any_script_are_taken(desk, name):
    assert desk.post("/people/", form(username=name)).status_code in {200, 302, 303}
    assert User.objects.filter(username=name).exists()


def test_an_invitation_says_who_invites_and_for_whom(desk, ada, settings):
    settings.EMAIL_HOST = "mail.example"
    ada.first_name, ada.last_name = "Ada", "Byron"
    ada.save()
    Organisation.objects.create(name="Rheinbank\nAG", due_at=None)
    desk.post("/people/", form())
    [message] = mail.outbox
    assert message.subject == "Your invitation to the compliance desk of Rheinbank AG"
    assert "Ada Byron invites you to the compliance desk of Rheinbank AG." in str(
        message.body
    )


def test_an_invitation_needs_no_name_of_the_organisation(desk, settings):
    settings.EMAIL_HOST = "mail.example"
    desk.post("/people/", form())
    [message] = mail.outbox
    assert message.subject == "Your invitation to the compliance desk"
    assert "ada invites you to the compliance desk." in str(message.body)


# Mails are sent on commit.
@pytest.mark.django_db(transaction=True)
def test_an_administrator_s_mail_is_in_the_language_of_its_reader(desk, ada, settings):
    settings.EMAIL_HOST = "mail.example"
    bo = make_user("bo", email="bo@exampel.com")
    LocalePreference.objects.create(user=bo, language="de")
    ask_for_address(desk, bo)
    [message] = [one for one in mail.outbox if one.to == [NEW_ADDRESS]]
    assert "Administrator ada hat das angefordert" in str(message.body)
    # Who has chosen none is written to in the language of who invites.
    LocalePreference.objects.create(user=ada, language="de")
    mail.outbox.clear()
    desk.post("/people/", form(email="cy@example.com"))
    assert "Legen Sie hier Ihr Passwort fest" in str(mail.outbox[-1].body)


def test_without_a_mail_server_the_link_is_shown_once(desk, settings):
    settings.EMAIL_HOST = ""
    text = desk.post("/people/", form()).content.decode()
    link = re.search(r'value="(http[^"]+#[^"]+)"', text)
    assert link
    assert log_in_by(link[1]).get("/").status_code == 200
    assert "/account/password/open/" not in desk.get("/people/").content.decode()


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"full_name": ""}, "required"),
        ({"groups": []}, "Choose at least one role"),
        ({"email": "ADA@example.com"}, "Somebody has this address"),
        ({"username": "Ada"}, "Somebody has this user name"),
        ({"username": "b o"}, "valid username"),
        ({"email": ""}, "Enter a user name or an e-mail"),
        ({"groups": [10_000_000]}, "10000000"),
    ],
)
def test_a_wrong_form_makes_nobody(desk, ada, settings, values, words):
    settings.EMAIL_HOST = ""
    ada.email = "ada@example.com"
    ada.save()
    answer = desk.post("/people/", form(**values))
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert list(User.objects.all()) == [ada]


def test_two_people_of_one_name_get_two_user_names(desk, settings):
    settings.EMAIL_HOST = ""
    make_user("bo")
    desk.post("/people/", form())
    assert User.objects.get(email="bo@example.com").username == "bo2"


def test_the_list_shows_who_may_do_what(desk):
    bo = make_user("bo", first_name="Bo", last_name="Ek", email="bo@example.com")
    make_user("cy", is_active=False)
    text = desk.get("/people/").content.decode()
    for words in ("Bo Ek", "bo@example.com", "analyst", "never", "Deactivated"):
        assert words in text
    text = desk.get("/people/?q=ek").content.decode()
    assert f"/people/{bo.pk}/" in text
    assert "/people/" + str(User.objects.get(username="cy").pk) not in text


def test_roles_are_changed_and_the_change_is_recorded(desk):
    bo = make_user("bo")
    data = {"groups": [group(roles.SENIOR), group(roles.RULE_OWNER)], "is_staff": "on"}
    answer = desk.post(f"/people/{bo.pk}/roles/", data, follow=True)
    assert "are saved" in answer.content.decode()
    bo.refresh_from_db()
    names = set(bo.groups.values_list("name", flat=True))
    assert (names, bo.is_staff) == ({roles.SENIOR, roles.RULE_OWNER}, True)
    assert whats()[-1] == "setting_changed"


def ask_for_address(desk: Client, person: User, address: str = NEW_ADDRESS) -> str:
    answer = desk.post(f"/people/{person.pk}/email/", {"email": address}, follow=True)
    return answer.content.decode()


# Mails are sent on commit.
@pytest.mark.django_db(transaction=True)
def test_a_colleague_confirms_the_address_that_an_administrator_corrects(
    desk, settings
):
    settings.EMAIL_HOST = "mail.example"
    bo = make_user("bo", email="bo@exampel.com")
    mail.outbox.clear()
    assert f"A link was sent to {NEW_ADDRESS}." in ask_for_address(desk, bo)
    by_address = {message.to[0]: str(message.body) for message in mail.outbox}
    # The old address hears of it, and the new one who asked.
    assert set(by_address) == {"bo@exampel.com", NEW_ADDRESS}
    assert "The administrator ada asked for that" in by_address[NEW_ADDRESS]
    [link] = re.findall(r"http\S+#\S+", by_address[NEW_ADDRESS])
    # Neither the administrator nor somebody without a login can use the link.
    for browser in (desk, Client()):
        answer = browser.post("/account/email/open/", {"link": link})
        assert answer.status_code == 403
        assert "Log in with your own account" in answer.content.decode()
    bo.refresh_from_db()
    assert bo.email == "bo@exampel.com"
    theirs = Client()
    theirs.post("/login/", {"login": "bo", "password": "correct horse"})
    answer = theirs.post("/account/email/open/", {"link": link})
    assert answer.status_code == 303
    bo.refresh_from_db()
    assert bo.email == NEW_ADDRESS
    assert "address_change_asked" in whats()
    assert NEW_ADDRESS not in str(list(CaseEvent.objects.values_list("data")))


def test_the_address_of_who_never_logged_in_is_corrected_at_once(desk, settings):
    settings.EMAIL_HOST = "mail.example"
    desk.post("/people/", form(email="bo@exampel.com"))
    bo = User.objects.get(username="bo")
    page = ask_for_address(desk, bo)
    assert "The address is changed. Now send the invitation to it." in page
    mail.outbox.clear()
    desk.post(f"/people/{bo.pk}/invite/")
    assert [message.to for message in mail.outbox] == [[NEW_ADDRESS]]
    assert whats().count("setting_changed") == 1


@pytest.mark.parametrize(
    ("address", "words"),
    [("bo", "valid email"), ("ADA@example.com", "Somebody has this address already.")],
)
def test_a_wrong_address_changes_nothing(desk, ada, settings, address, words):
    settings.EMAIL_HOST = "mail.example"
    ada.email = "ada@example.com"
    ada.save()
    bo = make_user("bo", email="bo@exampel.com")
    mail.outbox.clear()
    assert words in ask_for_address(desk, bo, address)
    assert mail.outbox == []


def test_an_address_that_a_directory_manages_is_not_corrected_here(desk):
    bo = make_user("bo", email="bo@exampel.com")
    DirectoryUser.objects.create(user=bo, external_id="7")
    page = desk.get(f"/people/{bo.pk}/").content.decode()
    assert "a directory manages this address" in page
    assert "a directory manages this address" in ask_for_address(desk, bo)
    bo.refresh_from_db()
    assert bo.email == "bo@exampel.com"


def test_who_is_deactivated_is_out_at_once_and_comes_back(desk):
    bo = make_user("bo")
    theirs = Client()
    theirs.post("/login/", {"login": "bo", "password": "correct horse"})
    assert theirs.get("/").status_code == 200
    desk.post(f"/people/{bo.pk}/active/", {"active": "no"})
    assert theirs.get("/").status_code == 302
    desk.post(f"/people/{bo.pk}/invite/")
    assert "invited" not in whats()
    desk.post(f"/people/{bo.pk}/active/", {"active": "yes"})
    theirs.post("/login/", {"login": "bo", "password": "correct horse"})
    assert theirs.get("/").status_code == 200


def test_nobody_changes_themselves(desk, ada):
    data = {"groups": [group(roles.SENIOR)]}
    assert desk.post(f"/people/{ada.pk}/roles/", data).status_code == 403
    answer = desk.post(f"/people/{ada.pk}/active/", {"active": "no"})
    assert answer.status_code == 403
    ada.refresh_from_db()
    assert ada.is_active
    assert ada.groups.get().name == roles.ADMINISTRATOR


def test_no_superuser_is_changed_or_invited(desk, settings):
    settings.EMAIL_HOST = ""
    root = make_user("root", is_superuser=True)
    text = desk.get(f"/people/{root.pk}/").content.decode()
    assert "You may not change this person" in text
    data = {"groups": [group(roles.ANALYST)]}
    assert desk.post(f"/people/{root.pk}/roles/", data).status_code == 403
    answer = desk.post(f"/people/{root.pk}/active/", {"active": "no"})
    assert answer.status_code == 403
    text = desk.post(f"/people/{root.pk}/invite/", follow=True).content.decode()
    assert "you cannot invite this person" in text
    assert "/account/password/open/" not in text


def test_a_role_with_more_rights_is_neither_offered_nor_given(desk):
    strong = Group.objects.create(name="rights office")
    strong.permissions.add(Permission.objects.get(codename="delete_user"))
    assert "rights office" not in desk.get("/people/").content.decode()
    assert desk.post("/people/", form(groups=[strong.pk])).status_code == 422
    assert not User.objects.filter(username="bo").exists()


def test_a_new_colleague_waits_for_a_second_person_and_is_invited_then(desk, settings):
    settings.EMAIL_HOST = "mail.example"
    settings.SETTINGS_FOUR_EYES = frozenset({"people"})
    answer = desk.post("/people/", form(), follow=True)
    assert "Another person must approve" in answer.content.decode()
    assert not User.objects.filter(username="bo").exists()
    assert not mail.outbox
    second = Client()
    second.force_login(make_user("eve", role=roles.ADMINISTRATOR))
    second.post(f"/approvals/{Proposal.objects.get().pk}/approve/")
    bo = User.objects.get(username="bo")
    assert bo.groups.get().name == roles.ANALYST
    desk.post(f"/people/{bo.pk}/invite/")
    assert [message.to for message in mail.outbox] == [["bo@example.com"]]


def test_roles_wait_for_a_second_person_and_deactivating_does_not(desk, settings):
    settings.SETTINGS_FOUR_EYES = frozenset({"people"})
    bo = make_user("bo")
    desk.post(f"/people/{bo.pk}/roles/", {"groups": [group(roles.SENIOR)]})
    assert bo.groups.get().name == roles.ANALYST
    assert Proposal.objects.count() == 1
    desk.post(f"/people/{bo.pk}/active/", {"active": "no"})
    bo.refresh_from_db()
    assert not bo.is_active


def test_the_first_steps_lead_to_the_page(client):
    ada = make_user("ada", role=roles.ADMINISTRATOR)
    ada.groups.add(Group.objects.get(name=roles.SENIOR))
    client.force_login(ada)
    text = client.get("/").content.decode()
    assert re.search(r'href="/people/">\s*Invite a colleague', text)
    assert "/admin/auth/user/add/" not in text


def test_an_invited_person_reads_the_user_name_and_the_way_to_the_login(desk, settings):
    settings.EMAIL_HOST = ""
    text = desk.post("/people/", form()).content.decode()
    link = re.search(r'value="https?://[^/"]+(/[^"]+)#([^"]+)"', text)
    assert link
    browser = Client()
    address = browser.post(link[1], {"link": link[2]})["Location"]
    page = browser.get(address).content.decode()
    assert re.search(r"Your user name, to log in:\s*<b[^>]*>bo</b>", page)
    answer = browser.post(address, {"password1": PASSWORD, "password2": PASSWORD})
    done = browser.get(answer["Location"]).content.decode()
    assert '<a class="btn primary" href="/login/">' in done
    # The key works once, and the page of a used one leads on, too.
    used = browser.get(address).content.decode()
    assert "This link does not work" in used
    assert 'href="/login/"' in used


def test_roles_that_somebody_else_has_changed_are_not_replaced_unseen(desk):
    bo = make_user("bo", role=roles.ANALYST)
    page = f"/people/{bo.pk}/"
    opened = opened_state(desk.get(page))
    # Another tab, or another person, takes a role.
    data = {"groups": [group(roles.AUDITOR)]}
    assert desk.post(f"{page}roles/", data).status_code == 303
    older = {
        "groups": [group(roles.ANALYST), group(roles.SENIOR)],
        "opened_state": opened,
    }
    answer = desk.post(f"{page}roles/", older)
    assert answer.status_code == 409
    assert "Different now: Roles: auditor." in answer.content.decode()
    assert names_of(bo) == {roles.AUDITOR}
    again = {**older, "opened_state": opened_state(answer)}
    assert desk.post(f"{page}roles/", again).status_code == 303
    assert names_of(bo) == {roles.ANALYST, roles.SENIOR}


def names_of(person: User) -> set[str]:
    return set(person.groups.values_list("name", flat=True))
