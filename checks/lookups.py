"""What a check may ask beside the evidence: the data that the installation holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from checks.screening.lists import Lists
from checks.screening.policy import DEFAULT, Policy
from checks.wire import JsonObject


@dataclass(frozen=True, slots=True)
class Registered:
    """A company as a register has it; what the register does not tell is empty."""

    name: str
    source: str
    lei: str = ""
    number: str = ""
    country: str = ""
    status: str = ""
    city: str = ""


class Registry(Protocol):
    """Reference data of companies that were loaded here."""

    def by_lei(self, lei: str) -> Registered | None: ...

    def is_loaded(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Earlier:
    """Another case of the same account and kind: what it attests, and since when (ISO 8601)."""

    case_id: str
    attested: JsonObject
    since: str


class Cases(Protocol):
    """The other cases of the account."""

    def sharing(
        self, marks: Sequence[str], hints: Sequence[str] = ()
    ) -> Sequence[Earlier]:
        """Cases that bear one of the marks, then those that bear the most hints; a few dozen.

        Both are opaque words of this case (`checks.duplicates.blocking_keys`), which it bears from then
        on, too: of two like cases at the same time at least one is told of the other.
        """
        ...


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """What another check of this job read from a document: its `extraction_data`."""

    file_name: str
    facts: JsonObject


class ExtractedFacts(Protocol):
    """What the documents of this job say, as far as other checks have read them."""

    def of(self, check_id: str) -> Sequence[ReadDocument] | None:
        """The documents that a check found valid; None where it has not looked at them."""
        ...


@dataclass(frozen=True, slots=True)
class Enriched:
    """What somebody else knows of the business; `data` by the names of self-attested data.

    `none`: there is nobody to ask but the business's own cases.
    """

    status: Literal["success", "not_found", "error", "none"]
    source: str = ""
    data: JsonObject = field(default_factory=dict)
    error: str = ""


class Enrichment(Protocol):
    """The provider of enrichCompany. What goes wrong is a status, not an exception."""

    def company(self, facts: Mapping[str, str]) -> Enriched:
        """Facts: name, website, location (a country); none of them blank."""
        ...


@dataclass(frozen=True, slots=True)
class ListedAddress:
    """An address where many businesses are registered, none of which need be there."""

    kind: str  # as the list has it: registered agent, virtual office, mail drop …
    name: str
    address: JsonObject
    source: str


class Addresses(Protocol):
    """The lists of such addresses that were loaded here."""

    def is_loaded(self) -> bool: ...

    def near(self, place: str) -> Sequence[ListedAddress]:
        """The listed ones of a place (`checks.duplicates.blocking_keys.place_of`)."""
        ...


@dataclass(frozen=True, slots=True)
class Visit:
    """What a website answered. `problem` says why nothing was had; then `status` is None."""

    url: str  # where it led
    status: int | None = None
    problem: str = ""
    body: bytes = b""
    content_type: str = ""
    certificate_until: str = (
        ""  # ISO 8601; empty where the connection was not encrypted
    )
    at: str = ""  # ISO 8601


class Web(Protocol):
    """The way out, where the installation lets checks look at websites."""

    def visit(self, url: str) -> Visit: ...


@dataclass(frozen=True)
class Lookups:
    """Each part is None where the caller has no such data: then a check says that it cannot tell.

    `schema` is the whole schema of the case, of which `Evidence.attested` is a part.
    """

    lists: Lists | None = None
    registry: Registry | None = None
    cases: Cases | None = None
    extracted_facts: ExtractedFacts | None = None
    enrichment: Enrichment | None = None
    addresses: Addresses | None = None
    web: Web | None = None
    schema: JsonObject = field(default_factory=dict)
    policy: Policy = DEFAULT

    def documents_read_by(self, check_id: str) -> Sequence[ReadDocument] | None:
        """What this check read from documents; None: it has not run, or nobody keeps it."""
        if self.extracted_facts is None:
            return None
        return self.extracted_facts.of(check_id)
