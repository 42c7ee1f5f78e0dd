"""In which language and time zone people and systems are answered."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Event

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from compliance.identity import accounts, notices
from compliance.languages import english
from compliance.models import LocalePreference
from compliance.pages import script_texts

pytestmark = pytest.mark.django_db
GERMAN = {"HTTP_ACCEPT_LANGUAGE": "de-AT,de;q=0.9,en;q=0.5"}


@pytest.fixture
def ana(client: Client) -> Client:
    client.force_login(User.objects.create_user("ana"))
    return client


def choose(client: Client, *, language: str = "", time_zone: str = "") -> None:
    fields = {"language": language, "time_zone": time_zone}
    response = client.post("/account/language/", fields)
    assert response.status_code == 302


def test_the_browser_decides_for_who_is_not_logged_in(client):
    User.objects.create_user("ana")

    page = client.get("/login/", **GERMAN)

    assert '<html lang="de" dir="ltr">' in page.text
    assert page["Content-Language"] == "de"
    assert "Accept-Language" in page["Vary"]


def test_a_language_that_nobody_translated_is_english(client):
    User.objects.create_user("ana")

    page = client.get("/login/", HTTP_ACCEPT_LANGUAGE="fi")

    assert '<html lang="en" dir="ltr">' in page.text


def test_the_choice_of_a_person_goes_before_that_of_the_browser(ana):
    choose(ana, language="fr")

    page = ana.get("/account/language/", **GERMAN)

    assert '<html lang="fr" dir="ltr">' in page.text


def test_who_takes_the_choice_back_follows_the_browser(ana):
    choose(ana, language="fr")
    choose(ana)

    page = ana.get("/account/language/", **GERMAN)

    assert '<html lang="de" dir="ltr">' in page.text
    assert LocalePreference.objects.count() == 1


def test_arabic_runs_from_right_to_left(ana):
    choose(ana, language="ar")

    page = ana.get("/account/language/")

    assert '<html lang="ar" dir="rtl">' in page.text


def test_an_unknown_language_or_time_zone_is_refused(ana):
    fields = {"language": "tlh", "time_zone": "Mars/Olympus"}

    page = ana.post("/account/language/", fields)

    assert len(page.context["form"].errors) == 2
    assert not LocalePreference.objects.exists()


@pytest.mark.parametrize("path", ["/api/desk/v1/cases/", "/api/v1/nothing", "/metrics"])
def test_systems_are_answered_in_english(client, path):
    response = client.get(path, **GERMAN)

    assert "Content-Language" not in response


def test_the_language_ends_with_the_request(ana):
    choose(ana, language="fr")

    ana.get("/account/language/")

    assert translation.get_language() == "en"


def test_what_is_kept_is_english_within_a_request():
    with translation.override("de"), english():
        assert translation.gettext("Yes") == "Yes"


def test_the_language_costs_no_query(ana, django_assert_num_queries):
    choose(ana, language="fr")

    # The session, and the person with their choice.
    with django_assert_num_queries(2):
        ana.get("/account/password/change/")


def test_scripts_have_a_text_for_each_that_they_use():
    used: set[str] = set()
    for path in Path(settings.BASE_DIR, "static", "js").glob("*.js"):
        used.update(re.findall(r'\btext\("([^"]+)"', path.read_text()))

    assert used == set(script_texts.english_texts())


def test_a_page_brings_the_texts_of_its_scripts_along(ana):
    assert "script-texts" not in ana.get("/account/language/").text
    choose(ana, language="de")

    assert 'id="script-texts"' in ana.get("/account/language/").text


def test_a_mail_of_the_background_is_in_the_language_of_its_page(
    client, settings, mailoutbox
):
    settings.EMAIL_HOST = "mail.test"
    settings.MAIL_IN_BACKGROUND = True
    User.objects.create_user("ana", "ana@example.com", "correct horse")
    client.post("/account/password/reset/", {"email": "ana@example.com"}, **GERMAN)
    # The thread sends one after the other.
    done = Event()
    accounts.in_background(done.set)
    assert done.wait(30)
    [message] = mailoutbox
    with translation.override("de"):
        subject = gettext("Your new password at the compliance desk")
    assert subject != "Your new password at the compliance desk"
    assert message.subject == subject


@pytest.mark.django_db(transaction=True)
def test_a_mail_is_in_the_language_of_its_reader(ana, settings, mailoutbox):
    settings.EMAIL_HOST = "mail.test"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    choose(ana, language="de", time_zone="Europe/Berlin")
    user = User.objects.get()
    user.email = "ana@example.com"

    notices.send(user, notices.FACTOR_ADDED)

    assert mailoutbox[0].subject == (
        "Compliance-Desk: Ihrem Konto wurde ein zweiter Faktor hinzugefügt"
    )
    assert "Benutzername: ana" in mailoutbox[0].body
    assert re.search(r"Zeit: \d\d\.\d\d\.\d{4} \d\d:\d\d CES?T", mailoutbox[0].body)
