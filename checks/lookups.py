"""Data of the installation that a check may ask for, besides the evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from checks.screening.policy import DEFAULT, Policy
from checks.wire import JsonObject

if TYPE_CHECKING:
    # It loads the comparison of names, which a process that runs no check does not need.
    from checks.screening.lists import Lists


@dataclass(frozen=True, slots=True)
class Registered:
    """A company in a register. Facts that the register does not have are empty."""

    name: str
    source: str
    lei: str = ""
    number: str = ""
    country: str = ""
    status: str = ""
    city: str = ""


class Registry(Protocol):
    """Reference data about companies that were loaded here."""

    def by_lei(self, lei: str) -> Registered | None: ...

    def is_loaded(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Earlier:
    """Another case of the same account and kind: its attested data, and its time (ISO 8601)."""

    case_id: str
    attested: JsonObject
    since: str


class Cases(Protocol):
    """The other cases of the account."""

    def sharing(
        self, marks: Sequence[str], hints: Sequence[str] = ()
    ) -> Sequence[Earlier]:
        """Return cases that share one of the marks, then those that share the most hints; a few
        dozen.

        Both are opaque keys of this case (`checks.duplicates.blocking_keys`), which are stored for
        it by this call. So if two similar cases arrive at the same time, at least one finds the
        other.
        """
        ...


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """What another check of this job read from a document: its `extraction_data`."""

    file_name: str
    facts: JsonObject


class ExtractedFacts(Protocol):
    """What the documents of this job state, as far as other checks have read them."""

    def of(self, check_id: str) -> Sequence[ReadDocument] | None:
        """Return the documents that a check found valid; None if it has not examined them."""
        ...


@dataclass(frozen=True, slots=True)
class Enriched:
    """What another source knows about the business. `data` has the names of self-attested data.

    Status `none`: there is no provider, only the other cases of the business.
    """

    status: Literal["success", "not_found", "error", "none"]
    source: str = ""
    data: JsonObject = field(default_factory=dict)
    error: str = ""


class Enrichment(Protocol):
    """The provider of enrichCompany. Errors are a status, not an exception."""

    def company(self, facts: Mapping[str, str]) -> Enriched:
        """Look up a company.

        The facts are name, website and location (a country); none is blank.
        """
        ...


@dataclass(frozen=True, slots=True)
class ListedAddress:
    """An address where many businesses are registered, but need not really be."""

    kind: str  # as the list calls it: registered agent, virtual office, mail drop …
    name: str
    address: JsonObject
    source: str


class Addresses(Protocol):
    """The lists of such addresses that were loaded here."""

    def is_loaded(self) -> bool: ...

    def near(self, place: str) -> Sequence[ListedAddress]:
        """Return the listed addresses of a place (`checks.duplicates.blocking_keys.place_of`)."""
        ...


@dataclass(frozen=True, slots=True)
class Visit:
    """The response of a website.

    If there was none, `problem` is the reason and `status` is None.
    """

    url: str  # the final URL, after redirects
    status: int | None = None
    problem: str = ""
    body: bytes = b""
    content_type: str = ""
    certificate_until: str = (
        ""  # ISO 8601; empty where the connection was not encrypted
    )
    at: str = ""  # ISO 8601


class Web(Protocol):
    """Access to websites, if the installation allows it for checks."""

    def visit(self, url: str) -> Visit: ...


@dataclass(frozen=True)
class Lookups:
    """The lookups of the caller. A part is None if the caller does not have it; a check then
    reports that it cannot decide.

    `schema` is the whole schema of the case. `Evidence.attested` is a part of it.
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
        """Return what this check read from documents; None if it has not run or nothing stores its
        results.
        """
        if self.extracted_facts is None:
            return None
        return self.extracted_facts.of(check_id)
