"""Generated cases from the submission over webhooks to the decision, while the policy approves every clean case.

Only a case of which nothing at all was drawn may be approved by itself.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils.timezone import now

from reviews import tasks
from reviews.access import roles
from reviews.intake import cases
from reviews.jobs import lifecycle
from reviews.models import (
    Agent,
    Case,
    Decision,
    Job,
    LegalHold,
    SuspicionReport,
)
from reviews.privacy import erasing
from tests import fakeservice
from tests.factories import make_agent, make_connection, make_user
from tests.fakeservice import FakeService
from tests.reviews.decisions.test_decision_policy import CLEAN, put_live, switched_on
from tests.reviews.risk.rows import KNOWN, LIST, hit
from tests.reviews.rows import decide, one_person, someone
from tests.webhooks.test_receiver import send
from webhooks.tasks import EVENTS

pytestmark = pytest.mark.django_db
COUNT = 36
SANCTIONS = "kyb.sanctions_screening_check_v2"
ADDRESS = "kyb.proof_of_address_verification"


def screening(*hits: dict[str, Any], verdict: str) -> dict[str, Any]:
    content = {
        "what": "sanctions",
        "subject": {"names": ["Northwind Ltd"], "schema": "Organization"},
        "matches": list(hits),
        "lists": [LIST],
    }
    return {
        "passed": {"pass": True, "fail": False}.get(verdict),
        "verdict": verdict,
        "explanation": "Compared with one list.",
        "payload": {"screening": content},
    }


def simple(verdict: str) -> dict[str, Any]:
    passed = {"pass": True, "fail": False}.get(verdict)
    return {"passed": passed, "verdict": verdict, "explanation": "Read.", "payload": {}}


class Story:
    """One case: what its service says, and what is done to it before a worker looks at it."""

    def __init__(self, number: int, service: FakeService, agent: Agent) -> None:
        self.number, self.service, self.agent = number, service, agent
        self.data: dict[str, Any] = {
            **KNOWN,
            "business_name": f"Acme {number} Ltd",
            "lei": f"5299000000000000{number:04}",
        }
        self.results = {SANCTIONS: screening(verdict="pass"), ADDRESS: simple("pass")}
        self.recommendation = "Approve"
        self.status = "complete"
        self.reasons: list[str] = []
        # What is done after the end of the job.
        self.after: list[Callable[[Case], object]] = []

    def run(self) -> Case:
        case = cases.submit(
            actor=None, agent=self.agent, subject=cases.subject_of(self.data),
            data=self.data, documents=[],
        )  # fmt: skip
        job = case.jobs.get()
        lifecycle.advance(job)
        for tool_id, result in self.results.items():
            hook({"job_id": job.remote_id, "tool_id": tool_id, "results": result})
        record = {
            "id": job.remote_id,
            "status": self.status,
            "recommendation": self.recommendation,
            "recommendation_reasons": self.reasons,
            "check_results": [
                {"check_id": key, "status": "complete", "result": value}
                for key, value in self.results.items()
            ],
        }
        self.service.jobs[job.remote_id] = record
        hook({k: v for k, v in record.items() if k != "check_results"})
        for _ in range(3):
            Job.objects.filter(pk=job.pk, due_at__gt=now()).update(due_at=now())
            lifecycle.advance(Job.objects.get(pk=job.pk))
        case.refresh_from_db()
        for act in self.after:
            act(case)
        return case


def hook(body: dict[str, Any]) -> None:
    assert send(Client(), json.dumps(body).encode()).status_code == 200
    EVENTS.drain()


Doubt = Callable[[Story], None]


def result(tool_id: str, value: dict[str, Any]) -> Doubt:
    return lambda story: story.results.update({tool_id: value})


def member(name: str, value: Any) -> Doubt:
    return lambda story: story.data.update({name: value})


def later(act: Callable[[Case], object]) -> Doubt:
    return lambda story: story.after.append(act)


def answers(**values: Any) -> Doubt:
    return lambda story: story.__dict__.update(values)


def changed(**values: Any) -> Callable[[Case], object]:
    return lambda case: Case.objects.filter(pk=case.pk).update(**values)


def unread(case: Case) -> None:
    body = {"job_id": case.jobs.get().remote_id, "tool_id": ADDRESS}
    content = json.dumps({**body, "results": simple("fail")}).encode()
    assert send(Client(), content).status_code == 200


def corrected(case: Case) -> None:
    unread(case)
    EVENTS.drain()


def earlier(actor: User, outcome: str) -> Doubt:
    """Another case of the same customer, with this decision."""

    def decide_another(story: Story) -> None:
        decide(Story(story.number, story.service, story.agent).run(), actor, outcome)

    return decide_another


def reported(actor: User) -> Callable[[Case], object]:
    return lambda case: SuspicionReport.objects.create(
        case=case, noticed_on=now(), due_on=now(), made_by=actor
    )


def held(actor: User) -> Callable[[Case], object]:
    return lambda case: LegalHold.objects.create(case=case, reason="Asked.", by=actor)


def doubts(ana: User) -> dict[str, Doubt]:
    """What speaks for a person, each as a change of a story."""
    past = (now() - timedelta(days=3)).date().isoformat()
    return {
        "open hit": result(SANCTIONS, screening(hit(), verdict="review")),
        "strong hit": result(SANCTIONS, screening(hit("strong"), verdict="fail")),
        "hit beside a pass": result(SANCTIONS, screening(hit("strong"), verdict="pass")),
        "failed": result(ADDRESS, simple("fail")),
        "review": result(ADDRESS, simple("review")),
        "inconclusive": result(ADDRESS, simple("inconclusive")),
        "no verdict": result(ADDRESS, {"explanation": "Read.", "payload": {}}),
        "no result": result(ADDRESS, {}),
        "no checks": lambda story: story.results.clear(),
        "expired": member("id_document", {"expiry_date": past}),
        "black list": member("address_of_operation", {"country_code": "KP"}),
        "trust": member("owners", [{"name": "The Tallow Family Trust"}]),
        "rejects": answers(recommendation="Reject"),
        "review of agent": answers(recommendation="Manual Review"),
        "says nothing": answers(recommendation=""),
        "reasons": answers(reasons=["A document is missing."]),
        "job failed": answers(status="failed"),
        "unread webhook": later(unread),
        "corrected": later(corrected),
        "rejected before": earlier(ana, "reject"),
        "escalated before": earlier(ana, "escalate"),
        "assigned": later(changed(analyst=ana)),
        "snoozed": later(changed(snoozed_until=now() + timedelta(days=1))),
        "reported": later(reported(ana)),
        "held": later(held(ana)),
        "erased": later(lambda case: erasing.erase(case, at=now())),
    }  # fmt: skip


def test_only_cases_without_any_doubt_are_approved_by_themselves():
    one_person()
    owners = someone(roles.RULE_OWNER, "olga"), someone(roles.RULE_OWNER, "otto")
    ana = make_user("ana2", role=roles.ANALYST)
    rng = random.Random(22)  # noqa: S311
    with fakeservice.running() as service:
        agent = make_agent(make_connection(base_url=service.url))
        put_live(*owners, CLEAN)
        kinds = doubts(ana)
        names = [*kinds] * (COUNT // len(kinds) + 1)
        drawn: dict[int, list[str]] = {}
        for number in range(COUNT):
            story = Story(number, service, agent)
            chosen: list[str] = []
            if number % 4:
                chosen = sorted(
                    {names[number], *rng.sample([*kinds], rng.choice([0, 0, 1]))}
                )
            for name in chosen:
                kinds[name](story)
            drawn[story.run().pk] = chosen
        tasks.rate_cases()
        switched_on(*owners)
        for _ in range(COUNT):
            tasks.approve_by_policy()
    approved = set(
        Decision.objects.filter(made_by=None, outcome="approve").values_list(
            "case", flat=True
        )
    )
    wrong = {key: chosen for key, chosen in drawn.items() if chosen and key in approved}
    lost = [key for key, chosen in drawn.items() if not chosen and key not in approved]
    assert wrong == {}
    assert lost == []
