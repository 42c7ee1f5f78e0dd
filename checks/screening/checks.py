"""The screening checks: sanctions, political exposure, adverse lists; of people and businesses."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from checks.base import Evidence, Outcome, Verdict
from checks.data_check import WORST, DataCheck, mapping, worst
from checks.screening import attested, engine
from checks.screening.engine import Match, Screening
from checks.screening.lists import Lists
from checks.screening.parties.schema import Party, parties_beside_person, parties_of
from checks.screening.policy import ARGUMENT, Policy
from checks.screening.records import ListVersion, Subject
from checks.text.plurals import counted

SANCTIONS, POLITICAL = ("sanction",), ("role.pep", "role.rca")
ADVERSE = ("crime", "debarment", "internal")
# A page shows so many entries; the rest is counted.
MOST_SHOWN = 25
# An explanation tells so many of the contradicted entries; the rest is counted.
MOST_TOLD = 3
# Characters of an explanation, and of one text that is quoted in it.
MOST_EXPLAINED, MOST_QUOTED = 1000, 120


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
        if not subject.names:
            return self.outcome(
                "inconclusive", "No name was attested.", {"what": self.what}
            )
        if lookups is None or lookups.lists is None:
            said = f"No {self.what} list is available."
            return self.outcome("inconclusive", said, {"what": self.what})
        policy = lookups.policy.changed(mapping(evidence.arguments.get("policy")))
        return self.judge(subject, lookups.lists, policy)

    def subject(self, said: Mapping[str, Any]) -> Subject:
        return (
            attested.person(said)
            if self.id.startswith("kyc.")
            else attested.business(said)
        )

    def judge(self, subject: Subject, lists: Lists, policy: Policy) -> Outcome:
        found = engine.screen(subject, lists, topics=self.topics, policy=policy)
        content = self._content(subject, found)
        if not found.lists:
            said = f"No {self.what} list is loaded."
            return self.outcome("inconclusive", said, content, alerts=[said])
        verdict = self._verdict(found)
        stale = [one for one in found.lists if one.is_stale]
        alerts = [self._alert(match) for match in found.alerts[:MOST_SHOWN]]
        alerts += [f"The list {one.title} is stale: it was loaded on {one.loaded_at[:10]}."
                   for one in stale]  # fmt: skip
        explanation = self._explanation(found)
        if stale and verdict == "pass":
            verdict, explanation = "inconclusive", f"{explanation} {alerts[-1]}"
        if found.not_compared:
            verdict = "inconclusive" if verdict == "pass" else verdict
            explanation = " ".join([*found.not_compared, explanation])
            alerts += found.not_compared
        return self.outcome(verdict, explanation, content, alerts=alerts)

    def _verdict(self, found: Screening) -> Verdict:
        if not found.alerts:
            return "pass"
        certain = [
            match for match in found.alerts
            if match.band == "identifier_match" or (match.band == "strong" and match.born_alike)
        ]  # fmt: skip
        return (
            "fail"
            if any(self._fails(match, found.policy) for match in certain)
            else "review"
        )

    def _fails(self, match: Match, policy: Policy) -> bool:
        """Whether the policy has an entry of its kind fail the subject, or go to a person."""
        topics = match.listed.entity.topics or match.listed.version.topics
        return bool({*topics} & {*self.topics} & {*policy.failing_topics})

    def _content(self, subject: Subject, found: Screening) -> dict[str, Any]:
        shown = [match.to_wire() for match in found.matches[:MOST_SHOWN]]
        return {
            "what": self.what,
            "subject": {
                "names": list(subject.names), "schema": subject.schema,
                "date_of_birth": subject.birth_date,
                "nationalities": list(subject.nationalities), "countries": list(subject.countries),
                "identifiers": [one.normalised for one in subject.identifiers],
            },
            "best_band": found.best_band,
            "matches": shown,
            "not_shown": len(found.matches) - len(shown),
            "not_compared": list(found.not_compared),
            "lists": [one.to_wire() for one in found.lists],
            "versions": {"policy": found.policy.to_wire()},
        }  # fmt: skip

    def _alert(self, match: Match) -> str:
        version = match.listed.version
        alias = ", a weak alias," if match.name.kind == "weak" else ""
        return (
            f"{_BANDS[match.band]}: “{match.name.text}”{alias} on {version.title} "
            f"({', '.join(match.listed.entity.programs[:3]) or 'no programme stated'})"
        )

    def _explanation(self, found: Screening) -> str:
        if not found.alerts:
            return " ".join(_without_alert(found))
        best = found.alerts[0]
        backing = [f.label.lower() for f in best.facts if f.stand == "corroborates"]
        agrees = "agrees" if len(backing) == 1 else "agree"
        because = f", and {' and '.join(backing)} {agrees}" if backing else ""
        but = f"; {_contradiction(best)}" if _contradiction(best) else ""
        hits = counted(len(found.alerts), "hit")
        return f"{hits}. {self._alert(best)}: score {best.score:.2f}{because}{but}."


def _without_alert(found: Screening) -> Iterator[str]:
    """What is listed after all, and where there is no match."""
    contradicted = [match for match in found.matches if match.band == "discounted"]
    for match in contradicted[:MOST_TOLD]:
        title = match.listed.version.title
        yield f"“{match.name.text}” on {title} has that name, or one like it, {_contradiction(match)}."
    if more := len(contradicted[MOST_TOLD:]):
        yield f"{more} more {'is' if more == 1 else 'are'} listed with other facts."
    lists = ", ".join(_described(one) for one in found.lists)
    yield f"No {'other ' if contradicted else ''}match on {lists}."
    if weak := len(found.matches) - len(contradicted):
        yield f"{counted(weak, 'weaker likeness', 'weaker likenesses')} listed."


def _contradiction(match: Match) -> str:
    """with another date of birth (1961-03-14)"""
    against = [fact for fact in match.facts if fact.stand == "contradicts"]
    told = [f"another {fact.label.lower()} ({fact.listed})" for fact in against]
    return f"listed with {' and '.join(told)}" if told else ""


def _described(version: ListVersion) -> str:
    day = version.published_at[:10]
    dated = day or f"loaded on {version.loaded_at[:10]}"
    return f"{version.title} ({counted(version.entities, 'entry', 'entries')}, {dated})"


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
    def parties(
        self, schema: Mapping[str, Any], attested: Mapping[str, Any]
    ) -> list[Party]: ...

    def look(self, evidence: Evidence) -> Outcome:
        schema = evidence.lookups.schema if evidence.lookups else {}
        parties = self.parties(schema, evidence.attested)
        named = [party for party in parties if party.subjects]
        without_name = _without_name(parties)
        not_names = _not_names(parties)
        if not named and not without_name:
            reasons = [self.nobody, *not_names]
            return self.outcome(
                "not_applicable", " ".join(reasons)[:MOST_EXPLAINED], {"people": []}
            )
        looks = [
            (party, subject, check, check.look_at(subject, evidence))
            for party in named for subject in party.subjects for check in _checks_for(subject)
        ]  # fmt: skip
        shown = [
            {
                "name": party.name, "what": check.what, "verdict": outcome.verdict,
                "schema": subject.schema, "place": party.place,
                "source": "free_text" if party.is_free_text else "member",
                "explanation": f"{_origin(party)}{outcome.explanation}",
                "screening": outcome.payload["screening"],
            }
            for party, subject, check, outcome in looks
        ]  # fmt: skip
        # A page shows the first of them: those that matter stand there.
        shown.sort(key=lambda one: WORST.index(one["verdict"]))
        alerts = [
            f"{party.name}: {alert}" for party, _, _, outcome in looks for alert in outcome.alerts
            if outcome.verdict in {"fail", "review"}
        ]  # fmt: skip
        verdicts: list[Verdict] = [outcome.verdict for _, _, _, outcome in looks]
        if without_name:
            verdicts.append("inconclusive")
            alerts += without_name
        verdict = worst(verdicts)
        of_parties = dict.fromkeys(
            f"{one['name']}: {one['explanation']}"
            for one in shown
            if one["verdict"] == verdict
        )
        sentences = [
            f"{counted(len(named), 'party', 'parties')} screened.",
            *without_name,
        ]
        explanation = " ".join([*sentences, *not_names, *of_parties])[:MOST_EXPLAINED]
        content = {
            "people": shown,
            "unread": [
                party.place
                for party in parties
                if party.is_required and not party.subjects
            ],
            "not_names": [
                {"place": party.place, "text": party.unread}
                for party in parties
                if party.unread
            ],
        }
        return self.outcome(verdict, explanation.strip(), content, alerts=alerts)


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

    def parties(
        self, schema: Mapping[str, Any], attested: Mapping[str, Any]
    ) -> list[Party]:
        return parties_beside_person(schema, attested)


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

    def parties(
        self, schema: Mapping[str, Any], attested: Mapping[str, Any]
    ) -> list[Party]:
        return parties_of(schema, attested)


def _origin(party: Party) -> str:
    return f"Read from the free text of “{party.place}”. " if party.is_free_text else ""


def _without_name(parties: Sequence[Party]) -> list[str]:
    """Where somebody is named and cannot be screened: each leaves the check without a result."""
    missing = [one for one in parties if one.is_required and not one.subjects]
    places = [one.place for one in missing if not one.unread]
    texts = [_quoted(one) for one in missing if one.unread]
    found = []
    if places:
        found.append(f"No name could be read: {', '.join(places[:MOST_SHOWN])}.")
    if texts:
        found.append(f"Could not be read as names: {', '.join(texts[:MOST_TOLD])}.")
    if more := len(texts[MOST_TOLD:]):
        found.append(
            f"{counted(more, 'more text', 'more texts')} could not be read as names."
        )
    return found


def _not_names(parties: Sequence[Party]) -> list[str]:
    """Texts that may describe and need not name: customers, a team."""
    texts = [_quoted(one) for one in parties if one.unread and not one.is_required]
    if not texts:
        return []
    more = (
        f" and {counted(len(texts) - MOST_TOLD, 'more', 'more')}"
        if texts[MOST_TOLD:]
        else ""
    )
    return [
        f"Not read as names, and not screened: {', '.join(texts[:MOST_TOLD])}{more}."
    ]


def _quoted(party: Party) -> str:
    """ownership (“the founders and their families”)"""
    words = party.unread
    shown = words if len(words) <= MOST_QUOTED else f"{words[:MOST_QUOTED]}…"
    return f"{party.place} (“{shown}”)"


def _checks_for(subject: Subject) -> tuple[Screened, ...]:
    if subject.is_person:
        return PersonSanctions(), PersonPolitical(), PersonAdverse()
    return BusinessSanctions(), BusinessAdverse()


SCREENING = (
    PersonSanctions, PersonPolitical, PersonAdverse, BusinessSanctions, BusinessAdverse,
    PersonParties, AssociatedIndividuals,
)  # fmt: skip
