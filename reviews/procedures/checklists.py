"""The checklist and the custom fields of one case: read them, mark items, fill in values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from compliance.languages import english
from compliance.pages.phrases import and_more
from reviews.access import roles
from reviews.audit import trail
from reviews.models import Case, ChecklistMark, Procedure
from reviews.procedures import form_fields, versions
from reviews.procedures.content import Content, FieldSpec, Item
from reviews.procedures.errors import RefusedError, StaleError

# A case that is decided, or waits for a second person, must stay as it was when it was decided.
CHANGEABLE = (
    Case.Status.CHECKING,
    Case.Status.TO_REVIEW,
    Case.Status.ATTENTION,
    Case.Status.WAITING,
    Case.Status.ESCALATED,
)
LONGEST_NOTE = 2_000
MOST_NAMES = 5  # items or fields named in one sentence


@dataclass(frozen=True)
class Line:
    """An item of the checklist with its mark, if it has one."""

    item: Item
    mark: ChecklistMark | None

    @property
    def is_open(self) -> bool:
        """Whether it blocks the decision."""
        return self.item.required and self.mark is None


@dataclass(frozen=True)
class Value:
    """A field of the procedure with its value as text."""

    spec: FieldSpec
    words: str


@dataclass(frozen=True)
class Checklist:
    """The procedure of a case with its marks and values."""

    procedure: Procedure | None
    content: Content
    lines: list[Line]
    values: list[Value]

    @classmethod
    def of(cls, case: Case) -> Checklist:
        content = versions.content_of(case.procedure)
        marks: dict[str, ChecklistMark] = {}
        # Most cases have no checklist, and then cost no query.
        if content.items:
            rows = case.checklist_marks.select_related("by")
            marks = {row.item: row for row in rows}
        lines = []
        for item in content.items:
            lines.append(Line(item, marks.get(item.key)))
        stored = values_of(case)
        values = []
        for spec in content.fields:
            words = form_fields.words(spec, stored.get(spec.key))
            values.append(Value(spec, words))
        return cls(case.procedure, content, lines, values)

    @property
    def open_items(self) -> list[Item]:
        return [line.item for line in self.lines if line.is_open]

    @property
    def settled(self) -> int:
        return sum(line.mark is not None for line in self.lines)


def values_of(case: Case) -> dict[str, object]:
    """The values of the custom fields by key; empty after an erasure."""
    stored = case.custom_fields
    if isinstance(stored, dict):
        return dict(stored)
    return {}


def extra_of(case: Case) -> dict[str, str]:
    """Cells of imported columns that are no member of a case, by header."""
    stored = case.extra_columns
    if not isinstance(stored, dict):
        return {}
    return {str(name): str(value) for name, value in stored.items()}


def open_items(case: Case) -> list[str]:
    """The labels of required items without a mark. They block the decision."""
    # Usually nothing is open. The stored count avoids the query.
    if case.procedure_id is None or not case.open_items:
        return []
    return [item.label for item in Checklist.of(case).open_items]


def missing_fields(case: Case) -> list[str]:
    """The labels of required fields without a value."""
    if case.procedure_id is None or case.erased_at is not None:
        return []
    content = versions.content_of(case.procedure)
    specs = form_fields.missing(content, values_of(case))
    return [spec.label for spec in specs]


def some(names: list[str]) -> str:
    """The first names of a list as text, with the number of the others."""
    text = ", ".join(names[:MOST_NAMES])
    more = len(names) - MOST_NAMES
    return and_more(text, more)


@transaction.atomic
def mark(case: Case, key: str, *, actor: User, kind: str, note: str = "") -> None:
    """Tick an item, or explain why it is not needed. An empty `kind` removes the mark.

    Raises RefusedError and PermissionDenied.
    """
    roles.require(actor, roles.REVIEW, case)
    case = _lock(case)
    content = versions.content_of(case.procedure)
    item = content.item(key)
    if item is None:
        raise RefusedError(_("The checklist of this case has no such item."))
    note = note.strip()[:LONGEST_NOTE]
    if kind == ChecklistMark.Kind.EXPLAINED and not note:
        raise RefusedError(
            _("Explain why this is not needed: %(item)s.") % {"item": item.label}
        )
    # An empty kind removes the mark that is there.
    before = ChecklistMark.objects.filter(case=case, item=key).first()
    data: dict[str, object] = {"item": item.label}
    if not kind:
        if before is None:
            return
        data["was"] = before.kind
        trail.record(case, "item_reopened", data, user=actor, gone=[before])
        before.delete()
        _count(case, content)
        return
    values = {
        "kind": ChecklistMark.Kind(kind),
        "note": note,
        "by": actor,
        "at": now(),
    }
    # A second mark replaces the first one.
    row, _created = ChecklistMark.objects.update_or_create(
        case=case, item=key, defaults=values
    )
    if note:
        data["note"] = note
    trail.record(case, f"item_{kind}", data, user=actor, about=[row])
    _count(case, content)


@transaction.atomic
def fill(
    case: Case, *, actor: User, values: Mapping[str, object], revision: str = ""
) -> None:
    """Store the values of the custom fields.

    `values`: all of them, cleaned by a form. `revision`: the revision of the case that the actor
    saw, if known. Raises RefusedError, StaleError and PermissionDenied.
    """
    roles.require(actor, roles.REVIEW, case)
    case = _lock(case)
    if revision and case.revision != revision:
        raise StaleError(_("The case has changed since you saw it."))
    # The audit trail records only the fields that have changed.
    before = values_of(case)
    content = versions.content_of(case.procedure)
    changes = _changes(content, before, values)
    if not changes:
        return
    case.custom_fields = dict(values)
    case.save(update_fields=["custom_fields", "updated_at"])
    data = {"fields": changes}
    trail.record(case, "fields_changed", data, user=actor, about=[case])


@english()
def _changes(
    content: Content, before: Mapping[str, object], after: Mapping[str, object]
) -> dict[str, str]:
    """The new text of each changed field, by its label."""
    changes = {}
    for spec in content.fields:
        if before.get(spec.key) != after.get(spec.key):
            words = form_fields.words(spec, after.get(spec.key))
            changes[spec.label] = words or "empty"
    return changes


def newer(case: Case) -> Procedure | None:
    """The live version, if the case is open and has another one. Otherwise None."""
    if case.status not in CHANGEABLE:
        return None
    current = versions.live(case.kind)
    if current is None or current.pk == case.procedure_id:
        return None
    return current


@transaction.atomic
def take_up(case: Case, *, actor: User) -> None:
    """Move an open case to the live version of its procedure.

    Marks stay if their item is unchanged. Values stay if their field still accepts them. Raises
    RefusedError and PermissionDenied.
    """
    roles.require(actor, roles.REVIEW, case)
    case = _lock(case)
    current = newer(case)
    if current is None:
        raise RefusedError(_("The case has the version in force already."))
    old = versions.content_of(case.procedure)
    new = versions.content_of(current)
    # A mark answers the text of its item, so it is removed if that text has changed.
    gone = []
    for row in ChecklistMark.objects.filter(case=case):
        if old.item(row.item) != new.item(row.item):
            gone.append(row)
    if case.procedure:
        was = case.procedure.number
    else:
        was = 0
    case.procedure = current
    case.custom_fields = carried(case, old, new)
    case.save(update_fields=["procedure", "custom_fields", "updated_at"])
    data = {"was": was, "now": current.number}
    trail.record(case, "procedure_changed", data, user=actor, about=[case], gone=gone)
    ChecklistMark.objects.filter(pk__in=[row.pk for row in gone]).delete()
    _count(case, new)


def carried(case: Case, old: Content, new: Content) -> dict[str, object]:
    """The values of the case that are valid in the new version, too."""
    values = {}
    for key, value in values_of(case).items():
        before, after = old.field(key), new.field(key)
        if before and after and before.type == after.type and _is_known(after, value):
            values[key] = value
    return values


def _is_known(spec: FieldSpec, value: object) -> bool:
    return spec.type != "choice" or value in spec.choices


def _lock(case: Case) -> Case:
    """The current row, locked until the end of the transaction. Raises RefusedError if it is not
    open.
    """
    rows = Case.objects.select_for_update(of=("self",)).select_related("procedure")
    current = rows.get(pk=case.pk)
    if current.status not in CHANGEABLE:
        raise RefusedError(_("The case is not open."))
    return current


def _count(case: Case, content: Content) -> None:
    """Update the stored number of open items.

    update() leaves `updated_at`, and so the revision, unchanged: ticking an item must not make a
    decision stale.
    """
    count = _open_items_of(case, content)
    Case.objects.filter(pk=case.pk).update(open_items=count)


def count_again(case: Case) -> None:
    """Set the number of open items from the marks, which are bound to the trail.

    A decision asks for it: whoever writes to the database alone must not open the way to one.
    """
    content = versions.content_of(case.procedure)
    case.open_items = _open_items_of(case, content)


def _open_items_of(case: Case, content: Content) -> int:
    # Most cases have no checklist, and then cost no query.
    if not content.items:
        return 0
    keys = ChecklistMark.objects.filter(case=case).values_list("item", flat=True)
    settled = set(keys)
    return sum(item.required and item.key not in settled for item in content.items)


def begin(
    case: Case,
    procedure: Procedure | None,
    *,
    values: Mapping[str, object] | None = None,
    extra: Mapping[str, str] | None = None,
) -> None:
    """Set the procedure of a case that is about to be saved.

    `values`: custom fields by key. `extra`: cells of imported columns that are no member, by
    header.
    """
    content = versions.content_of(procedure)
    case.procedure = procedure
    case.custom_fields = dict(values or {})
    case.extra_columns = dict(extra or {})
    case.open_items = required_items(content)


def required_items(content: Content) -> int:
    return sum(item.required for item in content.items)
