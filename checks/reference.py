"""What a check may ask beside the evidence: the data that the installation holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from checks.screening.lists import Lists
from checks.screening.policy import DEFAULT, Policy


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
    """Another case of the same account that shares something with this one."""

    case_id: str
    name: str
    shared: Sequence[str]


class Cases(Protocol):
    """The other cases of the account."""

    def sharing(self, attested: Mapping[str, Any]) -> Sequence[Earlier]: ...


@dataclass(frozen=True)
class Reference:
    """Each part is None where the caller has no such data: then a check says that it cannot tell.

    `schema` is the whole schema of the case, of which `Evidence.attested` is a part.
    """

    lists: Lists | None = None
    registry: Registry | None = None
    cases: Cases | None = None
    schema: Mapping[str, Any] = field(default_factory=dict)
    policy: Policy = DEFAULT
