from __future__ import annotations

from django.urls import path

from webhooks import views

urlpatterns = [path("<str:slug>/", views.receive, name="webhook")]
