"""Writes a suspicious activity report as XML for goAML, the system of many financial
intelligence units.

It covers a report of an activity (SAR) without transactions in schema 4.0.2, with the members and
the order that authorities publish. An authority gives its own schema and code lists at
registration: validate the file there before it is sent. docs/suspicion.md describes the content.
"""

from __future__ import annotations

import re
from datetime import date
from xml.etree.ElementTree import Element, SubElement, tostring

from django.conf import settings
from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from papers import countries
from reviews import results
from reviews.decisions.decisions import RefusedError
from reviews.filings.narrative import sentences
from reviews.models import Case, Kind, SuspicionReport

REPORT_CODE = "SAR"
ELECTRONIC = "E"
# Characters that XML 1.0 cannot hold.
_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Characters that the form accepts for the reason of a report.
LONGEST_NARRATIVE = 4_000
# Characters that the form accepts for names, long names, numbers and cities.
NAME, LONG_NAME, NUMBER, CITY = 100, 255, 50, 255


def xml(report: SuspicionReport) -> bytes:
    """The XML of an approved report.

    Raises RefusedError if it is not approved, the narrative is too long, or GOAML_ENTITY_ID is not
    set.
    """
    if report.status not in {
        SuspicionReport.Status.APPROVED,
        SuspicionReport.Status.FILED,
    }:
        raise RefusedError(_("A second person must agree first."))
    if not settings.GOAML_ENTITY_ID:
        raise RefusedError(
            _("Set GOAML_ENTITY_ID: the number that the authority has given you.")
        )
    # A narrative is never cut: the author must shorten it.
    narrative = " ".join(sentence.text for sentence in sentences(report))
    if len(narrative) > LONGEST_NARRATIVE:
        raise RefusedError(
            _("goAML has room for %(most)s characters.")
            % {"most": f"{LONGEST_NARRATIVE:,}"}
        )
    # The order of the elements is that of the schema.
    root = Element("report")
    _add(root, "rentity_id", str(settings.GOAML_ENTITY_ID))
    _add(root, "submission_code", ELECTRONIC)
    _add(root, "report_code", REPORT_CODE)
    _add(root, "entity_reference", f"SR-{report.pk}")
    assert report.second_at is not None  # noqa: S101 - it is approved
    _add(root, "submission_date", f"{report.second_at:%Y-%m-%dT%H:%M:%S}")
    _add(root, "currency_code_local", settings.GOAML_CURRENCY)
    if report.proposed_by is not None:
        _person_of_desk(SubElement(root, "reporting_person"), report.proposed_by)
    _add(root, "reason", narrative)
    parties = SubElement(SubElement(root, "activity"), "report_parties")
    party = SubElement(parties, "report_party")
    if report.case.kind == Kind.KYC:
        _person(SubElement(party, "person"), report.case)
    else:
        _entity(SubElement(party, "entity"), report.case)
    _add(party, "reason", "The subject of the report")
    content: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return content


def _add(parent: Element, name: str, text: str, most: int = 0) -> None:
    """Adds a text element. An empty text adds nothing, because the schema rejects empty
    elements.
    """
    plain = " ".join(_NO_XML.sub("", text).split())
    if most:
        plain = plain[:most]
    if plain:
        SubElement(parent, name).text = plain


def _person_of_desk(parent: Element, user: User) -> None:
    # Both names are required; users without a full name have only a user name.
    _add(parent, "first_name", user.first_name or user.get_username(), NAME)
    _add(parent, "last_name", user.last_name or user.get_username(), NAME)
    _add(parent, "email", user.email, LONG_NAME)


def _person(parent: Element, case: Case) -> None:
    first = _text(case, "first_name")
    last = _text(case, "last_name")
    if not last:
        # With a single name, it is the last name. The schema requires both.
        first, last = "-", case.subject
    _add(parent, "first_name", first or "-", NAME)
    _add(parent, "middle_name", _text(case, "middle_name"), NAME)
    _add(parent, "last_name", last, NAME)
    _add(parent, "birthdate", _day(_text(case, "date_of_birth")))
    _add(parent, "nationality1", _country(_text(case, "country_of_nationality")))
    _add(parent, "residence", _country(_text(case, "country_of_residence")))
    _address(parent, case, "address")


def _entity(parent: Element, case: Case) -> None:
    _add(parent, "name", case.subject, LONG_NAME)
    number = _text(case, "business_registration_number")
    _add(parent, "incorporation_number", number, NUMBER)
    _address(parent, case, "address_of_incorporation")
    _add(parent, "incorporation_country_code", _country(case.country))
    _add(parent, "incorporation_date", _day(_text(case, "incorporation_date")))


def _address(parent: Element, case: Case, member: str) -> None:
    """Adds the address only if it is complete: street, city and country are required."""
    data = case.self_attested_data
    if isinstance(data, dict):
        value = data.get(member)
    else:
        value = None
    if not isinstance(value, dict):
        return
    # The form has a single line for the street.
    lines = [results.text(value.get(name)) for name in ("street_1", "street_2")]
    street = " ".join(filter(None, lines))
    city = results.text(value.get("city"))
    country = _country(results.text(value.get("country_code")))
    if not street or not city or not country:
        return
    address = SubElement(SubElement(parent, "addresses"), "address")
    _add(address, "address_type", "B" if case.kind == Kind.KYB else "P")
    _add(address, "address", street, NAME)
    _add(address, "city", city, CITY)
    _add(address, "zip", results.text(value.get("postal_code")), 10)
    _add(address, "country_code", country)
    _add(address, "state", results.text(value.get("state")), CITY)


def _text(case: Case, member: str) -> str:
    data = case.self_attested_data
    if isinstance(data, dict):
        value = data.get(member)
    else:
        value = None
    if isinstance(value, list):
        value = value[0] if value else None
    return results.text(value)


def _day(text: str) -> str:
    """Midnight at the start of the day, in ISO 8601; "" if the text is not a date."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return ""
    return f"{day.isoformat()}T00:00:00"


def _country(text: str) -> str:
    """The code of a country that was attested by its code or name; "" if it is unknown."""
    if code := countries.code(text):
        return code
    # An authority may know more codes than the desk.
    return text.upper() if re.fullmatch(r"[A-Za-z]{2}", text) else ""
