"""A form field for several rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet

from compliance.http import numbers

if TYPE_CHECKING:
    Field = forms.ModelMultipleChoiceField[Model]
else:
    Field = forms.ModelMultipleChoiceField


class RowChoices(Field):
    """Its rows have numbers. Django's own field fails with more digits than the database holds."""

    def clean(self, value: list[str] | None) -> QuerySet[Model]:
        for text in value or ():
            if numbers.parse(str(text)) is None:
                words = self.error_messages["invalid_pk_value"]
                raise ValidationError(
                    words, code="invalid_pk_value", params={"pk": str(text)[:20]}
                )
        return super().clean(value)
