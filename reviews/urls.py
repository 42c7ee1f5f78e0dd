from __future__ import annotations

from django.urls import path

from reviews.views import case, documents, queue, submit

urlpatterns = [
    path("", queue.queue, name="queue"),
    path("queue/rows/", queue.rows, name="queue-rows"),
    path("cases/new/", submit.case_new, name="case-new"),
    path("cases/<int:pk>/", case.case_detail, name="case-detail"),
    path("cases/<int:pk>/live/", case.case_live, name="case-live"),
    path("cases/<int:pk>/run-again/", case.run_again, name="case-run-again"),
    path(
        "documents/<uuid:document_id>/pages/<int:number>.webp", case.page_image, name="page-image"
    ),
    path("documents/<uuid:document_id>/pages/<int:number>/text/", case.page_text, name="page-text"),
    path("documents/<uuid:pk>/original/", documents.original, name="document-original"),
    path("documents/<uuid:pk>/file/<str:token>/", documents.lend, name="document-file"),
]
