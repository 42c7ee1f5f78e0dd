"""Error rates over the second looks that were completed.

In total, by agent, by version of the policy, and by the person who decided first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import sqrt
from operator import attrgetter

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from reviews.decisions.policies import looks
from reviews.models import SecondLook

Z = 1.96  # standard normal quantile for a confidence interval of 95 percent
NOTHING = "\N{EN DASH}"  # shown instead of a rate where there are no looks
FEW = 30  # below this number of looks a rate is marked as weak


@dataclass(frozen=True)
class Interval:
    """A share and its 95 percent confidence interval (Wilson score).

    Wilson's interval is also valid for few looks and for a share of 0 or 1. `count` of `of`
    looks differ.
    """

    count: int
    of: int

    @property
    def rate(self) -> float:
        if self.of:
            return self.count / self.of
        return 0.0

    @property
    def low(self) -> float:
        if self.of:
            return max(0.0, self._middle - self._half)
        return 0.0

    @property
    def high(self) -> float:
        if self.of:
            return min(1.0, self._middle + self._half)
        return 1.0

    @property
    def _middle(self) -> float:
        shifted = self.rate + Z * Z / (2 * self.of)
        scale = 1 + Z * Z / self.of
        return shifted / scale

    @property
    def _half(self) -> float:
        variance = self.rate * (1 - self.rate) / self.of
        correction = Z * Z / (4 * self.of**2)
        scale = 1 + Z * Z / self.of
        return Z * sqrt(variance + correction) / scale

    @property
    def words(self) -> str:
        if not self.of:
            return NOTHING
        values = {
            "rate": number_format(round(100 * self.rate, 1), 1),
            "low": number_format(round(100 * self.low, 1), 1),
            "high": number_format(round(100 * self.high, 1), 1),
        }
        return _("%(rate)s %% (%(low)s to %(high)s %%)") % values

    @property
    def is_of_few(self) -> bool:
        return self.of < FEW


@dataclass(frozen=True)
class Group:
    """A group of looks; `differ` counts those whose outcome is not that of the decision."""

    name: str
    differ: Interval


@dataclass(frozen=True)
class _Member:
    """An agent, a version or a person whose looks are counted together."""

    pk: int | None
    name: str
    distinct_name: str  # shown where others have the same name


@dataclass(frozen=True)
class ErrorRates:
    all: Group
    agents: list[Group]
    versions: list[Group]
    people: list[Group]


def of(rows: QuerySet[SecondLook]) -> ErrorRates:
    """Error rates over the second looks of `rows` that were completed."""
    completed_looks = rows.filter(status=SecondLook.Status.GIVEN)
    with_names = completed_looks.select_related(
        "case__agent__connection", "decision__policy", "decision__made_by"
    )
    pairs = list(with_names)
    return ErrorRates(
        all=_group(_("All"), pairs),
        agents=_groups(pairs, _agent),
        versions=_groups(pairs, _version),
        people=_groups(pairs, _person),
    )


def visible(user: User) -> ErrorRates:
    return of(looks.visible(user))


def _agent(look: SecondLook) -> _Member:
    agent = look.case.agent
    if agent is None:
        name = _("without an agent")
        return _Member(None, name, name)
    return _Member(agent.pk, agent.name, str(agent))


def _version(look: SecondLook) -> _Member:
    policy = look.decision.policy
    if policy is None:
        name = _("without a policy")
        return _Member(None, name, name)
    return _Member(policy.pk, str(policy), str(policy))


def _person(look: SecondLook) -> _Member:
    name = look.decision.maker
    user = look.decision.made_by
    if user is None:
        return _Member(None, name, name)
    return _Member(user.pk, name, f"{name} ({user.get_username()})")


def _groups(
    looks_given: Iterable[SecondLook], member_of: Callable[[SecondLook], _Member]
) -> list[Group]:
    looks_by_member: dict[_Member, list[SecondLook]] = {}
    for look in looks_given:
        looks_by_member.setdefault(member_of(look), []).append(look)
    names = Counter(member.name for member in looks_by_member)
    groups: list[Group] = []
    for member, rows in looks_by_member.items():
        name = member.name
        if names[name] > 1:
            name = member.distinct_name
        groups.append(_group(name, rows))
    return sorted(groups, key=attrgetter("name"))


def _group(name: str, rows: list[SecondLook]) -> Group:
    differ = sum(look.outcome != look.decision.outcome for look in rows)
    return Group(name, Interval(differ, len(rows)))
