"""What follows for the visibility of cases when a team is removed."""

from __future__ import annotations

from django.db.models import Count
from django.utils.translation import gettext as _

from reviews.models import Connection, Team


def objection_to_removal(team: Team) -> str:
    """Why the team cannot be removed, as a sentence; empty if it can.

    A service of no team is for all: with its last team the cases would be open to everybody.
    """
    services = Connection.objects.annotate(team_count=Count("teams"))
    services = services.filter(team_count=1, pk__in=team.connections.all())
    names = [service.name for service in services.order_by("name")]
    if not names:
        return ""
    words = _(
        "Everybody would see the cases of %(services)s. Give them to another team first, or take them"
        " out of this team."
    )
    return words % {"services": ", ".join(names)}
