"""What the desk keeps: cases and what came back, what people decided, and the audit trail."""

from __future__ import annotations

from reviews.models.announcements import Announcement, AnnouncementAttempt, Subscription
from reviews.models.cases import (
    DOCUMENT_KINDS,
    ID_PICTURES,
    OF_ID,
    PAUSED,
    Agent,
    Case,
    CheckResult,
    Connection,
    Document,
    Job,
    Kind,
    Page,
    Pause,
    Severity,
    WebhookSecret,
    plain_text,
)
from reviews.models.decisions import (
    ENDING,
    CheckReview,
    Decision,
    Dismissal,
    FourEyesRule,
    Outcome,
    ReasonCode,
)
from reviews.models.drafts import Draft, DraftFile
from reviews.models.links import Identifier, Presence
from reviews.models.notes import Attachment, Note, Tag
from reviews.models.queue import BulkAct, Clock, QueueLayout, SavedView, SearchText
from reviews.models.requests import InformationRequest
from reviews.models.teams import Team
from reviews.models.tokens import ApiToken, Scope
from reviews.models.trail import CaseEvent, Chain, Seal, Unsealed

__all__ = [
    "DOCUMENT_KINDS",
    "ENDING",
    "ID_PICTURES",
    "OF_ID",
    "PAUSED",
    "Agent",
    "Announcement",
    "AnnouncementAttempt",
    "ApiToken",
    "Attachment",
    "BulkAct",
    "Case",
    "CaseEvent",
    "Chain",
    "CheckResult",
    "CheckReview",
    "Clock",
    "Connection",
    "Decision",
    "Dismissal",
    "Document",
    "Draft",
    "DraftFile",
    "FourEyesRule",
    "Identifier",
    "InformationRequest",
    "Job",
    "Kind",
    "Note",
    "Outcome",
    "Page",
    "Pause",
    "Presence",
    "QueueLayout",
    "ReasonCode",
    "SavedView",
    "Scope",
    "Seal",
    "SearchText",
    "Severity",
    "Subscription",
    "Tag",
    "Team",
    "Unsealed",
    "WebhookSecret",
    "plain_text",
]
