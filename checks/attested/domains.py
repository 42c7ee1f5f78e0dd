"""Domains: those of free e-mail services, and the part of a domain that was registered."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import idna

if TYPE_CHECKING:
    import tldextract

# Anybody gets an address there, so it says nothing of a company.
FREE = frozenset(
    [
        "gmail.com",
        "googlemail.com",
        "yahoo.com",
        "outlook.com",
        "hotmail.com",
        "live.com",
        "icloud.com",
        "me.com",
        "aol.com",
        "gmx.de",
        "gmx.net",
        "gmx.com",
        "web.de",
        "mail.ru",
        "yandex.ru",
        "yandex.com",
        "proton.me",
        "protonmail.com",
        "zoho.com",
        "qq.com",
        "163.com",
        "126.com",
        "naver.com",
        "orange.fr",
        "free.fr",
        "wanadoo.fr",
        "libero.it",
        "seznam.cz",
        "wp.pl",
        "o2.pl",
        "t-online.de",
        "mail.com",
        "fastmail.com",
    ]
)


@cache
def _extractor() -> tldextract.TLDExtract:
    import tldextract  # brings its own HTTP client: 4 MiB that are not used

    # Use the snapshot in the package, so that nothing is downloaded.
    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


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
