"""Erases one case: walks the data map, empties or removes its rows, and deletes its files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import parse_qsl, urlencode

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import models

from compliance.db.states import move_all
from compliance.security import data_keys, data_map
from compliance.security.data_map import ERASED, Act, Table
from reviews.audit.bound_rows import BOUND
from reviews.models import Case, InformationRequest, SavedView, Tag

APPS = ("reviews", "webhooks")


@dataclass
class Outcome:
    """`counts`: rows by table, and files. `rows`: those that the trail is bound to, as they are now."""

    counts: dict[str, int] = field(default_factory=dict)
    remains: list[str] = field(default_factory=list)
    rows: list[models.Model] = field(default_factory=list)

    def add(self, name: str, count: int) -> None:
        if count:
            self.counts[name] = self.counts.get(name, 0) + count


def erase(case: Case, *, at: datetime) -> Outcome:
    """Empty all that the desk holds of the case's people. To be called in a transaction that has
    locked the case, and found that nothing is against it.

    The files go first: a transaction that fails is tried again, and a file without a row would stay.
    """
    outcome = Outcome()
    subject = case.subject
    key_id = data_key_of(case)
    tables = [table for table in data_map.of_app(*APPS) if table.act is not Act.STAY]
    # All keys first: what is emptied may lead to what comes later.
    keys = {}
    for table in tables:
        rows = table.of(case)
        keys[table.model] = list(rows.values_list("pk", flat=True))
    for table in tables:
        _erase_files(table, keys[table.model], outcome)
    tags = list(case.tags.all())
    for table in tables:
        _erase_rows(table, keys[table.model], outcome, key_id)
        _erase_log(table, keys[table.model])
    _close(case)
    _drop_tags(case, tags)
    _clean_views(subject)
    if key_id:
        # Copies of the database, too, are without the names then.
        data_keys.erase(key_id)
    Case.objects.filter(pk=case.pk).update(erased_at=at, updated_at=at)
    case.refresh_from_db()
    # So that the case is still there for who searches its number.
    case.make_searchable(is_new=True)
    for table in tables:
        _note_what_remains(table, keys[table.model], outcome)
    outcome.remains.append(
        "The lines of the trail: they prove who did what, and are only ever added."
    )
    return outcome


def _note_what_remains(table: Table, keys: list[object], outcome: Outcome) -> None:
    bound = BOUND.get(table.cls)
    if bound:
        rows = table.cls._default_manager.filter(bound.needs_line, pk__in=keys)
        outcome.rows += list(rows)
    if table.note and keys:
        name = str(table.cls._meta.verbose_name)
        outcome.remains.append(f"{name.capitalize()}: {table.note}")


def data_key_of(case: Case) -> int:
    """The data key of a case; 0 where it has none yet."""
    return getattr(case, "data_key_id", None) or data_keys.INSTALLATION


def _close(case: Case) -> None:
    """A case that nobody decided leaves the queue, and its applicant is not waited for."""
    requests = list(case.requests.all())
    move_all(requests, InformationRequest.Status.WITHDRAWN)
    # From waiting no way leads to the end but by the review.
    if case.status == Case.Status.WAITING:
        case.move(Case.Status.TO_REVIEW)
    case.move(Case.Status.DECIDED)


def _erase_files(table: Table, keys: list[object], outcome: Outcome) -> None:
    rows = table.cls._default_manager.filter(pk__in=keys)
    for column in table.file_fields():
        has_none = {column.name: ""}
        with_file = rows.exclude(**has_none)
        for row in with_file.only("pk", column.name):
            file = getattr(row, column.name)
            file.storage.delete(file.name)
            outcome.add("files", 1)


def _erase_rows(
    table: Table, keys: list[object], outcome: Outcome, key_id: int
) -> None:
    rows = table.cls._default_manager.filter(pk__in=keys)
    if table.act is Act.REMOVE:
        rows.delete()
    else:
        rows.update(**table.blanks(key_id))
    outcome.add(table.model, len(keys))


def _erase_log(table: Table, keys: Iterable[object]) -> None:
    """What Django's admin has noted about these rows has their names in it."""
    content_type = ContentType.objects.get_for_model(table.cls)
    ids = [str(key) for key in keys]
    entries = LogEntry.objects.filter(content_type=content_type, object_id__in=ids)
    entries.update(object_repr=ERASED, change_message="")


def _drop_tags(case: Case, tags: Iterable[Tag]) -> None:
    """A tag may be a name: one that no other case has goes with the case."""
    case.tags.clear()
    for tag in tags:
        if not tag.cases.exists():
            tag.delete()


def _clean_views(subject: str) -> None:
    """A view of the queue that searches for the subject loses the search."""
    for view in SavedView.objects.exclude(query=""):
        pairs = parse_qsl(view.query, keep_blank_values=True)
        others = []
        for name, value in pairs:
            if not _names(value, subject):
                others.append((name, value))
        if others != pairs:
            query = urlencode(others)
            SavedView.objects.filter(pk=view.pk).update(query=query)


def _names(value: str, subject: str) -> bool:
    text = value.casefold().strip()
    # Shorter texts are codes of filters, and parts of many names.
    if len(text) <= 2:
        return False
    name = subject.casefold()
    return text in name or name in text
