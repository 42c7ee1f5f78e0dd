"""The people who use the desk: who they are, what they may do, and inviting a colleague."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from typing import cast

from allauth.mfa.models import Authenticator
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.contrib.auth.models import Group, User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from compliance.approvals import interception
from compliance.approvals.interception import changes_settings
from compliance.approvals.people import may_manage, roles_to_give
from compliance.http.api.form_fields import RowChoices
from compliance.http.counters import count
from compliance.pages import form_state
from compliance.pages.own_address import links
from compliance.security import user_names
from reviews.access import people as accounts
from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.results.words import translated

# Rows of the list. Who looks for one of more people searches for the name.
MOST = 200
# So many new addresses of one person may be asked for in this time: each is a mail to somebody.
MOST_ADDRESSES, ADDRESS_SECONDS = 5, 600
viewers_only = permission_required("auth.view_user", raise_exception=True)
changers_only = permission_required("auth.change_user", raise_exception=True)
# What each role may do, in a few words. Roles that an installation adds have none.
ROLE_WORDS = {
    roles.ANALYST: gettext_lazy("Submits cases, reviews checks and decides."),
    roles.SENIOR: gettext_lazy("Is the second person, too, and reopens cases."),
    roles.AUDITOR: gettext_lazy("Reads and exports every case. Changes nothing."),
    roles.INTEGRATOR: gettext_lazy("Another system: submits cases and reads them."),
    roles.RULE_OWNER: gettext_lazy("Sets rules, reasons and times. Decides nothing."),
    roles.ADMINISTRATOR: gettext_lazy(
        "Manages people, services and lists. Decides nothing."
    ),
    "hub administrator": gettext_lazy("Manages the agent hub."),
}


class RolesForm(forms.Form):
    """The roles of a person. Roles that the actor may not give are not offered."""

    groups = RowChoices(
        queryset=Group.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        label=gettext_lazy("Roles"),
        error_messages={"required": gettext_lazy("Choose at least one role.")},
    )
    is_staff = forms.BooleanField(
        required=False,
        label=gettext_lazy("May also open the administration, /admin/"),
    )

    def __init__(
        self,
        data: Mapping[str, object] | None = None,
        *,
        actor: User,
        person: User | None = None,
    ) -> None:
        super().__init__(data)
        if person is not None:
            self.initial = {
                "groups": list(person.groups.all()),
                "is_staff": person.is_staff,
            }
        field = cast("RowChoices", self.fields["groups"])
        field.queryset = roles_to_give(actor).order_by("name")

    def choices_in_words(self) -> list[tuple[forms.boundfield.BoundWidget, object]]:
        """Each role's checkbox, and what the role may do."""
        rows: list[tuple[forms.boundfield.BoundWidget, object]] = []
        for widget in self["groups"]:
            words = ROLE_WORDS.get(str(widget.choice_label), "")
            rows.append((widget, words))
        return rows


class AddressForm(forms.Form):
    """The e-mail address of a colleague."""

    email = forms.EmailField(
        label=gettext_lazy("New e-mail address"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )

    def __init__(
        self, data: Mapping[str, object] | None = None, *, person: User
    ) -> None:
        super().__init__(data)
        self._person = person

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"])
        if links.is_taken(self._person, email):
            raise ValidationError(_("Somebody has this address already."))
        return email


class InviteForm(RolesForm):
    full_name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    email = forms.EmailField(
        label=gettext_lazy("E-mail"),
        required=False,
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    username = forms.CharField(
        label=gettext_lazy("User name"),
        required=False,
        max_length=150,
        validators=[UnicodeUsernameValidator()],
        help_text=gettext_lazy("To log in. Left empty: the e-mail before the @."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean_full_name(self) -> str:
        name = " ".join(str(self.cleaned_data["full_name"]).split())
        first_name, _space, last_name = name.partition(" ")
        # The columns of a user.
        if len(first_name) > 150 or len(last_name) > 150:
            raise ValidationError(_("This name is too long."))
        return name

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"])
        if not email:
            if settings.EMAIL_HOST:
                raise ValidationError(_("The invitation is sent to this address."))
            return ""
        if User.objects.filter(email__iexact=email).exists():
            raise ValidationError(_("Somebody has this address already."))
        return email

    def clean_username(self) -> str:
        name = user_names.normal(str(self.cleaned_data["username"]))
        user_names.require_one_script(name)
        return name

    def clean(self) -> dict[str, object]:
        data: dict[str, object] = super().clean() or {}
        username = str(data.get("username") or "")
        email = str(data.get("email") or "")
        if "username" in self.errors or "email" in self.errors:
            return data
        if not username and not email:
            self.add_error("username", _("Enter a user name or an e-mail address."))
        elif not username:
            try:
                data["username"] = accounts.username_from(email)
            except ValidationError:
                self.add_error("username", _("Enter a user name."))
        elif User.objects.filter(username__iexact=username).exists():
            self.add_error("username", _("Somebody has this user name already."))
        return data


@readers_only
@viewers_only
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest) -> HttpResponse:
    """The people, and the form that invites a colleague."""
    actor = person_of(request)
    form = InviteForm(actor=actor)
    link, invited = "", None
    if request.method == "POST":
        if not actor.has_perm("auth.add_user"):
            raise PermissionDenied
        form = InviteForm(request.POST, actor=actor)
        if form.is_valid():
            add = partial(accounts.add, **form.cleaned_data)
            invited, proposal = interception.perform(actor, add)
            if proposal is not None:
                messages.info(
                    request,
                    _(
                        "Another person must approve the new colleague. Then invite them here."
                    ),
                )
                return _to("approvals")
            link = _invite(request, actor, invited)
            if not link:
                return _to("people")
            form = InviteForm(actor=actor)
    query = request.GET.get("q", "").strip()[:100]
    rows = _rows(query)
    context = {
        "nav": "people",
        "form": form,
        "q": query,
        "people": rows[:MOST],
        "count": rows.count(),
        "most": MOST,
        "link": link,
        "invited": invited,
        "has_mail": bool(settings.EMAIL_HOST),
    }
    status = HTTPStatus.OK
    if form.errors:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    return render(request, "reviews/people.html", context, status=status)


@readers_only
@viewers_only
@never_cache
@require_safe
def person(request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(_rows(""), pk=pk)
    return _page_of(request, row)


@readers_only
@changers_only
@never_cache
@require_POST
def invite(request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(_rows(""), pk=pk)
    link = _invite(request, person_of(request), row)
    if link:
        return _page_of(request, row, link=link)
    return _to("person", pk)


@readers_only
@changers_only
@never_cache
@require_POST
@changes_settings
def change_roles(request: HttpRequest, pk: int) -> HttpResponse:
    """Give these roles, and take all others that the actor may give."""
    actor = person_of(request)
    row = _changeable(actor, pk)
    if row.pk == actor.pk and not actor.is_superuser:
        raise PermissionDenied(_("Another administrator changes your own roles."))
    form = RolesForm(request.POST, actor=actor, person=row)
    stored = {"groups": ", ".join(_names_of_roles(row))}
    form_state.refuse_stale(form, _state_of_roles(actor, row), stored)
    if not form.is_valid():
        return _page_of(request, row, form=form)
    others = row.groups.exclude(pk__in=roles_to_give(actor))
    chosen = set(form.cleaned_data["groups"]) | set(others)
    row.is_staff = form.cleaned_data["is_staff"]
    row.save(update_fields=["is_staff"])
    row.groups.set(chosen)
    messages.success(request, _("The roles of %(person)s are saved.") % {"person": row})
    return _to("person", pk)


@readers_only
@changers_only
@never_cache
@require_POST
@changes_settings
def change_address(request: HttpRequest, pk: int) -> HttpResponse:
    """Correct the address of a colleague, who confirms it if they have a password already."""
    actor = person_of(request)
    row = _changeable(actor, pk)
    fault = accounts.objection_to_address(actor, row)
    if fault:
        messages.error(request, fault)
        return _to("person", pk)
    form = AddressForm(request.POST, person=row)
    if not form.is_valid():
        return _page_of(request, row, address_form=form)
    tries = count(f"address-of-colleague:{row.pk}", seconds=ADDRESS_SECONDS)
    if tries > MOST_ADDRESSES:
        form.add_error(None, _("Please wait a few minutes, and try again."))
        return _page_of(request, row, address_form=form)
    address = form.cleaned_data["email"]
    if accounts.change_address(request, actor, row, address):
        words = _("The address is changed. Now send the invitation to it.")
    else:
        words = _(
            "A link was sent to %(address)s. The address changes when %(person)s opens it, logged in."
        )
    messages.success(request, words % {"address": address, "person": row})
    return _to("person", pk)


@readers_only
@changers_only
@never_cache
@require_POST
@changes_settings
def switch(request: HttpRequest, pk: int) -> HttpResponse:
    """Deactivate a person, which ends their sessions at once, or activate them again."""
    actor = person_of(request)
    row = _changeable(actor, pk)
    if row.pk == actor.pk:
        raise PermissionDenied(_("Another administrator deactivates you."))
    row.is_active = request.POST.get("active") == "yes"
    row.save(update_fields=["is_active"])
    sentence = _("%(person)s is deactivated. All their sessions have ended.")
    if row.is_active:
        sentence = _("%(person)s is active again.")
    messages.success(request, sentence % {"person": row})
    return _to("person", pk)


def _rows(query: str) -> QuerySet[User]:
    factors = Authenticator.objects.filter(user=OuterRef("pk"))
    # Recovery codes alone are no second factor.
    factors = factors.exclude(type=Authenticator.Type.RECOVERY_CODES)
    rows = User.objects.annotate(has_factor=Exists(factors))
    rows = rows.prefetch_related("groups", "teams")
    for word in query.split():
        in_name = Q(first_name__icontains=word) | Q(last_name__icontains=word)
        in_login = Q(username__icontains=word) | Q(email__icontains=word)
        rows = rows.filter(in_name | in_login)
    return rows.order_by("-is_active", "username")


def _changeable(actor: User, pk: int) -> User:
    row = get_object_or_404(_rows(""), pk=pk)
    # A user who could change a superuser could become that superuser.
    if not may_manage(actor, row):
        raise PermissionDenied(_("This person has rights that you may not give."))
    return row


def _state_of_roles(actor: User, row: User) -> str:
    return form_state.state_of(RolesForm(actor=actor, person=row))


def _names_of_roles(row: User) -> list[str]:
    return [str(translated(group.name)) for group in row.groups.all()]


def _invite(request: HttpRequest, actor: User, row: User) -> str:
    """Invite the person and leave a message. Returns the link if the actor hands it over."""
    try:
        link = accounts.invite(request, actor, row)
    except accounts.NotInvitedError as exc:
        messages.error(request, str(exc))
        return ""
    if not link:
        messages.success(request, _("%(person)s is invited.") % {"person": row})
    return link


def _page_of(
    request: HttpRequest,
    row: User,
    *,
    form: RolesForm | None = None,
    link: str = "",
    address_form: AddressForm | None = None,
) -> HttpResponse:
    actor = person_of(request)
    status = HTTPStatus.OK
    if address_form is None:
        address_form = AddressForm(person=row)
    else:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    if form is None:
        form = RolesForm(actor=actor, person=row)
    elif form.errors:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        # Of the whole form: somebody else has changed the roles.
        if form.non_field_errors():
            status = HTTPStatus.CONFLICT
    is_self = row.pk == actor.pk
    may_change = actor.has_perm("auth.change_user") and may_manage(actor, row)
    context = {
        "nav": "people",
        "person": row,
        "form": form,
        "state": _state_of_roles(actor, row),
        "address_form": address_form,
        "address_fault": accounts.objection_to_address(actor, row),
        "link": link,
        "is_self": is_self,
        "may_change": may_change,
        "may_change_roles": may_change and (not is_self or actor.is_superuser),
        "other_groups": row.groups.exclude(pk__in=roles_to_give(actor)),
        "invite_fault": accounts.objection(actor, row),
        "has_mail": bool(settings.EMAIL_HOST),
    }
    return render(request, "reviews/person.html", context, status=status)


def _to(name: str, *args: object) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse(name, args=args), status=HTTPStatus.SEE_OTHER)
