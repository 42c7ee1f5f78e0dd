"""The POST views of the case page: mark checks, decide, approve as second person, reopen.

They are plain forms. If an action is refused, the response is the case page with the reasons and
the submitted values: 422 if the rules do not allow it, 409 if the case has changed.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from compliance.http import numbers
from compliance.identity import step_up
from compliance.languages import ENGLISH
from compliance.pages.phrases import in_sentence
from reviews.access import roles
from reviews.access.decorators import readers_only
from reviews.decisions import decisions, marks, policy, preset_reasons, value_choices
from reviews.decisions.decisions import DecisionRequest, RefusedError, StaleError
from reviews.findings import dismissals, matches
from reviews.findings.review_state import ReviewState
from reviews.intake import information_requests, request_mails
from reviews.models import ENDING, Case, Decision, Dismissal, Outcome
from reviews.pages.case.case import case_context
from reviews.pages.case.decision_form import forget_unsent, keep_unsent
from reviews.pages.case.selection import Address
from reviews.queue import next_case
from reviews.results import Finding

# Days until the dismissal ends; empty: it does not end.
DISMISSED_FOR = {"90": 90, "365": 365, "": None}

# What the next page says of the case that was decided, after its reference.
DONE = {
    Outcome.APPROVE: gettext_lazy("Approved"),
    Outcome.REJECT: gettext_lazy("Rejected"),
    Outcome.REQUEST: gettext_lazy("Waiting for applicant"),
    Outcome.ESCALATE: gettext_lazy("Escalated"),
}

# Fields that somebody writes with care. Their forms may be gone from the page of the refusal, as
# where somebody else has decided the case.
WRITTEN = ("rationale", "message", "note", "reason")

View = Callable[..., HttpResponse]


def act(view: View) -> View:
    """Decorator of a POST view for users who may read cases."""
    return never_cache(readers_only(require_POST(view)))


def person(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101 - readers_only, for the type checker
    return request.user


def seen_case(request: HttpRequest, pk: int) -> Case:
    return get_object_or_404(roles.visible(request.user), pk=pk)


def back(request: HttpRequest, case: Case) -> HttpResponse:
    """A redirect to the case page, with the same check and document selected."""
    address = Address(case, request.POST)
    page = address.here()
    return HttpResponseRedirect(page, status=HTTPStatus.SEE_OTHER)


class IdentityError(RefusedError):
    """The decision needs a recent login, and the session's login is too old."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "Confirm who you are first: this decision needs a recent login. "
                "What you typed stays here: send it again then."
            )
        )


def require_identity(request: HttpRequest, case: Case, outcome: str) -> None:
    """Raise IdentityError if this outcome needs a recent login (setting STEP_UP_DECISIONS)."""
    chosen = settings.STEP_UP_DECISIONS
    if step_up.is_recent(request) or "none" in chosen:
        return
    if chosen & {"all", outcome}:
        raise IdentityError
    if "second" not in chosen:
        return
    # "second": only decisions that need a second person require it.
    state = ReviewState.of(case)
    if policy.reasons_for_second_person(case, state, outcome):
        raise IdentityError


def refused(
    request: HttpRequest, pk: int, exc: RefusedError | StaleError
) -> HttpResponse:
    """The current page of the case with the reasons of the refusal and the submitted values."""
    is_stale = isinstance(exc, StaleError)
    if isinstance(exc, RefusedError):
        faults = exc.faults
    else:
        faults = (_("%(reason)s Look at it again.") % {"reason": exc},)
    context = case_context(request, pk, params=request.POST)
    context["faults"] = faults
    context["typed"] = request.POST
    context["unsaved"] = _written(request.POST, context["decision_form"].open_outcome)
    context["is_stale"] = is_stale
    if isinstance(exc, IdentityError):
        page = reverse("case-detail", args=[pk])
        context["confirm_address"] = step_up.confirm_address(request, page)
    status = HTTPStatus.CONFLICT if is_stale else HTTPStatus.UNPROCESSABLE_ENTITY
    return render(request, "reviews/case_detail.html", context, status=status)


def _written(sent: QueryDict, open_outcome: str) -> list[str]:
    """The texts that were written and are not saved. An open form has those of its own fields."""
    shown = {"rationale"} if open_outcome else set()
    if open_outcome == Outcome.REQUEST:
        shown.add("message")
    texts = []
    for name in WRITTEN:
        text = sent.get(name, "").strip()
        if text and name not in shown:
            texts.append(text)
    return texts


def _number_of(sent: QueryDict, name: str, default: int) -> int:
    number = numbers.parse(sent.get(name), digits=3)
    return default if number is None else number


def _refused(sent: QueryDict) -> dict[str, str]:
    """Reasons why documents are not accepted, by document id. The fields are named
    "refused.<id>".
    """
    reasons = {}
    for name, reason in sent.items():
        prefix, _, key = name.partition(".")
        if prefix == "refused" and isinstance(reason, str):
            reasons[key] = reason
    return reasons


@act
def decide(request: HttpRequest, pk: int) -> HttpResponse:
    case, sent = seen_case(request, pk), request.POST
    decision_request = DecisionRequest(
        outcome=sent.get("outcome", ""),
        reasons=sent.getlist("reasons"),
        rationale=sent.get("rationale", ""),
        message=sent.get("message", ""),
        kinds=sent.getlist("kinds"),
        days=_number_of(sent, "days", information_requests.DAYS),
        email=sent.get("email", "").strip(),
        remind_days=_number_of(sent, "remind_days", 0),
        language=sent.get("language") or ENGLISH,
        refused=_refused(sent),
        second=sent.get("second", ""),
        ticked=sent.getlist("ticked"),
    )
    try:
        # Only decisions that end the case need a recent login.
        if decision_request.outcome in ENDING:
            require_identity(request, case, decision_request.outcome)
        decision = decisions.decide(
            case,
            actor=person(request),
            request=decision_request,
            revision=sent.get("revision", ""),
        )
    except (RefusedError, StaleError) as exc:
        return refused(request, pk, exc)
    forget_unsent(request, case)
    # The analyst asked to continue with the next case.
    if sent.get("next"):
        return _next(request, decision)
    if decision.status == Decision.Status.PROPOSED:
        messages.info(request, _("It waits for a second person now."))
    return back(request, case)


@act
def keep(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep what is typed in the decision form. The page sends it while the analyst writes."""
    case = seen_case(request, pk)
    roles.require(person(request), roles.DECIDE, case)
    keep_unsent(request, case)
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def _next(request: HttpRequest, decision: Decision) -> HttpResponse:
    """A redirect to the next case, with a message about this one."""
    case = decision.case
    if decision.status == Decision.Status.PROPOSED:
        words = _waits_for(request.POST.get("second", ""))
    else:
        words = in_sentence(DONE[Outcome(decision.outcome)])
    messages.info(request, f"{case.reference}: {words}.")
    preferred = request.POST.get("next_case", "")
    following = next_case.after(case, person(request), preferred=preferred)
    return _open(request, case, following)


def _next_approval(request: HttpRequest, decision: Decision) -> HttpResponse:
    """A redirect to the next case of a second person, with a message about this one."""
    case = decision.case
    words = in_sentence(DONE[Outcome(decision.outcome)])
    if decision.status == Decision.Status.RETURNED:
        words = in_sentence(Decision.Status.RETURNED.label)
    messages.info(request, f"{case.reference}: {words}.")
    preferred = request.POST.get("next_case", "")
    following = next_case.after_approval(case, person(request), preferred=preferred)
    return _open(request, case, following)


def _open(request: HttpRequest, case: Case, following: Case | None) -> HttpResponse:
    """A redirect to the following case; back to this one if there is none."""
    if following is None:
        messages.info(request, _("No other case waits for you."))
        return back(request, case)
    page = following.get_absolute_url()
    return HttpResponseRedirect(page, status=HTTPStatus.SEE_OTHER)


def _waits_for(username: str) -> str:
    """Whom the proposed decision waits for, if its maker chose somebody."""
    chosen = User.objects.filter(username=username).first() if username else None
    if chosen is None:
        return _("it waits for a second person now")
    return _("it waits for %(person)s now") % {
        "person": chosen.get_full_name() or chosen.get_username()
    }


@act
def second(request: HttpRequest, pk: int) -> HttpResponse:
    case, sent = seen_case(request, pk), request.POST
    # At most one decision waits for a second person.
    proposal = case.decisions.filter(status=Decision.Status.PROPOSED).first()
    try:
        if proposal is None:
            raise StaleError(_("Nothing waits for a second person any more."))
        if "none" not in settings.STEP_UP_DECISIONS and not step_up.is_recent(request):
            raise IdentityError
        decisions.second(
            proposal,
            actor=person(request),
            agrees=sent.get("agrees") == "yes",
            note=sent.get("note", ""),
            revision=sent.get("revision", ""),
        )
    except (RefusedError, StaleError) as exc:
        return refused(request, pk, exc)
    # The second person asked to continue with the next case.
    if sent.get("next"):
        return _next_approval(request, proposal)
    return back(request, case)


@act
def reopen(request: HttpRequest, pk: int) -> HttpResponse:
    case, sent = seen_case(request, pk), request.POST
    try:
        decisions.reopen(
            case,
            actor=person(request),
            reason=sent.get("reason", ""),
            revision=sent.get("revision", ""),
        )
    except (RefusedError, StaleError) as exc:
        return refused(request, pk, exc)
    return back(request, case)


def _mark_of(sent: QueryDict) -> tuple[str, str, str]:
    """Kind of mark, the verdict that the user saw, and the check.

    A button in the list of checks sends all three in one value, separated by spaces.
    """
    mark_of_button = sent.get("mark", "")
    if not mark_of_button:
        return sent.get("kind", ""), sent.get("verdict", ""), sent.get("check", "")
    kind, _, rest = mark_of_button.partition(" ")
    verdict, _, check_id = rest.partition(" ")
    return "" if kind == "none" else kind, verdict, check_id


@act
def mark(request: HttpRequest, pk: int) -> HttpResponse:
    case, sent = seen_case(request, pk), request.POST
    # `verdict` is what the user saw: if it has changed, the mark is refused.
    kind, verdict, check_id = _mark_of(sent)
    if kind not in {"", "reviewed", "overridden"}:
        return HttpResponse(_("There is no such mark."), status=HTTPStatus.BAD_REQUEST)
    try:
        marks.mark(
            case,
            check_id,
            actor=person(request),
            kind=kind,
            reason=preset_reasons.reason_of(
                sent.get("reason", ""), sent.get("preset", "")
            ),
            expected=verdict,
        )
    except (RefusedError, StaleError) as exc:
        return refused(request, pk, exc)
    return back(request, case)


def _finding_of(review_state: ReviewState, key: str) -> Finding | None:
    # Findings that cannot be dismissed have the key "", which no form may name.
    if not key:
        return None
    for part in review_state.parts:
        for finding in part.findings:
            if review_state.dismissed.key(finding) == key:
                return finding
    return None


@act
def dismiss(request: HttpRequest, pk: int) -> HttpResponse:
    """Dismiss a finding of the newest job, identified by its key. With `undo`, end a dismissal."""
    case, sent = seen_case(request, pk), request.POST
    roles.require(person(request), roles.REVIEW, case)
    if sent.get("undo"):
        rows = Dismissal.objects.filter(case__in=roles.visible(request.user))
        # `undo` is the id of the dismissal.
        dismissal = get_object_or_404(rows, pk=numbers.parse(sent["undo"]))
        dismissals.take_back(dismissal, actor=person(request))
        return back(request, case)
    # The finding must still be in the newest job: the page may be outdated.
    finding = _finding_of(ReviewState.of(case), sent.get("key", ""))
    try:
        if finding is None:
            raise StaleError(_("The newest job has no such finding."))
        reason = preset_reasons.reason_of(
            sent.get("reason", ""), sent.get("preset", "")
        )
        if not reason:
            raise RefusedError(_("Say why the finding is dismissed."))
        days = DISMISSED_FOR.get(sent.get("days", ""))
        if days:
            until = now() + timedelta(days=days)
        else:
            until = None
        try:
            dismissals.dismiss(
                case,
                finding,
                key=sent["key"],
                actor=person(request),
                reason=reason,
                until=until,
            )
        except ValueError as exc:
            raise RefusedError(str(exc)) from exc
    except (RefusedError, StaleError) as exc:
        return refused(request, pk, exc)
    return back(request, case)


@act
def choose_value(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose a candidate of a field by its number (0: the document states none), or send a value
    that was typed.

    With `undo`, take a choice back.
    """
    case, sent = seen_case(request, pk), request.POST
    actor = person(request)
    roles.require(actor, roles.REVIEW, case)
    try:
        if sent.get("undo"):
            rows = case.value_choices.select_related("case")
            choice = get_object_or_404(rows, pk=numbers.parse(sent["undo"]))
            value_choices.take_back(choice, actor=actor)
        else:
            value_choices.choose(
                case,
                sent.get("key", ""),
                actor=actor,
                candidate=numbers.parse(sent.get("candidate", "")),
                value=sent.get("value", ""),
            )
    except (RefusedError, StaleError) as exc:
        return refused(request, pk, exc)
    return back(request, case)


@act
def confirm_hit(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm a hit of the newest job as a true match, identified by its key. With `undo`,
    withdraw that.
    """
    case, sent = seen_case(request, pk), request.POST
    roles.require(person(request), roles.REVIEW, case)
    if sent.get("undo"):
        rows = case.hit_labels.select_related("case")
        label = get_object_or_404(rows, pk=numbers.parse(sent["undo"]))
        matches.take_back(label, actor=person(request))
        return back(request, case)
    # The hit must still be in the newest job: the page may be outdated.
    hit = ReviewState.of(case).confirmed.hit(sent.get("key", ""))
    try:
        if hit is None:
            raise StaleError(_("The newest job has no such finding."))
        try:
            matches.confirm(case, hit, actor=person(request))
        except ValueError as exc:
            raise RefusedError(str(exc)) from exc
    except (RefusedError, StaleError) as exc:
        return refused(request, pk, exc)
    return back(request, case)


@act
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw the open request to the applicant."""
    case = seen_case(request, pk)
    if not information_requests.withdraw(case, actor=person(request)):
        messages.info(request, _("The desk does not wait for the applicant any more."))
    return back(request, case)


@act
def send_request(request: HttpRequest, pk: int) -> HttpResponse:
    """Send the link of the open request to the applicant by e-mail."""
    case, sent = seen_case(request, pk), request.POST
    email = sent.get("email", "").strip()
    roles.require(person(request), roles.DECIDE, case)
    # Validate all fields before anything is sent.
    if fault := request_mails.fault_of(email):
        return refused(request, pk, RefusedError(fault))
    remind_days = _number_of(sent, "remind_days", 0)
    language = sent.get("language") or ENGLISH
    if language not in dict(settings.LANGUAGES):
        return refused(request, pk, RefusedError(str(decisions.NO_LANGUAGE)))
    if information_requests.send(
        case,
        actor=person(request),
        email=email,
        remind_days=remind_days,
        language=language,
    ):
        messages.info(request, _("The link is being sent."))
    else:
        messages.info(request, _("The desk does not wait for the applicant any more."))
    return back(request, case)
