"""Admin of accounts, keys and agents, which can be changed; and of jobs, which are read-only."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agenthub.accounts import api_keys, one_time_reveal, signing_secrets
from agenthub.accounts.permissions import record_resending
from agenthub.models import (
    Account,
    Agent,
    AgentJob,
    ApiKey,
    Attempt,
    CheckRun,
    Delivery,
    SigningSecret,
    ToolRun,
)
from compliance.pages.admin import (
    ReadOnlyAdmin,
    ReadOnlyInline,
    SettingsAdmin,
    as_json,
    as_text,
)
from compliance.pages.secrets_form import SecretsForm

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@admin.register(Account)
class AccountAdmin(SettingsAdmin):
    list_display = ("name", "is_active", "created_at")
    list_filter = ("is_active",)
    search_fields = ("name",)


# The key of request.META under which save_model passes a new secret to response_add.
NEW_SECRET = "agenthub.new_secret"  # noqa: S105 - a name


class SecretAdmin(SettingsAdmin):
    """Admin of rows with a new secret, which the page after the form shows once."""

    reveal_title: StrOrPromise

    def response_add(
        self,
        request: HttpRequest,
        obj: ApiKey | SigningSecret,
        post_url_continue: str | None = None,
    ) -> HttpResponse:
        raw = request.META.pop(NEW_SECRET, None)
        if raw is None:
            return super().response_add(request, obj, post_url_continue)
        name = one_time_reveal.keep(
            request, raw=raw, made=str(obj), account=str(obj.account)
        )
        address = reverse(f"admin:{self._address}_new_secret", args=[name])
        # 303 See Other: reloading the next page must not create another secret.
        return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.reveal, cacheable=False)
        page = path("new-secret/<str:name>/", view, name=f"{self._address}_new_secret")
        return [page, *super().get_urls()]

    @property
    def _address(self) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}"

    def reveal(self, request: HttpRequest, name: str) -> HttpResponse:
        """The only page that shows the secret, only at the first request."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        back = f"admin:{self._address}_changelist"
        values = None
        # HEAD would consume the secret without showing it.
        if request.method == "GET":
            values = one_time_reveal.take(request, name)
        if values is None:
            words = _(
                "It was shown before, and is not kept. Make another if it is lost."
            )
            self.message_user(request, words, messages.INFO)
            return HttpResponseRedirect(reverse(back))
        context = {
            **self.admin_site.each_context(request),
            **values,
            "opts": self.opts,
            "title": self.reveal_title,
            "back": back,
        }
        response = TemplateResponse(request, "admin/agenthub/new_secret.html", context)
        response["Cache-Control"] = "no-store"
        return response


class SigningSecretForm(SecretsForm):
    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)
        if self.instance._state.adding and "secret" in self.fields:
            self.fields["secret"].required = False
            self.fields["secret"].help_text = _(
                "Leave empty to have one made, which is shown once and signs in a day."
            )


@admin.register(SigningSecret)
class SigningSecretAdmin(SecretAdmin):
    form = SigningSecretForm
    reveal_title = gettext_lazy("The new signing secret")
    list_display = ("__str__", "account", "created_at", "signs_from", "expires_at")
    list_filter = ("account",)
    list_select_related = ("account",)
    search_fields = ("account__name",)

    def save_model(
        self,
        request: HttpRequest,
        obj: SigningSecret,
        form: SecretsForm,
        change: bool,  # noqa: FBT001
    ) -> None:
        if change or obj.secret:
            super().save_model(request, obj, form, change)
            return
        # Empty: generate one, and show it after the form.
        secret, raw = signing_secrets.rotate(obj.account)
        obj.pk, obj.created_at = secret.pk, secret.created_at
        request.META[NEW_SECRET] = raw


class AgentAdminForm(SecretsForm):
    """An agent as JSON, validated like the form on the agent's page."""

    def clean(self) -> dict[str, object]:
        # Imported here: they load the checks, and every process loads the admin.
        from agenthub.agents import configuration, requirements

        cleaned = super().clean() or self.cleaned_data
        kind = cleaned.get("kind", self.instance.kind)
        rules = {
            "checks": configuration.clean_checks,
            "requirements": requirements.clean,
        }
        for name, rule in rules.items():
            try:
                cleaned[name] = rule(cleaned.get(name) or [], kind=kind)
            except ValidationError as exc:
                self.add_error(name, exc)
        return cleaned


@admin.register(Agent)
class AgentAdmin(SettingsAdmin):
    form = AgentAdminForm
    list_display = ("name", "kind", "account", "is_active", "created_at")
    list_filter = ("kind", "is_active", "account")
    list_select_related = ("account",)
    search_fields = ("name",)


@admin.register(ApiKey)
class ApiKeyAdmin(SecretAdmin):
    """API keys: a new key is shown once. Afterwards it can only be revoked or given an end."""

    reveal_title = gettext_lazy("The new API key")
    list_display = ("prefix", "name", "account", "created_at", "expires_at", "last_used_at", "revoked_at")  # fmt: skip
    list_filter = ("account",)
    list_select_related = ("account",)
    search_fields = ("name", "prefix")
    actions = ("revoke",)

    def get_fields(
        self, request: HttpRequest, obj: Model | None = None
    ) -> tuple[str, ...]:
        typed = ("account", "name", "expires_at")
        if obj:
            return (*typed, "prefix", "created_at", "last_used_at", "revoked_at")
        return typed

    def get_readonly_fields(
        self, request: HttpRequest, obj: Model | None = None
    ) -> tuple[str, ...]:
        if obj:
            return ("account", "prefix", "created_at", "last_used_at", "revoked_at")
        return ()

    def has_delete_permission(
        self, request: HttpRequest, obj: Model | None = None
    ) -> bool:
        return False

    def save_model(
        self,
        request: HttpRequest,
        obj: ApiKey,
        form: SecretsForm,
        change: bool,  # noqa: FBT001
    ) -> None:
        if change:
            super().save_model(request, obj, form, change)
            return
        key, raw = api_keys.create(
            obj.account, name=obj.name, expires_at=obj.expires_at
        )
        obj.pk, obj.prefix, obj.digest, obj.created_at = (
            key.pk,
            key.prefix,
            key.digest,
            key.created_at,
        )
        request.META[NEW_SECRET] = raw

    @admin.action(
        description=gettext_lazy("Revoke the selected keys"), permissions=["change"]
    )
    def revoke(self, request: HttpRequest, chosen: QuerySet[ApiKey]) -> None:
        for key in chosen:
            api_keys.revoke(key)
        self.message_user(
            request, _("Revoked: %(count)s.") % {"count": len(chosen)}, messages.SUCCESS
        )


class CheckRunInline(ReadOnlyInline):
    model = CheckRun
    fields = ("check_id", "status", "created_at", "updated_at")
    readonly_fields = fields


class DeliveryInline(ReadOnlyInline):
    model = Delivery
    fields = ("kind", "tool_id", "status", "tries", "created_at")
    readonly_fields = fields


@admin.register(AgentJob)
class AgentJobAdmin(ReadOnlyAdmin):
    list_display = (
        "job_id",
        "agent",
        "case_id",
        "status",
        "recommendation",
        "created_at",
    )
    list_filter = ("status", "account", "agent")
    list_select_related = ("agent",)
    search_fields = ("job_id", "case_id")
    date_hierarchy = "created_at"
    heavy = ("input_payload", "status_messages", "check_ids")
    fields = (
        "job_id", "account", "agent", "case_id", "status", "recommendation", "error", "check_ids",
        "webhook_url", "tool_webhook_url", "created_at", "updated_at", "due_at", "leased_until",
        "claim_count", "request_body",
    )  # fmt: skip
    readonly_fields = fields
    inlines = (CheckRunInline, DeliveryInline)

    @admin.display(description=gettext_lazy("Request"))
    def request_body(self, job: AgentJob) -> SafeString:
        return as_json(job.input_payload)


class ToolRunInline(ReadOnlyInline):
    model = ToolRun
    fields = ("tool_id", "document", "created_at")
    readonly_fields = fields


@admin.register(CheckRun)
class CheckRunAdmin(ReadOnlyAdmin):
    list_display = ("check_id", "job", "status", "created_at", "updated_at")
    list_filter = ("status",)
    list_select_related = ("job",)
    search_fields = ("check_id", "job__job_id", "job__case_id")
    date_hierarchy = "created_at"
    heavy = ("result", "status_messages")
    fields = (
        "job",
        "check_id",
        "status",
        "created_at",
        "updated_at",
        "verbatim",
        "progress",
    )
    readonly_fields = fields
    inlines = (ToolRunInline,)

    @admin.display(description=gettext_lazy("Result"))
    def verbatim(self, run: CheckRun) -> SafeString:
        return as_json(run.result)

    @admin.display(description=gettext_lazy("Status messages"))
    def progress(self, run: CheckRun) -> SafeString:
        return as_json(run.status_messages)


@admin.register(ToolRun)
class ToolRunAdmin(ReadOnlyAdmin):
    list_display = ("tool_id", "check_run", "document", "created_at")
    list_select_related = ("check_run",)
    search_fields = ("tool_id", "check_run__job__job_id")
    date_hierarchy = "created_at"
    heavy = ("results",)
    fields = ("check_run", "tool_id", "document", "created_at", "verbatim")
    readonly_fields = fields

    @admin.display(description=gettext_lazy("Results"))
    def verbatim(self, run: ToolRun) -> SafeString:
        return as_json(run.results)


class AttemptInline(ReadOnlyInline):
    model = Attempt
    fields = ("at", "http_status", "error", "took_ms")
    readonly_fields = fields


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    list_display = ("id", "kind", "tool_id", "job", "status", "tries", "created_at")
    list_filter = ("status", "kind")
    list_select_related = ("job",)
    search_fields = ("id", "job__job_id", "job__case_id", "tool_id")
    date_hierarchy = "created_at"
    heavy = ("body", "url")
    fields = (
        "id", "kind", "tool_id", "job", "status", "tries", "created_at", "updated_at", "due_at",
        "leased_until", "claim_count", "content",
    )  # fmt: skip
    readonly_fields = fields
    inlines = (AttemptInline,)
    actions = ("send_again",)

    @admin.display(description=gettext_lazy("Body"))
    def content(self, delivery: Delivery) -> SafeString:
        return as_text(delivery.body)

    @admin.action(
        description=gettext_lazy("Send the selected deliveries again"),
        permissions=["resend"],
    )
    def send_again(self, request: HttpRequest, chosen: QuerySet[Delivery]) -> None:
        from agenthub.deliveries import sending

        due_again = []
        for delivery in chosen:
            if sending.send_again(delivery):
                due_again.append(delivery)
        record_resending(request, due_again)
        words = _("Queued to be sent again: %(count)s.") % {"count": len(due_again)}
        self.message_user(request, words, messages.SUCCESS)

    def has_resend_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("agenthub.change_delivery")


@admin.register(Attempt)
class AttemptAdmin(ReadOnlyAdmin):
    list_display = ("at", "delivery", "http_status", "error", "took_ms")
    list_filter = ("http_status",)
    list_select_related = ("delivery",)
    search_fields = ("delivery__id", "error")
    date_hierarchy = "at"
    heavy = ("response",)
    fields = ("at", "delivery", "http_status", "error", "took_ms", "answer")
    readonly_fields = fields

    @admin.display(description=gettext_lazy("Answer"))
    def answer(self, attempt: Attempt) -> SafeString:
        return as_text(attempt.response)
