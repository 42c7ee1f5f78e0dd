"""When a case is rated: after each event that may change its inputs, and after a new policy."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db import transaction
from django.db.models import F, Max, Min, Q, QuerySet
from django.db.models.functions import Coalesce, Least
from django.utils.timezone import now

from compliance.db import clock
from compliance.work import notify
from reviews.models import (
    Case,
    CaseEvent,
    CaseParty,
    Document,
    Party,
    PartyStatement,
    RatingBatch,
    RatingState,
    RiskPolicy,
)
from reviews.parties import visibility

QUEUE = "reviews.tasks.rate_cases"
BATCHES = "reviews.tasks.rate_again"
# Ids of cases in a batch. Those that change are locked for some tenths of a second.
BATCH = 200
# The events that may change the inputs of a rating.
EVENTS = frozenset(
    {
        "check_overridden",
        "check_reviewed",
        "approved_second",
        "decided",
        "dismissal_ended",
        "dismissal_taken_back",
        "dismissed",
        "hit_confirmation_taken_back",
        "hit_confirmed",
        "job_complete",
        "job_failed",
        "late_result",
        "mark_taken_back",
        "reopened",
        "results_received",
        "value_choice_taken_back",
        "value_chosen",
        "value_corrected",
    }
)


# Events that may change who owns a party, in the case itself or without one.
RELATIONS = frozenset(
    {
        "case_erased",
        "imported",
        "parties_recorded",
        "party_put_back",
        "party_separated",
        "relation_added",
        "relation_ended",
        "relation_placed",
        "relations_imported",
    }
)
MERGES = frozenset({"parties_merged", "parties_parted"})
# A party of one case became another one: it is about the other cases of both parties, too.
SEPARATIONS = frozenset({"party_put_back", "party_separated"})
# A finding of a file or of a subject is dismissed in all cases with it.
_DISMISSALS = frozenset({"dismissal_ended", "dismissal_taken_back", "dismissed"})
MOST_SAME = 200  # other cases with the same file or subject, the newest first
# A person chose a value of a document: that is nothing about owners.
_OF_DOCUMENTS = frozenset(
    {"value_choice_taken_back", "value_chosen", "value_corrected"}
)


def after_event(instance: CaseEvent, *, created: bool, **_: object) -> None:
    """Connected to post_save of `CaseEvent`, so part of the transaction of the event."""
    case, what = instance.case, instance.what
    if not created:
        return
    if case is None:
        if what in MERGES:
            _of_parties(instance.data, "first", "second")
        return
    if what in SEPARATIONS:
        _of_parties(instance.data, "before", "after")
    # More results may follow until the job ends, and its end is an event of its own.
    is_running = case.status == Case.Status.CHECKING
    if what in RELATIONS and not is_running:
        rate(case, spreads=True)
    if what not in EVENTS or (what == "results_received" and is_running):
        return
    rate(case, spreads=what not in _OF_DOCUMENTS)
    if what in _DISMISSALS:
        rate_cases(same_findings(case))


def same_findings(case: Case) -> list[int]:
    """The other cases of the service that may have a finding of this one: with the name of its
    subject, or with one of its files.
    """
    names = _names_of_subjects().filter(case_party__case=case).exclude(digest="")
    same_name = _names_of_subjects().filter(digest__in=names.values("digest"))
    hashes = case.documents.exclude(sha256="").values("sha256")
    same_file = Document.objects.filter(sha256__in=hashes)
    rows = Case.objects.filter(connection=case.connection_id, erased_at=None)
    has_name = Q(pk__in=same_name.values("case_party__case"))
    has_file = Q(pk__in=same_file.values("case"))
    rows = rows.filter(has_name | has_file)
    others = rows.exclude(pk=case.pk).order_by("-pk")
    return list(others.values_list("pk", flat=True)[:MOST_SAME])


def _names_of_subjects() -> QuerySet[PartyStatement]:
    return PartyStatement.objects.filter(
        kind=PartyStatement.Kind.NAME, case_party__role=CaseParty.Role.SUBJECT
    )


def _of_parties(data: Mapping[str, object], *names: str) -> None:
    """The parties own what either owned, or no more: one case of each leads to all of it."""
    keys = {int(str(data[name])) for name in names}
    parties = Party.objects.filter(pk__in=keys).values_list("pk", "head")
    for head in {head or key for key, head in parties}:
        links = CaseParty.objects.filter(
            party__in=visibility.joined_with([head]), case__erased_at=None
        )
        rows = links.exclude(case__status=Case.Status.CHECKING)
        link = rows.select_related("case").order_by("-case").first()
        if link is not None:
            rate(link.case, spreads=True)


@transaction.atomic(savepoint=False)
def rate(case: Case, *, spreads: bool = False) -> None:
    """Make the case due for a rating. Several calls before the work result in one rating.

    `spreads`: the cases whose subjects its parties own are rated again, too.
    """
    rows = RatingState.objects.filter(case=case)
    changes: dict[str, object] = {"due_at": clock.now(), "updated_at": now()}
    if spreads:
        changes["spreads"] = True
    if not rows.update(**changes):
        # The case before the state: whoever decides about the case has locked it, and then makes the
        # same state. Otherwise each would wait for the other.
        locked = Case.objects.select_for_update(no_key=True).filter(pk=case.pk)
        locked.values_list("pk").first()
        state = RatingState(case=case, spreads=spreads)
        RatingState.objects.bulk_create([state], ignore_conflicts=True)
    notify.after_commit(QUEUE)


def rate_cases(cases: Collection[int]) -> None:
    """Make these cases due, whose rating has been made before.

    A case that is due already keeps its place in the queue. Otherwise many cases that lead to one another
    would pass each other there, and be rated again and again. Its row is written all the same:
    whoever has begun with it waits for this transaction.
    `updated_at` stays: with it a worker sees whether an event has asked for the cases below.
    """
    moment = clock.now()
    rows = RatingState.objects.filter(case__in=cases)
    rows.update(due_at=Least(Coalesce(F("due_at"), moment), moment))
    notify.after_commit(QUEUE)


def rate_changed(_queue: str) -> int:
    """Make the cases due for which a relation begins today, or counts no more.

    One statement: none of them can fail alone.
    """
    rows = RatingState.objects.filter(changes_on__lte=now().date())
    if rows.update(due_at=clock.now(), changes_on=None, updated_at=now()):
        notify.after_commit(QUEUE)
    return 0


def follow(policy: RiskPolicy) -> None:
    """Have all rated cases follow this version, which is live now. It may be called twice."""
    ids = RatingState.objects.aggregate(first=Min("case"), last=Max("case"))
    if ids["first"] is None:
        return
    rows = []
    for first in range(ids["first"], ids["last"] + 1, BATCH):
        rows.append(
            RatingBatch(policy=policy, first_case=first, last_case=first + BATCH - 1)
        )
    RatingBatch.objects.bulk_create(rows, ignore_conflicts=True)
    notify.after_commit(BATCHES)
