"""Who calls is known from declared proxies alone."""

from __future__ import annotations

import pytest
from django.http import HttpResponse

from compliance.http.callers import address_of, trust_declared_proxies

PROXIES = ["127.0.0.1", "10.1.0.0/16", "2001:db8:9::/48"]


def caller_address(rf, settings, proxies: list[str], **headers: str):
    """The request as what stands behind the middleware sees it."""
    settings.TRUSTED_PROXIES = proxies
    requests = []

    def respond(request):
        requests.append(request)
        return HttpResponse()

    trust_declared_proxies(respond)(rf.get("/", **headers))
    return requests[0]


@pytest.mark.parametrize(
    ("proxies", "remote", "forwarded", "address"),
    [
        ([], "198.51.100.7", "203.0.113.9", "198.51.100.7"),
        (PROXIES, "127.0.0.1", "203.0.113.9", "203.0.113.9"),
        # What stands left was sent by the caller.
        (PROXIES, "127.0.0.1", "6.6.6.6, 203.0.113.9", "203.0.113.9"),
        # Two proxies, one behind the other.
        (PROXIES, "127.0.0.1", "6.6.6.6, 203.0.113.9, 10.1.2.3", "203.0.113.9"),
        # A proxy that nobody declared is a caller.
        (PROXIES, "10.2.0.1", "203.0.113.9", "10.2.0.1"),
        (PROXIES, "2001:db8:9::1", "203.0.113.9", "203.0.113.9"),
        (PROXIES, "::ffff:127.0.0.1", "203.0.113.9", "203.0.113.9"),
        (PROXIES, "127.0.0.1", "", "127.0.0.1"),
        (PROXIES, "127.0.0.1", "<script>", ""),
        # Some proxies write the port, too.
        (PROXIES, "127.0.0.1", "203.0.113.9:51234", "203.0.113.9"),
        (PROXIES, "127.0.0.1", "203.0.113.9:51234, 10.1.2.3:80", "203.0.113.9"),
        (PROXIES, "127.0.0.1", "[2001:db8:1:2::7]:51234", "2001:db8:1:2::/64"),
        (PROXIES, "127.0.0.1", "[2001:db8:1:2::7]", "2001:db8:1:2::/64"),
        (PROXIES, "127.0.0.1", "203.0.113.9:x", ""),
        ([], "2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::/64"),
        ([], "::ffff:198.51.100.7", "", "198.51.100.7"),
        ([], "", "", ""),
    ],
)
def test_the_address_of_a_caller(rf, settings, proxies, remote, forwarded, address):
    headers = {"REMOTE_ADDR": remote, "HTTP_X_FORWARDED_FOR": forwarded}
    assert address_of(caller_address(rf, settings, proxies, **headers)) == address


@pytest.mark.parametrize(
    ("remote", "is_secure"), [("127.0.0.1", True), ("10.2.0.1", False)]
)
def test_only_a_declared_proxy_says_that_tls_ended_there(
    rf, settings, remote, is_secure
):
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    headers = {"REMOTE_ADDR": remote, "HTTP_X_FORWARDED_PROTO": "https"}
    assert caller_address(rf, settings, PROXIES, **headers).is_secure() is is_secure


def test_the_first_middleware_sees_the_caller_of_a_webhook_too(settings):
    names = settings.MIDDLEWARE
    webhooks = names.index("webhooks.middleware.receive_webhooks")
    assert names.index("compliance.http.callers.trust_declared_proxies") < webhooks
