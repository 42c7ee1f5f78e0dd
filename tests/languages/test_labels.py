"""The labels of checks and fields are in the language of the reader; what is kept is English."""

from __future__ import annotations

import pytest
from django.utils import translation

from checks import registry
from compliance.models import LocalePreference
from reviews.results import check_label, checklist, views, words
from reviews.results.scripts import SCRIPTS
from tests.factories import make_user
from tests.reviews.pages.case.rows import add_check_result, reviewed_case


def test_every_check_of_this_version_has_a_label_that_is_translated():
    labels = {check_label(check_id) for check_id in registry.all_checks()}
    assert labels - words.CHECKS == set()
    assert set(checklist.GROUPS) | set(views.SECTIONS.values()) <= words.HEADINGS


def test_a_label_of_another_service_stays_as_it_is():
    with translation.override("de"):
        assert words.translated("Sanctions screening") == "Sanktionsabgleich"
        assert words.translated("Moon phase") == "Moon phase"
        # A word of the pages which is no label.
        assert words.translated("Queue") == "Queue"


@pytest.mark.django_db
def test_a_page_names_checks_and_data_in_the_language_of_its_reader(client):
    case, job = reviewed_case(self_attested_data={"business_name": "Northwind Ltd"})
    add_check_result(job, check_id="kyb.high_risk_country_check")
    person = make_user(role="analyst")
    LocalePreference.objects.create(user=person, language="de")
    client.force_login(person)
    page = client.get(f"/cases/{case.pk}/").content.decode()
    assert "Land mit hohem Risiko" in page
    assert "High risk country" not in page
    assert "Firmenname" in page
    case.refresh_from_db()
    assert "Land" not in str(case.summary)


@pytest.mark.django_db
def test_a_page_names_countries_in_the_language_of_its_reader(client):
    case, _job = reviewed_case(
        country="DE", self_attested_data={"country_of_residence": "CH"}
    )
    person = make_user(role="analyst")
    LocalePreference.objects.create(user=person, language="fr")
    client.force_login(person)
    page = client.get(f"/cases/{case.pk}/").content.decode()
    assert "Allemagne" in page
    assert "Suisse (CH)" in page
    form = client.get("/cases/new/").content.decode()
    assert form.index("Égypte (EG)") < form.index("Émirats arabes unis (AE)")
    assert form.index("Érythrée (ER)") < form.index("Zambie (ZM)")


def test_every_script_has_a_name_that_is_translated():
    assert set(words.SCRIPTS) == set(SCRIPTS)
    with translation.override("de"):
        assert words.script_name("cyrillic") == "Kyrillische Schrift"
        assert words.script_name("runic") == "runic"
