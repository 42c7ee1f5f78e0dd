"""What was dismissed once and is not asked again: which finding, by whom, why, until when."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.timezone import now

from reviews import results
from reviews.access import roles
from reviews.audit import trail
from reviews.models import Case, Dismissal, Document


class Found:
    """The findings of a case that were dismissed, here or before, each with its dismissal."""

    def __init__(self, keys: dict[int, str], known: dict[str, Dismissal]) -> None:
        self._keys, self._known = keys, known

    def __contains__(self, finding: object) -> bool:
        return self._keys.get(id(finding), "") in self._known

    def get(self, finding: results.Finding) -> Dismissal | None:
        return self._known.get(self._keys.get(id(finding), ""))

    def key(self, finding: results.Finding) -> str:
        return self._keys.get(id(finding), "")


def of(case: Case, parts: Sequence[results.Part], documents: Sequence[Document]) -> Found:
    digests = {document.pk.hex: document.sha256 for document in documents}
    keys = {
        id(row): key(case, digests.get(part.document, ""), row)
        for part in parts
        for row in part.findings
        if row.tone in {"fail", "warn"}
    }
    standing = Dismissal.objects.filter(
        Q(until=None) | Q(until__gt=now()),
        key__in=set(keys.values()),
        taken_back_at=None,
        case__connection=case.connection_id,
    )
    # The oldest stands for all: it is the one that was asked.
    rows = standing.select_related("by", "case").order_by("-id") if keys else []
    return Found(keys, {row.key: row for row in rows})


def key(case: Case, document_sha256: str, finding: results.Finding) -> str:
    """What makes a finding the same one: what it says, about the same file or the same subject.

    A finding about a file is known again in any case with that very file; one about no file, in
    cases of the same kind and name. Where it says something else, it is another finding: a hit of a
    screening is known again while the list entry and what is attested of the subject stay as they
    are; where no more than a name is attested, in its own case alone.
    """
    about = document_sha256 or f"{case.kind}:{' '.join(case.subject.casefold().split())}"
    if isinstance(finding, results.Hit) and not finding.has_more_than_name:
        about = f"{about}:{case.pk}"  # others have this name: nothing else tells them apart
    said = "\x1f".join([type(finding).__name__, about, *_identity(finding)])
    return hashlib.sha256(said.encode(errors="replace")).hexdigest()


def _identity(finding: results.Finding) -> list[str]:
    if isinstance(finding, results.Indicator):
        return [finding.indicator_id or finding.title, finding.description, finding.raw]
    if isinstance(finding, results.Comparison):
        sides = (finding.attested, finding.extracted)
        return [finding.field, *(" ".join(run.text for run in side) for side in sides)]
    if isinstance(finding, results.Section):
        return [finding.key, finding.analysis]
    if isinstance(finding, results.Hit):
        return [*finding.identity]
    return [finding.name]


@transaction.atomic
def dismiss(
    case: Case,
    finding: results.Finding,
    *,
    key: str,
    actor: User,
    reason: str,
    until: datetime | None = None,
) -> Dismissal:
    """Have a finding shown as dismissed from now on. Raises ValueError where no reason is given."""
    roles.require(actor, roles.REVIEW, case)
    if not reason.strip():
        raise ValueError("Say why the finding is dismissed.")
    made, created = Dismissal.objects.get_or_create(
        key=key,
        case=case,
        taken_back_at=None,
        defaults={
            "title": finding.name[:300],
            "reason": reason.strip(),
            "by": actor,
            "until": until,
        },
    )
    if created:
        data = {"finding": made.title, "reason": made.reason}
        data |= {"until": until.date().isoformat()} if until else {}
        trail.record(case, "dismissed", data, user=actor)
    return made


@transaction.atomic
def take_back(dismissal: Dismissal, *, actor: User) -> bool:
    """Have the finding asked about again. Returns False where it was taken back before."""
    roles.require(actor, roles.REVIEW, dismissal.case)
    rows = Dismissal.objects.filter(pk=dismissal.pk, taken_back_at=None)
    if not rows.update(taken_back_at=now()):
        return False
    trail.record(dismissal.case, "dismissal_taken_back", {"finding": dismissal.title}, user=actor)
    return True
