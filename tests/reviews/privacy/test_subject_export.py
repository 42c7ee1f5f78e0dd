"""The export for a subject: the chosen cases, and no other."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from django.core.files.base import ContentFile
from django.utils.timezone import now

from reviews.documents import store
from reviews.findings import related_cases
from reviews.models import (
    Agent,
    Case,
    CaseEvent,
    CaseParty,
    Decision,
    Invitation,
    Party,
    PartyRelation,
    PartyStatement,
    RequestMail,
    SecondLook,
)
from tests.factories import make_agent, make_case, make_connection, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def cases():
    connection = make_connection()
    rows = []
    for reference in ("case-1", "case-2", "case-3"):
        case = make_case(connection, reference=reference)
        related_cases.store_identifiers(case)
        rows.append(case)
    store.add(
        rows[0],
        kind="ein_documents",
        file=ContentFile(b"%PDF-1.7 the letter"),
        file_name="../letter.pdf",
    )
    return rows


def test_only_the_chosen_cases_are_in_it(client, cases):
    first, second, third = cases
    client.force_login(make_user("sen", role="senior"))
    address = f"/cases/{first.pk}/subject/"
    page = client.get(address).content.decode()
    assert "case-2" in page
    assert "case-3" in page

    answer = client.post(address, {"case": [second.pk, 999]})

    content = io.BytesIO(b"".join(answer.streaming_content))
    with zipfile.ZipFile(content) as pack:
        names = pack.namelist()
        result = json.loads(pack.read(f"case-{first.pk}/case.json"))
        assert result["self_attested_data"] == {"business_name": "Northwind Ltd"}
        assert "Northwind Ltd" in pack.read("index.html").decode()
        [file] = [name for name in names if "/files/" in name]
        assert pack.read(file) == b"%PDF-1.7 the letter"
        assert ".." not in file
    assert f"case-{second.pk}/report.pdf" in names
    assert not [name for name in names if name.startswith(f"case-{third.pk}/")]
    lines = CaseEvent.objects.filter(what="subject_taken").order_by("pk")
    assert [line.case for line in lines] == [first, second]
    assert lines[0].details["cases"] == ["case-1", "case-2"]


def test_what_is_held_beside_the_case_is_in_it_and_nothing_of_another_case(client):
    connection = make_connection()
    agent = make_agent(connection)
    for reference, word in (("case-1", "Quillbottom"), ("case-2", "Northwind")):
        case = make_case(connection, reference=reference)
        add_what_is_beside(case, word, agent)
    case = Case.objects.get(reference="case-1")
    client.force_login(make_user("sen", role="senior"))
    answer = client.post(f"/cases/{case.pk}/subject/")
    content = io.BytesIO(b"".join(answer.streaming_content))
    with zipfile.ZipFile(content) as pack:
        text = pack.read(f"case-{case.pk}/case.json").decode()
    result = json.loads(text)
    assert result["parties"][0]["value"] == "Quillbottom Holdings"
    assert result["relations"][0]["detail"] == "Quillbottom owns it."
    assert result["second_looks"][0]["rationale"] == "Quillbottom is known."
    assert result["invitations"][0]["message"] == "Dear Quillbottom"
    [mail] = result["mails"]
    assert mail["address"] == "quillbottom@mail.example"
    del result["self_attested_data"], result["subject"]
    assert "northwind" not in json.dumps(result).lower()


def add_what_is_beside(case: Case, word: str, agent: Agent) -> None:
    """A party with a relation, a second look, and an invitation with its mail."""
    held, holder = (
        CaseParty.objects.create(
            case=case,
            party=Party.objects.create(kind="company"),
            role=role,
            place=role,
        )
        for role in ("subject", "owner")
    )
    PartyStatement.objects.create(
        case_party=holder, kind="name", value=f"{word} Holdings", source="attested"
    )
    PartyRelation.objects.create(
        holder=holder,
        held=held,
        kind="owner",
        detail=f"{word} owns it.",
        source="analyst",
    )
    analyst = make_user(word)
    decision = Decision.objects.create(case=case, outcome="approve", made_by=analyst)
    SecondLook.objects.create(
        case=case, decision=decision, share=5, rationale=f"{word} is known."
    )
    invitation = Invitation.objects.create(
        agent=agent,
        case=case,
        message=f"Dear {word}",
        made_by=analyst,
        expires_at=now(),
        status="submitted",
    )
    RequestMail.objects.create(
        invitation=invitation, kind="request", address=f"{word.lower()}@mail.example"
    )


def test_the_page_says_that_more_cases_than_it_lists_are_related(client, cases):
    client.force_login(make_user("sen", role="senior"))
    address = f"/cases/{cases[0].pk}/subject/"
    words = "There are more: these are the nearest."
    assert words not in client.get(address).content.decode()
    for number in range(related_cases.MOST):
        case = make_case(cases[0].connection, reference=f"more-{number}")
        related_cases.store_identifiers(case)
    assert words in client.get(address).content.decode()


@pytest.mark.parametrize("role", ["integrator", "administrator", "rule owner"])
def test_who_may_not_export_may_not_take_it(client, cases, role):
    client.force_login(make_user("other", role=role))
    assert client.get(f"/cases/{cases[0].pk}/subject/").status_code == 403
    assert client.post(f"/cases/{cases[0].pk}/subject/").status_code == 403
