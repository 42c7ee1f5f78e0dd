"""Forms of the tables of settings: rules, reasons, time limits, teams, services and subscriptions."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from compliance.http.api.form_fields import RowChoices
from compliance.pages.admin import MomentInput
from compliance.pages.secrets_form import SecretsForm
from reviews.models import (
    Agent,
    Clock,
    Connection,
    FourEyesRule,
    ReasonCode,
    RetentionRule,
    Subscription,
    Team,
    WebhookSecret,
)
from reviews.service.forms import AgentForm, ConnectionForm
from reviews.subscriptions.forms import SubscriptionForm

IS_ACTIVE = _("Active")


class FourEyesRuleForm(forms.ModelForm[FourEyesRule]):
    class Meta:
        model = FourEyesRule
        fields = ("name", "condition", "threshold", "outcome", "agent", "is_active")
        labels = {
            "name": _("Name"),
            "condition": _("A second person is needed"),
            "threshold": _("Threshold"),
            "outcome": _("Outcome"),
            "agent": _("Agent"),
            "is_active": IS_ACTIVE,
        }
        help_texts = {
            "threshold": _("Of RISK indicators. Other conditions do not read it."),
            "outcome": _("Empty: both."),
            "agent": _("Empty: any."),
        }


class ReasonCodeForm(forms.ModelForm[ReasonCode]):
    class Meta:
        model = ReasonCode
        fields = ("code", "label", "hint", "outcome", "claim", "is_active")
        labels = {
            "code": _("Code"),
            "label": _("Reason"),
            "hint": _("Hint"),
            "outcome": _("Outcome"),
            "claim": _("What it says of the case"),
            "is_active": IS_ACTIVE,
        }
        help_texts = {
            "hint": _("Shown in small letters beside the reason."),
            "claim": _("Where that is not so, the reason is refused."),
        }


class ClockForm(forms.ModelForm[Clock]):
    class Meta:
        model = Clock
        fields = ("name", "minutes", "agent", "risk", "is_active")
        labels = {
            "name": _("Name"),
            "minutes": _("Minutes"),
            "agent": _("Agent"),
            "risk": _("Adverse findings, at least"),
            "is_active": IS_ACTIVE,
        }
        help_texts = {
            "minutes": _("From the submission to the decision."),
            "agent": _("Empty: any."),
            "risk": _("0: all cases. Of several limits the shortest applies."),
        }


class RetentionRuleForm(forms.ModelForm[RetentionRule]):
    class Meta:
        model = RetentionRule
        fields = ("name", "kind", "outcome", "months", "clock", "is_active")
        labels = {
            "name": _("Name"),
            "kind": _("Kind"),
            "outcome": _("Outcome"),
            "months": _("Months"),
            "clock": _("Counted from"),
            "is_active": IS_ACTIVE,
        }
        help_texts = {
            "kind": _("Empty: both."),
            "outcome": _("Empty: every case that was decided."),
            "months": _("Cases are kept so long, and then their erasure is planned."),
            "is_active": _("A rule does nothing until it is active."),
        }


class TeamForm(forms.ModelForm[Team]):
    class Meta:
        model = Team
        fields = ("name", "members", "connections")
        labels = {
            "name": _("Name"),
            "members": _("Members"),
            "connections": _("Services"),
        }
        help_texts = {
            "connections": _(
                "Only members see the cases of these. A service of no team is for all."
            )
        }
        widgets = {
            "members": forms.CheckboxSelectMultiple,
            "connections": forms.CheckboxSelectMultiple,
        }
        field_classes = {"members": RowChoices, "connections": RowChoices}


class ServiceForm(ConnectionForm):
    class Meta:
        model = Connection
        fields = (
            "name",
            "slug",
            "base_url",
            "api_key",
            "compact_header",
            "is_active",
        )
        labels = {
            "name": _("Name"),
            "slug": _("Short name"),
            "base_url": _("Address"),
            "api_key": _("API key"),
            "compact_header": _("Header of the compact signature"),
            "is_active": IS_ACTIVE,
        }
        help_texts = {
            "slug": _("In the address to which the service sends webhooks."),
            "base_url": _("Ends in the path prefix, such as /api/v1."),
            "compact_header": _("As this service names it."),
        }


class ServiceAgentForm(AgentForm):
    class Meta:
        model = Agent
        fields = ("connection", "kind", "name", "agent_key", "is_active")
        labels = {
            "connection": _("Service"),
            "kind": _("Kind"),
            "name": _("Name"),
            "agent_key": _("Agent key"),
            "is_active": IS_ACTIVE,
        }
        help_texts = {"agent_key": _("By which the service knows the agent.")}


class WebhookSecretForm(SecretsForm):
    class Meta:
        model = WebhookSecret
        fields = ("connection", "name", "secret", "active_until")
        labels = {
            "connection": _("Service"),
            "name": _("Name"),
            "secret": _("Secret"),
            "active_until": _("Valid until"),
        }
        help_texts = {
            "secret": _("With which the service signs its webhooks."),
            "active_until": _("Empty: no end."),
        }
        widgets = {"active_until": MomentInput}


class WebhookSubscriptionForm(SubscriptionForm):
    class Meta:
        model = Subscription
        fields = ("name", "url", "secret", "connection", "events", "is_active")
        labels = {
            "name": _("Name"),
            "url": _("Address"),
            "secret": _("Secret"),
            "connection": _("Service"),
            "is_active": IS_ACTIVE,
        }
        help_texts = {
            "secret": _("Signs what is sent."),
            "connection": _("Only cases of this service. Empty: all."),
        }
