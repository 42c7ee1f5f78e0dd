"""Writes a suspicious activity report as XML for goAML, the system of many financial
intelligence units.

It covers a report of an activity (SAR) without transactions in schema 4.0.2, with the members and
the order that authorities publish. An authority gives its own schema and code lists at
registration: validate the file there before it is sent. docs/suspicion.md describes the content.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, tostring

from django.conf import settings
from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from compliance.languages import number
from reviews.decisions.decisions import RefusedError
from reviews.filings.goaml.members import LONG_TEXT, NAME, Members, add
from reviews.filings.goaml.parties import add_parties
from reviews.filings.stored_sentences import sentences
from reviews.models import SuspicionReport

REPORT_CODE = "SAR"
ELECTRONIC = "E"
# Characters that the form accepts for the reason of a report.
LONGEST_NARRATIVE = 4_000


def xml(report: SuspicionReport) -> bytes:
    """The XML of an approved report.

    Raises RefusedError if it is not approved or was erased, the narrative is too long, or
    GOAML_ENTITY_ID is not set.
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
    if report.case.erased_at:
        raise RefusedError(_("The personal data of this case were erased."))
    # A narrative is never cut: the author must shorten it.
    narrative = " ".join(sentence.text for sentence in sentences(report))
    if len(narrative) > LONGEST_NARRATIVE:
        raise RefusedError(
            _("goAML has room for %(most)s characters.")
            % {"most": number(LONGEST_NARRATIVE)}
        )
    # The order of the elements is that of the schema.
    root = Element("report")
    add(root, "rentity_id", str(settings.GOAML_ENTITY_ID))
    add(root, "submission_code", ELECTRONIC)
    add(root, "report_code", REPORT_CODE)
    add(root, "entity_reference", f"SR-{report.pk}")
    assert report.second_at is not None  # noqa: S101 - it is approved
    add(root, "submission_date", f"{report.second_at:%Y-%m-%dT%H:%M:%S}")
    add(root, "currency_code_local", settings.GOAML_CURRENCY)
    if report.proposed_by is not None:
        _person_of_desk(SubElement(root, "reporting_person"), report.proposed_by)
    add(root, "reason", narrative)
    activity = SubElement(root, "activity")
    add_parties(SubElement(activity, "report_parties"), report.case)
    content: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return content


def _person_of_desk(parent: Element, user: User) -> None:
    # Both names are required; users without a full name have only a user name.
    members = Members(parent)
    members.add("first_name", user.first_name or user.get_username(), NAME)
    members.add("last_name", user.last_name or user.get_username(), NAME)
    members.add("email", user.email, LONG_TEXT)
