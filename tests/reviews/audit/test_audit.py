"""The audit trail: only ever added to, and whoever touches it behind the desk is found."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.utils.timezone import now

from agenthub.models import Account
from compliance.operation import queue_figures
from compliance.work import queues
from reviews.audit import anchors, bound_rows, trail, triggers
from reviews.audit.bound_rows import BOUND
from reviews.models import CaseEvent, Chain, Seal, Unsealed
from tests.emptying import remove_triggers
from tests.factories import make_case, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def case():
    case = make_case()
    user = make_user()
    # What the factories wrote has no line of its own here: the first line is about all of it.
    behind_the_desk("DELETE FROM reviews_seal")
    behind_the_desk("DELETE FROM reviews_caseevent")
    Unsealed.objects.all().delete()
    Chain.objects.update(seq=0, hash=trail.ZERO, mac="")
    data = {"agent": "KYB"}
    trail.record(case, "submitted", data, user=user, about=every_bound_row())
    for number in range(4):
        trail.record(case, "job_complete", {"job": str(number)}, actor="agent")
    trail.record(None, "settings_changed", {"what": "rules"}, user=user)
    return case


def every_bound_row():
    for model in BOUND:
        yield from model._default_manager.all()


def trail_text() -> str:
    out = StringIO()
    call_command("audit_verify", stdout=out)
    return out.getvalue()


def faults() -> str:
    with pytest.raises(CommandError) as caught:
        call_command("audit_verify", stdout=StringIO())
    return str(caught.value)


def behind_the_desk(sql: str, *params: int) -> None:
    """As somebody with the rights of the database's owner would do it."""
    remove_triggers()
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA defer_foreign_keys = ON")
        cursor.execute(sql, params)
    triggers.ensure()


@pytest.mark.parametrize("table", ["reviews_caseevent", "reviews_seal"])
@pytest.mark.parametrize("act", ["UPDATE {} SET {} = 'x'", "DELETE FROM {}"])
def test_the_database_refuses_to_change_the_trail(case, table, act):
    trail.seal()
    column = "what" if table == "reviews_caseevent" else "hash"
    refused = pytest.raises(DatabaseError, match="append-only")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(act.format(table, column))
    assert "6 lines hold" in trail_text()


def test_a_line_is_not_saved_twice(case):
    event = CaseEvent.objects.earliest("pk")
    event.what = "something_else"
    with pytest.raises(DatabaseError), transaction.atomic():
        event.save()


def test_new_lines_wait_for_their_seal_and_get_it(case):
    assert "6 more wait" in trail_text()
    assert queues.registered()["reviews.tasks.seal_trail"].drain() == 1
    assert "6 lines hold" in trail_text()
    assert not Unsealed.objects.exists()
    drained = queues.registered()["reviews.tasks.seal_trail"].drain()
    assert drained == 0, "nothing new: the queue is not due"


def test_a_head_that_waits_for_its_anchor_is_no_work_until_its_time_has_come(case):
    queue = queues.registered()["reviews.tasks.seal_trail"]
    assert queue.drain() == 1
    trail.record(case, "job_complete", {"job": "4"}, actor="agent")
    Chain.objects.update(due_at=now() - timedelta(seconds=1))
    assert queue.drain() == 1, "the line waits for its seal"
    Chain.objects.update(due_at=now() - timedelta(seconds=1))
    chain = Chain.objects.get()
    assert chain.seq > chain.anchored_seq
    assert not queue.is_due()
    assert sum(figures.waiting for figures in queue_figures.of(queue)) == 0
    assert chain.anchored_at is not None
    Chain.objects.update(anchored_at=chain.anchored_at - anchors.PAUSE)
    assert sum(figures.waiting for figures in queue_figures.of(queue)) == 1
    assert queue.drain() == 1
    chain.refresh_from_db()
    assert chain.seq == chain.anchored_seq


def test_sealing_goes_on_where_it_stopped(case):
    assert [trail.seal(4), trail.seal(4), trail.seal(4)] == [4, 2, 0]
    assert list(Seal.objects.values_list("seq", flat=True)) == [1, 2, 3, 4, 5, 6]
    assert trail_text().startswith("6 lines hold")


def test_a_changed_line_is_found(case):
    trail.seal()
    behind_the_desk(
        "UPDATE reviews_caseevent SET data = '{\"job\": \"9\"}' WHERE what = 'job_complete'"
    )
    assert "Line 2 (event" in faults()
    assert "was changed" in faults()


def test_a_removed_line_is_found(case):
    trail.seal()
    event = Seal.objects.get(seq=3).event_id
    behind_the_desk("DELETE FROM reviews_seal WHERE seq = 3")
    assert "Lines 3 to 3 are gone" in faults()
    assert f"Event {event} is not in the chain" in faults()


def test_a_removed_line_is_found_though_all_after_it_were_linked_anew(case):
    trail.seal()
    result = Seal.objects.get(seq=3).event_id
    behind_the_desk("DELETE FROM reviews_seal WHERE seq >= 3")
    behind_the_desk("DELETE FROM reviews_caseevent WHERE id = %s", result)
    before, seq = Seal.objects.get(seq=2).hash, 2
    for event in CaseEvent.objects.filter(pk__gt=result):
        seq += 1
        before = trail.link(before, trail.line(seq, event))
        Seal.objects.create(seq=seq, event=event, hash=before)
    Chain.objects.update(seq=seq, hash=before)
    assert faults() == "The head of the chain was changed."


def test_a_cut_tail_is_found(case):
    trail.seal()
    event = Seal.objects.get(seq=6).event_id
    behind_the_desk("DELETE FROM reviews_seal WHERE seq = 6")
    behind_the_desk("DELETE FROM reviews_caseevent WHERE id = %s", event)
    assert "The chain ends at line 5, and its head says 6" in faults()


def test_a_chain_that_was_set_back_lacks_the_head_that_was_noted(case):
    trail.seal(4)
    early = Chain.objects.values("seq", "hash", "mac").get()
    head = trail.seal_all()
    later = CaseEvent.objects.order_by("-pk")[:2].values_list("pk", flat=True)
    call_command("audit_verify", "--head", f"{head.seq}:{head.hash}", stdout=StringIO())
    for event in list(later):
        behind_the_desk("DELETE FROM reviews_seal WHERE event_id = %s", event)
        behind_the_desk("DELETE FROM reviews_caseevent WHERE id = %s", event)
    Chain.objects.update(**early)
    assert "4 lines hold" in trail_text()
    with pytest.raises(CommandError, match="does not hold the head"):
        call_command("audit_verify", "--head", f"{head.seq}:{head.hash}")


@pytest.mark.parametrize("head", [":", "x:y", "\u00b2:y", f"{10**30}:y"])
def test_a_head_that_is_none_is_not_in_the_chain(head):
    with pytest.raises(CommandError, match="does not hold the head"):
        call_command("audit_verify", "--head", head, stdout=StringIO())


INSERT = (
    "INSERT INTO reviews_caseevent (case_id, at, actor, what, {by}, data, bindings, mac, personal,"
    " personal_sha256)"
    " SELECT case_id, at, actor, {what}, {by}, data, bindings, mac, personal,"
    " personal_sha256 FROM reviews_caseevent WHERE id = %s"
)


@pytest.mark.parametrize("sealed", [True, False])
@pytest.mark.parametrize(
    ("what", "fault"), [("'decided'", "the desk"), ("what", "copies of one line")]
)
def test_an_inserted_line_is_found(case, what, fault, sealed):
    trail.seal()
    pk = CaseEvent.objects.filter(actor="agent").earliest("pk").pk
    with connection.cursor() as cursor:
        by = connection.ops.quote_name("by")
        cursor.execute(INSERT.format(what=what, by=by), [pk])
    if sealed:
        trail.seal()
    assert fault in faults()


def test_a_line_that_went_before_its_seal_leaves_a_line(case):
    pk = CaseEvent.objects.latest("pk").pk
    behind_the_desk("DELETE FROM reviews_caseevent WHERE id = %s", pk)
    trail.seal_all()
    assert CaseEvent.objects.get(what="audit_line_lost").data == {"id": pk}


def test_guards_that_are_gone_are_found(case):
    remove_triggers()
    assert "the trigger reviews_caseevent_" in faults()
    triggers.ensure()
    assert "wait for their seal" in trail_text()


def test_a_key_that_turned_still_proves_the_lines(case, settings):
    old = settings.ENCRYPTION_KEY
    trail.seal()
    settings.ENCRYPTION_KEY = f"another,{old}"
    assert "6 lines hold" in trail_text()
    settings.ENCRYPTION_KEY = "another"
    assert "Nothing was verified: ENCRYPTION_KEY" in faults()


def test_an_export_can_be_verified_with_nothing_but_sha256(case):
    trail.seal()
    out = StringIO()
    call_command("audit_export", stdout=out)
    before = "0" * 64
    for text in out.getvalue().splitlines():
        prev, digest, line = text.split(" ", 2)
        assert prev == before
        assert hashlib.sha256(f"{prev} {line}".encode()).hexdigest() == digest
        assert json.loads(line)["at"].endswith("Z")
        before = digest
    assert before == Chain.objects.get().hash


def test_a_line_keeps_what_any_database_would_change(case):
    trail.record(
        case,
        "odd",
        {"n": 1e22, "nul": "a\0b", "half": "\ud800", "list": (1, None, True)},
    )
    trail.seal()
    assert CaseEvent.objects.get(what="odd").details == {
        "n": "1e+22", "nul": "ab", "half": "?", "list": [1, None, True],
    }  # fmt: skip
    assert "7 lines hold" in trail_text()


def test_a_field_that_came_later_leaves_the_lines_before_it_true():
    account = Account.objects.create(name="Early")
    digest = bound_rows.digest(account)
    members = set(bound_rows.values(account))
    assert members == {"table", "id", "name", "is_active"}

    account.share = 2
    assert bound_rows.digest(account) != digest
    account.share = 1
    assert bound_rows.digest(account) == digest
