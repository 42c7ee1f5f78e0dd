"""Precision and recall of screening hits by the labels of people, and the effect of thresholds.

Recall covers known hits only: those that the screening showed (also below a threshold), and
those that a person found by a look-up. Hits that nobody ever saw are in no figure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count, QuerySet
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from reviews.decisions.policies.error_rates import Interval
from reviews.findings.thresholds import Rule, Thresholds
from reviews.models import HitLabel
from reviews.results.kinds import BAND_WORDS
from reviews.results.words import script_name

Kind, Source = HitLabel.Kind, HitLabel.Source
# Thresholds, in hundredths, for which the page shows the effect of a single threshold.
STEPS = range(70, 101, 2)


@dataclass(frozen=True)
class Tally:
    """A group of labels that are equal in everything that counts here, and their number."""

    kind: str
    source: str
    list_slug: str
    list_title: str
    script: str
    band: str
    score: float | None
    is_certain: bool
    count: int

    @property
    def is_confirmed(self) -> bool:
        return self.kind == Kind.CONFIRMED

    def asks(self, thresholds: Thresholds) -> bool:
        return asks(self, thresholds)


def asks(hit: Tally | HitLabel, thresholds: Thresholds) -> bool:
    """Whether a person would review the hit. The screening did not show hits of a look-up."""
    if hit.source == Source.LOOK_UP:
        return False
    return thresholds.asks(
        list_slug=hit.list_slug,
        script=hit.script,
        band=hit.band,
        score=hit.score,
        is_certain=hit.is_certain,
    )


def tallies(rows: QuerySet[HitLabel]) -> list[Tally]:
    """The labelled set, grouped by the database. There are few different scores."""
    names = (
        "kind",
        "source",
        "list_slug",
        "list_title",
        "script",
        "band",
        "score",
        "is_certain",
    )
    groups = rows.order_by().values(*names).annotate(count=Count("pk"))
    return [Tally(**group) for group in groups]


@dataclass(frozen=True)
class Group:
    """Precision and recall of some hits.

    `precision`: the share of reviewed hits that were confirmed. `recall`: the share of
    confirmed hits that were reviewed.
    """

    name: str
    precision: Interval
    recall: Interval

    @property
    def count(self) -> int:
        """All labelled hits of the group: reviewed ones, and confirmed ones that were not
        reviewed.
        """
        return self.precision.of + self.recall.of - self.recall.count


@dataclass(frozen=True)
class Quality:
    all: Group
    lists: Sequence[Group]
    scripts: Sequence[Group]
    lists_and_scripts: Sequence[Group]
    bands: Sequence[Group]

    @property
    def parts(self) -> list[tuple[str, Sequence[Group]]]:
        return [
            (_("All"), [self.all]),
            (_("List"), self.lists),
            (_("Script"), self.scripts),
            (_("List and script"), self.lists_and_scripts),
            (_("Strength"), self.bands),
        ]


def quality(rows: Sequence[Tally], thresholds: Thresholds) -> Quality:
    return Quality(
        all=_group(_("All"), rows, thresholds),
        lists=_groups(rows, thresholds, _list),
        scripts=_groups(rows, thresholds, _script),
        lists_and_scripts=_groups(rows, thresholds, _list_and_script),
        bands=_groups(rows, thresholds, _band),
    )


def _list(row: Tally) -> str:
    return row.list_title or row.list_slug


def _script(row: Tally) -> str:
    return row.script


def _list_and_script(row: Tally) -> str:
    return f"{_list(row)}, {script_name(row.script)}"


def _band(row: Tally) -> str:
    if row.source == Source.LOOK_UP:
        return _("only by a look-up")
    return str(BAND_WORDS.get(row.band, _("weak")))


def _groups(
    rows: Iterable[Tally], thresholds: Thresholds, name_of: Callable[[Tally], str]
) -> list[Group]:
    by_name: dict[str, list[Tally]] = {}
    for row in rows:
        by_name.setdefault(name_of(row), []).append(row)
    groups: list[Group] = []
    for name, own in sorted(by_name.items()):
        groups.append(_group(name, own, thresholds))
    return groups


def _group(name: str, rows: Sequence[Tally], thresholds: Thresholds) -> Group:
    confirmed = asked = right = 0
    for row in rows:
        is_asked = row.asks(thresholds)
        if is_asked:
            asked += row.count
        if row.is_confirmed:
            confirmed += row.count
            if is_asked:
                right += row.count
    return Group(name, Interval(right, asked), Interval(right, confirmed))


@dataclass(frozen=True)
class Change:
    """The effect of thresholds on the labelled set.

    `lost`: confirmed hits that would not be reviewed. `gone`: dismissed hits that would no
    longer be reviewed. `name`: the list, script or threshold concerned.
    """

    name: str
    lost: int
    gone: int


def change(rows: Sequence[Tally], before: Thresholds, after: Thresholds) -> Change:
    """The effect of replacing `before` by `after`.

    Lost are all confirmed hits that the service shows but `after` does not present for review,
    whether or not `before` did.
    """
    counts: Counter[str] = Counter()
    for row in rows:
        if _is_lost(row, after):
            counts["lost"] += row.count
        elif not row.is_confirmed and row.asks(before) and not row.asks(after):
            counts["gone"] += row.count
    return Change("", counts["lost"], counts["gone"])


def _is_lost(row: Tally | HitLabel, after: Thresholds) -> bool:
    is_confirmed = row.kind == Kind.CONFIRMED
    return is_confirmed and asks(row, Thresholds(())) and not asks(row, after)


def steps(rows: Sequence[Tally], before: Thresholds) -> list[Change]:
    """The effect of one threshold for all lists and scripts, for each of STEPS."""
    changes = []
    for hundredths in STEPS:
        threshold = hundredths / 100
        single = Thresholds((Rule("", "", threshold),))
        differences = change(rows, before, single)
        name = number_format(f"{threshold:.2f}")
        changes.append(Change(name, differences.lost, differences.gone))
    return changes


def lost(rows: QuerySet[HitLabel], after: Thresholds) -> list[HitLabel]:
    """The confirmed hits that a version would not present for review, newest first."""
    confirmed = rows.filter(kind=Kind.CONFIRMED, source=Source.SCREENING)
    confirmed = confirmed.filter(is_certain=False).exclude(score=None)
    confirmed = confirmed.defer("asked", "entry_id").select_related("case", "by")
    return [row for row in confirmed.order_by("-pk") if _is_lost(row, after)]
