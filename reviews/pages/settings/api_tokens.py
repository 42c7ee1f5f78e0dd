"""API tokens: a user's own; an administrator sees and revokes the tokens of all users."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from http import HTTPStatus
from typing import cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from compliance.pages.admin import MomentInput
from reviews.access import api_tokens, roles
from reviews.access.decorators import person_of, readers_only
from reviews.models import Scope

makers_only = permission_required(roles.TOKEN, raise_exception=True)


class TokenForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=80,
        help_text=gettext_lazy("Which system will use it."),
    )
    user = forms.ModelChoiceField(
        queryset=User.objects.none(),
        label=gettext_lazy("Acts as"),
        empty_label=None,
        to_field_name="username",
    )
    expires_at = forms.DateTimeField(
        required=False,
        label=gettext_lazy("Expires"),
        widget=MomentInput(),
        help_text=gettext_lazy("Empty: in a year, or as this installation has it."),
    )
    scopes = forms.MultipleChoiceField(
        choices=Scope.choices,
        widget=forms.CheckboxSelectMultiple,
        label=gettext_lazy("Good for"),
    )

    def __init__(
        self, data: Mapping[str, object] | None = None, *, maker: User
    ) -> None:
        super().__init__(data)
        # Only an administrator may create a token for another user.
        users = User.objects.filter(is_active=True).order_by("username")
        if not maker.has_perm(roles.EVERY_TOKEN):
            users = users.filter(pk=maker.pk)
        field = cast("forms.ModelChoiceField[User]", self.fields["user"])
        field.queryset = users
        field.initial = maker.get_username()

    def clean_expires_at(self) -> datetime | None:
        moment: datetime | None = self.cleaned_data["expires_at"]
        if moment is not None and moment <= now():
            raise forms.ValidationError(_("That moment has passed."))
        return moment


@readers_only
@makers_only
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """The tokens, and the form that creates one. Its response is the only one that shows the
    secret.
    """
    actor = person_of(request)
    form = TokenForm(maker=actor)
    new_token, raw = None, ""
    if request.method == "POST":
        form = TokenForm(request.POST, maker=actor)
        if form.is_valid():
            try:
                # The secret is in this response only; the database has a digest.
                new_token, raw = api_tokens.create(actor=actor, **form.cleaned_data)
                form = TokenForm(maker=actor)
            except PermissionDenied as exc:
                form.add_error("scopes", str(exc))
    context = {
        "nav": "tokens",
        "form": form,
        "new_token": new_token,
        "raw": raw,
        "tokens": api_tokens.visible_tokens(actor)[:500],
    }
    status = HTTPStatus.OK
    if form.errors:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    return render(request, "reviews/tokens.html", context, status=status)


@readers_only
@makers_only
@never_cache
@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    actor = person_of(request)
    rows = api_tokens.visible_tokens(actor)
    token = get_object_or_404(rows, pk=pk)
    if api_tokens.revoke(token, actor=actor):
        messages.success(request, _("%(token)s is revoked.") % {"token": token})
    return HttpResponseRedirect(reverse("tokens"), status=HTTPStatus.SEE_OTHER)
