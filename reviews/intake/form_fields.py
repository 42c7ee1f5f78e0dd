"""The kinds of form fields that describe a case, with their error messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any, Self

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.forms.utils import flatatt
from django.utils.datastructures import MultiValueDict
from django.utils.functional import lazy
from django.utils.html import format_html, format_html_join
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.http.api.form_fields import JSONField
from compliance.languages import current, number
from compliance.pages.phrases import filled, in_sentence
from compliance.storage import file_types
from papers import countries
from reviews.models import ID_PICTURES, Document

if TYPE_CHECKING:
    from django.forms.renderers import BaseRenderer
    from django.utils.safestring import SafeString
    from django_stubs_ext import StrOrPromise

Upload = UploadedFile[bytes]
# The files of a form by the name of their field.
Uploads = MultiValueDict[str, Upload]

LONGEST_TEXT = 1_000
LONGEST_PROSE = 10_000
# As many as a service takes.
MOST_LINES = 1_000
LONGEST_LINE = 2_048
ONE_A_LINE = gettext_lazy("One per line.")
TOO_LONG = gettext_lazy("%(label)s may have at most %(most)s characters.")
TOO_MANY_LINES = gettext_lazy("%(label)s may have at most %(most)s lines.")
TOO_LONG_LINE = gettext_lazy(
    "Each line of %(label)s may have at most %(most)s characters."
)
# The label in the form that it has within a sentence.
nouns = lazy(in_sentence, str)
numbers = lazy(number, str)


@dataclass(frozen=True)
class Cell:
    """A field and its width in the row:

    "sixth", "third", "two-thirds" or "full"; default: half.
    """

    name: str
    field: forms.Field
    size: str = ""


@dataclass(frozen=True)
class Section:
    key: str
    title: StrOrPromise
    icon: str
    cells: tuple[Cell, ...]
    note: StrOrPromise = ""
    folded: bool = False


def text(
    label: StrOrPromise,
    *,
    required: bool = False,
    help_text: StrOrPromise = "",
    **attrs: str,
) -> forms.Field:
    return forms.CharField(
        label=label,
        required=required,
        max_length=LONGEST_TEXT,
        help_text=help_text,
        widget=forms.TextInput(attrs={"autocomplete": "off", **attrs}),
        error_messages={
            "required": filled(
                gettext_lazy("Enter the %(label)s."), label=nouns(label)
            ),
            "max_length": filled(TOO_LONG, label=label, most=numbers(LONGEST_TEXT)),
        },
    )


def category_code(label: StrOrPromise) -> forms.Field:
    """A merchant category code of ISO 18245."""
    return forms.RegexField(
        r"\A[0-9]{4}\Z",
        label=label,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "numeric"}),
        error_messages={
            "invalid": gettext_lazy("An MCC has four digits, such as 5812."),
        },
    )


def prose(label: StrOrPromise, help_text: StrOrPromise = "") -> forms.Field:
    return forms.CharField(
        label=label,
        required=False,
        max_length=LONGEST_PROSE,
        help_text=help_text,
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={
            "max_length": filled(TOO_LONG, label=label, most=numbers(LONGEST_PROSE)),
        },
    )


class LinesField(forms.CharField):
    """A field with several texts, one per line."""

    def to_python(self, value: object) -> Any:
        text = super().to_python(value) or ""
        lines = []
        for line in text.splitlines():
            stripped = line.strip()
            if stripped:
                lines.append(stripped)
        if len(lines) > MOST_LINES:
            raise forms.ValidationError(self._refusal(TOO_MANY_LINES, MOST_LINES))
        if any(len(line) > LONGEST_LINE for line in lines):
            raise forms.ValidationError(self._refusal(TOO_LONG_LINE, LONGEST_LINE))
        return lines

    def _refusal(self, sentence: StrOrPromise, most: int) -> str:
        return str(sentence) % {"label": self.label, "most": number(most)}


def lines(label: StrOrPromise, help_text: StrOrPromise = ONE_A_LINE) -> forms.Field:
    widget = forms.Textarea(attrs={"rows": 2, "data-wire": "lines"})
    return LinesField(
        label=label,
        required=False,
        help_text=help_text,
        widget=widget,
    )


class PastDateField(forms.DateField):
    """A day from the year 1600 until today."""

    def validate(self, value: date | None) -> None:
        super().validate(value)
        if value and not date(1600, 1, 1) <= value <= localdate():
            raise forms.ValidationError(
                _("%(label)s must not be after today or before 1600.")
                % {"label": self.label}
            )


def day(
    label: StrOrPromise, field: type[forms.DateField] = PastDateField
) -> forms.Field:
    return field(
        label=label,
        required=False,
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        error_messages={
            "invalid": filled(
                gettext_lazy("%(label)s must be a day such as 2023-03-28."), label=label
            )
        },
    )


def _country_choices() -> list[tuple[str, str]]:
    """All countries by name in the language of the request, after an empty choice."""
    return _choices_in(current())


@cache
def _choices_in(language: str) -> list[tuple[str, str]]:
    choices = []
    for code in countries.NAMES:
        name = countries.name_in(code, language)
        choices.append((code, f"{name} ({code})"))
    choices.sort(key=lambda choice: countries.sort_key(choice[1]))
    return [("", ""), *choices]


class CountrySelect(forms.Select):
    """A list of all countries.

    Django renders a template for each option. A form with five of these lists has 1,250 options:
    they took nine tenths of its time.
    """

    def render(
        self,
        name: str,
        value: object,
        attrs: dict[str, Any] | None = None,
        renderer: BaseRenderer | None = None,
    ) -> SafeString:
        chosen = self.format_value(value)
        rows = []
        for code, label in self.choices:
            rows.append((code, " selected" if code in chosen else "", label))
        options = format_html_join("", '<option value="{}"{}>{}</option>', rows)
        attributes = flatatt(
            self.build_attrs(self.attrs, {**(attrs or {}), "name": name})
        )
        return format_html("<select{}>{}</select>", attributes, options)


def country(label: StrOrPromise) -> forms.Field:
    return forms.ChoiceField(
        label=label,
        required=False,
        widget=CountrySelect,
        # A function, because each form copies its fields, and would copy the whole list of
        # countries.
        choices=_country_choices,
        error_messages={
            "invalid_choice": filled(
                gettext_lazy("Choose the %(label)s from the list."), label=nouns(label)
            )
        },
    )


def web(label: StrOrPromise) -> forms.Field:
    return forms.URLField(
        label=label,
        required=False,
        assume_scheme="https",
        max_length=2_048,
        widget=forms.URLInput(attrs={"autocomplete": "off", "inputmode": "url"}),
        error_messages={
            "invalid": filled(
                gettext_lazy(
                    "%(label)s must be an address such as https://example.com."
                ),
                label=label,
            )
        },
    )


def email(label: StrOrPromise) -> forms.Field:
    return forms.EmailField(
        label=label,
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        error_messages={
            "invalid": filled(
                gettext_lazy("%(label)s must be an address such as name@example.com."),
                label=label,
            )
        },
    )


def choice(
    label: StrOrPromise, options: Sequence[tuple[str, StrOrPromise]]
) -> forms.Field:
    return forms.ChoiceField(
        label=label,
        required=False,
        choices=[("", ""), *options],
    )


def yes_or_no(label: StrOrPromise) -> forms.Field:
    return forms.TypedChoiceField(
        label=label,
        required=False,
        choices=[
            ("", ""),
            ("true", gettext_lazy("Yes")),
            ("false", gettext_lazy("No")),
        ],
        coerce=lambda value: value == "true",
        empty_value=None,
        widget=forms.Select(attrs={"data-wire": "boolean"}),
    )


class JSONObjectField(JSONField):
    def prepare_value(self, value: object) -> str:
        if isinstance(value, str):
            return value  # a draft has the text as it was typed
        if value is None:
            return ""
        return super().prepare_value(value)

    def validate(self, value: object) -> None:
        super().validate(value)
        if value is not None and not isinstance(value, dict):
            words = self.error_messages["invalid"]
            raise forms.ValidationError(words, code="invalid")


def json_object(label: StrOrPromise) -> forms.Field:
    return JSONObjectField(
        label=label,
        required=False,
        max_length=LONGEST_PROSE,
        help_text=gettext_lazy("A JSON object."),
        widget=forms.Textarea(attrs={"rows": 2, "data-wire": "json"}),
        error_messages={
            "invalid": filled(
                gettext_lazy('%(label)s must be a JSON object such as {"score": 0.9}.'),
                label=label,
            )
        },
    )


def address(name: str) -> tuple[Cell, ...]:
    return (
        Cell(f"{name}.street_1", text(gettext_lazy("Street and number")), "two-thirds"),
        Cell(f"{name}.street_2", text(gettext_lazy("Unit")), "third"),
        Cell(f"{name}.city", text(gettext_lazy("City")), "third"),
        Cell(f"{name}.state", text(gettext_lazy("State/region")), "sixth"),
        Cell(f"{name}.postal_code", text(gettext_lazy("Postal code")), "sixth"),
        Cell(f"{name}.country_code", country(gettext_lazy("Country")), "third"),
    )


class TokenField(forms.UUIDField):
    """The id of one submission.

    Without a valid id the form can be submitted, but a repetition opens a second case.
    """

    widget = forms.HiddenInput

    def to_python(self, value: object) -> Any:
        try:
            return super().to_python(value)
        except forms.ValidationError:
            return None


class FilesInput(forms.FileInput):
    allow_multiple_selected = True


class DocumentsField(forms.FileField):
    """Any number of files, or one.

    Each must be of a type that the desk and the checks can read.
    """

    widget = FilesInput(attrs={"accept": file_types.EXTENSIONS, "multiple": True})
    is_single = False

    @classmethod
    def of(cls, kind: Document.Kind) -> Self:
        """The field for documents of a kind. An ID picture is a single file."""
        field = cls(label=kind.label, required=False)
        field.is_single = kind in ID_PICTURES
        if field.is_single:
            del field.widget.attrs["multiple"]
        return field

    def clean(
        self, data: Upload | list[Upload] | None, initial: object = None
    ) -> list[Upload]:
        files: list[Upload] = []
        if isinstance(data, list):
            files = data
        elif data:
            files = [data]
        faults = faults_of(files)
        if self.is_single and len(files) > 1:
            faults.append(_("Choose one file: %(label)s.") % {"label": self.label})
        if faults:
            raise forms.ValidationError(faults)
        return files


def faults_of(files: Sequence[Upload]) -> list[str]:
    """Why files cannot be accepted, as sentences."""
    most = settings.MAX_DOCUMENT_BYTES
    faults = []
    for file in files:
        start = file.read(file_types.START)
        file.seek(0)
        name = file.name or ""
        if fault := file_types.fault(name, start=start, size=file.size or 0, most=most):
            faults.append(fault)
    return faults
