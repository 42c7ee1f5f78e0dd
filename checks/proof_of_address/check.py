"""The checks of proofs of address, for businesses and for people."""

from __future__ import annotations

from checks.document_check import DocumentCheck, agreement
from checks.document_fraud_check.tool import DocumentFraud
from checks.proof_of_address.extraction import (
    ACCEPTED,
    ARGUMENTS,
    ProofOfAddressExtraction,
)
from checks.visual_verification.tool import VisualVerification

KYB_EXTRACTION = ProofOfAddressExtraction("kyb")
KYC_EXTRACTION = ProofOfAddressExtraction("kyc")
KINDS = frozenset(code for codes in ACCEPTED.values() for code in codes)
RULE = """
    A document is valid when it is of an accepted kind, names its holder and an address, and is
    dated within `validity_period` days (90 where nothing was asked for) before the day of the
    check. `accepted_documents` narrows the kinds: BANK_STATEMENT, VAT_INVOICE, UTILITY_BILL,
    TENANCY_AGREEMENT, TAX_DOCUMENT, MORTGAGE_STATEMENT, CREDIT_CARD_STATEMENT, INSURANCE_POLICY,
    LEASE_AGREEMENT, DRIVER_LICENSE. Holder and address are compared with what was attested: where
    the holder differs, or no attested address agrees, a person decides.

    Every document is read, inspected and searched for signs of editing; `HIGH_RISK` fails.
    """


class BusinessProofOfAddressCheck(DocumentCheck):
    __doc__ = (
        f"Does a recent document show the business at an attested address?\n{RULE}"
    )

    id = "kyb.proof_of_address_verification"
    title = "Proof of address"
    documents = "proof_of_address_documents"
    tools = (
        KYB_EXTRACTION,
        VisualVerification(expected=KINDS, cross_reference=agreement(KYB_EXTRACTION)),
        DocumentFraud(),
    )
    arguments = ARGUMENTS
    kinds = KINDS
    called = "proof of address"
    result_type = "ProofOfAddressVerificationResult"
    verified = ("business_address", "holder_name", "date", "proof_of_address_type")


class PersonProofOfAddressCheck(DocumentCheck):
    __doc__ = f"Does a recent document show the person at an attested address?\n{RULE}"

    id = "kyc.proof_of_address_verification"
    title = "Proof of address"
    documents = "proof_of_address_documents"
    tools = (
        KYC_EXTRACTION,
        VisualVerification(expected=KINDS, cross_reference=agreement(KYC_EXTRACTION)),
        DocumentFraud(),
    )
    arguments = ARGUMENTS
    kinds = KINDS
    called = "proof of address"
    result_type = "ProofOfAddressVerificationResult"
    verified = ("address", "holder_name", "date", "proof_of_address_type")
