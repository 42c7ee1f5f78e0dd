"""Masks personal columns that are not encrypted, where values are hidden.

Encrypted columns and files mask themselves: see compliance.db.masks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.db import models

from compliance.db import masks
from compliance.security.personal_fields import is_personal

# Tables about staff, and about published lists: nobody in them is under review. Any other table is
# masked by default, so a new table is safe.
OPEN_TABLES = frozenset(
    [
        "account.EmailAddress",
        "agenthub.AddressEntry",
        "agenthub.HeldVersion",
        "agenthub.ListEntity",
        "agenthub.ListIdentifier",
        "agenthub.ListName",
        "agenthub.RegistryCompany",
        "approvals.Line",
        "approvals.Proposal",
        "auth.User",
        "compliance.DirectoryUser",
        "reviews.ApiToken",
        "reviews.CaseEvent",
        "reviews.Read",
        # Views saved by the person or by the team.
        "reviews.SavedView",
        "socialaccount.SocialAccount",
        "usersessions.UserSession",
    ]
)
# Hashes and countries: rows are looked up by them, and no page shows them as a name.
OPEN_COLUMNS = frozenset(
    [
        "agenthub.AgentJob.fact_key",
        "agenthub.AgentJob.subject_key",
        "agenthub.DocumentPrint.subject_name",
        "agenthub.DocumentPrint.subject_number",
        "agenthub.DocumentPrint.value",
        "agenthub.SubjectMark.value",
        "reviews.CheckResult.subject",
        "reviews.Dismissal.key",
        "reviews.HitLabel.key",
        "reviews.Identifier.digest",
        "reviews.PartyStatement.digest",
        "reviews.PartyStatement.issuer",
        "reviews.ValueChoice.key",
    ]
)
# The personal columns declared so far, as "app.Model.column".
_columns: set[str] = set()
_TEXTS = (models.CharField, models.TextField, models.JSONField)


def hide(table: str, columns: Iterable[Any]) -> None:
    """Mask the personal columns of a table ("app.Model") while values are hidden."""
    if table in OPEN_TABLES:
        return
    for column in columns:
        _columns.add(f"{table}.{column.name}")
        is_text = isinstance(column, _TEXTS) and not is_personal(column)
        if is_text and f"{table}.{column.name}" not in OPEN_COLUMNS:
            # Keep the column's own conversion, which must run before the mask.
            before = getattr(column, "from_db_value", None)
            column.from_db_value = _Reading(before)


def names_hidden(model: type[models.Model], lookup: str) -> bool:
    """Whether a lookup such as "case__subject__startswith" leads to a column that can be hidden.

    Filtering by a hidden column reveals its content even if the column is never shown."""
    current: Any = model
    for part in lookup.split("__"):
        if current is None:
            break
        try:
            field = current._meta.get_field(part)
        except FieldDoesNotExist:
            # The part is a comparison such as "startswith", or a reverse relation.
            field = _by_query_name(current, part)
        if field is None:
            break
        label = f"{current._meta.label}.{field.name}"
        if label in _columns and label not in OPEN_COLUMNS:
            return True
        current = field.related_model
    return False


def _by_query_name(model: type[models.Model], name: str) -> Any:
    for relation in model._meta.related_objects:
        if relation.name == name:
            return relation
    return None


class _Reading:
    """Replaces a column's `from_db_value`, which Django calls with each value that it reads."""

    def __init__(self, before: Any) -> None:
        self.before = before

    def __call__(self, value: Any, expression: Any, connection: Any) -> Any:
        if self.before is not None:
            value = self.before(value, expression, connection)
        return masks.apply(value)
