"""Logins have two limits: how many tries from one address, and how many checks at a time.

To check a password is slow by design, about a third of a second of CPU. So only a few are checked at
a time, and while enough wait, the next is refused for a moment: threads stay free for pages, webhooks
and health checks. Tries are counted for each name from an address, and for each address, whether the
name exists or not. They never delay a right password from another address.
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

from allauth.account import forms as account_forms
from allauth.core import context
from django import forms
from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest, HttpResponse

from compliance.http import counters
from compliance.http.callers import address_of

log = logging.getLogger(__name__)

# Tries are counted for this long; this is also the longest time for which a login is refused.
WINDOW = 300
# When to try again after a refusal because too many were waiting.
BUSY_SECONDS = 5


class LoginRefusedError(Exception):
    """The password was not checked. `seconds`: when to try again; the text is for people."""

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
        **options: Any,
    ) -> Any:
        # Without a request it is a command or a test: nobody guesses passwords there.
        if request is None or username is None or password is None:
            return super().authenticate(request, username, password, **options)
        tries = _Tries(username, address_of(request))
        # Checked before it waits, so that refused logins take no place in the queue.
        tries.check()
        with _turn():
            tries.count()
            user = super().authenticate(request, username, password, **options)
        if user is None:
            log.warning("Login failed: wrong name or password, from %s.", tries.source)
        else:
            tries.reset()
        return user


class _Tries:
    """The tries for one name from one address, and for that address, in the present window."""

    def __init__(self, username: str, address: str) -> None:
        window = int(time.time() // WINDOW)
        # Names and addresses are personal data: the cache and the log have digests of them.
        of_address = _digest(address)
        of_name = _digest(f"{username.casefold()}@{address}")
        self.source = of_address[:8]
        self._name_counter = f"logins:name:{of_name}:{window}"
        self._address_counter = f"logins:address:{of_address}:{window}"

    def check(self) -> None:
        """Raises LoginRefusedError where a limit is reached."""
        of_name = counters.value(self._name_counter)
        of_address = counters.value(self._address_counter)
        if (
            of_name >= settings.LOGIN_TRIES
            or of_address >= settings.LOGIN_ADDRESS_TRIES
        ):
            self._refuse()

    def count(self) -> None:
        """Count this try before its result is known, so that many at once cannot pass the limit.

        Raises LoginRefusedError where it is one too many.
        """
        of_name = counters.count(self._name_counter, seconds=WINDOW)
        if of_name > settings.LOGIN_TRIES:
            self._refuse()
        of_address = counters.count(self._address_counter, seconds=WINDOW)
        if of_address > settings.LOGIN_ADDRESS_TRIES:
            self._refuse()

    def reset(self) -> None:
        """The password was right. Wrong ones for other names from this address still count."""
        counters.reset(self._name_counter)
        counters.decrement(self._address_counter)

    def _refuse(self) -> None:
        seconds = math.ceil(WINDOW - time.time() % WINDOW)
        minutes = math.ceil(seconds / 60)
        log.warning("Login refused: too many tries, from %s.", self.source)
        unit = "minute" if minutes == 1 else "minutes"
        message = f"Too many tries. Try again in {minutes} {unit}."
        raise LoginRefusedError(message, seconds=seconds)


def _digest(text: str) -> str:
    """With the installation's key: a plain hash of an address can be found by trying all."""
    key = settings.SECRET_KEY.encode()
    return hmac.digest(key, text.encode("utf-8", "replace"), sha256).hex()


_free = threading.BoundedSemaphore(settings.LOGINS_AT_A_TIME)
_waiting = threading.BoundedSemaphore(settings.LOGINS_AT_A_TIME + settings.LOGIN_QUEUE)


@contextmanager
def _turn() -> Iterator[None]:
    """Wait for a turn to check a password. Raises LoginRefusedError where too many wait."""
    if not _waiting.acquire(blocking=False):
        log.warning("Login refused: too many wait.")
        message = (
            f"Many people log in at this moment. Try again in {BUSY_SECONDS} seconds."
        )
        raise LoginRefusedError(message, seconds=BUSY_SECONDS)
    try:
        with _free:
            yield
    finally:
        _waiting.release()


class _ShowsRefusals(forms.Form):
    """A form with a password that shows why it was not checked."""

    def clean(self) -> dict[str, Any] | None:
        try:
            return super().clean()
        except LoginRefusedError as exc:
            raise refusal(exc) from exc


class LoginForm(_ShowsRefusals, account_forms.LoginForm):  # type: ignore[misc]
    """The form of the one login of desk, hub and admin."""


class ReauthenticateForm(account_forms.ReauthenticateForm):  # type: ignore[misc]
    """The form in which people confirm who they are, by their password."""

    def clean_password(self) -> str:
        try:
            password: str = super().clean_password()
        except LoginRefusedError as exc:
            raise refusal(exc) from exc
        return password


def refusal(exc: LoginRefusedError) -> forms.ValidationError:
    """The error of a form. The status of the response is set by the middleware below."""
    if context.request is not None:
        setattr(context.request, REFUSED, exc.seconds)
    return forms.ValidationError(str(exc), code="refused")


# The attribute of a request whose login was refused.
REFUSED = "login_refused_seconds"


def refuse_with_429(get_response: Any) -> Any:
    """Middleware: the page of a refused login has the status 429, and says when to try again."""

    def respond(request: HttpRequest) -> HttpResponse:
        response: HttpResponse = get_response(request)
        seconds = getattr(request, REFUSED, 0)
        if seconds:
            response.status_code = 429
            response["Retry-After"] = str(seconds)
        return response

    return respond
