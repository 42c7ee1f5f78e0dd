"""Imports relations to one party from a CSV file.

The file is recorded as a whole or not at all.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from compliance.http import numbers
from reviews.imports import tables
from reviews.intake.batch_files import RefusedFileError, fault_of_width
from reviews.models import Case, Party, PartyRelation
from reviews.models.parties import Source
from reviews.parties import relations, shares, visibility
from reviews.parties.relations import RelationError
from reviews.parties.shares import Share

if TYPE_CHECKING:
    from _csv import Reader

REQUIRED = ("name", "relation")
COLUMNS = (
    *REQUIRED, "party", "party_kind", "share", "votes", "since", "until", "detail",
)  # fmt: skip
MOST_BYTES = 128 << 10
MOST_ROWS = 200
MOST_FAULTS = 20
LONGEST = 400  # characters of a cell
HUNDRED = Decimal(100)


@dataclass(frozen=True, slots=True)
class Row:
    """One relation of the file.

    `line` is its line, counted from 1. `party` is an existing party; without it, `name` is that
    of a new party.
    """

    line: int
    name: str
    kind: str
    party: Party | None
    party_kind: str
    share: Share | None
    votes: Share | None
    since: date | None
    until: date | None
    detail: str

    @property
    def kind_words(self) -> str:
        return str(PartyRelation.Kind(self.kind).label)

    @property
    def share_words(self) -> str:
        return _words(self.share)

    @property
    def votes_words(self) -> str:
        return _words(self.votes)


@dataclass
class Preview:
    """The content of the file.

    If it has `faults`, nothing is recorded; `notes` are only warnings.
    """

    rows: list[Row] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class ImportFileError(ValueError):
    """The file was not recorded. `faults` has the reasons, with their lines."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__(" ".join(faults))
        self.faults = list(faults)


def read(content: bytes, *, held: Party, user: User) -> Preview:
    """Read and check the whole file. Nothing is written."""
    preview = Preview()
    try:
        lines = _lines(content)
    except ImportFileError as exc:
        preview.faults = _first(exc.faults)
        return preview
    # A party in the database by its key, a new one by its name.
    line_by_relation: dict[tuple[int | str, str], int] = {}
    for number, cells in lines:
        try:
            row = _row(number, cells, held, user)
        except RelationError as exc:
            preview.faults.append(
                _("Line %(line)d: %(reason)s") % {"line": number, "reason": exc}
            )
            continue
        # The same party with the same relation must not occur twice.
        holder = row.party.pk if row.party else row.name.casefold()
        if earlier := line_by_relation.get((holder, row.kind)):
            preview.faults.append(
                _("Line %(line)d: the same as line %(earlier)d.")
                % {"line": number, "earlier": earlier}
            )
        line_by_relation[holder, row.kind] = number
        preview.rows.append(row)
    if not lines:
        preview.faults.append(_("The file has no row below its heading."))
    preview.notes = _notes(preview.rows)
    preview.faults = _first(preview.faults)
    return preview


def _first(faults: list[str]) -> list[str]:
    """At most MOST_FAULTS faults, and a sentence with the number of the others."""
    more = len(faults) - MOST_FAULTS
    if more <= 0:
        return faults
    return [*faults[:MOST_FAULTS], _("And %(count)d more.") % {"count": more}]


def _notes(rows: Sequence[Row]) -> list[str]:
    owners = []
    for row in rows:
        if row.kind == PartyRelation.Kind.OWNER:
            owners.append(row.share)
    # The lower ends of the shares: more than 100 % in sum is impossible.
    least = sum((share.low for share in owners if share), Decimal())
    if least > HUNDRED:
        return [
            _("The shares add up to at least %(least)s %%.")
            % {"least": f"{least.normalize():f}"}
        ]
    return []


@transaction.atomic
def record(case: Case, content: bytes, *, held: Party, actor: User) -> int:
    """Record all relations of the file in a case, or none.

    Returns their number. Raises ImportFileError and PermissionDenied.
    """
    preview = read(content, held=held, user=actor)
    if preview.faults:
        raise ImportFileError(preview.faults)
    for row in preview.rows:
        try:
            _add(case, row, held, actor)
        except RelationError as exc:
            raise ImportFileError(
                [_("Line %(line)d: %(reason)s") % {"line": row.line, "reason": exc}]
            ) from exc
    return len(preview.rows)


def _add(case: Case, row: Row, held: Party, actor: User) -> None:
    relations.add(
        case,
        actor=actor,
        held=held,
        kind=row.kind,
        holder=row.party,
        name=row.name,
        holder_kind=row.party_kind,
        share=row.share,
        votes=row.votes,
        since=row.since,
        until=row.until,
        detail=row.detail,
        source=Source.FILE,
    )


def _lines(content: bytes) -> list[tuple[int, Mapping[str, str]]]:
    if len(content) > MOST_BYTES:
        raise ImportFileError(
            [_("The file has more than %(most)d KiB.") % {"most": MOST_BYTES >> 10}]
        )
    try:
        text = tables.text_of(content)
    except RefusedFileError as exc:
        raise ImportFileError(exc.faults) from exc
    heading = text.partition("\n")[0]
    # Excel writes semicolons in many countries, and tabs in "Unicode text".
    delimiter = max(tables.DELIMITERS, key=heading.count)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        return _cells(reader)
    except csv.Error as exc:
        words = _("Line %(line)d: it cannot be read as CSV.") % {
            "line": reader.line_num
        }
        raise ImportFileError([words]) from exc


def _cells(reader: Reader) -> list[tuple[int, Mapping[str, str]]]:
    columns = []
    for name in next(reader, []):
        columns.append(name.strip().casefold())
    faults = _faults_of_columns(columns)
    if faults:
        raise ImportFileError(faults)
    rows: list[tuple[int, Mapping[str, str]]] = []
    for cells in reader:
        if not any(cell.strip() for cell in cells):
            continue
        if fault := _fault_of_row(cells, columns, reader.line_num):
            faults.append(fault)
        rows.append((reader.line_num, dict(zip(columns, cells, strict=False))))
        if len(rows) > MOST_ROWS:
            faults.append(
                _("The file has more than %(most)d rows.") % {"most": MOST_ROWS}
            )
            break
    if faults:
        raise ImportFileError(faults)
    return rows


def _fault_of_row(cells: Sequence[str], columns: Sequence[str], line: int) -> str:
    if len(cells) > len(columns):
        return _("Line %(line)d: more cells than columns.") % {"line": line}
    if fault := fault_of_width(cells, columns):
        return _("Line %(line)s: %(fault)s") % {"line": line, "fault": fault}
    return ""


def _faults_of_columns(columns: Sequence[str]) -> list[str]:
    faults = []
    for required in REQUIRED:
        if required not in columns:
            faults.append(_("A column is missing: %(name)s.") % {"name": required})
    for name in columns:
        if name not in COLUMNS:
            faults.append(
                _("There is no column %(name)s. There are: %(columns)s.")
                % {"name": f"{name[:40]!r}", "columns": ", ".join(COLUMNS)}
            )
    if len(set(columns)) < len(columns):
        faults.append(_("A column is there twice."))
    return faults


def _row(line: int, cells: Mapping[str, str], held: Party, user: User) -> Row:
    """Read and check one row. Raises RelationError."""
    texts = {}
    for name in COLUMNS:
        words = cells.get(name, "").split()
        texts[name] = " ".join(words)
    for name, text in texts.items():
        if len(text) > LONGEST:
            raise RelationError(
                _("%(name)s: more than %(most)d characters.")
                % {"name": name, "most": LONGEST}
            )
    kind = texts["relation"].casefold()
    if kind not in PartyRelation.Kind.values:
        kinds = ", ".join(PartyRelation.Kind.values)
        raise RelationError(_("relation must be one of: %(kinds)s.") % {"kinds": kinds})
    party = _party(texts["party"], user)
    party_kind = texts["party_kind"].casefold() or Party.Kind.PERSON
    if party_kind not in Party.Kind.values:
        kinds = ", ".join(Party.Kind.values)
        raise RelationError(
            _("party_kind must be one of: %(kinds)s.") % {"kinds": kinds}
        )
    if party is None and not texts["name"]:
        raise RelationError(_("enter a name, or the number of a party."))
    row = Row(
        line=line,
        name=texts["name"],
        kind=kind,
        party=party,
        party_kind=party_kind,
        share=_share(texts["share"], "share"),
        votes=_share(texts["votes"], "votes"),
        since=_day(texts["since"], "since"),
        until=_day(texts["until"], "until"),
        detail=texts["detail"],
    )
    # Rules that hold for any relation, whatever its source.
    relations.check(
        held,
        kind=kind,
        holder=party,
        since=row.since,
        until=row.until,
    )
    return row


def _party(text: str, user: User) -> Party | None:
    if not text:
        return None
    rows = Party.objects.select_related("head")
    # No party has the primary key 0.
    party = rows.filter(pk=numbers.parse(text) or 0).first()
    head = party and (party.head or party)
    # A party that the user may not see is reported like one that does not exist.
    if head is None or not visibility.links(user, [head.pk]).exists():
        raise RelationError(
            _("there is no party %(text)s.") % {"text": f"{text[:40]!r}"}
        )
    return head


def _share(text: str, name: str) -> Share | None:
    share = shares.read(text)
    if text and share is None:
        raise RelationError(
            _("%(name)s must be from 0 to 100 %%, such as 25 or 25-50 %%.")
            % {"name": name}
        )
    return share


def _day(text: str, name: str) -> date | None:
    try:
        if text:
            return date.fromisoformat(text)
        return None
    except ValueError as exc:
        raise RelationError(
            _("%(name)s must be a day such as 2026-03-01.") % {"name": name}
        ) from exc


def _words(share: Share | None) -> str:
    if share is None:
        return ""
    low = f"{share.low.normalize():f}"
    high = f"{share.high.normalize():f}"
    if low == high:
        return f"{low} %"
    return _("%(low)s to %(high)s %%") % {"low": low, "high": high}
