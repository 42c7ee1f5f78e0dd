"""Erases one case: follows the data map, empties or deletes its rows, and deletes its files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.db.models import Q
from django.utils.text import capfirst

from compliance.db.states import move_all
from compliance.models import DataKey
from compliance.security import data_keys, data_map
from compliance.security.data_map import ERASED, Act, Table
from reviews.audit.bound_rows import BOUND
from reviews.models import (
    Case,
    CaseParty,
    InformationRequest,
    LookUp,
    PartyMerge,
    Tag,
)
from reviews.privacy import beside_the_case

APPS = ("reviews", "webhooks")


@dataclass
class Outcome:
    """The result of an erasure.

    `counts`: erased rows by table, and files. `remains`: what remains and why, as sentences.
    `rows`: the bound rows as they are now, and `gone` those that were deleted, for the line of the
    trail. `secret_rows`: those that the line of the case must not name.
    """

    counts: dict[str, int] = field(default_factory=dict)
    remains: list[str] = field(default_factory=list)
    rows: list[models.Model] = field(default_factory=list)
    gone: list[models.Model] = field(default_factory=list)
    secret_rows: list[models.Model] = field(default_factory=list)

    def add(self, name: str, count: int) -> None:
        if count:
            self.counts[name] = self.counts.get(name, 0) + count


def erase(case: Case, *, at: datetime) -> Outcome:
    """Erase the personal data of a case.

    The caller has an open transaction, has locked the case, and has checked that nothing
    forbids the erasure. Files are deleted first: a failed transaction is retried, but a file
    without a row would stay for ever.
    """
    _wait_for_other_erasures()
    outcome = Outcome()
    key_id = data_key_of(case)
    traces = beside_the_case.read(case)
    tables = [table for table in data_map.of_app(*APPS) if table.act is not Act.STAY]
    # Collect all keys first, because emptied rows no longer lead to the rows that refer to
    # them.
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
    if key_id:
        # Without the data key, the names in copies of the database cannot be decrypted either.
        data_keys.erase(key_id)
    Case.objects.filter(pk=case.pk).update(erased_at=at, updated_at=at)
    case.refresh_from_db()
    # The case can still be found by its reference.
    case.make_searchable(is_new=True)
    look_ups = beside_the_case.erase(traces)
    outcome.gone += look_ups
    outcome.add(LookUp._meta.label, len(look_ups))
    _empty_merges(traces.parties, outcome)
    for table in tables:
        _note_what_remains(table, keys[table.model], outcome)
    outcome.remains += beside_the_case.remaining(traces)
    outcome.remains.append(
        "The lines of the trail: they prove who did what, and are only ever added."
    )
    return outcome


def _wait_for_other_erasures() -> None:
    """Wait until no other erasure runs, and let none begin before this transaction ends.

    Two cases may have the same owner. If both were erased at once, each erasure would keep what names
    the owner, for the sake of the other case. The lock is the row of the installation's key, because
    it always exists.
    """
    keys = DataKey.objects.filter(pk=data_keys.INSTALLATION)
    # Rows that refer to the key can still be added.
    keys.select_for_update(no_key=True).first()


def _note_what_remains(table: Table, keys: list[object], outcome: Outcome) -> None:
    if table.is_secret:
        outcome.secret_rows += list(table.cls._default_manager.filter(pk__in=keys))
        return
    bound = BOUND.get(table.cls)
    if bound:
        rows = table.cls._default_manager.filter(bound.needs_line, pk__in=keys)
        outcome.rows += list(rows)
    if table.note and keys:
        name = str(table.cls._meta.verbose_name)
        outcome.remains.append(f"{capfirst(name)}: {table.note}")


def data_key_of(case: Case) -> int:
    """The id of the data key of a case; 0 if it has none yet."""
    return getattr(case, "data_key_id", None) or data_keys.INSTALLATION


def _close(case: Case) -> None:
    """Close a case that nobody decided, and its open requests, so that it leaves the queue."""
    requests = list(case.requests.all())
    move_all(requests, InformationRequest.Status.WITHDRAWN)
    # These cannot move to DECIDED directly. Checks run only in a case that a backup brought back.
    if case.status in {Case.Status.WAITING, Case.Status.CHECKING}:
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
        if table.cls in BOUND:
            outcome.gone += list(rows)
        rows.delete()
    else:
        rows.update(**table.blanks(key_id))
    if not table.is_secret:
        outcome.add(table.model, len(keys))


def _erase_log(table: Table, keys: Iterable[object]) -> None:
    """Blank the entries of Django's admin log about these rows: they contain names."""
    content_type = ContentType.objects.get_for_model(table.cls)
    ids = [str(key) for key in keys]
    entries = LogEntry.objects.filter(
        content_type=content_type,
        object_id__in=ids,
    )
    entries.update(object_repr=ERASED, change_message="")


def _drop_tags(case: Case, tags: Iterable[Tag]) -> None:
    """Remove the tags of the case.

    A tag may be a name, so it is deleted if no other case has it.
    """
    case.tags.clear()
    for tag in tags:
        if not tag.cases.exists():
            tag.delete()


def _empty_merges(parties: Iterable[int], outcome: Outcome) -> None:
    """Empty the reasons for merges of parties that no case names any more: they may quote a name."""
    keys = list(parties)
    for merge in PartyMerge.objects.filter(Q(first__in=keys) | Q(second__in=keys)):
        both = (merge.first_id, merge.second_id)
        if CaseParty.objects.filter(party__in=both, case__erased_at=None).exists():
            continue
        merge.reason = ERASED
        if merge.undone_reason:
            merge.undone_reason = ERASED
        merge.save(update_fields=["reason", "undone_reason"])
        outcome.rows.append(merge)
        outcome.add(PartyMerge._meta.label, 1)
