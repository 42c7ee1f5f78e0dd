"""The first day: nobody has an account, and the page makes the first one."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from agenthub.models import Account
from agenthub.models.lists import ListRefresh
from compliance.setup import code
from reviews.models import Agent, Case, CaseEvent, Connection, Job
from reviews.organisation import organisation
from tests.factories import make_user

pytestmark = pytest.mark.django_db
PASSWORD = "battery staple of nine words"


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.VAR_DIR = tmp_path


def answers(**changes: object) -> dict[str, object]:
    values = {
        "code": code.current(),
        "username": "mira",
        "full_name": "Mira Solberg",
        "email": "mira@example.com",
        "password": PASSWORD,
        "password_again": PASSWORD,
        "organisation": "Northwind Bank",
        "reviews_cases": "on",
        "service": "hub",
        "lists": ["un"],
    }
    return values | changes


def test_the_login_leads_to_the_page_while_nobody_has_an_account(client):
    assert client.get("/", follow=True).redirect_chain[-1][0] == "/setup/"
    make_user("ana")
    assert client.get("/", follow=True).redirect_chain[-1][0].startswith("/login/")


def test_each_note_stands_below_its_own_field(client):
    page = client.get("/setup/").content.decode()
    assert page.count("The terminal printed it.") == 1
    assert page.count("Applicants see this name.") == 1
    assert page.count("With which the service signs its webhooks.") == 1


def test_the_first_person_may_come_by_single_sign_on(client, settings):
    settings.OIDC_ISSUER = "https://login.example.com"
    assert client.get("/login/").status_code == 200


def test_one_form_makes_an_installation_that_takes_cases(client):
    page = client.post("/setup/", answers(), follow=True)
    assert page.status_code == 200
    user = User.objects.get()
    assert page.wsgi_request.user == user
    assert user.get_full_name() == "Mira Solberg"
    assert not user.is_superuser
    assert set(user.groups.values_list("name", flat=True)) == {
        "administrator", "rule owner", "senior", "hub administrator",
    }  # fmt: skip
    assert Account.objects.get().name == "Northwind Bank"
    assert Connection.objects.get().slug == "hub"
    assert sorted(Agent.objects.values_list("kind", flat=True)) == ["kyb", "kyc"]
    assert ListRefresh.objects.get(status="on").source.slug == "un"
    assert client.get("/cases/new/").status_code == 200
    assert client.get("/hub/").status_code == 200
    assert CaseEvent.objects.filter(what="signed_in").exists()


def test_sample_cases_are_submitted_where_they_are_wanted(client):
    client.post("/setup/", answers(sample_cases="on"), follow=True)
    user = User.objects.get()
    rows = Case.objects.order_by("reference")
    assert [row.reference for row in rows] == ["SAMPLE-1", "SAMPLE-2", "SAMPLE-3"]
    assert [row.kind for row in rows] == ["kyb", "kyb", "kyc"]
    assert {row.submitted_by for row in rows} == {user}
    # As from the form: each has its job, and its line in the trail.
    assert Job.objects.filter(case__in=rows).count() == 3
    assert CaseEvent.objects.filter(what="submitted", case__in=rows).count() == 3


def test_sample_cases_are_not_submitted_otherwise(client):
    client.post("/setup/", answers(), follow=True)
    assert User.objects.exists()
    assert not Case.objects.exists()


def test_sample_cases_belong_to_the_hub(client):
    client.post("/setup/", answers(sample_cases="on", service="later"))
    assert User.objects.exists()
    assert not Connection.objects.exists()
    assert not Case.objects.exists()


ELSEWHERE = {
    "service": "elsewhere",
    "service_name": "Agents of Oslo",
    "service_address": "https://agents.example.com/api/v1",
    "service_key": "key-of-the-desk",
    "webhook_secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "business_agent": "business-1",
}


def test_a_service_elsewhere_is_connected(client):
    page = client.post("/setup/", answers(**ELSEWHERE), follow=True)
    assert page.redirect_chain[-1][0] == "/connections/"
    text = page.content.decode()
    assert "Agents of Oslo" in text
    assert "/webhooks/agents-of-oslo/" in text
    for secret in ("key-of-the-desk", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "business-1"):
        assert secret not in text
    connection = Connection.objects.get()
    assert connection.base_url == "https://agents.example.com/api/v1"
    assert connection.api_key == "key-of-the-desk"
    assert connection.webhook_secrets.get().secret == ELSEWHERE["webhook_secret"]
    agent = connection.agents.get()
    assert (agent.kind, agent.agent_key) == ("kyb", "business-1")
    assert not Account.objects.exists()


@pytest.mark.parametrize("name", ["وكلاء", "代理", "x" * 80])
def test_the_name_of_a_service_may_be_in_any_letters(client, name):
    client.post("/setup/", answers(**ELSEWHERE | {"service_name": name}))
    connection = Connection.objects.get()
    connection.full_clean()
    assert connection.name == name


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("service", "", "This field is required."),
        ("service", "none", "Select a valid choice."),
        ("service_name", "", "A service elsewhere needs this."),
        ("service_address", "", "A service elsewhere needs this."),
        ("service_address", "agents.example.com", "starts with http:// or https://"),
        ("service_address", "file:///etc/passwd", "starts with http:// or https://"),
        ("service_key", "", "A service elsewhere needs this."),
        ("webhook_secret", "whsec_?", "must be a key in base64"),
    ],
)
def test_a_wrong_field_of_a_service_makes_nothing(client, field, value, words):
    page = client.post("/setup/", answers(**ELSEWHERE | {field: value}))
    text = page.content.decode()
    assert words in text
    assert "Nothing is made yet" in text
    assert ELSEWHERE["service_key"] not in text
    assert not User.objects.exists()


def test_without_the_code_nothing_is_made(client):
    for wrong in ("", "AAAA-BBBB-CCCC-DDDD"):
        page = client.post("/setup/", answers(code=wrong))
        assert "Nothing is made yet" in page.content.decode()
    assert not User.objects.exists()
    typed = code.current().lower().replace("-", " ")
    assert client.post("/setup/", answers(code=typed)).status_code == 302


def test_codes_cannot_be_guessed(client):
    for _ in range(31):
        page = client.post("/setup/", answers(code="wrong"))
    assert page.status_code == 429
    # The right one is refused as well, until the time is over.
    assert client.post("/setup/", answers()).status_code == 429
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("password_again", "something else", "The two passwords differ."),
        ("password", "mira", "too short"),
        ("username", "", "This field is required."),
        ("email", "not an address", "Enter a valid email address."),
        ("organisation", "", "This field is required."),
        ("lists", ["http://127.0.0.1/"], ""),
    ],
)
def test_a_wrong_field_says_so_and_keeps_the_rest(client, field, value, words):
    result = answers(**{field: value})
    if field == "password":
        result["password_again"] = value
    page = client.post("/setup/", result)
    text = page.content.decode()
    assert "Nothing is made yet" in text
    assert words in text
    assert PASSWORD not in text
    if field != "organisation":
        assert "Northwind Bank" in text
    assert not User.objects.exists()
    assert not Account.objects.exists()


def test_it_is_closed_once_somebody_has_an_account(client):
    result = answers()
    client.post("/setup/", result)
    other = Client()
    assert other.get("/setup/")["Location"] == "/login/"
    assert other.post("/setup/", {**result, "username": "mallory"}).status_code == 302
    assert User.objects.count() == 1
    with pytest.raises(CommandError):
        call_command("setup_code")


def test_the_code_is_for_its_owner_alone(settings):
    code.current()
    path = settings.VAR_DIR / "setup-code"
    assert path.stat().st_mode & 0o777 == 0o600


def test_who_does_not_review_cases_decides_none(client):
    result = answers()
    del result["reviews_cases"]
    client.post("/setup/", result)
    assert not User.objects.get().has_perm("reviews.decide_case")


def test_the_new_password_counts_as_a_recent_login(client, settings):
    settings.STEP_UP_MINUTES = 30
    client.post("/setup/", answers())
    colleague = {"full_name": "Bo", "username": "bo", "groups": ["senior"]}
    response = client.post("/people/", colleague)
    assert "reauthenticate" not in response.get("Location", "")


@pytest.mark.parametrize(
    ("changes", "focused"),
    [
        (None, "code"),
        ({"code": "wrong", "email": "not an address"}, "code"),
        ({"password_again": "something else"}, "password_again"),
        ({"organisation": ""}, "organisation"),
    ],
)
def test_the_first_field_to_fill_in_has_the_focus(client, changes, focused):
    page = client.get("/setup/")
    if changes is not None:
        page = client.post("/setup/", answers(**changes))
    inputs = re.findall(r"<input\b[^>]*>", page.content.decode())
    first = next(field for field in inputs if "autofocus" in field)
    assert f'name="{focused}"' in first


@pytest.mark.parametrize("service", ["hub", "later"])
def test_applicants_see_the_name_of_the_organisation(client, service):
    client.post("/setup/", answers(service=service))
    assert organisation.current().name == "Northwind Bank"


def test_a_hub_alone_asks_nothing_about_cases(client, settings):
    settings.DESK_ENABLED = False
    page = client.get("/setup/").content.decode()
    for name in ("organisation", "reviews_cases", "service", "sample_cases"):
        assert f'name="{name}"' not in page
    assert "the first case" not in page
    result = answers()
    for name in ("organisation", "reviews_cases", "service"):
        del result[name]
    client.post("/setup/", result)
    assert User.objects.get().is_superuser


def test_a_desk_alone_offers_no_lists(client, settings):
    settings.HUB_ENABLED = False
    page = client.get("/setup/").content.decode()
    assert "Lists to screen names against" not in page
    assert "Which service examines your cases?" in page
