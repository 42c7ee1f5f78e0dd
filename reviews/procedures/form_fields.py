"""The custom fields of a procedure as Django form fields, and their values as a case stores
them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from compliance.languages import number
from reviews.procedures.content import Content, FieldSpec

# Prefix of the form field's name, so that it cannot clash with a member of the attested data.
PREFIX = "custom."
LONGEST_TEXT = 1_000
# A number with at most 15 digits is exact in JSON, in databases and in browsers.
DIGITS, PLACES = 15, 6
FIRST_YEAR, LAST_YEAR = 1600, 2400
_YES, _NO = "true", "false"


class _DayField(forms.DateField):
    """A date between the years 1600 and 2400. Future dates are allowed."""

    def validate(self, value: date | None) -> None:
        super().validate(value)
        if value and not FIRST_YEAR <= value.year < LAST_YEAR:
            words = _("%(label)s must be between %(first)d and %(last)d.") % {
                "label": self.label,
                "first": FIRST_YEAR,
                "last": LAST_YEAR,
            }
            raise forms.ValidationError(words)


def name_of(spec: FieldSpec) -> str:
    return f"{PREFIX}{spec.key}"


def fields_of(content: Content) -> dict[str, forms.Field]:
    """Form fields by name."""
    return {name_of(spec): _field(spec) for spec in content.fields}


def _field(spec: FieldSpec) -> forms.Field:
    label = spec.label
    options: dict[str, Any] = {
        "label": label,
        "required": spec.required,
        "help_text": spec.help,
    }
    required = {"required": _("%(label)s: a value is needed.") % {"label": label}}
    # data-wire tells the page's script which JSON type the REST interface expects.
    if spec.type == "number":
        return forms.DecimalField(
            **options,
            max_digits=DIGITS,
            decimal_places=PLACES,
            widget=forms.TextInput(
                attrs={
                    "inputmode": "decimal",
                    "autocomplete": "off",
                    "data-wire": "number",
                }
            ),
            error_messages={
                **required,
                "invalid": _("%(label)s must be a number.") % {"label": label},
            },
        )
    if spec.type == "date":
        return _DayField(
            **options,
            input_formats=["%Y-%m-%d"],
            widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
            error_messages={
                **required,
                "invalid": _("%(label)s must be a day such as 2026-03-28.")
                % {"label": label},
            },
        )
    if spec.type in {"choice", "yes_no"}:
        return _choice(spec, options, required)
    # Every other type is a text.
    return forms.CharField(
        **options,
        max_length=LONGEST_TEXT,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={
            **required,
            "max_length": _("%(label)s may have at most %(most)s characters.")
            % {"label": label, "most": number(LONGEST_TEXT)},
        },
    )


def _choice(
    spec: FieldSpec, options: Mapping[str, Any], messages: Mapping[str, str]
) -> forms.Field:
    pairs = [("", _("Choose a value"))]
    is_choice = spec.type == "choice"
    if is_choice:
        pairs += [(value, value) for value in spec.choices]
        return forms.ChoiceField(**options, choices=pairs, error_messages=messages)
    # A select with three options, because a checkbox could not say "no answer".
    pairs += [(_YES, _("Yes")), (_NO, _("No"))]
    return forms.TypedChoiceField(
        **options,
        choices=pairs,
        coerce=lambda value: value == _YES,
        empty_value=None,
        widget=forms.Select(attrs={"data-wire": "boolean"}),
        error_messages=messages,
    )


def stored(content: Content, cleaned: Mapping[str, object]) -> dict[str, object]:
    """The cleaned values of a form as plain JSON, by field key. Empty values are left out."""
    values = {}
    for spec in content.fields:
        value = cleaned.get(name_of(spec))
        if value is None or value == "":
            continue
        values[spec.key] = _plain(value)
    return values


def _plain(value: object) -> object:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        # Whole numbers are stored as integers, so 5 does not become 5.0.
        whole = int(value)
        if whole == value:
            return whole
        return float(value)
    return value


def typed(spec: FieldSpec, value: object) -> str:
    """The text that a user would enter for this value. Raises ValueError if the type does not
    fit.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        if spec.type != "yes_no":
            raise ValueError(_("It is no yes or no."))
        return _YES if value else _NO
    if isinstance(value, int | float):
        if spec.type != "number":
            raise ValueError(_("It must be a text."))
        # repr() gives the shortest exact form; "f" avoids an exponent.
        return format(Decimal(repr(value)), "f")
    if not isinstance(value, str):
        raise ValueError(_("It must be one value."))
    return value


def words(spec: FieldSpec, value: object) -> str:
    """A value as text for users; "" for no value."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        if value:
            return _("Yes")
        return _("No")
    if isinstance(value, float):
        return format(Decimal(repr(value)), "f")
    return str(value)


class ValuesForm(forms.Form):
    """A form with only the custom fields, for the page of a case."""

    def __init__(
        self,
        content: Content,
        data: Mapping[str, object] | None = None,
        *,
        initial: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(data, initial=dict(initial or {}))
        self.content = content
        for name, field in fields_of(content).items():
            # An open case may still lack values. The decision checks that required fields are
            # filled.
            field.required = False
            self.fields[name] = field

    @property
    def faults(self) -> list[str]:
        faults: list[str] = []
        for errors in self.errors.values():
            faults += [str(error) for error in errors]
        return faults

    def values(self) -> dict[str, object]:
        return stored(self.content, self.cleaned_data)


def initial(content: Content, values: Mapping[str, object]) -> dict[str, object]:
    """The stored values as initial data of the form. Values that no longer fit are left empty."""
    values_of_form: dict[str, object] = {}
    for spec in content.fields:
        value = values.get(spec.key)
        name = name_of(spec)
        values_of_form[name] = ""
        if _fits(spec, value):
            values_of_form[name] = typed(spec, value)
    return values_of_form


def _fits(spec: FieldSpec, value: object) -> bool:
    try:
        typed(spec, value)
    except ValueError:
        return False
    return True


def missing(content: Content, values: Mapping[str, object]) -> Sequence[FieldSpec]:
    """The required fields without a value."""
    return [spec for spec in content.fields if spec.required and spec.key not in values]
