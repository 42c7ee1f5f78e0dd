"""Who may do what: a role is a group with the permissions of its acts.

The verbs ask require(), so that pages, REST and commands hold to one rule.
"""

from __future__ import annotations

from typing import Any, TypeVar

from django.apps import AppConfig
from django.contrib.auth.models import AnonymousUser, Group, Permission, User
from django.core.exceptions import PermissionDenied
from django.db.models import Model, Q, QuerySet

from compliance.db import fast_sql
from reviews.models import Agent, Case, Connection

Row = TypeVar("Row", bound=Model)

# Role → permissions as "app.codename". An administrator also gets into Django's admin.
ANALYST, SENIOR, ADMINISTRATOR = "analyst", "senior", "administrator"
AUDITOR, INTEGRATOR = "auditor", "integrator"

_READ = {
    f"reviews.view_{model}"
    for model in ("case", "document", "page", "job", "checkresult", "caseevent", "decision", "note")
}
REVIEW, DECIDE, APPROVE, REOPEN, NOTE, EXPORT = (
    f"reviews.{act}_case" for act in ("review", "decide", "approve", "reopen", "note", "export")
)
SUBMIT, RUN_AGAIN, EVERY_CASE, PAYLOAD = (
    "reviews.add_case",
    "reviews.change_case",
    "reviews.view_every_case",
    "reviews.view_payload_case",
)
# Making tokens of one's own; seeing, making and revoking those of all.
TOKEN, EVERY_TOKEN = "reviews.add_apitoken", "reviews.change_apitoken"
SUBSCRIBE = "reviews.change_subscription"
# Having a webhook that was not applied taken up anew.
REPLAY = "reviews.change_connection"
# Changing what the desk keeps of a service.
CONNECT = "reviews.change_connection"
_ANALYST = _READ | {SUBMIT, RUN_AGAIN, REVIEW, DECIDE, NOTE, EXPORT, PAYLOAD, TOKEN}
_SENIOR = _ANALYST | {APPROVE, REOPEN}
_SETTINGS = {
    f"reviews.{act}_{model}"
    for model in ("reasoncode", "foureyesrule", "team", "subscription", "tag", "clock")
    for act in ("view", "add", "change", "delete")
}
ROLES = {
    ANALYST: _ANALYST,
    SENIOR: _SENIOR,
    ADMINISTRATOR: _SENIOR | _SETTINGS | {EVERY_CASE, EVERY_TOKEN, "reviews.view_apitoken", REPLAY},
    AUDITOR: _READ | {EXPORT, EVERY_CASE, PAYLOAD},
    # Another system: it submits, and reads what became of it.
    INTEGRATOR: _READ | {SUBMIT},
}


def ensure(sender: AppConfig, **_: Any) -> None:
    """Make the groups, and give each the permissions above. Connected to post_migrate."""
    for name, wanted in ROLES.items():
        group, _created = Group.objects.get_or_create(name=name)
        codenames = {entry.partition(".")[2] for entry in wanted}
        permissions = Permission.objects.filter(
            content_type__app_label="reviews", codename__in=codenames
        )
        group.permissions.set(permissions)


def require(actor: User, permission: str, case: Case | None = None) -> None:
    """Raise PermissionDenied unless `actor` may do this, to this case."""
    if not actor.has_perm(permission):
        raise PermissionDenied(f"Your role does not allow this ({permission.split('.')[1]}).")
    if case is not None and not visible(actor).filter(pk=case.pk).exists():
        raise PermissionDenied("This case belongs to another team.")


def connection_ids(user: User | AnonymousUser) -> list[int] | None:
    """The connections whose cases the user sees; None where that is all of them."""
    if user.has_perm(EVERY_CASE):
        return None
    # Once for each user that is read, as Django keeps their permissions: that is once a request.
    if not hasattr(user, "_connection_ids"):
        setattr(user, "_connection_ids", _connection_ids(user))  # noqa: B010 - unknown to the model
    ids: list[int] | None = getattr(user, "_connection_ids")  # noqa: B009
    return ids


def _connection_ids(user: User | AnonymousUser) -> list[int] | None:
    if not Connection.objects.filter(teams__isnull=False).exists():
        return None
    own = Q(teams__members=user.pk)
    rows = Connection.objects.filter(Q(teams__isnull=True) | own).distinct()
    return list(rows.values_list("pk", flat=True))


def only_seen(user: User | AnonymousUser, rows: QuerySet[Row], path: str) -> QuerySet[Row]:
    """Those of `rows` that the user may see; `path` leads from a row to its connection."""
    seen = connection_ids(user)
    return rows if seen is None else rows.filter(**{f"{path}__in": seen})


def visible(user: User | AnonymousUser) -> QuerySet[Case]:
    """The cases that the user may see."""
    return only_seen(user, Case.objects.all(), "connection")


def agents(user: User | AnonymousUser) -> QuerySet[Agent]:
    """The agents that the user may give cases to: active, and of a connection that they see."""
    rows = Agent.objects.filter(is_active=True, connection__is_active=True)
    return only_seen(user, rows, "connection").select_related("connection")


def choices(user: User | AnonymousUser, *, kind: str) -> list[Agent]:
    """Those of `agents` that examine a kind of case, with their connections, by name."""
    seen = connection_ids(user)
    open_ones = fast_sql.fetch_models(Connection, is_active=True)
    by_key = {each.pk: each for each in open_ones if seen is None or each.pk in seen}
    found = fast_sql.fetch_models(Agent, kind=kind, is_active=True)
    chosen = [agent for agent in found if agent.connection_id in by_key]
    for agent in chosen:
        agent.connection = by_key[agent.connection_id]
    return sorted(chosen, key=lambda agent: (agent.connection.name, agent.name))


def require_agent(actor: User, agent: Agent) -> None:
    """Raise PermissionDenied unless `actor` may give cases to this agent."""
    require(actor, SUBMIT)
    seen = connection_ids(actor)
    if seen is not None and agent.connection_id not in seen:
        raise PermissionDenied("This agent belongs to another team.")


def colleagues(case: Case, permission: str) -> QuerySet[User]:
    """Active people who may do this to the case, by name."""
    codename = permission.partition(".")[2]
    able = Q(is_superuser=True) | Q(groups__permissions__codename=codename)
    found = User.objects.filter(able, is_active=True)
    if case.connection.teams.exists():
        every = Q(groups__permissions__codename=EVERY_CASE.partition(".")[2])
        own = Q(teams__connections=case.connection_id)
        found = found.filter(own | Q(is_superuser=True) | every)
    return found.distinct().order_by("username")
