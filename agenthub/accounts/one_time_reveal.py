"""Keys and secrets on their way to the one page that ever shows them.

The form that makes one is answered with a redirect, so that a reload makes no other. Until that
page is asked for, the session of whoever made it holds it, encrypted; then it is gone.
"""

from __future__ import annotations

import json
import secrets
from typing import Any

from django.http import HttpRequest

from compliance.security.encryption import decrypt, encrypt

_KEY = "agenthub.accounts.one_time_reveal."
MOST = 8  # that nobody has looked at yet; the oldest is dropped


def keep(request: HttpRequest, **made: Any) -> str:
    """Keep what the page is to show, as JSON. Returns the name under which it can be taken."""
    waiting = [key for key, _ in request.session.items() if key.startswith(_KEY)]
    for key in waiting[: max(0, len(waiting) - MOST + 1)]:
        del request.session[key]
    name = secrets.token_urlsafe(16)
    request.session[_KEY + name] = encrypt(json.dumps(made))
    return name


def take(request: HttpRequest, name: str) -> dict[str, Any] | None:
    """What was kept under this name, the first time; None ever after."""
    sealed = request.session.pop(_KEY + name, None)
    found: dict[str, Any] | None = json.loads(decrypt(sealed)) if sealed else None
    return found
