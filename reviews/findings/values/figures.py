"""How fields were read, by kind of document: unsure ones and how people settled them, and values
that people corrected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from dataclasses import field as dataclass_field

from django.contrib.auth.models import User
from django.db.models import Count, Q

from reviews import results
from reviews.access import roles
from reviews.models import Document, FieldReading, ValueChoice


@dataclass
class FieldFigures:
    """The counts of one field of one kind of document.

    `given` counts the documents whose value was given, `unsure` those that offered candidates.
    `settled` counts the choices that stand, by kind.
    """

    kind: str
    field: str
    given: int = 0
    unsure: int = 0
    settled: Counter[str] = dataclass_field(default_factory=Counter)

    @property
    def kind_words(self) -> str:
        return str(Document.Kind(self.kind).label)

    @property
    def label(self) -> str:
        return results.label(self.field)

    @property
    def first(self) -> int:
        return self.settled[ValueChoice.Kind.FIRST]

    @property
    def other(self) -> int:
        return self.settled[ValueChoice.Kind.OTHER]

    @property
    def none(self) -> int:
        return self.settled[ValueChoice.Kind.NONE]

    @property
    def absent(self) -> int:
        return self.settled[ValueChoice.Kind.ABSENT]

    @property
    def corrected(self) -> int:
        return self.settled[ValueChoice.Kind.CORRECTED]


def visible(user: User) -> list[FieldFigures]:
    """The figures over the cases that the user may see. A field that was never unsure and never
    corrected is left out.
    """
    rows: dict[tuple[str, str], FieldFigures] = {}
    readings = roles.only_visible(
        user, FieldReading.objects.all(), "document__case__connection"
    )
    by_field = readings.order_by().values("document__kind", "field")
    reading_counts = by_field.annotate(
        given=Count("pk", filter=Q(candidates=0)),
        unsure=Count("pk", filter=Q(candidates__gt=0)),
    )
    for count in reading_counts:
        row = _row(rows, count["document__kind"], count["field"])
        row.given = count["given"]
        row.unsure = count["unsure"]
    choices = roles.only_visible(
        user,
        ValueChoice.objects.filter(ended_at=None, document__isnull=False),
        "case__connection",
    )
    by_kind = choices.order_by().values("document__kind", "field", "kind")
    for choice in by_kind.annotate(count=Count("pk")):
        row = _row(rows, choice["document__kind"], choice["field"])
        row.settled[choice["kind"]] = choice["count"]
    return _worth_showing(rows.values())


def _row(
    rows: dict[tuple[str, str], FieldFigures], kind: str, name: str
) -> FieldFigures:
    return rows.setdefault((kind, name), FieldFigures(kind, name))


def _worth_showing(rows: Iterable[FieldFigures]) -> list[FieldFigures]:
    figures = [row for row in rows if row.unsure or row.settled]
    figures.sort(key=lambda row: (row.kind, row.field))
    return figures
