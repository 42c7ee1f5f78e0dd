"""The screening checks: sanctions, political exposure, adverse lists; of people and businesses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from checks.base import Evidence, Outcome, Verdict
from checks.data_check import DataCheck, mapping, worst
from checks.screening import attested, engine
from checks.screening.engine import Match, Screening
from checks.screening.lists import Lists
from checks.screening.policy import ARGUMENT, Policy
from checks.screening.records import Subject
from checks.wording import counted

SANCTIONS, POLITICAL = ("sanction",), ("role.pep", "role.rca")
ADVERSE = ("crime", "debarment", "internal")
# A page shows so many entries; the rest is counted.
MOST_SHOWN = 25


class Screened(DataCheck):
    """What the screening checks share: which topics they ask for, and their rule."""

    payload_key = "screening"
    arguments = (ARGUMENT,)
    topics: ClassVar[tuple[str, ...]] = SANCTIONS
    what: ClassVar[str] = "sanctions"

    def look(self, evidence: Evidence) -> Outcome:
        subject = self.subject(evidence.attested)
        reference = evidence.reference
        if not subject.names:
            return self.outcome("inconclusive", "No name was attested.", {"what": self.what})
        if reference is None or reference.lists is None:
            said = f"No {self.what} list is at hand."
            return self.outcome("inconclusive", said, {"what": self.what})
        policy = reference.policy.changed(mapping(evidence.arguments.get("policy")))
        return self.judge(subject, reference.lists, policy)

    def subject(self, said: Mapping[str, Any]) -> Subject:
        return attested.person(said) if self.id.startswith("kyc.") else attested.business(said)

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
        return self.outcome(verdict, explanation, content, alerts=alerts)

    def _verdict(self, found: Screening) -> Verdict:
        if not found.alerts:
            return "pass"
        certain = [
            match for match in found.alerts
            if match.band == "identifier_match" or (match.band == "strong" and match.born_alike)
        ]  # fmt: skip
        return "fail" if any(self._fails(match, found.policy) for match in certain) else "review"

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
            "lists": [one.to_wire() for one in found.lists],
            "versions": {"policy": found.policy.to_wire()},
        }  # fmt: skip

    def _alert(self, match: Match) -> str:
        version = match.listed.version
        return (
            f"{_BANDS[match.band]}: “{match.name.text}” on {version.title} "
            f"({', '.join(match.listed.entity.programs[:3]) or 'no programme told'})"
        )

    def _explanation(self, found: Screening) -> str:
        lists = ", ".join(one.title for one in found.lists)
        if not found.alerts:
            folded = counted(len(found.matches), "hit is", "hits are")
            more = f" Weaker or contradicted: {folded} listed." if found.matches else ""
            return f"Nobody of that name stands on {lists}.{more}"
        best = found.alerts[0]
        backing = [f.label.lower() for f in best.facts if f.stand == "corroborates"]
        agrees = "agrees" if len(backing) == 1 else "agree"
        because = f", and {' and '.join(backing)} {agrees}" if backing else ""
        hits = counted(len(found.alerts), "hit")
        return f"{hits}. {self._alert(best)}: score {best.score:.2f}{because}."


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
    - otherwise: pass. Hits that a date of birth or a gender contradicts are shown folded.

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


class AssociatedIndividuals(DataCheck):
    """Do owners, officers or other people of the business stand on a list?

    Each of the associated individuals is screened as a person: sanctions, political exposure,
    adverse lists. The worst verdict of any of them is that of the check; without associated
    individuals it is not applicable.
    """

    id = "kyb.associated_individuals_screening"
    title = "People of the business"
    payload_key = "people_screening"
    arguments = (ARGUMENT,)

    def look(self, evidence: Evidence) -> Outcome:
        people = _people(evidence)
        if not people:
            return self.outcome("not_applicable", "No people were named.", {"people": []})
        verdicts: list[Verdict] = []
        shown, alerts = [], []
        for said in people:
            one = Evidence(
                attested=said, arguments=evidence.arguments, reference=evidence.reference,
                today=evidence.today,
            )  # fmt: skip
            name = " ".join(attested.person(said).names[:1]) or "A person without a name"
            for check in (PersonSanctions(), PersonPolitical(), PersonAdverse()):
                outcome = check.look(one)
                verdicts.append(outcome.verdict)
                content = outcome.payload["screening"]
                shown.append({
                    "name": name, "what": check.what, "verdict": outcome.verdict,
                    "explanation": outcome.explanation, "screening": content,
                })  # fmt: skip
                if outcome.verdict in {"fail", "review"}:
                    alerts += [f"{name}: {alert}" for alert in outcome.alerts]
        verdict = worst(verdicts)
        explanation = f"{counted(len(people), 'person', 'people')} screened. " + " ".join(
            f"{one['name']}: {one['explanation']}" for one in shown if one["verdict"] == verdict
        )[:1000]  # fmt: skip
        return self.outcome(verdict, explanation, {"people": shown}, alerts=alerts)


def _people(evidence: Evidence) -> list[Mapping[str, Any]]:
    return people_of(evidence.reference.schema if evidence.reference else {}, evidence.attested)


def people_of(schema: Mapping[str, Any], data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The associated individuals of the schema, and owners and officers among the data."""
    found = [
        mapping(one.get("self_attested_data")) or one
        for one in _items(schema.get("associated_individuals"))
    ]
    for key in ("owners", "officers", "partners"):
        found += _items(data.get(key))
    return [one for one in found if attested.person(one).names]


def _items(said: object) -> list[Mapping[str, Any]]:
    return [one for one in said if isinstance(one, Mapping)] if isinstance(said, list) else []


SCREENING = (
    PersonSanctions, PersonPolitical, PersonAdverse, BusinessSanctions, BusinessAdverse,
    AssociatedIndividuals,
)  # fmt: skip
