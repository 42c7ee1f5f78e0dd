"""Template context: whether desk and hub are installed, and how people sign in."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from compliance.identity.single_sign_on import provider


def sides(request: HttpRequest) -> dict[str, object]:
    return {
        "desk_enabled": settings.DESK_ENABLED,
        "hub_enabled": settings.HUB_ENABLED,
        "mail_enabled": bool(settings.EMAIL_HOST),
        "single_sign_on_only": settings.SINGLE_SIGN_ON_ONLY,
        "single_sign_on": _single_sign_on(),
    }


def _single_sign_on() -> dict[str, str] | None:
    """The name of the company's provider and the URL of its login page; None without provider."""
    address = provider.login_path()
    if address is None:
        return None
    return {"name": provider.name(), "address": address}
