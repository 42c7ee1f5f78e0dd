"""Code lists of FinCEN's form, with the labels of the form.

The labels stay English, because users compare them with the form and reports are filed in English.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

OTHER = "Other"
# ActivityPartyTypeCode.
TRANSMITTER, TRANSMITTER_CONTACT = "35", "37"
FILER, CONTACT_OFFICE = "30", "8"
WHERE_IT_OCCURRED, SUBJECT = "34", "33"
# PartyIdentificationTypeCode.
SSN, EIN, TIN, LICENCE, PASSPORT, FOREIGN = "1", "2", "4", "5", "6", "9"
CONTROL_CODE, OTHER_ID = "28", "999"
TIN_TYPES = ((EIN, "EIN"), (SSN, "SSN/ITIN"), (FOREIGN, "Foreign"))
# PrimaryRegulatorTypeCode.
REGULATORS = (
    ("9", "CFTC"),
    ("2", "FDIC"),
    ("1", "Federal Reserve"),
    ("13", "FHFA"),
    ("7", "IRS"),
    ("3", "NCUA"),
    ("4", "OCC"),
    ("6", "SEC"),
    ("99", "Not applicable"),
)
# OrganizationTypeID, and OrganizationSubtypeID where the type has any.
INSTITUTIONS = (
    ("2", "Depository institution"),
    ("11", "Loan or finance company"),
    ("4", "Money services business (MSB)"),
    ("3", "Insurance company"),
    ("12", "Housing GSE"),
    ("1-101", "Casino: state licensed"),
    ("1-102", "Casino: tribal authorized"),
    ("1-103", "Casino: card club"),
    ("1-1999", "Casino: other"),
    ("5-535", "Securities/futures: clearing broker-securities"),
    ("5-534", "Securities/futures: CPO/CTA"),
    ("5-541", "Securities/futures: execution-only broker-securities"),
    ("5-508", "Securities/futures: futures commission merchant"),
    ("5-504", "Securities/futures: holding company"),
    ("5-513", "Securities/futures: introducing broker-commodities"),
    ("5-540", "Securities/futures: introducing broker-securities"),
    ("5-514", "Securities/futures: investment adviser"),
    ("5-539", "Securities/futures: investment company"),
    ("5-533", "Securities/futures: retail foreign exchange dealer"),
    ("5-542", "Securities/futures: self-clearing broker-securities"),
    ("5-528", "Securities/futures: SRO futures"),
    ("5-529", "Securities/futures: SRO securities"),
    ("5-503", "Securities/futures: subsidiary of a financial or bank holding company"),
    ("5-5999", "Securities/futures: other"),
    ("999", "Other"),
)
# Types that need an additional description in words.
OTHER_INSTITUTIONS = {"999", "1-1999", "5-5999"}
# Countries whose addresses need a state on the form.
WITH_STATES = {"US", "CA", "MX"}
# State names as people write them → codes of the form.
US_STATES = {
    "alabama": "AL", "alaska": "AK", "arizona": "AZ", "arkansas": "AR", "california": "CA",
    "colorado": "CO", "connecticut": "CT", "delaware": "DE", "district of columbia": "DC",
    "florida": "FL", "georgia": "GA", "hawaii": "HI", "idaho": "ID", "illinois": "IL",
    "indiana": "IN", "iowa": "IA", "kansas": "KS", "kentucky": "KY", "louisiana": "LA",
    "maine": "ME", "maryland": "MD", "massachusetts": "MA", "michigan": "MI", "minnesota": "MN",
    "mississippi": "MS", "missouri": "MO", "montana": "MT", "nebraska": "NE", "nevada": "NV",
    "new hampshire": "NH", "new jersey": "NJ", "new mexico": "NM", "new york": "NY",
    "north carolina": "NC", "north dakota": "ND", "ohio": "OH", "oklahoma": "OK", "oregon": "OR",
    "pennsylvania": "PA", "rhode island": "RI", "south carolina": "SC", "south dakota": "SD",
    "tennessee": "TN", "texas": "TX", "utah": "UT", "vermont": "VT", "virginia": "VA",
    "washington": "WA", "west virginia": "WV", "wisconsin": "WI", "wyoming": "WY",
}  # fmt: skip
# Relationship of the subject to the institution → element of the form. Insiders are left out: the
# desk reviews applicants, and the form asks more about insiders, such as whether they still are
# employed.
RELATIONSHIPS = {
    "customer": "CustomerIndicator",
    "borrower": "BorrowerIndicator",
    "agent": "AgentIndicator",
    "accountant": "AccountantIndicator",
    "attorney": "AttorneyIndicator",
    "appraiser": "AppraiserIndicator",
    "none": "NoRelationshipToInstitutionIndicator",
    "other": "OtherRelationshipIndicator",
}
# The role of the subject in the transactions.
ROLES = {
    "sender": "PurchaserSenderIndicator",
    "receiver": "PayeeReceiverIndicator",
    "both": "BothPurchaserSenderPayeeReceiveIndicator",
}


@dataclass(frozen=True)
class Category:
    """A category of suspicious activity (SuspiciousActivityTypeID) with its activities.

    `activities` are pairs of SuspiciousActivitySubtypeID and label.
    """

    code: int
    label: str
    activities: tuple[tuple[int, str], ...]

    @property
    def other(self) -> int:
        """The code of its activity "Other", which needs a description in words."""
        return self.code * 1000 + 999


CATEGORIES = (
    Category(4, "Identification/documentation", (
        (401, "Changes spelling or arrangement of name"),
        (402, "Multiple individuals with same or similar identities"),
        (403, "Provided questionable or false documentation"),
        (409, "Provided questionable or false identification"),
        (404, "Refused or avoided request for documentation"),
        (405, "Single individual with multiple identities"),
        (4999, OTHER),
    )),
    Category(8, "Money laundering", (
        (801, "Exchanges small bills for large bills or vice versa"),
        (824, "Funnel account"),
        (820, "Suspicion concerning the physical condition of funds"),
        (821, "Suspicion concerning the source of funds"),
        (804, "Suspicious designation of beneficiaries, assignees or joint owners"),
        (805, "Suspicious EFT/wire transfers"),
        (822, "Suspicious exchange of currencies"),
        (806, "Suspicious receipt of government payments/benefits"),
        (807, "Suspicious use of multiple accounts"),
        (808, "Suspicious use of noncash monetary instruments"),
        (809, "Suspicious use of third-party transactors (straw-man)"),
        (823, "Trade-based money laundering/black market peso exchange"),
        (812, "Transaction out of pattern for customer(s)"),
        (8999, OTHER),
    )),
    Category(7, "Terrorist financing", (
        (701, "Known or suspected terrorist/terrorist organization"),
        (7999, OTHER),
    )),
    Category(3, "Fraud", (
        (320, "ACH"),
        (322, "Advance fee"),
        (321, "Business loan"),
        (301, "Check"),
        (304, "Consumer loan"),
        (305, "Credit/debit card"),
        (323, "Healthcare/public or private health insurance"),
        (308, "Mail"),
        (309, "Mass-marketing"),
        (324, "Ponzi scheme"),
        (310, "Pyramid scheme"),
        (325, "Securities fraud"),
        (312, "Wire transfer"),
        (3999, OTHER),
    )),
    Category(1, "Structuring", (
        (111, "Alters or cancels transaction to avoid BSA recordkeeping requirement"),
        (112, "Alters or cancels transaction to avoid CTR requirement"),
        (106, "Suspicious inquiry by customer regarding BSA reporting or recordkeeping requirements"),
        (113, "Transaction(s) below BSA recordkeeping threshold"),
        (114, "Transaction(s) below CTR threshold"),
        (1999, OTHER),
    )),
    Category(12, "Gaming activities", (
        (1201, "Chip walking"),
        (1202, "Minimal gaming with large transactions"),
        (1203, "Suspicious use of counter checks or markers"),
        (1204, "Unknown source of chips"),
        (12999, OTHER),
    )),
    Category(5, "Insurance", (
        (501, "Excessive insurance"),
        (502, "Excessive or unusual cash borrowing against policy/annuity"),
        (504, "Proceeds sent to unrelated third party"),
        (505, "Suspicious life settlement sales insurance"),
        (506, "Suspicious termination of policy or contract"),
        (507, "Unclear or no insurable interest"),
        (5999, OTHER),
    )),
    Category(6, "Securities/futures/options", (
        (601, "Insider trading"),
        (608, "Market manipulation"),
        (603, "Misappropriation"),
        (604, "Unauthorized pooling"),
        (609, "Wash trading"),
        (6999, OTHER),
    )),
    Category(10, "Mortgage fraud", (
        (1005, "Application fraud"),
        (1001, "Appraisal fraud"),
        (1006, "Foreclosure/short sale fraud"),
        (1003, "Loan modification fraud"),
        (1007, "Origination fraud"),
        (10999, OTHER),
    )),
    Category(11, "Cyber event", (
        (1101, "Against financial institution(s)"),
        (1102, "Against financial institution customer(s)"),
        (11999, OTHER),
    )),
    Category(9, "Other suspicious activities", (
        (920, "Account takeover"),
        (901, "Bribery or gratuity"),
        (917, "Counterfeit instrument (other)"),
        (921, "Elder financial exploitation"),
        (903, "Embezzlement/theft/disappearance of funds"),
        (904, "Forgeries"),
        (926, "Human smuggling"),
        (927, "Human trafficking"),
        (905, "Identity theft"),
        (922, "Little or no concern for product performance penalties, fees, or tax consequences"),
        (924, "Misuse of position or self-dealing"),
        (907, "Suspected public/private corruption (domestic)"),
        (908, "Suspected public/private corruption (foreign)"),
        (909, "Suspicious use of informal value transfer system"),
        (910, "Suspicious use of multiple locations"),
        (925, "Transaction with no apparent economic, business, or lawful purpose"),
        (928, "Transaction(s) involving foreign high risk jurisdiction"),
        (911, "Two or more individuals working together"),
        (913, "Unlicensed or unregistered MSB"),
        (9999, OTHER),
    )),
)  # fmt: skip


def _activities() -> Iterator[tuple[int, tuple[Category, str]]]:
    for category in CATEGORIES:
        for code, label in category.activities:
            yield code, (category, label)


# Code of an activity → its category and its label.
ACTIVITIES = dict(_activities())
