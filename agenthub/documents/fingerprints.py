"""Fingerprints of documents: the register of documents that were used in other subjects' cases.

Fingerprints are stored per account: an account's checks see only its own cases.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from django.db.models import Q, QuerySet

from agenthub import digests
from agenthub.models import AgentJob, DocumentPrint
from agenthub.wire import JsonObject, Wire
from checks.document_fraud_check.content.fingerprints import Earlier, Fingerprint
from checks.document_fraud_check.content.forms import FORM, is_of_issuer, is_shared
from checks.document_fraud_check.tool import DocumentFraud, with_reuse

# If a document was used a thousand times, the latest rows are sufficient.
MAX_ROWS = 200
# A form has several marks, and a document counts once most of its own were read.
MAX_FORM_ROWS = 2_000


def consult(job: AgentJob, tool_id: str, results: Wire) -> Wire:
    """Add the register's findings to the results of the fraud tool. Other results stay as they are.

    Fingerprints are stored before the search, so that of two simultaneous jobs with the same
    document at least one finds the other.
    """
    if tool_id != DocumentFraud.id:
        return results
    return with_reuse(results, AccountRegister(job))


class AccountRegister:
    """The `Register` lookup of one job: the documents of its account, without its own subject's."""

    def __init__(self, job: AgentJob) -> None:
        self._job = job
        self._name, self._number = subject_of(job)

    def elsewhere(self, prints: Sequence[Fingerprint]) -> list[Earlier]:
        # Without a name it is impossible to tell whether another case has another subject.
        if not prints or not self._name:
            return []
        self._store(prints)
        of_form = [row for row in prints if row.kind == FORM]
        others = [row for row in prints if row.kind != FORM]
        rows_of_case: dict[str, list[DocumentPrint]] = {}
        for row in self._rows(others)[:MAX_ROWS]:
            rows_of_case.setdefault(row.case_id, []).append(row)
        # A case with the same file has the same form, too, which says nothing more.
        same_files = set(rows_of_case)
        for row in self._of_form(of_form):
            if row.case_id not in same_files:
                rows_of_case.setdefault(row.case_id, []).append(row)
        cases = []
        for case_id, rows in rows_of_case.items():
            kinds = tuple(dict.fromkeys(row.kind for row in rows))
            day = rows[0].created_at.date().isoformat()
            cases.append(Earlier(case_id, kinds, day))
        return cases

    def _of_form(self, prints: Sequence[Fingerprint]) -> list[DocumentPrint]:
        """One row for each job whose document shares enough marks of a form.

        None if so many subjects have the form that it is an issuer's own.
        """
        rows_of_job: dict[object, list[DocumentPrint]] = {}
        for row in self._rows(prints)[:MAX_FORM_ROWS]:
            rows_of_job.setdefault(row.job_id, []).append(row)
        shared = [rows[0] for rows in rows_of_job.values() if is_shared(len(rows))]
        subjects = {row.subject_name for row in shared}
        if is_of_issuer(len(subjects)):
            return []
        return shared

    def _rows(self, prints: Sequence[Fingerprint]) -> QuerySet[DocumentPrint]:
        """The rows of other subjects with one of these fingerprints, the latest first."""
        if not prints:
            return DocumentPrint.objects.none()
        job = self._job
        same_document = Q()
        for fingerprint in prints:
            same_document |= Q(kind=fingerprint.kind, value=fingerprint.value)
        same_subject = Q(case_id=job.case_id) | Q(subject_name=self._name)
        if self._number:
            same_subject |= Q(subject_number=self._number)
        rows = DocumentPrint.objects.filter(same_document, account_id=job.account_id)
        rows = rows.filter(job__agent__kind=job.agent.kind).exclude(same_subject)
        return rows.order_by("-id")

    def _store(self, prints: Sequence[Fingerprint]) -> None:
        rows = []
        for fingerprint in prints:
            rows.append(
                DocumentPrint(
                    account_id=self._job.account_id,
                    job=self._job,
                    case_id=self._job.case_id,
                    subject_name=self._name,
                    subject_number=self._number,
                    kind=fingerprint.kind,
                    value=fingerprint.value,
                )
            )
        DocumentPrint.objects.bulk_create(rows, ignore_conflicts=True)


def subject_of(job: AgentJob) -> tuple[str, str]:
    """Digests of a subject's name and number; empty if unknown. Subjects differ if both differ."""
    attested = job.schema.get("self_attested_data") or {}
    if job.agent.kind == "kyc":
        members = ("first_name", "last_name", "date_of_birth")
        name = " ".join(_text(attested, member) for member in members)
        return _digest(name), ""
    name = _text(attested, "business_name") or _text(
        attested, "registered_business_name"
    )
    number = _text(attested, "business_registration_number") or _text(
        attested, "tin_number"
    )
    return _digest(name), _digest(number)


def _text(attested: JsonObject, key: str) -> str:
    value = attested.get(key)
    if isinstance(value, str):
        return value
    return ""


def _digest(text: str) -> str:
    plain = re.sub(r"[\W_]", "", text).casefold()
    if not plain:
        return ""
    # A number of a company is found from a plain hash by trying all.
    return digests.keyed(hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest())
