"""The audit trail: record lines, seal them into a hash chain, and verify that they are
unchanged.

A line is signed when it is written. A separate task links new lines to the chain in order a
moment later, so that the work that records a line does not wait for the chain. docs/audit.md
has the rules, decision record 0011 the reasons.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import models, transaction
from django.db.models import Count, Exists, OuterRef
from django.utils.translation import gettext_lazy

from compliance.db import clock
from compliance.security import data_keys
from compliance.work.queues import Elapsed
from reviews.audit import (
    anchor_copies,
    anchors,
    bound_rows,
    line_keys,
    tree,
    triggers,
)
from reviews.audit.line_keys import RetiredKey
from reviews.models import Case, CaseEvent, Chain, Seal, Unsealed
from reviews.models.trail import canonical, derived_key, sign

QUEUE = "reviews.tasks.seal_trail"
ZERO = "0" * 64  # the hash "before" the first line
BATCH = 500  # lines sealed in one transaction
# Rows that the export and the verification read at a time.
EXPORT_BATCH = 2000
# Sealing runs at this interval, so that many lines share one transaction.
PAUSE = timedelta(seconds=2)
# The names of members that stay in clear text in a line about a case: codes, ids, times, hashes
# and user names of the desk. All other members may hold personal data; they are encrypted with
# the data key of the case. A name is listed here only if no act writes words of people or of a
# service under it.
CLEAR = frozenset(
    {
        "agent",
        "band",
        "cases",
        "check",
        "checks",
        "counts",
        "document",
        "job",
        "kinds",
        "made_by",
        "manifest_sha256",
        "now",
        "outcome",
        "owner",
        "reasons",
        "recommendation",
        "reference",
        "remains",
        "rule",
        "scanner",
        "service",
        "sha256",
        "signature",
        "source",
        "status",
        "to",
        "until",
        "verdict",
        "was",
        "which",
    }
)
# Acts whose reasons must stay readable after an erasure. They are written without names.
CLEAR_ACTS = frozenset(
    {
        "erasure_planned",
        "erasure_refused",
        "erasure_withdrawn",
        "hold_lifted",
        "hold_placed",
    }
)
ERASED = gettext_lazy(
    "The personal data of this case were erased: nothing more is done with it."
)
MOST_FAULTS = 100  # faults of one kind that verify() reports; more add nothing


def record(
    case: Case | None,
    what: str,
    data: Mapping[str, object] | None = None,
    *,
    user: User | None = None,
    actor: str = CaseEvent.Actor.SYSTEM,
    about: Iterable[models.Model] = (),
    gone: Iterable[models.Model] = (),
) -> CaseEvent:
    """Add a line in the transaction of the act that it records.

    With `user` the line is the act of that person. `about`: the rows of bound models that the
    act created or changed, as they are stored now. `gone`: the rows that it is about to delete.

    Raises PermissionDenied for what a person writes about a case that was erased meanwhile: nothing
    could encrypt it, and lines are never removed.
    """
    if user:
        actor = CaseEvent.Actor.PERSON
    is_erased = case is not None and _is_erased(case)
    # Only lines about a case whose data key still exists have an encrypted part.
    is_clear = case is None or what in CLEAR_ACTS or is_erased
    clear, personal = _split(data or {}, is_clear=is_clear)
    if (
        user
        and is_erased
        and what not in CLEAR_ACTS
        and _split(clear, is_clear=False)[1]
    ):
        raise PermissionDenied(ERASED)
    bindings = bound_rows.bindings(about, gone)
    return CaseEvent.objects.create(
        case=case,
        actor=actor,
        user=user,
        what=what,
        data=clear,
        personal=personal,
        bindings=bindings,
    )


def record_many(
    what: str,
    lines: Iterable[tuple[Case, Mapping[str, object], models.Model]],
) -> None:
    """Add a line of the system for each of these cases: its data, and the row that it is about.

    They are inserted together, and no post_save is sent: the caller does what its receivers do.
    """
    events = []
    for case, data, row in lines:
        clear, personal = _split(data, is_clear=_is_erased(case))
        event = CaseEvent(
            case=case,
            actor=CaseEvent.Actor.SYSTEM,
            what=what,
            data=clear,
            personal=personal,
            bindings=bound_rows.bindings([row]),
        )
        event.sign()
        events.append(event)
    CaseEvent.objects.bulk_create(events)


def _is_erased(case: Case) -> bool:
    return data_keys.is_erased(case.data_key_id_for_personal())


def _split(
    data: Mapping[str, object], *, is_clear: bool
) -> tuple[dict[str, object], dict[str, object]]:
    """Divide the members of a line: those in clear text, and those erased with the case."""
    clear: dict[str, object] = {}
    personal: dict[str, object] = {}
    for name, value in data.items():
        if is_clear or name in CLEAR or isinstance(value, int | None):
            clear[name] = value
        else:
            personal[name] = value
    return clear, personal


def line(seq: int, event: CaseEvent) -> str:
    """The text that the hash of a line covers: canonical JSON."""
    content = {
        "seq": seq,
        "id": event.pk,
        **event.content(),
        "mac": event.mac,
    }
    return canonical(content)


def link(before: str, text: str) -> str:
    """The hash of a line: SHA-256 of the previous hash, a space, and the text of the line."""
    return hashlib.sha256(f"{before} {text}".encode()).hexdigest()


def waits(elapsed: Elapsed) -> str:
    """SQL for the row of the chain: whether a line waits for sealing, or an anchor is due.

    Otherwise the row must not be claimed, and must not count as waiting work.
    """
    is_time = (
        f"anchored_at IS NULL OR {elapsed('anchored_at')} >= {anchors.PAUSE.total_seconds()}"
        f" OR seq - anchored_seq >= {anchors.LINES}"
    )
    return (
        f"(EXISTS (SELECT 1 FROM {Unsealed._meta.db_table})"  # noqa: S608
        f" OR (anchored_seq < seq AND ({is_time})))"
    )


def seal_due(chain: Chain) -> None:
    """Seal all new lines and anchor the head. The queue calls it again after PAUSE."""
    while seal() == BATCH:
        # Each batch renews the lease: a long backlog must not lose the row to another worker.
        chain.renew(settings.LEASE)
    if anchors.anchor_due():
        anchor_copies.ensure()
    chain.complete(due_at=clock.now() + PAUSE)


@transaction.atomic
def seal(most: int = BATCH) -> int:
    """Link up to `most` new lines to the chain, oldest first. Returns how many were waiting."""
    # The lock on the chain: only one process can seal at a time.
    chain, _ = Chain.objects.select_for_update().get_or_create(pk=1)
    oldest_first = Unsealed.objects.order_by("pk")
    waiting = list(oldest_first.values_list("pk", flat=True)[:most])
    events = CaseEvent.objects.in_bulk(waiting)
    seals: list[Seal] = []
    seq = chain.seq
    head = chain.hash
    for pk in waiting:
        event = events.get(pk)
        if event is None:
            # Somebody deleted the event before it was sealed. A new line records that.
            record(None, "audit_line_lost", {"id": pk})
            continue
        seq += 1
        head = link(head, line(seq, event))
        seals.append(Seal(seq=seq, event_id=pk, hash=head))
    Seal.objects.bulk_create(seals)
    Unsealed.objects.filter(pk__in=waiting).delete()
    if seals:
        mac = _head_mac(seq, head)
        Chain.objects.filter(pk=1).update(seq=seq, hash=head, mac=mac)
        tree.grow(chain.seq, seq)
    return len(waiting)


def seal_all() -> Chain:
    """Seal all lines that exist now. Returns the chain with its head."""
    while seal():
        pass
    return Chain.objects.get_or_create(pk=1)[0]


def _head_mac(seq: int, head: str, key: str = "") -> str:
    """The signature of the head of the chain.

    `key`: a part of ENCRYPTION_KEY; default: the newest.
    """
    newest_key = settings.ENCRYPTION_KEY.split(",")[0]
    return sign([seq, head], key=derived_key(key or newest_key))


def export(case: Case | None = None, *, until: int | None = None) -> Iterator[str]:
    """The sealed lines as text: `hash before, hash, line`, for one case or for all.

    `until`: the number of the last line to export.
    """
    before = ZERO
    seals = Seal.objects.select_related("event").order_by("seq")
    if until is not None:
        seals = seals.filter(seq__lte=until)
    if case is not None:
        seals = seals.filter(event__case=case)
    for row in seals.iterator(chunk_size=EXPORT_BATCH):
        if case is not None:
            # The line before usually belongs to another case, which is not part of this export.
            before = _hash_of(row.seq - 1) or ZERO
        text = line(row.seq, row.event)
        yield f"{before} {row.hash} {text}\n"
        before = row.hash


def proofs(case: Case, size: int) -> list[dict[str, object]]:
    """The audit path of each line of the case in the Merkle tree of the first `size` lines."""
    paths = tree.Tree()
    lines: list[dict[str, object]] = []
    seals = Seal.objects.filter(event__case=case, seq__lte=size).order_by("seq")
    for seq in seals.values_list("seq", flat=True):
        path = paths.inclusion(seq, size)
        lines.append({"seq": seq, "path": path})
    return lines


def _hash_of(seq: int) -> str | None:
    return Seal.objects.filter(seq=seq).values_list("hash", flat=True).first()


def verify() -> Iterator[str]:
    """The faults of the trail, as sentences; nothing if there are none. Reads every line."""
    for name in triggers.missing():
        yield f"The database does not guard the trail: the trigger {name} is gone."
    before = ZERO
    seq = 0
    keys = line_keys.retired()
    seals = Seal.objects.select_related("event__case").order_by("seq")
    for row in seals.iterator(chunk_size=BATCH):
        if row.seq != seq + 1:
            yield f"Lines {seq + 1} to {row.seq - 1} are gone."
            # Continue with the stored hash, so that one gap is reported once.
            before = _hash_of(row.seq - 1) or before
        seq = row.seq
        fault = _fault_of_line(row, before, keys)
        if fault:
            yield f"Line {seq} (event {row.event.pk}){fault}"
        before = row.hash
    yield from _verify_head(seq, before)
    yield from _verify_lost_events()
    yield from _verify_waiting_events()
    yield from _verify_lost_lines()
    yield from _verify_copies()


def verify_newest(most: int) -> Iterator[str]:
    """The faults of the newest `most` lines and of the head.

    Takes the same time for any length.
    """
    for name in triggers.missing():
        yield f"The database does not guard the trail: the trigger {name} is gone."
    rows = list(Seal.objects.select_related("event").order_by("-seq")[:most])
    rows.reverse()
    before = ZERO
    if rows:
        before = _hash_of(rows[0].seq - 1) or ZERO
    keys = line_keys.retired()
    for row in rows:
        if fault := _fault_of_line(row, before, keys):
            yield f"Line {row.seq}{fault}"
        before = row.hash
    yield from _verify_head(rows[-1].seq if rows else 0, before)


def _fault_of_line(row: Seal, before: str, keys: list[RetiredKey]) -> str:
    """The fault of a line, as the end of a sentence about it; "" if there is none."""
    event = row.event
    if not line_keys.is_genuine(event, keys):
        return " was changed, or the desk did not write it."
    if link(before, line(row.seq, event)) != row.hash:
        return " does not fit the chain."
    return _fault_of_words(event)


def _fault_of_words(event: CaseEvent) -> str:
    """The fault of the encrypted part of a line; "" if it is right or was erased."""
    try:
        if event.has_its_words():
            return ""
    except data_keys.DataKeyError:
        return ": its words were changed, or its key is gone."
    return ": its words were changed or removed."


def count_erased() -> int:
    """How many lines had personal data that were erased."""
    count = 0
    rows = CaseEvent.objects.exclude(personal_sha256="")
    # The data keys are loaded in batches: reading a row only notes which key it needs.
    for event in rows.select_related("case").iterator(chunk_size=BATCH):
        count += event.is_erased()
    return count


def texts(case: Case, *, until: int) -> dict[str, object]:
    """The personal part of the lines of a case, by line number, and the salt that proves it.

    Lines whose personal part was erased are left out.
    """
    words = {}
    seals = Seal.objects.select_related("event").order_by("seq")
    for row in seals.filter(event__case=case, seq__lte=until):
        if row.event.personal:
            words[str(row.seq)] = row.event.personal
    key_id = case.data_key_id_for_personal()
    salt = ""
    if not data_keys.is_erased(key_id):
        salt = data_keys.derive(key_id, b"trail").hex()
    return {"salt": salt, "texts": words}


def _verify_head(seq: int, head: str) -> Iterator[str]:
    """Compare the stored head with the last line of the chain: its number and its hash."""
    chain = Chain.objects.filter(pk=1).first()
    if chain is None or chain.seq == 0:
        if seq:
            yield "The head of the chain is gone."
        return
    if not _is_signed_by_us(chain):
        yield "The head of the chain was changed."
    if chain.seq != seq or chain.hash != head:
        yield f"The chain ends at line {seq}, and its head says {chain.seq}."


def _is_signed_by_us(chain: Chain) -> bool:
    """Whether one of the present keys signed the head."""
    for key in settings.ENCRYPTION_KEY.split(","):
        mac = _head_mac(chain.seq, chain.hash, key)
        if hmac.compare_digest(chain.mac, mac):
            return True
    return False


def _verify_lost_events() -> Iterator[str]:
    """Events that are neither in the chain nor waiting for it."""
    sealed = Seal.objects.filter(event=OuterRef("pk"))
    waiting = Unsealed.objects.filter(pk=OuterRef("pk"))
    events = CaseEvent.objects.exclude(Exists(sealed))
    events = events.exclude(Exists(waiting))
    for event in events[:MOST_FAULTS]:
        yield f"Event {event.pk} is not in the chain."


def _verify_waiting_events() -> Iterator[str]:
    """Events that wait for sealing, but that the desk did not sign."""
    keys = line_keys.retired()
    waiting = Unsealed.objects.filter(pk=OuterRef("pk"))
    for event in CaseEvent.objects.filter(Exists(waiting))[:BATCH]:
        if not line_keys.is_genuine(event, keys):
            yield f"Event {event.pk}, not sealed yet, was not written by the desk."


def _verify_lost_lines() -> Iterator[str]:
    """Lines of the chain whose event was deleted."""
    present = CaseEvent.objects.filter(pk=OuterRef("event_id"))
    seals = Seal.objects.exclude(Exists(present))
    for seq in seals.values_list("seq", flat=True)[:MOST_FAULTS]:
        yield f"The event of line {seq} is gone."


def _verify_copies() -> Iterator[str]:
    """Events with the same signature: the desk never signs two lines alike, so one is a copy."""
    by_signature = CaseEvent.objects.values("mac").order_by()
    counts = by_signature.annotate(count=Count("pk"))
    copies = counts.filter(count__gt=1)
    for copy in copies[:MOST_FAULTS]:
        same = CaseEvent.objects.filter(mac=copy["mac"])
        numbers = []
        for event in same.order_by("pk"):
            numbers.append(str(event.pk))
        words = ", ".join(numbers)
        yield f"Events {words} are copies of one line."
