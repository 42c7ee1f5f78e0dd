"""Writes a suspicious activity report as XML for FinCEN's BSA E-Filing: form 111 (SARX), one
report per file.

If a required fact is missing, no file is made; missing() lists the names.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from xml.etree.ElementTree import Element, tostring

from django.utils.timezone import get_default_timezone, localdate
from django.utils.translation import gettext as _

from reviews.decisions.decisions import RefusedError
from reviews.filings.fincen import codes, facts, institution, subject
from reviews.filings.fincen.elements import NAMESPACE, YES, Elements, plain
from reviews.filings.fincen.facts import CONTINUING, CORRECTION, INITIAL, Facts
from reviews.filings.stored_sentences import sentences
from reviews.models import ReportingInstitution, SuspicionReport

FORM = "SARX"
# Characters that the form accepts: for the whole narrative, and for one part of it.
LONGEST_NARRATIVE, LONGEST_PART = 17_000, 4_000
_KINDS = {
    INITIAL: "InitialReportIndicator",
    CORRECTION: "CorrectsAmendsPriorReportIndicator",
    CONTINUING: "ContinuingActivityReportIndicator",
}
_SCHEMA_LOCATION = "{http://www.w3.org/2001/XMLSchema-instance}schemaLocation"
_SCHEMA = f"{NAMESPACE} https://www.fincen.gov/base/EFL_SARXBatchSchema.xsd"


def missing(report: SuspicionReport) -> list[str]:
    """The names of the required facts that nobody has entered."""
    names = facts.missing(facts.of(report))
    filer = institution.current()
    if filer is None:
        return [*names, _("Everything about the institution")]
    of_filer = ", ".join(institution.missing(filer))
    if of_filer:
        names.append(_("Of the installation: %(name)s") % {"name": of_filer})
    return names


def xml(report: SuspicionReport) -> bytes:
    """The XML of an approved report. Raises RefusedError if it is not approved or facts are
    missing.
    """
    if report.status not in {
        SuspicionReport.Status.APPROVED,
        SuspicionReport.Status.FILED,
    }:
        raise RefusedError(_("A second person must agree first."))
    if report.case.erased_at:
        raise RefusedError(_("The personal data of this case were erased."))
    filer = institution.current()
    names = missing(report)
    if filer is None or names:
        words = _("FinCEN's form needs: %(names)s.")
        raise RefusedError(words % {"names": "; ".join(names)})
    # The day of the approval in the zone of the installation, so that the file is the same for all.
    day = localdate(report.second_at, get_default_timezone())
    return _write(report, facts.of(report), filer, day)


def parts(narrative: str) -> Iterator[str]:
    """Splits the narrative into parts of at most LONGEST_PART characters.

    Joined together they are the same text. No part begins or ends with a space, because a reader of
    the XML may strip it.
    """
    text = plain(narrative)
    while len(text) > LONGEST_PART:
        cut = LONGEST_PART
        # Move the cut back, until neither side of it is a space.
        while " " in text[cut - 1 : cut + 1]:
            cut -= 1
        yield text[:cut]
        text = text[cut:]
    if text:
        yield text


def _write(
    report: SuspicionReport, stated: Facts, filer: ReportingInstitution, today: date
) -> bytes:
    elements = Elements("EFilingBatchXML")
    elements.root.set(_SCHEMA_LOCATION, _SCHEMA)
    # The totals that the schema demands. There is one activity with one subject, and no attachment.
    elements.root.set("TotalAmount", _amount(stated) or "0")
    elements.root.set("PartyCount", "1")
    elements.root.set("ActivityCount", "1")
    elements.root.set("ActivityAttachmentCount", "0")
    elements.root.set("AttachmentCount", "0")
    elements.members(elements.root, {"FormTypeCode": FORM})
    members = {"FilingDateText": f"{today:%Y%m%d}"}
    if stated.kind != INITIAL:
        members["EFilingPriorDocumentNumber"] = stated.prior_number
    activity = elements.group(elements.root, "Activity", members)
    elements.group(activity, "ActivityAssociation", {_KINDS[stated.kind]: YES})
    _add_transmitter(elements, activity, filer)
    _add_institution(elements, activity, filer)
    subject.add(elements, activity, report.case, stated, filer.tin)
    _add_activity(elements, activity, stated)
    # The form limits each part of the narrative, so it is split.
    narrative = " ".join(sentence.text for sentence in sentences(report))
    for number, part in enumerate(parts(narrative), 1):
        members = {
            "ActivityNarrativeSequenceNumber": str(number),
            "ActivityNarrativeText": part,
        }
        elements.group(activity, "ActivityNarrativeInformation", members)
    content: bytes = tostring(elements.root, encoding="utf-8", xml_declaration=True)
    return content


def _add_transmitter(
    elements: Elements, activity: Element, filer: ReportingInstitution
) -> None:
    party = elements.group(
        activity, "Party", {"ActivityPartyTypeCode": codes.TRANSMITTER}
    )
    _add_name(elements, party, filer.transmitter)
    address = {
        "RawStreetAddress1Text": filer.transmitter_street,
        "RawCityText": filer.transmitter_city,
        "RawStateCodeText": filer.transmitter_state,
        "RawZIPCode": filer.transmitter_postal_code,
        "RawCountryCodeText": filer.transmitter_country,
    }
    elements.group(party, "Address", address)
    elements.group(party, "PhoneNumber", {"PhoneNumberText": filer.transmitter_phone})
    _add_number(elements, party, codes.TIN, filer.transmitter_tin)
    _add_number(elements, party, codes.CONTROL_CODE, filer.transmitter_code)
    contact = elements.group(
        activity, "Party", {"ActivityPartyTypeCode": codes.TRANSMITTER_CONTACT}
    )
    _add_name(elements, contact, filer.transmitter_contact)


def _add_institution(
    elements: Elements, activity: Element, filer: ReportingInstitution
) -> None:
    """Adds the institution twice: as the filer, with its contact office; and as the place of the
    activity.
    """
    members = {
        "ActivityPartyTypeCode": codes.FILER,
        "PrimaryRegulatorTypeCode": filer.regulator,
    }
    _describe(elements, elements.group(activity, "Party", members), filer)
    # The contact office of the filer is a party of its own.
    office = elements.group(
        activity, "Party", {"ActivityPartyTypeCode": codes.CONTACT_OFFICE}
    )
    _add_name(elements, office, filer.office)
    phone = {
        "PhoneNumberText": filer.office_phone,
        "PhoneNumberExtensionText": filer.office_extension,
    }
    elements.group(office, "PhoneNumber", phone)
    members["ActivityPartyTypeCode"] = codes.WHERE_IT_OCCURRED
    members["NoBranchActivityInvolvedIndicator"] = YES
    _describe(elements, elements.group(activity, "Party", members), filer)


def _describe(elements: Elements, party: Element, filer: ReportingInstitution) -> None:
    _add_name(elements, party, filer.name)
    address = {
        "RawStreetAddress1Text": filer.street,
        "RawCityText": filer.city,
        "RawStateCodeText": filer.state,
        "RawZIPCode": filer.postal_code,
        "RawCountryCodeText": filer.country,
    }
    elements.group(party, "Address", address)
    _add_number(elements, party, filer.tin_type, filer.tin)
    # Codes such as "5-535" consist of type and subtype.
    kind, _dash, subkind = filer.kind.partition("-")
    members = {"OrganizationTypeID": kind, "OrganizationSubtypeID": subkind}
    if filer.kind in codes.OTHER_INSTITUTIONS:
        name = (
            "OtherOrganizationSubTypeText" if subkind else "OtherOrganizationTypeText"
        )
        members[name] = filer.other_kind
    elements.group(party, "OrganizationClassificationTypeSubtype", members)


def _add_name(elements: Elements, party: Element, name: str) -> None:
    members = {"PartyNameTypeCode": "L", "RawPartyFullName": name}
    elements.group(party, "PartyName", members)


def _add_number(elements: Elements, party: Element, kind: str, number: str) -> None:
    members = {
        "PartyIdentificationNumberText": number,
        "PartyIdentificationTypeCode": kind,
    }
    elements.group(party, "PartyIdentification", members)


def _add_activity(elements: Elements, activity: Element, stated: Facts) -> None:
    members = {
        "SuspiciousActivityFromDateText": stated.first_day.replace("-", ""),
        "SuspiciousActivityToDateText": stated.last_day.replace("-", ""),
        "TotalSuspiciousAmountText": _amount(stated),
    }
    if stated.amount == facts.UNKNOWN:
        # The form demands either an amount or the reason why there is none.
        members["AmountUnknownIndicator"] = YES
    elif stated.amount == facts.NONE:
        members["NoAmountInvolvedIndicator"] = YES
    if stated.kind == CONTINUING:
        members["CumulativeTotalViolationAmountText"] = stated.cumulative_dollars
    suspicious = elements.group(activity, "SuspiciousActivity", members)
    for code in stated.activities:
        category, _label = codes.ACTIVITIES[code]
        members = {
            "SuspiciousActivitySubtypeID": str(code),
            "SuspiciousActivityTypeID": str(category.code),
        }
        if code == category.other:
            words = stated.words_for(category.code)
            members["OtherSuspiciousActivityTypeText"] = words
        elements.group(suspicious, "SuspiciousActivityClassification", members)


def _amount(stated: Facts) -> str:
    """The amount in whole dollars; "" if it is unknown."""
    if stated.amount != facts.KNOWN:
        return ""
    return str(int(stated.dollars))
