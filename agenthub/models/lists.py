"""Lists at the hub: their sources, versions, entries, and the search index.

An entry is stored as long as a result may refer to it: `first_version` and `last_version` say which
versions contained it, so that a result of last year can be explained. The index covers only the
active version and is built again for each.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Max, Min, Q
from django.utils.translation import gettext_lazy as _

from agenthub.models.jobs import AgentJob
from compliance.db.states import Stateful
from compliance.work.rows import Work


class ListSource(models.Model):
    """A list: its format, its source, and the age after which it is stale."""

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
    # Topics of entries that state none themselves: sanction, role.pep, crime …
    topics = models.JSONField(default=list)
    # The column map of a generic CSV: {"name": "Full name", …}.
    columns = models.JSONField(default=dict, blank=True)
    # Names that every version must contain. A version without one of them is held for a decision.
    canaries = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.title


class ListVersion(Stateful):
    """A version of a list. It is staging until it was checked; one per list is active."""

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
    entries_sha256 = models.CharField(
        max_length=64,
        blank=True,
        help_text="Of the ids and content hashes of all entries; empty before they are complete.",
    )
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
    """A version that is held for a person's decision, with its file.

    It is due once somebody has released it: then it is loaded in spite of the doubts."""

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
    """An entry with its content as read. A changed entry becomes a new row."""

    source = models.ForeignKey(ListSource, models.CASCADE)
    external_id = models.CharField(max_length=200)
    content_hash = models.CharField(max_length=64)
    content = models.JSONField()
    first_version = models.ForeignKey(ListVersion, models.CASCADE, related_name="added")
    # The last version that contained the entry. Null: the active version still contains it.
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
    """A name of an entry, split into words for comparison."""

    entity = models.ForeignKey(ListEntity, models.CASCADE, related_name="names")
    kind = models.CharField(max_length=16)
    text = models.TextField()
    tokens = models.TextField()
    script = models.CharField(max_length=10, blank=True)
    person = models.BooleanField()

    def __str__(self) -> str:
        return self.text


class ListIdentifier(models.Model):
    """An identifier of an entry, normalised."""

    entity = models.ForeignKey(ListEntity, models.CASCADE, related_name="identifiers")
    value = models.CharField(max_length=200, db_index=True)
    type = models.CharField(max_length=16)
    country = models.CharField(max_length=2, blank=True)

    def __str__(self) -> str:
        return self.value


class ListPosting(models.Model):
    """A posting of the index: the names of a version with this key; ascending ids, 8 bytes each."""

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
    """The daily download of a list. It is off, and so never due, until somebody enables it."""

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
    """The re-indexing of a list after an engine upgrade, because the older index misses names.

    It is always due. The queue has a condition: it only claims lists that an older engine indexed.
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


# A rescreening is divided into at most PARTS parts, so that most workers stay free for jobs for
# which somebody waits. A part has at least FEWEST_IN_PART jobs: fewer are done within seconds.
PARTS, FEWEST_IN_PART = 4, 5000


class Rescreening(Work):
    """The comparison of a version's changes with a part of the earlier subjects.

    The part consists of the jobs after the id `reached` up to the id `until`.
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
        """Compare all earlier subjects with the version, in parts that workers do in parallel."""
        span = AgentJob.objects.aggregate(first=Min("pk"), last=Max("pk"))
        first, last = span["first"] or 0, span["last"] or 0
        size = max(FEWEST_IN_PART, (last - first) // PARTS + 1)
        parts = []
        for start in range(first, last + 1, size):
            before, until = start - 1, start + size - 1
            parts.append(Rescreening(version=version, reached=before, until=until))
        # Jobs that are created meanwhile belong to the last part.
        parts[-1].until = None
        Rescreening.objects.bulk_create(parts)
