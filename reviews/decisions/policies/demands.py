"""What the live policy demands of a case, and which demands are not met yet, as sentences.

The demands add to the four-eyes rules and to the procedure of the case. They can only ask for
more, never for less.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from reviews.decisions.policies import versions
from reviews.decisions.policies.content import Demands
from reviews.findings.review_state import CONCLUSIVE, ReviewState
from reviews.models import Case, Document, Outcome
from reviews.procedures import checklists
from reviews.results.checklist import check_label
from reviews.results.words import translated

WORDS = {
    Outcome.APPROVE: gettext_lazy("approves"),
    Outcome.REJECT: gettext_lazy("rejects"),
    Outcome.REQUEST: gettext_lazy("requests information"),
}


def on(case: Case) -> Demands:
    """The demands of the version that is live now."""
    return versions.demands_on(case, versions.live())


def shown(case: Case) -> Demands:
    """The demands, possibly a few seconds old: for pages that only show them."""
    return versions.demands_on(case, versions.cached_live())


def incomplete(case: Case, state: ReviewState, demands: Demands) -> list[str]:
    """The demands on an approval that are not met yet, as sentences."""
    faults = []
    open_checks = demands.checks - _concluded(state)
    if open_checks:
        labels = []
        for check in sorted(open_checks):
            labels.append(translated(check_label(check)))
        words = _("The decision policy wants a verdict of: %(checks)s.")
        faults.append(words % {"checks": checklists.some(labels)})
    kinds = {document.kind for document in state.documents}
    missing = demands.documents - kinds
    if missing:
        words = _("The decision policy wants these documents: %(documents)s.")
        faults.append(words % {"documents": checklists.some(_titles(missing))})
    if demands.has_full_checklist and (items := _unsettled(case)):
        words = _("The decision policy wants the whole checklist: %(items)s.")
        faults.append(words % {"items": checklists.some(items)})
    return faults


def _concluded(state: ReviewState) -> set[str]:
    # Ids of the checks that have a conclusive verdict.
    checks = set()
    for check in state.checks:
        if check.verdict in CONCLUSIVE:
            checks.add(check.id)
    # A person who overrides a check answers it, whatever its verdict is.
    return checks | {check.id for check in state.overridden}


def _titles(kinds: Iterable[str]) -> list[str]:
    titles: list[str] = []
    for kind in sorted(kinds):
        titles.append(str(Document.Kind(kind).label))
    return titles


def _unsettled(case: Case) -> list[str]:
    """Labels of the items of the checklist without a mark, required or not."""
    if case.procedure_id is None:
        return []
    lines = checklists.Checklist.of(case).lines
    return [line.item.label for line in lines if line.mark is None]


def is_for_seniors(outcome: str, demands: Demands) -> bool:
    return outcome in demands.senior


def words_of_seniors(outcome: str) -> str:
    """The sentence for a person who may not decide this outcome because only seniors may."""
    words = _("By the decision policy only a senior %(does)s here: escalate the case.")
    return words % {"does": WORDS[Outcome(outcome)]}


def reasons_for_second_person(outcome: str, demands: Demands) -> list[str]:
    if outcome not in demands.second:
        return []
    return [_("The decision policy asks for a second person")]
