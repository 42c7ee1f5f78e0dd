"""Which checks exist, in the order in which their results are sent: fastest first."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from importlib.metadata import entry_points
from typing import Literal

from checks.base import Check
from checks.business_ownership.check import BusinessOwnershipCheck
from checks.date_of_birth.check import DateOfBirthCheck
from checks.document_safety.check import DocumentSafetyCheck
from checks.duplicates.check import DuplicateBusiness, DuplicateSubject
from checks.ein_document.check import EinDocumentCheck
from checks.identity_barcode.check import GovernmentIdBarcode
from checks.identity_document.check import IdentityDocumentCheck
from checks.incorporation_document.check import IncorporationDocumentCheck
from checks.proof_of_address.check import BusinessProofOfAddressCheck, PersonProofOfAddressCheck
from checks.screening.checks import SCREENING
from checks.source_of_funds.check import BusinessSourceOfFundsCheck, PersonSourceOfFundsCheck
from checks.subject_data import business, contact, government_id, identity, premises, risk
from checks.subject_data.enrichment import EnrichmentComparison
from checks.website_presence.check import WebsitePresence

DATA: tuple[type[Check], ...] = (
    DateOfBirthCheck, identity.NamePlausibility,
    contact.PersonEmail, contact.PersonPhone, contact.PersonAddress,
    government_id.GovernmentIdMrz, government_id.GovernmentIdExpiry,
    government_id.GovernmentIdNumber, government_id.IdVendorResult, risk.PersonHighRiskCountry,
    business.TaxNumber, business.RegistrationNumber, business.LegalEntityIdentifier,
    business.IncorporationDate, business.OwnershipMath,
    contact.BusinessEmail, contact.BusinessPhone, contact.BusinessAddress,
    risk.BusinessHighRiskCountry, risk.IndustryRisk, premises.AddressType,
    DuplicateSubject, DuplicateBusiness,
)  # fmt: skip
# These compare what the checks of documents have read, so they come after those.
AFTER_DOCUMENTS: tuple[type[Check], ...] = (
    identity.NameConsistency,
    business.BusinessNameConsistency,
    premises.AddressConsistency,
)
# These may wait for somebody else's answer.
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
    BusinessOwnershipCheck,
    BusinessSourceOfFundsCheck,
    PersonSourceOfFundsCheck,
    # Quick, and yet the last of these: where a document opens, the others have more to say.
    DocumentSafetyCheck,
    *AFTER_DOCUMENTS,
    *ASKING,
)
GROUP = "compliance.checks"
CaseKind = Literal["kyb", "kyc"]


class UnknownCheckError(LookupError):
    """There is no check with this id or alias."""

    def __init__(self, check_id: str) -> None:
        super().__init__(f"unknown check: {check_id}")
        self.check_id = check_id


@cache
def all_checks() -> dict[str, Check]:
    """Every check by its id: the built-in ones, then those of installed plug-ins."""
    plugins: list[type[Check]] = [entry.load() for entry in entry_points(group=GROUP)]
    return {check.id: check() for check in (*BUILTIN, *plugins)}


def get(id_or_alias: str) -> Check:
    for check in all_checks().values():
        if id_or_alias == check.id or id_or_alias in check.aliases:
            return check
    raise UnknownCheckError(id_or_alias)


def select(check_ids: Collection[str] = (), kind: CaseKind | None = None) -> list[Check]:
    """The asked-for checks (all where none is named) that apply to a kind of case.

    The kind stands before the dot of a check's id; a check without one applies to both.
    """
    wanted = {get(check_id).id for check_id in check_ids} or set(all_checks())
    return [
        check
        for check in all_checks().values()
        if check.id in wanted and (kind is None or _applies(check, kind))
    ]


def _applies(check: Check, kind: CaseKind) -> bool:
    prefix, dot, _ = check.id.partition(".")
    return not dot or prefix == kind
