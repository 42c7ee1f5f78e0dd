"""API tokens: one's own; an administrator sees and revokes those of all."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from compliance.pages.admin import MomentInput
from reviews.access import api_tokens, roles
from reviews.access.decorators import readers_only
from reviews.models import Scope
from reviews.pages.case.decide import person

makers_only = permission_required(roles.TOKEN, raise_exception=True)


class TokenForm(forms.Form):
    name = forms.CharField(max_length=80, help_text="Which system will use it.")
    user = forms.ModelChoiceField(
        queryset=User.objects.none(),
        label="Acts as",
        empty_label=None,
        to_field_name="username",
    )
    expires_at = forms.DateTimeField(
        required=False, label="Expires", widget=MomentInput(), help_text="Empty: never."
    )
    scopes = forms.MultipleChoiceField(
        choices=Scope.choices, widget=forms.CheckboxSelectMultiple, label="Good for"
    )

    def __init__(self, *args: Any, maker: User, **options: Any) -> None:
        super().__init__(*args, **options)
        every = User.objects.filter(is_active=True).order_by("username")
        chooser: Any = self.fields["user"]
        chooser.queryset = (
            every if maker.has_perm(roles.EVERY_TOKEN) else every.filter(pk=maker.pk)
        )
        chooser.initial = maker.get_username()

    def clean_expires_at(self) -> Any:
        moment = self.cleaned_data["expires_at"]
        if moment is not None and moment <= now():
            raise forms.ValidationError("That moment has passed.")
        return moment


@readers_only
@makers_only
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def listed(request: HttpRequest) -> HttpResponse:
    """The tokens, and the form that makes one: its answer is the only time that it is shown."""
    actor = person(request)
    form = TokenForm(request.POST if request.method == "POST" else None, maker=actor)
    made: dict[str, Any] = {}
    if request.method == "POST" and form.is_valid():
        try:
            token, raw = api_tokens.create(actor=actor, **form.cleaned_data)
            made = {"token": token, "raw": raw}
            form = TokenForm(maker=actor)
        except PermissionDenied as exc:
            form.add_error("scopes", str(exc))
    context = {
        "nav": "tokens",
        "form": form,
        "made": made,
        "tokens": api_tokens.visible_tokens(actor)[:500],
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, "reviews/tokens.html", context, status=status)


@readers_only
@makers_only
@never_cache
@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    token = get_object_or_404(api_tokens.visible_tokens(person(request)), pk=pk)
    if api_tokens.revoke(token, actor=person(request)):
        messages.success(request, f"{token} is revoked.")
    return HttpResponseRedirect(reverse("tokens"), status=HTTPStatus.SEE_OTHER)
