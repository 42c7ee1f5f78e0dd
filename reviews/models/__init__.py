"""What the desk keeps: cases and what came back, what people decided, and the audit trail."""

from __future__ import annotations

from reviews.models.applicants import (
    Invitation,
    Organisation,
    RefusedDocument,
    RequestMail,
)
from reviews.models.cases import (
    PAUSED,
    Case,
    Identifier,
    RiskBand,
    Severity,
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
from reviews.models.documents import (
    DOCUMENT_KINDS,
    ID_PICTURES,
    OF_ID,
    Document,
    FileScan,
    Page,
)
from reviews.models.intake import (
    CaseImport,
    Draft,
    DraftFile,
    ImportedRow,
    InformationRequest,
)
from reviews.models.jobs import CheckResult, Job
from reviews.models.notes import Attachment, Note, Tag
from reviews.models.parties import (
    CaseParty,
    Party,
    PartyMerge,
    PartyRelation,
    PartyStatement,
)
from reviews.models.people import (
    ApiToken,
    Notification,
    Presence,
    Read,
    Scope,
    Team,
)
from reviews.models.privacy import Erasure, LegalHold, RetentionRule
from reviews.models.queue import BulkAct, Clock, QueueLayout, SavedView, SearchText
from reviews.models.risk import (
    Band,
    CaseRating,
    PeriodicReview,
    RatingOverride,
    RatingState,
    RiskPolicy,
)
from reviews.models.service import Agent, Connection, Kind, Pause, WebhookSecret
from reviews.models.subscriptions import Announcement, AnnouncementAttempt, Subscription
from reviews.models.trail import (
    AnchorCopy,
    CaseEvent,
    Chain,
    Seal,
    TreeNode,
    Unsealed,
)

__all__ = [
    "DOCUMENT_KINDS",
    "ENDING",
    "ID_PICTURES",
    "OF_ID",
    "PAUSED",
    "Agent",
    "AnchorCopy",
    "Announcement",
    "AnnouncementAttempt",
    "ApiToken",
    "Attachment",
    "Band",
    "BulkAct",
    "Case",
    "CaseEvent",
    "CaseImport",
    "CaseParty",
    "CaseRating",
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
    "Erasure",
    "FileScan",
    "FourEyesRule",
    "Identifier",
    "ImportedRow",
    "InformationRequest",
    "Invitation",
    "Job",
    "Kind",
    "LegalHold",
    "Note",
    "Notification",
    "Organisation",
    "Outcome",
    "Page",
    "Party",
    "PartyMerge",
    "PartyRelation",
    "PartyStatement",
    "Pause",
    "PeriodicReview",
    "Presence",
    "QueueLayout",
    "RatingOverride",
    "RatingState",
    "Read",
    "ReasonCode",
    "RefusedDocument",
    "RequestMail",
    "RetentionRule",
    "RiskBand",
    "RiskPolicy",
    "SavedView",
    "Scope",
    "Seal",
    "SearchText",
    "Severity",
    "Subscription",
    "Tag",
    "Team",
    "TreeNode",
    "Unsealed",
    "WebhookSecret",
    "plain_text",
]
