"""Procedures: the live version of each kind of case, other versions, the editor, making one
live.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.models import Kind, Procedure
from reviews.procedures import editing, versions
from reviews.procedures.content import LONGEST_HELP, LONGEST_LABEL, TYPES, ContentError
from reviews.procedures.errors import RefusedError

MOST_VERSIONS = 100

seers_only = permission_required("reviews.view_procedure", raise_exception=True)


@readers_only
@seers_only
@require_safe
@cache_control(private=True, no_store=True)
def overview(request: HttpRequest, kind: str = "kyb") -> HttpResponse:
    """The live version, or the message that there is none yet."""
    return _version(request, _kind(kind), versions.live(kind))


@readers_only
@seers_only
@require_safe
@cache_control(private=True, no_store=True)
def version(request: HttpRequest, kind: str, number: int) -> HttpResponse:
    return _version(request, _kind(kind), _procedure(kind, number))


def _kind(kind: str) -> Kind:
    if kind not in Kind.values:
        raise Http404
    return Kind(kind)


def _procedure(kind: str, number: int) -> Procedure:
    rows = Procedure.objects.select_related("made_by")
    return get_object_or_404(rows, kind=kind, number=number)


def _version(
    request: HttpRequest, kind: Kind, row: Procedure | None, *, fault: str = ""
) -> HttpResponse:
    user = person_of(request)
    live = versions.live(kind)
    content = versions.content_of(row)
    rows = Procedure.objects.filter(kind=kind).select_related("made_by")
    # Only a draft has obstacles and can be made live.
    is_draft = row is not None and row.status == Procedure.Status.DRAFT
    context = {
        "nav": "procedures",
        "kinds": Kind,
        "kind": kind,
        "procedure": row,
        "live": live,
        "content": content,
        "is_draft": is_draft,
        "may_change": user.has_perm(roles.PROCEDURES),
        "obstacles": versions.obstacles(row) if row and is_draft else [],
        "differences": versions.differences(versions.content_of(live), content),
        "versions": rows.order_by("-number")[:MOST_VERSIONS],
        "fault": fault,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if fault else HTTPStatus.OK
    return render(request, "reviews/procedure.html", context, status=status)


@readers_only
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
def edit(request: HttpRequest, kind: str) -> HttpResponse:
    """Edit a new version, starting with the rows of another one."""
    user = person_of(request)
    roles.require(user, roles.PROCEDURES)
    case_kind = _kind(kind)
    if request.method != "POST":
        base = _base(case_kind, request.GET)
        form = editing.form_of(versions.content_of(base))
        return _editor(request, case_kind, form)
    # After a refusal the submitted rows are shown again.
    form = editing.typed(request.POST.dict())
    try:
        row = versions.draft(
            actor=user,
            kind=case_kind,
            content=editing.content_of(form),
            note=request.POST.get("note", ""),
        )
    except (ContentError, RefusedError) as exc:
        return _editor(request, case_kind, form, list(exc.faults))
    messages.success(
        request,
        _("Version %(number)s is a draft. No case has it yet.")
        % {"number": row.number},
    )
    return _to(row)


def _base(kind: Kind, params: Mapping[str, str]) -> Procedure | None:
    number = params.get("from", "")
    if number.isascii() and number.isdigit() and len(number) < 9:
        return _procedure(kind, int(number))
    return versions.live(kind)


def _editor(
    request: HttpRequest,
    kind: Kind,
    form: editing.Form,
    faults: list[str] | None = None,
) -> HttpResponse:
    context = {
        "nav": "procedures",
        "kind": kind,
        "form": form,
        "types": TYPES.items(),
        "note": request.POST.get("note", ""),
        "faults": faults or [],
        "longest_label": LONGEST_LABEL,
        "longest_help": LONGEST_HELP,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if faults else HTTPStatus.OK
    return render(request, "reviews/procedure_editor.html", context, status=status)


@readers_only
@require_POST
def make_live(request: HttpRequest, kind: str, number: int) -> HttpResponse:
    """Make a version live. If a second person is required, make a proposal."""
    user = person_of(request)
    roles.require(user, roles.PROCEDURES)
    row = _procedure(_kind(kind), number)
    try:
        proposal = versions.make_live(row, actor=user)
    except RefusedError as exc:
        row = _procedure(kind, number)
        return _version(request, _kind(kind), row, fault=str(exc))
    if proposal is not None:
        words = _("Another person must approve this. Until then all stays as it is.")
        messages.info(request, words)
        page = reverse("approvals")
        return HttpResponseRedirect(page, status=HTTPStatus.SEE_OTHER)
    words = _(
        "Version %(number)s is in force. New cases have it; open ones keep theirs."
    ) % {"number": number}
    messages.success(request, words)
    return _to(row)


def _to(row: Procedure) -> HttpResponse:
    page = reverse("procedure-version", args=[row.kind, row.number])
    return HttpResponseRedirect(page, status=HTTPStatus.SEE_OTHER)
