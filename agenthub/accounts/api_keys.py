"""API keys: shown once when they are created, and stored as a hash."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils.timezone import now

from agenthub.models import Account, ApiKey
from compliance.security import bearer_keys, decisive_rows

MARK = "ck_live_"


def create(
    account: Account, *, name: str = "", expires_at: datetime | None = None
) -> tuple[ApiKey, str]:
    """Create a key. The second value is the key itself: show it once, it is not stored."""
    new = bearer_keys.generate(MARK)
    key = ApiKey.objects.create(
        account=account,
        name=name,
        prefix=new.prefix,
        digest=new.digest,
        expires_at=expires_at or bearer_keys.default_end(),
    )
    return key, new.raw


@transaction.atomic
def rotate(account: Account, *, overlap: timedelta) -> tuple[ApiKey, str]:
    """Create a new key as `create` does. The earlier keys stay valid for `overlap`."""
    end = now() + overlap
    later = Q(expires_at=None) | Q(expires_at__gt=end)
    for key in account.api_keys.filter(later, revoked_at=None):
        key.expires_at = end
        key.save(update_fields=["expires_at"])
    return create(account, name=f"since {now():%Y-%m-%d %H:%M}")


def revoke(key: ApiKey) -> None:
    """Revoke a key at once and permanently. A repeated call does not change the time."""
    with transaction.atomic():
        if bearer_keys.revoke(key):
            decisive_rows.changed(key)


def find(raw: str) -> ApiKey | None:
    """The valid key of an active account; its use is recorded. None for any other text."""
    digest = bearer_keys.digest(raw)
    key = ApiKey.objects.select_related("account").filter(digest=digest).first()
    if key is None:
        return None
    if not key.is_valid or not key.account.is_active:
        return None
    bearer_keys.note_use(key)
    return key


def is_known(raw: str) -> bool:
    """Whether a key with this text is valid. Its use is not recorded."""
    rows = ApiKey.objects.select_related("account")
    key = rows.filter(digest=bearer_keys.digest(raw)).first()
    return key is not None and key.is_valid and key.account.is_active
