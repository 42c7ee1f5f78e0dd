"""API keys: made once, shown once, kept as a hash."""

from __future__ import annotations

import hashlib
import logging
import secrets
from datetime import datetime, timedelta

from django.db import OperationalError
from django.db.models import Q
from django.utils.timezone import now

from agenthub.models import Account, ApiKey
from agenthub.statements import Statement

log = logging.getLogger(__name__)

MARK = "ck_live_"
# Enough of a key to tell it from others, far too little to guess the rest.
PREFIX_LENGTH = len(MARK) + 4
# A key in use writes its last use this often, not with every request.
LAST_USE_EVERY = timedelta(minutes=1)

# Asked with every request, so no more than is judged, and shown of who calls.
_KEY = ["id", "account_id", "prefix", "expires_at", "revoked_at", "last_used_at"]
_ACCOUNT = ["id", "name", "is_active"]
_BY_DIGEST = Statement(
    lambda digest: ApiKey.objects.filter(digest=digest).values(
        *_KEY, *(f"account__{name}" for name in _ACCOUNT)
    ),
    digest="?digest",
)


def create(
    account: Account, *, name: str = "", expires_at: datetime | None = None
) -> tuple[ApiKey, str]:
    """Make a key. The second value is the key itself, to be shown once: it is not kept."""
    raw = MARK + secrets.token_urlsafe(32)
    key = ApiKey.objects.create(
        account=account,
        name=name,
        prefix=raw[:PREFIX_LENGTH],
        digest=_digest(raw),
        expires_at=expires_at,
    )
    return key, raw


def revoke(key: ApiKey) -> None:
    """End a key, at once and for good. The first revocation keeps its time."""
    ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=now())
    key.refresh_from_db(fields=["revoked_at"])


def find(raw: str) -> ApiKey | None:
    """The valid key of an active account that `raw` is, and note its use; None for all else."""
    rows = _BY_DIGEST.run(digest=_digest(raw))
    if not rows:
        return None
    [row] = rows
    key = ApiKey.from_db(None, _KEY, row[: len(_KEY)])
    key.account = Account.from_db(None, _ACCOUNT, row[len(_KEY) :])
    if not key.is_valid or not key.account.is_active:
        return None
    _note_use(key)
    return key


def _note_use(key: ApiKey) -> None:
    due = now() - LAST_USE_EVERY
    if key.last_used_at is not None and key.last_used_at > due:
        return
    # The filter again: of many requests at once, one writes.
    stale = Q(last_used_at=None) | Q(last_used_at__lte=due)
    try:
        ApiKey.objects.filter(stale, pk=key.pk).update(last_used_at=now())
    except OperationalError as exc:
        # Who reads is not turned away for it: the next request notes its own.
        log.warning("The last use of a key could not be noted (%s).", type(exc).__name__)


def _digest(raw: str) -> str:
    # A plain hash suits a key of 256 random bits: there is nothing to guess.
    # surrogateescape: a header may hold any bytes.
    return hashlib.sha256(raw.encode(errors="surrogateescape")).hexdigest()
