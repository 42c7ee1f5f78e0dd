"""What else is known of a person or a company, asked of a provider.

A provider is a class that ENRICHMENT_PROVIDER names. The embedded one answers from the cases of
the account that asks, and of no other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Literal, Protocol

from django.conf import settings
from django.db.models import Q, QuerySet
from django.db.models.functions import Length
from django.utils.module_loading import import_string

from agenthub.companies import registry
from agenthub.models import Account, Agent, AgentJob
from agenthub.subjects import names as subjects
from checks.lookups import Enriched
from checks.screening import same_name

Facts = Mapping[str, str]
# Of a longer name so many words are looked for.
MOST_WORDS = 6


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
    by name or website. Names are compared as the checks compare them: a middle name, a legal form,
    case, accents and marks hide nobody. The other facts narrow the search where the case attests
    them. Cases that fit and contradict one another are several subjects: then no facts of any are
    told as if they were the one's.
    """

    source = "earlier cases of this installation"
    # Of the cases that one fact leads to, so many of the latest are compared.
    most = 1000
    most_told = 20

    def person(self, account: Account, facts: Facts) -> Enrichment:
        name = facts.get("full_name") or _joined(facts, "first_name", "last_name")
        return self._look(account, Agent.Kind.KYC, name, _of(facts, "email", "phone"))

    def company(self, account: Account, facts: Facts) -> Enrichment:
        registered = self.registered(facts)
        if registered is not None:
            return registered
        return self._look(account, Agent.Kind.KYB, facts.get("name", ""), _of(facts, "website"))

    def registered(self, facts: Facts) -> Enrichment | None:
        """What the registers that were loaded here know of a company; None: nothing."""
        found = registry.company(facts)
        return Enrichment("success", found.source, found.data()) if found else None

    def _look(self, account: Account, kind: Agent.Kind, name: str, facts: Facts) -> Enrichment:
        rows = (
            AgentJob.objects.filter(account=account, agent__kind=kind)
            .select_related("agent")
            .order_by("-id")
        )
        searches = [_by_fact(rows, kind, fact, value)[: self.most] for fact, value in facts.items()]
        if name:
            searches += _by_name(rows, kind, name, most=self.most)
        jobs = {job.pk: job for search in searches for job in search}
        # The newest job of each case, the newest first.
        cases: dict[str, AgentJob] = {}
        for pk in sorted(jobs, reverse=True):
            if _agrees(jobs[pk], kind, name, facts):
                cases.setdefault(jobs[pk].case_id, jobs[pk])
        # Who attests what is asked comes before who says nothing of it.
        attests = {case: _attests(job, facts) for case, job in cases.items()}
        most = max(attests.values(), default=0)
        best = [job for case, job in cases.items() if attests[case] == most]
        return self._told(best, kind, by_name=not most) if best else self._nothing()

    def _told(self, found: Sequence[AgentJob], kind: Agent.Kind, *, by_name: bool) -> Enrichment:
        """`by_name`: nothing but a name led to them, so that other names are other subjects."""
        count = len(_apart([_attested(job) for job in found], TELLS_APART[kind]))
        if by_name:
            count = max(count, _count_of_names(found, kind, most=self.most_told))
        if count > 1:
            least = "At least " if count == self.most_told else ""
            data: dict[str, Any] = {
                "ambiguous": True,
                "explanation": f"{least}{count} different subjects fit. Give more facts.",
                "candidates": [
                    {"case_id": job.case_id, "name": job.subject} for job in found[: self.most_told]
                ],
            }
            return Enrichment("success", self.source, data)
        latest, *others = found
        data = {key: value for key, value in _attested(latest).items() if _is_fact(key, value)}
        data["case_id"] = latest.case_id
        data["other_cases"] = [job.case_id for job in others[: self.most_told]]
        return Enrichment("success", self.source, data)

    def _nothing(self) -> Enrichment:
        return Enrichment("not_found", self.source)


# Cases that attest different values of one of these are about different subjects.
TELLS_APART: Mapping[str, Sequence[str]] = {
    Agent.Kind.KYC: ("date_of_birth", "country_of_nationality"),
    Agent.Kind.KYB: ("business_registration_number", "tin_number", "lei"),
}


class Independent:
    """The provider as the checks of a job ask it. What an account's own cases tell is what was
    attested before, and backs nothing."""

    def __init__(self, job: AgentJob) -> None:
        self._job = job  # whose account is read when it is asked for: most jobs never ask

    def company(self, facts: Facts) -> Enriched:
        asked = provider()
        if isinstance(asked, OwnCases):
            # Its cases back nothing, and are many: they are not searched for it.
            registered = asked.registered(facts)
            if registered is not None:
                return Enriched("success", registered.source, registered.data)
            titles = registry.titles()
            return Enriched("not_found", ", ".join(titles)) if titles else Enriched("none")
        found = asked.company(self._job.account, facts)
        if found.status == "success":
            return Enriched("success", found.source, found.data)
        if found.status == "error":
            return Enriched("error", found.source, error=found.error)
        return Enriched("not_found", found.source)


def _joined(facts: Facts, *names: str) -> str:
    return " ".join(facts[name] for name in names) if all(name in facts for name in names) else ""


def _of(facts: Facts, *names: str) -> dict[str, str]:
    return {name: facts[name] for name in names if name in facts}


def _attested(job: AgentJob) -> Mapping[str, Any]:
    found = job.schema.get("self_attested_data")
    return found if isinstance(found, Mapping) else {}


def _by_name(
    rows: QuerySet[AgentJob], kind: Agent.Kind, name: str, *, most: int
) -> list[QuerySet[AgentJob]]:
    """Cases whose names share telling words with this one. To compare is for `_agrees`: this keeps
    most of the others away.

    A word that few cases have leads to all of them. Words that many have lead to those that have
    them together, so that none is hidden behind what is common; of many that have all, to those
    whose names hold the fewest words beside. And to the latest that have any, for names that are
    spelt otherwise.
    """
    words = same_name.telling(name, person=kind == Agent.Kind.KYC)[:MOST_WORDS]
    having = {word: Q(subject_key__contains=f" {word} ") for word in words}
    wanted = Q(pk__in=())
    for one in having.values():
        wanted |= one
    found = [rows.filter(wanted)[:most]]
    common: set[tuple[str, ...]] = {()}
    for size in range(1, len(words) + 1):
        for group in combinations(words, size):
            if not all(part in common for part in combinations(group, size - 1)):
                continue  # some of its words have led to all of them
            together = rows.filter(*(having[word] for word in group))
            if size == len(words):
                shortest = together.order_by(Length("subject_key"), "-id")
                found.append(shortest[:most])
            elif together.order_by()[most : most + 1].exists():
                common.add(group)
            else:
                found.append(together)
    return found


def _by_fact(
    rows: QuerySet[AgentJob], kind: Agent.Kind, fact: str, value: str
) -> QuerySet[AgentJob]:
    """Cases that may attest the fact, in whatever way it is written there."""
    member = f"input_payload__{kind}_schema__self_attested_data__{fact}"
    plain = _fact(fact, value)
    if fact == "email":
        return rows.filter(**{f"{member}__iexact": value})
    if fact == "phone":
        # How digits are grouped differs: the last two are rarely apart.
        return rows.filter(**{f"{member}__icontains": plain[-2:]})
    return rows.filter(**{f"{member}__icontains": plain})


def _agrees(job: AgentJob, kind: Agent.Kind, name: str, facts: Facts) -> bool:
    """Whether a case fits all that is asked. What it does not attest does not contradict it; but
    something of what is asked must be there."""
    attested = _attested(job)
    fits = {fact: _fits(fact, value, attested.get(fact)) for fact, value in facts.items()}
    if False in fits.values():
        return False
    if not name:
        return True in fits.values()
    person = kind == Agent.Kind.KYC
    # Under one e-mail address or website a shared word is enough: people marry, businesses rename.
    alike = same_name.shares_word if True in fits.values() else same_name.is_same
    return any(alike(name, one, person=person) for one in subjects.names_of(job.schema))


def _attests(job: AgentJob, facts: Facts) -> int:
    """How many of the facts a case attests."""
    attested = _attested(job)
    return sum(_fits(fact, value, attested.get(fact)) is True for fact, value in facts.items())


def _count_of_names(found: Sequence[AgentJob], kind: Agent.Kind, *, most: int) -> int:
    """Of how many subjects these can be by their names, counted up to `most`."""
    person = kind == Agent.Kind.KYC
    apart: list[set[tuple[str, ...]]] = []  # of each subject, the names of its cases
    for job in found:
        own = tuple(subjects.names_of(job.schema))
        for cases in apart:
            if all(_share_name(own, names, person=person) for names in cases):
                cases.add(own)
                break
        else:
            apart.append({own})
        if len(apart) == most:
            break
    return len(apart)


def _share_name(one: Sequence[str], other: Sequence[str], *, person: bool) -> bool:
    return any(same_name.is_same(a, b, person=person) for a in one for b in other)


def _fits(fact: str, asked: str, attested: Any) -> bool | None:
    """Whether a case attests the fact; None where it says nothing of it."""
    values = attested if isinstance(attested, list) else [attested]
    texts = [text for text in values if isinstance(text, str) and text.strip()]
    return any(_fact(fact, text) == _fact(fact, asked) for text in texts) if texts else None


def _apart(cases: Sequence[Mapping[str, Any]], members: Sequence[str]) -> list[dict[str, str]]:
    """The subjects of the cases: those that contradict one another in no member are one."""
    found: list[dict[str, str]] = []
    for attested in cases:
        facts = {one: _fact(one, str(attested[one])) for one in members if attested.get(one)}
        for known in found:
            if all(known.get(member, value) == value for member, value in facts.items()):
                known.update(facts)
                break
        else:
            found.append(facts)
    return found


def _fact(name: str, text: str) -> str:
    """One form for the ways to write an e-mail address, a phone number, a website."""
    plain = subjects.plain(text)
    if name == "phone":
        return "".join(char for char in plain if char.isdigit()).lstrip("0")
    if name == "website":
        host = plain.partition("://")[2] or plain
        return host.removeprefix("www.").partition("/")[0]
    return plain


def _is_fact(key: str, value: Any) -> bool:
    # Documents are evidence of one case, not facts about the subject.
    return not key.endswith("_documents") and value not in (None, "", [], {})
