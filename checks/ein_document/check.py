"""The check of EIN letters."""

from __future__ import annotations

from checks.document_check import DocumentCheck, agreement
from checks.document_fraud_check.tool import DocumentFraud
from checks.ein_document.extraction import LETTERS, EinDocumentExtraction
from checks.fields.document_types import TAX_REGISTRATIONS
from checks.visual_verification.tool import VisualVerification

EXTRACTION = EinDocumentExtraction()
KINDS = LETTERS | TAX_REGISTRATIONS


class EinDocumentCheck(DocumentCheck):
    """Does a letter of the IRS show the EIN and the business that were attested?

    A letter is valid when it is a CP 575, a 147C or a determination letter, states an EIN whose
    prefix the IRS assigns, and names the business. A registration of another tax office (VAT, GST,
    Udyam, orders under section 12A, and the like) is valid when it states a number and names the
    business. Name and number are compared with what was
    attested; a difference sends the case to a person. The address is compared and does not decide.

    Every document is read, inspected and searched for signs of editing; `HIGH_RISK` fails.
    """

    id = "kyb.ein_document_verification"
    title = "EIN letters"
    documents = "ein_documents"
    tools = (
        EXTRACTION,
        VisualVerification(expected=KINDS, cross_reference=agreement(EXTRACTION)),
        DocumentFraud(),
    )
    kinds = KINDS
    called = "letter with an EIN"
    result_type = "EinDocumentVerificationResult"
    verified = ("business_name", "ein", "tax_number", "business_address", "date")
