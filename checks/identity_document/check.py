"""The check of pictures of government IDs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from checks.base import Examined, Verdict
from checks.data_check import id_data
from checks.document_check import DocumentCheck, agreement
from checks.document_fraud_check.tool import DocumentFraud
from checks.driving_licence.front import front_of
from checks.evidence import Evidence
from checks.identity_document.card_front import card_front_of
from checks.identity_document.extraction import (
    UNREADABLE_NAME,
    IdentityDocumentExtraction,
)
from checks.identity_document.mrz import zone_of
from checks.text.words import Span
from checks.visual_verification.sections import Section, classification
from checks.visual_verification.tool import VisualVerification
from checks.wire import JsonObject

EXTRACTION = IdentityDocumentExtraction()
KINDS = frozenset({"identity_document", "driver_license"})
NO_ZONE = "No machine-readable zone could be read: the person on the document was not compared."
MEMBER = "government_id_verification_data"
SIDES = ("front_image_url", "back_image_url")


def classify(evidence: Evidence) -> Section:
    """Recognise the document by its zone or the numbered fields of a licence; without either, by
    its words.
    """
    read = evidence.once(zone_of)
    front = evidence.once(front_of)
    if read is None and front is not None:
        surname = front.fields["1"]
        boxes = evidence.text.boxes(surname.span)
        sentence = "It has the numbered fields of a driving licence."
        return Section(sentence, passed=True, boxes=boxes)
    card = evidence.once(card_front_of)
    if read is None and card is not None:
        first = card.name_fields[0]
        name = card.fields[first]
        boxes = evidence.text.boxes(name.span)
        sentence = "It has the labelled fields of an identity card."
        return Section(sentence, passed=True, boxes=boxes)
    if read is None:
        return classification(evidence, KINDS)
    sentence = f"It has a machine-readable zone ({read.zone.format})."
    return Section(sentence, passed=True, boxes=read.text.boxes(Span(0, 1)))


class IdentityDocumentCheck(DocumentCheck):
    """Does the picture of a government ID show a valid machine-readable zone of this person?

    Pictures are those of `government_id_verification_data.id_data`, front and back. A document is
    valid when its zone (ICAO 9303: passports, visas, cards) could be read, every check digit
    is right, and it has not expired. An expired document fails. Name, date of birth, number and
    expiry are compared with what was attested; a difference sends the case to a person. Where nothing
    is wrong but that the name could not be read surely, the check is inconclusive. A side
    without a zone, as the front of a card, is inspected and searched for signs of editing, and says
    nothing about the person; where no side has a zone that could be read, the check is inconclusive.

    A driving licence has no zone. Its front is read by the numbers of its fields (1 to 5, of the European
    Union and of North America), and is valid when name, date of birth, number and expiry were read surely,
    it has not expired, and the attested name is the same. The number of a British licence is held against
    the surname and the date of birth that it encodes.

    The front of an identity card is read by its labels (surname, given names, birth, expiry, number), in
    24 languages, and is valid on the same terms as a licence. With the back beside it, the zone there is read, too.

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
    called = "identity document"
    result_type = "IdentityDocumentVerificationResult"
    verified = (
        "name",
        "date_of_birth",
        "document_number",
        "expiration_date",
        "issuing_country",
    )

    def _verdict(
        self,
        examined: Sequence[Examined],
        items: Sequence[JsonObject],
        valid: Sequence[Mapping[str, object]],
    ) -> tuple[Verdict, str]:
        verdict, explanation = super()._verdict(examined, items, valid)
        is_read = False
        expired: list[str] = []
        complaints: set[str] = set()
        for item in items:
            data = item["extraction_data"] or {}
            is_read = is_read or bool(data.get("mrz_format"))
            is_read = is_read or bool(data.get("licence_fields"))
            is_read = is_read or bool(data.get("card_fields"))
            complaints.update((data.get("alerts") or {}).values())
            # Both sides may have the same complaint.
            sentence = str(data.get("expired") or "")
            if sentence and sentence not in expired:
                expired.append(sentence)
        if expired and verdict != "fail":
            return "fail", f"The identity document has expired. {' '.join(expired)}"
        if verdict != "review":
            return verdict, explanation
        if not is_read:
            return "inconclusive", NO_ZONE
        if complaints == {UNREADABLE_NAME}:
            sentence = f"{UNREADABLE_NAME} The person on it was not compared."
            return "inconclusive", sentence
        return verdict, explanation

    def documents_of(
        self, attested: Mapping[str, object]
    ) -> Sequence[Mapping[str, object]]:
        card = id_data(attested)
        urls: list[object] = []
        for side in SIDES:
            url = card.get(side)
            if url and url not in urls:
                urls.append(url)
        return [{"type": "Document", "url": url, "file_name": None} for url in urls]
