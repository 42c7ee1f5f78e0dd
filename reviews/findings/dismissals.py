"""Findings that were dismissed once and are not shown as open again: by whom, why, until when."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.timezone import now
from django.utils.translation import gettext as _

from reviews import results
from reviews.access import roles
from reviews.audit import trail
from reviews.models import Case, Dismissal, Document


class DismissedFindings:
    """The findings of a case that were dismissed, here or in other cases, with their dismissals.

    `keys` has the key of each finding by its id(), `dismissals` the dismissal of each key. A hit on
    several lists was dismissed if that on each list was.
    """

    def __init__(self, keys: dict[int, str], dismissals: dict[str, Dismissal]) -> None:
        self._keys = keys
        self._dismissals = dismissals

    def __contains__(self, finding: object) -> bool:
        keys = []
        for one in members(finding):
            keys.append(self._keys.get(id(one), ""))
        return all(key in self._dismissals for key in keys)

    def get(self, finding: results.Finding) -> Dismissal | None:
        if finding in self:
            return self.get_alone(finding)
        return None

    def get_alone(self, finding: results.Finding) -> Dismissal | None:
        """The dismissal of a hit on its own list, whatever became of those on others."""
        return self._dismissals.get(self.key(finding))

    def key(self, finding: results.Finding) -> str:
        return self._keys.get(id(finding), "")


def of(
    case: Case, parts: Sequence[results.Part], documents: Sequence[Document]
) -> DismissedFindings:
    digests = {}
    for document in documents:
        digests[document.pk.hex] = document.sha256
    keys = {}
    for part in parts:
        digest = digests.get(part.document, "")
        for finding in part.findings:
            if finding.tone not in {"fail", "warn"}:
                continue
            for member in members(finding):
                keys[id(member)] = key_of(case, digest, member)
    if not keys:
        return DismissedFindings({}, {})
    valid = Dismissal.objects.filter(
        Q(until=None) | Q(until__gt=now()),
        key__in=set(keys.values()),
        taken_back_at=None,
        case__connection=case.connection_id,
    )
    # Of several dismissals of one finding the oldest counts: it is the one that was asked for.
    # It is read last, so it replaces the others.
    dismissals = {}
    for dismissal in valid.select_related("by", "case").order_by("-id"):
        dismissals[dismissal.key] = dismissal
    return DismissedFindings(keys, dismissals)


def members(finding: Any) -> Sequence[Any]:
    """A finding; of a hit on several lists, those on each."""
    if isinstance(finding, results.Hit):
        return finding.members
    return (finding,)


def key_of(case: Case, document_sha256: str, finding: results.Finding) -> str:
    """What makes a finding the same one: what it says, about the same file or the same subject.

    A finding about a file is the same in any case with that very file. A finding about no file is
    the same in cases of the same kind and name. A hit of a screening is the same while the list
    entry and what is attested of the subject stay as they are. Where no more than a name is
    attested, it is the same in its own case only.
    """
    about = document_sha256
    if not about:
        name = " ".join(case.subject.casefold().split())
        about = f"{case.kind}:{name}"
    if isinstance(finding, results.Hit) and not finding.has_more_than_name:
        # Others have this name: nothing else tells them apart.
        about = f"{about}:{case.pk}"
    kind = type(finding).__name__

    content = "\x1f".join([kind, about, *_identity(finding)])
    encoded = content.encode(errors="replace")
    return hashlib.sha256(encoded).hexdigest()


def _identity(finding: results.Finding) -> list[str]:
    if isinstance(finding, results.Indicator):
        name = finding.indicator_id or finding.title
        return [name, finding.description, finding.raw]
    if isinstance(finding, results.Comparison):
        attested = " ".join(run.text for run in finding.attested)
        extracted = " ".join(run.text for run in finding.extracted)
        return [finding.field, attested, extracted]
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
    """Have a finding shown as dismissed from now on. Raises ValueError without a reason."""
    roles.require(actor, roles.REVIEW, case)
    if not reason.strip():
        raise ValueError(_("Say why the finding is dismissed."))
    defaults = {
        "title": finding.name[:300],
        "reason": reason.strip(),
        "by": actor,
        "until": until,
    }
    keys = [key]
    for other in members(finding)[1:]:
        # A hit belongs to no file.
        keys.append(key_of(case, "", other))
    rows = []
    new_rows = []
    for one in keys:
        row, is_new = Dismissal.objects.get_or_create(
            key=one,
            case=case,
            taken_back_at=None,
            defaults=defaults,
        )
        rows.append(row)
        if is_new:
            new_rows.append(row)
            _at_one_moment(new_rows)
    if new_rows:
        data: dict[str, object] = {
            "finding": new_rows[0].title,
            "reason": new_rows[0].reason,
        }
        if isinstance(finding, results.Hit) and finding.others:
            data["lists"] = finding.list_titles
        if until:
            data["until"] = until.date().isoformat()
        trail.record(case, "dismissed", data, user=actor, about=new_rows)
    return rows[0]


@transaction.atomic
def take_back(dismissal: Dismissal, *, actor: User) -> bool:
    """Have the finding shown as open again. Returns False where it was taken back before."""
    roles.require(actor, roles.REVIEW, dismissal.case)
    own = Dismissal.objects.filter(pk=dismissal.pk, taken_back_at=None)
    moment = now()
    if not own.update(taken_back_at=moment):
        return False
    dismissal.taken_back_at = moment
    together = list(_dismissed_with(dismissal))
    for row in together:
        row.taken_back_at = moment
        row.save(update_fields=["taken_back_at"])
    trail.record(
        dismissal.case,
        "dismissal_taken_back",
        {"finding": dismissal.title},
        user=actor,
        about=[dismissal, *together],
    )
    return True


def _at_one_moment(rows: Sequence[Dismissal]) -> None:
    """What is dismissed by one act has one time, by which it is taken back together."""
    first, last = rows[0], rows[-1]
    if last.at != first.at:
        last.at = first.at
        last.save(update_fields=["at"])


def _dismissed_with(dismissal: Dismissal) -> QuerySet[Dismissal]:
    """Those of the other lists of one hit: made by one act, at one moment."""
    rows = Dismissal.objects.filter(
        case=dismissal.case_id,
        by=dismissal.by_id,
        at=dismissal.at,
        taken_back_at=None,
    )
    return rows.exclude(pk=dismissal.pk)
