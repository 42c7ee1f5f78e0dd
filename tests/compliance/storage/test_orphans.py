"""What nobody owns is swept from the document store; what a row owns, or is being written, is not."""

from __future__ import annotations

import os
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.utils.timezone import now

from agenthub.documents import uploads
from compliance.storage import atomic_files, orphans
from compliance.storage.backend import WholeFileStorage
from reviews.documents import store
from reviews.intake import draft_files
from reviews.models import Document
from reviews.people import notes
from tests import factories
from tests.compliance.storage.files import PDF
from tests.reviews.pages.test_draft_files import paper
from tests.reviews.rows import open_case, someone

pytestmark = pytest.mark.django_db
LATER = orphans.AGE + timedelta(minutes=1)


@pytest.fixture(autouse=True)
def looks_each_time(monkeypatch) -> None:
    monkeypatch.setattr(orphans, "LOOK_SECONDS", 0.0)


@pytest.fixture
def root(settings) -> Path:
    return Path(settings.MEDIA_ROOT)


def names(root: Path) -> set[str]:
    rows = (
        path for path in root.rglob("*") if path.is_file() and path.name != orphans.MARK
    )
    return {path.relative_to(root).as_posix() for path in rows}


def stray(name: str) -> str:
    return default_storage.save(name, ContentFile(b"left behind"))


@pytest.fixture
def owned(root) -> set[str]:
    """A file of every kind that a row names."""
    case, actor = open_case(), someone("analyst", "ana")
    document = store.add(
        case, kind="ein_documents", file=ContentFile(PDF), file_name="a.pdf"
    )
    document.pages.create(number=1, width=1, height=1, image=stray("pages/a/1.webp"))
    notes.add(case, actor=actor, text="See.", files=[ContentFile(PDF, name="b.pdf")])
    draft_files.add(actor, [("ein_documents", paper())])
    uploads.keep(factories.make_hub()["account"], content=PDF, file_name="c.pdf")
    result = names(root)
    assert len(result) == 5
    return result


def test_what_no_row_owns_goes_and_the_rest_stays(root, owned, time_machine):
    for name in (
        "originals/2026/01/x.bin",
        "pages/b/1.webp",
        "uploads/y.bin",
        "trials/z",
    ):
        stray(name)
    (root / "originals" / f"{atomic_files.PART}0123").write_bytes(b"torn")
    time_machine.move_to(now() + LATER)
    assert orphans.sweep() == 5
    assert names(root) == owned
    assert orphans.sweep() == 0
    assert names(root) == owned


def test_the_command_changes_nothing_until_it_is_told_to(
    root, owned, time_machine, capsys
):
    name = stray("originals/2026/01/x.bin")
    time_machine.move_to(now() + LATER)
    call_command("remove_orphans", "--names")
    words = capsys.readouterr().out
    assert name in words
    assert "Files: 6. Without a row: 1." in words
    assert "Nothing was removed" in words
    assert names(root) == {*owned, name}
    call_command("remove_orphans", "--remove")
    assert "Removed: 1." in capsys.readouterr().out
    assert names(root) == owned


def test_the_command_says_that_rather_the_database_is_too_old(
    root, time_machine, monkeypatch
):
    monkeypatch.setattr(orphans, "MAX_ORPHANS", 1)
    for number in range(3):
        stray(f"originals/{number}.bin")
    time_machine.move_to(now() + LATER)
    with pytest.raises(CommandError, match="None was removed"):
        call_command("remove_orphans", "--remove")
    assert len(names(root)) == 3


def test_a_storage_that_lists_nothing_is_an_error_with_words(settings):
    inner = {"backend": "django.core.files.storage.InMemoryStorage"}
    data = {
        "BACKEND": "compliance.security.encrypted_files.EncryptedStorage",
        "OPTIONS": inner,
    }
    settings.STORAGES = {**settings.STORAGES, "default": data}
    with pytest.raises(CommandError, match="does not list"):
        call_command("remove_orphans")


def test_what_is_young_stays(root, owned):
    name = stray("originals/2026/01/x.bin")
    assert orphans.sweep() == 0
    assert names(root) == {*owned, name}


def test_a_date_that_somebody_gave_a_file_does_not_make_it_old(root, owned):
    name = stray("originals/2026/01/x.bin")
    os.utime(root / name, (0, 0))
    assert orphans.sweep() == 0


def test_folders_that_no_model_writes_into_are_left_alone(root, owned, time_machine):
    name = stray("of somebody else/x.bin")
    time_machine.move_to(now() + LATER)
    assert orphans.sweep() == 0
    assert name in names(root)


def test_a_store_that_was_put_back_without_its_database_is_not_emptied(
    root, owned, time_machine, monkeypatch, caplog
):
    monkeypatch.setattr(orphans, "MAX_ORPHANS", 3)
    Document.objects.all().delete()
    for number in range(8):
        stray(f"originals/{number}.bin")
    before = names(root)
    time_machine.move_to(now() + LATER)
    assert orphans.sweep() == 0
    assert names(root) == before
    assert "none was removed" in caplog.text


def test_the_log_tells_of_no_name(root, owned, time_machine, caplog):
    caplog.set_level("INFO", "compliance.storage.orphans")
    stray("originals/Acorn Ltd.bin")
    time_machine.move_to(now() + LATER)
    orphans.sweep()
    assert "no row owned 1: removed" in caplog.text
    assert "Acorn" not in caplog.text


@pytest.mark.django_db(transaction=True)
def test_it_is_done_once_in_an_interval(root, time_machine):
    stray("originals/x.bin")
    moment = now()
    time_machine.move_to(moment + LATER)

    def start() -> None:
        orphans.start_if_due()
        _wait_for_the_sweep()

    start()
    assert names(root) == set()
    stray("originals/y.bin")
    # The mark has the real time, which no clock of a test moves.
    time_machine.move_to(moment)
    swept = (root / orphans.MARK).stat().st_mtime_ns
    start()
    assert (root / orphans.MARK).stat().st_mtime_ns == swept


class Silent(WholeFileStorage):
    """A network disk that does not answer until the test says so."""

    answers = threading.Event()
    asked = threading.Event()

    def path(self, name):
        if not name:
            self.asked.set()
            self.answers.wait()
        return super().path(name)


@pytest.mark.django_db(transaction=True)
def test_a_worker_does_not_wait_for_a_store_that_is_silent(settings):
    backend = f"{__name__}.{Silent.__name__}"
    storages = {
        "BACKEND": "compliance.security.encrypted_files.EncryptedStorage",
        "OPTIONS": {"backend": backend},
    }
    settings.STORAGES = {**settings.STORAGES, "default": storages}
    try:
        orphans.start_if_due()
        # It has returned, and the thread asks.
        assert Silent.asked.wait(60)
        assert any(thread.name == "orphans" for thread in threading.enumerate())
        orphans.start_if_due()
    finally:
        Silent.answers.set()
        _wait_for_the_sweep()


def _wait_for_the_sweep() -> None:
    for thread in threading.enumerate():
        if thread.name == "orphans":
            thread.join()
