"""Passwords are tried under two limits: how often from where, and how many at a time.

To check a password is meant to be slow, about a third of a second of a processor. So few are
checked at a time, and those that come when enough wait are told to come back: pages, webhooks and
health keep their threads. Tries are counted for each name from an address, and for each address,
whether the name exists or not. A right password from another address is never held up by them.
"""

from __future__ import annotations

import hmac
import logging
import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpRequest, HttpResponse

from compliance.http import counters
from compliance.http.callers import address_of

log = logging.getLogger(__name__)

# Seconds that tries are counted for, and the most that somebody is sent away for.
WINDOW = 300
# Seconds after which one who came when too many waited may come back.
BUSY_SECONDS = 5


class LoginRefusedError(Exception):
    """The password was not looked at. `seconds`: when to come back; the text is for people."""

    def __init__(self, message: str, *, seconds: int) -> None:
        super().__init__(message)
        self.seconds = seconds


class LimitedBackend(ModelBackend):
    """Checks passwords under the limits. Raises LoginRefusedError where one is reached."""

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **given: Any,
    ) -> Any:
        if request is None or username is None or password is None:
            return super().authenticate(request, username, password, **given)
        tries = _Tries(username, address_of(request))
        tries.look()
        with _turn():
            tries.count()
            user = super().authenticate(request, username, password, **given)
        if user is None:
            log.warning("Login failed: wrong name or password, from %s.", tries.source)
        else:
            tries.forget()
        return user


class _Tries:
    """The tries for one name from one address, and for that address, in this window of time."""

    def __init__(self, username: str, address: str) -> None:
        window = int(time.time() // WINDOW)
        # Names and addresses are personal data: the cache and the log have digests of them.
        self.source = _digest(address)[:8]
        self._limits = {
            f"logins:name:{_digest(f'{username.casefold()}@{address}')}:{window}": (
                settings.LOGIN_TRIES
            ),
            f"logins:address:{_digest(address)}:{window}": settings.LOGIN_ADDRESS_TRIES,
        }

    def look(self) -> None:
        """Raises LoginRefusedError where a limit is reached."""
        if any(counters.value(name) >= limit for name, limit in self._limits.items()):
            self._refuse()

    def count(self) -> None:
        """Count this try, before it is known how it ends: of many at once none slips through."""
        if any(counters.count(name, seconds=WINDOW) > most for name, most in self._limits.items()):
            self._refuse()

    def forget(self) -> None:
        """The password was right. The tries of others from this address stay counted."""
        of_name, of_address = self._limits
        counters.reset(of_name)
        counters.decrement(of_address)

    def _refuse(self) -> None:
        seconds = math.ceil(WINDOW - time.time() % WINDOW)
        minutes = math.ceil(seconds / 60)
        log.warning("Login refused: too many tries, from %s.", self.source)
        words = f"Too many tries. Try again in {minutes} minute{'s' * (minutes != 1)}."
        raise LoginRefusedError(words, seconds=seconds)


def _digest(text: str) -> str:
    return hmac.digest(settings.SECRET_KEY.encode(), text.encode("utf-8", "replace"), sha256).hex()


_free = threading.BoundedSemaphore(settings.LOGINS_AT_A_TIME)
_waiting = threading.BoundedSemaphore(settings.LOGINS_AT_A_TIME + settings.LOGIN_QUEUE)


@contextmanager
def _turn() -> Iterator[None]:
    """Wait until a password may be checked. Raises LoginRefusedError where too many wait."""
    if not _waiting.acquire(blocking=False):
        log.warning("Login refused: too many wait.")
        words = f"Many people log in at this moment. Try again in {BUSY_SECONDS} seconds."
        raise LoginRefusedError(words, seconds=BUSY_SECONDS)
    try:
        with _free:
            yield
    finally:
        _waiting.release()


class _Form(AuthenticationForm):
    """A form of a login that says why a password was not looked at."""

    def clean(self) -> dict[str, Any]:
        try:
            return super().clean()
        except LoginRefusedError as exc:
            if self.request is not None:
                setattr(self.request, REFUSED, exc.seconds)
            raise forms.ValidationError(str(exc), code="refused") from exc


class LoginForm(_Form):
    """That of the desk and the hub."""


class AdminLoginForm(_Form, AdminAuthenticationForm):
    """That of the administration."""


# What a request is marked with whose login was refused.
REFUSED = "login_refused_seconds"


def tell_refusals(get_response: Any) -> Any:
    """Middleware: a page that refuses a login says so by its status, and when to come back."""

    def answer(request: HttpRequest) -> HttpResponse:
        response: HttpResponse = get_response(request)
        if seconds := getattr(request, REFUSED, 0):
            response.status_code = 429
            response["Retry-After"] = str(seconds)
        return response

    return answer
