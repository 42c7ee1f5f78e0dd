"""The parties that the screening of their cases has found on lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from reviews import results
from reviews.findings.review_state import ReviewState
from reviews.models import Case, CaseParty

# Reading the results of a case costs some queries, so only the newest cases of a party are
# read.
MOST_CASES = 12


@dataclass(frozen=True)
class ListHit:
    """A list entry that may be the party.

    If not `is_strong`, the entry may well be somebody else. `is_sanctions`: it is a sanctions
    list, which counts for the rules of ownership.
    """

    case: Case
    entry_name: str
    list_title: str
    is_strong: bool
    is_sanctions: bool
    is_dismissed: bool


def hits(
    links: Iterable[CaseParty], names: Mapping[int, Iterable[str]]
) -> dict[int, list[ListHit]]:
    """The hits on each head. `names`: the names of each link, by the primary key of the link."""
    by_case = _by_case(links)
    newest = sorted(by_case, reverse=True)[:MOST_CASES]
    cases = Case.objects.select_related("connection").in_bulk(newest)
    answers: dict[int, list[ListHit]] = {}
    for key in newest:
        for link, hit in _of_case(cases[key], by_case[key], names):
            answers.setdefault(link.party.head_id_or_own, []).append(hit)
    return answers


def cases_unread(links: Iterable[CaseParty]) -> int:
    """How many cases of these links `hits` does not read: their hits are not known."""
    return max(len(_by_case(links)) - MOST_CASES, 0)


def _by_case(links: Iterable[CaseParty]) -> dict[int, list[CaseParty]]:
    by_case: dict[int, list[CaseParty]] = {}
    for link in links:
        by_case.setdefault(link.case_id, []).append(link)
    return by_case


def _of_case(
    case: Case, links: list[CaseParty], names: Mapping[int, Iterable[str]]
) -> Iterator[tuple[CaseParty, ListHit]]:
    by_name: dict[str, list[CaseParty]] = {}
    for link in links:
        for name in names.get(link.pk, ()):
            by_name.setdefault(_plain(name), []).append(link)
    for title, hit in _hits_of_case(case):
        name, _, _ = title.rpartition(": ")
        if name:
            concerned = by_name.get(_plain(name), [])
        else:
            concerned = _subjects(links)
        for link in concerned:
            yield link, hit


def _hits_of_case(case: Case) -> Iterator[tuple[str, ListHit]]:
    """Each hit with the title of its subject: "Ana Reyes: sanctions", or only "sanctions"."""
    state = ReviewState.of(case)
    for part in state.parts:
        if not isinstance(part.view, results.Screening):
            continue
        for subject in part.view.subjects:
            what = subject.title.rpartition(": ")[2]
            for row in subject.rows:
                if row.is_against:
                    # Hits below a threshold do not count as dismissed: no person has judged
                    # them.
                    is_dismissed = state.dismissed.get(row) is not None
                    yield (
                        subject.title,
                        _hit(case, row, what, is_dismissed=is_dismissed),
                    )


def _hit(case: Case, row: results.Hit, what: str, *, is_dismissed: bool) -> ListHit:
    return ListHit(
        case=case,
        entry_name=row.entry_name,
        list_title=row.list_titles,
        is_strong=row.tone == "fail",
        is_sanctions="sanction" in what.casefold(),
        is_dismissed=is_dismissed,
    )


def _subjects(links: list[CaseParty]) -> list[CaseParty]:
    subjects: list[CaseParty] = []
    for link in links:
        if link.role == CaseParty.Role.SUBJECT:
            subjects.append(link)
    return subjects


def _plain(name: str) -> str:
    return re.sub(r"\W+", " ", name).strip().casefold()
