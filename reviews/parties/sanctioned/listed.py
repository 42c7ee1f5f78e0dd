"""The parties that the screening of their cases has found on lists."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User

from reviews import results
from reviews.findings.review_state import ReviewState
from reviews.models import Case, CaseParty, Dismissal, HitLabel, ReasonCode
from reviews.parties.sanctioned import rejections

# Reading the results of a case costs some queries, so only the newest cases of a party are
# read, and as many of all parties around it.
MOST_CASES = 12


@dataclass(frozen=True)
class ListHit:
    """A list entry that may be the party.

    If not `is_strong`, the entry may well be somebody else. `is_sanctions`: it is a sanctions
    list, which counts for the rules of ownership. `is_dismissed`: people dismissed it, or
    overrode its check. `is_confirmed`: people said that it is the party. `by` and `at`: who said
    either of this hit, and when.
    """

    case: Case
    entry_name: str
    list_title: str
    is_strong: bool
    is_sanctions: bool
    is_dismissed: bool
    is_confirmed: bool
    by: User | None = None
    at: datetime | None = None

    @property
    def is_open(self) -> bool:
        """Whether it stands against the party: on a list of sanctions, and not dismissed."""
        return self.is_sanctions and not self.is_dismissed


def hits(
    links: Iterable[CaseParty],
    names: Mapping[int, Iterable[str]],
    *,
    states: Mapping[int, ReviewState] | None = None,
    most: int = MOST_CASES,
    center: int = 0,
) -> dict[int, list[ListHit]]:
    """The hits on each head. `names`: the names of each link, by the primary key of the link.

    Reads up to `most` cases: those in which people confirmed a hit, then the newest. Of the head
    `center` it reads as many, so that others cannot take their place. `states` are
    those that were read before, by the primary key of the case.
    """
    by_case = _by_case(links)
    chosen = _chosen(by_case, most, center)
    current = states or {}
    unread = [key for key in chosen if key not in current]
    cases = Case.objects.select_related("connection").in_bulk(unread)
    answers: dict[int, list[ListHit]] = {}
    for key in chosen:
        state = current.get(key) or ReviewState.of(cases[key])
        for link, hit in _of_case(state, by_case[key], names):
            answers.setdefault(link.party.head_id_or_own, []).append(hit)
    return answers


def _chosen(
    by_case: Mapping[int, Sequence[CaseParty]], most: int, center: int
) -> list[int]:
    own = []
    others = []
    for case in _in_order(by_case):
        heads = {link.party.head_id_or_own for link in by_case[case]}
        if center in heads:
            own.append(case)
        else:
            others.append(case)
    return [*own[:most], *others[:most]]


def _in_order(cases: Collection[int]) -> list[int]:
    rows = HitLabel.objects.filter(
        case__in=cases, kind=HitLabel.Kind.CONFIRMED, taken_back_at=None
    )
    confirmed = set(rows.values_list("case", flat=True))
    return sorted(cases, key=lambda case: (case in confirmed, case), reverse=True)


def cases_unread(
    links: Iterable[CaseParty], most: int = MOST_CASES, center: int = 0
) -> int:
    """How many cases of these links `hits` does not read: their hits are not known."""
    by_case = _by_case(links)
    return len(by_case) - len(_chosen(by_case, most, center))


def _by_case(links: Iterable[CaseParty]) -> dict[int, list[CaseParty]]:
    by_case: dict[int, list[CaseParty]] = {}
    for link in links:
        by_case.setdefault(link.case_id, []).append(link)
    return by_case


def _of_case(
    state: ReviewState, links: list[CaseParty], names: Mapping[int, Iterable[str]]
) -> Iterator[tuple[CaseParty, ListHit]]:
    by_name: dict[str, list[CaseParty]] = {}
    for link in links:
        for name in names.get(link.pk, ()):
            by_name.setdefault(_plain(name), []).append(link)
    rejection = rejections.claims(state.case).get(ReasonCode.Claim.MATCH, "")
    has_match = False
    for title, hit in _hits_of_case(state, is_rejected=bool(rejection)):
        has_match = has_match or (hit.is_confirmed and hit.is_open)
        name, _, _ = title.rpartition(": ")
        if name:
            concerned = by_name.get(_plain(name)) or _with_words_of(name, by_name)
        else:
            concerned = _subjects(links)
        for link in concerned:
            yield link, hit
    # People rejected the case for a match that no hit of the service shows.
    if rejection and not has_match:
        for link in _subjects(links):
            yield link, _of_rejection(state.case, rejection)


def _with_words_of(
    name: str, by_name: Mapping[str, list[CaseParty]]
) -> list[CaseParty]:
    """The links with all words of this name: a service may screen a part of what is stated, such as
    one name of "Ann Bell aka Annie Bell", or "Ann Bell - Director" without the role.
    """
    words = set(_plain(name).split())
    concerned: dict[int, CaseParty] = {}
    for stated, links in by_name.items():
        if words and words <= set(stated.split()):
            concerned |= {link.pk: link for link in links}
    return list(concerned.values())


def _hits_of_case(
    state: ReviewState, *, is_rejected: bool
) -> Iterator[tuple[str, ListHit]]:
    """Each hit with the title of its subject: "Ana Reyes: sanctions", or only "sanctions"."""
    for check in state.checks:
        for part in check.parts:
            if not isinstance(part.view, results.Screening):
                continue
            for subject in part.view.subjects:
                what = subject.title.rpartition(": ")[2]
                for row in subject.rows:
                    if row.is_against:
                        hit = _hit(state, check, row, what, is_rejected=is_rejected)
                        yield subject.title, hit


def _hit(
    state: ReviewState,
    check: results.Check,
    row: results.Hit,
    what: str,
    *,
    is_rejected: bool,
) -> ListHit:
    is_strong = row.tone == "fail"
    label = state.label_after_reviews(check, "strong" if is_strong else "possible")
    # Hits below a threshold do not count as dismissed: no person has judged them.
    is_dismissed = state.dismissed.get(row) is not None or label == "cleared"
    is_judged = label == "confirmed" or (is_rejected and is_strong)
    by, at = _by_whom(state, check, row)
    return ListHit(
        case=state.case,
        entry_name=row.entry_name,
        list_title=row.list_titles,
        is_strong=is_strong,
        is_sanctions="sanction" in what.casefold(),
        is_dismissed=is_dismissed,
        is_confirmed=row in state.confirmed or (is_judged and not is_dismissed),
        by=by,
        at=at,
    )


def _by_whom(
    state: ReviewState, check: results.Check, row: results.Hit
) -> tuple[User | None, datetime | None]:
    """Who confirmed or dismissed the hit, or reviewed its check, and when."""
    act: HitLabel | Dismissal | None = state.confirmed.get(row)
    act = act or state.dismissed.get(row)
    if act is not None:
        return act.by, act.at
    review = state.reviews.get(check.id)
    if review is not None:
        return review.by, review.at
    return None, None


def _of_rejection(case: Case, reason: str) -> ListHit:
    return ListHit(
        case=case,
        entry_name=case.subject,
        list_title=reason,
        is_strong=True,
        is_sanctions=True,
        is_dismissed=False,
        is_confirmed=True,
    )


def _subjects(links: list[CaseParty]) -> list[CaseParty]:
    subjects: list[CaseParty] = []
    for link in links:
        if link.role == CaseParty.Role.SUBJECT:
            subjects.append(link)
    return subjects


def _plain(name: str) -> str:
    return re.sub(r"\W+", " ", name).strip().casefold()
