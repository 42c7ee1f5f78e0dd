from __future__ import annotations

from django.urls import path

from compliance.operation import queue_pages

urlpatterns = [
    path("", queue_pages.overview, name="queues"),
    path("failed/<slug:name>/", queue_pages.failed, name="queue-failed"),
    path("failed/<slug:name>/retry/", queue_pages.retry, name="queue-retry"),
]
