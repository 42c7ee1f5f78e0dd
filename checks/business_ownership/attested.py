"""Compares the attested owners with those that a document lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from checks.business_ownership.owners import TOLERANCE, Owner, is_partial
from checks.comparisons import Comparison, State
from checks.data_check import percentage
from checks.fields.extracted import ExtractedValue
from checks.fields.names.company_comparison import compare_names
from checks.text.folding import folded
from checks.text.words import Text
from checks.wire import JsonObject

# The members of the attested data that name owners, each with what one of them is called.
MEMBERS = {"owners": "Owner", "partners": "Partner"}
SHARE_MEMBERS = ("percentage", "ownership_percentage", "share", "ownership")
# A document that lists large owners only does not name those with less than this percentage.
LARGE = 25
_NUMBER = r"\d{1,3}(?:[.,]\d{1,6})?"
_FRACTION = r"\d{1,9}\s*/\s*\d{1,9}"
# A share at the end of a text that names somebody: "Ann Lee, 60 %", "Mid GmbH (25-50 %)", "Cara Poe 1/3".
SHARE = re.compile(
    rf"[\s,;:(]+(?P<share>{_FRACTION}|{_NUMBER}\s*%?(?:\s*(?:-|\u2013|to)\s*{_NUMBER}\s*)?%)\)?\s*$"
)


@dataclass(frozen=True, slots=True)
class Attested:
    """An attested owner. `percent` is None if no single share is stated."""

    name: str
    percent: float | None


def compare_owners(
    attested: JsonObject, owners: Sequence[ExtractedValue[Owner]], text: Text
) -> list[Comparison]:
    """Compare each attested owner with those of the document: the name must be among them, with the
    attested share.
    """
    if not owners:
        return []
    comparisons: list[Comparison] = []
    for member, title in MEMBERS.items():
        for owner in _attested(attested.get(member)):
            best, state, how = _most_similar(owner, owners)
            if state == "differs" and _may_be_left_out(owner, text):
                continue
            expected = owner.name
            # The owner is listed, but with another share.
            if state != "differs" and _is_other_share(owner, best.value):
                state = "differs"
                how = f"attested with {owner.percent:g} %, listed with {best.value.percent:g} %"
                expected = f"{owner.name}, {owner.percent:g} %"
            comparisons.append(
                Comparison(
                    member,
                    f"{title} {owner.name}",
                    expected,
                    f"{best.value.name}, {best.value.percent:g} %",
                    state,
                    how,
                    text.boxes(best.span),
                )
            )
    return comparisons


def _attested(rows: object) -> list[Attested]:
    """The owners in the order of the rows, each once. Who has several rows, as for classes of
    shares, has the sum of them.
    """
    owners: dict[str, Attested] = {}
    for owner in _each(rows):
        key = folded(owner.name)
        earlier = owners.get(key)
        if earlier is None:
            owners[key] = owner
        elif earlier.percent is None or owner.percent is None:
            owners[key] = replace(earlier, percent=None)
        else:
            owners[key] = replace(earlier, percent=earlier.percent + owner.percent)
    return list(owners.values())


def _each(rows: object) -> Iterator[Attested]:
    if not isinstance(rows, list):
        return
    for row in rows:
        if isinstance(row, dict):
            owner = Attested(_name(row), _percent(row))
        else:
            owner = _of_text(str(row))
        if owner.name:
            yield owner


def _name(facts: JsonObject) -> str:
    for member in ("name", "full_name", "business_name"):
        name = str(facts.get(member) or "").strip()
        if name:
            return name
    parts = (facts.get("first_name"), facts.get("last_name"))
    return " ".join(str(part).strip() for part in parts if part)


def _of_text(text: str) -> Attested:
    """An owner in a text, such as “Ann Lee”, “Ann Lee, 60 %” or “Mid GmbH (25-50 %)”."""
    match = SHARE.search(text)
    if match is None:
        return Attested(text.strip(), None)
    # A range has no share that a document could state otherwise.
    return Attested(text[: match.start()].strip(), percentage(match["share"]))


def _percent(facts: JsonObject) -> float | None:
    for member in SHARE_MEMBERS:
        share = percentage(facts.get(member))
        if share is not None:
            return share
    return None


def _most_similar(
    owner: Attested, owners: Sequence[ExtractedValue[Owner]]
) -> tuple[ExtractedValue[Owner], State, str]:
    ranked = []
    for candidate in owners:
        state, how = _likeness(owner.name, candidate.value.name)
        ranked.append((candidate, state, how))
    return min(ranked, key=lambda item: ("equal", "close", "differs").index(item[1]))


def _likeness(name: str, other: str) -> tuple[State, str]:
    if sorted(folded(name).split()) == sorted(folded(other).split()):
        return "equal", "same name"
    match = compare_names(name, other)
    if match.state == "differs":
        return "differs", "not among the owners that the document lists"
    return match.state, match.how


def _may_be_left_out(owner: Attested, text: Text) -> bool:
    is_small = owner.percent is not None and owner.percent < LARGE
    return is_small and is_partial(text)


def _is_other_share(owner: Attested, listed: Owner) -> bool:
    return owner.percent is not None and abs(owner.percent - listed.percent) > TOLERANCE
