"""Tables of the installation: SCIM directories, preferences, CSP reports, heartbeats."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.security.bearer_keys import BearerKey

# Django looks for models in this module.
from compliance.security.data_keys import DataKey as DataKey
from compliance.work.tallies import Tally as Tally


class DirectoryToken(BearerKey):
    """The key of a directory that adds and removes people by SCIM. Only its hash is stored."""

    name = models.CharField(max_length=80, help_text="Which directory uses it.")

    class Meta(BearerKey.Meta):
        verbose_name = "SCIM token"


class DirectoryUser(models.Model):
    """The directory's own identifier of a person."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="directory_entry"
    )
    external_id = models.CharField(max_length=200, blank=True, db_index=True)
    # When the directory deleted the person. The account stays, because the audit trail refers to it.
    deleted_at = models.DateTimeField(null=True, blank=True)
    changed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.external_id


class DirectoryGroup(models.Model):
    """A group of the directory with its members. Roles are derived from it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=200, unique=True)
    external_id = models.CharField(max_length=200, blank=True)
    members = models.ManyToManyField(
        settings.AUTH_USER_MODEL, blank=True, related_name="directory_groups"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class LocalePreference(models.Model):
    """A person's language and time zone for pages.

    Empty: that of the browser, or of the installation. The first sign-in writes the language of the
    browser.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        primary_key=True,
        related_name="locale_preference",
    )
    language = models.CharField(max_length=10, blank=True)
    time_zone = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"{self.language} {self.time_zone}".strip()


class CspReport(models.Model):
    """A browser's report about the content security policy, without personal data."""

    at = models.DateTimeField(auto_now_add=True)
    directive = models.CharField(max_length=40)
    source = models.CharField(max_length=120)
    page = models.CharField(max_length=80, help_text="The name of the page.")

    class Meta:
        ordering = ["-id"]
        verbose_name = "CSP report"

    def __str__(self) -> str:
        return f"{self.directive} from {self.source}"


class Heartbeat(models.Model):
    """The last sign of life of a process, by the database's clock."""

    class Kind(models.TextChoices):
        WORKER = "worker"
        SWEEP = "sweep", _("sweep of all queues")
        HEALTH = "health", _("answer of /health/ready")

    name = models.CharField(max_length=200, unique=True)
    kind = models.CharField(max_length=8, choices=Kind.choices)
    queues = models.CharField(
        max_length=200,
        blank=True,
        help_text="Those of the broker that a worker serves, with commas between.",
    )
    skew_seconds = models.FloatField(
        default=0, help_text="How far the process's clock is ahead of the database's."
    )
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
