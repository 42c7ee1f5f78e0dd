"""The content of the decision bar and the decision form, for one user and one case."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext_lazy as _

from compliance import languages
from compliance.security import data_keys
from reviews import results
from reviews.access import roles
from reviews.decisions import obstacles, policy, preset_reasons, rationale_draft
from reviews.decisions.policies import demands
from reviews.findings import recommendation_sentence
from reviews.findings.review_state import ReviewState
from reviews.intake import information_requests, request_mails
from reviews.models import (
    DOCUMENT_KINDS,
    ENDING,
    Case,
    Decision,
    Document,
    InformationRequest,
    Note,
    Outcome,
    ReasonCode,
    RequestMail,
)
from reviews.procedures.checklists import Checklist
from reviews.procedures.content import Item

MOST_APPROVERS = 50  # users to choose from
MOST_NAMED = 3  # users that the bar names: it is one line
# Outcome → icon, words on its button, key on the keyboard.
OUTCOMES = {
    Outcome.APPROVE: ("circle-check", _("Approve"), "A"),
    Outcome.REJECT: ("circle-x", _("Reject"), "R"),
    Outcome.REQUEST: ("send", _("Request info"), "I"),
    Outcome.ESCALATE: ("arrow-up-right", _("Escalate"), "E"),
}

# In the session: the form that is not sent yet. The page with it may be left meanwhile, for a note
# or for another check. It ends with the login. It is encrypted with the key of the case, because an
# erasure cannot find it in the sessions of others, and Redis has a copy of them.
UNSENT = "unsent_decision"
_LABEL = "reviews.unsent_decision"  # what the encrypted text is bound to
LONGEST = 200_000  # characters of one form


def keep_unsent(request: HttpRequest, case: Case) -> None:
    sent = request.POST.copy()
    sent.pop("csrfmiddlewaretoken", None)
    # Only the message was written: the other outcomes have drafts.
    if not sent.get("rationale"):
        sent.pop("rationale", None)
    form = sent.urlencode()
    if len(form) <= LONGEST:
        token = data_keys.seal(case.data_key_id_for_personal(), form.encode(), _LABEL)
        kept = {"case": case.pk, "form": base64.b64encode(token).decode()}
        request.session[UNSENT] = kept


def unsent_form(request: HttpRequest, case: Case) -> QueryDict:
    """The fields of the user's decision form of this case; without any if none is kept."""
    kept = request.session.get(UNSENT, {})
    if kept.get("case") != case.pk:
        return QueryDict()
    try:
        token = base64.b64decode(kept["form"])
        return QueryDict(data_keys.unseal(token, _LABEL))
    except (ValueError, data_keys.DataKeyError):
        # The case was erased meanwhile, or an older version has kept the form.
        return QueryDict()


def forget_unsent(request: HttpRequest, case: Case) -> None:
    if unsent_form(request, case):
        del request.session[UNSENT]


@dataclass(frozen=True)
class DecisionForm:
    """The content of the decision bar and the decision form.

    Properties run their queries only when a template uses them.
    """

    case: Case
    review_state: ReviewState
    user: User
    page_url: str  # address of the page without the form
    outcome: str  # outcome whose form is open, or ""
    values: Mapping[str, object]  # submitted values, if the form is shown again
    waiting: InformationRequest | None  # the open request to the applicant, or None
    days: int = information_requests.DAYS
    unsent: str = ""  # outcome of the user's form that is not sent yet, or ""

    @property
    def form_url(self) -> str:
        """The address of the page with the form open. The template appends the outcome."""
        separator = "&" if "?" in self.page_url else "?"
        return f"{self.page_url}{separator}decide="

    @property
    def notes(self) -> QuerySet[Note]:
        return self.case.notes.select_related("by").prefetch_related(
            "mentions", "attachments__scan"
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
                "on": outcome.value == self.outcome,
            }
            choices.append(choice)
        return choices

    @property
    def is_open(self) -> bool:
        """Whether the case can be decided at all, apart from obstacles that may be removed."""
        statuses = (*obstacles.OPEN, Case.Status.CHECKING)
        return self.case.status in statuses

    @cached_property
    def may_review(self) -> bool:
        return self.is_open and self.user.has_perm(roles.REVIEW)

    @cached_property
    def may_decide(self) -> bool:
        # An escalated case may be decided only by users who may approve.
        if not self.user.has_perm(roles.DECIDE):
            return False
        return not self.is_escalated or self.user.has_perm(roles.APPROVE)

    @cached_property
    def is_escalated(self) -> bool:
        newest = self.newest
        return newest is not None and newest.outcome == Outcome.ESCALATE

    @property
    def open_outcome(self) -> str:
        if self.is_open and self.may_decide:
            return self.outcome
        return ""

    @cached_property
    def obstacles(self) -> list[str]:
        # Computed for the chosen outcome: an approval has more obstacles than a rejection.
        return obstacles.of(
            self.case,
            self.review_state,
            self.outcome,
            actor=self.user,
            needs=demands.shown(self.case),
            asks_for_items=bool(self.open_items),
        )

    @property
    def unreviewed_checks(self) -> list[results.Check]:
        """The open checks that must be reviewed before the case can be approved."""
        if self.case.status not in obstacles.OPEN or self.outcome != Outcome.APPROVE:
            return []
        return self.review_state.open

    @property
    def other_obstacles(self) -> list[str]:
        """The obstacles that name no check. If checks are open, the last obstacle is the one
        about them.
        """
        if self.unreviewed_checks:
            return self.obstacles[:-1]
        return self.obstacles

    @cached_property
    def open_items(self) -> list[tuple[Item, bool]]:
        """The items of the checklist that this outcome waits for, and whether the sent form has
        ticked them.
        """
        is_asked = self.outcome in ENDING and self.case.status in obstacles.OPEN
        if not is_asked or not self.case.open_items or not self.may_review:
            return []
        ticked = self._value_list("ticked")
        items = Checklist.of(self.case).open_items
        return [(item, item.key in ticked) for item in items]

    @cached_property
    def second_person_reasons(self) -> list[str]:
        # Before an outcome is chosen, the page shows what an approval would need.
        outcome = self.outcome or Outcome.APPROVE
        if outcome not in ENDING:
            return []
        return policy.reasons_for_second_person(
            self.case,
            self.review_state,
            outcome,
            policy.cached_rules(),
        )

    @cached_property
    def possible_approvers(self) -> list[User]:
        """Users who could be the second person."""
        return list(
            roles.colleagues(self.case, roles.APPROVE).exclude(pk=self.user.pk)[
                :MOST_APPROVERS
            ]
        )

    @property
    def sentence(self) -> str:
        """A sentence with the agent's recommendation and its reasons."""
        return recommendation_sentence.sentence(self.review_state)

    @property
    def rationale(self) -> str:
        """The submitted or kept rationale, otherwise a draft."""
        if "rationale" in self.values:
            return str(self.values["rationale"])
        return rationale_draft.draft(self.review_state, self.outcome)

    @property
    def preset_dismissals(self) -> Sequence[str]:
        return preset_reasons.DISMISS

    @property
    def preset_overrides(self) -> Sequence[str]:
        return preset_reasons.OVERRIDE

    @property
    def opens_next(self) -> bool:
        """Whether the next case opens after the decision.

        The default is yes. If the form is shown again, the submitted choice counts.
        """
        return "rationale" not in self.values or "next" in self.values

    @property
    def agent_reasons(self) -> list[str]:
        return self.review_state.agent_reasons

    @cached_property
    def reasons(self) -> list[tuple[ReasonCode, bool, str]]:
        """Reason codes as tuples: the code, whether it is chosen, and what in the case
        contradicts it.

        In a form that nobody has submitted yet, the reason of a clean case is chosen.
        """
        chosen = set(self._value_list("reasons"))
        is_new = (
            "rationale" not in self.values or self.values.get("outcome") != self.outcome
        )
        rows = ReasonCode.objects.filter(
            outcome=self.outcome,
            is_active=True,
        )
        choices = []
        for reason in rows:
            contradiction = policy.contradiction(reason, self.review_state)
            is_chosen = reason.code in chosen
            if is_new and policy.is_evident(reason, self.review_state):
                is_chosen = True
            choices.append((reason, is_chosen, contradiction))
        return choices

    @property
    def kinds(self) -> list[tuple[str, str, bool]]:
        chosen = set(self._value_list("kinds"))
        kinds = DOCUMENT_KINDS[self.case.kind]
        return [(kind.value, str(kind.label), kind.value in chosen) for kind in kinds]

    def _value_list(self, name: str) -> list[str]:
        getlist = getattr(self.values, "getlist", None)
        return getlist(name) if getlist else []

    @cached_property
    def all_decisions(self) -> list[Decision]:
        rows = self.case.decisions.all()
        # Only automatic approvals have a policy.
        rows = rows.select_related("made_by", "second_by").prefetch_related("policy")
        return list(rows)

    @property
    def newest(self) -> Decision | None:
        if self.all_decisions:
            return self.all_decisions[0]
        return None

    @property
    def proposal(self) -> Decision | None:
        for decision in self.all_decisions:
            if decision.status == Decision.Status.PROPOSED:
                return decision
        return None

    @cached_property
    def asked(self) -> list[User]:
        """Who can agree to the proposal: the colleague that its maker chose, otherwise all who
        may.
        """
        if self.proposal is None:
            return []
        able = roles.colleagues(self.case, roles.APPROVE)
        able = able.exclude(pk=self.proposal.made_by_id or 0)
        line = self.case.events.filter(what="proposed").last()
        names = line.details.get("asked") if line else None
        # The colleague may have left meanwhile.
        chosen = list(
            able.filter(username__in=names if isinstance(names, list) else [])
        )
        return chosen or list(able[:MOST_APPROVERS])

    @property
    def first_asked(self) -> list[User]:
        return self.asked[:MOST_NAMED]

    @property
    def more_asked(self) -> int:
        return len(self.asked[MOST_NAMED:])

    @property
    def standing(self) -> Decision | None:
        for decision in self.all_decisions:
            is_standing = decision.status == Decision.Status.STANDING
            if is_standing and decision.outcome in ENDING:
                return decision
        return None

    @property
    def returned(self) -> Decision | None:
        """A decision that a second person sent back, until somebody decides again."""
        newest = self.newest
        if newest and newest.status == Decision.Status.RETURNED:
            return newest
        return None

    @property
    def taken_back(self) -> Decision | None:
        """A decision that was reopened, until somebody decides again."""
        for decision in self.all_decisions:
            if decision.outcome in ENDING:
                # The newest ending decision counts: an older one may have been reopened, too.
                was_reopened = decision.status == Decision.Status.REOPENED
                return decision if was_reopened else None
        return None

    @property
    def may_second(self) -> bool:
        # The second person must be another user than the first.
        if self.proposal and self.proposal.made_by_id == self.user.pk:
            return False
        return self.user.has_perm(roles.APPROVE)

    @property
    def may_reopen(self) -> bool:
        return self.user.has_perm(roles.REOPEN)

    @property
    def may_export(self) -> bool:
        return self.user.has_perm(roles.EXPORT)

    @property
    def link(self) -> str:
        if self.waiting:
            return information_requests.address(self.waiting)
        return ""

    @property
    def sends_mail(self) -> bool:
        """Whether this installation can send the link by e-mail."""
        return request_mails.is_set_up()

    @cached_property
    def last_mail(self) -> RequestMail | None:
        return request_mails.last_of(self.case)

    @property
    def email(self) -> str:
        """The recipient of the link: as submitted, as of the last mail, or the attested address."""
        if "email" in self.values:
            return str(self.values["email"])
        if self.last_mail:
            return self.last_mail.recipient
        data = self.case.self_attested_data
        if not isinstance(data, dict):
            return ""
        return results.text(data.get("email") or data.get("contact_email_address"), 254)

    @property
    def languages(self) -> list[tuple[str, str, bool]]:
        """Languages of the mails to the applicant: code, name, whether it is chosen."""
        first = self.last_mail.language if self.last_mail else languages.current()
        chosen = self.values.get("language", first)
        return [(code, name, code == chosen) for code, name in languages.names()]

    @property
    def remind_days(self) -> object:
        return self.values.get("remind_days", information_requests.REMIND_DAYS)

    @cached_property
    def received(self) -> list[tuple[Document, str]]:
        """Documents that the applicant sent, each with the submitted reason for refusing it."""
        rows = []
        for document in information_requests.accepted_documents(self.case):
            reason = str(self.values.get(f"refused.{document.pk}", ""))
            rows.append((document, reason))
        return rows

    @property
    def newest_mail(self) -> RequestMail | None:
        """The latest mail with the link of the open request. Mails that were dropped do not
        count.
        """
        if self.waiting is None:
            return None
        # A dropped mail was no longer needed, so it says nothing about the delivery.
        mails = self.waiting.mails.exclude(status=RequestMail.Status.DROPPED)
        return mails.filter(kind=RequestMail.Kind.REQUEST).last()

    @property
    def requests(self) -> QuerySet[InformationRequest]:
        """Requests to the applicant with their answers, the newest first."""
        return self.case.requests.select_related("made_by").prefetch_related(
            "documents", "mails", "refusals__document"
        )

    @cached_property
    def answered(self) -> InformationRequest | None:
        """The newest request, if the applicant has answered it and nobody has decided since."""
        if self.case.status == Case.Status.DECIDED or self.newest is None:
            return None
        if self.newest.outcome != Outcome.REQUEST:
            return None
        # Requests are ordered from the newest to the oldest.
        request = self.case.requests.first()
        is_answered = request and request.status == InformationRequest.Status.ANSWERED
        return request if is_answered else None
