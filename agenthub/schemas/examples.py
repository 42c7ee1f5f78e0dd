"""Examples of requests and responses. The company and the people in them are fictional.

Tests validate them against the OpenAPI document.
"""

from __future__ import annotations

from agenthub.wire import Wire

JOB = "e85e0cc4-b1e8-40b0-9a3d-83c328eee0f4"
BATCH = "5f0c2b0e-93a1-4d0c-8e37-0c1a6b2d9f11"
AGENT = "business-onboarding"
CHECK = "kyb.incorporation_document_verification"
AT, LATER = "2026-03-02T10:00:00.123456Z", "2026-03-02T10:00:04.654321Z"

_KYB: Wire = {
    "id": "case-001",
    "self_attested_data": {
        "business_name": "Northwind Ltd",
        "incorporation_documents": [
            {
                "type": "Document",
                "url": "https://example.com/incorporation.pdf",
                "file_name": "incorporation.pdf",
            }
        ],
    },
}
_KYC: Wire = {
    "id": "case-002",
    "self_attested_data": {
        "first_name": "Ana",
        "last_name": "Reyes",
        "date_of_birth": "1988-04-12",
    },
}
_START_KYB: Wire = {
    "agent_key": AGENT,
    "kyb_schema": _KYB,
    "job_id": JOB,
    "webhook_url": "https://example.com/job-callback",
    "tool_webhook_url": "https://example.com/tool-callback",
}
_START_KYC: Wire = {"agent_key": "person-onboarding", "kyc_schema": _KYC}


def _started(request: Wire) -> Wire:
    job = {
        "id": JOB,
        "status": "PENDING",
        "created_at": AT,
        "updated_at": AT,
        "agent_id": request["agent_key"],
        "input_payload": request,
    }
    return {"status": "ok", "job_id": JOB, "message": "Job created.", "job": job}


_RUN_CHECK: Wire = {"agent_key": AGENT, "check_id": CHECK, "kyb_schema": _KYB}
_RESULT: Wire = {
    "id": "41",
    "check_id": CHECK,
    "command_id": CHECK,
    "status": "completed",
    "result": {
        "passed": True,
        "verdict": "pass",
        "answer": "Northwind Ltd",
        "explanation": "1 valid document.",
        "alerts": None,
        "payload": {},
    },
    "status_messages": [{"timestamp": LATER, "message": "1 valid document."}],
    "created_at": AT,
    "updated_at": LATER,
}
_JOB: Wire = {
    "id": JOB,
    "status": "complete",
    "created_at": AT,
    "updated_at": LATER,
    "agent_id": AGENT,
    "input_payload": _KYB,
    "recommendation": "Approve",
}
_BATCH: Wire = {
    "id": BATCH,
    "batch_id": BATCH,
    "name": "march.csv",
    "batch_name": "march.csv",
    "agent_key": AGENT,
    "status": "complete",
    "read_rows": 2,
    "accepted": 1,
    "rejected": 1,
    "created_at": AT,
    "updated_at": LATER,
}
_REJECTED: Wire = {
    "line": 3,
    "reason": "self_attested_data.incorporation_date: Not a date of the form YYYY-MM-DD.",
    "detail": [
        {
            "loc": ["self_attested_data", "incorporation_date"],
            "msg": "Not a date of the form YYYY-MM-DD.",
            "type": "not_a_date",
        }
    ],
}
_TRIAL: Wire = {
    "url": "https://example.com/job-callback",
    "kind": "job",
    "ok": True,
    "status": 200,
    "response": "ok",
    "took_ms": 84,
}

REQUESTS: Wire = {
    "startKYBAgentJob": _START_KYB,
    "startKYCAgentJob": _START_KYC,
    "retryJob": {"job_id": JOB},
    "runCheck": _RUN_CHECK,
    "downloadReport": {"agent_key": AGENT, "case_id": "case-001"},
    "eraseCase": {"case_id": "case-001"},
    "lookUpName": {"name": "Korbuts"},
    "sendFeedback": {
        "job_id": JOB,
        "feedback": "The seal is genuine.",
        "check_id": CHECK,
    },
    "uploadB64Document": {
        "b64_document": "JVBERi0xLjcK",
        "file_name": "incorporation.pdf",
    },
    "enrichPerson": {"full_name": "Ana Reyes", "email": "ana@example.com"},
    "enrichCompany": {"name": "Northwind Ltd", "website": "northwind.example"},
    "enqueueFromCSV": {
        "agent_key": AGENT,
        "batch_name": "march.csv",
        "csv": "id,business_name,incorporation_date\ncase-001,Northwind Ltd,2020-01-31\n",
    },
    "enqueueKybSchemas": {
        "agent_key": AGENT,
        "kyb_schemas": [_KYB],
        "batch_name": "March",
    },
    "mapCsvColumns": {"case_type": "kyb", "columns": ["Company Name", "Country"]},
    "testWebhook": {"webhook_url": "https://example.com/job-callback"},
    "testWebhookReceiver": {"id": JOB, "input_payload": {"id": "case-001"}},
}
QUERIES: dict[str, Wire] = {
    "getJobById": {"job_id": JOB, "include_check_results": True},
    "getJobsByCaseId": {"case_id": "case-001", "agent_key": AGENT},
    "getCheckResults": {"job_id": JOB},
    "getJobStatusSummary": {"job_id": JOB},
    "getCheckResultFromJob": {"job_id": JOB, "check_id": CHECK, "case_type": "kyb"},
    "getFeedbackInputsByKey": {"key": CHECK},
    "getAvailableChecks": {"case_type": "kyb"},
    "getCheckInfo": {"check_id": CHECK},
    "getLatestApplicationState": {"agent_key": AGENT, "application_id": "case-001"},
    "downloadReportGet": {"agent_key": AGENT, "case_id": "case-001"},
    "getJobBatches": {"agent_key": AGENT},
    "getBatchJobs": {"batch_id": BATCH},
    "exportCSVBatch": {"batch_id": BATCH, "agent_key": AGENT},
}
ANSWERS: Wire = {
    "startKYBAgentJob": _started(_START_KYB),
    "startKYCAgentJob": _started(_START_KYC),
    "retryJob": {
        **_started(_START_KYB),
        "original_job_id": "8a1f64f5-6f0c-4c51-8d5c-52a0d1b7f1a0",
    },
    "getJobById": {
        **_JOB,
        "check_results": [{**_RESULT, "type": CHECK, "agent_instance_id": JOB}],
    },
    "getJobStatusSummary": {
        **{
            name: _JOB[name]
            for name in ("id", "status", "created_at", "updated_at", "agent_id")
        },
        "job_id": JOB,
        "case_id": "case-001",
        "recommendation": "Approve",
        "count": 1,
        "checks_by_status": {
            "pending": 0,
            "in_progress": 0,
            "completed": 1,
            "failed": 0,
        },
        "checks": [
            {
                "check_id": CHECK,
                "command_id": CHECK,
                "status": "completed",
                "status_message": _RESULT["status_messages"][-1],
            }
        ],
    },
    "getCheckResultFromJob": {
        **_RESULT,
        "type": CHECK,
        "agent_instance_id": JOB,
        "sources": ["incorporation.pdf"],
    },
    "getFeedbackInputsByKey": {
        "key": CHECK,
        "feedback_inputs": [
            {
                "id": "7",
                "job_id": JOB,
                "key": CHECK,
                "comment": "The seal is genuine.",
                "value": None,
                "created_at": LATER,
                "check_id": CHECK,
            }
        ],
        "count": 1,
        "next_cursor": None,
    },
    "getJobsByCaseId": {"jobs": [{**_JOB, "status": "completed"}], "count": 1},
    "getCheckResults": [_RESULT],
    "runCheck": {
        **_started(_RUN_CHECK)["job"],
        "job_id": JOB,
        "message": "Job created.",
    },
    "getLatestApplicationState": {
        "self_attested_data": _KYB["self_attested_data"],
        "applicant_id": "case-001",
        "applicant_type": "kyb",
        "application_status": "COMPLETE",
        "updated_at": LATER,
        "current_check_results": [
            {
                "check_id": CHECK,
                "status": "COMPLETE",
                "result": _RESULT["result"],
                "error": "",
                "updated_at": LATER,
            }
        ],
        "past_check_results": [],
    },
    "lookUpName": {
        "hits": [],
        "not_shown": 0,
        "is_cut": False,
        "not_compared": [],
        "lists": [],
        "engine": "7",
    },
    "eraseCase": {
        "status": "ok",
        "erased": {"jobs": 1, "check_runs": 12, "deliveries": 4},
    },
    "sendFeedback": {
        "status": "ok",
        "feedback_id": "7",
        "message": "The feedback is kept.",
    },
    "enrichPerson": {
        "status": "not_found",
        "data": {},
        "error": "",
        "source": "earlier cases of this installation",
    },
    "enrichCompany": {
        "status": "success",
        "data": {"business_name": "Northwind Ltd", "case_id": "case-001"},
        "error": "",
        "source": "earlier cases of this installation",
    },
    "enqueueFromCSV": {
        **_BATCH,
        "status": "ok",
        "batch_status": "complete",
        "message": "1 rows started, 1 rejected.",
        "jobs": [
            {
                "id": JOB,
                "job_id": JOB,
                "case_id": "case-001",
                "status": "PENDING",
                "agent_id": AGENT,
            }
        ],
        "errors": [_REJECTED],
    },
    "enqueueKybSchemas": {
        **_BATCH,
        "name": "March",
        "batch_name": "March",
        "read_rows": 1,
        "rejected": 0,
        "status": "ok",
        "batch_status": "complete",
        "message": "1 rows started, 0 rejected.",
        "jobs": [
            {
                "id": JOB,
                "job_id": JOB,
                "case_id": "case-001",
                "status": "PENDING",
                "agent_id": AGENT,
            }
        ],
        "errors": [],
    },
    "mapCsvColumns": {
        "case_type": "kyb",
        "mapping": {"Company Name": "business_name"},
        "columns": [
            {
                "column": "Company Name",
                "field": "business_name",
                "match": "synonym",
                "candidates": ["business_name"],
                "reason": "“company name” is another name of business_name.",
            },
            {
                "column": "Country",
                "field": None,
                "match": "ambiguous",
                "candidates": [
                    "address_of_incorporation.country_code",
                    "address_of_operation.country_code",
                ],
                "reason": "It may mean several members: choose one.",
            },
        ],
        "unmapped": ["Country"],
        "missing": [],
        "fields": ["id", "business_name"],
    },
    "getJobBatches": [_BATCH],
    "getBatchJobs": {
        **_BATCH,
        "jobs": [
            {
                "id": JOB,
                "job_id": JOB,
                "case_id": "case-001",
                "name": "Northwind Ltd",
                "agent_id": AGENT,
                "status": "completed",
                "created_at": AT,
                "updated_at": LATER,
                "checks": {CHECK: "passed"},
                "recommendation": "Approve",
            }
        ],
        "count": 1,
        "next_cursor": None,
    },
    "exportCSVBatch": "job_id,case_id,case_type,name,status,recommendation,created_at,updated_at,"
    f"{CHECK},alerts\r\n{JOB},case-001,kyb,Northwind Ltd,completed,Approve,{AT},{LATER},passed,\r\n",
    "testWebhook": {"message": "Webhook test was successful.", "results": [_TRIAL]},
    "testWebhookReceiver": {"status": "ok", "message": "The signature is valid."},
}
_UNREADABLE = {
    "error": "Bad Request",
    "message": "kyb_schema.id: This field is required.",
    "detail": [
        {
            "loc": ["kyb_schema", "id"],
            "msg": "This field is required.",
            "type": "missing",
        }
    ],
}
ERRORS: dict[str, dict[int, object]] = {
    "Error": {
        400: _UNREADABLE,
        401: {"error": "Unauthorized", "message": "Invalid API key provided"},
        403: {
            "error": "Forbidden",
            "message": "This API key has no access to the agent.",
        },
        404: {"error": "Not Found", "message": "Job not found."},
        429: {"error": "Too Many Requests", "message": "Request was throttled."},
    },
    "Taken": {
        409: {"error": "Job with the provided ID already exists.", "job_id": JOB}
    },
    "BatchTaken": {
        409: {
            "error": "Batch with the provided ID already exists.",
            "batch_id": BATCH,
            "same_rows": True,
        }
    },
    "FailedWebhookTest": {
        400: {
            "error": "Bad Request",
            "message": "webhook_url: The receiver answered HTTP 500.",
            "detail": [
                {
                    "loc": ["webhook_url"],
                    "msg": "The receiver answered HTTP 500.",
                    "type": "webhook_failed",
                }
            ],
            "results": [{**_TRIAL, "ok": False, "status": 500, "response": ""}],
        }
    },
}
