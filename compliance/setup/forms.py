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

from compliance.http.counters import digest
from compliance.security import logins
from compliance.setup import code, installation

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
    connects_hub = forms.BooleanField(required=False)
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
        if values.get("sample_cases") and not values.get("connects_hub"):
            self.add_error(
                "sample_cases",
                _("Sample cases need the embedded hub, which examines them."),
            )
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

    def answers(self) -> installation.Answers:
        values = dict(self.cleaned_data)
        del values["code"], values["password_again"]
        return installation.Answers(**values)

    @property
    def has_service(self) -> bool:
        return bool(settings.DESK_ENABLED and settings.HUB_ENABLED)
