"""A password is not made of names that others know; all else may be one."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError


@pytest.fixture
def senb(settings) -> User:
    settings.DESK_URL = "https://desk.northwind.example"
    settings.PASSWORD_WORDS = ["Acme", "Globex"]
    return User(username="senb", first_name="Sena", email="sena.berg@northwind.example")


@pytest.mark.parametrize(
    "password",
    [
        "senbsenb1234",
        "Compliance-Desk-1",
        "northwind2026",
        "AcmeGlobex2026!",
        "berg-berg-2026",
    ],
)
def test_what_is_little_else_than_known_names_is_refused(senb, password):
    with pytest.raises(ValidationError, match="names that others know"):
        validate_password(password, senb)


@pytest.mark.parametrize(
    "password",
    [
        "830174650281",
        "correct horse battery",
        "my desk is full of owls",
        "ünïcödé påsswörd",
    ],
)
def test_a_password_may_have_any_characters_and_contain_a_known_word(senb, password):
    validate_password(password, senb)


@pytest.mark.parametrize(
    "password", ["123456789012", "aaaaaaaaaaaa", "zyxwvutsrqpo", "210987654321"]
)
def test_a_row_of_characters_is_refused(senb, password):
    with pytest.raises(ValidationError, match="row of characters"):
        validate_password(password, senb)


def test_the_page_refuses_it(client, db):
    user = User.objects.create_user("senb", password="a first long password")
    client.force_login(user)
    fields = {
        "oldpassword": "a first long password",
        "password1": "senbsenb1234",
        "password2": "senbsenb1234",
    }
    answer = client.post("/account/password/change/", fields)
    assert "names that others know" in answer.content.decode()
    user.refresh_from_db()
    assert user.check_password("a first long password")
