"""Who may do what: a role is a Django group with a set of permissions.

The functions that act call require(), so pages, REST and commands follow the same rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from django.apps import AppConfig
from django.contrib.auth.models import AnonymousUser, Group, Permission, User
from django.core.exceptions import PermissionDenied
from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext as _

from reviews.audit.trail import ERASED
from reviews.models import Agent, Case, Connection, Team

Row = TypeVar("Row", bound=Model)

# Names of the groups. Duties are separated: those who decide cases do not set the rules; those who
# set rules or manage users do not decide. In a small team one person may have several roles.
ANALYST = "analyst"
SENIOR = "senior"
# Manages users, connections and tokens. Django's admin also requires `is_staff`.
ADMINISTRATOR = "administrator"
# Sets the rules for second reviewers, reason codes and SLAs.
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
# Add and end relations of parties; join parties and separate them.
PARTIES = "reviews.change_party"
# Search the lists of a service. Each search is stored.
LOOK_UP = "reviews.add_lookup"
EXPORT = "reviews.export_case"
EVERY_CASE = "reviews.view_every_case"
PAYLOAD = "reviews.view_payload_case"
# The first: create tokens for oneself. The second: list, create and revoke the tokens of all users.
TOKEN, EVERY_TOKEN = "reviews.add_apitoken", "reviews.change_apitoken"
SUBSCRIBE = "reviews.change_subscription"
# Apply a webhook again that failed.
REPLAY = "reviews.change_connection"
# See who read which case.
READS = "reviews.view_read"
# Release or remove files in quarantine.
RELEASE = "reviews.release_file"
# Privacy. PRIVACY: see rules, holds and erasures. HOLD: put a legal hold on a case. ERASE: plan an
# erasure. CONFIRM_ERASURE: confirm an erasure that another user planned.
PRIVACY = "reviews.view_erasure"
HOLD = "reviews.add_legalhold"
ERASE = "reviews.add_erasure"
CONFIRM_ERASURE = "reviews.confirm_erasure"
# Change what applicants see about the sender.
ORGANISE = "reviews.change_organisation"
# Write versions of the risk policy and activate one.
RISK_POLICY = "reviews.change_riskpolicy"
# DECISION_POLICY: write, propose and release versions of the decision policy. SWITCH_APPROVALS:
# turn automatic approval on. STOP_APPROVALS: stop it immediately.
DECISION_POLICY = "reviews.change_decisionpolicy"
SWITCH_APPROVALS = "reviews.change_approvalswitch"
STOP_APPROVALS = "reviews.stop_approvalswitch"
# See how often second reviews differ, and from whose decisions.
ERROR_RATES = "reviews.view_secondlook"
# The first: see the quality of screening hits. The second: write, propose and release versions of
# the screening thresholds.
SCREENING_QUALITY = "reviews.view_hitlabel"
SCREENING_POLICY = "reviews.change_screeningpolicy"
# Write versions of procedures and activate one.
PROCEDURES = "reviews.change_procedure"
# The first: know that suspicious activity reports exist. The second: write and file them. The
# second reviewer needs APPROVE.
SEE_SUSPICIONS = "reviews.view_suspicionreport"
SUSPECT = "reviews.add_suspicionreport"
# Enter what FinCEN's form asks about the institution.
FILING_SETUP = "reviews.change_reportinginstitution"
# Change the settings of a connection.
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
    """All four model permissions of Django for these models."""
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
    # A change proposal may add the row; the second person who approves it needs this.
    "reviews.add_reportinginstitution",
}
_SEE_PRIVACY = {
    PRIVACY,
    "reviews.view_legalhold",
    "reviews.view_retentionrule",
}
_PRIVACY = _SEE_PRIVACY | {HOLD, ERASE, CONFIRM_ERASURE}
# Acts that are refused on a case whose data were erased.
_ACTS = {SUBMIT, RUN_AGAIN, REVIEW, DECIDE, APPROVE, REOPEN, NOTE, PARTIES, LOOK_UP}
# No role may delete users, because the audit trail refers to them.
_USERS = {"auth.add_user", "auth.change_user", "auth.view_user", "auth.view_group"}
# CSP reports, queues, and the directory (SCIM): users, groups and its tokens.
_INSTALLATION = {
    "compliance.view_tally",
    "compliance.view_cspreport",
    "compliance.view_directorygroup",
    "compliance.view_directorytoken",
    "compliance.change_directorytoken",
}
# The permissions of each role.
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
    # Another system: it submits cases and reads their results.
    INTEGRATOR: _READ | {SUBMIT},
}


def ensure(sender: AppConfig, **_: object) -> None:
    """Create the groups and set their permissions to exactly those above. Connected to
    post_migrate.
    """
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
    """Raise PermissionDenied unless `actor` has this permission and may see this case."""
    if not actor.has_perm(permission):
        act = _codename(permission)
        raise PermissionDenied(
            _("Your role does not allow this (%(act)s).") % {"act": act}
        )
    if case is None:
        return
    # Read from the database, because the case may have been erased since it was loaded.
    rows = visible(actor).filter(pk=case.pk)
    row = rows.values_list("erased_at").first()
    if row is None:
        raise PermissionDenied(_("This case belongs to another team."))
    (erased_at,) = row
    if erased_at is not None and permission in _ACTS:
        raise PermissionDenied(ERASED)


def reviewers(user: User) -> QuerySet[User]:
    """Active users who may review a case that `user` sees, sorted by name."""
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


@dataclass(frozen=True)
class Audience:
    """Everybody who sees the cases of one connection.

    What is stored with a case may say only what all of them see. `connections` are those whose
    cases they all see; None means all connections.
    """

    connections: list[int] | None

    @classmethod
    def of(cls, connection: int) -> Audience:
        pairs = Team.connections.through.objects
        teams_of: dict[int, set[int]] = {}
        for key, team in pairs.values_list("connection_id", "team_id"):
            teams_of.setdefault(key, set()).add(team)
        # As long as no connection has a team, everybody sees all cases.
        if not teams_of:
            return cls(None)
        own = teams_of.get(connection, set())
        keys = []
        for key in Connection.objects.values_list("pk", flat=True):
            teams = teams_of.get(key)
            is_for_all = teams is None
            if is_for_all or (own and own <= teams_of[key]):
                keys.append(key)
        return cls(keys)


def connection_ids(user: User | AnonymousUser | Audience) -> list[int] | None:
    """The connections whose cases the user sees. None means all connections."""
    if isinstance(user, Audience):
        return user.connections
    if user.has_perm(EVERY_CASE):
        return None
    # Cached on the user object as Django does with permissions, so read once per request.
    if not hasattr(user, "_connection_ids"):
        setattr(user, "_connection_ids", _connection_ids(user))  # noqa: B010 - unknown to the model
    ids: list[int] | None = getattr(user, "_connection_ids")  # noqa: B009
    return ids


def _connection_ids(user: User | AnonymousUser) -> list[int] | None:
    # As long as no connection has a team, everybody sees all cases.
    if not Team.connections.through.objects.exists():
        return None
    is_for_all = Q(teams__isnull=True)
    is_member = Q(teams__members=user.pk)
    rows = Connection.objects.filter(is_for_all | is_member)
    ids = rows.distinct().values_list("pk", flat=True)
    return list(ids)


def only_visible(
    user: User | AnonymousUser | Audience, rows: QuerySet[Row], path: str
) -> QuerySet[Row]:
    """The rows that the user may see. `path` is the lookup from a row to its connection."""
    ids = connection_ids(user)
    if ids is None:
        return rows
    return rows.filter(**{f"{path}__in": ids})


def visible(user: User | AnonymousUser) -> QuerySet[Case]:
    """The cases that the user may see."""
    return only_visible(user, Case.objects.all(), "connection")


def agents(user: User | AnonymousUser) -> QuerySet[Agent]:
    """Active agents that the user may send cases to, on active connections that the user sees."""
    rows = Agent.objects.filter(
        is_active=True,
        connection__is_active=True,
    )
    rows = rows.select_related("connection")
    return only_visible(user, rows, "connection")


def choices(user: User | AnonymousUser, *, kind: str) -> list[Agent]:
    """The agents for one kind of case, with their connections, sorted by name."""
    rows = agents(user).filter(kind=kind)
    by_name = rows.order_by("connection__name", "name")
    return list(by_name)


def require_agent(actor: User, agent: Agent) -> None:
    """Raise PermissionDenied unless `actor` may send cases to this agent."""
    require(actor, SUBMIT)
    ids = connection_ids(actor)
    if ids is not None and agent.connection_id not in ids:
        raise PermissionDenied(_("This agent belongs to another team."))


def deactivation_of(proposer: User | None) -> str:
    """Why nobody may agree to what this person has proposed, as a sentence; empty if they may.

    Of the two people of a proposal both must be able to act when it is agreed to.
    """
    if proposer is None:
        return ""
    # The account may have been deactivated after the row was loaded.
    if User.objects.filter(pk=proposer.pk, is_active=True).exists():
        return ""
    sentence = _("%(person)s was deactivated after this proposal. Send it back.")
    return sentence % {"person": proposer.get_username()}


def holders(permission: str) -> QuerySet[User]:
    """Active users who have the permission, of all teams."""
    may_act = Q(is_superuser=True) | _has_permission(permission)
    return User.objects.filter(may_act, is_active=True)


def colleagues(case: Case, permission: str) -> QuerySet[User]:
    """Active users who have the permission and may see the case, sorted by name."""
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
    """A filter for users with a role that has the permission."""
    return Q(groups__permissions__codename=_codename(permission))
