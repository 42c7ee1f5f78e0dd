"""The rows of a list are changed behind the hub: each change is found, and no load makes it right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.db.models import F

from agenthub import tasks
from agenthub.models.lists import (
    ListEntity,
    ListIdentifier,
    ListName,
    ListPosting,
    ListVersion,
)
from agenthub.screening import catalogue, loading, sample_lists
from checks.screening.records import Entity
from reviews.audit import verification

pytestmark = pytest.mark.django_db
WHOLE = sample_lists.ofac_sdn_xml()


def load(folder: Path, content: bytes) -> ListVersion:
    path = folder / "sdn"
    path.write_bytes(content)
    return loading.load(catalogue.source("ofac_sdn"), path)


@pytest.fixture(autouse=True)
def loaded(tmp_path) -> None:
    load(tmp_path, WHOLE)


def faults() -> list[str]:
    return list(verification.faults())


def listed() -> ListEntity:
    return ListEntity.objects.get(external_id="ofac-900001", last_version=None)


def change_content() -> None:
    row = listed()
    row.content["names"][0]["text"] = "Somebody Else"
    row.save()


def break_content() -> None:
    ListEntity.objects.filter(pk=listed().pk).update(content={"names": 7})


def change_content_and_hash() -> None:
    change_content()
    row = listed()
    row.content_hash = Entity.from_wire(row.content).content_hash
    row.save()


def end_entry() -> None:
    row = listed()
    row.last_version = row.first_version
    row.save()


def move_name() -> None:
    other = ListEntity.objects.exclude(pk=listed().pk).first()
    listed().names.update(entity=other)


CHANGES: dict[str, Callable[[], object]] = {
    "content": change_content,
    "no entry": break_content,
    "content and its hash": change_content_and_hash,
    "entry removed": lambda: listed().delete(),
    "entry ended": end_entry,
    "id of an entry": lambda: ListEntity.objects.filter(pk=listed().pk).update(
        external_id="another"
    ),
    "entry put in": lambda: ListEntity.objects.create(
        source=listed().source,
        external_id="new",
        content={},
        content_hash="0" * 64,
        first_version=listed().first_version,
    ),
    "names removed": lambda: listed().names.all().delete(),
    "words of a name": lambda: listed().names.update(tokens="some body"),
    "text of a name": lambda: listed().names.update(text="Somebody"),
    "kind of name": lambda: listed().names.update(person=False),
    "names moved": move_name,
    "name put in": lambda: ListName.objects.create(
        entity=listed(), kind="alias", text="Ana", tokens="ana", person=True
    ),
    "identifiers removed": lambda: ListIdentifier.objects.all().delete(),
    "value of an identifier": lambda: ListIdentifier.objects.update(value="1"),
    "index removed": lambda: ListPosting.objects.all().delete(),
    "a posting removed": lambda: ListPosting.objects.earliest("pk").delete(),
    "names of a posting": lambda: ListPosting.objects.update(names=b"\0" * 8),
    "key of a posting": lambda: ListPosting.objects.filter(
        pk=ListPosting.objects.earliest("pk").pk
    ).update(key=F("key") + 1),
    "digest of the version": lambda: ListVersion.objects.update(entries_sha256=""),
}


def test_a_list_is_as_it_was_loaded(tmp_path):
    assert faults() == []
    load(tmp_path, WHOLE.replace(b"KORBUTSKY", b"KORBUTSKAY"))
    assert faults() == []


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_row_of_a_list_is_found(change):
    CHANGES[change]()
    assert faults() != []


@pytest.mark.parametrize("change", ["content", "content and its hash", "entry removed"])
def test_the_next_load_makes_no_changed_entry_right(tmp_path, change):
    """It stays a fault, or the load has written the entry anew, as the file has it."""
    CHANGES[change]()
    load(tmp_path, WHOLE.replace(b"AL-TAMANI", b"AL-TAMANIY"))
    is_right = "KORBUTSKY" in str(
        ListEntity.objects.filter(external_id="ofac-900001", last_version=None)
        .values_list("content", flat=True)
        .first()
    )
    assert is_right or faults() != []


@pytest.mark.parametrize("change", ["content", "content and its hash", "entry removed"])
def test_another_engine_makes_no_changed_entry_right(work_off, change):
    CHANGES[change]()
    ListVersion.objects.update(engine_version="1")
    tasks.reindex_lists()
    work_off()
    assert faults() != []


def test_names_of_an_earlier_engine_are_made_anew_and_hold(work_off):
    ListVersion.objects.update(engine_version="1")
    listed().names.update(tokens="as before")
    ListPosting.objects.all().delete()
    assert faults() == []
    tasks.reindex_lists()
    work_off()
    assert faults() == []
    assert not ListName.objects.filter(tokens="as before").exists()
