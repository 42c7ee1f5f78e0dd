"""Checks of the data from a government ID."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from stdnum.exceptions import (
    InvalidChecksum,
    InvalidFormat,
    InvalidLength,
    ValidationError,
)
from stdnum.util import get_cc_module

from checks.base import Evidence, Outcome
from checks.data_check import (
    DataCheck,
    State,
    id_data,
    issuing_country,
    pass_or,
    row,
    text,
    texts,
)
from checks.screening import engine
from checks.subject_data import mrz, tunables
from checks.subject_data.numbers import (
    birth_date_in,
    format_name,
    mistake,
    sex_in,
)
from checks.text.plurals import counted
from checks.wire import JsonObject, Wire
from papers import sexes

# Modules of python-stdnum for the personal numbers of a country.
if TYPE_CHECKING:
    from stdnum.util import NumberValidationModule

_PERSONAL = {
    "AR": "dni", "BE": "nn", "BG": "egn", "BR": "cpf", "CL": "rut", "CN": "ric", "CU": "ni", "CZ": "rc",
    "DK": "cpr", "EE": "ik", "ES": "dni", "FI": "hetu", "FR": "nir", "GR": "amka", "HR": "oib", "ID": "nik",
    "IE": "pps", "IN": "aadhaar", "IS": "kennitala", "IT": "codicefiscale", "KR": "rrn",
    "LT": "asmens", "LV": "pvn", "MX": "curp", "MY": "nric", "NL": "bsn", "NO": "fodselsnummer",
    "PK": "cnic", "PL": "pesel", "PT": "cc", "RO": "cnp", "SE": "personnummer", "SI": "emso", "SK": "rc",
    "TH": "pin", "TR": "tckimlik", "ZA": "idnr",
}  # fmt: skip
# Countries whose personal numbers have two digits of the year of birth and do not always name the
# century. python-stdnum assumes one.
_WITHOUT_CENTURY = frozenset({"ID", "IT", "MY", "RO", "ZA"})
# Cards also have numbers of their own, which have another length or other characters than the
# personal number.
_OF_ANOTHER_FORM = (InvalidLength, InvalidFormat)
# South Korea gives numbers without a check digit since October 2020.
_WITHOUT_CHECK_DIGIT = frozenset({"KR"})
# How the personal number is written where the card's own number has as many digits: a Czech card has nine,
# as the personal number of people born before 1954 had, and a Chilean one nine without a dash.
_WRITTEN = {
    "CL": re.compile(r"[\d.]{7,10}-[\dK]", re.IGNORECASE),
    "CZ": re.compile(r"\d{6}/?\d{4}"),
    "PT": re.compile(r"\d{8} ?\d ?[A-Z\d]{2}\d", re.IGNORECASE),
    "SK": re.compile(r"\d{6}/?\d{4}"),
}


class GovernmentIdMrz(DataCheck):
    """Are the check digits of the machine-readable zone right, and does it say what was attested?

    Reads `mrz` of the government ID (TD1, TD2, TD3, MRV-A, MRV-B of ICAO 9303). A letter that
    OCR takes for a digit where only a digit can stand is mended, and named. A check digit that
    is wrong, or another date of birth than attested: fail. Another name or number than attested:
    review. Lines that are no zone: inconclusive. No zone given: not applicable.
    """

    id = "kyc.government_id_mrz"
    title = "Machine-readable zone"
    payload_key = "mrz_check"
    looks_at = "Machine-readable zone"

    def look(self, evidence: Evidence) -> Outcome:
        card = id_data(evidence.attested)
        if not texts(card.get("mrz")):
            return self.not_applicable("No machine-readable zone was given.")
        zone = _zone(card, evidence.today)
        if zone is None:
            return self.of_rows(
                [
                    row(
                        "Zone",
                        "",
                        "unknown",
                        "The lines are not a machine-readable zone.",
                    )
                ],
                passed="",
            )
        rows = [_digit_row(digit) for digit in zone.digits]
        rows += self._compared(zone, evidence)
        if zone.repaired:
            rows.append(
                row(
                    "Mended",
                    ", ".join(zone.repaired),
                    "info",
                    "corrected: OCR mistakes such characters",
                )
            )
        fields = {**zone.fields, "format": zone.format}
        return self.of_rows(
            rows,
            passed=_digits_right(zone),
            fields=fields,
            checks=[_digit_to_wire(digit) for digit in zone.digits],
            repaired=list(zone.repaired),
        )

    def _compared(self, zone: mrz.Zone, evidence: Evidence) -> list[Wire]:
        attested = evidence.attested
        rows = []
        born = text(attested.get("date_of_birth"))
        attested_birth = _date(born)
        # A date whose check digit is wrong was misread, and a value that is no date cannot be
        # compared.
        is_proven = mrz.has_right_digit(zone, "birth")
        if zone.birth_date and attested_birth and is_proven:
            # A check digit covers the date, so a difference is no misreading by OCR. But the year
            # has two digits, which do not tell 1925 from 2025.
            same = mrz.may_be(zone.birth_date, attested_birth)
            if same:
                how = ""
            else:
                how = f"The zone says {zone.birth_date}; {born} was attested."
            day = attested_birth if same else zone.birth_date
            rows.append(row("Date of birth", day, pass_or("fail", good=same), how))
        name = " ".join(
            texts(attested.get("first_name")) + texts(attested.get("last_name"))
        )
        if name:
            read = f"{zone.given_names} {zone.surname}"
            # No check digit covers the name. A difference may be a misreading, so it goes to manual
            # review.
            same = engine.compare(name, read) >= tunables.SAME_IN_ZONE
            if same:
                how = ""
            else:
                how = f"The zone names {read}; {name} was attested."
            rows.append(row("Name", read, pass_or("review", good=same), how))
        card = id_data(attested)
        number = text(card.get("document_number"))
        read = zone.fields["number"]
        if number and read and mrz.has_right_digit(zone, "number"):
            same = mrz.states_number(zone, number)
            if same:
                how = ""
            else:
                how = f"The zone says {read}; {number} was attested."
            rows.append(row("Number", read, pass_or("review", good=same), how))
        return rows


class GovernmentIdExpiry(DataCheck):
    """Is the government ID still valid, and are its dates possible?

    Expired, or issued before the person was born: fail. Expiring within 90 days, or valid for more
    than 15 years: review. No expiry date given: not applicable; not a date: inconclusive. A date in
    the machine-readable zone whose check digit holds is the date of the document: it counts where
    none was attested, and where another was, which is for review.
    """

    id = "kyc.government_id_expiry"
    title = "Validity of the ID"
    payload_key = "id_expiry"
    looks_at = "Government ID"

    def look(self, evidence: Evidence) -> Outcome:
        card = id_data(evidence.attested)
        attested = text(card.get("expiration_date"))
        of_zone = _proven_expiry(card, evidence.today)
        if of_zone is not None:
            value = of_zone.isoformat()
        else:
            value = attested
        if not value:
            return self.not_applicable("No expiry date was given.")
        expires = _date(value)
        if expires is None:
            return self.of_rows(
                [row("Expires", value, "unknown", f"“{value}” is not a date.")],
                passed="",
            )
        left = (expires - evidence.today).days
        if left < 0:
            rows = [
                row(
                    "Expires",
                    value,
                    "fail",
                    f"The document expired {counted(-left, 'day')} ago.",
                )
            ]
        elif left <= tunables.SOON_DAYS:
            rows = [
                row(
                    "Expires",
                    value,
                    "review",
                    f"The document expires in {counted(left, 'day')}.",
                )
            ]
        elif expires.year == mrz.FOREVER.year:
            rows = [row("Expires", value, "pass", "never expires")]
        else:
            rows = [row("Expires", value, "pass", f"valid for {left} more days")]
        if of_zone is not None and attested and _date(attested) != of_zone:
            how = f"The zone says {value}; {attested} was attested."
            rows.append(row("Expires", attested, "review", how))
        rows += self._issue(text(card.get("issue_date")), expires, evidence)
        return self.of_rows(rows, passed=f"Valid until {expires}.", days_left=left)

    def _issue(self, value: str, expires: date, evidence: Evidence) -> list[Wire]:
        issued = _date(value)
        # An ID need not state the date of issue, so a missing one is no finding.
        if issued is None:
            if value:
                return [row("Issued", value, "unknown", f"“{value}” is not a date.")]
            return []
        born = _date(text(evidence.attested.get("date_of_birth")))
        if born and issued < born:
            return [
                row(
                    "Issued",
                    value,
                    "fail",
                    "The issue date is before the date of birth.",
                )
            ]
        if issued > evidence.today:
            return [row("Issued", value, "fail", "The issue date is in the future.")]
        years = expires.year - issued.year
        if expires.year != mrz.FOREVER.year and years > tunables.LONGEST_YEARS:
            how = f"The document would be valid for {years} years."
            return [row("Issued", value, "review", how)]
        return [row("Issued", value, "pass")]


class GovernmentIdNumber(DataCheck):
    """Is the number of the government ID of a valid format for its country?

    Where the country's personal number has a rule (python-stdnum), it must fit, and a date of birth
    within the number must be the one attested: else fail. Another gender within it goes to a person
    (review): people change it, and keep the number in some countries. A number of another
    length or with other characters may be that of the card itself: inconclusive. No number given, or
    one without a known rule: not applicable.
    """

    id = "kyc.government_id_number"
    title = "Number of the ID"
    payload_key = "id_number"
    looks_at = "Government ID"
    rests_on = ("python-stdnum",)

    def look(self, evidence: Evidence) -> Outcome:
        card = id_data(evidence.attested)
        number = text(card.get("document_number"))
        kind = text(card.get("document_type")).casefold()
        country = issuing_country(card)
        if not number:
            return self.not_applicable("No number was given.")
        module = _rule_of(country, kind)
        # Only some countries have personal numbers with a public rule.
        if module is None:
            return self.not_applicable(
                "Not checked: the format for its kind and country is not known."
            )
        try:
            _validate(module, number, country)
        except ValidationError as exc:
            how = f"Not a valid {format_name(module)}: {mistake(exc)}."
            state: State = "fail"
            is_random = country in _WITHOUT_CHECK_DIGIT and isinstance(
                exc, InvalidChecksum
            )
            if isinstance(exc, _OF_ANOTHER_FORM) or is_random:
                state = "unknown"
            return self.of_rows([row("Number", number, state, how)], passed="")
        rows = [row("Number", number, "pass", f"{format_name(module)} format is valid")]
        rows += self._decoded(module, number, country, evidence)
        rows += self._gender(country, number, evidence)
        decoded = {item["label"]: item["value"] for item in rows[1:]}
        rule = module.__name__.removeprefix("stdnum.")
        passed = f"Valid {format_name(module)} format."
        return self.of_rows(rows, passed=passed, format=rule, decoded=decoded)

    def _decoded(
        self, module: object, number: str, country: str, evidence: Evidence
    ) -> list[Wire]:
        rows: list[Wire] = []
        attested = text(evidence.attested.get("date_of_birth"))
        born = birth_date_in(country, module, number)
        attested_birth = _date(attested)
        if born is not None and attested_birth is not None:
            if country in _WITHOUT_CENTURY and mrz.may_be(born, attested_birth):
                born = attested_birth
            same = born == attested_birth
            if same:
                how = ""
            else:
                how = f"The number says {born}; {attested} was attested."
            rows.append(
                row("Date of birth within", born, pass_or("fail", good=same), how)
            )
        return rows

    def _gender(self, country: str, number: str, evidence: Evidence) -> list[Wire]:
        attested = sexes.letter(text(evidence.attested.get("sex"))).upper()
        gender = sex_in(country, number)
        if not attested or not gender:
            return []
        if gender == attested:
            how = ""
        else:
            how = f"The number says {gender}; {attested} was attested."
        return [row("Gender within", gender, pass_or("review", good=not how), how)]


class IdVendorResult(DataCheck):
    """What did the vendor that verified the ID say?

    Validated: pass. Not validated: fail. A record at an address without encryption: review. The vendor
    said neither: inconclusive. No vendor: not applicable. It is the vendor's word; nothing of it is repeated here.
    """

    id = "kyc.id_vendor_result"
    title = "ID vendor"
    payload_key = "id_vendor"
    looks_at = "ID vendor"

    def look(self, evidence: Evidence) -> Outcome:
        card = id_data(evidence.attested)
        vendor = text(card.get("vendor_name"))
        result = card.get("vendor_validated")
        if not vendor and result is None:
            return self.not_applicable("No vendor verified the ID.")
        # Only true and false are results. Any other value means that the vendor did not decide.
        if not isinstance(result, bool):
            rows = [
                row(
                    "Validated",
                    "",
                    "unknown",
                    "The vendor did not say whether it is valid.",
                )
            ]
        elif result:
            rows = [row("Validated", "yes", "pass")]
        else:
            rows = [
                row("Validated", "no", "fail", "The vendor did not validate the ID.")
            ]
        rows.append(row("Vendor", vendor, "info"))
        record = text(card.get("vendor_verification_url"))
        host = _host(record)
        if host:
            rows.append(row("Record", record, "info", f"at {host}"))
        elif record:
            how = "The vendor's record is not at an https address."
            rows.append(row("Record", record, "review", how))
        return self.of_rows(rows, passed=f"{vendor or 'The vendor'} validated the ID.")


def _zone(card: JsonObject, today: date) -> mrz.Zone | None:
    """The machine-readable zone of the card; None where its lines are none, or there are none."""
    lines = []
    for value in texts(card.get("mrz")):
        lines.extend(value.splitlines())
    return mrz.read(mrz.lines_of(lines), today=today)


def _proven_expiry(card: JsonObject, today: date) -> date | None:
    """The date of expiry in the zone of the card, where its check digit holds."""
    zone = _zone(card, today)
    if zone is None or not mrz.has_right_digit(zone, "expiry"):
        return None
    return zone.expiry_date


def _digit_row(digit: mrz.Digit) -> Wire:
    field = mrz.DIGIT_NAMES[digit.field]
    label = f"Check digit: {field}"
    if digit.holds:
        return row(label, digit.actual, "pass")
    how = f"Wrong check digit of {field}: {digit.actual} instead of {digit.expected}."
    return row(label, digit.actual, "fail", how)


def _digit_to_wire(digit: mrz.Digit) -> Wire:
    return {
        "field": digit.field,
        "found": digit.actual,
        "expected": digit.expected,
        "holds": digit.holds,
    }


def _digits_right(zone: mrz.Zone) -> str:
    covered = ", ".join(mrz.DIGIT_NAMES[digit.field] for digit in zone.digits)
    return f"The check digits are right ({covered}). None covers the name, sex or countries."


def _host(url: str) -> str:
    """Return the host of an https URL; empty if it is not one."""
    try:
        parts = urlsplit(url)
        if parts.scheme == "https":
            return parts.hostname or ""
        return ""
    except ValueError:
        return ""


def birth_date_within(card: JsonObject) -> date | None:
    """Return the date of birth in a valid personal number; None if it has none.

    Its century may be another one, if `has_century_within` is False.
    """
    number = text(card.get("document_number"))
    kind = text(card.get("document_type")).casefold()
    country = issuing_country(card)
    module = _rule_of(country, kind)
    if module is None:
        return None
    try:
        _validate(module, number, country)
    except ValidationError:
        return None
    return birth_date_in(country, module, number)


def has_century_within(card: JsonObject) -> bool:
    """Whether the personal numbers of the country of the card name the century of the birth."""
    country = issuing_country(card)
    return country not in _WITHOUT_CENTURY


def _rule_of(country: str, kind: str) -> Any:
    """Return the module for personal numbers of a country; None for documents with numbers of their
    own.
    """
    name = _PERSONAL.get(country)
    # Passports and licences have their own numbers, to which the rule for personal numbers does not
    # apply.
    is_other = "passport" in kind or "licen" in kind
    if name and not is_other:
        return get_cc_module(country.lower(), name)
    return None


def _validate(module: NumberValidationModule, number: str, country: str) -> None:
    """Raises ValidationError if the number is not a valid personal number."""
    written = _WRITTEN.get(country)
    if written and not written.fullmatch(number):
        raise InvalidFormat
    module.validate(number)


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
