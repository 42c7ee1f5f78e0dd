"""The hub's models: accounts, their agents, jobs with results, and webhooks to send."""

from __future__ import annotations

from agenthub.models.accounts import Account, Agent, ApiKey, SigningSecret
from agenthub.models.deliveries import Attempt, Delivery
from agenthub.models.documents import DocumentPrint, QuarantinedFile, Upload
from agenthub.models.jobs import (
    AgentJob,
    CheckRun,
    Feedback,
    JobBatch,
    RejectedRow,
    ToolRun,
)
from agenthub.models.subjects import AddressEntry, AddressList, SubjectMark

__all__ = [
    "Account",
    "AddressEntry",
    "AddressList",
    "Agent",
    "AgentJob",
    "ApiKey",
    "Attempt",
    "CheckRun",
    "Delivery",
    "DocumentPrint",
    "Feedback",
    "JobBatch",
    "QuarantinedFile",
    "RejectedRow",
    "SigningSecret",
    "SubjectMark",
    "ToolRun",
    "Upload",
]
