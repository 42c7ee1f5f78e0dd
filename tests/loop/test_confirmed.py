"""What the hub tells by webhook, it confirms when it is asked: no honest result is in doubt."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from agenthub.agents import catalogue
from checks import samples
from reviews.intake import cases
from reviews.models import Case, CheckResult
from tests.factories import make_connection, make_hub

pytestmark = pytest.mark.django_db(transaction=True)

PERSON = {
    "first_name": "Teodor",
    "last_name": "Lund",
    "date_of_birth": "1980-02-03",
    "email": "teodor@example.com",
    "phone": "+4722000000",
    "country_of_nationality": "NO",
    "address": {"street_1": "1 Main St", "city": "Oslo", "country_code": "NO"},
}


@pytest.fixture
def hub(served):
    return make_hub(make_connection(base_url=f"{served}/api/v1"))


def all_checks(kind: str) -> list[dict[str, Any]]:
    return [{"check_id": info["check_id"]} for info in catalogue.available(kind=kind)]


@pytest.mark.parametrize("kind", ["kyb", "kyc"])
def test_every_result_of_every_check_is_confirmed(hub, work_off, kind):
    hub[kind].checks = all_checks(kind)
    hub[kind].save()
    sample = samples.good_certificate()
    file = SimpleUploadedFile(sample.file_name, sample.content)
    case = cases.submit(
        actor=None, agent=hub[f"desk_{kind}"], subject="Somebody", reference="C-1",
        data=sample.attested if kind == "kyb" else PERSON,
        documents=[("incorporation_documents", file)] if kind == "kyb" else [],
    )  # fmt: skip
    work_off()
    case.refresh_from_db()
    assert case.status == Case.Status.TO_REVIEW
    rows = CheckResult.objects.exclude(confirmation="confirmed")
    assert [(row.source, row.check_id, row.body) for row in rows] == []
    assert case.alarm == ""
