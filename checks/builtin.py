"""The checks that come with the project, in the order in which their results are sent: the fastest
first.
"""

from __future__ import annotations

from checks.base import Check
from checks.business_ownership.check import BusinessOwnershipCheck
from checks.date_of_birth.check import DateOfBirthCheck
from checks.document_safety.check import DocumentSafetyCheck
from checks.duplicates.check import DuplicateBusiness, DuplicateSubject
from checks.ein_document.check import EinDocumentCheck
from checks.face_match.check import FaceMatch
from checks.identity_barcode.check import GovernmentIdBarcode
from checks.identity_document.check import IdentityDocumentCheck
from checks.incorporation_document.check import IncorporationDocumentCheck
from checks.list_screening.checks import SCREENING
from checks.proof_of_address.check import (
    BusinessProofOfAddressCheck,
    PersonProofOfAddressCheck,
)
from checks.source_of_funds.check import (
    BusinessSourceOfFundsCheck,
    PersonSourceOfFundsCheck,
)
from checks.subject_data import (
    addresses,
    business,
    contact,
    government_id,
    identity,
    risk,
)
from checks.subject_data.enrichment import EnrichmentComparison
from checks.subject_data.merchant_category import MccCode
from checks.subject_data.profile import BasicBusinessProfile
from checks.website_presence.check import WebsitePresence

DATA: tuple[type[Check], ...] = (
    DateOfBirthCheck, identity.NamePlausibility,
    contact.PersonEmail, contact.PersonPhone, contact.PersonAddress,
    government_id.GovernmentIdMrz, government_id.GovernmentIdExpiry,
    government_id.GovernmentIdNumber, government_id.IdVendorResult, risk.PersonHighRiskCountry,
    business.TaxNumber, business.RegistrationNumber, business.LegalEntityIdentifier,
    business.IncorporationDate, business.OwnershipMath,
    contact.BusinessEmail, contact.BusinessPhone, contact.BusinessAddress,
    risk.BusinessHighRiskCountry, risk.IndustryRisk, addresses.AddressType,
    BasicBusinessProfile, MccCode, DuplicateSubject, DuplicateBusiness,
)  # fmt: skip
# These compare what the document checks have read, so they run after them.
AFTER_DOCUMENTS: tuple[type[Check], ...] = (
    identity.NameConsistency,
    business.BusinessNameConsistency,
    addresses.AddressConsistency,
)
# These may wait for the answer of another server.
ASKING: tuple[type[Check], ...] = (EnrichmentComparison, WebsitePresence)
BUILTIN: tuple[type[Check], ...] = (
    *DATA,
    *SCREENING,
    IncorporationDocumentCheck,
    EinDocumentCheck,
    BusinessProofOfAddressCheck,
    PersonProofOfAddressCheck,
    IdentityDocumentCheck,
    GovernmentIdBarcode,
    FaceMatch,
    BusinessOwnershipCheck,
    BusinessSourceOfFundsCheck,
    PersonSourceOfFundsCheck,
    # It is fast, but the last of the document checks: the others say more about a document that
    # opens.
    DocumentSafetyCheck,
    *AFTER_DOCUMENTS,
    *ASKING,
)
