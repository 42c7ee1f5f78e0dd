"""The checks of the audit trail in `manage.py doctor`."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings

from compliance.operation.doctor.registry import Finding, failed, ok, warning
from compliance.security import data_keys
from reviews.audit import anchor_copies, anchors, trail, verification
from reviews.models import Chain

PART = "trail"
# Only the newest lines and anchors are verified here. `audit_verify` reads all lines, rows and files,
# which takes long.
LINES = 500
OTHER_KEY = "ENCRYPTION_KEY is not the one that this database was written with"


def look() -> Iterator[Finding]:
    if data_keys.are_of_another_installation():
        yield warning(
            PART, f"not looked at: {OTHER_KEY}", "Correct ENCRYPTION_KEY first."
        )
        return
    with verification.snapshot():
        faults = list(trail.verify_newest(LINES))
        chain = Chain.objects.filter(pk=1).first()
    faults += anchors.newest_faults()
    verify = f"{settings.PROGRAM} audit_verify"
    for fault in faults[:5]:
        advice = f"Keep the database as it is, and run `{verify}`: docs/audit.md."
        yield failed(PART, fault, advice)
    if not faults:
        yield ok(PART, f"the newest of {chain.seq if chain else 0} lines hold")
    if (state := anchors.late()) != "ok":
        yield failed(PART, state, "Look at the rights and the room of AUDIT_ANCHORS.")
    if (state := anchor_copies.state()) not in {"ok", "off"}:
        yield warning(PART, state, "Look at the settings of the anchors that are sent.")
