"""What the decision bar and the sheet above it show, for this person and this case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet

from reviews import results
from reviews.access import roles
from reviews.decisions import decisions, policy
from reviews.findings.review_state import ReviewState
from reviews.intake import information_requests
from reviews.models import (
    DOCUMENT_KINDS,
    ENDING,
    Case,
    Decision,
    InformationRequest,
    Note,
    Outcome,
    ReasonCode,
)

# outcome: (icon, words on its button, key)
OUTCOMES = {
    Outcome.APPROVE: ("circle-check", "Approve", "A"),
    Outcome.REJECT: ("circle-x", "Reject", "R"),
    Outcome.REQUEST: ("send", "Request info", "I"),
    Outcome.ESCALATE: ("arrow-up-right", "Escalate", "E"),
}


@dataclass(frozen=True)
class Panel:
    case: Case
    review_state: ReviewState
    user: User
    here: str  # the address of the page without the sheet
    asked: str  # the outcome whose sheet is open, or ""
    typed: Mapping[str, Any]  # what was typed into a form that came back
    waiting: InformationRequest | None  # what the applicant has not answered
    days: int = information_requests.DAYS

    @property
    def address_of_sheet(self) -> str:
        """The page with a sheet open: the outcome is to be added to it."""
        return f"{self.here}{'&' if '?' in self.here else '?'}decide="

    @property
    def notes(self) -> QuerySet[Note]:
        return self.case.notes.select_related("by").prefetch_related(
            "mentions", "attachments"
        )

    @property
    def outcomes(self) -> list[dict[str, object]]:
        choices: list[dict[str, object]] = []
        for outcome, (icon, label, key) in OUTCOMES.items():
            choice: dict[str, object] = {
                "value": outcome.value,
                "icon": icon,
                "label": label,
                "key": key,
                "on": outcome.value == self.asked,
            }
            choices.append(choice)
        return choices

    @property
    def is_open(self) -> bool:
        """Whether there is something to decide, whatever may stand in the way now."""
        return self.case.status in (*decisions.OPEN, Case.Status.CHECKING)

    @cached_property
    def may_review(self) -> bool:
        return self.is_open and self.user.has_perm(roles.REVIEW)

    @cached_property
    def may_decide(self) -> bool:
        if not self.user.has_perm(roles.DECIDE):
            return False
        return not self.is_escalated or self.user.has_perm(roles.APPROVE)

    @cached_property
    def is_escalated(self) -> bool:
        newest = self.newest
        return newest is not None and newest.outcome == Outcome.ESCALATE

    @property
    def sheet(self) -> str:
        return self.asked if self.is_open and self.may_decide else ""

    @cached_property
    def obstacles(self) -> list[str]:
        return decisions.obstacles(self.case, self.review_state, self.asked)

    @property
    def in_the_way(self) -> list[results.Check]:
        """The checks that somebody must look at before this outcome is to be had."""
        if self.case.status not in decisions.OPEN or self.asked != Outcome.APPROVE:
            return []
        return self.review_state.open

    @property
    def other_obstacles(self) -> list[str]:
        """Those that name no check: the last one does where checks are in the way."""
        return self.obstacles[:-1] if self.in_the_way else self.obstacles

    @cached_property
    def why_two(self) -> list[str]:
        # Before an outcome is chosen the page says what approval would need.
        outcome = self.asked or Outcome.APPROVE
        if outcome not in ENDING:
            return []
        return policy.reasons_for_second_person(
            self.case, self.review_state, outcome, policy.cached_rules()
        )

    @cached_property
    def seconds(self) -> list[User]:
        """Who could be the second person."""
        return list(
            roles.colleagues(self.case, roles.APPROVE).exclude(pk=self.user.pk)[:6]
        )

    @property
    def agent_reasons(self) -> list[str]:
        return self.review_state.agent_reasons

    @cached_property
    def reasons(self) -> list[tuple[ReasonCode, bool, str]]:
        """Each with whether it is chosen, and what of the case contradicts it."""
        chosen = set(self._typed_list("reasons"))
        rows = ReasonCode.objects.filter(outcome=self.asked, is_active=True)
        choices = []
        for reason in rows:
            contradiction = policy.contradiction(reason, self.review_state)
            choices.append((reason, reason.code in chosen, contradiction))
        return choices

    @property
    def kinds(self) -> list[tuple[str, str, bool]]:
        chosen = set(self._typed_list("kinds"))
        kinds = DOCUMENT_KINDS[self.case.kind]
        return [(kind.value, kind.label, kind.value in chosen) for kind in kinds]

    def _typed_list(self, name: str) -> list[str]:
        getlist = getattr(self.typed, "getlist", None)
        return getlist(name) if getlist else []

    @cached_property
    def decided(self) -> list[Decision]:
        return list(self.case.decisions.select_related("made_by", "second_by"))

    @property
    def newest(self) -> Decision | None:
        return self.decided[0] if self.decided else None

    @property
    def proposal(self) -> Decision | None:
        for decision in self.decided:
            if decision.status == Decision.Status.PROPOSED:
                return decision
        return None

    @property
    def standing(self) -> Decision | None:
        for decision in self.decided:
            is_standing = decision.status == Decision.Status.STANDING
            if is_standing and decision.outcome in ENDING:
                return decision
        return None

    @property
    def returned(self) -> Decision | None:
        """What a second person sent back, until somebody decides anew."""
        newest = self.newest
        return newest if newest and newest.status == Decision.Status.RETURNED else None

    @property
    def taken_back(self) -> Decision | None:
        """What an alarm took back, until somebody decides anew."""
        for decision in self.decided:
            if decision.outcome in ENDING:
                was_reopened = decision.status == Decision.Status.REOPENED
                return decision if was_reopened else None
        return None

    @property
    def may_second(self) -> bool:
        made_by = self.proposal.made_by_id if self.proposal else None
        return self.user.has_perm(roles.APPROVE) and made_by != self.user.pk

    @property
    def may_reopen(self) -> bool:
        return self.user.has_perm(roles.REOPEN)

    @property
    def may_export(self) -> bool:
        return self.user.has_perm(roles.EXPORT)

    @property
    def link(self) -> str:
        return information_requests.address(self.waiting) if self.waiting else ""
