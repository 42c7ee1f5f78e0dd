"""Teams, API tokens, presence on case pages, reads, and the inbox of a person."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from compliance.languages import english
from compliance.security.bearer_keys import BearerKey
from compliance.work.rows import Work


class Team(models.Model):
    """People who share connections. Everybody may see a connection that belongs to no team."""

    name = models.CharField(max_length=80, unique=True)
    members = models.ManyToManyField(
        settings.AUTH_USER_MODEL, blank=True, related_name="teams"
    )
    connections = models.ManyToManyField(
        "reviews.Connection", blank=True, related_name="teams"
    )

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Scope(models.TextChoices):
    """A scope of an API token. The token never may do more than its user."""

    READ = "cases:read", _("Read cases, jobs, results, notes and decisions")
    SUBMIT = "cases:submit", _("Submit cases and run their checks again")
    NOTE = "cases:note", _("Write notes and tags")
    ASSIGN = "cases:assign", _("Take, assign and snooze cases")
    DECIDE = "cases:decide", _("Review checks, decide, agree, reopen")
    DOCUMENTS = "documents:read", _("Fetch safe copies of documents")
    ORIGINALS = (
        "originals:read",
        _("Fetch documents and attachments as they were handed in"),
    )
    AUDIT = "audit:read", _("Read the audit trail and webhooks, take evidence packs")
    PRIVACY = "privacy:manage", _("Hold and erase cases")
    SUBSCRIPTIONS = (
        "subscriptions:manage",
        _("Manage webhook subscriptions, replay webhooks"),
    )


# Scopes that act in the name of a person: people can create such tokens only for themselves.
PERSONAL = frozenset(
    {Scope.NOTE, Scope.ASSIGN, Scope.DECIDE, Scope.PRIVACY, Scope.SUBSCRIPTIONS}
)


class ApiToken(BearerKey):
    """A bearer token of a system. Only its hash is stored; it is shown once, at creation."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens",
        help_text="In whose name it acts.",
    )  # fmt: skip
    name = models.CharField(max_length=80, help_text="Which system uses it.")
    scopes = models.JSONField(default=list)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )

    class Meta(BearerKey.Meta):
        verbose_name = "API token"

    @property
    def is_valid(self) -> bool:
        return super().is_valid and self.user.is_active


class Presence(models.Model):
    """A person has the page of a case open.

    The row is dropped when no signal of the page arrives.
    """

    case = models.ForeignKey("reviews.Case", models.CASCADE, related_name="presences")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    since = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["case", "user"], name="one_presence_per_person"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.case_id}"


class Read(models.Model):
    """A record that a person, or a system in their name, was shown data of a case."""

    class Kind(models.TextChoices):
        CASE = "case", _("Case")
        DOCUMENT = "document", _("Page of a document")
        ORIGINAL = "original", _("Original file")
        COPY = "copy", _("Safe copy of a file")
        ATTACHMENT = "attachment", _("File of a note")
        JOB = "job", _("Job")
        REPORT = "report", _("Report")
        EVIDENCE = "evidence", _("Evidence pack")
        EXPORT = "export", _("Export for the subject")
        INTERFACE = "interface", _("REST interface")
        PARTY = "party", _("Party")
        LOOK = "look", _("Second look")

    at = models.DateTimeField(default=now, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    by = models.CharField(max_length=150, help_text="The user's name at that time.")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    item = models.CharField(
        max_length=200, help_text="Its key; of a page of a document with the number."
    )
    case = models.ForeignKey(
        "reviews.Case", models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        indexes = [models.Index(fields=["at", "id"], name="read_by_time")]

    def __str__(self) -> str:
        return f"{self.by} {self.kind} {self.item}"


class Notification(models.Model):
    """A notice about a case in one person's inbox. It contains no data of the case."""

    class Kind(models.TextChoices):
        MENTION = "mention", _("mentioned you in a note")
        ASSIGNED = "assigned", _("assigned the case to you")
        ESCALATED = "escalated", _("escalated the case")
        SECOND = "second", _("asks for a second approval")
        SENT_BACK = "sent_back", _("sent your decision back")
        ANSWER = "answer", _("answered the request")
        NO_ANSWER = "no_answer", _("got no answer to the request in time")
        ALARM = "alarm", _("came after your decision")
        DUE_SOON = "due_soon", _("is due within the hour")
        OVERDUE = "overdue", _("is overdue")
        LOOK = "look", _("would have decided otherwise")
        # Reports of suspicious activity are confidential. The words do not name them: somebody
        # who looks over the reader's shoulder, or gets the mail, must not learn about the
        # report.
        REPORT = "report", _("asks you to approve a report")
        REPORT_BACK = "report_back", _("sent your report back")
        REPORT_OK = "report_ok", _("approved your report: it is to be filed")

    to = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="notifications"
    )
    case = models.ForeignKey(
        "reviews.Case", models.CASCADE, related_name="notifications"
    )
    kind = models.CharField(max_length=12, choices=Kind.choices)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    at = models.DateTimeField(default=now, editable=False)
    read_at = models.DateTimeField(null=True)
    mail = models.ForeignKey(
        "reviews.NoticeMail", models.SET_NULL, null=True, related_name="lines"
    )

    OF_REPORTS = (Kind.REPORT, Kind.REPORT_BACK, Kind.REPORT_OK)
    # What these are about stands among notes and answers.
    OF_ACTIVITY = (Kind.MENTION, Kind.ANSWER)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["to", "case", "kind"],
                condition=models.Q(read_at=None),
                name="one_unread_notification",
            )
        ]

    def __str__(self) -> str:
        return f"{self.to_id} {self.kind} {self.case_id}"

    def get_absolute_url(self) -> str:
        """The page on which the reader acts on it."""
        is_of_report = self.kind in self.OF_REPORTS
        name = "suspicions-of-case" if is_of_report else "case-detail"
        address = reverse(name, args=[self.case_id])
        if self.kind in self.OF_ACTIVITY:
            address += "?tab=activity"
        return address


class InboxPreference(models.Model):
    """Whether a person gets their inbox by e-mail, too. Without a row they do not."""

    class Mail(models.TextChoices):
        OFF = "off", _("Never")
        AT_ONCE = "at_once", _("Within a minute")
        DAILY = "daily", _("Once a day, at 07:00")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        primary_key=True,
        related_name="inbox_preference",
    )
    mail = models.CharField(max_length=8, choices=Mail.choices, default=Mail.OFF)

    @english()
    def __str__(self) -> str:
        return f"{self.user}: {self.get_mail_display()}"


class NoticeMail(Work):
    """One e-mail with notices of a person's inbox. Notices are added only while it is waiting."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("Waits")
        SENDING = "sending", _("Is being sent")
        SENT = "sent", _("Sent")
        DROPPED = "dropped", _("Not needed any more")
        FAILED = "failed", _("Could not be sent")

    FLOW = {
        Status.WAITING: {Status.SENDING},
        Status.SENDING: {Status.SENT, Status.DROPPED, Status.FAILED},
        Status.FAILED: {Status.SENDING},
    }

    to = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="notice_mails"
    )
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.WAITING
    )
    sent_at = models.DateTimeField(null=True)
    fault = models.CharField(max_length=200, blank=True)

    class Meta(Work.Meta):
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["to"],
                condition=models.Q(status="waiting"),
                name="one_notice_mail_waits",
            )
        ]

    @english()
    def __str__(self) -> str:
        return f"{self.to_id}: {self.get_status_display()}"


class DueWatch(Work):
    """One row: a worker looks for cases that are due soon or overdue. Due every minute."""

    class Status(models.TextChoices):
        READY = "ready", _("Ready")

    FLOW = {Status.READY: set[str]()}

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.READY
    )

    class Meta(Work.Meta):
        verbose_name_plural = "due watches"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(pk=1), name="there_is_one_due_watch"
            )
        ]

    @english()
    def __str__(self) -> str:
        return self.get_status_display()
