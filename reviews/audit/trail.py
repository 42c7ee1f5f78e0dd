"""The audit trail: record lines, seal them into a chain, and verify that nobody changed them.

A line is signed when it is written, and costs a job nothing else. A task of its own links new
lines to the chain, in order, moments later: docs/audit.md has the rule, decision 0011 the reasons.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models, transaction
from django.db.models import Count, Exists, OuterRef

from compliance.db import clock
from compliance.security import data_keys
from reviews.audit import (
    anchor_copies,
    anchors,
    bound_rows,
    line_keys,
    tree,
    triggers,
)
from reviews.models import Case, CaseEvent, Chain, Seal, Unsealed
from reviews.models.trail import canonical, derived_key, sign

QUEUE = "reviews.tasks.seal_trail"
ZERO = "0" * 64  # what stands before the first line
BATCH = 500
# Lines are sealed this often, so that many share one transaction.
PAUSE = timedelta(seconds=2)
# The members of a line about a case that are in the clear: codes, ids, times, hashes, and who works
# here. All others may hold words or names, and are encrypted with the key of the case.
CLEAR = frozenset(
    {
        "agent",
        "band",
        "before",
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
        "second",
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
# Acts whose reasons stay after the erasure, and are written without a name.
CLEAR_ACTS = frozenset(
    {
        "erasure_planned",
        "erasure_refused",
        "erasure_withdrawn",
        "hold_lifted",
        "hold_placed",
    }
)
MOST_FAULTS = 100  # that verify() reports of a kind; more of them say nothing new


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
    """Add a line, in the transaction of what it records. A `user` makes it the act of a person.

    `about`: the rows of bound models that it made or changed, as they are stored now. `gone`: those
    that it is about to remove.
    """
    if user:
        actor = CaseEvent.Actor.PERSON
    is_clear = case is None or what in CLEAR_ACTS or _is_erased(case)
    clear, personal = _split(data or {}, is_clear=is_clear)
    return CaseEvent.objects.create(
        case=case,
        actor=actor,
        user=user,
        what=what,
        data=clear,
        personal=personal,
        bindings=bound_rows.bindings(about, gone),
    )


def _is_erased(case: Case) -> bool:
    return data_keys.is_erased(case.data_key_id_for_personal())


def _split(
    data: Mapping[str, object], *, is_clear: bool
) -> tuple[dict[str, object], dict[str, object]]:
    """What a line says in the clear for ever, and what is erased with its case."""
    clear: dict[str, object] = {}
    personal: dict[str, object] = {}
    for name, value in data.items():
        if is_clear or name in CLEAR or isinstance(value, int | None):
            clear[name] = value
        else:
            personal[name] = value
    return clear, personal


def line(seq: int, event: CaseEvent) -> str:
    """The text that the hash of a line is taken over."""
    return canonical({"seq": seq, "id": event.pk, **event.content(), "mac": event.mac})


def link(before: str, text: str) -> str:
    """The hash of a line: SHA-256 over the hash before it, a space, and its text."""
    return hashlib.sha256(f"{before} {text}".encode()).hexdigest()


def seal_due(chain: Chain) -> None:
    """Seal all new lines, and anchor the head; the queue calls again after a pause."""
    while seal():
        chain.renew(settings.LEASE)
    if anchors.anchor_due():
        anchor_copies.ensure()
    chain.complete(due_at=clock.now() + PAUSE)


@transaction.atomic
def seal(most: int = BATCH) -> int:
    """Link up to `most` new lines to the chain, oldest first. Returns how many there were."""
    chain, _ = Chain.objects.select_for_update().get_or_create(pk=1)
    waiting = list(Unsealed.objects.order_by("pk").values_list("pk", flat=True)[:most])
    events = CaseEvent.objects.in_bulk(waiting)
    seals: list[Seal] = []
    head = chain.hash
    for pk in waiting:
        if pk in events:
            seq = chain.seq + len(seals) + 1
            head = link(head, line(seq, events[pk]))
            seals.append(Seal(seq=seq, event_id=pk, hash=head))
        else:
            # Somebody deleted the line before it was sealed. That is recorded, too.
            record(None, "audit_line_lost", {"id": pk})
    Seal.objects.bulk_create(seals)
    Unsealed.objects.filter(pk__in=waiting).delete()
    if seals:
        seq = seals[-1].seq
        Chain.objects.filter(pk=1).update(seq=seq, hash=head, mac=_head_mac(seq, head))
        tree.grow(chain.seq, seq)
    return len(waiting)


def seal_all() -> Chain:
    """Seal all that is there now. Returns the head."""
    while seal():
        pass
    return Chain.objects.get_or_create(pk=1)[0]


def _head_mac(seq: int, head: str, key: str = "") -> str:
    """The signature of the head of the chain, by the newest key if none is given."""
    newest_key = settings.ENCRYPTION_KEY.split(",")[0]
    return sign([seq, head], key=derived_key(key or newest_key))


def export(case: Case | None = None, *, until: int | None = None) -> Iterator[str]:
    """The sealed lines as text, one each: hash before, hash, line. Of a case, or all.

    `until`: the number of the last line.
    """
    before = ZERO
    seals = Seal.objects.select_related("event").order_by("seq")
    if until is not None:
        seals = seals.filter(seq__lte=until)
    if case is None:
        for row in seals.iterator(chunk_size=2000):
            yield f"{before} {row.hash} {line(row.seq, row.event)}\n"
            before = row.hash
        return
    for row in seals.filter(event__case=case).iterator(chunk_size=2000):
        before = _hash_of(row.seq - 1) or ZERO
        yield f"{before} {row.hash} {line(row.seq, row.event)}\n"


def proofs(case: Case, size: int) -> list[dict[str, object]]:
    """For each line of the case its audit path in the tree of the first `size` lines."""
    paths = tree.Tree()
    lines: list[dict[str, object]] = []
    seals = Seal.objects.filter(event__case=case, seq__lte=size).order_by("seq")
    for seq in seals.values_list("seq", flat=True):
        lines.append({"seq": seq, "path": paths.inclusion(seq, size)})
    return lines


def _hash_of(seq: int) -> str | None:
    return Seal.objects.filter(seq=seq).values_list("hash", flat=True).first()


def verify() -> Iterator[str]:
    """What is wrong with the trail, in words; nothing where it is whole."""
    for name in triggers.missing():
        yield f"The database does not guard the trail: the trigger {name} is gone."
    before = ZERO
    seq = 0
    keys = line_keys.retired()
    seals = Seal.objects.select_related("event__case").order_by("seq")
    for row in seals.iterator(chunk_size=BATCH):
        if row.seq != seq + 1:
            yield f"Lines {seq + 1} to {row.seq - 1} are gone."
            before = _hash_of(row.seq - 1) or before
        seq = row.seq
        event = row.event
        if not line_keys.is_genuine(event, keys):
            yield f"Line {seq} (event {event.pk}) was changed, or the desk did not write it."
        elif link(before, line(seq, event)) != row.hash:
            yield f"Line {seq} (event {event.pk}) does not fit the chain."
        elif fault := _fault_of_words(event):
            yield f"Line {seq} (event {event.pk}): {fault}"
        before = row.hash
    yield from _verify_head(seq, before)
    yield from _verify_events()


def _fault_of_words(event: CaseEvent) -> str:
    """What is wrong with the words beside a line; "" where they are right, or were erased."""
    try:
        return "" if event.has_its_words() else "its words were changed or removed."
    except data_keys.DataKeyError:
        return "its words were changed, or its key is gone."


def count_erased() -> int:
    """The lines whose words were erased."""
    count = 0
    rows = CaseEvent.objects.exclude(personal_sha256="")
    # Their keys are asked for together: a line that is read notes its key.
    for event in rows.select_related("case").iterator(chunk_size=BATCH):
        count += event.is_erased()
    return count


def texts(case: Case, *, until: int) -> dict[str, object]:
    """The words of the lines of a case by number, and the salt that proves them; without those that
    were erased."""
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
    """Compare the head of the chain with its last line, by the number and the hash of that line."""
    chain = Chain.objects.filter(pk=1).first()
    if chain is None or chain.seq == 0:
        if seq:
            yield "The head of the chain is gone."
        return
    is_signed = False
    for key in settings.ENCRYPTION_KEY.split(","):
        mac = _head_mac(chain.seq, chain.hash, key)
        is_signed = is_signed or hmac.compare_digest(chain.mac, mac)
    if not is_signed:
        yield "The head of the chain was changed."
    if (chain.seq, chain.hash) != (seq, head):
        yield f"The chain ends at line {seq}, and its head says {chain.seq}."


def _verify_events() -> Iterator[str]:
    """Lines outside of the chain, lines without their event, and copies of lines."""
    sealed = Exists(Seal.objects.filter(event=OuterRef("pk")))
    waiting = Exists(Unsealed.objects.filter(pk=OuterRef("pk")))
    for event in CaseEvent.objects.exclude(sealed).exclude(waiting)[:MOST_FAULTS]:
        yield f"Event {event.pk} is not in the chain."
    keys = line_keys.retired()
    for event in CaseEvent.objects.filter(waiting)[:BATCH]:
        if not line_keys.is_genuine(event, keys):
            yield f"Event {event.pk}, not sealed yet, was not written by the desk."
    present = Exists(CaseEvent.objects.filter(pk=OuterRef("event_id")))
    for seq in Seal.objects.exclude(present).values_list("seq", flat=True)[
        :MOST_FAULTS
    ]:
        yield f"The event of line {seq} is gone."
    # Two lines that the desk wrote never have the same signature.
    copies = (
        CaseEvent.objects.values("mac").annotate(count=Count("pk")).filter(count__gt=1)
    )
    for copy in copies.order_by()[:MOST_FAULTS]:
        same = CaseEvent.objects.filter(mac=copy["mac"]).order_by("pk")
        copied = ", ".join(str(event.pk) for event in same)
        yield f"Events {copied} are copies of one line."
