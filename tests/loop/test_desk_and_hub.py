"""What the desk asks of the hub beside the jobs, over real sockets: nothing of either is faked."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from agenthub.models import JobBatch
from reviews.models import Case, CaseEvent
from tests.factories import make_connection, make_hub, make_user
from tests.reviews.api.calling import Caller
from webhooks.models import Event

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE = (
    "id,first_name,last_name,date_of_birth,email\n"
    "p-1,Ana,Reyes,1990-01-01,ana@example.com\n"
    "p-2,=Bo,Lund,2015-01-01,\n"
    "p-3,,,,\n"
    "p-4,Ana,Reyes,1991-01-01,ana@example.com\n"
)


@pytest.fixture
def hub(served):
    return make_hub(make_connection(base_url=f"{served}/api/v1"))


@pytest.fixture
def analyst(client, hub):
    client.force_login(make_user())
    return client


def upload(hub) -> str:
    """Give the service a file over REST. Returns the address of its page."""
    pk = hub["desk_kyc"].pk
    caller = Caller(make_user("carl"))
    content = {"file_name": "people.csv", "csv": PEOPLE}
    answer = caller.post(f"/agents/{pk}/batches", content)
    assert answer.status_code in {201, 202}, answer.content.decode()
    batch = answer["Location"].rpartition("/")[2]
    return reverse("batch", args=[pk, batch])


def text(answer) -> str:
    assert answer.status_code in {200, 286}, answer.content
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def test_a_batch_is_started_watched_and_exported(analyst, hub, work_off):
    address = upload(hub)
    begun = text(analyst.get(address))
    assert "Under way" in begun
    assert "Accepted 3, 3 running" in begun
    assert "4 self_attested_data.first_name" in begun
    work_off()
    ended = analyst.get(address + "live/")
    assert ended.status_code == 286
    page_text = text(ended)
    assert "3 complete" in page_text
    assert "kyc.date_of_birth: passed" in page_text
    assert "kyc.date_of_birth: failed" in page_text
    # Checks that had nothing to say of a case are not listed as names without a word.
    assert not re.search(r": (,|$|[a-z_.]+:)", page_text)
    # The cases came to the desk by their webhooks, and the rows lead there.
    cases = {case.reference: case for case in Case.objects.all()}
    assert set(cases) == {"p-1", "p-2", "p-4"}
    assert cases["p-2"].get_absolute_url() in ended.content.decode()
    table = analyst.get(address + "export.csv")
    rows = table.content.decode().splitlines()
    assert len(rows) == 4
    assert "'=Bo Lund" in rows[2]
    assert JobBatch.objects.get().rejected_rows.count() == 1


def test_the_state_of_the_application_is_shown(analyst, hub, work_off):
    upload(hub)
    work_off()
    case = Case.objects.get(reference="p-1")
    page_text = text(analyst.get(reverse("case-application", args=[case.pk])))
    assert "complete" in page_text
    assert "kyc.date_of_birth" in page_text
    assert re.search(r"Last change \d{4}-\d\d-\d\d \d\d:\d\d ", page_text)


def test_enrichment_tells_of_the_other_cases_of_the_subject(analyst, hub, work_off):
    upload(hub)
    work_off()
    first, last = Case.objects.get(reference="p-1"), Case.objects.get(reference="p-4")
    # Two people of one name and address, with other dates of birth: the page names both.
    for case in (first, last):
        page_text = text(analyst.post(reverse("case-enrich", args=[case.pk])))
        assert "Found" in page_text
        assert "ambiguous" in page_text
        assert "p-1" in page_text
        assert "p-4" in page_text
    alone = Case.objects.get(reference="p-2")
    assert "this very case" in text(
        analyst.post(reverse("case-enrich", args=[alone.pk]))
    )
    assert CaseEvent.objects.filter(what="enriched").count() == 3


def test_a_webhook_test_reaches_the_desk_signed_well(client, hub):
    client.force_login(make_user("ada", role="administrator"))
    connection = hub["desk_kyc"].connection
    page_text = text(client.post(reverse("connection-test", args=[connection.pk])))
    assert "Webhook test was successful." in page_text
    assert "job webhook" in page_text
    assert "document_fraud_check" in page_text
    assert Event.objects.count() > 3
    [stored] = connection.webhook_secrets.all()
    stored.secret = "another"
    stored.save()
    page_text = text(client.post(reverse("connection-test", args=[connection.pk])))
    assert "HTTP 401" in page_text
