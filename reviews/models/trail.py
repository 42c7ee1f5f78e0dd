"""The audit trail: its lines, and the hash chain that seals them.

The database itself rejects an update or a delete of a line or a seal: see
reviews.audit.triggers.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from compliance.security import data_keys
from compliance.security.data_keys import INSTALLATION
from compliance.security.personal_fields import ERASED, PersonalJSONField
from compliance.work.rows import Work


class CaseEvent(models.Model):
    """One line of the audit trail: an act of a person or a program. Rows are only inserted."""

    class Actor(models.TextChoices):
        PERSON = "person"
        AGENT = "agent"
        SYSTEM = "system"
        APPLICANT = "applicant"

    # NULL: an act on the whole installation, such as a change of its settings.
    case = models.ForeignKey(
        "reviews.Case", models.PROTECT, null=True, related_name="events"
    )
    at = models.DateTimeField(default=now, editable=False)
    actor = models.CharField(max_length=12, choices=Actor.choices)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
    )
    by = models.CharField(
        max_length=150, blank=True, help_text="The user's name at that time."
    )
    what = models.CharField(max_length=64)
    data = models.JSONField(default=dict, blank=True)
    # Words that people wrote, and names. An erasure removes them; the line keeps their HMAC.
    personal = PersonalJSONField(default=dict, blank=True, editable=False)
    personal_sha256 = models.CharField(
        max_length=64,
        default="",
        blank=True,
        editable=False,
        help_text="HMAC of `personal`; empty: there is none.",
    )
    # [{"table", "id", "sha256"}, …]: see reviews.audit.bound_rows.
    bindings = models.JSONField(
        default=list,
        blank=True,
        editable=False,
        help_text="The hashes of the rows that it is about.",
    )
    mac = models.CharField(
        max_length=64,
        blank=True,
        editable=False,
        help_text="Shows that the desk wrote this line.",
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(actor="person") | Q(user__isnull=True),
                name="only_people_are_users",
            )
        ]

    def __str__(self) -> str:
        return self.what

    def save(self, *args: Any, **options: Any) -> None:
        """Sign the line and insert it. An existing line is never saved again."""
        self.sign()
        super().save(*args, **{**options, "force_insert": True})

    def data_key_id_for_personal(self) -> int:
        if self.case is None:
            return INSTALLATION
        return self.case.data_key_id_for_personal()

    def sign(self) -> None:
        """Set the fields that prove that the desk wrote the line.

        Call it once, before the insert.
        """
        self.data = plain(self.data)
        self.personal = plain(self.personal)
        if self.personal:
            text = canonical(self.personal)
            key_id = self.data_key_id_for_personal()
            self.personal_sha256 = salted(text, key_id)
        self.by = ""
        if self.user:
            self.by = self.user.get_username()
        newest_key, *_ = settings.ENCRYPTION_KEY.split(",")
        self.mac = sign(self.content(), key=derived_key(newest_key))

    def content(self) -> dict[str, object]:
        """The content that the signature covers."""
        at = self.at.isoformat(timespec="microseconds")
        content = {
            "at": at.replace("+00:00", "Z"),
            "case": self.case_id,
            "actor": self.actor,
            "user": self.user_id,
            "by": self.by,
            "what": self.what,
            "data": self.data,
        }
        # Lines of earlier versions have no bindings. Without the member their hash stays the
        # same.
        if self.bindings:
            content["bindings"] = self.bindings
        if self.personal_sha256:
            content["personal_sha256"] = self.personal_sha256
        return content

    @property
    def details(self) -> dict[str, object]:
        """The data of the line, with its personal part unless that was erased."""
        data = self.data
        if not isinstance(data, dict):
            data = {"data": data}
        if self.personal_sha256 and not self.personal:
            return {**data, "words": ERASED}
        return {**data, **self.personal}

    def has_its_words(self) -> bool:
        """Whether the personal part is the one that was signed, or was erased."""
        if not self.personal_sha256:
            return not self.personal
        if not self.personal:
            return self.is_erased()
        text = canonical(self.personal)
        key_id = self.data_key_id_for_personal()
        digest = salted(text, key_id)
        return hmac.compare_digest(digest, self.personal_sha256)

    def is_erased(self) -> bool:
        """Whether the personal part was erased with the key of its case."""
        if not self.personal_sha256:
            return False
        key_id = self.data_key_id_for_personal()
        return data_keys.is_erased(key_id)

    def is_genuine(self) -> bool:
        """Whether one of the present keys signed this line, and it is unchanged since."""
        for text in settings.ENCRYPTION_KEY.split(","):
            if self.is_signed_by(derived_key(text)):
                return True
        return False

    def is_signed_by(self, key: bytes) -> bool:
        mac = sign(self.content(), key=key)
        return hmac.compare_digest(self.mac, mac)


class Seal(models.Model):
    """A link of the chain: the line that it seals, and the hash of that line and of the link
    before.
    """

    seq = models.BigIntegerField(
        primary_key=True, help_text="Counts from 1, without gaps."
    )
    event = models.OneToOneField(CaseEvent, models.PROTECT, related_name="seal")
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["seq"]

    def __str__(self) -> str:
        return f"{self.seq} {self.hash}"


class TreeNode(models.Model):
    """The root of a complete subtree of 2**level lines: see reviews.audit.tree."""

    level = models.PositiveSmallIntegerField()
    index = models.BigIntegerField(help_text="Its first line is index * 2**level + 1.")
    hash = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["level", "index"], name="one_node_a_place")
        ]

    def __str__(self) -> str:
        return f"{self.level}/{self.index} {self.hash}"


class Unsealed(models.Model):
    """A line that waits for its seal. A trigger of the database inserts these rows."""

    event_id = models.BigIntegerField(primary_key=True)

    class Meta:
        verbose_name_plural = "unsealed"

    def __str__(self) -> str:
        return str(self.event_id)


class Chain(Work):
    """The head of the chain: one row. As a row of work it is due when lines may wait."""

    class Status(models.TextChoices):
        GROWING = "growing"

    FLOW = {}

    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.GROWING
    )
    seq = models.BigIntegerField(default=0)
    hash = models.CharField(max_length=64, default="0" * 64)
    mac = models.CharField(max_length=64, blank=True, help_text="Over seq and hash.")
    anchored_seq = models.BigIntegerField(
        default=0, help_text="The head that was last signed and kept outside."
    )
    anchored_at = models.DateTimeField(null=True, blank=True)

    class Meta(Work.Meta):
        pass

    def __str__(self) -> str:
        return f"{self.seq} {self.hash}"


class AnchorCopy(Work):
    """How far one channel has sent the anchors. Due when it must send the newest one."""

    class Channel(models.TextChoices):
        WEBHOOK = "webhook", _("Webhook")
        MAIL = "mail", _("E-mail")
        TIME_STAMP = "time stamp", _("Time stamp")

    class Status(models.TextChoices):
        ON = "on"

    FLOW = {}

    channel = models.CharField(max_length=16, choices=Channel.choices, unique=True)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.ON)
    sent_seq = models.BigIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(
        max_length=200, blank=True, help_text="Why the last try failed."
    )

    class Meta(Work.Meta):
        verbose_name_plural = "anchor copies"

    def __str__(self) -> str:
        return self.channel


def salted(text: str, key_id: int) -> str:
    """The HMAC of a text with the salt of a data key, in hexadecimal.

    Without the data key nobody can find the text by trying. Raises ErasedError.
    """
    salt = data_keys.derive(key_id, b"trail")
    return hmac.new(salt, text.encode(), "sha256").hexdigest()


def derived_key(text: str) -> bytes:
    """The key that signs lines, derived from ENCRYPTION_KEY by a one-way hash: 32 bytes."""
    secret = text.strip().encode()
    return hashlib.sha256(b"reviews.audit.trail:" + secret).digest()


def sign(content: object, *, key: bytes) -> str:
    """The signature of a line: an HMAC-SHA256 in hexadecimal."""
    message = canonical(content).encode()
    return hmac.new(key, message, "sha256").hexdigest()


def canonical(content: object) -> str:
    """The one JSON text of a content: names sorted, no spaces. Equal content has equal text."""
    return json.dumps(
        content,
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
    )


def plain(value: object) -> Any:
    """`value` in a form that every database returns unchanged."""
    if isinstance(value, dict):
        members = {}
        for name, member in value.items():
            members[_plain_text(name)] = plain(member)
        return members
    if isinstance(value, list | tuple):
        return [plain(member) for member in value]
    if value is None or isinstance(value, bool | int):
        return value
    # Floats become text: databases return numbers such as 1e22 in different forms.
    return _plain_text(value)


def _plain_text(value: object) -> str:
    """Text without NUL, which PostgreSQL rejects, and lone surrogates, which UTF-8 cannot
    encode.
    """
    text = str(value).replace("\0", "")
    return text.encode(errors="replace").decode()
