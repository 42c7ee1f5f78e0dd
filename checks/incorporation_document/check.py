"""The check of incorporation documents."""

from __future__ import annotations

from checks.document_check import DocumentCheck
from checks.document_fraud_check.tool import DocumentFraud
from checks.fields.document_types import INCORPORATION
from checks.incorporation_document.consistency import cross_reference
from checks.incorporation_document.extraction import IncorporationDocumentExtraction
from checks.visual_verification.tool import VisualVerification


class IncorporationDocumentCheck(DocumentCheck):
    """Does a document of incorporation show the company that was attested?

    Every document is read, inspected and searched for signs of editing. The rule:

    - no document attested: not applicable;
    - a document with a strong sign of fraud (`HIGH_RISK`): fail;
    - a document that could not be fetched or read: inconclusive, if no other one is valid;
    - a tool that did not pass, or a field that differs from what was attested: review;
    - a valid document with pages that could not be read: review;
    - a value that was read and cannot be compared with what was attested: inconclusive;
    - at least one valid document, and no tool with a complaint: pass.

    A document is valid when its extraction says so and its fraud verification is not `HIGH_RISK`.
    The verified fields come from the first valid document that has them.
    """

    id = "kyb.incorporation_document_verification"
    title = "Incorporation documents"
    documents = "incorporation_documents"
    tools = (
        IncorporationDocumentExtraction(),
        VisualVerification(expected=INCORPORATION, cross_reference=cross_reference),
        DocumentFraud(),
    )
    kinds = INCORPORATION
    called = "document of incorporation"
    result_type = "IncorporationDocumentVerificationResult"
    verified = (
        "business_name",
        "incorporation_date",
        "business_address",
        "business_activity",
        "jurisdiction",
        "business_registration_number",
    )
