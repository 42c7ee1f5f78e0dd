"""The computation of a rating: the score, the band, and the contribution of each factor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reviews.risk.engine.factors import FACTORS, UNKNOWN
from reviews.risk.engine.inputs import Inputs, Value
from reviews.risk.engine.policy import BANDS, MOST_POINTS, Band, Policy

MOST_NAMED = 5  # values that the words of one contribution name


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one factor adds to the score.

    `label` is its label with the most points; `amount` is the weighted share of these points.
    """

    factor: str
    title: str
    label: str
    words: str
    points: int
    weight: int
    amount: int
    is_unknown: bool

    def to_json(self) -> dict[str, Any]:
        # Written out: dataclasses.asdict() takes ten times longer, and a new policy rates all.
        return {
            "factor": self.factor,
            "title": self.title,
            "label": self.label,
            "words": self.words,
            "points": self.points,
            "weight": self.weight,
            "amount": self.amount,
            "is_unknown": self.is_unknown,
        }


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating: its score from 0 to 100, its band, and the reasons.

    - `band_of_score`: the band without overrides
    - `contributions`: in the order of the factors; they add up to the score, which is capped at
      100
    - `overrides`: the reasons of the overrides that apply
    - `unknown`: the titles of the factors without a value
    """

    score: int
    band: Band
    band_of_score: Band
    contributions: Sequence[Contribution]
    overrides: Sequence[str]
    unknown: Sequence[str]

    def to_json(self) -> dict[str, Any]:
        return {
            "score": self.score,
            "band": self.band,
            "band_of_score": self.band_of_score,
            "contributions": [row.to_json() for row in self.contributions],
            "overrides": list(self.overrides),
            "unknown": list(self.unknown),
        }


def worse(first: Band, second: Band) -> Band:
    return max(first, second, key=BANDS.index)


def rate(inputs: Inputs, policy: Policy) -> Rating:
    """Compute the rating. Equal inputs and an equal policy give an equal rating."""
    contributions = []
    labels: dict[str, set[str]] = {}
    for name in FACTORS:
        value = inputs.values.get(name)
        if value is None:
            # The factor does not apply to this kind of customer.
            continue
        by_label = policy.labels_of(name, value.values) or {UNKNOWN: []}
        contributions.append(_contribution(name, value, by_label, policy))
        labels[name] = set(by_label)
    score = min(MOST_POINTS, sum(row.amount for row in contributions))
    band_of_score = policy.band_of(score)
    band = band_of_score
    reasons = []
    for override in policy.overrides:
        if override.labels & labels.get(override.factor, set()):
            reasons.append(override.reason)
            band = worse(band, override.band)
    return Rating(
        score=score,
        band=band,
        band_of_score=band_of_score,
        contributions=contributions,
        overrides=reasons,
        unknown=[row.title for row in contributions if row.is_unknown],
    )


def _contribution(
    name: str, value: Value, by_label: Mapping[str, Sequence[str]], policy: Policy
) -> Contribution:
    """`by_label`: the labels that the policy gives the values, each with its values."""
    rule = policy.factors[name]
    # Among labels with equal points the first by name, so that the order of values makes no
    # difference.
    label = min(by_label, key=lambda each: (-rule.points[each], each))
    return Contribution(
        factor=name,
        title=FACTORS[name].title,
        label=label,
        words=_words(name, label, by_label[label], value, policy),
        points=rule.points[label],
        weight=rule.weight,
        amount=rule.contribution(label),
        is_unknown=label == UNKNOWN,
    )


def _words(
    name: str, label: str, values: Sequence[str], value: Value, policy: Policy
) -> str:
    """The words of a contribution, such as “FATF, call for action: IR (nationality)”."""
    words = policy.words(name, label)
    contributions = []
    for each in values[:MOST_NAMED]:
        source = value.sources.get(each, "")
        # A label is named by its words already. A country code is not.
        text = "" if each == label else each
        if source:
            text = f"{text} ({source})".strip()
        contributions.append(text)
    details = ", ".join(filter(None, contributions))
    more = len(values) - MOST_NAMED
    if more > 0:
        details += f" and {more} more"
    if details.startswith("("):
        return f"{words} {details}"
    return f"{words}: {details}" if details else words
