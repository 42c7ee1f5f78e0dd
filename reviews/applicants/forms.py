"""The forms for applicants: the desk's own forms, without the fields that only the desk can fill
in.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace

from django import forms
from django.utils.translation import gettext_lazy as _

from reviews.intake.form_fields import Cell, Section, Uploads
from reviews.intake.forms import (
    ID_DATA,
    BusinessCaseForm,
    CaseForm,
    PersonCaseForm,
)
from reviews.models import Invitation, Kind

# Fields that an applicant is not asked for.
_OF_DESK = frozenset({"mcc_code", "name_prefix", "name_suffix", "title"})
# An applicant can read these fields off the ID card. The others come from ID vendors.
_OF_ID = frozenset(
    f"{ID_DATA}.{name}"
    for name in (
        "document_type",
        "document_number",
        "issuing_country",
        "expiration_date",
    )
)
_NOTES = {"business": _("one name or the website is needed")}

# What a browser or a phone may fill in by itself: an applicant writes about themselves. The names
# are those of HTML. At the desk one person writes about another, so nothing is filled in there.
_AUTOCOMPLETE = {
    "first_name": "given-name",
    "middle_name": "additional-name",
    "last_name": "family-name",
    "sex": "sex",
    "date_of_birth": "bday",
    "country_of_residence": "country",
    "email": "email",
    "phone": "tel",
    "address.street_1": "address-line1",
    "address.street_2": "address-line2",
    "address.city": "address-level2",
    "address.state": "address-level1",
    "address.postal_code": "postal-code",
    "address.country_code": "country",
    "business_name": "organization",
    "website": "url",
    "contact_email_address": "email",
    "contact_phone_number": "tel",
}
# A phone corrects the spelling of words. These values must stay as they are typed.
_NUMBERS = frozenset(
    {
        "business_registration_number",
        "tin_number",
        "address.postal_code",
        "address_of_incorporation.postal_code",
        "address_of_operation.postal_code",
        f"{ID_DATA}.document_number",
    }
)


def _sections(form: type[CaseForm]) -> tuple[Section, ...]:
    # Copy the sections of the desk's form, without the fields above.
    sections = []
    for section in form.sections:
        cells = []
        for cell in section.cells:
            is_of_id = cell.name.startswith(f"{ID_DATA}.")
            if cell.name in _OF_DESK or (is_of_id and cell.name not in _OF_ID):
                continue
            cells.append(replace(cell, field=_on_a_phone(cell)))
        note = _NOTES.get(section.key, "")
        sections.append(replace(section, cells=tuple(cells), note=note, folded=False))
    return tuple(sections)


def _on_a_phone(cell: Cell) -> forms.Field:
    """The field with what the keyboard of a phone needs to know. The desk's own field stays as it is."""
    field = copy.deepcopy(cell.field)
    attributes = field.widget.attrs
    if cell.name in _AUTOCOMPLETE:
        attributes["autocomplete"] = _AUTOCOMPLETE[cell.name]
    if (
        isinstance(field.widget, forms.TextInput)
        and attributes.get("inputmode") == "tel"
    ):
        field.widget.input_type = "tel"
    if cell.name in _NUMBERS:
        attributes["autocapitalize"] = "characters"
        attributes["spellcheck"] = "false"
    return field


class ApplicantForm(CaseForm):
    """A form without the fields for agent and reference: the invitation defines both."""

    has_custom_fields = False

    def __init__(
        self,
        data: Mapping[str, object] | None = None,
        files: Uploads | None = None,
        *,
        invitation: Invitation,
        initial: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(data, files, actor=invitation.made_by, initial=initial)
        for name in ("agent", "reference", "submission"):
            del self.fields[name]

    def typed(self, sent: Mapping[str, str]) -> dict[str, str]:
        """The values to store in a draft: everything except files."""
        return self._filled([cell.name for cell in self._cells()], sent)


class BusinessApplicantForm(ApplicantForm, BusinessCaseForm):
    sections = _sections(BusinessCaseForm)


class PersonApplicantForm(ApplicantForm, PersonCaseForm):
    sections = _sections(PersonCaseForm)


FORMS: dict[str, type[ApplicantForm]] = {
    Kind.KYB.value: BusinessApplicantForm,
    Kind.KYC.value: PersonApplicantForm,
}


def of(
    invitation: Invitation,
    data: Mapping[str, object] | None = None,
    files: Uploads | None = None,
    *,
    initial: Mapping[str, object] | None = None,
) -> ApplicantForm:
    """The form for the kind of case that the invitation's agent examines."""
    form = FORMS[invitation.agent.kind]
    return form(data, files, invitation=invitation, initial=initial)
