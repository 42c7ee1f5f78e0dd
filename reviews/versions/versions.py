"""Drafts a version, makes it live and records both: the same for every kind of version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Max, QuerySet
from django.utils.timezone import now
from django.utils.translation import gettext as _

from compliance.approvals import interception, lines
from compliance.approvals.models import Proposal
from compliance.pages.phrases import in_sentence
from reviews.access import roles
from reviews.audit import trail
from reviews.models.policies.versions import Version, VersionStatus
from reviews.versions.errors import RefusedError

V = TypeVar("V", bound=Version)
LONGEST_NOTE = 200


def draft(rows: QuerySet[V], *, actor: User, note: str, **values: Any) -> V:
    """Create the next version among `rows` as a draft. Raises RefusedError.

    The caller has checked the permission and validated the content.
    """
    if not note.strip():
        raise RefusedError(_("Say what is new in this version, and why."))
    # Numbers are counted per kind. A unique constraint catches two drafts at the same moment.
    newest = rows.aggregate(newest=Max("number"))["newest"] or 0
    try:
        with transaction.atomic(), lines.acting(actor):
            return rows.model._default_manager.create(
                number=newest + 1,
                note=note.strip()[:LONGEST_NOTE],
                made_by=actor,
                **values,
            )
    except IntegrityError as exc:
        words = _("Somebody made a version at the same moment. Save again.")
        raise RefusedError(words) from exc


def obstacles(version: V, live: V | None) -> list[str]:
    """Why this version cannot replace `live`, as sentences. Empty if it can."""
    if version.status != VersionStatus.DRAFT:
        status = in_sentence(version.get_status_display())
        return [_("It is no draft: %(status)s.") % {"status": status}]
    if live is not None and version.number < live.number:
        return [_("A newer version is live. Save this content as a new version.")]
    return []


def make_live(
    version: V,
    *,
    actor: User,
    permission: str,
    find_live: Callable[[], V | None],
    find_obstacles: Callable[[V], list[str]],
    after: Callable[[], None] | None = None,
) -> Proposal | None:
    """Make a draft live. If rules demand a second person, only make a proposal and return it.

    `find_live` and `find_obstacles` run again when the proposal is approved. `after` runs in the
    same transaction. Raises RefusedError and PermissionDenied.
    """
    roles.require(actor, permission)

    def act() -> None:
        # Runs again when a second person approves, because much may have changed by then.
        faults = find_obstacles(version)
        if faults:
            raise RefusedError(*faults)
        # Retire first: a constraint allows one live version per kind.
        old = find_live()
        is_replaced = old is None or old.move(VersionStatus.RETIRED)
        if not is_replaced or not version.move(VersionStatus.LIVE, live_at=now()):
            raise RefusedError(_("Somebody has just made another version live."))
        for row in (old, version):
            if row is not None:
                _record(row, actor)
        if after is not None:
            after()

    _result, proposal = interception.perform(actor, act)
    if proposal is not None:
        # Only a proposal was stored: undo what the function changed in memory.
        version.refresh_from_db()
    return proposal


def _record(version: Version, actor: User) -> None:
    is_live = version.status == VersionStatus.LIVE
    was = VersionStatus.DRAFT if is_live else VersionStatus.LIVE
    data = {
        "what": str(version._meta.verbose_name),
        "which": str(version),
        "act": "changed",
        "changes": {"status": [was.value, version.status]},
    }
    row = type(version)._default_manager.get(pk=version.pk)
    trail.record(None, "setting_changed", data, user=actor, about=[row])
