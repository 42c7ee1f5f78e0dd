"""Tokens: how other systems call the desk in somebody's name."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.timezone import now


class Scope(models.TextChoices):
    """What a token is good for, of what its user may do."""

    READ = "cases:read", "Read cases, jobs, results, notes and decisions"
    SUBMIT = "cases:submit", "Submit cases and run their checks again"
    NOTE = "cases:note", "Write notes and tags"
    ASSIGN = "cases:assign", "Take, assign and put aside cases"
    DECIDE = "cases:decide", "Review checks, decide, agree, reopen"
    DOCUMENTS = "documents:read", "Fetch documents and attachments"
    AUDIT = "audit:read", "Read the audit trail and webhooks, take evidence packs"
    SUBSCRIPTIONS = "subscriptions:manage", "Manage webhook subscriptions, replay webhooks"


# What speaks in a person's name: nobody gives such a token to anybody but themselves.
PERSONAL = frozenset({Scope.NOTE, Scope.ASSIGN, Scope.DECIDE, Scope.SUBSCRIPTIONS})


class ApiToken(models.Model):
    """Who calls, and for what. Only the hash is kept; the token is shown once, when it is made."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens",
        help_text="In whose name it acts.",
    )  # fmt: skip
    name = models.CharField(max_length=80, help_text="Which system uses it.")
    prefix = models.CharField(
        max_length=20, help_text="The first characters, to tell tokens apart."
    )
    digest = models.CharField(max_length=64, unique=True, help_text="sha256 of the token, hex.")
    scopes = models.JSONField(default=list)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = "API token"

    def __str__(self) -> str:
        return f"{self.prefix}…"

    @property
    def is_valid(self) -> bool:
        expired = self.expires_at is not None and self.expires_at <= now()
        return not self.revoked_at and not expired and self.user.is_active
