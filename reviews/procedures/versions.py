"""Versions of procedures: find the live one, make drafts, make a draft live."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.core.cache import caches
from django.db import transaction
from django.utils.translation import gettext as _

from compliance.approvals.models import Proposal
from compliance.pages.phrases import in_sentence
from reviews.access import roles
from reviews.models import Procedure
from reviews.procedures.content import EMPTY, Content
from reviews.versions import versions

Status = Procedure.Status
CACHE_SECONDS = 5  # how long a page may miss that a first version went live


def live(kind: str) -> Procedure | None:
    """The version that new cases of this kind get, or None."""
    return Procedure.objects.filter(kind=kind, status=Status.LIVE).first()


def cached_is_live(kind: str) -> bool:
    """Whether the kind has a live version. The answer may be CACHE_SECONDS old."""
    kinds = caches["memory"].get_or_set("procedures.live", _live_kinds, CACHE_SECONDS)
    return kind in (kinds or [])


def _live_kinds() -> list[str]:
    rows = Procedure.objects.filter(status=Status.LIVE)
    return list(rows.values_list("kind", flat=True))


def content_of(procedure: Procedure | None) -> Content:
    if procedure is None:
        return EMPTY
    return Content.from_json(procedure.content)


@transaction.atomic
def draft(*, actor: User, kind: str, content: Content, note: str) -> Procedure:
    """Make a new version as a draft, which no case uses yet.

    Raises ContentError, RefusedError and PermissionDenied.
    """
    roles.require(actor, roles.PROCEDURES)
    content.check()
    rows = Procedure.objects.filter(kind=kind)
    return versions.draft(
        rows, actor=actor, note=note, kind=kind, content=content.to_json()
    )


def obstacles(procedure: Procedure) -> list[str]:
    """Why this version cannot be made live now, as sentences. Empty if it can."""
    return versions.obstacles(procedure, live(procedure.kind))


def make_live(procedure: Procedure, *, actor: User) -> Proposal | None:
    """Make a version live, so that new cases use it. If rules demand a second person, make a
    proposal instead.

    Returns the proposal, or None if the version is live now. Raises RefusedError and
    PermissionDenied.
    """
    return versions.make_live(
        procedure,
        actor=actor,
        permission=roles.PROCEDURES,
        find_live=lambda: live(procedure.kind),
        find_obstacles=obstacles,
    )


@dataclass(frozen=True)
class Difference:
    what: str
    before: str
    after: str


def differences(before: Content, after: Content) -> list[Difference]:
    """What differs between two contents, as texts for the page."""
    # Compared by key, so that a renamed field is one change and not two.
    old, new = _words(before), _words(after)
    rows = []
    for what in dict.fromkeys([*old, *new]):
        was, becomes = old.get(what, ""), new.get(what, "")
        if was != becomes:
            rows.append(Difference(what, was, becomes))
    # The same rows in another order.
    if not rows and before != after:
        rows.append(Difference(_("Order"), "", _("changed")))
    return rows


def _words(content: Content) -> dict[str, str]:
    words = {}
    for field in content.fields:
        parts = [
            field.label,
            in_sentence(field.type_word),
            _need(is_required=field.required),
        ]
        if field.choices:
            parts.append(_("one of %(values)s") % {"values": "; ".join(field.choices)})
        parts.append(field.help)
        words[_("Field %(key)s") % {"key": field.key}] = ", ".join(
            part for part in parts if part
        )
    for item in content.items:
        parts = [item.label, _need(is_required=item.required), item.help]
        words[_("Item %(key)s") % {"key": item.key}] = ", ".join(
            part for part in parts if part
        )
    return words


def _need(*, is_required: bool) -> str:
    if is_required:
        return _("required")
    return _("not required")
