"""Limits on logins: how many attempts, and how many password checks at a time.

Checking a password is slow by design: it takes about a third of a second of CPU. So only a few are
checked at a time, and if too many wait, the next is refused for a moment. Threads stay free for
pages, webhooks and health checks.

Attempts are counted per name and address, per address, and per name from all addresses, whether the
name exists or not. The last limit does not apply to a browser that has logged in by this name
before, so that nobody can lock a person out from elsewhere.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, NoReturn, TypeVar

from allauth.account import forms as account_forms
from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.base import forms as mfa_forms
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.internal.auth import TOTP
from django import forms
from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from compliance.http import counters
from compliance.http.callers import address_of
from compliance.http.counters import digest
from compliance.http.unavailable import Outage

# The next middleware, or the view.
GetResponse = Callable[[HttpRequest], HttpResponse]
Result = TypeVar("Result")
log = logging.getLogger(__name__)

# Seconds for which attempts are counted; also the longest time for which a login is refused.
WINDOW = 300
# Seconds for which attempts for one name from all addresses are counted.
ACCOUNT_WINDOW = 3600
# The wait in seconds after a refusal because of a full queue.
BUSY_SECONDS = 5
# The most second-factor codes per person from all addresses: within WINDOW, and within a day.
# Whoever tries codes already knows the password. Of a million codes three are valid at a time.
CODES, CODES_A_DAY = 5, 30
DAY = 86_400
# The request attribute with the name of the person who logged in, and for how many days the
# browser's cookie remembers it.
KNOWN_BROWSER = "known_browser"
KNOWN_DAYS = 180
_known = TimestampSigner(salt="compliance.known-browser")


class LoginRefusedError(Exception):
    """The password was not checked. `seconds`: when to try again; the message is for people."""

    def __init__(self, message: str, *, seconds: int) -> None:
        super().__init__(message)
        self.seconds = seconds


class LimitedBackend(ModelBackend):
    """A backend that checks passwords under the limits. Raises LoginRefusedError."""

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **options: Any,
    ) -> Any:
        # No request: a command or a test, where nobody guesses passwords.
        if request is None or username is None or password is None:
            return super().authenticate(request, username, password, **options)
        # The identity provider checks passwords. Refuse all passwords here.
        if settings.SINGLE_SIGN_ON_ONLY:
            return None
        tries = _Tries(username, request)
        # Check before waiting, so that refused logins take no place in the queue.
        tries.check()
        with _turn():
            # Count as soon as it is this attempt's turn, before the password is checked.
            tries.count()
            user = super().authenticate(request, username, password, **options)
        if user is None:
            log.warning("Login failed: wrong name or password, from %s.", tries.source)
        else:
            tries.reset()
        return user

    def get_user(self, user_id: int) -> User | None:
        """Load the person's language with the user: each page needs both."""
        users = User.objects.select_related("locale_preference")
        user = users.filter(pk=user_id).first()
        return user if self.user_can_authenticate(user) else None


@dataclass(frozen=True)
class Counter:
    """Counts attempts in the current window of `window` seconds; at most `limit` are allowed."""

    name: str
    window: int
    limit: int

    @property
    # The number of the window is part of the name, so each window has a counter of its own.
    def key(self) -> str:
        return f"{self.name}:{int(time.time() // self.window)}"

    @property
    def is_full(self) -> bool:
        return counters.value(self.key) >= self.limit

    def add(self) -> bool:
        """Count one attempt. Returns True if it exceeds the limit."""
        amount = counters.count(self.key, seconds=self.window, or_here=True)
        return amount > self.limit

    def seconds_left(self) -> int:
        return math.ceil(self.window - time.time() % self.window)


def check(tries: Iterable[Counter], source: str) -> None:
    """Raises LoginRefusedError if one of the limits is reached."""
    for counter in tries:
        if counter.is_full:
            _refuse(counter, source)


def count(tries: Iterable[Counter], source: str) -> None:
    """Count an attempt before its result is known, so that parallel ones cannot pass the limits.

    Raises LoginRefusedError if it exceeds a limit.
    """
    for counter in tries:
        if counter.add():
            _refuse(counter, source)


def _refuse(counter: Counter, source: str) -> NoReturn:
    seconds = counter.seconds_left()
    minutes = math.ceil(seconds / 60)
    log.warning("Login refused: too many tries, from %s.", source)
    message = ngettext(
        "Too many tries. Try again in %(count)d minute.",
        "Too many tries. Try again in %(count)d minutes.",
        minutes,
    )
    raise LoginRefusedError(message % {"count": minutes}, seconds=seconds)


class _Tries:
    """The counters of an attempt: its name from its address, its address, and its name."""

    def __init__(self, username: str, request: HttpRequest) -> None:
        address = address_of(request)
        # Names and addresses are personal data: the cache and the log get digests.
        of_address = digest(address)
        of_both = digest(f"{username.casefold()}@{address}")
        of_name = digest(f"name:{username.casefold()}")
        self.source = of_address[:8]
        self._of_both = Counter(f"logins:name:{of_both}", WINDOW, settings.LOGIN_TRIES)
        self._of_address = Counter(
            f"logins:address:{of_address}", WINDOW, settings.LOGIN_ADDRESS_TRIES
        )
        self._counters = [self._of_both, self._of_address]
        if not is_known(request, username):
            limit = settings.LOGIN_ACCOUNT_TRIES
            name = f"logins:account:{of_name}"
            self._counters.append(Counter(name, ACCOUNT_WINDOW, limit))

    def check(self) -> None:
        check(self._counters, self.source)

    def count(self) -> None:
        count(self._counters, self.source)

    def reset(self) -> None:
        """The password was correct: forget it for this name.

        The address keeps its other attempts.
        """
        # This counter starts again at 0. The others only lose this attempt, because an attacker
        # with one correct password must not be able to reset them.
        counters.reset(self._of_both.key)
        for counter in self._counters[1:]:
            counters.decrement(counter.key)


def is_known(request: HttpRequest, username: str) -> bool:
    """Whether somebody has logged in by this name from this browser."""
    cookie = request.COOKIES.get(settings.KNOWN_BROWSER_COOKIE, "")
    try:
        names = _known.unsign(cookie, max_age=KNOWN_DAYS * DAY)
    except BadSignature:
        return False
    return digest(f"known:{username.casefold()}") in names.split(".")


def note_browser(request: HttpRequest | None, user: User, **_: object) -> None:
    """A receiver of user_logged_in: marks the request, and the middleware below sets the cookie."""
    if request is not None:
        setattr(request, KNOWN_BROWSER, user.get_username())


def _set_known(request: HttpRequest, response: HttpResponse, username: str) -> None:
    cookie = settings.KNOWN_BROWSER_COOKIE
    try:
        earlier = _known.unsign(request.COOKIES.get(cookie, "")).split(".")
    except BadSignature:
        earlier = []
    name = digest(f"known:{username.casefold()}")
    # Remember the last eight people who share this browser.
    names = [name, *(other for other in earlier if other != name)][:8]
    response.set_cookie(
        cookie,
        _known.sign(".".join(names)),
        max_age=KNOWN_DAYS * DAY,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


# `_free` limits the checks that run; `_waiting` limits those that run or wait.
_free = threading.BoundedSemaphore(settings.LOGINS_AT_A_TIME)
_waiting = threading.BoundedSemaphore(settings.LOGINS_AT_A_TIME + settings.LOGIN_QUEUE)


@contextmanager
def _turn() -> Iterator[None]:
    """Wait for a turn to check a password. Raises LoginRefusedError if too many wait."""
    if not _waiting.acquire(blocking=False):
        log.warning("Login refused: too many wait.")
        raise LoginRefusedError(_busy(), seconds=BUSY_SECONDS)
    try:
        with _free:
            yield
    finally:
        _waiting.release()


def _is_full() -> bool:
    if not _waiting.acquire(blocking=False):
        return True
    _waiting.release()
    return False


def _busy() -> str:
    message = ngettext(
        "Many people log in at this moment. Try again in %(count)d second.",
        "Many people log in at this moment. Try again in %(count)d seconds.",
        BUSY_SECONDS,
    )
    return message % {"count": BUSY_SECONDS}


@cache
def _full_page(language: str) -> str:
    with translation.override(language):
        outage = Outage(429, _("Too many logins at this moment"), _busy())
        return render_to_string("unavailable.html", {"outage": outage})


def refuse_when_full(get_response: GetResponse) -> GetResponse:
    """Middleware, early: while the queue of logins is full, refuse the next one at the lowest cost.

    Otherwise a thousand simultaneous logins would occupy all threads just to render refusals.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        is_login = request.method == "POST" and request.path in settings.LOGIN_PAGES
        if is_login and _is_full():
            log.warning("Login refused: too many wait.")
            headers = {"Retry-After": str(BUSY_SECONDS), "Cache-Control": "no-store"}
            # LocaleMiddleware has not run yet.
            language = translation.get_language_from_request(request)
            return HttpResponse(_full_page(language), status=429, headers=headers)
        return get_response(request)

    return respond


class _ShowsRefusals(forms.Form):
    """A form with a password that shows why the password was not checked."""

    def clean(self) -> dict[str, object] | None:
        try:
            return super().clean()
        except LoginRefusedError as exc:
            raise refusal(exc) from exc


class LoginForm(_ShowsRefusals, account_forms.LoginForm):  # type: ignore[misc]
    """The login form, shared by desk, hub and admin."""


def with_limit(user: User, examine: Callable[[], Result]) -> Result:
    """Examine a second factor, unless too many wrong ones came for this person."""
    source = digest(str(user.pk))[:8]
    name = f"logins:code:{user.pk}"
    limits = (
        Counter(name, WINDOW, CODES),
        Counter(f"{name}:day", DAY, CODES_A_DAY),
    )
    try:
        check(limits, source)
        count(limits, source)
    except LoginRefusedError as exc:
        raise refusal(exc) from exc
    result = examine()
    # It was correct: it does not count.
    for counter in limits:
        counters.decrement(counter.key)
    return result


class CodeLimit:
    """Limits second-factor codes per person. A mixin for django-allauth's forms."""

    user: User

    def clean_code(self) -> str:
        code: str = with_limit(self.user, super().clean_code)  # type: ignore[misc]
        return code


class AuthenticateForm(CodeLimit, mfa_forms.AuthenticateForm):  # type: ignore[misc]
    """The second-factor form at login."""


class ConfirmForm(CodeLimit, mfa_forms.ReauthenticateForm):  # type: ignore[misc]
    """The form for confirming one's identity by the second factor."""


class ActivateForm(ActivateTOTPForm):  # type: ignore[misc]
    """The form that sets up an authenticator app. Its code cannot be used again for a login.

    django-allauth only remembers the codes of logins. Otherwise somebody who saw this code could log
    in with it.
    """

    def clean_code(self) -> str:
        code: str = super().clean_code()
        app = Authenticator(user=self.user, type=Authenticator.Type.TOTP)
        if not TOTP(app)._mark_code_used(code):
            raise get_mfa_adapter().validation_error("incorrect_code")
        return code


class ChangePasswordForm(account_forms.ChangePasswordForm):  # type: ignore[misc]
    """Changes the password. The old password is checked under the limits of the login."""

    def clean_oldpassword(self) -> str:
        password: str = self.cleaned_data.get("oldpassword", "")
        try:
            is_right = get_adapter().reauthenticate(self.user, password)
        except LoginRefusedError as exc:
            raise refusal(exc) from exc
        if not is_right:
            raise get_adapter().validation_error("enter_current_password")
        return password


class ReauthenticateForm(account_forms.ReauthenticateForm):  # type: ignore[misc]
    """The form for confirming one's identity by the password."""

    def clean_password(self) -> str:
        try:
            password: str = super().clean_password()
        except LoginRefusedError as exc:
            raise refusal(exc) from exc
        return password


def refusal(exc: LoginRefusedError) -> forms.ValidationError:
    """A form error. The middleware below sets the status of the response."""
    if context.request is not None:
        setattr(context.request, REFUSED, exc.seconds)
    return forms.ValidationError(str(exc), code="refused")


# The request attribute that marks a refused login.
REFUSED = "login_refused_seconds"


def refuse_with_429(get_response: GetResponse) -> GetResponse:
    """Middleware: gives the page of a refused login the status 429 and Retry-After.

    After a successful login it sets the cookie that marks the browser as known.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        seconds = getattr(request, REFUSED, 0)
        # A redirect shows the refusal on the next page. With another status it would be an empty page.
        if seconds and not response.has_header("Location"):
            response.status_code = 429
            response["Retry-After"] = str(seconds)
        username = getattr(request, KNOWN_BROWSER, "")
        if username:
            _set_known(request, response, username)
        return response

    return respond
