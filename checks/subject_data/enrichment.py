"""What the business attests, against what somebody else knows of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from checks.base import Evidence, Outcome
from checks.data_check import DataCheck, difference, mapping, row, text, texts
from checks.duplicates import marks
from checks.fields.addresses import address_from_wire, compare_addresses
from checks.reference import Enriched
from checks.screening import engine
from checks.subject_data.contact import registered
from papers import countries

Said = Mapping[str, Any]
ALIKE = 0.85
ENDED = re.compile(r"dissol|liquidat|inactive|struck|closed|annul|retired|bankrupt", re.IGNORECASE)


class EnrichmentComparison(DataCheck):
    """Does somebody else know the business as it attests itself?

    The provider that answers `enrichCompany` is asked: a register of companies that was loaded here, or
    the vendor of this installation. Name (score under 0.85), registration number, tax number, LEI,
    country, address, date of incorporation and website are compared where both sides tell them, and
    whether the register has the business as active. Any difference: review.

    - the provider does not know the business, or could not answer: inconclusive;
    - there is nobody to ask but the account's own cases, or no name: not applicable.
    """

    id = "kyb.enrichment_comparison"
    title = "Against other sources"
    payload_key = "enrichment_comparison"
    step = "Asking other sources"

    def look(self, evidence: Evidence) -> Outcome:
        names = marks.business_names(evidence.attested)
        if not names:
            return self.not_applicable("No name was attested.")
        provider = evidence.reference.enrichment if evidence.reference else None
        if provider is None:
            how = "No data provider is set up."
            return self.of_rows([row("Provider", "", "unknown", how)], passed="")
        country = marks.country_of(evidence.attested)
        facts = {"name": names[0], "website": text(evidence.attested.get("website")),
                 "location": countries.name(country) if country else ""}  # fmt: skip
        known = provider.company({key: said for key, said in facts.items() if said})
        if known.status == "none":
            return self.not_applicable("No register is loaded, and no provider is set up.")
        if known.status != "success":
            return self.of_rows([_untold(known)], passed="")
        return self._compared(evidence.attested, known)

    def _compared(self, attested: Said, known: Enriched) -> Outcome:
        rows = [found for compare in COMPARED if (found := compare(attested, known.data))]
        if not rows:
            how = f"{known.source} has nothing that could be compared."
            rows = [difference("Compared", "", "", "unknown", how)]
        likelihood = known.data.get("likelihood")
        if isinstance(likelihood, int | float) and 0 <= likelihood <= 10:
            rows.append(difference("Likelihood", "", f"{likelihood:g} of 10", "info"))
        agreed = ", ".join(one["label"].lower() for one in rows if one["state"] == "pass")
        diffs = [one["label"] for one in rows if one["state"] == "review"]
        return self.of_rows(
            rows, passed=f"{known.source} agrees: {agreed}.",
            source=known.source, sides=["Attested", known.source], diffs=diffs,
        )  # fmt: skip


def _untold(known: Enriched) -> dict[str, Any]:
    how = (
        f"{known.source} has no record of the business." if known.status == "not_found"
        else f"{known.source} could not answer: {known.error[:300]}"
    )  # fmt: skip
    return row("Provider", known.source, "unknown", how)


def _name(attested: Said, data: Said) -> dict[str, Any] | None:
    own = marks.business_names(attested)
    found = _first(data, "business_name", "legal_name", "name")
    if not found:
        return None
    best = max(own, key=lambda name: engine.compare(name, found, schema="Organization"))
    score = engine.compare(best, found, schema="Organization")
    how = f"“{best}” and “{found}”: similarity {score:.2f}."
    return difference("Name", best, found, "pass" if score >= ALIKE else "review", how)


def _number(label: str, own: str, *names: str) -> Callable[[Said, Said], dict[str, Any] | None]:
    def compare(attested: Said, data: Said) -> dict[str, Any] | None:
        said, found = texts(attested.get(own)), _first(data, *names)
        if not said or not _packed(found):
            return None
        same = any(_is_same_number(one, found) for one in said)
        return _judged(label, ", ".join(said), found, same=same)

    return compare


def _country(attested: Said, data: Said) -> dict[str, Any] | None:
    own = marks.country_of(attested)
    found = countries.code(_first(_address(data), "country_code", "country"))
    if not own or not found:
        return None
    return _judged("Country", countries.name(own), countries.name(found), same=own == found)


def _place(attested: Said, data: Said) -> dict[str, Any] | None:
    found = address_from_wire(dict(_address(data)))
    fields = ("address_of_incorporation", "address_of_operation")
    given = [one for key in fields if (one := address_from_wire(attested.get(key)))]
    if found is None or not found.street_1 or not given:
        return None
    states = [compare_addresses(one, found) for one in given]
    how = next((how for state, how in states if state in {"equal", "close"}), "")
    own = "; ".join(dict.fromkeys(map(str, given)))
    return _judged("Address", own, str(found), same=bool(how), how=how)


def _incorporated(attested: Said, data: Said) -> dict[str, Any] | None:
    own = text(attested.get("incorporation_date"))
    found = _first(data, "incorporation_date", "founded")[:10]
    if not own or not found:
        return None
    # Some know the year alone, and some put the first of January for that.
    same = own.startswith(found) or (found.endswith("-01-01") and own[:4] == found[:4])
    return _judged("Incorporated", own, found, same=same)


def _website(attested: Said, data: Said) -> dict[str, Any] | None:
    own, found = registered(text(attested.get("website"))), registered(_first(data, "website"))
    return _judged("Website", own, found, same=own == found) if own and found else None


def _standing(attested: Said, data: Said) -> dict[str, Any] | None:
    said = _first(data, "legal_status", "company_status")
    how = f"Its status there is “{said.lower()}”." if ENDED.search(said) else ""
    return difference("Status", "", said, "review" if how else "pass", how) if said else None


COMPARED: tuple[Callable[[Said, Said], dict[str, Any] | None], ...] = (
    _name,
    _number("Registration number", "business_registration_number",
            "business_registration_number", "registration_number", "number"),
    _number("Tax number", "tin_number", "tin_number", "tax_number", "ein"),
    _number("LEI", "lei", "lei"),
    _country, _place, _incorporated, _website, _standing,
)  # fmt: skip


def _judged(label: str, own: str, found: str, *, same: bool, how: str = "") -> dict[str, Any]:
    told = how if same else f"{label}: {own} was attested, the source says {found}."
    return difference(label, own, found, "pass" if same else "review", told)


def _address(data: Said) -> dict[str, Any]:
    """The address of a register's row, of a vendor's `location`, or of self-attested data."""
    nested = mapping(data.get("address_of_incorporation")) or mapping(data.get("location"))
    from_data = nested or data
    return {
        "street_1": _first(from_data, "street_1", "street", "street_address"),
        "city": _first(from_data, "city", "locality"),
        "state": _first(from_data, "state", "region"),
        "postal_code": _first(from_data, "postal_code"),
        "country_code": countries.code(_first(from_data, "country_code", "country")),
    }


def _first(data: Said, *names: str) -> str:
    """The first of the members that says something; a number (a year) as text."""
    for name in names:
        said = data.get(name)
        if isinstance(said, int) and not isinstance(said, bool):
            return str(said)
        if found := text(said):
            return found[:500]
    return ""


def _packed(said: str) -> str:
    return "".join(filter(str.isalnum, said)).upper()


def _is_same_number(one: str, other: str) -> bool:
    """Registers fill with noughts, and leave the letters of a number away; not put others there."""
    (letters, digits), (their_letters, their_digits) = _parts(one), _parts(other)
    return digits == their_digits and (
        letters == their_letters or (bool(digits) and not (letters and their_letters))
    )


def _parts(said: str) -> tuple[str, str]:
    packed = _packed(said)
    return re.sub(r"\d", "", packed), re.sub(r"\D", "", packed).lstrip("0")
