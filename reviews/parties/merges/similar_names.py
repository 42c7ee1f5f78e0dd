"""Parties with a similar name: a letter wrong, other letters, without a second name or a legal form.

They are found by the words of names that the search keeps in Latin letters. These are of the subjects
of cases, and have five letters or more. The names of what is found are then compared whole.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from compliance.db import masks
from reviews.access import roles
from reviews.models import CaseParty, PartyStatement, SearchWord
from reviews.models.search import forms
from reviews.parties import labels, visibility
from reviews.parties.profile import Profile
from reviews.parties.visibility import Person

MOST_NAMES = 4  # names of the party that are compared
MOST_TEXTS = 1_000  # texts that are read for one word of a name
MOST_CASES = 60  # cases whose names are read
# "G.m.b.H." and "GmbH" are the same word.
_DOTS = re.compile(r"(?<=\b\w)\.(?=\w\b)")
_LATIN = re.compile(r"[a-z0-9]+")
# The words of one name, each with the spellings that count as the same.
Spellings = Mapping[str, frozenset[str]]


def parties(user: Person, read: Profile) -> list[int]:
    """The heads of other parties with a name like one of this party."""
    # A user from whom names are hidden must not find out who has a name like another.
    if masks.is_hidden():
        return []
    head = read.head
    names = []
    for line in read.names[:MOST_NAMES]:
        if not line.is_replaced and (words := words_of(line.value)):
            names.append(_spellings(words))
    links = _links(user, _cases(user, names))
    similar = []
    for link, stated in _names_of(links):
        party = link.party
        kind = party.head.kind if party.head else party.kind
        is_other = party.head_id_or_own != head.pk
        if is_other and labels.may_be_same(head.kind, kind):
            words = words_of(stated)
            if any(_is_like(name, words) for name in names):
                similar.append(party.head_id_or_own)
    return list(dict.fromkeys(similar))


def words_of(name: str) -> list[str]:
    """The words of a name in Latin letters, without legal forms where enough is left."""
    text = _DOTS.sub("", forms.plain_text(name))
    words = []
    for word in re.findall(r"\w+", text):
        words += _LATIN.findall(forms.latin(word))
    own = [word for word in words if not labels.is_of_a_kind(word)]
    return own or words


def _spellings(words: Iterable[str]) -> Spellings:
    return {word: frozenset({word, *forms.neighbours(word)}) for word in words}


def _is_like(name: Spellings, words: Sequence[str]) -> bool:
    """Whether each word of the shorter name is in the longer one. One word alone is no name."""
    left = list(words)
    count = 0
    for spellings in name.values():
        word = next((word for word in left if word in spellings), None)
        if word is not None:
            left.remove(word)
            count += 1
    shorter, longer = sorted((len(name), len(words)))
    return count == shorter and (count > 1 or longer == 1)


def _cases(user: Person, names: Iterable[Spellings]) -> list[int]:
    """The cases whose names have the most of these words, of equal ones the newest."""
    counts: Counter[int] = Counter()
    for name in names:
        for word, spellings in name.items():
            if len(word) < forms.SHORTEST_TO_MISSPELL:
                continue
            rows = SearchWord.objects.filter(word__in=spellings)
            rows = roles.only_visible(user, rows, "text__case__connection")
            found = rows.order_by().values_list("text__case", flat=True)
            counts.update(set(found[:MOST_TEXTS]))
    best = sorted(counts, key=lambda case: (-counts[case], -case))
    return best[:MOST_CASES]


def _links(user: Person, all_cases: Sequence[int]) -> dict[int, CaseParty]:
    rows = visibility.all_links(user).filter(case__in=all_cases)
    rows = rows.filter(role=CaseParty.Role.SUBJECT)
    links = rows.select_related("party__head", "case").only(
        "party__kind", "party__head__kind", "case__reference"
    )
    return {link.pk: link for link in links}


def _names_of(links: Mapping[int, CaseParty]) -> Iterable[tuple[CaseParty, str]]:
    rows = PartyStatement.objects.filter(
        case_party__in=links, kind=PartyStatement.Kind.NAME, replaced_at=None
    )
    for row in rows.order_by("-pk"):
        # The key of the case decrypts the name.
        row.case_party = links[row.case_party_id]
        yield row.case_party, row.value
