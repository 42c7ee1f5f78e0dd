"""Files are written whole or not at all: a full disk, a store that takes none, a killed process."""

from __future__ import annotations

import base64
import errno
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile

from agenthub.documents import fetching, uploads
from agenthub.models import AgentJob, JobBatch, Upload
from compliance.storage import atomic_files, backend, stored_files
from compliance.storage.backend import WholeFileStorage
from reviews.models import Case
from tests import factories
from tests.compliance.storage.files import PDF, largest_file
from tests.reviews.api.calling import Caller
from tests.reviews.rows import someone

LIMIT = 16 << 20  # larger than the database of a test
LARGE = PDF + b" " * LIMIT


@pytest.fixture
def full(settings) -> Iterator[None]:
    settings.FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * LIMIT  # what comes in waits in memory
    with largest_file(LIMIT):
        yield


@contextmanager
def no_folder(settings) -> Iterator[None]:
    """The store is a place that takes no files, whoever asks."""
    root = Path(settings.MEDIA_ROOT)
    shutil.rmtree(root, ignore_errors=True)
    root.write_text("a file")
    yield
    root.unlink()


def files_in_store(settings) -> list[Path]:
    return [path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()]


@pytest.mark.django_db
def test_a_file_is_kept_with_its_content_and_under_a_name_of_its_own(settings):
    names = [
        default_storage.save("a/b.bin", ContentFile(content))
        for content in (b"1", b"2")
    ]
    assert names[0] == "a/b.bin"
    assert names[0] != names[1]
    contents = [default_storage.open(name).read() for name in names]
    assert contents == [b"1", b"2"]
    assert len(files_in_store(settings)) == 2
    assert all(
        path.stat().st_mode & 0o777 == 0o600 for path in files_in_store(settings)
    )


@pytest.fixture(params=[errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS])
def without_links(request, monkeypatch) -> None:
    """A volume that has no hard links: vfat, SMB, FUSE."""

    def link(*_: object) -> None:
        raise OSError(request.param, os.strerror(request.param))

    monkeypatch.setattr(os, "link", link)


@pytest.mark.django_db
@pytest.mark.usefixtures("without_links")
def test_a_volume_without_hard_links_keeps_each_file_under_a_name_of_its_own(settings):
    names = [
        default_storage.save("a/b.bin", ContentFile(content))
        for content in (b"1", b"2")
    ]
    assert names[0] == "a/b.bin"
    assert [default_storage.open(name).read() for name in names] == [b"1", b"2"]
    assert len(files_in_store(settings)) == 2
    assert {path.stat().st_mode & 0o777 for path in files_in_store(settings)} == {0o600}


@pytest.mark.django_db
@pytest.mark.usefixtures("without_links")
def test_such_a_volume_keeps_nothing_of_a_file_for_which_there_is_no_room(
    settings, full
):
    with pytest.raises(stored_files.FullError, match="is full"):
        default_storage.save("a.bin", ContentFile(LARGE))
    assert files_in_store(settings) == []


@pytest.mark.django_db
def test_nothing_is_left_of_a_file_for_which_there_is_no_room(settings, full):
    with pytest.raises(stored_files.FullError, match="is full"):
        default_storage.save("a.bin", ContentFile(LARGE))
    assert files_in_store(settings) == []


def test_a_file_that_is_replaced_stays_as_it_was_where_there_is_no_room(tmp_path, full):
    path = tmp_path / "a.json"
    atomic_files.replace(path, [b"old"])
    with pytest.raises(OSError, match="too large"):
        atomic_files.replace(path, [LARGE])
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


KILLED = """
import os, signal, sys
from pathlib import Path
from compliance.storage import atomic_files

def chunks():
    yield b"begun"
    os.write(1, b"x")  # the parent kills after this
    signal.pause()

atomic_files.write_new(Path(sys.argv[1]), chunks())
"""


def test_of_a_file_whose_writer_is_killed_there_is_no_torn_one(tmp_path):
    path = tmp_path / "a.bin"
    command = [sys.executable, "-c", KILLED, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=os.getcwd()) as writer:  # noqa: PTH109
        assert writer.stdout
        writer.stdout.read(1)
        writer.send_signal(signal.SIGKILL)
    assert not path.exists()
    assert all(left.name.startswith(atomic_files.PART) for left in tmp_path.iterdir())


@pytest.mark.django_db
class TestPeopleAndClientsAreTold:
    def submit(self, client, content=LARGE):
        agent = factories.make_agent(factories.make_connection())
        client.force_login(someone("analyst"))
        client.raise_request_exception = False
        paper = SimpleUploadedFile("a.pdf", content)
        data = {
            "agent": agent.pk,
            "business_name": "Acorn",
            "incorporation_documents": paper,
        }
        return client.post("/cases/new/?kind=kyb", data)

    def test_by_the_form(self, client, settings, full):
        answer = self.submit(client)
        assert answer.status_code == 507
        assert "is full. Nothing was kept" in answer.content.decode()
        assert answer["Retry-After"]
        assert not Case.objects.exists()
        assert files_in_store(settings) == []

    def test_by_the_form_where_the_store_takes_none(self, client, settings):
        with no_folder(settings):
            answer = self.submit(client, PDF)
        assert answer.status_code == 503
        assert "takes no files now" in answer.content.decode()
        assert not Case.objects.exists()

    def test_over_rest(self, settings, full):
        agent = factories.make_agent(factories.make_connection())
        paper = {
            "kind": "incorporation_documents",
            "file_name": "a.pdf",
            "b64_document": base64.b64encode(LARGE).decode(),
        }
        data = {"business_name": "Acorn"}
        body = {"agent": agent.pk, "self_attested_data": data, "documents": [paper]}
        answer = Caller(someone("analyst")).post("/cases", body)
        assert (answer.status_code, answer.json()["code"]) == (507, "full")
        assert not Case.objects.exists()
        assert files_in_store(settings) == []

    def test_by_the_hub(self, client, settings, full):
        result = factories.make_hub()
        headers = {"Authorization": f"Bearer {result['api_key']}"}
        body = {"b64_document": base64.b64encode(LARGE).decode(), "file_name": "a.pdf"}
        answer = client.post(
            "/api/v1/uploadB64Document", body, "application/json", headers=headers
        )
        assert answer.status_code == 507
        assert "is full" in answer.json()["message"]
        assert answer["Retry-After"]
        assert not Upload.objects.exists()
        rows = "business_name\n" + "Acorn\n" * (LIMIT // 6)
        body = {"agent_key": result["kyb"].key, "csv": rows}
        answer = client.post(
            "/api/v1/enqueueFromCSV", body, "application/json", headers=headers
        )
        assert answer.status_code == 507
        assert not JobBatch.objects.exists()
        assert files_in_store(settings) == []

    def test_by_the_health_of_the_installation(self, client, settings):
        assert client.get("/health/ready").json()["documents"] == "ok"
        assert files_in_store(settings) == []
        with no_folder(settings):
            answer = client.get("/health/ready")
        assert answer.status_code == 503
        assert "takes no files" in answer.json()["documents"]
        assert backend.fault() == ""


@pytest.mark.django_db
def test_a_disk_that_is_not_mounted_loses_no_file_and_takes_none(settings):
    upload = uploads.keep(
        factories.make_hub()["account"], content=PDF, file_name="a.pdf"
    )
    root = Path(settings.MEDIA_ROOT)
    disk = root.with_name("disk")
    root.rename(disk)
    for is_mount_point in (False, True):
        if is_mount_point:
            root.mkdir()
        with pytest.raises(stored_files.StoredError) as error:
            stored_files.content(upload.file, "")
        # A lost file ends its check for good; an outage does not, and costs no attempt.
        assert error.value.is_temporary
        with pytest.raises(stored_files.StoredError):
            fetching.fetch({"url": uploads.url(upload)}, AgentJob())
        assert "not mounted" in backend.fault()
        with pytest.raises(stored_files.NotWritableError):
            default_storage.save("originals/b.bin", ContentFile(PDF))
    assert not list(root.iterdir())
    root.rmdir()
    disk.rename(root)
    assert stored_files.content(upload.file, "") == PDF
    assert backend.fault() == ""


class Unasked(WholeFileStorage):
    """Each question costs a slow network disk a second."""

    def exists(self, name):
        raise AssertionError("The link that names the file says whether it is there.")


def test_a_file_is_written_without_asking_for_its_name(tmp_path):
    store = Unasked(location=str(tmp_path))
    first = store.save("originals/2026/a.bin", ContentFile(b"first"))
    second = store.save("originals/2026/a.bin", ContentFile(b"second"))
    assert first == "originals/2026/a.bin"
    assert first != second
    assert (tmp_path / first).read_bytes() == b"first"
    assert (tmp_path / second).read_bytes() == b"second"
