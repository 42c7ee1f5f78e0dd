"""Admin of users and roles, with limits for administrators who are not superusers."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.approvals import people
from compliance.approvals.interception import ChangesSettings
from compliance.http.limits import quotas
from compliance.identity import people as people_of_login
from compliance.pages.admin import AsksBeforeHistory, LogsEach
from reviews.access import people as desk_people
from reviews.access.decorators import person_of
from reviews.admin.of_case import OfCaseAdmin
from reviews.audit import trail
from reviews.models import Read

admin.site.unregister([User, Group])
# Tables of the login that would allow to take over another account. They are not part of daily
# work.
admin.site.unregister(
    [EmailAddress, Authenticator, SocialAccount, SocialApp, SocialToken, UserSession]
)


class NewPersonForm(forms.ModelForm[User]):
    """Creates a user without a password. The user sets one through the link of an invitation."""

    class Meta:
        model = User
        fields = ("username", "email")

    def save(self, commit: bool = True) -> User:  # noqa: FBT001, FBT002 - Django's own
        # Nobody can log in with it until the user sets a password.
        self.instance.set_unusable_password()
        return super().save(commit)


class PersonForm(forms.ModelForm[User]):
    class Meta:
        model = User
        fields = (
            "username",
            "first_name",
            "last_name",
            "email",
            "is_active",
            "is_staff",
            "is_superuser",
            "groups",
            "user_permissions",
        )


@admin.register(User)
class PersonAdmin(AsksBeforeHistory, LogsEach, ChangesSettings, UserAdmin[User]):
    """Lets an administrator manage users by their roles, without gaining more rights that way."""

    add_form = NewPersonForm
    form = PersonForm
    add_fieldsets = ((None, {"fields": ("username", "email")}),)
    fieldsets = (
        (None, {"fields": ("username",)}),
        *((name, options) for name, options in UserAdmin.fieldsets or () if name),
    )
    actions = ("invite", "end_sessions", "reset_factors")
    list_display = (
        "username",
        "email",
        "first_name",
        "last_name",
        "is_staff",
        "used_today",
    )

    @admin.display(description=gettext_lazy("Brought today"))
    def used_today(self, person: User) -> str:
        return quotas.used_in_words(quotas.USER, person.pk)

    @admin.action(description=gettext_lazy("Invite: mail a link that sets a password"))
    def invite(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        """Mail an invitation. Without a mail server, show the link to the administrator instead."""
        for person in chosen:
            try:
                link = desk_people.invite(request, person_of(request), person)
            except desk_people.NotInvitedError as exc:
                messages.error(request, str(exc))
                continue
            if link:
                messages.warning(request, f"{person}: {link}")
            else:
                messages.success(
                    request, _("%(person)s is invited.") % {"person": person}
                )

    @admin.action(description=gettext_lazy("End all sessions"))
    def end_sessions(self, request: HttpRequest, people: QuerySet[User]) -> None:
        for person in people:
            if not self.has_change_permission(request, person):
                messages.error(
                    request,
                    _("%(person)s: you cannot end these sessions.")
                    % {"person": person},
                )
                continue
            count = people_of_login.end_sessions(person)
            data = {"user_id": person.pk, "sessions": count}
            trail.record(None, "sessions_ended", data, user=person_of(request))
            sentence = _("%(person)s: %(count)d sessions have ended.")
            messages.success(request, sentence % {"person": person, "count": count})

    @admin.action(
        description=gettext_lazy("Reset second factors, which the person has lost")
    )
    def reset_factors(self, request: HttpRequest, people: QuerySet[User]) -> None:
        """Remove the second factors of other users, never one's own.

        Otherwise a stolen session could register a new second factor for its user.
        """
        for person in people:
            if person.pk == request.user.pk:
                messages.error(
                    request, _("Another administrator resets them, not your own.")
                )
                continue
            if not self.has_change_permission(request, person):
                messages.error(
                    request,
                    _("%(person)s: you cannot reset these factors.")
                    % {"person": person},
                )
                continue
            count = people_of_login.reset_factors(person)
            data = {"user_id": person.pk, "factors": count}
            trail.record(None, "second_factors_reset", data, user=person_of(request))
            messages.success(
                request,
                _("%(person)s sets up a second factor again.") % {"person": person},
            )

    def user_change_password(
        self,
        request: HttpRequest,
        id: str,  # noqa: A002 - Django's own
        form_url: str = "",
    ) -> HttpResponse:
        raise PermissionDenied(_("People set their own passwords: invite them."))

    def has_change_permission(
        self, request: HttpRequest, obj: User | None = None
    ) -> bool:
        # A user who could set a superuser's password could become that superuser.
        if obj is not None and not people.may_manage(person_of(request), obj):
            return False
        return super().has_change_permission(request, obj)

    def formfield_for_manytomany(
        self, db_field: Any, request: HttpRequest, **options: Any
    ) -> Any:
        """Offers only roles that do not have more rights over users than the administrator has."""
        if db_field.name == "groups":
            options["queryset"] = people.roles_to_give(person_of(request))
        return super().formfield_for_manytomany(db_field, request, **options)

    def get_readonly_fields(
        self, request: HttpRequest, obj: User | None = None
    ) -> list[str]:
        fields = list(super().get_readonly_fields(request, obj))
        if request.user.is_superuser:
            return fields
        # Only superusers grant rights directly. All others grant roles.
        fields += ["is_superuser", "user_permissions"]
        if obj is not None and obj.pk == request.user.pk:
            # Users cannot change their own roles: another administrator does it.
            fields += ["groups", "is_staff"]
        return fields


@admin.register(Group)
class RoleAdmin(AsksBeforeHistory, LogsEach, ChangesSettings, GroupAdmin):
    pass


@admin.register(Read)
class ReadAdmin(OfCaseAdmin):
    connection_path = "case__connection"
    list_display = ("at", "by", "kind", "case", "item")
    list_filter = ("kind",)
    list_select_related = ("case",)
    search_fields = ("by", "case__reference")
    date_hierarchy = "at"
    fields = ("at", "by", "user", "kind", "item", "case")
    readonly_fields = fields
