"""Signing secrets: created here, shown once, and rotated with an overlap."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from agenthub.models import Account, SigningSecret
from compliance.db import clock
from compliance.http import standard_webhooks
from compliance.security import decisive_rows

# The old secret keeps signing for this time, while receivers are configured with the new one.
OVERLAP = timedelta(hours=24)


@transaction.atomic
def rotate(
    account: Account, *, overlap: timedelta = OVERLAP
) -> tuple[SigningSecret, str]:
    """Create the account's next secret. The second value is the secret itself: show it once.

    The current secret signs for another `overlap` and then expires. The first secret of an account
    signs at once.
    """
    # Lock the account: two simultaneous rotations would each leave the other's secret unlimited.
    Account.objects.select_for_update().get(pk=account.pk)
    earlier = list(usable(account))
    begins = clock.now()
    if earlier:
        begins += overlap
    raw = standard_webhooks.new_secret()
    secret = SigningSecret.objects.create(
        account=account, secret=raw, signs_from=begins
    )
    for old in earlier:
        ends_later = old.expires_at is None or old.expires_at > begins
        if ends_later:
            old.expires_at = begins
            old.save(update_fields=["expires_at"])
    return secret, raw


@transaction.atomic
def sign_now(secret: SigningSecret) -> bool:
    """Start to sign with a waiting secret that the receivers know already, and end the earlier ones.

    Returns False if it has started or expired already."""
    moment = clock.now()
    rows = SigningSecret.objects.filter(usable_now(), pk=secret.pk)
    waiting = rows.filter(signs_from__gt=moment)
    if not waiting.update(signs_from=moment):
        return False
    decisive_rows.changed(secret)
    for older in usable(secret.account).filter(pk__lt=secret.pk):
        older.expires_at = moment
        older.save(update_fields=["expires_at"])
    return True


@transaction.atomic
def end(secret: SigningSecret) -> bool:
    """End a secret at once, because it is compromised.

    Returns False if it has ended, or is the last one: without it nothing could be signed."""
    Account.objects.select_for_update().get(pk=secret.account_id)
    secrets = usable(secret.account)
    others = secrets.exclude(pk=secret.pk)
    if not others.exists():
        return False
    # Its times may have changed since it was read.
    current = secrets.filter(pk=secret.pk).first()
    if current is None:
        return False
    SigningSecret.objects.filter(pk=secret.pk).update(expires_at=clock.now())
    decisive_rows.changed(secret)
    # A secret that this one would have replaced stays valid until the next one replaces it.
    for other in others.filter(expires_at=current.signs_from):
        other.expires_at = current.expires_at
        other.save(update_fields=["expires_at"])
    signing = others.filter(signs_from__lte=clock.now())
    if not signing.exists():
        # No secret signs now, so the next one starts early.
        oldest = others.order_by("id")[0]
        sign_now(oldest)
    return True


def usable(account: Account) -> QuerySet[SigningSecret]:
    """The secrets that have not expired, newest first: the one that signs, and waiting ones."""
    return account.signing_secrets.filter(usable_now()).order_by("-id")


def usable_now() -> Q:
    never_ends = Q(expires_at__isnull=True)
    return never_ends | Q(expires_at__gt=clock.now())
