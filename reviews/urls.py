from __future__ import annotations

from django.urls import path

from reviews.pages.case import case, decide, notes, presence, rating, related
from reviews.pages.documents import documents, page_images
from reviews.pages.inbox import inbox
from reviews.pages.intake import (
    applications,
    batches,
    imports,
    information_requests,
    invitations,
    submit,
)
from reviews.pages.lists import lists
from reviews.pages.parties import imports as relation_imports
from reviews.pages.parties import parties
from reviews.pages.privacy import of_case, overview
from reviews.pages.queue import actions, dashboard, queue
from reviews.pages.records import audit_keys, evidence, report
from reviews.pages.risk import policy
from reviews.pages.settings import api_tokens, connections, organisation

urlpatterns = [
    path(".well-known/audit-keys.json", audit_keys.audit_keys, name="audit-keys"),
    path("", queue.queue, name="queue"),
    path("inbox/", inbox.inbox, name="inbox"),
    path("inbox/badge/", inbox.badge, name="inbox-badge"),
    path("inbox/mail/", inbox.mail, name="inbox-mail"),
    path("inbox/read/", inbox.all_read, name="inbox-all-read"),
    path("inbox/<int:pk>/open/", inbox.opened, name="inbox-open"),
    path("inbox/<int:pk>/unread/", inbox.unread, name="inbox-unread"),
    path("dashboard/", dashboard.dashboard, name="dashboard"),
    path("documents/", lists.documents, name="documents"),
    path("jobs/", lists.jobs, name="jobs"),
    path("parties/", parties.overview, name="parties"),
    path("parties/<int:pk>/", parties.detail, name="party"),
    path("parties/<int:pk>/merge/", parties.merge, name="party-merge"),
    path("parties/<int:pk>/relations/", parties.add_relation, name="relation-add"),
    path(
        "parties/<int:pk>/preview/", relation_imports.preview, name="relations-preview"
    ),
    path("parties/<int:pk>/import/", relation_imports.record, name="relations-import"),
    path("parties/relations/<int:pk>/end/", parties.end_relation, name="relation-end"),
    path("parties/merges/<int:pk>/undo/", parties.undo_merge, name="merge-undo"),
    path("reads/", lists.reads, name="reads"),
    path("jobs/<uuid:pk>/", lists.job, name="job"),
    path("privacy/", overview.overview, name="privacy"),
    path("privacy/rules/<int:pk>/due/", overview.due, name="privacy-due"),
    path("privacy/holds/", overview.hold, name="hold-place"),
    path("privacy/holds/<int:pk>/lift/", overview.lift, name="hold-lift"),
    path("privacy/erasures/<int:pk>/", overview.confirm, name="erasure-confirm"),
    path(
        "privacy/erasures/<int:pk>/withdraw/",
        overview.withdraw,
        name="erasure-withdraw",
    ),
    path("cases/<int:pk>/privacy/", of_case.case_privacy, name="case-privacy"),
    path("cases/<int:pk>/hold/", of_case.hold, name="case-hold"),
    path("cases/<int:pk>/subject/", of_case.subject, name="subject-export"),
    path("cases/<int:pk>/erase/", of_case.erase, name="case-erase"),
    path("queue/rows/", queue.rows, name="queue-rows"),
    path("queue/find/", queue.find, name="queue-find"),
    path("queue/next/", actions.claim, name="queue-next"),
    path("queue/act/", actions.act, name="queue-act"),
    path("queue/acts/<int:pk>/", actions.progress, name="bulk"),
    path("queue/layout/", actions.save_layout, name="queue-layout"),
    path("queue/views/", actions.save_view, name="view-save"),
    path("queue/views/<int:pk>/drop/", actions.delete_view, name="view-drop"),
    path("cases/<int:pk>/peek/", queue.peek, name="case-peek"),
    path("queue/people/", actions.people, name="queue-people"),
    path("cases/<int:pk>/people/", actions.people_of_case, name="case-people"),
    path("cases/<int:pk>/assign/", actions.assign, name="case-assign"),
    path("cases/<int:pk>/snooze/", actions.snooze, name="case-snooze"),
    path("cases/new/", submit.case_new, name="case-new"),
    path("cases/new/check/", submit.check, name="case-new-check"),
    path("cases/new/checks/", submit.agent_checks, name="case-new-checks"),
    path("cases/new/draft/", submit.draft, name="case-new-draft"),
    path("cases/<int:pk>/", case.case_detail, name="case-detail"),
    path("cases/<int:pk>/live/", case.case_live, name="case-live"),
    path("cases/<int:pk>/presence/", presence.present, name="case-presence"),
    path("cases/<int:pk>/application/", related.application, name="case-application"),
    path("cases/<int:pk>/enrich/", related.enrich, name="case-enrich"),
    path("batches/", batches.home, name="batches"),
    path("batches/template/<str:kind>.csv", batches.template, name="batch-template"),
    path("batches/<int:agent_id>/<uuid:batch_id>/", batches.batch, name="batch"),
    path("batches/files/<uuid:pk>/", imports.case_import, name="case-import"),
    path("batches/files/<uuid:pk>/live/", imports.live, name="case-import-live"),
    path(
        "batches/files/<uuid:pk>/result.csv",
        imports.result,
        name="case-import-result",
    ),
    path(
        "batches/<int:agent_id>/<uuid:batch_id>/live/", batches.live, name="batch-live"
    ),
    path(
        "batches/<int:agent_id>/<uuid:batch_id>/export.csv",
        batches.export,
        name="batch-export",
    ),
    path("connections/", connections.overview, name="connections"),
    path(
        "connections/<int:pk>/test/", connections.test_webhook, name="connection-test"
    ),
    path("connections/<int:pk>/try/", connections.try_key, name="connection-try"),
    path(
        "connections/<int:pk>/untimed/",
        connections.accept_untimed,
        name="connection-untimed",
    ),
    path("tokens/", api_tokens.tokens, name="tokens"),
    path("tokens/<int:pk>/revoke/", api_tokens.revoke, name="token-revoke"),
    path("cases/<int:pk>/run-again/", case.run_again, name="case-run-again"),
    path("cases/<int:pk>/stop-waiting/", case.stop_waiting, name="case-stop-waiting"),
    path("cases/<int:pk>/decide/", decide.decide, name="case-decide"),
    path("cases/<int:pk>/second/", decide.second, name="case-second"),
    path("cases/<int:pk>/reopen/", decide.reopen, name="case-reopen"),
    path("cases/<int:pk>/mark/", decide.mark, name="case-mark"),
    path("cases/<int:pk>/rating/", rating.rate, name="case-rating"),
    path("cases/<int:pk>/dismiss/", decide.dismiss, name="case-dismiss"),
    path("cases/<int:pk>/withdraw-request/", decide.withdraw, name="case-withdraw"),
    path("cases/<int:pk>/send-request/", decide.send_request, name="case-send-request"),
    path("cases/<int:pk>/evidence/", evidence.pack, name="case-evidence"),
    path("cases/<int:pk>/report/", report.report, name="case-report"),
    path("cases/<int:pk>/report/pdf/", report.pdf, name="case-report-pdf"),
    path("risk/", policy.overview, name="risk"),
    path("risk/new/", policy.edit, name="risk-edit"),
    path("risk/<int:number>/", policy.version, name="risk-version"),
    path("risk/<int:number>/trial/", policy.trial_part, name="risk-trial"),
    path("risk/<int:number>/try/", policy.try_it, name="risk-try"),
    path("risk/<int:number>/live/", policy.make_live, name="risk-live"),
    path("reports/", report.reports, name="reports"),
    path("cases/<int:pk>/notes/", notes.add, name="case-notes"),
    path("cases/<int:pk>/tags/", notes.tag, name="case-tags"),
    path("notes/<int:pk>/", notes.edit, name="note"),
    path("attachments/<int:pk>/", notes.attachment, name="attachment"),
    path("requests/<str:token>/", information_requests.answer, name="request"),
    path(
        "requests/<str:token>/draft/",
        information_requests.draft,
        name="request-draft",
    ),
    path("invitations/", invitations.overview, name="invitations"),
    path(
        "invitations/<int:pk>/withdraw/",
        invitations.withdraw,
        name="invitation-withdraw",
    ),
    path("apply/<str:token>/", applications.apply, name="apply"),
    path("apply/<str:token>/draft/", applications.draft, name="apply-draft"),
    path("organisation/", organisation.settings_page, name="organisation"),
    path("organisation/colours.css", organisation.stylesheet, name="colours"),
    path("organisation/logo.webp", organisation.logo, name="logo"),
    path(
        "documents/<uuid:document_id>/pages/<int:number>.webp",
        page_images.page_image,
        name="page-image",
    ),
    path(
        "documents/<uuid:document_id>/pages/<int:number>/text/",
        page_images.page_text,
        name="page-text",
    ),
    path("documents/<uuid:pk>/copy/", documents.copy, name="document-copy"),
    path("scans/<int:pk>/", documents.quarantine_act, name="file-scan"),
    path("documents/<uuid:pk>/original/", documents.original, name="document-original"),
    path(
        "documents/<uuid:pk>/end-links/",
        documents.end_links,
        name="document-end-links",
    ),
    path("documents/<uuid:pk>/file/<str:token>/", documents.lend, name="document-file"),
]
