"""Who may do what: a role is a group with the permissions of its acts.

The verbs ask require(), so that pages, REST and commands hold to one rule.
"""

from __future__ import annotations

from typing import TypeVar

from django.apps import AppConfig
from django.contrib.auth.models import AnonymousUser, Group, Permission, User
from django.core.exceptions import PermissionDenied
from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from reviews.models import Agent, Case, Connection

Row = TypeVar("Row", bound=Model)

# The names of the groups. Duties are apart: who decides sets no rules, who sets the rules or manages
# users decides nothing. A small team gives one person several roles.
ANALYST = "analyst"
SENIOR = "senior"
# Users, connections, tokens. Django's admin also needs the user to be "staff".
ADMINISTRATOR = "administrator"
# Rules for a second person, reason codes and SLAs.
RULE_OWNER = "rule owner"
AUDITOR = "auditor"
INTEGRATOR = "integrator"

# Permissions, as "app.codename".
SUBMIT = "reviews.add_case"
RUN_AGAIN = "reviews.change_case"
REVIEW = "reviews.review_case"
DECIDE = "reviews.decide_case"
APPROVE = "reviews.approve_case"
REOPEN = "reviews.reopen_case"
NOTE = "reviews.note_case"
# To add and end relations of parties, and to join and part parties.
PARTIES = "reviews.change_party"
# To search the lists of a service; each search is kept.
LOOK_UP = "reviews.add_lookup"
EXPORT = "reviews.export_case"
EVERY_CASE = "reviews.view_every_case"
PAYLOAD = "reviews.view_payload_case"
# To create tokens of one's own; to see, create and revoke those of all.
TOKEN, EVERY_TOKEN = "reviews.add_apitoken", "reviews.change_apitoken"
SUBSCRIBE = "reviews.change_subscription"
# To have a webhook applied again that was not.
REPLAY = "reviews.change_connection"
# To see who looked at which case.
READS = "reviews.view_read"
# To release files from quarantine, or to remove them.
RELEASE = "reviews.release_file"
# Privacy: to see rules, holds and erasures; to hold a case; to plan an erasure; to agree to that of
# somebody else; to take everything about one subject.
PRIVACY = "reviews.view_erasure"
HOLD = "reviews.add_legalhold"
ERASE = "reviews.add_erasure"
CONFIRM_ERASURE = "reviews.confirm_erasure"
# To change what applicants see of the sender.
ORGANISE = "reviews.change_organisation"
# To make versions of the risk policy, and to make one live.
RISK_POLICY = "reviews.change_riskpolicy"
# To make versions of the decision policy, and to propose and release them; to switch approvals by
# itself on; to stop them at once.
DECISION_POLICY = "reviews.change_decisionpolicy"
SWITCH_APPROVALS = "reviews.change_approvalswitch"
STOP_APPROVALS = "reviews.stop_approvalswitch"
# To see how often second looks differ, and from whom.
ERROR_RATES = "reviews.view_secondlook"
# To see how good the hits of the screening are; to make versions of its thresholds, and to propose and
# release them.
SCREENING_QUALITY = "reviews.view_hitlabel"
SCREENING_POLICY = "reviews.change_screeningpolicy"
# To make versions of procedures, and to make one live.
PROCEDURES = "reviews.change_procedure"
# To know of reports of suspicious activity, and to write and file them. The second person needs APPROVE.
SEE_SUSPICIONS = "reviews.view_suspicionreport"
SUSPECT = "reviews.add_suspicionreport"
# To enter what FinCEN's form asks of the institution.
FILING_SETUP = "reviews.change_reportinginstitution"
# To change what the desk stores of a service.
CONNECT = "reviews.change_connection"

_READ = {
    "reviews.view_case",
    "reviews.view_document",
    "reviews.view_page",
    "reviews.view_job",
    "reviews.view_checkresult",
    "reviews.view_caseevent",
    "reviews.view_decision",
    "reviews.view_bulkapproval",
    "reviews.view_note",
    "reviews.view_caserating",
    "reviews.view_ratingoverride",
    "reviews.view_periodicreview",
    "reviews.view_riskpolicy",
    "reviews.view_procedure",
    "reviews.view_decisionpolicy",
    "reviews.view_approvalswitch",
}
_ANALYST = _READ | {
    SUBMIT,
    RUN_AGAIN,
    REVIEW,
    DECIDE,
    NOTE,
    EXPORT,
    PAYLOAD,
    TOKEN,
    PARTIES,
    SEE_SUSPICIONS,
    SUSPECT,
    LOOK_UP,
}
_SENIOR = _ANALYST | {APPROVE, REOPEN, STOP_APPROVALS, ERROR_RATES, SCREENING_QUALITY}


def _manage(*models: str) -> set[str]:
    """All permissions for these models of the desk."""
    permissions = set()
    for model in models:
        for act in ("view", "add", "change", "delete"):
            permissions.add(f"reviews.{act}_{model}")
    return permissions


_SYSTEM = _manage("agent", "connection", "subscription", "tag", "team", "webhooksecret")
_RULES = _manage("clock", "foureyesrule", "reasoncode", "retentionrule") | {
    RISK_POLICY,
    PROCEDURES,
    DECISION_POLICY,
    SWITCH_APPROVALS,
    STOP_APPROVALS,
    ERROR_RATES,
    SCREENING_QUALITY,
    SCREENING_POLICY,
    FILING_SETUP,
    # A second person approves the row that a proposal adds.
    "reviews.add_reportinginstitution",
}
_SEE_PRIVACY = {
    PRIVACY,
    "reviews.view_legalhold",
    "reviews.view_retentionrule",
}
_PRIVACY = _SEE_PRIVACY | {HOLD, ERASE, CONFIRM_ERASURE}
# What nobody does any more to a case that was erased.
_ACTS = {SUBMIT, RUN_AGAIN, REVIEW, DECIDE, APPROVE, REOPEN, NOTE, PARTIES, LOOK_UP}
ERASED = gettext_lazy(
    "The personal data of this case were erased: nothing more is done with it."
)
# Users are never deleted: the trail names them.
_USERS = {"auth.add_user", "auth.change_user", "auth.view_user", "auth.view_group"}
# What browsers report, the queues, and the directory: people, roles and its tokens.
_INSTALLATION = {
    "compliance.view_tally",
    "compliance.view_cspreport",
    "compliance.view_directorygroup",
    "compliance.view_directorytoken",
    "compliance.change_directorytoken",
}
# What each role may do.
ROLES = {
    ANALYST: _ANALYST,
    SENIOR: _SENIOR,
    ADMINISTRATOR: _READ
    | _SYSTEM
    | _USERS
    | _INSTALLATION
    | _PRIVACY
    | {EVERY_CASE, PAYLOAD, RELEASE, TOKEN, EVERY_TOKEN, "reviews.view_apitoken"}
    | {ORGANISE},
    RULE_OWNER: _READ | _RULES | _SEE_PRIVACY | {"reviews.view_agent"},
    AUDITOR: _READ
    | _SEE_PRIVACY
    | {
        EXPORT,
        EVERY_CASE,
        PAYLOAD,
        READS,
        SEE_SUSPICIONS,
        ERROR_RATES,
        SCREENING_QUALITY,
    },
    # Another system: it submits, and reads what became of it.
    INTEGRATOR: _READ | {SUBMIT},
}


def ensure(sender: AppConfig, **_: object) -> None:
    """Create the groups, and give each the permissions above. Connected to post_migrate."""
    for role, role_permissions in ROLES.items():
        group, _is_new = Group.objects.get_or_create(name=role)
        condition = Q()
        for permission in role_permissions:
            app, codename = permission.split(".")
            condition |= Q(content_type__app_label=app, codename=codename)
        rows = Permission.objects.filter(condition)
        group.permissions.set(rows)


def _codename(permission: str) -> str:
    return permission.partition(".")[2]


def require(actor: User, permission: str, case: Case | None = None) -> None:
    """Raise PermissionDenied unless `actor` may do this, to this case."""
    if not actor.has_perm(permission):
        act = _codename(permission)
        raise PermissionDenied(
            _("Your role does not allow this (%(act)s).") % {"act": act}
        )
    if case is None:
        return
    # As it is now: the case may have been erased since it was read.
    rows = visible(actor).filter(pk=case.pk)
    row = rows.values_list("erased_at").first()
    if row is None:
        raise PermissionDenied(_("This case belongs to another team."))
    (erased_at,) = row
    if erased_at is not None and permission in _ACTS:
        raise PermissionDenied(ERASED)


def reviewers(user: User) -> QuerySet[User]:
    """Active people who may review a case that the user sees, too; by name."""
    has_permission = Q(groups__permissions__codename=_codename(REVIEW))
    is_superuser = Q(is_superuser=True)
    users = User.objects.filter(is_superuser | has_permission, is_active=True)
    ids = connection_ids(user)
    if ids is not None:
        is_for_all = Connection.objects.filter(pk__in=ids, teams=None)
        if not is_for_all.exists():
            sees_every_case = Q(groups__permissions__codename=_codename(EVERY_CASE))
            is_in_team = Q(teams__connections__in=ids)
            users = users.filter(is_in_team | is_superuser | sees_every_case)
    return users.distinct().order_by("username")


def connection_ids(user: User | AnonymousUser) -> list[int] | None:
    """The connections whose cases the user sees; None where that is all of them."""
    if user.has_perm(EVERY_CASE):
        return None
    # Read once for each user object, as Django does with permissions: that is once a request.
    if not hasattr(user, "_connection_ids"):
        setattr(user, "_connection_ids", _connection_ids(user))  # noqa: B010 - unknown to the model
    ids: list[int] | None = getattr(user, "_connection_ids")  # noqa: B009
    return ids


def _connection_ids(user: User | AnonymousUser) -> list[int] | None:
    # Without teams everybody sees all cases.
    if not Connection.objects.filter(teams__isnull=False).exists():
        return None
    is_for_all = Q(teams__isnull=True)
    is_member = Q(teams__members=user.pk)
    rows = Connection.objects.filter(is_for_all | is_member)
    ids = rows.distinct().values_list("pk", flat=True)
    return list(ids)


def only_visible(
    user: User | AnonymousUser, rows: QuerySet[Row], path: str
) -> QuerySet[Row]:
    """Those of `rows` that the user may see; `path` leads from a row to its connection."""
    ids = connection_ids(user)
    if ids is None:
        return rows
    return rows.filter(**{f"{path}__in": ids})


def visible(user: User | AnonymousUser) -> QuerySet[Case]:
    """The cases that the user may see."""
    return only_visible(user, Case.objects.all(), "connection")


def agents(user: User | AnonymousUser) -> QuerySet[Agent]:
    """The agents that the user may send cases to: active, and of a connection that they see."""
    rows = Agent.objects.filter(is_active=True, connection__is_active=True)
    rows = rows.select_related("connection")
    return only_visible(user, rows, "connection")


def choices(user: User | AnonymousUser, *, kind: str) -> list[Agent]:
    """Those of `agents` that examine a kind of case, with their connections, by name."""
    rows = agents(user).filter(kind=kind)
    by_name = rows.order_by("connection__name", "name")
    return list(by_name)


def require_agent(actor: User, agent: Agent) -> None:
    """Raise PermissionDenied unless `actor` may send cases to this agent."""
    require(actor, SUBMIT)
    ids = connection_ids(actor)
    if ids is not None and agent.connection_id not in ids:
        raise PermissionDenied(_("This agent belongs to another team."))


def colleagues(case: Case, permission: str) -> QuerySet[User]:
    """Active people who may do this to the case, by name."""
    is_superuser = Q(is_superuser=True)
    may_act = is_superuser | _has_permission(permission)
    users = User.objects.filter(may_act, is_active=True)
    if case.connection.teams.exists():
        is_in_team = Q(teams__connections=case.connection_id)
        sees_every_case = _has_permission(EVERY_CASE)
        sees_case = is_in_team | is_superuser | sees_every_case
        users = users.filter(sees_case)
    return users.distinct().order_by("username")


def _has_permission(permission: str) -> Q:
    """Whether a role of a user has it."""
    return Q(groups__permissions__codename=_codename(permission))
