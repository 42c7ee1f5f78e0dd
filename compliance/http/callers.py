"""The address of a caller, by which its requests are counted."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest


def address_of(request: HttpRequest) -> str:
    """The address of the caller; of IPv6 the network (/64); empty where it is not known.

    Behind a proxy (`BEHIND_PROXY`) it is the last address of X-Forwarded-For, which the proxy has
    added. The addresses before it were sent by the caller, who may write anything there.
    """
    text = str(request.META.get("REMOTE_ADDR", ""))
    if settings.BEHIND_PROXY:
        header = str(request.META.get("HTTP_X_FORWARDED_FOR", ""))
        last = header.rpartition(",")[2].strip()
        text = last or text
    try:
        address = ip_address(text)
    except ValueError:
        return ""
    if isinstance(address, IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    # One household or server has a whole /64: it could call from another address each time.
    return str(IPv6Network((address, 64), strict=False))
