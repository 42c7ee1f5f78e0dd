"""The data map of the trail, of people's own rows, and of the settings of the desk."""

from __future__ import annotations

from compliance.security.data_map import Table
from reviews.privacy.data_map.common import OF_STAFF, STAFF, WORK

TABLES = (
    Table(
        "reviews.CaseEvent",
        plain="id case at actor user what data bindings mac personal_sha256",
        personal={
            "personal": "the words of people and the names beside a line",
            "by": "the person who did it",
        },
        why="The proof of who did what.",
        kept="for good.",
        note="Lines are only ever added. The words cannot be read any more: their key is erased. See [the trail](#what-stays-and-why).",
    ),
    Table(
        "reviews.Draft",
        plain="id user kind updated_at",
        personal={"typed": "the fields of a form that was not submitted"},
        why="So that nobody types twice.",
        kept="30 days, or until the form is submitted.",
        note="It belongs to no case. It ends by itself.",
    ),
    Table(
        "reviews.SavedView",
        plain="id owner team",
        personal={
            "name": "a word for it",
            "query": "the filters, perhaps with a search",
        },
        why="How a person looks at the queue.",
        kept="until the person removes it.",
        note=(
            "Erasure takes the search out of it where it contains the subject, or where only the erased case answered it,"
            " and the name where that names the subject or a party."
        ),
        is_searched=True,
    ),
    Table(
        "reviews.Tag",
        plain="id",
        personal={"name": "a word that cases are marked with"},
        why="To sort cases.",
        kept="until an administrator removes it.",
        note="Erasure takes the tags off the case, and removes those that no other case has, and those of no case that name the subject.",
        is_searched=True,
    ),
    Table(
        "reviews.BulkAct",
        plain=f"{WORK} id by act to status cases done refused created_at",
    ),
    Table(
        "reviews.Read",
        plain="id at kind item case",
        personal={"user": "who looked", "by": "the name then"},
        why="To see who looked at what.",
        kept="`READS_DAYS`.",
        note=OF_STAFF,
    ),
    Table(
        "reviews.LegalHold",
        plain="id case reference by at until lifted_by lifted_at",
        personal={
            "reason": "why the case must be kept; to be written without a name",
            "lifted_reason": "why it need not any more",
        },
        why="To keep what a court or an authority asks for.",
        kept=STAFF,
        note="It says why something was kept.",
    ),
    Table(
        "reviews.Erasure",
        plain=(
            f"{WORK} id case rule rule_name by planned_at needs_second second_by second_at status"
            " erased_at counts remains service waits_for done_at"
        ),
        personal={
            "reason": "such as the number of the request; to be written without a name",
            "refusal": "why it was refused or withdrawn",
        },
        why="The proof that something was erased.",
        kept=STAFF,
        note="It says what was erased.",
    ),
    Table(
        "reviews.ApiToken",
        plain=(
            "id prefix digest created_at expires_at revoked_at last_used_at name scopes made_by"
        ),
        personal={"user": "in whose name it acts"},
        why="Access of other systems.",
        kept=STAFF,
        note=OF_STAFF,
    ),
    Table(
        "reviews.Connection",
        plain=(
            "id name slug base_url api_key compact_header is_active created_at timestamped_since"
            " refused_at refused_reason"
        ),
    ),
    Table("reviews.Pause", plain=f"{WORK} id connection status reason since probes"),
    Table(
        "reviews.WebhookSecret",
        plain="id connection name secret active_until created_at",
    ),
    Table("reviews.Agent", plain="id connection kind name agent_key is_active"),
    Table("reviews.ReasonCode", plain="id code label hint outcome claim is_active"),
    Table(
        "reviews.FourEyesRule",
        plain="id name condition threshold outcome agent is_active",
    ),
    Table("reviews.Team", plain="id name members connections"),
    Table("reviews.Clock", plain="id name minutes agent risk is_active"),
    Table("reviews.QueueLayout", plain="user hidden density"),
    Table(
        "reviews.Subscription",
        plain="id name url secret connection events is_active created_at",
    ),
    Table(
        "reviews.RetentionRule",
        plain=(f"{WORK} id name kind outcome months clock is_active status"),
    ),
    Table("reviews.Seal", plain="seq event hash"),
    Table("reviews.Unsealed", plain="event_id"),
    Table(
        "reviews.Chain",
        plain=f"{WORK} id status seq hash mac anchored_seq anchored_at",
    ),
    Table("reviews.TreeNode", plain="id level index hash"),
    Table(
        "reviews.AnchorCopy",
        plain=f"{WORK} id channel status sent_seq sent_at error",
    ),
)
