"""A form field for JSON, with the limits of the interfaces."""

from __future__ import annotations

import orjson
from django import forms
from django.core.exceptions import ValidationError


class JSONField(forms.JSONField):
    """Takes what can be stored and sent again.

    Django's own field takes NaN and text with U+0000, and fails with thousands of digits or levels.
    """

    def to_python(self, value: object) -> object:
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
