from __future__ import annotations

from django.urls import path, re_path

from agenthub.api.views import (
    batches,
    cases,
    checks,
    descriptions,
    jobs,
    summaries,
    uploads,
    webhooks,
)

urlpatterns = [
    path("startKYBAgentJob", jobs.StartKybAgentJob.as_view()),
    path("startKYCAgentJob", jobs.StartKycAgentJob.as_view()),
    path("retryJob", jobs.RetryJobView.as_view()),
    path("getJobById", jobs.GetJobById.as_view()),
    path("getJobsByCaseId", jobs.GetJobsByCaseId.as_view()),
    path("getCheckResults", jobs.GetCheckResults.as_view()),
    path("getJobStatusSummary", summaries.GetJobStatusSummary.as_view()),
    path("getCheckResultFromJob", summaries.GetCheckResultFromJob.as_view()),
    path("runCheck", checks.RunCheckView.as_view()),
    path("getAvailableChecks", checks.GetAvailableChecks.as_view()),
    # Another name of getAvailableChecks.
    path("checks", checks.GetAvailableChecks.as_view()),
    path("getCheckInfo", checks.GetCheckInfo.as_view()),
    path("getLatestApplicationState", cases.GetLatestApplicationState.as_view()),
    path("downloadReport", cases.DownloadReportView.as_view()),
    path("eraseCase", cases.EraseCaseView.as_view()),
    path("lookUpName", cases.LookUpNameView.as_view()),
    path("sendFeedback", cases.SendFeedbackView.as_view()),
    path("getFeedbackInputsByKey", summaries.GetFeedbackInputsByKey.as_view()),
    path("enrichPerson", cases.EnrichPersonView.as_view()),
    path("enrichCompany", cases.EnrichCompanyView.as_view()),
    path("enqueueFromCSV", batches.EnqueueFromCsv.as_view()),
    path("enqueueKybSchemas", batches.EnqueueKybSchemasView.as_view()),
    path("mapCsvColumns", batches.MapCsvColumnsView.as_view()),
    path("getJobBatches", batches.GetJobBatches.as_view()),
    path("getBatchJobs", batches.GetBatchJobs.as_view()),
    path("exportCSVBatch", batches.ExportCsvBatch.as_view()),
    path("uploadB64Document", uploads.UploadB64Document.as_view()),
    path("testWebhook", webhooks.TestWebhook.as_view()),
    path("testWebhookReceiver", webhooks.TestWebhookReceiver.as_view()),
    path(
        "uploads/<uuid:upload_id>/<token>", uploads.UploadFile.as_view(), name="upload"
    ),
    path("batches/<token>", uploads.BatchFile.as_view(), name="batch-file"),
    path("schema/", descriptions.OpenApi.as_view(), name="hub-schema"),
    path("docs/", descriptions.page, name="hub-docs"),
    # Last: any other path below the prefix answers 404 as JSON.
    re_path("", jobs.NoEndpoint.as_view()),
]
