"""A full disk is 507, a database that cannot be used is 503, whoever asks."""

from __future__ import annotations

import gc
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from agenthub.models import AgentJob, JobBatch
from compliance.http import unavailable
from reviews.models import Agent, Case
from tests import factories
from tests.agenthub.conftest import KYB, make_caller
from tests.compliance.storage.files import PDF, largest_file
from tests.reviews.api.calling import Caller
from tests.reviews.rows import someone
from tests.webhooks.test_receiver import sign
from webhooks.models import Event

LIMIT = 16 << 20  # bytes, larger than the database of a test
LARGE = PDF + b" " * LIMIT
# More than there is room for in the pages that the database has, also after compression.
LONG = hashlib.shake_256(b"long").hexdigest(5_000)
DATA = {"business_name": "Acorn", "description": LONG, "business_purpose": LONG}

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def no_temporary_room(caplog) -> Iterator[None]:
    """A large upload finds no room in the temporary folder."""
    with largest_file(LIMIT):
        yield
        # Django leaves the file that it could not write to the garbage collector. The log records
        # hold the exception, which holds that file.
        caplog.get_records("call").clear()
        gc.collect()


@pytest.fixture
def agent() -> Agent:
    return factories.make_agent(factories.make_connection())


@pytest.fixture
def analyst() -> Client:
    """The browser of an analyst, on the form for a new case."""
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.force_login(someone("analyst"))
    client.get("/cases/new/?kind=kyb")
    return client


def submit(analyst: Client, agent: Agent, **values: object):
    token = {"X-CSRFToken": analyst.cookies["csrftoken"].value}
    data = {"agent": agent.pk, **DATA, **values}
    return analyst.post("/cases/new/?kind=kyb", data, headers=token)


# Closing that file fails, too.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
class TestNoRoomForAnUpload:
    def test_on_a_page(self, analyst, agent, no_temporary_room):
        answer = submit(
            analyst, agent, incorporation_documents=SimpleUploadedFile("a.pdf", LARGE)
        )
        assert answer.status_code == 507
        assert answer["Retry-After"] == "60"
        words = answer.content.decode()
        assert "<h1>The disk is full</h1>" in words
        assert "Nothing of this request was stored" in words
        assert not Case.objects.exists()

    def test_over_rest(self, agent, no_temporary_room):
        paper = SimpleUploadedFile("a.pdf", LARGE)
        case = {"agent": agent.pk, "self_attested_data": DATA}
        form = {"case": json.dumps(case), "incorporation_documents": paper}
        body = encode_multipart(BOUNDARY, form)
        caller = Caller(someone("analyst"))
        answer = caller.post("/cases", body, content_type=MULTIPART_CONTENT)
        assert (answer.status_code, answer.json()["code"]) == (507, "full")
        assert answer["Retry-After"] == "60"
        assert not Case.objects.exists()

    def test_at_the_hub(self, no_temporary_room):
        caller = make_caller()
        rows = SimpleUploadedFile(
            "a.csv", b"business_name\n" + b"Acorn\n" * (LIMIT // 6)
        )
        answer = caller.send(
            "enqueueFromCSV", {"agent_key": caller.kyb.key, "file": rows}
        )
        assert (answer.status_code, answer.json()["error"]) == (
            507,
            "Insufficient Storage",
        )
        assert answer["Retry-After"] == "60"
        assert not JobBatch.objects.exists()


TABLES = ("reviews_case", "agenthub_agentjob", "webhooks_event")


@contextmanager
def full_database() -> Iterator[None]:
    """The database has no room for another row."""
    with _full_sqlite() if connection.vendor == "sqlite" else _full_postgresql():
        yield


@contextmanager
def _full_sqlite() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA max_page_count")
        [most] = cursor.fetchone()
        cursor.execute("PRAGMA page_count")
        cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0]}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA max_page_count = {most}")


@contextmanager
def _full_postgresql() -> Iterator[None]:
    """The server itself raises the error of a full disk, for each row that is inserted."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            " RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$"
        )
        for table in TABLES:
            trigger = f"CREATE TRIGGER full_disk BEFORE INSERT ON {table}"
            cursor.execute(f"{trigger} FOR EACH ROW EXECUTE FUNCTION full_disk()")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP FUNCTION full_disk() CASCADE")


@contextmanager
def read_only() -> Iterator[None]:
    """The database refuses every change."""
    switch = "SET default_transaction_read_only"
    if connection.vendor == "sqlite":
        switch = "PRAGMA query_only"
    with connection.cursor() as cursor:
        cursor.execute(f"{switch} = on")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"{switch} = off")


def no_files() -> AbstractContextManager[None]:
    """SQLite cannot write into its files: a quota is used up."""
    return largest_file(4096)


ONLY_SQLITE = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="A server has its own files"
)


@pytest.mark.parametrize(
    ("outage", "status", "words"),
    [
        pytest.param(full_database, 507, "no room left on a disk", id="full"),
        pytest.param(
            no_files, 507, "no room left on a disk", id="no files", marks=ONLY_SQLITE
        ),
        pytest.param(read_only, 503, "can only be read", id="read-only"),
    ],
)
class TestTheDatabaseTakesNoRows:
    def test_on_a_page(self, analyst, agent, outage, status, words):
        with outage():
            answer = submit(analyst, agent)
            assert analyst.get("/").status_code == 200  # what is there can be read
        assert (answer.status_code, answer["Retry-After"]) == (status, "60")
        assert words in answer.content.decode()
        assert not Case.objects.exists()

    def test_over_rest(self, agent, outage, status, words):
        caller = Caller(someone("analyst"))
        with outage():
            answer = caller.post(
                "/cases", {"agent": agent.pk, "self_attested_data": DATA}
            )
            assert caller.get("/cases").status_code == 200
        assert (answer.status_code, answer["Retry-After"]) == (status, "60")
        assert words in answer.json()["detail"]
        assert not Case.objects.exists()

    def test_at_the_hub(self, outage, status, words):
        caller = make_caller()
        body = caller.kyb_body(kyb_schema={"id": "1", "self_attested_data": DATA})
        with outage():
            answer = caller.post(KYB, body)
            assert caller.get("getAvailableChecks").status_code == 200
        assert (answer.status_code, answer["Retry-After"]) == (status, "60")
        assert words in answer.json()["message"]
        assert not AgentJob.objects.exists()

    def test_at_the_receiver(self, client, outage, status, words):
        factories.make_connection()
        body = json.dumps(
            {"job_id": "j", "tool_id": "t", "results": {"text": LONG}}
        ).encode()
        headers = {"X-Signature-SHA256": sign(body)}
        with outage():
            answer = client.post(
                "/webhooks/hub/", body, "application/json", headers=headers
            )
        assert (answer.status_code, answer["Retry-After"]) == (status, "60")
        assert words in answer.json()["message"]
        assert not Event.objects.exists()
        # The service sends it again.
        again = client.post("/webhooks/hub/", body, "application/json", headers=headers)
        assert again.status_code == 200


SCRIPT = """
import django
django.setup()
from django.test import Client
client = Client(raise_request_exception=False)
bearer = {"Authorization": "Bearer dsk_x"}
login = {"login": "ana", "password": "correct horse"}
for answer in (
    client.post("/login/", login),
    client.get("/api/desk/v1/me", headers=bearer),
    client.get("/api/v1/getJobById?job_id=1", headers=bearer),
    client.post("/webhooks/hub/", b"{}", "application/json"),
):
    told = "cannot be used now" in answer.content.decode()
    print(answer.status_code, answer["Retry-After"], answer["Content-Type"].split(";")[0], told)
"""


@pytest.mark.parametrize("url", ["", "postgres://nobody@127.0.0.1:1/nothing"])
def test_a_database_that_is_not_there(tmp_path, url):
    (tmp_path / "desk.sqlite3").mkdir()  # it cannot be opened as a file
    own = {"VAR": str(tmp_path), "DATABASE_URL": url, "CELERY_BROKER_URL": ""}
    own |= {"SECRET_KEY": "tests", "ENCRYPTION_KEY": "tests"}
    command = [sys.executable, "-c", SCRIPT]
    env = {**os.environ, **own}
    run = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert run.stdout.splitlines() == [
        "503 60 text/html True",
        "503 60 application/problem+json True",
        "503 60 application/json True",
        "503 60 application/json True",
    ], run.stderr


def test_an_error_that_is_its_own_cause_ends_the_search_for_an_outage():
    error, other = ValueError(), KeyError()
    error.__cause__, other.__cause__ = other, error
    assert unavailable.outage_of(error) is None
