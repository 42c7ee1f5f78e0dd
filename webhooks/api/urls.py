from __future__ import annotations

from django.urls import URLPattern, path

from webhooks.api import views

urlpatterns: list[URLPattern] = [
    path("webhooks", views.Received.as_view()),
    path("webhooks/<int:pk>", views.OneReceived.as_view()),
    path("webhooks/<int:pk>/replay", views.Replay.as_view()),
]
