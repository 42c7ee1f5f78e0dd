"""What names the subject of a case, and belongs to no case: views of the queue, look-ups, names of files.

`read` collects what names the subject and its parties before the case is erased, and `erase` removes
what only they explain afterwards.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode

from django.db.models import QuerySet

from compliance.security.data_map import ERASED
from reviews import results
from reviews.intake import drafts
from reviews.models import (
    Case,
    CaseImport,
    CaseParty,
    CheckResult,
    Draft,
    Kind,
    LookUp,
    Party,
    PartyStatement,
    SavedView,
    SearchText,
    Tag,
    ValueChoice,
)
from reviews.models.search import forms
from reviews.parties import labels
from reviews.queue import search

# Shorter texts are codes of filters, or part of many names.
SHORTEST_SEARCH = 3
SHORTEST_WORD = 3
# So many words of a company's name tell which company it is. One of them says little by itself.
WORDS_OF_A_COMPANY = 2
# The members of a view that are words, and no codes.
SEARCH, TAG = "q", "tag"
# Labels of statements.
ADDRESS, BIRTH = "address", "date_of_birth"
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Traces:
    """What names the subject of a case and its parties. Read before the case is erased."""

    case: Case
    subject: str
    names: frozenset[str]
    numbers: frozenset[str]  # letters and digits alone
    # What documents contain, and a person may have looked up: numbers, but dates and amounts, too.
    read_in_documents: frozenset[str]
    addresses: frozenset[str]
    births: frozenset[str]  # digits alone
    # By name or number: how the statements of other cases are found that have it, too.
    digests: Mapping[str, frozenset[str]]
    parties: frozenset[int]
    tags: frozenset[str]
    # Views with a search that finds the case.
    views: frozenset[int] = field(default_factory=frozenset)

    def is_named_by(self, text: str) -> bool:
        """Whether a name that a person gave to a view or a file names the subject or a party."""
        plain = _plain(text)
        if any(number in plain for number in self.numbers):
            return True
        words = set(_words(text))
        return any(_is_named(words, name, self.case.kind) for name in self.names)

    def have(self, text: str) -> bool:
        """Whether all words of a search are in one name or address, or it is a number."""
        words = set(_WORD.findall(forms.plain_text(text)))
        is_in_a_name = any(
            words <= set(_WORD.findall(forms.plain_text(one)))
            for one in self.names | self.addresses
        )
        return is_in_a_name or self.have_number(text)

    def have_number(self, text: str) -> bool:
        plain = _plain(text)
        return plain in self.numbers or plain in self.read_in_documents


def read(case: Case) -> Traces:
    stated = PartyStatement.objects.filter(case_party__case=case)
    names, numbers, addresses = {case.subject}, set(), set()
    births: set[str] = set()
    digests: dict[str, set[str]] = {}
    for row in stated:
        if row.kind == PartyStatement.Kind.FACT:
            if row.label == ADDRESS:
                addresses.add(row.value)
            elif row.label == BIRTH:
                births.add(_plain(row.value))
            continue
        if row.kind == PartyStatement.Kind.NAME:
            names.add(row.value)
            key = _key(row.value)
        else:
            key = _plain(row.value)
            numbers.add(key)
        if row.digest:
            digests.setdefault(key, set()).add(row.digest)
    return Traces(
        case,
        case.subject,
        frozenset(name for name in names if _words(name)),
        # A number of few characters is part of many others.
        frozenset(number for number in numbers if len(number) > SHORTEST_WORD),
        frozenset(_read_in_documents(case)),
        frozenset(addresses),
        frozenset(births),
        {key: frozenset(values) for key, values in digests.items()},
        frozenset(CaseParty.objects.filter(case=case).values_list("party", flat=True)),
        frozenset(case.tags.values_list("name", flat=True)),
        frozenset(_views_that_find(case)),
    )


def _read_in_documents(case: Case) -> Iterator[str]:
    """The values with digits that checks read in documents, or that people chose or corrected."""
    texts = list(ValueChoice.objects.filter(case=case).values_list("value", flat=True))
    rows = list(CheckResult.objects.filter(job__case=case))
    for part in results.parts(rows, (), {}):
        for finding in part.findings:
            if isinstance(finding, results.Comparison):
                texts += [finding.extracted, *finding.offered]
    for text in texts:
        plain = _plain(text)
        if len(plain) > SHORTEST_WORD and re.search(r"\d", plain):
            yield plain


def erase(traces: Traces) -> list[LookUp]:
    """Remove what only the erased case explains. Returns the look-ups that were deleted."""
    _clean_views(traces)
    _clean_files(traces)
    _remove_tags(traces)
    return _remove_look_ups(traces)


def _views_that_find(case: Case) -> Iterator[int]:
    this = Case.objects.filter(pk=case.pk)
    for view in SavedView.objects.all():
        query = parse_qsl(view.query.lstrip("?"))
        words = dict(query).get(SEARCH, "")
        if words and _finds(this, words):
            yield view.pk


def _finds(cases: QuerySet[Case], words: str) -> bool:
    return cases.filter(pk__in=search.hits(words)).exists()


def _clean_views(traces: Traces) -> None:
    """Remove the search for the subject from saved views, and names of views that name the subject."""
    for view in SavedView.objects.all():
        # A query that was stored has the mark of an address before it.
        begin = "?" if view.query.startswith("?") else ""
        pairs = parse_qsl(view.query.lstrip("?"), keep_blank_values=True)
        others, removed = [], []
        for name, value in pairs:
            if _is_search_for(traces, view, name, value):
                removed.append(value)
            else:
                others.append((name, value))
        changes = {}
        if removed:
            changes["query"] = begin + urlencode(others)
        if _names_the_subject(traces, view.name, removed):
            changes["name"] = ERASED
        # Only what changes, so that a view which its owner changes meanwhile is not set back.
        if changes:
            SavedView.objects.filter(pk=view.pk).update(**changes)


def _is_search_for(traces: Traces, view: SavedView, name: str, value: str) -> bool:
    text = value.casefold().strip()
    if len(text) < SHORTEST_SEARCH:
        return False
    if name == TAG:
        return value in traces.tags and not Case.objects.filter(tags__name=value)
    subject = traces.subject.casefold()
    if text in subject or subject in text:
        return True
    if name != SEARCH:
        return False
    # It found or named the case, and finds nothing now: it was a search for this case.
    is_about = view.pk in traces.views or traces.have(value)
    return is_about and not _finds(Case.objects.all(), value)


def _names_the_subject(traces: Traces, name: str, removed: list[str]) -> bool:
    if traces.subject.casefold() in name.casefold() or traces.is_named_by(name):
        return True
    if not removed:
        return False
    # The words of the search that was removed, and those of the subject.
    words = {*_words(traces.subject), *_words(" ".join(removed))}
    return not words.isdisjoint(_words(name))


def _clean_files(traces: Traces) -> None:
    """Remove names of files of cases that name the subject. The files ended with the import."""
    # The names are encrypted, so the database cannot compare them.
    for row in CaseImport.objects.exclude(status=CaseImport.Status.RUNNING).iterator():
        if traces.is_named_by(row.file_name):
            row.file_name = ERASED
            row.save(update_fields=["file_name"])


def _remove_tags(traces: Traces) -> None:
    """Remove tags that no case has and that name the subject: they were taken off before."""
    for tag in Tag.objects.filter(cases=None):
        if _names_the_subject(traces, tag.name, []):
            tag.delete()


def _remove_look_ups(traces: Traces) -> list[LookUp]:
    """Remove look-ups of no case for the subject or a party, unless another case is about the same.

    Another spelling, or a part of the name, may be another person, unless it came with the date of
    birth: such look-ups end by themselves.
    """
    names = [name for name in traces.names if _key(name)]
    gone = []
    # The query is encrypted, so the database cannot compare it.
    for row in LookUp.objects.filter(case=None).iterator():
        query = row.query if isinstance(row.query, dict) else {}
        query_name = str(query.get("name", ""))
        if row.party_id in traces.parties:
            is_for_case = not _is_in_other_case(row.party_id)
        elif name := _same_name(query_name, names) or _same_person(query, traces):
            is_for_case = not _is_known_elsewhere(traces, _key(name))
        else:
            is_ours = traces.have_number(query_name)
            is_for_case = is_ours and not _is_known_elsewhere(
                traces, _plain(query_name)
            )
        if is_for_case:
            gone.append(row)
    LookUp.objects.filter(pk__in=[row.pk for row in gone]).delete()
    return gone


def _same_person(query: Mapping[str, object], traces: Traces) -> str:
    """The name of which the query has a word, if it has a date of birth of the case, too."""
    if _plain(str(query.get("date_of_birth") or "")) not in traces.births:
        return ""
    words = set(_words(str(query.get("name", ""))))
    for name in traces.names:
        if not words.isdisjoint(_words(name)):
            return name
    return ""


def remaining(traces: Traces) -> list[str]:
    """What still names the subject and ends by itself, as sentences."""
    sentences = []
    rows = [row for row in Draft.objects.all() if _is_draft_for(row, traces)]
    if rows:
        sentences.append(
            f"Drafts: {len(rows)} of forms that nobody has sent name the subject or a party. They end"
            f" when they are sent, or after {drafts.LIFETIME.days} days."
        )
    return sentences


def _is_draft_for(draft: Draft, traces: Traces) -> bool:
    """Whether what was typed has all words of a name. Its parts may be in several fields."""
    typed = json.loads(draft.typed)
    words = set(_words(" ".join(_texts(typed))))
    return any(words.issuperset(_words(name)) for name in traces.names)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for member in value.values():
            yield from _texts(member)
    elif isinstance(value, list):
        for member in value:
            yield from _texts(member)


def _is_in_other_case(party: int | None) -> bool:
    return CaseParty.objects.filter(party=party, case__erased_at=None).exists()


def _is_known_elsewhere(traces: Traces, key: str) -> bool:
    """Whether a case that was not erased has the same name or number."""
    others = PartyStatement.objects.filter(case_party__case__erased_at=None)
    if others.filter(digest__in=traces.digests.get(key, ())).exists():
        return True
    # The search text has the name of the subject alone.
    if key != _key(traces.subject):
        return False
    name = forms.plain_text(traces.subject)[:40]
    return SearchText.objects.filter(name=name).exclude(case=traces.case).exists()


def _is_named(words: set[str], name: str, kind: str) -> bool:
    own = set(_words(name))
    if kind == Kind.KYC:
        return not own.isdisjoint(words)
    least = min(WORDS_OF_A_COMPANY, len(own))
    return len(own & words) >= least


def _same_name(query: str, names: Iterable[str]) -> str:
    """The name of these that the query is: the same words, or one of both without its legal form."""
    for name in names:
        if _key(query) == _key(name) or _is_without_its_form(query, name):
            return name
    return ""


def _is_without_its_form(query: str, name: str) -> bool:
    """Whether one of them has words of a legal form that the other leaves out.

    "Halden Holdings" and "Halden Holdings Inc" are the same. "Halden" alone may be another.
    """
    words_of_query = set(_WORD.findall(forms.plain_text(query)))
    words_of_name = set(_WORD.findall(forms.plain_text(name)))
    if min(len(words_of_query), len(words_of_name)) < WORDS_OF_A_COMPANY:
        return False
    if not (words_of_query <= words_of_name or words_of_name <= words_of_query):
        return False
    return all(_is_generic(word) for word in words_of_query ^ words_of_name)


def _key(name: str) -> str:
    """The words of a name in one order. "GmbH" and the like do not count where enough is left."""
    words = _WORD.findall(forms.plain_text(name))
    own = [word for word in words if not _is_generic(word)]
    if len(own) < WORDS_OF_A_COMPANY:
        own = words
    return " ".join(sorted(own))


def _words(name: str) -> list[str]:
    """The words of a name that others have seldom; all of them if there are none."""
    words = []
    for word in _WORD.findall(forms.plain_text(name)):
        if len(word) >= SHORTEST_WORD:
            words.append(word)
    return [word for word in words if not _is_generic(word)] or words


def _is_generic(word: str) -> bool:
    kinds: Iterable[tuple[Party.Kind, re.Pattern[str]]] = labels.KIND_WORDS
    return any(pattern.fullmatch(word) for _, pattern in kinds)


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())
