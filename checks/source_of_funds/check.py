"""The checks of documents on the source of funds, of businesses and of people."""

from __future__ import annotations

from checks.document_check import DocumentCheck
from checks.document_fraud_check.tool import DocumentFraud
from checks.source_of_funds.extraction import SOURCES, SourceOfFundsExtraction

RULE = """
    A document is valid when its kind shows a source of money (salary, sale, loan, investment,
    inheritance, accounts, dividends, or a bank statement, which shows that the money is there),
    names the attested party and states an amount. Whether the amount suffices is for a person.

    Every document is read and searched for signs of editing; `HIGH_RISK` fails.
    """


class BusinessSourceOfFundsCheck(DocumentCheck):
    __doc__ = f"Where does the money of the business come from?\n{RULE}"

    id = "kyb.source_of_funds_document_check"
    title = "Source of funds"
    documents = "source_of_funds_documents"
    tools = (SourceOfFundsExtraction("kyb"), DocumentFraud())
    kinds = frozenset(SOURCES)
    called = "document about the source of funds"
    result_type = "SourceOfFundsDocumentCheckResult"
    verified = ("source_of_funds", "party_name", "amount", "date")


class PersonSourceOfFundsCheck(DocumentCheck):
    __doc__ = f"Where does the money of the person come from?\n{RULE}"

    id = "kyc.source_of_funds_document_check"
    title = "Source of funds"
    documents = "source_of_funds_documents"
    tools = (SourceOfFundsExtraction("kyc"), DocumentFraud())
    kinds = frozenset(SOURCES)
    called = "document about the source of funds"
    result_type = "SourceOfFundsDocumentCheckResult"
    verified = ("source_of_funds", "party_name", "amount", "date")
