"""Visits of websites for the checks, only where that is switched on."""

from __future__ import annotations

import time
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.utils.timezone import now

from checks.lookups import Visit
from compliance.http import outbound

# A visit with all its hops; the head of a page tells enough.
SECONDS, BYTES, MOST_HOPS = 12.0, 256 << 10, 4
REDIRECTS = frozenset({301, 302, 303, 307, 308})
HEADERS = {
    "User-Agent": outbound.HUB_USER_AGENT,
    "Accept": "text/html,text/plain;q=0.9,*/*;q=0.1",
}


class Browser:
    """The `Web` of a job. Follows redirects, each as a request of its own; runs no scripts."""

    def visit(self, url: str) -> Visit:
        """The site at a URL; where nothing answers encrypted, once more without encryption."""
        end = time.monotonic() + SECONDS
        found = _visit(url, end)
        plain = url.replace("https://", "http://", 1)
        if found.status is None and plain != url and time.monotonic() < end:
            other = _visit(plain, end)
            return other if other.status is not None else found
        return found


def _visit(url: str, end: float) -> Visit:
    at = now().isoformat()
    for _ in range(MOST_HOPS):
        try:
            if outbound.origin(url) in _own():
                raise outbound.BlockedError("The address is not allowed.")
            response = outbound.request(
                "GET", url, headers=HEADERS, timeout=max(0.1, end - time.monotonic()),
                max_bytes=BYTES, truncate=True,
            )  # fmt: skip
        except outbound.OutboundError as exc:
            return Visit(url, problem=str(exc).rstrip("."), at=at)
        next_url = urljoin(url, response.headers.get("Location", ""))
        if response.status_code not in REDIRECTS or next_url == url:
            until = response.certificate_until
            return Visit(
                url, response.status_code, body=response.content,
                content_type=response.headers.get("Content-Type", "")[:200],
                certificate_until=until.isoformat() if until else "", at=at,
            )  # fmt: skip
        url = next_url
    return Visit(url, problem="it is sent on too often", at=at)


def _own() -> set[tuple[str, int]]:
    """This installation itself, which documents may be fetched from: no website."""
    places = (urlsplit(url) for url in (settings.DESK_URL, settings.CALLBACK_URL))
    return {
        (place.hostname or "", place.port or (443 if place.scheme == "https" else 80))
        for place in places
    }
