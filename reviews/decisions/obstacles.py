"""Obstacles: why an outcome is not possible now, as sentences for the analyst."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from compliance.pages.phrases import in_sentence
from reviews import results
from reviews.access import roles
from reviews.decisions.policies import demands
from reviews.decisions.policies.content import Demands
from reviews.documents import scans
from reviews.findings.review_state import ReviewState
from reviews.models import ENDING, Case, Outcome
from reviews.procedures import checklists
from reviews.results.words import translated

# The statuses in which people may decide.
OPEN = (Case.Status.TO_REVIEW, Case.Status.ATTENTION, Case.Status.ESCALATED)


def of(
    case: Case,
    state: ReviewState,
    outcome: str,
    *,
    actor: User | None = None,
    needs: Demands | None = None,
    asks_for_items: bool = False,
) -> list[str]:
    """The obstacles to this outcome, as sentences. An empty list: it is possible.

    `actor` is who would decide, if that is known. If `needs` is missing, the demands of the
    decision policy are read from the database. A page that only shows the obstacles may pass
    `demands.shown(case)`, which is cached. A form that asks for the open items of the checklist
    itself passes `asks_for_items`: then they are none.
    """
    if case.status not in OPEN:
        return [
            _("The case is not open to a decision: %(status)s.")
            % {"status": in_sentence(case.status_word)}
        ]
    if needs is None:
        needs = demands.on(case)
    reasons = []
    is_for_seniors = demands.is_for_seniors(outcome, needs)
    if actor is not None and is_for_seniors and not actor.has_perm(roles.APPROVE):
        reasons.append(demands.words_of_seniors(outcome))
    # A request for information and an escalation do not close the case, so they need less.
    if outcome in ENDING:
        reasons += lost_files(state)
        reasons += open_work(case, outcome, asks_for_items=asks_for_items)
    if outcome == Outcome.APPROVE:
        reasons += _obstacles_to_approval(case, state, needs)
    return reasons


def _obstacles_to_approval(case: Case, state: ReviewState, needs: Demands) -> list[str]:
    # What only an approval needs: complete, finished and examined results.
    reasons = demands.incomplete(case, state, needs)
    reasons += scans.closed_documents(state.documents)
    if state.is_running:
        reasons.append(_("A check still runs."))
    if state.waiting:
        reasons.append(
            _("The service has not confirmed yet: %(names)s.")
            % {"names": ", ".join(state.waiting)}
        )
    if state.effective.is_cut:
        most = results.MAX_RESULTS
        reasons.append(
            _("More than %(count)d results ask for a person: run the checks again.")
            % {"count": most}
        )
    return reasons + open_checks(state)


def open_checks(state: ReviewState) -> list[str]:
    """A sentence about the checks that nobody has reviewed, overridden or settled."""
    if not state.open:
        return []
    names = ", ".join(translated(check.label) for check in state.open)
    return [_("Neither reviewed nor overridden: %(names)s.") % {"names": names}]


def open_work(case: Case, outcome: str, *, asks_for_items: bool = False) -> list[str]:
    """The open work of the procedure (checklist, fields) that this outcome waits for, as
    sentences.
    """
    faults = []
    items = [] if asks_for_items else checklists.open_items(case)
    if items:
        faults.append(
            _("On the checklist: %(names)s.") % {"names": checklists.some(items)}
        )
    if outcome == Outcome.APPROVE:
        missing = checklists.missing_fields(case)
    else:
        missing = []
    if missing:
        faults.append(
            _("Fields without a value: %(names)s.")
            % {"names": checklists.some(missing)}
        )
    return faults


def lost_files(state: ReviewState) -> list[str]:
    """Sentences about documents whose file was changed or lost in the store.

    Such a file is no longer evidence. An intact copy, handed in again, replaces it.
    """
    intact = {document.sha256 for document in state.documents if not document.fault}
    faults = []
    for document in state.documents:
        if document.fault and document.sha256 not in intact:
            faults.append(f"“{document.file_name}”: {document.fault}")
    return faults
