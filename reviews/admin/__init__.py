"""Administration of the desk."""

from __future__ import annotations

from django.contrib import admin

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

admin.site.site_header = admin.site.site_title = "Compliance desk"
admin.site.index_title = "Administration"
