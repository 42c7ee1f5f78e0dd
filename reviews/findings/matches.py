"""Confirmed hits: a person says that the list entry is the subject. Also for hits of look-ups."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from reviews import results
from reviews.access import roles
from reviews.audit import trail
from reviews.findings import dismissals, hit_labels
from reviews.models import Case, HitLabel, LookUp


class ConfirmedHits:
    """The confirmed hits of a case, and the key of each of its hits."""

    def __init__(self, case: Case, parts: Sequence[results.Part]) -> None:
        self._keys: dict[int, str] = {}
        self._hits: dict[str, results.Hit] = {}
        for part in parts:
            for finding in part.findings:
                if isinstance(finding, results.Hit):
                    key = dismissals.key_of(case, "", finding)
                    self._keys[id(finding)] = key
                    self._hits[key] = finding
        self._labels: dict[str, HitLabel] = {}
        if self._hits:
            kind = HitLabel.Kind.CONFIRMED
            for label in hit_labels.standing(case, self._hits, kind):
                self._labels[label.key] = label

    def __contains__(self, finding: object) -> bool:
        return self.key(finding) in self._labels

    def key(self, finding: object) -> str:
        return self._keys.get(id(finding), "")

    def get(self, finding: object) -> HitLabel | None:
        return self._labels.get(self.key(finding))

    def hit(self, key: str) -> results.Hit | None:
        return self._hits.get(key)


@transaction.atomic
def confirm(case: Case, hit: results.Hit, *, actor: User) -> list[HitLabel]:
    """Confirm that the list entry is the subject.

    Raises ValueError if the hit is confirmed or dismissed already, and PermissionDenied.
    """
    return _confirm(case, hit, source=HitLabel.Source.SCREENING, actor=actor)


@transaction.atomic
def confirm_look_up(
    row: LookUp, parts: Sequence[results.Part], ref: str, *, actor: User
) -> list[HitLabel]:
    """Confirm a hit of a look-up that the screening of its case did not show.

    `parts` are the results of its case. `ref` identifies the hit.
    Raises ValueError if the look-up has no case or no such hit, or if the screening shows the
    entry, and PermissionDenied.
    """
    if row.case is None:
        raise ValueError(_("The look-up is of no case."))
    hits = []
    for hit in results.look_up(row.answer).rows:
        if hit.ref == ref:
            hits.append(hit)
    if not hits:
        raise ValueError(_("The look-up has no such hit."))
    # A hit that the screening shows, or that is confirmed, must not be counted a second time.
    entries = {_entry(member) for member in hits[0].members}
    if not entries.isdisjoint(_entries(parts)):
        raise ValueError(
            _("The screening of the case shows this entry: confirm it there.")
        )
    kind = HitLabel.Kind.CONFIRMED
    for label in row.case.hit_labels.filter(taken_back_at=None, kind=kind):
        if (label.list_slug, label.entry_id) in entries:
            raise ValueError(_("Somebody has confirmed it already."))
    source = HitLabel.Source.LOOK_UP
    return _confirm(row.case, hits[0], source=source, actor=actor)


def _entries(parts: Sequence[results.Part]) -> set[tuple[str, str]]:
    """The list entries that the screening of the case shows, in any band."""
    entries: set[tuple[str, str]] = set()
    for part in parts:
        for finding in part.findings:
            if isinstance(finding, results.Hit):
                entries.update(_entry(member) for member in finding.members)
    return entries


def _entry(hit: results.Hit) -> tuple[str, str]:
    return hit.list_slug, hit.identity[1]


def _confirm(
    case: Case, hit: results.Hit, *, source: HitLabel.Source, actor: User
) -> list[HitLabel]:
    roles.require(actor, roles.REVIEW, case)
    # Two people may confirm at the same moment. With the lock, the second one gets the error.
    Case.objects.select_for_update().get(pk=case.pk)
    pairs = []
    for member in hit.members:
        pairs.append((dismissals.key_of(case, "", member), member))
    keys = [key for key, _member in pairs]
    if hit_labels.standing(case, keys, HitLabel.Kind.DISMISSED):
        raise ValueError(_("It is dismissed here: ask about it again first."))
    rows = hit_labels.add(
        case, pairs, kind=HitLabel.Kind.CONFIRMED, source=source, actor=actor
    )
    if not rows:
        raise ValueError(_("Somebody has confirmed it already."))
    data = {"finding": hit.name, "lists": hit.list_titles, "source": source.value}
    trail.record(case, "hit_confirmed", data, user=actor, about=rows)
    return rows


@transaction.atomic
def take_back(label: HitLabel, *, actor: User) -> bool:
    """Take a confirmation back. Returns False if it was taken back before."""
    roles.require(actor, roles.REVIEW, label.case)
    rows = HitLabel.objects.select_for_update().filter(
        case=label.case_id,
        kind=HitLabel.Kind.CONFIRMED,
        by=label.by_id,
        at=label.at,
        taken_back_at=None,
    )
    # The labels for the other lists of the hit were set by the same act, at the same moment.
    together = list(rows)
    if label.pk not in {row.pk for row in together}:
        return False
    hit_labels.end(together, now())
    data = {"finding": label.title}
    what = "hit_confirmation_taken_back"
    trail.record(label.case, what, data, user=actor, about=together)
    return True
