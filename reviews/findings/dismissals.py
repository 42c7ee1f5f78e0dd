"""Findings that need no review: a person dismissed them, or a policy does.

A dismissal has its person, its reason and maybe an end. It also holds for the same finding in other cases. A screening
policy leaves out the hits whose score is below its threshold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from reviews.findings import hit_labels, thresholds
from reviews.findings.values import keyed_hashes
from reviews.models import Case, Dismissal, Document, HitLabel


class DismissedFindings:
    """The findings of a case that were dismissed in this or another case, with the dismissals.

    - `keys`: the key of each finding by its `id()`
    - `dismissals`: the dismissal by key. A hit on several lists is dismissed if it is dismissed
      for each list
    - `folded`: hits below the threshold by their `id()`, with the number of the screening
      policy
    """

    def __init__(
        self,
        keys: dict[int, str],
        dismissals: dict[str, Dismissal],
        folded: Mapping[int, int] | None = None,
    ) -> None:
        self._keys = keys
        self._dismissals = dismissals
        self._folded = folded or {}

    def __contains__(self, finding: object) -> bool:
        """Whether the finding needs no review: it is dismissed, or below the threshold."""
        return id(finding) in self._folded or self._is_dismissed(finding)

    def _is_dismissed(self, finding: object) -> bool:
        keys = []
        for member in members(finding):
            keys.append(self._keys.get(id(member), ""))
        return all(key in self._dismissals for key in keys)

    def get(self, finding: results.Finding) -> Dismissal | None:
        if self._is_dismissed(finding):
            return self.get_alone(finding)
        return None

    def folded_by(self, finding: object) -> int:
        """The number of the screening policy under which the hit needs no review; else 0."""
        return self._folded.get(id(finding), 0)

    def get_alone(self, finding: results.Finding) -> Dismissal | None:
        """The dismissal of a hit on its own list, without regard to other lists."""
        return self._dismissals.get(self.key(finding))

    def key(self, finding: results.Finding) -> str:
        return self._keys.get(id(finding), "")


def of(
    case: Case, parts: Sequence[results.Part], documents: Sequence[Document]
) -> DismissedFindings:
    """The dismissals that apply to the findings of a case."""
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
    # If a finding was dismissed several times, the oldest dismissal counts. It is read last and
    # so replaces the others.
    dismissals = {}
    # Most cases have none. A case has so many columns that a join costs more than the rest.
    rows = valid.select_related("by").prefetch_related("case")
    for dismissal in rows.order_by("-id"):
        dismissals[dismissal.key] = dismissal
    return DismissedFindings(keys, dismissals, _folded(case, parts, keys))


def _folded(
    case: Case, parts: Sequence[results.Part], keys: Mapping[int, str]
) -> dict[int, int]:
    """The hits below the threshold of their time, without those that a person has confirmed."""
    folded = thresholds.folded(parts)
    if not folded:
        return folded
    confirmed = hit_labels.confirmed_keys(case, set(keys.values()))
    unconfirmed = {}
    for part in parts:
        for finding in part.findings:
            if id(finding) not in folded:
                continue
            own_keys = {keys[id(member)] for member in members(finding)}
            if own_keys.isdisjoint(confirmed):
                unconfirmed[id(finding)] = folded[id(finding)]
    return unconfirmed


def members(finding: Any) -> Sequence[Any]:
    """The finding itself; for a hit on several lists, one hit per list."""
    if isinstance(finding, results.Hit):
        return finding.members
    return (finding,)


def key_of(case: Case, document_sha256: str, finding: results.Finding) -> str:
    """The identity of a finding across runs and cases, as a keyed hash.

    - A finding about a file is the same in any case with the same file
    - A finding without a file is the same in cases of the same kind and subject name
    - A screening hit is the same while the list entry and the attested data of the subject are
      unchanged
    - If only a name is attested, the hit is the same only within its own case
    """
    about = document_sha256
    if not about:
        name = " ".join(case.subject.casefold().split())
        about = f"{case.kind}:{name}"
    if isinstance(finding, results.Hit) and not finding.has_more_than_name:
        # Other people may have the same name, and nothing else distinguishes them.
        about = f"{about}:{case.pk}"
    kind = type(finding).__name__
    return keyed_hashes.of([kind, about, *_identity(finding)])


def _identity(finding: results.Finding) -> list[str]:
    if isinstance(finding, results.Indicator):
        name = finding.indicator_id or finding.title
        return [name, finding.description, finding.raw]
    if isinstance(finding, results.Comparison):
        return [finding.field, *finding.texts]
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
    """Dismiss a finding from now on.

    `key`: the key of the finding. Returns the dismissal, or the existing one. Raises ValueError
    without a reason, or if the hit is confirmed as a match, and PermissionDenied.
    """
    roles.require(actor, roles.REVIEW, case)
    if not reason.strip():
        raise ValueError(_("Say why the finding is dismissed."))
    defaults = {
        "title": finding.name[:300],
        "reason": reason.strip(),
        "by": actor,
        "until": until,
    }
    # Somebody may confirm the hit at this moment. With the lock, the second one gets the error.
    Case.objects.select_for_update().get(pk=case.pk)
    # A hit is about no file, hence the empty digest.
    keys_of_members = [key_of(case, "", other) for other in members(finding)[1:]]
    keys = [key, *keys_of_members]
    if hit_labels.standing(case, keys, HitLabel.Kind.CONFIRMED):
        raise ValueError(_("It is confirmed as a match: take that back first."))
    # A dismissal whose time is over would be taken for the one that is asked for now.
    over = _end_those_over(case, keys)
    rows = []
    new_rows = []
    for member_key in keys:
        row, is_new = Dismissal.objects.get_or_create(
            key=member_key,
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
        labels = _labels(case, finding, keys, actor)
        about = [*over, *new_rows, *labels]
        trail.record(case, "dismissed", data, user=actor, about=about)
    return rows[0]


def _end_those_over(case: Case, keys: Sequence[str]) -> list[Dismissal]:
    """End the dismissals of these findings whose time is over, so that new ones can be made."""
    rows = Dismissal.objects.filter(
        case=case, key__in=keys, taken_back_at=None, until__lte=now()
    )
    over = list(rows)
    for row in over:
        row.taken_back_at = row.until
        row.save(update_fields=["taken_back_at"])
    return over


def _labels(
    case: Case, finding: results.Finding, keys: Sequence[str], actor: User
) -> list[HitLabel]:
    """Add the dismissed hit to the labelled set, which measures the quality of the screening."""
    if not isinstance(finding, results.Hit):
        return []
    return hit_labels.add(
        case,
        list(zip(keys, finding.members, strict=True)),
        kind=HitLabel.Kind.DISMISSED,
        source=HitLabel.Source.SCREENING,
        actor=actor,
    )


@transaction.atomic
def take_back(dismissal: Dismissal, *, actor: User) -> bool:
    """Take a dismissal back: the finding is open again.

    Returns False if it was taken back before.
    """
    roles.require(actor, roles.REVIEW, dismissal.case)
    own = Dismissal.objects.filter(pk=dismissal.pk, taken_back_at=None)
    moment = now()
    if not own.update(taken_back_at=moment):
        return False
    dismissal.taken_back_at = moment
    # One act dismissed the hit on all its lists. It is taken back on all of them, with its
    # labels.
    together = list(_dismissed_with(dismissal))
    for row in together:
        row.taken_back_at = moment
        row.save(update_fields=["taken_back_at"])
    keys = [dismissal.key, *(row.key for row in together)]
    labels = hit_labels.standing(dismissal.case, keys, HitLabel.Kind.DISMISSED)
    hit_labels.end(labels, moment)
    trail.record(
        dismissal.case,
        "dismissal_taken_back",
        {"finding": dismissal.title},
        user=actor,
        about=[dismissal, *together, *labels],
    )
    return True


def _at_one_moment(rows: Sequence[Dismissal]) -> None:
    """Give all dismissals of one act the same time, so that they can be taken back together."""
    first, last = rows[0], rows[-1]
    if last.at != first.at:
        last.at = first.at
        last.save(update_fields=["at"])


def _dismissed_with(dismissal: Dismissal) -> QuerySet[Dismissal]:
    """The dismissals for the other lists of the same hit: same act, same moment."""
    rows = Dismissal.objects.filter(
        case=dismissal.case_id,
        by=dismissal.by_id,
        at=dismissal.at,
        taken_back_at=None,
    )
    return rows.exclude(pk=dismissal.pk)
