"""The screening checks: sanctions, political exposure and adverse lists, for people and
businesses.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import ClassVar

from checks.base import Evidence, Outcome, Verdict
from checks.data_check import WORST, DataCheck, mapping, worst
from checks.list_screening import attested, tunables
from checks.list_screening.attested import AttestedData
from checks.list_screening.parties.schema import (
    Party,
    parties_beside_person,
    parties_of,
)
from checks.screening import engine
from checks.screening.engine import Match, Screening
from checks.screening.lists import Lists
from checks.screening.policy import ARGUMENT, ENGINE_VERSION, Policy
from checks.screening.records import ListVersion, Payload, Subject
from checks.text.plurals import counted

SANCTIONS, POLITICAL = ("sanction",), ("role.pep", "role.rca")
ADVERSE = ("crime", "debarment", "internal")


class Screened(DataCheck):
    """What the screening checks share: which topics they ask for, and their rule."""

    payload_key = "screening"
    step = "Screening against the lists"
    arguments = (ARGUMENT,)
    topics: ClassVar[tuple[str, ...]] = SANCTIONS
    what: ClassVar[str] = "sanctions"

    def look(self, evidence: Evidence) -> Outcome:
        return self.look_at(self.subject(evidence.attested), evidence)

    def look_at(self, subject: Subject, evidence: Evidence) -> Outcome:
        lookups = evidence.lookups
        if not subject.names and not subject.identifiers:
            return self._without_result("No name was attested.")
        # Without a list a screening must never pass.
        if lookups is None or lookups.lists is None:
            return self._without_result(f"No {self.what} list is available.")
        thresholds = mapping(evidence.arguments.get("policy"))
        policy = lookups.policy.changed(thresholds)
        return self.judge(subject, lookups.lists, policy)

    def _without_result(self, explanation: str) -> Outcome:
        return self.outcome("inconclusive", explanation, {"what": self.what})

    def subject(self, data: AttestedData) -> Subject:
        if self.id.startswith("kyc."):
            return attested.person(data)
        return attested.business(data)

    def judge(self, subject: Subject, lists: Lists, policy: Policy) -> Outcome:
        screening = engine.screen(subject, lists, topics=self.topics, policy=policy)
        content = self._content(subject, screening)
        if not screening.lists:
            explanation = f"No {self.what} list is loaded."
            return self.outcome(
                "inconclusive", explanation, content, alerts=[explanation]
            )
        verdict = self._verdict(screening)
        explanation = self._explanation(screening)
        alerts = [
            self._alert(match) for match in screening.alerts[: tunables.MOST_SHOWN]
        ]
        stale = _stale_lists(screening)
        alerts += stale
        # An old list may lack a recent entry, so no match on it is no pass.
        if stale and verdict == "pass":
            verdict = "inconclusive"
            explanation = f"{explanation} {stale[-1]}"
        if verdict == "pass" and not subject.names:
            verdict, explanation = _of_numbers_alone(subject, explanation)
        # A name that could not be compared may be listed.
        if screening.not_compared:
            explanation = " ".join([*screening.not_compared, explanation])
            alerts += screening.not_compared
            if verdict == "pass":
                verdict = "inconclusive"
        return self.outcome(verdict, explanation, content, alerts=alerts)

    def _verdict(self, screening: Screening) -> Verdict:
        if not screening.alerts:
            return "pass"
        # Only a certain match fails. All others are decided by a person.
        for match in screening.alerts:
            if _is_certain(match) and self._fails(match, screening.policy):
                return "fail"
        return "review"

    def _fails(self, match: Match, policy: Policy) -> bool:
        """Whether the policy lets a match of this kind fail the subject.

        Otherwise it goes to manual review.
        """
        entry = match.entry
        topics = set(entry.entity.topics or entry.version.topics)
        failing = topics.intersection(self.topics, policy.failing_topics)
        return bool(failing)

    def _content(self, subject: Subject, screening: Screening) -> Payload:
        matches = [
            match.to_wire() for match in screening.matches[: tunables.MOST_SHOWN]
        ]
        return {
            "what": self.what,
            "subject": {
                "names": list(subject.names),
                "schema": subject.schema,
                "date_of_birth": subject.birth_date,
                "nationalities": list(subject.nationalities),
                "countries": list(subject.countries),
                "identifiers": [number.normalised for number in subject.identifiers],
            },
            "best_band": screening.best_band,
            "matches": matches,
            "not_shown": len(screening.matches) - len(matches),
            "not_compared": list(screening.not_compared),
            "lists": [version.to_wire() for version in screening.lists],
            "versions": {"policy": screening.policy.to_wire()},
        }

    def _alert(self, match: Match) -> str:
        alias = ""
        if match.name.kind == "weak":
            alias = ", a weak alias,"
        programs = ", ".join(match.entry.entity.programs[: tunables.MOST_PROGRAMS])
        where = f"{match.entry.version.title} ({programs or 'no programme stated'})"
        return f"{_BANDS[match.band]}: “{match.name.text}”{alias} on {where}"

    def _explanation(self, screening: Screening) -> str:
        if not screening.alerts:
            return " ".join(_without_alert(screening))
        best = screening.alerts[0]
        hits = counted(len(screening.alerts), "hit")
        reasons = f"score {best.score:.2f}{_corroboration(best)}"
        if contradiction := _contradiction(best):
            reasons = f"{reasons}; {contradiction}"
        return f"{hits}. {self._alert(best)}: {reasons}."


def _of_numbers_alone(subject: Subject, explanation: str) -> tuple[Verdict, str]:
    """Return the verdict without an attested name.

    A wallet has no name. For all other subjects, a list may not have the number, so it cannot pass.
    """
    kinds = {identifier.kind for identifier in subject.identifiers}
    if kinds == {"wallet"}:
        return "pass", f"Compared by the wallet address. {explanation}"
    return "inconclusive", f"No name was attested, only a number. {explanation}"


def _is_certain(match: Match) -> bool:
    """Whether the subject is certainly the entry: by its number, or by its name and date
    of birth.
    """
    if match.band == "identifier_match":
        return True
    return match.band == "strong" and match.born_alike


def _stale_lists(screening: Screening) -> list[str]:
    alerts: list[str] = []
    for version in screening.lists:
        if not version.is_stale:
            continue
        if version.engine not in ("", ENGINE_VERSION):
            alerts.append(
                f"The list {version.title} was indexed by version {version.engine} of the engine, "
                f"this is {ENGINE_VERSION}: names may be missed until it is indexed again."
            )
        else:
            day = version.loaded_at[:10]
            alerts.append(f"The list {version.title} is stale: it was loaded on {day}.")
    return alerts


def _without_alert(screening: Screening) -> Iterator[str]:
    """Yield sentences about entries that facts contradict, and about lists without a match."""
    contradicted: list[Match] = []
    for match in screening.matches:
        if match.band == "discounted":
            contradicted.append(match)
    for match in contradicted[: tunables.MOST_REPORTED]:
        entry = f"“{match.name.text}” on {match.entry.version.title}"
        yield f"{entry} has that name, or one like it, {_contradiction(match)}."
    if more := len(contradicted[tunables.MOST_REPORTED :]):
        verb = "is" if more == 1 else "are"
        yield f"{more} more {verb} listed with other facts."
    lists = ", ".join(map(_described, screening.lists))
    other = "other " if contradicted else ""
    yield f"No {other}match on {lists}."
    if weak := len(screening.matches) - len(contradicted):
        yield f"{counted(weak, 'weaker likeness', 'weaker likenesses')} listed."
    yield from screening.remarks


def _corroboration(match: Match) -> str:
    """Return a phrase such as “, and date of birth and nationality agree”."""
    labels: list[str] = []
    for fact in match.facts:
        if fact.stand == "corroborates":
            labels.append(fact.label.lower())
    if not labels:
        return ""
    verb = "agrees" if len(labels) == 1 else "agree"
    return f", and {' and '.join(labels)} {verb}"


def _contradiction(match: Match) -> str:
    """Return a phrase such as “listed with another date of birth (1961-03-14)”."""
    others: list[str] = []
    for fact in match.facts:
        if fact.stand == "contradicts":
            others.append(f"another {fact.label.lower()} ({fact.entry})")
    if not others:
        return ""
    return f"listed with {' and '.join(others)}"


def _described(version: ListVersion) -> str:
    entries = counted(version.entities, "entry", "entries")
    day = version.published_at[:10] or f"loaded on {version.loaded_at[:10]}"
    return f"{version.title} ({entries}, {day})"


_BANDS = {
    "identifier_match": "Same number", "strong": "Strong match", "possible": "Possible match",
    "discounted": "Contradicted", "weak": "Weak",
}  # fmt: skip


class PersonSanctions(Screened):
    """Does the person stand on a sanctions list?

    The attested names, and those of the government ID, are compared with every listed name, in
    any script. Date of birth, nationality, gender, place of birth and document numbers speak for
    a hit or against it.

    - the same document number, or a strong match (score ≥ 0.88) born on the same date: fail;
    - a strong or possible match (≥ 0.80; ≥ 0.90 in another script with nothing beside it): review;
    - no sanctions list loaded, or one too old and no hit: inconclusive;
    - a name in a script that cannot be compared (Thai, Japanese), in Chinese characters of somebody
      who is not known to be from China or Taiwan, or that cannot be read, one word alone, a listed
      name that is like one in other letters, that may be the name in a less likely romanisation (by
      the sound of Cantonese), or all of whose words the name has beside more: inconclusive where
      nothing else is found;
    - a name that has all words of a listed one, or is like it (≥ 0.70), born on the same day: review;
    - the very name (score 1.00) with another date of birth, or another gender: review;
    - otherwise: pass. Other hits that a date of birth or a gender contradicts are shown folded.

    Every result names the versions of the lists and of the policy that it rests on.
    """

    id = "kyc.sanctions_screening_check_v2"
    aliases = ("kyc.sanctions_screening",)
    title = "Sanctions"


class PersonPolitical(Screened):
    """Does the person hold a political office, or stand close to somebody who does?

    As the sanctions check, over the lists of politically exposed persons. A hit goes to a person
    (review), unless the agent's policy names `role.pep` among its `failing_topics`. No such list
    loaded, or one too old: inconclusive.
    """

    id = "kyc.pep_screening_check_v2"
    aliases = ("kyc.pep_screening",)
    title = "Political exposure"
    topics = POLITICAL
    what = "politically exposed persons"


class PersonAdverse(Screened):
    """Does the person stand on a list of crime, debarment, or of this installation's own?

    As the sanctions check, over those lists. A hit goes to a person (review), unless the agent's
    policy names what it is listed for (`crime`, `debarment`, `internal`) among its
    `failing_topics`. No such list loaded, or one too old: inconclusive.
    """

    id = "kyc.adverse_list_screening"
    title = "Adverse lists"
    topics = ADVERSE
    what = "adverse"


class BusinessSanctions(Screened):
    """Does the business stand on a sanctions list?

    Its names, and its tax, registration, LEI and IMO numbers, are compared with every entry.

    - the same number: fail;
    - a name that is at least possibly the same (score ≥ 0.85): review;
    - a whole listed name with a country, a region or words for trade beside it: review;
    - no sanctions list loaded, or one too old and no hit: inconclusive;
    - otherwise: pass.
    """

    id = "kyb.sanctions_screening_check_v2"
    aliases = ("kyb.sanctions_screening",)
    title = "Sanctions"


class BusinessAdverse(Screened):
    """Does the business stand on a list of crime, debarment, or of this installation's own?

    As the sanctions check of a business, over those lists. A hit goes to a person (review), unless
    the agent's policy names what it is listed for among its `failing_topics`.
    """

    id = "kyb.adverse_list_screening"
    title = "Adverse lists"
    topics = ADVERSE
    what = "adverse"


class PartiesScreened(DataCheck):
    """What the checks of parties share: each party is screened, and the worst verdict decides."""

    payload_key = "people_screening"
    step = "Screening the parties against the lists"
    arguments = (ARGUMENT,)
    nobody: ClassVar[str]  # the explanation where no party is named

    @abstractmethod
    def parties(self, schema: AttestedData, data: AttestedData) -> list[Party]: ...

    def look(self, evidence: Evidence) -> Outcome:
        schema: AttestedData = {}
        if evidence.lookups:
            schema = evidence.lookups.schema
        parties = self.parties(schema, evidence.attested)
        without_name = _without_name(parties)
        not_names = _not_names(parties)
        with_name = [party for party in parties if party.subjects]
        if not with_name and not without_name:
            explanation = " ".join([self.nobody, *not_names])[: tunables.MOST_EXPLAINED]
            return self.outcome("not_applicable", explanation, {"people": []})
        results = list(_screened(with_name, evidence))
        alerts = list(_alerts(results))
        verdicts = [result.outcome.verdict for result in results]
        if without_name:
            verdicts.append("inconclusive")
            alerts += without_name
        verdict = worst(verdicts)
        reasons: dict[str, None] = {}
        for result in results:
            if result.outcome.verdict == verdict:
                reasons[f"{result.party.name}: {result.explanation}"] = None
        screened = f"{counted(len(with_name), 'party', 'parties')} screened."
        sentences = [screened, *without_name, *not_names, *reasons]
        explanation = " ".join(sentences)[: tunables.MOST_EXPLAINED].strip()
        content = _content_of_parties(parties, results)
        return self.outcome(verdict, explanation, content, alerts=alerts)


@dataclass(frozen=True, slots=True)
class _PartyResult:
    """The result of one check for a party, as a person or as a business."""

    party: Party
    subject: Subject
    check: Screened
    outcome: Outcome

    @property
    def severity(self) -> int:
        """Return the rank of the verdict. A lower number is more serious."""
        return WORST.index(self.outcome.verdict)

    @property
    def explanation(self) -> str:
        if self.party.is_free_text:
            origin = f"Read from the free text of “{self.party.place}”."
            return f"{origin} {self.outcome.explanation}"
        return self.outcome.explanation

    def to_wire(self) -> Payload:
        return {
            "name": self.party.name,
            "what": self.check.what,
            "verdict": self.outcome.verdict,
            "schema": self.subject.schema,
            "place": self.party.place,
            "source": "free_text" if self.party.is_free_text else "member",
            "explanation": self.explanation,
            "screening": self.outcome.payload["screening"],
        }


def _screened(parties: Sequence[Party], evidence: Evidence) -> Iterator[_PartyResult]:
    for party in parties:
        for subject in party.subjects:
            for check in _checks_for(subject):
                outcome = check.look_at(subject, evidence)
                yield _PartyResult(party, subject, check, outcome)


def _alerts(results: Sequence[_PartyResult]) -> Iterator[str]:
    for result in results:
        if result.outcome.verdict in {"fail", "review"}:
            for alert in result.outcome.alerts:
                yield f"{result.party.name}: {alert}"


def _content_of_parties(
    parties: Sequence[Party], results: Sequence[_PartyResult]
) -> Payload:
    # A page shows only the first ones, so the most serious come first.
    by_severity = sorted(results, key=attrgetter("severity"))
    unread: list[str] = []
    not_names: list[dict[str, str]] = []
    for party in parties:
        if party.is_required and not party.subjects:
            unread.append(party.place)
        if party.unread:
            not_names.append({"place": party.place, "text": party.unread})
    return {
        "people": [result.to_wire() for result in by_severity],
        "unread": unread,
        "not_names": not_names,
    }


class PersonParties(PartiesScreened):
    """Does a relative, a company or another party of the person stand on a list?

    Everybody whom the case names beside its subject is screened, under whatever member: spouse and
    relatives, associates, employer, companies owned or directed, beneficiaries, attorneys, guardians,
    sponsors. People are screened for sanctions, political exposure and adverse lists, businesses for
    sanctions and adverse lists; a party that may be either as both. The worst verdict of any of them
    is that of the check. A party whose name cannot be read makes it inconclusive. Where nobody is
    named it is not applicable.

    Names, documents, addresses and the occupation of the subject are no parties: they are examined by
    the other checks. A relative with the name of the subject is one.

    A free text (“Ana Reyes (wife), Acme Holdings Ltd”) is split into names, and each result says that
    it was read from one. What could not be split leaves the check inconclusive, with the member and
    the words; under children, account holders, employers, sponsors and others that may only be described, it
    is reported and changes nothing.
    """

    id = "kyc.associated_parties_screening"
    title = "Parties of the person"
    nobody = "No relatives, companies or other parties were attested."

    def parties(self, schema: AttestedData, data: AttestedData) -> list[Party]:
        return parties_beside_person(schema, data)


class AssociatedIndividuals(PartiesScreened):
    """Does an owner, officer or other party of the business stand on a list?

    Every owner, controller and associated party of the case is screened, under whatever member it
    is named, and so are the owners of owners: people for sanctions, political exposure and adverse
    lists, businesses for sanctions and adverse lists; a party that may be either as both. The worst
    verdict of any of them is that of the check. A party whose name cannot be read makes it
    inconclusive. Where nobody is named it is not applicable.

    A free text (“John Smith 60 %, Acme Holdings Ltd 40 %”) is split into names, and each result says
    that it was read from one. What could not be split leaves the check inconclusive, with the member
    and the words; under customers, suppliers, employers and staff, which may only be described, it
    is reported and changes nothing.
    """

    id = "kyb.associated_individuals_screening"
    title = "Parties of the business"
    nobody = "No owners, officers or other parties were attested."

    def parties(self, schema: AttestedData, data: AttestedData) -> list[Party]:
        return parties_of(schema, data)


def _without_name(parties: Sequence[Party]) -> list[str]:
    """Return sentences about parties that are named but cannot be screened.

    Each makes the check inconclusive.
    """
    places: list[str] = []
    quotes: list[str] = []
    for party in parties:
        if party.subjects or not party.is_required:
            continue
        if party.unread:
            quotes.append(_quoted(party))
        else:
            places.append(party.place)
    sentences: list[str] = []
    if places:
        shown_places = ", ".join(places[: tunables.MOST_SHOWN])
        sentences.append(f"No name could be read: {shown_places}.")
    if quotes:
        shown_quotes = ", ".join(quotes[: tunables.MOST_REPORTED])
        sentences.append(f"Could not be read as names: {shown_quotes}.")
    if more := len(quotes[tunables.MOST_REPORTED :]):
        texts = counted(more, "more text", "more texts")
        sentences.append(f"{texts} could not be read as names.")
    return sentences


def _not_names(parties: Sequence[Party]) -> list[str]:
    """Return sentences about texts that may describe parties without naming them: customers, a
    team.
    """
    quotes: list[str] = []
    for party in parties:
        if party.unread and not party.is_required:
            quotes.append(_quoted(party))
    if not quotes:
        return []
    texts = ", ".join(quotes[: tunables.MOST_REPORTED])
    if more := len(quotes[tunables.MOST_REPORTED :]):
        texts = f"{texts} and {counted(more, 'more', 'more')}"
    return [f"Not read as names, and not screened: {texts}."]


def _quoted(party: Party) -> str:
    """Return the place and the words: ownership (“the founders and their families”)."""
    words = party.unread
    if len(words) > tunables.MOST_QUOTED:
        words = f"{words[: tunables.MOST_QUOTED]}…"
    return f"{party.place} (“{words}”)"


def _checks_for(subject: Subject) -> tuple[Screened, ...]:
    if subject.is_person:
        return PersonSanctions(), PersonPolitical(), PersonAdverse()
    return BusinessSanctions(), BusinessAdverse()


SCREENING = (
    PersonSanctions, PersonPolitical, PersonAdverse, BusinessSanctions, BusinessAdverse,
    PersonParties, AssociatedIndividuals,
)  # fmt: skip
