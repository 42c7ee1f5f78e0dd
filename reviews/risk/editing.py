"""The form of the risk policy: its fields, the typed values, and differences between versions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from compliance.http import numbers
from compliance.pages.phrases import in_sentence
from papers import countries
from reviews.models import Band
from reviews.risk.engine.factors import FACTORS, OTHER, UNKNOWN
from reviews.risk.engine.policy import BANDS, Policy
from reviews.risk.words import GROUPS
from reviews.risk.words import label as words_of
from reviews.risk.words import title as title_of

# Characters of the text that somebody types: more than all codes of countries, or all labels that a
# policy may have. The policy limits their number, and says so.
LONGEST = 20_000


@dataclass(frozen=True)
class Field:
    """An input: its name, its label, and its stored or typed value."""

    name: str
    words: str
    value: str


@dataclass(frozen=True)
class FactorFields:
    title: str
    group: str
    weight: Field
    points: Sequence[Field]
    # An input for further labels; None if the factor allows none.
    more: Field | None


@dataclass(frozen=True)
class OverrideFields:
    reason: str
    rule: str
    band: Field


@dataclass(frozen=True)
class ListFields:
    name: str
    title: Field
    source: Field
    as_of: Field
    codes: Field


@dataclass(frozen=True)
class PolicyForm:
    """All fields of a policy. `typed` has the typed values that replace those of `policy`."""

    policy: Policy
    typed: Mapping[str, str]

    def _field(self, name: str, words: str, value: object) -> Field:
        return Field(name, words, self.typed.get(name, str(value)))

    @property
    def factors(self) -> list[FactorFields]:
        return [self._factor_fields(name) for name in FACTORS]

    def _factor_fields(self, name: str) -> FactorFields:
        factor = FACTORS[name]
        weight = self.policy.factors[name].weight
        more = None
        if factor.is_open and name != "geography":
            more = self._field(f"more.{name}", _("More labels"), "")
        return FactorFields(
            title_of(name),
            str(GROUPS[factor.group]),
            self._field(f"weight.{name}", _("Weight"), weight),
            self._points(name),
            more,
        )

    def _points(self, name: str) -> list[Field]:
        points = self.policy.factors[name].points
        fields = []
        for label in sorted(points, key=lambda label: _place(name, label)):
            words = words_of(self.policy, name, label)
            field = self._field(f"points.{name}.{label}", words, points[label])
            fields.append(field)
        return fields

    @property
    def bands(self) -> list[Field]:
        return [
            self._field("band.medium", _("Medium from"), self.policy.medium),
            self._field("band.high", _("High from"), self.policy.high),
        ]

    @property
    def days(self) -> list[Field]:
        fields = []
        for band in BANDS:
            words = str(Band(band).label)
            days = self.policy.review_days[band]
            fields.append(self._field(f"days.{band}", words, days))
        return fields

    @property
    def overrides(self) -> list[OverrideFields]:
        rows = []
        for number, row in enumerate(self.policy.overrides):
            words = []
            for label in sorted(row.labels):
                words.append(words_of(self.policy, row.factor, label))
            title = title_of(row.factor)
            rule = f"{title}: {', '.join(words)}"
            band = self._field(f"override.{number}", row.reason, row.band)
            rows.append(OverrideFields(row.reason, rule, band))
        return rows

    @property
    def new_override(self) -> dict[str, str]:
        names = ("reason", "factor", "labels", "band")
        return {name: self.typed.get(f"override.new.{name}", "") for name in names}

    @property
    def lists(self) -> list[ListFields]:
        rows = []
        for name, row in self.policy.countries.items():
            codes = " ".join(sorted(row.codes))
            fields = ListFields(
                name,
                self._field(
                    f"list.{name}.title", pgettext("page or list", "Title"), row.title
                ),
                self._field(f"list.{name}.source", _("Source"), row.source),
                self._field(f"list.{name}.as_of", _("As of"), row.as_of),
                self._field(f"list.{name}.codes", _("Countries"), codes),
            )
            rows.append(fields)
        return rows

    def content(self) -> dict[str, object]:
        """The typed values as JSON of a policy, valid or not:

        `Policy.from_json` finds the faults.
        """
        medium, high = self.bands
        days: dict[str, object] = {}
        for band, field in zip(BANDS, self.days, strict=True):
            days[band] = _number(field.value)
        return {
            "factors": {name: self._factor(name) for name in FACTORS},
            "countries": {row.name: _list(row) for row in self.lists},
            "bands": {"medium": _number(medium.value), "high": _number(high.value)},
            "overrides": list(self._overrides()),
            "review_days": days,
        }

    def _factor(self, name: str) -> dict[str, object]:
        fields = self._factor_fields(name)
        points: dict[str, object] = {}
        for field in fields.points:
            label = field.name.split(".", 2)[2]
            # An empty input removes a label, unless the factor requires it.
            if field.value.strip() or label in _needed(name):
                points[label] = _number(field.value)
        if fields.more is not None:
            points |= _more(fields.more.value)
        return {"weight": _number(fields.weight.value), "points": points}

    def _overrides(self) -> Iterator[dict[str, object]]:
        for row, field in zip(self.policy.overrides, self.overrides, strict=True):
            if field.band.value:
                yield {
                    "reason": row.reason,
                    "factor": row.factor,
                    "labels": sorted(row.labels),
                    "band": field.band.value,
                }
        new = self.new_override
        if any(new[name].strip() for name in ("reason", "labels")):
            yield {
                "reason": new["reason"].strip(),
                "factor": new["factor"],
                "labels": _words(new["labels"]),
                "band": new["band"],
            }


def form(policy: Policy, typed: Mapping[str, str] | None = None) -> PolicyForm:
    texts = {}
    for name, value in (typed or {}).items():
        # PostgreSQL rejects NUL.
        texts[name] = value.replace("\0", "")[:LONGEST]
    return PolicyForm(policy, texts)


def _needed(name: str) -> set[str]:
    return {*FACTORS[name].labels, UNKNOWN}


def _place(name: str, label: str) -> tuple[int, str]:
    """Sort key: the order of the factor, then labels of the policy, “other” and “unknown” last."""
    labels = list(FACTORS[name].labels)
    if label == UNKNOWN:
        return 1_002, label
    if label == OTHER:
        return 1_001, label
    return (labels.index(label) if label in labels else 1_000), label


def _number(text: str) -> object:
    """A whole number. Other text is returned as text, and the policy then rejects it in words."""
    number = numbers.parse(text.strip(), digits=9)
    if number is None:
        return text[:40]
    return number


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,;]+", text.strip()) if word]


def _more(text: str) -> dict[str, object]:
    """Further labels with points: `money_transfer 100`, one per line."""
    points: dict[str, object] = {}
    for line in text.splitlines():
        label, _, number = line.strip().rpartition(" ")
        if line.strip():
            name = label.strip(" :=") or line.strip()
            points[name] = _number(number)
    return points


def _list(row: ListFields) -> dict[str, object]:
    return {
        "title": row.title.value,
        "source": row.source.value,
        "as_of": row.as_of.value.strip(),
        "codes": [_code(word) for word in _words(row.codes.value)],
    }


def _code(word: str) -> str:
    """The code of a country: GB for UK, which no case has.

    What is none stays in small letters, which the policy rejects in words.
    """
    if len(word) != 2:
        return word
    return countries.code(word) or word.lower()


@dataclass(frozen=True)
class Difference:
    what: str
    before: str
    after: str


def differences(before: Policy, after: Policy) -> list[Difference]:
    """The values that `after` has differently from `before`, in words."""
    old, new = dict(_flat(before)), dict(_flat(after))
    rows = []
    for what in dict.fromkeys([*old, *new]):
        row = Difference(what, old.get(what, ""), new.get(what, ""))
        if row.before != row.after:
            rows.append(row)
    return rows


def _flat(policy: Policy) -> Iterator[tuple[str, str]]:
    for name, rule in policy.factors.items():
        title = title_of(name)
        yield _("%(factor)s: weight") % {"factor": title}, f"{rule.weight} %"
        for label, points in rule.points.items():
            words_of_label = words_of(policy, name, label)
            yield f"{title}: {words_of_label}", str(points)
    yield _("Medium from"), str(policy.medium)
    yield _("High from"), str(policy.high)
    for override in policy.overrides:
        labels = ", ".join(sorted(override.labels))
        factor = title_of(override.factor)
        words = {
            "reason": override.reason,
            "rule": f"{factor}: {labels}",
        }
        yield _("Override: %(reason)s (%(rule)s)") % words, override.band
    for band in BANDS:
        sentence = _("Days to the next review, %(band)s")
        label = in_sentence(Band(band).label)
        days = policy.review_days[band]
        yield sentence % {"band": label}, str(days)
    for row in policy.countries.values():
        codes = sorted(row.codes)
        words = {"list": row.title}
        yield _("%(list)s: source") % words, f"{row.source}, {row.as_of}"
        yield _("%(list)s: countries") % words, " ".join(codes)
