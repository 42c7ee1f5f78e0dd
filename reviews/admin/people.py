"""People and their roles: as Django keeps them, with limits for who is no superuser."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from compliance.approvals import people
from compliance.approvals.interception import ChangesSettings, intercept
from compliance.approvals.registry import needs_second_person
from compliance.identity import invitations
from compliance.pages.admin import LogsEach, ReadOnlyAdmin
from reviews.access.decorators import person_of
from reviews.audit import trail
from reviews.models import Read

admin.site.unregister([User, Group])


@admin.register(User)
class PersonAdmin(LogsEach, ChangesSettings, UserAdmin[User]):
    """An administrator manages people by their roles, and cannot get more rights by it."""

    add_fieldsets = (
        (None, {"fields": ("username", "email")}),
        ("Password", {"fields": ("usable_password", "password1", "password2")}),
    )
    actions = ("invite",)

    @admin.action(description="Invite: mail a link that sets a password")
    def invite(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        """Where no mail is set up, the administrator is shown the link, to hand it over."""
        for person in chosen:
            if not person.is_active or not self.has_change_permission(request, person):
                messages.error(request, f"{person}: you cannot invite this person.")
                continue
            if person.has_usable_password() and needs_second_person("people"):
                # Who gets the link could be both persons.
                words = "has a password, and asks for another by mail."
                messages.error(request, f"{person} {words}")
                continue
            if not settings.EMAIL_HOST:
                messages.warning(request, f"{person}: {invitations.link(person)}")
            elif not person.email:
                messages.error(request, f"{person} has no e-mail address.")
                continue
            else:
                invitations.send(request, person)
                messages.success(request, f"{person} is invited.")
            trail.record(
                None, "invited", {"user_id": person.pk}, user=person_of(request)
            )

    def has_change_permission(
        self, request: HttpRequest, obj: User | None = None
    ) -> bool:
        # Who could set the password of a superuser would be one.
        if obj is not None and not people.may_manage(person_of(request), obj):
            return False
        return super().has_change_permission(request, obj)

    def user_change_password(
        self, request: HttpRequest, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        view = super().user_change_password
        return intercept(request, lambda: view(request, *args, **kwargs))

    def formfield_for_manytomany(
        self, db_field: Any, request: HttpRequest, **options: Any
    ) -> Any:
        """Nobody gives a role with more rights over people than their own."""
        if db_field.name == "groups":
            options["queryset"] = people.roles_to_give(person_of(request))
        return super().formfield_for_manytomany(db_field, request, **options)

    def get_readonly_fields(
        self, request: HttpRequest, obj: User | None = None
    ) -> list[str]:
        fields = list(super().get_readonly_fields(request, obj))
        if request.user.is_superuser:
            return fields
        # Rights come by roles only.
        fields += ["is_superuser", "user_permissions"]
        if obj is not None and obj.pk == request.user.pk:
            # Nobody gives themselves a role: another administrator does.
            fields += ["groups", "is_staff"]
        return fields


@admin.register(Group)
class RoleAdmin(LogsEach, ChangesSettings, GroupAdmin):
    pass


@admin.register(Read)
class ReadAdmin(ReadOnlyAdmin):
    list_display = ("at", "by", "kind", "case", "item")
    list_filter = ("kind",)
    list_select_related = ("case",)
    search_fields = ("by", "case__reference")
    date_hierarchy = "at"
    fields = ("at", "by", "user", "kind", "item", "case")
    readonly_fields = fields
