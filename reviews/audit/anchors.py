"""Anchors: signed heads of the chain, stored in a file outside of the database.

Somebody who can write the database, even with all of its keys, cannot undo what this file has
recorded. A database that was emptied, restored or rebuilt does not contain the anchored heads.

The file AUDIT_ANCHORS has one JSON object per line. Lines are only appended:

    {"kind": "head", "seq", "hash", "root", "at", "before", "key", "signature"}
    {"kind": "key", …, "new_key", "new_public", "new_signature"}    the key changes: signed by both
    {"kind": "restored", …, "reason"}           an operator declares that a backup was restored
    {"kind": "stamp", …, "of", "stamp"}         a time stamp (RFC 3161) of the line whose hash is `of`

- `seq` and `hash` are those of the head
- `root` is the root of the Merkle tree over the lines up to it (reviews.audit.tree); anchors of
  earlier versions have none
- `before` is the SHA-256 of the previous line of the file, 64 zeros for the first
- `key` is the id of the signing key

The signature covers the line without its signatures, as JSON with sorted names and no spaces.
A line that a crash left incomplete is no entry; the next entry follows the last complete one.
"""

from __future__ import annotations

import base64
import fcntl
import hashlib
import json
import logging
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO

from django.conf import settings
from django.utils.timezone import now

from compliance.security.proofs import time_stamps
from compliance.security.proofs.time_stamps import StampError
from compliance.storage import atomic_files
from reviews.audit import signing, tree
from reviews.models import Chain, Seal
from reviews.models.trail import canonical

log = logging.getLogger(__name__)

# `before` of the first entry
ZERO = "0" * 64
# A head is anchored once in PAUSE while lines arrive, and earlier after LINES lines. Within
# that time somebody who has all keys could remove a line without a trace here.
PAUSE = timedelta(minutes=1)
LINES = 1000
# Lines that wait longer than this for an anchor are reported as a fault.
LATE = timedelta(minutes=10)
SIGNATURES = ("signature", "new_signature")
BATCH = 500
TAIL_BYTES = 64 << 10  # longer than any entry, so the tail holds the last one

Entry = dict[str, object]


@dataclass(frozen=True)
class Head:
    """The head of the chain as an anchor recorded it. `root` is empty in old anchors."""

    seq: int
    hash: str
    at: str
    root: str


def anchor_due() -> bool:
    """Anchor the head if it is time. Returns False if lines still wait for an anchor.

    Called after sealing. If the file cannot be written, sealing goes on: the log and
    /health/ready report it, and the next call tries again.
    """
    chain = Chain.objects.get(pk=1)
    lines = chain.seq - chain.anchored_seq
    if lines <= 0:
        return True
    is_early = chain.anchored_at and now() < chain.anchored_at + PAUSE
    if is_early and lines < LINES:
        return False
    try:
        add("head", chain)
    except OSError as exc:
        log.warning("The head of the audit trail was not anchored: %s", exc.strerror)
        return False
    return True


def add(kind: str, chain: Chain, **more: object) -> Entry:
    """Append an entry for the head of the chain. Raises OSError if it could not be written."""
    at = now()
    with _open_to_append() as file:
        entry = _entry(kind, chain, at, before=_last_hash(file), **more)
        _append(file, entry, signing.current())
    _note(chain, at=at)
    return entry


def newest() -> tuple[str, Entry]:
    """The last entry that is not a time stamp: its line, and the object in it.

    Raises ValueError if there is none.
    """
    last = None
    for text, entry in _entries():
        if entry.get("kind") != "stamp":
            last = text, entry
    if last is None:
        raise ValueError("there is no anchor")
    return last


def signed_head(chain: Chain) -> Entry:
    """A signed entry for this head, for somebody outside, such as an evidence pack.

    If the file cannot be written, the entry is signed but not appended. Raises OSError if there
    is no key to sign with.
    """
    try:
        return add("head", chain)
    except OSError as exc:
        log.warning("The head of the audit trail was not anchored: %s", exc.strerror)
    entry = _entry("head", chain, now(), before="")
    _sign(entry, signing.current())
    return entry


def rotate_key(chain: Chain) -> tuple[str, str]:
    """Change to a new signing key. Returns the ids of the old and the new key.

    The entry of the change is signed with both keys. Raises OSError.
    """
    at = now()
    with _open_to_append() as file:
        old, new = signing.rotate()
        entry = _entry("key", chain, at, before=_last_hash(file))
        entry["new_key"] = new.id
        entry["new_public"] = new.public
        _append(file, entry, old, new)
    # Only now is the entry in the file; before, the old private key is still needed.
    signing.retire(old)
    _note(chain, at=at)
    return old.id, new.id


def _entry(
    kind: str, chain: Chain, at: datetime, *, before: str, **more: object
) -> Entry:
    return {
        "kind": kind,
        "seq": chain.seq,
        "hash": chain.hash,
        "root": tree.Tree().root(chain.seq),
        "at": at.isoformat(timespec="milliseconds"),
        "before": before,
        **more,
    }


def state() -> str:
    """The state for /health/ready: `ok`, a fault of the newest anchors, or what `late()` says."""
    # A process for requests may run on a machine without the file.
    if Path(settings.AUDIT_ANCHORS).is_file():
        for fault in newest_faults():
            return fault
    return late()


def late() -> str:
    """`ok`, or which lines have waited too long for an anchor."""
    chain = Chain.objects.filter(pk=1).first()
    if chain is None or chain.anchored_seq >= chain.seq:
        return "ok"
    limit = now() - LATE
    if chain.anchored_at and chain.anchored_at > limit:
        return "ok"
    next_seq = chain.anchored_seq + 1
    oldest = Seal.objects.select_related("event").filter(seq=next_seq).first()
    if oldest and oldest.event.at > limit:
        return "ok"
    return f"lines after {chain.anchored_seq} are not anchored: is the file writable?"


def count() -> int:
    """The number of entries in the file."""
    return sum(1 for _ in _entries())


def newest_faults() -> Iterator[str]:
    """The faults of the anchors at the end of the file, as sentences; nothing if there are none.

    Takes the same time for any length, while `faults()` reads every anchor. Call it outside of a
    transaction: a head is sealed before it is anchored, so a later look at the chain has its line.
    """
    anchored = _anchored_seq()
    heads: list[Head] = []
    before = ""
    keys = signing.public_keys()
    for text, entry in _newest_entries():
        head = _head(entry)
        # What stands before the first of them is not read.
        fault = _fault(entry, before or str(entry.get("before")), keys)
        before = digest(text)
        if fault:
            yield f"The anchor of line {head.seq}: {fault}"
        if entry.get("kind") == "restored" and not fault:
            heads = [earlier for earlier in heads if earlier.seq <= head.seq]
        heads.append(head)
    yield from _head_faults(heads)
    yield from _missing_anchors(heads, anchored)


def faults(known: int | None = None) -> Iterator[str]:
    """The faults of the anchors, as sentences; nothing if there are none.

    Checks each entry alone (order, signature, stamp), then the anchored heads and roots against
    the chain in the database. `known`: as many entries as were there before the database was read.
    Later ones are of lines that this reading does not see, where workers go on.
    """
    heads: list[Head] = []
    expected: list[Head] = []
    before = ZERO
    keys = signing.public_keys()
    texts: set[str] = set()
    for number, (text, entry) in enumerate(_entries(), start=1):
        kind = entry.get("kind")
        fault = _fault(entry, before, keys)
        if kind == "stamp" and not fault:
            fault = _stamp_fault(entry, texts)
        if fault:
            yield f"Anchor {number}: {fault}"
        before = digest(text)
        texts.add(before)
        head = _head(entry)
        if kind == "restored" and not fault:
            # The lines after the backup are gone on purpose: an operator declared it. Heads of
            # those lines are not expected in the chain.
            heads = [earlier for earlier in heads if earlier.seq <= head.seq]
            expected = [earlier for earlier in expected if earlier.seq <= head.seq]
        heads.append(head)
        if known is None or number <= known:
            expected.append(head)
    yield from _head_faults(expected)
    yield from _missing_anchors(heads, _anchored_seq())
    roots = {head.seq: head.root for head in expected if head.root}
    yield from tree.faults(roots)


def restorations() -> list[str]:
    """The declarations that a backup was restored, as sentences."""
    lines = []
    for _, entry in _entries():
        if entry.get("kind") == "restored":
            head = _head(entry)
            reason = entry.get("reason")
            lines.append(f"Set back to line {head.seq} at {head.at}: {reason}")
    return lines


def _fault(entry: Entry, before: str, keys: dict[str, str]) -> str:
    """The fault of the order or the signatures of an entry; "" if there is none."""
    if entry.get("before") != before:
        return "the line before it was changed or removed."
    signers = [("key", "signature")]
    if entry.get("kind") == "key":
        signers.append(("new_key", "new_signature"))
    text = _text(entry)
    for name, signature in signers:
        key_id = str(entry.get(name))
        if key_id not in keys:
            return f"it is signed with the key {key_id}, which is not known here."
        if not signing.is_signed(text, str(entry.get(signature)), keys[key_id]):
            return f"it was changed, or not signed with the key {key_id}."
    return ""


def _stamp_fault(entry: Entry, texts: set[str]) -> str:
    """The fault of a time stamp; "" if there is none. `texts`: hashes of the entries before it."""
    if entry.get("of") not in texts:
        return "it is the time stamp of an anchor that is not there."
    try:
        _stamp_moment(entry)
    except (StampError, OSError, ValueError) as exc:
        return f"{exc}."
    return ""


def _stamp_moment(entry: Entry) -> datetime:
    """The time of a stamp, verified if TIME_STAMP_ROOTS is set.

    Raises StampError, OSError and ValueError.
    """
    stamp = str(entry["stamp"])
    content = base64.b64decode(stamp)
    anchor = str(entry["of"])
    stamped = bytes.fromhex(anchor)
    if not settings.TIME_STAMP_ROOTS:
        return time_stamps.moment_of(content, stamped)
    roots = time_stamps.roots_in(settings.TIME_STAMP_ROOTS)
    return time_stamps.verify(content, stamped, roots)


def last_stamp() -> str:
    """The time of the last stamp, as a sentence; empty if there is no stamp."""
    seqs: dict[str, int] = {}
    words = ""
    for text, entry in _entries():
        seqs[digest(text)] = _head(entry).seq
        if entry.get("kind") == "stamp":
            anchor = str(entry.get("of"))
            seq = seqs.get(anchor)
            moment = _stamp_moment(entry)
            words = f"Line {seq} was stamped at {moment.isoformat()}"
    if words and not settings.TIME_STAMP_ROOTS:
        words += " by an authority that was not verified: set TIME_STAMP_ROOTS"
    return words


def _head_faults(heads: list[Head]) -> Iterator[str]:
    """Anchored heads that the chain in the database does not contain."""
    newest = Seal.objects.order_by("-seq")
    end = newest.values_list("seq", flat=True).first() or 0
    for start in range(0, len(heads), BATCH):
        batch = heads[start : start + BATCH]
        numbers = [head.seq for head in batch]
        seals = Seal.objects.filter(seq__in=numbers)
        hashes = dict(seals.values_list("seq", "hash"))
        for head in batch:
            if head.seq == 0 or hashes.get(head.seq) == head.hash:
                continue
            # The anchored line is missing; else it exists with another hash.
            if head.seq > end:
                yield (
                    f"The chain ends at line {end}, and line {head.seq} was anchored at {head.at}:"
                    " the database was emptied, set back or replaced. If a backup was restored"
                    f" on purpose, declare it: `{settings.PROGRAM} audit_restored`."
                )
            else:
                yield (
                    f"Line {head.seq} is not the one that was anchored at {head.at}:"
                    " the chain was made again, or is that of another installation."
                )


def _missing_anchors(heads: list[Head], anchored: int) -> Iterator[str]:
    # The database counts anchors, too: the file must reach as far.
    last = max((head.seq for head in heads), default=0)
    if anchored > last:
        yield (
            f"Line {anchored} was anchored, and the file has anchors up to line {last} only:"
            " anchors were removed."
        )


def _anchored_seq() -> int:
    """The last line that was anchored, as the database has it."""
    rows = Chain.objects.filter(pk=1).values_list("anchored_seq", flat=True)
    return rows.first() or 0


def _note(chain: Chain, *, at: object) -> None:
    """Record in the database what is anchored.

    Called after the file is written: a crash in between leaves one anchor too many in the file,
    which is harmless. The other order could report an anchor that does not exist.
    """
    # Another process may have anchored a later head in the meantime: never go back.
    rows = Chain.objects.filter(pk=1, anchored_seq__lte=chain.seq)
    rows.update(anchored_seq=chain.seq, anchored_at=at)


def _open_to_append() -> IO[bytes]:
    """Open the file for appending, with an exclusive lock until it is closed."""
    path = Path(settings.AUDIT_ANCHORS)
    is_new = not path.exists()
    atomic_files.make_folders(path.parent, mode=0o700)
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    file = os.fdopen(descriptor, "a+b")
    fcntl.flock(file, fcntl.LOCK_EX)
    if is_new:
        atomic_files.sync_folder(path.parent)
    return file


def _append(file: IO[bytes], entry: Entry, *keys: signing.SigningKey) -> None:
    _sign(entry, *keys)
    line = canonical(entry) + "\n"
    if not _ends_whole(file):
        # A crash left the last line incomplete. It stays as it is and does not count as an
        # entry.
        line = "\n" + line
    file.write(line.encode())
    file.flush()
    os.fsync(file.fileno())


def _sign(entry: Entry, *keys: signing.SigningKey) -> None:
    # Add the signatures: over the entry without any signature, one for each key.
    entry["key"] = keys[0].id
    text = _text(entry)
    for name, key in zip(SIGNATURES, keys, strict=False):
        entry[name] = key.sign(text)


def _ends_whole(file: IO[bytes]) -> bool:
    size = file.seek(0, os.SEEK_END)
    if not size:
        return True
    file.seek(size - 1)
    return file.read(1) == b"\n"


def _last_hash(file: IO[bytes]) -> str:
    # The file may be large: only its tail is read. The first line of the tail may be cut, and
    # is then no valid JSON.
    _seek_tail(file)
    last = ZERO
    for text, _ in _whole_entries(file):
        last = digest(text)
    return last


def _seek_tail(file: IO[bytes]) -> None:
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - TAIL_BYTES))


def _entries() -> Iterator[tuple[str, Entry]]:
    path = Path(settings.AUDIT_ANCHORS)
    if not path.exists():
        return
    with path.open("rb") as file:
        yield from _whole_entries(file)


def _newest_entries() -> Iterator[tuple[str, Entry]]:
    path = Path(settings.AUDIT_ANCHORS)
    if not path.exists():
        return
    with path.open("rb") as file:
        _seek_tail(file)
        yield from _whole_entries(file)


def _whole_entries(lines: Iterable[bytes]) -> Iterator[tuple[str, Entry]]:
    """The lines that are valid entries, each as its text and its object."""
    for line in lines:
        try:
            text = line.decode().rstrip("\n")
            entry = json.loads(text)
        except ValueError:
            continue
        if isinstance(entry, dict) and "signature" in entry:
            yield text, entry


def _head(entry: Entry) -> Head:
    seq = entry.get("seq")
    if not isinstance(seq, int):
        seq = 0
    return Head(
        seq=seq,
        hash=str(entry.get("hash")),
        at=str(entry.get("at")),
        root=str(entry.get("root", "")),
    )


def _text(entry: Entry) -> str:
    """The text that is signed: the canonical JSON without signatures."""
    content = {}
    for name, value in entry.items():
        if name not in SIGNATURES:
            content[name] = value
    return canonical(content)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
