from __future__ import annotations

from django.urls import path

from webhooks import pages, views

urlpatterns = [
    path("<str:slug>/", views.receive, name="webhook"),
    path("", pages.overview, name="webhooks"),
    path("received/<int:pk>/", pages.event, name="webhook-event"),
    path("received/<int:pk>/replay/", pages.replay, name="webhook-replay"),
    path("sent/<uuid:pk>/", pages.announcement, name="webhook-sent"),
    path("sent/<uuid:pk>/again/", pages.send_again, name="webhook-again"),
]
