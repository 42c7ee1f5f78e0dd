"""The risk policy: weights, points, lists of countries, limits of bands, and overrides."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from reviews.risk.engine.default import DEFAULT
from reviews.risk.engine.factors import FACTORS, OTHER, UNKNOWN, Factor

Band = Literal["low", "medium", "high", "prohibited"]
# Factors that the first versions of the policy do not have.
LATER_FACTORS = ("ownership",)
# In order of risk, the lowest first.
BANDS: tuple[Band, ...] = ("low", "medium", "high", "prohibited")
# The most points of a label, and the highest score of a rating.
MOST_POINTS = 100
MOST_WEIGHT = 100
MOST_LABELS = 200
MOST_OVERRIDES = 50
# The longest review interval in days. Regulation (EU) 2024/1624, article 26(2): one year for
# high risk, five years for others.
LONGEST_REVIEW: dict[Band, int] = {
    "low": 1826,
    "medium": 1826,
    "high": 365,
    "prohibited": 365,
}
_LABEL = re.compile(r"[a-z0-9_]{1,40}", re.ASCII)
_CODE = re.compile(r"[A-Z]{2}", re.ASCII)
LONGEST_WORDS = 200


class PolicyError(ValueError):
    """A policy that cannot be used. `faults` has the reasons, one sentence each."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__(" ".join(faults))
        self.faults = list(faults)


@dataclass(frozen=True, slots=True)
class FactorRule:
    """`weight` is the percentage of the points that counts; `points` are 0 to 100 by label."""

    weight: int
    points: Mapping[str, int]

    def contribution(self, label: str) -> int:
        """The contribution to the score: weight times points, rounded half up to a whole
        number.
        """
        return (self.weight * self.points[label] + 50) // 100


@dataclass(frozen=True, slots=True)
class CountryList:
    title: str
    source: str
    as_of: str  # a day, as 2026-06-19
    codes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Override:
    """A rule that sets the least band of a case whose factor has one of the labels."""

    reason: str
    factor: str
    labels: frozenset[str]
    band: Band


@dataclass(frozen=True)
class Policy:
    """A risk policy. A score of `medium` or more is of that band, and so is one of `high` or
    more.
    """

    factors: Mapping[str, FactorRule]
    countries: Mapping[str, CountryList]
    medium: int
    high: int
    overrides: Sequence[Override]
    review_days: Mapping[Band, int]

    def band_of(self, score: int) -> Band:
        if score >= self.high:
            return "high"
        if score >= self.medium:
            return "medium"
        return "low"

    def labels_of(self, factor: str, values: Sequence[str]) -> dict[str, list[str]]:
        """The labels of these values of a factor, each with the values that have it."""
        labels: dict[str, list[str]] = {}
        for value in sorted(set(values)):
            for label in self._labels(factor, value):
                labels.setdefault(label, []).append(value)
        return labels

    def _labels(self, factor: str, value: str) -> list[str]:
        if factor == "geography":
            lists = []
            for name, row in self.countries.items():
                if value in row.codes:
                    lists.append(name)
            return lists or [OTHER]
        points = self.factors[factor].points
        if value in points:
            return [value]
        # A value without points of its own.
        if FACTORS[factor].is_open:
            return [OTHER]
        return [UNKNOWN]

    def words(self, factor: str, label: str) -> str:
        if factor == "geography" and label in self.countries:
            return self.countries[label].title
        return FACTORS[factor].words(label)

    @property
    def digest(self) -> str:
        return digest_of(self.to_json())

    def to_json(self) -> dict[str, Any]:
        factors = {}
        for name, rule in self.factors.items():
            factors[name] = {"weight": rule.weight, "points": dict(rule.points)}
        countries = {}
        for name, row in self.countries.items():
            countries[name] = {
                "title": row.title,
                "source": row.source,
                "as_of": row.as_of,
                "codes": sorted(row.codes),
            }
        overrides = []
        for override in self.overrides:
            overrides.append(
                {
                    "reason": override.reason,
                    "factor": override.factor,
                    "labels": sorted(override.labels),
                    "band": override.band,
                }
            )
        return {
            "factors": factors,
            "countries": countries,
            "bands": {"medium": self.medium, "high": self.high},
            "overrides": overrides,
            "review_days": dict(self.review_days),
        }

    @classmethod
    def from_json(cls, content: object) -> Policy:
        """Read a policy. Raises PolicyError with all faults."""
        reader = _Reader()
        policy = reader.policy(content)
        if reader.faults:
            raise PolicyError(reader.faults)
        return policy


def digest_of(content: object) -> str:
    """SHA-256 of the canonical JSON, in hexadecimal."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class _Reader:
    """Reads a policy from JSON and collects the faults.

    Each method returns a usable default for an invalid value, so that one pass finds all
    faults.
    """

    def __init__(self) -> None:
        self.faults: list[str] = []

    def policy(self, content: object) -> Policy:
        members = _complete(self._mapping(content, "The policy"))
        countries = self._countries(members.get("countries"))
        factors = self._factors(members.get("factors"), countries)
        medium, high = self._bands(members.get("bands"))
        overrides = self._overrides(members.get("overrides"), factors)
        return Policy(
            factors,
            countries,
            medium,
            high,
            overrides=list(overrides),
            review_days=self._review_days(members.get("review_days")),
        )

    def _mapping(self, content: object, what: str) -> Mapping[str, Any]:
        if isinstance(content, dict):
            return content
        self.faults.append(f"{what} must be an object.")
        return {}

    def _number(self, value: object, what: str, least: int, most: int) -> int:
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if isinstance(value, int) and is_number and least <= value <= most:
            return value
        self.faults.append(f"{what} must be a whole number from {least} to {most}.")
        return least

    def _text(self, value: object, what: str) -> str:
        if isinstance(value, str) and 0 < len(value.strip()) <= LONGEST_WORDS:
            return value.strip()
        self.faults.append(f"{what} must be 1 to {LONGEST_WORDS} characters.")
        return ""

    def _factors(
        self, content: object, countries: Mapping[str, CountryList]
    ) -> dict[str, FactorRule]:
        members = self._mapping(content, "The factors")
        for name in members:
            if name not in FACTORS:
                self.faults.append(f"There is no factor {name[:40]!r}.")
        rules = {}
        for name, factor in FACTORS.items():
            rule = self._mapping(members.get(name), f"The factor {name}")
            weight = self._number(
                rule.get("weight"), f"The weight of {factor.title}", 0, MOST_WEIGHT
            )
            points = self._points(factor, rule.get("points"), countries)
            rules[name] = FactorRule(weight, points)
        return rules

    def _points(
        self, factor: Factor, content: object, countries: Mapping[str, CountryList]
    ) -> dict[str, int]:
        members = self._mapping(content, f"The points of {factor.title}")
        # Points are required for the labels of the factor, and for each list of countries.
        needed = [*factor.labels, UNKNOWN]
        allowed = set(needed)
        if factor.name == "geography":
            needed += countries
            allowed.update(countries)
        points = {}
        for label in needed:
            what = f"{factor.title}, {label}: the points"
            points[label] = self._number(members.get(label), what, 0, MOST_POINTS)
        others = [label for label in members if label not in allowed]
        if len(others) > MOST_LABELS:
            self.faults.append(f"{factor.title} may have {MOST_LABELS} more labels.")
            return points
        for label in others:
            is_free = factor.is_open and factor.name != "geography"
            if not is_free or not _LABEL.fullmatch(label):
                self.faults.append(f"{factor.title} has no label {label[:40]!r}.")
                continue
            what = f"{factor.title}, {label}: the points"
            points[label] = self._number(members[label], what, 0, MOST_POINTS)
        return points

    def _countries(self, content: object) -> dict[str, CountryList]:
        members = self._mapping(content, "The lists of countries")
        lists = {}
        for name, row in members.items():
            if not _LABEL.fullmatch(name) or name in {OTHER, UNKNOWN}:
                self.faults.append(
                    f"A list of countries cannot be named {name[:40]!r}."
                )
                continue
            lists[name] = self._country_list(name, self._mapping(row, f"List {name}"))
        return lists

    def _country_list(self, name: str, row: Mapping[str, Any]) -> CountryList:
        title = self._text(row.get("title"), f"The title of list {name}")
        source = self._text(row.get("source"), f"The source of list {name}")
        as_of = str(row.get("as_of"))
        try:
            date.fromisoformat(as_of)
        except ValueError:
            self.faults.append(f"List {name} needs a day such as 2026-06-19.")
        codes = row.get("codes")
        if not isinstance(codes, list):
            self.faults.append(f"The codes of list {name} must be a list.")
            codes = []
        for code in codes:
            if not isinstance(code, str) or not _CODE.fullmatch(code):
                self.faults.append(
                    f"List {name}: {str(code)[:40]!r} is no code of a country."
                )
        texts = [code for code in codes if isinstance(code, str)]
        return CountryList(title, source, as_of, frozenset(texts))

    def _bands(self, content: object) -> tuple[int, int]:
        members = self._mapping(content, "The bands")
        medium = self._number(members.get("medium"), "Medium", 1, MOST_POINTS)
        high = self._number(members.get("high"), "High", 1, MOST_POINTS)
        if medium >= high:
            self.faults.append("Medium must begin below high.")
        return medium, high

    def _overrides(
        self, content: object, factors: Mapping[str, FactorRule]
    ) -> Iterator[Override]:
        if not isinstance(content, list) or len(content) > MOST_OVERRIDES:
            self.faults.append(
                f"The overrides must be a list of up to {MOST_OVERRIDES}."
            )
            return
        for number, row in enumerate(content, 1):
            what = f"Override {number}"
            members = self._mapping(row, what)
            fault = _fault_of_override(members, factors)
            if fault:
                self.faults.append(f"{what}: {fault}")
                continue
            yield Override(
                reason=self._text(members.get("reason"), f"{what}: the reason"),
                factor=members["factor"],
                labels=frozenset(members["labels"]),
                band=members["band"],
            )

    def _review_days(self, content: object) -> dict[Band, int]:
        members = self._mapping(content, "The days of reviews")
        days: dict[Band, int] = {}
        for band, longest in LONGEST_REVIEW.items():
            what = f"Days to the next review of {band} risk"
            days[band] = self._number(members.get(band), what, 1, longest)
        return days


def _complete(members: Mapping[str, Any]) -> Mapping[str, Any]:
    """A version that is older than a factor has it as in the default, with its overrides.

    A rating that is older than the factor has no value of it, and stays as it is.
    """
    factors, overrides = members.get("factors"), members.get("overrides")
    if not isinstance(factors, dict) or not isinstance(overrides, list):
        return members
    for name in LATER_FACTORS:
        if name in factors:
            continue
        factors = {**factors, name: DEFAULT["factors"][name]}
        own = [row for row in DEFAULT["overrides"] if row["factor"] == name]
        overrides = [*overrides, *own]
    return {**members, "factors": factors, "overrides": overrides}


def _fault_of_override(
    members: Mapping[str, Any], factors: Mapping[str, FactorRule]
) -> str:
    """The fault of the factor, the band or the labels; "" if there is none."""
    factor = str(members.get("factor"))
    if factor not in factors:
        return f"there is no factor {factor[:40]!r}."
    bands = BANDS[1:]
    if members.get("band") not in bands:
        return f"the band must be {', '.join(bands)}."
    labels = members.get("labels")
    if not isinstance(labels, list) or not labels:
        return "it needs labels."
    labels_of_factor = factors[factor].points
    for label in labels:
        if not isinstance(label, str) or label not in labels_of_factor:
            return f"it names a label that {factor} has not."
    return ""
