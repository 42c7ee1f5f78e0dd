"""The choices of people among the candidates of unsure fields, and their corrections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import QuerySet

from reviews import results
from reviews.findings.values import keyed_hashes
from reviews.models import Case, ValueChoice
from reviews.results.details import comparison
from reviews.results.kinds import State

# A choice settles a field if its value is in one of these states.
_IN_ORDER = frozenset({"equal", "not_attested"})


@dataclass(frozen=True)
class Field:
    """A field of a document, as a part of the effective result states it."""

    key: str
    part: results.Part
    row: results.Comparison


class ValueChoices:
    """The fields of a case by their keys, and the choices that stand."""

    def __init__(self, case: Case, parts: Sequence[results.Part]) -> None:
        self._case = case
        # By the `id()` of the row. The keys are hashed when they are asked for: a case of many
        # documents has hundreds of fields, and few or none with a choice.
        self._rows: dict[int, tuple[results.Part, results.Comparison]] = {}
        self._keys: dict[int, str] = {}
        for part in parts:
            for row in part.findings:
                if isinstance(row, results.Comparison):
                    self._rows[id(row)] = part, row
        self._choices: dict[str, ValueChoice] = {}
        if self._rows:
            rows = standing(case).select_related("by")
            for choice in rows:
                self._choices[choice.key] = choice

    @cached_property
    def _fields(self) -> dict[str, Field]:
        fields = {}
        for part, row in self._rows.values():
            key = self.key(row)
            fields[key] = Field(key, part, row)
        return fields

    def key(self, row: object) -> str:
        """The key of a field; empty if the finding is none."""
        place = id(row)
        if place not in self._rows:
            return ""
        if place not in self._keys:
            part, own = self._rows[place]
            self._keys[place] = key_of(self._case, part.document, own)
        return self._keys[place]

    def field(self, key: str) -> Field | None:
        return self._fields.get(key)

    def get(self, row: object) -> ValueChoice | None:
        if not self._choices:
            return None
        return self._choices.get(self.key(row))

    def state(self, row: results.Comparison) -> State | None:
        """How the chosen value compares with what was attested; None without a choice."""
        choice = self.get(row)
        if choice is None:
            return None
        state, _, _ = comparison.compare(row.expected, choice.value)
        return state

    def settles(self, row: object) -> bool:
        """Whether the choice leaves nothing to ask: the field was unsure, or differed by a
        misreading, and the chosen value agrees with what was attested.
        """
        if not isinstance(row, results.Comparison):
            return False
        if not row.is_unsure and row.state != "differs":
            return False
        # A value at an edited place stays a finding, whatever it says.
        return row.state != "altered" and self.state(row) in _IN_ORDER

    def is_absent(self, row: object) -> bool:
        """Whether a person said that the document states no such value."""
        choice = self.get(row)
        return choice is not None and choice.kind == ValueChoice.Kind.ABSENT

    def contradicts(self, row: object) -> bool:
        """Whether the chosen value differs from what was attested."""
        return isinstance(row, results.Comparison) and self.state(row) == "differs"


def key_of(case: Case, document: str, row: results.Comparison) -> str:
    """The identity of a field and of what was offered, as a keyed hash.

    Where a later run offers something else, an earlier choice does not count.
    """
    return keyed_hashes.of([str(case.pk), document, row.field, *row.offered])


def standing(case: Case) -> QuerySet[ValueChoice]:
    return ValueChoice.objects.filter(case=case, ended_at=None)
