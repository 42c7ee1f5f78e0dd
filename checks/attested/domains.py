"""Domains: those of free e-mail services, and the part of a domain that was registered."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import idna

if TYPE_CHECKING:
    import tldextract

# Anybody gets an address there, so it says nothing of a company.
_FREE = frozenset(
    """
    126.com 139.com 163.com abv.bg alice.it aol.com aon.at arcor.de att.net azet.sk bellsouth.net
    bigpond.com bk.ru bluewin.ch bol.com.br btinternet.com centrum.cz citromail.hu comcast.net correo.es
    cox.net daum.net docomo.ne.jp duck.com email.cz ezweb.ne.jp fastmail.com foxmail.com free.fr
    freemail.hu freenet.de gmail.com googlemail.com hanmail.net hetnet.nl hey.com hushmail.com i.ua
    icloud.com ig.com.br inbox.lv inbox.ru interia.pl kpnmail.nl laposte.net libero.it list.ru mail.bg
    mail.com mail.ee mail.ru mailbox.org me.com mynet.com nate.com naver.com ntlworld.com o2.pl onet.pl
    online.de op.pl optusnet.com.au orange.fr planet.nl pm.me posteo.de post.cz proton.me protonmail.com
    qq.com rambler.ru rediffmail.com rogers.com sapo.pt sbcglobal.net seznam.cz sfr.fr shaw.ca sina.com
    skynet.be sohu.com softbank.ne.jp t-online.de talktalk.net telefonica.net telenet.be telia.com
    terra.com.br tin.it tiscali.it tuta.io tutanota.com ukr.net uol.com.br verizon.net virgilio.it
    virginmedia.com walla.co.il wanadoo.fr web.de wp.pl xtra.co.nz yandex.com yandex.ru yeah.net
    ziggo.nl zoho.com
    """.split()  # noqa: SIM905 - a hundred names, a line each, would be no clearer
)
# Services with a domain in many countries: hotmail.co.uk.
_FREE_ANYWHERE = frozenset(
    ["gmx", "hotmail", "live", "msn", "outlook", "yahoo", "ymail"]
)


@cache
def _extractor() -> tldextract.TLDExtract:
    import tldextract  # brings its own HTTP client: 4 MiB that are not used

    # Use the snapshot in the package, so that nothing is downloaded.
    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


def is_free(domain: str) -> bool:
    """Whether anybody gets an address at this domain of an e-mail service."""
    return domain in _FREE or _extractor()(domain).domain in _FREE_ANYWHERE


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
