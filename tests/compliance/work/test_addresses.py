"""What the worker calls is written down where it is called: the pages must be found there."""

from __future__ import annotations

import subprocess
import sys

import pytest
from django.conf import settings
from django.urls import reverse

from agenthub.deliveries import slack
from agenthub.models import AgentJob
from reviews.documents import store
from reviews.jobs import start
from reviews.models import Document
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_address_of_a_document():
    document = Document()
    # The token is signed with the second in which it is made.
    address = store.service_url(document)
    token = address.rstrip("/").rpartition("/")[2]
    path = reverse("document-file", args=[document.pk, token])
    assert address == settings.CALLBACK_URL + path


def test_the_address_for_webhooks():
    connection = factories.make_connection(is_active=True)
    case = factories.make_case(connection, agent=factories.make_agent(connection))
    job = factories.make_job(case, status="queued")
    start.start(job)
    job.refresh_from_db()
    path = reverse("webhook", args=[job.connection.slug])
    assert job.sent["webhook_url"] == settings.CALLBACK_URL + path


def test_the_address_of_a_job():
    assert slack.link(AgentJob(pk=7)) == settings.DESK_URL + reverse(
        "hub-job", args=[7]
    )


@pytest.mark.parametrize(
    "start",
    [
        pytest.param(
            "from compliance.work import queues; queues.registered();", id="embedded"
        ),
        pytest.param(
            "from compliance.celery import app; app.loader.import_default_modules();",
            id="Celery",
        ),
    ],
)
def test_a_worker_loads_no_pages_and_nothing_that_reads_pictures(start):
    loaded = (
        f"import sys, django; django.setup(); {start}"
        "heavy = {'rest_framework.serializers', 'reviews.urls', 'agenthub.urls', 'numpy', 'cv2'};"
        "print(*(heavy & {*sys.modules}))"
    )
    process = subprocess.run(
        [sys.executable, "-c", loaded], capture_output=True, text=True, check=True
    )
    assert process.stdout.strip() == ""
