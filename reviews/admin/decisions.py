"""Admin of decisions, their rules and the audit trail. Rules are edited here; all else is
read-only.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from compliance.pages.admin import (
    ReadOnlyAdmin,
    ReadOnlyInline,
    SettingsAdmin,
    as_text,
)
from reviews.access import roles, teams
from reviews.access.decorators import person_of
from reviews.admin.of_case import OfCaseAdmin
from reviews.models import (
    Announcement,
    AnnouncementAttempt,
    Attachment,
    BulkAct,
    Chain,
    CheckReview,
    Clock,
    Decision,
    Dismissal,
    FourEyesRule,
    InformationRequest,
    Note,
    ReasonCode,
    SavedView,
    Seal,
    Subscription,
    Tag,
    Team,
    Unsealed,
    ValueChoice,
)
from reviews.subscriptions import announcements, subscriptions
from reviews.subscriptions.forms import SubscriptionForm


@admin.register(ReasonCode)
class ReasonCodeAdmin(SettingsAdmin):
    list_display = ("code", "label", "outcome", "hint", "claim", "is_active")
    list_filter = ("outcome", "claim", "is_active")
    search_fields = ("code", "label")


@admin.register(FourEyesRule)
class FourEyesRuleAdmin(SettingsAdmin):
    list_display = ("name", "condition", "threshold", "outcome", "agent", "is_active")
    list_filter = ("condition", "is_active")
    list_select_related = ("agent__connection",)
    search_fields = ("name",)


@admin.register(Clock)
class ClockAdmin(SettingsAdmin):
    list_display = ("name", "minutes", "agent", "risk", "is_active")
    list_filter = ("is_active",)
    list_select_related = ("agent__connection",)
    search_fields = ("name",)


@admin.register(Team)
class TeamAdmin(SettingsAdmin):
    list_display = ("name",)
    search_fields = ("name",)
    filter_horizontal = ("members", "connections")

    def has_delete_permission(
        self, request: HttpRequest, obj: Team | None = None
    ) -> bool:
        if obj is not None and teams.objection_to_removal(obj):
            return False
        return super().has_delete_permission(request, obj)


@admin.register(Tag)
class TagAdmin(SettingsAdmin):
    list_display = ("name",)
    search_fields = ("name",)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Refuses to delete a tag that cases still have.

        Remove it from the cases first, so that each removal is recorded in the audit trail of its
        case.
        """
        deleted = super().get_deleted_objects(objs, request)
        objects, count_by_model, missing_permissions, protected = deleted
        keys = [tag.pk for tag in objs]
        # "Protected" rows keep the admin from offering the deletion.
        in_use = Tag.objects.filter(pk__in=keys, cases__isnull=False)
        names = []
        for tag in in_use.distinct():
            names.append(str(tag))
        all_protected = [*protected, *names]
        return objects, count_by_model, missing_permissions, all_protected


@admin.register(Subscription)
class SubscriptionAdmin(SettingsAdmin):
    form = SubscriptionForm
    list_display = ("name", "url", "connection", "is_active", "created_at")
    list_filter = ("is_active",)
    list_select_related = ("connection",)
    search_fields = ("name", "url")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Subscription]:
        rows = super().get_queryset(request)
        return roles.only_visible(person_of(request), rows, "connection")

    def save_model(
        self,
        request: HttpRequest,
        obj: Subscription,
        form: ModelForm[Subscription],
        change: bool,  # noqa: FBT001
    ) -> None:
        subscriptions.require_connection(person_of(request), obj.connection)
        super().save_model(request, obj, form, change)


@admin.register(SavedView)
class SavedViewAdmin(ReadOnlyAdmin):
    list_display = ("name", "owner", "team", "query")
    list_select_related = ("owner", "team")
    search_fields = ("name",)


@admin.register(BulkAct)
class BulkActAdmin(ReadOnlyAdmin):
    list_display = ("act", "by", "status", "done", "created_at")
    list_select_related = ("by",)
    list_filter = ("act", "status")
    search_fields = ("act", "by__username")
    date_hierarchy = "created_at"


@admin.register(Decision)
class DecisionAdmin(OfCaseAdmin):
    connection_path = "case__connection"
    list_display = (
        "case",
        "outcome",
        "status",
        "made_by",
        "made_at",
        "second_by",
        "second_at",
    )
    list_filter = ("outcome", "status", "needs_second")
    list_select_related = ("case", "made_by", "second_by")
    search_fields = ("case__reference",)
    date_hierarchy = "made_at"


@admin.register(CheckReview)
class CheckReviewAdmin(OfCaseAdmin):
    connection_path = "job__connection"
    list_display = ("check_id", "kind", "by", "at", "job")
    list_filter = ("kind",)
    list_select_related = ("by", "job")
    search_fields = ("check_id",)


@admin.register(Dismissal)
class DismissalAdmin(OfCaseAdmin):
    connection_path = "case__connection"
    list_display = ("title", "case", "by", "at", "until", "taken_back_at")
    list_select_related = ("case", "by")
    search_fields = ("case__reference",)


@admin.register(ValueChoice)
class ValueChoiceAdmin(OfCaseAdmin):
    connection_path = "case__connection"
    list_display = ("field", "kind", "case", "by", "at", "ended_at")
    list_filter = ("kind",)
    list_select_related = ("case", "by")
    search_fields = ("case__reference",)


class AttachmentInline(ReadOnlyInline):
    model = Attachment
    fields = ("file_name", "size", "sha256")
    readonly_fields = fields


@admin.register(Note)
class NoteAdmin(OfCaseAdmin):
    connection_path = "case__connection"
    list_display = ("__str__", "case", "by", "at", "edited_at")
    list_select_related = ("case", "by")
    search_fields = ("case__reference",)
    inlines = (AttachmentInline,)


@admin.register(Attachment)
class AttachmentAdmin(OfCaseAdmin):
    connection_path = "note__case__connection"
    list_display = ("file_name", "note", "size", "sha256")
    list_select_related = ("note",)
    search_fields = ("sha256",)
    exclude = ("file",)


@admin.register(InformationRequest)
class InformationRequestAdmin(OfCaseAdmin):
    connection_path = "case__connection"
    list_display = ("case", "status", "made_by", "made_at", "expires_at", "answered_at")
    list_filter = ("status",)
    list_select_related = ("case", "made_by")
    search_fields = ("case__reference",)


class AttemptInline(ReadOnlyInline):
    model = AnnouncementAttempt
    fields = ("at", "http_status", "error", "response", "took_ms")
    readonly_fields = fields


@admin.register(Announcement)
class AnnouncementAdmin(OfCaseAdmin):
    connection_path = "case__connection"
    list_display = (
        "id",
        "subscription",
        "event",
        "case",
        "status",
        "tries",
        "created_at",
    )
    list_filter = ("status", "event")
    list_select_related = ("subscription", "case")
    search_fields = ("id", "case__reference")
    heavy = ("body",)
    fields = (
        "id",
        "subscription",
        "event",
        "case",
        "decision",
        "url",
        "status",
        "tries",
        "due_at",
        "sent",
    )
    readonly_fields = fields
    inlines = (AttemptInline,)
    actions = ("send_again",)

    @admin.display(description=_("Body"))
    def sent(self, row: Announcement) -> SafeString:
        return as_text(row.body)

    @admin.action(
        description=_("Send failed and waiting ones now"), permissions=["view"]
    )
    def send_again(self, request: HttpRequest, rows: QuerySet[Announcement]) -> None:
        actor = person_of(request)
        count = 0
        for row in rows:
            count += announcements.send_again(row, actor=actor)
        self.message_user(
            request, gettext("%(count)d will be sent now.") % {"count": count}
        )


@admin.register(AnnouncementAttempt)
class AnnouncementAttemptAdmin(ReadOnlyAdmin):
    list_display = ("delivery", "at", "http_status", "error", "took_ms")
    list_filter = ("http_status",)
    list_select_related = ("delivery",)
    search_fields = ("delivery__id", "http_status", "error")


@admin.register(Seal)
class SealAdmin(ReadOnlyAdmin):
    list_display = ("seq", "event", "hash")
    list_select_related = ("event",)
    search_fields = ("seq", "hash")


@admin.register(Chain)
class ChainAdmin(ReadOnlyAdmin):
    list_display = ("seq", "hash", "updated_at")
    search_fields = ("seq", "hash")


@admin.register(Unsealed)
class UnsealedAdmin(ReadOnlyAdmin):
    list_display = ("event_id",)
    search_fields = ("event_id",)
