"""URLs of the page of proposals, below /approvals/."""

from __future__ import annotations

from django.urls import path

from compliance.approvals import pages

urlpatterns = [
    path("", pages.overview, name="approvals"),
    path("<int:pk>/<str:act>/", pages.end, name="approval-end"),
]
