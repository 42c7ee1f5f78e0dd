"""What is stored of a webhook tells nobody whether a guess of its body is right, even after an erasure."""

from __future__ import annotations

import hashlib
import json
from importlib import import_module

import pytest
from django.apps import apps
from django.test import Client

from reviews.models import CaseEvent
from tests.factories import make_case, make_connection, make_event
from tests.webhooks.test_receiver import send
from webhooks import events
from webhooks.models import Event

pytestmark = pytest.mark.django_db
BODY = json.dumps({"job_id": "1", "tool_id": "x", "results": {"name": "Ida Lund"}}).encode()  # fmt: skip
PLAIN = hashlib.sha256(BODY).digest()


def test_the_stored_digest_confirms_no_guess():
    make_connection()
    assert send(Client(), BODY).status_code == 200
    stored = bytes(Event.objects.get().digest)
    assert stored not in {PLAIN, hashlib.sha256(PLAIN).digest()}
    assert len(stored) == 32


def test_the_page_shows_the_hash_that_the_sender_knows_until_the_erasure():
    event = make_event(make_case(make_connection()), BODY)
    assert event.sha256 == PLAIN.hex()
    Event.objects.update(body=b"")
    assert Event.objects.get().sha256 == ""


def test_what_an_earlier_version_stored_is_not_taken_twice():
    connection = make_connection()
    make_event(make_case(connection), BODY, digest=PLAIN)
    migration = import_module("webhooks.migrations.0004_keyed_digests")
    migration.key_digests(apps, None)
    assert send(Client(), BODY).status_code == 200
    [event] = Event.objects.all()
    assert bytes(event.digest) == events.digest_of(BODY)


def test_the_line_of_a_replay_has_no_plain_hash(client, django_user_model):
    event = make_event(make_case(make_connection()), BODY, status="ignored")
    ada = django_user_model.objects.create_superuser("ada")
    client.force_login(ada)
    events.replay(event, actor=ada)
    [line] = CaseEvent.objects.filter(what="webhook_replayed")
    assert PLAIN.hex() not in json.dumps(line.data)
    assert line.data["digest"] == events.digest_of(BODY).hex()
