"""Builds the XML elements of the file: groups with sequence numbers, members in the form's
order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree.ElementTree import Element, SubElement, register_namespace

NAMESPACE = "www.fincen.gov/base"
YES = "Y"
# The longest text of each element. Codes, days and indicators have a fixed length.
LENGTHS = {
    "ElectronicAddressText": 517,
    "OtherIssuerCountryText": 2,
    "OtherOrganizationSubTypeText": 50,
    "OtherOrganizationTypeText": 50,
    "OtherPartyAssociationTypeText": 50,
    "OtherPartyIdentificationTypeText": 50,
    "OtherSuspiciousActivityTypeText": 50,
    "PartyIdentificationNumberText": 25,
    "PhoneNumberExtensionText": 6,
    "PhoneNumberText": 16,
    "RawCityText": 50,
    "RawEntityIndividualLastName": 150,
    "RawIndividualFirstName": 35,
    "RawIndividualMiddleName": 35,
    "RawIndividualNameSuffixText": 35,
    "RawPartyFullName": 150,
    "RawStateCodeText": 3,
    "RawStreetAddress1Text": 100,
    "RawZIPCode": 9,
    "OccupationBusinessText": 50,
}
# Characters that XML 1.0 cannot hold, and control characters, which the form rejects.
_NO_TEXT = re.compile(r"[^\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
register_namespace("fc2", NAMESPACE)


def plain(text: str) -> str:
    """The text on one line, without characters that the form rejects."""
    return " ".join(_NO_TEXT.sub(" ", text).split())


class Elements:
    """Creates the elements of one file and numbers the groups."""

    def __init__(self, name: str) -> None:
        self.root = Element(_name(name))
        self._count = 0
        # Whole texts that are longer than their element.
        self.cut: list[str] = []

    def group(
        self, parent: Element, name: str, members: Mapping[str, str] | None = None
    ) -> Element:
        """Adds an element for other elements. SeqNum must be unique within the file."""
        self._count += 1
        group = SubElement(parent, _name(name), SeqNum=str(self._count))
        self.members(group, members or {})
        return group

    def members(self, parent: Element, members: Mapping[str, str]) -> None:
        """Adds text elements in alphabetical order, as the schema requires. Empty texts are left
        out.
        """
        for name in sorted(members):
            text = plain(members[name])
            most = LENGTHS.get(name)
            if most and len(text) > most:
                self.cut.append(text)
                text = text[:most].rstrip()
            if text:
                SubElement(parent, _name(name)).text = text


def _name(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"
