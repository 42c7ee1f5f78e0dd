"""The key of the embedded hub is turned while cases wait: over real sockets, nothing is faked."""

from __future__ import annotations

import re

import pytest

from agenthub.accounts import api_keys
from agenthub.models import AgentJob, ApiKey
from reviews.models import Case, Connection, Job, Pause
from tests.factories import make_connection, make_hub, make_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def hub(served):
    return make_hub(make_connection(base_url=f"{served}/api/v1"))


def submit(client, hub, reference: str) -> Case:
    data = {"agent": hub["desk_kyc"].pk, "first_name": "Ana", "last_name": "Reyes",
            "date_of_birth": "1990-01-01", "reference": reference}  # fmt: skip
    assert client.post("/cases/new/?kind=kyc", data).status_code == 303
    return Case.objects.get(reference=reference)


def words(answer) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


@pytest.mark.fault("F23", "the key of the service is revoked")
def test_a_revoked_key_holds_all_cases_until_the_next_one_is_entered(
    client, hub, work_off
):
    client.force_login(make_user())
    submitted = [submit(client, hub, f"case-{number}") for number in range(3)]
    api_keys.revoke(ApiKey.objects.get())
    work_off()
    assert Pause.objects.get().status == Pause.Status.PAUSED
    assert not AgentJob.objects.exists()
    for case in submitted:
        page = words(client.get(case.get_absolute_url()))
        assert "The case waits and is sent by itself once the key works." in page
    _, raw = api_keys.create(hub["account"], name="next")
    connection = Connection.objects.get()
    connection.api_key = raw
    connection.save()
    work_off()
    assert set(Case.objects.values_list("status", flat=True)) == {Case.Status.TO_REVIEW}
    assert set(Job.objects.values_list("status", flat=True)) == {Job.Status.COMPLETE}
    assert AgentJob.objects.count() == 3
