"""Versions of the decision policy: the live one, drafts, and making a draft live."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.core.cache import caches
from django.db import transaction
from django.db.models import Model
from django.utils.translation import gettext as _

from compliance.approvals.models import Proposal
from reviews.access import roles
from reviews.decisions.policies.content import EMPTY, Demands, Policy, digest_of
from reviews.models import Agent, Case, DecisionPolicy, DecisionTrial, RiskBand
from reviews.risk.engine.policy import PolicyError
from reviews.versions import versions
from reviews.wire import JsonObject

Status = DecisionPolicy.Status
# Seconds for which a page may show the demands of the previous version.
CACHE_SECONDS = 5


def live() -> DecisionPolicy | None:
    """The version that applies to decisions now; None before the first one is live."""
    return DecisionPolicy.objects.filter(status=Status.LIVE).first()


def cached_live() -> DecisionPolicy | None:
    """The live version, at most CACHE_SECONDS old. Code that decides must call `live`."""
    # The cache takes None for a missing entry, so the version is wrapped in a list.
    kept = caches["memory"].get_or_set("decision_policy", _live_in_list, CACHE_SECONDS)
    return kept[0] if kept else None


def _live_in_list() -> list[DecisionPolicy | None]:
    return [live()]


def content_of(version: DecisionPolicy | None) -> Policy:
    if version is None:
        return EMPTY
    return Policy.from_json(version.content)


def demands_on(case: Case, version: DecisionPolicy | None) -> Demands:
    """What a version demands of a case with its present agent and risk band."""
    band = RiskBand(case.risk_band).word
    return content_of(version).demands(case.agent_id, band)


def digest(version: DecisionPolicy) -> str:
    return digest_of(version.content)


@transaction.atomic
def draft(*, actor: User, content: JsonObject, note: str) -> DecisionPolicy:
    """Create a draft. It applies to no decision before it is made live.

    Raises PolicyError, RefusedError and PermissionDenied.
    """
    roles.require(actor, roles.DECISION_POLICY)
    policy = Policy.from_json(content)
    rule_agents = {rule.agent for rule in policy.rules if rule.agent is not None}
    agent_ids = set(
        Agent.objects.filter(pk__in=rule_agents).values_list("pk", flat=True)
    )
    if rule_agents - agent_ids:
        raise PolicyError([_("A rule names an agent that there is not.")])
    rows = DecisionPolicy.objects.all()
    return versions.draft(rows, actor=actor, note=note, content=policy.to_json())


def newest_trial(version: DecisionPolicy) -> DecisionTrial | None:
    rows = DecisionTrial.objects.filter(policy=version)
    return rows.select_related("by", "against", "policy").first()


def obstacles(version: DecisionPolicy) -> list[str]:
    """Why this version cannot be made live now, as sentences."""
    current = live()
    faults = versions.obstacles(version, current)
    if faults:
        return faults
    trial = newest_trial(version)
    if trial is None or trial.status != DecisionTrial.Status.DONE:
        return [_("Try it on past decisions, and look at what differs first.")]
    # A trial against another live version has compared something else.
    if trial.against_id != (current.pk if current else None):
        return [_("Another version is live since it was tried. Try it again.")]
    open_ones = trial.contradictions.filter(acknowledged_by=None).count()
    if open_ones:
        words = _(
            "%(count)s cases that it would approve automatically were decided otherwise, and nobody has"
            " acknowledged that yet."
        )
        return [words % {"count": open_ones}]
    return []


def make_live(version: DecisionPolicy, *, actor: User) -> Proposal | None:
    """Propose to make this version live. A second person always has to agree.

    Raises RefusedError and PermissionDenied.
    """
    return versions.make_live(
        version,
        actor=actor,
        permission=roles.DECISION_POLICY,
        find_live=live,
        find_obstacles=obstacles,
    )


def objection(actor: User, row: Model) -> str:
    """Why this person may not release the version, as a sentence; "" if they may."""
    assert isinstance(row, DecisionPolicy)  # noqa: S101 - by its registration
    # The proposal also retires the present live version, which anybody may have written.
    if row.status == Status.DRAFT and row.made_by_id == actor.pk:
        return _("You wrote this version: somebody else must release it.")
    return ""


def obstacle(row: Model) -> str:
    """Why this version may not be released now, as a sentence; "" if it may."""
    assert isinstance(row, DecisionPolicy)  # noqa: S101 - by its registration
    if row.status != Status.DRAFT:
        # The proposal also retires the present live version. That row needs no check.
        return ""
    return " ".join(obstacles(row))
