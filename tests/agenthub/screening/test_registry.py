"""Registers of companies: loaded, swapped at once, asked by enrichCompany and by the check of LEIs."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from agenthub.companies import loading
from agenthub.enrichment import providers
from agenthub.models.companies import RegistryCompany, RegistryLoad, RegistryPosting
from agenthub.screening.formats import ListError
from tests.agenthub.screening.test_checks import run
from tests.factories import make_hub

pytestmark = pytest.mark.django_db

LEI = "213800KUD8LAJWSQ9D15"
OTHER = "549300MLUDYVRQOOXS22"
HEAD = (
    "LEI,Entity.LegalName,Entity.LegalAddress.City,Entity.LegalAddress.Country,"
    "Entity.EntityStatus,Registration.RegistrationStatus,"
    "Entity.RegistrationAuthority.RegistrationAuthorityEntityID\n"
)
GLEIF = HEAD + (
    f'{LEI},"Quillfeather Maritime Holdings Limited",Leith,GB,ACTIVE,ISSUED,SC441902\n'
    f"{OTHER},Tessaract Öl und Gas GmbH,Kiel,DE,ACTIVE,LAPSED,HRB 99120\n"
)


@pytest.fixture
def load(tmp_path):
    def load(content: str = GLEIF, slug: str = "gleif", **values):
        (tmp_path / "companies.csv").write_text(content)
        call_command("load_registry", slug, str(tmp_path / "companies.csv"), **values)

    return load


def registry_answer(**facts):
    return providers.provider().company(make_hub()["account"], facts)


@pytest.mark.parametrize(
    "name",
    [
        "Quillfeather Maritime Holdings Limited",
        "QUILLFEATHER MARITIME HOLDINGS LTD.",
        "Quilfeather Maritime Holdings",
        "Quillfeather Maritme Holdings Ltd",
    ],
)
def test_a_company_is_found_by_its_name_as_people_write_it(load, name):
    load()
    result = registry_answer(name=name)
    assert (result.status, result.source) == ("success", "GLEIF")
    assert (result.data["lei"], result.data["country"], result.data["city"]) == (
        LEI,
        "GB",
        "Leith",
    )
    assert 8 <= result.data["likelihood"] <= 10


@pytest.mark.parametrize(
    "name", ["Quillfeather Bakery", "Maritime Holdings", "", "!!!", "x" * 5000]
)
def test_another_company_is_not(load, name):
    load()
    assert registry_answer(name=name).status == "not_found"


def test_without_a_register_the_own_cases_answer():
    run("kyb", "kyb.lei", {"business_name": "Own Case Ltd"})
    result = registry_answer(name="Own Case Ltd")
    assert "earlier cases" in result.source


def test_several_of_one_name_are_less_sure(load):
    load("name,country,number\nAcorn Ltd,GB,1\nAcorn Ltd,IE,2\n", slug="own")
    assert registry_answer(name="Acorn Ltd").data["likelihood"] == 9
    one = registry_answer(name="Acorn Ltd", location="Ireland").data
    assert (one["business_registration_number"], one["likelihood"]) == ("2", 10)


def test_the_one_of_its_country_is_found_among_many_of_its_name(load):
    rows = [f"Acorn Ltd,IE,{number}" for number in range(30)]
    rows.append("Acorn Ltd,GB,99")
    load("\n".join(["name,country,number", *rows]), slug="own")
    answer = registry_answer(name="Acorn Ltd", location="GB")
    assert answer.data["business_registration_number"] == "99"
    # The name alone is equal in another country, so one that is alike here is taken.
    load(
        "name,country,number\nAcorn Ltd,IE,1\nAcorns Ltd,GB,2\n", slug="own", force=True
    )
    answer = registry_answer(name="Acorn Ltd", location="GB")
    assert answer.data["country"] == "GB"


def test_a_new_load_replaces_the_old_one_and_another_register_stays(load):
    load()
    load(
        "title,no\nHarrowgate Looms Ltd,7\n",
        slug="own",
        columns={"name": "title", "number": "no"},
    )
    load(GLEIF.replace("Quillfeather", "Penhallow"))
    assert registry_answer(name="Quillfeather Maritime Holdings").status == "not_found"
    assert registry_answer(name="Penhallow Maritime Holdings").data["lei"] == LEI
    assert (
        registry_answer(name="Harrowgate Looms").data["business_registration_number"]
        == "7"
    )
    assert RegistryCompany.objects.count() == 3
    assert sorted(RegistryLoad.objects.values_list("status", flat=True)) == [
        "active", "active", "retired",
    ]  # fmt: skip
    assert not RegistryPosting.objects.filter(load__status="retired").exists()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "is empty"),
        (HEAD, "holds no company"),
        ("a,b\n1,2\n", "no column of names"),
        (GLEIF[:-40], "cells|ends early"),
        (HEAD + f'{LEI},"Broken', "ends early"),
        (HEAD + f"{LEI},Only One Ltd,Leith,GB,ACTIVE,ISSUED,1\n", "--force"),
        (GLEIF + ",,Leith,GB,ACTIVE,ISSUED,1\n" * 5, "no name"),
    ],
)
def test_what_is_not_sound_is_refused_and_the_active_load_stays(load, content, why):
    load()
    with pytest.raises(CommandError, match=why):
        load(content)
    assert registry_answer(name="Quillfeather Maritime Holdings").data["lei"] == LEI
    assert RegistryCompany.objects.count() == 2


def test_a_load_that_shrank_is_taken_when_forced(load):
    load()
    load(HEAD + f"{LEI},Only One Ltd,Leith,GB,ACTIVE,ISSUED,1\n", force=True)
    assert RegistryCompany.objects.get().name == "Only One Ltd"


@pytest.mark.parametrize(
    ("attested", "verdict"),
    [
        ({"lei": LEI, "business_name": "Quillfeather Maritime Holdings Ltd"}, "pass"),
        ({"lei": LEI, "business_name": "Penhallow Looms"}, "review"),
        (
            {"lei": OTHER, "business_name": "Tessaract Öl und Gas GmbH"},
            "review",
        ),  # lapsed
        (
            {"lei": "5493001KJTIIGC8Y1R12", "business_name": "Acme"},
            "review",
        ),  # not in it
    ],
)
def test_an_lei_is_held_against_the_register(load, attested, verdict):
    load()
    result = run("kyb", "kyb.lei", attested)
    assert result["verdict"] == verdict, result["explanation"]


def test_a_register_without_leis_says_nothing_of_them(load):
    load("name\nAcorn Ltd\n", slug="own")
    result = run("kyb", "kyb.lei", {"lei": LEI, "business_name": "Acorn Ltd"})
    assert result["verdict"] == "inconclusive"


def test_a_load_that_another_took_for_abandoned_does_not_retire_the_active_one(
    load, tmp_path
):
    load()

    def overtaken(step: str) -> None:
        if step == "building the index":
            loading._reject(RegistryLoad.objects.get(status="staging"), "overtaken")

    with pytest.raises(ListError, match="took the place"):
        loading.load("gleif", tmp_path / "companies.csv", progress=overtaken)
    assert RegistryLoad.objects.filter(status="active").exists()
    assert registry_answer(name="Quillfeather Maritime Holdings").data["lei"] == LEI
