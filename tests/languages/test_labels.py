"""The labels of checks and fields are in the language of the reader; what is kept is English."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import translation

from checks import registry
from compliance.models import LocalePreference
from reviews.access import roles
from reviews.decisions import policy
from reviews.models import Case, ReasonCode
from reviews.results import check_label, checklist, views, words
from reviews.results.scripts import SCRIPTS
from reviews.results.sentences import in_words
from reviews.risk import words as risk_words
from reviews.risk.engine.default import DEFAULT
from tests.factories import make_user
from tests.reviews.pages.case.rows import add_check_result, reviewed_case
from tests.reviews.risk.rows import rated


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


def german_page(client: Client, case: Case, rest: str = "") -> str:
    person = make_user(role="analyst")
    LocalePreference.objects.create(user=person, language="de")
    client.force_login(person)
    return str(client.get(f"/cases/{case.pk}/{rest}").content.decode())


@pytest.mark.django_db
def test_names_within_a_value_are_in_the_language_of_the_reader(client):
    owner = {"first_name": "Ada", "ownership_percentage": 75}
    case, _job = reviewed_case(self_attested_data={"owners": [owner]})
    page = german_page(client, case)
    assert "Vorname: Ada; Anteil in Prozent: 75" in page
    assert "First name" not in page


@pytest.mark.django_db
def test_a_report_has_its_risk_and_its_trail_in_the_language_of_the_reader(client):
    case, _job = reviewed_case()
    rating = rated(case)
    assert rating.band == "high"
    page = german_page(client, case, "report/")
    assert "<h3>Risiko: Hoch</h3>" in page
    assert "Hat das Risiko bewertet" in page
    assert "Risikostufe: Hoch" in page
    assert "Rated." not in page


@pytest.mark.django_db
def test_values_that_are_words_of_a_check_are_in_the_language_of_the_reader(client):
    case, job = reviewed_case()
    rows = [
        {"label": "Encryption", "value": "none", "state": "review"},
        {"label": "Name of the domain", "value": "none", "state": "pass"},
    ]
    check = "kyb.web_presence_check"
    content = {"rows": rows, "mode": "online"}
    payload = {"website_presence": content}
    result = {"verdict": "review", "explanation": "Look.", "payload": payload}
    add_check_result(job, result, check_id=check)
    page = german_page(client, case, f"?check={check}")
    assert "<td>keine</td>" in page
    # A value of the data stays as it is.
    assert "<td>none</td>" in page


def test_every_reason_and_role_of_a_new_installation_is_translated():
    texts = {text for row in policy.REASONS for text in row[1:3] if text}
    assert texts == words.REASONS
    assert set(roles.ROLES) <= words.ROLES


@pytest.mark.django_db
def test_reasons_are_in_the_language_of_the_reader_and_stored_in_english(client):
    case, _job = reviewed_case()
    ReasonCode.objects.create(code="X9", label="Our own words", outcome="reject")
    page = german_page(client, case, "?decide=reject")
    assert "Dokument gefälscht oder verändert" in page
    assert "Document forged or altered" not in page
    # What an administrator wrote stays as it was written.
    assert "Our own words" in page
    reason = ReasonCode.objects.get(code="R01")
    assert reason.label == "Document forged or altered"


@pytest.mark.django_db
def test_a_merchant_category_code_has_words_in_the_language_of_the_reader(client):
    person = make_user(role=roles.RULE_OWNER)
    LocalePreference.objects.create(user=person, language="de")
    client.force_login(person)
    page = " ".join(client.get("/risk/").content.decode().split())
    assert "6051 (Bargeldersatz und Kryptowerte)" in page
    assert "FATF, Handlungsaufruf" in page
    assert "Die Struktur ist undurchsichtig." in page
    policy_codes = set(DEFAULT["factors"]["product"]["points"]) - {"other", "unknown"}
    assert policy_codes == set(risk_words.PRODUCTS)
    titles = {row["title"] for row in DEFAULT["countries"].values()}
    assert titles == set(risk_words.LISTS)


def test_a_list_of_kinds_within_a_sentence_is_translated():
    text = "It was not recognised as an accepted kind of document (bank statement, VAT invoice)."
    with translation.override("de"):
        assert "(Kontoauszug, Rechnung mit Umsatzsteuer)" in in_words(text)
        assert in_words("2 RISK indicators found") == "2 RISK-Indikatoren gefunden"


def test_countries_in_the_facts_of_a_hit_are_in_the_language_of_the_reader():
    with translation.override("de"):
        both = words.fact_value("Germany, Norway", "nationality")
        assert both == "Deutschland, Norwegen"
        island = "Bonaire, Sint Eustatius and Saba"
        assert words.fact_value(island, "country") != island
        assert words.fact_value("Atlantis", "country") == "Atlantis"
        # Other services may send anything, and an identifier is no country.
        assert words.fact_value(["DE"], "country") == ["DE"]
        assert words.fact_value("Norway", "identifier") == "Norway"
