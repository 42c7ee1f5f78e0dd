"""Keys and secrets on their way to the one page that ever shows them.

The form that makes one is answered with a redirect, so that a reload makes no other. Until that
page is asked for, the session of whoever made it holds it, encrypted; then it is gone.
"""

from __future__ import annotations

import json
import secrets

from django.http import HttpRequest

from agenthub.wire import Wire
from compliance.approvals.interception import keep_answer
from compliance.security.encryption import decrypt, encrypt

_KEY = "agenthub.accounts.one_time_reveal."
MOST = 8  # that nobody has looked at yet; the oldest is dropped


def keep(request: HttpRequest, **values: str) -> str:
    """Store what the page will show, as JSON. Returns the name that `take` needs."""
    session = request.session
    names = [name for name, _ in session.items() if name.startswith(_KEY)]
    surplus = max(0, len(names) - MOST + 1)
    for name in names[:surplus]:
        del session[name]
    token = secrets.token_urlsafe(16)
    session[_KEY + token] = encrypt(json.dumps(values))
    keep_answer(request)
    return token


def take(request: HttpRequest, name: str) -> Wire | None:
    """What was stored under this name, the first time; None ever after."""
    ciphertext = request.session.pop(_KEY + name, None)
    if ciphertext is None:
        return None
    values: Wire = json.loads(decrypt(ciphertext))
    return values
