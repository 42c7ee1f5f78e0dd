"""A person chooses the value of an unsure field, or corrects a value that was read wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from reviews import results
from reviews.access import roles
from reviews.audit import trail
from reviews.decisions.decisions import RefusedError, StaleError
from reviews.decisions.obstacles import OPEN
from reviews.findings.review_state import ReviewState
from reviews.findings.values.choices import Field
from reviews.models import Case, Document, ValueChoice

LONGEST = 1000  # characters of a typed value


@transaction.atomic
def choose(
    case: Case, key: str, *, actor: User, candidate: int | None = None, value: str = ""
) -> ValueChoice:
    """Choose a candidate by its number, counted from 1, or the typed `value`.

    `key` is the key of the field. Candidate 0: the document states no such value. An earlier choice
    ends, and its row stays. Raises PermissionDenied, StaleError and RefusedError.
    """
    roles.require(actor, roles.REVIEW, case)
    case = _locked(case)
    state = ReviewState.of(case)
    chosen = state.values.field(key)
    job = state.job
    if chosen is None or job is None:
        raise StaleError(_("The newest job has no such field."))
    row = chosen.row
    words = _value(row, candidate, value)
    kind = _kind(row, words)
    before = state.values.get(row)
    # A repeated request leaves no second event.
    if before and (before.value, before.by_id) == (words, actor.pk):
        return before
    ended: list[ValueChoice] = []
    if before:
        before.ended_at = now()
        before.save(update_fields=["ended_at"])
        ended.append(before)
    choice = ValueChoice.objects.create(
        key=key,
        case=case,
        job=job,
        document=_document(state.documents, chosen),
        tool_id=chosen.part.origin[:200],
        field=row.field,
        kind=kind,
        candidates=len(row.candidates),
        offered=row.offered,
        value=words,
        by=actor,
    )
    # "was" would be kept in clear text (trail.CLEAR), and what was read may be a name.
    data = {"field": row.field, "value": words, "choice": kind.value}
    if not row.is_unsure:
        data["read"] = row.extracted
    what = "value_chosen" if row.is_unsure else "value_corrected"
    trail.record(case, what, data, user=actor, about=[choice, *ended])
    return choice


@transaction.atomic
def take_back(choice: ValueChoice, *, actor: User) -> bool:
    """Take a choice back: the field is as it was read. Returns False if it has ended before.

    Raises PermissionDenied and RefusedError.
    """
    roles.require(actor, roles.REVIEW, choice.case)
    case = _locked(choice.case)
    moment = now()
    rows = ValueChoice.objects.filter(pk=choice.pk, ended_at=None)
    if not rows.update(ended_at=moment):
        return False
    choice.ended_at = moment
    data = {"field": choice.field}
    trail.record(case, "value_choice_taken_back", data, user=actor, about=[choice])
    return True


def _locked(case: Case) -> Case:
    case = Case.objects.select_for_update().get(pk=case.pk)
    if case.status not in (*OPEN, Case.Status.CHECKING):
        raise RefusedError(_("The case is not open."))
    return case


def _value(row: results.Comparison, candidate: int | None, typed: str) -> str:
    if candidate == 0 and row.is_unsure:
        return ""
    if candidate is not None:
        if not 0 < candidate <= len(row.candidates):
            raise RefusedError(_("There is no such candidate."))
        return row.candidates[candidate - 1].value
    words = " ".join(typed.split())[:LONGEST]
    if not words:
        raise RefusedError(_("Write the value that the document states."))
    if not row.is_unsure and words == row.extracted:
        raise RefusedError(_("This is the value that was read."))
    return words


def _kind(row: results.Comparison, words: str) -> ValueChoice.Kind:
    if not row.is_unsure:
        return ValueChoice.Kind.CORRECTED
    if not words:
        return ValueChoice.Kind.ABSENT
    if words not in row.offered:
        return ValueChoice.Kind.NONE
    # A candidate that was typed counts as chosen.
    if row.offered.index(words) == 0:
        return ValueChoice.Kind.FIRST
    return ValueChoice.Kind.OTHER


def _document(documents: Sequence[Document], chosen: Field) -> Document | None:
    for document in documents:
        if chosen.part.document and document.pk == UUID(hex=chosen.part.document):
            return document
    return None
