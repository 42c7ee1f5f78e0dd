"""The page on which a person chooses their language and time zone."""

from __future__ import annotations

from typing import cast
from zoneinfo import available_timezones

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance import languages
from compliance.models import LocalePreference


def _languages() -> list[tuple[str, object]]:
    """Each language under its native name, so that its speakers find it."""
    browser = ("", gettext_lazy("The language of the browser"))
    return [browser, *languages.names()]


def _time_zones() -> list[tuple[str, object]]:
    installation = gettext_lazy("That of the installation")
    return [
        ("", installation),
        *((name, name) for name in sorted(available_timezones())),
    ]


class LocaleForm(forms.ModelForm[LocalePreference]):
    language = forms.ChoiceField(
        label=gettext_lazy("Language"), choices=_languages, required=False
    )
    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"), choices=_time_zones, required=False
    )

    class Meta:
        model = LocalePreference
        fields = ["language", "time_zone"]


@login_required
def language(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    preference = LocalePreference.objects.filter(user=user).first()
    form = LocaleForm(request.POST or None, instance=preference)
    if request.method == "POST" and form.is_valid():
        form.instance.user = user
        form.save()
        with translation.override(
            form.cleaned_data["language"] or translation.get_language()
        ):
            messages.success(request, _("Your language and time zone are saved."))
        return redirect("account_language")
    return render(request, "account/language.html", {"form": form})
