"""Visits websites for the checks, if that is enabled."""

from __future__ import annotations

import time
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.timezone import now

from checks.lookups import Visit
from compliance.http import outbound

# Limits of a visit: seconds including redirects, bytes of the page, and requests.
SECONDS, BYTES, MOST_HOPS = 12.0, 256 << 10, 4
REDIRECTS = frozenset({301, 302, 303, 307, 308})
HEADERS = {
    "User-Agent": outbound.HUB_USER_AGENT,
    "Accept": "text/html,text/plain;q=0.9,*/*;q=0.1",
}


class Browser:
    """The `Web` lookup of a job. Each redirect is a new, checked request; scripts are not run."""

    def visit(self, url: str) -> Visit:
        """Visit the site at a URL. If https does not answer, try http once."""
        end = time.monotonic() + SECONDS
        visit = _visit(url, end)
        plain_url = url.replace("https://", "http://", 1)
        if visit.status is not None or plain_url == url or time.monotonic() >= end:
            return visit
        plain_visit = _visit(plain_url, end)
        if plain_visit.status is None:
            return visit
        return plain_visit


def _visit(url: str, end: float) -> Visit:
    at = now().isoformat()
    for _ in range(MOST_HOPS):
        try:
            # An applicant's website must not make the hub call itself.
            if outbound.origin(url) in _own_origins():
                raise outbound.BlockedError("The address is not allowed.")
            response = outbound.request(
                "GET",
                url,
                headers=HEADERS,
                timeout=max(0.1, end - time.monotonic()),
                max_bytes=BYTES,
                truncate=True,
            )
        except outbound.OutboundError as exc:
            return Visit(url, problem=str(exc).rstrip("."), at=at)
        next_url = outbound.redirect_url(url, response)
        if response.status_code not in REDIRECTS or next_url == url:
            return _page(url, response, at=at)
        url = next_url
    return Visit(url, problem="it is sent on too often", at=at)


def _page(url: str, response: outbound.Response, *, at: str) -> Visit:
    certificate_until = ""
    if response.certificate_until:
        certificate_until = response.certificate_until.isoformat()
    return Visit(
        url,
        response.status_code,
        body=response.content,
        content_type=response.headers.get("Content-Type", "")[:200],
        certificate_until=certificate_until,
        at=at,
    )


def _own_origins() -> set[tuple[str, int]]:
    """(host, port) of this installation. Documents may be fetched from it, but it is no website."""
    origins = set()
    for url in (settings.DESK_URL, settings.CALLBACK_URL):
        parts = urlsplit(url)
        if parts.scheme == "https":
            default_port = 443
        else:
            default_port = 80
        origins.add((parts.hostname or "", parts.port or default_port))
    return origins
