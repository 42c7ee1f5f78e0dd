"""The check of ownership documents."""

from __future__ import annotations

from checks.business_ownership.extraction import DOCUMENTS, OwnershipExtraction
from checks.document_check import DocumentCheck, agreement
from checks.document_fraud_check.tool import DocumentFraud
from checks.visual_verification.tool import VisualVerification

EXTRACTION = OwnershipExtraction()


class BusinessOwnershipCheck(DocumentCheck):
    """Who owns the business, in which parts, and do the parts add up?

    A document is valid when it is a register, a list or a declaration of owners (or articles, or
    an operating agreement, that list them), names at least one owner with a share, and its shares
    add up: to all of the business, or, where only owners of a quarter and more are listed, to no
    more than that. The name of the business is compared, and so are the attested `owners` and
    `partners` with their shares.

    Every document is read, inspected and searched for signs of editing; `HIGH_RISK` fails.
    """

    id = "kyb.business_ownership_verification_tool"
    aliases = ("kyb.business_ownership_document_verification",)
    title = "Ownership documents"
    documents = "business_ownership_documents"
    tools = (
        EXTRACTION,
        VisualVerification(expected=DOCUMENTS, cross_reference=agreement(EXTRACTION)),
        DocumentFraud(),
    )
    kinds = frozenset({"ownership_document"})
    called = "document of ownership"
    result_type = "BusinessOwnershipVerificationResult"
    verified = ("business_name", "owners", "date")
