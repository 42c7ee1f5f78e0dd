"""Compares the audit trail with what it describes: database rows and stored files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, models, transaction
from django.db.migrations import Migration
from django.db.models import Exists, OuterRef, Q, Subquery

from compliance.security import data_keys, decisive_rows
from compliance.security.personal_fields import opened
from compliance.storage import stored_files
from reviews.audit import anchors, bound_rows, trail
from reviews.audit.bound_rows import BOUND, GONE
from reviews.models import (
    ENDING,
    Case,
    CaseEvent,
    CheckResult,
    Decision,
    Job,
    Page,
)

# By table and primary key: the hash of the row, the id of its event, and the id of the data key
# of its salt.
Lines = dict[tuple[str, str], tuple[str, int, str | None]]
BATCH = 500
# The lines after which a case has an open alarm.
ALARMS = ("alarm", "reopened")


def faults() -> Iterator[str]:
    """The faults of the trail, the rows and the files, as sentences; nothing if there are none.

    Call it inside `snapshot()`, so that rows and lines are read at the same moment.
    """
    # Counted before the first query, because the file grows while the database is read.
    anchor_count = anchors.count()
    yield from trail.verify()
    yield from anchors.faults(anchor_count)
    yield from row_faults(BOUND)
    yield from _case_faults()
    yield from _alarm_faults()
    yield from _erasure_faults()
    yield from decisive_rows.faults()


@contextmanager
def snapshot() -> Iterator[None]:
    """A transaction that reads the whole database as it is at one moment."""
    with transaction.atomic():
        # By default PostgreSQL shows each query the newest state. The isolation level can only
        # be set at the start of a transaction, so a transaction that has begun keeps its own.
        if connection.vendor == "postgresql" and not connection.savepoint_ids:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


def row_faults(bound_models: Collection[type[models.Model]]) -> Iterator[str]:
    """The faults of the rows of these tables, compared with the trail."""
    lines = latest_lines()
    erased = _erased_with_a_line()
    for model in bound_models:
        try:
            yield from _table_faults(model, lines, erased)
        except ImproperlyConfigured as exc:
            yield f"{model._meta.db_table} cannot be read: {exc}"
    # The tables of an app that is not installed here, such as the hub, were not compared.
    tables = {model._meta.db_table for model in bound_models}
    yield from _removed_rows(lines, tables)


def latest_lines() -> Lines:
    """What the newest line about each row recorded."""
    lines: Lines = {}
    # In the order of the chain; lines that wait for sealing come last.
    order = (models.F("seal__seq").asc(nulls_last=True), "pk")
    events = CaseEvent.objects.exclude(bindings=[]).order_by(*order)
    for pk, entries in events.values_list("pk", "bindings").iterator(chunk_size=2000):
        for entry in entries:
            key = (entry["table"], entry["id"])
            lines[key] = (entry["sha256"], pk, entry.get("key"))
    return lines


def _erased_with_a_line() -> set[int]:
    """The data keys of the cases whose erasure has a line.

    If somebody erased a key only in the database, the hashes of its rows could not be verified, and no
    change of these rows would be noticed.
    """
    events = CaseEvent.objects.filter(
        what="case_erased",
        case__isnull=False,
    )
    return set(events.values_list("case__data_key_id", flat=True))


def _table_faults(
    model: type[models.Model], lines: Lines, erased: set[int]
) -> Iterator[str]:
    """Rows that differ from their line, rows without a line, and faulty files.

    Removes the line of each row from `lines`. The lines that remain have no row.
    """
    bound = BOUND[model]
    table = model._meta.db_table
    without_line: list[Any] = []
    rows = model._default_manager.order_by("pk")
    for row in rows.iterator(chunk_size=BATCH):
        key = str(row.pk)
        sha256, event, salt = lines.pop((table, key), (None, 0, None))
        name = f"{table} {key}"
        if sha256 is None:
            without_line.append(row.pk)
        elif sha256 == GONE:
            yield f"{name} is there again: event {event} says that it was removed."
        elif not is_as_bound(row, sha256, salt, erased):
            yield f"{name} is not as event {event} says{_cause(row, sha256, salt)}."
        if bound.file:
            yield from _file_fault(row, bound.file)
    for key in _keys_that_need_a_line(model, without_line):
        yield f"{table} {key}: no line of the trail is about it."


def _cause(row: models.Model, sha256: str, salt: str | None) -> str:
    """What else may have made a row differ from its line; empty if only a change can have."""
    if not _is_as_bound_before(row, sha256, salt):
        return ""
    fields = ", ".join(BOUND[type(row)].later.split())
    return (
        f" in {fields}: somebody changed that, or a process of an earlier version still ran after"
        " the upgrade and wrote the row (docs/deploy.md, Upgrades)"
    )


def is_as_bound(
    row: models.Model, sha256: str, salt: str | None, erased: Collection[int] = ()
) -> bool:
    """Whether a row is as its line says. `erased`: data keys of cases whose erasure has a line."""
    try:
        if salt is None:
            return bound_rows.digest(row) == sha256
        key_id = int(salt)
        # The original row was erased. The line about the erasure proves what remains.
        if data_keys.is_erased(key_id):
            return key_id in erased and bound_rows.key_of(row) == key_id
        return bound_rows.digest(row, key_id) == sha256
    # A column or the key was changed or replaced.
    except (data_keys.DataKeyError, ValueError):
        return False


def _keys_that_need_a_line(
    model: type[models.Model], keys: Sequence[Any]
) -> Iterator[Any]:
    """Those of the primary keys whose rows need a line. Some tables have rows that need none."""
    rows = model._default_manager.filter(BOUND[model].needs_line).order_by("pk")
    for start in range(0, len(keys), BATCH):
        yield from rows.filter(pk__in=keys[start : start + BATCH]).values_list(
            "pk", flat=True
        )


def _removed_rows(lines: Lines, tables: set[str]) -> Iterator[str]:
    """Rows that were deleted past the trail: they remain in `lines`, but no row was met."""
    for (table, key), (sha256, event, _) in lines.items():
        if sha256 != GONE and table in tables:
            yield f"{table} {key} is gone. Event {event} is about it."


def _case_faults() -> Iterator[str]:
    """Cases whose status, recommendation or its reasons do not follow from jobs and decisions.

    Jobs and decisions are bound to the trail. These two fields change with each job and have no line
    of their own, but pages show them, and the rules for a second person use the recommendation.
    Erased cases are left out, because their jobs are gone.
    """
    cases = Case.objects.filter(erased_at=None).order_by("pk")
    jobs = Job.objects.filter(
        case=OuterRef("pk"),
        status=Job.Status.COMPLETE,
        check_id="",
        recommendation=OuterRef("recommendation"),
    )
    recommended = cases.exclude(recommendation="")
    for pk in recommended.exclude(Exists(jobs)).values_list("pk", flat=True):
        yield f"reviews_case {pk}: no job of it recommends what it says."
    yield from _reason_faults(cases)
    decisions = Decision.objects.filter(case=OuterRef("pk"))
    ending = decisions.filter(
        status=Decision.Status.STANDING,
        outcome__in=ENDING,
    )
    proposed = decisions.filter(status=Decision.Status.PROPOSED)
    for status, needed in (
        (Case.Status.DECIDED, ending),
        (Case.Status.SECOND, proposed),
    ):
        without = cases.filter(status=status).exclude(Exists(needed))
        for pk in without.values_list("pk", flat=True):
            yield f"reviews_case {pk}: it is “{status}” without a decision."
    undecided = cases.exclude(status=Case.Status.DECIDED).filter(Exists(ending))
    for pk in undecided.values_list("pk", flat=True):
        yield f"reviews_case {pk}: it was decided, and its status is another."


def _reason_faults(cases: models.QuerySet[Case]) -> Iterator[str]:
    """Cases that give other reasons for their recommendation than their jobs.

    A case whose agent says what is missing is not approved in bulk.
    """
    jobs = Job.objects.filter(
        case__in=cases,
        status=Job.Status.COMPLETE,
        check_id="",
    )
    jobs = jobs.filter(recommendation=models.F("case__recommendation"))
    jobs = jobs.exclude(recommendation="").order_by("case_id")
    columns = ("case_id", "recommendation_reasons", "case__recommendation_reasons")
    rows = jobs.values_list(*columns).iterator(chunk_size=2000)
    for pk, group in groupby(rows, key=itemgetter(0)):
        is_of_a_job = False
        for _, of_job, of_case in group:
            is_of_a_job = is_of_a_job or _is_equal(of_job, of_case)
        if not is_of_a_job:
            yield f"reviews_case {pk}: no job of it recommends for the reasons that it says."


def _is_equal(of_job: object, of_case: object) -> bool:
    try:
        return bool(opened(of_job) == opened(of_case))
    # A column was changed or replaced.
    except data_keys.DataKeyError:
        return False


def _alarm_faults() -> Iterator[str]:
    """Cases whose open alarm was removed: it keeps a case from an approval without a look."""
    alarms = CaseEvent.objects.filter(
        case=OuterRef("pk"),
        what__in=ALARMS,
    )
    newest = alarms.order_by("-pk").values("at")[:1]
    cases = Case.objects.filter(erased_at=None, alarm="").order_by("pk")
    cases = cases.annotate(raised=Subquery(newest))
    cases = cases.exclude(raised=None)
    # A decision closes the alarms before it.
    is_made_later = Q(made_at__gte=OuterRef("raised"))
    is_final_later = Q(second_at__gte=OuterRef("raised"))
    decisions = Decision.objects.filter(
        is_made_later | is_final_later,
        case=OuterRef("pk"),
    )
    undecided = cases.exclude(Exists(decisions))
    for pk in undecided.values_list("pk", flat=True):
        yield f"reviews_case {pk}: its alarm is gone, and nobody decided since."


def _erasure_faults() -> Iterator[str]:
    """Cases that say that they were erased, without a line: such cases are not compared."""
    lines = CaseEvent.objects.filter(
        case=OuterRef("pk"),
        what="case_erased",
    )
    cases = Case.objects.exclude(erased_at=None).order_by("pk")
    for pk in cases.exclude(Exists(lines)).values_list("pk", flat=True):
        yield f"reviews_case {pk}: it says that it was erased, and no line says so."


def _file_fault(row: Any, field: str) -> Iterator[str]:
    file = getattr(row, field)
    if not file:
        return
    fault = stored_files.fault(file, row.sha256)
    if fault:
        yield f"{row._meta.db_table} {row.pk}: {fault}"


# The first migrations after which lines have bindings, and after which rows of other apps have
# lines.
_BINDINGS = {
    ("reviews", "0003_caseevent_bindings"),
    ("reviews", "0001_squashed_0034_automatic_approvals"),
}
_OTHER_APPS = ("reviews", "0006_tree_and_copies")
# The one after which the lines about results prove their confirmation and their rank.
_CONFIRMATIONS = ("reviews", "0039_bound_confirmations")
# The one after which pages, names of users and the times of jobs are bound.
_PAGES = ("reviews", "0050_bound_pages")
# The models that are bound since the confirmations are.
_BOUND_SINCE = {"agenthub.HeldVersion", "approvals.Proposal", "reviews.BulkAct"}


def bind_after_migrate(
    plan: Sequence[tuple[Migration, bool]] = (), **_: object
) -> None:
    """Bind the rows of an earlier version, once after its migration. Connected to post_migrate."""
    names = set()
    for migration, is_backwards in plan:
        if not is_backwards:
            names.add((migration.app_label, migration.name))
    if _BINDINGS & names:
        bind_existing(BOUND)
    elif _OTHER_APPS in names:
        bind_existing([model for model in BOUND if model._meta.app_label != "reviews"])
    if _CONFIRMATIONS in names and _is_first_time(_CONFIRMATIONS):
        bind_later_fields(CheckResult)
        new = [model for model in BOUND if model._meta.label in _BOUND_SINCE]
        bind_existing(new)
    if _PAGES in names and _is_first_time(_PAGES):
        bind_later_fields(User)
        bind_later_fields(Job)
        bind_existing([Page])


def _is_first_time(migration: tuple[str, str]) -> bool:
    """Whether nothing was bound after this migration before. Records that it is now.

    Whoever removes its row from the table of migrations would have what they put in behind the desk
    bound by the next `migrate`.
    """
    name = ".".join(migration)
    lines = CaseEvent.objects.filter(
        what="rows_bound",
        data__migration=name,
    )
    if lines.exists():
        return False
    trail.record(None, "rows_bound", {"migration": name})
    return True


def bind_existing(bound_models: Iterable[type[models.Model]]) -> int:
    """Bind the rows that no line is about, written by an earlier version. Returns their number."""
    lines = latest_lines()
    count = 0
    for model in bound_models:
        bound = BOUND[model]
        rows = model._default_manager.filter(bound.needs_line).order_by("pk")
        batch = []
        for row in rows.iterator(chunk_size=BATCH):
            if (model._meta.db_table, str(row.pk)) not in lines:
                batch.append(row)
            if len(batch) == BATCH:
                count += bind(batch)
                batch = []
        count += bind(batch)
    return count


def bind_later_fields(model: type[models.Model]) -> int:
    """Bind again the rows whose line is from before the later fields. Returns their number.

    A row that is not as its line says stays as it is, so that `audit_verify` names it.
    """
    lines = latest_lines()
    count = 0
    batch: list[models.Model] = []
    for row in model._default_manager.order_by("pk").iterator(chunk_size=BATCH):
        line = lines.get((model._meta.db_table, str(row.pk)))
        if line is not None and _is_as_bound_before(row, line[0], line[2]):
            batch.append(row)
        if len(batch) == BATCH:
            count += bind(batch)
            batch = []
    return count + bind(batch)


def _is_as_bound_before(row: models.Model, sha256: str, salt: str | None) -> bool:
    """Whether the row is as its line says, and the line has only the fields of an earlier version."""
    try:
        key_id = None if salt is None else int(salt)
        if key_id is not None and data_keys.is_erased(key_id):
            return False
        if bound_rows.digest(row, key_id) == sha256:
            return False
        return bound_rows.digest(row, key_id, with_later=False) == sha256
    except (data_keys.DataKeyError, ValueError):
        return False


def bind(rows: Sequence[models.Model]) -> int:
    """Write one line that binds these rows of one table. Returns the number of rows."""
    if rows:
        data = {"table": rows[0]._meta.db_table, "rows": len(rows)}
        trail.record(None, "rows_bound", data, about=rows)
    return len(rows)
