"""Domains: those of free e-mail services, and the part of a domain that was registered."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import idna

from checks.data import table

if TYPE_CHECKING:
    import tldextract

# Services with a domain in many countries: hotmail.co.uk.
_FREE_ANYWHERE = frozenset(
    ["gmx", "hotmail", "live", "msn", "outlook", "yahoo", "ymail"]
)


@cache
def _extractor() -> tldextract.TLDExtract:
    import tldextract  # brings its own HTTP client: 4 MiB that are not used

    # Use the snapshot in the package, so that nothing is downloaded.
    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


@cache
def _free() -> frozenset[str]:
    return frozenset(row["domain"] for row in table("free_mail"))


def is_free(domain: str) -> bool:
    """Whether anybody gets an address at this domain of an e-mail service, so that it says nothing of a company."""
    return domain in _free() or _extractor()(domain).domain in _FREE_ANYWHERE


def registered(place: str) -> str:
    """Return the registered domain in ASCII: example.co.uk for shop.example.co.uk."""
    domain = _extractor()(place).top_domain_under_public_suffix.lower()
    if domain.isascii():
        return domain
    # The same domain may be written in letters (münchen.de) and in Punycode (xn--mnchen-3ya.de).
    try:
        return idna.encode(domain, uts46=True).decode("ascii")
    except idna.IDNAError:
        return domain
