"""The rating of a case as the page, the report and the REST interface show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from compliance.db import masks
from reviews.models import (
    Band,
    Case,
    CaseRating,
    Party,
    RatingOverride,
    RatingState,
    RiskPolicy,
)
from reviews.parties import profile, share_words
from reviews.parties.visibility import Person
from reviews.risk import overrides, ratings, words
from reviews.risk.engine.factors import FACTORS
from reviews.risk.engine.inputs import InputsError
from reviews.risk.ownership.factor import FACTOR
from reviews.wire import JsonObject

COLORS = {
    Band.LOW: "pass",
    Band.MEDIUM: "info",
    Band.HIGH: "warn",
    Band.PROHIBITED: "fail",
}


@dataclass(frozen=True)
class RatingView:
    """The newest rating, and the override by a person that is in force or proposed."""

    state: RatingState
    rating: CaseRating
    policy: RiskPolicy
    override: RatingOverride | None
    # Who reads it: names of parties are read by what this person may see.
    reader: Person | None = None

    @classmethod
    def of(cls, case: Case, reader: Person | None = None) -> RatingView | None:
        """The view of a case; None if it is not rated yet."""
        state = ratings.of(case)
        if state is None or state.rating is None:
            return None
        policy = state.policy or state.rating.policy
        return cls(state, state.rating, policy, overrides.current(case), reader)

    @cached_property
    def result(self) -> JsonObject:
        """The contributions, overrides and unknown factors by the version that it follows.

        Without them where names are hidden: they are words about the case, and numbers for them.
        """
        if masks.is_hidden():
            return {}
        if self.policy.pk != self.rating.policy_id:
            # The version gives the same score and band. Its weights and reasons may be others.
            try:
                return ratings.by_version(self.rating, self.policy)
            except InputsError:
                # They were erased with the case.
                pass
        if isinstance(self.rating.result, dict):
            return self.rating.result
        return {}

    @property
    def is_due(self) -> bool:
        """Whether a worker rates it again: something has changed, or another version is live."""
        is_live = self.policy.status == RiskPolicy.Status.LIVE
        return self.state.due_at is not None or not is_live

    @property
    def band(self) -> str:
        return str(Band(self.state.band).label)

    @property
    def color(self) -> str:
        return COLORS[Band(self.state.band)]

    @property
    def band_of_policy(self) -> str:
        return self.rating.get_band_display()

    @cached_property
    def contributions(self) -> Sequence[JsonObject]:
        """The contributions, the greatest first; those that add nothing come last."""
        rows = []
        for row in _rows(self.result, "contributions"):
            factor = FACTORS.get(row["factor"])
            if factor:
                group = words.GROUPS[factor.group]
            else:
                group = ""
            texts = words.contribution(row, self._names)
            rows.append({**texts, "group": group})
        rows.sort(key=lambda row: -int(row["amount"]))
        return rows

    @cached_property
    def owners(self) -> Sequence[tuple[int, str]]:
        """The parties that the factor of listed owners names, each with its name."""
        return list(self._names.items())

    @cached_property
    def ownership(self) -> str:
        """What the factor of listed owners says, if it adds to the score; else ""."""
        for row in self.contributions:
            if row["factor"] == FACTOR and row["points"]:
                return str(row["words"])
        return ""

    @cached_property
    def _names(self) -> dict[int, str]:
        keys: list[int] = []
        for row in _rows(self.result, "contributions"):
            if row["factor"] == FACTOR:
                keys = share_words.parties_in(str(row["words"]))
        if self.reader is None or not keys:
            return {}
        parties = Party.objects.in_bulk(keys)
        heads = {key: party.head_id_or_own for key, party in parties.items()}
        names = profile.names_of(self.reader, set(heads.values()))
        return {key: names[head] for key, head in heads.items() if head in names}

    @property
    def overrides(self) -> Sequence[str]:
        return _rows(self.result, "overrides")

    @property
    def unknown(self) -> Sequence[str]:
        return [words.title_of(title) for title in _rows(self.result, "unknown")]

    @property
    def is_capped(self) -> bool:
        total = sum(int(row["amount"]) for row in self.contributions)
        return total > self.rating.score

    @property
    def other_bands(self) -> list[tuple[str, str]]:
        """The bands that a person may choose, each with its label."""
        was = self.rating.band
        choices = []
        for band in Band:
            steps = overrides.ORDER.index(band) - overrides.ORDER.index(was)
            # Not the present band, and at most one step down; see overrides.make().
            if was == Band.PROHIBITED or steps == 0 or steps < -1:
                continue
            label = str(band.label)
            if steps < 0:
                label = _("%(band)s, with a second person") % {"band": label}
            choices.append((band.value, label))
        return choices

    def to_wire(self) -> dict[str, object]:
        result = self.result
        return {
            "band": self.state.band,
            "score": self.rating.score,
            "band_of_policy": self.rating.band,
            "policy": self.policy.number,
            "rated_at": self.rating.at,
            "is_due": self.is_due,
            "contributions": result.get("contributions", []),
            "overrides": result.get("overrides", []),
            "unknown": result.get("unknown", []),
            "override": override_to_wire(self.override) if self.override else None,
        }


def override_to_wire(row: RatingOverride) -> dict[str, object]:
    return {
        "id": row.pk,
        "status": row.status,
        "was": row.was,
        "band": row.band,
        "reason": row.reason,
        "made_by": row.made_by.get_username(),
        "made_at": row.made_at,
        "second_by": row.second_by.get_username() if row.second_by else "",
        "second_at": row.second_at,
        "ended_at": row.ended_at,
    }


def rating_to_wire(row: CaseRating) -> dict[str, object]:
    """The rating with its inputs, so that an outsider can compute it again."""
    return {
        "at": row.at,
        "policy": row.policy.number,
        "score": row.score,
        "band": row.band,
        "inputs": row.inputs,
        "result": row.result,
    }


def _rows(result: JsonObject, name: str) -> Sequence[Any]:
    rows = result.get(name)
    return rows if isinstance(rows, list) else []
