"""The heartbeat of an open case page. The response shows which other users have it open."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST

from reviews.access import roles
from reviews.access.decorators import readers_only
from reviews.people import presence


@readers_only
@require_POST
@cache_control(private=True, no_store=True)
def present(request: HttpRequest, pk: int) -> HttpResponse:
    assert isinstance(request.user, User)  # noqa: S101 - readers_only, for the type checker
    case = get_object_or_404(roles.visible(request.user), pk=pk)
    if request.POST.get("gone"):
        presence.leave(case, request.user)
        return HttpResponse(status=204)
    others = presence.report(case, request.user)
    return render(request, "reviews/_case_presence.html", {"others": others})
