"""Pages of the files in which the malware scanner found malware: releasing and removing them."""

from __future__ import annotations

from http import HTTPStatus
from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from agenthub.accounts.permissions import administrators_only
from agenthub.documents import quarantine
from agenthub.models import QuarantinedFile
from agenthub.pages.layout import PAGE, context
from compliance.http import numbers

ACTS = {"release": quarantine.release, "remove": quarantine.remove}


@administrators_only
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    rows = QuarantinedFile.objects.select_related("account", "job")
    before = numbers.parse(request.GET.get("before"))
    if before is not None:
        rows = rows.filter(pk__lt=before)
    # One row more than a page shows whether there are older ones.
    files = list(rows.order_by("-pk")[: PAGE + 1])
    older = None
    if len(files) > PAGE:
        older = files[PAGE - 1].pk
    page = context("quarantine", rows=files[:PAGE], older=older)
    return render(request, "agenthub/quarantine.html", page)


@administrators_only
@require_POST
def act(request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(QuarantinedFile.objects.select_related("account"), pk=pk)
    perform = ACTS.get(request.POST.get("act", ""))
    if perform is None:
        raise Http404
    reason = request.POST.get("reason", "")
    actor = cast(User, request.user)
    try:
        is_done = perform(row, actor=actor, reason=reason)
    except ValueError:
        messages.error(request, _("Write the reason: it is in the audit trail."))
    else:
        if is_done:
            messages.success(request, row.get_status_display())
        else:
            messages.error(request, _("The file is not in quarantine any more."))
    return HttpResponseRedirect(reverse("hub-quarantine"), status=HTTPStatus.SEE_OTHER)
