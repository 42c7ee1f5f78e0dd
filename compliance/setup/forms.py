"""The form of the set-up page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth import password_validation
from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.utils.translation import gettext as _

from compliance.http import standard_webhooks
from compliance.http.counters import digest
from compliance.security import logins
from compliance.setup import code, installation
from compliance.setup.answers import Answers, ExternalService, ServiceChoice

# Fields that mean nothing to a hub without a desk.
OF_DESK = (
    "organisation",
    "reviews_cases",
    "service",
    "service_name",
    "service_address",
    "service_key",
    "webhook_secret",
    "business_agent",
    "person_agent",
    "sample_cases",
)

# The most attempts within five minutes from all addresses: nobody mistypes so often.
TRIES = 30


class SetupForm(forms.Form):
    code = forms.CharField(max_length=40)
    username = forms.CharField(max_length=150, validators=[UnicodeUsernameValidator()])
    full_name = forms.CharField(max_length=150, required=False)
    email = forms.EmailField(required=False)
    password = forms.CharField(widget=forms.PasswordInput, strip=False, max_length=4096)
    password_again = forms.CharField(
        widget=forms.PasswordInput, strip=False, max_length=4096
    )
    organisation = forms.CharField(max_length=100)
    reviews_cases = forms.BooleanField(required=False)
    service = forms.ChoiceField(choices=installation.offered_services)
    # Of a service elsewhere.
    service_name = forms.CharField(max_length=80, required=False)
    service_address = forms.CharField(max_length=300, required=False)
    service_key = forms.CharField(
        widget=forms.PasswordInput, max_length=4096, required=False
    )
    webhook_secret = forms.CharField(
        widget=forms.PasswordInput, max_length=4096, required=False
    )
    business_agent = forms.CharField(
        widget=forms.PasswordInput, max_length=4096, required=False
    )
    person_agent = forms.CharField(
        widget=forms.PasswordInput, max_length=4096, required=False
    )
    sample_cases = forms.BooleanField(required=False)
    lists = forms.MultipleChoiceField(
        choices=installation.offered_lists, required=False
    )

    def __init__(
        self,
        data: Mapping[str, object] | None = None,
        *,
        caller: str = "",
        initial: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(data, initial=dict(initial or {}))
        self._caller = digest(caller)[:8]
        if not settings.DESK_ENABLED:
            for name in OF_DESK:
                del self.fields[name]

    def clean_code(self) -> str:
        text: str = self.cleaned_data["code"]
        limits = (logins.Counter("setup:code", logins.WINDOW, TRIES),)
        try:
            logins.check(limits, self._caller)
            logins.count(limits, self._caller)
        except logins.LoginRefusedError as exc:
            raise logins.refusal(exc) from exc
        if not code.is_right(text):
            raise forms.ValidationError(
                _("This is not the code that the terminal has printed.")
            )
        return text

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        if values.get("service") == ServiceChoice.ELSEWHERE:
            self._clean_service(values)
        password = values.get("password", "")
        if password and password != values.get("password_again", ""):
            self.add_error("password_again", _("The two passwords differ."))
        elif password:
            person = User(
                username=values.get("username", ""), email=values.get("email", "")
            )
            try:
                password_validation.validate_password(password, person)
            except forms.ValidationError as exc:
                self.add_error("password", exc)
        return values

    def _clean_service(self, values: Mapping[str, Any]) -> None:
        from reviews.models.fields import validate_address

        for name in ("service_name", "service_address", "service_key"):
            if not values.get(name) and name not in self.errors:
                self.add_error(name, _("A service elsewhere needs this."))
        address = values.get("service_address")
        if address:
            try:
                validate_address(address)
            except forms.ValidationError as exc:
                self.add_error("service_address", exc)
        for name in ("service_key", "webhook_secret"):
            if standard_webhooks.is_malformed(values.get(name) or ""):
                self.add_error(name, _("What follows whsec_ must be a key in base64."))

    def answers(self) -> Answers:
        values = self.cleaned_data
        connects_hub = values.get("service") == ServiceChoice.HUB
        external = None
        if values.get("service") == ServiceChoice.ELSEWHERE:
            external = ExternalService(
                name=values["service_name"],
                address=values["service_address"],
                api_key=values["service_key"],
                webhook_secret=values["webhook_secret"],
                business_agent=values["business_agent"],
                person_agent=values["person_agent"],
            )
        return Answers(
            username=values["username"],
            full_name=values["full_name"],
            email=values["email"],
            password=values["password"],
            organisation=values.get("organisation", ""),
            reviews_cases=values.get("reviews_cases", False),
            connects_hub=connects_hub,
            external_service=external,
            # The page hides this choice where another service is chosen.
            sample_cases=connects_hub and values["sample_cases"],
            lists=values["lists"],
        )

    @property
    def has_lists(self) -> bool:
        return bool(installation.offered_lists())

    @property
    def has_hub(self) -> bool:
        return bool(settings.DESK_ENABLED and settings.HUB_ENABLED)
