"""Sends the newest anchor to other systems: by webhook, by e-mail, and to a time-stamp
authority.

Each channel is one row of work. While there are new anchors, it is due once in
ANCHOR_COPY_MINUTES. A channel that fails does not stop the others: its row is retried, and
/health/ready and `audit_verify` report the error. An anchor confirms all lines before it, so
only the newest is sent.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import QuerySet
from django.utils.timezone import now

from compliance.db import clock
from compliance.http import outbound, outbox
from compliance.security.proofs import time_stamps
from compliance.security.proofs.time_stamps import StampError
from compliance.work.rows import backoff
from reviews.audit import anchors, tree
from reviews.models import AnchorCopy, Chain

QUEUE = "reviews.tasks.send_anchors"
# A row has work if the chain has an anchor that the channel did not get yet.
CONDITION = (
    f"EXISTS (SELECT 1 FROM {Chain._meta.db_table} WHERE anchored_seq > sent_seq)"  # noqa: S608
)
FIRST_PAUSE = 60.0  # seconds before the first retry; each failure doubles it
# Seconds: the upper limit of the pause between retries.
LONGEST_PAUSE = 3600.0
# A channel that is overdue by this much is late: no worker sends it, or each try is broken off.
LATE = timedelta(minutes=10)
MAIL_TEXT = """The head of the audit trail at {at}: line {seq}.
The attached line is signed with the key {key}. Keep it: it proves later that
the trail was not made again. `verify.py --anchors` of an evidence pack reads it.
"""

Channel = AnchorCopy.Channel


class NotSentError(Exception):
    """The channel did not accept the anchor. The text says why."""


def used() -> list[str]:
    """The channels for which the settings have an address."""
    addresses: dict[str, object] = {
        Channel.WEBHOOK: settings.ANCHOR_WEBHOOK_URL,
        Channel.MAIL: settings.ANCHOR_MAIL,
        Channel.TIME_STAMP: settings.TIME_STAMP_URL,
    }
    return [str(channel) for channel, address in addresses.items() if address]


def ensure() -> None:
    """Make a row due for each channel in use. Called after lines are sealed."""
    channels = used()
    if not channels:
        return
    rows = AnchorCopy.objects.filter(
        channel__in=channels,
        due_at__isnull=False,
    )
    present = set(rows.values_list("channel", flat=True))
    for channel in channels:
        if channel not in present:
            AnchorCopy.objects.update_or_create(
                channel=channel,
                defaults={"due_at": clock.now()},
            )


def send(copy: AnchorCopy) -> None:
    """Send the newest anchor by this channel. After a failure, schedule a retry."""
    if copy.channel not in used():
        # The channel was removed from the settings: its row rests.
        copy.complete(due_at=None, error="")
        return
    moment = now()
    try:
        text, entry = anchors.newest()
        _SENDERS[copy.channel](copy, text, entry)
    except _FAILURES as exc:
        failures = copy.failures + 1
        again = backoff(failures, first=FIRST_PAUSE, longest=LONGEST_PAUSE)
        reason = str(exc)[:200] or type(exc).__name__
        copy.complete(due_at=again, failures=failures, error=reason)
        return
    pause = timedelta(minutes=settings.ANCHOR_COPY_MINUTES)
    copy.complete(
        due_at=clock.now() + pause,
        sent_seq=entry["seq"],
        sent_at=moment,
        error="",
    )


def state() -> str:
    """The state for /health/ready: `ok`, or the channels that failed, with the error."""
    failures = []
    for row in _rows():
        if error := _error(row):
            failures.append(error)
    return "; ".join(failures) or "ok"


def report() -> Iterator[str]:
    """Lines for `audit_verify`: the last anchor that each channel got, and its error."""
    for row in _rows():
        if error := _error(row):
            yield f"Anchors: {error}"
        if row.sent_at:
            since = _time(row.sent_at)
            yield f"Anchors: {row.channel} has line {row.sent_seq} since {since}."


def _rows() -> QuerySet[AnchorCopy]:
    """The rows of the channels in use."""
    rows = AnchorCopy.objects.filter(channel__in=used())
    return rows.order_by("channel")


def _error(row: AnchorCopy) -> str:
    """Why the channel does not have the newest anchor that it was to get; "" if it does."""
    error = row.error
    if not error and _is_late(row):
        error = f"it was due at {_time(row.due_at or now())}, and no worker has sent it"
    if not error:
        return ""
    if row.sent_at is None:
        return f"{row.channel} never sent: {error}"
    return f"{row.channel} not sent since {_time(row.sent_at)}: {error}"


def _is_late(row: AnchorCopy) -> bool:
    if row.due_at is None or row.due_at > now() - LATE:
        return False
    return Chain.objects.filter(anchored_seq__gt=row.sent_seq).exists()


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


def _send_webhook(copy: AnchorCopy, text: str, entry: anchors.Entry) -> None:
    moment = now()
    message = {
        "type": "audit.anchored",
        "timestamp": outbox.wire_time(moment),
        "data": entry,
        "consistency": _consistency(copy.sent_seq, entry),
    }
    body = json.dumps(message).encode()
    headers = {"Content-Type": "application/json", "User-Agent": outbound.USER_AGENT}
    if settings.ANCHOR_WEBHOOK_SECRET:
        # The id is the same at each retry of an anchor, so the receiver recognises duplicates.
        digest = anchors.digest(text)[:16]
        headers = outbox.timestamped(
            body,
            delivery_id=f"anchor-{entry['seq']}-{digest}",
            sender=outbound.USER_AGENT,
            secret=settings.ANCHOR_WEBHOOK_SECRET,
            moment=moment,
        )
    response = outbound.request(
        "POST",
        settings.ANCHOR_WEBHOOK_URL,
        data=body,
        headers=headers,
        timeout=outbox.TIMEOUT,
        max_bytes=outbox.MAX_RESPONSE_BYTES,
        truncate=True,
    )
    if not 200 <= response.status_code < 300:
        raise NotSentError(f"the receiver answered with {response.status_code}")


def _consistency(before: int, entry: anchors.Entry) -> dict[str, object] | None:
    """A Merkle consistency proof from the last anchor sent to this one, or None.

    With it the receiver can verify that lines were only appended since then.
    """
    seq = entry["seq"]
    if not before or not isinstance(seq, int) or before > seq:
        return None
    path = tree.Tree().consistency(before, seq)
    return {"from": before, "path": path}


def _send_mail(_: AnchorCopy, text: str, entry: anchors.Entry) -> None:
    if settings.EMAIL_BACKEND.endswith(".dummy.EmailBackend"):
        raise NotSentError("EMAIL_HOST is not set")
    mail = EmailMessage(
        subject=f"Audit trail of {settings.DESK_URL}: line {entry['seq']}",
        body=MAIL_TEXT.format(**entry),
        to=settings.ANCHOR_MAIL,
    )
    mail.attach(f"anchor-{entry['seq']}.jsonl", f"{text}\n", "text/plain")
    mail.send()


def _stamp(_: AnchorCopy, text: str, entry: anchors.Entry) -> None:
    """Get a time stamp for the anchor, and append it to the file of anchors as an entry.

    So the stamp is signed and in order like every other entry.
    """
    content = time_stamps.fetch(settings.TIME_STAMP_URL, text.encode())
    digest = anchors.digest(text)
    if settings.TIME_STAMP_ROOTS:
        roots = time_stamps.roots_in(settings.TIME_STAMP_ROOTS)
        time_stamps.verify(content, bytes.fromhex(digest), roots)
    chain = Chain.objects.get(pk=1)
    stamp = base64.b64encode(content).decode()
    anchors.add("stamp", chain, of=digest, stamp=stamp)


_FAILURES = (
    NotSentError,
    StampError,
    outbound.OutboundError,
    OSError,  # includes errors of a mail server
    ValueError,
)
_SENDERS: dict[str, Callable[[AnchorCopy, str, anchors.Entry], None]] = {
    Channel.WEBHOOK: _send_webhook,
    Channel.MAIL: _send_mail,
    Channel.TIME_STAMP: _stamp,
}
