"""Whether it is fit to work, as an orchestrator asks it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.timezone import now

from compliance.operation import heartbeats
from reviews.audit import trail
from reviews.models import Chain, Document
from tests import factories

pytestmark = pytest.mark.django_db
LONG_AGO = now() - timedelta(hours=1)


@pytest.fixture(autouse=True)
def at_work() -> None:
    """A worker that serves all queues."""
    heartbeats.Worker("test", heartbeats.broker_queues()).beat()


def said(client) -> tuple[int, str]:
    answer = client.get("/health/ready")
    return answer.status_code, answer.json()["work"]


def test_a_night_in_which_nothing_happens_is_no_fault(client):
    trail.seal_due(Chain.objects.get())
    Chain.objects.update_or_create(pk=1, defaults={"due_at": LONG_AGO})
    assert said(client) == (200, "ok")
    trail.record(None, "settings_changed")
    assert said(client) == (503, "waiting since long: reviews.tasks.seal_trail")


def test_work_that_nobody_does_is_one(client):
    # The first lines of the database wait for their anchor since the tests began.
    Chain.objects.update(due_at=now())
    case = factories.make_case()
    Document.objects.create(
        case=case, kind=Document.Kind.EIN, file_name="a", due_at=LONG_AGO
    )
    assert said(client) == (503, "waiting since long: reviews.tasks.draw_documents")
