from __future__ import annotations

from django.urls import URLPattern, path, re_path

from reviews.api import description
from reviews.api.base import NoEndpoint
from reviews.api.views import (
    audit,
    batches,
    cases,
    decisions,
    documents,
    notes,
    queue,
    subscriptions,
)

urlpatterns: list[URLPattern] = [
    path("me", cases.MeView.as_view()),
    path("agents", cases.Agents.as_view()),
    path("agents/<int:pk>/batches", batches.Batches.as_view()),
    path("agents/<int:pk>/batches/<uuid:batch>", batches.OneBatch.as_view()),
    path("agents/<int:pk>/batches/<uuid:batch>/export", batches.BatchExport.as_view()),
    path("reason-codes", cases.ReasonCodes.as_view()),
    path("cases", cases.Cases.as_view()),
    path("cases/claim", queue.Claim.as_view()),
    path("cases/<int:pk>", cases.OneCase.as_view()),
    path("cases/<int:pk>/review-state", cases.ReviewStateView.as_view()),
    path("cases/<int:pk>/jobs", cases.Jobs.as_view()),
    path("cases/<int:pk>/stop-waiting", cases.StopWaiting.as_view()),
    path("cases/<int:pk>/assign", queue.Assign.as_view()),
    path("cases/<int:pk>/snooze", queue.Snooze.as_view()),
    path("cases/<int:pk>/documents", documents.Documents.as_view()),
    path("cases/<int:pk>/notes", notes.Notes.as_view()),
    path("cases/<int:pk>/tags", notes.Tags.as_view()),
    path("cases/<int:pk>/tags/<str:name>", notes.OneTag.as_view()),
    path("cases/<int:pk>/marks", decisions.Marks.as_view()),
    path("cases/<int:pk>/dismissals", decisions.Dismissals.as_view()),
    path("cases/<int:pk>/decisions", decisions.Decisions.as_view()),
    path("cases/<int:pk>/second", decisions.Second.as_view()),
    path("cases/<int:pk>/reopen", decisions.Reopen.as_view()),
    path("cases/<int:pk>/withdraw-request", decisions.Withdraw.as_view()),
    path("cases/<int:pk>/events", audit.Events.as_view()),
    path("cases/<int:pk>/evidence", audit.Evidence.as_view()),
    path("cases/<int:pk>/report", audit.Report.as_view()),
    path("jobs", cases.AllJobs.as_view()),
    path("documents", documents.AllDocuments.as_view()),
    path("jobs/<uuid:pk>", cases.OneJob.as_view()),
    path("jobs/<uuid:pk>/results", cases.Results.as_view()),
    path("documents/<uuid:pk>", documents.OneDocument.as_view()),
    path("documents/<uuid:pk>/content", documents.Content.as_view()),
    path("documents/<uuid:pk>/original", documents.Original.as_view()),
    path("documents/<uuid:pk>/end-links", documents.EndLinks.as_view()),
    path("attachments/<int:pk>/content", documents.AttachmentContent.as_view()),
    path("notes/<int:pk>", notes.OneNote.as_view()),
    path("dismissals/<int:pk>", decisions.OneDismissal.as_view()),
    path("subscriptions", subscriptions.Subscriptions.as_view()),
    path("subscriptions/<int:pk>", subscriptions.OneSubscription.as_view()),
    # As the hub's: the fixed address. The other one is older.
    path("schema/", description.Description.as_view()),
    path("openapi.json", description.Description.as_view(), name="desk-schema"),
    # Last: what is below the prefix and no endpoint.
    re_path("", NoEndpoint.as_view()),
]
