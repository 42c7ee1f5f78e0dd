"""What two runs said differently: what flipped, what was read otherwise, what appeared, what went."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from reviews.results.kinds import Check, Comparison, Finding, Indicator, Part, Section

Kind = Literal["flipped", "reads", "appeared", "went"]
ORDER: Sequence[Kind] = ("flipped", "appeared", "went", "reads")


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that a run said: a state, perhaps words, and where it stands on the page."""

    label: str
    state: str
    words: str = ""
    document: str = ""
    check: str = ""
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    kind: Kind
    before: Said | None
    after: Said | None

    @property
    def said(self) -> Said:
        """As it stands now, or stood last."""
        found = self.after or self.before
        assert found is not None  # noqa: S101 - one side is always there
        return found


Place = tuple[str, ...]


def differences(
    before: tuple[Iterable[Check], Iterable[Part]], after: tuple[Iterable[Check], Iterable[Part]]
) -> list[Difference]:
    """Checks first, then findings; each in the order of the kinds above. Equal ones are left out."""
    one, other = dict(_said(*before)), dict(_said(*after))
    found = list(_between(one, other))
    return sorted(found, key=lambda d: (not d.said.check, ORDER.index(d.kind)))


def _between(one: Mapping[Place, Said], other: Mapping[Place, Said]) -> Iterator[Difference]:
    for place in dict.fromkeys([*one, *other]):
        was, now = one.get(place), other.get(place)
        if was is None:
            yield Difference("appeared", None, now)
        elif now is None:
            yield Difference("went", was, None)
        elif was.state != now.state:
            yield Difference("flipped", was, now)
        elif was.words != now.words:
            yield Difference("reads", was, now)


def _said(checks: Iterable[Check], parts: Iterable[Part]) -> Iterator[tuple[Place, Said]]:
    for check in checks:
        yield ("check", check.id), Said(check.label, check.verdict, check=check.id)
    met: dict[Place, int] = {}
    for part in parts:
        for row in part.findings:
            name, state, words = _of(row)
            place = (part.document, part.key, type(row).__name__, name)
            met[place] = met.get(place, 0) + 1  # the second of its name is another thing
            said = Said(row.name, state, words, document=part.document, ref=row.ref)
            yield (*place, str(met[place])), said


def _of(row: Finding) -> tuple[str, str, str]:
    """By what a finding is known again, its state, and the words that may have changed."""
    if isinstance(row, Comparison):
        return row.field or row.label, row.state, " ".join(run.text for run in row.extracted)
    if isinstance(row, Section):
        return row.key, row.state, ""
    if isinstance(row, Indicator):
        return row.indicator_id or row.title, row.type, row.description
    return row.name, row.tone, ""
