"""What belongs on which kind of document: one table for all sections of the inspection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# must: its absence is a fault. may: it is optional. none: such documents have none.
Need = Literal["must", "may", "none"]


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is expected.

    `needs_mark`: at least one mark of the issuer: a seal, a digital signature, or a code that leads to
    a register.
    """

    seal: Need = "may"
    signature: Need = "may"
    needs_mark: bool = False


UNKNOWN = Expectation()
# Keys are the codes of `checks.fields.document_types`.
EXPECTED: dict[str, Expectation] = {
    "certificate_of_incorporation": Expectation(
        seal="may", signature="may", needs_mark=True
    ),
    # Anyone can print an extract from the website of a register. Registers seal none and sign few
    # of them.
    "register_extract": Expectation(seal="may", signature="may"),
    "articles_of_incorporation": Expectation(seal="none", signature="must"),
    "bylaws": Expectation(seal="none", signature="may"),
    "ein_letter": Expectation(seal="none", signature="none"),
    "irs_determination_letter": Expectation(seal="none", signature="may"),
    "tax_registration": Expectation(seal="none", signature="none"),
    "bank_statement": Expectation(seal="none", signature="none"),
    "credit_card_statement": Expectation(seal="none", signature="none"),
    "mortgage_statement": Expectation(seal="none", signature="none"),
    "utility_bill": Expectation(seal="none", signature="none"),
    "invoice": Expectation(seal="none", signature="none"),
    "insurance_policy": Expectation(seal="none", signature="may"),
    "tenancy_agreement": Expectation(seal="none", signature="must"),
    "sale_agreement": Expectation(seal="none", signature="must"),
    "loan_agreement": Expectation(seal="none", signature="must"),
    "investment_agreement": Expectation(seal="none", signature="must"),
    "inheritance_document": Expectation(seal="may", signature="may"),
    "ownership_document": Expectation(seal="may", signature="may"),
    "financial_statements": Expectation(seal="none", signature="may"),
    "payslip": Expectation(seal="none", signature="none"),
    "tax_document": Expectation(seal="none", signature="none"),
    "identity_document": Expectation(seal="may", signature="may"),
    "driver_license": Expectation(seal="none", signature="may"),
    "business_licence": Expectation(seal="may", signature="may"),
}


def expectation_of(code: str | None) -> Expectation:
    return EXPECTED.get(code or "", UNKNOWN)
