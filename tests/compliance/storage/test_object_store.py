"""Documents in an object store: a real server on a port of its own, which speaks S3."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import boto3
import pytest
from django.conf import settings as installed
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage, storages
from django.core.management import CommandError, call_command
from django.test import override_settings
from django.utils.timezone import now
from moto.server import ThreadedMotoServer

from compliance.security import encrypted_files
from compliance.storage import backend, object_store, orphans, stored_files
from compliance.storage.object_store import ObjectStorage
from reviews.models import Document
from tests.factories import make_case

pytestmark = pytest.mark.django_db
BUCKET = "documents"
CONTENT = b"%PDF-1.7 of a certificate"
LATER = timedelta(seconds=object_store.KNOWN_SECONDS + 1)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    threaded_moto_server = ThreadedMotoServer(port=0)
    threaded_moto_server.start()
    host, port = threaded_moto_server.get_host_and_port()
    yield f"http://{host}:{port}"
    threaded_moto_server.stop()


@pytest.fixture
def options(server, monkeypatch) -> dict[str, str]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    client = boto3.client("s3", endpoint_url=server, region_name="us-east-1")
    client.create_bucket(Bucket=BUCKET)
    return {"bucket_name": BUCKET, "endpoint_url": server, "region_name": "us-east-1"}


@pytest.fixture
def bucket(options):
    resource = boto3.resource(
        "s3", endpoint_url=options["endpoint_url"], region_name="us-east-1"
    )
    item = resource.Bucket(BUCKET)
    yield item
    item.objects.all().delete()


def in_bucket(options: dict[str, str]) -> dict[str, object]:
    """The setting STORAGES of an installation whose documents are in the bucket."""
    data = {
        "BACKEND": "compliance.security.encrypted_files.EncryptedStorage",
        "OPTIONS": {
            "backend": "compliance.storage.object_store.ObjectStorage",
            "options": options,
        },
    }
    return {**installed.STORAGES, "default": data}


@pytest.fixture
def store(options, bucket):
    """The document store of the installation, in the bucket."""
    with override_settings(STORAGES=in_bucket(options)):
        yield storages["default"]


def objects(bucket) -> dict[str, bytes]:
    return {item.key: item.get()["Body"].read() for item in bucket.objects.all()}


@pytest.fixture
def document(store) -> Document:
    case = make_case()
    row = Document(case=case, file_name="a.pdf", kind=Document.Kind.EIN)
    row.sha256 = "4d0a6c0b"
    row.file.save("a.pdf", ContentFile(CONTENT))
    return row


def test_what_is_stored_is_encrypted_and_read_as_it_was(document, bucket):
    [(name, stored)] = objects(bucket).items()
    assert name == document.file.name
    assert stored.startswith(encrypted_files.MAGIC)
    assert CONTENT not in stored
    assert document.file.open().read() == CONTENT
    [item] = bucket.objects.all()
    assert item.Object().server_side_encryption == "AES256"


def test_a_name_is_never_written_over(store):
    first = store.save("originals/a.pdf", ContentFile(b"1"))
    second = store.save("originals/a.pdf", ContentFile(b"2"))
    assert first == "originals/a.pdf"
    assert second != first
    assert second.endswith(".pdf")
    assert store.open(first).read() == b"1"
    assert store.open(second).read() == b"2"


class Refusing(BaseHTTPRequestHandler):
    """A store that answers as if each name were taken."""

    protocol_version = "HTTP/1.1"
    paths: list[str] = []
    # So that a test ends where nothing else ends it.
    MOST = 100

    def log_message(self, *_: object) -> None:
        pass

    def do_PUT(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.paths.append(self.path)
        self.send_response(409 if len(self.paths) < self.MOST else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()


def test_a_store_that_calls_each_name_taken_is_not_asked_for_ever(options):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    store = ObjectStorage(**{**options, "endpoint_url": address})
    with pytest.raises(stored_files.NotWritableError):
        store.save("originals/a.pdf", ContentFile(b"1"))
    server.shutdown()
    server.server_close()
    assert len(set(Refusing.paths)) < 20


def test_pages_do_not_ask_the_store_for_each_document_each_time(
    options, bucket, time_machine
):
    store = ObjectStorage(**options)
    names = [store.save(f"originals/{n}.pdf", ContentFile(CONTENT)) for n in range(3)]
    requests: list[str] = []
    for client in (store.connection.meta.client, store._quick_client):
        client.meta.events.register(
            "before-send.s3", lambda request, **_: requests.append(request.url)
        )
    first = [store.version_of(name) for name in names]
    assert len(requests) == 3
    assert [store.version_of(name) for name in names] == first
    assert len(requests) == 3
    # What it gives is asked for each time.
    store.open(names[0]).close()
    assert len(requests) == 4
    bucket.put_object(Key=names[0], Body=b"another")
    time_machine.move_to(now() + LATER)
    assert store.version_of(names[0]) != first[0]
    store.delete(names[1])
    with pytest.raises(FileNotFoundError):
        store.version_of(names[1])


def test_a_change_in_the_store_is_noticed_without_reading_it_each_time(
    store, bucket, time_machine
):
    digest = hashlib.sha256(CONTENT).hexdigest()
    field = Document._meta.get_field("file")
    row = Document(sha256=digest)
    row.file.name = store.save("originals/b.pdf", ContentFile(CONTENT))
    file = field.attr_class(row, field, row.file.name)
    assert stored_files.fault(file, digest) is None
    assert stored_files.fault(file, digest) is None
    changed = bytearray(objects(bucket)["originals/b.pdf"])
    changed[-1] ^= 1
    bucket.put_object(Key="originals/b.pdf", Body=bytes(changed))
    time_machine.move_to(now() + LATER)
    assert isinstance(stored_files.fault(file, digest), stored_files.ChangedError)
    bucket.Object("originals/b.pdf").delete()
    time_machine.move_to(now() + LATER)
    assert isinstance(stored_files.fault(file, digest), stored_files.MissingError)


def test_a_store_that_is_away_or_has_no_bucket_takes_nothing_and_says_so(options):
    away = ObjectStorage(**{**options, "endpoint_url": "http://127.0.0.1:9"})
    nowhere = ObjectStorage(**{**options, "bucket_name": "another"})
    for storage in (away, nowhere):
        with pytest.raises(stored_files.NotWritableError):
            storage.save("a.pdf", ContentFile(b"1"))
        with pytest.raises(stored_files.StoredError):
            storage.open("a.pdf")
    with pytest.raises(stored_files.StoredError):
        away.version_of("a.pdf")


def test_readiness_writes_into_the_bucket_and_leaves_nothing(store, bucket):
    assert backend.fault() == ""
    assert objects(bucket) == {}


@pytest.mark.parametrize("location", ["", "desk/files"])
def test_what_no_row_names_is_found_in_a_bucket_and_removed_by_hand(
    options, bucket, settings, time_machine, capsys, location
):
    data = {**settings.STORAGES["default"]}
    data["OPTIONS"] = {
        "backend": "compliance.storage.object_store.ObjectStorage",
        "options": {**options, "location": location},
    }
    settings.STORAGES = {**settings.STORAGES, "default": data}
    row = Document(case=make_case(), file_name="a.pdf", kind=Document.Kind.EIN)
    row.file.save("a.pdf", ContentFile(CONTENT))
    stray = default_storage.save("originals/2026/x.pdf", ContentFile(CONTENT))
    prefix = f"{location}/" if location else ""
    owned = f"{prefix}{row.file.name}"
    bucket.put_object(Key=f"{prefix}of somebody else/x.pdf", Body=b"1")
    call_command("remove_orphans")
    assert "Without a row: 0." in capsys.readouterr().out
    time_machine.move_to(now() + orphans.AGE + timedelta(minutes=1))
    call_command("remove_orphans", "--names")
    assert capsys.readouterr().out.startswith(f"{stray}\n")
    assert len(objects(bucket)) == 3
    call_command("remove_orphans", "--remove")
    assert set(objects(bucket)) == {owned, f"{prefix}of somebody else/x.pdf"}


def test_files_go_to_the_bucket_and_back_and_an_interrupted_copy_goes_on(
    options, bucket, settings, tmp_path
):
    settings.MEDIA_ROOT = tmp_path / "documents"
    case = make_case()
    for number in range(3):
        row = Document(case=case, file_name="a.pdf", kind=Document.Kind.EIN)
        row.file.save("a.pdf", ContentFile(CONTENT + bytes([number])))
    before = {
        path.relative_to(settings.MEDIA_ROOT).as_posix(): path.read_bytes()
        for path in settings.MEDIA_ROOT.rglob("*.pdf")
    }
    assert len(before) == 3
    to = ("--to", "s3", "--to-options", json.dumps(options))
    call_command("copy_documents", "--from", "folder", *to)
    assert objects(bucket) == before
    # One had not been copied yet, and nothing is copied twice.
    bucket.Object(next(iter(before))).delete()
    call_command("copy_documents", "--from", "folder", *to)
    assert objects(bucket) == before
    with pytest.raises(CommandError, match="in use"):
        call_command("copy_documents", "--from", "folder", *to, "--remove")
    with pytest.raises(CommandError, match="same place"):
        call_command(
            "copy_documents",
            "--from",
            "s3",
            "--from-options",
            json.dumps(options),
            *to,
            "--remove",
        )
    assert len(objects(bucket)) == len(list(settings.MEDIA_ROOT.rglob("*.pdf"))) == 3
    with override_settings(STORAGES=in_bucket(options)):
        call_command("copy_documents", "--from", "folder", *to, "--remove")
    assert list(settings.MEDIA_ROOT.rglob("*.pdf")) == []
    source = ("--from", "s3", "--from-options", json.dumps(options))
    call_command("copy_documents", *source, "--to", "folder")
    assert {
        path.relative_to(settings.MEDIA_ROOT).as_posix(): path.read_bytes()
        for path in settings.MEDIA_ROOT.rglob("*.pdf")
    } == before


def test_what_is_in_neither_store_or_differs_ends_with_its_name(
    options, bucket, settings, tmp_path
):
    settings.MEDIA_ROOT = tmp_path / "documents"
    row = Document(case=make_case(), file_name="a.pdf", kind=Document.Kind.EIN)
    row.file.save("a.pdf", ContentFile(CONTENT))
    to = ("--to", "s3", "--to-options", json.dumps(options))
    bucket.put_object(Key=row.file.name, Body=b"something else")
    with pytest.raises(CommandError, match="has other content"):
        call_command("copy_documents", "--from", "folder", *to)
    bucket.Object(row.file.name).delete()
    default_storage.delete(str(row.file.name))
    with pytest.raises(CommandError, match="in neither of them"):
        call_command("copy_documents", "--from", "folder", *to)
