"""Signing secrets: created here, shown once, rotated with an overlap in which both are valid."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from agenthub.models import Account, SigningSecret
from compliance.db import clock
from compliance.http import standard_webhooks
from compliance.security import decisive_rows

# How long the old secret signs on, so that the receivers can be told of the new one.
OVERLAP = timedelta(hours=24)


@transaction.atomic
def rotate(
    account: Account, *, overlap: timedelta = OVERLAP
) -> tuple[SigningSecret, str]:
    """Make the account's next secret. The second value is the secret itself, to be shown once.

    The present one signs for another `overlap` and then ends; an account's first signs at once.
    """
    # One rotation at a time, or two would each leave the other's secret without an end.
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
    """Begin to sign with a secret whose receivers know it already, and end those before it.

    Returns False where it has begun, or has ended."""
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
    """End a secret at once, because others know it. Returns False where it has ended, or is the
    last one, without which nothing could be signed."""
    Account.objects.select_for_update().get(pk=secret.account_id)
    secrets = usable(secret.account)
    others = secrets.exclude(pk=secret.pk)
    if not others.exists():
        return False
    if not secrets.filter(pk=secret.pk).exists():
        return False
    SigningSecret.objects.filter(pk=secret.pk).update(expires_at=clock.now())
    decisive_rows.changed(secret)
    # What it was to follow goes on in its place.
    for other in others.filter(expires_at=secret.signs_from):
        other.expires_at = None
        other.save(update_fields=["expires_at"])
    signing = others.filter(signs_from__lte=clock.now())
    if not signing.exists():
        # Nobody signs any more: the next one begins early.
        oldest = others.order_by("id")[0]
        sign_now(oldest)
    return True


def usable(account: Account) -> QuerySet[SigningSecret]:
    """The secrets that have not ended, newest first: the one that signs, and those to come."""
    return account.signing_secrets.filter(usable_now()).order_by("-id")


def usable_now() -> Q:
    never_ends = Q(expires_at__isnull=True)
    return never_ends | Q(expires_at__gt=clock.now())
