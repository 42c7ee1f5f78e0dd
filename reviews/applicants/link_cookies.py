"""Cookies of browsers that have opened a link. Each cookie opens one row and does not contain
the key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpResponse

from reviews.applicants import invitations
from reviews.intake import information_requests, links
from reviews.intake.links import LinkKind

# After this time without a request the link must be opened again from the mail. Drafts are saved.
# On a shared computer this limits how long the form stays open.
IDLE_SECONDS = 2 * 60 * 60
PATHS = {"/requests/": links.REQUEST, "/apply/": links.INVITATION}

_signer = TimestampSigner(salt="reviews.link-cookie")
_NUMBER = re.compile(r"(\d{1,18})/")


def name_of(kind: LinkKind, pk: int) -> str:
    """The cookie name of a row. Each row has its own cookie, so two can be open in one browser."""
    name = f"{kind.name}-{pk}"
    if settings.SESSION_COOKIE_SECURE:
        # Browsers accept a __Host- cookie only from this host and over HTTPS.
        return f"__Host-{name}"
    return name


def give(response: HttpResponse, kind: LinkKind, pk: int) -> None:
    """Set the cookie: the browser may open the row for IDLE_SECONDS from now."""
    name = name_of(kind, pk)
    response.set_cookie(
        name,
        _signer.sign(name),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )


def end(response: HttpResponse, kind: LinkKind, pk: int) -> None:
    """Delete the cookie of the row, and ask the browser to clear what it was shown.

    Other cookies stay: those of other links, and a desk user's session in the same browser.
    """
    response.delete_cookie(name_of(kind, pk), samesite="Strict")
    # Browsers delete a __Host- cookie only if the Secure flag is set.
    response.cookies[name_of(kind, pk)]["secure"] = settings.SESSION_COOKIE_SECURE
    response["Clear-Site-Data"] = '"cache", "storage"'


def opens(cookies: Mapping[str, str], kind: LinkKind, pk: int) -> bool:
    """Whether one of these cookies is valid for the row and has not expired."""
    name = name_of(kind, pk)
    try:
        # The signature covers the name, so a cookie of one row does not open another.
        return _signer.unsign(cookies.get(name, ""), max_age=IDLE_SECONDS) == name
    except BadSignature:
        return False


def is_open(path: str, cookie: str) -> bool:
    """Whether the row of this path is open, and the Cookie header opens it.

    Also True for a path that contains the key, as links of an earlier version do.
    """
    # Only paths for applicants have a row behind them.
    for prefix, kind in PATHS.items():
        if path.startswith(prefix):
            pk = _row_id(kind, path.removeprefix(prefix), cookie)
            return pk is not None and _takes(kind, pk)
    return False


def _row_id(kind: LinkKind, rest: str, cookie: str) -> int | None:
    match = _NUMBER.match(rest)
    if match is None:
        # No number: a path of an earlier version, with the key in it.
        return links.path_row_id(kind, rest.partition("/")[0])
    pk = int(match[1])
    return pk if opens(_parse(cookie), kind, pk) else None


def _parse(header: str) -> dict[str, str]:
    try:
        morsels = SimpleCookie(header).values()
    except CookieError:
        return {}
    return {morsel.key: morsel.value for morsel in morsels}


def _takes(kind: LinkKind, pk: int) -> bool:
    if kind is links.REQUEST:
        request = information_requests.find(pk)
        return request is not None and information_requests.is_open(request)
    invitation = invitations.find(pk)
    return invitation is not None and invitations.is_open(invitation)
