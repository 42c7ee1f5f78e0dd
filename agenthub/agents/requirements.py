"""What a case must bring before its recommendation may be Approve: a table, by kind of case.

An agent takes the table of its kind, or names some of its lines. Whoever changes the table gives it
a new VERSION: each job keeps that by which it was judged.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.timezone import now

from agenthub.models import Agent
from agenthub.models.lists import ListSource
from agenthub.screening.index import DatabaseLists
from checks.screening.records import ListVersion

VERSION = "2026-11-23.2"
SCREENED = frozenset({"pass", "review", "fail"})


@dataclass(frozen=True, slots=True)
class Requirement:
    """One thing that a case must bring.

    Of each group of `fields` (members of self_attested_data) one must be filled in; of the `checks`
    one must have ended in one of the verdicts of `ends`; of the `lists` with this topic at least
    one must be loaded, and each that is set up, none of them too old. `absent` is said where the fields are not there,
    `unexamined` where no check ended so.
    """

    id: str
    absent: str = ""
    fields: Sequence[Sequence[str]] = ()
    checks: Sequence[str] = ()
    ends: frozenset[str] = frozenset({"pass"})
    unexamined: str = ""
    lists: str = ""

    @property
    def examines(self) -> bool:
        """Whether more than a filled-in field is asked for."""
        return bool(self.checks)

    @property
    def title(self) -> str:
        words = self.id.replace("_", " ").capitalize()
        return f"{words}, examined" if self.examines else words


KYB = (
    Requirement(
        "legal_name",
        "No name of the business was attested.",
        fields=[("business_name", "registered_business_name")],
    ),
    Requirement(
        "address",
        "No address of the business was attested.",
        fields=[("address_of_incorporation", "address_of_operation")],
    ),
    Requirement(
        "incorporation_document",
        "No document of incorporation was submitted.",
        fields=[("incorporation_documents",)],
        checks=["kyb.incorporation_document_verification"],
        unexamined="No document of incorporation was examined and passed.",
    ),
    Requirement(
        "sanctions_screening",
        checks=["kyb.sanctions_screening_check_v2"],
        ends=SCREENED,
        unexamined="The business was not screened against a list of sanctions.",
        lists="sanction",
    ),
)
KYC = (
    Requirement(
        "full_name",
        "No first and last name were attested.",
        fields=[("first_name",), ("last_name",)],
    ),
    Requirement("date_of_birth", "No date of birth was attested.", fields=[("date_of_birth",)]),
    Requirement(
        "identity_or_address",
        "Neither a government ID nor a proof of address was submitted.",
        fields=[("government_id_verification_data", "proof_of_address_documents")],
        # Not what a vendor is said to have found, nor a number: whoever fills in a form can fill
        # in these, too, and nothing is compared.
        checks=[
            "kyc.identity_document_verification",
            "kyc.government_id_barcode",
            "kyc.government_id_mrz",
            "kyc.proof_of_address_verification",
        ],
        unexamined="No government ID or proof of address was examined and passed.",
    ),
    Requirement(
        "sanctions_screening",
        checks=["kyc.sanctions_screening_check_v2"],
        ends=SCREENED,
        unexamined="The person was not screened against a list of sanctions.",
        lists="sanction",
    ),
)
BY_KIND: Mapping[str, Sequence[Requirement]] = {"kyb": KYB, "kyc": KYC}


def of(agent: Agent) -> Sequence[Requirement]:
    """Those of the agent, in the order of the table."""
    table = BY_KIND[agent.kind]
    return [one for one in table if one.id in agent.requirements] if agent.requirements else table


def version_of(agent: Agent) -> str:
    """Of the table of its kind; for an agent that names lines of it, with a mark of which."""
    version = f"{agent.kind}-{VERSION}"
    if not agent.requirements:
        return version
    named = " ".join(one.id for one in of(agent))
    return f"{version}-{hashlib.sha256(named.encode()).hexdigest()[:8]}"


def missing(agent: Agent, attested: Mapping[str, Any], verdicts: Mapping[str, str]) -> list[str]:
    """What the case lacks for Approve, in words. `verdicts`: of the checks that ran, by their ids."""
    required = of(agent)
    found = [words for one in required for words in _lacks(one, attested, verdicts)]
    if not any(one.examines for one in required):  # named before this was refused
        found.append("The requirements of this agent ask for nothing to be examined.")
    return list(dict.fromkeys(found))


def clean(value: Any, *, kind: str) -> list[str]:
    """The ids of requirements of a kind, each once; none: all. Raises ValidationError."""
    table = BY_KIND.get(kind, ())
    known = [one.id for one in table]
    if not isinstance(value, list) or not {*map(str, value)} <= {*known}:
        raise ValidationError(f"The requirements are a list of some of: {', '.join(known)}.")
    examining = [one.id for one in table if one.examines]
    if value and not {*value} & {*examining}:
        raise ValidationError(
            "Attested data alone is never Approve: name at least one requirement that examines"
            f" something: {', '.join(examining)}."
        )
    return [name for name in known if name in value]


def _lacks(one: Requirement, attested: Mapping[str, Any], verdicts: Mapping[str, str]) -> list[str]:
    if not all(any(_is_there(attested.get(name)) for name in group) for group in one.fields):
        return [one.absent]
    if one.lists and (words := _of_lists(one.lists)):
        return words
    if one.checks and not any(verdicts.get(check_id) in one.ends for check_id in one.checks):
        return [one.unexamined]
    return []


def _of_lists(topic: str) -> list[str]:
    """What is wrong with the lists of the topic: each must be loaded, and not too old."""
    active = {one.slug: one for one in DatabaseLists().versions([topic])}
    if not active:
        return [f"No list of {_LISTS[topic]} is loaded."]
    found = []
    for source in ListSource.objects.all():
        one = active.get(source.slug)
        if one is None and topic in source.topics:
            found.append(f"The list {source.title} is not loaded.")
        elif one is not None and one.is_stale:
            found.append(_age_of(one, source))
    return found


def _age_of(one: ListVersion, source: ListSource) -> str:
    days = (now() - datetime.fromisoformat(one.loaded_at)).days
    loaded = f"it was loaded on {one.loaded_at[:10]}, {days} days ago"
    if days >= source.max_age_days:
        return f"The list {one.title} is too old: {loaded}."
    return f"The list {one.title} must be loaded again: {loaded}, for an earlier way of matching."


_LISTS = {"sanction": "sanctions"}
# Of an address or a document, these say nothing that could be examined.
_SAY_NOTHING = frozenset({"type", "country_code"})


def _is_there(value: Any) -> bool:
    """Whether anything stands in it: a letter or a digit, within whatever objects and lists."""
    if isinstance(value, Mapping):
        return any(_is_there(said) for name, said in value.items() if name not in _SAY_NOTHING)
    if isinstance(value, list):
        return any(map(_is_there, value))
    if isinstance(value, str):
        return any(map(str.isalnum, value))
    return bool(value)
