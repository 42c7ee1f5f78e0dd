"""The requirements that a case must meet before its recommendation may be Approve.

There is a table per kind of case. An agent uses the table of its kind, or some of its lines. Change
VERSION with the table: each job stores the version by which it was judged.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import ValidationError
from django.utils.timezone import now
from django.utils.translation import gettext as _

from agenthub.models import Agent
from agenthub.models.lists import ListSource
from agenthub.screening.index import DatabaseLists
from agenthub.wire import JsonObject
from checks.screening.records import ListVersion

VERSION = "2026-11-23.2"
# Verdicts that show that a screening took place.
SCREENED = frozenset({"pass", "review", "fail"})


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement of a case.

    `fields`: groups of members of self_attested_data; one of each group must be filled in.
    `checks`: one of them must have ended with a verdict in `ends`.
    `lists`: a topic. At least one list with it must be loaded, and every configured one must be
    loaded and not too old.
    `absent`: the message if fields are missing. `unexamined`: the message if no check ended so.
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
        """Whether the requirement needs a check and not only filled-in fields."""
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
    Requirement(
        "date_of_birth", "No date of birth was attested.", fields=[("date_of_birth",)]
    ),
    Requirement(
        "identity_or_address",
        "Neither a government ID nor a proof of address was submitted.",
        fields=[("government_id_verification_data", "proof_of_address_documents")],
        # Vendor results and numbers do not count: whoever fills in a form can invent these, and no
        # check compares them with a document.
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
    """The requirements of the agent, in the order of the table."""
    table = BY_KIND[agent.kind]
    if not agent.requirements:
        return table
    return [
        requirement for requirement in table if requirement.id in agent.requirements
    ]


def version_of(agent: Agent) -> str:
    """The version of the requirements: that of the table, plus a hash of the agent's selection."""
    version = f"{agent.kind}-{VERSION}"
    if not agent.requirements:
        return version
    ids = " ".join(requirement.id for requirement in of(agent))
    digest = hashlib.sha256(ids.encode()).hexdigest()
    return f"{version}-{digest[:8]}"


def missing(
    agent: Agent, attested: JsonObject, verdicts: Mapping[str, str]
) -> list[str]:
    """What the case lacks for Approve, as sentences.

    `verdicts`: id of a check that ran → verdict.
    """
    requirements = of(agent)
    sentences: list[str] = []
    for requirement in requirements:
        sentences += _lacks(requirement, attested, verdicts)
    # Such a selection is refused today, but an older agent may still have it.
    if not any(requirement.examines for requirement in requirements):
        sentences.append(
            "The requirements of this agent ask for nothing to be examined."
        )
    return list(dict.fromkeys(sentences))


def clean(value: object, *, kind: str) -> list[str]:
    """Validate an agent's selection: distinct ids of a kind's requirements; empty means all.

    Raises ValidationError.
    """
    table = BY_KIND.get(kind, ())
    ids = [requirement.id for requirement in table]
    if not isinstance(value, list) or not {*map(str, value)} <= {*ids}:
        raise ValidationError(
            _("The requirements are a list of some of: %(ids)s.")
            % {"ids": ", ".join(ids)}
        )
    examining = [requirement.id for requirement in table if requirement.examines]
    if value and not {*value} & {*examining}:
        raise ValidationError(
            _(
                "Attested data alone is never Approve: name at least one requirement "
                "that examines something: %(examining)s."
            )
            % {"examining": ", ".join(examining)}
        )
    return [name for name in ids if name in value]


def _lacks(
    requirement: Requirement, attested: JsonObject, verdicts: Mapping[str, str]
) -> list[str]:
    for group in requirement.fields:
        if not any(_is_filled(attested.get(name)) for name in group):
            return [requirement.absent]
    if requirement.lists:
        problems = _problems_of_lists(requirement.lists)
        if problems:
            return problems
    if not requirement.checks:
        return []
    ends = {verdicts.get(check_id) for check_id in requirement.checks}
    if ends & requirement.ends:
        return []
    return [requirement.unexamined]


def _problems_of_lists(topic: str) -> list[str]:
    """The problems with the lists of a topic: each must be loaded and not too old."""
    versions = DatabaseLists().versions([topic])
    active = {version.slug: version for version in versions}
    if not active:
        return [f"No list of {_LISTS[topic]} is loaded."]
    problems = []
    for source in ListSource.objects.all():
        version = active.get(source.slug)
        if version is None and topic in source.topics:
            problems.append(f"The list {source.title} is not loaded.")
        elif version is not None and version.is_stale:
            problems.append(_problem_of_age(version, source))
    return problems


def _problem_of_age(version: ListVersion, source: ListSource) -> str:
    age = now() - datetime.fromisoformat(version.loaded_at)
    day = version.loaded_at[:10]
    loaded = f"it was loaded on {day}, {age.days} days ago"
    # `is_stale` also covers lists that another engine indexed.
    if age.days >= source.max_age_days:
        return f"The list {version.title} is too old: {loaded}."
    return (
        f"The list {version.title} waits to be indexed again: it was indexed for an earlier"
        " way of matching."
    )


_LISTS = {"sanction": "sanctions"}
# Members of an address or document that contain nothing to examine.
_SAY_NOTHING = frozenset({"type", "country_code"})


def _is_filled(value: object) -> bool:
    """Whether the value contains a letter or digit, also in nested objects and lists."""
    if isinstance(value, Mapping):
        for name, member in value.items():
            if name not in _SAY_NOTHING and _is_filled(member):
                return True
        return False
    if isinstance(value, list):
        return any(map(_is_filled, value))
    if isinstance(value, str):
        return any(map(str.isalnum, value))
    return bool(value)
