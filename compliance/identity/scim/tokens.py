"""Tokens of directories: created by a command, shown once, and always with an expiry date."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils.timezone import now

from compliance.identity.scim import events
from compliance.models import DirectoryToken
from compliance.security import bearer_keys, decisive_rows

MARK = "scim_"
MOST_DAYS = 730


def create(name: str, *, days: int) -> tuple[DirectoryToken, str]:
    """Create a token.

    The second value is the token itself. Raises ValueError for an invalid `days`.
    """
    if not 1 <= days <= MOST_DAYS:
        raise ValueError(f"A token works for 1 to {MOST_DAYS} days.")
    key = bearer_keys.generate(MARK)
    token = DirectoryToken.objects.create(
        name=name,
        prefix=key.prefix,
        digest=key.digest,
        expires_at=now() + timedelta(days=days),
    )
    events.send("scim_token_made", token)
    return token, key.raw


@transaction.atomic
def revoke(token: DirectoryToken) -> bool:
    """Revoke a token at once. Returns False if it was revoked before."""
    if not bearer_keys.revoke(token):
        return False
    decisive_rows.changed(token)
    events.send("scim_token_revoked", token)
    return True
