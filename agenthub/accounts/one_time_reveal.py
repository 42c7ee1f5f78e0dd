"""Transfers a new key or secret to the only page that shows it.

The form that creates one redirects, so that a reload creates no second. Until the next page is
requested, the creator's session holds the secret, encrypted. Showing it removes it.
"""

from __future__ import annotations

import json
import secrets

from django.http import HttpRequest

from agenthub.wire import Wire
from compliance.approvals.interception import keep_answer
from compliance.security.encryption import decrypt, encrypt

_KEY = "agenthub.accounts.one_time_reveal."
MOST = 8  # secrets in one session that were not shown yet; the oldest is dropped


def keep(request: HttpRequest, **values: str) -> str:
    """Store the values that the page will show. Returns the name that `take` needs."""
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
    """The values stored under this name, the first time; None afterwards."""
    ciphertext = request.session.pop(_KEY + name, None)
    if ciphertext is None:
        return None
    values: Wire = json.loads(decrypt(ciphertext))
    return values
