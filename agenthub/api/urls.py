from __future__ import annotations

from django.urls import path, re_path

from agenthub.api import views

urlpatterns = [
    path("startKYBAgentJob", views.StartKybAgentJob.as_view()),
    path("startKYCAgentJob", views.StartKycAgentJob.as_view()),
    path("getJobById", views.GetJobById.as_view()),
    path("getJobsByCaseId", views.GetJobsByCaseId.as_view()),
    path("getCheckResults", views.GetCheckResults.as_view()),
    # Last: what is below the prefix and no endpoint.
    re_path("", views.NoEndpoint.as_view()),
]
