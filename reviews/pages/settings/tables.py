"""The tables of settings that have a list and a form of the same shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import Model
from django.utils.translation import gettext_lazy as _

from reviews.access import teams
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
from reviews.pages.settings.forms import (
    ClockForm,
    FourEyesRuleForm,
    ReasonCodeForm,
    RetentionRuleForm,
    ServiceAgentForm,
    ServiceForm,
    TeamForm,
    WebhookSecretForm,
    WebhookSubscriptionForm,
)

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True)
class SettingsTable:
    """A table of settings.

    `slug` is its name in addresses. `columns` are fields of the form, the first of which leads to the
    row. `addition` names the button for a new row. `relations` and `many` are read together with the rows. `can_remove`: otherwise rows are only switched
    off, because cases refer to them.
    """

    slug: str
    model: type[Model]
    form: type[forms.ModelForm[Any]]
    columns: tuple[str, ...]
    title: StrOrPromise
    addition: StrOrPromise
    purpose: StrOrPromise
    relations: tuple[str, ...] = ()
    many: tuple[str, ...] = ()
    can_remove: bool = True
    # Whether an installation starts with rows, whose names are shown in the reader's language.
    has_first_rows: bool = False
    # Whether rows belong to a connection: people see and make those of connections that they see.
    is_of_connections: bool = False
    # Says why a row cannot be removed, as a sentence; empty if it can.
    objection: Callable[..., str] = lambda _row: ""
    # The page of the menu under which it is reached. Empty: its own.
    menu_page: str = ""

    @property
    def nav(self) -> str:
        return self.menu_page or f"settings-{self.slug}"

    def permission(self, act: str) -> str:
        """The name of the permission to "add", "change" or "delete" rows."""
        meta = self.model._meta
        return f"{meta.app_label}.{act}_{meta.model_name}"


_TABLES = (
    SettingsTable(
        "four-eyes-rules",
        FourEyesRule,
        FourEyesRuleForm,
        ("name", "condition", "threshold", "outcome", "agent", "is_active"),
        _("Second person"),
        _("New rule"),
        _(
            "When one person is not enough to decide. One rule that fits a case asks for a second."
        ),
        has_first_rows=True,
        relations=("agent__connection",),
    ),
    SettingsTable(
        "reasons",
        ReasonCode,
        ReasonCodeForm,
        ("code", "label", "outcome", "claim", "is_active"),
        _("Reasons"),
        _("New reason"),
        _(
            "What a decision may name as its reason. Decisions keep the words that they were made with."
        ),
        has_first_rows=True,
    ),
    SettingsTable(
        "time-limits",
        Clock,
        ClockForm,
        ("name", "minutes", "agent", "risk", "is_active"),
        _("Time limits"),
        _("New time limit"),
        _("How soon a case is due (SLA)."),
        has_first_rows=True,
        relations=("agent__connection",),
    ),
    SettingsTable(
        "retention-rules",
        RetentionRule,
        RetentionRuleForm,
        ("name", "kind", "outcome", "months", "clock", "is_active"),
        _("Retention rules"),
        _("New rule"),
        _(
            "How long cases are kept. Without a rule nothing is erased. A hold keeps a case longer."
        ),
    ),
    SettingsTable(
        "teams",
        Team,
        TeamForm,
        ("name", "members", "connections"),
        _("Teams"),
        _("New team"),
        _(
            "People who share services. As long as no service has a team, all see all cases."
        ),
        many=("members", "connections"),
        objection=teams.objection_to_removal,
    ),
    SettingsTable(
        "connections",
        Connection,
        ServiceForm,
        ("name", "slug", "base_url", "is_active"),
        _("Services"),
        _("New service"),
        _(
            "The services that the desk calls. One that is switched off gets no new jobs."
        ),
        can_remove=False,
        menu_page="connections",
    ),
    SettingsTable(
        "agents",
        Agent,
        ServiceAgentForm,
        ("name", "kind", "connection", "is_active"),
        _("Agents"),
        _("New agent"),
        _("Which agents of the services get cases of a kind."),
        relations=("connection",),
        can_remove=False,
        menu_page="connections",
    ),
    SettingsTable(
        "webhook-secrets",
        WebhookSecret,
        WebhookSecretForm,
        ("name", "connection", "active_until"),
        _("Webhook secrets"),
        _("New secret"),
        _(
            "With which services sign. Several are valid at once, so that one can be replaced without loss."
        ),
        relations=("connection",),
        menu_page="connections",
    ),
    SettingsTable(
        "webhook-subscriptions",
        Subscription,
        WebhookSubscriptionForm,
        ("name", "url", "connection", "is_active"),
        _("Webhook subscriptions"),
        _("New subscription"),
        _("Your systems that get signed webhooks about events of cases."),
        relations=("connection",),
        is_of_connections=True,
    ),
)
TABLES = {table.slug: table for table in _TABLES}
