"""Creates the past of a demonstration: cases that people submitted and decided in earlier weeks.

Each step calls the function that a page would call, with the clock of this process set to the
moment of the step. So each row and each line of the audit trail has the right time. The hub's own
code runs the checks. Only HTTP is left out, because no server runs yet: the desk reads the answer
that the hub would have sent.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from itertools import count

import orjson
import time_machine
from django.contrib.auth.models import User
from django.utils.timezone import now

from agenthub.api import serialisation
from agenthub.jobs import lifecycle
from agenthub.models import Agent as HubAgent
from agenthub.models import AgentJob
from compliance.demonstration import customers
from compliance.demonstration.customers import Customer
from compliance.work import tallies
from reviews import results
from reviews.decisions import decisions, marks
from reviews.decisions.decisions import DecisionRequest
from reviews.findings import dismissals, matches
from reviews.findings.review_state import ReviewState
from reviews.intake import cases
from reviews.jobs import completion, result_rows, start
from reviews.jobs.endings import read_ending
from reviews.models import Agent, Case, CheckReview, Decision, Job, Outcome
from reviews.procedures import checklists
from reviews.wire import JsonObject

SEED = 11  # another seed creates other cases
# The number of new cases on each day of a week, Monday first.
PER_DAY = (3, 3, 2, 3, 2, 1, 0)
OPENS = time(8, 30, tzinfo=UTC)  # the first case of a day comes after this time
OPEN_MINUTES = 8 * 60
RUN = timedelta(seconds=25)  # how long the checks of one case take
# Pairs: minutes until an analyst decides, and how common this wait is.
MINUTES = ((12, 5), (25, 8), (45, 6), (90, 4), (180, 3), (400, 1), (1500, 1))
MINUTES_OF_SECOND = (15, 120)  # shortest and longest wait for the second person
SENT_BACK = 4  # the second person sends back one proposal of four
PURPOSES = ("Salary account", "Savings", "Self-employed business")
IN_PERSON = 0.3  # the share of customers who were met in person

# The rationales and reasons that the people of the demonstration write.
CLEAN = "All checks passed."
EXPIRED = "The passport has expired, and no valid one was sent within the week."
MARRIED = "The certificate of marriage was shown: the passport has the name of before."
NO_PASSPORT = "The customer sent no passport within the week."
NOT_SHOWN = "A copy of the certificate of marriage is needed on file."
WITHDRAWN = "The customer withdrew the application."
LISTED = "The listed person is the applicant."
NAMESAKE = "The listed person is somebody else."


@dataclass(frozen=True)
class Desk:
    """The people who work at the desk, and the agent that runs the checks."""

    agent: Agent
    analysts: Sequence[User]
    senior: User


class History:
    """Plans steps and runs them in the order of their time. A step may plan later steps."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.pick = random.Random(SEED)  # noqa: S311
        self._steps: list[tuple[datetime, int, Callable[[], None]]] = []
        self._numbers = count()

    def add_days(self, until: datetime, count: int) -> None:
        """Plan the cases of `count` days. The last day is that of `until`."""
        days: list[date] = []
        for number in reversed(range(count)):
            day = until.date() - timedelta(days=number)
            days += [day] * PER_DAY[day.weekday()]
        people = customers.invent(self.pick, days)
        for day, customer in zip(days, people, strict=False):
            self.add(self.moment_on(day), customer)

    def add(self, moment: datetime, customer: Customer) -> None:
        """Plan one case that is submitted at this moment."""
        self._plan(moment, partial(self._submit, customer))

    def moment_on(self, day: date) -> datetime:
        minutes = self.pick.randrange(OPEN_MINUTES)
        return datetime.combine(day, OPENS) + timedelta(minutes=minutes)

    def make(self, until: datetime) -> None:
        """Run all steps before `until`. Later steps are dropped: they would be in the future."""
        while self._steps:
            moment, _, act = heapq.heappop(self._steps)
            if moment < until:
                with tallies.nothing_counted(), time_machine.travel(moment):
                    act()

    def _plan(self, moment: datetime, act: Callable[[], None]) -> None:
        heapq.heappush(self._steps, (moment, next(self._numbers), act))

    def _later(self, minutes: int) -> datetime:
        return now() + timedelta(minutes=minutes, seconds=self.pick.randrange(60))

    def _submit(self, customer: Customer) -> None:
        analyst = self.pick.choice(self.desk.analysts)
        case = cases.submit(
            actor=analyst,
            agent=self.desk.agent,
            subject=cases.subject_of(customer.data),
            country=customer.data["country_of_residence"],
            data=customer.data,
            documents=(),
        )
        self._plan(now() + RUN, partial(self._run_checks, case.pk))
        minutes, shares = zip(*MINUTES, strict=True)
        [wait] = self.pick.choices(minutes, shares)
        self._plan(self._later(wait), partial(self._decide, case.pk, analyst, customer))

    def _run_checks(self, case_id: int) -> None:
        """Run the job of the case with the code of the hub, and apply its answer to the case."""
        job = Job.objects.select_related("case").get(case=case_id)
        agent = HubAgent.objects.get(key=self.desk.agent.agent_key)
        payload = {f"{agent.kind}_schema": start.to_wire(job.case)}
        hub_job, _ = lifecycle.create(agent=agent, job_id=job.pk, input_payload=payload)
        job.move(Job.Status.RUNNING, started_at=now(), due_at=None)
        lifecycle.advance(hub_job)
        answer = _answer(hub_job)
        rows = result_rows.check_results(job, answer)
        end = read_ending(answer, has_results=True)
        completion.apply_results(job, rows, end=end)

    def _decide(self, case_id: int, analyst: User, customer: Customer) -> None:
        """Settle the findings and decide, as fits the trait of the customer."""
        case = Case.objects.get(pk=case_id)
        self._fill_checklist(case, analyst)
        case.refresh_from_db()
        state = ReviewState.of(case)
        if customer.trait == "listed":
            _confirm_hits(state, analyst)
            self._conclude(case, analyst, Outcome.REJECT, "R03", LISTED)
        elif customer.trait == "expired":
            self._conclude(case, analyst, Outcome.REJECT, "R04", EXPIRED)
        elif customer.trait == "no_passport":
            self._conclude(case, analyst, Outcome.REJECT, "R04", NO_PASSPORT)
        elif customer.trait == "other_name":
            _override(state, analyst, MARRIED)
            self._conclude(case, analyst, Outcome.APPROVE, "A02", MARRIED)
        elif state.failed or state.doubtful or _open_hits(state):
            reason = customer.reason or NAMESAKE
            _dismiss_hits(state, analyst, reason)
            _override(state, analyst, reason)
            self._conclude(case, analyst, Outcome.APPROVE, "A02", reason)
        else:
            self._conclude(case, analyst, Outcome.APPROVE, "A01", CLEAN)

    def _fill_checklist(self, case: Case, analyst: User) -> None:
        """Fill in what the procedure of the demonstration asks for (preparation.py)."""
        values = {
            "purpose": self.pick.choice(PURPOSES),
            "monthly_volume": self.pick.randrange(400, 9000, 100),
            "met_in_person": self.pick.random() < IN_PERSON,
        }
        checklists.fill(case, actor=analyst, values=values)
        checklists.mark(case, "purpose_known", actor=analyst, kind="ticked")

    def _conclude(
        self, case: Case, analyst: User, outcome: Outcome, code: str, rationale: str
    ) -> None:
        decision = _decide(case, analyst, outcome, code, rationale)
        if decision.status == Decision.Status.PROPOSED:
            wait = self.pick.randrange(*MINUTES_OF_SECOND)
            self._plan(self._later(wait), partial(self._look_again, decision.pk))

    def _look_again(self, decision_id: int) -> None:
        """The senior agrees, or sends the case back. Then the analyst rejects it later."""
        decision = Decision.objects.select_related("case", "made_by").get(
            pk=decision_id
        )
        agrees = self.pick.randrange(SENT_BACK) > 0
        decisions.second(
            decision,
            actor=self.desk.senior,
            agrees=agrees,
            note="" if agrees else NOT_SHOWN,
            revision=decision.case.revision,
        )
        if not agrees and decision.made_by:
            wait = self.pick.randrange(*MINUTES_OF_SECOND)
            case_id, analyst = decision.case_id, decision.made_by
            self._plan(self._later(wait), partial(self._give_up, case_id, analyst))

    def _give_up(self, case_id: int, analyst: User) -> None:
        case = Case.objects.get(pk=case_id)
        self._conclude(case, analyst, Outcome.REJECT, "R04", WITHDRAWN)


def _answer(hub_job: AgentJob) -> JsonObject:
    """The answer of the hub about this job, after a round trip through JSON."""
    queryset = AgentJob.objects.filter(pk=hub_job.pk)
    jobs = serialisation.jobs(
        queryset, spelling=serialisation.STATUS_BY_ID, messages=False
    )
    job = jobs[hub_job.pk]
    job["check_results"] = serialisation.check_results_of_job(
        hub_job.pk, hub_job.job_id
    )
    answer: JsonObject = orjson.loads(orjson.dumps(job))
    return answer


def _decide(
    case: Case, analyst: User, outcome: Outcome, code: str, rationale: str
) -> Decision:
    request = DecisionRequest(outcome=outcome, reasons=[code], rationale=rationale)
    return decisions.decide(
        case, actor=analyst, request=request, revision=case.revision
    )


def _override(state: ReviewState, analyst: User, reason: str) -> None:
    for check in (*state.failed, *state.doubtful):
        marks.mark(
            state.case,
            check.id,
            actor=analyst,
            kind=CheckReview.Kind.OVERRIDDEN,
            reason=reason,
        )


def _open_hits(state: ReviewState) -> list[results.Hit]:
    """All hits of the screenings that can be dismissed or confirmed."""
    hits = []
    for part in state.parts:
        for finding in part.findings:
            if isinstance(finding, results.Hit) and state.dismissed.key(finding):
                hits.append(finding)
    return hits


def _dismiss_hits(state: ReviewState, analyst: User, reason: str) -> None:
    for hit in _open_hits(state):
        key = state.dismissed.key(hit)
        dismissals.dismiss(state.case, hit, key=key, actor=analyst, reason=reason)


def _confirm_hits(state: ReviewState, analyst: User) -> None:
    for hit in _open_hits(state):
        matches.confirm(state.case, hit, actor=analyst)
