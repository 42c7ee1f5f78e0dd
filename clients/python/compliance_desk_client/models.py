# Made by `python -m assurance.python_client --write` from the OpenAPI description of the desk.
"""What the interface of the desk takes and answers: a TypedDict for each schema."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

# The events of the webhooks that the desk sends, and their bodies.
EventName = Literal[
    "case.created",
    "case.ready",
    "case.needs_attention",
    "case.assigned",
    "case.waiting",
    "case.answered",
    "case.escalated",
    "case.proposed",
    "case.decided",
    "case.reopened",
    "case.review_opened",
]
WebhookBody: TypeAlias = "SubscriptionEvent | DecisionEvent"


class ProblemError(TypedDict):
    detail: str
    pointer: NotRequired[str]
    parameter: NotRequired[str]


class Problem(TypedDict):
    """RFC 9457."""

    type: Literal["about:blank"]
    title: str
    status: int
    detail: str
    # For programs; docs/desk-api.md lists them.
    code: str
    errors: NotRequired[list[ProblemError]]


class Me(TypedDict):
    user: str
    token: str
    scopes: list[
        Literal[
            "cases:read",
            "cases:submit",
            "cases:note",
            "cases:assign",
            "cases:decide",
            "documents:read",
            "originals:read",
            "audit:read",
            "privacy:manage",
            "subscriptions:manage",
        ]
    ]
    # ISO 8601 in UTC.
    expires_at: str | None
    roles: list[str]


class Agent(TypedDict):
    id: int
    name: str
    kind: Literal["kyb", "kyc"]
    connection: str


class Agents(TypedDict):
    items: list[Agent]
    # `cursor` of the next page.
    next_cursor: str | None


class BatchStarted(TypedDict):
    id: str
    url: str


class BatchRow(TypedDict):
    id: str
    name: str
    # The service's word.
    status: str
    error: str
    read_rows: int
    accepted: int
    rejected: int
    jobs_by_status: dict[str, int]
    # Rows are read, or jobs run.
    is_live: bool
    # The page of the batch.
    url: str


class Batches(TypedDict):
    items: list[BatchRow]
    # `cursor` of the next page.
    next_cursor: str | None


class BatchRejectedRow(TypedDict):
    line: int
    reason: str


class Batch(TypedDict):
    id: str
    name: str
    # The service's word.
    status: str
    error: str
    read_rows: int
    accepted: int
    rejected: int
    jobs_by_status: dict[str, int]
    # Rows are read, or jobs run.
    is_live: bool
    # The page of the batch.
    url: str
    # Fifty, and then by the cursor.
    jobs: list[BatchJob]
    # Of the first page: rows that no job was started for.
    rejected_rows: list[BatchRejectedRow]
    next_cursor: str | None


class BatchJob(TypedDict):
    job_id: str
    reference: str
    name: str
    status: str
    recommendation: str
    error: str
    checks: dict[str, str]
    # null: not at the desk yet.
    case_id: int | None


class ReasonCode(TypedDict):
    code: str
    label: str
    hint: str
    outcome: Literal["approve", "reject", "request", "escalate"]


class ReasonCodes(TypedDict):
    items: list[ReasonCode]
    # `cursor` of the next page.
    next_cursor: str | None


class CaseRow(TypedDict):
    id: int
    reference: str
    kind: Literal["kyb", "kyc"]
    subject: str
    country: str
    status: Literal[
        "checking",
        "to_review",
        "attention",
        "waiting",
        "escalated",
        "second",
        "decided",
    ]
    # The agent's words; empty: none yet.
    recommendation: str
    # Why, in the service's words; empty: it says none.
    recommendation_reasons: list[str]
    # Of the requirements by which the service judged; empty: it says none.
    requirements_version: str
    revision: str
    connection: str
    agent: Agent | None
    # A user's name; empty: the service, or nobody.
    submitted_by: str
    # Whose case it is; empty: nobody's.
    analyst: str
    # How many findings speak against it: RISK indicators, values that differ or were
    # altered, parts that failed, and failed checks that name none of these. A count,
    # not a rating of risk.
    risk: int
    # The worst of its findings.
    severity: Literal["sanctions", "failed", "review", "unknown", "none"]
    # The band of its rating, with what people say; none: not rated yet.
    risk_band: Literal["prohibited", "high", "medium", "low", "none"]
    # When its next periodic review is due; null: none is planned.
    review_on: str | None
    # Why a person must look at it again, one reason a line: what came after the
    # decision, or is not confirmed. The next decision settles it. Empty: nothing.
    alarm: str
    # ISO 8601 in UTC.
    alarm_at: str | None
    # When its personal data were erased; null: they were not. ISO 8601 in UTC.
    erased_at: str | None
    # When it should be decided.
    due_at: str
    # ISO 8601 in UTC.
    snoozed_until: str | None
    # ISO 8601 in UTC.
    created_at: str
    # ISO 8601 in UTC.
    updated_at: str
    # The page of the case.
    url: str


class Cases(TypedDict):
    items: list[CaseRow]
    # `cursor` of the next page.
    next_cursor: str | None


class Case(TypedDict):
    id: int
    reference: str
    kind: Literal["kyb", "kyc"]
    subject: str
    country: str
    status: Literal[
        "checking",
        "to_review",
        "attention",
        "waiting",
        "escalated",
        "second",
        "decided",
    ]
    # The agent's words; empty: none yet.
    recommendation: str
    # Why, in the service's words; empty: it says none.
    recommendation_reasons: list[str]
    # Of the requirements by which the service judged; empty: it says none.
    requirements_version: str
    revision: str
    connection: str
    agent: Agent | None
    # A user's name; empty: the service, or nobody.
    submitted_by: str
    # Whose case it is; empty: nobody's.
    analyst: str
    # How many findings speak against it: RISK indicators, values that differ or were
    # altered, parts that failed, and failed checks that name none of these. A count,
    # not a rating of risk.
    risk: int
    # The worst of its findings.
    severity: Literal["sanctions", "failed", "review", "unknown", "none"]
    # The band of its rating, with what people say; none: not rated yet.
    risk_band: Literal["prohibited", "high", "medium", "low", "none"]
    # When its next periodic review is due; null: none is planned.
    review_on: str | None
    # Why a person must look at it again, one reason a line: what came after the
    # decision, or is not confirmed. The next decision settles it. Empty: nothing.
    alarm: str
    # ISO 8601 in UTC.
    alarm_at: str | None
    # When its personal data were erased; null: they were not. ISO 8601 in UTC.
    erased_at: str | None
    # When it should be decided.
    due_at: str
    # ISO 8601 in UTC.
    snoozed_until: str | None
    # ISO 8601 in UTC.
    created_at: str
    # ISO 8601 in UTC.
    updated_at: str
    # The page of the case.
    url: str
    tags: list[str]
    self_attested_data: dict[str, Json]
    schema_extra: dict[str, Json]
    # The version of the procedure that it was opened by; null: there was none.
    procedure: int | None
    # The values of the procedure's fields by their keys.
    custom_fields: dict[str, Json]
    # Columns of the file that it was imported from which mean no member of a case.
    extra_columns: dict[str, Json]
    # Items of the checklist that hold the decision.
    open_items: int
    request: InformationRequest | None


class InformationRequest(TypedDict):
    status: Literal["open", "answered", "expired", "withdrawn"]
    message: str
    kinds: list[str]
    # The applicant's link; empty once it has ended.
    url: str
    # A user's name; empty: the service, or nobody.
    made_by: str
    # ISO 8601 in UTC.
    made_at: str
    # ISO 8601 in UTC.
    expires_at: str
    answer: str
    # ISO 8601 in UTC.
    answered_at: str | None


class Job(TypedDict):
    id: str
    case_id: int
    remote_id: str
    status: Literal["queued", "running", "complete", "failed"]
    recommendation: str
    # Why, in the service's words; empty: it says none.
    recommendation_reasons: list[str]
    # Of the requirements by which the service judged; empty: it says none.
    requirements_version: str
    error: str
    agent: Agent | None
    # ISO 8601 in UTC.
    created_at: str
    # ISO 8601 in UTC.
    started_at: str | None
    # ISO 8601 in UTC.
    ended_at: str | None


OneJobWaiting = TypedDict(
    "OneJobWaiting",
    {
        "for": "Literal['sending', 'room', 'key', 'retry', 'result']",
        # Jobs of the connection that began before and have not ended, at most 200.
        "ahead": "int",
        # About how long until it has ended, as measured in the last ten minutes; null:
        # unknown.
        "seconds_left": "int | None",
        "text": "str",
    },
)


class OneJob(TypedDict):
    id: str
    case_id: int
    remote_id: str
    status: Literal["queued", "running", "complete", "failed"]
    recommendation: str
    # Why, in the service's words; empty: it says none.
    recommendation_reasons: list[str]
    # Of the requirements by which the service judged; empty: it says none.
    requirements_version: str
    error: str
    agent: Agent | None
    # ISO 8601 in UTC.
    created_at: str
    # ISO 8601 in UTC.
    started_at: str | None
    # ISO 8601 in UTC.
    ended_at: str | None
    waiting: OneJobWaiting | None


class Jobs(TypedDict):
    items: list[Job]
    # `cursor` of the next page.
    next_cursor: str | None


class RatingContribution(TypedDict):
    factor: str
    title: str
    label: str
    words: str
    points: int
    # Percent.
    weight: int
    # What it adds to the score.
    amount: int
    is_unknown: bool


class RatingOverride(TypedDict):
    id: int
    status: Literal["proposed", "standing", "refused", "ended"]
    was: Literal["low", "medium", "high", "prohibited"]
    band: Literal["low", "medium", "high", "prohibited"]
    reason: str
    # A user's name; empty: the service, or nobody.
    made_by: str
    # ISO 8601 in UTC.
    made_at: str
    # A user's name; empty: the service, or nobody.
    second_by: str
    # ISO 8601 in UTC.
    second_at: str | None
    # ISO 8601 in UTC.
    ended_at: str | None


class Rating(TypedDict):
    # With what people say.
    band: Literal["low", "medium", "high", "prohibited"]
    score: int
    band_of_policy: Literal["low", "medium", "high", "prohibited"]
    # The version of the risk policy.
    policy: int
    # ISO 8601 in UTC.
    rated_at: str
    # Something has changed: it is rated again in a moment.
    is_due: bool
    contributions: list[RatingContribution]
    # Why the band is higher than the score says.
    overrides: list[str]
    # Factors without a value.
    unknown: list[str]
    override: RatingOverride | None


class Hold(TypedDict):
    id: int
    reason: str
    # A user's name; empty: the service, or nobody.
    by: str
    # ISO 8601 in UTC.
    at: str
    # ISO 8601 in UTC.
    until: str | None
    # A user's name; empty: the service, or nobody.
    lifted_by: str
    # ISO 8601 in UTC.
    lifted_at: str | None
    lifted_reason: str


class Document(TypedDict):
    id: str
    case_id: int
    kind: Literal[
        "incorporation_documents",
        "business_ownership_documents",
        "proof_of_address_documents",
        "source_of_funds_documents",
        "ein_documents",
        "promo_marketing_documents",
        "front_image_url",
        "back_image_url",
        "face_match_image_url",
    ]
    file_name: str
    size: int
    sha256: str
    status: Literal["pending", "drawn", "unreadable"]
    # Why it cannot be shown.
    reason: str
    # What the checks that read it conclude.
    verdict: Literal[
        "fail",
        "error",
        "review",
        "inconclusive",
        "unknown",
        "running",
        "pass",
        "not_applicable",
        "not_checked",
    ]
    pages: int
    # ISO 8601 in UTC.
    created_at: str


class Documents(TypedDict):
    items: list[Document]
    # `cursor` of the next page.
    next_cursor: str | None


class NoteAttachment(TypedDict):
    id: int
    file_name: str
    size: int
    sha256: str


class Note(TypedDict):
    id: int
    text: str
    # A user's name; empty: the service, or nobody.
    by: str
    mentions: list[str]
    attachments: list[NoteAttachment]
    # ISO 8601 in UTC.
    at: str
    # ISO 8601 in UTC.
    edited_at: str | None


class Notes(TypedDict):
    items: list[Note]
    # `cursor` of the next page.
    next_cursor: str | None


class Message(TypedDict):
    id: int
    kind: Literal[
        "mention",
        "assigned",
        "escalated",
        "second",
        "sent_back",
        "answer",
        "no_answer",
        "alarm",
        "due_soon",
        "overdue",
        "look",
        "report",
        "report_back",
        "report_ok",
    ]
    case_id: int
    reference: str
    # A user's name; empty: the service, or nobody.
    by: str
    # ISO 8601 in UTC.
    at: str
    # ISO 8601 in UTC.
    read_at: str | None


class Messages(TypedDict):
    items: list[Message]
    # `cursor` of the next page.
    next_cursor: str | None


class MessagesRead(TypedDict):
    count: int


class Invitation(TypedDict):
    id: int
    agent: int
    status: Literal["open", "submitted", "expired", "withdrawn"]
    reference: str
    message: str
    # A user's name; empty: the service, or nobody.
    made_by: str
    # ISO 8601 in UTC.
    made_at: str
    # ISO 8601 in UTC.
    expires_at: str
    # ISO 8601 in UTC.
    submitted_at: str | None
    case_id: int | None
    link: str | None


class Invitations(TypedDict):
    items: list[Invitation]
    # `cursor` of the next page.
    next_cursor: str | None


class Tags(TypedDict):
    tags: list[str]


class Result(TypedDict):
    id: int
    source: Literal["tool", "check"]
    check_id: str
    # What tells it from other results of the same check or tool: a keyed hash of its
    # document and of what it says. Empty while a check runs.
    subject: str
    status: str
    passed: bool | None
    # Whether the service says the same when it is asked: confirmed; live and waiting,
    # not yet; absent, it does not; unavailable, it cannot be known; empty, kept before
    # results were confirmed. What is not confirmed never counts for a case.
    confirmation: Literal["", "live", "waiting", "confirmed", "absent", "unavailable"]
    # ISO 8601 in UTC.
    received_at: str
    # What the service sent, word for word.
    body: Json


class Results(TypedDict):
    items: list[Result]
    # `cursor` of the next page.
    next_cursor: str | None


class CheckReview(TypedDict):
    kind: Literal["reviewed", "overridden"]
    reason: str
    # A user's name; empty: the service, or nobody.
    by: str
    # ISO 8601 in UTC.
    at: str


class Check(TypedDict):
    check_id: str
    label: str
    verdict: str
    explanation: str
    documents: list[str]
    # Failed or in doubt, and not reviewed yet.
    is_open: bool
    review: CheckReview | None


class Finding(TypedDict):
    # To dismiss it by; empty: not to be dismissed.
    key: str
    kind: str
    title: str
    tone: Literal["pass", "info", "warn", "fail", "na"]
    document_id: str | None
    # Where it stands: fractions of the page, origin top left.
    places: list[Place]
    dismissal: Dismissal | None
    # To confirm it as a match by; empty: no hit of a screening.
    hit_key: str
    # A person confirmed the hit as a match.
    is_confirmed: bool
    confirmation: HitConfirmation | None
    # The version of the thresholds by which the hit asks nobody.
    folded_by: int | None
    # To choose or correct its value by; empty: no field of a document.
    field_key: str
    # What an unsure field may be; empty: it is not unsure.
    candidates: list[Candidate]
    value_choice: ValueChoice | None


class Place(TypedDict):
    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class ReviewsReviewOf(TypedDict):
    case_id: int
    reference: str
    on: str | None
    reason: str
    # ISO 8601 in UTC.
    opened_at: str | None


class ReviewsChange(TypedDict):
    on: str
    words: str
    # The case that states it, where you may see it.
    case_id: int | None


class ReviewsOpened(TypedDict):
    case_id: int
    on: str | None
    reason: str


class Reviews(TypedDict):
    # The day of the next review; null: none is planned.
    next: str | None
    # band, document, relation, ownership, alarm.
    next_reason: str
    review_of: ReviewsReviewOf | None
    # What happened since the approval of that case.
    changes: list[ReviewsChange]
    # The cases that reviews of this one have opened.
    opened: list[ReviewsOpened]


class Dismissal(TypedDict):
    id: int
    case_id: int
    title: str
    reason: str
    # A user's name; empty: the service, or nobody.
    by: str
    # ISO 8601 in UTC.
    at: str
    # ISO 8601 in UTC.
    until: str | None
    # ISO 8601 in UTC.
    taken_back_at: str | None


class Candidate(TypedDict):
    # Its number, from 1.
    candidate: int
    value: str
    # The words that it was read from.
    snippet: str
    how: str
    confidence: float | None
    places: list[Place]


class ValueChoice(TypedDict):
    id: int
    case_id: int
    document_id: str | None
    field: str
    kind: Literal["first", "other", "none", "absent", "corrected"]
    # The candidates, or the value that had been given.
    offered: list[str]
    # How many were offered; 0: the value had been given.
    candidates: int
    # Empty, with the kind `absent`: the document states none.
    value: str
    # A user's name; empty: the service, or nobody.
    by: str
    # ISO 8601 in UTC.
    at: str
    # ISO 8601 in UTC.
    ended_at: str | None


class ValueChoices(TypedDict):
    items: list[ValueChoice]


class HitConfirmation(TypedDict):
    id: int
    case_id: int
    title: str
    list: str
    # Of a hit on several lists, the first: the others were confirmed with it.
    list_title: str
    # Whether the screening of the case showed it, or a look-up.
    source: Literal["screening", "look_up"]
    # A user's name; empty: the service, or nobody.
    by: str
    # ISO 8601 in UTC.
    at: str
    # ISO 8601 in UTC.
    taken_back_at: str | None


class ReviewState(TypedDict):
    revision: str
    job_id: str | None
    is_running: bool
    # Why the agent recommends what it does: where that is not Approve, the checks that
    # did not pass, the worst first; then its own words.
    agent_reasons: list[str]
    checks: list[Check]
    findings: list[Finding]
    # Why it cannot be approved now.
    obstacles: list[str]
    # Why a second person must agree to approve it; empty: one is enough.
    why_second: list[str]


class Erasure(TypedDict):
    id: int
    status: Literal["planned", "running", "done", "refused", "withdrawn"]
    # Empty: at somebody's request.
    rule: str
    reason: str
    # A user's name; empty: the rule.
    by: str
    # ISO 8601 in UTC.
    planned_at: str
    # ISO 8601 in UTC.
    due_at: str | None
    needs_second: bool
    # A user's name; empty: the service, or nobody.
    second_by: str
    # ISO 8601 in UTC.
    second_at: str | None
    # Why it was refused or withdrawn.
    refusal: str
    # ISO 8601 in UTC.
    erased_at: str | None
    # How many rows of each table, and files.
    erased: dict[str, int]
    # What remains, and why.
    remains: list[str]
    # What became of it at the service; empty: not yet.
    service: str
    # ISO 8601 in UTC.
    done_at: str | None


class DecisionReason(TypedDict):
    code: str
    label: str


class Decision(TypedDict):
    id: int
    case_id: int
    outcome: Literal["approve", "reject", "request", "escalate"]
    status: Literal["proposed", "standing", "returned", "reopened"]
    reasons: list[DecisionReason]
    rationale: str
    recommendation: str
    # A user's name; empty: the service, or nobody.
    made_by: str
    # ISO 8601 in UTC.
    made_at: str
    needs_second: bool
    why_second: list[str]
    # A user's name; empty: the service, or nobody.
    second_by: str
    # ISO 8601 in UTC.
    second_at: str | None
    second_note: str
    reopened_for: str
    # The bulk approval that made it; null: it was made otherwise.
    bulk_approval_id: int | None
    # The version of the decision policy that was in force; null: none. With an empty
    # `made_by` it approved the case automatically.
    decision_policy: int | None


class Decisions(TypedDict):
    items: list[Decision]
    # `cursor` of the next page.
    next_cursor: str | None


class BulkApprovalCase(TypedDict):
    case_id: int
    is_sample: bool
    # Of a sample what the full look came to.
    outcome: Literal["agrees", "differs", "approved", "open"]


class BulkApprovalLeftOut(TypedDict):
    case_id: int
    reasons: list[str]


class BulkApproval(TypedDict):
    id: int
    status: Literal["drawn", "confirmed"]
    # A user's name; empty: the service, or nobody.
    by: str
    # ISO 8601 in UTC.
    made_at: str
    # Percent of the cases that were drawn.
    share: int
    reasons: list[str]
    cases: list[BulkApprovalCase]
    # The cases that did not fit, in the answer to the draw.
    left_out: NotRequired[list[BulkApprovalLeftOut]]


class BulkApprovals(TypedDict):
    items: list[BulkApproval]
    # `cursor` of the next page.
    next_cursor: str | None


class SuspicionReportSentence(TypedDict):
    text: str
    evidence: str


class SuspicionReportEvidence(TypedDict):
    key: str
    label: str
    url: str


class SuspicionReport(TypedDict):
    id: int
    case_id: int
    status: Literal["draft", "proposed", "approved", "filed", "withdrawn"]
    revision: str
    noticed_on: str
    due_on: str
    sentences: list[SuspicionReportSentence]
    # What a sentence may rest on, in the answer about one report.
    evidence: NotRequired[list[SuspicionReportEvidence]]
    fincen: FincenFacts
    # What FinCEN's form still needs, in words, in the answer about one report.
    fincen_missing: NotRequired[list[str]]
    # A user's name; empty: the service, or nobody.
    made_by: str
    # ISO 8601 in UTC.
    made_at: str
    # A user's name; empty: the service, or nobody.
    proposed_by: str
    # ISO 8601 in UTC.
    proposed_at: str | None
    # A user's name; empty: the service, or nobody.
    second_by: str
    # ISO 8601 in UTC.
    second_at: str | None
    second_note: str
    # A user's name; empty: the service, or nobody.
    filed_by: str
    # ISO 8601 in UTC.
    filed_at: str | None
    receipt: str


class FincenFacts(TypedDict):
    """What FinCEN's form asks. Empty: not entered."""

    kind: Literal["", "initial", "correction", "continuing"]
    # Of the earlier report: 14 digits, 14 zeros where it is unknown.
    prior_number: str
    # FinCEN's codes of the subtypes of suspicious activity.
    activities: list[
        Literal[
            106,
            111,
            112,
            113,
            114,
            301,
            304,
            305,
            308,
            309,
            310,
            312,
            320,
            321,
            322,
            323,
            324,
            325,
            401,
            402,
            403,
            404,
            405,
            409,
            501,
            502,
            504,
            505,
            506,
            507,
            601,
            603,
            604,
            608,
            609,
            701,
            801,
            804,
            805,
            806,
            807,
            808,
            809,
            812,
            820,
            821,
            822,
            823,
            824,
            901,
            903,
            904,
            905,
            907,
            908,
            909,
            910,
            911,
            913,
            917,
            920,
            921,
            922,
            924,
            925,
            926,
            927,
            928,
            1001,
            1003,
            1005,
            1006,
            1007,
            1101,
            1102,
            1201,
            1202,
            1203,
            1204,
            1999,
            3999,
            4999,
            5999,
            6999,
            7999,
            8999,
            9999,
            10999,
            11999,
            12999,
        ]
    ]
    # What other means, by the code of the type of suspicious activity.
    other_activities: dict[str, str]
    activity_evidence: str
    # YYYY-MM-DD; empty: not entered.
    first_day: str
    # YYYY-MM-DD; empty: not entered.
    last_day: str
    amount: Literal["", "known", "unknown", "none"]
    # Whole US dollars; empty: not entered.
    dollars: str
    # Whole US dollars; empty: not entered.
    cumulative_dollars: str
    amount_evidence: str
    relationship: Literal[
        "",
        "customer",
        "borrower",
        "agent",
        "accountant",
        "attorney",
        "appraiser",
        "none",
        "other",
    ]
    other_relationship: str
    role: Literal["", "sender", "receiver", "both"]
    relationship_evidence: str


class SuspicionReports(TypedDict):
    items: list[SuspicionReport]
    # `cursor` of the next page.
    next_cursor: str | None


class PeriodReportFigure(TypedDict):
    section: str
    name: str
    # null: there is nothing to count it from.
    value: float | None
    # The number that it is a part of.
    of: int | None
    unit: Literal["", "minutes"]


class PeriodReport(TypedDict):
    first: str
    last: str
    figures: list[PeriodReportFigure]


class Holds(TypedDict):
    items: list[Hold]
    # `cursor` of the next page.
    next_cursor: str | None


class Erasures(TypedDict):
    items: list[Erasure]
    # `cursor` of the next page.
    next_cursor: str | None


class Event(TypedDict):
    id: int
    # ISO 8601 in UTC.
    at: str
    actor: Literal["person", "agent", "system", "applicant"]
    # A user's name; empty: the service, or nobody.
    by: str
    what: str
    data: dict[str, Json]
    # In the chain; null: not yet.
    seq: int | None
    hash: str | None
    # What the hash is taken over: docs/audit.md.
    line: NotRequired[str]


class Events(TypedDict):
    items: list[Event]
    # `cursor` of the next page.
    next_cursor: str | None


class Subscription(TypedDict):
    id: int
    name: str
    url: str
    # Its slug; empty: all.
    connection: str
    events: list[str]
    is_active: bool
    # ISO 8601 in UTC.
    created_at: str
    # Signs the webhooks. Only in the first answer.
    secret: NotRequired[str]


class Subscriptions(TypedDict):
    items: list[Subscription]
    # `cursor` of the next page.
    next_cursor: str | None


class SentWebhook(TypedDict):
    id: str
    subscription_id: int
    # Empty: an earlier version made it.
    event: str
    case_id: int | None
    url: str
    status: Literal["due", "done", "dead"]
    tries: int
    # ISO 8601 in UTC.
    created_at: str
    # Its next try; null: none. ISO 8601 in UTC.
    due_at: str | None


class SentWebhooks(TypedDict):
    items: list[SentWebhook]
    # `cursor` of the next page.
    next_cursor: str | None


class WholeSentWebhookAttempt(TypedDict):
    # ISO 8601 in UTC.
    at: str
    http_status: int | None
    # Why there was no answer.
    error: str
    # The first 2 KB of the answer.
    response: str
    took_ms: int


class WholeSentWebhook(TypedDict):
    id: str
    subscription_id: int
    # Empty: an earlier version made it.
    event: str
    case_id: int | None
    url: str
    status: Literal["due", "done", "dead"]
    tries: int
    # ISO 8601 in UTC.
    created_at: str
    # Its next try; null: none. ISO 8601 in UTC.
    due_at: str | None
    # In UTF-8 the bytes that are signed; empty: erased with its case.
    body: str
    attempts: list[WholeSentWebhookAttempt]


class Proposal(TypedDict):
    proposal: int
    detail: str
    # Of what is proposed. It is valid once it is approved.
    secret: NotRequired[str]


class PartyRow(TypedDict):
    id: int
    kind: Literal[
        "person", "company", "trust", "vessel", "wallet", "account", "unknown"
    ]
    # The newest one that a case states.
    name: str
    # The newest, of up to 200 mentions.
    cases: list[int]


class PartyName(TypedDict):
    label: str
    value: str
    # The country that issued a number.
    issuer: str
    cases: list[int]
    # No case states it any more.
    is_replaced: bool


class PartyIdentifier(TypedDict):
    label: str
    value: str
    # The country that issued a number.
    issuer: str
    cases: list[int]
    # No case states it any more.
    is_replaced: bool


class PartyFact(TypedDict):
    label: str
    value: str
    # The country that issued a number.
    issuer: str
    cases: list[int]
    # No case states it any more.
    is_replaced: bool


class PartyCase(TypedDict):
    case_id: int
    role: Literal[
        "subject",
        "owner",
        "controller",
        "director",
        "signatory",
        "relative",
        "associate",
        "owned",
    ]
    risk_band: Literal["prohibited", "high", "medium", "low", "none"]
    review_on: str | None


class PartyOwner(TypedDict):
    party_id: int
    name: str
    share_min: str
    share_max: str
    reasons: list[str]
    is_certain: bool


class Party(TypedDict):
    id: int
    kind: Literal[
        "person", "company", "trust", "vessel", "wallet", "account", "unknown"
    ]
    # The newest one that a case states.
    name: str
    names: list[PartyName]
    identifiers: list[PartyIdentifier]
    facts: list[PartyFact]
    cases: list[PartyCase]
    # The greatest of the cases that are about it.
    risk_band: Literal["prohibited", "high", "medium", "low", "none"]
    # The first of their next reviews.
    review_on: str | None
    # no, perhaps or yes: on a sanctions list, by hits that nobody dismissed.
    is_listed: str
    # Those that count, of all parties above it, and what it holds itself.
    relations: list[Relation]
    # Beneficial owners; of a person none.
    owners: list[PartyOwner]
    # false: there are more parties than are read.
    is_whole: bool


class LookUp(TypedDict):
    id: int
    case_id: int | None
    by: str
    # ISO 8601 in UTC.
    at: str
    query: dict[str, Json]
    hits: int
    # As the service gave it: `hits` with list, entry, score, alignment and facts, the
    # `lists` that were searched, and what could not be compared.
    answer: dict[str, Json]


class Relation(TypedDict):
    id: int
    case_id: int
    kind: str
    holder_id: int
    holder: str
    held_id: int
    held: str
    # Percent, from 0 to 100, as a decimal; null: not known.
    share_min: str | None
    # Percent, from 0 to 100, as a decimal; null: not known.
    share_max: str | None
    # Percent, from 0 to 100, as a decimal; null: not known.
    votes_min: str | None
    # Percent, from 0 to 100, as a decimal; null: not known.
    votes_max: str | None
    since: str | None
    until: str | None
    detail: str
    # attested, analyst or file.
    source: str
    by: str


class ProcedureField(TypedDict):
    key: str
    label: str
    type: Literal["text", "number", "date", "choice", "yes_no"]
    required: bool
    help: str
    choices: list[str]


class ProcedureItem(TypedDict):
    key: str
    label: str
    # It holds the decision while it is open.
    required: bool
    help: str


class Procedure(TypedDict):
    kind: Literal["kyb", "kyc"]
    number: int
    status: Literal["draft", "live", "retired"]
    note: str
    # ISO 8601 in UTC.
    made_at: str
    # ISO 8601 in UTC.
    live_at: str | None
    fields: list[ProcedureField]
    items: list[ProcedureItem]


class ChecklistItemMark(TypedDict):
    kind: Literal["ticked", "explained"]
    note: str
    by: str
    # ISO 8601 in UTC.
    at: str


class ChecklistItem(TypedDict):
    key: str
    label: str
    # It holds the decision while it is open.
    required: bool
    help: str
    mark: ChecklistItemMark | None


class Checklist(TypedDict):
    procedure: int | None
    open_items: int
    items: list[ChecklistItem]


class Procedures(TypedDict):
    items: list[Procedure]
    next_cursor: str | None


class ScreeningQualityRule(TypedDict):
    # Empty: any list.
    list: str
    # Empty: any.
    script: Literal[
        "",
        "arabic",
        "armenian",
        "bengali",
        "burmese",
        "cyrillic",
        "devanagari",
        "ethiopic",
        "georgian",
        "greek",
        "han",
        "hangul",
        "hebrew",
        "kana",
        "khmer",
        "latin",
        "other",
        "tamil",
        "thai",
    ]
    threshold: float


class ScreeningQualityAllPrecision(TypedDict):
    rate: float
    # Of an interval of 95 percent.
    low: float
    high: float


class ScreeningQualityAllRecall(TypedDict):
    rate: float
    # Of an interval of 95 percent.
    low: float
    high: float


class ScreeningQualityAll(TypedDict):
    name: str
    hits: int
    # Hits that ask a person.
    ask: int
    precision: ScreeningQualityAllPrecision | None
    confirmed: int
    recall: ScreeningQualityAllRecall | None


class ScreeningQualityListPrecision(TypedDict):
    rate: float
    # Of an interval of 95 percent.
    low: float
    high: float


class ScreeningQualityListRecall(TypedDict):
    rate: float
    # Of an interval of 95 percent.
    low: float
    high: float


class ScreeningQualityList(TypedDict):
    name: str
    hits: int
    # Hits that ask a person.
    ask: int
    precision: ScreeningQualityListPrecision | None
    confirmed: int
    recall: ScreeningQualityListRecall | None


class ScreeningQualityScriptPrecision(TypedDict):
    rate: float
    # Of an interval of 95 percent.
    low: float
    high: float


class ScreeningQualityScriptRecall(TypedDict):
    rate: float
    # Of an interval of 95 percent.
    low: float
    high: float


class ScreeningQualityScript(TypedDict):
    name: str
    hits: int
    # Hits that ask a person.
    ask: int
    precision: ScreeningQualityScriptPrecision | None
    confirmed: int
    recall: ScreeningQualityScriptRecall | None


class ScreeningQualityListsAndScriptPrecision(TypedDict):
    rate: float
    # Of an interval of 95 percent.
    low: float
    high: float


class ScreeningQualityListsAndScriptRecall(TypedDict):
    rate: float
    # Of an interval of 95 percent.
    low: float
    high: float


class ScreeningQualityListsAndScript(TypedDict):
    name: str
    hits: int
    # Hits that ask a person.
    ask: int
    precision: ScreeningQualityListsAndScriptPrecision | None
    confirmed: int
    recall: ScreeningQualityListsAndScriptRecall | None


class ScreeningQualityBandPrecision(TypedDict):
    rate: float
    # Of an interval of 95 percent.
    low: float
    high: float


class ScreeningQualityBandRecall(TypedDict):
    rate: float
    # Of an interval of 95 percent.
    low: float
    high: float


class ScreeningQualityBand(TypedDict):
    name: str
    hits: int
    # Hits that ask a person.
    ask: int
    precision: ScreeningQualityBandPrecision | None
    confirmed: int
    recall: ScreeningQualityBandRecall | None


class ScreeningQuality(TypedDict):
    # Of the thresholds; null: none is in force, every hit asks.
    version: int | None
    status: Literal["draft", "live", "retired"] | None
    # ISO 8601 in UTC.
    live_at: str | None
    rules: list[ScreeningQualityRule]
    # Confirmed hits that the version asks nobody about.
    lost: int
    # Dismissed hits that ask today, and would not by the version.
    gone: int
    all: ScreeningQualityAll
    lists: list[ScreeningQualityList]
    scripts: list[ScreeningQualityScript]
    lists_and_scripts: list[ScreeningQualityListsAndScript]
    bands: list[ScreeningQualityBand]


class ErrorRatesAll(TypedDict):
    name: str
    looks: int
    differ: int
    rate: float
    # Of an interval of 95 percent.
    low: float
    high: float


class ErrorRatesAgent(TypedDict):
    name: str
    looks: int
    differ: int
    rate: float
    # Of an interval of 95 percent.
    low: float
    high: float


class ErrorRatesVersion(TypedDict):
    name: str
    looks: int
    differ: int
    rate: float
    # Of an interval of 95 percent.
    low: float
    high: float


class ErrorRatesPeople(TypedDict):
    name: str
    looks: int
    differ: int
    rate: float
    # Of an interval of 95 percent.
    low: float
    high: float


class ErrorRatesField(TypedDict):
    document_kind: Literal[
        "incorporation_documents",
        "business_ownership_documents",
        "proof_of_address_documents",
        "source_of_funds_documents",
        "ein_documents",
        "promo_marketing_documents",
        "front_image_url",
        "back_image_url",
        "face_match_image_url",
    ]
    field: str
    # Documents that offered candidates.
    unsure: int
    # The first candidate was chosen.
    first: int
    # Another candidate was chosen.
    other: int
    # None of them: the value was typed.
    none: int
    # The document states no such value.
    absent: int
    # Documents whose value was given.
    given: int
    # A person corrected the value.
    corrected: int


class ErrorRates(TypedDict):
    all: ErrorRatesAll
    agents: list[ErrorRatesAgent]
    versions: list[ErrorRatesVersion]
    people: list[ErrorRatesPeople]
    # Fields of documents that were unsure, or that people corrected.
    fields: list[ErrorRatesField]


class DecisionPolicyTrialCounts(TypedDict):
    automatic: int
    agree: int
    differ: int
    incomplete: int
    senior: int
    second: int


class DecisionPolicyTrial(TypedDict):
    status: Literal["running", "done"]
    # ISO 8601 in UTC.
    begun_at: str
    # ISO 8601 in UTC.
    ended_at: str | None
    cases: int
    counts: DecisionPolicyTrialCounts
    # Cases that people decided otherwise, and nobody has acknowledged.
    not_acknowledged: int


class DecisionPolicyRule(TypedDict):
    # Null: any agent.
    agent: int | None
    # Empty: any risk.
    band: Literal["", "prohibited", "high", "medium", "low", "none"]
    checks: list[str]
    documents: list[str]
    checklist: bool
    senior: list[Literal["approve", "reject", "request"]]
    second: list[Literal["approve", "reject"]]
    automatic: Literal["", "clean", "never"]
    # Percent of the decisions.
    sample: int


class DecisionPolicy(TypedDict):
    number: int
    status: Literal["draft", "live", "retired"]
    note: str
    made_by: str
    # ISO 8601 in UTC.
    made_at: str
    # ISO 8601 in UTC.
    live_at: str | None
    sha256: str
    # Whether it is in force, and automatic approvals are on.
    allows_automatic_approval: bool
    trial: DecisionPolicyTrial | None
    rules: list[DecisionPolicyRule]


class DecisionPolicies(TypedDict):
    items: list[DecisionPolicy]
    next_cursor: str | None


class RiskPolicyTrial(TypedDict):
    status: Literal["running", "done"]
    # ISO 8601 in UTC.
    begun_at: str
    # ISO 8601 in UTC.
    ended_at: str | None
    # Cases that are rated by this version.
    cases: int
    # Cases that had a rating when it began.
    total: int
    # Cases whose band would change.
    changed: int
    # Cases whose inputs cannot be read.
    unread: int


class RiskPolicyFollowing(TypedDict):
    """How far the cases follow it. Null: no batch waits."""

    batches: int
    done: int
    # Cases with another rating.
    changed: int
    stayed: int
    # Cases whose inputs are read again.
    read_again: int


class RiskPolicy(TypedDict):
    number: int
    status: Literal["draft", "live", "retired"]
    note: str
    made_by: str
    # ISO 8601 in UTC.
    made_at: str
    # ISO 8601 in UTC.
    live_at: str | None
    sha256: str
    trial: RiskPolicyTrial | None
    # How far the cases follow it. Null: no batch waits.
    following: RiskPolicyFollowing | None


class RiskPolicies(TypedDict):
    items: list[RiskPolicy]
    next_cursor: str | None


class SubscriptionEvent(TypedDict):
    event: Literal[
        "case.created",
        "case.ready",
        "case.needs_attention",
        "case.assigned",
        "case.waiting",
        "case.answered",
        "case.escalated",
        "case.proposed",
        "case.decided",
        "case.reopened",
        "case.review_opened",
    ]
    # The reference of the case.
    case_id: str
    case_type: Literal["kyb", "kyc"]
    # Its slug.
    connection: str
    status: Literal[
        "checking",
        "to_review",
        "attention",
        "waiting",
        "escalated",
        "second",
        "decided",
    ]
    assigned_to: str | None
    # ISO 8601 in UTC.
    created_at: str


class DecisionEventReason(TypedDict):
    code: str
    label: str


class DecisionEvent(TypedDict):
    event: Literal[
        "case.created",
        "case.ready",
        "case.needs_attention",
        "case.assigned",
        "case.waiting",
        "case.answered",
        "case.escalated",
        "case.proposed",
        "case.decided",
        "case.reopened",
        "case.review_opened",
    ]
    # The reference of the case.
    case_id: str
    case_type: Literal["kyb", "kyc"]
    # Its slug.
    connection: str
    status: Literal[
        "checking",
        "to_review",
        "attention",
        "waiting",
        "escalated",
        "second",
        "decided",
    ]
    assigned_to: str | None
    # ISO 8601 in UTC.
    created_at: str
    outcome: Literal["approve", "reject", "request", "escalate"]
    reasons: list[DecisionEventReason]
    rationale: str
    recommendation: str | None
    decided_by: str
    approved_by: str | None
    # ISO 8601 in UTC.
    decided_at: str


class Parties(TypedDict):
    items: list[PartyRow]
    # `cursor` of the next page.
    next_cursor: str | None


class CaseDraft(TypedDict):
    # Its id, of /agents; it settles the kind.
    agent: int
    # As in the interface of the service; judged by the rules of the form, and kept with
    # the members that it does not know.
    self_attested_data: dict[str, Json]
    # A reference has no control characters and none of { } [ ] " and \, and is not
    # null, true or false.
    reference: NotRequired[str]
    # Names this act: sent again, it gives the same case.
    submission: NotRequired[str]
    documents: NotRequired[list[NewDocument]]
    # By the keys of the fields of /procedures: texts, numbers, days such as 2026-03-28,
    # one of the values of a choice, true or false.
    custom_fields: NotRequired[dict[str, str | float | bool | None]]


class ChecklistMark(TypedDict):
    # Its key.
    item: str
    # Empty: takes the mark back.
    kind: Literal["", "ticked", "explained"]
    # Why an item is not needed: wanted where it is explained.
    note: NotRequired[str]


class CustomFields(TypedDict):
    """All values of the case: one that is left out is emptied."""

    # By the keys of the fields of /procedures: texts, numbers, days such as 2026-03-28,
    # one of the values of a choice, true or false.
    custom_fields: dict[str, str | float | bool | None]
    # That of the case as you saw it; where it is another now, 409.
    revision: NotRequired[str]


class NewDocument(TypedDict):
    kind: Literal[
        "incorporation_documents",
        "business_ownership_documents",
        "proof_of_address_documents",
        "source_of_funds_documents",
        "ein_documents",
        "promo_marketing_documents",
        "front_image_url",
        "back_image_url",
        "face_match_image_url",
    ]
    file_name: str
    b64_document: str


class Nothing(TypedDict):
    """Without members."""


class Reason(TypedDict):
    reason: str


class NewHold(TypedDict):
    # Why the case must be kept; no name.
    reason: str


class NewBatch(TypedDict):
    file_name: str
    # The file itself, one case a row; its columns are named as in the interface of the
    # service.
    csv: str
    # Names this act: sent again, it starts no other batch.
    batch_id: NotRequired[str]


class Claim(TypedDict):
    """Which cases to choose among; of all that wait, where nothing is said."""

    kind: NotRequired[Literal["kyb", "kyc"]]
    agent: NotRequired[int]
    country: NotRequired[str]


class Assignment(TypedDict):
    # A user's name; null: nobody.
    to: str | None


class Snoozing(TypedDict):
    # With its zone, within 90 days from now; null takes it up again.
    until: str | None


class NewNote(TypedDict):
    text: str


class NewTag(TypedDict):
    name: str


class NewDecision(TypedDict):
    outcome: Literal["approve", "reject", "request", "escalate"]
    reasons: list[str]
    rationale: str
    # That of the case as you saw it; where it is another now, 409.
    revision: str
    # To the applicant, where information is requested.
    message: NotRequired[str]
    kinds: NotRequired[
        list[
            Literal[
                "incorporation_documents",
                "business_ownership_documents",
                "proof_of_address_documents",
                "source_of_funds_documents",
                "ein_documents",
                "promo_marketing_documents",
                "front_image_url",
                "back_image_url",
                "face_match_image_url",
            ]
        ]
    ]
    days: NotRequired[int]
    # Where the link is sent, where information is requested.
    email: NotRequired[str]
    # Days before the link ends that a reminder is sent; 0: none.
    remind_days: NotRequired[int]
    # Of the e-mails to the applicant; without it English.
    language: NotRequired[Literal["en", "de", "fr", "es", "ar"]]
    # The user name of the second person who is asked, where one must agree; without it
    # all who may are.
    second: NotRequired[str]


class NewBulkApproval(TypedDict):
    # Their ids. Those that do not fit are left out, with the reasons.
    cases: list[int]


class BulkConfirmation(TypedDict):
    # Codes of /reason-codes, for each of the cases.
    reasons: list[str]


class NewSuspicionReport(TypedDict):
    noticed_on: str


class SuspicionSentencesSentence(TypedDict):
    text: str
    evidence: str


class SuspicionSentencesFincen(TypedDict):
    """Without it all of it stays as it is."""

    kind: NotRequired[Literal["", "initial", "correction", "continuing"]]
    # Of the earlier report: 14 digits, 14 zeros where it is unknown.
    prior_number: NotRequired[str]
    # FinCEN's codes of the subtypes of suspicious activity.
    activities: NotRequired[
        list[
            Literal[
                106,
                111,
                112,
                113,
                114,
                301,
                304,
                305,
                308,
                309,
                310,
                312,
                320,
                321,
                322,
                323,
                324,
                325,
                401,
                402,
                403,
                404,
                405,
                409,
                501,
                502,
                504,
                505,
                506,
                507,
                601,
                603,
                604,
                608,
                609,
                701,
                801,
                804,
                805,
                806,
                807,
                808,
                809,
                812,
                820,
                821,
                822,
                823,
                824,
                901,
                903,
                904,
                905,
                907,
                908,
                909,
                910,
                911,
                913,
                917,
                920,
                921,
                922,
                924,
                925,
                926,
                927,
                928,
                1001,
                1003,
                1005,
                1006,
                1007,
                1101,
                1102,
                1201,
                1202,
                1203,
                1204,
                1999,
                3999,
                4999,
                5999,
                6999,
                7999,
                8999,
                9999,
                10999,
                11999,
                12999,
            ]
        ]
    ]
    # What other means, by the code of the type of suspicious activity.
    other_activities: NotRequired[dict[str, str]]
    activity_evidence: NotRequired[str]
    # YYYY-MM-DD; empty: not entered.
    first_day: NotRequired[str]
    # YYYY-MM-DD; empty: not entered.
    last_day: NotRequired[str]
    amount: NotRequired[Literal["", "known", "unknown", "none"]]
    # Whole US dollars; empty: not entered.
    dollars: NotRequired[str]
    # Whole US dollars; empty: not entered.
    cumulative_dollars: NotRequired[str]
    amount_evidence: NotRequired[str]
    relationship: NotRequired[
        Literal[
            "",
            "customer",
            "borrower",
            "agent",
            "accountant",
            "attorney",
            "appraiser",
            "none",
            "other",
        ]
    ]
    other_relationship: NotRequired[str]
    role: NotRequired[Literal["", "sender", "receiver", "both"]]
    relationship_evidence: NotRequired[str]


class SuspicionSentences(TypedDict):
    sentences: list[SuspicionSentencesSentence]
    # Without it all of it stays as it is.
    fincen: NotRequired[SuspicionSentencesFincen]
    # That of the case as you saw it; where it is another now, 409.
    revision: str


class SuspicionAct(TypedDict):
    act: Literal["propose", "agree", "return", "file", "withdraw"]
    note: NotRequired[str]
    receipt: NotRequired[str]
    # That of the case as you saw it; where it is another now, 409.
    revision: str


class NewInvitation(TypedDict):
    # Its id, of /agents; it says which form the applicant gets.
    agent: int
    # Of the case; without it one is made.
    reference: NotRequired[str]
    # Shown to the applicant, above the form.
    message: NotRequired[str]
    days: NotRequired[int]
    # Where the link is sent; without it you give it on yourself.
    email: NotRequired[str]
    # Of the e-mails to the applicant; without it English.
    language: NotRequired[Literal["en", "de", "fr", "es", "ar"]]


class ReadMessages(TypedDict):
    # Without it all messages are marked.
    ids: NotRequired[list[int]]


class SecondLook(TypedDict):
    agrees: bool
    note: NotRequired[str]
    # That of the case as you saw it; where it is another now, 409.
    revision: str


class Reopening(TypedDict):
    reason: str
    # That of the case as you saw it; where it is another now, 409.
    revision: str


class CheckMark(TypedDict):
    check_id: str
    # Empty: the mark is removed.
    kind: Literal["reviewed", "overridden", ""]
    reason: NotRequired[str]


class NewLookUp(TypedDict):
    name: str
    # YYYY-MM-DD.
    date_of_birth: NotRequired[str]
    # Slugs of lists; without it all.
    lists: NotRequired[list[str]]
    # The case that it is for: kept and erased with it.
    case_id: NotRequired[int]


class NewRelation(TypedDict):
    # One of the cases of the party.
    case_id: int
    kind: Literal[
        "owner", "controller", "director", "signatory", "relative", "associate"
    ]
    holder_id: NotRequired[int]
    name: NotRequired[str]
    holder_kind: NotRequired[
        Literal["person", "company", "trust", "vessel", "wallet", "account", "unknown"]
    ]
    # As people write it: 60, 25-50 %.
    share: NotRequired[str]
    votes: NotRequired[str]
    since: NotRequired[str]
    until: NotRequired[str]
    detail: NotRequired[str]
    source: NotRequired[Literal["analyst", "file"]]


class NewRating(TypedDict):
    band: Literal["low", "medium", "high", "prohibited"]
    reason: str


class NewDismissal(TypedDict):
    """Without `days` it holds until it is taken back."""

    key: str
    reason: str
    days: NotRequired[int]


class NewValueChoice(TypedDict):
    """`candidate` is the number of a candidate; 0: the document states no such value.
    Without it, `value` is what the document states.
    """

    field_key: str
    candidate: NotRequired[int]
    value: NotRequired[str]


class NewHitConfirmation(TypedDict):
    """`key` is `hit_key` of a finding."""

    key: str


class NewSubscription(TypedDict):
    name: str
    url: str
    # Without it: decisions and their reopening.
    events: NotRequired[
        list[
            Literal[
                "case.created",
                "case.ready",
                "case.needs_attention",
                "case.assigned",
                "case.waiting",
                "case.answered",
                "case.escalated",
                "case.proposed",
                "case.decided",
                "case.reopened",
                "case.review_opened",
            ]
        ]
    ]
    connection: NotRequired[str]


class SubscriptionChange(TypedDict):
    name: NotRequired[str]
    url: NotRequired[str]
    # Without it: decisions and their reopening.
    events: NotRequired[
        list[
            Literal[
                "case.created",
                "case.ready",
                "case.needs_attention",
                "case.assigned",
                "case.waiting",
                "case.answered",
                "case.escalated",
                "case.proposed",
                "case.decided",
                "case.reopened",
                "case.review_opened",
            ]
        ]
    ]
    is_active: NotRequired[bool]


class CaseSearch(TypedDict):
    # A name, a reference, a number, or words of a document.
    q: NotRequired[str]
    tag: NotRequired[str]
    # As in the queue.
    view: NotRequired[
        Literal[
            "review",
            "mine",
            "attention",
            "second",
            "escalated",
            "running",
            "waiting",
            "snoozed",
            "decided",
            "all",
        ]
    ]
    kind: NotRequired[Literal["kyb", "kyc"]]
    country: NotRequired[str]
    # Its id, of /agents.
    agent: NotRequired[str]
    # me, none or a user's name.
    analyst: NotRequired[str]
    recommendation: NotRequired[Literal["approve", "review", "reject"]]
    # Of the rating of its risk.
    band: NotRequired[Literal["prohibited", "high", "medium", "low", "none"]]
    # review: opened as a periodic review.
    origin: NotRequired[Literal["review"]]
    # Days until the next review of an approved case, at most.
    review_in: NotRequired[Literal["30", "90"]]
    # open: items hold the decision; done: none does.
    checklist: NotRequired[Literal["open", "done"]]
    due: NotRequired[Literal["over", "2h", "24h"]]
    sort: NotRequired[Literal["worst", "band", "due", "new", "old"]]
    # `next_cursor` of the page before.
    cursor: NotRequired[str]


class PartySearch(TypedDict):
    # A whole name or number: parts of it are not found.
    q: NotRequired[str]
    kind: NotRequired[
        Literal["person", "company", "trust", "vessel", "wallet", "account", "unknown"]
    ]
    # `next_cursor` of the page before.
    cursor: NotRequired[str]
    limit: NotRequired[int]


class ReceivedWebhook(TypedDict):
    id: int
    connection: str
    status: Literal["received", "applied", "ignored"]
    # Why it waits, or was not applied.
    reason: str
    job_id: str | None
    case_id: int | None
    # Of the body; empty after its erasure.
    sha256: str
    # Bytes of the body.
    size: int
    # ISO 8601 in UTC.
    received_at: str


class ReceivedWebhooks(TypedDict):
    items: list[ReceivedWebhook]
    # `cursor` of the next page.
    next_cursor: str | None


class WholeWebhook(TypedDict):
    id: int
    connection: str
    status: Literal["received", "applied", "ignored"]
    # Why it waits, or was not applied.
    reason: str
    job_id: str | None
    case_id: int | None
    # Of the body; empty after its erasure.
    sha256: str
    # Bytes of the body.
    size: int
    # ISO 8601 in UTC.
    received_at: str
    # Without the signatures: whoever has one could send it again.
    headers: dict[str, str]
    # The headers whose signatures held when it came.
    signed_in: list[str]
    # The secret that signed it; null: removed since.
    secret: str | None
    # In UTF-8 the very bytes that were signed.
    body: str
