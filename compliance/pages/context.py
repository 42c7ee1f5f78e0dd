"""Variables of every template: which of the two sides this installation has."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def sides(request: HttpRequest) -> dict[str, bool]:
    return {"desk_enabled": settings.DESK_ENABLED, "hub_enabled": settings.HUB_ENABLED}
