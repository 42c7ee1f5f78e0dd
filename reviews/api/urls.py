from __future__ import annotations

from django.urls import URLPattern, path, re_path

from reviews.api import (
    audit_views,
    batch_views,
    case_views,
    decision_views,
    description,
    document_views,
    note_views,
    queue_views,
    subscription_views,
)
from reviews.api.base import NoEndpoint

urlpatterns: list[URLPattern] = [
    path("me", case_views.MeView.as_view()),
    path("agents", case_views.Agents.as_view()),
    path("agents/<int:pk>/batches", batch_views.Batches.as_view()),
    path("agents/<int:pk>/batches/<uuid:batch>", batch_views.OneBatch.as_view()),
    path("agents/<int:pk>/batches/<uuid:batch>/export", batch_views.BatchExport.as_view()),
    path("reason-codes", case_views.ReasonCodes.as_view()),
    path("cases", case_views.Cases.as_view()),
    path("cases/claim", queue_views.Claim.as_view()),
    path("cases/<int:pk>", case_views.OneCase.as_view()),
    path("cases/<int:pk>/situation", case_views.SituationView.as_view()),
    path("cases/<int:pk>/jobs", case_views.Jobs.as_view()),
    path("cases/<int:pk>/stop-waiting", case_views.StopWaiting.as_view()),
    path("cases/<int:pk>/assign", queue_views.Assign.as_view()),
    path("cases/<int:pk>/snooze", queue_views.Snooze.as_view()),
    path("cases/<int:pk>/documents", document_views.Documents.as_view()),
    path("cases/<int:pk>/notes", note_views.Notes.as_view()),
    path("cases/<int:pk>/tags", note_views.Tags.as_view()),
    path("cases/<int:pk>/tags/<str:name>", note_views.OneTag.as_view()),
    path("cases/<int:pk>/marks", decision_views.Marks.as_view()),
    path("cases/<int:pk>/dismissals", decision_views.Dismissals.as_view()),
    path("cases/<int:pk>/decisions", decision_views.Decisions.as_view()),
    path("cases/<int:pk>/second", decision_views.Second.as_view()),
    path("cases/<int:pk>/reopen", decision_views.Reopen.as_view()),
    path("cases/<int:pk>/withdraw-request", decision_views.Withdraw.as_view()),
    path("cases/<int:pk>/events", audit_views.Events.as_view()),
    path("cases/<int:pk>/evidence", audit_views.Evidence.as_view()),
    path("cases/<int:pk>/report", audit_views.Report.as_view()),
    path("jobs", case_views.AllJobs.as_view()),
    path("documents", document_views.AllDocuments.as_view()),
    path("jobs/<uuid:pk>", case_views.OneJob.as_view()),
    path("jobs/<uuid:pk>/results", case_views.Results.as_view()),
    path("documents/<uuid:pk>", document_views.OneDocument.as_view()),
    path("documents/<uuid:pk>/content", document_views.Content.as_view()),
    path("attachments/<int:pk>/content", document_views.AttachmentContent.as_view()),
    path("notes/<int:pk>", note_views.OneNote.as_view()),
    path("dismissals/<int:pk>", decision_views.OneDismissal.as_view()),
    path("subscriptions", subscription_views.Subscriptions.as_view()),
    path("subscriptions/<int:pk>", subscription_views.OneSubscription.as_view()),
    # As the hub's: the fixed address. The other one is older.
    path("schema/", description.Description.as_view()),
    path("openapi.json", description.Description.as_view(), name="desk-schema"),
    # Last: what is below the prefix and no endpoint.
    re_path("", NoEndpoint.as_view()),
]
