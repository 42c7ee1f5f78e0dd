"""The rows of owners and officers in the form of a business, at the desk and for applicants."""

from __future__ import annotations

import re
import uuid
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from reviews.applicants import invitations
from reviews.intake import links
from reviews.intake.parties import rows as party_rows
from reviews.models import Case, CaseParty, Draft, PartyRelation
from reviews.parties import structure
from tests import factories
from tests.reviews.applicant_links import open_link
from tests.reviews.rows import someone

pytestmark = pytest.mark.django_db
PDF = b"%PDF-1.7\n%%EOF\n"
ROWS = {
    "parties.0.role": "owner",
    "parties.0.kind": "company",
    "parties.0.name": "Mid GmbH",
    "parties.0.share": "60",
    "parties.0.registration_number": "HRB 777",
    "parties.0.country_code": "DE",
    "parties.1.role": "owner",
    "parties.1.kind": "person",
    "parties.1.name": "Bob Stone",
    "parties.1.share": "25-40",
    "parties.1.date_of_birth": "1970-02-03",
    "parties.1.country_code": "FR",
    "parties.2.role": "director",
    "parties.2.kind": "person",
    "parties.2.name": "Ann Lee",
}


@pytest.fixture
def agent():
    return factories.make_agent(factories.make_connection())


@pytest.fixture
def analyst(client):
    client.force_login(someone("analyst"))
    return client


def send(client, agent, **values):
    data = {
        "agent": agent.pk,
        "submission": str(uuid.uuid4()),
        "business_name": "Acme Ltd",
        **values,
    }
    return client.post("/cases/new/?kind=kyb", data)


def value_of(page: str, name: str) -> str:
    match = re.search(rf'name="{re.escape(name)}"[^>]*?value="([^"]*)"', page)
    return unescape(match[1]) if match else ""


def test_the_rows_become_attested_data_relations_and_owners(analyst, agent):
    response = send(analyst, agent, **ROWS)
    assert response.status_code == 303, response.context["form"].errors
    case = Case.objects.get()
    assert case.self_attested_data["owners"] == [
        {"type": "company", "business_name": "Mid GmbH", "percentage": "60 %",
         "registration_number": "HRB 777", "country_of_incorporation": "DE"},
        {"type": "person", "name": "Bob Stone", "percentage": "25-40 %",
         "date_of_birth": "1970-02-03", "country_of_nationality": "FR"},
    ]  # fmt: skip
    assert case.self_attested_data["directors"] == [
        {"type": "person", "name": "Ann Lee"}
    ]
    kinds = CaseParty.objects.filter(case=case).values_list("place", "party__kind")
    assert dict(kinds) == {
        "subject": "company",
        "owners/0": "company",
        "owners/1": "person",
        "directors/0": "person",
    }
    relations = PartyRelation.objects.order_by("pk")
    assert [
        (
            row.kind,
            row.share_min and int(row.share_min),
            row.share_max and int(row.share_max),
        )
        for row in relations
    ] == [("owner", 60, 60), ("owner", 25, 40), ("director", None, None)]
    subject = CaseParty.objects.get(case=case, place="subject").party
    owners = structure.around(someone("senior"), subject).ownership().owners
    bob = CaseParty.objects.get(case=case, place="owners/1").party_id
    assert bob in {owner.party for owner in owners}


@pytest.mark.parametrize(
    ("change", "place", "words"),
    [
        ({"parties.1.name": ""}, "parties.1.name", "Enter the name."),
        ({"parties.2.role": ""}, "parties.2.role", "Choose the role, or enter a share."),
        ({"parties.0.share": "lots"}, "parties.0.share", "Enter a share in percent"),
        ({"parties.0.share": "120"}, "parties.0.share", "Enter a share in percent"),
        ({"parties.0.date_of_birth": "1970-01-01"}, "parties.0.date_of_birth", "A company has no date of birth."),
        ({"parties.1.registration_number": "7"}, "parties.1.registration_number", "A person has no registration number."),
        ({"parties.1.date_of_birth": "3.2.1970"}, "parties.1.date_of_birth", "must be a day such as"),
        ({"parties.1.country_code": "ZZ"}, "parties.1.country_code", "from the list"),
    ],
)  # fmt: skip
def test_a_fault_stands_beside_its_cell_and_nothing_is_lost(
    analyst, agent, change, place, words
):
    response = send(analyst, agent, **{**ROWS, **change})
    assert not Case.objects.exists()
    page = response.content.decode()
    error = re.search(
        rf'id="id_{re.escape(place)}_error"[^>]*>(.*?)</div>', page, re.DOTALL
    )
    assert error is not None
    assert words in unescape(error[1])
    assert f'href="#id_{place}"' in page
    for name, value in {**ROWS, **change}.items():
        if not name.endswith(("role", "kind", "country_code", "birth")):
            assert value_of(page, name) == value


def test_rows_are_added_without_a_script_and_nothing_is_lost(analyst, agent):
    file = SimpleUploadedFile("charter.pdf", PDF)
    response = send(
        analyst, agent, add_parties="1", incorporation_documents=file, **ROWS
    )
    assert response.status_code == 200
    assert not Case.objects.exists()
    page = response.content.decode()
    assert 'id="errors"' not in page
    assert value_of(page, "business_name") == "Acme Ltd"
    assert value_of(page, "parties.1.name") == "Bob Stone"
    assert "charter.pdf" in page
    assert value_of(page, party_rows.ROWS) == "6"
    assert 'id="parties-5"' in page
    assert 'id="parties-6"' not in page
    # A row after empty ones counts, too.
    more = {
        party_rows.ROWS: "6",
        "parties.5.role": "controller",
        "parties.5.name": "Cora Fox",
    }
    response = send(analyst, agent, **ROWS, **more)
    assert response.status_code == 303, response.context["form"].errors
    assert Case.objects.get().self_attested_data["controllers"] == [
        {"name": "Cora Fox"}
    ]


@pytest.mark.parametrize("count", ["999", "-1", "x", ""])
def test_there_are_as_many_rows_as_may_be_whatever_is_sent(analyst, agent, count):
    response = send(
        analyst,
        agent,
        **{party_rows.ROWS: count, "parties.9999999.name": "X", "add_parties": "1"},
    )
    page = response.content.decode()
    rows = len(re.findall(r'id="parties-\d+"', page))
    assert party_rows.FIRST < rows <= party_rows.MOST


def test_a_draft_has_the_rows(analyst, agent):
    data = {**ROWS, party_rows.ROWS: "6", "business_name": "Acme Ltd"}
    analyst.post("/cases/new/draft/?kind=kyb", data)
    assert Draft.objects.exists()
    page = analyst.get("/cases/new/?kind=kyb").content.decode()
    assert value_of(page, "parties.0.share") == "60"
    assert 'id="parties-5"' in page


def test_an_applicant_names_owners_and_adds_rows(client, agent):
    invitation = invitations.create(agent, actor=someone("analyst"))
    open_link(client, links.address(invitation))
    page = client.get(f"/apply/{invitation.pk}/").content.decode()
    assert 'id="parties-2"' in page
    data = {"business_name": "Acme Ltd", **ROWS}
    response = client.post(
        f"/apply/{invitation.pk}/draft/", {**data, "add_parties": "1"}
    )
    assert response["Location"].endswith("#parties-3")
    page = client.get(f"/apply/{invitation.pk}/").content.decode()
    assert 'id="parties-5"' in page
    assert value_of(page, "parties.1.name") == "Bob Stone"
    client.post(f"/apply/{invitation.pk}/", data)
    case = Case.objects.get()
    assert [row.get("name") for row in case.self_attested_data["owners"]] == [
        None,
        "Bob Stone",
    ]


def test_a_person_has_no_such_rows(analyst):
    factories.make_agent(factories.make_connection(), kind="kyc")
    assert "parties-0" not in analyst.get("/cases/new/?kind=kyc").content.decode()
