"""Where a request comes from: the address that callers are counted by."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest


def address_of(request: HttpRequest) -> str:
    """The address of the caller, of an IPv6 one its network (/64); empty where it is not known.

    Behind a proxy (`BEHIND_PROXY`) the proxy's word counts: the last address of X-Forwarded-For.
    Those before it are what the caller says of himself.
    """
    named = str(request.META.get("REMOTE_ADDR", ""))
    if settings.BEHIND_PROXY:
        forwarded = str(request.META.get("HTTP_X_FORWARDED_FOR", ""))
        named = forwarded.rpartition(",")[2].strip() or named
    try:
        address = ip_address(named)
    except ValueError:
        return ""
    if isinstance(address, IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(IPv6Network((address, 64), strict=False))
