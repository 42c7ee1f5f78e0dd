"""Fills a hub for the benchmarks of its reads: `python -m bench.hub_seed CASES EXPORTED`.

Creates cases of 10 jobs with 6 results each (about 200 KB per response), and a batch of EXPORTED
jobs with 3 results each. Prints the ids and keys as JSON.
"""

from __future__ import annotations

import json
import os
import random
import sys
import uuid
from typing import Any

import django
from django.core.management import call_command

from bench.load import tool_event

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
CHUNK = 5000


def _make(cases: int, exported: int) -> dict[str, Any]:
    from agenthub.accounts import api_keys
    from agenthub.batches import processing
    from agenthub.models import Account, Agent

    account = Account.objects.create(name="Bench")
    _, api_key = api_keys.create(account, name="bench")
    agent = Agent.objects.create(account=account, key="bench-kyb", name="b", kind="kyb")
    for number in range(cases):
        _jobs(agent, 10, results=6, case=f"case-{number}", batch=None)
    batch = processing.of(agent, uuid.uuid4())
    for start in range(0, exported, CHUNK):
        _jobs(agent, min(CHUNK, exported - start), results=3, case="", batch=batch)
    small = processing.of(agent, uuid.uuid4())
    _jobs(agent, 500, results=3, case="", batch=small)
    named = {"batch_id": str(batch.batch_id), "small_batch_id": str(small.batch_id)}
    return {"api_key": api_key, "agent_key": agent.key, **named}


def _jobs(agent: Any, count: int, *, results: int, case: str, batch: Any) -> None:
    from agenthub.models import AgentJob, CheckRun

    chance = random.Random(7)  # noqa: S311
    checks = [
        "kyb.incorporation_document_verification",
        *(f"kyb.check_{n}" for n in range(9)),
    ]
    # Exported results are small, like those of checks without documents.
    rows = [
        {
            "verdict": "review",
            "alerts": ["Its dates differ."],
            **_detail(chance, small=not case),
        }
        for _ in range(20)
    ]
    jobs = AgentJob.objects.bulk_create(
        AgentJob(
            account=agent.account,
            agent=agent,
            batch=batch,
            case_id=case or f"c-{uuid.uuid4().hex[:8]}",
            subject=f"Business {number} Ltd",
            status="COMPLETE",
            recommendation="Review",
            due_at=None,
            input_payload={
                "kyb_schema": {"id": case, "self_attested_data": {"business_name": "B"}}
            },
        )
        for number in range(count)
    )
    CheckRun.objects.bulk_create(
        [
            CheckRun(
                job=job,
                check_id=check_id,
                status="completed",
                result=result,
                verdict="review",
            )
            for job in jobs
            for check_id in checks[:results]
            for result in [chance.choice(rows)]
        ],
        batch_size=CHUNK,
    )


def _detail(chance: random.Random, *, small: bool) -> dict[str, Any]:
    if small:
        return {"explanation": "The names agree."}
    results = tool_event(chance)["results"]
    assert isinstance(results, dict)
    return {"explanation": "The names agree.", "payload": results["payload"]}


if __name__ == "__main__":
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    print(json.dumps(_make(int(sys.argv[1]), int(sys.argv[2]))))
