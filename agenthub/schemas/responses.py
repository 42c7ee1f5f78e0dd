"""JSON Schemas of the hub's responses, from which the OpenAPI document is built.

Tests validate every response against them.
"""

from __future__ import annotations

from collections.abc import Iterable

from compliance.http.api.schemas import (
    ANY_OBJECT,
    BOOLEAN,
    INTEGER,
    MOMENT,
    STRING,
    UUID,
    Schema,
    listed,
    one_of,
    or_null,
    record,
    ref,
)

# Statuses of jobs as getJobById and getJobsByCaseId spell them, of check runs, of applications.
BY_ID = ("pending", "running", "complete", "failed", "retried")
BY_CASE = ("pending", "running", "completed", "failed", "retried")
RUN = ("pending", "in_progress", "completed", "failed")
STATE = ("PENDING", "IN_PROGRESS", "COMPLETE", "ERROR")


def _job(statuses: Iterable[str]) -> Schema:
    return {
        "id": UUID,
        "status": one_of(statuses),
        "created_at": MOMENT,
        "updated_at": MOMENT,
        "agent_id": STRING,
        "input_payload": ANY_OBJECT,
    }


_LINKS: Schema = {"new_job_id": UUID, "original_job_id": UUID}
_ENDED: Schema = {
    "recommendation": one_of(("Approve", "Review", "Deny")),
    "recommendation_reasons": {
        **listed(STRING),
        "description": "What the case lacks for Approve, in words; empty: nothing.",
    },
    "requirements_version": {
        **STRING,
        "description": "Of the table of what a case must bring before Approve.",
    },
    "error": STRING,
}
# Only of an open job: an addition to the interface.
_WAITING: Schema = {
    "waiting": record(
        {
            "for": one_of(("turn", "worker", "retry", "result")),
            "ahead": {
                **INTEGER,
                "description": "Turns of jobs before it: one for each job, or for each of its documents.",
            },
            "seconds_left": {
                **or_null(INTEGER),
                "description": "About how long until it has ended; null: unknown.",
            },
            "next_try_at": MOMENT,
            "text": STRING,
        },
        but=("next_try_at",),
    )
}
_MESSAGES: Schema = {**listed(ref("StatusMessage")), "deprecated": True}
_RESULT: Schema = {
    "id": STRING,
    "check_id": STRING,
    "command_id": STRING,
    "status": one_of(RUN),
    "result": ANY_OBJECT,
}
_RESULT_WITH_TIMES: Schema = {
    **_RESULT,
    "status_messages": listed(ref("StatusMessage")),
    "created_at": MOMENT,
    "updated_at": MOMENT,
}
_BATCH: Schema = {
    "id": UUID,
    "batch_id": UUID,
    "name": STRING,
    "batch_name": STRING,
    "agent_key": STRING,
    "status": one_of(("running", "complete", "failed")),
    "read_rows": INTEGER,
    "accepted": INTEGER,
    "rejected": INTEGER,
    "created_at": MOMENT,
    "updated_at": MOMENT,
    "error": STRING,
}

PARTS: dict[str, Schema] = {
    "Error": record(
        {"error": STRING, "message": STRING, "detail": listed(ref("Detail"))},
        but=("detail",),
    ),
    "Detail": record(
        {"loc": listed({"type": ["string", "integer"]}), "msg": STRING, "type": STRING}
    ),
    "Taken": record({"error": STRING, "job_id": UUID}),
    "BatchTaken": record(
        {"error": STRING, "batch_id": UUID, "same_rows": BOOLEAN},
        words="same_rows is false if the batch was made from other rows than those of this call, which were not stored, or if its rows are not known any more.",
    ),
    "StatusMessage": record({"timestamp": MOMENT, "message": STRING}),
    "StartedJob": record(
        {
            "status": {"const": "ok"},
            "job_id": UUID,
            "message": STRING,
            "job": record(
                _job(("PENDING",)), words="input_payload is the whole request."
            ),
            "original_job_id": UUID,
        },
        but=("original_job_id",),
    ),
    "CheckJob": record({**_job(("PENDING",)), "job_id": UUID, "message": STRING}),
    "Job": record(
        {
            **_job(BY_ID),
            **_ENDED,
            **_LINKS,
            **_WAITING,
            "check_results": listed(ref("JobCheckResult")),
            "check_result_ids": listed(STRING),
            "status_messages": _MESSAGES,
            "feedback": listed(ref("Feedback")),
        },
        but=(
            *_ENDED,
            *_LINKS,
            *_WAITING,
            "check_results",
            "check_result_ids",
            "status_messages",
            "feedback",
        ),
    ),
    "Jobs": record(
        {
            "jobs": listed(
                record(
                    {
                        **_job(BY_CASE),
                        **_ENDED,
                        **_LINKS,
                        "check_results": listed(ref("CaseCheckResult")),
                        "status_messages": _MESSAGES,
                    },
                    but=(*_ENDED, *_LINKS, "check_results", "status_messages"),
                )
            ),
            "count": INTEGER,
            "next_cursor": UUID,
        },
        but=("next_cursor",),
    ),
    "CheckResult": record(_RESULT_WITH_TIMES),
    "JobCheckResult": record(
        {**_RESULT_WITH_TIMES, "type": STRING, "agent_instance_id": UUID},
        words="agent_instance_id is that of the tool webhooks of the job.",
    ),
    "OneCheckResult": record(
        {
            **_RESULT_WITH_TIMES,
            "type": STRING,
            "agent_instance_id": UUID,
            "sources": {
                **listed(STRING),
                "description": "Where the evidence comes from.",
            },
        },
        but=("status_messages",),
    ),
    "StatusSummary": {
        "anyOf": [ref("JobSummary"), ref("AgentSummary")],
        "description": "The first with job_id, the second with agent_key alone.",
    },
    "JobSummary": record(
        {
            "id": UUID,
            "job_id": UUID,
            "case_id": STRING,
            "agent_id": STRING,
            "status": one_of(BY_ID),
            "created_at": MOMENT,
            "updated_at": MOMENT,
            "recommendation": one_of(("Approve", "Review", "Deny")),
            "error": STRING,
            **_WAITING,
            "count": INTEGER,
            "checks_by_status": record(dict.fromkeys(RUN, INTEGER)),
            "checks": listed(
                record(
                    {
                        "check_id": STRING,
                        "command_id": STRING,
                        "status": one_of(RUN),
                        "status_message": ref("StatusMessage"),
                    }
                )
            ),
        },
        but=("recommendation", "error", "waiting"),
    ),
    "AgentSummary": record(
        {
            "agent_key": STRING,
            "count": INTEGER,
            "jobs_by_status": record(dict.fromkeys(BY_CASE, INTEGER)),
        }
    ),
    "FeedbackInputs": record(
        {
            "key": STRING,
            "feedback_inputs": listed(ref("FeedbackInput")),
            "count": INTEGER,
            "next_cursor": or_null(STRING),
        }
    ),
    "FeedbackInput": record(
        {
            "id": STRING,
            "job_id": UUID,
            "key": STRING,
            "comment": STRING,
            "value": {},
            "created_at": MOMENT,
            "check_id": STRING,
        },
        but=("check_id",),
    ),
    "CaseCheckResult": record({**_RESULT, "type": STRING}),
    "Feedback": record(
        {"id": STRING, "feedback": STRING, "created_at": MOMENT, "check_id": STRING},
        but=("check_id",),
    ),
    "ApplicationState": record(
        {
            "self_attested_data": ANY_OBJECT,
            "applicant_id": STRING,
            "applicant_type": one_of(("kyb", "kyc", "entity")),
            "application_status": one_of(STATE),
            "updated_at": MOMENT,
            "current_check_results": listed(ref("StateCheckResult")),
            "past_check_results": listed(ref("StateCheckResult")),
        }
    ),
    "StateCheckResult": record(
        {
            "check_id": STRING,
            "status": one_of(STATE),
            "result": ANY_OBJECT,
            "error": STRING,
            "updated_at": MOMENT,
        }
    ),
    "Enrichment": record(
        {
            "status": one_of(("success", "not_found", "error")),
            "data": ANY_OBJECT,
            "error": STRING,
            "source": STRING,
        }
    ),
    "Check": record(
        {
            "check_id": STRING,
            "command_id": STRING,
            "aliases": listed(STRING),
            "title": STRING,
            "description": STRING,
            "case_types": listed(one_of(("kyb", "kyc"))),
            "documents": or_null(STRING),
            "arguments": listed(record({"name": STRING, "description": STRING})),
            "tools": listed(
                record(
                    {
                        "tool_id": STRING,
                        "aliases": listed(STRING),
                        "payload_key": STRING,
                        "description": STRING,
                    }
                )
            ),
        }
    ),
    "Checks": record({"checks": listed(ref("Check")), "count": INTEGER}),
    "Batch": record({**_BATCH, "signed_url": STRING}, but=("error", "signed_url")),
    "Batches": listed(ref("Batch")),
    "RejectedRow": record(
        {
            "line": {"type": "integer", "minimum": 1},
            "reason": STRING,
            "detail": listed(ref("Detail")),
        }
    ),
    "EnqueuedBatch": record(
        {
            **_BATCH,
            "status": {"const": "ok"},
            "batch_status": one_of(("running", "complete", "failed")),
            "message": STRING,
            "jobs": listed(
                record(
                    {
                        "id": UUID,
                        "job_id": UUID,
                        "case_id": STRING,
                        "status": {"const": "PENDING"},
                        "agent_id": STRING,
                    }
                )
            ),
            "errors": listed(ref("RejectedRow")),
        },
        but=("error",),
    ),
    "MappedColumns": record(
        {
            "case_type": one_of(("kyb", "kyc")),
            "mapping": {"type": "object", "additionalProperties": STRING},
            "columns": listed(ref("MappedColumn")),
            "unmapped": listed(STRING),
            "missing": {
                **listed(listed(STRING)),
                "description": "Groups of members of which one is required, and none is mapped.",
            },
            "fields": listed(STRING),
        }
    ),
    "MappedColumn": record(
        {
            "column": STRING,
            "field": or_null(STRING),
            "match": one_of(("exact", "synonym", "ambiguous", "duplicate", "unknown")),
            "candidates": listed(STRING),
            "reason": STRING,
        }
    ),
    "BatchJobs": record(
        {
            **_BATCH,
            "jobs": listed(ref("BatchJob")),
            "rejected_rows": listed(ref("RejectedRow")),
            "count": INTEGER,
            "next_cursor": or_null(STRING),
            "jobs_by_status": record(dict.fromkeys(BY_CASE, INTEGER)),
        },
        but=("error", "rejected_rows", "jobs_by_status"),
    ),
    "BatchJob": record(
        {
            "id": UUID,
            "job_id": UUID,
            "case_id": STRING,
            "name": STRING,
            "agent_id": STRING,
            "status": one_of(BY_CASE),
            "created_at": MOMENT,
            "updated_at": MOMENT,
            "checks": {
                "type": "object",
                "additionalProperties": one_of(
                    ("passed", "failed", "review", "error", "pending", "")
                ),
            },
            **_ENDED,
            "new_job_id": UUID,
        },
        but=(*_ENDED, "new_job_id"),
    ),
    "UploadedDocument": record(
        {
            "status": {"const": "ok"},
            "url": STRING,
            "document": record(
                {"type": {"const": "Document"}, "url": STRING, "file_name": STRING}
            ),
            "size": INTEGER,
            "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "content_type": STRING,
            "expires_at": MOMENT,
            "expiration": MOMENT,
        }
    ),
    "KeptFeedback": record(
        {"status": {"const": "ok"}, "feedback_id": STRING, "message": STRING}
    ),
    "LookUp": record(
        {
            "hits": {
                **listed(ANY_OBJECT),
                "description": "As the matches of a screening check, the best first, with `how`: name or number. `score` is"
                " how well the listed name holds what was asked for, `whole_name_score` how a check scores it.",
            },
            "not_shown": {**INTEGER, "description": "Hits beyond those here."},
            "is_cut": {
                "type": "boolean",
                "description": "More names hold these words than were compared.",
            },
            "not_compared": listed(STRING),
            "lists": listed(ANY_OBJECT),
            "engine": STRING,
        }
    ),
    "ErasedCase": record(
        {
            "status": {"const": "ok"},
            "erased": {
                "type": "object",
                "additionalProperties": INTEGER,
                "description": "How many rows of each kind, and files; empty: nothing was there.",
            },
        }
    ),
    "WebhookTest": record({"message": STRING, "results": listed(ref("Trial"))}),
    "FailedWebhookTest": record(
        {
            "error": STRING,
            "message": STRING,
            "detail": listed(ref("Detail")),
            "results": listed(ref("Trial")),
        },
        but=("detail", "results"),
        words="Without results where the request itself is wrong.",
    ),
    "Trial": record(
        {
            "url": STRING,
            "kind": one_of(("job", "tool")),
            "ok": BOOLEAN,
            "took_ms": INTEGER,
            "tool_id": STRING,
            "status": INTEGER,
            "response": {**STRING, "description": "The first 2 KB of the answer."},
            "error": {**STRING, "description": "Why there was no answer."},
        },
        but=("tool_id", "status", "response", "error"),
    ),
    "Verified": record({"status": {"const": "ok"}, "message": STRING}),
    "CheckResults": listed(ref("CheckResult")),
}
