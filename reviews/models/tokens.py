"""Tokens: how other systems call the desk in somebody's name."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from compliance.bearer_keys import BearerKey


class Scope(models.TextChoices):
    """What a token is good for, of what its user may do."""

    READ = "cases:read", "Read cases, jobs, results, notes and decisions"
    SUBMIT = "cases:submit", "Submit cases and run their checks again"
    NOTE = "cases:note", "Write notes and tags"
    ASSIGN = "cases:assign", "Take, assign and snooze cases"
    DECIDE = "cases:decide", "Review checks, decide, agree, reopen"
    DOCUMENTS = "documents:read", "Fetch documents and attachments"
    AUDIT = "audit:read", "Read the audit trail and webhooks, take evidence packs"
    SUBSCRIPTIONS = "subscriptions:manage", "Manage webhook subscriptions, replay webhooks"


# What speaks in a person's name: nobody gives such a token to anybody but themselves.
PERSONAL = frozenset({Scope.NOTE, Scope.ASSIGN, Scope.DECIDE, Scope.SUBSCRIPTIONS})


class ApiToken(BearerKey):
    """Who calls, and for what. Only the hash is kept; the token is shown once, when it is made."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens",
        help_text="In whose name it acts.",
    )  # fmt: skip
    name = models.CharField(max_length=80, help_text="Which system uses it.")
    scopes = models.JSONField(default=list)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")

    class Meta(BearerKey.Meta):
        verbose_name = "API token"

    @property
    def is_valid(self) -> bool:
        return super().is_valid and self.user.is_active
