"""Form fields that refuse what the database cannot hold, as the interfaces do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.forms.fields import InvalidJSONInput

from compliance.http import numbers

if TYPE_CHECKING:
    Choices = forms.ModelMultipleChoiceField[Model]
else:
    Choices = forms.ModelMultipleChoiceField


class JSONField(forms.JSONField):
    """Takes what can be stored and sent again.

    Django's own field takes NaN and text with U+0000, and fails with thousands of digits or levels.
    """

    def to_python(self, value: object) -> Any:
        if not isinstance(value, str) or not value.strip():
            return super().to_python(value)
        # Imported here: a worker that reads forms needs no REST framework.
        from compliance.http.api import json_bodies

        try:
            content = orjson.loads(value)
            json_bodies.refuse_what_cannot_be_kept({"": content})
            if isinstance(content, dict):
                json_bodies.refuse_repeated_members(value.encode(), content)
        # A JSONDecodeError of orjson is a ValueError, also for lone surrogates.
        except (ValueError, json_bodies.Unreadable) as exc:
            raise ValidationError(
                self.error_messages["invalid"], code="invalid"
            ) from exc
        return content

    def bound_data(self, data: object, initial: object) -> object:
        """What was typed, to show it again."""
        try:
            return super().bound_data(data, initial)
        except (ValueError, RecursionError):
            return InvalidJSONInput(data)


class RowChoices(Choices):
    """Several rows by their numbers. Django's own field fails with more digits than a column holds."""

    def clean(self, value: list[str] | None) -> QuerySet[Model]:
        for text in value or ():
            if numbers.parse(str(text)) is None:
                raise ValidationError(
                    self.error_messages["invalid_pk_value"],
                    code="invalid_pk_value",
                    params={"pk": str(text)[:20]},
                )
        return super().clean(value)
