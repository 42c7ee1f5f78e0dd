"""The checks for other cases of the same person or business."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from checks.base import Evidence, Outcome
from checks.data_check import DataCheck, State, row, text, verdict_of
from checks.duplicates import blocking_keys
from checks.duplicates.blocking_keys import Fact
from checks.fields.addresses.postal import address_from_wire, compare_addresses
from checks.lookups import Earlier
from checks.screening import engine

SAME_PERSON, ANOTHER_PERSON, SAME_BUSINESS = 0.80, 0.70, 0.85
MOST_SHOWN = 25


class _Duplicates(DataCheck):
    """What both have in common: the facts are marks, and cases that bear one are compared."""

    payload_key = "duplicates"
    step = "Comparing with other cases"
    facts: ClassVar[Callable[[Mapping[str, Any]], list[Fact]]]

    def look(self, evidence: Evidence) -> Outcome:
        facts = type(self).facts(evidence.attested)
        if not facts:
            return self.not_applicable(
                "Nothing was attested by which other cases could be found."
            )
        cases = evidence.lookups.cases if evidence.lookups else None
        if cases is None:
            how = "Other cases could not be searched."
            return self.of_rows([row("Other cases", "", "unknown", how)], passed="")
        marks_of = {}
        for h in (False, True):
            marks_of[h] = [f.mark for f in facts if f.nominates is h]
        earlier = cases.sharing(marks_of[False], marks_of[True])
        links = []
        for case in earlier:
            link = self._link(evidence.attested, facts, case)
            if link:
                links.append(link)
        links.sort(key=lambda link: (link["state"] != "fail", -len(link["shared"])))
        verdict, explanation, alerts = verdict_of(
            links, passed="No other case of this account matches."
        )
        content = {"links": links[:MOST_SHOWN], "not_shown": len(links[MOST_SHOWN:])}
        return self.outcome(
            verdict, explanation[:1000], content, alerts=alerts[:MOST_SHOWN]
        )

    def _link(
        self, attested: Mapping[str, Any], facts: Sequence[Fact], other: Earlier
    ) -> dict[str, Any] | None:
        """How another case is linked with this one; None where it only looked like it."""
        bears = {fact.mark for fact in type(self).facts(other.attested)}
        both = [fact for fact in facts if fact.mark in bears]
        score, name = self._alike(attested, other.attested)
        shared = [fact for fact in both if not fact.nominates]
        shared += self._by_name(attested, other, both, score)
        if not shared:
            return None
        state = self._state(shared, score)
        labels = ", ".join(dict.fromkeys(fact.label for fact in shared))
        how = f"Case {other.case_id} has the same {labels}" + (
            f" under another name: {name}." if state == "fail" else "."
        )
        return {
            "case_id": other.case_id, "name": name, "score": round(score, 2),
            "since": other.since, "state": state, "how": how,
            "shared": [{"field": f.kind, "label": f.label} for f in dict.fromkeys(shared)],
        }  # fmt: skip

    def _alike(
        self, attested: Mapping[str, Any], other: Mapping[str, Any]
    ) -> tuple[float, str]:
        raise NotImplementedError

    def _by_name(
        self,
        attested: Mapping[str, Any],
        other: Earlier,
        both: Sequence[Fact],
        score: float,
    ) -> list[Fact]:
        """What counts as shared because the names are alike."""
        raise NotImplementedError

    def _state(self, shared: Sequence[Fact], score: float) -> State:
        return "review"


class DuplicateSubject(_Duplicates):
    """Is there another case of this person in the account?

    Cases with the same number of the ID, e-mail address or telephone number, and those with the
    same date of birth and a name that is alike (score ≥ 0.80), are linked.

    - the same number of the ID under another name (score under 0.70): fail;
    - any other link: review;
    - nothing to look by: not applicable; no cases at hand: inconclusive; otherwise: pass.

    Compared are the cases of this account whose agents ran this check; their names are told to it
    alone.
    """

    id = "kyc.duplicate_subject"
    aliases = ("kyc.duplicates",)
    title = "Other cases of this person"
    facts = blocking_keys.of_person

    def _alike(
        self, attested: Mapping[str, Any], other: Mapping[str, Any]
    ) -> tuple[float, str]:
        mine = blocking_keys.person_name(attested)
        theirs = blocking_keys.person_name(other)
        return max(engine.compare(mine, theirs), engine.compare(theirs, mine)), theirs

    def _by_name(
        self,
        attested: Mapping[str, Any],
        other: Earlier,
        both: Sequence[Fact],
        score: float,
    ) -> list[Fact]:
        born = [fact for fact in both if fact.kind == "born"]
        if born and score >= SAME_PERSON:
            return [*born, Fact("name", "name", "")]
        return []

    def _state(self, shared: Sequence[Fact], score: float) -> State:
        has_same_id = any(fact.kind == "id" for fact in shared)
        return "fail" if has_same_id and score < ANOTHER_PERSON else "review"


class DuplicateBusiness(_Duplicates):
    """Is there another case of this business in the account?

    Cases with the same registration number, tax number, LEI, website, telephone number or e-mail
    address are linked; so are those with a name that is alike (score ≥ 0.85) and the same address or
    country. Any link: review. Nothing to look by: not applicable; no cases at hand: inconclusive;
    otherwise: pass.
    """

    id = "kyb.duplicate_business"
    aliases = ("kyb.duplicates",)
    title = "Other cases of this business"
    facts = blocking_keys.of_business

    def _alike(
        self, attested: Mapping[str, Any], other: Mapping[str, Any]
    ) -> tuple[float, str]:
        theirs = blocking_keys.business_names(other)
        scored = []
        for mine in blocking_keys.business_names(attested):
            for name in theirs:
                scored.append((engine.compare(mine, name, schema="Organization"), name))
        return max(scored, default=(0.0, theirs[0] if theirs else ""))

    def _by_name(
        self,
        attested: Mapping[str, Any],
        other: Earlier,
        both: Sequence[Fact],
        score: float,
    ) -> list[Fact]:
        if score < SAME_BUSINESS:
            return []
        name = Fact("name", "name", "")
        if any(fact.kind == "place" for fact in both) and same_address(
            attested, other.attested
        ):
            return [name, Fact("place", "address", "")]
        mine = blocking_keys.country_of(attested)
        theirs = blocking_keys.country_of(other.attested)
        if mine and mine == theirs:
            return [name, Fact("country", "country", "")]
        return []


def same_address(attested: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """The address that both attest, as this one writes it; empty where there is none."""
    fields = ("address_of_incorporation", "address_of_operation")
    for mine in filter(None, (address_from_wire(attested.get(key)) for key in fields)):
        for theirs in filter(
            None, (address_from_wire(other.get(key)) for key in fields)
        ):
            if compare_addresses(mine, theirs)[0] == "equal":
                return str(mine)
    return ""


def is_another(attested: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two cases are of businesses with different names."""
    names = [text(name) for name in blocking_keys.business_names(other)]
    for mine in blocking_keys.business_names(attested):
        for name in names:
            if not (engine.compare(mine, name, schema="Organization") < SAME_BUSINESS):
                return False
    return True
