"""Compares the attested business with the data of another source."""

from __future__ import annotations

import re
from collections.abc import Callable

from checks.attested import facts as attested_facts
from checks.attested.domains import registered
from checks.attested.numbers import sameness
from checks.base import Evidence, Outcome
from checks.data_check import DataCheck, difference, mapping, pass_or, row, text, texts
from checks.extraction import company_states
from checks.fields.addresses.comparison import compare_addresses
from checks.fields.addresses.postal import address_from_wire
from checks.lookups import Enriched
from checks.screening import engine
from checks.subject_data import tunables
from checks.text.characters import only_letters_and_digits
from checks.wire import JsonObject, Wire
from papers import countries

ENDED = re.compile(
    r"(?<!not )(?<!un)(?<!dis)(?:dissol|liquidat|inactive|struck|closed|annul|retired|bankrupt)",
    re.IGNORECASE,
)


class EnrichmentComparison(DataCheck):
    """Does somebody else know the business as it attests itself?

    The provider that answers `enrichCompany` is asked: a register of companies that was loaded here, or
    the vendor of this installation. Name (score under 0.85), registration number, tax number, LEI,
    country, address, date of incorporation and website are compared where both sides tell them, and
    whether the register has the business as active, in the words of some forty languages. Any difference: review.

    - the provider does not know the business, or could not answer: inconclusive;
    - there is nobody to ask but the account's own cases, or no name: not applicable.
    """

    id = "kyb.enrichment_comparison"
    title = "Against other sources"
    payload_key = "enrichment_comparison"
    step = "Asking other sources"

    def look(self, evidence: Evidence) -> Outcome:
        names = attested_facts.business_names(evidence.attested)
        if not names:
            return self.not_applicable("No name was attested.")
        provider = evidence.available.enrichment
        if provider is None:
            how = "No data provider is set up."
            return self.of_rows([row("Provider", "", "unknown", how)], passed="")
        country = attested_facts.country_of(evidence.attested)
        facts = {"name": names[0]}
        website = text(evidence.attested.get("website"))
        if website:
            facts["website"] = website
        if country:
            facts["location"] = countries.name(country)
        answer = provider.company(facts)
        if answer.status == "none":
            return self.not_applicable(
                "No register is loaded, and no provider is set up."
            )
        if answer.status != "success":
            return self.of_rows([_no_answer(answer)], passed="")
        return self._compared(evidence.attested, answer)

    def _compared(self, attested: JsonObject, answer: Enriched) -> Outcome:
        rows = []
        # A comparison returns nothing if one side lacks the value.
        for compare in COMPARED:
            comparison = compare(attested, answer.data)
            if comparison:
                rows.append(comparison)
        if not rows:
            how = f"{answer.source} has nothing that could be compared."
            rows = [difference("Compared", "", "", "unknown", how)]
        # Some vendors state how likely it is that they found the right company. It is shown, but
        # decides nothing.
        likelihood = answer.data.get("likelihood")
        if isinstance(likelihood, int | float) and 0 <= likelihood <= 10:
            rows.append(difference("Likelihood", "", f"{likelihood:g} of 10", "info"))
        agreed = ", ".join(
            item["label"].lower() for item in rows if item["state"] == "pass"
        )
        diffs = []
        for item in rows:
            if item["state"] == "review":
                diffs.append(item["label"])
        return self.of_rows(
            rows,
            passed=f"{answer.source} agrees: {agreed}.",
            source=answer.source,
            sides=["Attested", answer.source],
            diffs=diffs,
        )


def _no_answer(answer: Enriched) -> Wire:
    if answer.status == "not_found":
        how = f"{answer.source} has no record of the business."
    else:
        how = f"{answer.source} could not answer: {answer.error[:300]}"
    return row("Provider", answer.source, "unknown", how)


def _name(attested: JsonObject, data: JsonObject) -> Wire | None:
    attested_names = attested_facts.business_names(attested)
    other_name = _first(data, "business_name", "legal_name", "name")
    if not other_name:
        return None
    best = max(
        attested_names,
        key=lambda name: engine.compare(name, other_name, schema="Organization"),
    )
    score = engine.compare(best, other_name, schema="Organization")
    how = f"“{best}” and “{other_name}”: similarity {score:.2f}."
    state = pass_or("review", good=score >= tunables.ALIKE)
    return difference("Name", best, other_name, state, how)


def _number(
    label: str, key: str, *names: str
) -> Callable[[JsonObject, JsonObject], Wire | None]:
    def compare(attested: JsonObject, data: JsonObject) -> Wire | None:
        numbers = texts(attested.get(key))
        number = _first(data, *names)
        if not numbers or not _packed(number):
            return None
        same = any(_is_same_number(candidate, number) for candidate in numbers)
        country = attested_facts.country_of(attested)
        same = same or sameness(numbers, number, country) is not None
        return _judged(label, ", ".join(numbers), number, same=same)

    return compare


def _country(attested: JsonObject, data: JsonObject) -> Wire | None:
    attested_country = attested_facts.country_of(attested)
    country = countries.code(_first(_address(data), "country_code", "country"))
    if not attested_country or not country:
        return None
    return _judged(
        "Country",
        countries.name(attested_country),
        countries.name(country),
        same=attested_country == country,
    )


def _place(attested: JsonObject, data: JsonObject) -> Wire | None:
    address = address_from_wire(dict(_address(data)))
    fields = ("address_of_incorporation", "address_of_operation")
    attested_addresses = []
    for key in fields:
        attested_address = address_from_wire(attested.get(key))
        if attested_address:
            attested_addresses.append(attested_address)
    if address is None or not address.street_1 or not attested_addresses:
        return None
    states = [
        compare_addresses(attested_address, address)
        for attested_address in attested_addresses
    ]
    how = next((how for state, how in states if state in {"equal", "close"}), "")
    value = "; ".join(dict.fromkeys(map(str, attested_addresses)))
    return _judged("Address", value, str(address), same=bool(how), how=how)


def _incorporated(attested: JsonObject, data: JsonObject) -> Wire | None:
    attested_date = text(attested.get("incorporation_date"))
    date = _first(data, "incorporation_date", "founded")[:10]
    if not attested_date or not date:
        return None
    # Some sources only know the year, and some then state the first of January.
    same = attested_date.startswith(date) or (
        date.endswith("-01-01") and attested_date[:4] == date[:4]
    )
    return _judged("Incorporated", attested_date, date, same=same)


def _website(attested: JsonObject, data: JsonObject) -> Wire | None:
    attested_domain = registered(text(attested.get("website")))
    domain = registered(_first(data, "website"))
    if attested_domain and domain:
        return _judged(
            "Website", attested_domain, domain, same=attested_domain == domain
        )
    return None


def _standing(attested: JsonObject, data: JsonObject) -> Wire | None:
    status = _first(data, "legal_status", "company_status")
    if not status:
        return None
    if has_ended(status):
        how = f"Its status there is “{status.lower()}”."
        return difference("Status", "", status, "review", how)
    return difference("Status", "", status, "pass")


def has_ended(status: str) -> bool:
    """Whether a register has the business as closed, in the words of any of its languages."""
    return bool(ENDED.search(status)) or company_states.has_ended(status)


COMPARED: tuple[Callable[[JsonObject, JsonObject], Wire | None], ...] = (
    _name,
    _number("Registration number", "business_registration_number",
            "business_registration_number", "registration_number", "number"),
    _number("Tax number", "tin_number", "tin_number", "tax_number", "ein"),
    _number("LEI", "lei", "lei"),
    _country, _place, _incorporated, _website, _standing,
)  # fmt: skip


def _judged(
    label: str, attested: str, value: str, *, same: bool, how: str = ""
) -> Wire:
    if same:
        sentence = how
    else:
        sentence = f"{label}: {attested} was attested, the source says {value}."
    state = pass_or("review", good=same)
    return difference(label, attested, value, state, sentence)


def _address(data: JsonObject) -> Wire:
    """Return the address of a register row, of a vendor's `location`, or of self-attested data."""
    nested = mapping(data.get("address_of_incorporation")) or mapping(
        data.get("location")
    )
    from_data = nested or data
    return {
        "street_1": _first(from_data, "street_1", "street", "street_address"),
        "city": _first(from_data, "city", "locality"),
        "state": _first(from_data, "state", "region"),
        "postal_code": _first(from_data, "postal_code"),
        "country_code": countries.code(_first(from_data, "country_code", "country")),
    }


def _first(data: JsonObject, *names: str) -> str:
    """Return the first of the members with a value. A number, such as a year, becomes text."""
    for name in names:
        value = data.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if content := text(value):
            return content[:500]
    return ""


def _packed(value: str) -> str:
    return only_letters_and_digits(value).upper()


def _is_same_number(first: str, other: str) -> bool:
    """Whether two numbers are the same.

    Registers add leading zeros and omit the letters of a number, but never use other letters.
    """
    (letters, digits), (their_letters, their_digits) = _parts(first), _parts(other)
    return digits == their_digits and (
        letters == their_letters or (bool(digits) and not (letters and their_letters))
    )


def _parts(text: str) -> tuple[str, str]:
    packed = _packed(text)
    return re.sub(r"\d", "", packed), re.sub(r"\D", "", packed).lstrip("0")
