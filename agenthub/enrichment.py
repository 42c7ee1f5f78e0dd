"""What else is known of a person or a company, asked of a provider.

A provider is a class that ENRICHMENT_PROVIDER names. The embedded one answers from the cases of
the account that asks, and of no other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from django.conf import settings
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from agenthub import registry_data, subjects
from agenthub.models import Account, Agent, AgentJob
from checks.reference import Enriched

Facts = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Enrichment:
    """What a provider says. `source` names where it was found; `error` why it could not look."""

    status: Literal["success", "not_found", "error"]
    source: str
    data: dict[str, Any] = field(default_factory=dict)
    error: str = ""

    def to_wire(self) -> dict[str, Any]:
        return {
            "status": self.status,
            "data": self.data,
            "error": self.error,
            "source": self.source,
        }


class Provider(Protocol):
    """Both methods get the facts that the request gives, none of them blank, and answer within
    some 20 seconds. What goes wrong is an Enrichment with status `error`, not an exception."""

    def person(self, account: Account, facts: Facts) -> Enrichment:
        """Facts: email, full_name, first_name, last_name, company, location, phone, profile."""

    def company(self, account: Account, facts: Facts) -> Enrichment:
        """Facts: name, website, ticker, profile."""


def provider() -> Provider:
    found: Provider = import_string(settings.ENRICHMENT_PROVIDER)()
    return found


class OwnCases:
    """The embedded provider: a register that was loaded here has the company, or else it is the
    latest case of the account that fits all that is asked.

    A person is found by full name (or first and last name), e-mail address or phone; a company
    by name or website. The other facts narrow the search where the case attests them.
    """

    source = "earlier cases of this installation"
    # Of cases with one name, so many are compared.
    most = 200
    most_told = 20

    def person(self, account: Account, facts: Facts) -> Enrichment:
        name = facts.get("full_name") or _joined(facts, "first_name", "last_name")
        rows = self._cases(account, Agent.Kind.KYC)
        kept = {fact: facts[fact] for fact in ("email", "phone") if fact in facts}
        if name:
            return self._first(_named(rows, name), kept)
        if not kept:
            return self._nothing()
        prefix = "input_payload__kyc_schema__self_attested_data__"
        return self._first(
            rows.filter(**{f"{prefix}{fact}__iexact": said for fact, said in kept.items()}), kept
        )

    def company(self, account: Account, facts: Facts) -> Enrichment:
        if registered := registry_data.company(facts):
            return Enrichment("success", registered.source, registered.data())
        rows = self._cases(account, Agent.Kind.KYB)
        kept = {fact: facts[fact] for fact in ("website",) if fact in facts}
        if name := facts.get("name"):
            return self._first(_named(rows, name), kept)
        if not kept:
            return self._nothing()
        site = _fact("website", kept["website"])
        prefix = "input_payload__kyb_schema__self_attested_data__website__icontains"
        return self._first(rows.filter(**{prefix: site}), kept)

    def _cases(self, account: Account, kind: str) -> QuerySet[AgentJob]:
        return (
            AgentJob.objects.filter(account=account, agent__kind=kind)
            .select_related("agent")
            .order_by("-id")
        )

    def _first(self, rows: QuerySet[AgentJob], facts: Facts) -> Enrichment:
        found: dict[str, Any] = {}
        # The newest job of each case: whoever asks about its own case learns of the others, too.
        cases: list[str] = []
        for job in rows[: self.most]:
            attested = job.schema.get("self_attested_data") or {}
            if all(_fits(fact, said, attested.get(fact)) for fact, said in facts.items()):
                found = found or {key: val for key, val in attested.items() if _is_fact(key, val)}
                cases.append(job.case_id)
        if not cases:
            return self._nothing()
        latest, *others = dict.fromkeys(cases)
        data = {**found, "case_id": latest, "other_cases": others[: self.most_told]}
        return Enrichment("success", self.source, data)

    def _nothing(self) -> Enrichment:
        return Enrichment("not_found", self.source)


class Independent:
    """The provider as the checks of a job ask it. What an account's own cases tell is what was
    attested before, and backs nothing."""

    def __init__(self, job: AgentJob) -> None:
        self._job = job  # whose account is read when it is asked for: most jobs never ask

    def company(self, facts: Facts) -> Enriched:
        asked = provider()
        found = asked.company(self._job.account, facts)
        if found.status == "success" and found.source != OwnCases.source:
            return Enriched("success", found.source, found.data)
        if found.status == "error":
            return Enriched("error", found.source, error=found.error)
        if not isinstance(asked, OwnCases):
            return Enriched("not_found", found.source)
        titles = registry_data.titles()
        return Enriched("not_found", ", ".join(titles)) if titles else Enriched("none")


def _joined(facts: Facts, *names: str) -> str:
    return " ".join(facts[name] for name in names) if all(name in facts for name in names) else ""


def _named(rows: QuerySet[AgentJob], name: str) -> QuerySet[AgentJob]:
    return rows.filter(subject_key=subjects.key_of(name))


def _fits(fact: str, said: str, attested: Any) -> bool:
    """Whether a case agrees; one that does not attest the fact does not contradict it."""
    found = attested if isinstance(attested, list) else [attested]
    texts = [text for text in found if isinstance(text, str) and text.strip()]
    return not texts or any(_fact(fact, text) == _fact(fact, said) for text in texts)


def _fact(name: str, text: str) -> str:
    """One form for the ways to write an e-mail address, a phone number, a website."""
    plain = subjects.key_of(text)
    if name == "phone":
        return "".join(char for char in plain if char.isdigit()).lstrip("0")
    if name == "website":
        host = plain.partition("://")[2] or plain
        return host.removeprefix("www.").partition("/")[0]
    return plain


def _is_fact(key: str, value: Any) -> bool:
    # Documents are evidence of one case, not facts about the subject.
    return not key.endswith("_documents") and value not in (None, "", [], {})
