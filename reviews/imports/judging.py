"""Validates each row of a file with the form of a new case, before any case is opened.

A fault names its line, column and cell. A record becomes one case. It is one row, or all rows with
the same id if the user chose to join them.
"""

from __future__ import annotations

import copy
import re
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
from reviews.intake.parties import rows as party_rows
from reviews.models import Agent, Case, Procedure

MOST_CELL = 120  # characters of a cell that a fault shows
MOST_LINKS = 20  # documents in one cell
MOST_EXTRA = 2_000  # characters of a cell that is stored under its header
# The form accepts only "true" and "false" for a boolean, as its own page sends them.
_BOOLEANS = {"yes": "true", "y": "true", "1": "true", "no": "false", "n": "false", "0": "false"}  # fmt: skip
# Spreadsheets of many countries write days as 28.03.2023. It is always the day before the month,
# unlike in 03/04/2023, which is refused.
_DOTTED_DAY = re.compile(r"^([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})$")
# What spreadsheets write in place of a value: an error, or a long number with most of its digits gone.
_REPLACED = re.compile(
    r"#(?:REF!|NAME\?|N/A|VALUE!|DIV/0!|NUM!|NULL!)|[0-9](?:[.,][0-9]+)?E\+[0-9]{2,}"
)
# Ids in one query.
_TAKEN_AT_ONCE = 500
MOST_LINES = 5  # lines that a fault names


@dataclass(frozen=True)
class Fault:
    """A mistake in the file.

    `column` is the header in the file, or "" if the whole row is wrong. `label` is the desk's label
    of the member. `cell` is the start of the cell.
    """

    line: int
    column: str
    label: str
    cell: str
    words: str


@dataclass
class Record:
    """The rows of one case: cells as read, and the fields that the form fills once it is valid."""

    lines: list[int]
    cells: dict[str, str]
    # The line that each member was read from.
    line_of: dict[str, int]
    faults: list[Fault] = field(default_factory=list)
    subject: str = ""
    country: str = ""
    data: dict[str, object] = field(default_factory=dict)
    links: list[tuple[str, str]] = field(default_factory=list)
    procedure: Procedure | None = None
    custom_fields: dict[str, object] = field(default_factory=dict)
    # Cells of columns that are no member of a case, by header.
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def reference(self) -> str:
        return self.cells.get(columns.ID, "")


class Judge:
    """Validates the rows of a table. `mapping` gives the member for each column."""

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
        """What is wrong with the mapping itself, as sentences."""
        members = [member for member in self.mapping if member != columns.KEPT]
        counts = Counter(member for member in members if member)
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
        """All records with their faults, in the order of their first lines.

        It does not look for earlier cases with the same id: see refuse_taken.
        """
        records = []
        for row in self.table.rows:
            records.append(self._record(row))
        # A line that is not a row has no cells to validate. Every other mistake is shown at once:
        # whoever corrects an id should not find the next mistake only afterwards.
        readable = [record for record in records if not record.faults]
        if joins_rows:
            records = self._joined(records)
            readable = [record for record in records if not record.faults]
        else:
            self._refuse_repeated(records)
        form = self._form()
        for record in readable:
            self._refuse_replaced(record)
            self._judge(record, form)
        return records

    def refuse_taken(self, records: Iterable[Record]) -> None:
        """Add a fault to each record whose id belongs to an earlier case of the connection."""
        # One record per id: repeated ids have a fault already.
        by_reference = {}
        for item in records:
            if item.reference:
                by_reference[item.reference] = item
        references = list(by_reference)
        cases = Case.objects.filter(connection=self.agent.connection_id)
        words = _("There is a case of this id already.")
        # In batches, because databases limit the number of parameters.
        for start in range(0, len(references), _TAKEN_AT_ONCE):
            end = start + _TAKEN_AT_ONCE
            earlier = cases.filter(reference__in=references[start:end])
            for reference in earlier.values_list("reference", flat=True):
                record = by_reference[reference]
                fault = self._fault(record, columns.ID, words)
                record.faults.append(fault)

    def _form(self) -> CaseForm:
        """One form that is reused for all rows."""
        blank = {party_rows.ROWS: str(columns.PARTIES)}
        form = FORMS[self.agent.kind](blank, actor=self.actor)
        for name, form_field in form.fields.items():
            if isinstance(form_field, forms.ChoiceField) and name != "agent":
                # Copied, because forms share the fields of their class. The list of countries is
                # computed once per file instead of once per row.
                form_field = copy.deepcopy(form_field)
                form_field.choices = _choices_of(form_field)
                form.fields[name] = form_field
        return form

    def _record(self, row: Row) -> Record:
        cells = {}
        # Cells of columns that are kept under their header.
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
        """Add a fault to rows that share an id. As one case they would mix two subjects."""
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
        """Merge the rows of each id into one record. Rows that contradict each other are a
        fault.
        """
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
        # A row may add members, but must not contradict the rows before it.
        for member, cell in other.cells.items():
            [line] = other.lines
            before = first.cells.get(member)
            if before is None:
                first.cells[member] = cell
                first.line_of[member] = line
            # A case may have several documents of a kind, so their URLs are collected.
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

    def _refuse_replaced(self, record: Record) -> None:
        words = _(
            "The spreadsheet has replaced this value. Format the column as text, and save the file again."
        )
        for member, cell in record.cells.items():
            if _REPLACED.fullmatch(cell):
                record.faults.append(self._fault(record, member, words))

    def _judge(self, record: Record, form: CaseForm) -> None:
        # The form expects the values of its page.
        values = {"agent": str(self.agent.pk), "reference": record.reference}
        for member, cell in record.cells.items():
            if member in self.documents:
                self._add_links(record, member, cell)
            elif member != columns.ID:
                values[member] = self._typed(form, member, cell)
                self._add_role(values, member)
        # The form is bound again for each record, as if its page had sent it.
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

    def _add_role(self, values: dict[str, str], member: str) -> None:
        """A column "Director 2" states the role of whom it names. A column of roles says it better."""
        row, _, last = member.rpartition(".")
        role = columns.role_of(self.header_of.get(member, ""))
        if row.startswith(party_rows.PREFIX) and last == "name" and role:
            values.setdefault(f"{row}.role", role)

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
        """The cell in the format that the form's own page would send."""
        form_field = form.fields[member]
        if isinstance(form_field, forms.DateField):
            return _DOTTED_DAY.sub(r"\3-\2-\1", cell)
        if isinstance(form_field, LinesField):
            return cell.replace(";", "\n")
        if isinstance(form_field, forms.ChoiceField):
            # Accept the label of an option as well as its value.
            return self._names_of(member, form_field).get(cell.casefold(), cell)
        return cell

    def _names_of(self, member: str, form_field: forms.ChoiceField) -> dict[str, str]:
        """Label in lower case → value, for the options of a choice field."""
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
    """The header, with a number added if that name is used already."""
    name, number = header, 2
    while name in extra:
        name = f"{header} ({number})"
        number += 1
    return name


def _words(
    form_field: forms.Field | None, member: str, error: forms.ValidationError
) -> str:
    """The message of a fault. It never quotes the cell, because it is stored longer than the
    file.
    """
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
    # Always in English, on a page as in a worker, so that a cell means the same in both.
    pairs: Any = form_field.choices
    return [(str(value), str(label)) for value, label in pairs]


def _names_of(form_field: forms.ChoiceField) -> Iterator[tuple[str, str]]:
    """Pairs (name, value): the value, its label, and the label without the code in parentheses."""
    for value, label in _choices_of(form_field):
        if value:
            yield value.casefold(), value
            yield label.casefold(), value
            yield label.removesuffix(f" ({value})").casefold(), value
