"""Enrichment providers: sources of facts about a person or a company.

A provider is a class that ENRICHMENT_PROVIDER names. The embedded one answers from the cases of the
requesting account only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Literal, Protocol

from django.conf import settings
from django.db.models import Q, QuerySet
from django.db.models.functions import Length
from django.utils.module_loading import import_string

from agenthub import digests
from agenthub.companies import registry
from agenthub.models import Account, Agent, AgentJob
from agenthub.subjects import facts as subject_facts
from agenthub.subjects import names as subjects
from agenthub.wire import JsonObject, Wire
from checks.lookups import Enriched
from checks.screening import same_name

Facts = Mapping[str, str]
# The most words of a name that are searched.
MOST_WORDS = 6


@dataclass(frozen=True, slots=True)
class Enrichment:
    """A provider's answer.

    `source` names the origin of the data; `error` says why there is none.
    """

    status: Literal["success", "not_found", "error"]
    source: str
    data: Wire = field(default_factory=dict)
    error: str = ""

    def to_wire(self) -> Wire:
        return {
            "status": self.status,
            "data": self.data,
            "error": self.error,
            "source": self.source,
        }


class Provider(Protocol):
    """The interface of a provider. Both methods must answer within about 20 seconds.

    They get the non-empty facts of the request. A failure is returned as an Enrichment with the
    status `error`, never raised."""

    def person(self, account: Account, facts: Facts) -> Enrichment:
        """Facts: email, full_name, first_name, last_name, company, location, phone, profile."""

    def company(self, account: Account, facts: Facts) -> Enrichment:
        """Possible facts: name, website, ticker, profile."""


def provider() -> Provider:
    provider_class = import_string(settings.ENRICHMENT_PROVIDER)
    instance: Provider = provider_class()
    return instance


class OwnCases:
    """The embedded provider: registers (for a company), then the account's own cases.

    It answers with the latest case of the account that fits all the facts. A person is searched by
    full name (or first and last name), e-mail address or phone; a company by name or website. Names
    are compared as in the checks, so a middle name, a legal form, case, accents and punctuation
    make no difference. The other facts narrow the search if the case attests them. If fitting cases
    contradict each other, they are about several subjects: then the answer contains their names,
    and no facts.
    """

    source = "earlier cases of this installation"
    # The most cases per fact that are compared, the latest first.
    most = 1000
    most_candidates = 20

    def person(self, account: Account, facts: Facts) -> Enrichment:
        name = facts.get("full_name", "")
        if not name and {"first_name", "last_name"} <= facts.keys():
            name = f"{facts['first_name']} {facts['last_name']}"
        return self._search(account, Agent.Kind.KYC, name, _of(facts, "email", "phone"))

    def company(self, account: Account, facts: Facts) -> Enrichment:
        registered = self.registered(facts)
        if registered is not None:
            return registered
        return self._search(
            account,
            Agent.Kind.KYB,
            facts.get("name", ""),
            _of(facts, "website"),
        )

    def registered(self, facts: Facts) -> Enrichment | None:
        """The facts of a company in the loaded registers; None if it is in none."""
        match = registry.company(facts)
        if match is None:
            return None
        return Enrichment("success", match.source, match.data())

    def _search(
        self, account: Account, kind: Agent.Kind, name: str, facts: Facts
    ) -> Enrichment:
        rows = AgentJob.objects.filter(account=account, agent__kind=kind)
        rows = rows.select_related("agent").order_by("-id")
        searches = []
        for fact, value in facts.items():
            searches.append(_by_fact(rows, fact, value)[: self.most])
        if name:
            # Names of cases are stored only as digests of words, so this finds candidates to
            # compare.
            searches += _by_name(rows, kind, name, most=self.most)
        jobs: dict[int, AgentJob] = {}
        for search in searches:
            for job in search:
                jobs[job.pk] = job
        # The newest job of each case, the newest case first.
        cases: dict[str, AgentJob] = {}
        for pk in sorted(jobs, reverse=True):
            job = jobs[pk]
            if _agrees(job, kind, name, facts):
                cases.setdefault(job.case_id, job)
        if not cases:
            return Enrichment("not_found", self.source)
        # Prefer the cases that attest most of the facts to those that do not mention them.
        counts = {
            case_id: _count_of_facts(job, facts) for case_id, job in cases.items()
        }
        most = max(counts.values())
        best = [job for case_id, job in cases.items() if counts[case_id] == most]
        return self._enrichment(best, kind, by_name=not most)

    def _enrichment(
        self, jobs: Sequence[AgentJob], kind: Agent.Kind, *, by_name: bool
    ) -> Enrichment:
        """The answer from fitting cases.

        `by_name`: found by name only, so other names mean other subjects.
        """
        cases = list(map(_attested, jobs))
        count = _count_of_subjects(cases, TELLS_APART[kind])
        if by_name:
            count_of_names = _count_of_names(jobs, kind, most=self.most_candidates)
            count = max(count, count_of_names)
        if count > 1:
            return self._ambiguous(jobs, count)
        latest, *others = jobs
        data: Wire = {}
        for member, value in cases[0].items():
            if _is_fact(member, value):
                data[member] = value
        data["case_id"] = latest.case_id
        data["other_cases"] = [job.case_id for job in others[: self.most_candidates]]
        return Enrichment("success", self.source, data)

    def _ambiguous(self, jobs: Sequence[AgentJob], count: int) -> Enrichment:
        if count == self.most_candidates:
            least = "At least "
        else:
            least = ""
        candidates = []
        for job in jobs[: self.most_candidates]:
            candidates.append({"case_id": job.case_id, "name": job.subject})
        data: Wire = {
            "ambiguous": True,
            "explanation": f"{least}{count} different subjects fit. Give more facts.",
            "candidates": candidates,
        }
        return Enrichment("success", self.source, data)


# Cases that attest different values of one of these members are about different subjects.
TELLS_APART: Mapping[str, Sequence[str]] = {
    Agent.Kind.KYC: ("date_of_birth", "country_of_nationality"),
    Agent.Kind.KYB: ("business_registration_number", "tin_number", "lei"),
}


class Independent:
    """The enrichment lookup of a job's checks.

    It leaves out the account's own cases: they repeat what was attested before, and prove
    nothing."""

    def __init__(self, job: AgentJob) -> None:
        self._job = job  # reads its account lazily: most jobs never need it

    def company(self, facts: Facts) -> Enriched:
        current = provider()
        if isinstance(current, OwnCases):
            return self._registered(current, facts)
        answer = current.company(self._job.account, facts)
        if answer.status == "success":
            return Enriched("success", answer.source, answer.data)
        if answer.status == "error":
            return Enriched("error", answer.source, error=answer.error)
        return Enriched("not_found", answer.source)

    def _registered(self, own_cases: OwnCases, facts: Facts) -> Enriched:
        """Answer from the registers only: the cases prove nothing, and are many."""
        answer = own_cases.registered(facts)
        if answer is not None:
            return Enriched("success", answer.source, answer.data)
        titles = registry.titles()
        if not titles:
            return Enriched("none")
        return Enriched("not_found", ", ".join(titles))


def _of(facts: Facts, *names: str) -> dict[str, str]:
    return {name: facts[name] for name in names if name in facts}


def _attested(job: AgentJob) -> JsonObject:
    data = job.schema.get("self_attested_data")
    if isinstance(data, Mapping):
        return data
    return {}


def _by_name(
    rows: QuerySet[AgentJob], kind: Agent.Kind, name: str, *, most: int
) -> list[QuerySet[AgentJob]]:
    """Queries for cases whose names share distinctive words with this name.

    They only narrow the search; `_agrees` compares the names. A word that few cases have finds all
    of these cases. Words that many cases have are combined, so that no case is hidden among common
    words. If many cases have all the words, those with the shortest names are taken. Finally, the
    latest cases with any of the words are added, for names that are spelt differently.
    """
    words = same_name.telling(name, person=kind == Agent.Kind.KYC)[:MOST_WORDS]
    has_word = {}
    for word in words:
        has_word[word] = Q(subject_key__contains=digests.joined([word]))
    has_any = Q(pk__in=())
    for condition in has_word.values():
        has_any |= condition
    searches = [rows.filter(has_any)[:most]]
    common: set[tuple[str, ...]] = {()}
    for size in range(1, len(words) + 1):
        for group in combinations(words, size):
            if not common.issuperset(combinations(group, size - 1)):
                continue  # a part of the group is rare and has found all these cases
            conditions = [has_word[word] for word in group]
            together = rows.filter(*conditions)
            if size == len(words):
                shortest = together.order_by(Length("subject_key"), "-id")
                searches.append(shortest[:most])
            elif together.order_by()[most : most + 1].exists():
                common.add(group)
            else:
                searches.append(together)
    return searches


def _by_fact(rows: QuerySet[AgentJob], fact: str, value: str) -> QuerySet[AgentJob]:
    """Cases that may attest the fact, in any spelling."""
    return rows.filter(fact_key__contains=f" {subject_facts.key(fact, value)} ")


def _agrees(job: AgentJob, kind: Agent.Kind, name: str, facts: Facts) -> bool:
    """Whether a case fits the name and the facts.

    A fact that the case does not attest does not contradict it, but it must attest some of them."""
    attested = _attested(job)
    fits = {_fits(fact, value, attested.get(fact)) for fact, value in facts.items()}
    if False in fits:
        return False
    if not name:
        return True in fits
    # With the same e-mail address or website, one common word is enough: people marry, businesses
    # change their names.
    if True in fits:
        is_alike = same_name.shares_word
    else:
        is_alike = same_name.is_same
    person = kind == Agent.Kind.KYC
    return any(
        is_alike(name, other, person=person) for other in subjects.names_of(job.schema)
    )


def _count_of_facts(job: AgentJob, facts: Facts) -> int:
    """How many of the facts a case attests."""
    attested = _attested(job)
    return sum(
        _fits(fact, value, attested.get(fact)) is True for fact, value in facts.items()
    )


def _count_of_names(jobs: Sequence[AgentJob], kind: Agent.Kind, *, most: int) -> int:
    """How many subjects these cases have by their names, counted up to `most`."""
    person = kind == Agent.Kind.KYC
    names_by_subject: list[
        set[tuple[str, ...]]
    ] = []  # the names of the cases of each subject
    for job in jobs:
        names = tuple(subjects.names_of(job.schema))
        for cases in names_by_subject:
            if all(_share_name(names, other, person=person) for other in cases):
                cases.add(names)
                break
        else:
            names_by_subject.append({names})
        if len(names_by_subject) == most:
            break
    return len(names_by_subject)


def _share_name(names: Sequence[str], others: Sequence[str], *, person: bool) -> bool:
    pairs = product(names, others)
    return any(same_name.is_same(name, other, person=person) for name, other in pairs)


def _fits(fact: str, value: str, attested: object) -> bool | None:
    """Whether a case attests this value of a fact; None if it attests no value."""
    texts = subject_facts.texts(attested)
    if not texts:
        return None
    plain = subject_facts.plain(fact, value)
    return any(subject_facts.plain(fact, text) == plain for text in texts)


def _count_of_subjects(cases: Sequence[JsonObject], members: Sequence[str]) -> int:
    """How many subjects the cases have: cases that do not contradict each other count as one."""
    subjects_facts: list[dict[str, str]] = []
    for attested in cases:
        facts = {}
        for member in members:
            if attested.get(member):
                facts[member] = subject_facts.plain(member, str(attested[member]))
        for subject in subjects_facts:
            if all(
                subject.get(member, value) == value for member, value in facts.items()
            ):
                subject.update(facts)
                break
        else:
            subjects_facts.append(facts)
    return len(subjects_facts)


def _is_fact(key: str, value: object) -> bool:
    # Documents are evidence of one case, not facts about the subject.
    return not key.endswith("_documents") and value not in (None, "", [], {})
