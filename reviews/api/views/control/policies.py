"""The decision policy over REST: its versions, and what their what-ifs came to."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http.api.operations import operation
from compliance.http.api.schemas import one_of
from reviews.access import roles
from reviews.api import paging, serialisation
from reviews.api.base import DeskView
from reviews.decisions.policies import automatic, error_rates, trials, versions
from reviews.decisions.policies.error_rates import Group
from reviews.models import DecisionPolicy, DecisionTrial, Scope
from reviews.wire import JsonObject

_FILTERS = {"status": one_of(DecisionPolicy.Status.values)}


class DecisionPolicies(DeskView):
    @operation(
        "The versions of the decision policy, and what their newest what-ifs came to",
        Scope.READ, answer="DecisionPolicies", query={**_FILTERS, **paging.QUERY},
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        roles.require(self.actor, "reviews.view_decisionpolicy")
        rows = DecisionPolicy.objects.filter(**self.filters(_FILTERS))
        return self.list_response(rows.select_related("made_by"), _policy)


def _policy(row: DecisionPolicy) -> JsonObject:
    is_live = row.status == DecisionPolicy.Status.LIVE
    trial = versions.newest_trial(row)
    return {
        "number": row.number,
        "status": row.status,
        "note": row.note,
        "made_by": serialisation.who(row.made_by),
        "made_at": row.made_at,
        "live_at": row.live_at,
        "sha256": versions.digest(row),
        "allows_automatic_approval": is_live and automatic.is_on(),
        "trial": _trial(trial) if trial else None,
        **versions.content_of(row).to_json(),
    }


def _trial(row: DecisionTrial) -> JsonObject:
    open_ones = row.contradictions.filter(acknowledged_by=None)
    return {
        "status": row.status,
        "begun_at": row.begun_at,
        "ended_at": row.ended_at,
        "cases": row.done,
        "counts": {name: row.counts.get(name, 0) for name in trials.FIGURES},
        "not_acknowledged": open_ones.count(),
    }


class ErrorRates(DeskView):
    @operation(
        "How often second looks came to another outcome than the decision", Scope.READ,
        answer="ErrorRates",
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        roles.require(self.actor, roles.ERROR_RATES)
        figures = error_rates.visible(self.actor)
        return Response(
            {
                "all": _group(figures.all),
                "agents": [_group(row) for row in figures.agents],
                "versions": [_group(row) for row in figures.versions],
                "people": [_group(row) for row in figures.people],
            }
        )


def _group(row: Group) -> JsonObject:
    return {
        "name": row.name,
        "looks": row.differ.of,
        "differ": row.differ.count,
        "rate": row.differ.rate,
        "low": row.differ.low,
        "high": row.differ.high,
    }
