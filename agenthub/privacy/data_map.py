"""The personal data in the hub's tables: see compliance.security.data_map."""

from __future__ import annotations

from compliance.security.data_map import Act, Table

_WORK = "updated_at due_at leased_until claim_count failures"
_JOB = "until the client asks for its erasure (`eraseCase`)."
_LIST = "A published list or register; it is about no applicant."

TABLES = (
    Table(
        "agenthub.AgentJob",
        plain=(
            f"{_WORK} id account agent job_id case_id status check_ids request_proof batch original"
            " recommendation"
            " requirements_version reads_documents documents is_bulk claimed_at traceparent created_at"
            " erased_at data_key"
        ),
        personal={
            "input_payload": "the request as it came: attested data, documents or links to them",
            "check_args": "arguments of single checks, which may quote the data",
            "subject": "the name of the applicant",
            "subject_key": "digests of the words of the name, for the search",
            "fact_key": "digests of e-mail address, phone number and website, for the search",
            "webhook_url": "where results go; may name a case",
            "tool_webhook_url": "the same for single tools",
            "slack_webhook_url": "the same for Slack",
            "recommendation_reasons": "what the case lacks, in words",
            "error": "why it failed, with what the checks found",
            "status_messages": "what was done when, in words",
            "unread_documents": "why documents were not read",
            "away_documents": "digests of the addresses of documents that could not be fetched yet, and when they are fetched again",
        },
        why="The checks that the client asked for.",
        kept=_JOB,
        act=Act.BLANK,
        path="pk",
        note="The ids, the status, the recommendation and the times stay.",
    ),
    Table(
        "agenthub.CheckRun",
        plain="id updated_at job check_id status created_at verdict",
        personal={
            "result": "what the check found",
            "status_messages": "what was done when, in words",
        },
        why="The answer to the client.",
        kept=_JOB,
        act=Act.BLANK,
        path="job",
        note="Which check ran, its status and times stay.",
    ),
    Table(
        "agenthub.ToolRun",
        plain="id check_run tool_id document created_at",
        personal={"results": "what a tool found in a document"},
        why="The answer to the client.",
        kept=_JOB,
        act=Act.REMOVE,
        path="check_run__job",
    ),
    Table(
        "agenthub.Feedback",
        plain="id job check_id key created_at",
        personal={"text": "what the client wrote", "body": "the same as it came"},
        why="To make the checks better.",
        kept=_JOB,
        act=Act.REMOVE,
        path="job",
    ),
    Table(
        "agenthub.Delivery",
        plain=f"{_WORK} id status tries created_at job account claimed_at kind tool_id case_id",
        personal={
            "body": "the webhook, byte for byte",
            "url": "where it went; may name a case",
        },
        why="To send it again until it is accepted.",
        kept=_JOB,
        act=Act.BLANK,
        path="job",
        values={"due_at": None, "leased_until": None},
        note="Status and times stay.",
    ),
    Table(
        "agenthub.Attempt",
        plain="id at http_status took_ms delivery error",
        personal={"response": "what the receiver answered"},
        why="To see why a delivery failed.",
        kept=_JOB,
        act=Act.BLANK,
        path="delivery__job",
        note="Status and times stay.",
    ),
    Table(
        "agenthub.DocumentPrint",
        plain="id account job case_id kind created_at",
        personal={
            "value": "a hash by which a document is known again",
            "subject_name": "a keyed hash of the attested name",
            "subject_number": "a keyed hash of the attested number",
        },
        why="To find a document that was used for another subject.",
        kept=_JOB,
        act=Act.REMOVE,
        path="job",
    ),
    Table(
        "agenthub.SubjectMark",
        plain="id account job case_id",
        personal={"value": "a keyed hash of an attested fact"},
        why="To find the same subject in another case.",
        kept=_JOB,
        act=Act.REMOVE,
        path="job",
    ),
    Table(
        "agenthub.Upload",
        plain=f"{_WORK} id account status content_type size sha256 created_at",
        personal={"file": "a file that a client uploaded", "file_name": "its name"},
        why="So that a start request can name it.",
        kept="`DOCUMENT_URL_SECONDS` and a day.",
        note="It belongs to no case by itself: erasure finds it by the links in the request.",
        is_searched=True,
    ),
    Table(
        "agenthub.QuarantinedFile",
        plain=(
            "id account job status sha256 size signature scanner created_at updated_at ended_at"
        ),
        personal={
            "ended_by": "who released or removed it",
            "reason": "why; to be written without a name",
        },
        why="So that a malicious file is known again, and who let it in.",
        kept="for good: the trail names who did what.",
        act=Act.STAY,
        note="It has a hash of the file, and nothing of the file.",
    ),
    Table(
        "agenthub.JobBatch",
        plain=(
            f"{_WORK} id agent batch_id status rows_sha256 read_rows accepted rejected error created_at"
        ),
        personal={
            "file": "the CSV file as it came: many applicants",
            "name": "the name of the file, or what the client calls it",
            "options": "what its jobs are started with: addresses of webhooks, names of columns",
        },
        why="To start the jobs of its rows.",
        kept="`DOCUMENT_URL_SECONDS` after it was read.",
        note=(
            "Erasure of one applicant of it deletes the file at once, also where the row was refused: its other rows are"
            " jobs by then, and its options and the hash of its rows. A name with words of the applicant's name is emptied."
        ),
        is_searched=True,
    ),
    Table(
        "agenthub.RejectedRow",
        plain="id batch line",
        personal={
            "reason": "why a row was not started; may quote it",
            "detail": "the same by field",
        },
        why="To tell the client.",
        kept="as long as the batch.",
        note=(
            "Which applicant it is of is not known. Erasure of an applicant of the batch empties those that"
            " contain the case's id."
        ),
        is_searched=True,
    ),
    Table(
        "agenthub.Account",
        plain="id name is_active share max_open_jobs max_open_documents created_at",
    ),
    Table(
        "agenthub.SigningSecret",
        plain="id account secret created_at signs_from expires_at",
    ),
    Table(
        "agenthub.ApiKey",
        plain="id prefix digest created_at expires_at revoked_at last_used_at account name",
    ),
    Table(
        "agenthub.Agent",
        plain="id account key name kind checks requirements is_active created_at",
    ),
    Table(
        "agenthub.RegistryLoad",
        plain="id updated_at slug title status loaded_at file_name sha256 company_count has_leis rows_sha256 note",
    ),
    Table(
        "agenthub.RegistryCompany",
        plain="id load key lei number country",
        personal={
            "name": "a company of a public register",
            "facts": "what the register says of it",
        },
        why="To compare what is attested.",
        kept="until the next load.",
        note=_LIST,
    ),
    Table("agenthub.RegistryPosting", plain="id load key count companies"),
    Table(
        "agenthub.ListSource",
        plain="id slug title format url max_age_days max_shrink topics columns canaries",
    ),
    Table(
        "agenthub.ListVersion",
        plain=(
            "id updated_at source status published_at loaded_at file_name sha256 size entries_sha256 entity_count"
            " name_count topics engine_version changes note"
        ),
    ),
    Table(
        "agenthub.HeldVersion",
        plain=(
            "id updated_at leased_until claim_count failures version status due_at file_name sha256"
            " released_at reason error"
        ),
        personal={
            "file": "a list as it was published",
            "released_by": "who released it",
        },
        why="To wait for a person.",
        kept="until it is released or replaced.",
        note=_LIST,
    ),
    Table(
        "agenthub.ListEntity",
        plain="id source external_id content_hash first_version last_version",
        personal={"content": "an entry of a list: names, dates of birth, reasons"},
        why="Screening, which the law asks for.",
        kept="as long as a result may rest on it.",
        note=_LIST,
    ),
    Table(
        "agenthub.ListName",
        plain="id entity kind script person",
        personal={"text": "a name of an entry", "tokens": "its words"},
        why="Screening.",
        kept="as its entry.",
        note=_LIST,
    ),
    Table(
        "agenthub.ListIdentifier",
        plain="id entity type country",
        personal={"value": "a number of an entry"},
        why="Screening.",
        kept="as its entry.",
        note=_LIST,
    ),
    Table("agenthub.ListPosting", plain="id version key count names"),
    Table(
        "agenthub.ListRefresh",
        plain=(
            "id updated_at leased_until claim_count failures source status due_at fetched_at error"
        ),
    ),
    Table(
        "agenthub.ListReindex",
        plain=f"{_WORK} id source status version reached error",
    ),
    Table(
        "agenthub.Rescreening",
        plain=f"{_WORK} id version status reached until raised error",
    ),
    Table(
        "agenthub.AddressList",
        plain="id slug title loaded_at file_name sha256 address_count rows_sha256",
    ),
    Table(
        "agenthub.AddressEntry",
        plain="id list place kind",
        personal={
            "name": "who lets the address",
            "address": "an address where many are registered",
        },
        why="To compare addresses.",
        kept="until the next load.",
        note=_LIST,
    ),
)
