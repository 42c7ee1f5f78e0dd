"""The checks for other cases of the same person or business."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import ClassVar

from checks.attested import facts as attested_facts
from checks.attested.facts import ADDRESSES, Fact
from checks.base import Evidence, Outcome
from checks.data_check import DataCheck, State, row, verdict_of
from checks.duplicates import tunables
from checks.fields.addresses.comparison import compare_addresses
from checks.fields.addresses.postal import Address, address_from_wire
from checks.lookups import Earlier
from checks.screening import engine
from checks.wire import JsonObject, Wire


def _in_words(shared: Sequence[Fact]) -> str:
    """The labels as in a sentence, the name first: "name, date of birth and e-mail address"."""
    by_name = sorted(shared, key=lambda fact: fact.kind != "name")
    *others, last = dict.fromkeys(fact.label for fact in by_name)
    return f"{', '.join(others)} and {last}" if others else last


class _Duplicates(DataCheck):
    """What both have in common: the facts are marks, and cases that bear one are compared."""

    payload_key = "duplicates"
    step = "Comparing with other cases"
    facts: ClassVar[Callable[[JsonObject], list[Fact]]]

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
        # Marks prove a link by themselves. Hints only select cases whose names are compared.
        marks = [fact.mark for fact in facts if not fact.nominates]
        hints = [fact.mark for fact in facts if fact.nominates]
        links: list[Wire] = []
        for case in cases.sharing(marks, hints):
            link = self._link(evidence.attested, facts, case)
            if link:
                links.append(link)
        # Failing links first, then those that share the most facts.
        links.sort(key=lambda link: (link["state"] != "fail", -len(link["shared"])))
        verdict, explanation, alerts = verdict_of(
            links, passed="No other case of this account matches."
        )
        content = {
            "links": links[: tunables.MOST_LINKS],
            "not_shown": len(links[tunables.MOST_LINKS :]),
        }
        return self.outcome(
            verdict, explanation[:1000], content, alerts=alerts[: tunables.MOST_LINKS]
        )

    def _link(
        self, attested: JsonObject, facts: Sequence[Fact], other: Earlier
    ) -> Wire | None:
        """Return how another case is linked with this one; None if it only seemed to be."""
        marks = set()
        for fact in type(self).facts(other.attested):
            marks.add(fact.mark)
        # The index only has hashes, so the facts of the other case are computed again.
        both = [fact for fact in facts if fact.mark in marks]
        score, name = self._compare_names(attested, other.attested)
        shared = [fact for fact in both if not fact.nominates]
        shared += self._by_name(attested, other, both, score)
        if not shared:
            return None
        shared = list(dict.fromkeys(shared))
        state = self._state(shared, score)
        how = f"Case {other.case_id} has the same {_in_words(shared)}"
        if state == "fail":
            how += f" under another name: {name}"
        return {
            "case_id": other.case_id,
            "name": name,
            "score": round(score, 2),
            "since": other.since,
            "state": state,
            "how": f"{how}.",
            "shared": [{"field": fact.kind, "label": fact.label} for fact in shared],
        }

    def _compare_names(
        self, attested: JsonObject, other: JsonObject
    ) -> tuple[float, str]:
        """Return the similarity of the names of both cases, and the name of the other."""
        raise NotImplementedError

    def _by_name(
        self,
        attested: JsonObject,
        other: Earlier,
        both: Sequence[Fact],
        score: float,
    ) -> list[Fact]:
        """Return the facts that count as shared because the names are similar."""
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
    facts = attested_facts.of_person

    def _compare_names(
        self, attested: JsonObject, other: JsonObject
    ) -> tuple[float, str]:
        mine = attested_facts.person_name(attested)
        theirs = attested_facts.person_name(other)
        # The engine is not symmetric: it compares a query with a listed name. So both directions
        # are compared.
        score = max(engine.compare(mine, theirs), engine.compare(theirs, mine))
        return score, theirs

    def _by_name(
        self,
        attested: JsonObject,
        other: Earlier,
        both: Sequence[Fact],
        score: float,
    ) -> list[Fact]:
        births = [fact for fact in both if fact.kind == "born"]
        if births and score >= tunables.SAME_PERSON:
            return [*births, Fact("name", "name", "")]
        return []

    def _state(self, shared: Sequence[Fact], score: float) -> State:
        # One ID number with two different names: an ID belongs to one person.
        has_same_id = any(fact.kind == "id" for fact in shared)
        if has_same_id and score < tunables.ANOTHER_PERSON:
            return "fail"
        return "review"


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
    facts = attested_facts.of_business

    def _compare_names(
        self, attested: JsonObject, other: JsonObject
    ) -> tuple[float, str]:
        mine = attested_facts.business_names(attested)
        theirs = attested_facts.business_names(other)
        scores = []
        for name, other_name in product(mine, theirs):
            score = engine.compare(name, other_name, schema="Organization")
            scores.append((score, other_name))
        if scores:
            return max(scores)
        return 0.0, theirs[0] if theirs else ""

    def _by_name(
        self,
        attested: JsonObject,
        other: Earlier,
        both: Sequence[Fact],
        score: float,
    ) -> list[Fact]:
        if score < tunables.SAME_BUSINESS:
            return []
        name = Fact("name", "name", "")
        # The key of a place is coarse, so the addresses are compared in full.
        has_same_place = any(fact.kind == "place" for fact in both)
        if has_same_place and same_address(attested, other.attested):
            return [name, Fact("place", "address", "")]
        mine = attested_facts.country_of(attested)
        theirs = attested_facts.country_of(other.attested)
        if mine and mine == theirs:
            return [name, Fact("country", "country", "")]
        return []


def same_address(attested: JsonObject, other: JsonObject) -> str:
    """Return the address that both cases attest, as this case writes it; empty if there is none."""
    for mine, theirs in product(_addresses(attested), _addresses(other)):
        comparison, _ = compare_addresses(mine, theirs)
        if comparison == "equal":
            return str(mine)
    return ""


def _addresses(attested: JsonObject) -> list[Address]:
    addresses = []
    for member in ADDRESSES:
        address = address_from_wire(attested.get(member))
        if address:
            addresses.append(address)
    return addresses


def is_another(attested: JsonObject, other: JsonObject) -> bool:
    """Whether two cases are of businesses with different names."""
    mine = attested_facts.business_names(attested)
    theirs = attested_facts.business_names(other)
    for name, other_name in product(mine, theirs):
        if (
            engine.compare(name, other_name, schema="Organization")
            >= tunables.SAME_BUSINESS
        ):
            return False
    return True
