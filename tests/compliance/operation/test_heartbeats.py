"""A worker whose heartbeat the database did not take writes it soon again."""

from __future__ import annotations

import contextlib
import sqlite3

import pytest
from django.db import connection

from compliance.models import Heartbeat
from compliance.operation import heartbeats

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="It has one writer."),
]


def test_a_heartbeat_that_was_not_written_is_tried_again_soon(monkeypatch, caplog):
    monkeypatch.setattr(heartbeats, "ANSWER_SECONDS", 0.01)
    monkeypatch.setattr(heartbeats, "RETRY_SECONDS", 0.0)
    worker = heartbeats.Worker("busy", {"default"})
    rows = Heartbeat.objects.filter(name="worker busy")
    name = connection.settings_dict["NAME"]
    writer = sqlite3.connect(name, uri=str(name).startswith("file:"))
    with contextlib.closing(writer):
        writer.execute("BEGIN IMMEDIATE")
        worker.beat_if_due()
        assert not rows.exists()
        writer.rollback()
    # It says why.
    assert "No heartbeat was written: BUSY" in caplog.text
    worker.beat_if_due()
    assert rows.exists()
