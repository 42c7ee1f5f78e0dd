"""A database that was emptied, set back, made again or replaced does not hold its anchors."""

from __future__ import annotations

import json
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils.timezone import now

from reviews.audit import anchors, doctor, signing, trail, triggers
from reviews.audit.bound_rows import BOUND
from reviews.models import CaseEvent, Chain, Seal, Unsealed
from tests.emptying import remove_triggers
from tests.factories import make_case

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def anchored() -> None:
    """Three anchors of a chain that grows."""
    make_case()
    rows = [row for model in BOUND for row in model._default_manager.all()]
    trail.record(None, "rows_bound", about=rows)
    for hour in range(3):
        with time_machine.travel(now() + timedelta(hours=hour), tick=False):
            trail.record(None, f"act_{hour}")
            seal()
    assert len(entries()) == 3


def seal() -> None:
    """As the queue does it."""
    trail.seal_due(Chain.objects.get())


def path() -> Path:
    from django.conf import settings

    return Path(settings.AUDIT_ANCHORS)


def entries() -> list[dict[str, Any]]:
    return [json.loads(line) for line in path().read_text().splitlines()]


def write(lines: list[dict[str, Any]]) -> None:
    path().write_text("".join(json.dumps(line) + "\n" for line in lines))


def holds() -> str:
    out = StringIO()
    call_command("audit_verify", stdout=out)
    return out.getvalue()


def faults() -> str:
    with pytest.raises(CommandError) as caught:
        call_command("audit_verify", stdout=StringIO())
    return str(caught.value)


def cut(after: int) -> None:
    """As if a backup had been restored: the lines after it are gone, with a head that fits."""
    remove_triggers()
    rows = list(Seal.objects.filter(seq__gt=after).values_list("event_id", flat=True))
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM reviews_seal WHERE seq > %s", [after])
        for event in rows:
            cursor.execute("DELETE FROM reviews_caseevent WHERE id = %s", [event])
    triggers.ensure()
    last = Seal.objects.filter(seq=after).first()
    head = last.hash if last else trail.ZERO
    Unsealed.objects.all().delete()
    mac = trail._head_mac(after, head)
    Chain.objects.update(seq=after, hash=head, mac=mac, anchored_seq=0)


def test_anchors_hold():
    head = Chain.objects.get()
    assert f"The last anchor is of line {head.seq}." in holds()
    assert entries()[-1]["hash"] == head.hash


def test_a_database_that_was_set_back_with_all_of_its_keys_is_found():
    end = Chain.objects.get().seq - 1
    cut(end)
    assert f"The chain ends at line {end}, and line {end + 1} was anchored" in faults()


def test_an_anchor_that_came_while_the_database_was_read_is_no_fault():
    """A worker goes on: the snapshot of the database is older than the end of the file."""
    known, last = anchors.count(), Chain.objects.get().seq
    with time_machine.travel(now() + timedelta(hours=3), tick=False):
        trail.record(None, "act_later")
        seal()
    assert anchors.count() == known + 1
    cut(after=last)
    assert list(anchors.faults(known)) == []
    assert "the database was emptied, set back" in "".join(anchors.faults())


def test_an_empty_chain_is_found():
    cut(0)
    assert "emptied, set back or replaced" in faults()


def test_a_chain_that_was_made_again_with_all_of_its_keys_is_found():
    """The owner of every key of the database removes a line and links those after it anew."""
    head = Chain.objects.get()
    count = head.seq
    keep = list(CaseEvent.objects.order_by("seal__seq"))
    remove_triggers()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM reviews_seal")
        cursor.execute("DELETE FROM reviews_caseevent WHERE what = 'act_0'")
    triggers.ensure()
    Unsealed.objects.all().delete()
    Chain.objects.update(seq=0, hash=trail.ZERO, mac="", anchored_seq=0)
    for event in keep:
        if event.what != "act_0":
            Unsealed.objects.create(event_id=event.pk)
    trail.record(None, "a_line_to_fill_the_gap")
    trail.seal_all()
    assert Chain.objects.get().seq == count
    result = faults()
    assert "is not the one that was anchored" in result
    assert "Anchor" not in result


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seq", 1),
        ("hash", "f" * 64),
        ("at", "2020-01-01T00:00:00.000+00:00"),
        ("before", "1" * 64),
        ("key", "0" * 16),
        ("signature", "0" * 128),
        ("kind", "restored"),
    ],
)
def test_a_changed_anchor_is_found(place, name, value):
    lines = entries()
    lines[place][name] = value
    write(lines)
    assert f"Anchor {place + 1}" in faults()


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_removed_anchor_is_found(place):
    lines = entries()
    del lines[place]
    write(lines)
    assert "removed" in faults()


def test_anchors_in_another_order_are_found():
    lines = entries()
    write([lines[0], lines[2], lines[1]])
    assert "Anchor 2" in faults()


def test_a_file_that_is_gone_is_found():
    path().unlink()
    assert "anchors were removed" in faults()


def test_anchors_of_another_installation_are_found(settings, tmp_path):
    settings.AUDIT_KEYS_DIR = tmp_path / "other-keys"
    settings.AUDIT_ANCHORS = tmp_path / "other-anchors"
    anchors.add("head", Chain.objects.get())
    theirs = settings.AUDIT_ANCHORS.read_text()
    settings.AUDIT_KEYS_DIR = tmp_path / "audit-keys"
    settings.AUDIT_ANCHORS = tmp_path / "audit-anchors.jsonl"
    path().write_text(theirs)
    assert "not known here" in faults()


@pytest.mark.parametrize("length", [1, 40, 200])
def test_an_entry_that_a_crash_cut_off_is_no_fault_and_no_end(length):
    with path().open("a") as file:
        file.write(json.dumps(entries()[-1])[:length])
    assert "lines hold" in holds()
    with time_machine.travel(now() + timedelta(days=1), tick=False):
        trail.record(None, "next")
        seal()
    assert "lines hold" in holds()
    assert entries_that_are_whole() == 4


def entries_that_are_whole() -> int:
    return len(list(anchors._entries()))


def test_an_anchor_cannot_pass_for_an_incomplete_line():
    lines = path().read_text().splitlines()
    lines[1] = lines[1][:-10]
    path().write_text("\n".join(lines) + "\n")
    assert "the line before it was changed or removed" in faults()


def test_a_new_key_signs_and_the_old_one_verifies():
    old = signing.current()
    call_command("rotate_audit_key", stdout=StringIO())
    assert signing.current().id != old.id
    with time_machine.travel(now() + timedelta(days=1), tick=False):
        trail.record(None, "next")
        seal()
    assert entries()[-1]["key"] == signing.current().id
    assert "lines hold" in holds()
    assert CaseEvent.objects.filter(what="audit_key_rotated").exists()
    with pytest.raises(FileNotFoundError):
        signing._load(old.id)


@pytest.mark.parametrize("name", ["new_key", "new_public", "new_signature"])
def test_a_changed_rotation_is_found(name):
    call_command("rotate_audit_key", stdout=StringIO())
    lines = entries()
    lines[-1][name] = "0" * len(lines[-1][name])
    write(lines)
    assert "Anchor 4" in faults()


def test_a_restored_backup_is_declared():
    cut(Chain.objects.get().seq - 1)
    assert "was anchored" in faults()
    call_command("audit_restored", "The disk broke.", stdout=StringIO())
    assert "The disk broke." in holds()
    with time_machine.travel(now() + timedelta(days=1), tick=False):
        trail.record(None, "next")
        seal()
    assert "The disk broke." in holds()


def test_a_head_is_anchored_once_a_minute():
    moment = now() + timedelta(days=1)
    with time_machine.travel(moment, tick=False) as clock:
        trail.record(None, "first")
        seal()
        assert len(entries()) == 4
        clock.shift(10)
        trail.record(None, "second")
        seal()
        assert len(entries()) == 4
        clock.shift(60)
        seal()
        assert len(entries()) == 5


def test_the_last_lines_of_a_day_do_not_wait_for_the_next_day(work_off):
    trail.record(None, "last")
    trail.seal_all()
    minutes = now() - timedelta(minutes=2)
    Chain.objects.update(anchored_at=minutes, due_at=minutes)
    work_off()
    chain = Chain.objects.get()
    assert (chain.anchored_seq, entries()[-1]["seq"]) == (chain.seq, chain.seq)


def test_a_file_that_cannot_be_written_stops_no_sealing(settings, tmp_path, client):
    settings.AUDIT_ANCHORS = tmp_path / "audit-keys"  # a folder
    with time_machine.travel(now() + timedelta(days=1), tick=False):
        trail.record(None, "next")
        seal()
        assert not Unsealed.objects.exists()
        assert client.get("/health/ready").json()["anchors"] == "ok"
    with time_machine.travel(now() + timedelta(days=2), tick=False):
        assert "not anchored" in client.get("/health/ready").json()["anchors"]


def last_line() -> str:
    return path().read_text().splitlines()[-1]


def failures() -> str:
    """What the doctor says of the trail."""
    return "\n".join(one.text for one in doctor.look() if one.state == "failed")


def test_the_doctor_and_the_health_page_know_a_database_that_was_set_back(client):
    assert not failures()
    assert client.get("/health/ready").json()["anchors"] == "ok"
    cut(entries()[1]["seq"])
    words = f"line {entries()[2]['seq']} was anchored"
    assert words in failures()
    assert words in client.get("/health/ready").json()["anchors"]


def test_the_doctor_knows_a_trail_that_was_emptied(client):
    cut(0)
    assert "The chain ends at line 0" in failures()
    assert "The chain ends at line 0" in client.get("/health/ready").json()["anchors"]


def test_the_doctor_knows_anchors_that_were_removed(client):
    lines = path().read_text().splitlines(keepends=True)
    path().write_text("".join(lines[:2]))
    assert "anchors were removed" in failures()
    assert "anchors were removed" in client.get("/health/ready").json()["anchors"]
    path().unlink()
    assert "anchors were removed" in failures()


def test_the_doctor_knows_an_anchor_that_was_changed():
    entry = entries()[2]
    text = path().read_text()
    path().write_text(text.replace(entry["hash"], "0" * 64))
    words = failures()
    assert f"The anchor of line {entry['seq']}: it was changed, or not signed" in words
    assert f"Line {entry['seq']} is not the one that was anchored" in words


def test_the_doctor_takes_a_restore_that_was_declared(client):
    cut(entries()[1]["seq"])
    call_command("audit_restored", "The disk was lost", stdout=StringIO())
    seal()
    assert not failures()
    assert client.get("/health/ready").json()["anchors"] == "ok"


def test_a_restore_that_nobody_signed_hides_nothing():
    cut(entries()[1]["seq"])
    rows = entries()
    forged = rows[1] | {"kind": "restored", "before": anchors.digest(last_line())}
    with path().open("a") as file:
        file.write(json.dumps(forged) + "\n")
    assert f"line {rows[2]['seq']} was anchored" in failures()
