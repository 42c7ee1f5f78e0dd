"""API keys: made once, shown once, kept as a hash."""

from __future__ import annotations

from datetime import datetime

from agenthub.models import Account, ApiKey
from agenthub.statements import Statement
from compliance.security import bearer_keys

MARK = "ck_live_"

# Asked with every request, so no more than is judged, and shown of who calls. In the order of the
# model's columns, as from_db() takes them.
_KEY = ["id", "prefix", "expires_at", "revoked_at", "last_used_at", "account_id"]
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
    new = bearer_keys.generate(MARK)
    key = ApiKey.objects.create(
        account=account,
        name=name,
        prefix=new.prefix,
        digest=new.digest,
        expires_at=expires_at,
    )
    return key, new.raw


def revoke(key: ApiKey) -> None:
    """End a key, at once and for good. The first revocation keeps its time."""
    bearer_keys.revoke(key)


def find(raw: str) -> ApiKey | None:
    """The valid key of an active account that `raw` is, and note its use; None for all else."""
    rows = _BY_DIGEST.run(digest=bearer_keys.digest(raw))
    if not rows:
        return None
    [row] = rows
    key = ApiKey.from_db(None, _KEY, row[: len(_KEY)])
    key.account = Account.from_db(None, _ACCOUNT, row[len(_KEY) :])
    if not key.is_valid or not key.account.is_active:
        return None
    bearer_keys.note_use(key)
    return key
