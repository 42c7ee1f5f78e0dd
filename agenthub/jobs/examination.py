"""Each document of a job is read once, for all checks that examine it, within one time limit.

A run of a job reads one document and gives the job back: the next document is read when the
account has its turn again. What the checks say is written as soon as they say it, so nothing is
read twice. Why a document was not read to its end is kept with the job.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction

from agenthub.deliveries import sending
from agenthub.documents import fetching, fingerprints
from agenthub.jobs.progress import Progress
from agenthub.jobs.turns import Turns
from agenthub.models import AgentJob, CheckRun, ToolRun
from checks.base import Check, Examined
from checks.document_fraud_check.facts import SIGNATURE_ROOTS
from compliance.work import isolation, timing

# A document that cannot be fetched now is asked for again, so often in a row.
FETCH_TRIES = 6
# To read a document is to compute: no more at a time than there are processors, but two, so that
# one that takes long does not hold up all. Jobs that wait for who holds a document are beside.
READERS = max(2, os.cpu_count() or 1)
turns = Turns(READERS)

Results = dict[str, Any]


class TurnEndedError(Exception):
    """The run has read a document; the job has more of them."""


@dataclass
class _Part:
    """What one check examines of a document. `number`: its place among the check's documents."""

    check: Check
    run: CheckRun
    number: int
    wire: Mapping[str, Any]
    outcomes: dict[str, Results]
    beside: bytes | None = None

    @property
    def name(self) -> str:
        return f"{self.check.id}:{self.number}"

    @property
    def document(self) -> dict[str, Any]:
        """The wire's Document without its content."""
        return {key: value for key, value in self.wire.items() if key != "b64_document"}

    @property
    def is_complete(self) -> bool:
        return all(tool.id in self.outcomes for tool in self.check.tools)


class Examination:
    """The documents of one job, examined by its checks."""

    def __init__(self, job: AgentJob, checks: Sequence[Check], progress: Progress) -> None:
        self._job, self._checks, self._progress = job, checks, progress
        self._attested: Mapping[str, Any] = job.schema.get("self_attested_data") or {}
        self._has_read = False

    def of(self, check: Check) -> list[Examined]:
        """Every document of the check, examined. Raises FetchError where one cannot be had now,
        and TurnEndedError where it is to be read in another run of the job."""
        return [
            self._examined(self._part(check, number, wire))
            for number, wire in enumerate(check.documents_of(self._attested))
        ]

    def _part(self, check: Check, number: int, wire: Mapping[str, Any]) -> _Part:
        run = self._progress.run_of(check.id)
        stored = {row.tool_id: row.results for row in run.tool_runs.filter(document=number)}
        return _Part(check, run, number, wire, stored)

    def _examined(self, part: _Part) -> Examined:
        if not part.is_complete and part.name not in self._job.unread_documents:
            self._read(part)
        error = self._job.unread_documents.get(part.name, "")
        return Examined(document=part.document, outcomes=part.outcomes, error=error)

    def _read(self, wanted: _Part) -> None:
        """Read a document for this check and for all others that examine it."""
        if self._has_read:
            raise TurnEndedError
        self._job.heartbeat(settings.LEASE)
        parts = [wanted, *self._others(wanted)]
        try:
            file = fetching.fetch(wanted.wire)
        except fetching.FetchError as exc:
            self._not_fetched(parts, exc)
            return
        parts = [part for part in parts if self._has_beside(part)]
        if not parts:
            return
        self._has_read = True
        for part in parts:
            part.run.begin(part.check.doing)
        with turns.turn(self._job.account_id, every=timing.TICK_SECONDS, tick=self._keep):
            self._read_within_limit(file, parts)

    def _read_within_limit(self, file: bytes, parts: Sequence[_Part]) -> None:
        """A check that crashes the reader must not take the others with it: they go on, in another
        process, in the time that is left."""
        end = time.monotonic() + settings.DOCUMENT_SECONDS
        while parts:
            try:
                self._stream(file, parts, seconds=max(0.0, end - time.monotonic()))
            except isolation.TimeLimitError:
                self._broken_off(parts, isolation.TimeLimitError(settings.DOCUMENT_SECONDS))
                return
            except isolation.IsolationError as exc:
                [crashed, *others] = [part for part in parts if not part.is_complete]
                self._broken_off([crashed], exc)
                parts = others
            else:
                return

    def _stream(self, file: bytes, parts: Sequence[_Part], *, seconds: float) -> None:
        for number, tool_id, results in isolation.stream(
            "checks.engine:examine_for_checks",
            self._given(file, parts),
            seconds=seconds,
            tick=self._keep,
        ):
            self._record(parts[number], tool_id, fingerprints.consult(self._job, tool_id, results))

    def _keep(self) -> None:
        self._job.heartbeat(settings.LEASE)

    def _others(self, wanted: _Part) -> list[_Part]:
        """What the other checks that have not ended examine of the same document."""
        same = _content_key(wanted.wire)
        parts = [
            self._part(check, number, wire)
            for check in self._checks
            if check.documents and check is not wanted.check and self._progress.is_open(check.id)
            for number, wire in enumerate(check.documents_of(self._attested))
            if _content_key(wire) == same
        ]
        unread = self._job.unread_documents
        return [part for part in parts if not part.is_complete and part.name not in unread]

    def _has_beside(self, part: _Part) -> bool:
        """Fetch the document that the check looks at together with this one, if there is one."""
        other = part.check.beside(part.document, self._attested)
        if other is None:
            return True
        self._job.heartbeat(settings.LEASE)  # it is long enough for one
        try:
            part.beside = fetching.fetch(other)
        except fetching.FetchError as exc:
            words = f"the one beside it: {exc}"
            self._not_fetched([part], fetching.FetchError(words, permanent=exc.permanent))
            return False
        return True

    def _given(self, file: bytes, parts: Sequence[_Part]) -> dict[str, Any]:
        return {
            "file": file,
            "attested": self._attested,
            "parts": [
                {
                    "check_id": part.check.id,
                    "file_name": str(part.wire.get("file_name") or ""),
                    "document": part.document,
                    "arguments": arguments_of(self._job, part.check),
                    "skip": list(part.outcomes),
                    "beside": part.beside,
                }
                for part in parts
            ],
        }

    def _not_fetched(self, parts: Sequence[_Part], exc: fetching.FetchError) -> None:
        if not exc.permanent and self._job.faults + 1 < FETCH_TRIES:
            raise exc
        self._end({part.name: f"The document could not be examined: {exc}." for part in parts})

    def _broken_off(self, parts: Sequence[_Part], exc: isolation.IsolationError) -> None:
        """The reader crashed or was stopped: what was not done, each check says."""
        errors: dict[str, str] = {}
        for part in parts:
            if part.is_complete:
                continue
            errors[part.name] = f"The document could not be examined: {exc}."
            if isinstance(exc, isolation.TimeLimitError):
                count = sum(tool.id in part.outcomes for tool in part.check.tools)
                errors[part.name] = (
                    f"Reading stopped after {exc.seconds:g} s: {count} of {len(part.check.tools)}"
                    " examinations of the document were done."
                )
            for tool_id, results in endings(part.check, part.document, str(exc)).items():
                if tool_id not in part.outcomes:
                    self._record(part, tool_id, results)
        self._end(errors)

    def _end(self, errors: Mapping[str, str]) -> None:
        """Keep why documents were not read to their end: they are not read again."""
        self._job.unread_documents = {**self._job.unread_documents, **errors}
        self._job.write({"unread_documents": self._job.unread_documents})

    @transaction.atomic
    def _record(self, part: _Part, tool_id: str, results: Results) -> None:
        part.outcomes[tool_id] = results
        _, created = ToolRun.objects.get_or_create(
            check_run=part.run,
            document=part.number,
            tool_id=tool_id,
            defaults={"results": results},
        )
        if created:
            part.run.add_message(f"Document {part.number + 1} examined by {tool_id}.")
            sending.queue(sending.of_tool(self._job, part.run, tool_id, results))


def arguments_of(job: AgentJob, check: Check) -> dict[str, Any]:
    """What the check is asked for: by the agent, and by the job over that."""
    entries = {entry["check_id"]: entry.get("arguments") or {} for entry in job.agent.checks}
    given = {**entries.get(check.id, {}), **job.check_args.get(check.id, {})}
    # Those that it declares and no others: where trusted certificates lie is no caller's to say.
    taken = {name: given[name] for name in check.taken() if given.get(name) is not None}
    roots = {SIGNATURE_ROOTS: settings.SIGNATURE_ROOTS} if settings.SIGNATURE_ROOTS else {}
    return {**taken, **roots}


def endings(check: Check, document: Mapping[str, Any], ending: str) -> dict[str, Results]:
    """The results of those tools of a check that speak of a document which stopped its reader."""
    named = fetching.reference(document)
    outcomes = ((tool.id, tool.broken_off(ending, named)) for tool in check.tools)
    return {tool_id: outcome.to_wire() for tool_id, outcome in outcomes if outcome}


def _content_key(wire: Mapping[str, Any]) -> str:
    """The same for two Documents of one content."""
    content = f"{wire.get('url') or ''}\n{wire.get('b64_document') or ''}"
    return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()
