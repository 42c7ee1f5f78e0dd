"""The page of proposals that wait for a second person, and of past ones."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from compliance.approvals import lines, proposals, registry, snapshots
from compliance.approvals.models import Proposal

NEWEST = 50  # past proposals


def may_see(user: object) -> bool:
    """Whether the user may change any setting, and so may see proposals."""
    if not isinstance(user, User):
        return False
    names = [
        setting.permission_for(snapshots.CHANGE) for setting in registry.registered()
    ]
    return any(map(user.has_perm, names))


@login_required
@never_cache
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    if not may_see(request.user):
        raise PermissionDenied
    rows = Proposal.objects.select_related("made_by", "ended_by")
    waiting = rows.filter(status=Proposal.Status.WAITING)
    ended = rows.exclude(status=Proposal.Status.WAITING)[:NEWEST]
    context = {
        "nav": "approvals",
        "waiting": [_entry(row, request.user) for row in waiting],
        "ended": ended,
    }
    return render(request, "approvals/approvals.html", context)


def _entry(proposal: Proposal, user: object) -> dict[str, object]:
    assert isinstance(user, User)  # noqa: S101 - for the type checker
    changes = []
    for change in snapshots.from_json(proposal.content):
        act = proposals.ACTS[change.act]
        name = change.setting.model._meta.verbose_name
        rows = [(label, _text(old), _text(new)) for label, old, new in _rows(change)]
        changes.append((f"{act} {name} {change.which}", rows))
    return {
        "row": proposal,
        "changes": changes,
        "objection": proposals.objection(proposal, user),
        "obstacle": proposals.obstacle(proposal),
        "is_own": proposal.made_by_id == user.pk,
    }


def _rows(change: snapshots.Change) -> list[tuple[str, object, object]]:
    """(name, old value, new value) of each field. Relations show the names of their rows."""
    rows = []
    secrets = change.setting.secret.split()
    for name, (old, new) in lines.shown(change, hidden=secrets).items():
        column = change.setting.model._meta.get_field(name)
        label = str(getattr(column, "verbose_name", name))
        if name in secrets and new:
            new = _("another one: %(value)s") % {"value": new}
        rows.append((label, old, new))
    return rows


def _text(value: object) -> str:
    if value is None or value == "" or value == []:
        return "-"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(value)


@login_required
@never_cache
@require_POST
def end(request: HttpRequest, pk: int, act: str) -> HttpResponse:
    """Approve, reject or withdraw a proposal."""
    if not may_see(request.user):
        raise PermissionDenied
    assert isinstance(request.user, User)  # noqa: S101 - for the type checker
    proposal = get_object_or_404(Proposal, pk=pk)
    actor, reason = request.user, request.POST.get("reason", "")
    try:
        if act == "approve":
            proposals.approve(proposal, actor=actor)
        elif act == "reject":
            proposals.reject(proposal, actor=actor, reason=reason)
        elif act == "withdraw":
            proposals.withdraw(proposal, actor=actor, reason=reason)
        else:
            raise Http404
        messages.success(request, proposal.get_status_display() + ".")
    except proposals.NotPossibleError as exc:
        messages.error(request, str(exc))
    return HttpResponseRedirect(reverse("approvals"), status=HTTPStatus.SEE_OTHER)
