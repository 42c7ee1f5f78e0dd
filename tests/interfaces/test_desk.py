"""Every endpoint of the desk against the description that it serves."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.base import ContentFile

from reviews.api import description
from reviews.documents import store
from reviews.models import Case, Connection, Dismissal
from reviews.people import notes
from reviews.subscriptions import subscriptions
from tests.factories import make_event
from tests.interfaces import walking
from tests.reviews.api.calling import make_token
from tests.reviews.rows import CHECK, one_person, open_case, with_every_role

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.sweep(whole=True),
    pytest.mark.all_values,
]
ADDRESS = "/api/desk/v1/schema/"
PDF = b"%PDF-1.7 whatever"


@pytest.fixture
def person(settings) -> User:
    settings.API_RATE = 1_000_000
    one_person()
    return with_every_role("ana")


def ids(case: Case, person: User) -> dict[str, Any]:
    """By the first word of a path: the row that is there."""
    Connection.objects.update(base_url="http://127.0.0.1:9/api/v1")
    note = notes.add(
        case, actor=person, text="Look.", files=[ContentFile(PDF, name="a.pdf")]
    )
    document = store.add(
        case, kind="ein_documents", file=ContentFile(PDF), file_name="a.pdf"
    )
    dismissal = Dismissal.objects.create(
        key="k", title="It", case=case, reason="So.", by=person
    )
    url = "https://example.com/hook"
    subscription, _ = subscriptions.create(actor=person, name="A", url=url)
    assert case.agent is not None
    return {
        "agents": case.agent.pk,
        "attachments": note.attachments.get().pk,
        "cases": case.pk,
        "dismissals": dismissal.pk,
        "documents": str(document.pk),
        "jobs": str(case.jobs.get().pk),
        "notes": note.pk,
        "subscriptions": subscription.pk,
        "webhooks": make_event(case).pk,
    }


@pytest.mark.parametrize(
    "pair", [*walking.operations(description.document())], ids="-".join
)
def test_an_endpoint_is_what_its_description_says(person, pair):
    case = open_case(failing=True)
    rows = ids(case, person)
    noun = pair[1].split("/")[1]
    data = {
        "batch": str(uuid.uuid4()),
        "agent": rows["agents"],
        "case": case.pk,
        "check_id": CHECK,
        "name": "seen",
        "pk": rows.get(noun),
        "revision": case.revision,
        "self_attested_data": {"business_name": "Northwind Ltd"},
        "to": person.username,
    }

    def prepare(request: Any) -> None:
        walking.put(request, data)

    walking.walk(
        walking.described(ADDRESS), pair, key=make_token(person), prepare=prepare
    )
