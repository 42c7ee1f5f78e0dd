from __future__ import annotations

from django.urls import path, re_path

from agenthub.api import (
    batch_views,
    case_views,
    check_views,
    description_views,
    summary_views,
    upload_views,
    views,
    webhook_views,
)

urlpatterns = [
    path("startKYBAgentJob", views.StartKybAgentJob.as_view()),
    path("startKYCAgentJob", views.StartKycAgentJob.as_view()),
    path("retryJob", views.RetryJobView.as_view()),
    path("getJobById", views.GetJobById.as_view()),
    path("getJobsByCaseId", views.GetJobsByCaseId.as_view()),
    path("getCheckResults", views.GetCheckResults.as_view()),
    path("getJobStatusSummary", summary_views.GetJobStatusSummary.as_view()),
    path("getCheckResultFromJob", summary_views.GetCheckResultFromJob.as_view()),
    path("runCheck", check_views.RunCheckView.as_view()),
    path("getAvailableChecks", check_views.GetAvailableChecks.as_view()),
    # Another name of getAvailableChecks.
    path("checks", check_views.GetAvailableChecks.as_view()),
    path("getCheckInfo", check_views.GetCheckInfo.as_view()),
    path("getLatestApplicationState", case_views.GetLatestApplicationState.as_view()),
    path("downloadReport", case_views.DownloadReportView.as_view()),
    path("sendFeedback", case_views.SendFeedbackView.as_view()),
    path("getFeedbackInputsByKey", summary_views.GetFeedbackInputsByKey.as_view()),
    path("enrichPerson", case_views.EnrichPersonView.as_view()),
    path("enrichCompany", case_views.EnrichCompanyView.as_view()),
    path("enqueueFromCSV", batch_views.EnqueueFromCsv.as_view()),
    path("enqueueKybSchemas", batch_views.EnqueueKybSchemasView.as_view()),
    path("mapCsvColumns", batch_views.MapCsvColumnsView.as_view()),
    path("getJobBatches", batch_views.GetJobBatches.as_view()),
    path("getBatchJobs", batch_views.GetBatchJobs.as_view()),
    path("exportCSVBatch", batch_views.ExportCsvBatch.as_view()),
    path("uploadB64Document", upload_views.UploadB64Document.as_view()),
    path("testWebhook", webhook_views.TestWebhook.as_view()),
    path("testWebhookReceiver", webhook_views.TestWebhookReceiver.as_view()),
    path("uploads/<uuid:upload_id>/<token>", upload_views.UploadFile.as_view(), name="upload"),
    path("batches/<token>", upload_views.BatchFile.as_view(), name="batch-file"),
    path("schema/", description_views.OpenApi.as_view(), name="hub-schema"),
    path("docs/", description_views.page, name="hub-docs"),
    # Last: what is below the prefix and no endpoint.
    re_path("", views.NoEndpoint.as_view()),
]
