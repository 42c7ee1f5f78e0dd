"""Whether the attested profile of a business is complete and consistent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from checks.attested.domains import registered
from checks.base import Evidence, Outcome
from checks.data_check import DataCheck, mapping, row, text, texts
from checks.screening import engine
from checks.subject_data import tunables
from checks.text.characters import count_letters
from checks.wire import JsonObject, Wire
from papers import countries

_ADDRESSES = ("address_of_incorporation", "address_of_operation")
_PARTS = ("street_1", "city", "country_code")
_ACTIVITY = ("description", "business_purpose", "industry")
_NUMBERS = ("business_registration_number", "tin_number", "lei")
_CONTACTS = ("contact_email_address", "contact_phone_number")
# A host with a dot, with the other parts of a URL.
_SITE = re.compile(
    r"(?:https?://)?[^\s/@:]+\.[^\s/@:.]{2,}\.?(?::[0-9]+)?(?:[/?#]\S*)?", re.IGNORECASE
)
_PLACEHOLDER = re.compile(
    r"(?:n\.?/?a\.?|none|null|nil|test(?:ing)?|unknown|tb[acd]|x+|-+|\.+|string|<[^>]*>|asdf\w*"
    r"|lorem ipsum.*|example|todo|to be (?:confirmed|announced|determined))",
    re.IGNORECASE,
)


class BasicBusinessProfile(DataCheck):
    """Is the attested profile of the business complete, and at one with itself?

    Looked at is what was attested and nothing else: no register and no website is asked, so that a
    profile that passes is not thereby true. Complete is a profile with a name, an address with
    street, city and country, what the business does (description, purpose or industry), a website or
    a number of a register or tax office, and a date of incorporation. An e-mail address or
    telephone number is told where it is missing, no more.

    - something of that is missing, half there, or a placeholder ("n/a", "test"): review;
    - a date of incorporation that is no date, or in the future: fail;
    - a registered name that is another one than the trading name (score under 0.85) is told, not
      judged: businesses trade under other names; a description that only repeats the name: review;
    - all there: pass. No name and no website: not applicable.

    The check runs where an agent or a request names it.
    """

    id = "kyb.basic_business_profile_check"
    aliases = ("kyb.business_profile_check", "business_profile_check")
    title = "Business profile"
    payload_key = "business_profile"
    on_request = True
    looks_at = "Attested"

    def look(self, evidence: Evidence) -> Outcome:
        attested = evidence.attested
        if not _names(attested) and not texts(attested.get("website")):
            # Without a name and a website there is no profile.
            return self.not_applicable("No name and no website were attested.")
        rows = [
            *_name(attested),
            *_addresses(attested),
            *_activity(attested),
            *_identifiers(attested),
            *_incorporation(attested, evidence.today),
            *_contacts(attested),
        ]
        missing = []
        for item in rows:
            if item["state"] != "info" and not item["value"]:
                missing.append(item["label"])
        return self.of_rows(
            rows,
            passed="The attested profile is complete. It was not compared with any source.",
            complete=not missing,
            missing=missing,
        )


def _names(attested: JsonObject) -> list[str]:
    return texts(attested.get("business_name")) + texts(
        attested.get("registered_business_name")
    )


def _name(attested: JsonObject) -> list[Wire]:
    names = _names(attested)
    if not names:
        return [row("Name", "", "review", "No name of the business was attested.")]
    trading = text(attested.get("business_name"))
    legal = text(attested.get("registered_business_name"))
    attested_names = {"Name": trading, "Registered name": legal}
    rows = []
    for label, name in attested_names.items():
        if name:
            rows.append(_value_row(label, name))
    if trading and legal:
        score = engine.compare(trading, legal, schema="Organization")
        if score < tunables.ALIKE:
            how = f"The registered name and the trading name differ (similarity {score:.2f})."
            rows.append(row("Names", f"{trading} / {legal}", "info", how))
    return rows


def _value_row(label: str, value: str) -> Wire:
    if _PLACEHOLDER.fullmatch(value):
        return row(label, value, "review", f"“{value}” is a placeholder.")
    return row(label, value[:300], "pass")


def _addresses(attested: JsonObject) -> list[Wire]:
    rows = []
    for name in _ADDRESSES:
        address = mapping(attested.get(name))
        parts = {part: text(address.get(part)) for part in _PARTS}
        if not any(text(value) for value in address.values() if value != "Address"):
            continue
        label = name.replace("_", " ").capitalize()
        value = ", ".join(filter(None, parts.values()))
        rows.append(row(label, value, *_judged_address(parts)))
    return rows or [
        row("Address", "", "review", "No address of the business was attested.")
    ]


def _judged_address(parts: Mapping[str, str]) -> Any:
    lacking = []
    for part, value in parts.items():
        if not value or _PLACEHOLDER.fullmatch(value):
            lacking.append(part)
    if lacking:
        words = {"street_1": "street", "city": "city", "country_code": "country"}
        return (
            "review",
            f"Address incomplete: {', '.join(words[part] for part in lacking)}.",
        )
    if not countries.code(parts["country_code"]):
        return "review", f"“{parts['country_code']}” is not a known country."
    return "pass", ""


def _activity(attested: JsonObject) -> list[Wire]:
    texts = {name: text(attested.get(name)) for name in _ACTIVITY}
    rows = []
    for name, value in texts.items():
        if value:
            label = name.replace("_", " ").capitalize()
            rows.append(_telling(label, value, _names(attested)))
    if rows:
        return rows
    how = "Neither a description nor a purpose nor an industry was attested."
    return [row("Line of business", "", "review", how)]


def _telling(label: str, value: str, names: list[str]) -> Wire:
    item = _value_row(label, value)
    if item["state"] != "pass":
        return item
    if count_letters(value) < tunables.FEWEST_LETTERS:
        return row(
            label, value, "review", f"“{value}” does not say what the business does."
        )
    if any(value.casefold() == name.casefold() for name in names):
        return row(label, value[:300], "review", "It repeats the name of the business.")
    return item


def _identifiers(attested: JsonObject) -> list[Wire]:
    websites = texts(attested.get("website"))
    rows = [_site(site) for site in websites]
    for name in _NUMBERS:
        for value in texts(attested.get(name)):
            label = {"lei": "LEI", "tin_number": "Tax number"}.get(
                name, "Registration number"
            )
            rows.append(_value_row(label, value))
    how = "Neither a website nor a number of a register or tax office was attested."
    return rows or [row("Website or number", "", "review", how)]


def _site(site: str) -> Wire:
    if _PLACEHOLDER.fullmatch(site):
        return _value_row("Website", site)
    if not _SITE.fullmatch(site):
        return row("Website", site[:300], "review", "Not a website address.")
    return row("Website", site[:300], "pass")


def _incorporation(attested: JsonObject, today: date) -> list[Wire]:
    value = text(attested.get("incorporation_date"))
    if not value:
        return [
            row("Incorporated", "", "review", "No date of incorporation was attested.")
        ]
    try:
        moment = date.fromisoformat(value)
    except ValueError:
        return [row("Incorporated", value, "fail", f"“{value}” is not a date.")]
    if moment > today:
        return [row("Incorporated", value, "fail", "The date is in the future.")]
    if moment.year < tunables.OLDEST_KNOWN_YEAR:
        return [
            row(
                "Incorporated",
                value,
                "fail",
                f"The date is before {tunables.OLDEST_KNOWN_YEAR}.",
            )
        ]
    return [row("Incorporated", value, "pass")]


def _contacts(attested: JsonObject) -> list[Wire]:
    rows = []
    for name in _CONTACTS:
        value = text(attested.get(name))
        label = "E-mail address" if "email" in name else "Telephone number"
        if value:
            rows.append(_value_row(label, value))
            continue
        how = f"No {label[0].lower()}{label[1:]} was attested."
        rows.append(row(label, "", "info", how))
    mail = text(attested.get("contact_email_address")).rpartition("@")[2]
    sites = {registered(site) for site in texts(attested.get("website"))} - {""}
    domain = ""
    if mail:
        domain = registered(mail)
    if domain and sites:
        how = "The e-mail address is not at the domain of the website."
        if domain in sites:
            how = "The e-mail address is at the domain of the website."
        rows.append(row("Domain of the e-mail address", domain, "info", how))
    return rows
