"""The rows of a form that name owners, directors and others of a business."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.http import numbers
from compliance.pages.phrases import filled
from reviews.intake.form_fields import Cell, Section, choice, country, day, text
from reviews.parties import shares

PREFIX = "parties."
ROWS = f"{PREFIX}rows"  # how many rows the form has
ADD = "add_parties"  # the button
FIRST = 3  # rows of an empty form
MORE = 3  # rows that the button adds
MOST = 60  # rows of a form; more owners come in a file of relations
PERSON, COMPANY = "person", "company"
OWNER = "owner"
# The member of the attested data for each role.
MEMBERS = {
    OWNER: "owners",
    "director": "directors",
    "controller": "controllers",
    "signatory": "signatories",
}
ROLES = (
    (OWNER, gettext_lazy("Owner")),
    ("director", gettext_lazy("Director")),
    ("controller", gettext_lazy("Controller")),
    ("signatory", gettext_lazy("Signatory")),
)
KINDS = (
    (PERSON, gettext_lazy("Person")),
    (COMPANY, gettext_lazy("Company")),
)


@dataclass(frozen=True)
class PartyRow:
    """One row. Its fields have names such as "parties.0.name"."""

    section: Section

    @property
    def cells(self) -> tuple[Cell, ...]:
        return self.section.cells

    def values(self, cleaned: Mapping[str, Any]) -> dict[str, Any]:
        """What was entered, by the last part of the name of its field."""
        values = {}
        for cell in self.cells:
            value = cleaned.get(cell.name)
            if value not in (None, ""):
                values[cell.name.rpartition(".")[2]] = value
        return values

    def faults(self, cleaned: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Pairs of field and fault. A row in which nothing was entered has none."""
        values = self.values(cleaned)
        prefix = self.cells[0].name.rpartition(".")[0]
        if not values:
            return
        if "name" not in values:
            yield f"{prefix}.name", _("Enter the name.")
        if "role" not in values and "share" not in values:
            yield f"{prefix}.role", _("Choose the role, or enter a share.")
        if "share" in values and not _is_share(values["share"]):
            yield (
                f"{prefix}.share",
                _("Enter a share in percent, such as 25, 33.3 or 25-50."),
            )
        kind = values.get("kind")
        if kind == COMPANY and "date_of_birth" in values:
            yield f"{prefix}.date_of_birth", _("A company has no date of birth.")
        if kind == PERSON and "registration_number" in values:
            yield (
                f"{prefix}.registration_number",
                _("A person has no registration number."),
            )


def count_of(sent: Mapping[str, object]) -> int:
    """How many rows a form has that these values are of."""
    count = numbers.parse(str(sent.get(ROWS, "")), digits=3) or FIRST
    for name in sent:
        if name.startswith(PREFIX):
            number = numbers.parse(name.split(".")[1], digits=3)
            count = max(count, (number or 0) + 1)
    if ADD in sent:
        count += MORE
    return min(count, MOST)


def rows(count: int) -> list[PartyRow]:
    return [PartyRow(_section(number)) for number in range(count)]


def data(all_rows: list[PartyRow], cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """The members of the attested data, such as "owners": only those that somebody is in."""
    members: dict[str, Any] = {}
    for row in all_rows:
        values = row.values(cleaned)
        if values:
            # Without a role it has a share: see `faults`.
            member = MEMBERS[values.get("role", OWNER)]
            members.setdefault(member, []).append(_attested(values))
    return members


def _attested(values: Mapping[str, Any]) -> dict[str, Any]:
    kind = values.get("kind") or _kind_by_values(values)
    row: dict[str, Any] = {"type": kind} if kind else {}
    member = "business_name" if kind == COMPANY else "name"
    row[member] = values["name"]
    if "share" in values:
        row["percentage"] = _percent(values["share"])
    birth = values.get("date_of_birth")
    if isinstance(birth, date):
        row["date_of_birth"] = birth.isoformat()
    if "registration_number" in values:
        row["registration_number"] = values["registration_number"]
    if "country_code" in values:
        row[_COUNTRY_OF.get(kind, "country")] = values["country_code"]
    return row


# A person has a nationality, a company a seat.
_COUNTRY_OF = {
    PERSON: "country_of_nationality",
    COMPANY: "country_of_incorporation",
}


def _kind_by_values(values: Mapping[str, Any]) -> str:
    """A file may leave the kind out. "": it is told by the name."""
    if "date_of_birth" in values:
        return PERSON
    return COMPANY if "registration_number" in values else ""


def _percent(share: str) -> str:
    """The column is of percents, so that 0.5 is no half."""
    if "%" in share:
        return share
    return f"{share} %"


def _is_share(text_of_share: str) -> bool:
    share = shares.read(_percent(text_of_share))
    return share is not None and not share.is_unclear


def _section(number: int) -> Section:
    prefix = f"{PREFIX}{number}"
    key = f"parties-{number}"
    title = filled(gettext_lazy("Owner or officer %(number)s"), number=str(number + 1))
    return Section(key, title, "users", _cells(prefix))


def _cells(prefix: str) -> tuple[Cell, ...]:
    share = text(gettext_lazy("Share in percent"), inputmode="decimal")
    return (
        Cell(f"{prefix}.role", choice(gettext_lazy("Role"), list(ROLES)), "third"),
        Cell(f"{prefix}.kind", choice(gettext_lazy("Kind"), list(KINDS)), "third"),
        Cell(f"{prefix}.share", share, "third"),
        Cell(f"{prefix}.name", text(gettext_lazy("Name")), "two-thirds"),
        Cell(
            f"{prefix}.country_code",
            country(gettext_lazy("Nationality or seat")),
            "third",
        ),
        Cell(f"{prefix}.date_of_birth", day(gettext_lazy("Date of birth"))),
        Cell(
            f"{prefix}.registration_number", text(gettext_lazy("Registration number"))
        ),
    )


class CountField(forms.CharField):
    """The hidden number of rows."""

    widget = forms.HiddenInput

    def __init__(self, count: int) -> None:
        super().__init__(required=False, max_length=3, initial=str(count))
