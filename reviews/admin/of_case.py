"""Base class for admin tables whose rows belong to cases. Users see only rows of their own
teams.
"""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest

from compliance.pages.admin import ReadOnlyAdmin
from reviews.access import roles
from reviews.access.decorators import person_of


class OfCaseAdmin(ReadOnlyAdmin):
    # The lookup from a row to the connection of its case.
    connection_path: str

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        return roles.only_visible(person_of(request), rows, self.connection_path)
