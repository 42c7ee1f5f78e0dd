"""Bound rows: the database rows that the trail proves, and how their hashes are computed.

Each line of the trail has the hashes of the rows that it is about, as they were when it was
written. `audit_verify` compares them with the present rows; the last line about a row counts.
Every model of the desk is in BOUND, or in EXEMPT with a reason. Other apps declare their
decisive models, and settings_lines adds them to BOUND.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.db.models import Q

from compliance.models import DirectoryGroup, DirectoryToken, DirectoryUser
from compliance.security import data_keys
from compliance.security.encryption import EncryptedTextField
from reviews.models import (
    Agent,
    AnchorCopy,
    Announcement,
    AnnouncementAttempt,
    ApiToken,
    ApprovalSwitch,
    Attachment,
    AutomaticReview,
    BulkAct,
    BulkApproval,
    BulkApprovalCase,
    Case,
    CaseEvent,
    CaseImport,
    CaseParty,
    CaseRating,
    Chain,
    ChecklistMark,
    CheckResult,
    CheckReview,
    Clock,
    Connection,
    Contradiction,
    Decision,
    DecisionPolicy,
    DecisionTrial,
    Dismissal,
    Document,
    Draft,
    DraftFile,
    DueWatch,
    Erasure,
    FieldReading,
    FileScan,
    FourEyesRule,
    HitLabel,
    Identifier,
    ImportedRow,
    InboxPreference,
    InformationRequest,
    Invitation,
    Job,
    LegalHold,
    LookUp,
    LostHit,
    Note,
    NoticeMail,
    Notification,
    Organisation,
    Page,
    Party,
    PartyMerge,
    PartyRelation,
    PartyStatement,
    Pause,
    PeriodicReview,
    PolicyTrial,
    Presence,
    Procedure,
    QueueLayout,
    RatingBatch,
    RatingOverride,
    RatingState,
    Read,
    ReasonCode,
    RefusedDocument,
    ReportingInstitution,
    RequestMail,
    RetentionRule,
    RiskPolicy,
    SavedView,
    ScreeningPolicy,
    Seal,
    SearchText,
    SearchWord,
    SecondLook,
    Subscription,
    SuspicionReport,
    Tag,
    Team,
    TreeNode,
    TrialChange,
    Unsealed,
    ValueChoice,
    WebhookSecret,
)
from reviews.models.trail import salted

GONE = ""  # instead of a hash: the row was deleted


@dataclass(frozen=True)
class Bound:
    """Which fields of a model its hash covers; names are separated by spaces.

    - `later`: fields that were added when lines about rows existed already. A field with its
      default value is left out of the hash, so the old hashes stay valid
    - `many`: many-to-many relations, hashed as sorted primary keys
    - `file`: the field with the stored file whose hash is in the field `sha256`
    - `needs_line`: which rows must have a line in the trail
    """

    fields: str
    later: str = ""
    many: str = ""
    file: str = ""
    needs_line: Q = field(default_factory=Q)

    @property
    def names(self) -> list[str]:
        """The names of all bound fields, without the relations."""
        return [*self.fields.split(), *self.later.split()]


BOUND: dict[type[models.Model], Bound] = {
    # The status, the recommendation and the summary of a case are derived from its jobs and
    # decisions, so they are not bound.
    Case: Bound(
        "connection agent reference kind subject country self_attested_data "
        "schema_extra submitted_by created_at",
        later="procedure custom_fields extra_columns",
    ),
    Document: Bound(
        "case kind file file_name size sha256 source_url created_at",
        file="file",
    ),
    # What people see of a document. While it is drawn, its pages have no line yet.
    Page: Bound(
        "document number width height image sha256 words",
        file="image",
        needs_line=Q(document__status=Document.Status.DRAWN),
    ),
    # A running job changes with each call. It needs a line only when it has ended. Of several jobs the
    # newest one counts.
    Job: Bound(
        "case connection agent remote_id check_id status recommendation "
        "recommendation_reasons requirements_version",
        later="created_at",
        needs_line=Q(status__in=[Job.Status.COMPLETE, Job.Status.FAILED]),
    ),
    # `rank` decides which results a page with many of them shows.
    CheckResult: Bound(
        "job source check_id subject status passed body", later="confirmation rank"
    ),
    CheckReview: Bound("job check_id kind reason by at"),
    ChecklistMark: Bound("case item kind note by at"),
    Dismissal: Bound("key title case reason by at until taken_back_at"),
    ValueChoice: Bound(
        "key case job document tool_id field kind candidates offered value by at ended_at"
    ),
    LookUp: Bound("connection case party by at query answer hit_count"),
    Decision: Bound(
        "case outcome status reasons rationale recommendation needs_second "
        "why_second made_by made_at second_by second_at second_note reopened_for",
        later="bulk policy due_at",
    ),
    SuspicionReport: Bound(
        "case status noticed_on due_on sentences made_by made_at proposed_by proposed_at "
        "second_by second_at second_note filed_by filed_at receipt",
        later="fincen files",
    ),
    BulkApproval: Bound("by made_at share status reasons"),
    # A worker performs it in the name of the person.
    BulkAct: Bound("by act to cases created_at"),
    BulkApprovalCase: Bound("approval case revision is_sample"),
    Note: Bound("case text by at edited_at"),
    Attachment: Bound("note file file_name size sha256", file="file"),
    # A file that still waits for its scan has no result that a line could prove.
    FileScan: Bound(
        "document attachment status signature scanner scanned_at by at because",
        needs_line=~Q(status=FileScan.Status.WAITING),
    ),
    InformationRequest: Bound(
        "case status message kinds made_by made_at expires_at answer answered_at"
    ),
    Invitation: Bound(
        "agent status reference message made_by made_at expires_at submitted_at case"
    ),
    RefusedDocument: Bound("request document reason"),
    ApiToken: Bound(
        "user name scopes made_by prefix digest created_at expires_at revoked_at"
    ),
    Connection: Bound(
        "name slug base_url api_key compact_header is_active timestamped_since"
    ),
    WebhookSecret: Bound("connection name secret active_until"),
    Agent: Bound("connection kind name agent_key is_active"),
    Subscription: Bound("name url secret connection is_active", later="events"),
    FourEyesRule: Bound("name condition threshold outcome agent is_active"),
    ReasonCode: Bound("code label hint outcome claim is_active"),
    Clock: Bound("name minutes agent risk is_active"),
    Team: Bound("name", many="members connections"),
    RetentionRule: Bound("name kind outcome months clock is_active"),
    RiskPolicy: Bound("note number content status made_by made_at live_at"),
    Procedure: Bound("kind number note content status made_by made_at live_at"),
    DecisionPolicy: Bound("number note content status made_by made_at live_at"),
    ApprovalSwitch: Bound("status"),
    ReportingInstitution: Bound(
        "name tin tin_type regulator kind other_kind street city state postal_code country office "
        "office_phone office_extension transmitter transmitter_tin transmitter_code "
        "transmitter_contact transmitter_phone transmitter_street transmitter_city transmitter_state "
        "transmitter_postal_code transmitter_country"
    ),
    SecondLook: Bound(
        "case decision share drawn_at status by taken_at outcome rationale given_at"
    ),
    ScreeningPolicy: Bound("number note content status made_by made_at live_at"),
    HitLabel: Bound(
        "case kind source key asked title entry_id list_slug list_title script schema band score "
        "is_certain by at taken_back_at"
    ),
    LostHit: Bound("policy label reason acknowledged_by acknowledged_at"),
    # A contradiction that nobody acknowledged is computed again by the next trial.
    Contradiction: Bound(
        "trial case decision outcome reason acknowledged_by acknowledged_at",
        needs_line=Q(acknowledged_by__isnull=False),
    ),
    CaseRating: Bound("case policy inputs score band result at"),
    RatingOverride: Bound(
        "case was band reason status made_by made_at needs_second second_by second_at "
        "ended_at"
    ),
    # A planned review is computed again and again until it opens a case. The approval that it
    # counts from is bound, and reviews/periodic/verification.py compares the two.
    PeriodicReview: Bound(
        "case decision status on reason opened_case opened_at changes",
        needs_line=Q(status=PeriodicReview.Status.OPENED),
    ),
    LegalHold: Bound(
        "case reference reason by at until lifted_by lifted_at lifted_reason"
    ),
    Erasure: Bound(
        "case rule rule_name reason by planned_at needs_second second_by second_at "
        "status refusal erased_at counts remains service done_at"
    ),
    Party: Bound("kind head created_at"),
    CaseParty: Bound("case party role place at"),
    PartyStatement: Bound(
        "case_party kind label value issuer digest since until source by learnt_at replaced_at"
    ),
    PartyRelation: Bound(
        "holder held kind share_min share_max votes_min votes_max detail since until source by learnt_at replaced_at",
        later="placed_at",
    ),
    PartyMerge: Bound("first second reason by at undone_by undone_at undone_reason"),
    # Accounts and roles. The password is the salted hash that Django stores.
    User: Bound(
        "username email password is_active is_staff is_superuser",
        later="first_name last_name",
        many="groups user_permissions",
    ),
    Group: Bound("name", many="permissions"),
    # What a right is called: a role has its number.
    ContentType: Bound("app_label model"),
    Permission: Bound("content_type codename"),
    # Ways to sign in. `data` has secrets as encrypted texts; of them only this hash is in a line.
    Authenticator: Bound("user type data created_at"),
    SocialAccount: Bound("user provider uid"),
    EmailAddress: Bound("user email verified primary"),
    DirectoryToken: Bound("name prefix digest created_at expires_at revoked_at"),
    DirectoryUser: Bound("user external_id", later="deleted_at"),
    DirectoryGroup: Bound("name external_id", many="members"),
}

# Every change of these models is recorded as a line, whoever makes it: see settings_lines.
SETTINGS = (
    Connection,
    WebhookSecret,
    Agent,
    Subscription,
    FourEyesRule,
    ReasonCode,
    Clock,
    Team,
    RetentionRule,
    RiskPolicy,
    Procedure,
    DecisionPolicy,
    ApprovalSwitch,
    ScreeningPolicy,
    ReportingInstitution,
)

EXEMPT: dict[type[models.Model], str] = {
    CaseEvent: "It is the trail.",
    Seal: "It is the trail.",
    Chain: "It is the trail.",
    TreeNode: "Computed from the trail; audit_verify computes it again.",
    AnchorCopy: "Progress of work. What was sent is kept elsewhere.",
    Unsealed: "It is the trail.",
    SearchText: "Made again from the case, its pages and its results.",
    SearchWord: "Made again with the texts of the search.",
    Identifier: "Compared with the attested data of the case, which are bound.",
    FieldReading: "Counted from results, which are bound. It names no value.",
    Tag: "A word. The lines say which case was tagged with it.",
    RequestMail: "Progress of work. That it was sent has a line. Its address is read only if it is encrypted.",
    Organisation: "Compared with the line of its last change.",
    Draft: "Not submitted yet.",
    DraftFile: "Not submitted yet.",
    Notification: "Says again, to one person, what lines of the trail say.",
    NoticeMail: "Progress of work. It repeats lines of an inbox.",
    InboxPreference: "How a person gets their inbox.",
    DueWatch: "Progress of work.",
    Presence: "Who has a page open: gone after a minute.",
    SavedView: "How a person looks at the queue.",
    QueueLayout: "How a person looks at the queue.",
    CaseImport: "Progress of work. Its begin and each case of it have lines.",
    ImportedRow: "Progress of work. Each case that was opened has a line of its own.",
    Pause: "Progress of work. Its begin and its end have lines.",
    RatingBatch: "Progress of work. Each new rating has a line, and so has the end of all.",
    RatingState: "Follows from the ratings and overrides of the case, which are bound.",
    PolicyTrial: "A computation that is made again from ratings, which are bound. Its end has a line.",
    DecisionTrial: "A computation that is made again from decisions, which are bound. Its end has a line.",
    AutomaticReview: "Progress of work. Each approval has a line.",
    TrialChange: "A computation that is made again from ratings, which are bound.",
    Read: "Who looked at what, with a time limit of its own. It decides nothing.",
    Announcement: "A copy of a decision, which is bound. Its body is read only if it is encrypted.",
    AnnouncementAttempt: "Progress of work.",
}


def bindings(
    rows: Iterable[models.Model], gone: Iterable[models.Model] = ()
) -> list[dict[str, object]]:
    """The bindings of a line: `[{"table", "id", "sha256"}, …]`, computed from rows in memory.

    If the row belongs to a case, the entry also has "key", the id of a data key; "sha256" then
    is an HMAC with the salt of that data key. Rows in `gone` are about to be deleted; their
    hash is GONE.
    """
    entries = []
    for row in rows:
        key_id = salt_of(row)
        entry = _entry(row, digest(row, key_id))
        if key_id is not None:
            entry["key"] = str(key_id)
        entries.append(entry)
    for row in gone:
        entries.append(_entry(row, GONE))
    return entries


def _entry(row: models.Model, sha256: str) -> dict[str, object]:
    return {"table": row._meta.db_table, "id": str(row.pk), "sha256": sha256}


def salt_of(row: models.Model) -> int | None:
    """The id of the data key that salts the hash of the row.

    None if the row belongs to no case, or if the data of its case were erased.
    """
    key_id = key_of(row)
    if key_id is None or data_keys.is_erased(key_id):
        return None
    return key_id


def key_of(row: models.Model) -> int | None:
    """The id of the data key of the row's case; None if the row belongs to no case."""
    if not hasattr(row, "data_key_id_for_personal"):
        return None
    key_id: int = row.data_key_id_for_personal()
    return key_id


def digest(
    row: models.Model, key_id: int | None = None, *, with_later: bool = True
) -> str:
    """The hash of the canonical form of a row, in hexadecimal.

    SHA-256 without a data key, an HMAC with one. Raises ErasedError if the key was erased.
    Without `with_later`: as it was before the later fields were bound.
    """
    content = values(row, with_later=with_later)
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    if key_id is not None:
        return salted(text, key_id)
    return hashlib.sha256(text.encode()).hexdigest()


def values(row: models.Model, *, with_later: bool = True) -> dict[str, object]:
    """The canonical form of a row as plain JSON: table, primary key and bound fields."""
    bound = BOUND[type(row)]
    members: dict[str, object] = {
        "table": row._meta.db_table,
        "id": str(row.pk),
    }
    for name in bound.fields.split():
        members[name] = _plain_value(row, name)
    later = bound.later.split() if with_later else []
    for name in later:
        # A row from before the field existed has its default. It is left out: the hash stays
        # the same.
        if not _has_default(row, name):
            members[name] = _plain_value(row, name)
    for name in bound.many.split():
        others = getattr(row, name)
        keys = others.values_list("pk", flat=True)
        members[name] = sorted(keys)
    return members


def _has_default(row: models.Model, name: str) -> bool:
    column = column_of(row, name)
    value = getattr(row, column.attname)
    return bool(value == column.get_default())


def column_of(row: models.Model, name: str) -> models.Field[object, object]:
    column = row._meta.get_field(name)
    assert isinstance(column, models.Field)  # noqa: S101 - for the type checker
    return column


def _plain_value(row: models.Model, name: str) -> object:
    """The value of one field as plain JSON, the same on SQLite and PostgreSQL."""
    column = column_of(row, name)
    value = getattr(row, column.attname)
    if isinstance(column, models.FileField):
        return str(value.name or "")
    if isinstance(column, EncryptedTextField):
        return _secret_hash(row, name, value)
    if isinstance(column, models.JSONField):
        return _plain_json(value)
    if isinstance(column, models.ForeignKey):
        column = column.target_field
    # A row that was just created may hold another Python type than a row read from the
    # database.
    value = column.to_python(value)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, datetime):
        moment = value.astimezone(UTC)
        return moment.isoformat(timespec="microseconds")
    return str(value)


def _secret_hash(row: models.Model, name: str, value: str | None) -> str:
    # A slow hash: secrets may be short, and a plain hash of a short secret could be guessed.
    # The salt binds it to its place, so equal secrets have different hashes.
    if not value:
        return ""
    place = f"{row._meta.db_table}:{row.pk}:{name}"
    salt = place.encode()
    key = hashlib.pbkdf2_hmac(
        "sha256", value.encode(), salt, settings.AUDIT_SECRET_ROUNDS
    )
    return key.hex()


_PLAIN = frozenset({str, int, bool, type(None)})  # JSON that no database changes


def _plain_json(value: object) -> object:
    """JSON as every database returns it: PostgreSQL returns 1e22 as an integer."""
    if isinstance(value, dict):
        members = {}
        for name, member in value.items():
            # A body has many of them, and a call for each would cost more than the hash.
            is_plain = member.__class__ in _PLAIN
            members[str(name)] = member if is_plain else _plain_json(member)
        return members
    if isinstance(value, list | tuple):
        return [_plain_json(member) for member in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
