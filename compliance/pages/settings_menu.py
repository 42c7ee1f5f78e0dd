"""The menu of settings in the rail: pages that are not part of the daily work on cases."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True)
class SettingsPage:
    """A link of the menu.

    `nav` is what the context of the page itself has under this name. Who lacks one of `permissions`
    does not see the link.
    """

    url_name: str
    nav: str
    label: StrOrPromise
    icon: str
    permissions: tuple[str, ...]
    keys: str = ""
    arguments: tuple[str, ...] = ()
    is_of_desk: bool = True
    is_for_staff: bool = False

    @cached_property
    def url(self) -> str:
        return reverse(self.url_name, args=self.arguments)


@dataclass(frozen=True)
class SettingsGroup:
    title: StrOrPromise
    pages: tuple[SettingsPage, ...]


@dataclass(frozen=True)
class SettingsMenu:
    groups: tuple[SettingsGroup, ...]
    is_here: bool


GROUPS = (
    SettingsGroup(
        _("Rules"),
        (
            SettingsPage(
                "risk",
                "risk",
                _("Risk policy"),
                "gavel",
                ("reviews.change_riskpolicy",),
                "g k",
            ),
            SettingsPage(
                "decision-policy",
                "decision-policy",
                _("Decision policy"),
                "scale",
                ("reviews.stop_approvalswitch",),
            ),
            SettingsPage(
                "settings-table",
                "settings-four-eyes-rules",
                _("Second person"),
                "signature",
                ("reviews.change_foureyesrule",),
                arguments=("four-eyes-rules",),
            ),
            SettingsPage(
                "settings-table",
                "settings-reasons",
                _("Reasons"),
                "tag",
                ("reviews.change_reasoncode",),
                arguments=("reasons",),
            ),
            SettingsPage(
                "settings-table",
                "settings-time-limits",
                _("Time limits"),
                "timer",
                ("reviews.change_clock",),
                arguments=("time-limits",),
            ),
            SettingsPage(
                "screening-quality",
                "screening-quality",
                _("Screening quality"),
                "scan-search",
                ("reviews.view_hitlabel",),
            ),
            SettingsPage(
                "procedures",
                "procedures",
                _("Procedures"),
                "badge-check",
                ("reviews.change_procedure",),
            ),
        ),
    ),
    SettingsGroup(
        _("Records"),
        (
            SettingsPage(
                "reads", "reads", _("Who read what"), "eye", ("reviews.view_read",)
            ),
            SettingsPage(
                "privacy",
                "privacy",
                _("Privacy"),
                "hourglass",
                ("reviews.view_erasure",),
            ),
            SettingsPage(
                "settings-table",
                "settings-retention-rules",
                _("Retention rules"),
                "history",
                ("reviews.change_retentionrule",),
                arguments=("retention-rules",),
            ),
            SettingsPage(
                "reporting-institution",
                "reporting-institution",
                _("Reporting to FinCEN"),
                "stamp",
                ("reviews.change_reportinginstitution",),
            ),
        ),
    ),
    SettingsGroup(
        _("Installation"),
        (
            SettingsPage(
                "people",
                "people",
                _("People"),
                "user-cog",
                ("auth.view_user", "reviews.view_case"),
                "g e",
            ),
            SettingsPage(
                "settings-table",
                "settings-teams",
                _("Teams"),
                "id-card",
                ("reviews.change_team",),
                arguments=("teams",),
            ),
            SettingsPage(
                "tokens",
                "tokens",
                _("API tokens"),
                "key-round",
                ("reviews.add_apitoken",),
                "g t",
            ),
            SettingsPage(
                "connections",
                "connections",
                _("Services"),
                "send",
                ("reviews.change_connection",),
                "g c",
            ),
            SettingsPage(
                "settings-table",
                "settings-webhook-subscriptions",
                _("Webhook subscriptions"),
                "arrow-up-right",
                ("reviews.change_subscription",),
                arguments=("webhook-subscriptions",),
            ),
            SettingsPage(
                "organisation",
                "organisation",
                _("Organisation"),
                "building-2",
                ("reviews.change_organisation",),
                "g o",
            ),
            SettingsPage(
                "hub",
                "hub",
                _("Agent hub"),
                "package",
                ("agenthub.change_account",),
                "g b",
                is_of_desk=False,
            ),
            SettingsPage(
                "queues",
                "operation",
                _("Work queues"),
                "gauge",
                ("compliance.view_tally",),
                "g u",
                is_of_desk=False,
            ),
            SettingsPage(
                "admin:index",
                "admin",
                _("Administration"),
                "lock",
                (),
                "g a",
                is_of_desk=False,
                is_for_staff=True,
            ),
        ),
    ),
)


def menu_for(user: User | AnonymousUser, nav: str | None) -> SettingsMenu:
    """The groups with the pages that the person may open, without empty groups.

    `nav` is that of the page on which the menu stands.
    """
    groups = []
    for group in GROUPS:
        pages = tuple(page for page in group.pages if _may_open(user, page))
        if pages:
            groups.append(SettingsGroup(group.title, pages))
    is_here = any(page.nav == nav for group in groups for page in group.pages)
    return SettingsMenu(tuple(groups), is_here)


def _may_open(user: User | AnonymousUser, page: SettingsPage) -> bool:
    if page.is_of_desk and not settings.DESK_ENABLED:
        return False
    if page.url_name == "hub" and not settings.HUB_ENABLED:
        return False
    if page.is_for_staff and not user.is_staff:
        return False
    return user.has_perms(page.permissions)
