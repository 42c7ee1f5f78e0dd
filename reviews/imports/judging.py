"""Judges each row of a file as the form of a new case would, before any case is opened.

A mistake has its line, its column and the cell. A record is what becomes one case: a row, or the rows
of one id where a person has chosen to join them.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from compliance.languages import english
from reviews.imports import columns
from reviews.imports.tables import Row, Table
from reviews.intake.batch_files import COUNTRY_MEMBERS
from reviews.intake.form_fields import LinesField, web
from reviews.intake.forms import FORMS, CaseForm
from reviews.models import Agent, Case, Procedure

MOST_CELL = 120  # characters of a cell that a mistake shows
MOST_LINKS = 20  # documents in one cell
MOST_EXTRA = 2_000  # characters of a cell of a column that is kept
# A form reads only words that its own page would send.
_BOOLEANS = {"yes": "true", "y": "true", "1": "true", "no": "false", "n": "false", "0": "false"}  # fmt: skip
_TAKEN_AT_ONCE = 500
MOST_LINES = 5  # that a mistake names


@dataclass(frozen=True)
class Fault:
    """A mistake. `column` is the header of the file, "" where the row as a whole is wrong; `label` is
    what the desk calls the member."""

    line: int
    column: str
    label: str
    cell: str
    words: str


@dataclass
class Record:
    """What becomes one case, once the form has accepted it."""

    lines: list[int]
    cells: dict[str, str]
    # Of each member the line that it is from.
    line_of: dict[str, int]
    faults: list[Fault] = field(default_factory=list)
    subject: str = ""
    country: str = ""
    data: dict[str, object] = field(default_factory=dict)
    links: list[tuple[str, str]] = field(default_factory=list)
    procedure: Procedure | None = None
    custom_fields: dict[str, object] = field(default_factory=dict)
    # Cells of columns that mean no member of a case, by their headers.
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def reference(self) -> str:
        return self.cells.get(columns.ID, "")


class Judge:
    """Judges the rows of a table by a mapping of its columns to members of a case."""

    def __init__(
        self, table: Table, mapping: Sequence[str], *, agent: Agent, actor: User
    ) -> None:
        self.table = table
        self.mapping = mapping
        self.agent = agent
        self.actor = actor
        self.documents = columns.document_members(agent.kind)
        self.header_of: dict[str, str] = {}
        for header, member in zip(table.columns, mapping, strict=True):
            self.header_of.setdefault(member, header)
        self.labels = columns.labels(agent.kind)
        self._choices: dict[str, dict[str, str]] = {}
        self._url = web(_("A document"))

    def faults_of_columns(self) -> list[str]:
        """What is wrong with the mapping itself, in words."""
        taken = [member for member in self.mapping if member != columns.KEPT]
        counts = Counter(member for member in taken if member)
        if not counts:
            return [_("No column is taken. Choose what the columns mean.")]
        faults = []
        for member in sorted(counts):
            if counts[member] > 1:
                label = self.labels[member]
                faults.append(
                    _("Two columns mean “%(label)s”. Choose one of them.")
                    % {"label": label}
                )
        return faults

    def records(self, *, joins_rows: bool) -> list[Record]:
        """All records in the order of their first lines, judged. Does not ask for earlier cases."""
        records = []
        for row in self.table.rows:
            records.append(self._record(row))
        if joins_rows:
            records = self._joined(records)
        else:
            self._refuse_repeated(records)
        form = self._form()
        for record in records:
            if not record.faults:
                self._judge(record, form)
        return records

    def refuse_taken(self, records: Iterable[Record]) -> None:
        """Add a fault to each record whose id is that of an earlier case of the connection."""
        by_reference = {}
        for item in records:
            if item.reference:
                by_reference[item.reference] = item
        references = list(by_reference)
        cases = Case.objects.filter(connection=self.agent.connection_id)
        words = _("There is a case of this id already.")
        for start in range(0, len(references), _TAKEN_AT_ONCE):
            end = start + _TAKEN_AT_ONCE
            earlier = cases.filter(reference__in=references[start:end])
            for reference in earlier.values_list("reference", flat=True):
                record = by_reference[reference]
                fault = self._fault(record, columns.ID, words)
                record.faults.append(fault)

    def _form(self) -> CaseForm:
        """A form for all rows, one after the other."""
        form = FORMS[self.agent.kind]({}, actor=self.actor)
        for name, form_field in form.fields.items():
            if isinstance(form_field, forms.ChoiceField) and name != "agent":
                # A copy: forms share their fields. The list of all countries is made once for the
                # file, and not for each row.
                form_field = copy.deepcopy(form_field)
                form_field.choices = _choices_of(form_field)
                form.fields[name] = form_field
        return form

    def _record(self, row: Row) -> Record:
        cells = {}
        extra: dict[str, str] = {}
        headers = self.table.columns
        for header, member, cell in zip(headers, self.mapping, row.cells, strict=False):
            if member == columns.KEPT and cell:
                extra[_free(header, extra)] = cell[:MOST_EXTRA]
            elif member and cell:
                cells[member] = cell
        record = Record([row.line], cells, dict.fromkeys(cells, row.line), extra=extra)
        if row.fault:
            record.faults.append(Fault(row.line, "", "", "", row.fault))
        return record

    def _refuse_repeated(self, records: Iterable[Record]) -> None:
        """Two rows of one id would become one case with the data of two subjects."""
        by_reference: dict[str, list[Record]] = {}
        for record in records:
            if record.reference:
                group = by_reference.setdefault(record.reference, [])
                group.append(record)
        for group in by_reference.values():
            for record in group:
                others = []
                for item in group:
                    if item is not record:
                        others.append(str(item.lines[0]))
                if not others:
                    continue
                lines = ", ".join(others[:MOST_LINES])
                words = _(
                    "The same id is on line %(lines)s, too. Give each case its own id, or "
                    "have the rows of one id joined."
                ) % {"lines": lines}
                fault = self._fault(record, columns.ID, words)
                record.faults.append(fault)

    def _joined(self, records: Iterable[Record]) -> list[Record]:
        """One record for the rows of one id. Rows that contradict each other are a mistake."""
        joined: list[Record] = []
        by_reference: dict[str, Record] = {}
        for record in records:
            first = by_reference.get(record.reference)
            if first is None:
                joined.append(record)
                if record.reference:
                    by_reference[record.reference] = record
            else:
                self._join(first, record)
        return joined

    def _join(self, first: Record, other: Record) -> None:
        first.faults += other.faults
        for member, cell in other.cells.items():
            [line] = other.lines
            before = first.cells.get(member)
            if before is None:
                first.cells[member] = cell
                first.line_of[member] = line
            elif member in self.documents:
                first.cells[member] = f"{before} {cell}"
            elif before != cell:
                words = _("Line %(line)s of the same case has another value.") % {
                    "line": first.line_of[member]
                }
                fault = self._fault(other, member, words)
                first.faults.append(replace(fault, line=line))
        for header, cell in other.extra.items():
            if first.extra.get(header) != cell:
                first.extra[_free(header, first.extra)] = cell
        first.lines += other.lines

    def _judge(self, record: Record, form: CaseForm) -> None:
        values = {"agent": str(self.agent.pk), "reference": record.reference}
        for member, cell in record.cells.items():
            if member in self.documents:
                self._add_links(record, member, cell)
            elif member != columns.ID:
                values[member] = self._typed(form, member, cell)
        form.data = values
        form.full_clean()
        for name, errors in form.errors.as_data().items():
            if name == "reference":
                member = columns.ID
            else:
                member = name
            form_field = form.fields.get(name)
            for error in errors:
                words = _words(form_field, member, error)
                fault = self._fault(record, member, words)
                record.faults.append(fault)
        if record.faults:
            return
        record.data = form.self_attested_data()
        record.subject = form.subject()
        record.country = form.country()
        record.procedure = form.procedure
        record.custom_fields = form.custom_values()

    def _add_links(self, record: Record, member: str, cell: str) -> None:
        urls = list(dict.fromkeys(cell.split()))
        if len(urls) > MOST_LINKS:
            words = _("A case has at most %(most)d documents of a kind.") % {
                "most": MOST_LINKS
            }
            record.faults.append(self._fault(record, member, words))
            return
        for text in urls:
            try:
                url = str(self._url.clean(text))
                record.links.append((member, url))
            except forms.ValidationError:
                words = _(
                    "Documents are addresses such as https://example.com/a.pdf, separated by blanks."
                )
                record.faults.append(self._fault(record, member, words))
                return

    def _typed(self, form: CaseForm, member: str, cell: str) -> str:
        """The cell as the page of the form would send it."""
        form_field = form.fields[member]
        if isinstance(form_field, LinesField):
            return cell.replace(";", "\n")
        if isinstance(form_field, forms.ChoiceField):
            return self._names_of(member, form_field).get(cell.casefold(), cell)
        return cell

    def _names_of(self, member: str, form_field: forms.ChoiceField) -> dict[str, str]:
        """The values of a choice by what a cell may call them, in lower case."""
        if member not in self._choices:
            names = dict(_names_of(form_field))
            if isinstance(form_field, forms.TypedChoiceField):
                names |= _BOOLEANS
            self._choices[member] = names
        return self._choices[member]

    def _fault(self, record: Record, member: str, words: str) -> Fault:
        line = record.line_of.get(member, record.lines[0])
        header = self.header_of.get(member, "")
        label = self.labels.get(member, "")
        cell = record.cells.get(member, "")
        return Fault(line, header, label, cell[:MOST_CELL], words)


def _free(header: str, extra: Mapping[str, str]) -> str:
    """The header, or with a number where a column of that name is kept already."""
    name, number = header, 2
    while name in extra:
        name = f"{header} ({number})"
        number += 1
    return name


def _words(
    form_field: forms.Field | None, member: str, error: forms.ValidationError
) -> str:
    """What is wrong, without the cell: the words are kept longer than the file."""
    if error.code != "invalid_choice" or not isinstance(form_field, forms.ChoiceField):
        return " ".join(error.messages)
    if member.rpartition(".")[2] in COUNTRY_MEMBERS:
        return _("A country is a two-letter code such as US, or its English name.")
    if member == "agent":
        return _("This agent can no longer be chosen.")
    names = []
    for value, label in _choices_of(form_field):
        if value:
            names.append(label)
    return _("It is one of: %(names)s.") % {"names": ", ".join(names)}


@english()
def _choices_of(form_field: forms.ChoiceField) -> list[tuple[str, str]]:
    # In English, on a page as in the worker: the same cell means the same.
    pairs: Any = form_field.choices
    return [(str(value), str(label)) for value, label in pairs]


def _names_of(form_field: forms.ChoiceField) -> Iterator[tuple[str, str]]:
    """Each choice by its value, by its label, and by its label without the code behind it."""
    for value, label in _choices_of(form_field):
        if value:
            yield value.casefold(), value
            yield label.casefold(), value
            yield label.removesuffix(f" ({value})").casefold(), value
