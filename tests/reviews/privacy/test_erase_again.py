"""A backup brings erased cases back, and a command erases them again."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils.timezone import now

from compliance.security import data_keys
from compliance.storage import erased_keys
from reviews.audit import trail, verification
from reviews.models import Case, CaseEvent, Erasure, Job
from reviews.tasks import ERASURES, JOBS
from tests.factories import make_case, make_connection, make_job
from tests.fakeservice import Step, running

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _own_list(settings, tmp_path):
    settings.ERASED_KEYS = tmp_path / "kept" / "erased-keys.txt"


def test_what_a_backup_brings_back_is_erased_again():
    case = make_case(make_connection(), subject="Wombatsnuffle Ltd")
    assert case.data_key_id
    key = data_keys.DataKey.objects.get(pk=case.data_key_id)
    other = make_case(case.connection, subject="Another Ltd", reference="other")
    data_keys.erase(key.pk)
    assert erased_keys.listed() == {key.pk}
    # As a backup has the row.
    key.save()
    data_keys.forget()
    assert Case.objects.get(pk=case.pk).subject == "Wombatsnuffle Ltd"
    call_command("erase_again")
    again = Case.objects.get(pk=case.pk)
    assert (again.subject, bool(again.erased_at)) == ("[erased]", True)
    assert not again.search_texts.filter(text__icontains="wombat").exists()
    assert Case.objects.get(pk=other.pk).subject == "Another Ltd"
    assert CaseEvent.objects.filter(case=case, what="case_erased").count() == 1
    trail.seal_all()
    assert list(trail.verify()) == []
    call_command("erase_again")
    assert CaseEvent.objects.filter(case=case, what="case_erased").count() == 1


def brought_back(url: str, **values: object) -> Case:
    """A case that was erased, as a backup of the time before brings it back."""
    case = make_case(make_connection(base_url=url), subject="Wombatsnuffle Ltd")
    Case.objects.filter(pk=case.pk).update(status=Case.Status.DECIDED, **values)
    assert case.data_key_id
    erased_keys.add([case.data_key_id])
    case.refresh_from_db()
    return case


ANSWER = {"erased": {"jobs": 1}}


@pytest.mark.parametrize("is_planned", [False, True])
def test_the_service_is_asked_again_too(is_planned):
    """It may have been away when the case was erased, or have been restored itself."""
    with running() as service:
        case = brought_back(service.url)
        if is_planned:
            # The backup is of the time when the erasure waited for a second person.
            Erasure.objects.create(case=case, reason="Request 7", needs_second=True)
        call_command("erase_again")
        erasure = Erasure.objects.get()
        assert (erasure.status, bool(erasure.erased_at)) == ("running", True)
        service.plan = [Step(status=503), Step(body=json.dumps(ANSWER).encode())]
        ERASURES.drain()
        erasure.refresh_from_db()
        assert (erasure.status, bool(erasure.waits_for)) == ("running", True)
        Erasure.objects.update(due_at=now())
        ERASURES.drain()
        asked = [path for path in service.paths() if "eraseCase" in path]
    erasure.refresh_from_db()
    assert erasure.status == Erasure.Status.DONE
    assert erasure.service == "The service erased it: jobs 1."
    assert len(asked) == 2
    lines = CaseEvent.objects.filter(case=case).values_list("what", flat=True)
    assert list(lines.order_by("pk"))[-2:] == ["case_erased", "erasure_done"]
    trail.seal_all()
    assert list(verification.faults()) == []


def test_a_job_that_was_under_way_in_the_backup_is_not_sent():
    with running() as service:
        case = brought_back(service.url)
        Case.objects.filter(pk=case.pk).update(status=Case.Status.CHECKING)
        make_job(case, status=Job.Status.QUEUED, due_at=now())
        call_command("erase_again")
        JOBS.drain()
        assert service.paths() == []
    case.refresh_from_db()
    # Nothing is done with it, so it leaves the queue.
    assert case.status == Case.Status.DECIDED


def test_a_key_that_the_full_disk_kept_off_the_list_comes_with_the_next(settings):
    first, second = data_keys.create_many(2)
    path = settings.ERASED_KEYS
    path.parent.mkdir()
    path.mkdir()
    data_keys.erase(first.pk)
    path.rmdir()
    data_keys.erase(second.pk)
    assert erased_keys.listed() == {first.pk, second.pk}


def test_a_power_cut_takes_neither_the_list_nor_its_name(settings, monkeypatch):
    synced = []
    sync = os.fsync

    def note(descriptor: int) -> None:
        synced.append(str(Path(f"/proc/self/fd/{descriptor}").readlink()))
        sync(descriptor)

    settings.ERASED_KEYS.parent.mkdir()
    monkeypatch.setattr(os, "fsync", note)
    erased_keys.add([12])
    path = settings.ERASED_KEYS
    assert synced == [str(path), str(path.parent)]


def test_an_incomplete_line_harms_no_other(settings):
    path = settings.ERASED_KEYS
    path.parent.mkdir()
    path.write_text("12")
    erased_keys.add([34])
    assert erased_keys.listed() == {12, 34}
