"""Lists as the hub keeps them: where they come from, their versions, their entries, an index.

An entry is kept as long as anything may rest on it: `first_version` and `last_version` say in
which versions it stood, so that a result of last year can be explained again. The index is of the
active version alone, and made anew for each.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Max, Min, Q
from django.utils.translation import gettext_lazy as _

from agenthub.models.jobs import AgentJob
from compliance.db.states import Stateful
from compliance.work.rows import Work


class ListSource(models.Model):
    """A list: in which format it is published, where, and how old it may be."""

    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=120)
    format = models.CharField(max_length=40)
    url = models.CharField(
        max_length=500, blank=True, help_text="For the scheduled refresh."
    )
    max_age_days = models.PositiveIntegerField(
        default=8,
        help_text="A version that was loaded longer ago is stale: checks cannot tell.",
    )
    max_shrink = models.FloatField(
        default=0.05, help_text="A file that lost more than this share is refused."
    )
    # What entries are listed for that do not say so themselves: sanction, role.pep, crime …
    topics = models.JSONField(default=list)
    # Of a generic CSV: {"name": "Full name", …}
    columns = models.JSONField(default=dict, blank=True)
    # Names that every version must hold: one that does not is held for a person.
    canaries = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.title


class ListVersion(Stateful):
    """A state of a list. Staging until it was found sound; one at a time is active."""

    class Status(models.TextChoices):
        STAGING = "staging", _("Being loaded")
        ACTIVE = "active", _("Active")
        RETIRED = "retired", _("Replaced")
        REJECTED = "rejected", _("Refused")

    FLOW = {
        Status.STAGING: {Status.ACTIVE, Status.REJECTED},
        Status.ACTIVE: {Status.RETIRED},
    }

    source = models.ForeignKey(ListSource, models.CASCADE, related_name="versions")
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.STAGING
    )
    published_at = models.CharField(
        max_length=10, blank=True, help_text="As the file says."
    )
    loaded_at = models.DateTimeField(auto_now_add=True)
    file_name = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField(default=0)
    entity_count = models.PositiveIntegerField(default=0)
    name_count = models.PositiveIntegerField(default=0)
    topics = models.JSONField(default=list)
    engine_version = models.CharField(max_length=20, blank=True)
    changes = models.JSONField(
        default=dict, help_text="How many were added, changed, removed."
    )
    note = models.TextField(blank=True, help_text="Why it was refused.")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["source"],
                condition=Q(status="active"),
                name="one_active_version",
            ),
            models.UniqueConstraint(
                fields=["source"],
                condition=Q(status="staging"),
                name="one_load_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source.slug} {self.published_at or self.loaded_at.date()}"


class HeldVersion(Work):
    """A version that waits for a person, with its file. Due when somebody released it: then it is
    loaded, whatever it was held for."""

    class Status(models.TextChoices):
        HELD = "held", _("Held")
        RELEASED = "released", _("Being loaded")
        ACTIVE = "active", _("Released")
        DISCARDED = "discarded", _("Replaced")

    FLOW = {
        Status.HELD: {Status.RELEASED, Status.DISCARDED},
        Status.RELEASED: {Status.ACTIVE, Status.HELD},
    }

    version = models.OneToOneField(ListVersion, models.CASCADE, related_name="held")
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.HELD
    )
    due_at = models.DateTimeField(null=True, blank=True, editable=False)
    file = models.FileField(upload_to="lists/", blank=True)
    file_name = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    released_by = models.CharField(max_length=150, blank=True)
    released_at = models.DateTimeField(null=True)
    reason = models.TextField(blank=True, help_text="Why it was released.")
    error = models.TextField(blank=True, help_text="Why it could not be loaded.")

    def __str__(self) -> str:
        return str(self.version)


class ListEntity(models.Model):
    """An entry with its content as read. A changed entry is a new row."""

    source = models.ForeignKey(ListSource, models.CASCADE)
    external_id = models.CharField(max_length=200)
    content_hash = models.CharField(max_length=64)
    content = models.JSONField()
    first_version = models.ForeignKey(ListVersion, models.CASCADE, related_name="added")
    # The last version that it stood in; null: it stands still.
    last_version = models.ForeignKey(
        ListVersion, models.CASCADE, null=True, related_name="last_seen"
    )

    class Meta:
        verbose_name_plural = "list entities"
        indexes = [
            models.Index(
                fields=["source", "external_id"],
                name="agenthub_entity_standing",
                condition=Q(last_version__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return self.external_id


class ListName(models.Model):
    """A name of an entry, as words to compare."""

    entity = models.ForeignKey(ListEntity, models.CASCADE, related_name="names")
    kind = models.CharField(max_length=16)
    text = models.TextField()
    tokens = models.TextField()
    script = models.CharField(max_length=10, blank=True)
    person = models.BooleanField()

    def __str__(self) -> str:
        return self.text


class ListIdentifier(models.Model):
    """A number of an entry, normalised."""

    entity = models.ForeignKey(ListEntity, models.CASCADE, related_name="identifiers")
    value = models.CharField(max_length=200, db_index=True)
    type = models.CharField(max_length=16)
    country = models.CharField(max_length=2, blank=True)

    def __str__(self) -> str:
        return self.value


class ListPosting(models.Model):
    """Which names of a version have a key: their ids, ascending, eight bytes each."""

    version = models.ForeignKey(ListVersion, models.CASCADE, db_index=False)
    key = models.BigIntegerField()
    count = models.PositiveIntegerField()
    names = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["key", "version"], name="one_posting_per_key"
            )
        ]
        indexes = [models.Index(fields=["version"], name="agenthub_posting_version")]

    def __str__(self) -> str:
        return str(self.key)


class ListRefresh(Work):
    """Has a list fetched every day. Off until somebody switches it on: then it is due."""

    class Status(models.TextChoices):
        OFF = "off", _("Off")
        ON = "on", _("Every day")

    FLOW = {Status.OFF: {Status.ON}, Status.ON: {Status.OFF}}

    source = models.OneToOneField(ListSource, models.CASCADE, related_name="refresh")
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.OFF)
    due_at = models.DateTimeField(null=True, blank=True, editable=False)
    fetched_at = models.DateTimeField(
        null=True, help_text="When it was last fetched and loaded."
    )
    error = models.TextField(blank=True, help_text="Why the last try failed.")

    class Meta(Work.Meta):
        verbose_name_plural = "list refreshes"

    def __str__(self) -> str:
        return f"{self.source.slug} {self.status}"


class ListReindex(Work):
    """Has a list indexed again after an upgrade of the engine: an index by an older one misses names.

    Always due: the queue works those alone whose active version an older engine has indexed.
    """

    class Status(models.TextChoices):
        READY = "ready", _("Ready")

    FLOW = {Status.READY: set[str]()}

    source = models.OneToOneField(ListSource, models.CASCADE, related_name="reindex")
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.READY
    )
    version = models.ForeignKey(
        ListVersion, models.SET_NULL, null=True, help_text="What is being made."
    )
    reached = models.PositiveIntegerField(
        default=0, help_text="How many entries were read."
    )
    error = models.TextField(blank=True, help_text="Why the last try failed.")

    class Meta(Work.Meta):
        verbose_name_plural = "list reindexes"

    def __str__(self) -> str:
        return str(self.source)


# How many workers may match at the same time: a few, so that others are left for jobs that somebody waits
# for. And how many jobs are worth a part: fewer are done within seconds.
PARTS, FEWEST_IN_PART = 4, 5000


class Rescreening(Work):
    """What changed with a version, to be matched against a part of those who are known here.

    The part are the jobs after `reached` up to `until`.
    """

    class Status(models.TextChoices):
        DUE = "due", _("To be done")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")

    FLOW = {
        Status.DUE: {Status.DONE, Status.FAILED},
        Status.FAILED: {Status.DUE},  # tried again by a person
    }

    version = models.ForeignKey(
        ListVersion, models.CASCADE, related_name="rescreenings"
    )
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.DUE)
    reached = models.BigIntegerField(
        default=0, help_text="The last job that was looked at."
    )
    until = models.BigIntegerField(
        null=True, help_text="The last job of the part; none: all that follow."
    )
    raised = models.PositiveIntegerField(
        default=0, help_text="How many cases were raised again."
    )
    error = models.TextField(blank=True)

    def __str__(self) -> str:
        return str(self.version)

    @staticmethod
    def begin(version: ListVersion) -> None:
        """Have everybody matched against the version, in parts that workers do side by side."""
        span = AgentJob.objects.aggregate(first=Min("pk"), last=Max("pk"))
        first, last = span["first"] or 0, span["last"] or 0
        size = max(FEWEST_IN_PART, (last - first) // PARTS + 1)
        parts = []
        for start in range(first, last + 1, size):
            before, until = start - 1, start + size - 1
            parts.append(Rescreening(version=version, reached=before, until=until))
        # Who comes meanwhile belongs to the last part.
        parts[-1].until = None
        Rescreening.objects.bulk_create(parts)
