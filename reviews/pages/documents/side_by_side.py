"""Views for two documents side by side: the documents of a form in different cases."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from reviews.access.decorators import readers_only
from reviews.documents import side_by_side


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def choose(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Go to the document that is the most like this one, in the cases that `case` names.

    Cases that the user may not see are left out, as if they did not exist.
    """
    document = get_object_or_404(side_by_side.visible(request.user), pk=pk)
    references = request.GET.getlist("case")
    others = side_by_side.others(document, references, request.user)
    if others:
        address = _address(document.pk, others[0].pk, references)
        return redirect(address)
    context = {"nav": "queue", "case": document.case, "document": document}
    return render(request, "reviews/side_by_side_none.html", context)


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def compare(request: HttpRequest, pk: UUID, other: UUID) -> HttpResponse:
    """The first pages of two documents of one connection, with the words that differ."""
    visible = side_by_side.visible(request.user)
    document = get_object_or_404(visible, pk=pk)
    second = get_object_or_404(visible, pk=other)
    if second.case.connection_id != document.case.connection_id:
        raise Http404
    references = request.GET.getlist("case")
    choices = []
    for one in side_by_side.others(document, references, request.user):
        choices.append((one, _address(pk, one.pk, references), one == second))
    context = {
        "nav": "queue",
        "case": document.case,
        "document": document,
        "other": second,
        "comparison": side_by_side.SideBySide(document, second),
        "choices": choices,
    }
    return render(request, "reviews/side_by_side.html", context)


def _address(pk: UUID, other: UUID, references: list[str]) -> str:
    page = reverse("document-beside", args=[pk, other])
    return f"{page}?{urlencode({'case': references}, doseq=True)}"
