"""Quotas for a user, token or account: files, bytes and jobs per day, uploads at a time.

The limits are settings.QUOTAS; the counters are in the cache that all processes share.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from compliance import languages
from compliance.http import counters
from compliance.http.unavailable import Outage

Respond = Callable[[HttpRequest], HttpResponseBase]

DAY = 86_400
# A larger request counts as an upload. An upload that takes longer than UPLOAD_SECONDS is
# considered dead: its counter expires.
UPLOAD_BYTES = 1 << 20
UPLOAD_SECONDS = 300
# Owners: a user, a token of a user, an account of the hub.
USER, TOKEN, ACCOUNT = "user", "token", "account"
FILES, BYTES, JOBS = "files", "bytes", "jobs"


class QuotaError(Exception):
    """A quota is exhausted. The message is for people; `wait` is the time in seconds to a retry."""

    def __init__(self, message: str, *, wait: int) -> None:
        super().__init__(message)
        self.wait = wait


def take(owner: str, pk: int | None, **amounts: int) -> None:
    """Count `files`, `bytes` and `jobs` of an owner.

    Raises QuotaError if one of them exceeds its limit; then none of them is counted.
    """
    taken: list[tuple[str, int]] = []
    for what, amount in amounts.items():
        limit = settings.QUOTAS[owner, what]
        # A limit of 0 means: no limit.
        if not amount or not limit:
            continue
        name = _name(owner, pk, what)
        taken.append((name, amount))
        if counters.count(name, seconds=DAY, by=amount) > limit:
            # Undo the amounts counted so far, including this one: the request is refused as a
            # whole.
            for name, amount in taken:
                counters.decrement(name, by=amount)
            raise _exhausted(what, limit)


def give_back(owner: str, pk: int | None, **amounts: int) -> None:
    """Undo take() for a request that was refused afterwards."""
    for what, amount in amounts.items():
        if amount and settings.QUOTAS[owner, what]:
            counters.decrement(_name(owner, pk, what), by=amount)


@contextmanager
def counted(owner: str, pk: int | None, **amounts: int) -> Iterator[None]:
    """take() for what the block stores. If it raises, it has stored nothing, and nothing counts."""
    take(owner, pk, **amounts)
    try:
        yield
    except BaseException:
        give_back(owner, pk, **amounts)
        raise


def check(owner: str, pk: int, what: str) -> None:
    """Raises QuotaError if the owner has nothing left of an amount today. It counts nothing."""
    limit = settings.QUOTAS[owner, what]
    if limit and counters.value(_name(owner, pk, what)) >= limit:
        raise _exhausted(what, limit)


def _exhausted(what: str, limit: int) -> QuotaError:
    # The seconds until midnight UTC, when the next counter starts.
    wait = int(DAY - time.time() % DAY) + 1
    return QuotaError(_refusal(what, limit), wait=wait)


def used(owner: str, pk: int) -> dict[str, tuple[int, int]]:
    """Today's amounts of an owner: `files`, `bytes` or `jobs` → (amount, limit)."""
    amounts = {}
    for what in (FILES, BYTES, JOBS):
        count = counters.value(_name(owner, pk, what))
        amounts[what] = (count, settings.QUOTAS[owner, what])
    return amounts


def used_in_words(owner: str, pk: int) -> str:
    """Today's amounts as text for administrators: "3 of 20,000 files, …"."""
    parts = []
    for what, (count, limit) in used(owner, pk).items():
        # Bytes are shown in MiB.
        if what == BYTES:
            count, limit = count >> 20, limit >> 20
        words = _amounts_with_limit() if limit else _amounts()
        parts.append(
            words[what]
            % {"count": languages.number(count), "limit": languages.number(limit)}
        )
    return ", ".join(parts)


def _amounts() -> dict[str, str]:
    return {
        FILES: _("%(count)s files"),
        BYTES: _("%(count)s MiB"),
        JOBS: _("%(count)s jobs"),
    }


def _amounts_with_limit() -> dict[str, str]:
    return {
        FILES: _("%(count)s of %(limit)s files"),
        BYTES: _("%(count)s of %(limit)s MiB"),
        JOBS: _("%(count)s of %(limit)s jobs"),
    }


def _name(owner: str, pk: int | None, what: str) -> str:
    # The number of the day in the name starts a new counter at midnight UTC.
    return f"quota:{owner}:{pk}:{what}:{int(time.time() // DAY)}"


def _refusal(what: str, limit: int) -> str:
    sentences = {
        FILES: _(
            "The limit of %(limit)s files a day is reached. Try again tomorrow, or ask an"
            " administrator for more."
        ),
        BYTES: _(
            "The limit of %(limit)s MiB a day is reached. Try again tomorrow, or ask an"
            " administrator for more."
        ),
        JOBS: _(
            "The limit of %(limit)s jobs a day is reached. Try again tomorrow, or ask an"
            " administrator for more."
        ),
    }
    number = limit >> 20 if what == BYTES else limit
    return sentences[what] % {"limit": languages.number(number)}


@contextmanager
def upload(caller: str) -> Iterator[None]:
    """A context manager that counts one running upload. Raises QuotaError if there are too many."""
    name = f"uploads:{caller}"
    most = settings.UPLOADS_AT_A_TIME
    if counters.count(name, seconds=UPLOAD_SECONDS) > most:
        counters.decrement(name)
        words = ngettext(
            "At most %(count)d large request at a time. Try again in a few seconds.",
            "At most %(count)d large requests at a time. Try again in a few seconds.",
            most,
        ) % {"count": most}
        raise QuotaError(words, wait=5)
    try:
        yield
    finally:
        counters.decrement(name)


def limit_uploads(get_response: Respond) -> Respond:
    """Middleware, after authentication: counts bytes per day and uploads at the same time."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        length = request.META.get("CONTENT_LENGTH") or "0"
        size = int(length) if length.isdecimal() else 0
        if size <= UPLOAD_BYTES or request.path.startswith("/webhooks/"):
            return get_response(request)
        try:
            if request.user.is_authenticated:
                take(USER, request.user.pk, bytes=size)
            with upload(_caller(request)):
                return get_response(request)
        except QuotaError as exc:
            return refusal(request, exc)

    # A view may raise QuotaError itself, for example when it counts files.
    def process_exception(request: HttpRequest, exc: Exception) -> HttpResponse | None:
        return refusal(request, exc) if isinstance(exc, QuotaError) else None

    respond.process_exception = process_exception  # type: ignore[attr-defined]
    return respond


def _caller(request: HttpRequest) -> str:
    """The caller to count for: a user, an API key, or the link of an applicant."""
    if request.user.is_authenticated:
        return f"user:{request.user.pk}"
    # Count by the key or by the path of the link. It is hashed, because it is a secret.
    text = request.META.get("HTTP_AUTHORIZATION") or request.path
    return counters.digest(text)


def refusal(request: HttpRequest, exc: QuotaError) -> HttpResponse:
    """The page for a caller that has reached a limit: status 429 with Retry-After."""
    outage = Outage(429, _("A limit is reached"), str(exc))
    page = render_to_string("unavailable.html", {"outage": outage})
    return HttpResponse(page, status=429, headers={"Retry-After": str(exc.wait)})
