"""The check of pictures of government IDs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from checks.document_check import DocumentCheck, agreement
from checks.document_fraud_check.tool import DocumentFraud
from checks.evidence import Evidence
from checks.identity_document.extraction import IdentityDocumentExtraction
from checks.identity_document.zone import zone_of
from checks.text import Span
from checks.visual_verification.sections import Section, classification
from checks.visual_verification.tool import VisualVerification

EXTRACTION = IdentityDocumentExtraction()
KINDS = frozenset({"identity_document", "driver_license"})
MEMBER = "government_id_verification_data"
SIDES = ("front_image_url", "back_image_url")


def classify(evidence: Evidence) -> Section:
    """By its zone; where there is none, by its words."""
    read = evidence.once(zone_of)
    if read is None:
        return classification(evidence, KINDS)
    said = f"It bears a machine-readable zone ({read.zone.format})."
    return Section(said, passed=True, boxes=read.text.boxes(Span(0, 1)))


class IdentityDocumentCheck(DocumentCheck):
    """Does the picture of a government ID bear a sound machine-readable zone of this person?

    Pictures are those of `government_id_verification_data.id_data`, front and back. A document is
    valid when its zone (ICAO 9303: passports, visas, cards) could be read, every check digit
    holds, and it has not expired. Name, date of birth, number and expiry are compared with what
    was attested; a difference sends the case to a person. A side without a zone, as the front of
    a card, is inspected and searched for signs of editing, and says nothing about the person.

    Not looked at: the face (see `kyc.face_match`), holograms, whether the document itself was
    before the camera.
    """

    id = "kyc.identity_document_verification"
    title = "Identity documents"
    documents = MEMBER
    tools = (
        EXTRACTION,
        VisualVerification(
            expected=KINDS, cross_reference=agreement(EXTRACTION), classify=classify
        ),
        DocumentFraud(),
    )
    kinds = KINDS
    noun = "a passport, visa or card with a machine-readable zone that is sound"
    result_type = "IdentityDocumentVerificationResult"
    verified = ("name", "date_of_birth", "document_number", "expiration_date", "issuing_country")

    def documents_of(self, attested: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        data = attested.get(MEMBER)
        card = data.get("id_data") if isinstance(data, Mapping) else None
        if not isinstance(card, Mapping):
            return []
        urls = dict.fromkeys(filter(None, (card.get(side) for side in SIDES)))
        return [{"type": "Document", "url": url, "file_name": None} for url in urls]
