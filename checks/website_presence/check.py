"""The check of a business's website."""

from __future__ import annotations

import hashlib
import ipaddress
import re
from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from urllib.parse import SplitResult, urlsplit

from rapidfuzz import fuzz

from checks.attested import facts as attested_facts
from checks.attested import letters
from checks.attested.domains import is_free, registered
from checks.base import Evidence, Outcome
from checks.data import table
from checks.data_check import DataCheck, State, row, text
from checks.lookups import Visit
from checks.website_presence import naming, page, parked, tunables
from checks.wire import Wire

SOON = timedelta(days=14)
KINDS = {
    "free host": "The page is at a free host, not at the business's own domain.",
    "shortener": "The address is a shortened link, which hides where it leads.",
    "network": "The address is a page of a social network, not a website of its own.",
    "marketplace": "The address is a page on a marketplace, not a website of its own.",
}
NOT_VISITED = (
    "The website was not visited: visits are switched off in this installation."
)


class WebsitePresence(DataCheck):
    """Is there a website at the attested address, and is it the business's own?

    By the address alone: whether it is one at all, letters that may pass for others, free hosts,
    shorteners, networks and marketplaces, whether the domain is like the name, and whether the e-mail
    address is of the same domain.

    Where the installation allows it (`WEBSITE_VISITS`), the site is visited once: whether it answers,
    encrypted and with a valid certificate, where it leads, whether it is parked, and whether it names
    the business. Only public addresses are asked, within limits of time and size; what was seen is kept.

    - a doubt about the address, no answer, an error, another domain, a parked page, or one that
      does not name the business: review;
    - not visited, or the site refuses visitors, tells no words without scripts, or is written in
      another script than the name: inconclusive;
    - nothing attested: not applicable; otherwise: pass. It is never a fail.
    """

    id = "kyb.web_presence_check"
    aliases = ("kyb.website_presence",)
    title = "Website"
    payload_key = "website_presence"
    step = "Looking at the website"
    rests_on = (
        "table:web_hosts",
        "table:parked_pages",
        "table:company_translations",
        "tldextract",
    )
    asks_outside = True

    def look(self, evidence: Evidence) -> Outcome:
        website = text(evidence.attested.get("website"))
        if not website:
            return self.not_applicable("No website was attested.")
        url = _url(website)
        if url is None:
            rows = [row("Address", website[:300], "review", "Not a website address.")]
            return self.of_rows(rows, passed="", mode="offline")
        names = attested_facts.business_names(evidence.attested)
        rows = list(
            _by_address(
                url, names, text(evidence.attested.get("contact_email_address"))
            )
        )
        # The first part needs only the address. The visit is optional.
        web = evidence.lookups.web if evidence.lookups else None
        if web is None:
            rows.append(row("Visit", "", "unknown", NOT_VISITED))
            return self.of_rows(rows, passed="", mode="offline")
        visit = web.visit(url.geturl())
        words = page.read(visit.body, visit.content_type)
        rows += _by_visit(url, visit, words, names, evidence)
        facts = {
            "url": visit.url,
            "status": visit.status,
            "problem": visit.problem,
            "at": visit.at,
            "title": words.title,
            "words": words.text[: tunables.SNAPSHOT],
            "certificate_until": visit.certificate_until,
            "sha256": hashlib.sha256(visit.body).hexdigest() if visit.body else "",
        }
        passed = "The website answers and names the business."
        return self.of_rows(rows, passed=passed, mode="online", facts=facts)


def _url(text: str) -> SplitResult | None:
    try:
        url = urlsplit(text if "://" in text else f"https://{text}")
        host = url.hostname
        _ = url.port
    except ValueError:
        return None
    plain = not any(char.isspace() or not char.isprintable() for char in text)
    # A label that begins as Punycode and is none is no label.
    if host and not letters.in_letters(host):
        return None
    if host and plain and url.scheme in {"http", "https"}:
        return url
    return None


def _by_address(url: SplitResult, names: list[str], email: str) -> Iterator[Wire]:
    host = url.hostname or ""
    domain = registered(host)
    if _is_number(host):
        yield row(
            "Address", host, "review", "The address is an IP address, not a domain."
        )
        return
    if not domain:
        yield row(
            "Address", host, "review", "The address is not under a public domain."
        )
        return
    if letters.look_like_others(host):
        yield row(
            "Letters", host, "review", "The domain has letters that look like others."
        )
    # On a shared host the domain says nothing about the business, so its name is not compared.
    if kind := _hosts().get(domain):
        yield row("Domain", domain, "review", KINDS[kind])
        return
    yield row("Domain", domain, "pass")
    if names:
        like = any(_is_like(name, domain) for name in names)
        how = "like the name" if like else "not like the name of the business"
        yield row("Name of the domain", domain, "pass" if like else "info", how)
    mail = registered(email.rpartition("@")[2])
    if mail and not is_free(mail):
        if mail == domain:
            how = ""
        else:
            how = f"The e-mail address is of another domain ({mail})."
        yield row("E-mail address", mail, "pass" if mail == domain else "review", how)


def _by_visit(
    url: SplitResult,
    visit: Visit,
    words: page.Words,
    names: list[str],
    evidence: Evidence,
) -> Iterator[Wire]:
    if visit.status is None:
        how = f"The website does not answer: {visit.problem}."
        yield row("Answer", "", "review", how)
        return
    state, how = _answer(visit.status)
    yield row("Answer", f"HTTP {visit.status}", state, how)
    domain = registered(url.hostname or "")
    led = registered(urlsplit(visit.url).hostname or "")
    if led != domain:
        yield row(
            "Leads to",
            visit.url,
            "review",
            f"The website redirects to another domain ({led}).",
        )
    yield _encryption(visit, evidence)
    if state == "pass":
        yield content(words, names)


def _answer(status: int) -> tuple[State, str]:
    if 200 <= status < 300:
        return "pass", ""
    if status in {401, 403, 405, 429, 503}:
        return "unknown", f"The website refuses visitors like this one (HTTP {status})."
    return "review", f"The website answers with an error (HTTP {status})."


def _encryption(visit: Visit, evidence: Evidence) -> Wire:
    if not visit.url.startswith("https:"):
        return row(
            "Encryption", "none", "review", "The website answers without encryption."
        )
    until = visit.certificate_until
    soon = bool(until) and until[:10] <= (evidence.today + SOON).isoformat()
    how = "valid certificate" + (", expires soon" if soon else "")
    return row("Encryption", f"until {until[:10]}" if until else "yes", "pass", how)


def content(words: page.Words, names: list[str]) -> Wire:
    if phrase := parked.phrase_of(words.title, words.text):
        how = f"The page looks parked or unfinished: “{phrase}”."
        return row("Page", words.title, "review", how)
    everything = f"{words.title} {words.text} {words.labels}"
    if any(naming.names_business(name, everything) for name in names):
        return row("Page", words.title, "pass", "it names the business")
    if naming.count_words(everything) < tunables.FEWEST_WORDS:
        how = "The page shows too few words without JavaScript."
        return row("Page", words.title, "unknown", how)
    if names and not any(naming.can_compare(name, everything) for name in names):
        how = "The page is written in another script than the name."
        return row("Page", words.title, "unknown", how)
    return row("Page", words.title, "review", "The page does not name the business.")


def _is_like(name: str, domain: str) -> bool:
    label = re.sub(r"[^a-z0-9]", "", domain.split(".")[0])
    words = naming.telling(name)
    initials = "".join(word[0] for word in words)
    joined = "".join(words)
    if label in {initials, joined}:
        return True
    return len(label) > 2 and fuzz.partial_ratio(joined, label) >= tunables.LIKE


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


@cache
def _hosts() -> dict[str, str]:
    return {line["domain"]: line["kind"] for line in table("web_hosts")}
