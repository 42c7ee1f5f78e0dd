"""A procedure in force, and cases that have it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.utils.timezone import now

from reviews.models import Case, Procedure
from reviews.procedures import checklists, versions
from reviews.procedures.content import Content, FieldSpec, Item
from tests.factories import make_user

CONTENT = Content(
    fields=(
        FieldSpec("channel", "Channel", "choice", choices=("Branch", "Web")),
        FieldSpec("turnover", "Turnover", "number", help="A year, in thousands"),
        FieldSpec("visited_on", "Visited on", "date"),
        FieldSpec("is_listed", "Is listed", "yes_no"),
        FieldSpec("manager", "Manager", "text"),
    ),
    items=(
        Item("called", "Customer was called", required=True, help="By phone"),
        Item("filed", "File is complete", required=True),
        Item("greeted", "Customer was greeted"),
    ),
)


def procedure_in_force(
    content: Content = CONTENT, *, kind: str = "kyb", by: User | None = None
) -> Procedure:
    """A version that is live, as if rule owners had made it."""
    maker = by or User.objects.filter(username="owner").first()
    maker = maker or make_user("owner", role="rule owner")
    live = versions.live(kind)
    number = live.number + 1 if live else 1
    if live:
        live.move(Procedure.Status.RETIRED)
    return Procedure.objects.create(
        kind=kind,
        number=number,
        note="First.",
        content=content.to_json(),
        made_by=maker,
        status=Procedure.Status.LIVE,
        live_at=now(),
    )


def give_procedure(case: Case, content: Content = CONTENT, **values: Any) -> Procedure:
    """Give a case that is there already a procedure in force."""
    procedure = procedure_in_force(content, kind=case.kind)
    checklists.begin(case, procedure, values=values)
    case.save()
    return procedure
