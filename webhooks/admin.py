"""Admin of the webhooks that services sent, for administrators who look for one."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.http import signatures
from compliance.pages.admin import ReadOnlyAdmin, as_json, as_text
from reviews.access.decorators import person_of
from webhooks import events
from webhooks.models import Event


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    list_display = ("id", "connection", "status", "job", "reason", "received_at")
    list_filter = ("status", "connection")
    list_select_related = ("connection", "job")
    search_fields = ("job__remote_id", "job__case__reference", "reason")
    date_hierarchy = "received_at"
    heavy = ("body", "headers", "digest")
    fields = (
        "connection", "status", "reason", "job", "secret", "received_at", "sha256", "signed_in",
        "header_lines", "content", "due_at", "leased_until", "claim_count",
    )  # fmt: skip
    readonly_fields = fields
    actions = ("replay",)

    @admin.action(
        description=gettext_lazy("Replay webhooks that were not applied"),
        permissions=["view"],
    )
    def replay(self, request: HttpRequest, rows: QuerySet[Event]) -> None:
        actor = person_of(request)
        count = 0
        for event in rows.select_related("job__case"):
            count += events.replay(event, actor=actor)
        self.message_user(request, _("%(count)d will be replayed.") % {"count": count})

    @admin.display(description=gettext_lazy("Digest"))
    def sha256(self, event: Event) -> str:
        return event.sha256

    @admin.display(description=gettext_lazy("Headers"))
    def header_lines(self, event: Event) -> SafeString:
        return as_json(signatures.without(event.headers))

    @admin.display(description=gettext_lazy("Signed in"))
    def signed_in(self, event: Event) -> str:
        return _(" and ").join(signatures.kinds(event.headers))

    @admin.display(description=gettext_lazy("Body"))
    def content(self, event: Event) -> SafeString:
        return as_text(event.body)
