"""The page where the facts about the filing institution and the transmitter are entered."""

from __future__ import annotations

import re
from http import HTTPStatus

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.core.validators import RegexValidator
from django.db.models import CharField
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from compliance.approvals.interception import changes_settings
from compliance.pages import form_state
from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.filings.fincen import codes, institution
from reviews.filings.fincen.institution import NEEDED
from reviews.intake import form_fields
from reviews.models import ReportingInstitution

setters_only = permission_required(roles.FILING_SETUP, raise_exception=True)
TIN_RULE = RegexValidator(
    re.compile(r"\A[0-9A-Za-z]{4,25}\Z"),
    gettext_lazy("Letters and digits alone, without dashes."),
)
# FinCEN's format: nine digits without the dash.
US_TIN_RULE = RegexValidator(re.compile(r"\A[0-9]{9}\Z"), gettext_lazy("Nine digits."))
CODE_RULE = RegexValidator(
    re.compile(r"\A[A-Z0-9]{8}\Z"),
    gettext_lazy("Eight capital letters and digits, such as PBSA1234."),
)
PHONE_RULE = RegexValidator(
    re.compile(r"\A[0-9]{4,16}\Z"), gettext_lazy("Digits alone, at most 16.")
)
EXTENSION_RULE = RegexValidator(
    re.compile(r"\A[0-9]{1,6}\Z"), gettext_lazy("Digits alone, at most 6.")
)
STATE_RULE = RegexValidator(
    re.compile(r"\A[A-Z]{2,3}\Z"), gettext_lazy("Two or three capital letters.")
)
CODE_OF_PLACE_RULE = RegexValidator(
    re.compile(r"\A[0-9A-Z]{3,9}\Z"),
    gettext_lazy("Capital letters and digits, without dashes and spaces."),
)
NOTHING = ("", "—")


def _text(
    name: str, *, rule: RegexValidator | None = None, help_text: str = ""
) -> forms.CharField:
    column = ReportingInstitution._meta.get_field(name)
    assert isinstance(column, CharField)  # noqa: S101 - for the type checker
    labels = {
        **NEEDED,
        "other_kind": institution.OTHER_KIND,
        "state": institution.STATE,
        "transmitter_state": institution.TRANSMITTER_STATE,
        "office_extension": gettext_lazy("Extension of that phone"),
    }
    return forms.CharField(
        label=labels[name],
        required=name == "name",
        max_length=column.max_length,
        help_text=help_text,
        validators=[rule] if rule else [],
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


def _choice(name: str, choices: tuple[tuple[str, str], ...]) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=NEEDED[name], required=False, choices=[NOTHING, *choices]
    )


def _country(name: str) -> forms.Field:
    return form_fields.country(NEEDED[name])


class InstitutionForm(forms.Form):
    """Only the name is required. The page lists other missing facts, which can be entered later."""

    name = _text("name")
    kind = _choice("kind", codes.INSTITUTIONS)
    other_kind = _text("other_kind")
    regulator = _choice("regulator", codes.REGULATORS)
    tin = _text("tin", rule=TIN_RULE)
    tin_type = _choice("tin_type", codes.TIN_TYPES)
    street = _text("street")
    city = _text("city")
    state = _text("state", rule=STATE_RULE)
    postal_code = _text("postal_code", rule=CODE_OF_PLACE_RULE)
    country = _country("country")
    office = _text("office")
    office_phone = _text("office_phone", rule=PHONE_RULE)
    office_extension = _text("office_extension", rule=EXTENSION_RULE)
    transmitter = _text("transmitter")
    transmitter_code = _text("transmitter_code", rule=CODE_RULE)
    transmitter_tin = _text("transmitter_tin", rule=US_TIN_RULE)
    transmitter_contact = _text("transmitter_contact")
    transmitter_phone = _text("transmitter_phone", rule=PHONE_RULE)
    transmitter_street = _text("transmitter_street")
    transmitter_city = _text("transmitter_city")
    transmitter_state = _text("transmitter_state", rule=STATE_RULE)
    transmitter_postal_code = _text("transmitter_postal_code", rule=CODE_OF_PLACE_RULE)
    transmitter_country = _country("transmitter_country")

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, object] = super().clean() or self.cleaned_data
        # US numbers (EIN, SSN, ITIN) have nine digits; foreign ones may have any form.
        tin = str(cleaned.get("tin") or "")
        is_foreign = cleaned.get("tin_type") in {"", codes.FOREIGN}
        if tin and not is_foreign and not re.fullmatch(r"[0-9]{9}", tin):
            self.add_error("tin", _("Nine digits."))
        return cleaned

    @property
    def of_institution(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if not name.startswith(_APART)]

    @property
    def of_office(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("office")]

    @property
    def of_transmitter(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("transmitter")]


_APART = ("office", "transmitter")


@readers_only
@setters_only
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
@changes_settings
def settings_page(request: HttpRequest) -> HttpResponse:
    row = institution.current()
    initial = {}
    if row is not None:
        for name in InstitutionForm.base_fields:
            initial[name] = getattr(row, name)
    # A partly filled form is allowed: the page lists what is missing.
    form = InstitutionForm(initial=initial)
    state = form_state.state_of(form)
    status = HTTPStatus.OK
    if request.method == "POST":
        form = InstitutionForm(request.POST, initial=initial)
        is_stale = form_state.refuse_stale(form, state, initial)
        if form.is_valid():
            institution.change(actor=person_of(request), **form.cleaned_data)
            messages.info(request, _("Saved. Files for FinCEN have it from now on."))
            address = reverse("reporting-institution")
            return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        if is_stale:
            status = HTTPStatus.CONFLICT
    context = {
        "nav": "reporting-institution",
        "form": form,
        "state": state,
        "is_set_up": row is not None,
        "missing": institution.missing(row) if row else [],
    }
    return render(request, "reviews/reporting_institution.html", context, status=status)
