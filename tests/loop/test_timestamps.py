"""The hub signs with the time, the desk demands it: over real sockets, nothing of either is faked."""

from __future__ import annotations

from datetime import timedelta

import pytest
import requests
import time_machine
from django.utils.timezone import now

from agenthub.accounts import signing_secrets
from agenthub.deliveries import sending
from agenthub.models import Delivery
from compliance.http import signatures, standard_webhooks
from reviews.models import Case, Connection, WebhookSecret
from tests.factories import SECRET, make_connection, make_hub, make_user
from webhooks.models import Event

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def hub(served):
    return make_hub(make_connection(base_url=f"{served}/api/v1"))


@pytest.fixture
def reviewed(client, hub, work_off) -> Case:
    """A case that the hub has examined: its webhooks have come."""
    client.force_login(make_user())
    data = {"agent": hub["desk_kyc"].pk, "first_name": "Ana", "last_name": "Reyes",
            "date_of_birth": "1990-01-01", "reference": "case-1"}  # fmt: skip
    assert client.post("/cases/new/?kind=kyc", data).status_code == 303
    work_off()
    return Case.objects.get(status=Case.Status.TO_REVIEW)


def send(served: str, body: bytes, headers: dict[str, str]) -> requests.Response:
    return requests.post(
        f"{served}/webhooks/hub/", data=body, headers=headers, timeout=10
    )


def test_the_first_webhook_of_the_hub_has_its_time_demanded(served, reviewed):
    assert all("webhook-signature" in event.headers for event in Event.objects.all())
    assert Connection.objects.get().timestamped_since is not None
    forged = b'{"id": "x", "status": "complete", "recommendation": "Approve"}'
    full = {signatures.FULL_HEADER: signatures.sign(forged, SECRET)}
    refused = send(served, forged, full)
    assert (refused.status_code, "webhook-id" in refused.json()["message"]) == (
        401,
        True,
    )
    old = standard_webhooks.headers("a", int(now().timestamp()) - 301, forged, SECRET)
    assert send(served, forged, full | old).status_code == 401
    assert forged not in [bytes(event.body) for event in Event.objects.all()]


@pytest.mark.fault("F5", "a delivery is repeated after the secret was rotated")
def test_a_delivery_is_sent_again_days_later_and_after_a_rotation(
    served, reviewed, hub
):
    delivery = Delivery.objects.order_by("created_at").first()
    assert delivery is not None
    Event.objects.all().delete()
    _, raw = signing_secrets.rotate(hub["account"], overlap=timedelta(0))
    WebhookSecret.objects.create(
        connection=reviewed.connection, name="next", secret=raw
    )
    assert raw.startswith("whsec_")
    with time_machine.travel(now() + timedelta(days=3)):
        Delivery.objects.filter(pk=delivery.pk).update(status=Delivery.Status.DUE)
        sending.send(Delivery.objects.get(pk=delivery.pk))
        attempt = delivery.attempts.latest("pk")
        assert (attempt.http_status, attempt.error) == (200, "")
    event = Event.objects.get()
    assert event.secret is not None
    assert event.secret.name == "next"
    assert event.headers["webhook-id"] == str(delivery.pk)
