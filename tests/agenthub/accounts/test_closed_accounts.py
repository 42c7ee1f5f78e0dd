"""A closed account: nothing is examined for it or sent to it, and nothing of it is lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.urls import reverse

from agenthub.jobs import rescreening
from agenthub.models import Account, AgentJob, Delivery
from agenthub.models.lists import Rescreening
from agenthub.screening import catalogue, loading, sample_lists
from agenthub.tasks import DELIVERIES, DOCUMENTS, JOBS
from checks import samples
from compliance.operation import queue_figures
from tests import fakeservice
from tests.agenthub.jobs.test_runs import b64, make_job
from tests.agenthub.screening.test_checks import LISTED, SANCTIONS
from tests.factories import make_user
from tests.fakeservice import FakeService

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def receiver(settings) -> Iterator[FakeService]:
    with fakeservice.running() as service:
        port = int(service.url.split(":")[2].split("/")[0])
        settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", port)})
        yield service


@pytest.fixture(autouse=True)
def closer(client) -> None:
    client.force_login(make_user("closer", role="hub administrator"))


def switch(client, *, is_open: bool) -> None:
    """Close or open all accounts, on their pages."""
    form = {"open": ""} if is_open else {}
    for account in Account.objects.all():
        answer = client.post(reverse("hub-account-switch", args=[account.pk]), form)
        assert answer.status_code == 303
    assert not Account.objects.exclude(is_active=is_open).exists()


def drain() -> int:
    return sum(queue.drain() for queue in (JOBS, DOCUMENTS, DELIVERIES))


def statuses() -> list[str]:
    return sorted(AgentJob.objects.values_list("status", flat=True))


def test_jobs_of_a_closed_account_wait_until_it_is_open_again(client):
    make_job(kind="kyc", date_of_birth="1988-04-17")
    make_job(b64(samples.good_certificate().content))
    switch(client, is_open=False)
    assert drain() == 0
    assert statuses() == ["PENDING", "PENDING"]
    # Nobody is called because of a backlog that no worker should work off.
    for queue in (JOBS, DOCUMENTS):
        assert not queue_figures.due_rows(queue).exists()

    switch(client, is_open=True)
    drain()
    assert statuses() == ["COMPLETE", "COMPLETE"]


@pytest.mark.parametrize("has_account", [True, False])
def test_no_webhook_leaves_for_a_closed_account(client, receiver, has_account):
    """Webhooks that an earlier version has queued have no account of their own."""
    make_job(kind="kyc", date_of_birth="1988-04-17")
    JOBS.drain()
    Delivery.objects.update(url=receiver.url)
    if not has_account:
        Delivery.objects.update(account=None)
    switch(client, is_open=False)
    assert drain() == 0
    assert receiver.paths() == []
    due = Delivery.objects.filter(status=Delivery.Status.DUE)
    assert due.exists()
    # No attempt is counted, so none is missing later.
    assert not due.exclude(attempts=None).exists()


def test_a_hit_of_a_closed_account_is_examined_when_it_is_open_again(client, tmp_path):
    job = make_job(kind="kyc", check_ids=[SANCTIONS], **LISTED)
    drain()
    switch(client, is_open=False)
    (tmp_path / "sdn").write_bytes(sample_lists.ofac_sdn_xml())
    loading.load(catalogue.source("ofac_sdn"), tmp_path / "sdn")
    for row in Rescreening.objects.all():
        rescreening.perform(row)
    drain()
    raised = AgentJob.objects.exclude(pk=job.pk).get()
    assert raised.status == AgentJob.Status.PENDING

    switch(client, is_open=True)
    drain()
    raised.refresh_from_db()
    assert raised.status == AgentJob.Status.COMPLETE
    assert raised.recommendation != "Approve"
