"""Endpoints for policies: versions of decision and risk policies, trials, screening quality."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial

from django.db.models import Q
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http.api.operations import operation
from compliance.http.api.schemas import INTEGER, Schema, one_of
from reviews.access import roles
from reviews.api import paging, serialisation
from reviews.api.base import DeskView
from reviews.decisions.automatic import approvals
from reviews.decisions.automatic.trials import FIGURES
from reviews.decisions.policies import error_rates, versions
from reviews.decisions.policies.error_rates import Group, Interval
from reviews.findings import hit_labels, thresholds
from reviews.findings.values import figures as fields
from reviews.findings.values.figures import FieldFigures
from reviews.models import (
    DecisionPolicy,
    DecisionTrial,
    PolicyTrial,
    RiskPolicy,
    Scope,
    ScreeningPolicy,
)
from reviews.risk import batches
from reviews.risk import policies as risk_policies
from reviews.risk.batches import Progress
from reviews.screening import quality
from reviews.screening import versions as screening_versions
from reviews.versions import trials
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
        is_open = Q(contradictions__acknowledged_by=None)
        newest = trials.newest(DecisionTrial, "contradictions", is_open)
        rows = rows.select_related("made_by").prefetch_related(newest)
        return self.list_response(rows, _policy)


def _policy(row: DecisionPolicy) -> JsonObject:
    is_live = row.status == DecisionPolicy.Status.LIVE
    trial = next(iter(row.trials.all()), None)
    return {
        "number": row.number,
        "status": row.status,
        "note": row.note,
        "made_by": serialisation.who(row.made_by),
        "made_at": row.made_at,
        "live_at": row.live_at,
        "sha256": versions.digest(row),
        "allows_automatic_approval": is_live and approvals.is_on(),
        "trial": _trial(trial) if trial else None,
        **versions.content_of(row).to_json(),
    }


def _trial(row: DecisionTrial) -> JsonObject:
    return {
        "status": row.status,
        "begun_at": row.begun_at,
        "ended_at": row.ended_at,
        "cases": row.done,
        "counts": {name: row.counts.get(name, 0) for name in FIGURES},
        # Each of these blocks the version from going live.
        "not_acknowledged": row.counted,  # type: ignore[attr-defined]
    }


class RiskPolicies(DeskView):
    @operation(
        "The versions of the risk policy, their newest what-ifs, and how far cases follow them",
        Scope.READ, answer="RiskPolicies", query={**_FILTERS, **paging.QUERY},
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        roles.require(self.actor, "reviews.view_riskpolicy")
        rows = RiskPolicy.objects.filter(**self.filters(_FILTERS))
        newest = trials.newest(PolicyTrial, "changes")
        rows = rows.select_related("made_by").prefetch_related(newest)
        to_wire = partial(_risk_policy, progress=batches.progress_by_policy())
        return self.list_response(rows, to_wire)


def _risk_policy(row: RiskPolicy, progress: Mapping[int, Progress]) -> JsonObject:
    trial = next(iter(row.trials.all()), None)
    following = progress.get(row.pk)
    return {
        "number": row.number,
        "status": row.status,
        "note": row.note,
        "made_by": serialisation.who(row.made_by),
        "made_at": row.made_at,
        "live_at": row.live_at,
        "sha256": risk_policies.digest(row),
        "trial": _risk_trial(trial) if trial else None,
        "following": asdict(following) if following else None,
    }


def _risk_trial(row: PolicyTrial) -> JsonObject:
    return {
        "status": row.status,
        "begun_at": row.begun_at,
        "ended_at": row.ended_at,
        "cases": row.done,
        "total": row.total,
        "changed": row.counted,  # type: ignore[attr-defined]
        "unread": row.unread,
    }


class ErrorRates(DeskView):
    @operation(
        "How often second looks came to another outcome than the decision, and how people settled "
        "fields of documents", Scope.READ, answer="ErrorRates",
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
                "fields": [_field(row) for row in fields.visible(self.actor)],
            }
        )


def _field(row: FieldFigures) -> JsonObject:
    return {
        "document_kind": row.kind,
        "field": row.field,
        "unsure": row.unsure,
        "first": row.first,
        "other": row.other,
        "none": row.none,
        "absent": row.absent,
        "given": row.given,
        "corrected": row.corrected,
    }


def _group(row: Group) -> JsonObject:
    return {
        "name": row.name,
        "looks": row.differ.of,
        "differ": row.differ.count,
        "rate": row.differ.rate,
        "low": row.differ.low,
        "high": row.differ.high,
    }


_VERSION: dict[str, Schema] = {
    "version": {**INTEGER, "description": "Without it: the one in force."}
}


class ScreeningQuality(DeskView):
    # Only figures and names of lists, so nothing about a subject.
    is_of_cases = False

    @operation(
        "How many hits people confirmed and dismissed, and what a version of the thresholds would do",
        Scope.READ, answer="ScreeningQuality", query=_VERSION, errors=(404,),
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        roles.require(self.actor, roles.SCREENING_QUALITY)
        live = screening_versions.live()
        number = self.filters(_VERSION).get("version")
        version = live
        if number is not None:
            version = get_object_or_404(ScreeningPolicy, number=number)
        before, after = thresholds.content_of(live), thresholds.content_of(version)
        rows = quality.tallies(hit_labels.visible(self.actor))
        figures = quality.quality(rows, after)
        change = quality.change(rows, before, after)
        return Response(
            {
                "version": version.number if version else None,
                "status": version.status if version else None,
                "live_at": version.live_at if version else None,
                **after.to_json(),
                "lost": change.lost,
                "gone": change.gone,
                "all": _quality(figures.all),
                "lists": list(map(_quality, figures.lists)),
                "scripts": list(map(_quality, figures.scripts)),
                "lists_and_scripts": list(map(_quality, figures.lists_and_scripts)),
                "bands": list(map(_quality, figures.bands)),
            }
        )


def _quality(row: quality.Group) -> JsonObject:
    return {
        "name": row.name,
        "hits": row.count,
        "ask": row.precision.of,
        "precision": _interval(row.precision),
        "confirmed": row.recall.of,
        "recall": _interval(row.recall),
    }


def _interval(row: Interval) -> JsonObject | None:
    """The rate with its interval; None if there is nothing to count."""
    if not row.of:
        return None
    return {"rate": row.rate, "low": row.low, "high": row.high}
