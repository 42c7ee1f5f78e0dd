"""The caller's address, by which requests are counted and recorded.

A proxy sends the address and the protocol of the caller in X-Forwarded-For and X-Forwarded-Proto.
Anybody may send these headers, so only those of declared proxies count (TRUSTED_PROXIES).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

Respond = Callable[[HttpRequest], HttpResponseBase]
IPAddress = IPv4Address | IPv6Address

FORWARDED_HEADERS = (
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_FORWARDED_HOST",
)


def trust_declared_proxies(get_response: Respond) -> Respond:
    """Early in MIDDLEWARE: sets REMOTE_ADDR to the address of the caller.

    Forwarding headers are removed unless a declared proxy sent them: later code may then trust
    them.
    """

    def respond(request: HttpRequest) -> HttpResponseBase:
        meta = request.META
        if _is_proxy(str(meta.get("REMOTE_ADDR", ""))):
            meta["REMOTE_ADDR"] = _caller(
                str(meta.get("HTTP_X_FORWARDED_FOR", "")),
                str(meta.get("REMOTE_ADDR", "")),
            )
        else:
            # Not a proxy of ours: the caller may have invented these headers.
            for name in FORWARDED_HEADERS:
                meta.pop(name, None)
        return get_response(request)

    return respond


def _caller(forwarded_for: str, peer: str) -> str:
    """The last hop that is not one of our proxies.

    The caller may have invented the hops before it.
    """
    address = peer
    # Each proxy appends the address that it received the request from, so read from the right.
    for text in reversed(forwarded_for.split(",")):
        hop = text.strip()
        if not hop:
            break
        address = hop
        if not _is_proxy(hop):
            break
    # Without the port, so that later code can read it.
    return str(parse(address) or address)


def _is_proxy(text: str) -> bool:
    address = parse(text)
    if address is None:
        return False
    return any(address in network for network in _networks())


def _networks() -> list[IPv4Network | IPv6Network]:
    return [ip_network(text, strict=False) for text in settings.TRUSTED_PROXIES]


# An address with a port, as some proxies write it: 192.0.2.1:443 or [2001:db8::1]:443.
_WITH_PORT = re.compile(r"(?:([0-9.]+)|\[([^\[\]]+)\])(?::[0-9]{1,5})?")


def parse(text: str) -> IPAddress | None:
    """The address in a text, with or without a port; None if there is none."""
    if match := _WITH_PORT.fullmatch(text):
        text = match[1] or match[2]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    # "::ffff:192.0.2.1" is the IPv4 caller 192.0.2.1, seen by a socket that serves both.
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address


def address_of(request: HttpRequest) -> str:
    """The caller's address: IPv4 as it is, IPv6 as its /64 network, empty if unknown."""
    address = parse(str(request.META.get("REMOTE_ADDR", "")))
    if address is None:
        return ""
    if isinstance(address, IPv4Address):
        return str(address)
    # A household or server usually has a whole /64, and could use a new address for each request.
    return str(IPv6Network((address, 64), strict=False))
