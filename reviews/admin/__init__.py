"""Administration of the desk."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from reviews.admin import (
    cases,
    decisions,
    people,
    privacy,
    procedures,
    risk,
    tokens,
)

__all__ = [
    "cases",
    "decisions",
    "people",
    "privacy",
    "procedures",
    "risk",
    "tokens",
]

admin.site.site_header = admin.site.site_title = _("Compliance desk")
admin.site.index_title = _("Administration")
