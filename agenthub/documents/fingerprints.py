"""Which documents came before in cases of other subjects: the hub's register for the checks.

Marks are kept per account, and an account is told of its own cases alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q

from agenthub.models import AgentJob, DocumentPrint
from checks.document_fraud_check.content.fingerprints import Earlier, Fingerprint
from checks.document_fraud_check.tool import DocumentFraud, with_reuse

# Of a document that was sent a thousand times, the latest cases tell enough.
MAX_TOLD = 200


def consult(job: AgentJob, tool_id: str, results: dict[str, Any]) -> dict[str, Any]:
    """The results of the fraud tool with what the register says; those of other tools as they are.

    The marks are kept before they are looked for, so that of two jobs with one document at the
    same time at least one is told of the other.
    """
    if tool_id != DocumentFraud.id:
        return results
    return with_reuse(results, AccountRegister(job))


class AccountRegister:
    """The `Register` of one job: the documents of its account, apart from its own subject's."""

    def __init__(self, job: AgentJob) -> None:
        self._job = job
        self._name, self._number = subject_of(job)

    def elsewhere(self, prints: Sequence[Fingerprint]) -> list[Earlier]:
        if not prints or not self._name:
            return []  # without a name, nobody can tell whether another subject is another
        self._keep(prints)
        wanted = Q()
        for one in prints:
            wanted |= Q(kind=one.kind, value=one.value)
        same = Q(case_id=self._job.case_id) | Q(subject_name=self._name)
        if self._number:
            same |= Q(subject_number=self._number)
        rows = (
            DocumentPrint.objects.filter(wanted, account_id=self._job.account_id)
            .filter(job__agent__kind=self._job.agent.kind)
            .exclude(same)
            .order_by("-id")[:MAX_TOLD]
        )
        found: dict[str, list[DocumentPrint]] = {}
        for row in rows:
            found.setdefault(row.case_id, []).append(row)
        return [
            Earlier(
                case_id,
                tuple(dict.fromkeys(r.kind for r in own)),
                own[0].created_at.date().isoformat(),
            )
            for case_id, own in found.items()
        ]

    def _keep(self, prints: Sequence[Fingerprint]) -> None:
        rows = [
            DocumentPrint(
                account_id=self._job.account_id,
                job=self._job,
                case_id=self._job.case_id,
                subject_name=self._name,
                subject_number=self._number,
                kind=one.kind,
                value=one.value,
            )
            for one in prints
        ]
        DocumentPrint.objects.bulk_create(rows, ignore_conflicts=True)


def subject_of(job: AgentJob) -> tuple[str, str]:
    """Digests of the name and of the number by which a subject is told from others."""
    attested = job.schema.get("self_attested_data") or {}
    if job.agent.kind == "kyc":
        name = " ".join(
            _text(attested, key) for key in ("first_name", "last_name", "date_of_birth")
        )
        return _digest(name), ""
    name = _text(attested, "business_name") or _text(attested, "registered_business_name")
    number = _text(attested, "business_registration_number") or _text(attested, "tin_number")
    return _digest(name), _digest(number)


def _text(attested: Mapping[str, Any], key: str) -> str:
    value = attested.get(key)
    return value if isinstance(value, str) else ""


def _digest(text: str) -> str:
    bare = re.sub(r"[\W_]", "", text).casefold()
    return hashlib.sha256(bare.encode("utf-8", "replace")).hexdigest() if bare else ""
