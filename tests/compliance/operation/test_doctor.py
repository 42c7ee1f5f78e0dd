"""The doctor finds each fault, and says what to do."""

from __future__ import annotations

import io
import json
import os
import smtplib
import socketserver
import sqlite3
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles.finders import FileSystemFinder
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import F
from django.utils.timezone import now

from agenthub.models.lists import ListSource, ListVersion
from checks.screening.policy import ENGINE_VERSION
from compliance import startup
from compliance.backup import creation
from compliance.models import DataKey, Heartbeat
from compliance.operation import heartbeats
from compliance.operation.doctor import database, machine
from compliance.security import data_keys
from reviews.audit import trail
from reviews.models import Chain, Document, Seal
from tests import factories, scanners
from tests.compliance.http.test_unavailable import read_only
from tests.compliance.operation.test_queue_pages import dead_mail

pytestmark = pytest.mark.django_db
Findings = dict[str, list[tuple[str, str, str]]]


@pytest.fixture
def whole(work_off) -> None:
    """An installation to which nothing is wrong, but for the mail server that it has none of."""
    # What the first migration made due waits since then: in a long run of the tests, for long.
    work_off()
    heartbeats.Worker("test", heartbeats.broker_queues()).beat()
    heartbeats.note_sweep()
    source = ListSource.objects.create(slug="un", title="UN", format="un")
    ListVersion.objects.create(
        source=source,
        status="active",
        file_name="a",
        sha256="0" * 64,
        engine_version=ENGINE_VERSION,
    )
    trail.record(None, "settings_changed")
    trail.seal_due(Chain.objects.get_or_create(pk=1)[0])


def doctor() -> tuple[int, Findings]:
    """The exit code and, by part, state, text and advice."""
    out, code = io.StringIO(), 0
    try:
        call_command("doctor", "--json", stdout=out)
    except SystemExit as exc:
        code = int(str(exc.code))
    data: Findings = {}
    for row in json.loads(out.getvalue())["findings"]:
        line = (row["state"], row["text"], row["advice"])
        data.setdefault(row["part"], []).append(line)
    for lines in data.values():
        for state, _, advice in lines:
            assert bool(advice) == (state != "ok"), lines
    return code, data


def states(part: str) -> tuple[int, set[str], str]:
    """Exit code, states and words of one part."""
    code, result = doctor()
    return code, {state for state, _, _ in result[part]}, str(result[part])


def test_nothing_is_wrong(whole):
    code, result = doctor()
    wrong = {part: lines for part, lines in result.items() if lines[0][0] != "ok"}
    assert wrong.keys() <= {"e-mail", "sandbox", "protection", "backup"}
    assert code == 0
    assert {"versions", "settings", "storage", "room", "database", "migrations", "writing"} <= result.keys()  # fmt: skip
    assert {"keys", "clocks", "workers", "work", "trail", "lists"} <= result.keys()


def test_lines_for_people(whole):
    out = io.StringIO()
    call_command("doctor", stdout=out)
    assert "ok      database" in out.getvalue()
    assert out.getvalue().splitlines()[-1].endswith(" 0 failed")


@pytest.mark.django_db(transaction=True)
def test_a_database_that_can_only_be_read(whole):
    with read_only():
        code, result, words = states("writing")
    assert (code, result) == (1, {"failed"})
    assert "the database can only be read" in words


def test_settings_that_contradict_each_other(whole, settings):
    settings.DESK_ENABLED = settings.HUB_ENABLED = False
    code, result, words = states("settings")
    assert (code, result) == (1, {"failed"})
    assert "both off" in words


def test_an_address_without_encryption(whole, settings):
    settings.DESK_URL = "http://desk.example.com"
    code, result, words = states("settings")
    assert code == 0
    assert "warning" in result
    assert "without encryption" in words


def test_a_python_that_is_not_tested(whole, monkeypatch):
    monkeypatch.setattr(machine, "PYTHONS", ((3, 8), (3, 9)))
    assert states("versions")[1] == {"warning"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_store_without_rights(whole, settings):
    Path(settings.MEDIA_ROOT).mkdir(parents=True, exist_ok=True)
    Path(settings.MEDIA_ROOT).chmod(0o500)
    assert states("storage")[:2] == (1, {"failed"})


def test_a_store_that_is_a_file(whole, settings):
    Path(settings.MEDIA_ROOT).parent.mkdir(parents=True, exist_ok=True)
    Path(settings.MEDIA_ROOT).write_text("")
    assert states("storage")[:2] == (1, {"failed"})


@pytest.mark.parametrize("kind", ["clamav", "icap"])
@pytest.mark.parametrize(
    ("fault", "state", "text"),
    [
        ("", "ok", "reports EICAR"),
        ("blind", "failed", "does not scan"),
        ("small", "failed", "a large archive"),
        ("close", "failed", ""),
    ],
)
def test_a_scanner_is_tried_with_a_file_that_it_must_report(
    whole, settings, tmp_path, kind, fault, state, text
):
    with scanners.running(kind, tmp_path) as scanner:
        settings.FILE_SCANNER = scanner.url
        scanner.fault = fault
        _, found, words = states("scanner")
    assert found == {state}
    assert text in words
    if not fault:
        assert len(scanner.files[-1]) > 0.9 * settings.MAX_DOCUMENT_BYTES


def test_a_scanner_that_takes_no_large_files(whole, settings, tmp_path):
    with scanners.running("clamav", tmp_path) as scanner:
        settings.FILE_SCANNER = scanner.url
        scanner.fault = "limit"
        assert states("scanner")[:2] == (1, {"failed"})


def test_a_disk_that_is_nearly_full(whole, monkeypatch):
    monkeypatch.setattr(machine, "SMALL_DISK", 1 << 60)
    assert states("room")[:2] == (1, {"failed"})
    monkeypatch.setattr(machine, "SMALL_DISK", 0)
    monkeypatch.setattr(machine, "NEARLY_SMALL_DISK", 1 << 60)
    assert states("room")[:2] == (0, {"warning"})


def test_static_files_that_were_not_collected(whole, settings, tmp_path):
    settings.STATIC_ROOT = tmp_path
    settings.EMBEDDED = False
    backend = "whitenoise.storage.CompressedManifestStaticFilesStorage"
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": backend}}
    code, result, words = states("static files")
    assert (code, result) == (1, {"failed"})
    assert "css/" in words
    names = {path: path for path, _ in FileSystemFinder().list([])}
    manifest = json.dumps({"version": "1.1", "paths": names, "hash": ""})
    (tmp_path / "staticfiles.json").write_text(manifest)
    storage: Any = staticfiles_storage
    storage.hashed_files, _ = storage.load_manifest()
    assert states("static files")[:2] == (0, {"ok"})


def test_the_age_of_the_last_backup(whole, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    code, result, words = states("backup")
    assert (code, result) == (0, {"warning"})
    assert "none yet" in words
    for days, state in ((1, "ok"), (3, "warning")):
        at = now() - timedelta(days=days)
        (tmp_path / creation.LAST).write_text(json.dumps({"at": at.isoformat()}))
        assert states("backup")[:2] == (0, {state})


def test_a_broker_that_is_away(whole, settings, monkeypatch):
    from compliance.celery import app

    address = "redis://127.0.0.1:9/0"
    settings.CELERY_BROKER_URL = address
    monkeypatch.setattr(app.conf, "broker_url", address)
    monkeypatch.setattr(app.conf, "broker_write_url", address)
    assert states("broker")[:2] == (1, {"failed"})


def test_a_cache_that_is_away(whole, settings):
    cache = {
        "BACKEND": "compliance.db.redis_pool.Cache",
        "LOCATION": "redis://127.0.0.1:9/0",
    }
    settings.CACHES = {**settings.CACHES, "default": cache}
    code, result, words = states("cache")
    assert (code, result) == (0, {"warning"})
    assert "REDIS_URL" in words


class Mail(socketserver.StreamRequestHandler):
    """As much of a mail server as a login of nobody needs."""

    def handle(self) -> None:
        self.wfile.write(b"220 test\r\n")
        for line in self.rfile:
            answer = (
                b"221 bye\r\n" if line.upper().startswith(b"QUIT") else b"250 ok\r\n"
            )
            self.wfile.write(answer)


@pytest.fixture
def mail_server(settings) -> Iterator[int]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Mail) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.server_address[1]
        server.shutdown()


def test_a_mail_server(whole, settings, mail_server):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", mail_server
    settings.EMAIL_USE_TLS = False
    assert states("e-mail")[:2] == (0, {"ok"})
    settings.EMAIL_PORT = 9
    assert states("e-mail")[:2] == (1, {"failed"})
    assert issubclass(smtplib.SMTPException, OSError)


def test_tables_that_are_missing(whole):
    rows = MigrationRecorder.Migration.objects.filter(app="compliance")
    newest = rows.order_by("name").last()
    assert newest
    newest.delete()
    code, result = doctor()
    assert code == 1
    assert result["migrations"][0][:2] == ("failed", "1 are not applied")
    assert "migrate" in result["migrations"][0][2]
    assert result["keys"][0][:2] == ("warning", "not looked at: tables are missing")
    assert "/health/ready" not in result["keys"][0][2]


def test_the_store_before_the_first_migration(whole):
    """Its files are encrypted with a key from a table, so the store is not what is wrong."""
    MigrationRecorder.Migration.objects.filter(app="compliance").delete()
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {DataKey._meta.db_table} RENAME TO other")
    data_keys.forget()
    _, result = doctor()
    assert result["storage"][0][:2] == ("warning", "not looked at: tables are missing")


def test_a_database_of_a_newer_version(whole):
    MigrationRecorder.Migration.objects.create(
        app="reviews", name="9999_of_later", applied=now()
    )
    code, result, words = states("migrations")
    assert (code, result) == (1, {"failed"})
    assert "reviews.9999_of_later" in words


def test_a_database_that_cannot_be_reached_is_told_of_by_its_server(whole, monkeypatch):
    def refuse() -> None:
        raise OperationalError(
            'connection failed:\n\tFATAL:  database "desk" is missing'
        )

    monkeypatch.setattr(connection, "ensure_connection", refuse)
    [finding] = database.answers()
    assert 'FATAL: database "desk" is missing' in finding.text


def test_a_database_that_is_away(whole, monkeypatch):
    monkeypatch.setattr(database, "fault", lambda: sqlite3.OperationalError.__name__)
    code, result = doctor()
    assert code == 1
    assert result["database"][0][0] == "failed"
    assert result["trail"][0][0] == result["lists"][0][0] == "warning"
    assert result["storage"][0][0] == "warning"
    assert result["room"][0][0] == "ok"


def test_migrations_that_cannot_be_read(whole):
    """For example, the role may not read the table: the other parts are looked at all the same."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE django_migrations RENAME COLUMN app TO other")
    code, findings = doctor()
    assert code == 1
    assert findings["migrations"][0][0] == "failed"
    assert "not looked at" in findings["keys"][0][1]
    assert findings["room"]


def test_another_key(whole, settings):
    factories.make_connection()
    settings.ENCRYPTION_KEY = "another key"
    code, result, words = states("keys")
    assert (code, result) == (1, {"failed"})
    assert "cannot be decrypted" in words


def test_with_another_key_no_line_of_the_trail_is_called_changed(whole, settings):
    startup.refuse_another_key()
    settings.ENCRYPTION_KEY = f"a new key,{settings.ENCRYPTION_KEY}"
    startup.refuse_another_key()
    settings.ENCRYPTION_KEY = "another key"
    _, state, words = states("trail")
    assert state == {"warning"}
    assert "not looked at" in words
    with pytest.raises(
        CommandError, match="Nothing was verified: ENCRYPTION_KEY is not"
    ):
        call_command("audit_verify")
    with pytest.raises(SystemExit, match="ENCRYPTION_KEY is not"):
        startup.refuse_another_key()


def test_a_key_of_documents_that_is_not_there(whole):
    DataKey.objects.update(wrapper="0" * 16)
    code, result, words = states("keys")
    assert (code, result) == (1, {"failed"})
    assert "documents cannot be read" in words


def test_a_data_key_that_was_changed(whole):
    DataKey.objects.update(wrapped=b"0" * 60)
    assert states("keys")[:2] == (1, {"failed"})


def test_an_earlier_key_that_is_still_needed(whole, settings):
    settings.ENCRYPTION_KEY = f"a new key,{settings.ENCRYPTION_KEY}"
    code, result, words = states("keys")
    assert (code, result) == (0, {"warning"})
    assert "reencrypt" in words


def test_a_clock_that_is_wrong(whole):
    Heartbeat.objects.filter(kind=Heartbeat.Kind.WORKER).update(skew_seconds=20)
    assert states("clocks")[:2] == (1, {"failed"})


def test_no_worker(whole):
    Heartbeat.objects.filter(kind=Heartbeat.Kind.WORKER).delete()
    code, result, words = states("workers")
    assert (code, result) == (1, {"failed"})
    assert "no worker for: default" in words


def test_work_that_waits(whole):
    long_ago = now() - timedelta(hours=1)
    Document.objects.create(
        case=factories.make_case(), kind="ein", file_name="a", due_at=long_ago
    )
    code, result, words = states("work")
    assert (code, result) == (1, {"failed"})
    assert "draw_documents" in words


def test_what_failed_for_good(whole):
    dead_mail()
    code, result, words = states("work")
    assert (code, result) == (0, {"ok", "warning"})
    assert "1 rows failed for good" in words


def test_a_line_of_the_trail_that_was_changed(whole):
    row = Seal.objects.order_by("-seq")[0]
    Chain.objects.update(seq=F("seq") + 1)
    code, result, words = states("trail")
    assert (code, result) == (1, {"failed"})
    assert f"ends at line {row.seq}" in words


def test_a_trail_without_its_guards(whole):
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            name = next(name for (name,) in cursor.fetchall() if "caseevent" in name)
            cursor.execute(f'DROP TRIGGER "{name}"')
        else:
            cursor.execute(
                "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"
                " AND tgrelid = 'reviews_caseevent'::regclass"
            )
            [name] = cursor.fetchone()
            cursor.execute(f'DROP TRIGGER "{name}" ON reviews_caseevent')
    code, result, words = states("trail")
    assert (code, result) == (1, {"failed"})
    assert name in words


def test_lists(whole):
    old = now() - timedelta(days=30)
    ListVersion.objects.update(loaded_at=old)
    assert states("lists")[:2] == (1, {"failed"})
    ListVersion.objects.update(status="retired")
    assert "no active version" in states("lists")[2]
    ListSource.objects.all().delete()
    assert states("lists")[:2] == (0, {"warning"})
