"""Cases with screening results, and the ratings of them."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from reviews import tasks
from reviews.models import (
    Case,
    CaseRating,
    CheckResult,
    Job,
    RatingState,
    RiskPolicy,
)
from reviews.risk import schedule, trials
from tests.reviews.pages.case.rows import add_check_result, reviewed_case

SANCTIONS = "kyb.sanctions_screening_check_v2"
LIST = {"slug": "un", "title": "UN list", "version": "1"}


def hit(band: str = "possible", name: str = "Northwind Limited") -> dict[str, Any]:
    return {
        "entry": {"id": "un-1", "programs": ["DPRK"]},
        "name": {"listed": name, "kind": "primary"},
        "band": band,
        "score": 0.9,
        "list": LIST,
        "content_hash": "c" * 64,
    }


def add_screening(
    job: Job, *hits: dict[str, Any], what: str = "sanctions", verdict: str = ""
) -> CheckResult:
    content = {
        "what": what,
        "subject": {"names": ["Northwind Ltd"], "schema": "Organization",
                    "countries": ["de"]},
        "matches": list(hits),
        "lists": [LIST],
    }  # fmt: skip
    verdict = verdict or ("review" if hits else "pass")
    result = {
        "passed": {"pass": True, "fail": False}.get(verdict),
        "verdict": verdict,
        "explanation": "Compared with one list.",
        "payload": {"screening": content},
    }
    check_id = SANCTIONS if what == "sanctions" else "kyb.pep_screening"
    row = add_check_result(job, result, check_id=check_id)
    # Of one check there may be several results: the worst counts.
    row.subject = f"sha256:{row.pk}"
    row.save()
    return row


KNOWN = {
    "business_name": "Northwind Ltd",
    "incorporation_date": "2010-01-02",
    "owners": [{"name": "Ann Bell"}],
    "product": "retail",
    "channel": "desk",
    "address_of_operation": {"country_code": "DE"},
}


def screened_case(*hits: dict[str, Any], **values: Any) -> tuple[Case, Job]:
    verdict = values.pop("verdict", "")
    values.setdefault("self_attested_data", KNOWN)
    case, job = reviewed_case(**values)
    add_screening(job, *hits, verdict=verdict)
    return case, job


def rated(case: Case) -> CaseRating:
    """Rate it as the worker does. Returns the newest rating."""
    schedule.rate(case)
    tasks.rate_cases()
    state = RatingState.objects.get(case=case)
    assert state.rating is not None
    assert state.due_at is None
    return state.rating


def state_of(case: Case) -> RatingState:
    return RatingState.objects.select_related("rating__policy").get(case=case)


def newest(case: Case) -> CaseRating:
    rating = state_of(case).rating
    assert rating is not None
    return rating


def tried(policy: RiskPolicy, actor: User) -> None:
    """Try it on the cases that there are, as must be done before it is live."""
    trials.begin(policy, actor=actor)
    tasks.try_policies()
